//! Deliberate errors of reductions, by kind.

crate::base::faults::declare! {
    ENCODING {
        /// Reads are known to return initial values.
        NarrowInitial = "narrow-initial",
        /// Writes are left out although something depends on what they write.
        SliceWrites = "slice-writes",
        /// Ranges have room for one write only.
        RangeRounds = "range-rounds",
        /// Rounds: a thread's own writes are all there is, whoever else writes.
        OthersWrites = "others-writes",
    }
    SYMEX {
        /// Facts about a variable that something depends on are no reason to keep what they are built on.
        SliceFacts = "slice-facts",
    }
    MEMORY {
        /// Conditions that a barrier depends on are left out of the program.
        SliceBarriers = "slice-barriers",
    }
}
