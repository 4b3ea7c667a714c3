//! Deadlocks: which threads wait for each other, and whether all wait, put together from the rests of threads ([`Rest`]).
//!
//! A rest is a place where a thread may stand for good. Every rest of a blocked thread becomes a claim that is violated where the thread
//! stands there and does so for ever:
//!
//! * *Cycle.* There is a set of threads, a variable for each, that has this one, and each of its threads is before a lock that
//!   one of them holds or that a thread held when it ended, or before the join of one of them. What others do does not matter, and
//!   it is not asked how long a chain is: in a set that supports itself, somebody waits for whom it has.
//! * *Final state.* Every thread that was created has ended, or stands before a step that waits in vain with what memory holds in the
//!   end, or behind an iteration that changes nothing then. A thread that was cut off, has ended the process, or is beyond the bound of
//!   threads does none of it. What an iteration changes for a while, nobody else may depend on.
//!
//! A scheme that cannot tell what memory holds in the end knows cycles alone ([`Encoded::last`]).

use super::faults::{self, Fault};
use crate::base::IdVec;
use crate::base::id::Id;
use crate::base::sorted::SortedMap;
use crate::circuit::Formula;
use crate::event::{
    Awaited, CellId, EventId, EventKind, EventProgram, LockId, Rest, RestKind, ThreadId,
};
use crate::goal::Claim;
use crate::ir::LockHolders;
use crate::scheme::Encoded;
use crate::term::{Memo, TermId, Terms, VarId};
use hashbrown::HashMap;

/// Place where a thread may stand for good, over the variables of the encoding.
struct Place {
    event: EventId,
    thread: ThreadId,
    /// The thread comes here.
    reached: TermId,
    /// It stays here.
    here: TermId,
    /// The same, and what it reads is what memory holds in the end.
    settled: TermId,
    rest: Rest,
}

/// Claims of a program, with those about deadlocks in place of the rests that they are made of; and the conditions that threads have
/// ended.
pub(super) fn put_together(
    program: &mut EventProgram,
    scheme: &mut dyn Encoded,
    formula: &mut Formula,
    claims: Vec<Claim>,
) -> (Vec<Claim>, Vec<(ThreadId, TermId)>) {
    let is_rest = |claim: &Claim| program.events[claim.event].kind.is_rest();
    let (rests, mut others): (Vec<Claim>, Vec<Claim>) = claims.into_iter().partition(is_rest);
    if rests.is_empty() {
        return (others, Vec::new());
    }
    let last = last_contents(program, scheme, formula);
    let mut memo = Memo::new();
    let mut places: Vec<Place> = Vec::with_capacity(rests.len());
    for claim in rests {
        let EventKind::Rest(rest) = program.events[claim.event].kind.clone() else {
            continue;
        };
        let mut rest = *rest;
        rest.for_terms(|t| *t = scheme.resolve(program, *t));
        let terms = &mut program.terms;
        let here = terms.and(claim.reached, rest.stays);
        let settled = match &last {
            Some(last) => {
                rest.undisturbed = terms.substitute(rest.undisturbed, last, &mut memo);
                if let RestKind::Spin(spin) = &mut rest.kind {
                    for (_, when) in &mut spin.changes {
                        *when = terms.substitute(*when, last, &mut memo);
                    }
                }
                let tied = terms.substitute(rest.settled, last, &mut memo);
                terms.and(here, tied)
            }
            None => here,
        };
        places.push(Place {
            event: claim.event,
            thread: program.events[claim.event].thread,
            reached: claim.reached,
            here,
            settled,
            rest,
        });
    }
    let all = Threads::of(program, &places, last.is_some());
    let cycle = all.cycle(program);
    let is_final = last.is_some().then(|| all.is_final(program));
    for place in places.iter().filter(|place| place.rest.kind.is_blocked()) {
        let terms = &mut program.terms;
        let mut violated = match all.members[place.thread] {
            Some(member) if place.is_in_cycles() => {
                terms.and_all(&[cycle, member, all.stands(place)])
            }
            _ => terms.fals(),
        };
        if let Some(is_final) = is_final {
            let blocked = all.blocked_at_end(terms, place);
            let ends = terms.and(is_final, blocked);
            violated = terms.or(violated, ends);
        }
        others.push(Claim {
            event: place.event,
            reached: place.reached,
            violated: Some(violated),
        });
    }
    let ended = all.ended.iter_ids();
    (
        others,
        ended.map(|(thread, ended)| (thread, *ended)).collect(),
    )
}

