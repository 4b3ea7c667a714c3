//! Joins in schemes that state the order of steps: one comes through only after the end of the thread that it names.

use super::program_order::{ProgramOrder, StepId};
use crate::base::IdVec;
use crate::circuit::{Formula, Lit};
use crate::event::{EventId, EventKind, EventProgram};
use crate::reduce::substitution::Substitution;
use crate::relation::faults::{self, Fault};
use crate::term::TermId;

/// States what joins need. Where `after` gives literals for the join, the end and the join's step, they say that the
/// end comes before it, and hold where the join waits; `None` where the static order says so.
///
/// The result lists the end's step, the join's step, and the condition, for each join with such literals.
pub fn state(
    program: &mut EventProgram,
    formula: &mut Formula,
    po: &ProgramOrder,
    happens: &IdVec<EventId, Option<TermId>>,
    substitution: &mut Substitution,
    mut after: impl FnMut(&mut Formula, EventId, StepId, StepId) -> Option<Vec<Lit>>,
) -> Vec<(StepId, StepId, TermId)> {
    let mut waiting = Vec::new();
    for (step, info) in po.steps.iter_ids() {
        for &event in &info.events {
            let EventKind::Join { targets, .. } = program.events[event].kind.clone() else {
                continue;
            };
            if faults::on(Fault::JoinWithoutEnd) {
                continue;
            }
            let through_term = happens[event].unwrap_or(program.terms.fals());
            let through = formula.lit_of(&program.terms, through_term);
            let mut some = vec![!through];
            for (target, when) in targets {
                let when_term = substitution.instance(&mut program.terms, when);
                let when = formula.lit_of(&program.terms, when_term);
                let end = po.end[target];
                let Some((end, end_node)) = end.and_then(|end| Some((end, po.step_of[end]?)))
                else {
                    formula.add_clause(&[!through, !when]);
                    continue;
                };
                some.push(when);
                if faults::on(Fault::JoinAnyThread) && when != Lit::TRUE {
                    continue;
                }
                let ended = happens[end].unwrap_or(program.terms.fals());
                let ended = formula.lit_of(&program.terms, ended);
                formula.add_clause(&[!through, !when, ended]);
                if faults::on(Fault::JoinOrder) {
                    continue;
                }
                let Some(ordered) = after(formula, event, end_node, step) else {
                    continue;
                };
                for lit in ordered {
                    formula.add_clause(&[!through, !when, lit]);
                }
                let waits = program.terms.and(through_term, when_term);
                waiting.push((end_node, step, waits));
            }
            formula.add_clause(&some);
        }
    }
    waiting
}
