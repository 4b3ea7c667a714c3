//! Deliberate errors of questions, by kind.

crate::base::faults::declare! {
    ENCODING {
        /// Facts of the program are ignored.
        NoFacts = "no-facts",
        /// Violations may leave sections unfinished.
        PartialSections = "partial-sections",
    }
    ROUNDS {
        /// Rounds count as enough although some execution needs more.
        RoundsSuffice = "rounds-suffice",
    }
    UNWINDING {
        /// Unwindings: positions count as enough although some execution needs more.
        PositionsSuffice = "positions-suffice",
    }
}
