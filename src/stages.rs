//! The stages. Data flows one way: every module below is one stage, and a stage uses only the stages
//! listed before it (`solver-tests/layering.rs` checks that; the empty lines keep the order).

pub mod base;

pub mod lanes;

pub mod term;

pub mod circuit;

pub mod sat;

pub mod solve;

pub mod pdr;

pub mod source;

pub mod syntax;

pub mod ir;

pub mod library;

pub mod analysis;

pub mod race;

pub mod event;

pub mod goal;

pub mod exec;

pub mod symex;

pub mod transition;

pub mod reduce;

pub mod relation;

pub mod scheme;

pub mod question;

pub mod witness;

pub mod trace;

pub mod outcome;

pub mod modular;

pub mod verify;

pub mod native;

pub mod session;

pub mod report;

pub mod sweep;

pub mod cli;
