//! `motixc run`: where its inputs come from, and what it says when they are wrong.

mod common;

use common::{Run, motixc};

const SOURCE: &str = "
Behavior Hero {
    Param speed: number = 0 { Min 0 }
    Param armed: bool
    Param jump: trigger
    Param mood: enum(calm, angry) = calm
    Param name: string = \"x\"
    Param tint: color
    Extern Predicate Grounded
    Animation Idle { Looped Duration 1s }
    Animation Walk { Looped Group Legs Tags moving }
    InitialState Idle { Enter }
    State Idle {
        OnEntry { Play Idle }
        OnExit { Stop Idle }
        Transition Walk when speed > 0
        Transition Jump when jump and Grounded
    }
    State Walk {
        OnEntry { Play Walk }
        OnExit { Stop Walk }
        Transition Idle when speed == 0
    }
    State Jump
}
Test \"walks\" for Hero {
    Set speed = 1
    Step 3
    Expect state == Walk
}
Test \"walks too early\" for Hero {
    Step
    Set speed = 1
    Expect state == Walk
}
";

fn run(arguments: &[&str]) -> Run {
    motixc(&[&["run", "-", "--format", "json"], arguments].concat(), SOURCE.as_bytes())
}

/// The state at the end of each tick, runs of one state once.
fn states(run: &Run) -> Vec<String> {
    let mut states: Vec<String> = Vec::new();
    for line in run.out.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let state = line["state"].as_str().unwrap().to_owned();
        if states.last() != Some(&state) {
            states.push(state);
        }
    }
    states
}

fn refused(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}: {}", run.err);
    run.err
}

#[test]
fn inputs_come_from_flags() {
    let played = run(&["--set", "speed=1", "--at", "0.5s", "speed=0"]);
    assert_eq!(played.code, 0, "{}", played.err);
    assert_eq!(states(&played), ["Walk", "Idle"]);
    assert_eq!(played.out.lines().count(), 120, "at least two seconds at 60 ticks a second");

    let played = run(&["--request", "Jump@100", "--for", "100ms", "--fps", "20"]);
    assert_eq!(states(&played), ["Jump"]);
    assert_eq!(played.out.lines().count(), 2);

    let jump = ["--at", "0.25s", "fire:jump"];
    assert_eq!(states(&run(&jump)), ["Idle"], "an extern predicate counts as false");
    assert_eq!(states(&run(&[&jump[..], &["--provide", "Grounded=true"]].concat())), ["Idle", "Jump"]);
    // In a word with a colon, or as words.
    assert_eq!(states(&run(&["--at", "0", "request Walk@-3"])), ["Walk", "Idle"]);
}

#[test]
fn a_command_waits_for_the_next_tick() {
    let played = run(&["--at", "0.26s", "speed=1", "--fps", "10", "--for", "0.5s"]);
    let lines: Vec<serde_json::Value> =
        played.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[3]["inputs"][0], "set speed = 1");
    assert_eq!(lines[2]["state"], "Idle");
    assert_eq!(lines[3]["state"], "Walk");
    // What is left of the time is a shorter tick.
    let played = run(&["--fps", "10", "--for", "0.25s"]);
    let last: serde_json::Value = serde_json::from_str(played.out.lines().last().unwrap()).unwrap();
    assert!((last["dt"].as_f64().unwrap() - 0.05).abs() < 1e-6);
}

#[test]
fn inputs_come_from_a_script() {
    let script = std::env::temp_dir().join(format!("motix-run-{}.txt", std::process::id()));
    let text = "# keys\nspeed = 1\nat 0.5s set speed = 0 // stop\n+250ms request Jump@2\nmood = angry\ntint = #ff8800\n";
    std::fs::write(&script, text).unwrap();
    let played = run(&["--script", script.to_str().unwrap()]);
    std::fs::remove_file(&script).unwrap();
    assert_eq!(states(&played), ["Walk", "Idle", "Jump"], "{}", played.err);
    let last: serde_json::Value = serde_json::from_str(played.out.lines().last().unwrap()).unwrap();
    assert_eq!(last["params"]["mood"], "angry");
    assert_eq!(last["params"]["tint"], "#ff8800ff");

    std::fs::write(&script, "speed = 1\n0.5s fire jmp\n").unwrap();
    let played = run(&["--script", script.to_str().unwrap()]);
    std::fs::remove_file(&script).unwrap();
    assert_eq!(played.code, 2);
    assert!(played.err.contains("line 2: unknown parameter `jmp`; did you mean `jump`?"), "{}", played.err);
}

