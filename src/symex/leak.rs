//! Leaks: blocks of the heap that nothing points to where the program ends, or that are not freed.
//!
//! The claim is a formula: there is a set of blocks that has all that variables point to, has with each block all that is
//! pointed to from it, and lacks a block that lives. The set is a variable for each block. What memory holds is read in one
//! step with the end of the program, as far as an earlier pass has seen addresses of blocks stored there.
//!
//! A thread that still runs keeps its variables, which are its own business: it is taken to hold every block whose address
//! it ever had. So a block may be lost that is not claimed to be, and a cut ([`Cut::Held`]) says so.

use super::idle::Head;
use super::pass::Pass;
use super::reach::Reach;
use super::state::PathState;
use super::touch::{Held, ObjectKey, Space, ThreadKey};
use crate::base::Loc;
use crate::base::id::Id;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::{Cut, EventKind, Role, ThreadId};
use crate::exec::Address;
use crate::ir::address::Slot;
use crate::ir::{FuncId, Property, Reg};
use crate::symex::faults::{self, Fault};
use crate::term::TermId;

/// Most words that are read of one object of which it is not known where it holds addresses.
const WORDS: u64 = 256;

/// A set of blocks that is claimed to be closed under what points to what.
struct Claim {
    /// Blocks that may live, and the condition that they do and that they are in the set.
    blocks: SortedMap<Slot, (TermId, TermId)>,
    /// What the set must have.
    needs: Vec<TermId>,
    /// What it must have as well as long as nobody knows better.
    may_need: Vec<TermId>,
}

impl Claim {
    /// A block is in the set where a condition holds.
    fn need(&mut self, pass: &mut Pass, when: TermId, block: Slot, sure: bool) {
        let Some(&(_, kept)) = self.blocks.get(&block) else {
            return;
        };
        let needed = pass.terms.implies(when, kept);
        if pass.terms.as_constant(needed) == Some(1) {
            return;
        }
        let list = if sure {
            &mut self.needs
        } else {
            &mut self.may_need
        };
        list.push(needed);
    }
}

