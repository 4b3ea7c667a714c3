//! Steps of a counterexample that are shown unless everything is asked for.
//!
//! Left out is what helps nobody to follow the execution: ends of threads, borders of atomic sections, fences, the library's notes of
//! which threads were joined, what it keeps in its own members, changes of locals on lines that touch nothing shared and that the violated line does not name, blocks of
//! the heap that no other step mentions.

use super::effect::effect;
use super::line::{Line, identifiers, line_of};
use crate::event::ThreadId;
use crate::ir::HANDLE_USES;
use crate::ir::ty::Reading;
use crate::source::place::Places;
use crate::trace::{Action, Trace, TraceStep, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A step that is shown.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub step: &'a TraceStep,
    /// Steps of its thread before it that are not shown.
    pub omitted: usize,
}

/// The steps worth showing, with their positions' order kept.
pub fn relevant<'a>(trace: &'a Trace, places: &dyn Places, all: bool) -> Vec<Shown<'a>> {
    if all {
        let shown = |step| Shown { step, omitted: 0 };
        return trace.steps.iter().map(shown).collect();
    }
    let named = trace
        .steps
        .last()
        .and_then(|step| places.line_text(step.loc))
        .unwrap_or_default();
    let named: BTreeSet<&str> = identifiers(&named).collect();
    // Lines at which a thread does something that others can notice.
    let busy: BTreeSet<(ThreadId, Line)> = trace
        .steps
        .iter()
        .filter(|step| is_shared(&step.action) && !is_handle_use(&step.action))
        .map(|step| (step.thread, line_of(step, places)))
        .collect();
    let keep = |step: &&TraceStep| match &step.action {
        action if is_handle_use(action) => false,
        // What the library keeps in its own members (C11 7.1.3).
        Action::Local { name: place, .. }
        | Action::Read { place, .. }
        | Action::Write { place, .. }
            if place.contains(".__") =>
        {
            false
        }
        // The names of places say what it leads to.
        Action::Read {
            value,
            is_private: true,
            ..
        } if value.reading == Reading::Pointer => false,
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
    leave_out_parameters(&trace.steps, &mut kept);
    let all = trace.steps.iter().zip(&kept);
    let mentioned = mentioned(all.filter(|(_, kept)| **kept).map(|(step, _)| step));
    for (step, kept) in trace.steps.iter().zip(&mut kept) {
        if let Action::Allocate { block, .. } | Action::Free { block } = &step.action {
            *kept &= mentioned.contains(block);
        }
    }
    add_calls(&trace.steps, &mut kept);
    let mut omitted: BTreeMap<ThreadId, usize> = BTreeMap::new();
    let mut steps = Vec::new();
    for (step, kept) in trace.steps.iter().zip(kept) {
        let before = omitted.entry(step.thread).or_default();
        if kept {
            let omitted = std::mem::take(before);
            steps.push(Shown { step, omitted });
        } else {
            *before += 1;
        }
    }
    gathered(steps)
}

/// Leaves out where parameters get their values: the call says so.
fn leave_out_parameters(steps: &[TraceStep], kept: &mut [bool]) {
    let mut called: BTreeMap<ThreadId, &[(String, Value)]> = BTreeMap::new();
    for (step, kept) in steps.iter().zip(kept) {
        match &step.action {
            Action::Call { arguments, .. } => {
                called.insert(step.thread, arguments);
            }
            Action::Local { name, .. } | Action::Write { place: name, .. } => {
                let arguments = called.get(&step.thread).copied().unwrap_or_default();
                *kept &= !arguments.iter().any(|(argument, _)| argument == name);
            }
            _ => {
                called.remove(&step.thread);
            }
        }
    }
}

/// Adds the calls within which something is shown, and their results.
fn add_calls(steps: &[TraceStep], kept: &mut [bool]) {
    let mut open: BTreeMap<ThreadId, Vec<usize>> = BTreeMap::new();
    for (index, step) in steps.iter().enumerate() {
        let open = open.entry(step.thread).or_default();
        match &step.action {
            Action::Call { .. } => open.push(index),
            Action::Return { result, .. } => {
                let call = open.pop();
                kept[index] = result.is_some() && call.is_some_and(|call| kept[call]);
            }
            _ if kept[index] => open.iter().for_each(|call| kept[*call] = true),
            _ => {}
        }
    }
}

/// Blocks of the heap that other steps mention than those that allocate and free them.
fn mentioned<'a>(steps: impl Iterator<Item = &'a TraceStep>) -> BTreeSet<String> {
    let mut blocks = BTreeSet::new();
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
    let mut anchors: BTreeMap<ThreadId, usize> = BTreeMap::new();
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
