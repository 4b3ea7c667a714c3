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
//! * k-induction (`induction`) gets a share of the effort, as it seldom is the faster one: a few depths at first, further ones
//!   as questions of the other search allow it. The bounded search and the frames are its base case.
//! * An invariant is believed only after a fresh solver has found it to hold initially, to be kept by every step, and to exclude
//!   bad states, over as many successive states as it says ([`certificate`]).

pub mod bounded;
pub mod certificate;
mod copies;
mod engine;
mod induction;
#[cfg(test)]
mod test;

use crate::base::{Budget, StopReason};
use crate::circuit::{Circuit, Lit};
use crate::solve::{Setup, SolverKind};
use engine::Engine;
use induction::Induction;

/// A finite transition system: gates over latches and inputs.
#[derive(Clone, Debug)]
pub struct System {
    /// The gates. Its inputs are the latches' present values and the system's inputs.
    pub circuit: Circuit,
    /// State bits.
    pub latches: Vec<Latch>,
    /// Free values, chosen anew in every step.
    pub inputs: Vec<Lit>,
    /// Holds where a state is bad under some input.
    pub bad: Lit,
}

/// A state bit.
#[derive(Clone, Copy, Debug)]
pub struct Latch {
    /// Its present value: an input gate.
    pub state: Lit,
    /// Its value after the step.
    pub next: Lit,
    /// Its value at the start; `None` if any.
    pub initial: Option<bool>,
}

/// A latch with a value: the latch's number plus one, negative for false.
pub type Literal = i32;

/// Literals of a conjunction or, in an invariant, of a disjunction, by latch; each latch once.
pub type Cube = Vec<Literal>;

/// An execution to a bad state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Values of latches at the start.
    pub start: Vec<bool>,
    /// Values of inputs in each step, the last of which is bad.
    pub inputs: Vec<Vec<bool>>,
}

/// A set of states that is inductive over windows of `depth` successive states, each after a step from the one before.
///
/// * *Base*: from the start, the first `depth` states are in the set, and the first `depth - 1` steps are not bad.
/// * *Step*: take `depth` states in the set, no two of them equal, such that the steps between them are not bad. Then no
///   step out of the last one is bad, and each leads into the set.
///
/// These two suffice. Take a shortest execution that leaves the set or takes a bad step. It passes no state twice, the
/// base case covers its beginning, so its end comes after a window, and there the step case says the opposite. Whether
/// a step is bad depends on its inputs: a hypothesis speaks of the inputs that were chosen, a conclusion of all.
///
/// With depth 1 this is an ordinary invariant: it contains the initial states, no step leaves it, and no state in it is bad
/// under any input. A property alone, without clauses, that k good steps in a row keep good has depth k + 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Disjunctions whose conjunction is the set.
    pub clauses: Vec<Cube>,
    /// States of a window, at least 1.
    pub depth: usize,
}

impl Default for Invariant {
    /// All states.
    fn default() -> Invariant {
        Invariant {
            clauses: Vec::new(),
            depth: 1,
        }
    }
}

/// Answer about a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A bad state is reached.
    Reached(Trace),
    /// None is; checked.
    Safe(Invariant),
    /// The budget ended the search.
    Stopped(StopReason),
}

/// A result that does not withstand its check: an error of this program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsound(pub String);

/// Sizes of a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Effort {
    /// Frames that were opened.
    pub frames: usize,
    /// Calls of the solver.
    pub queries: u64,
    /// Clauses that were learnt.
    pub clauses: u64,
}

impl System {
    /// Values of latches after a step, and whether it was a bad one.
    pub fn step(&self, state: &[bool], inputs: &[bool]) -> (Vec<bool>, bool) {
        let mut given = vec![false; self.circuit.len()];
        for (latch, value) in self.latches.iter().zip(state) {
            given[latch.state.gate()] = *value;
        }
        for (input, value) in self.inputs.iter().zip(inputs) {
            given[input.gate()] = *value;
        }
        let values = self.circuit.simulate(&|lit| given[lit.gate()]);
        let value = |lit: Lit| values[lit.gate()] ^ lit.is_negative();
        let next = self.latches.iter().map(|latch| value(latch.next)).collect();
        (next, value(self.bad))
    }

    /// All states of an execution, the first and the bad one included; `None` if it does not start where it may or
    /// does not end in a bad state.
    pub fn run(&self, trace: &Trace) -> Option<Vec<Vec<bool>>> {
        let starts = self.latches.iter().zip(&trace.start);
        let may_start = |(latch, value): (&Latch, &bool)| latch.initial.is_none_or(|i| i == *value);
        if trace.start.len() != self.latches.len() || !starts.into_iter().all(may_start) {
            return None;
        }
        let mut states = vec![trace.start.clone()];
        let mut last_is_bad = false;
        for inputs in &trace.inputs {
            let (next, bad) = self.step(states.last()?, inputs);
            states.push(next);
            last_is_bad = bad;
        }
        states.pop();
        last_is_bad.then_some(states)
    }

    /// The state literal of a latch literal.
    pub(crate) fn state(&self, literal: Literal) -> Lit {
        let latch = &self.latches[literal.unsigned_abs() as usize - 1];
        latch.state.complement_if(literal < 0)
    }

    /// The gate that says that the literal holds after the step.
    fn next(&self, literal: Literal) -> Lit {
        let latch = &self.latches[literal.unsigned_abs() as usize - 1];
        latch.next.complement_if(literal < 0)
    }

    /// Initial states: true if some initial state satisfies all literals.
    fn is_initial(&self, cube: &[Literal]) -> bool {
        cube.iter().all(|literal| {
            let latch = &self.latches[literal.unsigned_abs() as usize - 1];
            latch
                .initial
                .is_none_or(|initial| initial == (*literal > 0))
        })
    }
}

/// Invariants that will do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Any.
    Any,
    /// Those of depth 1, which remain invariants where less is bad. At greater depths, what is bad is a hypothesis, too.
    Ordinary,
}

/// Decides whether a bad state can be reached: by a bounded search over a few steps, then by k-induction and
/// property-directed reachability in turn. The answer has been checked. `None` for a solver that this build lacks.
///
/// # Errors
/// A result that does not withstand its check.
pub fn decide(
    system: &System,
    wanted: Wanted,
    setup: &Setup,
) -> Option<Result<(Answer, Effort), Unsound>> {
    let mut effort = Effort::default();
    let answer = match bounded::search(system, bounded::STEPS, setup)? {
        Err(reason) => Answer::Stopped(reason),
        Ok(bounded::Found::Reached(trace)) => Answer::Reached(trace),
        Ok(bounded::Found::Nothing(known)) => {
            let mut induction = Induction::new(system, setup)?;
            let mut engine = Engine::new(system, setup)?;
            let helper = (wanted == Wanted::Any).then_some(&mut induction);
            let answer = unbounded(&mut engine, helper, known);
            effort = engine.effort;
            effort.queries += induction.queries;
            answer.unwrap_or_else(Answer::Stopped)
        }
    };
    Some(believe(system, answer, setup.solver, setup.budget).map(|answer| (answer, effort)))
}

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
