//! Deadlocks beside other checks: they are asked of a program of their own, which was read for them alone, so that all else is decided
//! as if nobody asked. Both run at the same time, under one budget. Where a violation of another check was found, bounds rise for deadlocks
//! as far as they did for those, and no further.

use super::request::{Ceiling, Request};
use super::result::{Failure, Progress, Verified};
use crate::base::Budget;
use crate::ir::{Check, Checks, Program};
use crate::outcome::{Finding, Outcome, Verdict};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;
use std::thread;

/// What the run that is not in the foreground tells.
struct Told {
    words: String,
    outcome: Option<Outcome>,
    finding: Option<Finding>,
}

/// Verifies a program under checks other than deadlocks, and beside that the same program as it was read for deadlocks. `verify` is asked for
/// each.
pub(super) fn beside(
    (program, waiting): (&Arc<Program>, &Arc<Program>),
    request: &Request,
    budget: &Budget,
    progress: &mut dyn FnMut(&Progress),
    verify: impl Fn(
        &Arc<Program>,
        &Request,
        &Budget,
        &mut dyn FnMut(&Progress),
    ) -> Result<Verified, Failure>
    + Sync,
) -> Result<Verified, Failure> {
    let of = |checks| Request {
        checks,
        ..request.clone()
    };
    let others = of(request.checks.without(Check::Deadlock));
    let ceiling = Ceiling::default();
    let deadlocks = Request {
        record: false,
        ceiling: ceiling.clone(),
        ..of(Checks::of(&[Check::Deadlock]))
    };
    let part = budget.part().lane("deadlocks");
    let cancel = part.cancel();
    thread::scope(|scope| {
        let (tell, told) = channel::<Told>();
        let verify = &verify;
        let beside = scope.spawn(move || {
            let mut tell = |so_far: &Progress| {
                // Nobody listens any more when the run is over.
                let _ = tell.send(Told {
                    words: so_far.words.to_string(),
                    outcome: so_far.outcome.cloned(),
                    finding: so_far.finding.cloned(),
                });
            };
            verify(waiting, &deadlocks, &part, &mut tell)
        });
        // Deepest level of the run beside that is finished.
        let finished = Cell::new(0);
        let pass_on = |told: Told, progress: &mut dyn FnMut(&Progress)| {
            if let (Some(outcome), None) = (&told.outcome, &told.finding) {
                finished.set(level_of(outcome));
            }
            progress(&Progress {
                words: &told.words,
                // An outcome of the one run is none of both.
                outcome: told.outcome.as_ref().filter(|_| told.finding.is_some()),
                finding: told.finding.as_ref(),
            });
        };
        let mut both = |so_far: &Progress| {
            for one in told.try_iter() {
                pass_on(one, progress);
            }
            progress(so_far);
        };
        let verified = verify(program, &others, budget, &mut both);
        // Level that is enough for deadlocks, too.
        let enough = match &verified {
            Ok(verified) if verified.outcome.verdict == Verdict::Failed => {
                level_of(&verified.outcome)
            }
            _ => u32::MAX,
        };
        ceiling.set(enough);
        let is_enough = match &verified {
            Ok(verified) => request.first && verified.outcome.verdict == Verdict::Failed,
            Err(_) => true,
        };
        if is_enough || finished.get() >= enough {
            cancel.store(true, Ordering::Relaxed);
        }
        for one in told.iter() {
            pass_on(one, progress);
            if finished.get() >= enough {
                cancel.store(true, Ordering::Relaxed);
            }
        }
        let deadlocks = match beside.join() {
            Ok(deadlocks) => deadlocks,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        Ok(joined(verified?, deadlocks?, request))
    })
}

/// Iterations of the level that an outcome is of; one if it is not of levels.
fn level_of(outcome: &Outcome) -> u32 {
    outcome.coverage.level.max(1)
}

/// One result of both runs.
fn joined(mut verified: Verified, deadlocks: Verified, request: &Request) -> Verified {
    let outcome = &mut verified.outcome;
    let more = deadlocks.outcome;
    outcome.subject.checks = request.checks;
    let is_enough = request.first && !outcome.findings.is_empty();
    if !is_enough {
        outcome.findings.extend(more.findings);
    }
    outcome.suppressed.extend(more.suppressed);
    let order = |one: &Finding| (Check::of(one.property), one.loc, one.fingerprint);
    outcome.findings.sort_by_key(order);
    outcome.suppressed.sort_by_key(order);
    outcome.by_check.extend(more.by_check);
    outcome.by_check.sort_by_key(|(check, _)| *check);
    outcome.verdict = Verdict::worst(outcome.by_check.iter().map(|(_, verdict)| verdict));
    for (stage, time) in more.statistics.stages {
        outcome.statistics.add_time(stage, time);
    }
    outcome.statistics.cpu = outcome.statistics.cpu.max(more.statistics.cpu);
    outcome.statistics.wall = outcome.statistics.wall.max(more.statistics.wall);
    verified
}
