//! Memory models as state transformers (`scheme/memory`) against the enumeration, without bounds and within them.

use super::build::Build;
use super::counted::possible_within;
use super::enumerate::{Possible, possible};
use super::{compare, listing, of_kind, random, seeds};
use crate::base::faults::record::{self, Campaign};
use crate::base::faults::{Fault, with};
use crate::event::{CellId, EventProgram, MemoryModel};
use crate::ir::MemOrder;
use crate::question::Options;
use crate::relation::program_order::ProgramOrder;
use crate::sat::SolverKind;
use crate::scheme::faults::Fault as SchemeFault;
use crate::scheme::lazy;
use crate::scheme::memory::{Abstraction, Bounds, Limits};

const MODELS: [MemoryModel; 2] = [MemoryModel::Tso, MemoryModel::Pso];

/// The program of a seed: some are such that a buffer fills and others look on.
fn program(memory: MemoryModel, seed: u64) -> EventProgram {
    match seed % 4 {
        3 => message(memory, seed),
        _ => random::under(memory, seed),
    }
}

/// A thread writes two cells, more than once, in parts or in order; another reads both and asserts that it has not seen
/// some pair of values.
fn message(memory: MemoryModel, seed: u64) -> EventProgram {
    const BITS: u16 = 2;
    let mut choices = random::Choices::new(seed);
    let mut build = Build::under(memory);
    let cells: Vec<CellId> = (0..2).map(|_| build.cell(BITS, 0)).collect();
    let main = build.main();
    let always = build.terms().tru();
    let writer = build.create(&main, always);
    let mut reader = build.create(&main, always);
    for _ in 0..2 + choices.below(2) {
        let parts = 1 + choices.below(4) / 3;
        if parts > 1 {
            build.begin_wide();
        }
        let order = [MemOrder::Relaxed, MemOrder::Relaxed, MemOrder::Release];
        build.order = Some(order[choices.below(3) as usize]);
        for _ in 0..parts {
            let value = build.constant(u128::from(1 + choices.below(3)), BITS);
            build.write(&writer, cells[choices.below(2) as usize], value);
        }
        build.end_section();
        build.order = None;
        if choices.chance(20) {
            build.fence(&writer, MemOrder::Release);
        }
    }
    let first = choices.below(2) as usize;
    let mut seen = build.terms().tru();
    for cell in [cells[first], cells[1 - first]] {
        let read = build.read(&reader, cell);
        let value = build.constant(u128::from(choices.below(4)), BITS);
        let same = build.terms().eq(read, value);
        seen = build.terms().and(seen, same);
    }
    let good = build.terms().not(seen);
    build.assert(&mut reader, good);
    build.program
}

/// Rounds that hold every schedule, if they are few.
fn enough_rounds(program: &EventProgram, most: usize) -> Option<u32> {
    let po = with(None, || ProgramOrder::issued(program));
    let all: usize = po.chains.iter().map(Vec::len).sum();
    let others = all - po.chains.iter().next().map_or(0, Vec::len);
    // What a thread checks before its first step needs a turn, too.
    (others <= most).then_some((others + program.threads.len()) as u32)
}

/// The scheme `lazy` with so much of store buffers.
fn options(
    program: &EventProgram,
    buffers: Limits,
    (most, reduce): (usize, bool),
) -> Option<Options> {
    let rounds = enough_rounds(program, most)?;
    Some(Options {
        reduce,
        ..Options::new(lazy::Settings {
            buffers,
            ..lazy::Settings::rounds(rounds)
        })
    })
}

/// Compares memory with what is expected; `None` if the program is too large, else whether an assertion can be violated.
fn check(
    memory: MemoryModel,
    seed: u64,
    buffers: Limits,
    expect: impl Fn(&EventProgram) -> Possible,
) -> Option<bool> {
    let program = program(memory, seed);
    let bounded = buffers.is_bounded();
    // What is left out of the program is not counted.
    let reduce = !bounded && seed % 4 < 2;
    // Of a section that ends at a cut, it is not said whether what it has written has its place.
    if bounded && !program.partial.is_empty() {
        return None;
    }
    // A few long ones take as much time as all others.
    let most = if seed.is_multiple_of(8) { 7 } else { 5 };
    let options = options(&program, buffers, (most, reduce))?;
    let expected = expect(&program);
    let mut changed = program.clone();
    let compared = compare(&mut changed, &expected, &options, SolverKind::DEFAULT);
    if let Err(error) = compared {
        let (name, text) = (memory.name(), listing(&program));
        panic!("{name}, seed {seed}, {buffers:?}: {error}\nexpected {expected:?}\n{text}");
    }
    Some(!expected.violated.is_empty())
}

