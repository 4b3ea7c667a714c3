//! Crews: solvers with the same clauses, each on a thread of its own, which divide the cubes of a question among them.
//!
//! Each member keeps its clauses, and what it has learnt, from cube to cube: a cube is assumed, so what is learnt in one
//! holds in all, and in all members, who tell each other short clauses ([`Sharing`]). That is where a second processor gains
//! most. With a solver for each cube, what cubes have in common is found out once for each.
//!
//! Where there are guesses, every second one after the first begins with them, and the first follows a few. Then it asks the question as it is, and takes
//! cubes only if it is alone: safestack with a violation took longer by cubes than whole.
//!
//! Questions that are not cut into cubes are asked of the first member alone, on the thread of whoever asks. The others begin with the first
//! question that is, and take clauses from a list when they need them. Whoever loses is told to stop and not waited for.

use super::deal::Deal;
use super::share::{Exchange, Sharing};
use super::solver::{Answer, Divided, Division, Model, Solver, Weights};
use crate::base::Budget;
use crate::base::faults;
use crate::circuit::{ClauseSink, Clauses};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;

/// Name of members in reports and in lists of threads.
const NAME: &str = "cube";

/// Guesses that the first member follows before it asks the question as it is.
const OF_FIRST: usize = 8;

/// Opens the solver of a member, by its number from 0; `None` if there is none.
pub type Open = Arc<dyn Fn(usize) -> Option<Box<dyn Solver>> + Send + Sync>;

/// Solvers that divide questions among them.
pub struct Crew {
    first: Sharing<Box<dyn Solver>>,
    others: Vec<Sender<Task>>,
    exchange: Exchange,
    open: Open,
    size: usize,
    list: Arc<RwLock<List>>,
    /// The last question that was cut into cubes, if it was the last of all.
    divided: Option<Arc<Mutex<Deal>>>,
    model: Option<Model>,
    core: Option<Vec<i32>>,
}

/// Clauses, since they were given back so many times.
#[derive(Default)]
struct List {
    resets: u64,
    clauses: Clauses,
}

/// Question for a member.
struct Task {
    deal: Arc<Mutex<Deal>>,
    assumptions: Vec<i32>,
    guessing: Guessing,
    list: Arc<RwLock<List>>,
    budget: Budget,
}

/// Question of guesses: assumptions of the whole question but for an optional one, and patience with each guess.
#[derive(Clone)]
struct Guessing {
    assumptions: Vec<i32>,
    patience: u64,
}

impl Crew {
    /// So many solvers, of which there is the first. `None` if there is none.
    pub fn new(size: usize, open: Open) -> Option<Crew> {
        let exchange = Exchange::default();
        let first = Sharing::new(open(0)?, &exchange);
        Some(Crew {
            first,
            others: Vec::new(),
            exchange,
            open,
            size,
            list: Arc::default(),
            divided: None,
            model: None,
            core: None,
        })
    }

    /// Begins members until there are so many, or the system has no threads for them.
    fn begin(&mut self, size: usize) {
        for number in self.others.len() + 1..size {
            let (send, receive) = channel();
            let (open, exchange) = (Arc::clone(&self.open), self.exchange.clone());
            let fault = faults::current();
            let work = move || fault.with(|| work_off(number, &open, &exchange, &receive));
            let thread = thread::Builder::new().name(NAME.to_string());
            if thread.spawn(work).is_err() {
                break;
            }
            self.others.push(send);
        }
    }

    /// Forgets the last question; who is still at it ends.
    fn forget(&mut self) {
        if let Some(deal) = self.divided.take() {
            of(&deal).end();
        }
        (self.model, self.core) = (None, None);
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.forget();
    }
}

impl ClauseSink for Crew {
    fn new_var(&mut self) -> i32 {
        let mut list = self.list.write().unwrap_or_else(PoisonError::into_inner);
        list.clauses.new_var();
        self.first.new_var()
    }

