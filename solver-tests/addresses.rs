//! Pointers, as far as a program can tell what they are: programs about addresses in `addresses/`, most of them with a
//! broken twin.
//!
//! The first line says what every scheme has to answer, and lines after it what else a program asks for:
//!
//! ```c
//! // expect: complete | failed | bounded undefined
//! // options: --32 --unwind 3
//! // schemes: order, lazy
//! // names: stale pointer
//! ```
//!
//! `bounded undefined` is a program that violates nothing, but reaches undefined behaviour. A program without a line
//! on schemes is for all of them. What fails is replayed by Selvedge itself, which reports an error of its own if that
//! goes wrong. `names` is the kind of undefined behaviour. `modular` may refuse, or find no answer in time.

use crate::beside;
use crate::command::{Answer, Folder};
use crate::oracle::{Truth, on_a_deep_stack, prepare_under};
use crate::tier::in_turn;
use rayon::prelude::*;
use selvedge::event::{Cut, MemoryModel};
use std::collections::BTreeMap;
use std::path::Path;

const SCHEMES: [&str; 7] = [
    "order",
    "lazy",
    "timestamp",
    "step",
    "mu",
    "auto",
    "modular",
];

/// Expected verdict of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    Complete,
    Failed,
    Undefined,
}

/// A program of the folder.
struct Program {
    /// Its file without `.c`.
    name: String,
    text: String,
    expected: Expected,
    options: Vec<String>,
    schemes: Vec<String>,
    /// Expected name of the undefined behaviour.
    names: Option<String>,
}

impl Program {
    fn read(path: &Path) -> Program {
        let text = beside::text(path);
        let comments = text.lines().take_while(|line| line.starts_with("// "));
        let line = |key: &str| {
            let start = format!("// {key}: ");
            comments.clone().find_map(|line| line.strip_prefix(&start))
        };
        let expected = match line("expect") {
            Some("complete") => Expected::Complete,
            Some("failed") => Expected::Failed,
            Some("bounded undefined") => Expected::Undefined,
            other => panic!("{}: {other:?} is expected", path.display()),
        };
        let words = |text: &str| text.split_whitespace().map(String::from).collect();
        let schemes: Vec<String> = match line("schemes") {
            Some(names) => names.split(", ").map(String::from).collect(),
            None => SCHEMES.map(String::from).to_vec(),
        };
        let is_known = |name: &String| SCHEMES.contains(&name.as_str());
        assert!(schemes.iter().all(is_known), "{}", path.display());
        Program {
            name: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into(),
            expected,
            options: line("options").map(words).unwrap_or_default(),
            schemes,
            names: line("names").map(String::from),
            text,
        }
    }

    fn has(&self, option: &str) -> bool {
        self.options.iter().any(|known| known == option)
    }

    /// Error in the verdict of a scheme; `None` if it is right, or if the scheme may take its time.
    fn wrong(&self, scheme: &str) -> Option<String> {
        let seconds = match scheme {
            "modular" => "5",
            _ if cfg!(feature = "cadical") => "60",
            _ => "10",
        };
        let source = beside::path(&format!("addresses/{}.c", self.name));
        let mut arguments = vec!["--no-trace", "--scheme", scheme, "--timeout", seconds];
        arguments.extend(self.options.iter().map(String::as_str));
        arguments.extend(source.to_str());
        let found = Folder::new(&[]).verify(&arguments);
        let ends_undefined = found.answer == Answer::Bounded && !found.undefined.is_empty();
        let is_right = match self.expected {
            Expected::Complete => found.answer == Answer::Complete,
            Expected::Failed => found.answer == Answer::Violated,
            Expected::Undefined => ends_undefined,
        };
        // The solver without C++ may need longer.
        let slow = !cfg!(feature = "cadical");
        let is_cut = found.answer == Answer::Bounded || found.stopped;
        let patient = scheme == "modular" && found.answer == Answer::Unknown || slow && is_cut;
        let names = self.names.as_ref();
        let is_named = names.is_none_or(|name| found.undefined.contains(name));
        if patient || (is_right && is_named) {
            return None;
        }
        Some(if is_right {
            format!("another kind of undefined behaviour than {:?}", self.names)
        } else {
            format!("{:?}", found.answer)
        })
    }

