//! Calls in traces: of functions of the program, of which traces show the arguments and the result, and of start routines.

use super::{Purpose, Replay, Site};
use crate::event::ThreadId;
use crate::ir::ty::Reading;
use crate::ir::{
    AllocKind, BlockId, FuncId, Function, InstrKind, Operand, Origin, Reg, Terminator,
};
use crate::trace::interpret::lookup::Next;
use crate::trace::interpret::word::Word;
use crate::trace::{Action, TraceStep, Value};

/// Passage that an instruction is about to make from one function to another.
pub(super) enum Passage {
    /// A call, from a place.
    In { from: Site },
    /// A return from a function with a result.
    Out {
        function: FuncId,
        result: Option<(Word, u16, Reading)>,
    },
}

impl Replay<'_, '_> {
    /// The passage that an instruction is about to make between functions of the program.
    pub(super) fn calling(&mut self, thread: ThreadId, next: Next) -> Option<Passage> {
        if self.purpose != Purpose::Show {
            return None;
        }
        let frames = &self.state.thread(thread).frames;
        let frame = frames.last()?;
        // The library calls functions of the program as well, which traces show as they show start routines.
        let caller = frames.len().checked_sub(2).map(|index| &frames[index]);
        let is_called = caller.is_some_and(|caller| is_shown(self.interpreter.function(caller)));
        match next {
            Next::Instr(InstrKind::Call { .. }) if is_shown(self.interpreter.function(frame)) => {
                let (_, loc) = self.interpreter.next(&self.state, thread);
                let from = self.place(thread, loc);
                Some(Passage::In { from })
            }
            Next::End(Terminator::Return(result))
                if is_called && is_shown(self.interpreter.function(frame)) =>
            {
                let function = frame.function;
                let result = result.map(|result| {
                    let info = self.register(thread, result);
                    let reading = info.map_or(Reading::Signed, |info| info.reading);
                    let bits = self.interpreter.bits(function, result);
                    let word = self.interpreter.word(&self.state, thread, result);
                    (word, bits, reading)
                });
                Some(Passage::Out { function, result })
            }
            _ => None,
        }
    }

    /// Step to show of a passage that was made.
    pub(super) fn passage(
        &mut self,
        thread: ThreadId,
        passage: Option<Passage>,
    ) -> Option<TraceStep> {
        let frames = &self.state.thread(thread).frames;
        let frame = frames.last()?;
        let ((loc, calls, function), action) = match passage? {
            Passage::In { from } => {
                let callee = self.interpreter.function(frame);
                // The call may not have been made, or is of the library.
                if from.1.len() + 2 != frames.len() || !is_shown(callee) {
                    return None;
                }
                let arguments = callee.params.iter().map(|param| {
                    (
                        name_of(callee, *param),
                        self.argument(thread, callee, *param),
                    )
                });
                let action = Action::Call {
                    function: callee.name.clone(),
                    arguments: arguments.collect(),
                };
                (from, action)
            }
            Passage::Out { function, result } => {
                let (_, here) = self.interpreter.next(&self.state, thread);
                let site = self.place(thread, here);
                let before = frame.index.checked_sub(1);
                let block = &self.interpreter.function(frame).blocks[frame.block];
                let call = before.and_then(|index| block.instrs.get(index));
                let (loc, is_taken) = match call {
                    Some(call) => match &call.kind {
                        InstrKind::Call { dst, .. } => (call.loc, dst.is_some()),
                        _ => (here, false),
                    },
                    None => (here, false),
                };
                let result = result.filter(|_| is_taken);
                let action = Action::Return {
                    function: self.interpreter.program.functions[function].name.clone(),
                    result: result.map(|(word, bits, reading)| self.shown(word, bits, reading)),
                };
                ((loc, site.1, site.2), action)
            }
        };
        Some(TraceStep {
            thread,
            loc,
            calls,
            function,
            atomic: false,
            action,
        })
    }

    fn argument(&self, thread: ThreadId, callee: &Function, param: Reg) -> Value {
        let info = &callee.regs[param];
        let word = self.state.frame(thread).word(param);
        self.shown(word, info.bits, info.reading)
    }

    /// The creation of a thread, with the argument of its start routine.
    pub(super) fn creation(&self, thread: ThreadId, next: Next, child: ThreadId) -> Option<Action> {
        let Next::Instr(InstrKind::Spawn { arg, .. }) = next else {
            return None;
        };
        let word = match arg {
            Operand::Reg(reg) => self.state.frame(thread).word(*reg),
            Operand::Const { value, .. } => Word::number(*value),
            // An address is in the thread's first parameter, if it has one.
            Operand::GlobalAddr(..) | Operand::FuncAddr(_) => {
                let frame = self.state.thread(child).frames.first()?;
                let params = &self.interpreter.function(frame).params;
                params
                    .first()
                    .map_or(Word::number(0), |param| frame.word(*param))
            }
        };
        let bits = self.interpreter.space.pointer_bits;
        Some(Action::Create {
            child,
            function: self
                .interpreter
                .function(self.state.frame(child))
                .name
                .clone(),
            argument: self.shown(word, bits, Reading::Pointer),
        })
    }
}

/// Name of a parameter: of its register, or of the variable that it is stored in at once. Empty if it has none.
fn name_of(function: &Function, param: Reg) -> String {
    if let Some(name) = &function.regs[param].name {
        return name.clone();
    }
    let entry = &function.blocks[BlockId(0)].instrs;
    let variable = entry.iter().find_map(|instr| match &instr.kind {
        InstrKind::Store { addr, value, .. } if *value == Operand::Reg(param) => Some(*addr),
        _ => None,
    });
    let name = entry.iter().find_map(|instr| match &instr.kind {
        InstrKind::Alloc {
            dst,
            kind: AllocKind::Stack { name, .. },
            ..
        } if variable == Some(Operand::Reg(*dst)) => Some(name.clone()),
        _ => None,
    });
    name.unwrap_or_default()
}

/// Functions of the program: true if calls of one are shown, and not those of the library's models.
fn is_shown(function: &Function) -> bool {
    function.origin == Origin::Program && !function.is_internal()
}
