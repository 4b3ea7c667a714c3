//! Random small systems, decided and compared with all their states.

use super::system::Cube;
use super::*;
use crate::base::faults::record::{Campaign, seeds};
use crate::base::mix::mix;
use crate::base::sorted::SortedSet;
use crate::circuit::{Circuit, Lit};
use crate::pdr::faults::Fault;

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
            is_data: false,
        });
    }
    let mut bad = Lit::TRUE;
    for _ in 0..2 + random.below(4) {
        let lit = pool[random.below(pool.len())].complement_if(random.below(2) == 0);
        bad = circuit.and(bad, lit);
    }
    System {
        symmetries: Vec::new(),
        circuit,
        latches,
        inputs,
        bad,
    }
}

/// A system some latches of which are predicates of two others, and some clauses.
fn with_predicates(seed: u64) -> (System, Vec<Cube>) {
    let mut system = random(seed);
    let mut random = Random(mix(seed, 23));
    for latch in &mut system.latches {
        latch.initial.get_or_insert(false);
        latch.is_data = random.below(2) == 0;
    }
    let count = system.latches.len();
    for _ in 0..3 {
        let [a, b] = [0, 1].map(|_| system.latches[random.below(count)]);
        let (circuit, is_equality) = (&mut system.circuit, random.below(2) == 0);
        let mut both = |a: Lit, b: Lit| match is_equality {
            true => !circuit.xor(a, b),
            false => circuit.and(a, b),
        };
        let (state, next) = (both(a.state, b.state), both(a.next, b.next));
        if a.state == b.state || state.is_constant() {
            continue;
        }
        let initial = match is_equality {
            true => a.initial == b.initial,
            false => a.initial == Some(true) && b.initial == Some(true),
        };
        system.latches.push(Latch {
            state,
            next,
            initial: Some(initial),
            is_data: false,
        });
    }
    let mut clauses = Vec::new();
    for _ in 0..20 {
        let mut clause: Cube = (1..=system.latches.len() as i32).collect();
        clause.retain(|_| random.below(3) == 0);
        for literal in &mut clause {
            *literal *= [1, -1][random.below(2)];
        }
        clauses.push(clause);
    }
    (system, clauses)
}

#[test]
fn predicates_and_candidates_change_no_answer() {
    let (mut reached, mut used) = (0, 0);
    let budget = Budget::unlimited();
    for seed in 0..1500 {
        let (system, clauses) = with_predicates(seed);
        let setup = setup(SolverKind::DEFAULT, &budget);
        let decided = decide(&system, Wanted::Any, &clauses, &setup);
        match decided.unwrap().unwrap().0 {
            Answer::Reached(_) => {
                assert!(explicit(&system), "seed {seed}");
                reached += 1;
            }
            Answer::Safe(invariant) => {
                assert!(!explicit(&system), "seed {seed}");
                let is_candidate = |clause: &Cube| clauses.contains(clause);
                used += usize::from(invariant.clauses.iter().any(is_candidate));
            }
            Answer::Particular(_) => panic!("seed {seed}: there are no members"),
            Answer::Stopped(reason) => panic!("seed {seed}: {reason}"),
        }
    }
    assert!(reached > 300 && used > 30, "{reached} and {used}");
}

/// The greatest inductive subset of clauses is one, and no clause that was left out could be added to it.
#[test]
fn candidates_are_kept_that_keep_each_other() {
    let (mut kept_some, budget) = (0, Budget::unlimited());
    for seed in 0..500 {
        let (mut system, candidates) = with_predicates(seed);
        system.bad = Lit::FALSE;
        let setup = setup(SolverKind::DEFAULT, &budget);
        let kept = strengthen::inductive(&system, &candidates, &setup);
        let kept = kept.unwrap().unwrap();
        let is_inductive = |clauses: Vec<Cube>| {
            let depth = 1;
            checked(&system, &Invariant { clauses, depth }).is_ok()
        };
        assert!(is_inductive(kept.clone()), "seed {seed}");
        for clause in candidates.iter().filter(|clause| !kept.contains(clause)) {
            let more: Vec<Cube> = kept.iter().chain([clause]).cloned().collect();
            assert!(!is_inductive(more), "seed {seed}");
        }
        kept_some += usize::from(!kept.is_empty());
    }
    assert!(kept_some > 50, "{kept_some}");
}

