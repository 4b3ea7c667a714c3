//! Value ranges of memory after so many writes, whoever makes them, on one level after the other.
//!
//! On level i are memory after at most i writes (with intra-thread clusters: after at most i clusters) and what reads
//! return there; a write on level i + 1 stores a value that depends on reads on level i. So words of an early position are
//! narrow however far a counter gets in the end, and a violation that no level up to n allows needs more than n writes:
//! smaller bounds need not be asked for.
//!
//! Ranges hold of what happens. Nothing that happens depends on the variable of a read that does not.

use super::plan::Plan;
use crate::base::IdVec;
use crate::base::faults::{self, Fault};
use crate::base::id::Id;
use crate::event::{CellId, EventProgram, ThreadId};
use crate::term::range::Range;
use crate::term::{Fact, TermId, VarId};
use std::collections::BTreeMap;

/// Evaluations of terms after which nothing is known of farther levels.
const EVALUATIONS: usize = 400_000;

/// Ranges of memory by level.
pub struct Values {
    /// By level: what each cell can hold.
    levels: Vec<IdVec<CellId, Range>>,
    /// Nothing changes behind the last level.
    settled: bool,
    /// No violation is on a level below.
    least: u32,
}

impl Values {
    /// Nothing is known.
    pub fn unknown() -> Values {
        Values {
            levels: Vec::new(),
            settled: false,
            least: 0,
        }
    }

    /// Computes levels up to `last`, of clusters or of writes; `violated` are the conditions of violations.
    pub fn of(
        program: &EventProgram,
        plan: &Plan,
        violated: &[TermId],
        (last, clusters): (u32, bool),
    ) -> Values {
        let mut evaluation = Evaluation::new(program, plan, violated);
        let first = plan.initial.iter();
        let first = first.map(|&initial| evaluation.range(initial)).collect();
        let mut values = Values {
            levels: vec![first],
            settled: false,
            least: u32::MAX,
        };
        // A cluster has any number of writes, so those that are certain tell nothing of levels.
        let bound = |step| match clusters {
            true => 0,
            false => plan.window[step].0,
        };
        loop {
            let level = values.levels.len() as u32 - 1;
            let now = &values.levels[level as usize];
            evaluation.begin();
            let mut next = now.clone();
            // With clusters, a thread sees what it writes in its own.
            let mut own: BTreeMap<(ThreadId, CellId), Range> = BTreeMap::new();
            let mut waiting = u32::MAX;
            for &step in &plan.order.linear {
                let thread = plan.po.steps[step].thread;
                let possible = bound(step) <= level;
                if !possible {
                    waiting = waiting.min(bound(step));
                }
                for look in &plan.looks[step] {
                    let Some(var) = program.terms.var_of(look.value) else {
                        continue;
                    };
                    let bits = program.terms.bits(look.value);
                    let cells = look.cells.iter().map(|&(cell, _)| cell);
                    let mut sources: Vec<Range> = cells.clone().map(|cell| now[cell]).collect();
                    sources.extend(cells.filter_map(|cell| own.get(&(thread, cell))));
                    for write in &look.section {
                        sources.push(evaluation.range(write.value));
                    }
                    let all = sources.into_iter().reduce(|a, b| a.either(&b, bits));
                    evaluation.learn(var, look.value, all.filter(|_| possible));
                }
                let groups = plan.groups[step].iter().filter(|_| possible);
                for stored in groups.flat_map(|group| &group.stored) {
                    if evaluation.range(stored.act).fact.value() == Some(0) {
                        continue;
                    }
                    let value = evaluation.range(stored.value);
                    let bits = program.terms.bits(stored.value);
                    next[stored.cell] = next[stored.cell].either(&value, bits);
                    if clusters {
                        let known = own.entry((thread, stored.cell)).or_insert(value);
                        *known = known.either(&value, bits);
                    }
                }
            }
            // Where a read cannot be reached, whatever it returns decides no violation.
            if values.least == u32::MAX
                && violated
                    .iter()
                    .any(|&t| evaluation.range(t).fact.value() != Some(0))
            {
                values.least = level;
            }
            let quiet = next == *now;
            if quiet && waiting == u32::MAX {
                values.settled = true;
                break;
            }
            if level >= last || evaluation.count > EVALUATIONS {
                values.least = values.least.min(level + 1);
                break;
            }
            // Until the next step can be reached, nothing changes.
            let until = if quiet { waiting.min(last) } else { level + 1 };
            for _ in level..until {
                values.levels.push(next.clone());
            }
        }
        values
    }

