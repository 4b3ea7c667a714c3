//! Shared cells: the bytes that two threads touch, one of them writing, cut where accesses begin and end.

use super::touch::{BlockTouch, CellStart, Space, Touch};
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::GoalKinds;
use crate::ir::address::Slot;
use crate::symex::faults::{self, Fault};

/// Kinds of goals that are preserved: nobody but its thread sees private memory change, and what a goal looks at is touched
/// where it looks: also by the thread that looks at the end for what has been lost. Who waits
/// for what nobody else changes waits for ever.
pub const PRESERVES: GoalKinds = GoalKinds {
    assertions: true,
    undefined: true,
    races: true,
    ends: true,
    blocks: true,
};

// Unrolling cannot do without private memory: a kind that this does not preserve has to be refused.
const _: () = assert!(PRESERVES.contain(GoalKinds::ALL));

/// The partition of all bytes that words touch into cells at the borders of all accesses, reduced to the cells that
/// two threads touch, one of them writing. What is only in blocks is no reason for a cell.
pub(super) fn shared_cells(
    accesses: &SortedMap<(CellStart, u32), Touch>,
    blocks: &SortedMap<Slot, Vec<(BlockTouch, Touch)>>,
) -> SortedMap<CellStart, u32> {
    let mut shared = SortedMap::new();
    let mut cluster: Vec<(u64, u64, &Touch)> = Vec::new();
    let mut current: Option<(Slot, Space, u64)> = None;
    let mut close = |slot, space, end, cluster: &mut Vec<_>| {
        if space == Space::Data
            && let Some(blocks) = blocks.get(&slot)
        {
            add_blocks(blocks, end, cluster);
        }
        cut(slot, space, cluster, &mut shared);
        cluster.clear();
    };
    for (((slot, space, offset), bytes), touch) in accesses {
        let stop = offset + u64::from(*bytes);
        match &mut current {
            Some((s, p, end)) if s == slot && p == space && *offset < *end => {
                *end = (*end).max(stop)
            }
            _ => {
                if let Some((s, p, end)) = current {
                    close(s, p, end, &mut cluster);
                }
                current = Some((*slot, *space, stop));
            }
        }
        cluster.push((*offset, stop, touch));
    }
    if let Some((s, p, end)) = current {
        close(s, p, end, &mut cluster);
    }
    shared
}

/// Adds what blocks touch of a run of overlapping accesses that ends at `end`.
fn add_blocks<'a>(
    blocks: &'a [(BlockTouch, Touch)],
    end: u64,
    cluster: &mut Vec<(u64, u64, &'a Touch)>,
) {
    let first = cluster.first().map_or(end, |access| access.0);
    for (block, touch) in blocks {
        let (from, to) = (block.from.max(first), block.to.min(end));
        let mut at = from;
        while at < to {
            let next = block.from + ((at - block.from) / block.unit + 1) * block.unit;
            let next = next.min(to);
            cluster.push((at, next, touch));
            at = next;
        }
    }
}

/// Cuts one run of overlapping accesses.
fn cut(
    slot: Slot,
    space: Space,
    cluster: &[(u64, u64, &Touch)],
    shared: &mut SortedMap<CellStart, u32>,
) {
    let borders: SortedSet<u64> = cluster
        .iter()
        .filter(|(_, _, touch)| !faults::on(Fault::CellsUncut) || !touch.writers.is_empty())
        .flat_map(|(a, b, _)| [*a, *b])
        .collect();
    let borders: Vec<u64> = borders.into_iter().collect();
    for pair in borders.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let mut all = SortedSet::new();
        let mut written = false;
        for (a, b, touch) in cluster {
            if *a < to && from < *b {
                if !faults::on(Fault::SharingMissed) {
                    all.extend(touch.readers.iter().copied());
                }
                all.extend(touch.writers.iter().copied());
                written |= !touch.writers.is_empty();
            }
        }
        if written && all.len() > 1 {
            shared.insert((slot, space, from), (to - from) as u32);
        }
    }
}
