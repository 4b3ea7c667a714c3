//! Data races that are excluded by looking at the program as it is written: any number of iterations and threads, all
//! schedules, no bounds. What is not excluded is open, which says nothing.
//!
//! Pointers: [`flow`] has for each register, and for all that memory holds, the places that it may point to, whatever the
//! order of instructions ([`graph`], [`object`]). Threads: [`thread`] has a tree of classes by the instructions that
//! create them, [`order`] which of them may be there at a point of another, by creation and by those joins of which
//! [`join`] is sure. Locks: [`held`] has the locks and sections that a thread is certainly in, [`lock`] which objects are
//! locks that protect. [`pair`] puts this together.
//!
//! Architecture invariant: nothing is discharged for a reason that does not hold in every execution. Where something is not
//! understood, [`Races::of`] leaves everything open.

mod access;
mod array;
mod beside;
pub mod faults;
mod flow;
mod fresh;
mod graph;
mod held;
mod join;
mod lock;
mod object;
mod once;
mod order;
mod pair;
mod pass;
mod print;
mod thread;

#[cfg(test)]
mod tests;

use crate::base::id::Id;
use crate::ir::reach::reached_functions;
use crate::ir::{BlockId, FuncId, InstrKind, Origin, Program};
use access::{Accesses, Writes};
use beside::Beside;
use faults::Fault;
use flow::Flow;
use held::Held;
use join::Busy;
use lock::Locks;
use object::{Object, ObjectId};
use once::Once;
use order::Alive;
use pair::{Pairs, Threads};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use thread::Classes;

pub use print::print;

/// An instruction: its function, block, and index in that.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    pub function: FuncId,
    pub block: BlockId,
    pub index: usize,
}

/// Accesses that may race, by where they are: the number of the component of each. Accesses of different components do not race.
pub type Open = BTreeMap<Site, u32>;

/// Why accesses are no race.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// One thread executes both.
    OneThread,
    /// The one thread is created behind the one access, or joined before the other.
    Ordered,
    /// Both are atomic.
    BothAtomic,
    /// Both are in atomic sections.
    Sections,
    /// Both threads hold the lock of this name, one of them alone.
    Locked(String),
    /// Both threads hold the mutex that is at a distance from what they access.
    Beside,
    /// Only the thread that made the object has pointers to it.
    Unshared,
}

impl Reason {
    /// The reason in words.
    pub fn text(&self) -> String {
        match self {
            Reason::OneThread => "one thread".into(),
            Reason::Ordered => "ordered by creation or join".into(),
            Reason::BothAtomic => "both atomic".into(),
            Reason::Sections => "both in atomic sections".into(),
            Reason::Locked(name) => format!("both hold {name}"),
            Reason::Beside => "both hold the mutex beside it".into(),
            Reason::Unshared => "not shared".into(),
        }
    }
}

/// Accesses of an object, each of the one list with each of the other, that overlap and of which one is a write.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// Number of the abstract object; `None` if it may be any.
    pub object: Option<usize>,
    /// Sites that are alike in all that counts, in order.
    pub one: Arc<[Site]>,
    /// The others; the same sites if they are to be compared among themselves, and each with itself.
    pub other: Arc<[Site]>,
    /// Whether those of the one list write, and those of the other.
    pub writes: (bool, bool),
    /// The reason why they are no race, if they certainly are none.
    pub discharged: Option<Reason>,
}

/// What is known of the data races of a program.
#[derive(Clone, Debug)]
pub struct Races {
    /// All accesses that may race with others, in order.
    pub sites: Vec<Site>,
    /// Pairs that conflict, by object.
    pub conflicts: Vec<Conflict>,
    /// Names of the abstract objects.
    pub names: Vec<String>,
    /// Why nothing is known, if that is so: then everything is open.
    pub refused: Option<String>,
}

