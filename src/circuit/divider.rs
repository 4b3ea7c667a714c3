//! Quotient and remainder: restoring division, one bit of the quotient a row.

use super::graph::{Circuit, Lit};

impl Circuit {
    /// Unsigned quotient and remainder of words (lowest bit first) of one length. By zero the quotient is all
    /// ones and the remainder the dividend: every row then finds the divisor not greater and subtracts nothing.
    pub fn divide_words(&mut self, dividend: &[Lit], divisor: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let length = dividend.len();
        let mut quotient = vec![Lit::FALSE; length];
        let mut remainder = vec![Lit::FALSE; length];
        let complement: Vec<Lit> = divisor.iter().map(|&lit| !lit).collect();
        for place in (0..length).rev() {
            // The remainder is less than the divisor (or that is zero), so doubled it has one bit more.
            let overflow = remainder[length - 1];
            remainder.rotate_right(1);
            remainder[0] = dividend[place];
            let (difference, not_less) = self.add_carry(&remainder, &complement, Lit::TRUE);
            let fits = self.or(overflow, not_less);
            quotient[place] = fits;
            remainder = self.choose_words(fits, &difference, &remainder);
        }
        (quotient, remainder)
    }
}
