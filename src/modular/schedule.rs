//! From steps of the automata to a schedule of the program, by driving the interpreter; then its replay.
//!
//! An edge says how many instructions it executes. What it calls an input is found again by where the instruction
//! stands.

use crate::base::Loc;
use crate::base::id::Id;
use crate::base::sorted::SortedMap;
use crate::event::{Cut, MemoryModel, Origin, ThreadId};
use crate::ir::address::Slot;
use crate::ir::position::PosKey;
use crate::ir::{InstrKind, NondetSource, Program, Property};
use crate::trace::interpret::code::Code;
use crate::trace::interpret::lookup::Next;
use crate::trace::interpret::state::{State, Status};
use crate::trace::interpret::{Choices, Effect, Interpreter};
use crate::trace::replay::run::replay;
use crate::trace::replay::{Divergence, Reason};
use crate::trace::{Move, Schedule, Trace};
use crate::transition::automaton::LocationId;
use crate::transition::product::{Met, Seen, Stand, Step};
use crate::transition::{Automata, Input, Outcome, SlotOwner, Stack};
use hashbrown::{HashMap, HashSet};

/// Runs the steps, the last of which ends in a violation, and replays the schedule that results.
pub(super) fn replayed(
    program: &Program,
    automata: &Automata,
    steps: &[Step],
    property: Property,
) -> Result<Trace, Divergence> {
    let drive = driven(program, automata, (steps, [].iter()), property)?;
    replay(program, &drive.schedule)
}

/// Runs the steps, behind which two threads stand before accesses that race, and replays the schedule that results.
pub(super) fn race(
    program: &Program,
    automata: &Automata,
    steps: &[Step],
    met: &Met,
) -> Result<Trace, Divergence> {
    let in_section = |stand: &Stand| stand.count > 0;
    let seen = met.iter().flat_map(|stand| &stand.reads);
    let mut drive = driven(program, automata, (steps, seen), Property::Race)?;
    // Who stands before a section goes into it, up to its access. The other one need not move.
    let [rival, last] = match met {
        [first, second] if in_section(first) => [second, first],
        [first, second] => [first, second],
    };
    let position = drive.position(rival.thread)?;
    drive.schedule.rival = Some((rival.thread, position));
    drive.approach(last)?;
    drive.stand(last.thread)?;
    replay(program, &drive.schedule)
}

/// Runs the steps, behind which a thread stays where it is for ever, and replays the schedule that results.
pub(super) fn deadlock(
    program: &Program,
    automata: &Automata,
    steps: &[Step],
    thread: ThreadId,
) -> Result<Trace, Divergence> {
    let mut drive = driven(program, automata, (steps, [].iter()), Property::Deadlock)?;
    // Every thread goes to where it stands, and no further.
    for other in automata.threads.ids() {
        if drive.is_running(other).is_err() {
            continue;
        }
        if let Some(position) = drive.last.get(&other).copied() {
            drive.list(other, position);
        }
        let stands = drive.position(other)?;
        drive.schedule.visible[other.index()].insert(stands);
    }
    drive.stand(thread)?;
    replay(program, &drive.schedule)
}

/// Undefined behaviour: true if the program has it where the steps, the last of which is said to end in it, lead.
pub(super) fn is_undefined(program: &Program, automata: &Automata, steps: &[Step]) -> bool {
    let driven = driven(program, automata, (steps, [].iter()), Property::Assertion);
    let (Ok(mut drive), Some(last)) = (driven, steps.last()) else {
        return false;
    };
    if drive.is_running(last.thread).is_err() {
        return false;
    }
    let mut given = Given(&drive.schedule);
    let effect = drive
        .interpreter
        .execute(&mut drive.state, last.thread, &mut given);
    matches!(effect, Effect::Cut(Cut::Undefined(_)))
}

