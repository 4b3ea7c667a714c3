//! Budget of an analysis: processor time, wall time, memory, and the user's patience.
//!
//! Everything that can run for long asks [`Budget::check`] now and then and gives up with the reason it
//! returns. Asking is cheap: the flag and a monotonic clock are read each time, the dearer counters (processor
//! time, resident memory) at most once in [`PACE`]. As it gets everywhere, it carries the gauge on which the work is read.

use super::gauge::Gauge;
use super::seat::Seats;
use super::share::Share;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Least time between two readings of the processor clock or of the memory counter.
pub const PACE: Duration = Duration::from_millis(5);

/// Reason why an analysis stopped before it had an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StopReason {
    /// The processor time of all threads of the process is used up.
    Timeout,
    /// The wall time is used up.
    Wall,
    /// The process holds more memory than it may.
    Memory,
    /// Somebody asked for an end.
    Interrupted,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Timeout => "time",
            StopReason::Wall => "wall time",
            StopReason::Memory => "memory",
            StopReason::Interrupted => "interrupted",
        })
    }
}

/// Limits of one run. Clones share the flag of [`Budget::cancel`].
#[derive(Clone, Debug)]
pub struct Budget {
    cpu_limit: Option<Duration>,
    wall_deadline: Option<Instant>,
    memory_bytes: Option<u64>,
    cancel: Arc<AtomicBool>,
    /// The budget that this one is a part of.
    within: Option<Arc<Budget>>,
    /// Share of the processor time, which ends nothing: who has had enough waits.
    share: Option<(Arc<Share>, Due)>,
    /// Time when the dear counters are due next.
    due: Due,
    /// Patience: how often it may still be asked; without end if there is none.
    patience: Option<Arc<AtomicU64>>,
    /// Clauses that a formula may have, if they are limited.
    clauses: Option<usize>,
    /// Threads that may work at once under it; as many as there are ways to an answer if that is not limited.
    seats: Option<Seats>,
    /// Gauge of the lane whose budget it is.
    gauge: Arc<Gauge>,
}

impl Budget {
    /// A budget that only [`Budget::cancel`] ends.
    pub fn unlimited() -> Budget {
        Budget {
            cpu_limit: None,
            wall_deadline: None,
            memory_bytes: None,
            cancel: Arc::default(),
            within: None,
            share: None,
            due: Due::now(),
            patience: None,
            clauses: None,
            seats: None,
            gauge: Arc::default(),
        }
    }

    /// Stops when all threads of this process together have used `limit` of processor time since the process began.
    #[must_use]
    pub fn with_cpu_limit(self, limit: Duration) -> Budget {
        Budget {
            cpu_limit: Some(limit),
            ..self
        }
    }

    /// Stops `limit` from now. A limit too far away for the clock is none.
    #[must_use]
    pub fn with_wall_limit(self, limit: Duration) -> Budget {
        Budget {
            wall_deadline: Instant::now().checked_add(limit),
            ..self
        }
    }

    /// Stops when the process holds more than `limit` bytes of resident memory (where the system tells).
    #[must_use]
    pub fn with_memory_limit(self, limit: u64) -> Budget {
        Budget {
            memory_bytes: Some(limit),
            ..self
        }
    }

    /// Stops, as if interrupted, when it has been asked so often: a limit that is the same in every run.
    #[must_use]
    pub(crate) fn with_patience(self, times: u64) -> Budget {
        Budget {
            patience: Some(Arc::new(AtomicU64::new(times))),
            ..self
        }
    }

    /// Stops, as if interrupted, whoever makes a formula of more clauses.
    #[must_use]
    pub(crate) fn with_clause_limit(self, limit: usize) -> Budget {
        Budget {
            clauses: Some(limit),
            ..self
        }
    }

    /// Patience: true if there is an end of it.
    pub(crate) fn has_patience(&self) -> bool {
        let outer = self.within.as_ref();
        self.patience.is_some() || outer.is_some_and(|outer| outer.has_patience())
    }

    /// Lets so many threads work at once, in all races under this budget together.
    #[must_use]
    pub fn with_jobs(self, jobs: usize) -> Budget {
        Budget {
            seats: Some(Seats::new(jobs)),
            ..self
        }
    }

    /// Threads that may work at once, if they are limited.
    pub(crate) fn seats(&self) -> Option<&Seats> {
        let outer = self.within.as_ref().and_then(|outer| outer.seats());
        self.seats.as_ref().or(outer)
    }

    /// Makes threads that ask wait when they have had their share of the processor time, until it has grown or this budget
    /// ends.
    #[must_use]
    pub(crate) fn with_share(self, share: Arc<Share>) -> Budget {
        Budget {
            share: Some((share, Due::now())),
            ..self
        }
    }

