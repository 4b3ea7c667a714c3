//! Free values by a script: the sequences of choices that a step, or several, can make, each played once.

use super::Choices;
use super::arithmetic::mask;
use crate::event::{Origin, ThreadId};
use crate::ir::NondetSource;
use crate::ir::position::PosKey;
use std::cell::Cell;

/// Values that are tried where the program leaves one open.
#[derive(Clone, Copy, Debug)]
pub enum Domain<'l> {
    /// Some, two's complement, cut to the width of what takes them.
    Some {
        /// Of an input.
        inputs: &'l [i128],
        /// Of an uninitialised variable, when it is first read.
        uninitialised: &'l [i128],
    },
    /// All. Where they are too many to be tried, one is, and the flag is raised.
    All {
        /// It is not all that was tried.
        sampled: &'l Cell<bool>,
    },
}

impl Domain<'_> {
    /// Takes note that something was given up before all of it was tried.
    pub fn give_up(&self) {
        if let Domain::All { sampled } = self {
            sampled.set(true);
        }
    }
}

/// Bits of a choice all values of which are tried.
const FEW_BITS: u16 = 8;

/// Every sequence of choices, one after the other.
pub struct Script<'l> {
    domain: Domain<'l>,
    /// The number of the value taken at each choice, and how many there are.
    taken: Vec<(usize, usize)>,
    next: usize,
}

impl<'l> Script<'l> {
    pub fn new(domain: Domain<'l>) -> Script<'l> {
        Script {
            domain,
            taken: Vec::new(),
            next: 0,
        }
    }

    /// What it takes values of.
    pub fn domain(&self) -> Domain<'l> {
        self.domain
    }

    /// Begins with the first value of everything.
    pub fn restart(&mut self) {
        self.taken.clear();
        self.next = 0;
    }

    /// Goes on to the next sequence of choices; false if there is none.
    pub fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((number, count)) = self.taken.pop() {
            if number + 1 < count {
                self.taken.push((number + 1, count));
                return true;
            }
        }
        false
    }

    /// One of all values of so many bits.
    fn any(&mut self, bits: u16) -> u128 {
        if bits > FEW_BITS {
            self.domain.give_up();
            return 0;
        }
        let all: Vec<i128> = (0..1 << bits).collect();
        self.choose(&all, bits)
    }

    fn choose(&mut self, values: &[i128], bits: u16) -> u128 {
        // Values that are the same word at this width are one choice.
        let mask = mask(bits);
        let mut words: Vec<u128> = Vec::with_capacity(values.len());
        for value in values {
            let word = *value as u128 & mask;
            if !words.contains(&word) {
                words.push(word);
            }
        }
        if words.is_empty() {
            return 0;
        }
        if self.next == self.taken.len() {
            self.taken.push((0, words.len()));
        }
        self.next += 1;
        words[self.taken[self.next - 1].0]
    }
}

impl Choices for Script<'_> {
    fn input(&mut self, _: (ThreadId, PosKey), bits: u16, source: NondetSource) -> u128 {
        let (inputs, uninitialised) = match self.domain {
            Domain::Some {
                inputs,
                uninitialised,
            } => (inputs, uninitialised),
            Domain::All { .. } => return self.any(bits),
        };
        let values = match source {
            NondetSource::Input | NondetSource::External => inputs,
            NondetSource::Uninitialised => uninitialised,
        };
        self.choose(values, bits)
    }

    fn base(&mut self, _: Origin, candidates: &[u64]) -> u64 {
        let values: Vec<i128> = candidates.iter().map(|base| i128::from(*base)).collect();
        self.choose(&values, 64) as u64
    }

    fn memory(&mut self, _: Origin, _: usize, bytes: &mut [Option<u8>]) {
        let word = match self.domain {
            Domain::Some { uninitialised, .. } => self.choose(uninitialised, 128),
            Domain::All { .. } => self.any(128),
        };
        for (i, byte) in bytes.iter_mut().enumerate() {
            byte.get_or_insert((word >> (8 * i.min(15))) as u8);
        }
    }
}
