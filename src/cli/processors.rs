//! Options of work on several processors: races of ways to one answer, and cubes.

use super::asked::Options;
use super::option::{Command, Group, Opt};
use crate::base::option::number;
use crate::session::Split;

type Row = Opt<Options>;

/// The most cubes that can be asked for.
pub const MOST_CUBES: u32 = 4096;

/// The rows.
pub fn rows() -> Vec<Row> {
    let options = vec![
        Row::value(
            "jobs",
            "N",
            "Ways to the answer that race at once (1 to 1024): schemes, then other searches of the solver. With 1 there is no race, \
             and a run is the same each time. Without it, those join in that the program suggests. With --cubes, cubes at once: \
             as many as there are processors",
            |to, text| {
                to.request.jobs = Some(number(text, 1, 1024)? as usize);
                Ok(())
            },
        ),
        Row::value(
            "cubes",
            "N",
            "Split the executions of each level of bounds into at most so many cubes, which the solvers of --jobs divide among them: by what \
             a search for a moment learns most about, else by how far turns go (lazy), or by which of two steps comes first (order)",
            |to, text| {
                to.request.split = Some(Split {
                    count: number(text, 1, MOST_CUBES)? as usize,
                    only: None,
                });
                Ok(())
            },
        )
        .against("cube")
        .unrolling(),
        Row::value(
            "cube",
            "K/N",
            "Of the N cubes of --cubes, decide cube K alone; bounds that are open do not rise. Where no cube has a violation, \
             neither has the program within these bounds",
            |to, text| {
                to.request.split = Some(cube(text)?);
                Ok(())
            },
        )
        .unrolling(),
    ];
    Row::group(Group::Resources, &[Command::Verify], options)
}

/// A cube of so many.
fn cube(text: &str) -> Result<Split, String> {
    let expected =
        || format!("expected K/N, such as 3/8, with K from 1 to N and N at most {MOST_CUBES}");
    let (only, count) = text.split_once('/').ok_or_else(expected)?;
    let count = number(count, 1, MOST_CUBES).map_err(|_| expected())?;
    let only = number(only, 1, count).map_err(|_| expected())?;
    Ok(Split {
        count: count as usize,
        only: Some(only as usize),
    })
}
