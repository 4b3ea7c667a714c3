//! Runs a schedule in the interpreter, so that nothing an encoding claims has to be believed.

mod answers;
mod call;
mod copy;
mod deadlock;
mod diagnosis;
mod divergence;
pub mod executed;
pub mod log;
mod notes;
mod play;
mod race;
mod record;
pub mod run;
mod shorten;
mod show;
mod sync;
mod writers;

pub use divergence::{Divergence, Reason};

use super::interpret::code::Code;
use super::interpret::lookup::Next;
use super::interpret::state::{Pending, State, Status};
use super::interpret::{Effect, Interpreter};
use super::name::sizes;
use super::reuse::{Allocated, FirstRun, learnt};
use super::shape::View;
use super::{Action, Move, Schedule, Trace, TraceStep, TraceThread};
use crate::base::Loc;
use crate::base::sorted::SortedSet;
use crate::event::{Cut, Origin, ThreadId};
use crate::ir::Check;
use crate::ir::address::Slot;
use crate::ir::position::PosKey;
use crate::ir::{InstrKind, Property, Undefined};
use answers::{Answers, Source};
use executed::Executed;
use hashbrown::HashMap;
use record::{Ending, Record};
use writers::Writers;

/// Instructions that a thread may execute between two steps of a schedule.
const LOCAL_INSTRUCTIONS: u64 = 100_000_000;

struct Replay<'p, 's> {
    interpreter: Interpreter<'p>,
    choices: Answers<'s>,
    schedule: &'s Schedule,
    state: State,
    trace: Trace,
    /// Index of the step of the schedule that is being executed.
    step: usize,
    /// Thread and position of the last step, if it is one that violates something.
    end: Option<(ThreadId, PosKey)>,
    /// Number of the block of the heap that is lost, if that is known already.
    lost: Option<usize>,
    record: Record,
    /// End of the execution, once it has come.
    ended: Option<Ending>,
    /// Instructions that may still be executed.
    allowance: u64,
    /// It makes the moves of a line, in which threads may stop at undefined behaviour anywhere.
    is_played: bool,
    /// The thread that is within an atomic section.
    inside: Option<ThreadId>,
    /// Buffered stores so far, by thread and position: where they were issued; those of the library are not shown.
    issued: HashMap<(ThreadId, PosKey), Option<Site>>,
    /// The last thread that stopped at undefined behaviour in a step of its own.
    stopped: Option<(ThreadId, Cut)>,
    /// Objects that instructions have allocated so far.
    allocated: Vec<Allocated>,
    /// Types that blocks of the heap were accessed with.
    views: HashMap<Origin, SortedSet<View>>,
    purpose: Purpose,
    /// Facts that a run collects in order to learn, and that one knows which shows something.
    known: FirstRun,
    copying: Option<Copying>,
    writers: Writers,
    /// Threads that wait for a condition variable, a bit for each, where a thread has begun an operation on it.
    waiting: HashMap<ThreadId, u128>,
    /// Thread and place of the end of objects.
    ends: HashMap<Slot, (ThreadId, Loc)>,
    /// Locks that threads hold, in the order in which they were taken.
    taken: Vec<Taken>,
    /// All instructions so far, if somebody wants to know them.
    log: Option<Vec<Executed>>,
}

/// Purpose of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    /// To see how it ends.
    Try,
    /// To collect facts that only its end tells.
    Learn,
    /// To show its steps.
    Show,
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

