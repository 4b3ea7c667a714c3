//! Steps that can be taken together: Lipton's reduction (Lipton 1975).
//!
//! A step that can be exchanged with whatever another thread does just after it is a right mover, one that can be
//! exchanged with what another thread does just before it a left mover. A run of right movers, at most one other step
//! and left movers is one step: in every execution its parts can be brought together. A thread that stops within it
//! is an execution in which the last parts do not happen, as before.
//!
//! * Taking a lock is a right mover, releasing it a left one. A word is a lock if it is taken only where it is 0, and
//!   released only by who has taken it: then nobody else can do anything to it in between.
//! * Who only looks at a lock takes no part: all others' operations on it must be ordered statically against that.
//! * An access is both if every access of another thread that conflicts with it is ordered statically, or has a lock
//!   in common with it, or is never next at the same time, as the analysis of races has found ([`Event::undisturbed`]).
//! * A creation or an end is a left mover (earlier, it only helps others), a join is a right one.
//!
//! A critical section whose data have one lock so becomes one step. Nobody sees its lock taken, so that the range of the
//! lock is 0, and the lock is gone.

use super::program_order::{ProgramOrder, StepId};
use super::static_order::StaticOrder;
use crate::base::IdVec;
#[cfg(doc)]
use crate::event::Event;
use crate::event::{CellId, EventId, EventKind, EventProgram, RestKind, Role, Target};
use crate::ir::GoalKinds;
use crate::reduce::implication::implies;
use crate::relation::faults::{self, Fault};
use crate::term::TermId;

/// Accesses of one cell beyond which none of them is a mover.
const MOST: usize = 1000;

/// Locks that are told apart.
const LOCKS: usize = 64;

/// Mover kind of a step (Lipton): the steps of other threads that it can be exchanged with, those just after it
/// (right), just before it (left), both, or neither.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mover {
    Right,
    Left,
    Both,
    Neither,
}

/// Operation of a step on a lock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Acquire,
    Release,
}

/// An access of a step and one of another thread that conflicts with it, if there is one.
type Conflict = Option<(EventId, EventId)>;

/// Operations of steps on a lock with their conditions, thread by thread in program order.
type Uses = Vec<(StepId, Use, TermId)>;

/// By cell: `None` if it is no lock.
type Locks = IdVec<CellId, Option<Uses>>;

/// An access of a cell.
struct Access {
    step: StepId,
    event: EventId,
    write: bool,
    /// Set of locks that its thread has then, by number.
    locks: u64,
    undisturbed: bool,
}

/// Reason why control may change before a step, or why it need not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// It is its thread's first one.
    First,
    /// One of its accesses conflicts with another thread's.
    Conflict {
        /// The access.
        event: EventId,
        /// The other one, or the first of them.
        other: EventId,
    },
    /// It waits: for a lock, or for a thread that it joins.
    Waits,
    /// It has parts that can only be exchanged with what comes before, and parts that can only be with what comes after.
    Mixed,
    /// None: what it does can be exchanged with whatever other threads do.
    Alone,
    /// None: earlier, it only helps other threads.
    Helps,
    /// None: the steps since the last point can be taken just before it.
    Together,
}

/// Kinds of goals that are preserved: an assertion and a cut see what their own thread has read, which no exchange of its neighbours
/// changes, and a state at the end is that after all steps, in whatever order they were. A step that waits begins a transaction, where that is
/// asked for: then who has begun one can end it, so that nobody stands in its midst for good.
pub const PRESERVES: GoalKinds = GoalKinds {
    assertions: true,
    undefined: true,
    races: true,
    ends: true,
    blocks: true,
};

/// Reduction to larger steps: for each step, true if it is taken together with the one before it in its thread.
pub fn together(program: &mut EventProgram, po: &ProgramOrder) -> IdVec<StepId, bool> {
    if !PRESERVES.contain(program.goals()) {
        return po.steps.ids().map(|_| false).collect();
    }
    let order = StaticOrder::of(program, po);
    let locks = locks(program, po, &order);
    let (movers, _) = movers(program, po, &order, &locks);
    join(po, &movers, &waiting(program, po))
}

