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

use super::range::{
    PRESERVES, RangeAccess, RangeLevels, RangePlace, RangeRead, RangeRule, RangeSource, RangeWrite,
};
use super::substitution::Substitution;
use crate::base::sorted::SortedMap;
use crate::event::{EventId, EventKind, EventProgram, SectionId, Target};
use crate::reduce::faults::{self, Fault};
use crate::term::{Fact, TermId, Terms, VarId};

/// Passes over the terms before ranges that grow are widened.
const EXACT_PASSES: usize = 5;
/// Passes before nothing is known any more of what still grows.
const MOST_PASSES: usize = 25;
/// Work (terms times passes) up to which there is a pass for every write, and no range is widened.
const MOST_WORK: usize = 2_000_000;

/// Lets every read's variable be known to be what is stored in its cells.
pub fn narrow(program: &mut EventProgram) {
    if !PRESERVES.contain(program.goals()) {
        return;
    }
    let mut substitution = Substitution::default();
    let mut narrower = false;
    for (variable, fact) in fixed_point(program) {
        let terms = &mut program.terms;
        let bits = terms.bits(variable);
        if fact == terms.fact(variable) {
            continue;
        }
        let to = match fact.value() {
            Some(value) => terms.constant(value, bits),
            None => {
                let name = terms
                    .var_of(variable)
                    .map_or(String::new(), |var| terms.name(var).to_string());
                terms.fresh_within(&name, bits, fact)
            }
        };
        narrower |= substitution.define(terms, variable, to);
    }
    if narrower {
        replace(program, &mut substitution);
    }
}

/// All reads, each variable once, and all writes. A pass is a level, on which reads see what the passes before have found.
fn accesses(program: &EventProgram) -> (Vec<RangeRead>, Vec<RangeWrite>) {
    let mut reads: Vec<RangeRead> = Vec::new();
    // By variable: its place among the reads. Parts of one access share a variable.
    let mut read_of: Vec<Option<usize>> = vec![None; program.terms.variables()];
    let mut writes = Vec::new();
    // By section: its last read.
    let mut last_read: SortedMap<SectionId, EventId> = SortedMap::new();
    for (id, event) in program.events.iter_ids() {
        if let (EventKind::Read { .. }, Some(section)) = (&event.kind, event.section) {
            last_read.insert(section, id);
        }
    }
    let least = 0;
    for (cell, last) in &program.last {
        if program.terms.var_of(*last).is_some() {
            reads.push(RangeRead {
                least,
                variable: *last,
                sources: vec![RangeSource::Below(RangePlace(cell.0))],
            });
        }
    }
    for (id, event) in program.events.iter_ids() {
        if event.guard == program.terms.fals() {
            continue;
        }
        let places = |targets| program.possible(targets).map(|t| RangePlace(t.cell.0));
        match event.kind {
            EventKind::Read {
                value: variable,
                ref targets,
                ..
            } => {
                let Some(VarId(var)) = program.terms.var_of(variable) else {
                    continue;
                };
                let number = *read_of[var as usize].get_or_insert(reads.len());
                if number == reads.len() {
                    let sources = Vec::new();
                    reads.push(RangeRead {
                        least,
                        variable,
                        sources,
                    });
                }
                let sources = places(targets).map(RangeSource::Below);
                reads[number].sources.extend(sources);
            }
            EventKind::Write {
                value, ref targets, ..
            } => {
                let last = event.section.and_then(|section| last_read.get(&section));
                let guard = match last {
                    // It may depend on what its own section reads after it, and so on the write itself.
                    Some(&last) if last > id => program.terms.tru(),
                    _ => event.guard,
                };
                let places = places(targets).collect();
                writes.push(RangeWrite {
                    least,
                    guard,
                    value,
                    places,
                });
            }
            _ => {}
        }
    }
    (reads, writes)
}

