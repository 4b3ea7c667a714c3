//! Deadlocks: the threads that are blocked for ever where an execution ends.

/// Kind of a deadlock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Threads that wait for each other, or for what a thread holds that has ended; others may still run.
    Cycle,
    /// Nobody runs any more.
    Final,
    /// The same, but some threads run in loops that nothing ends.
    Spin,
}
