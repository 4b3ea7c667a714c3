//! The scheme `timestamp`: the encoding of Yeolekar, Madhukar, Bhutada and Venkatesh, "Sequentialization Using
//! Timestamps" (the tool ConSequence), §2, as one formula.
//!
//! Each shared variable has a *timestore*: the values that are written to it, in order, with the times of the
//! writes. Each thread has a local clock. A write takes a free place of the store whose timestamp lies after
//! the thread's clock, and the clock moves there; a read takes the value at the latest place that is not after
//! the clock, which it may move forward first. Stores and timestamps are as many as the program may need
//! ([`size`]), so that no schedule is left out: the scheme has no bound.
//!
//! Figure by figure:
//!
//! * Fig. 2, `ct`, `procinit`, `procend`: [`clock`].
//! * Fig. 2, `sysinit`, `sysend`, `write_i`: [`store`]. `free` is the complement of "taken"; `last` and `count`
//!   are one, as places are taken without gaps. `loc_i` is the place of a thread's write, in unary.
//! * Fig. 2, `read_i`: [`read`].
//! * §2.2, after Eqn. 4 ("a read may acquire the timestamp of the preceding access"): clocks do not ascend
//!   strictly at reads, and reads that the static order decides have no clock at all.
//! * §5, same timestamps for independent writes: they are strict for each variable alone.
//! * §5, smaller stores: sized per path, and what lies behind the writes that ran is not looked at.
//!
//! *Known places.* A thread's writes are in program order, so the place of a write is open only against those
//! of other threads. Where the order of each two steps of different threads is a literal, tied to their clocks,
//! the latest write follows from those literals, and no place is guessed. Measured (seconds; guessed, known):
//! nine increments and decrements under a lock 32 and 1.6; three variables without lock 2.5 and 0.8;
//! szymanski with 6 iterations 30 and 1; fib_safe-12 5.6 and 1.9. Guessing is better where many threads write
//! once each, because it does not compare every pair of writes (six threads, `x++`: 0.2 and 1.1). So places are
//! guessed there only, or everywhere if [`Settings::guess_places`] asks for the paper's stores.
//! Literals alone, with no clocks but clauses against circles, are the scheme `order`.
//!
//! Errata of the print, what it leaves out, and what is done here:
//!
//! * Fig. 2, `write_i`: `icount++` is `count_i++`.
//! * Fig. 2, `procinit`: every thread's clock starts at 0, as if a main that does nothing else had created all
//!   at once; §2.2 assumes that. Here a thread starts with the clock of its creator, a join raises the clock to
//!   that of the thread's end, and main is a thread like any other. Initial values are those at the first
//!   creation. A join that the static order does not place takes a timestamp, or two threads could wait for
//!   each other's end and both get through.
//! * Fig. 2, `sysend`: `last_i == count_i` suits programs where every write happens. Where one does not, its
//!   place is free, and no read may ask for `ts[loc + 1] > ct` of it: the places that are taken are as many
//!   as writes ran, and only they are looked at.
//! * Fig. 3: the column of `value_j` has come apart; places 0 to 3 hold 1, 2, 5, 13 at times 0, 1, 3, 5.
//! * §2 says nothing of atomic sections. One step has one stamp; if only the order on each variable were
//!   strict, `{a=y; x=1}` beside `{b=x; y=1}` could have equal stamps and a = b = 0. So what a section reads
//!   lies below its stamp, and no other write to it has the same one (in [`read`]; between literals, equal
//!   stamps are ordered by thread). Only a section's last write to a variable is exposed; its own later reads
//!   see the earlier ones.
//! * §1 says of locks that locking sets a variable whose latest access was a reset. That it stays the latest
//!   until then is the same rule: a lock is a section that reads the variable and writes it.
//! * The program in Fig. 1 ends when every thread has; as one formula, a thread that blocks would hide what
//!   others do. Here everything about an event is stated under its guard, so that each thread may stop.
//! * Arrays and the heap, which §5 leaves out: each cell that an address may reach has a timestore; an access
//!   counts in the one that its address selects.

pub mod clock;
mod read;
mod settings;
pub mod size;
pub mod store;

pub use settings::Settings;

use super::{Beyond, Encoded};
use crate::base::{Budget, IdVec, StopReason};
use crate::circuit::{Formula, Lit};
use crate::event::{CellId, EventId, EventKind, EventProgram, ThreadId};
use crate::goal::{Claim, Model};
use crate::relation::access::{Accesses, Read};
use crate::relation::join;
use crate::relation::linear::{Precedence, Touch};
use crate::relation::program_order::{ProgramOrder, StepId, happening};
use crate::relation::resolve::resolve;
use crate::relation::source;
use crate::relation::static_order::StaticOrder;
use crate::scheme::faults::{self, Fault};
use crate::term::TermId;
use clock::{Clocks, Times};
use size::{Layout, longest};
use store::Timestore;

/// Threads that write a variable, from which on guessing the places of their writes pays.
const MANY_WRITERS: usize = 4;

