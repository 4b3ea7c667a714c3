//! Source of a read (reads-from): the write or initial value that it takes its value from.
//!
//! The last write before the read wins. Within its section and its thread, program order says which that is.
//! Under a weak memory model, a write's step is its commit. Those of the read's own thread are before it in any case:
//! one that has not reached memory will do so after whatever has, and so it is the last.
//! The writes of another thread (or of one of its buffers) are a staircase, so "its last one before the read" is a function of two
//! neighbouring order literals. Only between two or more other threads a choice is guessed: a literal per
//! write, which must be the last of its thread and come after the last of each other thread.

use super::access::{Read, Sources, Write};
use super::program_order::StepId;
use crate::base::IdVec;
use crate::circuit::{Formula, Lit};
use crate::event::{EventProgram, ThreadId};
use crate::relation::faults::{self, Fault};
use crate::term::TermId;

/// The literal that a step comes before another one of another thread.
pub type Precedes<'a> = &'a mut dyn FnMut(&mut Formula, StepId, StepId) -> Lit;

/// Test for a write at which its thread may stop: true if nothing of the thread happens from it on unless the write
/// does itself (see [`super::suffix`]).
pub type Stops<'a> = &'a dyn Fn(&Write) -> bool;

/// A write of another thread that may be the source.
struct Candidate {
    write: Write,
    /// It always happens, or is not before the read.
    certain: bool,
    /// It happens, before the read.
    reaches: Lit,
    /// It is the last of its thread that does, and no write of the reader's thread comes between.
    last: Lit,
}

/// States that a read that happens has the value of its source. Where a thread `stops`, what does not happen is put
/// after the read.
pub fn state(
    program: &mut EventProgram,
    formula: &mut Formula,
    precedes: Precedes,
    read: &Read,
    sources: &Sources,
    stops: Stops,
) {
    let happens = formula.lit_of(&program.terms, read.act);
    let happens = if faults::on(Fault::ReadGuard) {
        Lit::TRUE
    } else {
        happens
    };
    if happens == Lit::FALSE {
        return;
    }
    let value = formula.bits_of(&program.terms, read.value).to_vec();
    let take = |formula: &mut Formula, program: &EventProgram, premises: &[Lit], from| {
        let source = formula.bits_of(&program.terms, from).to_vec();
        formula.equal_if(premises, &value, &source);
    };

    // Its own section, newest first; `rest` holds where none of them was the source.
    let mut rest = happens;
    for write in sources.section.iter().rev() {
        let act = formula.lit_of(&program.terms, write.act);
        take(formula, program, &[rest, act], write.value);
        rest = formula.and(rest, !act);
    }
    if rest == Lit::FALSE {
        return;
    }

    let own: Vec<(Write, Lit)> = sources
        .own
        .iter()
        .map(|write| (*write, formula.lit_of(&program.terms, write.act)))
        .collect();
    let threads: Vec<Vec<Candidate>> = sources
        .others
        .iter()
        .map(|list| candidates(program, formula, precedes, read, &own, list, stops))
        .filter(|list| !list.is_empty())
        .collect();
    let mut foreign = Lit::FALSE;
    for list in &threads {
        // Without own writes in between, the thread has a source if its first one reaches the read.
        let one = match list.first() {
            Some(first) if own.is_empty() && first.certain => first.reaches,
            _ => {
                let lasts: Vec<Lit> = list.iter().map(|candidate| candidate.last).collect();
                formula.or_all(&lasts)
            }
        };
        foreign = formula.or(foreign, one);
    }

    if let [only] = threads.as_slice() {
        for candidate in only {
            take(
                formula,
                program,
                &[rest, candidate.last],
                candidate.write.value,
            );
        }
    } else if threads.len() > 1 {
        let mut some = vec![!rest, !foreign];
        for (number, list) in threads.iter().enumerate() {
            for candidate in list {
                let chosen = formula.new_lit();
                some.push(chosen);
                formula.add_clause(&[!chosen, candidate.last]);
                take(formula, program, &[rest, chosen], candidate.write.value);
                if faults::on(Fault::NoCoherence) {
                    continue;
                }
                let others = threads
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != number);
                for other in others.flat_map(|(_, list)| list) {
                    let older = precedes(formula, other.write.step, candidate.write.step);
                    formula.add_clause(&[!chosen, !other.reaches, older]);
                }
            }
        }
        formula.add_clause(&some);
    }

    // The last own write that happens, then the initial value.
    let mut rest = formula.and(rest, !foreign);
    for (write, act) in own.iter().rev() {
        take(formula, program, &[rest, *act], write.value);
        rest = formula.and(rest, !*act);
    }
    if sources.initial {
        let initial = program.cells[read.cell].init;
        take(formula, program, &[rest], initial);
    } else if !faults::on(Fault::NoInitial) {
        // Some write is certain; that one of them is found is stated to help the solver.
        formula.add_clause(&[!rest]);
    }
}

