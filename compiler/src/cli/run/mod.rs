//! `motixc run`: plays a behavior and shows what it does over time.
//!
//! What is played comes from flags, from a script or from a `Test` block; where nothing is said, the behavior idles.
//! The timeline, JSON lines or CSV rows go to standard output; assumptions that were made go to standard error.

mod player;
mod recorder;
mod script;
mod select;
mod sent;
mod test;

use std::collections::BTreeMap;

use clap::Args;
use motix_vm::ids::{AnimationId, ComponentId};
use motix_vm::program::BehaviorRef;
use motix_vm::program::tables::Type;

use self::player::{DEFAULT_DURATION, MAX_TICKS, Plan};
use self::script::Entry;
use self::select::Played;
use super::timeline::{self, MAX_WIDTH, Recording, Style};
use super::{Context, Exit, Failure, Format, Outcome, files};

const EXAMPLES: &str = "\
Examples:
  motixc run player.motix --set speed=2
  motixc run player.motix --set speed=2 --at 0.5s fire:jump --at 1s speed=0 --for 3s
  motixc run player.motix --request Jump@100 --duration Jump=0.7s --provide IsGrounded=true
  motixc run player.motix --test \"walks, then jumps\"
  motixc run player.motix --script keys.txt --format csv > plot.csv
  motixc run player.motixb --behavior Guard --format json

Commands, for --at and in scripts (one word with a colon, or in quotes with spaces):
  PARAM=VALUE   fire:TRIGGER   toggle:PARAM   request:STATE[@PRIORITY]   play:ANIM
  stop:ANIM   'stop ANIM immediate'   stopgroup:GROUP   playtag:TAG   stoptag:TAG
  'pointer click TARGET, TARGET at 0.3, 0.5'   'pointer focus TARGET'   key:keydown:Enter   custom:EVENT
  'layer LAYER = WEIGHT'   'provide PREDICATE = true'
What is in a component has its path before it: like.liked=true, request:like.lit.
A script has one command a line behind its time: `0.5s fire jump`, `+100ms speed = 0`; # begins a comment.
A command takes effect in the first tick that begins at its time or later.";

/// Play a behavior and show a timeline of what it does
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The source or the built program; `-` is standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// Which behavior, where the file has several
    #[arg(short, long, value_name = "NAME")]
    behavior: Option<String>,
    /// Play this test: its name, or a part that only it has
    #[arg(short, long, value_name = "NAME", conflicts_with_all = ["behavior", "set", "at", "request", "script", "length", "fps", "seed", "duration", "provide"])]
    test: Option<String>,
    /// A parameter's value at the start
    #[arg(short, long, value_name = "PARAM=VALUE")]
    set: Vec<String>,
    /// A command and when it is carried out
    #[arg(short, long, num_args = 2, value_names = ["TIME", "COMMAND"])]
    at: Vec<String>,
    /// A manual transition at the start
    #[arg(short, long, value_name = "STATE[@PRIORITY]")]
    request: Vec<String>,
    /// A file of commands; `-` is standard input
    #[arg(long, value_name = "FILE")]
    script: Option<String>,
    /// How long to play; 1 s after the last command, at least 2 s, if left out
    #[arg(long = "for", value_name = "TIME", id = "length")]
    length: Option<String>,
    /// Ticks a second
    #[arg(long, default_value_t = 60.0, value_name = "NUMBER")]
    fps: f32,
    /// The seed of random choices
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    seed: u64,
    /// The length of a clip that the source leaves to the host
    #[arg(long, value_name = "ANIM=TIME")]
    duration: Vec<String>,
    /// The answer to an extern predicate
    #[arg(long, value_name = "PREDICATE=BOOL")]
    provide: Vec<String>,
    /// The columns of the timeline; those of the terminal if left out
    #[arg(long, value_name = "COLUMNS")]
    width: Option<usize>,
    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

