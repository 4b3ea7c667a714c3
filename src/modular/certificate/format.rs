//! The file of a certificate.

use serde::{Deserialize, Serialize};

/// Format of the file; another one cannot be checked.
pub const FORMAT: &str = "selvedge proof 5";

/// Everything that a successful verdict rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// [`FORMAT`].
    pub format: String,
    /// Members of each family of threads that are told apart; the proof then holds for any number of them. `None`, and left
    /// out of the file, if each thread is told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub members: Option<usize>,
    /// It is of automata that tell of races; left out of the file if not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub races: bool,
    /// It is of a program that was read for the check of deadlocks, and of automata that tell of them; left out of the file if not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deadlocks: bool,
    /// Names of the words of the system, by number: no two are equal.
    pub words: Vec<String>,
    /// Places of each thread, by number, as lines and columns of the program; no two of a thread are equal.
    pub places: Vec<Vec<String>>,
    /// Invariants of all interleavings.
    pub interleavings: Vec<Interleavings>,
    /// Invariants of all interleavings in lockstep.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lockstep: Vec<Lockstep>,
    /// Environment lemmas, in the order in which they were shown.
    #[serde(rename = "facts")]
    pub lemmas: Vec<Lemma>,
    /// Threads that were verified one by one.
    pub threads: Vec<OneThread>,
}

impl Certificate {
    /// The certificate that a file says. Of one in another format, only the name of the format is read: its check is
    /// rejected.
    ///
    /// # Errors
    /// The text is no certificate.
    pub fn read(json: &[u8]) -> Result<Certificate, serde_json::Error> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
        }
        match serde_json::from_slice(json) {
            Ok(Head { format }) if format != FORMAT => Ok(Certificate {
                format,
                members: None,
                races: false,
                deadlocks: false,
                words: Vec::new(),
                places: Vec::new(),
                interleavings: Vec::new(),
                lockstep: Vec::new(),
                lemmas: Vec::new(),
                threads: Vec::new(),
            }),
            _ => serde_json::from_slice(json),
        }
    }

    /// States that its invariants exclude, each set as a condition in C.
    pub fn never(&self) -> Vec<&str> {
        let shown = self.threads.iter().map(|one| &one.shown);
        let of_threads = shown.filter_map(|shown| match shown {
            Shown::Invariant(invariant) => Some(invariant),
            Shown::Unrolling => None,
        });
        let all = self.interleavings.iter().map(|one| &one.invariant);
        let all = all.chain(self.lockstep.iter().map(|one| &one.invariant));
        let sets = all.chain(of_threads).flat_map(|one| &one.blocked);
        sets.map(|states| states.c.as_str()).collect()
    }
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
    /// It excludes data races; left out of the file if not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub races: bool,
    /// It excludes deadlocks; left out of the file if not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deadlocks: bool,
    /// The invariant.
    pub invariant: Invariant,
}

/// An invariant of all interleavings in which threads that are independent of others move together. It excludes all that is bad.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lockstep {
    /// Predicates: each is a condition with one conjunct. They are numbered behind all words, and have one bit.
    pub predicates: Vec<Condition>,
    /// The invariant.
    pub invariant: Invariant,
}

/// An invariant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invariant {
    /// No state of these sets is reached.
    #[serde(rename = "never")]
    pub blocked: Vec<States>,
    /// The depth of the induction that shows it, 1 for an ordinary one; 1 is left out of the file.
    #[serde(default = "ordinary", skip_serializing_if = "is_ordinary")]
    pub depth: usize,
}

/// Nothing bad is reached in a thread whose environment moves as all lemmas say.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OneThread {
    /// Number of the thread; 0 is main.
    pub thread: usize,
    /// The proof of it.
    pub shown: Shown,
}

/// An environment lemma: from no reachable state of one condition do steps of some threads alone lead to the other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lemma {
    /// Numbers of the threads, ascending.
    pub threads: Vec<usize>,
    /// The one of them whose program shows it.
    pub main: usize,
    /// The condition on the state before.
    pub before: Condition,
    /// The condition on the state after.
    pub after: Condition,
    /// If there are any, one of these words (their names) is another one after than before, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// The proof of it.
    pub shown: Shown,
}

/// Proof that a thread's program does not reach what it must not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shown {
    /// Its executions are finite, and none does.
    Unrolling,
    /// An invariant excludes it.
    Invariant(Invariant),
}

/// A conjunction of terms over words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// In C, as far as C has words for it: what the terms say, and nothing else is accepted.
    pub c: String,
    /// Nodes of the terms: `w5` is word 5, `3:8` the number 3 with 8 bits, `and 0 2` a conjunction of nodes 0
    /// and 2 (operators as in `term`); last, the conjuncts.
    pub terms: Vec<String>,
}

/// A set of states: some bits of some words have certain values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct States {
    /// In C, as far as C has words for it: what the bits say.
    pub c: String,
    /// Word, bit of it, value; in the file `5.0 !5.1` for "bit 0 of word 5 is set and bit 1 is not".
    #[serde(with = "super::literals")]
    pub bits: Vec<(usize, u16, bool)>,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn ordinary() -> usize {
    1
}

fn is_ordinary(depth: &usize) -> bool {
    *depth == ordinary()
}
