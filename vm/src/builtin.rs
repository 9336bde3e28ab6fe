//! The pure functions of the expression language: one row each.
//!
//! A row gives the name in source, the number of arguments and the meaning; the checker, the verifier, the
//! evaluator and the documentation read it. All take and give numbers, and give 0 where the result is not finite.

macro_rules! builtins {
    ($( $byte:literal $name:ident = $text:literal ( $($argument:literal),* ) $doc:literal; )+) => {
        /// A pure function from numbers to a number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Builtin { $( #[doc = $doc] $name = $byte, )+ }

        impl Builtin {
            /// All of them, in the order of the table.
            pub const ALL: &'static [Builtin] = &[ $( Builtin::$name, )+ ];

            /// The function with this name in source.
            #[must_use]
            pub fn by_name(name: &str) -> Option<Self> {
                match name { $( $text => Some(Self::$name), )+ _ => None }
            }

            /// The function with this byte in a program.
            #[must_use]
            pub const fn from_byte(byte: u8) -> Option<Self> {
                match byte { $( $byte => Some(Self::$name), )+ _ => None }
            }

            /// The name in source.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$name => $text, )+ }
            }

            /// The names of the arguments, in order.
            #[must_use]
            pub const fn arguments(self) -> &'static [&'static str] {
                match self { $( Self::$name => &[ $($argument),* ], )+ }
            }

            /// What the function gives.
            #[must_use]
            pub const fn doc(self) -> &'static str {
                match self { $( Self::$name => $doc, )+ }
            }
        }
    };
}

builtins! {
    0  Min = "min"("a", "b") "The smaller of two numbers.";
    1  Max = "max"("a", "b") "The larger of two numbers.";
    2  Mod = "mod"("a", "b") "The remainder of `a / b`, with the sign of `b`; 0 where `b` is 0.";
    3  Clamp = "clamp"("x", "low", "high") "`x`, not below `low` and not above `high`; `low` wins where they cross.";
    4  Abs = "abs"("x") "The number without its sign.";
    5  Sign = "sign"("x") "-1, 0 or 1.";
    6  Floor = "floor"("x") "The largest whole number not above `x`.";
    7  Ceil = "ceil"("x") "The smallest whole number not below `x`.";
    8  Round = "round"("x") "The nearest whole number, halves away from zero.";
    9  Sqrt = "sqrt"("x") "The square root; 0 for negative numbers.";
    10 Pow = "pow"("x", "y") "`x` to the power of `y`.";
    11 Lerp = "lerp"("a", "b", "t") "`a + (b - a) * t`.";
    12 Smoothstep = "smoothstep"("low", "high", "x") "0 up to `low`, 1 from `high`, a smooth curve between.";
    13 Length = "length"("x", "y") "The length of the vector `(x, y)`.";
    14 Length3 = "length3"("x", "y", "z") "The length of the vector `(x, y, z)`; `length` with three arguments is the same.";
    15 Sin = "sin"("x") "The sine of `x` radians.";
    16 Cos = "cos"("x") "The cosine of `x` radians.";
    17 Atan2 = "atan2"("y", "x") "The angle of the vector `(x, y)` in radians, -pi to pi.";
}
