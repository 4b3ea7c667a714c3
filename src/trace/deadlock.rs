//! Deadlocks: the threads that are blocked for ever where an execution ends, and what each of them waits for.

use crate::base::Loc;
use crate::base::sorted::SortedSet;
use crate::event::ThreadId;
use std::collections::BTreeSet;

/// Threads that are blocked for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deadlock {
    /// Its kind.
    pub kind: DeadlockKind,
    /// The threads, in the order of their numbers.
    pub waiters: Vec<Waiter>,
    /// Other places at which threads are blocked where those that are to blame stand where they do here, in executions that were found as
    /// well.
    pub elsewhere: BTreeSet<Loc>,
}

/// Kind of a deadlock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DeadlockKind {
    /// Threads that wait for each other, or for what a thread holds that has ended; others may still run.
    Cycle,
    /// Nobody runs any more.
    Final,
    /// The same, but some threads run in loops that nothing ends.
    Spin,
}

/// A thread that is blocked for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiter {
    /// The thread, by its place in [`Trace::threads`](super::Trace::threads).
    pub thread: ThreadId,
    /// The place in the program.
    pub loc: Loc,
    /// Positions of the calls on the stack, outermost first.
    pub calls: Vec<Loc>,
    /// Function it is in.
    pub function: String,
    /// What it waits for.
    pub awaited: Awaited,
}

/// What a thread waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Awaited {
    /// Kind of the object.
    pub kind: AwaitedKind,
    /// Its name; empty if it has none.
    pub name: String,
    /// Threads one of which has to act before; none if that is not known.
    pub holders: Vec<Holder>,
}

/// Kind of what a thread waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AwaitedKind {
    /// A mutex, or a spin lock.
    Mutex,
    /// A read-write lock.
    ReadWriteLock,
    /// A signal of a condition variable.
    Condition,
    /// The others at a barrier.
    Barrier,
    /// A semaphore that is not 0.
    Semaphore,
    /// The end of a routine that runs once.
    Once,
    /// The end of a thread.
    Thread,
    /// The end of the loop that it runs in.
    Loop,
    /// Anything else.
    Other,
}

/// Thread that keeps another one waiting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Holder {
    /// The thread.
    pub thread: ThreadId,
    /// The place where it took what the other one waits for, if that is known.
    pub since: Option<Loc>,
    /// True if it has ended.
    pub ended: bool,
}

impl Deadlock {
    /// Places of all threads, in order, each once.
    pub fn places(&self) -> Vec<Loc> {
        let places: SortedSet<Loc> = self.waiters.iter().map(|one| one.loc).collect();
        places.into_iter().collect()
    }

    /// Takes note of another one with the same threads to blame.
    pub fn add(&mut self, other: &Deadlock) {
        let own = self.places();
        let more = other.places().into_iter().filter(|loc| !own.contains(loc));
        self.elsewhere.extend(more);
    }

    /// Threads that are to blame: those that wait for each other, or for nobody who waits. The others wait for these, as it happens.
    pub fn roots(&self) -> Vec<&Waiter> {
        let is_root = |one: &&Waiter| {
            let after = self.after(one.thread);
            let comes_back = |other: &ThreadId| self.after(*other).contains(&one.thread);
            after.iter().all(comes_back)
        };
        self.waiters.iter().filter(is_root).collect()
    }

    /// Threads that wait for each other in a ring, each for the next one, if there are such; one that waits for itself is a ring.
    pub fn ring(&self) -> Vec<&Waiter> {
        let back = |one: &&Waiter| self.after(one.thread).contains(&one.thread);
        let Some(first) = self.roots().into_iter().find(back) else {
            return Vec::new();
        };
        let mut ring = vec![first];
        let mut at = first;
        loop {
            // All that it waits for leads back to the first.
            let next = self.awaited_by(at.thread);
            if next.is_empty() || next.iter().any(|next| next.thread == first.thread) {
                return ring;
            }
            let fresh = |next: &&&Waiter| !ring.iter().any(|one| one.thread == next.thread);
            let Some(next) = next.iter().find(fresh) else {
                // Another thread than the first closes it.
                let again = ring.iter().position(|one| one.thread == next[0].thread);
                return ring.split_off(again.unwrap_or(0));
            };
            at = next;
            ring.push(at);
        }
    }

    /// Waiters that a thread waits for.
    fn awaited_by(&self, thread: ThreadId) -> Vec<&Waiter> {
        let own = self.waiters.iter().filter(|one| one.thread == thread);
        let holders = own.flat_map(|one| &one.awaited.holders);
        let waiter = |holder: &Holder| self.waiters.iter().find(|one| one.thread == holder.thread);
        holders.filter_map(waiter).collect()
    }

    /// Threads that a thread waits for, directly or not.
    fn after(&self, thread: ThreadId) -> SortedSet<ThreadId> {
        let mut found = SortedSet::new();
        let mut open = vec![thread];
        while let Some(thread) = open.pop() {
            for next in self.awaited_by(thread) {
                if found.insert(next.thread) {
                    open.push(next.thread);
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads with those that each waits for.
    fn deadlock(waits: &[(u32, &[u32])]) -> Deadlock {
        let holder = |thread: &u32| Holder {
            thread: ThreadId(*thread),
            since: None,
            ended: false,
        };
        let waiter = |(thread, holders): &(u32, &[u32])| Waiter {
            thread: ThreadId(*thread),
            loc: Loc(10 + thread % 2),
            calls: Vec::new(),
            function: String::new(),
            awaited: Awaited {
                kind: AwaitedKind::Mutex,
                name: String::new(),
                holders: holders.iter().map(holder).collect(),
            },
        };
        Deadlock {
            kind: DeadlockKind::Final,
            waiters: waits.iter().map(waiter).collect(),
            elsewhere: BTreeSet::new(),
        }
    }

    #[test]
    fn who_only_waits_for_those_to_blame_is_no_root() {
        let check = |waits: &[(u32, &[u32])], roots: &[u32], ring: &[u32]| {
            let found = deadlock(waits);
            let threads =
                |all: Vec<&Waiter>| all.iter().map(|one| one.thread.0).collect::<Vec<u32>>();
            assert_eq!(threads(found.roots()), roots, "{waits:?}");
            assert_eq!(threads(found.ring()), ring, "{waits:?}");
        };
        check(&[(0, &[1]), (1, &[2]), (2, &[1])], &[1, 2], &[1, 2]);
        check(&[(0, &[1]), (1, &[2]), (2, &[])], &[2], &[]);
        check(&[(1, &[1]), (2, &[1])], &[1], &[1]);
        // Whoever has ended waits for nobody.
        check(&[(1, &[7]), (2, &[1])], &[1], &[]);
        check(&[(1, &[2]), (2, &[3]), (3, &[1])], &[1, 2, 3], &[1, 2, 3]);
        // Two rings: the first is one of them.
        check(
            &[(1, &[2, 3]), (2, &[3]), (3, &[2, 1])],
            &[1, 2, 3],
            &[1, 2, 3],
        );
        assert_eq!(deadlock(&[(1, &[]), (2, &[]), (3, &[])]).places().len(), 2);
    }
}
