//! Prints a behavior as `.motix` source. The order of declaration is a choice of the caller.

use std::fmt::{self, Display, Formatter, Write as _};

use super::behavior::*;

/// The target whose properties tracks animate.
pub const THING: &str = "thing";
/// The behavior's name in the source.
pub const NAME: &str = "Generated";

/// How things are called: by kind and position.
macro_rules! names {
    ($( $function:ident $format:literal; )+) => {
        $( #[doc = concat!("`", $format, "`.")] #[must_use] pub fn $function(index: usize) -> String { format!($format, index) } )+
    };
}

names! {
    param "p{}";
    damp "d{}";
    layer "L{}";
    animation "A{}";
    group "G{}";
    tag "t{}";
    emit "e{}";
    marker "m{}";
    span "s{}";
    component "c{}";
    property "v{}";
    target "b{}";
    key "k{}";
    custom "x{}";
}

/// A state's name; unique in the behavior.
#[must_use]
pub fn state(machine: usize, index: usize) -> String {
    format!("S{machine}_{index}")
}

/// The order in which things that have no order of their own are declared.
#[derive(Clone, Debug)]
pub struct Order {
    /// Layers and, inside them, their machines.
    pub layers: Vec<usize>,
    /// Animations; where tags compete, their order has a meaning.
    pub animations: Vec<usize>,
    /// Parameters.
    pub params: Vec<usize>,
    /// States, and points of blends, stand from last to first.
    pub backward: bool,
}

impl Order {
    /// As in the description.
    #[must_use]
    pub fn plain(behavior: &Behavior) -> Self {
        Self {
            layers: (0..behavior.layers.len()).collect(),
            animations: (0..behavior.animations.len()).collect(),
            params: (0..behavior.params.len()).collect(),
            backward: false,
        }
    }
}

/// The source.
#[must_use]
pub fn source(behavior: &Behavior, order: &Order) -> String {
    let mut out = String::new();
    write_behavior(&mut out, NAME, behavior, order);
    out
}

/// A behavior, and after it those of its components.
fn write_behavior(out: &mut String, name: &str, behavior: &Behavior, order: &Order) {
    let _ = writeln!(out, "Behavior {name} {{");
    for &index in &order.params {
        let name = param(index);
        let _ = match &behavior.params[index] {
            Param::Flag(initial) => writeln!(out, "Param {name}: bool = {initial}"),
            Param::Number(initial) => writeln!(out, "Param {name}: number = {initial}"),
            Param::Trigger(Lifetime::Kept) => writeln!(out, "Param {name}: trigger"),
            Param::Trigger(Lifetime::Tick) => writeln!(out, "Param {name}: trigger {{ Lifetime tick }}"),
            Param::Trigger(Lifetime::Seconds(time)) => {
                writeln!(out, "Param {name}: trigger {{ Lifetime {time}s }}")
            }
        };
    }
    for (index, (input, time)) in behavior.damps.iter().enumerate() {
        let _ = writeln!(out, "Let {} = damp({}, {time}s)", damp(index), param(*input));
    }
    for &index in &order.animations {
        write_animation(out, index, &behavior.animations[index]);
    }
    for &index in &order.layers {
        let row = &behavior.layers[index];
        let _ = write!(
            out,
            "Layer {} {{ Order {index} BaseWeight {} LerpRate {}",
            layer(index),
            row.base_weight,
            row.lerp_rate
        );
        if let Some(speed) = row.speed {
            let _ = write!(out, " Speed {}", param(speed));
        }
        if row.additive {
            let _ = write!(out, " Blend additive");
        }
        if let Some(touches) = row.mask {
            let _ = write!(out, " Mask {}", if touches { "Touching" } else { "Elsewhere" });
        }
        let _ = writeln!(out);
        for (number, machine) in behavior.machines.iter().enumerate().skip(1) {
            if machine.layer == index {
                write_machine(out, number, machine, order.backward);
            }
        }
        let _ = writeln!(out, "}}");
    }
    for when in &behavior.whens {
        write_when(out, 0, when);
    }
    if let Some(main) = behavior.machines.first() {
        write_machine(out, 0, main, order.backward);
    }
    for listener in &behavior.listeners {
        write_listener(out, listener);
    }
    let _ = writeln!(out, "Mask Touching {{ Include \"{THING}\" }} Mask Elsewhere {{ Include \"other\" }}");
    for (index, rest) in behavior.rests.iter().enumerate() {
        if let Some(value) = rest {
            let _ = writeln!(out, "Rest \"{THING}\" {} = {value}", property(index));
        }
    }
    for (index, row) in behavior.components.iter().enumerate() {
        let _ = writeln!(out, "Component {}: {name}{index} {{", component(index));
        for bind in &row.binds {
            let way = match bind.way {
                Way::Down => "->",
                Way::Up => "<-",
                Way::Both => "<->",
            };
            let _ = writeln!(out, "Bind {} {way} {}", param(bind.outer), param(bind.inner));
        }
        let _ = writeln!(out, "}}");
    }
    let _ = writeln!(out, "}}");
    for (index, row) in behavior.components.iter().enumerate() {
        write_behavior(out, &format!("{name}{index}"), &row.behavior, &Order::plain(&row.behavior));
    }
}

fn write_animation(out: &mut String, index: usize, row: &Animation) {
    let mode = match row.mode {
        Loop::Once => "none",
        Loop::Loop => "loop",
        Loop::PingPong => "pingPong",
    };
    let _ = write!(
        out,
        "Animation {} {{ Layer {} Duration {}s Loop {mode} Speed {} Priority {} FadeIn {}s FadeOut {}s Weight {} \
         CanInterrupt {} MinDuration {}s Additive {}",
        animation(index),
        layer(row.layer),
        row.duration,
        row.speed,
        row.priority,
        row.fade_in,
        row.fade_out,
        row.weight,
        row.can_interrupt,
        row.min_duration,
        row.additive
    );
    if let Some(index) = row.group {
        let _ = write!(out, " Group {}", group(index));
    }
    if !row.tags.is_empty() {
        let tags: Vec<_> = row.tags.iter().map(|index| tag(*index)).collect();
        let _ = write!(out, " Tags {}", tags.join(", "));
    }
    for (index, place) in row.markers.iter().enumerate() {
        let _ = write!(out, " Marker {} at {place}", marker(index));
    }
    for (index, (from, to)) in row.spans.iter().enumerate() {
        let _ = write!(out, " Span {} from {from} to {to}", span(index));
    }
    for track in &row.tracks {
        let _ = write!(out, " Track \"{THING}\" {} {{", property(track.property));
        for (share, value, easing) in &track.keys {
            let _ = write!(out, " {}: {value} {{ Easing {} }}", Place::Share(*share), easing_word(*easing));
        }
        let _ = write!(out, " }}");
    }
    let _ = writeln!(out, " }}");
}

fn write_machine(out: &mut String, number: usize, machine: &Machine, backward: bool) {
    write_start(out, number, &machine.start, machine.enter);
    write_states(out, number, machine, None, backward);
    write_any(out, number, &machine.any);
}

fn write_start(out: &mut String, machine: usize, start: &Start, enter: bool) {
    let enter = if enter { " { Enter }" } else { "" };
    let _ = match start {
        Start::State(index) => writeln!(out, "InitialState {}{enter}", state(machine, *index)),
        Start::Entry(rows) => {
            let rows = rows.iter().map(|(test, index)| match test {
                Test::Always => format!("Transition {}\n", state(machine, *index)),
                test => format!("Transition {} when {}\n", state(machine, *index), Shown(machine, test)),
            });
            writeln!(out, "Entry {{\n{}}}", rows.collect::<String>())
        }
    };
}

fn write_states(out: &mut String, number: usize, machine: &Machine, around: Option<usize>, backward: bool) {
    let mut order: Vec<usize> =
        (0..machine.states.len()).filter(|index| machine.states[*index].parent == around).collect();
    if backward {
        order.reverse();
    }
    for index in order {
        write_state(out, number, index, machine, backward);
    }
}

fn write_any(out: &mut String, machine: usize, any: &[Transition]) {
    if !any.is_empty() {
        let _ = writeln!(out, "AnyState {{");
        any.iter().for_each(|row| write_transition(out, machine, "Transition", row));
        let _ = writeln!(out, "}}");
    }
}

fn write_state(out: &mut String, machine: usize, index: usize, all: &Machine, backward: bool) {
    let row = &all.states[index];
    let _ = writeln!(out, "State {} {{", state(machine, index));
    if row.terminal {
        let _ = writeln!(out, "Terminal");
    }
    if let Some(inside) = &row.inside {
        write_start(out, machine, &inside.start, false);
        let _ = match inside.history {
            History::None => Ok(()),
            History::Shallow => writeln!(out, "History shallow"),
            History::Deep => writeln!(out, "History deep"),
        };
        write_any(out, machine, &inside.any);
        inside.done.iter().for_each(|row| write_transition(out, machine, "OnDone", row));
        write_states(out, machine, all, Some(index), backward);
    }
    for mark in &row.marks {
        let _ = match mark {
            Mark::Active(index) => writeln!(out, "ActiveLayer {}", layer(*index)),
            Mark::ActiveAt(index, weight) => writeln!(out, "ActiveLayer {} {weight}", layer(*index)),
            Mark::Suppress(index) => writeln!(out, "SuppressLayer {}", layer(*index)),
        };
    }
    write_motion(out, &row.motion, backward);
    for (keyword, actions) in [
        ("OnEntry", &row.entry),
        ("OnExit", &row.exit),
        ("OnUpdate", &row.update),
        ("OnFinish", &row.finish),
        ("OnLoop", &row.repeat),
    ] {
        if !actions.is_empty() {
            write_list(out, machine, keyword, actions);
        }
    }
    if let Some((from, actions)) = &row.entry_from {
        write_list(out, machine, &format!("OnEntry from {}", state(machine, *from)), actions);
    }
    for when in &row.whens {
        write_when(out, machine, when);
    }
    for transition in &row.transitions {
        write_transition(out, machine, "Transition", transition);
    }
    let _ = writeln!(out, "}}");
}

fn write_motion(out: &mut String, motion: &Motion, backward: bool) {
    if !matches!(motion, Motion::None) {
        let _ = writeln!(out, "{}", motion_text(motion, backward));
    }
}

fn motion_text(motion: &Motion, backward: bool) -> String {
    let blend = match motion {
        Motion::None => return String::new(),
        Motion::Empty => return "Empty".to_owned(),
        Motion::Clip(clip) => {
            let mut text = format!("Clip {} {{", animation(clip.animation));
            let _ = clip.speed.map_or(Ok(()), |speed| write!(text, " Speed {}", param(speed)));
            let _ = clip.start.map_or(Ok(()), |place| write!(text, " StartAt {place}"));
            let _ = clip.phase.map_or(Ok(()), |phase| write!(text, " Phase {}", param(phase)));
            return text + " }";
        }
        Motion::Blend(blend) => blend,
    };
    let (head, places): (String, Vec<String>) = match &blend.mix {
        Mix::Line { input, places } => {
            (format!("Blend1D {}", param(*input)), places.iter().map(f64::to_string).collect())
        }
        Mix::Plane { inputs: (x, y), places } => (
            format!("Blend2D {}, {}", param(*x), param(*y)),
            places.iter().map(|[x, y]| format!("({x}, {y})")).collect(),
        ),
        Mix::Direct { weights, .. } => {
            let weight = |weight: &Weight| match weight {
                Weight::Always(weight) => weight.to_string(),
                Weight::Level(index, factor) => format!("{} * {factor}", param(*index)),
            };
            ("BlendDirect".to_owned(), weights.iter().map(weight).collect())
        }
    };
    let mut entries: Vec<String> = places
        .into_iter()
        .zip(&blend.children)
        .map(|(place, child)| match child {
            Motion::Clip(Clip { animation: index, speed: None, start: None, phase: None }) => {
                format!("{place}: {}", animation(*index))
            }
            child => format!("{place}: {{ {} }}", motion_text(child, backward)),
        })
        .collect();
    if backward {
        entries.reverse();
    }
    let mut options = String::new();
    if !blend.sync {
        options += " Sync false";
    }
    if matches!(blend.mix, Mix::Direct { normalize: true, .. }) {
        options += " Normalize";
    }
    let _ = blend.speed.map_or(Ok(()), |speed| write!(options, " Speed {}", param(speed)));
    format!("{head} {{ {}{options} }}", entries.join(" "))
}

fn write_listener(out: &mut String, row: &Listener) {
    let name = row.target.map_or(String::new(), |index| format!("\"{}\" ", target(index)));
    let _ = writeln!(out, "Listener {name}{{");
    if row.pass_through {
        let _ = writeln!(out, "PassThrough");
    }
    for (signal, actions) in &row.hears {
        let key = |word: &str, index: Option<usize>| match index {
            Some(index) => format!("{word} \"{}\"", key(index)),
            None => word.to_owned(),
        };
        let what = match *signal {
            Signal::Enter => "mouseenter".to_owned(),
            Signal::Leave => "mouseleave".to_owned(),
            Signal::Down => "mousedown".to_owned(),
            Signal::Up => "mouseup".to_owned(),
            Signal::Move => "mousemove".to_owned(),
            Signal::Click => "click".to_owned(),
            Signal::Focus => "focus".to_owned(),
            Signal::Blur => "blur".to_owned(),
            Signal::KeyDown(index) => key("keydown", index),
            Signal::KeyUp(index) => key("keyup", index),
            Signal::Custom(index) => format!("\"{}\"", custom(index)),
        };
        write_list(out, 0, &format!("On {what}"), actions);
    }
    let _ = writeln!(out, "}}");
}

fn write_when(out: &mut String, machine: usize, when: &When) {
    let head = format!("When {}", Shown(machine, &when.test));
    write_list(out, machine, &head, &when.actions);
}

fn write_transition(out: &mut String, machine: usize, keyword: &str, row: &Transition) {
    let target = match row.target {
        Target::State(target) => state(machine, target),
        Target::Exit => "Exit".to_owned(),
    };
    let _ = write!(out, "{keyword} {target}");
    if row.on_request {
        let _ = write!(out, " on request");
    } else if !matches!(row.test, Test::Always) {
        let _ = write!(out, " when {}", Shown(machine, &row.test));
    }
    let _ = write!(out, " {{ Priority {}", row.priority);
    match row.duration {
        Length::Seconds(0.0) => {}
        Length::Seconds(time) => {
            let _ = write!(out, " Duration {time}s");
        }
        Length::Cycles(share) => {
            let _ = write!(out, " Duration {}%", share * 100.0);
        }
    }
    if row.easing != Easing::Linear {
        let _ = write!(out, " Easing {}", easing_word(row.easing));
    }
    if let Some(time) = row.gate.after {
        let _ = write!(out, " After {time}s");
    }
    let _ = match row.gate.motion {
        None => Ok(()),
        Some(MotionGate::Exit(place)) => write!(out, " ExitTime {place}"),
        Some(MotionGate::AtEnd) => write!(out, " AtEnd"),
        Some(MotionGate::LeadOut) => write!(out, " AtEnd LeadOut"),
        Some(MotionGate::Marker(index)) => write!(out, " AtMarker {}", marker(index)),
    };
    for (set, word) in [
        (!row.early_exit, "EarlyExit false"),
        (row.pause, "PauseOnExit"),
        (row.sync, "Sync"),
        (row.instant, "Instant"),
        (row.restart, "Restart"),
    ] {
        if set {
            let _ = write!(out, " {word}");
        }
    }
    if let Some(place) = row.start {
        let _ = write!(out, " StartAt {place}");
    }
    if let Some(weight) = row.random_weight {
        let _ = write!(out, " RandomWeight {weight}");
    }
    if row.actions.is_empty() {
        let _ = writeln!(out, " }}");
    } else {
        let _ = writeln!(out);
        write_list(out, machine, "OnTransition", &row.actions);
        let _ = writeln!(out, "}}");
    }
}

fn easing_word(easing: Easing) -> &'static str {
    match easing {
        Easing::Linear => "linear",
        Easing::In => "easeIn",
        Easing::Out => "easeOut",
        Easing::InOut => "easeInOut",
        Easing::OutBack => "easeOutBack",
        Easing::InOutSine => "easeInOutSine",
        Easing::Steps4 => "steps(4)",
    }
}

