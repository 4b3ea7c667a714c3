//! Meters: sizes of a search that others read while it goes on.

use std::sync::atomic::{AtomicU64, Ordering};

/// Sizes of a search so far. Who searches writes them, anybody may read them.
#[derive(Default, Debug)]
pub struct Meter {
    latches: AtomicU64,
    frames: AtomicU64,
    clauses: AtomicU64,
    lemmas: AtomicU64,
    queries: AtomicU64,
}

/// Sizes of a search at a moment, as a meter has them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reading {
    /// Latches of the largest system.
    pub latches: u64,
    /// Frames of the present search.
    pub frames: u64,
    /// Clauses that were learnt.
    pub clauses: u64,
    /// Lemmas that were learnt of other threads.
    pub lemmas: u64,
    /// Questions that were asked.
    pub queries: u64,
}

impl Meter {
    /// A system with so many latches is searched.
    pub fn system(&self, latches: usize) {
        self.latches.fetch_max(latches as u64, Ordering::Relaxed);
    }

    /// The search has so many frames.
    pub fn frames(&self, frames: usize) {
        self.frames.store(frames as u64, Ordering::Relaxed);
    }

    /// A clause was learnt.
    pub fn clause(&self) {
        self.clauses.fetch_add(1, Ordering::Relaxed);
    }

    /// So many lemmas were learnt.
    pub fn lemmas(&self, lemmas: usize) {
        self.lemmas.store(lemmas as u64, Ordering::Relaxed);
    }

    /// A question is asked.
    pub fn query(&self) {
        self.queries.fetch_add(1, Ordering::Relaxed);
    }

    /// The sizes now.
    pub fn read(&self) -> Reading {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Reading {
            latches: read(&self.latches),
            frames: read(&self.frames),
            clauses: read(&self.clauses),
            lemmas: read(&self.lemmas),
            queries: read(&self.queries),
        }
    }
}
