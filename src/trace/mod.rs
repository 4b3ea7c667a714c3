//! From a solver's model to an execution that can be believed: a schedule, replayed by an interpreter
//! that knows the program but not the encoding.

pub mod deadlock;
pub mod decode;
pub mod enumerate;
pub mod faults;
pub mod guide;
pub mod interpret;
pub mod misaccess;
pub mod race;
pub mod replay;
pub mod tape;

mod name;
mod reuse;
mod shape;
mod sharing;
#[cfg(test)]
mod test;
mod value;

use crate::base::Loc;
use crate::base::sorted::SortedSet;
use crate::event::{MemoryModel, Origin, ThreadId};
use crate::ir::Property;
use crate::ir::address::{AddressSpace, Slot};
use crate::ir::position::PosKey;
use deadlock::{Awaited, Deadlock};
use hashbrown::{HashMap, HashSet};
use misaccess::{Involved, Misaccess};
use race::{Attempted, Race};
use tape::Tape;
pub use value::Value;

/// Schedule: an execution as a model gives it, in terms of the program alone.
#[derive(Clone, Debug)]
pub struct Schedule {
    pub space: AddressSpace,
    /// Thread instances: who creates each one, and at which position (`None` for main). Indexed by [`ThreadId`].
    pub threads: Vec<Option<(ThreadId, PosKey)>>,
    /// Steps, in order. Parts of one instruction (lock, read-modify-write) are one entry; so are several accesses of
    /// one instruction. The last entry is the violated assertion, or the instruction whose behaviour is undefined.
    pub steps: Vec<Move>,
    /// Memory model.
    pub memory_model: MemoryModel,
    /// All positions of each thread that the encoding knows as visible: a replay that meets one of them out
    /// of turn has diverged. Everything else is local and runs along.
    pub visible: Vec<HashSet<PosKey>>,
    /// Positions of each thread of steps that the encoding knows and that this execution comes to, whether they happen or not; none but where
    /// a deadlock is shown. There, a thread goes no further than to the next of these, through all else.
    pub kept: Vec<HashSet<PosKey>>,
    /// Threads that are blocked or have ended where a deadlock is shown: they go on to where they stand. If none is named, all do.
    pub blocked: SortedSet<ThreadId>,
    /// Steps within instructions that have several, ascending, by the thread and position of the instruction.
    pub parts: HashMap<(ThreadId, PosKey), Vec<u64>>,
    /// Values of inputs (0 where absent).
    pub inputs: HashMap<(ThreadId, PosKey), u128>,
    /// Initial bytes of uninitialised objects: (offset, value), by the position of their allocation.
    pub memory: HashMap<(ThreadId, PosKey), Vec<(u64, u8)>>,
    /// Slots of objects, so that addresses are the same numbers; fresh slots are given to others.
    pub slots: HashMap<Origin, Slot>,
    /// Slots that are in use and must not be given to others.
    pub used_slots: u32,
    /// Machine addresses of objects that somebody looks at; others get fresh ones.
    pub bases: HashMap<Origin, u64>,
    /// Of a data race: the other thread, and the position of its access. The last step is that before which the one thread stands;
    /// at the end, both accesses are next. (Of a deadlock, the last step is that before which a thread is blocked, or the head of the
    /// loop that it never leaves; those of the others that are blocked are no steps.)
    pub rival: Option<(ThreadId, PosKey)>,
    /// Property that is violated at the end.
    pub violation: Property,
    /// Place of the violation; of a block that is lost or not freed, that of its allocation.
    pub place: Loc,
}

/// A step of a schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// The thread performs its next visible step, which is at this instruction.
    Step(ThreadId, PosKey),
    /// The store that the thread issued at this instruction reaches memory.
    Commit(ThreadId, PosKey),
}

impl Move {
    /// Whose step it is, or whose store.
    pub fn thread(self) -> ThreadId {
        match self {
            Move::Step(thread, _) | Move::Commit(thread, _) => thread,
        }
    }
}

/// A replayed execution, ready to be rendered.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Threads, in the order of their numbers; the first is main.
    pub threads: Vec<TraceThread>,
    /// Steps of all threads, in the order in which they happen.
    pub steps: Vec<TraceStep>,
    /// The execution on one line.
    pub(crate) tape: Option<Box<Tape>>,
}

impl Trace {
    /// Property that is violated at the end.
    pub(crate) fn violation(&self) -> Option<Property> {
        match self.steps.last()?.action {
            Action::Violation { property, .. } => Some(property),
            _ => None,
        }
    }

