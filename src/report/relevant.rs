//! Steps of a counterexample that are shown unless everything is asked for.
//!
//! Left out is what helps nobody to follow the execution: ends of threads, borders of atomic sections, fences, the library's notes of
//! which threads were joined, changes of locals on lines that touch nothing shared and that the violated line does not name, blocks of
//! the heap that no other step mentions.

use super::effect::effect;
use super::line::{Line, identifiers, line_of};
use crate::event::ThreadId;
use crate::ir::HANDLE_USES;
use crate::source::place::Places;
use crate::trace::{Action, Trace, TraceStep};
use std::collections::{BTreeMap, BTreeSet};

/// The steps worth showing, with their positions' order kept.
pub fn relevant<'a>(trace: &'a Trace, places: &dyn Places, all: bool) -> Vec<&'a TraceStep> {
    if all {
        return trace.steps.iter().collect();
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
        Action::Local { name, .. } if name.contains(".__") => false,
        Action::Local { name, .. }
        | Action::Copy {
            to: Some(name),
            is_private: true,
            ..
        } => named.contains(name.as_str()) || busy.contains(&(step.thread, line_of(step, places))),
        Action::Input { .. } | Action::Allocate { .. } => true,
        action => is_shared(action),
    };
    let mut steps: Vec<&TraceStep> = trace.steps.iter().filter(keep).collect();
    let mentioned = mentioned(&steps);
    steps.retain(|step| match &step.action {
        Action::Allocate { block, .. } | Action::Free { block } => mentioned.contains(block),
        _ => true,
    });
    gathered(steps)
}

/// Blocks of the heap that other steps mention than those that allocate and free them.
fn mentioned(steps: &[&TraceStep]) -> BTreeSet<String> {
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
fn gathered(steps: Vec<&TraceStep>) -> Vec<&TraceStep> {
    let mut anchors: BTreeMap<ThreadId, usize> = BTreeMap::new();
    let mut placed: Vec<(usize, &TraceStep)> = Vec::with_capacity(steps.len());
    for (index, step) in steps.into_iter().enumerate() {
        let anchor = match anchors.get(&step.thread) {
            Some(anchor) if !is_shared(&step.action) => *anchor,
            _ => index,
        };
        anchors.insert(step.thread, anchor);
        placed.push((anchor, step));
    }
    placed.sort_by_key(|(anchor, _)| *anchor);
    placed.into_iter().map(|(_, step)| step).collect()
}

/// Visibility of an action: true if other threads can notice it, or the verdict is about it.
pub fn is_shared(action: &Action) -> bool {
    match action {
        Action::Read { .. }
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
        | Action::Copy {
            is_private: true, ..
        }
        | Action::Input { .. }
        | Action::Allocate { .. }
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