    fn add_clause(&mut self, lits: &[i32]) {
        let mut list = self.list.write().unwrap_or_else(PoisonError::into_inner);
        list.clauses.add_clause(lits);
        self.first.add_clause(lits);
    }
}

impl Solver for Crew {
    fn name(&self) -> &'static str {
        self.first.name()
    }

    fn reset(&mut self) {
        self.forget();
        self.first.reset();
        let mut list = self.list.write().unwrap_or_else(PoisonError::into_inner);
        list.resets += 1;
        list.clauses = Clauses::default();
    }

    fn solve(&mut self, assumptions: &[i32], budget: &Budget) -> Answer {
        self.forget();
        self.first.solve(assumptions, budget)
    }

    fn solve_divided(
        &mut self,
        assumptions: &[i32],
        division: &Division,
        budget: &Budget,
    ) -> Divided {
        self.forget();
        self.begin(self.size.min(division.cubes.len()));
        let deal = Arc::new(Mutex::new(Deal::new(division)));
        self.divided = Some(Arc::clone(&deal));
        let needed = assumptions.iter().copied();
        let guessing = Guessing {
            assumptions: needed
                .filter(|&lit| Some(lit) != division.optional)
                .collect(),
            patience: division.patience,
        };
        for other in &self.others {
            let task = Task {
                deal: Arc::clone(&deal),
                assumptions: assumptions.to_vec(),
                guessing: guessing.clone(),
                list: Arc::clone(&self.list),
                budget: budget.part(),
            };
            // Who is not there any more says nothing: his cubes are taken by others.
            let _ = other.send(task);
        }
        if !self.others.is_empty() {
            follow_guesses(&mut self.first, &deal, &guessing, OF_FIRST, budget);
            ask_whole(&mut self.first, &deal, assumptions, budget);
        }
        take_cubes(&mut self.first, &deal, assumptions, budget);
        let deal = of(&deal);
        self.core = deal.core();
        self.model = deal.model().map(|values| Model { values });
        deal.answer()
    }

    fn value(&self, lit: i32) -> bool {
        let model = self.model.as_ref().filter(|_| self.divided.is_some());
        model.map_or_else(|| self.first.value(lit), |model| model.value(lit))
    }

    fn core(&self) -> Option<&[i32]> {
        match self.divided {
            Some(_) => self.core.as_deref(),
            None => self.first.core(),
        }
    }

    fn weigh(&mut self) {
        self.first.weigh();
    }

    fn weights(&mut self) -> Weights {
        self.first.weights()
    }

    fn var_count(&self) -> usize {
        self.first.var_count()
    }

    fn clause_count(&self) -> usize {
        self.first.clause_count()
    }
}

fn of(deal: &Mutex<Deal>) -> MutexGuard<'_, Deal> {
    deal.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The work of another member than the first.
fn work_off(number: usize, open: &Open, exchange: &Exchange, tasks: &Receiver<Task>) {
    let Some(solver) = open(number) else { return };
    let mut solver = Sharing::new(solver, exchange);
    let mut resets = 0;
    for task in tasks {
        let list = task.list.read().unwrap_or_else(PoisonError::into_inner);
        if list.resets != resets {
            solver.reset();
            resets = list.resets;
        }
        while solver.var_count() < list.clauses.variables().unsigned_abs() as usize {
            solver.new_var();
        }
        let known = solver.clause_count();
        list.clauses
            .iter_from(known)
            .for_each(|clause| solver.add_clause(clause));
        drop(list);
        let budget = task.budget.clone().lane(NAME);
        budget.gauge().begin("solve");
        if number % 2 == 1 {
            follow_guesses(&mut solver, &task.deal, &task.guessing, usize::MAX, &budget);
        }
        take_cubes(&mut solver, &task.deal, &task.assumptions, &budget);
        budget.gauge().close();
    }
}

