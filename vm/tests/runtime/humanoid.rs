//! The builder-style machine: states that play and stop clips.

use motix_vm::ids::{MachineId, StateId};

use crate::sketch::humanoid;
use crate::world::{World, near};

#[test]
fn creation_runs_no_entry_action() {
    let mut world = World::new(humanoid());
    assert_eq!(world.tick(1.0 / 60.0), [""; 0]);
    assert_eq!(world.state(), "Idle");
    assert!(!world.playing("Idle"));
}

#[test]
fn a_predicate_moves_the_machine_and_exit_comes_before_entry() {
    let mut world = World::new(humanoid());
    world.set("moveMagnitude", 0.5);
    assert_eq!(world.tick(1.0 / 60.0), ["Exit(Idle)", "Enter(Walk)", "Play(Walk)"]);
    world.set("walkSpeed", 20.0);
    assert_eq!(world.tick(1.0 / 60.0), ["Exit(Walk)", "Stop(Walk)", "Enter(Run)", "Play(Run)"]);
    world.set("moveMagnitude", 0.0);
    world.tick(1.0 / 60.0);
    assert_eq!(world.state(), "Idle");
    assert!(world.playing("Idle") && !world.playing("Run"));
}

#[test]
fn an_animation_fades_in_from_the_tick_that_starts_it() {
    let mut world = World::new(humanoid());
    world.set("moveMagnitude", 0.5);
    world.tick(0.075);
    near(world.weight("Walk"), 0.5);
    world.tick(0.075);
    near(world.weight("Walk"), 1.0);
    world.set("moveMagnitude", 0.0);
    world.tick(0.1);
    near(world.weight("Idle"), 0.5);
    near(world.weight("Walk"), 0.333_333);
}

#[test]
fn of_several_requests_the_highest_fires_before_any_predicate() {
    let mut world = World::new(humanoid());
    world.set("moveMagnitude", 1.0);
    world.set("walkSpeed", 20.0);
    world.request(StateId(1), 50);
    world.request(StateId(3), 100);
    let events = world.tick(1.0 / 60.0);
    assert_eq!(events, ["Dropped(Walk)", "Exit(Idle)", "Enter(Jump)", "Play(Jump)"]);
    world.ticks(60, 1.0 / 60.0);
    assert_eq!(world.state(), "Jump");
}

#[test]
fn what_a_request_displaced_is_forgotten() {
    let mut world = World::new(humanoid());
    world.request(StateId(1), 50);
    world.request(StateId(3), 100);
    assert!(world.tick(1.0 / 60.0).contains(&"Dropped(Walk)".to_owned()));
    assert!(!world.ticks(3, 1.0 / 60.0).contains(&"Enter(Walk)".to_owned()));
}

#[test]
fn a_request_for_the_current_state_does_nothing_and_counts_as_none() {
    let mut world = World::new(humanoid());
    world.set("moveMagnitude", 0.5);
    world.tick(1.0 / 60.0);
    world.request(StateId(1), 100);
    assert_eq!(world.tick(1.0 / 60.0), [""; 0]);
    world.request(StateId(1), 100);
    world.set("walkSpeed", 20.0);
    world.tick(1.0 / 60.0);
    assert_eq!(world.state(), "Run");
}

#[test]
fn the_block_is_small() {
    assert!(World::new(humanoid()).instance.size_of_state() <= 128);
    let mut open = humanoid();
    for row in &mut open.rows.animations {
        row.duration = None;
    }
    let program = crate::support::program(open.tables());
    let layout = program.layout(motix_vm::ids::BehaviorId(0)).expect("it is there");
    assert_eq!(layout.bytes(), 144);
}

/// The program that the documentation of the crate embeds. To write it anew: `MOTIX_BLESS=1 cargo test -p motix-vm`.
#[test]
fn the_golden_program_is_the_humanoid() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/humanoid.motixb");
    let program = crate::support::program(humanoid().tables());
    if std::env::var_os("MOTIX_BLESS").is_some() {
        std::fs::write(path, program.encode(Default::default())).expect("it can be written");
    }
    let bytes = std::fs::read(path).expect("it is there");
    let golden = motix_vm::Program::load(&bytes).expect("programs of this version stay loadable");
    assert_eq!(golden.tables(), program.tables());
    assert!(bytes.len() < 4096);
}

/// A save of this version, taken in the middle of things. If it changes, the meaning of a block did: once this version is
/// released, `VERSION` in `instance/save.rs` counts up, so that older saves are refused and not misread.
#[test]
fn the_golden_save_is_what_the_golden_script_leaves() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/humanoid.mxsv");
    let mut world = World::new(humanoid());
    for (magnitude, speed, ticks) in [(0.0, 16.0, 9), (1.0, 16.0, 40), (1.0, 20.0, 5)] {
        world.set("moveMagnitude", magnitude);
        world.set("walkSpeed", speed);
        world.ticks(ticks, 1.0 / 60.0);
    }
    world.play("Jump");
    let save = world.instance.save();
    if std::env::var_os("MOTIX_BLESS").is_some() {
        std::fs::write(path, &save).expect("it can be written");
    }
    assert_eq!(std::fs::read(path).expect("it is there"), save);
    let mut other = World::new(humanoid());
    other.instance.restore(&save).expect("saves of this version stay readable");
    assert_eq!(other.tick(0.1), world.tick(0.1));
    assert_eq!(other.instance.state_hash(), world.instance.state_hash());
}

/// A trigger with a lifetime keeps an instance from the short way through a tick; what comes out is the same bits.
#[test]
fn the_short_way_through_a_tick_changes_nothing() {
    let mut other = humanoid();
    let trigger = crate::sketch::Sketch::trigger(&mut other, "unused");
    other.rows.params[trigger.index()].lifetime = motix_vm::program::tables::Lifetime::Seconds(1.0);
    let (mut short, mut long) = (World::new(humanoid()), World::new(other));
    let mut dice = crate::random::Dice::new(5);
    for _ in 0..3000 {
        if dice.chance(5) {
            let (magnitude, speed) = (dice.number(1.0), 10.0 + dice.number(20.0));
            for world in [&mut short, &mut long] {
                world.set("moveMagnitude", magnitude);
                world.set("walkSpeed", speed);
            }
        }
        let dt = dice.number(0.05);
        assert_eq!(short.tick(dt), long.tick(dt));
        assert!(short.instance.samples().eq(long.instance.samples()));
        assert_eq!(short.instance.elapsed(MachineId(0)), long.instance.elapsed(MachineId(0)));
    }
}
