//! A counterexample as a table: one column per thread, time running down.
//!
//! Consecutive steps of one thread at one source line are one entry: the line as the user wrote it, and below
//! it what it read and wrote. Where another thread goes on, a rule is drawn. Steps that help nobody to follow the
//! execution (ends of threads, borders of atomic sections, fences, the library's notes of which threads were joined,
//! changes of locals on lines that touch nothing shared and that the violated line does not name) are left out unless
//! everything is asked for.

use super::table::{Table, wrap};
use super::{deadlock, misaccess, race, value, violation_name};
use crate::base::id::Id;
use crate::event::ThreadId;
use crate::ir::HANDLE_USES;
use crate::source::place::{Places, file_line, short_file};
use crate::trace::{Action, CopySource, Trace, TraceStep, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Largest width of a place, in characters.
const PLACE: usize = 28;
/// Least and largest width of a thread's column. Where columns would have to be narrower, all threads share one.
const COLUMN: (usize, usize) = (24, 60);
/// Largest width of the threads' names where they share a column.
const TAG: usize = 20;

/// Steps of one thread at one line.
struct Entry<'a> {
    thread: ThreadId,
    line: Line,
    function: &'a str,
    statement: String,
    effects: Vec<String>,
    atomic: bool,
    /// It is about stores that reach memory.
    commit: bool,
}

/// Renders a trace in so many columns, with all its steps if `all`. Ends with a newline.
pub fn render(trace: &Trace, places: &dyn Places, all: bool, width: usize) -> String {
    let steps = relevant(trace, places, all);
    let entries = entries(&steps, places);
    let mut shown: Vec<ThreadId> = entries.iter().map(|entry| entry.thread).collect();
    shown.sort_unstable();
    shown.dedup();
    let switches = entries
        .windows(2)
        .filter(|pair| pair[0].thread != pair[1].thread)
        .count();
    let mut text = format!(
        "Counterexample: {}, {}, {}\n\n",
        counted(trace.threads.len(), "thread"),
        counted(steps.len(), "step"),
        counted(switches, "context switch"),
    );
    text.push_str(&table(trace, &entries, &shown, width));
    text.push_str(&violation(trace, places, width));
    text
}

fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 {
        ""
    } else if thing.ends_with("ch") {
        "es"
    } else {
        "s"
    };
    format!("{count} {thing}{plural}")
}

/// Title of a thread in headers.
fn thread_title(trace: &Trace, thread: ThreadId) -> String {
    let function = trace
        .threads
        .get(thread.index())
        .map_or("?", |thread| thread.function.as_str());
    if thread.index() == 0 {
        function.to_string()
    } else {
        format!("thread {}: {function}", thread.0)
    }
}

