//! Size of a timestore: `MAXW`, the most writes of a variable on any path, and where in it each write may be.
//!
//! The paper sizes a store by the maximal number of writes on any path. Guards tell which writes exclude each
//! other, and the static order which ones come before which; so the place of a write, too, lies between the
//! number of writes that certainly come before it and of those that possibly do. Where only one thread writes,
//! and always, the place is known.

use crate::base::IdVec;
use crate::event::{CellId, EventProgram, ThreadId};
use crate::reduce::implication::implies;
use crate::relation::access::Accesses;
use crate::relation::program_order::{ProgramOrder, StepId};
use crate::relation::static_order::StaticOrder;
use crate::scheme::faults::{self, Fault};
use crate::term::{TermId, Terms};

/// Distance up to which conditions are compared; farther ones count as unrelated, which is never wrong.
const NEAR: usize = 48;

/// Exposed write of a step: what it leaves in a variable, which is the last of its writes that happens.
#[derive(Clone, Copy, Debug)]
pub struct Exposed {
    /// The step.
    pub step: StepId,
    /// The condition that it writes the variable at all.
    pub act: TermId,
    /// Value that it leaves.
    pub value: TermId,
    /// Its place in the timestore is at least and at most (the first after the initial value is 1).
    pub places: (u32, u32),
}

/// Writes of a variable by thread, in program order, and the number of places that they need.
#[derive(Clone, Debug)]
pub struct Layout {
    /// By thread, in program order.
    pub writes: IdVec<ThreadId, Vec<Exposed>>,
    /// For each thread: the most writes among its first 0, 1, 2, … ones.
    most: IdVec<ThreadId, Vec<u32>>,
    /// `MAXW - 1`: places besides that of the initial value.
    pub places: u32,
}

impl Layout {
    /// The writes of a cell. Quadratic in writes of a thread up to a constant, linear beyond.
    pub fn of(
        program: &mut EventProgram,
        po: &ProgramOrder,
        order: &StaticOrder,
        accesses: &Accesses,
        cell: CellId,
    ) -> Layout {
        let terms = &mut program.terms;
        let mut writes: IdVec<ThreadId, Vec<Exposed>> = IdVec::new();
        for list in accesses.writes[cell].iter() {
            writes.push(exposed(terms, list));
        }
        let mut most = IdVec::new();
        let mut up_to = Vec::new();
        for list in writes.iter() {
            let acts: Vec<TermId> = list.iter().map(|write| write.act).collect();
            let (ending, within) = longest(terms, &acts);
            up_to.push(ending);
            most.push(within);
        }
        let mut places: u32 = most.iter().filter_map(|most| most.last()).sum();
        if faults::on(Fault::StoreShort) {
            places = places.saturating_sub(1);
        }
        let mut layout = Layout {
            writes,
            most,
            places,
        };
        for thread in layout.writes.ids() {
            for (i, &own) in up_to[thread.0 as usize].iter().enumerate() {
                let Exposed { step, act, .. } = layout.writes[thread][i];
                let (least, others) = layout.around(terms, po, order, step, act);
                let after = layout.certain_after(terms, po, order, step, act);
                layout.writes[thread][i].places =
                    (least + 1, (own + others).min(places.saturating_sub(after)));
            }
        }
        layout
    }

    /// For something at a step that happens under a condition: how many writes certainly come before it, and
    /// how many of other threads may.
    fn around(
        &self,
        terms: &mut Terms,
        po: &ProgramOrder,
        order: &StaticOrder,
        step: StepId,
        act: TermId,
    ) -> (u32, u32) {
        let (mut least, mut others) = (0, 0);
        for (thread, list) in self.writes.iter_ids() {
            let own = po.steps[step].thread == thread;
            let before = list.partition_point(|w| order.before(po, w.step, step));
            least += count(terms, act, list[..before].iter().rev());
            if !own {
                let open = list.partition_point(|w| !order.before(po, step, w.step));
                others += self.most[thread][open];
            }
        }
        (least, others)
    }

    fn certain_after(
        &self,
        terms: &mut Terms,
        po: &ProgramOrder,
        order: &StaticOrder,
        step: StepId,
        act: TermId,
    ) -> u32 {
        let mut after = 0;
        for list in self.writes.iter() {
            let from = list.partition_point(|w| !order.before(po, step, w.step));
            after += count(terms, act, list[from..].iter());
        }
        after
    }

    /// Bounds of the place whose write a read may see: at least and at most.
    pub fn visible(
        &self,
        program: &mut EventProgram,
        po: &ProgramOrder,
        order: &StaticOrder,
        step: StepId,
        act: TermId,
    ) -> (u32, u32) {
        let (least, others) = self.around(&mut program.terms, po, order, step, act);
        let thread = po.steps[step].thread;
        let own = self.writes[thread].partition_point(|w| order.before(po, w.step, step));
        (least, (self.most[thread][own] + others).min(self.places))
    }
}

/// Number of writes that certainly happen where `act` holds; the first [`NEAR`] are looked at more closely.
fn count<'a>(terms: &mut Terms, act: TermId, writes: impl Iterator<Item = &'a Exposed>) -> u32 {
    let certain = |(i, write): &(usize, &Exposed)| {
        write.act == terms.tru() || (*i < NEAR && implies(terms, act, write.act))
    };
    writes.enumerate().filter(certain).count() as u32
}

/// Writes of one thread to one cell, those of one step together.
fn exposed(terms: &mut Terms, list: &[crate::relation::access::Write]) -> Vec<Exposed> {
    let mut writes: Vec<Exposed> = Vec::with_capacity(list.len());
    for write in list {
        match writes.last_mut().filter(|last| last.step == write.step) {
            Some(_) if faults::on(Fault::FirstExposed) => {}
            Some(last) => {
                last.value = terms.ite(write.act, write.value, last.value);
                last.act = terms.or(write.act, last.act);
            }
            None => writes.push(Exposed {
                step: write.step,
                act: write.act,
                value: write.value,
                places: (0, 0),
            }),
        }
    }
    writes
}

/// Of conditions in program order: for each, how many up to it can hold together with it; and how many of the
/// first 0, 1, 2, … can hold together. Upper bounds: neighbours of the longest chain do not exclude each other.
pub fn longest(terms: &mut Terms, acts: &[TermId]) -> (Vec<u32>, Vec<u32>) {
    let mut ending: Vec<u32> = Vec::with_capacity(acts.len());
    let mut within = vec![0];
    for (i, &act) in acts.iter().enumerate() {
        let near = i.saturating_sub(NEAR);
        let mut before = within[near];
        let never = terms.not(act);
        for j in (near..i).rev() {
            if ending[j] > before && !implies(terms, acts[j], never) {
                before = ending[j];
            }
        }
        ending.push(before + 1);
        within.push(within[i].max(before + 1));
    }
    (ending, within)
}
