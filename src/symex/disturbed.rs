//! Disturbed rests: those that read what another thread changes for a while, as an attempt to take a lock that a loop takes and gives back
//! does, or the step of a thread that waits for it ([`Rest::undisturbed`](crate::event::Rest::undisturbed)).
//!
//! Such a thread still stays if it comes round, or waits, whatever it reads where it is disturbed: what memory holds in the end, what it
//! has written itself, or what the iteration of another thread writes: a constant, or what that thread alone writes there. All ways are
//! simulated, one after the other: each read has one of these contents, every other one what the thread finds if it runs alone.

use super::faults::{self, Fault};
use super::pass::Pass;
use super::resting::{Kind, Resting};
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::{CellId, EventId, EventKind, Role, Target, ThreadId};
use crate::term::{Memo, TermId, VarId};
use hashbrown::{HashMap, HashSet};

/// Ways of one iteration that are tried.
const WAYS: usize = 64;

/// Writes of iterations that come round, by cell.
type Written = SortedMap<CellId, Writes>;

/// Writes to a cell.
struct Writes {
    /// Values, with the threads that write them.
    values: SortedSet<(ThreadId, TermId)>,
    /// True if they take mutexes and give them back: who has one is not disturbed.
    is_mutex: bool,
    /// True if the values are not known.
    open: bool,
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

/// A rest that may be one though it is disturbed.
pub(super) struct Undisturbed {
    /// The condition that it is.
    pub when: TermId,
    /// Accesses of the iteration, or the step, on all its ways.
    pub accesses: Vec<(EventId, TermId)>,
}

/// An iteration, or a step that waits, that is simulated.
struct Part<'p> {
    thread: ThreadId,
    /// Accesses on all its ways.
    accesses: &'p [(EventId, TermId)],
    /// The condition that it comes round; `None` for a step.
    round: Option<TermId>,
    /// The condition that it waits.
    waits: TermId,
    /// Variables that matter to it.
    used: HashSet<VarId>,
    /// Variables of its inputs.
    inputs: Vec<VarId>,
}

/// Iterations as a pass knows them: by number, the accesses on all ways, and the conditions that they wait and come round.
struct Turns<'t> {
    whole: SortedMap<u32, Vec<(EventId, TermId)>>,
    waits: SortedMap<u32, TermId>,
    round: &'t SortedMap<u32, TermId>,
}

