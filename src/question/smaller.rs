//! Smaller executions: a violation that is known is asked for again, in fewer and fewer turns of threads, then with small inputs.
//!
//! The scheme that found it does not matter: it is `order` that counts turns ([`Order::state_turns`](crate::scheme::order::Order::state_turns)).
//! If it is another that has found it, or one that is still needed, the program is encoded once more. What is found is for people to read, so
//! all of it has a budget that is the same in every run, and no answer depends on it.

use super::Options;
use super::answer::Execution;
use super::choice::ORDER;
use super::encoding::Encoding;
use crate::base::Budget;
use crate::base::sorted::SortedMap;
use crate::circuit::Lit;
use crate::event::{EventId, EventKind, EventProgram};
use crate::goal::Model;
use crate::ir::{Check, Checks};
use crate::sat::{Answer, Solver};
use crate::scheme::order::Order;

/// Patience of the solver with all questions about one violation, in tens of decisions or conflicts: the least and the most.
const PATIENCE: (u64, u64) = (50, 5000);

/// Clauses of the formula times that patience: what takes a few tenths of a second.
const WORK: u64 = 2_000_000;

/// Terms of a program up to which smaller executions are looked for.
const MOST_TERMS: usize = 500_000;

/// Clauses of a program encoded for this up to which they are looked for: of more, [`WORK`] is less than one look.
const MOST_CLAUSES: usize = WORK as usize;

/// Turns and bits of inputs of an execution that nobody needs smaller.
const SMALL: (usize, u16) = (2, 2);

/// Bits that inputs may have, beginning with the fewest.
const WIDTHS: [u16; 7] = [0, 1, 2, 4, 7, 10, 16];

/// Size of an execution for people: its turns, and the bits of its greatest input. Fewer turns come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Size {
    /// Turns of threads: what is done before another thread goes on.
    pub turns: usize,
    /// Bits of the greatest input, as a number without sign.
    pub input_bits: u16,
}

impl Size {
    /// True if nobody needs a smaller one.
    pub fn is_small(self) -> bool {
        self.turns <= SMALL.0 && self.input_bits <= SMALL.1
    }
}

/// Search that has found an execution and is not needed any more: what `order` has encoded can be asked for smaller ones.
pub struct Idle<'a> {
    encoding: &'a mut Encoding,
    solver: &'a mut dyn Solver,
}

impl<'a> Idle<'a> {
    /// The search with an encoding and a solver, if it is one: the first violation is enough, and its solver has all of the formula.
    pub(super) fn of(encoding: &'a mut Encoding, solver: &'a mut dyn Solver) -> Option<Idle<'a>> {
        let is_whole = encoding.cubes.is_none() && encoding.part::<Order>().is_some();
        (encoding.first && is_whole).then_some(Idle { encoding, solver })
    }

    /// Variables and clauses of the solver.
    pub fn size(&self) -> (usize, usize) {
        (self.solver.var_count(), self.solver.clause_count())
    }
}

/// Judge of smaller executions: the size of the one that it is told of, or none if it is not what was wanted.
pub type JudgeSize<'a> = dyn FnMut(&EventProgram, &Execution) -> Option<Size> + 'a;

/// Way to open a solver; `None` if there is none.
pub type OpenSolver<'a> = dyn Fn() -> Option<Box<dyn Solver>> + 'a;

/// Looks for smaller executions that violate the same check at the same place as one that is known: with fewer turns, then with inputs of
/// fewer bits. The search that has found it is asked, if that can be; otherwise a solver that is opened, about the program encoded for these
/// checks. `judge` is told of each that is found.
pub fn smaller(
    events: &EventProgram,
    known: (&Execution, Size),
    (idle, (checks, open)): (Option<&mut Idle>, (Checks, &OpenSolver)),
    judge: &mut JudgeSize,
    budget: &Budget,
) {
    if events.terms.len() > MOST_TERMS {
        return;
    }
    let program = &mut events.clone();
    if let Some(Idle { encoding, solver }) = idle {
        let solving = encoding.solving;
        encoding.lessen(program, known, *solver, judge, budget);
        encoding.solving = solving;
        return;
    }
    let options = Options {
        reduce: false,
        checks,
        ..Options::new(ORDER)
    };
    let part = budget.part().with_clause_limit(MOST_CLAUSES);
    let Ok(mut encoding) = Encoding::within(program, &options, &part) else {
        return;
    };
    if let Some(mut solver) = open() {
        encoding.lessen(program, known, &mut *solver, judge, budget);
    }
}

