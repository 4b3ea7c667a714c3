//! Deliberate errors of relations over steps, by kind.

crate::base::faults::declare! {
    WATCHES {
        /// Two threads that have a lock each have one in common.
        LocksetAny = "lockset-any",
    }
    SYMMETRY {
        /// Of threads that are alike, the first one has taken all its steps before the second one begins.
        AlikeInTurn = "alike-in-turn",
    }
    DEADLOCKS {
        /// Last writes may be any writes of their memory.
        LastOfAny = "last-of-any",
    }
    ENCODING {
        /// Every visible event of a section is a step of its own.
        SectionSplit = "section-split",
        /// A thread may start before it is created.
        CreateOrder = "create-order",
        /// A join that nothing waits for gives no static order, and no conditional one either.
        JoinOrder = "join-order",
        /// A join comes through although the thread may not have ended.
        JoinWithoutEnd = "join-without-end",
        /// A join with a symbolic thread comes through for any thread.
        JoinAnyThread = "join-any-thread",
        /// `before` is not closed under later steps of the second thread.
        StaircaseLater = "staircase-later",
        /// `before` is not closed under earlier steps of the first thread.
        StaircaseEarlier = "staircase-earlier",
        /// The staircase ends where the step before has no literal.
        StaircaseGap = "staircase-gap",
        /// A thread seems to stop where a branch is not taken.
        StopBranch = "stop-branch",
        /// Cycles over three threads are allowed.
        NoTransitivity = "no-transitivity",
        /// Only one of the two directions of a cycle is excluded.
        HalfTransitivity = "half-transitivity",
        /// A read may take a write although a later one comes before it (no from-read).
        NoFromRead = "no-from-read",
        /// Between writes of two other threads, a read may take either.
        NoCoherence = "no-coherence",
        /// A read may skip the last write of its own thread.
        SkipOwnWrite = "skip-own-write",
        /// A read takes a write of its own section that comes after it.
        LaterOwnWrite = "later-own-write",
        /// A read does not see writes of its own section.
        SectionBlind = "section-blind",
        /// A read that the static order decides returns the oldest of its sources.
        OldestDecided = "oldest-decided",
        /// The first write of another thread is never a candidate.
        SkipWrite = "skip-write",
        /// A transaction goes on behind the step that is no mover.
        TransactionLonger = "transaction-longer",
        /// A lock protects its holder's accesses from those who do not take it.
        OneSidedLock = "one-sided-lock",
        /// A word counts as a lock although others release it.
        ForeignRelease = "foreign-release",
        /// Ranges know only values that nothing was read for.
        RangeEarly = "range-early",
        /// Ranges forget what one other thread writes.
        RangeSource = "range-source",
        /// Nobody reads a cell's initial value.
        NoInitial = "no-initial",
        /// A write is there although its guard is false.
        WriteGuard = "write-guard",
        /// A write goes to all its targets, whatever the conditions say.
        WriteWhen = "write-when",
        /// Reads that do not happen are constrained, too.
        ReadGuard = "read-guard",
        /// A read takes its first target, whatever the conditions say.
        ReadWhen = "read-when",
        /// A violated assertion that does not happen counts.
        AssertGuard = "assert-guard",
    }
    MEMORY {
        /// PSO: the writes of a thread reach memory in their order.
        PsoIsTso = "pso-is-tso",
        /// TSO: the writes of a thread to different addresses reach memory in any order.
        TsoIsPso = "tso-is-pso",
        /// A read sees nothing of what its thread has not got into memory.
        NoForwarding = "no-forwarding",
        /// A write may be in memory before its thread comes to it.
        CommitEarly = "commit-early",
        /// PSO: a release store or fence orders nothing.
        ReleaseFree = "release-free",
        /// PSO: writes to the same symbolic address reach memory in any order.
        AddressFree = "address-free",
        /// A fence that may be passed by drains nevertheless.
        BarrierAlways = "barrier-always",
        /// The creation of a thread does not drain buffers.
        CreateUndrained = "create-undrained",
        /// The end of a thread does not drain buffers.
        EndUndrained = "end-undrained",
        /// A fence on its own does not drain buffers.
        FenceUndrained = "fence-undrained",
        /// Read-modify-writes, locks and sections do not drain buffers.
        StepUndrained = "step-undrained",
        /// A thread's own write hides nothing of what others wrote before it.
        OwnUncovered = "own-uncovered",
    }
}
