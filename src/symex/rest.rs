//! Rests: where a thread may stand for good, for the check of deadlocks ([`Rest`]).
//!
//! * A step that waits has one before it. A section is known to wait only where it does, so that every section begins with one, which
//!   says nothing if the section does not wait. What the step reads is there although the step does not happen: values that
//!   nothing ties otherwise, and that the rest ties to what memory holds in the end.
//! * An iteration that comes round has one behind it, before the next one. It has happened, and read what memory holds in the end, and what
//!   it wrote last memory holds then, so that the next one does the same, and all that follow. Where it depends on inputs, it has to come
//!   round whatever they are, or, if they are too many to be tried, choose none. What it changes for a while, nobody else who stays may read, but to take a mutex on an iteration of its own:
//!   that one waits, and goes on as before.
//! * Who holds a lock is known to the thread that does, by its own note ([`Note::Own`](crate::ir::Note::Own)).

use super::disturbed::Undisturbed;
use super::faults::{self, Fault};
use super::memory::Memory;
use super::note::own_offset;
use super::pass::Pass;
use super::reach::Wanted;
use super::resting::{Kind, Lock, Resting};
use super::state::PathState;
use super::sync::WORD;
use super::touch::{Space, ThreadKey};
use crate::base::id::Id;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::{
    Awaited, CellId, Cut, EventId, EventKind, Hold, LockId, Rest, RestKind, Role, Spin, Target,
    ThreadId,
};
use crate::ir::ALONE;
use crate::ir::address::Slot;
use crate::term::{TermId, Terms, VarId};
use hashbrown::HashSet;

