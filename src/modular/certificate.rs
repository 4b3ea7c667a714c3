//! What a proof rests on, in a form that can be kept, read, and checked again without any search.
//!
//! It holds inductive invariants: of all interleavings, and, where threads were verified one by one, of every main thread
//! with its environment and of the environment for each move that it is said not to make. An invariant is given as
//! sets of states that are never reached, each as a condition in C and as the bits that are checked.
//!
//! The systems are not part of it. [`check`] builds them again from the program, so whoever wrote the certificate need
//! not be trusted: initiation, consecution and safety of each invariant are asked of a fresh solver.

use super::condition::{Condition, name};
use super::learn::{self, Assumption, Learner, Promise};
use crate::base::id::Id;
use crate::base::{Budget, StopReason};
use crate::event::ThreadId;
use crate::ir::Program;
use crate::sat::SolverKind;
use crate::sat::pdr::certificate::{self, Flaw};
use crate::sat::pdr::{Invariant, System};
use crate::transition::product::{Bad, product};
use crate::transition::relation::{Name, Relation, Word, relation};
use crate::transition::{self, Automata, Refusal};
use serde::{Deserialize, Serialize};

/// Format of the file; another one cannot be checked.
pub const FORMAT: &str = "selvedge proof 1";

/// Everything that a successful verdict rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// [`FORMAT`].
    pub format: String,
    /// What the words of the system are, by number.
    pub words: Vec<String>,
    /// Invariants of all interleavings.
    pub interleavings: Vec<Interleavings>,
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
    /// No state of these sets is reached.
    pub never: Vec<States>,
}

/// Nothing bad is reached in a thread whose environment moves as it is said to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OneThread {
    /// Number of the thread; 0 is main.
    pub thread: usize,
    /// What its environment does not do.
    pub environment: Vec<Summary>,
    /// States from which others can cause a violation; they are not reached either.
    pub promises: Vec<States>,
    /// No state of these sets is reached in the thread with its environment.
    pub never: Vec<States>,
}

/// A move that no sequence of steps of the environment amounts to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    pub before: States,
    pub after: States,
    /// No state of these sets is reached in the environment that started in `before`.
    pub never: Vec<States>,
}

/// A set of states: some bits of some words have certain values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct States {
    /// In C, as far as C has words for it.
    pub c: String,
    /// Word, bit of it, value; in the file `5.0 !5.1` for "bit 0 of word 5 is set and bit 1 is not".
    #[serde(with = "literals")]
    pub bits: Vec<(usize, u16, bool)>,
}

/// What was found to hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Threads of the program, main included.
    pub threads: usize,
    /// Invariants.
    pub invariants: usize,
    /// Sets of states that they exclude, all together.
    pub clauses: usize,
    /// Whether undefined behaviour is excluded.
    pub defined: bool,
}

/// Why a certificate proves nothing.
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

/// Literals as text.
mod literals {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(
        bits: &[(usize, u16, bool)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let literal = |(word, bit, value): &(usize, u16, bool)| {
            let sign = if *value { "" } else { "!" };
            format!("{sign}{word}.{bit}")
        };
        let all: Vec<String> = bits.iter().map(literal).collect();
        serializer.serialize_str(&all.join(" "))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(usize, u16, bool)>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let literal = |text: &str| {
            let (positive, plain) = match text.strip_prefix('!') {
                None => (true, text),
                Some(plain) => (false, plain),
            };
            let (word, bit) = plain.split_once('.')?;
            Some((word.parse().ok()?, bit.parse().ok()?, positive))
        };
        let wrong = || D::Error::custom(format!("`{text}` is no list of bits"));
        text.split_whitespace()
            .map(|text| literal(text).ok_or_else(wrong))
            .collect()
    }
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
            threads: Vec::new(),
        }
    }

    fn name(&self, word: &Word) -> String {
        name(self.program, self.automata, word)
    }

    /// An invariant of all interleavings.
    pub fn interleavings(&self, bad: Bad, never: &[Condition]) -> Interleavings {
        Interleavings {
            violations: bad.violations,
            undefined: bad.undefined,
            unsupported: bad.unsupported,
            never: self.all(never),
        }
    }

    /// The proof of one thread.
    pub fn thread(&self, main: ThreadId, safe: &learn::Safe) -> OneThread {
        OneThread {
            thread: main.index(),
            environment: safe
                .assumptions
                .iter()
                .map(|assumption| Summary {
                    before: self.states(&assumption.before),
                    after: self.states(&assumption.after),
                    never: self.all(&assumption.never),
                })
                .collect(),
            promises: self.all(&safe.promises),
            never: self.all(&safe.never),
        }
    }

    fn all(&self, conditions: &[Condition]) -> Vec<States> {
        conditions.iter().map(|c| self.states(c)).collect()
    }

    fn states(&self, condition: &Condition) -> States {
        let bits = condition.0.iter();
        States {
            c: condition.in_c(self.program, self.automata, self.relation),
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
        solver,
        budget,
        invariants: 0,
        clauses: 0,
    };
    for part in &certificate.interleavings {
        checker.interleavings(part)?;
    }
    for part in &certificate.threads {
        checker.thread(part)?;
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
        defined: excludes(Bad {
            undefined: true,
            ..none
        }),
    })
}

