//! Ranges of what reads return and writes store, so that words are no wider than their values.
//!
//! The program's own ranges ([`narrow`](crate::reduce::value_range)) hold whatever the order; these know it.
//! A level is of accesses with at most so many writing steps before them ([`range`](crate::reduce::range)). Each write
//! is followed by itself: a read has the initial value or what its sources write on the level below, or before it in
//! its own section. Sources are those that the static order leaves. What never changes from one level to the next is
//! found on the first few; what grows, such as a counter, ends at the level that has all writing steps. If that is too
//! far, what still changes is taken for unknown.
//!
//! Under a weak memory model, a write counts where it is issued: whoever reads it does so later, its own thread
//! included, and the writes before it on its chain were issued before it.
//!
//! Ranges hold of accesses that happen. Nothing that happens depends on the variable of a read that does not.

use super::access::{Accesses, Read, Write};
use super::program_order::ProgramOrder;
use super::static_order::StaticOrder;
use crate::base::IdVec;
use crate::base::id::Id;
use crate::event::{CellId, EventId, EventKind, EventProgram, ThreadId};
use crate::reduce::range::{
    PRESERVES_ON_LEVELS, RangeAccess, RangeLevels, RangePlace, RangeRead, RangeRule, RangeSource,
    RangeWrite,
};
use crate::relation::faults::{self, Fault};
use crate::term::range::{Domain, Range};
use crate::term::{Fact, VarId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Evaluations of terms after which what still changes is taken for unknown.
const EVALUATIONS: usize = 1_500_000;

/// Rounds of taking for unknown after which nothing is known.
const WIDENINGS: usize = 12;

/// Ranges of a program's accesses.
#[derive(Default)]
pub struct Ranges {
    /// Ranges of what reads return, by variable.
    reads: Vec<Option<Range>>,
    /// Ranges of what is written, by event and cell; `None` if it never is.
    writes: Table<Option<Range>>,
}

/// Writes of single cells.
type Table<V> = HashMap<(EventId, CellId), V, FxBuildHasher>;

impl Ranges {
    /// Computes ranges over the program's own terms. `accesses` has all writes, and nothing is resolved yet.
    pub fn of(
        program: &mut EventProgram,
        po: &ProgramOrder,
        order: &StaticOrder,
        accesses: &Accesses,
    ) -> Ranges {
        if !PRESERVES_ON_LEVELS.contain(program.goals()) {
            return Ranges::default();
        }
        let mut writes: Table<(RangePlace, Write)> = Table::default();
        let mut writing = vec![false; po.steps.len()];
        for (cell, lists) in accesses.writes.iter_ids() {
            for write in lists.iter().flatten() {
                let place = RangePlace::from_index(writes.len());
                writes.insert((write.event, cell), (place, *write));
                writing[write.step.index()] = true;
            }
        }
        let visited = visited(program, po, order, accesses, &writes);
        let variables = visited.iter().filter_map(|access| match access {
            RangeAccess::Read(read) => Some(read.variable),
            RangeAccess::Write(_) => None,
        });
        let terms = &program.terms;
        let mut ascent = Ascent {
            levels: RangeLevels::new(terms, &visited, variables.collect(), 0),
            reads: SeenReads {
                seen: vec![None; terms.variables()],
                unknown: vec![false; terms.variables()],
                changed: Vec::new(),
            },
            reach: 0,
        };
        let last = if faults::on(Fault::RangeEarly) {
            0
        } else {
            writing.into_iter().filter(|&writes| writes).count()
        };
        if ascent.levels.evaluation.size() > EVALUATIONS / 8 || !ascent.rise(last) {
            return Ranges::default();
        }
        let stored = ascent.levels.stored;
        let writes = writes.into_iter();
        Ranges {
            reads: ascent.reads.seen,
            writes: writes
                .map(|(key, (place, _))| (key, stored[place]))
                .collect(),
        }
    }

    /// Range of what reads with a variable return, if they happen; `None` if nothing is known, or if they never happen.
    pub fn read(&self, var: VarId) -> Option<Range> {
        self.reads.get(var.index()).copied().flatten()
    }

    /// Range of what a write stores in a cell; `Some(None)` if it never does, `None` if nothing is known.
    pub fn write(&self, event: EventId, cell: CellId) -> Option<Option<Range>> {
        self.writes.get(&(event, cell)).copied()
    }
}

/// All accesses in an order that agrees with the static one. Writes have places of their own.
fn visited(
    program: &mut EventProgram,
    po: &ProgramOrder,
    order: &StaticOrder,
    accesses: &Accesses,
    writes: &Table<(RangePlace, Write)>,
) -> Vec<RangeAccess> {
    let mut visited = Vec::new();
    let tru = program.terms.tru();
    // By thread: its writing steps so far that always happen, with those of who created it.
    let mut certain: IdVec<ThreadId, u32> = po.chains.ids().map(|_| 0).collect();
    for &step in &order.linear {
        let thread = po.steps[step].thread;
        let mut always = false;
        for &event in &po.steps[step].events {
            let happens = program.events[event].guard;
            let least = certain[thread];
            match program.events[event].kind.clone() {
                EventKind::Read { value, targets, .. } => {
                    let (mut initial, mut section, mut others) = (vec![], vec![], vec![]);
                    for target in targets {
                        let cell = target.cell;
                        let act = program.terms.and(happens, target.when);
                        if act == program.terms.fals() {
                            continue;
                        }
                        let read = Read {
                            step,
                            event,
                            cell,
                            act,
                            value,
                        };
                        let sources = accesses.sources(program, po, order, &read);
                        if sources.initial {
                            initial.push(RangeSource::Term(program.cells[cell].init));
                        }
                        let place = |write: &Write| writes[&(write.event, cell)].0;
                        let below = |write: &Write| RangeSource::Below(place(write));
                        let before = sources.section.iter().map(place);
                        section.extend(before.map(RangeSource::Stored));
                        others.extend(sources.own.iter().map(below));
                        let skip = usize::from(faults::on(Fault::RangeSource));
                        others.extend(sources.others.iter().skip(skip).flatten().map(below));
                    }
                    let variable = value;
                    let sources = [initial, section, others].concat();
                    visited.push(RangeAccess::Read(RangeRead {
                        least,
                        variable,
                        sources,
                    }));
                }
                EventKind::Write { targets, .. } => {
                    for target in targets {
                        if let Some(&(
                            place,
                            Write {
                                act: guard, value, ..
                            },
                        )) = writes.get(&(event, target.cell))
                        {
                            let places = vec![place];
                            visited.push(RangeAccess::Write(RangeWrite {
                                least,
                                guard,
                                value,
                                places,
                            }));
                            always |= happens == tru && target.when == tru;
                        }
                    }
                }
                EventKind::Create { child } => certain[child] = certain[child].max(least),
                _ => {}
            }
        }
        certain[thread] += u32::from(always);
    }
    visited
}

/// Levels with what is made of them.
struct Ascent<'a> {
    levels: RangeLevels<'a, Range>,
    reads: SeenReads,
    /// Writing steps that may come before an access of the next level.
    reach: u32,
}

