//! Answers about a system, and the invariants that some of them rest on.

use super::system::{Cube, Trace};
use crate::base::StopReason;

/// A set of states that is inductive over windows of `depth` successive states, each after a step from the one before.
///
/// * *Base*: from the start, the first `depth` states are in the set, and the first `depth - 1` steps are not bad.
/// * *Step*: take `depth` states in the set, no two of them equal, such that the steps between them are not bad. Then no
///   step out of the last one is bad, and each leads into the set.
///
/// These two suffice. Take a shortest execution that leaves the set or takes a bad step. It passes no state twice, the
/// base case covers its beginning, so its end comes after a window, and there the step case says the opposite. Whether
/// a step is bad depends on its inputs: a hypothesis speaks of the inputs that were chosen, a conclusion of all.
///
/// With depth 1 this is an ordinary invariant: it contains the initial states, no step leaves it, and no state in it is bad
/// under any input. A property alone, without clauses, that k good steps in a row keep good has depth k + 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Disjunctions whose conjunction is the set.
    pub clauses: Vec<Cube>,
    /// States of a window, at least 1.
    pub depth: usize,
}

impl Default for Invariant {
    /// All states.
    fn default() -> Invariant {
        Invariant {
            clauses: Vec::new(),
            depth: 1,
        }
    }
}

/// Answer about a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A bad state is reached.
    Reached(Trace),
    /// None is; checked.
    Safe(Invariant),
    /// Neither: what is to be shown speaks of all equal members at once, or patience has ended. Clauses that the search has used are
    /// candidates for another one.
    Particular(Vec<Cube>),
    /// The budget ended the search.
    Stopped(StopReason),
}

/// A result that does not withstand its check: an error of this program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsound(pub String);

/// Sizes of a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Effort {
    /// Frames that were opened.
    pub frames: usize,
    /// Calls of the solver.
    pub queries: u64,
    /// Clauses that were learnt.
    pub clauses: u64,
}
