//! Progress of the unbounded search: its strategies write meters, which are read now and then.

use super::result::Progress;
use crate::base::Gauge;
use crate::base::meter::{Meter, Reading};
use crate::modular::{Failure, Finding, Proof, Strategy};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Time between two lines on a strategy that has learnt something.
const LEARNT_EVERY: Duration = Duration::from_millis(500);
/// Time between two lines on a strategy that has only asked.
const ASKED_EVERY: Duration = Duration::from_secs(2);

/// Strategies of one run.
#[derive(Clone, Default)]
pub(super) struct Strategies {
    interleavings: Arc<Observed>,
    lockstep: Arc<Observed>,
    one_by_one: Arc<Observed>,
    families: Arc<Observed>,
}

impl Strategies {
    pub fn of(&self, strategy: &Strategy) -> Arc<Observed> {
        Arc::clone(match strategy {
            Strategy::Interleavings => &self.interleavings,
            Strategy::Lockstep => &self.lockstep,
            Strategy::OneByOne(_) => &self.one_by_one,
            Strategy::Families => &self.families,
        })
    }
}

/// A strategy, as others see it while it works.
#[derive(Default)]
pub(super) struct Observed {
    has_begun: AtomicBool,
    meter: Arc<Meter>,
    /// Its result, in a word, once it has ended.
    end: OnceLock<&'static str>,
}

impl Observed {
    /// Runs the strategy in the lane of a gauge.
    pub fn run(
        &self,
        gauge: &Gauge,
        work: impl FnOnce(&Meter) -> Result<Proof, Failure>,
    ) -> Result<Proof, Failure> {
        self.has_begun.store(true, Ordering::Relaxed);
        gauge.search(&self.meter);
        let result = work(&self.meter);
        let _ = self.end.set(match &result {
            Ok(proof) => name(&proof.finding),
            Err(_) => "error",
        });
        result
    }
}

/// A finding in a word or two.
fn name(finding: &Finding) -> &'static str {
    match finding {
        Finding::Safe { .. } => "proved",
        Finding::Violated { .. } => "violated",
        Finding::Unsupported { .. } | Finding::Refused(_) => "not supported",
        Finding::Stopped(_) => "stopped",
        Finding::Open | Finding::Abstracted { .. } => "no answer",
    }
}

/// A reader of the meters, who tells what is worth it: a few lines a second at most.
pub(super) struct Watch(Vec<Seen>);

/// State of a strategy when it was last told of.
struct Seen {
    name: &'static str,
    strategy: Arc<Observed>,
    /// Last reading of the meter, and its time.
    last: Option<(Reading, Instant)>,
    has_ended: bool,
}

impl Watch {
    pub fn of(strategies: &Strategies) -> Watch {
        let seen = |name, strategy: &Arc<Observed>| Seen {
            name,
            strategy: Arc::clone(strategy),
            last: None,
            has_ended: false,
        };
        Watch(vec![
            seen("all interleavings", &strategies.interleavings),
            seen("in lockstep", &strategies.lockstep),
            seen("thread by thread", &strategies.one_by_one),
            seen("families of threads", &strategies.families),
        ])
    }

    /// Tells what is new.
    pub fn look(&mut self, progress: &mut dyn FnMut(&Progress)) {
        for seen in &mut self.0 {
            if let Some(words) = seen.news(Instant::now()) {
                progress(&Progress {
                    words: &words,
                    outcome: None,
                    finding: None,
                });
            }
        }
    }
}

impl Seen {
    /// News of the strategy, if they are worth a line now.
    fn news(&mut self, now: Instant) -> Option<String> {
        if self.has_ended || !self.strategy.has_begun.load(Ordering::Relaxed) {
            return None;
        }
        let end = self.strategy.end.get();
        let reading = self.strategy.meter.read();
        let what = match (end, self.last) {
            (Some(end), _) => end,
            (None, None) => "begins",
            (None, Some((last, told))) => {
                let only_asked = Reading {
                    queries: reading.queries,
                    ..last
                };
                let pause = if reading == only_asked {
                    ASKED_EVERY
                } else {
                    LEARNT_EVERY
                };
                if reading == last || now.duration_since(told) < pause {
                    return None;
                }
                ""
            }
        };
        self.has_ended = end.is_some();
        self.last = Some((reading, now));
        let sizes = sizes(&reading);
        let comma = if what.is_empty() || sizes.is_empty() {
            ""
        } else {
            ", "
        };
        Some(format!("modular, {}: {what}{comma}{sizes}", self.name))
    }
}

/// Sizes that are not zero.
fn sizes(reading: &Reading) -> String {
    let all = [
        (reading.frames, "frame", "frames"),
        (reading.lemmas, "lemma", "lemmas"),
        (reading.clauses, "clause", "clauses"),
        (reading.queries, "query", "queries"),
        (reading.latches, "latch", "latches"),
    ];
    let all = all.iter().filter(|(count, ..)| *count > 0);
    let all =
        all.map(|(count, one, more)| format!("{count} {}", if *count == 1 { one } else { more }));
    all.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_where_something_is_new_and_not_too_often() {
        let strategies = Strategies::default();
        let strategy = strategies.of(&Strategy::Interleavings);
        let mut watch = Watch::of(&strategies);
        let start = Instant::now();
        let mut at = |millis: u64| watch.0[0].news(start + Duration::from_millis(millis));
        assert_eq!(at(0), None);
        let result = strategy.run(&Gauge::default(), |meter| {
            let line = |words: &str| Some(format!("modular, all interleavings: {words}"));
            assert_eq!(at(0), line("begins"));
            assert_eq!(at(9000), None);
            meter.query();
            assert_eq!(at(10_000), line("1 query"));
            meter.query();
            assert_eq!(at(11_000), None);
            meter.frames(2);
            meter.system(7);
            assert_eq!(at(11_001), line("2 frames, 2 queries, 7 latches"));
            meter.clause();
            assert_eq!(at(11_400), None);
            assert_eq!(at(11_501), line("2 frames, 1 clause, 2 queries, 7 latches"));
            meter.lemmas(1);
            Err(Failure::Unsound("on purpose".to_string()))
        });
        assert!(result.is_err());
        let end =
            "modular, all interleavings: error, 2 frames, 1 lemma, 1 clause, 2 queries, 7 latches";
        assert_eq!(at(11_502).as_deref(), Some(end));
        assert_eq!(at(99_000), None);
    }
}
