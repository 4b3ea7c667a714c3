//! The cone of influence: events whose values no assertion and no cut depends on are taken out of a program.
//!
//! Guards contain everything that a thread needed to get somewhere, so what assertions, their guards and the
//! guards of cuts are built from says which reads matter; these need every write of their cells, with its guard,
//! its address and its value, which may need further reads; and a join that matters needs the ends of the threads
//! that it may wait for. Facts are about variables that tell ahead of time what will be read or allocated: one that
//! shares a variable with what matters, matters as a whole. An execution of what remains is one of the whole program:
//! what was taken out can run at any place between what its thread does before and after, since nothing that remains
//! can tell where. It cannot block there, for whatever blocks is in the guards of what follows.
//!
//! Under a weak memory model it can, too: a buffered write that was taken out can reach memory as soon as it is issued
//! and those before it have, so that nothing waits for it longer than for them; and that a step drains buffers is said
//! by a fence, which is kept. (The fence at the end of a thread may go with it: only who joins the thread would notice.)

use crate::event::{CellId, EventId, EventKind, EventProgram};
use crate::ir::GoalKinds;
use crate::reduce::faults::{self, Fault};
use crate::term::{TermId, VarId};
use hashbrown::HashMap;

/// Slicing criterion: the events that are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Events that assertions and cuts depend on.
    Needed,
    /// Those, and all writes with what their guards depend on, so that they can be counted.
    Writes,
}

/// Kinds of goals that are preserved: each is an assertion or a cut, and all of these are roots of the cone. What
/// was lost at the program's end is an assertion over reads there, which are kept as others are. Who stands where for good is said by
/// rests, which are roots as well: with all that they wait for, and so with whatever anybody waits for.
pub const PRESERVES: GoalKinds = GoalKinds {
    assertions: true,
    undefined: true,
    races: true,
    ends: true,
    blocks: true,
};

/// Makes the guard of every access, join and end that nothing depends on false.
pub fn slice(program: &mut EventProgram, keep: Keep) {
    if !PRESERVES.contain(program.goals()) {
        return;
    }
    let needed = Needed::of(program, keep).events;
    let fals = program.terms.fals();
    for (event, needed) in program.events.iter_mut().zip(needed) {
        let matters = match event.kind {
            EventKind::Write { .. } => needed || keep == Keep::Writes,
            EventKind::Read { .. } | EventKind::Join { .. } | EventKind::End => needed,
            EventKind::Fence
            | EventKind::Create { .. }
            | EventKind::Assert { .. }
            | EventKind::Cut { .. }
            | EventKind::Rest(_) => true,
        };
        if !matters {
            event.guard = fals;
        }
    }
}

/// Events that a variable or a cell is tied to.
struct Ties {
    /// Reads and joins whose variable it is.
    of_variable: Vec<Vec<EventId>>,
    /// Writes of each cell, with when they write it.
    of_cell: Vec<Vec<(EventId, TermId)>>,
    /// Cell whose last content it is.
    last: HashMap<VarId, CellId>,
}

struct Needed<'p> {
    program: &'p EventProgram,
    ties: Ties,
    /// By term, for those in the cones of facts: the terms built on it, until they have been visited.
    above: Vec<Vec<TermId>>,
    is_fact: Vec<bool>,
    ends: Vec<Option<EventId>>,
    events: Vec<bool>,
    cells: Vec<bool>,
    terms: Vec<bool>,
    waiting: Vec<TermId>,
}

