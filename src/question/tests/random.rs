//! Random small event programs.

use super::build::{Build, Path};
use crate::analysis::Loop;
use crate::base::mix::mix;
use crate::event::*;
use crate::ir::{FuncId, MemOrder};
use crate::term::TermId;

/// A reproducible source of choices.
pub struct Choices {
    key: u64,
    count: u64,
}

impl Choices {
    pub fn new(seed: u64) -> Choices {
        Choices {
            key: seed,
            count: 0,
        }
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.count += 1;
        mix(mix(self.key, 0x5eed), self.count) % bound
    }

    /// True with `percent` per cent.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// Orders of writes and fences.
const ORDERS: [MemOrder; 5] = [
    MemOrder::Relaxed,
    MemOrder::Acquire,
    MemOrder::Release,
    MemOrder::AcqRel,
    MemOrder::SeqCst,
];

struct EventGenerator {
    build: Build,
    choices: Choices,
    /// Data cells, all of one width.
    cells: Vec<CellId>,
    lock: Option<CellId>,
    bits: u16,
    inputs: u32,
    unsupported: u32,
    /// Threads that are to be written yet, with the values that they know.
    children: Vec<(Path, Vec<TermId>)>,
    threads: usize,
}

/// A thread in progress: its path, the values it knows, and how many more events it may have.
struct Writing {
    path: Path,
    values: Vec<TermId>,
    events: u32,
}

/// The program of a seed under sequential consistency: at most five threads, each with a handful of events.
pub fn program(seed: u64) -> EventProgram {
    under(MemoryModel::Sc, seed)
}

/// The program of a seed under a memory model.
pub fn under(memory: MemoryModel, seed: u64) -> EventProgram {
    if memory.is_weak() && seed % 2 == 1 {
        return litmus(memory, seed);
    }
    let mut choices = Choices::new(seed);
    let mut build = Build::under(memory);
    let bits = 1 + choices.below(2) as u16;
    let cells = (0..1 + choices.below(2))
        .map(|_| build.cell(bits, u128::from(choices.below(2))))
        .collect();
    let lock = choices.chance(55).then(|| build.cell(1, 0));
    let threads = match choices.below(20) {
        0..8 => 2,
        8..17 => 3,
        17 | 18 => 4,
        _ => 5,
    };
    let mut writer = EventGenerator {
        build,
        choices,
        cells,
        lock,
        bits,
        inputs: 0,
        unsupported: 0,
        children: Vec::new(),
        threads,
    };
    let main = writer.build.main();
    writer.thread(main, Vec::new());
    while let Some((path, values)) = writer.children.pop() {
        writer.thread(path, values);
    }
    // What is known of an input.
    if let Some(input) = writer.build.program.inputs.first().map(|input| input.value)
        && writer.choices.chance(70)
    {
        let value = u128::from(writer.choices.below(2));
        let constant = writer.build.constant(value, writer.bits);
        let same = writer.build.terms().eq(input, constant);
        let fact = writer.build.terms().not(same);
        writer.build.program.facts.push(fact);
    }
    writer.build.program
}

/// Two threads that write one of two cells and then another, or read one, with something in between; main looks at what
/// they have read and at the cells in the end. Statements at random rarely show a buffer.
fn litmus(memory: MemoryModel, seed: u64) -> EventProgram {
    let mut choices = Choices::new(seed);
    let mut build = Build::under(memory);
    let cells: Vec<CellId> = (0..2).map(|_| build.cell(1, 0)).collect();
    let lock = choices.chance(30).then(|| build.cell(1, 0));
    let mut writer = EventGenerator {
        build,
        choices,
        cells: cells.clone(),
        lock,
        bits: 1,
        inputs: 0,
        unsupported: 0,
        children: Vec::new(),
        threads: 3,
    };
    let mut main = writer.build.main();
    let always = writer.build.terms().tru();
    // What must not be: cells with the values that they have then.
    let mut wrong: Vec<(CellId, u128)> = Vec::new();
    let mut ids = Vec::new();
    // Both write first, or one writes twice what the other one reads twice, or anything.
    let shape = writer.choices.below(3);
    for number in 0..2 {
        let path = writer.build.create(&main, always);
        ids.push(path.thread);
        let mut writing = Writing {
            path,
            values: Vec::new(),
            events: 4,
        };
        let mut results: Vec<TermId> = Vec::new();
        for place in 0..2 {
            let cell = cells[(number + place + usize::from(shape == 1 && number == 1)) % 2];
            let writes = match shape {
                0 => place == 0,
                1 => number == 0,
                _ => writer.choices.chance(50),
            };
            let cell = if writer.choices.chance(15) {
                cells[writer.choices.below(2) as usize]
            } else {
                cell
            };
            if writes {
                writer.ordered_write(&writing.path, cell);
            } else {
                let value = writer.build.read(&writing.path, cell);
                results.push(value);
                writing.values.push(value);
                let seen = match shape {
                    0 => 0,
                    1 => 1 - place as u128,
                    _ => u128::from(writer.choices.below(2)),
                };
                let result = writer.build.cell(1, 1 - seen);
                wrong.push((result, seen));
            }
            if place == 0 && writer.choices.chance(70) {
                match writer.choices.below(3) {
                    0 => {
                        writer.weak(&mut writing);
                    }
                    1 => writer.statement(&mut writing, true),
                    _ => writer.guarded_fence(&mut writing),
                }
            }
        }
        let from = wrong.len() - results.len();
        for (value, (cell, _)) in results.into_iter().zip(wrong[from..].to_vec()) {
            writer.build.write(&writing.path, cell, value);
        }
        if writer.choices.chance(90) {
            writer.build.end(&writing.path);
        }
    }
    if shape == 2 {
        let last = cells[writer.choices.below(2) as usize];
        wrong.push((last, u128::from(writer.choices.below(2))));
    }
    for id in ids {
        writer.build.join(&mut main, vec![(id, always)]);
    }
    let mut all = always;
    for (cell, value) in wrong {
        let seen = writer.build.read(&main, cell);
        let value = writer.build.constant(value, 1);
        let terms = writer.build.terms();
        let same = terms.eq(seen, value);
        all = terms.and(all, same);
    }
    let good = writer.build.terms().not(all);
    writer.build.assert(&mut main, good);
    writer.build.program
}

impl EventGenerator {
    /// A fence, maybe in a branch: that is taken or not, or that is always taken, as only who reads the fence's
    /// condition knows.
    fn guarded_fence(&mut self, writing: &mut Writing) {
        let order = if self.choices.chance(60) {
            MemOrder::SeqCst
        } else {
            self.choices.pick(&ORDERS)
        };
        let before = writing.path.term;
        let condition = match self.choices.below(3) {
            0 => self.build.terms().tru(),
            1 if self.inputs < 2 => {
                self.inputs += 1;
                self.build.input(writing.path.thread, 1)
            }
            _ => {
                let cell = self.build.cell(1, 0);
                let one = self.build.constant(1, 1);
                self.build.write(&writing.path, cell, one);
                self.build.read(&writing.path, cell)
            }
        };
        writing.path.term = self.build.terms().and(before, condition);
        self.build.fence(&writing.path, order);
        writing.path.term = before;
    }

