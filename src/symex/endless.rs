//! Executions that never end: a cut says where one may be ([`Cut::Endless`]), as far as somebody asks for a state at the end.
//! There are more cuts than such executions. Without any, every execution that goes on comes to its end: loops have
//! bounds; a thread that waits for a mutex or for a later thread holds no mutex, and no thread ends with one, so that whom it
//! waits for goes on; and what else waits is a cut where it has to.

use super::pass::Pass;
use super::reach::Reach;
use super::state::PathState;
use super::touch::MutexName;
use crate::event::Cut;
use crate::exec::MutexUse;
use crate::symex::faults::{self, Fault};
use crate::term::TermId;

impl Pass<'_> {
    /// An execution on a path where a condition holds may never end.
    pub(super) fn may_not_end(&mut self, state: &PathState, cond: TermId) {
        if self.leaks && !faults::on(Fault::EndsAssumed) {
            self.cut(state, cond, Cut::Endless);
        }
    }

    /// The running thread waits for others, who may wait for what it holds.
    pub(super) fn waits_holding(&mut self, state: &PathState) {
        let holds = self.holds();
        self.may_not_end(state, holds);
    }

    /// The condition that the running thread holds a mutex.
    pub(super) fn holds(&mut self) -> TermId {
        let mut any = self.terms.fals();
        for (_, held) in &self.instances[self.current].holds {
            any = self.terms.or(any, *held);
        }
        any
    }

    /// Takes note of a mutex that is taken or given back where a condition holds. One that is given back by another name than it
    /// was taken by counts as held.
    pub(super) fn note_holds(
        &mut self,
        state: &PathState,
        mutex: &[Reach],
        operation: MutexUse,
        when: TermId,
    ) {
        if !self.leaks {
            return;
        }
        let place = |reach: &Reach| (reach.slot, reach.offset, reach.element, reach.when);
        let name: MutexName = mutex.iter().map(place).collect();
        let here = self.terms.and(state.path.term(), when);
        let mut holds = std::mem::take(&mut self.instances[self.current].holds);
        match operation {
            MutexUse::Lock | MutexUse::TryLock => holds.push((name, here)),
            MutexUse::Unlock | MutexUse::Init => {
                let kept = self.terms.not(here);
                for (_, held) in holds.iter_mut().filter(|(other, _)| *other == name) {
                    *held = self.terms.and(*held, kept);
                }
            }
        }
        holds.retain(|(_, held)| self.terms.as_constant(*held) != Some(0));
        self.instances[self.current].holds = holds;
    }
}
