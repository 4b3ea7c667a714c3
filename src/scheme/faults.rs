//! Deliberate errors, one switched on at a time, that the tests must catch. In a normal build every hook is
//! the constant `false`.

macro_rules! faults {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A deliberate error in an encoder.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Fault {
            $($(#[$doc])* $name,)*
        }

        impl Fault {
            /// All of them, in order.
            pub const ALL: &'static [Fault] = &[$(Fault::$name),*];

            /// Its name, as the variable `SELVEDGE_FAULT` takes it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Fault::$name => $text,)*
                }
            }
        }
    };
}

faults! {
    /// Every visible event of a section is a step of its own.
    SectionSplit = "section-split",
    /// A thread may start before it is created.
    CreateOrder = "create-order",
    /// A join that nothing waits for gives no static order, and no conditional one either.
    JoinOrder = "join-order",
    /// A join comes through although the thread may not have ended.
    JoinWithoutEnd = "join-without-end",
    /// A join with a symbolic thread comes through for any thread.
    JoinAnyThread = "join-any-thread",
    /// `before` is not closed under later steps of the second thread.
    StaircaseLater = "staircase-later",
    /// `before` is not closed under earlier steps of the first thread.
    StaircaseEarlier = "staircase-earlier",
    /// Cycles over three threads are allowed.
    NoTransitivity = "no-transitivity",
    /// Only one of the two directions of a cycle is excluded.
    HalfTransitivity = "half-transitivity",
    /// A read may take a write although a later one comes before it (no from-read).
    NoFromRead = "no-from-read",
    /// Between writes of two other threads, a read may take either.
    NoCoherence = "no-coherence",
    /// A read may skip the last write of its own thread.
    SkipOwnWrite = "skip-own-write",
    /// A read takes a write of its own section that comes after it.
    LaterOwnWrite = "later-own-write",
    /// A read does not see writes of its own section.
    SectionBlind = "section-blind",
    /// The first write of another thread is never a candidate.
    SkipWrite = "skip-write",
    /// Nobody reads a cell's initial value.
    NoInitial = "no-initial",
    /// A write is there although its guard is false.
    WriteGuard = "write-guard",
    /// A write goes to all its targets, whatever the conditions say.
    WriteWhen = "write-when",
    /// Reads that do not happen are constrained, too.
    ReadGuard = "read-guard",
    /// A read takes its first target, whatever the conditions say.
    ReadWhen = "read-when",
    /// A violated assertion that does not happen counts.
    AssertGuard = "assert-guard",
    /// Facts of the program are ignored.
    NoFacts = "no-facts",
    /// Violations may leave sections unfinished.
    PartialSections = "partial-sections",
    /// Rounds: positions may go back.
    PositionsBack = "positions-back",
    /// Rounds: a later step may be executed without an earlier one.
    PositionsGap = "positions-gap",
    /// Rounds: a thread may start before it is created.
    EarlyChild = "early-child",
    /// Rounds: writes of the last turn of main are lost.
    LastTurnLost = "last-turn-lost",
    /// Rounds: writes of main are lost in rounds after the first.
    RoundLost = "round-lost",
    /// Rounds: what was read in an earlier round is forgotten.
    ForgetRead = "forget-read",
    /// Rounds: a section that cannot finish leaves its writes behind.
    SectionTorn = "section-torn",
    /// Rounds: an assertion counts before its thread has got there.
    AssertEarly = "assert-early",
    /// Rounds: a thread counts as ended before its end is executed.
    EndEarly = "end-early",
    /// Rounds: the order of slots within a round allows no first thread.
    PruneTooMuch = "prune-too-much",
}

#[cfg(any(test, feature = "faults"))]
mod switch {
    use super::Fault;
    use std::cell::Cell;
    use std::sync::OnceLock;

    thread_local! {
        static CURRENT: Cell<Option<Fault>> = const { Cell::new(None) };
    }

    /// Whether the fault is switched on, in this thread or by the variable `SELVEDGE_FAULT`.
    pub fn on(fault: Fault) -> bool {
        static CHOSEN: OnceLock<Option<Fault>> = OnceLock::new();
        let chosen = *CHOSEN.get_or_init(|| {
            let name = std::env::var("SELVEDGE_FAULT").ok()?;
            Fault::ALL
                .iter()
                .copied()
                .find(|fault| fault.name() == name)
        });
        CURRENT.get() == Some(fault) || chosen == Some(fault)
    }

    /// Runs something with a fault switched on in this thread.
    pub fn with<T>(fault: Option<Fault>, run: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(fault);
        let result = run();
        CURRENT.set(before);
        result
    }
}

#[cfg(any(test, feature = "faults"))]
pub use switch::{on, with};

/// Whether a fault is switched on: never, in this build.
#[cfg(not(any(test, feature = "faults")))]
#[inline(always)]
pub const fn on(_fault: Fault) -> bool {
    false
}
