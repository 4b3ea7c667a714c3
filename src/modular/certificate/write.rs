//! Certificates of searches: their invariants and lemmas, as they are written.

use super::format::{
    self, Certificate, Condition, FORMAT, Interleavings, Invariant, OneThread, Shown, States,
};
use super::nodes::Nodes;
use super::text;
use crate::base::id::Id;
use crate::event::ThreadId;
use crate::ir::Program;
use crate::modular::cube::{Blocked, Cube};
use crate::modular::lemma::{Lemma, Proof};
use crate::modular::name::Names;
use crate::modular::threads::Threads;
use crate::term::TermId;
use crate::transition::Automata;
use crate::transition::product::Bad;
use crate::transition::relation::Relation;

/// Turns what searches found into a certificate.
pub struct CertificateBuilder<'a> {
    pub automata: &'a Automata,
    pub relation: &'a Relation,
    pub names: Names,
}

impl<'a> CertificateBuilder<'a> {
    pub fn new(
        program: &Program,
        automata: &'a Automata,
        relation: &'a Relation,
    ) -> CertificateBuilder<'a> {
        CertificateBuilder {
            automata,
            relation,
            names: Names::of(program, automata, relation),
        }
    }

    /// A certificate that proves nothing yet.
    pub fn empty(&self) -> Certificate {
        Certificate {
            format: FORMAT.to_string(),
            words: self.names.words.clone(),
            places: self.names.places.clone(),
            interleavings: Vec::new(),
            lemmas: Vec::new(),
            threads: Vec::new(),
        }
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
        let condition = |conjuncts: &[TermId]| self.condition(&Nodes::of(threads, conjuncts));
        let name = |word: &usize| self.names.words[*word].clone();
        format::Lemma {
            threads: lemma.threads.iter().map(ThreadId::index).collect(),
            main: lemma.main.index(),
            before: condition(&lemma.query.before),
            after: condition(&lemma.query.after),
            changed: lemma.query.changed.iter().map(name).collect(),
            shown: self.shown(&lemma.proof),
        }
    }

    /// A condition, with its text.
    pub fn condition(&self, nodes: &Nodes) -> Condition {
        Condition {
            c: text::told(&self.names, self.relation, nodes),
            terms: nodes.lines(),
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
            c: cube.in_c(&self.names, self.relation),
            bits: bits
                .map(|((word, bit), value)| (*word, *bit, *value))
                .collect(),
        }
    }
}
