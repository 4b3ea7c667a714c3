//! Context switches of the executions that `order` encodes, counted as turns of threads.
//!
//! Each step is in one of so many turns, or behind all of them, where nothing counts any more. A turn belongs to one thread, a step is
//! in no earlier turn than the one before it in its thread, and of two steps of different threads whose order matters, the
//! later one is in a later turn. So the clauses are few, a model's turns are an order without cycles, and fewer turns are an assumption
//! about one step: the one before the target.
//!
//! With the order alone, an execution is put into a line that stays in a thread as long as it can
//! ([`Precedence::line`](crate::relation::linear::Precedence::line)); with turns, in a line that has no more of them.

use super::Order;
use super::turns::Turns;
use crate::base::IdVec;
use crate::circuit::{Formula, Lit};
use crate::event::{EventId, EventProgram, ThreadId};
use crate::relation::program_order::StepId;
use crate::term::TermId;

/// Clauses about turns up to which they are stated.
const MOST_CLAUSES: usize = 1_000_000;

/// Two steps that happen on conditions, and their order.
struct Pair<'a> {
    first: StepId,
    second: StepId,
    /// All of these hold.
    when: &'a [Lit],
}

impl Order {
    /// States so many turns; false if that takes too many clauses, and then nothing is stated.
    pub fn state_turns(
        &mut self,
        program: &EventProgram,
        formula: &mut Formula,
        count: usize,
    ) -> bool {
        let chains = self.po.chains.len();
        let of_pairs = |all: &Vec<_>| all.len().saturating_mul(all.len());
        let pairs: usize = self.touches.iter().map(of_pairs).sum();
        let clauses = pairs.saturating_add(self.po.steps.len().saturating_mul(chains + 2));
        if count == 0 || clauses.saturating_mul(count) > MOST_CLAUSES {
            return false;
        }
        let later = self.po.steps.iter().map(|_| {
            let lits: Vec<Lit> = (0..count).map(|_| formula.new_lit()).collect();
            for pair in lits.windows(2) {
                formula.add_clause(&[!pair[1], pair[0]]);
            }
            lits
        });
        let turns = Turns {
            count,
            later: later.collect(),
        };
        let happens = self.step_conditions(program, formula);
        self.state_owners(formula, &turns, &happens);
        for chain in self.po.chains.iter() {
            for pair in chain.windows(2) {
                turns.state_same_or_later(formula, (pair[0], pair[1]), &[]);
            }
        }
        self.state_static(formula, &turns, &happens);
        self.state_open(program, formula, &turns);
        self.turns = Some(turns);
        true
    }

    /// The literal that a step happens, for each.
    fn step_conditions(&self, program: &EventProgram, formula: &mut Formula) -> IdVec<StepId, Lit> {
        let steps = self.po.steps.iter().map(|step| {
            let guards = step.events.iter().filter_map(|event| self.happens[*event]);
            let lits: Vec<Lit> = guards
                .map(|guard| formula.lit_of(&program.terms, guard))
                .collect();
            let happens = formula.or_all(&lits);
            with_variable(formula, happens)
        });
        steps.collect()
    }

    /// A turn belongs to the thread of the steps that are in it.
    fn state_owners(&self, formula: &mut Formula, turns: &Turns, happens: &IdVec<StepId, Lit>) {
        let threads = self.po.end.len();
        for turn in 0..turns.count {
            let owners: Vec<Lit> = (0..threads).map(|_| formula.new_lit()).collect();
            for (index, one) in owners.iter().enumerate() {
                for other in &owners[..index] {
                    formula.add_clause(&[!*one, !*other]);
                }
            }
            for (step, info) in self.po.steps.iter_ids() {
                let owner = owners[self.po.owner[info.thread].0 as usize];
                let clause = [
                    !happens[step],
                    !turns.since(step, turn),
                    turns.since(step, turn + 1),
                    owner,
                ];
                formula.add_clause(&clause);
            }
        }
    }

