//! Tests of the whole program and of its house rules; `README.md` beside this file says what is where.

mod layering;
mod lints;
mod lowering;
mod reading;
