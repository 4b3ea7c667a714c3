//! The order of steps: one literal for each pair of steps of different threads whose order is open and may
//! matter.
//!
//! Program order makes the literals of two threads a staircase: whoever comes before a step comes before the
//! steps after it, and whoever comes after a step comes after the steps before it. With the staircases, an
//! order is total if no three steps of three threads form a cycle. Those cycles are excluded beforehand if
//! they are few, and otherwise as models run into them.
//!
//! With only two threads whose steps' order matters, there is nothing to close, and only pairs in conflict get
//! literals: the staircase goes from one to the next. (Peterson, Dekker and their like, where a variable has one
//! writer: a third of the pairs.)

use super::conflict::Conflicts;
use super::program_order::{ProgramOrder, StepId};
use super::static_order::StaticOrder;
use crate::base::IdVec;
use crate::base::id::Id;
use crate::circuit::{Formula, Lit};
use crate::event::ThreadId;
use crate::goal::Model;
use crate::relation::faults::{self, Fault};

/// Literals of the order.
pub struct Before {
    /// Steps of each thread that have literals, in program order.
    pub steps: IdVec<ThreadId, Vec<StepId>>,
    /// The place of each step in `steps` of its thread.
    place: IdVec<StepId, Option<u32>>,
    /// For each pair of threads `a < b`, by rows (steps of `a`): the step of `a` is before that of `b`.
    tables: Vec<Table>,
    /// True if clauses exclude cycles over three threads already, so that models need no refinement.
    pub closed: bool,
}

#[derive(Clone, Default)]
struct Table {
    columns: usize,
    /// None for pairs that nobody asks for.
    lits: Vec<Option<Lit>>,
}

impl Table {
    /// States that a literal implies those of later columns and of earlier rows: from each to the nearest ones, which
    /// no other one lies between.
    fn state_staircase(&self, formula: &mut Formula) {
        let width = self.columns;
        // By columns: the last row above that has a literal there.
        let mut above: Vec<Option<usize>> = vec![None; width];
        // For each place: the next one in its row, from itself on, that has a literal.
        let mut next = vec![width; self.lits.len()];
        for (i, row) in self.lits.chunks(width.max(1)).enumerate() {
            for j in (0..width).rev() {
                next[i * width + j] = match row[j] {
                    Some(_) => j,
                    None if j + 1 < width => next[i * width + j + 1],
                    None => width,
                };
            }
            for (j, here) in row.iter().enumerate() {
                let Some(here) = here.filter(|lit| !lit.is_constant()) else {
                    continue;
                };
                let mut end = width;
                if j + 1 < width && next[i * width + j + 1] < width {
                    end = next[i * width + j + 1];
                    if !faults::on(Fault::StaircaseLater) {
                        formula
                            .add_clause(&[!here, self.lits[i * width + end].expect("asked for")]);
                    }
                }
                // Columns that are nearer than those of the rows below, until this column is met.
                let mut up = i;
                while up > 0 && end > j {
                    up -= 1;
                    let at = next[up * width + j];
                    if at < end {
                        end = at;
                        if !faults::on(Fault::StaircaseEarlier) {
                            formula.add_clause(&[
                                !here,
                                self.lits[up * width + at].expect("asked for"),
                            ]);
                        }
                    }
                    if faults::on(Fault::StaircaseGap) {
                        break;
                    }
                    if end == j + 1 {
                        // Only this column is left.
                        up = up.min(above[j].map_or(0, |row| row + 1));
                    }
                }
            }
            for (j, here) in row.iter().enumerate() {
                if here.is_some() {
                    above[j] = Some(i);
                }
            }
        }
    }
}

impl Before {
    /// Makes the literals of the `kept` steps and states that they are staircases. With `conflicts`, only pairs
    /// in conflict will be asked for.
    pub fn new(
        formula: &mut Formula,
        po: &ProgramOrder,
        order: &StaticOrder,
        kept: &IdVec<StepId, bool>,
        conflicts: Option<&Conflicts>,
        eager_triples: usize,
    ) -> Before {
        let mut place: IdVec<StepId, Option<u32>> = po.steps.ids().map(|_| None).collect();
        let mut steps: IdVec<ThreadId, Vec<StepId>> = IdVec::new();
        for chain in po.chains.iter() {
            let list: Vec<StepId> = chain.iter().copied().filter(|&step| kept[step]).collect();
            for (i, &step) in list.iter().enumerate() {
                place[step] = Some(i as u32);
            }
            steps.push(list);
        }
        let mut before = Before {
            steps,
            place,
            tables: Vec::new(),
            closed: false,
        };
        let threads = before.steps.len();
        let alone = before.steps.iter().filter(|list| !list.is_empty()).count() <= 2;
        for b in 0..threads {
            for a in 0..b {
                let pair = (ThreadId::from_index(a), ThreadId::from_index(b));
                let size = (before.steps[pair.0].len(), before.steps[pair.1].len());
                let all = size.0 * size.1;
                let asked = conflicts
                    .filter(|_| alone)
                    .and_then(|all_of| all_of.pairs(po, pair, size, &before.place, 8 * all))
                    .unwrap_or_else(|| vec![true; all]);
                let table = before.table(formula, po, order, pair, &asked);
                before.tables.push(table);
            }
        }
        before.close(formula, eager_triples);
        before
    }

