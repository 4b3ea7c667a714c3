//! Runs a schedule in the interpreter, so that nothing an encoding claims has to be believed.

mod copy;
mod deadlock;
mod diagnosis;
mod divergence;
mod race;
mod show;

pub use divergence::{Divergence, Reason};

use super::interpret::arithmetic::mask;
use super::interpret::lookup::Next;
use super::interpret::state::{Pending, State, Status};
use super::interpret::{Choices, Effect, Interpreter};
use super::name::sizes;
use super::reuse::{Allocated, FirstRun, learnt};
use super::shape::View;
use super::{Action, Move, Schedule, Trace, TraceStep, TraceThread};
use crate::base::Loc;
use crate::event::{Cut, Origin, ThreadId};
use crate::ir::Check;
use crate::ir::address::Slot;
use crate::ir::position::PosKey;
use crate::ir::{InstrKind, NondetSource, Program, Property, Undefined};
use hashbrown::HashMap;
use std::collections::BTreeSet;

/// Instructions that a thread may execute between two steps of a schedule.
const LOCAL_INSTRUCTIONS: u64 = 100_000_000;

/// Executes a schedule; the trace ends with the violation. Which of several names undefined behaviour has, the interpreter
/// says, if they are of one check.
pub fn replay(program: &Program, schedule: &Schedule) -> Result<Trace, Divergence> {
    let first = run(program, schedule, FirstRun::default())?;
    // Only at the end it is known how many objects the heap had, and who came to be in whose place.
    let lives = &first.state.lives;
    let sizes = sizes(&first.interpreter);
    let known = learnt(program, sizes, lives, &first.allocated, &first.views);
    if known.is_empty() {
        Ok(first.trace)
    } else {
        Ok(run(program, schedule, known)?.trace)
    }
}

fn run<'p, 's>(
    program: &'p Program,
    schedule: &'s Schedule,
    known: FirstRun,
) -> Result<Replay<'p, 's>, Divergence> {
    let mut interpreter = Interpreter::following(program, schedule);
    let choices = Recorded { schedule };
    let state = interpreter.start();
    let mut replay = Replay {
        interpreter,
        choices,
        schedule,
        state,
        trace: Trace::default(),
        step: 0,
        stopped: None,
        inside: None,
        issued: HashMap::new(),
        allocated: Vec::new(),
        views: HashMap::new(),
        copying: None,
        known,
        ends: HashMap::new(),
        taken: Vec::new(),
    };
    let main = program.functions[program.main].name.clone();
    replay.trace.threads.push(TraceThread {
        function: main,
        created_at: None,
    });
    for &step in &schedule.steps {
        let violated = match step {
            Move::Step(thread, position) if replay.is_race(&step) => {
                replay.race(thread, position)?;
                true
            }
            Move::Step(thread, position) if replay.is_deadlock(&step) => {
                replay.deadlock(thread, position)?;
                true
            }
            Move::Step(thread, position) => replay.entry(thread, position)?,
            Move::Commit(thread, position) => replay.commit(thread, position)?,
        };
        if violated {
            return Ok(replay);
        }
        replay.step += 1;
    }
    Err(replay.diverged(
        schedule
            .steps
            .last()
            .map_or(ThreadId(0), |step| step.thread()),
        Reason::NoViolation,
    ))
}

/// The free values of a schedule.
struct Recorded<'s> {
    schedule: &'s Schedule,
}

impl Choices for Recorded<'_> {
    fn input(&mut self, at: (ThreadId, PosKey), bits: u16, _: NondetSource) -> u128 {
        self.schedule
            .inputs
            .get(&at)
            .map_or(0, |value| value & mask(bits))
    }

    fn memory(&mut self, origin: Origin, offset: usize, bytes: &mut [Option<u8>]) {
        let Origin::Alloc(thread, position) = origin else {
            return;
        };
        for (at, value) in self
            .schedule
            .memory
            .get(&(thread, position))
            .into_iter()
            .flatten()
        {
            let index = usize::try_from(*at)
                .ok()
                .and_then(|at| at.checked_sub(offset));
            if let Some(byte) = index.and_then(|index| bytes.get_mut(index)) {
                byte.get_or_insert(*value);
            }
        }
    }
}

struct Replay<'p, 's> {
    interpreter: Interpreter<'p>,
    choices: Recorded<'s>,
    schedule: &'s Schedule,
    state: State,
    trace: Trace,
    /// Index of the step of the schedule that is being executed.
    step: usize,
    /// The thread that is within an atomic section.
    inside: Option<ThreadId>,
    /// Buffered stores so far, by thread and position: where they were issued, if traces show them.
    issued: HashMap<(ThreadId, PosKey), Option<Site>>,
    /// The last thread that stopped at undefined behaviour in a step of its own.
    stopped: Option<(ThreadId, Cut)>,
    /// Objects that instructions have allocated so far.
    allocated: Vec<Allocated>,
    /// Types that blocks of the heap were accessed with.
    views: HashMap<Origin, BTreeSet<View>>,
    known: FirstRun,
    copying: Option<Copying>,
    /// Thread and place of the end of objects.
    ends: HashMap<Slot, (ThreadId, Loc)>,
    /// Locks that threads hold, in the order in which they were taken.
    taken: Vec<Taken>,
}

