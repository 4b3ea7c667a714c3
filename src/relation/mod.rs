//! Relations over the steps of a program: program order, accesses and their sources, order literals, what may move.

pub mod access;
pub mod before;
pub mod buffer;
pub mod conflict;
pub mod faults;
pub mod join;
pub mod level;
pub mod linear;
pub mod mover;
pub mod program_order;
pub mod race;
pub mod resolve;
pub mod source;
pub mod static_order;
pub mod suffix;
pub mod symmetry;
pub mod turn;
