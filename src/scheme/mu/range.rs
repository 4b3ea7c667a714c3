//! Value ranges of memory after so many writes, whoever makes them, on one level after the other.
//!
//! On level i are memory after at most i writes (with intra-thread clusters: after at most i clusters) and what reads
//! return there; a write on level i + 1 stores a value that depends on reads on level i. So words of an early position are
//! narrow however far a counter gets in the end, and a violation that no level up to n allows needs more than n writes:
//! smaller bounds need not be asked for.
//!
//! The induction is over writes as they are counted ([`range`](crate::reduce::range)); within a cluster, a thread sees what
//! it has written itself on the same level. Ranges hold of what happens. Nothing that happens depends on the variable
//! of a read that does not.

use super::plan::{Plan, Stored};
use crate::base::IdVec;
use crate::base::id::Id;
use crate::base::sorted::SortedMap;
use crate::event::{CellId, EventProgram, ThreadId};
use crate::reduce::range::{
    PRESERVES_ON_LEVELS, RangeAccess, RangeLevels, RangePlace, RangeRead, RangeRule, RangeSource,
    RangeWrite,
};
use crate::relation::program_order::StepId;
use crate::scheme::faults::{self, Fault};
use crate::term::range::{Domain, Range};
use crate::term::{Fact, TermId, VarId};

/// Evaluations of terms after which nothing is known of farther levels.
const EVALUATIONS: usize = 400_000;

/// Ranges of memory by level.
pub struct Values {
    /// By level: what each cell can hold.
    levels: Vec<IdVec<CellId, Option<Range>>>,
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
        if !PRESERVES_ON_LEVELS.contain(program.goals()) {
            return Values::unknown();
        }
        // A cluster has any number of writes, so those that are certain tell nothing of levels.
        let least: IdVec<StepId, u32> = if clusters {
            plan.window.iter().map(|_| 0).collect()
        } else {
            plan.window.iter().map(|window| window.0).collect()
        };
        let accesses = accesses(program, plan, &least, clusters);
        let roots = plan.initial.iter().chain(violated).copied().collect();
        let mut levels = RangeLevels::new(&program.terms, &accesses, roots, plan.initial.len());
        for (cell, &initial) in plan.initial.iter_ids() {
            levels.stored[memory(cell)] = Some(levels.evaluation.value(initial));
        }
        let cells = |levels: &RangeLevels<Range>| {
            plan.initial
                .ids()
                .map(|cell| levels.stored[memory(cell)])
                .collect()
        };
        let mut values = Values {
            levels: vec![cells(&levels)],
            settled: false,
            least: u32::MAX,
        };
        loop {
            let level = values.levels.len() as u32 - 1;
            levels.next(level, &mut Looks);
            // Where a read cannot be reached, whatever it returns decides no violation.
            let mut possible = |&t: &TermId| levels.evaluation.value(t).fact.value() != Some(0);
            if values.least == u32::MAX && violated.iter().any(&mut possible) {
                values.least = level;
            }
            let now = cells(&levels);
            let quiet = now == values.levels[level as usize];
            let waiting = least.iter().copied().filter(|&least| least > level).min();
            if quiet && waiting.is_none() {
                values.settled = true;
                break;
            }
            if level >= last || levels.evaluation.count > EVALUATIONS {
                values.least = values.least.min(level + 1);
                break;
            }
            // Until the next step can be reached, nothing changes.
            let until = match waiting {
                Some(waiting) if quiet => waiting.min(last),
                _ => level + 1,
            };
            for _ in level..until {
                values.levels.push(now.clone());
            }
        }
        values
    }

    /// Value range of a cell after at most `i` writes, or clusters; `None` if it is unknown.
    pub fn after(&self, cell: CellId, i: u32) -> Option<&Fact> {
        let level = if faults::on(Fault::RangeBehind) {
            i.saturating_sub(1)
        } else {
            i
        };
        let level = match (self.levels.get(level as usize), self.settled) {
            (None, true) => self.levels.last(),
            (level, _) => level,
        };
        level?[cell].as_ref().map(|range| &range.fact)
    }

    /// There is no violation with fewer writes, or clusters.
    pub fn least(&self) -> u32 {
        self.least
    }
}

/// The place of a cell of memory.
fn memory(cell: CellId) -> RangePlace {
    RangePlace(cell.0)
}

/// Accesses in the static order, which are possible on a level from the `least` of their step on.
fn accesses(
    program: &EventProgram,
    plan: &Plan,
    least: &IdVec<StepId, u32>,
    clusters: bool,
) -> Vec<RangeAccess> {
    // With clusters, a thread sees what it writes in its own.
    let mut own: SortedMap<(ThreadId, CellId), RangePlace> = SortedMap::new();
    for (step, groups) in plan.groups.iter_ids().filter(|_| clusters) {
        for stored in groups.iter().flat_map(|group| &group.stored) {
            let next = RangePlace::from_index(plan.initial.len() + own.len());
            let thread = plan.po.steps[step].thread;
            own.entry((thread, stored.cell)).or_insert(next);
        }
    }
    let known = from_memory(program, plan);
    let mut accesses = Vec::new();
    for &step in &plan.order.linear {
        let least = least[step];
        let own = |cell: CellId| own.get(&(plan.po.steps[step].thread, cell)).copied();
        for look in plan.looks[step].iter().filter(|look| known(look.value)) {
            let cells = look.cells.iter().map(|&(cell, _)| cell);
            let below = cells.clone().map(memory).map(RangeSource::Below);
            let stored = cells.filter_map(own).map(RangeSource::Stored);
            let section = look.section.iter();
            let section = section.map(|write| RangeSource::Term(write.value));
            let (variable, sources) = (look.value, below.chain(stored).chain(section).collect());
            accesses.push(RangeAccess::Read(RangeRead {
                least,
                variable,
                sources,
            }));
        }
        for &Stored {
            cell,
            act: guard,
            value,
        } in plan.groups[step].iter().flat_map(|g| &g.stored)
        {
            let places = [memory(cell)].into_iter().chain(own(cell)).collect();
            accesses.push(RangeAccess::Write(RangeWrite {
                least,
                guard,
                value,
                places,
            }));
        }
    }
    accesses
}

/// Variables that have what one read has from memory; of others, nothing can be learnt from memory alone.
fn from_memory(program: &EventProgram, plan: &Plan) -> impl Fn(TermId) -> bool {
    let mut reads = vec![0; program.terms.len()];
    // Accesses of several parts are left alone.
    plan.looks
        .iter()
        .flatten()
        .for_each(|look| reads[look.value.index()] += 1);
    plan.ties.iter().for_each(|tie| reads[tie.one.index()] += 2);
    move |variable| reads[variable.index()] == 1
}

/// Ranges of reads' variables, on each level anew.
struct Looks;

impl RangeRule<Range> for Looks {
    fn read(&mut self, _: VarId, known: Range, sources: Option<Range>, bits: u16) -> Option<Range> {
        let known = known.fact;
        // Any value will do where nothing that happens depends on it.
        let range = sources.unwrap_or(Range::of(Fact::constant(known.lo, bits), bits));
        let fits = known.lo <= range.fact.lo && range.fact.hi <= known.hi;
        fits.then_some(range)
    }
}
