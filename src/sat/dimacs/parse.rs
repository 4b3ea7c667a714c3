//! Reader of DIMACS files, for tests of what is written.
//!
//! It accepts what the SAT competitions accept: comment lines, one `p cnf` line, clauses that span
//! lines, and a `%` line that ends the file (an old convention of the SATLIB archive).

use crate::circuit::{ClauseSink, Clauses};
use std::fmt;

/// Reads a DIMACS file.
///
/// # Errors
/// The first line that is not DIMACS, and what was expected there.
pub fn parse(text: &str) -> Result<Clauses, ParseError> {
    let mut cnf = Clauses::new();
    let mut header: Option<(i32, usize)> = None;
    let mut clause = Vec::new();
    let mut last_line = 0;
    for (index, line) in text.lines().enumerate() {
        let error = |expected: &str| ParseError {
            line: index + 1,
            expected: expected.to_string(),
        };
        last_line = index + 1;
        let line = line.trim();
        if line.is_empty() || line.starts_with('c') {
            continue;
        }
        if line.starts_with('%') {
            break;
        }
        if line.starts_with('p') {
            if header.is_some() {
                return Err(error("a clause (there is a `p` line already)"));
            }
            let fields: Vec<&str> = line.split_ascii_whitespace().collect();
            let sizes = match fields[..] {
                ["p", "cnf", vars, clauses] => vars.parse().ok().zip(clauses.parse().ok()),
                _ => None,
            };
            let sizes: Option<(i32, usize)> = sizes.filter(|(vars, _)| *vars >= 0);
            let (vars, clauses) = sizes.ok_or_else(|| error("`p cnf VARIABLES CLAUSES`"))?;
            for _ in 0..vars {
                cnf.new_var();
            }
            header = Some((vars, clauses));
            continue;
        }
        let Some((vars, _)) = header else {
            return Err(error("`p cnf VARIABLES CLAUSES` before the first clause"));
        };
        for word in line.split_ascii_whitespace() {
            match word.parse::<i32>() {
                Ok(0) => {
                    cnf.add_clause(&clause);
                    clause.clear();
                }
                Ok(lit) if lit.unsigned_abs() <= vars.unsigned_abs() => clause.push(lit),
                Ok(_) => return Err(error(&format!("a literal of variables 1 to {vars}"))),
                Err(_) => return Err(error("a literal or 0")),
            }
        }
    }
    let error = |expected: &str| ParseError {
        line: last_line,
        expected: expected.to_string(),
    };
    let Some((_, clauses)) = header else {
        return Err(error("`p cnf VARIABLES CLAUSES`"));
    };
    if !clause.is_empty() {
        return Err(error("0 at the end of the last clause"));
    }
    if cnf.len() != clauses {
        return Err(error(&format!(
            "{clauses} clauses in all, found {}",
            cnf.len()
        )));
    }
    Ok(cnf)
}

/// Reason why a text is not a DIMACS file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Counted from 1; 0 for an empty text.
    pub line: usize,
    /// Text that should have been there.
    pub expected: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}", self.line, self.expected)
    }
}

impl std::error::Error for ParseError {}

#[cfg(test)]
mod tests {
    use super::super::write;
    use super::*;

    fn expect_error(text: &str, line: usize, expected: &str) {
        let error = parse(text).expect_err(text);
        assert_eq!(
            (error.line, error.expected.contains(expected)),
            (line, true),
            "{text:?}: {error}"
        );
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut cnf = Clauses::new();
        for _ in 0..4 {
            cnf.new_var();
        }
        cnf.add_clause(&[1, -2, 3]);
        cnf.add_clause(&[]);
        cnf.add_clause(&[-3]);
        let mut file = Vec::new();
        write(&cnf, &mut file, &["two\nlines".to_string()], &[]).unwrap();
        let text = String::from_utf8(file).unwrap();
        assert_eq!(text, "c two\nc lines\np cnf 4 3\n1 -2 3 0\n0\n-3 0\n");
        assert_eq!(parse(&text).unwrap(), cnf);
    }

    #[test]
    fn clauses_may_span_lines_and_percent_ends() {
        let cnf = parse("c hello\np cnf 3 2\n1\n 2 0 -3\n0\n%\n0\n").unwrap();
        assert_eq!(cnf.iter().collect::<Vec<_>>(), [&[1, 2][..], &[-3]]);
    }

    #[test]
    fn errors_name_line_and_expectation() {
        expect_error("", 0, "p cnf");
        expect_error("1 2 0\n", 1, "before the first clause");
        expect_error("p cnf 2\n", 1, "p cnf VARIABLES CLAUSES");
        expect_error("p cnf 2 1\n1 x 0\n", 2, "a literal or 0");
        expect_error("p cnf 2 1\n1 3 0\n", 2, "variables 1 to 2");
        expect_error("p cnf 2 1\n1 2\n", 2, "0 at the end");
        expect_error("p cnf 2 2\n1 0\n", 2, "found 1");
        expect_error("p cnf 2 1\np cnf 2 1\n", 2, "a clause");
    }
}
