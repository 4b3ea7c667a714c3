//! Static reads-from: reads whose value the static order decides become terms over earlier values, so that constants and
//! equal parts fold before anything is encoded.
//!
//! Nodes are visited in one order that agrees with the static one. A read all of whose possible sources are
//! ordered among each other and before it is a choice by the writes' conditions, newest first. The variable
//! of such a read is replaced everywhere, also where the read does not happen; nothing that happens depends
//! on the variable of a read that does not. A variable that occurs in a term visited before its read is
//! left alone (a read that happens only if its own value lets it).

use super::access::{Accesses, Read, Sources, Write, act, is_own};
use super::level::Ranges;
use super::program_order::{ProgramOrder, StepId};
use super::static_order::StaticOrder;
use crate::event::{EventId, EventKind, EventProgram};
use crate::ir::GoalKinds;
use crate::relation::faults::{self, Fault};
use crate::term::range::Range;
use crate::term::{TermId, VarId};
use hashbrown::HashSet;

/// Kinds of goals that are preserved: every read that is decided has its value in every execution, whatever is asked of it.
/// Those that decide whether a thread waits are left alone, since they count where they do not happen ([`Rest`](crate::event::Rest)).
pub const PRESERVES: GoalKinds = GoalKinds {
    assertions: true,
    undefined: true,
    races: true,
    ends: true,
    blocks: true,
};

/// Accesses of a program, of which the reads are left that the solver decides.
pub fn resolve(program: &mut EventProgram, po: &ProgramOrder, order: &StaticOrder) -> Accesses {
    let (accesses, places) = Accesses::unresolved(program, po);
    let ranges = Ranges::of(program, po, order, &accesses);
    let mut resolver = Resolver {
        accesses,
        ranges,
        decides: PRESERVES.contain(program.goals()),
        kept: kept(program),
    };
    for &step in &order.linear {
        for &event in &po.steps[step].events {
            resolver.visit(program, po, order, step, event, &places[event]);
        }
    }
    let mut accesses = resolver.accesses;
    for lists in accesses.writes.iter_mut() {
        for list in lists.iter_mut() {
            list.retain(|write| write.act != program.terms.fals());
        }
    }
    accesses
}

struct Resolver {
    accesses: Accesses,
    /// Value ranges of what reads return and writes store.
    ranges: Ranges,
    /// Reads may become terms.
    decides: bool,
    /// Variables of reads that are left alone.
    kept: HashSet<VarId>,
}

/// Variables that rests depend on.
fn kept(program: &EventProgram) -> HashSet<VarId> {
    let rests = program.events.iter().filter_map(|event| match &event.kind {
        EventKind::Rest(rest) => Some(rest.terms()),
        _ => None,
    });
    let terms: Vec<TermId> = rests.flatten().collect();
    let cone = program.terms.cone(&terms);
    let variables = cone.into_iter().filter_map(|t| program.terms.var_of(t));
    variables.collect()
}

impl Resolver {
    fn visit(
        &mut self,
        program: &mut EventProgram,
        po: &ProgramOrder,
        order: &StaticOrder,
        step: StepId,
        event: EventId,
        places: &[Option<usize>],
    ) {
        let thread = po.steps[step].thread;
        // Also those that are not accesses: their variables are seen from here on.
        self.accesses
            .substitution
            .instance(&mut program.terms, program.events[event].guard);
        match program.events[event].kind.clone() {
            EventKind::Write { value, targets, .. } => {
                let value = self
                    .accesses
                    .substitution
                    .instance(&mut program.terms, value);
                for (target, place) in targets.into_iter().zip(places) {
                    let Some(place) = *place else { continue };
                    let act = act(program, event, target);
                    let mut act = self.accesses.substitution.instance(&mut program.terms, act);
                    let mut value = value;
                    match self.ranges.write(event, target.cell) {
                        Some(Some(range)) => {
                            value = range.word(&mut program.terms, value);
                        }
                        Some(None) => act = program.terms.fals(),
                        None => {}
                    }
                    let write = &mut self.accesses.writes[target.cell][thread][place];
                    (write.act, write.value) = (act, value);
                }
            }
            EventKind::Read { value, targets, .. } => {
                let mut reads = Vec::with_capacity(targets.len());
                for target in targets {
                    let act = act(program, event, target);
                    let act = self.accesses.substitution.instance(&mut program.terms, act);
                    if act != program.terms.fals() {
                        let when = self
                            .accesses
                            .substitution
                            .instance(&mut program.terms, target.when);
                        reads.push((
                            Read {
                                step,
                                event,
                                cell: target.cell,
                                act,
                                value,
                            },
                            when,
                        ));
                    }
                }
                let var = program.terms.var_of(value);
                let range = var.and_then(|var| self.ranges.read(var));
                let known = range.and_then(|range| range.fact.value());
                let term = match (self.reads_from(program, po, order, &reads), known) {
                    (None, Some(known)) => {
                        let bits = program.terms.bits(value);
                        Some(program.terms.constant(known, bits))
                    }
                    (term, _) => term,
                };
                match term {
                    Some(term)
                        if self
                            .accesses
                            .substitution
                            .define(&program.terms, value, term) =>
                    {
                        self.accesses.resolved += 1
                    }
                    _ => {
                        let narrow = self.narrow(program, value, range);
                        self.accesses
                            .reads
                            .extend(reads.into_iter().map(|(read, _)| Read {
                                value: narrow,
                                ..read
                            }));
                    }
                }
            }
            _ => {}
        }
    }

