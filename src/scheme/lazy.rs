//! The scheme `lazy`: threads take turns, and memory is computed along the turns.
//!
//! A *slot* is a turn of one thread in one round: main first, then the others by number, and one last turn of
//! main after the last round. Where a thread stands after each of its turns is guessed, as a unary number of
//! steps; everything else is a function of the guess. State (one term per cell) is threaded through the slots.
//! A step that is executed in a slot reads the state: its variable stands for `executed here ? state : what
//! it stood for before`, and terms over it are instantiated again for the slot by substitution.
//!
//! What a thread checks before its first step it checks in its first turn after its creation: one that is created in
//! main's last turn checks nothing within these rounds.
//!
//! A step whose guard is false may be passed; it has no effect, and where it blocked, the guards of everything
//! after it are false too. A thread that must not block yet is one that has not got there.
//!
//! A section is all or nothing. Inside, reads see the section's own writes as far as their events are reached
//! ([`Event::reached`](crate::event::Event)); only then it is known whether the section can finish, and
//! memory takes its writes if so.
//!
//! *When are rounds enough?* A schedule needs a new round whenever control goes from a thread to one that does
//! not come after it in the round. Each such change leaves a non-main thread, and a block of its steps for
//! good. So with M steps of threads other than main there are at most M changes; if there are exactly M, all
//! steps of the others are used up and the last change goes to main, which the last turn of main takes. So
//! M rounds hold every schedule. Likewise each change enters a thread other than the last one, and the first
//! step of all, which is main's, is entered without a change: so one round per step of all threads but the
//! last is enough, too.

use super::environment::Environment;
use super::faults::{self, Fault};
use super::skeleton::NodeId;
use super::turn::{Steps, Turn};
use super::{Claim, Model};
use crate::base::IdVec;
use crate::circuit::{Formula, Lit};
use crate::event::{CellId, Event, EventId, EventKind, EventProgram, Target, ThreadId};
use crate::term::TermId;

/// The encoding of a program.
pub struct Lazy {
    steps: Steps,
    /// Slots in order, with the steps that may be executed in them and the conditions that they are.
    slots: Vec<Turn>,
    /// The condition that a thread has executed its first `i + 1` steps at the end.
    reached: IdVec<ThreadId, Vec<TermId>>,
    /// The condition that a thread has a turn after its creation.
    started: IdVec<ThreadId, TermId>,
    environment: Environment,
    /// Guard of each event (of a join: that it came through) in the final environment.
    happens: IdVec<EventId, TermId>,
    rounds: u32,
}

/// Memory and threads between two slots.
struct State {
    cells: IdVec<CellId, TermId>,
    ended: IdVec<ThreadId, TermId>,
}

impl Lazy {
    /// States the turns of `rounds` rounds (at least 1) and a last one of main.
    pub fn encode(program: &mut EventProgram, formula: &mut Formula, rounds: u32) -> Lazy {
        let steps = Steps::of(program);
        let rounds = rounds.max(1);
        let fals = program.terms.fals();
        let mut lazy = Lazy {
            reached: steps
                .all
                .iter()
                .map(|list| vec![fals; list.len()])
                .collect(),
            steps,
            started: program.threads.ids().map(|_| fals).collect(),
            slots: Vec::new(),
            environment: Environment::default(),
            happens: IdVec::new(),
            rounds,
        };
        for event in program.events.iter() {
            if let EventKind::Join { done, .. } = event.kind {
                lazy.environment.set(&program.terms, done, fals);
            }
        }
        let mut state = State {
            cells: program.cells.iter().map(|cell| cell.init).collect(),
            ended: program.threads.iter().map(|_| fals).collect(),
        };
        let mut active: Vec<(ThreadId, Lit)> = Vec::new();
        for round in 0..=rounds {
            for thread in program.threads.ids() {
                let last_turn = round == rounds;
                if last_turn && thread != ThreadId(0) {
                    continue;
                }
                lazy.started[thread] = lazy.created(program, thread);
                if lazy.steps.all[thread].is_empty() {
                    continue;
                }
                lazy.take_turn(program, formula, &mut state, &mut active, round, thread);
            }
        }
        lazy.environment.next_slot();
        for event in program.events.iter() {
            let mut guard = event.guard;
            if let EventKind::Join { done, .. } = event.kind {
                guard = program.terms.and(guard, done);
            }
            let guard = lazy.environment.instance(&mut program.terms, guard);
            lazy.happens.push(guard);
        }
        lazy
    }

    /// Whether so many rounds hold every schedule (see above).
    pub fn is_complete(&self) -> bool {
        let steps: Vec<usize> = self
            .steps
            .all
            .iter()
            .map(Vec::len)
            .filter(|&len| len > 0)
            .collect();
        let all: usize = steps.iter().sum();
        let but_main = all - self.steps.all.iter().next().map_or(0, Vec::len);
        let but_last = all - steps.last().copied().unwrap_or(0);
        self.rounds as usize >= but_main.min(but_last)
    }

