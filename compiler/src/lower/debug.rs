//! The debug section: where things stand in source.

use motix_vm::program::debug::{BehaviorDebug, Debug, Spot};

use super::LoweredBehavior;
use crate::hir::Hir;
use crate::source::{SourceMap, Span};

pub(super) fn debug(hir: &Hir, sources: &SourceMap, lowered: &[LoweredBehavior]) -> Debug {
    let spot = |span: Span| {
        let position = sources.position(span);
        Spot { file: span.file.0, line: position.line, column: position.column }
    };
    Debug {
        files: sources.files().map(|(_, file)| file.name.clone()).collect(),
        behaviors: hir
            .behaviors
            .iter()
            .zip(lowered)
            .map(|(behavior, lowered)| BehaviorDebug {
                at: spot(behavior.name.span),
                params: behavior.params.iter().map(|param| spot(param.name.span)).collect(),
                animations: behavior.animations.iter().map(|item| spot(item.name.span)).collect(),
                states: behavior.states.iter().map(|state| spot(state.name.span)).collect(),
                transitions: lowered.transition_spans.iter().copied().map(spot).collect(),
                properties: behavior.properties.iter().map(|property| spot(property.span)).collect(),
            })
            .collect(),
    }
}
