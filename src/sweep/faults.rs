//! Deliberate errors of sweeps, by kind.

crate::base::faults::declare! {
    PRUNING {
        /// A violation counts for smaller bounds.
        ViolationShrinks = "violation-shrinks",
        /// A bounded answer counts for larger bounds.
        BoundedGrows = "bounded-grows",
    }
    CUBES {
        /// Cubes of which one is missing count as a whole.
        CubeMissing = "cube-missing",
        /// Cubes of different formulas count as a whole.
        ForeignCube = "foreign-cube",
    }
}
