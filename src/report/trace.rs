//! A counterexample as a table: one column per thread, time running down; where columns would be too narrow, one for all threads.
//!
//! Consecutive steps of one thread at one source line are one entry: the line as the user wrote it, and below
//! it what it read and wrote. Where another thread goes on, a rule is drawn.

use super::effect::{counted, effect};
use super::ending::violation;
use super::line::{Line, line_of, statement};
use super::relevant::relevant;
use super::table::{Table, wrap};
use crate::base::id::Id;
use crate::event::ThreadId;
use crate::source::place::{Places, short_file};
use crate::trace::{Action, Trace, TraceStep};

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
