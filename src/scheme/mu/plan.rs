//! Plan of an unwinding, with which the guessed writes are matched: the steps of threads, what each writes and reads,
//! and how far it may be from the first write.
//!
//! *Writes are counted as people count them.* One write is what one instruction stores, however many cells that are
//! (bytes that are also accessed one by one), and what one call of a function of the library changes in one step. Freeing
//! memory that other threads use is a write as well: they see that it is gone. What main does
//! before it creates the first thread counts nothing: it makes up what memory holds at first. A thread's result is
//! not written to memory by anything in the program; whoever has joined the thread knows it.
//!
//! *A thread may stop before any write.* The condition that it has not is a variable for each step that writes
//! ([`Plan::ran`]); whatever comes after needs it. So the writes that are guessed are those before the violation.

use super::super::timestamp::size::longest;
use crate::base::id::Id;
use crate::base::{IdVec, Loc};
use crate::event::{CellId, Event, EventId, EventKind, EventProgram, ThreadId};
use crate::relation::access::{Accesses, Read, Write};
use crate::relation::program_order::{ProgramOrder, StepId};
use crate::relation::resolve::resolve;
use crate::relation::static_order::StaticOrder;
use crate::scheme::faults::{self, Fault};
use crate::term::TermId;

/// Value that one write leaves in one cell.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    /// The cell.
    pub cell: CellId,
    /// The condition that it is written, if the step runs.
    pub act: TermId,
    /// Value that it then holds.
    pub value: TermId,
}

/// One write, as they are counted.
#[derive(Clone, Debug)]
pub struct Group {
    /// The condition that it happens, if the step runs.
    pub act: TermId,
    /// Values that it leaves, each cell once.
    pub stored: Vec<Stored>,
    /// True if one event makes the write, so that at most one cell is written.
    pub single: bool,
}

/// A read that looks at memory.
#[derive(Clone, Debug)]
pub struct Look {
    /// Its variable.
    pub value: TermId,
    /// Cells that it may read, with the conditions that it does, if the step runs.
    pub cells: Vec<(CellId, TermId)>,
    /// Writes before it in its own step that it may see instead, in program order.
    pub section: Vec<Write>,
}

/// A condition and two words that are equal where it holds.
#[derive(Clone, Copy, Debug)]
pub struct Tie {
    /// The condition.
    pub when: TermId,
    /// A word.
    pub one: TermId,
    /// Another one of the same width.
    pub other: TermId,
}

/// The steps of a program, and what they write and read.
pub struct Plan {
    /// The steps.
    pub po: ProgramOrder,
    /// The order that holds in every execution.
    pub order: StaticOrder,
    /// Accesses, with reads resolved that the static order decides.
    pub accesses: Accesses,
    /// For each step: its thread has come so far and executes it (what of it has a true guard).
    pub ran: IdVec<StepId, TermId>,
    /// Writes of each step, in program order.
    pub groups: IdVec<StepId, Vec<Group>>,
    /// Reads of each step.
    pub looks: IdVec<StepId, Vec<Look>>,
    /// Value of each cell when the first thread is created.
    pub initial: IdVec<CellId, TermId>,
    /// Reads that see what is there before the first thread, or the result of a thread.
    pub ties: Vec<Tie>,
    /// Bounds of the number of writes before each step: at least and at most.
    pub window: IdVec<StepId, (u32, u32)>,
    /// The most writes that an execution has.
    pub most: u32,
}

impl Plan {
    /// Looks at a program. Conditions that say how far threads have come are new variables of it.
    pub fn of(program: &mut EventProgram) -> Plan {
        let po = ProgramOrder::of(program);
        let order = StaticOrder::of(program, &po);
        let accesses = resolve(program, &po, &order);
        let tru = program.terms.tru();
        let mut plan = Plan {
            ran: po.steps.ids().map(|_| tru).collect(),
            groups: po.steps.ids().map(|_| Vec::new()).collect(),
            looks: po.steps.ids().map(|_| Vec::new()).collect(),
            initial: program.cells.iter().map(|cell| cell.init).collect(),
            ties: Vec::new(),
            window: po.steps.ids().map(|_| (0, 0)).collect(),
            most: 0,
            po,
            order,
            accesses,
        };
        let started = plan.started(program);
        let mut writes: IdVec<StepId, Vec<(CellId, Write)>> =
            plan.po.steps.ids().map(|_| Vec::new()).collect();
        for (cell, lists) in plan.accesses.writes.iter_ids() {
            for write in lists.iter().flatten() {
                writes[write.step].push((cell, *write));
            }
        }
        for (step, list) in plan.po.steps.ids().zip(writes.iter_mut()) {
            let events = &plan.po.steps[step].events;
            let place = |event: EventId| events.iter().position(|&id| id == event);
            list.sort_by_key(|(_, write)| place(write.event));
        }
        let mut reads: IdVec<StepId, Vec<Read>> = plan.po.steps.ids().map(|_| Vec::new()).collect();
        for read in &plan.accesses.reads {
            reads[read.step].push(*read);
        }
        for step in plan.order.linear.clone() {
            plan.add_reads(program, &reads[step], started[step]);
            plan.add_writes(program, &writes[step], started[step], step);
        }
        plan.state_progress(program);
        plan.count(program);
        plan
    }

