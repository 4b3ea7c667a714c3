//! The default: levels of bounds, joined by the search without bounds where levels cut something off that nobody asked to.
//!
//! Both are lanes of one run. The first that is complete, or has a violation, wins; what the levels have found stays if no
//! proof comes. They end by themselves as they did alone, so the other lane never keeps an answer back; only where a
//! program is too large for a level, the other one has some time more.
//!
//! Of limited processor time, the search without bounds has a share ([`allowance`]): most proofs take it less than
//! a second, and what is left to the levels suffices for nearly all that they decide within the limit alone.

use super::modular;
use super::request::Request;
use super::result::{Failure, Progress, Verified};
use super::unrolled::{self, Levels};
use super::watch::{Strategies, Watch};
use crate::base::Budget;
use crate::ir::Program;
use crate::lanes::{ALL, Flag, Lane, Lanes, Start};
use crate::modular::{Finding, Proof};
use crate::outcome::Outcome;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Processor time that the levels have for themselves.
const HEAD_START: Duration = Duration::from_millis(100);
/// Least processor time for a proof where the program is too large for a level.
const PATIENCE: Duration = Duration::from_secs(5);
/// Stack of the levels: symbolic execution recurses as programs nest.
const STACK_BYTES: usize = 1 << 30;

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
    Unbounded(Box<Proof>),
}

impl Ran {
    /// Answer: true if the other lane need not go on.
    fn is_answer(&self) -> bool {
        match self {
            Ran::Levels(levels) => levels.is_finished,
            Ran::Unbounded(proof) => matches!(
                proof.finding,
                Finding::Safe { .. } | Finding::Violated { .. }
            ),
        }
    }
}

/// Verifies a program by whatever suits it.
pub(super) fn verify(
    program: &Arc<Program>,
    request: &Request,
    budget: &Budget,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Verified, Failure> {
    if !may_be_unbounded(request) {
        return unrolled::verify(program, request, budget, progress);
    }
    let start = Instant::now();
    let (tell, told) = channel::<(String, Outcome)>();
    let cut = Flag::default();
    let (of_program, of_request) = (Arc::clone(program), request.clone());
    let raised = Arc::clone(&cut);
    let levels = Lane::new("levels", move |budget: &Budget| {
        let mut tell = |words: &str, outcome: &Outcome| {
            // Nobody listens any more when the run is over.
            let _ = tell.send((words.to_string(), outcome.clone()));
        };
        let levels = unrolled::levels(&of_program, &of_request, &raised, budget, &mut tell)?;
        Ok::<_, Failure>(Ran::Levels(Box::new(levels)))
    })
    .share(ALL)
    .stack_bytes(STACK_BYTES);
    let strategies = Strategies::default();
    let (of_program, of_request) = (Arc::clone(program), request.clone());
    let observed = strategies.clone();
    let unbounded = Lane::new("modular", move |budget: &Budget| {
        let proof = modular::lanes(&of_program, &of_request, None, &observed).run(budget)?;
        Ok(Ran::Unbounded(Box::new(proof)))
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
        for (words, outcome) in told.try_iter() {
            progress(&Progress {
                words: &words,
                outcome: Some(&outcome),
            });
        }
        watch.look(progress);
    };
    let ran = Lanes::new(levels, Ran::is_answer)
        .and(unbounded)
        .patience(PATIENCE)
        .watched(&mut watcher)
        .run(budget)?;
    match ran {
        Ran::Levels(levels) => Ok(levels.verified),
        Ran::Unbounded(proof) => modular::verified(program, request, *proof, start),
    }
}

/// Requests that leave everything open which the search without bounds has no bounds for. A formula that is to be kept is to be
/// the one that answers.
fn may_be_unbounded(request: &Request) -> bool {
    let is_open = request.unwind.is_none()
        && request.unwind_of.is_empty()
        && request.recursion.is_none()
        && request.threads.is_none();
    is_open && !request.memory.is_weak() && !request.record
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
        let bounds: [fn(&mut Request); 5] = [
            |request| request.unwind = Some(1),
            |request| request.recursion = Some(1),
            |request| request.threads = Some(1),
            |request| request.record = true,
            |request| request.memory = crate::event::MemoryModel::Tso,
        ];
        for set in bounds {
            let mut request = open.clone();
            set(&mut request);
            assert!(!may_be_unbounded(&request), "{request:?}");
        }
    }
}
