//! Words of other tools: what they are called here, and what to do where they are called nothing.

use crate::syntax::Place;

/// Words and the keywords that mean the same.
const SYNONYMS: &[(&str, &str)] = &[
    ("Parameter", "Param"),
    ("Input", "Param"),
    ("Variable", "Param"),
    ("Var", "Param"),
    ("Constant", "Const"),
    ("Import", "Use"),
    ("Include", "Use"),
    ("StateMachine", "Behavior"),
    ("StateMachine", "State"),
    ("SubStateMachine", "State"),
    ("SubState", "State"),
    ("Machine", "Behavior"),
    ("BlendTree", "Blend1D"),
    ("BlendSpace", "Blend1D"),
    ("BlendSpace1D", "Blend1D"),
    ("BlendSpace2D", "Blend2D"),
    ("Keyframes", "Track"),
    ("Child", "Component"),
    ("Instance", "Component"),
    ("SubBehavior", "Component"),
    ("Anim", "Animation"),
    ("Condition", "Predicate"),
    ("Goto", "Transition"),
    ("GoTo", "Transition"),
    ("Enter", "OnEntry"),
    ("OnEnter", "OnEntry"),
    ("Exit", "OnExit"),
    ("OnLeave", "OnExit"),
    ("Update", "OnUpdate"),
    ("Initial", "InitialState"),
    ("Start", "InitialState"),
    ("Any", "AnyState"),
    ("Assert", "Expect"),
    ("Advance", "Tick"),
    ("Trigger", "Fire"),
    ("Asset", "AssetId"),
    ("Curve", "Easing"),
    ("Ease", "Easing"),
    ("Motion", "Clip"),
    ("Length", "Duration"),
    ("Looping", "Looped"),
    ("Event", "Marker"),
    ("Notify", "Marker"),
    ("AnimEvent", "Marker"),
    ("CrossFade", "Duration"),
    ("BlendTime", "Duration"),
    ("FadeTime", "Duration"),
    ("FadeDuration", "Duration"),
    ("Delay", "After"),
    ("Interruptible", "EarlyExit"),
    ("PlaySound", "PlayAudio"),
    ("PlaySnd", "PlayAudio"),
    ("PlaySfx", "PlayAudio"),
    ("Sound", "PlayAudio"),
    ("Audio", "PlayAudio"),
    ("PlayAnimation", "Play"),
    ("PlayAnim", "Play"),
    ("PlayClip", "Play"),
    ("StopAnimation", "Stop"),
    ("StopAnim", "Stop"),
    ("StopClip", "Stop"),
    ("SetBool", "Set"),
    ("SetFloat", "Set"),
    ("SetInt", "Set"),
    ("SetNumber", "Set"),
    ("SetParam", "Set"),
    ("SetParameter", "Set"),
    ("Assign", "Set"),
    ("SetTrigger", "Fire"),
    ("FireTrigger", "Fire"),
    ("Enable", "SetTrue"),
    ("Disable", "SetFalse"),
    ("SendEvent", "Emit"),
    ("FireEvent", "Emit"),
    ("EmitEvent", "Emit"),
    ("Send", "Emit"),
    ("Raise", "Emit"),
    ("Broadcast", "Emit"),
    ("Dispatch", "Emit"),
    ("Goto", "Request"),
    ("ChangeState", "Request"),
    ("SetState", "Request"),
    ("SwitchState", "Request"),
    ("Camera", "SwitchCamera"),
    ("SetCamera", "SwitchCamera"),
];

/// What a word is called here, wherever that may stand.
pub(in crate::parse) fn synonyms(word: &str) -> impl Iterator<Item = &'static str> {
    SYNONYMS.iter().filter(move |(other, _)| other.eq_ignore_ascii_case(word)).map(|(_, name)| *name)
}

/// What to do instead of what a word asks for.
pub(in crate::parse) fn advice(word: &str, place: Place) -> Option<String> {
    let text = match (place, word) {
        (Place::State, "Animation" | "Play") => {
            "write `Clip Walk` for what plays while the state is active, or `OnEntry { Play Walk }`"
        }
        (Place::State, "If" | "if") => "write `When speed > 3 { ... }`, or `Transition Run when speed > 3`",
        (Place::State, "OnEntryFrom" | "OnEnterFrom") => "write `OnEntry from Run { ... }`",
        (Place::State, "OnTransition") => {
            "write it in the transition: `Transition Run when ready { OnTransition { ... } }`"
        }
        (Place::State, "final" | "Final") => "a state that is never left is marked `Terminal`",
        (Place::Behavior | Place::Layer, "Final" | "final") => {
            "a state that is never left is marked in its block: `State Dead { Terminal }`"
        }
        (Place::Behavior, "Trigger" | "trigger") => "write `Param jump: trigger`",
        (Place::Param, "Range" | "range") => "write `Min 0  Max 10`",
        (Place::Component, "Set" | "Param" | "SetTrue" | "SetFalse" | "With") => {
            "what a component is to have comes from a parameter out here: `Bind ready -> enabled`"
        }
        (Place::Transition, "OnFinish" | "OnEnd") => "for the end of the motion, write `AtEnd`",
        (Place::State, "On") => {
            "write `When knock { ... }` for what is done while the state is active; what a pointer or a key does is heard by a \
             `Listener` in the behavior"
        }
        (Place::State, "weight" | "Weight") => {
            "the weight of a layer stands right after its name: `ActiveLayer Upper 0.8`"
        }
        (Place::State, "for") => {
            "how long a condition holds is not asked: `{ After 5s }` behind it asks for the time in the state"
        }
        (Place::Behavior | Place::Layer, "Transition") => {
            "one out of every state stands in `AnyState { Transition Dead when health <= 0 }`, any other in the state that it leaves"
        }
        (Place::Track, "from" | "to") => "the keys are places of the clip: `0%: 0.8  100%: 1`",
        (Place::Behavior, "If" | "if") => "write `When speed > 3 { ... }`",
        (Place::Behavior, "Group") => {
            "a group is not declared: write `Group` with its name in each animation that belongs to it"
        }
        (Place::Clip, "Loop" | "Looped" | "Looping") => "a clip loops where its `Animation` says so",
        (Place::Transition, "FadeIn" | "FadeOut") => "the length of a crossfade is its `Duration 200ms`",
        (Place::Transition, "Weight") => "did you mean `RandomWeight`?",
        (Place::Layer, "Additive") => "write `Blend additive`",
        (Place::Test, "Loop" | "For" | "While") => "write `Repeat 3 { ... }`",
        (Place::Test, "Press") => "write `Key keydown \"Enter\"` or `Pointer click \"button\"`",
        (Place::Test, "Log" | "Print") => "`motixc run` shows what happens in each tick; a test only expects",
        (Place::Actions, "Wait" | "Delay" | "Sleep") => {
            "actions take no time: go on in another state, by `Transition Next { After 1s }`"
        }
        _ => return None,
    };
    Some(text.to_owned())
}

/// What to do instead of an action that does not exist.
pub(in crate::parse) fn event_instead(word: &str, place: Place) -> Option<String> {
    let action = place == Place::Actions && word.starts_with(char::is_uppercase);
    let mut chars = word.chars().take(40);
    let first = chars.next().filter(|_| action)?;
    let event: String = first.to_lowercase().chain(chars).collect();
    Some(format!("what else is to happen is the host's, by an event: `Emit {event}`"))
}
