//! Spinning: a thread that runs alone, in loops, and always comes back to the state that it was in, whatever it chooses.
//!
//! Several threads that spin, beside others that are blocked, are all stuck if nothing comes of what each of them changes for a while,
//! as a mutex that it takes and gives back: where all of them stand at the heads of their loops, each comes round alone; and in every
//! state that they can reach from there, whatever the order of their steps, those who were blocked still are, and each of the others is
//! in its loop; and where it stands at the head, it comes round alone or is blocked within the loop. Where bounds on loops and recursion cut, a thread goes on, as they say nothing of what it does.

use super::lookup::Next;
use super::script::Script;
use super::stand::{Cause, Question, Stand};
use super::state::{State, Status};
use super::{Effect, Interpreter};
use crate::base::Loc;
use crate::base::sorted::SortedSet;
use crate::event::ThreadId;
use crate::ir::{BlockId, InstrKind, Note};
use hashbrown::HashSet;

/// Instructions of all ways round of one thread.
const INSTRUCTIONS: usize = 20_000;
/// Instructions of all ways round of threads that spin together.
const ALL_INSTRUCTIONS: usize = 500_000;

/// Loop of a thread: the activation that it is in, by its place on the stack, and its head.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Loop {
    pub depth: usize,
    /// Place in the order of the function's blocks, which the loops around come before.
    order: u32,
    pub head: BlockId,
}

/// Spin of a thread that runs alone.
#[derive(Clone, Debug)]
pub struct Spin {
    /// The outermost loop.
    pub at: Loop,
    /// What it changes for a while.
    pub changes: Changes,
}

/// What others can see of a thread that comes round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Changes {
    /// Mutexes that it takes or gives back, by their addresses. It looks at none without taking it.
    Mutexes(SortedSet<u64>),
    /// Anything.
    Any,
}

impl Changes {
    fn none() -> Changes {
        Changes::Mutexes(SortedSet::new())
    }

    fn add(&mut self, other: Changes) {
        match (&mut *self, other) {
            (Changes::Mutexes(own), Changes::Mutexes(other)) => own.extend(other),
            _ => *self = Changes::Any,
        }
    }

    /// True if it changes nothing.
    fn is_none(&self) -> bool {
        matches!(self, Changes::Mutexes(own) if own.is_empty())
    }
}

/// Fate of threads that spin beside each other and beside others that are blocked.
#[derive(Debug)]
pub enum Together {
    /// All of them are stuck.
    Stuck,
    /// Somebody gets out of it.
    Free,
    /// State in which those who spin stand at the heads of their loops, and others go on that were blocked: the question is asked from there.
    Heads(Box<State>),
}

/// End of a way round.
enum Way {
    /// It is round.
    Back(Spin),
    /// The thread is blocked on its way.
    Waits,
    /// It leaves its loop, ends, or is somewhere else.
    None,
}

impl Question<'_, '_> {
    /// How a thread spins that runs alone, if it does.
    pub fn spin(&mut self, state: &State, thread: ThreadId) -> Result<Option<Spin>, Effect> {
        self.without_bounds(|question| {
            let mut budget = INSTRUCTIONS;
            let mut all: Option<Spin> = None;
            let mut script = Script::new(question.domain);
            loop {
                let way = question.way_round(state, (thread, None), &mut script, &mut budget)?;
                let Way::Back(found) = way else {
                    return Ok(None);
                };
                match &mut all {
                    Some(so_far) => {
                        so_far.at = so_far.at.min(found.at);
                        so_far.changes.add(found.changes);
                    }
                    None => all = Some(found),
                }
                if !script.advance() {
                    return Ok(all);
                }
            }
        })
    }

