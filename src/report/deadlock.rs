//! Deadlocks in words: for each blocked thread where it stands, what it waits for, and who holds that.

use super::line::called_at;
use crate::base::Loc;
use crate::event::ThreadId;
use crate::source::place::{Places, file_line};
use crate::trace::deadlock::{Awaited, AwaitedKind, Deadlock, Holder, Waiter};

/// Places that are named; further ones are counted.
const MOST_PLACES: usize = 2;

/// Places of the threads to blame: `dine.c:14 and dine.c:21`.
pub fn places_of(deadlock: &Deadlock, places: &dyn Places) -> String {
    let mut locs: Vec<Loc> = deadlock.roots().iter().map(|one| one.loc).collect();
    locs.sort_unstable();
    several(&locs, places)
}

/// Several places, in order.
fn several(locs: &[Loc], places: &dyn Places) -> String {
    let mut names: Vec<String> = Vec::new();
    for loc in locs {
        let name = file_line(places, *loc);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.len().checked_sub(MOST_PLACES) {
        Some(1) => names.join(", "),
        Some(more @ 1..) => format!("{} and {more} more places", names[..MOST_PLACES].join(", ")),
        _ => names.join(" and "),
    }
}

/// All blocked threads, a line each, without indentation.
pub fn details(deadlock: &Deadlock, places: &dyn Places) -> Vec<String> {
    let waiters = deadlock.waiters.iter();
    let mut lines: Vec<String> = waiters.map(|one| line(one, places)).collect();
    if !deadlock.elsewhere.is_empty() {
        let others: Vec<Loc> = deadlock.elsewhere.iter().copied().collect();
        lines.push(format!(
            "in other executions, threads are blocked at {} as well",
            several(&others, places)
        ));
    }
    lines
}

/// Awaited object, in a few words.
pub fn effect(awaited: &Awaited) -> String {
    match awaited.kind {
        AwaitedKind::Loop => "runs in this loop for ever".to_string(),
        AwaitedKind::Thread => format!("waits for {}", short(awaited)),
        _ => {
            let holders = awaited.holders.iter();
            let holders: Vec<String> = holders.map(|one| one.thread.title()).collect();
            let held = match holders.is_empty() {
                true => String::new(),
                false => format!(" (held by {})", holders.join(" and ")),
            };
            format!("waits for {}{held}", short(awaited))
        }
    }
}

/// Stand of a thread, and what it waits for.
fn line(waiter: &Waiter, places: &dyn Places) -> String {
    let at = file_line(places, waiter.loc);
    let called = called_at(&waiter.function, &waiter.calls, places);
    let comma = if called.is_empty() { "" } else { "," };
    let who = waiter.thread.title();
    let awaited = &waiter.awaited;
    let object = match awaited.name.as_str() {
        "" => String::new(),
        name => format!(" `{name}`"),
    };
    let holders = |nobody: &str| match awaited.holders.as_slice() {
        [] => nobody.to_string(),
        holders => {
            let all: Vec<String> = holders
                .iter()
                .map(|one| holder(one, waiter.thread, places))
                .collect();
            format!(", held by {}", all.join(" and "))
        }
    };
    let what = match awaited.kind {
        AwaitedKind::Mutex => format!(
            "the mutex{object}{}",
            holders(", which nobody unlocks any more")
        ),
        AwaitedKind::ReadWriteLock => format!(
            "the read-write lock{object}{}",
            holders(", which nobody unlocks any more")
        ),
        AwaitedKind::Condition => {
            format!("the condition{object}, which nobody signals any more")
        }
        AwaitedKind::Barrier => {
            format!("the others at the barrier{object}, which too few threads reach")
        }
        AwaitedKind::Semaphore => {
            format!("the semaphore{object}, which nobody posts any more")
        }
        AwaitedKind::Once => {
            let by = awaited.holders.first();
            let by = by.map(|one| format!(", {}", running(one, waiter.thread, places)));
            let by = by.unwrap_or_else(|| ", which never comes".to_string());
            format!("the end of the routine that runs once by{object}{by}")
        }
        AwaitedKind::Thread => match awaited.holders.first() {
            Some(own) if own.thread == waiter.thread => "its own end".to_string(),
            Some(other) => format!("the end of {}", other.thread.title()),
            None => "the end of a thread that does not exist".to_string(),
        },
        AwaitedKind::Loop => {
            return format!("{who} spins in the loop at {at}{called}, which nothing ends any more");
        }
        AwaitedKind::Other => "what nobody does any more".to_string(),
    };
    format!("{who} waits at {at}{called}{comma} for {what}")
}

/// Name of what is waited for, or what it is.
pub fn short(awaited: &Awaited) -> String {
    let what = match awaited.kind {
        AwaitedKind::Thread => {
            let other = awaited.holders.first();
            return other.map_or("a thread".to_string(), |one| {
                format!("the end of {}", one.thread.title())
            });
        }
        _ if !awaited.name.is_empty() => return awaited.name.clone(),
        AwaitedKind::Mutex => "a mutex",
        AwaitedKind::ReadWriteLock => "a read-write lock",
        AwaitedKind::Condition => "a condition",
        AwaitedKind::Barrier => "a barrier",
        AwaitedKind::Semaphore => "a semaphore",
        AwaitedKind::Once => "a routine that runs once",
        AwaitedKind::Loop => "the end of a loop",
        AwaitedKind::Other => "others",
    };
    what.to_string()
}

/// Holder of something, and since when.
fn holder(holder: &Holder, own: ThreadId, places: &dyn Places) -> String {
    let since = since_place(holder.since, places);
    if holder.thread == own {
        return format!("itself{since}");
    }
    let ended = if holder.ended {
        ", which has ended"
    } else {
        ""
    };
    format!("{}{since}{ended}", holder.thread.title())
}

/// Runner of a routine, and since when.
fn running(holder: &Holder, own: ThreadId, places: &dyn Places) -> String {
    let since = since_place(holder.since, places);
    if holder.thread == own {
        return format!("in which it is itself{since}");
    }
    let ended = if holder.ended {
        ", which has ended"
    } else {
        ""
    };
    format!("run by {}{since}{ended}", holder.thread.title())
}

fn since_place(since: Option<Loc>, places: &dyn Places) -> String {
    let since = since.map(|loc| format!(" since {}", file_line(places, loc)));
    since.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Position;
    use crate::trace::deadlock::DeadlockKind;

    /// Position n is line n.
    struct Dine;

    impl Places for Dine {
        fn position(&self, loc: Loc) -> Option<Position> {
            (loc != Loc::NONE).then(|| Position {
                file: "dine.c".to_string(),
                line: loc.0,
                column: 5,
            })
        }

        fn line_text(&self, _: Loc) -> Option<String> {
            None
        }
    }

    fn waiter(
        (thread, line): (u32, u32),
        kind: AwaitedKind,
        name: &str,
        holders: Vec<Holder>,
    ) -> Waiter {
        Waiter {
            thread: ThreadId(thread),
            loc: Loc(line),
            calls: Vec::new(),
            function: "eat".to_string(),
            awaited: Awaited {
                kind,
                name: name.to_string(),
                holders,
            },
        }
    }

    fn held(thread: u32, since: u32) -> Vec<Holder> {
        vec![Holder {
            thread: ThreadId(thread),
            since: (since > 0).then_some(Loc(since)),
            ended: false,
        }]
    }

    fn deadlock(waiters: Vec<Waiter>) -> Deadlock {
        Deadlock {
            kind: DeadlockKind::Final,
            waiters,
            elsewhere: Default::default(),
        }
    }

    #[test]
    fn who_waits_and_who_holds_are_told_once() {
        let mut found = deadlock(vec![
            waiter((0, 30), AwaitedKind::Thread, "", held(1, 0)),
            waiter((1, 15), AwaitedKind::Mutex, "b", held(2, 14)),
            waiter((2, 22), AwaitedKind::Mutex, "a", held(1, 21)),
        ]);
        found.waiters[2].calls = vec![Loc(40), Loc(41)];
        assert_eq!(places_of(&found, &Dine), "dine.c:15 and dine.c:22");
        assert_eq!(
            details(&found, &Dine),
            [
                "main waits at dine.c:30 for the end of thread 1",
                "thread 1 waits at dine.c:15 for the mutex `b`, held by thread 2 since dine.c:14",
                "thread 2 waits at dine.c:22, in eat, called at dine.c:41, for the mutex `a`, \
                 held by thread 1 since dine.c:21",
            ]
        );
    }

    #[test]
    fn every_wait_says_what_never_comes() {
        let check = |kind, name: &str, holders: Vec<Holder>, expected: &str| {
            let found = deadlock(vec![waiter((2, 31), kind, name, holders)]);
            assert_eq!(details(&found, &Dine), [format!("thread 2 {expected}")]);
        };
        let none = Vec::new;
        check(
            AwaitedKind::Condition,
            "q.nonempty",
            none(),
            "waits at dine.c:31 for the condition `q.nonempty`, which nobody signals any more",
        );
        check(
            AwaitedKind::Loop,
            "",
            none(),
            "spins in the loop at dine.c:31, which nothing ends any more",
        );
        check(
            AwaitedKind::Barrier,
            "all",
            none(),
            "waits at dine.c:31 for the others at the barrier `all`, which too few threads reach",
        );
        check(
            AwaitedKind::Semaphore,
            "",
            none(),
            "waits at dine.c:31 for the semaphore, which nobody posts any more",
        );
        check(
            AwaitedKind::Mutex,
            "m",
            held(2, 30),
            "waits at dine.c:31 for the mutex `m`, held by itself since dine.c:30",
        );
        let mut ended = held(1, 9);
        ended[0].ended = true;
        check(
            AwaitedKind::Mutex,
            "m",
            ended.clone(),
            "waits at dine.c:31 for the mutex `m`, held by thread 1 since dine.c:9, which has ended",
        );
        let readers = [held(1, 9), held(3, 8)].concat();
        check(
            AwaitedKind::ReadWriteLock,
            "l",
            readers,
            "waits at dine.c:31 for the read-write lock `l`, \
             held by thread 1 since dine.c:9 and thread 3 since dine.c:8",
        );
        check(
            AwaitedKind::Once,
            "c",
            held(2, 30),
            "waits at dine.c:31 for the end of the routine that runs once by `c`, \
             in which it is itself since dine.c:30",
        );
        check(
            AwaitedKind::Once,
            "c",
            ended,
            "waits at dine.c:31 for the end of the routine that runs once by `c`, \
             run by thread 1 since dine.c:9, which has ended",
        );
        check(
            AwaitedKind::Thread,
            "",
            held(2, 0),
            "waits at dine.c:31 for its own end",
        );
        check(
            AwaitedKind::Thread,
            "",
            none(),
            "waits at dine.c:31 for the end of a thread that does not exist",
        );
        check(
            AwaitedKind::Other,
            "",
            none(),
            "waits at dine.c:31 for what nobody does any more",
        );
    }

    #[test]
    fn many_places_are_counted() {
        let at = |thread, line| waiter((thread, line), AwaitedKind::Other, "", Vec::new());
        let places = |waiters| places_of(&deadlock(waiters), &Dine);
        assert_eq!(places(vec![at(1, 5), at(2, 5)]), "dine.c:5");
        assert_eq!(
            places(vec![at(1, 7), at(2, 5), at(3, 6)]),
            "dine.c:5, dine.c:6, dine.c:7"
        );
        assert_eq!(
            places(vec![at(1, 7), at(2, 5), at(3, 6), at(4, 8)]),
            "dine.c:5, dine.c:6 and 2 more places"
        );
    }
}
