//! When knowledge is begun anew, and with what.

use super::super::refusal::Unaddressable;
use super::super::share::shared_cells;
use super::super::touch::{CellStart, ObjectKey, Stored};
use super::{Knowledge, KnownObject};
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::Program;
use crate::ir::address::Slot;
use hashbrown::HashMap;

/// Cells by which numbers of them may differ and be much the same.
const ALIKE: usize = 16;

impl Knowledge {
    /// Crude knowledge: true if early passes, which took what is shared for private, have made some list of addresses too long, or most of
    /// what is shared so.
    pub fn is_crude(&self) -> bool {
        let lost = |(place, (stored, _)): (&CellStart, &(Stored, u32))| {
            let slots = self.points_to(*place).unwrap_or_default();
            *stored == Stored::Many && !slots.is_empty()
        };
        let shared = shared_cells(&self.last, &self.block_touches());
        self.stored.iter().any(lost) || self.shared.len() > 2 * shared.len() + ALIKE
    }

    /// Knowledge to begin anew with: what the last pass saw of who touches what, and which places are followed. Machine addresses are
    /// `observed` from now on, or are not.
    pub fn anew(&self, program: &Program, observed: bool) -> Result<Knowledge, Unaddressable> {
        let of_nothing = || {
            Ok(Knowledge {
                notes_reached: self.notes_reached,
                ..Knowledge::new(program, observed)?
            })
        };
        let mut new = of_nothing()?;
        // Early passes may have allocated objects that no execution has.
        let touched: SortedSet<Slot> = self.last.keys().map(|((slot, ..), _)| *slot).collect();
        let mut moved = HashMap::new();
        for known in &self.known {
            let KnownObject {
                key,
                size_bytes,
                read_only,
                align_bytes,
            } = *known;
            let old = self.slots[&key];
            if matches!(key, ObjectKey::Alloc(..)) && !touched.contains(&old) {
                continue;
            }
            let Some(slot) = new.slot(key, size_bytes, read_only, align_bytes) else {
                return of_nothing();
            };
            moved.insert(old, slot);
        }
        let at = |(slot, space, offset): CellStart| Some((*moved.get(&slot)?, space, offset));
        let cells = self.last.iter();
        let cells = cells.filter(|(((slot, ..), _), _)| !self.shapes.contains_key(slot));
        let accesses = cells
            .filter_map(|((place, bytes), touch)| Some(((at(*place)?, *bytes), touch.clone())));
        let accesses = accesses.collect();
        let followed = self.stored.keys();
        let followed = followed.filter(|place| !self.shapes.contains_key(&place.0));
        let stored = followed
            .filter_map(|place| Some((at(*place)?, Default::default())))
            .collect();
        new.shared = shared_cells(&accesses, &SortedMap::new());
        new.accesses = accesses;
        new.stored = stored;
        new.created_late = self.created_late;
        Ok(new)
    }
}
