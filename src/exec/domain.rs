//! Domain of execution: states, values, memory, threads and control, as whoever executes a program has them.

use super::Path;
use crate::analysis::Facts;
use crate::base::Loc;
use crate::ir::{
    AllocKind, BlockId, BlockSource, FuncId, GlobalId, LockHolders, MemOrder, NondetSource, Note,
    Operand, PointerCheck, Program, Property, Reg, RmwOp, Rvalue, Undefined,
};
use crate::term::{TermId, Terms};

/// Purpose of an access of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    Load,
    Store,
    /// Both, in one step.
    Update,
}

/// Operation on a mutex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MutexUse {
    Lock,
    TryLock,
    Unlock,
    /// It becomes a fresh one.
    Init,
}

/// A call of one function.
pub struct Call<'a, V> {
    pub function: FuncId,
    pub args: &'a [V],
    /// Destination of its result.
    pub dst: Option<Reg>,
    pub loc: Loc,
}

/// Memory, threads and control of one kind of symbolic execution. `None` from any of them says that no path goes on;
/// whoever says so has noted the reason. A path that goes on may be dead ([`Path::is_dead`]).
pub trait Domain {
    /// One path, or several that have met, at one point of the program.
    type State: Clone;
    /// A term, and what else is known of it.
    type Value: From<TermId>;
    /// Places that an access may reach, with the condition for each.
    type Places;
    /// Reason to end execution as a whole.
    type Stop;

    // The program.

    /// Terms of all values and conditions.
    fn terms(&mut self) -> &mut Terms;
    /// The program that is executed.
    fn program(&self) -> &Program;
    /// Facts about it.
    fn facts(&self) -> &Facts;
    /// The function that the state is in.
    fn function(&self, state: &Self::State) -> FuncId;
    /// Width of a register of that function.
    fn bits(&self, state: &Self::State, reg: Reg) -> u16 {
        self.program().functions[self.function(state)].regs[reg].bits
    }
    /// Condition of the state's paths.
    fn path(state: &mut Self::State) -> &mut Path;
    /// Memory order of the instruction that is about to be executed; `None` for a plain access.
    fn note_order(&mut self, order: Option<MemOrder>);
    /// Runs a part of the instruction of which others see all or nothing.
    fn one_step<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T;
    /// The instruction is done (one that is no call), or the decision at the end of a block.
    fn advance(&mut self, state: &mut Self::State);

    // Registers, constants, and what is computed of them.

    /// Value of a register; `None` if it was never set.
    fn register(&self, state: &Self::State, reg: Reg) -> Option<TermId>;
    /// Value of a register that was never set.
    fn unset(&mut self, bits: u16) -> TermId;
    /// Address of a global.
    fn global(&mut self, id: GlobalId) -> u64;
    /// Address of a function.
    fn code(&mut self, id: FuncId) -> u64;
    /// Value of an operand.
    fn value(&mut self, state: &Self::State, operand: Operand) -> Self::Value;
    /// The term of a value.
    fn term(value: &Self::Value) -> TermId;
    /// A register gets a value of its width.
    fn set(&mut self, state: &mut Self::State, dst: Reg, value: Self::Value);
    /// A value with another width: its low bits, or zeros above it.
    fn fit(&mut self, state: &Self::State, value: Self::Value, bits: u16) -> Option<Self::Value>;
    /// Result of a right-hand side that is no pointer arithmetic, given its operands and their terms.
    fn compute(
        &mut self,
        state: &mut Self::State,
        value: &Rvalue,
        operands: (&[Operand], &[TermId]),
        bits: u16,
    ) -> Option<Self::Value>;
    /// Pointer arithmetic: a base and a distance in bytes, as operands and as terms.
    fn offset(
        &mut self,
        state: &mut Self::State,
        operands: [Operand; 2],
        terms: [TermId; 2],
    ) -> Option<Self::Value>;
    /// Free value that the instruction chooses.
    fn input(&mut self, state: &Self::State, source: NondetSource, bits: u16) -> TermId;

    // Memory.

    /// Places of an access of `bytes` bytes at an address that is a multiple of `align_bytes`.
    fn reach(
        &mut self,
        state: &mut Self::State,
        addr: TermId,
        bytes: u32,
        align_bytes: u8,
        purpose: Purpose,
    ) -> Option<Self::Places>;
    /// Some of so many bytes at whichever place is meant has been written.
    fn needs_value(
        &mut self,
        state: &mut Self::State,
        places: &Self::Places,
        bytes: u32,
    ) -> Option<()>;
    /// The value of so many bytes at whichever place is meant.
    fn read(
        &mut self,
        state: &mut Self::State,
        places: &Self::Places,
        bytes: u32,
        purpose: Purpose,
    ) -> Option<Self::Value>;
    /// Writes a value to whichever place is meant, if `when`.
    fn write(
        &mut self,
        state: &mut Self::State,
        places: Self::Places,
        value: &Self::Value,
        when: TermId,
        purpose: Purpose,
    ) -> Option<()>;
    /// Stored value of a read-modify-write.
    fn updated(
        &mut self,
        state: &mut Self::State,
        op: RmwOp,
        old: &Self::Value,
        operand: &Self::Value,
    ) -> Option<Self::Value>;
    /// Condition that the value in memory is the expected one.
    fn is_expected(
        &mut self,
        state: &mut Self::State,
        old: &Self::Value,
        expected: &Self::Value,
    ) -> Option<TermId>;
    /// Address of a new object.
    fn alloc(
        &mut self,
        state: &mut Self::State,
        size: TermId,
        align: TermId,
        kind: &AllocKind,
    ) -> Option<Self::Value>;
    /// The life of a local variable ends.
    fn end_life(&mut self, state: &mut Self::State, addr: TermId) -> Option<()>;
    /// `free`.
    fn free(&mut self, state: &mut Self::State, addr: TermId) -> Option<()>;
    /// Size in bytes of the object of the heap that starts at an address.
    fn object_size(&mut self, state: &mut Self::State, addr: TermId) -> Option<TermId>;
    /// A block of memory is filled or copied; `value` is the source's operand.
    fn block(
        &mut self,
        state: &mut Self::State,
        to: TermId,
        source: (BlockSource, TermId),
        size: TermId,
        unit_bytes: u8,
    ) -> Option<()>;

