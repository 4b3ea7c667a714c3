//! Facts about objects that only the end of a replay tells: how many the heap had, and which are where others were.

use super::Action;
use super::interpret::life::{Life, Lives};
use super::name::{Blocks, object_name};
use super::shape::{Shape, Sizes, View};
use super::sharing::Sharing;
use crate::base::Loc;
use crate::base::sorted::SortedSet;
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
    pub blocks: Blocks,
    /// Action to show at the allocation of an object that is where another one was.
    pub reused: HashMap<Origin, Action>,
    /// Threads that access memory.
    pub sharing: Sharing,
}

/// Facts that are known when all of these have been allocated, and blocks of the heap have been accessed in these ways.
pub fn learnt(
    program: &Program,
    sizes: Sizes,
    lives: &Lives,
    allocated: &[Allocated],
    views: &HashMap<Origin, SortedSet<View>>,
) -> FirstRun {
    let heap = allocated.iter().filter(|one| one.heap);
    let block = |(index, one): (usize, &Allocated)| {
        let size_bytes = lives.get(one.slot).map_or(0, |life| life.size_bytes);
        let views = views.get(&one.origin);
        let shape = views.map(|views| Shape::of(sizes, size_bytes, views));
        (one.origin, (index + 1, shape.unwrap_or_default()))
    };
    let blocks: Blocks = heap.enumerate().map(block).collect();
    let name = |life: &Life| object_name(program, &blocks, life.origin, life.label?);
    let reuse = |one: &Allocated| {
        let life = lives
            .get(one.slot)
            .filter(|life| life.origin == one.origin)?;
        let last = lives.predecessor(one.slot)?;
        let reuse = Action::Reuse {
            object: name(life)?,
            before: name(last)?,
            by: last.by?,
            freed: blocks.contains_key(&last.origin),
        };
        Some((one.origin, reuse))
    };
    let reused = allocated.iter().filter_map(reuse).collect();
    FirstRun {
        blocks,
        reused,
        sharing: Sharing::default(),
    }
}
