//! Shares of processor time: threads that work beside others, and are not to keep these from what they would reach alone.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::Duration;

/// Share of some threads in the processor time of a process. Each says now and then what it has used; what one has used
/// since it spoke last is not known here.
#[derive(Debug)]
pub struct Share {
    /// Processor time of the process when it began.
    begin: Duration,
    /// Processor time of these threads that is theirs of so much that the process has used since.
    allowance: fn(Duration) -> Duration,
    /// Processor time of each thread, from its beginning.
    used: Mutex<HashMap<ThreadId, Duration>>,
    /// True while nobody else works.
    is_alone: AtomicBool,
}

impl Share {
    /// A share of what the process uses from the time on at which it had used `begin`.
    pub fn new(begin: Duration, allowance: fn(Duration) -> Duration) -> Share {
        Share {
            begin,
            allowance,
            used: Mutex::default(),
            is_alone: AtomicBool::new(false),
        }
    }

    /// Limit: false if all that the process may ever use is theirs.
    pub fn is_limited(&self) -> bool {
        (self.allowance)(Duration::MAX) < Duration::MAX
    }

    /// Lifts the limit while nobody else works.
    pub fn alone(&self, is_alone: bool) {
        self.is_alone.store(is_alone, Ordering::Relaxed);
    }

    /// Notes the processor time that a thread has used since it began.
    pub fn count(&self, thread: ThreadId, used: Duration) {
        let mut threads = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        threads.insert(thread, used);
    }

    /// End of the share: true if its threads have used more than is theirs when the process has used `process`.
    pub fn is_used_up(&self, process: Duration) -> bool {
        if self.is_alone.load(Ordering::Relaxed) {
            return false;
        }
        self.used() > (self.allowance)(process.saturating_sub(self.begin))
    }

    /// Processor time that all of its threads have used.
    pub fn used(&self) -> Duration {
        let threads = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        threads.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number that no other thread has.
    fn thread() -> ThreadId {
        let thread = std::thread::spawn(|| std::thread::current().id());
        thread.join().unwrap()
    }

    #[test]
    fn all_threads_count_from_the_beginning_of_the_run() {
        let seconds = Duration::from_secs;
        let share = Share::new(seconds(10), |whole| whole / 2);
        let (one, other) = (thread(), thread());
        assert!(!share.is_used_up(seconds(10)));
        share.count(one, seconds(1));
        assert!(share.is_used_up(seconds(11)));
        assert!(!share.is_used_up(seconds(12)));
        // What a thread says later contains what it has said before.
        share.count(one, seconds(2));
        share.count(other, seconds(3));
        assert_eq!(share.used(), seconds(5));
        assert!(share.is_used_up(seconds(19)));
        assert!(!share.is_used_up(seconds(20)));
        share.alone(true);
        assert!(!share.is_used_up(seconds(19)));
        share.alone(false);
        assert!(share.is_used_up(seconds(19)));
    }
}
