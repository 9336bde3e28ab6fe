//! Animations: declared once for each way in which they repeat.
//!
//! In the notation a state says how its animation repeats, in the language the animation does. Where two states
//! differ, there are two animations with one asset.

use std::collections::BTreeMap;

use super::json::{Id, Value};
use super::keys;
use super::model::{Clip, LoopMode};
use super::reader::{Reader, Word};
use crate::diagnostic::Code;
use crate::import::names::Taken;

/// An animation of the file.
#[derive(Debug)]
struct Source {
    name: String,
    /// Where its own clip stands, and how that repeats so far: `None` while no state has asked.
    clip: usize,
    mode: Option<LoopMode>,
    /// How it says that it repeats.
    own: Option<LoopMode>,
    /// Its clips that repeat in other ways.
    others: Vec<(LoopMode, usize)>,
}

/// The animations of a file.
#[derive(Debug, Default)]
pub(super) struct Clips {
    pub(super) rows: Vec<Clip>,
    sources: BTreeMap<String, Source>,
    taken: Taken,
}

/// The words for how something repeats.
const MODES: &[(&str, LoopMode)] = &[
    ("none", LoopMode::None),
    ("loop", LoopMode::Loop),
    ("pingPong", LoopMode::PingPong),
    // Other spellings of them.
    ("once", LoopMode::None),
    ("oneShot", LoopMode::None),
    ("repeat", LoopMode::Loop),
    ("pingpong", LoopMode::PingPong),
    ("ping-pong", LoopMode::PingPong),
];

/// How an object says that it repeats.
pub(super) fn loop_mode(reader: &mut Reader<'_, '_>, object: Id) -> Option<LoopMode> {
    let id = reader.get(object, "loop")?;
    match reader.json.value(id) {
        Value::Bool(value) => return Some(if *value { LoopMode::Loop } else { LoopMode::None }),
        Value::Text(_) => {}
        _ => {
            reader.wrong(id, "`none`, `loop` or `pingPong`");
            return None;
        }
    }
    let word = reader.text_of(id)?;
    let found = MODES.iter().find(|(known, _)| *known == word.text).map(|(_, mode)| *mode);
    if found.is_none() {
        let known: Vec<&str> = MODES.iter().take(3).map(|(known, _)| *known).collect();
        reader.no_choice(&word, &known, "it counts as not being there");
    }
    found
}

impl Clips {
    /// Reads the animations of a file.
    pub(super) fn read(reader: &mut Reader<'_, '_>, file: Id) -> Self {
        let mut clips = Self::default();
        let list = reader.list(file, "animations");
        reader.keep(&list, "id", &mut clips.taken);
        for id in list {
            if !reader.object(id, keys::ANIMATION) {
                continue;
            }
            let Some(word) = reader.needed(id, "id", "this animation is not carried over") else { continue };
            if clips.sources.contains_key(&word.text) {
                let message = format!("the animation `{}` is there twice", word.text.escape_debug());
                reader.report(Code::DuplicateInMachine, word.id, message, "the first one counts");
                continue;
            }
            let milliseconds = reader.number_in(id, "duration", 0.0, f64::MAX);
            let own = loop_mode(reader, id);
            let speed = reader.number(id, "speed").filter(|speed| *speed != 1.0);
            let asset = reader.text(id, "assetId").map(|asset| asset.text);
            let doc = reader.doc(id);
            clips.declare(reader, word, own, asset, |clip| {
                (clip.milliseconds, clip.speed, clip.doc) = (milliseconds, speed, doc);
            });
        }
        clips
    }

    fn declare(
        &mut self,
        reader: &mut Reader<'_, '_>,
        word: Word,
        own: Option<LoopMode>,
        asset: Option<String>,
        fill: impl FnOnce(&mut Clip),
    ) {
        let name = reader.name(&word, &mut self.taken);
        let asset = asset.or_else(|| (name != word.text).then(|| word.text.clone()));
        let mut clip = Clip {
            name: name.clone(),
            asset,
            milliseconds: None,
            mode: own.unwrap_or_default(),
            speed: None,
            doc: Vec::new(),
        };
        fill(&mut clip);
        let source = Source { name, clip: self.rows.len(), mode: None, own, others: Vec::new() };
        self.rows.push(clip);
        self.sources.insert(word.text, source);
    }

    /// How an animation itself says that it repeats.
    pub(super) fn own_mode(&self, source: &str) -> Option<LoopMode> {
        self.sources.get(source).and_then(|source| source.own)
    }

    /// The clip of an animation that repeats in a way; an animation that is not declared is reported, once.
    pub(super) fn take(&mut self, reader: &mut Reader<'_, '_>, word: &Word, mode: LoopMode) -> usize {
        if !self.sources.contains_key(&word.text) {
            let label = "declared without a duration, which is left to the host";
            reader.unknown("animation", word, self.sources.keys().map(String::as_str), label);
            self.declare(reader, word.clone(), None, None, |_| {});
        }
        let Some(source) = self.sources.get_mut(&word.text) else { return 0 };
        if *source.mode.get_or_insert(mode) == mode {
            self.rows[source.clip].mode = mode;
            return source.clip;
        }
        if let Some((_, clip)) = source.others.iter().find(|(other, _)| *other == mode) {
            return *clip;
        }
        let suffix = match mode {
            LoopMode::None => "once",
            LoopMode::Loop => "loop",
            LoopMode::PingPong => "pingPong",
        };
        let first = &self.rows[source.clip];
        let clip = Clip {
            name: self.taken.fresh(&format!("{}-{suffix}", source.name)),
            asset: first.asset.clone().or_else(|| Some(word.text.clone())),
            mode,
            doc: Vec::new(),
            ..*first
        };
        source.others.push((mode, self.rows.len()));
        self.rows.push(clip);
        self.rows.len() - 1
    }
}
