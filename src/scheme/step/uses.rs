//! Uses of terms by the steps of a program, and the assertions and cuts behind each.

use super::register::Uses;
use crate::base::IdVec;
use crate::event::{EventKind, EventProgram, ThreadId};
use crate::goal::Claim;
use crate::relation::program_order::claim;
use crate::relation::turn::Transactions;

/// Uses of terms by steps, the claims behind each step, and those before the first step of a thread.
#[expect(
    clippy::type_complexity,
    reason = "three results that are made in one walk"
)]
pub(super) fn uses(
    program: &mut EventProgram,
    transactions: &Transactions,
) -> (
    Uses,
    IdVec<ThreadId, Vec<Vec<Claim>>>,
    Vec<(ThreadId, Claim)>,
) {
    let empty = |list: &Vec<_>| vec![Vec::new(); list.len()];
    let mut uses = Uses {
        reads: transactions.all.iter().map(empty).collect(),
        terms: transactions.all.iter().map(empty).collect(),
        early: transactions.all.iter().map(|_| Vec::new()).collect(),
    };
    for (thread, list) in transactions.all.iter_ids() {
        for place in 0..list.len() {
            for &event in transactions.events(thread, place) {
                let event = &program.events[event];
                let terms = &mut uses.terms[thread][place];
                let reads = &mut uses.reads[thread][place];
                match &event.kind {
                    EventKind::Read { value, targets, .. } => {
                        reads.push(*value);
                        terms.extend(targets.iter().map(|t| t.when));
                    }
                    EventKind::Write { value, targets, .. } => {
                        terms.extend([*value, event.guard, event.reached]);
                        terms.extend(targets.iter().map(|t| t.when));
                    }
                    EventKind::Join { targets, done } => {
                        reads.push(*done);
                        terms.extend(targets.iter().map(|t| t.1));
                    }
                    EventKind::End => terms.push(event.guard),
                    _ => {}
                }
            }
        }
    }
    let mut claims: IdVec<ThreadId, Vec<Vec<Claim>>> = transactions
        .all
        .iter()
        .map(|l| vec![Vec::new(); l.len()])
        .collect();
    let mut early = Vec::new();
    for local in &transactions.po.locals {
        let found = claim(program, local.event);
        let terms = [found.reached].into_iter().chain(found.violated);
        match transactions.before(local) {
            Some(place) => {
                uses.terms[local.thread][place].extend(terms);
                claims[local.thread][place].push(found);
            }
            None => {
                uses.early[local.thread].extend(terms);
                early.push((local.thread, found));
            }
        }
    }
    (uses, claims, early)
}
