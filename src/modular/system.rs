//! The systems of verification thread by thread: a main thread with its environment, and the environment of a query.

use super::condition::Condition;
use super::learn::{Learner, Target};
use crate::base::faults::{self, Fault};
use crate::base::id::Id;
use crate::event::ThreadId;
use crate::term::{Memo, TermId, VarId};
use crate::transition::product::{Bad, active, after, choice};
use crate::transition::relation::{Bits, Environment, Name, Relation, Word};
use std::collections::BTreeMap;

/// A system with what it was built of.
pub(super) struct Built {
    pub bits: Bits,
    pub relation: Relation,
    /// Inputs that stand for words after a move of others.
    pub havoc: BTreeMap<usize, VarId>,
    pub choice: Option<VarId>,
}

/// Words that others may have changed before a step.
struct Havoc {
    /// Every word before that, and after it.
    befores: Vec<TermId>,
    afters: Vec<TermId>,
    /// Of each word that may be changed, the input that is its new value.
    moved: BTreeMap<usize, VarId>,
    /// The words' variables, as they are afterwards.
    env: Environment,
}

impl Havoc {
    /// These words change where `may` holds.
    fn new(relation: &mut Relation, words: Vec<usize>, may: TermId) -> Havoc {
        let befores: Vec<TermId> = relation.words.iter().map(|word| word.term).collect();
        let mut havoc = Havoc {
            afters: befores.clone(),
            befores,
            moved: BTreeMap::new(),
            env: Environment::default(),
        };
        let terms = &mut relation.terms;
        for word in words {
            let term = havoc.befores[word];
            let (bits, fact) = (terms.bits(term), terms.fact(term));
            let free = terms.fresh_within("moved", bits, fact);
            let after = terms.ite(may, free, term);
            let (Some(var), Some(free)) = (terms.var_of(term), terms.var_of(free)) else {
                continue;
            };
            havoc.env.insert(var, after);
            havoc.afters[word] = after;
            havoc.moved.insert(word, free);
        }
        havoc
    }
}

impl Learner<'_> {
    /// The main thread with its environment, or alone.
    pub(super) fn main_system(&self, environment: bool, target: Target) -> Built {
        let mut relation = self.relation.clone();
        let main = self.main;
        let others = match environment {
            true => relation.written(&|thread| thread != main),
            false => Vec::new(),
        };
        // Registers of this thread that its creator sets are set before.
        let outside = relation.terms.not(relation.sections[main]);
        let Havoc {
            befores,
            afters,
            moved: havoc,
            env,
        } = Havoc::new(&mut relation, others, outside);
        let terms = &mut relation.terms;
        let mut allowed = terms.tru();
        if environment {
            for assumption in &self.assumptions {
                let from = assumption.before.term(terms, &|word| befores[word]);
                let to = assumption.after.term(terms, &|word| afters[word]);
                let both = match faults::on(Fault::AssumptionAlways) {
                    true => to,
                    false => terms.and(from, to),
                };
                let not = terms.not(both);
                allowed = terms.and(allowed, not);
            }
        }
        let mut memo = Memo::new();
        let mut found = terms.fals();
        let mut changes: Vec<Vec<(TermId, TermId)>> = vec![Vec::new(); befores.len()];
        for step in self
            .relation
            .moves
            .iter()
            .filter(|step| step.thread == main)
        {
            let taken = terms.substitute(step.taken, &env, &mut memo);
            let outcome = &self.automata.threads[main].edges[step.edge].outcome;
            if Bad::ALL.is(outcome) && !matches!(target, Target::Promise(_)) {
                found = terms.or(found, taken);
            }
            for (word, term) in &step.updates {
                let term = terms.substitute(*term, &env, &mut memo);
                changes[*word].push((taken, term));
            }
        }
        found = terms.and(found, allowed);
        for (number, promise) in self.promises.iter().enumerate() {
            if target != Target::All && target != Target::Promise(number) {
                continue;
            }
            let at = match faults::on(Fault::PromiseAfterMove) {
                true => &afters,
                false => &befores,
            };
            let here = promise.condition.term(terms, &|word| at[word]);
            found = terms.or(found, here);
        }
        let next: Vec<TermId> = (0..befores.len())
            .map(|word| {
                let moved = after(terms, afters[word], &changes[word]);
                terms.ite(allowed, moved, befores[word])
            })
            .collect();
        let beside: Vec<(usize, VarId)> = havoc.iter().map(|(word, var)| (*word, *var)).collect();
        let bits = relation.bits(&next, found, &beside);
        Built {
            bits,
            relation,
            havoc,
            choice: None,
        }
    }

    /// The environment, with `try_start` before each of its steps.
    pub(super) fn environment_system(&self, alpha: &Condition, beta: &Condition) -> Built {
        let mut relation = self.relation.clone();
        let main = self.main;
        let flag = relation.terms.fresh("start", 1);
        let number = relation.words.len();
        relation.words.push(Word {
            name: Name::Flag,
            term: flag,
            initial: 0,
        });
        let activate = relation.terms.fresh("activate", 1);
        // Nobody need move: what the main thread does may come between any two steps.
        let choice = choice(&mut relation, self.automata.threads.len());
        let mut quiet = relation.terms.tru();
        for (id, within) in relation.sections.clone().iter_ids() {
            if id != main {
                let not = relation.terms.not(*within);
                quiet = relation.terms.and(quiet, not);
            }
        }
        let idle = relation.terms.not(flag);
        let may_havoc = relation.terms.and(idle, quiet);
        let of_main = relation.written(&|thread| thread == main);
        let Havoc {
            befores,
            afters,
            moved: havoc,
            env,
        } = Havoc::new(&mut relation, of_main, may_havoc);
        let threads: Vec<TermId> = self
            .automata
            .threads
            .ids()
            .map(|id| match id == main {
                true => relation.terms.fals(),
                false => self.turn(&mut relation, id, choice),
            })
            .collect();
        let terms = &mut relation.terms;
        let from = alpha.term(terms, &|word| befores[word]);
        let starts = terms.and(activate, may_havoc);
        let starts = terms.and(starts, from);
        let mut memo = Memo::new();
        let mut changes: Vec<Vec<(TermId, TermId)>> = vec![Vec::new(); befores.len()];
        for step in self
            .relation
            .moves
            .iter()
            .filter(|step| step.thread != main)
        {
            let taken = terms.substitute(step.taken, &env, &mut memo);
            let taken = terms.and(taken, threads[step.thread.index()]);
            for (word, term) in &step.updates {
                let term = terms.substitute(*term, &env, &mut memo);
                changes[*word].push((taken, term));
            }
        }
        let mut next: Vec<TermId> = (0..befores.len())
            .map(|word| {
                let moved = after(terms, afters[word], &changes[word]);
                terms.ite(starts, befores[word], moved)
            })
            .collect();
        next[number] = terms.or(flag, starts);
        let there = beta.term(terms, &|word| befores[word]);
        let there = terms.and(there, quiet);
        let found = terms.and(there, flag);
        let bits = relation.bits(&next, found, &[]);
        let choice = choice.and_then(|choice| relation.terms.var_of(choice));
        Built {
            bits,
            relation,
            havoc,
            choice,
        }
    }

    fn turn(&self, relation: &mut Relation, id: ThreadId, choice: Option<TermId>) -> TermId {
        // The main thread is between two of its steps: it is in no section.
        let section = std::mem::replace(&mut relation.sections[self.main], relation.terms.fals());
        let turn = active(relation, id, choice);
        relation.sections[self.main] = section;
        turn
    }
}
