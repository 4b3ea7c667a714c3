//! Exchange of two threads: which events, variables, cells and constants become each other. Whether all of the program agrees with
//! that, others ask ([`super::check`]).

use crate::base::Loc;
use crate::event::{CellId, Event, EventId, EventKind, EventProgram, Target, ThreadId};
use crate::ir::MemOrder;
use crate::ir::position::PosKey;
use crate::reduce::faults::{self, Fault};
use crate::term::TermId;
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

/// Two constants that are exchanged in a cell.
pub(super) type Owners = (u128, u128);

/// Image of a constant in a word of owners.
pub(super) fn exchanged((a, b): Owners, value: u128) -> u128 {
    match value {
        _ if value == a => b,
        _ if value == b => a,
        _ => value,
    }
}

/// True if an event can happen.
pub(super) fn is_alive(program: &EventProgram, event: &Event) -> bool {
    event.guard != program.terms.fals()
}

/// Events of a thread that can happen.
pub(super) fn alive(
    program: &EventProgram,
    thread: ThreadId,
) -> impl Iterator<Item = (EventId, &Event)> {
    let events = program.threads[thread].events.iter();
    let events = events.map(|&id| (id, &program.events[id]));
    events.filter(|(_, event)| is_alive(program, event))
}

/// The exchange of two threads.
pub(super) struct Swap<'p> {
    pub program: &'p EventProgram,
    pub one: ThreadId,
    pub other: ThreadId,
    /// Variables that become each other.
    pub variables: HashMap<TermId, TermId, FxBuildHasher>,
    /// Cells of the two threads with what they become.
    cells: HashMap<CellId, CellId, FxBuildHasher>,
    owners: HashMap<CellId, Owners, FxBuildHasher>,
}

impl<'p> Swap<'p> {
    /// Events of the two threads, one by one; `None` if they differ at first sight.
    pub fn of(program: &'p EventProgram, one: ThreadId, other: ThreadId) -> Option<Swap<'p>> {
        let mut swap = Swap {
            program,
            one,
            other,
            variables: HashMap::default(),
            cells: HashMap::default(),
            owners: HashMap::default(),
        };
        let (mut sections, mut back) = (HashMap::new(), HashMap::new());
        for (a, b) in swap.all_pairs() {
            let alive = is_alive(program, a);
            if alive != is_alive(program, b) {
                return None;
            }
            if !alive {
                continue;
            }
            let same = place(a) == place(b) && a.calls == b.calls;
            let section = *sections.entry(a.section).or_insert(b.section) == b.section
                && *back.entry(b.section).or_insert(a.section) == a.section;
            if !(same || faults::on(Fault::PlacesTell))
                || !section
                || !are_of_one_kind(&a.kind, &b.kind)
            {
                return None;
            }
            swap.exchange_events(a, b)?;
        }
        Some(swap)
    }

    fn all_pairs(&self) -> impl Iterator<Item = (&'p Event, &'p Event)> + use<'p> {
        let program = self.program;
        let events = |thread: ThreadId| program.threads[thread].events.iter();
        let pairs = events(self.one).zip(events(self.other));
        pairs.map(|(&a, &b)| (&program.events[a], &program.events[b]))
    }

