//! Notes that a replay takes: for the line that stands for it, of the memory that threads share, and of who has written what.

use super::record::Ending;
use super::{Purpose, Replay};
use crate::base::Loc;
use crate::event::{Origin, ThreadId};
use crate::ir::{BlockSource, Check, InstrKind, Property, Undefined};
use crate::trace::Writer;
use crate::trace::interpret::lookup::Next;
use crate::trace::interpret::requests::Requests;
use crate::trace::interpret::state::{Pending, Status};
use crate::trace::interpret::word::Word;
use crate::trace::interpret::{Effect, Interpreter};
use crate::trace::sharing::Touch;
use crate::trace::tape::{End, Tape};
use hashbrown::HashMap;

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
        let requests = self.interpreter.requests.as_deref();
        let order = requests.map_or(&[][..], Requests::order);
        let number: HashMap<&Origin, usize> = order.iter().zip(0..).collect();
        let bases = given.bases.iter();
        tape.bases = bases
            .filter_map(|(origin, base)| Some((*number.get(origin)?, *base)))
            .collect();
        let slots = order
            .iter()
            .filter_map(|origin| self.interpreter.slot_given(origin));
        tape.slots = slots.collect();
        let space = self.interpreter.space;
        let usual = Interpreter::usual_space(self.interpreter.program);
        tape.offset_bits = (Some(space) != usual).then_some(space.offset_bits);
        tape.needs_value = property == Property::Defined(Undefined::Indeterminate);
        tape.lost = self.lost;
        tape
    }

    /// Takes note of an operation on a block that is about to begin, and of the memory that it is about.
    pub(super) fn note_block(&mut self, thread: ThreadId, next: Next, loc: Loc) {
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
        let at = (thread, frame.instruction());
        let begins = frame.part == 0;
        let is_whole = begins && self.interpreter.stops(at).is_empty();
        if begins {
            self.record.block(self.interpreter.stops(at));
        }
        let bytes = self.interpreter.value(&self.state, thread, *size_bytes);
        let from = match source {
            BlockSource::Copy { from, .. } => Some(*from),
            BlockSource::Byte(_) => None,
        };
        for (operand, is_write) in [(Some(*to), true), (from, false)] {
            let word = operand.map(|operand| self.interpreter.word(&self.state, thread, operand));
            let address = word.and_then(|word| self.interpreter.known(&self.state, word));
            if let Some(address) = address {
                let range = (address as u64, bytes as u64);
                self.note_bytes(thread, range, is_write);
                if is_write && self.purpose == Purpose::Show {
                    let by = is_whole.then_some(Writer { thread, loc });
                    self.writers.replace(range, by);
                }
            }
        }
    }

    /// Takes note of the memory that an instruction has accessed.
    pub(super) fn note_access(&mut self, thread: ThreadId, effect: &Effect) {
        if let Some(range) = accessed(effect) {
            self.note_bytes(thread, range, !matches!(effect, Effect::Read { .. }));
        }
    }

    /// Takes note of bytes, by their address and number, that a thread reads or writes, where facts are collected.
    pub(super) fn note_bytes(
        &mut self,
        thread: ThreadId,
        (address, bytes): (u64, u64),
        is_write: bool,
    ) {
        if self.purpose != Purpose::Learn {
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

    /// Writer of what an instruction has read, if it is another thread, and whether nobody has written it; then takes note of what it
    /// has written itself.
    pub(super) fn written_by_others(
        &mut self,
        thread: ThreadId,
        loc: Loc,
        effect: &Effect,
        expected: Option<Word>,
    ) -> (Option<Writer>, bool) {
        let own = Writer { thread, loc };
        let range = |address: &u64, bits: &u16| (*address, u64::from(bits.div_ceil(8)));
        match effect {
            Effect::Read { address, bits, .. } => {
                let range = range(address, bits);
                (
                    self.other_writer(thread, range),
                    self.is_initial(thread, range),
                )
            }
            Effect::Update {
                address,
                bits,
                old,
                new,
            } => {
                let range = range(address, bits);
                let other = self.other_writer(thread, range);
                if old != new || expected.is_none_or(|expected| expected == *old) {
                    self.writers.note(range, own);
                }
                (other, false)
            }
            Effect::Write { address, bits, .. } => {
                self.writers.note(range(address, bits), own);
                (None, false)
            }
            _ => (None, false),
        }
    }

    /// Another thread that has written what a thread reads, unless that comes from its own buffer.
    fn other_writer(&self, thread: ThreadId, (address, count): (u64, u64)) -> Option<Writer> {
        let writer = self.writers.of((address, count))?;
        let is_other = writer.thread != thread && !self.waits(thread, (address, count));
        is_other.then_some(writer)
    }

    /// True if what a thread reads is what a global variable holds at first: nobody has written it.
    fn is_initial(&self, thread: ThreadId, range: (u64, u64)) -> bool {
        let object = self.interpreter.object(&self.state, range.0.into());
        let is_global = object.is_some_and(|(.., one)| matches!(one.origin, Origin::Global(_)));
        is_global && self.writers.has_none(range) && !self.waits(thread, range)
    }

    /// True if a store of a thread to these bytes waits in its buffer.
    fn waits(&self, thread: ThreadId, (address, count): (u64, u64)) -> bool {
        let buffer = &self.state.thread(thread).buffer;
        buffer.iter().any(|one: &Pending| {
            !one.is_release() && one.address < address + count && address < one.end()
        })
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