fn write_list(out: &mut String, machine: usize, head: &str, actions: &[Action]) {
    let _ = writeln!(out, "{head} {{");
    for action in actions {
        let now = |set: bool| if set { " immediate" } else { "" };
        let _ = match action {
            Action::Play(index) => writeln!(out, "Play {}", animation(*index)),
            Action::Stop(index, cut) => writeln!(out, "Stop {}{}", animation(*index), now(*cut)),
            Action::StopGroup(index, cut) => writeln!(out, "StopGroup {}{}", group(*index), now(*cut)),
            Action::PlayTag(index) => writeln!(out, "PlayTag {}", tag(*index)),
            Action::StopTag(index) => writeln!(out, "StopTag {}", tag(*index)),
            Action::SetFlag(index, true) => writeln!(out, "SetTrue {}", param(*index)),
            Action::SetFlag(index, false) => writeln!(out, "SetFalse {}", param(*index)),
            Action::Toggle(index) => writeln!(out, "Toggle {}", param(*index)),
            Action::SetNumber(index, value) => writeln!(out, "Set {} = {value}", param(*index)),
            Action::SetPointer(index, down) => {
                writeln!(out, "Set {} = pointer_{}", param(*index), if *down { "y" } else { "x" })
            }
            Action::Fire(index) => writeln!(out, "Fire {}", param(*index)),
            Action::Emit(index) => writeln!(out, "Emit {}", emit(*index)),
            Action::Request(other, index, priority) => {
                writeln!(out, "Request {} {{ Priority {priority} }}", state(*other, *index))
            }
            Action::If(test, yes, no) => {
                write_list(out, machine, &format!("If {}", Shown(machine, test)), yes);
                if !no.is_empty() {
                    write_list(out, machine, "Else", no);
                }
                Ok(())
            }
        };
    }
    let _ = writeln!(out, "}}");
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            // Shares are whole thousandths, so that the text says exactly the number.
            Place::Share(share) => write!(f, "{}%", (share * 1e6).round() / 1e4),
            Place::Seconds(time) => write!(f, "{time}s"),
        }
    }
}

/// A condition as seen from a machine.
struct Shown<'t>(usize, &'t Test);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Shown(machine, test) = *self;
        match test {
            Test::Always => write!(f, "true"),
            Test::Flag(index) | Test::Fired(index) => f.write_str(&param(*index)),
            Test::Above(index, limit) => write!(f, "{} > {limit}", param(*index)),
            Test::Not(inner) => write!(f, "not ({})", Shown(machine, inner)),
            Test::And(a, b) => write!(f, "({}) and ({})", Shown(machine, a), Shown(machine, b)),
            Test::Or(a, b) => write!(f, "({}) or ({})", Shown(machine, a), Shown(machine, b)),
            Test::In(other, index) => write!(f, "in({})", state(*other, *index)),
            Test::CameFrom(index) => write!(f, "came_from({})", state(machine, *index)),
            Test::Playing(index) => write!(f, "playing({})", animation(*index)),
            Test::Finished(index) => write!(f, "finished({})", animation(*index)),
            Test::Ended => write!(f, "finished"),
            Test::Loops(count) => write!(f, "loops >= {count}"),
            Test::Elapsed(time) => write!(f, "elapsed >= {time}"),
            Test::Soft(index, limit) => write!(f, "{} > {limit}", damp(*index)),
        }
    }
}
