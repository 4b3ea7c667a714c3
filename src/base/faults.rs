//! Deliberate errors, one switched on at a time, that the tests must catch: the mechanism. Each stage declares its own in
//! `faults.rs`. In a normal build every hook is the constant `false`.

mod declare;
mod fault;
#[cfg(not(any(test, feature = "faults")))]
mod off;
#[cfg(any(test, feature = "faults"))]
pub mod record;
#[cfg(any(test, feature = "faults"))]
mod switch;

pub(crate) use declare::declare;
pub use fault::Fault;
#[cfg(not(any(test, feature = "faults")))]
pub use off::{current, on};
#[cfg(any(test, feature = "faults"))]
pub use switch::{current, on, with};
