//! Conjunctions over chains of conjunctions: repeated, implied and contradicting parts.
//!
//! Path guards are such chains: each branch adds a condition to the guard before it, and a merge is the
//! disjunction of two chains that end in complements. What a chain has is asked of the set of its parts
//! (`term/parts.rs`), so that no rule walks along a chain.

use super::{Node, Op, TermId, Terms};
use crate::term::parts::{Part, Parts};
use crate::term::word::{mask, sign_bit};

/// Parts of a chain with one subject that are looked at.
const ABOUT: usize = 12;

/// Links of a chain that are looked at one by one, down to one that has a set; where there are more, the chain gets one. So
/// one of so many links has a set.
const LINKS: u16 = 12;

/// Parts of a complemented conjunction that are compared with a chain.
const NEGATED: usize = 6;

/// Terms below a chain that are looked at to make its set.
const WALK: u32 = 1024;

/// Relation of a conjunction that holds to another condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    Unrelated,
    Implies,
    Contradicts,
}

/// The values of a word that satisfy a comparison with a constant.
#[derive(Clone, Copy, Debug)]
enum Values {
    /// From the first to the second, unsigned.
    Unsigned(u128, u128),
    /// From the first to the second, in signed order (sign bits flipped, so that it is unsigned order).
    Signed(u128, u128),
    /// All but one.
    Except(u128),
}

impl Terms {
    /// Rules for `a & b` where one of them is a chain of conjunctions (or a complement of one). `None` if
    /// no rule applies.
    pub(super) fn and_chain(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        for (chain, part) in [(a, b), (b, a)] {
            match self.chain_relation(chain, part) {
                // match:  … & x & … & x, or an x that follows from a part
                // result: the chain
                Relation::Implies => return Some(chain),
                // match:  … & x & … & !x, or an x that a part rules out
                // result: 0
                Relation::Contradicts => return Some(self.constant(0, self.bits(a))),
                Relation::Unrelated => {}
            }
            match self.node(part) {
                Node::Binary(Op::And, x, y) => {
                    for (x, y) in [(x, y), (y, x)] {
                        match self.chain_relation(chain, x) {
                            // match:  (… & x & …) & (x & y)
                            // result: (… & x & …) & y
                            Relation::Implies if self.may_descend() => {
                                return Some(self.descend(1, |terms| terms.and(chain, y)));
                            }
                            Relation::Contradicts => return Some(self.constant(0, self.bits(a))),
                            _ => {}
                        }
                    }
                }
                Node::Not(inner) => {
                    if let Some(result) = self.and_negated(chain, part, inner) {
                        return Some(result);
                    }
                }
                _ => {}
            }
        }
        self.resolve(a, b)
    }

    /// Rules for `chain & !(x & y & …)`, where `part` is `!inner`.
    fn and_negated(&mut self, chain: TermId, part: TermId, inner: TermId) -> Option<TermId> {
        let mut parts = [inner; NEGATED];
        let count = self.split_chain(inner, &mut parts);
        if count < 2 {
            return None;
        }
        let mut left = 0;
        for i in 0..count {
            match self.chain_relation(chain, parts[i]) {
                // match:  (… & !x & …) & !(x & y)
                // result: … & !x & …
                Relation::Contradicts => return Some(chain),
                Relation::Implies => {}
                Relation::Unrelated => {
                    parts[left] = parts[i];
                    left += 1;
                }
            }
        }
        if left == count || !self.may_descend() {
            return None;
        }
        // match:  (… & x & …) & !(x & y)
        // result: (… & x & …) & !y
        self.descend(1, |terms| {
            let mut rest = terms.constant(u128::MAX, terms.bits(part));
            for &x in &parts[..left] {
                rest = terms.and(rest, x);
            }
            let not_rest = terms.not(rest);
            Some(terms.and(chain, not_rest))
        })
    }

    /// Splits a conjunction into parts, as far as they have room; returns how many.
    fn split_chain(&self, chain: TermId, parts: &mut [TermId]) -> usize {
        parts[0] = chain;
        let (mut count, mut i) = (1, 0);
        while i < count {
            match self.node(parts[i]) {
                Node::Binary(Op::And, x, y) if count < parts.len() => {
                    parts.copy_within(i + 1..count, i + 2);
                    (parts[i], parts[i + 1]) = (x.min(y), x.max(y));
                    count += 1;
                }
                _ => i += 1,
            }
        }
        count
    }