impl<'p, 's> Replay<'p, 's> {
    /// Replay that has not begun.
    fn new(
        code: &Code<'p>,
        schedule: &'s Schedule,
        source: Source<'s>,
        (purpose, known): (Purpose, FirstRun),
    ) -> Replay<'p, 's> {
        let mut interpreter = Interpreter::following(code, schedule);
        interpreter.requests = Some(Box::default());
        let end = match schedule.steps.last() {
            Some(Move::Step(thread, position)) => Some((*thread, *position)),
            _ => None,
        };
        let mut trace = Trace::default();
        trace.threads.push(TraceThread {
            function: code.program.functions[code.program.main].name.clone(),
            created_at: None,
        });
        Replay {
            interpreter,
            choices: Answers::new(source),
            schedule,
            state: State::default(),
            trace,
            step: 0,
            end,
            lost: None,
            record: Record::default(),
            ended: None,
            allowance: u64::MAX,
            is_played: false,
            stopped: None,
            inside: None,
            issued: HashMap::new(),
            allocated: Vec::new(),
            views: HashMap::new(),
            copying: None,
            writers: Writers::default(),
            waiting: HashMap::new(),
            purpose,
            known,
            ends: HashMap::new(),
            taken: Vec::new(),
            log: None,
        }
    }

    /// Sets up global variables and main.
    fn begin(&mut self) {
        self.state = self.interpreter.start();
    }

    /// Follows the schedule to its end.
    fn follow(&mut self) -> Result<(), Divergence> {
        self.begin();
        for step in self.schedule.steps.iter().copied() {
            let violated = match step {
                Move::Step(thread, position) if self.is_race(&step) => {
                    self.race(thread, position)?;
                    true
                }
                Move::Step(thread, position) if self.is_deadlock(&step) => {
                    self.deadlock(thread, position)?;
                    true
                }
                Move::Step(thread, position) => self.entry(thread, position)?,
                Move::Commit(thread, position) => self.commit(thread, position)?,
            };
            if violated {
                return Ok(());
            }
            self.step += 1;
        }
        let last = self.schedule.steps.last();
        let thread = last.map_or(ThreadId(0), |step| step.thread());
        Err(self.diverged(thread, Reason::NoViolation))
    }

