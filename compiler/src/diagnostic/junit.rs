//! JUnit XML documents: suites of cases, for diagnostics and for tests alike.
//!
//! Text is escaped and freed of characters that XML forbids, so any message makes a well-formed document.

use std::fmt::Write as _;

/// What became of a case.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It passed.
    Passed,
    /// It failed: the message and the details.
    Failed(String, String),
    /// It could not be run: the message and the details.
    Broken(String, String),
    /// It passed with something to say.
    Remarked(String),
}

/// A case of a suite.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// What it is about: a behavior, a code.
    pub class: String,
    /// The line of the suite's file where it stands, from 1.
    pub line: Option<u32>,
    /// Seconds of simulated time.
    pub time: f64,
    /// What became of it.
    pub verdict: Verdict,
}

/// A suite: the cases of one file.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The file.
    pub name: String,
    /// Its cases.
    pub cases: Vec<Case>,
}

/// The document.
#[must_use]
pub fn document(tool: &str, suites: &[Suite]) -> String {
    let cases = || suites.iter().flat_map(|suite| &suite.cases);
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text += &format!(
        "<testsuites name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n",
        escape(tool),
        cases().count(),
        cases().filter(|case| matches!(case.verdict, Verdict::Failed(..))).count(),
        cases().filter(|case| matches!(case.verdict, Verdict::Broken(..))).count(),
    );
    for suite in suites {
        write_suite(&mut text, suite);
    }
    text + "</testsuites>\n"
}

fn write_suite(text: &mut String, suite: &Suite) {
    let count =
        |wanted: fn(&Verdict) -> bool| suite.cases.iter().filter(|case| wanted(&case.verdict)).count();
    *text += &format!(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3}\">\n",
        escape(&suite.name),
        suite.cases.len(),
        count(|verdict| matches!(verdict, Verdict::Failed(..))),
        count(|verdict| matches!(verdict, Verdict::Broken(..))),
        suite.cases.iter().map(|case| case.time).sum::<f64>(),
    );
    for case in &suite.cases {
        let line = case.line.map_or_else(String::new, |line| format!(" line=\"{line}\""));
        let _ = write!(
            text,
            "    <testcase name=\"{}\" classname=\"{}\" file=\"{}\"{line} time=\"{:.3}\"",
            escape(&case.name),
            escape(&case.class),
            escape(&suite.name),
            case.time,
        );
        match &case.verdict {
            Verdict::Passed => *text += "/>\n",
            Verdict::Failed(message, details) => write_fault(text, "failure", message, details),
            Verdict::Broken(message, details) => write_fault(text, "error", message, details),
            Verdict::Remarked(remark) => {
                *text += &format!(">\n      <system-out>{}</system-out>\n    </testcase>\n", escape(remark));
            }
        }
    }
    *text += "  </testsuite>\n";
}

fn write_fault(text: &mut String, element: &str, message: &str, details: &str) {
    *text += &format!(
        ">\n      <{element} message=\"{}\">{}</{element}>\n    </testcase>\n",
        escape(message),
        escape(details)
    );
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\n' => escaped += "&#10;",
            '\t' => escaped.push('\t'),
            letter if letter < ' ' || matches!(letter, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_makes_a_well_formed_document() {
        let verdict = Verdict::Failed("a < \"b\" & c\u{0}".into(), "line\n</failure>".into());
        let case = Case { name: "x\u{1b}[31m".into(), class: "C".into(), line: Some(3), time: 0.5, verdict };
        let text = document("motixc test", &[Suite { name: "a.motix".into(), cases: vec![case] }]);
        assert!(text.contains(
            "message=\"a &lt; &quot;b&quot; &amp; c\u{fffd}\">line&#10;&lt;/failure&gt;</failure>"
        ));
        assert!(text.contains("failures=\"1\" errors=\"0\" time=\"0.500\""));
        assert!(!text.contains('\u{1b}'));
    }
}
