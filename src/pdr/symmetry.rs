//! Symmetries: members of a system that are equal, so that what is shown of some of them holds for any others.
//!
//! With so many members in the system, clauses of an invariant speak of fewer, and are said of all choices of members: then
//! they hold for any number of members, because a step of one more member leaves them true (Hoenicke, Majumdar and Podelski,
//! "Thread modularity at many levels", POPL 2017).

use super::system::{Cube, Literal, Symmetry, System, sorted};
use crate::base::sorted::SortedSet;
use crate::pdr::faults::{self, Fault};
use std::borrow::Cow;

impl Symmetry {
    /// Members that a literal speaks of.
    fn members(&self, literal: Literal) -> &SortedSet<usize> {
        &self.members[literal.unsigned_abs() as usize - 1]
    }

    /// Members that a cube speaks of.
    pub fn mentioned(&self, cube: &[Literal]) -> SortedSet<usize> {
        let members = cube.iter().flat_map(|literal| self.members(*literal));
        members.copied().collect()
    }

    /// General cube: true if it speaks of fewer members than there are.
    pub fn is_general(&self, cube: &[Literal]) -> bool {
        self.mentioned(cube).len() < self.count || faults::on(Fault::SymmetryAll)
    }

    /// The cube without what it says of a member.
    pub fn without(&self, cube: &[Literal], member: usize) -> Cube {
        let rest = cube.iter().copied();
        rest.filter(|literal| !self.members(*literal).contains(&member))
            .collect()
    }
}

/// The cube with other latches, sorted.
fn exchanged(cube: &[Literal], exchange: &[usize]) -> Cube {
    let image = |literal: &Literal| {
        let latch = literal.unsigned_abs() as usize - 1;
        (exchange[latch] as Literal + 1) * literal.signum()
    };
    let cube: Cube = cube.iter().map(image).collect();
    sorted(&cube)
}

impl System {
    /// The cube, sorted, and what it says of other members.
    pub fn images(&self, cube: &[Literal]) -> Vec<Cube> {
        let mut images = vec![sorted(cube)];
        if self.symmetries.is_empty() {
            return images;
        }
        let mut known: SortedSet<Cube> = images.iter().cloned().collect();
        let mut next = 0;
        while next < images.len() {
            let cube = images[next].clone();
            next += 1;
            for symmetry in &self.symmetries {
                for exchange in &symmetry.exchanges {
                    let image = exchanged(&cube, exchange);
                    if known.insert(image.clone()) {
                        images.push(image);
                    }
                }
            }
        }
        images
    }

    /// Clauses that are general and are, among these, said of all members.
    pub fn whole<'c>(&self, clauses: &'c [Cube]) -> Cow<'c, [Cube]> {
        if self.symmetries.is_empty() {
            return Cow::Borrowed(clauses);
        }
        let known = clauses.iter().map(|clause| sorted(clause)).collect();
        let mut whole = clauses.to_vec();
        whole.retain(|clause| self.is_general(clause) && self.is_of_all(clause, &known));
        Cow::Owned(whole)
    }

    /// Clause of all members: true if what it says of some of them is said of any others by clauses that are known, each
    /// of them sorted.
    pub fn is_of_all(&self, clause: &[Literal], known: &SortedSet<Cube>) -> bool {
        self.images(clause)
            .iter()
            .all(|image| known.contains(image))
    }

    /// Parts of a cube that speak of fewer members than there are: without one of them each, of every kind.
    pub fn general_parts(&self, cube: &[Literal]) -> Vec<Cube> {
        let mut parts = vec![cube.to_vec()];
        for symmetry in &self.symmetries {
            let smaller = parts.iter().flat_map(|part| {
                let mentioned = symmetry.mentioned(part);
                if symmetry.is_general(part) {
                    return vec![part.clone()];
                }
                let members = mentioned.into_iter();
                members
                    .map(|member| symmetry.without(part, member))
                    .collect()
            });
            parts = smaller.collect();
        }
        parts
    }

    /// General cube: true if it speaks of fewer members than there are, whatever they are members of.
    pub fn is_general(&self, cube: &[Literal]) -> bool {
        let mut symmetries = self.symmetries.iter();
        symmetries.all(|symmetry| symmetry.is_general(cube))
    }
}
