//! State at one point of an edge, and how two paths become one.

use super::automaton::{Key, Point, Stack};
use super::log::{self, Log};
use crate::base::sorted::SortedMap;
use crate::event::ThreadSet;
use crate::exec::Path;
use crate::ir::position::FramePath;
use crate::ir::{BlockId, FuncId};
use crate::term::{TermId, Terms};

/// An activation of a function.
#[derive(Clone)]
pub(super) struct Frame {
    pub function: FuncId,
    /// Number of the chain of calls that leads here.
    pub chain: u32,
    /// As the interpreter computes it, if no loop that is not unrolled is around a call.
    pub path: FramePath,
    pub block: BlockId,
    pub index: usize,
    /// Iterations of the loops around `block` that are unrolled; 0 for others.
    pub iterations: Vec<u32>,
    /// Values of registers; `None` where dead or never set.
    pub regs: Vec<Option<TermId>>,
}

/// One or several paths of an edge that have met.
#[derive(Clone)]
pub(super) struct EdgeState {
    pub path: Path,
    /// Outermost first, never empty.
    pub frames: Vec<Frame>,
    /// Depth of atomic sections.
    pub section: u32,
    /// Values of variables that are no registers, where they have changed.
    pub changed: SortedMap<Key, TermId>,
    /// Of main: threads that may run beside it.
    pub beside: ThreadSet,
    /// The edge has waited for a thread.
    pub joined: bool,
    /// Accesses of array objects.
    pub log: Log,
    /// Instructions that were executed, 32 bits.
    pub count: TermId,
    /// Something was written that others may see.
    pub wrote: bool,
    /// Nothing was executed.
    pub fresh: bool,
}

impl EdgeState {
    pub fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a thread has a frame")
    }

    pub fn top(&self) -> &Frame {
        self.frames.last().expect("a thread has a frame")
    }

    /// Position of the thread in code.
    pub fn stack(&self) -> Stack {
        let place = |f: &Frame| (f.function, f.block, f.index, f.iterations.clone());
        self.frames.iter().map(place).collect()
    }

    pub fn point(&self) -> Point {
        Point::Code(self.stack(), self.section)
    }

    /// One more instruction.
    pub fn tick(&mut self, terms: &mut Terms) {
        let one = terms.constant(1, 32);
        self.count = terms.add(self.count, one);
        self.fresh = false;
    }

    /// The state in which either path may be; both stand at the same point. `values` are those of variables before
    /// the edge.
    pub fn join(
        self,
        other: EdgeState,
        terms: &mut Terms,
        values: &SortedMap<Key, TermId>,
    ) -> EdgeState {
        let (path, mine) = self.path.join(terms, &other.path);
        let choose = |terms: &mut Terms, a: TermId, b: TermId| {
            if a == b { a } else { terms.ite(mine, a, b) }
        };
        let mut frames = self.frames;
        for (frame, theirs) in frames.iter_mut().zip(other.frames) {
            for (reg, theirs) in frame.regs.iter_mut().zip(theirs.regs) {
                *reg = match (*reg, theirs) {
                    (Some(a), Some(b)) => Some(choose(terms, a, b)),
                    (a, b) => a.or(b),
                };
            }
        }
        let mut changed = SortedMap::new();
        for key in self.changed.keys().chain(other.changed.keys()) {
            if changed.contains_key(key) {
                continue;
            }
            let before = values.get(key).copied();
            let a = self.changed.get(key).copied().or(before);
            let b = other.changed.get(key).copied().or(before);
            // The argument of a thread that only one path creates has no value before, and needs none.
            let chosen = match (a, b) {
                (Some(a), Some(b)) => choose(terms, a, b),
                (a, b) => a.or(b).expect("one of the two has changed it"),
            };
            changed.insert(key.clone(), chosen);
        }
        let count = choose(terms, self.count, other.count);
        let mut beside = self.beside;
        beside.union(&other.beside);
        let log = log::join(terms, mine, self.log, other.log);
        EdgeState {
            path,
            frames,
            section: self.section,
            changed,
            beside,
            joined: self.joined || other.joined,
            log,
            count,
            wrote: self.wrote || other.wrote,
            fresh: self.fresh && other.fresh,
        }
    }
}
