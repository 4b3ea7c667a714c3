//! Deliberate errors of schemes, by kind.

crate::base::faults::declare! {
    ENCODING {
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
        /// Narrow integers: what does not fit is cut off.
        NarrowWraps = "narrow-wraps",
    }
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
    CHAINS {
        /// Unwindings: a read that does not happen needs a place as if it did.
        SettledUnreached = "settled-unreached",
        /// Rounds, below the clock's bound: writes may reach memory beyond it.
        StampsBeyond = "stamps-beyond",
    }
}
