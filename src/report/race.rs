//! Data races in words: places of both accesses, and what is known of each.

use super::line::called_at;
use super::value;
use crate::base::id::Id;
use crate::source::place::{Places, file_line};
use crate::trace::race::{Attempted, LockHeld, Race, Side};
use crate::trace::{Trace, Value};

/// Places of both accesses: `queue.c:18 and queue.c:33`.
pub fn places_of(race: &Race, places: &dyn Places) -> String {
    let [one, other] = race
        .sides
        .each_ref()
        .map(|side| file_line(places, side.loc));
    format!("{one} and {other}")
}

/// Both accesses, a line each, without indentation.
pub fn details(race: &Race, trace: &Trace, places: &dyn Places) -> [String; 2] {
    race.sides.each_ref().map(|side| {
        let thread = thread_of(side, trace, places);
        let locks = locks_of(&side.locks, places);
        let called = called_at(&side.function, &side.calls, places);
        format!("{thread}: {}{called}; {locks}", access_of(side))
    })
}

/// An access that is next, in a few words: `about to write count = 3`.
pub fn attempt(access: Attempted, place: &str, value: Option<&Value>) -> String {
    let what = match access {
        Attempted::Read => "read",
        Attempted::Write => "write",
        Attempted::Update => "update",
        Attempted::Free => "free",
    };
    format!("about to {what} {}", valued(place, value))
}

/// Thread of an access: its start routine, and where it was created.
pub fn thread_of(side: &Side, trace: &Trace, places: &dyn Places) -> String {
    let number = side.thread.index();
    let Some(thread) = trace.threads.get(number).filter(|_| number > 0) else {
        return "main".to_string();
    };
    let function = &thread.function;
    match thread.created_at {
        Some(loc) => {
            let created = file_line(places, loc);
            format!("thread {number} ({function}, created at {created})")
        }
        None => format!("thread {number} ({function})"),
    }
}

/// Access with its bytes and value, in a few words.
pub fn access_of(side: &Side) -> String {
    let what = match side.action {
        Attempted::Read => "read",
        Attempted::Write => "write",
        Attempted::Update => "read and write",
        Attempted::Free => "free",
    };
    let atomic = if side.atomic { "atomic " } else { "" };
    let unit = if side.bytes == 1 { "byte" } else { "bytes" };
    let section = if side.section {
        ", in an atomic section"
    } else {
        ""
    };
    let valued = valued(&side.place, side.value.as_ref());
    format!("{atomic}{what} of {} {unit}: {valued}{section}", side.bytes)
}

fn valued(place: &str, value: Option<&Value>) -> String {
    match value {
        Some(value) => format!("{place} = {}", value::display(value)),
        None => place.to_string(),
    }
}

/// Locks that a thread holds, each with the place where it took it.
pub fn locks_of(locks: &[LockHeld], places: &dyn Places) -> String {
    let held: Vec<String> = locks
        .iter()
        .map(|lock| format!("{} (since {})", lock.name, file_line(places, lock.since)))
        .collect();
    if held.is_empty() {
        "holds no lock".to_string()
    } else {
        format!("holds {}", held.join(", "))
    }
}
