//! Shifts by a variable amount: a barrel shifter, one row of choices for each bit of the amount that matters.

use super::graph::{Circuit, Lit};

/// Direction of a shift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// To higher bits.
    Left,
    /// To lower bits.
    Right,
}

impl Circuit {
    /// `a` shifted by the unsigned `amount` (words, lowest bit first), with `fill` shifted in.
    pub fn shift_words(
        &mut self,
        a: &[Lit],
        amount: &[Lit],
        direction: Direction,
        fill: Lit,
    ) -> Vec<Lit> {
        let length = a.len();
        let mut word = a.to_vec();
        let mut beyond = Vec::new();
        for (i, &bit) in amount.iter().enumerate() {
            let step = 1usize.checked_shl(i as u32).filter(|step| *step < length);
            let Some(step) = step else {
                beyond.push(bit);
                continue;
            };
            let shifted: Vec<Lit> = (0..length)
                .map(|place| match direction {
                    Direction::Left => place.checked_sub(step).map_or(fill, |from| word[from]),
                    Direction::Right => word.get(place + step).copied().unwrap_or(fill),
                })
                .collect();
            word = self.choose_words(bit, &shifted, &word);
        }
        let beyond = self.or_all(&beyond);
        word.into_iter()
            .map(|lit| self.ite(beyond, fill, lit))
            .collect()
    }
}