    fn table(
        &self,
        formula: &mut Formula,
        po: &ProgramOrder,
        order: &StaticOrder,
        (a, b): (ThreadId, ThreadId),
        asked: &[bool],
    ) -> Table {
        let (rows, columns) = (&self.steps[a], &self.steps[b]);
        let width = columns.len();
        let mut lits = Vec::with_capacity(rows.len() * width);
        for &x in rows {
            for &y in columns {
                let is_asked = asked[lits.len()];
                lits.push(is_asked.then(|| {
                    if order.before(po, x, y) {
                        Lit::TRUE
                    } else if order.before(po, y, x) {
                        Lit::FALSE
                    } else {
                        formula.new_lit()
                    }
                }));
            }
        }
        let table = Table {
            columns: width,
            lits,
        };
        table.state_staircase(formula);
        table
    }

    /// States that there are no cycles of three threads, if they are at most `limit`.
    fn close(&mut self, formula: &mut Formula, limit: usize) {
        let sizes: Vec<usize> = self.steps.iter().map(Vec::len).collect();
        let mut triples = 0usize;
        for c in 0..sizes.len() {
            for b in 0..c {
                for a in 0..b {
                    triples = triples
                        .saturating_add(sizes[a].saturating_mul(sizes[b]).saturating_mul(sizes[c]));
                }
            }
        }
        self.closed = triples <= limit;
        if !self.closed || faults::on(Fault::NoTransitivity) {
            return;
        }
        for c in 0..sizes.len() {
            for b in 0..c {
                for a in 0..b {
                    for i in 0..sizes[a] {
                        for j in 0..sizes[b] {
                            for k in 0..sizes[c] {
                                for clause in self.exclusions([(a, i), (b, j), (c, k)]) {
                                    formula.add_clause(&clause);
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Clauses that exclude both cycles over three steps of threads in ascending order.
    fn exclusions(&self, [(a, i), (b, j), (c, k)]: [(usize, usize); 3]) -> [[Lit; 3]; 2] {
        let ab = self.at(a, i, b, j);
        let bc = self.at(b, j, c, k);
        let ac = self.at(a, i, c, k);
        let one = [!ab, !bc, ac];
        if faults::on(Fault::HalfTransitivity) {
            [one, one]
        } else {
            [one, [ab, bc, !ac]]
        }
    }

    /// The literal of a pair of places of threads `a < b`.
    fn at(&self, a: usize, i: usize, b: usize, j: usize) -> Lit {
        let table = &self.tables[b * (b - 1) / 2 + a];
        table.lits[i * table.columns + j].expect("steps whose order matters have a literal")
    }

    /// The literal that `x` comes before `y`; a constant where the static order or program order says so.
    pub fn lit(&self, po: &ProgramOrder, order: &StaticOrder, x: StepId, y: StepId) -> Lit {
        if order.before(po, x, y) {
            return Lit::TRUE;
        }
        if x == y || order.before(po, y, x) {
            return Lit::FALSE;
        }
        self.open(po, x, y)
            .expect("steps whose order matters have a literal")
    }

    /// The literal of two steps of different threads, if they have one.
    fn open(&self, po: &ProgramOrder, x: StepId, y: StepId) -> Option<Lit> {
        let (i, j) = (self.place[x]? as usize, self.place[y]? as usize);
        let (a, b) = (po.steps[x].thread.index(), po.steps[y].thread.index());
        Some(if a < b {
            self.at(a, i, b, j)
        } else {
            !self.at(b, j, a, i)
        })
    }

    /// Clauses that exclude cycles of three threads that a model has. Linear in steps times pairs of threads:
    /// among the steps of a thread that a step comes before, the first one is in a cycle if any is.
    pub fn refinement(&self, model: &mut dyn Model) -> Vec<[Lit; 3]> {
        if faults::on(Fault::NoTransitivity) {
            return Vec::new();
        }
        let sizes: Vec<usize> = self.steps.iter().map(Vec::len).collect();
        let mut found = Vec::new();
        for c in 0..sizes.len() {
            for b in 0..c {
                for a in 0..b {
                    for i in 0..sizes[a] {
                        let mut row = |t: usize| {
                            (0..sizes[t])
                                .take_while(|&j| !model.lit(self.at(a, i, t, j)))
                                .count()
                        };
                        // Steps of b and c before this one of a are those below `p` and `q`.
                        let (p, q) = (row(b), row(c));
                        if p < sizes[b] && q > 0 && model.lit(self.at(b, p, c, q - 1)) {
                            self.exclude_around(&mut found, &sizes, [(a, i), (b, p), (c, q - 1)]);
                        }
                        if q < sizes[c] && p > 0 && !model.lit(self.at(b, p - 1, c, q)) {
                            self.exclude_around(&mut found, &sizes, [(a, i), (b, p - 1), (c, q)]);
                        }
                    }
                }
            }
        }
        found
    }

    /// Excludes the cycles at three steps and at their neighbours, which the next model would run into.
    fn exclude_around(
        &self,
        clauses: &mut Vec<[Lit; 3]>,
        sizes: &[usize],
        [(a, i), (b, j), (c, k)]: [(usize, usize); 3],
    ) {
        let near = |t: usize, x: usize| x.saturating_sub(1)..(x + 2).min(sizes[t]);
        for i in near(a, i) {
            for j in near(b, j) {
                for k in near(c, k) {
                    clauses.extend(self.exclusions([(a, i), (b, j), (c, k)]));
                }
            }
        }
    }
}
