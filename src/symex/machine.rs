//! Machine addresses of objects: where each may stand, and which may stand where another one was.
//!
//! The manual says what is assumed of an implementation. The base of an object is a variable, made when somebody asks for it. Facts say
//! where it may be: aligned, not in the first page, the object and a byte more below the upper end, and apart from every
//! other object whose base is asked for, unless one of the two had ended when the other was allocated, or `realloc` left
//! it where it was. Whether it had
//! is an ordinary read in the step of the allocation, of the byte that its end writes; so it is right in every scheme and
//! memory model. A fresh place is always among the choices, so the facts exclude no execution.

use super::pass::{Fill, Pass};
use super::reach::Reach;
use super::state::PathState;
use super::touch::{ObjectKey, Space, ThreadKey};
use crate::base::sorted::SortedSet;
use crate::event::Role;
use crate::ir::MemOrder;
use crate::ir::address::Slot;
use crate::symex::faults::{self, Fault};
use crate::term::{Node, TermId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

impl Pass<'_> {
    /// The machine address of the object in a slot, as wide as an address.
    pub(super) fn base(&mut self, slot: Slot) -> TermId {
        if let Some(&(_, base)) = self.bases.get(&slot) {
            return base;
        }
        self.seen.machine.bases.insert(slot);
        let space = self.knowledge.space;
        let align = self.knowledge.object(slot).map_or(1, |o| o.align_bytes);
        let align = if faults::on(Fault::AlignmentTooStrong) {
            align.max(64)
        } else {
            align
        };
        let zeros = (align.max(1).ilog2() as u16).min(30);
        let variable = self.terms.fresh("base", space.machine_bits() - zeros);
        if let Some(var) = self.terms.var_of(variable) {
            self.number_vars.insert(var);
        }
        let base = match zeros {
            0 => variable,
            _ => {
                let low = self.terms.constant(0, zeros);
                self.terms.concat(variable, low)
            }
        };
        let base = self.terms.zero_extend(base, space.pointer_bits);
        self.bases.insert(slot, (variable, base));
        base
    }

    /// Gives the objects that an address may point to a machine address each, so that numbers lead to them.
    pub(super) fn place_all(&mut self, addr: TermId) {
        for &slot in self.slots_of(addr).iter() {
            self.base(slot);
        }
    }

    /// Shared storage: true if the storage of one object may become that of another one, or if one is a string literal
    /// that may be stored as the end of another one.
    pub(super) fn may_share(&mut self, a: Slot, b: Slot) -> bool {
        self.lives_matter = true;
        let lives = &self.knowledge.lives;
        lives.may_follow(a, b) || lives.may_follow(b, a) || self.tail(a, b).is_some()
    }

    /// Reused storage: true if the storage of an object may become that of another one.
    pub(super) fn may_be_reused(&mut self, old: Slot) -> bool {
        self.lives_matter = true;
        let lives = &self.knowledge.lives;
        let mut others = self.knowledge.slots().filter(|(new, _)| *new != old);
        others.any(|(new, _)| lives.may_follow(old, new))
    }

    /// For two string literals of which one is the end of the other: the longer one, and where the other stands in it.
    /// A compiler may store only the longer one.
    fn tail(&self, a: Slot, b: Slot) -> Option<(Slot, u64)> {
        let text = |slot: Slot| match self.knowledge.object(slot)?.key {
            ObjectKey::Global(id) => {
                let global = &self.program.globals[id];
                (global.read_only && global.name.starts_with('"')).then_some(global)
            }
            _ => None,
        };
        if faults::on(Fault::TailsForgotten) {
            return None;
        }
        let (one, other) = (text(a)?, text(b)?);
        let (long, longer, shorter) = if one.size_bytes >= other.size_bytes {
            (a, one, other)
        } else {
            (b, other, one)
        };
        let from = longer.size_bytes - shorter.size_bytes;
        let rest = longer.init.iter().filter(|part| part.offset_bytes >= from);
        let rest = rest.map(|part| (part.offset_bytes - from, part.bits, part.value));
        let own = shorter.init.iter();
        let same = rest.eq(own.map(|part| (part.offset_bytes, part.bits, part.value)));
        same.then_some((long, from))
    }

    /// An object is allocated: which others have ended before, if its storage may have been theirs.
    pub(super) fn note_allocation(&mut self, state: &mut PathState, slot: Slot) {
        let key = self.instances[self.current].key;
        let lives = (key, self.executed, state.concurrent);
        self.lives.began.insert(slot, lives);
        if !self.knowledge.machine.bases.contains(&slot) {
            return;
        }
        let bases = self.knowledge.machine.bases.clone();
        self.lives_matter = true;
        for other in bases {
            if other == slot || !self.knowledge.lives.may_precede(other, slot) {
                continue;
            }
            let ended = if self.is_released(other) {
                self.is_set(state, Space::Released, other)
            } else {
                self.has_ended(state, other)
            };
            let ended = if faults::on(Fault::ReuseEarly) {
                state.path.term()
            } else {
                self.terms.and(state.path.term(), ended)
            };
            self.ended_before.insert((other, slot), ended);
        }
        let always = self.terms.tru();
        self.set_flag(state, Space::Born, slot, always);
    }

    /// An object is allocated to which `realloc` moves what is at `old`: it may stand where that is.
    pub(super) fn note_successor(&mut self, state: &PathState, old: TermId, slot: Slot) {
        for (other, here) in self.starts(old) {
            if other == slot || !self.knowledge.heap.contains(&other) {
                continue;
            }
            self.lives.replaced.insert((other, slot));
            let replaces = self.terms.and(state.path.term(), here);
            self.replaced.insert((other, slot), replaces);
        }
    }

    /// An object's life ends here.
    pub(super) fn note_end(&mut self, state: &PathState, slot: Slot) {
        if state.alone {
            self.lives.ended_late.entry(slot).or_insert(self.executed);
            return;
        }
        let key = self.instances[self.current].key;
        let ends = self.lives.ended.entry(slot).or_default();
        ends.entry(key).or_insert(self.executed);
    }

    /// Condition that an object is the one that is found, where its machine address leads to it if `here`: it has been
    /// allocated, and what it is to replace in the same place has ended.
    pub(super) fn is_found(&mut self, state: &mut PathState, slot: Slot, here: TermId) -> TermId {
        let mut found = self.is_born(state, slot);
        let replaced: Vec<Slot> = self
            .knowledge
            .lives
            .replaced
            .iter()
            .filter(|(old, new)| *new == slot && self.knowledge.machine.bases.contains(old))
            .map(|(old, _)| *old)
            .collect();
        for old in replaced {
            self.lives_matter = true;
            let (base, own) = (self.base(old), self.base(slot));
            let same = self.terms.eq(base, own);
            let both = self.terms.and(here, same);
            let alive = self.alive(state, old, both);
            let waits = self.terms.and(same, alive);
            let over = self.terms.not(waits);
            found = self.terms.and(found, over);
        }
        found
    }

    /// Condition that an object has been allocated.
    pub(super) fn is_born(&mut self, state: &mut PathState, slot: Slot) -> TermId {
        match self.knowledge.object(slot).map(|object| object.key) {
            // Main's own variables have always been there.
            Some(ObjectKey::ThreadLocal(_, ThreadKey(0))) => self.terms.tru(),
            Some(ObjectKey::Alloc(..) | ObjectKey::ThreadLocal(..)) => {
                let always = self.terms.tru();
                let before = self.is_clear(state, Space::Born, slot, always);
                self.terms.not(before)
            }
            _ => self.terms.tru(),
        }
    }

    /// Condition that an object's life has ended.
    pub(super) fn has_ended(&mut self, state: &mut PathState, slot: Slot) -> TermId {
        self.is_set(state, Space::Ended, slot)
    }

    /// Condition that a flag of an object is 1.
    fn is_set(&mut self, state: &mut PathState, space: Space, slot: Slot) -> TermId {
        let always = self.terms.tru();
        let clear = self.is_clear(state, space, slot, always);
        self.terms.not(clear)
    }

    /// Release of storage: true if the storage of an object is released behind earlier stores of who ends it: `free`
    /// synchronises with the allocation that gets it (C17 7.22.3).
    pub(super) fn is_released(&self, slot: Slot) -> bool {
        self.bounds.memory.is_weak() && self.knowledge.heap.contains(&slot)
    }

    /// Releases the storage of an object, if `when`: as a release store.
    pub(super) fn release_storage(&mut self, state: &mut PathState, slot: Slot, when: TermId) {
        self.settle(state, slot);
        self.touch_as(state, (slot, Space::Released, 0), 1, true);
        let order = self.here.order.replace(MemOrder::Release);
        let reach = flag(slot, when);
        let (one, always) = (self.terms.constant(1, 8), self.terms.tru());
        self.write_reaches(
            state,
            Space::Released,
            1,
            vec![reach],
            one,
            always,
            Role::Plain,
        );
        self.here.order = order;
    }

    /// Condition that a flag of an object, which is looked at if `when`, is 0.
    pub(super) fn is_clear(
        &mut self,
        state: &mut PathState,
        space: Space,
        slot: Slot,
        when: TermId,
    ) -> TermId {
        self.settle(state, slot);
        self.touch_as(state, (slot, space, 0), 1, false);
        let reach = flag(slot, when);
        let value = self.read_reaches(state, space, 1, &[reach], Role::Plain);
        let zero = self.terms.constant(0, 8);
        self.terms.eq(value, zero)
    }

    /// Sets a flag of an object, if `when`.
    pub(super) fn set_flag(
        &mut self,
        state: &mut PathState,
        space: Space,
        slot: Slot,
        when: TermId,
    ) {
        self.settle(state, slot);
        self.touch_as(state, (slot, space, 0), 1, true);
        let reach = flag(slot, when);
        let (one, always) = (self.terms.constant(1, 8), self.terms.tru());
        self.write_reaches(state, space, 1, vec![reach], one, always, Role::Sync);
    }

    /// States where the objects may stand whose machine addresses are asked for; see [`EventProgram::bases`].
    ///
    /// [`EventProgram::bases`]: crate::event::EventProgram::bases
    pub(super) fn place_objects(&mut self) -> Vec<(usize, TermId, u16)> {
        let slots: Vec<Slot> = self.bases.keys().copied().collect();
        let said = !faults::on(Fault::BasesUnsaid);
        for (i, &slot) in slots.iter().enumerate() {
            let fact = self.fits(slot);
            self.facts_found.push(fact);
            for &other in &slots[..i] {
                let fact = self.apart(other, slot);
                self.facts_found.push(fact);
            }
        }
        let all = self.bases.clone().into_iter().filter(|_| said);
        all.map(|(slot, (variable, _))| {
            let zeros = self.knowledge.space.machine_bits() - self.terms.bits(variable);
            (self.object_index(slot), variable, zeros)
        })
        .collect()
    }

    /// The object and a byte more is where objects may be, aligned as is asked for.
    fn fits(&mut self, slot: Slot) -> TermId {
        let space = self.knowledge.space;
        let bits = space.pointer_bits;
        let base = self.base(slot);
        let lowest = self.terms.constant(u128::from(space.lowest()), bits);
        let highest = self.terms.constant(u128::from(space.highest()), bits);
        let above = if faults::on(Fault::FirstPage) {
            self.terms.tru()
        } else {
            self.terms.ule(lowest, base)
        };
        let below = self.terms.ult(base, highest);
        let end = self.end(slot);
        let room = self.terms.ult(end, highest);
        let mut all = self.terms.and_all(&[above, below, room]);
        if let Some(&align) = self.alignments.get(&slot) {
            let ones = self.terms.constant(super::list::cut(u128::MAX, bits), bits);
            let mask = self.terms.add(align, ones);
            let low = self.terms.and(base, mask);
            let zero = self.terms.constant(0, bits);
            let aligned = self.terms.eq(low, zero);
            all = self.terms.and(all, aligned);
        }
        all
    }

    /// The first address behind an object, which has at least one byte.
    fn end(&mut self, slot: Slot) -> TermId {
        let bits = self.knowledge.space.pointer_bits;
        let size = self.size_of(slot);
        let (zero, one) = (self.terms.constant(0, bits), self.terms.constant(1, bits));
        let empty = self.terms.eq(size, zero);
        let empty = if faults::on(Fault::SizeForgotten) {
            self.terms.tru()
        } else {
            empty
        };
        let size = self.terms.ite(empty, one, size);
        let base = self.base(slot);
        self.terms.add(base, size)
    }

    /// Two objects do not overlap, unless one had ended when the other was allocated.
    fn apart(&mut self, a: Slot, b: Slot) -> TermId {
        if faults::on(Fault::OverlapAllowed) {
            return self.terms.tru();
        }
        let (base_a, base_b) = (self.base(a), self.base(b));
        let (end_a, end_b) = (self.end(a), self.end(b));
        let before = self.terms.ule(end_a, base_b);
        let after = self.terms.ule(end_b, base_a);
        let mut fine = vec![before, after];
        if !faults::on(Fault::ReuseForgotten) {
            for pair in [(a, b), (b, a)] {
                fine.extend(self.ended_before.get(&pair).copied());
                if let Some(&replaces) = self.replaced.get(&pair) {
                    let same = self.terms.eq(base_a, base_b);
                    fine.push(self.terms.and(replaces, same));
                }
            }
        }
        if let Some((long, from)) = self.tail(a, b) {
            let short = if long == a { base_b } else { base_a };
            let long = self.base(long);
            let from = self
                .terms
                .constant(u128::from(from), self.knowledge.space.pointer_bits);
            let place = self.terms.add(long, from);
            let inside = self.terms.eq(short, place);
            fine.push(inside);
        }
        self.terms.or_all(&fine)
    }

    /// A word of memory that nobody has chosen is no internal address by chance, if machine addresses exist or addresses may be stored
    /// where it is. (Whoever compares it with an address looks at that as a number.)
    pub(super) fn is_garbage(&mut self, slot: Slot, offset: TermId, value: TermId) {
        let space = self.knowledge.space;
        let place = self.terms.as_constant(offset);
        let place = place.map(|offset| (slot, Space::Data, offset as u64));
        let holds_addresses = place.is_some_and(|place| {
            let pointers = self.knowledge.points_to(place);
            self.knowledge.stored(place).is_some()
                || pointers.is_some_and(|slots| !slots.is_empty())
        });
        if !(self.knowledge.machine.observed || holds_addresses)
            || self.terms.bits(value) != space.pointer_bits
            || !matches!(self.fill_of(slot), Fill::Free(..))
        {
            return;
        }
        self.is_no_internal_address(value);
    }

    /// The same of what an access takes for its address: where that is a word that nobody has chosen, or what arithmetic makes of
    /// one.
    pub(super) fn is_garbage_address(&mut self, address: TermId) {
        let mut seen = SortedSet::new();
        let mut waiting = vec![address];
        let mut flows = HashMap::default();
        let mut conditions = HashMap::default();
        while let Some(term) = waiting.pop() {
            if !seen.insert(term) {
                continue;
            }
            let garbage = &self.garbage;
            let is_unset = |var| garbage.contains(&var);
            match self.terms.node(term) {
                Node::Ite(_, a, b) => waiting.extend([a, b]),
                Node::Variable(var) if is_unset(var) => self.is_no_internal_address(term),
                _ if !faults::on(Fault::UnsetReaches)
                    && self.terms.takes_variable(term, &mut flows, is_unset) =>
                {
                    let unset = self.where_garbage(term, &mut conditions);
                    let set = self.terms.not(unset);
                    let outside = self.outside(term);
                    let fact = self.terms.or(set, outside);
                    self.state_once(fact);
                }
                _ => {}
            }
        }
    }

    /// Condition that what nobody has chosen flows into a word.
    fn where_garbage(
        &mut self,
        word: TermId,
        known: &mut HashMap<TermId, TermId, FxBuildHasher>,
    ) -> TermId {
        if let Some(&condition) = known.get(&word) {
            return condition;
        }
        let condition = match self.terms.node(word) {
            Node::Variable(var) if self.garbage.contains(&var) => self.terms.tru(),
            Node::Ite(cond, a, b) => {
                let (a, b) = (self.where_garbage(a, known), self.where_garbage(b, known));
                self.terms.ite(cond, a, b)
            }
            _ => {
                let parts: Vec<TermId> = self.terms.children(word).collect();
                let each = parts.into_iter();
                let parts: Vec<TermId> = each.map(|part| self.where_garbage(part, known)).collect();
                self.terms.or_all(&parts)
            }
        };
        known.insert(word, condition);
        condition
    }

    fn is_no_internal_address(&mut self, value: TermId) {
        let outside = self.outside(value);
        self.state_once(outside);
    }

    /// Condition that a word is the address of no object.
    fn outside(&mut self, value: TermId) -> TermId {
        let inside = self.elsewhere(value, &[]);
        self.terms.not(inside)
    }

    fn state_once(&mut self, fact: TermId) {
        if self.nowhere.insert(fact) {
            self.facts_found.push(fact);
        }
    }
}

/// The place of an object's flags.
fn flag(slot: Slot, when: TermId) -> Reach {
    Reach {
        slot,
        offset: 0,
        element: None,
        when,
    }
}
