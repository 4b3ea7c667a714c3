//! The data type in the middle: a program unrolled into threads of guarded events. No algorithm lives here.
//!
//! Symbolic execution runs each thread once. A read of shared memory returned a *fresh* variable; what it
//! can be is up to a scheme. The rules every scheme implements:
//!
//! * An event **happens** in an execution exactly if its guard is true. Guards contain everything that its
//!   thread needed to get there (assumptions, a lock that was free, a join that came through), so a thread
//!   that blocks is one whose later guards are false. Variables read by an event that does not happen are
//!   unconstrained, and a scheme must not constrain them: that is how "every thread may stop before
//!   any blocking step" is said.
//! * The events of a thread that happen do so in the order of its list. Events with the same section are one
//!   step (nothing of another thread happens in between); a section's events are adjacent in the list, apart
//!   from local ones.
//! * An assertion is violated if its guard is true and its condition false. It suffices that one is. Steps that
//!   the violation does not need may be left out or come after it; they must not contradict it.
//! * A cut is reachable if its guard can be true.
//! * Under a weak memory model ([`MemoryModel`]), a write that is buffered happens twice: where it stands, its thread
//!   issues it, and later it reaches memory. If it happens, it may be that it never gets there.

mod memory;
pub mod print;

pub use memory::{Barrier, MemoryModel, Store};

use crate::analysis::Loop;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::base::{IdSet, IdVec, Loc, Spent};
use crate::ids;
use crate::ir::MemOrder;
use crate::ir::position::PosKey;
use crate::ir::{Check, FuncId, GoalKinds, LockHolders, Property, Undefined};
use crate::term::{TermId, Terms};

ids! {
    /// A thread instance; 0 is main.
    ThreadId;
    /// An event of any thread.
    EventId;
    /// A shared memory cell: a run of bytes that is always accessed whole, or a synchronisation word.
    CellId;
    /// An atomic section instance.
    SectionId;
    /// A lock that some thread waits for and that has owners.
    LockId;
}

/// A set of thread instances.
pub type ThreadSet = IdSet<ThreadId>;

impl ThreadId {
    /// Title of a thread: `main`, or `thread 2`.
    pub fn title(self) -> String {
        match self.0 {
            0 => "main".to_string(),
            number => format!("thread {number}"),
        }
    }
}

/// A program unrolled within bounds.
#[derive(Clone)]
pub struct EventProgram {
    /// The terms of guards, values and conditions. Guards and conditions have width 1.
    pub terms: Terms,
    pub threads: IdVec<ThreadId, Thread>,
    pub events: IdVec<EventId, Event>,
    pub cells: IdVec<CellId, Cell>,
    /// Free choices of the program (inputs, uninitialised memory), in the order of symbolic execution.
    pub inputs: Vec<Input>,
    /// Objects with the slots of the address space that they were given.
    pub objects: Vec<Object>,
    /// Machine addresses that the program observes: the object, as an index into `objects`, a variable, and how many
    /// zeros follow its bits.
    pub bases: Vec<(usize, TermId, u16)>,
    /// Address space: how addresses are split into slot and offset.
    pub space: crate::ir::address::AddressSpace,
    /// Slots from this number on belong to no object.
    pub used_slots: u32,
    /// Variables of width 1, one for each atomic section that a cut may leave unfinished. A question about a
    /// cut leaves them free; every other question assumes that they are false.
    pub partial: Vec<TermId>,
    /// Conditions that hold in every execution.
    pub facts: Vec<TermId>,
    /// Steps within instructions that have several ([`PosKey::part`]): thread, position of the instruction, number.
    pub parts: Vec<(ThreadId, PosKey, u64)>,
    /// Accesses of shared memory that make no events, because nobody else can see them when they happen: thread and position.
    #[cfg_attr(
        not(feature = "internals"),
        expect(dead_code, reason = "tests judge what is taken for unseen")
    )]
    pub unseen: Vec<(ThreadId, PosKey)>,
    /// By cell, a variable of its width: what it holds when no thread takes a step any more ([`Rest::settled`]). It may be known, and
    /// no variable then.
    pub last: SortedMap<CellId, TermId>,
    /// Checks of races: the access that each is about, beside that before which it stands.
    pub rivals: SortedMap<EventId, Rival>,
    /// Pairs of threads that can be exchanged in every execution, the one that is created first in front
    /// (`reduce/symmetry`).
    pub alike: Vec<(ThreadId, ThreadId)>,
    /// Memory model. Under a weak one, some writes are buffered ([`Event::buffered`]), and fences drain buffers.
    pub memory: MemoryModel,
    /// Time of the stages that have worked on it, and the terms behind each.
    pub spent: Spent,
}

