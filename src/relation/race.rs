//! Races that the static order or a common lock rules out: the looks for them go, and so do announcements that nobody
//! needs any more (`symex/watch.rs`). What is left is for the solver.

use super::mover;
use super::program_order::{ProgramOrder, StepId};
use super::static_order::StaticOrder;
use crate::base::IdVec;
use crate::event::{CellId, EventId, EventKind, EventProgram};
use crate::relation::faults::{self, Fault};
use hashbrown::HashSet;

/// Takes out the looks for races that cannot be, and the announcements that none of the others is about.
pub fn discharge(program: &mut EventProgram) {
    if program.rivals.is_empty() {
        return;
    }
    let po = ProgramOrder::issued(program);
    let order = StaticOrder::of(program, &po);
    let held = mover::held(program, &po, &order);
    let mut needed: HashSet<EventId> = HashSet::new();
    let mut ruled_out: Vec<EventId> = Vec::new();
    let mut seen: HashSet<EventId> = HashSet::new();
    for local in &po.locals {
        let Some(rival) = program.rivals.get(&local.event) else {
            continue;
        };
        seen.insert(local.event);
        let place = (local.after as usize).checked_sub(1);
        let Some(look) = place.map(|place| po.chains[local.thread][place]) else {
            continue;
        };
        let locks = locks_of_look(program, &po, &held, look);
        let may_race = |&announced: &EventId| {
            let Some(step) = po.step_of[announced] else {
                return false;
            };
            let ordered = order.before(&po, step, look) || order.before(&po, look, step);
            let common =
                held[announced] & locks != 0 || faults::on(Fault::LocksetAny) && locks != 0;
            !ordered && !common
        };
        let open: Vec<EventId> = rival.announced.iter().copied().filter(may_race).collect();
        if open.is_empty() {
            ruled_out.push(local.event);
        }
        needed.extend(open);
    }
    let never = program.terms.fals();
    for event in ruled_out {
        program.events[event].guard = never;
    }
    // Of looks that cannot happen nothing is known.
    program
        .rivals
        .retain(|event, _| seen.contains(event) && program.events[*event].guard != never);
    drop_unneeded(program, &po, &needed);
}

/// Locks that the thread has where it looks at others' announcements, in a step.
fn locks_of_look(
    program: &EventProgram,
    po: &ProgramOrder,
    held: &IdVec<EventId, u64>,
    look: StepId,
) -> u64 {
    let events = po.steps[look].events.iter().copied();
    let looks = events.filter(|&event| {
        let kind = &program.events[event].kind;
        kind.is_watch() && matches!(kind, EventKind::Read { .. })
    });
    // A section may have several, on different paths.
    looks
        .map(|event| held[event])
        .reduce(|all, one| all & one)
        .unwrap_or(0)
}

/// Takes out announcements that are not needed, with what belongs to them: address, size and withdrawal.
fn drop_unneeded(program: &mut EventProgram, po: &ProgramOrder, needed: &HashSet<EventId>) {
    let never = program.terms.fals();
    let mut dropped: Vec<EventId> = Vec::new();
    for chain in po.chains.iter() {
        // Words whose announcement was dropped and not taken back yet.
        let mut open: HashSet<CellId> = HashSet::new();
        for &step in chain {
            let watch = |&event: &EventId| {
                let kind = &program.events[event].kind;
                let EventKind::Write { value, targets, .. } = kind else {
                    return None;
                };
                let cell = targets.first().filter(|_| kind.is_watch())?.cell;
                Some((event, cell, program.terms.as_constant(*value) == Some(0)))
            };
            let writes: Vec<_> = po.steps[step].events.iter().filter_map(watch).collect();
            if writes.iter().any(|(event, ..)| needed.contains(event)) {
                continue;
            }
            for (event, cell, withdraws) in writes {
                if !withdraws {
                    open.insert(cell);
                    dropped.push(event);
                } else if open.remove(&cell) {
                    dropped.push(event);
                }
            }
        }
    }
    for event in dropped {
        program.events[event].guard = never;
    }
}
