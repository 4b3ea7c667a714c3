//! What the steps of a program look at, and the assertions and cuts behind each.

use super::super::faults::{self, Fault};
use super::super::turn::Steps;
use super::block::Check;
use super::register::Uses;
use crate::base::IdVec;
use crate::event::{EventKind, EventProgram, ThreadId};

/// What steps look at, the checks behind each, and those before the first step of a thread.
#[expect(
    clippy::type_complexity,
    reason = "three results that are made in one walk"
)]
pub(super) fn uses(
    program: &mut EventProgram,
    steps: &Steps,
) -> (
    Uses,
    IdVec<ThreadId, Vec<Vec<Check>>>,
    Vec<(ThreadId, Check)>,
) {
    let empty = |list: &Vec<_>| vec![Vec::new(); list.len()];
    let mut uses = Uses {
        reads: steps.all.iter().map(empty).collect(),
        terms: steps.all.iter().map(empty).collect(),
        early: steps.all.iter().map(|_| Vec::new()).collect(),
    };
    for (thread, list) in steps.all.iter_ids() {
        for place in 0..list.len() {
            for &event in steps.events(thread, place) {
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
    let mut checks: IdVec<ThreadId, Vec<Vec<Check>>> = steps
        .all
        .iter()
        .map(|l| vec![Vec::new(); l.len()])
        .collect();
    let mut early = Vec::new();
    for local in &steps.skeleton.locals {
        let event = &program.events[local.event];
        let (guard, reached) = (event.guard, event.reached);
        let check = match event.kind {
            EventKind::Assert { cond, .. } => {
                let broken = program.terms.not(cond);
                let violated = match faults::on(Fault::AssertGuard) {
                    true => broken,
                    false => program.terms.and(guard, broken),
                };
                Check {
                    event: local.event,
                    reached,
                    violated: Some(violated),
                }
            }
            _ => Check {
                event: local.event,
                reached: guard,
                violated: None,
            },
        };
        let terms = [check.reached].into_iter().chain(check.violated);
        match steps.before(local) {
            Some(place) => {
                uses.terms[local.thread][place].extend(terms);
                checks[local.thread][place].push(check);
            }
            None => {
                uses.early[local.thread].extend(terms);
                early.push((local.thread, check));
            }
        }
    }
    (uses, checks, early)
}
