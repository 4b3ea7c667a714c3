//! Diagram of threads that wait for each other: threads and what they wait for on an ellipse, with an arrow from each thread to what it
//! waits for, and from that to who holds it.

use super::graph::COLOURS;
use crate::base::Loc;
use crate::event::ThreadId;
use crate::report::deadlock::short;
use crate::trace::deadlock::{AwaitedKind, Deadlock, Waiter};
use std::f64::consts::{PI, TAU};

/// Size of a box, and least width of the diagram, in pixels.
const BOX: (f64, f64) = (118.0, 36.0);
const WIDTH: f64 = 440.0;
/// Half of the width of the words on an arrow.
const WORDS: f64 = 52.0;
/// Longest name in a box, in characters.
const LONGEST: usize = 17;

/// A diagram.
pub struct Ring {
    /// Size in pixels.
    pub width: u32,
    pub height: u32,
    /// Threads and objects.
    pub nodes: Vec<Node>,
    /// Arrows.
    pub edges: Vec<Edge>,
}

/// A thread or an object.
pub struct Node {
    /// Its middle.
    pub x: i32,
    pub y: i32,
    /// The thread; `None` of an object.
    pub thread: Option<ThreadId>,
    /// Its name, cut if it is long, and as a whole.
    pub name: String,
    pub whole: String,
    /// A second line: where it stands, or what it is.
    pub about: String,
}

impl Node {
    /// Number of the thread's colour.
    pub fn colour(&self) -> Option<u32> {
        self.thread.map(|thread| thread.0 % COLOURS)
    }
}

/// An arrow.
pub struct Edge {
    /// Ends, and the point that it bends towards.
    pub from: (i32, i32),
    pub to: (i32, i32),
    pub over: (i32, i32),
    /// Its words and their middle.
    pub words: String,
    pub x: i32,
    pub y: i32,
}

/// A node, and the words on the arrow to the next one.
struct Item {
    thread: Option<ThreadId>,
    name: String,
    about: String,
    words: String,
}

/// Diagram of the ring of a deadlock, if there is one with at least two nodes; `line` names a place in a few characters.
pub fn ring(deadlock: &Deadlock, line: &dyn Fn(Loc) -> String) -> Option<Ring> {
    let waiters = deadlock.ring();
    let items: Vec<Item> = waiters
        .iter()
        .enumerate()
        .flat_map(|(index, waiter)| items(waiter, waiters[(index + 1) % waiters.len()], line))
        .collect();
    (items.len() > 1).then(|| drawn(items))
}

/// A thread and what it waits for, which the next thread holds; the thread alone where it waits for the other's end.
fn items(waiter: &Waiter, next: &Waiter, line: &dyn Fn(Loc) -> String) -> Vec<Item> {
    let is_join = waiter.awaited.kind == AwaitedKind::Thread;
    let thread = Item {
        thread: Some(waiter.thread),
        name: waiter.thread.title(),
        about: format!("at {}", line(waiter.loc)),
        words: if is_join { "joins" } else { "waits for" }.to_string(),
    };
    if is_join {
        return vec![thread];
    }
    let mut holders = waiter.awaited.holders.iter();
    let holder = holders.find(|holder| holder.thread == next.thread);
    let since = holder.and_then(|holder| holder.since);
    let since = since.map_or(String::new(), |loc| format!(" since {}", line(loc)));
    let object = Item {
        thread: None,
        name: short(&waiter.awaited),
        about: kind(waiter.awaited.kind).to_string(),
        words: format!("held{since}"),
    };
    vec![thread, object]
}

/// Kind of an object, in a word.
fn kind(kind: AwaitedKind) -> &'static str {
    match kind {
        AwaitedKind::Mutex => "mutex",
        AwaitedKind::ReadWriteLock => "read-write lock",
        AwaitedKind::Condition => "condition",
        AwaitedKind::Barrier => "barrier",
        AwaitedKind::Semaphore => "semaphore",
        AwaitedKind::Once => "once",
        AwaitedKind::Thread => "thread",
        AwaitedKind::Loop => "loop",
        AwaitedKind::Other => "",
    }
}

