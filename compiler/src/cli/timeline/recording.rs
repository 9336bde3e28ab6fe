//! What a played behavior did, tick by tick, as plain data: what the timeline, the JSON lines and the CSV rows show.
//!
//! It knows names, not programs. Only what is there is kept: animations with weight, parameters that changed.

/// A played stretch of a behavior.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The behavior's name.
    pub behavior: String,
    /// The name of the test that was played, if one was.
    pub test: Option<String>,
    /// Ticks a second.
    pub fps: f32,
    /// The machines, the main one first.
    pub machines: Vec<Machine>,
    /// The names of the layers, ascending.
    pub layers: Vec<String>,
    /// The animations, in order of declaration.
    pub animations: Vec<Animation>,
    /// The parameters, in order of declaration.
    pub params: Vec<Param>,
    /// The properties that tracks animate: target and name.
    pub properties: Vec<Param>,
    /// Before the first tick.
    pub start: Tick,
    /// The ticks.
    pub ticks: Vec<Tick>,
    /// What was done from outside, by time.
    pub marks: Vec<Mark>,
}

/// A machine.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// The name of its layer; `None` for the main machine.
    pub layer: Option<String>,
    /// The paths of all its states.
    pub states: Vec<String>,
}

/// An animation.
#[derive(Clone, Debug, Default)]
pub struct Animation {
    /// Its name.
    pub name: String,
    /// The index of its layer.
    pub layer: usize,
}

/// A parameter, or a property that tracks animate.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its value before the first tick.
    pub initial: ParamValue,
}

/// A value of a parameter or property.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamValue {
    /// True or false.
    Bool(bool),
    /// A number.
    Number(f32),
    /// Whether a trigger is armed.
    Trigger(bool),
    /// A color, red in the highest byte, opacity in the lowest.
    Color(u32),
    /// A text, a variant: as it is written.
    Word(String),
}

/// One tick and the state at its end.
#[derive(Clone, Debug, Default)]
pub struct Tick {
    /// When it ended, in seconds.
    pub time: f64,
    /// How long it was, in seconds.
    pub dt: f32,
    /// The leaf of each machine: an index into its states.
    pub states: Vec<usize>,
    /// The weight of each layer.
    pub layers: Vec<f32>,
    /// The animations with weight: index, then what they do.
    pub playing: Vec<(usize, Playing)>,
    /// The parameters that changed since the tick before.
    pub changed: Vec<(usize, ParamValue)>,
    /// The properties whose values did.
    pub values: Vec<(usize, ParamValue)>,
    /// What happened in it.
    pub events: Vec<Happening>,
}

/// An animation with weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Playing {
    /// Its weight in its layer.
    pub weight: f32,
    /// Seconds from the start of the clip.
    pub time: f32,
    /// The place in the clip, 0 to 1.
    pub phase: f32,
}

/// An event.
#[derive(Clone, Debug, Default)]
pub struct Happening {
    /// When, in seconds from the start.
    pub time: f64,
    /// What kind: `Enter`.
    pub kind: &'static str,
    /// All of it, as tests write it: `Enter(Walk)`.
    pub text: String,
    /// How many times.
    pub count: u32,
    /// Whether something did not go as asked: a rejection, something dropped, a limit.
    pub trouble: bool,
}

/// Something from outside.
#[derive(Clone, Debug)]
pub struct Mark {
    /// When, in seconds from the start.
    pub time: f64,
    /// What it is.
    pub kind: MarkKind,
    /// What to show.
    pub text: String,
}

/// What a mark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// The host wrote or asked something.
    Input,
    /// An expectation that does not hold, or why a test stopped.
    Failed,
}

impl Recording {
    /// How many seconds it is long.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.ticks.last().map_or(0.0, |tick| tick.time)
    }

    /// The weight of an animation at the end of a tick; `None` is before the first.
    #[must_use]
    pub fn weight(&self, tick: Option<usize>, animation: usize) -> f32 {
        let tick = tick.map_or(Some(&self.start), |index| self.ticks.get(index));
        let found = tick.and_then(|tick| tick.playing.iter().find(|(index, _)| *index == animation));
        found.map_or(0.0, |(_, playing)| playing.weight)
    }

    /// The values of a row, such as a parameter, at the end of each tick; `changed` are the changes of its table.
    #[must_use]
    pub fn history<'r>(
        &'r self,
        initial: &'r ParamValue,
        index: usize,
        changed: fn(&Tick) -> &[(usize, ParamValue)],
    ) -> Vec<&'r ParamValue> {
        let mut value = initial;
        self.ticks
            .iter()
            .map(|tick| {
                if let Some((_, new)) = changed(tick).iter().rfind(|(known, _)| *known == index) {
                    value = new;
                }
                value
            })
            .collect()
    }
}
