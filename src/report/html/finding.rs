//! View of a finding: all that the template shows of it, in words and numbers.

use super::change::{Change, changes, initial};
use super::graph::{COLOURS, graph, name};
use super::life::life;
use super::listing::{Listing, Spot};
use super::ring::{Ring, ring};
use super::tables::{Memory, memory};
use super::taken::writers;
use crate::base::Loc;
use crate::base::id::Id;
use crate::base::sorted::SortedSet;
use crate::event::ThreadId;
use crate::ir::Check;
use crate::outcome::Finding;
use crate::report::effect::{counted, told};
use crate::report::ending::sentences;
use crate::report::line::{line_of, statement};
use crate::report::note::notes;
use crate::report::race::{access_of, locks_of};
use crate::report::relevant::{Shown, relevant};
use crate::source::place::{Places, file_line};
use crate::trace::race::Side;
use crate::trace::{Action, Trace, TraceStep};
use serde::Serialize;

/// A finding.
pub struct View {
    /// Its number, from 1.
    pub number: usize,
    /// Name of its check, and the violation in a few words.
    pub check: &'static str,
    pub title: String,
    /// Threads, steps, switches and memory model.
    pub size: String,
    /// Violated property, and what there is to say of it.
    pub head: String,
    /// The violated statement, where the next words would begin with it.
    pub statement: Option<String>,
    pub words: Vec<String>,
    /// Both accesses of a data race.
    pub race: Vec<Card>,
    /// The circle of a deadlock.
    pub ring: Option<Ring>,
    /// Stations of an object's life.
    pub life: Vec<Stop>,
    /// Table of the scheme.
    pub memory: Option<Memory>,
    pub fingerprint: String,
    /// The execution on one line, and the command that replays it.
    pub schedule: Option<(String, String)>,
    /// Threads with a lane.
    pub lanes: Vec<Lane>,
    /// Width of the graph in pixels.
    pub width: usize,
    /// Writes whose arrows are not drawn.
    pub undrawn: usize,
    pub rows: Vec<Row>,
}

/// Thread with a lane.
pub struct Lane {
    /// Middle, in pixels.
    pub x: usize,
    pub colour: u32,
    /// Its name in dots, and as a title.
    pub name: String,
    pub title: String,
}

/// Row of the table of steps.
pub struct Row {
    /// Its number, from 1.
    pub number: usize,
    pub colour: u32,
    /// The thread, for who does not see the graph.
    pub thread: String,
    /// Classes, for the style.
    pub class: &'static str,
    /// Another thread went on.
    pub is_switch: bool,
    /// Part of the graph.
    pub graph: String,
    /// The place: file, line, and words.
    pub spot: Option<(usize, u32, String)>,
    pub function: String,
    /// Steps before it that are not shown, in words.
    pub omitted: Option<String>,
    /// The statement, where it is not the row's before.
    pub code: Option<String>,
    /// Indentation, in calls.
    pub depth: usize,
    pub is_atomic: bool,
    pub effect: String,
}

/// Access of a data race.
pub struct Card {
    pub colour: u32,
    pub thread: String,
    pub created: Option<String>,
    pub spot: Option<(usize, u32, String)>,
    pub code: String,
    pub access: String,
    pub called: Option<String>,
    pub locks: String,
}

/// Station of an object's life.
pub struct Stop {
    pub kind: &'static str,
    pub colour: u32,
    pub words: String,
    pub thread: String,
    pub spot: Option<(usize, u32, String)>,
    /// Number of the row, from 1.
    pub row: Option<usize>,
}

/// Data of a finding for the script.
#[derive(Serialize)]
pub struct Data {
    /// Titles of threads, and functions that they start with.
    threads: Vec<(String, String)>,
    /// Values of variables before the first step.
    initial: Vec<(String, String)>,
    steps: Vec<StepData>,
    /// Store buffers are shown.
    weak: bool,
    /// Lines that the finding is about: file and line.
    wrong: Vec<Spot>,
}

#[derive(Serialize)]
struct StepData {
    thread: u32,
    spot: Option<Spot>,
    depth: usize,
    function: String,
    /// Row of the write whose value it took, from 1.
    from: Option<usize>,
    /// A store that reaches memory is no step of its thread.
    commit: bool,
    changes: Vec<Change>,
}

