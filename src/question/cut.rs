//! Reachable cuts: which bounds, and what else executions end at, keep executions out of an answer.
//!
//! Each loop and each function that recurs is a kind of cut of its own, so that the next level of bounds knows which of them it has to let
//! go on for longer. First, one question after the other finds a cut of each sort, which is all that a verdict depends on: whether some
//! loop is cut, some function, and so on. Which other loops and functions are cut is asked within a limit ([`PATIENCE`]); those that are
//! left when it is used up are *unsure*, and count as cut for whoever raises bounds. A model says of all of them at once whether it
//! reaches them, so that there are rarely more than two questions.

use super::answer::Execution;
use super::encoding::Encoding;
use super::model::with_model;
use super::settled::is_asked;
use crate::base::{Budget, StopReason};
use crate::event::{Cut, EventId, EventProgram};
use crate::goal::{Claim, Model};
use crate::ir::Undefined;
use crate::question::faults;
use crate::sat::Solver;
use crate::term::TermId;

/// Number of times that the solver asks whether to stop, about every ten decisions or conflicts, while it looks for further loops that are
/// cut.
const PATIENCE: u64 = 1000;

/// Reachable cuts, as a [`Reach`](super::Reach) has them.
pub(super) struct Cuts {
    pub cuts: Vec<EventId>,
    pub ends: Vec<Execution>,
    pub unsure: Vec<EventId>,
}

/// A cut that may be reachable.
#[derive(Clone)]
struct Open<'a> {
    event: EventId,
    reached: TermId,
    why: &'a Cut,
}

/// The sort of a cut: loops that are cut for the same reason are of one.
fn are_of_one_sort(one: &Cut, other: &Cut) -> bool {
    let discriminant = std::mem::discriminant::<Cut>;
    match (one.repeat(), other.repeat()) {
        (Some(_), Some(_)) => discriminant(one) == discriminant(other),
        _ => one == other,
    }
}

impl Encoding {
    /// One reachable event of each kind of cut that can be reached and is not asked for, and executions for those about
    /// addresses whose numbers are known.
    pub(super) fn reachable_cuts(
        &mut self,
        program: &EventProgram,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<Cuts, StopReason> {
        let claims = self.claims.iter();
        let all: Vec<Open> = claims
            .filter(|claim| !is_asked(program, claim, self.checks))
            .filter_map(|claim| {
                Some(Open {
                    event: claim.event,
                    reached: claim.reached,
                    why: program.cut(claim.event)?,
                })
            })
            .collect();
        let mut found: Vec<Open> = Vec::new();
        let mut ends: Vec<Execution> = Vec::new();
        let is_of = |found: &[Open], cut: &Open| {
            let mut found = found.iter();
            found.any(|known| are_of_one_sort(known.why, cut.why))
        };
        loop {
            let open = all.iter().filter(|cut| !is_of(&found, cut));
            match self.reach_more(program, open, &all, &found, solver, budget)? {
                None => break,
                Some(more) => {
                    ends.extend(self.ends(program, &more, solver));
                    found.extend(more);
                }
            }
        }
        let part = budget.part().with_patience(PATIENCE);
        let mut unsure: Vec<Open> = Vec::new();
        loop {
            let is_known = |found: &[Open], cut: &Open| found.iter().any(|one| one.why == cut.why);
            let further = all
                .iter()
                .filter(|cut| is_of(&found, cut) && !is_known(&found, cut));
            if faults::on(faults::Fault::OneLoop) {
                break;
            }
            match self.reach_more(program, further.clone(), &all, &found, solver, &part) {
                Ok(None) => break,
                Ok(Some(more)) => found.extend(more),
                Err(_) => {
                    for cut in further {
                        if !is_known(&unsure, cut) {
                            unsure.push(cut.clone());
                        }
                    }
                    break;
                }
            }
        }
        let events = |cuts: Vec<Open>| {
            let mut events: Vec<EventId> = cuts.iter().map(|cut| cut.event).collect();
            events.sort_unstable();
            events
        };
        Ok(Cuts {
            cuts: events(found),
            ends,
            unsure: events(unsure),
        })
    }

    /// Asks for an execution that reaches one of the cuts that are `open`; one of each kind that it reaches and that was not `found`.
    fn reach_more<'a, 'b: 'a>(
        &mut self,
        program: &EventProgram,
        open: impl Iterator<Item = &'a Open<'b>>,
        all: &[Open<'b>],
        found: &[Open<'b>],
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<Option<Vec<Open<'b>>>, StopReason> {
        let reached: Vec<TermId> = open.map(|cut| cut.reached).collect();
        if reached.is_empty() {
            return Ok(None);
        }
        let any = self.any(&program.terms, &reached);
        if !self.ask(program, any, true, solver, budget).is_sat()? {
            return Ok(None);
        }
        let mut more: Vec<Open> = Vec::new();
        with_model(&self.formula, &program.terms, solver, |model| {
            for cut in all {
                let mut known = found.iter().chain(&more);
                if !known.any(|known| known.why == cut.why) && model.holds(cut.reached) {
                    more.push(cut.clone());
                }
            }
        });
        Ok((!more.is_empty()).then_some(more))
    }

    /// Executions that end at those of these cuts that are about addresses, if the numbers of addresses are known: of the model that the
    /// solver has.
    fn ends(
        &mut self,
        program: &EventProgram,
        cuts: &[Open],
        solver: &mut dyn Solver,
    ) -> Vec<Execution> {
        let mut ends = Vec::new();
        for cut in cuts {
            let is_address = matches!(
                cut.why,
                Cut::Undefined(Undefined::InvalidAccess | Undefined::InvalidFree)
            );
            if is_address && !program.bases.is_empty() {
                let here = |claim: &Claim| (claim.event == cut.event).then_some(claim.reached);
                ends.extend(self.decode(program, solver, here).into_iter().flatten());
            }
        }
        ends
    }
}
