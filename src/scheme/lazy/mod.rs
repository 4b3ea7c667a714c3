//! The scheme `lazy`: threads take turns, and memory is computed along the turns (lazy sequentialisation, as
//! Lazy-CSeq and Lazy-CSeq-SP have it).
//!
//! A *slot* is a turn of one thread in one round: main first, then the others by number, and one last turn of
//! main after the last round, which is its first of the next one. Where a thread stands after each of its turns is
//! guessed, as a unary number of steps; everything else depends on the guess. State is threaded through the slots.
//!
//! Checks before a thread's first step are made in its first turn after its creation: a thread that is created in
//! main's last turn checks nothing within these rounds.
//!
//! A step whose guard is false may be passed; it has no effect, and where it blocked, the guards of everything
//! after it are false too. A thread that must not block yet is one that has not got there.
//!
//! | file | what it holds |
//! |---|---|
//! | `position` | where threads stand after their turns |
//! | `machine` | executing a step: memory (through [`Memory`]), ends of threads, values |
//! | `single` | what is read of cells that one thread writes |
//! | `prune` | which schedules are left out (Fig. 1 of the paper) |
//! | `bits` | how much of a variable memory holds (§VI of the paper on TSO and PSO) |
//! | `switch` | before which steps control may change (§3 of the paper) |
//!
//! *Rounds rise* within one formula: the slots of another round are appended, and what has been stated and learnt of
//! those before stays. A question about r rounds is asked before the slots of the next one are there, or under the
//! assumption that nothing is executed in these.
//!
//! *The clock's bound rises* within one formula, too: the encoding has the greatest one, and questions about a lower bound assume that
//! no time that is guessed is beyond it. All other times are some of these.
//!
//! *When are rounds enough?* A schedule needs a new round whenever control goes from a thread to one that does
//! not come after it in the round. Each such change leaves a non-main thread, and a block of its steps for
//! good. So with M steps of threads other than main there are at most M changes; if there are exactly M, all
//! steps of the others are used up and the last change goes to main, which the last turn of main takes. So
//! M rounds hold every schedule. Likewise each change enters a thread other than the last one, and the first
//! step of all, which is main's, is entered without a change: so one round per step of all threads but the
//! last is enough, too. With fewer rounds, the solver is asked whether a schedule that is not pruned executes a step
//! in the slots of one more round (see [`prune`]).
//!
//! Differences from the paper's translation: a switch before the first statement of a thread (its rule 3) is there
//! because resumed functions execute again what they skip; nothing is executed again here. Its Figure 1 guesses the
//! end of a turn anew even for threads that have ended; positions here end with the thread.

mod bits;
mod machine;
mod method;
mod position;
pub mod prune;
mod settings;
mod single;
pub mod switch;

pub use prune::Prune;
pub use settings::Settings;
pub use switch::SwitchPoints;

use super::memory::{Bounds, Chosen, Circuit, Guesses, Memory};
use super::{Beyond, Encoded};
use crate::base::IdVec;
use crate::circuit::{Formula, Lit};
use crate::event::{CellId, EventId, EventKind, EventProgram, MemoryModel, ThreadId};
use crate::goal::{Claim, Model};
use crate::relation::faults::Fault as RelationFault;
use crate::relation::turn::{Transactions, Turn};
use crate::scheme::faults::{self, Fault};
use crate::term::TermId;
use machine::Machine;
use prune::{Footprint, History, Taken};
use single::At;

