//! The schemes against an enumeration of all executions, on random event programs.

mod alike;
mod buffer;
mod build;
mod counted;
mod enumerate;
mod family;
mod fault;
mod hunt;
mod machine;
mod random;
mod replay;
mod rounds;
mod twins;
mod unwinding;

use super::choice::ORDER;
use super::{Encoding, Options, Scheme};
use crate::base::Budget;
use crate::base::faults::{self, Fault};
use crate::base::sorted::SortedSet;
use crate::event::{EventId, EventKind, EventProgram, MemoryModel, ThreadId};
use crate::reduce::slice::{Keep, slice};
use crate::reduce::value_range::narrow;
use crate::relation::program_order::ProgramOrder;
use crate::relation::turn::Transactions;
use crate::sat::{Answer, Solver, SolverKind};
use crate::scheme::{lazy, order, step, timestamp};
use crate::term::TermId;
use enumerate::{Possible, Rounds, possible};
use replay::replay;

/// The deliberate errors of a kind, for a campaign that knows nothing else of them.
fn of_kind(kind: &str) -> Vec<(Fault, ())> {
    let mut faults = [
        crate::term::faults::Fault::ALL,
        crate::reduce::faults::Fault::ALL,
        crate::relation::faults::Fault::ALL,
        crate::scheme::faults::Fault::ALL,
        crate::question::faults::Fault::ALL,
    ]
    .concat();
    faults.retain(|fault| fault.kind() == kind);
    assert!(!faults.is_empty(), "no fault is of {kind}");
    faults.into_iter().map(|fault| (fault, ())).collect()
}

/// Replays the execution of a model in which `goal`, about an event, is true.
fn confirm(
    program: &EventProgram,
    encoding: &Encoding,
    (event, goal): (EventId, TermId),
    solver: &dyn Solver,
) -> Result<(), String> {
    let executions = encoding
        .decode(program, solver, |claim| {
            (claim.event == event).then_some(goal)
        })
        .map_err(|error| error.to_string())?;
    let execution = &executions[0];
    replay(
        program,
        &execution.order,
        execution.target,
        &execution.values,
    )
}

/// Asks every question about every assertion and cut, and compares with the enumeration; what differs, in words.
fn compare(
    program: &mut EventProgram,
    expected: &Possible,
    options: &Options,
    solver: SolverKind,
) -> Result<(), String> {
    let mut solver = solver.open(0).ok_or("no such solver")?;
    let mut encoding = Encoding::new(program, options);
    let budget = Budget::unlimited();
    for claim in encoding.claims().to_vec() {
        let goals = [
            (claim.violated, &expected.violated),
            (Some(claim.reached), &expected.reached),
        ];
        for (number, (goal, possible)) in goals.into_iter().enumerate() {
            let Some(goal) = goal else { continue };
            let lit = encoding.formula().lit_of(&program.terms, goal);
            let event = &program.events[claim.event];
            let cut = claim.violated.is_none();
            let found = match encoding.ask(program, lit, cut, &mut *solver, &budget) {
                Answer::Sat => true,
                Answer::Unsat => false,
                Answer::Stopped(reason) => return Err(format!("stopped: {reason}")),
            };
            let what = if number == 0 { "violated" } else { "reached" };
            let expected = possible.contains(&claim.event);
            // Whether something inside a section is reached is over-approximated: where the section does not
            // run, nothing is known of its reads; and sections that end at a cut are seen by others.
            let upper =
                number == 1 && (event.section.is_some() || (cut && !program.partial.is_empty()));
            if found != expected && !(upper && found) {
                return Err(format!("event {} {what}: {found}", claim.event.0));
            }
            if found && number == 0 {
                confirm(program, &encoding, (claim.event, goal), &*solver)?;
            }
        }
    }
    // What has no claim folded away.
    let claimed: SortedSet<_> = encoding.claims().iter().map(|claim| claim.event).collect();
    match expected.reached.difference(&claimed).next() {
        Some(event) => Err(format!("event {} was folded away", event.0)),
        None => Ok(()),
    }
}

fn solvers() -> Vec<SolverKind> {
    SolverKind::ALL
        .into_iter()
        .filter(|kind| kind.is_available())
        .collect()
}

fn listing(program: &EventProgram) -> String {
    let name = |thread: ThreadId| format!("t{}", thread.0);
    let place = |loc: crate::base::Loc| format!("@{}", loc.0);
    crate::event::print::listing(program, &name, &place, &|_| None)
}

