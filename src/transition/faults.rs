//! Deliberate errors of automata and their product, by kind.

crate::base::faults::declare! {
    MODULAR {
        /// A write that others only read needs no location of its own.
        CutWriteMissed = "cut-write-missed",
        /// Automata: a lock does not wait.
        CutLockPasses = "cut-lock-passes",
        /// Automata: a join does not wait.
        CutJoinPasses = "cut-join-passes",
        /// Automata: no thread that a join may have waited for runs afterwards.
        CutJoinForgets = "cut-join-forgets",
        /// Automata: sections are no sections.
        CutSection = "cut-section",
        /// Automata: a compare-and-exchange writes although it fails.
        CutWriteAlways = "cut-write-always",
        /// Automata: freed memory lives on.
        CutFreeKeeps = "cut-free-keeps",
        /// Product: threads move while another is within a section.
        ProductSection = "product-section",
        /// Product: what a thread has written before it stops is lost.
        ProductStops = "product-stops",
        /// Product: only the first two updates of a variable count.
        ProductUpdate = "product-update",
    }
}
