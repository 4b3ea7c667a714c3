//! Sets of slots, each stored once: what addresses may point into. Unions are remembered, as the same sets meet again and again.

use crate::ir::address::Slot;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::rc::Rc;

/// A set of slots in a pool; two are equal exactly if their sets are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SlotSet(u32);

impl SlotSet {
    /// No slot.
    pub const EMPTY: SlotSet = SlotSet(0);

    /// True if it has no slot.
    pub fn is_empty(self) -> bool {
        self == SlotSet::EMPTY
    }
}

/// The pool. Members of each set are ascending.
pub struct SlotSets {
    sets: Vec<Rc<[Slot]>>,
    ids: HashMap<Rc<[Slot]>, SlotSet, FxBuildHasher>,
    unions: HashMap<(SlotSet, SlotSet), SlotSet, FxBuildHasher>,
}

impl SlotSets {
    /// A pool with the empty set.
    pub fn new() -> SlotSets {
        let mut sets = SlotSets {
            sets: Vec::new(),
            ids: HashMap::default(),
            unions: HashMap::default(),
        };
        sets.intern(Vec::new());
        sets
    }

    /// Members of a set, ascending.
    pub fn members(&self, set: SlotSet) -> &Rc<[Slot]> {
        &self.sets[set.0 as usize]
    }

    /// True if a slot is in a set.
    pub fn contains(&self, set: SlotSet, slot: Slot) -> bool {
        self.members(set).binary_search(&slot).is_ok()
    }

    /// The set with one member.
    pub fn one(&mut self, slot: Slot) -> SlotSet {
        self.intern(vec![slot])
    }

    /// The set with these members.
    pub fn of(&mut self, slots: impl IntoIterator<Item = Slot>) -> SlotSet {
        let mut members: Vec<Slot> = slots.into_iter().collect();
        members.sort_unstable();
        members.dedup();
        self.intern(members)
    }

    /// The union of two sets.
    pub fn union(&mut self, a: SlotSet, b: SlotSet) -> SlotSet {
        if a == b || b.is_empty() {
            return a;
        }
        if a.is_empty() {
            return b;
        }
        let pair = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&pair) {
            return known;
        }
        let both = self.members(a).iter().chain(self.members(b).iter());
        let both: Vec<Slot> = both.copied().collect();
        let union = self.of(both);
        self.unions.insert(pair, union);
        union
    }

    /// `members` are ascending.
    fn intern(&mut self, members: Vec<Slot>) -> SlotSet {
        if let Some(&known) = self.ids.get(&members[..]) {
            return known;
        }
        let set = SlotSet(u32::try_from(self.sets.len()).expect("fewer than 2^32 sets"));
        let members: Rc<[Slot]> = members.into();
        self.sets.push(members.clone());
        self.ids.insert(members, set);
        set
    }
}
