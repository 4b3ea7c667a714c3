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
    /// All of them, those of unrolling first.
    pub(crate) const ALL: [Bound; 12] = [
        Bound::Unwind,
        Bound::Recursion,
        Bound::Threads,
        Bound::ThreadsPerSite,
        Bound::ObjectSize,
        Bound::Rounds,
        Bound::Bitwidth,
        Bound::Queue,
        Bound::MaxClock,
        Bound::Addresses,
        Bound::Steps,
        Bound::Writes,
    ];

    /// What it bounds, in a line.
    pub(crate) fn about(self) -> &'static str {
        match self {
            Bound::Unwind => "iterations of each loop",
            Bound::Recursion => "depth of recursion",
            Bound::Threads => "threads that run besides main",
            Bound::ThreadsPerSite => "threads that each call in the program creates",
            Bound::ObjectSize => "bytes of an object of unknown size",
            Bound::Rounds => "rounds of turns (lazy)",
            Bound::Bitwidth => "bits of integers in shared memory (lazy)",
            Bound::Queue => "pending writes of a variable (lazy, tso and pso)",
            Bound::MaxClock => "batches in which pending writes reach memory (lazy, tso and pso)",
            Bound::Addresses => "places that are reached through addresses (lazy, tso and pso)",
            Bound::Steps => "steps of all threads together (step)",
            Bound::Writes => "writes, or clusters of writes, of an unwinding (mu)",
        }
    }

    /// The name for people, as verdicts have it: that of an option that sets it, without dashes, if there is one. `threads` are
    /// those that there are.
    pub fn title(self) -> &'static str {
        match self {
            Bound::Threads => "max-threads",
            other => other.name(),
        }
    }

    /// The name for programs.
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

/// A position of a memory unwinding (scheme `mu`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grain {
    /// A write.
    Writes,
    /// The writes of one thread without interruption.
    Contexts,
    /// The writes of threads in one turn each, in the order of their numbers.
    Turns,
}
