//! Names to ids and back: what a host does once, so that it never compares texts in a frame.
//!
//! A [`BehaviorRef`] is a borrowed view of one behavior. Looking a name up walks its table; ids are plain numbers that
//! mean something in that behavior only.

use alloc::borrow::ToOwned;

use super::Program;
use super::names::{LookupError, UnknownName};
use super::tables::{self, Behavior, Param, Run, Type};
use crate::ids::*;
use crate::input::InputKind;
use crate::value::{Color, Value};

impl Program {
    /// The behavior with that name.
    ///
    /// # Errors
    ///
    /// No behavior has it; the error names the nearest.
    pub fn find(&self, name: &str) -> Result<BehaviorRef<'_>, UnknownName> {
        let names = self.behaviors().iter().map(|rows| self.text(rows.name));
        find("behavior", name, names)
            .and_then(|id| self.at(id).ok_or_else(|| UnknownName::new("behavior", name, core::iter::empty())))
    }

    /// The view of a behavior; `None` for an id of another program.
    #[must_use]
    pub fn at(&self, id: BehaviorId) -> Option<BehaviorRef<'_>> {
        self.behavior(id).map(|rows| BehaviorRef { program: self, id, rows })
    }

    /// All behaviors, in order of declaration.
    pub fn iter(&self) -> impl Iterator<Item = BehaviorRef<'_>> {
        (0..self.behaviors().len()).filter_map(BehaviorId::from_index).filter_map(|id| self.at(id))
    }
}

/// An index type that a table's position can become.
trait Id: Sized {
    fn at(index: usize) -> Option<Self>;
}

macro_rules! ids {
    ($( $id:ident ),+) => { $(
        impl Id for $id {
            fn at(index: usize) -> Option<Self> {
                Self::from_index(index)
            }
        }
    )+ };
}
ids!(AnimationId, BehaviorId, EmitId, ExternId, GroupId, LayerId, MachineId, MaskId, ParamId, TagId);

fn find<'n, I: Id>(
    what: &'static str,
    name: &str,
    mut names: impl Iterator<Item = &'n str> + Clone,
) -> Result<I, UnknownName> {
    let all = names.clone();
    names.position(|known| known == name).and_then(I::at).ok_or_else(|| UnknownName::new(what, name, all))
}

/// One behavior of a program, for looking things up by name.
#[derive(Clone, Copy, Debug)]
pub struct BehaviorRef<'p> {
    pub(super) program: &'p Program,
    id: BehaviorId,
    pub(super) rows: &'p Behavior,
}

/// A parameter as a host sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamInfo<'p> {
    /// Its id.
    pub id: ParamId,
    /// Its name.
    pub name: &'p str,
    /// Its type.
    pub ty: Type,
    /// Its value in a new instance.
    pub default: Value<'p>,
    /// The least value of a number, where one is written.
    pub min: Option<f32>,
    /// The greatest value of a number, where one is written.
    pub max: Option<f32>,
    /// Its row: also its step, how long a trigger stays armed, whether it is global.
    pub row: &'p Param,
}

macro_rules! typed {
    ($( $id:ident $method:ident $pattern:pat, $expected:literal, $doc:literal; )+) => {
        $(
            #[doc = $doc]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $id(ParamId);

            impl $id {
                /// The parameter without its type.
                #[must_use]
                pub const fn id(self) -> ParamId {
                    self.0
                }
            }

            impl From<$id> for ParamId {
                fn from(id: $id) -> Self {
                    id.0
                }
            }
        )+

        /// Parameters by name and type.
        impl BehaviorRef<'_> {
            $(
                #[doc = $doc]
                ///
                /// # Errors
                ///
                /// No parameter has that name, or it has another type.
                pub fn $method(self, name: &str) -> Result<$id, LookupError> {
                    let id = self.param(name)?;
                    match self.rows.params.get(id.index()).map(|row| row.ty) {
                        Some($pattern) => Ok($id(id)),
                        found => Err(LookupError::WrongType {
                            name: name.to_owned(),
                            expected: $expected,
                            found: found.map_or("", Type::name),
                        }),
                    }
                }
            )+
        }
    };
}

typed! {
    BoolParam boolean Type::Bool, "bool", "A parameter of type bool.";
    NumberParam number Type::Number, "number", "A parameter of type number.";
    TriggerParam trigger Type::Trigger, "trigger", "A trigger.";
    TextParam text Type::Text, "string", "A parameter of type string.";
    EnumParam variant Type::Enum(_), "enum", "A parameter of an enum type.";
    ColorParam color Type::Color, "color", "A parameter of type color.";
}

