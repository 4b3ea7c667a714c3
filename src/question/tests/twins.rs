//! Random event programs with threads that are alike, or nearly: one body, written once for each of two or three threads, in which one thing
//! may be another one in the last of them; a main thread and another one that may tell them apart.

use super::build::{Build, Path};
use super::random::{Choices, some_loop};
use crate::base::Loc;
use crate::event::*;
use crate::ir::position::PosKey;
use crate::ir::{FuncId, Property};
use crate::term::TermId;

/// Width of data and of words of owners.
const BITS: u16 = 2;

/// Difference of the last thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Odd {
    Nothing,
    /// A constant of a statement.
    Constant,
    /// A cell of a statement.
    Cell,
    /// The initial value of the thread's own cell.
    Initial,
    /// A fact about its choices.
    Fact,
    /// The place of an event.
    Place,
    /// Events of one step.
    Section,
    /// The kind of what ends at an assertion.
    Property,
    /// When it is created.
    Creation,
    /// Its join, which may be missing.
    Join,
    /// Events before its join.
    Between,
}

const ODD: [Odd; 10] = [
    Odd::Constant,
    Odd::Cell,
    Odd::Initial,
    Odd::Fact,
    Odd::Place,
    Odd::Section,
    Odd::Property,
    Odd::Creation,
    Odd::Join,
    Odd::Between,
];

struct Writer {
    build: Build,
    odd: Odd,
    data: [CellId; 2],
    /// A cell of each of the threads that are alike.
    own: Vec<CellId>,
    /// Cell of the numbers of those who have written it last.
    owner: CellId,
    lock: CellId,
}

/// Thread in progress.
struct Writing {
    path: Path,
    choices: Choices,
    values: Vec<TermId>,
    /// Number among those that are alike, from 1; 0 of another one.
    number: usize,
    /// It is the last of them, and the one that differs.
    is_odd: bool,
    inputs: Vec<TermId>,
    /// Statements that have been written.
    count: u32,
}

