//! Properties and tracks in the text form.

use alloc::string::String;
use alloc::vec::Vec;

use super::motion;
use super::node::{self, Node};
use super::scope::Scope;
use crate::easing::Easing;
use crate::ids::PropertyId;
use crate::program::tables::{Animation, Curve, Key, Type};

/// The target and the name of a property, as in source.
pub(super) fn property(scope: &Scope<'_>, id: PropertyId, between: &str) -> String {
    match scope.rows.properties.get(id.index()) {
        Some(row) => {
            alloc::format!("{}{between}{}", node::string(scope.text(row.target)), scope.name(row.name))
        }
        None => String::new(),
    }
}

fn value(ty: Type, word: u32) -> String {
    match ty {
        Type::Color => node::color(word),
        _ => node::number(f32::from_bits(word)),
    }
}

/// All properties: those with a `Rest` as such, others with their type.
pub(super) fn properties<'s>(scope: &'s Scope<'_>) -> impl Iterator<Item = Node> + 's {
    scope.rows.properties.iter().enumerate().map(move |(index, row)| {
        let name = PropertyId::from_index(index).map(|id| property(scope, id, " ")).unwrap_or_default();
        Node::Line(match row.rest {
            Some(rest) => alloc::format!("Rest {name} = {}", value(row.ty, rest)),
            None => alloc::format!("Property {name}: {}", row.ty.name()),
        })
    })
}

/// The tracks of an animation.
pub(super) fn tracks<'s>(scope: &'s Scope<'_>, row: &Animation) -> impl Iterator<Item = Node> + 's {
    row.curves.of(&scope.rows.curves).iter().map(move |curve| {
        let ty = scope.rows.properties.get(curve.property.index()).map_or(Type::Number, |row| row.ty);
        let keys = curve.keys.of(&scope.rows.keys).iter().map(|key| self::key(curve, ty, key));
        let head = alloc::format!("Track {}", property(scope, curve.property, " "));
        Node::block(head, keys.collect::<Vec<_>>())
    })
}

fn key(curve: &Curve, ty: Type, key: &Key) -> Node {
    // As it is stored: a percentage would round.
    let at = if curve.seconds {
        alloc::format!("{}s", node::number(key.at))
    } else {
        alloc::format!("ratio {}", node::number(key.at))
    };
    let mut line = alloc::format!("{at}: {}", value(ty, key.value));
    if key.easing != Easing::Linear {
        line.push_str(&alloc::format!(" {{ Easing {} }}", motion::easing(key.easing)));
    }
    Node::Line(line)
}