#[test]
fn inputs_come_from_a_test() {
    let played = run(&["--test", "walks"]);
    assert_eq!((played.code, states(&played)), (0, vec!["Walk".to_owned()]), "{}", played.err);
    assert!(played.err.contains("passed: 1 expectation holds"), "{}", played.err);

    let played = motixc(&["run", "-", "--test", "too early"], SOURCE.as_bytes());
    assert_eq!(played.code, 1);
    assert!(played.out.contains("✗ Expect state == Walk: state is Idle"), "{}", played.out);
    assert!(played.err.contains("FAILED at <stdin>:34"), "{}", played.err);

    assert!(refused(&["--test", "walk"]).contains("`walk` could be `walks`, `walks too early`"));
    assert!(
        refused(&["--test", "jump"])
            .contains("no test has `jump` in its name; there are `walks`, `walks too early`")
    );
}

#[test]
fn every_command_is_understood() {
    let commands = [
        "speed=2",
        "set speed = 2",
        "speed=200ms",
        "armed=true",
        "toggle:armed",
        "mood=angry",
        "name=a b",
        "name=\"=\"",
        "tint=#f80",
        "fire:jump",
        "request:Idle",
        "request:Jump@-5",
        "play:Walk",
        "stop:Walk",
        "stop:Walk immediate",
        "stopgroup:Legs",
        "stopgroup Legs immediate",
        "playtag:moving",
        "stoptag:moving",
        "layer Base = 0.5",
        "provide Grounded = true",
        "play:`Walk`",
    ];
    for command in commands {
        let played = run(&["--at", "0.1s", command, "--for", "0.3s"]);
        assert_eq!(played.code, 0, "{command}: {}", played.err);
    }
}

#[test]
fn wrong_inputs_are_refused_with_the_reason() {
    for (arguments, reason) in [
        (&["--set", "sped=1"][..], "unknown parameter `sped`; did you mean `speed`?"),
        (&["--set", "speed=fast"], "parameter `speed` is a number, not `fast`"),
        (&["--set", "speed=inf"], "parameter `speed` is a number, not `inf`"),
        (&["--set", "armed=1"], "parameter `armed` is a bool, true or false, not `1`"),
        (&["--set", "jump=true"], "`jump` is a trigger; fire it with `fire:jump`"),
        (&["--set", "mood=sad"], "parameter `mood` is one of `calm`, `angry`, not `sad`"),
        (&["--set", "tint=red"], "parameter `tint` is a color such as #ff8800, not `red`"),
        (&["--set", "speed"], "`set speed` is not complete; it is written `set PARAM = VALUE`"),
        (&["--at", "soon", "speed=1"], "`soon` is no time; write `0.5s` or `500ms`"),
        (&["--at", "0.5s", "explode"], "`explode` is no command"),
        (&["--at", "0.5s", "fire:speed"], "parameter `speed` is of type number, not trigger"),
        (&["--at", "0.5s", "play:Wlak"], "unknown animation `Wlak`; did you mean `Walk`?"),
        (&["--at", "0.5s", "layer Base = 2"], "a layer's weight is a number from 0 to 1, not `2`"),
        (&["--request", "Wlk"], "unknown state `Wlk`; did you mean `Walk`?"),
        (&["--request", "Walk@high"], "a priority is a whole number, not `high`"),
        (&["--provide", "Grounded=maybe"], "extern predicate `Grounded` is true or false, not `maybe`"),
        (&["--duration", "Walk=-1s"], "`-1s` is no time"),
        (&["--duration", "Idle=2s"], "the source itself gives the duration of `Idle`"),
        (&["--duration", "Walk"], "`Walk` is not written `ANIM=0.7s`"),
        (&["--fps", "0"], "a rate is above 0"),
        (&["--fps", "nan"], "a rate is above 0"),
        (&["--for", "1h"], "`1h` is no time"),
        (&["--behavior", "Hiro"], "unknown behavior `Hiro`; did you mean `Hero`?"),
        (&["--script", "-"], "standard input cannot be both the file and the script"),
        (&["--test", "walks", "--set", "speed=1"], "cannot be used with"),
        (&["--at", "0.5s"], "2 values required"),
    ] {
        let err = refused(arguments);
        assert!(err.contains(reason), "{arguments:?} gives {err}");
    }
}

