//! Accesses of objects that nobody else knows yet: through the pointer that the allocation gave, before it gets into memory,
//! to another function or to a thread.
//!
//! For each allocation whose object is still private, the registers that certainly point into it, and those that may. A
//! register of the latter that is handed on makes the object known. What is computed from a pointer in another way than
//! by an offset counts as handed on.

use super::faults::{self, Fault};
use super::flow::Flow;
use super::pass::{self, Domain};
use super::site::Site;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::{BlockId, FuncId, InstrKind, Operand, Program, Reg, Rvalue, Terminator};

/// What a private object is known by: its allocation, a call that returned it, or the parameter that points to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tag {
    Made(Site),
    Param(usize),
}

/// Registers that point into an object.
#[derive(Clone, PartialEq, Eq, Default)]
struct Pointers {
    must: SortedSet<Reg>,
    may: SortedSet<Reg>,
}

type Private = SortedMap<Tag, Pointers>;

/// What functions do with pointers.
#[derive(Default)]
struct Summaries {
    /// Those whose result is null or an object that nobody else knows.
    makers: SortedSet<FuncId>,
    /// Parameters that are not handed on.
    kept: SortedSet<(FuncId, usize)>,
}

struct Pass<'a> {
    flow: &'a Flow<'a>,
    program: &'a Program,
    summaries: &'a Summaries,
}

fn publish(private: &mut Private, operand: Operand) {
    if let Operand::Reg(reg) = operand {
        private.retain(|_, pointers| !pointers.may.contains(&reg));
    }
}

impl Pass<'_> {
    fn assign(&self, private: &mut Private, dst: Reg, bits: u16, value: &Rvalue) {
        let from = match value {
            Rvalue::Use(Operand::Reg(a)) => Some(*a),
            Rvalue::Offset {
                base: Operand::Reg(a),
                offset_bytes,
            } => {
                publish(private, *offset_bytes);
                Some(*a)
            }
            // An allocation that may fail.
            Rvalue::Select {
                then: Operand::Const { .. },
                other: Operand::Reg(a),
                ..
            }
            | Rvalue::Select {
                then: Operand::Reg(a),
                other: Operand::Const { .. },
                ..
            } => Some(*a),
            _ if bits == 1 => None,
            _ => {
                for operand in value.operands() {
                    publish(private, operand);
                }
                None
            }
        };
        for pointers in private.values_mut() {
            let must = from.is_some_and(|from| pointers.must.contains(&from));
            let may = from.is_some_and(|from| pointers.may.contains(&from));
            pointers.set(dst, must, may);
        }
    }
}

impl Pointers {
    fn set(&mut self, reg: Reg, must: bool, may: bool) {
        for (set, is) in [(&mut self.must, must), (&mut self.may, may)] {
            if is {
                set.insert(reg);
            } else {
                set.remove(&reg);
            }
        }
    }
}

