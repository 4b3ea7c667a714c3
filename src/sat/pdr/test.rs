//! Random small systems, decided and compared with all their states.

use super::*;
use crate::base::faults::{self, Fault};
use crate::base::mix::mix;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = mix(self.0, 0x5eed);
        (self.0 >> 20) as usize % n
    }
}

/// A system of up to six latches and two inputs: random gates, some of them a counter's.
fn random(seed: u64) -> System {
    let mut random = Random(mix(seed, 17));
    let mut circuit = Circuit::new();
    let state: Vec<Lit> = (0..2 + random.below(5))
        .map(|_| circuit.new_input())
        .collect();
    let inputs: Vec<Lit> = (0..random.below(3)).map(|_| circuit.new_input()).collect();
    let mut pool: Vec<Lit> = state.iter().chain(&inputs).copied().collect();
    for _ in 0..4 + random.below(10) {
        let mut pick = || {
            let lit = pool[random.below(pool.len())];
            lit.complement_if(random.below(2) == 0)
        };
        let (a, b, c) = (pick(), pick(), pick());
        let gate = match random.below(6) {
            0 | 1 => circuit.and(a, b),
            2 => circuit.or(a, b),
            3 => circuit.xor(a, b),
            4 => circuit.ite(a, b, c),
            _ => circuit.majority(a, b, c),
        };
        pool.push(gate);
    }
    let counts = random.below(2) == 0;
    let mut carry = pool[pool.len() - 1];
    let mut latches = Vec::new();
    for lit in &state {
        let next = if counts {
            let sum = circuit.xor(*lit, carry);
            carry = circuit.and(*lit, carry);
            if random.below(5) == 0 {
                pool[random.below(pool.len())]
            } else {
                sum
            }
        } else {
            pool[random.below(pool.len())].complement_if(random.below(2) == 0)
        };
        let initial = [Some(false), Some(false), Some(true), None][random.below(4)];
        latches.push(Latch {
            state: *lit,
            next,
            initial,
        });
    }
    let mut bad = Lit::TRUE;
    for _ in 0..2 + random.below(4) {
        let lit = pool[random.below(pool.len())].complement_if(random.below(2) == 0);
        bad = circuit.and(bad, lit);
    }
    System {
        circuit,
        latches,
        inputs,
        bad,
    }
}

fn word(system: &System, number: usize) -> Vec<bool> {
    (0..system.latches.len())
        .map(|i| number >> i & 1 == 1)
        .collect()
}

/// Whether a bad state is reached, by visiting all.
fn explicit(system: &System) -> bool {
    let count = 1 << system.latches.len();
    let initial = |state: &[bool]| {
        let pairs = system.latches.iter().zip(state);
        pairs
            .into_iter()
            .all(|(latch, value)| latch.initial.is_none_or(|i| i == *value))
    };
    let mut todo: Vec<usize> = (0..count).filter(|s| initial(&word(system, *s))).collect();
    let mut seen = vec![false; count];
    todo.iter().for_each(|state| seen[*state] = true);
    while let Some(state) = todo.pop() {
        for inputs in 0..1 << system.inputs.len() {
            let inputs: Vec<bool> = (0..system.inputs.len())
                .map(|i| inputs >> i & 1 == 1)
                .collect();
            let (next, bad) = system.step(&word(system, state), &inputs);
            if bad {
                return true;
            }
            let next = next
                .iter()
                .enumerate()
                .fold(0, |n, (i, bit)| n | usize::from(*bit) << i);
            if !seen[next] {
                seen[next] = true;
                todo.push(next);
            }
        }
    }
    false
}

/// By the unbounded search alone.
fn search(system: &System, solver: SolverKind) -> Result<Answer, Unsound> {
    let budget = Budget::unlimited();
    let answer = engine::Engine::new(system, solver, 0, &budget)
        .unwrap()
        .run();
    believe(system, solver, answer, &budget)
}

fn agrees(seed: u64, solver: SolverKind) -> Result<bool, String> {
    let system = random(seed);
    match (search(&system, solver), explicit(&system)) {
        (Ok(Answer::Reached(_)), true) => Ok(true),
        (Ok(Answer::Safe(_)), false) => Ok(false),
        (answer, truth) => Err(format!("seed {seed}: {answer:?}, but reached is {truth}")),
    }
}

