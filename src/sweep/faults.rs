//! Deliberate errors of sweeps, by kind.

crate::base::faults::declare! {
    PRUNING {
        /// A violation counts for smaller bounds.
        ViolationShrinks = "violation-shrinks",
        /// A bounded answer counts for larger bounds.
        BoundedGrows = "bounded-grows",
    }
}