/// Asks a question as it is, while others follow guesses and take cubes.
fn ask_whole(solver: &mut dyn Solver, deal: &Mutex<Deal>, assumptions: &[i32], budget: &Budget) {
    let part = budget.part();
    if !of(deal).whole(&part) {
        return;
    }
    match solver.solve(assumptions, &part) {
        Answer::Sat => of(deal).found(None, model(solver)),
        Answer::Unsat => of(deal).refuted_whole(solver.core()),
        Answer::Stopped(_) => {}
    }
}

/// Follows guesses about a question, as long as there are some, and at most so many.
fn follow_guesses(
    solver: &mut Sharing<Box<dyn Solver>>,
    deal: &Mutex<Deal>,
    guessing: &Guessing,
    most: usize,
    budget: &Budget,
) {
    for _ in 0..most {
        let part = budget.part().with_patience(guessing.patience);
        let guess = of(deal).guess(&part);
        let Some(guess) = guess else { break };
        solver.meet();
        let all = [&guessing.assumptions[..], &guess].concat();
        match solver.solve(&all, &part) {
            Answer::Sat => of(deal).found(None, model(solver)),
            Answer::Unsat => of(deal).unguessed(&guess, solver.core()),
            Answer::Stopped(_) => {}
        }
    }
}

/// Values of a solver's model by variable.
fn model(solver: &dyn Solver) -> Vec<bool> {
    let last = i32::try_from(solver.var_count()).unwrap_or(i32::MAX);
    let values = (1..=last).map(|var| solver.value(var));
    [false].into_iter().chain(values).collect()
}

/// Takes cubes as long as there is something to do.
fn take_cubes(solver: &mut dyn Solver, deal: &Mutex<Deal>, assumptions: &[i32], budget: &Budget) {
    loop {
        let part = budget.part();
        let next = of(deal).next(&part);
        let Some((number, cube)) = next else { break };
        let all = [assumptions, &cube].concat();
        match solver.solve(&all, &part) {
            Answer::Sat => of(deal).found(Some(number), model(solver)),
            Answer::Unsat => of(deal).refuted(number, solver.core()),
            Answer::Stopped(reason) => of(deal).stopped(number, reason),
        }
    }
}

#[cfg(test)]
#[cfg(feature = "cadical")]
mod tests {
    use super::*;
    use crate::base::StopReason;
    use crate::base::mix::Random;
    use crate::sat::tests::pigeons;
    use crate::sat::{Search, SolverKind};
    use std::sync::atomic::Ordering;
    use std::time::Duration;

    const VARIABLES: usize = 60;

    /// Clauses of three literals, about as many as make half of such formulas unsatisfiable.
    fn formula(random: &mut Random, sink: &mut dyn ClauseSink, clauses: usize) {
        for _ in 0..clauses {
            let mut lit = || {
                let lit = random.below(VARIABLES) as i32 + 1;
                if random.below(2) == 0 { lit } else { -lit }
            };
            sink.add_clause(&[lit(), lit(), lit()]);
        }
    }

    fn crew(kind: SolverKind, size: usize) -> Crew {
        let open = move |number: usize| kind.open_for(Search::seeded(number as u32));
        Crew::new(size, Arc::new(open)).unwrap()
    }

    /// Answer of a solver that nobody helps.
    fn alone(clauses: &Clauses, assumptions: &[i32]) -> Answer {
        let mut solver = SolverKind::DEFAULT.open(0).unwrap();
        for _ in 0..clauses.variables() {
            solver.new_var();
        }
        clauses.iter().for_each(|clause| solver.add_clause(clause));
        solver.solve(assumptions, &Budget::unlimited())
    }

    /// All values of three variables, and some of others.
    fn division() -> Division {
        let cube = |number: i32| {
            let lit = |var: i32| {
                if number >> var & 1 == 0 {
                    var + 1
                } else {
                    -var - 1
                }
            };
            (0..3).map(lit).collect()
        };
        Division {
            cubes: (0..8).map(cube).collect(),
            guesses: vec![vec![20, -21], vec![-30]],
            patience: 50,
            ..Division::default()
        }
    }

