//! What memory holds before anyone wrote to it: initial values, and main's memory where threads start.

use super::knowledge::{ObjectKey, Place, Space};
use super::memory::{Content, Memory, Stretch};
use super::pass::{Fill, Pass};
use super::state::State;
use crate::base::faults::{self, Fault};
use crate::event::Input;
use crate::ir::GlobalId;
use crate::ir::address::Slot;
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
            for (slot, space, offset, width) in memory.differences(other) {
                let a = self.read_private(&memory, slot, space, offset, width);
                let b = self.read_private(other, slot, space, offset, width);
                let value = self.terms.ite(*guard, b, a);
                memory
                    .get_mut(slot)
                    .write(&mut self.terms, space, offset, width, value);
            }
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
            Some(content) => content.read(&mut self.terms, space, offset, bytes),
            None => vec![Stretch::Gap(offset, bytes)],
        };
        self.join_stretches(stretches, |pass, at, width| {
            pass.read_initial(slot, space, at, width)
        })
    }

    fn join_stretches(
        &mut self,
        stretches: Vec<Stretch>,
        mut fill: impl FnMut(&mut Self, u64, u32) -> TermId,
    ) -> TermId {
        let mut value: Option<TermId> = None;
        for stretch in stretches {
            let part = match stretch {
                Stretch::Known(term) => term,
                Stretch::Gap(at, width) => fill(self, at, width),
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
        let stretches = content.read(&mut self.terms, space, offset, bytes);
        let value = self.join_stretches(stretches, |pass, at, width| {
            let bits = (width * 8) as u16;
            match pass.fill_of(slot) {
                Fill::Free(thread, position, loc)
                    if space == Space::Data && !faults::on(Fault::ZeroLocals) =>
                {
                    let value = pass.terms.fresh("uninitialised", bits);
                    if !pass.fill.contains_key(&slot) {
                        let index = pass.inputs.len();
                        pass.early_inputs.entry(slot).or_default().push(index);
                    }
                    pass.inputs.push(Input {
                        value,
                        thread,
                        position,
                        offset_bytes: Some(at),
                        loc,
                    });
                    content.write(&mut pass.terms, space, at, width, value);
                    value
                }
                _ => pass.terms.constant(0, bits),
            }
        });
        self.initial.insert(slot, content);
        value
    }

    /// How the bytes of an object start out. One that an earlier pass has allocated can be read through a shared
    /// pointer before this pass comes to its allocation, which then tells where its bytes were chosen.
    fn fill_of(&self, slot: Slot) -> Fill {
        if let Some(fill) = self.fill.get(&slot) {
            return *fill;
        }
        match self.knowledge.object(slot).map(|known| known.key) {
            Some(ObjectKey::Global(id) | ObjectKey::ThreadLocal(id, _)) => Fill::Global(id),
            Some(ObjectKey::Alloc(..)) if !self.knowledge.zeroed.contains(&slot) => {
                Fill::Free(self.current, self.here.position, self.here.loc)
            }
            _ => Fill::Zero,
        }
    }

    fn global_content(&mut self, id: GlobalId) -> Content {
        let mut content = Content::default();
        for part in &self.program.globals[id].init {
            let value = self.operand_constant(part.value, part.bits);
            content.write(
                &mut self.terms,
                Space::Data,
                part.offset_bytes,
                u32::from(part.bits) / 8,
                value,
            );
        }
        content
    }

    /// Main becomes concurrent on this path.
    pub(super) fn become_concurrent(&mut self, state: &mut State) {
        if !state.concurrent {
            state.concurrent = true;
            self.snapshots
                .push((state.path.term(), state.memory.clone()));
        }
    }

    pub(super) fn cell_init(&mut self, (slot, space, offset): Place, width: u32) -> TermId {
        let snapshots = self.snapshots.clone();
        let mut value: Option<TermId> = None;
        for (guard, memory) in &snapshots {
            let own = self.read_private(memory, slot, space, offset, width);
            value = Some(match value {
                None => own,
                Some(other) => self.terms.ite(*guard, own, other),
            });
        }
        match value {
            Some(value) => value,
            None => self.read_initial(slot, space, offset, width),
        }
    }
}
