//! The table of keywords: which items there are, where they may stand, and what follows each.
//!
//! One grammar shape carries the language: `Item = Keyword Head Block?`. A row says what the head of an item is made
//! of ([`Part`]s, in order) and what its block holds. Parser, formatter, "did you mean", completion, the editor
//! grammar and the reference in `docs/` read this table; nothing else knows the words.

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A file.
    File,
    /// The block of a `Behavior`.
    Behavior,
    /// Of a `Param`.
    Param,
    /// Of an `Enum`: names.
    Variants,
    /// Of a `Mask`.
    Mask,
    /// Of a `Layer`.
    Layer,
    /// Of an `Animation`.
    Animation,
    /// Of `Metadata`: any word and a literal.
    Metadata,
    /// Of a `Track`: entries `time: value`.
    Track,
    /// Of a key of a track.
    Key,
    /// Of an `InitialState`.
    InitialState,
    /// Of an `Entry` or `AnyState`.
    Transitions,
    /// Of `TransitionDefaults`.
    Defaults,
    /// Of a `State`.
    State,
    /// Of a `Transition` or `OnDone`.
    Transition,
    /// A list of actions.
    Actions,
    /// Of a `Request`.
    Request,
    /// Of a `Clip`.
    Clip,
    /// Of a blend: entries `position: motion`, then options.
    Blend,
    /// Of a blend's entry that is itself a motion.
    Motion,
    /// Of a `Listener`.
    Listener,
    /// Of a `Component`.
    Component,
    /// Of a `Test` or `Repeat`.
    Test,
}

/// A piece of an item's head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A name.
    Name,
    /// Names separated by commas.
    Names,
    /// Names joined by dots.
    Path,
    /// A string literal.
    Text,
    /// A string literal, or nothing.
    OptText,
    /// String literals separated by commas, or nothing.
    OptTexts,
    /// String literals separated by commas.
    Texts,
    /// An expression.
    Value,
    /// A literal (with its sign), or nothing.
    OptLiteral,
    /// An expression, a comma, an expression.
    Pair,
    /// `: type`.
    Type,
    /// `: Behavior`.
    Of,
    /// `= expression`.
    Assign,
    /// `= expression`, or nothing.
    OptAssign,
    /// `when expression`, or nothing.
    OptWhen,
    /// `on request`, or nothing.
    OptOnRequest,
    /// `from State`, or nothing.
    OptFromState,
    /// `at expression`.
    At,
    /// `at (x, y)`, or nothing.
    OptAtPoint,
    /// `from expression`.
    From,
    /// `to expression`.
    To,
    /// `as name`, or nothing.
    OptAs,
    /// `for Behavior`.
    For,
    /// `extends Behavior`, or nothing.
    OptExtends,
    /// `immediate`, or nothing.
    OptImmediate,
    /// `(expression, ...)`, or nothing.
    OptArguments,
    /// `->`, `<-` or `<->`.
    Arrow,
    /// `If expression`, or nothing: after `Else`.
    OptIf,
    /// An event to listen to: a word or a string.
    Event,
    /// An expression, or `events has E`, `events lacks E`, `events == [E, ...]`.
    Expectation,
    /// `Duration`, or nothing: after `Provide`.
    OptDuration,
    /// A keyword of a declaration: after `Remove`.
    Declaration,
}

/// The block after a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// None may stand.
    None,
    /// One may stand.
    Optional(Place),
    /// One must stand.
    Required(Place),
}

/// A word that may stand before a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Modifier {
    /// `Global Param`.
    Global,
    /// `Extern Predicate`.
    Extern,
    /// `Override` of an inherited item.
    Override,
}

impl Modifier {
    /// All modifiers.
    pub const ALL: &'static [Modifier] = &[Modifier::Global, Modifier::Extern, Modifier::Override];

    /// The word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Modifier::Global => "Global",
            Modifier::Extern => "Extern",
            Modifier::Override => "Override",
        }
    }

    /// Whether it may stand before a keyword.
    #[must_use]
    pub const fn fits(self, keyword: Keyword) -> bool {
        match self {
            Modifier::Global => matches!(keyword, Keyword::Param),
            Modifier::Extern => matches!(keyword, Keyword::Predicate),
            Modifier::Override => !matches!(
                keyword,
                Keyword::State
                    | Keyword::AnyState
                    | Keyword::Remove
                    | Keyword::Test
                    | Keyword::Use
                    | Keyword::Behavior
            ),
        }
    }

    /// What it may stand before, for messages.
    #[must_use]
    pub const fn fits_what(self) -> &'static str {
        match self {
            Modifier::Global => "`Param`",
            Modifier::Extern => "`Predicate`",
            Modifier::Override => "the declaration of something inherited",
        }
    }
}