fn drawn(items: Vec<Item>) -> Ring {
    let count = items.len();
    // Boxes beside each other at the top have room.
    let apart = (BOX.0 + 10.0) / 2.0 / (PI / count as f64).sin();
    let wide = apart.max(WIDTH / 2.0 - BOX.0 / 2.0 - 2.0);
    let width = 2.0 * wide + BOX.0 + 4.0;
    let radius = match count {
        2 => (wide, 0.0),
        3..=4 => (wide, 62.0),
        _ => (wide, 20.0 * count as f64),
    };
    let height = 2.0 * radius.1 + BOX.1 + if count == 2 { 60.0 } else { 30.0 };
    let middle = (width / 2.0, height / 2.0);
    let at = |index: usize| {
        // The first stands at the left, and the next ones go round with the clock.
        let angle = PI + TAU * index as f64 / count as f64;
        (
            middle.0 + radius.0 * angle.cos(),
            middle.1 + radius.1 * angle.sin(),
        )
    };
    // Arrows bend around the middle, towards the corners of the polygon around the ellipse.
    let bend = |index: usize| {
        let half = PI / count as f64;
        let angle = PI + TAU * index as f64 / count as f64 + half;
        let far = (1.0 / half.cos()).min(1.45);
        match count {
            2 if index == 0 => (middle.0, middle.1 - 40.0),
            2 => (middle.0, middle.1 + 40.0),
            _ => (
                middle.0 + radius.0 * far * angle.cos(),
                middle.1 + radius.1 * far * angle.sin(),
            ),
        }
    };
    let edge = |index: usize| {
        let (from, to, over) = (at(index), at((index + 1) % count), bend(index));
        let (tail, tip) = (leave(from, over), leave(to, over));
        let half = |one: f64, over: f64, other: f64| (one + 2.0 * over + other) / 4.0;
        let (x, y) = (half(tail.0, over.0, tip.0), half(tail.1, over.1, tip.1));
        // Words stand outside, seen from the middle.
        let outside = if y < middle.1 - 1.0 { -6.0 } else { 14.0 };
        Edge {
            from: whole(tail),
            to: whole(tip),
            over: whole(over),
            words: items[index].words.clone(),
            x: x.clamp(WORDS, width - WORDS).round() as i32,
            y: (y + outside).round() as i32,
        }
    };
    let edges = (0..count).map(edge).collect();
    let nodes = items.iter().enumerate().map(|(index, item)| {
        let (x, y) = whole(at(index));
        Node {
            x,
            y,
            thread: item.thread,
            name: cut(&item.name),
            whole: item.name.clone(),
            about: item.about.clone(),
        }
    });
    Ring {
        width: width.round() as u32,
        height: height.round() as u32,
        nodes: nodes.collect(),
        edges,
    }
}

/// Point at which a line from the middle of a box to another point leaves the box, with a little room.
fn leave(from: (f64, f64), to: (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (wide, high) = (BOX.0 / 2.0 + 4.0, BOX.1 / 2.0 + 4.0);
    let part = |half: f64, length: f64| match length.abs() {
        0.0 => f64::INFINITY,
        length => half / length,
    };
    let share = part(wide, dx).min(part(high, dy)).min(1.0);
    (from.0 + dx * share, from.1 + dy * share)
}

fn whole((x, y): (f64, f64)) -> (i32, i32) {
    (x.round() as i32, y.round() as i32)
}

/// A name in a box: of a long one, its end, which tells more.
fn cut(name: &str) -> String {
    let count = name.chars().count();
    match count > LONGEST {
        true => {
            let rest = name.chars().skip(count - LONGEST + 1);
            format!("…{}", rest.collect::<String>())
        }
        false => name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::deadlock::{Awaited, DeadlockKind, Holder};

    fn waiter(thread: u32, kind: AwaitedKind, holder: u32) -> Waiter {
        Waiter {
            thread: ThreadId(thread),
            loc: Loc(20 + thread),
            calls: Vec::new(),
            function: "eat".to_string(),
            awaited: Awaited {
                kind,
                name: format!("fork[{holder}]"),
                holders: vec![Holder {
                    thread: ThreadId(holder),
                    since: Some(Loc(10 + holder)),
                    ended: false,
                }],
            },
        }
    }

    fn of(waiters: Vec<Waiter>) -> Option<Ring> {
        let deadlock = Deadlock {
            kind: DeadlockKind::Cycle,
            waiters,
            elsewhere: Default::default(),
        };
        ring(&deadlock, &|loc| loc.0.to_string())
    }

    #[test]
    fn threads_and_locks_alternate() {
        let mutex = AwaitedKind::Mutex;
        let ring = of(vec![waiter(1, mutex, 2), waiter(2, mutex, 1)]).expect("a ring");
        let names: Vec<_> = ring.nodes.iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["thread 1", "fork[2]", "thread 2", "fork[1]"]);
        let words: Vec<_> = ring.edges.iter().map(|edge| edge.words.as_str()).collect();
        assert_eq!(
            words,
            ["waits for", "held since 12", "waits for", "held since 11"]
        );
        assert_eq!(ring.nodes[0].about, "at 21");
    }

    #[test]
    fn a_thread_that_joins_has_an_arrow_to_the_other() {
        let waiters = vec![
            waiter(0, AwaitedKind::Thread, 1),
            waiter(1, AwaitedKind::Mutex, 0),
        ];
        let ring = of(waiters).expect("a ring");
        let names: Vec<_> = ring.nodes.iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["main", "thread 1", "fork[0]"]);
        assert_eq!(ring.edges[0].words, "joins");
        assert!(of(vec![waiter(1, AwaitedKind::Thread, 1)]).is_none());
    }

    #[test]
    fn everything_is_within_the_picture() {
        for count in 1..9 {
            let next = |thread: u32| thread % count + 1;
            let waiters =
                (1..=count).map(|thread| waiter(thread, AwaitedKind::Mutex, next(thread)));
            let ring = of(waiters.collect()).expect("a ring");
            let (wide, high) = (BOX.0 as i32 / 2, BOX.1 as i32 / 2);
            for node in &ring.nodes {
                assert!(node.x >= wide && node.x + wide <= ring.width as i32);
                assert!(
                    node.y >= high && node.y + high <= ring.height as i32,
                    "{count}"
                );
            }
            for edge in &ring.edges {
                assert!(0 <= edge.y && edge.y <= ring.height as i32, "{count}");
            }
        }
    }

    #[test]
    fn a_long_name_is_cut() {
        assert_eq!(cut("a_very_long_name_of_a_lock"), "…g_name_of_a_lock");
        assert_eq!(cut("current.lock"), "current.lock");
    }
}
