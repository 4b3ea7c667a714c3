//! Observers of a search: whoever wants to see every instruction that it executes.

use crate::event::ThreadId;
use crate::ir::position::PosKey;
use crate::trace::interpret::state::State;
use crate::trace::interpret::{Effect, Interpreter};

/// An instruction that was executed.
pub struct Executed<'s, 'p> {
    pub interpreter: &'s Interpreter<'p>,
    /// The state behind it.
    pub state: &'s State,
    pub thread: ThreadId,
    pub position: PosKey,
    /// Number of the step, if the instruction has several ([`PosKey::part`]).
    pub part: u64,
    pub effect: &'s Effect,
}

/// Observer of instructions.
pub type Observer<'o> = &'o mut dyn FnMut(&Executed<'_, '_>);