/// States what a cell holds when all that happens has happened: `content` is the value of the last write of all, or the initial one. By
/// chain, `writes` are in their order.
pub fn last(
    program: &EventProgram,
    formula: &mut Formula,
    precedes: &dyn Fn(StepId, StepId) -> Lit,
    (content, initial): (TermId, TermId),
    writes: &IdVec<ThreadId, Vec<Write>>,
) {
    let word = formula.bits_of(&program.terms, content).to_vec();
    let take = |formula: &mut Formula, premise: Lit, from: TermId| {
        let from = formula.bits_of(&program.terms, from).to_vec();
        formula.equal_if(&[premise], &word, &from);
    };
    let happens: Vec<Vec<Lit>> = writes
        .iter()
        .map(|chain| {
            let each = chain.iter();
            each.map(|write| formula.lit_of(&program.terms, write.act))
                .collect()
        })
        .collect();
    let mut none = Lit::TRUE;
    for (number, chain) in writes.iter().enumerate() {
        let mut later = Lit::FALSE;
        for (place, write) in chain.iter().enumerate().rev() {
            let act = happens[number][place];
            // It is the last of its chain that happens, and of all.
            let mut chosen = formula.and(act, !later);
            later = formula.or(later, act);
            for (other, theirs) in writes.iter().enumerate().filter(|one| one.0 != number) {
                for (at, another) in theirs.iter().enumerate() {
                    let before = precedes(another.step, write.step);
                    if faults::on(Fault::LastOfAny) {
                        continue;
                    }
                    let harmless = formula.or(!happens[other][at], before);
                    chosen = formula.and(chosen, harmless);
                }
            }
            if chosen != Lit::FALSE {
                take(formula, chosen, write.value);
            }
        }
        none = formula.and(none, !later);
    }
    take(formula, none, initial);
}

/// The writes of one other thread, oldest first, without those that cannot be seen.
fn candidates(
    program: &EventProgram,
    formula: &mut Formula,
    precedes: Precedes,
    read: &Read,
    own: &[(Write, Lit)],
    list: &[Write],
    stops: Stops,
) -> Vec<Candidate> {
    let happens = formula.lit_of(&program.terms, read.act);
    // Whether a later one reaches the read. Reaching is a staircase for writes that always happen, so the
    // nearest such write stands for all after it.
    let mut later = Lit::FALSE;
    let mut found = Vec::with_capacity(list.len());
    for (i, write) in list.iter().enumerate().rev() {
        let act = formula.lit_of(&program.terms, write.act);
        let earlier = precedes(formula, write.step, read.step);
        // A static order does not give way to one that nothing speaks against.
        let certain = act == Lit::TRUE || (!earlier.is_constant() && stops(write));
        let reaches = if certain {
            earlier
        } else {
            formula.and(act, earlier)
        };
        // Of several that happen together, the first one says it for all.
        let first = list[..i].last().is_none_or(|last| {
            last.act != write.act
                || !stops(last)
                || precedes(formula, last.step, read.step).is_constant()
        });
        if certain && first {
            formula.add_clause(&[!earlier, !happens, act]);
        }
        // No write of the reader's thread in between.
        let mut last = reaches;
        for (mine, mine_acts) in own {
            let older = precedes(formula, write.step, mine.step);
            let covered = formula.and(*mine_acts, older);
            if !faults::on(Fault::OwnUncovered) {
                last = formula.and(last, !covered);
            }
        }
        if !faults::on(Fault::NoFromRead) {
            last = formula.and(last, !later);
        }
        later = if certain {
            reaches
        } else {
            formula.or(later, reaches)
        };
        if reaches != Lit::FALSE {
            found.push(Candidate {
                write: *write,
                certain,
                reaches,
                last,
            });
        }
    }
    found.reverse();
    found
}