    /// For each step, the condition that a thread has been created before it.
    fn started(&self, program: &mut EventProgram) -> IdVec<StepId, TermId> {
        let tru = program.terms.tru();
        let mut started: IdVec<StepId, TermId> = self.po.steps.ids().map(|_| tru).collect();
        let mut now = program.terms.fals();
        for &step in &self.po.chains[ThreadId(0)] {
            started[step] = now;
            if faults::on(Fault::PrologueCounts) {
                started[step] = tru;
            }
            for &event in &self.po.steps[step].events {
                if matches!(program.events[event].kind, EventKind::Create { .. }) {
                    now = program.terms.or(now, program.events[event].guard);
                }
            }
        }
        started
    }

    /// The reads of a step, by event.
    fn add_reads(&mut self, program: &mut EventProgram, reads: &[Read], started: TermId) {
        let started = self
            .accesses
            .substitution
            .instance(&mut program.terms, started);
        let tru = program.terms.tru();
        for parts in reads.chunk_by(|a, b| a.event == b.event) {
            let mut look = Look {
                value: parts[0].value,
                cells: Vec::new(),
                section: Vec::new(),
            };
            for read in parts {
                if program.is_result(read.cell) {
                    self.tie_result(program, read);
                    continue;
                }
                if started != tru {
                    self.tie_early(program, read, started);
                }
                let act = program.terms.and(read.act, started);
                if act == program.terms.fals() {
                    continue;
                }
                let sources = self.accesses.sources(program, &self.po, &self.order, read);
                // Writes of the step to different cells exclude each other by what they are to.
                for write in sources.section {
                    let both = program.terms.and(write.act, read.act);
                    look.section.push(Write { act: both, ..write });
                }
                look.cells.push((read.cell, act));
            }
            let events = &self.po.steps[parts[0].step].events;
            let place = |event: EventId| events.iter().position(|&id| id == event);
            look.section.sort_by_key(|write| place(write.event));
            if !look.cells.is_empty() {
                self.looks[parts[0].step].push(look);
            }
        }
    }

    /// A read before any other thread is there.
    fn tie_early(&mut self, program: &mut EventProgram, read: &Read, started: TermId) {
        let mut value = self.initial[read.cell];
        let sources = self.accesses.sources(program, &self.po, &self.order, read);
        for write in &sources.section {
            value = program.terms.ite(write.act, write.value, value);
        }
        let alone = program.terms.not(started);
        let when = program.terms.and(read.act, alone);
        self.ties.push(Tie {
            when,
            one: read.value,
            other: value,
        });
    }

    /// Ties a read by those who join a thread to the result that the thread has left.
    fn tie_result(&mut self, program: &mut EventProgram, read: &Read) {
        let mut value = program.cells[read.cell].init;
        for write in self.accesses.writes[read.cell].iter().flatten() {
            value = program.terms.ite(write.act, write.value, value);
        }
        self.ties.push(Tie {
            when: read.act,
            one: read.value,
            other: value,
        });
    }

    /// The writes of a step, as they are counted.
    fn add_writes(
        &mut self,
        program: &mut EventProgram,
        writes: &[(CellId, Write)],
        started: TermId,
        step: StepId,
    ) {
        let started = self
            .accesses
            .substitution
            .instance(&mut program.terms, started);
        let alone = program.terms.not(started);
        let writes: Vec<_> = writes
            .iter()
            .filter(|(cell, _)| !program.is_result(*cell))
            .collect();
        let mut open: Option<(EventId, Group)> = None;
        for &&(cell, write) in &writes {
            let early = program.terms.and(write.act, alone);
            let terms = &mut program.terms;
            self.initial[cell] = terms.ite(early, write.value, self.initial[cell]);
            let act = terms.and(write.act, started);
            if act == terms.fals() {
                continue;
            }
            let joined = open.as_ref().is_some_and(|(event, _)| {
                is_one_write(&program.events[*event], &program.events[write.event])
            });
            if !joined && let Some((_, group)) = open.take() {
                self.groups[step].push(group);
            }
            let terms = &mut program.terms;
            let (event, group) = open.get_or_insert_with(|| {
                let none = Group {
                    act: terms.fals(),
                    stored: Vec::new(),
                    single: true,
                };
                (write.event, none)
            });
            group.single &= *event == write.event;
            group.act = terms.or(group.act, act);
            match group.stored.iter_mut().find(|s| s.cell == cell) {
                Some(stored) => {
                    stored.value = terms.ite(act, write.value, stored.value);
                    stored.act = terms.or(stored.act, act);
                }
                None => group.stored.push(Stored {
                    cell,
                    act,
                    value: write.value,
                }),
            }
        }
        self.groups[step].extend(open.map(|(_, group)| group));
    }

