//! Unbounded verification: the verdict holds for any number of iterations and context switches of the threads that main
//! creates.
//!
//! The program becomes automata (`transition`), their product a bit-level system, and property-directed reachability
//! (`pdr`) decides whether a violation can be reached. First all that would keep the program from being proved is asked for
//! at once; only if something of it is reached are violations, what is not modelled, and undefined behaviour asked for
//! one by one.
//!
//! Lockstep: where threads loop independently of each other, the same is asked of a product in which they move together (`lockstep`).
//!
//! With a hierarchy, threads are verified one by one, each with what it has to know of the others (`learn`). That
//! nothing bad is reached so is said only after all that was learnt has been checked again (`certificate`); the product of the threads is not
//! built.
//!
//! Data races and deadlocks are asked of all interleavings alone: the other strategies say nothing where somebody asks for them.
//!
//! Architecture invariant: an invariant is believed after an independent check, a violation after its replay. Where array
//! objects abstract from what memory holds, a violation that does not replay is no answer; elsewhere it is an error.

mod automata;
mod branch;
pub mod certificate;
mod cube;
mod decide;
mod failure;
mod families;
pub mod faults;
mod finding;
mod flag;
mod fuse;
mod known;
mod learn;
mod lemma;
mod level;
mod linear;
mod lockstep;
mod name;
mod narrow;
mod path;
mod query;
mod schedule;
mod system;
mod threads;
mod unroll;
mod weaken;
mod witness;

use crate::base::{Budget, Loc, Meter};
use crate::event::ThreadId;
use crate::ir::{Check, Checks, GoalKinds};
use crate::ir::{Program, Property};
use crate::lanes::Flag;
use crate::pdr::{self, Answer, Effort, System, Wanted};
use crate::race::Sites;
use crate::solve::{Setup, SolverKind};
use crate::trace::Trace;
use crate::trace::replay::Divergence;
use crate::transition::automaton::LocationId;
use crate::transition::lockstep::suits;
use crate::transition::product::{Bad, End, Execution, Met, Step, follow, product};
use crate::transition::relation::{Relation, relation};
use crate::transition::{Automata, Outcome, Refusal};
use automata::automata;
use certificate::{Certificate, CertificateBuilder, Rejection};
use cube::Blocked;
pub use finding::Finding;
use finding::{Asked, Reached};
use learn::{Learner, Learnt};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Result of a search, with its effort and its certificate.
pub struct Proof {
    pub finding: Finding,
    /// Threads, main included; 0 if there are no automata.
    pub threads: usize,
    /// Latches of the largest system.
    pub latches: usize,
    /// Gates of the largest system.
    pub gates: usize,
    /// Effort of all searches.
    pub effort: Effort,
    /// Lemmas that threads had to know of the others, in C, if they were verified one by one.
    pub learnt: Vec<String>,
    /// Certificate of a successful verdict: what it rests on.
    pub certificate: Option<Certificate>,
    /// [`Strategy::Lockstep`] suits the program, and is to be asked where arrays are abstracted.
    pub suits_lockstep: bool,
}

impl Proof {
    /// Answer: true if no other strategy need be asked.
    pub fn is_answer(&self) -> bool {
        let is_open = self.suits_lockstep && matches!(self.finding, Finding::Abstracted { .. });
        self.finding.is_answer() && !is_open
    }
}

/// Options of the decision of a program.
#[derive(Clone, Debug)]
pub struct Options {
    pub solver: SolverKind,
    /// Varies the solver's random choices.
    pub seed: u32,
    /// Checks that violations are looked for of.
    pub checks: Checks,
    pub strategy: Strategy,
    /// Knowledge of the program's accesses; there where races are asked for.
    pub sites: Option<Arc<Sites>>,
    /// Flag that the search of all interleavings raises at its beginning, if [`Strategy::Lockstep`] suits the program.
    pub suits_lockstep: Flag,
}

/// Strategy of a decision: the threads that are looked at together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// All interleavings at once.
    Interleavings,
    /// The same, with independent threads in lockstep: for programs that have some.
    Lockstep,
    /// Threads one by one, these start routines first.
    OneByOne(Vec<String>),
    /// All interleavings of a few members of each family of threads, for any number of members.
    Families,
}