/// Facts about reads' variables that hold at any time: the fixed point over what is stored in cells.
fn fixed_point(program: &EventProgram) -> Vec<(TermId, Fact)> {
    let terms = &program.terms;
    let (reads, writes) = accesses(program);
    let enough = if faults::on(Fault::RangeRounds) {
        writes.len().min(1)
    } else {
        writes.len()
    };
    let reads = reads.into_iter().map(RangeAccess::Read);
    let all: Vec<RangeAccess> = reads
        .chain(writes.into_iter().map(RangeAccess::Write))
        .collect();
    let mut levels = RangeLevels::new(terms, &all, Vec::new(), program.cells.len());
    levels.reads_first = true;
    // Initial values may depend on anything: of the variables in them nothing is known here.
    for (stored, cell) in levels.stored.iter_mut().zip(program.cells.iter()) {
        *stored = Some(terms.fact(cell.init));
    }
    let exact = enough.saturating_mul(levels.evaluation.size()) <= MOST_WORK;
    let mut growth = Growth { pass: 1, exact };
    while (!exact || growth.pass <= enough) && levels.next(0, &mut growth) {
        growth.pass += 1;
    }
    levels.begin();
    let facts = all.iter().filter_map(|access| match access {
        RangeAccess::Read(read) => {
            let fact = levels.joined(&read.sources, terms.bits(read.variable))?;
            Some((read.variable, fact))
        }
        RangeAccess::Write(_) => None,
    });
    facts.collect()
}

/// Reads are what their cells hold; what grows for too many passes is widened.
struct Growth {
    /// The pass, from 1.
    pass: usize,
    /// There is a pass for every write.
    exact: bool,
}

impl RangeRule<Fact> for Growth {
    fn read(&mut self, _: VarId, _: Fact, sources: Option<Fact>, _: u16) -> Option<Fact> {
        sources
    }

    fn write(&self, before: &Fact, after: Fact, bits: u16) -> Fact {
        match self.pass {
            _ if faults::on(Fault::NarrowInitial) => *before,
            _ if self.exact => after,
            ..EXACT_PASSES => after,
            EXACT_PASSES..MOST_PASSES => widened(before, &after, bits),
            _ => Fact::top(bits),
        }
    }
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

/// Puts what variables stand for into everything that a program says.
pub(super) fn replace(program: &mut EventProgram, substitution: &mut Substitution) {
    let terms = &mut program.terms;
    for event in program.events.iter_mut() {
        event.guard = substitution.instance(terms, event.guard);
        event.reached = substitution.instance(terms, event.reached);
        match &mut event.kind {
            EventKind::Read { value, targets, .. } => {
                // A read of what is known otherwise keeps its variable, which nothing depends on any more.
                let to = substitution.instance(terms, *value);
                if terms.var_of(*value).is_none() || terms.var_of(to).is_some() {
                    *value = to;
                }
                replace_targets(terms, substitution, targets);
            }
            EventKind::Write { value, targets, .. } => {
                *value = substitution.instance(terms, *value);
                replace_targets(terms, substitution, targets);
            }
            EventKind::Join { targets, .. } => {
                for (_, when) in targets {
                    *when = substitution.instance(terms, *when);
                }
            }
            EventKind::Assert { cond, .. } => *cond = substitution.instance(terms, *cond),
            EventKind::Rest(rest) => {
                rest.for_terms(|t| *t = substitution.instance(terms, *t));
            }
            EventKind::Fence
            | EventKind::Create { .. }
            | EventKind::End
            | EventKind::Cut { .. } => {}
        }
    }
    for last in program.last.values_mut() {
        *last = substitution.instance(terms, *last);
    }
    for fact in &mut program.facts {
        *fact = substitution.instance(terms, *fact);
    }
    program.facts.retain(|fact| *fact != terms.tru());
    for input in &mut program.inputs {
        // Reads may say which byte of memory it is.
        let place = input.offset_bytes;
        input.offset_bytes = place.map(|offset| substitution.instance(terms, offset));
    }
    for cell in program.cells.iter_mut() {
        cell.init = substitution.instance(terms, cell.init);
        cell.element = cell.element.map(|t| substitution.instance(terms, t));
    }
}

fn replace_targets(terms: &mut Terms, substitution: &mut Substitution, targets: &mut [Target]) {
    for target in targets {
        target.when = substitution.instance(terms, target.when);
    }
}