impl Pass<'_> {
    /// Takes note of a value that the running thread has.
    pub(super) fn note_held(&mut self, value: TermId) {
        if !self.leaks {
            return;
        }
        let blocks = self.blocks_in(value);
        if !blocks.is_empty() {
            let thread = self.instances[self.current].key;
            self.seen
                .holders
                .threads
                .entry(thread)
                .or_default()
                .extend(blocks);
        }
    }

    /// Takes note of a value that a thread would get which never runs.
    pub(super) fn note_given(&mut self, value: TermId) {
        if self.leaks {
            let blocks = self.blocks_in(value);
            self.seen.holders.given.extend(blocks);
        }
    }

    /// Takes note of an allocation.
    pub(super) fn note_block_made(&mut self, state: &mut PathState, slot: Slot) {
        let function = self.frames.last().map(|frame| frame.function);
        let is_internal = |function| self.program.functions[function].is_internal();
        if !self.leaks || !self.knowledge.heap.contains(&slot) || function.is_some_and(is_internal)
        {
            return;
        }
        self.seen.holders.sites.insert(slot, self.here.loc);
        if !self.knowledge.machine.bases.contains(&slot) {
            let always = self.terms.tru();
            self.set_flag(state, Space::Born, slot, always);
        }
    }

    /// Takes note of addresses of blocks that are stored.
    pub(super) fn note_store_of_addresses(&mut self, reaches: &[Reach], value: TermId) {
        if !self.leaks {
            return;
        }
        let blocks = self.blocks_in(value);
        if blocks.is_empty() {
            return;
        }
        let wide = self.program.model.pointer_bits();
        let bits = self.terms.bits(value);
        for reach in reaches {
            let held = self.seen.holders.objects.entry(reach.slot).or_default();
            held.targets.extend(blocks.iter().copied());
            if bits < wide {
                held.parts = true;
            } else if reach.element.is_some() {
                held.anywhere = true;
            } else {
                let words = u64::from(bits / wide);
                let at = |word: u64| reach.offset + word * u64::from(wide / 8);
                held.places.extend((0..words).map(at));
            }
        }
    }

    /// Takes note of addresses of blocks in memory that is copied.
    pub(super) fn note_copy_of_addresses(&mut self, targets: &[Reach], sources: &[Reach]) {
        if !self.leaks {
            return;
        }
        let thread = self.instances[self.current].key;
        for source in sources {
            let blocks = self.held_in(source.slot).targets;
            if blocks.is_empty() {
                continue;
            }
            for target in targets {
                let held = self.seen.holders.objects.entry(target.slot).or_default();
                held.anywhere = true;
                held.targets.extend(blocks.iter().copied());
            }
            self.seen
                .holders
                .threads
                .entry(thread)
                .or_default()
                .extend(blocks);
        }
    }

    /// Addresses of blocks that an object has held, by what this pass and earlier ones have seen.
    fn held_in(&self, slot: Slot) -> Held {
        let [known, seen] = [&self.knowledge.holders, &self.seen.holders];
        let mut held = known.objects.get(&slot).cloned().unwrap_or_default();
        if let Some(seen) = seen.objects.get(&slot) {
            held.add(seen.clone());
        }
        held
    }

    /// Blocks of the heap that some part of a word may point into.
    fn blocks_in(&mut self, value: TermId) -> SortedSet<Slot> {
        let slots = self.slots_within(value);
        let slots = self.knowledge.sets.members(slots);
        let heap = &self.knowledge.heap;
        slots
            .iter()
            .filter(|slot| heap.contains(slot))
            .copied()
            .collect()
    }

    /// The program ends here: by the return of the first thread from its first function if `returns`, whose variables do not
    /// count then, or else at once. Blocks that are lost or not freed violate the property, by the places of their allocations.
    pub(super) fn leak(&mut self, state: &mut PathState, property: Property, returns: bool) {
        if returns && (self.current != ThreadId(0) || self.frames.len() > 1) {
            return;
        }
        self.drain(state);
        let mut claim = Claim {
            blocks: SortedMap::new(),
            needs: Vec::new(),
            may_need: Vec::new(),
        };
        let sites = self.knowledge.holders.sites.clone();
        let known = sites.into_iter().chain(self.seen.holders.sites.clone());
        let sites: SortedMap<Slot, Loc> = known.collect();
        let tracked = property == Property::Lost;
        for &slot in sites.keys() {
            let lives = self.is_unfreed(state, slot);
            if self.terms.as_constant(lives) == Some(0) {
                continue;
            }
            let kept = if tracked {
                self.terms.fresh("kept", 1)
            } else {
                self.terms.fals()
            };
            claim.blocks.insert(slot, (lives, kept));
        }
        if claim.blocks.is_empty() {
            return;
        }
        if tracked {
            self.follow_variables(state, &mut claim, returns);
            self.follow_blocks(state, &mut claim);
            self.follow_threads(state, &mut claim);
        }
        let closed = self.terms.and_all(&claim.needs);
        let more = self.terms.and_all(&claim.may_need);
        let certain = self.terms.and(closed, more);
        let mut lost: SortedMap<Loc, TermId> = SortedMap::new();
        let mut any = self.terms.fals();
        for (slot, &(lives, kept)) in &claim.blocks {
            let left = self.terms.not(kept);
            let here = self.terms.and(lives, left);
            any = self.terms.or(any, here);
            let so_far = lost.entry(sites[slot]).or_insert_with(|| self.terms.fals());
            *so_far = self.terms.or(*so_far, here);
        }
        let end = self.here.loc;
        for (site, lost) in lost {
            let violated = self.terms.and(certain, lost);
            let cond = self.terms.not(violated);
            if self.terms.as_constant(cond) == Some(1) {
                continue;
            }
            self.here.loc = site;
            self.section_asserts(state, cond);
            self.emit(
                state,
                state.path.term(),
                EventKind::Assert { cond, property },
            );
        }
        self.here.loc = end;
        if self.terms.as_constant(more) != Some(1) {
            let held = self.terms.not(more);
            let unsure = self.terms.and_all(&[closed, held, any]);
            self.cut(state, unsure, Cut::Held);
        }
    }

    /// Condition that a block has been allocated and not been freed.
    fn is_unfreed(&mut self, state: &mut PathState, slot: Slot) -> TermId {
        let born = self.is_born(state, slot);
        if faults::on(Fault::LeakOfFreed) {
            return born;
        }
        let alive = self.alive(state, slot, born);
        self.terms.and(born, alive)
    }

    /// Variables that live as long as the program or the running thread point to blocks, and the running thread's own if its
    /// function goes on.
    fn follow_variables(&mut self, state: &mut PathState, claim: &mut Claim, returns: bool) {
        let own = self.instances[self.current].key;
        let always = self.terms.tru();
        let objects: Vec<(Slot, ObjectKey)> = self
            .knowledge
            .slots()
            .map(|(slot, known)| (slot, known.key))
            .collect();
        for (slot, key) in objects {
            let when = match key {
                ObjectKey::Global(_) => always,
                ObjectKey::ThreadLocal(_, thread) if thread == own => always,
                ObjectKey::Alloc(thread, _)
                    if thread == own && !returns && !self.knowledge.heap.contains(&slot) =>
                {
                    self.alive(state, slot, always)
                }
                // What the library keeps for itself is nobody's to lose.
                ObjectKey::Alloc(..) if self.is_library_block(slot) => {
                    self.alive(state, slot, always)
                }
                _ => continue,
            };
            if !faults::on(Fault::LeakOfGlobals) {
                self.follow_object(state, claim, slot, when);
            }
        }
        if returns {
            return;
        }
        let count = self.frames.len();
        for depth in 0..count {
            let function = self.frames[depth].function;
            let regs = match self.frames.get(depth + 1) {
                Some(callee) => callee.outer_regs.clone(),
                None => state.regs.clone(),
            };
            for (index, value) in regs.iter() {
                match value {
                    _ if !self.is_variable(function, index) => {}
                    Some(value) => self.follow_word(claim, value, always, None),
                    None if self.forgotten.contains(&(function, index)) => {
                        self.may_hold(claim, own, always);
                    }
                    None => {}
                }
            }
        }
    }

    /// Value of a register where two paths meet (the first of them if `first`) that give it different ones, or of which one
    /// gives it none: that of a variable that nobody reads any more still counts where the program exits.
    pub(super) fn kept_for_leaks(
        &mut self,
        first: TermId,
        index: usize,
        (a, b): (Option<TermId>, Option<TermId>),
        live: bool,
    ) -> Option<TermId> {
        let function = self.frames.last()?.function;
        let known = a.or(b)?;
        let bits = self.terms.bits(known);
        if !self.is_variable(function, index) || bits < self.program.model.pointer_bits() {
            return None;
        }
        if live {
            // It is read, and then any value where no path has given it one.
            self.forgotten.insert((function, index));
            return None;
        }
        let nothing = self.terms.constant(0, bits);
        let (a, b) = (a.unwrap_or(nothing), b.unwrap_or(nothing));
        Some(self.terms.ite(first, a, b))
    }

    /// Memory without leaks: condition that an iteration from `head` to `back` has freed all that it has allocated, and that variables hold the
    /// same blocks as before, also those that nobody reads any more.
    pub(super) fn nothing_lost(&mut self, head: &Head, back: &PathState) -> TermId {
        let mut kept = self.terms.tru();
        let made = self.seen.holders.sites.keys().copied();
        let is_new = |slot: &Slot| {
            self.allocated_at
                .get(slot)
                .is_some_and(|at| *at >= head.executed)
        };
        let made: SortedSet<Slot> = made.filter(is_new).collect();
        for &slot in &made {
            let flags = [Space::Born, Space::Ended];
            let others = |space| {
                self.knowledge
                    .pieces(slot, space, 0, 1)
                    .iter()
                    .any(|piece| piece.2)
            };
            if flags.into_iter().any(others) {
                return self.terms.fals();
            }
            let [born, ended] = flags.map(|space| {
                let flag = self.read_private(&back.memory, slot, space, 0, 1);
                let clear = self.terms.constant(0, 8);
                self.terms.ne(flag, clear)
            });
            let never = self.terms.not(born);
            let gone = self.terms.or(never, ended);
            kept = self.terms.and(kept, gone);
        }
        let function = self
            .frames
            .last()
            .expect("a loop is in a function")
            .function;
        for (index, before, after) in head.regs.differing(&back.regs) {
            if !self.is_variable(function, index) {
                continue;
            }
            let values = [before, after].into_iter().flatten();
            let held: SortedSet<Slot> = values.flat_map(|value| self.blocks_in(value)).collect();
            if !held.is_subset(&made) {
                return self.terms.fals();
            }
        }
        kept
    }

    /// Registers of variables: true if one has a name.
    pub(super) fn is_variable(&self, function: FuncId, register: usize) -> bool {
        let info = &self.program.functions[function].regs[Reg::from_index(register)];
        info.name.is_some()
    }

    fn is_library_block(&self, slot: Slot) -> bool {
        let [known, seen] =
            [&self.knowledge.holders, &self.seen.holders].map(|holders| &holders.sites);
        self.knowledge.heap.contains(&slot)
            && !known.contains_key(&slot)
            && !seen.contains_key(&slot)
    }

    /// Blocks point to blocks.
    fn follow_blocks(&mut self, state: &mut PathState, claim: &mut Claim) {
        let blocks = claim.blocks.clone();
        for (slot, (lives, kept)) in blocks {
            let when = self.terms.and(lives, kept);
            if !faults::on(Fault::LeakBehindBlocks) {
                self.follow_object(state, claim, slot, when);
            }
            // Any number may be its address.
            if self.knowledge.machine.bases.contains(&slot) {
                let always = self.terms.tru();
                claim.need(self, always, slot, false);
            }
        }
    }

    /// Threads that still run hold what they ever had.
    fn follow_threads(&mut self, state: &mut PathState, claim: &mut Claim) {
        let own = self.instances[self.current].key;
        let always = self.terms.tru();
        if self.current != ThreadId(0) {
            self.may_hold(claim, ThreadKey(0), always);
        }
        // With the results that they leave; a thread that never ends leaves none.
        let holders = self.knowledge.holders.threads.keys();
        let mut threads: SortedMap<ThreadKey, Option<Slot>> =
            holders.map(|&thread| (thread, None)).collect();
        for (slot, known) in self.knowledge.slots() {
            match known.key {
                ObjectKey::Result(thread) => {
                    threads.insert(thread, Some(slot));
                }
                ObjectKey::ThreadLocal(_, thread) | ObjectKey::Alloc(thread, _) => {
                    threads.entry(thread).or_default();
                }
                _ => {}
            }
        }
        for (thread, result) in threads {
            if thread == own || thread == ThreadKey(0) || self.held_by(thread).is_empty() {
                continue;
            }
            let instance = self.instances.iter().find(|one| one.key == thread);
            let created = instance
                .filter(|one| one.created_by.is_some_and(|by| by.1 == self.current))
                .map_or(always, |one| one.guard);
            let runs = match result {
                Some(result) => {
                    let goes_on = self.alive(state, result, created);
                    self.terms.and(created, goes_on)
                }
                None => created,
            };
            if !faults::on(Fault::LeakBesideThreads) {
                self.may_hold(claim, thread, runs);
            }
        }
        let given = self.knowledge.holders.given.clone();
        for block in given {
            claim.need(self, always, block, false);
        }
    }

    /// A thread may hold blocks where a condition holds.
    fn may_hold(&mut self, claim: &mut Claim, thread: ThreadKey, when: TermId) {
        for block in self.held_by(thread) {
            claim.need(self, when, block, false);
        }
    }

    /// Blocks whose addresses a thread or one of its variables had.
    fn held_by(&self, thread: ThreadKey) -> SortedSet<Slot> {
        let holders = &self.knowledge.holders;
        let mut blocks = holders.threads.get(&thread).cloned().unwrap_or_default();
        for (slot, held) in &holders.objects {
            let is_own = match self.knowledge.object(*slot).map(|object| object.key) {
                Some(ObjectKey::ThreadLocal(_, owner)) => owner == thread,
                Some(ObjectKey::Alloc(owner, _)) => {
                    owner == thread && !self.knowledge.heap.contains(slot)
                }
                _ => false,
            };
            if is_own {
                blocks.extend(held.targets.iter().copied());
            }
        }
        blocks
    }

    /// What an object points to is in the set where a condition holds.
    fn follow_object(
        &mut self,
        state: &mut PathState,
        claim: &mut Claim,
        slot: Slot,
        when: TermId,
    ) {
        let mut held = self.held_in(slot);
        if held.targets.is_empty() || self.terms.as_constant(when) == Some(0) {
            return;
        }
        let bytes = u64::from(self.program.model.pointer_bits() / 8);
        let size = self
            .knowledge
            .object(slot)
            .map_or(0, |object| object.size_bytes);
        let words = size / bytes;
        if held.anywhere && words <= WORDS {
            held.places.extend((0..words).map(|word| word * bytes));
        }
        for offset in held.places.iter().filter(|offset| *offset + bytes <= size) {
            let value = self.word_in(state, slot, *offset, when);
            self.follow_word(claim, value, when, Some(&held.targets));
        }
        if held.parts || held.anywhere && words > WORDS {
            for block in held.targets {
                claim.need(self, when, block, false);
            }
        }
    }

    /// The word at an offset of an object, read where a condition holds.
    fn word_in(&mut self, state: &mut PathState, slot: Slot, offset: u64, when: TermId) -> TermId {
        let bytes = u32::from(self.program.model.pointer_bits() / 8);
        let mut reach = Reach {
            slot,
            offset,
            element: None,
            when,
        };
        if self.knowledge.is_array(slot) {
            let bits = self.knowledge.space.object_bits();
            let offset = self.terms.constant(u128::from(offset), bits);
            let (field, element) = self.element(slot, offset, bytes);
            reach.offset = field;
            reach.element = Some(element);
        }
        self.touch_as(state, (slot, Space::Data, reach.offset), bytes, false);
        self.read_reaches(state, Space::Data, bytes, &[reach], Role::Plain)
    }

    /// What a word points to is in the set where a condition holds.
    fn follow_word(
        &mut self,
        claim: &mut Claim,
        word: TermId,
        when: TermId,
        targets: Option<&SortedSet<Slot>>,
    ) {
        for lane in self.lanes(word) {
            for block in self.blocks_in(lane) {
                if targets.is_some_and(|targets| !targets.contains(&block)) {
                    continue;
                }
                let address = Address::of(&mut self.terms, self.knowledge.space, lane);
                let here = address.is_of(&mut self.terms, block);
                let points = self.terms.and(when, here);
                claim.need(self, points, block, true);
            }
        }
    }
}
