//! Instructions, with their memory orders and the kinds of errors.

use super::operand::{FuncId, Operand, Operands, Reg};
use super::rvalue::{RmwOp, Rvalue};
use super::ty;
use crate::base::{DataModel, Loc};
use smallvec::smallvec;

/// One instruction.
#[derive(Clone, Debug)]
pub struct Instr {
    pub kind: InstrKind,
    pub loc: Loc,
}

/// Memory order, volatility and alignment of an instruction's memory access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// `None` for a plain access, otherwise the C11 order of an atomic one.
    pub order: Option<MemOrder>,
    pub volatile: bool,
    /// Alignment of the address in bytes, a power of two; the access is undefined elsewhere.
    pub align_bytes: u8,
    /// Of a load: it is undefined if no byte that it reads has ever been written.
    pub needs_value: bool,
    /// Of a bit-field: bytes before and behind that are in the same memory location (C11 3.14), those of adjacent bit-fields.
    pub beside: (u16, u16),
    /// End of the expression in the text that makes the access; [`Loc::NONE`] if none does.
    pub end: Loc,
    /// Of the store of a new thread's number: data races know it where the thread is created, as [`InstrKind::Spawn`] says.
    pub of_creation: bool,
}

impl Access {
    /// An ordinary access at any address.
    pub const PLAIN: Access = Access {
        order: None,
        volatile: false,
        align_bytes: 1,
        needs_value: false,
        beside: (0, 0),
        end: Loc::NONE,
        of_creation: false,
    };
}

/// Alignment of the address of an atomic read-modify-write of so many bits, in bytes.
pub fn update_align_bytes(model: DataModel, bits: u16) -> u8 {
    (bits / 8).min(model.pointer_bits() / 8) as u8
}

/// C11 memory orders (`consume` is read as `acquire`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemOrder {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// Error number that an attempt to take a mutex that is held returns, as on Linux.
pub const EBUSY: u128 = 16;

/// Alignment of the addresses that `malloc` returns, in bytes (glibc, x86).
pub const ALLOCATION_ALIGN_BYTES: u128 = 16;

/// The library's object that holds which threads were joined or detached, as reports call it.
pub const HANDLE_USES: &str = "threads joined or detached";

