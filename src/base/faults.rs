//! Deliberate errors, one switched on at a time, that the tests must catch. In a normal build every hook is
//! the constant `false`.

macro_rules! faults {
    ($($(#[$list_doc:meta])* $list:ident { $($(#[$doc:meta])* $name:ident = $text:literal,)* })*) => {
        /// A deliberate error.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Fault {
            $($($(#[$doc])* $name,)*)*
        }

        #[cfg_attr(not(feature = "internals"), allow(dead_code, reason = "tests list them"))]
        impl Fault {
            $(
                $(#[$list_doc])*
                pub const $list: &'static [Fault] = &[$(Fault::$name),*];
            )*

            /// Its name, as the variable `SELVEDGE_FAULT` takes it.
            pub fn name(self) -> &'static str {
                match self {
                    $($(Fault::$name => $text,)*)*
                }
            }
        }
    };
}

faults! {
    /// Errors of the encodings.
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
        /// Reads are known to return initial values.
        NarrowInitial = "narrow-initial",
        /// Writes are left out although something depends on what they write.
        SliceWrites = "slice-writes",
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
        /// Ranges have room for one write only.
        RangeRounds = "range-rounds",
        /// Ranges of signed numbers lack their sign.
        RangeSign = "range-sign",
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
        /// Facts of the program are ignored.
        NoFacts = "no-facts",
        /// Violations may leave sections unfinished.
        PartialSections = "partial-sections",
        /// Rounds: positions may go back.
        PositionsBack = "positions-back",
        /// Rounds: a later step may be executed without an earlier one.
        PositionsGap = "positions-gap",
        /// Rounds: a thread may start before it is created.
        EarlyChild = "early-child",
        /// Rounds: writes of main are lost in rounds after the first.
        RoundLost = "round-lost",
        /// Rounds: what was read in an earlier round is forgotten.
        ForgetRead = "forget-read",
        /// Rounds: a thread's own writes are all there is, whoever else writes.
        OthersWrites = "others-writes",
        /// Rounds: whether a write comes before a read is known in the first turn only in which that can be executed.
        BeforeUntied = "before-untied",
        /// Rounds: a section that cannot finish leaves its writes behind.
        SectionTorn = "section-torn",
        /// Rounds: an assertion counts before its thread has got there.
        AssertEarly = "assert-early",
        /// Rounds: a thread counts as ended before its end is executed.
        EndEarly = "end-early",
        /// Rounds: the order of slots within a round allows no first thread.
        PruneTooMuch = "prune-too-much",
        /// Steps: a register is used again while its term is still looked at.
        RegisterClash = "register-clash",
        /// Steps: a write and a read of one variable may be exchanged.
        NeighboursRead = "neighbours-read",
        /// Steps: two threads may be at one position.
        TwoAtOnce = "two-at-once",
        /// Steps: blocks may not be at their first possible position.
        WindowLate = "window-late",
        /// Steps: blocks may not be at their last possible position.
        WindowEarly = "window-early",
        /// Timestamps: two writes of a variable may have the same.
        EqualStamps = "equal-stamps",
        /// Timestamps: those of a store need not ascend.
        Unsorted = "unsorted-store",
        /// Timestamps: a write's may be that of the access before it.
        StampNotLater = "stamp-not-later",
        /// Timestamps: one less than the writes on a path may need.
        FewStamps = "few-stamps",
        /// Timestamps: the order of two steps is not that of their clocks.
        Untied = "untied",
        /// Timestamps: with equal stamps, a write does not come before a read of a lower thread.
        ReadFirst = "read-first",
        /// Timestamps: a read takes any place that is not after its clock.
        OldRead = "old-read",
        /// Timestamps: what is read does not move the clock.
        ReadClock = "read-clock",
        /// Timestamps: places that are taken need not be contiguous.
        StoreGaps = "store-gaps",
        /// Timestamps: all places are taken, also those of writes that did not run.
        StoreFull = "store-full",
        /// Timestamps: two writes may take one place.
        PlaceShared = "place-shared",
        /// Timestamps: a store has a place less than the writes on a path may need.
        StoreShort = "store-short",
        /// Timestamps: a thread's clock starts at 0.
        ChildClock = "child-clock",
        /// Timestamps: a join does not raise the clock.
        JoinClock = "join-clock",
        /// Timestamps: a join may have the timestamp of the end that it waits for.
        JoinStamp = "join-stamp",
        /// Timestamps: a section's reads may lie at its own stamp.
        OwnStamp = "own-stamp",
        /// Timestamps: another write may come between what a section reads and its stamp.
        SectionGap = "section-gap",
        /// Timestamps: a section exposes its first write to a variable.
        FirstExposed = "first-exposed",
    }
    /// Errors of the scheme `lazy` that only numbers of rounds show, or that it has tests of its own for.
    ROUNDS {
        /// Assertions of a thread before its first step need no turn of it.
        AssertUnstarted = "assert-unstarted",
        /// Pruning: a write can be exchanged with reads of others.
        ReadsCommute = "reads-commute",
        /// Pruning: a read can be exchanged with writes of others.
        WritesCommute = "writes-commute",
        /// Pruning: a join can be exchanged with the end that it waits for.
        JoinCommutes = "join-commutes",
        /// Pruning: the first step of a thread can be exchanged with its creation.
        CreationCommutes = "creation-commutes",
        /// Rounds count as enough although some execution needs more.
        RoundsSuffice = "rounds-suffice",
        /// Narrow integers: what does not fit is cut off.
        NarrowWraps = "narrow-wraps",
    }
    /// Errors of the scheme `mu`, which has tests of its own.
    UNWINDING {
        /// Unwindings: what main does alone counts as writes.
        PrologueCounts = "prologue-counts",
        /// Unwindings: a step cannot be behind as many writes as may come before it.
        WindowShort = "window-short",
        /// Unwindings: a thread that has stopped goes on.
        StopAndGoOn = "stop-and-go-on",
        /// Unwindings: a violation counts although its thread has stopped before it.
        AssertBehindStop = "assert-behind-stop",
        /// Unwindings: a thread starts at the first write.
        ChildPosition = "child-position",
        /// Unwindings: a join does not move its thread behind the end that it waits for.
        JoinPosition = "join-position",
        /// Unwindings: threads that wait for each other's end get through.
        JoinCircle = "join-circle",
        /// Unwindings: whether n writes are enough is asked of executions with n + 1.
        OnePositionMore = "one-position-more",
        /// Unwindings: a thread need not move on where it writes.
        WriteStays = "write-stays",
        /// Unwindings: writes of two threads may have one position.
        PositionShared = "position-shared",
        /// Unwindings: others read what a section has not finished.
        InsideSection = "inside-section",
        /// Unwindings: a question about at most n writes is one about n + 1.
        OneMoreWrite = "one-more-write",
        /// Unwindings: a thread's last write needs no position.
        LastWriteFree = "last-write-free",
        /// Unwindings: positions count as enough although some execution needs more.
        PositionsSuffice = "positions-suffice",
        /// Unwindings, read-explicit: a write to one variable changes all others.
        RowLost = "row-lost",
        /// Unwindings, read-implicit: a read may take a write that its thread has not come to.
        FutureRead = "future-read",
        /// Unwindings, read-implicit: the initial value can be read whatever has been written.
        FirstWrite = "first-write",
        /// Unwindings, read-implicit: a read misses the write at its position, as Figure 6 is printed.
        NextWrite = "next-write",
        /// Unwindings: memory at a position holds what it could before the last write.
        RangeBehind = "range-behind",
        /// Unwindings: a violation seems to need a write more than it does.
        LeastHigh = "least-high",
        /// Unwindings: all writes seem to be needed.
        AllNeeded = "all-needed",
        /// Unwindings, clusters: a thread goes on in the cluster in which another one ended what it needs.
        SameTurn = "same-turn",
        /// Unwindings, clusters: writes may be outside.
        WriteBehind = "write-behind",
        /// Unwindings, clusters: a thread does not see its own writes of the cluster.
        HiddenFromSelf = "hidden-from-self",
        /// Unwindings, clusters: any write of a cluster may be what it leaves.
        HiddenExposed = "hidden-exposed",
        /// Unwindings, read-implicit: several cells that one write changes share its address.
        OneAddress = "one-address",
    }
    /// Errors of the library's models.
    LIBRARY {
        /// A recursive mutex waits for its own owner.
        RecursiveBlocks = "recursive-blocks",
        /// The first unlock releases a recursive mutex, however often it was locked.
        DepthLost = "depth-lost",
        /// A recursive or error-checking mutex has no owner.
        OwnerLost = "owner-lost",
        /// An error-checking mutex does not notice that its owner locks it again.
        DeadlockUnnoticed = "deadlock-unnoticed",
        /// Anybody may unlock an error-checking mutex.
        ForeignUnlock = "foreign-unlock",
        /// A try-lock of a recursive mutex fails for its owner.
        OwnTryLockFails = "own-try-lock-fails",
        /// A robust mutex waits for an owner that has ended.
        RobustBlocks = "robust-blocks",
        /// A thread that takes a robust mutex from one that has ended is not told.
        OwnerDeadUntold = "owner-dead-untold",
        /// A robust mutex that stays inconsistent can be used on.
        InconsistentUsed = "inconsistent-used",
        /// A read-write lock lets a writer in beside readers.
        WriterBesideReaders = "writer-beside-readers",
        /// A read-write lock lets a reader in beside a writer.
        ReaderBesideWriter = "reader-beside-writer",
        /// A read-write lock lets only one reader in.
        OneReader = "one-reader",
        /// The first reader that leaves frees a read-write lock.
        ReadersForgotten = "readers-forgotten",
        /// A try of a read-write lock succeeds whatever its state.
        TryWriteSucceeds = "try-write-succeeds",
        /// A barrier lets everyone through.
        BarrierOpen = "barrier-open",
        /// Every thread is the serial one of a barrier.
        BarrierAllSerial = "barrier-all-serial",
        /// A barrier opens once and stays open.
        BarrierOnce = "barrier-once",
        /// Waiting for a semaphore takes nothing.
        SemaphoreNotTaken = "semaphore-not-taken",
        /// A semaphore has one for everybody.
        SemaphoreOpen = "semaphore-open",
        /// Posting a semaphore sets it to one.
        SemaphoreBinary = "semaphore-binary",
        /// A try of a semaphore does not tell that it failed.
        SemaphoreTryUntold = "semaphore-try-untold",
        /// Two that open a semaphore by one name get two.
        NameForgotten = "name-forgotten",
        /// A routine that is to run once runs every time.
        OnceTwice = "once-twice",
        /// A thread that comes while the routine runs that is to run once does not wait.
        OnceUnfinished = "once-unfinished",
        /// All keys are the same.
        KeysSame = "keys-same",
        /// A thread that returns runs no destructors.
        DestructorsLost = "destructors-lost",
        /// Destructors run once, whatever they leave.
        OneRound = "one-round",
        /// The value is still there when its destructor runs.
        ValueKept = "value-kept",
        /// Cleanup handlers do not run when a thread exits.
        HandlersLost = "handlers-lost",
        /// Only the newest cleanup handler runs.
        OneHandler = "one-handler",
        /// A handler that is taken off is run in any case.
        PopAlways = "pop-always",
        /// Nobody notices that he is cancelled.
        CancelLost = "cancel-lost",
        /// Cancellation that is disabled is not.
        CancelAlways = "cancel-always",
    }
    /// Errors of symbolic execution about machine addresses.
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
        /// Parts of internal addresses are stored where memory is cut.
        PartsInternal = "parts-internal",
    }
    /// Errors of the interpreter about machine addresses.
    MACHINE {
        /// No storage has ever been another object's.
        LivesNeverShare = "lives-never-share",
        /// A number leads to what was at its place first, ended or not.
        LeadsToEnded = "leads-to-ended",
        /// Marks do not go through memory.
        MarksNotStored = "marks-not-stored",
        /// Integer arithmetic keeps a mark anywhere in the slot.
        MarksOutside = "marks-outside",
        /// Addresses of different objects differ.
        MarksDiffer = "marks-differ",
        /// An address that is overwritten in part leaves bytes of the internal one.
        MarksTorn = "marks-torn",
    }
    /// Errors of symbolic execution.
    SYMEX {
        /// An access misses the last object that its address may lead to.
        CandidateLost = "candidate-lost",
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
        /// Facts about a variable that something depends on are no reason to keep what they are built on.
        SliceFacts = "slice-facts",
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
        /// Unsigned words that are equal are also less.
        LessOrEqual = "less-or-equal",
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
    /// Errors of store buffers that are lists with stamps.
    LISTS {
        /// The clock may go back.
        ClockBack = "clock-back",
        /// A write may reach memory before earlier ones of its thread.
        StampFalls = "stamp-falls",
        /// A write may stand before others of the same stamp.
        StampShared = "stamp-shared",
        /// The node that memory holds may be taken for a new write.
        HeadTaken = "head-taken",
        /// A fence waits for nothing.
        FenceTimeless = "fence-timeless",
        /// Parts of one write have stamps of their own.
        PartsAlone = "parts-alone",
        /// A read sees nothing of what its thread has pending.
        ListUnseen = "list-unseen",
        /// PSO: a release store waits for nothing, a release fence neither.
        ListRelease = "list-release",
        /// Steps that have to do with time can be exchanged.
        TimeCommutes = "time-commutes",
        /// More places may be reached through addresses than are asked for.
        AddressUntracked = "address-untracked",
        /// A write may leave its buffer before earlier ones.
        BufferAny = "buffer-any",
        /// A fence is executed while something is pending.
        BufferFence = "buffer-fence",
    }
    /// Errors of weak memory models, in encodings: programs under such a model show them.
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
        /// Conditions that a barrier depends on are left out of the program.
        SliceBarriers = "slice-barriers",
    }
    /// Errors of the front end and of the models of texts, which sequential programs show.
    LANGUAGE {
        /// Members of packed structures are aligned.
        PackedIgnored = "packed-ignored",
        /// `#pragma pack` limits nothing.
        PackIgnored = "pack-ignored",
        /// A structure is not aligned more than its members ask for.
        AlignedIgnored = "aligned-ignored",
        /// Bit-fields are read as unsigned.
        FieldSignLost = "field-sign-lost",
        /// Writing a bit-field clears its neighbours.
        FieldSpills = "field-spills",
        /// The value of an assignment to a bit-field is what is assigned, not what is stored.
        FieldUncut = "field-uncut",
        /// An unsigned bit-field narrower than an int is promoted to an unsigned one.
        FieldUnsigned = "field-unsigned",
        /// An array of variable length has an element more, if one asks for its size.
        VariableSize = "variable-size",
        /// Nobody cleans up where a scope is left.
        CleanupLost = "cleanup-lost",
        /// The first declaration of a scope is cleaned up first.
        CleanupOrder = "cleanup-order",
        /// Shifts in 128 bits look at six bits of their amount only.
        WideShift = "wide-shift",
        /// Checked sums of 128 bits forget the carry.
        CarryLost = "carry-lost",
        /// Signed numbers are shifted to the right as unsigned ones.
        ShiftLogical = "shift-logical",
        /// A range of cases ends before its last one.
        RangeShort = "range-short",
        /// A range of designators ends before its last one.
        DesignatorShort = "designator-short",
        /// The initialiser behind a designated member initialises it again.
        DesignatorStays = "designator-stays",
        /// A selection by type takes its default if it has one.
        GenericDefault = "generic-default",
        /// `va_arg` moves on by one word, however large the argument is.
        ArgumentStep = "argument-step",
        /// `va_copy` gives the list as it began.
        ListRewound = "list-rewound",
        /// A structure is copied but for its last scalar.
        RecordTail = "record-tail",
        /// `char` is unsigned.
        CharUnsigned = "char-unsigned",
        /// Formatted numbers are padded with blanks always.
        ZerosLost = "zeros-lost",
        /// `strtok` does not pass over delimiters in front of a word.
        DelimiterKept = "delimiter-kept",
    }
    /// Errors of unbounded proofs.
    MODULAR {
        /// Excluded cubes may contain initial states.
        PdrInitial = "pdr-initial",
        /// Literals are dropped from cubes without a question.
        PdrUnchecked = "pdr-unchecked",
        /// Clauses move to the next frame without a question.
        PdrPropagate = "pdr-propagate",
        /// k-induction: the base case is one step short.
        InductionBase = "induction-base",
        /// k-induction: that the last state is not bad is a hypothesis.
        InductionHypothesis = "induction-hypothesis",
        /// k-induction: where the last step leads has to differ from the states before, too.
        InductionStays = "induction-stays",
        /// A write that others only read needs no location of its own.
        CutWriteMissed = "cut-write-missed",
        /// Automata: a lock does not wait.
        CutLockPasses = "cut-lock-passes",
        /// Automata: a join does not wait.
        CutJoinPasses = "cut-join-passes",
        /// Automata: sections are no sections.
        CutSection = "cut-section",
        /// Automata: a compare-and-exchange writes although it fails.
        CutWriteAlways = "cut-write-always",
        /// Automata: freed memory lives on.
        CutFreeKeeps = "cut-free-keeps",
        /// Product: threads move while another is within a section.
        ProductSection = "product-section",
        /// Product: what a thread has written before it stops is lost.
        ProductStops = "product-stops",
        /// Product: only the first two updates of a variable count.
        ProductUpdate = "product-update",
    }
    /// Errors of verification thread by thread.
    LEARNING {
        /// A query is answered with no after a few steps.
        QueryFewSteps = "query-few-steps",
        /// Conditions are generalised without a question.
        GeneraliseUnasked = "generalise-unasked",
        /// A promise is looked for after the move that it stands before.
        PromiseAfterMove = "promise-after-move",
        /// Steps are taken together although others can tell when they happen.
        FuseShared = "fuse-shared",
        /// Conditions that a promise's path needs on its way are forgotten.
        PreconditionUnguarded = "precondition-unguarded",
        /// An assumption holds whatever was before the move.
        AssumptionAlways = "assumption-always",
        /// A condition is weakened without a question.
        WeakenUnasked = "weaken-unasked",
        /// All that a flag's thread writes is said to keep its value.
        KeptUnasked = "kept-unasked",
        /// Variables that a flag publishes keep their values whether the flag is set or not.
        KeptAlways = "kept-always",
        /// A flag that is tested is set, whatever the test says.
        FlagSeenSet = "flag-seen-set",
        /// A register has the constant that one way to the place gives it.
        SettleOneWay = "settle-one-way",
        /// Conditions that a path's branches need are forgotten.
        BranchUnsaid = "branch-unsaid",
        /// Values of loop counters at a place of a path are forgotten.
        FixedUnsaid = "fixed-unsaid",
        /// Conditions on what a fact's threads do not write are dropped without a question.
        AloneUnasked = "alone-unasked",
    }
    /// Errors of floating-point arithmetic.
    FLOAT {
        /// Bits that a shift to the right loses are forgotten.
        StickyLost = "sticky-lost",
        /// Ties are rounded away from zero.
        TiesAway = "ties-away",
        /// Subnormal results become zero.
        SubnormalFlushed = "subnormal-flushed",
        /// Zeros of different signs differ.
        SignedZeros = "signed-zeros",
        /// A NaN equals itself.
        NanEqual = "nan-equal",
        /// Integers that have too many bits are cut instead of rounded.
        IntegerCut = "integer-cut",
        /// Numbers that do not fit into an integer type are converted nevertheless.
        RangeUnchecked = "range-unchecked",
    }
}

#[cfg(any(test, feature = "faults"))]
pub mod record;
#[cfg(any(test, feature = "faults"))]
mod switch;
#[cfg(any(test, feature = "faults"))]
pub use switch::{on, with};

/// State of a fault's switch: always off, in this build.
#[cfg(not(any(test, feature = "faults")))]
#[inline(always)]
pub const fn on(_fault: Fault) -> bool {
    false
}
