//! Seats: how many threads may work at once for one run, over all races within it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Seats of a run. Who begins it has one from the start; clones are the same ones.
#[derive(Clone, Debug)]
pub struct Seats {
    /// Seats that nobody has.
    free: Arc<AtomicUsize>,
    /// One seat in all: nothing ever works beside anything else.
    pub is_single: bool,
}

impl Seats {
    /// So many seats, at least one.
    pub fn new(count: usize) -> Seats {
        Seats {
            free: Arc::new(AtomicUsize::new(count.saturating_sub(1))),
            is_single: count <= 1,
        }
    }

    /// Takes a seat, if one is free.
    pub fn take(&self) -> bool {
        let less = |free: usize| free.checked_sub(1);
        let taken = self
            .free
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        taken.is_ok()
    }

    /// Gives back so many seats.
    pub fn give(&self, count: usize) {
        self.free.fetch_add(count, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_begins_has_a_seat() {
        let seats = Seats::new(3);
        assert!(seats.take() && seats.clone().take() && !seats.take());
        seats.give(1);
        assert!(seats.take() && !seats.take());
        for few in [0, 1] {
            let seats = Seats::new(few);
            assert!(seats.is_single && !seats.take());
        }
    }
}