    /// A variable for each step that writes: its thread has not stopped before it.
    fn state_progress(&mut self, program: &mut EventProgram) {
        for step in self.order.linear.clone() {
            self.ran[step] = if self.groups[step].is_empty() {
                self.before(program, step)
            } else {
                program.terms.fresh(&format!("ran{}", step.0), 1)
            };
        }
    }

    /// The condition that a step's thread has come to it.
    pub fn before(&self, program: &EventProgram, step: StepId) -> TermId {
        let earlier = match self.po.previous(step) {
            Some(previous) => Some(previous),
            None => {
                let create = program.threads[self.po.steps[step].thread].created_by;
                create.and_then(|create| self.po.step_of[create])
            }
        };
        earlier.map_or(program.terms.tru(), |earlier| self.ran[earlier])
    }

    /// The condition that a thread has come so far that `after` of its steps have begun.
    pub fn begun(&self, program: &EventProgram, thread: ThreadId, after: u32) -> TermId {
        let last = match after.checked_sub(1) {
            Some(last) => Some(self.po.chains[thread][last as usize]),
            None => {
                let create = program.threads[thread].created_by;
                create.and_then(|create| self.po.step_of[create])
            }
        };
        last.map_or(program.terms.tru(), |last| self.ran[last])
    }

    /// Bounds of the number of writes before each step. What is certain only under conditions does not count as
    /// certain: a step that does not happen has a place, too, and it must not be farther than that of what happens
    /// after it.
    fn count(&mut self, program: &mut EventProgram) {
        // By thread: where its writes are, and the most among its first 0, 1, 2, … ones.
        let mut places: Vec<Vec<StepId>> = Vec::new();
        let mut most: Vec<Vec<u32>> = Vec::new();
        let mut certain: Vec<Vec<u32>> = Vec::new();
        let tru = program.terms.tru();
        for chain in self.po.chains.iter() {
            let (mut steps, mut acts, mut sure) = (Vec::new(), Vec::new(), vec![0]);
            for &step in chain {
                for group in &self.groups[step] {
                    steps.push(step);
                    acts.push(group.act);
                    let last = sure.last().copied().unwrap_or(0);
                    sure.push(last + u32::from(group.act == tru));
                }
            }
            most.push(longest(&mut program.terms, &acts).1);
            places.push(steps);
            certain.push(sure);
        }
        for step in self.po.steps.ids() {
            let own = self.po.steps[step].thread.index();
            let (mut least, mut farthest) = (0, 0);
            for (thread, steps) in places.iter().enumerate() {
                let before = steps.partition_point(|&n| self.order.before(&self.po, n, step));
                least += certain[thread][before];
                let open = if thread == own {
                    before
                } else {
                    steps.partition_point(|&n| !self.order.before(&self.po, step, n))
                };
                farthest += most[thread][open];
            }
            if faults::on(Fault::WindowShort) {
                farthest = farthest.saturating_sub(1).max(least);
            }
            self.window[step] = (least, farthest);
        }
        self.most = most.iter().filter_map(|most| most.last()).sum();
    }
}

/// True if two writes of one step count as one: those of one instruction, and those of one call of a library's
/// function, such as taking a recursive mutex.
fn is_one_write(a: &Event, b: &Event) -> bool {
    // What a model does happens where it is called; calls within models are nowhere.
    let call = |event: &Event| {
        let known = event.calls.iter().rposition(|loc| *loc != Loc::NONE)?;
        (event.calls[known] == event.loc).then_some(known)
    };
    let same = match (call(a), call(b)) {
        (Some(one), Some(other)) => {
            // Each activation has a list of its own; a model that calls another one has the same beginning.
            let direct = one + 1 == a.calls.len() && other + 1 == b.calls.len();
            a.calls[..=one] == b.calls[..=other]
                && (!direct || std::sync::Arc::ptr_eq(&a.calls, &b.calls))
        }
        _ => false,
    };
    a.position == b.position || same
}
