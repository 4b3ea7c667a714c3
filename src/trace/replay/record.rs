//! Recording of a replay: who moved, as a schedule of one line.

use super::Replay;
use crate::base::Loc;
use crate::event::ThreadId;
use crate::ir::{BlockSource, Check, InstrKind, Property, Undefined};
use crate::trace::interpret::lookup::Next;
use crate::trace::interpret::state::Status;
use crate::trace::interpret::{Effect, Interpreter};
use crate::trace::sharing::Touch;
use crate::trace::tape::{End, Tape, Turn, is_step};
use hashbrown::HashMap;

/// Turns so far, and what is to be known of the program to take them again.
#[derive(Default)]
pub(super) struct Record {
    turns: Vec<Turn>,
    /// Instructions of each thread behind its last step.
    behind: HashMap<ThreadId, u64>,
    /// Numbers of threads in the order of their creation; false for one that never runs.
    threads: Vec<(u32, bool)>,
    /// Operations on blocks that have begun.
    blocks: usize,
    /// Those that stop in between, and where.
    stops: Vec<(usize, Vec<u64>)>,
}

impl Record {
    /// A thread has executed an instruction: a step, or one that asked for a value.
    pub fn executed(&mut self, thread: ThreadId, next: Next, has_asked: bool) {
        let last = self.turns.last_mut();
        if !is_step(next) && !has_asked {
            *self.behind.entry(thread).or_default() += 1;
            return;
        }
        self.behind.insert(thread, 0);
        match last {
            Some(Turn::Steps(same, count)) if *same == thread => *count += 1,
            _ => self.turns.push(Turn::Steps(thread, 1)),
        }
    }

    /// A store of a thread has reached memory.
    pub fn committed(&mut self, thread: ThreadId, number: usize) {
        self.turns.push(Turn::Commit(thread, number));
    }

    /// A thread was created.
    pub fn created(&mut self, child: ThreadId, runs: bool) {
        self.threads.push((child.0, runs));
    }

    /// An operation on a block begins.
    pub fn block(&mut self, stops: &[u64]) {
        if !stops.is_empty() {
            self.stops.push((self.blocks, stops.to_vec()));
        }
        self.blocks += 1;
    }

    /// Number of threads that were created.
    pub fn creations(&self) -> usize {
        self.threads.len()
    }

    /// Number of operations on blocks that have begun.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// Last turn is that of a thread which goes on behind its steps, or comes to its first.
    fn moves_last(&mut self, thread: ThreadId) {
        if !matches!(self.turns.last(), Some(Turn::Steps(last, _)) if *last == thread) {
            self.turns.push(Turn::Steps(thread, 0));
        }
    }
}

/// End of an execution: the property that is violated, by whom, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ending {
    property: Property,
    thread: ThreadId,
    /// The other thread of a data race.
    rival: Option<ThreadId>,
    places: Vec<Loc>,
}

impl Ending {
    /// A step of a thread violates a property.
    pub fn at(thread: ThreadId, property: Property, loc: Loc) -> Ending {
        Ending {
            property,
            thread,
            rival: None,
            places: vec![loc],
        }
    }

    /// Two threads race at these places.
    pub fn race(thread: ThreadId, rival: ThreadId, places: [Loc; 2]) -> Ending {
        Ending {
            property: Property::Race,
            thread,
            rival: Some(rival),
            places: places.to_vec(),
        }
    }

    /// A thread is blocked, and all those that are stand at these places.
    pub fn deadlock(thread: ThreadId, places: Vec<Loc>) -> Ending {
        Ending {
            property: Property::Deadlock,
            thread,
            rival: None,
            places,
        }
    }
}

