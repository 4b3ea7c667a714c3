//! Facts about the program that need no bounds: loop structure, liveness.

pub mod loops;