/// Reasons why there is no answer: errors of this program.
#[derive(Debug)]
pub enum Failure {
    /// This build has no such solver.
    NoSolver(SolverKind),
    /// A counterexample does not replay.
    Diverged(Box<Divergence>),
    /// A result does not withstand its check.
    Unsound(String),
    /// A thread that was named is none; the names that there are.
    NoThread { name: String, names: Vec<String> },
}

/// Decides a program, and writes a meter meanwhile.
///
/// # Errors
/// See [`Failure`].
pub fn prove(
    program: &Program,
    options: &Options,
    meter: &Meter,
    budget: &Budget,
) -> Result<Proof, Failure> {
    let proof = Proof {
        finding: Finding::Open,
        threads: 0,
        latches: 0,
        gates: 0,
        effort: Effort::default(),
        learnt: Vec::new(),
        certificate: None,
        suits_lockstep: false,
    };
    let setup = Setup {
        solver: options.solver,
        seed: options.seed,
        budget,
        meter: Some(meter),
    };
    match &options.strategy {
        // They would not say anything of races or deadlocks.
        Strategy::Families | Strategy::Lockstep | Strategy::OneByOne(_)
            if is_of_interleavings(options.checks) =>
        {
            Ok(proof)
        }
        Strategy::Families => Search::of_families(program, setup, proof),
        Strategy::Interleavings => of_threads(program, options, setup, proof, |search| {
            if !is_of_interleavings(search.checks) && suits(search.automata, search.writer.relation)
            {
                search.proof.suits_lockstep = true;
                options.suits_lockstep.store(true, Ordering::Relaxed);
            }
            search.run()
        }),
        Strategy::Lockstep => {
            of_threads(program, options, setup, proof, |search| search.lockstep())
        }
        Strategy::OneByOne(order) => of_threads(program, options, setup, proof, |search| {
            search.one_by_one(order)
        }),
    }
}

/// Kinds of goals that are preserved in lockstep, among few members of a family, and where threads are verified one by one: those
/// that a step of one thread reaches. Races and deadlocks are states of several threads. In lockstep, moves of threads at free places come at once, so that
/// they do not rest there as in the program; of a family, a few members are not all that have to be stuck; and a
/// thread by itself does not know who waits beside it.
pub const PRESERVES: GoalKinds = GoalKinds {
    assertions: true,
    undefined: true,
    races: false,
    ends: true,
    blocks: false,
};

/// Checks of which all interleavings alone tell: true if one of them is asked for.
pub fn is_of_interleavings(checks: Checks) -> bool {
    let mut checks = checks.iter();
    checks.any(|check| !PRESERVES.contain(GoalKinds::of(check)))
}

/// A decision about threads that are all told apart.
fn of_threads(
    program: &Program,
    options: &Options,
    setup: Setup,
    proof: Proof,
    decide: impl FnOnce(&mut Search) -> Result<Finding, Failure>,
) -> Result<Proof, Failure> {
    let sites = options.sites.as_deref();
    let automata = match automata(program, sites, setup.budget) {
        Ok(automata) => automata,
        Err(refusal) => return Ok(refused(proof, refusal)),
    };
    let relation = relation(&automata);
    let mut search = Search::new(program, &automata, &relation, setup, proof);
    search.checks = options.checks;
    search.certificate.races = sites.is_some();
    search.certificate.deadlocks = program.deadlocks;
    search.proof.threads = automata.threads.len();
    search.proof.finding = decide(&mut search)?;
    Ok(search.ended_with_proof())
}

fn refused(proof: Proof, refusal: Refusal) -> Proof {
    let finding = match refusal {
        Refusal::Stopped(reason) => Finding::Stopped(reason),
        refusal => Finding::Refused(refusal),
    };
    Proof { finding, ..proof }
}

struct Search<'a> {
    writer: CertificateBuilder<'a>,
    /// Certificate of what has been proved so far.
    certificate: Certificate,
    program: &'a Program,
    automata: &'a Automata,
    setup: Setup<'a>,
    /// Checks that violations are looked for of.
    checks: Checks,
    proof: Proof,
}

