//! State of symbolic execution at one point of one path, and how two paths become one.

use super::memory::Memory;
use super::registers::Registers;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::{SectionId, ThreadId};
use crate::exec::Path;
use crate::ir::address::Slot;
use crate::term::{TermId, Terms};
use std::rc::Rc;

/// Addresses that have been accessed on every way to a place, so that each is inside an object there: the newest of them.
#[derive(Clone, Default)]
pub struct Accessed(Rc<Vec<TermId>>);

impl Accessed {
    /// Most addresses that are remembered.
    const MOST: usize = 32;

    /// Adds an address.
    pub fn add(&mut self, addr: TermId) {
        if self.has(addr) {
            return;
        }
        let all = Rc::make_mut(&mut self.0);
        if all.len() == Self::MOST {
            all.remove(0);
        }
        all.push(addr);
    }

    /// Membership: true if an address is one of them.
    pub fn has(&self, addr: TermId) -> bool {
        self.0.contains(&addr)
    }

    /// Those that have been accessed on two ways.
    pub fn common(&self, other: &Accessed) -> Accessed {
        if Rc::ptr_eq(&self.0, &other.0) {
            return self.clone();
        }
        let both = self.0.iter().filter(|addr| other.has(**addr));
        Accessed(Rc::new(both.copied().collect()))
    }
}

/// A path's state within one activation of a function.
#[derive(Clone)]
pub struct PathState {
    pub path: Path,
    pub regs: Registers,
    pub memory: Memory,
    /// Set if another thread may be running.
    pub concurrent: bool,
    /// The atomic section that the path is in, and how deeply nested.
    pub section: Option<(SectionId, u32)>,
    /// Atomic sections that may have ended on the way here, ascending.
    pub ended: Rc<Vec<SectionId>>,
    /// The section has not drained the thread's store buffers (yet).
    pub undrained: bool,
    pub accessed: Accessed,
    /// Objects that are no longer the thread's own, and those that are not if a condition holds; see [`super::escape`].
    pub escaped: Rc<SortedSet<Slot>>,
    pub escaping: Rc<SortedMap<Slot, TermId>>,
    /// Threads that may have been created and not joined.
    pub running: Rc<SortedSet<ThreadId>>,
    /// All others have ended, and none is created any more; see [`super::alone`].
    pub alone: bool,
}

impl PathState {
    /// State outside of any function, beside other threads, on a path that is always taken.
    pub fn outside(terms: &Terms) -> PathState {
        PathState {
            path: Path::always(terms),
            regs: Registers::default(),
            memory: Memory::default(),
            concurrent: true,
            section: None,
            ended: Rc::default(),
            undrained: false,
            accessed: Accessed::default(),
            escaped: Rc::default(),
            escaping: Rc::default(),
            running: Rc::default(),
            alone: false,
        }
    }
}