/// The program, driven along the steps. Behind them, more may be read of array objects.
fn driven<'a, 'b>(
    program: &'a Program,
    automata: &'a Automata,
    (steps, more): (&'b [Step], impl Iterator<Item = &'b Seen>),
    property: Property,
) -> Result<Drive<'a>, Divergence> {
    let fixed = automata
        .slots
        .iter()
        .filter_map(|(place, slot)| match place {
            SlotOwner::Static(origin) => Some((*origin, *slot)),
            SlotOwner::Stack(..) | SlotOwner::Heap(..) => None,
        });
    let threads: Vec<Option<(ThreadId, PosKey)>> = automata
        .threads
        .iter()
        .map(|thread| Some((ThreadId(0), thread.created_at?.0)))
        .collect();
    let count = threads.len();
    let schedule = Schedule {
        place: crate::base::Loc::NONE,
        space: automata.space,
        threads,
        steps: Vec::new(),
        memory_model: MemoryModel::Sc,
        visible: vec![HashSet::new(); count],
        kept: vec![HashSet::new(); count],
        blocked: Default::default(),
        parts: HashMap::new(),
        inputs: HashMap::new(),
        memory: HashMap::new(),
        slots: fixed.collect(),
        used_slots: automata.used_slots,
        bases: HashMap::new(),
        rival: None,
        violation: property,
    };
    let mut interpreter = Interpreter::following(&Code::of(program), &schedule);
    let state = interpreter.start();
    let mut drive = Drive {
        automata,
        interpreter,
        state,
        schedule,
        last: HashMap::new(),
        seen: HashMap::new(),
    };
    for read in steps.iter().flat_map(|step| &step.reads).chain(more) {
        let bytes = drive.seen.entry(read.slot).or_default();
        for i in 0..u64::from(read.bytes) {
            bytes
                .entry(read.offset + i)
                .or_insert((read.value >> (8 * i)) as u8);
        }
    }
    for step in steps {
        drive.step(step)?;
    }
    // A thread may stop at undefined behaviour on the way; at the end, it is what is to be seen.
    if let (Property::Defined(_), Some(last)) = (property, steps.last()) {
        drive.stand(last.thread)?;
    }
    Ok(drive)
}

struct Drive<'a> {
    automata: &'a Automata,
    interpreter: Interpreter<'a>,
    state: State,
    schedule: Schedule,
    /// By thread: the position of the last instruction that it has executed.
    last: HashMap<ThreadId, PosKey>,
    /// Bytes of array objects that steps read, the first of each: nobody may have written them before.
    seen: HashMap<Slot, SortedMap<u64, u8>>,
}

/// Free values as the schedule has them.
struct Given<'a>(&'a Schedule);

impl Choices for Given<'_> {
    fn input(&mut self, at: (ThreadId, PosKey), bits: u16, _: NondetSource) -> u128 {
        let value = self.0.inputs.get(&at).copied().unwrap_or(0);
        value & crate::trace::interpret::arithmetic::mask(bits)
    }

    fn memory(&mut self, origin: Origin, offset: usize, bytes: &mut [Option<u8>]) {
        let Origin::Alloc(thread, position) = origin else {
            return;
        };
        let known = self.0.memory.get(&(thread, position));
        for (at, value) in known.into_iter().flatten() {
            let index = usize::try_from(*at)
                .ok()
                .and_then(|at| at.checked_sub(offset));
            if let Some(byte) = index.and_then(|index| bytes.get_mut(index)) {
                byte.get_or_insert(*value);
            }
        }
    }
}