/// Surroundings of a finding: the files that are shown, and its places.
pub struct Context<'a> {
    pub listing: &'a Listing,
    pub places: &'a dyn Places,
}

impl Context<'_> {
    fn spot(&self, loc: Loc) -> Option<(usize, u32, String)> {
        let spot = self.listing.spot(loc, self.places)?;
        Some((spot.0, spot.1, self.listing.short(spot)))
    }

    /// The same, for words in which a number by itself would not be known as a line.
    fn named(&self, loc: Loc) -> Option<(usize, u32, String)> {
        let (file, line, words) = self.spot(loc)?;
        let is_alone = self.listing.files.len() == 1;
        let words = if is_alone {
            format!("line {line}")
        } else {
            words
        };
        Some((file, line, words))
    }
}

/// View and data of a finding. `title` has its violation in words, `command` the words before its schedule.
pub fn view(
    (number, finding): (usize, &Finding),
    (title, command): (String, &str),
    context: &Context,
) -> (View, Data) {
    let (trace, places) = (&finding.trace, context.places);
    let steps = relevant(trace, places, false);
    let writers = writers(trace, &steps);
    let is_end = |step: &&TraceStep| matches!(step.action, Action::End);
    let ended: SortedSet<ThreadId> = trace
        .steps
        .iter()
        .filter(is_end)
        .map(|step| step.thread)
        .collect();
    let graph = graph(&steps, &writers, &ended);
    let memory_model = trace.memory().filter(|memory| memory.is_weak());
    let is_weak = memory_model.is_some();
    let mut sentences = sentences(trace, &steps, places).into_iter();
    let head = sentences.next().unwrap_or_else(|| title.clone());
    // Both accesses of a data race, which are told first, have a card each.
    let on_cards = trace.race().map_or(0, |race| race.sides.len());
    let words = sentences.skip(on_cards);
    let mut words: Vec<String> = words.map(|line| line.trim().to_string()).collect();
    let last = trace.steps.last();
    let line = last.map_or_else(String::new, |last| statement(places, last.loc));
    let is_first = words.first().is_some_and(|first| *first == line);
    let statement = is_first.then(|| words.remove(0));
    let rows = rows(trace, &steps, graph.rows, context);
    let switches = rows.iter().filter(|row| row.is_switch).count();
    let memory_model = memory_model.map_or(String::new(), |one| format!(", {}", one.title()));
    let size = format!(
        "{}, {}, {}{memory_model}",
        counted(trace.threads.len(), "thread"),
        counted(steps.len(), "step"),
        counted(switches, "context switch"),
    );
    let wrong = finding.places().into_iter();
    let wrong = wrong.filter_map(|loc| context.listing.spot(loc, places));
    let data = Data {
        threads: (0..trace.threads.len())
            .map(|thread| thread_names(trace, ThreadId::from_index(thread)))
            .collect(),
        initial: initial(trace),
        steps: step_data(trace, &steps, &writers, context),
        weak: is_weak,
        wrong: wrong.collect(),
    };
    let lane = |(thread, x): (ThreadId, usize)| Lane {
        x,
        colour: thread.0 % COLOURS,
        name: name(thread),
        title: thread_title(trace, thread),
    };
    let view = View {
        number,
        check: Check::of(finding.property).name(),
        title,
        size,
        head,
        statement,
        words,
        race: trace.race().map_or_else(Vec::new, |race| {
            race.sides
                .iter()
                .map(|side| card(side, trace, context))
                .collect()
        }),
        ring: trace.deadlock().and_then(|deadlock| {
            let line = |loc| {
                let spot = context.named(loc);
                spot.map_or_else(|| "?".to_string(), |(.., words)| words)
            };
            ring(deadlock, &line)
        }),
        life: stops(trace, &steps, context),
        memory: memory(trace, finding.scheme),
        fingerprint: finding.fingerprint.to_string(),
        schedule: trace.schedule().map(|schedule| {
            let command = format!("{command} --schedule {}", shell_words::quote(&schedule));
            (schedule, command)
        }),
        lanes: graph.lanes.into_iter().map(lane).collect(),
        width: graph.width,
        undrawn: graph.undrawn,
        rows,
    };
    (view, data)
}

