//! Threads that are alike: leaving out executions that differ in nothing but their numbers changes no answer.

use super::enumerate::{Possible, possible_within};
use super::{LAZY_CYCLES, confirm, listing, of_kind, seeds, some, twins};
use crate::base::Budget;
use crate::base::faults::{
    self,
    record::{self, Campaign},
};
use crate::base::sorted::SortedSet;
use crate::event::{EventId, EventKind, EventProgram};
use crate::question::choice::ORDER;
use crate::question::{Encoding, Options};
use crate::reduce::{self, symmetry};
use crate::sat::{Answer, SolverKind};

/// Place of an assertion or a cut, and what it is.
type Place = (u32, String);

fn places(program: &EventProgram, events: &SortedSet<EventId>) -> SortedSet<Place> {
    let of_event = |&id: &EventId| {
        let what = match &program.events[id].kind {
            EventKind::Assert { property, .. } => format!("{property:?}"),
            EventKind::Cut { why } => format!("{why:?}"),
            _ => panic!("no claim is about event {}", id.0),
        };
        (program.events[id].loc.0, what)
    };
    events.iter().map(of_event).collect()
}

/// Asks every question about every assertion and cut, and compares the places with those of the enumeration; what differs, in words.
fn compare(
    program: &mut EventProgram,
    possible: &Possible,
    options: &Options,
) -> Result<(), String> {
    let mut solver = SolverKind::DEFAULT.open(0).ok_or("no such solver")?;
    let mut encoding = Encoding::new(program, options);
    let budget = Budget::unlimited();
    let mut found = Possible::default();
    for claim in encoding.claims().to_vec() {
        let is_cut = claim.violated.is_none();
        let id = claim.event;
        for (goal, possible, found) in [
            (claim.violated, &possible.violated, &mut found.violated),
            (Some(claim.reached), &possible.reached, &mut found.reached),
        ] {
            let Some(goal) = goal else { continue };
            let lit = encoding.formula().lit_of(&program.terms, goal);
            match encoding.ask(program, lit, is_cut, &mut *solver, &budget) {
                Answer::Sat => {}
                Answer::Unsat => continue,
                Answer::Stopped(reason) => return Err(format!("stopped: {reason}")),
            }
            // Whether something inside a section is reached is over-approximated.
            let is_within = program.events[id].section.is_some();
            if possible.contains(&id) {
                found.insert(id);
            } else if claim.violated == Some(goal) || !is_within && program.partial.is_empty() {
                return Err(format!("event {} is found", id.0));
            }
            if claim.violated == Some(goal) {
                confirm(program, &encoding, (id, goal), &*solver)?;
            }
        }
    }
    for (found, possible) in [
        (&found.violated, &possible.violated),
        (&found.reached, &possible.reached),
    ] {
        let (found, possible) = (places(program, found), places(program, possible));
        if let Some(missing) = possible.difference(&found).next() {
            return Err(format!("not found: {missing:?}"));
        }
    }
    Ok(())
}

/// Number of configurations with which the enumeration ends: nine of ten programs have fewer.
const CONFIGURATIONS: usize = 20_000;

/// Checks that the answers are those of the enumeration; whether something can be violated, or nothing if there are more than so many configurations.
fn agree(seed: u64, limit: usize) -> Result<Option<bool>, String> {
    let Some(possible) = possible_within(&twins::program(seed), None, limit) else {
        return Ok(None);
    };
    for options in [ORDER, LAZY_CYCLES.into()].map(Options::new) {
        compare(&mut twins::program(seed), &possible, &options)?;
    }
    Ok(Some(!possible.violated.is_empty()))
}

fn check_seeds(seeds: impl Iterator<Item = u64>, limit: usize) {
    // With threads that are alike and without: all, and those that can violate something.
    let mut all = [[0; 2]; 2];
    for seed in seeds {
        let mut program = twins::program(seed);
        let is_unsafe = match agree(seed, limit) {
            Ok(Some(is_unsafe)) => is_unsafe,
            Ok(None) => continue,
            Err(error) => panic!("seed {seed}: {error}\n{}", listing(&program)),
        };
        symmetry::find(&mut program);
        let is_alike = !program.alike.is_empty();
        let of = &mut all[usize::from(is_alike)];
        of[0] += 1;
        of[1] += u64::from(is_unsafe);
    }
    let [[apart, unsafe_apart], [alike, unsafe_alike]] = all;
    println!("{alike} programs with threads that are alike, {unsafe_alike} can violate something");
    println!("{apart} programs with others, {unsafe_apart} can violate something");
    let count = apart + alike;
    let dull = unsafe_alike * 6 < alike || (alike - unsafe_alike) * 6 < alike;
    assert!(alike * 4 > count && apart * 4 > count && !dull);
}

#[test]
fn threads_that_are_alike_agree_with_the_enumeration() {
    check_seeds(some(600), CONFIGURATIONS);
}

/// As many as one likes: `SELVEDGE_SEEDS=10000..20000`.
#[test]
#[ignore = "takes minutes; run after changing what is alike"]
fn threads_that_are_alike_agree_with_the_enumeration_at_length() {
    check_seeds(seeds(0..20_000), 50 * CONFIGURATIONS);
}

#[test]
fn every_fault_of_symmetry_is_noticed() {
    let campaign = Campaign {
        name: "twins",
        faults: of_kind("SYMMETRY"),
        programs: record::seeds(5000),
    };
    let alike = |seed| {
        let mut program = twins::program(seed);
        symmetry::find(&mut program);
        program.alike
    };
    campaign.run(|fault, (), seed| {
        let seed = seed as u64;
        // What finds the same pairs does the same.
        let is_about_pairs = reduce::faults::Fault::ALL.contains(&fault) && faults::on(fault);
        let same = is_about_pairs && alike(seed) == faults::with(None, || alike(seed));
        Some(same || agree(seed, CONFIGURATIONS).is_ok())
    });
}