fn table(trace: &Trace, entries: &[Entry], shown: &[ThreadId], width: usize) -> String {
    let where_of = |entry: &Entry| match &entry.line {
        Some((file, line)) => located(short_file(file), *line),
        None => String::new(),
    };
    let longest = |texts: &mut dyn Iterator<Item = String>| {
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let place_width = longest(&mut entries.iter().map(where_of)).clamp(8, PLACE);
    let titles: Vec<String> = shown
        .iter()
        .map(|thread| thread_title(trace, *thread))
        .collect();
    let title_width = longest(&mut titles.iter().cloned()).min(TAG);

    let wanted = |thread: Option<ThreadId>| {
        let mine = entries
            .iter()
            .filter(move |entry| thread.is_none_or(|thread| entry.thread == thread));
        let lines = mine.flat_map(|entry| {
            std::iter::once(entry.statement.clone()).chain(entry.effects.clone())
        });
        longest(&mut lines.map(|line| format!("  {line}")))
    };
    let columns = shown.iter().zip(&titles);
    let columns = columns.map(|(thread, title)| wanted(Some(*thread)).max(title.chars().count()));
    let columns: Vec<usize> = columns.collect();
    // A blank is before the first column, and a line between each two.
    let room = width.saturating_sub(place_width + 1);
    let own = share(&columns, room);
    let is_shared = own.is_none();
    let mut widths = vec![place_width];
    widths.extend(own.unwrap_or_else(|| {
        let room = room.saturating_sub(title_width + 6).max(COLUMN.0);
        vec![title_width, wanted(None).clamp("statement".len(), room)]
    }));

    let mut table = Table::new(widths.clone());
    let mut header = vec![vec!["where".to_string()]];
    if is_shared {
        header.extend([vec!["thread".to_string()], vec!["statement".to_string()]]);
    } else {
        header.extend(
            titles
                .iter()
                .zip(&widths[1..])
                .map(|(title, width)| wrap(title, *width, 2)),
        );
    }
    table.row(&header);
    table.rule("");
    let mut functions: Vec<&str> = trace
        .threads
        .iter()
        .map(|thread| thread.function.as_str())
        .collect();
    let mut last: Option<ThreadId> = None;
    for entry in entries {
        if last.is_some_and(|thread| thread != entry.thread) {
            table.rule("- switch ");
        }
        last = Some(entry.thread);
        let column = shown
            .iter()
            .position(|thread| *thread == entry.thread)
            .unwrap_or(0);
        let (index, width) = if is_shared {
            (2, widths[2])
        } else {
            (column + 1, widths[column + 1])
        };
        let mut cells: Vec<Vec<String>> = vec![Vec::new(); widths.len()];
        let mut place = vec![where_of(entry)];
        if entry.atomic {
            place.push("  atomic".to_string());
        }
        cells[0] = place;
        if is_shared {
            cells[1] = wrap(&titles[column], title_width, 2);
        }
        if let Some(function) = functions.get_mut(entry.thread.index())
            && *function != entry.function
        {
            *function = entry.function;
            let name = wrap(&format!("in {}:", entry.function), width, 2);
            cells[0].splice(0..0, name.iter().map(|_| String::new()));
            if is_shared {
                cells[1].splice(0..0, name.iter().map(|_| String::new()));
            }
            cells[index].extend(name);
        }
        cells[index].extend(wrap(&entry.statement, width, 4));
        for effect in &entry.effects {
            cells[index].extend(wrap(&format!("  {effect}"), width, 2));
        }
        table.row(&cells);
    }
    table.finish()
}

/// Widths of columns that share so much room: as wide as wanted, and where that is too wide, as wide as the others. `None` if one would have
/// to be too narrow.
fn share(wanted: &[usize], room: usize) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|column| wanted[*column]);
    let mut widths = vec![0; wanted.len()];
    let (mut room, mut left) = (room, wanted.len());
    for column in order {
        let most = (room / left).saturating_sub(3).min(COLUMN.1);
        if most < wanted[column].min(COLUMN.0) {
            return None;
        }
        widths[column] = wanted[column].min(most);
        room -= widths[column] + 3;
        left -= 1;
    }
    Some(widths)
}

/// File and line; of a long name, its beginning and its end.
fn located(file: &str, line: u32) -> String {
    let line = format!(":{line}");
    let room = PLACE.saturating_sub(line.len());
    let name: Vec<char> = file.chars().collect();
    if name.len() <= room {
        return format!("{file}{line}");
    }
    let (begin, end) = (room / 2, room - room / 2 - 1);
    let begin: String = name[..begin].iter().collect();
    let end: String = name[name.len() - end..].iter().collect();
    format!("{begin}…{end}{line}")
}

/// The steps worth showing, with their positions' order kept.
fn relevant<'a>(trace: &'a Trace, places: &dyn Places, all: bool) -> Vec<&'a TraceStep> {
    if all {
        return trace.steps.iter().collect();
    }
    let named = trace
        .steps
        .last()
        .and_then(|step| places.line_text(step.loc))
        .unwrap_or_default();
    let named: BTreeSet<&str> = identifiers(&named).collect();
    // Lines at which a thread does something that others can notice.
    let busy: BTreeSet<(ThreadId, Line)> = trace
        .steps
        .iter()
        .filter(|step| is_shared(&step.action) && !is_handle_use(&step.action))
        .map(|step| (step.thread, line_of(step, places)))
        .collect();
    let keep = |step: &&TraceStep| match &step.action {
        action if is_handle_use(action) => false,
        // What the library keeps in its own members (C11 7.1.3).
        Action::Local { name, .. } if name.contains(".__") => false,
        Action::Local { name, .. }
        | Action::Copy {
            to: Some(name),
            is_private: true,
            ..
        } => named.contains(name.as_str()) || busy.contains(&(step.thread, line_of(step, places))),
        Action::Input { .. } | Action::Allocate { .. } => true,
        action => is_shared(action),
    };
    let mut steps: Vec<&TraceStep> = trace.steps.iter().filter(keep).collect();
    let mentioned = mentioned(&steps);
    steps.retain(|step| match &step.action {
        Action::Allocate { block, .. } | Action::Free { block } => mentioned.contains(block),
        _ => true,
    });
    gathered(steps)
}

/// Blocks of the heap that other steps mention than those that allocate and free them.
fn mentioned(steps: &[&TraceStep]) -> BTreeSet<String> {
    let mut blocks = BTreeSet::new();
    for step in steps {
        match &step.action {
            Action::Allocate { .. } | Action::Free { .. } => {}
            Action::Violation { access, lost, .. } => {
                let access = access.iter().filter_map(|access| access.object.as_ref());
                let involved = access.chain(lost.as_deref());
                blocks.extend(involved.map(|object| object.name.clone()));
            }
            action => {
                let text = effect(action);
                let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
                let words = text.split(|c: char| !is_part(c));
                blocks.extend(words.filter(|word| word.contains('#')).map(str::to_string));
            }
        }
    }
    blocks
}

