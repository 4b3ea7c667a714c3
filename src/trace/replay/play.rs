//! Execution of a schedule of one line: the program and the line are all that is needed.

use super::answers::Source;
use super::record::Ending;
use super::{Divergence, LOCAL_INSTRUCTIONS, Reason, Replay, twice};
use crate::base::Loc;
use crate::event::ThreadId;
use crate::ir::address::AddressSpace;
use crate::ir::{Check, InstrKind, Program, Property, Undefined};
use crate::trace::interpret::Interpreter;
use crate::trace::interpret::digest::Digests;
use crate::trace::interpret::lookup::Next;
use crate::trace::interpret::state::Status;
use crate::trace::tape::{End, Tape, Turn, is_step};
use crate::trace::{Schedule, Trace};
use hashbrown::HashMap;

/// Executes a schedule of one line; the trace ends with the violation.
///
/// # Errors
/// The program does not come to a violation of the check in this way.
pub fn play(program: &Program, tape: &Tape) -> Result<Trace, Divergence> {
    played(program, tape).map(|(trace, _)| trace)
}

/// The trace of a schedule of one line, and its end.
pub(super) fn played(
    program: &Program,
    tape: &Tape,
) -> Result<(Trace, Option<Ending>), Divergence> {
    let Some(space) = space(program, tape) else {
        return Err(Divergence {
            step: 0,
            thread: ThreadId(0),
            loc: Loc::NONE,
            why: Reason::NotRunning,
        });
    };
    let schedule = unscheduled(tape, space);
    let mut replay = twice(|known| {
        let mut replay = Replay::new(program, &schedule, Source::Tape(tape), known);
        replay.lost = tape.lost;
        replay.play(tape)?;
        Ok(replay)
    })?;
    let ended = replay.ended.clone();
    replay.trace.tape = ended.as_ref().map(|ending| Box::new(replay.tape(ending)));
    Ok((replay.trace, ended))
}

/// The address space of an execution; `None` if it is none for this program.
fn space(program: &Program, tape: &Tape) -> Option<AddressSpace> {
    let usual = Interpreter::usual_space(program)?;
    let Some(offset_bits) = tape.offset_bits else {
        return Some(usual);
    };
    let is_one = offset_bits >= usual.offset_bits && offset_bits + 8 <= usual.pointer_bits;
    is_one.then_some(AddressSpace {
        offset_bits,
        ..usual
    })
}

/// A schedule without steps: what an interpreter needs to know before it begins.
fn unscheduled(tape: &Tape, space: AddressSpace) -> Schedule {
    Schedule {
        space,
        threads: vec![None],
        steps: Vec::new(),
        memory_model: tape.memory,
        visible: Vec::new(),
        kept: Vec::new(),
        blocked: Default::default(),
        parts: HashMap::new(),
        inputs: HashMap::new(),
        memory: HashMap::new(),
        slots: HashMap::new(),
        used_slots: 1,
        bases: HashMap::new(),
        rival: None,
        violation: violated(tape),
        place: Loc::NONE,
    }
}

/// A property of the check; of values that were never set, just that one.
fn violated(tape: &Tape) -> Property {
    let why = match tape.check {
        Check::Assert => return Property::Assertion,
        Check::Race => return Property::Race,
        Check::Deadlock => return Property::Deadlock,
        Check::Leak => return Property::Lost,
        Check::Cleanup => return Property::Unfreed,
        Check::Memory => Undefined::InvalidAccess,
        Check::Undefined if tape.needs_value => Undefined::Indeterminate,
        Check::Undefined => Undefined::DivisionByZero,
        Check::Misuse => Undefined::ThreadHandle,
        Check::Overflow => Undefined::Overflow,
    };
    Property::Defined(why)
}

