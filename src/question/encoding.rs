//! A program encoded by a scheme: what is common to all schemes, before anything is asked.

use super::deadlock::put_together;
use super::parts::{Parts, Uncovered};
use super::{Cutting, Options, Scheme};
use crate::base::{Budget, StopReason};
use crate::circuit::{ClauseSink, Clauses, Formula, Lit};
use crate::event::{Event, EventKind, EventProgram, MemoryModel, ThreadId};
use crate::goal::Claim;
use crate::ir::{Check, Checks};
use crate::question::faults;
use crate::sat::Solver;
use crate::scheme::Encoded;
use crate::term::{TermId, Terms};
use std::time::Duration;

/// Reason why a program is not encoded.
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

/// The question whether an assertion can be violated, as a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// Constraints that hold in every execution within the bounds.
    pub clauses: Clauses,
    /// Unit literals, all of which are asked for: the violation, that no section ends at a cut, and the bounds.
    pub units: Vec<i32>,
}

/// A program encoded by a scheme.
pub struct Encoding {
    pub(super) formula: Formula,
    pub(super) scheme: Box<dyn Encoded>,
    pub(super) claims: Vec<Claim>,
    /// Conditions that threads have ended, where deadlocks are asked for.
    pub(super) ended: Vec<(ThreadId, TermId)>,
    /// Variables that let sections end at a cut: false unless the question is about cuts.
    pub(super) partial: Vec<Lit>,
    /// The level that no violation keeps within, as far as questions have been answered.
    pub(super) answered: Option<u32>,
    /// Recording: true to keep the question whether an assertion can be violated, in `asked`, as it was asked last.
    pub(super) record: bool,
    pub(super) asked: Option<Question>,
    /// Time that the solver has taken.
    pub(super) solving: Duration,
    /// Checks that violations are looked for of.
    pub(super) checks: Checks,
    /// The first violation ends the search.
    pub(super) first: bool,
    /// Other questions follow that of assertions, so that it is not stated for good.
    pub(super) asks_more: bool,
    /// Cubes that a question is cut into, if it is.
    pub(super) cubes: Option<Cutting>,
    /// Those that the last one was cut into, and the error that they leave something out.
    pub(super) parts: Option<Parts>,
    pub(super) uncovered: Option<Uncovered>,
}

