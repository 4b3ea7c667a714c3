//! All interleavings of the automata as one bit-level system.
//!
//! In every step an input chooses a thread, and the edge of its location whose guard holds is taken; if there is
//! none, or another thread is within an atomic section, nothing changes. Locations are numbers in binary, registers that
//! are different variables in different locations are one word of latches: what is known of a location's registers is
//! written into the words there, so that it need not be found out again. Only what bad steps depend on becomes a latch.

use super::automaton::{ArrayRead, Automata, Edge, Key, LocationId, Outcome};
use super::meeting::meeting;
use super::relation::{Name, Relation, relation};
use super::request::Kind;
use super::stuck::{Stuck, stuck};
use crate::base::id::Id;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::ThreadId;
use crate::ir::Checks;
use crate::ir::Property;
use crate::ir::address::Slot;
use crate::pdr::{System, Trace};
use crate::term::word::mask;
use crate::term::{Evaluator, TermId, Terms, VarId};
use crate::transition::faults::{self, Fault};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Bad steps, by their outcomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bad {
    /// Assertions that fail.
    pub violations: bool,
    /// Undefined behaviour that these checks are about.
    pub undefined: Checks,
    pub unsupported: bool,
    /// Two threads stand before accesses that race.
    pub races: bool,
    /// Threads are blocked for ever.
    pub deadlocks: bool,
}

/// A bit-level system, and what its bits mean.
pub struct Product {
    pub system: System,
    /// Word of the relation, and bit, of each latch.
    pub latches: Vec<(usize, u16)>,
    /// Variable and bit of each input.
    inputs: Vec<(VarId, u16)>,
    /// The variable that chooses the thread; `None` if there is only one.
    choice: Option<VarId>,
    /// What is stuck, with the relation that it is said of; `None` if nobody asks.
    stuck: Option<(Relation, Stuck)>,
}

/// Execution of automata that ends in something bad.
#[derive(Clone, Debug)]
pub struct Execution {
    pub steps: Vec<Step>,
    pub end: End,
}

/// What is bad where an execution ends.
#[derive(Clone, Debug)]
pub enum End {
    /// The last step.
    Step,
    /// Two threads that meet behind it.
    Met(Box<Met>),
    /// A thread that never leaves the place where it stands.
    Stuck(ThreadId, LocationId),
}

/// Two threads that stand before accesses which race.
pub type Met = [Stand; 2];

/// Thread that stands before an access.
#[derive(Clone, Debug)]
pub struct Stand {
    pub thread: ThreadId,
    pub at: LocationId,
    /// Number of the access among those that are attempted there.
    pub attempt: usize,
    /// Instructions before it, which are those of a section.
    pub count: u64,
    /// Values of the location's inputs.
    pub inputs: Vec<u128>,
    /// Values of array objects that are read there.
    pub reads: Vec<Seen>,
    kind: Kind,
    slot: u128,
    offset: u128,
    bytes: u128,
    /// Width of offsets in bits.
    bits: u16,
}

/// One step of an execution.
#[derive(Clone, Debug)]
pub struct Step {
    pub thread: ThreadId,
    /// Index of the edge in its automaton.
    pub edge: usize,
    /// Instructions that it executes.
    pub count: u64,
    /// Values of the location's inputs.
    pub inputs: Vec<u128>,
    /// Values of array objects that it reads, as they are before it.
    pub reads: Vec<Seen>,
}

/// A value that was read in an array object.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub slot: Slot,
    pub offset: u64,
    pub bytes: u32,
    pub value: u128,
}

impl Bad {
    /// Everything that keeps a program from being proved, but for races and deadlocks.
    pub const ALL: Bad = Bad {
        violations: true,
        undefined: Checks::ALL,
        unsupported: true,
        races: false,
        deadlocks: false,
    };

    /// Bad edge: true if one with this outcome is bad.
    pub fn is(self, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Goto(_) => false,
            Outcome::Violation { .. } => self.violations,
            Outcome::Undefined { why, .. } => self.undefined.asks(Property::Defined(*why)),
            Outcome::Unsupported { .. } => self.unsupported,
        }
    }
}

