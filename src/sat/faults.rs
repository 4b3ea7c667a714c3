//! Deliberate errors of solvers, by kind.

crate::base::faults::declare! {
    CUBES {
        /// Clauses are taken that follow from another formula.
        ForeignClause = "foreign-clause",
    }
}
