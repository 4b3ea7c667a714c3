//! The memory unwinding of a counterexample: what was written, in order (the tables of Figure 2 of the paper on memory
//! unwinding).
//!
//! It is read off the replayed execution, from the creation of the first thread on. A store of the value that is
//! there already is listed; a read-modify-write that changes nothing is not, since a trace does not say whether it
//! has failed.

use super::table::Table;
use super::value::display;
use crate::base::id::Id;
use crate::event::ThreadId;
use crate::scheme::Grain;
use crate::trace::{Action, Trace, TraceStep};

/// A position of an unwinding: who writes, and what is there afterwards.
pub struct Row {
    /// Threads, in the order of their first writes.
    pub threads: Vec<ThreadId>,
    /// Places and values.
    pub map: Vec<(String, String)>,
}

/// Renders the unwinding of a trace, a row for each position. Ends with a newline.
pub fn render(trace: &Trace, grain: Grain) -> String {
    let rows = rows(trace, grain);
    let what = match grain {
        Grain::Writes => "write",
        Grain::Contexts | Grain::Turns => "cluster",
    };
    let plural = if rows.len() == 1 { "" } else { "s" };
    let mut text = format!("Memory unwinding: {} {what}{plural}\n\n", rows.len());
    let name = |thread: &ThreadId| {
        let function = trace.threads.get(thread.index());
        match function {
            Some(known) => format!("{} {}", thread.0, known.function),
            None => thread.0.to_string(),
        }
    };
    let mut lines: Vec<[String; 3]> = vec![[
        "position".to_string(),
        "thread".to_string(),
        "variable = value".to_string(),
    ]];
    for (position, row) in rows.iter().enumerate() {
        let threads: Vec<String> = row.threads.iter().map(name).collect();
        let map = row
            .map
            .iter()
            .map(|(place, value)| format!("{place} = {value}"));
        let map: Vec<String> = map.collect();
        lines.push([
            (position + 1).to_string(),
            threads.join(", "),
            map.join(", "),
        ]);
    }
    let width = |column: usize| {
        let all = lines.iter().map(|line| line[column].chars().count());
        all.max().unwrap_or(0)
    };
    let mut table = Table::new(vec![width(0), width(1), width(2)]);
    for (number, line) in lines.iter().enumerate() {
        table.row(&line.each_ref().map(|cell| vec![cell.clone()]));
        if number == 0 {
            table.rule("");
        }
    }
    text.push_str(&table.finish());
    text
}

/// Positions of the unwinding of a trace.
pub fn rows(trace: &Trace, grain: Grain) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    // Set if the next write is in a new row.
    let mut closed = true;
    let mut last: Option<ThreadId> = None;
    let created = |step: &TraceStep| matches!(step.action, Action::Create { .. });
    let alone = trace.steps.iter().position(created).unwrap_or(0);
    for (number, step) in trace.steps.iter().enumerate() {
        if let Action::Local { .. }
        | Action::Input { .. }
        | Action::Copy {
            is_private: true, ..
        }
        | Action::Allocate { .. }
        | Action::Free { .. } = step.action
        {
            continue;
        }
        closed |= match (grain, last) {
            (Grain::Writes, _) => true,
            (Grain::Contexts, Some(last)) => last != step.thread,
            // Turns are in the order of threads.
            (Grain::Turns, Some(last)) => step.thread < last,
            (_, None) => true,
        };
        last = Some(step.thread);
        let Some((place, value)) = written(step).filter(|_| number > alone) else {
            continue;
        };
        if closed || rows.is_empty() {
            rows.push(Row {
                threads: Vec::new(),
                map: Vec::new(),
            });
            closed = false;
        }
        let Some(row) = rows.last_mut() else {
            continue;
        };
        if !row.threads.contains(&step.thread) {
            row.threads.push(step.thread);
        }
        match row.map.iter_mut().find(|known| known.0 == place) {
            Some(known) => known.1 = value,
            None => row.map.push((place, value)),
        }
    }
    rows
}

/// The place that a step changes, and what it holds then.
fn written(step: &TraceStep) -> Option<(String, String)> {
    Some(match &step.action {
        Action::Write { place, value } => (place.clone(), display(value)),
        Action::Update {
            place, old, new, ..
        } if old.value != new.value => (place.clone(), display(new)),
        Action::Copy {
            to: Some(to),
            bytes,
            value,
            is_private: false,
            ..
        } => {
            let bytes = || format!("{bytes} bytes");
            (to.clone(), value.as_ref().map_or_else(bytes, display))
        }
        Action::Lock { place } | Action::TryLock { place, taken: true } => {
            (place.clone(), "held".to_string())
        }
        Action::Unlock { place } | Action::Initialise { place } => {
            (place.clone(), "free".to_string())
        }
        _ => return None,
    })
}
