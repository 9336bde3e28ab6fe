//! A behavior as data: what the generator invents, the printer writes as `.motix`, and the model runs.
//!
//! It says nothing that the language cannot say, and knows neither the compiler nor the runtime. Ids are positions.

/// A parameter.
#[derive(Clone, Debug)]
pub enum Param {
    Flag(bool),
    Number(f64),
    Trigger(Lifetime),
}

/// How long a trigger waits.
#[derive(Clone, Copy, Debug)]
pub enum Lifetime {
    Kept,
    Tick,
    Seconds(f64),
}

/// A layer; its order is its position.
#[derive(Clone, Debug)]
pub struct Layer {
    pub base_weight: f64,
    pub lerp_rate: f64,
    /// A number parameter that is its speed.
    pub speed: Option<usize>,
    pub additive: bool,
    /// Whether its mask, where it has one, lets it touch what tracks animate.
    pub mask: Option<bool>,
}

/// Keyframes of a property.
#[derive(Clone, Debug)]
pub struct Track {
    pub property: usize,
    /// Where in the clip, as a share of it, the value, and how it goes on to the next.
    pub keys: Vec<(f64, f64, Easing)>,
}

/// What happens at a clip's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    Once,
    Loop,
    PingPong,
}

/// A place in a clip, as a share of it or in seconds.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    Share(f64),
    Seconds(f64),
}

impl Place {
    /// Seconds in a clip of that length.
    #[must_use]
    pub fn seconds(self, duration: f64) -> f64 {
        match self {
            Place::Share(share) => share * duration,
            Place::Seconds(seconds) => seconds,
        }
    }
}

/// An animation. Markers are called `m0`, `m1`, …, spans `s0`, ….
#[derive(Clone, Debug)]
pub struct Animation {
    pub layer: usize,
    pub duration: f64,
    pub mode: Loop,
    pub speed: f64,
    pub group: Option<usize>,
    pub priority: i32,
    pub fade_in: f64,
    pub fade_out: f64,
    pub weight: f64,
    pub can_interrupt: bool,
    pub min_duration: f64,
    pub additive: bool,
    pub tags: Vec<usize>,
    pub markers: Vec<Place>,
    pub spans: Vec<(Place, Place)>,
    pub tracks: Vec<Track>,
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Test {
    Always,
    Flag(usize),
    Fired(usize),
    Above(usize, f64),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
    In(usize, usize),
    CameFrom(usize),
    Playing(usize),
    Finished(usize),
    /// `finished`, of the machine's motion.
    Ended,
    /// `loops >= n`.
    Loops(f64),
    /// `elapsed >= t`.
    Elapsed(f64),
    /// A smoothed value is above a number.
    Soft(usize, f64),
}

/// An action.
#[derive(Clone, Debug)]
pub enum Action {
    Play(usize),
    Stop(usize, bool),
    StopGroup(usize, bool),
    PlayTag(usize),
    StopTag(usize),
    SetFlag(usize, bool),
    Toggle(usize),
    SetNumber(usize, f64),
    /// Where the pointer is: its `x`, or its `y`.
    SetPointer(usize, bool),
    Fire(usize),
    Emit(usize),
    Request(usize, usize, i32),
    If(Test, Vec<Action>, Vec<Action>),
}

/// A reaction.
#[derive(Clone, Debug)]
pub struct When {
    pub test: Test,
    pub actions: Vec<Action>,
}

/// What a state shows.
#[derive(Clone, Debug)]
pub enum Motion {
    None,
    Empty,
    Clip(Clip),
    Blend(Blend),
}

/// One animation.
#[derive(Clone, Copy, Debug)]
pub struct Clip {
    pub animation: usize,
    pub speed: Option<usize>,
    pub start: Option<Place>,
    /// Where it stands, in every tick.
    pub phase: Option<usize>,
}

/// Motions mixed.
#[derive(Clone, Debug)]
pub struct Blend {
    pub mix: Mix,
    pub children: Vec<Motion>,
    pub sync: bool,
    pub speed: Option<usize>,
}

/// How much of each child there is.
#[derive(Clone, Debug)]
pub enum Mix {
    Line { input: usize, places: Vec<f64> },
    Plane { inputs: (usize, usize), places: Vec<[f64; 2]> },
    Direct { weights: Vec<Weight>, normalize: bool },
}

/// A weight of a child.
#[derive(Clone, Copy, Debug)]
pub enum Weight {
    Always(f64),
    /// A parameter, times a factor.
    Level(usize, f64),
}

impl Motion {
    /// Its clips, from first to last.
    #[must_use]
    pub fn clips(&self) -> Vec<Clip> {
        match self {
            Self::None | Self::Empty => Vec::new(),
            Self::Clip(clip) => vec![*clip],
            Self::Blend(blend) => blend.children.iter().flat_map(Self::clips).collect(),
        }
    }

