//! Rounds: for every r, a violation is found exactly if some execution has it within r rounds, also where steps are
//! merged, and what the property does not depend on is left out.

use super::build::Build;
use super::enumerate::{least_rounds, possible};
use super::{Encoding, Options, Scheme, confirm, listing, random};
use crate::base::Budget;
use crate::base::faults::Fault;
use crate::base::faults::record::{Campaign, seeds};
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::{CellId, EventId, EventKind, EventProgram};
use crate::question::faults::Fault as QuestionFault;
use crate::question::{Reach, check};
use crate::sat::{Answer, Solver, SolverKind};
use crate::scheme::faults::Fault as SchemeFault;
use crate::scheme::lazy::{self, Lazy, Prune, SwitchPoints};

/// The most rounds that are compared.
const MOST: u32 = 4;

/// The program of a seed: every third one is any random program, the others are such that control must change often.
pub(super) fn program(seed: u64) -> EventProgram {
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
    let mut paths: Vec<_> = (1..threads).map(|_| build.create(&main, always)).collect();
    // The last thread may be there only because of what another one has written.
    let when = if choices.chance(30) {
        let a = build.read(&main, cells[choices.below(2) as usize]);
        let value = build.constant(u128::from(choices.below(4)), bits);
        build.terms().eq(a, value)
    } else {
        always
    };
    paths.push(build.create(&main, when));
    if paths.len() == 2 && choices.chance(30) {
        paths.push(main.clone());
    }
    let most = if paths.len() == 2 { 3 } else { 2 };
    for path in &mut paths {
        let count = if when == always {
            most - choices.below(2)
        } else {
            // Whoever makes room for a thread may have nothing to do after that.
            1 + choices.below(most)
        };
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

/// Asks about every assertion within `rounds` rounds; what differs from the enumeration, in words.
fn ask(
    program: &EventProgram,
    encoding: &mut Encoding,
    (expected, rounds): (&SortedMap<EventId, u32>, u32),
    solver: &mut dyn Solver,
) -> Result<(), String> {
    for claim in encoding.claims().to_vec() {
        let Some(goal) = claim.violated else { continue };
        let lit = encoding.formula().lit_of(&program.terms, goal);
        let budget = Budget::unlimited();
        let found = match encoding.ask(program, lit, false, solver, &budget) {
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
            confirm(program, encoding, (claim.event, goal), solver)?;
        }
    }
    Ok(())
}

/// Compares all numbers of rounds with the enumeration: each encoded for itself, then growing on one solver, and then
/// with all rounds there, pruned or not.
fn compare(
    seed: u64,
    options: Options,
    expected: &SortedMap<EventId, u32>,
    solver: SolverKind,
) -> Result<(), String> {
    let open = || solver.open(0).ok_or("no such solver");
    let Scheme::Lazy(settings) = options.scheme else {
        return Err("another scheme".to_string());
    };
    let with = |rounds| Options {
        scheme: Scheme::Lazy(lazy::Settings {
            rounds: lazy::Settings::rounds(rounds).rounds,
            ..settings
        }),
        ..options
    };
    for rounds in 2..=MOST {
        let mut program = program(seed);
        let mut encoding = Encoding::new(&mut program, &with(rounds));
        ask(&program, &mut encoding, (expected, rounds), &mut *open()?)?;
    }
    let mut program = program(seed);
    let mut encoding = Encoding::new(&mut program, &with(1));
    let mut solver = open()?;
    for rounds in 1..=MOST {
        encoding.restrict(&mut program, rounds);
        ask(&program, &mut encoding, (expected, rounds), &mut *solver)?;
    }
    for rounds in 1..=MOST {
        encoding.grow(&mut program, MOST);
        encoding.restrict(&mut program, rounds);
        let (lazy, _) = encoding.part::<Lazy>().expect("the scheme lazy");
        lazy.prune(rounds % 2 == 0);
        ask(&program, &mut encoding, (expected, rounds), &mut *solver)?;
    }
    Ok(())
}

/// Settings for a seed, of one round.
fn settings(seed: u64) -> lazy::Settings {
    let (prune, points) = (Prune::ALL.len() as u64, SwitchPoints::ALL.len() as u64);
    lazy::Settings {
        prune: Prune::ALL[(seed % prune) as usize],
        switch_points: SwitchPoints::ALL[(seed / prune % points) as usize],
        ..lazy::Settings::rounds(1)
    }
}

/// Options for a seed: in turn, all ways to prune, all places of switches, reduced or not.
fn options(seed: u64) -> Options {
    let (prune, points) = (Prune::ALL.len() as u64, SwitchPoints::ALL.len() as u64);
    let seed = seed / 3;
    Options {
        reduce: (seed / (prune * points)).is_multiple_of(2),
        ..Options::new(settings(seed))
    }
}

/// Number of violations that need one round, two, and so on. Panics if the scheme disagrees with the enumeration.
fn check_seed(seed: u64) -> [u32; MOST as usize] {
    let program = program(seed);
    let expected = least_rounds(&program, MOST);
    let options = options(seed);
    if let Err(error) = compare(seed, options, &expected, SolverKind::DEFAULT) {
        let text = listing(&program);
        panic!("seed {seed}, {options:?}: {error}\nexpected {expected:?}\n{text}");
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
    for seed in 0..60 {
        for (sum, more) in needed.iter_mut().zip(check_seed(seed)) {
            *sum += more;
        }
    }
    println!("violations by the rounds that they need: {needed:?}");
    let enough = needed[..3].iter().all(|&violations| violations >= 2);
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

/// Completeness of rounds: they count as enough only if no execution needs more. `Ok` says how many numbers of rounds
/// up to `MOST` count as enough.
fn is_complete_rightly(seed: u64) -> Result<u32, String> {
    let all = possible(&program(seed), None);
    let kinds = |program: &EventProgram, events: &mut dyn Iterator<Item = EventId>| {
        let kind = |event: EventId| match &program.events[event].kind {
            EventKind::Cut { why } => Some(format!("{why:?}")),
            _ => None,
        };
        events.filter_map(kind).collect::<SortedSet<String>>()
    };
    let mut enough = 0;
    for rounds in 1..=MOST {
        let mut program = program(seed);
        let mut solver = SolverKind::DEFAULT.open(0).ok_or("no such solver")?;
        let options = Options {
            scheme: Scheme::Lazy(lazy::Settings {
                rounds: lazy::Settings::rising(1, rounds).rounds,
                ..settings(seed / 3)
            }),
            ..options(seed)
        };
        let budget = Budget::unlimited();
        let answer = check(&mut program, &options, &mut *solver, &budget);
        let crate::question::Answer::Safe(Reach { complete, cuts, .. }) =
            answer.map_err(|error| error.to_string())?
        else {
            continue;
        };
        if !complete {
            continue;
        }
        enough += 1;
        let found = kinds(&program, &mut cuts.into_iter());
        let wanted = kinds(&program, &mut all.reached.iter().copied());
        // Sections that end at a cut are seen by others, which the enumeration does not do.
        if !all.violated.is_empty() || !wanted.is_subset(&found) {
            return Err(format!("{rounds} rounds are not all: {found:?} {all:?}"));
        }
    }
    Ok(enough)
}

#[test]
fn rounds_are_complete_only_if_no_execution_needs_more() {
    let (mut by_number, mut by_question) = (0, 0);
    for seed in 0..100 {
        let enough = is_complete_rightly(seed)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", listing(&program(seed))));
        let few = MOST.saturating_sub(super::enough_rounds(&program(seed)) - 1);
        by_number += enough.min(few);
        by_question += enough.saturating_sub(few);
    }
    println!("complete by their number: {by_number}, because the solver says so: {by_question}");
    assert!(by_question > 6, "the programs are dull: {by_question}");
}

/// Narrow integers: every violation that is found with two or three bits is there at full width, and with three all are
/// found. `Ok` says how many violations were found with two bits, and with three.
fn is_narrow_rightly(seed: u64) -> Result<[u32; 2], String> {
    let expected = least_rounds(&program(seed), 2);
    let mut found = [0; 2];
    for (found, bits) in found.iter_mut().zip(2..) {
        let mut program = program(seed);
        let mut solver = SolverKind::DEFAULT.open(0).ok_or("no such solver")?;
        let options = Options::new(lazy::Settings {
            bits: Some(bits),
            ..lazy::Settings::rounds(2)
        });
        let mut encoding = Encoding::new(&mut program, &options);
        for claim in encoding.claims().to_vec() {
            let Some(goal) = claim.violated else { continue };
            let lit = encoding.formula().lit_of(&program.terms, goal);
            let budget = Budget::unlimited();
            let answer = encoding.ask(&program, lit, false, &mut *solver, &budget);
            if answer == Answer::Sat {
                *found += 1;
                confirm(&program, &encoding, (claim.event, goal), &*solver)?;
            } else if bits == 3 && expected.contains_key(&claim.event) {
                return Err(format!("event {} is missed", claim.event.0));
            }
        }
    }
    Ok(found)
}

#[test]
fn narrow_integers_find_what_is_there() {
    let mut found = [0; 2];
    for seed in 0..150 {
        let more = is_narrow_rightly(seed).unwrap_or_else(|error| panic!("{seed}: {error}"));
        for (sum, more) in found.iter_mut().zip(more) {
            *sum += more;
        }
    }
    println!("violations found with two bits, and with three: {found:?}");
    assert!(0 < found[0] && found[0] < found[1]);
}

/// Check that a fault shows in.
#[derive(Clone, Copy)]
enum Shown {
    Found,
    Complete,
    Narrow,
    Hunted,
}

/// Faults of this scheme, and what they show in.
const FAULTS: [(Fault, Shown); 8] = [
    (SchemeFault::AssertUnstarted, Shown::Found),
    (SchemeFault::ReadsCommute, Shown::Found),
    (SchemeFault::WritesCommute, Shown::Found),
    (SchemeFault::JoinCommutes, Shown::Found),
    (SchemeFault::CreationCommutes, Shown::Found),
    (QuestionFault::RoundsSuffice, Shown::Complete),
    (SchemeFault::NarrowWraps, Shown::Narrow),
    (QuestionFault::SettledEarly, Shown::Hunted),
];

#[test]
fn every_fault_of_rounds_is_noticed() {
    let campaign = Campaign {
        name: "rounds",
        faults: FAULTS.to_vec(),
        programs: seeds(6000),
    };
    campaign.run(|fault, shown, seed| {
        // Some show only where control changes often, others only in programs of the first kind.
        let often = [
            SchemeFault::ReadsCommute,
            SchemeFault::CreationCommutes,
            SchemeFault::NarrowWraps,
            QuestionFault::SettledEarly,
        ];
        if !often.contains(&fault) && !seed.is_multiple_of(3) {
            return None;
        }
        let seed = seed as u64;
        let options = Options::new(lazy::Settings::rounds(1));
        let outcome = match shown {
            Shown::Found => {
                let expected = least_rounds(&program(seed), MOST);
                compare(seed, options, &expected, SolverKind::DEFAULT)
            }
            Shown::Complete => is_complete_rightly(seed).map(|_| ()),
            Shown::Narrow => is_narrow_rightly(seed).map(|_| ()),
            Shown::Hunted => super::hunt::is_right(seed).map(|_| ()),
        };
        Some(outcome.is_ok())
    });
}
