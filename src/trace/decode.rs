//! From an execution of the encoding to a schedule of the program.

use super::{Move, Schedule};
use crate::base::sorted::SortedSet;
use crate::event::{Event, EventId, EventKind, EventProgram, RestKind, Thread, ThreadId};
use crate::ir::GoalKinds;
use crate::ir::position::PosKey;
use crate::term::TermId;
use crate::trace::faults::{self, Fault};
use hashbrown::{HashMap, HashSet};

/// Kinds of goals that are preserved: reads of other threads after all that these do change nothing for the violating one, nor
/// for a state at the end, which it sees.
pub const PRESERVES: GoalKinds = GoalKinds {
    assertions: true,
    undefined: true,
    races: false,
    ends: true,
    blocks: false,
};

/// The schedule of `order` (visible events that happen, in one total order) up to the violated assertion, or the cut,
/// `violated`; `value` gives the value of each variable.
pub fn decode(
    program: &EventProgram,
    order: &[EventId],
    violated: EventId,
    mut value: impl FnMut(TermId) -> u128,
) -> Schedule {
    let violation = program.check(violated).map(GoalKinds::of);
    let order = if PRESERVES.contain(violation.unwrap_or(GoalKinds::NONE)) {
        &without_last_looks(program, order, program.events[violated].thread)
    } else if violation.is_some_and(|kinds| kinds.blocks) {
        &without_vain_looks(program, order)
    } else {
        order
    };
    let rival = rival(program, order, violated);
    let creator = |thread: &Thread| {
        let event = thread.created_by?;
        Some((program.events[event].thread, program.events[event].position))
    };
    let mut threads: Vec<Option<(ThreadId, PosKey)>> =
        program.threads.iter().map(creator).collect();
    // A creation through a pointer has one instance for each routine: the one that is created is meant.
    for &id in order {
        if let EventKind::Create { child } = program.events[id].kind {
            let at = threads[child.0 as usize];
            for (other, known) in threads.iter_mut().enumerate() {
                if other != child.0 as usize && *known == at {
                    *known = None;
                }
            }
        }
    }
    let mut steps: Vec<Move> = Vec::with_capacity(order.len() + 1);
    let mut committed: HashSet<(ThreadId, PosKey)> = HashSet::new();
    let mut visible: Vec<HashSet<PosKey>> = vec![HashSet::new(); program.threads.len()];
    // What had ended when a thread's own variables began is read just before the thread is created.
    let creations: HashSet<(ThreadId, PosKey)> = order
        .iter()
        .map(|&id| &program.events[id])
        .filter(|event| matches!(event.kind, EventKind::Create { .. }))
        .map(|event| (event.thread, event.position))
        .collect();
    let begins = |event: &Event| {
        let creates = matches!(event.kind, EventKind::Create { .. } | EventKind::Fence);
        !creates && creations.contains(&(event.thread, event.position))
    };
    // The instruction that gives a result ends the thread and drains its buffer: it is executed where the thread ends.
    let watches = |id: EventId| program.events[id].kind.is_watch();
    let moves = order
        .iter()
        .filter(|&&id| !program.returns(id) && !watches(id));
    for &id in moves {
        let event = &program.events[id];
        if begins(event) {
            continue;
        }
        let step = match event.kind {
            EventKind::End => (event.thread, PosKey::END),
            _ => (event.thread, event.position),
        };
        // Events of one instruction are one step, at the first of them.
        if event.buffered {
            if committed.insert(step) {
                steps.push(Move::Commit(step.0, step.1));
            }
        } else if visible[event.thread.0 as usize].insert(step.1) {
            steps.push(Move::Step(step.0, step.1));
        }
    }
    let acts = |event: &&Event| event.kind.is_visible() && !event.kind.is_watch();
    let mut kept: Vec<HashSet<PosKey>> = vec![HashSet::new(); program.threads.len()];
    if violation.is_some_and(|kinds| kinds.blocks) {
        for event in program.events.iter().filter(acts) {
            // At the same place, other executions may access what nobody else does.
            if value(event.guard) != 0 {
                kept[event.thread.0 as usize].insert(event.position);
            }
        }
    }
    let assertion = &program.events[violated];
    steps.push(Move::Step(assertion.thread, assertion.position));
    let mut inputs = HashMap::new();
    let mut memory: HashMap<(ThreadId, PosKey), Vec<(u64, u8)>> = HashMap::new();
    for input in &program.inputs {
        let chosen = value(input.value);
        match input.offset_bytes {
            None => {
                inputs.insert((input.thread, input.position), chosen);
            }
            Some(offset) => {
                let bytes = program.terms.bits(input.value) / 8;
                let offset = value(offset) as u64;
                let start = memory.entry((input.thread, input.position)).or_default();
                start
                    .extend((0..u64::from(bytes)).map(|i| (offset + i, (chosen >> (8 * i)) as u8)));
            }
        }
    }
    // A base that nothing depends on is no address, and the interpreter finds one.
    let mut bases = HashMap::new();
    for &(object, variable, zeros) in &program.bases {
        let base = (value(variable) as u64) << zeros;
        if base >= program.space.lowest() {
            bases.insert(program.objects[object].origin, base);
        }
    }
    let property = assertion.kind.property();
    let mut parts: HashMap<(ThreadId, PosKey), Vec<u64>> = HashMap::new();
    for (thread, position, part) in &program.parts {
        parts.entry((*thread, *position)).or_default().push(*part);
    }
    for known in parts.values_mut() {
        known.sort_unstable();
        known.dedup();
    }
    Schedule {
        space: program.space,
        threads,
        steps,
        memory_model: program.memory,
        visible,
        kept,
        blocked: SortedSet::new(),
        parts,
        inputs,
        memory,
        slots: program
            .objects
            .iter()
            .map(|object| (object.origin, object.slot))
            .collect(),
        used_slots: program.used_slots,
        bases,
        place: assertion.loc,
        rival,
        violation: property.unwrap_or(crate::ir::Property::Assertion),
    }
}

