//! Cubes: the executions of an encoded program, split into parts, as in Heule, Kullmann, Wieringa and
//! Biere, "Cube and conquer: guiding CDCL SAT solvers by lookaheads" (HVC 2011).
//!
//! Cubes are the leaves of a tree. Each inner node is a literal that is true in one half and false in the other. So together they have every
//! execution, and no two share one; that they cover everything is also checked once they are made ([`Cubes::cover_everything`]). The next leaf to
//! be split is the one of which least is known at once, by unit propagation.
//!
//! Literals come from a search for a moment: those on which most of what it learns hangs, positive as well as negated ([`Solver::weights`]). Where it
//! learns nothing, they are those of the scheme ([`Encoded::splits`](crate::scheme::Encoded::splits)): how far a turn of `lazy` goes, which of two steps
//! comes first in `order`; of these the one that tells most on *both* sides. Of each chain of literals, that in the middle of those
//! that are open is tried, and those at its quarters, so that chains become windows. (Of a hard question, windows halve nothing: safestack without a
//! violation took as long on each side of most of them as whole.)
//!
//! Before they follow cubes, several solvers look for a violation in *windows*, as those of Nguyen, Schrammel, Fischer, La Torre and Parlato,
//! "Parallel bug-finding in concurrent programs via reduced interleaving instances" (ASE 2017): of each turn of a thread, its end is among three quarters
//! of the places at which it may be. Many are refuted in a tenth of the time that the question takes, and a violation is found in some. They cover
//! nothing, and are given up at last. There, instances are chosen by windows of statements; here, each turn has one. Schedules are not pruned in windows: of
//! those that are equal, any may be the one that is in there. (Safestack with four rounds took two solvers that only followed windows 12.2 s with five sixths, 9.9 s with
//! three quarters and 13.1 s with two thirds, and 17.5 s with five sixths of pruned schedules; whole, it took 18.7 s: means of 8 or 16 seeds. One window of three quarters
//! in 16 had a violation, and a window took 0.9 s.)
//!
//! In one run, a question is cut into cubes if it is the one for violations, or if it is hard, and solvers that have one formula divide them
//! among them ([`crate::sat::crew`]). Otherwise, on another machine, a cube is a part of the executions whose decisions are clauses
//! ([`check_cube`](super::check_cube)): all questions are about this part. Encodings of one program are equal, and so are searches that are ended by
//! counting; the name of the formula and its cubes tells whether parts are of one whole.

use super::encoding::{Encoding, Sink};
use super::options::Cutting;
use super::parts::{Parts, Uncovered};
use crate::base::fnv::fnv;
use crate::base::mix::Random;
use crate::base::{Budget, StopReason};
use crate::circuit::Lit;
use crate::event::EventProgram;
use crate::question::faults;
use crate::sat::{self, Divided, Division, Propagation, Solver, Weights};
use std::cmp::Reverse;

/// A split by its number, and the value of its literal.
type Decision = (usize, bool);

/// Part of the executions: those in which literals of splits have these values.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Cube {
    decisions: Vec<Decision>,
}

/// Cubes of a program encoded by a scheme: every execution is in one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cubes {
    all: Vec<Cube>,
}

/// Question to be cut into cubes.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// Literals that are assumed.
    pub assumptions: &'a [i32],
    /// Literals that hold in every model that is asked for.
    pub holds: &'a [i32],
    /// One of the assumptions without which windows are looked at: it leaves out executions that are equal to others.
    pub optional: Option<i32>,
    /// It is cut before it is asked, however hard it is.
    pub at_once: bool,
}

/// Reason why there are no cubes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unsplit {
    Stopped(StopReason),
    Uncovered(Uncovered),
}

/// Patience with a question that is not the one for violations, in looks at the budget: one that takes longer is hard.
const HARD: u64 = 1000;
/// A solver asks once for so many clauses before a question is cut, but is not asked for a moment where that is less often than the second.
const CLAUSES_OF_ASK: usize = 100;
const LEAST: u64 = 80;
/// The same for a guess before it is given up.
const CLAUSES_OF_GUESS: usize = 4;
/// Windows that are guessed.
const GUESSES: usize = 64;
/// Share of a chain's open literals that is within a window.
const WINDOW: (usize, usize) = (3, 4);
/// Literals of the shortest chain that has windows.
const SHORTEST_CHAIN: usize = 4;
/// Variables that cubes are made of at most.
const CANDIDATES: usize = 64;

impl Cubes {
    /// Each as literals.
    fn of(&self, splits: &[i32]) -> Vec<Vec<i32>> {
        let of_cube = |cube: &Cube| {
            let decisions = cube.decisions.iter();
            decisions.map(|&decision| lit(splits, decision)).collect()
        };
        self.all.iter().map(of_cube).collect()
    }