    #[test]
    fn crews_and_single_solvers_agree() {
        let mut answers = Vec::new();
        for (kind, count) in [(SolverKind::DEFAULT, 30), (SolverKind::Varisat, 8)] {
            for seed in 0..count {
                let mut random = Random::new(seed + 1);
                let mut crew = crew(kind, [1, 2, 3][seed as usize % 3]);
                let mut clauses = Clauses::default();
                for round in 0..4 {
                    if round == 2 {
                        crew.reset();
                        clauses = Clauses::default();
                    }
                    let mut new = Clauses::default();
                    formula(&mut random, &mut new, VARIABLES * [40, 3][round % 2] / 10);
                    while clauses.variables() < VARIABLES as i32 {
                        clauses.new_var();
                        crew.new_var();
                    }
                    for clause in new.iter() {
                        clauses.add_clause(clause);
                        crew.add_clause(clause);
                    }
                    let assumptions = [9, -8];
                    let expected = alone(&clauses, &assumptions);
                    let budget = Budget::unlimited();
                    let divided = crew.solve_divided(&assumptions, &division(), &budget);
                    assert_eq!(divided.answer, expected, "seed {seed}, round {round}");
                    if expected == Answer::Sat {
                        let mut all = clauses.iter();
                        assert!(all.all(|clause| clause.iter().any(|lit| crew.value(*lit))));
                        assert!(assumptions.iter().all(|lit| crew.value(*lit)));
                    } else {
                        assert_eq!(divided.decided, 8);
                        let core = crew.core().unwrap().to_vec();
                        assert!(core.iter().all(|lit| assumptions.contains(lit)));
                        assert_eq!(alone(&clauses, &core), Answer::Unsat);
                    }
                    assert_eq!(crew.solve(&assumptions, &budget), expected);
                    assert_eq!(crew.clause_count(), clauses.len());
                    answers.push(expected);
                }
            }
        }
        for answer in [Answer::Sat, Answer::Unsat] {
            let count = answers.iter().filter(|one| **one == answer).count();
            assert!(count > 20, "{answer:?}: {count}");
        }
    }

    /// Thirteen pigeons in twelve holes, unless a literal says that none is there: all members are stopped, and answer then.
    #[test]
    fn members_that_were_stopped_answer_other_questions() {
        for kind in [SolverKind::DEFAULT, SolverKind::Varisat] {
            let mut crew = crew(kind, 3);
            let none = pigeons(&mut crew, 12);
            let division = Division {
                guesses: Vec::new(),
                ..division()
            };
            let soon = Budget::unlimited().with_wall_limit(Duration::from_millis(100));
            let stopped = crew.solve_divided(&[-none], &division, &soon);
            assert_eq!(stopped.answer, Answer::Stopped(StopReason::Wall), "{kind}");
            let budget = Budget::unlimited();
            let divided = crew.solve_divided(&[none], &division, &budget);
            assert_eq!(divided.answer, Answer::Sat, "{kind}");
            crew.add_clause(&[-none]);
            let divided = crew.solve_divided(&[none], &division, &budget);
            assert_eq!(divided.answer, Answer::Unsat, "{kind}");
        }
    }

    #[test]
    fn nothing_is_asked_when_the_budget_is_used_up() {
        let mut crew = crew(SolverKind::DEFAULT, 2);
        for _ in 0..3 {
            crew.new_var();
        }
        let budget = Budget::unlimited();
        budget.cancel().store(true, Ordering::Relaxed);
        let divided = crew.solve_divided(&[], &division(), &budget);
        assert_eq!(divided.answer, Answer::Stopped(StopReason::Interrupted));
        assert_eq!(divided.decided, 0);
    }
}