impl Domain for Pass<'_> {
    type State = Private;

    fn join(&self, one: &Private, other: &Private) -> Private {
        let both = one.iter().filter_map(|(tag, a)| {
            let b = other.get(tag)?;
            let joined = Pointers {
                must: a.must.intersection(&b.must).copied().collect(),
                may: a.may.union(&b.may).copied().collect(),
            };
            Some((*tag, joined))
        });
        both.collect()
    }

    fn step(&self, at: Site, instr: &InstrKind, mut private: Private) -> Option<Private> {
        let mut made = None;
        match instr {
            InstrKind::Assign { dst, value } => {
                let bits = self.program.functions[at.function].regs[*dst].bits;
                self.assign(&mut private, *dst, bits, value);
                return Some(private);
            }
            InstrKind::Alloc { dst, .. } => made = Some(*dst),
            InstrKind::Store { .. } if faults::on(Fault::StoredStaysPrivate) => {}
            InstrKind::Store { value, .. } => publish(&mut private, *value),
            InstrKind::Rmw { operand, .. } => publish(&mut private, *operand),
            InstrKind::CmpXchg {
                expected, desired, ..
            } => {
                publish(&mut private, *expected);
                publish(&mut private, *desired);
            }
            InstrKind::Call { dst, args, .. } => {
                let targets = self.flow.calls.get(&at)?;
                for (index, arg) in args.iter().enumerate() {
                    let keeps = |target: &FuncId| {
                        self.summaries.kept.contains(&(*target, index))
                            || index >= self.program.functions[*target].params.len()
                    };
                    if !targets.iter().all(keeps) {
                        publish(&mut private, *arg);
                    }
                }
                let makes = |target: &FuncId| self.summaries.makers.contains(target);
                if !targets.is_empty() && targets.iter().all(makes) {
                    made = *dst;
                }
            }
            InstrKind::Spawn { arg, .. } => publish(&mut private, *arg),
            // Addresses that are worked on, or that are looked at.
            InstrKind::Load { .. }
            | InstrKind::EndLife { .. }
            | InstrKind::Free { .. }
            | InstrKind::Expose { .. }
            | InstrKind::ObjectSize { .. }
            | InstrKind::Lock { .. }
            | InstrKind::Unlock { .. }
            | InstrKind::TryLock { .. }
            | InstrKind::MutexInit { .. }
            | InstrKind::SyncUse { .. }
            | InstrKind::Note { .. }
            | InstrKind::SetNote { .. }
            | InstrKind::Copied { .. }
            | InstrKind::Assume { .. }
            | InstrKind::Wait { .. }
            | InstrKind::Assert { .. }
            | InstrKind::Defined { .. }
            | InstrKind::Pointers(_)
            | InstrKind::Block { .. } => {}
            _ => {
                for operand in instr.operands() {
                    publish(&mut private, operand);
                }
            }
        }
        if let Some(dst) = instr.dst() {
            for pointers in private.values_mut() {
                pointers.set(dst, false, false);
            }
        }
        if let Some(dst) = made {
            private
                .entry(Tag::Made(at))
                .or_default()
                .set(dst, true, true);
        }
        Some(private)
    }

    fn leave(&self, _: (FuncId, BlockId), _: usize, state: Private) -> Private {
        state
    }
}

/// Accesses whose address points into an object that nobody else knows.
pub(super) fn fresh(program: &Program, flow: &Flow) -> SortedSet<Site> {
    let mut summaries = Summaries::default();
    let functions = flow.reached();
    loop {
        let before = (summaries.makers.len(), summaries.kept.len());
        for &id in &functions {
            let (maker, kept) = summary(program, flow, &summaries, id);
            if maker {
                summaries.makers.insert(id);
            }
            summaries
                .kept
                .extend(kept.into_iter().map(|index| (id, index)));
        }
        if before == (summaries.makers.len(), summaries.kept.len()) {
            break;
        }
    }
    let pass = Pass {
        flow,
        program,
        summaries: &summaries,
    };
    let given = given(&pass, &functions);
    let mut found = SortedSet::new();
    for &id in &functions {
        let code = (id, &program.functions[id]);
        let starts = pass::starts(code, &pass, entry(program, id, &given));
        pass::each(code, &pass, &starts, |at, kind, private| {
            let addresses = match kind {
                InstrKind::Block { to, source, .. } => match source {
                    crate::ir::BlockSource::Copy { from, .. } => vec![*to, *from],
                    crate::ir::BlockSource::Byte(_) => vec![*to],
                },
                _ => kind.address().into_iter().collect(),
            };
            let is_private = |operand: &Operand| match operand {
                Operand::Reg(reg) => private.values().any(|p| p.must.contains(reg)),
                _ => false,
            };
            if !addresses.is_empty() && addresses.iter().all(is_private) {
                found.insert(at);
            }
        });
    }
    found
}

/// A function, and the number of a parameter.
type Param = (FuncId, usize);

