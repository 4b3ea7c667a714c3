//! Models of an encoding: values of terms, and the executions that they are.

use super::answer::{Execution, Inconsistent};
use super::encoding::Encoding;
use crate::base::Loc;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::circuit::{Formula, Lit};
use crate::event::{EventId, EventProgram, ThreadId};
use crate::goal::{Claim, Model};
use crate::ir::Check;
use crate::sat::Solver;
use crate::term::{Evaluator, TermId, Terms, VarId};

/// Check and place of what an execution violates.
type Place = (Option<Check>, (Loc, Option<Loc>));

impl Encoding {
    /// Executions of the solver's model that end at events whose condition (`goal`) holds: for each check and place the
    /// shortest, and of these the shortest first.
    ///
    /// # Errors
    /// There is no order of events, or no such event.
    pub fn decode(
        &self,
        program: &EventProgram,
        solver: &dyn Solver,
        goal: impl Fn(&Claim) -> Option<TermId>,
    ) -> Result<Vec<Execution>, Inconsistent> {
        self.decode_where(program, solver, |claim, model| {
            goal(claim).is_some_and(|t| model.holds(t))
        })
    }

    /// The same of events that a predicate over the model chooses.
    ///
    /// # Errors
    /// As for [`Encoding::decode`].
    pub(super) fn decode_where(
        &self,
        program: &EventProgram,
        solver: &dyn Solver,
        is_wanted: impl Fn(&Claim, &mut Solved) -> bool,
    ) -> Result<Vec<Execution>, Inconsistent> {
        with_model(&self.formula, &program.terms, solver, |model| {
            let mut best: SortedMap<Place, (Vec<EventId>, EventId)> = SortedMap::new();
            let (mut places, mut blocked) = (SortedSet::new(), SortedSet::new());
            for claim in &self.claims {
                let is_deadlock = program.check(claim.event) == Some(Check::Deadlock);
                if is_deadlock && claim.violated.is_some_and(|t| model.holds(t)) {
                    let event = &program.events[claim.event];
                    places.insert(event.loc);
                    blocked.insert(event.thread);
                }
            }
            let ended = self.ended.iter().filter(|(_, ended)| model.holds(*ended));
            let ended: Vec<ThreadId> = ended.map(|(thread, _)| *thread).collect();
            blocked.extend(ended);
            for claim in &self.claims {
                if !is_wanted(claim, model) {
                    continue;
                }
                let target = claim.event;
                let check = program.check(target);
                // All that is blocked is one deadlock.
                let place = match check {
                    Some(Check::Deadlock) => (check, (Loc::NONE, None)),
                    _ => (check, program.place(target)),
                };
                if check == Some(Check::Deadlock) && best.contains_key(&place) {
                    continue;
                }
                let order = self.scheme.decode(program, model, target);
                let order = order.ok_or(Inconsistent { target })?;
                match best.get(&place) {
                    Some(best) if best.0.len() <= order.len() => {}
                    _ => {
                        best.insert(place, (order, target));
                    }
                }
            }
            let mut best: Vec<(Vec<EventId>, EventId)> = best.into_values().collect();
            if best.is_empty() {
                return Err(Inconsistent { target: EventId(0) });
            }
            best.sort_by_key(|(order, target)| (order.len(), *target));
            let values = self.values(program, model);
            let executions = best.into_iter().map(|(order, target)| Execution {
                order,
                target,
                values: values.clone(),
                places: places.clone(),
                blocked: blocked.clone(),
            });
            Ok(executions.collect())
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
}

/// A solver's model of a formula.
pub(super) struct Solved<'a> {
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
pub(super) fn with_model<T>(
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
