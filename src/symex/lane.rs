//! Lanes: accesses that may conflict, as passes have seen them, and which threads announce which of them to which
//! ([`super::watch`]).

use super::touch::ThreadKey;
use crate::base::Loc;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::ThreadId;
use crate::ir::address::Slot;
use crate::ir::position::PosKey;

/// Name of a request: its thread, position, and number within the instruction.
pub(super) type RequestKey = (ThreadKey, PosKey, u8);

/// Place of accesses: those that are announced alike.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    pub loc: Loc,
    pub write: bool,
    pub atomic: bool,
    /// The address, if it is a constant.
    pub at: Option<u64>,
    /// The size, if it is a constant.
    pub bytes: Option<u32>,
    /// The address is a multiple of the size.
    pub aligned: bool,
}

impl Place {
    /// Accesses that may conflict, if their bytes overlap.
    pub fn opposes(&self, other: &Place) -> bool {
        (self.write || other.write) && !(self.atomic && other.atomic)
    }
}

/// Request: an access as a pass saw it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Request {
    pub place: Place,
    /// Number of its thread.
    pub thread: ThreadId,
    /// Group of accesses that it may race with.
    pub group: u32,
    /// It is within an atomic section.
    pub inside: bool,
    /// Bytes that it may ask for.
    pub ranges: SortedSet<(Slot, u64, u64)>,
}

/// Sort of a request: those of one sort may race with the same ones, as far as bytes overlap.
type Sort = (ThreadId, bool, bool, bool);

/// First byte, byte after the last, number of a request.
type Range = (u64, u64, usize);

impl Request {
    fn sort(&self) -> Sort {
        let Place { write, atomic, .. } = self.place;
        (self.thread, self.inside, write, atomic)
    }

    fn may_race(&self, other: &Request) -> bool {
        self.thread != other.thread
            && self.group == other.group
            && !(self.inside && other.inside)
            && self.place.opposes(&other.place)
    }
}

/// Something of each thread, by lane and thread.
type ByThread<T> = SortedMap<u32, SortedMap<ThreadId, (ThreadKey, T)>>;

/// Requests that passes have seen, and the lanes that follow.
#[derive(Default)]
pub(super) struct Watches {
    requests: SortedMap<RequestKey, Request>,
    /// By request in a lane.
    pub lanes: SortedMap<RequestKey, u32>,
    /// By lane and thread: the places that the thread announces, in the order of their numbers, from 1.
    pub announced: ByThread<Vec<Place>>,
    /// Lanes in which some address is no constant.
    pub addressed: SortedSet<u32>,
}

impl Watches {
    /// Takes in what a pass saw; true if it is news.
    pub fn learn(&mut self, seen: SortedMap<RequestKey, Request>) -> bool {
        let mut changed = false;
        for (key, request) in seen {
            match self.requests.get_mut(&key) {
                Some(known)
                    if known.ranges.is_superset(&request.ranges) && {
                        let ranges = known.ranges.clone();
                        *known
                            == Request {
                                ranges,
                                ..request.clone()
                            }
                    } => {}
                Some(known) => {
                    let ranges = known.ranges.union(&request.ranges).copied().collect();
                    *known = Request { ranges, ..request };
                    changed = true;
                }
                None => {
                    self.requests.insert(key, request);
                    changed = true;
                }
            }
        }
        if changed {
            self.find_lanes();
        }
        changed
    }

    /// Lanes: requests that may conflict, and what may conflict with those.
    fn find_lanes(&mut self) {
        let all: Vec<(&RequestKey, &Request)> = self.requests.iter().collect();
        let mut by_object: SortedMap<(Slot, u32), Vec<Range>> = SortedMap::new();
        for (number, (_, request)) in all.iter().enumerate() {
            for &(slot, from, to) in &request.ranges {
                let list = by_object.entry((slot, request.group)).or_default();
                list.push((from, to, number));
            }
        }
        let mut leader: Vec<usize> = (0..all.len()).collect();
        let mut races = vec![false; all.len()];
        for ranges in by_object.values_mut() {
            ranges.sort_unstable();
            // By sort of requests: first bytes, ascending, with the last end of all ranges so far.
            let mut sorts: SortedMap<Sort, (usize, Vec<(u64, u64)>)> = SortedMap::new();
            for &(from, to, number) in ranges.iter() {
                let (_, ends) = sorts
                    .entry(all[number].1.sort())
                    .or_insert((number, Vec::new()));
                let last = ends.last().map_or(to, |last| last.1.max(to));
                ends.push((from, last));
            }
            for &(from, to, number) in ranges.iter() {
                races[number] |= sorts.values().any(|(other, ends)| {
                    let before = ends.partition_point(|(first, _)| *first < to);
                    let overlaps = before > 0 && ends[before - 1].1 > from;
                    overlaps && all[number].1.may_race(all[*other].1)
                });
            }
            // Ranges that overlap one after the other are of one lane.
            let mut last: Option<(u64, usize)> = None;
            for &(from, to, number) in ranges.iter().filter(|range| races[range.2]) {
                last = match last {
                    Some((end, other)) if end > from => {
                        let (one, two) = (root(&leader, number), root(&leader, other));
                        leader[one.max(two)] = one.min(two);
                        Some((end.max(to), number))
                    }
                    _ => Some((to, number)),
                };
            }
        }
        let mut numbers: SortedMap<usize, u32> = SortedMap::new();
        self.lanes.clear();
        self.announced.clear();
        self.addressed.clear();
        let mut members: SortedMap<u32, SortedSet<Place>> = SortedMap::new();
        let mut places: ByThread<SortedSet<Place>> = SortedMap::new();
        for (number, (key, request)) in all.iter().enumerate() {
            if !races[number] {
                continue;
            }
            let next = numbers.len() as u32;
            let lane = *numbers.entry(root(&leader, number)).or_insert(next);
            self.lanes.insert(**key, lane);
            members
                .entry(lane)
                .or_default()
                .insert(request.place.clone());
            if !request.inside {
                let own = places.entry(lane).or_default();
                let own = own.entry(request.thread);
                let own = own.or_insert_with(|| (key.0, SortedSet::new()));
                own.1.insert(request.place.clone());
            }
        }
        for (lane, places) in places {
            let lists = places.into_iter();
            let lists =
                lists.map(|(thread, (key, set))| (thread, (key, set.into_iter().collect())));
            self.announced.insert(lane, lists.collect());
        }
        for (lane, places) in members {
            if places.iter().any(|place| place.at.is_none()) {
                self.addressed.insert(lane);
            }
        }
    }
}

/// First of those that are one with a number.
fn root(leader: &[usize], mut number: usize) -> usize {
    while leader[number] != number {
        number = leader[number];
    }
    number
}

/// True if both places are constant, and no byte is in both.
pub(super) fn are_apart(one: &Place, other: &Place) -> bool {
    let ((Some(a), Some(n)), (Some(b), Some(m))) = ((one.at, one.bytes), (other.at, other.bytes))
    else {
        return false;
    };
    a + u64::from(n) <= b || b + u64::from(m) <= a
}

/// True if both places are constant, and some byte is in both.
pub(super) fn are_surely_one(one: &Place, other: &Place) -> bool {
    let known = [one, other]
        .iter()
        .all(|p| p.at.is_some() && p.bytes.is_some());
    known && !are_apart(one, other)
}
