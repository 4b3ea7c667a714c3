//! The scheme `order`: which of two steps of different threads comes first is a literal, and a read takes the
//! last write before it. No bound on context switches.
//!
//! Static resolution comes first: it settles what the static order decides ([`resolve`](crate::relation::resolve)).
//! There remain literals for pairs of steps that may conflict ([`before`](crate::relation::before)) and, for each read
//! that happens, the choice of its source ([`source`](crate::relation::source)). Everything about an event is stated
//! under its guard, so that threads may stop where they block.
//!
//! Under TSO and PSO, the steps that are ordered are commits of buffered writes and all other steps
//! ([`buffer`](crate::relation::buffer)): no bound on the length of buffers either. Steps are not put together there: that
//! reduction is about threads whose steps are in one order for all to see, and a write in a critical section may reach
//! memory at its end.

mod settings;
mod switches;
mod turns;
pub use settings::Settings;

use super::{Beyond, Encoded};
use crate::base::{Budget, IdVec, StopReason};
use crate::circuit::Formula;
use crate::circuit::Lit;
use crate::event::{CellId, EventId, EventProgram, ThreadId};
use crate::goal::{Claim, Model};
use crate::relation::access::{Accesses, Write};
use crate::relation::before::Before;
use crate::relation::conflict::Conflicts;
use crate::relation::join;
use crate::relation::linear::{Precedence, Touch};
use crate::relation::program_order::{ProgramOrder, StepId, happening};
use crate::relation::resolve::resolve;
use crate::relation::source;
use crate::relation::static_order::StaticOrder;
use crate::relation::{mover, suffix, symmetry};
use crate::term::TermId;
use turns::Turns;

/// The encoding of a program.
pub struct Order {
    po: ProgramOrder,
    order: StaticOrder,
    accesses: Accesses,
    before: Before,
    /// Guard of each visible event that can happen; of a join: its guard and that it came through.
    happens: IdVec<EventId, Option<TermId>>,
    /// Joins whose order depends on a condition: the end, the join that waits for it, the condition.
    joins: Vec<(StepId, StepId, TermId)>,
    /// Order that store buffers keep on a condition: the earlier step, the later one, the condition.
    edges: Vec<(StepId, StepId, TermId)>,
    /// Accesses of each cell that is written and not resolved statically: step, when it happens, whether it writes.
    touches: Vec<Vec<(StepId, TermId, bool)>>,
    /// Turns of the steps, where they are counted.
    turns: Option<Turns>,
}

impl Order {
    /// States everything that ties reads to writes.
    ///
    /// # Errors
    /// The budget ended it.
    pub fn encode(
        program: &mut EventProgram,
        formula: &mut Formula,
        eager_triples: usize,
        budget: &Budget,
    ) -> Result<Order, StopReason> {
        let (po, order, mut accesses, conflicts) = program.timed("relation", |program| {
            let mut po = ProgramOrder::of(program);
            if !program.memory.is_weak() {
                let together = mover::together(program, &po);
                po.join_steps(&together);
            }
            let first = symmetry::first_steps(program, &po);
            let order = StaticOrder::with(program, &po, &first);
            let accesses = resolve(program, &po, &order);
            let conflicts = Conflicts::of(program, &po, &order, &accesses);
            (po, order, accesses, conflicts)
        });
        let kept = conflicts.steps(&po, &order);
        let before = Before::new(formula, &po, &order, &kept, Some(&conflicts), eager_triples);
        let happens = happening(program, &po, &mut accesses.substitution);
        let mut result = Order {
            po,
            order,
            accesses,
            before,
            happens,
            joins: Vec::new(),
            edges: Vec::new(),
            touches: Vec::new(),
            turns: None,
        };
        result.state_joins(program, formula);
        result.state_edges(program, formula);
        let closed = suffix::closed(program, &result.po, &result.happens);
        let stops =
            |write: &Write| closed[write.event] && result.happens[write.event] == Some(write.act);
        for read in result.accesses.reads.clone() {
            if let Some(reason) = budget.check_formula(formula.clauses().len()) {
                return Err(reason);
            }
            let sources = result
                .accesses
                .sources(program, &result.po, &result.order, &read);
            let mut precedes = |_: &mut Formula, x, y| result.lit(x, y);
            source::state(program, formula, &mut precedes, &read, &sources, &stops);
        }
        result.collect_touches();
        Ok(result)
    }

    /// The literal that `x` comes before `y`.
    fn lit(&self, x: StepId, y: StepId) -> Lit {
        self.before.lit(&self.po, &self.order, x, y)
    }

    /// A join comes through only after the end of the thread that it names.
    fn state_joins(&mut self, program: &mut EventProgram, formula: &mut Formula) {
        let Order {
            po,
            order,
            before,
            accesses,
            ..
        } = self;
        self.joins = join::state(
            program,
            formula,
            po,
            &self.happens,
            &mut accesses.substitution,
            |_, event, end, step| {
                let known = order.joins.contains(&event);
                (!known).then(|| vec![before.lit(po, order, end, step)])
            },
        );
    }

