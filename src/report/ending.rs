//! End of a counterexample: the violated property, where, and with which values.

use super::line::{identifiers, line_of, statement};
use super::relevant::is_shared;
use super::table::wrap;
use super::{deadlock, misaccess, race, value, violation_name};
use crate::base::id::Id;
use crate::source::place::{Places, file_line};
use crate::trace::{Action, Trace, TraceStep};
use std::collections::BTreeSet;

/// Violated property, where, and with which values.
pub fn violation(trace: &Trace, places: &dyn Places, width: usize) -> String {
    let Some(last) = trace.steps.last() else {
        return String::new();
    };
    let Action::Violation {
        property,
        access,
        lost,
        race: both,
        deadlock: stuck,
    } = &last.action
    else {
        return String::new();
    };
    if let Some(both) = both {
        let name = violation_name(*property, None);
        let at = race::places_of(both, places);
        let [one, other] = race::details(both, trace, places);
        return format!("\nViolated: {name} at {at}\n    {one}\n    {other}\n");
    }
    if let Some(stuck) = stuck {
        let name = violation_name(*property, None);
        let at = deadlock::places_of(stuck, places);
        let lines = deadlock::details(stuck, places);
        let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        return format!("\nViolated: {name} at {at}\n{lines}");
    }
    let thread = match last.thread.index() {
        0 => String::new(),
        number => format!(", thread {number}"),
    };
    let mut text = format!(
        "\nViolated: {} at {}, in {}{thread}\n",
        violation_name(*property, access.as_deref()),
        file_line(places, last.loc),
        last.function,
    );
    let line = statement(places, last);
    if !line.is_empty() {
        text.push_str(&format!("    {line}\n"));
    }
    let access = access.iter();
    let lost = lost.iter();
    let details = access
        .flat_map(|access| misaccess::details(access, places))
        .chain(lost.map(|block| misaccess::about(block, places)));
    for detail in details {
        text.push_str(&format!("    {detail}\n"));
    }
    let values = last_values(trace, places);
    if !values.is_empty() {
        let lines = wrap(&format!("    with {}", values.join(", ")), width, 5);
        text.push_str(&lines.join("\n"));
        text.push('\n');
    }
    text
}

/// Values that the violating thread saw last, of what the violated line names; of what it read last, if that is
/// nothing (as where the line is only `reach_error();`).
fn last_values(trace: &Trace, places: &dyn Places) -> Vec<String> {
    let Some((last, before)) = trace.steps.split_last() else {
        return Vec::new();
    };
    let mine = || {
        before
            .iter()
            .rev()
            .filter(|step| step.thread == last.thread)
    };
    let line = statement(places, last);
    let mut named = newest(&mut mine(), &mut |name| {
        let words = [name, base_name(name), member_name(name)];
        identifiers(&line).any(|identifier| words.contains(&identifier))
    });
    if named.is_empty() {
        // The condition that led here stands on one of the lines before: take what the latest one saw.
        let condition =
            mine().find(|step| matches!(step.action, Action::Read { .. } | Action::Update { .. }));
        if let Some(condition) = condition {
            let wanted = line_of(condition, places);
            let mut there = mine()
                .take_while(|step| !is_shared(&step.action) || line_of(step, places) == wanted);
            named = newest(&mut there, &mut |_| true);
        }
    }
    named.reverse();
    named
}

/// The newest value of each name that is wanted; `steps` run backwards.
fn newest(
    steps: &mut dyn Iterator<Item = &TraceStep>,
    wanted: &mut dyn FnMut(&str) -> bool,
) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut values = Vec::new();
    for step in steps {
        let (name, found) = match &step.action {
            Action::Read { place, value } | Action::Write { place, value } => (place, value),
            Action::Update { place, new, .. } => (place, new),
            Action::Local { name, value } => (name, value),
            Action::Copy {
                to: Some(name),
                value: Some(value),
                ..
            } => (name, value),
            _ => continue,
        };
        if wanted(name) && seen.insert(name.as_str()) {
            values.push(format!("{name} = {}", value::display(found)));
        }
    }
    values
}

/// The variable that a place is part of: `queue` of `queue.items[3]`, `x` of `main::x`.
fn base_name(place: &str) -> &str {
    let variable = place.rsplit("::").next().unwrap_or(place);
    variable.split(['.', '[']).next().unwrap_or(variable)
}

/// The member that a place is: `items` of `queue.items[3]`; the place, if it is no member.
fn member_name(place: &str) -> &str {
    let member = place.rsplit('.').next().unwrap_or(place);
    member.split('[').next().unwrap_or(member)
}
