//! Loops that join what loops created: a loop of creation stores the handle of each of its threads at an index of an array
//! that it never takes twice, and a loop of joins waits for those at all indices that the first can have taken.
//!
//! Both loops count a register up by one, from the same constant to the same bound, which their heads test. Only the head of
//! the second one leads to where all are joined, and each of its iterations joins.

use super::access::Writes;
use super::candidate::{Candidate, Kill};
use super::faults::{self, Fault};
use super::flow::Flow;
use super::join::{Busy, skip, stored};
use super::object::{Object, ObjectId};
use super::once::Once;
use super::site::Site;
use super::thread::Classes;
use crate::analysis::loops::Loops;
use crate::base::IdVec;
use crate::base::sorted::SortedSet;
use crate::ir::{
    BinOp, BlockId, FuncId, Function, InstrKind, Operand, Program, Reg, Rvalue, Terminator,
};

/// A loop that counts.
struct Counting {
    head: BlockId,
    counter: Reg,
    first: u128,
    test: BinOp,
    /// A constant, or a register that gets its value once.
    bound: Operand,
    /// The block that leads to the head from outside.
    before: BlockId,
    /// The block that leads back to the head.
    latch: BlockId,
    /// The first block of an iteration.
    body: BlockId,
    /// Number of the edge out of the loop.
    exit: usize,
}

/// Place of an element: the array, its first byte, and bytes from one to the next.
#[derive(PartialEq, Eq)]
struct Element {
    object: ObjectId,
    at: u32,
    stride: u128,
}

/// What is known of a function.
struct Code<'a> {
    id: FuncId,
    function: &'a Function,
    loops: Loops,
    before: IdVec<BlockId, Vec<BlockId>>,
    /// Instructions that give each register its value.
    definitions: IdVec<Reg, Vec<(BlockId, usize)>>,
}

