//! Formulas, which schemes work with: terms in, clauses out.

use super::blast::Blaster;
use super::emit::{ClauseSink, Clauses, Emitter};
use super::graph::{Circuit, Lit};
use crate::term::{Fact, TermId, Terms, VarId};

/// A circuit, the words of terms in it, and the clauses that have been written for it.
///
/// Clauses are kept and go to a solver with [`Formula::flush`], and after [`Formula::rewind`] to another one. The
/// formula numbers its solver variables 1, 2, … itself, in the order of calls.
#[derive(Clone, Default, Debug)]
pub struct Formula {
    circuit: Circuit,
    blaster: Blaster,
    emitter: Emitter,
    clauses: Clauses,
    /// Numbers of variables and clauses of the present solver.
    flushed_variables: i32,
    flushed_clauses: usize,
}

impl Formula {
    /// Nothing is asserted.
    pub fn new() -> Formula {
        Formula::default()
    }

    /// The circuit, to build gates of one's own.
    pub fn circuit(&mut self) -> &mut Circuit {
        &mut self.circuit
    }

    /// The literal of a condition. All terms given to one formula are of one pool.
    pub fn lit_of(&mut self, terms: &Terms, t: TermId) -> Lit {
        self.blaster.bit(&mut self.circuit, terms, t)
    }

    /// The word of a term, lowest bit first.
    pub fn bits_of(&mut self, terms: &Terms, t: TermId) -> &[Lit] {
        self.blaster.bits(&mut self.circuit, terms, t)
    }

    /// A new free literal.
    pub fn new_lit(&mut self) -> Lit {
        self.circuit.new_input()
    }

    /// `a & b`.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        self.circuit.and(a, b)
    }

    /// `a | b`.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        self.circuit.or(a, b)
    }

    /// `a = b`.
    pub fn eq(&mut self, a: Lit, b: Lit) -> Lit {
        self.circuit.eq(a, b)
    }

    /// Conjunction of all; true of none.
    #[cfg(feature = "internals")]
    pub fn and_all(&mut self, lits: &[Lit]) -> Lit {
        self.circuit.and_all(lits)
    }

    /// Disjunction of all; false of none.
    pub fn or_all(&mut self, lits: &[Lit]) -> Lit {
        self.circuit.or_all(lits)
    }

    /// At least one of the literals is true.
    pub fn add_clause(&mut self, lits: &[Lit]) {
        self.emitter.clause(&self.circuit, lits, &mut self.clauses);
    }

    /// Two words of one width are equal where all premises hold.
    pub fn equal_if(&mut self, premises: &[Lit], a: &[Lit], b: &[Lit]) {
        if premises.contains(&Lit::FALSE) {
            return;
        }
        // A premise is shared by a clause for each bit: it needs a variable of its own, or every clause would
        // spell it out, which costs the solver a factor of three.
        for &premise in premises.iter().filter(|&&premise| premise != Lit::TRUE) {
            self.define(premise);
        }
        let mut clause: Vec<Lit> = premises.iter().map(|&premise| !premise).collect();
        let base = clause.len();
        for (&x, &y) in a.iter().zip(b).filter(|(x, y)| x != y) {
            clause.truncate(base);
            clause.extend([x, !y]);
            self.add_clause(&clause);
            clause.truncate(base);
            clause.extend([!x, y]);
            self.add_clause(&clause);
        }
    }

    /// Where all `premises` hold, a word is not beyond the ends of a range: for ranges that follow from what else is said,
    /// but only by an induction that a solver does not find, and for those that nothing else says.
    pub fn within_if(&mut self, premises: &[Lit], word: &[Lit], range: &Fact) {
        for (end, greatest) in [(range.hi, true), (range.lo, false)] {
            // Equal to the end so far, from the highest bit on, and then beyond it.
            let mut clause: Vec<Lit> = premises.iter().map(|&premise| !premise).collect();
            for (bit, &lit) in word.iter().enumerate().rev() {
                let at_end = end >> bit & 1 == 1;
                clause.push(if greatest { !lit } else { lit });
                if at_end != greatest {
                    self.add_clause(&clause);
                    clause.pop();
                }
            }
        }
    }

    /// The literal is true.
    pub fn assert(&mut self, lit: Lit) {
        self.emitter.assert(&self.circuit, lit, &mut self.clauses);
    }

    /// The condition holds.
    pub fn assert_term(&mut self, terms: &Terms, t: TermId) {
        let lit = self.lit_of(terms, t);
        self.assert(lit);
    }

    /// The solver's literal, with everything that defines it, to assume or to read in a model.
    pub fn define(&mut self, lit: Lit) -> i32 {
        self.emitter.lit(&self.circuit, lit, &mut self.clauses)
    }

    /// Adds a clause of the solver's literals.
    pub fn add_defined(&mut self, lits: &[i32]) {
        self.clauses.add_clause(lits);
    }

    /// The clauses so far.
    pub fn clauses(&self) -> &Clauses {
        &self.clauses
    }

    /// Tells a solver the variables and clauses that are new since the last call (with the same solver).
    ///
    /// # Panics
    /// If the solver has variables that are not from here: numbers would not agree.
    pub fn flush(&mut self, sink: &mut dyn ClauseSink) {
        while self.flushed_variables < self.clauses.variables() {
            self.flushed_variables += 1;
            assert_eq!(
                sink.new_var(),
                self.flushed_variables,
                "all variables come from one formula"
            );
        }
        for clause in self.clauses.iter_from(self.flushed_clauses) {
            sink.add_clause(clause);
        }
        self.flushed_clauses = self.clauses.len();
    }

    /// Makes the next [`Formula::flush`] tell everything, to a solver that knows nothing.
    pub fn rewind(&mut self) {
        self.flushed_variables = 0;
        self.flushed_clauses = 0;
    }

    /// Value of a literal in a model, which maps a positive solver variable to its value. `None` if the literal
    /// is not constrained by any clause (its gate may still follow from others: use [`Formula::define`] before).
    pub fn value(&self, lit: Lit, model: &dyn Fn(i32) -> bool) -> Option<bool> {
        if lit.is_constant() {
            return Some(lit == Lit::TRUE);
        }
        let sink = self.emitter.get(lit)?;
        Some(model(sink.abs()) == (sink > 0))
    }

    /// Value of a variable of the terms in a model; bits that no clause constrains are 0. Other terms follow
    /// by evaluation.
    pub fn variable_value(&self, terms: &Terms, var: VarId, model: &dyn Fn(i32) -> bool) -> u128 {
        let Some(word) = self.blaster.variable(terms, var) else {
            return 0;
        };
        word.iter().enumerate().fold(0, |value, (i, &lit)| {
            value | u128::from(self.value(lit, model) == Some(true)) << i
        })
    }
}
