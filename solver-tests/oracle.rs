//! Whether the encodings agree with the enumeration of all executions.

use selvedge::base::Budget;
use selvedge::event::{Cut, EventId, EventKind, EventProgram, Origin, Target};
use selvedge::ir::{self, DataModel};
use selvedge::sat::SolverKind;
use selvedge::scheme::lazy::{Plan, Prune, SwitchPoints};
use selvedge::scheme::mu::Variant;
use selvedge::scheme::{self, Answer, Options, Scheme};
use selvedge::source::{self, Source};
use selvedge::symex::{Bounds, Unroller};
use selvedge::trace::decode::decode;
use selvedge::trace::enumerate::{Exploration, Limits, enumerate};
use selvedge::trace::interpret;
use selvedge::trace::replay::replay;
use selvedge::{library, syntax};
use std::collections::BTreeSet;
use std::io::Write;
use std::time::Duration;

/// Iterations of loops that wait; loops that fold have at most as many.
pub const UNWIND: u32 = 3;

/// What is compared with the enumeration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subject {
    pub scheme: Scheme,
    pub solver: SolverKind,
    /// Whether iterations that change nothing are dropped. Then loops get further within the same bound, so
    /// what is found may lie beyond the enumeration, but nothing of the enumeration may be missed.
    pub idle_rule: bool,
    /// Whether every object that is accessed at more than one offset at once is seen as an array.
    pub arrays: bool,
    /// Whether `timestamp` guesses the places of all writes.
    pub guess_places: bool,
    /// Whether the program is sliced and its reads narrowed.
    pub reduce: bool,
    /// Where `lazy` places switches, and what it prunes.
    pub lazy: Plan,
}

impl Subject {
    /// A scheme on the default solver.
    pub fn new(scheme: Scheme) -> Subject {
        Subject {
            scheme,
            solver: SolverKind::DEFAULT,
            idle_rule: false,
            arrays: false,
            guess_places: false,
            reduce: true,
            lazy: Plan::default(),
        }
    }

    /// Memory unwindings that grow until they are enough.
    pub fn unwinding(variant: Variant) -> Subject {
        Subject::new(Scheme::Mu {
            variant,
            writes: u32::MAX,
            rising: true,
        })
    }

    /// Those of one turn: of every scheme but `order` one, so that all have had theirs after a few programs.
    pub fn in_turn(turn: u64) -> Vec<Subject> {
        let mut all = Subject::all();
        let mut groups: Vec<(&str, Vec<Subject>)> = Vec::new();
        for subject in all.drain(..) {
            let name = subject.scheme.name();
            match groups.iter_mut().find(|group| group.0 == name) {
                Some((_, group)) => group.push(subject),
                None => groups.push((name, vec![subject])),
            }
        }
        let taken = |(name, group): (&str, Vec<Subject>)| -> Vec<Subject> {
            // What nearly every verdict comes from is always compared in full, and it is the cheapest.
            if name == Scheme::Order.name() {
                return group;
            }
            vec![group[(turn % group.len() as u64) as usize]]
        };
        groups.into_iter().flat_map(taken).collect()
    }

    /// Every scheme on the default solver, with and without arrays; the other solvers and the idle rule on one.
    pub fn all() -> Vec<Subject> {
        let order = Subject::new(Scheme::Order);
        let rounds = |rounds| Subject::new(Scheme::rounds(rounds));
        let timestamp = Subject::new(Scheme::Timestamp);
        let step = Subject::new(Scheme::Step { steps: u32::MAX });
        let mut all = vec![
            order,
            timestamp,
            step,
            rounds(2),
            Subject::new(Scheme::Lazy {
                rounds: 5,
                first: 1,
            }),
            Subject {
                lazy: Plan {
                    prune: Prune::Merge,
                    ..Plan::default()
                },
                ..rounds(4)
            },
            Subject {
                lazy: Plan {
                    prune: Prune::None,
                    switch_points: SwitchPoints::All,
                    bits: None,
                },
                ..rounds(3)
            },
            Subject {
                reduce: false,
                ..order
            },
            Subject {
                idle_rule: true,
                ..order
            },
            Subject {
                arrays: true,
                ..order
            },
            Subject {
                arrays: true,
                ..rounds(4)
            },
            Subject {
                arrays: true,
                ..timestamp
            },
            Subject {
                guess_places: true,
                ..timestamp
            },
            Subject {
                arrays: true,
                ..step
            },
            Subject::unwinding(Variant::FineExplicit),
            Subject::unwinding(Variant::FineMixed),
            Subject {
                arrays: true,
                ..Subject::unwinding(Variant::FineImplicit)
            },
            Subject::unwinding(Variant::Intra),
            Subject::new(Scheme::Mu {
                variant: Variant::Inter,
                writes: 3,
                rising: false,
            }),
        ];
        let others = SolverKind::ALL
            .into_iter()
            .filter(|kind| *kind != SolverKind::DEFAULT && kind.is_available());
        all.extend(others.map(|solver| Subject { solver, ..order }));
        all
    }
}

