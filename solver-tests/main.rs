//! Tests of the whole program and of its house rules; `README.md` beside this file says what is where.

mod accepted;
mod arrays;
mod blocks;
mod command;
#[cfg(feature = "faults")]
mod faults;
mod floats;
mod generate;
mod layering;
mod library;
mod lints;
mod loops;
mod lowering;
mod modular;
mod native;
mod oracle;
mod prefix;
mod preprocess;
mod program;
mod random;
mod reading;
mod shrink;
mod sweep;
mod undefined;
mod unwinding;
mod weak;
