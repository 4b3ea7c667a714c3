//! Results of a verification: what a run leaves behind, what it tells on the way, and why there is none.

use crate::base::Loc;
use crate::event::MemoryModel;
use crate::modular::certificate::Certificate;
use crate::outcome::{Finding, Outcome};
use crate::question::{self, Question};
use crate::sat::SolverKind;
use crate::symex::Unaddressable;
use crate::trace::replay::Divergence;

/// Everything that a run leaves behind.
pub struct Verified {
    pub outcome: Outcome,
    /// Certificate of a successful verdict without bounds.
    pub certificate: Option<Certificate>,
    /// The question that the outcome answers, if it was to be kept.
    pub question: Option<Question>,
}

impl Verified {
    /// An outcome that nothing was unrolled or proved for.
    pub fn of(outcome: Outcome) -> Verified {
        Verified {
            outcome,
            certificate: None,
            question: None,
        }
    }
}

/// Reason why there is no outcome: an error of Selvedge, a request that cannot be met, or a program that does not fit
/// into the address space.
#[derive(Debug)]
pub enum Failure {
    /// The solver's execution is not what the interpreter does.
    Diverged(Box<Divergence>),
    /// The solver's model is no execution.
    Inconsistent(question::Inconsistent),
    /// The program does not fit into the address space (an error of the input); the object that does not.
    AddressSpace(Loc),
    /// This build has no such solver.
    NoSolver(SolverKind),
    /// An invariant or a counterexample of the unbounded search does not withstand its check.
    Unsound(String),
    /// A thread that `--hierarchy` names is none; the names that there are.
    NoThread { name: String, names: Vec<String> },
    /// The scheme that was asked for does not know the memory model.
    NoModel(&'static str, MemoryModel),
    /// Races are asked for, of which the engine knows nothing under this memory model.
    NoRaces(&'static str, MemoryModel),
    /// Answers for several levels are asked for, which this request or this program has not; why not.
    NoLevels(String),
}

impl From<Unaddressable> for Failure {
    fn from(Unaddressable(loc): Unaddressable) -> Failure {
        Failure::AddressSpace(loc)
    }
}

impl From<question::Failure> for Failure {
    fn from(failure: question::Failure) -> Failure {
        match failure {
            question::Failure::Inconsistent(why) => Failure::Inconsistent(why),
            question::Failure::NoModel(scheme, memory) => Failure::NoModel(scheme.name(), memory),
            question::Failure::Uncovered(why) => Failure::Unsound(why.to_string()),
        }
    }
}

impl From<crate::modular::Failure> for Failure {
    fn from(failure: crate::modular::Failure) -> Failure {
        use crate::modular::Failure as Modular;
        match failure {
            Modular::NoSolver(kind) => Failure::NoSolver(kind),
            Modular::Diverged(divergence) => Failure::Diverged(divergence),
            Modular::Unsound(what) => Failure::Unsound(what),
            Modular::NoThread { name, names } => Failure::NoThread { name, names },
        }
    }
}

/// Progress of a run: a level of bounds is finished, a violation is found, or the search without bounds has come further.
pub struct Progress<'a> {
    /// In a few words.
    pub words: &'a str,
    /// Outcome if time were up now, after a level of bounds or a violation.
    pub outcome: Option<&'a Outcome>,
    /// The violation that has just been found and replayed.
    pub finding: Option<&'a Finding>,
}