impl Drive<'_> {
    fn diverged(&self, thread: ThreadId, why: Reason) -> Divergence {
        let loc = if self.state.exists(thread) {
            self.interpreter.next(&self.state, thread).1
        } else {
            Loc::NONE
        };
        Divergence {
            step: self.schedule.steps.len(),
            thread,
            loc,
            why,
        }
    }

    /// Position of a thread, as the automata say it.
    fn stack(&self, thread: ThreadId) -> Stack {
        let frames = self.state.thread(thread).frames.iter();
        frames
            .map(|f| (f.function, f.block, f.index, f.iterations.clone()))
            .collect()
    }

    fn list(&mut self, thread: ThreadId, position: PosKey) {
        if self.schedule.visible[thread.0 as usize].insert(position) {
            self.schedule.steps.push(Move::Step(thread, position));
        }
    }

    fn step(&mut self, step: &Step) -> Result<(), Divergence> {
        let thread = step.thread;
        let edge = &self.automata.threads[thread].edges[step.edge];
        self.run(thread, edge.from, step.count, &step.inputs)?;
        if matches!(edge.outcome, Outcome::Violation { .. }) {
            self.stand(thread)?;
        }
        Ok(())
    }

    /// Leads a thread to the access that it stands before.
    fn approach(&mut self, stand: &Stand) -> Result<(), Divergence> {
        self.run(stand.thread, stand.at, stand.count, &stand.inputs)
    }

    /// Executes so many instructions of a thread, from a location on.
    fn run(
        &mut self,
        thread: ThreadId,
        from: LocationId,
        count: u64,
        inputs: &[u128],
    ) -> Result<(), Divergence> {
        let location = &self.automata.threads[thread].locations[from];
        // Loops are unrolled in the first edge of main alone: there, iterations tell places apart.
        let unrolled = thread.0 == 0 && from.0 == 0;
        for number in 0..count {
            self.is_running(thread)?;
            let position = self.state.frame(thread).position();
            // The end of a section is reached with the section.
            match self.state.thread(thread).section {
                0 => self.last.insert(thread, position),
                _ => self.last.remove(&thread),
            };
            let (next, _) = self.interpreter.next(&self.state, thread);
            let spawns = matches!(next, Next::Instr(InstrKind::Spawn { .. }));
            if number == 0 || spawns {
                self.list(thread, position);
            }
            if let Next::Instr(InstrKind::Nondet { .. } | InstrKind::Alloc { .. }) = next {
                let at = self.stack(thread);
                self.choose(thread, position, &at, (&location.inputs, inputs), unrolled);
            }
            let mut given = Given(&self.schedule);
            let effect = self
                .interpreter
                .execute(&mut self.state, thread, &mut given);
            match effect {
                Effect::Blocked | Effect::Stopped => {
                    return Err(self.diverged(thread, Reason::Stuck));
                }
                Effect::Misplaced(why) => {
                    return Err(self.diverged(thread, Reason::Misplaced(why)));
                }
                Effect::Cut(cut) => return Err(self.diverged(thread, Reason::Cut(cut))),
                Effect::Violation { .. } => return Err(self.diverged(thread, Reason::OutOfTurn)),
                Effect::End => self.list(thread, PosKey::END),
                _ => {}
            }
        }
        Ok(())
    }

    /// Lists the instruction at which a thread stands, which is a violation.
    fn stand(&mut self, thread: ThreadId) -> Result<(), Divergence> {
        let position = self.position(thread)?;
        self.schedule.steps.push(Move::Step(thread, position));
        Ok(())
    }

    /// Position of the instruction at which a thread stands.
    fn position(&self, thread: ThreadId) -> Result<PosKey, Divergence> {
        self.is_running(thread)?;
        Ok(self.state.frame(thread).position())
    }

    fn is_running(&self, thread: ThreadId) -> Result<(), Divergence> {
        if self.state.exists(thread) && self.state.thread(thread).status == Status::Running {
            Ok(())
        } else {
            Err(self.diverged(thread, Reason::NotRunning))
        }
    }

    /// Takes note of what the instruction at a place chooses.
    fn choose(
        &mut self,
        thread: ThreadId,
        position: PosKey,
        at: &Stack,
        (inputs, values): (&[Input], &[u128]),
        unrolled: bool,
    ) {
        for (place, slot) in &self.automata.slots {
            if let SlotOwner::Stack(owner, there) | SlotOwner::Heap(owner, there) = place
                && *owner == thread
                && same(there, at, unrolled)
            {
                let origin = Origin::Alloc(thread, position);
                self.interpreter.name_slot(origin, *slot);
                self.schedule.slots.insert(origin, *slot);
                let seen = self.seen.get(slot).into_iter().flatten();
                let known = self.schedule.memory.entry((thread, position)).or_default();
                known.extend(seen.map(|(offset, byte)| (*offset, *byte)));
            }
        }
        for (input, value) in inputs.iter().zip(values) {
            if !same(&input.at, at, unrolled) {
                continue;
            }
            let key = (thread, position);
            match input.offset_bytes {
                None => {
                    self.schedule.inputs.insert(key, *value);
                }
                Some(offset) => {
                    let bytes = u64::from(self.automata.terms.bits(input.term) / 8);
                    let known = self.schedule.memory.entry(key).or_default();
                    known.extend((0..bytes).map(|i| (offset + i, (value >> (8 * i)) as u8)));
                }
            }
        }
    }
}

/// Equality of places; iterations count where loops are unrolled.
fn same(a: &Stack, b: &Stack, unrolled: bool) -> bool {
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| (a.0, a.1, a.2) == (b.0, b.1, b.2) && (!unrolled || a.3 == b.3))
}