impl Pass<'_> {
    /// By rest: the condition that it is one though it is disturbed, and its accesses on all ways.
    pub(super) fn undisturbed(
        &mut self,
        rests: &[Resting],
        reads: &[Vec<(CellId, TermId)>],
        round: &SortedMap<u32, TermId>,
        last: &mut SortedMap<CellId, TermId>,
    ) -> SortedMap<usize, Undisturbed> {
        let mut undisturbed = SortedMap::new();
        let turns = self.turns(rests, round);
        let mut written = self.written_in_turns(&turns);
        let is_disturbed = |number: &usize| {
            let thread = self.events[rests[*number].event].thread;
            let mut writes = reads[*number]
                .iter()
                .filter_map(|(cell, _)| written.get(cell));
            writes.any(|writes| writes.are_by_another(thread))
        };
        let disturbed: Vec<usize> = (0..rests.len()).filter(is_disturbed).collect();
        if !disturbed.is_empty() {
            self.find_values(&mut written, rests, &turns, last);
        }
        for number in disturbed {
            let Some(part) = self.simulated(&rests[number], &turns) else {
                continue;
            };
            if let Some(when) = self.on_all_ways(&part, &written, last, &mut Vec::new()) {
                let accesses = part.accesses.to_vec();
                undisturbed.insert(number, Undisturbed { when, accesses });
            }
        }
        undisturbed
    }

    /// All iterations that come round.
    fn turns<'t>(&mut self, rests: &[Resting], round: &'t SortedMap<u32, TermId>) -> Turns<'t> {
        let mut last: SortedMap<u32, &Resting> = SortedMap::new();
        for rest in rests {
            if let Kind::Spin { turn, .. } = rest.kind {
                // Rests of one iteration follow each other.
                last.insert(turn, rest);
            }
        }
        let mut turns = Turns {
            whole: SortedMap::new(),
            waits: SortedMap::new(),
            round,
        };
        for (turn, rest) in last {
            let mut ends = waits_within(self, rests, &rest.accesses);
            ends.push(round[&turn]);
            // What happens only where the iteration leaves the loop does not matter.
            let stays = |pass: &mut Pass, reached: TermId| {
                ends.iter().any(|end| {
                    let both = pass.terms.and(reached, *end);
                    pass.terms.as_constant(both) != Some(0)
                })
            };
            let mut accesses = rest.accesses.clone();
            accesses.retain(|(_, reached)| stays(self, *reached));
            let waits = waits_within(self, rests, &accesses);
            turns.waits.insert(turn, self.terms.or_all(&waits));
            turns.whole.insert(turn, accesses);
        }
        turns
    }

    /// The part of a thread that is simulated for a rest; `None` if there is none.
    fn simulated<'p>(&self, rest: &'p Resting, turns: &'p Turns) -> Option<Part<'p>> {
        let (accesses, comes_round, waits, inputs) = match rest.kind {
            Kind::Wait(_) => (&rest.accesses[..], None, rest.stays, (0, 0)),
            Kind::Spin { turn, inputs, .. } => {
                let accesses = &turns.whole[&turn][..];
                let comes_round = Some(turns.round[&turn]);
                (accesses, comes_round, turns.waits[&turn], inputs)
            }
            _ => return None,
        };
        Some(Part {
            thread: self.events[rest.event].thread,
            accesses,
            round: comes_round,
            waits,
            used: self.used((rest, accesses), turns.round),
            inputs: self.input_variables(inputs),
        })
    }

    /// Writes of iterations that come round. Values that are no constants are not known.
    fn written_in_turns(&self, turns: &Turns) -> Written {
        let mut written = Written::new();
        for (id, _) in turns.whole.values().flatten() {
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
                    values: SortedSet::new(),
                    is_mutex: true,
                    open: false,
                });
                writes.values.insert((event.thread, *value));
                writes.is_mutex &= is_of_mutex(*role);
                writes.open |= self.terms.as_constant(*value).is_none();
            }
        }
        written
    }

    /// Finds the values that are not known of cells that the iterations of one thread alone write: by simulation.
    fn find_values(
        &mut self,
        written: &mut Written,
        rests: &[Resting],
        turns: &Turns,
        last: &mut SortedMap<CellId, TermId>,
    ) {
        let mut found: SortedMap<CellId, SortedSet<(ThreadId, TermId)>> = SortedMap::new();
        let mut failed: SortedSet<CellId> = SortedSet::new();
        let mut seen: SortedSet<u32> = SortedSet::new();
        for rest in rests {
            let Kind::Spin { turn, .. } = rest.kind else {
                continue;
            };
            if !seen.insert(turn) {
                continue;
            }
            let thread = self.events[rest.event].thread;
            let mut cells: SortedSet<CellId> = SortedSet::new();
            for (id, _) in &turns.whole[&turn] {
                if let EventKind::Write { targets, .. } = &self.events[*id].kind {
                    let open = targets.iter().map(|target| target.cell);
                    let open = open
                        .filter(|cell| written[cell].open && !written[cell].are_by_another(thread));
                    cells.extend(open);
                }
            }
            if cells.is_empty() {
                continue;
            }
            let mut values = Vec::new();
            let part = self.simulated(rest, turns);
            let all = part.and_then(|part| self.on_all_ways(&part, written, last, &mut values));
            if all.is_none() {
                failed.extend(cells);
                continue;
            }
            for (cell, value) in values {
                found.entry(cell).or_default().insert((thread, value));
            }
        }
        for (cell, values) in found {
            if let Some(writes) = written.get_mut(&cell)
                && writes.open
                && !failed.contains(&cell)
                && values.iter().all(|one| !writes.are_by_another(one.0))
            {
                writes.values = values;
                writes.open = false;
            }
        }
    }

    /// The condition that a thread comes round, or waits, on all ways; `None` if it never holds, or nobody knows. Adds what it writes.
    fn on_all_ways(
        &mut self,
        part: &Part,
        written: &Written,
        last: &mut SortedMap<CellId, TermId>,
        values: &mut Vec<(CellId, TermId)>,
    ) -> Option<TermId> {
        let mut all = self.terms.tru();
        if faults::on(Fault::AlwaysUndisturbed) {
            return Some(all);
        }
        let mut choices = Choices::default();
        for _ in 0..WAYS {
            let one = self.on_one_way(part, written, (&mut choices, last), values)?;
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

    /// The condition that a thread waits, or comes round and leaves memory as it was, on one way.
    fn on_one_way(
        &mut self,
        part: &Part,
        written: &Written,
        (choices, last): (&mut Choices, &mut SortedMap<CellId, TermId>),
        values: &mut Vec<(CellId, TermId)>,
    ) -> Option<TermId> {
        let disturbs = |cell: &CellId| {
            let writes = written.get(cell);
            writes.filter(|writes| writes.are_by_another(part.thread))
        };
        let mut env: HashMap<VarId, TermId> = HashMap::new();
        let mut memo = Memo::new();
        let mut now: SortedMap<CellId, TermId> = SortedMap::new();
        for &var in part.inputs.iter().filter(|var| part.used.contains(*var)) {
            if self.terms.bits(self.terms.variable(var)) != 1 {
                return None;
            }
            let value = choices.pick(2);
            env.insert(var, self.terms.constant(value as u128, 1));
        }
        for &(id, reached) in part.accesses {
            match self.events[id].kind.clone() {
                EventKind::Read { value, targets, .. } => {
                    let var = self.terms.var_of(value)?;
                    if !part.used.contains(&var) || env.contains_key(&var) {
                        continue;
                    }
                    let mut read = value;
                    for Target { cell, when } in targets {
                        let at_end = self.last_of(cell, last);
                        let mut content = now.get(&cell).copied().unwrap_or(at_end);
                        if let Some(writes) = disturbs(&cell) {
                            let contents = self.contents(part.thread, writes, (content, at_end))?;
                            content = contents[choices.pick(contents.len())];
                        }
                        let here = self.terms.substitute(when, &env, &mut memo);
                        read = self.terms.ite(here, content, read);
                    }
                    env.insert(var, read);
                }
                // A step that waits has written nothing.
                EventKind::Write {
                    value,
                    targets,
                    role,
                } if part.round.is_some() => {
                    for Target { cell, when } in targets {
                        let here = self.terms.and(reached, when);
                        let here = self.terms.substitute(here, &env, &mut memo);
                        if self.terms.as_constant(here) == Some(0) {
                            continue;
                        }
                        if disturbs(&cell).is_some() && !is_of_mutex(role) {
                            return None;
                        }
                        let content = match now.get(&cell) {
                            Some(content) => *content,
                            None => self.last_of(cell, last),
                        };
                        let value = self.terms.substitute(value, &env, &mut memo);
                        let value = self.terms.ite(here, value, content);
                        values.push((cell, value));
                        now.insert(cell, value);
                    }
                }
                _ => {}
            }
        }
        let waits = self.terms.substitute(part.waits, &env, &mut memo);
        let Some(round) = part.round else {
            return Some(waits);
        };
        let mut comes_round = self.terms.substitute(round, &env, &mut memo);
        for (cell, content) in now {
            let same = self.terms.eq(content, last[&cell]);
            comes_round = self.terms.and(comes_round, same);
        }
        Some(self.terms.or(comes_round, waits))
    }

    /// What a thread may read in a cell where it is disturbed, if the cell would hold `now` without that, and holds `at_end` in the end.
    fn contents(
        &self,
        thread: ThreadId,
        writes: &Writes,
        (now, at_end): (TermId, TermId),
    ) -> Option<Vec<TermId>> {
        if writes.open {
            return None;
        }
        let own = writes.values.iter().filter(|one| one.0 == thread);
        let is_own = |value: TermId| own.clone().any(|one| one.1 == value);
        let known = |value: TermId| self.terms.as_constant(value);
        if writes.is_mutex && known(now).is_some_and(|owner| owner != 0) && is_own(now) {
            return Some(vec![now]);
        }
        let mut contents = vec![now];
        let all = writes.values.iter().map(|one| one.1);
        for value in [at_end].into_iter().chain(all) {
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

/// Conditions that an iteration with these accesses waits, for each of its steps that may.
fn waits_within(pass: &Pass, rests: &[Resting], accesses: &[(EventId, TermId)]) -> Vec<TermId> {
    let (Some((first, _)), Some((end, _))) = (accesses.first(), accesses.last()) else {
        return Vec::new();
    };
    let thread = pass.events[*first].thread;
    // The rest of a step that waits comes before what the step reads.
    let within = rests.iter().filter(|rest| {
        matches!(rest.kind, Kind::Wait(_))
            && pass.events[rest.event].thread == thread
            && (*first..=*end).contains(&EventId(rest.event.0 + 1))
    });
    within.map(|rest| rest.stays).collect()
}