    fn take_turn(
        &mut self,
        program: &mut EventProgram,
        formula: &mut Formula,
        state: &mut State,
        active: &mut Vec<(ThreadId, Lit)>,
        round: u32,
        thread: ThreadId,
    ) {
        self.environment.next_slot();
        let before = self.reached[thread].clone();
        let after = self.guess(program, formula, round, thread, &before);
        let steps: Vec<(usize, TermId)> = (0..after.len())
            .filter_map(|i| {
                let fresh = program.terms.not(before[i]);
                let here = program.terms.and(after[i], fresh);
                (here != program.terms.fals()).then_some((i, here))
            })
            .collect();
        for &(i, here) in &steps {
            for node in self.steps.all[thread][i].clone() {
                self.execute(program, state, node, here);
            }
            let lost = match round {
                0 => false,
                _ if round == self.rounds => faults::on(Fault::LastTurnLost),
                _ => faults::on(Fault::RoundLost) && thread == ThreadId(0),
            };
            if lost {
                for (id, cell) in program.cells.iter_ids() {
                    state.cells[id] = cell.init;
                }
            }
        }
        self.prune(program, formula, active, thread, &steps);
        self.reached[thread] = after;
        self.slots.push(Turn { thread, steps });
    }

    /// New positions of a thread: not behind the old ones, without gaps, and not before its creation.
    fn guess(
        &self,
        program: &mut EventProgram,
        formula: &mut Formula,
        round: u32,
        thread: ThreadId,
        before: &[TermId],
    ) -> Vec<TermId> {
        let created = program.threads[thread].created_by.and_then(|create| {
            let (thread, place) = self.steps.place(create)?;
            Some(self.reached[thread][place])
        });
        let mut after = Vec::with_capacity(before.len());
        for (i, &old) in before.iter().enumerate() {
            if i == 0 && thread == ThreadId(0) && self.only_creates(program, 0) {
                after.push(program.terms.tru());
                continue;
            }
            let new = program
                .terms
                .fresh(&format!("at{}.{round}.{i}", thread.0), 1);
            let new_lit = formula.lit_of(&program.terms, new);
            if !faults::on(Fault::PositionsBack) {
                let old = formula.lit_of(&program.terms, old);
                formula.add_clause(&[!old, new_lit]);
            }
            let previous = match after.last() {
                Some(&previous) => Some(previous),
                None if faults::on(Fault::EarlyChild) => None,
                None => created,
            };
            if let Some(previous) = previous
                && !(faults::on(Fault::PositionsGap) && i > 0)
            {
                let previous = formula.lit_of(&program.terms, previous);
                formula.add_clause(&[!new_lit, previous]);
            }
            after.push(new);
        }
        after
    }

    /// Whether a step of main does nothing but create threads: as main's first one it may as well be executed
    /// at once.
    fn only_creates(&self, program: &EventProgram, place: usize) -> bool {
        let creates =
            |event: &EventId| matches!(program.events[*event].kind, EventKind::Create { .. });
        self.steps.events(ThreadId(0), place).all(creates)
    }

    /// A turn is used only if another thread was active since the thread's last turn: otherwise its steps could
    /// have been part of that one.
    fn prune(
        &self,
        program: &EventProgram,
        formula: &mut Formula,
        active: &mut Vec<(ThreadId, Lit)>,
        thread: ThreadId,
        steps: &[(usize, TermId)],
    ) {
        let mut used = Lit::FALSE;
        for &(_, here) in steps {
            let here = formula.lit_of(&program.terms, here);
            used = formula.or(used, here);
        }
        let own = active.iter().rposition(|(other, _)| *other == thread);
        let since = match own {
            Some(own) => &active[own + 1..],
            None if faults::on(Fault::PruneTooMuch) && !active.is_empty() => &active[1..],
            None => {
                active.push((thread, used));
                return;
            }
        };
        let mut clause = vec![!used];
        clause.extend(since.iter().map(|(_, used)| *used));
        formula.add_clause(&clause);
        active.push((thread, used));
    }

