//! Results of rewrites, so that what is asked for again is not rewritten again: guards of steps behind each other repeat
//! the conjunctions of their path, and accesses through one pointer its comparisons with all that it may lead to.

use super::TermId;
use super::node::Op;

/// Entries of the smallest and of the largest table.
const ENTRIES: [usize; 2] = [1 << 8, 1 << 18];

/// A table in which each result has one place; what comes to a place replaces what was there. So its size is bounded,
/// and it is the same in every run.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent {
    entries: Vec<Entry>,
}

/// The result of a rewrite of two operands. An empty one is about constants, which are not rewritten.
#[derive(Clone, Copy, Debug)]
struct Entry {
    op: Op,
    operands: [TermId; 2],
    result: TermId,
}

const EMPTY: Entry = Entry {
    op: Op::Constant,
    operands: [TermId(0); 2],
    result: TermId(0),
};

impl Recent {
    fn place(&self, op: Op, [a, b]: [TermId; 2]) -> usize {
        let word = (u64::from(a.0) << 32 | u64::from(b.0)) ^ (op as u64) << 58;
        let mixed = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 40) as usize & (self.entries.len() - 1)
    }

    /// Makes room for a pool of so many terms.
    pub fn grow(&mut self, terms: usize) {
        let wanted = (terms / 2).next_power_of_two();
        let wanted = wanted.clamp(ENTRIES[0], ENTRIES[1]);
        if self.entries.len() < wanted {
            let old = std::mem::replace(&mut self.entries, vec![EMPTY; wanted]);
            for entry in old.into_iter().filter(|entry| entry.op != Op::Constant) {
                self.keep(entry.op, entry.operands, entry.result);
            }
        }
    }

    /// The result for two operands, if it is there; there must be room.
    pub fn get(&self, op: Op, operands: [TermId; 2]) -> Option<TermId> {
        let known = self.entries[self.place(op, operands)];
        (known.op == op && known.operands == operands).then_some(known.result)
    }

    /// Keeps a result.
    pub fn keep(&mut self, op: Op, operands: [TermId; 2], result: TermId) {
        let place = self.place(op, operands);
        self.entries[place] = Entry {
            op,
            operands,
            result,
        };
    }
}
