//! Loads that certainly come after a store to the same place, or after a load that asked: they need not ask whether what they
//! read was ever written (`--check undefined`). What was written stays so as long as its object lives.
//!
//! A place is the address in a register, plus a constant. Facts about a register end where it gets another value.

use crate::base::IdVec;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::{BlockId, Function, Instr, InstrKind, Operand, Reg, Rvalue};

/// A register, and a number of bytes behind what it points to.
type Place = (Reg, u128);

/// Places that were written.
type Written = SortedSet<Place>;

/// Registers of the block so far that hold the address of a place.
type Held = SortedMap<Reg, Place>;

/// Leaves out what needs no question.
pub(super) fn settle(function: &mut Function) {
    let asks =
        |instr: &Instr| matches!(&instr.kind, InstrKind::Load { access, .. } if access.needs_value);
    let mut blocks = function.blocks.iter();
    if !blocks.any(|block| block.instrs.iter().any(asks)) {
        return;
    }
    let before = certain(function);
    for id in function.blocks.ids() {
        let Some(mut known) = before[id].clone() else {
            continue;
        };
        let mut held = Held::new();
        for instr in &mut function.blocks[id].instrs {
            if let InstrKind::Load { addr, access, .. } = &mut instr.kind {
                let place = place(*addr, &held);
                access.needs_value &= place.is_none_or(|place| !known.contains(&place));
            }
            step(instr, &mut known, &mut held);
        }
    }
}

/// The place that an address operand names.
fn place(addr: Operand, held: &Held) -> Option<Place> {
    match addr {
        Operand::Reg(reg) => Some(held.get(&reg).copied().unwrap_or((reg, 0))),
        _ => None,
    }
}

/// Knowledge behind an instruction.
fn step(instr: &Instr, known: &mut Written, held: &mut Held) {
    let written = match &instr.kind {
        InstrKind::Store { addr, .. } | InstrKind::Rmw { addr, .. } => place(*addr, held),
        InstrKind::Load { addr, access, .. } if access.needs_value => place(*addr, held),
        _ => None,
    };
    known.extend(written);
    let Some(dst) = instr.kind.dst() else {
        return;
    };
    let moved = match &instr.kind {
        InstrKind::Assign {
            value: Rvalue::Use(base),
            ..
        } => place(*base, held),
        InstrKind::Assign {
            value: Rvalue::Offset { base, offset_bytes },
            ..
        } => match (place(*base, held), offset_bytes) {
            (Some((reg, at)), Operand::Const { value, .. }) => Some((reg, at.wrapping_add(*value))),
            _ => None,
        },
        _ => None,
    };
    known.retain(|(reg, _)| *reg != dst);
    held.retain(|reg, (base, _)| *reg != dst && *base != dst);
    if let Some((base, at)) = moved.filter(|(base, _)| *base != dst) {
        held.insert(dst, (base, at));
    }
}

/// Knowledge at the start of each block, if control comes there.
fn certain(function: &Function) -> IdVec<BlockId, Option<Written>> {
    let mut before: IdVec<BlockId, Option<Written>> = function.blocks.ids().map(|_| None).collect();
    before[function.entry] = Some(Written::new());
    let mut work = vec![function.entry];
    while let Some(id) = work.pop() {
        let Some(mut known) = before[id].clone() else {
            continue;
        };
        let mut held = Held::new();
        for instr in &function.blocks[id].instrs {
            step(instr, &mut known, &mut held);
        }
        for next in function.blocks[id].end.successors() {
            let joined: Written = match &before[next] {
                None => known.clone(),
                Some(old) => old.intersection(&known).copied().collect(),
            };
            if before[next].as_ref() != Some(&joined) {
                before[next] = Some(joined);
                work.push(next);
            }
        }
    }
    before
}
