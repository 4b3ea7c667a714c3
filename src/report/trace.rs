//! A counterexample as a table: one column per thread, time running down; where columns would be too narrow, one for all threads.
//!
//! Consecutive steps of one thread at one source line are one entry: the line as the user wrote it (of a long one, the statement that the
//! step stands in), and below it what it read and wrote. Where another thread goes on, a rule is drawn.

use super::effect::{counted, told};
use super::ending::violation;
use super::line::{Code, Line, code, line_of};
use super::note::notes;
use super::relevant::{FOLDED, Shown, relevant};
use super::table::{Table, wrap};
use crate::base::id::Id;
use crate::base::sorted::SortedMap;
use crate::event::{MemoryModel, ThreadId};
use crate::source::place::{Places, short_file};
use crate::trace::{Action, Trace};

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
    /// The line of the program; none above stores that reach memory and where a function returns nothing.
    code: Option<Code>,
    /// The entry of the thread before it, at the same depth, has shown the same statement.
    is_repeated: bool,
    effects: Vec<String>,
    atomic: bool,
    /// Calls that lead to it.
    depth: usize,
    /// Steps of the thread before it that are not shown.
    omitted: usize,
    /// Passage between functions: it begins with a return, or ends with a call.
    returns: bool,
    calls: bool,
}

impl Entry<'_> {
    /// Indentation in characters.
    fn indent(&self) -> usize {
        2 * self.depth.min(DEEPEST)
    }

    /// Line before it about steps that are not shown.
    fn fold(&self) -> Option<String> {
        let blank = " ".repeat(self.indent());
        (self.omitted > 0).then(|| blank + &folded(self.omitted))
    }

    /// Its lines in a column of this width: the statement and the effects, and how much deeper their further lines are.
    fn lines(&self, width: usize) -> Vec<(String, usize)> {
        let blank = " ".repeat(self.indent());
        let room = width.saturating_sub(self.indent()).max(SHORTEST);
        let code = self.code.iter().map(|code| match self.is_repeated {
            true => code.around(room),
            false => code.shown(),
        });
        let mut lines: Vec<(String, usize)> =
            code.map(|code| (format!("{blank}{code}"), 4)).collect();
        let effects = self.effects.iter();
        lines.extend(effects.map(|effect| (format!("{blank}  {effect}"), 2)));
        lines
    }
}

/// Characters up to which a statement that is repeated is shown as a whole, if it does not fit on a line.
const SHORTEST: usize = 24;
/// Calls up to which an entry is indented.
const DEEPEST: usize = 4;

/// Steps that are not shown, in words.
fn folded(omitted: usize) -> String {
    format!("… {}", counted(omitted, "step"))
}

/// Renders a trace under a memory model in so many columns, with all its steps if `all`. Ends with a newline.
pub fn render(
    trace: &Trace,
    memory: Option<MemoryModel>,
    places: &dyn Places,
    all: bool,
    width: usize,
) -> String {
    let steps = relevant(trace, places, all);
    let entries = entries(&steps, &notes(&trace.steps, places), places);
    let mut shown: Vec<ThreadId> = entries.iter().map(|entry| entry.thread).collect();
    shown.sort_unstable();
    shown.dedup();
    let switches = entries
        .windows(2)
        .filter(|pair| pair[0].thread != pair[1].thread)
        .count();
    let memory = memory.filter(|memory| memory.is_weak());
    let memory = memory.map_or(String::new(), |memory| format!(", {}", memory.title()));
    let mut text = format!(
        "Counterexample: {}, {}, {}{memory}\n\n",
        counted(trace.threads.len(), "thread"),
        counted(steps.len(), "step"),
        counted(switches, "context switch"),
    );
    text.push_str(&table(trace, &entries, &shown, width));
    text.push_str(&violation(trace, &steps, places, width));
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

    let sizes = entries.iter().map(|entry| {
        let lines = entry.lines(COLUMN.1).into_iter();
        longest(&mut lines.map(|(line, _)| line))
    });
    let sizes: Vec<usize> = sizes.collect();
    let wanted = |thread: Option<ThreadId>| {
        let all = entries.iter().zip(&sizes);
        let mine = all.filter(|(entry, _)| thread.is_none_or(|thread| entry.thread == thread));
        mine.map(|(_, size)| *size).max().unwrap_or(0)
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
    let mut called = vec![false; functions.len()];
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
        let number = entry.thread.index();
        let is_told = called.get(number).copied().unwrap_or_default() || entry.returns;
        if let Some(called) = called.get_mut(number) {
            *called = entry.calls;
        }
        if let Some(function) = functions.get_mut(number)
            && std::mem::replace(function, entry.function) != entry.function
            && !is_told
        {
            let blank = " ".repeat(entry.indent());
            let name = wrap(&format!("{blank}in {}:", entry.function), width, 2);
            cells[0].splice(0..0, name.iter().map(|_| String::new()));
            if is_shared {
                cells[1].splice(0..0, name.iter().map(|_| String::new()));
            }
            cells[index].extend(name);
        }
        if let Some(fold) = entry.fold() {
            cells[0].insert(0, String::new());
            if is_shared {
                cells[1].insert(0, String::new());
            }
            cells[index].insert(0, fold);
        }
        for (line, deeper) in entry.lines(width) {
            cells[index].extend(wrap(&line, width, deeper));
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

fn entries<'a>(steps: &[Shown<'a>], notes: &[String], places: &dyn Places) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry> = Vec::new();
    // The last line that each thread has shown at each depth, of the calls that are still open.
    let mut open: SortedMap<ThreadId, Vec<String>> = SortedMap::new();
    for Shown {
        step,
        index,
        omitted,
    } in steps.iter().copied()
    {
        let line = line_of(step, places);
        let returns = matches!(step.action, Action::Return { .. });
        let calls = matches!(step.action, Action::Call { .. });
        let has_code = !matches!(
            step.action,
            Action::Commit { .. } | Action::Return { result: None, .. }
        );
        let code = has_code.then(|| code(places, step.loc));
        let shown = code.as_ref().map(Code::shown);
        let joins = entries.last().is_some_and(|last| {
            let same = last.function == step.function && last.line == line;
            let same = same && last.depth == step.calls.len() && !last.calls;
            let same = same && last.code.as_ref().map(Code::shown) == shown;
            last.thread == step.thread && same
        });
        if !joins {
            let depth = step.calls.len();
            let open = open.entry(step.thread).or_default();
            let is_repeated = shown.is_some() && open.get(depth) == shown.as_ref();
            if let Some(shown) = shown {
                open.resize(depth, String::new());
                open.push(shown);
            }
            entries.push(Entry {
                thread: step.thread,
                code,
                is_repeated,
                line,
                function: &step.function,
                effects: Vec::new(),
                atomic: false,
                depth,
                omitted,
                returns,
                calls,
            });
        }
        if let Some(entry) = entries.last_mut() {
            // Within a line, as in a loop, few are no news.
            if joins && omitted >= FOLDED {
                entry.effects.push(folded(omitted));
            }
            let note = notes.get(index).map_or("", String::as_str);
            let told = told(&step.action, note, &entry.line, places);
            entry.effects.push(told);
            entry.calls |= calls;
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