/// The columns where nothing says how wide the terminal is.
const DEFAULT_WIDTH: usize = 100;
/// The widest timeline that is drawn unasked.
const COMFORTABLE_WIDTH: usize = 160;
/// The greatest rate of ticks.
const MAX_FPS: f32 = 10_000.0;

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Outcome {
    if !matches!(context.format, Format::Human | Format::Json | Format::Csv) {
        return Err(Failure::Usage("`motixc run` knows the formats `human`, `json` and `csv`".into()));
    }
    if arguments.file == "-" && arguments.script.as_deref() == Some("-") {
        return Err(Failure::Usage("standard input cannot be both the file and the script".into()));
    }
    let Some(played) = Played::read(context, &arguments.file)? else { return Ok(Exit::Findings) };
    if let Some(name) = &arguments.test {
        let (recording, outcome) = test::play(&played, name)?;
        show(arguments, context, &recording)?;
        return test::conclude(context, &played, &outcome);
    }
    let behavior = played.behavior(arguments.behavior.as_deref())?;
    let mut notes = Vec::new();
    let plan = plan(arguments, context, behavior, &played, &mut notes)?;
    let recording = player::play(played.program(), behavior, &plan).map_err(Failure::Usage)?;
    show(arguments, context, &recording)?;
    tell(context, &notes)?;
    Ok(Exit::Fine)
}

/// What the flags ask for.
fn plan(
    arguments: &Arguments,
    context: &mut Context<'_>,
    behavior: BehaviorRef<'_>,
    played: &Played,
    notes: &mut Vec<String>,
) -> Result<Plan, Failure> {
    let flag = |flag: &str, why: String| Failure::Usage(format!("`--{flag}`: {why}"));
    if !(arguments.fps > 0.0 && arguments.fps <= MAX_FPS) {
        return Err(flag("fps", format!("a rate is above 0 and at most {MAX_FPS}, not {}", arguments.fps)));
    }
    let mut entries = Vec::new();
    for (name, prefix, list) in [
        ("provide", "provide ", &arguments.provide),
        ("set", "set ", &arguments.set),
        ("request", "request ", &arguments.request),
    ] {
        for text in list {
            let text = format!("{prefix}{text}");
            let (component, command) = script::command(&text, behavior).map_err(|why| flag(name, why))?;
            entries.push(Entry { time: 0.0, component, command, text: script::shown(&text) });
        }
    }
    for pair in arguments.at.chunks(2) {
        let [time, text] = pair else { continue };
        let time = script::time(time).map_err(|why| flag("at", why))?;
        let (component, command) = script::command(text, behavior).map_err(|why| flag("at", why))?;
        entries.push(Entry { time, component, command, text: script::shown(text) });
    }
    if let Some(path) = &arguments.script {
        let bytes = files::read(context, path)?;
        let text =
            String::from_utf8(bytes).map_err(|_| flag("script", format!("`{path}` is not valid UTF-8")))?;
        entries
            .extend(script::file(&text, behavior).map_err(|why| Failure::Usage(format!("`{path}`, {why}")))?);
    }
    // The sort is stable: what stands at one time stays in the order in which it was given.
    entries.sort_by(|a, b| a.time.total_cmp(&b.time));
    let last = entries.last().map_or(0.0, |entry| entry.time);
    let length = match &arguments.length {
        Some(text) => script::time(text).map_err(|why| flag("for", why))?,
        None => (last + 1.0).max(2.0),
    };
    let late = entries.iter().filter(|entry| entry.time >= length).count();
    if late > 0 {
        notes.push(format!(
            "{late} of the commands come at the end ({length} s) or later; `--for` plays longer"
        ));
    }
    if length * f64::from(arguments.fps) > MAX_TICKS as f64 {
        notes.push(format!("only the first {MAX_TICKS} ticks were played"));
    }
    let durations = durations(arguments, behavior, notes)?;
    unanswered(&entries, behavior, notes);
    if entries.is_empty() {
        notes.push(idle(behavior, played));
    }
    Ok(Plan { entries, fps: arguments.fps, length, seed: arguments.seed, durations })
}