impl Replay<'_, '_> {
    /// The execution on one line, which has come to this end; nothing is left of the record.
    pub(super) fn tape(&mut self, ending: &Ending) -> Tape {
        let (property, thread) = (ending.property, ending.thread);
        let check = Check::of(property);
        let mut tape = Tape::new(check, self.interpreter.bounds.memory);
        tape.end = match property {
            Property::Race => End::Race(ending.rival.unwrap_or(thread), thread),
            Property::Deadlock => {
                let all = self.state.thread_ids();
                let behind = all.map(|id| (id, self.record.behind.get(&id).copied()));
                let behind =
                    behind.filter_map(|(id, count)| Some((id, count.filter(|count| *count > 0)?)));
                End::Deadlock(thread, behind.collect())
            }
            _ => {
                self.record.moves_last(thread);
                End::Step
            }
        };
        tape.moves = std::mem::take(&mut self.record.turns);
        tape.threads = std::mem::take(&mut self.record.threads);
        tape.stops = std::mem::take(&mut self.record.stops);
        let given = std::mem::take(&mut self.choices.given);
        tape.inputs = given.inputs;
        tape.unset = given.unset;
        tape.bases = given.bases;
        let space = self.interpreter.space;
        let usual = Interpreter::usual_space(self.interpreter.program);
        tape.offset_bits = (Some(space) != usual).then_some(space.offset_bits);
        tape.needs_value = property == Property::Defined(Undefined::Indeterminate);
        tape.lost = self.lost;
        tape
    }
}

impl Replay<'_, '_> {
    /// Takes note of an operation on a block that is about to begin, and of the memory that it is about.
    pub(super) fn note_block(&mut self, thread: ThreadId, next: Next) {
        let Next::Instr(InstrKind::Block {
            to,
            source,
            size_bytes,
            ..
        }) = next
        else {
            return;
        };
        let frame = self.state.frame(thread);
        if frame.part != 0 {
            return;
        }
        let at = (thread, frame.instruction());
        self.record.block(self.interpreter.stops(at));
        let bytes = self.interpreter.value(&self.state, thread, *size_bytes);
        let from = match source {
            BlockSource::Copy { from, .. } => Some(*from),
            BlockSource::Byte(_) => None,
        };
        for (operand, is_write) in [(Some(*to), true), (from, false)] {
            let word = operand.map(|operand| self.interpreter.word(&self.state, thread, operand));
            let address = word.and_then(|word| self.interpreter.known(&self.state, word));
            if let Some(address) = address {
                self.note_bytes(thread, (address as u64, bytes as u64), is_write);
            }
        }
    }

    /// Takes note of the memory that an instruction has accessed.
    pub(super) fn note_access(&mut self, thread: ThreadId, effect: &Effect) {
        if let Some(range) = accessed(effect) {
            self.note_bytes(thread, range, !matches!(effect, Effect::Read { .. }));
        }
    }

    /// Takes note of bytes, by their address and number, that a thread reads or writes; the second run knows of them already.
    pub(super) fn note_bytes(
        &mut self,
        thread: ThreadId,
        (address, bytes): (u64, u64),
        is_write: bool,
    ) {
        if !self.is_first {
            return;
        }
        let all = self.state.thread_ids();
        let mut others = all.filter(|id| *id != thread);
        let runs = |id: ThreadId| self.state.thread(id).status == Status::Running;
        let touch = Touch {
            address,
            bytes,
            changes: is_write && others.any(runs),
        };
        let space = self.interpreter.space;
        self.known.sharing.note(space, thread, touch);
    }

    /// True if other threads access in this execution what an instruction has accessed.
    pub(super) fn is_shared(&self, effect: &Effect) -> bool {
        let space = self.interpreter.space;
        accessed(effect)
            .is_some_and(|(address, bytes)| self.known.sharing.has(space, address, bytes))
    }
}

/// Address and number of bytes of an access.
fn accessed(effect: &Effect) -> Option<(u64, u64)> {
    match effect {
        Effect::Read { address, bits, .. }
        | Effect::Write { address, bits, .. }
        | Effect::Issue { address, bits, .. }
        | Effect::Update { address, bits, .. } => Some((*address, u64::from(bits.div_ceil(8)))),
        _ => None,
    }
}
