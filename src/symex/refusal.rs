//! Reasons why a program has no unrolling.

use crate::base::{Loc, StopReason};
use std::fmt;

/// More objects, or larger ones, than addresses can name: the place of one that has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unaddressable(pub Loc);

/// Reasons why a program could not be unrolled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The program does not fit into the address space.
    AddressSpace(Unaddressable),
    /// The unrolled program exceeds the budget of events or instructions.
    TooLarge {
        /// Events so far.
        events: usize,
    },
    /// The budget of time or memory is spent.
    Stopped(StopReason),
}

impl fmt::Display for Unaddressable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("its objects do not fit into the address space")
    }
}

impl From<Unaddressable> for Refusal {
    fn from(why: Unaddressable) -> Refusal {
        Refusal::AddressSpace(why)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::AddressSpace(why) => why.fmt(f),
            Refusal::TooLarge { events } => write!(f, "it has more than {events} events"),
            Refusal::Stopped(reason) => reason.fmt(f),
        }
    }
}
