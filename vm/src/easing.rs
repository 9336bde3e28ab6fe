//! The easings of crossfades and keys: one row each, from which the enum, its bytes, its names and its curves derive.
//!
//! A curve goes from exactly 0 at 0 to exactly 1 at 1; what is asked outside counts as the nearer end. `Back`,
//! `Elastic` and some Bézier curves leave 0..1 in between: who needs a weight clamps. The arithmetic is that of `libm`
//! in f64, so that the bits are the same on every platform. The curves are those that CSS and easings.net show under
//! these names.

use core::f64::consts::{FRAC_PI_2, PI};

use crate::float::narrow;

/// The most steps of [`Easing::Steps`].
pub const MOST_STEPS: u16 = 1_000;

macro_rules! easings {
    ($( $byte:literal $name:ident = $text:literal $shape:ident $curve:ident; )+ ) => {
        /// How progress becomes a weight.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Easing {
            $( #[doc = concat!("`", $text, "`")] $name, )+
            /// `cubicBezier(x1, y1, x2, y2)`: from (0, 0) to (1, 1) with these two control points; `x` in 0..1.
            #[allow(missing_docs)]
            CubicBezier { x1: f32, y1: f32, x2: f32, y2: f32 },
            /// `steps(n)`: so many jumps, the last one at the end; 1 to [`MOST_STEPS`].
            Steps(u16),
        }

        impl Easing {
            /// Those that take nothing, in the order of the table.
            pub const NAMED: &'static [Easing] = &[ $( Easing::$name, )+ ];

            /// The easing with this name in source, of those that take nothing.
            #[must_use]
            pub fn by_name(name: &str) -> Option<Self> {
                match name { $( $text => Some(Self::$name), )+ _ => None }
            }

            /// The easing with this byte in a program, of those that take nothing.
            #[must_use]
            pub const fn from_byte(byte: u8) -> Option<Self> {
                match byte { $( $byte => Some(Self::$name), )+ _ => None }
            }

            /// The byte that stands for it in a program; never reused for another.
            #[must_use]
            pub const fn byte(self) -> u8 {
                match self {
                    $( Self::$name => $byte, )+
                    Self::CubicBezier { .. } => Self::CUBIC_BEZIER,
                    Self::Steps(_) => Self::STEPS,
                }
            }

            /// The name in source.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$name => $text, )+
                    Self::CubicBezier { .. } => "cubicBezier",
                    Self::Steps(_) => "steps",
                }
            }

            /// The curve inside 0..1, ends excepted.
            fn curve(self, t: f64) -> f64 {
                match self {
                    $( Self::$name => $shape($curve, t), )+
                    Self::CubicBezier { x1, y1, x2, y2 } => bezier([x1, y1, x2, y2].map(f64::from), t),
                    Self::Steps(count) => steps(count, t),
                }
            }
        }
    };
}

easings! {
    0 Linear = "linear" begin line;
    1 EaseIn = "easeIn" begin quad;
    2 EaseOut = "easeOut" end quad;
    3 EaseInOut = "easeInOut" both quad;
    4 EaseInQuad = "easeInQuad" begin quad;
    5 EaseOutQuad = "easeOutQuad" end quad;
    6 EaseInOutQuad = "easeInOutQuad" both quad;
    7 EaseInCubic = "easeInCubic" begin cubic;
    8 EaseOutCubic = "easeOutCubic" end cubic;
    9 EaseInOutCubic = "easeInOutCubic" both cubic;
    10 EaseInQuart = "easeInQuart" begin quart;
    11 EaseOutQuart = "easeOutQuart" end quart;
    12 EaseInOutQuart = "easeInOutQuart" both quart;
    13 EaseInQuint = "easeInQuint" begin quint;
    14 EaseOutQuint = "easeOutQuint" end quint;
    15 EaseInOutQuint = "easeInOutQuint" both quint;
    16 EaseInSine = "easeInSine" begin sine;
    17 EaseOutSine = "easeOutSine" end sine;
    18 EaseInOutSine = "easeInOutSine" both sine;
    19 EaseInExpo = "easeInExpo" begin expo;
    20 EaseOutExpo = "easeOutExpo" end expo;
    21 EaseInOutExpo = "easeInOutExpo" both expo;
    22 EaseInCirc = "easeInCirc" begin circ;
    23 EaseOutCirc = "easeOutCirc" end circ;
    24 EaseInOutCirc = "easeInOutCirc" both circ;
    25 EaseInBack = "easeInBack" begin back;
    26 EaseOutBack = "easeOutBack" end back;
    27 EaseInOutBack = "easeInOutBack" both back_twice;
    28 EaseInElastic = "easeInElastic" begin elastic;
    29 EaseOutElastic = "easeOutElastic" end elastic;
    30 EaseInOutElastic = "easeInOutElastic" both elastic_twice;
    31 EaseInBounce = "easeInBounce" begin bounce;
    32 EaseOutBounce = "easeOutBounce" end bounce;
    33 EaseInOutBounce = "easeInOutBounce" both bounce;
}

