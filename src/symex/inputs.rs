//! Inputs of iterations, for the check of deadlocks: conditions that hold whatever they are, or for some, if they are few; and where an
//! iteration chooses none, if they are many. Ranges are of numbers of inputs, from the first to the one behind the last.

use super::faults::{self, Fault};
use super::pass::Pass;
use super::resting::{Kind, Resting};
use crate::event::{EventId, EventKind};
use crate::term::{Memo, TermId, VarId};
use hashbrown::{HashMap, HashSet};

/// Inputs of one bit that an iteration may depend on.
const CHOICES: usize = 6;

impl Pass<'_> {
    /// Variables of inputs.
    pub(super) fn input_variables(&self, (first, end): (usize, usize)) -> Vec<VarId> {
        let inputs = self.inputs[first..end].iter();
        let variables = inputs.filter_map(|input| self.terms.var_of(input.value));
        variables.collect()
    }

    /// Variables of inputs that terms depend on, in the order of inputs.
    fn inputs_of(&self, terms: &[TermId], inputs: (usize, usize)) -> Vec<VarId> {
        let mut inputs = self.input_variables(inputs);
        let used = self.terms.support_among(terms, inputs.iter().copied());
        inputs.retain(|var| used.contains(var));
        inputs
    }

    /// Few choices: true if all values of some inputs can be tried.
    fn can_be_tried(&self, inputs: &[VarId]) -> bool {
        let is_choice = |var: &VarId| self.terms.bits(self.terms.variable(*var)) == 1;
        inputs.len() <= CHOICES && inputs.iter().all(is_choice)
    }

    /// The condition that something holds for some inputs of an iteration.
    pub(super) fn for_any_input(&mut self, when: TermId, rest: &Resting) -> TermId {
        let all = match rest.kind {
            Kind::Spin { inputs, .. } if inputs.0 < inputs.1 => inputs,
            _ => return when,
        };
        let inputs = self.inputs_of(&[when], all);
        if inputs.is_empty() {
            return when;
        }
        let support: HashSet<VarId> = self.terms.support(when).into_iter().collect();
        // Nothing ties what is read on a way that was not taken.
        let is_open = |(id, reached): &(EventId, TermId)| {
            let EventKind::Read { value, .. } = &self.events[*id].kind else {
                return false;
            };
            let value = self.terms.support(*value);
            value.iter().any(|var| support.contains(var))
                && !self
                    .terms
                    .support_among(&[*reached], inputs.iter().copied())
                    .is_empty()
        };
        if rest.accesses.iter().any(is_open) {
            return self.terms.tru();
        }
        if !self.can_be_tried(&inputs) {
            let (none, values) = self.none_of(all);
            let some = self.terms.not(none);
            let by_none = self.terms.substitute(when, &values, &mut Memo::new());
            return self.terms.or(by_none, some);
        }
        let mut any = when;
        for var in inputs {
            let [no, yes] = self.by_input(any, var);
            any = self.terms.or(no, yes);
        }
        any
    }

    /// A condition where an input is 0, and where it is 1.
    fn by_input(&mut self, when: TermId, var: VarId) -> [TermId; 2] {
        [0, 1].map(|value| {
            let constant = self.terms.constant(value, 1);
            let only = HashMap::from([(var, constant)]);
            self.terms.substitute(when, &only, &mut Memo::new())
        })
    }

    /// Conditions that hold whatever the inputs of an iteration are; `None` if they are too many to be tried.
    pub(super) fn for_all_inputs(
        &mut self,
        round: TermId,
        settled: TermId,
        inputs: (usize, usize),
    ) -> Option<(TermId, TermId)> {
        let inputs = self.inputs_of(&[round, settled], inputs);
        if !self.can_be_tried(&inputs) {
            return None;
        }
        let mut both = (round, settled);
        for var in inputs {
            let mut of = |t: TermId| {
                let [no, yes] = self.by_input(t, var);
                if faults::on(Fault::SpinBySomeInput) {
                    return self.terms.or(no, yes);
                }
                self.terms.and(no, yes)
            };
            both = (of(both.0), of(both.1));
        }
        Some(both)
    }

    /// Conditions that hold where an iteration chooses none of its inputs, and the one that it comes round and chooses some.
    pub(super) fn where_none_is_chosen(
        &mut self,
        rest: &Resting,
        settled: TermId,
        inputs: (usize, usize),
    ) -> ((TermId, TermId), TermId) {
        let (none, values) = self.none_of(inputs);
        let some = self.terms.not(none);
        let open = self.terms.and(self.events[rest.event].guard, some);
        let stays = self.terms.and(rest.stays, none);
        let mut memo = Memo::new();
        let conditions = (
            self.terms.substitute(stays, &values, &mut memo),
            self.terms.substitute(settled, &values, &mut memo),
        );
        (conditions, open)
    }

    /// The condition that none of some inputs is chosen, and any values for them.
    fn none_of(&mut self, inputs: (usize, usize)) -> (TermId, HashMap<VarId, TermId>) {
        let mut none = self.terms.tru();
        let mut values: HashMap<VarId, TermId> = HashMap::new();
        for var in self.input_variables(inputs) {
            let chosen = self.chosen.get(&var).copied();
            let not = self.terms.not(chosen.unwrap_or(self.terms.tru()));
            none = self.terms.and(none, not);
            let bits = self.terms.bits(self.terms.variable(var));
            values.insert(var, self.terms.constant(0, bits));
        }
        (none, values)
    }
}
