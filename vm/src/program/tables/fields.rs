//! The fields of every row, by name, in the order in which a file holds them, and the variants of every choice with
//! the byte that stands for each: the one list for whatever goes through all rows.
//!
//! The file format is made of it (`container.rs`), and so are tests that change rows at will. It knows no types: those
//! are the fields' own.

/// Hands every struct of the tables to a macro, each with its fields in the order of a file. `0` stands for the one
/// of an id.
#[doc(hidden)]
#[macro_export]
macro_rules! each_row {
    ($each:ident) => {
        $each! {
            AnimationId { 0 } BehaviorId { 0 } CodeId { 0 } EnumId { 0 } GroupId { 0 } LayerId { 0 } MachineId { 0 } MaskId { 0 }
            MotionId { 0 } ParamId { 0 } PropertyId { 0 } StateId { 0 } TagId { 0 } TextId { 0 }
            Run { first count }
            Behavior {
                name params enums variants layers masks patterns groups tags animations tag_lists markers spans metadata
                properties curves keys motions points triangles machines states marks transitions triggers entries_from whens
                behavior_whens listeners hears predicates externs damps emits emit_types codes ops probes components binds
            }
            Param { name ty initial min max step lifetime global }
            Enum { name variants }
            Layer { name order base_weight lerp_rate additive mask weight speed }
            Mask { name include exclude }
            Animation {
                name asset duration layer group loop_mode priority fade_in fade_out speed weight can_interrupt
                min_duration additive tags markers spans metadata curves
            }
            Marker { name at }
            Span { name animation from to }
            Metadata { key value }
            Property { target name ty rest }
            Curve { property seconds keys }
            Key { at value easing }
            Machine { layer motion_layer states start enter any }
            State {
                name machine parent start history terminal entry entry_from exit update motion finish repeat whens marks
                tags transitions any done
            }
            EntryFrom { from actions }
            Mark { layer target }
            Transition {
                target condition priority instant restart on_request random_weight triggers actions fade gate early_exit
                pause_on_exit sync start_at
            }
            Fade { duration easing }
            Gate { after exit lead_out marker }
            Motion { kind speed }
            Point { motion x y weight }
            Triangle { a b c }
            When { condition triggers actions }
            Listener { target pass_through hears }
            Hear { input name actions }
            Predicate { name condition }
            Damp { input time }
            Emit { name types }
            Code { ops result }
            Probe { code machine ty }
            Component { name behavior target binds }
            Bind { param inner direction }
            Debug { files behaviors }
            BehaviorDebug { at params animations states transitions properties }
            Spot { file line column }
        }
    };
}

/// Hands every enum of the tables to a macro: for each variant its byte, its name, and the value or the fields that it
/// has. A byte is never given to another variant.
#[doc(hidden)]
#[macro_export]
macro_rules! each_choice {
    ($each:ident) => {
        $each! {
            Type { 0 Bool, 1 Number, 2 Trigger, 3 Text, 4 Enum(id), 5 Color }
            Lifetime { 0 Consumed, 1 Tick, 2 Seconds(seconds) }
            LoopMode { 0 None, 1 Loop, 2 PingPong }
            Place { 0 Ratio(ratio), 1 Seconds(seconds) }
            MetadataValue { 0 Number(number), 1 Text(text), 2 Bool(value), 3 Color(color) }
            Length { 0 Seconds(seconds), 1 Cycles(cycles) }
            MotionKind {
                0 Clip { animation start_at phase mirror }, 1 Blend1D { input points sync },
                2 Blend2D { x y points triangles sync }, 3 BlendDirect { points sync normalize }, 4 Empty
            }
            Direction { 0 Down, 1 Up, 2 Both }
            Start { 0 State(state), 1 Entry(transitions) }
            History { 0 None, 1 Shallow, 2 Deep }
            Target { 0 State(state), 1 Exit }
            MarkTarget { 0 Base, 1 Weight(weight), 2 Zero }
            Word { 0 Number, 1 Bool, 2 Variant, 3 Color, 4 Text }
        }
    };
}
