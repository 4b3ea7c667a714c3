//! Size of a program in the eyes of each scheme, counted before anything is encoded.

use crate::base::IdVec;
use crate::base::sorted::SortedMap;
use crate::event::{EventId, EventKind, EventProgram, ThreadId};
use crate::relation::program_order::StepId;
use crate::relation::static_order::StaticOrder;
use crate::relation::suffix::closed;
use crate::relation::turn::Transactions;
use crate::scheme::step::window::windows;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Counts of an event program.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Threads that have steps.
    pub threads: usize,
    /// Visible events that can happen.
    pub events: usize,
    /// Visible events that happen only on one side of a branch (and not those behind which their thread goes on only
    /// if they happen).
    pub conditional: usize,
    /// Blocks: what the scheme `step` executes at once.
    pub blocks: usize,
    /// Blocks that differ in what they do to which cells; a loop's iterations, or threads of one routine, often do not.
    pub shapes: usize,
    /// Pairs of a block and a position of `step` where it may be.
    pub placements: usize,
    /// Events of each shape (one that accesses one of several cells counts for each), summed over the positions where
    /// a block of that shape may be: the size of `step`.
    pub operations: usize,
    /// Pairs of blocks of different threads that access memory and whose order is open.
    pub pairs: usize,
    /// Pairs of a read and a write of different threads, of the same cell and in open order: the size of `order`.
    pub sources: usize,
    /// Most writes of one cell.
    pub writes: usize,
}

/// Shape of a block: for each event its kind, and the cells or threads that it is about.
type Shape = Vec<(u8, Vec<u32>)>;

impl Counts {
    /// Counts; linear in events and, for each, in threads and in accesses of its cells. The windows of blocks
    /// (see [`windows`]) are those of `step` without a bound.
    pub fn of(program: &mut EventProgram) -> Counts {
        let transactions = Transactions::of(program);
        let order = StaticOrder::of(program, &transactions.po);
        let guards = program
            .events
            .iter()
            .map(|event| Some(event.guard))
            .collect();
        let closed = closed(program, &transactions.po, &guards);
        let blocks: usize = transactions.all.iter().map(Vec::len).sum();
        let windows = windows(program, &transactions, &order, blocks);
        let mut counts = Counts {
            threads: transactions
                .all
                .iter()
                .filter(|list| !list.is_empty())
                .count(),
            blocks,
            ..Counts::default()
        };
        let mut shapes: HashMap<Shape, Vec<(u32, u32)>, FxBuildHasher> = HashMap::default();
        // By cell, the places of reads and of writes.
        let mut reads: SortedMap<u32, Vec<EventId>> = SortedMap::new();
        let mut writes: SortedMap<u32, Vec<EventId>> = SortedMap::new();
        // By thread, the last step of each block that accesses memory.
        let mut accessing: IdVec<ThreadId, Vec<StepId>> = IdVec::new();
        for (thread, list) in transactions.all.iter_ids() {
            let mut steps = Vec::new();
            for place in 0..list.len() {
                let mut shape: Shape = Vec::new();
                for &event in transactions.events(thread, place) {
                    counts.events += 1;
                    counts.conditional += usize::from(!closed[event]);
                    let (kind, cells) = match &program.events[event].kind {
                        EventKind::Read { targets, .. } => {
                            for target in targets {
                                reads.entry(target.cell.0).or_default().push(event);
                            }
                            (0, targets.iter().map(|target| target.cell.0).collect())
                        }
                        EventKind::Write { targets, .. } => {
                            for target in targets {
                                writes.entry(target.cell.0).or_default().push(event);
                            }
                            (1, targets.iter().map(|target| target.cell.0).collect())
                        }
                        EventKind::Create { child } => (2, vec![child.0]),
                        EventKind::Join { targets, .. } => {
                            (3, targets.iter().map(|target| target.0.0).collect())
                        }
                        EventKind::End => (4, vec![thread.0]),
                        _ => continue,
                    };
                    shape.push((kind, cells));
                }
                if shape.iter().any(|(kind, _)| *kind <= 1) {
                    steps.extend(list[place].last());
                }
                let window = windows[thread][place];
                counts.placements += (window.1 + 1).saturating_sub(window.0) as usize;
                shapes.entry(shape).or_default().push(window);
            }
            accessing.push(steps);
        }
        counts.shapes = shapes.len();
        for (shape, mut windows) in shapes {
            windows.sort_unstable();
            let size: usize = shape.iter().map(|(_, cells)| cells.len()).sum();
            let mut next = 0;
            for (first, last) in windows {
                let from = first.max(next);
                counts.operations += (last + 1).saturating_sub(from) as usize * size;
                next = next.max(last + 1);
            }
        }
        let po = &transactions.po;
        for (a, steps) in accessing.iter_ids() {
            for &step in steps {
                for (b, others) in accessing.iter_ids().filter(|(b, _)| *b > a) {
                    let index = po.steps[step].index;
                    let earlier = order.clocks[step][b.0 as usize];
                    let before = others.partition_point(|&n| po.steps[n].index < earlier);
                    let after = others.partition_point(|&n| order.clocks[n][a.0 as usize] <= index);
                    counts.pairs += after.saturating_sub(before);
                }
            }
        }
        for (cell, writers) in &writes {
            counts.writes = counts.writes.max(writers.len());
            for &read in reads.get(cell).into_iter().flatten() {
                for &write in writers {
                    let (Some(x), Some(y)) = (po.step_of[read], po.step_of[write]) else {
                        continue;
                    };
                    let open = po.steps[x].thread != po.steps[y].thread
                        && !order.before(po, x, y)
                        && !order.before(po, y, x);
                    counts.sources += usize::from(open);
                }
            }
        }
        counts
    }
}
