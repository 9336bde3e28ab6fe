//! The comparison's rows in Lua, one a line on standard output; the program that prints the table runs it.
//!
//! Built once with LuaJIT and once with Luau: two Luas do not fit into one program.
//!
//!     motix-comparison-lua machines INSTANCES FRAMES
//!     motix-comparison-lua compile BEHAVIORS RUNS

#[path = "../../src/asking.rs"]
mod asking;
#[allow(dead_code, reason = "the predicates' rows use only its later half")]
#[path = "../../../benches/handwritten.rs"]
mod handwritten;
#[path = "../../src/machines.rs"]
mod machines;
mod source;
#[path = "../../../benches/workload.rs"]
mod workload;

use std::env;
use std::time::Instant;

use asking::{Asking, Predicate};
use machines::{Machines, measure};
use mlua::{Function, Lua, Result, Table};

#[cfg(feature = "luau")]
const ENGINE: &str = "Luau";
#[cfg(not(feature = "luau"))]
const ENGINE: &str = "LuaJIT";

const PREDICATES: &str = "return
    function(magnitude, speed) return magnitude <= 0.1 end,
    function(magnitude, speed) return magnitude > 0.1 and speed < 18 end,
    function(magnitude, speed) return magnitude > 0.1 and speed >= 18 end";

/// A whole machine in Lua: one call a frame.
struct Whole {
    /// What the functions live in.
    _lua: Lua,
    set: Function,
    tick: Function,
    state: Function,
    weight: Function,
}

impl Whole {
    fn new(lua: Lua, text: &str, instances: usize) -> Result<Self> {
        let module: Table = lua.load(text).eval()?;
        module.get::<Function>("create")?.call::<()>(instances)?;
        Ok(Self {
            _lua: lua,
            set: module.get("set")?,
            tick: module.get("tick")?,
            state: module.get("state")?,
            weight: module.get("weight")?,
        })
    }
}

/// What a call gives; a fault in the Lua of this package ends the program.
fn given<T>(result: Result<T>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

impl Machines for Whole {
    fn set(&mut self, index: usize, magnitude: f32, speed: f32) {
        given(self.set.call::<()>((index + 1, magnitude, speed)));
    }

    fn tick(&mut self, dt: f32) {
        given(self.tick.call::<()>(dt));
    }

    fn samples(&mut self) -> bool {
        false
    }

    fn state(&mut self, index: usize) -> u8 {
        given(self.state.call::<u8>(index + 1)) - 1
    }

    fn weight(&mut self, index: usize, clip: u8) -> f32 {
        given(self.weight.call((index + 1, clip + 1)))
    }
}

/// A fresh Lua, with or without native code.
fn lua(native: bool) -> Lua {
    let lua = Lua::new();
    #[cfg(feature = "luau")]
    {
        lua.set_compiler(mlua::chunk::Compiler::new().set_optimization_level(2));
        lua.enable_jit(native);
    }
    #[cfg(not(feature = "luau"))]
    assert!(native && given(lua.load("return (jit.status())").eval::<bool>()));
    lua
}

fn machines(instances: usize, frames: usize) -> Result<()> {
    let ways: &[(bool, &str)] = if cfg!(feature = "luau") {
        &[(false, "Luau"), (true, "Luau, native code")]
    } else {
        &[(true, "LuaJIT")]
    };
    for &(native, engine) in ways {
        let lua = lua(native);
        let (idle, walking, running): (Function, Function, Function) = lua.load(PREDICATES).eval()?;
        let mut asking = Asking::new(instances, |predicate, magnitude, speed| {
            let asked = match predicate {
                Predicate::Idle => &idle,
                Predicate::Walking => &walking,
                Predicate::Running => &running,
            };
            given(asked.call::<bool>((magnitude, speed)))
        });
        let name = format!("predicates in {engine}, the rest in Rust");
        println!("{}", measure(&name, instances, frames, &mut asking).line());
        for (text, kind) in
            [(include_str!("humanoid.lua"), "by hand"), (include_str!("tables.lua"), "as tables")]
        {
            let name = format!("whole machine in {engine}, {kind}");
            let mut whole = Whole::new(self::lua(native), text, instances)?;
            println!("{}", measure(&name, instances, frames, &mut whole).line());
        }
    }
    Ok(())
}

/// The best of several runs, in nanoseconds, beside the lines.
fn compile(behaviors: usize, runs: usize) -> Result<()> {
    let text = source::source(behaviors);
    let mut best = f64::INFINITY;
    for _ in 0..runs {
        let lua = lua(true);
        let start = Instant::now();
        #[cfg(feature = "luau")]
        let made = mlua::chunk::Compiler::new().compile(&text)?;
        #[cfg(not(feature = "luau"))]
        let made = lua.load(&text).into_function()?;
        best = best.min(start.elapsed().as_nanos() as f64);
        drop((made, lua));
    }
    // What is measured is a program that runs: its last behavior has six states.
    let lua = lua(true);
    let all: Table = lua.load(&text).eval()?;
    let last: Function = all.get(format!("Character{}", behaviors - 1))?;
    let states: Table = last.call::<Table>(())?.get("states")?;
    assert_eq!(states.pairs::<String, Table>().count(), 6);
    println!("{ENGINE}\t{}\t{best}", text.lines().count());
    Ok(())
}

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("`{text}` is not a number"));
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["machines", instances, frames] => machines(number(instances), number(frames)),
        ["compile", behaviors, runs] => compile(number(behaviors), number(runs)),
        _ => panic!("machines INSTANCES FRAMES, or compile BEHAVIORS RUNS"),
    }
}
