//! Cubes: the executions of an encoded program, split into parts that are decided by themselves, as in Heule, Kullmann, Wieringa and
//! Biere, "Cube and conquer: guiding CDCL SAT solvers by lookaheads" (HVC 2011).
//!
//! Cubes are the leaves of a tree. Each inner node is a literal of the scheme ([`Encoded::splits`](crate::scheme::Encoded::splits)):
//! how far a turn of `lazy` goes, which of two steps comes first in `order`. So together they have every execution, and no two share one;
//! that they cover everything is also checked once they are made ([`Cubes::cover_everything`]). The next leaf to be split is
//! the one of which least is known at once, by unit propagation; its literal the one that tells most on *both* sides. Of each chain of
//! literals, that in the middle of those that are open is tried, and those at its quarters, so that chains become windows.
//!
//! Decisions of a cube are clauses, not assumptions: solvers simplify with them. Each has an encoding and a solver of its own, so
//! that its answer is the same wherever it is decided, with others or alone on another machine. Encodings of one program
//! are equal; that this is so is checked ([`Encoding::confine`]).

use super::encoding::Encoding;
use crate::base::fnv::fnv;
use crate::base::{Budget, StopReason};
use crate::circuit::Lit;
use crate::event::EventProgram;
use crate::question::faults;
use crate::sat::Propagation;
use std::fmt;

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
    /// Name of the formula that they are cubes of.
    of: u128,
}

/// Error of Selvedge: cubes that leave executions out, or that are of another formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// Some executions are in no cube.
    Uncovered,
    /// Two encodings of one program differ.
    Foreign,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unfit::Uncovered => "cubes leave executions out",
            Unfit::Foreign => "cubes are of another formula",
        })
    }
}

impl std::error::Error for Unfit {}

impl Cubes {
    /// Number of cubes; at least 1.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// True if whatever values literals have, they are those of some cube.
    pub fn cover_everything(&self) -> bool {
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
    /// Literals of splits by their number, and chains of these numbers.
    fn splits(&mut self, program: &EventProgram) -> (Vec<Lit>, Vec<Vec<usize>>) {
        let mut lits = Vec::new();
        let mut chains = Vec::new();
        for chain in self.scheme.splits(program, &mut self.formula) {
            let first = lits.len();
            lits.extend(chain.into_iter().filter(|lit| !lit.is_constant()));
            chains.push((first..lits.len()).collect());
        }
        (lits, chains)
    }

    /// Name of the formula as it is.
    fn name(&self) -> u128 {
        let clauses = self.formula.clauses();
        let lits = clauses.iter().flat_map(|clause| clause.iter().chain(&[0]));
        fnv(lits.flat_map(|lit| lit.to_le_bytes()))
    }

    /// Splits the executions into cubes, at most so many; fewer if the scheme's literals split them no further. The formula is to be
    /// as it was encoded.
    ///
    /// # Errors
    /// The budget ended it.
    pub fn cubes(
        &mut self,
        program: &EventProgram,
        most: usize,
        budget: &Budget,
    ) -> Result<Cubes, StopReason> {
        let (lits, chains) = self.splits(program);
        let lits: Vec<i32> = lits.iter().map(|&lit| self.formula.define(lit)).collect();
        let mut look = Propagation::of(self.formula.clauses());
        let root = look.known();
        let mut leaves = vec![Leaf {
            cube: Cube::default(),
            known: root,
            is_final: look.is_refuted(),
        }];
        while leaves.len() < most {
            if let Some(reason) = budget.check() {
                return Err(reason);
            }
            let open = leaves.iter().enumerate().filter(|(_, leaf)| !leaf.is_final);
            let Some((place, leaf)) = open.min_by_key(|(place, leaf)| (leaf.known, *place)) else {
                break;
            };
            look.back(root);
            for &(split, value) in &leaf.cube.decisions {
                look.assume(if value { lits[split] } else { -lits[split] });
            }
            let Some((split, known)) = best(&mut look, &lits, &chains) else {
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
        Ok(Cubes {
            all: leaves.into_iter().map(|leaf| leaf.cube).collect(),
            of: self.name(),
        })
    }

    /// Leaves out all executions but those of a cube, of an encoding that is as it was made.
    ///
    /// # Errors
    /// They are not cubes of this formula.
    pub fn confine(
        &mut self,
        program: &EventProgram,
        cubes: &Cubes,
        number: usize,
    ) -> Result<(), Unfit> {
        let (lits, _) = self.splits(program);
        for &lit in &lits {
            self.formula.define(lit);
        }
        let cube = cubes.all.get(number).filter(|_| cubes.of == self.name());
        for &(split, value) in &cube.ok_or(Unfit::Foreign)?.decisions {
            let lit = *lits.get(split).ok_or(Unfit::Foreign)?;
            self.formula.add_clause(&[if value { lit } else { !lit }]);
        }
        Ok(())
    }
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
            of: 0,
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
