//! The scheme `mu`: memory unwindings, after Tomasco, Inverso, Fischer, La Torre and Parlato, "Verifying Concurrent
//! Programs by Memory Unwinding" (the tool MU-CSeq), as one formula.
//!
//! A memory unwinding is a sequence of at most n writes (thread, variable, value). It is guessed; then every thread
//! is run once against it: each write of a thread has to be the thread's next one in the sequence, and a read takes
//! what is there at some position between the thread's own and its next write. All guessed writes must happen. n is
//! the scheme's only bound.
//!
//! * §3, guessing and matching: [`position`], over the steps that [`plan`] lists. A thread starts at its creator's
//!   position, a join needs the end of the thread to be at an earlier one. Guesses and matches are the same literals
//!   here: the position of each write, in unary. `thread[i]` and `var[i]` are who has position i.
//! * §4.1: [`explicit`] (Figure 5), [`implicit`] (Figure 6, which is wrong as printed), both under [`fine`]; the mixed
//!   schema has scalars in the one and arrays, which are accessed by address, in the other.
//! * §4.2: [`coarse`], over the places of [`place`]; n is a number of clusters then.
//!
//! Differences from the paper, and their reasons:
//!
//! * `assume`, a lock that is held and a failed join end the whole simulation in the paper (§3 says that this loses
//!   nothing). As one formula it would have to be undone where another thread's violation does not need it. Here only
//!   the thread stops, at any write that it wishes ([`plan`]). So the guessed writes are exactly those before the
//!   violation, and Theorem 1 holds for each n: there is a model exactly if some execution has at most
//!   n writes up to a violated assertion.
//! * Atomic sections are not simulated with a lock of the memory (`mem_lock`): a section's writes have consecutive
//!   positions, and nobody else reads between them. A read-modify-write, or taking a mutex, is such a section.
//! * A join is placed at the end that it waits for, in whatever order threads are simulated.
//! * Which positions a step can have at all follows from what certainly comes before it, and from how many writes
//!   may; there are no literals for others.
//!
//! *When are n writes enough?* If no execution has a write at position n + 1: asked of the same formula, with
//! that position added; or if the program has no path with more writes.

mod axis;
pub mod choice;
mod cluster;
mod coarse;
mod explicit;
mod fine;
mod implicit;
mod place;
pub mod plan;
mod position;
pub mod range;
mod read;
mod row;
mod settings;
mod variant;

#[cfg(feature = "internals")]
pub use cluster::Cluster;
pub use settings::Settings;
pub use variant::Variant;

use super::{Beyond, Encoded};
use crate::base::IdVec;
use crate::circuit::{Formula, Lit};
use crate::event::{EventId, EventProgram, ThreadId};
use crate::goal::{Claim, Model};
use crate::relation::join;
use crate::relation::linear::{Precedence, Touch};
use crate::relation::program_order::StepId;
use crate::scheme::faults;
use crate::term::{TermId, Terms};
use cluster::Wait;
use coarse::Coarse;
use fine::Fine;
use plan::Plan;
use range::Values;

/// The writes that are tried first where their number may rise.
const FIRST_WRITES: u32 = 4;
/// Least number of writes by which the bound rises; it rises by half of itself if that is more.
const MORE_WRITES: u32 = 4;
/// Factor of the levels of value ranges that are computed where the number of writes may rise: up to so many times the
/// bound, to know of so many writes whether a violation needs them.
const FARTHER: u32 = 4;

/// Unwinding of memory, as it is guessed: single writes, or clusters of them.
enum Unwinding {
    Fine(Box<Fine>),
    Coarse(Coarse),
}

/// The encoding of a program.
pub struct Mu {
    plan: Plan,
    /// The most writes that questions are about, for which there are positions.
    writes: u32,
    /// The most that may be asked for, and whether fewer are asked for first.
    limit: (u32, bool),
    unwinding: Unwinding,
    /// Value ranges of memory at each position.
    values: Values,
    /// Guard of each visible event that can happen, and that its thread has come to it; of a join, that it came
    /// through.
    happens: IdVec<EventId, Option<TermId>>,
    /// Joins whose order depends on a condition: the end, the join, the condition.
    joins: Vec<(StepId, StepId, TermId)>,
}

