//! Log of a replay: every instruction of an execution, by its place in the program's text, for who makes the same happen outside the
//! interpreter.

use super::answers::Source;
use super::executed::{Executed, Kind};
use super::run::{space, unscheduled};
use super::{Divergence, Purpose, Replay};
use crate::base::Loc;
use crate::event::ThreadId;
use crate::ir::{InstrKind, Origin, Program, Property, Terminator};
use crate::trace::interpret::Effect;
use crate::trace::interpret::code::Code;
use crate::trace::interpret::lookup::Next;
use crate::trace::interpret::requests::Requests;
use crate::trace::interpret::state::Status;
use crate::trace::reuse::FirstRun;
use crate::trace::tape::Tape;

/// Instructions of each thread behind the end that are looked at, and steps that others may notice among them.
const MOST_NEXT: usize = 10_000;
const MOST_STEPS: usize = 100;

/// Execution as a log.
#[derive(Clone, Debug)]
pub struct Log {
    /// Instructions, in the order in which they are executed.
    pub executed: Vec<Executed>,
    /// Next instructions of each thread if it went on alone, by its number: some instructions, up to one at which it is blocked.
    pub next: Vec<Vec<Executed>>,
}

/// Executes a schedule of one line, and logs it.
///
/// # Errors
/// The program does not come to a violation of the check in this way.
pub fn logged(program: &Program, tape: &Tape) -> Result<Log, Divergence> {
    let Some(space) = space(program, tape) else {
        return Err(Divergence::nowhere());
    };
    let schedule = unscheduled(tape, space);
    let known = (Purpose::Try, FirstRun::default());
    let mut replay = Replay::new(&Code::of(program), &schedule, Source::Tape(tape), known);
    let requests = Requests::expecting(&tape.slots, &tape.bases);
    replay.interpreter.requests = Some(Box::new(requests));
    replay.log = Some(Vec::new());
    replay.begin();
    replay.lost = tape.lost;
    replay.play(tape)?;
    let executed = replay.log.take().unwrap_or_default();
    let numbers = executed.iter().filter_map(|one| match one.kind {
        Kind::Create(child) => Some(child.0),
        _ => None,
    });
    let last = numbers.max().unwrap_or(0);
    let next = (0..=last).map(|number| replay.next_steps(ThreadId(number)));
    let next = next.collect();
    Ok(Log { executed, next })
}

impl Replay<'_, '_> {
    /// The next instruction of a thread.
    pub(super) fn standing_at(&mut self, thread: ThreadId, next: Next) -> Executed {
        let races = self.schedule.violation == Property::Race;
        let in_section = self.state.thread(thread).section > 0;
        let is_noticed = !in_section && self.interpreter.is_noticed(&self.state, thread, races);
        let (_, loc) = self.interpreter.next(&self.state, thread);
        let (loc, calls) = self.interpreter.place_of(&self.state, thread, loc);
        let frames = &self.state.thread(thread).frames;
        let depth = calls.len() + 1;
        let frame = &frames[depth - 1];
        let any = |access: &crate::ir::Access| access.align_bytes == 1;
        let (kind, end) = match next {
            Next::Instr(InstrKind::Load { access, .. }) => (Kind::Load(any(access)), access.end),
            Next::Instr(InstrKind::Store { access, .. }) => (Kind::Store(any(access)), access.end),
            Next::Instr(InstrKind::Unlock { .. }) => (Kind::Unlock, Loc::NONE),
            Next::Instr(InstrKind::Join { .. }) => (Kind::Join, Loc::NONE),
            Next::Instr(InstrKind::Call { .. }) => (Kind::Call, Loc::NONE),
            Next::Instr(InstrKind::Nondet { source, .. }) => (Kind::Input(*source, 0), Loc::NONE),
            Next::End(end) if is_last(end, frames.len()) => (Kind::End, Loc::NONE),
            Next::Instr(
                InstrKind::Note { .. }
                | InstrKind::SetNote { .. }
                | InstrKind::SyncUse { .. }
                | InstrKind::AtomicBegin { .. }
                | InstrKind::AtomicEnd
                | InstrKind::Fence { .. }
                | InstrKind::Wait { .. }
                | InstrKind::Pointers(_),
            ) => (Kind::Other, Loc::NONE),
            Next::Instr(_) if next.is_step() => (Kind::Effect, Loc::NONE),
            _ => (Kind::Other, Loc::NONE),
        };
        let is_model = |frame: &crate::trace::interpret::state::Frame| {
            self.interpreter.function(frame).origin != Origin::Program
        };
        Executed {
            thread,
            loc,
            end,
            depth,
            at: (frame.function, frame.block, frame.index),
            within: frames[depth..].iter().any(is_model),
            is_step: next.is_step() && !is_own(next, frames.len()),
            is_noticed,
            in_section,
            kind,
        }
    }

    /// Logs an instruction that has been executed.
    pub(super) fn log_executed(&mut self, executed: Option<Executed>, effect: &Effect) {
        let (Some(log), Some(mut executed)) = (&mut self.log, executed) else {
            return;
        };
        match effect {
            Effect::Input { value, .. } => {
                if let Kind::Input(_, known) = &mut executed.kind {
                    *known = *value;
                }
            }
            Effect::Create { child } | Effect::CreateBeyond { child } => {
                executed.kind = Kind::Create(*child);
            }
            Effect::End => executed.kind = Kind::End,
            _ => {}
        }
        log.push(executed);
    }

    /// Next instructions of a thread that goes on alone, up to some steps that others may notice.
    fn next_steps(&mut self, thread: ThreadId) -> Vec<Executed> {
        let mut found: Vec<Executed> = Vec::new();
        let mut steps = 0;
        while found.len() < MOST_NEXT && steps < MOST_STEPS {
            if !self.state.exists(thread) || self.state.thread(thread).status != Status::Running {
                break;
            }
            let (next, _) = self.interpreter.next(&self.state, thread);
            let here = self.standing_at(thread, next);
            steps += usize::from(here.is_step);
            found.push(here);
            let effect = self
                .interpreter
                .execute(&mut self.state, thread, &mut self.choices);
            if !is_passed(&effect) {
                break;
            }
        }
        found
    }
}

/// True if what an instruction does is for its thread alone: a new object, the end of a variable or of a call, or a choice.
fn is_own(next: Next, frames: usize) -> bool {
    match next {
        Next::Instr(instr) => matches!(
            instr,
            InstrKind::Alloc { .. } | InstrKind::EndLife { .. } | InstrKind::Nondet { .. }
        ),
        Next::End(end) => !is_last(end, frames),
    }
}

/// True if a thread ends where a block does, with so many functions on its stack.
fn is_last(end: &Terminator, frames: usize) -> bool {
    match end {
        Terminator::Return(_) => frames == 1,
        Terminator::ThreadExit(_) => true,
        _ => false,
    }
}

/// True if a thread goes on behind an instruction that nobody notices.
fn is_passed(effect: &Effect) -> bool {
    !matches!(
        effect,
        Effect::Violation { .. }
            | Effect::Blocked
            | Effect::Stopped
            | Effect::Cut(_)
            | Effect::Misplaced(_)
            | Effect::Unwatched(_)
    )
}