impl EventProgram {
    /// Work of a stage on the program, which is timed.
    pub fn timed<R>(
        &mut self,
        stage: &'static str,
        work: impl FnOnce(&mut EventProgram) -> R,
    ) -> R {
        let begun = self.spent.begin(stage);
        let result = work(self);
        self.spent.end(begun, self.terms.len());
        result
    }

    /// Targets that an access may touch, as far as folding shows.
    pub fn possible<'a>(&self, targets: &'a [Target]) -> impl Iterator<Item = &'a Target> {
        let never = self.terms.fals();
        targets.iter().filter(move |target| target.when != never)
    }
}

impl EventProgram {
    /// Effect of an event on the store buffers of its thread; see [`Event::barrier`].
    pub fn barrier(&self, id: EventId) -> Barrier {
        self.events[id].barrier(self.memory)
    }

    /// Kinds of goals that its events are; linear.
    pub fn goals(&self) -> GoalKinds {
        let checks = self.events.ids().filter_map(|id| self.check(id));
        checks
            .map(GoalKinds::of)
            .fold(GoalKinds::NONE, GoalKinds::or)
    }

    /// Check that an event violates where it happens, if there is one.
    pub fn check(&self, id: EventId) -> Option<Check> {
        self.events[id].kind.property().map(Check::of)
    }

    /// Reason of a cut, if the event is one.
    pub fn cut(&self, id: EventId) -> Option<&Cut> {
        match &self.events[id].kind {
            EventKind::Cut { why } => Some(why),
            _ => None,
        }
    }

    /// Place of an event; of a race, both places, in their order.
    pub fn place(&self, id: EventId) -> (Loc, Option<Loc>) {
        let own = self.events[id].loc;
        match self.rivals.get(&id) {
            Some(rival) => (own.min(rival.place), Some(own.max(rival.place))),
            None => (own, None),
        }
    }

    /// Result cells: true if a cell holds what a thread has returned.
    pub fn is_result(&self, cell: CellId) -> bool {
        let object = self.objects.get(self.cells[cell].object);
        object.is_some_and(|object| matches!(object.origin, Origin::Result(_)))
    }

    /// Write of a thread's result: true if an event is the write of what its thread returns, or of an object that nobody could find
    /// before. Nobody reads it before the thread's end, so to everybody else it is a part of that.
    pub fn returns(&self, id: EventId) -> bool {
        let event = &self.events[id];
        match &event.kind {
            EventKind::Write { targets, role, .. } => {
                let publishes = event.position == PosKey::END && *role == Role::Plain;
                publishes || targets.iter().any(|to| self.is_result(to.cell))
            }
            _ => false,
        }
    }
}

/// Access of one thread that may race with an access of another.
#[derive(Clone, Debug)]
pub struct Rival {
    /// Its place in the program.
    pub place: Loc,
    /// Events that announce it: writes of [`Role::Watch`], all of one thread.
    pub announced: SortedSet<EventId>,
}

/// A thread instance.
#[derive(Clone)]
pub struct Thread {
    /// The start routine.
    pub function: FuncId,
    /// The event that creates it; `None` for main. All events' guards imply its guard.
    pub created_by: Option<EventId>,
    /// Its events in program order.
    pub events: Vec<EventId>,
}

