//! Notes on synchronisation objects: variables beside their mutexes.

use super::automaton::Key;
use super::explore::Explorer;
use super::memory::{Places, Target};
use super::state::EdgeState;
use crate::ir::Note;
use crate::term::TermId;

impl Explorer<'_> {
    /// Places of a note; `None` if the edge ends here.
    pub(super) fn note_places(
        &mut self,
        state: &mut EdgeState,
        addr: TermId,
        what: Note,
        writes: bool,
    ) -> Option<Places> {
        if what == Note::Own && self.knowledge.is_many(self.thread) {
            let why = "what a thread holds of which there may be any number";
            self.unsupported(state, why);
            return None;
        }
        let places = self.places(state, addr, 1, 1)?;
        if !places.spans.is_empty() {
            let why = "a lock at an index of an array whose size is not known";
            self.unsupported(state, why);
            return None;
        }
        let targets = places.targets.iter();
        let keys: Vec<Key> = targets.map(|place| self.note_key(place, what)).collect();
        if !self.visit(state, &keys, !writes, writes) {
            return None;
        }
        state.wrote |= writes;
        let never = self.terms.fals();
        self.valid(state, &places.conditions(), never)?;
        Some(places)
    }

    /// The value of a note, 32 bits wide.
    pub(super) fn noted(&mut self, state: &EdgeState, places: &Places, what: Note) -> TermId {
        let mut value = self.terms.constant(0, 32);
        for place in &places.targets {
            let mut word = self.now(state, &self.note_key(place, what));
            if what == Note::Held {
                word = self.is_set(word);
            }
            let word = self.terms.fit(word, 32);
            value = self.terms.ite(place.when, word, value);
        }
        value
    }

    /// Changes a note.
    pub(super) fn set_notes(
        &mut self,
        state: &mut EdgeState,
        places: &Places,
        what: Note,
        value: TermId,
    ) {
        for place in &places.targets {
            let key = self.note_key(place, what);
            let old = self.now(state, &key);
            let new = self.terms.ite(place.when, value, old);
            self.set_variable(state, key, new);
        }
    }

    fn note_key(&self, place: &Target, what: Note) -> Key {
        let (slot, offset) = (place.slot, place.offset);
        let thread = match what {
            Note::Held => return Key::Mutex { slot, offset },
            Note::Own => self.thread,
            _ => 0,
        };
        Key::Note {
            slot,
            offset,
            what,
            thread,
        }
    }
}
