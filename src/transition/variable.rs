//! Variables of automata: their values where an edge begins, those that the environment chooses, and what is noted of them.

use super::automaton::{Input, Key, Point, Variable};
use super::explore::Explorer;
use super::knowledge::KnownBits;
use super::state::EdgeState;
use crate::base::sorted::SortedSet;
use crate::ir::{InstrKind, Reg};
use crate::term::{Fact, TermId};

/// Width of the word of a mutex that says whose it is.
const OWNER_BITS: u16 = 16;

impl Explorer<'_> {
    /// A term for what is known.
    pub fn variable(&mut self, name: &str, bits: u16, fact: Fact) -> TermId {
        match fact.value() {
            Some(value) => self.terms.constant(value, bits),
            None => self.terms.fresh_within(name, bits, fact),
        }
    }

    /// The term for a register at the start of the location.
    pub fn at_start(
        &mut self,
        name: &str,
        bits: u16,
        known: Option<KnownBits>,
        key: &Key,
    ) -> TermId {
        let fact = known.map_or(Fact::constant(0, bits), |known| known.fact());
        let term = self.variable(name, bits, fact);
        if let Some(var) = self.terms.var_of(term) {
            self.registers.insert(var, key.clone());
            self.locations[self.from].registers.push((key.clone(), var));
        }
        term
    }

    /// The variable of a key that is no register, as it is before the edge.
    pub fn value(&mut self, key: &Key) -> TermId {
        if let Some(term) = self.held.get(key) {
            return *term;
        }
        let mut term = self.anywhere(key);
        if let Some(known) = self.cells.get(key) {
            term = self.terms.with_known(term, &known.fact());
        }
        self.held.insert(key.clone(), term);
        term
    }

    /// The present value of a variable that is no register.
    pub fn now(&mut self, state: &EdgeState, key: &Key) -> TermId {
        match state.changed.get(key) {
            Some(term) => *term,
            None => self.value(key),
        }
    }

    /// The variable of a key that is no register, wherever a thread is.
    fn anywhere(&mut self, key: &Key) -> TermId {
        if let Some(variable) = self.variables.get(key) {
            return variable.term;
        }
        let (bits, first) = self.first(key);
        let known = self.knowledge.value(key, bits, first);
        let fact = known.map_or(Fact::constant(0, bits), |known| known.fact());
        let term = self.variable("v", bits, fact);
        let initial = first.unwrap_or(fact.ones);
        let variable = Variable { initial, term };
        self.variables.insert(key.clone(), variable);
        term
    }

    /// Width and initial value of a variable that is no register; without one, something is written before it is read.
    fn first(&mut self, key: &Key) -> (u16, Option<u128>) {
        match key {
            Key::Cell {
                slot,
                offset,
                bytes,
            } => {
                let value = self.knowledge.initial(self.program, *slot, *offset, *bytes);
                ((bytes * 8) as u16, value)
            }
            Key::Result(_) => (self.program.model.pointer_bits(), None),
            Key::Register { .. } | Key::Distance { .. } | Key::Within { .. } => {
                unreachable!("registers are variables of locations")
            }
            Key::Size(_) => (self.program.model.pointer_bits(), None),
            Key::Content(_) => unreachable!("content of arrays is no variable"),
            Key::Note { .. } => (32, Some(0)),
            Key::Mutex { .. } if self.program.deadlocks => (OWNER_BITS, Some(0)),
            Key::Mutex { .. } | Key::Live(_) | Key::Started(_) | Key::Ended(_) => (1, Some(0)),
        }
    }

    /// Sets a variable that is no register.
    pub fn set_variable(&mut self, state: &mut EdgeState, key: Key, term: TermId) {
        self.value(&key);
        state.changed.insert(key, term);
    }

    /// A free value that the instruction at the state's place chooses.
    pub fn input(&mut self, state: &EdgeState, bits: u16, offset_bytes: Option<u64>) -> TermId {
        let number = self.used.entry(bits).or_insert(0);
        let term = match self.pool.get(&(bits, *number)) {
            Some(term) => *term,
            None => {
                let term = self.terms.fresh("input", bits);
                self.pool.insert((bits, *number), term);
                self.free.insert(term);
                term
            }
        };
        *number += 1;
        let is_choice = matches!(self.next_instr(state), Some(InstrKind::Nondet { .. }));
        self.inputs.push(Input {
            at: state.stack(),
            offset_bytes,
            term,
            is_choice,
        });
        term
    }

    /// Free value: true if a term is one.
    pub fn is_input(&self, term: TermId) -> bool {
        self.free.contains(&term)
    }

    /// Takes note of a variable that may keep a free value.
    pub fn note_free(&mut self, key: &Key, term: TermId) {
        if self.is_free_word(term) {
            self.knowledge.note_free(key);
        }
    }

    /// Takes note of cells' values where a thread comes to a place.
    pub fn note_cells(
        &mut self,
        state: &EdgeState,
        thread: u32,
        place: &Point,
        cells: &SortedSet<Key>,
    ) {
        let mut values = Vec::new();
        for key in cells {
            let term = self.now(state, key);
            let fact = self.refined(&state.path, term);
            values.push((key.clone(), fact, self.terms.bits(term)));
        }
        self.knowledge.note_cells(thread, place, &values);
    }

    /// Takes note of cells' values where main starts.
    pub fn note_initial(&mut self, start: &Point) {
        let mut values = Vec::new();
        for key in self.steady.clone() {
            if let (bits, Some(value)) = self.first(&key) {
                values.push((key, Fact::constant(value, bits), bits));
            }
        }
        self.knowledge.note_cells(0, start, &values);
    }

    /// Drops what a thread that takes no further step has written and nobody else sees: then less is known to vary.
    pub fn forget_unseen(&self, state: &mut EdgeState) {
        // Beside nobody, main will not create anybody, either.
        let is_alone = self.thread == 0 && state.beside.is_empty();
        let sees_nobody = |key: &Key| is_alone || self.knowledge.is_private(key, self.thread);
        state.changed.retain(|key, _| !sees_nobody(key));
    }

    /// The variable of a register.
    pub fn register_in(&self, chain: u32, reg: Reg) -> Key {
        Key::Register {
            thread: self.thread,
            chain,
            reg,
        }
    }
}