    /// Events that become each other and can happen.
    pub fn pairs(&self) -> impl Iterator<Item = (&'p Event, &'p Event)> + use<'p> {
        let program = self.program;
        self.all_pairs().filter(|(a, _)| is_alive(program, a))
    }

    /// True if an event is one of the two threads.
    pub fn is_own(&self, event: &Event) -> bool {
        event.thread == self.one || event.thread == self.other
    }

    /// Image of a cell.
    pub fn cell(&self, cell: CellId) -> CellId {
        self.cells.get(&cell).copied().unwrap_or(cell)
    }

    /// The constants that are exchanged in a cell, if there are some.
    pub fn owners(&self, cell: CellId) -> Option<Owners> {
        self.owners.get(&cell).copied()
    }

    /// The same of all cells of an access; `None` if they differ.
    pub fn owners_of(&self, targets: &[Target]) -> Option<Option<Owners>> {
        let mut all = targets.iter().map(|target| self.owners(target.cell));
        let first = all.next()?;
        all.all(|owners| owners == first).then_some(first)
    }

    /// Variables and cells of an event and its image.
    fn exchange_events(&mut self, a: &Event, b: &Event) -> Option<()> {
        use EventKind::{Join, Read, Write};
        match (&a.kind, &b.kind) {
            (Read { value, targets, .. }, Read { value: v, .. }) => {
                self.exchange(*value, *v)?;
                self.exchange_cells(targets, targets_of(b))
            }
            (Write { value, targets, .. }, Write { value: v, .. }) => {
                self.exchange_cells(targets, targets_of(b))?;
                let constant = |t| self.program.terms.as_constant(t);
                match (constant(*value), constant(*v), targets.as_slice()) {
                    (Some(x), Some(y), &[Target { cell, .. }]) if x != y => {
                        let owners = *self.owners.entry(cell).or_insert((x, y));
                        (self.cells[&cell] == cell && owners == (x, y)).then_some(())
                    }
                    _ => Some(()),
                }
            }
            (Join { done, .. }, Join { done: d, .. }) => self.exchange(*done, *d),
            _ => Some(()),
        }
    }

    /// Two variables become each other; of terms that are none, nothing is said yet.
    pub fn exchange(&mut self, a: TermId, b: TermId) -> Option<()> {
        let terms = &self.program.terms;
        let is_variable = terms.var_of(a).is_some();
        if is_variable != terms.var_of(b).is_some() {
            return None;
        }
        if !is_variable {
            return Some(());
        }
        let same = terms.bits(a) == terms.bits(b) && terms.fact(a) == terms.fact(b);
        let (x, y) = (
            *self.variables.entry(a).or_insert(b),
            *self.variables.entry(b).or_insert(a),
        );
        (same && x == b && y == a).then_some(())
    }

    fn exchange_cells(&mut self, a: &[Target], b: &[Target]) -> Option<()> {
        if a.len() != b.len() {
            return None;
        }
        for (a, b) in a.iter().zip(b) {
            let (x, y) = (
                *self.cells.entry(a.cell).or_insert(b.cell),
                *self.cells.entry(b.cell).or_insert(a.cell),
            );
            if x != b.cell || y != a.cell {
                return None;
            }
        }
        Some(())
    }

    /// Variables of the two threads' terms that no event has (choices, and sections that may end at a cut) are exchanged in their
    /// order.
    pub fn exchange_others(&mut self) -> Option<()> {
        let (a, b) = (self.variables_of(self.one), self.variables_of(self.other));
        let known: HashSet<TermId> = a
            .iter()
            .copied()
            .filter(|t| b.binary_search(t).is_ok())
            .collect();
        let open = |list: Vec<TermId>| -> Vec<TermId> {
            let open = list.into_iter();
            open.filter(|t| !known.contains(t) && !self.variables.contains_key(t))
                .collect()
        };
        let (a, b) = (open(a), open(b));
        if a.len() != b.len() {
            return None;
        }
        for (a, b) in a.into_iter().zip(b) {
            self.exchange(a, b)?;
        }
        Some(())
    }

    /// Variables in a thread's terms, in their order.
    fn variables_of(&self, thread: ThreadId) -> Vec<TermId> {
        let program = self.program;
        let mut roots = Vec::new();
        for (_, event) in alive(program, thread) {
            roots.extend(terms_of(event));
        }
        roots.sort_unstable();
        roots.dedup();
        let cone = program.terms.cone(&roots).into_iter();
        cone.filter(|&t| program.terms.var_of(t).is_some())
            .collect()
    }
}

/// Place of an event.
fn place(event: &Event) -> (Loc, PosKey, Option<MemOrder>, bool) {
    (event.loc, event.position, event.order, event.undisturbed)
}

/// Kinds of events of threads that may be alike: true if they are the same but for terms and cells. Threads that create others never
/// are, since these would have to be exchanged as well.
fn are_of_one_kind(a: &EventKind, b: &EventKind) -> bool {
    use EventKind::{Assert, Cut, End, Fence, Join, Read, Write};
    match (a, b) {
        (Read { role, .. }, Read { role: other, .. })
        | (Write { role, .. }, Write { role: other, .. }) => role == other,
        (Join { targets, .. }, Join { targets: other, .. }) => {
            let threads = targets.iter().map(|target| target.0);
            threads.eq(other.iter().map(|target| target.0))
        }
        (Assert { property, .. }, Assert { property: p, .. }) => property == p,
        (Cut { why }, Cut { why: other }) => why == other,
        (Fence, Fence) | (End, End) => true,
        _ => false,
    }
}

fn targets_of(event: &Event) -> &[Target] {
    match &event.kind {
        EventKind::Read { targets, .. } | EventKind::Write { targets, .. } => targets,
        _ => &[],
    }
}

/// Terms of an event.
fn terms_of(event: &Event) -> Vec<TermId> {
    let mut terms = vec![event.guard, event.reached];
    match &event.kind {
        EventKind::Read { value, targets, .. } | EventKind::Write { value, targets, .. } => {
            terms.push(*value);
            terms.extend(targets.iter().map(|target| target.when));
        }
        EventKind::Join { targets, done } => {
            terms.push(*done);
            terms.extend(targets.iter().map(|target| target.1));
        }
        EventKind::Assert { cond, .. } => terms.push(*cond),
        _ => {}
    }
    terms
}
