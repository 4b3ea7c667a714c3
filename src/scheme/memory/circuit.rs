//! Circuit under construction, and the free choices in it.

use crate::circuit::Formula;
use crate::event::EventId;
use crate::scheme::faults::{self, Fault};
use crate::term::{TermId, Terms};
use hashbrown::HashMap;

/// Circuit under construction, in which operations build what they need.
pub struct Circuit<'a> {
    /// Words and conditions.
    pub terms: &'a mut Terms,
    /// Constraints on free choices.
    pub formula: &'a mut Formula,
    /// Free choices.
    pub guesses: &'a mut Guesses,
}

/// Free choice (guess) of an event, one in an execution: an event happens at most once, in whatever slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guess {
    /// The time at a step.
    Clock,
    /// The time at which a step's write reaches memory.
    Stamp,
    /// Commit, before a step and in the pass of this number, of the buffered write of another step (its first event).
    Commit(u32, EventId),
}

/// Choices that have been made so far.
#[derive(Default)]
pub struct Guesses(HashMap<(Guess, EventId), TermId>);

impl Guesses {
    /// Times that are guessed, in the order in which they were.
    pub fn times(&self) -> Vec<TermId> {
        let is_time = |guess: &Guess| match guess {
            Guess::Clock => true,
            Guess::Stamp => !faults::on(Fault::StampsBeyond),
            Guess::Commit(..) => false,
        };
        let all = self.0.iter().filter(|((guess, _), _)| is_time(guess));
        let mut times: Vec<TermId> = all.map(|(_, time)| *time).collect();
        times.sort_unstable();
        times
    }
}

impl Circuit<'_> {
    /// The choice of an event.
    pub(super) fn guess(&mut self, what: Guess, event: EventId, bits: u16) -> TermId {
        let terms = &mut *self.terms;
        let guesses = &mut self.guesses.0;
        *guesses
            .entry((what, event))
            .or_insert_with(|| terms.fresh(&format!("{what:?}.{}", event.0), bits))
    }

    /// A condition that holds where an operation is executed.
    pub(super) fn demand(&mut self, when: TermId, condition: TermId) {
        let when = self.formula.lit_of(self.terms, when);
        let condition = self.formula.lit_of(self.terms, condition);
        self.formula.add_clause(&[!when, condition]);
    }
}
