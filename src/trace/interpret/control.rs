//! Control of threads: ends of blocks, calls, and the creation and end of threads.

use super::execute::unsupported;
use super::lookup::Next;
use super::state::{State, Status};
use super::stop::Stop;
use super::word::Word;
use super::{Choices, Effect, Interpreter};
use crate::event::{Cut, ThreadId};
use crate::ir::position::FramePath;
use crate::ir::{
    BlockId, Callee, ExternCall, FuncId, InstrKind, NondetSource, Operand, Reg, Terminator,
    Undefined,
};

impl<'p> Interpreter<'p> {
    pub(super) fn terminator(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        end: &'p Terminator,
        choices: &mut dyn Choices,
    ) -> Result<Effect, Stop> {
        Ok(match end {
            Terminator::Jump(to) => self.jump(state, thread, *to),
            Terminator::Branch { cond, then, other } => {
                let to = if self.value(state, thread, *cond) != 0 {
                    *then
                } else {
                    *other
                };
                self.jump(state, thread, to)
            }
            Terminator::Switch {
                value,
                cases,
                default,
            } => {
                let value = self.operand_number(state, thread, *value, choices)?;
                let case = cases.iter().find(|(case, _)| *case == value);
                self.jump(state, thread, case.map_or(*default, |(_, to)| *to))
            }
            Terminator::Return(operand) => {
                let value = operand.map(|operand| self.word(state, thread, operand));
                if state.thread(thread).frames.len() == 1 {
                    return self.end(state, thread, value.unwrap_or_default(), choices);
                }
                let mut value = value;
                let callers = &state.thread(thread).frames;
                let caller = &callers[callers.len() - 2];
                let block = &self.program.functions[caller.function].blocks[caller.block];
                if let Some(InstrKind::Call { dst: Some(dst), .. }) =
                    block.instrs.get(caller.index).map(|instr| &instr.kind)
                {
                    let Some(result) = value else {
                        return Err(Undefined::Unreachable.into());
                    };
                    let bits = self.program.functions[caller.function].regs[*dst].bits;
                    value = Some(self.fit(state, result, bits, choices)?);
                }
                state.thread_mut(thread).frames.pop();
                if let (Next::Instr(InstrKind::Call { dst: Some(dst), .. }), _) =
                    self.next(state, thread)
                    && let Some(value) = value
                {
                    self.set(state, thread, *dst, value);
                }
                state.frame_mut(thread).index += 1;
                Effect::Quiet
            }
            Terminator::ThreadExit(result) => {
                let result = self.word(state, thread, *result);
                return self.end(state, thread, result, choices);
            }
            Terminator::Stop => Effect::Stopped,
        })
    }

    /// The thread ends; an atomic section that it left open ends with it.
    fn end(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        result: Word,
        choices: &mut dyn Choices,
    ) -> Result<Effect, Stop> {
        self.drain(state, thread, choices)?;
        let result = self.fit(state, result, self.space.pointer_bits, choices)?;
        state.memory.escape_word(self.space, result);
        for (slot, _) in self.own_variables(state, thread) {
            self.remove(state, slot, thread);
        }
        let thread = state.thread_mut(thread);
        thread.section = 0;
        thread.status = Status::Ended(result);
        Ok(Effect::End)
    }

    fn jump(&mut self, state: &mut State, thread: ThreadId, to: BlockId) -> Effect {
        let unwind = self.bounds.unwind;
        let frame = state.frame_mut(thread);
        let function = &self.program.functions[frame.function];
        let loops = &self.facts.loops[frame.function];
        let cut = unwind
            .and_then(|unwind| loops.cut(function, frame.block, to, &frame.iterations, unwind));
        if let Some(head) = cut {
            return Effect::Cut(Cut::Unwind(loops.loop_at(frame.function, head)));
        }
        frame.iterations = loops.follow(frame.block, to, &frame.iterations);
        frame.block = to;
        frame.index = 0;
        Effect::Quiet
    }