/// Steps that wait, where that is asked for: those behind a rest.
fn waiting(program: &EventProgram, po: &ProgramOrder) -> IdVec<StepId, bool> {
    let mut waiting: IdVec<StepId, bool> = po.steps.ids().map(|_| false).collect();
    for local in &po.locals {
        let waits = match &program.events[local.event].kind {
            EventKind::Rest(rest) => matches!(rest.kind, RestKind::Wait(_) | RestKind::Join(_)),
            _ => false,
        };
        if waits && let Some(&step) = po.chains[local.thread].get(local.after as usize) {
            waiting[step] = true;
        }
    }
    waiting
}

/// Reasons why control may change before each step, or need not.
pub fn explain(program: &mut EventProgram, po: &ProgramOrder) -> IdVec<StepId, Why> {
    let order = StaticOrder::of(program, po);
    let locks = locks(program, po, &order);
    let (movers, conflicts) = movers(program, po, &order, &locks);
    let together = join(po, &movers, &waiting(program, po));
    let why = |step: StepId| match (movers[step], together[step]) {
        (_, false) if po.steps[step].index == 0 => Why::First,
        (Mover::Neither | Mover::Right, true) => Why::Together,
        (Mover::Neither, false) => match conflicts[step] {
            Some((event, other)) => Why::Conflict { event, other },
            None => Why::Mixed,
        },
        (Mover::Right, false) => Why::Waits,
        (Mover::Left, _) => Why::Helps,
        (Mover::Both, _) => Why::Alone,
    };
    po.steps.ids().map(why).collect()
}

fn join(
    po: &ProgramOrder,
    movers: &IdVec<StepId, Mover>,
    waiting: &IdVec<StepId, bool>,
) -> IdVec<StepId, bool> {
    let mut together: IdVec<StepId, bool> = po.steps.ids().map(|_| false).collect();
    for chain in po.chains.iter() {
        // Whether the transaction has had its step that is no mover, or a left mover: then only left movers follow.
        let mut committed = true;
        for (place, &step) in chain.iter().enumerate() {
            let begins = matches!(movers[step], Mover::Neither | Mover::Right);
            let apart = committed && begins && !faults::on(Fault::TransactionLonger);
            let apart = apart || waiting[step];
            together[step] = place > 0 && !apart;
            let commits = matches!(movers[step], Mover::Neither | Mover::Left);
            committed = commits || (committed && together[step]);
        }
    }
    together
}

/// Reads and writes of an event: its targets, and whether it writes.
fn access(kind: &EventKind) -> Option<(&[Target], bool)> {
    match kind {
        EventKind::Read { targets, .. } => Some((targets, false)),
        EventKind::Write { targets, .. } => Some((targets, true)),
        _ => None,
    }
}

/// A look: true if an access reads a lock for another purpose than to take it.
fn is_look(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::Read {
            role: Role::Sync,
            ..
        }
    )
}

/// Words that are locks, with what each step does to them and when.
fn locks(program: &mut EventProgram, po: &ProgramOrder, order: &StaticOrder) -> Locks {
    // By cell: its accesses, thread by thread in program order.
    let mut all: IdVec<CellId, Vec<(StepId, EventId)>> =
        program.cells.ids().map(|_| Vec::new()).collect();
    let mut plain: IdVec<CellId, bool> = program
        .cells
        .iter()
        .map(|cell| program.terms.as_constant(cell.init) == Some(0))
        .collect();
    for (step, info) in po.steps.iter_ids() {
        for &event in &info.events {
            let Some((targets, _)) = access(&program.events[event].kind) else {
                continue;
            };
            for target in targets {
                plain[target.cell] &= target.when == program.terms.tru();
                all[target.cell].push((step, event));
            }
        }
    }
    let cells: Vec<CellId> = all.ids().collect();
    let uses = cells.into_iter().map(|cell| {
        if plain[cell] {
            lock_uses(program, po, order, &all[cell])
        } else {
            None
        }
    });
    uses.collect()
}

