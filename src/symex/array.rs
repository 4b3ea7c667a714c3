//! Objects that are accessed at more offsets than one would list: arrays.
//!
//! Such an object is cut into *elements* of some stride: every access lies within one element, at a constant
//! place of it (its *field*), and which element it is, is a term. What a path knows of a private field is the
//! [`History`] of its writes; a read compares its element with theirs.
//!
//! A shared field makes events. Their cells are not all elements, but those that events name: every event has
//! a *label*, a term for the element that it accesses, and its cell is the first of all labels, in a fixed
//! order, that has the value of its own. That is a function of the labels' values, the same for all events, so
//! two events meet in a cell exactly if they access one element. A label must have one value from the start:
//! where the element depends on what threads read, the label is a variable that foretells it.

use super::element::{ElementAccess, Field};
use super::memory::{History, Memory, Source};
use super::pass::{Fill, Pass};
use super::slots::SlotSet;
use super::touch::Space;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::{Cell, CellId, EventId, EventKind, Target};
use crate::exec::congruence;
use crate::ir::address::Slot;
use crate::symex::faults::{self, Fault};
use crate::term::TermId;
use hashbrown::HashMap;
use std::rc::Rc;

/// Most values that one layer of a history holds: every write copies its layer.
const LAYER: usize = 64;

