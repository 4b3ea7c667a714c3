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
    SYMMETRY {
        /// Threads are alike although they do different things.
        ThreadsTell = "threads-tell",
        /// Threads are alike although others tell them apart.
        OthersTell = "others-tell",
        /// Threads are alike although memory that one of them has is another one at first.
        CellsTell = "cells-tell",
        /// Threads are alike although facts tell them apart.
        FactsTell = "facts-tell",
        /// Threads are alike although they do the same at different places.
        PlacesTell = "places-tell",
        /// Threads are alike although something happens between their joins.
        JoinsApart = "joins-apart",
        /// Whatever is done with the number of an owner, it does not matter which one it is.
        OwnersTell = "owners-tell",
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
