//! Digests of states, in 128 bits: everything that the future of a state depends on.

use super::life::{Life, Lives};
use super::lookup::Next;
use super::memory::{LiveObject, Memory};
use super::state::{Frame, Held, State, Status, Thread};
use super::word::Word;
use super::{Choices, Effect, Interpreter, Zeros};
use crate::analysis::liveness::{RegSet, live_in, uses};
use crate::base::IdVec;
use crate::base::mix::mix;
use crate::base::sorted::SortedSet;
use crate::event::ThreadId;
use crate::ir::address::{AddressSpace, Slot};
use crate::ir::{BlockId, FuncId, InstrKind, Operand, Program, Reg, Terminator};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Digests of the states of one program.
pub struct Digests<'p> {
    program: &'p Program,
    live_in: IdVec<FuncId, IdVec<BlockId, RegSet>>,
    /// Live registers at a point that a thread can stand at.
    live: HashMap<(FuncId, BlockId, usize), Vec<Reg>, FxBuildHasher>,
    /// What stopped threads hold counts, and what has a name.
    leaks: bool,
    /// What was freed counts.
    pub races: bool,
}

impl<'p> Digests<'p> {
    pub fn new(program: &'p Program) -> Digests<'p> {
        Digests {
            program,
            live_in: program.functions.iter().map(live_in).collect(),
            live: HashMap::default(),
            leaks: program.asks_for_leaks(),
            races: false,
        }
    }

    /// 128 bits that stand for what the future of a state depends on.
    pub fn of(&mut self, interpreter: &Interpreter, state: &State) -> u128 {
        let mut digest = Digest::new(interpreter.space, &state.lives);
        let numbered = interpreter.bounds.unwind.is_some();
        for thread in &state.threads {
            let Some(thread) = thread else {
                digest.word(0);
                continue;
            };
            digest.buffer(thread);
            match thread.status {
                Status::Running => digest.word(1),
                Status::Ended(result) => {
                    digest.word(2);
                    digest.tagged(result);
                    continue;
                }
                // Whether the process lives counts where somebody may be blocked for ever.
                Status::Exited if self.program.deadlocks => {
                    digest.word(4);
                    continue;
                }
                // Where leaks are asked for, what it holds still counts.
                Status::Stopped | Status::Exited | Status::NeverRuns if self.leaks => {
                    digest.word(3);
                }
                Status::Stopped | Status::Exited | Status::NeverRuns => {
                    digest.word(3);
                    continue;
                }
            }
            digest.word(thread.frames.len() as u64);
            for (depth, frame) in thread.frames.iter().enumerate() {
                let calling = depth + 1 < thread.frames.len();
                self.frame(&mut digest, frame, (calling, numbered));
            }
        }
        for (slot, object) in state.memory.iter() {
            digest.word(u64::from(slot.0) << 1 | u64::from(object.escaped));
            digest.object(slot, object, &state.memory);
        }
        for (from, to) in state.copies.iter() {
            digest.word(from);
            digest.word(to);
        }
        for (address, owner) in &state.mutexes {
            digest.word(*address);
            digest.word(*owner);
        }
        for ((address, what, thread), value) in &state.notes {
            digest.word(*address);
            digest.word(u64::from(*thread) << 8 | *what as u64);
            digest.word(*value as u64);
        }
        if self.races {
            for (slot, size) in &state.freed {
                digest.word(u64::from(slot.0));
                digest.word(*size);
            }
        }
        digest.lives(&state.lives);
        digest.finish()
    }

    fn frame(&mut self, digest: &mut Digest, frame: &Frame, (calling, numbered): (bool, bool)) {
        digest.word(u64::from(frame.function.0) << 32 | u64::from(frame.block.0));
        digest.word(frame.index as u64);
        if frame.part > 0 {
            digest.word(frame.part);
            digest.held(&frame.held);
        }
        if numbered {
            for number in &frame.iterations {
                digest.word(u64::from(*number));
            }
        }
        // During a call, what the caller needs is what is live after it, apart from the result.
        let index = frame.index + usize::from(calling);
        let result = calling.then(|| self.result_register(frame)).flatten();
        for reg in self.live_at(frame.function, frame.block, index) {
            if Some(*reg) != result {
                digest.tagged(frame.word(*reg));
            }
        }
        if self.leaks {
            let regs = self.program.functions[frame.function].regs.iter_ids();
            for (reg, _) in regs.filter(|(_, info)| info.name.is_some()) {
                digest.tagged(frame.word(reg));
            }
        }
    }

    fn result_register(&self, frame: &Frame) -> Option<Reg> {
        let function = &self.program.functions[frame.function];
        function.blocks[frame.block]
            .instrs
            .get(frame.index)
            .and_then(|instr| instr.kind.dst())
    }

    /// Executes the next instruction of a thread. What is chosen but not needed is no choice.
    pub fn execute(
        &mut self,
        interpreter: &mut Interpreter<'p>,
        state: &mut State,
        thread: ThreadId,
        choices: &mut dyn Choices,
    ) -> Effect {
        if !self.is_needed(interpreter, state, thread) {
            return interpreter.execute(state, thread, &mut Zeros);
        }
        interpreter.execute(state, thread, choices)
    }

    /// Need of a choice: false if the next instruction of a thread is one that nobody looks at.
    pub fn is_needed(
        &mut self,
        interpreter: &Interpreter,
        state: &State,
        thread: ThreadId,
    ) -> bool {
        let Next::Instr(InstrKind::Nondet { dst, .. }) = interpreter.next(state, thread).0 else {
            return true;
        };
        let frame = state.frame(thread);
        let live = self.live_at(frame.function, frame.block, frame.index + 1);
        live.contains(dst)
    }

    fn live_at(&mut self, function: FuncId, block: BlockId, index: usize) -> &[Reg] {
        let (program, live_in) = (self.program, &self.live_in[function]);
        self.live
            .entry((function, block, index))
            .or_insert_with(|| {
                let block = &program.functions[function].blocks[block];
                let mut live: SortedSet<Reg> = block
                    .end
                    .successors()
                    .into_iter()
                    .flat_map(|next| live_in[next].iter())
                    .collect();
                if let Terminator::Branch { cond: operand, .. }
                | Terminator::Switch { value: operand, .. }
                | Terminator::Return(Some(operand))
                | Terminator::ThreadExit(operand) = &block.end
                    && let Operand::Reg(reg) = operand
                {
                    live.insert(*reg);
                }
                for instr in block.instrs.get(index..).unwrap_or_default().iter().rev() {
                    if let Some(dst) = instr.kind.dst() {
                        live.remove(&dst);
                    }
                    uses(instr, |reg| {
                        live.insert(reg);
                    });
                }
                live.into_iter().collect()
            })
    }
}

/// Two independent running keys.
struct Digest {
    low: u64,
    high: u64,
    space: AddressSpace,
    /// True if anybody's life is recorded.
    watched: bool,
    /// Objects that something points to, if so.
    named: SortedSet<Slot>,
}

impl Digest {
    fn new(space: AddressSpace, lives: &Lives) -> Digest {
        Digest {
            low: 1,
            high: 2,
            space,
            watched: lives.iter().next().is_some(),
            named: SortedSet::new(),
        }
    }