    /// A budget that ends where this one ends, and has limits and a flag of its own besides.
    #[must_use]
    pub fn part(&self) -> Budget {
        Budget {
            within: Some(Arc::new(self.clone())),
            gauge: Arc::clone(&self.gauge),
            ..Budget::unlimited()
        }
    }

    /// The budget of a lane, which has a gauge of its own.
    #[must_use]
    pub(crate) fn lane(self, name: &'static str) -> Budget {
        let gauge = self.gauge.lane(name, self.cancel());
        Budget { gauge, ..self }
    }

    /// Gauge of the work that has this budget.
    pub(crate) fn gauge(&self) -> &Arc<Gauge> {
        &self.gauge
    }

    /// Bytes of resident memory that the process may hold, if they are limited.
    pub fn memory_limit(&self) -> Option<u64> {
        let outer = self.within.as_ref().and_then(|outer| outer.memory_limit());
        self.memory_bytes.into_iter().chain(outer).min()
    }

    /// Limit of processor time: true if there is one.
    pub fn has_cpu_limit(&self) -> bool {
        let outer = self.within.as_ref();
        self.cpu_limit.is_some() || outer.is_some_and(|outer| outer.has_cpu_limit())
    }

    /// Processor time that those have used who have the share of this budget, or of one around it; or the whole process.
    pub(crate) fn used(&self) -> Duration {
        match (&self.share, &self.within) {
            (Some((share, _)), _) => share.used(),
            (None, Some(outer)) => outer.used(),
            (None, None) => process_cpu_time(),
        }
    }

    /// The flag that ends everything under this budget, its clones and parts, from any thread or signal handler.
    pub fn cancel(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }

    /// Reason to stop now, if there is one. Waits for one, or for time to go on, while the share is used up.
    pub fn check(&self) -> Option<StopReason> {
        let less = |left: u64| left.checked_sub(1);
        if let Some(patience) = &self.patience
            && (patience.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)).is_err()
        {
            return Some(StopReason::Interrupted);
        }
        loop {
            let reason = self.reason();
            if reason.is_some() || !self.is_share_used_up() {
                return reason;
            }
            thread::sleep(PACE);
        }
    }

    /// Reason to stop now, if there is one, for who makes a formula that has so many clauses.
    pub(crate) fn check_formula(&self, clauses: usize) -> Option<StopReason> {
        match self.clauses {
            Some(limit) if clauses > limit => Some(StopReason::Interrupted),
            _ => self.check(),
        }
    }

    /// Reason to stop now, if there is one, for those who have no share.
    pub fn reason(&self) -> Option<StopReason> {
        if self.cancel.load(Ordering::Relaxed) {
            return Some(StopReason::Interrupted);
        }
        if let Some(reason) = self.within.as_ref().and_then(|outer| outer.reason()) {
            return Some(reason);
        }
        if self.wall_deadline.is_none() && self.cpu_limit.is_none() && self.memory_bytes.is_none() {
            return None;
        }
        let now = Instant::now();
        if self.wall_deadline.is_some_and(|deadline| now >= deadline) {
            return Some(StopReason::Wall);
        }
        if !self.due.is_now() {
            return None;
        }
        if self
            .cpu_limit
            .is_some_and(|limit| process_cpu_time() >= limit)
        {
            return Some(StopReason::Timeout);
        }
        if let Some(limit) = self.memory_bytes
            && resident_bytes().is_some_and(|bytes| bytes > limit)
        {
            return Some(StopReason::Memory);
        }
        // Only an answer of "go on" is kept, so that a reason, once there, is seen by everybody.
        self.due.put_off();
        None
    }

    /// Share, or that of a budget around this one: true if this thread has to wait.
    fn is_share_used_up(&self) -> bool {
        let is_used_up = |(share, due): &(Arc<Share>, Due)| {
            if !due.is_now() {
                return false;
            }
            share.count(thread::current().id(), thread_cpu_time());
            let is_used_up = share.is_used_up(process_cpu_time());
            if !is_used_up {
                due.put_off();
            }
            is_used_up
        };
        self.share.as_ref().is_some_and(is_used_up)
            || self
                .within
                .as_ref()
                .is_some_and(|outer| outer.is_share_used_up())
    }
}

/// Time at which something dear is read next. Clones share it.
#[derive(Clone, Debug)]
struct Due {
    start: Instant,
    /// In nanoseconds after `start`.
    next: Arc<AtomicU64>,
}

impl Due {
    /// Now.
    fn now() -> Due {
        Due {
            start: Instant::now(),
            next: Arc::default(),
        }
    }