impl Races {
    /// Analyses a program.
    pub fn of(program: &Program) -> Races {
        let flow = Flow::of(program);
        if let Some(why) = &flow.refused {
            return refused(program, why.clone());
        }
        let classes = Classes::of(program, &flow).filter(|classes| classes.spawns.len() <= 128);
        let Some(mut classes) = classes else {
            return refused(program, "too many ways to create threads".into());
        };
        let once = Once::of(program, &flow);
        let accesses = Accesses::of(program, &flow);
        let (alive, creation) = order(program, &flow, &mut classes, &once, &accesses);
        let mut locks = Locks::of(program, &flow, &once, &accesses);
        let mut asked: BTreeSet<Site> = accesses.counted.iter().map(|a| a.site).collect();
        let sites: Vec<Site> = asked.iter().copied().collect();
        let operations = locks.releases.iter().chain(&locks.resets);
        asked.extend(operations.map(|(site, _)| *site));
        let held = held::held(program, &flow, &locks, &asked);
        let positions = pair::positions(program, &flow, &classes, &alive, &asked);
        let fresh = fresh::fresh(program, &flow);
        let beside = beside::beside(program, &flow, &locks);
        let unprotected = break_locks(&mut locks, &flow, &held, &positions, &fresh, &beside);
        let names = names(program, &flow);
        let lock_names = locks.all.iter().map(|(object, at)| match at {
            0 => names[object.index()].clone(),
            at => format!("{}+{at}", names[object.index()]),
        });
        let pairs = Pairs {
            threads: Threads::of(&classes, &creation),
            shared: &flow.shared(),
            held: &held,
            positions,
            broken: locks.broken,
            names: lock_names.collect(),
            beside: &beside.distances,
            unprotected,
        };
        Races {
            sites,
            conflicts: pairs.conflicts(&accesses.counted, &fresh),
            names,
            refused: None,
        }
    }

    /// Connected components of what is open: the number of its component for each site that may race. Others cannot.
    pub fn open(&self) -> Open {
        let mut parents: BTreeMap<Site, Site> = BTreeMap::new();
        fn root(parents: &mut BTreeMap<Site, Site>, site: Site) -> Site {
            let mut at = site;
            while let Some(&next) = parents.get(&at)
                && next != at
            {
                at = next;
            }
            parents.insert(site, at);
            at
        }
        for conflict in self.conflicts.iter().filter(|c| c.discharged.is_none()) {
            let Some(&first) = conflict.one.first() else {
                continue;
            };
            parents.entry(first).or_insert(first);
            for &site in conflict.one.iter().chain(conflict.other.iter()) {
                parents.entry(site).or_insert(site);
                let (a, b) = (root(&mut parents, first), root(&mut parents, site));
                parents.insert(a.max(b), a.min(b));
            }
        }
        let mut numbers: BTreeMap<Site, u32> = BTreeMap::new();
        let sites: Vec<Site> = parents.keys().copied().collect();
        let mut open = BTreeMap::new();
        for site in sites {
            let root = root(&mut parents, site);
            let next = numbers.len() as u32;
            open.insert(site, *numbers.entry(root).or_insert(next));
        }
        open
    }
}

/// The order of threads, with those joins that it justifies; and what may be there when each class is created.
fn order(
    program: &Program,
    flow: &Flow,
    classes: &mut Classes,
    once: &Once,
    accesses: &Accesses,
) -> (Vec<Alive>, Vec<u128>) {
    let recursive: Vec<bool> = classes.all.iter().map(|class| class.several).collect();
    let writes = Writes::of_all(accesses);
    let busy = Busy::of(program, flow);
    let mut believed = join::candidates(program, flow, classes, once, &writes, &busy);
    believed.extend(array::candidates(
        program, flow, classes, once, &writes, &busy,
    ));
    loop {
        let alive = order::alive(program, flow, classes, &believed);
        let mut creation = Vec::new();
        for class in 0..classes.all.len() {
            let (before, again) = match classes.all[class].origin {
                Some((creator, number)) => {
                    let site = classes.spawns[number];
                    let before = alive[creator].before(program, flow, site);
                    (before, before >> number & 1 == 1)
                }
                None => (0, false),
            };
            creation.push(before);
            let again = again && !faults::on(Fault::LoopCreatesOne);
            classes.all[class].several = recursive[class] || again;
        }
        let count = believed.len();
        believed.retain(|candidate| candidate.holds(program, flow, classes, &alive));
        if believed.len() == count {
            return (alive, creation);
        }
    }
}

