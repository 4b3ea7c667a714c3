//! Narrowing of what threads write: what a thread with finite executions turns out not to change.

use super::failure::Failure;
use super::lemma::Sequential;
use super::threads::Threads;
use super::unroll::{Unrolled, Unrolling};
use crate::base::id::Id;
use crate::event::ThreadId;
use crate::event::ThreadSet;
use crate::solve::Setup;

impl Threads<'_> {
    /// Leaves out what a thread with finite executions does not change, although some move of it might: elements of an array
    /// that its indices never reach.
    pub fn narrow(&mut self, limit: usize, setup: &Setup) -> Result<(), Failure> {
        for thread in self.automata.threads.ids() {
            if !self.loops_plainly(thread)
                && let Some(mut changed) = changed(self, thread, limit, setup)?
            {
                changed.push(thread.index());
                changed.sort_unstable();
                changed.dedup();
                self.written[thread.index()] = changed;
            }
        }
        Ok(())
    }
}

/// Words that a thread changes after the prologue, whatever others do; `None` if its executions are not finite.
fn changed(
    threads: &Threads,
    thread: ThreadId,
    limit: usize,
    setup: &Setup,
) -> Result<Option<Vec<usize>>, Failure> {
    let program = Sequential {
        thread,
        environment: ThreadSet::first(threads.count()).without(thread),
        query: None,
    };
    let mut unrolling = Unrolling::new(threads, &program, &[], &[], setup)?;
    unrolling.looks_only = true;
    Ok(match unrolling.run(limit)? {
        Unrolled::Safe(..) => {
            let changed = unrolling.changed.iter().enumerate();
            let changed = changed.filter(|(_, changed)| **changed);
            Some(changed.map(|(word, _)| word).collect())
        }
        _ => None,
    })
}
