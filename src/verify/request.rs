//! A request: what is asked of a program, by which engine, within which bounds.

pub use crate::analysis::Loop;

use crate::event::MemoryModel;
use crate::ir::Checks;
use crate::outcome::Fingerprint;
use crate::question::Scheme;
use crate::sat::SolverKind;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Options of a verification. A bound that is `None` is chosen here and raised as long as executions reach it.
#[derive(Clone, Debug)]
pub struct Request {
    /// Engine, with its own bounds.
    pub engine: Engine,
    /// Iterations of every loop.
    pub unwind: Option<u32>,
    /// Iterations of single loops.
    pub unwind_of: BTreeMap<Loop, u32>,
    /// Depth of recursion.
    pub recursion: Option<u32>,
    /// Threads besides main.
    pub threads: Option<u32>,
    /// Idle rule: iterations that change nothing may be dropped.
    pub idle_rule: bool,
    /// Checks that violations are looked for of; [`Checks::DEFAULT`] by default.
    pub checks: Checks,
    /// The first violation ends the search; by default, all are found.
    pub first: bool,
    /// Findings that nobody wants to be told of: they do not count as violations, but no answer is complete with them.
    pub suppress: BTreeSet<Fingerprint>,
    /// Memory model.
    pub memory: MemoryModel,
    /// SAT solver.
    pub solver: SolverKind,
    /// Seed of the solver's random choices.
    pub seed: u32,
    /// Threads that may work at once: one makes a run the same each time. Without it, as many as there are ways to an answer, and of cubes
    /// as many as there are processors.
    pub jobs: Option<usize>,
    /// Cubes: the executions of each level are split, if asked for.
    pub split: Option<Split>,
    /// Greatest level: open bounds do not rise beyond it.
    pub ceiling: Ceiling,
    /// Recording: true to keep the formula that is solved.
    pub record: bool,
    /// Levels of the scheme's own bound, ascending, to answer for one after the other, each told as progress; none for one answer.
    pub levels: Vec<u32>,
    /// The option whose levels they are, if it is not the first that the scheme can do this for.
    pub levels_of: Option<String>,
}

/// Split of the executions of a level into cubes, which are decided by themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    /// The most cubes, at least 1.
    pub count: usize,
    /// Number of the only one that is decided, from 1. Bounds that are open do not rise then: cubes of different bounds are not parts of
    /// one whole.
    pub only: Option<usize>,
}

/// Level beyond which bounds that nobody asked for do not rise: none at first, and one that others may set while they rise. Clones are the
/// same one.
#[derive(Clone, Debug)]
pub struct Ceiling(Arc<AtomicU32>);

impl Default for Ceiling {
    fn default() -> Ceiling {
        Ceiling(Arc::new(AtomicU32::new(u32::MAX)))
    }
}

impl Ceiling {
    /// Iterations of loops that are enough from now on.
    pub(super) fn set(&self, depth: u32) {
        self.0.store(depth, Ordering::Relaxed);
    }

    /// True if levels of so many iterations are not enough.
    pub(super) fn is_above(&self, depth: u32) -> bool {
        self.0.load(Ordering::Relaxed) > depth
    }
}

impl Request {
    /// The defaults, but for assertions alone, the first violation of which ends the search.
    pub fn assertions() -> Request {
        Request {
            checks: Checks::ASSERT,
            first: true,
            ..Request::default()
        }
    }
}

impl Default for Request {
    fn default() -> Self {
        Request {
            engine: Engine::Auto,
            unwind: None,
            unwind_of: BTreeMap::new(),
            recursion: None,
            threads: None,
            idle_rule: true,
            checks: Checks::DEFAULT,
            first: false,
            suppress: BTreeSet::new(),
            memory: MemoryModel::Sc,
            solver: SolverKind::DEFAULT,
            seed: 0,
            jobs: None,
            split: None,
            ceiling: Ceiling::default(),
            record: false,
            levels: Vec::new(),
            levels_of: None,
        }
    }
}

/// Engines: ways to verify a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Engine {
    /// Unrolling, decided by the schemes that suit the program; joined by automata where bounds that nobody asked for cut
    /// something.
    Auto,
    /// Unrolling, decided by one scheme.
    Scheme(Scheme),
    /// Automata, without bounds.
    Modular {
        /// Start routines of the threads that are verified first, if threads are to be verified one by one alone.
        hierarchy: Option<Vec<String>>,
    },
}

impl Engine {
    /// All engines, with their defaults.
    pub fn all() -> Vec<Engine> {
        let schemes = Scheme::all().into_iter().map(Engine::Scheme);
        let modular = Engine::Modular { hierarchy: None };
        [Engine::Auto]
            .into_iter()
            .chain(schemes)
            .chain([modular])
            .collect()
    }

    /// The engine of this name, with its defaults.
    pub fn named(name: &str) -> Option<Engine> {
        Engine::all()
            .into_iter()
            .find(|engine| engine.name() == name)
    }

    /// Name on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Scheme(scheme) => scheme.name(),
            Engine::Modular { .. } => "modular",
        }
    }

    /// What it does, in a line.
    pub(crate) fn about(&self) -> &'static str {
        match self {
            Engine::Auto => {
                "chooses among the others for each program and each level of bounds, and lets two race where it is unsure"
            }
            Engine::Scheme(scheme) => scheme.about(),
            Engine::Modular { .. } => {
                "automata instead of unrolling: a proof for any number of iterations and context switches"
            }
        }
    }

    /// The papers that it is after, if there are some.
    pub(crate) fn papers(&self) -> Option<&'static str> {
        match self {
            Engine::Auto => None,
            Engine::Scheme(scheme) => scheme.papers(),
            Engine::Modular { .. } => Some(
                "modular verification of concurrent programs via sequential model checking (with --hierarchy); else \
                 property-directed reachability and k-induction",
            ),
        }
    }

    /// True if the engine has the store buffers of a memory model.
    pub fn knows(&self, memory: MemoryModel) -> bool {
        match self {
            Engine::Auto => true,
            Engine::Scheme(scheme) => scheme.knows(memory),
            Engine::Modular { .. } => !memory.is_weak(),
        }
    }

    /// Races: true if it can be asked for those of a program, under a memory model.
    pub fn knows_races(&self, memory: MemoryModel) -> bool {
        let knows = match self {
            Engine::Auto => true,
            Engine::Scheme(scheme) => scheme.knows_races(),
            Engine::Modular { hierarchy } => hierarchy.is_none(),
        };
        knows && !memory.is_weak()
    }

    /// Deadlocks: true if it finds those of every kind under a memory model, and not only threads that wait for each other in a circle.
    pub fn knows_ends(&self, memory: MemoryModel) -> bool {
        let knows = match self {
            Engine::Auto => true,
            Engine::Scheme(scheme) => scheme.knows_ends(),
            Engine::Modular { hierarchy } => hierarchy.is_none(),
        };
        knows && !memory.is_weak()
    }

    /// The scheme, if one was asked for.
    pub fn scheme(&self) -> Option<Scheme> {
        match self {
            Engine::Scheme(scheme) => Some(*scheme),
            Engine::Auto | Engine::Modular { .. } => None,
        }
    }
}
