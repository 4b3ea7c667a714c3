//! Memory models: what a store, a fence and every other operation mean for the store buffers of their thread.
//!
//! Under TSO, each thread has one queue of issued stores, which reach memory in their order; under PSO, each thread
//! has a queue for each address. A load takes the newest store of its own thread to its address that has not reached
//! memory, and otherwise what is there. The table of C11's orders is [`MemoryModel::store`] and
//! [`MemoryModel::fence`]:
//!
//! | | TSO | PSO | why |
//! |---|---|---|---|
//! | plain, relaxed store | buffered | buffered | the models themselves |
//! | release store | buffered | buffered, after all earlier stores | TSO keeps stores in order anyway. Under PSO, what was written before a release must not appear after it, but nothing has to wait for it: an order and no drain |
//! | `seq_cst` store | drains, itself included | the same | it may not be overtaken by a later `seq_cst` load, and both models let loads overtake buffered stores: what compilers for these machines emit is a store and a full fence |
//! | load of any order | nothing | nothing | loads are executed in program order and see one memory |
//! | relaxed, acquire fence | nothing | nothing | the same |
//! | release, acq_rel fence | nothing | later stores after earlier ones | as a release store, for all that follow |
//! | `seq_cst` fence | drains | drains | a full fence |
//! | read-modify-write of any order | drains | drains | it holds the memory system alone, like a locked instruction, whether it stores something or not |
//! | lock, unlock, try-lock that succeeds | drains | drains | made of read-modify-writes or full fences; without it at an unlock, PSO would let data of a critical section appear after it |
//! | try-lock that fails | nothing | nothing | POSIX leaves open whether an operation that reports an error synchronises memory, C11 says that it does not, and a lock that is seen to be held needs no read-modify-write |
//! | begin and end of an atomic section | drains | drains | it is one step of memory |
//! | operation of the library on a semaphore, barrier, … | drains if it changes the object | the same | as for locks; `library/sync.rs` lists them all |
//! | creation, end of a thread | drains | drains | what the creator did is visible to the new thread, and what a thread did to who joins it |

use crate::ir::MemOrder;

/// Memory model: sequential consistency, or store buffers of one of two kinds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum MemoryModel {
    /// Sequential consistency: a store is in memory at once.
    #[default]
    Sc,
    /// Total store order: one store buffer for each thread.
    Tso,
    /// Partial store order: one store buffer for each thread and address.
    Pso,
}

/// Path of a store to memory: at once, or through a store buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Store {
    /// At once; its thread's buffers are empty then.
    Direct,
    /// Through the buffer; `last`: after all earlier stores of its thread.
    Buffered {
        /// True if all earlier stores of the thread reach memory before it.
        last: bool,
    },
}

/// Effect of a fence on the store buffers of its thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Barrier {
    /// Nothing.
    None,
    /// Later stores of the thread reach memory after earlier ones.
    Order,
    /// Earlier stores have reached memory.
    Drain,
}

impl MemoryModel {
    /// All of them, the strongest first.
    pub const ALL: [MemoryModel; 3] = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            MemoryModel::Sc => "sc",
            MemoryModel::Tso => "tso",
            MemoryModel::Pso => "pso",
        }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            MemoryModel::Sc => "sequential consistency",
            MemoryModel::Tso => "total store order (TSO)",
            MemoryModel::Pso => "partial store order (PSO)",
        }
    }

    /// What it says of stores, in a line.
    pub(crate) fn about(self) -> &'static str {
        match self {
            MemoryModel::Sc => "a store is in memory at once, and all threads see one order",
            MemoryModel::Tso => {
                "a store waits in a buffer of its thread, which alone sees it there; buffers are emptied in the order of the stores (x86)"
            }
            MemoryModel::Pso => {
                "the same, but only stores to one address keep their order, so that a thread's writes to different places may be seen swapped"
            }
        }
    }

    /// Weak memory: true if there are store buffers.
    pub fn is_weak(self) -> bool {
        self != MemoryModel::Sc
    }

    /// Order of buffers: true if the stores of a thread reach memory in the order in which they were issued, whatever
    /// variables they write; false if only those of one variable do.
    pub(crate) fn keeps_store_order(self) -> bool {
        self != MemoryModel::Pso
    }

    /// Path to memory of a store of this C11 order (`None`: plain) outside of atomic sections.
    pub(crate) fn store(self, order: Option<MemOrder>) -> Store {
        match (self, order) {
            (MemoryModel::Sc, _) | (_, Some(MemOrder::SeqCst)) => Store::Direct,
            (MemoryModel::Pso, Some(MemOrder::Release | MemOrder::AcqRel)) => {
                Store::Buffered { last: true }
            }
            _ => Store::Buffered { last: false },
        }
    }

    /// Effect of a fence of this C11 order on the store buffers.
    pub(crate) fn fence(self, order: MemOrder) -> Barrier {
        match (self, order) {
            (MemoryModel::Sc, _) => Barrier::None,
            (_, MemOrder::SeqCst) => Barrier::Drain,
            (MemoryModel::Pso, MemOrder::Release | MemOrder::AcqRel) => Barrier::Order,
            _ => Barrier::None,
        }
    }
}