/// Steps that only their own thread can notice move up to the thread's step before them: they commute with what
/// other threads do in between, and a switch less is easier to read.
fn gathered(steps: Vec<&TraceStep>) -> Vec<&TraceStep> {
    let mut anchors: BTreeMap<ThreadId, usize> = BTreeMap::new();
    let mut placed: Vec<(usize, &TraceStep)> = Vec::with_capacity(steps.len());
    for (index, step) in steps.into_iter().enumerate() {
        let anchor = match anchors.get(&step.thread) {
            Some(anchor) if !is_shared(&step.action) => *anchor,
            _ => index,
        };
        anchors.insert(step.thread, anchor);
        placed.push((anchor, step));
    }
    placed.sort_by_key(|(anchor, _)| *anchor);
    placed.into_iter().map(|(_, step)| step).collect()
}

/// File and line; `None` where no text stands.
type Line = Option<(String, u32)>;

fn line_of(step: &TraceStep, places: &dyn Places) -> Line {
    places
        .position(step.loc)
        .map(|place| (place.file, place.line))
}

/// Visibility of an action: true if other threads can notice it, or the verdict is about it.
fn is_shared(action: &Action) -> bool {
    match action {
        Action::Read { .. }
        | Action::Write { .. }
        | Action::Issue { .. }
        | Action::Commit { .. }
        | Action::Update { .. }
        | Action::Copy {
            is_private: false, ..
        }
        | Action::Create { .. }
        | Action::Join { .. }
        | Action::Lock { .. }
        | Action::TryLock { .. }
        | Action::Unlock { .. }
        | Action::Initialise { .. }
        | Action::Reuse { .. }
        | Action::Free { .. }
        | Action::Attempt { .. }
        | Action::Blocked { .. }
        | Action::Violation { .. } => true,
        Action::Local { .. }
        | Action::Copy {
            is_private: true, ..
        }
        | Action::Input { .. }
        | Action::Allocate { .. }
        | Action::End
        | Action::Fence
        | Action::AtomicBegin
        | Action::AtomicEnd => false,
    }
}

/// Bookkeeping of handles: true if an action only looks after which threads were joined or detached, which no property
/// is about.
fn is_handle_use(action: &Action) -> bool {
    match action {
        Action::Read { place, .. } | Action::Write { place, .. } | Action::Update { place, .. } => {
            place.starts_with(HANDLE_USES)
        }
        // Only one thread joins.
        Action::Local { name, .. } => name.starts_with(HANDLE_USES),
        _ => false,
    }
}

fn entries<'a>(steps: &[&'a TraceStep], places: &dyn Places) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry> = Vec::new();
    for step in steps {
        let line = line_of(step, places);
        let commit = matches!(step.action, Action::Commit { .. });
        let joins = entries.last().is_some_and(|last| {
            let same = last.function == step.function && last.line == line;
            last.thread == step.thread && same && last.commit == commit
        });
        if !joins {
            entries.push(Entry {
                thread: step.thread,
                statement: if commit {
                    "(store buffer)".to_string()
                } else {
                    statement(places, step)
                },
                commit,
                line,
                function: &step.function,
                effects: Vec::new(),
                atomic: false,
            });
        }
        if let Some(entry) = entries.last_mut() {
            entry.effects.push(effect(&step.action));
            entry.atomic |= step.atomic;
        }
    }
    entries
}

/// The source line without indentation, comment and repeated blanks.
fn statement(places: &dyn Places, step: &TraceStep) -> String {
    let text = places.line_text(step.loc).unwrap_or_default();
    // A `//` within a string literal is rare, and then half a line is shown.
    let code = text.split("//").next().unwrap_or_default();
    code.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Effect of a step, in a few words.
fn effect(action: &Action) -> String {
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

/// Violated property, where, and with which values.
fn violation(trace: &Trace, places: &dyn Places, width: usize) -> String {
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

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.split(move |c: char| !is_part(c))
        .filter(|word| word.starts_with(|c: char| !c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn columns_share_the_room() {
        assert_eq!(share(&[40, 10, 10], 70), Some(vec![40, 10, 10]));
        assert_eq!(share(&[30, 30], 60), Some(vec![27, 27]));
        assert_eq!(share(&[40, 40, 40], 70), None);
        assert_eq!(share(&[5, 5, 5, 5], 40), Some(vec![5, 5, 5, 5]));
        assert_eq!(share(&[], 40), Some(vec![]));
    }
}