impl<'a> Code<'a> {
    fn of(program: &'a Program, id: FuncId) -> Code<'a> {
        let function = &program.functions[id];
        let mut before: IdVec<BlockId, Vec<BlockId>> =
            function.blocks.ids().map(|_| Vec::new()).collect();
        let mut definitions: IdVec<Reg, Vec<(BlockId, usize)>> =
            function.regs.ids().map(|_| Vec::new()).collect();
        for (block, code) in function.blocks.iter_ids() {
            for next in code.end.successors() {
                before[next].push(block);
            }
            for (index, instr) in code.instrs.iter().enumerate() {
                if let Some(dst) = instr.kind.dst() {
                    definitions[dst].push((block, index));
                }
            }
        }
        Code {
            id,
            function,
            loops: Loops::of(function),
            before,
            definitions,
        }
    }

    fn is_in(&self, head: BlockId, block: BlockId) -> bool {
        self.loops.nest[block].contains(&head)
    }

    /// The value of a register that gets one only once, in this block if one is given.
    fn value(&self, operand: Operand, within: Option<BlockId>) -> Option<&Rvalue> {
        let Operand::Reg(reg) = operand else {
            return None;
        };
        let [(block, index)] = self.definitions[reg][..] else {
            return None;
        };
        match &self.function.blocks[block].instrs[index].kind {
            InstrKind::Assign { value, .. } if within.is_none_or(|within| within == block) => {
                Some(value)
            }
            _ => None,
        }
    }

    /// The operand that others are copies of, which get their value once, in this block if one is given.
    fn source(&self, mut operand: Operand, within: Option<BlockId>, widened: bool) -> Operand {
        for _ in 0..8 {
            match self.value(operand, within) {
                Some(Rvalue::Use(from)) => operand = *from,
                Some(Rvalue::SignExtend(from) | Rvalue::ZeroExtend(from)) if widened => {
                    operand = *from;
                }
                _ => break,
            }
        }
        operand
    }

    /// The loop with this head, if it counts.
    fn counting(&self, head: BlockId) -> Option<Counting> {
        let Terminator::Branch { cond, then, other } = self.function.blocks[head].end else {
            return None;
        };
        if !self.is_in(head, then) || self.is_in(head, other) {
            return None;
        }
        let Rvalue::Binary(test, counted, bound) = self.value(cond, Some(head))? else {
            return None;
        };
        if !matches!(test, BinOp::SLt | BinOp::ULt | BinOp::SLe | BinOp::ULe) {
            return None;
        }
        let Operand::Reg(counter) = self.source(*counted, Some(head), false) else {
            return None;
        };
        let bound = self.source(*bound, None, false);
        let is_fixed = match bound {
            Operand::Const { .. } => true,
            Operand::Reg(reg) => {
                let definitions = &self.definitions[reg];
                let is_param = self.function.params.contains(&reg);
                match definitions[..] {
                    [] => is_param,
                    [(block, _)] => !is_param && self.loops.nest[block].is_empty(),
                    _ => false,
                }
            }
            _ => false,
        };
        let (inside, outside): (Vec<BlockId>, Vec<BlockId>) = self.before[head]
            .iter()
            .partition(|block| self.is_in(head, **block));
        let ([latch], [before]) = (&inside[..], &outside[..]) else {
            return None;
        };
        // Nothing else leads into the loop, and the counter is read where the head tests it.
        for block in self.function.blocks.ids() {
            if self.is_in(head, block) && block != head {
                let mut before = self.before[block].iter();
                if before.any(|from| !self.is_in(head, *from)) {
                    return None;
                }
            }
        }
        let mut own = self.definitions[counter]
            .iter()
            .filter(|(block, _)| self.is_in(head, *block));
        let (Some(&(block, index)), None) = (own.next(), own.next()) else {
            return None;
        };
        if block != *latch || *latch == head || !is_fixed {
            return None;
        }
        self.steps(counter, block, index)?;
        let first = self.first(counter, *before)?;
        let exit = usize::from(then != other);
        Some(Counting {
            head,
            counter,
            first,
            test: *test,
            bound,
            before: *before,
            latch: *latch,
            body: then,
            exit,
        })
    }

    /// Checks that an instruction counts a register up by one.
    fn steps(&self, counter: Reg, block: BlockId, index: usize) -> Option<()> {
        let InstrKind::Assign { value, .. } = &self.function.blocks[block].instrs[index].kind
        else {
            return None;
        };
        let here = Some(block);
        let sum = match value {
            Rvalue::Use(from) => self.value(self.source(*from, here, false), here)?,
            value => value,
        };
        match sum {
            Rvalue::Binary(BinOp::Add, a, Operand::Const { value: 1, .. })
                if self.source(*a, here, false) == Operand::Reg(counter) =>
            {
                Some(())
            }
            _ => None,
        }
    }

    /// The constant that a register has at the end of a block.
    fn first(&self, counter: Reg, mut block: BlockId) -> Option<u128> {
        for _ in 0..4 {
            let mut instrs = self.function.blocks[block].instrs.iter().rev();
            if let Some(instr) = instrs.find(|instr| instr.kind.dst() == Some(counter)) {
                let InstrKind::Assign {
                    value: Rvalue::Use(value),
                    ..
                } = &instr.kind
                else {
                    return None;
                };
                return match self.source(*value, None, false) {
                    Operand::Const { value, .. } => Some(value),
                    _ => None,
                };
            }
            let [before] = self.before[block][..] else {
                return None;
            };
            block = before;
        }
        None
    }

    /// The element of an array at the counter of a loop, if a block computes its address.
    fn element(
        &self,
        flow: &Flow,
        addr: Operand,
        block: BlockId,
        counting: &Counting,
    ) -> Option<Element> {
        let here = Some(block);
        let Rvalue::Offset { base, offset_bytes } =
            self.value(self.source(addr, here, false), here)?
        else {
            return None;
        };
        let Rvalue::Binary(BinOp::Mul, index, Operand::Const { value: stride, .. }) =
            self.value(*offset_bytes, here)?
        else {
            return None;
        };
        if self.source(*index, here, true) != Operand::Reg(counting.counter) {
            return None;
        }
        let [place] = flow.places(self.id, *base)[..] else {
            return None;
        };
        Some(Element {
            object: place.object,
            at: place.at?,
            stride: *stride,
        })
    }

    /// True if each way from the start of an iteration to its end leads through a block.
    fn is_on_all_ways(&self, counting: &Counting, through: BlockId) -> bool {
        let mut seen = SortedSet::new();
        let mut work = vec![counting.body];
        while let Some(block) = work.pop() {
            if block == through || !self.is_in(counting.head, block) || !seen.insert(block) {
                continue;
            }
            if block == counting.latch || block == counting.head {
                return false;
            }
            work.extend(self.function.blocks[block].end.successors());
        }
        true
    }
}

/// All pairs of loops of a program.
pub(super) fn candidates(
    program: &Program,
    flow: &Flow,
    classes: &Classes,
    once: &Once,
    writes: &Writes,
    busy: &Busy,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (number, spawn) in classes.spawns.iter().enumerate() {
        let code = Code::of(program, spawn.function);
        let Some(creation) = creation((program, flow, busy), &code, *spawn, once) else {
            continue;
        };
        let (counting, element, store, fresh) = creation;
        let [class] = classes.executing(spawn.function)[..] else {
            continue;
        };
        // Nothing else writes the array.
        if writes.of(element.object, None, None) != [store]
            || fresh
                .iter()
                .any(|site| classes.executing(site.function) != [class])
        {
            continue;
        }
        for head in code.loops.heads() {
            let Some(kill) = joining((program, flow, busy), &code, head, &counting, &element)
            else {
                continue;
            };
            found.push(Candidate {
                class,
                ends: 1 << number,
                kills: vec![kill],
                fresh: fresh.clone(),
            });
        }
    }
    found
}

/// The loop that an instruction creates threads in, the element that the handle gets to, the instruction that stores it, and
/// where there must be no thread of it before.
fn creation(
    (program, flow, busy): (&Program, &Flow, &Busy),
    code: &Code,
    spawn: Site,
    once: &Once,
) -> Option<(Counting, Element, Site, Vec<Site>)> {
    let head = *code.loops.nest[spawn.block].last()?;
    let counting = code.counting(head)?;
    let store = stored(program, flow, busy, spawn)?;
    let InstrKind::Store { addr, .. } = code.function.blocks[store.block].instrs[store.index].kind
    else {
        return None;
    };
    let element = code.element(flow, addr, store.block, &counting)?;
    let word = u128::from(program.model.pointer_bits() / 8);
    // The counter has not been stepped where it is used.
    if spawn.block == counting.head
        || element.stride < word
        || spawn.block == counting.latch && {
            let defined = |(block, index): &(BlockId, usize)| {
                *block == counting.latch && *index < store.index
            };
            code.definitions[counting.counter].iter().any(defined)
        }
    {
        return None;
    }
    let mut fresh = vec![Site {
        function: code.id,
        block: counting.before,
        index: code.function.blocks[counting.before].instrs.len(),
    }];
    if let Operand::Reg(_) = counting.bound {
        // The bound is that of this activation.
        if once.is_recursive(code.id) {
            return None;
        }
        fresh.push(Site {
            function: code.id,
            block: code.function.entry,
            index: 0,
        });
    }
    match flow.objects.kinds[element.object] {
        Object::Global(id) if !program.globals[id].thread_local => {}
        Object::Allocated { at, heap } => {
            let is_single = if heap {
                once.is_once(at)
            } else {
                once.is_straight(at) && !once.is_recursive(at.function)
            };
            if !is_single {
                return None;
            }
            fresh.push(at);
        }
        _ => return None,
    }
    Some((counting, element, store, fresh))
}

/// Where all threads have been joined whose handles a loop reads one by one.
fn joining(
    (program, flow, busy): (&Program, &Flow, &Busy),
    code: &Code,
    head: BlockId,
    creation: &Counting,
    element: &Element,
) -> Option<Kill> {
    let counting = code.counting(head)?;
    if (counting.first, counting.test) != (creation.first, creation.test)
        || counting.bound != creation.bound && !faults::on(Fault::BoundIgnored)
    {
        return None;
    }
    // Only the head leaves the loop, and nobody creates threads meanwhile.
    let mut joins = false;
    for (block, text) in code.function.blocks.iter_ids() {
        if !code.is_in(head, block) {
            continue;
        }
        for (index, instr) in text.instrs.iter().enumerate() {
            let at = Site {
                function: code.id,
                block,
                index,
            };
            match &instr.kind {
                InstrKind::Spawn { .. } => return None,
                InstrKind::Call { .. } if busy.calls(flow, at) => return None,
                InstrKind::Join {
                    thread: thread @ Operand::Reg(_),
                    ..
                } => {
                    let reads = |block: BlockId| {
                        let mut instrs = code.function.blocks[block].instrs.iter();
                        instrs.any(|instr| match &instr.kind {
                            InstrKind::Load { dst, addr, .. } => {
                                Operand::Reg(*dst) == code.source(*thread, None, false)
                                    && code.definitions[*dst].len() == 1
                                    && code.function.regs[*dst].bits == program.model.pointer_bits()
                                    && code.element(flow, *addr, block, &counting).as_ref()
                                        == Some(element)
                            }
                            _ => false,
                        })
                    };
                    let skipped = skip(code.function, code.id, &code.before, block, *thread);
                    let test = match skipped {
                        Some(Kill::Edge(_, test, _)) => test,
                        _ => block,
                    };
                    // The element is read and joined in one iteration, before the counter is stepped.
                    let is_inner = code.loops.nest[block].last() == Some(&head)
                        && code.loops.nest[test].last() == Some(&head);
                    joins |= is_inner
                        && test != counting.latch
                        && reads(test)
                        && (code.is_on_all_ways(&counting, test) || faults::on(Fault::JoinSkipped));
                }
                _ => {}
            }
        }
    }
    joins.then_some(Kill::Edge(code.id, head, counting.exit))
}