/// What the enumeration says of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    Unsafe,
    Safe,
}

/// Why a program tells nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Skip {
    /// It has too many states.
    TooLarge,
    /// A subject used up its time.
    TooSlow,
}

/// A disagreement, or another error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Its kind, in a word; shrinking keeps it.
    pub kind: String,
    pub details: String,
}

impl Fault {
    fn new(kind: impl Into<String>, details: impl Into<String>) -> Fault {
        Fault {
            kind: kind.into(),
            details: details.into(),
        }
    }
}

/// From text to the typed program.
pub fn read(text: &str) -> Result<ir::Program, Fault> {
    let refuse = |why: String| Fault::new("input", why);
    let mut file = tempfile::Builder::new()
        .suffix(".c")
        .tempfile()
        .map_err(|e| refuse(e.to_string()))?;
    file.write_all(text.as_bytes())
        .map_err(|e| refuse(e.to_string()))?;
    let options = source::Options::default();
    let source = Source::load(file.path(), &options).map_err(|e| refuse(e.to_string()))?;
    let unit = syntax::parse(&source).map_err(|e| refuse(source::render(&source, &e)))?;
    let mut program = ir::lower::lower(&unit, DataModel::Lp64)
        .map_err(|all| refuse(all.iter().map(|e| source::render(&source, e)).collect()))?;
    library::link(&mut program);
    Ok(program)
}

fn limits(first_violation: bool) -> Limits {
    Limits {
        first_violation,
        states: 60_000,
        ..Limits::default()
    }
}

/// All executions of a program; `None` if there are too many.
pub fn explore(program: &ir::Program, first_violation: bool) -> Result<Option<Exploration>, Fault> {
    search(program, &limits(first_violation))
}

fn search(program: &ir::Program, limits: &Limits) -> Result<Option<Exploration>, Fault> {
    let bounds = interpret::Bounds {
        unwind: Some(UNWIND),
        ..interpret::Bounds::default()
    };
    let found =
        enumerate(program, bounds, limits).map_err(|(_, why)| Fault::new("enumerate", why))?;
    let conclusive = !found.gave_up || (limits.first_violation && !found.violations.is_empty());
    Ok(conclusive.then_some(found))
}

/// A program with all its executions.
pub struct Prepared {
    program: ir::Program,
    found: Exploration,
}

impl Prepared {
    /// What the enumeration says.
    pub fn truth(&self) -> Truth {
        if self.found.violations.is_empty() {
            Truth::Safe
        } else {
            Truth::Unsafe
        }
    }

    /// Why executions are cut.
    pub fn cuts(&self) -> impl Iterator<Item = &Cut> {
        self.found.cuts.iter().map(|(why, _)| why)
    }
}

/// Reads and explores a program.
pub fn prepare(text: &str) -> Result<Result<Prepared, Skip>, Fault> {
    let program = read(text)?;
    let found = explore(&program, true)?;
    Ok(found.map_or(Err(Skip::TooLarge), |found| Ok(Prepared { program, found })))
}

/// Compares subjects with the enumeration on one program.
pub fn compare(text: &str, subjects: &[Subject]) -> Result<Result<Truth, Skip>, Fault> {
    match prepare(text)? {
        Ok(prepared) => compare_prepared(&prepared, subjects),
        Err(skip) => Ok(Err(skip)),
    }
}

