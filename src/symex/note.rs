//! Notes on synchronisation objects: words beside them, in spaces of their own.

use super::pass::Pass;
use super::reach::Reach;
use super::state::PathState;
use super::sync::WORD;
use super::touch::Space;
use crate::event::Role;
use crate::ir::Note;
use crate::term::TermId;

/// Place in [`Space::Own`] of the note on a byte of an object.
pub(super) fn own_offset(offset: u64) -> u64 {
    offset * u64::from(WORD)
}

impl Pass<'_> {
    /// A note on the object at an address.
    pub(super) fn note(&mut self, state: &mut PathState, addr: TermId, what: Note) -> TermId {
        let (space, places) = self.note_places(state, addr, what, false);
        let word = self.read_reaches(state, space, WORD, &places, Role::Sync);
        if what != Note::Held {
            return word;
        }
        let bits = self.terms.bits(word);
        let (free, held) = (self.terms.constant(0, bits), self.terms.constant(1, bits));
        let is_free = self.terms.eq(word, free);
        self.terms.ite(is_free, free, held)
    }

    /// Changes a note.
    pub(super) fn set_note(
        &mut self,
        state: &mut PathState,
        addr: TermId,
        what: Note,
        value: TermId,
    ) {
        let (space, places) = self.note_places(state, addr, what, true);
        let always = self.terms.tru();
        self.write_reaches(state, space, WORD, places, value, always, Role::Sync);
    }

    /// Space and places of a note.
    fn note_places(
        &mut self,
        state: &mut PathState,
        addr: TermId,
        what: Note,
        write: bool,
    ) -> (Space, Vec<Reach>) {
        let space = match what {
            Note::Held => Space::Sync,
            Note::Own => Space::Own(self.instances[self.current].key),
            _ => Space::Note(what),
        };
        let mut places = self.reach_in(state, Space::Sync, addr, 1, 1, false);
        if what == Note::Own {
            // Neighbouring bytes may have notes of their own.
            for place in &mut places {
                place.offset = own_offset(place.offset);
            }
        }
        // Nobody else looks at what is the thread's own.
        if what != Note::Own {
            for place in &places {
                let at = (place.slot, space, place.offset);
                self.touch_as(state, at, WORD, write);
            }
        }
        (space, places)
    }
}
