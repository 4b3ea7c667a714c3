//! Forward data flow over the blocks of one function.

use super::site::Site;
use crate::base::IdVec;
use crate::ir::{BlockId, FuncId, Function, InstrKind, Terminator};

/// What is known at a point of a function, and how instructions change it.
pub(super) trait Domain {
    type State: Clone + PartialEq;

    /// What holds if one of two ways led there.
    fn join(&self, one: &Self::State, other: &Self::State) -> Self::State;

    /// Behind an instruction; `None` if control does not get there.
    fn step(&self, at: Site, instr: &InstrKind, state: Self::State) -> Option<Self::State>;

    /// On the edge with this number out of a block.
    fn leave(&self, at: (FuncId, BlockId), edge: usize, state: Self::State) -> Self::State;
}

/// States at the starts of all blocks that control gets to.
pub(super) fn starts<D: Domain>(
    (id, function): (FuncId, &Function),
    domain: &D,
    entry: D::State,
) -> IdVec<BlockId, Option<D::State>> {
    let mut starts: IdVec<BlockId, Option<D::State>> =
        function.blocks.ids().map(|_| None).collect();
    starts[function.entry] = Some(entry);
    let mut work = vec![function.entry];
    while let Some(block) = work.pop() {
        let Some(state) = end((id, function), block, domain, &starts) else {
            continue;
        };
        for (edge, next) in function.blocks[block]
            .end
            .successors()
            .into_iter()
            .enumerate()
        {
            let state = domain.leave((id, block), edge, state.clone());
            let joined = match &starts[next] {
                Some(known) => domain.join(known, &state),
                None => state,
            };
            if starts[next].as_ref() != Some(&joined) {
                starts[next] = Some(joined);
                work.push(next);
            }
        }
    }
    starts
}

/// State at the end of a block.
pub(super) fn end<D: Domain>(
    (id, function): (FuncId, &Function),
    block: BlockId,
    domain: &D,
    starts: &IdVec<BlockId, Option<D::State>>,
) -> Option<D::State> {
    let mut state = starts[block].clone()?;
    for (index, instr) in function.blocks[block].instrs.iter().enumerate() {
        let at = Site {
            function: id,
            block,
            index,
        };
        state = domain.step(at, &instr.kind, state)?;
    }
    Some(state)
}

/// State at the end of a function, if it returns.
pub(super) fn returned<D: Domain>(
    (id, function): (FuncId, &Function),
    domain: &D,
    starts: &IdVec<BlockId, Option<D::State>>,
) -> Option<D::State> {
    let mut joined: Option<D::State> = None;
    for (block, code) in function.blocks.iter_ids() {
        if matches!(code.end, Terminator::Return(_))
            && let Some(state) = end((id, function), block, domain, starts)
        {
            joined = Some(match joined {
                Some(known) => domain.join(&known, &state),
                None => state,
            });
        }
    }
    joined
}

/// Calls `found` with the state before each instruction that control gets to.
pub(super) fn each<D: Domain>(
    (id, function): (FuncId, &Function),
    domain: &D,
    starts: &IdVec<BlockId, Option<D::State>>,
    mut found: impl FnMut(Site, &InstrKind, &D::State),
) {
    for (block, code) in function.blocks.iter_ids() {
        let mut state = starts[block].clone();
        for (index, instr) in code.instrs.iter().enumerate() {
            let Some(before) = state else {
                break;
            };
            let at = Site {
                function: id,
                block,
                index,
            };
            found(at, &instr.kind, &before);
            state = domain.step(at, &instr.kind, before);
        }
    }
}