    /// True if whatever values literals have, they are those of some cube.
    fn cover_everything(&self) -> bool {
        let all: Vec<&[Decision]> = self.all.iter().map(|cube| &cube.decisions[..]).collect();
        cover(&all, &mut Vec::new())
    }
}

/// True if each assignment that agrees with `known` agrees with one of the cubes.
fn cover(cubes: &[&[Decision]], known: &mut Vec<Decision>) -> bool {
    let is_open = |decision: &&Decision| !known.iter().any(|one| one.0 == decision.0);
    let mut open = cubes.iter().map(|cube| cube.iter().find(is_open));
    let Some(first) = cubes.first() else {
        return false;
    };
    if open.any(|open| open.is_none()) {
        // It is in the list because nothing contradicts it.
        return true;
    }
    let next = first.iter().find(is_open).map_or(0, |decision| decision.0);
    [false, true].into_iter().all(|value| {
        let fits = |cube: &&&[Decision]| !cube.contains(&(next, !value));
        let rest: Vec<&[Decision]> = cubes.iter().filter(fits).copied().collect();
        known.push((next, value));
        let is_covered = cover(&rest, known);
        known.pop();
        is_covered
    })
}

/// A leaf of the tree.
struct Leaf {
    cube: Cube,
    /// Literals that hold in it at once.
    known: usize,
    /// True if no literal splits it any more.
    is_final: bool,
}

impl Encoding {
    /// Literals of splits by their number, as the solver has them, and chains of these numbers.
    fn splits(&mut self, program: &EventProgram) -> (Vec<i32>, Vec<Vec<usize>>) {
        let mut lits: Vec<Lit> = Vec::new();
        let mut chains = Vec::new();
        for chain in self.scheme.splits(program, &mut self.formula) {
            let first = lits.len();
            lits.extend(chain.into_iter().filter(|lit| !lit.is_constant()));
            chains.push((first..lits.len()).collect());
        }
        let lits = lits.iter().map(|&lit| self.formula.define(lit)).collect();
        (lits, chains)
    }

    /// Propagation where literals hold, and whether it refutes them.
    fn look(&self, holds: &[i32]) -> (Propagation, bool) {
        let mut look = Propagation::of(self.formula.clauses());
        let is_refuted = look.is_refuted() || !holds.iter().all(|&lit| look.assume(lit));
        (look, is_refuted)
    }

    /// Name of the formula as it is, and of its cubes.
    fn name(&self, cubes: &[Vec<i32>]) -> u128 {
        let clauses = self.formula.clauses();
        let lits = clauses.iter().flat_map(|clause| clause.iter().chain(&[0]));
        let of_cubes = cubes.iter().flat_map(|cube| cube.iter().chain(&[0]));
        fnv(lits.chain(of_cubes).flat_map(|lit| lit.to_le_bytes()))
    }