    fn finish(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }

    fn word(&mut self, word: u64) {
        self.low = mix(self.low, word);
        self.high = mix(self.high, word ^ 0x5bd1_e995_9d1c_a3b7);
    }

    fn wide(&mut self, word: u128) {
        self.word(word as u64);
        if word >> 64 != 0 {
            self.word((word >> 64) as u64);
        }
    }

    /// A word with its marks.
    fn tagged(&mut self, word: Word) {
        for lane in word.marked() {
            self.named(word.lane(lane, self.space.pointer_bits).value as u64);
        }
        if word.marks != 0 {
            self.word(u64::from(word.marks) << 32 | 5);
        }
        self.wide(word.value);
    }

    fn named(&mut self, address: u64) {
        if self.watched {
            self.named.extend(self.space.slot(address));
        }
    }

    /// Stores that have not reached memory, with what keeps them in order.
    fn buffer(&mut self, thread: &Thread) {
        let first = thread.buffer.first().map_or(0, |entry| entry.fences);
        for entry in &thread.buffer {
            let order = u64::from(entry.fences - first) << 1 | u64::from(entry.last);
            self.word(4 | u64::from(entry.bits) << 8 | order << 32);
            self.word(entry.address);
            self.tagged(entry.value);
        }
        if !thread.buffer.is_empty() {
            self.word(u64::from(thread.fences - first));
        }
    }

    /// Operation on a block that has begun: what it keeps between its steps.
    fn held(&mut self, held: &Held) {
        for address in [held.to, held.from] {
            self.tagged(Word::address(address));
        }
        self.word(held.size);
        for byte in &held.bytes.values {
            self.word(u64::from(*byte));
        }
        let count = usize::from(self.space.pointer_bits / 8);
        for offset in &held.bytes.words {
            self.word((*offset as u64) << 32 | 6);
            self.named(held.bytes.number_at(*offset, count) as u64);
        }
    }

    /// Bytes of an object, eight to two words (values, and which have one), and where internal addresses start.
    fn object(&mut self, slot: Slot, object: &LiveObject, memory: &Memory) {
        self.word(object.bytes.len() as u64);
        for chunk in object.bytes.chunks(8) {
            let (mut values, mut known) = (0_u64, 0_u64);
            for byte in chunk {
                values = values << 8 | u64::from(byte.unwrap_or(0));
                known = known << 1 | u64::from(byte.is_some());
            }
            self.word(values);
            self.word(known);
        }
        for offset in &object.chosen {
            self.word((*offset as u64) << 32 | 7);
        }
        for offset in &object.words {
            self.word((*offset as u64) << 32 | 6);
            self.named(memory.word_at(self.space, slot, *offset));
        }
    }

    /// Lives of objects, which come last: those that live, that have a machine address, or that something points to.
    fn lives(&mut self, lives: &Lives) {
        let named = std::mem::take(&mut self.named);
        let matters = |slot: &Slot, life: &Life| {
            life.ended.is_none() || life.base.is_some() || named.contains(slot)
        };
        let matter: Vec<(Slot, &Life)> =
            lives.iter().filter(|(s, life)| matters(s, life)).collect();
        for (slot, life) in &matter {
            self.word(
                u64::from(slot.0) << 8
                    | u64::from(life.released.is_some()) << 4
                    | u64::from(life.ended.is_some()) << 3
                    | 7,
            );
            self.word(life.base.unwrap_or(0));
            // Where both have an address, who was there first has been looked at.
            let open = |other: &Life| life.base.is_none() || other.base.is_none();
            for (other, before) in &matter {
                if before.precedes(life) && open(before) {
                    self.word(u64::from(other.0));
                }
                if life.instead == Some(*other) && open(before) {
                    self.word(u64::from(other.0) | 1 << 32);
                }
            }
        }
    }
}
