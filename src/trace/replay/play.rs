//! Execution of a schedule of one line.

use super::{Divergence, LOCAL_INSTRUCTIONS, Reason, Replay};
use crate::event::ThreadId;
use crate::ir::InstrKind;
use crate::trace::interpret::digest::Digests;
use crate::trace::interpret::lookup::Next;
use crate::trace::interpret::state::Status;
use crate::trace::tape::{End, Tape, Turn};

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
                    if self.standing(thread)?.is_step() {
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
                    while !self.standing(id)?.is_step() {
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
                let known = tape
                    .stops
                    .binary_search_by_key(&block, |(number, _)| *number);
                let at = (thread, frame.instruction());
                if let Ok(index) = known {
                    self.interpreter.stop_at(at, tape.stops[index].1.clone());
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
        let violated = self.instruction(thread)?;
        Ok((self.record.has_just_stepped(thread), violated))
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
