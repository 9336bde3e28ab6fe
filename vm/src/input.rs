//! What comes in from a pointer, a keyboard or the game, and the kinds of it that listeners hear: one row each.
//!
//! The compiler, the verifier, the text form and the tools read the table. What an input does is not here: a tick's
//! neighbor `tick/listeners.rs` routes it. Hit tests are the host's.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// What a kind of input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A pointer: it has a place within its target.
    Pointer,
    /// The keyboard's focus.
    Focus,
    /// A key: it has a name.
    Key,
    /// The game: it has a name.
    Custom,
}

macro_rules! inputs {
    (
        pointer { $( $pbyte:literal $pname:ident [ $($pword:literal),+ ] $pdoc:literal; )+ }
        others { $( $byte:literal $name:ident $source:ident [ $($word:literal),* ] $doc:literal; )+ }
    ) => {
        /// A kind of input.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum InputKind { $( #[doc = $pdoc] $pname, )+ $( #[doc = $doc] $name, )+ }

        /// What a pointer did.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum PointerKind { $( #[doc = $pdoc] $pname, )+ }

        impl From<PointerKind> for InputKind {
            fn from(kind: PointerKind) -> Self {
                match kind { $( PointerKind::$pname => Self::$pname, )+ }
            }
        }

        impl InputKind {
            /// All of them, in the order of the table.
            pub const ALL: &'static [InputKind] = &[ $( InputKind::$pname, )+ $( InputKind::$name, )+ ];

            /// The byte that stands for it in a program; never reused for another.
            #[must_use]
            pub const fn byte(self) -> u8 {
                match self { $( Self::$pname => $pbyte, )+ $( Self::$name => $byte, )+ }
            }

            /// The kind with this byte in a program.
            #[must_use]
            pub const fn from_byte(byte: u8) -> Option<Self> {
                match byte {
                    $( $pbyte => Some(Self::$pname), )+ $( $byte => Some(Self::$name), )+
                    _ => None,
                }
            }

            /// How it is written in source, its own word first; a custom one is written by its name instead.
            #[must_use]
            pub const fn words(self) -> &'static [&'static str] {
                match self { $( Self::$pname => &[ $($pword),+ ], )+ $( Self::$name => &[ $($word),* ], )+ }
            }

            /// What it comes from.
            #[must_use]
            pub const fn source(self) -> Source {
                match self { $( Self::$pname => Source::Pointer, )+ $( Self::$name => Source::$source, )+ }
            }

            /// What happened, in a sentence.
            #[must_use]
            pub const fn doc(self) -> &'static str {
                match self { $( Self::$pname => $pdoc, )+ $( Self::$name => $doc, )+ }
            }

            /// What the pointer did, if it comes from one.
            #[must_use]
            pub const fn pointer(self) -> Option<PointerKind> {
                match self { $( Self::$pname => Some(PointerKind::$pname), )+ _ => None }
            }
        }
    };
}

inputs! {
    pointer {
        0 Enter ["mouseenter", "pointerenter"] "The pointer came over the target.";
        1 Leave ["mouseleave", "pointerleave"] "The pointer left the target.";
        2 Down ["mousedown", "pointerdown"] "A button went down, or a finger.";
        3 Up ["mouseup", "pointerup"] "It came up again; heard by what heard it go down, wherever the pointer is by then.";
        4 Move ["mousemove", "pointermove"] "The pointer moved within the target.";
        5 Click ["click"] "The target was clicked or tapped.";
    }
    others {
        6 Focus Focus ["focus"] "The target got the keyboard's focus.";
        7 Blur Focus ["blur"] "The target lost the keyboard's focus.";
        8 KeyDown Key ["keydown"] "A key went down.";
        9 KeyUp Key ["keyup"] "A key came up again.";
        10 Custom Custom [] "An event of the game's own, by its name in quotes.";
    }
}

impl InputKind {
    /// The kind that is written so, in either spelling.
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.words().contains(&word))
    }

    /// Its own word; `custom` for a custom one.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.words().first().copied().unwrap_or("custom")
    }
}

/// Pointers that can be down at the same time.
pub const POINTERS: u8 = 32;

/// A target under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit<'i> {
    /// Its name in the scene; that of a component's target begins with the component's: `knob/hit`.
    pub target: &'i str,
    /// Where in it, from 0 to 1, rightward and downward as the host counts; clamped to that.
    pub at: [f32; 2],
}

impl<'i> Hit<'i> {
    /// A hit at that place of a target.
    #[must_use]
    pub const fn new(target: &'i str, at: [f32; 2]) -> Self {
        Self { target, at }
    }
}

/// Something that a pointer did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointerInput<'i> {
    /// What.
    pub kind: PointerKind,
    /// Which pointer, below [`POINTERS`]: 0 for the mouse, one number for each finger that is down.
    pub pointer: u8,
    /// The targets under it, from the topmost down. Those that no listener has do no harm.
    pub hits: &'i [Hit<'i>],
    /// Where it is in the whole scene, from 0 to 1; for listeners of the scene.
    pub scene: [f32; 2],
}

/// An input for an instance's listeners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Input<'i> {
    /// A pointer did something.
    Pointer(PointerInput<'i>),
    /// A target got the keyboard's focus: it hears keys from now on.
    Focus(&'i str),
    /// A target lost it.
    Blur(&'i str),
    /// The key of that name went down. Names are the host's; those of the web are `Enter`, `Escape`, `ArrowLeft`, `a`.
    KeyDown(&'i str),
    /// It came up again.
    KeyUp(&'i str),
    /// An event of the game's own.
    Custom {
        /// Its name.
        name: &'i str,
        /// The targets it is for, from the topmost down; none where it is for all listeners.
        targets: &'i [&'i str],
    },
}

impl<'i> Input<'i> {
    /// What the first pointer did with these targets, from the topmost down; its place in the scene is the middle.
    #[must_use]
    pub const fn pointer(kind: PointerKind, hits: &'i [Hit<'i>]) -> Self {
        Self::Pointer(PointerInput { kind, pointer: 0, hits, scene: [0.5, 0.5] })
    }

    /// The kind of input.
    #[must_use]
    pub fn kind(&self) -> InputKind {
        match self {
            Self::Pointer(input) => input.kind.into(),
            Self::Focus(_) => InputKind::Focus,
            Self::Blur(_) => InputKind::Blur,
            Self::KeyDown(_) => InputKind::KeyDown,
            Self::KeyUp(_) => InputKind::KeyUp,
            Self::Custom { .. } => InputKind::Custom,
        }
    }
}

/// Why an input was not taken; nothing changed.
#[derive(Clone, Debug, PartialEq)]
pub enum InputError {
    /// A place of the pointer is NaN or infinite.
    NotFinite {
        /// The target; `None` for the place in the scene.
        target: Option<String>,
    },
    /// There are no more than [`POINTERS`] pointers.
    UnknownPointer(u8),
    /// The behavior asks the host these `Extern Predicate`s, and the host does not answer.
    NoPredicates(Vec<String>),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { target: Some(target) } => {
                write!(f, "the pointer's place in `{target}` must be finite")
            }
            Self::NotFinite { target: None } => {
                f.write_str("the pointer's place in the scene must be finite")
            }
            Self::UnknownPointer(pointer) => {
                write!(f, "pointers are numbered from 0 to {}, and this is {pointer}", POINTERS - 1)
            }
            Self::NoPredicates(names) => crate::error::no_predicates(f, names),
        }
    }
}

impl core::error::Error for InputError {}
