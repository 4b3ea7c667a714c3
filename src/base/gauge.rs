//! Gauges: where a run is and how large its work has become, for others to read while it works.
//!
//! A budget carries the gauge of its lane, so whoever may run long can write it; each lane that begins has a gauge of its own within
//! that of the run. Writing is cheap and decides nothing: no stage reads a gauge.

use super::meter::{Meter, Reading};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Least time of a stage whose end is kept to be told.
const WORTH_TELLING: Duration = Duration::from_millis(100);
/// Most ends that are kept while nobody asks.
const MOST_ENDS: usize = 64;

/// Place and sizes of the work of one lane.
#[derive(Default, Debug)]
pub struct Gauge {
    /// Names of the lanes that it is within, and its own; none for the whole run.
    names: Vec<&'static str>,
    /// Flag that stops the lane: what it does from then on is of no interest.
    stop: Arc<AtomicBool>,
    has_ended: AtomicBool,
    place: Mutex<Place>,
    /// Events that the present pass of unrolling has made.
    events: AtomicU64,
    /// Clauses that the solver has learnt.
    learnt: AtomicU64,
    search: Mutex<Option<Arc<Meter>>>,
    /// Flag of all lanes of the run: somebody reads their gauges.
    is_read: Arc<AtomicBool>,
    /// Stages that have ended, of all lanes of the run.
    ends: Arc<Mutex<Vec<End>>>,
    lanes: Mutex<Vec<Weak<Gauge>>>,
}