/// The encoding of a program.
pub struct Timestamp {
    po: ProgramOrder,
    order: StaticOrder,
    accesses: Accesses,
    /// The condition that a step writes to a variable that the solver has reads of.
    writes: IdVec<StepId, TermId>,
    /// Guard of each visible event that can happen; of a join: its guard and that it came through.
    happens: IdVec<EventId, Option<TermId>>,
    /// Joins whose order depends on a condition: the end, the join that waits for it, the condition.
    joins: Vec<(StepId, StepId, TermId)>,
    /// Clock after each step, to read in models.
    times: Times,
    sizes: Sizes,
}

/// Sizes of an encoding, for people.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sizes {
    /// Timestores.
    pub stores: usize,
    /// Timestores in which places are guessed.
    pub guessed: usize,
    /// The last timestamp, `MAXT - 1`.
    pub last_stamp: u32,
    /// Words that hold timestamps.
    pub words: usize,
}

impl Timestamp {
    /// States everything that ties reads to writes. Every write guesses its place if `guess_all`, otherwise where
    /// that pays.
    ///
    /// # Errors
    /// The budget ended it.
    pub fn encode(
        program: &mut EventProgram,
        formula: &mut Formula,
        guess_all: bool,
        budget: &Budget,
    ) -> Result<Timestamp, StopReason> {
        let po = ProgramOrder::of(program);
        let order = StaticOrder::of(program, &po);
        let mut accesses = resolve(program, &po, &order);
        let happens = happening(program, &po, &mut accesses.substitution);
        let writes = writing(program, &po, &accesses);
        let fals = program.terms.fals();
        let mut kept: IdVec<StepId, bool> = writes.iter().map(|&t| t != fals).collect();
        for read in &accesses.reads {
            kept[read.step] = true;
        }
        let conditional = conditional_joins(program, &po, &order);
        for &(step, _) in &conditional {
            kept[step] = true;
        }
        // Each step that writes takes a stamp, and each join that the static order does not place.
        let mut last = conditional.len() as u32;
        for chain in po.chains.iter() {
            let acts = chain.iter().map(|&step| writes[step]);
            let acts: Vec<TermId> = acts.filter(|&t| t != fals).collect();
            last += longest(&mut program.terms, &acts).1.last().unwrap_or(&0);
        }
        if faults::on(Fault::FewStamps) {
            last = last.saturating_sub(1);
        }
        let lits = writes.iter().map(|&t| formula.lit_of(&program.terms, t));
        let lits = lits.collect();
        let mut clocks = Clocks::new(program, formula, &po, &order, (last, &kept), lits);
        let mut scheme = Timestamp {
            po,
            order,
            accesses,
            writes,
            happens,
            joins: Vec::new(),
            times: Times::default(),
            sizes: Sizes::default(),
        };
        scheme.state_joins(program, formula, &clocks, &conditional);
        scheme.state_reads(program, formula, &mut clocks, guess_all, budget)?;
        scheme.sizes.last_stamp = last;
        scheme.sizes.words = clocks.words.len();
        scheme.times = clocks.into_times();
        Ok(scheme)
    }

    /// A read that happens takes the value of the latest write.
    fn state_reads(
        &mut self,
        program: &mut EventProgram,
        formula: &mut Formula,
        clocks: &mut Clocks,
        guess_all: bool,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        // The reads of each variable, in the order of their steps.
        let mut reads: Vec<Vec<Read>> = program.cells.ids().map(|_| Vec::new()).collect();
        for read in &self.accesses.reads {
            reads[read.cell.0 as usize].push(*read);
        }
        for reads in reads.into_iter().filter(|reads| !reads.is_empty()) {
            if let Some(reason) = budget.check() {
                return Err(reason);
            }
            let cell = reads[0].cell;
            let layout = Layout::of(program, &self.po, &self.order, &self.accesses, cell);
            self.sizes.stores += 1;
            let mut store = None;
            if guess_all || guessing_pays(&layout, program.cells[cell].sync) {
                let order = (&self.po, &self.order);
                let made = Timestore::new(program, formula, order, clocks, (cell, layout));
                store = Some(made);
                self.sizes.guessed += 1;
            }
            for read in &reads {
                let order = (&self.po, &self.order);
                let sources = self.accesses.sources(program, order.0, order.1, read);
                match &store {
                    Some(store) => {
                        let latest = (store, read);
                        read::state(program, formula, order, clocks, latest, &sources.section);
                    }
                    None => {
                        let mut precedes = |formula: &mut Formula, x, y| {
                            clocks.precedes(formula, order.0, order.1, (x, y))
                        };
                        source::state(program, formula, &mut precedes, read, &sources, &|_| false);
                    }
                }
            }
        }
        Ok(())
    }