/// The encoding of a program.
pub struct Lazy<M = Chosen> {
    transactions: Transactions,
    /// Choices of memory.
    guesses: Guesses,
    /// By slot: the events that may be executed in it, with the number of memory's next operation.
    done: Vec<Vec<(EventId, usize)>>,
    /// Slots in order, with the steps that may be executed in them and the conditions that they are.
    slots: Vec<Turn>,
    /// By slot: the same conditions as in `reached`, behind it.
    positions: Vec<Vec<TermId>>,
    /// The condition that a thread has executed its first `i + 1` steps so far.
    reached: IdVec<ThreadId, Vec<TermId>>,
    /// The condition that a thread has a turn after its creation.
    started: IdVec<ThreadId, TermId>,
    /// Threads that check something before their first step.
    checks_first: IdVec<ThreadId, bool>,
    machine: Machine<M>,
    history: History,
    /// Rounds that there are.
    rounds: u32,
    /// The rounds that questions are about, and the condition that nothing is executed beyond them.
    within: (u32, Lit),
    /// Clock's bound that questions are about, where it rises, and the condition that no time is beyond it.
    clock: Option<(u32, Lit)>,
    /// Questions are about pruned schedules alone.
    pruning: bool,
    /// The most rounds that may be asked for, and whether fewer are asked for first.
    limit: (u32, bool),
    /// By round from 0, with main's turn after it.
    ends: Vec<Stage>,
}

/// State after a round and main's turn that follows it: the number of slots, and the conditions that threads have had a
/// turn after their creation.
struct Stage {
    slots: usize,
    started: IdVec<ThreadId, TermId>,
}

impl<M: Memory> Lazy<M> {
    /// States the turns of the first rounds (one by default) and a last one of main. Questions may rise to the last ones.
    pub fn encode(
        program: &mut EventProgram,
        formula: &mut Formula,
        settings: Settings,
    ) -> Lazy<M> {
        let (first, rounds) = settings.rounds.map_or((1, 1), |all| (all.first, all.last));
        let first = first.min(rounds);
        let enough = Bounds::enough(program);
        let bounds = settings.buffers.of(enough);
        let model = program.memory;
        if bounds.is_sequential() {
            program.memory = MemoryModel::Sc;
        }
        // What can be exchanged is known of writes that are in memory at once, and of steps that are all taken.
        let movers = !program.memory.is_weak() && bounds.addresses >= enough.addresses;
        let transactions = match settings.switch_points {
            SwitchPoints::Effects if movers => Transactions::of(program),
            _ => Transactions::single(program),
        };
        let machine: Machine<M> =
            Machine::new(program, formula, &transactions, (settings.bits, bounds));
        let fals = program.terms.fals();
        let none = |list: &Vec<_>| vec![fals; list.len()];
        let mut lazy = Lazy {
            reached: transactions.all.iter().map(none).collect(),
            started: program.threads.ids().map(|_| fals).collect(),
            checks_first: program.threads.ids().map(|_| false).collect(),
            machine,
            transactions,
            guesses: Guesses::default(),
            done: Vec::new(),
            slots: Vec::new(),
            positions: Vec::new(),
            history: History::new(program, formula, settings.prune),
            rounds: 0,
            within: (0, Lit::TRUE),
            clock: settings.clock_rises.then_some((bounds.clock, Lit::TRUE)),
            pruning: true,
            limit: (rounds, first < rounds),
            ends: Vec::new(),
        };
        for local in &lazy.transactions.po.locals {
            lazy.checks_first[local.thread] |= lazy.transactions.before(local).is_none();
        }
        program.memory = model;
        lazy.take_turn(program, formula, 0, ThreadId(0));
        lazy.add_rounds(program, formula, first.max(1));
        lazy.within = (lazy.rounds, Lit::TRUE);
        lazy
    }

    /// Adds rounds until there are so many.
    fn add_rounds(&mut self, program: &mut EventProgram, formula: &mut Formula, rounds: u32) {
        while self.rounds < rounds {
            let round = self.rounds;
            for thread in program.threads.ids().skip(1) {
                self.take_turn(program, formula, round, thread);
            }
            self.take_turn(program, formula, round + 1, ThreadId(0));
            self.rounds += 1;
            self.ends.push(Stage {
                slots: self.slots.len(),
                started: self.started.clone(),
            });
        }
    }