    /// Whether an animation is part of it.
    #[must_use]
    pub fn shows(&self, animation: usize) -> bool {
        self.clips().iter().any(|clip| clip.animation == animation)
    }
}

/// When a transition may be taken.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gate {
    pub after: Option<f64>,
    pub motion: Option<MotionGate>,
}

/// A gate that the motion opens.
#[derive(Clone, Copy, Debug)]
pub enum MotionGate {
    /// Shares may be above 1.
    Exit(Place),
    AtEnd,
    /// `AtEnd LeadOut`.
    LeadOut,
    Marker(usize),
}

impl Gate {
    /// Whether there is one.
    #[must_use]
    pub fn any(self) -> bool {
        self.after.is_some() || self.motion.is_some()
    }
}

/// The length of a crossfade.
#[derive(Clone, Copy, Debug)]
pub enum Length {
    Seconds(f64),
    Cycles(f64),
}

/// The easings that are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Easing {
    Linear,
    In,
    Out,
    InOut,
    OutBack,
    InOutSine,
    Steps4,
}

/// Where a transition leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    State(usize),
    Exit,
}

/// A transition, also one of an `AnyState`, and an `OnDone`.
#[derive(Clone, Debug)]
pub struct Transition {
    pub target: Target,
    pub test: Test,
    pub gate: Gate,
    pub on_request: bool,
    pub priority: i32,
    pub duration: Length,
    pub easing: Easing,
    pub early_exit: bool,
    pub pause: bool,
    pub sync: bool,
    pub start: Option<Place>,
    pub random_weight: Option<f64>,
    pub instant: bool,
    pub restart: bool,
    pub actions: Vec<Action>,
}

/// What a state does to a layer on entry.
#[derive(Clone, Copy, Debug)]
pub enum Mark {
    Active(usize),
    ActiveAt(usize, f64),
    Suppress(usize),
}

/// Where a composite or a machine begins.
#[derive(Clone, Debug)]
pub enum Start {
    State(usize),
    /// `Entry`: the first whose condition holds; the last always does.
    Entry(Vec<(Test, usize)>),
}

/// Where re-entry resumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    None,
    Shallow,
    Deep,
}

/// What makes a state a composite.
#[derive(Clone, Debug)]
pub struct Inside {
    pub start: Start,
    pub history: History,
    pub any: Vec<Transition>,
    pub done: Vec<Transition>,
}

/// A state.
#[derive(Clone, Debug)]
pub struct State {
    /// The composite around it, which stands before it.
    pub parent: Option<usize>,
    pub inside: Option<Inside>,
    pub terminal: bool,
    pub marks: Vec<Mark>,
    pub motion: Motion,
    pub entry: Vec<Action>,
    pub entry_from: Option<(usize, Vec<Action>)>,
    pub exit: Vec<Action>,
    pub update: Vec<Action>,
    pub finish: Vec<Action>,
    pub repeat: Vec<Action>,
    pub whens: Vec<When>,
    pub transitions: Vec<Transition>,
}

