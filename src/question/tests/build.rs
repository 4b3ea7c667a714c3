//! A small language to write event programs in: threads with a path, as symbolic execution keeps one.

use crate::base::{IdVec, Loc};
use crate::event::*;
use crate::ir::address::AddressSpace;
use crate::ir::position::PosKey;
use crate::ir::{DataModel, FuncId, MemOrder, Property};
use crate::term::{TermId, Terms};
use std::sync::Arc;

/// An event program in the making.
pub struct Build {
    pub program: EventProgram,
    sections: u32,
    /// Open section of the thread that is being written: its id, the first event in it, conditions that let
    /// it go on, and those under which an assertion inside is violated.
    open: Option<(SectionId, usize, Vec<TermId>, Vec<TermId>)>,
    /// The open section is a step of several writes, which go into a buffer.
    wide: bool,
    /// Order of the events that follow.
    pub order: Option<MemOrder>,
}

/// A thread in the making.
#[derive(Clone)]
pub struct Path {
    pub thread: ThreadId,
    pub term: TermId,
}

impl Build {
    /// A program under sequential consistency.
    pub fn new() -> Build {
        Build::under(MemoryModel::Sc)
    }

    pub fn under(memory: MemoryModel) -> Build {
        let program = EventProgram {
            terms: Terms::new(),
            threads: IdVec::new(),
            events: IdVec::new(),
            cells: IdVec::new(),
            inputs: Vec::new(),
            objects: Vec::new(),
            space: AddressSpace::new(DataModel::Lp64, 8).expect("small objects fit"),
            used_slots: 1,
            partial: Vec::new(),
            facts: Vec::new(),
            bases: Vec::new(),
            parts: Vec::new(),
            unseen: Vec::new(),
            last: Default::default(),
            rivals: Default::default(),
            alike: Vec::new(),
            memory,
            spent: Default::default(),
        };
        Build {
            program,
            sections: 0,
            open: None,
            wide: false,
            order: None,
        }
    }

    pub fn terms(&mut self) -> &mut Terms {
        &mut self.program.terms
    }

    pub fn constant(&mut self, value: u128, bits: u16) -> TermId {
        self.program.terms.constant(value, bits)
    }

    pub fn cell(&mut self, bits: u16, init: u128) -> CellId {
        let init = self.constant(init, bits);
        self.cell_of(init)
    }

    pub fn cell_of(&mut self, init: TermId) -> CellId {
        let bits = self.program.terms.bits(init);
        let offset_bytes = 8 * self.program.cells.len() as u64;
        self.program.cells.push(Cell {
            bits,
            init,
            object: 0,
            offset_bytes,
            element: None,
            sync: false,
            beside: false,
        })
    }

    /// A free choice.
    pub fn input(&mut self, thread: ThreadId, bits: u16) -> TermId {
        let value = self.program.terms.fresh("input", bits);
        let position = PosKey(1_000_000 + self.program.inputs.len() as u64);
        self.program.inputs.push(Input {
            value,
            thread,
            position,
            offset_bytes: None,
        });
        value
    }

    pub fn main(&mut self) -> Path {
        assert!(self.program.threads.is_empty(), "main is the first thread");
        let thread = self.program.threads.push(Thread {
            function: FuncId(0),
            created_by: None,
            events: Vec::new(),
        });
        Path {
            thread,
            term: self.program.terms.tru(),
        }
    }

    /// Creates a thread where `when` holds.
    pub fn create(&mut self, path: &Path, when: TermId) -> Path {
        let guard = self.program.terms.and(path.term, when);
        let child = self.program.threads.next_id();
        let event = self.event(path.thread, guard, EventKind::Create { child });
        let thread = self.program.threads.push(Thread {
            function: FuncId(0),
            created_by: Some(event),
            events: Vec::new(),
        });
        Path {
            thread,
            term: guard,
        }
    }

    fn event(&mut self, thread: ThreadId, guard: TermId, kind: EventKind) -> EventId {
        let id = self.program.events.next_id();
        let stored = self.program.memory.store(self.order) != Store::Direct;
        let write = matches!(kind, EventKind::Write { .. });
        let buffered = write && stored && (self.open.is_none() || self.wide);
        self.program.events.push(Event {
            thread,
            guard,
            reached: guard,
            kind,
            section: self.open.as_ref().map(|open| open.0),
            order: self.order,
            position: PosKey(u64::from(id.0)),
            loc: Loc(id.0),
            calls: Arc::from([]),
            buffered,
            undisturbed: false,
        });
        self.program.threads[thread].events.push(id);
        id
    }

    pub fn read(&mut self, path: &Path, cell: CellId) -> TermId {
        let when = self.program.terms.tru();
        self.read_any(path, vec![Target { cell, when }])
    }

    /// Reads from the target that holds; the path must imply that one does.
    pub fn read_any(&mut self, path: &Path, targets: Vec<Target>) -> TermId {
        let bits = self.program.cells[targets[0].cell].bits;
        let value = self.program.terms.fresh("r", bits);
        self.event(
            path.thread,
            path.term,
            EventKind::Read {
                value,
                targets,
                role: Role::Plain,
            },
        );
        value
    }

    pub fn write(&mut self, path: &Path, cell: CellId, value: TermId) {
        let when = self.program.terms.tru();
        self.write_any(path, vec![Target { cell, when }], value);
    }

