//! List of functions that programs may call: those of the bundled headers and the words of checkers, and whether each is modelled.
//!
//! No list of its own is kept: whether a function is modelled is asked of the tables by which calls are rewritten. A table may
//! name a function only to refuse it, whatever its arguments; that is found out by a call of it, and the reason that it gives.

use super::globals::Globals;
use super::models::Models;
use super::site::Site;
use super::uses::Uses;
use super::{math, meaning, text};
use crate::base::{DataModel, Loc};
use crate::ir::lower::{Meaning, Unit, lower};
use crate::ir::{Checks, ExternCall, Operand, Program};
use crate::source::{Options, Source, known};
use crate::syntax;

/// A function that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The header that declares it; `None` for a word of checkers.
    pub header: Option<&'static str>,
    pub name: &'static str,
    pub standing: Standing,
}

/// Standing of a function: what a call of it means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Standing {
    /// It does what its standard says.
    Modelled,
    /// C leaves its result open: any value that the standard allows.
    Open,
    /// The verdict is unknown where a call is reached.
    Refused,
    /// Only its declaration is known: the result is any value ([`super::External`]).
    Declared,
}

impl Standing {
    /// All of them.
    pub const ALL: [Standing; 4] = [
        Standing::Modelled,
        Standing::Open,
        Standing::Refused,
        Standing::Declared,
    ];

    /// Its name, as the beginning of a list.
    pub fn title(self) -> &'static str {
        match self {
            Standing::Modelled => "Modelled",
            Standing::Open => "Any value that the standard allows",
            Standing::Refused => "`UNKNOWN` where a call is reached",
            Standing::Declared => "Declared only",
        }
    }
}

/// All functions that are known, by headers, then in the order of their declarations. A function that several headers
/// declare is listed with the first.
pub fn listed() -> Vec<Listed> {
    let Some(program) = empty() else {
        return Vec::new();
    };
    let mut all: Vec<Listed> = Vec::new();
    for function in known::functions() {
        if all.iter().any(|other| other.name == function.name) {
            continue;
        }
        let standing = if function.has_body {
            Standing::Modelled
        } else {
            standing(&program, function.name)
        };
        all.push(Listed {
            header: function.header,
            name: function.name,
            standing,
        });
    }
    all
}

/// A program that does nothing, in which calls are tried.
fn empty() -> Option<Program> {
    let model = DataModel::Lp64;
    let options = Options {
        model,
        ..Options::default()
    };
    let text = "int main(void) { return 0; }\n".to_string();
    let source = Source::preprocessed("empty.c", text, &options).ok()?;
    let unit = syntax::parse(&source).ok()?;
    lower(&[Unit::alone(&unit)], model, Meaning::default()).ok()
}

/// Functions that have their meaning before calls are rewritten: lowering gives it to the first, and calls of the second get the name of
/// what their number stands for.
const BEFORE: [&str; 2] = ["alloca", "syscall"];

/// Reasons why a function is refused, behind its name.
const REASONS: [&str; 3] = ["", math::INEXACT, math::LONG_DOUBLE];

fn standing(program: &Program, name: &str) -> Standing {
    if text::is_open(name) {
        return Standing::Open;
    }
    if BEFORE.contains(&name) || text::is_model(name) {
        return Standing::Modelled;
    }
    let Some(meaning) = meaning(name) else {
        return Standing::Declared;
    };
    let mut function = program.functions[program.main].clone();
    let mut globals = Globals::new(program, Uses::of(program));
    let models = Models::default();
    let block = function.entry;
    let mut site = Site::new(
        &mut function,
        &mut globals,
        &models,
        block,
        Checks::default(),
    );
    let call = ExternCall {
        name: name.to_string(),
        ret_bits: Some(32),
        pointer_args: Vec::new(),
        pointees: Vec::new(),
        record_result: false,
    };
    // More arguments than any function needs, but for those that want none.
    let count = if name.starts_with("__VERIFIER_nondet_") {
        0
    } else {
        8
    };
    let zeros = vec![Operand::Const { value: 0, bits: 64 }; count];
    site.enter(Loc::NONE, &call, None, zeros);
    let refusal = meaning(&mut site).err().unwrap_or_default();
    let reason = refusal.strip_prefix(&format!("`{name}`"));
    match reason.is_some_and(|reason| REASONS.contains(&reason)) {
        true => Standing::Refused,
        false => Standing::Modelled,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_stand_where_the_tables_have_them() {
        let all = listed();
        let of = |name: &str| {
            let mut found = all.iter().filter(|one| one.name == name);
            let one = found.next().unwrap_or_else(|| panic!("{name}"));
            assert_eq!(found.next(), None);
            (one.header, one.standing)
        };
        assert_eq!(
            of("pthread_create"),
            (Some("pthread.h"), Standing::Modelled)
        );
        assert_eq!(of("pthread_barrier_wait").1, Standing::Modelled);
        assert_eq!(of("strlen"), (Some("string.h"), Standing::Modelled));
        assert_eq!(of("malloc").1, Standing::Modelled);
        assert_eq!(of("printf").1, Standing::Modelled);
        assert_eq!(of("pthread_kill").1, Standing::Modelled);
        assert_eq!(of("__VERIFIER_assume"), (None, Standing::Modelled));
        assert_eq!(of("__VERIFIER_nondet_int").1, Standing::Modelled);
        assert_eq!(of("alloca").1, Standing::Modelled);
        assert_eq!(of("sin"), (Some("math.h"), Standing::Open));
        for name in [
            "sqrt",
            "sprintf",
            "sigaction",
            "pthread_join",
            "strtok",
            "syscall",
        ] {
            assert_eq!(of(name).1, Standing::Modelled, "{name}");
        }
        assert_eq!(of("sinl").1, Standing::Refused);
        assert_eq!(of("fork").1, Standing::Refused);
        assert_eq!(of("raise").1, Standing::Refused);
        for standing in Standing::ALL {
            assert!(all.iter().any(|one| one.standing == standing));
        }
    }
}