impl Encoding {
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
            options.scheme.reduce(program);
        }
        program.timed("encode", |program| {
            Encoding::state(program, options, budget)
        })
    }

    fn state(
        program: &mut EventProgram,
        options: &Options,
        budget: &Budget,
    ) -> Result<Encoding, Unencoded> {
        let mut formula = Formula::new();
        let mut scheme = options.scheme.encode(program, &mut formula, budget)?;
        let claims = scheme.claims(program);
        let (claims, ended) = put_together(program, &mut *scheme, &mut formula, claims);
        let partial = program
            .partial
            .iter()
            .map(|&t| formula.lit_of(&program.terms, t))
            .collect();
        let asks_more = scheme.rises_to().is_some();
        let mut encoding = Encoding {
            formula,
            scheme,
            claims,
            ended,
            partial,
            answered: None,
            record: options.record,
            asked: None,
            solving: Duration::ZERO,
            checks: options.checks,
            first: options.first,
            asks_more,
            cubes: options.cubes,
            parts: None,
            uncovered: None,
        };
        encoding.state_facts(program);
        encoding.state_ranges(program);
        if let Some(level) = encoding.scheme.first() {
            encoding.restrict(program, level);
        }
        Ok(encoding)
    }

    /// Questions from now on are about executions within a level: so many writes of `mu`, rounds of `lazy`.
    pub fn restrict(&mut self, program: &mut EventProgram, level: u32) {
        self.grow(program, level);
        self.scheme.restrict(program, &mut self.formula, level);
    }

    /// Questions from now on are about executions within a level of a chain: a level, or another bound that rises.
    pub(super) fn limit(&mut self, program: &mut EventProgram, level: u32) {
        self.asks_more = true;
        if !self.scheme.limit(program, &mut self.formula, level) {
            self.restrict(program, level);
        }
    }

    /// Adds what questions about a level need.
    pub fn grow(&mut self, program: &mut EventProgram, level: u32) {
        if self.scheme.grow(program, &mut self.formula, level) {
            let claims = self.scheme.claims(program);
            let scheme = &mut *self.scheme;
            (self.claims, self.ended) = put_together(program, scheme, &mut self.formula, claims);
            self.state_facts(program);
        }
    }

    /// States what holds in every execution.
    fn state_facts(&mut self, program: &mut EventProgram) {
        if faults::on(faults::Fault::NoFacts) {
            return;
        }
        for fact in program.facts.clone() {
            let fact = self.scheme.resolve(program, fact);
            self.formula.assert_term(&program.terms, fact);
        }
    }

    /// Ranges of values that decide whether their own read happens, as they do in sections that may be cut. Of other reads
    /// that do not happen, nothing is said of the value, because nothing depends on it; but a guard over a value that is out
    /// of the range which the guard was folded for is one thing in the formula and another where its model is evaluated.
    fn state_ranges(&mut self, program: &mut EventProgram) {
        if faults::on(faults::Fault::RangesUnsaid) {
            return;
        }
        for id in program.events.ids() {
            let Event {
                guard, ref kind, ..
            } = program.events[id];
            let (EventKind::Read { value, .. }, Some(_)) = (kind, program.events[id].section)
            else {
                continue;
            };
            let value = self.scheme.resolve(program, *value);
            let Some(variable) = program.terms.var_of(value) else {
                continue;
            };
            let guard = self.scheme.resolve(program, guard);
            if program.terms.depends_on(guard, variable) {
                let range = program.terms.fact(value);
                let word = self.formula.bits_of(&program.terms, value).to_vec();
                self.formula.within_if(&[], &word, &range);
            }
        }
    }

    /// The scheme's figures, for statistics.
    pub fn figures(&self) -> Vec<(&'static str, usize)> {
        self.scheme.figures()
    }

    /// Some assertion is violated.
    pub fn violation(&mut self, program: &EventProgram) -> Lit {
        let asserts = |claim: &&Claim| program.check(claim.event) == Some(Check::Assert);
        let claims = self.claims.iter().filter(asserts);
        let violated: Vec<TermId> = claims.filter_map(|claim| claim.violated).collect();
        self.any(&program.terms, &violated)
    }

    /// The scheme's own part, if it is of that type, with the formula.
    pub fn part<T: Encoded>(&mut self) -> Option<(&mut T, &mut Formula)> {
        let scheme: &mut dyn std::any::Any = &mut *self.scheme;
        Some((scheme.downcast_mut()?, &mut self.formula))
    }

    pub(super) fn any(&mut self, terms: &Terms, conditions: &[TermId]) -> Lit {
        let lits: Vec<Lit> = conditions
            .iter()
            .map(|&t| self.formula.lit_of(terms, t))
            .collect();
        self.formula.or_all(&lits)
    }
}

/// A solver as the receiver of a formula's clauses.
pub(super) struct Sink<'a>(pub &'a mut dyn Solver);

impl ClauseSink for Sink<'_> {
    fn new_var(&mut self) -> i32 {
        self.0.new_var()
    }

    fn add_clause(&mut self, lits: &[i32]) {
        self.0.add_clause(lits);
    }
}

#[cfg(feature = "internals")]
impl Encoding {
    /// States the constraints of a program.
    ///
    /// # Panics
    /// If the scheme does not know the program's memory model.
    pub fn new(program: &mut EventProgram, options: &Options) -> Encoding {
        Encoding::within(program, options, &Budget::unlimited())
            .unwrap_or_else(|why| panic!("{why}"))
    }

    /// Assertions and cuts that can happen as far as folding shows.
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// The formula, for statistics and to write it to a file.
    pub fn formula(&mut self) -> &mut Formula {
        &mut self.formula
    }
}
