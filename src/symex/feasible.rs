//! Feasible values: what the decisions on a path leave of the lists of words that were read.
//!
//! A list says what a word may be wherever it was read; behind `if (i < 2)` fewer of its values are left. A condition over one such word alone
//! is evaluated for each value of the list. So an index in range leads to no place beyond it, and a test that no value passes ends a loop
//! there. As long as lists are not complete, what follows is missing from a pass, as it is where addresses are listed.

use super::list::{List, ListMemo, Narrowed};
use super::pass::Pass;
use super::state::PathState;
use crate::base::sorted::SortedMap;
use crate::symex::faults::{self, Fault};
use crate::term::{TermId, VarId};
use std::rc::Rc;

impl Pass<'_> {
    /// False if a condition holds for no value of the one word that it is about.
    pub(super) fn is_feasible(&mut self, cond: TermId) -> bool {
        let left = self.leaves(cond);
        left.is_none_or(|(_, list)| list.left || !list.values.is_empty())
    }

    /// The list of a term as decisions of a path leave it; `list` is the one that holds everywhere.
    pub(super) fn on_path(&mut self, state: &PathState, term: TermId, list: Rc<List>) -> Rc<List> {
        if list.values.len() < 2 {
            return list;
        }
        let mut words: SortedMap<VarId, Rc<List>> = SortedMap::new();
        for &cond in state.path.conjuncts() {
            let Some((var, left)) = self.leaves(cond) else {
                continue;
            };
            if !self.terms.depends_on(term, var) {
                continue;
            }
            words
                .entry(var)
                .and_modify(|known| *known = Rc::new(known.both(&left)))
                .or_insert(left);
        }
        if words.is_empty() {
            return list;
        }
        let lists = words.iter();
        let lists = lists.map(|(var, list)| (self.terms.variable(*var), Some(Rc::clone(list))));
        self.narrowed = Some(Narrowed {
            lists: lists.collect(),
            words: words.into_keys().collect(),
        });
        let narrowed = self.values_of(term);
        self.narrowed = None;
        narrowed.unwrap_or(list)
    }

    /// Memory of lists that a term belongs to.
    pub(super) fn lists_of(&mut self, term: TermId) -> &mut ListMemo {
        let terms = &self.terms;
        match &mut self.narrowed {
            Some(on_path) if (on_path.words.iter()).any(|var| terms.may_depend_on(term, *var)) => {
                &mut on_path.lists
            }
            _ => &mut self.list_memo,
        }
    }

    /// The one word that a condition is about, and what is left of its list where it holds; `None` if it is about others as well, if there is
    /// no list that somebody has asked for, or if that holds for all of it.
    fn leaves(&mut self, cond: TermId) -> Option<(VarId, Rc<List>)> {
        let var = self.terms.single_variable(cond)?;
        if let Some(known) = self.leaves_memo.get(&cond) {
            return known.clone();
        }
        let found = self.evaluated(cond, var);
        self.leaves_memo.insert(cond, found.clone());
        found
    }

    fn evaluated(&mut self, cond: TermId, var: VarId) -> Option<(VarId, Rc<List>)> {
        let places = self.read_places.get(&var)?.as_ref()?;
        let mut followed = places.iter().map(|place| self.knowledge.stored(*place));
        if !followed.all(|stored| stored.is_some()) {
            return None;
        }
        let word = self.terms.variable(var);
        let list = self.values_of(word)?;
        if list.values.is_empty() {
            return None;
        }
        // What nobody has chosen may be any number, but where somebody has.
        let is_set = self.set_memo.get(&word) == Some(&cond);
        let holds = |value: &u128| self.terms.eval(cond, &|_| *value) == 1;
        let mut left = List {
            values: list.values.iter().copied().filter(holds).collect(),
            left: list.left && !is_set,
        };
        if faults::on(Fault::FeasibleLost) && left.values.len() > 1 {
            left.values.pop_last();
        }
        (left != *list).then(|| (var, Rc::new(left)))
    }
}
