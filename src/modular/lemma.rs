//! Environment lemmas: what is learnt from queries that a thread and its environment cannot meet.

use super::cube::Blocked;
use crate::event::ThreadId;
use crate::event::ThreadSet;
use crate::term::TermId;

/// One thread as a sequential program with an environment.
#[derive(Clone, Debug)]
pub struct Sequential {
    pub thread: ThreadId,
    /// Threads that move between its steps (after the start, in a query).
    pub environment: ThreadSet,
    /// The query that it answers; `None` if what is asked for is something bad in the thread itself.
    pub query: Option<Query>,
}

/// Can a thread and its environment lead from one condition to another?
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Query {
    /// Condition before; a conjunction.
    pub before: Vec<TermId>,
    /// Condition after; a conjunction.
    pub after: Vec<TermId>,
    /// If there are any, one of these words is another one after than before, too. (Shown by unrolling alone.)
    pub changed: Vec<usize>,
}

impl Query {
    /// Query about states: true if nothing is said of the state before, for zero steps are a way from one to itself.
    pub fn is_of_states(&self) -> bool {
        self.before.is_empty() && self.changed.is_empty()
    }
}

/// An environment lemma: from no reachable state of `before` do these threads, alone, lead to one of `after`.
#[derive(Clone, Debug)]
pub struct Lemma {
    pub threads: ThreadSet,
    /// The thread whose program shows it.
    pub main: ThreadId,
    pub query: Query,
    pub proof: Proof,
    /// Numbers of lemmas before it that its proof rests on.
    pub used: Vec<usize>,
}

/// Proof that a sequential program does not reach what it must not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// All its executions, which are finite.
    Unrolling,
    /// An invariant of its system.
    Invariant(Blocked),
}

impl Lemma {
    /// Coverage: true if the lemma says something of moves of these threads; of states, it says something whoever moves.
    pub fn covers(&self, threads: &ThreadSet) -> bool {
        self.query.is_of_states() || threads.is_within(&self.threads)
    }
}
