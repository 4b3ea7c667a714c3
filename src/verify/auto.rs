//! The default: levels of bounds, joined by the search without bounds where levels cut something off that nobody asked to.
//!
//! Both are lanes of one run. The first that is complete, or has a violation, wins; what the levels have found stays if no
//! proof comes. They end by themselves as they did alone, so the other lane never keeps an answer back; only where a
//! program is too large for a level, the other one has some time more.
//!
//! Of limited processor time, the search without bounds has a share ([`allowance`]): most proofs take it less than
//! a second, and what is left to the levels suffices for nearly all that they decide within the limit alone.

use super::explicit;
use super::findings::Findings;
use super::modular;
use super::race::Known;
use super::request::Request;
use super::result::{Failure, Progress, Verified};
use super::telling::telling;
use super::unrolled::{self, Levels};
use super::watch::{Strategies, Watch};
use crate::base::Budget;
use crate::ir::Program;
use crate::lanes::{ALL, Flag, Lane, Lanes, Start};
use crate::modular::{Finding, Proof};
use crate::question::Judged;
use crate::trace::enumerate::Exploration;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Processor time that the levels have for themselves.
const HEAD_START: Duration = Duration::from_millis(100);
/// Least processor time for a proof where the program is too large for a level.
const PATIENCE: Duration = Duration::from_secs(5);

/// Time from which on the search without bounds has a quarter.
const LATER: Duration = Duration::from_secs(10);

/// Processor time that the search without bounds may have of so much that the run has used: half of four seconds, an eighth of
/// the next six, because bounds then often are about to find something, and a quarter of what is beyond.
fn allowance(whole: Duration) -> Duration {
    const AT_FIRST: Duration = Duration::from_secs(4);
    let next = whole.min(LATER).saturating_sub(AT_FIRST);
    whole.min(AT_FIRST) / 2 + next / 8 + whole.saturating_sub(LATER) / 4
}

/// The same where loops create threads: half of three seconds, and of the next seven nothing. A proof for any number of threads is
/// there by then, or needs more than these would give it.
fn allowance_for_families(whole: Duration) -> Duration {
    const AT_FIRST: Duration = Duration::from_secs(3);
    whole.min(AT_FIRST) / 2 + whole.saturating_sub(LATER) / 4
}

/// Result of a lane.
enum Ran {
    Levels(Box<Levels>),
    /// Result of the search without bounds that the levels need not add anything to.
    Unbounded(Box<Proof>),
    /// All states, none of which has what is looked for.
    States(Box<Exploration>),
    /// Result that is none, or is not all.
    Partial,
}

impl Ran {
    /// Answer: true if the other lane need not go on.
    fn is_answer(&self) -> bool {
        match self {
            Ran::Levels(levels) => levels.is_finished,
            Ran::Unbounded(_) | Ran::States(_) => true,
            Ran::Partial => false,
        }
    }
}

/// Verifies a program by whatever suits it.
pub(super) fn verify(
    program: &Arc<Program>,
    request: &Request,
    known: &Known,
    budget: &Budget,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Verified, Failure> {
    if !may_be_unbounded(request) {
        return unrolled::verify(program, request, known, budget, progress);
    }
    let start = Instant::now();
    let findings = Findings::new(program, request);
    let (tell, mut telling) = telling(program, request, &findings);
    let cut = Flag::default();
    let levels =
        unrolled::lane(program, request, known, &findings, &cut, tell, Ran::Levels).share(ALL);
    let strategies = Strategies::default();
    // The violation that the search without bounds has found, where others are looked for.
    let partial: Arc<Mutex<Option<Proof>>> = Arc::default();
    let (of_program, of_request, of_known) = (Arc::clone(program), request.clone(), known.clone());
    let (observed, of_run, kept) = (strategies.clone(), findings.clone(), Arc::clone(&partial));
    let unbounded = Lane::new("modular", move |budget: &Budget| {
        of_run.ends(budget.cancel());
        let mut proof =
            modular::lanes(&of_program, &of_request, &of_known, None, &observed).run(budget)?;
        let is_safe = matches!(proof.finding, Finding::Safe { .. });
        let is_violated = modular::judge(&mut proof, &of_run) == Some(Judged::Counts);
        if is_safe || is_violated && of_request.first {
            return Ok(Ran::Unbounded(Box::new(proof)));
        }
        if is_violated {
            *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(proof);
        }
        Ok(Ran::Partial)
    })
    .start(Start::Raised(cut, HEAD_START))
    .share(if modular::creates_in_loop(program) {
        allowance_for_families
    } else {
        allowance
    })
    .memory_percent(50);
    let mut watch = Watch::of(&strategies);
    let mut watcher = || {
        telling.look(progress);
        watch.look(progress);
    };
    let mut lanes = Lanes::new(levels, Ran::is_answer).and(unbounded);
    if explicit::suits(request) {
        let wraps =
            |all: Option<Exploration>| all.map_or(Ran::Partial, |all| Ran::States(Box::new(all)));
        lanes = lanes.and(explicit::lane(program, wraps));
    }
    let ran = lanes.patience(PATIENCE).watched(&mut watcher).run(budget)?;
    let proof = match ran {
        Ran::Levels(levels) if !levels.is_empty() => {
            return Ok(levels.verified(program, request, &findings));
        }
        Ran::Levels(levels) => {
            let partial = partial
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            match partial {
                Some(proof) => proof,
                None => return Ok(levels.verified(program, request, &findings)),
            }
        }
        Ran::Unbounded(proof) => *proof,
        Ran::States(all) => return Ok(explicit::verified(program, request, &all, start)),
        Ran::Partial => unreachable!("the first lane is that of the levels"),
    };
    modular::verified(program, request, proof, &findings, start)
}

/// Requests that leave everything open which the search without bounds has no bounds for. A formula that is to be kept is to be
/// the one that answers, and cubes are those of unrolled programs.
fn may_be_unbounded(request: &Request) -> bool {
    let is_open = request.unwind.is_none()
        && request.unwind_of.is_empty()
        && request.recursion.is_none()
        && request.threads.is_none();
    is_open && !request.memory.is_weak() && !request.record && request.split.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_a_long_time_is_for_the_levels() {
        let of = |millis| allowance(Duration::from_millis(millis)).as_millis();
        assert_eq!(
            [0, 100, 1000, 6000, 10_000, 60_000].map(of),
            [0, 50, 500, 2250, 2750, 15_250]
        );
        let of = |millis| allowance_for_families(Duration::from_millis(millis)).as_millis();
        assert_eq!(
            [0, 100, 6000, 10_000, 60_000].map(of),
            [0, 50, 1500, 1500, 14_000]
        );
    }

    #[test]
    fn a_bound_that_was_asked_for_is_respected() {
        let open = Request::default();
        assert!(may_be_unbounded(&open));
        let bounds: [fn(&mut Request); 6] = [
            |request| request.unwind = Some(1),
            |request| request.recursion = Some(1),
            |request| request.threads = Some(1),
            |request| request.record = true,
            |request| {
                request.split = Some(crate::verify::Split {
                    count: 2,
                    only: None,
                });
            },
            |request| request.memory = crate::event::MemoryModel::Tso,
        ];
        for set in bounds {
            let mut request = open.clone();
            set(&mut request);
            assert!(!may_be_unbounded(&request), "{request:?}");
        }
    }
}
