//! Products: shifted rows, added one after the other. A constant factor is written in non-adjacent form
//! (digits 1, 0, -1; Reitwieser 1960), which has the fewest rows.

use super::graph::{Circuit, Lit};

impl Circuit {
    /// `a * b` modulo 2^length; both words (lowest bit first) of one length.
    pub fn mul_words(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let constant = |word: &[Lit]| word.iter().all(|lit| lit.is_constant());
        if constant(b) {
            return self.mul_constant(a, b);
        }
        if constant(a) {
            return self.mul_constant(b, a);
        }
        // Rows of the factor with more constant zeros.
        let rows = |word: &[Lit]| word.iter().filter(|&&lit| lit != Lit::FALSE).count();
        let (a, b) = if rows(a) < rows(b) { (b, a) } else { (a, b) };
        let mut sum = vec![Lit::FALSE; a.len()];
        for (place, &digit) in b.iter().enumerate() {
            if digit == Lit::FALSE {
                continue;
            }
            let row: Vec<Lit> = a[..a.len() - place]
                .iter()
                .map(|&lit| self.and(lit, digit))
                .collect();
            let upper = self.add_words(&sum[place..], &row);
            sum.truncate(place);
            sum.extend(upper);
        }
        sum
    }

    /// `a` times a word of constants.
    fn mul_constant(&mut self, a: &[Lit], factor: &[Lit]) -> Vec<Lit> {
        let mut sum = vec![Lit::FALSE; a.len()];
        let mut carry = false;
        for place in 0..a.len() {
            let bit = (factor[place] == Lit::TRUE) as u8 + carry as u8;
            let next = factor.get(place + 1) == Some(&Lit::TRUE);
            // A one below another one is -1 with a carry.
            let minus = bit == 1 && next;
            carry = bit == 2 || minus;
            if bit != 1 {
                continue;
            }
            let row = &a[..a.len() - place];
            let upper = if minus {
                self.sub_words(&sum[place..], row)
            } else {
                self.add_words(&sum[place..], row)
            };
            sum.truncate(place);
            sum.extend(upper);
        }
        sum
    }
}
