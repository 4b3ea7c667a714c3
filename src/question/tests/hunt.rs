//! The hunt for violations against the enumeration: what it finds is there, and where it has an answer, nothing else is.

use super::enumerate::least_rounds;
use super::replay::replay;
use super::rounds::program;
use crate::base::Budget;
use crate::base::sorted::SortedSet;
use crate::event::{EventId, EventProgram};
use crate::question::{Answer, Checked, Execution, Idle, Inconsistent, Judged, Options, hunt};
use crate::sat::SolverKind;
use crate::scheme::lazy;

/// Rounds of these hunts.
const ROUNDS: u32 = 2;

/// Hunts in a program with numbers of two bits, three, and all; how often that has an answer.
///
/// # Errors
/// A finding that is not there, or an answer that lacks a place.
pub(super) fn is_right(seed: u64) -> Result<u32, String> {
    let expected = least_rounds(&program(seed), ROUNDS);
    let mut answers = 0;
    for (bits, first) in [
        (Some(2), false),
        (Some(3), false),
        (None, false),
        (None, true),
    ] {
        let mut program = program(seed);
        let mut solver = SolverKind::DEFAULT.open(0).ok_or("no such solver")?;
        let options = Options {
            first,
            ..Options::new(lazy::Settings::hunt(ROUNDS, bits))
        };
        let mut wrong = None;
        let mut judge = |program: &EventProgram, one: &Execution, _: Option<&mut Idle>| {
            let replayed = replay(program, &one.order, one.target, &one.values);
            if let Err(error) = replayed {
                wrong = Some(error);
            } else if !expected.contains_key(&one.target) {
                wrong = Some(format!("event {} is not violated", one.target.0));
            }
            match &wrong {
                Some(_) => Err(Inconsistent { target: one.target }),
                None => Ok(Judged::Counts),
            }
        };
        let budget = Budget::unlimited();
        let hunted = hunt(&mut program, &options, &mut *solver, &mut judge, &budget);
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        let Some(Checked { answer, .. }) = hunted.map_err(|error| error.to_string())? else {
            continue;
        };
        let Answer::Violated { executions, .. } = answer else {
            return Err("an answer without a violation".to_string());
        };
        answers += 1;
        let place = |event: &EventId| program.place(*event);
        let found: SortedSet<_> = executions.iter().map(|one| place(&one.target)).collect();
        let all: SortedSet<_> = expected.keys().map(place).collect();
        if first && found.len() != 1 || !first && found != all {
            return Err(format!("{bits:?}: {found:?} of {all:?}"));
        }
    }
    Ok(answers)
}

#[test]
fn what_is_hunted_down_is_there() {
    let mut answers = 0;
    for seed in 0..150 {
        answers += is_right(seed).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
    println!("{answers} answers");
    assert!(answers > 50, "the programs are dull");
}
