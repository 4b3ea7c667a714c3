//! Outcomes of runs as data: verdict, findings, coverage, statistics.
//!
//! Architecture invariant: nothing here decides or prints. Stages below fill an [`Outcome`] in; `report` renders it, and the
//! same outcome gives the same bytes.

pub mod exit;
mod fingerprint;

pub use fingerprint::Fingerprint;

pub use crate::scheme::Bound;

use crate::base::{DataModel, Loc, Spent, StopReason, Warning};
use crate::event::MemoryModel;
use crate::ir::{Check, Checks};
use crate::ir::{Program, Property, Undefined};
use crate::scheme::Scheme;
use crate::trace::Trace;
use std::sync::Arc;
use std::time::Duration;

/// Everything that one run found out.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The program and the question.
    pub subject: Subject,
    /// The answer: of all checks, the worst.
    pub verdict: Verdict,
    /// Answer of each check, in the order of [`Check`]; empty where nothing was asked of the program.
    pub by_check: Vec<(Check, Verdict)>,
    /// Violations, the most serious first, one for each check and place; there is one exactly if the verdict is
    /// [`Verdict::Failed`].
    pub findings: Vec<Finding>,
    /// Violations that nobody wants to be told of, in the same order; they are no findings.
    pub suppressed: Vec<Finding>,
    /// The reach of the verdict.
    pub coverage: Coverage,
    /// Sizes and times.
    pub statistics: Statistics,
}

/// The program that an outcome is about, and what was asked of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// The C file, as the user named it.
    pub file: String,
    /// Widths of the basic types.
    pub model: DataModel,
    /// Checks that were asked for.
    pub checks: Checks,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// An execution violates the property: the first of the findings.
    Failed,
    /// No execution does, within these limits; without limits, the answer is complete.
    Successful {
        /// Reasons why executions were left out, the most telling first.
        limits: Vec<Limit>,
    },
    /// No answer.
    Unknown {
        /// The cause.
        reason: Reason,
    },
}

/// A violation, replayed by the interpreter.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The violated property.
    pub property: Property,
    /// Place of the violated assertion, or of what is undefined; of a data race, that of the first access; of a deadlock, that of a
    /// thread that is blocked.
    pub loc: Loc,
    /// Its name, which outlasts changes elsewhere in the program.
    pub fingerprint: Fingerprint,
    /// The execution; its last step is the violation.
    pub trace: Arc<Trace>,
    /// The scheme that found it; `None` if it was found without bounds.
    pub scheme: Option<Scheme>,
}

impl Finding {
    /// Places that it covers, in order: of a deadlock, those of all threads that are blocked; of a data race, those of both accesses.
    pub fn places(&self) -> Vec<Loc> {
        match (self.trace.deadlock(), self.trace.race()) {
            (Some(deadlock), _) => {
                let mut all = deadlock.places();
                all.extend(&deadlock.elsewhere);
                all.sort_unstable();
                all
            }
            (None, Some(race)) => {
                let (one, other) = race.places();
                vec![one, other]
            }
            (None, None) => vec![self.loc],
        }
    }
}

/// Something that kept executions out of a successful verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Limit {
    /// A bound and its value.
    Bound(Bound, u64),
    /// A loop whose condition folds ran out of its budget of events.
    LoopBudget,
    /// Blocks that may be lost, unless threads that still run where the program ends hold them, or numbers do.
    Held,
    /// Executions that may never come to the end at which leaks are looked for.
    Endless,
    /// States that no thread leaves are not known to the scheme, but for threads that wait for each other in a circle.
    OnlyCycles,
    /// Accesses whose races nobody looks for: by numbers that are no pointers, or of too many places.
    Unwatched,
    /// Nobody asks whether a thread is blocked for ever at this place.
    Stays(Loc),
    /// Values that are needed from memory that may never have been written: arrays, and what is filled or copied as a block.
    Unwritten,
    /// Executions end where a word that nobody has chosen is compared with an address, or an address is computed from it; the first place.
    Unset(Loc),
    /// Executions end where behaviour is undefined; the first place, if it is known.
    Undefined(Option<Loc>),
    /// So many violations were found that are suppressed.
    Suppressed(usize),
    /// Executions of other cubes than this one, of so many: nobody has asked for them here.
    Cube {
        /// Number of the cube, from 1.
        number: usize,
        /// Number of all cubes.
        of: usize,
    },
}

