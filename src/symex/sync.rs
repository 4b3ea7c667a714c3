//! Threads and mutexes: creation, join, the words of mutexes.

use super::pass::{Instance, Pass};
use super::pointer;
use super::reach::{Reach, Wanted};
use super::state::PathState;
use super::touch::{ObjectKey, Space, ThreadKey};
use crate::base::mix::mix;
use crate::event::{Cut, EventKind, Role};
use crate::exec::MutexUse;
use crate::ir::{LockHolders, Undefined};
use crate::symex::faults::{self, Fault};
use crate::term::TermId;

/// Bytes of a mutex's synchronisation word: 0 free, otherwise the owner's thread id + 1.
pub(super) const WORD: u32 = 4;
/// The id of a thread that was created but never runs; no other has it.
const NEVER: u32 = u32::MAX >> 1;

impl Pass<'_> {
    /// Starts a thread; its id (as wide as `bits`).
    pub(super) fn spawn(
        &mut self,
        state: &mut PathState,
        start: TermId,
        arg: TermId,
        bits: u16,
    ) -> TermId {
        if state.section.is_some() {
            self.refuse(state, "a thread created in an atomic section");
            return self.terms.constant(0, bits);
        }
        let mut id = self.terms.constant(0, bits);
        let mut known = self.terms.fals();
        let mut fits = self.terms.tru();
        for (slot, here) in self.starts(start) {
            let Some(ObjectKey::Function(function)) = self.knowledge.object(slot).map(|o| o.key)
            else {
                continue;
            };
            known = self.terms.or(known, here);
            if !self.program.functions[function].fits(1, false) {
                let other = self.terms.not(here);
                fits = self.terms.and(fits, other);
                continue;
            }
            let child = self.create(state, function, here, arg);
            let number = self.terms.constant(u128::from(child), bits);
            id = self.terms.ite(here, number, id);
        }
        self.restrict_or_cut(state, known, || Cut::Undefined(Undefined::InvalidAccess));
        self.restrict_or_cut(state, fits, || Cut::Undefined(Undefined::Call));
        id
    }

    /// Creates one instance where `when` holds; its number.
    fn create(
        &mut self,
        state: &mut PathState,
        function: crate::ir::FuncId,
        when: TermId,
        arg: TermId,
    ) -> u32 {
        let always = self.terms.tru();
        self.escape(state, arg, always);
        self.become_concurrent(state);
        let guard = self.terms.and(state.path.term(), when);
        let child = self.instances.next_id();
        let site = self.created_at.entry(self.here.loc).or_insert(0);
        if child.0 > self.bounds.threads || *site >= self.bounds.threads_per_site {
            self.note_given(arg);
            self.cut_creation(state, guard);
            self.rest_behind_creation(state, guard, None);
            self.drain(state);
            return NEVER;
        }
        *site += 1;
        let position = self.here.position;
        let key = ThreadKey(mix(
            mix(self.instances[self.current].key.0, position.0),
            u64::from(function.0),
        ));
        self.begin_own_variables(state, key, child);
        let event = self.emit(state, guard, EventKind::Create { child });
        self.rest_behind_creation(state, guard, Some(child));
        self.note_running(state, child);
        self.instances.push(Instance {
            key,
            function,
            guard,
            arg,
            created_by: Some((event, self.current, position)),
            events: Vec::new(),
            holds: Vec::new(),
        });
        child.0
    }

    /// A creation beyond the bound: one cut for each place, whatever the number of threads.
    fn cut_creation(&mut self, state: &PathState, guard: TermId) {
        let key = (self.current, self.here.loc);
        match self.creation_cuts.get(&key) {
            Some(&cut) => {
                let either = self.terms.or(self.events[cut].guard, guard);
                self.events[cut].guard = either;
                self.events[cut].reached = either;
            }
            None => {
                let cut = self.emit(state, guard, EventKind::Cut { why: Cut::Threads });
                self.creation_cuts.insert(key, cut);
            }
        }
    }

    /// Waits for a thread; its result if `wanted`.
    pub(super) fn join(&mut self, state: &mut PathState, thread: TermId, wanted: bool) -> TermId {
        let pointer_bits = self.program.model.pointer_bits();
        let null = self.terms.constant(0, pointer_bits);
        if state.section.is_some() {
            self.refuse(state, "a join in an atomic section");
            return null;
        }
        if self.terms.as_constant(thread) == Some(u128::from(NEVER)) {
            // It never runs, so it never ends.
            let never = self.terms.fals();
            self.block(state, never);
            return null;
        }
        // Threads that wait only for later ones do not wait in a circle.
        let own = self
            .terms
            .constant(u128::from(self.current.0), self.terms.bits(thread));
        let later = self.terms.ult(own, thread);
        let earlier = self.terms.not(later);
        self.may_not_end(state, earlier);
        self.waits_holding(state);
        let done = self.terms.fresh("joined", 1);
        self.rest_before_join(state, thread, done);
        let event = self.emit(
            state,
            state.path.term(),
            EventKind::Join {
                targets: Vec::new(),
                done,
            },
        );
        self.joins.push((event, thread));
        state.path.restrict(&mut self.terms, done);
        self.note_joined(state, thread);
        if !wanted {
            return null;
        }
        let value = self.terms.fresh("result", pointer_bits);
        let slots = self.knowledge.result_targets();
        if !slots.is_empty()
            && let Some(var) = pointer::variable(&self.terms, value)
        {
            self.read_slots.insert(var, slots);
        }
        let numbers = &self.knowledge.machine.numbers;
        let is_number = self.knowledge.result_places().any(|p| numbers.contains(&p));
        if is_number && let Some(var) = pointer::variable(&self.terms, value) {
            self.number_vars.insert(var);
        }
        let read = self.emit(
            state,
            state.path.term(),
            EventKind::Read {
                value,
                targets: Vec::new(),
                role: Role::Sync,
            },
        );
        self.results.push((read, thread));
        value
    }

    /// Places where the synchronisation word of the mutex at an address may be.
    pub(super) fn mutex(&mut self, state: &mut PathState, addr: TermId) -> Vec<Reach> {
        // Whoever names a mutex reaches at least its first byte.
        let reaches = self.reach_in(state, Space::Sync, addr, 1, 1, false);
        for reach in &reaches {
            let place = (reach.slot, Space::Sync, reach.offset);
            self.touch_as(state, place, WORD, true);
        }
        reaches
    }

    /// Condition that a mutex is free, by a read of its word.
    pub(super) fn is_free(
        &mut self,
        state: &mut PathState,
        mutex: &[Reach],
        operation: MutexUse,
    ) -> TermId {
        let (role, fault) = match operation {
            MutexUse::TryLock => (Role::TryLock, Fault::TryLockTakes),
            _ => (Role::Lock, Fault::LockPasses),
        };
        let before = self.events.next_id();
        if role == Role::Lock {
            self.drain(state);
        }
        let old = self.read_reaches(state, Space::Sync, WORD, mutex, role);
        let free = self.terms.constant(0, (WORD * 8) as u16);
        let is_free = if faults::on(fault) {
            self.terms.tru()
        } else {
            self.terms.eq(old, free)
        };
        let is_private = before == self.events.next_id();
        if role == Role::Lock {
            let rest = self.rest_of_lock.take();
            let wanted = Wanted {
                reaches: mutex,
                of: LockHolders::All,
                plain: true,
            };
            self.waits(state, is_free, wanted, rest);
            // A lock that is not taken has not happened, its read included.
            for id in (before.0..self.events.next_id().0).map(crate::event::EventId) {
                let taken = self.terms.and(self.events[id].guard, is_free);
                self.events[id].guard = taken;
                self.events[id].reached = taken;
            }
            if is_private {
                let held = self.terms.not(is_free);
                self.may_not_end(state, held);
            }
        }
        is_free
    }

    /// Writes who holds a mutex, if `when`.
    pub(super) fn set_mutex(
        &mut self,
        state: &mut PathState,
        mutex: Vec<Reach>,
        operation: MutexUse,
        when: TermId,
    ) {
        let owner = self.current.0 + 1;
        let (word, role) = match operation {
            MutexUse::Lock => (owner, Role::Lock),
            MutexUse::TryLock => (owner, Role::TryLock),
            MutexUse::Unlock => (0, Role::Unlock),
            MutexUse::Init => (0, Role::Sync),
        };
        let word = self.terms.constant(u128::from(word), (WORD * 8) as u16);
        if operation == MutexUse::TryLock {
            // One that fails changes nothing, and orders nothing.
            self.drain_if(state, when);
        }
        self.note_holds(state, &mutex, operation, when);
        self.write_reaches(state, Space::Sync, WORD, mutex, word, when, role);
    }

    /// The path waits until `cond`, for ever if it never holds.
    pub(super) fn block(&mut self, state: &mut PathState, cond: TermId) {
        if self.nothing_yet(state) {
            let needed = if faults::on(Fault::FactOfOnePath) {
                cond
            } else {
                self.terms.implies(state.path.term(), cond)
            };
            self.facts_found.push(needed);
            if self.terms.as_constant(state.path.term()) == Some(1) {
                return;
            }
        }
        self.section_blocks(state, cond);
        state.path.restrict(&mut self.terms, cond);
    }

    /// Empty past: true if nothing that a verdict is about has been met: no assertion, no cut, no other thread. An
    /// execution that stops here shows nothing, so that it may as well be said of all executions that they go on.
    pub(super) fn nothing_yet(&self, state: &PathState) -> bool {
        self.events.is_empty() && !state.concurrent && state.section.is_none() && !self.deadlocks
    }

    /// The path ends at a construct that is not modelled.
    pub(super) fn refuse(&mut self, state: &mut PathState, what: &str) {
        let never = self.terms.fals();
        self.restrict_or_cut(state, never, || Cut::Unsupported(what.to_string()));
    }
}
