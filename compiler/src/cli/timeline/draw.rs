//! Draws a recording: an axis, one row a machine, layer, animation and changing parameter, and the list of events.
//!
//! A column stands for an equal share of the time and shows what holds at its middle. Every line fits the width.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::events;
use super::recording::{Param, ParamValue, Recording, Tick};
use super::style::{COLORS, MAX_WIDTH, MIN_WIDTH, Paint, Style, fit, head, pad, width};

/// The columns of the value behind a row, its space included.
const VALUE: usize = 7;
/// The most columns of a row's label.
const MAX_LABEL: usize = 22;
/// The most animations and parameters that are drawn.
const MAX_ROWS: usize = 40;

/// Draws a recording.
#[must_use]
pub fn render(recording: &Recording, style: Style) -> String {
    let style = Style { width: style.width.clamp(MIN_WIDTH, MAX_WIDTH), ..style };
    let mut drawing = Drawing::new(recording, style);
    drawing.title();
    if recording.ticks.is_empty() {
        drawing.out.push_str("  nothing was played: there was no tick\n");
        return drawing.out;
    }
    let groups = events::groups(recording);
    drawing.axis();
    drawing.marks(&groups);
    drawing.machines();
    drawing.layers();
    drawing.animations();
    drawing.params();
    drawing.values();
    let mut out = drawing.out;
    events::list(&mut out, &groups, style);
    out
}

/// The changes of a table in a tick.
type Changed = fn(&Tick) -> &[(usize, ParamValue)];

/// What a number does within a tick.
#[derive(Clone, Copy)]
enum Shape {
    /// It has the value of its end from the beginning.
    Steps,
    /// It goes to the value of its end.
    Slopes,
}

struct Drawing<'r> {
    recording: &'r Recording,
    style: Style,
    out: String,
    label: usize,
    /// The columns of the plot.
    plot: usize,
    /// The tick in whose time the middle of each column lies, and how far into it that is, 0 to 1.
    columns: Vec<(usize, f32)>,
    /// The color of each name.
    colors: BTreeMap<String, usize>,
}

impl<'r> Drawing<'r> {
    fn new(recording: &'r Recording, style: Style) -> Self {
        let machines = recording.machines.iter().filter_map(|row| row.layer.as_deref());
        let animations = recording.animations.iter().map(|row| row.name.as_str());
        let params = recording.params.iter().chain(&recording.properties).map(|row| row.name.as_str());
        let layers = recording.layers.iter().map(String::as_str);
        let names = machines.chain(animations).chain(params).chain(layers);
        let longest = names.map(|name| width(name) + 2).max().unwrap_or(0);
        let label = longest.clamp(8, MAX_LABEL.min(style.width / 4)) + 3;
        let plot = style.width - label - VALUE;
        let mut colors = BTreeMap::new();
        let states = recording.machines.iter().flat_map(|row| row.states.iter());
        for name in states.chain(recording.animations.iter().map(|row| &row.name)) {
            let next = colors.len();
            colors.entry(name.clone()).or_insert(next);
        }
        let columns = columns(recording, plot);
        Self { recording, style, out: String::new(), label, plot, columns, colors }
    }