/// The durations that the flags give, and one for every animation that needs one.
fn durations(
    arguments: &Arguments,
    behavior: BehaviorRef<'_>,
    notes: &mut Vec<String>,
) -> Result<BTreeMap<AnimationId, f32>, Failure> {
    let mut durations = BTreeMap::new();
    for text in &arguments.duration {
        let usage = |why: String| Failure::Usage(format!("`--duration`: {why}"));
        let (name, time) =
            text.split_once('=').ok_or_else(|| usage(format!("`{text}` is not written `ANIM=0.7s`")))?;
        let id = behavior.animation(name.trim()).map_err(|why| usage(why.to_string()))?;
        durations.insert(id, script::time(time).map_err(usage)? as f32);
    }
    let mut assumed = Vec::new();
    for (index, row) in behavior.rows().animations.iter().enumerate() {
        let Some(id) = AnimationId::from_index(index).filter(|_| row.duration.is_none()) else { continue };
        if durations.contains_key(&id) {
            continue;
        }
        durations.insert(id, DEFAULT_DURATION);
        assumed.push(behavior.animation_name(id));
    }
    if let Some(first) = assumed.first() {
        let names = listed(&assumed);
        notes.push(format!(
            "1 s is assumed for {names}, whose length the host gives; `--duration {first}=0.7s` gives one"
        ));
    }
    // Only what the program leaves open may be given.
    let rows = &behavior.rows().animations;
    let given = |id: &AnimationId| rows.get(id.index()).is_none_or(|row| row.duration.is_some());
    if let Some((id, _)) = durations.iter().find(|(id, _)| given(id)) {
        let name = behavior.animation_name(*id);
        return Err(Failure::Usage(format!(
            "`--duration`: the source itself gives the duration of `{name}`"
        )));
    }
    Ok(durations)
}

/// Notes extern predicates that nothing answers.
fn unanswered(entries: &[Entry], behavior: BehaviorRef<'_>, notes: &mut Vec<String>) {
    let answered = |index: usize| {
        entries
            .iter()
            .filter(|entry| entry.component == ComponentId::ROOT)
            .any(|entry| matches!(entry.command, script::Command::Provide(id, _) if id.index() == index))
    };
    let rows = &behavior.rows().externs;
    let names: Vec<&str> = rows
        .iter()
        .enumerate()
        .filter(|(index, _)| !answered(*index))
        .map(|(_, name)| behavior.program().text(*name))
        .collect();
    if let Some(first) = names.first() {
        notes.push(format!("{} counts as false; `--provide {first}=true` answers", listed(&names)));
    }
}

/// How to give a behavior something to do, in its own words.
fn idle(behavior: BehaviorRef<'_>, played: &Played) -> String {
    let example = behavior.params().find_map(|param| {
        let name = param.name;
        Some(match param.ty {
            Type::Bool => format!("--set {name}=true"),
            Type::Number => format!("--set {name}=1"),
            Type::Trigger => format!("--at 0.5s fire:{name}"),
            Type::Enum(id) => format!("--set {name}={}", behavior.variants(id).last()?),
            Type::Text | Type::Color => return None,
        })
    });
    let example = example.unwrap_or_else(|| "--request STATE".to_owned());
    let test = played.first_test().map(|name| format!(", or `--test \"{name}\"` a test")).unwrap_or_default();
    format!("nothing was asked of it; `{example}` gives it an input{test} (`motixc run --help` lists all)")
}

/// Names in backquotes; of many the first few.
fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 4;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &more
}

fn show(arguments: &Arguments, context: &mut Context<'_>, recording: &Recording) -> Result<(), Failure> {
    match context.format {
        Format::Json => {
            for line in timeline::json(recording) {
                writeln!(context.out, "{line}")?;
            }
        }
        Format::Csv => {
            for row in timeline::csv(recording) {
                writeln!(context.out, "{row}")?;
            }
        }
        _ => {
            let terminal = context.columns.map_or(DEFAULT_WIDTH, |columns| columns.min(COMFORTABLE_WIDTH));
            let width = arguments.width.unwrap_or(terminal).min(MAX_WIDTH);
            let style = Style { width, color: context.out_color, ascii: arguments.ascii };
            write!(context.out, "{}", timeline::render(recording, style))?;
        }
    }
    Ok(())
}

/// Says what was assumed.
fn tell(context: &mut Context<'_>, notes: &[String]) -> Result<(), Failure> {
    if notes.is_empty() {
        return Ok(());
    }
    // The timeline comes first where both go to a terminal.
    context.out.flush()?;
    let word = if context.err_color { "\u{1b}[1;36mnote:\u{1b}[0m" } else { "note:" };
    for note in notes {
        writeln!(context.err, "{word} {note}")?;
    }
    Ok(())
}
