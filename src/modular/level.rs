//! One level of an unrolling: how others move, and then the thread.

use super::linear;
use super::unroll::{Key, Node, Stage, Unrolling};
use crate::base::sorted::SortedMap;
use crate::event::ThreadId;
use crate::event::ThreadSet;
use crate::modular::faults::{self, Fault};
use crate::term::{Memo, TermId, VarId};
use crate::transition::product::Bad;
use crate::transition::relation::Substitution;

impl Unrolling<'_> {
    /// Executes one level; what is bad in it.
    pub(super) fn level(
        &mut self,
        states: SortedMap<Key, (TermId, Vec<TermId>)>,
        bad: &mut TermId,
    ) -> SortedMap<Key, (TermId, Vec<TermId>)> {
        let mut states = states;
        let mut next = SortedMap::new();
        let mut nodes = SortedMap::new();
        while let Some((key, (when, words))) = states.pop_first() {
            let node = match key.0 {
                Stage::Prologue => self.alone(key, when, words),
                Stage::Waiting => self.waiting(key, when, words, &mut states, bad),
                Stage::Started => self.started(key, when, words, bad),
            };
            self.moves(key, &node, bad, &mut next);
            nodes.insert(key, node);
        }
        self.levels.push(nodes);
        next
    }

    pub(super) fn mover(&self, key: Key) -> ThreadId {
        match key.0 {
            Stage::Prologue => ThreadId(0),
            _ => self.program.thread,
        }
    }

    fn inputs(&mut self, key: Key) -> Vec<(VarId, TermId)> {
        let vars = self.threads.inputs_at(self.mover(key), key.1);
        let terms = &mut self.terms;
        let fresh = vars.into_iter().map(|var| {
            let term = terms.variable(var);
            (
                var,
                terms.fresh_within("input", terms.bits(term), terms.fact(term)),
            )
        });
        fresh.collect()
    }

    fn alone(&mut self, key: Key, when: TermId, words: Vec<TermId>) -> Node {
        Node {
            reached: when,
            when,
            after: words.clone(),
            words,
            inputs: self.inputs(key),
        }
    }

    /// A state before the start: others do as they like.
    fn waiting(
        &mut self,
        key: Key,
        when: TermId,
        words: Vec<TermId>,
        states: &mut SortedMap<Key, (TermId, Vec<TermId>)>,
        bad: &mut TermId,
    ) -> Node {
        let thread = self.program.thread;
        let others = ThreadSet::first(self.threads.count()).without(thread);
        let mut after = words.clone();
        if !self.threads.in_section(thread, key.1) {
            let always = self.terms.tru();
            let changed = self.free(&words, &others);
            after = self
                .threads
                .havoc(&mut self.terms, &words, &changed, always);
        }
        let known = self.known(&words, &after, &others);
        let reached = when;
        let when = self.terms.and(when, known);
        if self.everywhere {
            let env = self.environment(&after, &[]);
            self.promised(when, &env, bad);
            self.asked_for(when, &after, bad);
            return Node {
                reached,
                when,
                words,
                after,
                inputs: self.inputs(key),
            };
        }
        let start = self.terms.fresh("start", 1);
        let env = self.environment(&after, &[]);
        let mut memo = Memo::new();
        let mut starts = self.terms.and(when, start);
        let query = self.program.query.clone().unwrap_or_default();
        for (conjunct, counts) in query.before.iter().zip(self.before.clone()) {
            let holds = self.terms.substitute(*conjunct, &env, &mut memo);
            let not = self.terms.not(counts);
            let holds = self.terms.or(holds, not);
            starts = self.terms.and(starts, holds);
        }
        for (word, old) in &self.old {
            let same = self.terms.eq(after[*word], *old);
            starts = self.terms.and(starts, same);
        }
        self.meet(states, (Stage::Started, key.1), starts, after.clone());
        let not = self.terms.not(start);
        let when = self.terms.and(when, not);
        Node {
            reached,
            when,
            words,
            after,
            inputs: self.inputs(key),
        }
    }

    /// A state after the start: the environment moves.
    fn started(&mut self, key: Key, when: TermId, words: Vec<TermId>, bad: &mut TermId) -> Node {
        if !faults::on(Fault::PromiseAfterMove) {
            let env = self.environment(&words, &[]);
            self.promised(when, &env, bad);
        }
        let thread = self.program.thread;
        let changed = self.free(&words, &self.program.environment);
        let mut after = words.clone();
        if !changed.is_empty() && !self.threads.in_section(thread, key.1) {
            let act = self.terms.fresh("act", 1);
            self.acts.push(act);
            after = self.threads.havoc(&mut self.terms, &words, &changed, act);
        }
        let known = self.known(&words, &after, &self.program.environment);
        let reached = when;
        let when = self.terms.and(when, known);
        if faults::on(Fault::PromiseAfterMove) {
            let env = self.environment(&after, &[]);
            self.promised(when, &env, bad);
        }
        self.asked_for(when, &after, bad);
        Node {
            reached,
            when,
            words,
            after,
            inputs: self.inputs(key),
        }
    }

    /// States that a query asks for are bad.
    fn asked_for(&mut self, when: TermId, words: &[TermId], bad: &mut TermId) {
        let Some(query) = &self.program.query else {
            return;
        };
        let env = self.environment(words, &[]);
        let mut memo = Memo::new();
        let mut there = when;
        for (conjunct, counts) in query.after.iter().zip(self.after.clone()) {
            let holds = self.terms.substitute(*conjunct, &env, &mut memo);
            let holds = linear::normal(&mut self.terms, holds, &mut self.normal);
            let not = self.terms.not(counts);
            let holds = self.terms.or(holds, not);
            there = self.terms.and(there, holds);
        }
        let pairs = self.old.iter().map(|(word, old)| (*old, words[*word]));
        let changed = self.threads.differ(&mut self.terms, pairs);
        there = self.terms.and(there, changed);
        *bad = self.terms.or(*bad, there);
    }

    /// States from which something bad is known to follow are bad.
    fn promised(&mut self, when: TermId, env: &Substitution, bad: &mut TermId) {
        let mut memo = Memo::new();
        for promise in self.promises {
            let here = self.terms.substitute(*promise, env, &mut memo);
            let here = self.terms.and(when, here);
            *bad = self.terms.or(*bad, here);
        }
    }

    /// The steps of who moves.
    fn moves(
        &mut self,
        key: Key,
        node: &Node,
        bad: &mut TermId,
        next: &mut SortedMap<Key, (TermId, Vec<TermId>)>,
    ) {
        let mover = self.mover(key);
        let mut memo = Memo::new();
        let env = self.environment(&node.after, &node.inputs);
        let counts = self.program.query.is_none() && mover == self.program.thread;
        for &index in self.threads.moves_at(mover, key.1) {
            let enabled = self.threads.enabled[index];
            let enabled = self.terms.substitute(enabled, &env, &mut memo);
            let taken = self.terms.and(node.when, enabled);
            if counts && Bad::ALL.is(self.threads.outcome(index)) {
                let taken = linear::normal(&mut self.terms, taken, &mut self.normal);
                *bad = self.terms.or(*bad, taken);
            }
            if self.terms.as_constant(taken) == Some(0) || self.threads.is_idle(index) {
                continue;
            }
            let seen = self.seen(&node.after, enabled);
            let mut words = seen.clone();
            for (word, term) in &self.threads.relation.moves[index].updates {
                words[*word] = self.terms.substitute(*term, &env, &mut memo);
                if words[*word] != seen[*word] && key.0 != Stage::Prologue {
                    self.changed[*word] = true;
                }
            }
            if !self.waits && key.0 != Stage::Prologue && words == seen {
                continue;
            }
            match key.0 {
                Stage::Prologue => self.enter(next, taken, words, true),
                Stage::Waiting => self.enter(next, taken, words, false),
                Stage::Started => {
                    let place = self.threads.destination(index);
                    self.meet(next, (Stage::Started, place), taken, words);
                }
            }
        }
    }
}