    /// A narrower variable for what a read returns, if its range allows one, and otherwise its own.
    fn narrow(
        &mut self,
        program: &mut EventProgram,
        variable: TermId,
        range: Option<Range>,
    ) -> TermId {
        let terms = &mut program.terms;
        let Some(range) = range.filter(|_| self.accesses.substitution.is_open(terms, variable))
        else {
            return variable;
        };
        let name = match terms.var_of(variable) {
            Some(var) => terms.name(var).to_string(),
            None => return variable,
        };
        match range.variable(terms, variable, &name) {
            Some(narrow) if self.accesses.substitution.define(terms, variable, narrow) => narrow,
            _ => variable,
        }
    }

    /// The value of a read as a term, if the static order decides it.
    fn reads_from(
        &self,
        program: &mut EventProgram,
        po: &ProgramOrder,
        order: &StaticOrder,
        reads: &[(Read, TermId)],
    ) -> Option<TermId> {
        let value = reads.first().map(|(read, _)| read.value);
        let var = value.and_then(|value| program.terms.var_of(value));
        if !self.decides || var.is_some_and(|var| self.kept.contains(&var)) {
            return None;
        }
        let mut value: Option<TermId> = None;
        for &(read, when) in reads {
            let sources = self.accesses.sources(program, po, order, &read);
            let one = decided(program, po, order, &read, sources)?;
            value = Some(match value {
                None => one,
                Some(other) => program.terms.ite(when, one, other),
            });
        }
        value
    }
}

/// The value as a choice between sources that are ordered among each other and before the read.
fn decided(
    program: &mut EventProgram,
    po: &ProgramOrder,
    order: &StaticOrder,
    read: &Read,
    sources: Sources,
) -> Option<TermId> {
    let mut outside: Vec<Write> = sources.own;
    outside.extend(sources.others.into_iter().flatten());
    // Clocks are closed, so their sums grow along the order.
    outside.sort_by_key(|write| {
        let events = &po.steps[write.step].events;
        (
            order.clocks[write.step].iter().sum::<u32>(),
            write.step,
            events.iter().position(|&id| id == write.event),
        )
    });
    let ordered = |a: StepId, b: StepId| a == b || order.before(po, a, b);
    let reader = po.steps[read.step].thread;
    // Its thread's own writes are all before it, even if they have not reached memory.
    let seen = |write: &Write| {
        order.before(po, write.step, read.step) || is_own(po, po.steps[write.step].thread, reader)
    };
    let chained = outside
        .windows(2)
        .all(|pair| ordered(pair[0].step, pair[1].step))
        && outside.iter().all(seen);
    if !chained {
        return None;
    }
    let mut value = sources.initial.then(|| program.cells[read.cell].init);
    for write in outside.iter().chain(&sources.section) {
        value = Some(match value {
            // Without an initial value the oldest source is certain.
            None => write.value,
            Some(older) if faults::on(Fault::OldestDecided) => older,
            Some(older) => program.terms.ite(write.act, write.value, older),
        });
    }
    value
}
