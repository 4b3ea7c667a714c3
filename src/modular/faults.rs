//! Deliberate errors of unbounded verification, by kind.

crate::base::faults::declare! {
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
    CERTIFICATE {
        /// Texts of a certificate say what they like.
        TextUnread = "certificate-text-unread",
    }
}
