//! Steps of a counterexample in words: what each of them does, in a few.

use super::{deadlock, race, value, violation_name};
use crate::trace::{Action, CopySource, Value};

/// Effect of a step, in a few words.
pub fn effect(action: &Action) -> String {
    let show = value::display;
    match action {
        Action::Read { place, value } => format!("read {place} = {}", show(value)),
        Action::Write { place, value } => format!("write {place} = {}", show(value)),
        Action::Issue { place, value } => format!("issue {place} = {}", show(value)),
        Action::Commit { place, value } => format!("{place} = {} in memory", show(value)),
        Action::Update { place, old, new } if old == new => {
            format!("update {place}: stays {}", show(old))
        }
        Action::Update { place, old, new } => {
            format!("update {place}: {} -> {}", show(old), show(new))
        }
        Action::Local { name, value } => format!("{name} = {}", show(value)),
        Action::Input { name: None, value } => format!("input {}", show(value)),
        Action::Input {
            name: Some(name),
            value,
        } => format!("input {name} = {}", show(value)),
        Action::Create { child } => format!("start thread {}", child.0),
        Action::Join { child } => format!("thread {} has ended", child.0),
        Action::End => "end of the thread".to_string(),
        Action::Lock { place } => format!("lock {place}"),
        Action::TryLock { place, taken: true } => format!("try {place}: taken"),
        Action::TryLock {
            place,
            taken: false,
        } => format!("try {place}: busy"),
        Action::Unlock { place } => format!("unlock {place}"),
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
            format!(
                "{object} at the place of {before}, {how} by thread {}",
                by.0
            )
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
