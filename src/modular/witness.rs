//! Witnesses: what a solver says of the executions that `unroll` has seen, a path to something bad, or what its absence
//! rests on.

use super::failure::Failure;
use super::lemma::Query;
use super::path::{End, Path, Turn};
use super::unroll::{Stage, Unrolling};
use crate::modular::faults::{self, Fault};
use crate::solve::{Assumption, TermSolver};
use crate::term::{Evaluator, TermId, VarId};
use crate::transition::product::Bad;

impl Unrolling<'_> {
    /// An execution to something bad in the last level, with few moves of the environment.
    pub(super) fn violation(&mut self, bad: TermId) -> Result<Option<Path>, Failure> {
        let mut assumed = self.selected();
        if !self.is_possible(bad, &assumed)? {
            return Ok(None);
        }
        if self.hasty {
            return self.path().map(Some);
        }
        // Late moves first: the earlier the environment moves, the more of what it does is asked for at once, and the
        // more is known of the state before.
        let acts = self.assumptions(&self.acts.clone());
        let moves = |solver: &TermSolver| -> Vec<Assumption> {
            let moved = acts.iter().filter(|act| solver.is_true(**act));
            moved.copied().collect()
        };
        let mut moved = moves(&self.solver);
        for act in acts.iter().rev() {
            assumed.push(!*act);
            if moved.contains(act) {
                if self.is_possible(bad, &assumed)? {
                    moved = moves(&self.solver);
                } else {
                    assumed.pop();
                }
            }
        }
        if !self.is_possible(bad, &assumed)? {
            let what = "a violation is there, and then it is not";
            return Err(Failure::Unsound(what.to_string()));
        }
        self.path().map(Some)
    }

    /// The path of the solver's model, from the start of the query on.
    fn path(&self) -> Result<Path, Failure> {
        let assignment = |var: VarId| self.solver.variable(&self.terms, var);
        let mut evaluator = Evaluator::new(&self.terms, &assignment);
        let lost = || Failure::Unsound("a violation has no path".to_string());
        let mut turns: Vec<Turn> = Vec::new();
        for (number, nodes) in self.levels.iter().enumerate() {
            // Where it starts, two states of a level are on the path, the later one last.
            let mut here = nodes.iter().rev();
            let here = here.find(|(_, node)| evaluator.holds(node.reached));
            let (key, node) = here.ok_or_else(lost)?;
            let is_last = number + 1 == self.levels.len();
            let starts = self.everywhere && is_last;
            if key.0 == Stage::Waiting && !starts
                || key.0 == Stage::Prologue && self.program.query.is_some()
            {
                continue;
            }
            // What was before does not matter where the start may be anywhere.
            let before = if starts { &node.after } else { &node.words };
            let mut values = |words: &[TermId]| -> Vec<u128> {
                words.iter().map(|word| evaluator.value(*word)).collect()
            };
            let fixed = |words: &[TermId]| -> Vec<usize> {
                let is_fixed = |word: &usize| self.terms.as_constant(words[*word]).is_some();
                (0..words.len()).filter(is_fixed).collect()
            };
            let mut turn = Turn {
                mover: self.mover(*key),
                place: key.1,
                before: values(before),
                after: values(&node.after),
                fixed_before: fixed(before),
                fixed_after: fixed(&node.after),
                inputs: Vec::new(),
                moved: None,
            };
            let inputs = node.inputs.iter();
            turn.inputs = inputs
                .map(|(var, term)| (*var, evaluator.value(*term)))
                .collect();
            if is_last {
                let end = self.end(&turn).ok_or_else(lost)?;
                turns.push(turn);
                return Ok(Path { turns, end });
            }
            let moves = self.threads.moves_at(turn.mover, key.1).iter();
            let holds = |index: &usize| self.holds(self.threads.enabled[*index], &turn);
            turn.moved = moves.copied().find(holds);
            if turn.moved.is_none() {
                return Err(lost());
            }
            turns.push(turn);
        }
        Err(lost())
    }

    /// Truth of a condition over words and inputs in a turn after the others have moved.
    fn holds(&self, term: TermId, turn: &Turn) -> bool {
        let value = |var: VarId| turn.value(self.threads, var, &turn.after);
        self.terms.eval(term, &value) != 0
    }

    /// End of a path with this last turn; `None` if that ends in none.
    fn end(&self, turn: &Turn) -> Option<End> {
        let value = |var: VarId| turn.value(self.threads, var, &turn.before);
        let promised = |promise: &TermId| self.terms.eval(*promise, &value) != 0;
        if let Some(number) = self.promises.iter().position(promised) {
            return Some(End::Promise(number));
        }
        match &self.program.query {
            Some(query) => {
                let mut all = query.after.iter();
                all.all(|term| self.holds(*term, turn))
                    .then_some(End::Reached)
            }
            None => {
                let mut moves = self.threads.moves_at(turn.mover, turn.place).iter();
                let is_bad = |index: &&usize| {
                    Bad::ALL.is(self.threads.outcome(**index))
                        && self.holds(self.threads.enabled[**index], turn)
                };
                moves.find(is_bad).map(|index| End::Bad(*index))
            }
        }
    }

    /// The conjuncts of the query, and the lemmas, without which something bad would be found.
    pub(super) fn needed(&mut self, bad: TermId) -> Result<(Query, Vec<usize>), Failure> {
        let query = self.program.query.clone().unwrap_or_default();
        let count = query.before.len();
        let given = self.assumptions(&self.given.clone());
        let counts = self.assumptions(&[&self.before[..], &self.after].concat());
        let all: Vec<TermId> = query.before.iter().chain(&query.after).copied().collect();
        let mut kept: Vec<usize> = (0..counts.len()).collect();
        if self.looks_only || self.terms.as_constant(bad) == Some(0) {
            kept.clear();
        } else if self.is_possible(bad, &[&counts[..], &given].concat())? {
            let what = "something bad is there after all";
            return Err(Failure::Unsound(what.to_string()));
        }
        // Without anything said of the state before, a state is excluded and not only a move; else, what is said of shared
        // memory alone is worth more than where threads stand.
        let is_shared = |term: TermId| {
            let words = self.threads.words_in(&self.terms, term);
            words.iter().all(|word| self.threads.is_shared(*word))
        };
        let shared: Vec<bool> = all.iter().map(|term| is_shared(*term)).collect();
        let mut order: Vec<Vec<usize>> = Vec::new();
        order.push((0..count).collect());
        order.push((0..count).filter(|i| !shared[*i]).collect());
        order.push((count..all.len()).filter(|i| !shared[*i]).collect());
        order.extend((0..count).filter(|i| !shared[*i]).map(|i| vec![i]));
        order.extend((0..count).filter(|i| shared[*i]).map(|i| vec![i]));
        order.extend((count..all.len()).map(|i| vec![i]));
        for group in order {
            let rest: Vec<usize> = kept
                .iter()
                .copied()
                .filter(|i| !group.contains(i))
                .collect();
            if rest.len() == kept.len() {
                continue;
            }
            let chosen = rest.iter().map(|i| counts[*i]);
            let assumed: Vec<Assumption> = given.iter().copied().chain(chosen).collect();
            let unasked = faults::on(Fault::GeneraliseUnasked) && group[0] < count;
            if unasked {
                kept = rest;
            } else if !self.is_possible(bad, &assumed)? {
                kept = rest;
                let core = self.solver.core();
                kept.retain(|i| core.contains(counts[*i]));
            }
        }
        let part = |from: usize, to: usize| {
            let kept = kept.iter().filter(|i| (from..to).contains(*i));
            kept.map(|i| all[*i]).collect()
        };
        let query = Query {
            before: part(0, count),
            after: part(count, all.len()),
            changed: query.changed.clone(),
        };
        if !self.looks_only && self.terms.as_constant(bad) != Some(0) {
            let chosen = kept.iter().map(|i| counts[*i]);
            let assumed: Vec<Assumption> = given.iter().copied().chain(chosen).collect();
            self.is_possible(bad, &assumed)?;
            self.note_used(&given);
        }
        Ok((query, std::mem::take(&mut self.used)))
    }

    /// Takes note of the lemmas that the solver's last answer rests on.
    pub(super) fn note_used(&mut self, given: &[Assumption]) {
        let core = self.solver.core();
        for (number, assumption) in given.iter().enumerate() {
            if core.contains(*assumption) && !self.used.contains(&number) {
                self.used.push(number);
            }
        }
    }

    pub(super) fn assumptions(&mut self, terms: &[TermId]) -> Vec<Assumption> {
        let assumption = |term: &TermId| self.solver.assumption(&self.terms, *term);
        terms.iter().map(assumption).collect()
    }

    pub(super) fn is_possible(
        &mut self,
        term: TermId,
        assumptions: &[Assumption],
    ) -> Result<bool, Failure> {
        let mut all = assumptions.to_vec();
        all.push(self.solver.assumption(&self.terms, term));
        Ok(self.solver.check(&all, self.setup.budget).is_sat()?)
    }

    /// Assumptions that all conjuncts and all lemmas count.
    pub(super) fn selected(&mut self) -> Vec<Assumption> {
        let all = [&self.before[..], &self.after, &self.given].concat();
        self.assumptions(&all)
    }
}
