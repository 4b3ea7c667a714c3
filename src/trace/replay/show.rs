//! Steps of a trace: what it shows of an instruction that is replayed.

use super::Replay;
use crate::base::Loc;
use crate::event::ThreadId;
use crate::ir::ty::Reading;
use crate::ir::{InstrKind, NondetSource, Operand, RegInfo};
use crate::trace::interpret::Effect;
use crate::trace::interpret::lookup::Next;
use crate::trace::interpret::state::Pending;
use crate::trace::interpret::word::Word;
use crate::trace::name::{Named, name};
use crate::trace::{Action, TraceStep, TraceThread, Value};

impl Replay<'_, '_> {
    /// Records that stores have reached memory.
    pub(super) fn show_commits(&mut self, thread: ThreadId, committed: Vec<Pending>) {
        for entry in committed {
            let Some(Some((loc, calls, function))) = self.issued.get(&(thread, entry.position))
            else {
                continue;
            };
            let Named { place, reading } = self.name(entry.address, entry.bits);
            self.trace.steps.push(TraceStep {
                thread,
                loc: *loc,
                calls: calls.clone(),
                function: function.clone(),
                atomic: false,
                action: Action::Commit {
                    place,
                    value: self.shown(entry.value, entry.bits, reading),
                },
            });
        }
    }

    pub(super) fn name(&self, address: u64, bits: u16) -> Named {
        let numbers = &self.known.numbers;
        let named = name(&self.interpreter, &self.state, numbers, (address, bits));
        named.unwrap_or_else(|| Named {
            place: format!("{address:#x}"),
            reading: Reading::Unsigned,
        })
    }

    pub(super) fn name_thread(&mut self, child: ThreadId, loc: Loc) {
        let index = child.0 as usize;
        let threads = &mut self.trace.threads;
        if threads.len() <= index {
            threads.resize(
                index + 1,
                TraceThread {
                    function: String::new(),
                    created_at: None,
                },
            );
        }
        let function = self
            .interpreter
            .function(self.state.frame(child))
            .name
            .clone();
        threads[index] = TraceThread {
            function,
            created_at: Some(loc),
        };
    }

    /// Place of a step: position, calls and function. A step within a model of the library has no place in the program
    /// but that of the call.
    pub(super) fn place(&self, thread: ThreadId, loc: Loc) -> (Loc, Vec<Loc>, String) {
        let (loc, calls) = self.interpreter.place_of(&self.state, thread, loc);
        let frame = &self.state.thread(thread).frames[calls.len()];
        let function = self.interpreter.function(frame).name.clone();
        (loc, calls, function)
    }

    /// Action to show of an instruction; `None` if there is none.
    pub(super) fn action(
        &self,
        thread: ThreadId,
        next: Next,
        local: bool,
        effect: Effect,
    ) -> Option<Action> {
        let place = |address: u64, bits: u16| self.name(address, bits);
        Some(match effect {
            Effect::Assigned => self.local(thread, next)?,
            Effect::Read { .. } if local => self.local(thread, next)?,
            Effect::Read {
                address,
                bits,
                value,
            } => {
                let Named { place, reading } = place(address, bits);
                let value = self.shown(value, bits, reading);
                Action::Read { place, value }
            }
            Effect::Write {
                address,
                bits,
                value,
            }
            | Effect::Issue {
                address,
                bits,
                value,
            } => {
                let issued = matches!(effect, Effect::Issue { .. });
                let Named { place, reading } = place(address, bits);
                let value = self.shown(value, bits, reading);
                if local {
                    Action::Local { name: place, value }
                } else if issued {
                    Action::Issue { place, value }
                } else {
                    Action::Write { place, value }
                }
            }
            Effect::Update {
                address,
                bits,
                old,
                new,
            } => {
                let Named { place, reading } = place(address, bits);
                let old = self.shown(old, bits, reading);
                let new = self.shown(new, bits, reading);
                Action::Update { place, old, new }
            }
            Effect::Input { bits, value } => match next {
                // What an uninitialised variable holds matters where it is read.
                Next::Instr(InstrKind::Nondet {
                    source: NondetSource::Uninitialised,
                    ..
                }) => return None,
                Next::Instr(InstrKind::Nondet { dst, .. }) => {
                    let info = self.register(thread, Operand::Reg(*dst));
                    let value = Value {
                        bits,
                        value,
                        reading: info.map_or(Reading::Unsigned, |info| info.reading),
                    };
                    Action::Input {
                        name: info.and_then(|info| info.name.clone()),
                        value,
                    }
                }
                _ => Action::Input {
                    name: None,
                    value: Value {
                        bits,
                        value,
                        reading: Reading::Signed,
                    },
                },
            },
            Effect::Create { child } | Effect::CreateBeyond { child } => Action::Create { child },
            Effect::Join { child } => Action::Join { child },
            Effect::End => Action::End,
            Effect::Lock { address } => Action::Lock {
                place: place(address, 8).place,
            },
            Effect::TryLock { address, taken } => Action::TryLock {
                place: place(address, 8).place,
                taken,
            },
            Effect::Unlock { address } => Action::Unlock {
                place: place(address, 8).place,
            },
            Effect::Fence => Action::Fence,
            Effect::AtomicBegin => Action::AtomicBegin,
            Effect::AtomicEnd => Action::AtomicEnd,
            Effect::Violation { property } => Action::Violation {
                property,
                access: None,
                lost: None,
                race: None,
                deadlock: None,
            },
            Effect::Quiet
            | Effect::Held
            | Effect::Leaked { .. }
            | Effect::Blocked
            | Effect::Stopped
            | Effect::Cut(_)
            | Effect::Misplaced(_)
            | Effect::Unwatched(_) => return None,
        })
    }

    /// The assignment of a named register.
    fn local(&self, thread: ThreadId, next: Next) -> Option<Action> {
        let Next::Instr(instr) = next else {
            return None;
        };
        let (InstrKind::Assign { dst, .. }
        | InstrKind::Load { dst, .. }
        | InstrKind::ThreadSelf { dst }) = instr
        else {
            return None;
        };
        let info = self.register(thread, Operand::Reg(*dst))?;
        let word = self.state.frame(thread).word(*dst);
        let name = info.name.clone()?;
        let value = self.shown(word, info.bits, info.reading);
        Some(Action::Local { name, value })
    }

    /// A value as traces show it: a pointer as its machine address, if that has been looked at.
    pub(super) fn shown(&self, word: Word, bits: u16, reading: Reading) -> Value {
        let wide = self.interpreter.space.pointer_bits;
        let mut shown = word;
        for index in word.marked() {
            let address = word.lane(index, wide).value;
            if let Some(number) = self.interpreter.known_machine(&self.state, address) {
                shown = shown.with_lane(index, wide, Word::number(number));
            }
        }
        Value {
            bits,
            value: shown.value,
            reading,
        }
    }

    fn register(&self, thread: ThreadId, operand: Operand) -> Option<&RegInfo> {
        let Operand::Reg(reg) = operand else {
            return None;
        };
        self.interpreter
            .function(self.state.frame(thread))
            .regs
            .get(reg)
    }
}