/// Thread and position of the other access of a data race, whose announcement was the last before the violated check. `None`
/// if the violation is none.
fn rival(
    program: &EventProgram,
    order: &[EventId],
    violated: EventId,
) -> Option<(ThreadId, PosKey)> {
    let rival = program.rivals.get(&violated)?;
    let announced = order.iter().rev();
    let last = announced.copied().find(|id| rival.announced.contains(id))?;
    Some((program.events[last].thread, program.events[last].position))
}

/// Order without the reads of threads that wait for a lock in vain: they have looked whether it still lives.
fn without_vain_looks(program: &EventProgram, order: &[EventId]) -> Vec<EventId> {
    let place = |event: &Event| (event.thread, event.position);
    let rests = program.events.iter();
    let rests = rests.filter(|event| match &event.kind {
        EventKind::Rest(rest) => matches!(rest.kind, RestKind::Wait(_)),
        _ => false,
    });
    let mut waiting: HashSet<_> = rests.map(place).collect();
    for &id in order {
        let event = &program.events[id];
        if !matches!(event.kind, EventKind::Read { .. }) {
            waiting.remove(&place(event));
        }
    }
    let stays = |id: &EventId| !waiting.contains(&place(&program.events[*id]));
    order.iter().copied().filter(stays).collect()
}

/// Order without the last reads of threads other than the `violating` one: nothing comes of them, and the instruction may
/// not even be executed whole. A thread that waits for a lock has looked whether the lock still lives.
fn without_last_looks(
    program: &EventProgram,
    order: &[EventId],
    violating: ThreadId,
) -> Vec<EventId> {
    // A section is left out as a whole, or not at all.
    let unit = |event: &Event| match event.section {
        Some(section) => (event.thread, Err(section)),
        None => (event.thread, Ok(event.position)),
    };
    let looks = |event: &Event| matches!(event.kind, EventKind::Read { .. });
    let events = order.iter().map(|&id| &program.events[id]);
    let acting: HashSet<_> = events.filter(|event| !looks(event)).map(unit).collect();
    let mut ended: HashSet<ThreadId> = HashSet::from([violating]);
    let mut kept: Vec<EventId> = Vec::with_capacity(order.len());
    for &id in order.iter().rev() {
        let event = &program.events[id];
        if acting.contains(&unit(event)) {
            ended.insert(event.thread);
        }
        if ended.contains(&event.thread) || faults::on(Fault::LastLooksStay) {
            kept.push(id);
        }
    }
    kept.reverse();
    kept
}