macro_rules! word {
    ($name:ident) => {
        stringify!($name)
    };
    ($name:ident $text:literal) => {
        $text
    };
}

macro_rules! keywords {
    ($( $name:ident $(($text:literal))? in $($place:ident)|+ : [ $($part:ident),* ] $block:expr, $doc:literal, $example:literal; )+) => {
        /// A keyword. The same word may have several rows, in different places and with different heads.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Keyword { $( #[doc = $doc] $name, )+ }

        impl Keyword {
            /// All keywords, in the order of the table.
            pub const ALL: &'static [Keyword] = &[ $( Keyword::$name, )+ ];

            /// The row.
            #[must_use]
            pub const fn row(self) -> &'static Row {
                match self { $( Self::$name => &Row {
                    keyword: Keyword::$name,
                    name: word!($name $($text)?),
                    places: &[ $( Place::$place ),+ ],
                    head: &[ $( Part::$part ),* ],
                    block: $block,
                    doc: $doc,
                    example: $example,
                }, )+ }
            }
        }
    };
}

/// A row of the table.
#[derive(Debug)]
pub struct Row {
    /// The keyword.
    pub keyword: Keyword,
    /// The word.
    pub name: &'static str,
    /// The blocks in which it may stand.
    pub places: &'static [Place],
    /// What follows it.
    pub head: &'static [Part],
    /// The block after that.
    pub block: Block,
    /// What it is for, in a sentence.
    pub doc: &'static str,
    /// It as it may be written, for messages.
    pub example: &'static str,
}

use Block::{None as NoBlock, Optional, Required};

