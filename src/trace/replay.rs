//! Runs a schedule in the interpreter, so that nothing an encoding claims has to be believed.

use super::interpret::arithmetic::mask;
use super::interpret::lookup::Next;
use super::interpret::state::{Pending, State, Status};
use super::interpret::stop::{Misplaced, Stop};
use super::interpret::word::Word;
use super::interpret::{Choices, Effect, Interpreter};
use super::name::{Named, name};
use super::reuse::{Allocated, FirstRun, learnt};
use super::{Action, Move, Schedule, Trace, TraceStep, TraceThread, Value};
use crate::base::Loc;
use crate::event::{Cut, Origin, ThreadId};
use crate::ir::position::PosKey;
use crate::ir::ty::Reading;
use crate::ir::{AllocKind, InstrKind, NondetSource, Operand, Program};
use hashbrown::HashMap;

/// Divergence of the program from the schedule: where and how it does not do what the schedule says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// Index into [`Schedule::steps`]; its length if the schedule came to its end without a violation.
    pub step: usize,
    pub thread: ThreadId,
    /// Place in the source at which the thread stands.
    pub loc: Loc,
    pub why: Reason,
}

/// Kinds of divergence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The thread of the step has not been created, or takes no further step.
    NotRunning,
    /// On its way the thread came to a visible instruction that is not its next step.
    OutOfTurn,
    /// The thread blocks, or a false assumption or `exit` stops it.
    Stuck,
    /// The thread is cut.
    Cut(Cut),
    /// Another thread is within an atomic section.
    InSection(ThreadId),
    /// The last step is not a violated assertion.
    NoViolation,
    /// The thread runs local code without end.
    Endless,
    /// The schedule has chosen an impossible machine address for an object.
    Misplaced(Misplaced),
}

impl From<Stop> for Reason {
    fn from(stop: Stop) -> Reason {
        match stop {
            Stop::Undefined(why) => Reason::Cut(Cut::Undefined(why)),
            Stop::Misplaced(why) => Reason::Misplaced(why),
            // A replay watches all objects.
            Stop::Unwatched(_) => Reason::Misplaced(Misplaced::Room),
        }
    }
}

/// Instructions that a thread may execute between two steps of a schedule.
const LOCAL_INSTRUCTIONS: u64 = 100_000_000;

/// Executes a schedule; the trace ends with the violated assertion.
pub fn replay(program: &Program, schedule: &Schedule) -> Result<Trace, Divergence> {
    let first = run(program, schedule, FirstRun::default())?;
    // Only at the end it is known how many objects the heap had, and who came to be in whose place.
    let known = learnt(program, &first.state.lives, &first.allocated);
    if known.is_empty() {
        Ok(first.trace)
    } else {
        Ok(run(program, schedule, known)?.trace)
    }
}