    /// A write of 1, of any order.
    fn ordered_write(&mut self, path: &Path, cell: CellId) {
        let one = self.build.constant(1, 1);
        match self.choices.below(6) {
            0 => {
                self.build.begin(path);
                self.build.write(path, cell, one);
                self.build.end_section();
            }
            1 | 2 => {
                let orders = [MemOrder::Release, MemOrder::Relaxed];
                self.build.order = Some(self.choices.pick(&orders));
                self.build.write(path, cell, one);
                self.build.order = None;
            }
            _ => self.build.write(path, cell, one),
        }
    }

    fn thread(&mut self, path: Path, values: Vec<TermId>) {
        let main = path.thread == ThreadId(0);
        // Five threads with two events each have as many schedules as three with five.
        let most = if self.threads > 3 { 2 } else { 4 };
        let events = 1 + self.choices.below(most) as u32;
        let mut writing = Writing {
            path,
            values,
            events,
        };
        if main {
            writing.events = self.choices.below(most - 1) as u32;
            self.statements(&mut writing, 2);
            while self.build.program.threads.len() < self.threads {
                if self.build.program.threads.len() == 2 && self.choices.chance(25) {
                    // The first child creates the second.
                    break;
                }
                self.create(&mut writing);
                if self.choices.chance(30) {
                    writing.events = 1;
                    self.statements(&mut writing, 1);
                }
            }
            writing.events = self.choices.below(most) as u32;
            self.statements(&mut writing, 3);
            if self.choices.chance(60) {
                self.join(&mut writing);
                if self.choices.chance(40) {
                    self.join(&mut writing);
                }
                writing.events = 2;
                self.statements(&mut writing, 2);
            }
            if self.choices.chance(70) {
                writing.events = writing.events.max(1);
                self.read(&mut writing);
                self.assert(&mut writing);
            }
        } else {
            self.statements(&mut writing, 4);
            if self.build.program.threads.len() < self.threads {
                self.create(&mut writing);
                self.statements(&mut writing, 1);
            }
            if self.choices.chance(30) {
                self.assert(&mut writing);
            }
            if self.choices.chance(10) {
                self.join(&mut writing);
            }
        }
        self.build.end(&writing.path);
    }

