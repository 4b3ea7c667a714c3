//! Deliberate errors of the analysis of races, by kind.

crate::base::faults::declare! {
    RACES {
        /// An atomic section protects from accesses outside of sections, too.
        SectionOneSided = "section-one-sided",
        /// A thread is joined where some ways lead through its join.
        JoinedOnSomeWay = "joined-on-some-way",
        /// A join also ends what its thread has left behind.
        LeftBehindJoined = "left-behind-joined",
        /// A variable holds the handle of a thread although something else is written there.
        HandleOverwritten = "handle-overwritten",
        /// Threads that are created at one place are one thread, in a loop as well.
        LoopCreatesOne = "loop-creates-one",
        /// A loop of joins ends with all threads of a loop of creation, whatever its bound.
        BoundIgnored = "bound-ignored",
        /// Each iteration of a loop joins.
        JoinSkipped = "join-skipped",
        /// A lock protects although others release it.
        ReleasedByOthers = "released-by-others",
        /// A lock protects although it is initialised meanwhile.
        ResetMeanwhile = "reset-meanwhile",
        /// Readers of a read-write lock exclude each other.
        ReadersExclude = "readers-exclude",
        /// A lock is held where some ways lead through its operation.
        HeldOnSomeWay = "held-on-some-way",
        /// An attempt to take a lock is always successful.
        AttemptSucceeds = "attempt-succeeds",
        /// Several objects of one allocation have one lock.
        LocksOfAllocationOne = "locks-of-allocation-one",
        /// A mutex that is held is beside whatever is accessed.
        OtherPointer = "other-pointer",
        /// What is written at an unknown offset is not read at a constant one.
        OffsetsForgotten = "offsets-forgotten",
        /// What is computed from an address is none.
        ArithmeticForgotten = "arithmetic-forgotten",
        /// An object is private although its address is in memory.
        StoredStaysPrivate = "stored-stays-private",
        /// The argument of a thread is its own.
        ArgumentUnshared = "argument-unshared",
        /// A block that is freed is only accessed at its start.
        FreeIsShort = "free-is-short",
        /// Atomic accesses and sections do not disturb each other.
        AtomicUndisturbed = "atomic-undisturbed",
        /// Operations of synchronisation objects disturb nobody who accesses their bytes.
        OperationsUndisturbed = "operations-undisturbed",
        /// The end of a scope disturbs nobody.
        ScopeUndisturbed = "scope-undisturbed",
    }
}
