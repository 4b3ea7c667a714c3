//! Replay: a check that what an encoding calls an execution is one.

use super::machine::{Configuration, eval, issue, may_commit};
use crate::base::sorted::SortedSet;
use crate::event::*;
use crate::term::TermId;

/// Checks that an execution is one: events in program order, sections whole, values as memory has them, and
/// nothing left out. Buffered writes are where they reach memory. What is wrong is said in words.
pub fn replay(
    program: &EventProgram,
    order: &[EventId],
    target: EventId,
    values: &[u128],
) -> Result<(), String> {
    let value = |t: TermId| eval(program, values, t);
    let threads = program.threads.len();
    let mut created = vec![false; threads];
    created[0] = true;
    let mut state = Configuration {
        next: vec![0; threads],
        created,
        ended: vec![false; threads],
        cells: program.cells.iter().map(|cell| value(cell.init)).collect(),
        values: values.to_vec(),
        buffers: vec![Vec::new(); threads],
        fenced: vec![false; threads],
        slot: 0,
    };
    // Events whose writes have reached memory together with others of their step.
    let mut committed: SortedSet<EventId> = SortedSet::new();
    for (at, &id) in order.iter().enumerate() {
        let event = &program.events[id];
        let thread = event.thread.0 as usize;
        if !state.created[thread] {
            return Err(format!("event {} of a thread that is not there yet", id.0));
        }
        if value(event.guard) == 0 {
            return Err(format!("event {} does not happen", id.0));
        }
        if event.buffered {
            if committed.contains(&id) {
                continue;
            }
            let place = |state: &Configuration| {
                let mut entries = state.buffers[thread].iter();
                entries.position(|entry| entry.events.contains(&id))
            };
            if place(&state).is_none() {
                state.advance(program, event.thread, id)?;
            }
            // The whole of its step is issued.
            while let Some(&next) = program.threads[event.thread].events.get(state.next[thread])
                && event.section.is_some()
                && program.events[next].section == event.section
                && program.events[next].buffered
            {
                state.advance(program, event.thread, next)?;
            }
            let place = place(&state).ok_or_else(|| format!("event {} is not issued", id.0))?;
            if !may_commit(program, &state.buffers[thread], place) {
                return Err(format!("event {} overtakes another one", id.0));
            }
            committed.extend(&state.buffers[thread][place].events);
            state.commit(thread, place);
            continue;
        }
        state.advance(program, event.thread, id)?;
        if let Some(&before) = at.checked_sub(1).and_then(|before| order.get(before))
            && program.events[before].thread != event.thread
            && let Some(section) = program.events[before].section
            && order[at..].iter().any(|&id| {
                let event = &program.events[id];
                event.section == Some(section) && !event.buffered
            })
            && !program.events[before].buffered
        {
            return Err(format!("event {} inside section {}", id.0, section.0));
        }
        let cell_of = |targets: &[Target]| {
            let cell = targets
                .iter()
                .find(|target| value(target.when) != 0)
                .map(|target| target.cell.0 as usize);
            cell.ok_or_else(|| format!("event {} touches nothing", id.0))
        };
        if program.barrier(id) == Barrier::Drain && !state.buffers[thread].is_empty() {
            return Err(format!("event {} waits for the buffer", id.0));
        }
        match &event.kind {
            EventKind::Read {
                value: variable,
                targets,
                ..
            } => {
                let cell = cell_of(targets)?;
                let there = state.read(thread, cell);
                if there != value(*variable) {
                    let expected = value(*variable);
                    return Err(format!("event {} reads {expected}, not {there}", id.0));
                }
            }
            EventKind::Write {
                value: stored,
                targets,
                ..
            } => {
                let cell = cell_of(targets)?;
                state.cells[cell] = value(*stored);
            }
            EventKind::Create { child } => state.created[child.0 as usize] = true,
            EventKind::Join { targets, done } => {
                let there = targets
                    .iter()
                    .any(|&(target, when)| value(when) != 0 && state.ended[target.0 as usize]);
                if value(*done) == 0 || !there {
                    return Err(format!("join {} of a running thread", id.0));
                }
            }
            EventKind::End => state.ended[thread] = true,
            _ => {}
        }
    }
    let event = &program.events[target];
    if !state.created[event.thread.0 as usize] {
        return Err("the target's thread is not there".to_string());
    }
    state.advance(program, event.thread, target)?;
    if value(event.guard) == 0 {
        return Err("the target does not happen".to_string());
    }
    match event.kind {
        EventKind::Assert { cond, .. } if value(cond) != 0 => {
            Err("the assertion holds".to_string())
        }
        _ => Ok(()),
    }
}

impl Configuration {
    /// Moves a thread to an event; nothing that happens may be passed but what goes into the buffer.
    fn advance(
        &mut self,
        program: &EventProgram,
        thread: ThreadId,
        to: EventId,
    ) -> Result<(), String> {
        let index = thread.0 as usize;
        loop {
            let events = &program.threads[thread].events;
            let Some(&id) = events.get(self.next[index]) else {
                return Err(format!("event {} out of order", to.0));
            };
            self.next[index] += 1;
            let event = &program.events[id];
            let happens = eval(program, &self.values, event.guard) != 0;
            let orders = program.barrier(id) == Barrier::Order;
            if happens && (event.buffered || orders) {
                let values = self.values.clone();
                let block: Vec<EventId> = events
                    .iter()
                    .copied()
                    .filter(|&other| {
                        let section = program.events[other].section;
                        other == id || (section.is_some() && section == event.section)
                    })
                    .collect();
                issue(program, self, &block, id, &values);
            }
            if id == to {
                return Ok(());
            }
            let done = match event.kind {
                EventKind::Join { done, .. } => eval(program, &self.values, done) != 0,
                EventKind::Fence => program.barrier(id) == Barrier::Drain,
                _ => !event.buffered,
            };
            if event.kind.is_visible() && done && happens {
                return Err(format!("event {} happens but was left out", id.0));
            }
        }
    }
}
