//! Schemes with their bounds, and the options of a question.

use crate::base::{Budget, StopReason};
use crate::circuit::Formula;
use crate::event::{EventProgram, MemoryModel};
use crate::reduce::forward::forward;
use crate::reduce::slice::{Keep, slice};
use crate::reduce::value_range::narrow;
use crate::scheme::lazy::Lazy;
use crate::scheme::mu::Mu;
use crate::scheme::order::Order;
use crate::scheme::step::Step;
use crate::scheme::timestamp::Timestamp;
use crate::scheme::{Encoded, lazy, mu};

/// Scheme, with its bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// The order of steps as literals; no bound.
    Order,
    /// Turns of threads in a number of rounds (at least 1).
    Lazy {
        /// The most rounds; one last turn of main follows them.
        rounds: u32,
        /// The rounds that are tried first: more and more of them, until there are as many.
        first: u32,
    },
    /// Timestamps of writes; no bound.
    Timestamp,
    /// One step after the other, memory computed forwards.
    Step {
        /// Most steps of all threads together; `u32::MAX` for as many as there are.
        steps: u32,
    },
    /// Memory unwindings: a sequence of guessed writes.
    Mu {
        /// Representation of the unwinding.
        variant: mu::Variant,
        /// The most that are guessed; `u32::MAX` for as many as the program may have.
        writes: u32,
        /// True if fewer are tried first: their number rises.
        rising: bool,
    },
}

impl Scheme {
    /// Support of a memory model: true if the scheme has its store buffers (sequential consistency has none).
    pub fn knows(self, memory: MemoryModel) -> bool {
        !memory.is_weak() || matches!(self, Scheme::Order | Scheme::Lazy { .. })
    }

    /// The scheme `lazy` with so many rounds.
    pub fn rounds(rounds: u32) -> Scheme {
        Scheme::Lazy {
            rounds,
            first: rounds,
        }
    }

    /// It with the level of rounds or writes that questions have come to.
    pub fn at(self, level: u32) -> Scheme {
        match self {
            Scheme::Mu {
                variant, rising, ..
            } => Scheme::Mu {
                variant,
                writes: level,
                rising,
            },
            Scheme::Lazy { first, .. } => Scheme::Lazy {
                rounds: level,
                first,
            },
            other => other,
        }
    }

    /// Gives reads the ranges of what is written, and leaves out what the property does not depend on; for `lazy`, also
    /// reads of what only their own thread writes.
    pub fn reduce(self, program: &mut EventProgram) {
        narrow(program);
        if matches!(self, Scheme::Lazy { .. }) {
            forward(program);
        }
        let keep = match self {
            // Writes that nothing depends on still count as writes.
            Scheme::Mu { .. } => Keep::Writes,
            _ => Keep::Needed,
        };
        slice(program, keep);
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Order => "order",
            Scheme::Lazy { .. } => "lazy",
            Scheme::Timestamp => "timestamp",
            Scheme::Step { .. } => "step",
            Scheme::Mu { .. } => "mu",
        }
    }
}

/// Options of deciding a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The scheme.
    pub scheme: Scheme,
    /// `order`: cycles over three threads are excluded beforehand if there are at most so many triples of
    /// steps, otherwise as models run into them.
    pub eager_triples: usize,
    /// Reduction before encoding: reads get the value ranges of what is written, and what the property does not depend
    /// on is left out.
    pub reduce: bool,
    /// `lazy`: before which steps control may change, and which schedules are left out.
    pub lazy: lazy::Plan,
    /// `timestamp`: every write guesses its place, as in the paper; otherwise only where that pays.
    pub guess_places: bool,
    /// Recording: true to keep the last question whether an assertion can be violated.
    pub record: bool,
}

impl Options {
    /// The defaults of a scheme.
    pub fn new(scheme: Scheme) -> Options {
        Options {
            scheme,
            eager_triples: 50_000,
            reduce: true,
            guess_places: false,
            record: false,
            lazy: lazy::Plan::default(),
        }
    }
}

impl Options {
    /// States the constraints of a program.
    ///
    /// # Errors
    /// The budget ended it.
    pub(super) fn encode(
        &self,
        program: &mut EventProgram,
        formula: &mut Formula,
        budget: &Budget,
    ) -> Result<Box<dyn Encoded>, StopReason> {
        Ok(match self.scheme {
            Scheme::Order => Box::new(Order::encode(program, formula, self.eager_triples)),
            Scheme::Lazy { rounds, first } => {
                let lazy: Lazy = Lazy::encode(program, formula, (rounds, first), self.lazy);
                Box::new(lazy)
            }
            Scheme::Timestamp => Box::new(Timestamp::encode(program, formula, self.guess_places)),
            Scheme::Step { steps } => Box::new(Step::encode(program, formula, steps, budget)?),
            Scheme::Mu {
                variant,
                writes,
                rising,
            } => Box::new(Mu::encode(program, formula, (variant, writes, rising))),
        })
    }
}