    /// match:  !(g & c) & !(g & !c)
    /// result: !g
    fn resolve(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (p, q) = self.as_negated_and(a)?;
        let (r, s) = self.as_negated_and(b)?;
        for ((g, c), (h, d)) in [
            ((p, q), (r, s)),
            ((p, q), (s, r)),
            ((q, p), (r, s)),
            ((q, p), (s, r)),
        ] {
            if g == h && self.are_complements(c, d) {
                return Some(self.not(g));
            }
        }
        None
    }

    /// Relation of a chain to `x`, as far as one of its parts tells.
    fn chain_relation(&mut self, chain: TermId, x: TermId) -> Relation {
        if chain == x {
            return Relation::Implies;
        }
        if self.op(x) == Op::And {
            return self.whole_relation(chain, x);
        }
        let part = self.part(x);
        let mut relation = Relation::Unrelated;
        // Sides that are left, the long ones at the bottom.
        let mut waiting = [chain; LINKS as usize + 1];
        let (mut count, mut links) = (1, LINKS);
        while count > 0 {
            count -= 1;
            let top = waiting[count];
            let found = match self.node(top) {
                Node::Binary(Op::And, a, b) => match self.parts.get(top) {
                    Some(parts) => self.set_relation(parts, part),
                    None if links > 0 => {
                        links -= 1;
                        // The longer side usually has the greater id.
                        waiting[count] = a.max(b);
                        waiting[count + 1] = a.min(b);
                        count += 2;
                        continue;
                    }
                    None => {
                        let parts = self.parts_of(chain);
                        return self.set_relation(parts, part);
                    }
                },
                _ if top == x => Relation::Implies,
                _ => self.part_relation(top, x),
            };
            match found {
                Relation::Contradicts => return found,
                Relation::Implies => relation = found,
                Relation::Unrelated => {}
            }
        }
        relation
    }

    /// Relation of a chain to a conjunction: that it has all its parts, or none.
    fn whole_relation(&mut self, chain: TermId, x: TermId) -> Relation {
        if self.op(chain) != Op::And {
            return Relation::Unrelated;
        }
        let within = if self.links(x) <= LINKS / 2 {
            let mut parts = [x; LINKS as usize / 2];
            let count = self.split_chain(x, &mut parts);
            (0..count).all(|i| self.chain_relation(chain, parts[i]) == Relation::Implies)
        } else {
            let (x, parts) = (self.parts_of(x), self.parts_of(chain));
            self.parts.is_within(x, parts)
        };
        if within {
            Relation::Implies
        } else {
            Relation::Unrelated
        }
    }

    /// Relation of the conjunction of a set to another part.
    fn set_relation(&self, parts: Parts, part: Part) -> Relation {
        if self.parts.has(parts, part) {
            return Relation::Implies;
        }
        let mut room = [TermId(0); ABOUT];
        let count = self.parts.about(parts, part.subject, &mut room);
        let mut relation = Relation::Unrelated;
        for &other in &room[..count] {
            match self.part_relation(other, part.term) {
                Relation::Contradicts => return Relation::Contradicts,
                Relation::Implies => relation = Relation::Implies,
                Relation::Unrelated => {}
            }
        }
        if count == ABOUT
            && let Some(term) = self.known_complement(part.term)
            && self.parts.has(parts, Part { term, ..part })
        {
            return Relation::Contradicts;
        }
        relation
    }

    /// Relation of one part to another.
    fn part_relation(&self, part: TermId, x: TermId) -> Relation {
        if self.are_complements(part, x) {
            return Relation::Contradicts;
        }
        match (self.values_of(part), self.values_of(x)) {
            (Some((v, p)), Some((w, q))) if v == w => {
                compare(p, q, mask(self.bits(v)), sign_bit(self.bits(v)))
            }
            _ => Relation::Unrelated,
        }
    }

    /// A part with its subject: the word that it compares with a constant, or what it may be the complement of.
    fn part(&self, term: TermId) -> Part {
        let inner = match self.node(term) {
            Node::Not(inner) => inner,
            _ => term,
        };
        let subject = match self.node(inner) {
            Node::Binary(Op::Eq | Op::ULt | Op::SLt, a, b) => {
                match (self.op(a) == Op::Constant, self.op(b) == Op::Constant) {
                    (false, true) => a,
                    (true, false) => b,
                    _ => inner,
                }
            }
            _ => inner,
        };
        Part { subject, term }
    }

