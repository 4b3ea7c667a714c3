//! Control flow at the end of a block, and the ends of threads.

use super::automaton::{Key, Point};
use super::carry::{Objects, Word};
use super::explore::Explorer;
use super::state::EdgeState;
use crate::base::id::Id;
use crate::exec::{self, Domain, Exit};
use crate::ir::address::Slot;
use crate::ir::{BlockId, FuncId, InstrKind, Terminator};

/// Iterations of a loop of main that are unrolled.
const UNROLLED: u32 = 1024;

impl Explorer<'_> {
    pub fn terminator(&mut self, mut state: EdgeState, end: &Terminator) {
        let exit = exec::leave(self, &mut state, end, |explorer, state, cond, to| {
            let not = explorer.terms.not(cond);
            let mut taken = state.clone();
            taken.path.restrict(&mut explorer.terms, cond);
            explorer.jump(taken, to);
            state.path.restrict(&mut explorer.terms, not);
        });
        match exit {
            None => {}
            Some(Exit::Block(to)) => self.jump(state, to),
            Some(Exit::Return(value)) => self.leave(state, value),
            Some(Exit::Thread(value)) => self.end(state, Some(value)),
            Some(Exit::Program) => self.stopped(state),
        }
    }

    fn jump(&mut self, mut state: EdgeState, to: BlockId) {
        if state.path.is_dead(&self.terms) {
            return;
        }
        let frame = state.top();
        let (function, facts) = (frame.function, self.facts);
        let loops = &facts.functions[function].loops;
        let (from, head) = (frame.block, loops.is_head(to));
        let back = loops.is_back_edge(from, to);
        let next = loops.follow(from, to, &frame.iterations);
        let always = self.terms.as_constant(state.path.term()) == Some(1);
        let number = next.last().copied().unwrap_or(0);
        let in_family = head && self.is_family_loop(function, to, number);
        let unrolled = self.unrolls() && !in_family && (!back || (always && number < UNROLLED));
        let iterations = if self.unrolls() {
            next
        } else {
            self.apart(&state, to, next, back)
        };
        let frame = state.frame();
        frame.iterations = iterations;
        (frame.block, frame.index) = (to, 0);
        if !head || unrolled {
            return self.push(state);
        }
        if back && self.keeps_address(&state, to) {
            return self.unsupported(&state, "the address of a variable of an earlier iteration");
        }
        let place = state.point();
        let location = self.location(place);
        self.locations[location].is_head = true;
        self.arrive(state);
    }

    /// Iterations that are told apart after the first edge, of those that control comes to: of main's loops that join
    /// threads, as long as each has joined one.
    fn apart(&self, state: &EdgeState, to: BlockId, mut next: Vec<u32>, back: bool) -> Vec<u32> {
        let function = state.top().function;
        let heads = &self.facts.functions[function].loops.nest[to];
        for (head, number) in heads.iter().zip(&mut next) {
            if *number > 0 && !(self.thread == 0 && self.joins_in(function, *head)) {
                *number = 0;
            }
        }
        let joined = self.knowledge.creations.len() - state.beside.len();
        if let Some(number) = next.last_mut()
            && back
            && *number as usize > joined
        {
            *number = 0;
        }
        next
    }

    /// Loop that joins: true if a block of the loop has a join.
    fn joins_in(&self, function: FuncId, head: BlockId) -> bool {
        let is_join = |kind: &InstrKind| matches!(kind, InstrKind::Join { .. });
        self.has_in(function, head, is_join)
    }

    /// Loop that creates: true if a block of the loop creates a thread.
    pub fn creates_in(&self, function: FuncId, head: BlockId) -> bool {
        let is_creation = |kind: &InstrKind| matches!(kind, InstrKind::Spawn { .. });
        self.has_in(function, head, is_creation)
    }

    fn has_in(&self, function: FuncId, head: BlockId, is: fn(&InstrKind) -> bool) -> bool {
        let nest = &self.facts.functions[function].loops.nest;
        let blocks = self.program.functions[function].blocks.iter_ids();
        let mut inside = blocks.filter(|(id, _)| nest[*id].contains(&head));
        inside.any(|(_, block)| {
            let mut instrs = block.instrs.iter();
            instrs.any(|instr| is(&instr.kind))
        })
    }

    /// Address that leaves its iteration: true if a register that lives at the head of a loop may point to what an
    /// iteration of it has allocated.
    fn keeps_address(&self, state: &EdgeState, head: BlockId) -> bool {
        let at = (state.top().function, head);
        let object_bits = self.knowledge.space.object_bits();
        let pointer_bits = self.knowledge.space.pointer_bits;
        let looped = self.knowledge.objects.iter().enumerate();
        let looped = looped.filter(|(_, object)| object.loops.contains(&at));
        let slots: Objects = looped.map(|(i, _)| Slot(i as u32 + 1)).collect();
        let prefix = |slot: &Slot| u128::from(self.knowledge.space.prefix(*slot)) << object_bits;
        let prefixes: Vec<u128> = slots.iter().map(prefix).collect();
        if prefixes.is_empty() {
            return false;
        }
        let depth = state.frames.len();
        state.frames.iter().enumerate().any(|(i, frame)| {
            self.live(frame.function, frame.block, frame.index, i + 1 < depth)
                .into_iter()
                .filter_map(|reg| Some((reg, frame.regs[reg.index()]?)))
                .any(|(reg, term)| {
                    let key = self.register_in(frame.chain, reg);
                    let held = self.among(self.knowledge.addresses(&key), term);
                    if !held.is_disjoint(&slots) || self.terms.bits(term) != pointer_bits {
                        return !held.is_disjoint(&slots);
                    }
                    let fact = self.terms.fact(term);
                    let upper = !crate::term::word::mask(object_bits);
                    prefixes.iter().any(|prefix| {
                        let differs = (fact.ones & !prefix | fact.zeros & prefix) & upper;
                        differs == 0 && (fact.ones | fact.zeros) & upper != 0
                    })
                })
        })
    }

    /// Returns from a function, or ends the thread.
    fn leave(&mut self, mut state: EdgeState, value: Option<Word>) {
        if state.frames.len() == 1 {
            return self.end(state, value);
        }
        let before = state.clone();
        state.tick(&mut self.terms);
        state.frames.pop();
        let frame = state.top();
        let block = &self.program.functions[frame.function].blocks[frame.block];
        if let Some(dst) = block.instrs[frame.index].kind.dst() {
            let bits = self.bits(&state, dst);
            match value {
                None => state.frame().regs[dst.index()] = None,
                Some(value) => {
                    let Some(value) = self.fit(&before, value, bits) else {
                        return;
                    };
                    self.set(&mut state, dst, value);
                }
            }
        }
        state.frame().index += 1;
        self.push(state);
    }

    /// The thread ends with a result.
    fn end(&mut self, mut state: EdgeState, value: Option<Word>) {
        let bits = self.program.model.pointer_bits();
        let value = match value {
            Some(mut value) => {
                let Some(term) = self.settle(&mut state, value.term) else {
                    return;
                };
                value.term = term;
                let Some(value) = self.fit(&state, value, bits) else {
                    return;
                };
                self.knowledge
                    .note_addresses(&Key::Result(self.thread), &value.objects);
                value.term
            }
            None => self.terms.constant(0, bits),
        };
        state.tick(&mut self.terms);
        let ended = self.terms.tru();
        self.set_variable(&mut state, Key::Ended(self.thread), ended);
        self.set_variable(&mut state, Key::Result(self.thread), value);
        let end = self.location(Point::Ended);
        self.arrive_at(state, end);
    }

    /// The thread takes no further step; what it has written counts.
    pub fn stopped(&mut self, state: EdgeState) {
        if state.path.is_dead(&self.terms) || !state.wrote || state.section > 0 {
            return;
        }
        let stopped = self.location(Point::Stopped);
        self.arrive_at(state, stopped);
    }
}