#[test]
fn random_systems_are_decided_as_by_visiting_all_states() {
    let mut reached = 0;
    for seed in 0..3000 {
        reached += usize::from(agrees(seed, SolverKind::DEFAULT).unwrap());
    }
    assert!(
        (600..2400).contains(&reached),
        "{reached} of 3000 reach a bad state"
    );
    for seed in 3000..3400 {
        agrees(seed, SolverKind::Varisat).unwrap();
    }
}

#[test]
fn the_bounded_search_finds_shortest_violations() {
    for seed in 0..500 {
        let system = random(seed);
        let mut solver = SolverKind::DEFAULT.open(0).unwrap();
        let found = bounded::search(&system, &mut *solver, 200, &Budget::unlimited()).unwrap();
        assert_eq!(found.is_some(), explicit(&system), "seed {seed}");
        if let Some(trace) = found {
            assert_eq!(system.run(&trace).unwrap().len(), trace.inputs.len());
        }
    }
}

#[test]
fn seeded_faults_are_noticed() {
    for fault in [Fault::PdrInitial, Fault::PdrUnchecked, Fault::PdrPropagate] {
        let noticed = (0..2000).any(|seed| {
            // Some faults make the search endless.
            faults::with(Some(fault), || {
                let system = random(seed);
                let budget =
                    Budget::unlimited().with_wall_limit(std::time::Duration::from_millis(200));
                let mut engine =
                    engine::Engine::new(&system, SolverKind::DEFAULT, 0, &budget).unwrap();
                let answer = engine.run();
                match believe(&system, SolverKind::DEFAULT, answer, &Budget::unlimited()) {
                    Err(_) => true,
                    Ok(Answer::Reached(_)) => !explicit(&system),
                    Ok(Answer::Safe(_)) => explicit(&system),
                    Ok(Answer::Stopped(_)) => true,
                }
            })
        });
        assert!(noticed, "{fault:?} is not noticed");
    }
}

#[test]
fn invariants_are_checked_as_by_visiting_all_states() {
    let mut accepted = 0;
    for seed in 0..1500 {
        let system = random(seed);
        let mut random = Random(mix(seed, 99));
        let mut invariant = match search(&system, SolverKind::DEFAULT).unwrap() {
            Answer::Safe(invariant) => invariant,
            _ => Invariant::default(),
        };
        match random.below(4) {
            0 if !invariant.clauses.is_empty() => {
                let which = random.below(invariant.clauses.len());
                invariant.clauses.remove(which);
            }
            1 => {
                let clause: Cube = (1..=system.latches.len() as i32)
                    .filter(|_| random.below(3) == 0)
                    .map(|n| if seed % 2 == 0 { n } else { -n })
                    .collect();
                invariant.clauses.push(clause);
            }
            _ => {}
        }
        let holds = |state: &[bool]| {
            let clauses = &invariant.clauses;
            let literal = |l: &i32| state[l.unsigned_abs() as usize - 1] == (*l > 0);
            clauses.iter().all(|clause| clause.iter().any(literal))
        };
        let states = (0..1 << system.latches.len()).map(|n| word(&system, n));
        let truth = states.into_iter().all(|state| {
            let latches = system.latches.iter().zip(&state);
            let initial = latches
                .into_iter()
                .all(|(l, v)| l.initial.is_none_or(|i| i == *v));
            if !holds(&state) {
                return !initial;
            }
            (0..1 << system.inputs.len()).all(|inputs| {
                let inputs: Vec<bool> = (0..system.inputs.len())
                    .map(|i| inputs >> i & 1 == 1)
                    .collect();
                let (next, bad) = system.step(&state, &inputs);
                !bad && holds(&next)
            })
        });
        let mut solver = SolverKind::DEFAULT.open(0).unwrap();
        let said = certificate::check(&system, &invariant, &mut *solver, &Budget::unlimited());
        assert_eq!(said.is_ok(), truth, "seed {seed}: {said:?}");
        accepted += usize::from(truth);
    }
    assert!(
        (200..1400).contains(&accepted),
        "{accepted} of 1500 are invariants"
    );
}
