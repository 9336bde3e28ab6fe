//! The timeline and the lines for tools, drawn from a recording made by hand.

use insta::assert_snapshot;
use motix_compiler::cli::timeline::{
    Animation, Happening, Machine, Mark, MarkKind, Param, ParamValue, Playing, Recording, Style, Tick, csv,
    json, render,
};

/// Idle, walk from 0.5 s, jump from 1.2 s; one and a half seconds at 60 ticks a second.
fn recording() -> Recording {
    let mut recording = Recording {
        behavior: "Humanoid".into(),
        test: None,
        fps: 60.0,
        machines: vec![
            Machine { layer: None, states: vec!["Idle".into(), "Walk".into(), "Jump".into()] },
            Machine { layer: Some("Upper".into()), states: vec!["Rest".into(), "Aim.Ready".into()] },
        ],
        layers: vec!["Base".into(), "Upper".into()],
        animations: ["Idle", "Walk", "Jump", "Never"]
            .map(|name| Animation { name: name.into(), layer: 0 })
            .to_vec(),
        params: vec![
            Param { name: "moveMagnitude".into(), initial: ParamValue::Number(0.0) },
            Param { name: "jump".into(), initial: ParamValue::Trigger(false) },
            Param { name: "grounded".into(), initial: ParamValue::Bool(true) },
            Param { name: "mood".into(), initial: ParamValue::Word("calm".into()) },
            Param { name: "still".into(), initial: ParamValue::Number(3.0) },
        ],
        properties: vec![
            Param { name: "button-bg opacity".into(), initial: ParamValue::Number(0.5) },
            Param { name: "button-bg color".into(), initial: ParamValue::Color(0x3366_CCFF) },
            Param { name: "icon scale".into(), initial: ParamValue::Number(1.0) },
        ],
        start: Tick { states: vec![0, 0], layers: vec![1.0, 0.0], ..Tick::default() },
        ticks: Vec::new(),
        marks: Vec::new(),
    };
    let event = |time: f64, kind: &'static str, text: &str| Happening {
        time,
        kind,
        text: text.into(),
        count: 1,
        trouble: kind == "Reject",
    };
    let dt = 1.0_f32 / 60.0;
    for index in 0..90_usize {
        let start = index as f64 / 60.0;
        let end = (index + 1) as f64 / 60.0;
        let state = usize::from(index >= 30) + usize::from(index >= 72);
        let ramp =
            |from: usize, length: f32| ((index + 1).saturating_sub(from) as f32 / (60.0 * length)).min(1.0);
        let walk = if index < 30 {
            0.0
        } else {
            ramp(30, 0.15) * (1.0 - if index < 72 { 0.0 } else { ramp(72, 0.1) })
        };
        let jump = if index < 72 { 0.0 } else { ramp(72, 0.05) };
        let mut tick = Tick {
            time: end,
            dt,
            states: vec![state, usize::from(index >= 40)],
            layers: vec![1.0, if index < 40 { 0.0 } else { ramp(40, 0.4) }],
            ..Tick::default()
        };
        for (animation, weight) in [(1, walk), (2, jump)] {
            if weight > 0.0 {
                tick.playing.push((animation, Playing { weight, time: weight, phase: 0.5 }));
            }
        }
        if (30..60).contains(&index) {
            let share = (index - 29) as f32 / 30.0;
            let blue = 0xCC + (0x33 * (index as u32 - 29)) / 30;
            let color = ParamValue::Color(0x3366_00FF | blue << 8);
            tick.values = vec![(0, ParamValue::Number(0.5 + share / 2.0)), (1, color)];
        }
        match index {
            30 => {
                tick.changed = vec![(0, ParamValue::Number(0.5))];
                tick.events = vec![
                    event(start, "Exit", "Exit(Idle)"),
                    event(start, "Enter", "Enter(Walk)"),
                    event(start, "Play", "Play(Walk)"),
                ];
                recording.marks.push(Mark {
                    time: start,
                    kind: MarkKind::Input,
                    text: "set moveMagnitude = 0.5".into(),
                });
            }
            40 => tick.changed = vec![(3, ParamValue::Word("angry".into()))],
            60 => tick.changed = vec![(1, ParamValue::Trigger(true))],
            61 => tick.changed = vec![(1, ParamValue::Trigger(false))],
            72 => {
                tick.changed = vec![(2, ParamValue::Bool(false))];
                tick.events = vec![
                    event(start, "Exit", "Exit(Walk)"),
                    event(start, "Stop", "Stop(Walk)"),
                    event(start, "Enter", "Enter(Jump)"),
                    event(start, "Play", "Play(Jump)"),
                    event(start + 0.01, "Reject", "Reject(Wave)"),
                ];
            }
            _ => {}
        }
        recording.ticks.push(tick);
    }
    recording
}