impl Writing {
    fn new(path: Path, seed: u64, (number, is_odd): (usize, bool)) -> Writing {
        Writing {
            path,
            choices: Choices::new(seed),
            values: Vec::new(),
            number,
            is_odd,
            inputs: Vec::new(),
            count: 0,
        }
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> EventProgram {
    let mut choices = Choices::new(seed ^ 0x7717_0000);
    let odd = if choices.chance(35) {
        Odd::Nothing
    } else {
        ODD[choices.below(ODD.len() as u64) as usize]
    };
    let mut build = Build::new();
    let twins = if choices.chance(85) { 2 } else { 3 };
    let data = [(); 2].map(|()| build.cell(BITS, 0));
    let initial = |number| u128::from(odd == Odd::Initial && number == twins);
    let own = (1..=twins).map(|number| build.cell(BITS, initial(number)));
    let own = own.collect();
    let first = if choices.chance(10) { 1 } else { 0 };
    let owner = build.cell(BITS, first);
    let lock = build.cell(BITS, 0);
    let mut writer = Writer {
        build,
        odd,
        data,
        own,
        owner,
        lock,
    };
    let path = writer.build.main();
    let mut main = Writing::new(path, seed ^ 0x3a11, (0, false));
    let threads = writer.create(&mut main, &mut choices, twins);
    let statements = 1 + choices.below(if twins == 2 { 3 } else { 2 });
    let has_ticket = choices.chance(60);
    for (place, path) in threads.twins.iter().enumerate() {
        let number = (place + 1, place + 1 == twins);
        let mut writing = Writing::new(path.clone(), seed ^ 0x7717, number);
        if has_ticket {
            writer.ticket(&mut writing);
        } else {
            writer.thread(&mut writing, statements);
        }
        if writing.is_odd && odd == Odd::Fact && !writing.inputs.is_empty() {
            let zero = writer.build.constant(0, 1);
            let fact = writer.build.terms().eq(writing.inputs[0], zero);
            writer.build.program.facts.push(fact);
        }
    }
    if let Some(path) = threads.another {
        let mut writing = Writing::new(path, seed ^ 0x07e5, (0, false));
        writer.thread(&mut writing, 1);
    }
    let ids: Vec<ThreadId> = threads.twins.iter().map(|path| path.thread).collect();
    writer.join(&mut main, &mut choices, &ids);
    writer.place(&ids);
    writer.build.program
}

struct Threads {
    twins: Vec<Path>,
    another: Option<Path>,
}

impl Writer {
    /// Main's part up to the creation of the threads.
    fn create(&mut self, main: &mut Writing, choices: &mut Choices, twins: usize) -> Threads {
        let always = self.build.terms().tru();
        let another = (twins == 2 && choices.chance(25)).then(|| choices.below(3) as usize);
        let mut threads = Threads {
            twins: Vec::new(),
            another: None,
        };
        for place in 0..=twins {
            if another == Some(place) {
                let path = self.build.create(&main.path, always);
                threads.another = Some(path);
            }
            if place == twins {
                break;
            }
            let mut when = always;
            if place > 0 && choices.chance(10) {
                self.access(main);
            }
            if self.odd == Odd::Creation && place + 1 == twins {
                if main.values.is_empty() || choices.chance(50) {
                    self.read(main, self.data[0]);
                }
                let cond = self.condition(main);
                if choices.chance(50) {
                    self.build.block(&mut main.path, cond);
                } else {
                    when = cond;
                }
            }
            let path = self.build.create(&main.path, when);
            threads.twins.push(path);
        }
        threads
    }

    /// The rest of main.
    fn join(&mut self, main: &mut Writing, choices: &mut Choices, ids: &[ThreadId]) {
        let always = self.build.terms().tru();
        let mut ids = ids.to_vec();
        if choices.chance(30) {
            ids.reverse();
        }
        match self.odd {
            Odd::Join if choices.chance(70) => ids.truncate(1),
            Odd::Join => ids.push(ids[0]),
            _ if choices.chance(15) => ids.clear(),
            _ => {}
        }
        for (place, id) in ids.into_iter().enumerate() {
            if self.odd == Odd::Between && place == 1 {
                self.between(main, choices);
            }
            self.build.join(&mut main.path, vec![(id, always)]);
        }
        for _ in 0..1 + choices.below(2) {
            self.access(main);
        }
        let cells = [self.data[0], self.data[1], self.owner];
        for _ in 0..1 + choices.below(2) {
            self.read(main, cells[choices.below(3) as usize]);
        }
        self.assert(main);
        if choices.chance(50) {
            self.assert(main);
        }
    }

    /// Main's part between the two joins: it looks whether something has been done, mostly.
    fn between(&mut self, main: &mut Writing, choices: &mut Choices) {
        if choices.chance(60) {
            self.read(main, self.data[1]);
            let value = *main.values.last().expect("it was read");
            let zero = self.build.constant(0, BITS);
            let same = self.build.terms().eq(value, zero);
            let done = self.build.terms().not(same);
            self.build.assert(&mut main.path, done);
            return;
        }
        self.read(main, self.data[choices.below(2) as usize]);
        match choices.below(3) {
            0 => self.assert(main),
            1 => self.write(main),
            _ => {}
        }
    }

    fn thread(&mut self, writing: &mut Writing, statements: u64) {
        for _ in 0..statements {
            self.statement(writing, true);
        }
        if writing.choices.chance(90) {
            self.build.end(&writing.path);
        }
    }

    /// A thread that does something if it is the first to come, or the second: few others show who was first.
    fn ticket(&mut self, writing: &mut Writing) {
        match writing.choices.below(8) {
            0 => self.own(writing),
            1 => self.owner(writing),
            2 => self.input(writing),
            _ => {}
        }
        let known = writing.values.len();
        self.updates(writing);
        let ticket = writing.values[known];
        match writing.choices.below(4) {
            0 => self.own(writing),
            1 => self.input(writing),
            2 => self.owner(writing),
            _ => {}
        }
        let number = writing.choices.below(3) / 2;
        let differs = writing.choices.chance(60) && writing.is_odd && self.odd == Odd::Constant;
        let number = self
            .build
            .constant(u128::from(number ^ u64::from(!differs)), BITS);
        let mut cond = self.build.terms().eq(ticket, number);
        if writing.choices.chance(60) {
            let more = self.condition(writing);
            cond = self.build.terms().and(cond, more);
        }
        match writing.choices.below(4) {
            0 => {
                let good = self.build.terms().not(cond);
                self.claim(writing, good);
            }
            1 => {
                let why = Cut::Unwind(some_loop(writing.count));
                self.build.cut(&mut writing.path, cond, why);
            }
            _ => {
                let before = writing.path.term;
                writing.path.term = self.build.terms().and(before, cond);
                self.write(writing);
                writing.path.term = before;
            }
        }
        if writing.choices.chance(30) {
            self.access(writing);
        }
        if writing.choices.chance(95) {
            self.build.end(&writing.path);
        }
    }

    fn statement(&mut self, writing: &mut Writing, outer: bool) {
        writing.count += 1;
        match writing.choices.below(if outer { 16 } else { 10 }) {
            0 => self.read(writing, self.data[0]),
            1 => self.write(writing),
            2 | 3 => self.own(writing),
            4 => self.assert(writing),
            5 => self.owner(writing),
            6 => {
                let why = match writing.choices.below(2) {
                    0 => Cut::Unwind(some_loop(writing.count)),
                    _ => Cut::Recursion(FuncId(0)),
                };
                let cond = self.condition(writing);
                self.build.cut(&mut writing.path, cond, why);
            }
            7 => {
                let cond = self.condition(writing);
                self.build.block(&mut writing.path, cond);
            }
            8 => self.input(writing),
            9 => self.access(writing),
            10 => {
                let cond = self.condition(writing);
                let before = writing.path.term;
                let known = writing.values.len();
                writing.path.term = self.build.terms().and(before, cond);
                self.statement(writing, false);
                writing.values.truncate(known);
                writing.path.term = before;
            }
            11 => {
                self.build.lock(&mut writing.path, self.lock);
                self.access(writing);
                self.build.unlock(&writing.path, self.lock);
            }
            12 => {
                self.build.begin(&writing.path);
                self.statement(writing, false);
                self.statement(writing, false);
                self.build.end_section();
            }
            _ => self.updates(writing),
        }
    }

    /// A ticket is taken, or two, one after the other or at once.
    fn updates(&mut self, writing: &mut Writing) {
        let whole = writing.choices.below(3);
        let differs = writing.is_odd && self.odd == Odd::Section;
        let whole = (whole + u64::from(differs)) % 3;
        let one = self.build.constant(1, BITS);
        for turn in 0..2 {
            if whole == 0 || (whole == 1 && turn == 0) {
                self.build.begin(&writing.path);
            }
            self.read(writing, self.data[0]);
            let old = *writing.values.last().expect("it was read");
            let new = self.build.terms().add(old, one);
            self.build.write(&writing.path, self.data[0], new);
            if whole == 0 || (whole == 1 && turn == 1) {
                self.build.end_section();
            }
            if writing.choices.chance(60) {
                if whole == 1 && turn == 0 {
                    self.build.end_section();
                }
                break;
            }
        }
    }

    fn input(&mut self, writing: &mut Writing) {
        if writing.inputs.len() < 2 && writing.number > 0 {
            let input = self.build.input(writing.path.thread, 1);
            writing.inputs.push(input);
            let one = self.build.constant(1, BITS);
            let zero = self.build.constant(0, BITS);
            let value = self.build.terms().ite(input, one, zero);
            writing.values.push(value);
        }
    }

    fn access(&mut self, writing: &mut Writing) {
        if writing.choices.chance(50) {
            let cell = self.data[writing.choices.below(2) as usize];
            self.read(writing, cell);
        } else {
            self.write(writing);
        }
    }

    fn read(&mut self, writing: &mut Writing, cell: CellId) {
        let value = self.build.read(&writing.path, cell);
        writing.values.push(value);
    }

    fn write(&mut self, writing: &mut Writing) {
        let mut cell = writing.choices.below(2);
        if writing.is_odd && self.odd == Odd::Cell {
            cell = 1 - cell;
        }
        let value = self.value(writing);
        let cell = self.data[cell as usize];
        self.build.write(&writing.path, cell, value);
    }

    /// An access of the thread's own cell; of somebody's, if it has none.
    fn own(&mut self, writing: &mut Writing) {
        let cell = match writing.number {
            0 => self.own[writing.choices.below(self.own.len() as u64) as usize],
            number => self.own[number - 1],
        };
        if writing.choices.chance(50) {
            self.read(writing, cell);
        } else {
            let value = self.value(writing);
            self.build.write(&writing.path, cell, value);
        }
    }

    /// The thread's number is written, or somebody looks whose it is.
    fn owner(&mut self, writing: &mut Writing) {
        let number = writing.number as u128;
        let own = self.build.constant(number, BITS);
        match writing.choices.below(4) {
            0 | 1 if number > 0 => self.build.write(&writing.path, self.owner, own),
            3 if writing.choices.chance(60) => {
                // It is no number any more.
                self.read(writing, self.owner);
            }
            choice => {
                let value = self.build.read(&writing.path, self.owner);
                let fixed = self.build.constant(u128::from(choice), BITS);
                let asked = if number > 0 { own } else { fixed };
                let is_own = self.build.terms().eq(value, asked);
                if writing.choices.chance(50) {
                    self.build.assert(&mut writing.path, is_own);
                } else {
                    self.build.block(&mut writing.path, is_own);
                }
            }
        }
    }

    fn value(&mut self, writing: &mut Writing) -> TermId {
        let number = writing.choices.below(4);
        let differs = writing.is_odd && self.odd == Odd::Constant;
        let constant = (number + u64::from(differs)) % 4;
        let constant = self.build.constant(u128::from(constant), BITS);
        let last = writing.values.last().copied();
        match (writing.choices.below(3), last) {
            (0, Some(last)) => last,
            (1, Some(last)) => self.build.terms().add(last, constant),
            _ => constant,
        }
    }

    fn condition(&mut self, writing: &mut Writing) -> TermId {
        let values = writing.values.len() as u64;
        if values == 0 {
            self.read(writing, self.data[0]);
        }
        let value = writing.values[writing.choices.below(values.max(1)) as usize];
        let other = self.value(writing);
        let same = self.build.terms().eq(value, other);
        match writing.choices.below(3) {
            0 => same,
            1 => self.build.terms().ult(value, other),
            _ => self.build.terms().not(same),
        }
    }

    fn assert(&mut self, writing: &mut Writing) {
        let cond = self.condition(writing);
        self.claim(writing, cond);
    }

    fn claim(&mut self, writing: &mut Writing, cond: TermId) {
        let id = self.build.assert(&mut writing.path, cond);
        if writing.is_odd
            && self.odd == Odd::Property
            && let EventKind::Assert { property, .. } = &mut self.build.program.events[id].kind
        {
            *property = Property::ReachError;
        }
    }

    /// Lets the k-th events of the threads stand at one place.
    fn place(&mut self, ids: &[ThreadId]) {
        let program = &mut self.build.program;
        for (number, &id) in ids.iter().enumerate() {
            let events = program.threads[id].events.clone();
            let is_odd = self.odd == Odd::Place && number + 1 == ids.len();
            for (place, event) in events.into_iter().enumerate() {
                let place = 10_000 + 2 * place as u32 + u32::from(is_odd);
                program.events[event].loc = Loc(place);
                program.events[event].position = PosKey(u64::from(place));
            }
        }
    }
}
