//! Deliberate errors of questions, by kind.

crate::base::faults::declare! {
    ENCODING {
        /// Facts of the program are ignored.
        NoFacts = "no-facts",
        /// Violations may leave sections unfinished.
        PartialSections = "partial-sections",
    }
    SHRUNK {
        /// Values that decide whether their own read happens may leave the range that their guard was folded for.
        RangesUnsaid = "ranges-unsaid",
        /// Sections that end at a cut do not count where the level is to suffice.
        WholeSections = "whole-sections",
    }
    ROUNDS {
        /// Rounds count as enough although some execution needs more.
        RoundsSuffice = "rounds-suffice",
        /// A violation counts as all that there are.
        SettledEarly = "settled-early",
    }
    DEADLOCKS {
        /// Threads are in a circle although none of them holds what another one waits for.
        CycleUnsupported = "cycle-unsupported",
        /// A state is final although threads run.
        FinalForOne = "final-for-one",
        /// A thread that was never created runs.
        AbsentRuns = "absent-runs",
        /// Joins of threads that have ended wait.
        EndedJoinWaits = "ended-join-waits",
        /// What a loop changes for a while, a lock that it gives back above all, nobody notices.
        ChangeUnnoticed = "change-unnoticed",
    }
    CHECKS {
        /// One violation of a check counts as all of it.
        OnePlace = "one-place",
        /// Nobody asks for invalid accesses.
        MemoryUnasked = "memory-unasked",
    }
    LEVELS {
        /// Of several loops that are cut, those that one execution reaches count as all.
        OneLoop = "one-loop",
    }
    CHAINS {
        /// After the first level of a chain, its bound does not rise.
        ChainStays = "chain-stays",
    }
    CUBES {
        /// One half of each split is a part of it.
        CubesUncovered = "cubes-uncovered",
        /// Windows are looked at without the violation.
        GoalOptional = "goal-optional",
    }
    UNWINDING {
        /// Unwindings: positions count as enough although some execution needs more.
        PositionsSuffice = "positions-suffice",
    }
}
