//! Execution of the code of a block on memory, registers and threads.

use super::block::{Blocks, Op};
use super::register::Register;
use crate::base::IdVec;
use crate::event::{CellId, EventProgram, ThreadId};
use crate::reduce::substitution::Substitution;
use crate::relation::faults::{self, Fault};
use crate::term::TermId;

/// Memory, registers and threads between two positions.
#[derive(Clone)]
pub(super) struct Snapshot {
    pub cells: IdVec<CellId, TermId>,
    pub registers: Vec<TermId>,
    pub ended: IdVec<ThreadId, TermId>,
    /// By thread and place: the block has been executed.
    pub reached: IdVec<ThreadId, Vec<TermId>>,
}

/// Outcome of the code of a block: results of its operations, and new contents of what it changes.
#[derive(Default)]
pub(super) struct Outcome {
    pub results: Vec<TermId>,
    cells: Vec<(CellId, TermId)>,
    registers: Vec<(Register, TermId)>,
    ended: Vec<(ThreadId, TermId)>,
}

/// A write that memory has not got yet.
struct Pending {
    value: TermId,
    places: Vec<(CellId, TermId)>,
    /// Over the code's variables: whether memory gets it.
    guard: TermId,
}

/// Executes code on a state; the outcome holds its changes.
pub(super) fn execute(
    program: &mut EventProgram,
    substitution: &mut Substitution,
    blocks: &mut Blocks,
    code: usize,
    state: &Snapshot,
) -> Outcome {
    let mut outcome = Outcome::default();
    // What the atomic step in execution sees, and what it leaves behind.
    let mut seen: Vec<(CellId, TermId)> = Vec::new();
    let mut pending: Vec<Pending> = Vec::new();
    let content = |list: &[(CellId, TermId)], cell: CellId| {
        let own = list.iter().find(|own| own.0 == cell);
        own.map_or(state.cells[cell], |own| own.1)
    };
    for op in blocks.codes[code].clone() {
        match op {
            Op::Read { targets } => {
                let mut found: Option<TermId> = None;
                for (cell, when) in targets {
                    let list = if faults::on(Fault::SectionBlind) {
                        &[][..]
                    } else {
                        &seen
                    };
                    let now = content(list, cell);
                    found = Some(match found {
                        None => now,
                        Some(_) if faults::on(Fault::ReadWhen) => now,
                        Some(other) => {
                            let when = substitution.instance(&mut program.terms, when);
                            program.terms.ite(when, now, other)
                        }
                    });
                }
                let found = found.unwrap_or(program.terms.fals());
                result(program, substitution, blocks, &mut outcome, found);
            }
            Op::Write {
                value,
                targets,
                reached,
                guard,
            } => {
                let value = substitution.instance(&mut program.terms, value);
                let reached = substitution.instance(&mut program.terms, reached);
                let mut places = Vec::with_capacity(targets.len());
                for (cell, when) in targets {
                    let mut when = substitution.instance(&mut program.terms, when);
                    if faults::on(Fault::WriteWhen) {
                        when = program.terms.tru();
                    }
                    places.push((cell, when));
                    let act = program.terms.and(reached, when);
                    let old = content(&seen, cell);
                    put(&mut seen, cell, program.terms.ite(act, value, old));
                }
                pending.push(Pending {
                    value,
                    places,
                    guard,
                });
            }
            Op::Commit => {
                for Pending {
                    value,
                    places,
                    guard,
                } in pending.drain(..)
                {
                    let mut guard = substitution.instance(&mut program.terms, guard);
                    if faults::on(Fault::WriteGuard) {
                        guard = program.terms.tru();
                    }
                    for (cell, when) in places {
                        let act = program.terms.and(guard, when);
                        let old = content(&outcome.cells, cell);
                        put(&mut outcome.cells, cell, program.terms.ite(act, value, old));
                    }
                }
                seen = outcome.cells.clone();
            }
            Op::Join { targets } => {
                let mut through = program.terms.fals();
                for (target, when) in targets {
                    let mut when = substitution.instance(&mut program.terms, when);
                    if faults::on(Fault::JoinAnyThread) {
                        when = program.terms.tru();
                    }
                    let one = if faults::on(Fault::JoinWithoutEnd) {
                        when
                    } else {
                        program.terms.and(when, state.ended[target])
                    };
                    through = program.terms.or(through, one);
                }
                result(program, substitution, blocks, &mut outcome, through);
            }
            Op::End { thread, guard } => {
                let guard = substitution.instance(&mut program.terms, guard);
                outcome.ended.push((thread, guard));
            }
            Op::Create { .. } => {}
            Op::Set { register, value } => {
                let value = substitution.instance(&mut program.terms, value);
                outcome.registers.push((register, value));
            }
        }
    }
    outcome
}

/// An operation returns a value.
fn result(
    program: &mut EventProgram,
    substitution: &mut Substitution,
    blocks: &mut Blocks,
    outcome: &mut Outcome,
    value: TermId,
) {
    let bits = program.terms.bits(value);
    let variable = blocks.result(program, outcome.results.len(), bits);
    let defined = substitution.define(&program.terms, variable, value);
    debug_assert!(defined, "results are not looked at before they are there");
    outcome.results.push(value);
}

fn put(list: &mut Vec<(CellId, TermId)>, cell: CellId, value: TermId) {
    match list.iter_mut().find(|own| own.0 == cell) {
        Some(own) => own.1 = value,
        None => list.push((cell, value)),
    }
}

impl Outcome {
    /// Changes the state where `exec` holds.
    pub(super) fn apply(&self, program: &mut EventProgram, state: &mut Snapshot, exec: TermId) {
        let terms = &mut program.terms;
        for &(cell, value) in &self.cells {
            state.cells[cell] = terms.ite(exec, value, state.cells[cell]);
        }
        for &(register, value) in &self.registers {
            let old = state.registers[register];
            state.registers[register] = terms.ite(exec, value, old);
        }
        for &(thread, guard) in &self.ended {
            let ends = terms.and(exec, guard);
            state.ended[thread] = terms.or(state.ended[thread], ends);
        }
    }
}
