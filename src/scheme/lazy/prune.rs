//! Pruning: of schedules that differ in nothing, one is kept (Lazy-CSeq-SP, §2).
//!
//! *Merge* (Fig. 1, right): who has just been active is not the next to be. A turn is used only if another thread was
//! active since the thread's turn before; otherwise its steps could have been part of that one. What the print has
//! wrong:
//!
//! * `assume(j != last_thread_index)` stands before the test whether the thread executes anything: every schedule ends
//!   where all others have nothing to do, so that behind the last active thread no empty slot may follow, and with a
//!   fixed number of rounds whatever needs fewer is lost. Here only a turn that is used is constrained.
//! * `last_thread_index` is never initialised; if it were 0, main could not begin.
//!
//! *Canonical*: what is more, the first step of a turn conflicts with something that happened since the thread's turn
//! before: one of them writes what the other one touches, or the step joins a thread that ended since then, or its own
//! thread was created since then. Otherwise the step could be exchanged with everything that happened since, to the
//! end of the turn before. That makes the sum of the turns' numbers smaller, so every execution has an equivalent one
//! that is canonical, with the same values and in no more rounds. A step whose guard is false conflicts with nothing: it
//! is passed where the thread stood before. A section that cannot finish is looked at as far as it is reached, because
//! what is in it may be asked for.
//!
//! Under a weak memory model, steps conflict as well if both have to do with *time*: they access a cell that writes may be
//! pending to, or are fences of a thread that may have something pending. All other steps neither push time on nor can
//! tell what it is.
//!
//! The rule compares with the thread's turn before, whether that was used or not. So if no canonical execution has a
//! step in the round after the last, none has one in any later round.

use crate::base::IdVec;
use crate::circuit::{Formula, Lit};
use crate::event::{CellId, EventKind, EventProgram, ThreadId};
use crate::scheme::faults::{self, Fault};
use crate::term::{TermId, Terms};

/// Pruning of schedules: those that are left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Prune {
    /// None.
    None,
    /// Those with turns that could be merged.
    Merge,
    /// Those with a turn whose first step could have been taken before.
    Canonical,
}

impl Prune {
    /// All, the weakest first.
    pub const ALL: [Prune; 3] = [Prune::None, Prune::Merge, Prune::Canonical];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Prune::None => "none",
            Prune::Merge => "merge",
            Prune::Canonical => "canonical",
        }
    }
}

/// Footprint of one step: what it touches.
pub(super) struct Footprint {
    kept: bool,
    /// Cells, whether they are written, and when.
    touched: Vec<(CellId, bool, TermId)>,
    /// Conditions under which writes may reach memory with the step, or it can tell whether they have.
    time: Vec<TermId>,
    /// Threads that are joined, and when.
    joined: Vec<(ThreadId, TermId)>,
}

impl Footprint {
    /// Nothing; `kept` says whether anybody asks.
    pub fn new(kept: bool) -> Footprint {
        Footprint {
            kept,
            touched: Vec::new(),
            time: Vec::new(),
            joined: Vec::new(),
        }
    }

    pub fn is_kept(&self) -> bool {
        self.kept
    }

    pub fn touches(&mut self, cell: CellId, write: bool, when: TermId) {
        self.touched.push((cell, write, when));
    }

    pub fn passes_time(&mut self, when: TermId) {
        self.time.push(when);
    }

    pub fn joins(&mut self, thread: ThreadId, when: TermId) {
        self.joined.push((thread, when));
    }
}

/// A turn that has been.
struct Past {
    used: Lit,
    /// By cell, the condition that something in the turn reads it, and that something writes it.
    touched: IdVec<CellId, [TermId; 2]>,
    /// The condition that something in the turn has to do with time.
    time: TermId,
}

/// State when a thread's turn ended.
#[derive(Clone)]
struct Before {
    /// Number of turns so far, with this one.
    turns: usize,
    /// The thread was there.
    created: TermId,
    ended: IdVec<ThreadId, TermId>,
}

/// All turns so far.
pub(super) struct History {
    prune: Prune,
    /// Literal that activates the constraints when it is assumed; true if nothing is pruned.
    assumption: Lit,
    /// Cells that one thread writes and another one accesses.
    contended: IdVec<CellId, bool>,
    turns: Vec<Past>,
    before: IdVec<ThreadId, Option<Before>>,
}

/// A turn: its thread, whether that exists and what has ended at its end, and its steps.
pub(super) struct Taken<'a> {
    pub thread: ThreadId,
    pub created: TermId,
    pub ended: &'a IdVec<ThreadId, TermId>,
    /// Of each step: the condition that it is executed in this turn, that it is the first one, and what it touches.
    pub steps: Vec<(TermId, TermId, Footprint)>,
}

impl History {
    /// No turn has been.
    pub fn new(program: &EventProgram, formula: &mut Formula, prune: Prune) -> History {
        History {
            prune,
            assumption: match prune {
                Prune::None => Lit::TRUE,
                _ => formula.new_lit(),
            },
            contended: contended(program),
            turns: Vec::new(),
            before: program.threads.ids().map(|_| None).collect(),
        }
    }

