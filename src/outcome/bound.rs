//! Bounds: what limits the executions that a verdict covers.

/// A quantity that is bounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// Iterations of each loop.
    Unwind,
    /// Depth of recursion.
    Recursion,
    /// Threads besides main.
    Threads,
    /// Threads that each call in the program creates.
    ThreadsPerSite,
    /// Bytes of an object of unknown size.
    ObjectSize,
    /// Rounds of turns (scheme `lazy`).
    Rounds,
    /// Bits of integers in shared memory (scheme `lazy`).
    Bitwidth,
    /// Nodes of a variable's list of pending writes (scheme `lazy`, store buffers).
    Queue,
    /// Batches in which pending writes reach memory (scheme `lazy`, store buffers).
    MaxClock,
    /// Places that are reached through addresses (scheme `lazy`, store buffers).
    Addresses,
    /// Steps of all threads together (scheme `step`).
    Steps,
    /// Writes, or clusters of writes, of a memory unwinding (scheme `mu`).
    Writes,
}

impl Bound {
    /// The name in verdicts: that of the option that sets it, without dashes, if there is one.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Unwind => "unwind",
            Bound::Recursion => "recursion",
            Bound::Threads => "threads",
            Bound::ThreadsPerSite => "threads-per-site",
            Bound::ObjectSize => "object-size",
            Bound::Rounds => "rounds",
            Bound::Bitwidth => "bitwidth",
            Bound::Queue => "queue",
            Bound::MaxClock => "max-clock",
            Bound::Addresses => "addresses",
            Bound::Steps => "steps",
            Bound::Writes => "writes",
        }
    }
}

/// A bound that was in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InForce {
    /// The bounded quantity.
    pub bound: Bound,
    /// Its most.
    pub value: u64,
    /// Some execution goes beyond it; a bound that is not reached leaves nothing out. `None` where a violation was found
    /// first and nobody asked.
    pub reached: Option<bool>,
}
