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
    ($( $(#[$attribute:meta])* $byte:literal $name:ident = $text:literal $shape:ident $curve:ident; )+ ) => {
        /// How progress becomes a weight.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub enum Easing {
            $( #[doc = concat!("`", $text, "`")] $(#[$attribute])* $name, )+
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
    #[default]
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

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETRIC: [Easing; 6] = [
        Easing::CubicBezier { x1: 0.25, y1: 0.1, x2: 0.25, y2: 1.0 },
        Easing::CubicBezier { x1: 0.0, y1: -3.0, x2: 1.0, y2: 4.0 },
        Easing::CubicBezier { x1: 1.0, y1: f32::MAX, x2: 0.0, y2: f32::MIN },
        Easing::Steps(1),
        Easing::Steps(7),
        Easing::Steps(MOST_STEPS),
    ];

    fn all() -> impl Iterator<Item = Easing> {
        Easing::NAMED.iter().copied().chain(PARAMETRIC)
    }

    #[test]
    fn names_and_bytes_are_one_easing_each() {
        assert_eq!(Easing::NAMED.len(), 34);
        for (index, easing) in Easing::NAMED.iter().enumerate() {
            assert_eq!(Easing::by_name(easing.name()), Some(*easing));
            assert_eq!(Easing::from_byte(easing.byte()), Some(*easing));
            assert_eq!(usize::from(easing.byte()), index);
        }
        assert_eq!(Easing::by_name("cubicBezier"), None);
        assert_eq!(Easing::from_byte(Easing::CUBIC_BEZIER), None);
        assert_eq!(Easing::from_byte(Easing::STEPS), None);
        assert_eq!(Easing::default(), Easing::Linear);
    }

    #[test]
    fn ends_are_exact_and_hold_outside() {
        for easing in all() {
            for t in [0.0, -0.0, -1.0, f32::MIN, f32::NEG_INFINITY, f32::NAN] {
                assert_eq!(easing.at(t), 0.0, "{easing:?} at {t}");
            }
            for t in [1.0, 1.5, f32::MAX, f32::INFINITY] {
                assert_eq!(easing.at(t), 1.0, "{easing:?} at {t}");
            }
        }
    }

    #[test]
    fn all_values_are_finite() {
        let edge = [f32::from_bits(1), f32::MIN_POSITIVE, f32::EPSILON, 1.0 - f32::EPSILON / 2.0];
        for easing in all() {
            for t in (0..=4096).map(|step| step as f32 / 4096.0).chain(edge) {
                assert!(easing.at(t).is_finite(), "{easing:?} at {t}");
            }
        }
    }

    /// What does not swing never falls, and stays in 0..1.
    #[test]
    fn weights_rise() {
        for easing in all() {
            let name = easing.name();
            let falls = match easing {
                Easing::CubicBezier { y1, y2, .. } => [y1, y2].iter().any(|y| !(0.0..=1.0).contains(y)),
                _ => ["Back", "Elastic", "Bounce"].iter().any(|end| name.ends_with(end)),
            };
            if falls {
                continue;
            }
            let mut last = 0.0;
            for step in 0..=4096_u16 {
                let value = easing.at(f32::from(step) / 4096.0);
                assert!((last..=1.0).contains(&value), "{easing:?} at {step}: {value} after {last}");
                last = value;
            }
        }
    }

    #[test]
    fn out_is_in_turned_around_and_in_out_both_halves() {
        let near = |a: f32, b: f32| (a - b).abs() < 1e-6;
        for t in (0..=64).map(|step| step as f32 / 64.0) {
            for [ease_in, ease_out, both] in triples() {
                assert!(near(ease_out.at(t), 1.0 - ease_in.at(1.0 - t)), "{ease_out:?} at {t}");
                assert!(near(both.at(t), 1.0 - both.at(1.0 - t)) || t == 0.5, "{both:?} at {t}");
                // `Back` and `Elastic` swing differently in half the way.
                if !both.name().ends_with("Back") && !both.name().ends_with("Elastic") {
                    assert!(near(both.at(t / 2.0), ease_in.at(t) / 2.0), "{both:?} at {t}");
                }
            }
        }
    }

    fn triples() -> impl Iterator<Item = [Easing; 3]> {
        Easing::NAMED.get(1..).unwrap_or_default().chunks(3).filter_map(|rows| rows.try_into().ok())
    }

    #[test]
    fn swings_leave_the_range_and_bounces_touch_the_ground() {
        assert!(Easing::EaseInBack.at(0.4) < -0.09 && Easing::EaseOutBack.at(0.6) > 1.09);
        assert!(Easing::EaseInOutBack.at(0.2) < -0.09 && Easing::EaseInOutBack.at(0.8) > 1.09);
        assert!(Easing::EaseOutElastic.at(0.15) > 1.3 && Easing::EaseInElastic.at(0.85) < -0.3);
        for ground in [1.0 / 2.75, 2.0 / 2.75, 2.5 / 2.75] {
            assert!((Easing::EaseOutBounce.at(ground) - 1.0).abs() < 1e-5, "{ground}");
        }
    }

    #[test]
    fn a_bezier_passes_where_css_says() {
        let ease = PARAMETRIC[0];
        for (t, value) in [(0.1, 0.0948), (0.25, 0.4085), (0.5, 0.8024), (0.75, 0.9605)] {
            assert!((ease.at(t) - value).abs() < 1e-3, "{t}: {}", ease.at(t));
        }
        // Control points on the diagonal: a straight line, steep ends or not.
        for (a, b) in [(0.0, 1.0), (0.3, 0.6), (0.5, 0.5), (1.0, 0.0), (0.0, 0.0), (1.0, 1.0)] {
            let line = Easing::CubicBezier { x1: a, y1: a, x2: b, y2: b };
            for t in (0..=1000).map(|step| step as f32 / 1000.0) {
                assert!((line.at(t) - t).abs() < 1e-6, "{line:?} at {t}: {}", line.at(t));
            }
        }
    }

    #[test]
    fn steps_jump_at_their_shares() {
        for count in [1, 2, 3, 10, 60] {
            for step in 0..count {
                let share = |step: u16| f32::from(step) / f32::from(count);
                let steps = Easing::Steps(count);
                assert_eq!(steps.at(share(step)), share(step), "{count} {step}");
                assert_eq!(steps.at((share(step) + share(step + 1)) / 2.0), share(step), "{count} {step}");
            }
        }
        // The verifier refuses it; still no division by zero.
        assert_eq!(Easing::Steps(0).at(0.5), 0.0);
    }

    /// The same bits on every platform, debug and release.
    #[test]
    fn the_bits_are_these() {
        let bits: alloc::vec::Vec<[u32; 3]> =
            all().map(|easing| [0.2, 0.5, 0.9].map(|t| easing.at(t).to_bits())).collect();
        assert_eq!(bits, GOLDEN);
    }

    const GOLDEN: [[u32; 3]; 40] = [
        [0x3E4C_CCCD, 0x3F00_0000, 0x3F66_6666],
        [0x3D23_D70B, 0x3E80_0000, 0x3F4F_5C28],
        [0x3EB8_51EC, 0x3F40_0000, 0x3F7D_70A4],
        [0x3DA3_D70B, 0x3F00_0000, 0x3F7A_E148],
        [0x3D23_D70B, 0x3E80_0000, 0x3F4F_5C28],
        [0x3EB8_51EC, 0x3F40_0000, 0x3F7D_70A4],
        [0x3DA3_D70B, 0x3F00_0000, 0x3F7A_E148],
        [0x3C03_126F, 0x3E00_0000, 0x3F3A_9FBD],
        [0x3EF9_DB23, 0x3F60_0000, 0x3F7F_BE77],
        [0x3D03_126F, 0x3F00_0000, 0x3F7E_F9DB],
        [0x3AD1_B718, 0x3D80_0000, 0x3F27_F62A],
        [0x3F17_2474, 0x3F70_0000, 0x3F7F_F972],
        [0x3C51_B718, 0x3F00_0000, 0x3F7F_CB92],
        [0x39A7_C5AD, 0x3D00_0000, 0x3F17_2A59],
        [0x3F2C_1D2A, 0x3F78_0000, 0x3F7F_FF58],
        [0x3BA7_C5AD, 0x3F00_0000, 0x3F7F_F584],
        [0x3D48_78F7, 0x3E95_F61A, 0x3F57_F3E9],
        [0x3E9E_377A, 0x3F35_04F3, 0x3F7C_D925],
        [0x3DC3_910D, 0x3F00_0000, 0x3F79_BC38],
        [0x3B80_0000, 0x3D00_0000, 0x3EFF_FFFD],
        [0x3F40_0000, 0x3F78_0000, 0x3F7F_8000],
        [0x3C00_0000, 0x3F00_0000, 0x3F7F_8000],
        [0x3CA5_8313, 0x3E09_30A3, 0x3F10_6984],
        [0x3F19_999A, 0x3F5D_B3D7, 0x3F7E_B77F],
        [0x3D2A_FA1D, 0x3F00_0000, 0x3F7D_69F4],
        [0xBD3E_42F2, 0xBDB3_9ABF, 0x3F17_570B],
        [0x3F34_AF75, 0x3F8B_39AC, 0x3F81_D50C],
        [0xBDBD_8DD2, 0x3F00_0000, 0x3F84_CD69],
        [0xBB00_0001, 0xBC80_0000, 0xBE80_0006],
        [0x3F90_0000, 0x3F82_0000, 0x3F7F_8000],
        [0xBB7F_FFFE, 0x3F00_0000, 0x3F7F_E9C6],
        [0x3D75_C28F, 0x3E70_0000, 0x3F6C_A3D6],
        [0x3E9A_E148, 0x3F44_0000, 0x3F7C_F5C2],
        [0x3DE8_F5C3, 0x3F00_0000, 0x3F78_51EC],
        [0x3E97_2A44, 0x3F4D_6A4F, 0x3F7E_8B86],
        [0xBF15_927E, 0x3F00_0000, 0x3FE1_8FCD],
        [0x7E3A_F4CF, 0x3E00_0000, 0xFDC5_189C],
        [0x0000_0000, 0x0000_0000, 0x0000_0000],
        [0x3E12_4925, 0x3EDB_6DB7, 0x3F5B_6DB7],
        [0x3E4C_CCCD, 0x3F00_0000, 0x3F66_6666],
    ];
}
