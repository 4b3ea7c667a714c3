//! Joins that certainly wait for all threads of some instructions that create them: the handle is read from a variable
//! which nothing but the creation of these threads writes.
//!
//! What is found here rests on conditions about the order of threads, which `order` computes with what is found here. By
//! induction over the steps of an execution, all is right if the conditions hold in the end.

use super::access::Writes;
use super::candidate::{Candidate, Kill};
use super::faults::{self, Fault};
use super::flow::Flow;
use super::object::{Object, ObjectId};
use super::once::Once;
use super::site::Site;
use super::thread::Classes;
use crate::base::IdVec;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::{
    BinOp, BlockId, FuncId, Function, InstrKind, Operand, Program, Reg, Rvalue, Terminator,
};

/// All candidates of a program.
pub(super) fn candidates(
    program: &Program,
    flow: &Flow,
    classes: &Classes,
    once: &Once,
    writes: &Writes,
    busy: &Busy,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    let cells = cells((program, flow, busy), classes, once, writes);
    for id in flow.reached() {
        let function = &program.functions[id];
        let before = predecessors(function);
        for (block, code) in function.blocks.iter_ids() {
            for (index, instr) in code.instrs.iter().enumerate() {
                let InstrKind::Join { thread, .. } = instr.kind else {
                    continue;
                };
                let at = Site {
                    function: id,
                    block,
                    index,
                };
                let Some((object, offset)) = handle((program, flow, busy), &before, at, thread)
                else {
                    continue;
                };
                let Some(cell) = cells.get(&(object, offset)) else {
                    continue;
                };
                let mut kills = vec![Kill::At(at)];
                kills.extend(skip(function, id, &before, block, thread));
                found.push(Candidate {
                    class: cell.class,
                    ends: cell.ends,
                    kills,
                    fresh: cell.fresh.clone(),
                });
            }
        }
    }
    found
}

/// A variable that holds handles of threads of one class's creation alone.
struct Cell {
    class: usize,
    ends: u128,
    fresh: Vec<Site>,
}

fn cells(
    (program, flow, busy): (&Program, &Flow, &Busy),
    classes: &Classes,
    once: &Once,
    writes: &Writes,
) -> SortedMap<(ObjectId, u32), Cell> {
    let word = program.model.pointer_bits() / 8;
    let mut found: SortedMap<(ObjectId, u32), Cell> = SortedMap::new();
    for (number, spawn) in classes.spawns.iter().enumerate() {
        let Some(store) = stored(program, flow, busy, *spawn) else {
            continue;
        };
        let InstrKind::Store { addr, .. } =
            program.functions[spawn.function].blocks[spawn.block].instrs[store.index].kind
        else {
            continue;
        };
        let [class] = classes.executing(spawn.function)[..] else {
            continue;
        };
        let [place] = flow.places(spawn.function, addr)[..] else {
            continue;
        };
        let Some(at) = place.at else {
            continue;
        };
        let fresh = match flow.objects.kinds[place.object] {
            Object::Global(id) if !program.globals[id].thread_local => vec![],
            Object::Allocated { at, heap: false }
                if once.is_alone(at)
                    && !once.is_recursive(at.function)
                    && classes.executing(at.function) == [class] =>
            {
                vec![at]
            }
            _ => continue,
        };
        let key = (place.object, at);
        let cell = found.entry(key).or_insert(Cell {
            class,
            ends: 0,
            fresh,
        });
        cell.ends |= 1 << number;
        cell.fresh.push(*spawn);
    }
    // Nothing else writes there.
    found.retain(|(object, at), cell| {
        if faults::on(Fault::HandleOverwritten) {
            return true;
        }
        let others = writes.of(*object, Some(*at), Some(u32::from(word)));
        others.iter().all(|site| {
            classes.spawns.iter().enumerate().any(|(number, spawn)| {
                cell.ends >> number & 1 == 1 && stored(program, flow, busy, *spawn) == Some(*site)
            })
        })
    });
    found
}

/// The instruction that stores the handle of a thread, right behind its creation.
pub(super) fn stored(program: &Program, flow: &Flow, busy: &Busy, spawn: Site) -> Option<Site> {
    let block = &program.functions[spawn.function].blocks[spawn.block];
    let InstrKind::Spawn { dst, .. } = block.instrs[spawn.index].kind else {
        return None;
    };
    for (index, instr) in block.instrs.iter().enumerate().skip(spawn.index + 1) {
        match &instr.kind {
            InstrKind::Store { value, .. } if *value == Operand::Reg(dst) => {
                return Some(Site { index, ..spawn });
            }
            InstrKind::Spawn { .. } | InstrKind::Join { .. } => return None,
            InstrKind::Call { .. } if busy.calls(flow, Site { index, ..spawn }) => return None,
            other if other.dst() == Some(dst) => return None,
            _ => {}
        }
    }
    None
}

