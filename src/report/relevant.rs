//! Steps of a counterexample that are shown unless everything is asked for.
//!
//! Left out is what helps nobody to follow the execution: ends of threads, borders of atomic sections, fences, the library's notes of
//! which threads were joined, what it keeps in its own members, changes of locals on lines that touch nothing shared and that neither the
//! violated line nor that of a later write names, what another step tells as well, blocks of the heap that no other step mentions.

use super::effect::effect;
use super::line::{Line, identifiers, line_of};
use super::local;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::ThreadId;
use crate::ir::HANDLE_USES;
use crate::ir::ty::Reading;
use crate::source::place::Places;
use crate::trace::{Action, Trace, TraceStep};

/// A step that is shown.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub step: &'a TraceStep,
    /// Its index among the steps of the trace.
    pub index: usize,
    /// Steps of its thread before it that are not shown; 0 if they are few and tell nothing.
    pub omitted: usize,
}

/// The steps worth showing, with their positions' order kept.
pub fn relevant<'a>(trace: &'a Trace, places: &dyn Places, all: bool) -> Vec<Shown<'a>> {
    if all {
        let shown = |(index, step)| Shown {
            step,
            index,
            omitted: 0,
        };
        return trace.steps.iter().enumerate().map(shown).collect();
    }
    // What the violated line names, and the one that calls its function, which may be about nothing else.
    let last = trace.steps.last();
    let last = last
        .into_iter()
        .flat_map(|step| [Some(step.loc), step.calls.last().copied()]);
    let named: Vec<String> = last
        .flatten()
        .filter_map(|loc| places.line_text(loc))
        .collect();
    let named: SortedSet<&str> = named.iter().flat_map(|line| identifiers(line)).collect();
    // Lines at which a thread does something that others can notice.
    let busy: SortedSet<(ThreadId, Line)> = trace
        .steps
        .iter()
        .filter(|step| is_shared(&step.action) && !is_handle_use(&step.action))
        .map(|step| (step.thread, line_of(step, places)))
        .collect();
    let keep = |step: &&TraceStep| match &step.action {
        action if is_silent(action) => false,
        Action::Local { name, .. }
        | Action::Read {
            place: name,
            is_private: true,
            ..
        }
        | Action::Copy {
            to: Some(name),
            is_private: true,
            ..
        } => named.contains(name.as_str()) || busy.contains(&(step.thread, line_of(step, places))),
        Action::Input { .. } | Action::Allocate { .. } => true,
        action => is_shared(action),
    };
    let mut kept: Vec<bool> = trace.steps.iter().map(|step| keep(&step)).collect();
    let told = told_elsewhere(&trace.steps, places);
    let used = local::used(&trace.steps, &kept, places);
    for (index, kept) in kept.iter_mut().enumerate() {
        let is_silent = is_silent(&trace.steps[index].action);
        *kept = (*kept || used[index] && !is_silent) && !told[index];
    }
    let all = trace.steps.iter().zip(&kept);
    let mentioned = mentioned(all.filter(|(_, kept)| **kept).map(|(step, _)| step));
    for (step, kept) in trace.steps.iter().zip(&mut kept) {
        if let Action::Allocate { block, .. } | Action::Free { block } = &step.action {
            *kept &= mentioned.contains(block);
        }
    }
    add_calls(&trace.steps, &mut kept);
    // Steps that are left out, and whether they tell something.
    let mut omitted: SortedMap<ThreadId, (usize, bool)> = SortedMap::new();
    let mut steps = Vec::new();
    for (index, step) in trace.steps.iter().enumerate() {
        let before = omitted.entry(step.thread).or_default();
        if kept[index] {
            let (count, tells) = std::mem::take(before);
            let omitted = if tells || count >= FOLDED { count } else { 0 };
            steps.push(Shown {
                step,
                index,
                omitted,
            });
        } else if !told[index] && !is_silent(&step.action) {
            before.0 += 1;
            before.1 |= tells(&step.action);
        }
    }
    gathered(steps)
}

/// Steps in a row of which it is said that they are not shown, whatever they are.
pub const FOLDED: usize = 5;

/// True if an action tells something that is missed where it is not shown: a value that is read or assigned.
fn tells(action: &Action) -> bool {
    matches!(
        action,
        Action::Read { .. }
            | Action::Write { .. }
            | Action::Local { .. }
            | Action::Update { .. }
            | Action::Copy { .. }
            | Action::Input { .. }
    )
}

/// True if an action is never shown: what the library keeps, and what the names of places tell.
fn is_silent(action: &Action) -> bool {
    match action {
        action if is_handle_use(action) => true,
        // The names of places say what a pointer leads to.
        Action::Read {
            value,
            is_private: true,
            ..
        } if value.reading == Reading::Pointer => true,
        // What the library keeps in its own members (C11 7.1.3).
        Action::Local { name: place, .. }
        | Action::Read { place, .. }
        | Action::Write { place, .. } => place.contains(".__"),
        _ => false,
    }
}

