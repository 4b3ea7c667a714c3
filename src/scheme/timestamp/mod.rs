//! The scheme `timestamp`: the encoding of Yeolekar, Madhukar, Bhutada and Venkatesh, "Sequentialization Using
//! Timestamps" (the tool ConSequence), §2, as one formula.
//!
//! Each shared variable has a *timestore*: the values that are written to it, in order, with the times of the
//! writes. Each thread has a local clock. A write takes a free place of the store whose timestamp lies after
//! the thread's clock, and the clock moves there; a read takes the value at the latest place that is not after
//! the clock, which it may move forward first. Stores are as large as a program may need ([`size`]), so that no
//! schedule is left out: the scheme has no bound.
//!
//! Figure by figure:
//!
//! * Fig. 2, `sysinit`, `sysend`, `write_i`: [`store`]. `free` is the complement of "taken"; `last` and `count`
//!   are one: places are taken without gaps. `loc_i` is the place of a thread's write, in unary.
//! * Fig. 2, `ct`, `procinit`, `procend`: [`clock`].
//! * Fig. 2, `read_i`: [`read`].
//! * §2.2, after Eqn. 4 ("a read may acquire the timestamp of the preceding access"): clocks do not ascend
//!   strictly at reads, and reads that the static order decides have no clock at all.
//! * §5, same timestamps for independent writes: timestamps are strict for each variable alone.
//! * §5, unused places: what lies behind the writes that ran is neither ordered nor looked at.
//!
//! What the print has wrong or leaves out, and what is done here:
//!
//! * Fig. 2, `write_i`: `icount++` is `count_i++`.
//! * Fig. 2, `procinit`: every thread's clock starts at 0, as if all were created at once by a main that does
//!   nothing else; §2.2 assumes that. Here a thread starts with the clock of its creator, a join raises the
//!   clock to that of the thread's end, and main is a thread like any other. A join whose thread is not known
//!   beforehand takes a timestamp, or two threads could wait for each other's end and both get through.
//! * Fig. 2, `sysend`: `last_i == count_i` holds in programs where every write happens. Where one does not, its
//!   place is free, and reads must not ask for `ts[loc + 1] > ct` of it. Here the places that are taken are as
//!   many as writes ran.
//! * Fig. 2, `sysinit`: `MAXT` is not above the last of N writes of a store with N + 1 places plus the others'
//!   unless all run; as nothing is asked of free places, it does not matter here.
//! * Fig. 3: the place after the last is listed with the `value` column shifted; `ts_j` is 0, 1, 3, 5, 7.
//! * §2 says nothing of atomic sections (the tasks of Table 1 need them, and locks): one step has one stamp. If
//!   only the order on each variable were strict, `{a=y; x=1}` beside `{b=x; y=1}` could have equal stamps and
//!   a = b = 0. So what a section reads lies strictly below its stamp, and no other write to it has the same
//!   one. Only the last write of a section to a variable is exposed; later reads in it see earlier writes.
//! * §1 says of locks that locking sets a variable whose latest access was a reset. That the access stays
//!   the latest until then is the same rule: a lock is a section that reads the variable and writes it.
//! * The program in Fig. 1 ends when every thread has; a thread that blocks or fails would make the formula
//!   false. Here everything about an event is stated under its guard, so that each thread may stop.
//! * Arrays and the heap, which §5 leaves out: each cell that an address may reach has a timestore; an access
//!   counts in the one that its address selects.

pub mod clock;
mod read;
pub mod size;
pub mod store;

use super::faults::{self, Fault};
use super::linear::{Precedence, Touch};
use super::order::wire::{Accesses, Read};
use super::skeleton::{NodeId, Skeleton, StaticOrder, happening};
use super::{Claim, Model};
use crate::base::IdVec;
use crate::circuit::{Formula, Lit};
use crate::event::{CellId, EventId, EventKind, EventProgram};
use crate::term::TermId;
use clock::Clocks;
use size::{Layout, longest};
use store::Timestore;

/// The encoding of a program.
pub struct Timestamp {
    skeleton: Skeleton,
    order: StaticOrder,
    accesses: Accesses,
    clocks: Clocks,
    /// Of the cells that the solver has reads of.
    stores: IdVec<CellId, Option<Timestore>>,
    /// Whether a step writes to a timestore: as a literal, and as a term.
    writes: IdVec<NodeId, Lit>,
    write_terms: IdVec<NodeId, TermId>,
    /// Guard of each visible event that can happen; of a join: its guard and that it came through.
    happens: IdVec<EventId, Option<TermId>>,
    /// Joins whose order depends on a condition: the join, the end it waits for, the condition.
    joins: Vec<(NodeId, NodeId, TermId)>,
}