    /// Executes one step where `here` holds.
    fn execute(
        &mut self,
        program: &mut EventProgram,
        state: &mut State,
        node: NodeId,
        here: TermId,
    ) {
        let events = self.steps.skeleton.nodes[node].events.clone();
        // Writes that a later part of the step may still call off are kept apart from memory.
        let torn = faults::on(Fault::SectionTorn);
        let tentative = !torn
            && events.iter().any(|&id| {
                let event = &program.events[id];
                matches!(event.kind, EventKind::Write { .. }) && event.guard != event.reached
            });
        let mut inside = tentative.then(|| state.cells.clone());
        for &id in &events {
            let event = program.events[id].clone();
            match &event.kind {
                EventKind::Read { value, targets, .. } => {
                    let memory = inside.as_ref().unwrap_or(&state.cells);
                    self.read(program, memory, *value, targets, here);
                }
                EventKind::Write { .. } => {
                    let condition = if torn || tentative {
                        event.reached
                    } else {
                        event.guard
                    };
                    let memory = inside.as_mut().unwrap_or(&mut state.cells);
                    self.write(program, memory, &event, condition, here);
                }
                EventKind::Join { targets, done } => {
                    let mut through = program.terms.fals();
                    for &(target, when) in targets {
                        let when = self.environment.instance(&mut program.terms, when);
                        let ended = match state.ended[target] {
                            _ if faults::on(Fault::JoinWithoutEnd) => program.terms.tru(),
                            ended => ended,
                        };
                        let when = if faults::on(Fault::JoinAnyThread) {
                            program.terms.tru()
                        } else {
                            when
                        };
                        let one = program.terms.and(when, ended);
                        through = program.terms.or(through, one);
                    }
                    let old = self.environment.get(&program.terms, *done);
                    let new = program.terms.ite(here, through, old);
                    self.environment.set(&program.terms, *done, new);
                }
                EventKind::End => {
                    let guard = self.environment.instance(&mut program.terms, event.guard);
                    let here = if faults::on(Fault::EndEarly) {
                        program.terms.tru()
                    } else {
                        here
                    };
                    let ends = program.terms.and(guard, here);
                    state.ended[event.thread] = program.terms.or(state.ended[event.thread], ends);
                }
                _ => {}
            }
        }
        if tentative {
            for &id in &events {
                let event = program.events[id].clone();
                if matches!(event.kind, EventKind::Write { .. }) {
                    self.write(program, &mut state.cells, &event, event.guard, here);
                }
            }
        }
    }

    fn read(
        &mut self,
        program: &mut EventProgram,
        memory: &IdVec<CellId, TermId>,
        value: TermId,
        targets: &[Target],
        here: TermId,
    ) {
        let mut found: Option<TermId> = None;
        for target in targets {
            let now = memory[target.cell];
            found = Some(match found {
                None => now,
                Some(_) if faults::on(Fault::ReadWhen) => now,
                Some(other) => {
                    let when = self.environment.instance(&mut program.terms, target.when);
                    program.terms.ite(when, now, other)
                }
            });
        }
        let Some(found) = found else { return };
        let old = match faults::on(Fault::ForgetRead) {
            true => value,
            false => self.environment.get(&program.terms, value),
        };
        let new = program.terms.ite(here, found, old);
        self.environment.set(&program.terms, value, new);
    }

    fn write(
        &mut self,
        program: &mut EventProgram,
        memory: &mut IdVec<CellId, TermId>,
        event: &Event,
        condition: TermId,
        here: TermId,
    ) {
        let EventKind::Write { value, targets, .. } = &event.kind else {
            return;
        };
        let value = self.environment.instance(&mut program.terms, *value);
        let condition = if faults::on(Fault::WriteGuard) {
            program.terms.tru()
        } else {
            condition
        };
        let condition = self.environment.instance(&mut program.terms, condition);
        let happens = program.terms.and(here, condition);
        for target in targets {
            let when = self.environment.instance(&mut program.terms, target.when);
            let when = if faults::on(Fault::WriteWhen) {
                program.terms.tru()
            } else {
                when
            };
            let act = program.terms.and(happens, when);
            memory[target.cell] = program.terms.ite(act, value, memory[target.cell]);
        }
    }

    /// A term of the program in the final environment.
    pub fn resolve(&mut self, program: &mut EventProgram, t: TermId) -> TermId {
        self.environment.instance(&mut program.terms, t)
    }

    /// What variables stand for in the end, by variable; `None` for itself.
    pub fn definitions(&self) -> &[Option<TermId>] {
        self.environment.definitions()
    }

    /// Assertions and cuts that can happen, with the conditions that say whether they do.
    pub fn claims(&mut self, program: &mut EventProgram) -> Vec<Claim> {
        let mut claims = Vec::new();
        for local in self.steps.skeleton.locals.clone() {
            let there = match self.steps.before(&local) {
                Some(last) => self.reached[local.thread][last],
                None if faults::on(Fault::AssertUnstarted) => self.created(program, local.thread),
                None => self.started[local.thread],
            };
            let there = if faults::on(Fault::AssertEarly) {
                program.terms.tru()
            } else {
                there
            };
            let guard = self.resolve(program, program.events[local.event].guard);
            let happens = program.terms.and(there, guard);
            let violated = match program.events[local.event].kind {
                EventKind::Assert { cond, .. } => {
                    let cond = self.resolve(program, cond);
                    let broken = program.terms.not(cond);
                    let guarded = if faults::on(Fault::AssertGuard) {
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
                    let reached = self.resolve(program, program.events[local.event].reached);
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

    /// Whether a thread has been created so far.
    fn created(&self, program: &EventProgram, thread: ThreadId) -> TermId {
        let Some(create) = program.threads[thread].created_by else {
            return program.terms.tru();
        };
        match self.steps.place(create) {
            Some((creator, place)) => self.reached[creator][place],
            None => program.terms.fals(),
        }
    }

    /// The visible events that happen in a model, in their order, up to a violated assertion or a cut.
    pub fn decode(
        &self,
        program: &EventProgram,
        model: &mut dyn Model,
        target: EventId,
    ) -> Option<Vec<EventId>> {
        let happens = |model: &mut dyn Model, event: EventId| model.holds(self.happens[event]);
        self.steps
            .decode(program, model, target, &self.slots, happens)
    }
}
