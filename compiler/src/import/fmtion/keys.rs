//! The objects of the notation and the keys that each may have: the one table of them.
//!
//! A key that is not in its row is reported, so that nothing is lost in silence.

/// An object of the notation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// What messages call it.
    pub(super) name: &'static str,
    /// Its keys.
    pub(super) keys: &'static [&'static str],
}

/// Keys of every object: a text that becomes a doc comment.
pub(super) const DOC: &[&str] = &["description", "_note"];

macro_rules! kinds {
    ($( $name:ident $text:literal [ $($key:literal),* ]; )+) => {
        $( pub(super) const $name: &Kind = &Kind { name: $text, keys: &[ $($key),* ] }; )+
    };
}

kinds! {
    FILE "the file" ["stateMachine", "animations"];
    BARE_FILE "a state machine" ["name", "parameters", "layers", "globalListeners", "nested", "animations"];
    MACHINE "a state machine" ["name", "parameters", "layers", "globalListeners", "nested"];
    PARAMETER "a parameter" ["name", "type", "default", "min", "max", "step", "options"];
    ANIMATION "an animation" ["id", "duration", "loop", "speed", "assetId"];
    LAYER "a layer" ["name", "priority", "mask", "weight", "blendMode", "initialState", "states", "transitions"];
    MASK "a mask" ["include", "exclude"];
    PLAIN_STATE "a state without a motion" ["id", "type"];
    CLIP_STATE "a state that plays an animation" ["id", "type", "animationId", "loop", "speed"];
    BLEND_1D_STATE "a blend1d state" ["id", "type", "parameterId", "points", "loop", "speed"];
    BLEND_2D_STATE "a blend2d state" ["id", "type", "parameterX", "parameterY", "points", "loop", "speed"];
    BLEND_DIRECT_STATE "a blendDirect state" ["id", "type", "children", "loop", "speed"];
    POINT_1D "a point of a blend1d" ["value", "animationId"];
    POINT_2D "a point of a blend2d" ["x", "y", "animationId"];
    CHILD "a child of a blendDirect" ["animationId", "parameterId", "weight"];
    TRANSITION "a transition" [
        "id", "from", "to", "duration", "easing", "exitTime", "earlyExit", "pauseOnExit", "randomWeight",
        "conditionMode", "conditions"
    ];
    CONDITION "a condition" ["parameterId", "operator", "value"];
    BEZIER "an easing" ["type", "controlPoints"];
    LISTENER "a listener" ["id", "target", "event", "key", "action", "actions"];
    SWITCH "a setTrue, setFalse, toggle or fire action" ["type", "parameterId"];
    SET_VALUE "a setValue action" ["type", "parameterId", "value"];
    PLAY_AUDIO "a playAudio action" ["type", "asset"];
    SWITCH_CAMERA "a switchCamera action" ["type", "camera"];
    NESTED "a nested machine" ["id", "file", "target", "proxies"];
    PROXY "a proxy" ["parent", "child", "mode"];
}
