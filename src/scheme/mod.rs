//! Schemes: how reads meet writes, one folder each.
//!
//! A scheme states, for an [`EventProgram`](crate::event::EventProgram), which values its reads may have. The rules that every
//! scheme implements are those of [`crate::event`]: above all, that an event happens exactly if its guard is true, and
//! that nothing is stated about one that does not.

pub mod lazy;
pub mod memory;
pub mod mu;
pub mod order;
pub mod step;
pub mod timestamp;
