//! The operations of the bytecode: one row each, from which the enum, its bytes, its text and its checks derive.
//!
//! Code is a list of operations for a stack machine. Every value on the stack is one 32-bit word whose type the
//! verifier knows at each place. Jumps go forward only and calls go to earlier blocks only, so every block ends.

use crate::builtin::Builtin;
use crate::ids::{
    AnimationId, CodeId, DampId, EmitId, ExternId, GroupId, LayerId, MachineId, ParamId, PropertyId, SpanId,
    StateId, TagId, TextId,
};

/// The type of a value on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Word {
    /// A finite f32.
    Number,
    /// 0 or 1.
    Bool,
    /// The index of an enum's variant.
    Variant,
    /// RGBA, 8 bits each, red in the highest byte.
    Color,
    /// A text: an id of the text table, or of a text that the host gave.
    Text,
}

impl Word {
    /// The word for it in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Word::Number => "number",
            Word::Bool => "bool",
            Word::Variant => "variant",
            Word::Color => "color",
            Word::Text => "text",
        }
    }
}

/// How an operation changes the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// Pops these words (the last one is on top), pushes that one.
    Fixed(&'static [Word], Option<Word>),
    /// Pops or pushes what its operand says: the verifier has a rule for each.
    ByOperand,
}

/// Where an operation may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Reads only: anywhere.
    Pure,
    /// Changes something: in action lists only.
    Action,
}

/// A value inside an operation, as it is written to and read from a program's bytes (little endian).
pub trait Operand: Sized {
    /// Appends the operand's bytes.
    fn write(self, out: &mut alloc::vec::Vec<u8>);
    /// Takes the operand from the front of `bytes`; `None` where they end or hold no such value.
    fn read(bytes: &mut &[u8]) -> Option<Self>;
}