    /// The execution on one line, by which it can be replayed.
    pub fn schedule(&self) -> Option<String> {
        self.tape.as_ref().map(|tape| tape.to_string())
    }

    /// Number of turns of threads in the execution as it stands on one line, if it does.
    pub fn turns(&self) -> Option<usize> {
        self.tape.as_ref().map(|tape| tape.turns())
    }

    /// Bits of its greatest input, as a number without sign; 0 where there is none.
    pub(crate) fn input_bits(&self) -> u16 {
        let inputs = self.tape.iter().flat_map(|tape| &tape.inputs);
        let bits = inputs.map(|input| u128::BITS - input.leading_zeros());
        bits.max().unwrap_or_default() as u16
    }

    /// Memory model of the execution as it stands on one line, if it does.
    pub(crate) fn memory(&self) -> Option<MemoryModel> {
        self.tape.as_ref().map(|tape| tape.memory)
    }

    /// The block at the end that is lost or not freed, if there is one.
    pub fn lost(&self) -> Option<&Involved> {
        match &self.steps.last()?.action {
            Action::Violation { lost, .. } => lost.as_deref(),
            _ => None,
        }
    }

    /// The invalid access at the end, if there is one.
    pub fn misaccess(&self) -> Option<&Misaccess> {
        match &self.steps.last()?.action {
            Action::Violation { access, .. } => access.as_deref(),
            _ => None,
        }
    }

    /// The data race at the end, if there is one.
    pub fn race(&self) -> Option<&Race> {
        match &self.steps.last()?.action {
            Action::Violation { race, .. } => race.as_deref(),
            _ => None,
        }
    }

    /// The deadlock at the end, if there is one.
    pub fn deadlock(&self) -> Option<&Deadlock> {
        match &self.steps.last()?.action {
            Action::Violation { deadlock, .. } => deadlock.as_deref(),
            _ => None,
        }
    }

    /// The same, to change.
    pub fn deadlock_mut(&mut self) -> Option<&mut Deadlock> {
        match &mut self.steps.last_mut()?.action {
            Action::Violation { deadlock, .. } => deadlock.as_deref_mut(),
            _ => None,
        }
    }
}

/// A thread of a trace.
#[derive(Clone, Debug)]
pub struct TraceThread {
    /// Name of its start routine.
    pub function: String,
    /// The call that creates it; `None` for main.
    pub created_at: Option<Loc>,
}

/// One step of a trace.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// The thread, by its place in [`Trace::threads`].
    pub thread: ThreadId,
    /// The place in the program.
    pub loc: Loc,
    /// Positions of the calls on the stack, outermost first.
    pub calls: Vec<Loc>,
    /// Function the step is in.
    pub function: String,
    /// Within an atomic section.
    pub atomic: bool,
    /// Action of the step.
    pub action: Action,
}

/// Writer of a value: the thread, and the place of its store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Writer {
    /// The thread.
    pub thread: ThreadId,
    /// The place.
    pub loc: Loc,
}

/// Source of what an operation on a block writes.
#[derive(Clone, Debug)]
pub enum CopySource {
    /// Content of a place; `None` if that was read in an earlier step.
    Place(Option<String>),
    /// The same byte everywhere.
    Byte(u8),
}