/// Instructions. Every one that touches memory or another thread is a step of its own (ARCHITECTURE.md, "What an execution
/// is").
#[derive(Clone, Debug)]
pub enum InstrKind {
    /// `dst = value`; pure.
    Assign {
        dst: Reg,
        value: Rvalue,
    },
    /// `dst = *addr`, `bits` wide (a multiple of 8).
    Load {
        dst: Reg,
        addr: Operand,
        access: Access,
    },
    /// `*addr = value`.
    Store {
        addr: Operand,
        value: Operand,
        access: Access,
    },
    /// `old = *addr; *addr = op(old, operand)` in one step; `dst` receives `old`.
    Rmw {
        dst: Reg,
        addr: Operand,
        op: RmwOp,
        operand: Operand,
        order: MemOrder,
    },
    /// `old = *addr; if (old == expected) *addr = desired` in one step; `dst` receives `old`.
    /// (Success is `old == expected`; a weak exchange does not fail spuriously.)
    CmpXchg {
        dst: Reg,
        addr: Operand,
        expected: Operand,
        desired: Operand,
        success: MemOrder,
        failure: MemOrder,
    },
    Fence {
        order: MemOrder,
    },
    /// A call of a function; `dst` is `None` if the result is unused or void.
    Call {
        dst: Option<Reg>,
        callee: Callee,
        args: Vec<Operand>,
    },
    /// `dst` = a free value.
    Nondet {
        dst: Reg,
        source: NondetSource,
    },
    /// `dst` = address of a new object.
    Alloc {
        dst: Reg,
        size_bytes: Operand,
        /// Alignment of its machine address in bytes, a power of two (pointer wide).
        align_bytes: Operand,
        kind: AllocKind,
    },
    /// A stack object's lifetime ends.
    EndLife {
        addr: Operand,
    },
    /// `free(addr)`.
    Free {
        addr: Operand,
    },
    /// A pointer is cast to an integer, which exposes the object that it points to: numbers lead there from now on.
    Expose {
        addr: Operand,
    },
    /// `dst` = size in bytes of the heap object that starts at `addr`; undefined if none that lives does.
    ObjectSize {
        dst: Reg,
        addr: Operand,
    },
    /// Fills or copies a block of memory: as if each of its units were stored (a copy: loaded and stored) in turn, but
    /// at no cost for what nobody looks at. Undefined if a copy's blocks overlap and are not the same.
    Block {
        to: Operand,
        source: BlockSource,
        size_bytes: Operand,
        /// Bytes of one access (1 to 8); the last may be shorter.
        unit_bytes: u8,
    },
    /// Starts a thread at `start(arg)`; `dst` receives its id (1, 2, … in `unsigned long` width). Where the program has it
    /// stored, `id_at` is the address: for data races the id is written here, while there is no thread yet
    /// that could read it too early.
    Spawn {
        dst: Reg,
        start: Operand,
        arg: Operand,
        id_at: Option<Operand>,
    },
    /// Blocks until thread `thread` has ended; `dst` receives its result (pointer width).
    Join {
        dst: Reg,
        thread: Operand,
    },
    /// `dst` = id of the running thread (main has 0).
    ThreadSelf {
        dst: Reg,
    },
    /// Mutex operations; `addr` is the address of the mutex object.
    Lock {
        addr: Operand,
    },
    Unlock {
        addr: Operand,
    },
    /// `dst` (32 bits) = 0 if the lock was taken, otherwise [`EBUSY`].
    TryLock {
        dst: Reg,
        addr: Operand,
    },
    /// (Re)initialises to unlocked.
    MutexInit {
        addr: Operand,
    },
    /// The object at `addr` is used for synchronisation; undefined if it is a copy.
    SyncUse {
        addr: Operand,
    },
    /// `dst` (32 bits) = a note on the synchronisation object at `addr`.
    Note {
        dst: Reg,
        addr: Operand,
        what: Note,
    },
    /// Changes one; that somebody holds the object cannot be set.
    SetNote {
        addr: Operand,
        what: Note,
        value: Operand,
    },
    /// The bytes there were copied from another object: synchronisation objects among them are not to be used until they are
    /// initialised. If `fresh`, they were initialised. `ty` is what was copied, if that is known.
    Copied {
        addr: Operand,
        size_bytes: Operand,
        ty: Option<ty::TypeId>,
        fresh: bool,
    },
    /// Begins an atomic section: with empty store buffers of its thread if `drains`; otherwise its first store empties
    /// them, so that a section that only reads orders nothing.
    AtomicBegin {
        drains: bool,
    },
    AtomicEnd,
    /// An execution in which `cond` (1 bit) is false is none that anybody asks about: the thread stops.
    Assume {
        cond: Operand,
    },
    /// The thread waits until `cond` (1 bit) is true: while it is not, the step has not begun that this stands in, an atomic section as a
    /// rule, and the thread is blocked before it. Outside sections, `cond` stays what it is.
    Wait {
        cond: Operand,
        /// The lock that it waits for, if it is one.
        lock: Option<AwaitedLock>,
    },
    /// Violated where `cond` (1 bit) is false.
    Assert {
        cond: Operand,
        property: Property,
    },
    /// Violated where blocks of the heap are lost, or not freed, as `property` says, while the program ends here: by the return
    /// of the first thread from its first function if `returns`, whose variables do not count then, or else at once.
    Leak {
        property: Property,
        returns: bool,
    },
    /// Undefined behaviour unless `cond` (1 bit): the thread stops there.
    Defined {
        cond: Operand,
        why: Undefined,
    },
    /// Undefined unless pointers are as an operation asks for; a number that is no address may be anywhere.
    Pointers(PointerCheck),
    /// Something that is not modelled: if it is reachable the verdict is `UNKNOWN`.
    Unsupported {
        reason: String,
    },
}

/// Condition on pointers, alive or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointerCheck {
    /// The pointer is within its object, or one past its end.
    Within(Operand),
    /// Both point into one object.
    Same(Operand, Operand),
    /// Blocks of so many bytes do not overlap, or are the same.
    Apart {
        to: Operand,
        from: Operand,
        size_bytes: Operand,
    },
}

impl PointerCheck {
    /// Its operands.
    pub fn operands(self) -> Operands {
        match self {
            PointerCheck::Within(addr) => smallvec![addr],
            PointerCheck::Same(left, right) => smallvec![left, right],
            PointerCheck::Apart {
                to,
                from,
                size_bytes,
            } => smallvec![to, from, size_bytes],
        }
    }

    /// Kind of undefined behaviour where it does not hold.
    pub fn why(self) -> Undefined {
        match self {
            PointerCheck::Within(_) => Undefined::PointerRange,
            PointerCheck::Same(..) => Undefined::PointerDifference,
            PointerCheck::Apart { .. } => Undefined::Overlap,
        }
    }
}

