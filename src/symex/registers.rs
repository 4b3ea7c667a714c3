//! Registers of an activation, in parts that paths share: to copy them, and to join two paths, costs what differs between these.

use crate::term::TermId;
use std::ops::Index;
use std::rc::Rc;

/// Registers of a part; the last one may be shorter.
const PART: usize = 256;

/// Values of the registers of an activation; `None` where dead or never set.
#[derive(Clone, Default)]
pub struct Registers {
    parts: Vec<Rc<[Option<TermId>]>>,
}

impl Registers {
    /// So many registers, none of which is set.
    pub fn unset(count: usize) -> Registers {
        let part = |count: usize| -> Rc<[Option<TermId>]> { vec![None; count].into() };
        let mut parts = Vec::with_capacity(count.div_ceil(PART));
        if count >= PART {
            parts.resize(count / PART, part(PART));
        }
        if !count.is_multiple_of(PART) {
            parts.push(part(count % PART));
        }
        Registers { parts }
    }

    /// Sets a register.
    pub fn set(&mut self, index: usize, value: Option<TermId>) {
        let part = &mut self.parts[index / PART];
        if part[index % PART] != value {
            Rc::make_mut(part)[index % PART] = value;
        }
    }

    /// All registers, with their numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Option<TermId>)> {
        let places = self.parts.iter().flat_map(|part| part.iter());
        places.copied().enumerate()
    }

    /// Registers of two paths that differ: their numbers, ascending, and both values.
    pub fn differing(&self, other: &Registers) -> Vec<(usize, Option<TermId>, Option<TermId>)> {
        let mut found = Vec::new();
        for (at, (one, other)) in self.parts.iter().zip(&other.parts).enumerate() {
            if Rc::ptr_eq(one, other) {
                continue;
            }
            let pairs = one.iter().zip(other.iter()).enumerate();
            let differing = pairs.filter(|(_, (one, other))| one != other);
            found.extend(differing.map(|(index, (one, other))| (at * PART + index, *one, *other)));
        }
        found
    }
}

impl Index<usize> for Registers {
    type Output = Option<TermId>;

    fn index(&self, index: usize) -> &Option<TermId> {
        &self.parts[index / PART][index % PART]
    }
}
