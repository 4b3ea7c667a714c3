//! Violations that a search knows, and the judge of new ones: which count, and which are suppressed.

use super::answer::{Execution, Inconsistent};
use super::encoding::Encoding;
use super::smaller::Idle;
use crate::base::Loc;
use crate::event::{EventId, EventProgram};
use crate::ir::Check;
use crate::question::faults;
use crate::sat::Solver;

/// What becomes of an execution that violates something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judged {
    /// It is a violation.
    Counts,
    /// It is one that nobody wants to be told of: others are looked for, also at the same place by other calls.
    Suppressed,
}

/// Judge of executions, told of each as soon as it is found, and of the search that has found it if nobody needs that any more.
pub type Judge<'a> =
    dyn FnMut(&EventProgram, &Execution, Option<&mut Idle>) -> Result<Judged, Inconsistent> + 'a;

/// Judge for whom every violation counts.
#[cfg(any(test, feature = "internals"))]
pub fn all_count(
    _: &EventProgram,
    _: &Execution,
    _: Option<&mut Idle>,
) -> Result<Judged, Inconsistent> {
    Ok(Judged::Counts)
}

/// Violations that are known, and who judges of new ones.
pub(super) struct Known<'j, 'c> {
    judge: &'j mut Judge<'c>,
    /// Those that count.
    pub found: Vec<Execution>,
    pub suppressed: Vec<Execution>,
}

impl<'j, 'c> Known<'j, 'c> {
    pub fn new(judge: &'j mut Judge<'c>) -> Known<'j, 'c> {
        Known {
            judge,
            found: Vec::new(),
            suppressed: Vec::new(),
        }
    }

    /// Takes note of executions; of no more than one that counts, if the first is enough.
    pub fn add(
        &mut self,
        program: &EventProgram,
        executions: Vec<Execution>,
        (encoding, solver): (&mut Encoding, &mut dyn Solver),
    ) -> Result<(), Inconsistent> {
        let first = encoding.first;
        for execution in executions {
            let mut idle = Idle::of(encoding, solver);
            match (self.judge)(program, &execution, idle.as_mut())? {
                Judged::Counts => self.found.push(execution),
                Judged::Suppressed => self.suppressed.push(execution),
            }
            if first && !self.found.is_empty() {
                break;
            }
        }
        Ok(())
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty() && self.suppressed.is_empty()
    }

    /// Known violation: true if one that counts violates the same check at the same place, or one that is suppressed does so
    /// by the same calls.
    pub fn has(&self, program: &EventProgram, event: EventId) -> bool {
        let place = |event: EventId| {
            let any = faults::on(faults::Fault::OnePlace);
            let loc = if any {
                (Loc::NONE, None)
            } else {
                program.place(event)
            };
            (program.check(event), loc)
        };
        let calls = |event: EventId| {
            let event = &program.events[event];
            (program.threads[event.thread].function, &event.calls)
        };
        if program.check(event) == Some(Check::Deadlock) {
            let mut all = self.found.iter().chain(&self.suppressed);
            return all.any(|one| {
                program.check(one.target) == Some(Check::Deadlock)
                    && one.places.contains(&program.events[event].loc)
            });
        }
        let mut found = self.found.iter();
        let mut suppressed = self.suppressed.iter();
        found.any(|one| place(one.target) == place(event))
            || suppressed
                .any(|one| place(one.target) == place(event) && calls(one.target) == calls(event))
    }
}
