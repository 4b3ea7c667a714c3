//! Reductions: programs made smaller before anybody encodes them, and what conditions imply on the way.

pub mod faults;
pub mod forward;
pub mod implication;
pub mod range;
pub mod slice;
pub mod substitution;
pub mod symmetry;
pub mod value_range;
