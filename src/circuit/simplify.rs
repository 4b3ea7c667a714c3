//! Simplification of gates on construction. For conjunctions these are the rules of Brummayer and Biere,
//! "Local two-level And-Inverter Graph minimization without blowup" (MEMICS 2006), as far as they never make
//! more than one gate; two conjunctions that make an exclusive or or a choice become that gate.

use super::graph::{Circuit, Gate, Lit};

impl Circuit {
    /// `a & b`.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        // The loop replaces an operand by a smaller one, so it ends.
        let (mut a, mut b) = (a, b);
        loop {
            if a > b {
                (a, b) = (b, a);
            }
            if a == Lit::FALSE || a == !b {
                return Lit::FALSE;
            }
            if a == Lit::TRUE || a == b {
                return b;
            }
            match self.and_step(a, b).or_else(|| self.and_step(b, a)) {
                Some(Step::Done(lit)) => return lit,
                Some(Step::Again(x, y)) => (a, b) = (x, y),
                Some(Step::Xor(x, y)) => return self.xor(x, y),
                Some(Step::NotIte(c, x, y)) => return !self.ite(c, x, y),
                None => return self.make(Gate::And(a, b)),
            }
        }
    }

    /// Rules for `x & y` that look into the gate of `x`.
    fn and_step(&self, x: Lit, y: Lit) -> Option<Step> {
        let negative = x.is_negative();
        match self.gate(x) {
            Gate::And(p, q) if !negative => {
                // Contradiction: (p & q) & !p. Idempotence: (p & q) & p.
                if p == !y || q == !y {
                    return Some(Step::Done(Lit::FALSE));
                }
                if p == y || q == y {
                    return Some(Step::Done(x));
                }
                let Gate::And(r, s) = self.gate(y) else {
                    return None;
                };
                if y.is_negative() {
                    for (r, s) in [(r, s), (s, r)] {
                        // Subsumption: (p & q) & !(!p & s). Substitution: (p & q) & !(p & s) = (p & q) & !s.
                        if r == !p || r == !q {
                            return Some(Step::Done(x));
                        }
                        if r == p || r == q {
                            return Some(Step::Again(x, !s));
                        }
                    }
                } else {
                    for (r, s) in [(r, s), (s, r)] {
                        // Contradiction: (p & q) & (!p & s). Idempotence: (p & q) & (p & s) = (p & q) & s.
                        if r == !p || r == !q {
                            return Some(Step::Done(Lit::FALSE));
                        }
                        if r == p || r == q {
                            return Some(Step::Again(x, s));
                        }
                    }
                }
                None
            }
            Gate::And(p, q) => {
                for (p, q) in [(p, q), (q, p)] {
                    // Subsumption: !(!y & q) & y. Substitution: !(y & q) & y = y & !q.
                    if p == !y {
                        return Some(Step::Done(y));
                    }
                    if p == y {
                        return Some(Step::Again(y, !q));
                    }
                }
                let Gate::And(r, s) = self.gate(y) else {
                    return None;
                };
                if !y.is_negative() {
                    return None;
                }
                for (p, q) in [(p, q), (q, p)] {
                    for (r, s) in [(r, s), (s, r)] {
                        if p != !r {
                            continue;
                        }
                        // Resolution: !(p & q) & !(!p & q) = !q.
                        if q == s {
                            return Some(Step::Done(!q));
                        }
                        // !(p & q) & !(!p & !q) = p ^ q.
                        if q == !s {
                            return Some(Step::Xor(p, q));
                        }
                        // !(p & q) & !(!p & s) = !ite(p, q, s).
                        if self.is_used_once(x) && self.is_used_once(y) {
                            return Some(Step::NotIte(p, q, s));
                        }
                    }
                }
                None
            }
            // (y ^ q) & y = y & !q.
            Gate::Xor(p, q) => {
                for (p, q) in [(p, q), (q, p)] {
                    if p == y.positive() {
                        let other = q.complement_if(negative ^ !y.is_negative());
                        return Some(Step::Again(y, other));
                    }
                }
                None
            }
            // ite(y, p, q) & y = y & p.
            Gate::Ite(c, p, q) if c == y.positive() => {
                let branch = if y.is_negative() { q } else { p };
                Some(Step::Again(y, branch.complement_if(negative)))
            }
            _ => None,
        }
    }

    /// `a | b`.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// `!a | b`.
    pub fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    /// `a ^ b`.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let sign = a.is_negative() ^ b.is_negative();
        let (a, b) = (
            a.positive().min(b.positive()),
            a.positive().max(b.positive()),
        );
        if a == b {
            return Lit::constant(sign);
        }
        if a == Lit::FALSE {
            return b.complement_if(sign);
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.gate(x) {
                // (y ^ q) ^ y = q.
                Gate::Xor(p, q) if p == y => return q.complement_if(sign),
                Gate::Xor(p, q) if q == y => return p.complement_if(sign),
                // (y & q) ^ y = y & !q, and (!y & q) ^ y = y | q.
                Gate::And(p, q) if p.positive() == y || q.positive() == y => {
                    let (p, q) = if p.positive() == y { (p, q) } else { (q, p) };
                    let result = if p == y {
                        self.and(y, !q)
                    } else {
                        self.or(y, q)
                    };
                    return result.complement_if(sign);
                }
                _ => {}
            }
        }
        self.make(Gate::Xor(a, b)).complement_if(sign)
    }

    /// `a = b`.
    pub fn eq(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `a` if `c`, otherwise `b`.
    pub fn ite(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        let (c, mut a, mut b) = if c.is_negative() {
            (!c, b, a)
        } else {
            (c, a, b)
        };
        if c == Lit::FALSE {
            return b;
        }
        // Branches that look at the condition again: it is known there.
        a = self.under(a, c);
        b = self.under(b, !c);
        if a == b {
            return a;
        }
        if a == !b {
            return self.xor(c, b);
        }
        if a == Lit::TRUE {
            return self.or(c, b);
        }
        if a == Lit::FALSE {
            return self.and(!c, b);
        }
        if b == Lit::TRUE {
            return self.implies(c, a);
        }
        if b == Lit::FALSE {
            return self.and(c, a);
        }
        let sign = a.is_negative();
        self.make(Gate::Ite(c, a.complement_if(sign), b.complement_if(sign)))
            .complement_if(sign)
    }

    /// `x` where `c` holds, as far as its own gate shows it.
    fn under(&self, x: Lit, c: Lit) -> Lit {
        if x.positive() == c.positive() {
            return Lit::constant(x == c);
        }
        let sign = x.is_negative();
        match self.gate(x) {
            Gate::And(p, q) if p == c => q.complement_if(sign),
            Gate::And(p, q) if q == c => p.complement_if(sign),
            Gate::And(p, q) if p == !c || q == !c => Lit::constant(sign),
            Gate::Xor(p, q) if p == c.positive() => q.complement_if(sign ^ !c.is_negative()),
            Gate::Xor(p, q) if q == c.positive() => p.complement_if(sign ^ !c.is_negative()),
            Gate::Ite(d, p, q) if d == c.positive() => {
                (if c.is_negative() { q } else { p }).complement_if(sign)
            }
            _ => x,
        }
    }

    /// At least two of three.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut sorted = [a, b, c];
        sorted.sort_unstable();
        let [a, b, c] = sorted;
        if a.is_constant() {
            return if a == Lit::TRUE {
                self.or(b, c)
            } else {
                self.and(b, c)
            };
        }
        // Neighbours in order are equal or complements of each other if any two are.
        if a.gate() == b.gate() {
            return if a == b { a } else { c };
        }
        if b.gate() == c.gate() {
            return if b == c { b } else { a };
        }
        let sign = a.is_negative();
        let [a, b, c] = [a, b, c].map(|lit| lit.complement_if(sign));
        self.make(Gate::Majority(a, b, c)).complement_if(sign)
    }

    /// Conjunction of all; true of none.
    pub fn and_all(&mut self, lits: &[Lit]) -> Lit {
        let mut sorted = lits.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        sorted
            .into_iter()
            .fold(Lit::TRUE, |all, lit| self.and(all, lit))
    }

    /// Disjunction of all; false of none.
    pub fn or_all(&mut self, lits: &[Lit]) -> Lit {
        let complements: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        !self.and_all(&complements)
    }
}

/// Result of a simplification rule for a conjunction.
enum Step {
    Done(Lit),
    /// A conjunction of smaller operands.
    Again(Lit, Lit),
    Xor(Lit, Lit),
    /// The complement of a choice.
    NotIte(Lit, Lit, Lit),
}
