//! Rounds: for every r, a violation is found exactly if some execution has it within r rounds, also where steps are
//! merged, and what the property does not depend on is left out.

use super::build::Build;
use super::enumerate::least_rounds;
use super::{Encoding, Options, Scheme, confirm, listing, random};
use crate::base::Budget;
use crate::base::faults::{self, Fault};
use crate::event::{CellId, EventId, EventProgram};
use crate::sat::{Answer, SolverKind};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The most rounds that are compared.
const MOST: u32 = 4;

/// The program of a seed: every third one is any random program, the others are such that control must change often.
fn program(seed: u64) -> EventProgram {
    match seed % 3 {
        0 => random::program(seed / 3),
        _ => alternating(seed),
    }
}

/// Two or three threads that add to each other's variables and assert that some sum is not reached.
fn alternating(seed: u64) -> EventProgram {
    let mut choices = random::Choices::new(seed);
    let mut build = Build::new();
    let bits = 3;
    let threads = 2 + choices.below(5) / 4;
    let cells: Vec<CellId> = (0..2).map(|_| build.cell(bits, 1)).collect();
    let mut main = build.main();
    let always = build.terms().tru();
    let mut paths: Vec<_> = (0..threads).map(|_| build.create(&main, always)).collect();
    if paths.len() == 2 && choices.chance(30) {
        paths.push(main.clone());
    }
    let most = if paths.len() == 2 { 3 } else { 2 };
    for path in &mut paths {
        let count = most - choices.below(2);
        for _ in 0..count {
            let own = cells[choices.below(2) as usize];
            let whole = choices.chance(60);
            if whole {
                build.begin(path);
            }
            let a = build.read(path, own);
            let b = build.read(path, cells[choices.below(2) as usize]);
            let sum = match choices.below(3) {
                0 => build.terms().xor(a, b),
                _ => build.terms().add(a, b),
            };
            build.write(path, own, sum);
            if whole {
                build.end_section();
            }
            if choices.chance(30) {
                let value = build.constant(u128::from(choices.below(1 << bits)), bits);
                let same = build.terms().eq(a, value);
                let good = build.terms().not(same);
                build.assert(path, good);
            }
        }
        if path.thread != main.thread {
            build.end(path);
        }
    }
    let first = paths[0].thread;
    if choices.chance(50) {
        build.join(&mut main, vec![(first, always)]);
    }
    for cell in cells {
        let a = build.read(&main, cell);
        let value = build.constant(u128::from(choices.below(1 << bits)), bits);
        let same = build.terms().eq(a, value);
        let good = build.terms().not(same);
        build.assert(&mut main, good);
    }
    build.end(&main);
    build.program
}

/// Asks about every assertion of a random program within `rounds` rounds; what differs from the enumeration, in words.
fn ask(
    seed: u64,
    rounds: u32,
    reduce: bool,
    expected: &BTreeMap<EventId, u32>,
    solver: SolverKind,
) -> Result<(), String> {
    let mut program = program(seed);
    let options = Options {
        reduce,
        ..Options::new(Scheme::Lazy { rounds })
    };
    let mut encoding = Encoding::new(&mut program, &options);
    let mut solver = solver.open(0).ok_or("no such solver")?;
    for claim in encoding.claims().to_vec() {
        let Some(goal) = claim.violated else { continue };
        let lit = encoding.formula().lit_of(&program.terms, goal);
        let budget = Budget::unlimited();
        let found = match encoding.ask(&program, lit, false, &mut *solver, &budget) {
            Answer::Sat => true,
            Answer::Unsat => false,
            Answer::Stopped(reason) => return Err(format!("stopped: {reason}")),
        };
        let wanted = expected.get(&claim.event).is_some_and(|&n| n <= rounds);
        if found != wanted {
            return Err(format!(
                "event {} within {rounds} rounds: {found}",
                claim.event.0
            ));
        }
        if found {
            confirm(&program, &encoding, (claim.event, goal), &*solver)?;
        }
    }
    Ok(())
}

/// Compares all numbers of rounds with the enumeration, on the program as it is or reduced.
fn compare(
    seed: u64,
    expected: &BTreeMap<EventId, u32>,
    solver: SolverKind,
    fault: Option<Fault>,
) -> Result<(), String> {
    faults::with(fault, || {
        for rounds in 1..=MOST {
            // Every other one reduced, and for every other program the others.
            let reduce = (seed + u64::from(rounds)).is_multiple_of(2);
            ask(seed, rounds, reduce, expected, solver)?;
        }
        Ok(())
    })
}

/// How many violations need one round, two, and so on.
fn check_seed(seed: u64) -> [u32; MOST as usize] {
    let program = program(seed);
    let expected = least_rounds(&program, MOST);
    if let Err(error) = compare(seed, &expected, SolverKind::DEFAULT, None) {
        let text = listing(&program);
        panic!("seed {seed}: {error}\nexpected {expected:?}\n{text}");
    }
    let mut needed = [0; MOST as usize];
    for &rounds in expected.values() {
        needed[rounds as usize - 1] += 1;
    }
    needed
}

#[test]
fn rounds_agree_with_enumeration() {
    let mut needed = [0; MOST as usize];
    for seed in 0..240 {
        for (sum, more) in needed.iter_mut().zip(check_seed(seed)) {
            *sum += more;
        }
    }
    println!("violations by the rounds that they need: {needed:?}");
    let enough = needed[..3].iter().all(|&violations| violations >= 10);
    assert!(enough, "the programs are dull: {needed:?}");
}

/// Something that a thread checks before its first step, in main's last turn.
#[test]
fn a_thread_needs_a_turn_after_its_creation() {
    check_seed(3 * 14400);
}

/// As many as one likes: `SELVEDGE_SEEDS=10000..20000`.
#[test]
#[ignore = "takes minutes; run after changing the scheme"]
fn rounds_agree_with_enumeration_at_length() {
    for seed in super::seeds(0..5000) {
        check_seed(seed);
    }
}

/// Faults that only the exact number of rounds shows.
const FAULTS: [Fault; 1] = [Fault::AssertUnstarted];

#[test]
fn every_fault_of_rounds_is_noticed() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut missed: Vec<&str> = Vec::new();
    for fault in FAULTS {
        // Only programs of the first kind create threads late.
        let count = (0..5000).map(|seed| 3 * seed).find(|&seed| {
            let expected = least_rounds(&program(seed), MOST);
            let run = || compare(seed, &expected, SolverKind::Varisat, Some(fault));
            // A fault may also break what the code relies on.
            !matches!(catch_unwind(AssertUnwindSafe(run)), Ok(Ok(())))
        });
        println!("{:>20}: {count:?}", fault.name());
        if count.is_none() {
            missed.push(fault.name());
        }
    }
    std::panic::set_hook(hook);
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}