macro_rules! by_name {
    ($( $method:ident $name:ident $id:ident $table:ident: $row:ty, $what:literal $text:expr; )+) => {
        /// Other things by name, and their names.
        impl<'p> BehaviorRef<'p> {
            $(
                #[doc = concat!("The ", $what, " with that name.")]
                ///
                /// # Errors
                ///
                /// Nothing has it; the error names the nearest.
                pub fn $method(self, name: &str) -> Result<$id, UnknownName> {
                    let text: fn(&$row) -> TextId = $text;
                    find($what, name, self.rows.$table.iter().map(|row| self.program.text(text(row))))
                }

                #[doc = concat!("The name of the ", $what, "; empty for an id of another behavior.")]
                #[must_use]
                pub fn $name(self, id: $id) -> &'p str {
                    let text: fn(&$row) -> TextId = $text;
                    self.rows.$table.get(id.index()).map_or("", |row| self.program.text(text(row)))
                }
            )+
        }
    };
}

by_name! {
    param param_name ParamId params: Param, "parameter" |row| row.name;
    animation animation_name AnimationId animations: tables::Animation, "animation" |row| row.name;
    layer layer_name LayerId layers: tables::Layer, "layer" |row| row.name;
    mask mask_name MaskId masks: tables::Mask, "mask" |row| row.name;
    group group_name GroupId groups: TextId, "group" |row| *row;
    tag tag_name TagId tags: TextId, "tag" |row| *row;
    extern_predicate extern_predicate_name ExternId externs: TextId, "extern predicate" |row| *row;
    emit emit_name EmitId emits: tables::Emit, "custom event" |row| row.name;
}

/// What the listeners hear.
impl<'p> BehaviorRef<'p> {
    /// The names of the targets that listeners have, each once, in order of declaration.
    pub fn targets(self) -> impl Iterator<Item = &'p str> {
        self.once(self.rows.listeners.iter().filter_map(|listener| listener.target))
    }

    /// The text of the target with that name.
    ///
    /// # Errors
    ///
    /// No listener has it; the error names the nearest.
    pub fn target(self, name: &str) -> Result<TextId, UnknownName> {
        let found = self.program.text_id(name);
        found
            .filter(|text| self.rows.listeners.iter().any(|listener| listener.target == Some(*text)))
            .ok_or_else(|| UnknownName::new("target", name, self.targets()))
    }

    /// The names of the custom events that listeners hear, each once, in order of declaration.
    pub fn custom_inputs(self) -> impl Iterator<Item = &'p str> {
        let custom = self.rows.hears.iter().filter(|hear| hear.input == InputKind::Custom);
        self.once(custom.filter_map(|hear| hear.name))
    }

    /// The text of the custom event with that name.
    ///
    /// # Errors
    ///
    /// No listener hears it; the error names the nearest.
    pub fn custom_input(self, name: &str) -> Result<TextId, UnknownName> {
        let found = self.program.text_id(name);
        found
            .filter(|text| {
                let mut hears = self.rows.hears.iter();
                hears.any(|hear| hear.input == InputKind::Custom && hear.name == Some(*text))
            })
            .ok_or_else(|| UnknownName::new("custom event that a listener hears", name, self.custom_inputs()))
    }

    fn once(self, texts: impl Iterator<Item = TextId>) -> impl Iterator<Item = &'p str> {
        let mut seen = alloc::collections::BTreeSet::new();
        texts.filter(move |text| seen.insert(*text)).map(move |text| self.program.text(text))
    }
}

impl<'p> BehaviorRef<'p> {
    /// Its id.
    #[must_use]
    pub fn id(self) -> BehaviorId {
        self.id
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'p str {
        self.program.text(self.rows.name)
    }