/// Lock that a thread waits for, which has an owner: nobody but those who hold it can let the thread go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AwaitedLock {
    /// Address of the object; who holds it says [`Note::Own`].
    pub addr: Operand,
    /// Those that hold it who are waited for.
    pub of: LockHolders,
}

/// Threads that hold a lock who are in the way of one that waits for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LockHolders {
    /// All. (One that holds it alone itself may be let in, or be told.)
    All,
    /// Those that hold it alone ([`ALONE`]): the lock is wanted together with others who share it.
    Alone,
    /// Others, while they have not ended: the lock is robust.
    Others,
    /// The thread itself.
    Own,
}

impl LockHolders {
    /// The least value of [`Note::Own`] of a thread in the way.
    pub fn least(self) -> u128 {
        if self == LockHolders::Alone { ALONE } else { 1 }
    }
}

/// Value of [`Note::Own`] from which on the object is held alone, where it can be shared as well.
pub const ALONE: u128 = 0x4000_0000;

/// Note on a synchronisation object: a word beside it, 0 at first, which is there for the check of misuse alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Note {
    /// 1 if some thread holds the mutex, by its synchronisation word.
    Held,
    /// Count of how often the running thread holds the object: every thread has its own word, which no other looks at.
    Own,
    /// Life: whether it was initialised or destroyed (`library/misuse.rs`).
    Life,
    /// Threads that are blocked on the condition variable, a bit for each.
    Waiters,
    /// Of a mutex, its number; of a condition variable, that of the mutex that is waited with.
    Number,
}

/// Source of the bytes that a block of memory is filled with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockSource {
    /// A byte, in all places.
    Byte(Operand),
    /// The block at an address. If `overlapping`, all of it is read before anything is written.
    Copy { from: Operand, overlapping: bool },
}

impl BlockSource {
    /// The byte, or the address.
    pub fn operand(self) -> Operand {
        match self {
            BlockSource::Byte(operand) | BlockSource::Copy { from: operand, .. } => operand,
        }
    }
}

/// Property that an execution violates: that of an assertion, or that nothing is undefined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Property {
    /// `assert(e)`, `__VERIFIER_assert(e)` without body.
    Assertion,
    /// `reach_error()`, `__VERIFIER_error()`, or a label `ERROR:` in a program without either.
    ReachError,
    /// No data race: two threads never stand before accesses of overlapping bytes, one of them a write, not both atomic.
    Race,
    /// No thread is blocked for ever.
    Deadlock,
    /// No block of memory is lost: nothing points to it where the program ends.
    Lost,
    /// No block of memory is left where the program ends.
    Unfreed,
    /// Behaviour is defined.
    Defined(Undefined),
}

/// Kinds of undefined behaviour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Undefined {
    /// Division by zero.
    DivisionByZero,
    /// `INT_MIN / -1`.
    DivisionOverflow,
    /// A signed result that its type does not hold.
    Overflow,
    /// A shift by the width or more.
    ShiftRange,
    /// A floating-point number is converted to an integer type that does not hold its integral part.
    FloatRange,
    /// Null, dangling, out-of-bounds or misaligned access.
    InvalidAccess,
    /// Pointer arithmetic that leaves the object.
    PointerRange,
    /// Write to a constant object.
    ReadOnly,
    /// `free` or `realloc` of something that is not a live heap object.
    InvalidFree,
    /// Access of an object that has ended, where machine addresses are known: nothing lives there now.
    UseAfterFree,
    /// The same, where another object lives now.
    StalePointer,
    /// `free` or `realloc` of such an object: nothing lives there now.
    DoubleFree,
    /// The same, where another object lives now.
    StaleFree,
    /// Use of a copy of a synchronisation object.
    CopiedObject,
    /// Use of a mutex that nobody has initialised.
    IndeterminateMutex,
    /// Release of a lock that the thread does not hold, of a kind that does not report it.
    LockNotHeld,
    /// Use of a synchronisation object that was destroyed, or that has to be initialised and is not.
    ObjectNotAlive,
    /// Destruction or initialisation of a synchronisation object in use.
    ObjectInUse,
    /// Wait on a condition variable with another mutex than those who are blocked on it.
    OtherMutex,
    /// Use of a key of thread-specific values that does not exist.
    NoSuchKey,
    /// Join of a thread by itself.
    JoinOfItself,
    /// Join or detachment of a thread that was joined or detached before.
    ThreadHandle,
    /// End of a value-returning function whose value is used, unreachable code reached, …
    Unreachable,
    /// `__builtin_unreachable()`, which people write as an assumption.
    BuiltinUnreachable,
    /// `va_arg` with a type that is not the argument's.
    VariableArgument,
    /// A call, or the start of a thread, with fewer arguments than the function has parameters, or a call that gets a
    /// result from a function without one.
    Call,
    /// An array whose length is not positive.
    ArrayLength,
    /// The end of a function that is declared not to return.
    Returns,
    /// A function whose result is used ends without one.
    MissingResult,
    /// A call through a pointer to a function of another type.
    FunctionType,
    /// A copy between objects that overlap.
    Overlap,
    /// The difference of pointers into different objects.
    PointerDifference,
    /// Side effects on one object that have no order.
    Unsequenced,
    /// Use of a value that was never set.
    Indeterminate,
}

