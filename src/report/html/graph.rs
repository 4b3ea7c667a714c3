//! Graph beside the steps of a counterexample: a lane for each thread, and an arrow from each write to the reads that took its value.
//!
//! Each row of the table has its own part of the graph, which fills the row's height, so that no browser has to compute anything: lines
//! that go on in the next row end at 100 %, and what belongs to a step stands at a fixed distance from the row's top. An arrow leaves its
//! write to the right, goes down a track behind the lanes, and comes back to each read; reads of the same write share a track.

use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::ThreadId;
use crate::report::relevant::Shown;
use crate::trace::Action;
use std::fmt::Write;

/// Distance of a step from the top of its row, radius of its dot, and room at the left, in pixels.
const MIDDLE: usize = 12;
const RADIUS: usize = 8;
const LEFT: usize = 14;
/// Distance of tracks, and their largest number.
const TRACK: usize = 9;
const TRACKS: usize = 14;
/// Colours of threads.
pub const COLOURS: u32 = 8;

/// A graph, row by row.
pub struct Graph {
    /// Width in pixels.
    pub width: usize,
    /// Threads that have a lane, and the middle of each.
    pub lanes: Vec<(ThreadId, usize)>,
    /// Part of each row: elements of SVG, made of numbers and names of classes alone.
    pub rows: Vec<String>,
    /// Writes whose arrows would be too many.
    pub undrawn: usize,
}

/// Arrows from one write.
struct Fan {
    write: usize,
    reads: Vec<usize>,
    track: Option<usize>,
}

impl Fan {
    fn end(&self) -> usize {
        self.reads.last().copied().unwrap_or(self.write)
    }
}

/// Life of a thread's lane, in rows.
#[derive(Clone, Copy)]
struct Life {
    begin: usize,
    /// The last row, if the thread ends within the execution.
    end: Option<usize>,
    /// The row from which on it is blocked for ever.
    blocked: Option<usize>,
    /// Row of its creation and of its join: the other thread.
    created: Option<usize>,
    joined: Option<usize>,
}

/// Graph of steps; `writers` has, for each, the row of the write whose value it took. `ended` are threads that come to their ends.
pub fn graph(steps: &[Shown], writers: &[Option<usize>], ended: &SortedSet<ThreadId>) -> Graph {
    let threads: SortedSet<ThreadId> = steps.iter().map(|shown| shown.step.thread).collect();
    let pitch = match threads.len() {
        0..=4 => 34,
        5..=8 => 27,
        _ => 22,
    };
    let lanes: SortedMap<ThreadId, usize> = threads
        .into_iter()
        .enumerate()
        .map(|(lane, thread)| (thread, LEFT + lane * pitch))
        .collect();
    let right = lanes.values().last().copied().unwrap_or(LEFT) + RADIUS;
    let fans = fans(writers);
    let tracks = fans.iter().filter_map(|fan| fan.track);
    let tracks = tracks.max().map_or(0, |last| last + 1);
    let lives = lives(steps, &lanes, ended);
    let buffered = buffered(steps);
    let rows = (0..steps.len()).map(|row| {
        let mut part = String::new();
        lifelines(&mut part, row, &lanes, &lives);
        buffers(&mut part, row, &lanes, &buffered);
        forks(&mut part, row, steps, &lanes, &lives);
        for fan in fans
            .iter()
            .filter(|fan| fan.write <= row && row <= fan.end())
        {
            arrows(&mut part, row, fan, steps, &lanes, right);
        }
        dot(&mut part, steps[row], &lanes);
        part
    });
    Graph {
        rows: rows.collect(),
        width: right + 12 + tracks * TRACK,
        undrawn: fans.iter().filter(|fan| fan.track.is_none()).count(),
        lanes: lanes.into_iter().collect(),
    }
}

/// Arrows, by their writes, each with a track that no other one uses in the same rows.
fn fans(writers: &[Option<usize>]) -> Vec<Fan> {
    let mut reads: SortedMap<usize, Vec<usize>> = SortedMap::new();
    for (read, write) in writers.iter().enumerate() {
        if let Some(write) = write {
            reads.entry(*write).or_default().push(read);
        }
    }
    // The last row of each track that is in use.
    let mut ends: Vec<usize> = Vec::new();
    let fan = |(write, reads): (usize, Vec<usize>)| {
        let end = reads.last().copied().unwrap_or(write);
        let free = ends.iter().position(|last| *last < write);
        let track = match free {
            Some(track) => {
                ends[track] = end;
                Some(track)
            }
            None if ends.len() < TRACKS => {
                ends.push(end);
                Some(ends.len() - 1)
            }
            None => None,
        };
        Fan {
            write,
            reads,
            track,
        }
    };
    reads.into_iter().map(fan).collect()
}