    /// Order that holds in every execution.
    fn state_static(&self, formula: &mut Formula, turns: &Turns, happens: &IdVec<StepId, Lit>) {
        for (step, info) in self.po.steps.iter_ids() {
            for (thread, chain) in self.po.chains.iter_ids() {
                let seen = self.order.clocks[step][thread.0 as usize] as usize;
                if thread == info.thread || seen == 0 {
                    continue;
                }
                let pair = Pair {
                    first: chain[seen - 1],
                    second: step,
                    when: &[happens[step]],
                };
                self.state_pair(formula, turns, &pair);
            }
        }
    }

    /// Order on a condition, and of accesses in conflict.
    fn state_open(&self, program: &EventProgram, formula: &mut Formula, turns: &Turns) {
        for &(first, second, when) in self.joins.iter().chain(&self.edges) {
            let when = &[defined(program, formula, when)];
            let pair = Pair {
                first,
                second,
                when,
            };
            self.state_pair(formula, turns, &pair);
        }
        for all in &self.touches {
            for (index, &(x, x_acts, x_writes)) in all.iter().enumerate() {
                let x_acts = defined(program, formula, x_acts);
                for &(y, y_acts, y_writes) in &all[index + 1..] {
                    if self.po.is_own(x, y) || !(x_writes || y_writes) {
                        continue;
                    }
                    let y_acts = defined(program, formula, y_acts);
                    let before = self.lit(x, y);
                    for (first, second, before) in [(x, y, before), (y, x, !before)] {
                        let pair = Pair {
                            first,
                            second,
                            when: &[before, x_acts, y_acts],
                        };
                        self.state_pair(formula, turns, &pair);
                    }
                }
            }
        }
    }

    /// The second step is in a later turn than the first, or in no earlier one if both are of one thread.
    fn state_pair(&self, formula: &mut Formula, turns: &Turns, pair: &Pair) {
        let &Pair {
            first,
            second,
            when,
        } = pair;
        if when.contains(&Lit::FALSE) {
            return;
        }
        if self.po.is_own(first, second) {
            turns.state_same_or_later(formula, (first, second), when);
            return;
        }
        for turn in 0..turns.count {
            let mut clause: Vec<Lit> = when.iter().map(|lit| !*lit).collect();
            clause.push(!turns.since(first, turn));
            clause.push(turns.since(second, turn + 1));
            formula.add_clause(&clause);
        }
    }

    /// The literal that an execution ends at a target within so many of the turns that are stated.
    pub fn ends_within(
        &self,
        program: &EventProgram,
        formula: &mut Formula,
        target: EventId,
        most: usize,
    ) -> Lit {
        let Some(turns) = &self.turns else {
            return Lit::TRUE;
        };
        let mut last: Vec<(StepId, usize)> = Vec::new();
        let thread = program.events[target].thread;
        if program.events[target].kind.is_rest() {
            // All that happens counts.
            let chains = self.po.chains.iter();
            last.extend(chains.filter_map(|chain| Some((*chain.last()?, most))));
        } else if let Some((step, of)) = self.before_target(program, target, thread) {
            // A thread that has taken no step takes a turn of its own.
            last.push((step, most - usize::from(of != thread)));
        }
        let exceeds = last.iter().map(|&(step, most)| turns.since(step, most));
        let exceeds: Vec<Lit> = exceeds.collect();
        !formula.or_all(&exceeds)
    }

    /// The last step that a target's thread has begun before it, or that in which the thread was created; and the thread of that step.
    fn before_target(
        &self,
        program: &EventProgram,
        target: EventId,
        thread: ThreadId,
    ) -> Option<(StepId, ThreadId)> {
        let local = self.po.locals.iter().find(|local| local.event == target)?;
        let own = (local.after as usize).checked_sub(1);
        let own = own.and_then(|index| self.po.chains[thread].get(index));
        if let Some(&step) = own {
            return Some((step, thread));
        }
        let step = self.po.step_of[program.threads[thread].created_by?]?;
        Some((step, self.po.owner[self.po.steps[step].thread]))
    }
}

/// The literal of a condition, with a variable of its own, so that clauses do not spell it out.
fn defined(program: &EventProgram, formula: &mut Formula, condition: TermId) -> Lit {
    let lit = formula.lit_of(&program.terms, condition);
    with_variable(formula, lit)
}

/// The same of a literal.
fn with_variable(formula: &mut Formula, lit: Lit) -> Lit {
    if !lit.is_constant() {
        formula.define(lit);
    }
    lit
}