impl Mu {
    /// States everything about a program but for the guessed writes, of which there are none yet. At most `writes` will
    /// be asked for; if they are `rising`, first few of them, and in the end as many as a violation needs at least.
    pub fn encode(
        program: &mut EventProgram,
        formula: &mut Formula,
        (variant, writes, rising): (Variant, u32, bool),
    ) -> Mu {
        let last = if rising {
            writes.saturating_mul(FARTHER)
        } else {
            writes
        };
        let mut plan = Plan::of(program);
        let values = ranges(program, &mut plan, (variant, last));
        for tie in std::mem::take(&mut plan.ties) {
            let when = formula.lit_of(&program.terms, tie.when);
            let one = formula.bits_of(&program.terms, tie.one).to_vec();
            let other = formula.bits_of(&program.terms, tie.other).to_vec();
            formula.equal_if(&[when], &one, &other);
        }
        let mut happens = crate::relation::program_order::happening(
            program,
            &plan.po,
            &mut plan.accesses.substitution,
        );
        for (id, step) in plan.po.steps.iter_ids() {
            for &event in &step.events {
                if let Some(guard) = &mut happens[event] {
                    *guard = program.terms.and(*guard, plan.ran[id]);
                }
            }
        }
        let known = &plan.order.joins;
        let joins = join::state(
            program,
            formula,
            &plan.po,
            &happens,
            &mut plan.accesses.substitution,
            |_, event, _, _| (!known.contains(&event)).then(Vec::new),
        );
        state_ranks(program, formula, &plan, &joins);
        let waits = joins.iter().map(|&(end, join, when)| Wait {
            end,
            join,
            when: formula.lit_of(&program.terms, when),
        });
        let waits: Vec<Wait> = waits.collect();
        let unwinding = match variant {
            Variant::Intra | Variant::Inter => {
                Unwinding::Coarse(Coarse::new(program, formula, &plan, (variant, &waits)))
            }
            _ => {
                let waits = (variant, waits);
                let fine = Fine::new(program, formula, &plan, waits, &happens);
                Unwinding::Fine(Box::new(fine))
            }
        };
        let mut mu = Mu {
            plan,
            writes: 0,
            limit: (writes, rising),
            unwinding,
            values,
            happens,
            joins,
        };
        if rising && mu.least() <= mu.most() {
            mu.limit.0 = writes.max(mu.least());
        }
        mu
    }

    /// Assumptions for a question about at most so many writes, for which there are positions.
    fn at_most(&self, writes: u32) -> Vec<Lit> {
        let writes = self.bound(writes);
        match &self.unwinding {
            Unwinding::Fine(fine) => fine.within(writes),
            Unwinding::Coarse(coarse) => coarse.within(writes),
        }
    }

    /// The most writes that an execution has.
    pub fn most(&self) -> u32 {
        self.plan.most
    }

    /// Adds positions, so that there are at least `count` (or as many as writes can be).
    fn add_positions(&mut self, formula: &mut Formula, count: u32) {
        let count = self.bound(count);
        match &mut self.unwinding {
            Unwinding::Fine(fine) if count > fine.count() || fine.is_new() => {
                fine.grow(formula, &self.plan, &self.values, count);
            }
            Unwinding::Coarse(coarse) if count > coarse.count() || coarse.is_new() => {
                coarse.grow(formula, &self.plan, &self.values, count);
            }
            _ => {}
        }
    }

    fn bound(&self, writes: u32) -> u32 {
        let more = u32::from(faults::on(faults::Fault::OneMoreWrite));
        writes.saturating_add(more).min(self.most())
    }

    /// The most writes of one step: an execution that has more than n writes may have no prefix with n + 1.
    fn step(&self) -> u32 {
        let most = self.plan.groups.iter().map(Vec::len).max().unwrap_or(1) as u32;
        if faults::on(faults::Fault::OnePositionMore) {
            1
        } else {
            most.max(1)
        }
    }

    /// Some execution has more than so many writes; `None` if none has. There are positions for a step more.
    fn exceeds(&self, writes: u32) -> Option<Lit> {
        (writes < self.most()).then(|| match &self.unwinding {
            Unwinding::Fine(fine) => fine.is_taken(writes + 1),
            Unwinding::Coarse(coarse) => coarse.is_taken(writes + 1),
        })
    }

