//! Syntax of other languages, read as what it means, with a report that says how it is written here.
//!
//! Each function recognizes one habit. None of them gives up: the item goes on as if it had been written right.

mod heads;
mod nodes;
mod operators;

pub(super) use heads::{
    colon_block, colon_for_when, ends_with_colon, further_names, if_for_when, parentheses,
    parentheses_before_block, sign_before_literal, sign_before_value, target_after_source, unquoted_text,
    words_before_target,
};
pub(super) use nodes::{comma, node};
pub(super) use operators::{assign, double_colon, infix, mend, prefix};
