//! Steps of a counterexample in words: what each of them does, in a few.

use super::compare::stores;
use super::line::Line;
use super::{deadlock, race, value, violation_name};
use crate::source::place::{Places, file_line};
use crate::trace::{Action, CopySource, Value};

/// Effect of a step, in a few words.
pub fn effect(action: &Action) -> String {
    let show = value::display;
    match action {
        Action::Read { place, value, .. } => format!("read {place} = {}", show(value)),
        Action::Write { place, value } => format!("write {place} = {}", show(value)),
        Action::Issue { place, value } => {
            format!("{place} = {} into the store buffer", show(value))
        }
        Action::Commit { place, value } => format!("{place} = {} reaches memory", show(value)),
        Action::Update { .. } => update(action, ""),
        Action::Local {
            name,
            value,
            is_variable,
        } => {
            let verb = if *is_variable { "" } else { "write " };
            format!("{verb}{name} = {}", show(value))
        }
        Action::Input { name: None, value } => format!("input {}", show(value)),
        Action::Input {
            name: Some(name),
            value,
        } => format!("input {name} = {}", show(value)),
        Action::Create {
            child,
            function,
            argument,
        } => format!("start thread {}: {function}({})", child.0, show(argument)),
        Action::Call {
            function,
            arguments,
        } => {
            let argument = |(name, value): &(String, Value)| match name.as_str() {
                "" => show(value),
                _ => format!("{name} = {}", show(value)),
            };
            let arguments: Vec<String> = arguments.iter().map(argument).collect();
            format!("call {function}({})", arguments.join(", "))
        }
        Action::Return { function, result } => match result {
            Some(result) => format!("{function} returns {}", show(result)),
            None => format!("{function} returns"),
        },
        Action::Join { child } => format!("thread {} has ended", child.0),
        Action::End => "end of the thread".to_string(),
        Action::Lock { place } | Action::TryLock { place, taken: true } => {
            format!("acquire {place}")
        }
        Action::TryLock {
            place,
            taken: false,
        } => format!("acquire {place}: busy"),
        Action::Unlock { place } => format!("release {place}"),
        Action::Await { place } => format!("waits for {place}"),
        Action::Awake {
            place,
            signalled: true,
        } => format!("woken by a signal of {place}"),
        Action::Awake {
            place,
            signalled: false,
        } => format!("stops waiting for {place} without a signal"),
        Action::Signal { place, all, woken } => {
            let what = if *all { "broadcast" } else { "signal" };
            let woken: Vec<String> = woken.iter().map(|thread| thread.title()).collect();
            match woken.is_empty() {
                true => format!("{what} {place}: nobody waits"),
                false => format!("{what} {place}: wakes {}", woken.join(" and ")),
            }
        }
        Action::Initialise { place } => format!("initialise {place}"),
        Action::Copy {
            to,
            source,
            bytes,
            value,
            ..
        } => copied(to.as_deref(), source, *bytes, value.as_ref()),
        Action::Allocate { block, bytes } => format!("{block} = {bytes} new bytes"),
        Action::Free { block } => format!("free {block}"),
        Action::Reuse {
            object,
            before,
            by,
            freed,
        } => {
            let how = if *freed { "freed" } else { "left" };
            format!("{object} at the place of {before}, {how} by {}", by.title())
        }
        Action::Attempt {
            place,
            access,
            value,
        } => race::attempt(*access, place, value.as_ref()),
        Action::Blocked { awaited } => deadlock::effect(awaited),
        Action::Fence => "fence".to_string(),
        Action::AtomicBegin => "begin atomic".to_string(),
        Action::AtomicEnd => "end atomic".to_string(),
        Action::Violation {
            property, access, ..
        } => {
            format!("VIOLATED: {}", violation_name(*property, access.as_deref()))
        }
    }
}

/// Effect of a step and who wrote what it reads, in a few words: the thread, and the line, with the file if that is not the step's.
/// `note` is what other steps say of it.
pub fn told(action: &Action, note: &str, here: &Line, places: &dyn Places) -> String {
    let writer = writer(action, here, places);
    let initial = match action {
        Action::Read {
            is_initial: true, ..
        } => "initial value",
        _ => "",
    };
    let notes = [writer.as_str(), initial, note];
    let notes: Vec<&str> = notes.into_iter().filter(|note| !note.is_empty()).collect();
    match action {
        Action::Update { .. } => update(action, &bracketed(&notes)),
        Action::Input { name: None, value } if !note.is_empty() => {
            format!("{note} = {} (input)", value::display(value))
        }
        _ => effect(action) + &bracketed(&notes),
    }
}

fn bracketed(notes: &[&str]) -> String {
    match notes.is_empty() {
        true => String::new(),
        false => format!(" ({})", notes.join("; ")),
    }
}

/// A read-modify-write: the value before, of which a note says more, and the one after; of a compare-and-exchange, what it compared with,
/// if that reads otherwise than the value that was there.
fn update(action: &Action, note: &str) -> String {
    let Action::Update {
        place,
        old,
        new,
        expected,
        ..
    } = action
    else {
        return String::new();
    };
    let show = value::display;
    let is_stored = stores(old, new, expected.as_ref());
    let what = match is_stored {
        true => format!("update {place}: {}{note} -> {}", show(old), show(new)),
        false => format!("update {place}: stays {}{note}", show(old)),
    };
    let expected = expected.as_ref();
    match expected.filter(|expected| show(expected) != show(old)) {
        Some(expected) if is_stored => {
            // Only addresses have several names.
            format!("{what} (expected {}, at the same address)", show(expected))
        }
        Some(expected) if expected.value != old.value => {
            format!("{what} (expected {})", show(expected))
        }
        _ => what,
    }
}

/// Writer of what a step has read, in a few words; empty if nobody else has written it.
fn writer(action: &Action, here: &Line, places: &dyn Places) -> String {
    let (Action::Read {
        from: Some(from), ..
    }
    | Action::Update {
        from: Some(from), ..
    }) = action
    else {
        return String::new();
    };
    let thread = from.thread.title();
    match (places.position(from.loc), here) {
        (Some(place), Some((file, _))) if place.file == *file => {
            format!("from {thread}, line {}", place.line)
        }
        (Some(_), _) => format!("from {thread}, {}", file_line(places, from.loc)),
        (None, _) => format!("from {thread}"),
    }
}

/// An operation on a block, in a few words.
fn copied(to: Option<&str>, source: &CopySource, bytes: u64, value: Option<&Value>) -> String {
    let counted = counted(bytes as usize, "byte");
    match (to, source, value.map(value::display)) {
        (None, CopySource::Place(Some(from)), _) => format!("read {counted} of {from}"),
        (None, ..) => format!("nothing of {counted} yet"),
        (Some(to), CopySource::Place(Some(from)), Some(value)) => {
            format!("write {to} = {value}, a copy of {from}")
        }
        (Some(to), _, Some(value)) => format!("write {to} = {value}"),
        (Some(to), CopySource::Place(Some(from)), None) => {
            format!("copy {counted} of {from} to {to}")
        }
        (Some(to), CopySource::Place(None), None) => format!("write {counted} of {to}"),
        (Some(to), CopySource::Byte(byte), None) => format!("set {counted} of {to} to {byte}"),
    }
}

pub fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 {
        ""
    } else if thing.ends_with("ch") {
        "es"
    } else {
        "s"
    };
    format!("{count} {thing}{plural}")
}