/// Builds the product.
pub fn product(automata: &Automata, bad: Bad) -> Product {
    let mut relation = relation(automata);
    let choice = choice(&mut relation, automata.threads.len());
    let active: Vec<TermId> = automata
        .threads
        .ids()
        .map(|id| active(&mut relation, id, choice))
        .collect();
    let mut found = relation.terms.fals();
    let mut changes: Vec<Vec<(TermId, TermId)>> = vec![Vec::new(); relation.words.len()];
    for step in relation.moves.clone() {
        let taken = relation.terms.and(active[step.thread.index()], step.taken);
        if bad.is(&automata.threads[step.thread].edges[step.edge].outcome) {
            found = relation.terms.or(found, taken);
        }
        for (word, term) in step.updates {
            if !(faults::on(Fault::ProductUpdate) && changes[word].len() > 1) {
                changes[word].push((taken, term));
            }
        }
    }
    let next = all_after(&mut relation, &changes);
    if bad.races {
        let met = meeting(automata, &mut relation);
        found = relation.terms.or(found, met);
    }
    let stuck = bad.deadlocks.then(|| stuck(automata, &mut relation));
    if let Some(stuck) = &stuck {
        found = relation.terms.or(found, stuck.any);
    }
    let bits = relation.bits(&next, found, &[], &SortedSet::new(), &[]);
    Product {
        system: bits.system,
        latches: bits.latches,
        inputs: bits.inputs,
        choice: choice.and_then(|term| relation.terms.var_of(term)),
        stuck: stuck.map(|stuck| (relation, stuck)),
    }
}

/// An input that says which of so many threads moves (maybe none of them); `None` for a single one.
pub fn choice(relation: &mut Relation, threads: usize) -> Option<TermId> {
    let bits = (usize::BITS - (threads - 1).leading_zeros()) as u16;
    (threads > 1).then(|| relation.terms.fresh("thread", bits))
}

/// Condition that it is a thread's turn: it is chosen, and no other one is within a section.
pub fn active(relation: &mut Relation, thread: ThreadId, choice: Option<TermId>) -> TermId {
    let terms = &mut relation.terms;
    let mut active = terms.tru();
    if let Some(choice) = choice {
        let bits = terms.bits(choice);
        let number = terms.constant(thread.index() as u128, bits);
        active = terms.eq(choice, number);
    }
    for (other, within) in relation.sections.iter_ids() {
        if other != thread && !faults::on(Fault::ProductSection) {
            let not = terms.not(*within);
            active = terms.and(active, not);
        }
    }
    active
}

/// The value of a word after a step: at most one of the conditions holds.
pub fn after(terms: &mut Terms, unchanged: TermId, changes: &[(TermId, TermId)]) -> TermId {
    let mut next = unchanged;
    for (when, term) in changes.iter().rev() {
        next = terms.ite(*when, *term, next);
    }
    next
}

/// The values of all words after a step, with the changes of each word, of which at most one happens.
pub(super) fn all_after(relation: &mut Relation, changes: &[Vec<(TermId, TermId)>]) -> Vec<TermId> {
    let words = relation.words.iter().zip(changes);
    let terms = &mut relation.terms;
    let next = words.map(|(word, changes)| after(terms, word.term, changes));
    next.collect()
}

/// Values of variables that are inputs.
pub type Given = HashMap<VarId, u128, FxBuildHasher>;

/// A turn of a thread.
pub type Turn = (ThreadId, Given);

/// Values that bits of variables have.
pub(super) fn given(bits: &[(VarId, u16)], values: &[bool]) -> Given {
    let mut given = Given::default();
    for ((var, bit), value) in bits.iter().zip(values) {
        *given.entry(*var).or_insert(0) |= u128::from(*value) << bit;
    }
    given
}

impl Product {
    /// The execution that a counterexample is, without steps in which nothing happens. `None` if nothing is bad at its end.
    pub fn execution(&self, automata: &Automata, trace: &Trace, bad: Bad) -> Option<Execution> {
        let mut run = Run::new(automata);
        for inputs in &trace.inputs {
            let given = given(&self.inputs, inputs);
            let met = if bad.races { run.met(&given) } else { None };
            let end = match (met, self.stuck(&run, &given)) {
                (Some(met), _) => Some(End::Met(Box::new(met))),
                (None, Some((thread, at))) => Some(End::Stuck(thread, at)),
                (None, None) => None,
            };
            if let Some(end) = end {
                let steps = run.steps;
                return Some(Execution { steps, end });
            }
            let chosen = self.choice.and_then(|var| given.get(&var).copied());
            let turn = run.turn(ThreadId(chosen.unwrap_or(0) as u32), given);
            if turn.is_some_and(|turn| run.take(turn, bad)) {
                let steps = run.steps;
                let end = End::Step;
                return Some(Execution { steps, end });
            }
        }
        None
    }

