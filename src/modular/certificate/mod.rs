//! Certificates: what a proof rests on, in a form that can be kept, read, and checked again without any search.
//!
//! A certificate holds an inductive invariant of all interleavings, maybe of those in lockstep and with predicates over words, or, where threads were verified one by one, lemmas
//! of environments in the order in which they were shown, and then the threads. Each of these has an invariant, or is
//! said to have finite executions only, all of which are then executed again. An invariant is given as the depth of its
//! induction and sets of states that are never reached, each as a condition in C and as the bits that are checked; a
//! condition of a lemma is a conjunction of terms over words, node by node, with the same in C.
//!
//! Texts for people are compared: [`check`] renders each of them anew from what it checks (`text`, and `name` of the stage)
//! and rejects a file that says something else. Equal texts mean the same, and names of words and places are all different.
//!
//! The systems are not part of it. [`check`] builds them again from the program, so whoever wrote the certificate need
//! not be trusted: initiation, consecution and safety of each invariant are asked of a fresh solver, and a lemma may
//! rest only on lemmas before it.

mod check;
mod format;
mod literals;
mod nodes;
mod text;
mod write;

#[cfg(feature = "internals")]
pub use check::Checked;
pub use check::{Rejection, check};
pub use format::{
    Certificate, Condition, FORMAT, Interleavings, Invariant, Lemma, Lockstep, OneThread, Shown,
    States,
};
pub(super) use write::CertificateBuilder;