    /// States again that no time is beyond the clock's bound that questions are about: there may be new ones.
    fn keep_time(&mut self, program: &mut EventProgram, formula: &mut Formula) {
        let Some((bound, within)) = &mut self.clock else {
            return;
        };
        let late = |time: TermId| {
            let bits = program.terms.bits(time);
            let last = program.terms.constant(u128::from(*bound - 1), bits);
            let late = program.terms.ult(last, time);
            formula.lit_of(&program.terms, late)
        };
        let all: Vec<Lit> = self.guesses.times().into_iter().map(late).collect();
        *within = !formula.or_all(&all);
    }

    /// Something is executed or checked in the rounds after the first `rounds` and main's turn that follows them.
    fn executed_after(
        &self,
        program: &mut EventProgram,
        formula: &mut Formula,
        rounds: u32,
    ) -> Lit {
        let Some(end) = self.ends.get((rounds as usize).wrapping_sub(1)) else {
            return Lit::FALSE;
        };
        let mut all: Vec<Lit> = Vec::new();
        for &(_, here) in self.slots[end.slots..].iter().flat_map(|slot| &slot.steps) {
            all.push(formula.lit_of(&program.terms, here));
        }
        // A thread may have something to check without a step.
        for (thread, _) in self.checks_first.iter_ids().filter(|(_, checks)| **checks) {
            let not = program.terms.not(end.started[thread]);
            let late = program.terms.and(self.started[thread], not);
            all.push(formula.lit_of(&program.terms, late));
        }
        formula.or_all(&all)
    }

    /// Pruning on or off: sets whether questions from now on are about pruned schedules only (as they are at first).
    /// The answers are the same.
    #[cfg(test)]
    pub fn prune(&mut self, pruning: bool) {
        self.pruning = pruning;
    }

    /// Completeness by counting: true if so many rounds hold every schedule, by the number of steps alone (see above).
    fn holds_all(&self, rounds: u32) -> bool {
        // What a thread checks before its first step needs a turn like a step.
        let checks = |thread| usize::from(thread != ThreadId(0) && self.checks_first[thread]);
        let steps = self.transactions.all.iter_ids();
        let steps = steps.map(|(thread, list)| list.len() + checks(thread));
        let steps: Vec<usize> = steps.filter(|&len| len > 0).collect();
        let all: usize = steps.iter().sum();
        let but_main = all - self.transactions.all.iter().next().map_or(0, Vec::len);
        let but_last = all - steps.last().copied().unwrap_or(0);
        rounds as usize >= but_main.min(but_last)
    }

    fn take_turn(
        &mut self,
        program: &mut EventProgram,
        formula: &mut Formula,
        round: u32,
        thread: ThreadId,
    ) {
        self.started[thread] = self.created(program, thread);
        if self.transactions.all[thread].is_empty() {
            return;
        }
        let before = self.reached[thread].clone();
        let after = self.guess(program, formula, thread, &before);
        let mut circuit = Circuit {
            terms: &mut program.terms,
            formula,
            guesses: &mut self.guesses,
        };
        let mut steps: Vec<(usize, TermId)> = Vec::new();
        let mut touched: Vec<(TermId, TermId, Footprint)> = Vec::new();
        for i in 0..after.len() {
            let fresh = circuit.terms.not(before[i]);
            let here = circuit.terms.and(after[i], fresh);
            if here == circuit.terms.fals() {
                continue;
            }
            let first = match i {
                0 => here,
                _ => circuit.terms.and(here, before[i - 1]),
            };
            let at = At {
                place: (thread, i),
                here,
                slot: self.slots.len(),
                reached: &self.reached,
            };
            let mut footprint = Footprint::new(self.history.wants_footprints());
            for &step in &self.transactions.all[thread][i] {
                let of_step = &self.transactions.po.steps[step].events;
                let events = &program.events;
                self.machine
                    .execute(events, &mut circuit, of_step, &at, &mut footprint);
            }
            steps.push((i, here));
            touched.push((here, first, footprint));
        }
        // In main's first turn of a round, memory is what it was in the beginning.
        let lost = thread == ThreadId(0) && round > 0 && faults::on(Fault::RoundLost);
        if lost {
            self.machine.memory = M::init(program, Bounds::enough(program));
        }
        let taken = Taken {
            thread,
            created: self.started[thread],
            ended: &self.machine.ended,
            steps: touched,
        };
        self.history.add(&mut program.terms, formula, taken);
        self.positions.push(after.clone());
        self.reached[thread] = after;
        self.slots.push(Turn { thread, steps });
        self.done.push(std::mem::take(&mut self.machine.done));
    }
}