    /// States what store buffers keep in order on a condition.
    fn state_edges(&mut self, program: &mut EventProgram, formula: &mut Formula) {
        for edge in std::mem::take(&mut self.po.edges) {
            let Some(when) = edge.when else { continue };
            if self.order.before(&self.po, edge.from, edge.to) {
                continue;
            }
            let when = self
                .accesses
                .substitution
                .instance(&mut program.terms, when);
            let ordered = self.lit(edge.from, edge.to);
            let condition = formula.lit_of(&program.terms, when);
            formula.add_clause(&[!condition, ordered]);
            self.edges.push((edge.from, edge.to, when));
        }
    }

    fn collect_touches(&mut self) {
        let writes = |lists: &IdVec<ThreadId, Vec<Write>>| {
            lists
                .iter()
                .flatten()
                .map(|write| (write.step, write.act, true))
                .collect()
        };
        let mut touches: Vec<Vec<(StepId, TermId, bool)>> =
            self.accesses.writes.iter().map(writes).collect();
        for read in &self.accesses.reads {
            touches[read.cell.0 as usize].push((read.step, read.act, false));
        }
        touches.retain(|all| all.iter().any(|touch| touch.2));
        self.touches = touches;
    }

    /// Precedence graph of a model: what happens in it and in which order; it may have cycles.
    fn precedence(&self, model: &mut dyn Model) -> Precedence {
        let happens = self.po.steps.iter().map(|step| {
            let mut happens = |event| self.happens[event].is_some_and(|guard| model.holds(guard));
            step.events.iter().any(|&event| happens(event))
        });
        let happens = happens.collect();
        let mut precedence = Precedence::new(&self.po, &self.order, happens);
        for &(end, join, waits) in &self.joins {
            if model.holds(waits) {
                precedence.add(end, join);
            }
        }
        for &(from, to, when) in &self.edges {
            if model.holds(when) {
                precedence.add_between(&self.po, from, to);
            }
        }
        for all in &self.touches {
            let active = all.iter().filter(|touch| model.holds(touch.1));
            let active: Vec<Touch> = active.map(|touch| (touch.0, touch.2)).collect();
            precedence.add_conflicts(&self.po, &active, |x, y| model.lit(self.lit(x, y)));
        }
        if let Some(turns) = &self.turns {
            let of_step = |step| (turns.of(model, step) as u64, 0);
            precedence.set_times(self.po.steps.ids().map(of_step).collect());
        }
        precedence
    }
}

impl Encoded for Order {
    fn resolve(&mut self, program: &mut EventProgram, t: TermId) -> TermId {
        self.accesses.substitution.instance(&mut program.terms, t)
    }

    fn claims(&mut self, program: &mut EventProgram) -> Vec<Claim> {
        self.po.claims(program, &mut self.accesses.substitution)
    }

    fn last(
        &mut self,
        program: &mut EventProgram,
        formula: &mut Formula,
        cells: &[CellId],
    ) -> Option<Vec<TermId>> {
        if program.memory.is_weak() {
            return None;
        }
        let contents = cells.iter().map(|&cell| {
            let content = program.last[&cell];
            let initial = program.cells[cell].init;
            let initial = self
                .accesses
                .substitution
                .instance(&mut program.terms, initial);
            let precedes = |x, y| self.before.lit(&self.po, &self.order, x, y);
            let chains = &self.accesses.writes[cell];
            source::last(program, formula, &precedes, (content, initial), chains);
            content
        });
        Some(contents.collect())
    }

    fn is_closed(&self) -> bool {
        self.before.closed
    }

    fn refine(&self, model: &mut dyn Model) -> Vec<Vec<Lit>> {
        match self.precedence(model).line(&self.po) {
            Some(_) => Vec::new(),
            None => {
                let clauses = self.before.refinement(model).into_iter();
                clauses.map(|clause| clause.to_vec()).collect()
            }
        }
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
        let precedence = self.precedence(model);
        precedence.execution(program, &self.po, target, |event| {
            self.happens[event].is_some_and(|guard| model.holds(guard))
        })
    }

    fn beyond(&mut self, _: &mut EventProgram, _: &mut Formula) -> Beyond {
        Beyond::None
    }

    /// Of some steps in the middle of their thread, where they are among those of another one.
    fn splits(&self, _: &EventProgram, _: &mut Formula) -> Vec<Vec<Lit>> {
        self.before.rows()
    }

    /// Steps, those that have order literals, reads whose value the static order decides, and pairs of a read and a cell
    /// that the solver decides.
    fn figures(&self) -> Vec<(&'static str, usize)> {
        let ordered = self.before.steps.iter().map(Vec::len).sum();
        vec![
            ("steps", self.po.steps.len()),
            ("ordered", ordered),
            ("resolved", self.accesses.resolved),
            ("open", self.accesses.reads.len()),
        ]
    }
}
