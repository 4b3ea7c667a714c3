//! The typed program: functions of basic blocks over virtual registers, explicit memory accesses.
//!
//! Registers hold bit-vectors of a fixed width (1 to 128 bits; a condition has 1). Signedness is in the
//! operators, never in the register. A scalar local whose address is never taken is a register; every
//! other object lives in memory and is reached through its address. Pointers are plain integers of the
//! data model's width: see [`address`] for how they name objects.
//!
//! Architecture invariant: nothing here knows a library function by name; calls without body stay
//! [`Callee::Extern`] until `library` gives them meaning.

pub mod address;
mod define;
pub mod layout;
pub mod lower;
#[cfg(feature = "internals")]
pub mod parse;
pub mod position;
pub mod print;
pub mod reach;
pub mod ty;
mod uses;

use crate::base::{IdVec, Loc};
use crate::ids;
use std::collections::BTreeSet;

ids! {
    /// A function of the program.
    FuncId;
    /// An object with static storage duration (a global, a static local, a string literal).
    GlobalId;
    /// A virtual register of one function.
    Reg;
    /// A basic block of one function.
    BlockId;
}

pub use crate::base::DataModel;
pub use crate::base::float::{Format as FloatFormat, Operation as FloatOp};

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    pub model: DataModel,
    pub functions: IdVec<FuncId, Function>,
    pub globals: IdVec<GlobalId, Global>,
    /// Types of objects, to name their parts in traces (`queue.items[3].next`).
    pub types: ty::Types,
    /// The function `main`.
    pub main: FuncId,
    /// Warnings, with their places: what the user should know although it stops nothing.
    pub warnings: Vec<(Loc, String)>,
    /// String literals that occur at several places: one object, unless they were lowered apart.
    pub repeated: BTreeSet<GlobalId>,
    /// Functions that are called and that nothing declares.
    pub undeclared: BTreeSet<String>,
    /// Functions without a body of which nothing is known: what they return is any value.
    pub external: Vec<String>,
}

/// An object with static storage duration.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name in the source; string literals are called `"text"`.
    pub name: String,
    pub ty: ty::TypeId,
    pub size_bytes: u64,
    pub align_bytes: u64,
    /// Initialised parts, by ascending offset, without overlap; everything else is zero.
    pub init: Vec<InitPart>,
    /// One copy for each thread (`_Thread_local`, `__thread`).
    pub thread_local: bool,
    /// `const` or a string literal: stores to it are undefined behaviour.
    pub read_only: bool,
    pub loc: Loc,
}

/// One initialised scalar of a global.
#[derive(Clone, Debug)]
pub struct InitPart {
    pub offset_bytes: u64,
    pub bits: u16,
    /// A constant operand: `Const`, `GlobalAddr` or `FuncAddr`.
    pub value: Operand,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// Registers that receive the arguments.
    pub params: Vec<Reg>,
    /// Width of the result, `None` for `void`.
    pub ret_bits: Option<u16>,
    pub variadic: bool,
    pub regs: IdVec<Reg, RegInfo>,
    pub blocks: IdVec<BlockId, Block>,
    /// Entry block; no edge leads back to it.
    pub entry: BlockId,
    pub loc: Loc,
}

impl Function {
    /// Fitting calls: true if a call with so many arguments, with a result or without one, fits; otherwise it is
    /// undefined (C11 6.5.2.2). More arguments than parameters do no harm on any machine, and programs rely on that.
    pub fn fits(&self, arguments: usize, result: bool) -> bool {
        self.params.len() <= arguments && (self.ret_bits.is_some() || !result)
    }

    /// Destination of a jump to a block: the first block from it on that does more than go on to another one.
    pub fn destination(&self, from: BlockId) -> BlockId {
        let mut block = from;
        for _ in 0..self.blocks.len() {
            match self.blocks[block].end {
                Terminator::Jump(next) if self.blocks[block].instrs.is_empty() => block = next,
                _ => break,
            }
        }
        block
    }
}

/// Register: its width in bits, and what traces say of it.
#[derive(Clone, Debug)]
pub struct RegInfo {
    pub bits: u16,
    /// The source variable it holds, for traces; `None` for temporaries.
    pub name: Option<String>,
    /// Reading of its value, for printing.
    pub reading: ty::Reading,
}

/// Straight-line code and how it ends.
#[derive(Clone, Debug)]
pub struct Block {
    pub instrs: Vec<Instr>,
    pub end: Terminator,
    /// Position of the terminator.
    pub end_loc: Loc,
}

/// One instruction.
#[derive(Clone, Debug)]
pub struct Instr {
    pub kind: InstrKind,
    pub loc: Loc,
}

/// A value that needs no computation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    Reg(Reg),
    /// A constant of the given width; bits above it are zero.
    Const {
        value: u128,
        bits: u16,
    },
    /// Address of a global plus a byte offset.
    GlobalAddr(GlobalId, i64),
    /// Address of a function.
    FuncAddr(FuncId),
}

/// Memory order, volatility and alignment of an instruction's memory access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// `None` for a plain access, otherwise the C11 order of an atomic one.
    pub order: Option<MemOrder>,
    pub volatile: bool,
    /// Alignment of the address in bytes, a power of two; the access is undefined elsewhere.
    pub align_bytes: u8,
}