/// Steps that others tell: where parameters get their values, which the call says, where an input or the result of a call is stored, and
/// where the handle of a new thread is.
fn told_elsewhere(steps: &[TraceStep], places: &dyn Places) -> Vec<bool> {
    let mut before: SortedMap<ThreadId, &TraceStep> = SortedMap::new();
    let mut told = vec![false; steps.len()];
    for (step, told) in steps.iter().zip(&mut told) {
        if let Action::Local { name, value, .. } | Action::Write { place: name, value } =
            &step.action
        {
            let before = before.get(&step.thread);
            let is_here = |before: &TraceStep| line_of(before, places) == line_of(step, places);
            match before.map(|before| (&before.action, *before)) {
                Some((Action::Call { arguments, .. }, _)) => {
                    *told = arguments.iter().any(|(argument, _)| argument == name);
                    continue;
                }
                Some((Action::Create { child, .. }, before)) => {
                    *told = is_here(before) && value.value == u128::from(child.0);
                }
                Some((
                    Action::Input { value: given, .. }
                    | Action::Return {
                        result: Some(given),
                        ..
                    },
                    before,
                )) if matches!(step.action, Action::Local { .. }) => {
                    *told = is_here(before) && value.value == given.value;
                }
                _ => {}
            }
        }
        before.insert(step.thread, step);
    }
    // That a thread begins to wait, where it is said that it waits.
    let mut waits: SortedMap<ThreadId, usize> = SortedMap::new();
    for (index, step) in steps.iter().enumerate() {
        match step.action {
            Action::Await { .. } => {
                waits.insert(step.thread, index);
            }
            Action::Awake { .. } => {
                waits.remove(&step.thread);
            }
            Action::Blocked { .. } => {
                if let Some(index) = waits.remove(&step.thread) {
                    told[index] = true;
                }
            }
            _ => {}
        }
    }
    told
}

/// Adds the calls within which something is shown, and their returns: those with a result, and others if something follows.
fn add_calls(steps: &[TraceStep], kept: &mut [bool]) {
    let mut open: SortedMap<ThreadId, Vec<usize>> = SortedMap::new();
    let mut last: SortedMap<ThreadId, usize> = SortedMap::new();
    for (index, step) in steps.iter().enumerate() {
        if kept[index] {
            last.insert(step.thread, index);
        }
    }
    for (index, step) in steps.iter().enumerate() {
        let open = open.entry(step.thread).or_default();
        match &step.action {
            Action::Call { .. } => open.push(index),
            Action::Return { result, .. } => {
                let call = open.pop();
                let follows = last.get(&step.thread).is_some_and(|last| *last > index);
                let is_worth = result.is_some() || follows;
                kept[index] = is_worth && call.is_some_and(|call| kept[call]);
            }
            _ if kept[index] => open.iter().for_each(|call| kept[*call] = true),
            _ => {}
        }
    }
}

/// Blocks of the heap that other steps mention than those that allocate and free them.
fn mentioned<'a>(steps: impl Iterator<Item = &'a TraceStep>) -> SortedSet<String> {
    let mut blocks = SortedSet::new();
    for step in steps {
        match &step.action {
            Action::Allocate { .. } | Action::Free { .. } => {}
            Action::Violation { access, lost, .. } => {
                let access = access.iter().filter_map(|access| access.object.as_ref());
                let involved = access.chain(lost.as_deref());
                blocks.extend(involved.map(|object| object.name.clone()));
            }
            action => {
                let text = effect(action);
                let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
                let words = text.split(|c: char| !is_part(c));
                blocks.extend(words.filter(|word| word.contains('#')).map(str::to_string));
            }
        }
    }
    blocks
}

/// Steps that only their own thread can notice move up to the thread's step before them: they commute with what
/// other threads do in between, and a switch less is easier to read.
fn gathered(steps: Vec<Shown>) -> Vec<Shown> {
    let mut anchors: SortedMap<ThreadId, usize> = SortedMap::new();
    let mut placed: Vec<(usize, Shown)> = Vec::with_capacity(steps.len());
    for (index, shown) in steps.into_iter().enumerate() {
        let step = shown.step;
        let anchor = match anchors.get(&step.thread) {
            Some(anchor) if !is_shared(&step.action) => *anchor,
            _ => index,
        };
        anchors.insert(step.thread, anchor);
        placed.push((anchor, shown));
    }
    placed.sort_by_key(|(anchor, _)| *anchor);
    placed.into_iter().map(|(_, shown)| shown).collect()
}

/// Visibility of an action: true if other threads can notice it, or the verdict is about it.
pub fn is_shared(action: &Action) -> bool {
    match action {
        Action::Read {
            is_private: false, ..
        }
        | Action::Write { .. }
        | Action::Issue { .. }
        | Action::Commit { .. }
        | Action::Update { .. }
        | Action::Copy {
            is_private: false, ..
        }
        | Action::Create { .. }
        | Action::Join { .. }
        | Action::Lock { .. }
        | Action::TryLock { .. }
        | Action::Unlock { .. }
        | Action::Await { .. }
        | Action::Awake { .. }
        | Action::Signal { .. }
        | Action::Initialise { .. }
        | Action::Reuse { .. }
        | Action::Free { .. }
        | Action::Attempt { .. }
        | Action::Blocked { .. }
        | Action::Violation { .. } => true,
        Action::Local { .. }
        | Action::Read {
            is_private: true, ..
        }
        | Action::Copy {
            is_private: true, ..
        }
        | Action::Input { .. }
        | Action::Allocate { .. }
        | Action::Call { .. }
        | Action::Return { .. }
        | Action::End
        | Action::Fence
        | Action::AtomicBegin
        | Action::AtomicEnd => false,
    }
}

/// Bookkeeping of handles: true if an action only looks after which threads were joined or detached, which no property
/// is about.
fn is_handle_use(action: &Action) -> bool {
    match action {
        Action::Read { place, .. } | Action::Write { place, .. } | Action::Update { place, .. } => {
            place.starts_with(HANDLE_USES)
        }
        // Only one thread joins.
        Action::Local { name, .. } => name.starts_with(HANDLE_USES),
        _ => false,
    }
}
