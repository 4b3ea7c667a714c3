//! Heat maps: what cells of a program answer, and what they take, over two bounds.

use super::answer;
use crate::sweep::grid::Cell;
use crate::sweep::point::{Point, Setting};
use crate::sweep::view::View;

/// A map, drawn once by answers and once by times.
pub struct Map {
    pub name: String,
    /// Names of the axes.
    pub across: &'static str,
    pub down: &'static str,
    pub columns: Vec<String>,
    pub rows: Vec<Line>,
}

/// A line of a map.
pub struct Line {
    pub name: String,
    pub squares: Vec<Square>,
}

/// A cell of a map.
pub struct Square {
    /// Class of the answer; `open` where there is none.
    pub class: &'static str,
    pub answer: String,
    pub time: String,
    /// Level of time, from 0 (a hundredth of a second and less) to 9 (an hour and more).
    pub heat: usize,
    pub title: String,
    pub is_implied: bool,
}

impl Map {
    /// True if no cell of it is known.
    pub fn is_empty(&self) -> bool {
        let mut squares = self.rows.iter().flat_map(|row| &row.squares);
        squares.all(|square| square.class == OPEN)
    }
}

const OPEN: &str = "open";
/// Times in seconds at which the next level begins.
const LEVELS: [f64; 9] = [0.01, 0.05, 0.25, 1.0, 5.0, 25.0, 120.0, 600.0, 3600.0];

/// The map of rows that differ along an axis alone.
pub fn map(
    view: &View,
    input: usize,
    plane: &Point,
    rows: &[usize],
    down: Option<&'static str>,
) -> Map {
    let columns = &view.grid.columns;
    let line = |row: &usize| {
        let value = down.and_then(|axis| view.grid.rows[*row].value(axis));
        let squares = (0..columns.values.len()).map(|column| {
            let row = *row;
            square(view, Cell { input, row, column })
        });
        Line {
            name: value.map_or(String::new(), Setting::to_string),
            squares: squares.collect(),
        }
    };
    Map {
        name: plane.name(),
        across: columns.axis.name,
        down: down.unwrap_or(""),
        columns: columns.values.iter().map(ToString::to_string).collect(),
        rows: rows.iter().map(line).collect(),
    }
}

fn square(view: &View, cell: Cell) -> Square {
    let Some(record) = view.record(cell) else {
        return Square {
            class: OPEN,
            answer: String::new(),
            time: String::new(),
            heat: 0,
            title: "not run".to_string(),
            is_implied: false,
        };
    };
    let words = answer(record);
    let class = match words {
        "failed" => "failed",
        "complete" => "complete",
        "bounded" | "vacuous" => "bounded",
        _ => "unknown",
    };
    let time = view.seconds(cell);
    let by = record.implied_by.as_ref();
    let title = match by {
        Some(by) => format!("{}: {words}, implied by {}", record.point.name(), by.name()),
        None => format!(
            "{}: {words} in {time:.2} s; {}",
            record.point.name(),
            record.line
        ),
    };
    Square {
        class,
        answer: words.to_string(),
        time: by.map_or_else(|| short(time), |_| String::new()),
        heat: LEVELS.iter().filter(|level| time >= **level).count(),
        title,
        is_implied: by.is_some(),
    }
}

/// A time in few characters.
fn short(seconds: f64) -> String {
    match seconds {
        few if few < 10.0 => format!("{few:.2}"),
        some if some < 100.0 => format!("{some:.1}"),
        many => format!("{many:.0}"),
    }
}
