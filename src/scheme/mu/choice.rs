//! Choice of the representation that suits a program: the rule behind `--mu auto`.
//!
//! A fine-grained unwinding has a position for each write, and steps have as many places as there are positions: its
//! size grows with the product of writes and shared variables. Clusters are few, however many writes they have, but
//! everything inside costs more. So the rule looks at the number of writes that the program has at all, counted
//! as events, before anything is encoded, and at whether its memory is scalars or arrays.
//!
//! Measured on the 211 unsafe tasks of the paper's directories that we have (processor seconds from C text to verdict,
//! rising bounds, limit 30 s; `benchmarks/results/mu.md` has each):
//!
//! | | found | all together | largest |
//! |---|---|---|---|
//! | best variant for each task, in hindsight | 211 | 15.1 | 6.4 |
//! | this rule | 211 | 16.5 | 6.4 |
//! | inter | 210 | 43.1 | > 30 (fib_bench_longest) |
//! | intra | 209 | 88.0 | > 30 (fib_bench_longest, sigma) |
//!
//! | task | writes, at least | fine-explicit | fine-implicit | intra | inter |
//! |---|---|---|---|---|---|
//! | fib_bench_longer | 12 | 0.2 | 0.3 | 3.4 | 2.3 |
//! | fib_bench_longest | 22 | 7.6 | > 30 | > 30 | > 30 |
//! | fkp2013 | 50 | 8.2 | 0.1 | 0.2 | 1.1 |
//! | queue_longer | 19 | 7.5 | 7.3 | 0.6 | 0.4 |
//! | sigma | 17 | 14.2 | 28.1 | > 30 | 0.1 |
//! | pthread-wmm, mix000_rmo | | 6.8 | > 30 | 0.1 | 0.04 |
//!
//! The largest loss is that of fkp2013: 50 threads that do the same, of which any two are enough.
//!
//! The paper says the same: fine-grained for the small programs, inter-thread clusters for those with many writes.

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
    if 2 * arrays > program.cells.len() {
        Variant::FineMixed
    } else {
        Variant::FineExplicit
    }
}
