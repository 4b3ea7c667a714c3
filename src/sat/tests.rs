//! Every solver of the build against brute force, and against its own contract.

use super::*;
use crate::base::{Budget, StopReason};
use crate::circuit::{ClauseSink, Clauses};
use std::time::{Duration, Instant};

/// A small deterministic generator (xorshift64*, Vigna 2016).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % bound
    }

    fn lit(&mut self, vars: u64) -> i32 {
        let var = self.below(vars) as i32 + 1;
        if self.below(2) == 0 { var } else { -var }
    }

    fn clause(&mut self, vars: u64) -> Vec<i32> {
        let length = 1 + self.below(4);
        (0..length).map(|_| self.lit(vars)).collect()
    }
}

/// Every solver of the build, as it is, with a varied search, and with one for models.
fn kinds() -> Vec<(SolverKind, Search)> {
    let available = SolverKind::ALL
        .into_iter()
        .filter(|kind| kind.is_available());
    let for_models = Search {
        questions: Questions::Models,
        seed: 0,
    };
    let searches = [Search::seeded(0), Search::seeded(3), for_models];
    available
        .flat_map(|kind| searches.map(|search| (kind, search)))
        .collect()
}

fn solvers() -> Vec<Box<dyn Solver>> {
    kinds()
        .into_iter()
        .filter_map(|(kind, search)| kind.open_for(search))
        .collect()
}

/// Value of a literal under `assignment` (variable v is bit v - 1).
fn holds(assignment: u32, lit: i32) -> bool {
    (assignment >> (lit.unsigned_abs() - 1) & 1 == 1) == (lit > 0)
}

/// Satisfiability by enumeration: true if some assignment satisfies all clauses and all units.
fn brute_force(vars: u32, clauses: &[Vec<i32>], units: &[i32]) -> bool {
    (0..1u32 << vars).any(|assignment| {
        units.iter().all(|lit| holds(assignment, *lit))
            && clauses
                .iter()
                .all(|clause| clause.iter().any(|lit| holds(assignment, *lit)))
    })
}

/// n + 1 pigeons in n holes: unsatisfiable, and hard for resolution (Haken 1985), unless the literal of the result lets them stay outside.
pub(super) fn pigeons(solver: &mut dyn Solver, holes: i32) -> i32 {
    let at = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    for _ in 0..(holes + 1) * holes {
        solver.new_var();
    }
    let outside = solver.new_var();
    for pigeon in 0..=holes {
        let places = (0..holes).map(|hole| at(pigeon, hole));
        solver.add_clause(&places.chain([outside]).collect::<Vec<_>>());
    }
    for hole in 0..holes {
        for first in 0..=holes {
            for second in 0..first {
                solver.add_clause(&[-at(first, hole), -at(second, hole)]);
            }
        }
    }
    outside
}

/// Clauses arrive in batches; after each batch every solver is asked under several assumptions, and its
/// answer, its model and its core are compared with brute force.
#[test]
fn answers_models_and_cores_agree_with_brute_force() {
    let budget = Budget::unlimited();
    for (kind, search) in kinds() {
        let mut random = Random(0x5e1_7ed9e);
        let (mut sat, mut unsat) = (0, 0);
        for _ in 0..150 {
            let vars = 3 + random.below(7);
            let mut solver = kind.open_for(search).unwrap();
            for expected in 1..=vars as i32 {
                assert_eq!(solver.new_var(), expected);
            }
            let mut clauses = Vec::new();
            for _ in 0..4 {
                for _ in 0..random.below(2 * vars) {
                    let clause = random.clause(vars);
                    solver.add_clause(&clause);
                    clauses.push(clause);
                }
                for _ in 0..3 {
                    let count = random.below(4);
                    let assumptions: Vec<i32> = (0..count).map(|_| random.lit(vars)).collect();
                    let context = format!("{}: {clauses:?} under {assumptions:?}", solver.name());
                    match solver.solve(&assumptions, &budget) {
                        Answer::Sat => {
                            sat += 1;
                            assert!(
                                assumptions.iter().all(|lit| solver.value(*lit)),
                                "{context}"
                            );
                            for clause in &clauses {
                                assert!(
                                    clause.iter().any(|lit| solver.value(*lit)),
                                    "{context}: {clause:?}"
                                );
                            }
                            assert_eq!(solver.core(), None);
                        }
                        Answer::Unsat => {
                            unsat += 1;
                            assert!(
                                !brute_force(vars as u32, &clauses, &assumptions),
                                "{context}"
                            );
                            let core = solver.core().expect("a core after Unsat");
                            assert!(
                                core.iter().all(|lit| assumptions.contains(lit)),
                                "{context}: {core:?}"
                            );
                            assert!(
                                !brute_force(vars as u32, &clauses, core),
                                "{context}: {core:?}"
                            );
                        }
                        Answer::Stopped(reason) => panic!("{context}: stopped ({reason})"),
                    }
                }
            }
            assert_eq!(
                (solver.var_count(), solver.clause_count()),
                (vars as usize, clauses.len())
            );
        }
        assert!(
            sat > 300 && unsat > 300,
            "{kind}: dull formulas: {sat} sat, {unsat} unsat"
        );
    }
}

