//! Certificates of searches: their invariants and lemmas, as they are written.

use super::format::{
    self, Certificate, Condition, FORMAT, Interleavings, Invariant, Lockstep, OneThread, Shown,
    States,
};
use super::nodes::Nodes;
use super::text;
use crate::base::id::Id;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::ThreadId;
use crate::ir::Checks;
use crate::ir::Program;
use crate::modular::cube::{Blocked, Cube};
use crate::modular::lemma::{Lemma, Proof};
use crate::modular::name::Names;
use crate::modular::threads::Threads;
use crate::pdr;
use crate::term::{TermId, VarId};
use crate::transition::product::Bad;
use crate::transition::relation::Relation;
use crate::transition::{Automata, lockstep};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

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
            members: None,
            races: false,
            deadlocks: false,
            words: self.names.words.clone(),
            places: self.names.places.clone(),
            interleavings: Vec::new(),
            lockstep: Vec::new(),
            lemmas: Vec::new(),
            threads: Vec::new(),
        }
    }

    /// An invariant of all interleavings.
    pub fn interleavings(&self, bad: Bad, blocked: &Blocked) -> Interleavings {
        Interleavings {
            violations: bad.violations,
            undefined: bad.undefined == Checks::ALL,
            unsupported: bad.unsupported,
            races: bad.races,
            deadlocks: bad.deadlocks,
            invariant: self.invariant(blocked),
        }
    }

    /// An invariant of all interleavings in lockstep.
    pub fn lockstep(&self, system: &lockstep::Lockstep, invariant: &pdr::Invariant) -> Lockstep {
        let words = system.relation.words.len();
        let blocked = Blocked::of(&system.latches, invariant);
        // Those that are used, numbered anew.
        let keys = blocked.cubes.iter().flat_map(|cube| cube.0.keys());
        let used: SortedSet<usize> = keys.filter_map(|(n, _)| n.checked_sub(words)).collect();
        let numbers: SortedMap<usize, usize> = used.iter().copied().zip(0..).collect();
        let renumbered = |(number, bit): (usize, u16)| match number.checked_sub(words) {
            Some(predicate) => (words + numbers[&predicate], bit),
            None => (number, bit),
        };
        let cube = |cube: &Cube| Cube(cube.0.iter().map(|(k, v)| (renumbered(*k), *v)).collect());
        let words = system.relation.words.iter().enumerate();
        let var_of = |term| system.relation.terms.var_of(term);
        let of_var: HashMap<VarId, usize, FxBuildHasher> = words
            .filter_map(|(number, word)| Some((var_of(word.term)?, number)))
            .collect();
        let word_of = |var: VarId| of_var.get(&var).copied();
        let terms = used.iter().map(|number| system.predicates[*number]);
        let nodes = terms.map(|term| Nodes::of(&system.relation, &word_of, &[term]));
        let predicates: Vec<Nodes> = nodes.collect();
        let cubes = blocked.cubes.iter().map(cube);
        Lockstep {
            predicates: predicates
                .iter()
                .map(|nodes| self.condition(nodes))
                .collect(),
            invariant: Invariant {
                blocked: cubes.map(|cube| self.states(&cube, &predicates)).collect(),
                depth: blocked.depth,
            },
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
        let word_of = |var| threads.word_of(var);
        let nodes = |conjuncts: &[TermId]| Nodes::of(&threads.relation, &word_of, conjuncts);
        let condition = |conjuncts: &[TermId]| self.condition(&nodes(conjuncts));
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
            blocked: blocked.cubes.iter().map(|c| self.states(c, &[])).collect(),
            depth: blocked.depth,
        }
    }

    /// A set of states, with its text; predicates, if there are any, are numbered behind all words.
    pub fn states(&self, cube: &Cube, predicates: &[Nodes]) -> States {
        let bits = cube.0.iter();
        let (mut of_words, mut of_predicates) = (cube.clone(), Nodes::default());
        for (number, nodes) in predicates.iter().enumerate() {
            let key = (self.relation.words.len() + number, 0);
            if let Some(value) = of_words.0.remove(&key) {
                of_predicates.add(nodes, value);
            }
        }
        let before = of_words.in_c(&self.names, self.relation);
        States {
            c: text::told_behind(before, &self.names, self.relation, &of_predicates),
            bits: bits
                .map(|((word, bit), value)| (*word, *bit, *value))
                .collect(),
        }
    }
}