impl<M: Memory + 'static> Encoded for Lazy<M> {
    fn claims(&mut self, program: &mut EventProgram) -> Vec<Claim> {
        let mut claims = Vec::new();
        for local in self.transactions.po.locals.clone() {
            let there = match self.transactions.before(&local) {
                Some(last) => self.reached[local.thread][last],
                None if faults::on(Fault::AssertUnstarted) => self.created(program, local.thread),
                None => self.started[local.thread],
            };
            let there = if faults::on(Fault::AssertEarly) {
                program.terms.tru()
            } else {
                there
            };
            let guard = program.events[local.event].guard;
            let happens = program.terms.and(there, guard);
            let violated = match program.events[local.event].kind {
                EventKind::Assert { cond, .. } => {
                    let broken = program.terms.not(cond);
                    let guarded = if faults::on(RelationFault::AssertGuard) {
                        there
                    } else {
                        happens
                    };
                    Some(program.terms.and(guarded, broken))
                }
                _ => None,
            };
            // A cut counts where it happens, an assertion where it is checked.
            let reached = match violated {
                None => happens,
                Some(_) => {
                    let reached = program.events[local.event].reached;
                    program.terms.and(there, reached)
                }
            };
            claims.push(Claim {
                event: local.event,
                reached,
                violated,
            });
        }
        claims
    }

    fn last(
        &mut self,
        program: &mut EventProgram,
        formula: &mut Formula,
        cells: &[CellId],
    ) -> Option<Vec<TermId>> {
        let mut circuit = Circuit {
            terms: &mut program.terms,
            formula,
            guesses: &mut self.guesses,
        };
        let (machine, reached) = (&self.machine, &self.reached);
        let contents = cells.iter();
        contents
            .map(|cell| machine.last(&mut circuit, *cell, reached))
            .collect()
    }

    fn decode(
        &self,
        program: &EventProgram,
        model: &mut dyn Model,
        target: EventId,
    ) -> Option<Vec<EventId>> {
        let happens = |model: &mut dyn Model, event: EventId| {
            let done = match program.events[event].kind {
                EventKind::Join { done, .. } => model.holds(done),
                _ => true,
            };
            done && model.holds(program.events[event].guard)
        };
        let commits = self.machine.memory.commits(model);
        let mut commits = commits.iter().peekable();
        let take = |model: &mut dyn Model, turn: usize, event, order: &mut Vec<EventId>| {
            if !happens(model, event) {
                return;
            }
            let done = self.done[turn].iter().rev().find(|done| done.0 == event);
            let until = done.map_or(0, |done| done.1);
            // Before what follows, writes reach memory, maybe this one, too.
            while let Some(commit) = commits.next_if(|commit| commit.at < until) {
                if program.events[commit.event].buffered {
                    order.push(commit.event);
                }
            }
            let event_of = &program.events[event];
            if !event_of.buffered || !self.machine.is_delayed(event_of) {
                order.push(event);
            }
        };
        let order = self
            .transactions
            .decode(program, model, target, &self.slots, take)?;
        Some(if program.memory == self.machine.model {
            order
        } else {
            with_fences(program, model, target, order)
        })
    }

    fn level(&self) -> u32 {
        self.within.0
    }

    fn rises_to(&self) -> Option<u32> {
        let (most, rising) = self.limit;
        rising.then_some(most)
    }

    fn next(&self) -> u32 {
        self.within.0 + 1
    }

    fn grow(&mut self, program: &mut EventProgram, formula: &mut Formula, level: u32) -> bool {
        let grows = level > self.rounds;
        self.add_rounds(program, formula, level);
        if grows {
            self.keep_time(program, formula);
        }
        grows
    }

    fn limit(&mut self, program: &mut EventProgram, formula: &mut Formula, bound: u32) -> bool {
        if let Some((asked, _)) = &mut self.clock {
            *asked = bound;
        }
        self.keep_time(program, formula);
        self.clock.is_some()
    }

    fn restrict(&mut self, program: &mut EventProgram, formula: &mut Formula, level: u32) {
        let within = level.min(self.rounds);
        let beyond = self.executed_after(program, formula, within);
        self.within = (within, !beyond);
    }

    fn farther(&self) -> Option<u32> {
        let asked = !self.holds_all(self.within.0) && self.history.assumption() != Lit::TRUE;
        asked.then_some(self.within.0 + 1)
    }

    fn within(&self) -> Vec<Lit> {
        let clock = self.clock.map(|(_, within)| within);
        self.pruned()
            .into_iter()
            .chain([self.within.1])
            .chain(clock)
            .collect()
    }

    fn pruned(&self) -> Option<Lit> {
        let pruned = self.pruning.then(|| self.history.assumption());
        pruned.filter(|&lit| lit != Lit::TRUE)
    }

    /// With another round, in which nothing happens if no execution needs more.
    fn beyond(&mut self, program: &mut EventProgram, formula: &mut Formula) -> Beyond {
        let rounds = self.within.0;
        if self.holds_all(rounds) {
            return Beyond::None;
        }
        if self.history.assumption() == Lit::TRUE {
            // Any schedule can be stretched.
            return Beyond::Some;
        }
        self.restrict(program, formula, rounds);
        let within = std::mem::replace(&mut self.within.1, Lit::TRUE);
        let assumed = self.within();
        self.within.1 = within;
        Beyond::Asked {
            goal: !within,
            within: assumed,
        }
    }

    fn excluded(&self) -> Option<Vec<Lit>> {
        Some(vec![!self.history.assumption()])
    }

    /// Of each turn, how far it goes: windows of the places at which a thread may be interrupted, as those of Nguyen, Schrammel,
    /// Fischer, La Torre and Parlato ("Parallel bug-finding in concurrent programs via reduced interleaving instances", ASE 2017). There,
    /// an instance is a choice of windows in which any switch may be; here it has one for each turn, so that no two share a schedule.
    fn splits(&self, program: &EventProgram, formula: &mut Formula) -> Vec<Vec<Lit>> {
        let lits = |turn: &Vec<TermId>| {
            let all = turn.iter().map(|&t| formula.lit_of(&program.terms, t));
            all.collect()
        };
        self.positions.iter().map(lits).collect()
    }
}

/// Puts the fences into an execution in which nothing is ever pending: they are no steps there.
fn with_fences(
    program: &EventProgram,
    model: &mut dyn Model,
    target: EventId,
    order: Vec<EventId>,
) -> Vec<EventId> {
    let mut next: IdVec<ThreadId, usize> = program.threads.iter().map(|_| 0).collect();
    let mut all = Vec::with_capacity(order.len());
    for event in order.into_iter().chain([target]) {
        let thread = program.events[event].thread;
        let own = &program.threads[thread].events[next[thread]..];
        let until = own.iter().position(|&id| id == event).unwrap_or(0);
        all.extend(own[..until].iter().filter(|&&id| {
            let fence = matches!(program.events[id].kind, EventKind::Fence);
            fence && model.holds(program.events[id].guard)
        }));
        next[thread] += until;
        if event != target {
            all.push(event);
            next[thread] += 1;
        }
    }
    all
}
