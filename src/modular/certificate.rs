//! Certificates: what a proof rests on, in a form that can be kept, read, and checked again without any search.
//!
//! A certificate holds an inductive invariant of all interleavings, or, where threads were verified one by one, facts
//! of environments in the order in which they were shown, and then the threads. Each of these has an invariant, or is
//! said to have finite executions only, all of which are then executed again. An invariant is given as the depth of its
//! induction and sets of states that are never reached, each as a condition in C and as the bits that are checked; a
//! condition of a fact is a conjunction of terms over words, node by node, with a text in C that nobody checks.
//!
//! The systems are not part of it. [`check`] builds them again from the program, so whoever wrote the certificate need
//! not be trusted: initiation, consecution and safety of each invariant are asked of a fresh solver, and a fact may
//! rest only on facts before it.

use super::cube::{Cube, Never, name};
use super::learn::{FINITE, Failure};
use super::system::system;
use super::text::{self, InC};
use super::threads::{Fact, Proof, Query, Sequential, ThreadSet, Threads};
use super::unroll::{Unrolled, unroll};
use crate::base::id::Id;
use crate::base::{Budget, StopReason};
use crate::event::ThreadId;
use crate::ir::Program;
use crate::pdr::certificate::{self, Flaw};
use crate::pdr::{Invariant, System};
use crate::solve::{Setup, SolverKind};
use crate::term::TermId;
use crate::transition::product::{Bad, product};
use crate::transition::relation::{Name, Relation, Word, relation};
use crate::transition::{self, Automata, Refusal};
use serde::{Deserialize, Serialize};

/// Format of the file; another one cannot be checked.
pub const FORMAT: &str = "selvedge proof 3";

/// Everything that a successful verdict rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// [`FORMAT`].
    pub format: String,
    /// Names of the words of the system, by number.
    pub words: Vec<String>,
    /// Invariants of all interleavings.
    pub interleavings: Vec<Interleavings>,
    /// Facts of environments, what they do not do, in the order in which it was shown.
    pub facts: Vec<Summary>,
    /// Threads that were verified one by one.
    pub threads: Vec<OneThread>,
}

/// An invariant of all interleavings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interleavings {
    /// It excludes violated assertions.
    pub violations: bool,
    /// It excludes undefined behaviour.
    pub undefined: bool,
    /// It excludes what is not modelled.
    pub unsupported: bool,
    pub invariant: Excluded,
}

/// An invariant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Excluded {
    /// No state of these sets is reached.
    pub never: Vec<States>,
    /// The depth of the induction that shows it, see [`Invariant`]; 1 is left out of the file.
    #[serde(default = "ordinary", skip_serializing_if = "is_ordinary")]
    pub depth: usize,
}

/// Nothing bad is reached in a thread whose environment moves as all facts say.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OneThread {
    /// Number of the thread; 0 is main.
    pub thread: usize,
    pub shown: Shown,
}

/// From no reachable state of one condition do steps of some threads alone lead to the other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// Numbers of the threads, ascending.
    pub threads: Vec<usize>,
    /// The one of them whose program shows it.
    pub main: usize,
    pub before: Condition,
    pub after: Condition,
    /// If there are any, one of these words (their numbers) is another one after than before, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<usize>,
    pub shown: Shown,
}

/// Proof that a thread's program does not reach what it must not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shown {
    /// Its executions are finite, and none does.
    Unrolling,
    Invariant(Excluded),
}

/// A conjunction of terms over words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// In C, as far as C has words for it; for people alone.
    pub c: String,
    /// Nodes of the terms: `w5` is word 5, `3:8` the number 3 with 8 bits, `and 0 2` a conjunction of nodes 0
    /// and 2 (operators as in `term`); last, the conjuncts.
    pub terms: Vec<String>,
}

/// A set of states: some bits of some words have certain values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct States {
    /// In C, as far as C has words for it.
    pub c: String,
    /// Word, bit of it, value; in the file `5.0 !5.1` for "bit 0 of word 5 is set and bit 1 is not".
    #[serde(with = "super::literals")]
    pub bits: Vec<(usize, u16, bool)>,
}

/// Result of a check that found the certificate to hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Threads of the program, main included.
    pub threads: usize,
    /// Invariants.
    pub invariants: usize,
    /// Sets of states that they exclude, all together.
    pub clauses: usize,
    /// The greatest depth of an invariant.
    pub depth: usize,
    /// Undefined behaviour is excluded.
    pub defined: bool,
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

fn ordinary() -> usize {
    1
}

fn is_ordinary(depth: &usize) -> bool {
    *depth == ordinary()
}

/// Turns what searches found into a certificate.
pub(super) struct Writer<'a> {
    pub program: &'a Program,
    pub automata: &'a Automata,
    pub relation: &'a Relation,
}

