//! The read-implicit representation (§4.1, Figure 6): only what is written, and which write a read takes.
//!
//! A position has the address and the value of its write (`var`, `value`). A read guesses the position s of the
//! write that it takes, or 0 for the initial value; `var_nxt_wr[s]` is the next write to the same address. Addresses
//! are numbers, so an access to an array compares them once, however many elements the array has.
//!
//! Figure 6, as it is printed, is wrong: it loses outcomes and invents others. Line by line, with pos for
//! `th_pos[t]`, and "none" for a next write as n + 1:
//!
//! * `if (var_fst_wr[v]==0) return 0`, and `0` where the jump is before the first write: the *initial* value, which need
//!   not be 0. Here s = 0 stands for it, allowed if v's first write is absent or behind the thread's position.
//!   The print returns it only where the guessed position holds a write of v that is not behind the first one, which
//!   is that first write itself: a variable that is written after the read cannot be read before.
//! * `assume(jump <= last_wr_pos)`: a read may take any write of the unwinding, not only those that have been
//!   simulated so far; threads that are simulated first would see nothing of the others.
//! * `assume(jump <= th_nxt_wr[t][pos])`: with `<=` a read sees the write that comes after it in its own thread.
//!   It is `s < th_nxt_wr[t][pos]`.
//! * `assume(var[jump] == var_name)`: the parameter is called `v`.
//! * `if (jump <= pos) assume(var_nxt_wr[jump] >= pos)`: with `>=` a read at pos does not see the write at pos, but one
//!   that it has overwritten. It is `var_nxt_wr[s] > pos`.
//! * In the other case nothing is asked of `var_nxt_wr`, which is right only because the thread moves to s exactly:
//!   p = max(pos, s), `var_nxt_wr[s] > p`, and `th_pos[t] = p` in both cases.
//! * `if (jump <= var_fst_wr[v]) return 0` comes before `th_pos[t] = jump`: the thread takes the first write's
//!   place, but neither its value nor its position.
//! * `return (value[jump])` is right where s is not 0.

use super::plan::Plan;
use super::position::Positions;
use super::range::Values;
use super::read::Reader;
use super::row::known_bit;
use crate::base::IdVec;
use crate::circuit::{Formula, Lit};
use crate::event::{CellId, EventProgram};
use crate::relation::program_order::StepId;
use crate::scheme::faults::{self, Fault};

/// A write.
struct CellWrite {
    step: StepId,
    /// Number of the write among those of the step.
    number: usize,
    /// It writes this cell, if the write happens.
    act: Lit,
    cell: CellId,
    address: Vec<Lit>,
    value: Vec<Lit>,
}

/// A read, and the choice of its source.
struct Source {
    step: StepId,
    value: Vec<Lit>,
    /// It runs and looks at one of the cells here.
    sees: Lit,
    /// Cells that it may look at, each with the condition that it is the one; `address` is the address of that one.
    cells: Vec<(CellId, Lit)>,
    address: Vec<Lit>,
    /// It takes the initial value, or the write at 1, 2, ….
    takes: Vec<Lit>,
    /// Its source is behind the positions that there are.
    more: Lit,
}

/// The cells of this representation.
pub struct Implicit {
    /// The address of each cell that is here.
    number: IdVec<CellId, Option<u32>>,
    initial: IdVec<CellId, Vec<Lit>>,
    address_bits: u32,
    value_bits: usize,
    writers: Vec<CellWrite>,
    sources: Vec<Source>,
    /// A write to some cell is at 1, 2, ….
    written: Vec<Lit>,
    /// `var[1]`, `var[2]`, ….
    address: Vec<Vec<Lit>>,
    /// `value[1]`, `value[2]`, ….
    value: Vec<Vec<Lit>>,
    /// For each position s: `var_nxt_wr[s]` is at most s + 1, s + 2, ….
    next: Vec<Vec<Lit>>,
    /// For each cell: `var_fst_wr` is at most 1, 2, ….
    first: IdVec<CellId, Vec<Lit>>,
}

