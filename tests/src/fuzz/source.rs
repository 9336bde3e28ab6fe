//! A text through the whole compiler: lexed, parsed, checked, lowered, verified, formatted, every message in every form,
//! its tests run.

use motix_compiler::diagnostic::{Code, Severity, github, human, json, short};
use motix_compiler::format::format;
use motix_compiler::pipeline::{Compiled, Options, compile};
use motix_compiler::source::{Loader, ReadError};
use motix_compiler::testing;
use motix_vm::Program;
use motix_vm::disasm::disassemble;
use motix_vm::program::EncodeOptions;

/// The name of the text among files.
const NAME: &str = "text.motix";
/// The most bytes that a message may take for each byte of the text, and besides.
const SHOWN: (usize, usize) = (64, 1 << 20);

/// The text, and the standard library.
struct Texts<'t>(&'t [u8]);

impl Loader for Texts<'_> {
    fn load(&self, path: &str, from: &str) -> Result<(String, Vec<u8>), ReadError> {
        if path.trim_start_matches("./") == NAME {
            return Ok((NAME.to_owned(), self.0.to_vec()));
        }
        let module = motix_stdlib::find(path.trim_end_matches(".motix")).filter(|_| !from.is_empty());
        let text = module.ok_or_else(|| ReadError::Missing(vec![path.to_owned()]))?;
        Ok((path.to_owned(), text.as_bytes().to_vec()))
    }
}

fn compiled(text: &[u8], options: Options) -> Compiled {
    compile(NAME, &Texts(text), options).unwrap_or_else(|error| panic!("the text is there: {error:?}"))
}

/// Does with a text what the tools do.
///
/// # Panics
/// Where something is not as promised.
pub fn source(bytes: &[u8]) {
    let plain = compiled(bytes, Options::default());
    messages(&plain, bytes.len());
    let tested = compiled(bytes, Options { tests: true });
    messages(&tested, bytes.len());
    assert_eq!(codes(&plain), codes(&tested), "tests change what is said");
    let file = plain.program.as_ref().map(|program| bytes_of(program));
    if let Some(file) = &file {
        let again = Program::load(file).unwrap_or_else(|error| panic!("what was built loads: {error}"));
        assert!(disassemble(&again).len() < 1000 * file.len() + 10_000, "a long text of a short program");
        run(&tested, bytes.len());
    }
    let Ok(text) = str::from_utf8(bytes) else {
        assert_eq!(codes(&plain), [Code::by_id("MX0001")]);
        return;
    };
    let once = match format(text) {
        Ok(once) => once,
        Err(errors) => {
            let internal = errors.list().iter().find(|report| is_internal(report.code));
            assert!(internal.is_none(), "{internal:?}");
            return assert!(file.is_none(), "a good text is not formatted: {:?}", errors.list());
        }
    };
    let twice =
        format(&once).unwrap_or_else(|errors| panic!("what was formatted is fine: {:?}", errors.list()));
    assert!(once == twice, "formatting twice changes something:\n{once}\n----\n{twice}");
    let formatted = compiled(once.as_bytes(), Options::default());
    assert_eq!(sorted(codes(&plain)), sorted(codes(&formatted)), "formatting changes what is said:\n{once}");
    assert!(
        file == formatted.program.as_ref().map(|program| bytes_of(program)),
        "formatting changes the program"
    );
}

fn bytes_of(program: &Program) -> Vec<u8> {
    program.encode(EncodeOptions { strip: true })
}

fn codes(compiled: &Compiled) -> Vec<Option<Code>> {
    compiled.diagnostics.sorted().iter().map(|report| Some(report.code)).collect()
}

fn sorted(mut codes: Vec<Option<Code>>) -> Vec<Option<Code>> {
    codes.sort();
    codes
}

fn is_internal(code: Code) -> bool {
    code.id().starts_with("MX09")
}

/// Writes every message in every form.
fn messages(compiled: &Compiled, length: usize) {
    let mut written = Vec::new();
    let mut plain = human::Renderer::new(&compiled.sources, false);
    let mut colored = human::Renderer::new(&compiled.sources, true);
    let mut lines = 0;
    for report in compiled.diagnostics.sorted() {
        assert!(!is_internal(report.code), "{report:?}");
        assert!(!report.message.is_empty(), "{report:?}");
        for label in &report.labels {
            let text = &compiled.sources.file(label.span.file).text;
            assert!(text.get(label.span.range()).is_some(), "{label:?} is no place in the text");
        }
        for renderer in [&mut plain, &mut colored] {
            renderer.write(report, &mut written).unwrap_or_else(|error| panic!("{error}"));
        }
        for line in [
            json::line(report, &compiled.sources),
            short::line(report, &compiled.sources),
            github::line(report, &compiled.sources),
        ] {
            assert!(!line.trim_end().contains('\n'), "{line}");
            lines += line.len();
        }
        assert!(lines + written.len() < SHOWN.0 * length * compiled.diagnostics.list().len() + SHOWN.1);
    }
    assert!(std::str::from_utf8(&written).is_ok());
    let errors = compiled.diagnostics.list().iter().any(|report| report.severity == Severity::Error);
    assert_eq!(errors, compiled.program.is_none(), "a program, or an error");
}

/// Runs the tests, both ways, where they are not long.
fn run(compiled: &Compiled, length: usize) {
    if length > 1 << 14 {
        return;
    }
    let direct = testing::run(compiled, None, false);
    let through = testing::run(compiled, None, true);
    for (direct, through) in direct.iter().zip(&through) {
        assert_eq!(direct.passed(), through.passed(), "{}", direct.name);
    }
}
