//! Families of growing programs with known verdicts; `benchmarks/speed.rs` measures the same as C programs.
//!
//! `fib`: two threads, `i += j` and `j += i`, n times each; can a variable reach Fibonacci number 2n + 1?
//! `ring`: three threads, `x += y`, `y += z`, `z += x`. Each comes with atomic statements and with plain ones
//! (read, read, write), and with the largest reachable value (unsafe) and that plus one (safe) as the bound.

use super::build::Build;
use crate::base::Budget;
use crate::event::{CellId, EventProgram};
use crate::question::choice::{Choice, ORDER};
use crate::question::counts::Counts;
use crate::question::{Answer, Encoding, Options, Scheme};
use crate::sat::SolverKind;
use crate::scheme::{lazy, step, timestamp};

const BITS: u16 = 32;

/// `cells[t] += cells[t + 1]` by thread t, `n` times each; some cell at least `bound` violates.
fn program(threads: usize, n: usize, atomic: bool, bound: u128) -> EventProgram {
    let mut build = Build::new();
    let cells: Vec<CellId> = (0..threads).map(|_| build.cell(BITS, 1)).collect();
    let mut main = build.main();
    let always = build.terms().tru();
    let mut paths: Vec<_> = (0..threads).map(|_| build.create(&main, always)).collect();
    let ids: Vec<_> = paths.iter().map(|path| path.thread).collect();
    for (t, path) in paths.iter_mut().enumerate() {
        for _ in 0..n {
            if atomic {
                build.begin(path);
            }
            let a = build.read(path, cells[t]);
            let b = build.read(path, cells[(t + 1) % threads]);
            let sum = build.terms().add(a, b);
            build.write(path, cells[t], sum);
            if atomic {
                build.end_section();
            }
        }
        build.end(path);
    }
    for id in ids {
        build.join(&mut main, vec![(id, always)]);
    }
    let bound = build.constant(bound, BITS);
    let mut good = always;
    for cell in cells {
        let value = build.read(&main, cell);
        let below = build.terms().ult(value, bound);
        good = build.terms().and(good, below);
    }
    build.assert(&mut main, good);
    build.program
}

/// The largest value that a cell can have.
fn largest(threads: usize, n: usize) -> u128 {
    if threads == 2 {
        let (mut a, mut b) = (1u128, 1u128);
        for _ in 0..2 * n {
            (a, b) = (b, a + b);
        }
        return b.min(a.max(b));
    }
    // Sums only grow, so of the states with equal counts only the maximal ones matter.
    let mut states: Vec<(Vec<usize>, Vec<u128>)> = vec![(vec![0; threads], vec![1; threads])];
    for _ in 0..threads * n {
        let mut next: Vec<(Vec<usize>, Vec<u128>)> = Vec::new();
        for (counts, values) in &states {
            for t in (0..threads).filter(|&t| counts[t] < n) {
                let (mut counts, mut values) = (counts.clone(), values.clone());
                counts[t] += 1;
                values[t] += values[(t + 1) % threads];
                next.push((counts, values));
            }
        }
        next.sort();
        next.dedup();
        let covered = |one: &(Vec<usize>, Vec<u128>)| {
            next.iter().any(|other| {
                other != one && other.0 == one.0 && one.1.iter().zip(&other.1).all(|(a, b)| a <= b)
            })
        };
        states = next
            .iter()
            .filter(|state| !covered(state))
            .cloned()
            .collect();
    }
    states
        .iter()
        .flat_map(|state| state.1.iter().copied())
        .max()
        .unwrap_or(1)
}

/// Decides a member of a family; its verdict must be the known one.
fn check(threads: usize, n: usize, atomic: bool, unsafe_bound: bool, scheme: Scheme) {
    let bound = largest(threads, n) + u128::from(!unsafe_bound);
    let mut program = program(threads, n, atomic, bound);
    let mut encoding = Encoding::new(&mut program, &Options::new(scheme));
    let mut solver = SolverKind::DEFAULT.open(0).expect("available");
    let answer = encoding
        .decide(
            &mut program,
            &mut *solver,
            &mut crate::question::all_count,
            &Budget::unlimited(),
        )
        .expect("consistent");
    match answer {
        Answer::Violated { executions, .. } => {
            assert!(unsafe_bound, "a safe program");
            let execution = &executions[0];
            super::replay::replay(
                &program,
                &execution.order,
                execution.target,
                &execution.values,
            )
            .expect("an execution");
        }
        Answer::Safe(reach) => assert!(
            !unsafe_bound && reach.asserted == Some(true),
            "an unsafe program"
        ),
        Answer::Stopped { .. } => panic!("no limit was set"),
    }
}

#[test]
fn small_members_have_the_right_verdicts() {
    for unsafe_bound in [true, false] {
        for (threads, n) in [(2, 3), (3, 1)] {
            for atomic in [true, false] {
                check(threads, n, atomic, unsafe_bound, ORDER);
                check(
                    threads,
                    n,
                    atomic,
                    unsafe_bound,
                    Scheme::from(timestamp::Settings::default()),
                );
                let step = Scheme::from(step::Settings::default());
                check(threads, n, atomic, unsafe_bound, step);
            }
        }
        check(2, 3, true, unsafe_bound, lazy::Settings::rounds(3).into());
    }
}

#[test]
fn counts_say_which_scheme_suits() {
    let of = |threads, n, atomic| Counts::of(&mut program(threads, n, atomic, 100));
    let (dense, fine) = (of(2, 3, true), of(2, 3, false));
    assert_eq!((dense.pairs, dense.sources), (3 * 3, 2 * 3 * 3));
    // A statement has two blocks: nobody else writes what it reads first, so both reads are one.
    assert_eq!((fine.pairs, fine.sources), (6 * 6, 2 * 3 * 3));
    assert_eq!(dense.events, fine.events);
    assert!(dense.blocks < fine.blocks && dense.operations < fine.operations);
    let ring = of(3, 3, true);
    assert_eq!((ring.pairs, ring.sources), (3 * 3 * 3, 3 * 3 * 3));
    let first = |counts| Choice::of(&counts).first;
    let step = Scheme::from(step::Settings::default());
    // Where blocks repeat.
    assert_eq!((first(of(2, 6, true)), first(of(3, 6, true))), (step, step));
    assert_eq!((first(fine), first(of(3, 1, true))), (ORDER, ORDER));
}
