//! Journals as one page that asks for nothing else: of each program heat maps (answer and time over two bounds) and how time grows;
//! over all programs, how many cells each scheme answers in how much time (cactus plot).
//!
//! `page.html` is the template, which escapes all texts. There is no script: charts are drawings (SVG) with titles to point at.

mod chart;
mod heat;

use super::axis::{Axis, Kind};
use super::grid::Cell;
use super::point::Point;
use super::record::{Record, Verdict};
use super::table::{answer, summary};
use super::view::View;
use crate::base::sorted::SortedMap;
use askama::Template;
use chart::{Chart, Series};
use heat::Map;

/// The page.
#[derive(Template)]
#[template(path = "sweep/page/page.html")]
struct Page {
    summary: String,
    version: &'static str,
    programs: Vec<Program>,
    cactus: Option<Chart>,
    style: &'static str,
}

/// Part of the page about a program.
struct Program {
    name: String,
    maps: Vec<Map>,
    growth: Option<Chart>,
}

/// The text of the page. Heat maps have the columns of the view from left to right, and from top to bottom `down`, or by default each
/// scheme's own bound.
pub fn page(view: &View, down: Option<Axis>) -> String {
    let programs = 0..view.grid.inputs.len();
    let page = Page {
        summary: summary(&view.grid, &view.swept).trim_end().to_string(),
        version: env!("CARGO_PKG_VERSION"),
        programs: programs.map(|input| program(view, input, down)).collect(),
        cactus: cactus(view),
        style: include_str!("style.css"),
    };
    // Nothing of it can fail but a writer, and a text does not.
    page.render().unwrap_or_default()
}

fn program(view: &View, input: usize, down: Option<Axis>) -> Program {
    let mut maps: SortedMap<Point, Vec<usize>> = SortedMap::new();
    for (row, point) in view.grid.rows.iter().enumerate() {
        let plane = axis_down(point, down).map_or(point.clone(), |axis| point.without(axis));
        maps.entry(plane).or_default().push(row);
    }
    let maps = maps.into_iter().map(|(plane, rows)| {
        let axis = rows
            .first()
            .and_then(|row| axis_down(&view.grid.rows[*row], down));
        heat::map(view, input, &plane, &rows, axis)
    });
    Program {
        name: view.grid.inputs[input].name.clone(),
        maps: maps.filter(|map| !map.is_empty()).collect(),
        growth: growth(view, input),
    }
}

/// The axis of a row that goes down in its heat map: the one that is asked for, or its first bound.
fn axis_down(point: &Point, asked: Option<Axis>) -> Option<&'static str> {
    let mut axes = Axis::all().iter();
    let is_down = |axis: &&Axis| match asked {
        Some(asked) => axis.name == asked.name,
        None => matches!(axis.kind, Kind::Bound { .. }),
    };
    let has = |axis: &&Axis| point.value(axis.name).is_some();
    axes.find(|axis| is_down(axis) && has(axis))
        .map(|axis| axis.name)
}

fn is_answer(record: &Record) -> bool {
    matches!(record.verdict, Verdict::Failed | Verdict::Successful)
}

/// Time of the cells of a program along the columns, a line for each row.
fn growth(view: &View, input: usize) -> Option<Chart> {
    let columns = &view.grid.columns;
    let mut all = Vec::new();
    for (row, point) in view.grid.rows.iter().enumerate() {
        let mut points = Vec::new();
        for (column, value) in columns.values.iter().enumerate() {
            let cell = Cell { input, row, column };
            let Some(record) = view.record(cell) else {
                continue;
            };
            if record.implied_by.is_some() {
                continue;
            }
            let time = view.seconds(cell);
            let title = format!(
                "{}, {} {value}: {} in {time:.2} s",
                point.name(),
                columns.axis.name,
                answer(record)
            );
            points.push(chart::Mark {
                x: column as f64,
                y: time,
                title,
                is_open: !is_answer(record),
            });
        }
        if !points.is_empty() {
            all.push(Series {
                name: point.name(),
                points,
            });
        }
    }
    let labels = columns.values.iter().map(ToString::to_string).collect();
    chart::chart(columns.axis.name, labels, all)
}

/// Numbers of cells that each scheme has answered in at most so much time.
fn cactus(view: &View) -> Option<Chart> {
    let mut times: SortedMap<String, Vec<(f64, String)>> = SortedMap::new();
    for cell in view.grid.cells() {
        let Some(record) = view.record(cell) else {
            continue;
        };
        if record.implied_by.is_some() || !is_answer(record) {
            continue;
        }
        let is_choice = |axis: &&Axis| matches!(axis.kind, Kind::Name | Kind::Number { .. });
        let choices = Axis::all().iter().filter(is_choice);
        let choices = choices.filter_map(|axis| {
            let value = record.point.value(axis.name)?;
            Some((axis.name, value.clone()))
        });
        let scheme = Point::new(&record.point.scheme, choices).name();
        let title = format!("{}: {}", record.file, record.point.name());
        times
            .entry(scheme)
            .or_default()
            .push((view.seconds(cell), title));
    }
    let most = times.values().map(Vec::len).max()?;
    let all = times.into_iter().map(|(name, mut times)| {
        times.sort_by(|one, other| one.0.total_cmp(&other.0));
        let points = times
            .into_iter()
            .enumerate()
            .map(|(number, (y, title))| chart::Mark {
                x: (number + 1) as f64,
                y,
                title: format!(
                    "{} of {name} in at most {y:.2} s each, the last {title}",
                    number + 1
                ),
                is_open: false,
            });
        Series {
            points: points.collect(),
            name,
        }
    });
    let labels = (0..=most).map(|number| number.to_string()).collect();
    chart::chart("cells answered", labels, all.collect())
}
