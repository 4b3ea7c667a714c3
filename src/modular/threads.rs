//! A program as its threads: moves over words, by thread and place, and who changes which words.

use super::fuse::{destination, fuse, settle};
use crate::base::id::Id;
use crate::base::sorted::SortedMap;
use crate::event::ThreadId;
use crate::event::ThreadSet;
use crate::term::{TermId, Terms, VarId};
use crate::transition::relation::{Name, Relation, Substitution};
use crate::transition::{Automata, Key, Outcome};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The threads of a program.
///
/// As long as none has been created, only main moves: what it does until then, the *prologue*, is executed as it is in every
/// thread's program, and is not part of what environments do.
pub struct Threads<'a> {
    pub automata: &'a Automata,
    pub relation: Relation,
    /// Numbers of words by their variables.
    word_of: HashMap<VarId, usize, FxBuildHasher>,
    /// Indices of moves, by thread and the place that they start at.
    moves: Vec<SortedMap<usize, Vec<usize>>>,
    /// Condition that each move happens: it is taken, and no other thread is within an atomic section.
    pub enabled: Vec<TermId>,
    /// Shared words that vary in one bit, and that bit.
    pub flags: Vec<(usize, u16)>,
    /// Words that each thread changes after the prologue, ascending.
    pub(super) written: Vec<Vec<usize>>,
    /// Some thread has been created.
    pub begun: TermId,
    /// Number of edges that follow each move's own one, because others cannot tell.
    pub silent: Vec<usize>,
}

impl<'a> Threads<'a> {
    pub fn new(automata: &'a Automata, relation: &Relation) -> Threads<'a> {
        let mut relation = relation.clone();
        let words = relation.words.iter().enumerate();
        let vars = words.filter_map(|(i, word)| Some((relation.terms.var_of(word.term)?, i)));
        let word_of = vars.collect();
        let count = automata.threads.len();
        settle(automata, &mut relation);
        let silent = fuse(automata, &mut relation);
        let mut moves: Vec<SortedMap<usize, Vec<usize>>> = vec![SortedMap::new(); count];
        let mut enabled = Vec::new();
        for (index, step) in relation.moves.iter().enumerate() {
            let mut when = step.taken;
            for (other, within) in relation.sections.iter_ids() {
                if other != step.thread {
                    let not = relation.terms.not(*within);
                    when = relation.terms.and(when, not);
                }
            }
            enabled.push(when);
            let from = automata.threads[step.thread].edges[step.edge].from;
            let here = moves[step.thread.index()].entry(from.index()).or_default();
            here.push(index);
        }
        // Main stands at its start only before it has created anything, unless some way leads back.
        let main = &automata.threads[ThreadId(0)];
        let returns = main
            .edges
            .iter()
            .any(|edge| matches!(edge.outcome, Outcome::Goto(to) if to.index() == 0));
        let written = (0..count).map(|thread| {
            let mut all: Vec<usize> = Vec::new();
            for (from, here) in &moves[thread] {
                if thread > 0 || *from > 0 || returns {
                    let updates = here.iter().flat_map(|m| &relation.moves[*m].updates);
                    all.extend(updates.map(|(word, _)| *word));
                }
            }
            all.sort_unstable();
            all.dedup();
            all
        });
        let written = written.collect();
        let mut begun = relation.terms.fals();
        for word in &relation.words {
            if matches!(word.name, Name::Variable(Key::Started(_))) {
                begun = relation.terms.or(begun, word.term);
            }
        }
        let mut threads = Threads {
            automata,
            relation,
            word_of,
            moves,
            enabled,
            flags: Vec::new(),
            written,
            begun,
            silent,
        };
        let words = 0..threads.relation.words.len();
        threads.flags = words.filter_map(|word| threads.flag(word)).collect();
        threads
    }

    /// The only bit in which a shared word varies.
    fn flag(&self, word: usize) -> Option<(usize, u16)> {
        let term = self.relation.words[word].term;
        let fact = self.relation.terms.fact(term);
        let open = fact.open(self.relation.terms.bits(term));
        let single = open.count_ones() == 1 && self.is_shared(word);
        single.then(|| (word, open.trailing_zeros() as u16))
    }

    /// Bits of a word that are always set.
    pub fn ones(&self, word: usize) -> u128 {
        let term = self.relation.words[word].term;
        self.relation.terms.fact(term).ones
    }

    /// Number of threads.
    pub fn count(&self) -> usize {
        self.moves.len()
    }

    /// Moves of a thread from a place.
    pub fn moves_at(&self, thread: ThreadId, place: usize) -> &[usize] {
        let here = self.moves[thread.index()].get(&place);
        here.map_or(&[], Vec::as_slice)
    }

    /// All moves of a thread.
    pub fn moves_of(&self, thread: ThreadId) -> impl Iterator<Item = usize> {
        self.moves[thread.index()].values().flatten().copied()
    }

    /// Idle move: true if it changes nothing, so that it need not be made: waiting.
    pub fn is_idle(&self, index: usize) -> bool {
        let step = &self.relation.moves[index];
        let from = self.automata.threads[step.thread].edges[step.edge].from;
        step.updates.len() == 1 && self.destination(index) == from.index()
    }

    /// The place that a move leads to.
    pub fn destination(&self, index: usize) -> usize {
        destination(&self.relation, index).unwrap_or(0)
    }

    /// The outcome of a move's edge.
    pub fn outcome(&self, index: usize) -> &'a Outcome {
        let step = &self.relation.moves[index];
        &self.automata.threads[step.thread].edges[step.edge].outcome
    }