#[test]
fn random_3sat_near_the_threshold_has_one_answer() {
    let budget = Budget::unlimited();
    let mut random = Random(7);
    let mut answers = Vec::new();
    for _ in 0..12 {
        let mut cnf = Clauses::new();
        let vars = 90;
        for _ in 0..vars {
            cnf.new_var();
        }
        for _ in 0..(vars * 426 / 100) {
            let clause: Vec<i32> = (0..3).map(|_| random.lit(vars)).collect();
            cnf.add_clause(&clause);
        }
        let mut all: Vec<Answer> = Vec::new();
        for mut solver in solvers() {
            for _ in 0..cnf.variables() {
                solver.new_var();
            }
            cnf.iter().for_each(|clause| solver.add_clause(clause));
            let answer = solver.solve(&[], &budget);
            if answer == Answer::Sat {
                let satisfied = |clause: &[i32]| clause.iter().any(|lit| solver.value(*lit));
                assert!(cnf.iter().all(satisfied), "{}", solver.name());
            }
            all.push(answer);
        }
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{all:?}");
        answers.extend(all.first().copied());
    }
    assert!(
        answers.contains(&Answer::Sat) && answers.contains(&Answer::Unsat),
        "{answers:?}"
    );
}

#[test]
fn a_model_stays_readable_while_clauses_are_added() {
    for mut solver in solvers() {
        let (a, b) = (solver.new_var(), solver.new_var());
        solver.add_clause(&[a, b]);
        assert_eq!(solver.solve(&[-a], &Budget::unlimited()), Answer::Sat);
        solver.add_clause(&[a]);
        let later = solver.new_var();
        assert!(solver.value(-a) && solver.value(b));
        assert!(solver.value(later) != solver.value(-later));
        assert_eq!(solver.solve(&[-a], &Budget::unlimited()), Answer::Unsat);
        assert_eq!(solver.core(), Some(&[-a][..]));
    }
}

#[test]
fn the_empty_clause_and_variables_without_clauses() {
    for mut solver in solvers() {
        let (a, b) = (solver.new_var(), solver.new_var());
        assert_eq!(solver.solve(&[b], &Budget::unlimited()), Answer::Sat);
        assert!(solver.value(b) && solver.value(a) != solver.value(-a));
        solver.add_clause(&[]);
        assert_eq!(solver.solve(&[a], &Budget::unlimited()), Answer::Unsat);
        assert_eq!(solver.core(), Some(&[][..]));
    }
}

#[test]
fn contradictory_and_repeated_assumptions() {
    for mut solver in solvers() {
        let (a, b) = (solver.new_var(), solver.new_var());
        solver.add_clause(&[a, b]);
        assert_eq!(solver.solve(&[a, a], &Budget::unlimited()), Answer::Sat);
        assert_eq!(
            solver.solve(&[b, a, -a], &Budget::unlimited()),
            Answer::Unsat
        );
        let core = solver.core().unwrap();
        assert!(
            core.contains(&a) && core.contains(&-a) && !core.contains(&b),
            "{core:?}"
        );
    }
}

/// Thirteen pigeons keep either solver busy for far longer than a test may take.
#[test]
fn a_budget_ends_the_search_within_a_second() {
    for mut solver in solvers() {
        let outside = pigeons(&mut *solver, 13);
        let budget = Budget::unlimited().with_wall_limit(Duration::from_millis(150));
        let start = Instant::now();
        assert_eq!(
            solver.solve(&[-outside], &budget),
            Answer::Stopped(StopReason::Wall),
            "{}",
            solver.name()
        );
        let took = start.elapsed();
        assert!(
            took < Duration::from_millis(1150),
            "{} took {took:?}",
            solver.name()
        );
        assert_eq!(solver.core(), None);
        // A used-up budget is told again.
        solver.add_clause(&[1]);
        assert_eq!(
            solver.solve(&[2], &budget),
            Answer::Stopped(StopReason::Wall),
            "{}",
            solver.name()
        );
    }
}

/// Whoever asks with little patience may ask again, and clauses may be added in between.
#[test]
fn a_search_that_was_stopped_leaves_a_solver_that_answers() {
    for mut solver in solvers() {
        let name = solver.name();
        let outside = pigeons(&mut *solver, 13);
        let clauses = solver.clause_count();
        let budget = Budget::unlimited();
        for round in 0..3 {
            let part = budget.part().with_patience(3);
            let answer = solver.solve(&[-outside], &part);
            let expected = Answer::Stopped(StopReason::Interrupted);
            assert_eq!(answer, expected, "{name}, round {round}");
            solver.add_clause(&[-1, outside, -round - 2]);
        }
        assert_eq!(solver.solve(&[outside], &budget), Answer::Sat, "{name}");
        assert!(solver.value(outside));
        solver.add_clause(&[1, -outside]);
        solver.add_clause(&[2, -outside]);
        solver.add_clause(&[-2, -outside]);
        assert_eq!(
            solver.solve(&[1, outside], &budget),
            Answer::Unsat,
            "{name}"
        );
        assert_eq!(solver.core(), Some(&[outside][..]), "{name}");
        assert_eq!(solver.clause_count(), clauses + 6);
    }
}

#[test]
fn cancelling_from_another_thread_ends_the_search() {
    for mut solver in solvers() {
        let outside = pigeons(&mut *solver, 13);
        let budget = Budget::unlimited();
        let flag = budget.cancel();
        let alarm = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            flag.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let answer = solver.solve(&[-outside], &budget);
        assert_eq!(
            answer,
            Answer::Stopped(StopReason::Interrupted),
            "{}",
            solver.name()
        );
        alarm.join().unwrap();
    }
}

#[test]
fn solvers_are_chosen_by_name() {
    assert!(SolverKind::DEFAULT.is_available());
    assert_eq!("varisat".parse(), Ok(SolverKind::Varisat));
    assert!("minisat".parse::<SolverKind>().is_err());
    if cfg!(not(feature = "cadical")) {
        assert!("cadical".parse::<SolverKind>().is_err());
    }
}
