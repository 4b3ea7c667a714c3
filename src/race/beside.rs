//! Mutexes beside the data: those at a constant distance from what an instruction accesses, both reached from one pointer. Where
//! two threads access the same bytes so, they hold the same mutex, whatever object that is in.
//!
//! An address is a register, which got its value somewhere, plus a constant. Facts about a register end where it gets
//! another value. What holds of the arguments of all calls of a function, holds of its parameters.

use super::faults::{self, Fault};
use super::flow::Flow;
use super::lock::{Does, Locks};
use super::object::{ObjectId, Place, signed};
use super::pass::{self, Domain};
use super::site::Site;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::{BlockId, FuncId, InstrKind, Operand, Program, Reg, Rvalue};
use std::cell::RefCell;

/// A register, and a number of bytes behind what it points to.
type Spot = (Reg, i64);

#[derive(Clone, PartialEq, Eq, Default)]
struct Known {
    /// Registers that are another one plus a constant.
    from: SortedMap<Reg, Spot>,
    /// Mutexes that the thread holds.
    held: SortedSet<Spot>,
}

impl Known {
    fn spot(&self, operand: Operand) -> Option<Spot> {
        match operand {
            Operand::Reg(reg) => Some(self.from.get(&reg).copied().unwrap_or((reg, 0))),
            _ => None,
        }
    }

    /// A register gets another value.
    fn forget(&mut self, reg: Reg) {
        self.from.retain(|to, (from, _)| *to != reg && *from != reg);
        self.held.retain(|(base, _)| *base != reg);
    }
}

/// Objects that a pointer may point into; `None` if these may be any.
type Objects = Option<SortedSet<ObjectId>>;

struct Pass<'a> {
    program: &'a Program,
    flow: &'a Flow<'a>,
    locks: &'a Locks,
    /// Functions that may release or initialise mutexes, and the objects that these are in.
    releasing: &'a SortedMap<FuncId, Objects>,
    /// Objects that registers point into, as far as they have been asked for.
    objects: RefCell<SortedMap<(FuncId, Reg), Objects>>,
}

fn objects(places: &[Place]) -> Objects {
    let all = places.iter().map(|place| place.object).collect();
    (!places.is_empty()).then_some(all)
}

impl Pass<'_> {
    /// Forgets mutexes that may be in some objects, but those at other distances from the same register.
    fn release(&self, known: &mut Known, function: FuncId, spot: Option<Spot>, gone: &Objects) {
        let unknown = self.flow.objects.unknown();
        known.held.retain(|(base, at)| {
            if let Some((other, released)) = spot
                && *base == other
            {
                return *at != released;
            }
            let mut known = self.objects.borrow_mut();
            let here = known.entry((function, *base)).or_insert_with(|| {
                let places = self.flow.places(function, Operand::Reg(*base));
                objects(&places)
            });
            match (here, gone) {
                (Some(here), Some(gone)) => !here.contains(&unknown) && here.is_disjoint(gone),
                _ => false,
            }
        });
    }
}

impl Domain for Pass<'_> {
    type State = Known;

    fn join(&self, one: &Known, other: &Known) -> Known {
        let same = one.from.iter();
        let same = same.filter(|(reg, spot)| other.from.get(reg) == Some(spot));
        Known {
            from: same.map(|(reg, spot)| (*reg, *spot)).collect(),
            held: one.held.intersection(&other.held).copied().collect(),
        }
    }

    fn step(&self, at: Site, instr: &InstrKind, mut known: Known) -> Option<Known> {
        if let Some(operation) = self.locks.mutexes.get(&at) {
            let spot = known.spot(operation.addr);
            match operation.does {
                Does::Take { .. } => known.held.extend(spot),
                Does::Try { .. } => {}
                Does::Release | Does::Reset => {
                    let gone = objects(&operation.places);
                    self.release(&mut known, at.function, spot, &gone);
                }
            }
        } else if let InstrKind::Call { .. } = instr {
            for target in self.flow.calls.get(&at).into_iter().flatten() {
                if let Some(gone) = self.releasing.get(target) {
                    self.release(&mut known, at.function, None, gone);
                }
            }
        }
        let Some(dst) = instr.dst() else {
            return Some(known);
        };
        let moved = match instr {
            InstrKind::Assign {
                value: Rvalue::Use(base),
                ..
            } => known.spot(*base),
            InstrKind::Assign {
                value: Rvalue::Offset { base, offset_bytes },
                ..
            } => {
                let by = signed(*offset_bytes);
                let spot = known.spot(*base);
                spot.and_then(|(reg, at)| Some((reg, at.checked_add(by?)?)))
            }
            _ => None,
        };
        known.forget(dst);
        if let Some(spot) = moved.filter(|(base, _)| *base != dst) {
            known.from.insert(dst, spot);
        }
        Some(known)
    }

    fn leave(&self, (function, block): (FuncId, BlockId), edge: usize, mut known: Known) -> Known {
        if let Some(addr) = self.locks.tried.get(&(function, block, edge)) {
            let spot = known.spot(*addr);
            known.held.extend(spot);
        }
        known
    }
}

