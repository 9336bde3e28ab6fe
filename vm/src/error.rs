//! What can go wrong between a host and an instance. Each error says what and where; none of them changes anything.
//!
//! Errors of loading a program are in [`program`](crate::program).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::ids::ComponentId;
use crate::program::UnknownName;

/// Why an instance was not made.
#[derive(Clone, Debug, PartialEq)]
pub enum CreateError {
    /// The program has no behavior with that id.
    UnknownBehavior,
    /// The program leaves the durations of these animations to the host, which did not give them.
    MissingDurations(Vec<String>),
    /// A duration is not a finite number of seconds, or negative.
    BadDuration {
        /// The animation.
        name: String,
        /// What was given for it.
        seconds: f32,
    },
    /// The behavior has no animation with that id.
    UnknownAnimation(u16),
    /// The behavior has no component with that id.
    UnknownComponent(ComponentId),
}

impl fmt::Display for CreateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownBehavior => f.write_str("the program has no behavior with that id"),
            Self::MissingDurations(names) => {
                f.write_str("the host must give the duration of ")?;
                list(f, names)
            }
            Self::BadDuration { name, seconds } => {
                write!(f, "the duration of `{name}` is {seconds}, must be a number of seconds from 0 on")
            }
            Self::UnknownAnimation(id) => write!(f, "the behavior has no animation {id}"),
            Self::UnknownComponent(id) => write!(f, "the behavior has no component {}", id.0),
        }
    }
}

impl core::error::Error for CreateError {}

fn list(f: &mut fmt::Formatter<'_>, names: &[String]) -> fmt::Result {
    for (index, name) in names.iter().enumerate() {
        write!(f, "{}`{name}`", if index == 0 { "" } else { ", " })?;
    }
    Ok(())
}

/// That a host answers none of these.
pub(crate) fn no_predicates(f: &mut fmt::Formatter<'_>, names: &[String]) -> fmt::Result {
    f.write_str("the host must answer the extern predicates ")?;
    list(f, names)
}

/// Why a parameter was not set; it keeps its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetError {
    /// No parameter has that name.
    Unknown(UnknownName),
    /// The parameter is of another type.
    WrongType {
        /// The parameter.
        name: String,
        /// Its type.
        expected: &'static str,
        /// The type of the value.
        found: &'static str,
    },
    /// The number is NaN or infinite.
    NotFinite {
        /// The parameter.
        name: String,
    },
    /// The enum has no such variant.
    UnknownVariant(UnknownName),
    /// The id is of another behavior.
    UnknownId,
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(unknown) | Self::UnknownVariant(unknown) => unknown.fmt(f),
            Self::WrongType { name, expected, found } => {
                write!(f, "parameter `{name}` is of type {expected}, not {found}")
            }
            Self::NotFinite { name } => write!(f, "parameter `{name}` takes finite numbers only"),
            Self::UnknownId => f.write_str("the parameter's id is of another behavior"),
        }
    }
}

impl core::error::Error for SetError {}

/// Why a command was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// The id is of another behavior.
    UnknownId,
    /// The number is NaN or infinite.
    NotFinite,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownId => "the id is of another behavior",
            Self::NotFinite => "the number must be finite",
        })
    }
}

impl core::error::Error for CommandError {}

/// Why a tick did not take place.
#[derive(Clone, Debug, PartialEq)]
pub enum TickError {
    /// `dt` is negative, NaN or infinite.
    BadDt(f32),
    /// The behavior asks the host these `Extern Predicate`s, and the host does not answer.
    NoPredicates(Vec<String>),
}

impl fmt::Display for TickError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadDt(dt) => write!(f, "dt is {dt}, must be a finite number of seconds from 0 on"),
            Self::NoPredicates(names) => no_predicates(f, names),
        }
    }
}

impl core::error::Error for TickError {}

/// Why a save was not restored; the instance is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestoreError {
    /// It is not a save of an instance.
    NotASave,
    /// It was made by a newer runtime.
    Version(u16),
    /// It is of another program.
    OtherProgram {
        /// The hash of the program it is of.
        saved: u64,
        /// The hash of this one.
        here: u64,
    },
    /// It is of another behavior of the same program.
    OtherBehavior,
    /// It has fewer or more bytes than a save of this behavior.
    Length,
    /// Something in it is no state that an instance can be in.
    Invalid(&'static str),
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASave => f.write_str("this is not a save of an instance"),
            Self::Version(version) => {
                write!(f, "the save has version {version}, which needs a newer runtime")
            }
            Self::OtherProgram { saved, here } => {
                write!(f, "it is of another program: its hash is {saved:016x}, here it is {here:016x}")
            }
            Self::OtherBehavior => f.write_str("the save is of another behavior of this program"),
            Self::Length => f.write_str("the save is shorter or longer than it must be"),
            Self::Invalid(what) => write!(f, "the save is damaged: {what}"),
        }
    }
}

impl core::error::Error for RestoreError {}
