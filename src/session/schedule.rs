//! Schedules of one line, and why a program does not follow one.

use crate::base::Loc;
use crate::event::Cut;
use crate::ir::Check;
use crate::source::place::{Places, file_line};
use crate::trace::replay::{Divergence, Reason};
use crate::trace::tape::Tape;
use std::fmt;
use std::str::FromStr;

/// Schedule: one execution that ends with a violation, as a line of text that a counterexample ends with. It says who moves when, and the
/// values that the program leaves open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule(pub(super) Tape);

impl Schedule {
    /// The check that the execution violates.
    pub fn check(&self) -> Check {
        self.0.check
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Schedule {
    type Err = String;

    fn from_str(text: &str) -> Result<Schedule, String> {
        text.parse().map(Schedule)
    }
}

/// Divergence of the program from a schedule in words: where, and how.
pub(super) fn words(diverged: &Divergence, places: &dyn Places) -> String {
    let thread = diverged.thread.title();
    let what = match &diverged.why {
        Reason::NotRunning => "does not run",
        Reason::OutOfTurn => "has no such store in its buffer",
        Reason::Stuck => "is blocked, or stops",
        Reason::Cut(Cut::Unsupported(_)) => "comes to what is not supported",
        Reason::Cut(_) => "comes to undefined behaviour",
        Reason::InSection(_) => "interrupts an atomic section",
        Reason::NoViolation => "violates nothing",
        Reason::NoRace => "does not race",
        Reason::Endless => "makes no further step",
        Reason::Misplaced(_) => "needs an object at an address where it cannot be",
    };
    let place = match diverged.loc {
        Loc::NONE => String::new(),
        loc => format!(", at {}", file_line(places, loc)),
    };
    let turn = diverged.step + 1;
    format!(
        "the schedule is not one of this program under these options: at turn {turn}, {thread} {what}{place}"
    )
}
