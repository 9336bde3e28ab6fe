//! Changes of a program's rows: of any field, to what its type can hold.
//!
//! The fields are those that `motix_vm`'s own list names, so that none is forgotten. What comes out is nothing but
//! tables; most of it no verifier lets through.

use motix_vm::easing::Easing;
use motix_vm::ids::*;
use motix_vm::input::InputKind;
use motix_vm::op::{Op, Word};
use motix_vm::program::debug::{BehaviorDebug, Debug, Spot};
use motix_vm::program::tables::*;

use super::Data;

/// The most rows that a made list has.
const MADE: usize = 4;

/// A value that can be made up and changed.
pub(super) trait Change: Sized + Clone {
    /// Any value.
    fn made(data: &mut Data<'_>) -> Self;

    /// Another value, near or far.
    fn change(&mut self, data: &mut Data<'_>) {
        *self = Self::made(data);
    }
}

macro_rules! whole_numbers {
    ($( $number:ty ),+) => { $(
        impl Change for $number {
            fn made(data: &mut Data<'_>) -> Self {
                match data.byte() {
                    0xff => <$number>::MAX,
                    0xfe => <$number>::MIN,
                    0xfd => data.bits() as $number,
                    small => (small % 32) as $number,
                }
            }
            fn change(&mut self, data: &mut Data<'_>) {
                *self = match data.below(4) {
                    0 => self.wrapping_add(1),
                    1 => self.wrapping_sub(1),
                    _ => Self::made(data),
                };
            }
        }
    )+ };
}
whole_numbers!(u16, u32, i32);

impl Change for bool {
    fn made(data: &mut Data<'_>) -> Self {
        data.byte() & 1 != 0
    }
    fn change(&mut self, _: &mut Data<'_>) {
        *self = !*self;
    }
}

impl Change for f32 {
    fn made(data: &mut Data<'_>) -> Self {
        data.number()
    }
}

impl Change for String {
    fn made(data: &mut Data<'_>) -> Self {
        data.pick(&["", "a", "Idle", "a/b", "a.b", "*", "Base", "\u{e9}", "\0", "`"]).to_owned()
    }
    fn change(&mut self, data: &mut Data<'_>) {
        match data.below(3) {
            0 => *self = Self::made(data),
            1 => self.push_str(&Self::made(data)),
            _ => drop(self.pop()),
        }
    }
}

impl<T: Change> Change for Option<T> {
    fn made(data: &mut Data<'_>) -> Self {
        (!data.one_in(3)).then(|| T::made(data))
    }
    fn change(&mut self, data: &mut Data<'_>) {
        match self {
            Some(value) if !data.one_in(3) => value.change(data),
            Some(_) => *self = None,
            None => *self = Some(T::made(data)),
        }
    }
}

impl<T: Change> Change for Vec<T> {
    fn made(data: &mut Data<'_>) -> Self {
        (0..data.below(MADE)).map(|_| T::made(data)).collect()
    }
    fn change(&mut self, data: &mut Data<'_>) {
        let (at, other) = (data.below(self.len()), data.below(self.len()));
        if self.is_empty() {
            self.push(T::made(data));
            return;
        }
        match data.below(10) {
            0 => self.swap(at, other),
            1 => self[at] = self[other].clone(),
            2 => self.insert(at, self[other].clone()),
            3 => drop(self.remove(at)),
            4 => self.push(T::made(data)),
            5 => self.truncate(at),
            _ => self[at].change(data),
        }
    }
}

impl Change for Op {
    fn made(data: &mut Data<'_>) -> Self {
        let first = data.byte();
        // The next operation that there is, with operands of 0.
        let found = (0..=255).find_map(|more| {
            let bytes = [&[first.wrapping_add(more)][..], &[0; 16]].concat();
            Op::read(&mut bytes.as_slice())
        });
        let mut op = found.unwrap_or(Op::Neg);
        op.change(data);
        op
    }
    fn change(&mut self, data: &mut Data<'_>) {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        for _ in 0..=data.below(2) {
            let at = 1 + data.below(bytes.len().saturating_sub(1));
            let Some(byte) = bytes.get_mut(at) else {
                *self = Op::read(&mut [data.byte()].as_slice()).unwrap_or(*self);
                return;
            };
            *byte = match data.below(3) {
                0 => byte.wrapping_add(1),
                1 => byte.wrapping_sub(1),
                _ => data.byte(),
            };
        }
        *self = Op::read(&mut bytes.as_slice()).unwrap_or(*self);
    }
}

impl Change for InputKind {
    fn made(data: &mut Data<'_>) -> Self {
        data.pick(Self::ALL)
    }
}

impl Change for Easing {
    fn made(data: &mut Data<'_>) -> Self {
        match data.below(4) {
            0 => Self::Steps(Change::made(data)),
            1 => {
                let [x1, y1, x2, y2] = [0; 4].map(|_| data.number());
                Self::CubicBezier { x1, y1, x2, y2 }
            }
            _ => data.pick(Self::NAMED),
        }
    }
}

macro_rules! rows {
    ($( $row:ident { $( $field:tt )+ } )+) => { $(
        impl Change for $row {
            fn made(data: &mut Data<'_>) -> Self {
                Self { $( $field: Change::made(data) ),+ }
            }
            fn change(&mut self, data: &mut Data<'_>) {
                let mut field = data.below([$( stringify!($field) ),+].len());
                $(
                    if field == 0 {
                        self.$field.change(data);
                    }
                    field = field.wrapping_sub(1);
                )+
                let _ = field;
            }
        }
    )+ };
}
motix_vm::each_row!(rows);

macro_rules! choices {
    ($( $name:ident { $( $tag:literal $variant:ident $(($value:ident))? $({ $($field:ident)+ })? ),+ } )+) => { $(
        impl Change for $name {
            fn made(data: &mut Data<'_>) -> Self {
                let which = data.below([$( $tag ),+].len());
                $( if which == $tag {
                    $( let $value = Change::made(data); )?
                    $( $( let $field = Change::made(data); )+ )?
                    return Self::$variant $(($value))? $({ $($field),+ })?;
                } )+
                unreachable!("tags count from 0")
            }
            fn change(&mut self, data: &mut Data<'_>) {
                if data.one_in(3) {
                    *self = Self::made(data);
                    return;
                }
                match self { $( Self::$variant $(($value))? $({ $($field),+ })? => {
                    $( $value.change(data); )?
                    $(
                        let mut which = data.below([$( stringify!($field) ),+].len());
                        $(
                            if which == 0 {
                                $field.change(data);
                            }
                            which = which.wrapping_sub(1);
                        )+
                        let _ = which;
                    )?
                } )+ }
            }
        }
    )+ };
}
motix_vm::each_choice!(choices);

/// A change somewhere in a program.
pub(super) fn change(tables: &mut Tables, data: &mut Data<'_>) {
    match data.byte() {
        0..8 => tables.texts.change(data),
        8..16 => tables.debug.change(data),
        16..24 => tables.behaviors.change(data),
        _ => {
            // Mostly the first.
            let at = data.below(4 * tables.behaviors.len()).saturating_sub(3 * tables.behaviors.len());
            if let Some(behavior) = tables.behaviors.get_mut(at) {
                behavior.change(data);
            }
        }
    }
}
