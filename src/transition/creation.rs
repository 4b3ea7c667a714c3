//! Creation of families of threads: where loops create them, and that their members keep their own objects for themselves.

use super::automaton::{Key, Refusal};
use super::explore::Explorer;
use super::family::Families;
use super::key::Owner;
use super::knowledge::Knowledge;
use super::object::What;
use super::state::{EdgeState, Frame};
use crate::base::sorted::SortedSet;
use crate::event::ThreadId;
use crate::ir::address::Slot;
use crate::ir::{BlockId, FuncId};
use crate::term::TermId;
use crate::transition::faults::{self, Fault};

/// Threads that a loop may create before they are a family.
const FEW: u32 = 8;

impl Knowledge {
    /// Knowledge of nothing but the loops that create families, if there are new ones.
    pub fn begins_anew(&mut self) -> Option<Families> {
        let families = self.families.as_mut()?;
        families.is_news.then(|| Families {
            heads: std::mem::take(&mut families.heads),
            is_news: false,
        })
    }

    /// Family: true if the thread stands for any number of threads.
    pub fn is_many(&self, thread: u32) -> bool {
        let index = (thread as usize).checked_sub(1);
        index.is_some_and(|index| self.creations.get(index).is_some_and(|c| c.many))
    }

    /// Own object: true if a variable belongs to an object that a thread has for itself alone.
    pub fn is_owner(&self, key: &Key, thread: u32) -> bool {
        match key.owner() {
            Owner::Thread(_) => true,
            Owner::Slot(slot) => self.owns(slot, thread),
        }
    }

    fn owns(&self, slot: Slot, thread: u32) -> bool {
        self.object(slot).is_some_and(|object| match object.what {
            What::ThreadLocal(_, owner)
            | What::Stack { thread: owner, .. }
            | What::Heap { thread: owner, .. } => owner == thread,
            What::Global(_) | What::Function(_) => false,
        })
    }

    /// Families with the objects that their members have for themselves.
    ///
    /// # Errors
    /// A member hands on the address of one.
    pub fn families(&self) -> Result<Vec<(ThreadId, Vec<Slot>)>, Refusal> {
        let mut families = Vec::new();
        for (index, creation) in self.creations.iter().enumerate() {
            if !creation.many {
                continue;
            }
            let thread = index as u32 + 1;
            let slots = (1..=self.objects.len() as u32).map(Slot);
            let own: Vec<Slot> = slots.filter(|slot| self.owns(*slot, thread)).collect();
            if self.hands_on(thread, &own) && !faults::on(Fault::FamilyHandsOn) {
                return Err(Refusal::HandedOn(creation.loc));
            }
            families.push((ThreadId(thread), own));
        }
        Ok(families)
    }

    /// Escape: true if something beside a thread's registers and own objects may hold an address of one of these.
    fn hands_on(&self, thread: u32, own: &[Slot]) -> bool {
        let holds = |objects: &SortedSet<Slot>| own.iter().any(|slot| objects.contains(slot));
        let words = self.words.iter().flat_map(|(slot, words)| {
            let words = words.values();
            words.map(|objects| (*slot, objects))
        });
        let anywhere = self.arrays.anywhere.iter();
        let mut memory = words.chain(anywhere.map(|(slot, objects)| (*slot, objects)));
        let keeps = |key: &Key| match key {
            Key::Register { thread: of, .. } | Key::Distance { thread: of, .. } => *of == thread,
            _ => false,
        };
        memory.any(|(slot, objects)| !own.contains(&slot) && holds(objects))
            || self
                .held()
                .any(|(key, objects)| !keeps(key) && holds(objects))
    }
}

impl Explorer<'_> {
    /// Loops around the place of a state.
    fn loops_around(&self, state: &EdgeState) -> Vec<(FuncId, BlockId)> {
        let of_frame = |frame: &Frame| {
            let function = frame.function;
            let heads = &self.facts.functions[function].loops.nest[frame.block];
            heads
                .iter()
                .map(move |head| (function, *head))
                .collect::<Vec<_>>()
        };
        state.frames.iter().flat_map(of_frame).collect()
    }

    /// Creation of a family: true if a loop around the place of a state creates threads without number. Where loops are not
    /// known as such and it is `needed`, all are, and exploration begins anew.
    pub fn creates_family(&mut self, state: &EdgeState, needed: bool) -> bool {
        if self.knowledge.families.is_none() {
            return false;
        }
        let around = self.loops_around(state);
        let Some(families) = &mut self.knowledge.families else {
            return false;
        };
        let is_known = around.iter().any(|head| families.heads.contains(head));
        if !is_known && needed && !around.is_empty() {
            families.heads.extend(around);
            families.is_news = true;
        }
        is_known
    }

    /// Family loop: true if a loop creates threads without number, as one does that creates and has had more than a few
    /// iterations.
    pub fn is_family_loop(&mut self, function: FuncId, head: BlockId, iteration: u32) -> bool {
        if self.knowledge.families.is_none() {
            return false;
        }
        let creates = iteration > FEW && self.creates_in(function, head);
        let Some(families) = &mut self.knowledge.families else {
            return false;
        };
        if creates && families.heads.insert((function, head)) {
            families.is_news = true;
        }
        families.heads.contains(&(function, head))
    }

    /// Handle of a member of a family: a number that none of the threads that are told apart has.
    pub fn member_handle(&mut self, state: &EdgeState, bits: u16) -> TermId {
        let any = self.input(state, bits, None);
        let mark = self.terms.constant(1 << mark_of(bits), bits);
        let low = self.terms.constant((1 << mark_of(bits)) - 1, bits);
        let any = self.terms.and(any, low);
        self.terms.or(any, mark)
    }

    /// Condition that a handle is that of a member of a family.
    pub fn is_member(&mut self, handle: TermId) -> TermId {
        let mut creations = self.knowledge.creations.iter();
        if !creations.any(|creation| creation.many) {
            return self.terms.fals();
        }
        let mark = mark_of(self.terms.bits(handle));
        self.terms.extract(handle, mark, 1)
    }
}

/// The bit that the handles of members have, and those of threads that are told apart have not.
fn mark_of(bits: u16) -> u16 {
    bits - 2
}
