//! A program encoded by a scheme: what is common to all schemes, before anything is asked.

use super::{Options, Question, Scheme};
use crate::base::faults;
use crate::base::{Budget, StopReason};
use crate::circuit::{Formula, Lit};
use crate::event::{EventProgram, MemoryModel};
use crate::goal::Claim;
use crate::reduce::forward::forward;
use crate::reduce::slice::{Keep, slice};
use crate::reduce::value_range::narrow;
use crate::scheme::lazy::Lazy;
use crate::scheme::mu::{Cluster, Mu};
use crate::scheme::order::Order;
use crate::scheme::step::Step;
use crate::scheme::timestamp::Timestamp;
use crate::term::{TermId, Terms};

/// Gives reads the ranges of what is written, and leaves out what the property does not depend on; for `lazy`, also
/// reads of what only their own thread writes.
pub fn reduce(program: &mut EventProgram, scheme: Scheme) {
    narrow(program);
    if matches!(scheme, Scheme::Lazy { .. }) {
        forward(program);
    }
    slice(
        program,
        match scheme {
            // Writes that nothing depends on still count as writes.
            Scheme::Mu { .. } => Keep::Writes,
            _ => Keep::Needed,
        },
    );
}

/// Of `mu`: the writes that are tried first where their number may rise.
const FIRST_WRITES: u32 = 4;
/// Of `mu`: where their number may rise, how many times as many it is known of whether a violation needs them.
const FARTHER: u32 = 4;

pub(super) enum Encoded {
    Order(Order),
    Lazy(Box<Lazy>),
    Timestamp(Timestamp),
    Step(Step),
    Mu(Box<Mu>),
}

/// Why a program is not encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unencoded {
    /// The scheme does not know the program's memory model: it would leave executions out.
    NoModel(Scheme, MemoryModel),
    /// The budget ended it.
    Stopped(StopReason),
}

impl std::fmt::Display for Unencoded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unencoded::NoModel(scheme, memory) => {
                let (scheme, memory) = (scheme.name(), memory.name());
                write!(
                    f,
                    "the scheme {scheme} does not know the memory model {memory}"
                )
            }
            Unencoded::Stopped(reason) => write!(f, "the encoding was ended: {reason:?}"),
        }
    }
}

impl std::error::Error for Unencoded {}

impl From<StopReason> for Unencoded {
    fn from(reason: StopReason) -> Unencoded {
        Unencoded::Stopped(reason)
    }
}

/// A program encoded by a scheme.
pub struct Encoding {
    pub(super) formula: Formula,
    pub(super) scheme: Encoded,
    pub(super) claims: Vec<Claim>,
    /// Variables that let sections end at a cut: false unless the question is about cuts.
    pub(super) partial: Vec<Lit>,
    /// Of `mu`: the most writes that questions are about, for which there are positions.
    pub(super) writes: u32,
    /// Of `mu` and `lazy`: the writes or rounds that no violation keeps within, as far as questions have been answered.
    pub(super) answered: Option<u32>,
    /// Of `mu` and `lazy`: the most writes or rounds that may be asked for, and whether fewer are asked for first.
    pub(super) limit: (u32, bool),
    /// Of `lazy`: the rounds that questions are about, and the condition that nothing is executed beyond them.
    pub(super) rounds: (u32, Lit),
    /// Of `lazy`: whether schedules are pruned.
    pub(super) pruning: bool,
    /// Whether to keep the question whether an assertion can be violated, and as it was asked last.
    pub(super) record: bool,
    pub(super) asked: Option<Question>,
}

impl Encoding {
    /// States the constraints of a program.
    ///
    /// # Panics
    /// If the scheme does not know the program's memory model.
    pub fn new(program: &mut EventProgram, options: &Options) -> Encoding {
        Encoding::within(program, options, &Budget::unlimited())
            .unwrap_or_else(|why| panic!("{why}"))
    }