impl Undefined {
    /// All kinds, in this order.
    pub const ALL: [Undefined; 34] = [
        Undefined::DivisionByZero,
        Undefined::DivisionOverflow,
        Undefined::Overflow,
        Undefined::ShiftRange,
        Undefined::FloatRange,
        Undefined::InvalidAccess,
        Undefined::PointerRange,
        Undefined::ReadOnly,
        Undefined::InvalidFree,
        Undefined::UseAfterFree,
        Undefined::StalePointer,
        Undefined::DoubleFree,
        Undefined::StaleFree,
        Undefined::CopiedObject,
        Undefined::IndeterminateMutex,
        Undefined::LockNotHeld,
        Undefined::ObjectNotAlive,
        Undefined::ObjectInUse,
        Undefined::OtherMutex,
        Undefined::NoSuchKey,
        Undefined::JoinOfItself,
        Undefined::ThreadHandle,
        Undefined::Unreachable,
        Undefined::BuiltinUnreachable,
        Undefined::VariableArgument,
        Undefined::Call,
        Undefined::ArrayLength,
        Undefined::Returns,
        Undefined::MissingResult,
        Undefined::FunctionType,
        Undefined::Overlap,
        Undefined::PointerDifference,
        Undefined::Unsequenced,
        Undefined::Indeterminate,
    ];
}

impl Property {
    /// All but those of undefined behaviour.
    pub const PLAIN: [Property; 6] = [
        Property::Assertion,
        Property::ReachError,
        Property::Race,
        Property::Deadlock,
        Property::Lost,
        Property::Unfreed,
    ];

    /// All properties.
    pub fn all() -> impl Iterator<Item = Property> {
        let defined = Undefined::ALL.into_iter().map(Property::Defined);
        Property::PLAIN.into_iter().chain(defined)
    }
}

/// Source of a free value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NondetSource {
    /// `__VERIFIER_nondet_*`.
    Input,
    /// An uninitialised local.
    Uninitialised,
    /// The result of a function without body.
    External,
}

/// Storage of a new object.
#[derive(Clone, Debug)]
pub enum AllocKind {
    /// A local variable; contents free, or zero.
    Stack {
        name: String,
        ty: ty::TypeId,
        zeroed: bool,
    },
    /// `malloc`; contents free.
    Heap,
    /// `calloc`; contents zero.
    HeapZeroed,
    /// `realloc`; contents free. It may stand where the object of the heap that starts here is, which the thread ends
    /// before anybody else knows of the new one.
    Realloc(Operand),
}

impl AllocKind {
    /// Blocks of the heap, which `free` may end.
    pub fn is_heap(&self) -> bool {
        !matches!(self, AllocKind::Stack { .. })
    }
}

/// Callee of a call.
#[derive(Clone, Debug)]
pub enum Callee {
    Direct(FuncId),
    /// Through a pointer.
    Indirect(Operand),
    /// A function without body.
    Extern(ExternCall),
}

/// A call of a function without body, as the source declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternCall {
    pub name: String,
    /// Width of the declared result, `None` for `void`.
    pub ret_bits: Option<u16>,
    /// For each argument, whether its type is a pointer.
    pub pointer_args: Vec<bool>,
    /// For each argument, what it points to as the source says; casts to `void *` do not count. `None` if it is no
    /// pointer, or to something whose size is not known.
    pub pointees: Vec<Option<ty::TypeId>>,
    /// True if the result is a record; then the first argument is the address of the object that receives it.
    pub record_result: bool,
}