impl Default for Easing {
    fn default() -> Self {
        Self::Linear
    }
}

impl Easing {
    /// The byte of [`Easing::CubicBezier`] in a program.
    pub const CUBIC_BEZIER: u8 = 0x40;
    /// The byte of [`Easing::Steps`] in a program.
    pub const STEPS: u8 = 0x41;

    /// The weight at progress `t`: 0 up to 0 (and for NaN), 1 from 1, the curve between; always finite.
    #[must_use]
    pub fn at(self, t: f32) -> f32 {
        if t >= 1.0 {
            1.0
        } else if t > 0.0 {
            narrow(self.curve(f64::from(t)))
        } else {
            0.0
        }
    }
}

/// `In`: the curve as it is written down below.
fn begin(curve: fn(f64) -> f64, t: f64) -> f64 {
    curve(t)
}

/// `Out`: the curve turned around.
fn end(curve: fn(f64) -> f64, t: f64) -> f64 {
    1.0 - curve(1.0 - t)
}

/// `InOut`: the curve to the middle, turned around from there.
fn both(curve: fn(f64) -> f64, t: f64) -> f64 {
    if t < 0.5 { curve(2.0 * t) / 2.0 } else { 1.0 - curve(2.0 - 2.0 * t) / 2.0 }
}

fn line(t: f64) -> f64 {
    t
}

fn quad(t: f64) -> f64 {
    t * t
}

fn cubic(t: f64) -> f64 {
    t * t * t
}

fn quart(t: f64) -> f64 {
    quad(quad(t))
}

fn quint(t: f64) -> f64 {
    quart(t) * t
}

fn sine(t: f64) -> f64 {
    1.0 - libm::cos(t * FRAC_PI_2)
}

fn expo(t: f64) -> f64 {
    if t > 0.0 { libm::exp2(10.0 * t - 10.0) } else { 0.0 }
}

fn circ(t: f64) -> f64 {
    1.0 - libm::sqrt((1.0 - t * t).max(0.0))
}

/// How far `Back` swings: a tenth of the way.
const SWING: f64 = 1.70158;

fn back(t: f64) -> f64 {
    t * t * ((SWING + 1.0) * t - SWING)
}

/// In half the way, so that it swings a tenth of the whole.
fn back_twice(t: f64) -> f64 {
    let swing = SWING * 1.525;
    t * t * ((swing + 1.0) * t - swing)
}

fn elastic(t: f64) -> f64 {
    -expo(t) * libm::sin((10.0 * t - 10.75) * (2.0 * PI / 3.0))
}

fn elastic_twice(t: f64) -> f64 {
    -expo(t) * libm::sin((10.0 * t - 11.125) * (2.0 * PI / 4.5))
}

/// The last jump is the highest: the ball leaves the ground.
fn bounce(t: f64) -> f64 {
    let t = 1.0 - t;
    let parabola = |middle: f64, top: f64| 7.5625 * quad(t - middle / 2.75) + top;
    1.0 - match t * 2.75 {
        ..1.0 => parabola(0.0, 0.0),
        ..2.0 => parabola(1.5, 0.75),
        ..2.5 => parabola(2.25, 0.9375),
        _ => parabola(2.625, 0.984_375),
    }
}

/// The product is rounded to f32, so that `steps(10)` at 0.7 has jumped seven times.
fn steps(count: u16, t: f64) -> f64 {
    f64::from(libm::floorf((t * f64::from(count)) as f32)) / f64::from(count.max(1))
}

/// The height of the curve where it is `t` from the left. `x` never falls, for control points in 0..1.
fn bezier([x1, y1, x2, y2]: [f64; 4], t: f64) -> f64 {
    let at = |a: f64, b: f64, s: f64| {
        let r = 1.0 - s;
        3.0 * r * r * s * a + 3.0 * r * s * s * b + s * s * s
    };
    let slope = |s: f64| {
        let r = 1.0 - s;
        3.0 * r * r * x1 + 6.0 * r * s * (x2 - x1) + 3.0 * s * s * (1.0 - x2)
    };
    // Newton's steps, inside an interval that each of them shortens; half of it where a step would leave it.
    let (mut low, mut high, mut s) = (0.0, 1.0, t);
    for _ in 0..48 {
        let miss = at(x1, x2, s) - t;
        if miss.abs() < 1e-9 {
            break;
        }
        if miss > 0.0 {
            high = s;
        } else {
            low = s;
        }
        let next = s - miss / slope(s);
        s = if next > low && next < high { next } else { (low + high) / 2.0 };
    }
    at(y1, y2, s)
}
