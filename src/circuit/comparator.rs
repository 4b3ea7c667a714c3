//! Comparisons of words (lowest bit first, equal lengths).

use super::graph::{Circuit, Lit};

impl Circuit {
    /// `a = b`.
    pub fn equal_words(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let bits: Vec<Lit> = a.iter().zip(b).map(|(&a, &b)| self.eq(a, b)).collect();
        self.and_all(&bits)
    }

    /// Unsigned `a < b`: the borrow of `a - b`, one majority for each bit.
    pub fn less_unsigned(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        a.iter()
            .zip(b)
            .fold(Lit::FALSE, |less, (&a, &b)| self.majority(!a, b, less))
    }

    /// Signed `a < b`: the sign bits change their roles.
    pub fn less_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let sign = a.len() - 1;
        let less = self.less_unsigned(&a[..sign], &b[..sign]);
        self.majority(a[sign], !b[sign], less)
    }

    /// Bit by bit, `a` if `c`, otherwise `b`.
    pub fn choose_words(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        a.iter().zip(b).map(|(&a, &b)| self.ite(c, a, b)).collect()
    }
}
