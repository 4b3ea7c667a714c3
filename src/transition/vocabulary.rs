//! Vocabulary of a search: conditions on words that it may speak of besides their bits, and clauses over these that may hold in all
//! reachable states.
//!
//! Nothing rests on them: a predicate is only a name, and which candidates hold is asked later.
//!
//! * *Predicates* are the places of threads, words of one bit, comparisons that moves make, equalities between words and what moves
//!   assign to them, equalities with the values of words that have few in samples, and equalities of any two words of equal width.
//! * *Candidates* say that a thread is never at a place, that two threads are not at two places at once, and that a predicate
//!   holds, or not, always or while the threads that change its words are at certain places. Those are dropped that a state
//!   does not satisfy which random executions have passed (`sample`), as Daikon does (Ernst et al., "Dynamically discovering
//!   likely program invariants to support program evolution", TSE 2001).

use super::automaton::{Automata, Key};
use super::product::Given;
use super::relation::{Name, Relation, Substitution};
use super::sample;
use crate::base::id::Id;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::ThreadId;
use crate::term::{Evaluator, Memo, Node, Op, TermId, VarId};
use std::ops::Range;

/// Predicates on data at most.
const DATA: usize = 300;
/// Candidates at most.
const CANDIDATES: usize = 20_000;
/// Pairs of places of two threads, and combinations of places for one predicate, at most; with more there are none.
const PAIRS: usize = 2500;
const CONTEXTS: usize = 150;
/// Values of a word, in samples, that predicates compare it with.
const VALUES: usize = 4;
/// Leaves of an assigned term that are looked at.
const LEAVES: usize = 16;
/// Bits of the narrowest word that holds data.
const WIDE: u16 = 4;

/// Predicates, and candidates for invariants.
#[derive(Default)]
pub struct Vocabulary {
    pub predicates: Vec<TermId>,
    /// Disjunctions of predicates, by number, or of their complements.
    pub candidates: Vec<Clause>,
}

/// Disjunction of predicates, by number, and of complements of predicates.
pub type Clause = Vec<(usize, bool)>;

/// Words by what they hold.
struct Words {
    /// Numbers of words of data.
    wide: SortedMap<VarId, usize>,
    /// Numbers of words of one bit.
    flags: SortedMap<VarId, usize>,
}

impl Words {
    fn of(relation: &Relation) -> Words {
        let mut words = Words {
            wide: SortedMap::new(),
            flags: SortedMap::new(),
        };
        for (number, word) in relation.words.iter().enumerate() {
            let is_place = matches!(word.name, Name::Location(_));
            if let Some(var) = relation.terms.var_of(word.term).filter(|_| !is_place) {
                match relation.terms.bits(word.term) {
                    1 => _ = words.flags.insert(var, number),
                    WIDE.. => _ = words.wide.insert(var, number),
                    _ => {}
                }
            }
        }
        words
    }

    fn number(&self, var: &VarId) -> Option<usize> {
        let number = self.wide.get(var).or_else(|| self.flags.get(var));
        number.copied()
    }
}

/// Places of a thread: numbers of locations, and of the predicates that say that it is there.
type Places = Vec<(usize, usize)>;

/// The vocabulary of a system whose words have these values after a step.
pub fn vocabulary(automata: &Automata, relation: &mut Relation, next: &[TermId]) -> Vocabulary {
    let words = Words::of(relation);
    let states = sample::states(relation, next);
    let mut predicates: Vec<TermId> = Vec::new();
    let mut places: Vec<Places> = Vec::new();
    for (thread, automaton) in automata.threads.iter_ids() {
        let mut own = Vec::new();
        // Stopped is one more.
        for location in 0..=automaton.locations.len() {
            let here = relation.at(thread, location);
            if relation.terms.as_constant(here).is_none() {
                own.push((location, predicates.len()));
                predicates.push(here);
            }
        }
        places.push(own);
    }
    let control = predicates.len();
    let flags = words.flags.values().map(|word| relation.words[*word].term);
    predicates.extend(flags);
    let values = values(&words, &states);
    let data = data(relation, &words, &values, !automata.families.is_empty());
    let data = data.into_iter().filter(|term| !predicates.contains(term));
    let data: Vec<TermId> = data.take(DATA).collect();
    predicates.extend(data);
    let mut candidates: Vec<Clause> = (0..control).map(|place| vec![(place, false)]).collect();
    candidates.extend(apart(&places));
    if !automata.families.is_empty() {
        let flags = control..control + words.flags.len();
        candidates.extend(shared(&places, flags, predicates.len()));
    }
    let owners = owners(automata, relation);
    for (number, predicate) in predicates.iter().enumerate().skip(control) {
        let contexts = contexts(automata, relation, *predicate, (&words, &owners, &places));
        for value in [true, false] {
            for context in &contexts {
                let elsewhere = context.iter().map(|at| (*at, false));
                candidates.push(elsewhere.chain([(number, value)]).collect());
            }
        }
    }
    let rows: Vec<Vec<bool>> = states
        .iter()
        .map(|state| {
            let assignment = |var: VarId| state.get(&var).copied().unwrap_or(0);
            let mut evaluator = Evaluator::new(&relation.terms, &assignment);
            predicates.iter().map(|p| evaluator.holds(*p)).collect()
        })
        .collect();
    candidates.retain(|clause| {
        let holds = |row: &Vec<bool>| clause.iter().any(|(p, value)| row[*p] == *value);
        rows.iter().all(holds)
    });
    candidates.truncate(CANDIDATES);
    Vocabulary {
        predicates,
        candidates,
    }
}