impl Implicit {
    /// Memory without any position yet, for those cells that are `kept`.
    pub fn new(
        program: &EventProgram,
        formula: &mut Formula,
        plan: &Plan,
        kept: &IdVec<CellId, bool>,
    ) -> Implicit {
        let mut next = 0;
        let mut number: IdVec<CellId, Option<u32>> = IdVec::new();
        for &kept in kept.iter() {
            number.push(kept.then(|| {
                next += 1;
                next - 1
            }));
        }
        let mut memory = Implicit {
            address_bits: u32::BITS - u32::leading_zeros(next.max(1) - 1),
            value_bits: 0,
            initial: program.cells.ids().map(|_| Vec::new()).collect(),
            writers: Vec::new(),
            sources: Vec::new(),
            written: Vec::new(),
            address: Vec::new(),
            value: Vec::new(),
            next: Vec::new(),
            first: program.cells.ids().map(|_| Vec::new()).collect(),
            number,
        };
        for (cell, _) in kept.iter_ids().filter(|(_, kept)| **kept) {
            let bits = formula.bits_of(&program.terms, plan.initial[cell]);
            memory.initial[cell] = bits.to_vec();
        }
        for (step, groups) in plan.groups.iter_ids() {
            for (number, group) in groups.iter().enumerate() {
                for stored in &group.stored {
                    let Some(address) = memory.address_of(stored.cell) else {
                        continue;
                    };
                    let value = formula.bits_of(&program.terms, stored.value).to_vec();
                    memory.value_bits = memory.value_bits.max(value.len());
                    memory.writers.push(CellWrite {
                        step,
                        number,
                        act: formula.lit_of(&program.terms, stored.act),
                        cell: stored.cell,
                        address,
                        value,
                    });
                }
            }
        }
        memory
    }

    /// True if a cell is in this representation.
    pub fn has(&self, cell: CellId) -> bool {
        self.number[cell].is_some()
    }

    /// `log2` of the number of cells many bits.
    fn address_of(&self, cell: CellId) -> Option<Vec<Lit>> {
        let number = self.number[cell]?;
        let bit = |i| Lit::constant(number >> i & 1 == 1);
        Some((0..self.address_bits).map(bit).collect())
    }

    /// A read of some of the cells here; its number.
    pub fn add_reader(&mut self, formula: &mut Formula, reader: &Reader) -> Option<usize> {
        let cells = reader.cells.iter().copied();
        let cells: Vec<(CellId, Lit)> = cells.filter(|(cell, _)| self.has(*cell)).collect();
        let all: Vec<Lit> = cells.iter().map(|cell| cell.1).collect();
        let &[(only, _), ref rest @ ..] = cells.as_slice() else {
            return None;
        };
        let mut address = self.address_of(only)?;
        if !rest.is_empty() {
            address = address.iter().map(|_| formula.new_lit()).collect();
            for &(cell, when) in &cells {
                let this = self.address_of(cell)?;
                formula.equal_if(&[when], &address, &this);
            }
        }
        self.sources.push(Source {
            step: reader.step,
            value: reader.value.clone(),
            sees: formula.or_all(&all),
            cells,
            address,
            takes: Vec::new(),
            more: Lit::TRUE,
        });
        Some(self.sources.len() - 1)
    }

    /// The condition that a read takes the write at position `i`.
    pub fn takes(&self, source: usize, i: u32) -> Lit {
        let takes = self.sources[source].takes.get(i as usize);
        takes.copied().unwrap_or(Lit::FALSE)
    }

    /// Adds positions up to the last one.
    pub fn grow(&mut self, formula: &mut Formula, positions: &Positions, values: &Values) {
        let old = self.written.len() as u32;
        for i in old + 1..=positions.count {
            self.add_position(formula, positions, i, values);
        }
        let mut sources = std::mem::take(&mut self.sources);
        for source in &mut sources {
            self.grow_source(formula, positions, source, old);
        }
        self.sources = sources;
    }

