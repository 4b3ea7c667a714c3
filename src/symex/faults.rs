//! Deliberate errors of symbolic execution, by kind.

crate::base::faults::declare! {
    ADDRESSES {
        /// An object may be freed again.
        FreeTwice = "free-twice",
        /// Freed storage never comes back.
        ReuseForgotten = "reuse-forgotten",
        /// Storage comes back before its object has ended.
        ReuseEarly = "reuse-early",
        /// Objects may overlap while both live.
        OverlapAllowed = "overlap-allowed",
        /// Objects are apart if their first bytes are.
        SizeForgotten = "size-forgotten",
        /// Objects may be in the first page.
        FirstPage = "first-page",
        /// Every object is aligned to 64 bytes.
        AlignmentTooStrong = "alignment-too-strong",
        /// Tags may be in bits that the alignment does not leave free.
        AlignmentIgnored = "alignment-ignored",
        /// No string literal lies at the end of another one.
        TailsForgotten = "tails-forgotten",
        /// A counterexample does not say where objects are.
        BasesUnsaid = "bases-unsaid",
        /// Tags in bits that the alignment leaves free are lost.
        TagDropped = "tag-dropped",
        /// Of several objects that an address may be in, the first one's machine address is taken.
        ProvenanceWrong = "provenance-wrong",
        /// Integer arithmetic that leaves the object stays a pointer to it.
        ProvenanceKept = "provenance-kept",
        /// A mask that clears high bits keeps them.
        MaskKeepsHigh = "mask-keeps-high",
        /// Lanes of a word change places.
        LanesSwapped = "lanes-swapped",
        /// Addresses are ordered as their internal words.
        OrderInternal = "order-internal",
        /// The way between two objects is that between their internal words.
        DistanceInternal = "distance-internal",
        /// Pointers into two objects differ, whoever was where before.
        EqualityInternal = "equality-internal",
        /// Executions go on where a word that nobody has chosen meets an address, as if somebody had chosen it.
        UnsetGoesOn = "unset-goes-on",
        /// What arithmetic makes of a word that nobody has chosen may be the address of an object by chance.
        UnsetReaches = "unset-reaches",
        /// Of two words that have few values, the last pair is not compared.
        PairMissed = "pair-missed",
        /// One past an object is nowhere else.
        OnePastInside = "one-past-inside",
        /// Functions are in the order of their declaration.
        FunctionsOrdered = "functions-ordered",
        /// A number never leads to the last of the objects.
        NumberMissesOne = "number-misses-one",
        /// A number leads to an object that has ended.
        NumberToEnded = "number-to-ended",
        /// A number leads to an object that has not been allocated yet.
        NumberToUnborn = "number-to-unborn",
        /// A loaded value never counts as a number that depends on machine addresses.
        NumbersForgotten = "numbers-forgotten",
        /// A pointer from an integer is to the object that the integer was made from, though that has ended.
        StaleKept = "stale-kept",
        /// No object is exposed by a cast to an integer alone.
        CastsForgotten = "casts-forgotten",
        /// Parts of internal addresses are stored where memory is cut.
        PartsInternal = "parts-internal",
    }
    DEADLOCKS {
        /// A thread that has ended holds nothing.
        EndedHoldsNothing = "ended-holds-nothing",
        /// A step waits whatever memory holds in the end.
        UnsettledRest = "unsettled-rest",
        /// A loop spins whatever an iteration of it leaves in memory.
        SpinChanges = "spin-changes",
        /// An iteration comes round that shows others an object, which it has read as its own.
        SpinPublishes = "spin-publishes",
        /// A loop spins if some input makes an iteration of it change nothing.
        SpinBySomeInput = "spin-by-some-input",
        /// A loop spins though it reads what others change for a while, wherever that leads.
        AlwaysUndisturbed = "always-undisturbed",
        /// Waits for something else than a lock need a holder, too.
        HolderNeeded = "holder-needed",
        /// Nobody stays before a join.
        JoinNeverStays = "join-never-stays",
    }
    LEAKS {
        /// A block that was freed counts as lost.
        LeakOfFreed = "leak-of-freed",
        /// What global variables point to counts as lost.
        LeakOfGlobals = "leak-of-globals",
        /// What blocks point to counts as lost.
        LeakBehindBlocks = "leak-behind-blocks",
        /// What threads hold that still run counts as lost.
        LeakBesideThreads = "leak-beside-threads",
    }
    SYMEX {
        /// An access misses the last object that its address may lead to.
        CandidateLost = "candidate-lost",
        /// Of two choices that lead to one object, the offset is that of the first.
        FirstChoice = "first-choice",
        /// An access misses the last offset that its address may have.
        OffsetLost = "offset-lost",
        /// Objects that two threads allocate at one place are the same object.
        ObjectReused = "object-reused",
        /// All threads have the same copy of a thread-local variable.
        ThreadLocalShared = "thread-local-shared",
        /// Only writes cut bytes into cells.
        CellsUncut = "cells-uncut",
        /// A cell that one thread writes and others only read counts as private.
        SharingMissed = "sharing-missed",
        /// A pointer read from shared memory misses an object that it may lead to.
        PointsToLost = "points-to-lost",
        /// A call through a pointer misses a function that it may lead to.
        FunctionLost = "function-lost",
        /// The pieces of a load stand in the wrong order.
        PiecesSwapped = "pieces-swapped",
        /// The last piece of a store over several cells is not written.
        PieceLost = "piece-lost",
        /// A private store through a pointer overwrites whatever the pointer may lead to.
        StrongUpdate = "strong-update",
        /// A compare-and-exchange writes although it fails.
        UpdateAlways = "update-always",
        /// The accesses of one instruction are steps of their own.
        StepSplit = "step-split",
        /// Registers keep the values of one path where two paths meet.
        MeetRegisters = "meet-registers",
        /// Memory is that of one path where two paths meet.
        MeetMemory = "meet-memory",
        /// The second way of a branch is open whatever the condition.
        BranchBoth = "branch-both",
        /// A function returns the value of its first return.
        ReturnFirst = "return-first",
        /// A loop may run one iteration less than its bound.
        UnwindLess = "unwind-less",
        /// A loop may run one iteration more than its bound.
        UnwindMore = "unwind-more",
        /// An iteration that writes shared memory counts as idle.
        IdleWrites = "idle-writes",
        /// An iteration that changes live registers counts as idle.
        IdleRegisters = "idle-registers",
        /// An iteration that changes private memory counts as idle.
        IdlePrivate = "idle-private",
        /// Threads get the null pointer instead of their argument.
        ArgumentLost = "argument-lost",
        /// A thread leaves no result.
        ResultLost = "result-lost",
        /// Memory is that of the first place if main may become concurrent in several places.
        StartMemory = "start-memory",
        /// Memory that nobody has written is zero.
        ZeroLocals = "zero-locals",
        /// Undefined behaviour ends a path without a record of it.
        CutLost = "cut-lost",
        /// Two accesses of an array meet only if their elements are the same term.
        ElementAliasMissed = "element-alias-missed",
        /// An array's labels need not be what they foretell.
        LabelWrong = "label-wrong",
        /// A write to an unknown element of an array changes none of the others' reads.
        ElementWriteLost = "element-write-lost",
        /// Uninitialised elements of an array are read anew every time.
        ElementAnew = "element-anew",
        /// An access may begin anywhere within its object and at its end.
        BoundsMissed = "bounds-missed",
        /// An access may reach an object whose life has ended.
        EndMissed = "end-missed",
        /// A lock does not wait for its mutex.
        LockPasses = "lock-passes",
        /// Trying a mutex takes it although it is held.
        TryLockTakes = "try-lock-takes",
        /// An operation that blocks within a section does not keep the section from running.
        SectionGoesOn = "section-goes-on",
        /// Assumptions of one path count as true of all.
        FactOfOnePath = "fact-of-one-path",
        /// Every thread believes that it is main.
        SelfIsMain = "self-is-main",
    }
    HEAP {
        /// Paths allocate an object where they first write to it.
        BegunByWriting = "begun-by-writing",
        /// Publication writes nothing: what a thread has prepared of an object is not there when others come to it.
        EscapeEmpty = "escape-empty",
        /// Main is alone when the first of several threads has been joined.
        AloneTooEarly = "alone-too-early",
        /// Memory that others have left is not read when main is alone.
        AloneUnread = "alone-unread",
        /// Escape ends at one object: those that it points to do not escape with it.
        EscapeShallow = "escape-shallow",
        /// Reads from shared memory lead to no object of the thread's own that may have escaped.
        EscapeForgotten = "escape-forgotten",
    }
    POINTS {
        /// The list of what is stored at a place misses the last address.
        ListedLost = "listed-lost",
        /// The list of what is stored at a place misses the greatest number.
        NumberUnlisted = "number-unlisted",
        /// Values that depend on themselves are followed one round less than there are writes.
        RoundMissed = "round-missed",
        /// Nobody notices that a thread accesses what another thread has allocated.
        BorrowingMissed = "borrowing-missed",
        /// Decisions leave all but the greatest value of a word.
        FeasibleLost = "feasible-lost",
        /// Numbers that nobody has chosen stay out of lists.
        HopeKept = "hope-kept",
    }
    WATCHES {
        /// Accesses race wherever they are in an object that may be the same.
        OverlapUnasked = "overlap-unasked",
        /// An access is announced for ever.
        AnnouncementStays = "announcement-stays",
        /// A section that would block races with nobody.
        SectionUnseen = "section-unseen",
    }
    SHRUNK {
        /// An iteration that loses memory counts as idle.
        IdleLosses = "idle-losses",
        /// An iteration that gives a mutex back and takes it again counts as idle.
        IdleWaits = "idle-waits",
        /// Every execution comes to its end.
        EndsAssumed = "ends-assumed",
    }
    DEFECTS {
        /// What was allocated without a value never gets one.
        FreshForever = "fresh-forever",
        /// Pointers may be anywhere behind the end of their object.
        BeyondEndAllowed = "beyond-end-allowed",
    }
}
