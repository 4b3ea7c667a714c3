//! Accesses of memory: which bytes of which objects an instruction may read or write.

use super::faults::{self, Fault};
use super::flow::Flow;
use super::object::{Object, ObjectId, constant};
use super::site::Site;
use crate::base::Loc;
use crate::base::sorted::SortedMap;
use crate::ir::{BlockSource, FuncId, InstrKind, Operand, Origin, Program};

/// Bytes of an object that may be accessed: from an offset on (`None`: anywhere), so many (`None`: to its end).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Range {
    pub at: Option<u32>,
    pub bytes: Option<u32>,
}

impl Range {
    const ALL: Range = Range {
        at: None,
        bytes: None,
    };

    /// Overlap: true if the two may have a byte in common.
    pub(super) fn overlaps(self, other: Range) -> bool {
        let before = |one: Range, other: Range| match (one.at, one.bytes, other.at) {
            (Some(at), Some(bytes), Some(next)) => {
                u64::from(at) + u64::from(bytes) <= u64::from(next)
            }
            _ => false,
        };
        !before(self, other) && !before(other, self)
    }
}

/// An access of memory.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub site: Site,
    pub writes: bool,
    pub atomic: bool,
    /// Its address is a multiple of its size.
    pub aligned: bool,
    /// Another instruction does what it attempts.
    pub only_attempts: bool,
    /// It may be anywhere.
    pub wild: bool,
    pub ranges: Vec<(ObjectId, Range)>,
}

/// All accesses of a program.
pub(super) struct Accesses {
    /// Those that may race.
    pub counted: Vec<Access>,
    /// Those of operations of synchronisation objects, of the library's own objects, and stores of new threads' numbers.
    pub others: Vec<Access>,
}

impl Accesses {
    pub(super) fn of(program: &Program, flow: &Flow) -> Accesses {
        let mut accesses = Accesses {
            counted: Vec::new(),
            others: Vec::new(),
        };
        for id in flow.reached() {
            let function = &program.functions[id];
            let synchronises = function.origin == Origin::Model { synchronises: true };
            for (block, code) in function.blocks.iter_ids() {
                for (index, instr) in code.instrs.iter().enumerate() {
                    let at = Site {
                        function: id,
                        block,
                        index,
                    };
                    for mut access in instr_accesses(program, flow, at, &instr.kind) {
                        if synchronises || instr.kind.stores_id() {
                            accesses.others.push(access);
                            continue;
                        }
                        let is_own = |object: ObjectId| is_librarys(program, flow, object);
                        let (own, users): (Vec<_>, Vec<_>) = access
                            .ranges
                            .iter()
                            .partition(|(object, _)| is_own(*object));
                        if !own.is_empty() {
                            accesses.others.push(Access {
                                ranges: own,
                                wild: false,
                                ..access.clone()
                            });
                        }
                        access.ranges = users;
                        if access.wild || !access.ranges.is_empty() {
                            accesses.counted.push(access);
                        }
                    }
                }
            }
        }
        accesses
    }
}

/// The library's own objects of which there is one for all threads: nobody else has pointers to them.
fn is_librarys(program: &Program, flow: &Flow, object: ObjectId) -> bool {
    match flow.objects.kinds[object] {
        Object::Global(id) => {
            let global = &program.globals[id];
            global.loc == Loc::NONE && !global.thread_local
        }
        _ => false,
    }
}

/// True if an operand is certainly null: so, or a parameter that is in all calls.
fn is_null(program: &Program, flow: &Flow, function: FuncId, operand: Operand, depth: u32) -> bool {
    let code = &program.functions[function];
    let Operand::Reg(reg) = operand else {
        return matches!(operand, Operand::Const { value: 0, .. });
    };
    let mut instrs = code.blocks.iter().flat_map(|block| &block.instrs);
    let Some(index) = code.params.iter().position(|param| *param == reg) else {
        return false;
    };
    if depth == 0 || instrs.any(|instr| instr.kind.dst() == Some(reg)) {
        return false;
    }
    let calls = flow.calls.iter().filter(|(_, to)| to.contains(&function));
    let mut args = calls.map(|(at, _)| {
        let kind = &program.functions[at.function].blocks[at.block].instrs[at.index].kind;
        match kind {
            InstrKind::Call { args, .. } => (at.function, args.get(index).copied()),
            _ => (at.function, None),
        }
    });
    let starts = flow.spawns.values().any(|to| to.contains(&function));
    !starts
        && args
            .all(|(from, arg)| arg.is_some_and(|arg| is_null(program, flow, from, arg, depth - 1)))
}

