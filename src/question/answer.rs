//! Answers: what is known of a program within the bounds of a scheme, and errors that leave it without one.

use super::Scheme;
use super::encoding::Unencoded;
use super::parts::Uncovered;
use crate::base::sorted::SortedSet;
use crate::base::{Loc, StopReason};
use crate::event::{EventId, MemoryModel, ThreadId};
use crate::term::{TermId, Terms, VarId};

/// An execution of an event program up to a violated assertion or a cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// The visible events that happen, in one total order (of joins: those that came through).
    pub order: Vec<EventId>,
    /// The violated assertion, or the cut.
    pub target: EventId,
    /// Value of each variable, by its number; those of events that do not happen are arbitrary.
    pub values: Vec<u128>,
    /// Places of all threads that are blocked, of a deadlock.
    pub places: SortedSet<Loc>,
    /// Threads that are blocked or have ended, of a deadlock.
    pub blocked: SortedSet<ThreadId>,
}

impl Execution {
    /// Value of a term of the program.
    pub fn value(&self, terms: &Terms, t: TermId) -> u128 {
        terms.eval(t, &|var: VarId| {
            self.values.get(var.0 as usize).copied().unwrap_or(0)
        })
    }
}

/// Answer: whether a program can violate what is asked for, within the bounds of the scheme.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It can.
    Violated {
        /// An execution for each check and place; at least one.
        executions: Vec<Execution>,
        /// The reach of the answer that there are no others, or why there is none.
        reach: Result<Reach, Open>,
    },
    /// It cannot.
    Safe(Reach),
    /// The budget ended the search.
    Stopped {
        /// Reason why it ended.
        reason: StopReason,
        /// It is known that nothing can be violated within the bounds that the scheme has come to; the search
        /// ended while asking about cuts, or about more writes.
        safe: bool,
    },
}

/// Reason why it is not known whether there are more violations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Open {
    /// One was enough.
    Unasked,
    /// The budget ended the search.
    Stopped(StopReason),
}

/// Reach of an answer: what keeps executions out of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reach {
    /// One reachable event for each kind of cut that can be reached and is no violation, in program order. Loops are kinds of their
    /// own, and so are functions that recur.
    pub cuts: Vec<EventId>,
    /// The same of further loops and functions that may be cut: nobody has found out whether they are.
    pub unsure: Vec<EventId>,
    /// Executions that end at those of them that depend on machine addresses.
    pub ends: Vec<Execution>,
    /// Some assertion can be reached; `None` if nobody asked.
    pub asserted: Option<bool>,
    /// The scheme left no schedule out.
    pub complete: bool,
}

impl Reach {
    /// Reach of the answer that there is no execution at all.
    pub(super) const NOTHING: Reach = Reach {
        cuts: Vec::new(),
        unsure: Vec::new(),
        ends: Vec::new(),
        asserted: None,
        complete: true,
    };
}

/// A model that is no execution: an error of the encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inconsistent {
    /// The assertion or cut that the model was about.
    pub target: EventId,
}

impl std::fmt::Display for Inconsistent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the solver's model has no order of events (event {})",
            self.target.0
        )
    }
}

impl std::error::Error for Inconsistent {}

/// Error that leaves a program without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The solver's model is no execution.
    Inconsistent(Inconsistent),
    /// The scheme does not know the program's memory model.
    NoModel(Scheme, MemoryModel),
    /// Cubes leave executions out.
    Uncovered(Uncovered),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Inconsistent(why) => why.fmt(f),
            Failure::NoModel(scheme, memory) => Unencoded::NoModel(*scheme, *memory).fmt(f),
            Failure::Uncovered(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Inconsistent> for Failure {
    fn from(why: Inconsistent) -> Failure {
        Failure::Inconsistent(why)
    }
}

impl From<Uncovered> for Failure {
    fn from(why: Uncovered) -> Failure {
        Failure::Uncovered(why)
    }
}

impl Answer {
    pub(super) fn violated(executions: Vec<Execution>, reach: Result<Reach, Open>) -> Answer {
        Answer::Violated { executions, reach }
    }
}
