//! Deliberate errors of the search for invariants and of k-induction, by kind.

crate::base::faults::declare! {
    SYSTEMS {
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
    }
    LOCKSTEP {
        /// Candidates are kept without a question.
        KnownUnproved = "known-unproved",
    }
    FAMILIES {
        /// Clauses about all equal members hold for any number of them.
        SymmetryAll = "symmetry-all",
    }
}