    /// Value range of a cell after at most `i` writes, or clusters; `None` if it is unknown.
    pub fn after(&self, cell: CellId, i: u32) -> Option<&Fact> {
        let level = match faults::on(Fault::RangeBehind) {
            true => i.saturating_sub(1),
            false => i,
        };
        let level = match (self.levels.get(level as usize), self.settled) {
            (None, true) => self.levels.last(),
            (level, _) => level,
        };
        Some(&level?[cell].fact)
    }

    /// There is no violation with fewer writes, or clusters.
    pub fn least(&self) -> u32 {
        self.least
    }
}

/// Ranges of terms on one level.
struct Evaluation<'a> {
    program: &'a EventProgram,
    /// All that conditions and values are built of, by id: their places among the ranges.
    places: Vec<u32>,
    /// Ranges with the level, from 1, that they are of.
    ranges: Vec<(u32, Range)>,
    level: u32,
    /// Variables of which nothing can be learnt from memory alone.
    unknown: Vec<bool>,
    /// Number of ranges that have been computed.
    count: usize,
}

impl<'a> Evaluation<'a> {
    fn new(program: &'a EventProgram, plan: &Plan, violated: &[TermId]) -> Evaluation<'a> {
        let terms = &program.terms;
        let mut roots: Vec<TermId> = plan.initial.iter().copied().collect();
        let mut unknown = vec![false; terms.variables()];
        let mut seen = vec![false; terms.variables()];
        for look in plan.looks.iter().flatten() {
            roots.push(look.value);
            roots.extend(look.section.iter().map(|write| write.value));
            if let Some(var) = terms.var_of(look.value) {
                // Accesses of several parts are left alone.
                unknown[var.index()] |= seen[var.index()];
                seen[var.index()] = true;
            }
        }
        for stored in plan.groups.iter().flatten().flat_map(|g| &g.stored) {
            roots.extend([stored.act, stored.value]);
        }
        for tie in &plan.ties {
            if let Some(var) = terms.var_of(tie.one) {
                unknown[var.index()] = true;
            }
        }
        roots.extend(violated);
        let cone = terms.cone(&roots);
        let mut places = vec![0; terms.len()];
        for (place, term) in cone.iter().enumerate() {
            places[term.index()] = place as u32;
        }
        Evaluation {
            program,
            places,
            ranges: vec![(0, Range::top(1)); cone.len()],
            level: 1,
            unknown,
            count: 0,
        }
    }

    /// Another level: nothing is known of any variable yet.
    fn begin(&mut self) {
        self.level += 1;
    }

    /// Records the range of what a read returns on this level; `None` if it cannot be reached.
    fn learn(&mut self, var: VarId, variable: TermId, range: Option<Range>) {
        let bits = self.program.terms.bits(variable);
        let known = self.program.terms.fact(variable);
        if self.unknown[var.index()] {
            return;
        }
        // Any value will do where nothing that happens depends on it.
        let range = range.unwrap_or(Range::of(Fact::constant(known.lo, bits), bits));
        if known.lo <= range.fact.lo && range.fact.hi <= known.hi {
            self.ranges[self.places[variable.index()] as usize] = (self.level, range);
        }
    }

    /// Range of a term on this level. A variable that has not been read may be anything.
    fn range(&mut self, t: TermId) -> Range {
        let terms = &self.program.terms;
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            let place = self.places[top.index()] as usize;
            if self.ranges[place].0 == self.level {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            for child in terms.children(top) {
                if self.ranges[self.places[child.index()] as usize].0 != self.level {
                    stack.push(child);
                }
            }
            if stack.len() == waiting {
                let of = |t: TermId| self.ranges[self.places[t.index()] as usize].1;
                self.ranges[place] = (self.level, Range::of_term(terms, top, of));
                self.count += 1;
                stack.pop();
            }
        }
        self.ranges[self.places[t.index()] as usize].1
    }
}