/// Finds locks that somebody may release who does not hold them, or make anew while others are there; and objects in
/// which there may be such mutexes.
fn break_locks(
    locks: &mut Locks,
    flow: &Flow,
    held: &BTreeMap<Site, Held>,
    positions: &BTreeMap<Site, Vec<(usize, u128)>>,
    fresh: &BTreeSet<Site>,
    beside: &Beside,
) -> BTreeSet<ObjectId> {
    let mut broken = 0;
    let mut wrong = BTreeSet::new();
    for (site, bits) in &locks.releases {
        let Some(held) = held.get(site) else {
            continue;
        };
        if faults::on(Fault::ReleasedByOthers) || beside.releases.contains(site) {
            continue;
        }
        broken |= bits & !lock::ALONE & !held.locks;
        // It holds the one lock that this can be.
        let is_one =
            (bits & lock::ALONE).count_ones() == 1 && bits & !lock::ALONE & !held.locks == 0;
        let is_single = |operation: &lock::Operation| operation.places.len() == 1;
        if !(is_one && locks.mutexes.get(site).is_none_or(is_single)) {
            wrong.insert(*site);
        }
    }
    for (site, bits) in &locks.resets {
        let is_alone = |at: &[(usize, u128)]| at.iter().all(|at| *at == (0, 0));
        if !faults::on(Fault::ResetMeanwhile)
            && !is_alone(positions.get(site).map_or(&[], Vec::as_slice))
            && !fresh.contains(site)
        {
            broken |= bits & !lock::ALONE;
            wrong.insert(*site);
        }
    }
    locks.broken |= broken | broken >> 1;
    let mut unprotected = BTreeSet::new();
    for operation in wrong.iter().filter_map(|site| locks.mutexes.get(site)) {
        match &operation.places[..] {
            [] => unprotected.extend(flow.objects.kinds.ids()),
            places => unprotected.extend(places.iter().map(|place| place.object)),
        }
    }
    unprotected
}

/// Everything open: all accesses are one component.
fn refused(program: &Program, why: String) -> Races {
    let reached = reached_functions(program);
    let mut sites = Vec::new();
    for (id, function) in program.functions.iter_ids() {
        if !reached[id.index()] || function.origin == (Origin::Model { synchronises: true }) {
            continue;
        }
        for (block, code) in function.blocks.iter_ids() {
            for (index, instr) in code.instrs.iter().enumerate() {
                let accesses = matches!(
                    instr.kind,
                    InstrKind::Load { .. }
                        | InstrKind::Store { .. }
                        | InstrKind::Rmw { .. }
                        | InstrKind::CmpXchg { .. }
                        | InstrKind::Block { .. }
                        | InstrKind::Free { .. }
                );
                if accesses {
                    sites.push(Site {
                        function: id,
                        block,
                        index,
                    });
                }
            }
        }
    }
    Races {
        conflicts: vec![Conflict {
            object: None,
            one: sites.as_slice().into(),
            other: sites.as_slice().into(),
            writes: (true, true),
            discharged: None,
        }],
        sites,
        names: Vec::new(),
        refused: Some(why),
    }
}

/// Names of all abstract objects.
fn names(program: &Program, flow: &Flow) -> Vec<String> {
    let name = |kind: &Object| match *kind {
        Object::Global(id) => program.globals[id].name.clone(),
        Object::Function(id) => program.functions[id].name.clone(),
        Object::Unknown => "memory that nobody knows".into(),
        Object::Allocated { at, .. } => {
            let function = &program.functions[at.function];
            match &function.blocks[at.block].instrs[at.index].kind {
                InstrKind::Alloc {
                    kind: crate::ir::AllocKind::Stack { name, .. },
                    ..
                } => format!("{}:{name}", function.name),
                _ => format!("{}:heap", function.name),
            }
        }
    };
    flow.objects.kinds.iter().map(name).collect()
}
