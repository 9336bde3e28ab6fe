//! Typed ids of everything a program holds.
//!
//! An id is an index into one table of one behavior (`TextId`: of the program). A verified program holds only
//! ids that are in range; the host gets its ids by name, once, from [`Program`](crate::program::Program).

macro_rules! ids {
    ($( $(#[$doc:meta])* $name:ident($int:ty); )+) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub $int);

        impl $name {
            /// The position in its table.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the table's row `index`, if the table can hold so many.
            #[must_use]
            pub fn from_index(index: usize) -> Option<Self> {
                <$int>::try_from(index).ok().map(Self)
            }
        }
    )+ };
}

ids! {
    /// A behavior of a program.
    BehaviorId(u16);
    /// A parameter of a behavior.
    ParamId(u16);
    /// An enum type of a behavior.
    EnumId(u16);
    /// A layer of a behavior.
    LayerId(u16);
    /// A mask of a behavior.
    MaskId(u16);
    /// A group of animations of which at most one plays.
    GroupId(u16);
    /// An animation of a behavior.
    AnimationId(u16);
    /// A tag, of states or animations.
    TagId(u16);
    /// A state machine: the main machine, or that of a layer.
    MachineId(u16);
    /// A state of a behavior; states of one machine stand together.
    StateId(u16);
    /// A transition of a behavior; those of one source state stand together, in the order in which they are decided.
    TransitionId(u32);
    /// A motion: a clip, a blend of others, or nothing.
    MotionId(u16);
    /// A predicate with a name.
    PredicateId(u16);
    /// A predicate that the host answers.
    ExternId(u16);
    /// A value smoothed over time by `damp`.
    DampId(u16);
    /// A shape of custom event: its name and the types of its values.
    EmitId(u16);
    /// A marker of an animation.
    MarkerId(u16);
    /// A span of an animation.
    SpanId(u16);
    /// A reaction (`When`).
    WhenId(u16);
    /// A property of a target: what tracks are of.
    PropertyId(u16);
    /// A block of operations: an expression or a list of actions.
    CodeId(u32);
    /// A component of an instance: those inside it count from 1, each before what is inside of it.
    ComponentId(u32);
    /// A text of the program's text table.
    TextId(u32);
}

impl ComponentId {
    /// The instance itself.
    pub const ROOT: Self = Self(0);
}
