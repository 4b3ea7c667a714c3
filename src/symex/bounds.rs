//! Bounds: how far a program is unrolled.

use crate::analysis::Loop;
use crate::event::MemoryModel;
use crate::ir::FuncId;
use hashbrown::HashMap;

/// Bounds of one unrolling. Units: iterations, activations, threads, events, instructions.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Iterations of a loop that may start, unless its exit test folds (see [`Bounds::loop_events`]).
    pub unwind: u32,
    /// The same for single loops.
    pub unwind_of: HashMap<Loop, u32>,
    /// Activations of one function on the stack beyond the first whose call is conditional.
    pub recursion: u32,
    /// The same for single functions.
    pub recursion_of: HashMap<FuncId, u32>,
    /// Threads that may run besides main.
    pub threads: u32,
    /// Threads that one call of `pthread_create` in the source may start.
    pub threads_per_site: u32,
    /// Events that a loop whose exit test folds may produce before it is treated as one that does not.
    pub loop_events: usize,
    /// The same for single loops.
    pub loop_events_of: HashMap<Loop, usize>,
    /// The most that a loop may have which searches: one of its exit tests folds, another one does not.
    pub search_events: usize,
    /// The same for instructions.
    pub loop_instructions: u64,
    /// Places of one object that an access lists; an object in which an access may have more is an array.
    pub listed: usize,
    /// Instructions that one pass may execute.
    pub instructions: u64,
    /// Events that the whole program may have.
    pub events: usize,
    /// Idle rule: iterations that change nothing may be dropped (`symex/idle.rs`).
    pub idle_rule: bool,
    /// Executions go on where words that nobody has chosen meet addresses (`symex/unset.rs`).
    pub unset_words: bool,
    /// Memory model.
    pub memory: MemoryModel,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            unwind: 1,
            unwind_of: HashMap::new(),
            recursion: 1,
            recursion_of: HashMap::new(),
            threads: 1024,
            threads_per_site: 1024,
            loop_events: 256,
            loop_events_of: HashMap::new(),
            search_events: usize::MAX,
            loop_instructions: 1_000_000,
            listed: 48,
            instructions: 20_000_000,
            events: 400_000,
            idle_rule: true,
            unset_words: true,
            memory: MemoryModel::Sc,
        }
    }
}

impl Bounds {
    /// Iterations of a loop that may start.
    pub fn unwind_of(&self, of: Loop) -> u32 {
        self.unwind_of.get(&of).copied().unwrap_or(self.unwind)
    }

    /// Activations of a function beyond the first.
    pub fn recursion_of(&self, function: FuncId) -> u32 {
        let own = self.recursion_of.get(&function);
        own.copied().unwrap_or(self.recursion)
    }

    /// Events of a loop whose exit test folds.
    pub fn loop_events_of(&self, of: Loop) -> usize {
        let own = self.loop_events_of.get(&of);
        own.copied().unwrap_or(self.loop_events)
    }
}
