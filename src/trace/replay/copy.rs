//! Operations on blocks in traces: the accesses that an operation makes one after the other, without another thread's in between, are
//! one step.

use super::{Copying, Replay};
use crate::event::ThreadId;
use crate::ir::position::PosKey;
use crate::ir::{BlockSource, InstrKind};
use crate::trace::interpret::Effect;
use crate::trace::interpret::lookup::Next;
use crate::trace::interpret::word::Word;
use crate::trace::name::{scalar_at, start};
use crate::trace::{Action, CopySource, Value};

impl Replay<'_, '_> {
    /// Takes note of an access of an operation on a block: what to show of it, which is nothing if it belongs to the last step. `None` if
    /// it is no such access.
    pub(super) fn copied(
        &mut self,
        (thread, position): (ThreadId, PosKey),
        next: Next,
        is_private: bool,
        effect: &Effect,
    ) -> Option<Option<Action>> {
        let Next::Instr(InstrKind::Block { source, .. }) = next else {
            return None;
        };
        let (address, bits, written) = match effect {
            Effect::Read { address, bits, .. } => (*address, *bits, None),
            Effect::Write {
                address,
                bits,
                value,
            } => (*address, *bits, Some(value.value as u8)),
            _ => return None,
        };
        let last = self.trace.steps.len().checked_sub(1);
        let goes_on = |one: &&mut Copying| {
            one.thread == thread && one.position == position && Some(one.step) == last
        };
        let bytes = u64::from(bits / 8);
        let begins = self.copying.as_mut().filter(goes_on).is_none();
        if begins {
            self.copying = Some(Copying {
                thread,
                position,
                step: self.trace.steps.len(),
                to: None,
                read: 0,
                written: 0,
            });
        }
        let copying = self.copying.as_mut()?;
        match written {
            None => copying.read += bytes,
            Some(_) => {
                copying.to.get_or_insert(address);
                copying.written += bytes;
            }
        }
        let (to, written_bytes) = (copying.to, copying.written);
        let bytes = copying.read.max(copying.written);
        let value = to.and_then(|to| self.scalar_at(to, written_bytes));
        let (interpreter, blocks) = (&self.interpreter, &self.known.blocks);
        let name = || {
            let name = start(interpreter, &self.state, blocks, address);
            name.unwrap_or_else(|| format!("{address:#x}"))
        };
        if begins {
            let name = name();
            return Some(Some(Action::Copy {
                to: written.map(|_| name.clone()),
                source: match (source, written) {
                    (BlockSource::Byte(_), Some(byte)) => CopySource::Byte(byte),
                    (_, None) => CopySource::Place(Some(name)),
                    (_, Some(_)) => CopySource::Place(None),
                },
                bytes,
                value,
                is_private,
            }));
        }
        if let Some(Action::Copy {
            to,
            source,
            bytes: shown,
            value: found,
            is_private: private,
        }) = self.trace.steps.last_mut().map(|step| &mut step.action)
        {
            *shown = bytes;
            *found = value;
            *private &= is_private;
            match (written, source) {
                (Some(_), _) => {
                    to.get_or_insert_with(name);
                }
                (None, CopySource::Place(from)) => {
                    from.get_or_insert_with(name);
                }
                (None, CopySource::Byte(_)) => {}
            }
        }
        Some(None)
    }

    /// Value of so many bytes at an address, if they are a scalar.
    fn scalar_at(&self, address: u64, bytes: u64) -> Option<Value> {
        let bits = u16::try_from(8 * bytes).ok().filter(|bits| *bits <= 128)?;
        let (interpreter, blocks) = (&self.interpreter, &self.known.blocks);
        let reading = scalar_at(interpreter, &self.state, blocks, (address, bits))?;
        let (slot, offset, _) = self.interpreter.object(&self.state, address.into())?;
        let space = self.interpreter.space;
        let end = offset + bytes as usize;
        let found = self.state.memory.bytes(space, slot, offset, end);
        let number = found.number_at(0, bytes as usize);
        let is_pointer = bits == space.pointer_bits && found.words.contains(&0);
        let word = match is_pointer {
            true => Word::address(number),
            false => Word::number(number),
        };
        let is_shown = is_pointer || found.words.is_empty();
        is_shown.then(|| self.shown(word, bits, reading))
    }
}
