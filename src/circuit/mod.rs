//! From words to clauses: a structurally hashed graph of gates, the word-level operators built in it, and
//! its translation to conjunctive normal form.
//!
//! [`Blaster`] maps terms to words of literals as they are asked for; [`Emitter`] writes the definition of a
//! gate when a clause first needs it; [`Formula`] is both together, which is what schemes use.
//!
//! Architecture invariant: the numbers of gates and of solver variables depend on the order of calls alone.

pub mod adder;
pub mod blast;
pub mod comparator;
pub mod divider;
pub mod emit;
pub mod formula;
pub mod graph;
pub mod multiplier;
pub mod shifter;
mod simplify;
#[cfg(test)]
mod test;

pub use blast::Blaster;
pub use emit::{ClauseSink, Clauses, Emitter};
pub use formula::Formula;
pub use graph::{Circuit, Gate, Lit};
