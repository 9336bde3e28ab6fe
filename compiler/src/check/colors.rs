//! Names of colors that people know from elsewhere, for messages: the language has none.

/// The names of the first sixteen colors of CSS and a few more that are common, with what stands for them here.
const NAMED: &[(&str, &str)] = &[
    ("aqua", "#00ffff"),
    ("black", "#000000"),
    ("blue", "#0000ff"),
    ("brown", "#a52a2a"),
    ("cyan", "#00ffff"),
    ("fuchsia", "#ff00ff"),
    ("gold", "#ffd700"),
    ("gray", "#808080"),
    ("green", "#008000"),
    ("grey", "#808080"),
    ("lime", "#00ff00"),
    ("magenta", "#ff00ff"),
    ("maroon", "#800000"),
    ("navy", "#000080"),
    ("olive", "#808000"),
    ("orange", "#ffa500"),
    ("pink", "#ffc0cb"),
    ("purple", "#800080"),
    ("red", "#ff0000"),
    ("silver", "#c0c0c0"),
    ("teal", "#008080"),
    ("transparent", "#00000000"),
    ("white", "#ffffff"),
    ("yellow", "#ffff00"),
];

/// The color of that name, as it is written.
pub(super) fn hexadecimal(name: &str) -> Option<&'static str> {
    NAMED.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)).map(|(_, color)| *color)
}
