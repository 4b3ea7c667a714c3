//! Data races: what the next instruction of a thread attempts to access in a state, and which attempts conflict.
//!
//! A race is a reachable state in which the next instructions of two threads attempt overlapping bytes, at least one of them
//! a write, and are not both atomic. Instructions of one atomic section are atomic for those of another, but for nobody
//! else. What is attempted follows from the request, the address and the width: it counts whether or not the access is
//! valid and the section that it is in comes to its end. Where a thread is created, its id is written, wherever the program has
//! that stored; the store itself, behind the creation, is no attempt. Addresses that never were in an object are nobody's memory.
//!
//! A bit-field is one memory location with those adjacent to it. An operation on a block attempts all its bytes where it begins; `free` writes the whole object, also one that was freed
//! before. Locks, creation and end of
//! threads, allocation and the end of a scope are no accesses, and neither is what operations of synchronisation objects do in
//! the library's models.

use super::Interpreter;
use super::lookup::Next;
use super::state::{State, Status};
use super::watch::Watch;
use super::word::Word;
use crate::event::ThreadId;
use crate::ir::{self, BlockSource, InstrKind, Operand};
use hashbrown::HashSet;

/// Access that a thread is about to perform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Its first byte, an internal address.
    pub address: u64,
    /// Number of bytes, at least 1.
    pub bytes: u64,
    pub write: bool,
    /// Atomic by itself.
    pub atomic: bool,
    /// Within an atomic section.
    pub section: bool,
}

impl Attempt {
    /// Conflict of attempts of two threads: true if they race.
    pub fn conflicts(&self, other: &Attempt) -> bool {
        let end = |one: &Attempt| one.address.saturating_add(one.bytes);
        let overlap = self.address < end(other) && other.address < end(self);
        let apart = self.atomic && other.atomic || self.section && other.section;
        overlap && (self.write || other.write) && !apart
    }
}