    /// The condition that the first positions of the unwinding are these. There are at least as many.
    #[cfg(feature = "internals")]
    pub fn are(&self, terms: &Terms, formula: &mut Formula, rows: &[Cluster]) -> Lit {
        let rows = rows.iter().zip(1..);
        let all: Vec<Lit> = rows
            .map(|(row, i)| self.is(terms, formula, i, row))
            .collect();
        formula.and_all(&all)
    }

    /// The condition that a position is so. Cells that nobody reads cannot be asked for.
    #[cfg(feature = "internals")]
    fn is(&self, terms: &Terms, formula: &mut Formula, i: u32, wanted: &Cluster) -> Lit {
        match &self.unwinding {
            Unwinding::Fine(fine) => fine.is(terms, formula, &self.plan, (i, wanted)),
            Unwinding::Coarse(coarse) => coarse.is(formula, &self.plan, (i, wanted)),
        }
    }

    /// Accesses in a model of each cell.
    fn touches(&self, program: &EventProgram, model: &mut dyn Model) -> Vec<Vec<Touch>> {
        let mut touches: Vec<Vec<Touch>> = Vec::new();
        touches.resize_with(program.cells.len(), Vec::new);
        for (step, looks) in self.plan.looks.iter_ids() {
            if !model.holds(self.plan.ran[step]) {
                continue;
            }
            for &(cell, act) in looks.iter().flat_map(|look| &look.cells) {
                if model.holds(act) {
                    touches[cell.0 as usize].push((step, false));
                }
            }
        }
        for (step, groups) in self.plan.groups.iter_ids() {
            for stored in groups.iter().flat_map(|group| &group.stored) {
                if model.holds(self.plan.ran[step]) && model.holds(stored.act) {
                    touches[stored.cell.0 as usize].push((step, true));
                }
            }
        }
        touches
    }
}

impl Encoded for Mu {
    fn resolve(&mut self, program: &mut EventProgram, t: TermId) -> TermId {
        self.plan
            .accesses
            .substitution
            .instance(&mut program.terms, t)
    }

    fn definitions(&self) -> &[Option<TermId>] {
        self.plan.accesses.substitution.definitions()
    }

    fn claims(&mut self, program: &mut EventProgram) -> Vec<Claim> {
        let environment = &mut self.plan.accesses.substitution;
        let mut claims = self.plan.po.claims(program, environment);
        for (claim, local) in claims.iter_mut().zip(&self.plan.po.locals) {
            let there = if faults::on(faults::Fault::AssertBehindStop) {
                program.terms.tru()
            } else {
                self.plan.begun(program, local.thread, local.after)
            };
            claim.reached = program.terms.and(claim.reached, there);
            if let Some(violated) = &mut claim.violated {
                *violated = program.terms.and(*violated, there);
            }
        }
        claims
    }

    fn decode(
        &self,
        program: &EventProgram,
        model: &mut dyn Model,
        target: EventId,
    ) -> Option<Vec<EventId>> {
        let po = &self.plan.po;
        let mut happens = |event| self.happens[event].is_some_and(|guard| model.holds(guard));
        let steps = po.steps.iter();
        let happening = steps.map(|step| step.events.iter().any(|&event| happens(event)));
        let happening = happening.collect();
        let mut precedence = Precedence::new(po, &self.plan.order, happening);
        for &(end, join, waits) in &self.joins {
            if model.holds(waits) {
                precedence.add(end, join);
            }
        }
        let mut times: Vec<((u64, u64), ThreadId)> = Vec::with_capacity(po.steps.len());
        for (id, step) in po.steps.iter_ids() {
            let time = match &self.unwinding {
                Unwinding::Fine(fine) => fine.time(&self.plan, id, model),
                Unwinding::Coarse(coarse) => coarse.time(&self.plan, id, model),
            };
            times.push((time, step.thread));
        }
        precedence.set_times(times.iter().map(|time| time.0).collect());
        for touches in self.touches(program, model) {
            precedence.add_conflicts(po, &touches, |x, y| {
                times[x.0 as usize] < times[y.0 as usize]
            });
        }
        precedence.execution(program, po, target, |event| {
            self.happens[event].is_some_and(|guard| model.holds(guard))
        })
    }