fn check_all(abstraction: Abstraction, seeds: std::ops::Range<u64>) {
    let buffers = Limits {
        abstraction,
        ..Limits::default()
    };
    for memory in MODELS {
        let one = |seed| check(memory, seed, buffers, |program| possible(program, None));
        let told: Vec<bool> = seeds.clone().filter_map(one).collect();
        let bad = told.iter().filter(|&&bad| bad).count();
        let (name, count) = (memory.name(), told.len());
        println!("{name}: {count} programs, {bad} can violate an assertion");
    }
}

/// All bounds up to four nodes and a clock of four, and some on addresses.
fn small(seed: u64) -> impl Iterator<Item = Bounds> {
    let bounds = move |nodes: u32, clock: u32| Bounds {
        abstraction: Abstraction::Lists,
        nodes,
        clock,
        addresses: match (seed + u64::from(nodes + clock)) % 3 {
            0 => 1,
            1 => 2,
            _ => u32::MAX,
        },
    };
    (1..=4).flat_map(move |nodes| (1..=4).map(move |clock| bounds(nodes, clock)))
}

fn check_within(seeds: std::ops::Range<u64>) {
    for memory in MODELS {
        let (mut compared, mut bad) = (0, 0);
        for seed in seeds.clone() {
            for bounds in small(seed) {
                let expect = |program: &EventProgram| possible_within(program, bounds);
                let told = check(memory, seed, Limits::from(bounds), expect);
                compared += u64::from(told.is_some());
                bad += u64::from(told == Some(true));
            }
        }
        let name = memory.name();
        println!("{name}: {compared} comparisons, {bad} with a violation");
    }
}

#[test]
fn lists_agree_with_enumeration() {
    check_all(Abstraction::Lists, 0..40);
}

#[test]
fn buffers_agree_with_enumeration() {
    check_all(Abstraction::Buffers, 0..40);
}

#[test]
fn lists_within_bounds_agree_with_enumeration() {
    check_within(0..12);
}

/// As many as one likes: `SELVEDGE_SEEDS=10000..20000`.
#[test]
#[ignore = "takes minutes; run after changing a memory model"]
fn lists_agree_with_enumeration_at_length() {
    check_all(Abstraction::Lists, seeds(0..10_000));
}

/// As many as one likes: `SELVEDGE_SEEDS=10000..20000`.
#[test]
#[ignore = "takes minutes; run after changing a memory model"]
fn buffers_agree_with_enumeration_at_length() {
    check_all(Abstraction::Buffers, seeds(0..10_000));
}

/// As many as one likes: `SELVEDGE_SEEDS=10000..20000`.
#[test]
#[ignore = "takes minutes; run after changing a memory model"]
fn lists_within_bounds_agree_with_enumeration_at_length() {
    check_within(seeds(0..500));
}

/// With a clock of 1, nothing is ever pending.
#[test]
fn a_clock_of_one_is_sequential_consistency() {
    for memory in MODELS {
        for seed in 0..150 {
            let program = random::under(memory, seed);
            let bounds = Bounds {
                nodes: 2,
                clock: 1,
                ..Bounds::enough(&program)
            };
            let strong = possible(&super::at_once(program.clone()), None);
            assert_eq!(possible_within(&program, bounds), strong, "seed {seed}");
        }
    }
}

#[test]
fn every_fault_of_lists_is_noticed() {
    let campaign = Campaign {
        name: "lists",
        faults: of_kind("LISTS"),
        programs: record::seeds(2000),
    };
    let agrees = |fault: Fault, memory: MemoryModel, seed: u64| {
        let program = program(memory, seed);
        let bounds = Bounds {
            abstraction: match fault {
                SchemeFault::BufferAny | SchemeFault::BufferFence => Abstraction::Buffers,
                _ => Abstraction::Lists,
            },
            addresses: 1 + (seed % 2) as u32,
            nodes: 2 + (seed % 3) as u32,
            clock: 3,
        };
        if !program.partial.is_empty() {
            return None;
        }
        let (bounds, expected) = match bounds.abstraction {
            Abstraction::Lists => (Limits::from(bounds), possible_within(&program, bounds)),
            abstraction => (
                Limits {
                    abstraction,
                    ..Limits::default()
                },
                possible(&program, None),
            ),
        };
        let options = options(&program, bounds, (7, false))?;
        let mut program = program.clone();
        Some(compare(&mut program, &expected, &options, SolverKind::DEFAULT).is_ok())
    };
    campaign.run(|fault, (), seed| {
        let mut said = MODELS
            .iter()
            .filter_map(|&memory| agrees(fault, memory, seed as u64));
        let first = said.next()?;
        Some(first && said.all(|agree| agree))
    });
}
