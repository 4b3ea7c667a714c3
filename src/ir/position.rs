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
pub fn position(frame: FramePath, block: BlockId, index: usize, iterations: &[u32]) -> PosKey {
    let key = mix(mix(frame.0, u64::from(block.0)), index as u64);
    PosKey(
        iterations
            .iter()
            .fold(key, |key, i| mix(key, u64::from(*i) + 1)),
    )
}
