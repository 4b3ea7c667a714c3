//! Substitution of variables by terms: while memory is computed along the turns of threads, or where a read has one
//! source.

use crate::term::{TermId, Terms};

/// Substitution: the terms that variables stand for, and instances of terms over them.
pub struct Substitution {
    /// By variable; `None` for one that stands for itself.
    definitions: Vec<Option<TermId>>,
    /// By term: the epoch of the instance, and the instance.
    instances: Vec<(u32, TermId)>,
    epoch: u32,
}

impl Default for Substitution {
    fn default() -> Substitution {
        // Epoch 0 marks terms without an instance.
        Substitution {
            definitions: Vec::new(),
            instances: Vec::new(),
            epoch: 1,
        }
    }
}

impl Substitution {
    /// Terms that variables stand for, by variable; `None` for one that stands for itself.
    pub fn definitions(&self) -> &[Option<TermId>] {
        &self.definitions
    }

    /// The term with every variable replaced by what it stands for. A variable's definition may change later
    /// in the same epoch only if no term over it was asked for before.
    pub fn instance(&mut self, terms: &mut Terms, t: TermId) -> TermId {
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.known(top).is_some() {
                stack.pop();
                continue;
            }
            if let Some(var) = terms.var_of(top) {
                let to = self
                    .definitions
                    .get(var.0 as usize)
                    .copied()
                    .flatten()
                    .unwrap_or(top);
                self.record(top, to);
                continue;
            }
            let mut operands = [TermId(0); 3];
            let mut count = 0;
            let (mut missing, mut changed) = (false, false);
            for child in terms.children(top) {
                match self.known(child) {
                    Some(result) => {
                        operands[count] = result;
                        changed |= result != child;
                    }
                    None => {
                        stack.push(child);
                        missing = true;
                    }
                }
                count += 1;
            }
            if !missing {
                let result = if changed {
                    terms.rebuild(top, &operands[..count])
                } else {
                    top
                };
                self.record(top, result);
            }
        }
        self.known(t).unwrap_or(t)
    }

    fn known(&self, t: TermId) -> Option<TermId> {
        self.instances
            .get(t.0 as usize)
            .filter(|known| known.0 == self.epoch)
            .map(|known| known.1)
    }

    fn record(&mut self, t: TermId, result: TermId) {
        let index = t.0 as usize;
        if self.instances.len() <= index {
            self.instances.resize(index + 1, (0, TermId(0)));
        }
        self.instances[index] = (self.epoch, result);
    }

    /// Definition of a variable: the term that it stands for, or the variable itself.
    pub fn get(&self, terms: &Terms, variable: TermId) -> TermId {
        let var = terms.var_of(variable);
        var.and_then(|var| self.definitions.get(var.0 as usize).copied().flatten())
            .unwrap_or(variable)
    }

    pub fn set(&mut self, terms: &Terms, variable: TermId, to: TermId) {
        let Some(var) = terms.var_of(variable) else {
            return;
        };
        let index = var.0 as usize;
        if self.definitions.len() <= index {
            self.definitions.resize(index + 1, None);
        }
        self.definitions[index] = Some(to);
    }

    /// Lets a variable stand for a term in this epoch; whether it could (no instance over it was asked for yet).
    pub fn define(&mut self, terms: &Terms, variable: TermId, to: TermId) -> bool {
        if !self.is_open(terms, variable) {
            return false;
        }
        self.set(terms, variable, to);
        true
    }

    /// True if a term is a variable that may still be defined in this epoch: no instance over it was asked for yet.
    pub fn is_open(&self, terms: &Terms, variable: TermId) -> bool {
        terms.var_of(variable).is_some() && self.known(variable).is_none()
    }

    /// Lets a term stand for another one in this epoch.
    pub fn assume(&mut self, t: TermId, to: TermId) {
        self.record(t, to);
    }

    /// Instances made so far are not valid any more.
    pub fn next_epoch(&mut self) {
        self.epoch += 1;
    }
}
