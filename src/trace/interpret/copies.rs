//! Copies: bytes that were copied from elsewhere. A synchronisation object there is not to be used.

use crate::base::sorted::SortedMap;

/// Ranges of addresses that do not overlap: the first, and the one behind the last.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    ranges: SortedMap<u64, u64>,
}

impl Copies {
    /// These bytes are a copy.
    pub fn mark(&mut self, from: u64, to: u64) {
        self.unmark(from, to);
        if from < to {
            self.ranges.insert(from, to);
        }
    }

    /// These bytes are a copy no longer.
    pub fn unmark(&mut self, from: u64, to: u64) {
        let overlap: Vec<(u64, u64)> = self
            .ranges
            .range(..to)
            .rev()
            .take_while(|(_, end)| **end > from)
            .map(|(start, end)| (*start, *end))
            .collect();
        for (start, end) in overlap {
            self.ranges.remove(&start);
            if start < from {
                self.ranges.insert(start, from);
            }
            if end > to {
                self.ranges.insert(to, end);
            }
        }
    }

    /// True if the byte at an address is part of a copy.
    pub fn has(&self, address: u64) -> bool {
        let before = self.ranges.range(..=address).next_back();
        before.is_some_and(|(_, end)| address < *end)
    }

    /// All ranges, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.ranges.iter().map(|(start, end)| (*start, *end))
    }
}

#[cfg(test)]
mod tests {
    use super::Copies;

    #[test]
    fn ranges_are_cut() {
        let mut copies = Copies::default();
        copies.mark(10, 20);
        copies.mark(15, 30);
        copies.unmark(12, 13);
        let found: Vec<(u64, u64)> = copies.iter().collect();
        assert_eq!(found, [(10, 12), (13, 15), (15, 30)]);
        assert!(copies.has(29) && !copies.has(12) && !copies.has(30));
        copies.unmark(0, 100);
        assert_eq!(copies.iter().count(), 0);
    }
}
