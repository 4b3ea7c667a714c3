//! Chains: a program decided at several levels of a scheme's own bound, one after the other, by one solver that keeps what it
//! has learnt: so many rounds of `lazy` or so high a clock, so many writes of `mu`.
//!
//! Each answer is that of a search within its level alone ([`check_within`](super::check_within) with this bound): the same
//! questions are asked, under the assumption that nothing goes beyond the level, of a formula that has grown further at most.
//! Facts of a level (that no violation is within it) are stated as in a search whose bound rises, and hold at all others.

use super::answer::{Answer, Failure, Inconsistent, Open};
use super::decide::{Checked, Ended};
use super::encoding::{Encoding, Unencoded};
use super::known::{Judge, Known};
use super::{Options, faults};
use crate::base::Budget;
use crate::event::EventProgram;
use crate::ir::Check;
use crate::sat::Solver;

/// Listener to the answers of a chain: of each level, in their order. False ends the chain.
pub type Tell<'a> = dyn FnMut(&EventProgram, Checked, &dyn Solver) -> bool + 'a;

/// Decides a program at levels, which ascend, with a fresh solver. The first violation, and what the budget ends, is the last answer.
///
/// # Errors
/// The scheme does not know the memory model, or its model is no execution.
pub fn chain(
    program: &mut EventProgram,
    options: &Options,
    levels: &[u32],
    solver: &mut dyn Solver,
    judge: &mut Judge,
    budget: &Budget,
    tell: &mut Tell,
) -> Result<(), Failure> {
    let mut encoding = match Encoding::within(program, options, budget) {
        Ok(encoding) => encoding,
        Err(Unencoded::NoModel(scheme, memory)) => return Err(Failure::NoModel(scheme, memory)),
        Err(Unencoded::Stopped(_)) => return Ok(()),
    };
    encoding.state_needs(program);
    for &level in levels {
        if level == levels[0] || !faults::on(faults::Fault::ChainStays) {
            encoding.limit(program, level);
        }
        let answer = encoding.decide_level(program, solver, judge, budget)?;
        let is_last = !matches!(answer, Answer::Safe(_));
        let terms = program.terms.len();
        let solving = std::mem::take(&mut encoding.solving);
        program.spent.add("solve", solving, terms);
        let checked = Checked {
            answer,
            level: encoding.scheme.level(),
            question: None,
            parts: None,
        };
        if !tell(program, checked, solver) || is_last {
            break;
        }
    }
    Ok(())
}

impl Encoding {
    /// Asks the questions about the level, in order.
    fn decide_level(
        &mut self,
        program: &mut EventProgram,
        solver: &mut dyn Solver,
        judge: &mut Judge,
        budget: &Budget,
    ) -> Result<Answer, Inconsistent> {
        let mut known = Known::new(judge);
        let searched = self.search_level(program, &mut known, solver, budget);
        let Known {
            found, suppressed, ..
        } = known;
        let stopped = |reason, found: Vec<_>| match found.is_empty() {
            true => Answer::Stopped {
                reason,
                safe: false,
            },
            false => Answer::violated(found, Err(Open::Stopped(reason))),
        };
        match searched {
            Ok(()) => {}
            Err(Ended::Inconsistent(why)) => return Err(why),
            Err(Ended::Stopped(reason)) => return Ok(stopped(reason, found)),
        }
        if self.first && !found.is_empty() {
            return Ok(Answer::violated(found, Err(Open::Unasked)));
        }
        let all = found.iter().chain(&suppressed);
        let mut asserts = all.map(|one| program.check(one.target) == Some(Check::Assert));
        let has_failed = asserts.any(|asserts| asserts);
        let complete = match self.is_exhausted(program, solver, budget) {
            Ok(complete) => complete,
            Err(reason) => return Ok(stopped(reason, found)),
        };
        let reach = match self.reach(program, complete, has_failed, solver, budget) {
            Ok(reach) => reach,
            Err(reason) => return Ok(stopped(reason, found)),
        };
        Ok(match found.is_empty() {
            true => Answer::Safe(reach),
            false => Answer::violated(found, Ok(reach)),
        })
    }
}
