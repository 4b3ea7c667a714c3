//! Deliberate errors of the interpreter, by kind.

crate::base::faults::declare! {
    MACHINE {
        /// No storage has ever been another object's.
        LivesNeverShare = "lives-never-share",
        /// A number leads to what was at its place first, ended or not.
        LeadsToEnded = "leads-to-ended",
        /// Marks do not go through memory.
        MarksNotStored = "marks-not-stored",
        /// Integer arithmetic keeps a mark anywhere in the slot.
        MarksOutside = "marks-outside",
        /// Addresses of different objects differ.
        MarksDiffer = "marks-differ",
        /// An address that is overwritten in part leaves bytes of the internal one.
        MarksTorn = "marks-torn",
    }
    SHRUNK {
        /// The last reads of threads that do nothing more stay in the schedule.
        LastLooksStay = "last-looks-stay",
    }
}
