//! Tests of the whole program and of its house rules; `README.md` beside this file says what is where.

mod accepted;
mod address;
mod addresses;
mod arrays;
mod blocks;
mod command;
mod copies;
mod external;
#[cfg(feature = "faults")]
mod faults;
mod files;
mod floats;
mod formula;
mod generate;
mod ir_text;
mod layering;
mod library;
mod lints;
mod loops;
mod lowering;
mod modular;
mod native;
mod oracle;
mod ordering;
mod prefix;
mod preprocess;
mod program;
mod raising;
mod random;
mod reading;
mod shrink;
mod signals;
mod sweep;
mod undefined;
mod unwinding;
mod weak;
