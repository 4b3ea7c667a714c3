//! Deliberate errors of automata and their product, by kind.

crate::base::faults::declare! {
    MODULAR {
        /// A write that others only read needs no location of its own.
        CutWriteMissed = "cut-write-missed",
        /// Automata: a lock does not wait.
        CutLockPasses = "cut-lock-passes",
        /// Automata: a join does not wait.
        CutJoinPasses = "cut-join-passes",
        /// Automata: no thread that a join may have waited for runs afterwards.
        CutJoinForgets = "cut-join-forgets",
        /// Automata: nobody sees what a thread has written before it stops.
        CutStopForgets = "cut-stop-forgets",
        /// Automata: what a thread knows of memory lasts although others change it.
        CutSteadyChanged = "cut-steady-changed",
        /// Automata: sections are no sections.
        CutSection = "cut-section",
        /// Automata: a compare-and-exchange writes although it fails.
        CutWriteAlways = "cut-write-always",
        /// Automata: freed memory lives on.
        CutFreeKeeps = "cut-free-keeps",
        /// Automata: the life of what is accessed ends before an edge or after it.
        LifeUnread = "life-unread",
        /// Automata: an access of an array object may begin where it ends.
        ArrayBoundOffByOne = "array-bound-off-by-one",
        /// Automata: a write of an array that overlaps what is read is forgotten.
        ArrayStaleRead = "array-stale-read",
        /// Automata: what is written to an array at an index is not noted.
        ArrayKnowledgeMissed = "array-knowledge-missed",
        /// Automata: freed arrays live on.
        ArrayLiveIgnored = "array-live-ignored",
        /// Automata: offsets in arrays wrap as slots do.
        ArrayWideWraps = "array-wide-wraps",
        /// Automata: a write at an index misses what has a cell of its own.
        ArrayCellMissed = "array-cell-missed",
        /// Automata: blocks of a copy may overlap.
        BlockOverlaps = "block-overlaps",
        /// Product: threads move while another is within a section.
        ProductSection = "product-section",
        /// Product: what a thread has written before it stops is lost.
        ProductStops = "product-stops",
        /// Product: only the first two updates of a variable count.
        ProductUpdate = "product-update",
    }
    RACING {
        /// Automata: nobody sees what a thread has written before an assertion of it fails.
        CutViolationForgets = "cut-violation-forgets",
        /// Races: of two accesses, the second may write.
        RaceSecondWrite = "race-second-write",
        /// Races: accesses within sections are as others.
        RaceSectionPlain = "race-section-plain",
        /// Races: the release of memory is no access.
        RaceFreeForgotten = "race-free-forgotten",
        /// Races: an access that may race is taken together with what comes before it.
        RaceMerged = "race-merged",
        /// Product: main meets nobody beside whom it reads.
        RaceBesideRead = "race-beside-read",
        /// Product: accesses meet that begin at the same byte.
        RaceFirstByte = "race-first-byte",
    }
    STUCK {
        /// Automata: a thread cannot rest before a step that may block it.
        RestMissed = "rest-missed",
        /// Deadlocks: who tries a mutex that is held becomes its owner.
        OwnerByAttempt = "owner-by-attempt",
        /// Deadlocks: a join waits for nobody.
        StallJoinMissed = "stall-join-missed",
        /// Deadlocks: what a thread holds that has ended may still be given back.
        StuckEndedOwner = "stuck-ended-owner",
        /// Deadlocks: no thread spins.
        SpinMissed = "spin-missed",
        /// Deadlocks: only iterations of one edge are idle.
        SpinOneEdge = "spin-one-edge",
        /// Deadlocks: a thread that was not created is not stuck, so that nobody is.
        StuckAbsent = "stuck-absent",
    }
    LOCKSTEP {
        /// Lockstep: moves are independent of all others.
        FreeConflict = "free-conflict",
        /// Lockstep: main's moves disturb nobody.
        FreeBesideMain = "free-beside-main",
        /// Lockstep: threads enter sections together.
        FreeSection = "free-section",
        /// Lockstep: which element of an array a move reads depends on nobody.
        FreeElement = "free-element",
        /// Lockstep: what arrays hold never changes.
        FreeArrayChanged = "free-array-changed",
        /// Lockstep: threads that move together choose the same inputs.
        FreeInputShared = "free-input-shared",
        /// Lockstep: a predicate keeps its value in steps.
        PredicateNext = "predicate-next",
    }
    FAMILIES {
        /// Automata: a thread of which there are many is not beside others of its kind.
        FamilyAlone = "family-alone",
        /// Automata: threads of which there are many may hand on addresses of their own objects.
        FamilyHandsOn = "family-hands-on",
        /// Families: a join of a member never goes on.
        FamilyJoinWaits = "family-join-waits",
    }
}
