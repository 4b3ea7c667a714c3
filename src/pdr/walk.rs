//! Random walks through a system, 64 at once, each a bit of every value. Deterministic.

use super::system::{Cube, Literal, System};
use crate::base::mix::Random;

/// The states of 64 walks.
pub(super) struct Walks<'a> {
    system: &'a System,
    /// By latch: its value in each walk.
    state: Vec<u64>,
    random: Random,
}

impl<'a> Walks<'a> {
    /// Walks that stand in initial states.
    pub fn from_start(system: &'a System) -> Walks<'a> {
        let mut random = Random::new(SEED);
        let mut initial = |initial: Option<bool>| initial.map_or_else(|| random.number(), of_all);
        let latches = system.latches.iter();
        Walks {
            system,
            state: latches.map(|latch| initial(latch.initial)).collect(),
            random,
        }
    }

    /// Moves all of them to a state.
    pub fn go_to(&mut self, state: impl Iterator<Item = bool>) {
        self.state.clear();
        self.state.extend(state.map(of_all));
    }

    /// One step of each under inputs that are chosen at random; in every other one few of them are true. Some walks have the
    /// inputs that are given instead.
    pub fn step(&mut self, given: &[bool]) {
        let mut input = |number: usize| {
            let any = self.random.number();
            let few = any & self.random.number() & self.random.number();
            let mixed = any & EVEN | few & !EVEN;
            match given.get(number) {
                Some(value) => of_all(*value) & GIVEN | mixed & !GIVEN,
                None => mixed,
            }
        };
        let inputs: Vec<u64> = (0..self.system.inputs.len()).map(&mut input).collect();
        self.state = self.system.step_all(&self.state, &inputs).0;
    }

    /// True if the clause holds in the states of all walks.
    pub fn satisfy(&self, clause: &Cube) -> bool {
        let holds = |literal: &Literal| {
            let value = self.state[literal.unsigned_abs() as usize - 1];
            if *literal > 0 { value } else { !value }
        };
        clause.iter().map(holds).fold(0, |any, holds| any | holds) == u64::MAX
    }
}

/// Every other walk.
const EVEN: u64 = 0x5555_5555_5555_5555;
/// Walks that have inputs that are given.
const GIVEN: u64 = 0x1111_1111_1111_1111;
/// Seed of all walks.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// The value in all walks.
fn of_all(value: bool) -> u64 {
    u64::from(value).wrapping_neg()
}