/// What is known of mutexes beside data.
#[derive(Default)]
pub(super) struct Beside {
    /// For each access, the distances in bytes from its address to mutexes that are held.
    pub distances: SortedMap<Site, Vec<i64>>,
    /// Releases of a mutex that the thread certainly holds.
    pub releases: SortedSet<Site>,
}

pub(super) fn beside(program: &Program, flow: &Flow, locks: &Locks) -> Beside {
    let releasing = releasing(flow, locks);
    let pass = Pass {
        program,
        flow,
        locks,
        releasing: &releasing,
        objects: RefCell::default(),
    };
    let entries = pass.entries();
    let mut found = Beside::default();
    for (&id, entry) in &entries {
        pass.each(id, entry, |at, kind, known| {
            if let Some(operation) = locks.mutexes.get(&at)
                && operation.does == Does::Release
                && let Some(spot) = known.spot(operation.addr)
                && known.held.contains(&spot)
            {
                found.releases.insert(at);
            }
            let accesses = matches!(
                kind,
                InstrKind::Load { .. }
                    | InstrKind::Store { .. }
                    | InstrKind::Rmw { .. }
                    | InstrKind::CmpXchg { .. }
            );
            let Some((base, at_data)) = kind.address().and_then(|addr| known.spot(addr)) else {
                return;
            };
            let distances: Vec<i64> = known
                .held
                .iter()
                .filter(|(other, _)| *other == base || faults::on(Fault::OtherPointer))
                .filter_map(|(_, at)| at.checked_sub(at_data))
                .collect();
            if accesses && !distances.is_empty() {
                found.distances.insert(at, distances);
            }
        });
    }
    found
}

impl Pass<'_> {
    fn each(
        &self,
        id: FuncId,
        entry: &SortedSet<Spot>,
        found: impl FnMut(Site, &InstrKind, &Known),
    ) {
        let entry = Known {
            held: entry.clone(),
            ..Known::default()
        };
        let code = (id, &self.program.functions[id]);
        let starts = pass::starts(code, self, entry);
        pass::each(code, self, &starts, found);
    }

    /// Mutexes that are held where functions are entered, by their parameters.
    fn entries(&self) -> SortedMap<FuncId, SortedSet<Spot>> {
        let mut entries: SortedMap<FuncId, SortedSet<Spot>> = SortedMap::new();
        let mut work = vec![self.program.main];
        work.extend(self.flow.spawns.values().flatten());
        for &id in &work {
            entries.insert(id, SortedSet::new());
        }
        while let Some(id) = work.pop() {
            let entry = entries.get(&id).cloned().unwrap_or_default();
            let mut calls: Vec<(FuncId, SortedSet<Spot>)> = Vec::new();
            self.each(id, &entry, |at, kind, known| {
                let InstrKind::Call { args, .. } = kind else {
                    return;
                };
                for &target in self.flow.calls.get(&at).into_iter().flatten() {
                    let params = &self.program.functions[target].params;
                    let held = params.iter().zip(args).flat_map(|(param, arg)| {
                        let arg = known.spot(*arg);
                        let beside = known.held.iter().filter_map(move |(base, at)| {
                            let (reg, from) = arg?;
                            (*base == reg).then_some((*param, at.checked_sub(from)?))
                        });
                        beside.collect::<Vec<_>>()
                    });
                    calls.push((target, held.collect()));
                }
            });
            for (target, held) in calls {
                let joined = match entries.get(&target) {
                    Some(known) => known.intersection(&held).copied().collect(),
                    None => held,
                };
                if entries.get(&target) != Some(&joined) {
                    entries.insert(target, joined);
                    work.push(target);
                }
            }
        }
        entries
    }
}

/// Functions that may release or initialise mutexes, by what they call, and the objects that these are in.
fn releasing(flow: &Flow, locks: &Locks) -> SortedMap<FuncId, Objects> {
    let mut found: SortedMap<FuncId, Objects> = SortedMap::new();
    let add = |found: &mut SortedMap<FuncId, Objects>, function: FuncId, more: &Objects| {
        let known = found.entry(function).or_insert(Some(SortedSet::new()));
        let joined = match (&known, more) {
            (Some(known), Some(more)) => Some(known | more),
            _ => None,
        };
        let changed = *known != joined;
        *known = joined;
        changed
    };
    for (site, operation) in &locks.mutexes {
        if matches!(operation.does, Does::Release | Does::Reset) {
            add(&mut found, site.function, &objects(&operation.places));
        }
    }
    loop {
        let mut changed = false;
        for (site, targets) in &flow.calls {
            for target in targets {
                if let Some(more) = found.get(target).cloned() {
                    changed |= add(&mut found, site.function, &more);
                }
            }
        }
        if !changed {
            return found;
        }
    }
}
