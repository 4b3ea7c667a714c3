//! Deliberate errors of execution, symbolic or in automata, by kind.

crate::base::faults::declare! {
    SYMEX {
        /// Unsigned words that are equal are also less.
        LessOrEqual = "less-or-equal",
    }
    FLOAT {
        /// Numbers that do not fit into an integer type are converted nevertheless.
        RangeUnchecked = "range-unchecked",
    }
}
