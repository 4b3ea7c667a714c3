//! The check of a certificate, with systems and unrollings built anew.

use super::format::{
    self, Certificate, Condition, FORMAT, Interleavings, Invariant, Lockstep, OneThread, Shown,
    States,
};
use super::nodes::Nodes;
use super::write::CertificateBuilder;
use crate::base::id::Id;
use crate::base::{Budget, StopReason};
use crate::event::ThreadId;
use crate::event::ThreadSet;
use crate::ir::Checks;
use crate::ir::Program;
use crate::modular::automata::automata as automata_of;
use crate::modular::cube::{Blocked, Cube};
use crate::modular::failure::Failure;
use crate::modular::faults::{self, Fault};
use crate::modular::lemma::{Lemma, Proof, Query, Sequential};
use crate::modular::name::Names;
use crate::modular::system::system;
use crate::modular::threads::Threads;
use crate::modular::unroll::{FINITE, Unrolled, unroll};
use crate::pdr::System;
use crate::pdr::certificate::{self, Flaw};
use crate::race::Sites;
use crate::solve::{Setup, SolverKind};
use crate::term::TermId;
use crate::transition::lockstep::lockstep;
use crate::transition::product::{Bad, product};
use crate::transition::relation::relation;
use crate::transition::vocabulary::Vocabulary;
use crate::transition::{self, Automata, Refusal};

/// Members of a family that a certificate may tell apart.
const MOST_MEMBERS: usize = 8;

/// Result of a check that found the certificate to hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Threads of the program, main included; `None` if there may be any number.
    pub threads: Option<usize>,
    /// Invariants.
    pub invariants: usize,
    /// Sets of states that they exclude, all together.
    pub clauses: usize,
    /// The greatest depth of an invariant.
    pub depth: usize,
    /// Undefined behaviour is excluded.
    pub defined: bool,
    /// Data races are excluded.
    pub race_free: bool,
    /// Deadlocks are excluded.
    pub deadlock_free: bool,
}

/// Reasons why a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// It is not of this program, or does not say what it has to.
    Unfit(String),
    /// An invariant is none: which, and what is wrong with it.
    Flawed { of: String, flaw: Flaw },
    /// The program has no automata.
    Refused(Refusal),
    /// This build has no such solver.
    NoSolver,
    /// The budget is used up.
    Stopped(StopReason),
}

/// Checks a certificate of a program.
///
/// # Errors
/// See [`Rejection`].
pub fn check(
    program: &Program,
    certificate: &Certificate,
    solver: SolverKind,
    budget: &Budget,
) -> Result<Checked, Rejection> {
    if certificate.format != FORMAT {
        let found = &certificate.format;
        return Err(Rejection::Unfit(format!(
            "its format is `{found}`, not `{FORMAT}`"
        )));
    }
    if certificate.deadlocks != program.deadlocks {
        let what = "it is of this program read for other checks";
        return Err(Rejection::Unfit(what.to_string()));
    }
    let automata = automata(program, certificate, budget)?;
    let relation = relation(&automata);
    let writer = CertificateBuilder::new(program, &automata, &relation);
    let Names { words, places, .. } = &writer.names;
    if *words != certificate.words || *places != certificate.places {
        let what = "it is of another program, or of this one read with other options";
        return Err(Rejection::Unfit(what.to_string()));
    }
    let mut checker = Checker {
        tells_of_races: certificate.races,
        tells_of_deadlocks: certificate.deadlocks,
        writer,
        setup: Setup {
            solver,
            seed: 0,
            budget,
            meter: None,
        },
        invariants: 0,
        clauses: 0,
        depth: 1,
    };
    for part in &certificate.interleavings {
        checker.interleavings(part)?;
    }
    for part in &certificate.lockstep {
        checker.lockstep(part)?;
    }
    if !certificate.threads.is_empty() {
        let mut threads = Threads::new(&automata, &relation);
        threads.narrow(FINITE, &checker.setup).map_err(unchecked)?;
        let mut lemmas = Vec::new();
        for (number, written) in certificate.lemmas.iter().enumerate() {
            let lemma = checker.lemma(&mut threads, &lemmas, written, number)?;
            lemmas.push(lemma);
        }
        for part in &certificate.threads {
            checker.thread(&threads, &lemmas, part)?;
        }
    }
    let excludes = |kind: Bad| {
        let whole = certificate.interleavings.iter().any(|part| {
            (part.violations || !kind.violations)
                && (part.undefined || kind.undefined == Checks::default())
                && (part.unsupported || !kind.unsupported)
                && (part.races || !kind.races)
                && (part.deadlocks || !kind.deadlocks)
        });
        let in_lockstep = !certificate.lockstep.is_empty();
        let one_by_one = automata.threads.iter_ids().all(|(id, automaton)| {
            let is_bad = automaton.edges.iter().any(|edge| kind.is(&edge.outcome));
            !is_bad || certificate.threads.iter().any(|t| t.thread == id.index())
        });
        // Races and deadlocks are told of all interleavings alone.
        whole || !kind.races && !kind.deadlocks && (in_lockstep || one_by_one)
    };
    let (none, mut missing) = (Bad::default(), Vec::new());
    if !excludes(Bad {
        violations: true,
        ..none
    }) {
        missing.push("violations");
    }
    if !excludes(Bad {
        unsupported: true,
        ..none
    }) {
        missing.push("what is not modelled");
    }
    if !missing.is_empty() {
        let missing = missing.join(" and ");
        return Err(Rejection::Unfit(format!("it does not exclude {missing}")));
    }
    Ok(Checked {
        threads: automata
            .families
            .is_empty()
            .then_some(automata.threads.len()),
        invariants: checker.invariants,
        clauses: checker.clauses,
        depth: checker.depth,
        defined: excludes(Bad {
            undefined: Checks::ALL,
            ..none
        }),
        race_free: excludes(Bad {
            races: true,
            ..none
        }),
        deadlock_free: excludes(Bad {
            deadlocks: true,
            ..none
        }),
    })
}