/// Sizes of an encoding, for people.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sizes {
    /// Timestores.
    pub stores: usize,
    /// Their places, without those of initial values.
    pub places: usize,
    /// The last timestamp, `MAXT - 1`.
    pub last_stamp: u32,
    /// Words that hold timestamps.
    pub words: usize,
}

impl Timestamp {
    /// States everything that ties reads to writes.
    pub fn encode(program: &mut EventProgram, formula: &mut Formula) -> Timestamp {
        let skeleton = Skeleton::of(program);
        let order = StaticOrder::of(program, &skeleton);
        let mut accesses = Accesses::of(program, &skeleton, &order);
        let happens = happening(program, &skeleton, &mut accesses.wires);
        let mut layouts: IdVec<CellId, Option<Layout>> =
            program.cells.ids().map(|_| None).collect();
        for read in &accesses.reads {
            if layouts[read.cell].is_none() {
                let layout = Layout::of(program, &skeleton, &order, &accesses, read.cell);
                layouts[read.cell] = Some(layout);
            }
        }
        let fals = program.terms.fals();
        let mut write_terms: IdVec<NodeId, TermId> = skeleton.nodes.ids().map(|_| fals).collect();
        for write in layouts.iter().flatten().flat_map(|l| l.writes.iter()) {
            for write in write {
                write_terms[write.node] = program.terms.or(write_terms[write.node], write.act);
            }
        }
        let writes = write_terms
            .iter()
            .map(|&t| formula.lit_of(&program.terms, t));
        let writes: IdVec<NodeId, Lit> = writes.collect();
        let mut kept: IdVec<NodeId, bool> = write_terms.iter().map(|&t| t != fals).collect();
        for read in &accesses.reads {
            kept[read.node] = true;
        }
        let conditional = conditional_joins(program, &skeleton, &order);
        for &(node, _) in &conditional {
            kept[node] = true;
        }
        let mut last = conditional.len() as u32;
        for chain in skeleton.chains.iter() {
            let acts: Vec<TermId> = chain.iter().map(|&node| write_terms[node]).collect();
            let acts: Vec<TermId> = acts.into_iter().filter(|&t| t != fals).collect();
            last += longest(&mut program.terms, &acts).1.last().unwrap_or(&0);
        }
        if faults::on(Fault::FewStamps) {
            last = last.saturating_sub(1);
        }
        let clocks = Clocks::new(program, formula, &skeleton, &order, (last, &kept), &writes);
        let mut scheme = Timestamp {
            skeleton,
            order,
            accesses,
            clocks,
            stores: IdVec::new(),
            writes,
            write_terms,
            happens,
            joins: Vec::new(),
        };
        scheme.state_joins(program, formula, &conditional);
        for (cell, layout) in layouts.ids().zip(layouts.clone().iter()) {
            let store = layout.clone().map(|layout| {
                Timestore::new(
                    program,
                    formula,
                    &scheme.skeleton,
                    &scheme.order,
                    &mut scheme.clocks,
                    (cell, layout),
                )
            });
            scheme.stores.push(store);
        }
        for read in scheme.accesses.reads.clone() {
            let sources = scheme
                .accesses
                .sources(program, &scheme.skeleton, &scheme.order, &read);
            read::state(program, formula, &scheme, &read, &sources.section);
        }
        scheme
    }

    /// A join comes through only after the end of the thread that it names.
    fn state_joins(
        &mut self,
        program: &mut EventProgram,
        formula: &mut Formula,
        conditional: &[(NodeId, EventId)],
    ) {
        for (node, info) in self.skeleton.nodes.clone().iter_ids() {
            for &event in &info.events {
                let EventKind::Join { targets, .. } = program.events[event].kind.clone() else {
                    continue;
                };
                if faults::on(Fault::JoinWithoutEnd) {
                    continue;
                }
                let ordered = !conditional.contains(&(node, event));
                let through_term = self.happens[event].unwrap_or(program.terms.fals());
                let through = formula.lit_of(&program.terms, through_term);
                let mut some = vec![!through];
                for (target, when) in targets {
                    let when_term = self.resolve(program, when);
                    let when = formula.lit_of(&program.terms, when_term);
                    let end = self.skeleton.end[target];
                    let Some((end, end_node)) =
                        end.and_then(|end| Some((end, self.skeleton.node_of[end]?)))
                    else {
                        formula.add_clause(&[!through, !when]);
                        continue;
                    };
                    some.push(when);
                    if faults::on(Fault::JoinAnyThread) && when != Lit::TRUE {
                        continue;
                    }
                    let ended = self.happens[end].unwrap_or(program.terms.fals());
                    let ended = formula.lit_of(&program.terms, ended);
                    formula.add_clause(&[!through, !when, ended]);
                    if ordered || faults::on(Fault::JoinOrder) || faults::on(Fault::JoinClock) {
                        continue;
                    }
                    let clock = self.clocks.of(node);
                    let strict = Lit::constant(!faults::on(Fault::JoinStamp));
                    for &word in &self.clocks.frontier[end_node] {
                        let later = self.clocks.compare(formula, word, clock, strict);
                        formula.add_clause(&[!through, !when, later]);
                    }
                    let waits = program.terms.and(through_term, when_term);
                    self.joins.push((end_node, node, waits));
                }
                formula.add_clause(&some);
            }
        }
    }