fn lives(
    steps: &[Shown],
    lanes: &SortedMap<ThreadId, usize>,
    ended: &SortedSet<ThreadId>,
) -> SortedMap<ThreadId, Life> {
    let life = |thread: ThreadId| {
        let row = |is: &dyn Fn(&Shown) -> bool| steps.iter().position(is);
        let own = |shown: &Shown| shown.step.thread == thread;
        let first = row(&own).unwrap_or(0);
        let last = steps.iter().rposition(own).unwrap_or(0);
        let created = row(
            &|shown| matches!(shown.step.action, Action::Create { child, .. } if child == thread),
        );
        let joined =
            row(&|shown| matches!(shown.step.action, Action::Join { child } if child == thread));
        let blocked =
            row(&|shown| own(shown) && matches!(shown.step.action, Action::Blocked { .. }));
        Life {
            begin: match thread.0 {
                0 => 0,
                _ => created.map_or(first, |row| row.min(first)),
            },
            end: match joined {
                Some(row) => Some(row.max(last)),
                None => ended.contains(&thread).then_some(last),
            },
            blocked,
            created,
            joined,
        }
    };
    lanes
        .keys()
        .map(|thread| (*thread, life(*thread)))
        .collect()
}

/// Threads with stores in their buffers, before and behind each row.
fn buffered(steps: &[Shown]) -> Vec<[SortedSet<ThreadId>; 2]> {
    let mut counts: SortedMap<ThreadId, usize> = SortedMap::new();
    let filled = |counts: &SortedMap<ThreadId, usize>| {
        let filled = counts.iter().filter(|(_, count)| **count > 0);
        filled.map(|(thread, _)| *thread).collect::<SortedSet<_>>()
    };
    let row = |shown: &Shown| {
        let before = filled(&counts);
        let own = counts.entry(shown.step.thread).or_default();
        match shown.step.action {
            Action::Issue { .. } => *own += 1,
            Action::Commit { .. } => *own = own.saturating_sub(1),
            _ => {}
        }
        [before, filled(&counts)]
    };
    steps.iter().map(row).collect()
}

fn lifelines(
    part: &mut String,
    row: usize,
    lanes: &SortedMap<ThreadId, usize>,
    lives: &SortedMap<ThreadId, Life>,
) {
    for (thread, life) in lives {
        let goes_on = life.end.is_none_or(|end| row <= end);
        if row < life.begin || !goes_on {
            continue;
        }
        let x = lanes[thread];
        let top = if row == life.begin { MIDDLE } else { 0 };
        let bottom = match life.end {
            Some(end) if end == row => MIDDLE.to_string(),
            _ => "100%".to_string(),
        };
        let stuck = match life.blocked {
            Some(blocked) if blocked <= row => " stuck",
            _ => "",
        };
        let colour = thread.0 % COLOURS;
        let _ = write!(
            part,
            "<line class=\"life c{colour}{stuck}\" x1=\"{x}\" x2=\"{x}\" y1=\"{top}\" y2=\"{bottom}\"/>"
        );
    }
}

fn buffers(
    part: &mut String,
    row: usize,
    lanes: &SortedMap<ThreadId, usize>,
    buffered: &[[SortedSet<ThreadId>; 2]],
) {
    let [before, behind] = &buffered[row];
    for thread in before.union(behind) {
        let x = lanes[thread] + RADIUS + 4;
        let top = if before.contains(thread) { 0 } else { MIDDLE };
        let bottom = match behind.contains(thread) {
            true => "100%".to_string(),
            false => MIDDLE.to_string(),
        };
        let colour = thread.0 % COLOURS;
        let _ = write!(
            part,
            "<line class=\"held c{colour}\" x1=\"{x}\" x2=\"{x}\" y1=\"{top}\" y2=\"{bottom}\"/>"
        );
    }
}

/// Lines between the lanes of a thread and of who creates or joins it.
fn forks(
    part: &mut String,
    row: usize,
    steps: &[Shown],
    lanes: &SortedMap<ThreadId, usize>,
    lives: &SortedMap<ThreadId, Life>,
) {
    for (thread, life) in lives {
        if life.created != Some(row) && life.joined != Some(row) {
            continue;
        }
        let (from, to) = (lanes[&steps[row].step.thread], lanes[thread]);
        let colour = thread.0 % COLOURS;
        let _ = write!(
            part,
            "<line class=\"fork c{colour}\" x1=\"{from}\" x2=\"{to}\" y1=\"{MIDDLE}\" y2=\"{MIDDLE}\"/>"
        );
    }
}

