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
use crate::circuit::{Formula, Lit};
use crate::goal::Model;
use crate::relation::faults::{self, Fault};

/// Literals of the order.
pub struct Before {
    /// Steps that have literals, in program order: a list for each thread that has any.
    pub steps: Vec<Vec<StepId>>,
    /// The place of each step in `steps`: which list, and where in it.
    place: IdVec<StepId, Option<Place>>,
    /// For each pair of lists `a < b`, by rows (steps of `a`): the step of `a` is before that of `b`.
    tables: Vec<Table>,
    /// True if clauses exclude cycles over three threads already, so that models need no refinement.
    pub closed: bool,
}

/// Place of a step that has literals.
#[derive(Clone, Copy)]
struct Place {
    /// The list of its thread.
    list: u32,
    /// Its index there.
    at: u32,
}

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
        let mut place: IdVec<StepId, Option<Place>> = po.steps.ids().map(|_| None).collect();
        let mut steps: Vec<Vec<StepId>> = Vec::new();
        for chain in po.chains.iter() {
            let list: Vec<StepId> = chain.iter().copied().filter(|&step| kept[step]).collect();
            for (at, &step) in list.iter().enumerate() {
                let list = steps.len() as u32;
                let at = at as u32;
                place[step] = Some(Place { list, at });
            }
            if !list.is_empty() {
                steps.push(list);
            }
        }
        let mut before = Before {
            steps,
            place,
            tables: Vec::new(),
            closed: false,
        };
        let lists = before.steps.len();
        let conflicts = conflicts.filter(|_| lists <= 2);
        for b in 0..lists {
            for a in 0..b {
                let all = before.steps[a].len() * before.steps[b].len();
                let asked = conflicts
                    .and_then(|conflicts| before.asked(po, conflicts, (a, b), 8 * all))
                    .unwrap_or_else(|| vec![true; all]);
                let table = before.table(formula, po, order, (a, b), &asked);
                before.tables.push(table);
            }
        }
        before.close(formula, eager_triples);
        before
    }

    /// The pairs of two lists that may be asked for, if few pairs show them (see [`Conflicts::pairs`]).
    fn asked(
        &self,
        po: &ProgramOrder,
        conflicts: &Conflicts,
        (a, b): (usize, usize),
        limit: usize,
    ) -> Option<Vec<bool>> {
        let [a, b] = [a, b].map(|list| &self.steps[list]);
        let threads = (po.steps[a[0]].thread, po.steps[b[0]].thread);
        let place = |step: StepId| Some(self.place[step]?.at as usize);
        conflicts.pairs(po, threads, (a.len(), b.len()), &place, limit)
    }

    fn table(
        &self,
        formula: &mut Formula,
        po: &ProgramOrder,
        order: &StaticOrder,
        (a, b): (usize, usize),
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
        // Steps, pairs and triples of steps of different lists, of the lists so far.
        let [mut single, mut pairs, mut triples] = [0usize; 3];
        for &size in &sizes {
            triples = triples.saturating_add(pairs.saturating_mul(size));
            pairs = pairs.saturating_add(single.saturating_mul(size));
            single += size;
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

    /// Clauses that exclude both cycles over three steps of lists in ascending order.
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

    /// Order literals of steps in the middle of their list, and at a quarter and three quarters of it, with all steps of another one:
    /// each implies the next in its row, which is turned round.
    pub fn rows(&self) -> Vec<Vec<Lit>> {
        let mut rows = Vec::new();
        for table in &self.tables {
            let width = table.columns.max(1);
            let height = table.lits.len() / width;
            let mut places = [height / 2, height / 4, height * 3 / 4].to_vec();
            places.sort_unstable();
            places.dedup();
            for place in places.into_iter().filter(|&place| place < height) {
                let row = &table.lits[place * width..(place + 1) * width];
                rows.push(row.iter().rev().filter_map(|lit| *lit).collect());
            }
        }
        rows
    }

    /// The literal of a pair of places of lists `a < b`.
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
        self.open(x, y)
            .expect("steps whose order matters have a literal")
    }

    /// The literal of two steps of different threads, if they have one.
    fn open(&self, x: StepId, y: StepId) -> Option<Lit> {
        let [(a, i), (b, j)] =
            [self.place[x]?, self.place[y]?].map(|p| (p.list as usize, p.at as usize));
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
