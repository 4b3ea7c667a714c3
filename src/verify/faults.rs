//! Deliberate errors of verification, by kind.

crate::base::faults::declare! {
    LEVELS {
        /// No bound rises where several loops are cut.
        LevelForgotten = "level-forgotten",
        /// The wrong loop rises: that behind the one that is cut.
        WrongLoopRises = "wrong-loop-rises",
        /// Of each function, the first loop alone counts as cut.
        CutForgotten = "cut-forgotten",
        /// No level follows words that nobody has chosen.
        UnsetWordsEnd = "unset-words-end",
    }
}
