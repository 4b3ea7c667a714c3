//! Registers: where a thread keeps, between its steps, the values that later steps use.
//!
//! A step that computes something from earlier reads does not need the reads themselves but some terms over them: the
//! largest that later terms are built from. Each gets a register from the end of the step that completes it to the
//! last step that looks at it. Registers are given out lowest first, so that the iterations of a loop, which
//! need the same values, use the same registers, and their code becomes the same.

use crate::base::IdVec;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::{EventProgram, ThreadId};
use crate::relation::turn::Transactions;
use crate::scheme::faults::{self, Fault};
use crate::term::{TermId, VarId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Number of a register among those of all threads.
pub type Register = usize;

/// Uses of variables and terms: what each step of each thread reads and looks at.
pub struct Uses {
    /// Variables that the step's reads and joins return, by place.
    pub reads: IdVec<ThreadId, Vec<Vec<TermId>>>,
    /// Terms that are looked at when the step is executed, by place.
    pub terms: IdVec<ThreadId, Vec<Vec<TermId>>>,
    /// Terms that are looked at before the thread's first step.
    pub early: IdVec<ThreadId, Vec<TermId>>,
}

/// Registers, and what is in them.
pub struct Registers {
    /// A variable for the content of each.
    pub all: Vec<TermId>,
    /// By place: terms that are in a register when the step begins.
    pub live: IdVec<ThreadId, Vec<Vec<(TermId, Register)>>>,
    /// By place: terms that are put into a register when the step ends.
    pub set: IdVec<ThreadId, Vec<Vec<(TermId, Register)>>>,
    /// Variables that other threads have read and this one looks at. Their registers are never used again.
    pub foreign: IdVec<ThreadId, Vec<(TermId, Register)>>,
}

/// Place of the last look at a term that other threads may look at.
const FOR_EVER: u32 = u32::MAX;

impl Registers {
    /// Gives out registers; linear in the sizes of all threads' terms, and of what is live at each step.
    pub fn of(program: &mut EventProgram, transactions: &Transactions, uses: &Uses) -> Registers {
        let mut reader: HashMap<VarId, (ThreadId, u32), FxBuildHasher> = HashMap::default();
        for (thread, places) in uses.reads.iter_ids() {
            for (place, variables) in (1..).zip(places) {
                for &variable in variables {
                    if let Some(var) = program.terms.var_of(variable) {
                        reader.insert(var, (thread, place));
                    }
                }
            }
        }
        let mut cones: IdVec<ThreadId, Vec<TermId>> = IdVec::new();
        let mut foreign: IdVec<ThreadId, Vec<TermId>> = IdVec::new();
        let mut shared: SortedSet<TermId> = SortedSet::new();
        for (thread, places) in uses.terms.iter_ids() {
            let mut roots: Vec<TermId> = places.iter().flatten().copied().collect();
            roots.extend(&uses.early[thread]);
            let cone = program.terms.cone(&roots);
            let others = cone.iter().copied().filter(|&t| {
                let var = program.terms.var_of(t);
                var.is_some_and(|var| reader.get(&var).is_some_and(|by| by.0 != thread))
            });
            let others: Vec<TermId> = others.collect();
            shared.extend(&others);
            foreign.push(others);
            cones.push(cone);
        }
        let mut registers = Registers {
            all: Vec::new(),
            live: IdVec::new(),
            set: IdVec::new(),
            foreign: IdVec::new(),
        };
        let mut lasting: SortedMap<TermId, Register> = SortedMap::new();
        for (thread, list) in transactions.all.iter_ids() {
            let own = |t: TermId| {
                let var = program.terms.var_of(t)?;
                reader.get(&var).filter(|by| by.0 == thread).map(|by| by.1)
            };
            let mut lives = Lives::default();
            for &t in &cones[thread] {
                let children = program.terms.children(t).map(|child| lives.level(child));
                let level = own(t).or(children.max()).unwrap_or(0);
                lives.level.insert(t, level);
                for child in program.terms.children(t).collect::<Vec<_>>() {
                    lives.look(child, level);
                }
            }
            for &t in &shared {
                if let Some(level) = own(t) {
                    lives.level.insert(t, level);
                    lives.look(t, FOR_EVER);
                }
            }
            for (place, terms) in (1..).zip(&uses.terms[thread]) {
                terms.iter().for_each(|&t| lives.look(t, place));
            }
            let (live, set) = registers.give_out(program, thread, &lives, list.len() as u32);
            for &(t, register) in set.iter().flatten() {
                if shared.contains(&t) {
                    lasting.insert(t, register);
                }
            }
            registers.live.push(live);
            registers.set.push(set);
        }
        for others in foreign.iter() {
            let known = others.iter().filter_map(|t| Some((*t, *lasting.get(t)?)));
            registers.foreign.push(known.collect());
        }
        registers
    }

    /// Registers of one thread, step by step.
    #[expect(
        clippy::type_complexity,
        reason = "two lists by place, named in the struct"
    )]
    fn give_out(
        &mut self,
        program: &mut EventProgram,
        thread: ThreadId,
        lives: &Lives,
        steps: u32,
    ) -> (Vec<Vec<(TermId, Register)>>, Vec<Vec<(TermId, Register)>>) {
        let mut born: Vec<Vec<TermId>> = vec![Vec::new(); steps as usize + 1];
        let mut terms: Vec<TermId> = lives.last.keys().copied().collect();
        terms.sort_unstable();
        for t in terms {
            born[lives.level(t) as usize].push(t);
        }
        let mut free: SortedMap<u16, SortedSet<Register>> = SortedMap::new();
        let mut current: SortedMap<TermId, Register> = SortedMap::new();
        let (mut live, mut set) = (Vec::new(), Vec::new());
        for place in 1..=steps {
            live.push(current.iter().map(|(t, r)| (*t, *r)).collect());
            let early = u32::from(faults::on(Fault::RegisterClash));
            current.retain(|t, register| {
                let keep = lives.last[t] > place.saturating_add(early);
                if !keep {
                    let bits = program.terms.bits(*t);
                    free.entry(bits).or_default().insert(*register);
                }
                keep
            });
            let mut stored = Vec::new();
            for &t in &born[place as usize] {
                let bits = program.terms.bits(t);
                let register = free.entry(bits).or_default().pop_first();
                let register = register.unwrap_or_else(|| {
                    let name = format!("register{}.{}", thread.0, self.all.len());
                    self.all.push(program.terms.fresh(&name, bits));
                    self.all.len() - 1
                });
                stored.push((t, register));
                current.insert(t, register);
            }
            set.push(stored);
        }
        (live, set)
    }
}

/// Lifetimes of the terms of a thread: from the step after which they are known to the last that looks at them.
#[derive(Default)]
struct Lives {
    /// Number of steps, counted from 1, after which the term is known; 0 if the thread reads nothing of it.
    level: HashMap<TermId, u32, FxBuildHasher>,
    /// Last step that looks at a term which an earlier step completed.
    last: HashMap<TermId, u32, FxBuildHasher>,
}

impl Lives {
    fn level(&self, t: TermId) -> u32 {
        self.level.get(&t).copied().unwrap_or(0)
    }

    /// A term is looked at in a step.
    fn look(&mut self, t: TermId, step: u32) {
        let level = self.level(t);
        if level > 0 && level < step {
            let last = self.last.entry(t).or_insert(0);
            *last = (*last).max(step);
        }
    }
}
