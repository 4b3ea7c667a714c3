//! Programs: functions of basic blocks, objects with static storage duration, and how blocks end.

use super::goal::GoalKinds;
use super::instr::{Instr, InstrKind};
use super::operand::{BlockId, FuncId, GlobalId, Operand, Reg};
use super::ty;
use crate::base::sorted::SortedSet;
use crate::base::{DataModel, IdVec, Loc, Warning};
use crate::source::Sources;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

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
    /// Warnings: what the user should know although it stops nothing.
    pub warnings: Vec<Warning>,
    /// String literals that occur at several places: one object, unless they were lowered apart.
    pub repeated: SortedSet<GlobalId>,
    /// Functions that are called and that nothing declares.
    pub undeclared: SortedSet<String>,
    /// Functions without a body of which nothing is known: what they return is any value.
    pub external: Vec<String>,
    /// Functions that it calls whose results C leaves open.
    pub open_calls: Vec<String>,
    /// The same program, in which these return any value that they may; where they end the execution, as not supported, otherwise.
    pub open: Option<Arc<Program>>,
    /// It has handlers of signals that may be installed: they never run, because no signal arrives.
    pub handles_signals: bool,
    /// What is said of the function with which execution begins, if that is not the program's `main`.
    pub begins: Option<String>,
    /// Allocations may fail.
    pub malloc_may_fail: bool,
    /// The program was read for the check of deadlocks: what waits does so as the check defines it.
    pub deadlocks: bool,
    /// The texts that it was read from, which know the user's lines; `None` for programs of other origin.
    pub source: Option<Arc<Sources>>,
}

impl Program {
    /// True if the program asks for blocks that are lost or not freed.
    pub fn asks_for_leaks(&self) -> bool {
        self.has(|kind| matches!(kind, InstrKind::Leak { .. }))
    }

    /// Kinds of goals that may be asked for. What is undefined ends executions, whoever asks for it.
    pub fn goals(&self) -> GoalKinds {
        GoalKinds {
            assertions: true,
            undefined: true,
            races: true,
            ends: self.asks_for_leaks(),
            blocks: self.deadlocks,
        }
    }

    /// True if it has an instruction that allocates a block of the heap.
    pub fn allocates(&self) -> bool {
        self.has(|kind| match kind {
            InstrKind::Alloc { kind, .. } => kind.is_heap(),
            _ => false,
        })
    }

    /// True if it allocates blocks, and is taken never to fail in it.
    pub fn always_allocates(&self) -> bool {
        let functions = self
            .functions
            .iter()
            .filter(|function| !function.is_internal());
        let mut instrs = functions.flat_map(|f| f.blocks.iter().flat_map(|b| &b.instrs));
        let is_heap = |kind: &InstrKind| match kind {
            InstrKind::Alloc { kind, .. } => kind.is_heap(),
            _ => false,
        };
        !self.malloc_may_fail && instrs.any(|instr| is_heap(&instr.kind))
    }

    fn has(&self, is: impl Fn(&InstrKind) -> bool) -> bool {
        let blocks = self.functions.iter().flat_map(|f| f.blocks.iter());
        blocks.flat_map(|b| &b.instrs).any(|instr| is(&instr.kind))
    }
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
    pub origin: Origin,
}

/// Origin of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The program as its user wrote it.
    Program,
    /// A model of the library in C. Its accesses count as those of its caller, unless it `synchronises`: then it is an
    /// operation of a synchronisation object, and what it accesses never races.
    Model { synchronises: bool },
}

impl Function {
    /// Internal functions: true if it is a part of a model of the library and none of its functions.
    pub fn is_internal(&self) -> bool {
        self.name.starts_with("__selvedge_")
    }

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
    /// Type of the objects that are accessed through it, for traces: it tells what lies in a block of the heap.
    pub pointee: Option<ty::TypeId>,
}

impl RegInfo {
    /// A temporary.
    pub fn temporary(bits: u16) -> RegInfo {
        RegInfo {
            bits,
            name: None,
            reading: ty::Reading::Unsigned,
            pointee: None,
        }
    }
}

/// Straight-line code and how it ends.
#[derive(Clone, Debug)]
pub struct Block {
    pub instrs: Vec<Instr>,
    pub end: Terminator,
    /// Position of the terminator.
    pub end_loc: Loc,
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

/// Blocks that control may go to. Only those of a `switch` take an allocation.
pub type Successors = SmallVec<[BlockId; 2]>;

impl Terminator {
    /// Blocks that control may go to, in order, repeated where the edge is.
    pub fn successors(&self) -> Successors {
        match self {
            Terminator::Jump(b) => smallvec![*b],
            Terminator::Branch { then, other, .. } => smallvec![*then, *other],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|(_, b)| *b).chain([*default]).collect()
            }
            Terminator::Return(_) | Terminator::ThreadExit(_) | Terminator::Stop => smallvec![],
        }
    }
}
