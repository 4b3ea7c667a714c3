//! Shorter executions with the same violation: with fewer context switches, then with fewer steps, then with smaller inputs.
//!
//! Turns of a thread are put together, and threads stop earlier, as long as an execution in the interpreter still ends in the same way.
//! A local minimum results, unless the budget ends before: no single change of these kinds makes it shorter.

use super::answers::Source;
use super::record::Ending;
use super::{Divergence, Purpose, Replay};
use crate::event::ThreadId;
use crate::ir::position::PosKey;
use crate::trace::Schedule;
use crate::trace::interpret::code::Code;
use crate::trace::reuse::FirstRun;
use crate::trace::tape::{End, Tape, Turn};

/// Instructions that are executed to find shorter executions of one violation.
const INSTRUCTIONS: u64 = 500_000;

/// Search for shorter executions of a schedule's violation.
pub(super) struct Shortening<'p> {
    code: Code<'p>,
    /// Values that the program leaves open, by position.
    values: Schedule,
    ending: Ending,
    tape: Tape,
    /// Instructions that may still be executed.
    budget: u64,
    /// Cost of the beginning of an execution, in instructions: global variables are set up.
    beginning: u64,
}

impl<'p> Shortening<'p> {
    /// The search begins with the execution that a replay of a schedule has recorded.
    pub fn new(code: &Code<'p>, schedule: &Schedule, ending: Ending, tape: Tape) -> Self {
        let globals = code.program.globals.iter();
        let bytes: u64 = globals.map(|global| global.size_bytes).sum();
        Shortening {
            code: code.clone(),
            values: schedule.clone(),
            ending,
            tape,
            budget: INSTRUCTIONS,
            beginning: bytes / 8,
        }
    }

    /// The shortest execution that was found.
    pub fn shortest(mut self) -> Tape {
        // Instructions that are no steps come later in a line than in a schedule.
        if let Some(tape) = self.play(&self.tape.clone()) {
            self.tape = tape;
        }
        // What the last pass of each has left: nothing else can be made of that.
        let mut stopped = None;
        loop {
            self.join_turns();
            let joined = cost(&self.tape);
            if stopped == Some(joined) || self.budget == 0 {
                break;
            }
            self.stop_threads();
            let left = cost(&self.tape);
            if left == joined || self.budget == 0 {
                break;
            }
            stopped = Some(left);
        }
        self.lessen_inputs();
        self.tape
    }

    /// Tries an execution, which is taken if it ends in the same way and is no longer than before; true if it is.
    fn attempt(&mut self, moves: Vec<Turn>) -> bool {
        let candidate = Tape {
            moves: joined(moves),
            ..self.tape.clone()
        };
        if cost(&candidate) >= cost(&self.tape) {
            return false;
        }
        match self.play(&candidate) {
            Some(tape) if cost(&tape) < cost(&self.tape) => {
                self.tape = tape;
                true
            }
            _ => false,
        }
    }

    /// The execution of some turns as it is recorded, if it ends in the same way.
    fn play(&mut self, candidate: &Tape) -> Option<Tape> {
        self.budget = self.budget.saturating_sub(self.beginning);
        if self.budget == 0 {
            return None;
        }
        let source = Source::Schedule(&self.values);
        let run = (Purpose::Try, FirstRun::default());
        let mut replay = Replay::new(&self.code, &self.values, source, run);
        replay.allowance = self.budget;
        replay.begin();
        let played: Result<(), Divergence> = replay.play(candidate);
        self.budget = replay.allowance;
        let same = played.is_ok() && replay.ended.as_ref() == Some(&self.ending);
        same.then(|| replay.tape(&self.ending))
    }

    /// Puts turns of a thread together that others come between.
    fn join_turns(&mut self) {
        let mut index = 0;
        while index < self.tape.moves.len() && self.budget > 0 {
            let moves = &self.tape.moves;
            let thread = moves[index].thread();
            let later = moves.iter().skip(index + 1);
            let Some(distance) = later.clone().position(|turn| turn.thread() == thread) else {
                index += 1;
                continue;
            };
            let next = index + 1 + distance;
            let mut earlier = moves.clone();
            let moved = earlier.remove(next);
            earlier.insert(index + 1, moved);
            let mut after = moves.clone();
            let moved = after.remove(index);
            after.insert(next - 1, moved);
            if !self.attempt(earlier) && !self.attempt(after) {
                index += 1;
            }
        }
    }

    /// Lets threads stop earlier, whose last steps nothing depends on.
    fn stop_threads(&mut self) {
        let mut index = self.tape.moves.len();
        while index > 0 && self.budget > 0 {
            index -= 1;
            let Some(turn) = self.tape.moves.get(index).copied() else {
                continue;
            };
            let thread = turn.thread();
            let is_last = !self.tape.moves[index + 1..]
                .iter()
                .any(|turn| turn.thread() == thread);
            if !is_last || self.is_needed(thread) {
                continue;
            }
            // If its last step is needed, so are all before it.
            if let Turn::Steps(_, count) = turn
                && count > 1
                && !self.attempt_with(index, count - 1)
            {
                continue;
            }
            if self.attempt_with(index, 0) {
                continue;
            }
            // The fewest steps that do, by bisection.
            if let Turn::Steps(_, count) = turn {
                let (mut least, mut most) = (0, count - 1);
                while least + 1 < most && self.budget > 0 {
                    let middle = (least + most) / 2;
                    match self.attempt_with(index, middle) {
                        true => most = middle,
                        false => least = middle,
                    }
                }
            }
        }
    }

    /// Tries the execution in which a turn has so many steps.
    fn attempt_with(&mut self, index: usize, steps: u64) -> bool {
        let mut moves = self.tape.moves.clone();
        match moves.get_mut(index) {
            Some(_) if steps == 0 => drop(moves.remove(index)),
            Some(turn) => *turn = Turn::Steps(turn.thread(), steps),
            None => return false,
        }
        self.attempt(moves)
    }

    /// True if the end is about a thread.
    fn is_needed(&self, thread: ThreadId) -> bool {
        match &self.tape.end {
            End::Step => self.tape.moves.last().map(|turn| turn.thread()) == Some(thread),
            End::Race(one, other) => [one, other].contains(&&thread),
            // Where all others stand, they are blocked as well.
            End::Deadlock(..) => true,
        }
    }

    /// Takes smaller inputs.
    fn lessen_inputs(&mut self) {
        let mut asked: Vec<(ThreadId, PosKey)> = self.values.inputs.keys().copied().collect();
        asked.sort_unstable();
        for at in asked {
            let value = self.values.inputs[&at];
            for smaller in [0, 1, 2].into_iter().filter(|smaller| *smaller < value) {
                self.values.inputs.insert(at, smaller);
                if let Some(tape) = self.play(&self.tape.clone()) {
                    self.tape = tape;
                    break;
                }
                self.values.inputs.insert(at, value);
            }
        }
    }
}

/// Context switches, then steps.
fn cost(tape: &Tape) -> (usize, u64) {
    let steps = tape.moves.iter().map(|turn| match turn {
        Turn::Steps(_, count) => *count,
        Turn::Commit(..) => 1,
    });
    (tape.turns(), steps.sum())
}

/// Turns, those of one thread in a row as one.
fn joined(moves: Vec<Turn>) -> Vec<Turn> {
    let mut all: Vec<Turn> = Vec::with_capacity(moves.len());
    for turn in moves {
        match (all.last_mut(), turn) {
            (Some(Turn::Steps(last, count)), Turn::Steps(thread, more)) if *last == thread => {
                *count += more;
            }
            _ => all.push(turn),
        }
    }
    all
}
