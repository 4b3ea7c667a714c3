//! Axis of an unwinding: the places of steps along it, as numbers in unary that can grow.
//!
//! A step's number has literals for "at least 1", "at least 2", …: the steps of a thread then are a staircase, which the
//! solver sees at once. Behind the last number there is one literal more for each step, which says that the step is
//! beyond; it becomes the next number when the unwinding grows.

use crate::base::IdVec;
use crate::circuit::{Formula, Lit};
use crate::goal::Model;
use crate::relation::program_order::StepId;

/// A step's number.
pub struct Unary {
    /// It is at least 1, 2, ….
    at_least: Vec<Lit>,
    /// It is at least and at most, wherever the step happens.
    window: (u32, u32),
    /// Something of the step happens.
    happens: Lit,
}

/// The numbers of all steps that have one.
pub struct Axis {
    words: IdVec<StepId, Option<Unary>>,
    /// The last number that is not beyond.
    last: u32,
    /// For each position of the unwinding, something is written there.
    taken: Vec<Lit>,
    /// Some step is beyond the last number.
    beyond: Lit,
}

impl Axis {
    /// So many steps without numbers.
    pub fn new(steps: usize) -> Axis {
        Axis {
            words: (0..steps).map(|_| None).collect(),
            last: 0,
            taken: Vec::new(),
            beyond: Lit::TRUE,
        }
    }

    /// Gives a step a number that is in a window wherever the step `happens`.
    pub fn add(&mut self, step: StepId, window: (u32, u32), happens: Lit) {
        self.words[step] = Some(Unary {
            at_least: Vec::new(),
            window,
            happens,
        });
    }

    /// True if a step has a number.
    pub fn has(&self, step: StepId) -> bool {
        self.words[step].is_some()
    }

    /// Bounds of a step's number.
    pub fn window(&self, step: StepId) -> (u32, u32) {
        self.word(step).window
    }

    /// The condition that something of a step happens.
    pub fn happens(&self, step: StepId) -> Lit {
        self.word(step).happens
    }

    fn word(&self, step: StepId) -> &Unary {
        self.words[step]
            .as_ref()
            .expect("steps that matter have a number")
    }

    /// The condition that a step's number is at least `i`.
    pub fn at_least(&self, step: StepId, i: u32) -> Lit {
        let word = self.word(step);
        match i.checked_sub(1) {
            None => Lit::TRUE,
            Some(_) if i > word.window.1 => Lit::FALSE,
            Some(at) => word
                .at_least
                .get(at as usize)
                .copied()
                .unwrap_or(Lit::FALSE),
        }
    }

    /// The condition that a step's number is `i`.
    pub fn is(&self, formula: &mut Formula, step: StepId, i: u32) -> Lit {
        self.between(formula, step, i, i)
    }

    /// The condition that a step's number is at least `from` and at most `to`.
    pub fn between(&self, formula: &mut Formula, step: StepId, from: u32, to: u32) -> Lit {
        let (here, later) = (self.at_least(step, from), self.at_least(step, to + 1));
        formula.and(here, !later)
    }

    /// A step's number in a model; 0 for those without.
    pub fn of_model(&self, step: StepId, model: &mut dyn Model) -> u32 {
        let Some(word) = &self.words[step] else {
            return 0;
        };
        word.at_least.iter().filter(|&&lit| model.lit(lit)).count() as u32
    }

    /// Lets numbers be as great as `last`.
    pub fn grow(&mut self, formula: &mut Formula, last: u32) {
        let old = std::mem::replace(&mut self.last, last);
        self.beyond = formula.new_lit();
        for word in self.words.iter_mut().flatten() {
            for i in old + 1..=last + 1 {
                let beyond = i > last;
                let lit = word.lengthen(formula, i, beyond);
                if beyond {
                    formula.add_clause(&[!lit, self.beyond]);
                }
            }
        }
    }

    /// Some step is beyond the last number.
    pub fn is_beyond(&self) -> Lit {
        self.beyond
    }

    /// Adds a position, with the condition that something is written there: none is left out.
    pub fn take(&mut self, formula: &mut Formula, written: Lit) {
        if let Some(&previous) = self.taken.last() {
            formula.add_clause(&[!written, previous]);
        }
        self.taken.push(written);
    }

    /// Something is written at position `i`.
    pub fn is_taken(&self, i: u32) -> Lit {
        self.taken[i as usize - 1]
    }

    /// Assumptions for a question about at most so many positions.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn within(&self, count: u32) -> Vec<Lit> {
        assert!(count as usize <= self.taken.len(), "positions come first");
        let mut none = vec![!self.beyond];
        if let Some(&next) = self.taken.get(count as usize) {
            none.push(!next);
        }
        none
    }
}

impl Unary {
    /// The literal for "at least `i`", which may be what was beyond until now, or is `beyond` from now on.
    fn lengthen(&mut self, formula: &mut Formula, i: u32, beyond: bool) -> Lit {
        let (least, most) = self.window;
        let certain = i <= least;
        let known = self.at_least.get(i as usize - 1).copied();
        let lit = known.unwrap_or_else(|| {
            let lit = match i {
                _ if i > most => Lit::FALSE,
                _ if certain && !beyond => Lit::TRUE,
                _ => formula.new_lit(),
            };
            if let Some(&previous) = self.at_least.last() {
                formula.add_clause(&[!lit, previous]);
            }
            self.at_least.push(lit);
            lit
        });
        if certain && beyond {
            // So many writes are before it wherever it happens.
            formula.add_clause(&[!self.happens, lit]);
        } else if certain && known.is_some() {
            formula.add_clause(&[lit]);
        }
        lit
    }
}
