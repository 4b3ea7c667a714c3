//! Ranges of what reads return and writes store, so that words are no wider than their values.
//!
//! The program's own ranges ([`narrow`](crate::reduce::value_range)) hold whatever the order; these know it.
//! A value that is read was written before; what was written depends on what its thread had read before that. So
//! ranges are computed in levels: on level `p`, of accesses with at most `p` writing steps before them. A read has
//! the initial value or what its sources write on the level below, or before it in its own section. Sources are those
//! that the static order leaves. What never changes from one level to the next is found on the first few; what
//! grows, such as a counter, ends at the level that has all writing steps. If that is too far, what still changes is
//! taken for unknown.
//!
//! Under a weak memory model, a write counts where it is issued: whoever reads it does so later, its own thread
//! included, and the writes before it on its chain were issued before it.
//!
//! Ranges hold of accesses that happen. Nothing that happens depends on the variable of a read that does not.

use super::access::{Accesses, Read, Write};
use super::program_order::ProgramOrder;
use super::static_order::StaticOrder;
use crate::base::IdVec;
use crate::base::faults::{self, Fault};
use crate::base::id::Id;
use crate::event::{CellId, EventId, EventKind, EventProgram, ThreadId};
use crate::term::range::Range;
use crate::term::{Fact, TermId, Terms, VarId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Evaluations of terms after which what still changes is taken for unknown.
const EVALUATIONS: usize = 1_500_000;

/// Rounds of taking for unknown after which nothing is known.
const WIDENINGS: usize = 12;

/// Ranges of a program's accesses.
#[derive(Default)]
pub struct Ranges {
    /// Ranges of what reads return, by event.
    reads: Table<EventId, Range>,
    /// Ranges of what is written, by event and cell; `None` if it never is.
    writes: Table<(EventId, CellId), Option<Range>>,
}

type Table<K, V> = HashMap<K, V, FxBuildHasher>;

/// An access in the order in which a level visits them.
struct Access {
    event: EventId,
    /// Writing steps that certainly come before it.
    least: u32,
    kind: Kind,
}

enum Kind {
    /// A read's variable, initial values, and numbers of writes: in its section, and before it.
    Read {
        variable: TermId,
        initial: Vec<TermId>,
        section: Vec<usize>,
        others: Vec<usize>,
    },
    /// A write of one cell, by its number.
    Write(usize),
}

impl Ranges {
    /// Computes ranges over the program's own terms. `accesses` has all writes, and nothing is resolved yet.
    pub fn of(
        program: &mut EventProgram,
        po: &ProgramOrder,
        order: &StaticOrder,
        accesses: &Accesses,
    ) -> Ranges {
        let mut writes = Vec::new();
        let mut numbers: Table<(EventId, CellId), usize> = Table::default();
        for (cell, lists) in accesses.writes.iter_ids() {
            for write in lists.iter().flatten() {
                numbers.insert((write.event, cell), writes.len());
                writes.push(*write);
            }
        }
        let plan = plan(program, po, order, accesses, &numbers);
        let Some(mut levels) = Levels::new(program, &plan, &writes) else {
            return Ranges::default();
        };
        let mut writing = vec![false; po.steps.len()];
        for write in &writes {
            writing[write.step.index()] = true;
        }
        let last = writing.into_iter().filter(|&writes| writes).count();
        let last = if faults::on(Fault::RangeEarly) {
            0
        } else {
            last
        };
        let mut left = EVALUATIONS;
        while levels.next(&program.terms, &plan, &writes) && levels.level <= last {
            left = left.saturating_sub(levels.terms.len());
            if left == 0 {
                if !levels.widen(&program.terms, &plan, &writes) {
                    return Ranges::default();
                }
                break;
            }
        }
        let mut ranges = Ranges::default();
        for access in &plan {
            if let Kind::Read { variable, .. } = access.kind
                && let Some(range) = levels.variable(&program.terms, variable)
            {
                ranges.reads.insert(access.event, range);
            }
        }
        for (key, number) in numbers {
            ranges.writes.insert(key, levels.written[number]);
        }
        ranges
    }

    /// Range of what a read returns, if it happens; `None` if nothing is known, or if it never happens.
    pub fn read(&self, event: EventId) -> Option<&Range> {
        self.reads.get(&event)
    }

    /// Range of what a write stores in a cell; `Some(None)` if it never does, `None` if nothing is known.
    pub fn write(&self, event: EventId, cell: CellId) -> Option<&Option<Range>> {
        self.writes.get(&(event, cell))
    }
}

/// All accesses in an order that agrees with the static one.
fn plan(
    program: &mut EventProgram,
    po: &ProgramOrder,
    order: &StaticOrder,
    accesses: &Accesses,
    numbers: &Table<(EventId, CellId), usize>,
) -> Vec<Access> {
    let mut plan = Vec::new();
    // By thread: its writing steps so far that always happen, with those of who created it.
    let mut certain: IdVec<ThreadId, u32> = po.chains.ids().map(|_| 0).collect();
    for &step in &order.linear {
        let thread = po.steps[step].thread;
        let mut writes = false;
        for &event in &po.steps[step].events {
            let guard = program.events[event].guard;
            let least = certain[thread];
            match program.events[event].kind.clone() {
                EventKind::Read { value, targets, .. } => {
                    let (mut initial, mut section, mut others) = Default::default();
                    for target in targets {
                        let read = Read {
                            step,
                            event,
                            cell: target.cell,
                            act: program.terms.and(guard, target.when),
                            value,
                        };
                        if read.act == program.terms.fals() {
                            continue;
                        }
                        let sources = accesses.sources(program, po, order, &read);
                        if sources.initial {
                            Vec::push(&mut initial, program.cells[read.cell].init);
                        }
                        let number = |write: &Write| numbers[&(write.event, read.cell)];
                        Vec::extend(&mut section, sources.section.iter().map(number));
                        Vec::extend(&mut others, sources.own.iter().map(number));
                        let skip = usize::from(faults::on(Fault::RangeSource));
                        others.extend(sources.others.iter().skip(skip).flatten().map(number));
                    }
                    plan.push(Access {
                        event,
                        least,
                        kind: Kind::Read {
                            variable: value,
                            initial,
                            section,
                            others,
                        },
                    });
                }
                EventKind::Write { targets, .. } => {
                    for target in targets {
                        if let Some(&number) = numbers.get(&(event, target.cell)) {
                            let kind = Kind::Write(number);
                            plan.push(Access { event, least, kind });
                            writes |=
                                guard == program.terms.tru() && target.when == program.terms.tru();
                        }
                    }
                }
                EventKind::Create { child } => certain[child] = certain[child].max(least),
                _ => {}
            }
        }
        certain[thread] += u32::from(writes);
    }
    plan
}

/// Ranges on one level after the other.
struct Levels {
    /// The level, from 1: with at most so many writing steps before an access, and one less.
    level: usize,
    /// All steps count as possible, however few come before them.
    all: bool,
    /// Terms of conditions and values with all that they are built of, in the order of their ids.
    terms: Vec<TermId>,
    /// Of each term, its place there; of others, nothing.
    places: Vec<u32>,
    /// Ranges of terms, by place, with the level that they are of.
    ranges: Vec<(usize, Range)>,
    /// Of variables of reads, by variable: of no value, of all levels so far, or nothing is known.
    reads: Vec<Option<Range>>,
    unknown: Vec<bool>,
    /// Variables that changed on this level.
    changed: Vec<VarId>,
    /// Of writes, on this level and on the one below.
    written: Vec<Option<Range>>,
    below: Vec<Option<Range>>,
}

impl Levels {
    /// Before the first level; `None` if the terms are too many.
    fn new(program: &EventProgram, plan: &[Access], writes: &[Write]) -> Option<Levels> {
        let mut roots: Vec<TermId> = Vec::new();
        for access in plan {
            match &access.kind {
                Kind::Read {
                    variable, initial, ..
                } => {
                    roots.push(*variable);
                    roots.extend(initial);
                }
                Kind::Write(number) => {
                    let Write { act, value, .. } = writes[*number];
                    roots.extend([act, value]);
                }
            }
        }
        let terms = program.terms.cone(&roots);
        if terms.len() > EVALUATIONS / 8 {
            return None;
        }
        let variables = program.terms.variables();
        let mut places = vec![0; program.terms.len()];
        for (place, term) in terms.iter().enumerate() {
            places[term.index()] = place as u32;
        }
        Some(Levels {
            level: 0,
            all: false,
            places,
            ranges: vec![(0, Range::top(1)); terms.len()],
            terms,
            reads: vec![None; variables],
            unknown: vec![false; variables],
            changed: Vec::new(),
            written: vec![None; writes.len()],
            below: vec![None; writes.len()],
        })
    }

    /// Computes one level more; whether the range of some variable changed.
    fn next(&mut self, terms: &Terms, plan: &[Access], writes: &[Write]) -> bool {
        std::mem::swap(&mut self.written, &mut self.below);
        self.changed.clear();
        self.level += 1;
        let mut stored_anew = false;
        for access in plan {
            let possible = self.all || (access.least as usize) < self.level;
            match &access.kind {
                Kind::Read {
                    variable,
                    initial,
                    section,
                    others,
                } => {
                    let Some(var) = terms.var_of(*variable) else {
                        continue;
                    };
                    let bits = terms.bits(*variable);
                    let mut all: Option<Range> = None;
                    if possible {
                        let mut sources: Vec<Range> = Vec::new();
                        sources.extend(initial.iter().map(|&t| self.range(terms, t)));
                        sources.extend(section.iter().filter_map(|&n| self.written[n]));
                        sources.extend(others.iter().filter_map(|&n| self.below[n]));
                        if sources.is_empty() {
                            // Its thread has written it itself, maybe as one of too few steps.
                            sources.extend(others.iter().filter_map(|&n| self.written[n]));
                        }
                        for range in sources {
                            all = Some(all.map_or(range, |all| all.either(&range, bits)));
                        }
                    }
                    self.learn(terms, *variable, var, all);
                }
                Kind::Write(number) => {
                    let Write { act, value, .. } = writes[*number];
                    let never = !possible || self.range(terms, act).fact.value() == Some(0);
                    self.written[*number] = (!never).then(|| self.range(terms, value));
                    stored_anew |= self.written[*number] != self.below[*number];
                }
            }
        }
        let quiet = self.changed.is_empty() && !stored_anew;
        if quiet && !self.all {
            // Nothing grows: no need to wait until the last step is possible.
            self.all = true;
            return true;
        }
        !quiet
    }

    /// Takes what still changes for unknown until nothing does; whether that came to an end.
    fn widen(&mut self, terms: &Terms, plan: &[Access], writes: &[Write]) -> bool {
        self.all = true;
        for _ in 0..WIDENINGS {
            for var in std::mem::take(&mut self.changed) {
                self.unknown[var.index()] = true;
            }
            if !self.next(terms, plan, writes) {
                return true;
            }
        }
        false
    }

    /// Range of a read's variable over all levels so far; `None` for one that is never read.
    fn variable(&self, terms: &Terms, variable: TermId) -> Option<Range> {
        self.reads[terms.var_of(variable)?.index()]
    }

    /// Records what a read returns on this level.
    fn learn(&mut self, terms: &Terms, variable: TermId, var: VarId, range: Option<Range>) {
        let bits = terms.bits(variable);
        let before = self.reads[var.index()];
        let mut range = match (before, range) {
            (Some(before), Some(range)) => Some(before.either(&range, bits)),
            (before, range) => before.or(range),
        };
        if self.unknown[var.index()] {
            range = Some(Range::of(terms.fact(variable), bits));
        }
        if range != before {
            self.reads[var.index()] = range;
            self.changed.push(var);
        }
        // Where it cannot be read yet, nothing that happens depends on it: any value will do.
        let range = range.unwrap_or(Range::of(Fact::constant(0, bits), bits));
        let place = self.place(variable);
        self.ranges[place] = (self.level, range);
    }

    /// Range of a term on this level. A variable that has not been read yet may be anything.
    fn range(&mut self, terms: &Terms, t: TermId) -> Range {
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            let place = self.place(top);
            if self.ranges[place].0 == self.level {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            for child in terms.children(top) {
                if self.ranges[self.place(child)].0 != self.level {
                    stack.push(child);
                }
            }
            if stack.len() == waiting {
                let range = Range::of_term(terms, top, |t| self.ranges[self.place(t)].1);
                self.ranges[place] = (self.level, range);
                stack.pop();
            }
        }
        self.ranges[self.place(t)].1
    }

    /// Place of a term in the cone.
    fn place(&self, t: TermId) -> usize {
        self.places[t.index()] as usize
    }
}
