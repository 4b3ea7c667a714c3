//! All executions of a small program, under the memory model of its bounds.
//!
//! Depth-first search over states between *visible* steps: a thread's step is the visible instruction (or
//! atomic section) it stands at and the local code after it. States that were seen before are not expanded
//! again. Two states are the same if they agree on everything that later steps can depend on: dead registers,
//! dead objects and finished threads do not count, and iteration numbers only do if a bound looks at them.
//!
//! Every thread may stop before any visible step, so a violation or a cut counts as soon as some reachable
//! state shows it; what happens elsewhere afterwards does not matter. An atomic section that cannot come to
//! its end has not run: the state from which it was tried simply lacks that successor.
//!
//! Machine addresses come from a small set (`interpret/candidates.rs`). A program that looks at none pays nothing: the
//! search starts without them, and again whenever the address of an object is needed whose life it has not watched, or a number is used
//! as an address for the first time, to which it matters whose addresses have been cast to integers.
//! The begin and the end of a watched object concern others, so these are visible steps.
//!
//! Under a weak memory model, a buffered store is issued with the local code that it stands in, as nobody else can tell,
//! and that it reaches memory is a step of its own.

mod deadlock;
#[cfg(feature = "internals")]
mod fewest;
#[cfg(feature = "internals")]
pub mod observe;
mod race;
#[cfg(feature = "internals")]
pub mod turns;

use super::deadlock::DeadlockKind;
use super::interpret::digest::Digests;
use super::interpret::lookup::Next;
use super::interpret::script::{Domain, Script};
use super::interpret::state::{State, Status};
use super::interpret::watch::{Subject, Watch};
use super::interpret::{Bounds, Effect, Interpreter};
use crate::base::sorted::{SortedMap, SortedSet};
use crate::base::{Budget, Loc};
use crate::event::{Cut, ThreadId};
#[cfg(feature = "internals")]
use crate::ir::position::PosKey;
use crate::ir::{InstrKind, Program, Property};
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;
use std::cell::Cell;

/// Limits of the search, beyond which it gives up.
#[derive(Clone, Debug)]
pub struct Limits {
    /// States that are expanded.
    pub states: usize,
    /// Instructions of one step, local code included.
    pub step_instructions: u64,
    /// True if the first violation ends the search.
    pub first_violation: bool,
    /// Values that an input takes (two's complement, cut to its width), unless it takes all.
    #[cfg_attr(
        not(feature = "internals"),
        expect(dead_code, reason = "proofs take all")
    )]
    pub inputs: Vec<i128>,
    /// Values that an uninitialised variable takes when it is first read, unless it takes all.
    #[cfg_attr(
        not(feature = "internals"),
        expect(dead_code, reason = "proofs take all")
    )]
    pub uninitialised: Vec<i128>,
    /// True if a load that needs a value is undefined where none was ever written.
    pub needs_values: bool,
    /// True if data races are looked for, which are only known under sequential consistency.
    pub races: bool,
    /// True if deadlocks are looked for, in a program that was read for it.
    pub deadlocks: bool,
    /// Limits of time and memory.
    pub budget: Budget,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            states: 200_000,
            step_instructions: 100_000,
            first_violation: false,
            inputs: (-1..=4).collect(),
            uninitialised: vec![0, 1],
            needs_values: true,
            races: false,
            deadlocks: false,
            budget: Budget::unlimited(),
        }
    }
}

/// Results of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exploration {
    /// Assertions that some execution violates.
    pub violations: SortedMap<Loc, Property>,
    /// Places of allocations of blocks that are lost or not freed where some execution ends, and which of both.
    pub leaks: HashSet<(Loc, Property)>,
    /// Pairs of places of accesses that race in some execution, the lesser first.
    pub races: SortedSet<(Loc, Loc)>,
    /// Places at which some thread is blocked for ever in some state.
    pub deadlocks: SortedSet<Loc>,
    /// Those of threads that wait for each other.
    pub cycles: SortedSet<Loc>,
    /// Number of states with a deadlock of each kind.
    pub deadlocked: SortedMap<DeadlockKind, usize>,
    /// Cuts that some execution reaches.
    pub cuts: SortedSet<(Cut, Loc)>,
    /// True if some execution reaches an assertion.
    pub asserted: bool,
    /// True if some execution ends where threads wait for mutexes and for each other.
    pub deadlock: bool,
    /// States that were expanded.
    pub states: usize,
    /// Most threads of a state, main included.
    pub threads: usize,
    /// True if some execution looks at a machine address. Only some of these are tried, so that there may be more
    /// violations than were found.
    pub observed: bool,
    /// True if a limit was hit, so that there may be more than was found.
    pub gave_up: bool,
}