/// Action of a step of a trace.
#[derive(Clone, Debug)]
pub enum Action {
    /// A read of memory other threads can see.
    Read {
        /// Name of the place.
        place: String,
        /// The value.
        value: Value,
        /// Writer of the value, if it is another thread.
        from: Option<Writer>,
        /// True if nobody has written it in this execution.
        is_initial: bool,
        /// Private: true if no thread can change what is read.
        is_private: bool,
    },
    /// A write of memory other threads can see.
    Write {
        /// Name of the place.
        place: String,
        /// The value.
        value: Value,
    },
    /// A store that only its own thread can see so far.
    Issue {
        /// Name of the place.
        place: String,
        /// The value.
        value: Value,
    },
    /// An issued store has reached memory.
    Commit {
        /// Name of the place.
        place: String,
        /// The value.
        value: Value,
    },
    /// A read-modify-write: value before and after (equal if nothing was stored).
    Update {
        /// Name of the place.
        place: String,
        /// The value before.
        old: Value,
        /// The value after.
        new: Value,
        /// Writer of the value before, if it is another thread.
        from: Option<Writer>,
        /// The value that a compare-and-exchange compares with.
        expected: Option<Value>,
    },
    /// A named local changed.
    Local {
        /// Its name.
        name: String,
        /// The new value.
        value: Value,
        /// False of memory beyond local variables that nobody else can see: a block of the heap, or a global variable.
        is_variable: bool,
    },
    /// A free choice was made.
    Input {
        /// What it is, if it has a name: a part of an argument.
        name: Option<String>,
        /// The value.
        value: Value,
    },
    /// A thread is created.
    Create {
        /// The new thread.
        child: ThreadId,
        /// Name of its start routine.
        function: String,
        /// The argument of the start routine.
        argument: Value,
    },
    /// A function of the program is called.
    Call {
        /// Its name.
        function: String,
        /// Names and values of its parameters; a parameter may have no name.
        arguments: Vec<(String, Value)>,
    },
    /// A function of the program returns to its caller.
    Return {
        /// Its name.
        function: String,
        /// Its result, which somebody takes.
        result: Option<Value>,
    },
    /// A thread that has ended is joined.
    Join {
        /// The thread.
        child: ThreadId,
    },
    /// The thread ends.
    End,
    /// A lock is taken.
    Lock {
        /// Name of the lock.
        place: String,
    },
    /// A lock is tried.
    TryLock {
        /// Name of the lock.
        place: String,
        /// True if it was free.
        taken: bool,
    },
    /// A lock is released.
    Unlock {
        /// Name of the lock.
        place: String,
    },
    /// The thread begins to wait for a condition variable.
    Await {
        /// Name of the condition variable.
        place: String,
    },
    /// The thread no longer waits for a condition variable.
    Awake {
        /// Name of the condition variable.
        place: String,
        /// True if a signal or a broadcast has woken it.
        signalled: bool,
    },
    /// A condition variable is signalled.
    Signal {
        /// Name of the condition variable.
        place: String,
        /// True of a broadcast.
        all: bool,
        /// Threads that it wakes.
        woken: Vec<ThreadId>,
    },
    /// A lock is initialised.
    Initialise {
        /// Name of the lock.
        place: String,
    },
    /// A memory fence.
    Fence,
    /// An atomic section begins.
    AtomicBegin,
    /// An atomic section ends.
    AtomicEnd,
    /// Bytes are copied, or set; the part of the operation behind which another thread goes on.
    Copy {
        /// Place of the first byte, if one was written.
        to: Option<String>,
        /// Source of the bytes.
        source: CopySource,
        /// Number of bytes.
        bytes: u64,
        /// The value that was written, if it is a scalar.
        value: Option<Value>,
        /// Private: true if no other thread can see what is read or written.
        is_private: bool,
    },
    /// A block of the heap is allocated.
    Allocate {
        /// Its name.
        block: String,
        /// Its size.
        bytes: u64,
    },
    /// A block of the heap is freed.
    Free {
        /// Its name.
        block: String,
    },
    /// A new object is where another one was.
    Reuse {
        /// Name of the new object.
        object: String,
        /// Name of the other one.
        before: String,
        /// The thread that ended it.
        by: ThreadId,
        /// True if the other one was on the heap and so was freed; false if it ended with its scope.
        freed: bool,
    },
    /// An access that is next, where an execution ends with a data race.
    Attempt {
        /// Name of the place.
        place: String,
        /// What is about to be done.
        access: Attempted,
        /// The value that is there, or that is to be written, of a scalar.
        value: Option<Value>,
    },
    /// The thread is blocked for ever, where an execution ends with a deadlock.
    Blocked {
        /// What it waits for.
        awaited: Awaited,
    },
    /// The last step.
    Violation {
        /// Violated property.
        property: Property,
        /// The access, if it is one that is invalid.
        access: Option<Box<Misaccess>>,
        /// The block, if it is one that is lost or not freed.
        lost: Option<Box<Involved>>,
        /// Both accesses of a data race.
        race: Option<Box<Race>>,
        /// The threads that are blocked for ever.
        deadlock: Option<Box<Deadlock>>,
    },
}

impl Action {
    /// The same, of which it is known who wrote the value that is read, or that nobody did.
    fn written_by(mut self, (writer, nobody): (Option<Writer>, bool)) -> Action {
        match &mut self {
            Action::Read {
                from, is_initial, ..
            } => (*from, *is_initial) = (writer, nobody),
            Action::Update { from, .. } => *from = writer,
            _ => {}
        }
        self
    }
}
