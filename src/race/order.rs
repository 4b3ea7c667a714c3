//! Order by creation and join: for each class of threads, and each point that these may be at, the instructions whose
//! threads, or threads that these have created, may be there.
//!
//! A set of instructions is a word. What a function does to it is to keep some and to add some, so that each function
//! is looked at once for all that call it.

use super::candidate::{Candidate, Kill};
use super::faults::{self, Fault};
use super::flow::Flow;
use super::pass::{self, Domain};
use super::site::Site;
use super::thread::Classes;
use crate::base::IdVec;
use crate::base::sorted::SortedMap;
use crate::ir::{BlockId, FuncId, InstrKind, Program, Terminator};

/// Change of a set: what stays of it, and what is added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Change {
    keep: u128,
    add: u128,
}

impl Change {
    const NONE: Change = Change {
        keep: u128::MAX,
        add: 0,
    };

    fn of(self, set: u128) -> u128 {
        set & self.keep | self.add
    }

    fn then(self, next: Change) -> Change {
        Change {
            keep: self.keep & next.keep,
            add: next.of(self.add),
        }
    }

    fn or(self, other: Change) -> Change {
        if faults::on(Fault::JoinedOnSomeWay) {
            let killed = !self.keep & !self.add | !other.keep & !other.add;
            return Change {
                keep: self.keep & other.keep,
                add: (self.add | other.add) & !killed,
            };
        }
        Change {
            keep: self.keep | other.keep,
            add: self.add | other.add,
        }
    }

    fn without(self, killed: u128) -> Change {
        self.then(Change {
            keep: !killed,
            add: 0,
        })
    }
}

type Starts = IdVec<BlockId, Option<Change>>;

/// Threads that may be there while one of a class is somewhere.
pub(super) struct Alive {
    /// What may be there before each function.
    entries: SortedMap<FuncId, u128>,
    starts: SortedMap<FuncId, Starts>,
    summaries: SortedMap<FuncId, Change>,
    kills: Kills,
    numbers: SortedMap<Site, u32>,
    /// What may be left behind by one that ends.
    at_end: u128,
}

/// Joins that certainly end what a word says.
#[derive(Default)]
struct Kills {
    at: SortedMap<Site, u128>,
    edges: SortedMap<(FuncId, BlockId, usize), u128>,
}

struct Pass<'a> {
    flow: &'a Flow<'a>,
    summaries: &'a SortedMap<FuncId, Change>,
    kills: &'a Kills,
    /// Bits of the instructions that create threads.
    numbers: &'a SortedMap<Site, u32>,
}

impl Domain for Pass<'_> {
    type State = Change;

    fn join(&self, one: &Change, other: &Change) -> Change {
        one.or(*other)
    }

    fn step(&self, at: Site, instr: &InstrKind, state: Change) -> Option<Change> {
        match instr {
            InstrKind::Spawn { .. } => {
                let bit = self.numbers.get(&at).map_or(u128::MAX, |bit| 1 << bit);
                Some(state.then(Change {
                    keep: u128::MAX,
                    add: bit,
                }))
            }
            InstrKind::Join { .. } => {
                Some(state.without(self.kills.at.get(&at).copied().unwrap_or(0)))
            }
            InstrKind::Call { .. } => {
                let targets = self.flow.calls.get(&at).into_iter().flatten();
                let does = targets.filter_map(|target| self.summaries.get(target));
                let does = does.copied().reduce(Change::or)?;
                Some(state.then(does))
            }
            _ => Some(state),
        }
    }

    fn leave(&self, (function, block): (FuncId, BlockId), edge: usize, state: Change) -> Change {
        let killed = self.kills.edges.get(&(function, block, edge));
        state.without(killed.copied().unwrap_or(0))
    }
}

impl Alive {
    fn pass<'a>(&'a self, flow: &'a Flow<'a>) -> Pass<'a> {
        Pass {
            flow,
            summaries: &self.summaries,
            kills: &self.kills,
            numbers: &self.numbers,
        }
    }

    /// Calls `found` with what may be there, before each instruction of a function.
    pub(super) fn each(
        &self,
        program: &Program,
        flow: &Flow,
        function: FuncId,
        mut found: impl FnMut(Site, &InstrKind, u128),
    ) {
        let (Some(starts), Some(&entry)) =
            (self.starts.get(&function), self.entries.get(&function))
        else {
            return;
        };
        let code = (function, &program.functions[function]);
        pass::each(code, &self.pass(flow), starts, |at, kind, change| {
            found(at, kind, change.of(entry));
        });
    }

    /// What may be there before an instruction, or, behind the last one, at the end of a block.
    pub(super) fn before(&self, program: &Program, flow: &Flow, site: Site) -> u128 {
        let (Some(starts), Some(&entry)) = (
            self.starts.get(&site.function),
            self.entries.get(&site.function),
        ) else {
            return 0;
        };
        let pass = self.pass(flow);
        let Some(mut state) = starts[site.block] else {
            return 0;
        };
        let block = &program.functions[site.function].blocks[site.block];
        for (index, instr) in block.instrs.iter().enumerate().take(site.index) {
            let at = Site { index, ..site };
            match pass.step(at, &instr.kind, state) {
                Some(next) => state = next,
                None => return 0,
            }
        }
        state.of(entry)
    }
}

