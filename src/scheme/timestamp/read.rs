//! A read of a timestore (Figure 2, `read_i`): the latest write relative to the reader's clock.
//!
//! A place is *past* if it is taken and its timestamp is not above the clock of the reading step; the read sees
//! the last past place. A step that writes as well is one step with a stamp of its own: what it reads lies
//! below its stamp, and no other write to what it reads shares the stamp or comes in between.

use super::clock::Clocks;
use super::store::Timestore;
use crate::circuit::{Formula, Lit};
use crate::event::EventProgram;
use crate::relation::access::{Read, Write};
use crate::relation::faults::Fault as RelationFault;
use crate::relation::program_order::{ProgramOrder, StepId};
use crate::relation::static_order::StaticOrder;
use crate::scheme::faults::{self, Fault};

/// View of a timestore from a step: the places that are past.
pub struct View {
    /// For each place from 1 on: it is past.
    past: Vec<Lit>,
}

/// States that a read that happens returns the value of the latest write.
pub fn state(
    program: &mut EventProgram,
    formula: &mut Formula,
    order: (&ProgramOrder, &StaticOrder),
    clocks: &Clocks,
    (store, read): (&Timestore, &Read),
    section: &[Write],
) {
    let happens = if faults::on(RelationFault::ReadGuard) {
        Lit::TRUE
    } else {
        formula.lit_of(&program.terms, read.act)
    };
    let value = formula.bits_of(&program.terms, read.value).to_vec();
    // Its own section, newest first; `rest` holds where none of them was the source.
    let mut rest = happens;
    for write in section.iter().rev() {
        let act = formula.lit_of(&program.terms, write.act);
        let source = formula.bits_of(&program.terms, write.value).to_vec();
        formula.equal_if(&[rest, act], &value, &source);
        rest = formula.and(rest, !act);
    }
    if rest == Lit::FALSE {
        return;
    }
    let writes = clocks.writes[read.step] != Lit::FALSE;
    let gap = writes && faults::on(Fault::SectionGap);
    let view = view(program, formula, order, clocks, (store, read));
    let initial = !view.past.first().copied().unwrap_or(Lit::FALSE);
    formula.equal_if(&[rest, initial], &value, &store.initial);
    for (i, entry) in store.entries.iter().enumerate() {
        let next = view.past.get(i + 1).copied().unwrap_or(Lit::FALSE);
        let latest = if faults::on(Fault::OldRead) || gap {
            view.past[i]
        } else {
            formula.and(view.past[i], !next)
        };
        formula.equal_if(&[rest, latest], &value, &entry.value);
    }
    alone(formula, clocks, store, &view, read.step, happens);
}

/// View of a read: the places that are past for it.
fn view(
    program: &mut EventProgram,
    formula: &mut Formula,
    (po, order): (&ProgramOrder, &StaticOrder),
    clocks: &Clocks,
    (store, read): (&Timestore, &Read),
) -> View {
    let (least, most) = store
        .layout
        .visible(program, po, order, read.step, read.act);
    let mut past = Vec::with_capacity(store.entries.len());
    for (entry, place) in store.entries.iter().zip(1..) {
        let known = |step: &StepId| order.before(po, *step, read.step);
        past.push(if place > most {
            Lit::FALSE
        } else if place <= least {
            Lit::TRUE
        } else if entry.writers.iter().all(|writer| known(&writer.0)) {
            entry.taken
        } else {
            let clock = clocks.of(read.step);
            let strict = if faults::on(Fault::OwnStamp) {
                Lit::FALSE
            } else {
                clocks.writes[read.step]
            };
            let before = clocks.compare(formula, entry.stamp, clock, strict);
            formula.and(entry.taken, before)
        });
    }
    for pair in past.windows(2) {
        formula.add_clause(&[!pair[1], pair[0]]);
    }
    View { past }
}

/// A step that writes shares its stamp with no other write to what it reads: behind the latest place that it
/// sees comes its own write, or one that is later.
fn alone(
    formula: &mut Formula,
    clocks: &Clocks,
    store: &Timestore,
    view: &View,
    step: StepId,
    happens: Lit,
) {
    let writes = clocks.writes[step];
    if writes == Lit::FALSE || faults::on(Fault::SectionGap) {
        return;
    }
    let active = formula.and(happens, writes);
    for (i, entry) in store.entries.iter().enumerate() {
        let seen = i.checked_sub(1).map_or(Lit::TRUE, |i| view.past[i]);
        let latest = formula.and(seen, !view.past[i]);
        let own = store.is_at(step, i);
        let others = entry.writers.iter().any(|writer| writer.0 != step);
        if latest == Lit::FALSE || !others {
            continue;
        }
        let clock = clocks.of(step);
        let later = clocks.compare(formula, clock, entry.stamp, Lit::TRUE);
        formula.add_clause(&[!active, !latest, !entry.taken, own, later]);
    }
}
