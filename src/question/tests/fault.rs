//! Every seeded fault is noticed.

use super::enumerate::possible;
use super::{LAZY_CYCLES, Options, compare, enough_rounds, random};
use crate::base::faults::Fault;
use crate::event::MemoryModel;
use crate::question::choice::ORDER;
use crate::sat::SolverKind;
use crate::scheme::{lazy, step, timestamp};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The number of random programs until a fault is noticed; `None` if more than `limit`.
fn noticed(fault: Fault, limit: u64) -> Option<u64> {
    for seed in 0..limit {
        let program = random::program(seed);
        let expected = possible(&program, None);
        let enough = enough_rounds(&program);
        for options in schemes(fault, enough) {
            let run = || {
                compare(
                    &mut random::program(seed),
                    &expected,
                    &options,
                    SolverKind::Varisat,
                    Some(fault),
                )
            };
            // A fault may also break what the code relies on.
            if !matches!(catch_unwind(AssertUnwindSafe(run)), Ok(Ok(()))) {
                return Some(seed + 1);
            }
        }
    }
    None
}

/// Schemes that a fault may touch.
fn schemes(fault: Fault, enough: u32) -> Vec<Options> {
    let mut schemes = vec![Options::new(ORDER)];
    if fault == Fault::NoTransitivity {
        schemes.push(Options::new(LAZY_CYCLES));
    }
    schemes.push(Options::new(timestamp::Settings::default()));
    schemes.push(Options::new(timestamp::Settings { guess_places: true }));
    schemes.push(Options::new(step::Settings::default()));
    if enough <= 6 {
        schemes.push(Options::new(lazy::Settings::rounds(enough)));
    }
    schemes
}

/// The number of random programs under weak memory models until a fault is noticed, under TSO and PSO.
fn noticed_under(fault: Fault, limit: u64) -> [Option<u64>; 2] {
    [MemoryModel::Tso, MemoryModel::Pso].map(|memory| {
        let shows = |seed: &u64| {
            let expected = possible(&random::under(memory, *seed), None);
            let run = || {
                compare(
                    &mut random::under(memory, *seed),
                    &expected,
                    &Options::new(ORDER),
                    SolverKind::Varisat,
                    Some(fault),
                )
            };
            !matches!(catch_unwind(AssertUnwindSafe(run)), Ok(Ok(())))
        };
        (0..limit).find(shows).map(|seed| seed + 1)
    })
}

#[test]
fn every_fault_of_weak_memory_is_noticed() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let missed: Vec<&str> = Fault::MEMORY
        .iter()
        .filter(|&&fault| {
            let counts = noticed_under(fault, 2000);
            println!("{:>20}: {counts:?}", fault.name());
            // Some are about one of the models only.
            counts == [None, None]
        })
        .map(|fault| fault.name())
        .collect();
    std::panic::set_hook(hook);
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}

#[test]
fn every_fault_is_noticed() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let missed: Vec<&str> = Fault::ENCODING
        .iter()
        .filter(|&&fault| {
            let count = noticed(fault, 5000);
            println!("{:>20}: {count:?}", fault.name());
            count.is_none()
        })
        .map(|fault| fault.name())
        .collect();
    std::panic::set_hook(hook);
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}
