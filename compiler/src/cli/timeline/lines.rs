//! A recording for tools: JSON, one line a tick, and CSV, one row a tick.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::recording::{MarkKind, ParamValue, Recording, Tick};

/// An object whose keys stand in their order.
struct Ordered<'a, V>(Vec<(&'a str, V)>);

impl<V: Serialize> Serialize for Ordered<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl Serialize for ParamValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ParamValue::Bool(value) | ParamValue::Trigger(value) => serializer.serialize_bool(*value),
            ParamValue::Number(value) => serializer.serialize_f32(*value),
            ParamValue::Color(color) => serializer.serialize_str(&format!("#{color:08x}")),
            ParamValue::Word(word) => serializer.serialize_str(word),
        }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    tick: usize,
    time: f64,
    dt: f32,
    state: Option<&'a str>,
    layer_states: Ordered<'a, Option<&'a str>>,
    layers: Ordered<'a, f32>,
    animations: Vec<AnimationLine<'a>>,
    params: Ordered<'a, &'a ParamValue>,
    values: Ordered<'a, &'a ParamValue>,
    inputs: Vec<&'a str>,
    failures: Vec<&'a str>,
    events: Vec<EventLine<'a>>,
}

#[derive(Serialize)]
struct AnimationLine<'a> {
    name: &'a str,
    layer: Option<&'a str>,
    weight: f32,
    time: f32,
    phase: f32,
}

#[derive(Serialize)]
struct EventLine<'a> {
    time: f64,
    kind: &'a str,
    text: &'a str,
    count: u32,
}

/// The ticks as JSON, one object each: time and state at its end, and what happened in it.
pub fn json(recording: &Recording) -> impl Iterator<Item = String> + '_ {
    let mut params: Vec<&ParamValue> = recording.params.iter().map(|param| &param.initial).collect();
    let mut values: Vec<&ParamValue> = recording.properties.iter().map(|row| &row.initial).collect();
    let mut before = 0.0;
    recording.ticks.iter().enumerate().filter_map(move |(index, tick)| {
        for (table, changed) in [(&mut params, &tick.changed), (&mut values, &tick.values)] {
            for (index, value) in changed {
                if let Some(slot) = table.get_mut(*index) {
                    *slot = value;
                }
            }
        }
        let last = index + 1 == recording.ticks.len();
        let line = line(recording, index, tick, (&params, &values), before, last);
        before = tick.time;
        serde_json::to_string(&line).ok()
    })
}

fn line<'a>(
    recording: &'a Recording,
    index: usize,
    tick: &'a Tick,
    (params, values): (&[&'a ParamValue], &[&'a ParamValue]),
    from: f64,
    last: bool,
) -> Line<'a> {
    let machines = || recording.machines.iter().zip(&tick.states);
    let name = |(machine, state): (&'a super::recording::Machine, &usize)| {
        machine.states.get(*state).map(String::as_str)
    };
    // What was done before a tick that began at `from`; what came after the last one belongs to it.
    let marks = |kind: MarkKind| {
        let here = move |time: f64| time >= from - 1e-9 && (last || time < tick.time - 1e-9);
        let marks = recording.marks.iter().filter(move |mark| mark.kind == kind && here(mark.time));
        marks.map(|mark| mark.text.as_str()).collect()
    };
    Line {
        tick: index + 1,
        time: tick.time,
        dt: tick.dt,
        state: machines().find(|(machine, _)| machine.layer.is_none()).and_then(name),
        layer_states: Ordered(
            machines().filter_map(|row| Some((row.0.layer.as_deref()?, name(row)))).collect(),
        ),
        layers: Ordered(
            recording.layers.iter().map(String::as_str).zip(tick.layers.iter().copied()).collect(),
        ),
        animations: tick
            .playing
            .iter()
            .filter_map(|(index, playing)| {
                let animation = recording.animations.get(*index)?;
                Some(AnimationLine {
                    name: &animation.name,
                    layer: recording.layers.get(animation.layer).map(String::as_str),
                    weight: playing.weight,
                    time: playing.time,
                    phase: playing.phase,
                })
            })
            .collect(),
        params: Ordered(
            recording.params.iter().map(|param| param.name.as_str()).zip(params.iter().copied()).collect(),
        ),
        values: Ordered(
            recording.properties.iter().map(|row| row.name.as_str()).zip(values.iter().copied()).collect(),
        ),
        inputs: marks(MarkKind::Input),
        failures: marks(MarkKind::Failed),
        events: tick
            .events
            .iter()
            .map(|event| EventLine {
                time: event.time,
                kind: event.kind,
                text: &event.text,
                count: event.count,
            })
            .collect(),
    }
}

/// The ticks as CSV: a head, then one row each.
pub fn csv(recording: &Recording) -> impl Iterator<Item = String> + '_ {
    let mut head: Vec<String> = vec!["time".into(), "dt".into()];
    head.extend(recording.machines.iter().map(|machine| match &machine.layer {
        Some(layer) => format!("state {layer}"),
        None => "state".to_owned(),
    }));
    head.extend(recording.layers.iter().map(|layer| format!("layer {layer}")));
    for animation in &recording.animations {
        head.extend(["weight", "time", "phase"].map(|what| format!("{what} {}", animation.name)));
    }
    head.extend(recording.params.iter().map(|param| format!("param {}", param.name)));
    head.extend(recording.properties.iter().map(|row| format!("value {}", row.name)));
    head.push("events".into());
    let mut values: Vec<String> = recording.properties.iter().map(|row| word(&row.initial)).collect();
    let mut params: Vec<String> = recording.params.iter().map(|param| word(&param.initial)).collect();
    let rows = recording.ticks.iter().map(move |tick| {
        for (table, changed) in [(&mut params, &tick.changed), (&mut values, &tick.values)] {
            for (index, value) in changed {
                if let Some(slot) = table.get_mut(*index) {
                    *slot = word(value);
                }
            }
        }
        let mut row: Vec<String> = vec![tick.time.to_string(), tick.dt.to_string()];
        row.extend(recording.machines.iter().enumerate().map(|(index, machine)| {
            let state = tick.states.get(index).and_then(|state| machine.states.get(*state));
            state.cloned().unwrap_or_default()
        }));
        row.extend(
            (0..recording.layers.len())
                .map(|index| tick.layers.get(index).map_or(String::new(), f32::to_string)),
        );
        for index in 0..recording.animations.len() {
            let found =
                tick.playing.iter().find(|(animation, _)| *animation == index).map(|(_, playing)| *playing);
            let playing = found.unwrap_or_default();
            row.extend([playing.weight, playing.time, playing.phase].map(|number| number.to_string()));
        }
        row.extend(params.iter().chain(&values).cloned());
        let events: Vec<&str> = tick.events.iter().map(|event| event.text.as_str()).collect();
        row.push(events.join("; "));
        record(&row)
    });
    std::iter::once(record(&head)).chain(rows)
}

fn word(value: &ParamValue) -> String {
    match value {
        ParamValue::Bool(value) | ParamValue::Trigger(value) => value.to_string(),
        ParamValue::Number(value) => value.to_string(),
        ParamValue::Color(color) => format!("#{color:08x}"),
        ParamValue::Word(word) => word.clone(),
    }
}

/// Cells with commas, quotes or line ends stand in quotes.
fn record(cells: &[String]) -> String {
    let cell = |cell: &String| {
        if cell.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.clone()
        }
    };
    cells.iter().map(cell).collect::<Vec<_>>().join(",")
}