    /// The program it is in.
    #[must_use]
    pub fn program(self) -> &'p Program {
        self.program
    }

    /// Its rows.
    #[must_use]
    pub fn rows(self) -> &'p Behavior {
        self.rows
    }

    /// Its parameters, in order of declaration.
    pub fn params(self) -> impl Iterator<Item = ParamInfo<'p>> {
        self.rows.params.iter().enumerate().filter_map(move |(index, row)| {
            let id = ParamId::from_index(index)?;
            Some(ParamInfo {
                id,
                name: self.program.text(row.name),
                ty: row.ty,
                default: self.default(row),
                min: (row.min > f32::MIN).then_some(row.min),
                max: (row.max < f32::MAX).then_some(row.max),
                row,
            })
        })
    }

    fn default(self, row: &Param) -> Value<'p> {
        match row.ty {
            Type::Bool => Value::Bool(row.initial != 0),
            Type::Number => Value::Number(f32::from_bits(row.initial)),
            Type::Trigger => Value::Trigger(false),
            Type::Text => Value::Text(self.program.text(TextId(row.initial))),
            Type::Enum(id) => {
                let index = u16::try_from(row.initial).unwrap_or_default();
                Value::Variant { index, name: self.variants(id).nth(index.into()).unwrap_or_default() }
            }
            Type::Color => Value::Color(Color::from_word(row.initial)),
        }
    }

    /// The names of an enum type's variants, in order.
    pub fn variants(self, id: EnumId) -> impl Iterator<Item = &'p str> {
        let run = self.rows.enums.get(id.index()).map_or(Run::default(), |item| item.variants);
        run.of(&self.rows.variants).iter().map(move |text| self.program.text(*text))
    }

    /// The variant of an enum type with that name.
    ///
    /// # Errors
    ///
    /// The type has none; the error names the nearest.
    pub fn variant_index(self, id: EnumId, name: &str) -> Result<u16, UnknownName> {
        let position = self.variants(id).position(|known| known == name);
        position
            .and_then(|index| u16::try_from(index).ok())
            .ok_or_else(|| UnknownName::new("variant", name, self.variants(id)))
    }

    /// The marker of an animation with that name.
    ///
    /// # Errors
    ///
    /// The animation has none; the error names the nearest.
    pub fn marker(self, animation: AnimationId, name: &str) -> Result<MarkerId, UnknownName> {
        let run = self.rows.animations.get(animation.index()).map_or(Run::default(), |row| row.markers);
        let names = run.of(&self.rows.markers).iter().map(|row| self.program.text(row.name));
        let position = names.clone().position(|known| known == name);
        position
            .and_then(|place| MarkerId::from_index(run.first as usize + place))
            .ok_or_else(|| UnknownName::new("marker", name, names))
    }

    /// The name of a marker; empty for an id of another behavior.
    #[must_use]
    pub fn marker_name(self, marker: MarkerId) -> &'p str {
        self.rows.markers.get(marker.index()).map_or("", |row| self.program.text(row.name))
    }

    /// The span of an animation with that name.
    ///
    /// # Errors
    ///
    /// The animation has none; the error names the nearest.
    pub fn span(self, animation: AnimationId, name: &str) -> Result<SpanId, UnknownName> {
        let run = self.rows.animations.get(animation.index()).map_or(Run::default(), |row| row.spans);
        let names = run.of(&self.rows.spans).iter().map(|row| self.program.text(row.name));
        let position = names.clone().position(|known| known == name);
        position
            .and_then(|place| SpanId::from_index(run.first as usize + place))
            .ok_or_else(|| UnknownName::new("span", name, names))
    }

    /// The name of a span; empty for an id of another behavior.
    #[must_use]
    pub fn span_name(self, span: SpanId) -> &'p str {
        self.rows.spans.get(span.index()).map_or("", |row| self.program.text(row.name))
    }

    /// The machine of the states written directly in the behavior, if there are any.
    #[must_use]
    pub fn main_machine(self) -> Option<MachineId> {
        self.rows.machines.first().filter(|machine| machine.layer.is_none()).map(|_| MachineId(0))
    }

    /// The machine of the layer with that name.
    ///
    /// # Errors
    ///
    /// No layer with a machine has it; the error names the nearest.
    pub fn machine(self, layer: &str) -> Result<MachineId, UnknownName> {
        let names = self.rows.machines.iter().map(|machine| machine.layer.map(|id| self.layer_name(id)));
        let position = names.clone().position(|known| known == Some(layer));
        position
            .and_then(MachineId::from_index)
            .ok_or_else(|| UnknownName::new("machine of the layer", layer, names.flatten()))
    }

    /// The name of the layer that a machine belongs to; `None` for the main machine.
    #[must_use]
    pub fn machine_name(self, machine: MachineId) -> Option<&'p str> {
        self.rows.machines.get(machine.index())?.layer.map(|layer| self.layer_name(layer))
    }
}