impl Writer<'_> {
    /// A certificate that proves nothing yet.
    pub fn empty(&self) -> Certificate {
        let mut words: Vec<String> = self.relation.words.iter().map(|w| self.name(w)).collect();
        words.push(self.name(&Word {
            name: Name::Flag,
            term: self.relation.terms.fals(),
            initial: 0,
        }));
        Certificate {
            format: FORMAT.to_string(),
            words,
            interleavings: Vec::new(),
            facts: Vec::new(),
            threads: Vec::new(),
        }
    }

    fn name(&self, word: &Word) -> String {
        name(self.program, self.automata, word)
    }

    /// An invariant of all interleavings.
    pub fn interleavings(&self, bad: Bad, never: &Never) -> Interleavings {
        Interleavings {
            violations: bad.violations,
            undefined: bad.undefined,
            unsupported: bad.unsupported,
            invariant: self.excluded(never),
        }
    }

    /// The proof of one thread.
    pub fn thread(&self, main: ThreadId, proof: &Proof) -> OneThread {
        OneThread {
            thread: main.index(),
            shown: self.shown(proof),
        }
    }

    /// Summary of a fact that was learnt of environments.
    pub fn fact(&self, threads: &Threads, fact: &Fact) -> Summary {
        let condition = |conjuncts: &[TermId]| Condition {
            c: InC {
                program: self.program,
                threads,
            }
            .all(conjuncts),
            terms: text::write(threads, conjuncts),
        };
        Summary {
            threads: fact.threads.iter().map(ThreadId::index).collect(),
            main: fact.main.index(),
            before: condition(&fact.query.before),
            after: condition(&fact.query.after),
            changed: fact.query.changed.clone(),
            shown: self.shown(&fact.proof),
        }
    }

    fn shown(&self, proof: &Proof) -> Shown {
        match proof {
            Proof::Unrolling => Shown::Unrolling,
            Proof::Invariant(never) => Shown::Invariant(self.excluded(never)),
        }
    }

    fn excluded(&self, never: &Never) -> Excluded {
        Excluded {
            never: never.sets.iter().map(|c| self.states(c)).collect(),
            depth: never.depth,
        }
    }

    fn states(&self, cube: &Cube) -> States {
        let bits = cube.0.iter();
        States {
            c: cube.in_c(self.program, self.automata, self.relation),
            bits: bits
                .map(|((word, bit), value)| (*word, *bit, *value))
                .collect(),
        }
    }
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
    let automata = transition::automata(program, budget).map_err(|refusal| match refusal {
        Refusal::Stopped(reason) => Rejection::Stopped(reason),
        refusal => Rejection::Refused(refusal),
    })?;
    let relation = relation(&automata);
    let writer = Writer {
        program,
        automata: &automata,
        relation: &relation,
    };
    if writer.empty().words != certificate.words {
        let what = "it is of another program, or of this one read with other options";
        return Err(Rejection::Unfit(what.to_string()));
    }
    let mut checker = Checker {
        writer,
        setup: Setup {
            solver,
            seed: 0,
            budget,
        },
        invariants: 0,
        clauses: 0,
        depth: 1,
    };
    for part in &certificate.interleavings {
        checker.interleavings(part)?;
    }
    if !certificate.threads.is_empty() {
        let mut threads = Threads::new(&automata, &relation);
        threads.narrow(FINITE, &checker.setup).map_err(unchecked)?;
        let mut facts = Vec::new();
        for (number, summary) in certificate.facts.iter().enumerate() {
            let fact = checker.fact(&mut threads, &facts, summary, number)?;
            facts.push(fact);
        }
        for part in &certificate.threads {
            checker.thread(&threads, &facts, part)?;
        }
    }
    let excludes = |kind: Bad| {
        let whole = certificate.interleavings.iter().any(|part| {
            (part.violations || !kind.violations)
                && (part.undefined || !kind.undefined)
                && (part.unsupported || !kind.unsupported)
        });
        let one_by_one = automata.threads.iter_ids().all(|(id, automaton)| {
            let is_bad = automaton.edges.iter().any(|edge| kind.is(&edge.outcome));
            !is_bad || certificate.threads.iter().any(|t| t.thread == id.index())
        });
        whole || one_by_one
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
        threads: automata.threads.len(),
        invariants: checker.invariants,
        clauses: checker.clauses,
        depth: checker.depth,
        defined: excludes(Bad {
            undefined: true,
            ..none
        }),
    })
}

struct Checker<'a> {
    writer: Writer<'a>,
    setup: Setup<'a>,
    invariants: usize,
    clauses: usize,
    depth: usize,
}