fn word(system: &System, number: usize) -> Vec<bool> {
    (0..system.latches.len())
        .map(|i| number >> i & 1 == 1)
        .collect()
}

/// All steps out of a state: where they lead, and whether they are bad.
fn steps(system: &System, state: usize) -> Vec<(usize, bool)> {
    let inputs = 0..1 << system.inputs.len();
    let step = |inputs: usize| {
        let inputs: Vec<bool> = (0..system.inputs.len())
            .map(|i| inputs >> i & 1 == 1)
            .collect();
        let (next, bad) = system.step(&word(system, state), &inputs);
        let bits = next.iter().enumerate();
        (bits.fold(0, |n, (i, bit)| n | usize::from(*bit) << i), bad)
    };
    inputs.into_iter().map(step).collect()
}

fn initial(system: &System) -> Vec<usize> {
    let may_start = |number: &usize| {
        let state = word(system, *number);
        let pairs = system.latches.iter().zip(state);
        let mut pairs = pairs.into_iter();
        pairs.all(|(latch, value)| latch.initial.is_none_or(|i| i == value))
    };
    (0..1 << system.latches.len()).filter(may_start).collect()
}

/// Reachability of a bad state, by visiting all states.
fn explicit(system: &System) -> bool {
    let mut todo = initial(system);
    let mut seen = SortedSet::from_iter(todo.iter().copied());
    while let Some(state) = todo.pop() {
        for (next, bad) in steps(system, state) {
            if bad {
                return true;
            }
            if seen.insert(next) {
                todo.push(next);
            }
        }
    }
    false
}

/// Validity of an invariant, by visiting all windows of its depth.
fn holds(system: &System, invariant: &Invariant) -> bool {
    let within = |number: usize| {
        let state = word(system, number);
        let literal = |l: &i32| state[l.unsigned_abs() as usize - 1] == (*l > 0);
        let mut clauses = invariant.clauses.iter();
        clauses.all(|clause| clause.iter().any(literal))
    };
    let mut now = SortedSet::from_iter(initial(system));
    for number in 1..=invariant.depth {
        if !now.iter().all(|state| within(*state)) {
            return false;
        }
        let all: Vec<(usize, bool)> = now.iter().flat_map(|s| steps(system, *s)).collect();
        if number < invariant.depth && all.iter().any(|(_, bad)| *bad) {
            return false;
        }
        now = all.into_iter().map(|(next, _)| next).collect();
    }
    let all = 0..1 << system.latches.len();
    let out_of: Vec<SortedSet<(usize, bool)>> = all
        .clone()
        .map(|state| steps(system, state).into_iter().collect())
        .collect();
    let states = all.filter(|state| within(*state));
    let mut windows: Vec<Vec<usize>> = states.map(|state| vec![state]).collect();
    while let Some(window) = windows.pop() {
        let last = window.len() == invariant.depth;
        for &(next, bad) in &out_of[window[window.len() - 1]] {
            if last && (bad || !within(next)) {
                return false;
            }
            if !last && !bad && within(next) && !window.contains(&next) {
                windows.push([&window[..], &[next]].concat());
            }
        }
    }
    true
}

fn setup(solver: SolverKind, budget: &Budget) -> Setup<'_> {
    Setup {
        solver,
        seed: 0,
        budget,
        meter: None,
    }
}

/// By the unbounded search alone.
fn search(system: &System, solver: SolverKind) -> Result<Answer, Unsound> {
    let budget = Budget::unlimited();
    let mut engine = Engine::new(system, Vec::new(), &setup(solver, &budget)).unwrap();
    let answer = unbounded(&mut engine, None, 0).unwrap();
    believe(system, answer, solver, &budget)
}

