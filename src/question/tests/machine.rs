//! A machine that executes event programs, one step of one thread at a time, with concrete values. It knows nothing of
//! the encodings.
//!
//! Under a weak memory model, each thread has a list of writes that it has issued; that one of them reaches memory is a
//! step of its own.

use crate::event::*;
use crate::term::{TermId, VarId};

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Configuration {
    /// Next event of each thread.
    pub(super) next: Vec<usize>,
    pub(super) created: Vec<bool>,
    pub(super) ended: Vec<bool>,
    pub(super) cells: Vec<u128>,
    pub(super) values: Vec<u128>,
    /// By thread: writes that have not reached memory, in the order of their issue.
    pub(super) buffers: Vec<Vec<Pending>>,
    /// By thread: a release fence has come after the last of them.
    pub(super) fenced: Vec<bool>,
    /// With rounds: number of the slot.
    pub(super) slot: usize,
}

/// An issued write.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Pending {
    /// Cells and the values that it stores in them, all at once.
    pub(super) stores: Vec<(usize, u128)>,
    /// The events of its step.
    pub(super) events: Vec<EventId>,
    /// It comes after all earlier ones.
    pub(super) last: bool,
    /// They come before all writes from here on.
    pub(super) fenced: bool,
}

/// Commit order: true if the write at a place of a thread's buffer may be the next to reach memory.
pub(super) fn may_commit(program: &EventProgram, buffer: &[Pending], at: usize) -> bool {
    let one = &buffer[at];
    let overlap = |other: &Pending| {
        let mut cells = other.stores.iter().map(|(cell, _)| cell);
        cells.any(|cell| one.stores.iter().any(|(own, _)| own == cell))
    };
    match program.memory {
        MemoryModel::Pso => {
            let fenced = || buffer[1..=at].iter().any(|entry| entry.fenced);
            at == 0 || !(one.last || fenced() || buffer[..at].iter().any(overlap))
        }
        _ => at == 0,
    }
}

/// The first state, for every choice of inputs.
pub(super) fn starts(program: &EventProgram) -> Vec<Configuration> {
    let mut starts = Vec::new();
    let widths: Vec<(VarId, u16)> = program
        .inputs
        .iter()
        .filter_map(|input| {
            Some((
                program.terms.var_of(input.value)?,
                program.terms.bits(input.value),
            ))
        })
        .collect();
    let bits: u32 = widths.iter().map(|(_, bits)| u32::from(*bits)).sum();
    assert!(bits <= 8, "few inputs, so that all can be tried");
    for choice in 0u128..1 << bits {
        let mut values = vec![0; program.terms.variables()];
        let mut rest = choice;
        for &(var, bits) in &widths {
            values[var.0 as usize] = rest & ((1 << bits) - 1);
            rest >>= bits;
        }
        // Facts about sections that end at a cut hold, as none does here.
        if program
            .facts
            .iter()
            .any(|&fact| eval(program, &values, fact) == 0)
        {
            continue;
        }
        let threads = program.threads.len();
        let mut created = vec![false; threads];
        created[0] = true;
        let cells = program
            .cells
            .iter()
            .map(|cell| eval(program, &values, cell.init))
            .collect();
        starts.push(Configuration {
            next: vec![0; threads],
            created,
            ended: vec![false; threads],
            cells,
            values,
            buffers: vec![Vec::new(); threads],
            fenced: vec![false; threads],
            slot: 0,
        });
    }
    starts
}

pub(super) fn eval(program: &EventProgram, values: &[u128], t: TermId) -> u128 {
    program.terms.eval(t, &|var: VarId| values[var.0 as usize])
}

impl Configuration {
    pub(super) fn commit(&mut self, thread: usize, at: usize) {
        let entry = self.buffers[thread].remove(at);
        for (cell, value) in entry.stores {
            self.cells[cell] = value;
        }
    }

    pub(super) fn drain(&mut self, thread: usize) {
        while !self.buffers[thread].is_empty() {
            self.commit(thread, 0);
        }
    }

    /// Value that a thread reads, with store forwarding: its own newest write that has not reached memory comes first.
    pub(super) fn read(&self, thread: usize, cell: usize) -> u128 {
        let stores = self.buffers[thread].iter().rev();
        let mut own = stores.flat_map(|entry| entry.stores.iter().rev());
        own.find(|(other, _)| *other == cell)
            .map_or(self.cells[cell], |(_, value)| *value)
    }
}

/// A step that was taken.
pub(super) struct Taken<'p> {
    /// Its events.
    pub(super) block: &'p [EventId],
    pub(super) after: Configuration,
}