/// Explores executions within `bounds`; `Err` says what leaves no room in the address space.
#[cfg(feature = "internals")]
pub fn enumerate(
    program: &Program,
    bounds: Bounds,
    limits: &Limits,
) -> Result<Exploration, (Loc, String)> {
    enumerate_observed(program, bounds, limits, &[], &mut |_| ())
}

/// Explores executions as [`enumerate`] does, and shows every instruction. Threads that are `created` there have these numbers.
#[cfg(feature = "internals")]
pub fn enumerate_observed(
    program: &Program,
    bounds: Bounds,
    limits: &Limits,
    created: &[((ThreadId, PosKey), ThreadId)],
    observer: observe::Observer<'_>,
) -> Result<Exploration, (Loc, String)> {
    let domain = Domain::Some {
        inputs: &limits.inputs,
        uninitialised: &limits.uninitialised,
    };
    let mut watched: HashSet<_> = HashSet::new();
    loop {
        let mut search = Search::new(program, bounds, limits, domain)?;
        search.interpreter.watch = Watch::Only(watched.clone());
        search.interpreter.number_threads(created);
        search.observer = Some(&mut *observer);
        search.run();
        match search.unwatched {
            Some(subject) => watched.insert(subject),
            None => {
                search.found.observed = !watched.is_empty();
                return Ok(search.found);
            }
        };
    }
}

/// All states of a program in none of which a thread is blocked for ever: all of them, with all values of whatever it leaves
/// open, under sequential consistency. `None` if there is such a state, if an execution ends for a reason that ends no program, if
/// a machine address matters, if some choice has too many values, or if a limit is hit.
pub fn free_of_deadlocks(
    program: &Program,
    limits: &Limits,
) -> Result<Option<Exploration>, (Loc, String)> {
    let sampled = Cell::new(false);
    let domain = Domain::All { sampled: &sampled };
    let mut search = Search::new(program, Bounds::default(), limits, domain)?;
    search.sampled = Some(&sampled);
    search.interpreter.watch = Watch::Only(HashSet::new());
    search.run();
    let is_whole = search.deadlocks && search.unwatched.is_none() && !search.is_refuted();
    Ok(is_whole.then_some(search.found))
}

struct Search<'p> {
    interpreter: Interpreter<'p>,
    limits: &'p Limits,
    script: Script<'p>,
    digests: Digests<'p>,
    found: Exploration,
    /// What machine addresses depend on although it has not been watched.
    unwatched: Option<Subject>,
    /// Data races are looked for.
    races: bool,
    /// Deadlocks are looked for.
    deadlocks: bool,
    /// Proof that there are none: the search ends as soon as it is none. The flag says that not all values were tried.
    sampled: Option<&'p Cell<bool>>,
    /// Observer, who sees every instruction.
    #[cfg(feature = "internals")]
    observer: Option<observe::Observer<'p>>,
    /// Turns of threads, where they are counted.
    #[cfg(feature = "internals")]
    turns: Option<fewest::Turns>,
}