fn checked(system: &System, invariant: &Invariant) -> Result<(), certificate::Flaw> {
    let checked = certificate::check(system, invariant, SolverKind::DEFAULT, &Budget::unlimited());
    checked.unwrap()
}

/// By k-induction alone, up to a depth.
fn induction(system: &System, depth: usize) -> Result<Option<Answer>, Unsound> {
    let budget = Budget::unlimited();
    let setup = setup(SolverKind::DEFAULT, &budget);
    let known = match bounded::search(system, depth - 1, &setup).unwrap().unwrap() {
        bounded::Found::Reached(trace) => return Ok(Some(Answer::Reached(trace))),
        bounded::Found::Nothing(steps) => steps,
    };
    let mut induction = Induction::new(system, &setup).unwrap();
    let found = induction.search(known, u64::MAX).unwrap();
    let believed = |invariant| believe(system, Answer::Safe(invariant), setup.solver, &budget);
    found.map(believed).transpose()
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
fn all_searches_in_turn_agree_with_visiting_all_states() {
    let (mut deep, budget) = (0, Budget::unlimited());
    for seed in 0..1500 {
        let system = random(seed);
        for wanted in [Wanted::Any, Wanted::Ordinary] {
            let decided = decide(&system, wanted, &[], &setup(SolverKind::DEFAULT, &budget));
            match decided.unwrap().unwrap().0 {
                Answer::Reached(_) => assert!(explicit(&system), "seed {seed}"),
                Answer::Safe(invariant) => {
                    assert!(!explicit(&system), "seed {seed}");
                    assert!(invariant.depth == 1 || wanted == Wanted::Any, "seed {seed}");
                    deep += usize::from(invariant.depth > 1);
                }
                Answer::Particular(_) => panic!("seed {seed}: there are no members"),
                Answer::Stopped(reason) => panic!("seed {seed}: {reason}"),
            }
        }
    }
    assert!(deep > 50, "{deep} invariants are over several states");
}

#[test]
fn the_bounded_search_finds_shortest_violations() {
    for seed in 0..500 {
        let system = random(seed);
        let budget = Budget::unlimited();
        let setup = setup(SolverKind::DEFAULT, &budget);
        match bounded::search(&system, 200, &setup).unwrap().unwrap() {
            bounded::Found::Reached(trace) => {
                assert!(explicit(&system), "seed {seed}");
                assert_eq!(system.run(&trace).unwrap().len(), trace.inputs.len());
            }
            bounded::Found::Nothing(steps) => {
                assert!(!explicit(&system), "seed {seed}");
                assert_eq!(steps, 200);
            }
        }
    }
}

#[test]
fn induction_finds_the_least_depth() {
    const DEPTH: usize = 5;
    let mut depths = [0; DEPTH + 1];
    for seed in 0..1500 {
        let system = random(seed);
        let least = (1..=DEPTH).find(|depth| {
            let clauses = Vec::new();
            let depth = *depth;
            holds(&system, &Invariant { clauses, depth })
        });
        match induction(&system, DEPTH).unwrap() {
            Some(Answer::Safe(invariant)) => {
                assert!(!explicit(&system), "seed {seed}");
                assert_eq!(Some(invariant.depth), least, "seed {seed}");
                assert!(invariant.clauses.is_empty());
                depths[invariant.depth] += 1;
            }
            Some(Answer::Reached(_)) => assert!(explicit(&system), "seed {seed}"),
            other => {
                assert_eq!((other, least), (None, None), "seed {seed}");
                depths[0] += 1;
            }
        }
    }
    assert!(depths.iter().all(|number| *number > 4), "{depths:?}");
}

#[test]
fn depths_that_are_too_small_are_rejected() {
    let (mut deep, mut strong) = (0, 0);
    for seed in 0..1500 {
        let system = random(seed);
        let flaw = |clauses: Vec<Cube>, depth: usize| {
            let invariant = Invariant { clauses, depth };
            checked(&system, &invariant).err()
        };
        assert_eq!(flaw(Vec::new(), 0), Some(certificate::Flaw::Depth));
        if let Some(Answer::Safe(invariant)) = induction(&system, 6).unwrap() {
            for depth in 1..invariant.depth {
                assert_eq!(flaw(Vec::new(), depth), Some(certificate::Flaw::Safety));
                deep += 1;
            }
            // An invariant that holds at some depth holds at greater ones.
            assert_eq!(flaw(Vec::new(), invariant.depth + 2), None);
        }
        if let Answer::Safe(invariant) = search(&system, SolverKind::DEFAULT).unwrap() {
            assert_eq!(flaw(invariant.clauses.clone(), 3), None, "seed {seed}");
            for missing in 0..invariant.clauses.len() {
                let mut clauses = invariant.clauses.clone();
                clauses.remove(missing);
                let accepted = flaw(clauses.clone(), 2).is_none();
                let depth = 2;
                let fits = holds(&system, &Invariant { clauses, depth });
                assert_eq!(accepted, fits, "seed {seed}");
                strong += usize::from(!fits);
            }
        }
    }
    assert!(deep > 50 && strong > 50, "{deep} and {strong}");
}

#[test]
fn seeded_faults_of_induction_are_noticed() {
    let faults = [
        Fault::InductionBase,
        Fault::InductionHypothesis,
        Fault::InductionStays,
    ];
    let campaign = Campaign {
        name: "systems-induction",
        faults: faults.map(|fault| (fault, ())).to_vec(),
        programs: seeds(2000),
    };
    campaign.run(|_, (), seed| Some(induction(&random(seed as u64), 4).is_ok()));
}

#[test]
fn seeded_faults_are_noticed() {
    let faults = [Fault::PdrInitial, Fault::PdrUnchecked, Fault::PdrPropagate];
    let campaign = Campaign {
        name: "systems",
        faults: faults.map(|fault| (fault, ())).to_vec(),
        programs: seeds(2000),
    };
    campaign.run(|_, (), seed| {
        let system = random(seed as u64);
        // Some faults make the search endless.
        let budget = Budget::unlimited().with_wall_limit(std::time::Duration::from_secs(1));
        let setup = setup(SolverKind::DEFAULT, &budget);
        let mut engine = Engine::new(&system, Vec::new(), &setup)?;
        let answer = unbounded(&mut engine, None, 0).unwrap_or_else(Answer::Stopped);
        let believed = believe(&system, answer, setup.solver, &Budget::unlimited());
        Some(match believed {
            Ok(Answer::Reached(_)) => explicit(&system),
            Ok(Answer::Safe(_)) => !explicit(&system),
            Ok(Answer::Stopped(_) | Answer::Particular(_)) | Err(_) => false,
        })
    });
}

#[test]
fn invariants_are_checked_as_by_visiting_all_states() {
    let mut accepted = 0;
    let mut flaws = SortedSet::new();
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
        invariant.depth = 1 + random.below(3);
        let truth = holds(&system, &invariant);
        let said = checked(&system, &invariant);
        assert_eq!(said.is_ok(), truth, "seed {seed}: {said:?}");
        accepted += usize::from(truth);
        flaws.extend(said.err().map(|flaw| match flaw {
            certificate::Flaw::Initiation { steps: 0, .. } => "initially",
            certificate::Flaw::Initiation { .. } => "after steps",
            certificate::Flaw::Start { .. } => "near the start",
            certificate::Flaw::Consecution(_) => "by a step",
            certificate::Flaw::Safety => "bad",
            other => panic!("{other}"),
        }));
    }
    assert!(
        (200..1400).contains(&accepted),
        "{accepted} of 1500 are invariants"
    );
    assert_eq!(flaws.len(), 5, "{flaws:?}");
}