    fn elapsed(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn is_now(&self) -> bool {
        self.elapsed() >= self.next.load(Ordering::Relaxed)
    }

    /// Not again before [`PACE`] is over.
    fn put_off(&self) {
        let next = self.elapsed().saturating_add(PACE.as_nanos() as u64);
        self.next.store(next, Ordering::Relaxed);
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::unlimited()
    }
}

/// Processor time that all threads of this process have used since it began.
pub fn process_cpu_time() -> Duration {
    clock(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// Processor time that this thread has used since it began.
pub(crate) fn thread_cpu_time() -> Duration {
    clock(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Time of a clock of the system; zero if there is none.
fn clock(id: libc::clockid_t) -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes one timespec through a pointer to one.
    let status = unsafe { libc::clock_gettime(id, &mut time) };
    if status != 0 {
        return Duration::ZERO;
    }
    Duration::new(
        time.tv_sec.try_into().unwrap_or(0),
        time.tv_nsec.try_into().unwrap_or(0),
    )
}

/// Memory that this process holds, in bytes; `None` where the system has no `/proc`.
pub fn resident_bytes() -> Option<u64> {
    resident_bytes_of("self")
}

/// Memory that the process with this number (or `self`) holds, in bytes.
pub fn resident_bytes_of(process: &str) -> Option<u64> {
    let statm = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    // SAFETY: sysconf only reads a constant of the system.
    let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    Some(pages.saturating_mul(u64::try_from(page_bytes).ok()?))
}

/// The most memory that this process ever held, in bytes; 0 if the system does not tell.
pub fn peak_resident_bytes() -> u64 {
    // SAFETY: `rusage` is plain numbers, for which all zeros are a value; the call fills it in.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    u64::try_from(usage.ru_maxrss)
        .unwrap_or(0)
        .saturating_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks until there is a reason, for at most five seconds.
    fn first_reason(budget: &Budget) -> Option<StopReason> {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(5) {
            if let Some(reason) = budget.check() {
                return Some(reason);
            }
        }
        None
    }

    #[test]
    fn nothing_stops_an_unlimited_budget() {
        assert_eq!(Budget::unlimited().check(), None);
    }

    #[test]
    fn cancelling_a_clone_stops_the_original() {
        let budget = Budget::unlimited();
        budget.clone().cancel().store(true, Ordering::Relaxed);
        assert_eq!(budget.check(), Some(StopReason::Interrupted));
    }

    #[test]
    fn a_part_ends_with_the_whole_but_not_the_other_way_round() {
        let whole = Budget::unlimited().with_memory_limit(1 << 60);
        let part = whole.part();
        let other = whole.part().with_memory_limit(1);
        assert_eq!(first_reason(&other), Some(StopReason::Memory));
        assert_eq!(
            (other.memory_limit(), part.memory_limit()),
            (Some(1), Some(1 << 60))
        );
        part.cancel().store(true, Ordering::Relaxed);
        assert_eq!(part.check(), Some(StopReason::Interrupted));
        assert_eq!(whole.check(), None);
        whole.cancel().store(true, Ordering::Relaxed);
        assert_eq!(whole.part().check(), Some(StopReason::Interrupted));
    }

    #[test]
    fn a_formula_may_have_so_many_clauses() {
        let budget = Budget::unlimited().with_clause_limit(2);
        assert_eq!(budget.check_formula(2), None);
        assert_eq!(budget.check_formula(3), Some(StopReason::Interrupted));
        assert_eq!(Budget::unlimited().check_formula(usize::MAX), None);
        budget.cancel().store(true, Ordering::Relaxed);
        assert_eq!(budget.check_formula(0), Some(StopReason::Interrupted));
    }

    #[test]
    fn each_limit_names_itself() {
        let soon = Duration::from_millis(20);
        let wall = Budget::unlimited().with_wall_limit(soon);
        assert_eq!(wall.check(), None);
        assert_eq!(first_reason(&wall), Some(StopReason::Wall));
        let cpu = Budget::unlimited().with_cpu_limit(process_cpu_time() + soon);
        assert_eq!(cpu.check(), None);
        assert_eq!(first_reason(&cpu), Some(StopReason::Timeout));
        let memory = Budget::unlimited().with_memory_limit(1);
        assert_eq!(first_reason(&memory), Some(StopReason::Memory));
    }

    #[test]
    fn a_reason_stays() {
        let budget = Budget::unlimited().with_cpu_limit(Duration::ZERO);
        for _ in 0..3 {
            assert_eq!(budget.check(), Some(StopReason::Timeout));
        }
    }

    #[test]
    fn a_limit_beyond_the_clock_is_none() {
        assert_eq!(
            Budget::unlimited().with_wall_limit(Duration::MAX).check(),
            None
        );
    }
}
