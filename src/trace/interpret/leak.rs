//! Blocks of the heap that nothing points to: what is reachable from variables where the program ends.

use super::Interpreter;
use super::memory::LiveObject;
use super::state::{State, Status};
use super::word::Word;
use crate::base::Loc;
use crate::base::sorted::SortedSet;
use crate::event::{Origin, ThreadId};
use crate::ir::Property;
use crate::ir::address::Slot;

impl Interpreter<'_> {
    /// Blocks that violate a property where a thread ends the program, by slot: those that live ([`Property::Unfreed`]), or that
    /// nothing points to either ([`Property::Lost`]). If the thread `returns` from the program's first function, that one's
    /// variables are gone. Numbers that are machine addresses point to nothing here.
    pub(super) fn leaked(
        &self,
        state: &State,
        thread: ThreadId,
        property: Property,
        returns: bool,
    ) -> Vec<Slot> {
        if returns && (thread != ThreadId(0) || state.thread(thread).frames.len() > 1) {
            return Vec::new();
        }
        let blocks = state.memory.iter();
        let blocks = blocks.filter(|(_, object)| object.heap && object.made != Loc::NONE);
        let mut blocks: Vec<Slot> = blocks.map(|(slot, _)| slot).collect();
        if property == Property::Unfreed || blocks.is_empty() {
            return blocks;
        }
        let gone = |by: ThreadId| {
            let ended = |thread| matches!(state.thread(thread).status, Status::Ended(_));
            !state.exists(by) || ended(by) || returns && by == thread
        };
        let is_root = |object: &LiveObject| match object.origin {
            // What the library keeps for itself is nobody's to lose.
            _ if object.heap => object.made == Loc::NONE,
            Origin::Alloc(by, _) => !gone(by),
            _ => true,
        };
        let mut todo: Vec<Slot> = Vec::new();
        let mut reached: SortedSet<Slot> = SortedSet::new();
        for id in state.thread_ids().filter(|id| !gone(*id)) {
            for word in self.named_words(state, id) {
                todo.extend(self.pointed_to(word));
            }
        }
        let roots = state.memory.iter().filter(|(_, object)| is_root(object));
        for (slot, object) in roots {
            todo.extend(self.pointers_in(state, slot, object));
        }
        while let Some(slot) = todo.pop() {
            let Some(object) = state.memory.get(slot).filter(|object| object.heap) else {
                continue;
            };
            if reached.insert(slot) {
                todo.extend(self.pointers_in(state, slot, object));
            }
        }
        blocks.retain(|slot| !reached.contains(slot));
        blocks
    }

    /// Words of a thread that its variables hold which have registers, in all its frames, and what it has not stored yet.
    fn named_words(&self, state: &State, id: ThreadId) -> Vec<Word> {
        let thread = state.thread(id);
        let mut words: Vec<Word> = thread.buffer.iter().map(|entry| entry.value).collect();
        for frame in &thread.frames {
            let regs = self.function(frame).regs.iter_ids();
            let named = regs.filter(|(_, info)| info.name.is_some());
            words.extend(named.map(|(reg, _)| frame.word(reg)));
        }
        words
    }

    /// Objects that the addresses in an object point to.
    fn pointers_in(&self, state: &State, slot: Slot, object: &LiveObject) -> Vec<Slot> {
        let word = |offset: &usize| state.memory.word_at(self.space, slot, *offset);
        let slots = object.words.iter().map(word);
        slots.filter_map(|word| self.space.slot(word)).collect()
    }

    /// Objects that the addresses in a word point to.
    fn pointed_to(&self, word: Word) -> Vec<Slot> {
        let lane = |index| word.lane(index, self.space.pointer_bits).value as u64;
        let slots = word.marked().map(lane);
        slots
            .filter_map(|address| self.space.slot(address))
            .collect()
    }
}