fn instr_accesses(program: &Program, flow: &Flow, site: Site, kind: &InstrKind) -> Vec<Access> {
    let regs = &program.functions[site.function].regs;
    let bytes = |operand: Operand| {
        let bits = match operand {
            Operand::Reg(reg) => regs[reg].bits,
            Operand::Const { bits, .. } => bits,
            Operand::GlobalAddr(..) | Operand::FuncAddr(_) => program.model.pointer_bits(),
        };
        Some(u32::from(bits.div_ceil(8)))
    };
    let access = |addr: Operand, bytes: Option<u32>, writes: bool, atomic: bool| {
        let places = flow.places(site.function, addr);
        let unknown = flow.objects.unknown();
        // Models ask whether pointers that they are given are null.
        let is_null = || {
            program.functions[site.function].origin != Origin::Program
                && is_null(program, flow, site.function, addr, 4)
        };
        let wild =
            places.is_empty() && !is_null() || places.iter().any(|place| place.object == unknown);
        let ranges = places.iter().map(|place| {
            let range = Range {
                at: place.at,
                bytes,
            };
            (place.object, range)
        });
        Access {
            site,
            writes,
            atomic,
            aligned: is_aligned(program, site),
            only_attempts: matches!(kind, InstrKind::Spawn { .. }),
            wild,
            ranges: ranges.filter(|(object, _)| *object != unknown).collect(),
        }
    };
    match kind {
        InstrKind::Load {
            dst,
            addr,
            access: how,
            ..
        } => vec![widened(
            access(*addr, bytes(Operand::Reg(*dst)), false, how.order.is_some()),
            how.beside,
        )],
        InstrKind::Store {
            addr,
            value,
            access: how,
        } => vec![widened(
            access(*addr, bytes(*value), true, how.order.is_some()),
            how.beside,
        )],
        InstrKind::Rmw { dst, addr, .. } | InstrKind::CmpXchg { dst, addr, .. } => {
            vec![access(*addr, bytes(Operand::Reg(*dst)), true, true)]
        }
        InstrKind::Spawn {
            dst,
            id_at: Some(addr),
            ..
        } => vec![access(*addr, bytes(Operand::Reg(*dst)), true, false)],
        InstrKind::Block {
            to,
            source,
            size_bytes,
            ..
        } => {
            let bytes = constant(*size_bytes).and_then(|bytes| u32::try_from(bytes).ok());
            let mut both = vec![access(*to, bytes, true, false)];
            if let BlockSource::Copy { from, .. } = source {
                both.push(access(*from, bytes, false, false));
            }
            both
        }
        InstrKind::Free { addr } => {
            let mut whole = access(*addr, None, true, false);
            for (_, range) in &mut whole.ranges {
                *range = Range::ALL;
                if faults::on(Fault::FreeIsShort) {
                    (range.at, range.bytes) = (Some(0), Some(1));
                }
            }
            vec![whole]
        }
        _ => vec![],
    }
}

/// An access of a memory location, of which it reads or writes all but so many bytes before and behind.
fn widened(mut access: Access, (before, behind): (u16, u16)) -> Access {
    for (_, range) in &mut access.ranges {
        range.at = range.at.map(|at| at.saturating_sub(before.into()));
        let beside = u32::from(before) + u32::from(behind);
        range.bytes = range.bytes.map(|bytes| bytes.saturating_add(beside));
    }
    access.aligned &= (before, behind) == (0, 0);
    access
}

/// True if an access is undefined where its address is no multiple of its size.
fn is_aligned(program: &Program, site: Site) -> bool {
    let function = &program.functions[site.function];
    let bits = |operand: Operand| match operand {
        Operand::Reg(reg) => function.regs[reg].bits,
        Operand::Const { bits, .. } => bits,
        Operand::GlobalAddr(..) | Operand::FuncAddr(_) => program.model.pointer_bits(),
    };
    let (access, bits) = match &function.blocks[site.block].instrs[site.index].kind {
        InstrKind::Load { dst, access, .. } => (access, bits(Operand::Reg(*dst))),
        InstrKind::Store { value, access, .. } => (access, bits(*value)),
        _ => return false,
    };
    u16::from(access.align_bytes) * 8 >= bits
}

/// All writes, by object.
pub(super) struct Writes {
    by_object: SortedMap<ObjectId, Vec<(Range, Site)>>,
    anywhere: Vec<Site>,
}

impl Writes {
    pub(super) fn of_all(accesses: &Accesses) -> Writes {
        let mut writes = Writes {
            by_object: SortedMap::new(),
            anywhere: Vec::new(),
        };
        let all = accesses.counted.iter().chain(&accesses.others);
        for access in all.filter(|access| access.writes && !access.only_attempts) {
            if access.wild {
                writes.anywhere.push(access.site);
            }
            for (object, range) in &access.ranges {
                let known = writes.by_object.entry(*object).or_default();
                known.push((*range, access.site));
            }
        }
        writes
    }

    /// Instructions that may write some of these bytes.
    pub(super) fn of(&self, object: ObjectId, at: Option<u32>, bytes: Option<u32>) -> Vec<Site> {
        let range = Range { at, bytes };
        let here = self.by_object.get(&object).into_iter().flatten();
        let here = here.filter(|(other, _)| other.overlaps(range));
        here.map(|(_, site)| *site)
            .chain(self.anywhere.iter().copied())
            .collect()
    }
}
