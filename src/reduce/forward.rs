//! Reads of what nobody but their own thread writes: they return what it has written last, as a term.
//!
//! Such a read is no step that others could tell from another place, and needs no memory: it is taken out of the
//! program, and its variable stands for the values of its thread's writes so far, the last one whose guard holds, or
//! the initial value. That is so under every memory model: a thread sees its own writes.

use super::substitution::Substitution;
use super::value_range::replace;
use crate::base::IdVec;
use crate::event::{CellId, EventId, EventKind, EventProgram, SectionId, Target, ThreadId};
use crate::ir::GoalKinds;
use crate::reduce::faults::{self, Fault};
use crate::term::{TermId, Terms, VarId};

/// Writers of a cell: the threads whose writes may touch it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writers {
    Nobody,
    One(ThreadId),
    Several,
}

/// Kinds of goals that are preserved: every read that is taken out has in every execution the value that stands for it,
/// and would have it where its step waits: nobody else writes there.
pub const PRESERVES: GoalKinds = GoalKinds {
    assertions: true,
    undefined: true,
    races: true,
    ends: true,
    blocks: true,
};

/// Takes out the reads that only ever return what their own thread has written, or what was there initially.
pub fn forward(program: &mut EventProgram) {
    if !PRESERVES.contain(program.goals()) {
        return;
    }
    let writers = writers(program);
    let single = single(program);
    let mut substitution = Substitution::default();
    let mut out: Vec<EventId> = Vec::new();
    for thread in program.threads.ids() {
        forward_in(
            program,
            thread,
            (&writers, &single),
            &mut substitution,
            &mut out,
        );
    }
    if out.is_empty() {
        return;
    }
    let fals = program.terms.fals();
    for id in out {
        program.events[id].guard = fals;
    }
    replace(program, &mut substitution);
}

fn writers(program: &EventProgram) -> IdVec<CellId, Writers> {
    let mut writers: IdVec<CellId, Writers> =
        program.cells.ids().map(|_| Writers::Nobody).collect();
    let fals = program.terms.fals();
    for event in program.events.iter().filter(|event| event.guard != fals) {
        let EventKind::Write { targets, .. } = &event.kind else {
            continue;
        };
        for target in program.possible(targets) {
            let writer = &mut writers[target.cell];
            *writer = match *writer {
                Writers::Nobody => Writers::One(event.thread),
                Writers::One(thread) if thread == event.thread => Writers::One(thread),
                _ => Writers::Several,
            };
        }
    }
    writers
}

/// By variable: whether one read returns it, and no other.
fn single(program: &EventProgram) -> Vec<bool> {
    let mut reads = vec![0; program.terms.variables()];
    for event in program.events.iter() {
        if let EventKind::Read { value, .. } = event.kind
            && let Some(VarId(var)) = program.terms.var_of(value)
        {
            reads[var as usize] += 1;
        }
    }
    reads.into_iter().map(|count| count == 1).collect()
}

/// Last value that a thread has written to a cell so far.
#[derive(Clone, Copy)]
struct Written {
    value: TermId,
    /// The section of the last write.
    section: Option<SectionId>,
}

fn forward_in(
    program: &mut EventProgram,
    thread: ThreadId,
    (writers, single): (&IdVec<CellId, Writers>, &[bool]),
    substitution: &mut Substitution,
    out: &mut Vec<EventId>,
) {
    let mut written: IdVec<CellId, Option<Written>> = program.cells.ids().map(|_| None).collect();
    let own = |targets: &[Target]| {
        targets.iter().all(|target| match writers[target.cell] {
            Writers::Nobody => true,
            Writers::One(writer) => writer == thread || faults::on(Fault::OthersWrites),
            Writers::Several => false,
        })
    };
    let is_single = |terms: &Terms, value: TermId| {
        terms
            .var_of(value)
            .is_some_and(|VarId(var)| single[var as usize])
    };
    for &id in &program.threads[thread].events {
        let event = &program.events[id];
        if event.guard == program.terms.fals() {
            continue;
        }
        let terms = &mut program.terms;
        match &event.kind {
            EventKind::Read { value, targets, .. } if is_single(terms, *value) && own(targets) => {
                // Within a section it matters how far that has come.
                let inside = |target: &Target| {
                    let section = written[target.cell].and_then(|last| last.section);
                    section.is_some() && section == event.section
                };
                if targets.iter().any(inside) {
                    continue;
                }
                let mut found: Option<TermId> = None;
                for target in targets {
                    let now = match written[target.cell] {
                        Some(last) => last.value,
                        None => program.cells[target.cell].init,
                    };
                    found = Some(match found {
                        None => now,
                        Some(other) => terms.ite(target.when, now, other),
                    });
                }
                let Some(found) = found else { continue };
                let found = substitution.instance(terms, found);
                let found = known(terms, *value, found);
                if substitution.define(terms, *value, found) {
                    out.push(id);
                }
            }
            EventKind::Write { value, targets, .. } => {
                for target in targets {
                    if !matches!(writers[target.cell], Writers::One(_)) {
                        continue;
                    }
                    let old = match written[target.cell] {
                        Some(last) => last.value,
                        None => program.cells[target.cell].init,
                    };
                    let when = terms.and(event.guard, target.when);
                    let value = terms.ite(when, *value, old);
                    let value = substitution.instance(terms, value);
                    written[target.cell] = Some(Written {
                        value,
                        section: event.section,
                    });
                }
            }
            _ => {}
        }
    }
}

/// A value, without the bits that the variable is known not to have.
fn known(terms: &mut Terms, variable: TermId, value: TermId) -> TermId {
    let bits = terms.bits(value);
    let needed = (u128::BITS - terms.fact(variable).hi.leading_zeros()) as u16;
    if needed == 0 || needed >= bits {
        return value;
    }
    let low = terms.extract(value, 0, needed);
    terms.zero_extend(low, bits)
}