    fn statements(&mut self, writing: &mut Writing, count: u64) {
        for _ in 0..1 + self.choices.below(count) {
            self.statement(writing, true);
        }
    }

    fn statement(&mut self, writing: &mut Writing, outer: bool) {
        if writing.events == 0 {
            return;
        }
        if self.build.program.memory.is_weak() && self.weak(writing) {
            return;
        }
        match self.choices.below(if outer { 15 } else { 9 }) {
            0 | 1 => self.read(writing),
            2 | 3 => self.write(writing),
            4 => self.assert(writing),
            5 => self.branch(writing, outer),
            6 => {
                let cond = self.condition(writing);
                self.build.block(&mut writing.path, cond);
            }
            7 if self.choices.chance(40) => self.cut(writing),
            8 => match self.lock {
                Some(lock) if self.choices.chance(50) => {
                    writing.events = writing.events.saturating_sub(2);
                    self.build.lock(&mut writing.path, lock);
                }
                Some(lock) => {
                    writing.events -= 1;
                    self.build.unlock(&writing.path, lock);
                }
                None => self.write(writing),
            },
            9 | 10 => {
                self.build.begin(&writing.path);
                for _ in 0..2 + self.choices.below(3) {
                    self.statement(writing, false);
                }
                self.build.end_section();
            }
            11 => {
                // A section that writes before it knows whether it can go on.
                self.build.begin(&writing.path);
                self.write(writing);
                self.read(writing);
                let cond = self.condition(writing);
                if self.choices.chance(40) {
                    let why = Cut::Unwind(some_loop(writing.events));
                    self.build.cut(&mut writing.path, cond, why);
                } else {
                    self.build.block(&mut writing.path, cond);
                }
                if self.choices.chance(50) {
                    self.statement(writing, false);
                }
                self.build.end_section();
            }
            12 => {
                // A read-modify-write.
                self.build.begin(&writing.path);
                self.update(writing);
                self.build.end_section();
            }
            _ => match self.lock {
                Some(lock) => {
                    if self.choices.chance(20) {
                        // Whoever has it, it is free now.
                        self.build.unlock(&writing.path, lock);
                    }
                    self.build.lock(&mut writing.path, lock);
                    writing.events = writing.events.saturating_sub(2);
                    if self.choices.chance(75) {
                        self.update(writing);
                    }
                    for _ in 0..1 + self.choices.below(2) {
                        self.statement(writing, false);
                    }
                    // Whoever keeps it waits for others to release it when he takes it again.
                    if self.choices.chance(75) {
                        self.build.unlock(&writing.path, lock);
                    }
                }
                None => self.read(writing),
            },
        }
    }

    /// Writes something that only a weak memory model notices; false if it is something else's turn.
    fn weak(&mut self, writing: &mut Writing) -> bool {
        match self.choices.below(12) {
            0 => {
                let order = self.choices.pick(&ORDERS);
                self.build.fence(&writing.path, order);
            }
            1 => self.build.fence(&writing.path, MemOrder::SeqCst),
            2 | 3 => {
                let order = self.choices.pick(&ORDERS);
                if order == MemOrder::SeqCst && !self.build.is_open() {
                    self.build.begin(&writing.path);
                    self.build.order = Some(order);
                    self.write(writing);
                    self.build.order = None;
                    self.build.end_section();
                } else {
                    self.build.order = Some(order);
                    self.write(writing);
                    self.build.order = None;
                }
            }
            4 if !self.build.is_open() => {
                // Two writes that are one store, maybe after a look at something.
                self.build.begin_wide();
                if self.choices.chance(30) {
                    self.read(writing);
                }
                self.write(writing);
                self.write(writing);
                self.build.end_section();
            }
            5 | 6 => self.write(writing),
            7 => self.read(writing),
            _ => return false,
        }
        true
    }

    /// A read and a write of one cell.
    fn update(&mut self, writing: &mut Writing) {
        let cell = self.choices.pick(&self.cells.clone());
        let old = self.build.read(&writing.path, cell);
        writing.values.push(old);
        let new = self.value(writing);
        self.build.write(&writing.path, cell, new);
        writing.events = writing.events.saturating_sub(2);
    }