    pub fn write_any(&mut self, path: &Path, targets: Vec<Target>, value: TermId) {
        self.event(
            path.thread,
            path.term,
            EventKind::Write {
                value,
                targets,
                role: Role::Plain,
            },
        );
    }

    /// Takes a lock (0 is free), or blocks.
    pub fn lock(&mut self, path: &mut Path, cell: CellId) {
        let nested = self.open.is_some();
        if !nested {
            self.begin(path);
        }
        let begun = self.program.events.next_id();
        let value = self.read(path, cell);
        let bits = self.program.cells[cell].bits;
        let zero = self.constant(0, bits);
        let free = self.program.terms.eq(value, zero);
        let taken = self.program.terms.and(path.term, free);
        // A lock that is not taken does not drain buffers either.
        let first = match begun.0.checked_sub(1).map(EventId) {
            Some(fence) if !nested && self.program.memory.is_weak() => fence,
            _ => begun,
        };
        for id in first.0..self.program.events.next_id().0 {
            self.program.events[EventId(id)].guard = taken;
            self.program.events[EventId(id)].reached = taken;
        }
        if nested {
            self.block(path, free);
        } else {
            path.term = taken;
        }
        let one = self.constant(1, bits);
        self.write(path, cell, one);
        if !nested {
            self.end_section();
        }
    }

    pub fn unlock(&mut self, path: &Path, cell: CellId) {
        let bits = self.program.cells[cell].bits;
        let zero = self.constant(0, bits);
        let alone = self.open.is_none() && self.program.memory.is_weak();
        if alone {
            self.begin(path);
        }
        self.write(path, cell, zero);
        if alone {
            self.end_section();
        }
    }

    /// A fence of this order.
    pub fn fence(&mut self, path: &Path, order: MemOrder) {
        let before = self.order.replace(order);
        self.event(path.thread, path.term, EventKind::Fence);
        self.order = before;
    }

    /// A section; under a weak memory model, it drains the buffer.
    pub fn begin(&mut self, path: &Path) {
        self.open_section();
        if self.program.memory.is_weak() {
            self.fence(path, MemOrder::SeqCst);
        }
    }

    /// Several accesses that are one step, with writes that are buffered.
    pub fn begin_wide(&mut self) {
        self.open_section();
        self.wide = true;
    }

    /// True if a section is open.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    fn open_section(&mut self) {
        assert!(self.open.is_none(), "sections do not nest");
        let id = SectionId(self.sections);
        self.sections += 1;
        self.open = Some((id, self.program.events.len(), Vec::new(), Vec::new()));
    }

    /// Ends the section: its visible events need that nothing in it blocks.
    pub fn end_section(&mut self) {
        self.wide = false;
        let Some((_, first, blocks, violations)) = self.open.take() else {
            return;
        };
        if blocks.is_empty() {
            return;
        }
        let terms = &mut self.program.terms;
        let mut runs = terms.tru();
        for block in blocks {
            runs = terms.and(runs, block);
        }
        for violation in violations {
            runs = terms.or(runs, violation);
        }
        // A question about a cut inside looks at sections that end there.
        let mut cut = terms.fals();
        for index in first..self.program.events.len() {
            let event = &self.program.events[EventId(index as u32)];
            if matches!(event.kind, EventKind::Cut { .. }) {
                cut = terms.or(cut, event.guard);
            }
        }
        if cut != terms.fals() {
            let ends_at_cut = terms.fresh("cut-in-section", 1);
            let fact = terms.implies(ends_at_cut, cut);
            runs = terms.or(runs, ends_at_cut);
            self.program.facts.push(fact);
            self.program.partial.push(ends_at_cut);
        }
        for index in first..self.program.events.len() {
            let event = &mut self.program.events[EventId(index as u32)];
            if !matches!(event.kind, EventKind::Assert { .. }) {
                event.guard = self.program.terms.and(event.guard, runs);
            }
        }
    }

    /// The path goes on only where `cond` holds.
    pub fn block(&mut self, path: &mut Path, cond: TermId) {
        if let Some(open) = &mut self.open {
            let needed = self.program.terms.implies(path.term, cond);
            open.2.push(needed);
        }
        path.term = self.program.terms.and(path.term, cond);
    }

    /// Asserts, and goes on only where the condition holds.
    pub fn assert(&mut self, path: &mut Path, cond: TermId) -> EventId {
        if let Some(open) = &mut self.open {
            let broken = self.program.terms.not(cond);
            let violated = self.program.terms.and(path.term, broken);
            open.3.push(violated);
        }
        let id = self.event(
            path.thread,
            path.term,
            EventKind::Assert {
                cond,
                property: Property::Assertion,
            },
        );
        path.term = self.program.terms.and(path.term, cond);
        id
    }

    /// Execution is cut where `when` holds.
    pub fn cut(&mut self, path: &mut Path, when: TermId, why: Cut) -> EventId {
        let guard = self.program.terms.and(path.term, when);
        let id = self.event(path.thread, guard, EventKind::Cut { why });
        let on = self.program.terms.not(when);
        self.block(path, on);
        id
    }

    /// Waits for one of the threads.
    pub fn join(&mut self, path: &mut Path, targets: Vec<(ThreadId, TermId)>) {
        let done = self.program.terms.fresh("joined", 1);
        self.event(path.thread, path.term, EventKind::Join { targets, done });
        path.term = self.program.terms.and(path.term, done);
    }

    pub fn end(&mut self, path: &Path) {
        self.event(path.thread, path.term, EventKind::End);
    }
}