impl<'p> Search<'p> {
    fn new(
        program: &'p Program,
        bounds: Bounds,
        limits: &'p Limits,
        domain: Domain<'p>,
    ) -> Result<Search<'p>, (Loc, String)> {
        let mut search = Search {
            interpreter: Interpreter::new(program, bounds)?,
            limits,
            script: Script::new(domain),
            digests: Digests::new(program),
            found: Exploration::default(),
            unwatched: None,
            races: limits.races && !bounds.memory.is_weak(),
            deadlocks: limits.deadlocks && program.deadlocks,
            sampled: None,
            #[cfg(feature = "internals")]
            observer: None,
            #[cfg(feature = "internals")]
            turns: None,
        };
        search.digests.races = search.races;
        search.interpreter.needs_values = limits.needs_values;
        Ok(search)
    }

    /// True if it is a proof no longer.
    fn is_refuted(&self) -> bool {
        self.found.gave_up
            || !self.found.cuts.is_empty()
            || !self.found.deadlocks.is_empty()
            || self.sampled.is_some_and(Cell::get)
    }

    fn run(&mut self) {
        let mut seen: HashSet<u128, FxBuildHasher> = HashSet::default();
        let mut stack = Vec::new();
        self.script.restart();
        loop {
            let mut state = self.interpreter.start();
            if self.settle(&mut state, ThreadId(0)) {
                stack.push(state);
            }
            if !self.script.advance() {
                break;
            }
        }
        while let Some(state) = stack.pop() {
            if self.unwatched.is_some() || self.sampled.is_some() && self.is_refuted() {
                return;
            }
            if self.limits.first_violation && !self.found.violations.is_empty() {
                return;
            }
            if !seen.insert(self.digests.of(&self.interpreter, &state)) {
                continue;
            }
            self.found.states += 1;
            let is_over = self.found.states > self.limits.states;
            if is_over || self.limits.budget.check().is_some() {
                self.found.gave_up = true;
                return;
            }
            if self.races {
                self.note_races(&state);
            }
            if self.deadlocks {
                self.note_deadlocks(&state);
            }
            let ids: Vec<ThreadId> = state.thread_ids().collect();
            self.found.threads = self.found.threads.max(ids.len());
            // A join that can proceed commutes with whatever others do, and nobody can take it away. But behind it, the thread may
            // end the process, in which others would have been blocked for ever.
            let mut joins = ids.iter().copied();
            let join = joins.find(|id| !self.deadlocks && self.can_join(&state, *id));
            let before = stack.len();
            for id in join.map_or(ids, |id| vec![id]) {
                self.successors(&state, id, &mut stack);
                for index in self.interpreter.committable(&state, id) {
                    self.commits(&state, id, index, &mut stack);
                }
            }
            self.found.deadlock |= stack.len() == before && self.is_deadlock(&state);
        }
    }

    /// Deadlock: true if the first thread has not ended, and all threads that have not are at a mutex or a join, in a state that
    /// no step leaves.
    fn is_deadlock(&mut self, state: &State) -> bool {
        state.thread(ThreadId(0)).status == Status::Running
            && state.thread_ids().all(|id| match state.thread(id).status {
                Status::Ended(_) => true,
                Status::Running => matches!(
                    self.interpreter.next(state, id).0,
                    Next::Instr(InstrKind::Lock { .. } | InstrKind::Join { .. })
                ),
                _ => false,
            })
    }

    /// All states that it leads to that a store reaches memory.
    fn commits(&mut self, state: &State, id: ThreadId, index: usize, stack: &mut Vec<State>) {
        self.script.restart();
        loop {
            let mut next = state.clone();
            match self
                .interpreter
                .commit(&mut next, id, index, &mut self.script)
            {
                Ok(_) => stack.push(next),
                Err(why) => self.give_up(Effect::from(why)),
            }
            if !self.script.advance() {
                return;
            }
        }
    }

    /// Takes note of an address that cannot be given.
    fn give_up(&mut self, effect: Effect) {
        match effect {
            Effect::Unwatched(subject) => self.unwatched = Some(subject),
            _ => self.found.gave_up = true,
        }
    }

    fn can_join(&mut self, state: &State, id: ThreadId) -> bool {
        let thread = state.thread(id);
        if thread.status != Status::Running || thread.section > 0 {
            return false;
        }
        let Next::Instr(InstrKind::Join { thread: joined, .. }) =
            self.interpreter.next(state, id).0
        else {
            return false;
        };
        let joined = self.interpreter.value(state, id, *joined);
        let joined = u32::try_from(joined)
            .ok()
            .map(ThreadId)
            .filter(|id| state.exists(*id));
        joined.is_some_and(|joined| matches!(state.thread(joined).status, Status::Ended(_)))
    }

    /// All states that one step of a thread leads to.
    fn successors(&mut self, state: &State, id: ThreadId, stack: &mut Vec<State>) {
        if state.thread(id).status != Status::Running {
            return;
        }
        self.script.restart();
        loop {
            let mut next = state.clone();
            if self.step(&mut next, id) {
                stack.push(next);
            }
            if !self.script.advance() || self.unwatched.is_some() {
                return;
            }
        }
    }

    /// The visible step a thread stands at, and the local code after it; false if it cannot be taken or
    /// nothing can follow it.
    fn step(&mut self, state: &mut State, id: ThreadId) -> bool {
        let mut created = Vec::new();
        match self.instruction(state, id, &mut created) {
            Progress::On => self.settle_all(state, id, created),
            Progress::Halted => true,
            Progress::Undone => false,
        }
    }

    /// Runs a thread's local code up to its next visible step; false as for [`Self::step`].
    fn settle(&mut self, state: &mut State, id: ThreadId) -> bool {
        self.settle_all(state, id, Vec::new())
    }

    fn settle_all(&mut self, state: &mut State, id: ThreadId, mut created: Vec<ThreadId>) -> bool {
        created.insert(0, id);
        let mut budget = self.limits.step_instructions;
        while let Some(id) = created.pop() {
            while state.thread(id).status == Status::Running {
                if state.thread(id).section == 0 && self.stops(state, id) {
                    break;
                }
                if budget == 0 {
                    self.found.gave_up = true;
                    return false;
                }
                budget -= 1;
                match self.instruction(state, id, &mut created) {
                    Progress::On => {}
                    Progress::Halted => break,
                    Progress::Undone => return false,
                }
            }
        }
        true
    }

    /// True if a thread stands before a visible step.
    fn stops(&mut self, state: &State, id: ThreadId) -> bool {
        self.interpreter.is_visible(state, id)
            || self.races && self.may_race(state, id)
            || self.deadlocks && self.interpreter.matters_for_deadlocks(state, id)
    }

    /// Executes one instruction and notes what the search looks for.
    fn instruction(
        &mut self,
        state: &mut State,
        id: ThreadId,
        created: &mut Vec<ThreadId>,
    ) -> Progress {
        let in_section = state.thread(id).section > 0;
        if in_section && self.races {
            self.note_races_of(state, id);
        }
        let (loc, _) = self
            .interpreter
            .place_of(state, id, self.interpreter.next(state, id).1);
        let halted = if in_section {
            Progress::Undone
        } else {
            Progress::Halted
        };
        #[cfg(feature = "internals")]
        let (position, part) = (state.frame(id).position(), state.frame(id).part);
        let digests = &mut self.digests;
        let effect = digests.execute(&mut self.interpreter, state, id, &mut self.script);
        #[cfg(feature = "internals")]
        self.observe(state, (id, position, part), &effect);
        match effect {
            // Where turns are counted, it needs one.
            Effect::Create { .. } if self.counts_turns() => {}
            Effect::Create { child } => created.push(child),
            Effect::CreateBeyond { .. } => {
                self.found.cuts.insert((Cut::Threads, loc));
            }
            Effect::Held => self.found.asserted = true,
            Effect::Violation { property } => {
                self.found.asserted = true;
                self.found.violations.insert(loc, property);
                self.note_turn(loc, property);
                return halted;
            }
            Effect::Leaked { property, blocks } => {
                let made = |slot| state.memory.get(slot).map(|object| object.made);
                for place in blocks.into_iter().filter_map(made) {
                    self.found.leaks.insert((place, property));
                }
            }
            Effect::Cut(why) => {
                if let Cut::Undefined(why) = why {
                    self.note_turn(loc, Property::Defined(why));
                }
                self.found.cuts.insert((why, loc));
                return halted;
            }
            Effect::Stopped => return halted,
            Effect::Blocked => return Progress::Undone,
            effect @ (Effect::Misplaced(_) | Effect::Unwatched(_)) => {
                self.give_up(effect);
                return Progress::Undone;
            }
            _ => {}
        }
        Progress::On
    }

    /// True if turns of threads are counted.
    fn counts_turns(&self) -> bool {
        #[cfg(feature = "internals")]
        return self.turns.is_some();
        #[cfg(not(feature = "internals"))]
        false
    }

    /// Takes note of the turn in which something is violated, where turns are counted.
    fn note_turn(&mut self, loc: Loc, property: Property) {
        #[cfg(feature = "internals")]
        if let Some(turns) = &mut self.turns {
            turns.note(loc, property);
        }
        #[cfg(not(feature = "internals"))]
        let _ = (loc, property);
    }

    /// Shows an instruction.
    #[cfg(feature = "internals")]
    fn observe(&mut self, state: &State, at: (ThreadId, PosKey, u64), effect: &Effect) {
        if let Some(observer) = &mut self.observer {
            observer(&observe::Executed {
                interpreter: &self.interpreter,
                state,
                thread: at.0,
                position: at.1,
                part: at.2,
                effect,
            });
        }
    }
}

/// Progress of the search after an instruction: how it goes on.
enum Progress {
    On,
    /// The thread takes no further step, the others do.
    Halted,
    /// The step as a whole has not happened, or the execution ends with it.
    Undone,
}
