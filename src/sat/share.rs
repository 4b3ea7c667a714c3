//! Sharing: solvers that search side by side tell each other short clauses that they have learnt.
//!
//! A learnt clause follows from the solver's clauses alone, whatever it assumes. So it may be told to a solver that has the same clauses, or
//! the same and more; to no other one. Clauses are therefore told with the place in the sender's formula up to which it follows from it,
//! and the name (a hash) of the formula up to there. Whoever has another formula at that place, or has not come to it, does not take it.
//! Schemes encode a program in the same way each time, so solvers of one scheme have one formula until their models differ, and all that they add after
//! that keeps what they share at the beginning.
//!
//! A solver cannot be told anything while it searches: it is interrupted now and then (its search goes on where it was, as phases,
//! scores and clauses stay), more and more rarely.

use super::faults::{self, Fault};
use super::solver::{Answer, Solver, Weights};
use crate::base::mix::mix;
use crate::base::{Budget, StopReason};
use crate::circuit::ClauseSink;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Literals of the longest clause that is told.
pub const LONGEST: usize = 3;
/// Clauses that are kept for others; what is learnt later is not told.
const MOST_CLAUSES: usize = 200_000;
/// Pace of the first part of a search: how often the solver asks whether to stop before it is told, about every ten decisions or conflicts.
const FIRST: u64 = 1000;
/// The most.
const MOST: u64 = 20_000;

/// A formula up to some clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Prefix {
    clauses: usize,
    /// Two hashes of all clauses up to there.
    name: [u64; 2],
}

impl Prefix {
    const EMPTY: Prefix = Prefix {
        clauses: 0,
        name: [0, 1],
    };

    fn add(&mut self, lits: &[i32]) {
        self.clauses += 1;
        for &lit in lits.iter().chain(&[0]) {
            self.name = self
                .name
                .map(|key| mix(key, u64::from(lit.cast_unsigned())));
        }
    }
}

/// Clause that somebody has learnt.
struct Learnt {
    /// The formula that it follows from.
    of: Prefix,
    from: usize,
    lits: Vec<i32>,
}

/// Exchange of clauses among solvers. Clones are the same one.
#[derive(Clone, Default)]
pub struct Exchange(Arc<Mutex<Told>>);

#[derive(Default)]
struct Told {
    members: usize,
    clauses: Vec<Learnt>,
    /// Clauses that somebody has taken.
    taken: usize,
}

impl Exchange {
    fn told(&self) -> MutexGuard<'_, Told> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Clauses that were taken so far, over all members.
    #[cfg(test)]
    pub fn taken(&self) -> usize {
        self.told().taken
    }
}

/// A solver that shares what it learns.
pub struct Sharing<S> {
    solver: S,
    exchange: Exchange,
    /// False if the solver cannot tell what it learns, or cannot go on where it was.
    can_share: bool,
    /// Number of this one among those that share.
    member: usize,
    /// The formula that the solver was given, and as it was when questions were asked.
    formula: Prefix,
    asked: Vec<Prefix>,
    /// Clauses of the exchange that are known.
    known: usize,
    /// Interruptions are so far apart.
    pace: u64,
}

impl<S: Solver> Sharing<S> {
    /// A solver without clauses, as a member of an exchange.
    pub fn new(mut solver: S, exchange: &Exchange) -> Sharing<S> {
        let can_share = solver.collect();
        let exchange = exchange.clone();
        let member = exchange.told().members;
        exchange.told().members += 1;
        Sharing {
            solver,
            exchange,
            can_share,
            member,
            formula: Prefix::EMPTY,
            asked: Vec::new(),
            known: 0,
            pace: FIRST,
        }
    }

    /// Tells what was learnt, and takes what others have told, for who asks for a while without sharing.
    pub fn meet(&mut self) {
        if self.can_share {
            self.begin();
            self.tell();
            self.take();
        }
    }

    /// Takes note of the formula that a question is about.
    fn begin(&mut self) {
        if self.asked.last() != Some(&self.formula) {
            self.asked.push(self.formula);
        }
    }

