//! Values that a program leaves open, as a schedule gives them, and a note of each for the schedule of one line.

use crate::event::{Origin, ThreadId};
use crate::ir::NondetSource;
use crate::ir::position::PosKey;
use crate::trace::Schedule;
use crate::trace::interpret::Choices;
use crate::trace::interpret::arithmetic::mask;
use crate::trace::tape::Tape;

/// Source of the values.
#[derive(Clone, Copy)]
pub(super) enum Source<'s> {
    /// By the positions that ask.
    Schedule(&'s Schedule),
    /// By the order in which they are asked for.
    Tape(&'s Tape),
}

/// Values that were given so far, in order.
#[derive(Default)]
pub(super) struct Given {
    pub inputs: Vec<u128>,
    /// Reads of memory that was never written, and those that did not give zeros.
    pub reads: usize,
    pub unset: Vec<(usize, Vec<u8>)>,
    /// Machine addresses of objects.
    pub bases: Vec<(Origin, u64)>,
}

impl Given {
    /// Number of questions that were answered.
    pub fn count(&self) -> usize {
        self.inputs.len() + self.reads + self.bases.len()
    }
}

pub(super) struct Answers<'s> {
    source: Source<'s>,
    pub given: Given,
}

impl<'s> Answers<'s> {
    pub fn new(source: Source<'s>) -> Answers<'s> {
        Answers {
            source,
            given: Given::default(),
        }
    }

    /// True if values come in the order in which they are asked for.
    pub fn are_on_tape(&self) -> bool {
        matches!(self.source, Source::Tape(_))
    }

    /// The same values, for an attempt that nobody takes note of.
    pub fn aside(&self) -> Answers<'s> {
        Answers::new(self.source)
    }
}

impl Choices for Answers<'_> {
    fn input(&mut self, at: (ThreadId, PosKey), bits: u16, _: NondetSource) -> u128 {
        let value = match self.source {
            Source::Schedule(schedule) => schedule.inputs.get(&at),
            Source::Tape(tape) => tape.inputs.get(self.given.inputs.len()),
        };
        let value = value.map_or(0, |value| value & mask(bits));
        self.given.inputs.push(value);
        value
    }

    fn memory(&mut self, origin: Origin, offset: usize, bytes: &mut [Option<u8>]) {
        let read = self.given.reads;
        self.given.reads += 1;
        let known: Vec<(usize, u8)> = match self.source {
            Source::Schedule(schedule) => contents(schedule, origin, offset),
            Source::Tape(tape) => {
                let own = tape.unset.binary_search_by_key(&read, |(at, _)| *at);
                let own = own.map_or(&[][..], |index| &tape.unset[index].1);
                own.iter().copied().enumerate().collect()
            }
        };
        let mut chosen = vec![0; bytes.len()];
        for (at, value) in known {
            if let Some(byte) = bytes.get_mut(at).filter(|byte| byte.is_none()) {
                *byte = Some(value);
                chosen[at] = value;
            }
        }
        if let Some(last) = chosen.iter().rposition(|byte| *byte != 0) {
            chosen.truncate(last + 1);
            self.given.unset.push((read, chosen));
        }
    }

    fn note_base(&mut self, origin: Origin, base: u64) {
        self.given.bases.push((origin, base));
    }
}

/// Bytes of an object from an offset on, which a schedule gives: where, counted from there, and which; the first for a byte counts.
fn contents(schedule: &Schedule, origin: Origin, offset: usize) -> Vec<(usize, u8)> {
    let Origin::Alloc(thread, position) = origin else {
        return Vec::new();
    };
    let known = schedule.memory.get(&(thread, position));
    let index = |at: &u64| usize::try_from(*at).ok()?.checked_sub(offset);
    let known = known.into_iter().flatten();
    known
        .filter_map(|(at, value)| Some((index(at)?, *value)))
        .collect()
}
