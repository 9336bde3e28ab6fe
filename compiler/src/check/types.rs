//! Types as written: the six of parameters, enums by name, and what other languages call them.

use crate::hash::HashSet;

use motix_vm::ids::EnumId;

use crate::ast::{self, Item, Name, Node, TypeKind};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::hir::{self, Ty};
use crate::intern::{Interner, Symbol};
use crate::resolve::{Found, Space, duplicate, saturate};

use super::context::{Checker, EnumKey, written};

const TYPES: &[&str] = &["bool", "number", "trigger", "string", "color"];

impl Checker<'_, '_> {
    /// The enum that a path names.
    pub(super) fn find_enum(&self, path: &[Name]) -> Option<EnumKey> {
        if let [name] = path
            && let Some(index) = self.known.scope.enum_index.get(&name.symbol)
        {
            return Some(EnumKey::Own(*index));
        }
        match self.files.enumeration(path) {
            Found::Yes(index) => Some(EnumKey::File(index)),
            _ => None,
        }
    }

    /// The type that is written; an unknown one is reported.
    pub(super) fn ty(&mut self, ty: &ast::Type) -> Ty {
        match &ty.kind {
            TypeKind::Error => Ty::Error,
            TypeKind::Enum(variants) => {
                check_variants(variants, "this enum", self.names, self.diagnostics);
                // Parameters that were declared together share it, also where one of them is overridden.
                let key = EnumKey::Written(ty.span);
                if let Some(id) = self.known.enum_ids.get(&key) {
                    return Ty::Enum(*id);
                }
                let made = self.new_enum(None, unique(variants));
                if let Ty::Enum(id) = made {
                    self.known.enum_ids.insert(key, id);
                }
                made
            }
            TypeKind::Named(path) => {
                match self.find_enum(&path.names) {
                    // Which of the two is meant is not known.
                    Some(EnumKey::Own(index))
                        if self.is_declared_twice(Space::Enum, self.known.scope.enums[index].name.symbol) =>
                    {
                        return Ty::Error;
                    }
                    Some(key) => return self.enum_of(key),
                    None => {}
                }
                if let [name] = &path.names[..] {
                    let found = match self.text(name.symbol) {
                        "bool" => Some(Ty::Bool),
                        "number" => Some(Ty::Number),
                        "trigger" => Some(Ty::Trigger),
                        "string" => Some(Ty::Text),
                        "color" => Some(Ty::Color),
                        _ => None,
                    };
                    if let Some(found) = found {
                        return found;
                    }
                }
                self.unknown_type(path);
                Ty::Error
            }
        }
    }

    fn new_enum(&mut self, name: Option<hir::Declared>, variants: Vec<Symbol>) -> Ty {
        if variants.is_empty() {
            return Ty::Error;
        }
        let id = EnumId(saturate(self.known.hir.enums.len()));
        for (index, variant) in variants.iter().enumerate() {
            self.known.variants.insert((id, *variant), saturate(index));
        }
        self.known.hir.enums.push(hir::Enum { name, variants });
        Ty::Enum(id)
    }

    fn enum_of(&mut self, key: EnumKey) -> Ty {
        if let Some(id) = self.known.enum_ids.get(&key) {
            return Ty::Enum(*id);
        }
        let (item, name) = match key {
            EnumKey::Own(index) => (self.known.scope.enums[index].item, self.known.scope.enums[index].name),
            EnumKey::File(index) => (self.files.enums[index].item, self.files.enums[index].name),
            EnumKey::Written(_) => return Ty::Error,
        };
        let variants = unique(&variants(item));
        let ty = self.new_enum(Some(self.declared(item, name)), variants);
        if let Ty::Enum(id) = ty {
            self.known.enum_ids.insert(key, id);
        }
        ty
    }

