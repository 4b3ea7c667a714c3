//! Blocks: what a step does, as code over registers. Blocks with the same code are one in the circuit.

use super::register::{Register, Registers, Uses};
use crate::base::IdVec;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::{CellId, EventId, EventKind, EventProgram, ThreadId};
use crate::goal::Claim;
use crate::reduce::substitution::Substitution;
use crate::relation::turn::Transactions;
use crate::scheme::faults::{self, Fault};
use crate::term::TermId;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// One operation. Conditions and values are terms over registers and over what the block's own operations return.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// The next result is the content of the cell whose condition holds (the first one's if none does).
    Read {
        targets: Vec<(CellId, TermId)>,
    },
    /// `reached` says whether later reads of the same atomic step see the value, `guard` whether memory gets it.
    Write {
        value: TermId,
        targets: Vec<(CellId, TermId)>,
        reached: TermId,
        guard: TermId,
    },
    /// An atomic step is over: memory gets its writes.
    Commit,
    /// The next result says whether the thread whose condition holds has ended.
    Join {
        targets: Vec<(ThreadId, TermId)>,
    },
    /// The thread ends if the condition holds.
    End {
        thread: ThreadId,
        guard: TermId,
    },
    Create {
        child: ThreadId,
    },
    /// A register gets a value, when everything else is done.
    Set {
        register: Register,
        value: TermId,
    },
}

/// A step of a thread.
#[derive(Clone, Debug)]
pub struct Block {
    /// Number of its code.
    pub code: usize,
    /// Variables of the program that the results of its code stand for.
    pub reads: Vec<TermId>,
    /// Assertions and cuts behind it, with conditions as in [`Op`].
    pub checks: Vec<Claim>,
}

/// Effects of the code of a block, as far as they concern other threads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Effects {
    reads: SortedSet<CellId>,
    writes: SortedSet<CellId>,
    joins: SortedSet<ThreadId>,
    creates: SortedSet<ThreadId>,
    ends: bool,
}

/// The blocks of a program.
pub struct Blocks {
    pub of: IdVec<ThreadId, Vec<Block>>,
    /// Each code once.
    pub codes: Vec<Vec<Op>>,
    /// By number of results before it and width: the variable that stands for a result in the code.
    results: SortedMap<(usize, u16), TermId>,
}

impl Blocks {
    /// The blocks of all threads. `checks` are the assertions and cuts behind each step, over the program's terms.
    pub fn of(
        program: &mut EventProgram,
        transactions: &Transactions,
        uses: &Uses,
        registers: &Registers,
        checks: &IdVec<ThreadId, Vec<Vec<Claim>>>,
    ) -> Blocks {
        let mut blocks = Blocks {
            of: IdVec::new(),
            codes: Vec::new(),
            results: SortedMap::new(),
        };
        let mut numbers: HashMap<Vec<Op>, usize, FxBuildHasher> = HashMap::default();
        let mut substitution = Substitution::default();
        for (thread, list) in transactions.all.iter_ids() {
            let mut all = Vec::with_capacity(list.len());
            for place in 0..list.len() {
                substitution.next_epoch();
                let known = &registers.foreign[thread];
                for &(t, register) in known.iter().chain(&registers.live[thread][place]) {
                    substitution.assume(t, registers.all[register]);
                }
                for (number, &variable) in uses.reads[thread][place].iter().enumerate() {
                    let result = blocks.result(program, number, program.terms.bits(variable));
                    substitution.assume(variable, result);
                }
                let mut code = Vec::new();
                for &step in &list[place] {
                    for &event in &transactions.po.steps[step].events {
                        code.extend(operation(program, &mut substitution, event));
                    }
                    if code.iter().any(|op| matches!(op, Op::Write { .. })) {
                        code.push(Op::Commit);
                    }
                }
                for &(t, register) in &registers.set[thread][place] {
                    let value = substitution.instance(&mut program.terms, t);
                    code.push(Op::Set { register, value });
                }
                let checks = checks[thread][place].iter().map(|check| Claim {
                    event: check.event,
                    reached: substitution.instance(&mut program.terms, check.reached),
                    violated: check
                        .violated
                        .map(|t| substitution.instance(&mut program.terms, t)),
                });
                let checks = checks.collect();
                let next = blocks.codes.len();
                let code = *numbers.entry(code).or_insert_with_key(|code| {
                    blocks.codes.push(code.clone());
                    next
                });
                all.push(Block {
                    code,
                    reads: uses.reads[thread][place].clone(),
                    checks,
                });
            }
            blocks.of.push(all);
        }
        blocks
    }

    /// The variable that stands in code for the result of a read or a join.
    pub fn result(&mut self, program: &mut EventProgram, number: usize, bits: u16) -> TermId {
        let name = || format!("result{number}.{bits}");
        *self
            .results
            .entry((number, bits))
            .or_insert_with(|| program.terms.fresh(&name(), bits))
    }
}

/// Operation of an event, over registers and results; `None` for one without an effect here (fences, assertions, cuts).
fn operation(
    program: &mut EventProgram,
    substitution: &mut Substitution,
    event: EventId,
) -> Option<Op> {
    let event = program.events[event].clone();
    let terms = &mut program.terms;
    let mut over = |t: TermId| substitution.instance(terms, t);
    Some(match event.kind {
        EventKind::Read { targets, .. } => Op::Read {
            targets: targets.iter().map(|t| (t.cell, over(t.when))).collect(),
        },
        EventKind::Write { value, targets, .. } => Op::Write {
            value: over(value),
            targets: targets.iter().map(|t| (t.cell, over(t.when))).collect(),
            reached: over(event.reached),
            guard: over(event.guard),
        },
        EventKind::Join { targets, .. } => Op::Join {
            targets: targets.iter().map(|t| (t.0, over(t.1))).collect(),
        },
        EventKind::End => Op::End {
            thread: event.thread,
            guard: over(event.guard),
        },
        EventKind::Create { child } => Op::Create { child },
        EventKind::Fence
        | EventKind::Assert { .. }
        | EventKind::Cut { .. }
        | EventKind::Rest(_) => return None,
    })
}

impl Effects {
    /// All effects that code may have.
    pub fn of(code: &[Op]) -> Effects {
        let mut effects = Effects::default();
        for op in code {
            match op {
                Op::Read { targets } => effects.reads.extend(targets.iter().map(|t| t.0)),
                Op::Write { targets, .. } => effects.writes.extend(targets.iter().map(|t| t.0)),
                Op::Join { targets } => effects.joins.extend(targets.iter().map(|t| t.0)),
                Op::Create { child } => {
                    effects.creates.insert(*child);
                }
                Op::End { .. } => effects.ends = true,
                Op::Commit | Op::Set { .. } => {}
            }
        }
        effects
    }

    /// Independence: true if neighbouring steps of two threads may be exchanged.
    pub fn independent(&self, own: ThreadId, other: &Effects, their: ThreadId) -> bool {
        let meet = |a: &SortedSet<CellId>, b: &SortedSet<CellId>| !a.is_disjoint(b);
        let memory = meet(&self.writes, &other.writes)
            || meet(&self.writes, &other.reads) && !faults::on(Fault::NeighboursRead)
            || meet(&self.reads, &other.writes);
        let threads = self.creates.contains(&their)
            || other.creates.contains(&own)
            || self.ends && other.joins.contains(&own)
            || other.ends && self.joins.contains(&their);
        !memory && !threads
    }
}
