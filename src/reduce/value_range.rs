//! Ranges of shared variables: what every write of a cell keeps to, every read of it returns.
//!
//! Least fixed point over all writes, in any order: a read is known to return the initial value or what some write
//! stores, if its guard can hold; both depend on other reads. Executions are finite and every read takes an earlier
//! write (issued, under a weak memory model), so by induction over time no read leaves what the fixed point says. The
//! same induction says when to stop: after n passes there is room for the n-th write of any execution, and none has
//! more writes than there are. Where there are too many for that, ranges that keep growing are widened to whole bytes,
//! so that a counter without a bound costs a few passes over the terms.
//!
//! A variable of a read becomes a new one that is known to be within the fact; all terms are built anew over it,
//! so comparisons fold, guards of what cannot happen become false, and known bits cost no literals.

use super::environment::Environment;
use crate::base::IdVec;
use crate::base::faults::{self, Fault};
use crate::event::{CellId, EventId, EventKind, EventProgram, SectionId, Target};
use crate::term::{Fact, TermId, Terms, VarId};
use std::collections::BTreeMap;

/// Passes over the terms before ranges that grow are widened.
const EXACT_PASSES: usize = 5;
/// Passes before nothing is known any more of what still grows.
const MOST_PASSES: usize = 25;
/// Work (terms times passes) up to which there is a pass for every write, and no range is widened.
const MOST_WORK: usize = 2_000_000;

/// A read: its variable, and the cells it may take its value from.
struct Reader {
    variable: TermId,
    cells: Vec<CellId>,
}

/// A write: when it happens, what it stores, and where.
struct Writer {
    /// `None` if it may depend on what its own section reads after it, and so on the write itself.
    guard: Option<TermId>,
    value: TermId,
    cells: Vec<CellId>,
}

/// Lets every read's variable be known to be what is stored in its cells.
pub fn narrow(program: &mut EventProgram) {
    let (readers, writers) = accesses(program);
    let facts = fixed_point(program, &readers, &writers);
    let mut environment = Environment::default();
    let mut narrower = false;
    for reader in &readers {
        let bits = program.terms.bits(reader.variable);
        let Some(fact) = join(&facts, &reader.cells, bits) else {
            continue;
        };
        if fact == program.terms.fact(reader.variable) {
            continue;
        }
        let terms = &mut program.terms;
        let to = match fact.value() {
            Some(value) => terms.constant(value, bits),
            None => {
                let name = terms
                    .var_of(reader.variable)
                    .map_or(String::new(), |var| terms.name(var).to_string());
                terms.fresh_within(&name, bits, fact)
            }
        };
        narrower |= environment.define(terms, reader.variable, to);
    }
    if narrower {
        replace(program, &mut environment);
    }
}

fn accesses(program: &EventProgram) -> (Vec<Reader>, Vec<Writer>) {
    let mut readers: Vec<Reader> = Vec::new();
    // By variable: its place among the readers. Parts of one access share a variable.
    let mut reader_of: Vec<Option<usize>> = vec![None; program.terms.variables()];
    let mut writers = Vec::new();
    let cells = |targets: &[Target]| program.possible(targets).map(|t| t.cell).collect();
    // By section: its last read.
    let mut last_read: BTreeMap<SectionId, EventId> = BTreeMap::new();
    for (id, event) in program.events.iter_ids() {
        if let (EventKind::Read { .. }, Some(section)) = (&event.kind, event.section) {
            last_read.insert(section, id);
        }
    }
    for (id, event) in program.events.iter_ids() {
        if event.guard == program.terms.fals() {
            continue;
        }
        match &event.kind {
            EventKind::Read { value, targets, .. } => {
                let Some(VarId(var)) = program.terms.var_of(*value) else {
                    continue;
                };
                let cells: Vec<CellId> = cells(targets);
                match reader_of[var as usize] {
                    Some(known) => readers[known].cells.extend(cells),
                    None => {
                        reader_of[var as usize] = Some(readers.len());
                        readers.push(Reader {
                            variable: *value,
                            cells,
                        });
                    }
                }
            }
            EventKind::Write { value, targets, .. } => {
                let section = event.section.and_then(|section| last_read.get(&section));
                writers.push(Writer {
                    guard: section.is_none_or(|&last| last < id).then_some(event.guard),
                    value: *value,
                    cells: cells(targets),
                });
            }
            _ => {}
        }
    }
    (readers, writers)
}