fn drawn(recording: &Recording, width: usize, color: bool, ascii: bool) -> String {
    let text = render(recording, Style { width, color, ascii });
    if !color {
        for line in text.lines() {
            let columns = line.chars().count();
            assert!(columns <= width.max(40), "{columns} columns in {width}: {line}");
        }
    }
    text
}

#[test]
fn a_timeline_is_drawn() {
    assert_snapshot!("plain", drawn(&recording(), 90, false, false));
    assert_snapshot!("narrow", drawn(&recording(), 20, false, false));
    assert_snapshot!("ascii", drawn(&recording(), 60, false, true));
}

#[test]
fn colors_are_escapes_around_the_same_rows() {
    let text = drawn(&recording(), 70, true, false);
    assert_snapshot!("color", text.replace('\u{1b}', "ESC"));
}

#[test]
fn names_cannot_break_the_drawing() {
    let mut recording = recording();
    recording.behavior = "Bad\u{1b}[2J\nName".into();
    recording.test =
        Some("a test whose name is much longer than any terminal is wide, and goes on and on".repeat(3));
    recording.layers[0] = "a layer with a name that is far too long".into();
    recording.machines[0].states[1] = "\u{6b69}\u{304f}".into();
    recording.animations[1].name = "e\u{301}t\u{e9}".into();
    recording.params[3].initial = ParamValue::Word("\t".into());
    recording.marks[0].text = format!("Expect {} {}", "long words ".repeat(12), "x".repeat(150));
    for ascii in [false, true] {
        let text = render(&recording, Style { width: 80, color: false, ascii });
        assert!(!text.contains(['\u{1b}', '\t']), "{text}");
        assert!(!ascii || text.is_ascii(), "{text}");
        let columns = |line: &str| line.chars().filter(|c| *c != '\u{301}').count();
        assert!(text.lines().all(|line| columns(line) <= 80), "{text}");
    }
    assert_snapshot!("names", render(&recording, Style { width: 80, color: false, ascii: false }));
}

#[test]
fn a_recording_without_time_is_drawn() {
    let empty = Recording { ticks: Vec::new(), ..recording() };
    assert_snapshot!("empty", drawn(&empty, 60, false, false));
    let mut still = recording();
    still.ticks.truncate(3);
    for tick in &mut still.ticks {
        (tick.time, tick.dt) = (0.0, 0.0);
    }
    still.marks.clear();
    assert!(drawn(&still, 60, false, false).contains("Idle"));
}

#[test]
fn lines_for_tools_hold_the_tick() {
    let recording = recording();
    assert_snapshot!("json", json(&recording).skip(30).take(2).collect::<Vec<_>>().join("\n"));
    assert_snapshot!("csv", csv(&recording).skip(29).take(3).collect::<Vec<_>>().join("\n"));
    assert_eq!(json(&recording).count(), recording.ticks.len());
    let columns = |row: &str| row.split(',').count();
    let rows: Vec<String> = csv(&recording).collect();
    assert_eq!(columns(&rows[0]), columns(&rows[1]));
}
