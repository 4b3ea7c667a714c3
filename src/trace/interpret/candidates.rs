//! Machine addresses that are tried for an object.
//!
//! A small set that always holds a fresh one, so that reuse only adds executions. The others are at the place of an object
//! that was gone or not there yet, just behind and just before another object, above and below all others, aligned as far
//! as asked and no further, with the same lower half as another, and with a lower half of 0.

use super::Interpreter;
use super::life::Life;
use super::state::State;
use crate::event::Origin;
use crate::ir::address::Slot;

/// Size of a page in bytes, which is also the distance of fresh objects from others.
const PAGE: u64 = 4096;

/// The distance at which the lower halves of pointers of 64 bits are equal.
const HALF: u64 = 1 << 32;

/// Room in bytes that an allocation in a schedule may take, as far as nobody knows yet.
const UNKNOWN_BYTES: u64 = 1 << 20;

impl Interpreter<'_> {
    /// Bases for the object in a slot, the fresh one first; none if there is no room.
    pub(super) fn candidates(&self, state: &State, slot: Slot, life: &Life) -> Vec<u64> {
        let (size, align) = (life.size_bytes, life.align_bytes);
        let wide = self.space.pointer_bits > 32;
        let taken = self.taken(state);
        let page = align.max(PAGE);
        let first = if wide { 0x5555_0000_0000 } else { 0x0804_8000 };
        let top = taken.iter().map(|(_, end)| *end).max().unwrap_or(first);
        let bottom = taken.iter().map(|(start, _)| *start).min().unwrap_or(top);
        let above = (top + PAGE).next_multiple_of(page);
        let beside = |at: u64| (at + align).next_multiple_of(align);
        let odd = |at: u64| match (at / align) % 2 {
            0 => beside(at),
            _ => at,
        };
        let below = |at: u64| at.checked_sub(size + PAGE).map(|at| at / page * page);
        let mut all = vec![above];
        all.extend(below(bottom));
        // Gaps, if what was given has filled the ends.
        all.extend(
            taken
                .iter()
                .map(|(_, end)| (end + PAGE).next_multiple_of(page)),
        );
        all.extend(taken.iter().filter_map(|(start, _)| below(*start)));
        all.retain(|base| {
            self.is_fresh(&taken, *base, size) && self.fits(state, slot, life, *base)
        });
        all.truncate(2);
        if taken.is_empty() {
            all.truncate(1);
        }
        all.push(odd(above));
        if wide {
            all.push((top + 1).next_multiple_of(HALF.max(align)));
        }
        for (_, _, base) in state.lives.placed() {
            all.push(base);
        }
        for (_, other, base) in state.lives.placed() {
            all.push(base + other.size_bytes);
            all.extend(base.checked_sub(size));
            if wide {
                all.push(base + HALF);
            }
        }
        let mut chosen: Vec<u64> = Vec::new();
        for base in all {
            if !chosen.contains(&base) && self.fits(state, slot, life, base) {
                chosen.push(base);
            }
        }
        chosen
    }

    fn fits(&self, state: &State, slot: Slot, life: &Life, base: u64) -> bool {
        self.misplaced(state, slot, life, base).is_none()
    }

    /// Freshness: true if nothing has ever been at a place, and nothing that the schedule knows of will be.
    fn is_fresh(&self, taken: &[(u64, u64)], base: u64, size: u64) -> bool {
        let end = base.saturating_add(size);
        taken.iter().all(|(from, to)| end <= *from || *to <= base)
    }

    /// Taken ranges of machine addresses (first, and the one behind the last), ascending: where objects are or were,
    /// and where the schedule puts others.
    fn taken(&self, state: &State) -> Vec<(u64, u64)> {
        let placed = state.lives.placed();
        let mut taken: Vec<(u64, u64)> = placed
            .map(|(_, life, base)| (base, base + life.size_bytes))
            .collect();
        taken.extend(self.bases.iter().map(|(origin, base)| {
            let size = match origin {
                Origin::Global(id) | Origin::ThreadLocal(id, _) => {
                    self.program.globals[*id].size_bytes.max(1)
                }
                Origin::Function(_) => 1,
                Origin::Alloc(..) | Origin::Result(_) | Origin::Watch(..) => UNKNOWN_BYTES,
            };
            (*base, base.saturating_add(size))
        }));
        taken.sort_unstable();
        taken
    }
}