impl Pass<'_> {
    /// Field and element of an access of `bytes` bytes at an offset into an array.
    pub(super) fn element(&mut self, slot: Slot, offset: TermId, bytes: u32) -> (u64, TermId) {
        let bits = self.terms.bits(offset);
        let stride = self.knowledge.stride(slot);
        let (modulus, residue) = congruence(&self.terms, offset, 16);
        let (modulus, residue) = (modulus as u64, residue as u64);
        if modulus % stride != 0 {
            // The next pass knows better.
            self.seen.strides.push((slot, modulus));
        }
        let field = residue % stride;
        self.seen
            .fields
            .insert((slot, field, field + u64::from(bytes)));
        let element = if stride.is_power_of_two() {
            let shift = stride.trailing_zeros() as u16;
            self.terms.extract(offset, shift, bits - shift)
        } else {
            let start = self.terms.constant(u128::from(field), bits);
            self.terms.sub(offset, start)
        };
        (field, element)
    }

    /// The offset into an array at which an element's field is, as wide as an address.
    pub(super) fn element_offset(&mut self, (slot, field, _): Field, element: TermId) -> TermId {
        let bits = self.program.model.pointer_bits();
        let stride = self.knowledge.stride(slot);
        let element = self.terms.zero_extend(element, bits);
        let field = self.terms.constant(u128::from(field), bits);
        if stride.is_power_of_two() {
            let stride = self.terms.constant(u128::from(stride), bits);
            let start = self.terms.mul(element, stride);
            self.terms.add(start, field)
        } else {
            self.terms.add(element, field)
        }
    }

    /// Reads an element of a private field.
    pub(super) fn read_element(
        &mut self,
        memory: &Memory,
        field: Field,
        element: TermId,
    ) -> TermId {
        let history = memory.history(field);
        self.read_history(field, &history, element, &mut HashMap::new())
    }

    pub(super) fn read_history(
        &mut self,
        field: Field,
        history: &Rc<History>,
        element: TermId,
        memo: &mut HashMap<*const History, TermId>,
    ) -> TermId {
        let bits = self.terms.bits(element);
        let constant = self.terms.as_constant(element);
        // What a match gives, newest first.
        let mut layers: Vec<(TermId, TermId)> = Vec::new();
        let mut node = history;
        let mut value = loop {
            match &**node {
                History::Initial => break self.initial_element(field, element),
                History::KnownObject { before, values } => {
                    match constant {
                        Some(number) => {
                            if let Some(&value) = values.get(&number) {
                                break value;
                            }
                        }
                        None => {
                            for (&number, &value) in values {
                                let number = self.terms.constant(number, bits);
                                let same = self.terms.eq(element, number);
                                layers.push((same, value));
                            }
                        }
                    }
                    node = before;
                }
                History::Write {
                    before,
                    element: written,
                    when,
                    value,
                } => {
                    let mut same = self.terms.eq(*written, element);
                    if faults::on(Fault::ElementWriteLost) && *written != element {
                        same = self.terms.fals();
                    }
                    let hit = self.terms.and(*when, same);
                    if self.terms.as_constant(hit) == Some(1) {
                        break *value;
                    }
                    layers.push((hit, *value));
                    node = before;
                }
                History::Range {
                    before,
                    from,
                    to,
                    source,
                } => {
                    let (hit, value) = self.in_range(field, element, (*from, *to), source);
                    match self.terms.as_constant(hit) {
                        Some(1) => break value,
                        Some(_) => {}
                        None => layers.push((hit, value)),
                    }
                    node = before;
                }
                History::Either { cond, then, other } => {
                    let key = Rc::as_ptr(node);
                    if let Some(&value) = memo.get(&key) {
                        break value;
                    }
                    let a = self.read_history(field, then, element, memo);
                    let b = self.read_history(field, other, element, memo);
                    let value = self.terms.ite(*cond, a, b);
                    memo.insert(key, value);
                    break value;
                }
            }
        };
        for (hit, newer) in layers.into_iter().rev() {
            value = self.terms.ite(hit, newer, value);
        }
        value
    }

    /// History of a field after a write to one element, if `when`.
    pub(super) fn write_history(
        &mut self,
        field: Field,
        before: &Rc<History>,
        element: TermId,
        when: TermId,
        value: TermId,
    ) -> Rc<History> {
        let Some(number) = self.terms.as_constant(element) else {
            return Rc::new(History::Write {
                before: before.clone(),
                element,
                when,
                value,
            });
        };
        let value = match self.terms.as_constant(when) {
            Some(1) => value,
            _ => {
                let old = self.read_history(field, before, element, &mut HashMap::new());
                self.terms.ite(when, value, old)
            }
        };
        let (before, mut values) = match before.top() {
            (Some(below), Some(values)) if values.len() < LAYER => (below, values.clone()),
            _ => (before, SortedMap::new()),
        };
        values.insert(number, value);
        let before = before.clone();
        Rc::new(History::KnownObject { before, values })
    }

    /// History of a field where two paths meet: `one` if `first`, else `other`.
    fn join_histories(
        &mut self,
        field: Field,
        first: TermId,
        one: &Rc<History>,
        other: &Rc<History>,
    ) -> Rc<History> {
        let (below_one, values_one) = one.top();
        let (below_other, values_other) = other.top();
        let below = below_one.unwrap_or(one);
        if !below.is(below_other.unwrap_or(other)) {
            return Rc::new(History::Either {
                cond: first,
                then: one.clone(),
                other: other.clone(),
            });
        }
        let empty = SortedMap::new();
        let (a, b) = (values_one.unwrap_or(&empty), values_other.unwrap_or(&empty));
        let bits = self.element_bits(field.0);
        let numbers: SortedSet<u128> = a.keys().chain(b.keys()).copied().collect();
        let mut values = SortedMap::new();
        for number in numbers {
            let mut value_in = |known: &SortedMap<u128, TermId>| match known.get(&number) {
                Some(&value) => value,
                None => {
                    let element = self.terms.constant(number, bits);
                    self.read_history(field, below, element, &mut HashMap::new())
                }
            };
            let (x, y) = (value_in(a), value_in(b));
            values.insert(number, self.terms.ite(first, x, y));
        }
        Rc::new(History::KnownObject {
            before: below.clone(),
            values,
        })
    }

    /// The memory where two paths meet: `one` if `first`, else `other`. Of an object that only one of them has allocated, nobody looks at
    /// the bytes where the other one was taken.
    pub(super) fn join_memory(&mut self, first: TermId, one: &Memory, other: &Memory) -> Memory {
        let mut memory = one.clone();
        let mut single = one.unmatched(other);
        single.retain(|slot| self.is_of_this_thread(*slot));
        for &slot in &single {
            if one.get(slot).is_none() {
                memory.take_bytes(slot, other);
            }
        }
        let mut blocks = one.differing_blocks(other);
        blocks.retain(|(slot, ..)| !single.contains(slot));
        for (slot, space, offset, width) in one.differences(other) {
            if space == Space::Data && single.contains(&slot) {
                continue;
            }
            let end = offset + u64::from(width);
            let within = |(of, from, to): &(Slot, u64, u64)| {
                *of == slot && space == Space::Data && *from <= offset && end <= *to
            };
            if blocks.iter().any(within) {
                continue;
            }
            if space == Space::Data {
                self.note_cut(one, slot, offset, width);
                self.note_cut(other, slot, offset, width);
            }
            let a = self.read_private(one, slot, space, offset, width);
            let b = self.read_private(other, slot, space, offset, width);
            let value = self.terms.ite(first, a, b);
            memory
                .get_mut(slot)
                .write(|stretch| self.part(stretch), space, offset, width, value);
        }
        for (slot, from, to) in blocks {
            let either = Source::Either {
                cond: first,
                then: one.get(slot).cloned().unwrap_or_default(),
                other: other.get(slot).cloned().unwrap_or_default(),
            };
            let content = memory.get_mut(slot);
            content.cover(|stretch| self.part(stretch), (from, to), Rc::new(either));
        }
        for field in one.differing_fields(other) {
            if single.contains(&field.0) {
                continue;
            }
            let (a, b) = (one.history(field), other.history(field));
            let joined = self.join_histories(field, first, &a, &b);
            memory
                .get_mut(field.0)
                .set_history(field.1, field.2, joined);
        }
        memory
    }

    /// Width of the terms that name elements of an array.
    pub(super) fn element_bits(&self, slot: Slot) -> u16 {
        let stride = self.knowledge.stride(slot);
        let bits = self.knowledge.space.object_bits();
        if stride.is_power_of_two() {
            bits - stride.trailing_zeros() as u16
        } else {
            bits
        }
    }

    /// Initial value of an element of a field.
    fn initial_element(&mut self, field: Field, element: TermId) -> TermId {
        let (slot, at, width) = field;
        if matches!(self.fill_of(slot), Fill::Free(..)) {
            return self.uninitialised_element(field, element);
        }
        let stride = self.knowledge.stride(slot);
        // The element's number, or its first byte where the stride is not a power of two.
        let unit = if stride.is_power_of_two() { stride } else { 1 };
        if let Some(number) = self.terms.as_constant(element) {
            return self.read_initial(slot, Space::Data, number as u64 * unit + at, width);
        }
        let mut value = self.terms.constant(0, (width * 8) as u16);
        let bits = self.terms.bits(element);
        // Only what an initialiser names differs from zero.
        for start in self.initialised_elements(slot, stride) {
            let own = self.read_initial(slot, Space::Data, start + at, width);
            let number = self.terms.constant(u128::from(start / unit), bits);
            let same = self.terms.eq(element, number);
            value = self.terms.ite(same, own, value);
        }
        value
    }

    /// A free value, the same for every read of the element.
    fn uninitialised_element(&mut self, field: Field, element: TermId) -> TermId {
        let known = self.arrays.uninitialised.get(&field);
        let known = known.cloned().unwrap_or_default();
        if let Some((_, value)) = known.iter().find(|(other, _)| *other == element) {
            return *value;
        }
        let offset = self.element_offset(field, element);
        let value = self.uninitialised(field.0, offset, (field.2 * 8) as u16);
        for (other, theirs) in known {
            let same = self.terms.eq(other, element);
            let equal = self.terms.eq(theirs, value);
            let agreed = self.terms.implies(same, equal);
            if self.terms.as_constant(agreed) != Some(1) && !faults::on(Fault::ElementAnew) {
                self.facts_found.push(agreed);
            }
        }
        let all = self.arrays.uninitialised.entry(field).or_default();
        all.push((element, value));
        value
    }

    /// Notes that an event accesses an element of a shared field.
    pub(super) fn element_access(
        &mut self,
        event: EventId,
        field: Field,
        element: TermId,
        when: TermId,
    ) {
        let label = self.label(event, element);
        self.arrays.accesses.push(ElementAccess {
            event,
            field,
            label,
            when,
        });
    }

    fn label(&mut self, event: EventId, element: TermId) -> TermId {
        let label = match self.arrays.labels.get(&element) {
            Some(&label) => label,
            None => {
                let support = self.terms.support(element);
                let label = if support.iter().all(|var| self.input_vars.contains(var)) {
                    element
                } else {
                    let bits = self.terms.bits(element);
                    self.terms.fresh("element", bits)
                };
                self.arrays.labels.insert(element, label);
                label
            }
        };
        if label != element {
            self.arrays.foretold.push((event, label, element));
        }
        label
    }

    /// Labels of each shared field, in the order in which events look for theirs: constants first.
    fn labels(&self) -> SortedMap<Field, Vec<TermId>> {
        let mut fields: SortedMap<Field, (SortedMap<u128, TermId>, Vec<TermId>)> = SortedMap::new();
        for access in &self.arrays.accesses {
            let (constants, others) = fields.entry(access.field).or_default();
            match self.terms.as_constant(access.label) {
                Some(number) => {
                    constants.insert(number, access.label);
                }
                None if !others.contains(&access.label) => others.push(access.label),
                None => {}
            }
        }
        let flat = |(constants, others): (SortedMap<u128, TermId>, Vec<TermId>)| {
            constants.into_values().chain(others).collect()
        };
        fields
            .into_iter()
            .map(|(field, both)| (field, flat(both)))
            .collect()
    }

    /// Tells the next pass what initial values of shared elements point to.
    pub(super) fn learn_elements(&mut self) {
        for (field, labels) in self.labels() {
            let mut slots = SlotSet::EMPTY;
            for label in labels {
                let init = self.element_init(field, label);
                let own = self.slot_set(init);
                slots = self.knowledge.sets.union(slots, own);
                if self.is_numeric(init) {
                    let place = (field.0, Space::Data, field.1);
                    self.seen.machine.numbers.insert(place);
                }
            }
            if !slots.is_empty() {
                let place = (field.0, Space::Data, field.1);
                self.knowledge.note_pointers(place, slots);
            }
        }
    }

    /// Gives events of shared elements their cells.
    pub(super) fn finish_elements(&mut self) {
        let mut cells: HashMap<Field, Vec<(TermId, CellId)>> = HashMap::new();
        for (field, labels) in self.labels() {
            let object = self.object_index(field.0);
            for label in labels {
                let init = self.element_init(field, label);
                let cell = self.cells.push(Cell {
                    bits: (field.2 * 8) as u16,
                    init,
                    object,
                    offset_bytes: field.1,
                    element: Some(label),
                    sync: false,
                    beside: false,
                });
                cells.entry(field).or_default().push((label, cell));
            }
        }
        for access in std::mem::take(&mut self.arrays.accesses) {
            let mut found = Vec::new();
            let mut when = access.when;
            for &(label, cell) in &cells[&access.field] {
                let mut same = self.terms.eq(access.label, label);
                if faults::on(Fault::ElementAliasMissed) && access.label != label {
                    same = self.terms.fals();
                }
                let here = self.terms.and(when, same);
                if self.terms.as_constant(here) != Some(0) {
                    found.push(Target { cell, when: here });
                }
                let differs = self.terms.not(same);
                when = self.terms.and(when, differs);
                if self.terms.as_constant(when) == Some(0) {
                    break;
                }
            }
            if let EventKind::Read { targets, .. } | EventKind::Write { targets, .. } =
                &mut self.events[access.event].kind
            {
                targets.extend(found);
            }
        }
        for (event, label, element) in std::mem::take(&mut self.arrays.foretold) {
            if faults::on(Fault::LabelWrong) {
                continue;
            }
            let same = self.terms.eq(label, element);
            let kept = self.terms.implies(self.events[event].reached, same);
            self.facts_found.push(kept);
        }
    }

    /// The value of an element when the threads start.
    fn element_init(&mut self, field: Field, element: TermId) -> TermId {
        self.at_start(|pass, memory| pass.read_element(memory, field, element))
    }
}
