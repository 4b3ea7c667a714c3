//! Guesses: values that a program leaves open, one sequence of them after the other. What a witness says of one is no guess.

use crate::event::{Origin, ThreadId};
use crate::ir::NondetSource;
use crate::ir::position::PosKey;
use crate::trace::interpret::Choices;
use crate::trace::interpret::arithmetic::mask;

/// Numbers of the values that were taken, each with how many there were.
pub type Script = Vec<(usize, usize)>;

/// Values of one move, and a note of each for the schedule of one line.
#[derive(Clone)]
pub struct Guess {
    /// The next input, if it is known.
    pub known: Option<u128>,
    /// Values of the next input otherwise.
    pub values: Vec<u128>,
    /// Values of memory that was never written.
    pub hints: Vec<u128>,
    taken: Script,
    next: usize,
    /// Inputs so far.
    pub inputs: Vec<u128>,
    /// Reads of memory that was never written, with the bytes up to the last that is not 0.
    pub reads: Vec<Vec<u8>>,
    /// Questions so far.
    pub asked: usize,
}

impl Guess {
    /// Takes values as a script says, and the first behind its end.
    pub fn new(taken: Script, hints: Vec<u128>) -> Guess {
        Guess {
            known: None,
            values: vec![0],
            hints,
            taken,
            next: 0,
            inputs: Vec::new(),
            reads: Vec::new(),
            asked: 0,
        }
    }

    /// The next script; empty if there is none.
    pub fn after(mut self) -> Script {
        self.taken.truncate(self.next);
        while let Some((number, count)) = self.taken.pop() {
            if number + 1 < count {
                self.taken.push((number + 1, count));
                return self.taken;
            }
        }
        Script::new()
    }

    /// One of so many possibilities, by its number.
    pub fn pick(&mut self, count: usize) -> usize {
        if count < 2 {
            return 0;
        }
        if self.next == self.taken.len() {
            self.taken.push((0, count));
        }
        self.next += 1;
        self.taken[self.next - 1].0
    }

    /// One of the values of an input, or of memory.
    fn choose(&mut self, is_memory: bool) -> u128 {
        let count = if is_memory {
            self.hints.len()
        } else {
            self.values.len()
        };
        let index = self.pick(count);
        let values = if is_memory { &self.hints } else { &self.values };
        values.get(index).copied().unwrap_or_default()
    }
}

impl Choices for Guess {
    fn input(&mut self, _: (ThreadId, PosKey), bits: u16, _: NondetSource) -> u128 {
        let value = match self.known.take() {
            Some(value) => value,
            None => self.choose(false),
        };
        let value = value & mask(bits);
        self.asked += 1;
        self.inputs.push(value);
        value
    }

    fn memory(&mut self, _: Origin, _: usize, bytes: &mut [Option<u8>]) {
        let word = self.choose(true);
        let mut chosen = vec![0; bytes.len()];
        for (at, byte) in bytes.iter_mut().enumerate().take(16) {
            let value = (word >> (8 * at)) as u8;
            if byte.is_none() {
                *byte = Some(value);
                chosen[at] = value;
            }
        }
        let count = chosen.iter().rposition(|byte| *byte != 0);
        chosen.truncate(count.map_or(0, |last| last + 1));
        self.asked += 1;
        self.reads.push(chosen);
    }

    fn note_base(&mut self, _: Origin, _: u64) {
        self.asked += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sequences_are_taken() {
        let mut script = Script::new();
        let mut seen = Vec::new();
        loop {
            let mut guess = Guess::new(script, vec![0, 7]);
            guess.values = vec![1, 2];
            let first = guess.input((ThreadId(0), PosKey(0)), 8, NondetSource::Input);
            let mut bytes = [None; 2];
            if first == 1 {
                guess.memory(Origin::Function(crate::ir::FuncId(0)), 0, &mut bytes);
            }
            seen.push((first, bytes[0]));
            script = guess.after();
            if script.is_empty() {
                break;
            }
        }
        assert_eq!(seen, [(1, Some(0)), (1, Some(7)), (2, None)]);
    }
}