impl Access {
    /// An ordinary access at any address.
    pub const PLAIN: Access = Access {
        order: None,
        volatile: false,
        align_bytes: 1,
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

/// Instructions. Every one that touches memory or another thread is a step of its own (`semantics.md`).
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
    /// Starts a thread at `start(arg)`; `dst` receives its id (1, 2, … in `unsigned long` width).
    Spawn {
        dst: Reg,
        start: Operand,
        arg: Operand,
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
    /// Blocks for ever unless `cond` (1 bit).
    Assume {
        cond: Operand,
    },
    /// Violated where `cond` (1 bit) is false.
    Assert {
        cond: Operand,
        property: Property,
    },
    /// Undefined behaviour unless `cond` (1 bit): the thread stops there.
    Defined {
        cond: Operand,
        why: Undefined,
    },
    /// Something that is not modelled: if it is reachable the verdict is `UNKNOWN`.
    Unsupported {
        reason: String,
    },
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

/// Property that an assertion belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Property {
    /// `assert(e)`, `__VERIFIER_assert(e)` without body.
    Assertion,
    /// `reach_error()`, `__VERIFIER_error()`, or a label `ERROR:` in a program without either.
    ReachError,
}

/// Kinds of undefined behaviour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Undefined {
    /// Division by zero.
    DivisionByZero,
    /// `INT_MIN / -1`.
    DivisionOverflow,
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
    /// Access or `free` of an object that has ended, where machine addresses are known: nothing lives there now.
    UseAfterFree,
    /// The same, where another object lives now.
    StalePointer,
    /// Use of a copy of a synchronisation object.
    CopiedObject,
    /// Use of a mutex that nobody has initialised.
    IndeterminateMutex,
    /// Release of a lock that the thread does not hold, of a kind that does not report it.
    LockNotHeld,
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

/// Pure computations.
#[derive(Clone, Debug)]
pub enum Rvalue {
    Use(Operand),
    Unary(UnOp, Operand),
    /// Both operands and the result have one width; comparisons give 1 bit; a shift's amount has the
    /// width of its left operand.
    Binary(BinOp, Operand, Operand),
    /// A pointer with the value of an integer: to the object that lives there now, if that it was made from has ended.
    FromInteger(Operand),
    /// Zero-extends, sign-extends or truncates to the width of the destination.
    ZeroExtend(Operand),
    SignExtend(Operand),
    Truncate(Operand),
    /// `cond ? a : b`, both already computed.
    Select {
        cond: Operand,
        then: Operand,
        other: Operand,
    },
    /// `base + offset_bytes` (a signed, pointer-wide value) within the object of `base`; leaving its
    /// address range is undefined, see [`address`].
    Offset {
        base: Operand,
        offset_bytes: Operand,
    },
    /// A floating-point operation on [`FloatOp::arity`] words; a number is its bit pattern.
    Float {
        op: FloatOp,
        format: FloatFormat,
        operands: Vec<Operand>,
    },
}

impl Rvalue {
    /// Its operands, in the order they are evaluated in.
    pub fn operands(&self) -> Vec<Operand> {
        match self {
            Rvalue::Use(a)
            | Rvalue::Unary(_, a)
            | Rvalue::FromInteger(a)
            | Rvalue::ZeroExtend(a)
            | Rvalue::SignExtend(a)
            | Rvalue::Truncate(a) => vec![*a],
            Rvalue::Binary(_, a, b)
            | Rvalue::Offset {
                base: a,
                offset_bytes: b,
            } => vec![*a, *b],
            Rvalue::Select { cond, then, other } => vec![*cond, *then, *other],
            Rvalue::Float { operands, .. } => operands.clone(),
        }
    }
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    Neg,
    Not,
}

/// Binary operators on words; wrapping.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    /// Division is guarded by a preceding [`InstrKind::Defined`].
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    /// Shifts are guarded by a preceding [`InstrKind::Defined`]; amounts ≥ width give 0 (or the sign).
    Shl,
    LShr,
    AShr,
    Eq,
    Ne,
    ULt,
    ULe,
    SLt,
    SLe,
}

/// Operation of a read-modify-write, which gives the value that it stores.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RmwOp {
    Exchange,
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
    UMin,
    UMax,
    SMin,
    SMax,
}

/// Terminator: how a block ends.
#[derive(Clone, Debug)]
pub enum Terminator {
    Jump(BlockId),
    /// On a 1-bit condition.
    Branch {
        cond: Operand,
        then: BlockId,
        other: BlockId,
    },
    /// The first case whose value equals `value`, otherwise `default`.
    Switch {
        value: Operand,
        cases: Vec<(u128, BlockId)>,
        default: BlockId,
    },
    Return(Option<Operand>),
    /// The thread ends with this result (pointer width); in `main` the same.
    ThreadExit(Operand),
    /// The whole program ends (`exit`, `abort`, `_Exit`): the thread takes no further step.
    Stop,
}

impl Terminator {
    /// Blocks that control may go to, in order, repeated where the edge is.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Terminator::Jump(b) => vec![*b],
            Terminator::Branch { then, other, .. } => vec![*then, *other],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|(_, b)| *b).chain([*default]).collect()
            }
            Terminator::Return(_) | Terminator::ThreadExit(_) | Terminator::Stop => vec![],
        }
    }
}
