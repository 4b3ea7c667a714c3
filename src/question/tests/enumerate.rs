//! All executions of a small event program: what the encodings are compared with.

use super::machine::{Configuration, eval, may_commit, starts, take};
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::*;
use hashbrown::HashSet;

/// Assertions and cuts that some execution reaches or violates.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Possible {
    /// Assertions that can be violated.
    pub violated: SortedSet<EventId>,
    /// Assertions and cuts that can be reached.
    pub reached: SortedSet<EventId>,
}

/// Turns of all threads in the order of their numbers.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    /// Number of turns of each thread.
    rounds: usize,
    /// True if main has one more turn in the end.
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

/// Assertions and cuts that can be reached or violated, by enumeration; with `rounds`, within them.
pub fn possible(program: &EventProgram, rounds: Option<Rounds>) -> Possible {
    let result = possible_within(program, rounds, usize::MAX);
    result.expect("there is no limit")
}

/// The same; nothing if there are more than so many configurations.
pub fn possible_within(
    program: &EventProgram,
    rounds: Option<Rounds>,
    limit: usize,
) -> Option<Possible> {
    let mut result = Possible::default();
    let mut left = limit;
    for start in starts(program) {
        left = left.checked_sub(explore(program, (start, rounds), left, &mut result)?)?;
    }
    Some(result)
}

/// Explores what follows a configuration; the number of configurations, or nothing if it is greater than `limit`.
fn explore(
    program: &EventProgram,
    (start, rounds): (Configuration, Option<Rounds>),
    limit: usize,
    result: &mut Possible,
) -> Option<usize> {
    let mut seen: HashSet<Configuration> = HashSet::new();
    let mut stack = vec![start];
    let threads = program.threads.len();
    while let Some(mut state) = stack.pop() {
        let whose = rounds.map(|_| state.slot % threads);
        pass_local(program, &mut state, whose, result);
        if !seen.insert(state.clone()) {
            continue;
        }
        if seen.len() > limit {
            return None;
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
                    stack.push(Configuration {
                        slot: state.slot + 1,
                        ..state
                    });
                }
            }
        }
    }
    Some(seen.len())
}

/// Lets threads, or the one `whose` turn it is, pass assertions and cuts that stand between their steps.
pub(super) fn pass_local(
    program: &EventProgram,
    state: &mut Configuration,
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

pub(super) fn look(program: &EventProgram, values: &[u128], id: EventId, result: &mut Possible) {
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
    state: &Configuration,
    thread: usize,
    result: &mut Possible,
    stack: &mut Vec<Configuration>,
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
fn commits(
    program: &EventProgram,
    state: &Configuration,
    thread: usize,
    stack: &mut Vec<Configuration>,
) {
    for at in 0..state.buffers[thread].len() {
        if may_commit(program, &state.buffers[thread], at) {
            let mut next = state.clone();
            next.commit(thread, at);
            stack.push(next);
        }
    }
}

/// Measure of an execution: the quantity that is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Writes; those of main before it creates a thread do not count.
    Writes,
    /// Maximal blocks of one thread's steps that contain such a write.
    Contexts,
}

/// A state with the thread that made the last step, and whether its block has a write.
type Measured = (Configuration, usize, bool);

/// For each assertion that can be violated, the least that an execution needs up to there.
pub fn least(program: &EventProgram, measure: Measure) -> SortedMap<EventId, u32> {
    let mut least: SortedMap<EventId, u32> = SortedMap::new();
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
pub fn least_rounds(program: &EventProgram, most: u32) -> SortedMap<EventId, u32> {
    let threads = program.threads.len();
    let mut least: SortedMap<EventId, u32> = SortedMap::new();
    for start in starts(program) {
        // By slot. The turn of main that is last with r rounds is its first of round r + 1 with more.
        let mut open: Vec<Configuration> = vec![start];
        for slot in 0..=most as usize * threads {
            let thread = slot % threads;
            let rounds = slot.div_ceil(threads).max(1);
            let mut seen: HashSet<Configuration> = HashSet::new();
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
        let mut seen: HashSet<(Configuration, u32)> = HashSet::new();
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

fn note(least: &mut SortedMap<EventId, u32>, violated: &SortedSet<EventId>, count: usize) {
    for &event in violated {
        let known = least.entry(event).or_insert(u32::MAX);
        *known = (*known).min(count as u32);
    }
}