    /// Takes what others have told since.
    fn take(&mut self) {
        let mut told = self.exchange.told();
        let new = told.clauses.get(self.known..).unwrap_or_default();
        let fits = |learnt: &&Learnt| {
            let is_own = self.asked.contains(&learnt.of) || faults::on(Fault::ForeignClause);
            is_own && learnt.from != self.member
        };
        let taken: Vec<Vec<i32>> = new
            .iter()
            .filter(fits)
            .map(|one| one.lits.clone())
            .collect();
        self.known = told.clauses.len();
        told.taken += taken.len();
        drop(told);
        for lits in taken {
            self.solver.add_clause(&lits);
        }
    }

    /// Tells others what the solver has learnt.
    fn tell(&mut self) {
        let (of, from) = (self.formula, self.member);
        let learnt = self.solver.collected();
        let mut told = self.exchange.told();
        let room = MOST_CLAUSES.saturating_sub(told.clauses.len());
        let learnt = learnt.into_iter().take(room);
        told.clauses
            .extend(learnt.map(|lits| Learnt { of, from, lits }));
    }
}

impl<S: Solver> ClauseSink for Sharing<S> {
    fn new_var(&mut self) -> i32 {
        self.solver.new_var()
    }

    fn add_clause(&mut self, lits: &[i32]) {
        self.formula.add(lits);
        self.solver.add_clause(lits);
    }
}

impl<S: Solver> Solver for Sharing<S> {
    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn reset(&mut self) {
        self.solver.reset();
        self.can_share = self.solver.collect();
        self.formula = Prefix::EMPTY;
        self.asked.clear();
        self.known = 0;
    }

    fn solve(&mut self, assumptions: &[i32], budget: &Budget) -> Answer {
        if budget.has_patience() || !self.can_share {
            // Whoever counts how often it is asked counts on one search.
            return self.solver.solve(assumptions, budget);
        }
        self.begin();
        loop {
            self.take();
            let part = budget.part().with_patience(self.pace);
            let answer = self.solver.solve(assumptions, &part);
            self.tell();
            match answer {
                Answer::Stopped(StopReason::Interrupted) if budget.reason().is_none() => {
                    self.pace = (self.pace + self.pace / 2 + 1).min(MOST);
                }
                answer => return answer,
            }
        }
    }

    fn value(&self, lit: i32) -> bool {
        self.solver.value(lit)
    }

    fn core(&self) -> Option<&[i32]> {
        self.solver.core()
    }

    fn weigh(&mut self) {
        self.solver.weigh();
    }

    fn weights(&mut self) -> Weights {
        self.solver.weights()
    }

    fn var_count(&self) -> usize {
        self.solver.var_count()
    }

    fn clause_count(&self) -> usize {
        self.formula.clauses
    }
}

#[cfg(test)]
#[cfg(feature = "cadical")]
mod tests {
    use super::*;
    use crate::base::mix::Random;
    use crate::circuit::Clauses;
    use crate::sat::{Questions, Search, SolverKind};

    const VARIABLES: usize = 70;

    /// Clauses of three literals, about as many as make half of such formulas unsatisfiable.
    fn formula(seed: u64) -> Clauses {
        let mut random = Random::new(seed + 1);
        let mut clauses = Clauses::default();
        for _ in 0..VARIABLES {
            clauses.new_var();
        }
        for _ in 0..VARIABLES * 42 / 10 {
            let mut lit = || {
                let lit = random.below(VARIABLES) as i32 + 1;
                if random.below(2) == 0 { lit } else { -lit }
            };
            clauses.add_clause(&[lit(), lit(), lit()]);
        }
        clauses
    }

    /// A member of an exchange that is interrupted often.
    fn member(number: u32, exchange: &Exchange) -> Sharing<Box<dyn Solver>> {
        let search = Search {
            questions: [Questions::Hard, Questions::Models][number as usize % 2],
            seed: number / 2,
        };
        let solver = SolverKind::Cadical.open_for(search).unwrap();
        let mut member = Sharing::new(solver, exchange);
        member.pace = 1;
        member
    }

    fn tell(solver: &mut dyn Solver, clauses: &Clauses, from: usize) {
        while solver.var_count() < clauses.variables() as usize {
            solver.new_var();
        }
        clauses
            .iter_from(from)
            .for_each(|clause| solver.add_clause(clause));
    }

    /// Answer of a solver that shares nothing.
    fn alone(clauses: &Clauses, assumptions: &[i32]) -> Answer {
        let mut solver = SolverKind::Cadical.open(0).unwrap();
        tell(&mut *solver, clauses, 0);
        solver.solve(assumptions, &Budget::unlimited())
    }

