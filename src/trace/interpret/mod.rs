//! The concrete interpreter: what `ir::Program` means, one instruction at a time.
//!
//! It is the reference for every encoding, so it is written for plainness: registers are words, memory is
//! bytes, an instruction reads the state and changes it. Everything that the program leaves open (inputs,
//! uninitialised bytes) comes from a [`Choices`]; which thread moves is its caller's decision. Atomic sections
//! are only marked here: that nothing interrupts them is up to the caller as well.
//!
//! A pointer is an internal address ([`crate::ir::address`]) until somebody looks at it as a number; who carries one is
//! known by marks ([`word`]), and what number it means is chosen then ([`machine`]).
//!
//! Slots of objects and numbers of thread instances follow from the position that creates them and not from
//! the interleaving, so that states which differ in the order of independent steps alone are equal.

pub mod arithmetic;
pub mod code;
pub mod deadlock;
pub mod digest;
pub mod life;
pub mod lookup;
pub mod machine;
pub mod memory;
pub mod race;
pub mod requests;
pub mod script;
pub mod spin;
pub mod stand;
pub mod state;
pub mod stop;
pub mod watch;
pub mod word;

mod access;
mod allocate;
mod block;
mod buffer;
mod candidates;
mod control;
pub mod copies;
mod execute;
mod leak;
mod number;
mod relate;
mod rvalue;

use crate::base::Loc;
use crate::base::sorted::SortedSet;
use crate::event::{Cut, MemoryModel, Origin, ThreadId};
use crate::ir::AllocKind;
use crate::ir::address::{AddressSpace, Slot};
use crate::ir::position::{FramePath, PosKey};
use crate::ir::{FuncId, GlobalId, InstrKind, NondetSource, Operand, Program, Property};
use code::{Code, Facts};
use hashbrown::HashMap;
use life::New;
use memory::{Label, LiveObject};
use requests::Requests;
use rustc_hash::FxBuildHasher;
use state::{Frame, State, Status, Thread};
use std::sync::Arc;
use stop::Misplaced;
use watch::{Subject, Watch};
use word::Word;

/// A hash map whose order is never looked at.
type Map<K, V> = HashMap<K, V, FxBuildHasher>;

/// Source of free values.
pub trait Choices {
    /// The value, of `bits` bits, of the free choice at this position of this thread.
    fn input(&mut self, at: (ThreadId, PosKey), bits: u16, source: NondetSource) -> u128;

    /// Gives a value to every byte that is `None` of the object's `bytes` from `offset` on, when they are
    /// read for the first time. Bytes that are not given one are 0.
    fn memory(&mut self, origin: Origin, offset: usize, bytes: &mut [Option<u8>]);

    /// One of these machine addresses, the first of which is fresh if any is, for an object.
    fn base(&mut self, _: Origin, candidates: &[u64]) -> u64 {
        candidates[0]
    }

    /// Takes note of the machine address of an object, which it has from now on.
    fn note_base(&mut self, _: Origin, _: u64) {}
}

/// Every free value is 0.
pub struct Zeros;

impl Choices for Zeros {
    fn input(&mut self, _: (ThreadId, PosKey), _: u16, _: NondetSource) -> u128 {
        0
    }

    fn memory(&mut self, _: Origin, _: usize, _: &mut [Option<u8>]) {}
}

/// Bounds on what is executed; `None` means all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// Iterations of every loop that may start, see [`Loops::cut`].
    pub unwind: Option<u32>,
    /// Activations of one function that may lie below another one of it on a thread's stack.
    pub recursion: Option<u32>,
    /// Thread instances that run besides main.
    pub threads: Option<u32>,
    /// Memory model.
    pub memory: MemoryModel,
}

