//! Hash-consed words: the language of guards, values and addresses.
//!
//! A term is a bit-vector of 1 to 128 bits; a condition has width 1. Building a term folds constants,
//! applies rewrites (in `rewrite/`) and tracks known bits and ranges ([`known`]); equal terms are one
//! id, and an operand's id is smaller than the ids of the terms built on it.
//!
//! Architecture invariant: no rewrite takes time that grows with the size of the term's cone. Rules look a
//! bounded number of nodes deep, so building a term is constant time, whatever it is built on. What a long conjunction
//! consists of is asked of a set that is shared with the conjunctions it grew out of (`parts.rs`), and what was rewritten
//! lately is not rewritten again (`recent.rs`).

pub mod eval;
pub mod faults;
mod float;
pub mod known;
pub mod node;
mod parts;
mod pool;
#[cfg(test)]
mod print;
pub mod range;
mod recent;
mod rewrite;
pub mod substitute;
#[cfg(test)]
pub(crate) mod test;
pub mod walk;
pub mod word;

pub use eval::Evaluator;
pub use known::Fact;
pub use node::{Node, Op};
pub use pool::Terms;
pub use substitute::Memo;

use crate::ids;

ids! {
    /// A term of a [`Terms`] pool.
    TermId;
    /// A free variable of a [`Terms`] pool.
    VarId;
}
