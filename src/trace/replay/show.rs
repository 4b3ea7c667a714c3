//! Steps of a trace: what it shows of an instruction that is replayed.

use super::{Purpose, Replay};
use crate::analysis::faint::is_faint;
use crate::base::Loc;
use crate::event::{Origin, ThreadId};
use crate::ir::ty::{Reading, Type, TypeId, Written};
use crate::ir::{self, InstrKind, NondetSource, Operand, Reg, RegInfo};
use crate::trace::interpret::Effect;
use crate::trace::interpret::arithmetic::mask;
use crate::trace::interpret::lookup::Next;
use crate::trace::interpret::state::Pending;
use crate::trace::interpret::word::Word;
use crate::trace::name::{Named, lock_name, name, target};
use crate::trace::{Action, TraceStep, TraceThread, Value, Writer};

/// Steps of a trace up to which reads of what no thread changes are among them.
const LOOKS: usize = 100_000;

impl Replay<'_, '_> {
    /// Records that stores have reached memory.
    pub(super) fn show_commits(&mut self, thread: ThreadId, committed: Vec<Pending>) {
        for entry in committed {
            let Some(Some((loc, calls, function))) = self.issued.get(&(thread, entry.position))
            else {
                continue;
            };
            let by = Writer { thread, loc: *loc };
            let bytes = u64::from(entry.bits.div_ceil(8));
            self.writers.note((entry.address, bytes), by);
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
        let blocks = &self.known.blocks;
        let named = name(&self.interpreter, &self.state, blocks, (address, bits));
        named.unwrap_or_else(|| Named {
            place: format!("{address:#x}"),
            reading: Reading::Unsigned,
        })
    }

    pub(super) fn lock_name(&self, address: u64) -> String {
        let blocks = &self.known.blocks;
        let name = lock_name(&self.interpreter, &self.state, blocks, address);
        name.unwrap_or_else(|| format!("{address:#x}"))
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
            Effect::Read {
                address,
                bits,
                value,
            } if local => match self.local(thread, next) {
                Some(action) => action,
                None => self.look(address, bits, value)?,
            },
            Effect::Read {
                address,
                bits,
                value,
            } => {
                let Named { place, reading } = place(address, bits);
                let value = self.shown(value, bits, reading);
                Action::Read {
                    place,
                    value,
                    from: None,
                    is_initial: false,
                    is_private: false,
                }
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
                if let Some(action) = self.object_changed(thread, (address, bits), value) {
                    return Some(action);
                }
                let Named { place, reading } = place(address, bits);
                let value = self.shown(value, bits, reading);
                if local {
                    Action::Local {
                        name: place,
                        value,
                        is_variable: !self.is_beyond_variables(address),
                    }
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
                Action::Update {
                    place,
                    old,
                    new,
                    from: None,
                    expected: None,
                }
            }
            Effect::Input { bits, value } => match next {
                // What an uninitialised variable holds matters where it is read.
                Next::Instr(InstrKind::Nondet {
                    source: NondetSource::Uninitialised,
                    ..
                }) => return None,
                // What an operation of the library chooses by itself shows in what it does.
                Next::Instr(InstrKind::Nondet { .. })
                    if self.is_synchronising(thread) || self.chooses_to_wake(thread, next) =>
                {
                    return None;
                }
                // As what `printf` returns.
                Next::Instr(InstrKind::Nondet { dst, .. }) if self.goes_nowhere(thread, *dst) => {
                    return None;
                }
                Next::Instr(InstrKind::Nondet { dst, .. }) => {
                    let info = self.register(thread, Operand::Reg(*dst));
                    let value = Value {
                        bits,
                        value,
                        reading: info.map_or(Reading::Unsigned, |info| info.reading),
                        name: None,
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
                        name: None,
                    },
                },
            },
            Effect::Create { child } | Effect::CreateBeyond { child } => {
                self.creation(thread, next, child)?
            }
            Effect::Join { child } => Action::Join { child },
            Effect::End => Action::End,
            Effect::Lock { address } => Action::Lock {
                place: self.lock_name(address),
            },
            Effect::TryLock { address, taken } => Action::TryLock {
                place: self.lock_name(address),
                taken,
            },
            Effect::Unlock { address }
                if matches!(next, Next::Instr(InstrKind::MutexInit { .. })) =>
            {
                Action::Initialise {
                    place: self.lock_name(address),
                }
            }
            Effect::Unlock { address } => Action::Unlock {
                place: self.lock_name(address),
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

    /// True if nobody looks at what a thread has in a register.
    fn goes_nowhere(&self, thread: ThreadId, reg: Reg) -> bool {
        let function = self.interpreter.function(self.state.frame(thread));
        function.regs[reg].name.is_none() && is_faint(function, reg)
    }

    /// The value that a compare-and-exchange is about to compare with.
    pub(super) fn expected(&mut self, thread: ThreadId, next: Next) -> Option<Word> {
        match (self.purpose, next) {
            (Purpose::Show, Next::Instr(InstrKind::CmpXchg { expected, .. })) => {
                Some(self.interpreter.word(&self.state, thread, *expected))
            }
            _ => None,
        }
    }

    /// The same action; of a compare-and-exchange, it says what was compared with.
    pub(super) fn expecting(&self, mut action: Action, word: Option<Word>) -> Action {
        if let (Action::Update { old, expected, .. }, Some(word)) = (&mut action, word) {
            *expected = Some(self.shown(word, old.bits, old.reading));
        }
        action
    }

    /// True if a thread is in an operation of a synchronisation object.
    pub(super) fn is_synchronising(&self, thread: ThreadId) -> bool {
        let function = self.interpreter.function(self.state.frame(thread));
        function.origin == ir::Origin::Model { synchronises: true }
    }

    /// A read of what no thread changes, of a global variable or the heap; none if there are too many.
    fn look(&self, address: u64, bits: u16, value: Word) -> Option<Action> {
        if self.trace.steps.len() > LOOKS {
            return None;
        }
        if !self.is_beyond_variables(address) {
            return None;
        }
        let Named { place, reading } = self.name(address, bits);
        Some(Action::Read {
            place,
            value: self.shown(value, bits, reading),
            from: None,
            is_initial: false,
            is_private: true,
        })
    }

    /// True if an address is in memory beyond local variables: in a block of the heap, or a global variable.
    fn is_beyond_variables(&self, address: u64) -> bool {
        let object = self.interpreter.object(&self.state, address.into());
        object
            .is_some_and(|(_, _, object)| object.heap || matches!(object.origin, Origin::Global(_)))
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
        Some(Action::Local {
            name,
            value,
            is_variable: true,
        })
    }

    /// A value as traces show it: a pointer as what it points to, and as its machine address, if that has been looked at.
    pub(super) fn shown(&self, word: Word, bits: u16, reading: Reading) -> Value {
        let wide = self.interpreter.space.pointer_bits;
        let mut shown = word;
        for index in word.marked() {
            let address = word.lane(index, wide).value;
            if let Some(number) = self.interpreter.known_machine(&self.state, address) {
                shown = shown.with_lane(index, wide, Word::number(number));
            }
        }
        let name = match reading {
            Reading::Enum { ty, .. } => self.constant(ty, bits, word.value),
            _ if bits != wide => None,
            Reading::Pointer => self.target(word),
            // A number that the program looks at is shown as well.
            _ if word.is_number() => None,
            _ if shown.is_number() => {
                let target = self.target(word);
                target.map(|target| format!("{:#x} ({target})", shown.value))
            }
            _ => self.target(word),
        };
        Value {
            bits,
            value: shown.value,
            reading,
            name,
        }
    }

    /// What a pointer points to.
    fn target(&self, word: Word) -> Option<String> {
        let address = self.interpreter.known(&self.state, word)?;
        let (interpreter, blocks) = (&self.interpreter, &self.known.blocks);
        target(interpreter, &self.state, blocks, address as u64)
    }

    /// The constant of an enumeration that has a value.
    fn constant(&self, ty: TypeId, bits: u16, value: u128) -> Option<String> {
        let Type::Int {
            written: Written::Constant(constants),
            ..
        } = &self.interpreter.program.types[ty]
        else {
            return None;
        };
        let is_it =
            |(_, constant): &&(String, i128)| constant.cast_unsigned() & mask(bits) == value;
        constants.iter().find(is_it).map(|(name, _)| name.clone())
    }

    pub(super) fn register(&self, thread: ThreadId, operand: Operand) -> Option<&RegInfo> {
        let Operand::Reg(reg) = operand else {
            return None;
        };
        self.interpreter
            .function(self.state.frame(thread))
            .regs
            .get(reg)
    }
}