/// The order of all classes, given joins that are believed to end what they say.
pub(super) fn alive(
    program: &Program,
    flow: &Flow,
    classes: &Classes,
    believed: &[Candidate],
) -> Vec<Alive> {
    let mut found: Vec<Option<Alive>> = classes.all.iter().map(|_| None).collect();
    // Those that a class creates come first: a join ends what its thread leaves behind only if that is nothing.
    for class in (0..classes.all.len()).rev() {
        let mut ends = 0u128;
        for (&number, &created) in &classes.all[class].created {
            if let Some(Some(alive)) = found.get(created)
                && (alive.at_end == 0 || faults::on(Fault::LeftBehindJoined))
            {
                ends |= 1 << number;
            }
        }
        let mut kills = Kills::default();
        for candidate in believed.iter().filter(|c| c.class == class) {
            for kill in &candidate.kills {
                match kill {
                    Kill::At(site) => *kills.at.entry(*site).or_default() |= candidate.ends & ends,
                    Kill::Edge(function, block, edge) => {
                        *kills.edges.entry((*function, *block, *edge)).or_default() |=
                            candidate.ends & ends;
                    }
                }
            }
        }
        found[class] = Some(of_class(program, flow, classes, class, kills));
    }
    found.into_iter().flatten().collect()
}

fn of_class(
    program: &Program,
    flow: &Flow,
    classes: &Classes,
    class: usize,
    kills: Kills,
) -> Alive {
    let numbers = classes
        .spawns
        .iter()
        .enumerate()
        .map(|(number, site)| (*site, number as u32))
        .collect();
    let mut alive = Alive {
        entries: SortedMap::new(),
        starts: SortedMap::new(),
        summaries: SortedMap::new(),
        kills,
        numbers,
        at_end: 0,
    };
    let functions = &classes.all[class].functions;
    loop {
        let mut changed = false;
        for &id in functions {
            let code = (id, &program.functions[id]);
            let pass = alive.pass(flow);
            let starts = pass::starts(code, &pass, Change::NONE);
            let summary = pass::returned(code, &pass, &starts);
            alive.starts.insert(id, starts);
            if let Some(summary) = summary
                && alive.summaries.get(&id) != Some(&summary)
            {
                alive.summaries.insert(id, summary);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let mut entries: SortedMap<FuncId, u128> = SortedMap::new();
    let mut work = Vec::new();
    for &start in &classes.all[class].starts {
        entries.insert(start, 0);
        work.push(start);
    }
    while let Some(id) = work.pop() {
        let entry = entries[&id];
        let code = (id, &program.functions[id]);
        let pass = alive.pass(flow);
        pass::each(code, &pass, &alive.starts[&id], |at, kind, change| {
            if let InstrKind::Call { .. } = kind {
                let set = change.of(entry);
                for &target in flow.calls.get(&at).into_iter().flatten() {
                    let known = entries.get(&target).copied();
                    let joined = known.unwrap_or(0) | set;
                    if known != Some(joined) {
                        entries.insert(target, joined);
                        work.push(target);
                    }
                }
            }
        });
    }
    let mut at_end = 0;
    for (&id, &entry) in &entries {
        let code = (id, &program.functions[id]);
        let pass = alive.pass(flow);
        for (block, text) in code.1.blocks.iter_ids() {
            let ends = match text.end {
                Terminator::ThreadExit(_) => true,
                Terminator::Return(_) => classes.all[class].starts.contains(&id),
                _ => false,
            };
            if ends && let Some(state) = pass::end(code, block, &pass, &alive.starts[&id]) {
                at_end |= state.of(entry);
            }
        }
    }
    alive.at_end = at_end;
    alive.entries = entries;
    alive
}

/// True if the conditions of a candidate hold.
pub(super) fn holds(
    candidate: &Candidate,
    program: &Program,
    flow: &Flow,
    classes: &Classes,
    alive: &[Alive],
) -> bool {
    let is_single = |class: &usize| !classes.all[*class].several;
    let alive = &alive[candidate.class];
    let is_fresh = |site: &Site| alive.before(program, flow, *site) & candidate.ends == 0;
    classes.chain(candidate.class).iter().all(is_single) && candidate.fresh.iter().all(is_fresh)
}
