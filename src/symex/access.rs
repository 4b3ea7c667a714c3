//! Loads and stores: which cells of what an address reaches are shared, and the events (shared cells) or ordinary
//! memory operations (all others) that follow.

use super::element::Field;
use super::memory::Memory;
use super::pass::Pass;
use super::pointer;
use super::reach::Reach;
use super::slots::SlotSet;
use super::state::PathState;
use super::touch::{CellStart, Space};
use crate::event::{Cell, CellId, Cut, EventKind, Role, Target};
use crate::symex::faults::{self, Fault};
use crate::term::TermId;
use crate::term::node::Node;
use hashbrown::HashMap;

/// Reaches of one access whose bytes are cut into cells alike.
pub(super) struct Group {
    /// First byte within the access, width in bytes, whether shared.
    pub pieces: Vec<(u32, u32, bool)>,
    pub reaches: Vec<Reach>,
}

impl Pass<'_> {
    /// Reads from whichever reach holds.
    pub(super) fn read_reaches(
        &mut self,
        state: &mut PathState,
        space: Space,
        bytes: u32,
        reaches: &[Reach],
        role: Role,
    ) -> TermId {
        let mut result: Option<TermId> = None;
        for reach in reaches {
            self.settle(state, reach.slot);
        }
        if space == Space::Data {
            self.note_part(state, bytes, reaches);
        }
        for group in self.group(state, space, bytes, reaches.to_vec()) {
            let any = self.any(&group.reaches);
            let mut value: Option<TermId> = None;
            for &(start, width, shared) in &group.pieces {
                let piece = if shared {
                    self.read_event(state, space, start, width, &group.reaches, any, role)
                } else {
                    let mut piece: Option<TermId> = None;
                    for reach in &group.reaches {
                        if group.pieces.len() > 1 && reach.element.is_none() {
                            let at = reach.offset + u64::from(start);
                            self.note_cut(&state.memory, reach.slot, at, width);
                        }
                        let own = self.read_reach(&state.memory, space, reach, start, width);
                        piece = Some(match piece {
                            None => own,
                            Some(other) => self.terms.ite(reach.when, own, other),
                        });
                    }
                    piece.expect("a group has a reach")
                };
                value = Some(match value {
                    None => piece,
                    Some(low) if faults::on(Fault::PiecesSwapped) => self.terms.concat(low, piece),
                    Some(low) => self.terms.concat(piece, low),
                });
            }
            let value = value.expect("an access has a byte");
            result = Some(match result {
                None => value,
                Some(other) => self.terms.ite(any, value, other),
            });
        }
        let value = result.unwrap_or_else(|| self.terms.constant(0, (bytes * 8) as u16));
        match space {
            Space::Data => self.read_words(state, reaches, value, role),
            _ => value,
        }
    }

    /// Writes to whichever reach holds, if `also`; objects whose addresses are in the value escape.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn write_reaches(
        &mut self,
        state: &mut PathState,
        space: Space,
        bytes: u32,
        reaches: Vec<Reach>,
        value: TermId,
        also: TermId,
        role: Role,
    ) {
        for reach in &reaches {
            self.settle(state, reach.slot);
        }
        self.escape_to(state, &reaches, value, also);
        self.put(state, space, bytes, reaches, value, also, role);
    }

    /// The same, where no object escapes by it.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn put(
        &mut self,
        state: &mut PathState,
        space: Space,
        bytes: u32,
        reaches: Vec<Reach>,
        value: TermId,
        also: TermId,
        role: Role,
    ) {
        let groups = self.group(state, space, bytes, reaches);
        if space == Space::Data {
            for group in &groups {
                self.note_store_of_addresses(&group.reaches, value);
            }
            self.refuse_likeness(state, &groups, value, also);
            self.write_words(state, &groups, value, also, role);
        }
        for group in groups {
            let value = match space {
                Space::Data => self.uncut(state, &group, value),
                _ => value,
            };
            let any = self.any(&group.reaches);
            let happens = if faults::on(Fault::UpdateAlways) {
                any
            } else {
                self.terms.and(any, also)
            };
            for &(start, width, shared) in &group.pieces {
                if faults::on(Fault::PieceLost) && start > 0 && start + width == bytes {
                    continue;
                }
                let piece = self
                    .terms
                    .extract(value, (start * 8) as u16, (width * 8) as u16);
                if shared {
                    self.write_event(
                        state,
                        space,
                        start,
                        width,
                        &group.reaches,
                        happens,
                        (piece, value),
                        role,
                    );
                    continue;
                }
                for reach in &group.reaches {
                    let at = reach.offset + u64::from(start);
                    let when = self.terms.and(reach.when, also);
                    if let Some(element) = reach.element {
                        let field = (reach.slot, at, width);
                        self.write_element(state, field, element, when, piece);
                        continue;
                    }
                    let stored = if self.terms.as_constant(when) == Some(1)
                        || faults::on(Fault::StrongUpdate)
                    {
                        piece
                    } else {
                        let old = self.read_private(&state.memory, reach.slot, space, at, width);
                        self.terms.ite(when, piece, old)
                    };
                    self.note_write(state, (reach.slot, space, at), width);
                    state.memory.get_mut(reach.slot).write(
                        |stretch| self.part(stretch),
                        space,
                        at,
                        width,
                        stored,
                    );
                }
            }
        }
    }

    /// An access that is narrower than an address and reads shared memory where addresses are stored looks at a part
    /// of one as a number.
    fn note_part(&mut self, state: &PathState, bytes: u32, reaches: &[Reach]) {
        let narrow = bytes < u32::from(self.program.model.pointer_bits() / 8);
        if !narrow || !state.concurrent || self.knowledge.machine.observed {
            return;
        }
        let holds = |reach: &Reach| {
            (0..u64::from(bytes)).any(|i| {
                let place = (reach.slot, Space::Data, reach.offset + i);
                self.knowledge
                    .points_to(place)
                    .is_some_and(|s| !s.is_empty())
            })
        };
        if reaches.iter().any(holds) {
            self.observe();
        }
    }

    /// A number that is stored where internal addresses are, too, must not have the bits of one: who loads it could
    /// not tell. (No machine address has, but what is computed from one may.)
    fn refuse_likeness(
        &mut self,
        state: &mut PathState,
        groups: &[Group],
        value: TermId,
        also: TermId,
    ) {
        let is_word = self.terms.bits(value) == self.program.model.pointer_bits();
        if !is_word || !self.is_numeric(value) {
            return;
        }
        let mut mixed = self.terms.fals();
        for group in groups.iter().filter(|group| group.pieces.len() == 1) {
            for reach in group.reaches.iter() {
                let place = (reach.slot, Space::Data, reach.offset);
                if self
                    .knowledge
                    .points_to(place)
                    .is_some_and(|s| !s.is_empty())
                {
                    mixed = self.terms.or(mixed, reach.when);
                }
            }
        }
        if self.terms.as_constant(mixed) == Some(0) {
            return;
        }
        let like = self.is_like_internal(value, &mut HashMap::new());
        let refused = self.terms.and_all(&[mixed, also, like]);
        let fine = self.terms.not(refused);
        let why = "a number that looks like an address of another kind";
        self.cut_in_step(state, fine, Cut::Unsupported(why.into()));
    }

    /// Condition that a word is a number that has the bits of an internal address; `known` has those of its parts.
    fn is_like_internal(&mut self, word: TermId, known: &mut HashMap<TermId, TermId>) -> TermId {
        if let Some(&condition) = known.get(&word) {
            return condition;
        }
        let condition = match self.terms.node(word) {
            Node::Ite(cond, a, b) => {
                let a = self.is_like_internal(a, known);
                let b = self.is_like_internal(b, known);
                self.terms.ite(cond, a, b)
            }
            _ if self.slot_set(word).is_empty() => self.elsewhere(word, &[]),
            _ => self.terms.fals(),
        };
        known.insert(word, condition);
        condition
    }

    /// One piece of what a reach holds in ordinary memory.
    fn read_reach(
        &mut self,
        memory: &Memory,
        space: Space,
        reach: &Reach,
        start: u32,
        width: u32,
    ) -> TermId {
        let at = reach.offset + u64::from(start);
        match reach.element {
            Some(element) => self.read_element(memory, (reach.slot, at, width), element),
            None => self.read_private(memory, reach.slot, space, at, width),
        }
    }

    /// Writes to one element of a private field, if `when`.
    fn write_element(
        &mut self,
        state: &mut PathState,
        field: Field,
        element: TermId,
        when: TermId,
        value: TermId,
    ) {
        let before = state.memory.history(field);
        self.note_element(field, &before, element, when, value);
        let after = self.write_history(field, &before, element, when, value);
        state
            .memory
            .get_mut(field.0)
            .set_history(field.1, field.2, after);
    }

    pub(super) fn any(&mut self, reaches: &[Reach]) -> TermId {
        let mut any = self.terms.fals();
        for reach in reaches {
            any = self.terms.or(any, reach.when);
        }
        any
    }

    /// Sorts reaches by how their bytes are cut into cells.
    fn group(
        &mut self,
        state: &PathState,
        space: Space,
        bytes: u32,
        reaches: Vec<Reach>,
    ) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for reach in reaches {
            let pieces = if self.is_own_in(state, reach.slot, space) {
                vec![(0, bytes, false)]
            } else if reach.element.is_some() {
                self.knowledge
                    .field_pieces(reach.slot, reach.offset, bytes)
                    .into_iter()
                    .map(|(at, width, shared)| {
                        let start = (at - reach.offset) as u32;
                        (start, width, shared && state.concurrent)
                    })
                    .collect()
            } else if state.concurrent {
                self.knowledge
                    .pieces(reach.slot, space, reach.offset, bytes)
                    .into_iter()
                    .map(|(at, width, shared)| ((at - reach.offset) as u32, width, shared))
                    .collect()
            } else {
                vec![(0, bytes, false)]
            };
            match groups.iter_mut().find(|group| group.pieces == pieces) {
                Some(group) => group.reaches.push(reach),
                None => groups.push(Group {
                    pieces,
                    reaches: vec![reach],
                }),
            }
        }
        groups
    }

    /// The event that reads one piece of an access; its guard needs `any`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn read_event(
        &mut self,
        state: &PathState,
        space: Space,
        start: u32,
        width: u32,
        reaches: &[Reach],
        any: TermId,
        role: Role,
    ) -> TermId {
        let bits = (width * 8) as u16;
        let value = self.terms.fresh("r", bits);
        let mut slots = SlotSet::EMPTY;
        let mut is_number = false;
        let mut targets = Vec::with_capacity(reaches.len());
        let mut elements = Vec::new();
        for reach in reaches {
            let place = (reach.slot, space, reach.offset + u64::from(start));
            let numbers = &self.knowledge.machine.numbers;
            is_number |= numbers.contains(&place) && !faults::on(Fault::NumbersForgotten);
            if let Some(known) = self.knowledge.points_to(place) {
                let known = if faults::on(Fault::PointsToLost) {
                    let members = self.knowledge.sets.members(known).clone();
                    self.knowledge.sets.of(members.iter().copied().skip(1))
                } else {
                    known
                };
                slots = self.knowledge.sets.union(slots, known);
            }
            if let Some(element) = reach.element {
                elements.push(((reach.slot, place.2, width), element, reach.when));
                continue;
            }
            targets.push(Target {
                cell: self.cell(place, width),
                when: reach.when,
            });
        }
        let var = pointer::variable(&self.terms, value).expect("fresh terms are variables");
        if !slots.is_empty() {
            self.read_slots.insert(var, slots);
        }
        if is_number {
            self.number_vars.insert(var);
        }
        let at = u64::from(start);
        let place = |reach: &Reach| (reach.slot, space, reach.offset + at);
        let places = elements
            .is_empty()
            .then(|| reaches.iter().map(place).collect());
        self.read_places.insert(var, places);
        let guard = self.terms.and(state.path.term(), any);
        let event = self.emit(
            state,
            guard,
            EventKind::Read {
                value,
                targets,
                role,
            },
        );
        self.events[event].undisturbed = self.is_undisturbed(space, false);
        for (field, element, when) in elements {
            self.element_access(event, field, element, when);
        }
        value
    }

    /// The event that writes one piece of an access; `whole` is the value it is a piece of.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn write_event(
        &mut self,
        state: &PathState,
        space: Space,
        start: u32,
        width: u32,
        reaches: &[Reach],
        happens: TermId,
        (piece, whole): (TermId, TermId),
        role: Role,
    ) {
        let slots = self.slots_within(whole);
        let is_number = space == Space::Data && self.is_numeric(piece);
        let mut targets = Vec::with_capacity(reaches.len());
        let mut elements = Vec::new();
        for reach in reaches {
            let place = (reach.slot, space, reach.offset + u64::from(start));
            if !slots.is_empty() {
                self.knowledge.note_pointers(place, slots);
            }
            if is_number {
                self.seen.machine.numbers.insert(place);
            }
            if let Some(element) = reach.element {
                elements.push(((reach.slot, place.2, width), element, reach.when));
                continue;
            }
            self.note_stored(place, piece);
            targets.push(Target {
                cell: self.cell(place, width),
                when: reach.when,
            });
        }
        let guard = self.terms.and(state.path.term(), happens);
        let event = self.emit(
            state,
            guard,
            EventKind::Write {
                value: piece,
                targets,
                role,
            },
        );
        self.events[event].undisturbed = self.is_undisturbed(space, true);
        for (field, element, when) in elements {
            self.element_access(event, field, element, when);
        }
    }

    /// The cell at a place.
    pub(super) fn cell(&mut self, place: CellStart, width: u32) -> CellId {
        if let Some(&cell) = self.cell_at.get(&(place, width)) {
            return cell;
        }
        let (slot, space, offset_bytes) = place;
        let object = self.object_index(slot);
        let cell = self.cells.push(Cell {
            bits: (width * 8) as u16,
            // Known once all threads have been executed.
            init: self.terms.fals(),
            object,
            offset_bytes,
            element: None,
            sync: matches!(space, Space::Sync | Space::Note(_) | Space::Own(_)),
            beside: space == Space::Word,
        });
        self.cell_at.insert((place, width), cell);
        self.cell_places.push((place, width));
        cell
    }
}