    /// Asks a question for a moment, so that the solver weighs literals; some may have an answer already.
    fn attempt(
        &mut self,
        assumptions: &[i32],
        at_once: bool,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> (sat::Answer, Weights) {
        let asks = (self.formula.clauses().len() / CLAUSES_OF_ASK) as u64;
        if at_once && asks < LEAST {
            let none = sat::Answer::Stopped(StopReason::Interrupted);
            return (none, Weights::new());
        }
        let asks = if at_once { asks } else { asks.max(HARD) };
        let moment = budget.part().with_patience(asks);
        solver.weigh();
        let answer = solver.solve(assumptions, &moment);
        (answer, solver.weights())
    }

    /// Windows of executions in which literals hold: of each chain of the scheme's literals, a share of those that are open, anywhere.
    fn windows(&mut self, program: &EventProgram, holds: &[i32], seed: u32) -> Vec<Vec<i32>> {
        let (lits, chains) = self.splits(program);
        let (mut look, is_refuted) = self.look(holds);
        if is_refuted {
            return Vec::new();
        }
        let root = look.known();
        let mut random = Random::new(u64::from(seed) + 1);
        let window = |_| {
            look.back(root);
            let mut window = Vec::new();
            for chain in &chains {
                let open = chain.iter().map(|&split| lits[split]);
                let open: Vec<i32> = open.filter(|&lit| look.is_open(lit)).collect();
                if open.len() < SHORTEST_CHAIN {
                    continue;
                }
                let width = open.len() * WINDOW.0 / WINDOW.1;
                let first = random.below(open.len() - width + 1);
                let begin = first.checked_sub(1).map(|before| open[before]);
                let ends = [begin, open.get(first + width).map(|end| -end)];
                let ends = ends.into_iter().flatten();
                let before = look.known();
                if ends.clone().all(|lit| look.assume(lit)) {
                    window.extend(ends);
                } else {
                    look.back(before);
                }
            }
            window
        };
        let mut all: Vec<Vec<i32>> = (0..GUESSES).map(window).collect();
        all.retain(|window| !window.is_empty());
        all
    }

    /// Splits executions in which literals hold into cubes, at most so many, each a list of literals of the solver.
    fn cut(
        &mut self,
        program: &EventProgram,
        weights: &Weights,
        (holds, most): (&[i32], usize),
        budget: &Budget,
    ) -> Result<Vec<Vec<i32>>, Unsplit> {
        let heavy = heavy(weights);
        let cubes = if heavy.is_empty() {
            let (lits, chains) = self.splits(program);
            let choose = |look: &mut Propagation| best(look, &lits, &chains);
            self.cubes(&lits, choose, (holds, most), budget)?.of(&lits)
        } else {
            let choose = |look: &mut Propagation| heaviest(look, &heavy);
            self.cubes(&heavy, choose, (holds, most), budget)?
                .of(&heavy)
        };
        Ok(cubes)
    }

    /// The same by the splits that are chosen among some; fewer if there are none.
    fn cubes(
        &mut self,
        splits: &[i32],
        choose: impl Fn(&mut Propagation) -> Option<(usize, [usize; 2])>,
        (holds, most): (&[i32], usize),
        budget: &Budget,
    ) -> Result<Cubes, Unsplit> {
        let (mut look, is_refuted) = self.look(holds);
        let root = look.known();
        let mut leaves = vec![Leaf {
            cube: Cube::default(),
            known: root,
            is_final: is_refuted,
        }];
        while leaves.len() < most {
            if let Some(reason) = budget.check() {
                return Err(Unsplit::Stopped(reason));
            }
            let open = leaves.iter().enumerate().filter(|(_, leaf)| !leaf.is_final);
            let Some((place, leaf)) = open.min_by_key(|(place, leaf)| (leaf.known, *place)) else {
                break;
            };
            look.back(root);
            for &decision in &leaf.cube.decisions {
                look.assume(lit(splits, decision));
            }
            let Some((split, known)) = choose(&mut look) else {
                leaves[place].is_final = true;
                continue;
            };
            let half = |value: bool| {
                let mut decisions = leaves[place].cube.decisions.clone();
                decisions.push((split, value));
                Leaf {
                    cube: Cube { decisions },
                    known: known[usize::from(value)],
                    is_final: false,
                }
            };
            let mut halves = [half(true), half(false)];
            if faults::on(faults::Fault::CubesUncovered) {
                // The first half of what is left.
                halves[1]
                    .cube
                    .decisions
                    .push((split.wrapping_sub(1), false));
            }
            leaves.splice(place..=place, halves);
        }
        let cubes = Cubes {
            all: leaves.into_iter().map(|leaf| leaf.cube).collect(),
        };
        match cubes.cover_everything() {
            true => Ok(cubes),
            false => Err(Unsplit::Uncovered(Uncovered)),
        }
    }

    /// Cuts a question into at most so many cubes, and asks it.
    pub(super) fn divide(
        &mut self,
        program: &EventProgram,
        (asked, cutting): (Asked, Cutting),
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> sat::Answer {
        let (assumptions, at_once) = (asked.assumptions, asked.at_once);
        let (answer, weights) = self.attempt(assumptions, at_once, solver, budget);
        let sat::Answer::Stopped(reason) = answer else {
            return answer;
        };
        if let Some(reason) = budget.reason() {
            return sat::Answer::Stopped(reason);
        }
        if reason != StopReason::Interrupted {
            return answer;
        }
        let cubes = match self.cut(program, &weights, (asked.holds, cutting.most), budget) {
            Ok(cubes) => cubes,
            Err(Unsplit::Stopped(reason)) => return sat::Answer::Stopped(reason),
            Err(Unsplit::Uncovered(why)) => {
                self.uncovered = Some(why);
                return sat::Answer::Stopped(StopReason::Interrupted);
            }
        };
        let needed = asked.holds.iter().copied();
        let needed: Vec<i32> = needed.filter(|&lit| Some(lit) != asked.optional).collect();
        let division = Division {
            guesses: self.windows(program, &needed, cutting.seed),
            cubes,
            optional: asked.optional,
            patience: (self.formula.clauses().len() / CLAUSES_OF_GUESS) as u64,
        };
        self.formula.flush(&mut Sink(solver));
        let Divided { answer, decided } = solver.solve_divided(assumptions, &division, budget);
        if at_once || matches!(answer, sat::Answer::Stopped(_)) {
            self.parts = Some(Parts {
                count: division.cubes.len(),
                decided,
                formula: None,
            });
        }
        answer
    }

    /// Leaves out all executions but those of a cube, of an encoding that is as it was made. False if there are not so many cubes:
    /// then there are no executions.
    pub(super) fn confine(
        &mut self,
        program: &EventProgram,
        (number, most): (usize, usize),
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<bool, Unsplit> {
        let units = self.question(program).units;
        self.formula.flush(&mut Sink(solver));
        let (_, weights) = self.attempt(&units, true, solver, budget);
        if let Some(reason) = budget.reason() {
            return Err(Unsplit::Stopped(reason));
        }
        let cubes = self.cut(program, &weights, (&[], most), budget)?;
        self.parts = Some(Parts {
            count: most,
            decided: 0,
            formula: Some(self.name(&cubes)),
        });
        let Some(cube) = cubes.get(number) else {
            return Ok(false);
        };
        for &lit in cube {
            self.formula.add_defined(&[lit]);
        }
        Ok(true)
    }
}

/// Numbers of variables on which most of what was learnt hangs, the heaviest first: weights of both sides count.
fn heavy(weights: &Weights) -> Vec<i32> {
    let weight = |&[positive, negated]: &[u64; 2]| positive.min(negated);
    let mut all: Vec<(u64, usize)> = weights
        .iter()
        .map(weight)
        .enumerate()
        .map(|(var, weight)| (weight, var))
        .filter(|one| one.0 > 0)
        .collect();
    all.sort_unstable_by_key(|&(weight, var)| (Reverse(weight), var));
    all.truncate(CANDIDATES);
    let vars = all
        .into_iter()
        .filter_map(|(_, var)| i32::try_from(var).ok());
    vars.collect()
}

/// The first split that is open on both sides, with the numbers of literals that hold where it is false and true.
fn heaviest(look: &mut Propagation, lits: &[i32]) -> Option<(usize, [usize; 2])> {
    let before = look.known();
    (0..lits.len()).find_map(|split| {
        let mut side = |lit: i32| {
            let known = look.assume(lit).then(|| look.known());
            look.back(before);
            known
        };
        let is_open = |known: usize| known > before;
        let without = side(-lits[split]).filter(|&known| is_open(known))?;
        let with = side(lits[split]).filter(|&known| is_open(known))?;
        Some((split, [without, with]))
    })
}

/// The literal of a decision; decisions are about splits.
fn lit(splits: &[i32], (split, value): Decision) -> i32 {
    if value { splits[split] } else { -splits[split] }
}

/// The split of which most is known at once on both sides, with the numbers of literals that hold where it is false and true. None
/// if each has a side that propagation excludes.
fn best(
    look: &mut Propagation,
    lits: &[i32],
    chains: &[Vec<usize>],
) -> Option<(usize, [usize; 2])> {
    let before = look.known();
    let mut best: Option<(usize, usize, [usize; 2])> = None;
    for chain in chains {
        let open = chain
            .iter()
            .copied()
            .filter(|&split| look.is_open(lits[split]));
        let open: Vec<usize> = open.collect();
        let mut tried: Vec<usize> = [2, 1, 3].map(|quarters| open.len() * quarters / 4).to_vec();
        tried.dedup();
        for &split in tried.iter().filter_map(|&at| open.get(at)) {
            let mut side = |lit: i32| {
                let known = look.assume(lit).then(|| look.known());
                look.back(before);
                known
            };
            let (Some(without), Some(with)) = (side(-lits[split]), side(lits[split])) else {
                continue;
            };
            // As in the solver march: what both sides tell, then their sum.
            let (less, more) = (without - before, with - before);
            let score = less * more * 1024 + less + more;
            if best.is_none_or(|(_, most, _)| score > most) {
                best = Some((split, score, [without, with]));
            }
        }
    }
    best.map(|(split, _, known)| (split, known))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cubes(all: &[&[Decision]]) -> Cubes {
        let of = |decisions: &&[Decision]| Cube {
            decisions: decisions.to_vec(),
        };
        Cubes {
            all: all.iter().map(of).collect(),
        }
    }

    #[test]
    fn a_cube_that_is_missing_is_missed() {
        let all: [&[Decision]; 4] = [
            &[(3, true), (1, true)],
            &[(3, true), (1, false), (0, true)],
            &[(3, true), (1, false), (0, false)],
            &[(3, false)],
        ];
        assert!(cubes(&all).cover_everything());
        for missing in 0..all.len() {
            let mut rest = all.to_vec();
            rest.remove(missing);
            assert!(!cubes(&rest).cover_everything(), "without {missing}");
        }
        assert!(cubes(&[&[]]).cover_everything());
        assert!(!cubes(&[]).cover_everything());
    }

    #[test]
    fn cubes_of_different_splits_may_cover_everything_together() {
        // They overlap, and are no tree.
        let all: [&[Decision]; 3] = [&[(0, true)], &[(1, true)], &[(0, false), (1, false)]];
        assert!(cubes(&all).cover_everything());
        assert!(!cubes(&all[..2]).cover_everything());
    }
}
