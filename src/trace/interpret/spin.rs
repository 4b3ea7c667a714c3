//! Spinning: a thread that runs alone, in loops, and always comes back to the state that it was in.
//!
//! Whatever it chooses, it neither blocks nor ends nor stops on its way, and at no point of the way a thread that was blocked can go
//! on, nor another one do anything but spin, too: a thread that gives a mutex back that others wait for is no end of everything. Where
//! bounds on loops and recursion cut, it goes on, as they say nothing of what the thread does.

use super::lookup::Next;
use super::script::Script;
use super::stand::{Question, Stand};
use super::state::{State, Status};
use super::{Effect, Interpreter};
use crate::base::Loc;
use crate::event::ThreadId;
use crate::ir::{BlockId, InstrKind};

/// Instructions of all ways round.
const INSTRUCTIONS: usize = 20_000;

/// Loop of a thread: the activation that it is in, by its place on the stack, and its head.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Loop {
    pub depth: usize,
    /// Place in the order of the function's blocks, which the loops around come before.
    order: u32,
    pub head: BlockId,
}

impl Question<'_, '_> {
    /// The outermost loop in which a thread spins, if it does; `others` are those that have not ended, with whether they are blocked.
    pub fn spin(
        &mut self,
        state: &State,
        thread: ThreadId,
        others: &[(ThreadId, bool)],
    ) -> Result<Option<Loop>, Effect> {
        let bounds = self.interpreter.bounds;
        self.interpreter.bounds.unwind = None;
        self.interpreter.bounds.recursion = None;
        let found = self.ways_round(state, thread, others);
        self.interpreter.bounds = bounds;
        found
    }

    fn ways_round(
        &mut self,
        start: &State,
        thread: ThreadId,
        others: &[(ThreadId, bool)],
    ) -> Result<Option<Loop>, Effect> {
        let digest = self.digests.of(self.interpreter, start);
        let mut script = Script::new(self.domain);
        let mut budget = INSTRUCTIONS;
        let mut outermost: Option<Loop> = None;
        loop {
            let way = (start, digest, others);
            let begin = start.clone();
            let Way::Back(found) = self.way_round(way, begin, thread, &mut script, &mut budget)?
            else {
                return Ok(None);
            };
            outermost = Some(outermost.map_or(found, |known| known.min(found)));
            if !script.advance() {
                return Ok(outermost);
            }
        }
    }

    /// One way round, from somewhere on it.
    fn way_round(
        &mut self,
        (start, digest, others): (&State, u128, &[(ThreadId, bool)]),
        mut state: State,
        thread: ThreadId,
        script: &mut Script,
        budget: &mut usize,
    ) -> Result<Way, Effect> {
        let mut outermost: Option<Loop> = None;
        // Times that it follows the back edge of that.
        let mut turns = 0;
        let mut changed = false;
        let mut changed_any = false;
        while *budget > 0 {
            *budget -= 1;
            let before = (state.thread(thread).frames.len(), state.frame(thread).block);
            let next = self.interpreter.next(&state, thread).0;
            let digests = &mut *self.digests;
            let effect = digests.execute(self.interpreter, &mut state, thread, script);
            match effect {
                Effect::Misplaced(_) | Effect::Unwatched(_) => return Err(effect),
                Effect::Blocked if !changed_any && state.thread(thread).section == 0 => {
                    return Ok(Way::Waits(state));
                }
                Effect::Blocked
                | Effect::End
                | Effect::Create { .. }
                | Effect::CreateBeyond { .. } => return Ok(Way::None),
                _ => {}
            }
            if state.thread(thread).status != Status::Running {
                return Ok(Way::None);
            }
            changed |= may_change(next, &effect);
            changed_any |= changed;
            if let Next::End(_) = next
                && let Some(found) = self.interpreter.back_edge(&state, thread, before)
            {
                match outermost {
                    Some(known) if known < found => {}
                    Some(known) if known == found => turns += 1,
                    _ => (outermost, turns) = (Some(found), 1),
                }
                // What takes two iterations to come back has changed something in the first.
                if turns > 1 {
                    return Ok(Way::None);
                }
            }
            if state.thread(thread).section > 0 {
                continue;
            }
            if is_back(start, &state, thread) && self.digests.of(self.interpreter, &state) == digest
            {
                return Ok(outermost.map_or(Way::None, Way::Back));
            }
            if std::mem::take(&mut changed) && !self.all_stay(start, &state, others)? {
                return Ok(Way::None);
            }
        }
        self.domain.give_up();
        Ok(Way::None)
    }