/// Title of a thread, and the function that it starts with.
fn thread_names(trace: &Trace, thread: ThreadId) -> (String, String) {
    let known = trace.threads.get(thread.index());
    let function = known.map_or("?", |known| known.function.as_str());
    (thread.title(), function.to_string())
}

/// Title of a thread with the function that it starts with.
fn thread_title(trace: &Trace, thread: ThreadId) -> String {
    match thread_names(trace, thread) {
        (_, function) if thread.index() == 0 => function,
        (title, function) => format!("{title}: {function}"),
    }
}

fn rows(trace: &Trace, steps: &[Shown], graph: Vec<String>, context: &Context) -> Vec<Row> {
    let notes = notes(&trace.steps, context.places);
    let mut rows: Vec<Row> = Vec::with_capacity(steps.len());
    let mut last: Option<(&TraceStep, String)> = None;
    for (row, (shown, graph)) in steps.iter().zip(graph).enumerate() {
        let step = shown.step;
        let line = line_of(step, context.places);
        let text = statement(context.places, step.loc);
        let is_new = last.as_ref().is_none_or(|(before, shown)| {
            let same = before.thread == step.thread && before.function == step.function;
            let same = same && before.calls.len() == step.calls.len() && *shown == text;
            let same = same && line_of(before, context.places) == line;
            !same || matches!(before.action, Action::Call { .. })
        });
        let has_code = !matches!(
            step.action,
            Action::Commit { .. } | Action::Return { result: None, .. }
        );
        let note = notes.get(shown.index).map_or("", String::as_str);
        let omitted = shown.omitted;
        rows.push(Row {
            number: row + 1,
            colour: step.thread.0 % COLOURS,
            thread: step.thread.title(),
            class: match step.action {
                Action::Violation { .. } => "violation",
                Action::Blocked { .. } | Action::Attempt { .. } => "stands",
                Action::Commit { .. } => "commit",
                _ => "",
            },
            is_switch: last
                .as_ref()
                .is_some_and(|(before, _)| before.thread != step.thread),
            graph,
            spot: context.spot(step.loc),
            function: step.function.clone(),
            omitted: (omitted > 0).then(|| format!("… {}", counted(omitted, "step"))),
            code: (is_new && has_code && !text.is_empty()).then(|| text.clone()),
            depth: step.calls.len().min(4),
            is_atomic: step.atomic,
            effect: told(&step.action, note, &line, context.places),
        });
        last = Some((step, text));
    }
    rows
}

fn step_data(
    trace: &Trace,
    steps: &[Shown],
    writers: &[Option<usize>],
    context: &Context,
) -> Vec<StepData> {
    let changes = changes(trace, steps, context.places);
    let all = steps.iter().zip(writers).zip(changes);
    all.map(|((shown, from), changes)| StepData {
        thread: shown.step.thread.0,
        spot: context.listing.spot(shown.step.loc, context.places),
        depth: shown.step.calls.len(),
        function: shown.step.function.clone(),
        from: from.map(|row| row + 1),
        commit: matches!(shown.step.action, Action::Commit { .. }),
        changes,
    })
    .collect()
}

fn card(side: &Side, trace: &Trace, context: &Context) -> Card {
    let created = trace.threads.get(side.thread.index());
    let created = created.and_then(|thread| thread.created_at);
    let call = side.calls.last();
    Card {
        colour: side.thread.0 % COLOURS,
        thread: thread_title(trace, side.thread),
        created: created.map(|loc| file_line(context.places, loc)),
        spot: context.named(side.loc),
        code: statement(context.places, side.loc),
        access: access_of(side),
        called: call.map(|call| {
            let at = file_line(context.places, *call);
            format!("in {}, called at {at}", side.function)
        }),
        locks: locks_of(&side.locks, context.places),
    }
}

fn stops(trace: &Trace, steps: &[Shown], context: &Context) -> Vec<Stop> {
    let stations = life(trace, steps).into_iter();
    stations
        .map(|station| Stop {
            kind: station.kind,
            colour: station.thread.0 % COLOURS,
            thread: station.thread.title(),
            spot: context.named(station.loc),
            row: station.row.map(|row| row + 1),
            words: station.words,
        })
        .collect()
}