/// The automata that a certificate is about.
fn automata(
    program: &Program,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<Automata, Rejection> {
    let refused = |refusal: Refusal| match refusal {
        Refusal::Stopped(reason) => Rejection::Stopped(reason),
        refusal => Rejection::Refused(refusal),
    };
    let Some(members) = certificate.members else {
        let sites = certificate.races.then(|| Sites::of(program));
        return automata_of(program, sites.as_ref(), budget).map_err(refused);
    };
    let unfit = |what: String| Err(Rejection::Unfit(what));
    if !(1..=MOST_MEMBERS).contains(&members) {
        return unfit(format!(
            "1 to {MOST_MEMBERS} members are told apart, not {members}"
        ));
    }
    if certificate.races || !certificate.threads.is_empty() || !certificate.interleavings.is_empty()
    {
        return unfit("something else is proved of some members of a family alone".into());
    }
    match transition::families(program, budget).map_err(refused)? {
        Some(explored) => explored.told_apart(members).map_err(refused),
        None => unfit("no loop creates threads without number".into()),
    }
}

struct Checker<'a> {
    /// The automata tell of races.
    tells_of_races: bool,
    /// They tell of deadlocks.
    tells_of_deadlocks: bool,
    writer: CertificateBuilder<'a>,
    setup: Setup<'a>,
    invariants: usize,
    clauses: usize,
    depth: usize,
}