/// Rounds that hold every schedule.
fn enough_rounds(program: &EventProgram) -> u32 {
    let po = faults::with(None, || ProgramOrder::of(&mut program.clone()));
    let all: usize = po.chains.iter().map(Vec::len).sum();
    let main = po.chains.iter().next().map_or(0, Vec::len);
    // What a thread checks before its first step needs a turn, too.
    let checks = |thread: &ThreadId| {
        let mut locals = po.locals.iter();
        *thread != ThreadId(0) && locals.any(|l| l.thread == *thread && l.after == 0)
    };
    let early = program.threads.ids().filter(checks).count();
    (all - main + early).max(1) as u32
}

/// `order` that excludes cycles as models run into them.
const LAZY_CYCLES: order::Settings = order::Settings { eager_triples: 0 };

fn check_seed(seed: u64, solver: SolverKind) -> (bool, bool) {
    let program = random::program(seed);
    let expected = possible(&program, None);
    let text = listing(&program);
    let mut schemes = vec![Options::new(ORDER), Options::new(LAZY_CYCLES)];
    schemes.push(Options {
        reduce: false,
        ..Options::new(ORDER)
    });
    schemes.push(Options::new(timestamp::Settings::default()));
    schemes.push(Options::new(timestamp::Settings { guess_places: true }));
    schemes.push(Options::new(step::Settings::default()));
    let enough = enough_rounds(&program);
    if enough <= 6 {
        schemes.push(Options::new(lazy::Settings::rounds(enough)));
    }
    for options in schemes {
        let mut program = random::program(seed);
        if let Err(error) = compare(&mut program, &expected, &options, solver) {
            panic!("seed {seed}, {options:?}, {solver}: {error}\nexpected {expected:?}\n{text}");
        }
    }
    let rounds = 1 + (seed % 2) as u32;
    let within = possible(&program, Some(Rounds::and_main(rounds as usize)));
    let options = Options::new(lazy::Settings::rounds(rounds));
    if let Err(error) = compare(&mut random::program(seed), &within, &options, solver) {
        panic!("seed {seed}, {options:?}, {solver}: {error}\nexpected {within:?}\n{text}");
    }
    let asserts = program
        .events
        .iter()
        .any(|event| matches!(event.kind, EventKind::Assert { .. }));
    (!expected.violated.is_empty(), asserts)
}

#[test]
fn schemes_agree_with_enumeration() {
    let (mut violated, mut asserting) = (0, 0);
    for seed in some(600) {
        for solver in solvers() {
            if solver == SolverKind::DEFAULT || seed % 5 == 0 {
                let (bad, asserts) = check_seed(seed, solver);
                violated += u32::from(bad);
                asserting += u32::from(asserts);
            }
        }
    }
    println!("{asserting} programs with assertions, {violated} of them can violate one");
    assert!(
        violated * 10 > asserting * 2 && violated * 10 < asserting * 9,
        "the programs are dull"
    );
}

/// As [`check_seed`], under a weak memory model; whether an assertion can be violated, and whether one can that cannot
/// under sequential consistency.
fn check_weak(memory: MemoryModel, seed: u64, solver: SolverKind) -> (bool, bool) {
    let program = random::under(memory, seed);
    let expected = possible(&program, None);
    let order = Options::new(ORDER);
    let schemes = [
        order,
        Options::new(LAZY_CYCLES),
        Options {
            reduce: false,
            ..order
        },
    ];
    for options in schemes {
        let mut program = random::under(memory, seed);
        if let Err(error) = compare(&mut program, &expected, &options, solver) {
            let text = listing(&program);
            let name = memory.name();
            panic!("{name}, seed {seed}, {options:?}: {error}\nexpected {expected:?}\n{text}");
        }
    }
    let strong = possible(&at_once(program), None);
    assert!(strong.violated.is_subset(&expected.violated), "seed {seed}");
    (
        !expected.violated.is_empty(),
        strong.violated != expected.violated,
    )
}

/// The same program under sequential consistency.
fn at_once(mut program: EventProgram) -> EventProgram {
    program.memory = MemoryModel::Sc;
    for event in program.events.iter_mut() {
        event.buffered = false;
    }
    program
}

