//! Facts about the program that need no bounds: loop structure, liveness.

pub mod liveness;
pub mod loops;
