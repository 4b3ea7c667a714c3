//! Locks that may protect: mutexes, and read-write locks, in objects of which there is one. What an operation may do to
//! one that it does not name for sure is taken into account everywhere; what breaks the rules makes a lock protect nothing.

use super::access::{Accesses, Range};
use super::faults::{self, Fault};
use super::flow::Flow;
use super::object::{Object, ObjectId, Place};
use super::once::Once;
use super::site::Site;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::{
    BinOp, BlockId, Callee, FuncId, InstrKind, Operand, Origin, Program, Reg, Rvalue, Terminator,
};

/// Locks that are told apart.
const MOST: usize = 64;

/// Operations on locks. Lock `n` has the bits `2 * n` (held alone) and `2 * n + 1` (held at least shared).
#[derive(Default)]
pub(super) struct Locks {
    pub all: Vec<(ObjectId, u32)>,
    /// Bits that are certainly there behind an instruction.
    pub taken: SortedMap<Site, u128>,
    /// Bits that are not there for sure behind one.
    pub lost: SortedMap<Site, u128>,
    /// Bits that are there on an edge.
    pub edges: SortedMap<(FuncId, BlockId, usize), u128>,
    /// Calls of models that are operations, whose bodies say nothing more.
    pub models: SortedSet<Site>,
    /// Instructions that release: the thread must hold the lock.
    pub releases: Vec<(Site, u128)>,
    /// Instructions that make a lock a fresh one: nobody else may be there.
    pub resets: Vec<(Site, u128)>,
    /// Bits of locks that do not protect, whatever their operations do.
    pub broken: u128,
    /// Operations on mutexes alone.
    pub mutexes: SortedMap<Site, Operation>,
    /// Addresses of mutexes that are taken on an edge.
    pub tried: SortedMap<(FuncId, BlockId, usize), Operand>,
}

/// An operation on a lock.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    pub does: Does,
    pub addr: Operand,
    /// Where the lock may be; empty if that is not known.
    pub places: Vec<Place>,
}

/// Operations on locks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Does {
    Take { alone: bool },
    Try { alone: bool },
    Release,
    Reset,
}

/// Bits of locks that are held alone.
pub(super) const ALONE: u128 = u128::MAX / 3;

/// A lock that protects two accesses from each other: one of them holds it alone.
pub(super) fn common(one: u128, other: u128) -> Option<usize> {
    if faults::on(Fault::ReadersExclude) && one & other != 0 {
        return Some((one & other).trailing_zeros() as usize / 2);
    }
    let both = one & (other >> 1) & ALONE | (one >> 1) & other & ALONE;
    (both != 0).then(|| both.trailing_zeros() as usize / 2)
}

impl Locks {
    pub(super) fn of(program: &Program, flow: &Flow, once: &Once, accesses: &Accesses) -> Locks {
        let operations = operations(program, flow);
        let mut locks = Locks::default();
        for (_, operation) in &operations {
            if let (Does::Take { .. } | Does::Try { .. }, [place]) =
                (operation.does, &operation.places[..])
                && let Some(at) = place.at
                && is_single(program, flow, once, place.object)
                && !locks.all.contains(&(place.object, at))
                && locks.all.len() < MOST
            {
                locks.all.push((place.object, at));
            }
        }
        for (site, operation) in operations {
            locks.operation(program, site, operation.does, &operation.places);
            if is_of_mutex(program, site) {
                if let Does::Try { .. } = operation.does
                    && keeps(program, site, operation.addr)
                    && let Some(edge) = succeeds(program, site)
                {
                    locks.tried.insert(edge, operation.addr);
                }
                locks.mutexes.insert(site, operation);
            }
        }
        locks.overwritten(program, accesses);
        locks
    }

    /// Bits of all locks that may be at one of these places.
    fn may_be(&self, places: &[Place]) -> u128 {
        if places.is_empty() {
            return u128::MAX;
        }
        let mut bits = 0;
        for (number, (object, at)) in self.all.iter().enumerate() {
            let is_here = |place: &Place| {
                place.object == *object && place.at.is_none_or(|other| other == *at)
            };
            if places.iter().any(is_here) {
                bits |= 3 << (2 * number);
            }
        }
        bits
    }