    /// States the constraints of a program within a budget.
    ///
    /// # Errors
    /// The scheme does not know the memory model, or the budget ended it.
    pub fn within(
        program: &mut EventProgram,
        options: &Options,
        budget: &Budget,
    ) -> Result<Encoding, Unencoded> {
        if !options.scheme.knows(program.memory) {
            return Err(Unencoded::NoModel(options.scheme, program.memory));
        }
        if options.reduce {
            reduce(program, options.scheme);
        }
        let mut formula = Formula::new();
        let mut scheme = match options.scheme {
            Scheme::Order => {
                Encoded::Order(Order::encode(program, &mut formula, options.eager_triples))
            }
            Scheme::Lazy { rounds, first } => {
                let first = first.min(rounds);
                let lazy = Lazy::encode(program, &mut formula, first, options.lazy);
                Encoded::Lazy(Box::new(lazy))
            }
            Scheme::Timestamp => {
                let guess = options.guess_places;
                Encoded::Timestamp(Timestamp::encode(program, &mut formula, guess))
            }
            Scheme::Step { steps } => {
                Encoded::Step(Step::encode(program, &mut formula, steps, budget)?)
            }
            Scheme::Mu {
                variant,
                writes,
                rising,
            } => {
                // Where they rise, they do so up to what a violation needs at least.
                let last = match rising {
                    true => writes.saturating_mul(FARTHER),
                    false => writes,
                };
                let mu = Mu::encode(program, &mut formula, (variant, last));
                Encoded::Mu(Box::new(mu))
            }
        };
        let claims = match &mut scheme {
            Encoded::Order(order) => order.claims(program),
            Encoded::Lazy(lazy) => lazy.claims(program),
            Encoded::Timestamp(timestamp) => timestamp.claims(program),
            Encoded::Step(step) => step.claims(),
            Encoded::Mu(mu) => mu.claims(program),
        };
        let partial = program
            .partial
            .iter()
            .map(|&t| formula.lit_of(&program.terms, t))
            .collect();
        let limit = match (options.scheme, &scheme) {
            (Scheme::Mu { writes, rising, .. }, Encoded::Mu(mu)) => {
                let needed = match rising && mu.least() <= mu.most() {
                    true => mu.least(),
                    false => 0,
                };
                (writes.max(needed), rising)
            }
            (Scheme::Lazy { rounds, first }, _) => (rounds, first < rounds),
            _ => (0, false),
        };
        let mut encoding = Encoding {
            formula,
            scheme,
            claims,
            partial,
            writes: 0,
            answered: None,
            limit,
            rounds: (0, Lit::TRUE),
            pruning: true,
            record: options.record,
            asked: None,
        };
        if let Encoded::Lazy(lazy) = &encoding.scheme {
            encoding.rounds.0 = lazy.rounds();
        }
        encoding.state_facts(program);
        encoding.restrict(match limit {
            (most, true) => most.min(FIRST_WRITES.max(encoding.least())),
            (most, false) => most,
        });
        Ok(encoding)
    }

    /// Of `mu`: questions from now on are about executions of at most so many writes.
    pub fn restrict(&mut self, writes: u32) {
        if let Encoded::Mu(mu) = &mut self.scheme {
            self.writes = writes.min(mu.most());
            mu.grow(&mut self.formula, self.writes);
        }
    }

    /// Of `mu`: no violation has fewer writes.
    pub(super) fn least(&self) -> u32 {
        match &self.scheme {
            Encoded::Mu(mu) => mu.least(),
            _ => 0,
        }
    }

    /// Of `lazy`: adds rounds until there are so many, and restricts questions from now on to the first `within` of them.
    pub fn take_rounds(&mut self, program: &mut EventProgram, rounds: u32, within: u32) {
        let Encoded::Lazy(lazy) = &mut self.scheme else {
            return;
        };
        if rounds > lazy.rounds() {
            lazy.grow(program, &mut self.formula, rounds);
            self.claims = lazy.claims(program);
            self.state_facts(program);
        }
        let Encoded::Lazy(lazy) = &mut self.scheme else {
            return;
        };
        let within = within.min(lazy.rounds());
        let beyond = lazy.beyond(program, &mut self.formula, within);
        self.rounds = (within, !beyond);
    }