    #[test]
    fn members_with_one_formula_share_and_agree() {
        let (mut taken, mut answers) = (0, Vec::new());
        for seed in 0..40 {
            let exchange = Exchange::default();
            let clauses = formula(seed);
            let mut members: Vec<_> = (0..4).map(|one| member(one, &exchange)).collect();
            for assumptions in [&[][..], &[1, -2], &[-1]] {
                let expected = alone(&clauses, assumptions);
                for solver in &mut members {
                    let known = solver.clause_count();
                    tell(solver, &clauses, known);
                    let answer = solver.solve(assumptions, &Budget::unlimited());
                    assert_eq!(answer, expected, "seed {seed} under {assumptions:?}");
                    if answer == Answer::Sat {
                        let mut all = clauses.iter();
                        assert!(all.all(|clause| clause.iter().any(|lit| solver.value(*lit))));
                        assert!(assumptions.iter().all(|lit| solver.value(*lit)));
                    }
                    assert_eq!(solver.clause_count(), clauses.len());
                }
                answers.push(expected);
            }
            taken += exchange.taken();
        }
        assert!(taken > 100, "only {taken} clauses were taken");
        assert!(answers.contains(&Answer::Sat) && answers.contains(&Answer::Unsat));
    }

    #[test]
    fn members_side_by_side_agree() {
        for seed in 100..110 {
            let exchange = Exchange::default();
            let clauses = formula(seed);
            let expected = alone(&clauses, &[]);
            std::thread::scope(|scope| {
                for number in 0..4 {
                    let (exchange, clauses) = (&exchange, &clauses);
                    scope.spawn(move || {
                        let mut solver = member(number, exchange);
                        tell(&mut solver, clauses, 0);
                        let answer = solver.solve(&[], &Budget::unlimited());
                        assert_eq!(answer, expected, "seed {seed}");
                    });
                }
            });
        }
    }

    /// Two formulas that have a beginning in common: what follows from more than that is not shared.
    fn agree_on_another(seed: u64) -> (bool, usize) {
        let exchange = Exchange::default();
        let (first, second) = (formula(2 * seed), formula(2 * seed + 1));
        let mut one = member(0, &exchange);
        tell(&mut one, &first, 0);
        one.solve(&[], &Budget::unlimited());
        let mut other = member(1, &exchange);
        tell(&mut other, &second, 0);
        let answer = other.solve(&[], &Budget::unlimited());
        (answer == alone(&second, &[]), exchange.taken())
    }

    #[test]
    fn nothing_is_taken_from_another_formula() {
        for seed in 0..30 {
            assert_eq!(agree_on_another(seed), (true, 0), "seed {seed}");
        }
    }

    #[test]
    fn what_follows_from_the_beginning_is_taken_after_it() {
        let mut all = 0;
        for seed in 0..20 {
            let exchange = Exchange::default();
            let mut clauses = formula(seed);
            let [mut one, mut other] = [0, 1].map(|number| member(number, &exchange));
            for solver in [&mut one, &mut other] {
                tell(solver, &clauses, 0);
                solver.solve(&[], &Budget::unlimited());
            }
            let before = exchange.taken();
            // More of one formula does not make what it had been foreign, and is not told to the other one.
            let known = clauses.len();
            clauses.add_clause(&[1, 2]);
            tell(&mut one, &clauses, known);
            assert_eq!(one.solve(&[], &Budget::unlimited()), alone(&clauses, &[]));
            let taken = exchange.taken();
            all += taken - before;
            other.solve(&[], &Budget::unlimited());
            assert_eq!(exchange.taken(), taken, "seed {seed}");
            one.reset();
            assert_eq!((one.var_count(), one.clause_count()), (0, 0));
        }
        assert!(all > 0, "nothing was taken");
    }

    #[cfg(feature = "faults")]
    #[test]
    fn seeded_faults_are_noticed() {
        use crate::base::faults::record::{Campaign, seeds};
        let campaign = Campaign {
            name: "sharing",
            faults: vec![(Fault::ForeignClause, ())],
            programs: seeds(100),
        };
        campaign.run(|_, (), seed| Some(agree_on_another(seed as u64).0));
    }
}
