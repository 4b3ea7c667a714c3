//! A quick, one-sided test whether one condition implies another.
//!
//! Guards grow by conjunction along a thread, so that a later guard usually contains an earlier one as a
//! part. That is what the test sees; a `false` means "not obvious".

use crate::event::{EventId, EventProgram};
use crate::term::{Node, Op, TermId, Terms};

/// Steps after which the test gives up.
const STEPS: usize = 400;

/// Syntactic implication: true if the shape of the terms shows that `premise` implies `conclusion`. False says nothing.
pub fn implies(terms: &mut Terms, premise: TermId, conclusion: TermId) -> bool {
    let mut steps = STEPS;
    prove(terms, premise, conclusion, &mut steps)
}

fn prove(terms: &mut Terms, premise: TermId, conclusion: TermId, steps: &mut usize) -> bool {
    if conclusion == terms.tru() || premise == terms.fals() || premise == conclusion {
        return true;
    }
    if *steps == 0 {
        return false;
    }
    *steps -= 1;
    // Follow the conjunctions of the premise, newest part first, down to terms older than the conclusion.
    let mut stack = vec![premise];
    let mut cases = Vec::new();
    while let Some(part) = stack.pop() {
        if part == conclusion {
            return true;
        }
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        match terms.node(part) {
            Node::Binary(Op::And, a, b) => {
                // Only a term at least as new as the conclusion can contain it; case splits can be newer.
                stack.extend(
                    [a.min(b), a.max(b)]
                        .into_iter()
                        .filter(|&t| t >= conclusion),
                );
            }
            Node::Not(_) => cases.extend(terms.as_negated_and(part)),
            _ => {}
        }
    }
    if let Node::Binary(Op::And, a, b) = terms.node(conclusion) {
        return prove(terms, premise, a, steps) && prove(terms, premise, b, steps);
    }
    for (a, b) in cases {
        let (a, b) = (terms.not(a), terms.not(b));
        if prove(terms, a, conclusion, steps) && prove(terms, b, conclusion, steps) {
            return true;
        }
    }
    if let Some((a, b)) = terms.as_negated_and(conclusion) {
        let (a, b) = (terms.not(a), terms.not(b));
        return prove(terms, premise, a, steps) || prove(terms, premise, b, steps);
    }
    false
}

/// True if the guard of every visible event after this one in its thread implies `needed`: then nothing after it
/// happens where that does not hold.
pub fn everything_after_needs(program: &mut EventProgram, event: EventId, needed: TermId) -> bool {
    let thread = program.events[event].thread;
    let list = &program.threads[thread].events;
    let later = list.iter().skip_while(|&&id| id != event).skip(1);
    let fals = program.terms.fals();
    let mut guards: Vec<TermId> = later
        .map(|&id| &program.events[id])
        .filter(|event| event.kind.is_visible() && event.guard != fals)
        .map(|event| event.guard)
        .collect();
    guards.dedup();
    guards
        .into_iter()
        .all(|guard| implies(&mut program.terms, guard, needed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sees_conjunctions_and_cases() {
        let mut t = Terms::new();
        let v: Vec<TermId> = (0..4).map(|i| t.fresh(&format!("v{i}"), 1)).collect();
        let ab = t.and(v[0], v[1]);
        let abc = t.and(ab, v[2]);
        assert!(implies(&mut t, abc, ab));
        assert!(implies(&mut t, abc, v[0]));
        assert!(!implies(&mut t, ab, abc));
        assert!(!implies(&mut t, v[0], v[1]));
        let either = t.or(v[0], v[3]);
        assert!(implies(&mut t, abc, either));
        let (p, q) = (t.and(abc, v[3]), t.not(v[3]));
        let q = t.and(ab, q);
        let merged = t.or(p, q);
        assert!(implies(&mut t, merged, ab));
        assert!(!implies(&mut t, merged, v[3]));
        let (yes, no) = (t.tru(), t.fals());
        assert!(implies(&mut t, v[0], yes) && implies(&mut t, no, v[0]));
    }

    #[test]
    fn gives_up_on_large_terms_without_error() {
        let mut t = Terms::new();
        let mut guard = t.tru();
        let first = t.fresh("first", 1);
        for i in 0..2000 {
            let v = t.fresh(&format!("v{i}"), 1);
            guard = t.and(guard, v);
        }
        assert!(!implies(&mut t, guard, first));
    }
}