/// Violations at which a section may end.
fn is_cut(program: &EventProgram, target: EventId) -> bool {
    let is_cut = matches!(program.events[target].kind, EventKind::Cut { .. });
    is_cut || program.check(target) == Some(Check::Race)
}

impl Encoding {
    /// Asks for executions with fewer turns, then with smaller inputs, as long as the solver finds some.
    fn lessen(
        &mut self,
        program: &mut EventProgram,
        (known, mut size): (&Execution, Size),
        solver: &mut dyn Solver,
        judge: &mut JudgeSize,
        budget: &Budget,
    ) {
        let is_stated = self
            .part::<Order>()
            .is_some_and(|(order, formula)| order.state_turns(program, formula, size.turns));
        if !is_stated {
            return;
        }
        let clauses = self.formula.clauses().len() as u64;
        let patience = (WORK / clauses.max(1)).clamp(PATIENCE.0, PATIENCE.1);
        let budget = budget.part().with_patience(patience);
        let mut ask = |turns: usize, bits: Option<u16>| {
            let goals = self.ends_within(program, known.target, turns);
            let all: Vec<Lit> = goals.values().copied().collect();
            let any = self.formula.or_all(&all);
            let small = bits.map_or(Lit::TRUE, |bits| self.inputs_within(program, bits));
            let goal = self.formula.and(any, small);
            let partial = is_cut(program, known.target);
            if self.ask(program, goal, partial, solver, &budget) != Answer::Sat {
                return None;
            }
            let decoded = self.decode_where(program, solver, |claim, model| {
                let goal = goals.get(&claim.event);
                goal.is_some_and(|goal| model.lit(*goal))
            });
            judge(program, decoded.ok()?.first()?)
        };
        while size.turns > 1 {
            match ask(size.turns - 1, None) {
                Some(found) if found.turns < size.turns => size = found,
                _ => break,
            }
        }
        if size.input_bits <= SMALL.1 {
            return;
        }
        for bits in WIDTHS {
            if bits >= size.input_bits || ask(size.turns, Some(bits)).is_some() {
                return;
            }
        }
    }

    /// The literal that no input has more bits. (What memory holds that was never set is none.)
    fn inputs_within(&mut self, program: &mut EventProgram, bits: u16) -> Lit {
        let mut beyond = Vec::new();
        for input in program.inputs.clone() {
            if input.offset_bytes.is_none() {
                let value = self.scheme.resolve(program, input.value);
                let word = self.formula.bits_of(&program.terms, value);
                beyond.extend(word.iter().skip(bits.into()).copied());
            }
        }
        !self.formula.or_all(&beyond)
    }

    /// Conditions of violations of the same check at the same place as an event that keep within so many turns, by their event.
    fn ends_within(
        &mut self,
        program: &EventProgram,
        target: EventId,
        most: usize,
    ) -> SortedMap<EventId, Lit> {
        let check = program.check(target);
        let mut goals = SortedMap::new();
        for claim in self.claims.clone() {
            let event = claim.event;
            let is_place =
                check == Some(Check::Deadlock) || program.place(event) == program.place(target);
            if program.check(event) != check || !is_place {
                continue;
            }
            let goal = claim.violated.unwrap_or(claim.reached);
            let violated = self.formula.lit_of(&program.terms, goal);
            let Some((order, formula)) = self.part::<Order>() else {
                continue;
            };
            let within = order.ends_within(program, formula, event, most);
            goals.insert(event, formula.and(violated, within));
        }
        goals
    }
}
