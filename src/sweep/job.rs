//! Jobs: the cells of a grid, in portions that are run one by one, the cheapest first.
//!
//! A job is a cell, or a *chain*: the cells that differ along a bound that can rise within one encoding (rounds of `lazy`) and in
//! nothing else, which one process with one solver answers.

use super::axis::UNWIND;
use super::grid::{Cell, Grid};
use super::point::Point;
use crate::session::Engine;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The jobs of a grid, which are a function of it: smallest bounds first, as they decide about the others.
pub fn jobs(grid: &Grid) -> Vec<Vec<Cell>> {
    let mut cells: Vec<(u64, Cell)> = (grid.cells())
        .map(|cell| (grid.point(cell).size(), cell))
        .collect();
    cells.sort_by_key(|(size, cell)| (*size, cell.column));
    let mut jobs: Vec<Vec<Cell>> = Vec::new();
    let mut chains: HashMap<(usize, Point), usize, FxBuildHasher> = HashMap::default();
    for (_, cell) in cells {
        let point = grid.point(cell);
        let Some(axis) = rises(&point).filter(|_| grid.chain) else {
            jobs.push(vec![cell]);
            continue;
        };
        let chain = (cell.input, point.without(axis));
        let job = *chains.entry(chain).or_insert_with(|| {
            jobs.push(Vec::new());
            jobs.len() - 1
        });
        jobs[job].push(cell);
    }
    jobs
}

/// The axis along which cells like this one make a chain, if they do.
pub(super) fn rises(point: &Point) -> Option<&'static str> {
    let scheme = Engine::named(&point.scheme)?.scheme()?;
    let axis = scheme.rises()?;
    let has = |axis| point.bound(axis).is_some();
    (has(axis) && has(UNWIND)).then_some(axis)
}