fn check_weak_seeds(seeds: impl Iterator<Item = u64> + Clone) {
    for memory in [MemoryModel::Tso, MemoryModel::Pso] {
        let (mut count, mut violated, mut only) = (0, 0, 0);
        for seed in seeds.clone() {
            let (bad, weak) = check_weak(memory, seed, SolverKind::DEFAULT);
            count += 1;
            violated += u64::from(bad);
            only += u64::from(weak);
        }
        let name = memory.name();
        println!("{name}: {count} programs, {violated} can violate an assertion, {only} of them");
        println!("     only under {name}");
        assert!(only * 50 > count, "the programs are dull");
    }
}

#[test]
fn order_agrees_with_enumeration_under_weak_memory() {
    check_weak_seeds(some(300));
}

/// As many as one likes: `SELVEDGE_SEEDS=10000..20000`.
#[test]
#[ignore = "takes minutes; run after changing a memory model"]
fn order_agrees_with_enumeration_under_weak_memory_at_length() {
    check_weak_seeds(seeds(0..10_000));
}

/// Assertions that `step` finds violated within so many steps, and whether it says that these are all.
fn violated_within(seed: u64, steps: u32) -> (SortedSet<crate::event::EventId>, bool) {
    let mut program = random::program(seed);
    let mut solver = SolverKind::DEFAULT.open(0).expect("available");
    let mut encoding = Encoding::new(
        &mut program,
        &Options::new(step::Settings { steps: Some(steps) }),
    );
    let mut found = SortedSet::new();
    for claim in encoding.claims().to_vec() {
        let Some(goal) = claim.violated else { continue };
        let lit = encoding.formula().lit_of(&program.terms, goal);
        let answer = encoding.ask(&program, lit, false, &mut *solver, &Budget::unlimited());
        if answer == Answer::Sat {
            found.insert(claim.event);
            let executions = encoding
                .decode(&program, &*solver, |other| {
                    (other.event == claim.event).then_some(goal)
                })
                .expect("an order");
            let execution = &executions[0];
            replay(
                &program,
                &execution.order,
                execution.target,
                &execution.values,
            )
            .expect("an execution");
        }
    }
    let complete = encoding.is_exhausted(&mut program, &mut *solver, &Budget::unlimited());
    (found, complete == Ok(true))
}

#[test]
fn more_steps_find_more_until_all_is_found() {
    for seed in 0..150 {
        let program = random::program(seed);
        let expected = possible(&program, None).violated;
        let mut reduced = program.clone();
        narrow(&mut reduced);
        slice(&mut reduced, Keep::Needed);
        let steps = Transactions::of(&mut reduced);
        let all: usize = steps.all.iter().map(Vec::len).sum();
        let mut before = SortedSet::new();
        for steps in 1..=all as u32 {
            let (found, complete) = violated_within(seed, steps);
            assert!(before.is_subset(&found), "seed {seed}, {steps} steps");
            assert!(found.is_subset(&expected), "seed {seed}, {steps} steps");
            assert_eq!(complete, steps == all as u32, "seed {seed}, {steps} steps");
            before = found;
        }
        assert!(all == 0 || before == expected, "seed {seed}");
    }
}

/// A thread holds a lock, asserts something, and joins one that needs the lock twice: in the step scheme, this block has
/// nothing before it. Few programs have that.
#[test]
fn a_block_may_stop_before_a_join() {
    check_seed(21821, SolverKind::DEFAULT);
}

/// The first seeds of a test that has so many in tier 2, which `SELVEDGE_TIER` asks for: in tier 1, every third of them.
fn some(count: u64) -> impl Iterator<Item = u64> + Clone {
    let share = match std::env::var_os("SELVEDGE_TIER") {
        Some(_) => 1,
        None => 3,
    };
    (0..count).step_by(share)
}

/// The seeds of a test at length: those of `SELVEDGE_SEEDS`, such as `10000..20000`, or else these.
fn seeds(otherwise: std::ops::Range<u64>) -> std::ops::Range<u64> {
    let Ok(range) = std::env::var("SELVEDGE_SEEDS") else {
        return otherwise;
    };
    let (from, to) = range.split_once("..").expect("a range like 0..1000");
    let parse = |text: &str| text.parse::<u64>().expect("a number");
    parse(from)..parse(to)
}

/// As many as one likes: `SELVEDGE_SEEDS=10000..20000`.
#[test]
#[ignore = "takes minutes; run after changing a scheme"]
fn schemes_agree_with_enumeration_at_length() {
    for seed in seeds(2000..6000) {
        check_seed(seed, SolverKind::DEFAULT);
    }
}