/// Effect of the execution of one instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing that concerns anybody: a jump, a call, an allocation.
    Quiet,
    /// The destination register of an assignment received a value.
    Assigned,
    Read {
        address: u64,
        bits: u16,
        value: Word,
    },
    Write {
        address: u64,
        bits: u16,
        value: Word,
    },
    /// A store that went into its thread's buffer.
    Issue {
        address: u64,
        bits: u16,
        value: Word,
    },
    /// A read-modify-write; a compare-exchange that fails has `new == old`.
    Update {
        address: u64,
        bits: u16,
        old: Word,
        new: Word,
    },
    Input {
        bits: u16,
        value: u128,
    },
    Create {
        child: ThreadId,
    },
    /// The child lies beyond the bound on threads.
    CreateBeyond {
        child: ThreadId,
    },
    Join {
        child: ThreadId,
    },
    /// The thread has ended.
    End,
    Lock {
        address: u64,
    },
    TryLock {
        address: u64,
        taken: bool,
    },
    Unlock {
        address: u64,
    },
    Fence,
    AtomicBegin,
    AtomicEnd,
    /// An assertion holds.
    Held,
    /// An assertion is violated; the thread takes no further step.
    Violation {
        property: Property,
    },
    /// Blocks of the heap violate this property where the program ends.
    Leaked {
        property: Property,
        blocks: Vec<Slot>,
    },
    /// Nothing has changed: the instruction cannot proceed in this state.
    Blocked,
    /// A false assumption, or the end of the program: the thread takes no further step.
    Stopped,
    /// The thread takes no further step for this reason.
    Cut(Cut),
    /// The machine address that was chosen for an object is impossible.
    Misplaced(Misplaced),
    /// Machine addresses depend on this, which is not in [`Interpreter::watch`].
    Unwatched(Subject),
}

/// The interpreter of one program.
pub struct Interpreter<'p> {
    pub program: &'p Program,
    facts: Arc<Facts>,
    pub space: AddressSpace,
    pub bounds: Bounds,
    slots: Map<Origin, Slot>,
    /// Origin that a slot was given to.
    origins: Map<Slot, Origin>,
    next_slot: u32,
    /// Order of requests of slots, where somebody wants to know it.
    pub requests: Option<Box<Requests>>,
    instances: Map<(ThreadId, PosKey), ThreadId>,
    next_instance: u32,
    /// True if instances that are not in `instances` may be numbered and run.
    open: bool,
    /// Objects whose machine addresses may be asked for.
    pub watch: Watch,
    /// Label of the object in a slot.
    labels: Map<Slot, Option<Label>>,
    /// Machine addresses that a schedule has chosen.
    bases: Map<Origin, u64>,
    /// True if the next instruction is to be undefined where a load needs a value: symbolic execution does not follow all
    /// objects (`symex/fresh.rs`).
    pub needs_values: bool,
    /// Steps at which operations on blocks stop in between; if `open`, they stop wherever others may look instead.
    parts: Map<(ThreadId, PosKey), Vec<u64>>,
}

impl<'p> Interpreter<'p> {
    /// An interpreter that chooses the address space by itself; `Err` says which object is too large.
    pub fn new(program: &'p Program, bounds: Bounds) -> Result<Self, (Loc, String)> {
        let space = Self::usual_space(program).ok_or_else(|| {
            let (size, loc) = largest_object(program);
            (
                loc,
                format!("an object of {size} bytes leaves no room for others"),
            )
        })?;
        Ok(Interpreter {
            program,
            facts: Code::of(program).facts,
            space,
            bounds,
            slots: Map::default(),
            origins: Map::default(),
            next_slot: 1,
            requests: None,
            instances: Map::default(),
            next_instance: 1,
            open: true,
            watch: Watch::All,
            labels: Map::default(),
            bases: Map::default(),
            needs_values: true,
            parts: Map::default(),
        })
    }

    /// The address space of a program, if its largest object leaves room for others.
    pub fn usual_space(program: &Program) -> Option<AddressSpace> {
        AddressSpace::new(program.model, largest_object(program).0)
    }