impl Checker<'_> {
    fn interleavings(&mut self, part: &Interleavings) -> Result<(), Rejection> {
        let bad = Bad {
            violations: part.violations,
            undefined: if part.undefined {
                Checks::ALL
            } else {
                Checks::default()
            },
            unsupported: part.unsupported,
            races: part.races,
            deadlocks: part.deadlocks,
        };
        if part.deadlocks && !self.tells_of_deadlocks {
            let what = "it says something of deadlocks, and its automata do not";
            return Err(Rejection::Unfit(what.to_string()));
        }
        if part.races && !self.tells_of_races {
            let what = "it says something of races, and its automata do not";
            return Err(Rejection::Unfit(what.to_string()));
        }
        let product = product(self.writer.automata, bad);
        let blocked = self.blocked(&part.invariant, &[])?;
        let of = || "all interleavings".to_string();
        self.invariant(&product.system, &product.latches, &blocked, &of)
    }

    fn lockstep(&mut self, part: &Lockstep) -> Result<(), Rejection> {
        let of = || "all interleavings in lockstep".to_string();
        let nodes = part.predicates.iter().map(|p| self.nodes(p, &of));
        let nodes = nodes.collect::<Result<Vec<Nodes>, Rejection>>()?;
        if nodes.iter().any(|nodes| nodes.conjuncts.len() != 1) {
            let what = "a predicate is a conjunction".to_string();
            return Err(Rejection::Unfit(what));
        }
        let blocked = self.blocked(&part.invariant, &nodes)?;
        let lockstep = lockstep(self.writer.automata, Bad::ALL, |relation, _| Vocabulary {
            predicates: nodes.iter().flat_map(|n| n.terms(relation)).collect(),
            candidates: Vec::new(),
        });
        self.invariant(&lockstep.system, &lockstep.latches, &blocked, &of)
    }

    /// The lemma that is written, if it holds.
    fn lemma(
        &mut self,
        threads: &mut Threads,
        lemmas: &[Lemma],
        written: &format::Lemma,
        number: usize,
    ) -> Result<Lemma, Rejection> {
        let count = threads.count();
        let of = || format!("fact {number}");
        let mut set = ThreadSet::default();
        for thread in &written.threads {
            if *thread >= count {
                return Err(Rejection::Unfit(format!("there is no thread {thread}")));
            }
            set.insert(ThreadId(*thread as u32));
        }
        if !written.threads.is_sorted_by(|a, b| a < b) {
            let what = format!("the threads of {} are not ascending", of());
            return Err(Rejection::Unfit(what));
        }
        let main = ThreadId(u32::try_from(written.main).unwrap_or(u32::MAX));
        if written.main >= count || !set.contains(main) {
            let what = format!("the main thread of {} is not one of its threads", of());
            return Err(Rejection::Unfit(what));
        }
        let changed = written.changed.iter().map(|name| {
            let word = threads.relation.words.iter().zip(&self.writer.names.words);
            let word = word.into_iter().position(|(_, known)| known == name);
            word.ok_or_else(|| Rejection::Unfit(format!("{} names an unknown word", of())))
        });
        let changed = changed.collect::<Result<Vec<usize>, Rejection>>()?;
        let query = Query {
            before: self.condition(threads, &written.before, &of)?,
            after: self.condition(threads, &written.after, &of)?,
            changed,
        };
        if !query.changed.is_empty() && written.shown != Shown::Unrolling {
            let what = format!("{} is about what has changed, and has an invariant", of());
            return Err(Rejection::Unfit(what));
        }
        let program = Sequential {
            thread: main,
            environment: set.without(main),
            query: Some(query.clone()),
        };
        self.program(threads, lemmas, &program, &written.shown, &of)?;
        Ok(Lemma {
            threads: set,
            main,
            query,
            // It has been shown; nobody asks again how.
            proof: Proof::Unrolling,
            used: Vec::new(),
        })
    }

    fn thread(
        &mut self,
        threads: &Threads,
        lemmas: &[Lemma],
        part: &OneThread,
    ) -> Result<(), Rejection> {
        if part.thread >= threads.count() {
            let number = part.thread;
            return Err(Rejection::Unfit(format!("there is no thread {number}")));
        }
        let thread = ThreadId(part.thread as u32);
        let program = Sequential {
            thread,
            environment: ThreadSet::first(threads.count()).without(thread),
            query: None,
        };
        let of = || format!("thread {}", part.thread);
        self.program(threads, lemmas, &program, &part.shown, &of)
    }

    /// Checks that a thread's program does not reach what it must not.
    fn program(
        &mut self,
        threads: &Threads,
        lemmas: &[Lemma],
        program: &Sequential,
        shown: &Shown,
        of: &dyn Fn() -> String,
    ) -> Result<(), Rejection> {
        match shown {
            Shown::Invariant(written) => {
                let blocked = self.blocked(written, &[])?;
                // The search may have had promises to keep, which depend on more than what is bad here.
                let named = blocked.cubes.iter().flat_map(|cube| cube.0.keys().copied());
                let bits = system(threads, program, &[], lemmas, &named.collect());
                self.invariant(&bits.system, &bits.latches, &blocked, of)
            }
            Shown::Unrolling => {
                self.invariants += 1;
                match unroll(threads, program, &[], lemmas, FINITE, &self.setup) {
                    Ok(Unrolled::Safe(..)) => Ok(()),
                    Ok(Unrolled::Reached(_)) => Err(Rejection::Flawed {
                        of: of(),
                        flaw: Flaw::Safety,
                    }),
                    Ok(Unrolled::Endless) => {
                        let what = format!("executions of {} are not finite", of());
                        Err(Rejection::Unfit(what))
                    }
                    Err(failure) => Err(unchecked(failure)),
                }
            }
        }
    }

    /// The cubes that sets of states are, if their texts say the same.
    fn blocked(&self, written: &Invariant, predicates: &[Nodes]) -> Result<Blocked, Rejection> {
        let cubes = written.blocked.iter();
        let cubes = cubes.map(|states| self.cube(states, predicates));
        Ok(Blocked {
            cubes: cubes.collect::<Result<Vec<Cube>, Rejection>>()?,
            depth: written.depth,
        })
    }

    /// The conjuncts that a condition is, if its text says the same.
    fn condition(
        &self,
        threads: &mut Threads,
        written: &Condition,
        of: &dyn Fn() -> String,
    ) -> Result<Vec<TermId>, Rejection> {
        let nodes = self.nodes(written, of)?;
        Ok(nodes.terms(&mut threads.relation))
    }

    /// The nodes of a condition, if its text says the same.
    fn nodes(&self, written: &Condition, of: &dyn Fn() -> String) -> Result<Nodes, Rejection> {
        let nodes = Nodes::read(self.writer.relation, &written.terms);
        let nodes =
            nodes.ok_or_else(|| Rejection::Unfit(format!("a condition of {} is none", of())))?;
        let what = || format!("a condition of {}", of());
        same(&written.c, &self.writer.condition(&nodes).c, &what)?;
        Ok(nodes)
    }

    fn cube(&self, states: &States, predicates: &[Nodes]) -> Result<Cube, Rejection> {
        let words = &self.writer.relation.words;
        // Behind the words are predicates, or a flag that some systems have.
        let end = words.len() + predicates.len().max(1);
        let mut cube = Cube::default();
        for (word, bit, value) in &states.bits {
            let width = match words.get(*word) {
                Some(word) => self.writer.relation.terms.bits(word.term),
                None if *word < end => 1,
                None => 0,
            };
            if *bit >= width {
                return Err(Rejection::Unfit(format!(
                    "there is no bit {bit} of word {word}"
                )));
            }
            cube.0.insert((*word, *bit), *value);
        }
        let told = self.writer.states(&cube, predicates);
        if told.bits != states.bits {
            let what = "the bits of states are not ascending";
            return Err(Rejection::Unfit(what.to_string()));
        }
        same(&states.c, &told.c, &|| "a set of states".to_string())?;
        Ok(cube)
    }

    fn invariant(
        &mut self,
        system: &System,
        latches: &[(usize, u16)],
        blocked: &Blocked,
        of: &dyn Fn() -> String,
    ) -> Result<(), Rejection> {
        let Some(invariant) = blocked.invariant(latches) else {
            let of = of();
            return Err(Rejection::Unfit(format!(
                "the invariant of {of} names bits that do not matter there"
            )));
        };
        self.invariants += 1;
        self.clauses += invariant.clauses.len();
        self.depth = self.depth.max(invariant.depth);
        let Setup { solver, budget, .. } = self.setup;
        let checked = certificate::check(system, &invariant, solver, budget);
        checked
            .ok_or(Rejection::NoSolver)?
            .map_err(|flaw| match flaw {
                Flaw::Stopped(reason) => Rejection::Stopped(reason),
                flaw => Rejection::Flawed { of: of(), flaw },
            })
    }
}

/// Rejects a text that is not what is checked.
fn same(text: &str, told: &str, of: &dyn Fn() -> String) -> Result<(), Rejection> {
    if text == told || faults::on(Fault::TextUnread) {
        return Ok(());
    }
    Err(Rejection::Unfit(format!(
        "{} reads `{text}`, and what is checked is `{told}`",
        of()
    )))
}

/// A check that came to no end.
fn unchecked(failure: Failure) -> Rejection {
    match failure {
        Failure::NoSolver => Rejection::NoSolver,
        Failure::Stopped(reason) => Rejection::Stopped(reason),
        Failure::Unsound(what) => Rejection::Unfit(what),
        Failure::Impatient => Rejection::Unfit("an attempt has no end".to_string()),
    }
}
