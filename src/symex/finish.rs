//! Results of a pass: what the next one should know, or the unrolled program.

use super::pass::Pass;
#[cfg(feature = "internals")]
use super::points::Points;
use super::slots::SlotSet;
#[cfg(feature = "internals")]
use super::touch::Stored;
use super::touch::{CellStart, Space};
use crate::base::Spent;
use crate::event::{EventKind, EventProgram, Target, Thread, ThreadId};
use crate::term::TermId;
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

impl Pass<'_> {
    /// Tells what the pass saw to the next one; says whether there has to be one.
    pub fn learn(&mut self) -> bool {
        let bytes = u32::from(self.program.model.pointer_bits() / 8);
        for (event, thread) in self.results.clone() {
            for id in self.instances.ids().skip(1).collect::<Vec<_>>() {
                let number = self
                    .terms
                    .constant(u128::from(id.0), self.terms.bits(thread));
                let when = self.terms.eq(thread, number);
                if self.terms.as_constant(when) != Some(0) {
                    let place = self.result_place(self.instances[id].key, id);
                    self.current = self.events[event].thread;
                    self.touch(place.0, Space::Data, 0, bytes, false);
                }
            }
        }
        for (place, width) in self.cell_places.clone() {
            self.note_cut_init(place, width);
            let Some(init) = self.cell_init(place, width) else {
                continue;
            };
            self.note_stored(place, init);
            if self.is_numeric(init) {
                self.seen.machine.numbers.insert(place);
            }
            let mut slots = self.slot_set(init);
            if width < bytes && place.1 == Space::Data {
                let parts = self.parts_of_pointers(place, width);
                slots = self.knowledge.sets.union(slots, parts);
            }
            if !slots.is_empty() {
                self.knowledge.note_pointers(place, slots);
            }
        }
        let early = self.escaped_early.iter();
        let both = early.filter(|slot| self.escapes.contains_key(*slot));
        self.seen.exposed.extend(both.copied());
        self.learn_elements();
        self.learn_stored();
        let seen = std::mem::take(&mut self.seen);
        let lives = std::mem::take(&mut self.lives).ranked();
        let moved = self.lives_matter && lives != self.knowledge.lives;
        self.observes = seen.machine.observed;
        let requests = std::mem::take(&mut self.requests);
        let watches = self.knowledge.watches.learn(requests);
        self.knowledge.learn(seen, lives) || moved || watches
    }

    /// Need for machine addresses: true if the program looks at addresses as numbers, which this pass did not know.
    pub fn must_place_objects(&self) -> bool {
        self.observes && !self.knowledge.machine.observed
    }

    /// Points-to set of a narrow cell at the start: objects that those initial pointers point to of which it holds a
    /// part.
    fn parts_of_pointers(&mut self, (slot, space, offset): CellStart, width: u32) -> SlotSet {
        let bytes = u32::from(self.program.model.pointer_bits() / 8);
        let size = self.knowledge.object(slot).map_or(0, |o| o.size_bytes);
        let first = (offset + u64::from(width)).saturating_sub(u64::from(bytes));
        let mut slots = SlotSet::EMPTY;
        for start in first..=offset {
            if start + u64::from(bytes) <= size
                && let Some(init) = self.cell_init((slot, space, start), bytes)
            {
                let own = self.slot_set(init);
                slots = self.knowledge.sets.union(slots, own);
            }
        }
        slots
    }

    /// Points-to facts, as they are when nothing else is to be learnt.
    #[cfg(feature = "internals")]
    pub fn points(&self) -> Points {
        let mut points = Points {
            reached: self.reached.clone(),
            ..Default::default()
        };
        for ((place, _), cell) in &self.cell_at {
            let (slot, space, offset) = *place;
            if space != Space::Data {
                continue;
            }
            points.data.insert(*cell);
            if let Some(Stored::Values(list)) = self.knowledge.stored(*place) {
                points.lists.insert((slot, offset), list.clone());
            }
            let pointers = self.knowledge.points_to(*place).unwrap_or_default();
            let pointers = self.knowledge.sets.members(pointers);
            let pointers = pointers.iter().copied().collect();
            points.pointers.insert((slot, offset), pointers);
        }
        points
    }

    /// The unrolled program.
    pub fn finish(mut self) -> EventProgram {
        let partial = self.finish_sections();
        self.finish_joins();
        let last = self.finish_rests();
        self.drop_known();
        self.finish_elements();
        let bases = self.place_objects();
        let rivals = self.rivals();
        for index in 0..self.cell_places.len() {
            let (place, width) = self.cell_places[index];
            let cell = self.cell_at[&(place, width)];
            let init = self.cell_init(place, width);
            let zero = self.terms.constant(0, (width * 8) as u16);
            self.cells[cell].init = init.unwrap_or(zero);
        }
        let threads = self
            .instances
            .iter()
            .map(|instance| Thread {
                function: instance.function,
                created_by: instance.created_by.map(|(event, _, _)| event),
                events: instance.events.clone(),
            })
            .collect();
        EventProgram {
            used_slots: self.knowledge.end_of_slots(),
            space: self.knowledge.space,
            terms: self.terms,
            threads,
            events: self.events,
            cells: self.cells,
            inputs: self.inputs,
            objects: self.objects,
            bases,
            partial,
            facts: self.facts_found,
            parts: self.parts,
            unseen: self.unseen,
            last,
            rivals,
            alike: Vec::new(),
            memory: self.bounds.memory,
            spent: Spent::default(),
        }
    }

    /// Takes out of guards what holds in every execution.
    fn drop_known(&mut self) {
        let mut known: HashSet<TermId, FxBuildHasher> = HashSet::default();
        for fact in &self.facts_found {
            known.extend(self.terms.conjuncts(*fact));
        }
        if known.is_empty() {
            return;
        }
        let mut memo: HashMap<TermId, TermId, FxBuildHasher> = HashMap::default();
        for event in self.events.iter_mut() {
            for condition in [&mut event.guard, &mut event.reached] {
                let terms = &mut self.terms;
                *condition = *memo.entry(*condition).or_insert_with_key(|condition| {
                    let mut rest = terms.conjuncts(*condition);
                    rest.retain(|conjunct| !known.contains(conjunct));
                    terms.and_all(&rest)
                });
            }
        }
    }

    /// Ties joins to the threads that exist.
    fn finish_joins(&mut self) {
        let ids: Vec<ThreadId> = self.instances.ids().skip(1).collect();
        for (event, thread) in std::mem::take(&mut self.joins) {
            let bits = self.terms.bits(thread);
            let mut found = Vec::new();
            for &id in &ids {
                let number = self.terms.constant(u128::from(id.0), bits);
                let same = self.terms.eq(thread, number);
                if self.terms.as_constant(same) != Some(0) {
                    found.push((id, same));
                }
            }
            if let EventKind::Join { targets, .. } = &mut self.events[event].kind {
                *targets = found;
            }
        }
        for (event, thread) in std::mem::take(&mut self.results) {
            let bits = self.terms.bits(thread);
            let bytes = u32::from(self.program.model.pointer_bits() / 8);
            let mut found = Vec::new();
            for &id in &ids {
                let number = self.terms.constant(u128::from(id.0), bits);
                let when = self.terms.eq(thread, number);
                if self.terms.as_constant(when) != Some(0) {
                    let place = self.result_place(self.instances[id].key, id);
                    found.push(Target {
                        cell: self.cell(place, bytes),
                        when,
                    });
                }
            }
            if let EventKind::Read { targets, .. } = &mut self.events[event].kind {
                *targets = found;
            }
        }
    }
}
