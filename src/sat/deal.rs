//! Deals: a question that is cut into cubes, which of them solvers are at, and what their answers say together.
//!
//! A cube is a set of literals that is assumed beside the assumptions of the question. Whoever asks sees to it that each model has all
//! literals of one of them. So there is a model if some cube has one, and none if all are refuted. Where the assumptions of which a
//! solver says that they cannot hold together lack some literals of its cube, other cubes may be refuted with it.
//!
//! Cubes are taken by who has nothing to do: first one that nobody is at; then one that others are at, whose search goes elsewhere. The first answer to a
//! cube ends the search of all who are at it.
//!
//! *Guesses* come first, if there are some: a model that has what was guessed is one, and that there is none says nothing, unless the guess has no
//! part in that. Where there are several solvers, one of them asks the question as it is after a few, so that nobody waits for all guesses and cubes, which may help little.

use super::faults::{self, Fault};
use super::solver::{Answer, Divided, Division};
use crate::base::sorted::SortedSet;
use crate::base::{Budget, StopReason};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A question that is cut into cubes.
pub(super) struct Deal {
    places: Vec<Place>,
    /// Guesses that nobody has followed, and flags of those who follow one.
    guesses: VecDeque<Vec<i32>>,
    guessing: Vec<Arc<AtomicBool>>,
    /// Flag of the one who asks the question as it is.
    whole: Option<Arc<AtomicBool>>,
    /// Assumptions of the question that were to blame for refutations; `None` if a solver could not say.
    failed: Option<SortedSet<i32>>,
    /// Values of a model by variable.
    model: Option<Vec<bool>>,
    /// Reason why somebody gave up.
    stopped: Option<StopReason>,
}

struct Place {
    cube: Vec<i32>,
    state: State,
}

/// State of a cube.
enum State {
    /// It is open; those who are at it have these flags, which end their search.
    Open(Vec<Arc<AtomicBool>>),
    /// It has an answer.
    Decided,
    /// Somebody gave up, and so do all.
    Stopped,
}

impl Deal {
    /// Cubes that nobody is at, and guesses that nobody follows.
    pub fn new(division: &Division) -> Deal {
        let place = |cube: &Vec<i32>| Place {
            cube: cube.clone(),
            state: State::Open(Vec::new()),
        };
        let mut deal = Deal {
            places: division.cubes.iter().map(place).collect(),
            guesses: division.guesses.iter().cloned().collect(),
            guessing: Vec::new(),
            whole: None,
            failed: Some(SortedSet::new()),
            model: None,
            stopped: None,
        };
        if faults::on(Fault::CubeLost)
            && let Some(last) = deal.places.last_mut()
        {
            last.state = State::Decided;
        }
        deal
    }

    /// A cube for somebody whose search the flag of the budget ends: its number, and its literals. `None` if there is nothing to do.
    pub fn next(&mut self, budget: &Budget) -> Option<(usize, Vec<i32>)> {
        if self.is_over() {
            return None;
        }
        let at = |place: &Place| match &place.state {
            State::Open(flags) => Some(flags.len()),
            State::Decided | State::Stopped => None,
        };
        let open = self.places.iter().enumerate();
        let open = open.filter_map(|(number, place)| Some((at(place)?, number)));
        let (_, number) = open.min()?;
        let place = &mut self.places[number];
        if let State::Open(flags) = &mut place.state {
            flags.push(budget.cancel());
        }
        Some((number, place.cube.clone()))
    }

    /// True if there is nothing to do any more.
    fn is_over(&self) -> bool {
        let is_open = |place: &Place| matches!(place.state, State::Open(_));
        self.model.is_some() || self.stopped.is_some() || !self.places.iter().any(is_open)
    }

    /// A guess to be followed, if there is one.
    pub fn guess(&mut self, budget: &Budget) -> Option<Vec<i32>> {
        if self.is_over() {
            return None;
        }
        let guess = self.guesses.pop_front()?;
        self.guessing.push(budget.cancel());
        Some(guess)
    }

    /// True if the question is still to be asked as it is, by somebody whose search the flag of the budget ends.
    pub fn whole(&mut self, budget: &Budget) -> bool {
        let is_due = !self.is_over();
        self.whole = is_due.then(|| budget.cancel());
        is_due
    }

    /// There is no model at all, because of these literals.
    pub fn refuted_whole(&mut self, core: Option<&[i32]>) {
        for number in 0..self.places.len() {
            self.refuted(number, core);
        }
    }