impl Needed<'_> {
    /// Linear in events, targets and terms.
    fn of(program: &EventProgram, keep: Keep) -> Needed<'_> {
        let mut needed = Needed {
            program,
            ties: ties(program),
            above: vec![Vec::new(); program.terms.len()],
            is_fact: vec![false; program.terms.len()],
            ends: vec![None; program.threads.len()],
            events: vec![false; program.events.len()],
            cells: vec![false; program.cells.len()],
            terms: vec![false; program.terms.len()],
            waiting: Vec::new(),
        };
        for t in program.terms.cone(&program.facts) {
            for child in program.terms.children(t) {
                needed.above[child.0 as usize].push(t);
            }
        }
        for fact in &program.facts {
            needed.is_fact[fact.0 as usize] = true;
        }
        for (id, event) in program.events.iter_ids() {
            match event.kind {
                EventKind::Assert { cond, .. } => {
                    needed.waiting.extend([event.guard, event.reached, cond]);
                }
                EventKind::Cut { .. } => needed.waiting.extend([event.guard, event.reached]),
                EventKind::Rest(ref rest) => {
                    needed.waiting.push(event.guard);
                    needed.waiting.extend(rest.terms());
                }
                EventKind::Create { .. } => needed.waiting.push(event.guard),
                // Barriers are kept, and are barriers only where they happen.
                EventKind::Fence
                    if program.memory.is_weak() && !faults::on(Fault::SliceBarriers) =>
                {
                    needed.waiting.push(event.guard);
                }
                EventKind::Write { .. } if keep == Keep::Writes => {
                    needed.waiting.extend([event.guard, event.reached]);
                }
                EventKind::End => needed.ends[event.thread.0 as usize] = Some(id),
                // A read of a known value is a condition on memory.
                EventKind::Read { value, .. } if program.terms.var_of(value).is_none() => {
                    needed.event(id);
                }
                _ => {}
            }
        }
        while let Some(t) = needed.waiting.pop() {
            needed.term(t);
        }
        needed
    }

    fn term(&mut self, t: TermId) {
        if std::mem::replace(&mut self.terms[t.0 as usize], true) {
            return;
        }
        let Some(var) = self.program.terms.var_of(t) else {
            self.waiting.extend(self.program.terms.children(t));
            return;
        };
        for id in std::mem::take(&mut self.ties.of_variable[var.0 as usize]) {
            self.event(id);
        }
        if let Some(&cell) = self.ties.last.get(&var) {
            self.cell(cell);
        }
        if !faults::on(Fault::SliceFacts) {
            self.facts_over(t);
        }
    }

    /// Facts with this variable matter.
    fn facts_over(&mut self, variable: TermId) {
        let mut stack = vec![variable];
        while let Some(t) = stack.pop() {
            if self.is_fact[t.0 as usize] {
                self.waiting.push(t);
            }
            stack.append(&mut self.above[t.0 as usize]);
        }
    }

    fn event(&mut self, id: EventId) {
        if std::mem::replace(&mut self.events[id.0 as usize], true) {
            return;
        }
        let event = &self.program.events[id];
        self.waiting.extend([event.guard, event.reached]);
        match &event.kind {
            EventKind::Read { targets, .. } => {
                for target in targets {
                    self.waiting.push(target.when);
                    self.cell(target.cell);
                }
            }
            EventKind::Write { value, .. } => self.waiting.push(*value),
            EventKind::Join { targets, .. } => {
                for &(thread, when) in targets {
                    self.waiting.push(when);
                    if let Some(end) = self.ends[thread.0 as usize] {
                        self.event(end);
                    }
                }
            }
            _ => {}
        }
    }

    fn cell(&mut self, cell: CellId) {
        if std::mem::replace(&mut self.cells[cell.0 as usize], true) {
            return;
        }
        self.waiting.push(self.program.cells[cell].init);
        for (write, when) in std::mem::take(&mut self.ties.of_cell[cell.0 as usize]) {
            self.waiting.push(when);
            if !faults::on(Fault::SliceWrites) {
                self.event(write);
            }
        }
    }
}

fn ties(program: &EventProgram) -> Ties {
    let mut ties = Ties {
        of_variable: vec![Vec::new(); program.terms.variables()],
        of_cell: vec![Vec::new(); program.cells.len()],
        last: HashMap::new(),
    };
    for (cell, last) in &program.last {
        ties.last
            .extend(program.terms.var_of(*last).map(|var| (var, *cell)));
    }
    for (id, event) in program.events.iter_ids() {
        if event.guard == program.terms.fals() {
            continue;
        }
        let variable = match &event.kind {
            EventKind::Read { value, .. } => *value,
            EventKind::Join { done, .. } => *done,
            EventKind::Write { targets, .. } => {
                for target in program.possible(targets) {
                    ties.of_cell[target.cell.0 as usize].push((id, target.when));
                }
                continue;
            }
            _ => continue,
        };
        if let Some(var) = program.terms.var_of(variable) {
            ties.of_variable[var.0 as usize].push(id);
        }
    }
    ties
}