/// Reach of a level on which all accesses count as possible, however many steps come before them.
const ALL: u32 = u32::MAX;

impl Ascent<'_> {
    /// Computes levels until nothing changes, or up to the last; false if nothing is known in the end.
    fn rise(&mut self, last: usize) -> bool {
        let most = EVALUATIONS.div_ceil(self.levels.evaluation.size().max(1));
        for level in 1..=most {
            if !self.next() || level > last {
                return true;
            }
        }
        // What still changes is unknown, until nothing does.
        self.reach = ALL;
        (0..WIDENINGS).any(|_| {
            for var in std::mem::take(&mut self.reads.changed) {
                self.reads.unknown[var.index()] = true;
            }
            !self.next()
        })
    }

    /// Computes one level more; false if nothing changed, and nothing will.
    fn next(&mut self) -> bool {
        self.reads.changed.clear();
        let stored_anew = self.levels.next(self.reach, &mut self.reads);
        let quiet = self.reads.changed.is_empty() && !stored_anew;
        let all = self.reach == ALL;
        // If nothing grows, there is no need to wait until the last step is possible.
        self.reach = if quiet {
            ALL
        } else {
            self.reach.saturating_add(1)
        };
        !quiet || !all
    }
}

/// Ranges of reads' variables over all levels so far, so that they only grow.
struct SeenReads {
    /// By variable; `None` for one that is never read.
    seen: Vec<Option<Range>>,
    unknown: Vec<bool>,
    /// Variables that changed on this level.
    changed: Vec<VarId>,
}

impl RangeRule<Range> for SeenReads {
    fn read(
        &mut self,
        var: VarId,
        known: Range,
        sources: Option<Range>,
        bits: u16,
    ) -> Option<Range> {
        let before = self.seen[var.index()];
        let range = match (before, sources) {
            _ if self.unknown[var.index()] => Some(known),
            (Some(before), Some(range)) => Some(before.either(&range, bits)),
            (before, range) => before.or(range),
        };
        if range != before {
            self.seen[var.index()] = range;
            self.changed.push(var);
        }
        // Where it cannot be read yet, nothing that happens depends on it: any value will do.
        range.or(Some(Range::of(Fact::constant(0, bits), bits)))
    }
}
