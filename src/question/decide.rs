//! Deciding a program: questions to one incremental solver.
//!
//! 1. Can an assertion be violated? If so, the execution is decoded; can one at another place?
//! 2. If undefined behaviour is asked for: can it be reached, and at which places?
//! 3. Which kinds of cut can be reached beside these? They say how far the answer reaches.
//! 4. Can any assertion be reached at all?

use super::Options;
use super::answer::{Answer, Execution, Failure, Inconsistent, Open, Reach};
use super::cube::{Asked, Unsplit};
use super::cut::Cuts;
use super::encoding::{Encoding, Question, Sink, Unencoded};
use super::known::{Judge, Known};
use super::model::with_model;
use super::parts::Parts;
use super::settled::is_asked;
use crate::base::{Budget, StopReason};
use crate::circuit::Lit;
use crate::event::EventProgram;
use crate::goal::Claim;
use crate::ir::Check;
use crate::question::faults;
use crate::sat::{self, Solver};
use crate::scheme::Beyond;
use crate::term::TermId;
use std::time::Instant;

/// Result of deciding a program.
#[derive(Debug)]
pub struct Checked {
    /// The answer.
    pub answer: Answer,
    /// The level of the scheme's own bounds that questions have come to.
    pub level: u32,
    /// The last question whether an assertion can be violated, if it is to be kept and says all of what it stands for.
    pub question: Option<Question>,
    /// Cubes that the last hard question was cut into, or that this is one of.
    pub parts: Option<Parts>,
}

