//! Obligations: cubes of states that lead to a bad one and are to be blocked, each with the obligation that it is for.

use super::system::{Cube, Literal};

/// States that lead to a bad one.
struct Obligation {
    cube: Cube,
    /// Inputs that lead from every state of the cube to the next obligation, or make it bad.
    inputs: Vec<bool>,
    next: Option<usize>,
    /// The obligation that this one is a choice for: it says less of one of the equal members.
    choice_of: Option<usize>,
    /// Choices that were made and failed.
    failed: usize,
    /// It need not be blocked any more.
    is_over: bool,
}

/// Obligations of one search, by number.
#[derive(Default)]
pub(super) struct Obligations {
    all: Vec<Obligation>,
    /// Some choice has failed.
    has_failed: bool,
}

impl Obligations {
    /// A new obligation, from which these inputs lead to the next one, or make it bad.
    pub fn add(&mut self, cube: Cube, inputs: Vec<bool>, next: Option<usize>) -> usize {
        self.all.push(Obligation {
            cube,
            inputs,
            next,
            choice_of: None,
            failed: 0,
            is_over: false,
        });
        self.all.len() - 1
    }

    /// A part of an obligation that is to be blocked in its place.
    pub fn choose(&mut self, part: Cube, of: usize) -> usize {
        let choice = self.add(part, Vec::new(), None);
        self.all[choice].choice_of = Some(of);
        choice
    }

    pub fn cube(&self, id: usize) -> &[Literal] {
        &self.all[id].cube
    }

    /// Choices for an obligation that have failed.
    pub fn failed(&self, id: usize) -> usize {
        self.all[id].failed
    }

    /// Obligation that is over: true if a choice that led to it has failed.
    pub fn is_over(&self, id: usize) -> bool {
        let mut at = Some(id).filter(|_| self.has_failed);
        while let Some(id) = at {
            let obligation = &self.all[id];
            if obligation.is_over {
                return true;
            }
            at = obligation.choice_of.or(obligation.next);
        }
        false
    }

    /// Ends the choice that led to an obligation; false if there is none.
    pub fn fail(&mut self, id: usize) -> bool {
        let mut at = Some(id);
        while let Some(id) = at {
            let obligation = &mut self.all[id];
            if let Some(of) = obligation.choice_of {
                obligation.is_over = true;
                self.all[of].failed += 1;
                self.has_failed = true;
                return true;
            }
            at = obligation.next;
        }
        false
    }

    /// Inputs of each step from an obligation to a bad state.
    pub fn inputs(&self, first: usize) -> Vec<Vec<bool>> {
        let mut inputs = Vec::new();
        let mut at = Some(first);
        while let Some(id) = at {
            inputs.push(self.all[id].inputs.clone());
            at = self.all[id].next;
        }
        inputs
    }
}
