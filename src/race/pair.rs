//! Pairs of accesses that may overlap, one of them a write, and why they are no race if they are none. Accesses of an
//! object that are alike in all that counts are one group, so that the pairs of groups are few.

use super::access::{Access, Range};
use super::conflict::{Conflict, Reason};
use super::faults::{self, Fault};
use super::held::Held;
use super::lock;
use super::object::ObjectId;
use super::order::Alive;
use super::site::Site;
use super::thread::Classes;
use crate::base::IdVec;
use crate::base::id::Id;
use crate::base::sorted::{SortedMap, SortedSet};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::sync::Arc;

/// Pairs of groups that are looked at.
const MOST_PAIRS: usize = 1_000_000;

/// A class of threads, and which others may be there while one of it is at an instruction.
type Position = (usize, u128);

/// What is known of the threads of a program.
pub(super) struct Threads {
    /// Classes from the first thread's on, for each.
    chains: Vec<Vec<usize>>,
    several: Vec<bool>,
    /// The number of the instruction that creates a class, and what may be there before.
    creation: Vec<Option<(usize, u128)>>,
}

/// Relation of two instructions in time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Time {
    OneThread,
    Ordered,
    Parallel,
}

impl Threads {
    pub(super) fn of(classes: &Classes, creation: &[u128]) -> Threads {
        let all = 0..classes.all.len();
        Threads {
            chains: all.clone().map(|class| classes.chain(class)).collect(),
            several: classes.all.iter().map(|class| class.several).collect(),
            creation: all
                .map(|class| Some((classes.all[class].origin?.1, creation[class])))
                .collect(),
        }
    }

    fn time(&self, one: Position, other: Position) -> Time {
        let (ones, others) = (&self.chains[one.0], &self.chains[other.0]);
        let common = ones.iter().zip(others).take_while(|(a, b)| a == b).count();
        if ones[..common].iter().any(|class| self.several[*class]) {
            return Time::Parallel;
        }
        let created = |chain: &[usize]| chain.get(common).and_then(|class| self.creation[*class]);
        let has = |set: u128, number: usize| set >> number & 1 == 1;
        let parallel = match (created(ones), created(others)) {
            (None, None) => return Time::OneThread,
            (None, Some((number, _))) => has(one.1, number),
            (Some((number, _)), None) => has(other.1, number),
            (Some((a, before_a)), Some((b, before_b))) => has(before_b, a) || has(before_a, b),
        };
        if parallel {
            Time::Parallel
        } else {
            Time::Ordered
        }
    }

    fn times(&self, one: &[Position], other: &[Position]) -> Time {
        let mut joined = Time::OneThread;
        for &a in one {
            for &b in other {
                match self.time(a, b) {
                    Time::OneThread => {}
                    Time::Ordered => joined = Time::Ordered,
                    Time::Parallel => return Time::Parallel,
                }
            }
        }
        joined
    }
}

/// What counts of an access.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    range: Range,
    writes: bool,
    atomic: bool,
    /// Nobody else knows the object.
    fresh: bool,
    aligned: bool,
    /// Distances to mutexes that are held in the same object.
    beside: Vec<i64>,
    held: Held,
    /// Number of its positions.
    positions: usize,
}

impl Kind {
    /// True if both hold the same mutex where they access the same bytes of an object.
    fn has_same_beside(&self, other: &Kind) -> bool {
        let mut pairs = self
            .beside
            .iter()
            .flat_map(|a| other.beside.iter().map(move |b| (*a, *b)));
        match (self.range.at, other.range.at) {
            (Some(x), Some(y)) => {
                let (x, y) = (i64::from(x), i64::from(y));
                pairs.any(|(a, b)| {
                    x.checked_add(a).is_some() && x.checked_add(a) == y.checked_add(b)
                })
            }
            // Where they overlap, they are at one address.
            _ => {
                let is_same =
                    self.aligned && other.aligned && self.range.bytes == other.range.bytes;
                is_same && pairs.any(|(a, b)| a == b)
            }
        }
    }
}

type Groups = SortedMap<Kind, SortedSet<Site>>;

/// All that pairs are made from.
pub(super) struct Pairs<'a> {
    pub threads: Threads,
    pub shared: &'a IdVec<ObjectId, bool>,
    pub held: &'a SortedMap<Site, Held>,
    pub positions: SortedMap<Site, Vec<Position>>,
    /// Bits of locks that protect nothing.
    pub broken: u128,
    /// Names of locks.
    pub names: Vec<String>,
    /// Distances of accesses to mutexes that are held, in bytes.
    pub beside: &'a SortedMap<Site, Vec<i64>>,
    /// Objects whose mutexes protect nothing.
    pub unprotected: SortedSet<ObjectId>,
}

