//! Record of a cell: what it found out, as the journal holds it.
//!
//! A journal has one JSON object a line. Schema 1; fields are only ever added under the same number.
//!
//! | field | value |
//! |---|---|
//! | `schema` | 1 |
//! | `version` | version of Selvedge |
//! | `file` | the file as the user named it |
//! | `content` | names the preprocessed text |
//! | `options` | options that the answer depends on, other than those of the cell |
//! | `limits` | options that limit the cell |
//! | `scheme`; `unwind`, `rounds`, `memory-model` and every other axis that the cell has a value on | the cell |
//! | `verdict` | `"failed"`, `"successful"`, `"unknown"`, `"input"` (exit code 2) or `"error"` |
//! | `complete` | successful without limits |
//! | `asserted` | whether an assertion is reachable within the bounds; null if that was not asked |
//! | `implied_by` | the cell of the same program whose answer implies this one, which was not run; null if it was run |
//! | `chained` | one process answered several levels of a bound, and this is one of them: times are those since the level before |
//! | `cube` | `number`, `of` and `formula`, where only a cube of the cell was asked about; absent of whole cells |
//! | `line` | the last line that the run printed, or what it said in place of a verdict |
//! | `exit` | its exit code; null if it was killed |
//! | `events`, `terms`, `variables`, `clauses` | sizes; 0 if unknown |
//! | `cpu_ms`, `wall_ms`, `peak_memory_bytes` | what it took |

use super::cube::Cube;
use super::grid::{Cell, Grid};
use super::point::Point;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;

/// The number of the schema that is described above.
pub const SCHEMA: u32 = 1;

/// A line of a journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    pub schema: u32,
    pub version: String,
    pub file: String,
    pub content: String,
    pub options: String,
    pub limits: String,
    #[serde(flatten)]
    pub point: Point,
    pub verdict: Verdict,
    pub complete: bool,
    pub asserted: Option<bool>,
    #[serde(default)]
    pub implied_by: Option<Point>,
    #[serde(default)]
    pub chained: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cube: Option<Cube>,
    pub line: String,
    pub exit: Option<i32>,
    pub events: u64,
    #[serde(default)]
    pub terms: u64,
    pub variables: u64,
    pub clauses: u64,
    pub cpu_ms: u64,
    pub wall_ms: u64,
    pub peak_memory_bytes: u64,
}

/// The kinds of answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// A violation was found.
    Failed,
    /// None exists within the bounds.
    Successful,
    /// Limits were reached, or something is not modelled.
    Unknown,
    /// The file is no program that can be verified.
    Input,
    /// The run went wrong.
    Error,
}

/// Key of a record: what it must agree with to be the answer to a cell.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    version: String,
    content: String,
    options: String,
    point: Point,
    /// Number of the cube, of so many.
    cube: Option<(u32, u32)>,
}

impl Record {
    /// A record of a cell that knows nothing yet.
    pub(super) fn new(grid: &Grid, cell: Cell) -> Record {
        let input = &grid.inputs[cell.input];
        Record {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").to_string(),
            file: input.name.clone(),
            content: input.content.clone(),
            options: words(&input.options),
            limits: words(&grid.limits.words),
            point: grid.point(cell),
            verdict: Verdict::Error,
            complete: false,
            asserted: None,
            implied_by: None,
            chained: false,
            cube: None,
            line: String::new(),
            exit: None,
            events: 0,
            terms: 0,
            variables: 0,
            clauses: 0,
            cpu_ms: 0,
            wall_ms: 0,
            peak_memory_bytes: 0,
        }
    }

    /// Time that it took in milliseconds: processor time, or wall time where nobody could tell.
    pub(super) fn spent_ms(&self) -> u64 {
        match self.cpu_ms {
            0 => self.wall_ms,
            cpu => cpu,
        }
    }

    pub(super) fn key(&self) -> Key {
        Key {
            version: self.version.clone(),
            content: self.content.clone(),
            options: self.options.clone(),
            point: self.point.clone(),
            cube: self.cube.as_ref().map(|cube| (cube.number, cube.of)),
        }
    }

    /// True if not even the process for the cell could be made, or something on this machine ended it: elsewhere, or later, there
    /// may be an answer.
    pub(super) fn was_not_run(&self) -> bool {
        self.verdict == Verdict::Error && self.exit.is_none()
    }

    /// Finality: true if the answer stands under other limits as well.
    pub fn is_final(&self) -> bool {
        self.complete || matches!(self.verdict, Verdict::Failed | Verdict::Input)
    }
}

fn words(options: &[OsString]) -> String {
    let words: Vec<_> = options.iter().map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}
