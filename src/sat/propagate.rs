//! Unit propagation over clauses: what follows at once from literals that are tried and taken back, for who looks ahead.
//!
//! Two literals of each clause are watched (Moskewicz, Madigan, Zhao, Zhang, Malik 2001), so that taking back costs nothing.

use crate::circuit::Clauses;

/// Clauses with the literals that hold for now.
pub struct Propagation {
    /// Literals of all clauses of two and more, of which the first two are watched.
    lits: Vec<i32>,
    /// Beginning of each clause in `lits`, and the end of the last one.
    starts: Vec<usize>,
    /// By literal, the clauses in which it is watched.
    watches: Vec<Vec<u32>>,
    /// By literal, true if it holds.
    holds: Vec<bool>,
    /// Literals that hold, in the order in which that was found out.
    trail: Vec<i32>,
    /// Literals of the trail whose consequences are known.
    done: usize,
    /// Contradiction: true if the clauses alone have no model.
    is_refuted: bool,
}

/// Index of a literal.
fn index(lit: i32) -> usize {
    2 * lit.unsigned_abs() as usize + usize::from(lit < 0)
}

impl Propagation {
    /// Clauses, with what follows from them alone; linear.
    pub fn of(clauses: &Clauses) -> Propagation {
        let size = 2 * (clauses.variables().unsigned_abs() as usize + 1);
        let mut all = Propagation {
            lits: Vec::new(),
            starts: vec![0],
            watches: vec![Vec::new(); size],
            holds: vec![false; size],
            trail: Vec::new(),
            done: 0,
            is_refuted: false,
        };
        let mut units = Vec::new();
        for clause in clauses.iter() {
            let start = all.lits.len();
            for &lit in clause {
                if !all.lits[start..].contains(&lit) {
                    all.lits.push(lit);
                }
            }
            match all.lits.len() - start {
                0 => all.is_refuted = true,
                1 => units.extend(all.lits.pop()),
                _ => {
                    let number = (all.starts.len() - 1) as u32;
                    for lit in [all.lits[start], all.lits[start + 1]] {
                        all.watches[index(lit)].push(number);
                    }
                    all.starts.push(all.lits.len());
                }
            }
        }
        for unit in units {
            all.is_refuted |= !all.assume(unit);
        }
        all
    }

    /// Contradiction: true if the clauses alone have none but models that propagation excludes.
    pub fn is_refuted(&self) -> bool {
        self.is_refuted
    }

    /// Number of literals that hold.
    pub fn known(&self) -> usize {
        self.trail.len()
    }

    /// True if neither a literal nor its negation holds.
    pub fn is_open(&self, lit: i32) -> bool {
        !self.holds[index(lit)] && !self.holds[index(-lit)]
    }

    /// Takes a literal to hold, with all that follows from it; false if a clause is violated.
    pub fn assume(&mut self, lit: i32) -> bool {
        self.hold(lit) && self.propagate()
    }

    /// Takes back all but the first literals that hold.
    pub fn back(&mut self, known: usize) {
        for lit in self.trail.drain(known..) {
            self.holds[index(lit)] = false;
        }
        self.done = self.done.min(known);
    }

    fn hold(&mut self, lit: i32) -> bool {
        if self.is_open(lit) {
            self.holds[index(lit)] = true;
            self.trail.push(lit);
        }
        self.holds[index(lit)]
    }

    fn propagate(&mut self) -> bool {
        while self.done < self.trail.len() {
            let falsified = -self.trail[self.done];
            self.done += 1;
            let watching = std::mem::take(&mut self.watches[index(falsified)]);
            let mut kept = Vec::with_capacity(watching.len());
            let mut is_violated = false;
            for number in watching {
                if is_violated || !self.moves_on(number, falsified) {
                    kept.push(number);
                    let other = self.lits[self.starts[number as usize]];
                    is_violated = is_violated || !self.hold(other);
                }
            }
            self.watches[index(falsified)] = kept;
            if is_violated {
                return false;
            }
        }
        true
    }

    /// Watches another literal of a clause in place of one that is false now. False if all others are; the one that is left is first
    /// then.
    fn moves_on(&mut self, number: u32, falsified: i32) -> bool {
        let (start, end) = (
            self.starts[number as usize],
            self.starts[number as usize + 1],
        );
        let clause = &mut self.lits[start..end];
        if clause[0] == falsified {
            clause.swap(0, 1);
        }
        let holds = &self.holds;
        if holds[index(clause[0])] {
            return false;
        }
        let free = (2..clause.len()).find(|&at| !holds[index(-clause[at])]);
        let Some(at) = free else { return false };
        clause.swap(1, at);
        self.watches[index(clause[1])].push(number);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::ClauseSink;

    fn clauses(variables: i32, all: &[&[i32]]) -> Clauses {
        let mut clauses = Clauses::default();
        for _ in 0..variables {
            clauses.new_var();
        }
        for clause in all {
            clauses.add_clause(clause);
        }
        clauses
    }

    #[test]
    fn what_follows_is_known_and_taken_back() {
        let all = clauses(5, &[&[1], &[-1, -2, 3], &[-3, 4], &[-2, -4, 5]]);
        let mut look = Propagation::of(&all);
        assert!(!look.is_refuted());
        let before = look.known();
        assert_eq!(before, 1);
        for _ in 0..3 {
            assert!(look.assume(2));
            assert_eq!(look.known(), 5);
            look.back(before);
            assert!(look.is_open(2) && look.is_open(5));
            assert!(look.assume(-5) && look.assume(4));
            assert!(!look.is_open(2));
            look.back(before);
        }
    }

    #[test]
    fn a_violated_clause_is_noticed() {
        let all = clauses(3, &[&[-1, 2], &[-1, 3], &[-2, -3]]);
        let mut look = Propagation::of(&all);
        assert!(!look.assume(1));
        look.back(0);
        assert!(look.assume(2));
        assert!(!look.is_open(1));
        assert!(Propagation::of(&clauses(1, &[&[1], &[-1]])).is_refuted());
        assert!(Propagation::of(&clauses(1, &[&[]])).is_refuted());
        assert!(!Propagation::of(&clauses(1, &[&[1, 1]])).is_refuted());
    }
}
