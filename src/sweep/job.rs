//! Jobs: the cells of a grid, in portions that are run one by one, the cheapest first.
//!
//! A job is a cell, or a *chain*: the cells that differ along a bound that can rise within one encoding (rounds or the clock of `lazy`, writes of `mu`)
//! and in nothing else, which one process with one solver answers. A cell that is split is a job for each of its cubes.

use super::axis::UNWIND;
use super::cube::Cube;
use super::grid::{Cell, Grid};
use super::point::Point;
use crate::session::Engine;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// A job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Cells, of one program.
    pub cells: Vec<Cell>,
    /// The cube of the only cell that is asked about, if it is one.
    pub cube: Option<Cube>,
}

impl Job {
    fn of(cell: Cell) -> Job {
        Job {
            cells: vec![cell],
            cube: None,
        }
    }
}

/// The jobs of a grid, which are a function of it: smallest bounds first, as they decide about the others.
pub fn jobs(grid: &Grid) -> Vec<Job> {
    let mut cells: Vec<(u64, Cell)> = (grid.cells())
        .map(|cell| (grid.point(cell).size(), cell))
        .collect();
    cells.sort_by_key(|(size, cell)| (*size, cell.column));
    let mut jobs: Vec<Job> = Vec::new();
    let mut chains: HashMap<(usize, Point), usize, FxBuildHasher> = HashMap::default();
    for (_, cell) in cells {
        let point = grid.point(cell);
        if let Some(of) = grid.cubes.filter(|_| splits(&point)) {
            let cube = |number| Cube {
                number,
                of,
                formula: None,
            };
            jobs.extend((1..=of).map(|number| Job {
                cube: Some(cube(number)),
                ..Job::of(cell)
            }));
            continue;
        }
        let Some(axis) = rises(grid, &point).filter(|_| grid.chain) else {
            jobs.push(Job::of(cell));
            continue;
        };
        let chain = (cell.input, point.without(axis));
        let job = *chains.entry(chain).or_insert_with(|| {
            jobs.push(Job {
                cells: Vec::new(),
                cube: None,
            });
            jobs.len() - 1
        });
        jobs[job].cells.push(cell);
    }
    jobs
}

/// True if executions of such a cell can be split.
pub fn splits(point: &Point) -> bool {
    match Engine::named(&point.scheme) {
        Some(Engine::Auto) => true,
        Some(Engine::Scheme(scheme)) => scheme.splits(),
        Some(Engine::Modular { .. }) | None => false,
    }
}

/// The axis along which cells like this one make a chain, if they do: one with several values.
pub(super) fn rises(grid: &Grid, point: &Point) -> Option<&'static str> {
    let scheme = Engine::named(&point.scheme)?.scheme()?;
    point.bound(UNWIND)?;
    let mut all = scheme.rises().iter();
    let found = all.find(|one| {
        let bound = point.bound(one.option);
        bound.is_some_and(|bound| bound >= one.least) && grid.varies(one.option, bound)
    });
    found.map(|one| one.option)
}