    /// Fate of threads that spin alone, beside others that are blocked.
    ///
    /// Where mutexes are all that they change, which nobody looks at without taking it, each does as it would alone, or waits, whatever the
    /// others do.
    pub fn all_spin_on(
        &mut self,
        start: &State,
        waiting: &[(ThreadId, &[Cause])],
        spins: &[(ThreadId, Spin)],
    ) -> Result<Together, Effect> {
        let mut changes = Changes::none();
        for (_, spin) in spins {
            changes.add(spin.changes.clone());
        }
        if changes.is_none() {
            return Ok(Together::Stuck);
        }
        if let Changes::Mutexes(taken) = changes {
            let is_apart = |cause: &Cause| match cause {
                Cause::Mutex { address } => !taken.contains(address),
                Cause::Join { .. } => true,
                Cause::Lock { .. } | Cause::Wait => false,
            };
            let mut causes = waiting.iter().flat_map(|(_, causes)| causes.iter());
            if causes.all(is_apart) {
                return Ok(Together::Stuck);
            }
        }
        let blocked: Vec<ThreadId> = waiting.iter().map(|(thread, _)| *thread).collect();
        let spinning: Vec<(ThreadId, Loop)> = spins
            .iter()
            .map(|(thread, spin)| (*thread, spin.at))
            .collect();
        let Some(start) = self.at_heads(start, &spinning)? else {
            return Ok(Together::Free);
        };
        for thread in &blocked {
            if self.stand(&start, *thread)? == Stand::Moves {
                return Ok(Together::Heads(Box::new(start)));
            }
        }
        let stuck = self.are_stuck(&start, &blocked, &spinning)?;
        Ok(if stuck {
            Together::Stuck
        } else {
            Together::Free
        })
    }

    /// True if in every state that threads can reach from the heads of their loops, they are still in them and the others blocked.
    fn are_stuck(
        &mut self,
        start: &State,
        blocked: &[ThreadId],
        spinning: &[(ThreadId, Loop)],
    ) -> Result<bool, Effect> {
        self.without_bounds(|question| {
            let mut budget = ALL_INSTRUCTIONS;
            let mut seen: HashSet<u128> = HashSet::new();
            let mut stack = vec![start.clone()];
            while let Some(state) = stack.pop() {
                if !seen.insert(question.digests.of(question.interpreter, &state)) {
                    continue;
                }
                for thread in blocked {
                    if !matches!(question.stand(&state, *thread)?, Stand::Blocked(_)) {
                        return Ok(false);
                    }
                }
                for &(thread, at) in spinning {
                    if is_back(start, &state, thread)
                        && !question.stays_within(&state, (thread, at), &mut budget)?
                        || !question.steps(&state, (thread, at), &mut stack, &mut budget)?
                    {
                        return Ok(false);
                    }
                }
            }
            Ok(true)
        })
    }

    /// The state in which all of them stand at the heads of their loops, if each of them spins there.
    fn at_heads(
        &mut self,
        state: &State,
        spinning: &[(ThreadId, Loop)],
    ) -> Result<Option<State>, Effect> {
        let mut heads = state.clone();
        for &one in spinning {
            let mut budget = INSTRUCTIONS;
            let mut script = Script::new(self.domain);
            let stands = self.without_bounds(|question| {
                let way = question.go_to_head(&mut heads, one, &mut script, &mut budget)?;
                let is_head = way.is_none();
                Ok::<bool, Effect>(is_head && question.go_to_step(&mut heads, one.0, &mut script))
            })?;
            if !stands {
                return Ok(None);
            }
        }
        for &(thread, _) in spinning {
            if self.spin(&heads, thread)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(heads))
    }