    /// A thread that never leaves the place where it stands: one of a cycle, if there is one, otherwise one that is blocked or spins.
    fn stuck(&self, run: &Run, given: &Given) -> Option<(ThreadId, LocationId)> {
        let (relation, stuck) = self.stuck.as_ref()?;
        let given = run.of_words(relation, given.clone());
        let assignment = |var: VarId| given.get(&var).copied().unwrap_or(0);
        let mut evaluator = Evaluator::new(&relation.terms, &assignment);
        if !evaluator.holds(stuck.any) {
            return None;
        }
        let threads = run.automata.threads.ids();
        let in_cycle = threads.filter(|thread| evaluator.holds(stuck.in_cycle[thread.index()]));
        let of_cycle: Vec<ThreadId> = in_cycle.collect();
        let threads = run.automata.threads.ids();
        let threads: Vec<ThreadId> = threads
            .filter(|thread| of_cycle.is_empty() || of_cycle.contains(thread))
            .collect();
        for places in [&stuck.blocked, &stuck.spins] {
            for thread in &threads {
                let mut places = places[*thread].iter();
                if let Some((at, _)) = places.find(|(_, when)| evaluator.holds(*when)) {
                    return Some((*thread, *at));
                }
            }
        }
        None
    }
}

/// Steps that threads take in their turns, from the start to the first bad edge; turns in which nothing happens are left
/// out. `None` if there is no bad edge.
pub fn follow(
    automata: &Automata,
    turns: impl Iterator<Item = Turn>,
    bad: Bad,
) -> Option<Vec<Step>> {
    let mut run = Run::new(automata);
    for (thread, given) in turns {
        let turn = run.turn(thread, given);
        if turn.is_some_and(|turn| run.take(turn, bad)) {
            return Some(run.steps);
        }
    }
    None
}

/// An execution of automata.
pub(super) struct Run<'a> {
    automata: &'a Automata,
    /// Places of threads; `None` of one that was stopped on its way.
    places: Vec<Option<LocationId>>,
    values: SortedMap<Key, u128>,
    pub steps: Vec<Step>,
}

/// Turn of a thread, as planned.
pub(super) struct Planned {
    pub reads: Vec<Seen>,
    /// Its step, if it has one, and the new values of variables.
    step: Option<(Step, Vec<(Key, u128)>)>,
}

