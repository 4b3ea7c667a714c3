//! When nothing is left to find, so that what else is asked changes no verdict.

use super::encoding::Encoding;
use super::known::Known;
use crate::base::Budget;
use crate::base::budget::process_cpu_time;
use crate::event::EventProgram;
use crate::goal::Claim;
use crate::ir::{Check, Checks};
use crate::question::faults;
use std::time::Duration;

/// Least processor time for questions that no verdict depends on, where other work may take some of it.
const A_WHILE: Duration = Duration::from_secs(2);
/// Patience with them: how often the solver asks whether to stop, about every ten decisions or conflicts.
const PATIENCE: u64 = 10_000;

impl Encoding {
    /// Nothing is left to find: the first violation is enough, or each check that is asked for has one, and so has every place of this
    /// program that may have one. Then no verdict depends on what bounds leave out.
    pub(super) fn is_settled(&self, program: &EventProgram, known: &Known) -> bool {
        if self.first {
            return !known.found.is_empty();
        }
        let mut checks = self.checks.iter();
        let has_failed = |check: Check| {
            let mut found = known.found.iter();
            found.any(|one| program.check(one.target) == Some(check))
        };
        checks.all(has_failed) && {
            let mut claims = self.claims.iter();
            claims.all(|claim| {
                let is_assertion = claim.violated.is_some()
                    && program.check(claim.event) == Some(Check::Assert)
                    && self.checks.contains(Check::Assert);
                let is_asked = is_assertion || is_asked(program, claim, self.checks);
                let is_open = is_asked && !known.has(program, claim.event);
                !is_open || faults::on(faults::Fault::SettledEarly)
            })
        }
    }

    /// Part of a budget for what no verdict depends on. Questions are not cut into cubes from now on. It is the same in every run where nothing runs beside it;
    /// elsewhere it ends, too, after as much processor time as was used until now, and at least [`A_WHILE`].
    pub(super) fn a_while(&mut self, budget: &Budget) -> Budget {
        self.cubes = None;
        let part = budget.part().with_patience(PATIENCE);
        if budget.seats().is_some_and(|seats| seats.is_single) {
            return part;
        }
        let used = process_cpu_time();
        part.with_cpu_limit(used + used.max(A_WHILE))
    }
}

/// Goals beside assertions: true if the claim is about a violation of one of the checks, and not of that of assertions.
pub(super) fn is_asked(program: &EventProgram, claim: &Claim, checks: Checks) -> bool {
    let check = program.check(claim.event);
    if faults::on(faults::Fault::MemoryUnasked) && check == Some(Check::Memory) {
        return false;
    }
    let property = program.events[claim.event].kind.property();
    property.is_some_and(|property| checks.asks(property)) && check != Some(Check::Assert)
}
