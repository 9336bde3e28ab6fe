//! What a file describes, with names of the language: what is written is laid out from this alone.

/// Everything of a file.
#[derive(Debug, Default)]
pub(super) struct Machine {
    pub(super) name: String,
    pub(super) doc: Vec<String>,
    pub(super) uses: Vec<Use>,
    pub(super) params: Vec<Param>,
    pub(super) clips: Vec<Clip>,
    pub(super) layers: Vec<Layer>,
    pub(super) listeners: Vec<Listener>,
    pub(super) components: Vec<Component>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub(super) struct Param {
    /// What the file calls it.
    pub(super) source: String,
    pub(super) name: String,
    pub(super) ty: Ty,
    /// The initial value as it is written, where the file gives one.
    pub(super) default: Option<String>,
    pub(super) min: Option<f64>,
    pub(super) max: Option<f64>,
    pub(super) step: Option<f64>,
    pub(super) doc: Vec<String>,
}

/// The type of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ty {
    Bool,
    Number,
    Text,
    Color,
    Trigger,
    Enum(Vec<Variant>),
}

impl Ty {
    /// What messages call a value of it.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Ty::Bool => "true or false",
            Ty::Number => "a number",
            Ty::Text => "a string",
            Ty::Color => "a color",
            Ty::Trigger => "a trigger",
            Ty::Enum(_) => "an enum",
        }
    }
}

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Variant {
    pub(super) source: String,
    pub(super) name: String,
}

/// How a clip repeats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LoopMode {
    #[default]
    None,
    Loop,
    PingPong,
}

/// An animation.
#[derive(Debug)]
pub(super) struct Clip {
    pub(super) name: String,
    /// What the host knows it by, where that is not its name.
    pub(super) asset: Option<String>,
    pub(super) milliseconds: Option<f64>,
    pub(super) mode: LoopMode,
    pub(super) speed: Option<f64>,
    pub(super) doc: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Layer {
    pub(super) name: String,
    pub(super) doc: Vec<String>,
    pub(super) order: i64,
    pub(super) weight: Option<f64>,
    pub(super) additive: bool,
    pub(super) include: Vec<String>,
    pub(super) exclude: Vec<String>,
    pub(super) start: Start,
    pub(super) any: Vec<Transition>,
    pub(super) states: Vec<State>,
}

/// Where a machine starts.
#[derive(Debug)]
pub(super) enum Start {
    /// There are no states.
    Nowhere,
    State(usize),
    /// By conditions; the last has none.
    Entry(Vec<Transition>),
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) name: String,
    pub(super) doc: Vec<String>,
    /// Not written: what it says is said in another way.
    pub(super) hidden: bool,
    pub(super) motion: Option<Motion>,
    pub(super) terminal: bool,
    pub(super) transitions: Vec<Transition>,
}

/// What a state plays.
#[derive(Debug)]
pub(super) enum Motion {
    Clip {
        clip: usize,
        speed: Option<f64>,
    },
    Blend {
        /// `Blend1D speed`
        head: String,
        /// Positions or weights as they are written, and clips.
        entries: Vec<(String, usize)>,
        speed: Option<f64>,
    },
    Empty,
}

#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub(super) doc: Vec<String>,
    /// A state of the layer.
    pub(super) target: usize,
    /// As it is written.
    pub(super) condition: Option<String>,
    pub(super) gate: Option<String>,
    /// Properties of the crossfade as they are written.
    pub(super) fade: Vec<String>,
    pub(super) random_weight: Option<f64>,
}

#[derive(Debug)]
pub(super) struct Listener {
    pub(super) doc: Vec<String>,
    /// `None` for the whole scene.
    pub(super) target: Option<String>,
    pub(super) events: Vec<On>,
}

/// What an event does.
#[derive(Debug)]
pub(super) struct On {
    /// The event and its key as they are written.
    pub(super) head: String,
    pub(super) actions: Vec<String>,
}

/// A file that is used.
#[derive(Debug)]
pub(super) struct Use {
    pub(super) path: String,
    pub(super) alias: Option<String>,
}

#[derive(Debug)]
pub(super) struct Component {
    pub(super) doc: Vec<String>,
    pub(super) name: String,
    /// The behavior as it is written, with the alias of its file.
    pub(super) behavior: String,
    pub(super) target: Option<String>,
    /// As they are written.
    pub(super) binds: Vec<String>,
}