    /// A join comes through only after the end of the thread that it names.
    fn state_joins(
        &mut self,
        program: &mut EventProgram,
        formula: &mut Formula,
        clocks: &Clocks,
        conditional: &[(StepId, EventId)],
    ) {
        self.joins = join::state(
            program,
            formula,
            &self.po,
            &self.happens,
            &mut self.accesses.substitution,
            |formula, event, end, step| {
                if !conditional.contains(&(step, event)) || faults::on(Fault::JoinClock) {
                    return None;
                }
                let clock = clocks.of(step);
                let strict = Lit::constant(!faults::on(Fault::JoinStamp));
                let words = clocks.frontier[end].iter();
                let later = words.map(|&word| clocks.compare(formula, word, clock, strict));
                Some(later.collect())
            },
        );
    }

    /// Sizes.
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// Accesses in a model of each variable that the solver has reads of.
    fn touches(&self, model: &mut dyn Model) -> Vec<Vec<Touch>> {
        let mut touches: Vec<Vec<Touch>> = Vec::new();
        touches.resize_with(self.accesses.writes.len(), Vec::new);
        for read in &self.accesses.reads {
            if model.holds(read.act) {
                touches[read.cell.0 as usize].push((read.step, false));
            }
        }
        for (list, writes) in touches.iter_mut().zip(self.accesses.writes.iter()) {
            if list.is_empty() {
                continue;
            }
            for write in writes.iter().flatten() {
                if model.holds(write.act) {
                    list.push((write.step, true));
                }
            }
        }
        touches
    }
}

/// For each step, the condition that it writes to a variable that the solver has reads of.
fn writing(
    program: &mut EventProgram,
    po: &ProgramOrder,
    accesses: &Accesses,
) -> IdVec<StepId, TermId> {
    let fals = program.terms.fals();
    let mut writes: IdVec<StepId, TermId> = po.steps.ids().map(|_| fals).collect();
    let mut read: IdVec<CellId, bool> = program.cells.ids().map(|_| false).collect();
    for one in &accesses.reads {
        read[one.cell] = true;
    }
    let written = accesses.writes.iter_ids().filter(|(cell, _)| read[*cell]);
    for (_, lists) in written {
        for write in lists.iter().flatten() {
            writes[write.step] = program.terms.or(writes[write.step], write.act);
        }
    }
    writes
}

/// True if the places of writes are better guessed than found by comparing all pairs: measured, where many
/// threads write a variable once each.
fn guessing_pays(layout: &Layout, sync: bool) -> bool {
    let writers = layout.writes.iter().filter(|list| !list.is_empty());
    !sync && writers.clone().count() >= MANY_WRITERS && writers.clone().all(|list| list.len() == 1)
}

/// Joins that give no static order.
fn conditional_joins(
    program: &EventProgram,
    po: &ProgramOrder,
    order: &StaticOrder,
) -> Vec<(StepId, EventId)> {
    let mut found = Vec::new();
    for (step, info) in po.steps.iter_ids() {
        for &event in &info.events {
            let join = matches!(program.events[event].kind, EventKind::Join { .. });
            if join && !order.joins.contains(&event) {
                found.push((step, event));
            }
        }
    }
    found
}

impl Encoded for Timestamp {
    fn resolve(&mut self, program: &mut EventProgram, t: TermId) -> TermId {
        self.accesses.substitution.instance(&mut program.terms, t)
    }

    fn claims(&mut self, program: &mut EventProgram) -> Vec<Claim> {
        self.po.claims(program, &mut self.accesses.substitution)
    }

    fn definitions(&self) -> &[Option<TermId>] {
        self.accesses.substitution.definitions()
    }

    fn decode(
        &self,
        program: &EventProgram,
        model: &mut dyn Model,
        target: EventId,
    ) -> Option<Vec<EventId>> {
        let mut happens = |event| self.happens[event].is_some_and(|guard| model.holds(guard));
        let steps = self.po.steps.iter();
        let happening = steps.map(|step| step.events.iter().any(|&event| happens(event)));
        let happening = happening.collect();
        let mut precedence = Precedence::new(&self.po, &self.order, happening);
        for &(end, join, waits) in &self.joins {
            if model.holds(waits) {
                precedence.add(end, join);
            }
        }
        let mut times: Vec<(u64, bool, ThreadId)> = Vec::with_capacity(self.po.steps.len());
        for (id, step) in self.po.steps.iter_ids() {
            let time = self.times.after(id, &mut |lit| model.lit(lit));
            times.push((time, !model.holds(self.writes[id]), step.thread));
        }
        for touches in self.touches(model) {
            precedence.add_conflicts(&self.po, &touches, |x, y| {
                times[x.0 as usize] < times[y.0 as usize]
            });
        }
        precedence.execution(program, &self.po, target, |event| {
            self.happens[event].is_some_and(|guard| model.holds(guard))
        })
    }

    fn beyond(&mut self, _: &mut EventProgram, _: &mut Formula) -> Beyond {
        Beyond::None
    }

    fn figures(&self) -> Vec<(&'static str, usize)> {
        let sizes = self.sizes();
        vec![
            ("timestores", sizes.stores),
            ("guessed", sizes.guessed),
            ("timestamps", sizes.last_stamp as usize),
        ]
    }
}
