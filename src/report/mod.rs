//! Reports for users: the verdict, what it covers, the counterexample; as text and as JSON.
//!
//! Architecture invariant: nothing here decides anything. An [`Outcome`] says it all, and the same outcome
//! gives the same bytes.

pub mod json;
pub mod place;
pub mod save;
mod table;
pub mod text;
pub mod trace;
pub mod unwinding;
pub mod value;

use crate::base::{Loc, StopReason};
use crate::ir::{Property, Undefined};
use crate::trace::Trace;
use std::time::Duration;

/// Everything that one run found out.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub verdict: Verdict,
    pub coverage: Coverage,
    pub statistics: Statistics,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// An execution violates the property.
    Failed {
        property: Property,
        /// Place of the violated assertion.
        loc: Loc,
        /// The execution; its last step is the violation.
        trace: Trace,
    },
    /// No execution does, within these limits; without limits, the answer is complete.
    Successful { limits: Vec<Limit> },
    /// No answer.
    Unknown { reason: Reason },
}

/// Something that kept executions out of a successful verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Limit {
    /// A bound, by the name of its option without dashes, and its value.
    Bound { name: &'static str, value: u64 },
    /// A loop whose condition folds ran out of its budget of events.
    LoopBudget,
    /// Executions end where behaviour is undefined; the first place, if it is known.
    Undefined(Option<Loc>),
}

/// Reason why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The budget was used up.
    Stopped(StopReason),
    /// Something that is not modelled is reachable.
    Unsupported { what: String, loc: Loc },
    /// Anything else, in a few words.
    Other(String),
}

/// Coverage: how far the verdict reaches.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// In words, e.g. `sequential consistency`.
    pub memory_model: String,
    /// Name of the scheme that gave the verdict; empty if none was reached.
    pub scheme: String,
    /// Name of the solver.
    pub solver: String,
    /// Thread instances of the unrolled program, main included; 0 if it was not unrolled.
    pub threads: usize,
    /// Bounds that were in force, in the order they are to be named.
    pub bounds: Vec<Bound>,
    /// Facts that one thread had to know of the others, as statements of C, if threads were verified one by one; `{N}`
    /// stands for the place of byte N.
    pub learnt: Vec<String>,
    /// Kinds and places of undefined behaviour that is reachable: executions end there.
    pub undefined: Vec<(Undefined, Loc)>,
    /// Reachability of any assertion; `None` if that was not asked.
    pub assertions_reachable: Option<bool>,
    /// Functions without a body of which nothing is known: their results are any values.
    pub external: Vec<String>,
    /// Warnings: what the user should know although it stops nothing.
    pub warnings: Vec<(Loc, String)>,
}

/// A bound that was in force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// Name of its option without dashes: `unwind`, `recursion`, `threads`, `rounds`, …
    pub name: &'static str,
    pub value: u64,
    /// Need to go beyond the bound: true if some execution wanted to. A bound that was not reached left nothing out.
    /// `None` where a violation was found first and nobody asked.
    pub reached: Option<bool>,
}

/// Sizes and times, for people who tune.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Events of the unrolled program, and how many of them read and write shared memory.
    pub events: u64,
    pub reads: u64,
    pub writes: u64,
    /// Words in the circuit.
    pub terms: u64,
    /// Size of the formula.
    pub variables: u64,
    pub clauses: u64,
    /// Wall time of each stage, in the order of the first use; stages that ran several times are summed up.
    pub stages: Vec<(&'static str, Duration)>,
    /// Processor time of the whole process.
    pub cpu: Duration,
    /// Wall time of the whole run.
    pub wall: Duration,
    /// Largest resident memory of the process in bytes; 0 if unknown.
    pub peak_memory_bytes: u64,
}

impl Statistics {
    /// Adds to the time of a stage.
    pub fn add_time(&mut self, stage: &'static str, time: Duration) {
        match self.stages.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, total)) => *total += time,
            None => self.stages.push((stage, time)),
        }
    }
}

impl Verdict {
    /// Completeness: true if no execution was left out.
    pub fn is_complete(&self) -> bool {
        matches!(self, Verdict::Successful { limits } if limits.is_empty())
    }

    /// The exit code: those of CBMC, so that wrappers for it work.
    pub fn exit_code(&self, require_complete: bool) -> u8 {
        match self {
            Verdict::Failed { .. } => 10,
            Verdict::Successful { limits } if limits.is_empty() || !require_complete => 0,
            Verdict::Successful { .. } => 5,
            Verdict::Unknown { .. } => 5,
        }
    }
}

/// Name of a property in verdicts.
pub fn property_name(property: Property) -> &'static str {
    match property {
        Property::Assertion => "assertion",
        Property::ReachError => "reach_error() called",
    }
}

/// Kind of undefined behaviour, in words.
pub fn undefined_name(kind: Undefined) -> &'static str {
    match kind {
        Undefined::DivisionByZero => "division by zero",
        Undefined::DivisionOverflow => "overflow in division",
        Undefined::ShiftRange => "shift beyond width",
        Undefined::FloatRange => "conversion of a number that its type does not hold",
        Undefined::InvalidAccess => "invalid access",
        Undefined::PointerRange => "pointer leaves its object",
        Undefined::ReadOnly => "write to a constant object",
        Undefined::InvalidFree => "invalid free",
        Undefined::UseAfterFree => "use after free",
        Undefined::StalePointer => "stale pointer",
        Undefined::CopiedObject => "use of a copied synchronisation object",
        Undefined::IndeterminateMutex => "use of a mutex that is not initialised",
        Undefined::LockNotHeld => "release of a lock that the thread does not hold",
        Undefined::ThreadHandle => {
            "join or detachment of a thread that was joined or detached before"
        }
        Undefined::Call => "call of a function that has more parameters, or no result",
        Undefined::VariableArgument => "variable argument of another type",
        Undefined::BuiltinUnreachable => "__builtin_unreachable() reached",
        Undefined::Unreachable => "end of function without value, or unreachable code",
    }
}

#[cfg(test)]
mod sample;