macro_rules! int_operands {
    ($( $int:ty ),+) => { $(
        impl Operand for $int {
            fn write(self, out: &mut alloc::vec::Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn read(bytes: &mut &[u8]) -> Option<Self> {
                let (head, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(<$int>::from_le_bytes(*head))
            }
        }
    )+ };
}
int_operands!(u8, u16, u32, i32, f32);

macro_rules! id_operands {
    ($( $id:ident ),+) => { $(
        impl Operand for $id {
            fn write(self, out: &mut alloc::vec::Vec<u8>) {
                self.0.write(out);
            }
            fn read(bytes: &mut &[u8]) -> Option<Self> {
                Operand::read(bytes).map(Self)
            }
        }
    )+ };
}
id_operands!(
    AnimationId,
    CodeId,
    DampId,
    EmitId,
    ExternId,
    GroupId,
    LayerId,
    MachineId,
    ParamId,
    PropertyId,
    SpanId,
    StateId,
    TagId,
    TextId
);

impl Operand for Builtin {
    fn write(self, out: &mut alloc::vec::Vec<u8>) {
        (self as u8).write(out);
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        u8::read(bytes).and_then(Self::from_byte)
    }
}

impl Operand for bool {
    fn write(self, out: &mut alloc::vec::Vec<u8>) {
        u8::from(self).write(out);
    }
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        match u8::read(bytes)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

use Effect::{Action, Pure};
use Signature::{ByOperand, Fixed};
use Word::{Bool, Color, Number, Text, Variant};

macro_rules! ops {
    ($( $(#[$doc:meta])* $byte:literal $name:ident $({ $($field:ident : $type:ty),+ })? $mnemonic:literal $signature:expr, $effect:expr; )+) => {
        /// One operation.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Op { $( $(#[$doc])* $name $({
            $( #[allow(missing_docs)] $field: $type),+
        })?, )+ }

        impl Op {
            /// The byte that stands for the operation in a program; never reused for another.
            #[must_use]
            pub const fn byte(self) -> u8 {
                match self { $( Self::$name $({ $($field: _),+ })? => $byte, )+ }
            }

            /// The word that stands for the operation in a disassembly.
            #[must_use]
            pub const fn mnemonic(self) -> &'static str {
                match self { $( Self::$name $({ $($field: _),+ })? => $mnemonic, )+ }
            }

            /// How the operation changes the stack.
            #[must_use]
            pub const fn signature(self) -> Signature {
                match self { $( Self::$name $({ $($field: _),+ })? => $signature, )+ }
            }

            /// Where the operation may stand.
            #[must_use]
            pub const fn effect(self) -> Effect {
                match self { $( Self::$name $({ $($field: _),+ })? => $effect, )+ }
            }

            /// Appends the operation's bytes.
            pub fn write(self, out: &mut alloc::vec::Vec<u8>) {
                out.push(self.byte());
                match self { $( Self::$name $({ $($field),+ })? => { $( $( $field.write(out); )+ )? } )+ }
            }

            /// Takes an operation from the front of `bytes`; `None` where they end or hold none.
            pub fn read(bytes: &mut &[u8]) -> Option<Self> {
                match u8::read(bytes)? {
                    $( $byte => Some(Self::$name $({ $( $field: Operand::read(bytes)? ),+ })?), )+
                    _ => None,
                }
            }
        }
    };
}

ops! {
    // Constants.
    /// Push a number.
    0x01 Number { value: f32 } "number" Fixed(&[], Some(Number)), Pure;
    /// Push true or false.
    0x02 Bool { value: bool } "bool" Fixed(&[], Some(Bool)), Pure;
    /// Push an enum variant by its index.
    0x03 Variant { value: u16 } "variant" Fixed(&[], Some(Variant)), Pure;
    /// Push a color.
    0x04 Color { value: u32 } "color" Fixed(&[], Some(Color)), Pure;
    /// Push a text.
    0x05 Text { value: TextId } "text" Fixed(&[], Some(Text)), Pure;

    // What the instance holds.
    /// Push a parameter's value; for a trigger, whether it is armed for the machine that asks.
    0x10 Param { param: ParamId } "param" ByOperand, Pure;
    /// Push the result of an earlier block.
    0x11 Call { code: CodeId } "call" ByOperand, Pure;
    /// Push a smoothed value.
    0x12 Damped { damp: DampId } "damped" Fixed(&[], Some(Number)), Pure;
    /// Push the host's answer.
    0x13 Extern { predicate: ExternId } "extern" Fixed(&[], Some(Bool)), Pure;
    /// Push the seconds spent in the current state of the machine that asks.
    0x14 Elapsed "elapsed" Fixed(&[], Some(Number)), Pure;
    /// Push the tick's dt (in `OnUpdate` only).
    0x15 Dt "dt" Fixed(&[], Some(Number)), Pure;
    /// Push whether that state's machine came to its current state from that state or one inside it.
    0x16 CameFrom { state: StateId } "came-from" Fixed(&[], Some(Bool)), Pure;
    /// Push whether that state, or one inside it, is active.
    0x17 In { state: StateId } "in" Fixed(&[], Some(Bool)), Pure;
    /// Push whether an active state carries the tag.
    0x18 Tagged { tag: TagId } "tagged" Fixed(&[], Some(Bool)), Pure;
    /// Push whether an animation started by an action plays and is not fading out.
    0x19 Playing { animation: AnimationId } "playing" Fixed(&[], Some(Bool)), Pure;
    /// Push whether an animation has reached its end since its last `Play`.
    0x1A Finished { animation: AnimationId } "finished" Fixed(&[], Some(Bool)), Pure;
    /// Push an animation's time in seconds.
    0x1B Time { animation: AnimationId } "time" Fixed(&[], Some(Number)), Pure;
    /// Push an animation's position in its cycle, 0 to 1.
    0x1C Phase { animation: AnimationId } "phase" Fixed(&[], Some(Number)), Pure;
    /// Push an animation's weight in its layer, that of all its playheads.
    0x1D Weight { animation: AnimationId } "weight" Fixed(&[], Some(Number)), Pure;
    /// Push a layer's weight.
    0x1E LayerWeight { layer: LayerId } "layer-weight" Fixed(&[], Some(Number)), Pure;
    /// Push whether a playhead of the span's animation is inside it.
    0x1F InSpan { span: SpanId } "in-span" Fixed(&[], Some(Bool)), Pure;

    /// Push the cycle position, 0 to 1, of the current motion of the machine that asks.
    0x20 MotionPhase "phase" Fixed(&[], Some(Number)), Pure;
    /// Push how many cycles that motion has finished.
    0x21 MotionLoops "loops" Fixed(&[], Some(Number)), Pure;
    /// Push whether that motion does not loop and has reached its end.
    0x22 MotionFinished "finished" Fixed(&[], Some(Bool)), Pure;
    /// Push a machine's crossfade progress after easing; 1 where none runs.
    0x23 Fade { machine: MachineId } "fade" Fixed(&[], Some(Number)), Pure;
    /// Push what a probe of a component's behavior gives there.
    0x2C Inside { component: u16, probe: u32 } "inside" ByOperand, Pure;
    /// Push the mixed value of a property that tracks animate.
    0x2A Value { property: PropertyId } "value" ByOperand, Pure;
    /// Push where the pointer is in the target, 0 to 1, rightward (in reactions to the pointer only).
    0x28 PointerX "pointer_x" Fixed(&[], Some(Number)), Pure;
    /// The same, downward as the host counts.
    0x29 PointerY "pointer_y" Fixed(&[], Some(Number)), Pure;

    // Calculation.
    /// Negate.
    0x30 Neg "neg" Fixed(&[Number], Some(Number)), Pure;
    /// Add.
    0x31 Add "add" Fixed(&[Number, Number], Some(Number)), Pure;
    /// Subtract the top from the one below.
    0x32 Sub "sub" Fixed(&[Number, Number], Some(Number)), Pure;
    /// Multiply.
    0x33 Mul "mul" Fixed(&[Number, Number], Some(Number)), Pure;
    /// Divide the one below by the top; 0 where the result is not finite.
    0x34 Div "div" Fixed(&[Number, Number], Some(Number)), Pure;
    /// A pure function.
    0x35 Builtin { builtin: Builtin } "builtin" ByOperand, Pure;
    /// Less than.
    0x38 Less "less" Fixed(&[Number, Number], Some(Bool)), Pure;
    /// Less than or equal.
    0x39 LessEqual "less-equal" Fixed(&[Number, Number], Some(Bool)), Pure;
    /// Greater than.
    0x3A Greater "greater" Fixed(&[Number, Number], Some(Bool)), Pure;
    /// Greater than or equal.
    0x3B GreaterEqual "greater-equal" Fixed(&[Number, Number], Some(Bool)), Pure;
    /// Equal numbers.
    0x3C EqualNumber "equal-number" Fixed(&[Number, Number], Some(Bool)), Pure;
    /// Equal bools.
    0x3D EqualBool "equal-bool" Fixed(&[Bool, Bool], Some(Bool)), Pure;
    /// Equal variants.
    0x3E EqualVariant "equal-variant" Fixed(&[Variant, Variant], Some(Bool)), Pure;
    /// Equal colors.
    0x3F EqualColor "equal-color" Fixed(&[Color, Color], Some(Bool)), Pure;
    /// Equal texts.
    0x40 EqualText "equal-text" Fixed(&[Text, Text], Some(Bool)), Pure;
    /// Equal within 1e-4: `~=` of tests.
    0x41 Near "near" Fixed(&[Number, Number], Some(Bool)), Pure;
    /// True for false.
    0x42 Not "not" Fixed(&[Bool], Some(Bool)), Pure;

    // Jumps: `skip` operations further on, counted from the next one.
    /// Jump.
    0x50 Jump { skip: u16 } "jump" ByOperand, Pure;
    /// Pop; jump where it was false.
    0x51 JumpIfFalse { skip: u16 } "jump-if-false" ByOperand, Pure;
    /// Jump where the top is false, else pop it: `and`.
    0x52 JumpIfFalseElsePop { skip: u16 } "jump-if-false-else-pop" ByOperand, Pure;
    /// Jump where the top is true, else pop it: `or`.
    0x53 JumpIfTrueElsePop { skip: u16 } "jump-if-true-else-pop" ByOperand, Pure;

    // Actions.
    /// Pop two numbers, push a random one between them.
    0x60 Random "random" Fixed(&[Number, Number], Some(Number)), Action;
    /// Pop a value into a parameter, clamped and snapped; a variant that the enum does not have changes nothing.
    0x61 Set { param: ParamId } "set" ByOperand, Action;
    /// Arm a trigger.
    0x62 Fire { param: ParamId } "fire" ByOperand, Action;
    /// Start an animation.
    0x63 Play { animation: AnimationId } "play" Fixed(&[], None), Action;
    /// Fade an animation out, or cut it.
    0x64 Stop { animation: AnimationId, immediate: bool } "stop" Fixed(&[], None), Action;
    /// Fade the animations of a group out, or cut them.
    0x65 StopGroup { group: GroupId, immediate: bool } "stop-group" Fixed(&[], None), Action;
    /// Start the animations that carry a tag, in order of declaration.
    0x66 PlayTag { tag: TagId } "play-tag" Fixed(&[], None), Action;
    /// Fade the animations that carry a tag out.
    0x67 StopTag { tag: TagId } "stop-tag" Fixed(&[], None), Action;
    /// Pop the values of a custom event and report it.
    0x68 Emit { emit: EmitId } "emit" ByOperand, Action;
    /// Ask the host for a sound.
    0x69 Audio { asset: TextId } "audio" Fixed(&[], None), Action;
    /// Ask the host for a camera.
    0x6A Camera { name: TextId } "camera" Fixed(&[], None), Action;
    /// Queue a manual transition.
    0x6B Request { state: StateId, priority: i32 } "request" Fixed(&[], None), Action;
}