impl Pairs<'_> {
    /// All pairs, by object. What accesses an object that nobody else knows yet is `fresh`.
    pub(super) fn conflicts(&self, accesses: &[Access], fresh: &SortedSet<Site>) -> Vec<Conflict> {
        let mut numbers: SortedMap<&[Position], usize> = SortedMap::new();
        let mut positions: Vec<&[Position]> = Vec::new();
        let mut wild = Groups::new();
        let mut by_object: SortedMap<ObjectId, Groups> = SortedMap::new();
        for access in accesses {
            // What no thread gets to is no access.
            let (Some(own), Some(&held)) = (
                self.positions.get(&access.site),
                self.held.get(&access.site),
            ) else {
                continue;
            };
            let number = *numbers.entry(own.as_slice()).or_insert_with(|| {
                positions.push(own);
                positions.len() - 1
            });
            let kind = |range: Range, object: Option<ObjectId>| Kind {
                range,
                aligned: access.aligned,
                beside: object
                    .filter(|object| !self.unprotected.contains(object))
                    .and_then(|_| self.beside.get(&access.site).cloned())
                    .unwrap_or_default(),
                writes: access.writes,
                atomic: access.atomic,
                fresh: fresh.contains(&access.site),
                held: Held {
                    locks: held.locks & !self.broken,
                    depth: held.depth.min(1),
                },
                positions: number,
            };
            if access.wild {
                let range = Range {
                    at: None,
                    bytes: None,
                };
                wild.entry(kind(range, None))
                    .or_default()
                    .insert(access.site);
            }
            for (object, range) in &access.ranges {
                let groups = by_object.entry(*object).or_default();
                groups
                    .entry(kind(*range, Some(*object)))
                    .or_default()
                    .insert(access.site);
            }
        }
        let mut found = Vec::new();
        // The sites of each group once, for all pairs that it is in.
        let lists = |groups: &Groups| -> Vec<Arc<[Site]>> {
            groups
                .values()
                .map(|sites| sites.iter().copied().collect())
                .collect()
        };
        let mut left = MOST_PAIRS;
        let mut times: HashMap<(usize, usize), Time, FxBuildHasher> = HashMap::default();
        let mut meet = |object: Option<ObjectId>, one: &Groups, other: Option<&Groups>| {
            let ones = lists(one);
            let number_of = object.map(|object| object.index());
            let pairs = one.len() * other.map_or(one.len(), Groups::len);
            if pairs > left {
                // Too many to look at: all are open.
                let all = one
                    .values()
                    .chain(other.into_iter().flat_map(Groups::values));
                let all: SortedSet<Site> = all.flatten().copied().collect();
                let all: Arc<[Site]> = all.into_iter().collect();
                found.push(Conflict {
                    object: number_of,
                    one: all.clone(),
                    other: all,
                    writes: (true, true),
                    discharged: None,
                });
                return;
            }
            left -= pairs;
            let others = other.map(lists);
            for (number, a) in one.keys().enumerate() {
                let (kinds, lists, from) = match (other, &others) {
                    (Some(other), Some(others)) => (other, others, 0),
                    _ => (one, &ones, number),
                };
                for (index, b) in kinds.keys().enumerate().skip(from) {
                    if (!a.writes && !b.writes) || !a.range.overlaps(b.range) {
                        continue;
                    }
                    let is_own = object.is_some_and(|object| !self.shared[object]);
                    let discharged = if is_own && other.is_none() {
                        Some(Reason::Unshared)
                    } else {
                        let both = (a.positions, b.positions);
                        let time = times.entry(both).or_insert_with(|| {
                            self.threads.times(positions[both.0], positions[both.1])
                        });
                        self.reason(a, b, *time)
                    };
                    found.push(Conflict {
                        object: number_of,
                        one: ones[number].clone(),
                        other: lists[index].clone(),
                        writes: (a.writes, b.writes),
                        discharged,
                    });
                }
            }
        };
        for (object, groups) in &by_object {
            meet(Some(*object), groups, None);
            meet(Some(*object), groups, Some(&wild));
        }
        meet(None, &wild, None);
        found
    }

    fn reason(&self, one: &Kind, other: &Kind, time: Time) -> Option<Reason> {
        match time {
            Time::OneThread => return Some(Reason::OneThread),
            Time::Ordered => return Some(Reason::Ordered),
            Time::Parallel => {}
        }
        if one.fresh || other.fresh {
            return Some(Reason::Unshared);
        }
        if one.atomic && other.atomic {
            return Some(Reason::BothAtomic);
        }
        let in_sections = [one.held.depth > 0, other.held.depth > 0];
        let is_one = in_sections[0] || in_sections[1];
        if in_sections == [true; 2] || faults::on(Fault::SectionOneSided) && is_one {
            return Some(Reason::Sections);
        }
        if let Some(lock) = lock::common(one.held.locks, other.held.locks) {
            return Some(Reason::Locked(self.names[lock].clone()));
        }
        one.has_same_beside(other).then_some(Reason::Beside)
    }
}

/// Where each instruction may be executed, and what may be there meanwhile.
pub(super) fn positions(
    program: &crate::ir::Program,
    flow: &super::flow::Flow,
    classes: &Classes,
    alive: &[Alive],
    asked: &SortedSet<Site>,
) -> SortedMap<Site, Vec<Position>> {
    let mut found: SortedMap<Site, Vec<Position>> = SortedMap::new();
    for (class, known) in classes.all.iter().enumerate() {
        for &function in &known.functions {
            alive[class].each(program, flow, function, |at, _, set| {
                if asked.contains(&at) {
                    found.entry(at).or_default().push((class, set));
                }
            });
        }
    }
    found
}
