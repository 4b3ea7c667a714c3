//! Numbers that threads count up in shared memory: the sizes of arrays that grow, and where their elements are.
//!
//! An object whose size is not constant has no end that would bound its elements, but often the index does: it was
//! read from a place where some number was written, and then one more. As for addresses (`value.rs`), what is stored
//! at such places is followed from pass to pass. Here values may depend on themselves, `n = n + 1`, so that there is
//! no end to them; but no execution does more writes than there are. Of places that depend on each other, as many
//! rounds as they have writes give all values (`reduce/value_range.rs` bounds ranges alike).

use super::list::{Values, cut, one, pairs};
use super::pass::Pass;
use super::touch::{COUNTED, CellStart, Counts};
use crate::ir::address::Slot;
use crate::term::node::{Node, Op};
use crate::term::{TermId, Terms};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Memo of an evaluation: by term and how many of its low bits are wanted.
type Memo = HashMap<(TermId, u16), Values, FxBuildHasher>;

/// Values of places, as far as known; those that are not known yet have none.
struct Evaluation<'a> {
    counts: &'a Counts,
    missing: BTreeSet<CellStart>,
    memo: Memo,
}

impl Pass<'_> {
    /// The values of a number, if it depends on constants and on what is counted in shared memory, and they are few.
    pub(super) fn counted(&mut self, term: TermId) -> Values {
        let counts = std::mem::take(&mut self.knowledge.counts);
        let mut evaluation = Evaluation {
            counts: &counts,
            missing: BTreeSet::new(),
            memo: Memo::default(),
        };
        let bits = self.terms.bits(term);
        let values = self.count(term, bits, &mut evaluation);
        if values.is_some() {
            self.seen.counted.extend(evaluation.missing);
        }
        self.knowledge.counts = counts;
        values
    }

    /// Offsets at which an access of `bytes` bytes fits an object of unknown size, if few come into question.
    pub(super) fn grown_offsets(
        &mut self,
        slot: Slot,
        offset: TermId,
        bytes: u32,
        size_bytes: u64,
    ) -> Option<Vec<u64>> {
        if !self.knowledge.symbolic.contains(&slot) {
            return None;
        }
        let last = u128::from(size_bytes.checked_sub(u64::from(bytes))?);
        let values = self.counted(offset)?;
        let fit = values.iter().filter(|value| **value <= last);
        Some(fit.map(|value| *value as u64).collect())
    }

    /// Takes note of a value that is stored at a place.
    pub(super) fn note_counted(&mut self, place: CellStart, value: TermId) {
        if self.knowledge.counts.contains_key(&place) {
            self.count_writes.push((place, value));
        }
    }

    /// Values that can be stored at the places that are counted, as this pass has seen them.
    pub(super) fn learn_counts(&mut self) {
        let mut writes: BTreeMap<CellStart, Vec<TermId>> = BTreeMap::new();
        for (place, value) in std::mem::take(&mut self.count_writes) {
            writes.entry(place).or_default().push(value);
        }
        let reached = self.reached(&writes);
        let mut order: Vec<CellStart> = writes.keys().copied().collect();
        order.sort_by_key(|place| (reached[place].len(), *place));
        let mut counts = Counts::new();
        let mut done = BTreeSet::new();
        for place in order {
            if done.contains(&place) {
                continue;
            }
            let mutual = |other: &&CellStart| {
                reached[&place].contains(*other) && reached[*other].contains(&place)
            };
            let mut together: Vec<CellStart> = writes.keys().filter(mutual).copied().collect();
            if together.is_empty() {
                together.push(place);
            }
            let rounds: usize = together.iter().map(|place| writes[place].len()).sum();
            for place in &together {
                counts.insert(*place, Some(Rc::default()));
            }
            for _ in 0..rounds {
                let mut next = Counts::new();
                for place in &together {
                    let values = self.stored_counts(&writes[place], &counts);
                    next.insert(*place, values);
                }
                if together.iter().all(|place| counts[place] == next[place]) {
                    break;
                }
                counts.extend(next);
            }
            done.extend(together);
        }
        self.seen.counts = counts;
    }

    /// Dependences of places: for each those that its values depend on, also over others.
    fn reached(
        &self,
        writes: &BTreeMap<CellStart, Vec<TermId>>,
    ) -> BTreeMap<CellStart, BTreeSet<CellStart>> {
        let mut reached: BTreeMap<CellStart, BTreeSet<CellStart>> = BTreeMap::new();
        for (place, values) in writes {
            let own = reached.entry(*place).or_default();
            for var in values.iter().flat_map(|value| self.terms.support(*value)) {
                if let Some(Some(places)) = self.read_places.get(&var) {
                    own.extend(places.iter().filter(|place| writes.contains_key(place)));
                }
            }
        }
        loop {
            let before: usize = reached.values().map(BTreeSet::len).sum();
            for place in writes.keys() {
                let further: BTreeSet<CellStart> = reached[place]
                    .iter()
                    .flat_map(|next| reached[next].iter().copied())
                    .collect();
                reached.entry(*place).or_default().extend(further);
            }
            if before == reached.values().map(BTreeSet::len).sum::<usize>() {
                return reached;
            }
        }
    }

    fn stored_counts(&mut self, values: &[TermId], counts: &Counts) -> Values {
        let mut evaluation = Evaluation {
            counts,
            missing: BTreeSet::new(),
            memo: Memo::default(),
        };
        let mut all = BTreeSet::new();
        for &value in values {
            let bits = self.terms.bits(value);
            all.extend(self.count(value, bits, &mut evaluation)?.iter().copied());
        }
        self.seen.counted.extend(evaluation.missing);
        (all.len() <= COUNTED).then(|| Rc::new(all))
    }

    /// The values of the low `bits` bits of a term.
    fn count(&self, term: TermId, bits: u16, known: &mut Evaluation) -> Values {
        if let Some(values) = known.memo.get(&(term, bits)) {
            return values.clone();
        }
        let values = self.count_anew(term, bits, known);
        let values = values.and_then(|values| {
            let low: BTreeSet<u128> = values.iter().map(|value| cut(*value, bits)).collect();
            (low.len() <= COUNTED).then(|| Rc::new(low))
        });
        known.memo.insert((term, bits), values.clone());
        values
    }

    fn count_anew(&self, term: TermId, bits: u16, known: &mut Evaluation) -> Values {
        let terms: &Terms = &self.terms;
        let width = terms.bits(term);
        let bits = bits.min(width);
        let both = |a: Values, b: Values| -> Values {
            let all: BTreeSet<u128> = a?.union(&*b?).copied().collect();
            Some(Rc::new(all))
        };
        match terms.node(term) {
            Node::Constant(value) => one(value),
            Node::Variable(var) => {
                let places = self.read_places.get(&var)?.clone()?;
                let mut all = one(0).map(|_| Rc::new(BTreeSet::new()));
                for place in places.iter() {
                    match known.counts.get(place) {
                        Some(values) => all = both(all, values.clone()),
                        None => {
                            known.missing.insert(*place);
                        }
                    }
                }
                all
            }
            _ if width == 1 => Some(Rc::new(BTreeSet::from([0, 1]))),
            Node::Ite(_, a, b) => {
                let a = self.count(a, bits, known);
                a.as_ref()?;
                both(a, self.count(b, bits, known))
            }
            Node::Concat(high, low) => {
                let own = terms.bits(low);
                let low = self.count(low, bits.min(own), known);
                if bits <= own {
                    return low;
                }
                low.as_ref()?;
                let high = self.count(high, bits - own, known);
                pairs(&high, &low, |h, l| h << own | l)
            }
            Node::Extract { from, lo } => {
                let from = self.count(from, lo + bits, known);
                pairs(&from, &one(0), |value, _| value >> lo)
            }
            Node::ZeroExtend(a) => self.count(a, bits.min(terms.bits(a)), known),
            Node::SignExtend(a) => {
                let narrow = terms.bits(a);
                let a = self.count(a, bits.min(narrow), known);
                pairs(&a, &one(0), |value, _| {
                    let negative = bits > narrow && value >> (narrow - 1) & 1 == 1;
                    value | if negative { u128::MAX << narrow } else { 0 }
                })
            }
            Node::Not(a) => {
                let a = self.count(a, bits, known);
                pairs(&a, &one(0), |value, _| cut(!value, bits))
            }
            Node::Binary(op @ (Op::Add | Op::Mul | Op::And | Op::Xor), a, b) => {
                let a = self.count(a, bits, known);
                a.as_ref()?;
                let b = self.count(b, bits, known);
                pairs(&a, &b, |x, y| match op {
                    Op::Add => cut(x.wrapping_add(y), bits),
                    Op::Mul => cut(x.wrapping_mul(y), bits),
                    Op::And => x & y,
                    _ => x ^ y,
                })
            }
            Node::Binary(Op::Shl, a, b) => {
                let by = terms.as_constant(b)?;
                let a = self.count(a, bits, known);
                pairs(&a, &one(0), |value, _| {
                    if by < u128::from(bits) {
                        cut(value << by, bits)
                    } else {
                        0
                    }
                })
            }
            Node::Binary(op @ (Op::UDiv | Op::LShr), a, b) => {
                let by = terms.as_constant(b)?;
                let a = self.count(a, width, known);
                pairs(&a, &one(0), |value, _| match op {
                    Op::LShr if by < 128 => value >> by,
                    Op::UDiv if by > 0 => value / by,
                    _ => 0,
                })
            }
            Node::Binary(..) => None,
        }
    }
}
