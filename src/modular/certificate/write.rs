//! Certificates of searches: their invariants and lemmas, as they are written.

use super::format::{
    self, Certificate, Condition, FORMAT, Interleavings, Invariant, OneThread, Shown, States,
};
use super::text::{self, InC};
use crate::base::id::Id;
use crate::event::ThreadId;
use crate::ir::Program;
use crate::modular::cube::{Blocked, Cube, name};
use crate::modular::lemma::{Lemma, Proof};
use crate::modular::threads::Threads;
use crate::term::TermId;
use crate::transition::Automata;
use crate::transition::product::Bad;
use crate::transition::relation::{Name, Relation, Word};

/// Turns what searches found into a certificate.
pub struct CertificateBuilder<'a> {
    pub program: &'a Program,
    pub automata: &'a Automata,
    pub relation: &'a Relation,
}

impl CertificateBuilder<'_> {
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
            lemmas: Vec::new(),
            threads: Vec::new(),
        }
    }

    fn name(&self, word: &Word) -> String {
        name(self.program, self.automata, word)
    }

    /// An invariant of all interleavings.
    pub fn interleavings(&self, bad: Bad, blocked: &Blocked) -> Interleavings {
        Interleavings {
            violations: bad.violations,
            undefined: bad.undefined,
            unsupported: bad.unsupported,
            invariant: self.invariant(blocked),
        }
    }

    /// The proof of one thread.
    pub fn thread(&self, main: ThreadId, proof: &Proof) -> OneThread {
        OneThread {
            thread: main.index(),
            shown: self.shown(proof),
        }
    }

    /// A lemma that was learnt of environments.
    pub fn lemma(&self, threads: &Threads, lemma: &Lemma) -> format::Lemma {
        let condition = |conjuncts: &[TermId]| Condition {
            c: InC {
                program: self.program,
                threads,
            }
            .all(conjuncts),
            terms: text::write(threads, conjuncts),
        };
        format::Lemma {
            threads: lemma.threads.iter().map(ThreadId::index).collect(),
            main: lemma.main.index(),
            before: condition(&lemma.query.before),
            after: condition(&lemma.query.after),
            changed: lemma.query.changed.clone(),
            shown: self.shown(&lemma.proof),
        }
    }

    fn shown(&self, proof: &Proof) -> Shown {
        match proof {
            Proof::Unrolling => Shown::Unrolling,
            Proof::Invariant(blocked) => Shown::Invariant(self.invariant(blocked)),
        }
    }

    fn invariant(&self, blocked: &Blocked) -> Invariant {
        Invariant {
            blocked: blocked.cubes.iter().map(|c| self.states(c)).collect(),
            depth: blocked.depth,
        }
    }

    /// A set of states, with its text.
    pub fn states(&self, cube: &Cube) -> States {
        let bits = cube.0.iter();
        States {
            c: cube.in_c(self.program, self.automata, self.relation),
            bits: bits
                .map(|((word, bit), value)| (*word, *bit, *value))
                .collect(),
        }
    }
}
