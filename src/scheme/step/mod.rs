//! The scheme `step`: an execution as a sequence of steps of single threads, with memory computed forwards.
//!
//! At each of n positions one thread (or, at the end, none) executes its next *block*: a step with what
//! the thread computes after it. Which thread it is, is guessed; memory, and what threads keep between their
//! blocks, are functions of that: `content := executed here ? new content : content`. It is the
//! read-explicit matrix of the memory unwinding (Tomasco, Inverso, Fischer, La Torre, Parlato, "MU-CSeq"),
//! computed instead of guessed, with a row for each step instead of each write.
//!
//! Reasons why it is fast:
//!
//! * Blocks are compiled to code over registers ([`block`], [`register`]). Iterations of a loop, and threads
//!   that do the same, have the same code, which is then in the circuit once for each position.
//! * A block is never built at positions that are too early for it (steps come before it in every execution)
//!   or too late (steps come after it).
//! * Neighbours are *canonical*: two blocks in a row of different threads that do not depend on each other are
//!   in the order of their threads. Every execution can be brought into this form by exchanging
//!   neighbours, and each exchange makes it smaller.
//!
//! With as many positions as there are blocks, no schedule is left out. A block whose guard is false takes a
//! position as well and does nothing.

pub mod block;
mod execute;
pub mod register;
mod settings;
mod uses;
pub mod window;

pub use settings::Settings;

use super::{Beyond, Encoded};
use crate::base::sorted::SortedMap;
use crate::base::{Budget, IdVec, StopReason};
use crate::circuit::{Formula, Lit};
use crate::event::{CellId, EventId, EventKind, EventProgram, ThreadId};
use crate::goal::{Claim, Model};
use crate::reduce::substitution::Substitution;
use crate::relation::static_order::StaticOrder;
use crate::relation::turn::{Transactions, Turn};
use crate::scheme::faults::{self, Fault};
use crate::term::TermId;
use block::{Blocks, Effects};
use execute::{Snapshot, execute};
use register::Registers;
use uses::uses;
use window::windows;

/// The encoding of a program.
pub struct Step {
    transactions: Transactions,
    turns: Vec<Turn>,
    /// Terms that variables stand for in the end.
    finals: Substitution,
    /// Guard of each event (of a join: that it came through) in the end.
    happens: IdVec<EventId, TermId>,
    claims: Vec<Claim>,
    /// Memory behind the last position.
    last: IdVec<CellId, TermId>,
    complete: bool,
}

/// Occupant of a position: its thread, the number of its effects, the condition that it is there.
type Neighbour = (ThreadId, usize, Lit);

/// A block that may be at a position: its thread, its place, the condition that it is.
type Candidate = (ThreadId, usize, TermId);

