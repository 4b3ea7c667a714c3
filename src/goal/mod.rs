//! Goals: what is asked of an encoded program, and what a model of the encoding has to tell.

use crate::circuit::Lit;
use crate::event::EventId;
use crate::term::TermId;

/// An assertion or a cut in the encoding.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The event.
    pub event: EventId,
    /// It is reached, as a condition over variables of the encoding.
    pub reached: TermId,
    /// The assertion is violated; `None` for a cut.
    pub violated: Option<TermId>,
}

/// A model of an encoding.
pub trait Model {
    /// Value of a free literal that a scheme made.
    fn lit(&mut self, lit: Lit) -> bool;
    /// Truth of a condition over variables of the encoding.
    fn holds(&mut self, t: TermId) -> bool;
    /// Value of a word over variables of the encoding.
    fn value(&mut self, t: TermId) -> u128;
}