    /// Of `lazy`: whether questions from now on are about pruned schedules only (as they are at first). The answers
    /// are the same.
    pub fn prune(&mut self, pruning: bool) {
        self.pruning = pruning;
    }

    /// What holds in every execution.
    fn state_facts(&mut self, program: &mut EventProgram) {
        if faults::on(faults::Fault::NoFacts) {
            return;
        }
        for fact in program.facts.clone() {
            let fact = self.scheme.resolve(program, fact);
            self.formula.assert_term(&program.terms, fact);
        }
    }

    /// Of `mu`: the condition that the first positions of the unwinding are these. There are at least as many.
    pub fn unwinding_is(&mut self, terms: &Terms, rows: &[Cluster]) -> Lit {
        let Encoded::Mu(mu) = &self.scheme else {
            return Lit::FALSE;
        };
        let rows = rows.iter().zip(1..);
        let all: Vec<Lit> = rows
            .map(|(row, i)| mu.is(terms, &mut self.formula, i, row))
            .collect();
        self.formula.and_all(&all)
    }

    /// The scheme with the bounds that it has come to.
    pub fn reached(&self, scheme: Scheme) -> Scheme {
        match scheme {
            Scheme::Mu {
                variant, rising, ..
            } => Scheme::Mu {
                variant,
                writes: self.writes,
                rising,
            },
            Scheme::Lazy { first, .. } => Scheme::Lazy {
                rounds: self.rounds.0,
                first,
            },
            other => other,
        }
    }

    /// Assertions and cuts that can happen as far as folding shows.
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// The formula, for statistics and to write it to a file.
    pub fn formula(&mut self) -> &mut Formula {
        &mut self.formula
    }

    /// The order scheme's part, if it is the scheme.
    pub fn order(&self) -> Option<&Order> {
        match &self.scheme {
            Encoded::Order(order) => Some(order),
            _ => None,
        }
    }

    /// The timestamp scheme's part, if it is the scheme.
    pub fn timestamp(&self) -> Option<&Timestamp> {
        match &self.scheme {
            Encoded::Timestamp(timestamp) => Some(timestamp),
            _ => None,
        }
    }

    /// Some assertion is violated.
    pub fn violation(&mut self, terms: &Terms) -> Lit {
        let violated: Vec<TermId> = self
            .claims
            .iter()
            .filter_map(|claim| claim.violated)
            .collect();
        self.any(terms, &violated)
    }

    pub(super) fn any(&mut self, terms: &Terms, conditions: &[TermId]) -> Lit {
        let lits: Vec<Lit> = conditions
            .iter()
            .map(|&t| self.formula.lit_of(terms, t))
            .collect();
        self.formula.or_all(&lits)
    }

    /// Whether the scheme leaves no schedule out.
    pub fn is_complete(&self) -> bool {
        match &self.scheme {
            Encoded::Order(_) | Encoded::Timestamp(_) => true,
            Encoded::Lazy(lazy) => lazy.holds_all(self.rounds.0),
            Encoded::Step(step) => step.is_complete(),
            Encoded::Mu(mu) => self.writes >= mu.most(),
        }
    }
}

impl Encoded {
    fn resolve(&mut self, program: &mut EventProgram, t: TermId) -> TermId {
        match self {
            Encoded::Order(order) => order.resolve(program, t),
            Encoded::Lazy(_) => t,
            Encoded::Timestamp(timestamp) => timestamp.resolve(program, t),
            Encoded::Step(step) => step.resolve(program, t),
            Encoded::Mu(mu) => mu.resolve(program, t),
        }
    }
}
