//! Positions within a thread, as a key that symbolic execution and the interpreter compute alike.
//!
//! A position is the call path, the instruction, and the iteration number of every loop around it. It
//! names one dynamic execution of an instruction within a thread, so that a schedule found in the
//! encoding can be replayed on the program without the encoding.

use super::BlockId;
use crate::base::mix::mix;

/// A dynamic position within one thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PosKey(pub u64);

impl PosKey {
    /// The end of a thread, as a step of a schedule: the thread has run all its code.
    pub const END: PosKey = PosKey(u64::MAX);

    /// Step with this number, from 1, within an instruction of several steps; 0 is where the instruction begins.
    pub fn part(self, part: u64) -> PosKey {
        match part {
            0 => self,
            _ => PosKey(mix(mix(self.0, 0xb10c), part)),
        }
    }
}

/// Numbers of the steps of one operation on a block of memory ([`PosKey::part`]), ascending as they are done: each unit is read
/// before it is written or, if everything is read `first`, before anything is written. They do not depend on the block's size,
/// which may not be known.
#[derive(Clone, Copy, Debug)]
pub struct BlockParts {
    /// Everything is read before anything is written.
    pub first: bool,
}

impl BlockParts {
    /// The step that looks whether the objects still live: after all others.
    pub const LAST: u64 = u64::MAX;

    /// Writes come behind this number if everything is read first.
    const WRITES: u64 = 1 << 63;

    /// The step that reads or writes the unit at an offset in bytes.
    pub fn part(self, write: bool, start: u64) -> u64 {
        match (self.first, write) {
            (true, false) => 1 + start,
            (true, true) => Self::WRITES + start,
            (false, false) => 1 + 2 * start,
            (false, true) => 2 + 2 * start,
        }
    }

    /// The least offset at which a unit is read, or written, in a step with at least this number; `None` if there is none.
    pub fn offset(self, write: bool, part: u64) -> Option<u64> {
        match (self.first, write) {
            (true, false) => (part < Self::WRITES).then(|| part.saturating_sub(1)),
            (true, true) => Some(part.saturating_sub(Self::WRITES)),
            (false, false) => Some(part.saturating_sub(1).div_ceil(2)),
            (false, true) => Some(part.saturating_sub(2).div_ceil(2)),
        }
    }
}

/// The call path of a frame: how control got to this activation of the function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FramePath(pub u64);

impl FramePath {
    /// The outermost frame of a thread.
    pub const ROOT: FramePath = FramePath(0x5e1_7ed9e);

    /// The frame of function number `callee` that is called at `call` (positions of two candidates of one
    /// indirect call differ in the callee).
    pub fn enter(call: PosKey, callee: u32) -> FramePath {
        FramePath(mix(mix(call.0, 0xca11), u64::from(callee)))
    }
}

/// The key of instruction `index` of `block` (the terminator has the index after the last instruction) in a
/// frame, with the iteration numbers of the loops around the block, outermost first.
#[inline]
pub fn position(frame: FramePath, block: BlockId, index: usize, iterations: &[u32]) -> PosKey {
    let key = mix(mix(frame.0, u64::from(block.0)), index as u64);
    PosKey(
        iterations
            .iter()
            .fold(key, |key, i| mix(key, u64::from(*i) + 1)),
    )
}
