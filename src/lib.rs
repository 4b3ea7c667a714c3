//! Selvedge: a bounded model checker for multi-threaded C.
//!
//! Data flows one way: every module below is one stage, and a stage uses only the stages
//! listed before it (`solver-tests/layering.rs` checks that).

pub mod analysis;
pub mod base;
pub mod circuit;
pub mod cli;
pub mod event;
pub mod ir;
pub mod library;
pub mod report;
pub mod sat;
pub mod scheme;
pub mod source;
pub mod symex;
pub mod syntax;
pub mod term;
pub mod trace;
