//! Formulas as data: recording what a solver is told, and the DIMACS file format.
//!
//! The reader accepts what the SAT competitions accept: comment lines, one `p cnf` line, clauses that span
//! lines, and a `%` line that ends the file (an old convention of the SATLIB archive).

use super::{Answer, Solver};
use crate::base::Budget;
use std::fmt;
use std::io::{self, Write};

/// Clauses over variables 1 to `vars`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cnf {
    vars: usize,
    clauses: usize,
    /// All literals, a 0 after each clause.
    lits: Vec<i32>,
}

impl crate::circuit::ClauseSink for Cnf {
    fn new_var(&mut self) -> i32 {
        Cnf::new_var(self)
    }

    fn add_clause(&mut self, lits: &[i32]) {
        Cnf::add_clause(self, lits);
    }
}

impl Cnf {
    /// The empty formula.
    pub fn new() -> Cnf {
        Cnf::default()
    }

    /// A new variable, as a positive literal.
    pub fn new_var(&mut self) -> i32 {
        self.vars += 1;
        i32::try_from(self.vars).expect("fewer than 2^31 variables")
    }

    /// Adds a clause; variables that it mentions exist from now on.
    pub fn add_clause(&mut self, lits: &[i32]) {
        let largest = lits.iter().map(|lit| lit.unsigned_abs() as usize).max();
        self.vars = self.vars.max(largest.unwrap_or(0));
        self.clauses += 1;
        self.lits.extend_from_slice(lits);
        self.lits.push(0);
    }

    /// Number of variables.
    pub fn var_count(&self) -> usize {
        self.vars
    }

    /// Number of clauses.
    pub fn clause_count(&self) -> usize {
        self.clauses
    }

    /// Clauses in the order they were added.
    pub fn clauses(&self) -> impl Iterator<Item = &[i32]> {
        self.lits
            .split_inclusive(|lit| *lit == 0)
            .map(|clause| &clause[..clause.len() - 1])
    }

    /// Tells the whole formula to a solver that has no variables yet.
    pub fn load(&self, solver: &mut dyn Solver) {
        for _ in 0..self.vars {
            solver.new_var();
        }
        for clause in self.clauses() {
            solver.add_clause(clause);
        }
    }

    /// Writes a DIMACS file: comments first (one line each), `units` (such as assumptions) as clauses last.
    ///
    /// # Errors
    /// What `out` reports.
    pub fn write(&self, out: &mut dyn Write, comments: &[String], units: &[i32]) -> io::Result<()> {
        for line in comments.iter().flat_map(|comment| comment.lines()) {
            writeln!(out, "c {line}")?;
        }
        writeln!(out, "p cnf {} {}", self.vars, self.clauses + units.len())?;
        for clause in self.clauses() {
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

    /// Reads a DIMACS file.
    ///
    /// # Errors
    /// The first line that is not DIMACS, and what was expected there.
    pub fn parse(text: &str) -> Result<Cnf, ParseError> {
        let mut cnf = Cnf::new();
        let mut header: Option<(usize, usize)> = None;
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
                header = Some(sizes.ok_or_else(|| error("`p cnf VARIABLES CLAUSES`"))?);
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
                    Ok(lit) if lit.unsigned_abs() as usize <= vars && lit != i32::MIN => {
                        clause.push(lit)
                    }
                    Ok(_) => return Err(error(&format!("a literal of variables 1 to {vars}"))),
                    Err(_) => return Err(error("a literal or 0")),
                }
            }
        }
        let error = |expected: &str| ParseError {
            line: last_line,
            expected: expected.to_string(),
        };
        let Some((vars, clauses)) = header else {
            return Err(error("`p cnf VARIABLES CLAUSES`"));
        };
        if !clause.is_empty() {
            return Err(error("0 at the end of the last clause"));
        }
        if cnf.clauses != clauses {
            return Err(error(&format!(
                "{clauses} clauses in all, found {}",
                cnf.clauses
            )));
        }
        cnf.vars = vars;
        Ok(cnf)
    }
}

/// Why a text is not a DIMACS file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Counted from 1; 0 for an empty text.
    pub line: usize,
    /// What should have been there.
    pub expected: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}", self.line, self.expected)
    }
}

impl std::error::Error for ParseError {}

/// A solver that also keeps what it was told, to write it down.
pub struct Recorder<S> {
    solver: S,
    cnf: Cnf,
    assumptions: Vec<i32>,
}

impl<S: Solver> Recorder<S> {
    /// Records what is told to `solver`, which must have no variables yet.
    pub fn new(solver: S) -> Recorder<S> {
        Recorder {
            solver,
            cnf: Cnf::new(),
            assumptions: Vec::new(),
        }
    }

    /// All clauses so far.
    pub fn cnf(&self) -> &Cnf {
        &self.cnf
    }

    /// Assumptions of the last call of `solve`.
    pub fn assumptions(&self) -> &[i32] {
        &self.assumptions
    }
}

impl<S: Solver> Solver for Recorder<S> {
    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn new_var(&mut self) -> i32 {
        self.cnf.new_var();
        self.solver.new_var()
    }

    fn add_clause(&mut self, lits: &[i32]) {
        self.cnf.add_clause(lits);
        self.solver.add_clause(lits);
    }

    fn solve(&mut self, assumptions: &[i32], budget: &Budget) -> Answer {
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        self.solver.solve(assumptions, budget)
    }

    fn value(&self, lit: i32) -> bool {
        self.solver.value(lit)
    }

    fn core(&self) -> Option<&[i32]> {
        self.solver.core()
    }

    fn var_count(&self) -> usize {
        self.solver.var_count()
    }

    fn clause_count(&self) -> usize {
        self.solver.clause_count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::SolverKind;

    fn expect_error(text: &str, line: usize, expected: &str) {
        let error = Cnf::parse(text).expect_err(text);
        assert_eq!(
            (error.line, error.expected.contains(expected)),
            (line, true),
            "{text:?}: {error}"
        );
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut cnf = Cnf::new();
        for _ in 0..4 {
            cnf.new_var();
        }
        cnf.add_clause(&[1, -2, 3]);
        cnf.add_clause(&[]);
        cnf.add_clause(&[-3]);
        let mut file = Vec::new();
        cnf.write(&mut file, &["two\nlines".to_string()], &[])
            .unwrap();
        let text = String::from_utf8(file).unwrap();
        assert_eq!(text, "c two\nc lines\np cnf 4 3\n1 -2 3 0\n0\n-3 0\n");
        assert_eq!(Cnf::parse(&text).unwrap(), cnf);
    }

    #[test]
    fn clauses_may_span_lines_and_percent_ends() {
        let cnf = Cnf::parse("c hello\np cnf 3 2\n1\n 2 0 -3\n0\n%\n0\n").unwrap();
        assert_eq!(cnf.clauses().collect::<Vec<_>>(), [&[1, 2][..], &[-3]]);
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

    #[test]
    fn a_recorder_keeps_what_it_passes_on() {
        let mut recorder = Recorder::new(SolverKind::Varisat.open(0).unwrap());
        let (a, b) = (recorder.new_var(), recorder.new_var());
        recorder.add_clause(&[a, b]);
        assert_eq!(recorder.solve(&[-a], &Budget::unlimited()), Answer::Sat);
        assert!(recorder.value(b));
        let mut file = Vec::new();
        recorder
            .cnf()
            .write(&mut file, &[], recorder.assumptions())
            .unwrap();
        assert_eq!(String::from_utf8(file).unwrap(), "p cnf 2 2\n1 2 0\n-1 0\n");
    }
}