/// Something a thread does that others can notice, or that the verdict is about.
#[derive(Clone, Debug)]
pub struct Event {
    pub thread: ThreadId,
    /// Width 1: the event happens.
    pub guard: TermId,
    /// Width 1: what of the guard is known when its thread gets here: values of earlier reads and, for the
    /// read of a lock, of its own. The guard may need more: that the rest of its section can run.
    /// Of an assertion: that its condition is checked, even if the check is the branch that leads to it
    /// (`if (!ok) reach_error();`).
    pub reached: TermId,
    pub kind: EventKind,
    /// Events with the same section are one step.
    pub section: Option<SectionId>,
    /// `None` for plain accesses.
    pub order: Option<MemOrder>,
    /// The dynamic position of its instruction; events of one instruction share it.
    pub position: PosKey,
    pub loc: Loc,
    /// Positions of the calls that led here, outermost first (shared between events).
    pub calls: std::sync::Arc<[Loc]>,
    /// Set of a write that is *issued* where it stands in its thread, and reaches memory at a later time of its own
    /// (its *commit*). Until then, only its own thread sees it. The other events of its step are where it is issued.
    pub buffered: bool,
    /// Undisturbed access: no event of another thread that conflicts with it is ever next at the same time.
    pub undisturbed: bool,
}

impl Event {
    /// Effect of the event on the store buffers of its thread, if it happens. A creation and an end drain them; so does
    /// every operation for which a fence says so, in the same step.
    pub fn barrier(&self, memory: MemoryModel) -> Barrier {
        match self.kind {
            _ if !memory.is_weak() => Barrier::None,
            EventKind::Fence => self
                .order
                .map_or(Barrier::None, |order| memory.fence(order)),
            EventKind::Create { .. } | EventKind::End => Barrier::Drain,
            _ => Barrier::None,
        }
    }
}

/// A cell that an access may touch, and when. The conditions of an access exclude each other, and its
/// guard implies that one of them holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    pub cell: CellId,
    /// Width 1; true (constant) if the address is known.
    pub when: TermId,
}

/// Kind of operation that an access belongs to, for traces and for schemes that treat it specially.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A plain or atomic load or store.
    Plain,
    /// Half of a read-modify-write (same section as the other half).
    Update,
    /// Of a lock, try-lock or unlock, on the mutex's synchronisation word (0 free, owner's thread id + 1).
    Lock,
    TryLock,
    Unlock,
    /// Another operation on a synchronisation object.
    Sync,
    /// Announcement of an access, or a look at those of others: no step of the program, but how races are asked for.
    Watch,
}

/// Kinds of events. *Visible* ones need a place among the steps of other threads; assertions, cuts and rests are
/// *local*: they only look at their own thread's values.
#[derive(Clone, Debug)]
pub enum EventKind {
    /// Visible. `value` is a variable as wide as the cells.
    Read {
        value: TermId,
        targets: Vec<Target>,
        role: Role,
    },
    /// Visible. `value` is as wide as the cells.
    Write {
        value: TermId,
        targets: Vec<Target>,
        role: Role,
    },
    /// Visible under weak memory; nothing under SC. It says for every operation that drains store buffers, apart from
    /// creation and end, that it does ([`EventProgram::barrier`]).
    Fence,
    /// Visible. `child`'s events come after it.
    Create { child: ThreadId },
    /// Visible. Where `done` (a variable of width 1) is true, the target whose condition holds has ended
    /// before. The guard does not include `done`; guards of what follows do.
    Join {
        targets: Vec<(ThreadId, TermId)>,
        done: TermId,
    },
    /// Visible. The thread has ended; nothing of it follows. At most one per thread (its guard is the
    /// disjunction over all ways to end).
    End,
    /// Local. Violated where the guard holds and `cond` does not.
    Assert { cond: TermId, property: Property },
    /// Local. Execution was cut here, for this reason.
    Cut { why: Cut },
    /// Local. A place where the thread may stand for good.
    Rest(Box<Rest>),
}

impl EventKind {
    /// Visible events: true if the event needs a place among other threads' steps.
    pub fn is_visible(&self) -> bool {
        !matches!(
            self,
            EventKind::Assert { .. } | EventKind::Cut { .. } | EventKind::Rest(_)
        )
    }

    /// Rest: true if an execution up to here is all that happens, since it says what does not.
    pub fn is_rest(&self) -> bool {
        matches!(self, EventKind::Rest(_))
    }

    /// Access of the words by which threads announce their accesses: true for reads and writes of [`Role::Watch`].
    pub fn is_watch(&self) -> bool {
        match self {
            EventKind::Read { role, .. } | EventKind::Write { role, .. } => *role == Role::Watch,
            _ => false,
        }
    }

