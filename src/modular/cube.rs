//! Sets of states of invariants: some bits of some words have certain values. And the names of words.

use crate::base::id::Id;
use crate::event::Origin;
use crate::ir::Program;
use crate::ir::layout::path_at;
use crate::pdr::Invariant;
use crate::transition::relation::{Name, Relation, Word};
use crate::transition::{Automata, Key, Point, SlotOwner};
use std::collections::BTreeMap;

/// A conjunction: values of bits, by word and bit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Cube(pub BTreeMap<(usize, u16), bool>);

/// Blocked cubes: states that are never reached, the complement of an invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocked {
    pub cubes: Vec<Cube>,
    /// Depth of the invariant, see [`Invariant`].
    pub depth: usize,
}

impl Blocked {
    /// The states that an invariant over these latches, bits of words, excludes.
    pub fn of(latches: &[(usize, u16)], invariant: &Invariant) -> Blocked {
        let clauses = invariant.clauses.iter();
        let cube = |clause: &Vec<i32>| {
            let bits = clause.iter();
            let bits = bits.map(|l| (latches[l.unsigned_abs() as usize - 1], *l < 0));
            Cube(bits.collect())
        };
        Blocked {
            cubes: clauses.map(cube).collect(),
            depth: invariant.depth,
        }
    }

    /// The invariant over these latches; `None` if the states are about other bits.
    pub fn invariant(&self, latches: &[(usize, u16)]) -> Option<Invariant> {
        let numbers: BTreeMap<(usize, u16), i32> = latches.iter().copied().zip(1..).collect();
        let clause = |cube: &Cube| {
            let mut clause = Vec::new();
            for (bit, value) in &cube.0 {
                let number = *numbers.get(bit)?;
                clause.push(if *value { -number } else { number });
            }
            Some(clause)
        };
        let clauses: Option<Vec<Vec<i32>>> = self.cubes.iter().map(clause).collect();
        Some(Invariant {
            clauses: clauses?,
            depth: self.depth,
        })
    }
}

impl Cube {
    /// Words that occur, ascending.
    fn words(&self) -> Vec<usize> {
        let mut words: Vec<usize> = self.0.keys().map(|(word, _)| *word).collect();
        words.dedup();
        words
    }

    /// In C, as far as C has words for it.
    pub fn in_c(&self, program: &Program, automata: &Automata, relation: &Relation) -> String {
        let parts: Vec<String> = self
            .words()
            .into_iter()
            .map(|word| self.word_in_c(program, automata, relation, word))
            .collect();
        if parts.is_empty() {
            "1".to_string()
        } else {
            parts.join(" && ")
        }
    }

    fn word_in_c(
        &self,
        program: &Program,
        automata: &Automata,
        relation: &Relation,
        number: usize,
    ) -> String {
        let Some(word) = relation.words.get(number) else {
            // The flag of a query's system.
            let is_set = self.0.contains_key(&(number, 0)) && self.0[&(number, 0)];
            return if is_set { "started" } else { "!started" }.to_string();
        };
        let bits = relation.terms.bits(word.term);
        let fact = relation.terms.fact(word.term);
        let (mut mask, mut value) = (0u128, 0u128);
        for ((_, bit), set) in self.0.iter().filter(|((word, _), _)| *word == number) {
            mask |= 1 << bit;
            value |= u128::from(*set) << bit;
        }
        let name = name(program, automata, word);
        let open = crate::term::word::mask(bits) & !(fact.zeros | fact.ones);
        if mask == open {
            if open == 1 && fact.ones == 0 {
                return if value == 1 { name } else { format!("!{name}") };
            }
            return format!("{name} == {}", value | fact.ones);
        }
        format!("({name} & {mask}) == {value}")
    }
}

/// The name of a word.
pub fn name(program: &Program, automata: &Automata, word: &Word) -> String {
    let routine = |thread: u32| {
        let automaton = &automata.threads[crate::event::ThreadId(thread)];
        program.functions[automaton.function].name.clone()
    };
    let object = |slot: &crate::ir::address::Slot, offset: u64, bits: u16| {
        let place = automata
            .slots
            .iter()
            .find(|(_, s)| s == slot)
            .map(|(place, _)| place);
        let base = match place {
            Some(SlotOwner::Static(Origin::Global(id) | Origin::ThreadLocal(id, _))) => {
                let global = &program.globals[*id];
                let pointer_bytes = u64::from(program.model.pointer_bits()) / 8;
                let part = path_at(&program.types, global.ty, offset, bits, pointer_bytes);
                return format!("{}{part}", global.name);
            }
            Some(SlotOwner::Stack(thread, _)) => format!("local of {}", routine(thread.0)),
            Some(SlotOwner::Heap(thread, _)) => format!("heap{} of {}", slot.0, routine(thread.0)),
            _ => "object".to_string(),
        };
        match offset {
            0 => base,
            _ => format!("{base}+{offset}"),
        }
    };
    match &word.name {
        Name::Location(thread) => format!("place of {}#{}", routine(thread.0), thread.index()),
        Name::Flag => "started".to_string(),
        Name::Variable(key) => match key {
            Key::Cell {
                slot,
                offset,
                bytes,
            } => object(slot, *offset, (8 * bytes) as u16),
            Key::Mutex { slot, offset } => format!(
                "locked({})",
                object(slot, *offset, 0).trim_end_matches(".__lock")
            ),
            Key::Live(slot) => format!("lives({})", object(slot, 0, 0)),
            Key::Size(slot) => format!("size({})", object(slot, 0, 0)),
            Key::Content(slot) => object(slot, 0, 0),
            Key::Started(thread) => format!("created({}#{thread})", routine(*thread)),
            Key::Ended(thread) => format!("ended({}#{thread})", routine(*thread)),
            Key::Result(thread) => format!("result({}#{thread})", routine(*thread)),
            Key::Register { thread, reg, .. }
            | Key::Distance { thread, reg, .. }
            | Key::Within { thread, reg, .. } => {
                let automaton = &automata.threads[crate::event::ThreadId(*thread)];
                let function = automaton.locations.iter().find_map(|location| {
                    let known = location.registers.iter().any(|(k, _)| k == key);
                    match (&location.place, known) {
                        (Point::Code(stack, _), true) => stack.last().map(|frame| frame.0),
                        _ => None,
                    }
                });
                let info = function.and_then(|f| program.functions[f].regs.get(*reg));
                let own = info.and_then(|info| info.name.clone());
                let own = own.unwrap_or_else(|| format!("r{}", reg.0));
                let own = match key {
                    Key::Distance { .. } => format!("offset({own})"),
                    Key::Within { .. } => format!("within({own})"),
                    _ => own,
                };
                format!("{}#{thread}::{own}", routine(*thread))
            }
        },
    }
}
