//! Private memory after an operation on a block.

use super::super::memory::{History, Memory, Origin, Source};
use super::super::pass::Pass;
use super::super::reach::Reach;
use super::super::state::PathState;
use super::Block;
use super::source::Memo;
use crate::base::sorted::SortedSet;
use hashbrown::HashMap;
use std::rc::Rc;

impl Pass<'_> {
    /// Writes the block to private memory.
    pub(super) fn spread(&mut self, state: &mut PathState, block: &Block, before: &Memory) {
        for target in &block.targets {
            let start = target.offset;
            let mut source = match block.byte {
                Some(byte) => Source::Byte(byte),
                None => Source::Copy {
                    start,
                    from: block
                        .sources
                        .iter()
                        .map(|source| Origin {
                            when: source.when,
                            slot: source.slot,
                            offset: source.offset,
                            content: before.get(source.slot).cloned(),
                        })
                        .collect(),
                    shared: state.concurrent,
                },
            };
            let outside = before.get(target.slot).cloned().unwrap_or_default();
            if self.terms.as_constant(block.size).is_none() {
                source = Source::Within {
                    start,
                    size: block.size,
                    inside: Rc::new(source),
                    outside: outside.clone(),
                };
            }
            let range = (start, start + block.most);
            if self.knowledge.is_array(target.slot) {
                self.spread_array(state, target, range, &Rc::new(source));
                continue;
            }
            let mut content = (*outside).clone();
            content.cover(|stretch| self.part(stretch), range, Rc::new(source));
            if self.terms.as_constant(target.when) != Some(1) {
                let both = Source::Either {
                    cond: target.when,
                    then: Rc::new(content),
                    other: outside.clone(),
                };
                content = (*outside).clone();
                content.cover(|stretch| self.part(stretch), range, Rc::new(both));
            }
            *state.memory.get_mut(target.slot) = content;
        }
    }

    /// The same for an array: a layer on the history of each field.
    fn spread_array(
        &mut self,
        state: &mut PathState,
        target: &Reach,
        (from, to): (u64, u64),
        source: &Rc<Source>,
    ) {
        let stride = self.knowledge.stride(target.slot);
        let unit = if stride.is_power_of_two() { stride } else { 1 };
        let bits = self.element_bits(target.slot);
        let always = self.terms.tru();
        for (field, width) in self.knowledge.array_fields(target.slot) {
            let place = (target.slot, field, width);
            let before = state.memory.history(place);
            let mut after = Rc::new(History::Range {
                before: before.clone(),
                from,
                to,
                source: source.clone(),
            });
            // Elements that lie across a border of the block.
            let across: SortedSet<u64> = [from, to]
                .into_iter()
                .filter(|border| *border > field)
                .map(|border| (border - 1 - field) / stride * stride)
                .filter(|element| {
                    let start = element + field;
                    [from, to]
                        .iter()
                        .any(|border| start < *border && *border < start + u64::from(width))
                })
                .collect();
            for start in across {
                let element = self.terms.constant(u128::from(start / unit), bits);
                let old = self.read_history(place, &before, element, &mut HashMap::new());
                let old = self.number(old);
                let mut value = None;
                for i in 0..width {
                    let at = start + field + u64::from(i);
                    let byte = if (from..to).contains(&at) {
                        self.resolve(source, target.slot, at, 1, &mut Memo::new())
                    } else {
                        self.terms.extract(old, (i * 8) as u16, 8)
                    };
                    value = Some(match value {
                        None => byte,
                        Some(low) => self.terms.concat(byte, low),
                    });
                }
                let value = value.expect("a field has a byte");
                after = self.write_history(place, &after, element, always, value);
            }
            if self.terms.as_constant(target.when) != Some(1) {
                after = Rc::new(History::Either {
                    cond: target.when,
                    then: after,
                    other: before,
                });
            }
            state
                .memory
                .get_mut(target.slot)
                .set_history(field, width, after);
        }
    }
}
