//! Pointers in relation to objects, alive or not.

use super::Interpreter;
use super::state::State;
use super::word::Word;
use crate::event::ThreadId;
use crate::ir::PointerCheck;

impl Interpreter<'_> {
    /// Relation of pointers: true if they are as an operation asks for. A number may be anywhere.
    pub(super) fn relates(&mut self, state: &State, thread: ThreadId, check: PointerCheck) -> bool {
        let operands = check.operands().into_iter();
        let words: Vec<Word> = operands
            .map(|operand| self.word(state, thread, operand))
            .collect();
        match (check, &words[..]) {
            (PointerCheck::Within(_), [addr]) => self.is_inside_or_behind(state, *addr),
            (PointerCheck::Same(..), [left, right]) => self.in_one(*left, *right).unwrap_or(true),
            (PointerCheck::Apart { .. }, [to, from, size]) => {
                let distance = to.value.abs_diff(from.value);
                let is_near = distance != 0 && distance < size.value;
                !(is_near && self.in_one(*to, *from) == Some(true))
            }
            _ => true,
        }
    }

    fn is_inside_or_behind(&self, state: &State, addr: Word) -> bool {
        let address = addr.value as u64;
        let slot = self.space.slot(address).filter(|_| !addr.is_number());
        let Some(size) = slot.and_then(|slot| state.memory.size(slot)) else {
            return true;
        };
        // An object without bytes takes one.
        let offset = self.space.offset(address);
        offset.is_some_and(|offset| offset <= size.max(1))
    }

    /// Whether both are addresses in one object; `None` unless both are addresses.
    fn in_one(&self, left: Word, right: Word) -> Option<bool> {
        let slot = |word: Word| self.space.slot(word.value as u64);
        let are_addresses = !left.is_number() && !right.is_number();
        are_addresses.then(|| slot(left) == slot(right))
    }
}
