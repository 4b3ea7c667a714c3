//! A state of an execution: threads, memory, mutexes.

use super::copies::Copies;
use super::life::Lives;
use super::memory::{Bytes, Memory};
use super::word::Word;
use crate::base::id::Id;
use crate::base::sorted::SortedMap;
use crate::event::ThreadId;
use crate::ir::address::Slot;
use crate::ir::position::{FramePath, PosKey, position};
use crate::ir::{BlockId, FuncId, Note, Reg};
use std::rc::Rc;

/// A state between two instructions.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// By [`ThreadId`]; `None` for instances that have not been created (yet).
    pub threads: Vec<Option<Rc<Thread>>>,
    pub memory: Memory,
    /// Synchronisation words that are not 0, by address: the owner's id + 1.
    pub mutexes: SortedMap<u64, u64>,
    /// Notes on synchronisation objects that are not 0, by address, and by thread where each has its own.
    pub notes: SortedMap<(u64, Note, u32), u128>,
    /// Objects and their machine addresses.
    pub lives: Rc<Lives>,
    /// Sizes in bytes of blocks of the heap that have ended.
    pub freed: SortedMap<Slot, u64>,
    /// Copies: bytes that were copied from elsewhere.
    pub copies: Copies,
}

impl State {
    /// The thread, which must have been created.
    #[inline]
    pub fn thread(&self, id: ThreadId) -> &Thread {
        self.threads[id.0 as usize]
            .as_ref()
            .expect("a thread that exists")
    }

    /// The thread, to be changed.
    #[inline]
    pub fn thread_mut(&mut self, id: ThreadId) -> &mut Thread {
        Rc::make_mut(
            self.threads[id.0 as usize]
                .as_mut()
                .expect("a thread that exists"),
        )
    }

    /// A note, as a thread sees it.
    pub fn note(&self, address: u64, what: Note, thread: ThreadId) -> u128 {
        let key = note_key(address, what, thread);
        self.notes.get(&key).copied().unwrap_or(0)
    }

    /// Changes a note, as a thread sees it.
    pub fn set_note(&mut self, address: u64, what: Note, thread: ThreadId, value: u128) {
        let key = note_key(address, what, thread);
        match value {
            0 => self.notes.remove(&key),
            value => self.notes.insert(key, value),
        };
    }

    /// True if a thread with this id has been created.
    pub fn exists(&self, id: ThreadId) -> bool {
        self.threads.get(id.0 as usize).is_some_and(Option::is_some)
    }

    /// Ids of the threads that have been created, in order.
    pub fn thread_ids(&self) -> impl Iterator<Item = ThreadId> + '_ {
        let created = self
            .threads
            .iter()
            .enumerate()
            .filter(|(_, thread)| thread.is_some());
        created.map(|(i, _)| ThreadId(i as u32))
    }

    /// The innermost frame of a thread.
    #[inline]
    pub fn frame(&self, id: ThreadId) -> &Frame {
        self.thread(id).frames.last().expect("a thread has a frame")
    }

    /// The innermost frame of a thread, to be changed.
    pub fn frame_mut(&mut self, id: ThreadId) -> &mut Frame {
        self.thread_mut(id)
            .frames
            .last_mut()
            .expect("a thread has a frame")
    }
}

/// The place of a note: its thread counts where each has its own.
fn note_key(address: u64, what: Note, thread: ThreadId) -> (u64, Note, u32) {
    let own = match what {
        Note::Own => thread.0,
        _ => 0,
    };
    (address, what, own)
}

/// A thread instance.
#[derive(Clone, Debug)]
pub struct Thread {
    pub status: Status,
    /// Activations, outermost first; never empty.
    pub frames: Vec<Frame>,
    /// Atomic sections that have begun and not ended.
    pub section: u32,
    /// Stores that have not reached memory, in the order of their issue.
    pub buffer: Vec<Pending>,
    /// Release fences since the buffer was empty (PSO).
    pub fences: u32,
}

/// A store that has been issued and has not reached memory.
#[derive(Clone, Debug)]
pub struct Pending {
    pub address: u64,
    pub bits: u16,
    pub value: Word,
    /// The store's position.
    pub position: PosKey,
    /// All earlier stores reach memory before it.
    pub last: bool,
    /// Release fences before it; stores with fewer of them reach memory before it.
    pub fences: u32,
}

impl Pending {
    /// Release of storage: true if it is no store, but lets other threads have the storage of an object.
    pub fn is_release(&self) -> bool {
        self.bits == 0
    }

    /// The first address behind it.
    pub fn end(&self) -> u64 {
        self.address + u64::from(self.bits.div_ceil(8))
    }
}

/// Status of a thread, which says whether it can take steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// It takes steps unless its next instruction blocks.
    Running,
    /// It has ended with this result and can be joined.
    Ended(Word),
    /// It takes no further step and cannot be joined: a false assumption, a cut, a violation.
    Stopped,
    /// The same; it has ended the process.
    Exited,
    /// It was created beyond the bound on threads.
    NeverRuns,
}

/// An activation of a function.
#[derive(Clone, Debug)]
pub struct Frame {
    pub function: FuncId,
    pub block: BlockId,
    /// The next instruction, or the call that is being executed; the terminator follows the last.
    pub index: usize,
    pub regs: Vec<u128>,
    /// Marks of each register: the lanes that are internal addresses, see [`Word`].
    pub marks: Vec<u8>,
    /// Iteration numbers of the loops around `block`, outermost first.
    pub iterations: Vec<u32>,
    pub path: FramePath,
    /// The next step of an instruction that has several ([`PosKey::part`]), and what it keeps between them.
    pub part: u64,
    pub held: Rc<Held>,
}

/// State of an operation on a block, kept between its steps.
#[derive(Clone, Default, Debug)]
pub struct Held {
    /// The internal addresses that its operands have named, and its size.
    pub to: u128,
    pub from: u128,
    pub size: u64,
    /// Bytes that it has read and not written.
    pub bytes: Bytes,
}

impl Frame {
    /// Value of a register, with its marks.
    pub fn word(&self, reg: Reg) -> Word {
        Word {
            value: self.regs[reg.index()],
            marks: self.marks[reg.index()],
        }
    }

    /// Gives a register a value, which has its width.
    pub fn set(&mut self, reg: Reg, word: Word) {
        self.regs[reg.index()] = word.value;
        self.marks[reg.index()] = word.marks;
    }

    /// The position of the next instruction.
    #[inline]
    pub fn position(&self) -> PosKey {
        self.instruction().part(self.part)
    }

    /// The position of the next instruction's beginning.
    #[inline]
    pub fn instruction(&self) -> PosKey {
        position(self.path, self.block, self.index, &self.iterations)
    }
}