    /// An interpreter that uses the addresses and thread numbers of a schedule; threads that the schedule
    /// does not know are created but never run.
    pub fn following(code: &Code<'p>, schedule: &super::Schedule) -> Self {
        let created = schedule.threads.iter().enumerate().skip(1);
        Interpreter {
            program: code.program,
            facts: Arc::clone(&code.facts),
            space: schedule.space,
            bounds: Bounds {
                memory: schedule.memory_model,
                ..Bounds::default()
            },
            slots: schedule
                .slots
                .iter()
                .map(|(origin, slot)| (*origin, *slot))
                .collect(),
            origins: schedule
                .slots
                .iter()
                .map(|(origin, slot)| (*slot, *origin))
                .collect(),
            next_slot: schedule.used_slots.max(1),
            requests: None,
            instances: created
                .filter_map(|(i, at)| at.map(|at| (at, ThreadId(i as u32))))
                .collect(),
            next_instance: schedule.threads.len() as u32,
            open: false,
            watch: Watch::All,
            labels: Map::default(),
            bases: schedule.bases.iter().map(|(o, base)| (*o, *base)).collect(),
            needs_values: false,
            parts: schedule
                .parts
                .iter()
                .map(|(at, parts)| (*at, parts.clone()))
                .collect(),
        }
    }

    /// The state in which main is about to start.
    pub fn start(&mut self) -> State {
        let mut state = State::default();
        for (id, global) in self.program.globals.iter_ids() {
            if !global.thread_local {
                self.add_static(&mut state, id, Origin::Global(id), true);
            }
        }
        self.add_thread(
            &mut state,
            ThreadId(0),
            self.program.main,
            None,
            Status::Running,
        );
        state
    }

    /// The slot of an object or function, given out at the first request.
    fn slot(&mut self, origin: Origin) -> Slot {
        let next = &mut self.next_slot;
        let requests = self.requests.as_ref();
        let slot = *self.slots.entry(origin).or_insert_with(|| {
            let given = requests.and_then(|requests| requests.next_slot());
            given.unwrap_or_else(|| {
                *next += 1;
                Slot(*next - 1)
            })
        });
        self.origins.entry(slot).or_insert(origin);
        let requests = self.requests.as_mut();
        if let Some(base) = requests.and_then(|requests| requests.note(origin)) {
            self.bases.insert(origin, base);
        }
        slot
    }

    /// The slot of an object or function that has one.
    pub fn slot_given(&self, origin: &Origin) -> Option<u32> {
        self.slots.get(origin).map(|slot| slot.0)
    }

    /// Origin of the object in a slot.
    pub fn origin(&self, slot: Slot) -> Option<Origin> {
        self.origins.get(&slot).copied()
    }

    /// Thread and position that create a thread; `None` for main.
    #[cfg(feature = "internals")]
    pub fn creation(&self, thread: ThreadId) -> Option<(ThreadId, PosKey)> {
        let mut all = self.instances.iter();
        let found = all.find(|(_, instance)| **instance == thread);
        found.map(|(at, _)| *at)
    }

    /// Numbers threads by what creates them, as somebody else has numbered them.
    #[cfg(feature = "internals")]
    pub fn number_threads(&mut self, created: &[((ThreadId, PosKey), ThreadId)]) {
        for (at, child) in created {
            self.number_thread(*at, *child, true);
        }
    }

    /// Numbers the thread that is created next, at a position; it never runs unless it `runs`.
    pub fn number_thread(&mut self, at: (ThreadId, PosKey), child: ThreadId, runs: bool) {
        if runs {
            self.instances.insert(at, child);
            self.next_instance = self.next_instance.max(child.0.saturating_add(1));
        } else {
            self.next_instance = child.0;
        }
    }

    /// Steps at which an operation on a block stops in between, where it begins.
    pub fn stops(&self, at: (ThreadId, PosKey)) -> &[u64] {
        self.parts.get(&at).map_or(&[], |stops| stops)
    }

    /// Says where an operation on a block is to stop in between.
    pub fn stop_at(&mut self, at: (ThreadId, PosKey), stops: Vec<u64>) {
        self.parts.insert(at, stops);
    }

    /// Gives the object that comes from here a slot, which may be one of an object that no longer lives.
    pub fn name_slot(&mut self, origin: Origin, slot: Slot) {
        self.slots.insert(origin, slot);
        self.origins.entry(slot).or_insert(origin);
    }

    /// The instance that this position creates, and whether it may run.
    fn instance(&mut self, at: (ThreadId, PosKey)) -> (ThreadId, bool) {
        let known = self.instances.contains_key(&at);
        let next = &mut self.next_instance;
        let child = *self.instances.entry(at).or_insert_with(|| {
            *next += 1;
            ThreadId(*next - 1)
        });
        if !self.open && !known {
            // The next creation at this position must find it unknown again.
            self.instances.remove(&at);
            return (child, false);
        }
        (
            child,
            self.bounds.threads.is_none_or(|bound| child.0 <= bound),
        )
    }