/// A reason to give no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The budget was used up.
    Stopped(StopReason),
    /// A construct that is not modelled is reachable.
    Unsupported {
        /// Its name.
        what: String,
        /// Its place.
        loc: Loc,
    },
    /// Something bad that did not replay may depend on memory whose contents are abstracted.
    Abstracted {
        /// Kind of the bad thing: a violation, or undefined behaviour.
        what: &'static str,
        /// The place that allocates the memory.
        loc: Loc,
    },
    /// A violation may hang on what a function returns, which C leaves open.
    Open {
        /// Functions that the program calls, in the order of its text.
        names: Vec<String>,
        /// Place of the violation.
        loc: Loc,
    },
    /// A violation of another check ended the search.
    Ended,
    /// Anything else, in a few words.
    Other(String),
}

/// The reach of a verdict.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Memory model.
    pub memory: MemoryModel,
    /// Name of the scheme that gave the verdict; empty if none was reached.
    pub scheme: String,
    /// Name of the solver.
    pub solver: String,
    /// Thread instances of the unrolled program, main included; 0 if it was not unrolled.
    pub threads: usize,
    /// It is about one execution, which was given.
    pub is_one_execution: bool,
    /// It covers any number of the threads that loops create.
    pub of_any_number: bool,
    /// Bounds that were in force, in the order they are to be named.
    pub bounds: Vec<InForce>,
    /// Cubes that executions were split into, if they were.
    pub cubes: Option<Cubes>,
    /// Loops and recursion that bounds cut, by place; then those that may be cut, where nobody has found out.
    pub cuts: Vec<CutAt>,
    /// Level of bounds that nobody asked for: iterations of the loops that may have most.
    pub level: u32,
    /// Knowledge of one thread about the others, as statements of C, if threads were verified one by one; `{N}` stands for
    /// the place of byte N.
    pub learnt: Vec<String>,
    /// Invariants of a proof without bounds: states that are never reached, as conditions in C, with the places of threads as lines and
    /// columns (`t1#2 in {22:9, 23:16} && !claim1`).
    pub never: Vec<String>,
    /// Undefined behaviour that is reachable: executions end there.
    pub undefined: Vec<(Undefined, Loc)>,
    /// An assertion was reachable; `None` if that was not asked.
    pub assertions_reachable: Option<bool>,
    /// Functions without a body of which nothing is known: their results are any values.
    pub external: Vec<String>,
    /// Functions that it calls whose results C leaves open: any that they may be.
    pub open: Vec<String>,
    /// The program allocates memory, and it is taken for granted that this does not fail.
    pub allocations_succeed: bool,
    /// The program has handlers of signals, and it is taken for granted that no signal arrives.
    pub signals_absent: bool,
    /// Where execution begins, and with which arguments, if that is not the program's `main`.
    pub begins: Option<String>,
    /// No thread of any execution races, as the program shows without being unrolled.
    pub races_excluded: bool,
    /// Remarks that stop nothing.
    pub warnings: Vec<Warning>,
}

/// Cubes: parts that executions were split into, each decided by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cubes {
    /// Number of all.
    pub count: usize,
    /// Those that are decided.
    pub decided: usize,
    /// Number of the only one that was asked for, from 1.
    pub only: Option<usize>,
    /// Name of the formula whose parts they are, where only one was asked for.
    pub formula: Option<u128>,
}

/// A bound that was in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InForce {
    /// The bounded quantity.
    pub bound: Bound,
    /// Its most.
    pub value: u64,
    /// Some execution goes beyond it; a bound that is not reached leaves nothing out. `None` where a violation was found
    /// first and nobody asked.
    pub reached: Option<bool>,
}

/// A loop or a recursion that a bound cuts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CutAt {
    /// The bound with its value.
    pub limit: Limit,
    /// Place of the loop's test, or of the call.
    pub loc: Loc,
    /// The loop's function, or the one that is called.
    pub function: String,
    /// Number of the loop in its function, from 0; `None` for a recursion.
    pub number: Option<u32>,
    /// Some execution is cut there; otherwise, nobody has found out.
    pub certain: bool,
}

