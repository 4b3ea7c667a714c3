//! Findings of a decision, and the answers of its queries for bad steps.

use crate::base::{Loc, StopReason};
use crate::ir::{Property, Undefined};
use crate::trace::Trace;
use crate::transition::Refusal;

/// Finding of a decision: its answer, or why there is none.
pub enum Finding {
    /// No violation can be reached, nor anything that is not modelled; executions end at this undefined behaviour, the
    /// first that was reached, if there is some.
    Safe { undefined: Vec<(Undefined, Loc)> },
    /// A violation, replayed.
    Violated {
        property: Property,
        loc: Loc,
        trace: Trace,
    },
    /// Something that is not modelled can be reached.
    Unsupported { what: String, loc: Loc },
    /// Bad steps that can be reached as far as automata tell, but that did not replay: array objects, one of them
    /// allocated here, are abstracted.
    Abstracted { what: &'static str, loc: Loc },
    /// The program has no automata.
    Refused(Refusal),
    /// The budget is used up.
    Stopped(StopReason),
    /// The strategy does not tell: threads one by one, where executions end at something undefined or not modelled;
    /// families of threads, where there are none, or nothing is shown.
    Open,
}

impl Finding {
    /// Answer: true if no other strategy need be asked. Strategies share the automata, and so what is abstracted; only lockstep
    /// may know more of it.
    pub fn is_answer(&self) -> bool {
        !matches!(
            self,
            Finding::Refused(_) | Finding::Stopped(_) | Finding::Open
        )
    }
}

/// Answer of a query for bad steps.
pub(super) enum Asked {
    /// None of them can be reached.
    Unreachable,
    Reached(Reached),
    /// The budget is used up.
    Stopped(StopReason),
}

/// Bad step that can be reached.
pub(super) enum Reached {
    /// A violation, replayed.
    Violation {
        property: Property,
        loc: Loc,
        trace: Trace,
    },
    Undefined {
        why: Undefined,
        loc: Loc,
    },
    /// Something that is not modelled.
    Unsupported {
        what: String,
        loc: Loc,
    },
    /// See [`Finding::Abstracted`].
    Abstracted {
        what: &'static str,
        loc: Loc,
    },
}

impl Asked {
    /// Finding of a program in which nothing worse can be reached; `None` if none of the steps can.
    pub(super) fn finding(self) -> Option<Finding> {
        match self {
            Asked::Unreachable => None,
            Asked::Reached(reached) => Some(reached.finding()),
            Asked::Stopped(reason) => Some(Finding::Stopped(reason)),
        }
    }
}

impl Reached {
    /// Finding of a program in which nothing worse can be reached: beside undefined behaviour, no violation and nothing
    /// that is not modelled.
    pub(super) fn finding(self) -> Finding {
        match self {
            Reached::Violation {
                property,
                loc,
                trace,
            } => Finding::Violated {
                property,
                loc,
                trace,
            },
            Reached::Undefined { why, loc } => Finding::Safe {
                undefined: vec![(why, loc)],
            },
            Reached::Unsupported { what, loc } => Finding::Unsupported { what, loc },
            Reached::Abstracted { what, loc } => Finding::Abstracted { what, loc },
        }
    }
}