    /// Assumption under which schedules are pruned; true if none is.
    pub fn assumption(&self) -> Lit {
        self.assumption
    }

    /// True if the footprints of steps are needed.
    pub fn wants_footprints(&self) -> bool {
        self.prune == Prune::Canonical
    }

    /// States what is demanded of a turn, and notes it.
    pub fn add(&mut self, terms: &mut Terms, formula: &mut Formula, taken: Taken) {
        let mut used = Lit::FALSE;
        for (here, _, _) in &taken.steps {
            let here = formula.lit_of(terms, *here);
            used = formula.or(used, here);
        }
        let before = self.before[taken.thread].clone();
        let first_of_all = faults::on(Fault::PruneTooMuch) && !self.turns.is_empty();
        let since = match &before {
            Some(before) => Some(before.turns),
            None => first_of_all.then_some(1),
        };
        if self.prune != Prune::None
            && let Some(since) = since
        {
            let mut clause = vec![!self.assumption, !used];
            clause.extend(self.turns[since..].iter().map(|turn| turn.used));
            formula.add_clause(&clause);
        }
        if self.prune == Prune::Canonical
            && let Some(before) = &before
        {
            self.conflict(terms, formula, &taken, before);
        }
        self.note(terms, used, taken);
    }

    /// The first step of a turn conflicts with something since the turn before.
    fn conflict(&self, terms: &mut Terms, formula: &mut Formula, taken: &Taken, before: &Before) {
        let since = &self.turns[before.turns..];
        let mut between: IdVec<CellId, Option<[TermId; 2]>> =
            self.contended.iter().map(|_| None).collect();
        let not = terms.not(before.created);
        let new = terms.and(taken.created, not);
        let mut time = terms.fals();
        for turn in since {
            time = terms.or(time, turn.time);
        }
        for (_, first, footprint) in &taken.steps {
            let mut conflict = new;
            for &when in &footprint.time {
                let both = terms.and(when, time);
                if !faults::on(Fault::TimeCommutes) {
                    conflict = terms.or(conflict, both);
                }
            }
            for &(cell, write, when) in &footprint.touched {
                if !self.contended[cell] {
                    continue;
                }
                let [read, written] = *between[cell].get_or_insert_with(|| {
                    let mut any = [terms.fals(); 2];
                    for turn in since {
                        for (any, here) in any.iter_mut().zip(turn.touched[cell]) {
                            *any = terms.or(*any, here);
                        }
                    }
                    any
                });
                let other = if write && !faults::on(Fault::ReadsCommute) {
                    terms.or(read, written)
                } else if !write && faults::on(Fault::WritesCommute) {
                    terms.fals()
                } else {
                    written
                };
                let both = terms.and(when, other);
                conflict = terms.or(conflict, both);
            }
            for &(thread, when) in &footprint.joined {
                let not = terms.not(before.ended[thread]);
                let since = terms.and(taken.ended[thread], not);
                let both = terms.and(when, since);
                if !faults::on(Fault::JoinCommutes) {
                    conflict = terms.or(conflict, both);
                }
            }
            let first = formula.lit_of(terms, *first);
            let conflict = formula.lit_of(terms, conflict);
            formula.add_clause(&[!self.assumption, !first, conflict]);
        }
    }

    fn note(&mut self, terms: &mut Terms, used: Lit, taken: Taken) {
        let mut touched: IdVec<CellId, [TermId; 2]> =
            self.contended.iter().map(|_| [terms.fals(); 2]).collect();
        let mut time = terms.fals();
        for (_, _, footprint) in &taken.steps {
            for &when in &footprint.time {
                time = terms.or(time, when);
            }
            for &(cell, write, when) in &footprint.touched {
                let any = &mut touched[cell][usize::from(write)];
                *any = terms.or(*any, when);
            }
        }
        self.turns.push(Past {
            used,
            touched,
            time,
        });
        self.before[taken.thread] = Some(Before {
            turns: self.turns.len(),
            created: if faults::on(Fault::CreationCommutes) {
                terms.tru()
            } else {
                taken.created
            },
            ended: taken.ended.clone(),
        });
    }
}

/// Cells that one thread writes and another one accesses.
fn contended(program: &EventProgram) -> IdVec<CellId, bool> {
    // By cell: who accesses it (two at most), and whether anybody writes.
    let mut who: IdVec<CellId, (Option<ThreadId>, bool, bool)> =
        program.cells.iter().map(|_| (None, false, false)).collect();
    for event in program.events.iter() {
        let (targets, write) = match &event.kind {
            EventKind::Read { targets, .. } => (targets, false),
            EventKind::Write { targets, .. } => (targets, true),
            _ => continue,
        };
        for target in program.possible(targets) {
            let (first, several, written) = &mut who[target.cell];
            *several |= first.is_some_and(|first| first != event.thread);
            first.get_or_insert(event.thread);
            *written |= write;
        }
    }
    who.iter()
        .map(|&(_, several, written)| several && written)
        .collect()
}
