//! Locks that a thread certainly holds, and sections that it is certainly in, at each point of each function: by forward
//! data flow, with the change that each function makes, and with what holds at all places that call it.
//!
//! A lock is two bits of a word: of who holds it shared, and of who holds it alone. A mutex is always held alone.

use super::faults::{self, Fault};
use super::flow::Flow;
use super::lock::Locks;
use super::pass::{self, Domain};
use super::site::Site;
use crate::base::IdVec;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::{BlockId, FuncId, InstrKind, Program};

/// Change of a set of bits, and of the depth of sections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Change {
    keep: u128,
    add: u128,
    /// Sections that were begun, at least.
    depth: i32,
}

/// Depths are told apart up to here.
const DEEPEST: i32 = 8;

impl Change {
    const NONE: Change = Change {
        keep: u128::MAX,
        add: 0,
        depth: 0,
    };

    fn of(self, held: Held) -> Held {
        Held {
            locks: held.locks & self.keep | self.add,
            depth: (held.depth + self.depth).clamp(0, DEEPEST),
        }
    }

    fn then(self, next: Change) -> Change {
        Change {
            keep: self.keep & next.keep,
            add: self.add & next.keep | next.add,
            depth: (self.depth + next.depth).clamp(-DEEPEST, DEEPEST),
        }
    }

    /// What both leave.
    fn and(self, other: Change) -> Change {
        let some = if faults::on(Fault::HeldOnSomeWay) {
            self.add | other.add
        } else {
            0
        };
        Change {
            keep: (self.keep | self.add) & (other.keep | other.add),
            add: self.add & other.add | some,
            depth: self.depth.min(other.depth),
        }
    }
}

/// What a thread holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Held {
    pub locks: u128,
    /// Atomic sections that it is in, at least.
    pub depth: i32,
}

impl Held {
    const NOTHING: Held = Held { locks: 0, depth: 0 };

    fn and(self, other: Held) -> Held {
        Held {
            locks: self.locks & other.locks,
            depth: self.depth.min(other.depth),
        }
    }
}

struct Pass<'a> {
    flow: &'a Flow<'a>,
    locks: &'a Locks,
    summaries: &'a SortedMap<FuncId, Change>,
}

impl Domain for Pass<'_> {
    type State = Change;

    fn join(&self, one: &Change, other: &Change) -> Change {
        one.and(*other)
    }

    fn step(&self, at: Site, instr: &InstrKind, state: Change) -> Option<Change> {
        let lost = self.locks.lost.get(&at).copied().unwrap_or(0);
        let taken = self.locks.taken.get(&at).copied().unwrap_or(0);
        let changed = Change {
            keep: !lost,
            add: taken,
            depth: 0,
        };
        let sections = |depth| Change {
            depth,
            ..Change::NONE
        };
        match instr {
            InstrKind::AtomicBegin { .. } => Some(state.then(sections(1))),
            InstrKind::AtomicEnd => Some(state.then(sections(-1))),
            InstrKind::Call { .. } if !self.locks.models.contains(&at) => {
                let targets = self.flow.calls.get(&at).into_iter().flatten();
                let does = targets.filter_map(|target| self.summaries.get(target));
                Some(state.then(does.copied().reduce(Change::and)?))
            }
            _ => Some(state.then(changed)),
        }
    }

    fn leave(&self, (function, block): (FuncId, BlockId), edge: usize, state: Change) -> Change {
        let taken = self.locks.edges.get(&(function, block, edge));
        state.then(Change {
            add: taken.copied().unwrap_or(0),
            ..Change::NONE
        })
    }
}

/// What is held before each of the instructions that are asked about.
pub(super) fn held(
    program: &Program,
    flow: &Flow,
    locks: &Locks,
    asked: &SortedSet<Site>,
) -> SortedMap<Site, Held> {
    let functions = flow.reached();
    let mut summaries: SortedMap<FuncId, Change> = SortedMap::new();
    let mut starts: SortedMap<FuncId, IdVec<BlockId, Option<Change>>> = SortedMap::new();
    loop {
        let mut changed = false;
        for &id in &functions {
            let code = (id, &program.functions[id]);
            let pass = Pass {
                flow,
                locks,
                summaries: &summaries,
            };
            let found = pass::starts(code, &pass, Change::NONE);
            let summary = pass::returned(code, &pass, &found);
            starts.insert(id, found);
            if let Some(summary) = summary
                && summaries.get(&id) != Some(&summary)
            {
                summaries.insert(id, summary);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let pass = Pass {
        flow,
        locks,
        summaries: &summaries,
    };
    let mut entries: SortedMap<FuncId, Held> = SortedMap::new();
    let mut work = vec![program.main];
    work.extend(flow.spawns.values().flatten());
    for &id in &work {
        entries.insert(id, Held::NOTHING);
    }
    while let Some(id) = work.pop() {
        let entry = entries[&id];
        let code = (id, &program.functions[id]);
        pass::each(code, &pass, &starts[&id], |at, kind, change| {
            if !matches!(kind, InstrKind::Call { .. }) {
                return;
            }
            let held = change.of(entry);
            for &target in flow.calls.get(&at).into_iter().flatten() {
                let known = entries.get(&target).copied();
                let joined = known.map_or(held, |known| known.and(held));
                if known != Some(joined) {
                    entries.insert(target, joined);
                    work.push(target);
                }
            }
        });
    }
    let mut answers = SortedMap::new();
    for (&id, &entry) in &entries {
        let code = (id, &program.functions[id]);
        pass::each(code, &pass, &starts[&id], |at, _, change| {
            if asked.contains(&at) {
                answers.insert(at, change.of(entry));
            }
        });
    }
    answers
}