    fn line(&mut self, line: &str) {
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    fn title(&mut self) {
        let recording = self.recording;
        let name = self.style.shown(&recording.behavior);
        let test = recording.test.as_ref().map(|test| format!("  \"{}\"", self.style.shown(test)));
        let test = test.unwrap_or_default();
        let ticks = recording.ticks.len();
        let facts =
            format!("{} s in {ticks} tick{}", seconds(recording.length()), if ticks == 1 { "" } else { "s" });
        let room = self.style.width.saturating_sub(width(&facts) + 2);
        let name = fit(&name, room, self.style);
        let test = fit(&test, room.saturating_sub(width(&name)), self.style);
        let gap = " ".repeat(self.style.width.saturating_sub(width(&name) + width(&test) + width(&facts)));
        let (bold, dim) = (self.style.paint(Paint::Bold, &name), self.style.paint(Paint::Dim, &facts));
        self.line(&format!("{bold}{test}{gap}{dim}"));
        self.out.push('\n');
    }

    /// Times above, ticks below.
    fn axis(&mut self) {
        let length = self.recording.length();
        let step = step(length, self.plot);
        let mut labels = String::new();
        let mut line: Vec<&str> = vec![self.style.pick("─", "-"); self.plot];
        for index in 0.. {
            let time = step * f64::from(index);
            let column = (time / length * self.plot as f64).round() as usize;
            if column >= self.plot || index > 1000 {
                break;
            }
            line[column] = self.style.pick(if index == 0 { "├" } else { "┬" }, "+");
            let unit = if index == 0 { " s" } else { "" };
            let label = trimmed(time, step) + unit;
            if (index == 0 || width(&labels) < column) && column + label.len() <= self.plot + VALUE {
                labels = pad(&labels, column) + &label;
            }
        }
        let margin = " ".repeat(self.label);
        let labels = self.style.paint(Paint::Dim, &labels);
        let line = self.style.paint(Paint::Dim, &line.concat());
        self.line(&format!("{margin}{labels}"));
        self.line(&format!("{margin}{line}"));
    }

    /// A letter for each group of events, where it happened.
    fn marks(&mut self, groups: &[events::Group]) {
        if groups.is_empty() {
            return;
        }
        let length = self.recording.length();
        let mut cells: Vec<Option<usize>> = vec![None; self.plot];
        for (index, group) in groups.iter().enumerate() {
            let column = ((group.time / length) * self.plot as f64) as usize;
            let cell = &mut cells[column.min(self.plot - 1)];
            // Where several fall into one column, trouble is shown before the first.
            if cell.is_none_or(|before| group.trouble && !groups[before].trouble) {
                *cell = Some(index);
            }
        }
        let mut row = self.start_row("  events", Paint::Plain);
        for cell in cells {
            match cell {
                Some(index) => row.push_str(&self.style.paint(groups[index].paint(), &events::letter(index))),
                None => row.push(' '),
            }
        }
        self.line(&row);
    }

    /// The label of a row, padded.
    fn start_row(&self, label: &str, paint: Paint) -> String {
        let label = fit(&self.style.shown(label), self.label - 1, self.style);
        let gap = " ".repeat(self.label - width(&label));
        self.style.paint(paint, &label) + &gap
    }

    fn heading(&mut self, text: &str) {
        let text = self.style.paint(Paint::Dim, &format!("  {text}"));
        self.line(&text);
    }

    fn machines(&mut self) {
        for machine in 0..self.recording.machines.len() {
            let row = &self.recording.machines[machine];
            let label =
                row.layer.as_ref().map_or_else(|| "  state".to_owned(), |layer| format!("  in {layer}"));
            let states: Vec<Option<&str>> = self
                .columns
                .iter()
                .map(|(tick, _)| {
                    let state = self.recording.ticks[*tick].states.get(machine)?;
                    row.states.get(*state).map(String::as_str)
                })
                .collect();
            let text = self.start_row(&label, Paint::Bold) + &self.bars(&states);
            self.line(&text);
        }
    }

    /// One bar for each stretch of equal words, with the word in it.
    fn bars(&self, words: &[Option<&str>]) -> String {
        let mut out = String::new();
        let mut at = 0;
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let mut before = None;
        while at < words.len() {
            let word = words[at];
            let length = words[at..].iter().take_while(|other| **other == word).count();
            at += length;
            let name = self.style.shown(word.unwrap_or(""));
            if self.style.color {
                let next = seen.len();
                let own = *seen.entry(word.unwrap_or("")).or_insert(next);
                let color = word.and_then(|word| self.colors.get(word)).copied().unwrap_or(own) % COLORS;
                // Neighbors are told apart by their colors alone.
                let color = if before == Some(color) { (color + 1) % COLORS } else { color };
                before = Some(color);
                let inner = if length > 2 { format!(" {name}") } else { name };
                let text = pad(&fit_bar(&inner, length, self.style), length);
                out.push_str(&self.style.paint(Paint::Bar(color), &text));
                continue;
            }
            // Without color a stroke begins each bar.
            let (stroke, fill) = (self.style.pick("├", "|"), self.style.pick("─", "-"));
            let room = length - 1;
            let text = match room {
                0 => String::new(),
                1..=3 => fit_bar(&name, room, self.style),
                _ => {
                    let name = fit_bar(&name, room - 2, self.style);
                    format!(" {name} ")
                }
            };
            let rest = fill.repeat(room.saturating_sub(width(&text)));
            let _ = write!(out, "{stroke}{text}{rest}");
        }
        out
    }

    /// A row of blocks, and the last value behind it.
    fn blocks(&mut self, label: &str, paint: Paint, shares: &[f32], value: &str) {
        let blocks: String = shares.iter().map(|share| self.style.level(*share)).collect();
        let value = fit(value, VALUE - 1, self.style);
        let text = self.start_row(label, Paint::Plain) + &self.style.paint(paint, &blocks);
        let value = self.style.paint(Paint::Dim, &format!(" {value:>width$}", width = VALUE - 1));
        self.line(&(text + &value));
    }

    /// What goes from `before` to `after` in a tick, at the middle of each column.
    fn shares(&self, value: impl Fn(Option<usize>) -> f32) -> Vec<f32> {
        let between = |(tick, into): &(usize, f32)| {
            let (before, after) = (value(tick.checked_sub(1)), value(Some(*tick)));
            before + (after - before) * into
        };
        self.columns.iter().map(between).collect()
    }

    fn layers(&mut self) {
        if self.recording.layers.is_empty() {
            return;
        }
        self.heading("layers");
        for index in 0..self.recording.layers.len().min(MAX_ROWS) {
            let recording = self.recording;
            let weight = |tick: Option<usize>| {
                let tick = tick.map_or(Some(&recording.start), |tick| recording.ticks.get(tick));
                tick.and_then(|tick| tick.layers.get(index)).copied().unwrap_or(0.0)
            };
            let shares = self.shares(weight);
            let last = weight(recording.ticks.len().checked_sub(1));
            let label = format!("    {}", recording.layers[index]);
            self.blocks(&label, Paint::Plain, &shares, &format!("{last:.2}"));
        }
        self.left_out(self.recording.layers.len());
    }

    fn left_out(&mut self, rows: usize) {
        if rows > MAX_ROWS {
            self.heading(&format!("  and {} more", rows - MAX_ROWS));
        }
    }

    fn animations(&mut self) {
        let recording = self.recording;
        let mut played = vec![false; recording.animations.len()];
        for (index, _) in recording.ticks.iter().flat_map(|tick| &tick.playing) {
            if let Some(played) = played.get_mut(*index) {
                *played = true;
            }
        }
        let rows: Vec<usize> = (0..played.len()).filter(|index| played[*index]).collect();
        if rows.is_empty() {
            return;
        }
        self.heading("animations");
        for index in rows.iter().copied().take(MAX_ROWS) {
            let weight = |tick| recording.weight(tick, index);
            let shares = self.shares(weight);
            let last = weight(recording.ticks.len().checked_sub(1));
            let name = &recording.animations[index].name;
            let color = self.colors.get(name).copied().unwrap_or(0);
            self.blocks(&format!("    {name}"), Paint::Text(color), &shares, &format!("{last:.2}"));
        }
        self.left_out(rows.len());
    }

    /// The parameters that change.
    fn params(&mut self) {
        self.table("parameters", &self.recording.params, |tick| &tick.changed, Shape::Steps);
    }

    /// The values of properties that change.
    fn values(&mut self) {
        self.table("values", &self.recording.properties, |tick| &tick.values, Shape::Slopes);
    }

    fn table(&mut self, heading: &str, rows: &[Param], changed: Changed, shape: Shape) {
        let mut changes = vec![false; rows.len()];
        for (index, _) in self.recording.ticks.iter().flat_map(changed) {
            if let Some(changes) = changes.get_mut(*index) {
                *changes = true;
            }
        }
        let shown: Vec<usize> = (0..changes.len()).filter(|index| changes[*index]).collect();
        if shown.is_empty() {
            return;
        }
        self.heading(heading);
        for index in shown.iter().copied().take(MAX_ROWS) {
            let values = self.recording.history(&rows[index].initial, index, changed);
            self.value_row(&rows[index], &values, shape);
        }
        self.left_out(shown.len());
    }

    fn value_row(&mut self, row: &Param, values: &[&ParamValue], shape: Shape) {
        let label = format!("    {}", row.name);
        let last = values.last().map_or(String::new(), |value| value_text(value));
        match row.initial {
            ParamValue::Word(_) => {
                let words: Vec<String> = values.iter().map(|value| value_text(value)).collect();
                let columns: Vec<Option<&str>> =
                    self.columns.iter().map(|(tick, _)| words.get(*tick).map(String::as_str)).collect();
                let text = self.start_row(&label, Paint::Plain) + &self.bars(&columns);
                self.line(&text);
                return;
            }
            ParamValue::Color(_) => return self.colors(&label, values, &last),
            _ => {}
        }
        let numbers: Vec<f32> = values.iter().map(|value| number(value)).collect();
        // What is mixed is seen in its own range, parameters from 0 on.
        let zero = matches!(shape, Shape::Steps).then_some(0.0);
        let all = || numbers.iter().copied().chain([number(&row.initial)]).chain(zero);
        let low = all().fold(f32::INFINITY, f32::min);
        let range = all().fold(f32::NEG_INFINITY, f32::max) - low;
        let share = |value: f32| if range > 0.0 { (value - low) / range } else { 0.0 };
        // A value holds for its tick, one that is mixed goes on its way in it; a trigger that was armed in a column
        // shows there however short it was.
        let columns: Vec<f32> = match (&row.initial, shape) {
            (ParamValue::Trigger(_), _) => self
                .spans()
                .iter()
                .map(|(from, to)| numbers[*from..=*to].iter().copied().fold(0.0, f32::max))
                .collect(),
            (_, Shape::Steps) => self.columns.iter().map(|(tick, _)| share(numbers[*tick])).collect(),
            (_, Shape::Slopes) => {
                let at = |tick: Option<usize>| tick.map_or(number(&row.initial), |tick| numbers[tick]);
                // Its least value is not nothing.
                self.shares(|tick| share(at(tick)).max(f32::MIN_POSITIVE))
            }
        };
        self.blocks(&label, Paint::Input, &columns, &last);
    }

    /// A row of colors; where none can be shown, of their brightness.
    fn colors(&mut self, label: &str, values: &[&ParamValue], last: &str) {
        let columns: Vec<u32> = self
            .columns
            .iter()
            .map(|(tick, _)| match values.get(*tick) {
                Some(ParamValue::Color(color)) => *color,
                _ => 0,
            })
            .collect();
        let stretches = columns.chunk_by(|a, b| a == b);
        let blocks: String = stretches
            .map(|stretch| match self.style.color {
                true => self.style.swatch(stretch[0], stretch.len()),
                false => self.style.level(brightness(stretch[0])).repeat(stretch.len()),
            })
            .collect();
        // In the columns of a value there is room for what is left without the sign.
        let value = fit(last.trim_start_matches('#'), VALUE - 1, self.style);
        let value = self.style.paint(Paint::Dim, &format!(" {value:>width$}", width = VALUE - 1));
        let text = self.start_row(label, Paint::Plain) + &blocks;
        self.line(&(text + &value));
    }

    /// The first and the last tick of each column.
    fn spans(&self) -> Vec<(usize, usize)> {
        let last = self.recording.ticks.len() - 1;
        let next = |column: usize| self.columns.get(column + 1).map_or(last, |(tick, _)| *tick);
        (0..self.columns.len())
            .map(|column| {
                (self.columns[column].0, next(column).saturating_sub(1).max(self.columns[column].0))
            })
            .collect()
    }
}

fn fit_bar(name: &str, columns: usize, style: Style) -> String {
    if columns > 3 { fit(name, columns, style) } else { head(name, columns) }
}

/// The tick in whose time the middle of each column lies, and how far into it that is.
fn columns(recording: &Recording, plot: usize) -> Vec<(usize, f32)> {
    let length = recording.length();
    let last = recording.ticks.len().saturating_sub(1);
    (0..plot)
        .map(|column| {
            let middle = (column as f64 + 0.5) / plot as f64 * length;
            let tick = recording.ticks.partition_point(|tick| tick.time < middle).min(last);
            let row = recording.ticks.get(tick);
            let into = row.map_or(1.0, |row| {
                let from = row.time - f64::from(row.dt);
                if row.dt > 0.0 { ((middle - from) / f64::from(row.dt)) as f32 } else { 1.0 }
            });
            (tick, into.clamp(0.0, 1.0))
        })
        .collect()
}

/// The distance of the labels of an axis: 1, 2 or 5 times a power of ten, so that they have room.
fn step(length: f64, plot: usize) -> f64 {
    let most = (plot / 8).max(1) as f64;
    let mut step = 0.001;
    for factor in [2.0, 2.5, 2.0].iter().cycle().take(40) {
        if length / step <= most {
            break;
        }
        step *= factor;
    }
    step
}

/// A time with as many digits as the step needs.
fn trimmed(time: f64, step: f64) -> String {
    let digits = if step >= 1.0 {
        0
    } else if step >= 0.1 {
        1
    } else if step >= 0.01 {
        2
    } else {
        3
    };
    format!("{time:.digits$}")
}

/// Seconds with two digits, or three where they are needed.
fn seconds(time: f64) -> String {
    let text = format!("{time:.3}");
    text.strip_suffix('0').map_or(text.clone(), str::to_owned)
}

fn number(value: &ParamValue) -> f32 {
    match value {
        ParamValue::Bool(value) | ParamValue::Trigger(value) => f32::from(u8::from(*value)),
        ParamValue::Number(value) => *value,
        ParamValue::Color(_) | ParamValue::Word(_) => 0.0,
    }
}

/// How bright a color is on black, 0 to 1.
fn brightness(color: u32) -> f32 {
    let [r, g, b, opacity] = color.to_be_bytes().map(|channel| f32::from(channel) / 255.0);
    (0.30 * r + 0.59 * g + 0.11 * b) * opacity
}

/// A value in a few letters.
fn value_text(value: &ParamValue) -> String {
    match value {
        ParamValue::Bool(value) => value.to_string(),
        ParamValue::Trigger(armed) => if *armed { "armed" } else { "" }.to_owned(),
        ParamValue::Number(value) if value.abs() < 10_000.0 => {
            let text = format!("{value:.2}");
            text.strip_suffix(".00").map_or(text.clone(), str::to_owned)
        }
        ParamValue::Number(value) => format!("{value:.0e}"),
        ParamValue::Color(color) => color_text(*color),
        ParamValue::Word(word) => word.clone(),
    }
}

/// A color as it is written, without an opacity that is whole.
fn color_text(color: u32) -> String {
    if color & 0xFF == 0xFF { format!("#{:06x}", color >> 8) } else { format!("#{color:08x}") }
}