#[test]
fn assumptions_are_told() {
    let played = run(&[]);
    assert!(played.err.contains(
        "1 s is assumed for `Walk`, whose length the host gives; `--duration Walk=0.7s` gives one"
    ));
    assert!(played.err.contains("`Grounded` counts as false; `--provide Grounded=true` answers"));
    assert!(played.err.contains(
        "nothing was asked of it; `--set speed=1` gives it an input, or `--test \"walks\"` a test"
    ));
    let played = run(&["--at", "3s", "speed=1", "--for", "1s"]);
    assert!(played.err.contains("1 of the commands come at the end (1 s) or later"), "{}", played.err);
    let played = run(&["--provide", "Grounded=true", "--duration", "Walk=2s", "--set", "speed=1"]);
    assert_eq!(played.err, "");
}

#[test]
fn of_several_behaviors_one_is_named() {
    let text = "Behavior A { InitialState X State X } Behavior B { InitialState Y State Y }";
    let played = motixc(&["run", "-"], text.as_bytes());
    assert_eq!(played.code, 2);
    assert!(
        played.err.contains("the file has several behaviors; `--behavior NAME` says which to play: `A`, `B`")
    );
    let played = motixc(&["run", "-", "--behavior", "B", "--format", "json"], text.as_bytes());
    assert_eq!(states(&played), ["Y"]);
    let played = motixc(&["run", "-"], b"Const X = 1");
    assert!(played.err.contains("there is no behavior in the file"), "{}", played.err);
}

#[test]
fn a_built_program_plays_the_same() {
    let file = std::env::temp_dir().join(format!("motix-run-{}.motixb", std::process::id()));
    let path = file.to_str().unwrap();
    let built = motixc(&["build", "-", "-o", path, "--strip"], SOURCE.as_bytes());
    assert_eq!(built.code, 0, "{}", built.err);
    let flags = ["--format", "json", "--set", "speed=1", "--at", "0.5s", "speed=0"];
    let played = motixc(&[&["run", path], &flags[..]].concat(), b"");
    let direct = run(&flags[2..]);
    let test = motixc(&["run", path, "--test", "walks"], b"");
    std::fs::remove_file(&file).unwrap();
    assert_eq!(played.out, direct.out);
    assert!(test.err.contains("a built program has no tests"), "{}", test.err);
    assert_eq!(motixc(&["run", "-"], b"MOTIXB\r\n\0").code, 1);
}

#[test]
fn csv_has_one_row_a_tick() {
    let played =
        motixc(&["run", "-", "--format", "csv", "--set", "name=a,\"b", "--for", "50ms"], SOURCE.as_bytes());
    let rows: Vec<&str> = played.out.lines().collect();
    assert_eq!(rows.len(), 4, "{}", played.out);
    assert!(rows[0].starts_with("time,dt,state,layer Base,weight Idle,time Idle,phase Idle,weight Walk,"));
    assert!(rows[1].contains(",Idle,") && rows[1].contains("\"a,\"\"b\""), "{}", rows[1]);
    assert!(rows[1].ends_with(",Enter(Idle); Play(Idle)"), "{}", rows[1]);
    assert_eq!(motixc(&["run", "-", "--format", "junit"], SOURCE.as_bytes()).code, 2);
}

#[test]
fn a_source_with_errors_is_not_played() {
    let played = motixc(&["run", "-"], b"Behavior A { InitialState X }");
    assert_eq!((played.code, played.out.as_str()), (1, ""));
    assert!(played.err.contains("error"));
}

#[test]
fn the_width_is_kept() {
    for width in ["40", "60", "100", "250"] {
        for extra in [&[][..], &["--ascii"]] {
            let arguments = [&["run", "-", "--width", width, "--at", "0.5s", "speed=1"], extra].concat();
            let played = motixc(&arguments, SOURCE.as_bytes());
            for line in played.out.lines() {
                assert!(line.chars().count() <= width.parse().unwrap(), "{width}: {line}");
                assert!(extra.is_empty() || line.is_ascii(), "{line}");
            }
        }
    }
}

const BUTTON: &str = "
Behavior Button {
    Param on: bool
    Param x: number
    InitialState Off
    State Off { Transition On when on }
    State On { Transition Off when not on }
    Listener \"button bg\" {
        On click { Toggle on }
        On mousemove { Set x = pointer_x }
        On keydown \"Enter\" { Toggle on }
    }
    Listener \"icon\" { On focus {} }
    Listener { On \"reset\" { SetFalse on } }
}
";

