//! Schemes: how reads meet writes, one folder each; `memory` is what the turns of `lazy` read and write.
//!
//! A scheme states, for an [`EventProgram`](crate::event::EventProgram), which values its reads may have. The rules that every
//! scheme implements are those of [`crate::event`]: above all, that an event happens exactly if its guard is true, and
//! that nothing is stated about one that does not.

mod bound;
pub mod faults;
pub mod lazy;
pub mod memory;
mod method;
pub mod mu;
pub mod order;
pub mod step;
mod table;
pub mod timestamp;

pub use bound::{Bound, Grain};
pub use method::{Level, Method, Rising};
pub use table::Scheme;

use crate::circuit::{Formula, Lit};
use crate::event::{CellId, EventId, EventProgram};
use crate::goal::{Claim, Model};
use crate::term::{TermId, Terms};
use std::any::Any;

/// The encoding of a program by a scheme: all that questions need to know of it.
///
/// A scheme may have a *level*, a bound that questions are about and that may rise: rounds, or guessed writes. Without
/// one, its level is 0.
pub trait Encoded: Any {
    /// Assertions and cuts that can happen, with the conditions that say whether they do. They change where
    /// [`Encoded::grow`] says so.
    fn claims(&mut self, program: &mut EventProgram) -> Vec<Claim>;

    /// A term of the program over the variables of the encoding.
    fn resolve(&mut self, _program: &mut EventProgram, t: TermId) -> TermId {
        t
    }

    /// Contents of cells when no thread takes a step any more, over the variables of the encoding; `None` if the scheme cannot tell.
    /// They change with the claims.
    fn last(
        &mut self,
        _program: &mut EventProgram,
        _formula: &mut Formula,
        _cells: &[CellId],
    ) -> Option<Vec<TermId>> {
        None
    }

    /// Terms that variables of the program stand for, by variable; `None` for one that stands for itself.
    fn definitions(&self) -> &[Option<TermId>] {
        &[]
    }

    /// The visible events that happen in a model, in their order, up to a violated assertion or a cut; `None` if the
    /// model is no execution.
    fn decode(
        &self,
        program: &EventProgram,
        model: &mut dyn Model,
        target: EventId,
    ) -> Option<Vec<EventId>>;

    /// True if every model is an execution; otherwise [`Encoded::refine`] says what is wrong with one.
    fn is_closed(&self) -> bool {
        true
    }

    /// Clauses that exclude what is wrong with a model; none if it is an execution.
    fn refine(&self, _model: &mut dyn Model) -> Vec<Vec<Lit>> {
        Vec::new()
    }

    /// Literals that every violation implies, to be stated beside the question.
    fn needed(&self, _terms: &Terms, _formula: &mut Formula) -> Vec<Lit> {
        Vec::new()
    }

    /// The level that questions are about.
    fn level(&self) -> u32 {
        0
    }

    /// No violation is on a lower level.
    fn least(&self) -> u32 {
        0
    }

    /// The highest level that may be asked for; `None` if there is one question alone.
    fn rises_to(&self) -> Option<u32> {
        None
    }

    /// The level to ask for after this one.
    fn next(&self) -> u32 {
        self.level()
    }

    /// The level to begin with, if it has to be taken.
    fn first(&self) -> Option<u32> {
        None
    }

    /// Adds what questions about a level need. Whether claims have changed, and facts are to be stated again.
    fn grow(&mut self, _program: &mut EventProgram, _formula: &mut Formula, _level: u32) -> bool {
        false
    }

    /// Questions from now on are about a level, for which the encoding has grown.
    fn restrict(&mut self, _program: &mut EventProgram, _formula: &mut Formula, _level: u32) {}

    /// Questions from now on are about executions within a bound below that of the encoding, in chains along a bound that is not the
    /// level ([`Method::RISES`]). False if the chain is along the level.
    fn limit(&mut self, _program: &mut EventProgram, _formula: &mut Formula, _bound: u32) -> bool {
        false
    }

    /// Assumptions of questions about the level.
    fn within(&self) -> Vec<Lit> {
        Vec::new()
    }

    /// The one of these assumptions, if there is one, that leaves out executions which are equal to others.
    fn pruned(&self) -> Option<Lit> {
        None
    }

    /// The level that the encoding has to grow to before [`Encoded::beyond`] can tell.
    fn farther(&self) -> Option<u32> {
        None
    }

    /// Test for executions beyond the level.
    fn beyond(&mut self, program: &mut EventProgram, formula: &mut Formula) -> Beyond;

    /// Lemma that may be stated once the level is known to have no violation: the violation that was asked for implies
    /// this clause, unless a section ends at a cut. `None` if nothing may be stated.
    fn excluded(&self) -> Option<Vec<Lit>> {
        None
    }

    /// Literals that executions can be split by, in chains: of a chain, each literal implies the one before it, so that a literal and the
    /// negation of a later one are a window. None if the scheme has no such literals. Those of levels to come are not among them.
    fn splits(&self, _program: &EventProgram, _formula: &mut Formula) -> Vec<Vec<Lit>> {
        Vec::new()
    }

    /// Figures for statistics, with their names.
    fn figures(&self) -> Vec<(&'static str, usize)> {
        Vec::new()
    }
}

/// Answer to whether executions go beyond the level of an encoding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Beyond {
    /// None does: every schedule is within it.
    None,
    /// Some may.
    Some,
    /// One does if the goal can hold.
    Asked {
        /// The goal.
        goal: Lit,
        /// Assumptions in place of those of [`Encoded::within`].
        within: Vec<Lit>,
    },
}