    /// Atomic section: true if a place lies within one.
    pub fn in_section(&self, thread: ThreadId, place: usize) -> bool {
        let mut locations = self.automata.threads[thread].locations.iter();
        locations
            .nth(place)
            .is_some_and(|location| location.place.in_section())
    }

    /// Words that some of these threads change after the prologue, ascending.
    pub fn written(&self, by: &ThreadSet) -> Vec<usize> {
        let mut all: Vec<usize> = by
            .iter()
            .filter(|thread| thread.index() < self.count())
            .flat_map(|thread| self.written[thread.index()].iter().copied())
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Written word: true if a thread changes it after the prologue.
    pub fn writes(&self, thread: ThreadId, word: usize) -> bool {
        self.written[thread.index()].binary_search(&word).is_ok()
    }

    /// Words that a term speaks of, ascending. (Other variables of the term are not named.)
    pub fn words_in(&self, terms: &Terms, term: TermId) -> Vec<usize> {
        let support = terms.support(term).into_iter();
        let mut words: Vec<usize> = support
            .filter_map(|var| self.word_of.get(&var).copied())
            .collect();
        words.sort_unstable();
        words
    }

    /// Shared word: true if it is memory that threads share, and not where one stands or what it keeps in registers.
    pub fn is_shared(&self, word: usize) -> bool {
        !matches!(
            self.relation.words[word].name,
            Name::Variable(Key::Register { .. } | Key::Distance { .. } | Key::Within { .. })
                | Name::Location(_)
        )
    }

    /// The word that a variable stands for.
    pub fn word_of(&self, var: VarId) -> Option<usize> {
        self.word_of.get(&var).copied()
    }

    /// The variable of a word.
    pub fn var(&self, word: usize) -> VarId {
        let term = self.relation.words[word].term;
        let var = self.relation.terms.var_of(term);
        var.expect("words are variables")
    }

    /// Words that others may have changed, where `may` holds.
    pub fn havoc(
        &self,
        terms: &mut Terms,
        now: &[TermId],
        changed: &[usize],
        may: TermId,
    ) -> Vec<TermId> {
        let mut moved = now.to_vec();
        for &word in changed {
            let term = self.relation.words[word].term;
            let (bits, fact) = (terms.bits(term), terms.fact(term));
            let free = terms.fresh_within("moved", bits, fact);
            moved[word] = terms.ite(may, free, now[word]);
        }
        moved
    }

    /// Condition that some of these pairs are different; true if there are none.
    pub fn differ(
        &self,
        terms: &mut Terms,
        pairs: impl ExactSizeIterator<Item = (TermId, TermId)>,
    ) -> TermId {
        if pairs.len() == 0 {
            return terms.tru();
        }
        let mut same = terms.tru();
        for (a, b) in pairs {
            let equal = terms.eq(a, b);
            same = terms.and(same, equal);
        }
        terms.not(same)
    }

    /// Every word as a term that stands for it.
    pub fn standing_for(&self, words: &[TermId]) -> Substitution {
        let pairs = words.iter().enumerate();
        let pairs = pairs.map(|(number, term)| (self.var(number), *term));
        pairs.collect()
    }

    /// Plain loop: true if a thread has one whose moves, but for waiting, only give words fixed values: none counts its
    /// iterations.
    pub fn loops_plainly(&self, id: ThreadId) -> bool {
        let terms = &self.relation.terms;
        let is_plain = |index: &usize| {
            let mut updates = self.relation.moves[*index].updates.iter();
            updates.all(|(_, term)| terms.as_constant(*term).is_some())
        };
        let plain: Vec<(usize, usize)> = self
            .moves_of(id)
            .filter(|index| !self.is_idle(*index) && is_plain(index))
            .map(|index| {
                let edge = self.relation.moves[index].edge;
                let from = self.automata.threads[id].edges[edge].from;
                (from.index(), self.destination(index))
            })
            .collect();
        // Places that can be left for ever along plain moves: those without a way on are taken away until none is left.
        let mut places: Vec<usize> = plain.iter().map(|(from, _)| *from).collect();
        places.sort_unstable();
        places.dedup();
        loop {
            let count = places.len();
            let known = places.clone();
            let goes_on = |place: &usize| {
                let mut moves = plain.iter();
                moves.any(|(from, to)| from == place && known.binary_search(to).is_ok())
            };
            places.retain(goes_on);
            if places.len() == count {
                return !places.is_empty();
            }
        }
    }

    /// Inputs of the edges that start at a place.
    pub fn inputs_at(&self, thread: ThreadId, place: usize) -> Vec<VarId> {
        let mut locations = self.automata.threads[thread].locations.iter();
        let inputs = locations.nth(place).map_or(&[][..], |l| &l.inputs);
        let terms = &self.relation.terms;
        let mut vars: Vec<VarId> = inputs.iter().filter_map(|i| terms.var_of(i.term)).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }
}
