//! The table of diagnostic codes: one row each, from which names, severities, `explain` and the docs derive.
//!
//! `MX` and four digits, never reused: 00 lexing, 01 syntax, 02 names and files, 03 types, 04 machine structure,
//! 05 motions, time and events, 06 constants and ranges, 07 limits, 08 loading a program, 09 internal, 10 lints,
//! 11 import. Every row has a page in `pages/` and at least one fixture.

use super::Severity;

macro_rules! codes {
    ($( $number:literal $name:ident $severity:ident $title:literal; )+) => {
        /// A diagnostic code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $( #[doc = $title] $name, )+ }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Code] = &[ $( Code::$name, )+ ];

            /// The code as it is written: `MX0203`.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $( Self::$name => $number, )+ }
            }

            /// What it is about, in a few words.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $( Self::$name => $title, )+ }
            }

            /// How much it matters.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $( Self::$name => Severity::$severity, )+ }
            }

            /// The page that explains it, in Markdown.
            #[must_use]
            pub const fn page(self) -> &'static str {
                match self { $( Self::$name => include_str!(concat!("pages/", $number, ".md")), )+ }
            }

            /// The code that is written so, in any case of letters.
            #[must_use]
            pub fn by_id(id: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.id().eq_ignore_ascii_case(id))
            }
        }
    };
}