/// Lock that a thread holds: its address, and where it was taken.
struct Taken {
    thread: ThreadId,
    address: u64,
    since: Loc,
}

/// An operation on a block of which a thread has made some accesses, the last of them in the last step of the trace.
struct Copying {
    thread: ThreadId,
    position: PosKey,
    /// Index of its step in the trace.
    step: usize,
    /// Address of the first byte that was written, once one was.
    to: Option<u64>,
    /// Bytes that were read and written since.
    read: u64,
    written: u64,
}

/// Place of a step: position, positions of the calls that led there (outermost first), and function.
type Site = (Loc, Vec<Loc>, String);

impl Replay<'_, '_> {
    fn diverged(&self, thread: ThreadId, why: Reason) -> Divergence {
        let why = match (why, &self.stopped) {
            (Reason::NoViolation | Reason::NotRunning, Some((by, cut))) if *by == thread => {
                Reason::Cut(cut.clone())
            }
            (why, _) => why,
        };
        let exists = self.state.exists(thread);
        let loc = if exists {
            self.interpreter.next(&self.state, thread).1
        } else {
            Loc::NONE
        };
        Divergence {
            step: self.step,
            thread,
            loc,
            why,
        }
    }

    /// Runs a thread through local code to a position and executes what stands there ([`PosKey::END`]: to its
    /// end); true if an assertion is violated.
    fn entry(&mut self, thread: ThreadId, position: PosKey) -> Result<bool, Divergence> {
        if let Some(other) = self.inside.filter(|other| *other != thread)
            && self.leave_section(other)?
        {
            return Ok(true);
        }
        let mut budget = LOCAL_INSTRUCTIONS;
        if position == PosKey::END
            && self.state.exists(thread)
            && matches!(self.state.thread(thread).status, Status::Ended(_))
        {
            // It left an atomic section by ending, before its end's turn came.
            return Ok(false);
        }
        loop {
            let (here, violated) = self.advance(thread, position, &mut budget)?;
            if violated {
                return Ok(true);
            }
            let ended = matches!(self.state.thread(thread).status, Status::Ended(_));
            if here == position || (ended && position == PosKey::END) {
                return Ok(false);
            }
        }
    }

    /// Executes the next instruction of a thread, which is on its way to a position or there: where it stood, and whether
    /// an assertion is violated. The budget is that of local instructions.
    fn advance(
        &mut self,
        thread: ThreadId,
        position: PosKey,
        budget: &mut u64,
    ) -> Result<(PosKey, bool), Divergence> {
        if !self.state.exists(thread) || self.state.thread(thread).status != Status::Running {
            return Err(self.diverged(thread, Reason::NotRunning));
        }
        let here = self.state.frame(thread).position();
        if here != position && self.is_visible(thread, here) {
            return Err(self.diverged(thread, Reason::OutOfTurn));
        }
        if *budget == 0 {
            return Err(self.diverged(thread, Reason::Endless));
        }
        *budget -= 1;
        Ok((here, self.instruction(thread)?))
    }

    /// Lets a store of a thread reach memory, with those that must come before it. Nothing is left to do if a step that
    /// drains the buffer has done it already.
    fn commit(&mut self, thread: ThreadId, position: PosKey) -> Result<bool, Divergence> {
        if let Some(other) = self.inside.filter(|other| *other != thread)
            && self.leave_section(other)?
        {
            return Ok(true);
        }
        let mut budget = LOCAL_INSTRUCTIONS;
        while !self.issued.contains_key(&(thread, position)) {
            let (here, violated) = self.advance(thread, position, &mut budget)?;
            if violated {
                return Ok(true);
            }
            if here == position && !self.issued.contains_key(&(thread, position)) {
                // It has gone to memory at once: the schedule is of another memory model.
                return Err(self.diverged(thread, Reason::OutOfTurn));
            }
        }
        let buffer = &self.state.thread(thread).buffer;
        let waiting = buffer.iter().position(|entry| entry.position == position);
        if let Some(index) = waiting {
            let committed =
                self.interpreter
                    .commit(&mut self.state, thread, index, &mut self.choices);
            let committed = committed.map_err(|why| self.diverged(thread, why.into()))?;
            self.show_commits(thread, committed);
        }
        Ok(false)
    }

