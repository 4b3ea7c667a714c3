//! End of a counterexample: the violated property, where, and with which values.

use super::line::{identifiers, line_of, statement};
use super::relevant::{Shown, is_shared};
use super::table::wrap;
use super::{deadlock, misaccess, race, value, violation_name, why};
use crate::base::id::Id;
use crate::base::sorted::SortedSet;
use crate::ir::Property;
use crate::source::place::{Places, file_line};
use crate::trace::deadlock::{Deadlock, DeadlockKind};
use crate::trace::{Action, Trace, TraceStep};

/// Violated property, where, and with which values, in lines of so many characters.
pub fn violation(trace: &Trace, shown: &[Shown], places: &dyn Places, width: usize) -> String {
    let lines = sentences(trace, shown, places);
    let wrapped = lines.iter().flat_map(|line| wrap(line, width, 5));
    let text: String = wrapped.map(|line| line + "\n").collect();
    match text.is_empty() {
        true => text,
        false => format!("\n{text}"),
    }
}

/// The same, a line for each thing that there is to say, indented but for the first.
pub fn sentences(trace: &Trace, shown: &[Shown], places: &dyn Places) -> Vec<String> {
    let mut lines = lines(trace, places);
    let order = why::overtaken(trace, shown, places).into_iter();
    // Both accesses of a data race stand there, and who waits for whom in a circle.
    let is_cycle = |stuck: &Deadlock| stuck.kind == DeadlockKind::Cycle;
    let is_told = trace.race().is_some() || trace.deadlock().is_some_and(is_cycle);
    let order = order.filter(|_| !is_told);
    lines.extend(order.map(|sentence| format!("    {sentence}")));
    lines
}

/// The same without what its order has to do with it.
fn lines(trace: &Trace, places: &dyn Places) -> Vec<String> {
    let Some(last) = trace.steps.last() else {
        return Vec::new();
    };
    let Action::Violation {
        property,
        access,
        lost,
        race: both,
        deadlock: stuck,
    } = &last.action
    else {
        return Vec::new();
    };
    let indented = |line: String| format!("    {line}");
    if let Some(both) = both {
        let name = violation_name(*property, None);
        let at = race::places_of(both, places);
        let mut lines = vec![format!("Violated: {name} at {at}")];
        lines.extend(race::details(both, trace, places).map(indented));
        lines.push(indented(
            "both are next, and nothing orders them".to_string(),
        ));
        return lines;
    }
    if let Some(stuck) = stuck {
        let name = violation_name(*property, None);
        let at = deadlock::places_of(stuck, places);
        let mut lines = vec![format!("Violated: {name} at {at}")];
        lines.extend(deadlock::details(stuck, places).into_iter().map(indented));
        return lines;
    }
    let thread = match last.thread.index() {
        0 => String::new(),
        number => format!(", thread {number}"),
    };
    let mut lines = vec![format!(
        "Violated: {} at {}{}, in {}{thread}",
        violation_name(*property, access.as_deref()),
        file_line(places, last.loc),
        column(*property, places, last),
        last.function,
    )];
    let line = statement(places, last.loc);
    if !line.is_empty() {
        lines.push(indented(line));
    }
    if let Some(call) = last.calls.last() {
        let at = file_line(places, *call);
        let line = statement(places, *call);
        lines.push(indented(format!("called at {at}: {line}")));
    }
    let access = access.iter();
    let lost = lost.iter();
    let details = access
        .flat_map(|access| misaccess::details(access, places))
        .chain(lost.map(|block| misaccess::about(block, places)));
    lines.extend(details.map(indented));
    let values = last_values(trace, places);
    if !values.is_empty() {
        lines.push(format!("    with {}", values.join(", ")));
    }
    lines
}

/// The column of an assertion, if its line has several.
fn column(property: Property, places: &dyn Places, step: &TraceStep) -> String {
    let (Some(place), Some(text), Property::Assertion | Property::ReachError) = (
        places.position(step.loc),
        places.line_text(step.loc),
        property,
    ) else {
        return String::new();
    };
    let at = (place.column as usize).saturating_sub(1);
    let rest: String = text.chars().skip(at).collect();
    let word = identifiers(&rest).next().unwrap_or_default();
    let same = identifiers(&text).filter(|other| *other == word);
    match !word.is_empty() && rest.starts_with(word) && same.count() > 1 {
        true => format!(", column {}", place.column),
        false => String::new(),
    }
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
    let line = statement(places, last.loc);
    let mut named = newest(&mut mine(), &mut |name| {
        // Of a member, the line names that, and not only what it is a member of.
        let of = if name.contains('.') {
            member_name
        } else {
            base_name
        };
        let words = [name, of(name)];
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
    let mut seen = SortedSet::new();
    let mut values = Vec::new();
    for step in steps {
        let (name, found) = match &step.action {
            Action::Read { place, value, .. } | Action::Write { place, value } => (place, value),
            Action::Update { place, new, .. } => (place, new),
            Action::Local { name, value, .. } => (name, value),
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
