//! Reuse of storage: whether two objects may have had the same place, one after the other.

use super::automaton::Stack;
use super::explore::Explorer;
use super::object::What;
use crate::base::sorted::SortedSet;
use crate::ir::address::Slot;
use crate::ir::{BlockId, FuncId};

impl Explorer<'_> {
    /// Disjoint storage: true if two objects never share a byte, whenever each of them lives.
    pub fn are_apart(&self, s: Slot, t: Slot) -> bool {
        !self.may_end_before(s, t) && !self.may_end_before(t, s) && !self.are_texts(s, t)
    }

    /// Reuse: true if the place of an object may become that of another one, or of a later one from the same place.
    pub fn comes_back(&self, s: Slot) -> bool {
        let all = 1..=self.knowledge.objects.len() as u32;
        all.map(Slot).any(|t| self.may_end_before(s, t))
    }

    /// String literals, which may share their bytes.
    fn are_texts(&self, s: Slot, t: Slot) -> bool {
        [s, t].into_iter().all(|slot| {
            let object = self.knowledge.object(slot);
            object.is_some_and(|object| match object.what {
                What::Global(id) => {
                    let name = &self.program.globals[id].name;
                    object.read_only && (name == "text" || name.starts_with('"'))
                }
                _ => false,
            })
        })
    }

    /// Order of lives: true if an object may have ended when another one came.
    fn may_end_before(&self, s: Slot, t: Slot) -> bool {
        let (Some(first), Some(second)) = (self.knowledge.object(s), self.knowledge.object(t))
        else {
            return true;
        };
        let (thread, came) = match &second.what {
            What::Global(_) | What::Function(_) | What::ThreadLocal(_, 0) => return false,
            What::ThreadLocal(_, thread) => (*thread, None),
            What::Stack { thread, at, .. } | What::Heap { thread, at, .. } => (*thread, Some(at)),
        };
        let with_thread = match first.what {
            What::Global(_) | What::Function(_) | What::ThreadLocal(_, 0) => return false,
            What::ThreadLocal(_, owner) => Some(owner),
            What::Stack { thread, .. } if thread != 0 => Some(thread),
            What::Stack { .. } | What::Heap { .. } => None,
        };
        // With its thread, which has begun before.
        if let Some(owner) = with_thread
            && (owner != thread || self.knowledge.is_many(thread))
            && self.may_act_before(owner, None, thread, came)
        {
            return true;
        }
        let ends = self.knowledge.ends.get(&s).into_iter().flatten();
        let mut ends = ends.map(|(thread, at)| (*thread, Some(at)));
        ends.any(|(ending, at)| self.may_act_before(ending, at, thread, came))
    }

    /// Order of threads: true if one may pass a place (any, if it is not known) before another one passes another
    /// place.
    fn may_act_before(
        &self,
        first: u32,
        place: Option<&Stack>,
        second: u32,
        later: Option<&Stack>,
    ) -> bool {
        let place = match (first == second, second) {
            (true, _) if self.knowledge.is_many(second) => return true,
            (true, _) => place,
            // Main comes first to where it creates the other thread.
            (false, 0) => self.creation(first),
            (false, _) => return true,
        };
        match (place, later) {
            (Some(place), Some(later)) => self.may_precede(place, later),
            _ => true,
        }
    }

    fn creation(&self, thread: u32) -> Option<&Stack> {
        let index = (thread as usize).checked_sub(1)?;
        Some(&self.knowledge.creations.get(index)?.at)
    }

    /// Order of places: true if a thread may pass one, and the other after that.
    fn may_precede(&self, place: &Stack, later: &Stack) -> bool {
        for ((function, block, index, _), (other, to, at, _)) in place.iter().zip(later) {
            if function != other || self.leads(*function, *block, *to) {
                return true;
            }
            if (block, index) != (to, at) {
                return block == to && index < at;
            }
        }
        true
    }

    /// Control flow: true if control may come from the end of a block to another one.
    fn leads(&self, function: FuncId, from: BlockId, to: BlockId) -> bool {
        let blocks = &self.program.functions[function].blocks;
        let (mut seen, mut stack) = (SortedSet::new(), blocks[from].end.successors());
        while let Some(block) = stack.pop() {
            if block == to {
                return true;
            }
            if seen.insert(block) {
                stack.extend(blocks[block].end.successors());
            }
        }
        false
    }
}
