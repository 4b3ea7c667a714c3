//! Verification thread by thread: Algorithm 1 and the environment queries of "Modular verification of concurrent programs
//! via sequential model checking" (ATVA 2018), §4 and §5.
//!
//! One thread is checked with an environment that may, before each of its edges, change all that other threads write
//! (`env_move`), except what has been learnt: `if (α(before)) assume(!β(after))`. Where that reaches a violation, the last
//! move of the environment on the path is questioned: can the environment lead from α (what held before it) to β (from where
//! the rest of the path violates)? If not, α and β are generalised and the move refined. If so, the precondition ψ of
//! the environment's path is a *promise of error*: reaching ψ there is as bad as a violation.
//!
//! What the paper leaves open or what is otherwise here:
//! * "Sequential programs" are bit-level systems, checked by property-directed reachability; conditions are values of
//!   some bits of words. β and ψ are the part of a concrete state that the rest of the path needs (failed
//!   assumptions over the unrolled rest), which is a weakest precondition with the values of the path for its inputs.
//! * α is what is known of the state before the move (the values of the path, of all that the thread's system has words for).
//! * Generalisation drops words from α and β, each change only if the query is still answered with no.
//! * Words of the environment become visible by being mentioned: a system has latches for what matters.
//! * The environment of more than two threads is not divided further: its query runs on the interleavings
//!   of the other threads, so that there are two levels of hierarchy.
//! * Every thread with an assertion is the main one once; promises and moves are its own.

use super::certificate;
use super::condition::Condition;
use super::system::Built;
use crate::base::faults::{self, Fault};
use crate::base::id::Id;
use crate::base::{Budget, StopReason};
use crate::circuit::{Circuit, Emitter, Lit};
use crate::event::ThreadId;
use crate::sat::pdr::{self, Trace, bounded};
use crate::sat::{self, SolverKind};
use crate::term::VarId;
use crate::transition::relation::{Bits, Name, Relation};
use crate::transition::{Automata, Key};
use std::collections::BTreeMap;

/// Values of inputs in one step, bit by bit.
pub type Inputs = BTreeMap<(VarId, u16), bool>;

/// Steps: who moves, and with which inputs.
pub type Path = Vec<(ThreadId, Inputs)>;

/// What counts as bad in the main thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// What the verdict is about, and every promise.
    All,
    /// What the verdict is about.
    Verdict,
    /// One promise.
    Promise(usize),
}

/// What has been learnt about an environment: from no state of `before` does it lead to one of `after`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    pub before: Condition,
    pub after: Condition,
    /// States that the environment does not reach after `before`: why it does not lead to `after`.
    pub never: Vec<Condition>,
}

/// States from which a violation can be reached.
pub(super) struct Promise {
    pub condition: Condition,
    /// The steps that lead on.
    path: Path,
    /// The promise at the end of the path; `None` if it ends in a violation.
    next: Option<usize>,
}

impl Promise {
    /// A promise of which nobody asks how it is kept.
    pub fn of(condition: Condition) -> Promise {
        Promise {
            condition,
            path: Path::new(),
            next: None,
        }
    }
}

/// Why nothing bad is reached in a main thread.
pub struct Safe {
    pub assumptions: Vec<Assumption>,
    /// States from which others could cause something bad.
    pub promises: Vec<Condition>,
    /// States that are not reached.
    pub never: Vec<Condition>,
}

/// How the check of one main thread ended.
pub enum Learnt {
    /// Nothing bad is reached in it.
    Safe(Safe),
    /// Steps of the whole program, from its start, to something bad.
    Reached(Path),
}

/// The check of one main thread.
pub struct Learner<'a> {
    pub automata: &'a Automata,
    pub relation: &'a Relation,
    pub main: ThreadId,
    pub solver: SolverKind,
    pub seed: u32,
    pub budget: &'a Budget,
    pub(super) assumptions: Vec<Assumption>,
    pub(super) promises: Vec<Promise>,
    /// Words that nobody but the main thread changes, and that are its own.
    local: Vec<bool>,
    /// Queries so far.
    pub queries: usize,
}

/// What the search on a system found.
enum Decided {
    /// Nothing bad is reached, because these states are not.
    Safe(Vec<Condition>),
    Reached(Trace),
}