    /// There is no model with what was guessed, because of these literals.
    pub fn unguessed(&mut self, guess: &[i32], core: Option<&[i32]>) {
        if let Some(core) = core.filter(|core| !core.iter().any(|lit| guess.contains(lit))) {
            self.refuted_whole(Some(core));
        }
    }

    /// There is no model in a cube, because of these literals.
    pub fn refuted(&mut self, number: usize, core: Option<&[i32]>) {
        let cube = self.places[number].cube.clone();
        let of_cube = |core: &[i32]| -> Vec<i32> {
            let own = core.iter().filter(|lit| cube.contains(lit));
            own.copied().collect()
        };
        let blamed = core.map_or_else(|| cube.clone(), of_cube);
        match (core, &mut self.failed) {
            (Some(core), Some(failed)) => {
                failed.extend(core.iter().filter(|lit| !cube.contains(lit)));
            }
            _ => self.failed = None,
        }
        for place in &mut self.places {
            let is_refuted = blamed.iter().all(|lit| place.cube.contains(lit));
            if is_refuted && matches!(place.state, State::Open(_)) {
                place.decide(State::Decided);
            }
        }
        if self.is_over() {
            self.end();
        }
    }

    /// There is a model: of a cube, or of a guess.
    pub fn found(&mut self, number: Option<usize>, model: Vec<bool>) {
        if self.model.is_none() {
            if let Some(number) = number {
                self.places[number].decide(State::Decided);
            }
            self.model = Some(model);
        }
        self.end();
    }

    /// Somebody gave up a cube that has no answer yet; so do all.
    pub fn stopped(&mut self, number: usize, reason: StopReason) {
        if matches!(self.places[number].state, State::Open(_)) {
            self.places[number].decide(State::Stopped);
            self.stopped.get_or_insert(reason);
            self.end();
        }
    }