    fn operation(&mut self, program: &Program, site: Site, does: Does, places: &[Place]) {
        let may = self.may_be(places);
        let is_call = matches!(instr(program, site), InstrKind::Call { .. });
        if is_call {
            self.models.insert(site);
        }
        let certain = |alone: bool| match places {
            [place] => {
                let number = self
                    .all
                    .iter()
                    .position(|(object, at)| *object == place.object && Some(*at) == place.at);
                let shared = number.map_or(0, |number| 2u128 << (2 * number));
                if alone { shared | shared >> 1 } else { shared }
            }
            _ => 0,
        };
        match does {
            Does::Take { alone } => {
                self.taken.insert(site, certain(alone));
            }
            Does::Try { alone } => {
                let bits = certain(alone);
                if faults::on(Fault::AttemptSucceeds) {
                    self.taken.insert(site, bits);
                }
                if let Some(edge) = succeeds(program, site) {
                    *self.edges.entry(edge).or_default() |= bits;
                }
            }
            Does::Release => {
                self.lost.insert(site, may);
                self.releases.push((site, may));
            }
            Does::Reset => {
                self.lost.insert(site, may);
                self.resets.push((site, may));
            }
        }
    }

    /// A read-write lock is a word in memory: it protects nothing if something else may write there.
    fn overwritten(&mut self, program: &Program, accesses: &Accesses) {
        let is_operation = |site: Site| {
            let function = &program.functions[site.function];
            function.origin == Origin::Model { synchronises: true }
                && (function.name.contains("rwlock") || function.name.contains("mutex"))
        };
        for access in accesses.counted.iter().chain(&accesses.others) {
            if !access.writes || is_operation(access.site) {
                continue;
            }
            for (number, (object, at)) in self.all.iter().enumerate() {
                let word = Range {
                    at: Some(*at),
                    bytes: Some(4),
                };
                let overlaps =
                    |(other, range): &(ObjectId, Range)| other == object && range.overlaps(word);
                if access.wild || access.ranges.iter().any(overlaps) {
                    self.resets.push((access.site, 3 << (2 * number)));
                }
            }
        }
    }
}

/// Objects of which there is one: true if an abstract object stands for no more.
fn is_single(program: &Program, flow: &Flow, once: &Once, object: ObjectId) -> bool {
    match flow.objects.kinds[object] {
        Object::Global(id) => !program.globals[id].thread_local,
        Object::Allocated { at, .. } => once.is_once(at) || faults::on(Fault::LocksOfAllocationOne),
        Object::Function(_) | Object::Unknown | Object::Rest => false,
    }
}

/// True if an operation is one on mutexes.
fn is_of_mutex(program: &Program, site: Site) -> bool {
    match instr(program, site) {
        InstrKind::Call {
            callee: Callee::Direct(callee),
            ..
        } => program.functions[*callee].name.contains("mutex"),
        _ => true,
    }
}

/// True if an operand is the same at the end of the block.
fn keeps(program: &Program, site: Site, operand: Operand) -> bool {
    let block = &program.functions[site.function].blocks[site.block];
    let mut behind = block.instrs[site.index..].iter();
    match operand {
        Operand::Reg(reg) => !behind.any(|instr| instr.kind.dst() == Some(reg)),
        _ => true,
    }
}

fn instr(program: &Program, site: Site) -> &InstrKind {
    &program.functions[site.function].blocks[site.block].instrs[site.index].kind
}

/// All operations, with the places that they may be at.
fn operations(program: &Program, flow: &Flow) -> Vec<(Site, Operation)> {
    let mut found = Vec::new();
    let robust = flow.reached().into_iter().any(|id| {
        let name = &program.functions[id].name;
        name.contains("setrobust") || name.contains("mutex_consistent")
    });
    for id in flow.reached() {
        let function = &program.functions[id];
        if !robust && function.origin == (Origin::Model { synchronises: true }) {
            // Calls of it are the operations.
            continue;
        }
        for (block, code) in function.blocks.iter_ids() {
            for (index, instr) in code.instrs.iter().enumerate() {
                let site = Site {
                    function: id,
                    block,
                    index,
                };
                let (does, addr) = match &instr.kind {
                    InstrKind::Lock { addr } => (Does::Take { alone: true }, *addr),
                    InstrKind::TryLock { addr, .. } => (Does::Try { alone: true }, *addr),
                    InstrKind::Unlock { addr } => (Does::Release, *addr),
                    InstrKind::MutexInit { addr } | InstrKind::Copied { addr, .. } => {
                        (Does::Reset, *addr)
                    }
                    InstrKind::Call {
                        callee: Callee::Direct(callee),
                        args,
                        ..
                    } => {
                        let callee = &program.functions[*callee];
                        let is_model = callee.origin == Origin::Model { synchronises: true };
                        match (model(&callee.name, robust), args.first()) {
                            (Some(does), Some(addr)) if is_model => (does, *addr),
                            _ => continue,
                        }
                    }
                    _ => continue,
                };
                let mut places = flow.places(id, addr);
                if places
                    .iter()
                    .any(|place| place.object == flow.objects.unknown())
                {
                    places.clear();
                }
                if let InstrKind::Copied { .. } = instr.kind {
                    places.iter_mut().for_each(|place| place.at = None);
                }
                let operation = Operation { does, addr, places };
                found.push((site, operation));
            }
        }
    }
    found
}