    pub(super) fn call(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        dst: Option<Reg>,
        callee: &Callee,
        args: &[Operand],
        choices: &mut dyn Choices,
    ) -> Result<Effect, Stop> {
        let function = match callee {
            Callee::Direct(function) => *function,
            Callee::Indirect(operand) => self.function_named(state, thread, *operand, choices)?,
            Callee::Extern(call) => {
                return self.external(state, thread, dst, call, args, choices);
            }
        };
        let info = &self.program.functions[function];
        if !info.fits(args.len(), dst.is_some()) {
            return Err(Undefined::Call.into());
        }
        let active = state
            .thread(thread)
            .frames
            .iter()
            .filter(|frame| frame.function == function)
            .count();
        if self
            .bounds
            .recursion
            .is_some_and(|bound| active > bound as usize)
        {
            return Ok(Effect::Cut(Cut::Recursion(function)));
        }
        let path = FramePath::enter(state.frame(thread).position(), function.0);
        let mut frame = self.frame(function, path);
        for (param, arg) in info.params.iter().zip(args) {
            let value = self.word(state, thread, *arg);
            let bits = info.regs[*param].bits;
            frame.set(*param, self.fit(state, value, bits, choices)?);
        }
        state.thread_mut(thread).frames.push(frame);
        Ok(Effect::Quiet)
    }

    /// A function without body gives a free value, unless it could reach memory of ours.
    fn external(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        dst: Option<Reg>,
        call: &ExternCall,
        args: &[Operand],
        choices: &mut dyn Choices,
    ) -> Result<Effect, Stop> {
        for (arg, is_pointer) in args.iter().zip(&call.pointer_args) {
            let value = self.word(state, thread, *arg);
            if !is_pointer {
                continue;
            }
            let address = self.named(state, value, choices)?;
            let object = address.and_then(|address| self.object(state, address));
            if object.is_some_and(|(_, _, object)| !object.read_only) {
                return Ok(unsupported(&format!(
                    "`{}` has no body and receives a pointer",
                    call.name
                )));
            }
        }
        let effect = match dst {
            Some(dst) => self.input(state, thread, dst, NondetSource::External, choices),
            None => Effect::Quiet,
        };
        state.frame_mut(thread).index += 1;
        Ok(effect)
    }

    pub(super) fn spawn(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        dst: Reg,
        (start, arg): (Operand, Operand),
        choices: &mut dyn Choices,
    ) -> Result<Effect, Stop> {
        if state.thread(thread).section > 0 {
            return Ok(unsupported("thread creation in an atomic section"));
        }
        let function = self.function_named(state, thread, start, choices)?;
        let info = &self.program.functions[function];
        if !info.fits(1, false) {
            return Err(Undefined::Call.into());
        }
        let argument = self.word(state, thread, arg);
        self.drain(state, thread, choices)?;
        state.memory.escape_word(self.space, argument);
        let argument = match info.params.first() {
            Some(param) => self.fit(state, argument, info.regs[*param].bits, choices)?,
            None => argument,
        };
        let (child, runs) = self.instance((thread, state.frame(thread).position()));
        let status = if runs {
            Status::Running
        } else {
            Status::NeverRuns
        };
        self.add_thread(state, child, function, Some(argument), status);
        self.set(state, thread, dst, Word::number(u128::from(child.0)));
        state.frame_mut(thread).index += 1;
        Ok(if runs {
            Effect::Create { child }
        } else {
            Effect::CreateBeyond { child }
        })
    }

    /// The function that an operand names.
    fn function_named(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        operand: Operand,
        choices: &mut dyn Choices,
    ) -> Result<FuncId, Stop> {
        let word = self.word(state, thread, operand);
        let address = self.named(state, word, choices)?;
        let function = address.and_then(|address| self.function_at(address));
        Ok(function.ok_or(Undefined::InvalidAccess)?)
    }
}
