//! Total store order (the paper's eTSO): the writes of a thread reach memory in the order of their issue.

use super::list::{Discipline, Stamps};
use crate::term::{TermId, Terms};

/// One buffer for each thread.
#[derive(Clone, Copy, Debug)]
pub struct Tso;

impl Discipline for Tso {
    /// Line 31 of Figure 3: not before the thread's last write, to whatever variable.
    fn floor(_: &mut Terms, stamps: Stamps, _: TermId) -> TermId {
        stamps.last
    }

    /// Line 42: stamps never fall, so the last one is the largest.
    fn latest(_: &mut Terms, _: TermId, stamp: TermId) -> TermId {
        stamp
    }
}
