//! Unset words: what memory holds that nobody has chosen, where it meets addresses.
//!
//! Such a word is any number, so that whoever compares it with an address asks for the machine addresses of all objects. Hardly a program
//! does so: what seems to, mostly reads what a thread has left to others. So executions end where it would happen
//! ([`Cut::Unset`]), unless the bounds let them go on ([`super::Bounds::unset_words`]).

use super::pass::Pass;
use super::state::PathState;
use crate::event::Cut;
use crate::symex::faults::{self, Fault};
use crate::term::TermId;
use crate::term::node::{Node, Op};

impl Pass<'_> {
    /// Operands that meet as addresses: executions go on only where both have been chosen, once [`Self::go_on_where_set`] follows. True if
    /// some end.
    pub(super) fn must_be_set(&mut self, a: TermId, b: TermId) -> bool {
        if self.bounds.unset_words {
            return false;
        }
        let before = self.set_here.len();
        for word in [a, b] {
            if self.may_be_unset(word) {
                let set = self.where_set(word);
                self.set_here.push(set);
            }
        }
        self.set_here.len() > before
    }

    /// Unset word: true if a word may be what nobody has chosen.
    pub(super) fn may_be_unset(&mut self, word: TermId) -> bool {
        let set = self.where_set(word);
        self.terms.as_constant(set) != Some(1)
    }

    /// True if an operand of [`Self::must_be_set`], which may be left as it was or not, counts as chosen from there on.
    pub(super) fn counts_as_set(&self, left: bool) -> bool {
        !left || !self.bounds.unset_words
    }

    /// A term that is computed only where its operands have been chosen.
    pub(super) fn note_set(&mut self, term: TermId) {
        self.of_set.insert(term);
        self.list_memo.remove(&term);
        self.set_memo.remove(&term);
    }

    /// Cuts the executions that the operation which was just computed must not have.
    pub(super) fn go_on_where_set(&mut self, state: &mut PathState) {
        for set in std::mem::take(&mut self.set_here) {
            if !faults::on(Fault::UnsetGoesOn) {
                self.restrict_or_cut(state, set, || Cut::Unset);
            }
        }
    }

    /// Condition that a word is what somebody has chosen, as far as is known.
    fn where_set(&mut self, word: TermId) -> TermId {
        if let Some(&known) = self.set_memo.get(&word) {
            return known;
        }
        let always = self.terms.tru();
        if self.values_of(word).is_some_and(|list| !list.left) {
            return always;
        }
        let set = match self.terms.node(word) {
            Node::Constant(_) | Node::Binary(Op::Eq | Op::ULt | Op::SLt, ..) => always,
            Node::Variable(var) if self.garbage.contains(&var) => self.terms.fals(),
            Node::Variable(_) => self.is_listed(word),
            Node::Ite(cond, a, b) => {
                let (a, b) = (self.where_set(a), self.where_set(b));
                self.terms.ite(cond, a, b)
            }
            _ => {
                let parts: Vec<TermId> = self.terms.children(word).collect();
                let parts: Vec<TermId> = parts.iter().map(|part| self.where_set(*part)).collect();
                self.terms.and_all(&parts)
            }
        };
        self.set_memo.insert(word, set);
        set
    }

    /// Condition that a word which was read is one of the values that somebody has stored where it was read from.
    fn is_listed(&mut self, word: TermId) -> TermId {
        let Some(list) = self.values_of(word) else {
            return self.terms.tru();
        };
        let bits = self.terms.bits(word);
        let mut listed = self.terms.fals();
        for value in &list.values {
            let value = self.terms.constant(*value, bits);
            let same = self.terms.eq(word, value);
            listed = self.terms.or(listed, same);
        }
        listed
    }
}