    /// Property that an execution violates in which an assertion fails here, or that ends here.
    pub fn property(&self) -> Option<Property> {
        match self {
            EventKind::Assert { property, .. } => Some(*property),
            EventKind::Cut {
                why: Cut::Undefined(why),
            } => Some(Property::Defined(*why)),
            EventKind::Rest(rest) if rest.kind.is_blocked() => Some(Property::Deadlock),
            _ => None,
        }
    }
}

/// Reason why an execution was cut.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cut {
    /// A loop would start one iteration more than the unwinding bound allows.
    Unwind(Loop),
    /// A loop whose condition folds exceeded the budget of events.
    LoopBudget(Loop),
    /// A recursive call of this function beyond the bound.
    Recursion(FuncId),
    /// A thread beyond the bound was created (it never runs).
    Threads,
    /// More bytes were allocated at once than one object can have.
    ObjectSize {
        /// Greatest size of an object, in bytes.
        most: u64,
    },
    /// Memory may be lost, unless a thread that still runs holds it, or numbers that are addresses.
    Held,
    /// The program may never end: a thread waits here, and others may never let it go on, or a loop turns here and changes
    /// nothing. The execution goes on.
    Endless,
    /// An access that may race is one by a number, or one of too many, so that nobody looks for its races. The execution goes on.
    Unwatched,
    /// Nobody asks whether a thread is blocked for ever here: it waits for a lock in an array of unknown or large size, the owners of which are
    /// not followed, or turns in a loop whose iteration has chosen one of many inputs. The execution goes on.
    Stays,
    /// A word that nobody has chosen is compared with an address, or an address is computed from it.
    Unset,
    /// A value is needed from memory that may never have been written, where that is not followed.
    Unwritten,
    Undefined(Undefined),
    /// A construct that is not modelled.
    Unsupported(String),
}

/// Repetition that bounds limit: a loop, or the recursion of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Repeat {
    Loop(Loop),
    Recursion(FuncId),
}

impl Cut {
    /// The loop or recursion that a bound has cut.
    pub fn repeat(&self) -> Option<Repeat> {
        match self {
            Cut::Unwind(cut) | Cut::LoopBudget(cut) => Some(Repeat::Loop(*cut)),
            Cut::Recursion(function) => Some(Repeat::Recursion(*function)),
            _ => None,
        }
    }
}

/// A shared cell.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Width in bits.
    pub bits: u16,
    /// Its value when the threads start.
    pub init: TermId,
    /// Object that the cell is part of, as an index into [`EventProgram::objects`].
    pub object: usize,
    /// First byte within the object, or within an element of it.
    pub offset_bytes: u64,
    /// The cell belongs to an element of an array; which one, is this term's value in the execution.
    pub element: Option<TermId>,
    /// Synchronisation cell: true if it is the synchronisation word of the mutex at this place, and not its bytes.
    pub sync: bool,
    /// Word beside bytes that have cells of their own: true if it holds the address that they store as a whole (0 if
    /// none), and is written whenever they are.
    pub beside: bool,
}

/// A free choice of the program.
#[derive(Clone, Debug)]
pub struct Input {
    /// The variable.
    pub value: TermId,
    pub thread: ThreadId,
    /// The instruction that chose, or that allocated the memory.
    pub position: PosKey,
    /// For uninitialised memory: the first byte within the object allocated there, as wide as an address.
    pub offset_bytes: Option<TermId>,
}

/// An object of the unrolled program.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name for people, e.g. `queue`, `main::x`, `malloc@file.c:12`.
    pub name: String,
    pub origin: Origin,
    /// Number of its slot of the address space.
    pub slot: crate::ir::address::Slot,
}

/// Origin of an object: the declaration, function, instruction or thread that it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    Global(crate::ir::GlobalId),
    /// A thread's own copy of a thread-local global.
    ThreadLocal(crate::ir::GlobalId, ThreadId),
    Function(FuncId),
    /// By the `Alloc` instruction at this position of this thread.
    Alloc(ThreadId, PosKey),
    /// The value that a thread returned, for those who join it.
    Result(ThreadId),
    /// Words in which a thread announces accesses that may race, for a group of them.
    Watch(ThreadId, u32),
}