    /// The answer to a question about loops as they are, without bounds.
    fn without_bounds<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        let bounds = self.interpreter.bounds;
        self.interpreter.bounds.unwind = None;
        self.interpreter.bounds.recursion = None;
        let answer = ask(self);
        self.interpreter.bounds = bounds;
        answer
    }

    /// True if a thread that runs alone comes round from the head of its loop on, or is blocked, whatever it chooses, and never leaves the loop.
    /// What it holds from the iteration that it is in, it may hold no more in the next one.
    fn stays_within(
        &mut self,
        state: &State,
        (thread, at): (ThreadId, Loop),
        budget: &mut usize,
    ) -> Result<bool, Effect> {
        let mut script = Script::new(self.domain);
        loop {
            let mut head = state.clone();
            let way = match self.go_to_head(&mut head, (thread, at), &mut script, budget)? {
                None => self.way_round(&head, (thread, Some(at)), &mut script, budget)?,
                Some(way) => way,
            };
            if matches!(way, Way::None) {
                return Ok(false);
            }
            if !script.advance() {
                return Ok(true);
            }
        }
    }

    /// Runs a thread alone up to the head of its loop; how it ends if it does before.
    fn go_to_head(
        &mut self,
        state: &mut State,
        (thread, at): (ThreadId, Loop),
        script: &mut Script,
        budget: &mut usize,
    ) -> Result<Option<Way>, Effect> {
        loop {
            let frame = state.frame(thread);
            let is_head = (frame.block, frame.index, frame.part) == (at.head, 0, 0);
            if is_head && state.thread(thread).frames.len() == at.depth + 1 {
                return Ok(None);
            }
            if *budget == 0 {
                self.domain.give_up();
                return Ok(Some(Way::None));
            }
            *budget -= 1;
            let effect = self
                .digests
                .execute(self.interpreter, state, thread, script);
            match effect {
                Effect::Misplaced(_) | Effect::Unwatched(_) => return Err(effect),
                Effect::Blocked => return Ok(Some(Way::Waits)),
                Effect::Create { .. } | Effect::CreateBeyond { .. } => return Ok(Some(Way::None)),
                _ => {}
            }
            if state.thread(thread).status != Status::Running
                || !self.interpreter.is_in_loop(state, thread, at)
            {
                return Ok(Some(Way::None));
            }
        }
    }

    /// Runs a thread up to its next step that others may notice, as far as it comes by local code; false if that goes on and on.
    fn go_to_step(&mut self, state: &mut State, thread: ThreadId, script: &mut Script) -> bool {
        for _ in 0..INSTRUCTIONS {
            if state.thread(thread).status != Status::Running {
                return false;
            }
            if state.thread(thread).section == 0 && self.is_step(state, thread) {
                return true;
            }
            self.digests
                .execute(self.interpreter, state, thread, script);
        }
        false
    }

    /// True if others may notice what a thread does next.
    fn is_step(&mut self, state: &State, thread: ThreadId) -> bool {
        self.interpreter.is_visible(state, thread)
            || self.interpreter.matters_for_deadlocks(state, thread)
    }

    /// All states that the next step of a thread leads to, up to the next one that others may notice; false if it leaves its loop.
    fn steps(
        &mut self,
        state: &State,
        (thread, at): (ThreadId, Loop),
        stack: &mut Vec<State>,
        budget: &mut usize,
    ) -> Result<bool, Effect> {
        let mut script = Script::new(self.domain);
        loop {
            let mut next = state.clone();
            let is_blocked = loop {
                if *budget == 0 {
                    self.domain.give_up();
                    return Ok(false);
                }
                *budget -= 1;
                let digests = &mut *self.digests;
                let effect = digests.execute(self.interpreter, &mut next, thread, &mut script);
                match effect {
                    Effect::Misplaced(_) | Effect::Unwatched(_) => return Err(effect),
                    Effect::Blocked => break true,
                    _ => {}
                }
                if next.thread(thread).status != Status::Running
                    || !self.interpreter.is_in_loop(&next, thread, at)
                {
                    return Ok(false);
                }
                if next.thread(thread).section == 0 && self.is_step(&next, thread) {
                    break false;
                }
            };
            if !is_blocked {
                stack.push(next);
            }
            if !script.advance() {
                return Ok(true);
            }
        }
    }

    /// One way round of a thread that runs alone, from somewhere on it; if a loop is given, within that one.
    fn way_round(
        &mut self,
        start: &State,
        (thread, within): (ThreadId, Option<Loop>),
        script: &mut Script,
        budget: &mut usize,
    ) -> Result<Way, Effect> {
        let digest = self.digests.of(self.interpreter, start);
        let mut state = start.clone();
        let mut outermost: Option<Loop> = None;
        // Times that it follows the back edge of that.
        let mut turns = 0;
        let mut changes = Changes::none();
        while *budget > 0 {
            *budget -= 1;
            let before = (state.thread(thread).frames.len(), state.frame(thread).block);
            let next = self.interpreter.next(&state, thread).0;
            let looks = match next {
                Next::Instr(InstrKind::TryLock { .. }) => true,
                Next::Instr(InstrKind::Note { what, .. }) => *what != Note::Own,
                _ => false,
            };
            let seen = self.interpreter.seen_of(&state, thread);
            let digests = &mut *self.digests;
            let effect = digests.execute(self.interpreter, &mut state, thread, script);
            match effect {
                Effect::Misplaced(_) | Effect::Unwatched(_) => return Err(effect),
                Effect::Blocked => return Ok(Way::Waits),
                Effect::End | Effect::Create { .. } | Effect::CreateBeyond { .. } => {
                    return Ok(Way::None);
                }
                _ => {}
            }
            if state.thread(thread).status != Status::Running
                || within.is_some_and(|at| !self.interpreter.is_in_loop(&state, thread, at))
            {
                return Ok(Way::None);
            }
            if looks {
                changes = Changes::Any;
            } else if may_change(next, &effect) {
                changes.add(seen);
            }
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
            if state.thread(thread).section == 0
                && is_back(start, &state, thread)
                && self.digests.of(self.interpreter, &state) == digest
            {
                return Ok(outermost.map_or(Way::None, |at| Way::Back(Spin { at, changes })));
            }
        }
        self.domain.give_up();
        Ok(Way::None)
    }
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
pub fn may_change(next: Next, effect: &Effect) -> bool {
    match (next, effect) {
        (Next::End(_), _) => false,
        (_, Effect::TryLock { taken, .. }) => *taken,
        (_, Effect::Update { old, new, .. }) => old != new,
        (Next::Instr(instr), _) => !matches!(
            instr,
            InstrKind::Assign { .. }
                | InstrKind::Expose { .. }
                | InstrKind::Load { .. }
                | InstrKind::Note { .. }
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
    /// What others can see of a thread's next step, if it changes something: a mutex, nothing of an object of its own, or anything.
    fn seen_of(&mut self, state: &State, thread: ThreadId) -> Changes {
        let none = Changes::none();
        let Next::Instr(instr) = self.next(state, thread).0 else {
            return none;
        };
        // A thread's own notes are for itself, and for who asks who holds a lock.
        if let InstrKind::SetNote {
            what: Note::Own, ..
        } = instr
        {
            return none;
        }
        let is_mutex = matches!(instr, InstrKind::Lock { .. } | InstrKind::Unlock { .. });
        if !is_mutex && !matches!(instr, InstrKind::Store { .. }) {
            return Changes::Any;
        }
        let address = instr
            .address()
            .map(|operand| self.word(state, thread, operand));
        let address = address.and_then(|word| self.known(state, word));
        let Some(address) = address else {
            return Changes::Any;
        };
        if is_mutex {
            return u64::try_from(address).map_or(Changes::Any, |at| Changes::Mutexes([at].into()));
        }
        match self.object(state, address) {
            Some((_, _, object)) if !object.escaped => none,
            _ => Changes::Any,
        }
    }

    /// True if a thread is in a loop, perhaps in a call from there.
    fn is_in_loop(&self, state: &State, thread: ThreadId, at: Loop) -> bool {
        let frame = state.thread(thread).frames.get(at.depth);
        frame.is_some_and(|frame| {
            self.facts.loops[frame.function].nest[frame.block].contains(&at.head)
        })
    }

    /// The loop whose back edge a thread has just followed, if it has: `before` is where it stood, as depth and block.
    fn back_edge(&self, state: &State, thread: ThreadId, before: (usize, BlockId)) -> Option<Loop> {
        let (depth, from) = before;
        let frame = state.frame(thread);
        let loops = &self.facts.loops[frame.function];
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
