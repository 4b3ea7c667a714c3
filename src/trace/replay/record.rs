//! Record of a replay: who moved, and how it ended.

use crate::base::Loc;
use crate::event::ThreadId;
use crate::ir::Property;
use crate::trace::deadlock::Waiter;
use crate::trace::interpret::lookup::Next;
use crate::trace::race::Side;
use crate::trace::tape::Turn;
use hashbrown::HashMap;

/// Turns so far, and what is to be known of the program to take them again.
#[derive(Default)]
pub(super) struct Record {
    pub turns: Vec<Turn>,
    /// Instructions of each thread behind its last step.
    pub behind: HashMap<ThreadId, u64>,
    /// Numbers of threads in the order of their creation; false for one that never runs.
    pub threads: Vec<(u32, bool)>,
    /// Operations on blocks that have begun.
    blocks: usize,
    /// Those that stop in between, and where.
    pub stops: Vec<(usize, Vec<u64>)>,
}

impl Record {
    /// A thread has executed an instruction: a step, or one that asked for a value.
    pub fn executed(&mut self, thread: ThreadId, next: Next, has_asked: bool) {
        if !next.is_step() && !has_asked {
            *self.behind.entry(thread).or_default() += 1;
            return;
        }
        self.behind.insert(thread, 0);
        match self.turns.last_mut() {
            Some(Turn::Steps(same, count)) if *same == thread => *count += 1,
            _ => self.turns.push(Turn::Steps(thread, 1)),
        }
    }

    /// True if the last instruction of a thread was a step.
    #[inline]
    pub fn has_just_stepped(&self, thread: ThreadId) -> bool {
        self.behind.get(&thread) == Some(&0)
    }

    /// A store of a thread has reached memory.
    pub fn committed(&mut self, thread: ThreadId, number: usize) {
        self.turns.push(Turn::Commit(thread, number));
    }

    /// A thread was created.
    pub fn created(&mut self, child: ThreadId, runs: bool) {
        self.threads.push((child.0, runs));
    }

    /// An operation on a block begins.
    pub fn block(&mut self, stops: &[u64]) {
        if !stops.is_empty() {
            self.stops.push((self.blocks, stops.to_vec()));
        }
        self.blocks += 1;
    }

    /// Number of threads that were created.
    pub fn creations(&self) -> usize {
        self.threads.len()
    }

    /// Number of operations on blocks that have begun.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// Last turn is that of a thread which goes on behind its steps, or comes to its first.
    pub fn moves_last(&mut self, thread: ThreadId) {
        if !matches!(self.turns.last(), Some(Turn::Steps(last, _)) if *last == thread) {
            self.turns.push(Turn::Steps(thread, 0));
        }
    }
}

/// End of an execution: the property that is violated, by whom, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ending {
    pub property: Property,
    pub thread: ThreadId,
    /// The other thread of a data race.
    pub rival: Option<ThreadId>,
    /// Where, with the calls that led there: fingerprints have both.
    places: Vec<(Vec<Loc>, Loc)>,
}

impl Ending {
    /// A step of a thread violates a property.
    pub fn at(thread: ThreadId, property: Property, place: (Vec<Loc>, Loc)) -> Ending {
        Ending {
            property,
            thread,
            rival: None,
            places: vec![place],
        }
    }

    /// Two threads race.
    pub fn race(own: &Side, other: &Side) -> Ending {
        let place = |side: &Side| (side.calls.clone(), side.loc);
        Ending {
            property: Property::Race,
            thread: own.thread,
            rival: Some(other.thread),
            places: vec![place(own), place(other)],
        }
    }

    /// A thread is blocked, among others.
    pub fn deadlock(thread: ThreadId, all: &[Waiter]) -> Ending {
        let place = |one: &Waiter| (one.calls.clone(), one.loc);
        Ending {
            property: Property::Deadlock,
            thread,
            rival: None,
            places: all.iter().map(place).collect(),
        }
    }
}
