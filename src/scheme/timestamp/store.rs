//! The timestore of a variable (Figure 2, `sysinit`, `write_i`, `sysend`): what was written to it, in order.
//!
//! Place 0 holds the initial value. A write that happens takes one of the places that it may have (`loc`,
//! guessed in unary), which must be free, and leaves its value and its step's timestamp there. Timestamps
//! ascend from place to place. The places that are taken are contiguous: as many as writes happen, and not as
//! many as there could be; what lies behind them means nothing.

use super::clock::{Clocks, WordId};
use super::size::{Exposed, Layout};
use crate::circuit::{Formula, Lit};
use crate::event::{CellId, EventProgram};
use crate::relation::program_order::{ProgramOrder, StepId};
use crate::relation::static_order::StaticOrder;
use crate::scheme::faults::{self, Fault};

/// Writes that may take one place, up to which they are excluded pair by pair.
const PAIRS: usize = 6;

/// A place of a timestore.
pub struct Entry {
    /// `!free`: a write that happens has it.
    pub taken: Lit,
    /// `ts`.
    pub stamp: WordId,
    /// `value`, lowest bit first.
    pub value: Vec<Lit>,
    /// Writes that may have it, with the condition that they do.
    pub writers: Vec<(StepId, Lit)>,
}

/// The timestore of a variable.
pub struct Timestore {
    /// The value at place 0.
    pub initial: Vec<Lit>,
    /// Places from 1 on.
    pub entries: Vec<Entry>,
    /// Places where its writes may be.
    pub layout: Layout,
}

/// Located write: in `at`, for each of its places, in order, the condition that it has that place.
struct Located {
    write: Exposed,
    act: Lit,
    at: Vec<Lit>,
    /// For its places from the second on: it has that place or a later one, if it happens.
    from: Vec<Lit>,
}

impl Timestore {
    /// States the writes of a cell.
    pub fn new(
        program: &EventProgram,
        formula: &mut Formula,
        (po, order): (&ProgramOrder, &StaticOrder),
        clocks: &mut Clocks,
        (cell, layout): (CellId, Layout),
    ) -> Timestore {
        let mut located: Vec<Located> = Vec::new();
        for list in layout.writes.iter() {
            let start = located.len();
            for &write in list {
                let one = locate(program, formula, write);
                if let Some(previous) = located[start..].last() {
                    advance(formula, previous, &one);
                }
                located.push(one);
            }
        }
        let initial = formula
            .bits_of(&program.terms, program.cells[cell].init)
            .to_vec();
        let mut entries: Vec<Entry> = Vec::new();
        for place in 1..=layout.places {
            entries.push(entry(program, formula, clocks, &located, place));
        }
        let store = Timestore {
            initial,
            entries,
            layout,
        };
        store.ascend(formula, po, order, clocks);
        if faults::on(Fault::StoreFull) {
            for entry in &store.entries {
                formula.add_clause(&[entry.taken]);
            }
        }
        if !faults::on(Fault::StoreGaps) {
            for pair in store.entries.windows(2) {
                formula.add_clause(&[!pair[1].taken, pair[0].taken]);
            }
        }
        store
    }

    /// Timestamps ascend strictly, as far as places are taken.
    fn ascend(
        &self,
        formula: &mut Formula,
        po: &ProgramOrder,
        order: &StaticOrder,
        clocks: &Clocks,
    ) {
        for pair in self.entries.windows(2) {
            let (a, b) = (pair[0].stamp, pair[1].stamp);
            // The clock's own words ascend already.
            if a != b && clocks.known_before(po, order, a, b) {
                continue;
            }
            let strict = Lit::constant(!faults::on(Fault::EqualStamps));
            let ascends = clocks.compare(formula, a, b, strict);
            if !faults::on(Fault::Unsorted) {
                formula.add_clause(&[!pair[1].taken, ascends]);
            }
        }
    }

