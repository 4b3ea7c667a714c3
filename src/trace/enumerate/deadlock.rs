//! Deadlocks: states in which threads are blocked for ever, as `interpret/deadlock.rs` defines it.

use super::Search;
use crate::trace::deadlock::DeadlockKind;
use crate::trace::interpret::stand::Question;
use crate::trace::interpret::state::State;

impl Search<'_> {
    /// Takes note of the deadlocks of a state.
    pub(super) fn note_deadlocks(&mut self, state: &State) {
        let domain = self.script.domain();
        let mut question = Question {
            interpreter: &mut self.interpreter,
            digests: &mut self.digests,
            domain,
        };
        let deadlocks = match question.deadlocks(state) {
            Ok(deadlocks) => deadlocks,
            Err(effect) => return self.give_up(effect),
        };
        for deadlock in deadlocks {
            *self.found.deadlocked.entry(deadlock.kind).or_default() += 1;
            let places = deadlock.blocked.iter();
            let places = places.map(|one| self.interpreter.place_of_blocked(state, one).0);
            let places: Vec<_> = places.collect();
            if deadlock.kind == DeadlockKind::Cycle {
                self.found.cycles.extend(&places);
            }
            self.found.deadlocks.extend(places);
        }
    }
}
