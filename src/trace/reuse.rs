//! Facts about objects that only the end of a replay tells: how many the heap had, and which are where others were.

use super::Action;
use super::interpret::life::{Life, Lives};
use super::name::{Numbers, object_name};
use crate::base::Loc;
use crate::event::{Origin, ThreadId};
use crate::ir::Program;
use crate::ir::address::Slot;
use hashbrown::HashMap;

/// An object that an instruction allocated.
pub struct Allocated {
    pub slot: Slot,
    pub origin: Origin,
    /// True if the object is on the heap.
    pub heap: bool,
    /// Thread and place of the allocation; `None` of a thread's own variables.
    pub made: Option<(ThreadId, Loc)>,
}

/// Facts about objects that a first run tells.
#[derive(Default)]
pub struct FirstRun {
    pub numbers: Numbers,
    /// Action to show at the allocation of an object that is where another one was.
    pub reused: HashMap<Origin, Action>,
}

impl FirstRun {
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty() && self.reused.is_empty()
    }
}

/// Facts that are known when all of these have been allocated.
pub fn learnt(program: &Program, lives: &Lives, allocated: &[Allocated]) -> FirstRun {
    let mut numbers = Numbers::new();
    let heap = allocated.iter().filter(|one| one.heap);
    numbers.extend(heap.enumerate().map(|(i, one)| (one.origin, i + 1)));
    let freed: Vec<Origin> = numbers.keys().copied().collect();
    if numbers.len() < 2 {
        numbers.clear();
    }
    let name = |life: &Life| Some(object_name(program, &numbers, life.origin, life.label?)?.0);
    let reuse = |one: &Allocated| {
        let life = lives
            .get(one.slot)
            .filter(|life| life.origin == one.origin)?;
        let last = lives.predecessor(one.slot)?;
        let reuse = Action::Reuse {
            object: name(life)?,
            before: name(last)?,
            by: last.by?,
            freed: freed.contains(&last.origin),
        };
        Some((one.origin, reuse))
    };
    let reused = allocated.iter().filter_map(reuse).collect();
    FirstRun { numbers, reused }
}