/// Operations on a lock, from all accesses of the word; `None` if the word is no lock.
fn lock_uses(
    program: &mut EventProgram,
    po: &ProgramOrder,
    order: &StaticOrder,
    accesses: &[(StepId, EventId)],
) -> Option<Uses> {
    let mut uses = Uses::new();
    let mut looks: Vec<StepId> = Vec::new();
    // Of the current thread: the last acquisition's condition, and those of its releases so far.
    let mut taken: Option<TermId> = None;
    let mut released: Vec<TermId> = Vec::new();
    let mut thread = None;
    for group in accesses.chunk_by(|a, b| a.0 == b.0) {
        let step = group[0].0;
        if thread.replace(po.steps[step].thread) != Some(po.steps[step].thread) {
            taken = None;
            released.clear();
        }
        match *group {
            [(_, read), (_, write)] => {
                let EventKind::Read { value, .. } = program.events[read].kind else {
                    return None;
                };
                let EventKind::Write { value: owner, .. } = program.events[write].kind else {
                    return None;
                };
                let when = program.events[read].guard;
                let bits = program.terms.bits(value);
                let zero = program.terms.constant(0, bits);
                let free = program.terms.eq(value, zero);
                let taking = program
                    .terms
                    .as_constant(owner)
                    .is_some_and(|owner| owner != 0)
                    && program.events[write].guard == when
                    && implies(&mut program.terms, when, free);
                if !taking {
                    return None;
                }
                taken = Some(when);
                released.clear();
                uses.push((step, Use::Acquire, when));
            }
            [(_, read)] if is_look(&program.events[read].kind) => {
                looks.push(step);
            }
            [(_, write)] => {
                let EventKind::Write { value, .. } = program.events[write].kind else {
                    return None;
                };
                let when = program.events[write].guard;
                let terms = &mut program.terms;
                let own = taken.is_some_and(|taken| implies(terms, when, taken))
                    && released.iter().all(|&other| {
                        let not = terms.not(other);
                        implies(terms, when, not)
                    });
                if terms.as_constant(value) != Some(0) {
                    return None;
                }
                if !own && !faults::on(Fault::ForeignRelease) {
                    return None;
                }
                released.push(when);
                uses.push((step, Use::Release, when));
            }
            _ => return None,
        }
    }
    let apart = |look: StepId, step: StepId| {
        po.steps[look].thread == po.steps[step].thread
            || order.before(po, look, step)
            || order.before(po, step, look)
    };
    let ordered = |look: &StepId| uses.iter().all(|(step, ..)| apart(*look, *step));
    looks.iter().all(ordered).then_some(uses)
}

/// Operations on locks of each step: number of the lock, operation, condition.
type UsesOfStep = IdVec<StepId, Vec<(usize, Use, TermId)>>;

fn by_step(po: &ProgramOrder, locks: &Locks) -> UsesOfStep {
    let mut uses: UsesOfStep = po.steps.ids().map(|_| Vec::new()).collect();
    let used = locks.iter().flatten().filter(|uses| !uses.is_empty());
    for (number, list) in used.enumerate() {
        for &(step, what, when) in list {
            uses[step].push((number, what, when));
        }
    }
    uses
}

/// Locks that a thread certainly has at each of its visible events, as sets of their numbers; the first [`LOCKS`] are followed. Two
/// events with one in common are not next at the same time.
pub(super) fn held(
    program: &mut EventProgram,
    po: &ProgramOrder,
    order: &StaticOrder,
) -> IdVec<EventId, u64> {
    let locks = locks(program, po, order);
    let uses = by_step(po, &locks);
    held_in(program, po, &uses)
}