    fn needed(&self, terms: &Terms, formula: &mut Formula) -> Vec<Lit> {
        let all = self.least() == self.most() || faults::on(faults::Fault::AllNeeded);
        let tru = terms.tru();
        let mut needed = Vec::new();
        for chain in self.plan.po.chains.iter().filter(|_| all) {
            let groups = chain.iter().flat_map(|&step| &self.plan.groups[step]);
            // Of other threads, the longest path is not known.
            if groups.into_iter().all(|group| group.act == tru) {
                let writing = chain.iter().filter(|&&n| !self.plan.groups[n].is_empty());
                needed.extend(writing.map(|&step| formula.lit_of(terms, self.plan.ran[step])));
            }
        }
        needed
    }

    fn level(&self) -> u32 {
        self.writes
    }

    fn least(&self) -> u32 {
        let more = u32::from(faults::on(faults::Fault::LeastHigh));
        self.values.least().saturating_add(more)
    }

    fn rises_to(&self) -> Option<u32> {
        let (most, rising) = self.limit;
        rising.then_some(most)
    }

    fn next(&self) -> u32 {
        let more = MORE_WRITES.max(self.writes / 2);
        self.writes.saturating_add(more)
    }

    fn first(&self) -> Option<u32> {
        Some(match self.limit {
            (most, true) => most.min(FIRST_WRITES.max(self.least())),
            (most, false) => most,
        })
    }

    fn grow(&mut self, _: &mut EventProgram, formula: &mut Formula, level: u32) -> bool {
        self.add_positions(formula, level.min(self.most()));
        false
    }

    fn restrict(&mut self, _: &mut EventProgram, _: &mut Formula, level: u32) {
        self.writes = level.min(self.most());
    }

    fn farther(&self) -> Option<u32> {
        Some(self.writes.saturating_add(self.step()))
    }

    fn within(&self) -> Vec<Lit> {
        self.at_most(self.writes)
    }

    fn beyond(&mut self, _: &mut EventProgram, _: &mut Formula) -> Beyond {
        let farther = self.writes.saturating_add(self.step());
        match self.exceeds(self.writes) {
            None => Beyond::None,
            Some(goal) => Beyond::Asked {
                goal,
                within: self.at_most(farther),
            },
        }
    }
}

/// Value ranges of memory after at most `last` writes; none for inter-thread clusters, which are so few that it does
/// not matter.
pub fn ranges(
    program: &mut EventProgram,
    plan: &mut Plan,
    (variant, last): (Variant, u32),
) -> Values {
    if variant == Variant::Inter {
        return Values::unknown();
    }
    let claims = plan.po.claims(program, &mut plan.accesses.substitution);
    let violated: Vec<TermId> = claims.iter().filter_map(|claim| claim.violated).collect();
    let last = last.min(plan.most);
    let clusters = variant == Variant::Intra;
    Values::of(program, plan, &violated, (last, clusters))
}

/// Joins have ranks, and one has a higher rank than those that come before the end it waits for: otherwise threads
/// that wait for each other could all get through at one position. Those that the static order places have no
/// circle.
fn state_ranks(
    program: &EventProgram,
    formula: &mut Formula,
    plan: &Plan,
    joins: &[(StepId, StepId, TermId)],
) {
    if faults::on(faults::Fault::JoinCircle) {
        return;
    }
    let mut steps: Vec<StepId> = joins.iter().map(|&(_, join, _)| join).collect();
    steps.sort_unstable();
    steps.dedup();
    let bits = usize::BITS - steps.len().leading_zeros();
    let ranks: Vec<Vec<Lit>> = steps
        .iter()
        .map(|_| (0..bits).map(|_| formula.new_lit()).collect())
        .collect();
    let rank = |step: StepId| steps.binary_search(&step).map(|at| &ranks[at]);
    for &(end, join, waits) in joins {
        let waits = formula.lit_of(&program.terms, waits);
        for &(_, earlier, through) in joins {
            if !plan.order.before(&plan.po, earlier, end) {
                continue;
            }
            let through = formula.lit_of(&program.terms, through);
            let (Ok(low), Ok(high)) = (rank(earlier), rank(join)) else {
                continue;
            };
            let less = low.iter().zip(high).fold(Lit::FALSE, |less, (&a, &b)| {
                formula.circuit().majority(!a, b, less)
            });
            formula.add_clause(&[!waits, !through, less]);
        }
    }
}
