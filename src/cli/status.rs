//! Status of a run in words, as its gauges have it.

use crate::base::gauge::{End, View};
use crate::base::meter::Reading;
use std::time::Duration;

/// Time, memory, what is known so far, and where the run is: the most important first, since a line may be cut.
pub fn line(view: &View, elapsed: Duration, memory_bytes: u64) -> String {
    let place = &view.place;
    let known = match place.found {
        0 => place.finished.clone(),
        1 => "1 violation found".to_string(),
        found => format!("{found} violations found"),
    };
    let parts = [since(elapsed, memory_bytes), known, works(view)];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" | ")
}

/// The same without what is known, which other lines have said.
pub fn beat(view: &View, elapsed: Duration, memory_bytes: u64) -> String {
    let parts = [since(elapsed, memory_bytes), works(view)];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(": ")
}

/// A stage that has ended.
pub fn ended(end: &End) -> String {
    let place = place(&end.view);
    let sizes = sizes(&end.view, end.stage);
    let took = format!("{} took {:.1} s", end.stage, end.time.as_secs_f64());
    let what = [vec![took], sizes].concat().join(", ");
    if place.is_empty() {
        what
    } else {
        format!("{place}: {what}")
    }
}

fn since(elapsed: Duration, memory_bytes: u64) -> String {
    let time = time(elapsed);
    match memory_bytes >> 20 {
        0 => time,
        megabytes => format!("{time}, {megabytes} MB"),
    }
}

/// Work of all lanes.
fn works(view: &View) -> String {
    let mut all = Vec::new();
    add_works(view, &mut all);
    // What most users ask for comes first.
    let (deadlocks, mut others): (Vec<String>, Vec<String>) = all
        .into_iter()
        .partition(|work| work.starts_with("deadlocks"));
    others.extend(deadlocks);
    others.join("; ")
}

fn add_works(view: &View, all: &mut Vec<String>) {
    if view.lanes.is_empty() {
        all.extend(work(view));
    }
    for lane in &view.lanes {
        add_works(lane, all);
    }
}

/// Work of a lane, if it is known.
fn work(view: &View) -> Option<String> {
    let mut what = Vec::new();
    if let Some((stage, begin)) = view.place.stage {
        what.push(format!("{stage} {}", time(begin.elapsed())));
        what.extend(sizes(view, stage));
    }
    what.extend(view.search.as_ref().map(searched).unwrap_or_default());
    let (place, what) = (place(view), what.join(", "));
    match (place.is_empty(), what.is_empty()) {
        (true, true) => None,
        (true, false) => Some(what),
        (false, true) => Some(place),
        (false, false) => Some(format!("{place}: {what}")),
    }
}

/// Place of a lane's work: which it is, and bounds.
fn place(view: &View) -> String {
    let place = &view.place;
    // Levels are known by their unwinding, schemes by their names.
    let is_known = |name: &&&str| **name == "levels" || **name == place.scheme;
    let names = view.names.iter().filter(|name| !is_known(name));
    let mut words: Vec<String> = names.map(|name| name.to_string()).collect();
    if place.unwind > 0 {
        words.push(format!("unwind {}", place.unwind));
    }
    if !place.scheme.is_empty() {
        words.push(place.scheme.to_string());
    }
    if let Some((bound, level)) = place.own.filter(|(_, level)| *level > 0) {
        words.push(format!("{bound} {level}"));
    }
    words.join(", ")
}

/// Sizes that a stage is about, where they are not zero.
fn sizes(view: &View, stage: &str) -> Vec<String> {
    let place = &view.place;
    let (variables, clauses) = place.formula;
    let mut sizes = Vec::new();
    if stage == "unroll" && place.pass > 0 {
        sizes.push(format!("pass {}", place.pass));
    }
    let terms = (place.terms as u64, "term", "terms");
    let all = match stage {
        "unroll" => vec![(view.events, "event", "events"), terms],
        "solve" | "replay" => vec![
            (variables as u64, "variable", "variables"),
            (clauses as u64, "clause", "clauses"),
            (view.learnt, "learnt", "learnt"),
        ],
        _ => vec![terms],
    };
    sizes.extend(counted(&all));
    sizes
}

