//! Values that C leaves open, such as the results of `sin`: a program that asks for them is read twice.
//!
//! In one reading they are any values that an implementation may give. What holds there holds on every machine. A violation may need a
//! value that no machine gives; so it counts only if the other reading has it as well, in which a call of such a function ends the
//! execution. Otherwise the answer is not known.

use super::request::Request;
use super::result::{Failure, Progress, Verified};
use crate::base::Budget;
use crate::ir::{Check, Program};
use crate::outcome::{Finding, Reason, Verdict};
use std::sync::Arc;

/// Verifies both readings of a program: `certain`, in which such a call ends the execution, and `open`.
pub(super) fn verify(
    (certain, open): (&Arc<Program>, &Arc<Program>),
    request: &Request,
    budget: &Budget,
    progress: &mut dyn FnMut(&Progress),
    verify: impl Fn(
        &Arc<Program>,
        &Request,
        &Budget,
        &mut dyn FnMut(&Progress),
    ) -> Result<Verified, Failure>,
) -> Result<Verified, Failure> {
    // What is found there may be no violation: nobody is told.
    let mut words = |so_far: &Progress| {
        progress(&Progress {
            words: so_far.words,
            outcome: None,
            finding: None,
        });
    };
    let of_any_values = verify(open, request, budget, &mut words)?;
    let outcome = &of_any_values.outcome;
    if outcome.findings.is_empty() && outcome.suppressed.is_empty() {
        return Ok(of_any_values);
    }
    let found = verify(certain, request, budget, progress)?;
    Ok(joined(found, &of_any_values, &certain.open_calls))
}

/// The violations that are certain, and of other checks what is known whatever the values are.
fn joined(mut certain: Verified, open: &Verified, names: &[String]) -> Verified {
    let outcome = &mut certain.outcome;
    let others = open.outcome.by_check.iter();
    for ((check, verdict), (_, of_any_values)) in outcome.by_check.iter_mut().zip(others) {
        if *verdict == Verdict::Failed {
            continue;
        }
        let mut found = open.outcome.findings.iter();
        let is_own = |finding: &&Finding| Check::of(finding.property) == *check;
        *verdict = match found.find(is_own) {
            Some(finding) => Verdict::Unknown {
                reason: Reason::Open {
                    names: names.to_vec(),
                    loc: finding.loc,
                },
            },
            None => of_any_values.clone(),
        };
    }
    if outcome.findings.is_empty() {
        outcome.coverage = open.outcome.coverage.clone();
    }
    outcome.verdict = Verdict::worst(outcome.by_check.iter().map(|(_, verdict)| verdict));
    for (stage, time) in &open.outcome.statistics.stages {
        outcome.statistics.add_time(stage, *time);
    }
    certain
}
