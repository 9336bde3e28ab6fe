//! Syntax of other languages, read as what it means, with a report that says how it is written here.
//!
//! Each function recognizes one habit. None of them gives up: the item goes on as if it had been written right.

mod behind;
mod branches;
mod entries;
mod expected;
mod heads;
mod listeners;
mod names;
mod nearly;
mod nodes;
mod operators;
mod synonyms;
mod waits;

pub(super) use behind::{
    arrow_for_block, call_of_method, component_instead, condition_of_action, further_events,
    keyword_behind_modifier, mode_left_out, properties_of_track, property_of_track, value_of_event,
    value_of_switch,
};
pub(super) use branches::{goes_on_without_braces, loose_branch, then_before_block};
pub(super) use entries::{
    bare_easing, bare_point, clip_properties, color_call, css_key, css_time, dot_after_target,
    position_behind, target_with_dot,
};
pub(super) use expected::{FORM as EXPECT_FORM, call_without_parentheses, events_relation};
pub(super) use heads::{
    colon_block, colon_for_when, doubled_keyword, empty_parentheses, ends_with_colon, event_alone,
    event_without_brackets, further_names, if_for_when, is_unquoted_target, name_left_out, needless_commas,
    parentheses, sign_before_literal, sign_before_value, sign_for_colon, target_after_source, unquoted_asset,
    unquoted_text, words_before_target,
};
pub(super) use listeners::{event_of_a_listener, input_as_statement, text_before_event};
pub(super) use names::{behavior_before_name, dashes, fat_arrow, file_behind_name, several_words};
pub(super) use nearly::{
    assign_before_block, assigned_variants, else_if_word, extends, further_bases, has_not, missing_comma,
    needless_type, on_condition, range_of_type, spaced_unit, type_before_name, type_by_value,
    variants_in_braces, word_operators,
};
pub(super) use nodes::{
    comma, group_of_items, initial_before_state, keyword_in_two_words, keyword_left_out, node,
    properties_without_braces,
};
pub(super) use operators::{assign, colon_for_assign, double_colon, infix, mend, prefix, slash_in_path};
pub(super) use synonyms::{advice, event_instead, synonyms};
pub(super) use waits::{behavior_before_title, other_wait, path_for_event};
