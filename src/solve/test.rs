//! Every solver of the build, as it is and with a varied search, over gates and over terms.

use super::*;
use crate::base::StopReason;
use crate::circuit::Lit;
use crate::term::{TermId, Terms};

fn each(test: impl Fn(&Setup)) {
    let budget = Budget::unlimited();
    for solver in SolverKind::ALL.into_iter().filter(|s| s.is_available()) {
        for seed in [0, 7] {
            test(&Setup {
                solver,
                seed,
                budget: &budget,
                meter: None,
            });
        }
    }
}

/// Two words of eight bits, and the condition that one is so much and the other is less.
fn less(terms: &mut Terms, high: u128) -> (TermId, TermId, TermId) {
    let (a, b) = (terms.fresh("a", 8), terms.fresh("b", 8));
    let value = terms.constant(high, 8);
    let is = terms.eq(b, value);
    let below = terms.ult(a, b);
    (a, b, terms.and(is, below))
}

#[test]
fn what_is_asserted_stays_and_what_is_assumed_does_not() {
    each(|setup| {
        let mut terms = Terms::new();
        let mut solver = setup.terms().unwrap();
        let (a, _, condition) = less(&mut terms, 2);
        solver.assert(&terms, condition);
        let low = solver.bit(&terms, a, 0);
        for (assumed, value) in [(low, 1), (!low, 0)] {
            assert_eq!(solver.check(&[assumed], setup.budget), Answer::Sat);
            assert_eq!(solver.value(&terms, a), value);
        }
        let one = terms.constant(1, 8);
        let beyond = terms.ult(one, a);
        let beyond = solver.assumption(&terms, beyond);
        assert_eq!(solver.check(&[beyond], setup.budget), Answer::Unsat);
        assert_eq!(solver.check(&[!beyond], setup.budget), Answer::Sat);
        let never = terms.fals();
        solver.assert(&terms, never);
        assert_eq!(solver.check(&[], setup.budget), Answer::Unsat);
    });
}

#[test]
fn a_model_says_what_terms_are() {
    each(|setup| {
        let mut terms = Terms::new();
        let mut solver = setup.terms().unwrap();
        let (a, b) = (terms.fresh("a", 16), terms.fresh("b", 16));
        let product = terms.mul(a, b);
        let wanted = terms.constant(143, 16);
        let is = terms.eq(product, wanted);
        solver.assert(&terms, is);
        let bound = terms.constant(14, 16);
        for factor in [a, b] {
            let small = terms.ult(factor, bound);
            solver.assert(&terms, small);
        }
        let is = solver.assumption(&terms, is);
        assert_eq!(solver.check(&[is], setup.budget), Answer::Sat);
        assert!(solver.is_true(is) && !solver.is_true(!is));
        let mut factors = [solver.value(&terms, a), solver.value(&terms, b)];
        factors.sort_unstable();
        assert_eq!(factors, [11, 13]);
        assert_eq!(solver.value(&terms, product), 143);
        // The model stays readable while more is asserted.
        let other = terms.eq(a, b);
        solver.assert(&terms, other);
        assert_eq!(solver.value(&terms, product), 143);
    });
}

#[test]
fn a_variable_that_nothing_speaks_of_has_a_possible_value() {
    each(|setup| {
        let mut terms = Terms::new();
        let (a, _, condition) = less(&mut terms, 9);
        let odd = terms.constant(3, 8);
        let odd = terms.or(a, odd);
        let fact = terms.fact(odd);
        let other = terms.fresh_within("other", 8, fact);
        let mut solver = setup.terms().unwrap();
        solver.assert(&terms, condition);
        assert_eq!(solver.check(&[], setup.budget), Answer::Sat);
        assert!(fact.admits(solver.value(&terms, other)));
    });
}

#[test]
fn a_core_names_assumptions_that_cannot_hold_together() {
    each(|setup| {
        let mut terms = Terms::new();
        let mut solver = setup.terms().unwrap();
        let words: Vec<TermId> = (0..4).map(|_| terms.fresh("x", 4)).collect();
        let mut chain = |a: usize, b: usize| {
            let below = terms.ult(words[a], words[b]);
            solver.assumption(&terms, below)
        };
        // The first three are a cycle.
        let all = [chain(0, 1), chain(1, 2), chain(2, 0), chain(0, 3)];
        assert_eq!(solver.check(&all, setup.budget), Answer::Unsat);
        let core = solver.core();
        let failed = all.map(|assumption| core.contains(assumption));
        assert_eq!(failed, [true, true, true, false]);
        assert_eq!(solver.check(&all[1..], setup.budget), Answer::Sat);
    });
}

#[test]
fn a_clause_counts_while_its_activation_literal_is_assumed() {
    each(|setup| {
        let mut circuit = Circuit::new();
        let (a, b) = (circuit.new_input(), circuit.new_input());
        let both = circuit.and(a, b);
        let mut solver = setup.over(&circuit).unwrap();
        let (activation, other) = (solver.activation(), solver.activation());
        solver.assert_any_if(activation, [!a, !b]);
        solver.assert_any_if(other, [!a]);
        let both = solver.assumption(both);
        let clash = [both, activation];
        assert_eq!(solver.check(&clash, setup.budget), Answer::Unsat);
        assert!(clash.iter().all(|assumed| solver.core().contains(*assumed)));
        assert_eq!(solver.check(&[both], setup.budget), Answer::Sat);
        assert!(solver.value(a) && solver.value(b));
        assert_eq!(solver.given_up(), 0);
        solver.give_up(activation);
        assert_eq!(solver.given_up(), 1);
        assert_eq!(solver.check(&[both], setup.budget), Answer::Sat);
        assert_eq!(solver.check(&[activation], setup.budget), Answer::Unsat);
        assert_eq!(solver.check(&[both, other], setup.budget), Answer::Unsat);
    });
}

#[test]
fn a_restart_forgets_all_but_the_circuit() {
    each(|setup| {
        let mut solver = setup.over(Circuit::new()).unwrap();
        let (a, b) = (
            solver.circuit_mut().new_input(),
            solver.circuit_mut().new_input(),
        );
        let differ = solver.circuit_mut().xor(a, b);
        solver.assert(differ);
        solver.assert_any(&[a, Lit::FALSE]);
        let assumed = solver.assumption(b);
        assert_eq!(solver.check(&[assumed], setup.budget), Answer::Unsat);
        let activation = solver.activation();
        solver.give_up(activation);
        let gates = solver.circuit().len();
        solver.restart();
        assert_eq!((solver.circuit().len(), solver.given_up()), (gates, 0));
        let (differ, b) = (solver.assumption(differ), solver.assumption(b));
        assert_eq!(solver.check(&[differ, b], setup.budget), Answer::Sat);
        assert!(!solver.value(a) && solver.is_true(b));
        solver.deny(differ);
        assert_eq!(solver.check(&[differ], setup.budget), Answer::Unsat);
        assert_eq!(solver.check(&[b], setup.budget), Answer::Sat);
        assert!(solver.value(a));
    });
}

#[test]
fn a_check_ends_with_its_budget() {
    each(|setup| {
        let mut terms = Terms::new();
        let mut solver = setup.terms().unwrap();
        let (_, _, condition) = less(&mut terms, 9);
        solver.assert(&terms, condition);
        let spent = Budget::unlimited();
        spent
            .cancel()
            .store(true, std::sync::atomic::Ordering::Relaxed);
        let answer = solver.check(&[], &spent);
        assert_eq!(answer.is_sat(), Err(StopReason::Interrupted));
        assert_eq!(solver.check(&[], setup.budget).is_sat(), Ok(true));
    });
}
