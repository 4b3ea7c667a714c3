//! Symbolic execution of the typed program, once for all who do it: a trait for memory, threads and control ([`Domain`]),
//! and the meaning of instructions, calls and the ends of blocks over it.
//!
//! Two stages implement the trait. `symex` unrolls: accesses of shared memory become events, words may be machine
//! addresses, and a call is executed where it stands. `transition` explores from location to location: memory is a set of
//! finite variables, a value carries the objects that it may point to, and a call is a frame on a stack, because an edge
//! may end within it. So these differ for good, and stay with each of them: what an address reaches and what is read there;
//! when a path has to end so that others can come between; which paths may meet, and how.
//!
//! The same for both, and here: in which order operands are evaluated and how wide results are ([`step`]); accesses in
//! terms of places that are reached, read and written (`memory`); waiting for a mutex and taking it (`sync`); which
//! functions a call may enter, and with which arguments (`call`); tests at the ends of blocks ([`leave`]); right-hand
//! sides ([`rvalue`]); conditions of paths ([`Path`]); values that a term may have ([`constants`], [`congruence`]); the
//! parts of addresses ([`Address`]). Whatever refuses something has noted the reason and returns `None`: the path ends.
//!
//! The interpreter (`trace/interpret`), which judges both, shares none of this.

mod address;
mod call;
mod domain;
pub mod faults;
mod leave;
mod memory;
mod operand;
mod path;
pub mod rvalue;
mod step;
mod sync;
#[cfg(test)]
mod test;
mod values;

pub use address::{Address, is_at};
pub use call::arguments;
pub use domain::{Call, Domain, MutexUse, Purpose};
pub use leave::{Exit, leave};
pub use operand::{constant, operand};
pub use path::Path;
pub use step::step;
pub use values::{congruence, constants, progression};
