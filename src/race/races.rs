//! The analysis as a whole: what the parts find, put together.

use super::access::{Accesses, Writes};
use super::broken::break_locks;
use super::conflict::Conflict;
use super::faults::{self, Fault};
use super::flow::Flow;
use super::join::Busy;
use super::lock::Locks;
use super::object::Object;
use super::once::Once;
use super::order::{self, Alive};
use super::pair::{self, Pairs, Threads};
use super::site::{Site, Sites};
use super::thread::Classes;
use super::undisturbed;
use super::{array, beside, fresh, held, join};
use crate::base::id::Id;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::reach::reached_functions;
use crate::ir::{AllocKind, InstrKind, Origin, Program};

/// What is known of the data races of a program.
#[derive(Clone, Debug)]
pub struct Races {
    /// All accesses that may race with others, in order.
    pub sites: Vec<Site>,
    /// Pairs that conflict, by object.
    pub conflicts: Vec<Conflict>,
    /// Undisturbed accesses, see [`Sites::undisturbed`].
    pub undisturbed: SortedSet<Site>,
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
        let mut asked: SortedSet<Site> = accesses.counted.iter().map(|a| a.site).collect();
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
        let conflicts = pairs.conflicts(&accesses.counted, &fresh);
        Races {
            sites,
            undisturbed: undisturbed::of(program, &flow, &accesses, &conflicts),
            conflicts,
            names,
            refused: None,
        }
    }

    /// Connected components of what is open: the number of its component for each site that may race. Others cannot.
    pub fn open(&self) -> SortedMap<Site, u32> {
        let mut parents: SortedMap<Site, Site> = SortedMap::new();
        fn root(parents: &mut SortedMap<Site, Site>, site: Site) -> Site {
            let mut at = site;
            while let Some(&next) = parents.get(&at)
                && next != at
            {
                at = next;
            }
            parents.insert(site, at);
            at
        }
        // Lists whose sites are in one component already: many pairs share a list.
        let mut joined: SortedSet<*const Site> = SortedSet::new();
        for conflict in self.conflicts.iter().filter(|c| c.discharged.is_none()) {
            let Some(&first) = conflict.one.first() else {
                continue;
            };
            parents.entry(first).or_insert(first);
            for list in [&conflict.one, &conflict.other] {
                let most = if joined.insert(list.as_ptr()) {
                    list.len()
                } else {
                    1
                };
                for &site in list.iter().take(most) {
                    parents.entry(site).or_insert(site);
                    let (a, b) = (root(&mut parents, first), root(&mut parents, site));
                    parents.insert(a.max(b), a.min(b));
                }
            }
        }
        let mut numbers: SortedMap<Site, u32> = SortedMap::new();
        let sites: Vec<Site> = parents.keys().copied().collect();
        let mut open = SortedMap::new();
        for site in sites {
            let root = root(&mut parents, site);
            let next = numbers.len() as u32;
            open.insert(site, *numbers.entry(root).or_insert(next));
        }
        open
    }
}

impl Sites {
    /// Knowledge of a program's accesses, from the analysis.
    pub fn of(program: &Program) -> Sites {
        let races = Races::of(program);
        Sites {
            open: races.open(),
            undisturbed: races.undisturbed,
        }
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
        for (class, recursive) in recursive.iter().enumerate() {
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
            classes.all[class].several = *recursive || again;
        }
        let count = believed.len();
        believed.retain(|candidate| order::holds(candidate, program, flow, classes, &alive));
        if believed.len() == count {
            return (alive, creation);
        }
    }
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
                        | InstrKind::Spawn { id_at: Some(_), .. }
                        | InstrKind::Rmw { .. }
                        | InstrKind::CmpXchg { .. }
                        | InstrKind::Block { .. }
                        | InstrKind::Free { .. }
                );
                if accesses && !instr.kind.stores_id() {
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
        undisturbed: SortedSet::new(),
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
        Object::Rest => "memory that is allocated".into(),
        Object::Allocated { at, .. } => {
            let function = &program.functions[at.function];
            match &function.blocks[at.block].instrs[at.index].kind {
                InstrKind::Alloc {
                    kind: AllocKind::Stack { name, .. },
                    ..
                } => format!("{}:{name}", function.name),
                _ => format!("{}:heap", function.name),
            }
        }
    };
    flow.objects.kinds.iter().map(name).collect()
}