/// Functions that may create or join threads, by what they call.
pub(super) struct Busy(SortedSet<FuncId>);

impl Busy {
    pub(super) fn of(program: &Program, flow: &Flow) -> Busy {
        let mut busy: SortedSet<FuncId> = flow.spawns.keys().map(|site| site.function).collect();
        for id in flow.reached() {
            let mut instrs = program.functions[id].blocks.iter().flat_map(|b| &b.instrs);
            if instrs.any(|instr| matches!(instr.kind, InstrKind::Join { .. })) {
                busy.insert(id);
            }
        }
        loop {
            let before = busy.len();
            for (site, targets) in &flow.calls {
                if targets.iter().any(|target| busy.contains(target)) {
                    busy.insert(site.function);
                }
            }
            if busy.len() == before {
                return Busy(busy);
            }
        }
    }

    /// True if a call may create or join threads.
    pub(super) fn calls(&self, flow: &Flow, at: Site) -> bool {
        let targets = flow.calls.get(&at);
        targets.is_some_and(|targets| targets.iter().any(|target| self.0.contains(target)))
    }
}

type Predecessors = IdVec<BlockId, Vec<BlockId>>;

fn predecessors(function: &Function) -> Predecessors {
    let mut before: Predecessors = function.blocks.ids().map(|_| Vec::new()).collect();
    for (id, block) in function.blocks.iter_ids() {
        for next in block.end.successors() {
            before[next].push(id);
        }
    }
    before
}

/// The instruction that computes a register used at a place, if nothing between the two creates or ends threads: within
/// the block, or in blocks that alone lead to it.
fn definition(
    (program, flow, busy): (&Program, &Flow, &Busy),
    before: &Predecessors,
    at: Site,
    reg: Reg,
) -> Option<Site> {
    let function = &program.functions[at.function];
    let mut here = at;
    for _ in 0..4 {
        let instrs = &function.blocks[here.block].instrs;
        for index in (0..here.index).rev() {
            let kind = &instrs[index].kind;
            if kind.dst() == Some(reg) {
                return Some(Site { index, ..here });
            }
            match kind {
                InstrKind::Spawn { .. } => return None,
                InstrKind::Call { .. } if busy.calls(flow, Site { index, ..here }) => return None,
                _ => {}
            }
        }
        let [block] = before[here.block][..] else {
            return None;
        };
        here = Site {
            block,
            index: function.blocks[block].instrs.len(),
            ..here
        };
    }
    None
}

/// The variable that the handle of a join is read from.
fn handle(
    (program, flow, busy): (&Program, &Flow, &Busy),
    before: &Predecessors,
    at: Site,
    thread: Operand,
) -> Option<(ObjectId, u32)> {
    let function = &program.functions[at.function];
    let (mut at, mut value) = (at, thread);
    loop {
        let Operand::Reg(reg) = value else {
            return None;
        };
        at = definition((program, flow, busy), before, at, reg)?;
        match &function.blocks[at.block].instrs[at.index].kind {
            InstrKind::Assign {
                value: Rvalue::Use(from),
                ..
            } => value = *from,
            InstrKind::Load { dst, addr, .. }
                if function.regs[*dst].bits == program.model.pointer_bits() =>
            {
                let [place] = flow.places(at.function, *addr)[..] else {
                    return None;
                };
                return Some((place.object, place.at?));
            }
            _ => return None,
        }
    }
}

/// The edge around a join, on which the thread would be the running one.
pub(super) fn skip(
    function: &Function,
    id: FuncId,
    before: &Predecessors,
    block: BlockId,
    thread: Operand,
) -> Option<Kill> {
    let [test] = before[block][..] else {
        return None;
    };
    let Terminator::Branch {
        cond: Operand::Reg(cond),
        then,
        other,
    } = function.blocks[test].end
    else {
        return None;
    };
    if then != block || other == block {
        return None;
    }
    let assigned = |reg: Reg| {
        let mut instrs = function.blocks[test].instrs.iter().rev();
        instrs.find(|instr| instr.kind.dst() == Some(reg))
    };
    let equal = |reg: Reg| match &assigned(reg)?.kind {
        InstrKind::Assign {
            value: Rvalue::Binary(BinOp::Eq, a, b),
            ..
        } => Some((*a, *b)),
        _ => None,
    };
    let (Operand::Reg(same), Operand::Const { value: 0, .. }) = equal(cond)? else {
        return None;
    };
    let (Operand::Reg(_), Operand::Reg(me)) = equal(same)? else {
        return None;
    };
    let is_self = matches!(assigned(me)?.kind, InstrKind::ThreadSelf { .. });
    (equal(same)?.0 == thread && is_self).then_some(Kill::Edge(id, test, 1))
}