    fn unknown_type(&mut self, path: &ast::Path) {
        let text = self.path_text(&path.names);
        if self.is_lost(path.names[0].symbol) || self.files.enumeration(&path.names) == Found::Lost {
            return;
        }
        if self.removed(Space::Enum, path.names[0].symbol, path.span) {
            return;
        }
        if let Some((ours, hint)) = foreign(&text) {
            let mut report = Diagnostic::new(
                Code::ForeignType,
                format!("Motix has no type `{text}`"),
                path.span,
                format!("expected `{ours}`"),
            );
            report = report.help(hint.map_or_else(|| format!("write `{ours}`"), str::to_owned));
            let same = hint.is_none_or(|hint| hint.starts_with("write `number`"));
            if same {
                report = report.fix(path.span, ours);
            }
            self.report(report);
            return;
        }
        let enums: Vec<Symbol> = (self.known.scope.enums.iter().map(|row| row.name.symbol))
            .chain(self.files.visible_enums(self.files.file_at(path.span)).map(|row| row.name.symbol))
            .take(256)
            .collect();
        let near = {
            let names = &*self.names;
            let known = TYPES.iter().copied().chain(enums.iter().map(|symbol| names.text(*symbol)));
            self.nearest.find(&text, known).map(str::to_owned)
        };
        let mut report = Diagnostic::new(
            Code::UnknownType,
            format!("there is no type `{text}`"),
            path.span,
            "expected a type",
        );
        report = match near {
            Some(near) => report.help(format!("did you mean `{near}`?")).fix(path.span, written(&near)),
            None => report.help("the types are `bool`, `number`, `trigger`, `string`, `color`, `enum(a, b)` and the name of an `Enum`"),
        };
        self.report_name(report);
    }
}

/// The variants of an `Enum`.
pub(super) fn variants(item: &Item) -> Vec<Name> {
    item.nodes()
        .iter()
        .filter_map(|node| if let Node::Name(name) = node { Some(*name) } else { None })
        .collect()
}

fn unique(variants: &[Name]) -> Vec<Symbol> {
    let mut seen = HashSet::default();
    variants.iter().map(|name| name.symbol).filter(|symbol| seen.insert(*symbol)).collect()
}

/// Reports variants that stand twice, and an enum without any.
pub(super) fn check_enum(item: &Item, names: &Interner, diagnostics: &mut Diagnostics) {
    let list = variants(item);
    let clean = item.nodes().iter().all(|node| matches!(node, Node::Name(_)));
    let name = item.name().map_or("this enum", |name| names.text(name.symbol));
    if list.is_empty() && clean {
        let span = item.name().map_or(item.span, |name| name.span);
        let report = Diagnostic::new(
            Code::EmptyEnum,
            format!("the enum `{name}` has no variants"),
            span,
            "expected variants in its block",
        );
        diagnostics.push(report.help(format!("write `Enum {} {{ first second }}`", written(name))));
    }
    check_variants(&list, name, names, diagnostics);
}

fn check_variants(variants: &[Name], _of: &str, names: &Interner, diagnostics: &mut Diagnostics) {
    let mut seen = crate::hash::HashMap::default();
    for variant in variants {
        if let Some(first) = seen.get(&variant.symbol) {
            diagnostics.push(duplicate("variant", names.text(variant.symbol), *first, variant.span));
        } else {
            seen.insert(variant.symbol, variant.span);
        }
    }
}

/// What other languages call a type, and what it is here; with advice where it is not one type.
fn foreign(text: &str) -> Option<(&'static str, Option<&'static str>)> {
    let ours = match text {
        "int" | "integer" | "Integer" | "Int" | "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32"
        | "u64" | "uint" | "long" | "short" | "byte" => {
            ("number", Some("write `number`; `{ Min 0 Step 1 }` after it keeps the parameter whole"))
        }
        "float" | "Float" | "double" | "Double" | "f32" | "f64" | "real" | "num" | "Number" | "decimal"
        | "half" => ("number", None),
        "duration" | "Duration" | "time" => {
            ("number", Some("write `number`: a duration is a number of seconds"))
        }
        "boolean" | "Boolean" | "Bool" | "BOOL" | "flag" => ("bool", None),
        "str" | "String" | "text" | "Text" | "StringName" | "char" => ("string", None),
        "Trigger" | "event" | "Event" | "signal" | "void" => ("trigger", None),
        "Color" | "colour" | "Colour" | "rgb" | "rgba" | "Color3" | "Color4" | "hex" => ("color", None),
        "vec2" | "Vec2" | "Vector2" | "vector2" | "float2" => {
            ("number", Some("a vector is a parameter for each part: `Param moveX, moveY: number`"))
        }
        "vec3" | "Vec3" | "Vector3" | "vector" | "Vector" | "float3" => {
            ("number", Some("a vector is a parameter for each part: `Param moveX, moveY, moveZ: number`"))
        }
        "enum" => ("enum(a, b)", Some("write its variants: `enum(calm, angry)`")),
        _ => return None,
    };
    Some(ours)
}