impl Interpreter<'_> {
    /// Accesses that the next instruction of a thread attempts.
    pub fn attempts(&mut self, state: &State, thread: ThreadId) -> Vec<Attempt> {
        let Next::Instr(instr) = self.next(state, thread).0 else {
            return Vec::new();
        };
        if state.thread(thread).status != Status::Running || self.synchronises(state, thread) {
            return Vec::new();
        }
        let (read, write) = (false, true);
        let width = |operand: Operand| {
            let bits = self.bits(state.frame(thread).function, operand);
            u128::from(bits.div_ceil(8))
        };
        let requests = match instr {
            InstrKind::Load { dst, addr, access } => {
                let bytes = width(Operand::Reg(*dst));
                vec![(*addr, bytes, read, access.order.is_some())]
            }
            InstrKind::Store {
                addr,
                value,
                access,
            } if !access.of_creation => {
                vec![(*addr, width(*value), write, access.order.is_some())]
            }
            InstrKind::Spawn {
                dst,
                id_at: Some(addr),
                ..
            } => vec![(*addr, width(Operand::Reg(*dst)), write, false)],
            InstrKind::Rmw { dst, addr, .. } | InstrKind::CmpXchg { dst, addr, .. } => {
                vec![(*addr, width(Operand::Reg(*dst)), write, true)]
            }
            InstrKind::Block {
                to,
                source,
                size_bytes,
                ..
            } if state.frame(thread).part == 0 => {
                let size = self.value(state, thread, *size_bytes);
                let mut both = vec![(*to, size, write, false)];
                if let BlockSource::Copy { from, .. } = source {
                    both.push((*from, size, read, false));
                }
                both
            }
            InstrKind::Free { addr } => {
                let word = self.word(state, thread, *addr);
                let size = self.size_at(state, word);
                vec![(*addr, size, write, false)]
            }
            _ => return Vec::new(),
        };
        let (before, behind) = match instr {
            InstrKind::Load { access, .. } | InstrKind::Store { access, .. } => access.beside,
            _ => (0, 0),
        };
        let section = state.thread(thread).section > 0;
        let requests = requests.into_iter().filter(|(_, bytes, ..)| *bytes > 0);
        let attempts = requests.filter_map(|(addr, bytes, write, atomic)| {
            let word = self.word(state, thread, addr);
            Some(Attempt {
                address: self.location(state, word)?.wrapping_sub(before.into()),
                bytes: u64::try_from(bytes + u128::from(before) + u128::from(behind))
                    .unwrap_or(u64::MAX),
                write,
                atomic,
                section,
            })
        });
        attempts.collect()
    }

    /// True if an attempt of its thread may race: others may have the address of what it accesses, or the object has ended.
    pub fn may_race(&self, state: &State, attempt: &Attempt) -> bool {
        let object = self.object(state, u128::from(attempt.address));
        object.is_none_or(|(_, _, object)| object.escaped)
    }

    /// Noticed steps: true if others may notice the next instruction of a thread, wherever objects stand; with `races`, also if its access
    /// may race.
    pub fn is_noticed(&mut self, state: &State, thread: ThreadId, races: bool) -> bool {
        let watch = std::mem::replace(&mut self.watch, Watch::Only(HashSet::new()));
        let is_visible = self.is_visible(state, thread);
        self.watch = watch;
        let attempts = match races && !is_visible {
            true => self.attempts(state, thread),
            false => Vec::new(),
        };
        is_visible || attempts.iter().any(|one| self.may_race(state, one))
    }

    /// True if a thread is in an operation of a synchronisation object: in a model of one, or in another model that it called.
    fn synchronises(&self, state: &State, thread: ThreadId) -> bool {
        let frames = state.thread(thread).frames.iter().rev();
        let origins = frames.map(|frame| self.function(frame).origin);
        let mut models = origins.take_while(|origin| *origin != ir::Origin::Program);
        models.any(|origin| origin == ir::Origin::Model { synchronises: true })
    }

    /// The internal address that a word names, if it is in an object or where one was.
    fn location(&self, state: &State, word: Word) -> Option<u64> {
        let address = self.known(state, word)?;
        let slot = self.slot_of(address)?;
        let is_object = self.origins.contains_key(&slot) && !self.is_function(slot);
        is_object.then_some(address as u64)
    }

    /// Size in bytes of the object that starts where a word says, or of the block of the heap that did; 0 if there is none.
    fn size_at(&self, state: &State, word: Word) -> u128 {
        let address = self.known(state, word).unwrap_or(0);
        let slot = self.slot_of(address);
        let Some(slot) = slot.filter(|slot| address == u128::from(self.space.base(*slot))) else {
            return 0;
        };
        match state.memory.get(slot) {
            Some(object) => object.bytes.len() as u128,
            None => state.freed.get(&slot).copied().unwrap_or(0).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_conflict_if_bytes_overlap_and_one_writes_and_not_both_are_atomic() {
        let read = |address, bytes| Attempt {
            address,
            bytes,
            write: false,
            atomic: false,
            section: false,
        };
        let write = |address, bytes| Attempt {
            write: true,
            ..read(address, bytes)
        };
        let atomic = |one| Attempt {
            atomic: true,
            ..one
        };
        let within = |one| Attempt {
            section: true,
            ..one
        };
        let cases = [
            (write(8, 4), write(8, 4), true),
            (write(8, 4), read(11, 1), true),
            (write(8, 4), read(12, 1), false),
            (read(8, 4), read(8, 4), false),
            (read(8, 8), write(12, 2), true),
            (atomic(write(8, 4)), atomic(read(8, 4)), false),
            (atomic(write(8, 4)), read(8, 4), true),
            (within(write(8, 4)), within(read(8, 4)), false),
            (within(write(8, 4)), read(8, 4), true),
            (within(write(8, 4)), atomic(read(8, 4)), true),
        ];
        for (one, other, expected) in cases {
            assert_eq!(one.conflicts(&other), expected, "{one:?} {other:?}");
            assert_eq!(other.conflicts(&one), expected, "{other:?} {one:?}");
        }
    }
}
