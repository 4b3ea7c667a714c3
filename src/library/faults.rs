//! Deliberate errors of the library's models, by kind.

crate::base::faults::declare! {
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
    ANSWERS {
        /// A thread waits for a word whatever its value is.
        FutexUncompared = "futex-uncompared",
        /// Waking all that wait for a word wakes one.
        FutexWakesOne = "futex-wakes-one",
        /// Threads may have one number.
        TidsSame = "tids-same",
        /// A limit in force may be above the most that it may be set to.
        LimitExceeded = "limit-exceeded",
        /// A file may have events that nobody asks for.
        EventsUnasked = "events-unasked",
        /// Both ends of a pipe may have one number.
        EndsSame = "ends-same",
    }
    DEADLOCKS {
        /// A signal wakes nobody.
        SignalLost = "signal-lost",
        /// A broadcast wakes one waiter.
        BroadcastOne = "broadcast-one",
        /// Readers do not wait behind writers, whatever the preference.
        WriterPassed = "writer-passed",
    }
    MISUSE {
        /// Anybody may release any lock.
        ReleaseUnchecked = "release-unchecked",
        /// Whoever tries a lock holds it.
        TryHolds = "try-holds",
        /// Nobody knows what was destroyed.
        DestructionForgotten = "destruction-forgotten",
        /// What has to be initialised is initialised as it is.
        AliveUnchecked = "alive-unchecked",
        /// Objects are never in use.
        UseUnnoticed = "use-unnoticed",
        /// Nobody compares mutexes of those who wait.
        MutexesMixed = "mutexes-mixed",
        /// Keys that are deleted can be used.
        KeysLiveOn = "keys-live-on",
        /// A thread may join itself.
        JoinsItself = "joins-itself",
    }
    LANGUAGE {
        /// Formatted numbers are padded with blanks always.
        ZerosLost = "zeros-lost",
        /// `strtok` does not pass over delimiters in front of a word.
        DelimiterKept = "delimiter-kept",
    }
}
