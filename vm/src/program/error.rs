//! Why a program could not be loaded: what is wrong, and where.
//!
//! One row a kind gives its code and its general meaning; an error adds the particulars and the place.

use alloc::string::String;
use core::fmt;

use super::limits::Limit;

macro_rules! kinds {
    ($( $name:ident = $code:literal $text:literal; )+) => {
        /// What kind of fault a file or a set of tables has.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum LoadErrorKind {
            $( #[doc = $text] $name, )+
            /// A limit is exceeded.
            Limit(Limit),
        }

        impl LoadErrorKind {
            /// All kinds but the limits, in the order of the table; those are [`Limit::ALL`].
            pub const ALL: &'static [LoadErrorKind] = &[ $( LoadErrorKind::$name, )+ ];

            /// The stable code.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $( Self::$name => $code, )+ Self::Limit(limit) => limit.code() }
            }

            /// What is wrong, in general.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $( Self::$name => $text, )+ Self::Limit(limit) => limit.text() }
            }
        }
    };
}

kinds! {
    // The file.
    NotMotix = "MX0801" "the file is not a compiled Motix program";
    NewerFormat = "MX0802" "the file was made by a newer compiler";
    Truncated = "MX0803" "the file ends too early";
    Damaged = "MX0804" "the checksum does not match: the file is damaged";
    UnknownSection = "MX0805" "the file has a required section that this version does not know";
    MissingSection = "MX0806" "the file lacks a section";
    DuplicateSection = "MX0807" "the file has a section twice";
    SectionLayout = "MX0808" "the sections overlap or leave gaps";
    TrailingBytes = "MX0809" "there are bytes after the end";
    Malformed = "MX0810" "a section holds bytes that mean nothing";
    LyingLength = "MX0811" "a list claims more items than there are bytes";

    // References and values.
    UnknownId = "MX0820" "a row refers to a row that does not exist";
    BadRun = "MX0821" "a run of rows reaches beyond its table";
    SharedRows = "MX0822" "two owners claim the same rows";
    DuplicateText = "MX0823" "a text stands twice in the text table";
    DuplicateName = "MX0824" "two things of one kind have the same name";
    BadNumber = "MX0825" "a number is not finite or not in its range";
    BadInitial = "MX0826" "an initial value is not one of its parameter's values";
    EmptyTable = "MX0827" "a list that needs a row is empty";
    BadTrigger = "MX0828" "a parameter of the wrong type stands where a trigger is needed, or a trigger where none may stand";
    BadDebug = "MX0829" "the debug section does not fit the program";

    // Structure.
    Unsorted = "MX0830" "rows are not in their order";
    BadMachine = "MX0831" "machines and states do not fit each other";
    BadParent = "MX0832" "the state around a state is not an earlier one of its machine";
    BadStart = "MX0833" "a machine or composite does not start in a state inside it";
    ForeignState = "MX0834" "a row refers to a state of another machine";
    BadTerminal = "MX0835" "a terminal state has transitions or states inside";
    BadSpan = "MX0836" "a span does not belong to its animation, or ends before it begins";
    BadReactions = "MX0837" "the reactions of the behavior and of states are mixed";
    BadComposite = "MX0838" "a leaf has what only a composite can have, or a transition what its place does not allow";

    // Code.
    StackUnderflow = "MX0840" "an operation takes more than there is on the stack";
    StackType = "MX0841" "an operation finds a value of another type";
    StackJoin = "MX0842" "the ways to one place leave different stacks";
    BadJump = "MX0843" "a jump leads out of its block";
    Unreachable = "MX0844" "an operation can never run";
    BadResult = "MX0845" "a block does not leave what it says";
    BadCall = "MX0846" "a call does not go to an earlier block that gives a value";
    Impure = "MX0847" "an expression has an effect";
    BadUse = "MX0848" "a block stands where one of another type is needed";
    BadDt = "MX0849" "`dt` is read outside `OnUpdate`";
    DampOrder = "MX0850" "a smoothed value follows itself or a later one";

    // Motions.
    BadMotion = "MX0851" "motions do not form trees";
    BadPoints = "MX0852" "the points of a blend do not fit its kind";
    BadTriangles = "MX0853" "the triangles of a blend do not cover its points";
    BadFade = "MX0854" "an `Instant` transition has a fade";
    BadGate = "MX0855" "a gate waits for what cannot come";

    // Tracks.
    BadTrack = "MX0860" "a track is of neither a number nor a color";

    // Listeners.
    BadListener = "MX0865" "a listener hears what it cannot";
    BadPointer = "MX0866" "the pointer's place is read where there is no pointer";

    // Components.
    ComponentRing = "MX0895" "a behavior is a component of itself";
    BadBind = "MX0896" "two parameters that are tied do not fit each other";
    BadTarget = "MX0897" "two components have the same target, or one has none";
}

/// Where in a file or its tables a fault is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The section of the file.
    pub section: Option<&'static str>,
    /// The byte in the file (or in the section, where one is named).
    pub offset: Option<u64>,
    /// The behavior, counted from 0.
    pub behavior: Option<usize>,
    /// The behavior's name, where it has one.
    pub name: Option<String>,
    /// The table, by its name in [`Behavior`](super::tables::Behavior).
    pub table: Option<&'static str>,
    /// The row of the table, counted from 0.
    pub row: Option<usize>,
}

/// Why a program could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    kind: LoadErrorKind,
    detail: String,
    // Boxed so that results stay small: an error is rare, a result is not.
    place: alloc::boxed::Box<Place>,
}

impl LoadError {
    pub(crate) fn new(kind: LoadErrorKind, detail: impl Into<String>, place: Place) -> Self {
        Self { kind, detail: detail.into(), place: alloc::boxed::Box::new(place) }
    }

    /// What kind of fault it is.
    #[must_use]
    pub fn kind(&self) -> LoadErrorKind {
        self.kind
    }

    /// The stable code, `MX08xx`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// The particulars, without the place.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Where it is.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            LoadErrorKind::Limit(limit) => {
                write!(f, "a limit is exceeded: {} is at most {}", limit.text(), limit.value())?;
            }
            kind => f.write_str(kind.text())?,
        }
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        write!(f, "{}", self.place)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = " (";
        let mut part = |f: &mut fmt::Formatter<'_>, text: fmt::Arguments<'_>| {
            let result = write!(f, "{separator}{text}");
            separator = ", ";
            result
        };
        if let Some(section) = self.section {
            part(f, format_args!("section `{section}`"))?;
        }
        if let Some(offset) = self.offset {
            part(f, format_args!("byte {offset}"))?;
        }
        match (&self.name, self.behavior) {
            (Some(name), _) => part(f, format_args!("behavior `{name}`"))?,
            (None, Some(index)) => part(f, format_args!("behavior {index}"))?,
            (None, None) => {}
        }
        if let Some(table) = self.table {
            part(f, format_args!("table `{table}`"))?;
        }
        if let Some(row) = self.row {
            part(f, format_args!("row {row}"))?;
        }
        if *self == Self::default() { Ok(()) } else { f.write_str(")") }
    }
}

impl core::error::Error for LoadError {}
