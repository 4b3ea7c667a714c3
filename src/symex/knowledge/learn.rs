//! Learning from a pass: knowledge takes in what it saw, and only grows.

use super::super::share::shared_cells;
use super::super::touch::{
    BlockTouch, CellStart, Lives, Machine, ObjectKey, Space, Stored, ThreadKey, Touch, Touches,
};
use super::{Knowledge, Shape};
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::address::Slot;

/// Growths of the list of values of a place, at most; then it is no longer listed.
const GROWTHS: u32 = 16;

impl Knowledge {
    /// Takes in what a pass saw; says whether anything that a pass relies on has changed. What it saw of machine
    /// addresses counts once nothing else is new: before that, it may have followed the wrong pointers.
    pub fn learn(&mut self, touches: Touches, lives: Lives) -> bool {
        let mut changed = std::mem::take(&mut self.points_anew);
        self.lives = lives;
        for (at, touch) in &touches.accesses {
            let known = self.accesses.entry(*at).or_default();
            known.readers.extend(&touch.readers);
            known.writers.extend(&touch.writers);
        }
        self.last = touches.accesses;
        for (place, more) in touches.stored {
            let (known, growths) = self.stored.entry(place).or_default();
            let before = known.clone();
            match &more {
                Stored::Values(values) => known.add(values),
                Stored::Many => *known = Stored::Many,
            }
            if *known != before {
                *growths += 1;
                changed = true;
                if *growths > GROWTHS {
                    *known = Stored::Many;
                }
            }
        }
        for place in touches.followed {
            self.stored.entry(place).or_insert_with(|| {
                changed = true;
                Default::default()
            });
        }
        changed |= touches.uneven;
        changed |= touches.created_late && !self.created_late;
        self.created_late |= touches.created_late;
        changed |= self.holders.learn(touches.holders);
        for slot in touches.ended {
            changed |= self.ended.insert(slot);
        }
        let before = self.exposed.len();
        self.exposed.extend(touches.exposed);
        changed |= before != self.exposed.len();
        let copies = |known: &Knowledge| known.copied.intersection(&known.synced).count();
        let before = (copies(self), self.sync_places.len());
        self.copied.extend(touches.copied);
        self.synced.extend(touches.synced);
        self.sync_places.extend(touches.sync_places);
        changed |= before != (copies(self), self.sync_places.len());
        let before = (self.asked.len(), self.filled.len());
        self.asked.extend(touches.asked);
        self.filled.extend(touches.filled);
        changed |= before != (self.asked.len(), self.filled.len());
        changed |= self.learn_shapes(&touches.strides, &touches.fields);
        self.blocks.extend(touches.blocks);
        let lent = self.find_lent();
        changed |= lent != self.lent;
        self.lent = lent;
        let shared = shared_cells(&self.accesses, &self.block_touches());
        changed |= shared != self.shared;
        self.shared = shared;
        self.hoped = touches.hoped;
        changed || self.learn_machine(touches.machine)
    }

    /// The same for machine addresses. That they are observed at all is for the caller to act on: all slots change.
    fn learn_machine(&mut self, seen: Machine) -> bool {
        let sizes = |known: &Machine| {
            let (bases, numbers, cut) = (&known.bases, &known.numbers, &known.cut);
            (
                known.used,
                known.reached,
                bases.len(),
                numbers.len(),
                cut.len(),
            )
        };
        let before = sizes(&self.machine);
        self.machine.bases.extend(seen.bases);
        self.machine.numbers.extend(seen.numbers);
        self.machine.cut.extend(seen.cut);
        self.machine.used |= seen.used;
        self.machine.reached |= seen.reached;
        before != sizes(&self.machine)
    }

    fn learn_shapes(
        &mut self,
        strides: &[(Slot, u64)],
        fields: &SortedSet<(Slot, u64, u64)>,
    ) -> bool {
        let before = self.shapes.clone();
        for &(slot, modulus) in strides {
            let shape = self.shapes.entry(slot).or_insert_with(|| Shape::Array {
                stride: modulus,
                borders: SortedSet::new(),
            });
            if let Shape::Array { stride, borders } = shape {
                *stride = gcd(*stride, modulus);
                borders.retain(|border| border <= stride);
            }
        }
        for &(slot, from, to) in fields {
            if let Some(shape) = self.shapes.get_mut(&slot)
                && let Shape::Array { stride, borders } = shape
            {
                if to > *stride {
                    *shape = Shape::Irregular;
                } else {
                    borders.extend([from, to]);
                }
            }
        }
        let stride = |shape: Option<&Shape>| match shape {
            Some(Shape::Array { stride, .. }) => Some(*stride),
            _ => None,
        };
        for (slot, shape) in &self.shapes {
            // Places mean something else now.
            if stride(before.get(slot)) != stride(Some(shape)) {
                let own = |place: &CellStart| place.0 == *slot && place.1 == Space::Data;
                self.accesses.retain(|(place, _), _| !own(place));
                self.pointers.retain(|place, _| !own(place));
            }
        }
        before != self.shapes
    }

    /// Threads' own variables that other threads touch.
    fn find_lent(&self) -> SortedSet<Slot> {
        let is_lent = |slot: Slot, owner: ThreadKey| {
            let from = ((slot, Space::Data, 0), 0);
            let touches = self.accesses.range(from..);
            let mut here = touches.take_while(|((at, ..), _)| (at.0, at.1) == (slot, Space::Data));
            let mut blocks = self.blocks.iter();
            here.any(|(_, touch)| {
                let mut all = touch.readers.iter().chain(&touch.writers);
                all.any(|thread| *thread != owner)
            }) || blocks.any(|block| block.slot == slot && block.thread != owner)
        };
        let own = self.slots.iter().filter_map(|(key, slot)| match key {
            ObjectKey::ThreadLocal(_, owner) if is_lent(*slot, *owner) => Some(*slot),
            _ => None,
        });
        own.collect()
    }

    /// Blocks by slot, with what it means to be in them.
    pub(super) fn block_touches(&self) -> SortedMap<Slot, Vec<(BlockTouch, Touch)>> {
        let mut found: SortedMap<Slot, Vec<(BlockTouch, Touch)>> = SortedMap::new();
        for block in self
            .blocks
            .iter()
            .filter(|block| !self.is_array(block.slot))
        {
            let mut touch = Touch::default();
            if block.write {
                touch.writers.insert(block.thread)
            } else {
                touch.readers.insert(block.thread)
            };
            let all = found.entry(block.slot).or_default();
            all.push((block.clone(), touch));
        }
        found
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}
