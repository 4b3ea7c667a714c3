//! Symbolic execution of the typed program, once for all who do it: a trait for memory, threads and control ([`Domain`]),
//! and the meaning of instructions, calls and the ends of blocks over it.
//!
//! Two stages implement the trait. `symex` unrolls: accesses of shared memory become events, words may be machine
//! addresses, and a call is executed where it stands. `transition` explores from location to location: memory is a set of
//! finite variables, a value carries the objects that it may point to, and a call is a frame on a stack, because an edge
//! may end within it. So these differ for good, and stay with each of them: what an address reaches and what is read there;
//! when a path has to end so that others can come between; which paths may meet, and how.
//!
//! The same for both, and here: in which order operands are evaluated and how wide results are ([`step`]); accesses in terms of
//! places that are reached, read and written (`memory`); waiting for a mutex and taking it (`sync`); which functions a call
//! may enter, and with which arguments (`call`); right-hand sides ([`rvalue`]); conditions of paths ([`Path`]); values that
//! a term may have ([`constants`], [`congruence`]). A part that refuses something has ended the path and returns `None`.
//!
//! The interpreter (`trace/interpret`), which judges both, shares none of this.

mod call;
mod domain;
mod memory;
mod operand;
mod path;
pub mod rvalue;
mod step;
mod sync;
mod values;

pub use call::arguments;
pub use domain::{Call, Domain, MutexUse, Purpose};
pub use operand::{constant, operand};
pub use path::Path;
pub use step::step;
pub use values::{congruence, constants};