    // Threads and synchronisation.

    /// Attempt of a write of so many bytes, for data races: the next instruction makes it, although another one writes. `None`
    /// if no path goes on here.
    fn attempt(&mut self, _: &mut Self::State, _addr: Operand, _bytes: u32) -> Option<()> {
        Some(())
    }

    /// Creates a thread; its number, `bits` bits wide.
    fn spawn(
        &mut self,
        state: &mut Self::State,
        start: TermId,
        arg: &Self::Value,
        bits: u16,
        loc: Loc,
    ) -> Option<TermId>;
    /// Waits for the end of a thread; its result, which matters if `wanted`.
    fn join(
        &mut self,
        state: &mut Self::State,
        thread: TermId,
        wanted: bool,
    ) -> Option<Self::Value>;
    /// The number of the running thread; `None`, and the edge ends, if it has none.
    fn thread(&mut self, state: &mut Self::State) -> Option<u32>;
    /// Places of the mutex that is operated on.
    fn mutex(
        &mut self,
        state: &mut Self::State,
        addr: TermId,
        operation: MutexUse,
    ) -> Option<Self::Places>;
    /// Condition that nobody holds the mutex, for those who want to.
    fn is_free(
        &mut self,
        state: &mut Self::State,
        mutex: &Self::Places,
        operation: MutexUse,
    ) -> TermId;
    /// The path goes on where the mutex is free; elsewhere the thread waits for it.
    fn wait_for_mutex(&mut self, state: &mut Self::State, _: &Self::Places, free: TermId) {
        self.block_unless(state, free);
    }
    /// The mutex is taken or given back, if `when`; one that is held can be taken by nobody, whatever `when` says.
    fn set_mutex(
        &mut self,
        state: &mut Self::State,
        mutex: Self::Places,
        operation: MutexUse,
        when: TermId,
    );
    /// Pointers are to be as an operation asks for; the terms are those of the operands.
    fn pointers(
        &mut self,
        state: &mut Self::State,
        check: PointerCheck,
        terms: &[TermId],
    ) -> Option<()>;
    /// An address is cast to an integer.
    fn expose(&mut self, state: &mut Self::State, addr: TermId) -> Option<()>;
    /// The object at an address is used for synchronisation.
    fn sync_use(&mut self, state: &mut Self::State, addr: TermId) -> Option<()>;
    /// A note on the object at an address.
    fn note(&mut self, state: &mut Self::State, addr: TermId, what: Note) -> Option<TermId>;
    /// Changes one.
    fn set_note(
        &mut self,
        state: &mut Self::State,
        addr: TermId,
        what: Note,
        value: TermId,
    ) -> Option<()>;
    /// So many bytes at an address are a copy, or, if `fresh`, one no longer.
    fn copied(
        &mut self,
        state: &mut Self::State,
        addr: TermId,
        size: TermId,
        fresh: bool,
    ) -> Option<()>;
    /// Blocks that are lost or not freed violate a property where the program ends; see [`InstrKind::Leak`].
    ///
    /// [`InstrKind::Leak`]: crate::ir::InstrKind::Leak
    fn leak(&mut self, state: &mut Self::State, property: Property, returns: bool) -> Option<()>;
    /// A fence, of the order that was noted.
    fn fence(&mut self, state: &mut Self::State);

    // Control.

    /// An atomic section begins.
    fn begin_section(&mut self, state: &mut Self::State, drains: bool) -> Option<()>;
    /// An atomic section ends, if there is one.
    fn end_section(&mut self, state: &mut Self::State);
    /// The path goes on where the condition holds; elsewhere the thread waits, for a lock at an address if there is one, which it
    /// may want to share.
    fn wait(
        &mut self,
        state: &mut Self::State,
        cond: TermId,
        _lock: Option<(TermId, LockHolders)>,
    ) {
        self.block_unless(state, cond);
    }
    /// The path goes on where the condition holds; elsewhere the thread stops.
    fn block_unless(&mut self, state: &mut Self::State, cond: TermId);
    /// The property is violated where the condition does not hold.
    fn assert(
        &mut self,
        state: &mut Self::State,
        cond: TermId,
        property: Property,
        loc: Loc,
    ) -> Option<()>;
    /// The path goes on where the condition holds; the rest is undefined.
    fn undefined_unless(&mut self, state: &mut Self::State, cond: TermId, why: Undefined);
    /// The path ends at something that is not modelled.
    fn unsupported(&mut self, state: &mut Self::State, what: &str);
    /// Functions at an address, and the condition for each; the path goes on where it is one of them.
    fn functions(
        &mut self,
        state: &mut Self::State,
        target: TermId,
    ) -> Option<Vec<(FuncId, TermId)>>;
    /// Term of a value that chooses one of several cases.
    fn selector(
        &mut self,
        state: &mut Self::State,
        value: Operand,
        cases: &[(u128, BlockId)],
    ) -> Option<TermId>;
    /// Enters a function that a call fits; adds the states from which to go on, with the result where it has been executed
    /// to its end.
    fn enter(
        &mut self,
        state: Self::State,
        call: Call<'_, Self::Value>,
        after: &mut Vec<Self::State>,
    ) -> Result<(), Self::Stop>;
}
