//! All executions of a small event program, one step at a time, with concrete values: what the encodings are
//! compared with. It knows nothing of them.
//!
//! Under a weak memory model, each thread has a list of writes that it has issued; that one of them reaches memory is a
//! step of its own.

use crate::event::*;
use crate::term::{TermId, VarId};
use hashbrown::HashSet;
use std::collections::{BTreeMap, BTreeSet};

/// What some execution does.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Possible {
    /// Assertions that can be violated.
    pub violated: BTreeSet<EventId>,
    /// Assertions and cuts that can be reached.
    pub reached: BTreeSet<EventId>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// Next event of each thread.
    next: Vec<usize>,
    created: Vec<bool>,
    ended: Vec<bool>,
    cells: Vec<u128>,
    values: Vec<u128>,
    /// By thread: writes that have not reached memory, in the order of their issue.
    buffers: Vec<Vec<Pending>>,
    /// By thread: a release fence has come after the last of them.
    fenced: Vec<bool>,
    /// With rounds: number of the slot.
    slot: usize,
}

/// An issued write.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Pending {
    /// What it stores in which cells: all at once.
    stores: Vec<(usize, u128)>,
    /// The events of its step.
    events: Vec<EventId>,
    /// It comes after all earlier ones.
    last: bool,
    /// They come before all writes from here on.
    fenced: bool,
}

/// Whether a write of a thread, at a place of its buffer, may be the next to reach memory.
fn may_commit(program: &EventProgram, buffer: &[Pending], at: usize) -> bool {
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

/// Turns of all threads in the order of their numbers.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    /// How many turns each thread has.
    rounds: usize,
    /// Whether main has one more in the end.
    last_turn: bool,
}

impl Rounds {
    /// With a last turn of main.
    pub fn and_main(rounds: usize) -> Rounds {
        Rounds {
            rounds,
            last_turn: true,
        }
    }

    /// Without it.
    pub fn only(rounds: usize) -> Rounds {
        Rounds {
            rounds,
            last_turn: false,
        }
    }
}

/// What can happen; with `rounds`, within them.
pub fn possible(program: &EventProgram, rounds: Option<Rounds>) -> Possible {
    let mut result = Possible::default();
    for start in starts(program) {
        explore(program, start, rounds, &mut result);
    }
    result
}

