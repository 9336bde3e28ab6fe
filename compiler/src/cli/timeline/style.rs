//! How a timeline is drawn: width, colors, characters.
//!
//! Widths are those of terminals, in which some letters take two columns and some none. Characters that would move the
//! cursor never get out.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// The columns of the terminal; at least [`MIN_WIDTH`] are used.
    pub width: usize,
    /// With colors.
    pub color: bool,
    /// With ASCII characters only.
    pub ascii: bool,
}

/// The narrowest timeline.
pub const MIN_WIDTH: usize = 40;
/// The widest one.
pub const MAX_WIDTH: usize = 400;

/// What a piece of text is, for its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    Plain,
    Bold,
    Dim,
    Input,
    Trouble,
    /// Text in the color of a name.
    Text(usize),
    /// Black on the color of a name.
    Bar(usize),
}

/// Colors of the 256-color table, far apart, readable under black text and on dark and light grounds.
const PALETTE: [u8; COLORS] = [75, 214, 114, 176, 80, 221, 210, 147];
/// How many colors there are for names.
pub(super) const COLORS: usize = 8;

/// Eighths of a block, from nothing to all.
const LEVELS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const ASCII_LEVELS: [&str; 9] = [" ", ".", ":", "-", "=", "+", "*", "#", "@"];

impl Style {
    /// The text in its color.
    pub(super) fn paint(self, paint: Paint, text: &str) -> String {
        if !self.color || text.is_empty() || paint == Paint::Plain {
            return text.to_owned();
        }
        let color = |index: usize| PALETTE[index % COLORS];
        let start = match paint {
            Paint::Plain => String::new(),
            Paint::Bold => "\u{1b}[1m".into(),
            Paint::Dim => "\u{1b}[2m".into(),
            Paint::Input => "\u{1b}[36m".into(),
            Paint::Trouble => "\u{1b}[1;31m".into(),
            Paint::Text(index) => format!("\u{1b}[38;5;{}m", color(index)),
            Paint::Bar(index) => format!("\u{1b}[38;5;16;48;5;{}m", color(index)),
        };
        format!("{start}{text}\u{1b}[0m")
    }

    /// A block as high as `share`, from 0 to 1; only an exact 0 is nothing.
    pub(super) fn level(self, share: f32) -> &'static str {
        let levels = if self.ascii { &ASCII_LEVELS } else { &LEVELS };
        let index = (share.clamp(0.0, 1.0) * 8.0).round() as usize;
        let index = if share > 0.0 { index.max(1) } else { 0 };
        levels[index.min(8)]
    }

    /// Cells in a color, as it is seen on black.
    pub(super) fn swatch(self, color: u32, columns: usize) -> String {
        let [r, g, b, opacity] = color.to_be_bytes().map(u32::from);
        let [r, g, b] = [r, g, b].map(|channel| channel * opacity / 255);
        let cells = self.pick("█", "#").repeat(columns);
        format!("\u{1b}[38;2;{r};{g};{b}m{cells}\u{1b}[0m")
    }

    /// The one that fits.
    pub(super) fn pick(self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.ascii { ascii } else { unicode }
    }

    /// A name as it can be shown: without control characters; with ASCII letters only where asked.
    pub(super) fn shown(self, text: &str) -> String {
        text.chars()
            .map(|c| match c {
                c if c.is_control() || c.width().is_none() => '?',
                c if self.ascii && !c.is_ascii() => '?',
                c => c,
            })
            .collect()
    }
}

/// The columns that a text takes.
pub(super) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// The head of a text that takes at most `columns`; where something is cut, the last one says so.
pub(super) fn fit(text: &str, columns: usize, style: Style) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let ellipsis = style.pick("…", "~");
    let room = columns.saturating_sub(1);
    let head = head(text, room);
    if columns == 0 { String::new() } else { head + ellipsis }
}

/// The head of a text that takes at most `columns`.
pub(super) fn head(text: &str, columns: usize) -> String {
    let mut used = 0;
    text.chars()
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= columns
        })
        .collect()
}

/// The text with spaces behind, up to `columns`.
pub(super) fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}