/// Compares subjects with the enumeration.
pub fn compare_prepared(
    prepared: &Prepared,
    subjects: &[Subject],
) -> Result<Result<Truth, Skip>, Fault> {
    let Prepared { program, found } = prepared;
    // What is seen as an array stays one.
    let fresh = || Unroller::new(program).map_err(|e| Fault::new("unroll", format!("{e:?}")));
    let (mut unroller, mut with_arrays) = (fresh()?, fresh()?);
    let bounds = Bounds {
        unwind: UNWIND,
        recursion: 8,
        loop_events: 64,
        loop_instructions: 2000,
        ..Bounds::default()
    };
    for subject in subjects {
        let bounds = Bounds {
            idle_rule: subject.idle_rule,
            listed: if subject.arrays { 1 } else { 48 },
            ..bounds.clone()
        };
        let unroller = if subject.arrays {
            &mut with_arrays
        } else {
            &mut unroller
        };
        // Encoding adds to the program, so every subject gets its own.
        let budget = Budget::unlimited().with_wall_limit(Duration::from_secs(20));
        let mut events = unroller
            .unroll(&bounds, &budget)
            .map_err(|e| Fault::new("unroll", format!("{e:?}")))?;
        if let Some(skip) = one(program, &mut events, found, *subject, &budget)? {
            return Ok(Err(skip));
        }
    }
    Ok(Ok(prepared.truth()))
}

fn one(
    program: &ir::Program,
    events: &mut EventProgram,
    found: &Exploration,
    subject: Subject,
    budget: &Budget,
) -> Result<Option<Skip>, Fault> {
    let fault = |kind: &str, details: String| {
        Err(Fault::new(
            format!("{} {kind}", subject.scheme.name()),
            format!("{subject:?}: {details}"),
        ))
    };
    let Some(mut solver) = subject.solver.open(0) else {
        return Ok(None);
    };
    let (answer, reached) = match scheme::check_within(
        events,
        &Options {
            guess_places: subject.guess_places,
            lazy: subject.lazy,
            reduce: subject.reduce,
            ..Options::new(subject.scheme)
        },
        solver.as_mut(),
        budget,
    ) {
        Ok(answer) => answer,
        Err(inconsistent) => return fault("inconsistent", inconsistent.to_string()),
    };
    match answer {
        Answer::Stopped { .. } => return Ok(Some(Skip::TooSlow)),
        Answer::Violated(execution) => {
            let schedule = decode(events, &execution.order, execution.target, |t| {
                execution.value(&events.terms, t)
            });
            if let Scheme::Mu {
                variant, writes, ..
            } = reached
                && Variant::FINE.contains(&variant)
            {
                let needed = writes_of(events, &execution.order);
                if needed > writes {
                    return fault("writes", format!("{needed} writes within {writes}"));
                }
            }
            if let Err(divergence) = replay(program, &schedule) {
                let order: Vec<String> = execution
                    .order
                    .iter()
                    .map(|id| {
                        let event = &events.events[*id];
                        format!(
                            "  {} of thread {}: {:?} at {:?}\n",
                            id.0, event.thread.0, event.kind, event.position
                        )
                    })
                    .collect();
                return fault("diverged", format!("{divergence:?}\n{}", order.concat()));
            }
            if found.violations.is_empty() && !subject.idle_rule {
                // It may need free values that the enumeration did not try.
                let mut limits = limits(true);
                limits
                    .inputs
                    .extend(schedule.inputs.values().map(|value| *value as i128));
                let bytes = schedule.memory.values().flatten();
                limits
                    .uninitialised
                    .extend(bytes.map(|(_, byte)| i128::from(*byte)));
                limits
                    .uninitialised
                    .extend(schedule.inputs.values().map(|value| *value as i128));
                if search(program, &limits)?.is_some_and(|found| found.violations.is_empty()) {
                    return fault("missed by the enumeration", "the violation replays".into());
                }
            }
        }
        Answer::Safe {
            cuts,
            asserted,
            complete,
        } => {
            let reached = found
                .cuts
                .iter()
                .map(|(why, _)| class(why))
                .collect::<BTreeSet<_>>();
            let claimed: BTreeSet<String> = cuts
                .iter()
                .filter_map(|id| match &events.events[*id].kind {
                    EventKind::Cut { why } => Some(class(why)),
                    _ => None,
                })
                .collect();
            // Nobody follows addresses through parts of an array: that is refused, and the verdict is UNKNOWN.
            if subject.arrays && claimed.contains(UNSUPPORTED) && !reached.contains(UNSUPPORTED) {
                return Ok(None);
            }
            if complete && !found.violations.is_empty() {
                return fault("missed", format!("violations at {:?}", found.violations));
            }
            if !found.violations.is_empty() || subject.idle_rule {
                return Ok(None);
            }
            if !claimed.is_subset(&reached) || (complete && claimed != reached) {
                return fault(
                    "cuts",
                    format!("claims {claimed:?}, but reached are {reached:?}"),
                );
            }
            // A branch that leads to `assert(0)` counts as an assertion there, so more may be claimed.
            if complete && found.asserted && !asserted {
                return fault(
                    "assertions",
                    "an assertion that is reached is not known".into(),
                );
            }
        }
    }
    Ok(None)
}