/// A rest: a place where a thread may stand for good, for the question whether threads are blocked for ever. It stands before a step that
/// waits, behind an iteration of a loop that changes nothing, behind the end of a thread, and behind a creation. It says of its
/// thread alone what is known there; which threads wait for each other, and whether all do, is put together from all rests
/// (`question/deadlock.rs`). Its event's guard says that the thread comes here.
#[derive(Clone, Debug)]
pub struct Rest {
    /// Kind of the place.
    pub kind: RestKind,
    /// Width 1: the thread does not go on. Of a step that waits it is over what the step reads, as far as it comes: while that does not
    /// happen, nothing ties these values.
    pub stays: TermId,
    /// Width 1: what the step, or the iteration, reads is what memory holds in the end
    /// ([`EventProgram::last`]).
    pub settled: TermId,
    /// Locks that the thread holds here, if somebody waits for them.
    pub holds: Vec<Hold>,
    /// Cells that the step, or the iteration, reads so that it is not the same if they hold something else, each where its condition
    /// holds.
    pub reads: Vec<(CellId, TermId)>,
    /// Width 1: the thread stays, too, if it reads there what others change for a while.
    pub undisturbed: TermId,
}

/// Kinds of rests.
#[derive(Clone, Debug)]
pub enum RestKind {
    /// Before a step that waits; for these locks, each where its condition holds, or for something else.
    Wait(Vec<Awaited>),
    /// Before the join of one of these threads, each where its condition holds.
    Join(Vec<(ThreadId, TermId)>),
    /// Behind an iteration that comes round, of a loop that begins another one.
    Spin(Spin),
    /// Behind the end of the thread.
    Ended,
    /// Behind the creation of a thread; `None` if it is one beyond the bound, which neither runs nor ends.
    Created(Option<ThreadId>),
}

/// An iteration that comes round, as other threads see it.
#[derive(Clone, Debug)]
pub struct Spin {
    /// Cells that it changes for a while, each where its condition holds.
    pub changes: Vec<(CellId, TermId)>,
    /// Cells that it may change where others change for a while what it reads.
    pub may_change: Vec<CellId>,
    /// Cells that it may read then.
    pub may_read: Vec<CellId>,
}

/// A lock that is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Awaited {
    /// The lock.
    pub lock: LockId,
    /// Width 1: it is this one.
    pub when: TermId,
    /// Those that hold it who are in the way.
    pub of: LockHolders,
    /// Mutex without a model: true if whoever holds it is in the way, were it the thread itself, or one that has ended.
    pub plain: bool,
}

/// A lock that a thread holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hold {
    /// The lock.
    pub lock: LockId,
    /// Width 1: the thread holds it.
    pub held: TermId,
    /// Width 1: nobody can share it.
    pub alone: TermId,
}

impl RestKind {
    /// True if a thread that stays here is blocked.
    pub fn is_blocked(&self) -> bool {
        matches!(
            self,
            RestKind::Wait(_) | RestKind::Join(_) | RestKind::Spin(_)
        )
    }

    /// One word.
    pub fn name(&self) -> &'static str {
        match self {
            RestKind::Wait(_) => "waits",
            RestKind::Join(_) => "joins",
            RestKind::Spin(_) => "spins",
            RestKind::Ended => "ended",
            RestKind::Created(_) => "created",
        }
    }
}

impl Rest {
    /// Its terms, to look at.
    pub fn terms(&self) -> Vec<TermId> {
        let mut copy = self.clone();
        let mut all = Vec::new();
        copy.for_terms(|t| all.push(*t));
        all
    }

    /// Its terms, to change.
    pub fn for_terms(&mut self, mut each: impl FnMut(&mut TermId)) {
        each(&mut self.stays);
        each(&mut self.settled);
        each(&mut self.undisturbed);
        match &mut self.kind {
            RestKind::Wait(locks) => locks.iter_mut().for_each(|one| each(&mut one.when)),
            RestKind::Join(targets) => targets.iter_mut().for_each(|one| each(&mut one.1)),
            RestKind::Spin(spin) => {
                spin.changes.iter_mut().for_each(|one| each(&mut one.1));
            }
            RestKind::Ended | RestKind::Created(_) => {}
        }
        for hold in &mut self.holds {
            each(&mut hold.held);
            each(&mut hold.alone);
        }
        self.reads.iter_mut().for_each(|one| each(&mut one.1));
    }
}