pub(super) fn take<'p>(
    program: &'p EventProgram,
    state: &Configuration,
    thread: usize,
) -> Option<Taken<'p>> {
    let events = &program.threads[ThreadId(thread as u32)].events;
    let first = state.next[thread];
    if !state.created[thread] || first >= events.len() {
        return None;
    }
    let section = program.events[events[first]].section;
    let mut last = first + 1;
    while section.is_some()
        && last < events.len()
        && program.events[events[last]].section == section
    {
        last += 1;
    }
    let block = &events[first..last];
    // First as if the step could finish, to learn what it reads; then with what its guards say.
    let mut values = state.values.clone();
    run(program, state, block, &mut values, true);
    let mut after = run(program, state, block, &mut values, false);
    after.next[thread] = last;
    after.values = values;
    Some(Taken { block, after })
}

/// Puts a write that happens, or what a release fence says of those after it, into its thread's buffer. `block` are the
/// events of its step.
pub(super) fn issue(
    program: &EventProgram,
    state: &mut Configuration,
    block: &[EventId],
    id: EventId,
    values: &[u128],
) {
    let event = &program.events[id];
    let thread = event.thread.0 as usize;
    let EventKind::Write { value, targets, .. } = &event.kind else {
        state.fenced[thread] |= program.barrier(id) == Barrier::Order;
        return;
    };
    let value = eval(program, values, *value);
    let target = targets
        .iter()
        .find(|target| eval(program, values, target.when) != 0)
        .expect("a write that happens has a target");
    let cell = target.cell.0 as usize;
    // Parts of one step are one entry.
    let entries = &mut state.buffers[thread];
    let issued = entries
        .last_mut()
        .filter(|entry| block.len() > 1 && entry.events.iter().all(|other| block.contains(other)));
    if let Some(entry) = issued {
        entry.stores.push((cell, value));
        entry.events.push(id);
        return;
    }
    let store = program.memory.store(event.order);
    entries.push(Pending {
        stores: vec![(cell, value)],
        events: vec![id],
        last: store == Store::Buffered { last: true },
        fenced: std::mem::take(&mut state.fenced[thread]),
    });
}

pub(super) fn run(
    program: &EventProgram,
    state: &Configuration,
    block: &[EventId],
    values: &mut [u128],
    tentative: bool,
) -> Configuration {
    let mut after = state.clone();
    for &id in block {
        let event = &program.events[id];
        let cell_of = |values: &[u128], targets: &[Target]| {
            targets
                .iter()
                .find(|target| eval(program, values, target.when) != 0)
                .map(|target| target.cell.0 as usize)
        };
        // A read learns its value before its own guard is known.
        if let EventKind::Read { value, targets, .. } = &event.kind
            && tentative
            && let (Some(cell), Some(var)) =
                (cell_of(values, targets), program.terms.var_of(*value))
        {
            values[var.0 as usize] = after.read(event.thread.0 as usize, cell);
        }
        let happens = eval(
            program,
            values,
            if tentative {
                event.reached
            } else {
                event.guard
            },
        ) != 0;
        if !happens {
            continue;
        }
        match &event.kind {
            EventKind::Read { value, targets, .. } if !tentative => {
                let cell = cell_of(values, targets).expect("a read that happens has a target");
                assert_eq!(
                    eval(program, values, *value),
                    after.read(event.thread.0 as usize, cell),
                    "a step reads the same again"
                );
            }
            EventKind::Write { value, targets, .. } => {
                let cell = cell_of(values, targets).expect("a write that happens has a target");
                if event.buffered {
                    issue(program, &mut after, block, id, values)
                } else {
                    after.cells[cell] = eval(program, values, *value)
                }
            }
            EventKind::Fence if program.barrier(id) == Barrier::Drain => {
                after.drain(event.thread.0 as usize);
            }
            EventKind::Fence => issue(program, &mut after, block, id, values),
            EventKind::Create { child } => {
                after.drain(event.thread.0 as usize);
                after.created[child.0 as usize] = true;
            }
            EventKind::Join { targets, done } if tentative => {
                let ended = targets.iter().any(|&(target, when)| {
                    eval(program, values, when) != 0 && state.ended[target.0 as usize]
                });
                let var = program.terms.var_of(*done).expect("`done` is a variable");
                values[var.0 as usize] = u128::from(ended);
            }
            EventKind::End => {
                after.drain(event.thread.0 as usize);
                after.ended[event.thread.0 as usize] = true;
            }
            _ => {}
        }
    }
    after
}
