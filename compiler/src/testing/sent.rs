//! An input for listeners that owns its texts: what a test or a script sends.

use motix_vm::input::InputKind;
use motix_vm::{Hit, Input, PointerInput};

/// An input that owns its texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// What happens.
    pub kind: InputKind,
    /// Of a key or custom event, its name.
    pub name: String,
    /// The targets that it is for, from the topmost down.
    pub targets: Vec<String>,
    /// Where the pointer is in each of them, and in the scene.
    pub at: [f32; 2],
}

impl Sent {
    /// Gives the input to `send`.
    pub fn with<R>(&self, send: impl FnOnce(&Input<'_>) -> R) -> R {
        let hits: Vec<Hit<'_>> = self.targets.iter().map(|target| Hit::new(target, self.at)).collect();
        let targets: Vec<&str> = self.targets.iter().map(String::as_str).collect();
        let target = targets.first().copied().unwrap_or_default();
        send(&match (self.kind, self.kind.pointer()) {
            (_, Some(kind)) => Input::Pointer(PointerInput { kind, pointer: 0, hits: &hits, scene: self.at }),
            (InputKind::Focus, _) => Input::Focus(target),
            (InputKind::Blur, _) => Input::Blur(target),
            (InputKind::KeyDown, _) => Input::KeyDown(&self.name),
            (InputKind::KeyUp, _) => Input::KeyUp(&self.name),
            _ => Input::Custom { name: &self.name, targets: &targets },
        })
    }
}
