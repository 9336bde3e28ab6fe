//! The table of diagnostic codes: one row each, from which names, severities, `explain` and the docs derive.
//!
//! `MX` and four digits, never reused: 00 lexing, 01 syntax, 02 names and files, 03 types, 04 machine structure,
//! 05 motions, time and events, 06 constants and ranges, 07 limits, 08 loading a program, 09 internal, 10 lints,
//! 11 import. Every row has a page in `docs/diagnostics/` and at least one fixture.

use super::Severity;

macro_rules! codes {
    ($( $number:literal $name:ident $severity:ident $title:literal; )+) => {
        /// A diagnostic code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $( #[doc = $title] $name, )+ }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Code] = &[ $( Code::$name, )+ ];

            /// The code as it is written: `MX0203`.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $( Self::$name => $number, )+ }
            }

            /// What it is about, in a few words.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $( Self::$name => $title, )+ }
            }

            /// How much it matters.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $( Self::$name => Severity::$severity, )+ }
            }

            /// The code that is written so, in any case of letters.
            #[must_use]
            pub fn by_id(id: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.id().eq_ignore_ascii_case(id))
            }
        }
    };
}

codes! {
    // 00 lexing
    "MX0001" InvalidUtf8 Error "the source is not valid UTF-8";
    "MX0002" UnknownCharacter Error "a character that means nothing here";
    "MX0003" UnterminatedText Error "a text without its closing quote";
    "MX0004" UnknownEscape Error "an unknown escape in a text";
    "MX0005" MalformedNumber Error "a number that cannot be read";
    "MX0006" UnknownUnit Error "a number with an unknown unit";
    "MX0007" MalformedColor Error "a color that cannot be read";
    "MX0008" UnterminatedComment Error "a comment that is not closed";
    "MX0009" UnterminatedName Error "a backquoted name that is not closed";
    "MX0010" MergeMarker Error "an unresolved merge conflict";
    "MX0011" ForeignOperator Error "an operator of another language";

    // 01 syntax
    "MX0101" UnexpectedToken Error "something else was expected";
    "MX0102" UnclosedDelimiter Error "an opening brace, bracket or parenthesis without its partner";
    "MX0103" StrayDelimiter Error "a closing brace, bracket or parenthesis without its partner";
    "MX0104" UnknownKeyword Error "a keyword that does not exist";
    "MX0105" MisplacedKeyword Error "a keyword that cannot stand in this block";
    "MX0106" ReservedWord Error "a reserved word as a name";
    "MX0107" ChainedComparison Error "comparisons that are chained";
    "MX0108" StrayComma Error "a comma where none can stand";
    "MX0109" ForeignSyntax Error "syntax of another language";

    // 02 names and files
    "MX0201" UnknownName Error "a name that nothing declares";
    "MX0202" UnknownState Error "a state that does not exist";
    "MX0203" UnknownPredicate Error "a predicate that does not exist";
    "MX0204" DuplicateName Error "a name declared twice";

    // 07 limits
    "MX0701" NestedTooDeep Error "nesting too deep";

    // 09 internal
    "MX0901" Internal Error "a fault of the compiler";

    // 11 import
    "MX1101" NoBuilder Error "a Lua file without a behavior builder";
    "MX1102" UnreadableLua Error "Lua that cannot be read";
    "MX1103" NotCarriedOver Warning "a part of a builder that has no counterpart";
    "MX1104" UnknownArgument Warning "an argument whose value is not known";
    "MX1105" UnknownInBuilder Warning "a name that the builder does not declare";
    "MX1106" PredicateLeftToHost Warning "a predicate that is left to the host";
    "MX1107" ConditionalBuilder Warning "builder calls under a condition or in a loop";
    "MX1108" AdjustedValue Warning "a value that was changed to fit";
    "MX1109" DuplicateInBuilder Warning "something that a builder says twice";
    "MX1110" MissingInitial Warning "a builder without an initial state";
    "MX1111" OtherCode Note "Lua code beside the builders";
}