    /// The condition that a step's write has the place behind the first `index` ones.
    pub fn is_at(&self, step: StepId, index: usize) -> Lit {
        let entry = self.entries.get(index);
        let writers = entry.map_or(&[][..], |entry| entry.writers.as_slice());
        let own = writers.iter().find(|writer| writer.0 == step);
        own.map_or(Lit::FALSE, |writer| writer.1)
    }
}

/// `loc=*`: guesses the place of a write.
fn locate(program: &EventProgram, formula: &mut Formula, write: Exposed) -> Located {
    let act = formula.lit_of(&program.terms, write.act);
    let (least, most) = write.places;
    let mut located = Located {
        write,
        act,
        at: Vec::new(),
        from: Vec::new(),
    };
    if least > most {
        // Its condition contradicts the others'.
        formula.add_clause(&[!act]);
        return located;
    }
    located.from = (least..most).map(|_| formula.new_lit()).collect();
    for pair in located.from.windows(2) {
        formula.add_clause(&[!pair[1], pair[0]]);
    }
    for i in 0..=located.from.len() {
        let start = i.checked_sub(1).map_or(Lit::TRUE, |i| located.from[i]);
        let beyond = located.from.get(i).copied().unwrap_or(Lit::FALSE);
        let here = formula.and(start, !beyond);
        located.at.push(formula.and(act, here));
    }
    located
}

/// `loc_i < loc`: a later write of a thread has a later place. Clocks say so, too; this is for the solver.
fn advance(formula: &mut Formula, one: &Located, next: &Located) {
    let from = |write: &Located, place: u32| {
        let (least, most) = write.write.places;
        if place <= least {
            Lit::TRUE
        } else if place > most {
            Lit::FALSE
        } else {
            write.from[(place - least - 1) as usize]
        }
    };
    let (least, most) = one.write.places;
    if least > most || next.at.is_empty() {
        return;
    }
    for place in least..=most {
        let (here, there) = (from(one, place), from(next, place + 1));
        formula.add_clause(&[!one.act, !next.act, !here, there]);
    }
}

/// One place: taken by at most one of the writes that may have it.
fn entry(
    program: &EventProgram,
    formula: &mut Formula,
    clocks: &mut Clocks,
    located: &[Located],
    place: u32,
) -> Entry {
    let candidates: Vec<(&Exposed, Lit)> = located
        .iter()
        .filter(|one| (one.write.places.0..=one.write.places.1).contains(&place))
        .map(|one| (&one.write, one.at[(place - one.write.places.0) as usize]))
        .collect();
    let at: Vec<Lit> = candidates.iter().map(|candidate| candidate.1).collect();
    let taken = formula.or_all(&at);
    let writers = candidates.iter().map(|(w, at)| (w.step, *at)).collect();
    if let &[(write, _)] = candidates.as_slice() {
        return Entry {
            taken,
            stamp: clocks.of(write.step),
            value: formula.bits_of(&program.terms, write.value).to_vec(),
            writers,
        };
    }
    if !faults::on(Fault::PlaceShared) {
        exclude(formula, &at);
    }
    let stamp = clocks.new_word(formula, None);
    let bits = candidates
        .first()
        .map_or(1, |(write, _)| program.terms.bits(write.value));
    let value: Vec<Lit> = (0..bits).map(|_| formula.new_lit()).collect();
    for (write, at) in candidates {
        let (here, own) = (&clocks.words[stamp], &clocks.words[clocks.of(write.step)]);
        formula.equal_if(&[at], here, own);
        let stored = formula.bits_of(&program.terms, write.value).to_vec();
        formula.equal_if(&[at], &value, &stored);
    }
    Entry {
        taken,
        stamp,
        value,
        writers,
    }
}

/// At most one is true: `free` passes from each to the next.
fn exclude(formula: &mut Formula, at: &[Lit]) {
    if at.len() <= PAIRS {
        for (i, &a) in at.iter().enumerate() {
            for &b in &at[i + 1..] {
                formula.add_clause(&[!a, !b]);
            }
        }
        return;
    }
    let mut free = Lit::TRUE;
    for &a in at {
        formula.add_clause(&[!a, free]);
        free = formula.and(free, !a);
    }
}