#[test]
fn listeners_hear_what_is_sent() {
    let play = |arguments: &[&str]| {
        let run = motixc(&[&["run", "-", "--format", "json"], arguments].concat(), BUTTON.as_bytes());
        assert_eq!(run.code, 0, "{}", run.err);
        run
    };
    assert_eq!(states(&play(&["--at", "0.5s", "pointer click button bg"])), ["Off", "On"]);
    assert_eq!(states(&play(&["--at", "0.5s", "pointer:click:icon,\"button bg\""])), ["Off", "On"]);
    assert_eq!(states(&play(&["--at", "0.5s", "key:keydown:Enter"])), ["Off"], "nothing has the focus");
    let focus = ["--at", "0.2s", "pointer focus button bg"];
    let key = ["--at", "0.5s", "key keydown Enter", "--at", "1s", "custom:reset"];
    assert_eq!(states(&play(&[&focus[..], &key[..]].concat())), ["Off", "On", "Off"]);
    let moved = play(&["--at", "0.1s", "pointer mousemove button bg at 0.25, 50%"]);
    assert!(moved.out.contains("0.25"), "{}", moved.out);

    let human = motixc(&["run", "-", "--at", "0.5s", "pointer click"], BUTTON.as_bytes());
    assert!(human.out.contains("pointer click (not heard)"), "{}", human.out);
}

#[test]
fn inputs_that_no_listener_can_hear_are_refused() {
    for (command, message) in [
        ("pointer clic icon", "`clic` is none of `mouseenter`"),
        ("pointer keydown Enter", "`keydown` is none of `mouseenter`"),
        ("pointer click icn", "unknown target `icn`; did you mean `icon`?"),
        ("pointer click icon at 2, 0", "a place is two numbers from 0 to 1"),
        ("pointer focus", "`focus` is written `pointer focus TARGET`"),
        ("key click a", "`click` is none of `keydown`, `keyup`"),
        ("key keydown", "the key is missing"),
        ("custom rest", "unknown custom event that a listener hears `rest`; did you mean `reset`?"),
        ("pointer", "it is written `pointer EVENT"),
    ] {
        let run = motixc(&["run", "-", "--at", "0.5s", command], BUTTON.as_bytes());
        assert_eq!(run.code, 2, "{command}");
        assert!(run.err.contains(message), "{command}: {}", run.err);
    }
}

const CARD: &str = "
Behavior Heart {
    Param liked: bool
    Param beat: trigger
    Extern Predicate IsAwake
    Animation Beat { Duration 200ms }
    InitialState Off
    State Off { Transition On when liked and IsAwake }
    State On { Transition Off when beat }
}
Behavior Card {
    Param selected: bool
    Component like: Heart
    InitialState Idle
    State Idle
}
";

/// The last tick of a `Card` that was commanded.
fn card(commands: &[&str]) -> serde_json::Value {
    let at: Vec<&str> = commands.iter().flat_map(|command| ["--at", "0.1s", command]).collect();
    let flags = ["run", "-", "--behavior", "Card", "--format", "json", "--for", "0.15s"];
    let run = motixc(&[&flags, &at[..]].concat(), CARD.as_bytes());
    assert_eq!(run.code, 0, "{commands:?}: {}", run.err);
    serde_json::from_str(run.out.lines().last().unwrap()).unwrap()
}

#[test]
fn commands_reach_into_components() {
    assert_eq!(card(&["selected=true"])["layer_states"]["like"], "Off");
    assert_eq!(card(&["like.liked=true"])["layer_states"]["like"], "Off");
    let answered = card(&["like.liked=true", "provide like.IsAwake = true"]);
    assert_eq!(answered["layer_states"]["like"], "On");
    assert_eq!(card(&["toggle:like.liked"])["params"]["like.liked"], true);
    assert_eq!(card(&["request:like.On"])["layer_states"]["like"], "On");
    assert_eq!(card(&["request:like.On", "fire:like.beat"])["layer_states"]["like"], "Off");
    let played = card(&["play:like.Beat"]);
    assert_eq!(played["animations"][0]["name"], "like.Beat", "{played}");
    for (command, reason) in [
        ("like.likd=true", "unknown parameter `likd`; did you mean `liked`?"),
        ("fire:like.liked", "parameter `liked` is of type bool, not trigger"),
        ("request:lik.On", "unknown state `lik.On`"),
    ] {
        let run = motixc(&["run", "-", "--behavior", "Card", "--at", "0.1s", command], CARD.as_bytes());
        assert_eq!(run.code, 2, "{command}");
        assert!(run.err.contains(reason), "{command}: {}", run.err);
    }
}