/// Candidates that say that two threads are not at two places at once.
fn apart(places: &[Places]) -> Vec<Clause> {
    let mut candidates = Vec::new();
    for (number, mine) in places.iter().enumerate() {
        for theirs in &places[..number] {
            if mine.len() * theirs.len() <= PAIRS {
                let pairs = mine.iter().flat_map(|a| theirs.iter().map(move |b| (a, b)));
                candidates.extend(pairs.map(|(a, b)| vec![(a.1, false), (b.1, false)]));
            }
        }
    }
    candidates
}

/// Candidates for words that several threads change: what they are where one of the threads is, or while a word of one bit has
/// a value.
fn shared(places: &[Places], flags: Range<usize>, predicates: usize) -> Vec<Clause> {
    let mut candidates = Vec::new();
    let at = places.iter().flatten().map(|(_, at)| (*at, false));
    let is_flag = flags.clone();
    let while_set = flags.clone().flat_map(|flag| [(flag, true), (flag, false)]);
    let contexts: Vec<(usize, bool)> = at.chain(while_set).collect();
    for number in flags.start..predicates {
        for context in &contexts {
            let twice = is_flag.contains(&context.0) && context.0 >= number;
            if !twice {
                candidates.extend([true, false].map(|value| vec![*context, (number, value)]));
            }
        }
    }
    candidates
}

/// Conjunctions of places under which a predicate is of interest: none; where main is, for what others do; and where the
/// threads are that change its words, as long as its registers live there.
fn contexts(
    automata: &Automata,
    relation: &Relation,
    predicate: TermId,
    (words, owners, places): (&Words, &[Option<usize>], &[Places]),
) -> Vec<Vec<usize>> {
    let support = relation.terms.support(predicate);
    let used: Vec<usize> = support.iter().filter_map(|var| words.number(var)).collect();
    let of: SortedSet<usize> = used.iter().filter_map(|word| owners[*word]).collect();
    let registers: Vec<(usize, &Key)> = used
        .iter()
        .filter_map(|word| match &relation.words[*word].name {
            Name::Variable(key @ Key::Register { thread, .. }) => Some((*thread as usize, key)),
            _ => None,
        })
        .collect();
    let lives = |thread: usize, location: usize| {
        let locations = &automata.threads[ThreadId(thread as u32)].locations;
        let here = locations.iter().nth(location);
        let lives = |key: &Key| {
            here.is_some_and(|here| here.registers.iter().any(|(other, _)| other == key))
        };
        let mut own = registers.iter().filter(|(owner, _)| *owner == thread);
        own.all(|(_, key)| lives(key))
    };
    let mut contexts: Vec<Vec<usize>> = vec![Vec::new()];
    let has_flag = support.iter().any(|var| words.flags.contains_key(var));
    if has_flag && of != SortedSet::from([0]) {
        contexts.extend(places[0].iter().map(|(_, at)| vec![*at]));
    }
    let count: usize = of.iter().map(|thread| places[*thread].len()).product();
    if !of.is_empty() && count <= CONTEXTS {
        let mut combined: Vec<Vec<usize>> = vec![Vec::new()];
        for thread in of {
            let here = places[thread].iter();
            let here: Vec<usize> = here
                .filter(|(location, _)| lives(thread, *location))
                .map(|(_, at)| *at)
                .collect();
            let longer = |context: &Vec<usize>| {
                let with = |at: &usize| context.iter().copied().chain([*at]).collect();
                here.iter().map(with).collect::<Vec<Vec<usize>>>()
            };
            combined = combined.iter().flat_map(longer).collect();
        }
        contexts.extend(combined);
    }
    contexts
}

