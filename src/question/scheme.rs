//! Schemes with their bounds, and the options of a question.

use crate::event::MemoryModel;
use crate::scheme::{lazy, mu};

/// Which scheme, with its bounds.
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
        /// How they are represented.
        variant: mu::Variant,
        /// The most that are guessed; `u32::MAX` for as many as the program may have.
        writes: u32,
        /// Whether fewer are tried first.
        rising: bool,
    },
}

impl Scheme {
    /// Whether it has the store buffers of a memory model.
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

/// How to decide a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The scheme.
    pub scheme: Scheme,
    /// `order`: cycles over three threads are excluded beforehand if there are at most so many triples of
    /// steps, otherwise as models run into them.
    pub eager_triples: usize,
    /// Whether reads get the ranges of what is written, and what the property does not depend on is left out.
    pub reduce: bool,
    /// `lazy`: before which steps control may change, and which schedules are left out.
    pub lazy: lazy::Plan,
    /// `timestamp`: every write guesses its place, as in the paper; otherwise only where that pays.
    pub guess_places: bool,
    /// Whether to keep the question whether an assertion can be violated.
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
