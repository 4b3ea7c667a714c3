//! Liveness: the registers that a block still needs, by backward data flow over the blocks of one function.

use crate::base::IdVec;
use crate::base::id::Id;
use crate::ir::{BlockId, Function, Instr, Operand, Reg, Terminator};

/// A set of registers of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegSet {
    words: Vec<u64>,
}

impl RegSet {
    /// The empty set over `len` registers.
    pub fn empty(len: usize) -> RegSet {
        RegSet {
            words: vec![0; len.div_ceil(64)],
        }
    }

    /// Membership: true if the register is in the set.
    pub fn contains(&self, reg: Reg) -> bool {
        self.words[reg.index() / 64] >> (reg.index() % 64) & 1 == 1
    }

    pub(super) fn insert(&mut self, reg: Reg) {
        self.words[reg.index() / 64] |= 1 << (reg.index() % 64);
    }

    pub(super) fn remove(&mut self, reg: Reg) {
        self.words[reg.index() / 64] &= !(1 << (reg.index() % 64));
    }

    /// Adds all of `other`; says whether that changed anything.
    fn union(&mut self, other: &RegSet) -> bool {
        let mut changed = false;
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            changed |= *b & !*a != 0;
            *a |= *b;
        }
        changed
    }

    /// Members in order.
    pub fn iter(&self) -> impl Iterator<Item = Reg> + '_ {
        self.words.iter().enumerate().flat_map(|(i, word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| Reg::from_index(i * 64 + bit))
        })
    }
}

/// Registers live at the start of each block.
pub fn live_in(function: &Function) -> IdVec<BlockId, RegSet> {
    let len = function.regs.len();
    let mut live: IdVec<BlockId, RegSet> =
        function.blocks.iter().map(|_| RegSet::empty(len)).collect();
    let mut predecessors: IdVec<BlockId, Vec<BlockId>> =
        function.blocks.iter().map(|_| Vec::new()).collect();
    for (id, block) in function.blocks.iter_ids() {
        for next in block.end.successors() {
            predecessors[next].push(id);
        }
    }
    let mut work: Vec<BlockId> = function.blocks.ids().collect();
    let mut queued: IdVec<BlockId, bool> = function.blocks.iter().map(|_| true).collect();
    while let Some(id) = work.pop() {
        queued[id] = false;
        let block = &function.blocks[id];
        let mut set = RegSet::empty(len);
        for next in block.end.successors() {
            set.union(&live[next]);
        }
        terminator_uses(&block.end, |reg| set.insert(reg));
        for instr in block.instrs.iter().rev() {
            if let Some(dst) = instr.kind.dst() {
                set.remove(dst);
            }
            uses(instr, |reg| set.insert(reg));
        }
        if live[id].union(&set) {
            for &before in &predecessors[id] {
                if !queued[before] {
                    queued[before] = true;
                    work.push(before);
                }
            }
        }
    }
    live
}

/// Registers live before instruction `index` of a block (its terminator has the index after the last).
pub fn live_at(
    function: &Function,
    live_in: &IdVec<BlockId, RegSet>,
    block: BlockId,
    index: usize,
) -> RegSet {
    let code = &function.blocks[block];
    let mut set = RegSet::empty(function.regs.len());
    for next in code.end.successors() {
        set.union(&live_in[next]);
    }
    terminator_uses(&code.end, |reg| set.insert(reg));
    for instr in code.instrs.iter().skip(index).rev() {
        if let Some(dst) = instr.kind.dst() {
            set.remove(dst);
        }
        uses(instr, |reg| set.insert(reg));
    }
    set
}

/// Calls `found` for every register an instruction reads.
#[inline]
pub fn uses(instr: &Instr, found: impl FnMut(Reg)) {
    instr
        .kind
        .operands()
        .into_iter()
        .filter_map(register)
        .for_each(found);
}

fn terminator_uses(end: &Terminator, found: impl FnMut(Reg)) {
    end.operand()
        .into_iter()
        .filter_map(register)
        .for_each(found);
}

pub(super) fn register(operand: Operand) -> Option<Reg> {
    match operand {
        Operand::Reg(reg) => Some(reg),
        _ => None,
    }
}

/// Registers that anything in the function reads.
pub fn used(function: &Function) -> RegSet {
    let mut set = RegSet::empty(function.regs.len());
    for block in function.blocks.iter() {
        block
            .instrs
            .iter()
            .for_each(|instr| uses(instr, |reg| set.insert(reg)));
        terminator_uses(&block.end, |reg| set.insert(reg));
    }
    set
}