/// Cut at which a schedule ends; `None` if it ends otherwise.
pub fn ending(program: &Program, schedule: &Schedule) -> Option<Cut> {
    match run(program, schedule, FirstRun::default()).err()?.why {
        Reason::Cut(cut) => Some(cut),
        _ => None,
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
        known,
    };
    let main = program.functions[program.main].name.clone();
    replay.trace.threads.push(TraceThread {
        function: main,
        created_at: None,
    });
    for &step in &schedule.steps {
        let violated = match step {
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
    known: FirstRun,
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

    /// Records that stores have reached memory.
    fn show_commits(&mut self, thread: ThreadId, committed: Vec<Pending>) {
        for entry in committed {
            let Some(Some((loc, calls, function))) = self.issued.get(&(thread, entry.position))
            else {
                continue;
            };
            let Named { place, reading } = self.name(entry.address, entry.bits);
            self.trace.steps.push(TraceStep {
                thread,
                loc: *loc,
                calls: calls.clone(),
                function: function.clone(),
                atomic: false,
                action: Action::Commit {
                    place,
                    value: self.shown(entry.value, entry.bits, reading),
                },
            });
        }
    }

    fn name(&self, address: u64, bits: u16) -> Named {
        let numbers = &self.known.numbers;
        let named = name(&self.interpreter, &self.state, numbers, (address, bits));
        named.unwrap_or_else(|| Named {
            place: format!("{address:#x}"),
            reading: Reading::Unsigned,
        })
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
        let effect = self
            .interpreter
            .execute(&mut self.state, thread, &mut self.choices);
        let running = self.state.thread(thread);
        self.inside = (running.status == Status::Running && running.section > 0)
            .then_some(thread)
            .or(self.inside.filter(|inside| *inside != thread));
        let violated = matches!(effect, Effect::Violation { .. });
        match effect {
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
        let reuse = self.allocation(thread, next);
        let action = reuse.or_else(|| self.action(thread, next, local, effect));
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

    /// Takes note of what a thread has just allocated; what is said of it, if it is where something else was.
    fn allocation(&mut self, thread: ThreadId, next: Next) -> Option<Action> {
        let Next::Instr(InstrKind::Alloc { dst, kind, .. }) = next else {
            return None;
        };
        let address = self.state.frame(thread).word(*dst).value;
        let (slot, _, object) = self.interpreter.object(&self.state, address)?;
        let heap = !matches!(kind, AllocKind::Stack { .. });
        self.allocated.push(Allocated {
            slot,
            origin: object.origin,
            heap,
        });
        self.known.reused.get(&object.origin).cloned()
    }

    /// The same of a new thread's own variables.
    fn own_variables(&mut self, child: ThreadId) -> Vec<Action> {
        let mut reused = Vec::new();
        for (slot, origin) in self.interpreter.own_variables(&self.state, child) {
            self.allocated.push(Allocated {
                slot,
                origin,
                heap: false,
            });
            reused.extend(self.known.reused.get(&origin).cloned());
        }
        reused
    }

    fn name_thread(&mut self, child: ThreadId, loc: Loc) {
        let index = child.0 as usize;
        let threads = &mut self.trace.threads;
        if threads.len() <= index {
            threads.resize(
                index + 1,
                TraceThread {
                    function: String::new(),
                    created_at: None,
                },
            );
        }
        let function = self
            .interpreter
            .function(self.state.frame(child))
            .name
            .clone();
        threads[index] = TraceThread {
            function,
            created_at: Some(loc),
        };
    }

    /// Place of a step: position, calls and function. A step within a model of the library has no place in the program
    /// but that of the call.
    fn place(&self, thread: ThreadId, loc: Loc) -> (Loc, Vec<Loc>, String) {
        let mut calls = self.calls(thread);
        let (mut depth, mut loc) = (calls.len(), loc);
        while loc == Loc::NONE
            && let Some(caller) = calls.pop()
        {
            (depth, loc) = (depth - 1, caller);
        }
        let frame = &self.state.thread(thread).frames[depth];
        let function = self.interpreter.function(frame).name.clone();
        (loc, calls, function)
    }

    fn calls(&self, thread: ThreadId) -> Vec<Loc> {
        let frames = &self.state.thread(thread).frames;
        let callers = &frames[..frames.len() - 1];
        let instr = |frame: &super::interpret::state::Frame| {
            let block = &self.interpreter.function(frame).blocks[frame.block];
            block
                .instrs
                .get(frame.index)
                .map_or(block.end_loc, |instr| instr.loc)
        };
        callers.iter().map(instr).collect()
    }

    /// Action to show of an instruction; `None` if there is none.
    fn action(&self, thread: ThreadId, next: Next, local: bool, effect: Effect) -> Option<Action> {
        let place = |address: u64, bits: u16| self.name(address, bits);
        Some(match effect {
            Effect::Assigned => self.local(thread, next)?,
            Effect::Read { .. } if local => self.local(thread, next)?,
            Effect::Read {
                address,
                bits,
                value,
            } => {
                let Named { place, reading } = place(address, bits);
                let value = self.shown(value, bits, reading);
                Action::Read { place, value }
            }
            Effect::Write {
                address,
                bits,
                value,
            }
            | Effect::Issue {
                address,
                bits,
                value,
            } => {
                let issued = matches!(effect, Effect::Issue { .. });
                let Named { place, reading } = place(address, bits);
                let value = self.shown(value, bits, reading);
                if local {
                    Action::Local { name: place, value }
                } else if issued {
                    Action::Issue { place, value }
                } else {
                    Action::Write { place, value }
                }
            }
            Effect::Update {
                address,
                bits,
                old,
                new,
            } => {
                let Named { place, reading } = place(address, bits);
                let old = self.shown(old, bits, reading);
                let new = self.shown(new, bits, reading);
                Action::Update { place, old, new }
            }
            Effect::Input { bits, value } => match next {
                // What an uninitialised variable holds matters where it is read.
                Next::Instr(InstrKind::Nondet {
                    source: NondetSource::Uninitialised,
                    ..
                }) => return None,
                Next::Instr(InstrKind::Nondet { dst, .. }) => {
                    let reading = self
                        .register(thread, Operand::Reg(*dst))
                        .map_or(Reading::Unsigned, |info| info.reading);
                    Action::Input {
                        value: Value {
                            bits,
                            value,
                            reading,
                        },
                    }
                }
                _ => Action::Input {
                    value: Value {
                        bits,
                        value,
                        reading: Reading::Signed,
                    },
                },
            },
            Effect::Create { child } | Effect::CreateBeyond { child } => Action::Create { child },
            Effect::Join { child } => Action::Join { child },
            Effect::End => Action::End,
            Effect::Lock { address } => Action::Lock {
                place: place(address, 8).place,
            },
            Effect::TryLock { address, taken } => Action::TryLock {
                place: place(address, 8).place,
                taken,
            },
            Effect::Unlock { address } => Action::Unlock {
                place: place(address, 8).place,
            },
            Effect::Fence => Action::Fence,
            Effect::AtomicBegin => Action::AtomicBegin,
            Effect::AtomicEnd => Action::AtomicEnd,
            Effect::Violation { property } => Action::Violation { property },
            Effect::Quiet
            | Effect::Held
            | Effect::Blocked
            | Effect::Stopped
            | Effect::Cut(_)
            | Effect::Misplaced(_)
            | Effect::Unwatched(_) => return None,
        })
    }

    /// The assignment of a named register.
    fn local(&self, thread: ThreadId, next: Next) -> Option<Action> {
        let Next::Instr(instr) = next else {
            return None;
        };
        let (InstrKind::Assign { dst, .. }
        | InstrKind::Load { dst, .. }
        | InstrKind::ThreadSelf { dst }) = instr
        else {
            return None;
        };
        let info = self.register(thread, Operand::Reg(*dst))?;
        let word = self.state.frame(thread).word(*dst);
        let name = info.name.clone()?;
        let value = self.shown(word, info.bits, info.reading);
        Some(Action::Local { name, value })
    }

    /// A value as traces show it: a pointer as its machine address, if that has been looked at.
    fn shown(&self, word: Word, bits: u16, reading: Reading) -> Value {
        let wide = self.interpreter.space.pointer_bits;
        let mut shown = word;
        for index in word.marked() {
            let address = word.lane(index, wide).value;
            if let Some(number) = self.interpreter.known_machine(&self.state, address) {
                shown = shown.with_lane(index, wide, Word::number(number));
            }
        }
        Value {
            bits,
            value: shown.value,
            reading,
        }
    }

    fn register(&self, thread: ThreadId, operand: Operand) -> Option<&crate::ir::RegInfo> {
        let Operand::Reg(reg) = operand else {
            return None;
        };
        self.interpreter
            .function(self.state.frame(thread))
            .regs
            .get(reg)
    }
}
