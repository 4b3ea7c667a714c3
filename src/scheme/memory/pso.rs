//! Partial store order (the paper's ePSO, §V): the writes of a thread to one variable reach memory in the order of their
//! issue.

use super::list::{Discipline, Stamps};
use crate::term::{TermId, Terms};

/// One buffer for each thread and variable.
#[derive(Clone, Copy, Debug)]
pub struct Pso;

impl Discipline for Pso {
    /// In place of line 31: not before the thread's last write to this variable, nor before what a fence of C11 keeps
    /// before it.
    fn floor(terms: &mut Terms, stamps: Stamps, own: TermId) -> TermId {
        let ordered = stamps.ordered;
        let later = terms.ult(own, ordered);
        terms.ite(later, ordered, own)
    }

    /// In place of line 42: the largest so far.
    fn latest(terms: &mut Terms, before: TermId, stamp: TermId) -> TermId {
        let later = terms.ult(before, stamp);
        terms.ite(later, stamp, before)
    }
}
