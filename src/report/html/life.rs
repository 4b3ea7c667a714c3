//! Life of the object that an invalid access or a leak is about: where it was made, who got to know it, where it ended, where it was used.

use crate::base::Loc;
use crate::base::sorted::SortedSet;
use crate::event::ThreadId;
use crate::report::relevant::Shown;
use crate::report::violation_name;
use crate::trace::misaccess::{Access, Involved, Misaccess};
use crate::trace::{Action, Trace, Value};

/// Station of the object's life.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Station {
    /// Kind, for the style: `made`, `shown`, `taken`, `ended` or `wrong`.
    pub kind: &'static str,
    /// Event, in a few words.
    pub words: String,
    /// Thread that does it.
    pub thread: ThreadId,
    /// The place.
    pub loc: Loc,
    /// The row, from 0, if it is shown.
    pub row: Option<usize>,
}

/// Stations, in order; none if the violation is not about an object.
pub fn life(trace: &Trace, steps: &[Shown]) -> Vec<Station> {
    let access = trace.misaccess();
    let object = access.and_then(|access| access.object.as_ref());
    let (Some(object), Some(last)) = (object.or(trace.lost()), trace.steps.last()) else {
        return Vec::new();
    };
    let row = |index: usize| steps.iter().position(|shown| shown.index == index);
    let find = |is: &dyn Fn(&Action) -> bool| trace.steps.iter().position(|step| is(&step.action));
    let mut stations = Vec::new();
    if let Some((thread, loc)) = object.made {
        let how = if object.heap { "allocated" } else { "declared" };
        let at = find(
            &|action| matches!(action, Action::Allocate { block, .. } if *block == object.name),
        );
        stations.push(Station {
            kind: "made",
            words: how.to_string(),
            thread,
            loc,
            row: at.and_then(row),
        });
    }
    stations.extend(known(trace, object, &row));
    if let Some((thread, loc)) = object.ended {
        let how = if object.heap {
            "freed"
        } else {
            "ended with its scope"
        };
        let at = find(&|action| matches!(action, Action::Free { block } if *block == object.name));
        stations.push(Station {
            kind: "ended",
            words: how.to_string(),
            thread,
            loc,
            row: at.and_then(row),
        });
    }
    let Action::Violation { property, .. } = last.action else {
        return Vec::new();
    };
    stations.push(Station {
        kind: "wrong",
        words: match access {
            Some(access) => used(access).to_string(),
            None => violation_name(property, None).to_string(),
        },
        thread: last.thread,
        loc: last.loc,
        row: row(trace.steps.len() - 1),
    });
    stations
}

/// Use that is wrong, in a word.
fn used(access: &Misaccess) -> &'static str {
    match access.access {
        Access::Read(_) => "read",
        Access::Write(_) => "written",
        Access::Lock => "used as a lock",
        Access::Call => "called",
        Access::Free => "freed again",
    }
}

/// Steps by which others may and do get to know the object: the first that stores a pointer to it where others look, or hands it to a
/// thread, and the first of each other thread that reads one.
fn known(trace: &Trace, object: &Involved, row: &dyn Fn(usize) -> Option<usize>) -> Vec<Station> {
    if object.name.is_empty() {
        return Vec::new();
    }
    let leads = |value: &Value| {
        let name = value.name.as_deref().unwrap_or_default();
        mentions(name, &object.name)
    };
    let mut is_shown = false;
    let mut know: SortedSet<ThreadId> = object.made.iter().map(|(thread, _)| *thread).collect();
    let mut stations = Vec::new();
    for (index, step) in trace.steps.iter().enumerate() {
        let mut add = |kind, words| {
            stations.push(Station {
                kind,
                words,
                thread: step.thread,
                loc: step.loc,
                row: row(index),
            });
        };
        match &step.action {
            Action::Create {
                child, argument, ..
            } if leads(argument) && know.insert(*child) => {
                is_shown = true;
                add("shown", format!("given to {}", child.title()));
            }
            Action::Write { place, value }
            | Action::Commit { place, value }
            | Action::Update {
                place, new: value, ..
            } if !is_shown && leads(value) && !mentions(place, &object.name) => {
                is_shown = true;
                add("shown", format!("stored in {place}"));
            }
            Action::Read { place, value, .. }
            | Action::Update {
                place, old: value, ..
            } if leads(value) && know.insert(step.thread) => {
                add("taken", format!("found in {place}"));
            }
            _ => {}
        }
    }
    stations
}

/// True if a text has a name in it, as a whole word.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + name.len()..].chars().next();
        !before.is_some_and(is_part) && !behind.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::ty::Reading;
    use crate::ir::{Property, Undefined};
    use crate::report::example::step;
    use crate::report::relevant::relevant;
    use crate::source::place::NoPlaces;
    use crate::trace::misaccess::Flaw;

    fn pointer(name: &str) -> Value {
        Value {
            bits: 64,
            value: 16,
            reading: Reading::Pointer,
            name: Some(name.to_string()),
        }
    }

    #[test]
    fn names_are_whole_words() {
        assert!(mentions("freed node#1", "node#1") && mentions("&node#1.next", "node#1"));
        assert!(!mentions("&node#12", "node#1") && !mentions("&anode#1", "node#1"));
    }

    #[test]
    fn an_object_is_made_shown_taken_freed_and_used() {
        let block = || "job#1".to_string();
        let queue = |value| Action::Write {
            place: "queue".to_string(),
            value,
        };
        let taken = Action::Read {
            place: "queue".to_string(),
            value: pointer("&job#1"),
            from: None,
            is_initial: false,
            is_private: false,
        };
        let access = Misaccess {
            access: Access::Free,
            flaw: Flaw::Ended,
            object: Some(Involved {
                name: block(),
                size_bytes: 24,
                heap: true,
                made: Some((ThreadId(0), Loc(1))),
                ended: Some((ThreadId(1), Loc(5))),
            }),
        };
        let violation = Action::Violation {
            property: Property::Defined(Undefined::DoubleFree),
            access: Some(Box::new(access)),
            lost: None,
            race: None,
            deadlock: None,
        };
        let allocate = Action::Allocate {
            block: block(),
            bytes: 24,
        };
        let trace = Trace {
            steps: vec![
                step(0, 1, allocate),
                step(0, 2, queue(pointer("&job#12"))),
                step(0, 2, queue(pointer("&job#1"))),
                step(1, 3, taken.clone()),
                step(1, 3, taken.clone()),
                step(2, 3, taken),
                step(1, 5, Action::Free { block: block() }),
                step(2, 6, violation),
            ],
            ..Trace::default()
        };
        let steps = relevant(&trace, &NoPlaces, true);
        let told = life(&trace, &steps).into_iter();
        let told: Vec<_> = told
            .map(|one| format!("{} {} {:?}", one.kind, one.words, one.row))
            .collect();
        assert_eq!(
            told,
            [
                "made allocated Some(0)",
                "shown stored in queue Some(2)",
                "taken found in queue Some(3)",
                "taken found in queue Some(5)",
                "ended freed Some(6)",
                "wrong freed again Some(7)",
            ]
        );
    }
}
