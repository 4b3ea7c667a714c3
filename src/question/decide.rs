//! Deciding a program: questions to one incremental solver.
//!
//! 1. Can an assertion be violated? If so, the execution is decoded.
//! 2. If not: which kinds of cut can be reached? They say how far the answer reaches.
//! 3. Can any assertion be reached at all?

use super::encoding::{Encoding, Question, Unencoded};
use super::{Options, Scheme};
use crate::base::{Budget, StopReason};
use crate::circuit::{ClauseSink, Formula, Lit};
use crate::event::{Cut, EventId, EventKind, EventProgram, MemoryModel};
use crate::goal::{Claim, Model};
use crate::ir::Undefined;
use crate::question::faults;
use crate::sat::{self, Solver};
use crate::scheme::Beyond;
use crate::term::{Evaluator, TermId, Terms, VarId};

/// An execution of an event program up to a violated assertion or a cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// The visible events that happen, in one total order (of joins: those that came through).
    pub order: Vec<EventId>,
    /// The violated assertion, or the cut.
    pub target: EventId,
    /// Value of each variable, by its number; those of events that do not happen are arbitrary.
    pub values: Vec<u128>,
}

impl Execution {
    /// Value of a term of the program.
    pub fn value(&self, terms: &Terms, t: TermId) -> u128 {
        terms.eval(t, &|var: VarId| {
            self.values.get(var.0 as usize).copied().unwrap_or(0)
        })
    }
}

/// Answer: whether an assertion of a program can be violated, within the bounds of the scheme.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// An assertion can be violated.
    Violated(Execution),
    /// None can.
    Safe {
        /// One reachable event for each kind of cut that can be reached, in program order.
        cuts: Vec<EventId>,
        /// Executions that end at those of them that depend on machine addresses.
        ends: Vec<Execution>,
        /// Some assertion can be reached.
        asserted: bool,
        /// The scheme left no schedule out.
        complete: bool,
    },
    /// The budget ended the search.
    Stopped {
        /// Reason why it ended.
        reason: StopReason,
        /// It is known that no assertion can be violated within the bounds that the scheme has come to; the search
        /// ended while asking about cuts, or about more writes.
        safe: bool,
    },
}

/// A model that is no execution: an error of the encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inconsistent {
    /// The assertion or cut that the model was about.
    pub target: EventId,
}

impl std::fmt::Display for Inconsistent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the solver's model has no order of events (event {})",
            self.target.0
        )
    }
}

impl std::error::Error for Inconsistent {}

/// Error that leaves a program without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The solver's model is no execution.
    Inconsistent(Inconsistent),
    /// The scheme does not know the program's memory model.
    NoModel(Scheme, MemoryModel),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Inconsistent(why) => why.fmt(f),
            Failure::NoModel(scheme, memory) => Unencoded::NoModel(*scheme, *memory).fmt(f),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Inconsistent> for Failure {
    fn from(why: Inconsistent) -> Failure {
        Failure::Inconsistent(why)
    }
}

/// Result of deciding a program.
#[derive(Debug)]
pub struct Checked {
    /// The answer.
    pub answer: Answer,
    /// The level of the scheme's own bounds that questions have come to.
    pub level: u32,
    /// The last question whether an assertion can be violated, if it is to be kept and says all of what it stands for.
    pub question: Option<Question>,
}

