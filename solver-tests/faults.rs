//! Deliberate errors must be noticed: how many random programs each one survives
//! (`cargo test --release --features faults faults -- --nocapture` prints the table).

use crate::generate::generate;
use crate::oracle::{Prepared, Subject, compare_prepared, on_a_deep_stack, prepare};
use selvedge::scheme::Scheme;
use selvedge::scheme::faults::{Fault, with};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Programs until a fault must have been caught.
const PROGRAMS: u64 = 2000;

/// The number of the first program, from 1, that shows the fault.
fn caught(fault: Fault, programs: &mut Vec<Option<Prepared>>) -> Option<usize> {
    let subjects = [Scheme::Order, Scheme::Lazy { rounds: 4 }].map(Subject::new);
    for seed in 0..PROGRAMS {
        let index = seed as usize;
        if index == programs.len() {
            programs.push(prepare(&generate(seed).render()).ok().and_then(Result::ok));
        }
        let Some(prepared) = &programs[index] else {
            continue;
        };
        // What breaks down under a fault is noticed, too.
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            with(Some(fault), || compare_prepared(prepared, &subjects))
        }));
        if !matches!(outcome, Ok(Ok(_))) {
            return Some(index + 1);
        }
    }
    None
}

#[test]
fn every_fault_is_caught() {
    let missed = on_a_deep_stack(|| {
        let mut programs = Vec::new();
        let mut missed = Vec::new();
        std::panic::set_hook(Box::new(|_| {}));
        for &fault in Fault::ALL {
            match caught(fault, &mut programs) {
                Some(count) => println!("{:<24}{count:>6}", fault.name()),
                None => {
                    println!("{:<24}  none of {PROGRAMS}", fault.name());
                    missed.push(fault.name());
                }
            }
        }
        let _ = std::panic::take_hook();
        missed
    });
    assert!(
        missed.is_empty(),
        "not caught within {PROGRAMS} programs: {missed:?}"
    );
}
