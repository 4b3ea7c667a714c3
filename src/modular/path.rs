//! Paths of sequential programs: weakest preconditions of their ends, and what holds on their way.
//!
//! Along a path, both are free of quantifiers: substitution for what moves write, conjunction for their guards. The preconditions
//! take the path's values for inputs; in postconditions, an input that some word still holds is called by the word's name,
//! and words that cannot be said otherwise have their values of the path.

use super::branch;
use super::threads::Threads;
use crate::event::ThreadId;
use crate::event::ThreadSet;
use crate::modular::faults::{self, Fault};
use crate::term::{Memo, Node, Op, TermId, VarId};
use crate::transition::product::Bad;
use crate::transition::relation::Substitution;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// An execution of a sequential program, in a query from the start on.
#[derive(Clone, Debug)]
pub(super) struct Path {
    /// Never empty.
    pub turns: Vec<Turn>,
    pub end: End,
}

/// The others move, then the thread.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub mover: ThreadId,
    /// Place of the mover, by number.
    pub place: usize,
    /// Values of words before others move.
    pub before: Vec<u128>,
    /// Values of words after that.
    pub after: Vec<u128>,
    /// Words that had their values before others moved in every execution that came here, as loop counters have.
    pub fixed_before: Vec<usize>,
    /// The same for values after that.
    pub fixed_after: Vec<usize>,
    /// Values of inputs of the thread's move.
    pub inputs: Vec<(VarId, u128)>,
    /// The move; `None` in the last turn.
    pub moved: Option<usize>,
}

/// End of the last turn of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// This bad move.
    Bad(usize),
    /// The condition that the query asks for, after others have moved.
    Reached,
    /// This promise, before others have moved.
    Promise(usize),
}

impl Turn {
    /// The value of a word or input, with these values of words.
    pub fn value(&self, threads: &Threads, var: VarId, words: &[u128]) -> u128 {
        if let Some(word) = threads.word_of(var) {
            return words[word];
        }
        let known = self.inputs.iter().find(|(input, _)| *input == var);
        known.map_or(0, |(_, value)| *value)
    }
}

/// Words, and terms that they are equal to.
pub(super) type Definitions = Vec<(usize, TermId)>;

/// Conjuncts that hold where a path comes to, given the words as terms over what was free on the way.
pub(super) struct Postcondition<'a> {
    /// Values of words on the path.
    pub values: &'a [u128],
    /// Whose words are better not used to name others: they change.
    pub changing: ThreadSet,
    /// The word of which nothing is said.
    pub silent: usize,
}

