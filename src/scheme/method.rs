//! Settings of a scheme, and what it does with them: all that is asked of a scheme's folder.

use super::{Bound, Encoded, Grain};
use crate::base::option::Opt;
use crate::base::{Budget, StopReason};
use crate::circuit::Formula;
use crate::event::{EventProgram, MemoryModel};
use crate::reduce::slice::{Keep, slice};
use crate::reduce::value_range::narrow;
use std::fmt::Debug;

/// Settings of a scheme, and what it does with them. The default is what is best for most programs.
pub trait Method: Copy + Eq + Debug + Default + Send + Sync + 'static {
    /// Name on the command line.
    const NAME: &'static str;

    /// How it encodes schedules, in a line.
    const ABOUT: &'static str;

    /// The papers that it is after, if there are some.
    const PAPERS: Option<&'static str> = None;

    /// Options of the scheme's own.
    const OPTIONS: &'static [Opt<Self>] = &[];

    /// True if the scheme has the store buffers of a memory model.
    fn knows(memory: MemoryModel) -> bool {
        !memory.is_weak()
    }

    /// True if races can be asked for: what they are found by are steps that count for no bound.
    const KNOWS_RACES: bool = true;

    /// True if the scheme can tell what memory holds when no thread takes a step any more.
    const KNOWS_ENDS: bool = false;

    /// True if executions can be split into parts ([`Encoded::splits`]).
    const SPLITS: bool = false;

    /// Checks that settings make sense together, and under a memory model.
    ///
    /// # Errors
    /// The option that makes none, and why.
    fn check(&self, _memory: MemoryModel) -> Result<(), String> {
        Ok(())
    }

    /// Name in reports, if the settings add something.
    fn title(&self) -> String {
        Self::NAME.to_string()
    }

    /// True if no bound of the scheme's own was asked for: it rises while it leaves something out.
    fn is_open(&self) -> bool {
        true
    }

    /// Bounds that can rise within one encoding, what chains are about by default in front.
    const RISES: &'static [Rising] = &[];

    /// Settings whose bound of such an option rises within one encoding, from `first` to `last`.
    ///
    /// # Errors
    /// Why it cannot, with these settings.
    fn rising(self, _option: &str, _first: u32, _last: u32) -> Result<Self, &'static str> {
        Ok(self)
    }

    /// Settings for a level of rising bounds.
    fn at(self, _level: Level, _program: &EventProgram) -> Self {
        self
    }

    /// Bounds of the scheme's own on an encoded program, those that are named first in front: the value, and true if it
    /// leaves executions out. `level` is what questions have come to, and `exceeded` that some execution is beyond it.
    fn bounds(&self, _of: &EventProgram, _level: u32, _exceeded: bool) -> Vec<(Bound, u64, bool)> {
        Vec::new()
    }

    /// Positions of the memory unwinding in which the scheme thinks, if it does.
    fn grain(&self) -> Option<Grain> {
        None
    }

    /// Reductions that the scheme preserves: gives reads the ranges of what is written, and leaves out what the property
    /// does not depend on.
    fn reduce(program: &mut EventProgram) {
        narrow(program);
        slice(program, Keep::Needed);
    }

    /// States the constraints of a program.
    ///
    /// # Errors
    /// The budget ended it.
    fn encode(
        &self,
        program: &mut EventProgram,
        formula: &mut Formula,
        budget: &Budget,
    ) -> Result<Box<dyn Encoded>, StopReason>;
}

/// Bound that can rise within one encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rising {
    /// Its option.
    pub option: &'static str,
    /// The least value that has the same encoding as greater ones.
    pub least: u32,
}

/// Level of bounds that nobody asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Iterations of loops, and what else rises with them; at least 1.
    pub depth: u32,
    /// Loops are unrolled as often as the user asked for, at every level.
    pub fixed: bool,
}
