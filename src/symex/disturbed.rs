//! Disturbed iterations: those that read what another thread changes for a while, as an attempt to take a lock that another loop takes and
//! gives back does ([`Spin::undisturbed`](crate::event::Spin::undisturbed)).
//!
//! Such an iteration still spins if it comes round, or waits, whatever it reads where it is disturbed: what memory holds in the end, what
//! it has written itself, or a constant that another iteration writes. All ways are simulated, one after the other: each read has one of
//! these contents, every other one what the iteration finds if it runs alone.

use super::faults::{self, Fault};
use super::pass::Pass;
use super::resting::{Kind, Resting};
use crate::event::{CellId, EventId, EventKind, Role, Target, ThreadId};
use crate::term::{Memo, TermId, VarId};
use hashbrown::{HashMap, HashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Ways of one iteration that are tried.
const WAYS: usize = 64;

/// What iterations that come round write, by cell.
type Written = BTreeMap<CellId, Writes>;

/// Writes to a cell.
struct Writes {
    /// Values, with the threads that write them.
    values: BTreeSet<(ThreadId, TermId)>,
    /// True if they take mutexes and give them back: who has one is not disturbed.
    is_mutex: bool,
}

impl Writes {
    /// True if a thread other than this one writes.
    fn are_by_another(&self, thread: ThreadId) -> bool {
        self.values.iter().any(|one| one.0 != thread)
    }
}

/// Choices of one way, each among so many; the next way has the last one that can be another so.
#[derive(Default)]
struct Choices {
    made: Vec<(usize, usize)>,
    next: usize,
}

impl Choices {
    fn pick(&mut self, of: usize) -> usize {
        if self.next == self.made.len() {
            self.made.push((0, of));
        }
        self.next += 1;
        self.made[self.next - 1].0
    }

    fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((chosen, of)) = self.made.pop() {
            if chosen + 1 < of {
                self.made.push((chosen + 1, of));
                return true;
            }
        }
        false
    }
}

/// An iteration that may spin though it is disturbed.
pub(super) struct Undisturbed {
    /// The condition that it does.
    pub when: TermId,
    /// Accesses on all its ways.
    pub accesses: Vec<(EventId, TermId)>,
}

/// Iteration that is simulated.
struct Iteration<'i> {
    thread: ThreadId,
    /// Accesses on all its ways.
    accesses: &'i [(EventId, TermId)],
    /// The condition that it comes round.
    round: TermId,
    /// The condition that it waits.
    waits: TermId,
    /// Variables that matter to it.
    used: HashSet<VarId>,
    /// Variables of its inputs.
    inputs: Vec<VarId>,
    written: &'i Written,
}

impl Iteration<'_> {
    /// What is written to a cell, if another thread does.
    fn disturbs(&self, cell: CellId) -> Option<&Writes> {
        let writes = self.written.get(&cell)?;
        writes.are_by_another(self.thread).then_some(writes)
    }
}

