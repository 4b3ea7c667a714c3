//! All executions of a small event program, one step at a time, with concrete values: what the encodings are
//! compared with. It knows nothing of them.

use crate::event::*;
use crate::term::{TermId, VarId};
use hashbrown::HashSet;
use std::collections::BTreeSet;

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
    /// With rounds: number of the slot.
    slot: usize,
}

/// What can happen; with `rounds`, within so many rounds and a last turn of main.
pub fn possible(program: &EventProgram, rounds: Option<usize>) -> Possible {
    let mut result = Possible::default();
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
        let start = State {
            next: vec![0; threads],
            created,
            ended: vec![false; threads],
            cells,
            values,
            slot: 0,
        };
        explore(program, start, rounds, &mut result);
    }
    result
}

fn eval(program: &EventProgram, values: &[u128], t: TermId) -> u128 {
    program.terms.eval(t, &|var: VarId| values[var.0 as usize])
}

fn explore(program: &EventProgram, start: State, rounds: Option<usize>, result: &mut Possible) {
    let mut seen: HashSet<State> = HashSet::new();
    let mut stack = vec![start];
    let threads = program.threads.len();
    while let Some(mut state) = stack.pop() {
        pass_local(program, &mut state, result);
        if !seen.insert(state.clone()) {
            continue;
        }
        match rounds {
            None => {
                for thread in 0..threads {
                    step(program, &state, thread, result, &mut stack);
                }
            }
            Some(rounds) => {
                step(program, &state, state.slot % threads, result, &mut stack);
                if state.slot < rounds * threads {
                    stack.push(State {
                        slot: state.slot + 1,
                        ..state
                    });
                }
            }
        }
    }
}

/// Lets threads pass assertions and cuts that stand between their steps.
fn pass_local(program: &EventProgram, state: &mut State, result: &mut Possible) {
    for (index, thread) in program.threads.iter().enumerate() {
        while state.created[index]
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
    let events = &program.threads[ThreadId(thread as u32)].events;
    let first = state.next[thread];
    if !state.created[thread] || first >= events.len() {
        return;
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
    for &id in block {
        if !program.events[id].kind.is_visible() {
            look(program, &values, id, result);
        }
    }
    let mut after = run(program, state, block, &mut values, false);
    after.next[thread] = last;
    after.values = values;
    stack.push(after);
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
            values[var.0 as usize] = after.cells[cell];
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
                    after.cells[cell],
                    "a step reads the same again"
                );
            }
            EventKind::Write { value, targets, .. } => {
                let cell = cell_of(values, targets).expect("a write that happens has a target");
                after.cells[cell] = eval(program, values, *value);
            }
            EventKind::Create { child } => after.created[child.0 as usize] = true,
            EventKind::Join { targets, done } if tentative => {
                let ended = targets.iter().any(|&(target, when)| {
                    eval(program, values, when) != 0 && state.ended[target.0 as usize]
                });
                let var = program.terms.var_of(*done).expect("`done` is a variable");
                values[var.0 as usize] = u128::from(ended);
            }
            EventKind::End => after.ended[event.thread.0 as usize] = true,
            _ => {}
        }
    }
    after
}

/// Checks that an execution is one: events in program order, sections whole, values as memory has them, and
/// nothing left out. What is wrong is said in words.
pub fn replay(
    program: &EventProgram,
    order: &[EventId],
    target: EventId,
    values: &[u128],
) -> Result<(), String> {
    let value = |t: TermId| eval(program, values, t);
    let mut cells: Vec<u128> = program.cells.iter().map(|cell| value(cell.init)).collect();
    let mut next = vec![0; program.threads.len()];
    let mut created = vec![false; program.threads.len()];
    created[0] = true;
    let mut ended = vec![false; program.threads.len()];
    for (at, &id) in order.iter().enumerate() {
        let event = &program.events[id];
        let thread = event.thread.0 as usize;
        if !created[thread] {
            return Err(format!("event {} of a thread that is not there yet", id.0));
        }
        advance(program, values, event.thread, &mut next[thread], id)?;
        if value(event.guard) == 0 {
            return Err(format!("event {} does not happen", id.0));
        }
        if let Some(&before) = at.checked_sub(1).and_then(|before| order.get(before))
            && program.events[before].thread != event.thread
            && let Some(section) = program.events[before].section
            && order[at..]
                .iter()
                .any(|&id| program.events[id].section == Some(section))
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
        match &event.kind {
            EventKind::Read {
                value: variable,
                targets,
                ..
            } => {
                let cell = cell_of(targets)?;
                if cells[cell] != value(*variable) {
                    return Err(format!(
                        "event {} reads {}, not {}",
                        id.0,
                        value(*variable),
                        cells[cell]
                    ));
                }
            }
            EventKind::Write {
                value: stored,
                targets,
                ..
            } => {
                let cell = cell_of(targets)?;
                cells[cell] = value(*stored);
            }
            EventKind::Create { child } => created[child.0 as usize] = true,
            EventKind::Join { targets, done } => {
                let there = targets
                    .iter()
                    .any(|&(target, when)| value(when) != 0 && ended[target.0 as usize]);
                if value(*done) == 0 || !there {
                    return Err(format!("join {} of a running thread", id.0));
                }
            }
            EventKind::End => ended[thread] = true,
            _ => {}
        }
    }
    let event = &program.events[target];
    let thread = event.thread.0 as usize;
    if !created[thread] {
        return Err("the target's thread is not there".to_string());
    }
    advance(program, values, event.thread, &mut next[thread], target)?;
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

/// Moves a thread to an event; nothing that happens may be passed.
fn advance(
    program: &EventProgram,
    values: &[u128],
    thread: ThreadId,
    next: &mut usize,
    to: EventId,
) -> Result<(), String> {
    let events = &program.threads[thread].events;
    loop {
        let Some(&id) = events.get(*next) else {
            return Err(format!("event {} out of order", to.0));
        };
        *next += 1;
        if id == to {
            return Ok(());
        }
        let event = &program.events[id];
        let done = match event.kind {
            EventKind::Join { done, .. } => eval(program, values, done) != 0,
            _ => true,
        };
        if event.kind.is_visible() && done && eval(program, values, event.guard) != 0 {
            return Err(format!("event {} happens but was left out", id.0));
        }
    }
}
