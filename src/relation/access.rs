//! Accesses of a program's steps: its writes by cell and chain, its reads, and the writes that a read may take its value
//! from, given the static order.

use super::program_order::{ProgramOrder, StepId};
use super::static_order::StaticOrder;
use crate::base::IdVec;
use crate::event::{CellId, EventId, EventKind, EventProgram, Target, ThreadId};
use crate::reduce::implication::implies;
use crate::reduce::substitution::Substitution;
use crate::relation::faults::{self, Fault};
use crate::term::TermId;

/// A write to one cell.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    /// Its step.
    pub step: StepId,
    /// The event.
    pub event: EventId,
    /// Guard of the write to this cell: the event's guard and the condition of the target.
    pub act: TermId,
    /// Stored value.
    pub value: TermId,
}

/// A read of a cell whose value is left to the solver.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    /// Its step.
    pub step: StepId,
    /// The event.
    pub event: EventId,
    /// The cell.
    pub cell: CellId,
    /// Guard of the read of this cell: the event's guard and the condition of the target.
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

/// Places of each write event's entries among its chain's writes of a cell ([`Accesses::writes`]), in the order of its
/// targets; `None` for a target that it never writes.
pub type Entries = IdVec<EventId, Vec<Option<usize>>>;

/// Accesses of an event program; after static resolution, if [`resolve`](super::resolve::resolve) made them.
pub struct Accesses {
    /// Writes of each cell by chain (the steps of a thread, or buffered writes of it), in program order.
    pub writes: IdVec<CellId, IdVec<ThreadId, Vec<Write>>>,
    /// Reads that the solver decides, in the order of their steps.
    pub reads: Vec<Read>,
    /// Terms with resolved variables replaced.
    pub substitution: Substitution,
    /// Number of resolved reads.
    pub resolved: usize,
}

impl Accesses {
    /// All writes of a program, before anything is resolved; and for each write event, the places of its targets'
    /// entries.
    pub fn unresolved(program: &mut EventProgram, po: &ProgramOrder) -> (Accesses, Entries) {
        let chains = po.chains.len();
        let mut accesses = Accesses {
            writes: program
                .cells
                .ids()
                .map(|_| (0..chains).map(|_| Vec::new()).collect())
                .collect(),
            reads: Vec::new(),
            substitution: Substitution::default(),
            resolved: 0,
        };
        // What memory holds at first comes before every read: its variables are no read's to replace.
        for cell in program.cells.iter() {
            accesses
                .substitution
                .instance(&mut program.terms, cell.init);
        }
        let mut places: Entries = program.events.ids().map(|_| Vec::new()).collect();
        for (id, step) in po.steps.iter_ids() {
            for &event in &step.events {
                let EventKind::Write { value, targets, .. } = &program.events[event].kind else {
                    continue;
                };
                let (value, targets) = (*value, targets.clone());
                for target in targets {
                    let act = act(program, event, target);
                    let entry = (act != program.terms.fals()).then(|| {
                        let list = &mut accesses.writes[target.cell][step.thread];
                        list.push(Write {
                            step: id,
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
        (accesses, places)
    }

    /// Writes of a read's own thread to its cell up to the read's step, in program order; what comes after it in a
    /// section is left in for who looks at places within the step.
    fn own_writes(&self, po: &ProgramOrder, read: &Read) -> Vec<Write> {
        let reader = po.steps[read.step].thread;
        let rank = |event: EventId| po.rank[event];
        let mut own: Vec<Write> = Vec::new();
        for (chain, list) in self.writes[read.cell].iter_ids() {
            if is_own(po, chain, reader) {
                let before = |write: &&Write| {
                    write.step == read.step || rank(write.event) < rank(read.event)
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
        po: &ProgramOrder,
        order: &StaticOrder,
        read: &Read,
    ) -> Sources {
        let reader = &po.steps[read.step];
        let mut sources = Sources {
            initial: true,
            ..Sources::default()
        };
        // Writes that happen whenever the read does, in steps before it: the last of each thread.
        let mut certain: Vec<Write> = Vec::new();
        let lists = &self.writes[read.cell];
        let all_own;
        let own = if po.is_buffered() {
            all_own = self.own_writes(po, read);
            &all_own
        } else {
            &lists[reader.thread]
        };
        let place = |event: EventId| reader.events.iter().position(|&id| id == event);
        // The steps of a chain have ascending numbers; of several chains, all that are left are before the read.
        let several = po.is_buffered();
        for write in own
            .iter()
            .rev()
            .filter(|write| several || write.step <= read.step)
        {
            if write.step == read.step {
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
                if write.step == read.step {
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
            if is_own(po, chain, reader.thread) || list.is_empty() {
                continue;
            }
            let before = order.clocks[read.step][chain.0 as usize];
            let first_open = list.partition_point(|write| po.steps[write.step].index < before);
            let end = list.partition_point(|write| !order.before(po, read.step, write.step));
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
                .any(|last| order.before(po, write.step, last.step))
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
                        next.step == list[i].step
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

/// Visibility within a thread: true if a read of one chain sees the writes of another in program order, because both
/// are chains of one thread.
pub(super) fn is_own(po: &ProgramOrder, chain: ThreadId, reader: ThreadId) -> bool {
    if faults::on(Fault::NoForwarding) {
        chain == reader
    } else {
        po.owner[chain] == po.owner[reader]
    }
}

/// Guard of an access to one of its targets: the event's guard and the condition of the target.
pub(super) fn act(program: &mut EventProgram, event: EventId, target: Target) -> TermId {
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