impl Pass<'_> {
    /// By rest: the condition that its iteration comes round, or waits, though it is disturbed, and its accesses on all ways.
    pub(super) fn undisturbed(
        &mut self,
        rests: &[Resting],
        reads: &[Vec<(CellId, TermId)>],
        round: &BTreeMap<u32, TermId>,
        last: &mut BTreeMap<CellId, TermId>,
    ) -> BTreeMap<usize, Undisturbed> {
        let mut undisturbed = BTreeMap::new();
        if round.is_empty() {
            return undisturbed;
        }
        let written = self.written_in_turns(rests);
        let mut whole: BTreeMap<u32, &[(EventId, TermId)]> = BTreeMap::new();
        for rest in rests {
            if let Kind::Spin { turn, .. } = rest.kind {
                // Rests of one iteration follow each other.
                whole.insert(turn, &rest.accesses);
            }
        }
        for (number, rest) in rests.iter().enumerate() {
            let Kind::Spin { turn, inputs } = rest.kind else {
                continue;
            };
            let thread = self.events[rest.event].thread;
            let is_disturbed = |(cell, _): &(CellId, TermId)| {
                let writes = written.get(cell);
                writes.is_some_and(|writes| writes.are_by_another(thread))
            };
            if !reads[number].iter().any(is_disturbed) {
                continue;
            }
            let waits = self.waits_within(rests, whole[&turn]);
            let inputs = self.inputs[inputs.0..inputs.1].iter();
            let inputs = inputs.filter_map(|input| self.terms.var_of(input.value));
            let iteration = Iteration {
                thread,
                accesses: whole[&turn],
                round: round[&turn],
                waits,
                used: self.used((rest, whole[&turn]), round),
                inputs: inputs.collect(),
                written: &written,
            };
            if let Some(when) = self.on_all_ways(&iteration, last) {
                let accesses = iteration.accesses.to_vec();
                undisturbed.insert(number, Undisturbed { when, accesses });
            }
        }
        undisturbed
    }

    /// What iterations that come round write.
    fn written_in_turns(&self, rests: &[Resting]) -> Written {
        let mut written = Written::new();
        let spins = rests.iter().filter(|r| matches!(r.kind, Kind::Spin { .. }));
        for (id, _) in spins.flat_map(|rest| &rest.accesses) {
            let event = &self.events[*id];
            let EventKind::Write {
                value,
                targets,
                role,
            } = &event.kind
            else {
                continue;
            };
            for target in targets {
                let writes = written.entry(target.cell).or_insert(Writes {
                    values: BTreeSet::new(),
                    is_mutex: true,
                });
                writes.values.insert((event.thread, *value));
                writes.is_mutex &= is_of_mutex(*role);
            }
        }
        written
    }

    /// The condition that an iteration with these accesses waits, at one of its steps.
    fn waits_within(&mut self, rests: &[Resting], accesses: &[(EventId, TermId)]) -> TermId {
        let (Some((first, _)), Some((end, _))) = (accesses.first(), accesses.last()) else {
            return self.terms.fals();
        };
        let thread = self.events[*first].thread;
        // The rest of a step that waits comes before what the step reads.
        let within = rests.iter().filter(|rest| {
            matches!(rest.kind, Kind::Wait(_))
                && self.events[rest.event].thread == thread
                && (*first..=*end).contains(&EventId(rest.event.0 + 1))
        });
        let stays: Vec<TermId> = within.map(|rest| rest.stays).collect();
        self.terms.or_all(&stays)
    }

    /// The condition that an iteration comes round, or waits, on all ways; `None` if it never holds, or nobody knows.
    fn on_all_ways(
        &mut self,
        iteration: &Iteration,
        last: &mut BTreeMap<CellId, TermId>,
    ) -> Option<TermId> {
        let mut all = self.terms.tru();
        if faults::on(Fault::AlwaysUndisturbed) {
            return Some(all);
        }
        let mut choices = Choices::default();
        for _ in 0..WAYS {
            let one = self.on_one_way(iteration, &mut choices, last)?;
            all = self.terms.and(all, one);
            if self.terms.as_constant(all) == Some(0) {
                return None;
            }
            if !choices.advance() {
                return Some(all);
            }
        }
        None
    }

    /// The condition that an iteration waits, or comes round and leaves memory as it was, on one way.
    fn on_one_way(
        &mut self,
        iteration: &Iteration,
        choices: &mut Choices,
        last: &mut BTreeMap<CellId, TermId>,
    ) -> Option<TermId> {
        let mut env: HashMap<VarId, TermId> = HashMap::new();
        let mut memo = Memo::new();
        let mut now: BTreeMap<CellId, TermId> = BTreeMap::new();
        for &var in iteration
            .inputs
            .iter()
            .filter(|var| iteration.used.contains(*var))
        {
            if self.terms.bits(self.terms.variable(var)) != 1 {
                return None;
            }
            let value = choices.pick(2);
            env.insert(var, self.terms.constant(value as u128, 1));
        }
        for &(id, reached) in iteration.accesses {
            match self.events[id].kind.clone() {
                EventKind::Read { value, targets, .. } => {
                    let var = self.terms.var_of(value)?;
                    if !iteration.used.contains(&var) || env.contains_key(&var) {
                        continue;
                    }
                    let mut read = value;
                    for Target { cell, when } in targets {
                        let mut content = match now.get(&cell) {
                            Some(content) => *content,
                            None => self.last_of(cell, last),
                        };
                        if let Some(writes) = iteration.disturbs(cell) {
                            let at_end = self.last_of(cell, last);
                            let contents = self.contents(iteration, writes, (content, at_end))?;
                            content = contents[choices.pick(contents.len())];
                        }
                        let here = self.terms.substitute(when, &env, &mut memo);
                        read = self.terms.ite(here, content, read);
                    }
                    env.insert(var, read);
                }
                EventKind::Write {
                    value,
                    targets,
                    role,
                } => {
                    for Target { cell, when } in targets {
                        let here = self.terms.and(reached, when);
                        let here = self.terms.substitute(here, &env, &mut memo);
                        if self.terms.as_constant(here) == Some(0) {
                            continue;
                        }
                        if iteration.disturbs(cell).is_some() && !is_of_mutex(role) {
                            return None;
                        }
                        let content = match now.get(&cell) {
                            Some(content) => *content,
                            None => self.last_of(cell, last),
                        };
                        let value = self.terms.substitute(value, &env, &mut memo);
                        now.insert(cell, self.terms.ite(here, value, content));
                    }
                }
                _ => {}
            }
        }
        let mut comes_round = self.terms.substitute(iteration.round, &env, &mut memo);
        for (cell, content) in now {
            let same = self.terms.eq(content, last[&cell]);
            comes_round = self.terms.and(comes_round, same);
        }
        let waits = self.terms.substitute(iteration.waits, &env, &mut memo);
        Some(self.terms.or(comes_round, waits))
    }

    /// What an iteration may read in a cell where it is disturbed, if the cell would hold `now` without that, and holds `at_end` in the end.
    fn contents(
        &self,
        iteration: &Iteration,
        writes: &Writes,
        (now, at_end): (TermId, TermId),
    ) -> Option<Vec<TermId>> {
        let own = writes.values.iter().filter(|one| one.0 == iteration.thread);
        let is_own = |value: TermId| own.clone().any(|one| one.1 == value);
        let known = |value: TermId| self.terms.as_constant(value);
        if writes.is_mutex && known(now).is_some_and(|owner| owner != 0) && is_own(now) {
            return Some(vec![now]);
        }
        let mut contents = vec![now];
        for value in [at_end]
            .into_iter()
            .chain(writes.values.iter().map(|one| one.1))
        {
            if value != at_end && known(value).is_none() {
                return None;
            }
            // A mutex holds nobody's number but that of who has it.
            let is_elsewhere = writes.is_mutex && known(value) != Some(0) && is_own(value);
            if !is_elsewhere && !contents.contains(&value) {
                contents.push(value);
            }
        }
        Some(contents)
    }
}

/// True if a write takes a mutex, or gives it back.
fn is_of_mutex(role: Role) -> bool {
    matches!(role, Role::Lock | Role::TryLock | Role::Unlock)
}