/// Sizes of a search without bounds that are not zero.
fn searched(reading: &Reading) -> Vec<String> {
    counted(&[
        (reading.frames, "frame", "frames"),
        (reading.lemmas, "lemma", "lemmas"),
        (reading.clauses, "clause", "clauses"),
        (reading.queries, "query", "queries"),
    ])
}

/// Numbers that are not zero, with words for one and for more.
fn counted(all: &[(u64, &str, &str)]) -> Vec<String> {
    let all = all.iter().filter(|(count, ..)| *count > 0);
    let word = |count, one, more| if count == 1 { one } else { more };
    all.map(|(count, one, more)| format!("{} {}", rounded(*count), word(*count, *one, *more)))
        .collect()
}

/// A number with three digits or so.
fn rounded(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..1_000_000 => format!("{}k", count / 1000),
        _ => format!("{}.{}M", count / 1_000_000, count / 100_000 % 10),
    }
}

/// A time in seconds, or as a clock shows it.
fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{minutes}:{rest:02}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Gauge;
    use crate::base::meter::Meter;
    use std::sync::Arc;

    /// A run with levels, of which two schemes decide the third, and a search without bounds.
    fn run() -> (Gauge, Vec<Arc<Gauge>>) {
        let run = Gauge::default();
        run.begin("analyse");
        run.at(|place| place.finished = "unwind 2: 3 threads, no violation so far".to_string());
        let levels = run.lane("levels", Arc::default());
        levels.at(|place| place.unwind = 4);
        let order = levels.lane("order", Arc::default());
        order.at(|place| {
            place.scheme = "order";
            place.formula = (12_345, 1_234_567);
        });
        order.begin("solve");
        for _ in 0..7 {
            order.learnt();
        }
        let hunt = levels.lane("hunt", Arc::default());
        hunt.at(|place| (place.scheme, place.own) = ("lazy", Some(("rounds", 2))));
        hunt.begin("encode");
        let modular = run.lane("modular", Arc::default());
        let lockstep = modular.lane("lockstep", Arc::default());
        let meter = Arc::<Meter>::default();
        meter.frames(5);
        meter.query();
        lockstep.search(&meter);
        (run, vec![levels, order, hunt, modular, lockstep])
    }

    #[test]
    fn a_line_says_what_is_known_and_what_all_lanes_do() {
        let (run, lanes) = run();
        let works = "unwind 4, order: solve 0 s, 12k variables, 1.2M clauses, 7 learnt; \
                     hunt, unwind 4, lazy, rounds 2: encode 0 s; modular, lockstep: 5 frames, 1 query";
        let words = line(&run.read(), Duration::from_secs(75), 300 << 20);
        let known = "unwind 2: 3 threads, no violation so far";
        assert_eq!(words, format!("1:15, 300 MB | {known} | {works}"));
        let words = beat(&run.read(), Duration::from_secs(3725), 0);
        assert_eq!(words, format!("1:02:05: {works}"));
        run.at(|place| place.found = 2);
        let words = line(&run.read(), Duration::from_secs(1), 0);
        assert!(
            words.starts_with("1 s | 2 violations found | unwind 4"),
            "{words}"
        );
        drop(lanes);
        let words = line(&run.read(), Duration::from_secs(1), 0);
        assert_eq!(words, "1 s | 2 violations found | analyse 0 s");
    }

    #[test]
    fn a_stage_that_has_ended_has_a_time_and_sizes() {
        let run = Gauge::default();
        run.watch();
        run.at(|place| (place.unwind, place.pass, place.terms) = (2, 3, 999));
        run.events(10_000);
        run.end("unroll", Duration::from_millis(1250));
        let words: Vec<String> = run.ends().iter().map(ended).collect();
        assert_eq!(
            words,
            ["unwind 2: unroll took 1.2 s, pass 3, 10k events, 999 terms"]
        );
    }
}
