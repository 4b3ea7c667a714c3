//! Enumeration of executions within bounds on store buffers: the bounds of lists, counted on buffers.
//!
//! * Nodes: a write to a cell is made only while at most N − 2 writes to it are pending, over all threads.
//! * Clock: memory changes in at most K − 1 batches. A batch takes writes that may be the next of their threads; those to
//!   one cell reach memory in the order of their issue. A write that may be the next of its thread when it is issued may
//!   reach memory at once, which is no batch. As long as something is pending, one more batch is needed.
//! * Addresses: a step that means a place by an address that may mean another one, too, is only taken while so many
//!   places at most have been meant in that way.
//! * Drains: a step that drains a buffer waits until it is empty.

use super::enumerate::{Possible, look, pass_local};
use super::machine::{Configuration, eval, may_commit, starts, take};
use crate::base::sorted::SortedSet;
use crate::event::*;
use crate::scheme::memory::Bounds;
use hashbrown::HashSet;

/// A state with what is counted.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Counted {
    state: Configuration,
    /// Threads of the pending writes, in the order of their issue.
    line: Vec<usize>,
    batches: u32,
    /// Cells that have been touched of those that are addressed.
    touched: SortedSet<usize>,
}

/// Cells that an access may touch among others.
fn addressed(program: &EventProgram) -> SortedSet<usize> {
    let mut cells = SortedSet::new();
    for event in program.events.iter() {
        if let EventKind::Read { targets, .. } | EventKind::Write { targets, .. } = &event.kind
            && program.possible(targets).count() > 1
        {
            let targets = program.possible(targets);
            cells.extend(targets.map(|target| target.cell.0 as usize));
        }
    }
    cells
}

impl Counted {
    /// Takes the entry at a place of a thread's buffer to memory.
    fn commit(&mut self, thread: usize, at: usize) {
        let own = |(place, &whose): (usize, &usize)| (whose == thread).then_some(place);
        let place = self.line.iter().enumerate().filter_map(own).nth(at);
        self.line.remove(place.expect("every entry is in the line"));
        self.state.commit(thread, at);
    }

    /// True if all pending writes can still reach memory within the bound of the clock.
    fn is_possible(&self, bounds: Bounds) -> bool {
        self.batches + u32::from(!self.line.is_empty()) < bounds.clock
    }

    /// Writes to a cell that are pending.
    fn pending(&self, cell: usize) -> u32 {
        let entries = self.state.buffers.iter().flatten();
        let stores = entries.flat_map(|entry| &entry.stores);
        stores.filter(|(other, _)| *other == cell).count() as u32
    }
}

/// Assertions and cuts that can be reached or violated within bounds, by enumeration.
pub fn possible_within(program: &EventProgram, bounds: Bounds) -> Possible {
    let mut result = Possible::default();
    let mut seen: HashSet<Counted> = HashSet::new();
    let mut stack: Vec<Counted> = starts(program)
        .into_iter()
        .map(|state| Counted {
            state,
            line: Vec::new(),
            batches: 0,
            touched: SortedSet::new(),
        })
        .collect();
    let addressed = addressed(program);
    while let Some(mut counted) = stack.pop() {
        if !counted.is_possible(bounds) {
            continue;
        }
        pass_local(program, &mut counted.state, None, &mut result);
        if !seen.insert(counted.clone()) {
            continue;
        }
        for thread in 0..program.threads.len() {
            let next = step(
                program,
                (&counted, thread),
                (bounds, &addressed),
                &mut result,
            );
            stack.extend(next);
        }
        batches(program, &counted, &mut stack);
    }
    result
}

/// Successors of a state by one step of a thread; none if the bounds do not allow it.
fn step(
    program: &EventProgram,
    (counted, thread): (&Counted, usize),
    (bounds, addressed): (Bounds, &SortedSet<usize>),
    result: &mut Possible,
) -> Vec<Counted> {
    let Some(taken) = take(program, &counted.state, thread) else {
        return Vec::new();
    };
    let mut touched = counted.touched.clone();
    let values = &taken.after.values;
    let mut issued: Vec<usize> = Vec::new();
    // Whether there is room for parts of one write that are to the same cell, if they have to wait.
    let mut room = true;
    for &id in taken.block {
        let event = &program.events[id];
        if eval(program, values, event.guard) == 0 {
            continue;
        }
        if program.barrier(id) == Barrier::Drain && !counted.state.buffers[thread].is_empty() {
            return Vec::new();
        }
        if let EventKind::Read { targets, .. } | EventKind::Write { targets, .. } = &event.kind {
            let target = targets.iter().find(|t| eval(program, values, t.when) != 0);
            let cell = target.map(|target| target.cell.0 as usize);
            touched.extend(cell.filter(|cell| addressed.contains(cell)));
        }
        if let EventKind::Write { targets, .. } = &event.kind {
            let target = targets.iter().find(|t| eval(program, values, t.when) != 0);
            let cell = target.expect("a write that happens has a target").cell.0 as usize;
            let own = issued.iter().filter(|&&other| other == cell).count() as u32;
            if counted.pending(cell) + 2 > bounds.nodes {
                return Vec::new();
            }
            room &= counted.pending(cell) + own + 2 <= bounds.nodes;
            if event.buffered {
                issued.push(cell);
            }
        }
    }
    if touched.len() > bounds.addresses as usize {
        return Vec::new();
    }
    let mut here = Possible::default();
    for &id in taken.block {
        if !program.events[id].kind.is_visible() {
            look(program, values, id, &mut here);
        }
    }
    let mut after = Counted {
        state: taken.after,
        line: counted.line.clone(),
        batches: counted.batches,
        touched,
    };
    let mut states = Vec::new();
    if !issued.is_empty() {
        after.line.push(thread);
        let buffer = &after.state.buffers[thread];
        if may_commit(program, buffer, buffer.len() - 1) {
            let mut at_once = after.clone();
            at_once.commit(thread, buffer.len() - 1);
            states.push(at_once);
        }
    }
    if room {
        states.push(after);
    }
    states.retain(|state| state.is_possible(bounds));
    // What is in a section has been executed if the section has.
    if !states.is_empty() {
        result.violated.extend(here.violated);
        result.reached.extend(here.reached);
    }
    states
}

/// Every batch that can be taken next.
fn batches(program: &EventProgram, counted: &Counted, stack: &mut Vec<Counted>) {
    let pending = counted.line.len();
    assert!(pending < 16, "few writes, so that all batches can be tried");
    'choices: for choice in 1u32..1 << pending {
        let mut next = counted.clone();
        next.batches += 1;
        // By thread: how many of its entries stay behind so far.
        let mut stay = vec![0; program.threads.len()];
        for (place, &thread) in counted.line.iter().enumerate() {
            if choice >> place & 1 == 0 {
                stay[thread] += 1;
                continue;
            }
            let at = stay[thread];
            if !may_commit(program, &next.state.buffers[thread], at) {
                continue 'choices;
            }
            next.commit(thread, at);
        }
        stack.push(next);
    }
}