/// A machine; the first is the main one and plays in layer 0, the others are those of their layers.
#[derive(Clone, Debug)]
pub struct Machine {
    pub layer: usize,
    pub start: Start,
    /// `InitialState S { Enter }`.
    pub enter: bool,
    pub states: Vec<State>,
    pub any: Vec<Transition>,
}

impl Machine {
    /// A state and those around it, innermost first.
    pub fn outward(&self, state: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(state), |state| self.states[*state].parent)
    }

    /// Whether a state is another or inside it.
    #[must_use]
    pub fn within(&self, inner: usize, outer: usize) -> bool {
        self.outward(inner).any(|state| state == outer)
    }

    /// The innermost state around a leaf that has a motion.
    #[must_use]
    pub fn owner(&self, leaf: usize) -> Option<usize> {
        self.outward(leaf).find(|state| !matches!(self.states[*state].motion, Motion::None))
    }
}

/// A behavior.
#[derive(Clone, Debug)]
pub struct Behavior {
    pub params: Vec<Param>,
    /// Smoothed values: a number parameter and the time.
    pub damps: Vec<(usize, f64)>,
    pub layers: Vec<Layer>,
    pub animations: Vec<Animation>,
    pub groups: usize,
    pub tags: usize,
    pub emits: usize,
    pub machines: Vec<Machine>,
    pub whens: Vec<When>,
    pub components: Vec<Component>,
    pub listeners: Vec<Listener>,
    /// Of each property.
    pub rests: Vec<Option<f64>>,
}

/// What reacts to inputs at a target, or in the whole scene.
#[derive(Clone, Debug)]
pub struct Listener {
    pub target: Option<usize>,
    pub pass_through: bool,
    pub hears: Vec<(Signal, Vec<Action>)>,
}

/// A kind of input, with the key's or the event's name; a listener that names no key hears all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    Enter,
    Leave,
    Down,
    Up,
    Move,
    Click,
    Focus,
    Blur,
    KeyDown(Option<usize>),
    KeyUp(Option<usize>),
    Custom(usize),
}

impl Signal {
    /// Whether a pointer is somewhere with it.
    #[must_use]
    pub fn is_of_pointer(self) -> bool {
        matches!(self, Self::Enter | Self::Leave | Self::Down | Self::Up | Self::Move | Self::Click)
    }
}

/// A target in the scene: the components that lead to it, and its number among theirs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub path: Vec<usize>,
    pub name: usize,
}

/// What a host tells of a pointer, the focus, a key or the game.
#[derive(Clone, Debug)]
pub struct Input {
    pub signal: Signal,
    pub pointer: u8,
    /// From the topmost down, with the pointer's place in each.
    pub targets: Vec<(Spot, [f64; 2])>,
    /// The pointer's place in the scene.
    pub scene: [f64; 2],
}

/// A behavior inside another.
#[derive(Clone, Debug)]
pub struct Component {
    pub behavior: Behavior,
    pub binds: Vec<Bind>,
}

/// Two parameters that are tied.
#[derive(Clone, Copy, Debug)]
pub struct Bind {
    pub outer: usize,
    pub inner: usize,
    pub way: Way,
}

/// Which side gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Down,
    Up,
    Both,
}

impl Behavior {
    /// Whether an animation stands at an expression somewhere.
    #[must_use]
    pub fn scrubs(&self, animation: usize) -> bool {
        let states = self.machines.iter().flat_map(|machine| &machine.states);
        let mut clips = states.flat_map(|state| state.motion.clips());
        clips.any(|clip| clip.animation == animation && clip.phase.is_some())
    }
}

/// What a host does.
#[derive(Clone, Debug)]
pub enum Step {
    SetFlag(usize, bool),
    SetNumber(usize, f64),
    Fire(usize),
    Request(usize, usize, i32),
    Play(usize),
    Stop(usize, bool),
    StopGroup(usize, bool),
    PlayTag(usize),
    StopTag(usize),
    Send(Input),
    /// The system took a pointer away.
    Cancel(u8),
    /// Of a component; nothing where there are not so many.
    Inner(usize, Box<Step>),
    Tick(f32),
}
