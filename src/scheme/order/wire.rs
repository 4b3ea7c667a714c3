//! Reads whose value the static order decides: they become terms over earlier values, so that constants and
//! equal parts fold before anything is encoded.
//!
//! Nodes are visited in one order that agrees with the static one. A read all of whose possible sources are
//! ordered among each other and before it is a choice by the writes' conditions, newest first. The variable
//! of such a read is replaced everywhere, also where the read does not happen; nothing that happens depends
//! on the variable of a read that does not. A variable that occurs in a term visited before its read is
//! left alone (a read that happens only if its own value lets it).

use super::super::environment::Environment;
use super::super::faults::{self, Fault};
use super::super::implication::implies;
use super::super::skeleton::{NodeId, Skeleton, StaticOrder};
use super::level::Ranges;
use super::range::Range;
use crate::base::IdVec;
use crate::event::{CellId, EventId, EventKind, EventProgram, Target, ThreadId};
use crate::term::TermId;

/// A write to one cell.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    /// Its step.
    pub node: NodeId,
    /// The event.
    pub event: EventId,
    /// When it writes this cell: its guard and the condition of the target.
    pub act: TermId,
    /// What it writes.
    pub value: TermId,
}

/// A read of a cell whose value is left to the solver.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    /// Its step.
    pub node: NodeId,
    /// The event.
    pub event: EventId,
    /// The cell.
    pub cell: CellId,
    /// When it reads this cell: its guard and the condition of the target.
    pub act: TermId,
    /// Its variable.
    pub value: TermId,
}

/// Writes that a read may take its value from.
#[derive(Clone, Default, Debug)]
pub struct Sources {
    /// Writes before it in its own section, in program order.
    pub section: Vec<Write>,
    /// Writes before it in earlier steps of its thread, in program order, whether they have reached memory or not.
    pub own: Vec<Write>,
    /// Writes of other threads that are not known to come after it, by chain, in program order.
    pub others: Vec<Vec<Write>>,
    /// The initial value.
    pub initial: bool,
}

/// Accesses of an event program after static resolution.
pub struct Accesses {
    /// Writes of each cell by chain (the steps of a thread, or buffered writes of it), in program order.
    pub writes: IdVec<CellId, IdVec<ThreadId, Vec<Write>>>,
    /// Reads that the solver decides, in the order of their steps.
    pub reads: Vec<Read>,
    /// Terms with wired variables replaced.
    pub wires: Environment,
    /// How many reads are wired.
    pub wired: usize,
    /// What reads may return and writes store.
    ranges: Ranges,
}

impl Accesses {
    /// Collects accesses and wires what can be wired.
    pub fn of(program: &mut EventProgram, skeleton: &Skeleton, order: &StaticOrder) -> Accesses {
        let chains = skeleton.chains.len();
        let mut accesses = Accesses {
            writes: program
                .cells
                .ids()
                .map(|_| (0..chains).map(|_| Vec::new()).collect())
                .collect(),
            reads: Vec::new(),
            wires: Environment::default(),
            wired: 0,
            ranges: Ranges::default(),
        };
        // What memory holds at first comes before every read: its variables are no read's to replace.
        for cell in program.cells.iter() {
            accesses.wires.instance(&mut program.terms, cell.init);
        }
        // Where each write event's entries are, in the order of its targets.
        let mut places: IdVec<EventId, Vec<Option<usize>>> =
            program.events.ids().map(|_| Vec::new()).collect();
        for (id, node) in skeleton.nodes.iter_ids() {
            for &event in &node.events {
                let EventKind::Write { value, targets, .. } = &program.events[event].kind else {
                    continue;
                };
                let (value, targets) = (*value, targets.clone());
                for target in targets {
                    let act = act(program, event, target);
                    let entry = (act != program.terms.fals()).then(|| {
                        let list = &mut accesses.writes[target.cell][node.thread];
                        list.push(Write {
                            node: id,
                            event,
                            act,
                            value,
                        });
                        list.len() - 1
                    });
                    places[event].push(entry);
                }
            }
        }
        accesses.ranges = Ranges::of(program, skeleton, order, &accesses);
        for &node in &order.linear {
            for &event in &skeleton.nodes[node].events {
                accesses.visit(program, skeleton, order, node, event, &places[event]);
            }
        }
        for lists in accesses.writes.iter_mut() {
            for list in lists.iter_mut() {
                list.retain(|write| write.act != program.terms.fals());
            }
        }
        accesses
    }

