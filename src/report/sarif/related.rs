//! Places that a finding is about beside its own: the other access of a data race, the end of an object, what blocked threads wait for,
//! and the calls that lead there.

use super::file::Files;
use super::shape::Location;
use crate::base::Loc;
use crate::outcome::Finding;
use crate::report::deadlock::effect;
use crate::report::race::attempt;
use crate::trace::deadlock::Waiter;
use crate::trace::misaccess::Involved;
use crate::trace::race::{LockHeld, Side};

/// A place, its function if that is known, and what there is to say.
type Told<'a> = (Loc, Option<&'a str>, String);

/// The places, with what there is to say of each.
pub fn of(finding: &Finding, files: &mut Files) -> Vec<Location> {
    let trace = &finding.trace;
    let mut told: Vec<Told> = Vec::new();
    if let Some(race) = trace.race() {
        race.sides.iter().for_each(|side| access(side, &mut told));
    } else if let Some(deadlock) = trace.deadlock() {
        for waiter in &deadlock.waiters {
            blocked(waiter, &mut told);
        }
        let elsewhere = "in other executions, a thread is blocked here as well";
        let others = deadlock.elsewhere.iter();
        told.extend(others.map(|loc| (*loc, None, elsewhere.to_string())));
    } else if let Some(last) = trace.steps.last() {
        calls(&last.calls, &last.thread.title(), &mut told);
    }
    let misaccess = trace.misaccess();
    let objects = misaccess.and_then(|access| access.object.as_ref());
    for object in objects.into_iter().chain(trace.lost()) {
        life(object, &mut told);
    }
    let mut locations = Vec::new();
    for (loc, function, words) in told {
        if let Some(location) = files.location(loc, function, &words) {
            let id = Some(locations.len() + 1);
            locations.push(Location { id, ..location });
        }
    }
    locations
}

/// An access of a data race, and the locks that its thread holds.
fn access<'a>(side: &'a Side, told: &mut Vec<Told<'a>>) {
    let who = side.thread.title();
    let what = attempt(side.action, &side.place, side.value.as_ref());
    told.push((side.loc, Some(&side.function), format!("{who} is {what}")));
    calls(&side.calls, &who, told);
    let lock = |lock: &LockHeld| {
        let words = format!("{who} has taken {} here", lock.name);
        (lock.since, None, words)
    };
    told.extend(side.locks.iter().map(lock));
}

/// A blocked thread, and where those that it waits for took what it waits for.
fn blocked<'a>(waiter: &'a Waiter, told: &mut Vec<Told<'a>>) {
    let who = waiter.thread.title();
    let words = format!("{who} {}", effect(&waiter.awaited));
    told.push((waiter.loc, Some(&waiter.function), words));
    calls(&waiter.calls, &who, told);
    for holder in &waiter.awaited.holders {
        let name = match waiter.awaited.name.as_str() {
            "" => "it",
            name => name,
        };
        let words = format!("{} has taken {name} here", holder.thread.title());
        told.extend(holder.since.map(|since| (since, None, words)));
    }
}

/// Calls that lead to a place, the outermost first.
fn calls(calls: &[Loc], who: &str, told: &mut Vec<Told>) {
    let words = format!("called here by {who}");
    told.extend(calls.iter().map(|call| (*call, None, words.clone())));
}

/// Begin and end of an object.
fn life(object: &Involved, told: &mut Vec<Told>) {
    let name = match object.name.as_str() {
        "" => "the object",
        name => name,
    };
    let (begins, ends) = match object.heap {
        true => ("allocated", "freed"),
        false => ("declared", "ended"),
    };
    for (how, at) in [(begins, object.made), (ends, object.ended)] {
        let words = at.map(|(thread, loc)| {
            let words = format!("{name} is {how} here by {}", thread.title());
            (loc, None, words)
        });
        told.extend(words);
    }
}