    /// The parts of a conjunction; of another term, itself. Links between it and those that have a set get none.
    fn parts_of(&mut self, term: TermId) -> Parts {
        if let Some(set) = self.parts.get(term) {
            return set;
        }
        let mut waiting = vec![term];
        let (mut few, mut all): (Option<Parts>, Option<Parts>) = (None, None);
        let (mut whole, mut steps) = (true, WALK);
        while let Some(top) = waiting.pop() {
            if steps == 0 {
                whole = false;
                break;
            }
            steps -= 1;
            let known = self.parts.get(top);
            if known.is_none()
                && let Node::Binary(Op::And, a, b) = self.node(top)
            {
                waiting.extend([a, b]);
                continue;
            }
            let part = self.part(top);
            let set = known.unwrap_or_else(|| self.parts.one(part));
            // Single parts come together before they meet large sets.
            let side = if known.is_some() { &mut all } else { &mut few };
            match *side {
                None => *side = Some(set),
                Some(other) => match self.parts.union(other, set) {
                    Some(both) => *side = Some(both),
                    None => whole = false,
                },
            }
        }
        let set = match (few, all) {
            (Some(few), Some(all)) => self.parts.union(few, all),
            (few, all) => few.or(all),
        };
        // A conjunction whose set takes too long is one part.
        let set = set.filter(|_| whole).unwrap_or_else(|| {
            let part = self.part(term);
            self.parts.one(part)
        });
        self.parts.keep(term, set);
        set
    }

    /// Reads a condition as a comparison of a word with a constant.
    fn values_of(&self, t: TermId) -> Option<(TermId, Values)> {
        let (positive, inner) = match self.node(t) {
            Node::Not(inner) => (false, inner),
            _ => (true, t),
        };
        let Node::Binary(op, a, b) = self.node(inner) else {
            return None;
        };
        if !matches!(op, Op::Eq | Op::ULt | Op::SLt) {
            return None;
        }
        let (word, k, constant_left) = match (self.as_constant(a), self.as_constant(b)) {
            (None, Some(k)) => (a, k, false),
            (Some(k), None) => (b, k, true),
            _ => return None,
        };
        let bits = self.bits(word);
        let greatest = mask(bits);
        let between: fn(u128, u128) -> Values = match op {
            Op::SLt => Values::Signed,
            _ => Values::Unsigned,
        };
        let k = if op == Op::SLt { k ^ sign_bit(bits) } else { k };
        let values = match (op, constant_left, positive) {
            (Op::Eq, _, true) => Values::Unsigned(k, k),
            (Op::Eq, _, false) => Values::Except(k),
            (_, false, true) => between(0, k.checked_sub(1)?),
            (_, false, false) => between(k, greatest),
            (_, true, true) if k < greatest => between(k + 1, greatest),
            (_, true, true) => return None,
            (_, true, false) => between(0, k),
        };
        Some((word, values))
    }
}

/// Relation of membership in `p` to membership in `q`, of the same word.
fn compare(p: Values, q: Values, greatest: u128, sign: u128) -> Relation {
    let intervals = |(p0, p1): (u128, u128), (q0, q1): (u128, u128)| {
        if q0 <= p0 && p1 <= q1 {
            Relation::Implies
        } else if p1 < q0 || q1 < p0 {
            Relation::Contradicts
        } else {
            Relation::Unrelated
        }
    };
    match (p, q) {
        (Values::Unsigned(p0, p1), Values::Unsigned(q0, q1))
        | (Values::Signed(p0, p1), Values::Signed(q0, q1)) => intervals((p0, p1), (q0, q1)),
        (Values::Unsigned(p0, p1), Values::Except(k)) if k < p0 || p1 < k => Relation::Implies,
        (Values::Signed(p0, p1), Values::Except(k)) if k ^ sign < p0 || p1 < k ^ sign => {
            Relation::Implies
        }
        // Orders mix only where an interval does not cross the sign.
        (Values::Unsigned(p0, p1), Values::Signed(q0, q1)) if p0 & sign == p1 & sign => {
            intervals((p0 ^ sign, p1 ^ sign), (q0, q1))
        }
        (Values::Signed(p0, p1), Values::Unsigned(q0, q1)) if p0 & sign == p1 & sign => {
            intervals((p0 ^ sign, p1 ^ sign), (q0, q1))
        }
        (Values::Except(k), Values::Unsigned(q0, q1)) if (q0, q1) == (k, k) => {
            Relation::Contradicts
        }
        (Values::Except(0), Values::Unsigned(q0, q1)) if q0 <= 1 && q1 == greatest => {
            Relation::Implies
        }
        _ => Relation::Unrelated,
    }
}