impl Step {
    /// States the executions of at most `limit` blocks.
    ///
    /// # Errors
    /// The reason why the budget ended it.
    pub fn encode(
        program: &mut EventProgram,
        formula: &mut Formula,
        limit: u32,
        budget: &Budget,
    ) -> Result<Step, StopReason> {
        let transactions = Transactions::of(program);
        let order = StaticOrder::of(program, &transactions.po);
        let (uses, checks, early) = uses(program, &transactions);
        let registers = Registers::of(program, &transactions, &uses);
        let mut blocks = Blocks::of(program, &transactions, &uses, &registers, &checks);
        let total: usize = transactions.all.iter().map(Vec::len).sum();
        let count = total.min(limit as usize);
        let windows = windows(program, &transactions, &order, total);
        let mut effects: Vec<Effects> = blocks.codes.iter().map(|c| Effects::of(c)).collect();
        let effect_of: Vec<usize> = {
            let all = effects.clone();
            effects.sort_unstable();
            effects.dedup();
            let find = |e: &Effects| effects.binary_search(e).expect("it is one of them");
            all.iter().map(find).collect()
        };
        let fals = program.terms.fals();
        let mut state = Snapshot {
            cells: program.cells.iter().map(|cell| cell.init).collect(),
            registers: registers.all.clone(),
            ended: program.threads.iter().map(|_| fals).collect(),
            reached: transactions
                .all
                .iter()
                .map(|l| vec![fals; l.len()])
                .collect(),
        };
        for register in &mut state.registers {
            let bits = program.terms.bits(*register);
            *register = program.terms.constant(0, bits);
        }
        let mut substitution = Substitution::default();
        let mut step = Step {
            turns: Vec::new(),
            finals: Substitution::default(),
            happens: IdVec::new(),
            claims: Vec::new(),
            last: IdVec::new(),
            complete: count == total,
            transactions,
        };
        let mut open: SortedMap<EventId, (TermId, Option<TermId>)> = SortedMap::new();
        let mut before: Vec<Neighbour> = Vec::new();
        let mut busy = Lit::TRUE;
        for position in 1..=count as u32 {
            if let Some(reason) = budget.check() {
                return Err(reason);
            }
            let before_all = state.clone();
            for (&register, &content) in registers.all.iter().zip(&before_all.registers) {
                substitution.set(&program.terms, register, content);
            }
            let candidates =
                step.choose(program, formula, &mut state, &windows, position, &mut busy);
            let mut by_code: SortedMap<usize, Vec<Candidate>> = SortedMap::new();
            for &(thread, place, here) in &candidates {
                let code = blocks.of[thread][place].code;
                by_code.entry(code).or_default().push((thread, place, here));
            }
            let mut now: SortedMap<(ThreadId, usize), TermId> = SortedMap::new();
            for (code, candidates) in by_code {
                substitution.next_epoch();
                let outcome = execute(program, &mut substitution, &mut blocks, code, &before_all);
                let exec: Vec<TermId> = candidates.iter().map(|c| c.2).collect();
                let exec = program.terms.or_all(&exec);
                outcome.apply(program, &mut state, exec);
                for (thread, place, here) in candidates {
                    let key = (thread, effect_of[code]);
                    let here_too = now.get(&key).copied().unwrap_or(fals);
                    now.insert(key, program.terms.or(here_too, here));
                    let block = &blocks.of[thread][place];
                    for (&variable, &result) in block.reads.iter().zip(&outcome.results) {
                        let old = step.finals.get(&program.terms, variable);
                        let new = program.terms.ite(here, result, old);
                        step.finals.set(&program.terms, variable, new);
                    }
                    for check in &block.checks {
                        let mut at = |t: TermId| {
                            let t = substitution.instance(&mut program.terms, t);
                            program.terms.and(here, t)
                        };
                        let reached = at(check.reached);
                        let violated = check.violated.map(&mut at);
                        let claim = open
                            .entry(check.event)
                            .or_insert((fals, violated.map(|_| fals)));
                        claim.0 = program.terms.or(claim.0, reached);
                        if let (Some(old), Some(new)) = (&mut claim.1, violated) {
                            *old = program.terms.or(*old, new);
                        }
                    }
                }
            }
            let now: Vec<Neighbour> = now
                .into_iter()
                .map(|((thread, e), t)| (thread, e, formula.lit_of(&program.terms, t)))
                .collect();
            canonical(formula, &effects, &before, &now);
            before = now;
        }
        step.finish(program, &state, &early, open);
        Ok(step)
    }