    fn value(&mut self, writing: &mut Writing) -> TermId {
        if writing.values.is_empty() || self.choices.chance(30) {
            if self.inputs < 3 && self.choices.chance(15) {
                self.inputs += 1;
                let input = self.build.input(writing.path.thread, self.bits);
                writing.values.push(input);
                return input;
            }
            let value = self.choices.below(1 << self.bits);
            return self.build.constant(u128::from(value), self.bits);
        }
        let values = writing.values.clone();
        let (a, b) = (self.choices.pick(&values), self.choices.pick(&values));
        let one = self.build.constant(1, self.bits);
        match self.choices.below(4) {
            0 | 1 => a,
            2 => self.build.terms().add(a, one),
            _ => self.build.terms().xor(a, b),
        }
    }

    fn condition(&mut self, writing: &mut Writing) -> TermId {
        let a = self.value(writing);
        let b = self.value(writing);
        match self.choices.below(3) {
            0 => self.build.terms().ult(a, b),
            1 => self.build.terms().eq(a, b),
            _ => {
                let same = self.build.terms().eq(a, b);
                self.build.terms().not(same)
            }
        }
    }

    /// One cell, or one of two by a condition.
    fn targets(&mut self, writing: &mut Writing) -> Vec<Target> {
        if self.cells.len() == 2 && self.choices.chance(30) {
            let when = self.condition(writing);
            let not = self.build.terms().not(when);
            return vec![
                Target {
                    cell: self.cells[0],
                    when,
                },
                Target {
                    cell: self.cells[1],
                    when: not,
                },
            ];
        }
        let cell = self.choices.pick(&self.cells.clone());
        let when = self.build.terms().tru();
        vec![Target { cell, when }]
    }

    fn read(&mut self, writing: &mut Writing) {
        let targets = self.targets(writing);
        let value = self.build.read_any(&writing.path, targets);
        writing.values.push(value);
        writing.events = writing.events.saturating_sub(1);
    }

    fn write(&mut self, writing: &mut Writing) {
        let targets = self.targets(writing);
        let value = self.value(writing);
        self.build.write_any(&writing.path, targets, value);
        writing.events = writing.events.saturating_sub(1);
    }

    fn assert(&mut self, writing: &mut Writing) {
        let cond = self.condition(writing);
        self.build.assert(&mut writing.path, cond);
    }

    fn cut(&mut self, writing: &mut Writing) {
        let when = self.condition(writing);
        let why = match self.choices.below(3) {
            0 => Cut::Unwind(some_loop(writing.events)),
            1 => Cut::Recursion(FuncId(0)),
            _ => {
                self.unsupported += 1;
                Cut::Unsupported(format!("number {}", self.unsupported))
            }
        };
        self.build.cut(&mut writing.path, when, why);
    }

    fn branch(&mut self, writing: &mut Writing, outer: bool) {
        let cond = self.condition(writing);
        let not = self.build.terms().not(cond);
        let before = writing.path.term;
        let known = writing.values.len();
        writing.path.term = self.build.terms().and(before, cond);
        let nested = outer && self.choices.chance(30);
        self.statement(writing, nested);
        let then_path = writing.path.term;
        let then_values = writing.values.split_off(known);
        writing.path.term = self.build.terms().and(before, not);
        if self.choices.chance(60) {
            let nested = outer && self.choices.chance(30);
            self.statement(writing, nested);
        }
        let else_path = writing.path.term;
        writing.values.truncate(known);
        writing.path.term = self.build.terms().or(then_path, else_path);
        // What was read on one path is a choice afterwards.
        let zero = self.build.constant(0, self.bits);
        for value in then_values {
            let merged = self.build.terms().ite(cond, value, zero);
            writing.values.push(merged);
        }
    }

    fn create(&mut self, writing: &mut Writing) {
        let when = if self.choices.chance(25) {
            self.condition(writing)
        } else {
            self.build.terms().tru()
        };
        let child = self.build.create(&writing.path, when);
        self.children.push((child, writing.values.clone()));
    }

    fn join(&mut self, writing: &mut Writing) {
        let threads = self.build.program.threads.len() as u64;
        let one = ThreadId(1 + self.choices.below(threads.max(2) - 1) as u32);
        let targets = if threads > 2 && self.choices.chance(40) {
            let when = self.condition(writing);
            let not = self.build.terms().not(when);
            vec![(ThreadId(1), when), (ThreadId(2), not)]
        } else {
            vec![(one, self.build.terms().tru())]
        };
        self.build.join(&mut writing.path, targets);
    }
}

/// One of three loops, by a number.
pub fn some_loop(number: u32) -> Loop {
    let (function, number) = (FuncId(0), number % 3);
    Loop { function, number }
}