    /// Ends all searches.
    pub fn end(&self) {
        for place in &self.places {
            place.stop();
        }
        for flag in &self.guessing {
            flag.store(true, Ordering::Relaxed);
        }
        if let Some(flag) = &self.whole {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// The answer to the question, when there is nothing to do any more.
    pub fn answer(&self) -> Divided {
        let is_decided = |place: &&Place| match place.state {
            State::Decided => true,
            State::Open(_) => false,
            State::Stopped => faults::on(Fault::StoppedCounts),
        };
        let decided = self.places.iter().filter(is_decided).count();
        let answer = if self.model.is_some() {
            Answer::Sat
        } else if decided == self.places.len() {
            Answer::Unsat
        } else {
            Answer::Stopped(self.stopped.unwrap_or(StopReason::Interrupted))
        };
        Divided { answer, decided }
    }

    /// Assumptions of the question that cannot hold together, where there is no model.
    pub fn core(&self) -> Option<Vec<i32>> {
        let failed = self.failed.as_ref()?;
        (self.answer().answer == Answer::Unsat).then(|| failed.iter().copied().collect())
    }

    /// Values of the model.
    pub fn model(&self) -> Option<Vec<bool>> {
        self.model.clone()
    }
}

impl Place {
    fn stop(&self) {
        if let State::Open(flags) = &self.state {
            for flag in flags {
                flag.store(true, Ordering::Relaxed);
            }
        }
    }

    fn decide(&mut self, state: State) {
        self.stop();
        self.state = state;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_ended(budget: &Budget) -> bool {
        budget.reason().is_some()
    }

    fn division(cubes: &[Vec<i32>]) -> Division {
        Division {
            cubes: cubes.to_vec(),
            guesses: vec![vec![3], vec![4, 5]],
            patience: 10,
            ..Division::default()
        }
    }

    /// A deal of four cubes of two variables, and four who take one each.
    fn dealt() -> (Deal, Vec<Budget>) {
        let cubes = [[1, 2], [1, -2], [-1, 2], [-1, -2]].map(Vec::from);
        let mut deal = Deal::new(&division(&cubes));
        let mut budgets = Vec::new();
        for (number, cube) in cubes.iter().enumerate() {
            let budget = Budget::unlimited();
            assert_eq!(deal.next(&budget), Some((number, cube.clone())));
            budgets.push(budget);
        }
        (deal, budgets)
    }

    #[test]
    fn all_cubes_make_an_answer() {
        let (mut deal, _) = dealt();
        for number in 0..4 {
            assert_eq!(deal.answer().decided, number);
            deal.refuted(number, None);
        }
        let expected = Divided {
            answer: Answer::Unsat,
            decided: 4,
        };
        assert_eq!((deal.answer(), deal.core()), (expected, None));
        assert_eq!(deal.next(&Budget::unlimited()), None);
    }

    #[test]
    fn what_is_to_blame_refutes_other_cubes() {
        let (mut deal, budgets) = dealt();
        deal.refuted(0, Some(&[1, 7]));
        let ended: Vec<bool> = budgets.iter().map(is_ended).collect();
        assert_eq!(ended, [true, true, false, false]);
        assert_eq!(deal.answer().decided, 2);
        // Nobody is at the others alone: whoever comes helps.
        let helper = Budget::unlimited();
        assert_eq!(deal.next(&helper), Some((2, vec![-1, 2])));
        deal.refuted(2, Some(&[2, -1]));
        assert!(is_ended(&helper) && !is_ended(&budgets[3]));
        deal.refuted(3, Some(&[-2, 9]));
        assert_eq!(deal.answer().answer, Answer::Unsat);
        assert_eq!(deal.core(), Some(vec![7, 9]));
    }

    #[test]
    fn a_model_ends_all() {
        let (mut deal, budgets) = dealt();
        deal.found(Some(1), vec![false, true, false]);
        assert!(budgets.iter().all(is_ended));
        assert_eq!(deal.answer().answer, Answer::Sat);
        assert_eq!(deal.next(&Budget::unlimited()), None);
        // Those who were ended have no answer.
        deal.stopped(0, StopReason::Interrupted);
        assert_eq!(deal.answer().answer, Answer::Sat);
        assert_eq!(deal.model(), Some(vec![false, true, false]));
    }

    #[test]
    fn guesses_say_nothing_unless_they_come_true() {
        let (mut deal, budgets) = dealt();
        let (one, other) = (Budget::unlimited(), Budget::unlimited());
        assert_eq!(deal.guess(&one), Some(vec![3]));
        let asks = Budget::unlimited();
        assert!(deal.whole(&asks));
        assert_eq!(deal.guess(&other), Some(vec![4, 5]));
        assert!(!is_ended(&asks));
        assert_eq!(deal.guess(&one), None);
        assert!(!is_ended(&asks));
        deal.unguessed(&[3], Some(&[3, 7]));
        deal.unguessed(&[4, 5], None);
        assert_eq!(deal.answer().decided, 0);
        deal.found(None, vec![false]);
        assert!(budgets.iter().chain([&one, &other]).all(is_ended));
        assert_eq!(deal.answer().answer, Answer::Sat);
        let (mut deal, budgets) = dealt();
        assert!(deal.guess(&one).is_some());
        let asks = Budget::unlimited();
        assert!(deal.whole(&asks) && !is_ended(&asks));
        deal.unguessed(&[3], Some(&[7]));
        assert!(is_ended(&asks) && !deal.whole(&asks));
        assert!(budgets.iter().all(is_ended));
        assert_eq!(
            (deal.answer().answer, deal.core()),
            (Answer::Unsat, Some(vec![7]))
        );
        assert_eq!(deal.guess(&one), None);
    }

    #[test]
    fn a_cube_that_is_not_decided_leaves_no_answer() {
        let (mut deal, budgets) = dealt();
        for number in [0, 1, 3] {
            deal.refuted(number, None);
        }
        deal.stopped(2, StopReason::Timeout);
        assert!(budgets.iter().all(is_ended));
        let expected = Divided {
            answer: Answer::Stopped(StopReason::Timeout),
            decided: 3,
        };
        assert_eq!(deal.answer(), expected);
    }

    #[cfg(feature = "faults")]
    #[test]
    fn seeded_faults_are_noticed() {
        use crate::base::faults::record::Campaign;
        let campaign = Campaign {
            name: "cubes-together",
            faults: vec![(Fault::StoppedCounts, ())],
            programs: vec!["stopped".to_string()],
        };
        campaign.run(|_, (), _| {
            let mut deal = Deal::new(&division(&[vec![1], vec![-1]]));
            deal.next(&Budget::unlimited());
            deal.refuted(0, None);
            deal.stopped(1, StopReason::Timeout);
            Some(deal.answer().answer == Answer::Stopped(StopReason::Timeout))
        });
    }
}
