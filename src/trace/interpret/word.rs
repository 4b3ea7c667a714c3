//! Words with what is known of where they come from.
//!
//! A *lane* of a word is a part as wide as a pointer, the lowest first. A *mark* on a lane says that it holds an
//! internal address ([`crate::ir::address`]) of an object; every other lane is a number. Words narrower than a
//! pointer have no marks.

use super::arithmetic::mask;

/// A value and its marks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Word {
    pub value: u128,
    /// One bit for each lane.
    pub marks: u8,
}

impl Word {
    /// A word without marks.
    pub const fn number(value: u128) -> Word {
        Word { value, marks: 0 }
    }

    /// The internal address of an object.
    pub const fn address(value: u128) -> Word {
        Word { value, marks: 1 }
    }

    /// Numbers: true if the word has no marks.
    pub fn is_number(self) -> bool {
        self.marks == 0
    }

    /// A lane of `bits` bits.
    pub fn lane(self, index: u16, bits: u16) -> Word {
        Word {
            value: self.value.unbounded_shr(u32::from(index * bits)) & mask(bits),
            marks: self.marks >> index & 1,
        }
    }

    /// The word with another lane in this place.
    pub fn with_lane(self, index: u16, bits: u16, lane: Word) -> Word {
        let shift = u32::from(index * bits);
        let hole = !mask(bits).unbounded_shl(shift);
        Word {
            value: self.value & hole | lane.value.unbounded_shl(shift),
            marks: self.marks & !(1 << index) | (lane.marks & 1) << index,
        }
    }

    /// Numbers of the lanes of `bits` bits that are marked.
    pub fn marked(self) -> impl Iterator<Item = u16> {
        (0..8).filter(move |index| self.marks >> index & 1 == 1)
    }
}
