//! Positions as one wants them to be, and joins that wait there.

#[cfg(feature = "internals")]
use crate::circuit::Formula;
use crate::circuit::Lit;
#[cfg(feature = "internals")]
use crate::event::{CellId, ThreadId};
use crate::relation::program_order::StepId;

/// A position of an unwinding, as one wants it to be.
#[cfg(feature = "internals")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cluster {
    /// Threads that write there; one, but for inter-thread clusters.
    pub threads: Vec<ThreadId>,
    /// Cells that are written there, with the values that are left; one cell, but for clusters.
    pub map: Vec<(CellId, u128)>,
}

/// A join that waits under a condition: its step, the end that it waits for, and when.
#[derive(Clone, Copy, Debug)]
pub struct Wait {
    pub(super) end: StepId,
    pub(super) join: StepId,
    pub(super) when: Lit,
}

/// The condition that a word has a value.
#[cfg(feature = "internals")]
pub(super) fn has_value(formula: &mut Formula, word: &[Lit], value: u128) -> Lit {
    let bits = word.iter().enumerate();
    let same: Vec<Lit> = bits
        .map(|(bit, &lit)| if value >> bit & 1 == 1 { lit } else { !lit })
        .collect();
    formula.and_all(&same)
}