    /// Sizes.
    pub fn sizes(&self) -> Sizes {
        let stores = self.stores.iter().flatten();
        Sizes {
            stores: stores.clone().count(),
            places: stores.map(|store| store.entries.len()).sum(),
            last_stamp: self.clocks.last,
            words: self.clocks.words.len(),
        }
    }

    /// A term of the program with everything replaced that the static order decides.
    pub fn resolve(&mut self, program: &mut EventProgram, t: TermId) -> TermId {
        self.accesses.wires.instance(&mut program.terms, t)
    }

    /// Assertions and cuts that can happen, with the conditions that say whether they do.
    pub fn claims(&mut self, program: &mut EventProgram) -> Vec<Claim> {
        self.skeleton.claims(program, &mut self.accesses.wires)
    }

    /// What wired variables stand for, by variable; `None` for itself.
    pub fn definitions(&self) -> &[Option<TermId>] {
        self.accesses.wires.definitions()
    }

    /// The execution of a model up to a violated assertion or a cut: only what must come before it.
    ///
    /// Steps are ordered by their clocks. Of those with one clock, the steps that write come first: they do
    /// not read what another of them writes, nor write the same, so their order is free; the others see them
    /// all. Creations and joins have no circle among steps of one clock.
    pub fn decode(
        &self,
        program: &EventProgram,
        model: &mut dyn Model,
        target: EventId,
    ) -> Option<Vec<EventId>> {
        let mut happens = |event| self.happens[event].is_some_and(|guard| model.holds(guard));
        let nodes = self.skeleton.nodes.iter();
        let happening = nodes.map(|node| node.events.iter().any(|&event| happens(event)));
        let happening = happening.collect();
        let mut precedence = Precedence::new(&self.skeleton, &self.order, happening);
        for &(end, join, waits) in &self.joins {
            if model.holds(waits) {
                precedence.add(end, join);
            }
        }
        let mut times: Vec<(u64, bool)> = Vec::with_capacity(self.skeleton.nodes.len());
        for node in self.skeleton.nodes.ids() {
            let time = self.clocks.time(node, &mut |lit| model.lit(lit));
            times.push((time, !model.holds(self.write_terms[node])));
        }
        for touches in self.touches(model) {
            precedence.add_conflicts(&self.skeleton, &touches, |x, y| {
                times[x.0 as usize] < times[y.0 as usize]
            });
        }
        precedence.execution(program, &self.skeleton, target, |event| {
            self.happens[event].is_some_and(|guard| model.holds(guard))
        })
    }

    /// Accesses of each timestore in a model.
    fn touches(&self, model: &mut dyn Model) -> Vec<Vec<Touch>> {
        let mut touches: Vec<Vec<Touch>> = self.stores.iter().map(|_| Vec::new()).collect();
        for (list, store) in touches.iter_mut().zip(self.stores.iter()) {
            for write in store.iter().flat_map(|s| s.layout.writes.iter()).flatten() {
                if model.holds(write.act) {
                    list.push((write.node, true));
                }
            }
        }
        for &Read {
            node, cell, act, ..
        } in &self.accesses.reads
        {
            if model.holds(act) {
                touches[cell.0 as usize].push((node, false));
            }
        }
        touches
    }
}

/// Joins that give no static order.
fn conditional_joins(
    program: &EventProgram,
    skeleton: &Skeleton,
    order: &StaticOrder,
) -> Vec<(NodeId, EventId)> {
    let mut found = Vec::new();
    for (node, info) in skeleton.nodes.iter_ids() {
        for &event in &info.events {
            let join = matches!(program.events[event].kind, EventKind::Join { .. });
            if join && !order.joins.contains(&event) {
                found.push((node, event));
            }
        }
    }
    found
}
