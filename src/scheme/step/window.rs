//! Where blocks may be: positions that are too early or too late for one are never built.

use super::super::faults::{self, Fault};
use super::super::skeleton::StaticOrder;
use super::super::turn::Steps;
use crate::base::IdVec;
use crate::event::ThreadId;

/// First and last position of each block: behind what comes before it in every execution, before what comes after it.
pub fn windows(
    steps: &Steps,
    order: &StaticOrder,
    total: usize,
) -> IdVec<ThreadId, Vec<(u32, u32)>> {
    // For each block, how many blocks of each thread come before it.
    let mut seen: IdVec<ThreadId, Vec<Vec<u32>>> = IdVec::new();
    for (thread, list) in steps.all.iter_ids() {
        let mut all = Vec::with_capacity(list.len());
        for (place, nodes) in list.iter().enumerate() {
            let mut before = vec![0u32; steps.all.len()];
            for &node in nodes {
                for (other, chain) in steps.skeleton.chains.iter_ids() {
                    let nodes = order.clocks[node][other.0 as usize] as usize;
                    if other != thread && nodes > 0 {
                        let last = steps.place_of(chain[nodes - 1]) as u32 + 1;
                        let most = &mut before[other.0 as usize];
                        *most = (*most).max(last);
                    }
                }
            }
            before[thread.0 as usize] = place as u32;
            all.push(before);
        }
        seen.push(all);
    }
    let mut after: IdVec<ThreadId, Vec<u32>> = steps.all.iter().map(|l| vec![0; l.len()]).collect();
    for (thread, list) in seen.iter_ids() {
        for before in list {
            for (other, &count) in steps.all.ids().zip(before) {
                if other != thread && count > 0 {
                    after[other][count as usize - 1] += 1;
                }
            }
        }
    }
    let mut windows: IdVec<ThreadId, Vec<(u32, u32)>> = IdVec::new();
    for (thread, list) in steps.all.iter_ids() {
        let mut behind = 0;
        let mut all = vec![(0, 0); list.len()];
        for place in (0..list.len()).rev() {
            // Blocks of others after a block come after those before it, too.
            behind += after[thread][place];
            let own = (list.len() - 1 - place) as u32;
            let first = seen[thread][place].iter().sum::<u32>() + 1;
            let first = first + u32::from(faults::on(Fault::WindowLate));
            let last = total as u32 - own - behind;
            all[place] = (first, last - u32::from(faults::on(Fault::WindowEarly)));
        }
        windows.push(all);
    }
    windows
}