    fn visit(
        &mut self,
        program: &mut EventProgram,
        skeleton: &Skeleton,
        order: &StaticOrder,
        node: NodeId,
        event: EventId,
        places: &[Option<usize>],
    ) {
        let thread = skeleton.nodes[node].thread;
        // Also those that are not accesses: their variables are seen from here on.
        self.wires
            .instance(&mut program.terms, program.events[event].guard);
        match program.events[event].kind.clone() {
            EventKind::Write { value, targets, .. } => {
                let value = self.wires.instance(&mut program.terms, value);
                for (target, place) in targets.into_iter().zip(places) {
                    let Some(place) = *place else { continue };
                    let act = act(program, event, target);
                    let mut act = self.wires.instance(&mut program.terms, act);
                    let mut value = value;
                    match self.ranges.write(event, target.cell) {
                        Some(Some(range)) => {
                            value = range.word(&mut program.terms, value);
                        }
                        Some(None) => act = program.terms.fals(),
                        None => {}
                    }
                    let write = &mut self.writes[target.cell][thread][place];
                    (write.act, write.value) = (act, value);
                }
            }
            EventKind::Read { value, targets, .. } => {
                let mut reads = Vec::with_capacity(targets.len());
                for target in targets {
                    let act = act(program, event, target);
                    let act = self.wires.instance(&mut program.terms, act);
                    if act != program.terms.fals() {
                        let when = self.wires.instance(&mut program.terms, target.when);
                        reads.push((
                            Read {
                                node,
                                event,
                                cell: target.cell,
                                act,
                                value,
                            },
                            when,
                        ));
                    }
                }
                let range = self.ranges.read(event).copied();
                let known = range.and_then(|range| range.fact.value());
                let term = match (self.wire(program, skeleton, order, &reads), known) {
                    (None, Some(known)) => {
                        let bits = program.terms.bits(value);
                        Some(program.terms.constant(known, bits))
                    }
                    (term, _) => term,
                };
                match term {
                    Some(term) if self.wires.define(&program.terms, value, term) => self.wired += 1,
                    _ => {
                        let narrow = self.narrow(program, value, range);
                        self.reads.extend(reads.into_iter().map(|(read, _)| Read {
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
        let Some(range) = range.filter(|_| self.wires.is_open(terms, variable)) else {
            return variable;
        };
        let name = match terms.var_of(variable) {
            Some(var) => terms.name(var).to_string(),
            None => return variable,
        };
        match range.variable(terms, variable, &name) {
            Some(narrow) if self.wires.define(terms, variable, narrow) => narrow,
            _ => variable,
        }
    }

    /// The value of a read as a term, if the static order decides it.
    fn wire(
        &self,
        program: &mut EventProgram,
        skeleton: &Skeleton,
        order: &StaticOrder,
        reads: &[(Read, TermId)],
    ) -> Option<TermId> {
        let mut value: Option<TermId> = None;
        for &(read, when) in reads {
            let sources = self.sources(program, skeleton, order, &read);
            let one = decided(program, skeleton, order, &read, sources)?;
            value = Some(match value {
                None => one,
                Some(other) => program.terms.ite(when, one, other),
            });
        }
        value
    }

    /// Writes of a read's own thread to its cell up to the read's step, in program order; what comes after it in a
    /// section is left in for who looks at places within the step.
    fn own_writes(&self, skeleton: &Skeleton, read: &Read) -> Vec<Write> {
        let reader = skeleton.nodes[read.node].thread;
        let rank = |event: EventId| skeleton.rank[event];
        let mut own: Vec<Write> = Vec::new();
        for (chain, list) in self.writes[read.cell].iter_ids() {
            if is_own(skeleton, chain, reader) {
                let before = |write: &&Write| {
                    write.node == read.node || rank(write.event) < rank(read.event)
                };
                own.extend(list.iter().filter(before));
            }
        }
        own.sort_by_key(|write| rank(write.event));
        own
    }

    /// Everything that a read may take its value from, given the static order.
    pub fn sources(
        &self,
        program: &mut EventProgram,
        skeleton: &Skeleton,
        order: &StaticOrder,
        read: &Read,
    ) -> Sources {
        let reader = &skeleton.nodes[read.node];
        let mut sources = Sources {
            initial: true,
            ..Sources::default()
        };
        // Writes that happen whenever the read does, in steps before it: the last of each thread.
        let mut certain: Vec<Write> = Vec::new();
        let lists = &self.writes[read.cell];
        let all_own;
        let own = match skeleton.is_buffered() {
            false => &lists[reader.thread],
            true => {
                all_own = self.own_writes(skeleton, read);
                &all_own
            }
        };
        let place = |event: EventId| reader.events.iter().position(|&id| id == event);
        // The nodes of a chain have ascending numbers; of several chains, all that are left are before the read.
        let several = skeleton.is_buffered();
        for write in own
            .iter()
            .rev()
            .filter(|write| several || write.node <= read.node)
        {
            if write.node == read.node {
                let before =
                    place(write.event) < place(read.event) || faults::on(Fault::LaterOwnWrite);
                if !before || faults::on(Fault::SectionBlind) {
                    continue;
                }
                sources.section.push(*write);
            } else {
                if faults::on(Fault::SkipOwnWrite) && sources.own.is_empty() {
                    sources.own.push(Write {
                        act: program.terms.fals(),
                        ..*write
                    });
                    continue;
                }
                sources.own.push(*write);
            }
            if implies(&mut program.terms, read.act, write.act) {
                if write.node == read.node {
                    sources.section.reverse();
                    return Sources {
                        initial: false,
                        own: Vec::new(),
                        ..sources
                    };
                }
                certain.push(*write);
                break;
            }
        }
        sources.section.reverse();
        sources.own.reverse();
        for (chain, list) in lists.iter_ids() {
            if is_own(skeleton, chain, reader.thread) || list.is_empty() {
                continue;
            }
            let before = order.clocks[read.node][chain.0 as usize];
            let first_open =
                list.partition_point(|write| skeleton.nodes[write.node].index < before);
            let end = list.partition_point(|write| !order.before(skeleton, read.node, write.node));
            let mut start = first_open;
            while start > 0 {
                start -= 1;
                if implies(&mut program.terms, read.act, list[start].act) {
                    certain.push(list[start]);
                    break;
                }
            }
            let start = start + usize::from(faults::on(Fault::SkipWrite));
            if start < end {
                sources.others.push(list[start..end].to_vec());
            }
        }
        if !certain.is_empty() || faults::on(Fault::NoInitial) {
            sources.initial = false;
        }
        // What a certain write overwrites in every execution, nobody sees here.
        let overwritten = |write: &Write| {
            certain
                .iter()
                .any(|last| order.before(skeleton, write.node, last.node))
        };
        sources.own.retain(|write| !overwritten(write));
        for list in &mut sources.others {
            list.retain(|write| !overwritten(write));
        }
        sources.others.retain(|list| !list.is_empty());
        // A write that a later one of the same step always follows.
        for list in sources.others.iter_mut().chain([&mut sources.own]) {
            let hidden: Vec<bool> = (0..list.len())
                .map(|i| {
                    list.get(i + 1).is_some_and(|next| {
                        next.node == list[i].node
                            && implies(&mut program.terms, list[i].act, next.act)
                    })
                })
                .collect();
            let mut hidden = hidden.into_iter();
            list.retain(|_| hidden.next() == Some(false));
        }
        sources
    }
}

/// Whether a read of a chain sees the writes of another one in program order.
fn is_own(skeleton: &Skeleton, chain: ThreadId, reader: ThreadId) -> bool {
    match faults::on(Fault::NoForwarding) {
        true => chain == reader,
        false => skeleton.owner[chain] == skeleton.owner[reader],
    }
}

/// When an access touches a target.
fn act(program: &mut EventProgram, event: EventId, target: Target) -> TermId {
    let guard = program.events[event].guard;
    let write = matches!(program.events[event].kind, EventKind::Write { .. });
    if write && faults::on(Fault::WriteGuard) {
        return target.when;
    }
    if (write && faults::on(Fault::WriteWhen)) || (!write && faults::on(Fault::ReadWhen)) {
        return guard;
    }
    program.terms.and(guard, target.when)
}

/// The value as a choice between sources that are ordered among each other and before the read.
fn decided(
    program: &mut EventProgram,
    skeleton: &Skeleton,
    order: &StaticOrder,
    read: &Read,
    sources: Sources,
) -> Option<TermId> {
    let mut outside: Vec<Write> = sources.own;
    outside.extend(sources.others.into_iter().flatten());
    // Clocks are closed, so their sums grow along the order.
    outside.sort_by_key(|write| {
        let events = &skeleton.nodes[write.node].events;
        (
            order.clocks[write.node].iter().sum::<u32>(),
            write.node,
            events.iter().position(|&id| id == write.event),
        )
    });
    let ordered = |a: NodeId, b: NodeId| a == b || order.before(skeleton, a, b);
    let reader = skeleton.nodes[read.node].thread;
    // Its thread's own writes are all before it, even if they have not reached memory.
    let seen = |write: &Write| {
        order.before(skeleton, write.node, read.node)
            || is_own(skeleton, skeleton.nodes[write.node].thread, reader)
    };
    let chained = outside
        .windows(2)
        .all(|pair| ordered(pair[0].node, pair[1].node))
        && outside.iter().all(seen);
    if !chained {
        return None;
    }
    let mut value = sources.initial.then(|| program.cells[read.cell].init);
    for write in outside.iter().chain(&sources.section) {
        value = Some(match value {
            // Without an initial value the oldest source is certain.
            None => write.value,
            Some(older) => program.terms.ite(write.act, write.value, older),
        });
    }
    value
}