/// Contents of memory in the end, by the variables that stand for them in the program; `None` if the scheme cannot tell.
fn last_contents(
    program: &mut EventProgram,
    scheme: &mut dyn Encoded,
    formula: &mut Formula,
) -> Option<HashMap<VarId, TermId>> {
    let open = program.last.iter().filter_map(|(cell, last)| {
        let var = program.terms.var_of(*last)?;
        Some((*cell, var))
    });
    let open: Vec<(CellId, VarId)> = open.collect();
    let cells: Vec<CellId> = open.iter().map(|one| one.0).collect();
    let contents = scheme.last(program, formula, &cells)?;
    let variables = open.into_iter().map(|one| one.1);
    Some(variables.zip(contents).collect())
}

impl Place {
    /// True if its thread waits for what certain threads alone can give.
    fn is_in_cycles(&self) -> bool {
        match &self.rest.kind {
            RestKind::Wait(locks) => !locks.is_empty(),
            RestKind::Join(_) => true,
            _ => false,
        }
    }
}

/// Thread that holds a lock where it rests.
struct Holder {
    thread: ThreadId,
    has_ended: bool,
    holds: TermId,
    alone: TermId,
}

impl Holder {
    /// The condition that it is in the way of a thread that waits for the lock. `looks`: the waiter has looked at the lock; where it has not,
    /// who holds a lock alone may be let in again, or be told, unless it is a mutex without a model.
    fn blocks(
        &self,
        terms: &mut Terms,
        waiter: ThreadId,
        awaited: &Awaited,
        looks: bool,
    ) -> TermId {
        let is_own = self.thread == waiter;
        match awaited.of {
            LockHolders::Own if !is_own => terms.fals(),
            LockHolders::Others if !looks && (is_own || self.has_ended) => terms.fals(),
            LockHolders::All if !looks && is_own && !awaited.plain => {
                let shares = terms.not(self.alone);
                terms.and(self.holds, shares)
            }
            LockHolders::Alone if !looks && is_own => terms.fals(),
            LockHolders::Alone => self.alone,
            LockHolders::All | LockHolders::Others | LockHolders::Own => self.holds,
        }
    }
}

/// By cell, the conditions of each thread.
type ByThread = SortedMap<CellId, SortedMap<ThreadId, Vec<TermId>>>;

/// For each cell and thread, the condition that one of its conditions holds.
fn either(terms: &mut Terms, all: ByThread) -> SortedMap<CellId, Vec<(ThreadId, TermId)>> {
    let mut of_cell = |by_thread: SortedMap<ThreadId, Vec<TermId>>| {
        let each = by_thread.into_iter();
        each.map(|(thread, when)| (thread, terms.or_all(&when)))
            .collect()
    };
    let all = all.into_iter();
    all.map(|(cell, by_thread)| (cell, of_cell(by_thread)))
        .collect()
}

/// Places by thread, and what is common to all claims.
struct Threads<'p> {
    places: IdVec<ThreadId, Vec<&'p Place>>,
    created: IdVec<ThreadId, TermId>,
    ended: IdVec<ThreadId, TermId>,
    /// A thread was created that never runs.
    beyond: TermId,
    /// Variable of each thread that may be in a cycle: it is in the set.
    members: IdVec<ThreadId, Option<TermId>>,
    /// End of memory: true if the scheme can tell what it holds then.
    tells_end: bool,
}