fn arrows(
    part: &mut String,
    row: usize,
    fan: &Fan,
    steps: &[Shown],
    lanes: &SortedMap<ThreadId, usize>,
    right: usize,
) {
    let Some(track) = fan.track else {
        return;
    };
    let x = right + 10 + track * TRACK;
    let (write, colour) = (fan.write + 1, steps[fan.write].step.thread.0 % COLOURS);
    let own = lanes[&steps[row].step.thread] + RADIUS;
    // What comes in stands above what goes out.
    let (above, below) = (MIDDLE - 3, MIDDLE + 3);
    let mut path = String::new();
    if row == fan.write {
        let _ = write!(path, "M{own} {below}H{x}");
    }
    if fan.reads.contains(&row) {
        let _ = write!(path, "M{x} {above}H{}", own + 4);
        let (tip, back) = (own, own + 6);
        let _ = write!(
            part,
            "<path class=\"head c{colour} w{write}\" d=\"M{tip} {above}L{back} {}V{}Z\"/>",
            above - 4,
            above + 4
        );
    }
    if !path.is_empty() {
        let _ = write!(
            part,
            "<path class=\"arrow c{colour} w{write}\" d=\"{path}\"/>"
        );
    }
    let top = if row == fan.write { below } else { 0 };
    let bottom = match row == fan.end() {
        true => above.to_string(),
        false => "100%".to_string(),
    };
    let _ = write!(
        part,
        "<line class=\"arrow c{colour} w{write}\" x1=\"{x}\" x2=\"{x}\" y1=\"{top}\" y2=\"{bottom}\"/>"
    );
}

/// Dot of a step with its thread's number; hollow of a store that reaches memory, which is no step of the thread.
fn dot(part: &mut String, shown: Shown, lanes: &SortedMap<ThreadId, usize>) {
    let thread = shown.step.thread;
    let (x, colour) = (lanes[&thread], thread.0 % COLOURS);
    let kind = match shown.step.action {
        Action::Commit { .. } => " hollow",
        Action::Violation { .. } => " wrong",
        _ => "",
    };
    let name = name(thread);
    let _ = write!(
        part,
        "<circle class=\"dot c{colour}{kind}\" cx=\"{x}\" cy=\"{MIDDLE}\" r=\"{RADIUS}\"/>\
         <text class=\"name{kind}\" x=\"{x}\" y=\"{}\">{name}</text>",
        MIDDLE + 4
    );
}

/// Name of a thread in a dot: `m` for main, or its number.
pub fn name(thread: ThreadId) -> String {
    match thread.0 {
        0 => "m".to_string(),
        number => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::example::{int, read, step};
    use crate::trace::TraceStep;

    fn shown(steps: &[TraceStep]) -> Vec<Shown<'_>> {
        let shown = |(index, step)| Shown {
            step,
            index,
            omitted: 0,
        };
        steps.iter().enumerate().map(shown).collect()
    }

    fn write_of(thread: u32) -> TraceStep {
        let place = "x".to_string();
        let value = int(1);
        step(thread, 3, Action::Write { place, value })
    }

    #[test]
    fn reads_of_one_write_share_a_track_and_others_do_not() {
        let writers = [None, None, Some(0), Some(1), Some(0), None, Some(5)];
        let fans = fans(&writers);
        let tracks: Vec<_> = fans.iter().map(|fan| (fan.write, fan.track)).collect();
        assert_eq!(tracks, [(0, Some(0)), (1, Some(1)), (5, Some(0))]);
        assert_eq!(fans[0].reads, [2, 4]);
    }

    #[test]
    fn arrows_beyond_the_last_track_are_counted() {
        let count = TRACKS + 2;
        let mut steps: Vec<TraceStep> = (0..count).map(|_| write_of(1)).collect();
        steps.extend((0..count).map(|_| step(2, 4, read("x", 1))));
        let mut writers = vec![None; count];
        writers.extend((0..count).map(Some));
        let graph = graph(&shown(&steps), &writers, &SortedSet::new());
        assert_eq!(graph.undrawn, 2);
    }

    #[test]
    fn an_arrow_goes_through_every_row_in_between() {
        let steps = [write_of(1), write_of(2), step(2, 4, read("x", 1))];
        let graph = graph(&shown(&steps), &[None, None, Some(0)], &SortedSet::new());
        let lines = graph
            .rows
            .iter()
            .map(|row| row.matches("<line class=\"arrow c1 w1\"").count());
        assert_eq!(lines.collect::<Vec<_>>(), [1, 1, 1]);
        let heads = graph
            .rows
            .iter()
            .map(|row| row.matches("<path class=\"head").count());
        assert_eq!(heads.collect::<Vec<_>>(), [0, 0, 1]);
    }

    #[test]
    fn a_lane_lasts_from_creation_to_join() {
        let create = Action::Create {
            child: ThreadId(1),
            function: "inc".to_string(),
            argument: int(0),
        };
        let steps = [
            step(0, 1, read("x", 0)),
            step(0, 2, create),
            write_of(1),
            step(0, 3, Action::Join { child: ThreadId(1) }),
            step(0, 4, read("x", 1)),
        ];
        let graph = graph(&shown(&steps), &[None; 5], &SortedSet::from([ThreadId(1)]));
        let has = |row: &String| row.contains("class=\"life c1\"");
        let has: Vec<bool> = graph.rows.iter().map(has).collect();
        assert_eq!(has, [false, true, true, true, false]);
        let forks = graph.rows.iter().filter(|row| row.contains("\"fork c1\""));
        assert_eq!(forks.count(), 2);
    }
}
