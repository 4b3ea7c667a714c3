//! Initial memory: what it holds before anyone wrote to it, and main's memory where threads start.

use super::memory::{Content, Memory, Stretch};
use super::pass::{Fill, Pass};
use super::state::PathState;
use super::touch::{CellStart, ObjectKey, Space};
use crate::base::sorted::SortedSet;
use crate::event::Input;
use crate::exec;
use crate::ir::address::Slot;
use crate::ir::{GlobalId, Operand};
use crate::symex::faults::{self, Fault};
use crate::term::TermId;

impl Pass<'_> {
    /// The memory that created threads start from.
    pub(super) fn start_memory(&mut self) -> Memory {
        let snapshots = self.snapshots.clone();
        let Some(((_, first), rest)) = snapshots.split_first() else {
            return Memory::default();
        };
        let mut memory = first.clone();
        if faults::on(Fault::StartMemory) {
            return memory;
        }
        for (guard, other) in rest {
            memory = self.join_memory(*guard, other, &memory);
        }
        memory
    }

    /// Reads ordinary memory; what no path has written has its initial value.
    pub(super) fn read_private(
        &mut self,
        memory: &Memory,
        slot: Slot,
        space: Space,
        offset: u64,
        bytes: u32,
    ) -> TermId {
        let stretches = match memory.get(slot) {
            Some(content) => content.read(space, offset, bytes),
            None => vec![Stretch::Gap(offset, bytes)],
        };
        self.join_stretches(stretches, |pass, at, width| match memory.get(slot) {
            Some(content) => pass.read_gap(content, (slot, space), at, width),
            None => pass.read_initial(slot, space, at, width),
        })
    }

    /// The value of a known stretch. A part of an address is one of the number that it is.
    pub(super) fn part(&mut self, stretch: Stretch) -> TermId {
        match stretch {
            Stretch::Whole(value) => value,
            Stretch::Part(value, lo, bits) => {
                let lane = self.program.model.pointer_bits();
                let value = if lo.is_multiple_of(lane) && bits.is_multiple_of(lane) {
                    value
                } else {
                    self.number(value)
                };
                self.terms.extract(value, lo, bits)
            }
            Stretch::Gap(..) => unreachable!("a stretch that is known"),
        }
    }

    fn join_stretches(
        &mut self,
        stretches: Vec<Stretch>,
        mut fill: impl FnMut(&mut Self, u64, u32) -> TermId,
    ) -> TermId {
        let mut value: Option<TermId> = None;
        for stretch in stretches {
            let part = match stretch {
                Stretch::Gap(at, width) => fill(self, at, width),
                known => self.part(known),
            };
            value = Some(match value {
                None => part,
                Some(low) => self.terms.concat(part, low),
            });
        }
        value.expect("an access has a byte")
    }

    pub(super) fn read_initial(
        &mut self,
        slot: Slot,
        space: Space,
        offset: u64,
        bytes: u32,
    ) -> TermId {
        if !self.initial.contains_key(&slot) {
            let content = match self.fill_of(slot) {
                Fill::Global(id) => self.global_content(id),
                _ => Content::default(),
            };
            self.initial.insert(slot, content);
        }
        let mut content = self.initial.remove(&slot).expect("inserted above");
        let stretches = content.read(space, offset, bytes);
        let value = self.join_stretches(stretches, |pass, at, width| {
            let bits = (width * 8) as u16;
            match pass.fill_of(slot) {
                Fill::Free(..) if space == Space::Data && !faults::on(Fault::ZeroLocals) => {
                    let pointer_bits = pass.program.model.pointer_bits();
                    let offset = pass.terms.constant(u128::from(at), pointer_bits);
                    let value = pass.uninitialised(slot, offset, bits);
                    content.write(|stretch| pass.part(stretch), space, at, width, value);
                    value
                }
                Fill::Free(..) if space == Space::Fresh => pass.terms.constant(u128::MAX, bits),
                _ => pass.terms.constant(0, bits),
            }
        });
        self.initial.insert(slot, content);
        value
    }

    /// First bytes of an array's elements that its initialiser names, ascending.
    pub(super) fn initialised_elements(&self, slot: Slot, stride: u64) -> SortedSet<u64> {
        let Fill::Global(id) = self.fill_of(slot) else {
            return SortedSet::new();
        };
        let parts = &self.program.globals[id].init;
        parts
            .iter()
            .flat_map(|part| {
                let last = part.offset_bytes + u64::from(part.bits).div_ceil(8).max(1) - 1;
                part.offset_bytes / stride..=last / stride
            })
            .map(|number| number * stride)
            .collect()
    }

    /// Initial content of an object's bytes. An object that an earlier pass has allocated can be read through a shared
    /// pointer before this pass comes to its allocation, which then tells where its bytes were chosen.
    pub(super) fn fill_of(&self, slot: Slot) -> Fill {
        if let Some(fill) = self.fill.get(&slot) {
            return *fill;
        }
        match self.knowledge.object(slot).map(|known| known.key) {
            Some(ObjectKey::Global(id) | ObjectKey::ThreadLocal(id, _)) => Fill::Global(id),
            Some(ObjectKey::Alloc(..)) => Fill::Free(self.current, self.here.position),
            _ => Fill::Zero,
        }
    }

    /// A free value of memory of an object at an offset (as wide as an address).
    pub(super) fn uninitialised(&mut self, slot: Slot, offset: TermId, bits: u16) -> TermId {
        let value = self.terms.fresh("uninitialised", bits);
        if let Some(var) = self.terms.var_of(value) {
            self.input_vars.insert(var);
            self.garbage.insert(var);
        }
        self.is_garbage(slot, offset, value);
        match self.fill.get(&slot) {
            Some(&Fill::Free(thread, position)) => self.inputs.push(Input {
                value,
                thread,
                position,
                offset_bytes: Some(offset),
            }),
            // Whoever allocates it says what the value is.
            _ => self.early.entry(slot).or_default().push((offset, value)),
        }
        value
    }

    fn global_content(&mut self, id: GlobalId) -> Content {
        let mut content = Content::default();
        for part in &self.program.globals[id].init {
            let value = exec::constant(self, part.value);
            let bits = self.program.model.pointer_bits();
            if !matches!(part.value, Operand::Const { .. }) && part.bits == bits {
                let bytes = u32::from(bits / 8);
                let beside = part.offset_bytes * u64::from(bytes);
                content.write(|_| value, Space::Word, beside, bytes, value);
            }
            content.write(
                |stretch| self.part(stretch),
                Space::Data,
                part.offset_bytes,
                u32::from(part.bits) / 8,
                value,
            );
        }
        content
    }

    /// Main becomes concurrent on this path.
    pub(super) fn become_concurrent(&mut self, state: &mut PathState) {
        if !state.concurrent {
            state.concurrent = true;
            self.snapshots
                .push((state.path.term(), state.memory.clone()));
        }
    }

    /// Notes addresses of which a cell has a part when the threads start.
    pub(super) fn note_cut_init(&mut self, (slot, space, offset): CellStart, width: u32) {
        if space != Space::Data {
            return;
        }
        self.note_cut(&Memory::default(), slot, offset, width);
        for (_, memory) in self.snapshots.clone() {
            self.note_cut(&memory, slot, offset, width);
        }
        if let Some(memory) = self.escapes.get(&slot).cloned() {
            self.note_cut(&memory, slot, offset, width);
        }
    }

    /// The value of a cell when the threads start, or when its object escapes; `None` if it is written before anybody comes to it, or if
    /// nobody allocates its object (only earlier passes did).
    pub(super) fn cell_init(
        &mut self,
        (slot, space, offset): CellStart,
        width: u32,
    ) -> Option<TermId> {
        let known = self.knowledge.object(slot).map(|known| known.key);
        if matches!(known, Some(ObjectKey::Alloc(..))) && !self.fill.contains_key(&slot) {
            return None;
        }
        match self.escapes.get(&slot).cloned() {
            Some(memory) => self.at_escape((slot, space, offset), width, &memory),
            None => {
                let read = |pass: &mut Self, memory: &Memory| {
                    pass.read_private(memory, slot, space, offset, width)
                };
                Some(self.at_start(read))
            }
        }
    }

    /// Value that is read of the memory that the threads start from, or else of memory that nobody has written to.
    pub(super) fn at_start(
        &mut self,
        mut read: impl FnMut(&mut Self, &Memory) -> TermId,
    ) -> TermId {
        let snapshots = self.snapshots.clone();
        let Some(((_, first), rest)) = snapshots.split_first() else {
            return read(self, &Memory::default());
        };
        let mut value = read(self, first);
        for (guard, memory) in rest {
            let own = read(self, memory);
            value = self.terms.ite(*guard, own, value);
        }
        value
    }
}