    /// A line on all verdicts that are wrong: of the first of its schemes and of another one in turn, in a long run of all.
    fn mismatches(&self, turn: usize) -> Option<String> {
        let (first, others) = self.schemes.split_first()?;
        let schemes = [vec![first.clone()], in_turn(turn, others)].concat();
        let mut found: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for scheme in &schemes {
            if let Some(verdict) = self.wrong(scheme) {
                found.entry(verdict).or_default().push(scheme);
            }
        }
        let one = |(verdict, schemes): (String, Vec<&str>)| match schemes.len() {
            all if all == schemes.len() => format!("{verdict} in all schemes"),
            _ => format!("{verdict} in {}", schemes.join(", ")),
        };
        let found: Vec<String> = found.into_iter().map(one).collect();
        let line = || format!("{} ({:?}): {}", self.name, self.expected, found.join("; "));
        (!found.is_empty()).then(line)
    }

    /// Contradiction to the expected verdict in the enumeration of all executions. Few addresses are tried there, so
    /// that it may miss what only some of them do.
    fn contradicted(&self) -> Option<String> {
        let memory = if self.has("pso") {
            MemoryModel::Pso
        } else {
            MemoryModel::Sc
        };
        let prepared = match prepare_under(memory, &self.text) {
            Ok(Ok(prepared)) => prepared,
            Ok(Err(_)) => return None,
            Err(fault) => return Some(format!("{}: {fault:?}", self.name)),
        };
        let is_cut = |wanted: fn(&Cut) -> bool| prepared.cuts().any(wanted);
        let found = if prepared.truth() == Truth::Unsafe {
            Expected::Failed
        } else if is_cut(|why| matches!(why, Cut::Undefined(_))) {
            Expected::Undefined
        } else {
            return None;
        };
        let is_possible = found == self.expected
            || (found == Expected::Undefined && self.expected == Expected::Failed);
        (!is_possible).then(|| format!("{} ({:?}): {found:?}", self.name, self.expected))
    }
}

/// Names and texts of the programs for LP64 and sequential consistency.
#[cfg(feature = "faults")]
pub fn texts() -> Vec<(String, String)> {
    let programs = programs().into_iter();
    let usual = programs.filter(|program| !program.has("--32") && !program.has("pso"));
    usual.map(|program| (program.name, program.text)).collect()
}

/// The programs, by name; only those whose name contains `SELVEDGE_ADDRESSES`, if that is set.
fn programs() -> Vec<Program> {
    let chosen = std::env::var("SELVEDGE_ADDRESSES").unwrap_or_default();
    let paths = beside::files("addresses", "c");
    let all: Vec<Program> = paths.iter().map(|path| Program::read(path)).collect();
    assert!(all.len() > 150, "{} programs", all.len());
    all.into_iter()
        .filter(|program| program.name.contains(&chosen))
        .collect()
}

#[test]
fn every_scheme_says_what_is_expected() {
    let programs = programs();
    let wrong: Vec<String> = programs
        .par_iter()
        .enumerate()
        .filter_map(|(turn, program)| program.mismatches(turn))
        .collect();
    let (count, of) = (wrong.len(), programs.len());
    assert!(wrong.is_empty(), "{count} of {of}:\n{}", wrong.join("\n"));
}

#[test]
fn the_enumeration_contradicts_no_verdict() {
    let programs = programs();
    let of_lp64 = programs.iter().filter(|program| !program.has("--32"));
    let wrong: Vec<String> = of_lp64
        .filter_map(|program| on_a_deep_stack(|| program.contradicted()))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn broken_twins_are_broken() {
    for program in programs() {
        let is_broken = program.name.ends_with("-broken");
        let is_expected = program.expected != Expected::Complete;
        assert_eq!(is_broken, is_expected, "{}", program.name);
    }
}
