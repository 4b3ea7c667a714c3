//! Deliberate errors of solvers, by kind.

crate::base::faults::declare! {
    CUBES {
        /// Clauses are taken that follow from another formula.
        ForeignClause = "foreign-clause",
        /// Nobody asks about the last cube.
        CubeLost = "cube-lost",
        /// A cube that the budget has ended counts as decided.
        StoppedCounts = "stopped-counts",
    }
}