/// The first state, for every choice of inputs.
fn starts(program: &EventProgram) -> Vec<State> {
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
        starts.push(State {
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

fn eval(program: &EventProgram, values: &[u128], t: TermId) -> u128 {
    program.terms.eval(t, &|var: VarId| values[var.0 as usize])
}

fn explore(program: &EventProgram, start: State, rounds: Option<Rounds>, result: &mut Possible) {
    let mut seen: HashSet<State> = HashSet::new();
    let mut stack = vec![start];
    let threads = program.threads.len();
    while let Some(mut state) = stack.pop() {
        let whose = rounds.map(|_| state.slot % threads);
        pass_local(program, &mut state, whose, result);
        if !seen.insert(state.clone()) {
            continue;
        }
        match rounds {
            None => {
                for thread in 0..threads {
                    step(program, &state, thread, result, &mut stack);
                    commits(program, &state, thread, &mut stack);
                }
            }
            Some(Rounds { rounds, last_turn }) => {
                let slots = rounds * threads + usize::from(last_turn);
                if state.slot < slots {
                    step(program, &state, state.slot % threads, result, &mut stack);
                }
                if state.slot + 1 < slots {
                    stack.push(State {
                        slot: state.slot + 1,
                        ..state
                    });
                }
            }
        }
    }
}

/// Lets threads, or the one `whose` turn it is, pass assertions and cuts that stand between their steps.
fn pass_local(
    program: &EventProgram,
    state: &mut State,
    whose: Option<usize>,
    result: &mut Possible,
) {
    for (index, thread) in program.threads.iter().enumerate() {
        while whose.is_none_or(|whose| whose == index)
            && state.created[index]
            && let Some(&id) = thread.events.get(state.next[index])
            && program.events[id].section.is_none()
            && !program.events[id].kind.is_visible()
        {
            look(program, &state.values, id, result);
            state.next[index] += 1;
        }
    }
}

fn look(program: &EventProgram, values: &[u128], id: EventId, result: &mut Possible) {
    let event = &program.events[id];
    // A cut inside a section counts although the section may block later.
    let guard = if matches!(event.kind, EventKind::Cut { .. }) {
        event.reached
    } else {
        event.guard
    };
    if eval(program, values, guard) == 0 {
        return;
    }
    result.reached.insert(id);
    if let EventKind::Assert { cond, .. } = event.kind
        && eval(program, values, cond) == 0
    {
        result.violated.insert(id);
    }
}

/// One step of a thread: an event, or all events of a section.
fn step(
    program: &EventProgram,
    state: &State,
    thread: usize,
    result: &mut Possible,
    stack: &mut Vec<State>,
) {
    let Some(taken) = take(program, state, thread) else {
        return;
    };
    for &id in taken.block {
        if !program.events[id].kind.is_visible() {
            look(program, &taken.after.values, id, result);
        }
    }
    stack.push(taken.after);
}

/// Lets writes of a thread reach memory, one at a time.
fn commits(program: &EventProgram, state: &State, thread: usize, stack: &mut Vec<State>) {
    for at in 0..state.buffers[thread].len() {
        if may_commit(program, &state.buffers[thread], at) {
            let mut next = state.clone();
            next.commit(thread, at);
            stack.push(next);
        }
    }
}

impl State {
    fn commit(&mut self, thread: usize, at: usize) {
        let entry = self.buffers[thread].remove(at);
        for (cell, value) in entry.stores {
            self.cells[cell] = value;
        }
    }

    fn drain(&mut self, thread: usize) {
        while !self.buffers[thread].is_empty() {
            self.commit(thread, 0);
        }
    }

    /// What a thread reads: its own newest write that has not reached memory comes first.
    fn read(&self, thread: usize, cell: usize) -> u128 {
        let stores = self.buffers[thread].iter().rev();
        let mut own = stores.flat_map(|entry| entry.stores.iter().rev());
        own.find(|(other, _)| *other == cell)
            .map_or(self.cells[cell], |(_, value)| *value)
    }
}

/// A step that was taken.
struct Taken<'p> {
    /// Its events.
    block: &'p [EventId],
    after: State,
}

fn take<'p>(program: &'p EventProgram, state: &State, thread: usize) -> Option<Taken<'p>> {
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

/// What is counted of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Writes; those of main before it creates a thread do not count.
    Writes,
    /// Maximal blocks of one thread's steps that contain such a write.
    Contexts,
}

/// A state with the thread that made the last step, and whether its block has a write.
type Measured = (State, usize, bool);

/// For each assertion that can be violated, the least that an execution needs up to there.
pub fn least(program: &EventProgram, measure: Measure) -> BTreeMap<EventId, u32> {
    let mut least: BTreeMap<EventId, u32> = BTreeMap::new();
    for start in starts(program) {
        let mut seen: HashSet<Measured> = HashSet::new();
        // By what has been counted so far.
        let mut open: Vec<Vec<Measured>> = vec![vec![(start, 0, false)]];
        let mut count = 0;
        while count < open.len() {
            let Some((mut state, last, written)) = open[count].pop() else {
                count += 1;
                continue;
            };
            let mut here = Possible::default();
            pass_local(program, &mut state, None, &mut here);
            note(&mut least, &here.violated, count);
            let measured = match measure {
                Measure::Writes => (state, 0, false),
                Measure::Contexts => (state, last, written),
            };
            if !seen.insert(measured.clone()) {
                continue;
            }
            let state = measured.0;
            for thread in 0..program.threads.len() {
                let Some(taken) = take(program, &state, thread) else {
                    continue;
                };
                let alone = !state.created[1..].contains(&true);
                let block = last == thread && written;
                let mut writes = 0;
                let more = |writes: usize| match measure {
                    Measure::Writes => writes,
                    Measure::Contexts => usize::from(writes > 0 && !block),
                };
                let values = &taken.after.values;
                for &id in taken.block {
                    let event = &program.events[id];
                    if matches!(event.kind, EventKind::Write { .. }) {
                        let happens = eval(program, values, event.guard) != 0;
                        writes += usize::from(happens && !alone);
                    }
                    let mut here = Possible::default();
                    if !event.kind.is_visible() {
                        look(program, values, id, &mut here);
                    }
                    note(&mut least, &here.violated, count + more(writes));
                }
                let next = count + more(writes);
                open.resize_with(open.len().max(next + 1), Vec::new);
                let written = writes > 0 || block;
                open[next].push((taken.after, thread, written));
            }
        }
    }
    least
}