/// The operation that a model is. Robust mutexes may be given to who does not get them; without these, who locks has the
/// mutex, of whatever kind.
fn model(name: &str, robust: bool) -> Option<Does> {
    let alone = name.contains("wrlock");
    Some(match name {
        "pthread_rwlock_rdlock" | "pthread_rwlock_wrlock" => Does::Take { alone },
        "pthread_rwlock_tryrdlock"
        | "pthread_rwlock_trywrlock"
        | "pthread_rwlock_timedrdlock"
        | "pthread_rwlock_timedwrlock"
        | "pthread_rwlock_clockrdlock"
        | "pthread_rwlock_clockwrlock" => Does::Try { alone },
        "pthread_rwlock_unlock" => Does::Release,
        "pthread_rwlock_init" => Does::Reset,
        "__selvedge_mutex_lock" if !robust => Does::Take { alone: true },
        "__selvedge_mutex_trylock" if !robust => Does::Try { alone: true },
        "__selvedge_mutex_unlock" if !robust => Does::Release,
        _ => return None,
    })
}

/// What a register says of an attempt.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    /// Zero if it was successful.
    Status,
    /// One bit: success, or failure.
    Success(bool),
}

/// The edge on which an attempt has been successful, if the end of its block asks for that.
fn succeeds(program: &Program, site: Site) -> Option<(FuncId, BlockId, usize)> {
    let block = &program.functions[site.function].blocks[site.block];
    let mut says: SortedMap<Reg, Says> = SortedMap::new();
    says.insert(block.instrs[site.index].kind.dst()?, Says::Status);
    for instr in &block.instrs[site.index + 1..] {
        let of = |operand: Operand| match operand {
            Operand::Reg(reg) => says.get(&reg).copied(),
            _ => None,
        };
        let is_zero = |operand: Operand| matches!(operand, Operand::Const { value: 0, .. });
        let said = match &instr.kind {
            InstrKind::Assign { value, .. } => match value {
                Rvalue::Use(a) => of(*a),
                Rvalue::ZeroExtend(a) => match of(*a) {
                    Some(Says::Success(false)) => Some(Says::Status),
                    Some(Says::Status) => Some(Says::Status),
                    _ => None,
                },
                Rvalue::Binary(op @ (BinOp::Eq | BinOp::Ne), a, b) if is_zero(*b) => {
                    let is_equal = *op == BinOp::Eq;
                    match of(*a) {
                        Some(Says::Status) => Some(Says::Success(is_equal)),
                        Some(Says::Success(success)) => Some(Says::Success(success != is_equal)),
                        None => None,
                    }
                }
                _ => None,
            },
            InstrKind::Lock { .. }
            | InstrKind::Unlock { .. }
            | InstrKind::TryLock { .. }
            | InstrKind::MutexInit { .. }
            | InstrKind::Copied { .. }
            | InstrKind::Call { .. }
            | InstrKind::Join { .. }
            | InstrKind::Spawn { .. } => return None,
            _ => None,
        };
        if let Some(dst) = instr.kind.dst() {
            match said {
                Some(said) => says.insert(dst, said),
                None => says.remove(&dst),
            };
        }
    }
    match block.end {
        Terminator::Branch {
            cond: Operand::Reg(cond),
            then,
            other,
        } if then != other => match says.get(&cond)? {
            Says::Success(success) => Some((site.function, site.block, usize::from(!*success))),
            Says::Status => None,
        },
        _ => None,
    }
}