codes! {
    // 00 lexing
    "MX0001" InvalidUtf8 Error "the source is not valid UTF-8";
    "MX0002" UnknownCharacter Error "a character that means nothing here";
    "MX0003" UnterminatedText Error "a text without its closing quote";
    "MX0004" UnknownEscape Error "an unknown escape in a text";
    "MX0005" MalformedNumber Error "a number that cannot be read";
    "MX0006" UnknownUnit Error "a number with an unknown unit";
    "MX0007" MalformedColor Error "a color that cannot be read";
    "MX0008" UnterminatedComment Error "a comment that is not closed";
    "MX0009" UnterminatedName Error "a backquoted name that is not closed";
    "MX0010" MergeMarker Error "an unresolved merge conflict";
    "MX0011" ForeignOperator Error "an operator of another language";
    "MX0012" NotMotix Error "a file of another language";

    // 01 syntax
    "MX0101" UnexpectedToken Error "something else was expected";
    "MX0102" UnclosedDelimiter Error "an opening brace, bracket or parenthesis without its partner";
    "MX0103" StrayDelimiter Error "a closing brace, bracket or parenthesis without its partner";
    "MX0104" UnknownKeyword Error "a keyword that does not exist";
    "MX0105" MisplacedKeyword Error "a keyword that cannot stand in this block";
    "MX0106" ReservedWord Error "a reserved word as a name";
    "MX0107" ChainedComparison Error "comparisons that are chained";
    "MX0108" StrayComma Error "a comma where none can stand";
    "MX0109" ForeignSyntax Error "syntax of another language";

    // 02 names and files
    "MX0201" UnknownName Error "a name that nothing declares";
    "MX0202" UnknownState Error "a state that does not exist";
    "MX0203" UnknownPredicate Error "a predicate that does not exist";
    "MX0204" DuplicateName Error "a name declared twice";
    "MX0205" UnknownAnimation Error "an animation that does not exist";
    "MX0206" UnknownLayer Error "a layer that does not exist";
    "MX0207" UnknownParam Error "a parameter that does not exist";
    "MX0208" UnknownGroup Error "a group that no animation names";
    "MX0209" UnknownTag Error "a tag that nothing carries";
    "MX0210" UnknownMask Error "a mask that does not exist";
    "MX0211" UnknownType Error "a type that does not exist";
    "MX0212" UnknownVariant Error "a variant that the enum does not have";
    "MX0213" UnknownFunction Error "a function that does not exist";
    "MX0214" UnknownBehavior Error "a behavior that does not exist";
    "MX0215" WrongKind Error "a name of another kind of thing";
    "MX0216" AmbiguousState Error "a state that several machines have";
    "MX0217" UnknownSpan Error "a span that the animation does not have";
    "MX0218" MissingFile Error "a used file that does not exist";
    "MX0219" UnreadableFile Error "a used file that cannot be read";
    "MX0220" UseCycle Error "files that use each other in a ring";
    "MX0221" UseClash Error "a used file brings in a name that is there already";
    "MX0222" DefinitionCycle Error "values that are defined by each other";
    "MX0223" UnknownMarker Error "a marker that the animation does not have";
    "MX0224" UnknownComponent Error "a component that does not exist";

    "MX0230" InheritedAgain Error "an inherited name declared again without `Override`";
    "MX0231" NothingToOverride Error "an `Override` of what is not inherited";
    "MX0232" NothingToRemove Error "a `Remove` of what is not inherited";
    "MX0233" ExtendsCycle Error "behaviors that extend each other in a ring";
    "MX0234" OverrideKind Error "an `Override` that makes something else of what is inherited";
    "MX0235" NothingInherited Error "`Override` or `Remove` where nothing is inherited";
    "MX0236" RemovedName Error "a name of something that was removed";

    // 03 types
    "MX0301" TypeMismatch Error "a value of another type than is needed here";
    "MX0302" OperandType Error "an operator with a value that it does not take";
    "MX0303" ComparedTypes Error "a comparison of different types";
    "MX0304" NoOrder Error "an order of values that have none";
    "MX0305" TriggerAsValue Error "a trigger used as a value";
    "MX0306" NotCondition Error "a condition that is neither true nor false";
    "MX0307" ArgumentCount Error "a function with too few or too many arguments";
    "MX0308" ArgumentType Error "a function with an argument that it does not take";
    "MX0309" MisplacedBuiltin Error "a builtin where it means nothing";
    "MX0310" NotAParam Error "a change of something that cannot change";
    "MX0311" WrongAction Error "an action on a parameter of another type";
    "MX0312" VariantAlone Error "a variant where nothing says of which enum";
    "MX0313" EmitShape Error "a custom event with different values in different places";
    "MX0314" ForeignType Error "a type of another language";
    "MX0315" TriggerDeclaration Error "a trigger that is declared like a value";
    "MX0316" PropertyOfType Error "a property that this type of parameter does not have";
    "MX0317" DampPlace Error "`damp` inside an expression";
    "MX0318" EmptyEnum Error "an enum without variants";

    // 04 machine structure
    "MX0402" MissingInitialState Error "a machine or a composite state without an initial state";
    "MX0403" EntryNotRun Note "an initial state whose entry actions do not run at the start";
    "MX0404" ActiveAndSuppressed Error "a layer both active and suppressed in one state";
    "MX0405" TerminalLeaves Error "a terminal state with transitions";
    "MX0406" ForeignTarget Error "a transition to a state of another machine";
    "MX0407" SelfTransition Warning "a transition to its own state, without `Restart`";
    "MX0408" PropertyTwice Error "a property written twice";
    "MX0409" LayerMissing Error "an animation that could play in several layers";
    "MX0410" ConditionOnRequest Error "a condition of a transition that is only requested";
    "MX0411" TestOrder Error "a setting of a test after its first statement";
    "MX0412" DurationKnown Error "a duration provided that the source gives";
    "MX0420" TwoStarts Error "both an `InitialState` and an `Entry`";
    "MX0421" EntryUndecided Error "an `Entry` that may find no way in";
    "MX0422" MisfitProperty Error "a property that this kind of transition does not have";
    "MX0423" StartOutside Error "a composite state that starts outside of itself";
    "MX0424" NotComposite Error "what only a state with others inside can have";
    "MX0425" ExitNowhere Error "an `Exit` from a state without `OnDone`";
    "MX0426" TerminalComposite Error "a state marked `Terminal` with others inside";
    "MX0427" EnterInside Error "`Enter` where entry actions run anyhow";
    "MX0428" MotionRunsOn Warning "a crossfade where one motion runs on";
    "MX0440" BindTypes Error "a `Bind` of parameters of different types";
    "MX0441" BoundTwice Error "a parameter that two `Bind`s write";
    "MX0442" ComponentRing Error "a behavior that is a component of itself";
    "MX0443" TargetTaken Error "two components with one target";
    "MX0444" BadTarget Error "a target that is no name";
    "MX0445" InsideComponent Error "something of a component that is not bound";

    // 05 motions, time and events
    "MX0501" PlaceUnit Error "a place in a clip without its unit";
    "MX0502" WrongUnit Error "a unit that does not fit";
    "MX0503" PlaceOutside Error "a place outside of the clip";
    "MX0504" SpanBackwards Error "a span that ends before it begins";
    "MX0505" UnknownEvent Error "an event that does not exist";
    "MX0506" EventArguments Error "an event with the wrong arguments";
    "MX0507" NeverReported Error "an event that the behavior never reports";
    "MX0508" NothingSaved Error "a `Restore` of what was not saved";

    "MX0509" TwoMotions Error "a state with two motions";
    "MX0510" NoMotion Error "something asked of a motion that is not there";
    "MX0511" InstantFade Error "an `Instant` transition with a `Duration`";
    "MX0512" GateConflict Error "gates that do not fit together";
    "MX0513" FadeMissing Warning "a property of a crossfade, without a crossfade";
    "MX0514" NeverRuns Warning "a list of actions that never runs";
    "MX0515" MotionLayers Warning "clips of the main machine in different layers";
    "MX0516" Scrubbed Warning "a clip with `Phase` and something that moves it otherwise";
    "MX0517" NeverOpens Error "a gate that never opens";
    "MX0520" EmptyBlend Error "a blend without entries";
    "MX0521" PointTwice Error "two entries of a blend at one position";
    "MX0522" Unsynced Error "something asked of a blend whose children run by themselves";
    "MX0523" EntryKey Error "a position that does not fit its blend";
    "MX0524" LoopsDiffer Error "clips that loop beside clips that do not, at one phase";
    "MX0525" ChildPlace Error "a child with a place of its own, in a blend of one phase";
    "MX0526" BlendSeconds Error "seconds of a blend, whose cycle has no fixed length";
    "MX0527" EmptyInBlend Error "`Empty` in a blend";
    "MX0528" EntryMotion Error "an entry of a blend without exactly one motion";
    "MX0529" NormalizeElsewhere Error "`Normalize` in a blend whose weights always sum to 1";
    "MX0530" UnknownInput Error "an input that does not exist";
    "MX0531" UnknownTarget Error "a target that no listener has";
    "MX0532" KeyFilter Error "a key of what comes from none";
    "MX0533" NothingBelow Error "`PassThrough` of a listener without a target";
    "MX0534" HearsNothing Warning "a listener that hears nothing";
    "MX0535" HeardTwice Error "a listener that hears the same twice";
    "MX0536" OddKey Note "a key that the web calls otherwise";
    "MX0537" EmptyTarget Error "a target, key or event without a name";
    "MX0538" InputStatement Error "an input in a statement that does not take it";
    "MX0539" QuotedInput Warning "a custom event with the name of an input of the host";
    "MX0540" KeyOrder Error "keys of a track that do not ascend";
    "MX0541" PropertyType Error "a property with numbers in one place and colors in another";
    "MX0542" TrackTwice Error "two tracks of one property in an animation";
    "MX0543" TrackEmpty Error "a track without keys or without a target";
    "MX0544" UnknownProperty Error "a property that no track animates";
    "MX0545" KeyUnits Error "a track with shares and times, of a clip whose length is not known";
    "MX0546" RestMissing Warning "a property that falls back to 0";
    "MX0547" RestUnused Warning "a `Rest` of a property that no track animates";
    "MX0548" MaskMatchesNothing Error "a mask that matches nothing";
    "MX0549" MaskUnused Warning "a mask that no layer uses";
    "MX0550" SettledInside Error "`settled` in a larger expression";

    // 06 constants and ranges
    "MX0601" NotConstant Error "a value that must be known when compiling";
    "MX0602" OutOfRange Error "a number out of its range";
    "MX0603" NotWhole Error "a number that must be whole";
    "MX0604" LongSeconds Warning "a bare number that is probably milliseconds";
    "MX0605" MinAboveMax Error "a `Min` above its `Max`";
    "MX0606" InitialOutside Error "an initial value outside of its own range";
    "MX0607" NoWeight Error "random weights that are all 0";
    "MX0608" OrderTaken Error "two layers with the same order";
    "MX0609" UnknownChoice Error "a word that the property does not know";
    "MX0610" NotFinite Error "a constant that is not a finite number";
    "MX0611" StepWithoutMin Error "a `Step` without a `Min`";
    "MX0612" LongFade Warning "a fade of more than a minute";

    // 07 limits
    "MX0701" NestedTooDeep Error "nesting too deep";
    "MX0702" TooMany Error "more of something than a program can hold";
    "MX0703" ValuesTooDeep Error "values that read each other too deeply";
    "MX0704" ValueTooCostly Error "a value that takes too many operations";
    "MX0705" CodeTooLarge Error "an expression or a list of actions too large to run";
    "MX0706" MotionTooLarge Error "a motion with too many clips";
    "MX0707" MotionTooDeep Error "motions in motions too deep";

    // 09 internal
    "MX0901" Internal Error "a fault of the compiler";

    // 10 lints
    "MX1001" UnreachableState Note "a state that no transition leads to";
    "MX1002" ShadowedTransition Warning "a transition that is never decided";
    "MX1003" NeverSeen Warning "a state that is left at once";
    "MX1004" InstantCycle Warning "a ring of instant transitions";
    "MX1005" UnusedParam Warning "a parameter that nothing uses";
    "MX1006" UnusedValue Warning "a named value that nothing uses";
    "MX1007" UnusedAnimation Note "an animation that nothing in the file uses";
    "MX1008" BriefTrigger Warning "a trigger that is gone before the gate opens";
    "MX1009" DoneNeverTaken Warning "an `OnDone` without an `Exit` that leads to it";
    "MX1010" SyncOfNoCycle Note "a `Sync` of motions that have no cycle in common";
    "MX1011" NothingHears Note "an input of a test that nothing hears";
    "MX1012" LonelyGroup Note "a group of one animation, with nearly the name of another group";
    "MX1013" NeverHolds Warning "a comparison that never holds";
    "MX1014" AlwaysHolds Note "a comparison that always holds";

    // 11 import
    "MX1101" NoBuilder Error "a Lua file without a behavior builder";
    "MX1102" UnreadableLua Error "Lua that cannot be read";
    "MX1103" NotCarriedOver Warning "a part of a builder that has no counterpart";
    "MX1104" UnknownArgument Warning "an argument whose value is not known";
    "MX1105" UnknownInBuilder Warning "a name that the builder does not declare";
    "MX1106" PredicateLeftToHost Warning "a predicate that is left to the host";
    "MX1107" ConditionalBuilder Warning "builder calls under a condition or in a loop";
    "MX1108" AdjustedValue Warning "a value that was changed to fit";
    "MX1109" DuplicateInBuilder Warning "something that a builder says twice";
    "MX1110" MissingInitial Warning "a builder without an initial state";
    "MX1111" OtherCode Note "Lua code beside the builders";
    "MX1120" NoStateMachine Error "a JSON file without a state machine";
    "MX1121" UnreadableJson Error "JSON that cannot be read";
    "MX1122" UnknownKey Warning "a key of a JSON machine that has no counterpart";
    "MX1123" WrongJsonType Warning "a value of another type than a JSON machine needs";
    "MX1124" UnknownInMachine Warning "a name that the JSON machine does not declare";
    "MX1125" DuplicateInMachine Warning "something that a JSON machine says twice";
    "MX1126" NotInMotix Warning "a part of a JSON machine that has no counterpart";
    "MX1127" MissingPart Warning "something that a JSON machine leaves out";
    "MX1128" RangesDiffer Warning "bound numbers with different ranges";
    "MX1129" NestedFile Note "a machine in another file";
    "MX1130" Assumed Note "something that a JSON machine leaves open";
}