    /// Adds a copy of a static object with its initial bytes.
    fn add_static(&mut self, state: &mut State, id: GlobalId, origin: Origin, escaped: bool) {
        let global = &self.program.globals[id];
        let slot = self.slot(origin);
        let mut bytes = vec![Some(0); global.size_bytes as usize];
        let mut words = SortedSet::new();
        for part in &global.init {
            let (value, marked) = match part.value {
                Operand::Const { value, .. } => (value, false),
                // A constant address never lies in a thread-local object.
                Operand::GlobalAddr(target, offset) => {
                    (self.global_address(target, offset, ThreadId(0)), true)
                }
                Operand::FuncAddr(function) => (u128::from(self.function_address(function)), true),
                Operand::Reg(_) => (0, false),
            };
            let from = part.offset_bytes as usize;
            let count = usize::from(part.bits.div_ceil(8));
            for (i, byte) in bytes.iter_mut().skip(from).take(count).enumerate() {
                *byte = Some((value >> (8 * i)) as u8);
            }
            if marked && part.bits >= self.space.pointer_bits {
                words.insert(from);
            }
        }
        let label = Label::Static(id);
        let new = New {
            origin,
            label: Some(label),
            size_bytes: global.size_bytes,
            align_bytes: global.align_bytes,
            instead: None,
        };
        self.begin_life(state, slot, new);
        let object = LiveObject {
            origin,
            label,
            bytes,
            chosen: SortedSet::new(),
            words,
            align_bytes: global.align_bytes,
            read_only: global.read_only,
            heap: false,
            made: crate::base::Loc::NONE,
            escaped,
        };
        state.memory.insert(slot, object);
    }

    /// Adds a thread with its copies of thread-local objects.
    fn add_thread(
        &mut self,
        state: &mut State,
        id: ThreadId,
        function: FuncId,
        argument: Option<Word>,
        status: Status,
    ) {
        for (global, info) in self.program.globals.iter_ids() {
            if info.thread_local {
                let origin = Origin::ThreadLocal(global, id);
                self.add_static(state, global, origin, false);
            }
        }
        let mut frame = self.frame(function, FramePath::ROOT);
        let params = &self.program.functions[function].params;
        if let (Some(argument), Some(param)) = (argument, params.first()) {
            frame.set(*param, argument);
        }
        let index = id.0 as usize;
        if state.threads.len() <= index {
            state.threads.resize(index + 1, None);
        }
        state.threads[index] = Some(
            Thread {
                status,
                frames: vec![frame],
                section: 0,
                buffer: Vec::new(),
                fences: 0,
            }
            .into(),
        );
    }

    /// A new activation of a function.
    fn frame(&self, function: FuncId, path: FramePath) -> Frame {
        let info = &self.program.functions[function];
        Frame {
            function,
            block: info.entry,
            index: 0,
            regs: vec![0; info.regs.len()],
            marks: vec![0; info.regs.len()],
            iterations: vec![0; self.facts.loops[function].nest[info.entry].len()],
            path,
            part: 0,
            held: Default::default(),
        }
    }
}

/// The size in bytes of the largest object whose size the program text gives, and its place.
fn largest_object(program: &Program) -> (u64, Loc) {
    let globals = program
        .globals
        .iter()
        .map(|global| (global.size_bytes, global.loc));
    let instrs = program
        .functions
        .iter()
        .flat_map(|f| f.blocks.iter())
        .flat_map(|b| &b.instrs);
    let locals = instrs.filter_map(|instr| match &instr.kind {
        InstrKind::Alloc {
            size_bytes: Operand::Const { value, .. },
            kind: AllocKind::Stack { .. },
            ..
        } => Some((u64::try_from(*value).unwrap_or(u64::MAX), instr.loc)),
        _ => None,
    });
    globals
        .chain(locals)
        .max_by_key(|(size, _)| *size)
        .unwrap_or((0, Loc::NONE))
}