/// Sizes and times, for people who tune.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Events of the unrolled program.
    pub events: u64,
    /// Events that read shared memory.
    pub reads: u64,
    /// Events that write shared memory.
    pub writes: u64,
    /// Words in the circuit.
    pub terms: u64,
    /// Variables of the formula.
    pub variables: u64,
    /// Clauses of the formula.
    pub clauses: u64,
    /// Wall time of each stage, in the order of the first use; stages that ran several times are summed up.
    pub stages: Vec<(&'static str, Duration)>,
    /// Terms behind each stage, at the level that was decided last.
    pub growth: Vec<(&'static str, u64)>,
    /// Passes of symbolic execution.
    pub passes: u64,
    /// Processor time of the whole process.
    pub cpu: Duration,
    /// Wall time of the whole run.
    pub wall: Duration,
    /// Largest resident memory of the process in bytes; 0 if unknown.
    pub peak_memory_bytes: u64,
}

impl Subject {
    /// A program under some checks.
    pub(crate) fn of(program: &Program, checks: Checks) -> Subject {
        Subject {
            file: String::new(),
            model: program.model,
            checks,
        }
    }
}

impl Coverage {
    /// Coverage of nothing yet, with what reading the program has to say.
    pub(crate) fn of(program: &Program, memory: MemoryModel) -> Coverage {
        Coverage {
            memory,
            external: program.external.clone(),
            open: program.open_calls.clone(),
            allocations_succeed: program.always_allocates(),
            signals_absent: program.handles_signals,
            begins: program.begins.clone(),
            warnings: program.warnings.clone(),
            ..Coverage::default()
        }
    }
}

impl Statistics {
    /// Adds what stages have spent on one program; its time.
    pub(crate) fn add(&mut self, spent: &Spent) -> Duration {
        for work in spent.works() {
            self.add_time(work.stage, work.time);
        }
        let growth = spent.works().iter();
        self.growth = growth.map(|work| (work.stage, work.terms as u64)).collect();
        self.passes += spent.passes as u64;
        spent.total()
    }

    /// Adds to the time of a stage.
    pub(crate) fn add_time(&mut self, stage: &'static str, time: Duration) {
        match self.stages.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, total)) => *total += time,
            None => self.stages.push((stage, time)),
        }
    }
}

impl Verdict {
    /// The worst of several answers: a violation, then no answer, then one with the limits of all. Complete if there are none.
    pub(crate) fn worst<'a>(all: impl Iterator<Item = &'a Verdict>) -> Verdict {
        let worst = Verdict::Successful { limits: Vec::new() };
        all.fold(worst, |worst, next| match (worst, next) {
            (Verdict::Failed, _) | (_, Verdict::Failed) => Verdict::Failed,
            (_, Verdict::Unknown { .. }) => next.clone(),
            (Verdict::Successful { mut limits }, Verdict::Successful { limits: more }) => {
                more.iter().for_each(|limit| add(&mut limits, limit));
                Verdict::Successful { limits }
            }
            (worst, Verdict::Successful { .. }) => worst,
        })
    }

    /// Completeness: no execution was left out.
    pub fn is_complete(&self) -> bool {
        matches!(self, Verdict::Successful { limits } if limits.is_empty())
    }

    /// The exit code; with `require_complete`, a bounded answer is none.
    pub fn exit_code(&self, require_complete: bool) -> u8 {
        match self {
            Verdict::Failed => exit::FAILED,
            Verdict::Successful { limits } if limits.is_empty() || !require_complete => {
                exit::SUCCESSFUL
            }
            Verdict::Successful { .. } | Verdict::Unknown { .. } => exit::UNKNOWN,
        }
    }
}

/// Adds a limit to others, each once.
fn add(limits: &mut Vec<Limit>, limit: &Limit) {
    for known in limits.iter_mut() {
        match (known, limit) {
            (Limit::Suppressed(count), Limit::Suppressed(more)) => {
                *count += more;
                return;
            }
            (known, limit) if known == limit => return,
            _ => {}
        }
    }
    limits.push(limit.clone());
}
