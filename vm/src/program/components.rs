//! Components by name: `like`, `like.knob`; their paths, targets and behaviors.
//!
//! An id means something in one behavior and in the instances of it: it counts all that is inside. What a component
//! has is looked up in the behavior that it runs.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::lookup::BehaviorRef;
use super::names::UnknownName;
use super::{Program, tables};
use crate::ids::{AnimationId, BehaviorId, ComponentId, TextId};

/// A clip, by its texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clip<'p> {
    /// The name of the animation, in the behavior of its component.
    pub name: &'p str,
    /// What the host knows it by: its `AssetId`, or its name where it has none.
    pub asset: &'p str,
}

impl<'p> BehaviorRef<'p> {
    /// The component with that name; with dots between, one that is inside others.
    ///
    /// # Errors
    ///
    /// Nothing has it; the error names the nearest.
    pub fn component(self, path: &str) -> Result<ComponentId, UnknownName> {
        let (mut at, mut id, mut rest) = (self, 0_u32, path);
        loop {
            let names = at.rows.components.iter().map(|row| self.program.text(row.name));
            // A name may hold dots itself: the longest one that fits.
            let fits = |name: &str| match rest.strip_prefix(name) {
                Some(after) => after.is_empty() || after.starts_with('.'),
                None => false,
            };
            let found =
                names.clone().enumerate().filter(|(_, name)| fits(name)).max_by_key(|(_, name)| name.len());
            let inside = found.and_then(|(row, name)| Some((at.inside(row)?, name)));
            let Some(((behavior, part), name)) = inside else {
                return Err(UnknownName::new("component", rest, names));
            };
            id = id.saturating_add(part);
            (at, rest) = (behavior, rest.get(name.len()..).unwrap_or_default());
            match rest.strip_prefix('.') {
                Some(after) => rest = after,
                None => return Ok(ComponentId(id)),
            }
        }
    }

    /// The behavior of a component, and how many parts before it are counted.
    fn inside(self, row: usize) -> Option<(BehaviorRef<'p>, u32)> {
        let behavior = self.program.at(self.rows.components.get(row)?.behavior)?;
        Some((behavior, self.program.layout(self.id())?.inner.get(row)?.part))
    }

    /// All components, each before those that are inside it, in order of declaration.
    pub fn components(self) -> impl Iterator<Item = ComponentId> {
        let count = self.program.layout(self.id()).map_or(0, |layout| layout.tree.parts);
        (1..count).map(ComponentId)
    }

    /// The animations whose durations the program leaves to the host, those of components included.
    pub fn open_durations(self) -> impl Iterator<Item = (ComponentId, AnimationId)> {
        self.program.parts(self.id()).flat_map(move |(id, part)| {
            let rows = self.program.behavior(part.behavior).map_or(&[][..], |rows| &rows.animations);
            let open = rows.iter().enumerate().filter(|(_, row)| row.duration.is_none());
            open.filter_map(move |(index, _)| Some((id, AnimationId::from_index(index)?)))
        })
    }

    /// The targets that listeners have, those of components with the components' targets before them.
    pub fn scene_targets(self) -> impl Iterator<Item = String> {
        core::iter::once(ComponentId::ROOT).chain(self.components()).flat_map(move |id| {
            let before = self.component_target(id);
            let targets = self.component_behavior(id).into_iter().flat_map(BehaviorRef::targets);
            targets.map(
                move |target| {
                    if before.is_empty() { String::from(target) } else { [&before, target].join("/") }
                },
            )
        })
    }

    /// Whether a listener has that target, which may be one of a component.
    ///
    /// # Errors
    ///
    /// No listener has it; the error names the nearest.
    pub fn scene_target(self, name: &str) -> Result<(), UnknownName> {
        let known: Vec<String> = self.scene_targets().collect();
        if known.iter().any(|target| target == name) {
            return Ok(());
        }
        Err(UnknownName::new("target", name, known.iter().map(String::as_str)))
    }

    /// The behavior that a component runs, to look up what it has; of [`ComponentId::ROOT`], this one. `None` for an id
    /// of another behavior.
    #[must_use]
    pub fn component_behavior(self, id: ComponentId) -> Option<BehaviorRef<'p>> {
        self.program.at(self.program.part(self.id(), id)?.behavior)
    }

    /// The clip that a sample or an event tells of, by the component that it is of: the ids of a sample mean nothing in
    /// the behavior around that. `None` for ids of another behavior.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use motix_vm::{Frame, Instance, Program, Setup};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let program = Arc::new(Program::load(include_bytes!("../../tests/golden/humanoid.motixb"))?);
    /// let humanoid = program.find("Humanoid")?;
    /// let mut instance = Instance::new(&program, humanoid.id(), &Setup::default())?;
    /// instance.play(humanoid.animation("Jump")?)?;
    /// instance.tick(0.1, &mut Frame::new())?;
    /// for sample in instance.samples() {
    ///     let clip = humanoid.clip(sample.component, sample.animation).ok_or("it is of this behavior")?;
    ///     assert_eq!(clip.name, "Jump");
    ///     println!("{} at {:.2} s", clip.asset, sample.time);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn clip(self, component: ComponentId, animation: AnimationId) -> Option<Clip<'p>> {
        let row = self.component_behavior(component)?.rows.animations.get(animation.index())?;
        Some(Clip { name: self.program.text(row.name), asset: self.program.text(row.asset) })
    }

    /// A component's names from here, with dots between; empty for [`ComponentId::ROOT`] and for an id of another
    /// behavior.
    #[must_use]
    pub fn component_path(self, id: ComponentId) -> String {
        self.program.component_names(self.id(), id, |row| row.name).join(".")
    }

    /// What stands before the names of a component's targets in the host's scene, the slash after it not included.
    #[must_use]
    pub fn component_target(self, id: ComponentId) -> String {
        self.program.component_names(self.id(), id, |row| row.target).join("/")
    }
}

impl Program {
    /// A text of each component that leads to one.
    fn component_names(
        &self,
        behavior: BehaviorId,
        id: ComponentId,
        text: impl Fn(&tables::Component) -> TextId,
    ) -> Vec<&str> {
        let mut names = Vec::new();
        self.parts_to(behavior, id, |behavior, row| {
            let row = self.behavior(behavior).and_then(|rows| rows.components.get(row));
            names.extend(row.map(|row| self.text(text(row))));
        });
        names
    }

    /// A name of a component's behavior, with its path before it.
    pub(crate) fn inner_name(&self, behavior: BehaviorId, id: ComponentId, name: TextId) -> String {
        let mut names = self.component_names(behavior, id, |row| row.name);
        names.push(self.text(name));
        names.join(".")
    }

    /// The name of a component's animation, with its path before it.
    pub(crate) fn animation_text(
        &self,
        behavior: BehaviorId,
        id: ComponentId,
        animation: AnimationId,
    ) -> String {
        let part = self.part(behavior, id).and_then(|part| self.behavior(part.behavior));
        let row = part.and_then(|rows| rows.animations.get(animation.index()));
        row.map_or_else(|| animation.0.to_string(), |row| self.inner_name(behavior, id, row.name))
    }
}
