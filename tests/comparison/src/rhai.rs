//! The rows in Rhai: its expressions as predicates, and the whole machine.

use std::hint::black_box;

use rhai::{AST, Array, CallFnOptions, Dynamic, Engine, Map, OptimizationLevel, Scope};

use motix_tests::bench::given;

use crate::asking::{Asking, Predicate};
use crate::machines::Machines;

/// An engine that optimizes what it compiles.
fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.set_optimization_level(OptimizationLevel::Full);
    engine
}

/// The hand-written machine; its predicates are compiled expressions over two variables.
pub(crate) fn predicates(instances: usize) -> Box<dyn Machines> {
    let engine = engine();
    let mut scope = Scope::new();
    scope.push("magnitude", 0.0_f32).push("speed", 0.0_f32);
    let compile = |text| given(engine.compile_expression(text));
    let (idle, walking, running) = (
        compile("magnitude <= 0.1"),
        compile("magnitude > 0.1 && speed < 18.0"),
        compile("magnitude > 0.1 && speed >= 18.0"),
    );
    Box::new(Asking::new(instances, move |predicate, magnitude, speed| {
        scope.set_value("magnitude", magnitude).set_value("speed", speed);
        let asked = match predicate {
            Predicate::Idle => &idle,
            Predicate::Walking => &walking,
            Predicate::Running => &running,
        };
        given(engine.eval_ast_with_scope::<bool>(&mut scope, asked))
    }))
}

/// The whole machine: a call for each character, which is an object.
pub(crate) struct Whole {
    engine: Engine,
    ast: AST,
    all: Vec<Dynamic>,
}

impl Whole {
    pub(crate) fn new(instances: usize) -> Self {
        let engine = engine();
        let ast = given(engine.compile(include_str!("humanoid.rhai")));
        let zeros = || Dynamic::from_array(vec![Dynamic::from(0.0_f32); 4]);
        let one = || {
            let fields = [
                ("magnitude", Dynamic::from(0.0_f32)),
                ("speed", Dynamic::from(16.0_f32)),
                ("state", Dynamic::from(0_i64)),
                ("layer_weight", Dynamic::from(1.0_f32)),
                ("layer_target", Dynamic::from(1.0_f32)),
                ("commands", Dynamic::from_array(Array::new())),
                ("weight", zeros()),
                ("time", zeros()),
                ("slope", zeros()),
                ("playing", Dynamic::from_array(vec![Dynamic::from(false); 4])),
            ];
            Dynamic::from_map(fields.into_iter().map(|(name, value)| (name.into(), value)).collect())
        };
        Self { engine, ast, all: (0..instances).map(|_| one()).collect() }
    }

    fn field(&self, index: usize, name: &str) -> Dynamic {
        let map = self.all[index].read_lock::<Map>();
        map.and_then(|map| map.get(name).cloned()).unwrap_or_else(|| panic!("no field `{name}`"))
    }
}

impl Machines for Whole {
    fn set(&mut self, index: usize, magnitude: f32, speed: f32) {
        let Some(mut map) = self.all[index].write_lock::<Map>() else { return };
        map.insert("magnitude".into(), magnitude.into());
        map.insert("speed".into(), speed.into());
    }

    fn tick(&mut self, dt: f32) {
        let mut scope = Scope::new();
        for character in &mut self.all {
            let options = CallFnOptions::new().eval_ast(false).bind_this_ptr(character);
            given(self.engine.call_fn_with_options::<()>(options, &mut scope, &self.ast, "tick", (dt,)));
            black_box(character);
        }
    }

    fn samples(&mut self) -> bool {
        false
    }

    fn state(&mut self, index: usize) -> u8 {
        self.field(index, "state").as_int().map_or(u8::MAX, |state| state as u8)
    }

    fn weight(&mut self, index: usize, clip: u8) -> f32 {
        let weights = self.field(index, "weight").into_typed_array::<f32>().unwrap_or_default();
        weights.get(usize::from(clip)).copied().unwrap_or(f32::NAN)
    }
}
