//! How large a program may be: one row a limit, each with its own code.
//!
//! The verifier enforces them, the compiler reports them before a program is built, the documentation lists them.
//! They bound the time and memory of loading and of a tick; they are far above what a person writes.

/// The longest `FadeIn` and `FadeOut` of an animation, in seconds. The verifier and the compiler report a longer one as a
/// number that is not in its range.
pub const LONGEST_FADE: f32 = 240.0;

macro_rules! limits {
    ($( $name:ident = $value:literal $code:literal $text:literal; )+) => {
        /// A limit of the format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Limit { $( #[doc = $text] $name, )+ }

        impl Limit {
            /// All of them, in the order of the table.
            pub const ALL: &'static [Limit] = &[ $( Limit::$name, )+ ];

            /// The greatest value that is allowed.
            #[must_use]
            pub const fn value(self) -> usize {
                match self { $( Self::$name => $value, )+ }
            }

            /// The code of the error where it is exceeded.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $( Self::$name => $code, )+ }
            }

            /// What it bounds.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $( Self::$name => $text, )+ }
            }
        }
    };
}

limits! {
    FileBytes = 50_331_648 "MX0870" "the bytes of a file";
    Sections = 64 "MX0871" "the sections of a file";
    Behaviors = 65_535 "MX0872" "the behaviors of a program";
    Rows = 65_535 "MX0873" "the rows of a table of parameters, states, animations and the like, of one behavior";
    LongRows = 16_777_215 "MX0874" "the rows of a table of texts, transitions, operations and lists";
    TextBytes = 1_048_576 "MX0875" "the bytes of one text";
    Layers = 1_024 "MX0880" "the layers of a behavior";
    Nesting = 64 "MX0876" "how deep states stand in states";
    Stack = 64 "MX0877" "the values on the stack of a block, its calls included";
    Calls = 64 "MX0878" "how deep blocks call blocks";
    Cost = 65_536 "MX0879" "the operations of a block, those of the blocks it calls included at each call";
    MotionNesting = 16 "MX0881" "how deep motions stand in motions";
    MotionClips = 256 "MX0882" "the clips of one motion";
    MaskWork = 67_108_864 "MX0885" "the characters of the targets of tracks times those of the patterns of layers' masks";
    ComponentNesting = 16 "MX0890" "how deep components stand in components";
    Components = 65_535 "MX0891" "the components of an instance, those inside others included";
    StateWords = 16_777_215 "MX0892" "the words of an instance, those of its components included";
}
