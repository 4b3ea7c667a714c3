//! Blocking steps, where deadlocks are asked for: mutexes, joins and waits, and what a thread is blocked at.
//!
//! A thread can rest before every step that may block it: such a step begins an edge, also where it conflicts with nobody, unless it is
//! certain to go on. So in the state in which a thread of the program is blocked, that of the automaton stands at a location,
//! and [`Location::stalls`] say of it when its next step blocks. Where a step blocks it has not begun: no edge leaves from
//! there. (Where nobody asks, a false wait may stop the thread, as a false assumption does.)
//!
//! Waits of an atomic section are all evaluated in the state before it: a section that blocks has not run. One that has loops is
//! several edges; a wait behind one of them is not modelled.
//!
//! [`Location::stalls`]: super::automaton::Location::stalls

use super::automaton::{Key, Stall};
use super::explore::Explorer;
use super::memory::{Places, mutex};
use super::state::EdgeState;
use crate::event::ThreadId;
use crate::ir::{LockHolders, Note};
use crate::term::TermId;
use crate::transition::faults::{self, Fault};

impl Explorer<'_> {
    /// Condition that a word is not 0.
    pub fn is_set(&mut self, word: TermId) -> TermId {
        if self.terms.bits(word) == 1 {
            return word;
        }
        let zero = self.terms.constant(0, self.terms.bits(word));
        let is_zero = self.terms.eq(word, zero);
        self.terms.not(is_zero)
    }

    /// Rest before the next instruction, which blocks where a condition holds: true if the edge ends here.
    pub fn rests_before(&mut self, state: &EdgeState, blocks: TermId) -> bool {
        let blocked = self.terms.and(state.path.term(), blocks);
        let never = self.terms.as_constant(blocked) == Some(0);
        !never && !faults::on(Fault::RestMissed) && self.ends_before(state)
    }

    /// The path goes on where a mutex is free.
    pub fn wait_for_owner(&mut self, state: &mut EdgeState, places: &Places, free: TermId) {
        let mut on = Vec::new();
        for thread in self.numbers_of_threads() {
            let mut owns = self.terms.fals();
            for place in &places.targets {
                let word = self.now(state, &mutex(place));
                let number = u128::from(thread.0) + 1;
                let number = self.terms.constant(number, self.terms.bits(word));
                let own = self.terms.eq(word, number);
                let own = self.terms.and(place.when, own);
                owns = self.terms.or(owns, own);
            }
            on.push((thread, owns));
        }
        self.blocked_unless(state, free, on, false);
    }

    /// The path goes on where a condition holds; elsewhere, the thread waits for a lock, which it may want to share.
    pub fn wait_until(
        &mut self,
        state: &mut EdgeState,
        cond: TermId,
        lock: Option<(TermId, LockHolders)>,
    ) {
        let blocks = self.terms.not(cond);
        let never = self.terms.fals();
        let blocked = self.terms.and(state.path.term(), blocks);
        if self.terms.as_constant(blocked) == Some(0) {
            return;
        }
        if self.rests_before(state, blocks) {
            return state.path.restrict(&mut self.terms, never);
        }
        let mut on = Vec::new();
        if let Some((addr, of)) = lock {
            let Some(places) = self.places(state, addr, 1, 1) else {
                return state.path.restrict(&mut self.terms, never);
            };
            if !places.spans.is_empty() {
                let why = "a lock at an index of an array whose size is not known";
                self.unsupported(state, why);
                return state.path.restrict(&mut self.terms, never);
            }
            for thread in self.numbers_of_threads() {
                let mut owns = self.terms.fals();
                for place in &places.targets {
                    let key = Key::Note {
                        slot: place.slot,
                        offset: place.offset,
                        what: Note::Own,
                        thread: thread.0,
                    };
                    let word = self.now(state, &key);
                    let least = self.terms.constant(of.least(), self.terms.bits(word));
                    let own = self.terms.ule(least, word);
                    let own = self.terms.and(place.when, own);
                    owns = self.terms.or(owns, own);
                }
                on.push((thread, owns));
            }
        }
        self.blocked_unless(state, cond, on, false);
    }

    /// The path goes on where a thread has ended.
    pub fn wait_for_end(&mut self, state: &mut EdgeState, thread: TermId, ended: TermId) {
        let mut on = Vec::new();
        for id in self.numbers_of_threads() {
            let bits = self.terms.bits(thread);
            let number = self.terms.constant(u128::from(id.0), bits);
            on.push((id, self.terms.eq(thread, number)));
        }
        self.blocked_unless(state, ended, on, true);
    }

    /// The path goes on where a condition holds; elsewhere the thread is blocked.
    fn blocked_unless(
        &mut self,
        state: &mut EdgeState,
        cond: TermId,
        mut on: Vec<(ThreadId, TermId)>,
        is_join: bool,
    ) {
        let stuck = self.otherwise(state, cond);
        if !stuck.path.is_dead(&self.terms) {
            if self.locations[self.from].place.in_section() {
                self.unsupported(&stuck, "waiting behind a loop in an atomic section");
            }
            on.retain(|(_, when)| self.terms.as_constant(*when) != Some(0));
            if is_join && faults::on(Fault::StallJoinMissed) {
                on.clear();
            }
            self.stalls.push(Stall {
                loc: self.loc(&stuck),
                when: stuck.path.term(),
                on,
                is_join,
            });
        }
        state.path.restrict(&mut self.terms, cond);
    }

    fn numbers_of_threads(&self) -> Vec<ThreadId> {
        let last = self.knowledge.creations.len() as u32;
        (0..=last).map(ThreadId).collect()
    }
}