/// The class of what is not modelled.
const UNSUPPORTED: &str = "unsupported";

/// The writes of an execution, or fewer: those of one section that stand at one place of the program are taken for one.
fn writes_of(program: &EventProgram, order: &[EventId]) -> u32 {
    let event = |id: &EventId| &program.events[*id];
    let is_create = |id: &&EventId| matches!(event(id).kind, EventKind::Create { .. });
    let is_result = |target: &Target| {
        let object = program.cells[target.cell].object;
        matches!(program.objects[object].origin, Origin::Result(_))
    };
    let mut places = BTreeSet::new();
    let mut count = 0;
    for id in order.iter().skip_while(|id| !is_create(id)) {
        let event = event(id);
        let EventKind::Write { targets, .. } = &event.kind else {
            continue;
        };
        let known = event.section.is_some() && !places.insert((event.section, event.loc));
        count += u32::from(!known && !targets.iter().all(is_result));
    }
    count
}

/// What is compared of a cut.
fn class(why: &Cut) -> String {
    match why {
        Cut::Unwind | Cut::LoopBudget => "unwinding".into(),
        Cut::Recursion => "recursion".into(),
        Cut::Threads => "threads".into(),
        Cut::ObjectSize { .. } => "object size".into(),
        Cut::Undefined(why) => format!("{why:?}"),
        Cut::Unsupported(_) => UNSUPPORTED.into(),
    }
}

/// Runs something that recurses as deep as programs nest.
pub fn on_a_deep_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(256 << 20)
            .spawn_scoped(scope, run);
        match thread.expect("threads can be started").join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::generate;
    use rayon::prelude::*;

    /// Programs per test run; `SELVEDGE_PROGRAMS` changes it.
    const PROGRAMS: u64 = 1000;

    #[test]
    fn shrunk_findings_stay_fixed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/solver-tests/regressions");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .expect("the folder is part of the project")
            .map(|entry| entry.expect("a readable folder").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
            .collect();
        files.sort();
        let subjects = Subject::all();
        for path in files {
            let text = std::fs::read_to_string(&path).expect("a readable file");
            let truth = on_a_deep_stack(|| compare(&text, &subjects));
            let said = match truth {
                Ok(Ok(Truth::Safe)) => "// safe".to_string(),
                Ok(Ok(Truth::Unsafe)) => "// unsafe".to_string(),
                other => format!("{other:?}"),
            };
            let expected = text.lines().next().unwrap_or_default();
            assert_eq!(said, expected, "{}", path.display());
        }
    }

    #[test]
    fn every_scheme_agrees_with_the_enumeration() {
        let count = std::env::var("SELVEDGE_PROGRAMS")
            .ok()
            .and_then(|n| n.parse().ok())
            .unwrap_or(PROGRAMS);
        let pool = rayon::ThreadPoolBuilder::new()
            .stack_size(256 << 20)
            .build();
        let outcomes: Vec<Result<Truth, Skip>> =
            pool.expect("threads can be started").install(|| {
                let one = |seed| {
                    let text = generate(seed).render();
                    compare(&text, &Subject::in_turn(seed)).unwrap_or_else(|fault| {
                        panic!("seed {seed}: {}: {}\n{text}", fault.kind, fault.details)
                    })
                };
                (0..count).into_par_iter().map(one).collect()
            });
        let number = |wanted: Result<Truth, Skip>| {
            outcomes
                .iter()
                .filter(|outcome| **outcome == wanted)
                .count()
        };
        let (dangerous, safe) = (number(Ok(Truth::Unsafe)), number(Ok(Truth::Safe)));
        let told = dangerous + safe;
        assert!(
            10 * told >= 9 * outcomes.len(),
            "only {told} of {count} programs tell something"
        );
        assert!(
            10 * dangerous >= 3 * told,
            "only {dangerous} of {told} programs are unsafe"
        );
    }
}
