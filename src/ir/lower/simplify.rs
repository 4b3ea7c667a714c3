//! Tidies a finished body: no unreachable blocks, no empty blocks in between, no chains of two.

use super::draft::Draft;
use crate::base::id::Id;
use crate::base::{IdVec, Loc};
use crate::ir::{Block, BlockId, Successors, Terminator};

/// Turns drafts (all of them ended; the first is the entry) into blocks. The entry keeps id 0 and no edge
/// leads to it.
pub(super) fn simplify(mut drafts: Vec<Draft>) -> IdVec<BlockId, Block> {
    split_entry(&mut drafts);
    let targets: Vec<BlockId> = (0..drafts.len()).map(|i| skip_empty(&drafts, i)).collect();
    for draft in &mut drafts {
        if let Some((end, _)) = &mut draft.end {
            retarget(end, |b| targets[b.index()]);
        }
    }
    join_chains(&mut drafts);
    renumber(drafts)
}

/// Moves the entry's code away if something jumps back to it.
fn split_entry(drafts: &mut Vec<Draft>) {
    let entry = BlockId::from_index(0);
    let returns = drafts.iter().any(|d| {
        d.end
            .as_ref()
            .is_some_and(|(end, _)| end.successors().contains(&entry))
    });
    if !returns {
        return;
    }
    let moved = BlockId::from_index(drafts.len());
    let body = std::mem::take(&mut drafts[0]);
    drafts.push(body);
    for draft in drafts.iter_mut() {
        if let Some((end, _)) = &mut draft.end {
            retarget(end, |b| if b == entry { moved } else { b });
        }
    }
    drafts[0].end = Some((Terminator::Jump(moved), Loc::NONE));
}

fn retarget(end: &mut Terminator, to: impl Fn(BlockId) -> BlockId) {
    match end {
        Terminator::Jump(b) => *b = to(*b),
        Terminator::Branch { then, other, .. } => {
            *then = to(*then);
            *other = to(*other);
            if then == other {
                *end = Terminator::Jump(*then);
            }
        }
        Terminator::Switch { cases, default, .. } => {
            for (_, block) in cases.iter_mut() {
                *block = to(*block);
            }
            *default = to(*default);
        }
        Terminator::Return(_) | Terminator::ThreadExit(_) | Terminator::Stop => {}
    }
}

/// Block at which control that enters block `i` first finds something to do.
fn skip_empty(drafts: &[Draft], i: usize) -> BlockId {
    let mut at = i;
    for _ in 0..drafts.len() {
        match &drafts[at].end {
            Some((Terminator::Jump(next), _))
                if drafts[at].instrs.is_empty() && next.index() != at =>
            {
                at = next.index();
            }
            _ => return BlockId::from_index(at),
        }
    }
    // A cycle of empty blocks: an endless loop, kept where it was entered.
    BlockId::from_index(i)
}

/// Appends a block to its only predecessor where that one ends in a jump.
fn join_chains(drafts: &mut [Draft]) {
    let mut predecessors = vec![0usize; drafts.len()];
    let reached = reachable(drafts);
    for (i, draft) in drafts.iter().enumerate() {
        if reached[i]
            && let Some((end, _)) = &draft.end
        {
            for next in end.successors() {
                predecessors[next.index()] += 1;
            }
        }
    }
    for i in 0..drafts.len() {
        if !reached[i] {
            continue;
        }
        while let Some((Terminator::Jump(next), _)) = drafts[i].end
            && next.index() != i
            && next.index() != 0
            && predecessors[next.index()] == 1
        {
            let mut tail = std::mem::take(&mut drafts[next.index()]);
            drafts[i].instrs.append(&mut tail.instrs);
            drafts[i].end = tail.end;
            predecessors[next.index()] = 0;
            if drafts[i].end.is_none() {
                break;
            }
        }
    }
}

fn reachable(drafts: &[Draft]) -> Vec<bool> {
    let mut reached = vec![false; drafts.len()];
    let mut work = vec![0];
    while let Some(i) = work.pop() {
        if std::mem::replace(&mut reached[i], true) {
            continue;
        }
        if let Some((end, _)) = &drafts[i].end {
            work.extend(end.successors().into_iter().map(Id::index));
        }
    }
    reached
}

/// Reachable blocks in reverse postorder: a block comes after all its predecessors but those of back edges.
fn renumber(mut drafts: Vec<Draft>) -> IdVec<BlockId, Block> {
    let order = reverse_postorder(&drafts);
    let mut ids = vec![BlockId(u32::MAX); drafts.len()];
    for (new, old) in order.iter().enumerate() {
        ids[*old] = BlockId::from_index(new);
    }
    order
        .iter()
        .map(|old| {
            let draft = std::mem::take(&mut drafts[*old]);
            let (mut end, end_loc) = draft.end.unwrap_or((Terminator::Stop, Loc::NONE));
            retarget(&mut end, |b| ids[b.index()]);
            Block {
                instrs: draft.instrs,
                end,
                end_loc,
            }
        })
        .collect()
}

fn reverse_postorder(drafts: &[Draft]) -> Vec<usize> {
    // Successors are visited last one first, so that the first one comes first in the result.
    let successors = |i: usize| match &drafts[i].end {
        Some((end, _)) => end.successors(),
        None => Successors::new(),
    };
    let mut seen = vec![false; drafts.len()];
    let mut order = Vec::new();
    let mut stack = vec![(0, successors(0))];
    seen[0] = true;
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            None => {
                order.push(*block);
                stack.pop();
            }
            Some(next) if std::mem::replace(&mut seen[next.index()], true) => {}
            Some(next) => stack.push((next.index(), successors(next.index()))),
        }
    }
    order.reverse();
    order
}