/// A stage, and when it began.
pub type Begun = (&'static str, Instant);

/// Place of a lane's work: what is written rarely.
#[derive(Clone, Default, Debug)]
pub struct Place {
    /// The innermost stage that goes on.
    pub stage: Option<Begun>,
    /// Iterations of loops at the present level of bounds; 0 before the first.
    pub unwind: u32,
    /// Pass of unrolling.
    pub pass: usize,
    /// Name of the scheme.
    pub scheme: &'static str,
    /// Name of the scheme's own bound and what it has risen to.
    pub own: Option<(&'static str, u32)>,
    /// Terms of the program behind the last stage that makes some.
    pub terms: usize,
    /// Variables and clauses that the solver was given.
    pub formula: (usize, usize),
    /// Of the whole run: the last level of bounds that is finished, in words.
    pub finished: String,
    /// Of the whole run: violations that were found.
    pub found: usize,
}

/// A stage that has ended.
#[derive(Clone, Debug)]
pub struct End {
    /// Its name.
    pub stage: &'static str,
    /// Time of its own.
    pub time: Duration,
    /// The lane's work then.
    pub view: View,
}

/// Work of a lane as a reader has found it.
#[derive(Clone, Default, Debug)]
pub struct View {
    /// Names of the lanes that it is within, and its own; none for the whole run.
    pub names: Vec<&'static str>,
    /// Place of the work.
    pub place: Place,
    /// Events that the present pass of unrolling has made.
    pub events: u64,
    /// Clauses that the solver has learnt.
    pub learnt: u64,
    /// Sizes of a search without bounds.
    pub search: Option<Reading>,
    /// Lanes within this one that run.
    pub lanes: Vec<View>,
}

impl Gauge {
    /// Gauge of a lane that begins within this one. It is read until it is closed or dropped, or the lane is told to `stop`.
    pub fn lane(&self, name: &'static str, stop: Arc<AtomicBool>) -> Arc<Gauge> {
        let lane = Arc::new(Gauge {
            names: [&self.names[..], &[name]].concat(),
            stop,
            is_read: Arc::clone(&self.is_read),
            ends: Arc::clone(&self.ends),
            place: Mutex::new(Place {
                unwind: locked(&self.place).unwind,
                ..Place::default()
            }),
            ..Gauge::default()
        });
        let mut lanes = locked(&self.lanes);
        lanes.retain(|known| known.upgrade().is_some_and(|lane| lane.runs()));
        lanes.push(Arc::downgrade(&lane));
        lane
    }

    /// Somebody is going to read the gauges of the run.
    pub fn watch(&self) {
        self.is_read.store(true, Ordering::Relaxed);
    }

    /// True if somebody reads the gauges of the run, so that what costs a little to find out is worth it.
    pub fn is_read(&self) -> bool {
        self.is_read.load(Ordering::Relaxed)
    }

    /// The lane has ended.
    pub fn close(&self) {
        self.has_ended.store(true, Ordering::Relaxed);
    }

    /// Lane that others still want: true if it goes on and was not told to stop.
    fn runs(&self) -> bool {
        !self.has_ended.load(Ordering::Relaxed) && !self.stop.load(Ordering::Relaxed)
    }

    /// A stage begins, or goes on if it has; the one that it is within.
    pub fn begin(&self, stage: &'static str) -> Option<Begun> {
        let mut place = locked(&self.place);
        let outer = place.stage;
        if outer.is_none_or(|(outer, _)| outer != stage) {
            place.stage = Some((stage, Instant::now()));
        }
        outer
    }

    /// The stage that the last one was within goes on.
    pub fn back(&self, outer: Option<Begun>) {
        locked(&self.place).stage = outer;
    }

    /// Keeps the end of a stage, which took so much time of its own.
    pub fn end(&self, stage: &'static str, time: Duration) {
        if time < WORTH_TELLING || !self.is_read() || !self.runs() {
            return;
        }
        let view = self.alone();
        let mut ends = locked(&self.ends);
        if ends.len() < MOST_ENDS {
            ends.push(End { stage, time, view });
        }
    }

    /// Writes the place.
    pub fn at(&self, write: impl FnOnce(&mut Place)) {
        write(&mut locked(&self.place));
    }

    /// A pass of unrolling has so many events.
    pub fn events(&self, events: usize) {
        self.events.store(events as u64, Ordering::Relaxed);
    }

    /// The solver has learnt a clause.
    #[cfg_attr(
        not(any(feature = "cadical", feature = "internals")),
        expect(dead_code, reason = "varisat does not tell")
    )]
    pub fn learnt(&self) {
        self.learnt.fetch_add(1, Ordering::Relaxed);
    }

    /// A search without bounds writes this meter.
    pub fn search(&self, meter: &Arc<Meter>) {
        *locked(&self.search) = Some(Arc::clone(meter));
    }

    /// The work now, with that of all lanes within it that run.
    pub fn read(&self) -> View {
        View {
            lanes: self.lanes().iter().map(|lane| lane.read()).collect(),
            ..self.alone()
        }
    }

    /// Stages of the run that have ended since this was asked last.
    pub fn ends(&self) -> Vec<End> {
        std::mem::take(&mut *locked(&self.ends))
    }

    fn alone(&self) -> View {
        View {
            names: self.names.clone(),
            place: locked(&self.place).clone(),
            events: self.events.load(Ordering::Relaxed),
            learnt: self.learnt.load(Ordering::Relaxed),
            search: locked(&self.search).as_ref().map(|meter| meter.read()),
            lanes: Vec::new(),
        }
    }

    /// Lanes within this one that run.
    fn lanes(&self) -> Vec<Arc<Gauge>> {
        let lanes = locked(&self.lanes);
        let known = lanes.iter().filter_map(Weak::upgrade);
        known.filter(|lane| lane.runs()).collect()
    }
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_read_while_they_run() {
        let run = Gauge::default();
        run.at(|place| place.unwind = 3);
        let stop = Arc::<AtomicBool>::default();
        let (one, other) = (
            run.lane("one", Arc::default()),
            run.lane("other", stop.clone()),
        );
        let within = other.lane("within", Arc::default());
        within.learnt();
        let names = |run: &Gauge| -> Vec<_> {
            let lanes = run.read().lanes;
            lanes.into_iter().map(|lane| lane.names).collect()
        };
        assert_eq!(names(&run), [["one"], ["other"]]);
        let view = run.read().lanes[1].lanes[0].clone();
        assert_eq!(view.names, ["other", "within"]);
        assert_eq!((view.place.unwind, view.learnt), (3, 1));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(names(&run), [["one"]]);
        one.close();
        assert_eq!(names(&run), [[""; 1]; 0]);
    }

    #[test]
    fn ends_outlive_their_lanes() {
        let run = Gauge::default();
        run.watch();
        let lane = run.lane("lane", Arc::default());
        assert_eq!(lane.begin("encode"), None);
        let outer = lane.begin("relation");
        assert_eq!(outer.map(|(stage, _)| stage), Some("encode"));
        lane.back(outer);
        assert_eq!(lane.read().place.stage, outer);
        lane.end("relation", Duration::from_millis(1));
        lane.end("encode", Duration::from_secs(1));
        drop(lane);
        let ends = run.ends();
        assert_eq!((ends.len(), ends[0].stage), (1, "encode"));
        assert_eq!(ends[0].view.names, ["lane"]);
        assert!(run.ends().is_empty());
    }
}