    /// Brings a thread to the end of its atomic section, which has no further visible step.
    fn leave_section(&mut self, thread: ThreadId) -> Result<bool, Divergence> {
        let mut budget = LOCAL_INSTRUCTIONS;
        while self.inside == Some(thread) {
            let here = self.state.frame(thread).position();
            if self.is_visible(thread, here) || budget == 0 {
                return Err(self.diverged(thread, Reason::InSection(thread)));
            }
            budget -= 1;
            if self.instruction(thread)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_visible(&self, thread: ThreadId, position: PosKey) -> bool {
        let visible = self.schedule.visible.get(thread.0 as usize);
        visible.is_some_and(|visible| visible.contains(&position))
    }

    fn is_shared(&self, thread: ThreadId, position: PosKey) -> bool {
        let shared = self.schedule.shared.get(thread.0 as usize);
        shared.is_some_and(|shared| shared.contains(&position))
    }

    /// Executes one instruction and records it; true if it is a violated assertion.
    fn instruction(&mut self, thread: ThreadId) -> Result<bool, Divergence> {
        let (next, loc) = self.interpreter.next(&self.state, thread);
        let position = self.state.frame(thread).position();
        let scheduled = self.is_visible(thread, position);
        let local = !self.is_shared(thread, position);
        let (loc, calls, function) = self.place(thread, loc);
        if self.interpreter.drains(&self.state, thread) {
            let committed = self
                .interpreter
                .drain(&mut self.state, thread, &mut self.choices);
            let committed = committed.map_err(|why| self.diverged(thread, why.into()))?;
            self.show_commits(thread, committed);
        }
        let atomic = self.state.thread(thread).section > 0;
        if let Some(slot) = self.ending(thread, next) {
            self.ends.insert(slot, (thread, loc));
        }
        let is_end = self.schedule.steps.last() == Some(&Move::Step(thread, position));
        let is_asked = self.schedule.violation == Property::Defined(Undefined::Indeterminate);
        self.interpreter.needs_values = is_end && is_asked;
        let returns = self.returning(thread);
        let owns = self.owning(thread, next);
        self.note_views(thread, next);
        let freed = self.freed(thread, next);
        let effect = self
            .interpreter
            .execute(&mut self.state, thread, &mut self.choices);
        self.note_locks(thread, (&effect, loc), returns, owns);
        let running = self.state.thread(thread);
        self.inside = (running.status == Status::Running && running.section > 0)
            .then_some(thread)
            .or(self.inside.filter(|inside| *inside != thread));
        let undefined = self.violation(thread, position, &effect);
        let lost = self.lost(thread, position, &effect);
        let asserted = matches!(effect, Effect::Violation { .. });
        // A thread that violates an assertion stops; where a state of several threads is the question, others go on.
        if asserted && matches!(self.schedule.violation, Property::Race | Property::Deadlock) {
            return Ok(false);
        }
        let violated = undefined.is_some() || lost.is_some() || asserted;
        match effect {
            Effect::Cut(_) if violated => {}
            Effect::Blocked | Effect::Stopped => return Err(self.diverged(thread, Reason::Stuck)),
            // Whether an object still lives is looked at in a step of its own; here it does not, and the thread, which
            // the violation does not need, stops.
            Effect::Cut(why @ Cut::Undefined(_)) if scheduled => {
                self.stopped = Some((thread, why));
                return Ok(false);
            }
            Effect::Cut(why) => return Err(self.diverged(thread, Reason::Cut(why))),
            Effect::Misplaced(why) => return Err(self.diverged(thread, Reason::Misplaced(why))),
            _ => {}
        }
        if let Effect::Create { child } | Effect::CreateBeyond { child } = effect {
            self.name_thread(child, loc);
        }
        if let Effect::Issue { .. } = effect {
            let place = (!local).then(|| (loc, calls.clone(), function.clone()));
            self.issued.insert((thread, position), place);
        }
        let releases = |entry: &Pending| entry.is_release() && entry.position == position;
        if self.state.thread(thread).buffer.iter().any(releases) {
            self.issued.insert((thread, position), None);
        }
        if let Effect::Create { child } = effect {
            let reused = self.own_variables(child);
            self.trace
                .steps
                .extend(reused.into_iter().map(|action| TraceStep {
                    thread,
                    loc,
                    calls: calls.clone(),
                    function: function.clone(),
                    atomic,
                    action,
                }));
        }
        let (made, reuse) = self.allocation(thread, next, loc);
        self.trace.steps.extend(
            made.or(freed.filter(|_| !violated))
                .map(|action| TraceStep {
                    thread,
                    loc,
                    calls: calls.clone(),
                    function: function.clone(),
                    atomic,
                    action,
                }),
        );
        let action = match (undefined, lost) {
            (Some(property), _) => {
                let is_access = Check::of(property) == Check::Memory;
                let access = is_access.then(|| self.diagnosis(thread, next)).flatten();
                Some(Action::Violation {
                    property,
                    access: access.map(Box::new),
                    lost: None,
                    race: None,
                    deadlock: None,
                })
            }
            (None, Some(slot)) => Some(Action::Violation {
                property: self.schedule.violation,
                access: None,
                lost: Some(Box::new(self.block(slot))),
                race: None,
                deadlock: None,
            }),
            (None, None) => match self.copied((thread, position), next, local, &effect) {
                Some(action) => action,
                None => reuse.or_else(|| self.action(thread, next, local, effect)),
            },
        };
        self.trace.steps.extend(action.map(|action| TraceStep {
            thread,
            loc,
            calls,
            function,
            atomic,
            action,
        }));
        Ok(violated)
    }

    /// Property that an instruction violates whose behaviour is undefined, if the schedule is to end there with one of the same
    /// check.
    fn violation(&self, thread: ThreadId, position: PosKey, effect: &Effect) -> Option<Property> {
        let Effect::Cut(Cut::Undefined(why)) = effect else {
            return None;
        };
        let property = Property::Defined(*why);
        let is_end = self.schedule.steps.last() == Some(&Move::Step(thread, position));
        let is_meant = Check::of(property) == Check::of(self.schedule.violation);
        (is_end && is_meant).then_some(property)
    }

    /// Block that violates what the schedule is to end with, of those that are lost or not freed where the program ends.
    fn lost(&self, thread: ThreadId, position: PosKey, effect: &Effect) -> Option<Slot> {
        let Effect::Leaked { property, blocks } = effect else {
            return None;
        };
        let is_end = self.schedule.steps.last() == Some(&Move::Step(thread, position));
        let is_meant = *property == self.schedule.violation;
        let made_there = |slot: &&Slot| {
            let object = self.state.memory.get(**slot);
            object.is_some_and(|object| object.made == self.schedule.place)
        };
        let meant = blocks.iter().filter(|_| is_end && is_meant);
        meant.copied().find(|slot| made_there(&slot))
    }

    /// Takes note of the types that an instruction accesses blocks of the heap with.
    pub(super) fn note_views(&mut self, thread: ThreadId, next: Next) {
        // The second run knows what the first has learnt.
        let Next::Instr(instr) = next else {
            return;
        };
        if !self.known.is_empty() {
            return;
        }
        for operand in instr.operands() {
            let info = self.register(thread, operand);
            let Some(pointee) = info.and_then(|info| info.pointee) else {
                continue;
            };
            let word = self.interpreter.word(&self.state, thread, operand);
            let address = word.marked().next().map(|_| word.value);
            let found = address.and_then(|at| self.interpreter.object(&self.state, at));
            if let Some((_, offset, object)) = found.filter(|(.., object)| object.heap) {
                let views = self.views.entry(object.origin).or_default();
                views.insert((offset as u64, pointee));
            }
        }
    }

    /// The block that an instruction is about to free, as it is shown.
    fn freed(&mut self, thread: ThreadId, next: Next) -> Option<Action> {
        let Next::Instr(InstrKind::Free { .. }) = next else {
            return None;
        };
        let slot = self.ending(thread, next)?;
        let block = self.block(slot).name;
        Some(Action::Free { block })
    }

    /// Takes note of what a thread has just allocated: a block of the heap, and what is said of an object that is where another one
    /// was.
    fn allocation(
        &mut self,
        thread: ThreadId,
        next: Next,
        loc: Loc,
    ) -> (Option<Action>, Option<Action>) {
        let Next::Instr(InstrKind::Alloc { dst, kind, .. }) = next else {
            return (None, None);
        };
        let address = self.state.frame(thread).word(*dst).value;
        let Some((slot, _, object)) = self.interpreter.object(&self.state, address) else {
            return (None, None);
        };
        let heap = kind.is_heap();
        let made = heap
            .then(|| self.block(slot))
            .map(|block| Action::Allocate {
                block: block.name,
                bytes: block.size_bytes,
            });
        self.allocated.push(Allocated {
            slot,
            origin: object.origin,
            heap,
            made: Some((thread, loc)),
        });
        let reused = self.known.reused.get(&object.origin);
        (made, reused.cloned())
    }

    /// The same of a new thread's own variables.
    fn own_variables(&mut self, child: ThreadId) -> Vec<Action> {
        let mut reused = Vec::new();
        for (slot, origin) in self.interpreter.own_variables(&self.state, child) {
            self.allocated.push(Allocated {
                slot,
                origin,
                heap: false,
                made: None,
            });
            reused.extend(self.known.reused.get(&origin).cloned());
        }
        reused
    }
}
