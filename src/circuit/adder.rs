//! Sums and differences: a ripple of full adders, each two exclusive ors and a majority.
//!
//! Words are slices of literals, lowest bit first. Constant bits fold inside the gates.

use super::graph::{Circuit, Lit};

impl Circuit {
    /// Sum bit and carry of three bits.
    pub fn full_adder(&mut self, a: Lit, b: Lit, carry: Lit) -> (Lit, Lit) {
        let half = self.xor(a, b);
        (self.xor(half, carry), self.majority(a, b, carry))
    }

    /// `a + b + carry` modulo 2^length, and the carry out; both words of one length.
    pub fn add_carry(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> (Vec<Lit>, Lit) {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let (bit, next) = self.full_adder(a, b, carry);
            sum.push(bit);
            carry = next;
        }
        (sum, carry)
    }

    /// `a + b` modulo 2^length.
    pub fn add_words(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        self.add_carry(a, b, Lit::FALSE).0
    }

    /// `a - b` modulo 2^length.
    pub fn sub_words(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let complement: Vec<Lit> = b.iter().map(|&lit| !lit).collect();
        self.add_carry(a, &complement, Lit::TRUE).0
    }
}