impl Pass<'_> {
    /// Emits a rest where a path is; its number.
    fn rest(&mut self, state: &PathState, guard: TermId, kind: Kind) -> usize {
        let rest = Rest {
            kind: RestKind::Ended,
            stays: self.terms.fals(),
            settled: self.terms.tru(),
            holds: Vec::new(),
            reads: Vec::new(),
            undisturbed: self.terms.fals(),
        };
        let event = self.emit(state, guard, EventKind::Rest(Box::new(rest)));
        let next = self.events.next_id();
        self.rests.push(Resting {
            event,
            thread: self.instances[self.current].key,
            kind,
            stays: self.terms.fals(),
            first: next,
            for_else: false,
            accesses: Vec::new(),
            memory: state.memory.clone(),
        });
        self.rests.len() - 1
    }

    /// A step begins outside sections that may wait: a section, or a lock.
    pub(super) fn rest_before_step(&mut self, state: &PathState) -> Option<usize> {
        (self.deadlocks && state.section.is_none())
            .then(|| self.rest(state, state.path.term(), Kind::Wait(Vec::new())))
    }

    /// The running step waits unless a condition holds. `rest` is its rest outside sections.
    pub(super) fn waits(
        &mut self,
        state: &PathState,
        cond: TermId,
        lock: Wanted,
        rest: Option<usize>,
    ) {
        if !self.deadlocks {
            return;
        }
        let blocked = self.terms.not(cond);
        let stays = self.terms.and(state.path.term(), blocked);
        if self.terms.as_constant(stays) == Some(0) {
            return;
        }
        let rests = match (state.section, rest) {
            (Some((section, _)), _) => {
                let root = self.section_root(section);
                self.sections[root].rests.clone()
            }
            (None, Some(rest)) => vec![rest],
            (None, None) => vec![self.rest(state, state.path.term(), Kind::Wait(Vec::new()))],
        };
        let Wanted { reaches, of, plain } = lock;
        if reaches.iter().any(|reach| reach.element.is_some()) {
            self.cut(state, blocked, Cut::Stays);
        }
        for number in rests {
            let accesses = self.accesses_since(self.rests[number].first);
            let either = self.terms.or(self.rests[number].stays, stays);
            let mut awaited = Vec::new();
            for reach in reaches.iter().filter(|reach| reach.element.is_none()) {
                let when = self.terms.and(stays, reach.when);
                let (slot, offset) = (reach.slot, reach.offset);
                awaited.push(Lock {
                    slot,
                    offset,
                    when,
                    of,
                    plain,
                });
            }
            let rest = &mut self.rests[number];
            rest.stays = either;
            rest.accesses = accesses;
            rest.memory = state.memory.clone();
            rest.for_else |= !faults::on(Fault::HolderNeeded) && reaches.is_empty()
                || reaches.iter().any(|one| one.element.is_some());
            if let Kind::Wait(locks) = &mut rest.kind {
                locks.extend(awaited);
            }
        }
    }

    /// The path is before a join, which comes through where `done` holds.
    pub(super) fn rest_before_join(&mut self, state: &PathState, thread: TermId, done: TermId) {
        if self.deadlocks {
            let rest = self.rest(state, state.path.term(), Kind::Join(thread));
            let blocked = self.terms.not(done);
            self.rests[rest].stays = self.terms.and(state.path.term(), blocked);
        }
    }

    /// A thread has been created, or should have been.
    pub(super) fn rest_behind_creation(
        &mut self,
        state: &PathState,
        guard: TermId,
        child: Option<ThreadId>,
    ) {
        if self.deadlocks {
            let rest = self.rest(state, guard, Kind::Created(child));
            self.rests[rest].stays = guard;
        }
    }

    /// The running thread has ended, with this memory.
    pub(super) fn rest_behind_end(&mut self, state: &PathState, guard: TermId, memory: Memory) {
        if self.deadlocks {
            let rest = self.rest(state, guard, Kind::Ended);
            self.rests[rest].stays = guard;
            if faults::on(Fault::EndedHoldsNothing) {
                self.rests[rest].memory = Memory::default();
                return;
            }
            self.rests[rest].memory = memory;
        }
    }

    /// The running thread ends on a path: its memory is kept for what it holds then.
    pub(super) fn keep_at_end(&mut self, state: &PathState) {
        if self.deadlocks {
            let others: Vec<TermId> = self.ends.iter().map(|end| end.0).collect();
            self.end_memory = if others.is_empty() {
                state.memory.clone()
            } else {
                let before = std::mem::take(&mut self.end_memory);
                self.join_memory(state.path.term(), &state.memory, &before)
            };
        }
    }

    /// An iteration is over that comes round where a condition holds; it began with so many events and inputs. If the thread may
    /// `go_on` there, it chooses; a path that stays is at its end.
    pub(super) fn rest_behind_iteration(
        &mut self,
        state: &mut PathState,
        round: TermId,
        go_on: bool,
        (turn, first, inputs): (u32, EventId, usize),
    ) {
        let stays = self.terms.and(state.path.term(), round);
        if !self.deadlocks || state.section.is_some() || self.terms.as_constant(stays) == Some(0) {
            return;
        }
        let mut here = round;
        if go_on {
            let chosen = self.terms.fresh("stays", 1);
            here = self.terms.and(here, chosen);
        }
        let guard = self.terms.and(state.path.term(), here);
        let inputs = (inputs, self.inputs.len());
        let accesses = self.accesses_since(first);
        let never = self.terms.fals();
        let cut = (inputs.0 < inputs.1)
            .then(|| self.emit(state, never, EventKind::Cut { why: Cut::Stays }));
        let kind = Kind::Spin { turn, inputs, cut };
        let rest = self.rest(state, guard, kind);
        self.rests[rest].stays = stays;
        self.rests[rest].accesses = accesses;
        if go_on {
            let elsewhere = self.terms.not(here);
            state.path.restrict(&mut self.terms, elsewhere);
        }
    }

    /// Accesses of the running thread from an event on, and the conditions that it comes to them.
    fn accesses_since(&self, first: EventId) -> Vec<(EventId, TermId)> {
        let ids = (first.0..self.events.next_id().0).map(EventId);
        let own = ids.filter(|id| self.events[*id].thread == self.current);
        let accesses = own.filter(|id| {
            let kind = &self.events[*id].kind;
            matches!(kind, EventKind::Read { .. } | EventKind::Write { .. })
        });
        accesses.map(|id| (id, self.events[id].reached)).collect()
    }

    /// Completes all rests: variables of what cells hold in the end.
    pub(super) fn finish_rests(&mut self) -> SortedMap<CellId, TermId> {
        let rests = std::mem::take(&mut self.rests);
        let mut last: SortedMap<CellId, TermId> = SortedMap::new();
        let mut locks: SortedMap<(Slot, u64), LockId> = SortedMap::new();
        let mut lock_at = |place: (Slot, u64)| {
            let next = LockId::from_index(locks.len());
            *locks.entry(place).or_insert(next)
        };
        // By iteration: the condition that it comes round, whichever way it took.
        let mut round: SortedMap<u32, TermId> = SortedMap::new();
        for rest in &rests {
            if let Kind::Wait(awaited) = &rest.kind {
                for lock in awaited {
                    lock_at((lock.slot, lock.offset));
                }
            }
            if let Kind::Spin { turn, .. } = rest.kind {
                let so_far = round.get(&turn).copied().unwrap_or(self.terms.fals());
                round.insert(turn, self.terms.or(so_far, rest.stays));
            }
        }
        let holds: Vec<Vec<Hold>> = rests
            .iter()
            .map(|rest| self.holds_of(&rest.memory, rest.thread, &locks))
            .collect();
        let possible = self.possible(&rests, &holds, &locks);
        let reads: Vec<Vec<(CellId, TermId)>> = rests
            .iter()
            .map(|rest| self.reads_of((rest, &rest.accesses), &round))
            .collect();
        let all_undisturbed = self.undisturbed(&rests, &reads, &round, &mut last);
        let mut readers: SortedMap<CellId, SortedSet<ThreadId>> = SortedMap::new();
        for (rest, reads) in rests.iter().zip(&reads) {
            for (cell, _) in reads {
                let thread = self.events[rest.event].thread;
                readers.entry(*cell).or_default().insert(thread);
            }
        }
        for (number, (((rest, holds), possible), reads)) in rests
            .into_iter()
            .zip(holds)
            .zip(possible)
            .zip(reads)
            .enumerate()
        {
            let fals = self.terms.fals();
            if !possible {
                self.events[rest.event].guard = fals;
                self.events[rest.event].reached = fals;
                continue;
            }
            let undisturbed = all_undisturbed.get(&number);
            let mut settled = self.settled(&rest, &mut last);
            let mut stays = rest.stays;
            let kind = match rest.kind {
                Kind::Wait(ref awaited) => {
                    let awaited = awaited.iter().map(|one| Awaited {
                        lock: locks[&(one.slot, one.offset)],
                        when: one.when,
                        of: one.of,
                        plain: one.plain,
                    });
                    RestKind::Wait(awaited.collect())
                }
                Kind::Join(thread) => RestKind::Join(self.joinable(thread)),
                Kind::Spin { turn, inputs, cut } => {
                    let always = self.for_all_inputs(round[&turn], settled, inputs);
                    let always = always.unwrap_or_else(|| {
                        let (where_none, open) = self.where_none_is_chosen(&rest, settled, inputs);
                        if let Some(cut) = cut {
                            self.events[cut].guard = open;
                            self.events[cut].reached = open;
                        }
                        where_none
                    });
                    (stays, settled) = always;
                    RestKind::Spin(self.spin(&rest, undisturbed, &round, (&readers, &mut last)))
                }
                Kind::Ended => RestKind::Ended,
                Kind::Created(child) => RestKind::Created(child),
            };
            let complete = Rest {
                kind,
                stays,
                settled,
                holds,
                reads,
                undisturbed: undisturbed.map_or(fals, |one| one.when),
            };
            self.events[rest.event].kind = EventKind::Rest(Box::new(complete));
        }
        last
    }

    /// Rests where a thread may be for good as far as locks show: who waits for one needs another thread that rests with it, and who joins a
    /// thread needs one that rests. Where all threads take locks in one order, and give them back, none is left.
    fn possible(
        &mut self,
        rests: &[Resting],
        holds: &[Vec<Hold>],
        locks: &SortedMap<(Slot, u64), LockId>,
    ) -> Vec<bool> {
        let whole = |terms: &Terms, when: TermId| terms.as_constant(when) == Some(1);
        let joined: Vec<Vec<ThreadId>> = rests
            .iter()
            .map(|rest| {
                let Kind::Join(thread) = rest.kind else {
                    return Vec::new();
                };
                let targets = self.joinable(thread);
                let each: Vec<TermId> = targets.iter().map(|one| one.1).collect();
                let known = self.terms.or_all(&each);
                let known = whole(&self.terms, known);
                let ids = targets.into_iter().map(|one| one.0);
                if known { ids.collect() } else { Vec::new() }
            })
            .collect();
        let mut possible: Vec<bool> = rests
            .iter()
            .map(|rest| self.terms.as_constant(rest.stays) != Some(0))
            .collect();
        loop {
            let mut held = vec![false; locks.len()];
            let mut blocked = vec![false; self.instances.len()];
            for (number, rest) in rests.iter().enumerate().filter(|(n, _)| possible[*n]) {
                for hold in &holds[number] {
                    held[hold.lock.index()] = true;
                }
                blocked[self.events[rest.event].thread.index()] |= rest.kind.is_blocked();
            }
            let supported = |number: usize| match &rests[number].kind {
                Kind::Wait(awaited) => {
                    let mut awaited = awaited.iter();
                    rests[number].for_else
                        || awaited.any(|one| held[locks[&(one.slot, one.offset)].index()])
                }
                Kind::Join(_) => {
                    let mut targets = joined[number].iter();
                    !faults::on(Fault::JoinNeverStays)
                        && (joined[number].is_empty() || targets.any(|id| blocked[id.index()]))
                }
                _ => true,
            };
            let next: Vec<bool> = (0..rests.len())
                .map(|number| possible[number] && supported(number))
                .collect();
            if next == possible {
                return possible;
            }
            possible = next;
        }
    }

    /// The condition that a step, or an iteration, reads what it would read if it alone ran in memory as it is in the end; and that an
    /// iteration leaves it so.
    fn settled(&mut self, rest: &Resting, last: &mut SortedMap<CellId, TermId>) -> TermId {
        let mut all = self.terms.tru();
        if faults::on(Fault::UnsettledRest) {
            return all;
        }
        // What cells hold that it has written.
        let mut now: SortedMap<CellId, TermId> = SortedMap::new();
        for &(id, reached) in &rest.accesses {
            let (is_write, value, targets) = match self.events[id].kind.clone() {
                EventKind::Write { value, targets, .. } => (true, value, targets),
                EventKind::Read { value, targets, .. } => (false, value, targets),
                _ => continue,
            };
            for Target { cell, when } in targets {
                let content = match now.get(&cell) {
                    Some(content) => *content,
                    None => self.last_of(cell, last),
                };
                let here = self.terms.and(reached, when);
                if is_write {
                    now.insert(cell, self.terms.ite(here, value, content));
                } else {
                    let same = self.terms.eq(value, content);
                    let tied = self.terms.implies(here, same);
                    all = self.terms.and(all, tied);
                }
            }
        }
        if matches!(rest.kind, Kind::Spin { .. }) && !faults::on(Fault::SpinChanges) {
            for (cell, content) in now {
                let same = self.terms.eq(content, last[&cell]);
                all = self.terms.and(all, same);
            }
        }
        all
    }

    /// An iteration that comes round, as others see it.
    fn spin(
        &mut self,
        rest: &Resting,
        undisturbed: Option<&Undisturbed>,
        round: &SortedMap<u32, TermId>,
        (readers, last): (
            &SortedMap<CellId, SortedSet<ThreadId>>,
            &mut SortedMap<CellId, TermId>,
        ),
    ) -> Spin {
        let mut spin = Spin {
            changes: self.changes((rest, &rest.accesses), (readers, last)),
            may_change: Vec::new(),
            may_read: Vec::new(),
        };
        if let Some(Undisturbed { accesses, .. }) = undisturbed {
            let cells = |accesses: Vec<(CellId, TermId)>| -> Vec<CellId> {
                let cells: SortedSet<CellId> = accesses.into_iter().map(|one| one.0).collect();
                cells.into_iter().collect()
            };
            spin.may_change = cells(self.changes((rest, accesses), (readers, last)));
            spin.may_read = cells(self.reads_of((rest, accesses), round));
        }
        spin
    }

    /// Cells that an iteration changes for a while and other threads that stay read, each with the condition that it does, by some choice.
    fn changes(
        &mut self,
        (rest, accesses): (&Resting, &[(EventId, TermId)]),
        (readers, last): (
            &SortedMap<CellId, SortedSet<ThreadId>>,
            &mut SortedMap<CellId, TermId>,
        ),
    ) -> Vec<(CellId, TermId)> {
        let own = self.events[rest.event].thread;
        let mut changes = Vec::new();
        for &(id, reached) in accesses {
            let EventKind::Write { value, targets, .. } = self.events[id].kind.clone() else {
                continue;
            };
            let are_waiters = self.are_waiters(&targets);
            for Target { cell, when } in targets {
                let mut by = readers.get(&cell).into_iter().flatten();
                if by.all(|thread| *thread == own) {
                    continue;
                }
                let content = self.last_of(cell, last);
                let same = if are_waiters {
                    self.differ_by_thread((value, content), own)
                } else {
                    self.terms.eq(value, content)
                };
                let differs = self.terms.not(same);
                let here = self.terms.and_all(&[reached, when, differs]);
                let here = self.for_any_input(here, rest);
                if self.terms.as_constant(here) != Some(0) {
                    changes.push((cell, here));
                }
            }
        }
        changes
    }

    /// What a thread reads that waits or spins, and writes if it spins, each with the condition that it does; but what it makes no use of, and
    /// mutexes that it takes and gives back on an iteration.
    fn reads_of(
        &mut self,
        (rest, accesses): (&Resting, &[(EventId, TermId)]),
        round: &SortedMap<u32, TermId>,
    ) -> Vec<(CellId, TermId)> {
        let spins = matches!(rest.kind, Kind::Spin { .. });
        if round.is_empty() {
            // Nobody changes anything for a while.
            return Vec::new();
        }
        let used = self.used((rest, accesses), round);
        let mut reads = Vec::new();
        for &(id, reached) in accesses {
            let targets = match self.events[id].kind.clone() {
                EventKind::Read {
                    role: Role::Lock, ..
                } if spins => continue,
                EventKind::Write {
                    role: Role::Lock | Role::Unlock,
                    ..
                } => continue,
                EventKind::Read { targets, value, .. } => {
                    let support = self.terms.support(value);
                    if !support.iter().any(|var| used.contains(var)) {
                        continue;
                    }
                    targets
                }
                EventKind::Write { targets, .. } if spins => targets,
                _ => continue,
            };
            for Target { cell, when } in targets {
                let here = self.terms.and(reached, when);
                reads.push((cell, self.for_any_input(here, rest)));
            }
        }
        reads
    }

    /// Inputs and variables that are read, as far as they matter to a step, or an iteration: to where it leads and to what it writes.
    pub(super) fn used(
        &self,
        (rest, accesses): (&Resting, &[(EventId, TermId)]),
        round: &SortedMap<u32, TermId>,
    ) -> HashSet<VarId> {
        let mut terms = vec![rest.stays];
        let mut among = Vec::new();
        if let Kind::Spin { turn, inputs, .. } = rest.kind {
            terms.push(round[&turn]);
            among = self.input_variables(inputs);
        }
        for &(id, reached) in accesses {
            terms.push(reached);
            let (value, targets) = match &self.events[id].kind {
                EventKind::Write { value, targets, .. } => (Some(*value), targets),
                EventKind::Read { targets, value, .. } => {
                    among.extend(self.terms.support(*value));
                    (None, targets)
                }
                _ => continue,
            };
            terms.extend(targets.iter().map(|target| target.when).chain(value));
        }
        self.terms.support_among(&terms, among)
    }

    /// The variable of what a cell holds in the end.
    pub(super) fn last_of(&mut self, cell: CellId, last: &mut SortedMap<CellId, TermId>) -> TermId {
        let bits = self.cells[cell].bits;
        *last
            .entry(cell)
            .or_insert_with(|| self.terms.fresh("last", bits))
    }

    /// Threads that a join may be of.
    fn joinable(&mut self, thread: TermId) -> Vec<(ThreadId, TermId)> {
        let bits = self.terms.bits(thread);
        let ids: Vec<ThreadId> = self.instances.ids().skip(1).collect();
        let targets = ids.into_iter().map(|id| {
            let number = self.terms.constant(u128::from(id.0), bits);
            (id, self.terms.eq(thread, number))
        });
        let targets: Vec<(ThreadId, TermId)> = targets.collect();
        let never = self.terms.fals();
        targets.into_iter().filter(|one| one.1 != never).collect()
    }

    /// Locks that a thread holds by its notes in its memory.
    fn holds_of(
        &mut self,
        memory: &Memory,
        thread: ThreadKey,
        locks: &SortedMap<(Slot, u64), LockId>,
    ) -> Vec<Hold> {
        let mut holds = Vec::new();
        for (&(slot, offset), &lock) in locks {
            let at = own_offset(offset);
            let own = self.read_private(memory, slot, Space::Own(thread), at, WORD);
            let bits = self.terms.bits(own);
            let (none, most) = (
                self.terms.constant(0, bits),
                self.terms.constant(ALONE, bits),
            );
            let free = self.terms.eq(own, none);
            let held = self.terms.not(free);
            if self.terms.as_constant(held) == Some(0) {
                continue;
            }
            let shares = self.terms.ult(own, most);
            let alone = self.terms.not(shares);
            holds.push(Hold { lock, held, alone });
        }
        holds
    }
}