keywords! {
    // Files
    Use in File: [Text, OptAs] NoBlock, "Brings in the behaviors, constants and enums of another file.", r#"Use "std/humanoid""#;
    Const in File | Behavior: [Name, Assign] NoBlock, "A named literal.", "Const WALK_LIMIT = 0.1";
    Enum in File | Behavior: [Name] Required(Place::Variants), "A type with named variants.", "Enum Mood { calm angry sad }";
    Behavior in File: [Name, OptExtends] Required(Place::Behavior), "A behavior: parameters, layers, animations and machines.", "Behavior Door { State Closed }";
    Test in File: [Text, For] Required(Place::Test), "A script that plays a behavior and states what must be true.", r#"Test "opens" for Door { Step }"#;

    // Declarations of a behavior
    Param in Behavior: [Names, Type, OptAssign] Optional(Place::Param), "A value that the host sets.", "Param speed: number = 0";
    Let in Behavior: [Name, Assign] NoBlock, "A named value, typed by its expression.", "Let speed = length(velocityX, velocityZ)";
    Predicate in Behavior: [Name, OptAssign] NoBlock, "A named condition.", "Predicate IsMoving = speed > 0.1";
    Mask in Behavior: [Name] Required(Place::Mask), "Names of bones or objects.", r#"Mask Torso { Include "Spine*" }"#;
    Layer in Behavior: [Name] Optional(Place::Layer), "A layer, with or without a machine of its own.", "Layer UpperBody { Order 1 }";
    Animation in Behavior | Layer: [Names] Optional(Place::Animation), "A clip and how it plays.", r#"Animation Walk { AssetId "walk" Looped }"#;
    Rest in Behavior: [Text, Name, Assign] NoBlock, "The value of a property where no clip has a track for it.", r#"Rest "button" opacity = 1"#;
    Listener in Behavior: [OptText] Required(Place::Listener), "What to do when a pointer, a key or the game says something.", r#"Listener "button" { On click { Toggle active } }"#;
    Component in Behavior: [Name, Of] Optional(Place::Component), "A behavior inside this one.", "Component like: LikeButton";

    // Parameters
    Min in Param: [Value] NoBlock, "The least value.", "Min 0";
    Max in Param: [Value] NoBlock, "The greatest value.", "Max 10";
    Step in Param: [Value] NoBlock, "The distance of the values that are allowed, from `Min` on.", "Step 0.5";
    Lifetime in Param: [Value] NoBlock, "How long a fired trigger stays armed: `tick` or a duration.", "Lifetime 150ms";

    // Masks
    Include in Mask: [Texts] NoBlock, "Patterns of the names in the mask.", r#"Include "Spine*", "LeftArm""#;
    Exclude in Mask: [Texts] NoBlock, "Patterns of names that are not, although included.", r#"Exclude "SpineRoot""#;

    // Layers
    Order in Layer: [Value] NoBlock, "Its place in the stack; higher ones override lower ones.", "Order 1";
    BaseWeight in Layer: [Value] NoBlock, "Its weight while active.", "BaseWeight 1.0";
    LerpRate in Layer: [Value] NoBlock, "The most its weight moves in a second.", "LerpRate 8.0";
    Blend in Layer: [Value] NoBlock, "`override` or `additive`.", "Blend additive";
    MaskOf("Mask") in Layer: [Name] NoBlock, "The mask of what it touches.", "Mask Torso";
    Weight in Layer | Animation: [Value] NoBlock, "The weight while active: of a layer an expression, of an animation a number in (0, 1].", "Weight 0.8";
    Speed in Layer | Animation | Clip | Blend: [Value] NoBlock, "How fast it plays; 1 is as authored.", "Speed 1.5";

    // Animations
    AssetId in Animation: [Value] NoBlock, "What the host knows the clip by.", r#"AssetId "rbxassetid://7""#;
    Duration in Animation | Transition | Defaults: [Value] NoBlock, "Length of the clip; of a transition, of its crossfade.", "Duration 200ms";
    LayerOf("Layer") in Animation: [Name] NoBlock, "The layer in which it plays when an action starts it.", "Layer Base";
    Group in Animation: [Name] NoBlock, "The group of which at most one member plays.", "Group WeaponActions";
    Looped in Animation: [OptLiteral] NoBlock, "The clip wraps at its end.", "Looped";
    Loop in Animation: [Value] NoBlock, "`none`, `loop` or `pingPong`.", "Loop pingPong";
    Priority in Animation | Transition | Defaults | Request: [Value] NoBlock, "Higher wins.", "Priority 10";
    FadeIn in Animation: [Value] NoBlock, "Seconds from 0 to its weight.", "FadeIn 0.2";
    FadeOut in Animation: [Value] NoBlock, "Seconds from its weight to 0.", "FadeOut 0.2";
    CanInterrupt in Animation: [OptLiteral] NoBlock, "Whether its equals may replace it before it finishes.", "CanInterrupt false";
    MinDuration in Animation: [Value] NoBlock, "Time for which nothing replaces it.", "MinDuration 0.2";
    Additive in Animation: [OptLiteral] NoBlock, "Added to the pose instead of replacing it.", "Additive";
    Tags in Animation | State: [Names] NoBlock, "Words to find it by.", "Tags combat, melee";
    Marker in Animation: [Name, At] NoBlock, "A moment in the clip that is reported.", "Marker hit at 0.35s";
    Span in Animation: [Name, From, To] NoBlock, "A stretch of the clip that is reported.", "Span invulnerable from 0.1s to 0.5s";
    Metadata in Animation: [] Required(Place::Metadata), "Anything the host wants to find with the clip.", r#"Metadata { Author "kit" }"#;
    Track in Animation: [Text, Name] Required(Place::Track), "Keyframes of a property.", r#"Track "button" opacity { 0%: 1.0 100%: 0.6 }"#;

    // Machines
    InitialState in Behavior | Layer | State: [Path] Optional(Place::InitialState), "Where the machine starts.", "InitialState Idle";
    Enter in InitialState: [OptLiteral] NoBlock, "Runs the initial state's entry actions on the first tick.", "Enter";
    State in Behavior | Layer | State: [Name] Optional(Place::State), "A state of a machine.", "State Walk { OnEntry { Play Walk } }";
    Entry in Behavior | Layer | State: [] Required(Place::Transitions), "Where the machine starts, by conditions.", "Entry { Transition Swim when inWater Transition Idle }";
    AnyState in Behavior | Layer | State: [] Required(Place::Transitions), "Transitions from every state that is not terminal.", "AnyState { Transition Dead when health <= 0 }";
    TransitionDefaults in Behavior | Layer | State: [] Required(Place::Defaults), "What transitions leave out.", "TransitionDefaults { Duration 100ms }";
    When in Behavior | State: [Value] Required(Place::Actions), "A reaction without a change of state.", "When wave { Play Wave }";

    // States
    ActiveLayer in State: [Name, OptLiteral] NoBlock, "Brings a layer to its base weight, or to the weight given.", "ActiveLayer UpperBody";
    SuppressLayer in State: [Name] NoBlock, "Brings a layer to 0.", "SuppressLayer UpperBody";
    OnEntry in State: [OptFromState] Required(Place::Actions), "Runs when the state is entered.", "OnEntry { Play Walk }";
    OnExit in State: [] Required(Place::Actions), "Runs when the state is left.", "OnExit { Stop Walk }";
    OnUpdate in State: [] Required(Place::Actions), "Runs once a tick while the state is active.", "OnUpdate { Set stamina = stamina - dt }";
    OnFinish in State: [] Required(Place::Actions), "Runs when the motion reaches its end.", "OnFinish { Emit done }";
    OnLoop in State: [] Required(Place::Actions), "Runs when the motion begins another cycle.", "OnLoop { Emit lap }";
    Terminal in State: [OptLiteral] NoBlock, "Shields the state from `AnyState`.", "Terminal";
    History in State: [Value] NoBlock, "`none`, `shallow` or `deep`: where re-entry resumes.", "History shallow";
    OnDone in State: [Path, OptWhen] Optional(Place::Transition), "Where `Transition Exit` inside leads.", "OnDone Explore when safe";

    // Motions
    Clip in State | Motion: [Name] Optional(Place::Clip), "Plays one animation.", "Clip Walk";
    Blend1D in State | Motion: [Value] Required(Place::Blend), "Blends along a line.", "Blend1D speed { 0: Idle 1.4: Walk }";
    Blend2D in State | Motion: [Pair] Required(Place::Blend), "Blends in a plane.", "Blend2D moveX, moveY { (0, 0): Idle (0, 1): Walk }";
    BlendDirect in State | Motion: [] Required(Place::Blend), "Blends by weights.", "BlendDirect { smile: Smile }";
    Empty in State | Motion: [] NoBlock, "Holds the current pose.", "Empty";
    Mirror in Clip: [OptLiteral] NoBlock, "Asks the host to mirror the clip.", "Mirror";
    Phase in Clip: [Value] NoBlock, "The playhead stands at this place, 0 to 1.", "Phase grip";
    Normalize in Blend: [OptLiteral] NoBlock, "Scales the weights to sum to 1 when they exceed it.", "Normalize";

    // Transitions
    Transition in State | Transitions: [Path, OptWhen, OptOnRequest] Optional(Place::Transition), "Where the machine may go.", "Transition Run when speed > 3 { Priority 10 }";
    Easing in Transition | Defaults | Key: [Value] NoBlock, "The curve of the crossfade, or from a key to the next.", "Easing easeInOut";
    After in Transition: [Value] NoBlock, "Opens when time in the source state has reached this.", "After 2s";
    ExitTime in Transition: [Value] NoBlock, "Opens when the motion passes this place.", "ExitTime 80%";
    AtEnd in Transition: [OptLiteral] NoBlock, "Opens when the motion reaches its end.", "AtEnd";
    LeadOut in Transition: [OptLiteral] NoBlock, "With `AtEnd`: opens one `Duration` earlier.", "LeadOut";
    AtMarker in Transition: [Name] NoBlock, "Opens when the motion passes this marker.", "AtMarker hit";
    EarlyExit in Transition | Defaults: [OptLiteral] NoBlock, "Whether the fade may be interrupted by the target's transitions.", "EarlyExit false";
    PauseOnExit in Transition | Defaults: [OptLiteral] NoBlock, "Freezes the source motion while it fades out.", "PauseOnExit";
    Sync in Transition | Defaults | Blend: [OptLiteral] NoBlock, "The motions share one phase.", "Sync";
    StartAt in Transition | Clip: [Value] NoBlock, "Where the motion starts.", "StartAt 20%";
    RandomWeight in Transition | Defaults: [Value] NoBlock, "Weight of the choice among satisfied transitions of equal priority.", "RandomWeight 3";
    Instant in Transition: [OptLiteral] NoBlock, "Taken in the same moment as the one before.", "Instant";
    Restart in Transition: [OptLiteral] NoBlock, "A transition to the current state leaves and enters it again.", "Restart";
    OnTransition in Transition: [] Required(Place::Actions), "Actions between exit and entry.", "OnTransition { Emit left }";

    // Reuse
    Remove in Behavior | Layer | State | Transitions: [Declaration, Path] NoBlock, "Takes an inherited item away.", "Remove State Jump";

    // Actions, and the same words in tests
    Play in Actions | Test: [Path] NoBlock, "Starts an animation.", "Play Walk";
    Stop in Actions | Test: [Path, OptImmediate] NoBlock, "Fades an animation out, or cuts it.", "Stop Walk";
    StopGroup in Actions | Test: [Path, OptImmediate] NoBlock, "Fades the animations of a group out, or cuts them.", "StopGroup WeaponActions";
    PlayTag in Actions | Test: [Path] NoBlock, "Starts the animations with a tag.", "PlayTag melee";
    StopTag in Actions | Test: [Path] NoBlock, "Fades the animations with a tag out.", "StopTag melee";
    Set in Actions | Test: [Path, Assign] NoBlock, "Writes a parameter.", "Set speed = 0.5";
    SetTrue in Actions | Test: [Path] NoBlock, "Writes true.", "SetTrue ready";
    SetFalse in Actions | Test: [Path] NoBlock, "Writes false.", "SetFalse ready";
    Toggle in Actions | Test: [Path] NoBlock, "Writes the opposite.", "Toggle ready";
    Fire in Actions | Test: [Path] NoBlock, "Fires a trigger.", "Fire jump";
    Request in Actions | Test: [Path] Optional(Place::Request), "Asks for a manual transition.", "Request Jump { Priority 100 }";
    Emit in Actions: [Name, OptArguments] NoBlock, "Reports a custom event.", "Emit landed";
    PlayAudio in Actions: [Value] NoBlock, "Asks the host for a sound.", r#"PlayAudio "skid""#;
    SwitchCamera in Actions: [Value] NoBlock, "Asks the host for a camera.", r#"SwitchCamera "close""#;
    If in Actions: [Value] Required(Place::Actions), "Actions under a condition.", "If speed > 3 { Play Dust }";
    Else in Actions: [OptIf] Required(Place::Actions), "Actions where the condition before does not hold.", "Else { Stop Dust }";

    // Listeners and components
    On in Listener: [Event, OptText] Required(Place::Actions), "What an event does; for keys, which one.", "On click { Toggle active }";
    PassThrough in Listener: [OptLiteral] NoBlock, "Lets the event reach what lies below.", "PassThrough";
    Target in Component: [Value] NoBlock, "Where the component's targets are in the host's scene.", r#"Target "like-root""#;
    Bind in Component: [Path, Arrow, Path] NoBlock, "Ties a parameter to one of the component's.", "Bind enabled -> on";

    // Tests
    Fps in Test: [Value] NoBlock, "Ticks a second; 60 where none is written.", "Fps 60";
    Seed in Test: [Value] NoBlock, "The seed of random choices; 0 where none is written.", "Seed 7";
    Provide in Test: [OptDuration, Path, Assign] NoBlock, "What the host would answer.", "Provide IsGrounded = true";
    StepTicks("Step") in Test: [OptLiteral] NoBlock, "That many ticks of 1/Fps; one where no number is written.", "Step 3";
    Wait in Test: [Value] NoBlock, "Whole ticks of 1/Fps, then a shorter one for the rest.", "Wait 250ms";
    Tick in Test: [Value] NoBlock, "One tick of exactly this length.", "Tick 100ms";
    Expect in Test: [Expectation] NoBlock, "What must be true.", "Expect state == Walk";
    Save in Test: [Name] NoBlock, "Keeps the instance's state.", "Save before";
    Restore in Test: [Name] NoBlock, "Goes back to a kept state.", "Restore before";
    Repeat in Test: [Value] Required(Place::Test), "Statements to run that many times.", "Repeat 3 { Step }";
    Pointer in Test: [Event, OptTexts, OptAtPoint] NoBlock, "What a pointer or the focus does, on the targets under it from the topmost down.", r#"Pointer click "button""#;
    Key in Test: [Event, Text] NoBlock, "What a key does.", r#"Key keydown "Enter""#;
    Custom in Test: [Event, OptTexts] NoBlock, "An event of the game's own, for all listeners or for targets.", r#"Custom "combo""#;
}

impl Keyword {
    /// The word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The keyword that is written so in such a block.
    #[must_use]
    pub fn find(name: &str, place: Place) -> Option<Self> {
        Self::ALL.iter().copied().find(|keyword| keyword.name() == name && keyword.stands_in(place))
    }

    /// Whether it may stand in such a block.
    #[must_use]
    pub fn stands_in(self, place: Place) -> bool {
        self.row().places.contains(&place)
    }
}

/// The words that cannot be names without backquotes.
pub const RESERVED: &[&str] = &["and", "or", "not", "true", "false", "if", "then", "else", "when"];

/// A name as it is written in source: in backquotes where it is not a plain word.
#[must_use]
pub fn written(name: &str) -> String {
    let plain = name.chars().all(|char| char.is_alphanumeric() || char == '_')
        && !name.starts_with(|char: char| char.is_numeric())
        && !name.is_empty()
        && !RESERVED.contains(&name);
    if plain { name.to_owned() } else { format!("`{name}`") }
}