/// For each assertion that can be violated within `most` rounds (each a turn of every thread, in the order of their
/// numbers) and a last turn of main, the least number of rounds that this needs; at least 1.
pub fn least_rounds(program: &EventProgram, most: u32) -> BTreeMap<EventId, u32> {
    let threads = program.threads.len();
    let mut least: BTreeMap<EventId, u32> = BTreeMap::new();
    for start in starts(program) {
        // By slot. The turn of main that is last with r rounds is its first of round r + 1 with more.
        let mut open: Vec<State> = vec![start];
        for slot in 0..=most as usize * threads {
            let thread = slot % threads;
            let rounds = slot.div_ceil(threads).max(1);
            let mut seen: HashSet<State> = HashSet::new();
            let mut stack = std::mem::take(&mut open);
            while let Some(mut state) = stack.pop() {
                let mut here = Possible::default();
                pass_local(program, &mut state, Some(thread), &mut here);
                if seen.insert(state.clone()) {
                    step(program, &state, thread, &mut here, &mut stack);
                    open.push(state);
                }
                note(&mut least, &here.violated, rounds);
            }
        }
    }
    least
}

/// The most writes that an execution has; those of main before it creates a thread do not count.
pub fn most_writes(program: &EventProgram) -> u32 {
    let mut most = 0;
    for start in starts(program) {
        let mut seen: HashSet<(State, u32)> = HashSet::new();
        let mut stack = vec![(start, 0)];
        while let Some((mut state, count)) = stack.pop() {
            pass_local(program, &mut state, None, &mut Possible::default());
            if !seen.insert((state.clone(), count)) {
                continue;
            }
            most = most.max(count);
            for thread in 0..program.threads.len() {
                let Some(taken) = take(program, &state, thread) else {
                    continue;
                };
                let alone = !state.created[1..].contains(&true);
                let writes = taken.block.iter().filter(|&&id| {
                    let event = &program.events[id];
                    let write = matches!(event.kind, EventKind::Write { .. });
                    write && !alone && eval(program, &taken.after.values, event.guard) != 0
                });
                stack.push((taken.after.clone(), count + writes.count() as u32));
            }
        }
    }
    most
}

fn note(least: &mut BTreeMap<EventId, u32>, violated: &BTreeSet<EventId>, count: usize) {
    for &event in violated {
        let known = least.entry(event).or_insert(u32::MAX);
        *known = (*known).min(count as u32);
    }
}

/// Puts a write that happens, or what a release fence says of those after it, into its thread's buffer. `block` are the
/// events of its step.
fn issue(
    program: &EventProgram,
    state: &mut State,
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

fn run(
    program: &EventProgram,
    state: &State,
    block: &[EventId],
    values: &mut [u128],
    tentative: bool,
) -> State {
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
                match event.buffered {
                    true => issue(program, &mut after, block, id, values),
                    false => after.cells[cell] = eval(program, values, *value),
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
    let mut state = State {
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
    let mut committed: BTreeSet<EventId> = BTreeSet::new();
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
            let place = |state: &State| {
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

impl State {
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