impl Checker<'_> {
    fn interleavings(&mut self, part: &Interleavings) -> Result<(), Rejection> {
        let bad = Bad {
            violations: part.violations,
            undefined: part.undefined,
            unsupported: part.unsupported,
        };
        let product = product(self.writer.automata, bad);
        let never = self.never(&part.invariant)?;
        let of = || "all interleavings".to_string();
        self.invariant(&product.system, &product.latches, &never, &of)
    }

    /// Fact that a summary states, if it holds.
    fn fact(
        &mut self,
        threads: &mut Threads,
        facts: &[Fact],
        summary: &Summary,
        number: usize,
    ) -> Result<Fact, Rejection> {
        let count = threads.count();
        let of = || format!("fact {number}");
        let mut set = ThreadSet::default();
        for thread in &summary.threads {
            if *thread >= count {
                return Err(Rejection::Unfit(format!("there is no thread {thread}")));
            }
            set.0 |= 1 << thread;
        }
        let main = ThreadId(u32::try_from(summary.main).unwrap_or(u32::MAX));
        if summary.main >= count || !set.contains(main) {
            let what = format!("the main thread of {} is not one of its threads", of());
            return Err(Rejection::Unfit(what));
        }
        let mut condition = |condition: &Condition| {
            let read = text::read(threads, &condition.terms);
            read.ok_or_else(|| Rejection::Unfit(format!("a condition of {} is none", of())))
        };
        let query = Query {
            before: condition(&summary.before)?,
            after: condition(&summary.after)?,
            changed: summary.changed.clone(),
        };
        let known = |word: &usize| *word < threads.relation.words.len();
        if !query.changed.iter().all(known) {
            return Err(Rejection::Unfit(format!("{} names an unknown word", of())));
        }
        if !query.changed.is_empty() && summary.shown != Shown::Unrolling {
            let what = format!("{} is about what has changed, and has an invariant", of());
            return Err(Rejection::Unfit(what));
        }
        let program = Sequential {
            thread: main,
            environment: set.without(main),
            query: Some(query.clone()),
        };
        self.program(threads, facts, &program, &summary.shown, &of)?;
        Ok(Fact {
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
        facts: &[Fact],
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
        self.program(threads, facts, &program, &part.shown, &of)
    }

    /// Checks that a thread's program does not reach what it must not.
    fn program(
        &mut self,
        threads: &Threads,
        facts: &[Fact],
        program: &Sequential,
        shown: &Shown,
        of: &dyn Fn() -> String,
    ) -> Result<(), Rejection> {
        match shown {
            Shown::Invariant(excluded) => {
                let never = self.never(excluded)?;
                // The search may have had promises to keep, which depend on more than what is bad here.
                let named = never.sets.iter().flat_map(|set| set.0.keys().copied());
                let bits = system(threads, program, &[], facts, &named.collect());
                self.invariant(&bits.system, &bits.latches, &never, of)
            }
            Shown::Unrolling => {
                self.invariants += 1;
                match unroll(threads, program, &[], facts, FINITE, &self.setup) {
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
    fn never(&self, excluded: &Excluded) -> Result<Never, Rejection> {
        let sets = excluded.never.iter().map(|states| self.cube(states));
        Ok(Never {
            sets: sets.collect::<Result<Vec<Cube>, Rejection>>()?,
            depth: excluded.depth,
        })
    }

    fn cube(&self, states: &States) -> Result<Cube, Rejection> {
        let words = &self.writer.relation.words;
        let mut cube = Cube::default();
        for (word, bit, value) in &states.bits {
            let width = match words.get(*word) {
                Some(word) => self.writer.relation.terms.bits(word.term),
                None if *word == words.len() => 1,
                None => 0,
            };
            if *bit >= width {
                return Err(Rejection::Unfit(format!(
                    "there is no bit {bit} of word {word}"
                )));
            }
            cube.0.insert((*word, *bit), *value);
        }
        let told = self.writer.states(&cube);
        if told != *states {
            return Err(Rejection::Unfit(format!(
                "`{}` is not what its bits say, `{}`",
                states.c, told.c
            )));
        }
        Ok(cube)
    }

    fn invariant(
        &mut self,
        system: &System,
        latches: &[(usize, u16)],
        never: &Never,
        of: &dyn Fn() -> String,
    ) -> Result<(), Rejection> {
        let Some(invariant) = invariant(latches, never) else {
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

/// A check that came to no end.
fn unchecked(failure: Failure) -> Rejection {
    match failure {
        Failure::NoSolver => Rejection::NoSolver,
        Failure::Stopped(reason) => Rejection::Stopped(reason),
        Failure::Unsound(what) => Rejection::Unfit(what),
        Failure::Impatient => Rejection::Unfit("an attempt has no end".to_string()),
    }
}

/// The sets of states that an invariant excludes.
pub(super) fn never(latches: &[(usize, u16)], invariant: &Invariant) -> Never {
    let clauses = invariant.clauses.iter();
    let set = |clause: &Vec<i32>| {
        let bits = clause.iter();
        let bits = bits.map(|l| (latches[l.unsigned_abs() as usize - 1], *l < 0));
        Cube(bits.collect())
    };
    Never {
        sets: clauses.map(set).collect(),
        depth: invariant.depth,
    }
}

/// The invariant that excludes sets of states; `None` if they are about other bits than the latches.
fn invariant(latches: &[(usize, u16)], never: &Never) -> Option<Invariant> {
    let numbers: std::collections::BTreeMap<(usize, u16), i32> =
        latches.iter().copied().zip(1..).collect();
    let clause = |set: &Cube| {
        let mut clause = Vec::new();
        for (bit, value) in &set.0 {
            let number = *numbers.get(bit)?;
            clause.push(if *value { -number } else { number });
        }
        Some(clause)
    };
    let clauses: Option<Vec<Vec<i32>>> = never.sets.iter().map(clause).collect();
    Some(Invariant {
        clauses: clauses?,
        depth: never.depth,
    })
}