    /// Guesses which thread is at a position, and moves it on. The blocks that it may execute there.
    fn choose(
        &mut self,
        program: &mut EventProgram,
        formula: &mut Formula,
        state: &mut Snapshot,
        windows: &IdVec<ThreadId, Vec<(u32, u32)>>,
        position: u32,
        busy: &mut Lit,
    ) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut chosen: Vec<Lit> = Vec::new();
        let reached = state.reached.clone();
        for (thread, places) in windows.iter_ids() {
            let inside = |w: &(u32, u32)| (w.0..=w.1).contains(&position);
            if !places.iter().any(inside) {
                continue;
            }
            let runs = program
                .terms
                .fresh(&format!("runs{position}.{}", thread.0), 1);
            let mut turn = Turn {
                thread,
                steps: Vec::new(),
            };
            for (place, window) in places.iter().enumerate() {
                if !inside(window) {
                    continue;
                }
                let ready = match place.checked_sub(1) {
                    Some(previous) => reached[thread][previous],
                    None => self.created(program, &reached, thread),
                };
                let fresh = program.terms.not(reached[thread][place]);
                let mut here = program.terms.and(runs, ready);
                here = program.terms.and(here, fresh);
                if here == program.terms.fals() {
                    continue;
                }
                let moved = program.terms.or(reached[thread][place], here);
                state.reached[thread][place] = moved;
                turn.steps.push((place, here));
                candidates.push((thread, place, here));
            }
            let lit = formula.lit_of(&program.terms, runs);
            let mut clause = vec![!lit];
            for &(_, here) in &turn.steps {
                clause.push(formula.lit_of(&program.terms, here));
            }
            formula.add_clause(&clause);
            chosen.push(lit);
            self.turns.push(turn);
        }
        for (i, &a) in chosen.iter().enumerate() {
            for &b in &chosen[i + 1..] {
                if !faults::on(Fault::TwoAtOnce) {
                    formula.add_clause(&[!a, !b]);
                }
            }
            // No position is empty before one that is not.
            formula.add_clause(&[!a, *busy]);
        }
        *busy = formula.or_all(&chosen);
        candidates
    }

    /// Condition that a thread has been created.
    fn created(
        &self,
        program: &EventProgram,
        reached: &IdVec<ThreadId, Vec<TermId>>,
        thread: ThreadId,
    ) -> TermId {
        let Some(create) = program.threads[thread].created_by else {
            return program.terms.tru();
        };
        if faults::on(Fault::EarlyChild) {
            return program.terms.tru();
        }
        match self.transactions.place(create) {
            Some((creator, place)) => reached[creator][place],
            None => program.terms.fals(),
        }
    }

    /// Collects the claims, and what events depend on in the end.
    fn finish(
        &mut self,
        program: &mut EventProgram,
        state: &Snapshot,
        early: &[(ThreadId, Claim)],
        mut open: SortedMap<EventId, (TermId, Option<TermId>)>,
    ) {
        self.last = state.cells.clone();
        self.finals.next_epoch();
        for event in program.events.iter() {
            let mut guard = event.guard;
            if let EventKind::Join { done, .. } = event.kind {
                guard = program.terms.and(guard, done);
            }
            let guard = self.finals.instance(&mut program.terms, guard);
            self.happens.push(guard);
        }
        for &(thread, check) in early {
            let created = self.created(program, &state.reached, thread);
            let mut at = |t: TermId| {
                let t = self.finals.instance(&mut program.terms, t);
                program.terms.and(created, t)
            };
            let claim = (at(check.reached), check.violated.map(&mut at));
            open.insert(check.event, claim);
        }
        let fals = program.terms.fals();
        for local in &self.transactions.po.locals {
            let assertion = matches!(program.events[local.event].kind, EventKind::Assert { .. });
            let (reached, violated) = open
                .remove(&local.event)
                .unwrap_or((fals, assertion.then_some(fals)));
            self.claims.push(Claim {
                event: local.event,
                reached,
                violated,
            });
        }
    }
}

/// Two blocks in a row that do not depend on each other are in the order of their threads.
fn canonical(formula: &mut Formula, effects: &[Effects], before: &[Neighbour], now: &[Neighbour]) {
    for &(first, a, there) in before {
        for &(second, b, here) in now {
            if first > second && effects[a].independent(first, &effects[b], second) {
                formula.add_clause(&[!there, !here]);
            }
        }
    }
}

impl Encoded for Step {
    fn resolve(&mut self, program: &mut EventProgram, t: TermId) -> TermId {
        self.finals.instance(&mut program.terms, t)
    }

    fn definitions(&self) -> &[Option<TermId>] {
        self.finals.definitions()
    }

    fn claims(&mut self, _: &mut EventProgram) -> Vec<Claim> {
        self.claims.clone()
    }

    fn last(
        &mut self,
        _: &mut EventProgram,
        _: &mut Formula,
        cells: &[CellId],
    ) -> Option<Vec<TermId>> {
        Some(cells.iter().map(|cell| self.last[*cell]).collect())
    }

    fn decode(
        &self,
        program: &EventProgram,
        model: &mut dyn Model,
        target: EventId,
    ) -> Option<Vec<EventId>> {
        let take = |model: &mut dyn Model, _, event, order: &mut Vec<EventId>| {
            if model.holds(self.happens[event]) {
                order.push(event);
            }
        };
        self.transactions
            .decode(program, model, target, &self.turns, take)
    }

    fn beyond(&mut self, _: &mut EventProgram, _: &mut Formula) -> Beyond {
        if self.complete {
            Beyond::None
        } else {
            Beyond::Some
        }
    }
}
