//! What searches found, as a certificate.

use super::format::{
    Certificate, Condition, Excluded, FORMAT, Interleavings, OneThread, Shown, States, Summary,
};
use super::text::{self, InC};
use crate::base::id::Id;
use crate::event::ThreadId;
use crate::ir::Program;
use crate::modular::cube::{Cube, Never, name};
use crate::modular::fact::{Fact, Proof};
use crate::modular::threads::Threads;
use crate::term::TermId;
use crate::transition::Automata;
use crate::transition::product::Bad;
use crate::transition::relation::{Name, Relation, Word};

/// Turns what searches found into a certificate.
pub struct Writer<'a> {
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