/// By word: the thread whose register it is, or the only one that changes it, but for what main does from its start.
fn owners(automata: &Automata, relation: &Relation) -> Vec<Option<usize>> {
    let mut all: Vec<SortedSet<usize>> = vec![SortedSet::new(); relation.words.len()];
    for step in &relation.moves {
        let from = automata.threads[step.thread].edges[step.edge].from;
        if step.thread.index() > 0 || from.index() > 0 {
            for (word, _) in &step.updates {
                all[*word].insert(step.thread.index());
            }
        }
    }
    let owner = |(word, writers): (usize, &SortedSet<usize>)| match &relation.words[word].name {
        Name::Variable(Key::Register { thread, .. }) => Some(*thread as usize),
        _ if writers.len() == 1 => writers.first().copied(),
        _ => None,
    };
    all.iter().enumerate().map(owner).collect()
}

/// Conditions on data, each once: comparisons that moves make, equalities with what they assign, equalities of words with
/// constants, where they have few values, and with each other, where they have several.
fn data(relation: &mut Relation, words: &Words, values: &Values, is_family: bool) -> Vec<TermId> {
    let mut found: SortedSet<TermId> = SortedSet::new();
    for step in relation.moves.clone() {
        // Inputs that the step stores are called by what they are stored in.
        let mut stored = Substitution::default();
        for (word, term) in &step.updates {
            let to = relation.words[*word].term;
            if let Some(var) = relation.terms.var_of(*term)
                && !words.wide.contains_key(&var)
                && relation.terms.bits(*term) == relation.terms.bits(to)
            {
                stored.insert(var, to);
            }
        }
        let mut memo = Memo::new();
        let updates = step.updates.iter().map(|(_, term)| *term);
        let roots: Vec<TermId> = updates.chain([step.taken]).collect();
        for term in relation.terms.cone(&roots) {
            if let Node::Binary(Op::Eq | Op::ULt | Op::SLt, a, _) = relation.terms.node(term)
                && relation.terms.bits(a) >= WIDE
            {
                let term = relation.terms.substitute(term, &stored, &mut memo);
                compare(relation, words, term, &mut found);
            }
        }
        for (word, term) in &step.updates {
            if !words.wide.values().any(|wide| wide == word) {
                continue;
            }
            let to = relation.words[*word].term;
            let term = relation.terms.substitute(*term, &stored, &mut memo);
            for leaf in leaves(relation, term) {
                let support = relation.terms.support(leaf);
                let own = relation.terms.var_of(to);
                if own.is_none_or(|var| !support.contains(&var)) {
                    let same = relation.terms.eq(to, leaf);
                    compare(relation, words, same, &mut found);
                }
            }
        }
    }
    let mut found: Vec<TermId> = found.into_iter().collect();
    // In lockstep, words are equal that have few values; in a family, each has its own.
    let few = if is_family { VALUES } else { 1 };
    let mut varied = Vec::new();
    for (word, values) in values {
        let term = relation.words[*word].term;
        let bits = relation.terms.bits(term);
        if values.len() > few {
            varied.push(term);
        }
        if values.len() <= VALUES {
            for value in values {
                let value = relation.terms.constant(*value, bits);
                found.push(relation.terms.eq(term, value));
            }
        }
    }
    for (number, a) in varied.iter().enumerate() {
        for b in &varied[..number] {
            if relation.terms.bits(*a) == relation.terms.bits(*b) {
                found.push(relation.terms.eq(*a, *b));
            }
        }
    }
    let mut known = SortedSet::new();
    found.retain(|term| known.insert(*term));
    found
}

/// Values of words of data in samples, by number of the word.
type Values = SortedMap<usize, SortedSet<u128>>;

fn values(words: &Words, states: &[Given]) -> Values {
    let values = |(var, number): (&VarId, &usize)| {
        let values = states.iter().filter_map(|state| state.get(var).copied());
        (*number, values.collect())
    };
    words.wide.iter().map(values).collect()
}

/// What a term may be, by the choices that are its outermost operators.
fn leaves(relation: &Relation, term: TermId) -> Vec<TermId> {
    let (mut open, mut found) = (vec![term], Vec::new());
    for _ in 0..LEAVES {
        let Some(term) = open.pop() else { break };
        match relation.terms.node(term) {
            Node::Ite(_, a, b) => open.extend([a, b]),
            _ => found.push(term),
        }
    }
    found
}

/// Adds a comparison of words of data; of an order, the opposite one and equality as well.
fn compare(relation: &mut Relation, words: &Words, term: TermId, found: &mut SortedSet<TermId>) {
    let Node::Binary(op @ (Op::Eq | Op::ULt | Op::SLt), a, b) = relation.terms.node(term) else {
        return;
    };
    let support = relation.terms.support(term);
    if support.is_empty() || !support.iter().all(|var| words.wide.contains_key(var)) {
        return;
    }
    found.insert(term);
    let opposite = match op {
        Op::ULt => relation.terms.ult(b, a),
        Op::SLt => relation.terms.slt(b, a),
        _ => return,
    };
    found.extend([opposite, relation.terms.eq(a, b)]);
}