struct Checker<'a> {
    writer: Writer<'a>,
    solver: SolverKind,
    budget: &'a Budget,
    invariants: usize,
    clauses: usize,
}

impl Checker<'_> {
    fn interleavings(&mut self, part: &Interleavings) -> Result<(), Rejection> {
        let bad = Bad {
            violations: part.violations,
            undefined: part.undefined,
            unsupported: part.unsupported,
        };
        let product = product(self.writer.automata, bad);
        let never = self.conditions(&part.never)?;
        let of = || "all interleavings".to_string();
        self.invariant(&product.system, &product.latches, &never, &of)
    }

    fn thread(&mut self, part: &OneThread) -> Result<(), Rejection> {
        let threads = &self.writer.automata.threads;
        if part.thread >= threads.len() {
            let number = part.thread;
            return Err(Rejection::Unfit(format!("there is no thread {number}")));
        }
        let main = ThreadId(part.thread as u32);
        let (automata, relation) = (self.writer.automata, self.writer.relation);
        let mut learner = Learner::new(automata, relation, main, self.solver, 0, self.budget);
        for (number, summary) in part.environment.iter().enumerate() {
            let before = self.condition(&summary.before)?;
            let after = self.condition(&summary.after)?;
            let never = self.conditions(&summary.never)?;
            let built = learner.environment_system(&before, &after);
            let of = || format!("the environment of thread {}, move {number}", part.thread);
            self.invariant(&built.bits.system, &built.bits.latches, &never, &of)?;
            learner.assumptions.push(Assumption {
                before,
                after,
                never,
            });
        }
        for condition in self.conditions(&part.promises)? {
            learner.promises.push(Promise::of(condition));
        }
        let never = self.conditions(&part.never)?;
        let built = learner.main_system(true, learn::Target::All);
        let of = || format!("thread {}", part.thread);
        self.invariant(&built.bits.system, &built.bits.latches, &never, &of)
    }

    /// The conditions that sets of states are, if their texts say the same.
    fn conditions(&self, all: &[States]) -> Result<Vec<Condition>, Rejection> {
        all.iter().map(|states| self.condition(states)).collect()
    }

    fn condition(&self, states: &States) -> Result<Condition, Rejection> {
        let words = &self.writer.relation.words;
        let mut condition = Condition::default();
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
            condition.0.insert((*word, *bit), *value);
        }
        let told = self.writer.states(&condition);
        if told != *states {
            return Err(Rejection::Unfit(format!(
                "`{}` is not what its bits say, `{}`",
                states.c, told.c
            )));
        }
        Ok(condition)
    }

    fn invariant(
        &mut self,
        system: &System,
        latches: &[(usize, u16)],
        never: &[Condition],
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
        let mut fresh = self.solver.open(0).ok_or(Rejection::NoSolver)?;
        certificate::check(system, &invariant, &mut *fresh, self.budget).map_err(
            |flaw| match flaw {
                Flaw::Stopped(reason) => Rejection::Stopped(reason),
                flaw => Rejection::Flawed { of: of(), flaw },
            },
        )
    }
}

/// The sets of states that an invariant excludes.
pub(super) fn never(latches: &[(usize, u16)], invariant: &Invariant) -> Vec<Condition> {
    let clauses = invariant.clauses.iter();
    let set = |clause: &Vec<i32>| {
        let bits = clause.iter();
        let bits = bits.map(|l| (latches[l.unsigned_abs() as usize - 1], *l < 0));
        Condition(bits.collect())
    };
    clauses.map(set).collect()
}

/// The invariant that excludes sets of states; `None` if they are about other bits than the latches.
fn invariant(latches: &[(usize, u16)], never: &[Condition]) -> Option<Invariant> {
    let numbers: std::collections::BTreeMap<(usize, u16), i32> =
        latches.iter().copied().zip(1..).collect();
    let clause = |set: &Condition| {
        let mut clause = Vec::new();
        for (bit, value) in &set.0 {
            let number = *numbers.get(bit)?;
            clause.push(if *value { -number } else { number });
        }
        Some(clause)
    };
    let clauses: Option<Vec<Vec<i32>>> = never.iter().map(clause).collect();
    Some(Invariant { clauses: clauses? })
}
