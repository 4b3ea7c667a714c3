//! Data races: states in which the next instructions of two threads conflict.
//!
//! Threads stop before every access that others may have a part in. An atomic section is one step, so what its thread attempts
//! within it is compared with the others in the state before each of its instructions, whether or not it comes to its end.

use super::Search;
use crate::event::ThreadId;
use crate::trace::interpret::race::Attempt;
use crate::trace::interpret::state::State;

impl Search<'_> {
    /// True if the next instruction of a thread attempts an access that may race.
    pub(super) fn may_race(&mut self, state: &State, id: ThreadId) -> bool {
        let attempts = self.interpreter.attempts(state, id);
        let mut attempts = attempts.iter();
        attempts.any(|attempt| self.interpreter.may_race(state, attempt))
    }

    /// Takes note of the races of all pairs of threads.
    pub(super) fn note_races(&mut self, state: &State) {
        let ids: Vec<ThreadId> = state.thread_ids().collect();
        let all = ids.into_iter();
        let attempts: Vec<(ThreadId, Vec<Attempt>)> = all
            .map(|id| (id, self.interpreter.attempts(state, id)))
            .filter(|(_, attempts)| !attempts.is_empty())
            .collect();
        for (index, (id, own)) in attempts.iter().enumerate() {
            for (other, others) in &attempts[..index] {
                self.note_race(state, (*id, own), (*other, others));
            }
        }
    }

    /// Takes note of the races of one thread, which is within an atomic section, with the others.
    pub(super) fn note_races_of(&mut self, state: &State, id: ThreadId) {
        let own = self.interpreter.attempts(state, id);
        if own.is_empty() {
            return;
        }
        let others: Vec<ThreadId> = state.thread_ids().filter(|other| *other != id).collect();
        for other in others {
            let attempts = self.interpreter.attempts(state, other);
            self.note_race(state, (id, &own), (other, &attempts));
        }
    }

    fn note_race(
        &mut self,
        state: &State,
        (id, own): (ThreadId, &[Attempt]),
        (other, others): (ThreadId, &[Attempt]),
    ) {
        let mut own = own.iter();
        if own.any(|one| others.iter().any(|another| one.conflicts(another))) {
            let place = |id| {
                let loc = self.interpreter.next(state, id).1;
                self.interpreter.place_of(state, id, loc).0
            };
            let (one, another) = (place(id), place(other));
            let pair = (one.min(another), one.max(another));
            self.found.races.insert(pair);
        }
    }
}