    fn add_position(
        &mut self,
        formula: &mut Formula,
        positions: &Positions,
        i: u32,
        values: &Values,
    ) {
        let address: Vec<Lit> = (0..self.address_bits).map(|_| formula.new_lit()).collect();
        let mut writes: Vec<(Lit, &CellWrite)> = Vec::new();
        for writer in &self.writers {
            let here = positions.is_write(writer.step, writer.number, i);
            let here = formula.and(here, writer.act);
            if here != Lit::FALSE {
                writes.push((here, writer));
            }
        }
        // Bits that no write sets are 0.
        let value: Vec<Lit> = (0..self.value_bits)
            .map(|bit| {
                let zero = |writer: &CellWrite| {
                    let range = values.after(writer.cell, i);
                    let lit = writer.value.get(bit).copied().unwrap_or(Lit::FALSE);
                    lit == Lit::FALSE || range.is_some_and(|r| known_bit(r, bit) == Some(false))
                };
                if writes.iter().all(|(_, writer)| zero(writer)) {
                    Lit::FALSE
                } else {
                    formula.new_lit()
                }
            })
            .collect();
        // With a single cell, the ends of its range are those of the value, too. Where no write stores a word of the range, no
        // write is here, and the zeros above may be beyond its ends.
        let holds = |word: u128| {
            let is_set = |bit| word.checked_shr(bit as u32).unwrap_or(0) & 1 == 1;
            (0..value.len()).all(|bit| value[bit] != Lit::FALSE || !is_set(bit))
        };
        if let Some((_, one)) = writes.first()
            && writes.iter().all(|(_, writer)| writer.cell == one.cell)
            && let Some(range) = values.after(one.cell, i)
            && holds(range.lo)
        {
            formula.within_if(&[], &value[..one.value.len()], range);
        }
        let mut all = Vec::new();
        for &(here, writer) in &writes {
            all.push(here);
            formula.equal_if(&[here], &address, &writer.address);
            formula.equal_if(&[here], &value[..writer.value.len()], &writer.value);
        }
        let written = formula.or_all(&all);
        for (cell, first) in self.first.ids().zip(self.first.clone().iter()) {
            if self.number[cell].is_none() {
                continue;
            }
            let mut before = first.last().copied().into_iter().collect::<Vec<Lit>>();
            let to_it = writes.iter().filter(|(_, writer)| writer.cell == cell);
            before.extend(to_it.map(|write| write.0));
            let now = formula.or_all(&before);
            self.first[cell].push(now);
        }
        // What is the same address is found where both positions are; only that it is, matters.
        for s in 0..self.written.len() {
            let both = formula.and(self.written[s], written);
            let mut same = both;
            for (&a, &b) in self.address[s].iter().zip(&address) {
                let equal = formula.eq(a, b);
                same = formula.and(same, equal);
            }
            let before = self.next[s].last().copied().unwrap_or(Lit::FALSE);
            let now = formula.or(before, same);
            self.next[s].push(now);
        }
        self.written.push(written);
        self.address.push(address);
        self.value.push(value);
        self.next.push(Vec::new());
    }

    /// A read takes one of the positions behind `old`, or one of those that it could take before.
    fn grow_source(
        &self,
        formula: &mut Formula,
        positions: &Positions,
        source: &mut Source,
        old: u32,
    ) {
        let (_, most) = positions.window(source.step);
        let mut clause = vec![!source.sees];
        if source.takes.is_empty() {
            let initial = formula.new_lit();
            source.takes.push(initial);
            clause.push(initial);
            for &(cell, when) in &source.cells {
                formula.equal_if(&[initial, when], &source.value, &self.initial[cell]);
            }
        } else {
            clause.push(!source.more);
        }
        for s in old + 1..=positions.count {
            let takes = if s <= most {
                formula.new_lit()
            } else {
                Lit::FALSE
            };
            source.takes.push(takes);
            if takes == Lit::FALSE {
                continue;
            }
            clause.push(takes);
            let at = s as usize - 1;
            formula.add_clause(&[!takes, self.written[at]]);
            formula.equal_if(&[takes], &source.address, &self.address[at]);
            let width = source.value.len().min(self.value_bits);
            formula.equal_if(&[takes], &source.value[..width], &self.value[at][..width]);
            if !faults::on(Fault::FutureRead) {
                // s <= p
                formula.add_clause(&[!takes, positions.at_least(source.step, s)]);
            }
        }
        source.more = if positions.count >= most {
            Lit::FALSE
        } else {
            formula.new_lit()
        };
        clause.push(source.more);
        formula.add_clause(&clause);
        formula.add_clause(&[!source.more, positions.is_beyond()]);
        // Nothing it overwrites is between its source and its position.
        for i in old + 1..=positions.count.min(most) {
            let here = positions.at_least(source.step, i);
            if !faults::on(Fault::FirstWrite) {
                for &(cell, when) in &source.cells {
                    let first = self.first[cell][i as usize - 1];
                    formula.add_clause(&[!source.takes[0], !when, !here, !first]);
                }
            }
            for s in 1..i {
                let next = self.next[s as usize - 1][(i - s) as usize - 1];
                // `var_nxt_wr[s] >= pos`, as it is printed, lets the read miss the write at its position.
                let here = if faults::on(Fault::NextWrite) {
                    positions.at_least(source.step, i + 1)
                } else {
                    here
                };
                let takes = source.takes[s as usize];
                formula.add_clause(&[!takes, !here, !next]);
            }
        }
    }
}