    /// True if a thread spins beside another one that is on its way round: alone, or as far as a step that waits, and on from there as soon
    /// as the other one is round.
    fn spins_beside(
        &mut self,
        start: &State,
        state: &State,
        thread: ThreadId,
    ) -> Result<bool, Effect> {
        let digests = [start, state].map(|state| self.digests.of(self.interpreter, state));
        let mut script = Script::new(self.domain);
        let mut budget = INSTRUCTIONS;
        loop {
            let way = (state, digests[1], &[][..]);
            let begin = state.clone();
            let is_round = match self.way_round(way, begin, thread, &mut script, &mut budget)? {
                Way::Back(_) => true,
                Way::Waits(waiting) => {
                    let mut on = start.clone();
                    *on.thread_mut(thread) = waiting.thread(thread).clone();
                    let way = (start, digests[0], &[][..]);
                    let way = self.way_round(way, on, thread, &mut script, &mut budget)?;
                    matches!(way, Way::Back(_))
                }
                Way::None => false,
            };
            if !is_round || !script.advance() {
                return Ok(is_round);
            }
        }
    }

    /// True if threads that were blocked where a thread began its way still are where it is now, and the others are now, or spin.
    fn all_stay(
        &mut self,
        start: &State,
        state: &State,
        threads: &[(ThreadId, bool)],
    ) -> Result<bool, Effect> {
        for &(thread, was_blocked) in threads {
            let stays = match self.stand(state, thread)? {
                Stand::Moves if was_blocked => false,
                Stand::Moves => self.spins_beside(start, state, thread)?,
                Stand::Blocked(_) | Stand::Ended | Stand::Exited | Stand::Halted => true,
            };
            if !stays {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// End of a way round.
enum Way {
    /// It is round; the outermost loop that it follows.
    Back(Loop),
    /// The thread waits, and has changed nothing so far.
    Waits(State),
    None,
}

/// True if a thread stands where it stood.
fn is_back(start: &State, state: &State, thread: ThreadId) -> bool {
    let (then, now) = (start.frame(thread), state.frame(thread));
    let depths = [start, state].map(|state| state.thread(thread).frames.len());
    depths[0] == depths[1]
        && (then.function, then.block, then.index, then.part)
            == (now.function, now.block, now.index, now.part)
}

/// True if an instruction may have changed what other threads can see.
fn may_change(next: Next, effect: &Effect) -> bool {
    match (next, effect) {
        (Next::End(_), _) => false,
        (_, Effect::TryLock { taken, .. }) => *taken,
        (_, Effect::Update { old, new, .. }) => old != new,
        (Next::Instr(instr), _) => !matches!(
            instr,
            InstrKind::Assign { .. }
                | InstrKind::Load { .. }
                | InstrKind::Call { .. }
                | InstrKind::Nondet { .. }
                | InstrKind::AtomicBegin { .. }
                | InstrKind::AtomicEnd
                | InstrKind::Wait { .. }
                | InstrKind::Assume { .. }
                | InstrKind::Assert { .. }
                | InstrKind::Defined { .. }
        ),
    }
}

impl Interpreter<'_> {
    /// The loop whose back edge a thread has just followed, if it has: `before` is where it stood, as depth and block.
    fn back_edge(&self, state: &State, thread: ThreadId, before: (usize, BlockId)) -> Option<Loop> {
        let (depth, from) = before;
        let frame = state.frame(thread);
        let loops = &self.loops[frame.function];
        let stays = state.thread(thread).frames.len() == depth && frame.index == 0;
        (stays && loops.is_back_edge(from, frame.block)).then(|| Loop {
            depth: depth - 1,
            order: loops.order[frame.block],
            head: frame.block,
        })
    }

    /// Place of a thread's loop, and of the calls that led there: where its head has something to do first.
    pub fn place_of_loop(&self, state: &State, thread: ThreadId, at: Loop) -> (Loc, Vec<Loc>) {
        let frames = &state.thread(thread).frames[..=at.depth];
        let block = &self.function(&frames[at.depth]).blocks[at.head];
        let mut places = block.instrs.iter().map(|instr| instr.loc);
        let first = places.find(|loc| *loc != Loc::NONE);
        self.place_in(frames, first.unwrap_or(block.end_loc))
    }
}
