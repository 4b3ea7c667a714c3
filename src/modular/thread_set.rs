//! Sets of threads.

use crate::base::id::Id;
use crate::event::ThreadId;

/// A set of threads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct ThreadSet(pub u64);

impl ThreadSet {
    /// Threads 0 to `count` - 1.
    pub fn first(count: usize) -> ThreadSet {
        ThreadSet((0..count).fold(0, |set, thread| set | 1 << thread))
    }

    pub fn contains(self, thread: ThreadId) -> bool {
        self.0 >> thread.index() & 1 == 1
    }

    #[must_use]
    pub fn without(self, thread: ThreadId) -> ThreadSet {
        ThreadSet(self.0 & !(1 << thread.index()))
    }

    /// Subset: true if all of these are among others.
    pub fn is_within(self, others: ThreadSet) -> bool {
        self.0 & !others.0 == 0
    }

    /// The threads, ascending.
    pub fn iter(self) -> impl Iterator<Item = ThreadId> {
        (0..64)
            .map(ThreadId)
            .filter(move |thread| self.contains(*thread))
    }
}