fn held_in(
    program: &mut EventProgram,
    po: &ProgramOrder,
    uses: &UsesOfStep,
) -> IdVec<EventId, u64> {
    let mut sets: IdVec<EventId, u64> = program.events.ids().map(|_| 0).collect();
    for chain in po.chains.iter() {
        // Locks that the thread has where the conditions hold.
        let mut held: Vec<(usize, TermId)> = Vec::new();
        for &step in chain {
            held.retain(|lock| !uses[step].iter().any(|other| other.0 == lock.0));
            for &event in &po.steps[step].events {
                let guard = program.events[event].guard;
                for &(number, when) in held.iter().filter(|lock| lock.0 < LOCKS) {
                    if implies(&mut program.terms, guard, when) {
                        sets[event] |= 1 << number;
                    }
                }
            }
            for &(number, what, when) in &uses[step] {
                if what == Use::Acquire {
                    held.push((number, when));
                }
            }
        }
    }
    sets
}

/// Mover kind of each step, and a conflicting pair of accesses for each that is neither because of one.
fn movers(
    program: &mut EventProgram,
    po: &ProgramOrder,
    order: &StaticOrder,
    locks: &Locks,
) -> (IdVec<StepId, Mover>, IdVec<StepId, Conflict>) {
    let mut conflicts: IdVec<StepId, Conflict> = po.steps.ids().map(|_| None).collect();
    let mut movers: IdVec<StepId, Mover> = po.steps.ids().map(|_| Mover::Both).collect();
    let uses = by_step(po, locks);
    let mut accesses: IdVec<CellId, Vec<Access>> =
        program.cells.ids().map(|_| Vec::new()).collect();
    let held = held_in(program, po, &uses);
    for chain in po.chains.iter() {
        for &step in chain {
            for &event in &po.steps[step].events {
                match &program.events[event].kind {
                    EventKind::Create { .. } | EventKind::End => {
                        movers[step] = after(movers[step], Mover::Left);
                    }
                    EventKind::Join { .. } => movers[step] = after(movers[step], Mover::Right),
                    kind => {
                        let Some((targets, write)) = access(kind) else {
                            continue;
                        };
                        let data = targets.iter().map(|target| target.cell);
                        let data: Vec<CellId> =
                            data.filter(|&cell| locks[cell].is_none()).collect();
                        for cell in data {
                            accesses[cell].push(Access {
                                step,
                                event,
                                write,
                                locks: held[event],
                                undisturbed: program.events[event].undisturbed,
                            });
                        }
                    }
                }
            }
            for &(_, what, _) in &uses[step] {
                movers[step] = match what {
                    Use::Acquire => after(movers[step], Mover::Right),
                    Use::Release => after(movers[step], Mover::Left),
                };
            }
        }
    }
    for list in accesses.iter() {
        for access in list {
            let conflict = |other: &Access| {
                let common = if faults::on(Fault::OneSidedLock) {
                    access.locks | other.locks
                } else {
                    access.locks & other.locks
                };
                po.steps[other.step].thread != po.steps[access.step].thread
                    && (access.write || other.write)
                    && common == 0
                    && !(access.undisturbed || other.undisturbed)
                    && !order.before(po, access.step, other.step)
                    && !order.before(po, other.step, access.step)
            };
            let other = if list.len() > MOST {
                list.first()
            } else {
                list.iter().find(|other| conflict(other))
            };
            if let Some(other) = other {
                movers[access.step] = Mover::Neither;
                conflicts[access.step].get_or_insert((access.event, other.event));
            }
        }
    }
    (movers, conflicts)
}

/// Mover kind of a step with two parts.
fn after(one: Mover, other: Mover) -> Mover {
    match (one, other) {
        (Mover::Both, mover) | (mover, Mover::Both) => mover,
        (one, other) if one == other => one,
        _ => Mover::Neither,
    }
}