/// Decides a program with a fresh solver.
#[cfg(test)]
pub fn check(
    program: &mut EventProgram,
    options: &Options,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Answer, Failure> {
    check_within(program, options, solver, budget).map(|checked| checked.answer)
}

/// Decides a program with a fresh solver; also how far it came.
pub fn check_within(
    program: &mut EventProgram,
    options: &Options,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Checked, Failure> {
    match Encoding::within(program, options, budget) {
        Ok(mut encoding) => {
            let answer = encoding.decide(program, solver, budget)?;
            let level = match answer {
                Answer::Stopped { .. } => encoding.answered.unwrap_or(0),
                _ => encoding.scheme.level(),
            };
            Ok(Checked {
                answer,
                level,
                question: encoding.asked,
            })
        }
        Err(Unencoded::NoModel(scheme, memory)) => Err(Failure::NoModel(scheme, memory)),
        Err(Unencoded::Stopped(reason)) => Ok(Checked {
            answer: Answer::Stopped {
                reason,
                safe: false,
            },
            level: 0,
            question: None,
        }),
    }
}

impl Encoding {
    /// Completeness: true if it is known that no execution goes beyond the level that questions are about.
    pub(super) fn is_exhausted(
        &mut self,
        program: &mut EventProgram,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        if let Some(farther) = self.scheme.farther() {
            self.grow(program, farther);
        }
        let (goal, within, partial) = match self.scheme.beyond(program, &mut self.formula) {
            Beyond::None => return Ok(true),
            Beyond::Some => return Ok(false),
            Beyond::Asked {
                goal,
                within,
                partial,
            } => (goal, within, partial),
        };
        let answer = match goal {
            Lit::FALSE => sat::Answer::Unsat,
            _ => {
                let assumptions = self.assumptions_within(goal, partial, within);
                self.search(program, &assumptions, solver, budget)
            }
        };
        match answer {
            sat::Answer::Sat => Ok(faults::on(faults::Fault::RoundsSuffice)),
            sat::Answer::Unsat => Ok(!faults::on(faults::Fault::PositionsSuffice)),
            sat::Answer::Stopped(reason) => Err(reason),
        }
    }

    /// States that no violation is within the level.
    fn learn(&mut self, violation: Lit) {
        if let Some(mut clause) = self.scheme.excluded() {
            clause.insert(0, !violation);
            clause.extend(&self.partial);
            self.formula.add_clause(&clause);
        }
    }

    /// The first question whether an assertion can be violated.
    pub fn question(&mut self, terms: &Terms) -> Question {
        let violation = self.state_needs(terms);
        let units = self.assumptions(violation, false);
        Question {
            clauses: self.formula.clauses().clone(),
            units,
        }
    }

    /// The condition that some assertion is violated. The formula gets what it takes at least.
    fn state_needs(&mut self, terms: &Terms) -> Lit {
        let violation = self.violation(terms);
        for needed in self.scheme.needed(terms, &mut self.formula) {
            self.formula.add_clause(&[!violation, needed]);
        }
        violation
    }

    /// Asks the questions, in order.
    pub fn decide(
        &mut self,
        program: &mut EventProgram,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<Answer, Inconsistent> {
        self.state_needs(&program.terms);
        let highest = self.scheme.rises_to();
        let rising = highest.is_some();
        let complete = loop {
            let violation = self.violation(&program.terms);
            let answer = self.settle(program, violation, !rising, solver, budget);
            match answer {
                sat::Answer::Sat => {
                    return self
                        .decode(program, solver, |claim| claim.violated)
                        .map(Answer::Violated);
                }
                sat::Answer::Stopped(reason) => {
                    return Ok(Answer::Stopped {
                        reason,
                        safe: self.answered.is_some(),
                    });
                }
                sat::Answer::Unsat => {
                    self.answered = Some(self.scheme.level());
                }
            }
            if !rising {
                // Its clauses say that there is a violation.
                solver.reset();
                self.formula.rewind();
            } else {
                self.learn(violation);
            }
            let complete = match self.is_exhausted(program, solver, budget) {
                Ok(complete) => complete,
                Err(reason) => return Ok(Answer::Stopped { reason, safe: true }),
            };
            match highest {
                Some(highest) if !complete && self.scheme.level() < highest => {
                    let next = self.scheme.next().min(highest);
                    self.restrict(program, next);
                }
                _ => break complete,
            }
        };
        let (cuts, ends) = match self.reachable_cuts(program, solver, budget) {
            Ok(found) => found,
            Err(reason) => return Ok(Answer::Stopped { reason, safe: true }),
        };
        let reached: Vec<TermId> = self
            .claims
            .iter()
            .filter(|claim| claim.violated.is_some())
            .map(|claim| claim.reached)
            .collect();
        let any = self.any(&program.terms, &reached);
        let asserted = match self.ask(program, any, false, solver, budget) {
            sat::Answer::Sat => true,
            sat::Answer::Unsat => false,
            sat::Answer::Stopped(reason) => return Ok(Answer::Stopped { reason, safe: true }),
        };
        Ok(Answer::Safe {
            cuts,
            ends,
            asserted,
            complete,
        })
    }

    /// One reachable event of each kind of cut that can be reached, and executions for those about addresses whose numbers
    /// are known.
    fn reachable_cuts(
        &mut self,
        program: &EventProgram,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<(Vec<EventId>, Vec<Execution>), StopReason> {
        let kind = |event: EventId| match &program.events[event].kind {
            EventKind::Cut { why } => Some(why),
            _ => None,
        };
        let mut open: Vec<(EventId, TermId, &Cut)> = self
            .claims
            .iter()
            .filter_map(|claim| Some((claim.event, claim.reached, kind(claim.event)?)))
            .collect();
        let mut found: Vec<EventId> = Vec::new();
        let mut ends: Vec<Execution> = Vec::new();
        while !open.is_empty() {
            let reached: Vec<TermId> = open.iter().map(|cut| cut.1).collect();
            let any = self.any(&program.terms, &reached);
            match self.ask(program, any, true, solver, budget) {
                sat::Answer::Sat => {}
                sat::Answer::Unsat => break,
                sat::Answer::Stopped(reason) => return Err(reason),
            }
            let before = found.len();
            with_model(&self.formula, &program.terms, solver, |model| {
                for &(event, reached, why) in &open {
                    let known = found[before..]
                        .iter()
                        .any(|&other| kind(other) == Some(why));
                    if !known && model.holds(reached) {
                        found.push(event);
                    }
                }
            });
            if found.len() == before {
                break;
            }
            for &event in &found[before..] {
                let is_address = matches!(
                    kind(event),
                    Some(Cut::Undefined(
                        Undefined::InvalidAccess | Undefined::InvalidFree
                    ))
                );
                if is_address && !program.bases.is_empty() {
                    let here = |claim: &Claim| (claim.event == event).then_some(claim.reached);
                    ends.extend(self.decode(program, solver, here));
                }
            }
            open.retain(|cut| {
                !found[before..]
                    .iter()
                    .any(|&other| kind(other) == Some(cut.2))
            });
        }
        found.sort_unstable();
        Ok((found, ends))
    }

    /// The shortest execution of the solver's model that ends at an event whose condition (`goal`) holds.
    pub fn decode(
        &self,
        program: &EventProgram,
        solver: &dyn Solver,
        goal: impl Fn(&Claim) -> Option<TermId>,
    ) -> Result<Execution, Inconsistent> {
        with_model(&self.formula, &program.terms, solver, |model| {
            let mut best: Option<(Vec<EventId>, EventId)> = None;
            for claim in &self.claims {
                if !goal(claim).is_some_and(|t| model.holds(t)) {
                    continue;
                }
                let target = claim.event;
                let order = self.scheme.decode(program, model, target);
                let order = order.ok_or(Inconsistent { target })?;
                if best.as_ref().is_none_or(|best| order.len() < best.0.len()) {
                    best = Some((order, target));
                }
            }
            let (order, target) = best.ok_or(Inconsistent { target: EventId(0) })?;
            Ok(Execution {
                order,
                target,
                values: self.values(program, model),
            })
        })
    }

    /// Value of each variable in a model.
    fn values(&self, program: &EventProgram, model: &mut Solved) -> Vec<u128> {
        let definitions = self.scheme.definitions();
        (0..program.terms.variables())
            .map(|i| match definitions.get(i) {
                Some(Some(definition)) => model.evaluator.value(*definition),
                _ => model
                    .evaluator
                    .value(program.terms.variable(VarId(i as u32))),
            })
            .collect()
    }

    /// Asks whether `goal` can be true, for now: the solver's clauses go on to have models in which it is not.
    pub fn ask(
        &mut self,
        program: &EventProgram,
        goal: Lit,
        partial: bool,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> sat::Answer {
        if goal == Lit::FALSE {
            return sat::Answer::Unsat;
        }
        let assumptions = self.assumptions(goal, partial);
        self.search(program, &assumptions, solver, budget)
    }

    /// Asks whether an assertion can be violated. If nothing else is ever asked of the solver (`for_good`), it is told so
    /// in clauses: it simplifies with them, which it does not with assumptions (safe rings and Fibonacci numbers: 0.75 to
    /// 0.85 of the time).
    fn settle(
        &mut self,
        program: &EventProgram,
        violation: Lit,
        for_good: bool,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> sat::Answer {
        let units = self.assumptions(violation, false);
        let answer = if violation == Lit::FALSE || self.scheme.level() < self.scheme.least() {
            sat::Answer::Unsat
        } else if for_good {
            self.formula.flush(&mut Sink(solver));
            for &unit in &units {
                solver.add_clause(&[unit]);
            }
            self.search(program, &[], solver, budget)
        } else {
            self.search(program, &units, solver, budget)
        };
        if self.record {
            self.keep(units, answer);
        }
        answer
    }

    /// Keeps a question, unless its models may still violate an order that only models make clauses of.
    fn keep(&mut self, units: Vec<i32>, answer: sat::Answer) {
        let is_open = !self.scheme.is_closed();
        self.asked = match answer {
            sat::Answer::Stopped(_) if is_open => None,
            _ => Some(Question {
                clauses: self.formula.clauses().clone(),
                units,
            }),
        };
    }

    /// Assumptions of a question: `goal`, the level, and that no section ends at a cut, unless it may (`partial`).
    pub fn assumptions(&mut self, goal: Lit, partial: bool) -> Vec<i32> {
        let within = self.scheme.within();
        self.assumptions_within(goal, partial, within)
    }

    fn assumptions_within(&mut self, goal: Lit, partial: bool, within: Vec<Lit>) -> Vec<i32> {
        let mut assumptions = vec![self.formula.define(goal)];
        if !partial && !faults::on(faults::Fault::PartialSections) {
            for lit in self.partial.clone() {
                assumptions.push(self.formula.define(!lit));
            }
        }
        for lit in within.into_iter().filter(|&lit| lit != Lit::TRUE) {
            assumptions.push(self.formula.define(lit));
        }
        assumptions
    }

    /// Looks for a model; if they need not be executions, they are refined until one is.
    fn search(
        &mut self,
        program: &EventProgram,
        assumptions: &[i32],
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> sat::Answer {
        loop {
            if let Some(reason) = budget.check() {
                return sat::Answer::Stopped(reason);
            }
            self.formula.flush(&mut Sink(solver));
            let answer = solver.solve(assumptions, budget);
            if answer != sat::Answer::Sat || self.scheme.is_closed() {
                return answer;
            }
            let clauses = with_model(&self.formula, &program.terms, solver, |model| {
                self.scheme.refine(model)
            });
            if clauses.is_empty() {
                return answer;
            }
            for clause in clauses {
                self.formula.add_clause(&clause);
            }
        }
    }
}

/// A solver as the receiver of a formula's clauses.
struct Sink<'a>(&'a mut dyn Solver);

impl ClauseSink for Sink<'_> {
    fn new_var(&mut self) -> i32 {
        self.0.new_var()
    }

    fn add_clause(&mut self, lits: &[i32]) {
        self.0.add_clause(lits);
    }
}

/// A solver's model of a formula.
struct Solved<'a> {
    formula: &'a Formula,
    solver: &'a dyn Solver,
    evaluator: Evaluator<'a>,
}

impl Model for Solved<'_> {
    fn lit(&mut self, lit: Lit) -> bool {
        let model = |variable: i32| self.solver.value(variable);
        // What no clause constrains is false.
        let positive = self.formula.value(lit.positive(), &model).unwrap_or(false);
        positive != lit.is_negative()
    }

    fn holds(&mut self, t: TermId) -> bool {
        self.evaluator.holds(t)
    }

    fn value(&mut self, t: TermId) -> u128 {
        self.evaluator.value(t)
    }
}

/// Looks at the model of a solver that holds the formula's clauses. What no clause constrains is 0.
fn with_model<T>(
    formula: &Formula,
    terms: &Terms,
    solver: &dyn Solver,
    look: impl FnOnce(&mut Solved) -> T,
) -> T {
    let model = |variable: i32| solver.value(variable);
    let values: Vec<u128> = (0..terms.variables())
        .map(|i| formula.variable_value(terms, VarId(i as u32), &model))
        .collect();
    let assignment = |var: VarId| values.get(var.0 as usize).copied().unwrap_or(0);
    look(&mut Solved {
        formula,
        solver,
        evaluator: Evaluator::new(terms, &assignment),
    })
}
