//! The stable text form of a program: what users read, compare and keep as snapshots.
//!
//! It looks like source and holds everything that decides how a program behaves: two programs that behave
//! differently have different texts. It names things by their names only, so that adding one thing does not shift
//! the text of another. What is at its default is left out; the debug section is not shown. Its length is bounded by
//! a multiple of the program: a block that has several users is printed once, long names are shortened.

mod code;
mod curves;
mod machine;
mod motion;
mod node;
mod ops;
mod rows;
mod scope;

use alloc::string::String;
use alloc::vec::Vec;

use self::node::Node;
use self::scope::Scope;
use super::Program;

/// The text form of a program. Ends with a line end, unless it is empty.
#[must_use]
pub fn disassemble(program: &Program) -> String {
    let mut text = String::new();
    for behavior in program.iter() {
        if !text.is_empty() {
            text.push('\n');
        }
        let scope = Scope::new(behavior);
        let mut items = rows::behavior(&scope);
        items.extend(machine::behavior(&scope));
        items.extend(shared(&scope));
        let head = alloc::format!("Behavior {}", node::name(behavior.name()));
        Node::block(head, items).print(0, &mut text);
    }
    text
}

/// The blocks with several users and no name, by what they do.
fn shared(scope: &Scope<'_>) -> Vec<Node> {
    scope
        .shared
        .iter()
        .map(|(label, body)| match body {
            code::Body::Expression(value) => {
                Node::Line(alloc::format!("{label} = {}", value.resolve(scope, None)))
            }
            code::Body::Lines(lines) => Node::block(label.clone(), lines.clone()),
        })
        .collect()
}
