//! Time that stages have spent on a program, and the terms that there were behind each.

use super::gauge::{self, Gauge};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Work of one stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    /// Name of the stage.
    pub stage: &'static str,
    /// Time of its own, without that of stages within it.
    pub time: Duration,
    /// Terms of the program behind it.
    pub terms: usize,
}

/// Work of all stages, in the order of their first ends.
#[derive(Clone, Default, Debug)]
pub struct Spent {
    works: Vec<Work>,
    /// Passes of symbolic execution.
    pub passes: usize,
    /// Gauge of the lane that works on the program.
    gauge: Arc<Gauge>,
}

/// A stage that has begun.
#[derive(Clone, Copy, Debug)]
pub struct Begun {
    stage: &'static str,
    at: Instant,
    /// Time of all stages until then.
    before: Duration,
    /// Stage that it is within.
    outer: Option<gauge::Begun>,
}

impl Spent {
    /// Stages from now on are written on this gauge.
    pub fn write(&mut self, gauge: &Arc<Gauge>) {
        self.gauge = Arc::clone(gauge);
    }

    /// Begins a stage.
    pub fn begin(&self, stage: &'static str) -> Begun {
        Begun {
            stage,
            at: Instant::now(),
            before: self.total(),
            outer: self.gauge.begin(stage),
        }
    }

    /// Ends a stage with so many terms.
    pub fn end(&mut self, begun: Begun, terms: usize) {
        let within = self.total().saturating_sub(begun.before);
        let own = begun.at.elapsed().saturating_sub(within);
        self.add(begun.stage, own, terms);
        self.gauge.back(begun.outer);
    }

    /// Adds to what a stage has spent.
    pub fn add(&mut self, stage: &'static str, time: Duration, terms: usize) {
        self.gauge.at(|place| place.terms = terms);
        self.gauge.end(stage, time);
        match self.works.iter_mut().find(|work| work.stage == stage) {
            Some(work) => {
                work.time += time;
                work.terms = terms;
            }
            None => self.works.push(Work { stage, time, terms }),
        }
    }

    /// All stages.
    pub fn works(&self) -> &[Work] {
        &self.works
    }

    /// Time of all stages.
    pub fn total(&self) -> Duration {
        self.works.iter().map(|work| work.time).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_within_another_counts_once() {
        let mut spent = Spent::default();
        let outer = spent.begin("outer");
        let inner = spent.begin("inner");
        std::thread::sleep(Duration::from_millis(2));
        spent.end(inner, 3);
        let before = spent.total();
        assert!(before >= Duration::from_millis(2));
        spent.end(outer, 5);
        assert!(spent.total() <= outer.at.elapsed());
        let names: Vec<_> = spent.works().iter().map(|w| (w.stage, w.terms)).collect();
        assert_eq!(names, [("inner", 3), ("outer", 5)]);
        spent.add("inner", Duration::from_millis(1), 7);
        assert_eq!(spent.works()[0].terms, 7);
        assert_eq!(spent.works().len(), 2);
    }
}