/// Decides a program with a fresh solver.
#[cfg(test)]
pub fn check(
    program: &mut EventProgram,
    options: &Options,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Answer, Failure> {
    let checked = check_within(
        program,
        options,
        solver,
        &mut super::known::all_count,
        budget,
    );
    checked.map(|checked| checked.answer)
}

/// Decides a program with a fresh solver; also how far it came.
pub fn check_within(
    program: &mut EventProgram,
    options: &Options,
    solver: &mut dyn Solver,
    judge: &mut Judge,
    budget: &Budget,
) -> Result<Checked, Failure> {
    let encoding = Encoding::within(program, options, budget);
    checked(encoding, program, solver, judge, budget)
}

/// Decides one of so many cubes of a program, by its number from 0, with a fresh solver; also how far it came.
pub fn check_cube(
    program: &mut EventProgram,
    options: &Options,
    (number, most): (usize, usize),
    solver: &mut dyn Solver,
    judge: &mut Judge,
    budget: &Budget,
) -> Result<Checked, Failure> {
    let mut encoding = Encoding::within(program, options, budget);
    if let Ok(part) = &mut encoding {
        match part.confine(program, (number, most), solver, budget) {
            Ok(true) => {}
            Ok(false) => {
                return Ok(Checked {
                    answer: Answer::Safe(Reach::NOTHING),
                    level: 0,
                    question: None,
                    parts: part.parts.map(Parts::decided),
                });
            }
            Err(Unsplit::Uncovered(why)) => return Err(why.into()),
            Err(Unsplit::Stopped(reason)) => encoding = Err(reason.into()),
        }
    }
    let checked = checked(encoding, program, solver, judge, budget)?;
    let is_decided = !matches!(checked.answer, Answer::Stopped { .. });
    Ok(Checked {
        parts: checked
            .parts
            .map(|parts| if is_decided { parts.decided() } else { parts }),
        ..checked
    })
}

/// Decides an encoded program.
fn checked(
    encoding: Result<Encoding, Unencoded>,
    program: &mut EventProgram,
    solver: &mut dyn Solver,
    judge: &mut Judge,
    budget: &Budget,
) -> Result<Checked, Failure> {
    match encoding {
        Ok(mut encoding) => {
            let answer = encoding.decide(program, solver, judge, budget);
            let terms = program.terms.len();
            program.spent.add("solve", encoding.solving, terms);
            if let Some(why) = encoding.uncovered {
                return Err(why.into());
            }
            let answer = answer?;
            let level = match answer {
                Answer::Stopped { .. } => encoding.answered.unwrap_or(0),
                _ => encoding.scheme.level(),
            };
            Ok(Checked {
                answer,
                level,
                question: encoding.asked,
                parts: encoding.parts,
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
            parts: None,
        }),
    }
}

/// Looks for violations with a fresh solver, and asks nothing else. What is found is an answer where all that is asked for of this
/// program is found, or the first is enough; `None` says nothing: the scheme's bounds may leave out what others find.
pub fn hunt(
    program: &mut EventProgram,
    options: &Options,
    solver: &mut dyn Solver,
    judge: &mut Judge,
    budget: &Budget,
) -> Result<Option<Checked>, Failure> {
    let mut encoding = match Encoding::within(program, options, budget) {
        Ok(encoding) => encoding,
        Err(Unencoded::NoModel(scheme, memory)) => return Err(Failure::NoModel(scheme, memory)),
        Err(Unencoded::Stopped(_)) => return Ok(None),
    };
    encoding.state_needs(program);
    let mut known = Known::new(judge);
    match encoding.search_level(program, &mut known, solver, budget) {
        Ok(()) => {}
        Err(Ended::Inconsistent(why)) => return Err(why.into()),
        Err(Ended::Stopped(_)) => return Ok(None),
    }
    if !encoding.is_settled(program, &known) {
        return Ok(None);
    }
    // The solver may have been told to forget them, and counts what it has.
    encoding.formula.flush(&mut Sink(solver));
    Ok(Some(Checked {
        answer: Answer::violated(known.found, Err(Open::Unasked)),
        level: encoding.scheme.level(),
        question: None,
        parts: None,
    }))
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
        let (goal, within) = match self.scheme.beyond(program, &mut self.formula) {
            Beyond::None => return Ok(true),
            Beyond::Some => return Ok(false),
            Beyond::Asked { goal, within } => (goal, within),
        };
        let answer = match goal {
            Lit::FALSE => sat::Answer::Unsat,
            _ => {
                // Executions whose sections end at a cut count.
                let partial = !faults::on(faults::Fault::WholeSections);
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
    pub fn question(&mut self, program: &EventProgram) -> Question {
        let violation = self.state_needs(program);
        let units = self.assumptions(violation, false);
        Question {
            clauses: self.formula.clauses().clone(),
            units,
        }
    }

    /// The condition that some assertion is violated. The formula gets what it takes at least.
    pub(super) fn state_needs(&mut self, program: &EventProgram) -> Lit {
        let violation = self.violation(program);
        for needed in self.scheme.needed(&program.terms, &mut self.formula) {
            self.formula.add_clause(&[!violation, needed]);
        }
        violation
    }

    /// Asks the questions, in order.
    pub fn decide(
        &mut self,
        program: &mut EventProgram,
        solver: &mut dyn Solver,
        judge: &mut Judge,
        budget: &Budget,
    ) -> Result<Answer, Inconsistent> {
        self.state_needs(program);
        let mut known = Known::new(judge);
        let searched = self.search_levels(program, &mut known, solver, budget);
        let is_settled = self.is_settled(program, &known);
        let Known {
            found, suppressed, ..
        } = known;
        let complete = match searched {
            Ok(complete) => complete,
            Err(Ended::Inconsistent(why)) => return Err(why),
            Err(Ended::Stopped(reason)) if found.is_empty() => {
                let safe = self.answered.is_some();
                return Ok(Answer::Stopped { reason, safe });
            }
            Err(Ended::Stopped(_)) if is_settled => {
                return Ok(Answer::violated(found, Err(Open::Unasked)));
            }
            Err(Ended::Stopped(reason)) => {
                return Ok(Answer::violated(found, Err(Open::Stopped(reason))));
            }
        };
        if self.first && !found.is_empty() {
            return Ok(Answer::violated(found, Err(Open::Unasked)));
        }
        let part = is_settled.then(|| self.a_while(budget));
        let budget = part.as_ref().unwrap_or(budget);
        let all = found.iter().chain(&suppressed);
        let fails = |one: &Execution| program.check(one.target) == Some(Check::Assert);
        let has_failed = all.into_iter().any(fails);
        let reach = match self.reach(program, complete, has_failed, solver, budget) {
            Ok(reach) => reach,
            Err(reason) if found.is_empty() => return Ok(Answer::Stopped { reason, safe: true }),
            Err(_) if is_settled => return Ok(Answer::violated(found, Err(Open::Unasked))),
            Err(reason) => return Ok(Answer::violated(found, Err(Open::Stopped(reason)))),
        };
        Ok(if found.is_empty() {
            Answer::Safe(reach)
        } else {
            Answer::violated(found, Ok(reach))
        })
    }

    /// Looks for violations, level by level while there are none: whether the scheme leaves no schedule out.
    fn search_levels(
        &mut self,
        program: &mut EventProgram,
        known: &mut Known,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<bool, Ended> {
        let highest = self.scheme.rises_to();
        loop {
            self.search_level(program, known, solver, budget)?;
            if self.first && !known.found.is_empty() {
                return Ok(false);
            }
            self.answered = Some(self.scheme.level());
            let is_settled = self.is_settled(program, known);
            let part = is_settled.then(|| self.a_while(budget));
            let complete = self.is_exhausted(program, solver, part.as_ref().unwrap_or(budget))?;
            match highest {
                Some(highest)
                    if !complete && known.found.is_empty() && self.scheme.level() < highest =>
                {
                    let next = self.scheme.next().min(highest);
                    self.restrict(program, next);
                }
                _ => return Ok(complete),
            }
        }
    }

    /// Looks for violations within the level that questions are about.
    pub(super) fn search_level(
        &mut self,
        program: &EventProgram,
        known: &mut Known,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<(), Ended> {
        self.failing(program, known, solver, budget)?;
        if self.first && !known.found.is_empty() {
            return Ok(());
        }
        self.others(program, known, solver, budget)
    }

    /// Adds executions that violate assertions, one for each place.
    fn failing(
        &mut self,
        program: &EventProgram,
        known: &mut Known,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<(), Ended> {
        // For good if it is the only question.
        let mut more = self.asks_more;
        let open = |claim: &Claim, known: &Known| {
            let is_assertion = program.check(claim.event) == Some(Check::Assert);
            let known = known.has(program, claim.event);
            claim.violated.filter(|_| is_assertion && !known)
        };
        let all = if !self.checks.contains(Check::Assert) {
            Lit::FALSE
        } else if known.is_empty() {
            self.violation(program)
        } else {
            let open = self.claims.iter().filter_map(|claim| open(claim, known));
            let open: Vec<TermId> = open.collect();
            self.any(&program.terms, &open)
        };
        let mut answer = self.settle(program, all, !more, solver, budget);
        loop {
            let is_found = answer.is_sat()?;
            if is_found {
                let executions = self.decode(program, solver, |claim| open(claim, known))?;
                known.add(program, executions, (self, solver))?;
                if self.first && !known.found.is_empty() {
                    return Ok(());
                }
            }
            if !std::mem::replace(&mut more, true) {
                // Its clauses say that there is a violation.
                solver.reset();
                self.formula.rewind();
            }
            if !is_found {
                if known.is_empty() && self.scheme.rises_to().is_some() {
                    self.learn(all);
                }
                return Ok(());
            }
            let open = self.claims.iter().filter_map(|claim| open(claim, known));
            let open: Vec<TermId> = open.collect();
            let any = self.any(&program.terms, &open);
            answer = self.ask(program, any, false, solver, budget);
        }
    }

    /// Adds executions that violate checks other than that of assertions, one for each check and place: those that end where
    /// something is undefined, then those that come to the end of the program.
    fn others(
        &mut self,
        program: &EventProgram,
        known: &mut Known,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<(), Ended> {
        let checks = self.checks;
        for is_cut in [true, false] {
            let open = |claim: &Claim, known: &Known| {
                let is_asked = is_asked(program, claim, checks);
                // A section in which an access races may end there, as at a cut.
                let ends =
                    claim.violated.is_none() || program.check(claim.event) == Some(Check::Race);
                let known = known.has(program, claim.event);
                let goal = claim.violated.unwrap_or(claim.reached);
                (is_asked && ends == is_cut && !known).then_some(goal)
            };
            loop {
                let goals = self.claims.iter().filter_map(|claim| open(claim, known));
                let goals: Vec<TermId> = goals.collect();
                let any = self.any(&program.terms, &goals);
                if !self.ask(program, any, is_cut, solver, budget).is_sat()? {
                    break;
                }
                let executions = self.decode(program, solver, |claim| open(claim, known))?;
                known.add(program, executions, (self, solver))?;
                if self.first && !known.found.is_empty() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Reach of the answer that there are no violations but those that are found, an assertion among them or not.
    pub(super) fn reach(
        &mut self,
        program: &EventProgram,
        complete: bool,
        has_failed: bool,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<Reach, StopReason> {
        let Cuts { cuts, ends, unsure } = self.reachable_cuts(program, solver, budget)?;
        let asserted = if !self.checks.contains(Check::Assert) {
            None
        } else if has_failed {
            Some(true)
        } else {
            let asserts = |claim: &&Claim| program.check(claim.event) == Some(Check::Assert);
            let assertions = self.claims.iter().filter(asserts);
            let reached: Vec<TermId> = assertions.map(|claim| claim.reached).collect();
            let any = self.any(&program.terms, &reached);
            Some(self.ask(program, any, false, solver, budget).is_sat()?)
        };
        Ok(Reach {
            cuts,
            ends,
            unsure,
            asserted,
            complete,
        })
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
        let optional = self.optional(&units);
        let answer = if violation == Lit::FALSE || self.scheme.level() < self.scheme.least() {
            sat::Answer::Unsat
        } else if for_good {
            self.formula.flush(&mut Sink(solver));
            let (assumptions, stated): (Vec<i32>, Vec<i32>) =
                units.iter().partition(|&&unit| Some(unit) == optional);
            for unit in stated {
                solver.add_clause(&[unit]);
            }
            let asked = Asked {
                assumptions: &assumptions,
                holds: &units,
                optional,
                at_once: true,
            };
            self.search_for(program, asked, solver, budget)
        } else {
            let asked = Asked {
                assumptions: &units,
                holds: &units,
                optional,
                at_once: true,
            };
            self.search_for(program, asked, solver, budget)
        };
        if self.record {
            self.keep(units, answer);
        }
        answer
    }

    /// Assumption of the question for violations that windows do without, where it is cut: it prunes schedules, and one that is pruned is an
    /// execution, too.
    fn optional(&mut self, units: &[i32]) -> Option<i32> {
        self.cubes?;
        if faults::on(faults::Fault::GoalOptional) {
            return units.first().copied();
        }
        let pruned = self.scheme.pruned()?;
        Some(self.formula.define(pruned))
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

    /// Looks for a model under assumptions.
    fn search(
        &mut self,
        program: &EventProgram,
        assumptions: &[i32],
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> sat::Answer {
        let asked = Asked {
            assumptions,
            holds: assumptions,
            optional: None,
            at_once: false,
        };
        self.search_for(program, asked, solver, budget)
    }

    /// Looks for a model; if they need not be executions, they are refined until one is.
    fn search_for(
        &mut self,
        program: &EventProgram,
        asked: Asked,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> sat::Answer {
        loop {
            if let Some(reason) = budget.check() {
                return sat::Answer::Stopped(reason);
            }
            self.formula.flush(&mut Sink(solver));
            budget.gauge().begin("solve");
            budget.gauge().at(|place| {
                place.formula = (solver.var_count(), solver.clause_count());
                place.own = place.own.map(|(bound, _)| (bound, self.scheme.level()));
            });
            let begin = Instant::now();
            let answer = match self.cubes {
                Some(cutting) => self.divide(program, (asked, cutting), solver, budget),
                None => solver.solve(asked.assumptions, budget),
            };
            self.solving += begin.elapsed();
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

/// Reason why a search for violations has no end of its own.
pub(super) enum Ended {
    Stopped(StopReason),
    Inconsistent(Inconsistent),
}

impl From<StopReason> for Ended {
    fn from(reason: StopReason) -> Ended {
        Ended::Stopped(reason)
    }
}

impl From<Inconsistent> for Ended {
    fn from(why: Inconsistent) -> Ended {
        Ended::Inconsistent(why)
    }
}
