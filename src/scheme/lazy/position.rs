//! Positions of threads after their turns: unary numbers of steps, which the solver guesses.

use super::Lazy;
use crate::circuit::Formula;
use crate::event::{EventId, EventKind, EventProgram, ThreadId};
use crate::scheme::faults::{self, Fault};
use crate::scheme::memory::Memory;
use crate::term::TermId;

impl<M: Memory> Lazy<M> {
    /// New positions of a thread, as the conditions that its first `i + 1` steps have been executed: not behind the old
    /// ones, without gaps, and not before its creation.
    pub(super) fn guess(
        &self,
        program: &mut EventProgram,
        formula: &mut Formula,
        thread: ThreadId,
        before: &[TermId],
    ) -> Vec<TermId> {
        let created = program.threads[thread].created_by.and_then(|create| {
            let (thread, place) = self.transactions.place(create)?;
            Some(self.reached[thread][place])
        });
        let mut after = Vec::with_capacity(before.len());
        for (i, &old) in before.iter().enumerate() {
            if i == 0 && thread == ThreadId(0) && self.only_creates(program, 0) {
                after.push(program.terms.tru());
                continue;
            }
            let slot = self.slots.len();
            let new = program
                .terms
                .fresh(&format!("at{}.{slot}.{i}", thread.0), 1);
            let new_lit = formula.lit_of(&program.terms, new);
            if !faults::on(Fault::PositionsBack) {
                let old = formula.lit_of(&program.terms, old);
                formula.add_clause(&[!old, new_lit]);
            }
            let previous = match after.last() {
                Some(&previous) => Some(previous),
                None if faults::on(Fault::EarlyChild) => None,
                None => created,
            };
            if let Some(previous) = previous
                && !(faults::on(Fault::PositionsGap) && i > 0)
            {
                let previous = formula.lit_of(&program.terms, previous);
                formula.add_clause(&[!new_lit, previous]);
            }
            after.push(new);
        }
        after
    }

    /// True if a step of main does nothing but create threads: as main's first one it may as well be executed at once.
    fn only_creates(&self, program: &EventProgram, place: usize) -> bool {
        let creates =
            |event: &EventId| matches!(program.events[*event].kind, EventKind::Create { .. });
        self.transactions.events(ThreadId(0), place).all(creates)
    }

    /// Condition that a thread has been created so far.
    pub(super) fn created(&self, program: &EventProgram, thread: ThreadId) -> TermId {
        let Some(create) = program.threads[thread].created_by else {
            return program.terms.tru();
        };
        match self.transactions.place(create) {
            Some((creator, place)) => self.reached[creator][place],
            None => program.terms.fals(),
        }
    }
}
