//! The text form.
use crate::support::*;
use motix_vm::disasm::disassemble;
#[test]
fn show() {
    println!("{}", disassemble(&program(sample())));
    println!("{}", program(sample()).encode(Default::default()).len());
}