/// Fixed point of value ranges: the fact about each cell that holds at any time.
fn fixed_point(
    program: &EventProgram,
    readers: &[Reader],
    writers: &[Writer],
) -> IdVec<CellId, Fact> {
    let terms = &program.terms;
    // Initial values may depend on anything: of the variables in them nothing is known here.
    let mut cells: IdVec<CellId, Fact> = program
        .cells
        .iter()
        .map(|cell| terms.fact(cell.init))
        .collect();
    let mut roots: Vec<TermId> = writers.iter().map(|w| w.value).collect();
    roots.extend(writers.iter().filter_map(|w| w.guard));
    let cone = terms.cone(&roots);
    // By term: what is known of it, and the pass that changed it last.
    let size = cone.last().map_or(0, |t| t.0 as usize + 1);
    let mut known = vec![Fact::top(1); size];
    let mut changed = vec![0; size];
    let mut variables: Vec<Option<usize>> = vec![None; terms.variables()];
    for (number, reader) in readers.iter().enumerate() {
        if let Some(var) = terms.var_of(reader.variable) {
            variables[var.0 as usize] = Some(number);
        }
    }
    let enough = match faults::on(Fault::RangeRounds) {
        true => writers.len().min(1),
        false => writers.len(),
    };
    let exact = enough.saturating_mul(cone.len()) <= MOST_WORK;
    for pass in 1.. {
        if exact && pass > enough {
            break;
        }
        for &t in &cone {
            let index = t.0 as usize;
            let stale = pass == 1
                || match terms.var_of(t) {
                    Some(var) => variables[var.0 as usize].is_some(),
                    None => terms.children(t).any(|c| changed[c.0 as usize] == pass),
                };
            if !stale {
                continue;
            }
            let fact = match terms.var_of(t) {
                Some(var) => variables[var.0 as usize]
                    .and_then(|number| join(&cells, &readers[number].cells, terms.bits(t)))
                    .unwrap_or(terms.fact(t)),
                None => terms.fact_from(t, &|operand| known[operand.0 as usize]),
            };
            if pass == 1 || fact != known[index] {
                known[index] = fact;
                changed[index] = pass;
            }
        }
        let mut grown = false;
        for writer in writers {
            // What cannot happen with the values so far does not write yet.
            let never = |guard: TermId| known[guard.0 as usize].value() == Some(0);
            if writer.guard.is_some_and(never) {
                continue;
            }
            let bits = terms.bits(writer.value);
            for &cell in &writer.cells {
                let before = cells[cell];
                let mut after = before.either(&known[writer.value.0 as usize], bits);
                if after == before || faults::on(Fault::NarrowInitial) {
                    continue;
                }
                after = match pass {
                    _ if exact => after,
                    ..EXACT_PASSES => after,
                    EXACT_PASSES..MOST_PASSES => widened(&before, &after, bits),
                    _ => Fact::top(bits),
                };
                cells[cell] = after;
                grown = true;
            }
        }
        if !grown {
            break;
        }
    }
    cells
}

/// A fact that admits what both do, whose ends can move only a few times more.
fn widened(before: &Fact, after: &Fact, bits: u16) -> Fact {
    let mut fact = *after;
    if after.lo < before.lo {
        fact.lo = 0;
        fact.ones = 0;
    }
    if after.hi > before.hi {
        let length = u128::BITS - after.hi.leading_zeros();
        let bytes = length.div_ceil(8).next_power_of_two();
        fact.hi = Fact::top(bits.min(8 * bytes as u16)).hi;
        // Zeros between the old end and the new one; those below, as of aligned addresses, stay.
        let below = 1u128.checked_shl(length).map_or(u128::MAX, |end| end - 1);
        fact.zeros &= !(fact.hi & !below);
    }
    Fact::new(bits, fact.zeros, fact.ones, fact.lo, fact.hi)
}

/// Join of facts: what holds of a value out of any of these cells; `None` if there is no cell.
fn join(facts: &IdVec<CellId, Fact>, cells: &[CellId], bits: u16) -> Option<Fact> {
    let mut all = cells.iter().map(|&cell| facts[cell]);
    let first = all.next()?;
    Some(all.fold(first, |one, other| one.either(&other, bits)))
}

/// Puts what variables stand for into everything that a program says.
pub(super) fn replace(program: &mut EventProgram, environment: &mut Environment) {
    let terms = &mut program.terms;
    for event in program.events.iter_mut() {
        event.guard = environment.instance(terms, event.guard);
        event.reached = environment.instance(terms, event.reached);
        match &mut event.kind {
            EventKind::Read { value, targets, .. } => {
                // A read of what is known otherwise keeps its variable, which nothing depends on any more.
                let to = environment.instance(terms, *value);
                if terms.var_of(*value).is_none() || terms.var_of(to).is_some() {
                    *value = to;
                }
                replace_targets(terms, environment, targets);
            }
            EventKind::Write { value, targets, .. } => {
                *value = environment.instance(terms, *value);
                replace_targets(terms, environment, targets);
            }
            EventKind::Join { targets, .. } => {
                for (_, when) in targets {
                    *when = environment.instance(terms, *when);
                }
            }
            EventKind::Assert { cond, .. } => *cond = environment.instance(terms, *cond),
            EventKind::Fence
            | EventKind::Create { .. }
            | EventKind::End
            | EventKind::Cut { .. } => {}
        }
    }
    for fact in &mut program.facts {
        *fact = environment.instance(terms, *fact);
    }
    program.facts.retain(|fact| *fact != terms.tru());
    for cell in program.cells.iter_mut() {
        cell.init = environment.instance(terms, cell.init);
        cell.element = cell.element.map(|t| environment.instance(terms, t));
    }
}

fn replace_targets(terms: &mut Terms, environment: &mut Environment, targets: &mut [Target]) {
    for target in targets {
        target.when = environment.instance(terms, target.when);
    }
}