impl<'a> Run<'a> {
    /// Start of all threads.
    pub fn new(automata: &'a Automata) -> Run<'a> {
        let threads = automata.threads.iter();
        Run {
            automata,
            places: threads.map(|_| Some(LocationId(0))).collect(),
            values: SortedMap::new(),
            steps: Vec::new(),
        }
    }

    /// The place of a thread.
    pub fn place(&self, thread: ThreadId) -> Option<LocationId> {
        self.places.get(thread.index()).copied().flatten()
    }

    /// Atomic section: true if another thread is within one.
    pub fn is_kept_waiting(&self, thread: ThreadId) -> bool {
        let within = |other: ThreadId| {
            let place = self.place(other);
            let locations = &self.automata.threads[other].locations;
            place.is_some_and(|at| locations[at].place.in_section())
        };
        let mut threads = self.automata.threads.ids();
        threads.any(|other| other != thread && within(other))
    }

    /// Value of a variable that is no register.
    pub fn value(&self, key: &Key) -> u128 {
        let initial = || self.automata.variables.get(key).map_or(0, |v| v.initial);
        self.values.get(key).copied().unwrap_or_else(initial)
    }

    /// Turn that a thread would have now, with these values of inputs; `None` if it cannot have one.
    pub fn turn(&self, thread: ThreadId, given: Given) -> Option<Planned> {
        let (automata, terms) = (self.automata, &self.automata.terms);
        let from = self.place(thread)?;
        if self.is_kept_waiting(thread) {
            return None;
        }
        let automaton = &automata.threads[thread];
        let given = self.here(thread, from, given);
        let assignment = |var: VarId| given.get(&var).copied().unwrap_or(0);
        let mut evaluator = Evaluator::new(terms, &assignment);
        let reads = seen(&mut evaluator, &automaton.locations[from].reads);
        let mut edges = automaton.edges.iter().enumerate();
        let taken = edges.find(|(_, edge)| edge.from == from && evaluator.holds(edge.guard));
        let step = taken.map(|(index, edge)| {
            let updates = edge.updates.iter();
            let updates = updates.map(|(key, term)| (key.clone(), evaluator.value(*term)));
            let updates = updates.collect();
            let inputs = automaton.locations[from].inputs.iter();
            let step = Step {
                thread,
                edge: index,
                count: evaluator.value(edge.count) as u64,
                inputs: inputs.map(|input| evaluator.value(input.term)).collect(),
                reads: reads.clone(),
            };
            (step, updates)
        });
        Some(Planned { reads, step })
    }

    /// Values of the words of a relation.
    fn of_words(&self, relation: &Relation, mut given: Given) -> Given {
        for word in &relation.words {
            let value = match &word.name {
                Name::Location(thread) => match self.place(*thread) {
                    Some(location) => location.index() as u128,
                    None => self.automata.threads[*thread].locations.len() as u128,
                },
                Name::Variable(key) if self.automata.variables.contains_key(key) => self.value(key),
                Name::Variable(key) => self.values.get(key).copied().unwrap_or(word.initial),
                Name::Flag => continue,
            };
            given.extend(relation.terms.var_of(word.term).map(|var| (var, value)));
        }
        given
    }

    /// Values of variables and registers where a thread is, and of inputs.
    fn here(&self, thread: ThreadId, from: LocationId, mut given: Given) -> Given {
        let automata = self.automata;
        for (key, variable) in &automata.variables {
            if let Some(var) = automata.terms.var_of(variable.term) {
                given.insert(var, self.value(key));
            }
        }
        for (key, var) in &automata.threads[thread].locations[from].registers {
            let value = self.values.get(key).copied().unwrap_or(0);
            given.insert(*var, value);
        }
        given
    }

    /// Two threads that stand before accesses which race, with these inputs.
    fn met(&self, given: &Given) -> Option<Met> {
        let threads = self.automata.threads.ids();
        let all: Vec<Stand> = threads.flat_map(|id| self.stands(id, given)).collect();
        all.iter().enumerate().find_map(|(number, second)| {
            let first = all[..number].iter().find(|first| first.meets(second))?;
            Some([first.clone(), second.clone()])
        })
    }

    /// The accesses that a thread attempts.
    fn stands(&self, thread: ThreadId, given: &Given) -> Vec<Stand> {
        let Some(at) = self.place(thread) else {
            return Vec::new();
        };
        let location = &self.automata.threads[thread].locations[at];
        let given = self.here(thread, at, given.clone());
        let assignment = |var: VarId| given.get(&var).copied().unwrap_or(0);
        let mut evaluator = Evaluator::new(&self.automata.terms, &assignment);
        let mut stands = Vec::new();
        for (number, attempt) in location.attempts.iter().enumerate() {
            if !evaluator.holds(attempt.when) {
                continue;
            }
            let inputs = location.inputs.iter();
            let inputs = inputs.map(|input| evaluator.value(input.term)).collect();
            stands.push(Stand {
                thread,
                at,
                attempt: number,
                count: evaluator.value(attempt.count) as u64,
                inputs,
                reads: seen(&mut evaluator, &location.reads),
                kind: attempt.kind,
                slot: evaluator.value(attempt.request.slot),
                offset: evaluator.value(attempt.request.offset),
                bytes: evaluator.value(attempt.request.bytes),
                bits: self.automata.terms.bits(attempt.request.offset),
            });
        }
        stands
    }

    /// Does what was planned; true if that is bad.
    pub fn take(&mut self, planned: Planned, bad: Bad) -> bool {
        let Some((step, updates)) = planned.step else {
            return false;
        };
        let edge = &self.automata.threads[step.thread].edges[step.edge];
        self.values.extend(updates);
        self.places[step.thread.index()] = destination(edge);
        self.steps.push(step);
        bad.is(&edge.outcome)
    }
}

impl Stand {
    /// Race: true if the accesses are of different threads and conflict.
    fn meets(&self, other: &Stand) -> bool {
        let within = |a: &Stand, b: &Stand| {
            a.bytes > 0 && (a.offset.wrapping_sub(b.offset) & mask(self.bits)) < b.bytes
        };
        self.thread != other.thread
            && self.kind.conflicts(other.kind)
            && self.slot == other.slot
            && (within(self, other) || within(other, self))
    }
}

/// Values of array objects that are read.
fn seen(evaluator: &mut Evaluator, reads: &[ArrayRead]) -> Vec<Seen> {
    let mut all = Vec::new();
    for read in reads {
        if evaluator.holds(read.when) {
            all.push(Seen {
                slot: read.slot,
                offset: evaluator.value(read.offset) as u64,
                bytes: read.bytes,
                value: evaluator.value(read.value),
            });
        }
    }
    all
}

fn destination(edge: &Edge) -> Option<LocationId> {
    match edge.outcome {
        Outcome::Goto(to) => Some(to),
        _ => None,
    }
}
