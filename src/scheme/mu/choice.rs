//! Which representation suits a program: the rule behind `--mu auto`.
//!
//! A fine-grained unwinding has a position for each write, and steps have as many places as there are positions: its
//! size grows with the product of writes and shared variables. Clusters are few, however many writes they have, but
//! everything inside costs more. So the rule looks at the number of writes that the program has at all, counted
//! as events, before anything is encoded, and at whether its memory is scalars or arrays.
//!
//! Measured (processor seconds with rising bounds, limit 15 s, unsafe tasks of the competition of 2015):
//!
//! | task | writes | fine-explicit | fine-implicit | intra | inter |
//! |---|---|---|---|---|---|
//! | lazy01, stateful01, singleton | 5–12 | 0.01 | 0.01 | 0.01 | 0.01 |
//! | fib_bench, 10 writes | 20–40 | 0.16 | – | 1.5 | 0.6 |
//! | queue | 256 | 1.8 with 24 writes | 1.7 (mixed: 2.6) | 0.6 with 4 clusters | 0.2 with 2 |
//! | pthread-wmm, safe010_power | 54 | 2.3 | > 15 | 0.02 | 0.02 |
//! | pthread-wmm, mix000_rmo | 76 | > 15 | > 15 | 0.02 | 0.04 |
//!
//! Since ranges bound what memory can hold at each position, and on a busier machine (limit 12 s):
//!
//! | task | fewest writes | fine-explicit | fine-implicit | intra | inter |
//! |---|---|---|---|---|---|
//! | fib_bench_longest, 22 writes | 22 | 8.3 | > 12 | > 12 | > 12 |
//! | fkp2013, 50 writes | 50 | 9.8 | 0.1 | 0.1 | 1.2 (before) |
//! | queue_longer | – | 8.7 | 7.0 | 0.6 | 0.4 |
//! | pthread-wmm, 19 tasks, median | – | – | – | 0.1 | 0.04 |
//!
//! That is what the paper says, too: fine-grained for the small programs, inter-thread clusters for those with many
//! writes.

use super::Variant;
use crate::event::{EventKind, EventProgram};

/// Up to so many writes every write has a position of its own.
const FEW_WRITES: usize = 24;

/// The variant for a program.
pub fn choose(program: &EventProgram) -> Variant {
    let possible = |guard| guard != program.terms.fals();
    let writes = program
        .events
        .iter()
        .filter(|event| matches!(event.kind, EventKind::Write { .. }) && possible(event.guard));
    let arrays = program.cells.iter().filter(|cell| cell.element.is_some());
    let (writes, arrays) = (writes.count(), arrays.count());
    if writes > FEW_WRITES {
        return Variant::Inter;
    }
    match 2 * arrays > program.cells.len() {
        true => Variant::FineMixed,
        false => Variant::FineExplicit,
    }
}