/// What is private where a function is entered, given the parameters that are.
fn entry(program: &Program, id: FuncId, given: &SortedSet<Param>) -> Private {
    let mut entry = Private::new();
    for (index, &param) in program.functions[id].params.iter().enumerate() {
        if given.contains(&(id, index)) {
            let pointers = entry.entry(Tag::Param(index)).or_default();
            pointers.set(param, true, true);
        }
    }
    entry
}

/// Parameters that point to private objects in all calls, to which no other argument may point.
fn given(pass: &Pass, functions: &[FuncId]) -> SortedSet<Param> {
    let mut given: SortedSet<Param> = SortedSet::new();
    loop {
        let mut private: SortedSet<Param> = SortedSet::new();
        let mut known: SortedSet<Param> = SortedSet::new();
        for &id in functions {
            let code = (id, &pass.program.functions[id]);
            let starts = pass::starts(code, pass, entry(pass.program, id, &given));
            pass::each(code, pass, &starts, |at, kind, objects| {
                let InstrKind::Call { args, .. } = kind else {
                    return;
                };
                for (index, arg) in args.iter().enumerate() {
                    let is_private = is_private_argument(objects, args, index, *arg);
                    for &target in pass.flow.calls.get(&at).into_iter().flatten() {
                        if is_private {
                            private.insert((target, index));
                        } else {
                            known.insert((target, index));
                        }
                    }
                }
            });
        }
        // What a thread starts with is known to its creator.
        let starts = pass.flow.spawns.values().flatten();
        known.extend(starts.map(|start| (*start, 0)));
        let found: SortedSet<Param> = private.difference(&known).copied().collect();
        if found == given {
            return given;
        }
        given = found;
    }
}

fn is_private_argument(objects: &Private, args: &[Operand], index: usize, arg: Operand) -> bool {
    let Operand::Reg(reg) = arg else {
        return false;
    };
    let alone = |pointers: &Pointers| {
        let mut others = args.iter().enumerate().filter(|(other, _)| *other != index);
        let may =
            |operand: &Operand| matches!(operand, Operand::Reg(reg) if pointers.may.contains(reg));
        pointers.must.contains(&reg) && !others.any(|(_, operand)| may(operand))
    };
    objects.values().any(alone)
}

/// Whether a function makes objects, and which parameters it does not hand on.
fn summary(
    program: &Program,
    flow: &Flow,
    summaries: &Summaries,
    id: FuncId,
) -> (bool, Vec<usize>) {
    let pass = Pass {
        flow,
        program,
        summaries,
    };
    let function = &program.functions[id];
    let all = (0..function.params.len())
        .map(|index| (id, index))
        .collect();
    let entry = entry(program, id, &all);
    let code = (id, function);
    let starts = pass::starts(code, &pass, entry);
    let mut maker = function.ret_bits.is_some();
    let mut kept: SortedSet<usize> = (0..function.params.len()).collect();
    for (block, text) in function.blocks.iter_ids() {
        let (Terminator::Return(_) | Terminator::ThreadExit(_)) = text.end else {
            continue;
        };
        let Some(mut private) = pass::end(code, block, &pass, &starts) else {
            continue;
        };
        match text.end {
            Terminator::Return(Some(Operand::Reg(reg))) => {
                let made = |(tag, pointers): (&Tag, &Pointers)| {
                    matches!(tag, Tag::Made(_)) && pointers.must.contains(&reg)
                };
                maker &= private.iter().any(made);
                private.retain(|tag, pointers| {
                    matches!(tag, Tag::Made(_)) || !pointers.may.contains(&reg)
                });
            }
            Terminator::Return(Some(Operand::Const { value: 0, .. })) => {}
            Terminator::Return(_) => maker = false,
            Terminator::ThreadExit(value) => publish(&mut private, value),
            _ => {}
        }
        kept.retain(|index| private.contains_key(&Tag::Param(*index)));
    }
    (maker, kept.into_iter().collect())
}
