//! Inclusion constraints between sets of places (Andersen, "Program analysis and specialization for the C programming
//! language", 1994), solved as they are added: a set that grows tells those that include it.
//!
//! What memory holds is one set for each word of an object, so that bytes of a pointer stay with it; accesses at unknown
//! offsets have a set of their own, which all reads of the object include.

use super::faults::{self, Fault};
use super::object::{Object, ObjectId, Objects, PlaceId};
use crate::base::IdVec;
use crate::ids;
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

ids! {
    /// A set of places.
    Node;
}

/// A set that depends on the places in another one.
#[derive(Clone, Copy)]
pub(super) enum Use {
    /// It includes them.
    Copy(Node),
    /// It includes them, moved by so many bytes, or by any number.
    Move(Node, Option<i64>),
    /// It includes any place in their objects, if it is known what these are.
    Arithmetic(Node),
    /// It includes what so many bytes there hold, or all from there.
    Load(Node, Option<u32>),
    /// So many bytes there hold what it includes.
    Store(Node, Option<u32>),
    /// Somebody wants to know of each.
    Tell(usize),
}

#[derive(Default)]
struct Set {
    places: HashSet<PlaceId, FxBuildHasher>,
    /// Places that have not been told to those that use it.
    pending: Vec<PlaceId>,
    uses: Vec<Use>,
}

/// Part of an object that is a set: a word, the accesses at unknown offsets, all of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Word(u32),
    Any,
    All,
}

/// All constraints.
pub(super) struct Graph {
    sets: IdVec<Node, Set>,
    work: Vec<Node>,
    parts: HashMap<(ObjectId, Part), Node, FxBuildHasher>,
    /// Sets that are known to include others.
    copies: HashSet<(Node, Node), FxBuildHasher>,
    /// Places that somebody wants to know of.
    pub told: Vec<(usize, PlaceId)>,
    word_bytes: u32,
    /// Steps that are left.
    left: u64,
}

/// Places that are told from one set to another, at most: a few seconds.
const MOST_STEPS: u64 = 20_000_000;

impl Graph {
    pub(super) fn new(word_bytes: u32) -> Graph {
        Graph {
            sets: IdVec::new(),
            work: Vec::new(),
            parts: HashMap::default(),
            copies: HashSet::default(),
            told: Vec::new(),
            word_bytes,
            left: MOST_STEPS,
        }
    }

    /// True if the steps did not suffice, so that sets lack places.
    pub(super) fn is_cut(&self) -> bool {
        self.left == 0
    }

    pub(super) fn node(&mut self) -> Node {
        self.sets.push(Set::default())
    }

    pub(super) fn add(&mut self, node: Node, place: PlaceId) {
        let set = &mut self.sets[node];
        if set.places.insert(place) {
            if set.pending.is_empty() {
                self.work.push(node);
            }
            set.pending.push(place);
        }
    }

    pub(super) fn connect(&mut self, from: Node, to: Use, objects: &mut Objects) {
        if let Use::Copy(to) = to
            && (from == to || !self.copies.insert((from, to)))
        {
            return;
        }
        self.sets[from].uses.push(to);
        let mut known: Vec<PlaceId> = self.sets[from].places.iter().copied().collect();
        known.sort_unstable();
        for place in known {
            self.apply(place, to, objects);
        }
    }

    /// Tells all that is pending.
    pub(super) fn solve(&mut self, objects: &mut Objects) {
        while let Some(node) = self.work.pop() {
            let pending = std::mem::take(&mut self.sets[node].pending);
            for index in 0..self.sets[node].uses.len() {
                let to = self.sets[node].uses[index];
                for &place in &pending {
                    self.apply(place, to, objects);
                }
            }
        }
    }

    fn apply(&mut self, place: PlaceId, to: Use, objects: &mut Objects) {
        self.left = self.left.saturating_sub(1);
        if self.is_cut() {
            return;
        }
        match to {
            Use::Copy(to) => self.add(to, place),
            Use::Move(to, by) => {
                let from = objects.places[place];
                let at = by.and_then(|by| i64::from(from.at?).checked_add(by));
                let moved = match objects.kinds[from.object] {
                    Object::Unknown => place,
                    _ => objects.place(from.object, at),
                };
                self.add(to, moved);
            }
            Use::Arithmetic(to) => {
                let from = objects.places[place];
                if objects.kinds[from.object] != Object::Unknown {
                    let moved = objects.place(from.object, None);
                    self.add(to, moved);
                }
            }
            Use::Load(to, bytes) => {
                let from = objects.places[place];
                if objects.kinds[from.object] == Object::Unknown {
                    self.add(to, place);
                }
                match (from.at, bytes) {
                    (Some(at), Some(bytes)) => {
                        for word in self.words(at, bytes) {
                            let part = self.part(from.object, Part::Word(word), objects);
                            self.connect(part, Use::Copy(to), objects);
                        }
                        if !faults::on(Fault::OffsetsForgotten) {
                            let any = self.part(from.object, Part::Any, objects);
                            self.connect(any, Use::Copy(to), objects);
                        }
                    }
                    _ => {
                        let all = self.part(from.object, Part::All, objects);
                        self.connect(all, Use::Copy(to), objects);
                    }
                }
            }
            Use::Store(from, bytes) => {
                let to = objects.places[place];
                match (to.at, bytes) {
                    (Some(at), Some(bytes)) => {
                        for word in self.words(at, bytes) {
                            let part = self.part(to.object, Part::Word(word), objects);
                            self.connect(from, Use::Copy(part), objects);
                        }
                    }
                    _ => {
                        let any = self.part(to.object, Part::Any, objects);
                        self.connect(from, Use::Copy(any), objects);
                    }
                }
            }
            Use::Tell(who) => self.told.push((who, place)),
        }
    }

    fn words(&self, at: u32, bytes: u32) -> std::ops::RangeInclusive<u32> {
        at / self.word_bytes..=(at + bytes.max(1) - 1) / self.word_bytes
    }

    fn part(&mut self, object: ObjectId, part: Part, objects: &mut Objects) -> Node {
        if let Some(&known) = self.parts.get(&(object, part)) {
            return known;
        }
        let node = self.node();
        self.parts.insert((object, part), node);
        if part != Part::All {
            let all = self.part(object, Part::All, objects);
            self.connect(node, Use::Copy(all), objects);
        }
        node
    }

    /// Places in a set, in order.
    pub(super) fn places(&self, node: Node) -> Vec<PlaceId> {
        let mut places: Vec<PlaceId> = self.sets[node].places.iter().copied().collect();
        places.sort_unstable();
        places
    }

    /// Places that an object holds, in order.
    pub(super) fn held(&self, object: ObjectId) -> Vec<PlaceId> {
        match self.parts.get(&(object, Part::All)) {
            Some(&all) => self.places(all),
            None => Vec::new(),
        }
    }
}