impl<'p> Replay<'p, '_> {
    /// Makes all moves, and comes to the violation.
    pub(super) fn play(&mut self, tape: &Tape) -> Result<(), Divergence> {
        self.is_played = true;
        self.end = None;
        let (thread, last) = match tape.moves.last() {
            Some(Turn::Steps(thread, _)) if tape.end == End::Step => {
                (*thread, tape.moves.len() - 1)
            }
            _ => (ThreadId(0), tape.moves.len()),
        };
        for (index, turn) in tape.moves.iter().enumerate() {
            self.step = index;
            match *turn {
                Turn::Steps(thread, count) => {
                    for left in (0..count).rev() {
                        if self.played_step(tape, thread, index == last && left == 0)? {
                            return Ok(());
                        }
                    }
                }
                Turn::Commit(thread, number) => self.played_commit(thread, number)?,
            }
        }
        match &tape.end {
            End::Step => {
                for _ in 0..LOCAL_INSTRUCTIONS {
                    if is_step(self.standing(thread)?) {
                        break;
                    }
                    if self.played(tape, thread, true)?.1 {
                        return Ok(());
                    }
                }
                Err(self.diverged(thread, Reason::NoViolation))
            }
            End::Race(rival, thread) => {
                for id in [*rival, *thread] {
                    while !is_step(self.standing(id)?) {
                        self.played(tape, id, false)?;
                    }
                }
                self.judge_race(*thread, *rival)
            }
            End::Deadlock(thread, behind) => {
                for (id, count) in behind {
                    for _ in 0..*count {
                        self.played(tape, *id, false)?;
                    }
                }
                if !self.state.exists(*thread) {
                    return Err(self.diverged(*thread, Reason::NotRunning));
                }
                let mut digests = Digests::new(self.interpreter.program);
                match self.judge_deadlock(*thread, &mut digests)? {
                    true => Ok(()),
                    false => Err(self.diverged(*thread, Reason::NoViolation)),
                }
            }
        }
    }

    /// A step of a thread with the instructions before it; true if it violates what it is to.
    fn played_step(
        &mut self,
        tape: &Tape,
        thread: ThreadId,
        is_last: bool,
    ) -> Result<bool, Divergence> {
        for _ in 0..LOCAL_INSTRUCTIONS {
            let (is_step, violated) = self.played(tape, thread, is_last)?;
            if violated || is_step {
                return Ok(violated);
            }
        }
        Err(self.diverged(thread, Reason::Endless))
    }

    /// An instruction of a thread: whether it is a step, and whether it violates what it is to.
    fn played(
        &mut self,
        tape: &Tape,
        thread: ThreadId,
        is_last: bool,
    ) -> Result<(bool, bool), Divergence> {
        let next = self.standing(thread)?;
        let is_meeting = matches!(tape.end, End::Race(..));
        if let Some(inside) = self
            .inside
            .filter(|inside| *inside != thread && !is_meeting)
        {
            return Err(self.diverged(thread, Reason::InSection(inside)));
        }
        let frame = self.state.frame(thread);
        let at = (thread, frame.position());
        match next {
            Next::Instr(InstrKind::Spawn { .. }) if self.choices.are_on_tape() => {
                let created = self.record.creations();
                let usual = (created as u32 + 1, true);
                let (child, runs) = tape.threads.get(created).copied().unwrap_or(usual);
                self.interpreter.number_thread(at, ThreadId(child), runs);
            }
            Next::Instr(InstrKind::Block { .. })
                if frame.part == 0 && self.choices.are_on_tape() =>
            {
                let block = self.record.blocks();
                let known = tape.stops.iter().find(|(number, _)| *number == block);
                let at = (thread, frame.instruction());
                if let Some((_, stops)) = known {
                    self.interpreter.stop_at(at, stops.clone());
                }
            }
            _ => {}
        }
        if is_last {
            self.end = Some(at);
        }
        self.allowance = self.allowance.saturating_sub(1);
        if self.allowance == 0 {
            return Err(self.diverged(thread, Reason::Endless));
        }
        let asked = self.choices.given.count();
        let violated = self.instruction(thread)?;
        Ok((
            is_step(next) || self.choices.given.count() > asked,
            violated,
        ))
    }

    /// Next instruction of a thread that runs.
    fn standing(&self, thread: ThreadId) -> Result<Next<'p>, Divergence> {
        let runs = self.state.exists(thread) && self.state.thread(thread).status == Status::Running;
        if !runs {
            return Err(self.diverged(thread, Reason::NotRunning));
        }
        Ok(self.interpreter.next(&self.state, thread).0)
    }

    fn played_commit(&mut self, thread: ThreadId, number: usize) -> Result<(), Divergence> {
        let waits = self.state.exists(thread) && number < self.state.thread(thread).buffer.len();
        if !waits {
            return Err(self.diverged(thread, Reason::OutOfTurn));
        }
        self.commit_entry(thread, number)
    }
}
