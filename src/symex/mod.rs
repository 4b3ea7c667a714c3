//! From a program and bounds to one [`EventProgram`]: every thread is executed once, symbolically.
//!
//! Control flow is followed in the loops' weak topological order, so that paths that meet again become one
//! state whose registers are conditional terms. Which memory is shared is not guessed beforehand: the first
//! pass treats every cell as private to whoever touches it, records who touches what once a second thread
//! may run, and the passes repeat until no cell that is treated as private is touched by two threads (one
//! of them writing). Only shared cells make events; everything else is ordinary memory and folds.
//! Knowledge grows with every pass (cells become shared and finer, pointers may point to more objects), so the passes
//! end.

mod access;
mod alone;
mod array;
mod block;
pub mod bounds;
mod control;
mod copy;
mod disturbed;
mod domain;
mod element;
mod endless;
mod escape;
pub mod faults;
mod feasible;
mod finish;
mod folding;
mod follow;
mod fresh;
mod idle;
mod initial;
mod inputs;
mod knowledge;
mod lane;
mod leak;
mod life;
mod list;
mod machine;
mod memory;
mod note;
mod number;
mod object;
mod operate;
mod overwrite;
mod pass;
mod pointer;
#[cfg(feature = "internals")]
pub mod points;
mod reach;
mod refusal;
mod registers;
mod relate;
mod rest;
mod resting;
mod run;
mod section;
mod share;
mod slots;
mod state;
mod sync;
mod touch;
mod unset;
mod value;
mod watch;
mod word;

pub use bounds::Bounds;
pub use refusal::{Refusal, Unaddressable};

use crate::analysis::Facts;
use crate::base::{Budget, Spent};
use crate::event::EventProgram;
use crate::ir::Program;
use crate::race::Sites;
use crate::symex::faults::Fault;
use knowledge::Knowledge;
use pass::Pass;
use std::sync::Arc;

/// Instructions of a loop in the first passes.
const HASTY_LOOP: u64 = 10_000;
/// Events that a loop whose test folds may produce in these passes.
const HASTY_EVENTS: usize = 32;

/// Unrolls one program under rising bounds; what one unrolling learnt about sharing serves the next.
pub struct Unroller<'a> {
    program: &'a Program,
    facts: Facts,
    knowledge: Knowledge,
    /// Knowledge that was begun anew was as crude as before.
    stays_crude: bool,
    /// Knowledge of the program's accesses; none where races are not asked for.
    sites: Arc<Sites>,
}

impl<'a> Unroller<'a> {
    /// Prepares a program.
    ///
    /// # Errors
    /// See [`Unaddressable`].
    pub fn new(program: &'a Program) -> Result<Unroller<'a>, Unaddressable> {
        Ok(Unroller {
            program,
            facts: Facts::of(program),
            knowledge: Knowledge::new(program, false)?,
            stays_crude: false,
            sites: Arc::default(),
        })
    }

    /// The same, where races of open accesses are asked for.
    #[must_use]
    pub fn knowing(self, sites: Arc<Sites>) -> Unroller<'a> {
        Unroller { sites, ..self }
    }

    /// The program within `bounds`.
    ///
    /// A loop that waits for another thread seems to run for ever until a pass has seen that thread. So passes give
    /// loops few instructions and events first, and what they are due once nothing else is to be learnt.
    pub fn unroll(&mut self, bounds: &Bounds, budget: &Budget) -> Result<EventProgram, Refusal> {
        let (events, ()) = self.unroll_with(bounds, budget, |_| ())?;
        Ok(events)
    }

    /// The same, with what was known of addresses.
    #[cfg(feature = "internals")]
    pub fn unroll_with_points(
        &mut self,
        bounds: &Bounds,
        budget: &Budget,
    ) -> Result<(EventProgram, points::Points), Refusal> {
        self.knowledge.notes_reached = true;
        self.unroll_with(bounds, budget, |pass| pass.points())
    }

    /// The same, with what `also` takes from the last pass.
    fn unroll_with<T>(
        &mut self,
        bounds: &Bounds,
        budget: &Budget,
        also: impl FnOnce(&Pass) -> T,
    ) -> Result<(EventProgram, T), Refusal> {
        let hasty = Bounds {
            loop_instructions: bounds.loop_instructions.min(HASTY_LOOP),
            loop_events: bounds.loop_events.min(HASTY_EVENTS),
            loop_events_of: Default::default(),
            ..bounds.clone()
        };
        let mut current = &hasty;
        self.knowledge.hopeful = true;
        let mut is_fresh = false;
        let mut spent = Spent::default();
        spent.write(budget.gauge());
        let begun = spent.begin("unroll");
        loop {
            spent.passes += 1;
            budget.gauge().at(|place| place.pass = spent.passes);
            let mut pass = Pass::run(
                self.program,
                &self.facts,
                &self.sites,
                current,
                &mut self.knowledge,
                budget,
            )?;
            if pass.learn() {
                continue;
            }
            let observes = pass.must_place_objects();
            let is_crude = !self.stays_crude && pass.knowledge.is_crude();
            self.stays_crude |= is_crude && is_fresh;
            if is_crude && !is_fresh {
                is_fresh = true;
                let observed = self.knowledge.machine.observed;
                self.knowledge = self.knowledge.anew(self.program, observed)?;
                continue;
            }
            if pass.knowledge.hopeful && pass.knowledge.hoped && !faults::on(Fault::HopeKept) {
                self.knowledge.hopeful = false;
                continue;
            }
            if observes {
                (is_fresh, self.stays_crude) = (false, false);
                self.knowledge = self.knowledge.anew(self.program, true)?;
                current = &hasty;
                continue;
            }
            if !pass.loop_spent || std::ptr::eq(current, bounds) {
                let more = also(&pass);
                let mut events = pass.finish();
                spent.end(begun, events.terms.len());
                events.spent = spent;
                return Ok((events, more));
            }
            current = bounds;
        }
    }
}
