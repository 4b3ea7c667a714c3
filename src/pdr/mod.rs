//! Unbounded reachability of finite systems: property-directed reachability and k-induction, after a short bounded search.
//!
//! The first is that of Bradley ("SAT-based model checking without unrolling", VMCAI 2011) in the form of Eén,
//! Mishchenko and Brayton ("Efficient implementation of property directed reachability", FMCAD 2011). Frames
//! F(1) ⊇ … hold clauses over latches; F(i) contains every state that i steps reach. A state that leads to a bad one
//! is an obligation: a cube of such states is blocked in its frame if it cannot be reached from the frame before, otherwise
//! a predecessor becomes an obligation. Two equal frames are an inductive invariant.
//!
//! * A system's next state is a function of latches and inputs, so a "primed" literal is the gate that computes it:
//!   the relation is written once, without variables of its own.
//! * Predecessors are lifted to cubes by failed assumptions (Chockler et al., "Incremental formal verification of hardware", FMCAD
//!   2011): from every state of the cube, the same inputs lead into the target. Hence a counterexample is
//!   computed forwards from its first state, and believed only if it ends in a bad one ([`System::run`]).
//! * Latches may be predicates of other ones ([`Latch`]). Then cubes speak of predicates and control if these suffice, and of bits
//!   of words only where they do not, similar to implicit predicate abstraction (Cimatti et al., "IC3 modulo theories via implicit
//!   predicate abstraction", TACAS 2014). With them come candidates for clauses, of which `strengthen` keeps what holds.
//! * k-induction (`induction`) gets a share of the effort, as it seldom is the faster one: a few depths at first, further ones
//!   as questions of the other search allow it. The bounded search and the frames are its base case.
//! * An invariant is believed only after a fresh solver has found it to hold initially, to be kept by every step, and to exclude
//!   bad states, over as many successive states as it says ([`certificate`]).

mod answer;
pub mod bounded;
pub mod certificate;
mod copies;
mod engine;
pub mod faults;
mod induction;
mod obligation;
mod strengthen;
mod symmetry;
pub mod system;
#[cfg(test)]
mod test;
mod walk;

pub use answer::{Answer, Effort, Invariant, Unsound};
pub use system::{Latch, Symmetry, System, Trace};

use crate::base::{Budget, StopReason};
use crate::solve::{Setup, SolverKind};
use engine::Engine;
use induction::Induction;

/// Invariants that will do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Any.
    Any,
    /// Those of depth 1, which remain invariants where less is bad. At greater depths, what is bad is a hypothesis, too.
    Ordinary,
    /// Those of depth 1 whose clauses are about some of the equal members, within so many questions.
    General(u64),
}

/// Decides whether a bad state can be reached: by a bounded search over a few steps, then by k-induction and
/// property-directed reachability in turn. The answer has been checked. `None` for a solver that this build lacks.
///
/// Candidates are clauses that may hold in all reachable states. Where there are some, the system is one that is hard to
/// search step by step, and an invariant has no more clauses than are needed.
///
/// # Errors
/// A result that does not withstand its check.
pub fn decide(
    system: &System,
    wanted: Wanted,
    candidates: &[system::Cube],
    setup: &Setup,
) -> Option<Result<(Answer, Effort), Unsound>> {
    setup.note(|meter| meter.system(system.latches.len()));
    let mut effort = Effort::default();
    let is_hard = !candidates.is_empty();
    let steps = if is_hard { FEW } else { bounded::STEPS };
    let answer = match bounded::search(system, steps, setup)? {
        Err(reason) => Answer::Stopped(reason),
        Ok(bounded::Found::Reached(trace)) => Answer::Reached(trace),
        Ok(bounded::Found::Nothing(known)) => {
            let candidates = system.whole(candidates);
            let kept = match strengthen::inductive(system, &candidates, setup)? {
                Ok(kept) => kept,
                Err(reason) => return Some(Ok((Answer::Stopped(reason), effort))),
            };
            let mut induction = Induction::new(system, setup)?;
            let mut engine = Engine::new(system, kept, setup)?;
            if let Wanted::General(patience) = wanted {
                engine.patience = patience;
            }
            let helper = (wanted == Wanted::Any).then_some(&mut induction);
            let answer = unbounded(&mut engine, helper, known);
            effort = engine.effort;
            effort.queries += induction.queries;
            match answer {
                Ok(Answer::Safe(invariant)) if is_hard && invariant.depth == 1 => {
                    let clauses = strengthen::sufficient(system, &invariant.clauses, setup)?;
                    clauses.map(|clauses| Answer::Safe(Invariant { clauses, depth: 1 }))
                }
                answer => answer,
            }
            .unwrap_or_else(Answer::Stopped)
        }
    };
    Some(believe(system, answer, setup.solver, setup.budget).map(|answer| (answer, effort)))
}

/// Steps of the bounded search where there are candidates.
const FEW: usize = 3;

/// Cost that k-induction may have beforehand: four or five depths, a millisecond on small programs.
const AHEAD: u64 = 300;

/// Questions of the other search for a cost of one. Where that search takes long, k-induction then takes at most 7 % (measured).
const SHARE: u64 = 10;

/// Property-directed reachability, and k-induction with a share of its effort. The first `known` steps are not bad; the more
/// frames there are, the more is known.
fn unbounded(
    engine: &mut Engine,
    mut induction: Option<&mut Induction>,
    known: usize,
) -> Result<Answer, StopReason> {
    loop {
        if let Some(induction) = &mut induction {
            let known = known.max(engine.known());
            let allowance = AHEAD + engine.effort.queries / SHARE;
            if let Some(invariant) = induction.search(known, allowance)? {
                return Ok(Answer::Safe(invariant));
            }
        }
        if let Some(answer) = engine.advance()? {
            return Ok(answer);
        }
    }
}

/// Checks an answer on its own.
fn believe(
    system: &System,
    answer: Answer,
    solver: SolverKind,
    budget: &Budget,
) -> Result<Answer, Unsound> {
    match &answer {
        Answer::Reached(trace) if system.run(trace).is_none() => Err(Unsound(
            "a counterexample does not end in a bad state".into(),
        )),
        Answer::Safe(invariant) => match certificate::check(system, invariant, solver, budget) {
            Some(Ok(())) => Ok(answer),
            Some(Err(certificate::Flaw::Stopped(reason))) => Ok(Answer::Stopped(reason)),
            Some(Err(flaw)) => Err(Unsound(flaw.to_string())),
            None => Err(Unsound(format!("this build has no solver {solver}"))),
        },
        _ => Ok(answer),
    }
}