impl<'a> Search<'a> {
    fn new(
        program: &'a Program,
        automata: &'a Automata,
        relation: &'a Relation,
        setup: Setup<'a>,
        proof: Proof,
    ) -> Search<'a> {
        let writer = CertificateBuilder::new(program, automata, relation);
        Search {
            certificate: writer.empty(),
            writer,
            program,
            automata,
            setup,
            checks: Checks::ASSERT,
            proof,
        }
    }

    /// The result, with the certificate of a proof.
    fn ended_with_proof(mut self) -> Proof {
        let parts = &self.certificate.interleavings;
        // A certificate says that assertions hold.
        let is_whole = parts.iter().any(|part| part.violations);
        if let Finding::Safe { .. } = self.proof.finding
            && (is_whole || parts.is_empty())
        {
            self.proof.certificate = Some(self.certificate);
        }
        self.proof
    }
}

impl Search<'_> {
    fn run(&mut self) -> Result<Finding, Failure> {
        let races = self.checks.contains(Check::Race);
        let deadlocks = self.checks.contains(Check::Deadlock);
        let all = Bad {
            races,
            deadlocks,
            ..Bad::ALL
        };
        let first = match self.ask(all)? {
            Asked::Unreachable => {
                return Ok(Finding::Safe {
                    undefined: Vec::new(),
                });
            }
            Asked::Stopped(reason) => return Ok(Finding::Stopped(reason)),
            Asked::Reached(found) if self.is_asked(&found) => return Ok(found.finding()),
            Asked::Reached(found) => found,
        };
        // Executions end where something is undefined or not modelled; a violation may lie elsewhere.
        let violations = Bad {
            violations: self.checks.contains(Check::Assert),
            undefined: self.checks,
            unsupported: false,
            races,
            deadlocks,
        };
        if let Some(found) = self.ask(violations)?.finding() {
            return Ok(found);
        }
        if let Reached::Unsupported { .. } = first {
            return Ok(first.finding());
        }
        let unsupported = Bad {
            unsupported: true,
            ..Bad::default()
        };
        if let Some(found) = self.ask(unsupported)?.finding() {
            return Ok(found);
        }
        let Reached::Violation { .. } = first else {
            return Ok(first.finding());
        };
        // An assertion fails that nobody asks for.
        let undefined = Bad {
            undefined: Checks::ALL,
            ..Bad::default()
        };
        let found = self.ask(undefined)?.finding();
        Ok(found.unwrap_or(Finding::Safe {
            undefined: Vec::new(),
        }))
    }

    /// Violation of a check that is asked for.
    fn is_asked(&self, reached: &Reached) -> bool {
        match reached {
            Reached::Violation { property, .. } => self.checks.asks(*property),
            _ => false,
        }
    }

    /// Each thread with something bad as the main one, in order.
    fn one_by_one(&mut self, order: &[String]) -> Result<Finding, Failure> {
        let name = |id: ThreadId| {
            let automaton = &self.automata.threads[id];
            &self.program.functions[automaton.function].name
        };
        let mut names: Vec<String> = Vec::new();
        for id in self.automata.threads.ids() {
            if !names.contains(name(id)) {
                names.push(name(id).clone());
            }
        }
        if let Some(unknown) = order.iter().find(|n| !names.contains(n)) {
            let name = unknown.clone();
            return Err(Failure::NoThread { name, names });
        }
        let given = |id: &ThreadId| order.iter().position(|n| n == name(*id));
        let mut first: Vec<ThreadId> = self.automata.threads.ids().collect();
        first.retain(|id| given(id).is_some());
        first.sort_by_key(given);
        let mut mains: Vec<ThreadId> = self.automata.threads.ids().collect();
        mains.retain(|id| {
            let edges = &self.automata.threads[*id].edges;
            edges.iter().any(|edge| Bad::ALL.is(&edge.outcome))
        });
        mains.sort_by_key(|id| given(id).unwrap_or(order.len()));
        let learner = Learner::new(self.automata, self.writer.relation, self.setup);
        let mut learner = match learner {
            Ok(learner) => learner,
            Err(failure) => return self.ended(failure),
        };
        for main in mains {
            let learnt = learner.run(main, &first);
            self.proof.effort.queries = learner.queries as u64;
            match learnt {
                Ok(Learnt::Safe(proof)) => {
                    self.certificate
                        .threads
                        .push(self.writer.thread(main, &proof));
                }
                Ok(Learnt::Reached(steps)) => {
                    let turns = steps
                        .into_iter()
                        .map(|(thread, inputs)| (thread, inputs.into_iter().collect()));
                    let lost = "a composed counterexample takes no bad edge".to_string();
                    let steps =
                        follow(self.automata, turns, Bad::ALL).ok_or(Failure::Unsound(lost))?;
                    let found = self.reached(&steps)?;
                    return Ok(if self.is_asked(&found) {
                        found.finding()
                    } else {
                        Finding::Open
                    });
                }
                Err(failure) => return self.ended(failure),
            }
        }
        for lemma in learner.needed() {
            let lemma = self.writer.lemma(&learner.threads, lemma);
            self.proof.learnt.push(self.told(&lemma));
            self.certificate.lemmas.push(lemma);
        }
        self.believe()
    }

    fn ended(&self, failure: failure::Failure) -> Result<Finding, Failure> {
        match failure {
            failure::Failure::NoSolver => Err(Failure::NoSolver(self.setup.solver)),
            failure::Failure::Unsound(what) => Err(Failure::Unsound(what)),
            failure::Failure::Impatient => {
                Err(Failure::Unsound("an attempt has no end".to_string()))
            }
            failure::Failure::Stopped(reason) => Ok(Finding::Stopped(reason)),
        }
    }

    /// A lemma as a reader of C sees it.
    fn told(&self, lemma: &certificate::Lemma) -> String {
        let name = |thread: &usize| self.writer.names.threads[*thread].clone();
        let before = &lemma.before.c;
        let same = |name: &String| format!("{name} == old({name})");
        let same: Vec<String> = lemma.changed.iter().map(same).collect();
        let follows = match (lemma.after.c.as_str(), same.join(" && ")) {
            (after, same) if same.is_empty() => format!("!({after})"),
            ("1", same) => same,
            (after, same) => format!("!({after}) || {same}"),
        };
        let all = lemma.threads.len() == self.automata.threads.len();
        let names: Vec<String> = lemma.threads.iter().map(name).collect();
        match (before.as_str(), all || lemma.changed.is_empty()) {
            ("1", true) => format!("assume({follows});"),
            (_, _) if all => format!("if ({before}) assume({follows});"),
            _ => format!("{}: if ({before}) assume({follows});", names.join(", ")),
        }
    }

    /// Checks all that has been learnt again.
    fn believe(&self) -> Result<Finding, Failure> {
        let Setup { solver, budget, .. } = self.setup;
        let checked = certificate::check(self.program, &self.certificate, solver, budget);
        match checked {
            Ok(_) => Ok(Finding::Safe {
                undefined: Vec::new(),
            }),
            Err(Rejection::Stopped(reason)) => Ok(Finding::Stopped(reason)),
            Err(rejection) => {
                let what = format!("what is said of threads does not hold: {rejection:?}");
                Err(Failure::Unsound(what))
            }
        }
    }

    /// Reachability of the bad steps by any interleaving.
    fn ask(&mut self, bad: Bad) -> Result<Asked, Failure> {
        let product = product(self.automata, bad);
        let trace = match self.search(&product.system, &[], Wanted::Any)? {
            Answer::Safe(invariant) => {
                let blocked = Blocked::of(&product.latches, &invariant);
                let part = self.writer.interleavings(bad, &blocked);
                self.certificate.interleavings.push(part);
                return Ok(Asked::Unreachable);
            }
            Answer::Stopped(reason) => return Ok(Asked::Stopped(reason)),
            Answer::Particular(_) => {
                return Err(Failure::Unsound("no members are equal".to_string()));
            }
            Answer::Reached(trace) => trace,
        };
        let lost = || Failure::Unsound("a counterexample takes no bad edge".to_string());
        let execution = product.execution(self.automata, &trace, bad);
        let Execution { steps, end } = execution.ok_or_else(lost)?;
        match end {
            End::Step => self.reached(&steps),
            End::Met(met) => self.met(&steps, &met),
            End::Stuck(thread, at) => Ok(self.stuck(&steps, thread, at)),
        }
        .map(Asked::Reached)
    }

    /// Answer about a system of all threads; candidates are clauses that may hold in all reachable states.
    fn search(
        &mut self,
        system: &System,
        candidates: &[Vec<i32>],
        wanted: Wanted,
    ) -> Result<Answer, Failure> {
        self.proof.latches = self.proof.latches.max(system.latches.len());
        self.proof.gates = self.proof.gates.max(system.circuit.len());
        let decided = pdr::decide(system, wanted, candidates, &self.setup);
        let (answer, effort) = decided
            .ok_or(Failure::NoSolver(self.setup.solver))?
            .map_err(|unsound| Failure::Unsound(unsound.0))?;
        self.proof.effort.frames = self.proof.effort.frames.max(effort.frames);
        self.proof.effort.queries += effort.queries;
        self.proof.effort.clauses += effort.clauses;
        Ok(answer)
    }

    /// Bad step that the steps end with; a violation is replayed.
    fn reached(&self, steps: &[Step]) -> Result<Reached, Failure> {
        let lost = || Failure::Unsound("a counterexample takes no bad edge".to_string());
        let last = steps.last().ok_or_else(lost)?;
        let edge = &self.automata.threads[last.thread].edges[last.edge];
        Ok(match &edge.outcome {
            Outcome::Goto(_) => return Err(lost()),
            Outcome::Violation { property, loc } => {
                self.replayed(steps, *property, *loc, "a violation")?
            }
            Outcome::Undefined { why, loc } if self.checks.asks(Property::Defined(*why)) => {
                self.replayed(steps, Property::Defined(*why), *loc, "undefined behaviour")?
            }
            Outcome::Undefined { why, loc } => match self.abstracted(steps) {
                Some(loc) if !schedule::is_undefined(self.program, self.automata, steps) => {
                    Reached::Abstracted {
                        what: "undefined behaviour",
                        loc,
                    }
                }
                _ => Reached::Undefined {
                    why: *why,
                    loc: *loc,
                },
            },
            Outcome::Unsupported { what, loc } => Reached::Unsupported {
                what: what.clone(),
                loc: *loc,
            },
        })
    }

    /// Race that two threads stand before behind the steps.
    fn met(&self, steps: &[Step], met: &Met) -> Result<Reached, Failure> {
        let replayed = schedule::race(self.program, self.automata, steps, met);
        let [first, _] = met;
        let location = &self.automata.threads[first.thread].locations[first.at];
        let loc = location.attempts[first.attempt].loc;
        self.as_replayed(replayed, (Property::Race, loc), "a data race", steps)
    }

    /// Deadlock behind the steps, in which a thread stays where it is.
    fn stuck(&self, steps: &[Step], thread: ThreadId, at: LocationId) -> Reached {
        let location = &self.automata.threads[thread].locations[at];
        let loc = location.stalls.first().map_or(location.loc, |s| s.loc);
        let replayed = schedule::deadlock(self.program, self.automata, steps, thread);
        match (replayed, self.abstracted(steps)) {
            (Ok(trace), _) => Reached::Violation {
                property: Property::Deadlock,
                loc,
                trace,
            },
            (Err(_), Some(loc)) => Reached::Abstracted {
                what: "a deadlock",
                loc,
            },
            // More counts as stuck than what is.
            (Err(_), None) => Reached::Unsupported {
                what: "a loop that may never end, or may".to_string(),
                loc,
            },
        }
    }

    /// A violation that the steps end with, if it replays.
    fn replayed(
        &self,
        steps: &[Step],
        property: Property,
        loc: Loc,
        what: &'static str,
    ) -> Result<Reached, Failure> {
        let replayed = schedule::replayed(self.program, self.automata, steps, property);
        self.as_replayed(replayed, (property, loc), what, steps)
    }

    /// A violation with its replay.
    fn as_replayed(
        &self,
        replayed: Result<Trace, Divergence>,
        (property, loc): (Property, Loc),
        what: &'static str,
        steps: &[Step],
    ) -> Result<Reached, Failure> {
        match (replayed, self.abstracted(steps)) {
            (Ok(trace), _) => Ok(Reached::Violation {
                property: trace.violation().unwrap_or(property),
                loc,
                trace,
            }),
            (Err(_), Some(loc)) => Ok(Reached::Abstracted { what, loc }),
            (Err(divergence), None) => Err(Failure::Diverged(Box::new(divergence))),
        }
    }

    /// Place that allocates an array object, the last one that steps have read if there is one; `None` if there are no such
    /// objects, and automata are exact.
    fn abstracted(&self, steps: &[Step]) -> Option<Loc> {
        let mut read = steps.iter().rev().flat_map(|step| &step.reads);
        let read = read.next().map(|read| read.slot);
        let arrays = &self.automata.arrays;
        let found = arrays.iter().find(|(slot, _)| read == Some(*slot));
        found.or(arrays.first()).map(|(_, loc)| *loc)
    }
}
