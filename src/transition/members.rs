//! Members of families that are told apart: copies of the automaton that was explored for all of them.

use super::automaton::{
    Automata, Automaton, Edge, Key, Location, LocationId, Refusal, SlotOwner, Variable,
};
use super::family::Family;
use crate::base::id::Id;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::base::{IdVec, Loc};
use crate::event::{Origin, ThreadId};
use crate::ir::address::Slot;
use crate::term::{Fact, Memo, TermId, VarId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Open bits of a register that is no counter, at most.
const COUNTER: u32 = 3;

/// Automata with one for all members of each family.
pub struct Explored {
    automata: Automata,
    /// By family: its thread, and the objects that a member has for itself.
    families: Vec<(ThreadId, Vec<Slot>)>,
}

impl Explored {
    pub(super) fn new(mut automata: Automata, families: Vec<(ThreadId, Vec<Slot>)>) -> Explored {
        automata.forget_counters(&families);
        Explored { automata, families }
    }

    /// Automata in which so many members of each family have one.
    ///
    /// # Errors
    /// Another thread knows a variable of a member.
    pub fn told_apart(&self, members: usize) -> Result<Automata, Refusal> {
        let mut automata = self.automata.clone();
        for (thread, own) in &self.families {
            let family = automata.add_members(*thread, own, members);
            automata.create_members(&family)?;
            automata.families.push(family);
        }
        Ok(automata)
    }
}

type Renaming = HashMap<VarId, TermId, FxBuildHasher>;

impl Automata {
    /// Copies a thread's automaton for the members of its family; the thread is the first of them.
    fn add_members(&mut self, thread: ThreadId, own: &[Slot], members: usize) -> Family {
        let mut family = Family {
            members: vec![thread],
            slots: vec![own.to_vec()],
        };
        let keys = self.variables.keys();
        let of_first: Vec<Key> = keys
            .filter(|key| family.member(key).is_some())
            .cloned()
            .collect();
        let mut next = self
            .slots
            .iter()
            .map(|(_, slot)| slot.0 + 1)
            .max()
            .unwrap_or(1);
        next = next.max(self.used_slots);
        for number in 1..members {
            let id = ThreadId(self.threads.len() as u32);
            family.members.push(id);
            family
                .slots
                .push(own.iter().zip(next..).map(|(_, slot)| Slot(slot)).collect());
            next += own.len() as u32;
            let slot_of = |slot: Slot| {
                let at = own.iter().position(|s| *s == slot)?;
                Some(family.slots[number][at])
            };
            for (owner, slot) in self.slots.clone() {
                if let Some(copy) = slot_of(slot) {
                    let owner = match owner {
                        SlotOwner::Stack(_, at) => SlotOwner::Stack(id, at),
                        SlotOwner::Heap(_, at) => SlotOwner::Heap(id, at),
                        SlotOwner::Static(Origin::ThreadLocal(global, _)) => {
                            SlotOwner::Static(Origin::ThreadLocal(global, id))
                        }
                        SlotOwner::Static(origin) => SlotOwner::Static(origin),
                    };
                    self.slots.push((owner, copy));
                }
            }
            for (slot, loc) in self.arrays.clone() {
                self.arrays.extend(slot_of(slot).map(|copy| (copy, loc)));
            }
            let mut renaming = Renaming::default();
            for key in &of_first {
                let Variable { initial, term } = self.variables[key];
                let mut copy = term;
                if let Some(var) = self.terms.var_of(term) {
                    let (bits, fact) = (self.terms.bits(term), self.terms.fact(term));
                    copy = self.terms.fresh_within("v", bits, fact);
                    renaming.insert(var, copy);
                }
                let variable = Variable {
                    initial,
                    term: copy,
                };
                self.variables.insert(family.renamed(key, number), variable);
            }
            let automaton = self.copy(thread, &family, number, &renaming);
            self.threads.push(automaton);
        }
        for beside in self.beside.iter_mut() {
            if beside.contains(thread) {
                family.members.iter().for_each(|member| {
                    beside.insert(*member);
                });
            }
        }
        family
    }

    /// The automaton of a thread with the variables of another member.
    fn copy(
        &mut self,
        thread: ThreadId,
        family: &Family,
        number: usize,
        renaming: &Renaming,
    ) -> Automaton {
        let (terms, mut memo) = (&mut self.terms, Memo::new());
        let of = &self.threads[thread];
        let mut term = |t: TermId| terms.substitute(t, renaming, &mut memo);
        let slot_of = |slot: Slot| match family.renamed(&Key::Live(slot), number) {
            Key::Live(slot) => slot,
            _ => slot,
        };
        let mut locations: IdVec<LocationId, Location> = IdVec::new();
        for location in of.locations.iter() {
            let mut copy = location.clone();
            for (key, _) in &mut copy.registers {
                *key = family.renamed(key, number);
            }
            for read in &mut copy.reads {
                read.slot = slot_of(read.slot);
                (read.offset, read.when) = (term(read.offset), term(read.when));
                read.value = term(read.value);
            }
            locations.push(copy);
        }
        let edges = of.edges.iter().map(|edge| Edge {
            from: edge.from,
            guard: term(edge.guard),
            updates: edge
                .updates
                .iter()
                .map(|(key, value)| (family.renamed(key, number), term(*value)))
                .collect(),
            count: term(edge.count),
            outcome: edge.outcome.clone(),
        });
        Automaton {
            function: of.function,
            created_at: of.created_at,
            edges: edges.collect(),
            locations,
        }
    }

    /// Lets main choose which member it creates: one that has not begun, or one that is not told apart.
    ///
    /// # Errors
    /// Main, or another thread, knows another variable of a member.
    fn create_members(&mut self, family: &Family) -> Result<(), Refusal> {
        let first = family.members[0];
        let started = self.started(first);
        let not_yet: Renaming = match self.terms.var_of(started) {
            Some(var) => [(var, self.terms.fals())].into_iter().collect(),
            None => Renaming::default(),
        };
        let bits = (usize::BITS - family.members.len().leading_zeros()) as u16;
        let who = self.terms.fresh("member", bits);
        let facts = self.facts_of_registers(first);
        let mut edges = std::mem::take(&mut self.threads[ThreadId(0)].edges);
        for edge in &mut edges {
            let mut updates = edge.updates.iter();
            let Some((_, term)) = updates.find(|(key, _)| *key == Key::Started(first.0)) else {
                continue;
            };
            let created = self.terms.substitute(*term, &not_yet, &mut Memo::new());
            let mut updates = Vec::new();
            for (number, member) in family.members.iter().enumerate() {
                let id = self.terms.constant(number as u128, bits);
                let chosen = self.terms.eq(who, id);
                let started = self.started(*member);
                let not_yet = self.terms.not(started);
                let chosen = self.terms.and(chosen, created);
                let now = self.terms.and(chosen, not_yet);
                for (key, term) in &edge.updates {
                    if family.member(key).is_none() {
                        continue;
                    }
                    let key = family.renamed(key, number);
                    let term = match (&key, facts.get(&family.renamed(&key, 0))) {
                        (Key::Started(_), _) => self.terms.or(started, chosen),
                        // Nobody asks for its value.
                        (_, None) => *term,
                        (_, Some((bits, fact))) => {
                            let old = self.terms.fresh_within("argument", *bits, *fact);
                            let var = self.terms.var_of(old);
                            let main = &mut self.threads[ThreadId(0)].locations[edge.from];
                            main.registers.extend(var.map(|var| (key.clone(), var)));
                            self.terms.ite(now, *term, old)
                        }
                    };
                    updates.push((key, term));
                }
            }
            edge.updates.retain(|(key, _)| family.member(key).is_none());
            edge.updates.extend(updates);
        }
        self.threads[ThreadId(0)].edges = edges;
        self.alone(family)
    }

    /// Forgets the counters of main where it creates threads: wide registers that live there and that a move gives a value which
    /// depends on their own alone. They get any value that is known to be possible, so that how often main has created a
    /// thread need not be found out step by step.
    fn forget_counters(&mut self, families: &[(ThreadId, Vec<Slot>)]) {
        let main = &mut self.threads[ThreadId(0)];
        let creates = |edge: &&Edge| {
            let is_creation = |key: &Key| families.iter().any(|(id, _)| *key == Key::Started(id.0));
            edge.updates.iter().any(|(key, _)| is_creation(key))
        };
        let places = main.edges.iter().filter(creates);
        let registers = places.flat_map(|edge| &main.locations[edge.from].registers);
        let live: SortedSet<Key> = registers.map(|(key, _)| key.clone()).collect();
        for edge in &mut main.edges {
            let before = &main.locations[edge.from].registers;
            for (key, term) in &mut edge.updates {
                let own = before.iter().find(|(other, _)| other == key);
                let is_counter = matches!(key, Key::Register { .. }) && live.contains(key);
                let Some((_, var)) = own.filter(|_| is_counter) else {
                    continue;
                };
                let (bits, fact) = (self.terms.bits(*term), self.terms.fact(*term));
                let open = fact.open(bits).count_ones();
                if open > COUNTER && self.terms.support(*term) == [*var] {
                    *term = self.terms.fresh_within("counter", bits, fact);
                }
            }
        }
    }

    fn started(&mut self, thread: ThreadId) -> TermId {
        let known = self.variables.get(&Key::Started(thread.0));
        let none = self.terms.fals();
        known.map_or(none, |variable| variable.term)
    }

    /// Widths and facts of a thread's registers, wherever they live.
    fn facts_of_registers(&self, thread: ThreadId) -> SortedMap<Key, (u16, Fact)> {
        let mut facts: SortedMap<Key, (u16, Fact)> = SortedMap::new();
        for location in self.threads[thread].locations.iter() {
            for (key, var) in &location.registers {
                let term = self.terms.variable(*var);
                let (bits, fact) = (self.terms.bits(term), self.terms.fact(term));
                let known = facts.entry(key.clone()).or_insert((bits, fact));
                let (zeros, ones) = (known.1.zeros & fact.zeros, known.1.ones & fact.ones);
                known.1 = Fact::of_bits(bits, zeros, ones);
            }
        }
        facts
    }

    /// Checks that nobody else reads or changes a variable of a member, but that main says who has begun.
    fn alone(&self, family: &Family) -> Result<(), Refusal> {
        let own: SortedSet<VarId> = self
            .variables
            .iter()
            .filter(|(key, _)| family.member(key).is_some() && !matches!(key, Key::Started(_)))
            .filter_map(|(_, variable)| self.terms.var_of(variable.term))
            .collect();
        let loc = self.threads[family.members[0]]
            .created_at
            .as_ref()
            .map_or(Loc::NONE, |c| c.1);
        for (id, automaton) in self.threads.iter_ids() {
            if family.of_thread(id).is_some() {
                continue;
            }
            let reads = |term: TermId| self.terms.support(term).iter().any(|var| own.contains(var));
            for edge in &automaton.edges {
                let mut updates = edge.updates.iter();
                let changes = updates.any(|(key, term)| {
                    let is_argument =
                        id.index() == 0 && matches!(key, Key::Register { .. } | Key::Started(_));
                    reads(*term) || family.member(key).is_some() && !is_argument
                });
                if changes || reads(edge.guard) {
                    return Err(Refusal::HandedOn(loc));
                }
            }
        }
        Ok(())
    }
}
