//! Divergence of a program from a schedule.

use crate::base::Loc;
use crate::event::{Cut, ThreadId};
use crate::trace::interpret::stop::{Misplaced, Stop};

/// Divergence of the program from the schedule: where and how it does not do what the schedule says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// Index into [`crate::trace::Schedule::steps`]; its length if the schedule came to its end without a violation.
    pub step: usize,
    pub thread: ThreadId,
    /// Place in the source at which the thread stands.
    pub loc: Loc,
    pub why: Reason,
}

impl Divergence {
    /// The execution does not begin: the address space is none of this program.
    pub(super) fn nowhere() -> Divergence {
        Divergence {
            step: 0,
            thread: ThreadId(0),
            loc: Loc::NONE,
            why: Reason::NotRunning,
        }
    }
}

/// Kinds of divergence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The thread of the step has not been created, or takes no further step.
    NotRunning,
    /// On its way the thread came to a visible instruction that is not its next step.
    OutOfTurn,
    /// The thread blocks, or a false assumption or `exit` stops it.
    Stuck,
    /// The thread is cut.
    Cut(Cut),
    /// Another thread is within an atomic section.
    InSection(ThreadId),
    /// The last step is not a violated assertion.
    NoViolation,
    /// The last instructions of the two threads of a data race do not race.
    NoRace,
    /// The thread runs local code without end.
    Endless,
    /// The schedule has chosen an impossible machine address for an object.
    Misplaced(Misplaced),
}

impl From<Stop> for Reason {
    fn from(stop: Stop) -> Reason {
        match stop {
            Stop::Undefined(why) => Reason::Cut(Cut::Undefined(why)),
            Stop::Misplaced(why) => Reason::Misplaced(why),
            // A replay watches all objects.
            Stop::Unwatched(_) => Reason::Misplaced(Misplaced::Room),
        }
    }
}
