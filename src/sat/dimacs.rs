//! The DIMACS file format.

#[cfg(feature = "internals")]
mod parse;

#[cfg(feature = "internals")]
pub use parse::{ParseError, parse};

use crate::circuit::Clauses;
use std::io::{self, Write};

/// Writes a DIMACS file: comments first (one line each), `units` (such as assumptions) as clauses last.
///
/// # Errors
/// Those that `out` reports.
pub fn write(
    clauses: &Clauses,
    out: &mut dyn Write,
    comments: &[String],
    units: &[i32],
) -> io::Result<()> {
    for line in comments.iter().flat_map(|comment| comment.lines()) {
        writeln!(out, "c {line}")?;
    }
    writeln!(
        out,
        "p cnf {} {}",
        clauses.variables(),
        clauses.len() + units.len()
    )?;
    for clause in clauses.iter() {
        for lit in clause {
            write!(out, "{lit} ")?;
        }
        writeln!(out, "0")?;
    }
    for unit in units {
        writeln!(out, "{unit} 0")?;
    }
    Ok(())
}