    /// Facts that the end of a first run tells.
    fn learnt(self) -> FirstRun {
        let (lives, sizes) = (&self.state.lives, sizes(&self.interpreter));
        let program = self.interpreter.program;
        let mut known = learnt(program, sizes, lives, &self.allocated, &self.views);
        known.sharing = self.known.sharing;
        known
    }

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
            self.commit_entry(thread, index)?;
        }
        Ok(false)
    }

    /// Lets the store with this number in a thread's buffer reach memory, with those that must come before it.
    fn commit_entry(&mut self, thread: ThreadId, index: usize) -> Result<(), Divergence> {
        self.record.committed(thread, index);
        let committed = self
            .interpreter
            .commit(&mut self.state, thread, index, &mut self.choices);
        let committed = committed.map_err(|why| self.diverged(thread, why.into()))?;
        self.show_commits(thread, committed);
        Ok(())
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

    /// Executes one instruction and records it; true if it is a violated assertion.
    fn instruction(&mut self, thread: ThreadId) -> Result<bool, Divergence> {
        let (next, loc) = self.interpreter.next(&self.state, thread);
        let position = self.state.frame(thread).position();
        let scheduled = self.is_visible(thread, position);
        let is_end = self.end == Some((thread, position));
        // Nobody looks at the calls of most steps that are not shown.
        let is_assertion = matches!(next, Next::Instr(InstrKind::Assert { .. }));
        let (loc, calls, function) = match loc {
            Loc::NONE => self.place(thread, loc),
            _ if self.purpose == Purpose::Show || is_end || is_assertion => self.place(thread, loc),
            _ => (loc, Vec::new(), String::new()),
        };
        if self.interpreter.drains(&self.state, thread) {
            let committed = self
                .interpreter
                .drain(&mut self.state, thread, &mut self.choices);
            let committed = committed.map_err(|why| self.diverged(thread, why.into()))?;
            self.show_commits(thread, committed);
        }
        let condition = self.condition(thread, next);
        // That an operation of the library is atomic is nothing to be told.
        let atomic = self.state.thread(thread).section > 0 && !self.is_synchronising(thread);
        if let Some(slot) = self.ending(thread, next) {
            self.ends.insert(slot, (thread, loc));
        }
        let is_asked = self.schedule.violation == Property::Defined(Undefined::Indeterminate);
        self.interpreter.needs_values = is_end && is_asked;
        let returns = self.returning(thread);
        let owns = self.owning(thread, next);
        self.note_views(thread, next);
        let freed = self.freed(thread, next);
        self.note_block(thread, next, loc);
        let called = self.calling(thread, next);
        let expected = self.expected(thread, next);
        let asked = self.choices.given.count();
        let executed = self.log.is_some().then(|| self.standing_at(thread, next));
        let effect = self
            .interpreter
            .execute(&mut self.state, thread, &mut self.choices);
        self.log_executed(executed, &effect);
        let has_asked = self.choices.given.count() > asked;
        self.record.executed(thread, next, has_asked);
        self.note_access(thread, &effect);
        let local = !self.is_shared(&effect);
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
        if violated {
            let property = match effect {
                Effect::Violation { property } => property,
                _ => undefined.unwrap_or(self.schedule.violation),
            };
            self.ended = Some(Ending::at(thread, property, (calls.clone(), loc)));
        }
        match effect {
            Effect::Cut(_) if violated => {}
            Effect::Blocked | Effect::Stopped => return Err(self.diverged(thread, Reason::Stuck)),
            // Whether an object still lives is looked at in a step of its own; here it does not, and the thread, which
            // the violation does not need, stops.
            Effect::Cut(why @ Cut::Undefined(_)) if scheduled || self.is_played => {
                self.stopped = Some((thread, why));
                return Ok(false);
            }
            Effect::Cut(why) => return Err(self.diverged(thread, Reason::Cut(why))),
            Effect::Misplaced(why) => return Err(self.diverged(thread, Reason::Misplaced(why))),
            _ => {}
        }
        if let Effect::Create { child } | Effect::CreateBeyond { child } = effect {
            self.name_thread(child, loc);
            let runs = matches!(effect, Effect::Create { .. });
            self.record.created(child, runs);
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
        if self.purpose != Purpose::Show {
            return Ok(violated);
        }
        let from = match local {
            true => (None, false),
            false => self.written_by_others(thread, loc, &effect, expected),
        };
        if let Some(step) = self.passage(thread, called) {
            self.trace.steps.push(step);
        }
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
                None => reuse
                    .or(condition)
                    .or_else(|| self.action(thread, next, local, effect)),
            },
        };
        let action = action.map(|action| self.expecting(action.written_by(from), expected));
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
        let is_end = self.end == Some((thread, position));
        let is_meant = Check::of(property) == Check::of(self.schedule.violation);
        (is_end && is_meant).then_some(property)
    }

    /// Block that violates what the schedule is to end with, of those that are lost or not freed where the program ends.
    fn lost(&mut self, thread: ThreadId, position: PosKey, effect: &Effect) -> Option<Slot> {
        let Effect::Leaked { property, blocks } = effect else {
            return None;
        };
        let is_end = self.end == Some((thread, position));
        let is_meant = *property == self.schedule.violation;
        if !is_end || !is_meant {
            return None;
        }
        let number = |slot: &Slot| {
            let mut heap = self.allocated.iter().filter(|one| one.heap);
            heap.position(|one| one.slot == *slot)
        };
        let is_it = |slot: &&Slot| match self.lost {
            Some(_) => number(slot) == self.lost,
            None => {
                let object = self.state.memory.get(**slot);
                object.is_some_and(|object| object.made == self.schedule.place)
            }
        };
        let found = *blocks.iter().find(is_it)?;
        self.lost = number(&found);
        Some(found)
    }

    /// Takes note of the types that an instruction accesses blocks of the heap with.
    pub(super) fn note_views(&mut self, thread: ThreadId, next: Next) {
        let Next::Instr(instr) = next else {
            return;
        };
        if self.purpose != Purpose::Learn {
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