/// The answer to a query.
enum Answered {
    /// The environment does not lead there: these states are not reached.
    No(Vec<Condition>),
    /// It does, from this condition, by these steps.
    Yes(Condition, Path),
}

/// Why a check ends early.
pub enum Failure {
    NoSolver,
    Unsound(String),
    Stopped(StopReason),
}

impl<'a> Learner<'a> {
    pub fn new(
        automata: &'a Automata,
        relation: &'a Relation,
        main: ThreadId,
        solver: SolverKind,
        seed: u32,
        budget: &'a Budget,
    ) -> Learner<'a> {
        let shared = relation.written(&|thread| thread != main);
        let own = relation.words.iter().enumerate().map(|(number, word)| {
            let own = match &word.name {
                Name::Place(owner) => *owner == main,
                Name::Variable(Key::Register { thread, .. }) => *thread == main.0,
                _ => false,
            };
            own && !shared.contains(&number)
        });
        Learner {
            local: own.collect(),
            automata,
            relation,
            main,
            solver,
            seed,
            budget,
            assumptions: Vec::new(),
            promises: Vec::new(),
            queries: 0,
        }
    }

    /// The main loop.
    pub fn run(&mut self) -> Result<Learnt, Failure> {
        loop {
            let built = self.main_system(true, Target::All);
            let trace = match self.decide(&built.bits)? {
                Decided::Safe(never) => return Ok(Learnt::Safe(self.safe(never))),
                Decided::Reached(trace) => trace,
            };
            let Some(states) = built.bits.system.run(&trace) else {
                return Err(Failure::Unsound("a path does not run".to_string()));
            };
            let inputs: Vec<Inputs> = trace.inputs.iter().map(|i| named(&built.bits, i)).collect();
            let befores: Vec<Condition> =
                states.iter().map(|s| condition(&built.bits, s)).collect();
            let own = |step: usize| -> Inputs {
                let havoc = |var: &VarId| built.havoc.values().any(|h| h == var);
                let kept = inputs[step].iter().filter(|((var, _), _)| !havoc(var));
                kept.map(|(bit, value)| (*bit, *value)).collect()
            };
            let last = states.len() - 1;
            // The promise that the path ends in, if it is one: then the last step does not count.
            let promise = (0..self.promises.len())
                .find(|i| holds(&self.promises[*i].condition, &befores[last]));
            let end = if promise.is_some() { last } else { last + 1 };
            let afters: Vec<Condition> = (0..end)
                .map(|step| self.moved(&built, &befores[step], &inputs[step]))
                .collect();
            let questioned = (0..end).rev().find(|step| afters[*step] != befores[*step]);
            let Some(step) = questioned else {
                let path: Path = (0..end).map(|step| (self.main, own(step))).collect();
                return Ok(Learnt::Reached(self.whole(path, promise)));
            };
            let suffix: Vec<Inputs> = (step..end).map(own).collect();
            let beta = self.precondition(&afters[step], &suffix, promise)?;
            let local = |word: usize| self.local[word];
            let (mine, beta) = (beta.only(&local), beta.only(&|word| !local(word)));
            let known = match faults::on(Fault::BeforeFromAfter) {
                true => &afters[step],
                false => &befores[step],
            };
            let alpha = known.only(&|word| !local(word));
            match self.query(&alpha, &beta)? {
                Answered::No(never) => {
                    let assumption = self.generalise(alpha, beta, never)?;
                    self.assumptions.push(assumption);
                }
                Answered::Yes(psi, mut path) => {
                    path.extend(suffix.into_iter().map(|inputs| (self.main, inputs)));
                    self.promises.push(Promise {
                        condition: psi.and(&mine),
                        path,
                        next: promise,
                    });
                }
            }
        }
    }

    /// What has been learnt, as a proof.
    fn safe(&mut self, never: Vec<Condition>) -> Safe {
        let promises = self.promises.drain(..);
        Safe {
            promises: promises.map(|promise| promise.condition).collect(),
            assumptions: std::mem::take(&mut self.assumptions),
            never,
        }
    }

    /// The whole way to a violation, along promises.
    fn whole(&self, path: Path, promise: Option<usize>) -> Path {
        let mut path = path;
        let mut next = promise;
        while let Some(index) = next {
            path.extend(self.promises[index].path.iter().cloned());
            next = self.promises[index].next;
        }
        path
    }

    /// A state of the main thread's system after the environment's move, of which there is none in a section.
    fn moved(&self, built: &Built, before: &Condition, inputs: &Inputs) -> Condition {
        let place = self.main.index();
        let bits = before.0.iter().filter(|((word, _), _)| *word == place);
        let number = bits.fold(0, |n, ((_, bit), value)| n | usize::from(*value) << bit);
        let locations = &self.automata.threads[self.main].locations;
        let location = locations.iter().nth(number);
        let mut after = before.clone();
        if location.is_some_and(|location| location.place.in_section()) {
            return after;
        }
        for ((word, bit), value) in &mut after.0 {
            if let Some(var) = built.havoc.get(word)
                && let Some(moved) = inputs.get(&(*var, *bit))
            {
                *value = *moved;
            }
        }
        after
    }

    /// What of a state of the main thread's system is needed for the rest of a path to end as it does.
    fn precondition(
        &self,
        state: &Condition,
        suffix: &[Inputs],
        promise: Option<usize>,
    ) -> Result<Condition, Failure> {
        let built = self.main_system(false, promise.map_or(Target::Verdict, Target::Promise));
        let mut steps = suffix.to_vec();
        if promise.is_some() {
            // The promise is there before another step.
            steps.push(Inputs::new());
        }
        self.core(&built.bits, state, &steps)
    }

    /// Bits of a state from which these inputs lead to a bad step at the end.
    fn core(&self, bits: &Bits, state: &Condition, steps: &[Inputs]) -> Result<Condition, Failure> {
        let mut circuit = Circuit::new();
        let start: Vec<Lit> = bits.latches.iter().map(|_| circuit.new_input()).collect();
        let mut now = start.clone();
        let mut bad = Lit::FALSE;
        for inputs in steps {
            let given: Vec<Lit> = bits
                .inputs
                .iter()
                .map(|meaning| Lit::constant(inputs.get(meaning).copied().unwrap_or(false)))
                .collect();
            let copy = bounded::instantiate(&bits.system, &mut circuit, &now, &given);
            let value = |lit: Lit| copy[lit.gate()].complement_if(lit.is_negative());
            bad = value(bits.system.bad);
            now = bits
                .system
                .latches
                .iter()
                .map(|latch| value(latch.next))
                .collect();
        }
        let mut solver = self.solver.open(0).ok_or(Failure::NoSolver)?;
        let mut emitter = Emitter::new();
        let mut assumptions = vec![emitter.lit(&circuit, !bad, &mut solver)];
        let mut meanings: BTreeMap<i32, ((usize, u16), bool)> = BTreeMap::new();
        for (lit, meaning) in start.iter().zip(&bits.latches) {
            if let Some(value) = state.0.get(meaning) {
                let lit = emitter.lit(&circuit, lit.complement_if(!value), &mut solver);
                assumptions.push(lit);
                meanings.insert(lit, (*meaning, *value));
            }
        }
        match solver.solve(&assumptions, self.budget) {
            sat::Answer::Unsat => {}
            sat::Answer::Sat => {
                return Err(Failure::Unsound(
                    "a path depends on more than its state".into(),
                ));
            }
            sat::Answer::Stopped(reason) => return Err(Failure::Stopped(reason)),
        }
        let core = solver.core().map_or(assumptions.clone(), <[i32]>::to_vec);
        Ok(Condition(
            core.iter()
                .filter_map(|lit| meanings.get(lit).copied())
                .collect(),
        ))
    }

    /// Whether the environment leads from `alpha` to `beta`.
    fn query(&mut self, alpha: &Condition, beta: &Condition) -> Result<Answered, Failure> {
        self.queries += 1;
        let built = self.environment_system(alpha, beta);
        let decided = match faults::on(Fault::QueryFewSteps) {
            true => self.look(&built.bits)?,
            false => self.decide(&built.bits)?,
        };
        let trace = match decided {
            Decided::Safe(never) => return Ok(Answered::No(never)),
            Decided::Reached(trace) => trace,
        };
        let Some(states) = built.bits.system.run(&trace) else {
            return Err(Failure::Unsound(
                "a path of the environment does not run".to_string(),
            ));
        };
        let flag = built.relation.words.len() - 1;
        let started = |state: &Vec<bool>| {
            let pairs = built.bits.latches.iter().zip(state);
            pairs
                .into_iter()
                .any(|((word, _), value)| *word == flag && *value)
        };
        let Some(from) = states.iter().position(started) else {
            return Err(Failure::Unsound(
                "an environment's path does not start".to_string(),
            ));
        };
        let inputs: Vec<Inputs> = trace.inputs[from..]
            .iter()
            .map(|i| named(&built.bits, i))
            .collect();
        let state = condition(&built.bits, &states[from]);
        let psi = self.core(&built.bits, &state, &inputs)?;
        let psi = psi.only(&|word| word != flag);
        // The last step only finds that it is there.
        let path = inputs[..inputs.len() - 1].iter().map(|inputs| {
            let thread = match built.choice {
                None => (0..self.automata.threads.len())
                    .find(|t| *t != self.main.index())
                    .unwrap_or(0),
                Some(choice) => {
                    let bits = inputs.iter().filter(|((var, _), _)| *var == choice);
                    bits.fold(0, |n, ((_, bit), value)| n | usize::from(*value) << bit)
                }
            };
            (ThreadId(thread as u32), inputs.clone())
        });
        let real = path.filter(|(thread, _)| {
            thread.index() < self.automata.threads.len() && *thread != self.main
        });
        Ok(Answered::Yes(psi, real.collect()))
    }

    /// Drops words from the conditions of a query that was answered with no, as long as the answer stays.
    fn generalise(
        &mut self,
        alpha: Condition,
        beta: Condition,
        never: Vec<Condition>,
    ) -> Result<Assumption, Failure> {
        let (mut before, mut after, mut never) = (alpha, beta, never);
        for word in before.words() {
            let weaker = before.only(&|w| w != word);
            if faults::on(Fault::GeneraliseUnasked) {
                before = weaker;
            } else if let Answered::No(states) = self.query(&weaker, &after)? {
                (before, never) = (weaker, states);
            }
        }
        for word in after.words() {
            let weaker = after.only(&|w| w != word);
            if let Answered::No(states) = self.query(&before, &weaker)? {
                (after, never) = (weaker, states);
            }
        }
        Ok(Assumption {
            before,
            after,
            never,
        })
    }

    /// The deliberate error of searching a few steps only.
    fn look(&self, bits: &Bits) -> Result<Decided, Failure> {
        let mut solver = self.solver.open(0).ok_or(Failure::NoSolver)?;
        match bounded::search(&bits.system, &mut *solver, 3, self.budget) {
            Ok(found) => Ok(found.map_or(Decided::Safe(Vec::new()), Decided::Reached)),
            Err(reason) => Err(Failure::Stopped(reason)),
        }
    }

    fn decide(&self, bits: &Bits) -> Result<Decided, Failure> {
        let decided = pdr::decide(&bits.system, self.solver, self.seed, self.budget);
        match decided.ok_or(Failure::NoSolver)? {
            Err(unsound) => Err(Failure::Unsound(unsound.0)),
            Ok((pdr::Answer::Safe(invariant), _)) => {
                Ok(Decided::Safe(certificate::never(&bits.latches, &invariant)))
            }
            Ok((pdr::Answer::Reached(trace), _)) => Ok(Decided::Reached(trace)),
            Ok((pdr::Answer::Stopped(reason), _)) => Err(Failure::Stopped(reason)),
        }
    }
}

/// Inputs of a step by what they mean.
fn named(bits: &Bits, values: &[bool]) -> Inputs {
    bits.inputs
        .iter()
        .copied()
        .zip(values.iter().copied())
        .collect()
}

/// A state as a condition.
fn condition(bits: &Bits, state: &[bool]) -> Condition {
    Condition(
        bits.latches
            .iter()
            .copied()
            .zip(state.iter().copied())
            .collect(),
    )
}

/// Whether a state satisfies a condition; what the state does not say is false.
fn holds(condition: &Condition, state: &Condition) -> bool {
    let mut bits = condition.0.iter();
    bits.all(|(bit, value)| state.0.get(bit).copied().unwrap_or(false) == *value)
}