impl Threads<'_> {
    /// A condition with the inputs of a turn.
    fn given(&mut self, term: TermId, turn: &Turn) -> TermId {
        let mut env = Substitution::default();
        for (var, value) in &turn.inputs {
            let bits = self.relation.terms.bits(self.relation.terms.variable(*var));
            env.insert(*var, self.relation.terms.constant(*value, bits));
        }
        self.relation.terms.substitute(term, &env, &mut Memo::new())
    }

    /// Condition that a bad move happens, with the inputs of its turn.
    pub(super) fn happens(&mut self, index: usize, turn: &Turn) -> TermId {
        debug_assert!(Bad::ALL.is(self.outcome(index)), "a bad move");
        let enabled = self.enabled[index];
        let given = self.given(enabled, turn);
        self.here(given, turn)
    }

    /// A condition on states after the others' part of a turn, where words that are fixed there are numbers: so loops are
    /// unrolled in what conditions say. It is true of fewer states, and of no fewer that are reached here.
    pub(super) fn here(&mut self, term: TermId, turn: &Turn) -> TermId {
        let words = self.words_in(&self.relation.terms, term);
        let mut env = Substitution::default();
        let mut fixed = Vec::new();
        for word in words {
            if turn.fixed_after.binary_search(&word).is_ok() {
                let own = self.relation.words[word].term;
                let terms = &mut self.relation.terms;
                let value = terms.constant(turn.after[word], terms.bits(own));
                fixed.push(terms.eq(own, value));
                env.insert(self.var(word), value);
            }
        }
        if faults::on(Fault::FixedUnsaid) {
            fixed.clear();
        }
        let terms = &mut self.relation.terms;
        let simpler = terms.substitute(term, &env, &mut Memo::new());
        let vars = terms.support(simpler).into_iter();
        let values: HashMap<VarId, u128, FxBuildHasher> = vars
            .map(|var| (var, turn.value(self, var, &turn.after)))
            .collect();
        let terms = &mut self.relation.terms;
        let taken = branch::taken(terms, simpler, &|var| values[&var]);
        fixed
            .into_iter()
            .fold(taken, |all, one| terms.and(all, one))
    }

    /// The states after the others' part of a turn from which its move leads to `goal`.
    pub(super) fn precondition(&mut self, turn: &Turn, goal: TermId) -> TermId {
        let Some(index) = turn.moved else {
            return goal;
        };
        let mut env = Substitution::default();
        for (word, term) in self.relation.moves[index].updates.clone() {
            env.insert(self.var(word), term);
        }
        let terms = &mut self.relation.terms;
        let moved = terms.substitute(goal, &env, &mut Memo::new());
        let both = if faults::on(Fault::PreconditionUnguarded) {
            moved
        } else {
            terms.and(self.enabled[index], moved)
        };
        let given = self.given(both, turn);
        self.here(given, turn)
    }

    /// Words as terms after a path's turns (the last turn's move is not made, nor do others move in it), and the conditions on the way; inputs, and what others
    /// have changed, are fresh variables of `scratch`.
    pub(super) fn execute(
        &mut self,
        turns: &[Turn],
        words: Vec<TermId>,
        scratch: &mut Scratch,
    ) -> (Vec<TermId>, Vec<TermId>) {
        let mut words = words;
        let mut conditions = Vec::new();
        let Some((last, turns)) = turns.split_last() else {
            return (words, conditions);
        };
        let fix = |threads: &mut Self, words: &mut [TermId], fixed: &[usize], values: &[u128]| {
            for word in fixed {
                let bits = threads.relation.terms.bits(words[*word]);
                words[*word] = threads.relation.terms.constant(values[*word], bits);
            }
        };
        for turn in turns {
            fix(self, &mut words, &turn.fixed_before, &turn.before);
            for (number, word) in words.iter_mut().enumerate() {
                if turn.before[number] != turn.after[number] {
                    let bits = self.relation.terms.bits(*word);
                    *word = scratch.fresh(&mut self.relation.terms, bits);
                }
            }
            fix(self, &mut words, &turn.fixed_after, &turn.after);
            let Some(index) = turn.moved else {
                continue;
            };
            let mut env = self.standing_for(&words);
            for (var, _) in &turn.inputs {
                let bits = self.relation.terms.bits(self.relation.terms.variable(*var));
                env.insert(*var, scratch.fresh(&mut self.relation.terms, bits));
            }
            let mut memo = Memo::new();
            let terms = &mut self.relation.terms;
            conditions.push(terms.substitute(self.enabled[index], &env, &mut memo));
            for (word, term) in &self.relation.moves[index].updates {
                words[*word] = terms.substitute(*term, &env, &mut memo);
            }
        }
        fix(self, &mut words, &last.fixed_before, &last.before);
        (words, conditions)
    }

    /// Rank of a word for saying what others are, 0 the best: inputs that nobody changes are best, registers are worst.
    fn rank(&self, word: usize) -> u8 {
        let all = ThreadSet::first(self.count());
        let is_fixed = !all.iter().any(|thread| self.writes(thread, word));
        match (self.is_shared(word), is_fixed) {
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => 2,
            (false, false) => 3,
        }
    }

    /// Postcondition of a path: what holds of the words at its end, and definitions of words by words that have none.
    pub(super) fn postcondition(
        &mut self,
        words: &[TermId],
        conditions: &[TermId],
        how: &Postcondition,
    ) -> (Vec<TermId>, Definitions) {
        let changing = self.written(&how.changing);
        let changes = |word: usize| changing.binary_search(&word).is_ok();
        // Variables and the words that hold them: those first that hold what they held, then those that do not change.
        let mut names: HashMap<VarId, TermId, FxBuildHasher> = HashMap::default();
        let mut named = vec![false; words.len()];
        let mut order: Vec<usize> = (0..words.len()).filter(|w| *w != how.silent).collect();
        order.sort_by_key(|word| {
            let identical = words[*word] == self.relation.words[*word].term;
            (changes(*word), self.rank(*word), !identical)
        });
        for &word in &order {
            if let Some(var) = self.relation.terms.var_of(words[word])
                && !names.contains_key(&var)
            {
                names.insert(var, self.relation.words[word].term);
                named[word] = true;
            }
        }
        let (mut found, mut definitions) = (Vec::new(), Definitions::new());
        let mut memo = Memo::new();
        for &word in order.iter().filter(|word| !named[**word]) {
            let terms = &mut self.relation.terms;
            let own = self.relation.words[word].term;
            let support = terms.support(words[word]);
            let bits = terms.bits(own);
            let mut said = terms.constant(how.values[word], bits);
            if support.iter().all(|var| names.contains_key(var)) {
                said = terms.substitute(words[word], &names, &mut memo);
            }
            let mut equal = terms.eq(own, said);
            if terms.as_constant(equal) == Some(0) {
                said = terms.constant(how.values[word], bits);
                equal = terms.eq(own, said);
            }
            definitions.push((word, said));
            found.push(equal);
        }
        for condition in conditions {
            let terms = &mut self.relation.terms;
            let support = terms.support(*condition);
            if support.iter().all(|var| names.contains_key(var)) {
                found.push(terms.substitute(*condition, &names, &mut memo));
            }
        }
        (self.conjuncts(&found), definitions)
    }

    /// The conjuncts of some conditions, without what always holds, each once, in order.
    pub(super) fn conjuncts(&self, conditions: &[TermId]) -> Vec<TermId> {
        let terms = &self.relation.terms;
        let mut all: Vec<TermId> = Vec::new();
        for condition in conditions {
            for conjunct in terms.conjuncts(*condition) {
                if terms.as_constant(conjunct) != Some(1) && !all.contains(&conjunct) {
                    all.push(conjunct);
                }
            }
        }
        all
    }

    /// Words of which a conjunction says that they have certain values.
    pub(super) fn constants(&self, conjuncts: &[TermId]) -> Definitions {
        let terms = &self.relation.terms;
        let mut found = Vec::new();
        for conjunct in conjuncts {
            match terms.node(*conjunct) {
                Node::Binary(Op::Eq, a, b) => {
                    for (left, right) in [(a, b), (b, a)] {
                        let word = terms.var_of(left).and_then(|var| self.word_of(var));
                        if let Some(word) = word
                            && terms.as_constant(right).is_some()
                        {
                            found.push((word, right));
                        }
                    }
                }
                Node::Variable(var) => found.extend(self.word_of(var).map(|w| (w, terms.tru()))),
                Node::Not(inner) => {
                    let word = terms.var_of(inner).and_then(|var| self.word_of(var));
                    found.extend(word.map(|w| (w, terms.fals())));
                }
                _ => {}
            }
        }
        found
    }
}

/// Variables that conditions on the way are about, used again from one path to the next.
#[derive(Default)]
pub(super) struct Scratch {
    known: HashMap<u16, Vec<TermId>, FxBuildHasher>,
    used: HashMap<u16, usize, FxBuildHasher>,
}

impl Scratch {
    /// Another path.
    pub fn clear(&mut self) {
        self.used.clear();
    }

    fn fresh(&mut self, terms: &mut crate::term::Terms, bits: u16) -> TermId {
        let used = self.used.entry(bits).or_insert(0);
        let known = self.known.entry(bits).or_default();
        if known.len() == *used {
            known.push(terms.fresh("free", bits));
        }
        *used += 1;
        known[*used - 1]
    }
}
