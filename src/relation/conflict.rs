//! Steps and pairs of steps whose order matters: those that may conflict, and conditional joins with the ends that
//! they wait for.

use super::access::Accesses;
use super::program_order::{ProgramOrder, StepId};
use super::static_order::StaticOrder;
use crate::base::IdVec;
use crate::base::id::Id;
use crate::event::{EventKind, EventProgram, ThreadId};

/// Conflicts: accesses, conditional joins and conditional edges whose steps need order literals.
pub struct Conflicts {
    /// Of each cell: steps of each thread that write it, and that read it, in program order.
    cells: Vec<[Vec<Vec<StepId>>; 2]>,
    /// Ends of threads and joins that wait for them on a condition, and what store buffers keep in order on one.
    joins: Vec<(StepId, StepId)>,
}

impl Conflicts {
    /// Conflicts of the accesses that are left to the solver.
    pub fn of(
        program: &EventProgram,
        po: &ProgramOrder,
        order: &StaticOrder,
        accesses: &Accesses,
    ) -> Conflicts {
        let threads = po.chains.len();
        let mut cells =
            vec![[vec![Vec::new(); threads], vec![Vec::new(); threads]]; program.cells.len()];
        for (cell, lists) in accesses.writes.iter_ids() {
            for (thread, list) in lists.iter_ids() {
                cells[cell.index()][0][thread.index()].extend(list.iter().map(|write| write.step));
            }
        }
        for read in &accesses.reads {
            let thread = po.steps[read.step].thread;
            cells[read.cell.index()][1][thread.index()].push(read.step);
        }
        for list in cells.iter_mut().flatten().flatten() {
            list.sort_unstable();
            list.dedup();
        }
        cells.retain(|[writers, _]| writers.iter().any(|list| !list.is_empty()));
        // Elements of one array often have the same accesses.
        cells.sort_unstable();
        cells.dedup();
        let mut joins = Vec::new();
        for (step, info) in po.steps.iter_ids() {
            for event in &info.events {
                let EventKind::Join { targets, .. } = &program.events[*event].kind else {
                    continue;
                };
                if order.joins.contains(event) {
                    continue;
                }
                let ends = targets
                    .iter()
                    .filter_map(|(target, _)| po.step_of[po.end[*target]?]);
                joins.extend(ends.map(|end| (end, step)));
            }
        }
        // What store buffers keep in order on a condition needs literals as well.
        let edges = po.edges.iter();
        let open = edges.filter(|edge| !order.before(po, edge.from, edge.to));
        joins.extend(open.map(|edge| (edge.from, edge.to)));
        Conflicts { cells, joins }
    }

    /// The steps that need literals: those in conflict with a step of another thread that they are ordered with
    /// neither way.
    pub fn steps(&self, po: &ProgramOrder, order: &StaticOrder) -> IdVec<StepId, bool> {
        let mut kept: IdVec<StepId, bool> = po.steps.ids().map(|_| false).collect();
        let threads = po.chains.len();
        // Whether a list in program order has a step that is ordered neither way with `step`.
        let open = |step: StepId, list: &[StepId]| {
            let Some(first) = list.first() else {
                return false;
            };
            let other = po.steps[*first].thread.index();
            let from = list.partition_point(|n| po.steps[*n].index < order.clocks[step][other]);
            list.get(from).is_some_and(|&n| !order.before(po, step, n))
        };
        let owner = |chain: usize| po.owner[ThreadId::from_index(chain)];
        for [writers, readers] in &self.cells {
            for a in 0..threads {
                for b in (0..threads).filter(|&b| owner(b) != owner(a)) {
                    for &step in &writers[a] {
                        if !kept[step] && (open(step, &writers[b]) || open(step, &readers[b])) {
                            kept[step] = true;
                        }
                    }
                    for &step in &readers[a] {
                        if !kept[step] && open(step, &writers[b]) {
                            kept[step] = true;
                        }
                    }
                }
            }
        }
        for &(end, join) in &self.joins {
            kept[end] = true;
            kept[join] = true;
        }
        kept
    }

    /// Pairs of a step of `a` and a step of `b` that may be asked for, as a table by rows: a row for each step of `a`,
    /// a column for each of `b`, at the places that `place` tells. Looks at no more than `limit` pairs; `None` if there
    /// are more.
    pub fn pairs(
        &self,
        po: &ProgramOrder,
        (a, b): (ThreadId, ThreadId),
        (rows, columns): (usize, usize),
        place: &dyn Fn(StepId) -> Option<usize>,
        limit: usize,
    ) -> Option<Vec<bool>> {
        let mut table = vec![false; rows * columns];
        let mut looked = 0usize;
        let mut mark = |xs: &[StepId], ys: &[StepId]| {
            looked = looked.saturating_add(xs.len().saturating_mul(ys.len()));
            if looked > limit {
                return false;
            }
            for x in xs.iter().filter_map(|&x| place(x)) {
                for y in ys.iter().filter_map(|&y| place(y)) {
                    table[x * columns + y] = true;
                }
            }
            true
        };
        let thread = |step: StepId| po.steps[step].thread;
        for &(end, join) in &self.joins {
            let pair = if thread(end) == a {
                (end, join)
            } else {
                (join, end)
            };
            if (thread(pair.0), thread(pair.1)) == (a, b) && !mark(&[pair.0], &[pair.1]) {
                return None;
            }
        }
        if po.owner[a] == po.owner[b] {
            return Some(table);
        }
        let (a, b) = (a.index(), b.index());
        for [writers, readers] in &self.cells {
            let fits = mark(&writers[a], &writers[b])
                && mark(&writers[a], &readers[b])
                && mark(&readers[a], &writers[b]);
            if !fits {
                return None;
            }
        }
        Some(table)
    }
}