impl<'p> Threads<'p> {
    fn of(program: &mut EventProgram, places: &'p [Place], tells_end: bool) -> Threads<'p> {
        let fals = program.terms.fals();
        let mut all = Threads {
            places: program.threads.iter().map(|_| Vec::new()).collect(),
            created: program.threads.iter().map(|_| fals).collect(),
            ended: program.threads.iter().map(|_| fals).collect(),
            beyond: fals,
            members: program.threads.iter().map(|_| None).collect(),
            tells_end,
        };
        let terms = &mut program.terms;
        all.created[ThreadId(0)] = terms.tru();
        for place in places {
            all.places[place.thread].push(place);
            match place.rest.kind {
                RestKind::Created(Some(child)) => {
                    all.created[child] = terms.or(all.created[child], place.here);
                }
                RestKind::Created(None) => all.beyond = terms.or(all.beyond, place.here),
                RestKind::Ended => {
                    all.ended[place.thread] = terms.or(all.ended[place.thread], place.here);
                }
                _ if place.is_in_cycles() => {
                    all.members[place.thread].get_or_insert_with(|| terms.fresh("in cycle", 1));
                }
                _ => {}
            }
        }
        all
    }

    /// The condition that the thread of a place stands there, as far as the scheme can tell.
    fn stands(&self, place: &Place) -> TermId {
        if self.tells_end {
            place.settled
        } else {
            place.here
        }
    }

    /// The condition that the variables are a set of threads none of which can go on unless another one of them does.
    fn cycle(&self, program: &mut EventProgram) -> TermId {
        let mut held: SortedMap<LockId, Vec<Holder>> = SortedMap::new();
        let terms = &mut program.terms;
        let fals = terms.fals();
        for place in self.places.iter().flatten() {
            let standing = match (&place.rest.kind, self.members[place.thread]) {
                (RestKind::Ended, _) => place.here,
                (RestKind::Wait(_) | RestKind::Join(_), Some(member)) => {
                    terms.and(member, self.stands(place))
                }
                _ => continue,
            };
            for hold in &place.rest.holds {
                held.entry(hold.lock).or_default().push(Holder {
                    thread: place.thread,
                    has_ended: matches!(place.rest.kind, RestKind::Ended),
                    holds: terms.and(standing, hold.held),
                    alone: terms.and(standing, hold.alone),
                });
            }
        }
        let mut closed = terms.tru();
        for (thread, member) in self.members.iter_ids() {
            let Some(member) = *member else { continue };
            let mut waits = terms.fals();
            for place in &self.places[thread] {
                let supported = match &place.rest.kind {
                    RestKind::Wait(locks) => {
                        let of = |terms: &mut Terms, one: &Awaited| {
                            let holders = held.get(&one.lock).into_iter().flatten();
                            let each: Vec<TermId> = holders
                                .map(|by| by.blocks(terms, thread, one, self.tells_end))
                                .collect();
                            let by_any = terms.or_all(&each);
                            terms.and(one.when, by_any)
                        };
                        let each: Vec<TermId> = locks.iter().map(|one| of(terms, one)).collect();
                        terms.or_all(&each)
                    }
                    RestKind::Join(targets) => {
                        let of = |terms: &mut Terms, (target, when): &(ThreadId, TermId)| {
                            let other = self.members[*target].unwrap_or(fals);
                            terms.and(*when, other)
                        };
                        let each: Vec<TermId> = targets.iter().map(|one| of(terms, one)).collect();
                        terms.or_all(&each)
                    }
                    _ => continue,
                };
                let here = terms.and(self.stands(place), supported);
                waits = terms.or(waits, here);
            }
            if faults::on(Fault::CycleUnsupported) {
                continue;
            }
            let needed = terms.implies(member, waits);
            closed = terms.and(closed, needed);
        }
        closed
    }

    /// The condition that no thread can take a step that changes anything.
    fn is_final(&self, program: &mut EventProgram) -> TermId {
        let mut all = program.terms.not(self.beyond);
        for (thread, places) in self.places.iter_ids() {
            let terms = &mut program.terms;
            if faults::on(Fault::FinalForOne) && thread.index() > 1 {
                continue;
            }
            let absent = if faults::on(Fault::AbsentRuns) {
                terms.fals()
            } else {
                terms.not(self.created[thread])
            };
            let mut rests = terms.or(absent, self.ended[thread]);
            for place in places.iter().filter(|place| place.rest.kind.is_blocked()) {
                let blocked = self.blocked_at_end(terms, place);
                rests = terms.or(rests, blocked);
            }
            all = terms.and(all, rests);
        }
        let unnoticed = self.unnoticed(&mut program.terms);
        program.terms.and(all, unnoticed)
    }

    /// The condition that nobody who stays goes on for what somebody else changes for a while.
    ///
    /// A thread whose iteration reads what another one changes is disturbed: then it may change and read whatever it does on any of its
    /// ways. Who is, is a variable for each thread, true at least where it has to be.
    fn unnoticed(&self, terms: &mut Terms) -> TermId {
        let mut all = terms.tru();
        if faults::on(Fault::ChangeUnnoticed) {
            return all;
        }
        let mut changers: ByThread = ByThread::new();
        let mut readers: ByThread = ByThread::new();
        let mut lookers: ByThread = ByThread::new();
        let mut disturbed: SortedMap<ThreadId, TermId> = SortedMap::new();
        let note = |to: &mut ByThread, cell: CellId, thread: ThreadId, when: TermId| {
            let of_cell = to.entry(cell).or_default();
            of_cell.entry(thread).or_default().push(when);
        };
        for place in self.places.iter().flatten() {
            let (thread, here) = (place.thread, place.here);
            let minds = terms.not(place.rest.undisturbed);
            let minds = terms.and(here, minds);
            for (cell, when) in &place.rest.reads {
                note(&mut readers, *cell, thread, terms.and(minds, *when));
            }
            let RestKind::Spin(spin) = &place.rest.kind else {
                continue;
            };
            for (cell, when) in &spin.changes {
                note(&mut changers, *cell, thread, terms.and(here, *when));
            }
            if terms.as_constant(place.rest.undisturbed) == Some(0) {
                continue;
            }
            let by = *disturbed
                .entry(thread)
                .or_insert_with(|| terms.fresh("disturbed", 1));
            let (changes, reads) = (terms.and(here, by), terms.and(minds, by));
            for cell in &spin.may_change {
                note(&mut changers, *cell, thread, changes);
            }
            for cell in &spin.may_read {
                note(&mut readers, *cell, thread, reads);
                note(&mut lookers, *cell, thread, here);
            }
        }
        let changers = either(terms, changers);
        let readers = either(terms, readers);
        let by_others = |terms: &mut Terms, cell: CellId, thread: ThreadId| {
            let changes = changers.get(&cell).into_iter().flatten();
            let others = changes.filter(|one| one.0 != thread).map(|one| one.1);
            let others: Vec<TermId> = others.collect();
            terms.or_all(&others)
        };
        for (cell, reads) in &readers {
            for (thread, reads) in reads {
                let changes = by_others(terms, *cell, *thread);
                let noticed = terms.and(*reads, changes);
                let unnoticed = terms.not(noticed);
                all = terms.and(all, unnoticed);
            }
        }
        for (cell, lookers) in &either(terms, lookers) {
            for (thread, looks) in lookers {
                let changes = by_others(terms, *cell, *thread);
                let is_disturbed = terms.and(*looks, changes);
                let known = terms.implies(is_disturbed, disturbed[thread]);
                all = terms.and(all, known);
            }
        }
        all
    }

    /// The condition that the thread of a place stands there in a final state, as far as that is its own business.
    fn blocked_at_end(&self, terms: &mut Terms, place: &Place) -> TermId {
        let mut blocked = place.settled;
        if let RestKind::Join(targets) = &place.rest.kind {
            for &(target, when) in targets {
                let running = if faults::on(Fault::EndedJoinWaits) {
                    terms.tru()
                } else {
                    terms.not(self.ended[target])
                };
                let waits = terms.implies(when, running);
                blocked = terms.and(blocked, waits);
            }
        }
        blocked
    }
}
