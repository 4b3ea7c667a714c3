//! Comparison of the encodings with the enumeration of all executions.

mod schedule;
mod subject;
#[cfg(test)]
mod tests;

use schedule::{words, writes_of};
pub use subject::Subject;

use selvedge::base::sorted::SortedSet;
use selvedge::base::{Budget, Diagnostic, Loc};
use selvedge::event::{Cut, Event, EventId, EventKind, EventProgram, MemoryModel};
use selvedge::ir::{self, DataModel, Property, Undefined};
use selvedge::ir::{Check, Checks};
use selvedge::question;
use selvedge::question::{Answer, Checked, Options, Reach, Scheme};
use selvedge::race::Sites;
use selvedge::relation::race;
use selvedge::sat;
use selvedge::scheme::mu;
use selvedge::source::{self, Source};
use selvedge::symex::{Bounds, Unroller};
use selvedge::trace::deadlock::DeadlockKind as Kind;
use selvedge::trace::decode::decode;
use selvedge::trace::enumerate::{Exploration, Limits, enumerate};
use selvedge::trace::interpret;
use selvedge::trace::replay::run::replay;
use selvedge::trace::{Action, Trace};
use selvedge::{Preference, library, syntax};
use std::collections::{BTreeSet, HashSet};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

/// Iterations of loops that wait; loops that fold have at most as many.
pub const UNWIND: u32 = 3;

/// The same where deadlocks are looked for, in loops that wait in many ways.
pub const WAITING: u32 = 2;

/// Verdict of the enumeration on a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    Unsafe,
    Safe,
}

/// Reason for which a program tells nothing.
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

/// Comment in a program that is for this data model; others are for LP64.
pub const ILP32: &str = "// data model: ILP32";

/// Comment in a program whose allocations may fail.
pub const MAY_FAIL: &str = "// options: --malloc-may-fail\n";

/// Comment in a program whose read-write locks may prefer writers.
pub const WRITERS_FIRST: &str = "Options: --rwlock any\n";

/// From text to the typed program.
pub fn read(text: &str) -> Result<ir::Program, Fault> {
    read_for(text, Checks::ASSERT)
}

/// From text to the typed program, for these checks.
pub fn read_for(text: &str, checks: Checks) -> Result<ir::Program, Fault> {
    let refuse = |why: String| Fault::new("input", why);
    let mut file = tempfile::Builder::new()
        .suffix(".c")
        .tempfile()
        .map_err(|e| refuse(e.to_string()))?;
    file.write_all(text.as_bytes())
        .map_err(|e| refuse(e.to_string()))?;
    let model = if text.contains(ILP32) {
        DataModel::Ilp32
    } else {
        DataModel::Lp64
    };
    let options = source::Options {
        model,
        ..source::Options::default()
    };
    let source = Source::load(file.path(), &options).map_err(|e| refuse(e.to_string()))?;
    let unit = syntax::parse(&source).map_err(|e| refuse(source::render(&source, &e)))?;
    let all_of = |all: Vec<Diagnostic>| refuse(source::render_all(&source, &all));
    let options = library::Options {
        checks,
        malloc_may_fail: text.contains(MAY_FAIL),
        rwlock: rwlock(text),
        ..library::Options::default()
    };
    let read = library::read(&[selvedge::ir::lower::Unit::alone(&unit)], model, &options);
    let mut program = read.map_err(all_of)?;
    program.source = Some(Arc::new(source.into()));
    Ok(program)
}

/// Who comes first at a program's read-write locks.
pub fn rwlock(text: &str) -> Preference {
    if text.contains(WRITERS_FIRST) {
        Preference::Any
    } else {
        Preference::Readers
    }
}

fn limits(first_violation: bool, checks: Checks) -> Limits {
    Limits {
        first_violation,
        races: checks.contains(Check::Race),
        deadlocks: checks == Checks::of(&[Check::Deadlock]),
        states: 60_000,
        ..Limits::default()
    }
}

/// All executions of a program; `None` if there are too many.
pub fn explore(
    program: &ir::Program,
    memory: MemoryModel,
    first_violation: bool,
) -> Result<Option<Exploration>, Fault> {
    let limits = limits(first_violation, Checks::ASSERT);
    search(program, memory, &limits)
}

/// All executions of a program under sequential consistency, with their races; `None` if there are too many.
pub fn explore_races(program: &ir::Program) -> Result<Option<Exploration>, Fault> {
    let limits = limits(false, Checks::of(&[Check::Race]));
    search(program, MemoryModel::Sc, &limits)
}

fn search(
    program: &ir::Program,
    memory: MemoryModel,
    limits: &Limits,
) -> Result<Option<Exploration>, Fault> {
    let bounds = interpret::Bounds {
        unwind: Some(if limits.deadlocks { WAITING } else { UNWIND }),
        memory,
        ..interpret::Bounds::default()
    };
    let found =
        enumerate(program, bounds, limits).map_err(|(_, why)| Fault::new("enumerate", why))?;
    let conclusive = !found.gave_up || (limits.first_violation && !found.violations.is_empty());
    Ok(conclusive.then_some(found))
}

/// Check and place of a violation; of a data race, both places, the lesser first.
pub type Place = (Check, (Loc, Option<Loc>));

/// A program with all its executions.
pub struct Prepared {
    program: ir::Program,
    memory: MemoryModel,
    /// Checks that are asked for.
    checks: Checks,
    found: Exploration,
}

impl Prepared {
    /// Verdict of the enumeration.
    pub fn truth(&self) -> Truth {
        if self.violations().is_empty() {
            Truth::Safe
        } else {
            Truth::Unsafe
        }
    }

    /// Violations of the checks that are asked for, by place; of assertions perhaps only the first.
    pub fn violations(&self) -> BTreeSet<Place> {
        self.checks_of(&self.found)
    }

    fn checks_of(&self, found: &Exploration) -> BTreeSet<Place> {
        let places = properties(found)
            .filter(|(property, _)| self.checks.asks(*property))
            .map(|(property, loc)| (Check::of(property), (loc, None)));
        let races = found.races.iter();
        let races = races.map(|(one, other)| (Check::Race, (*one, Some(*other))));
        let asked = races.filter(|(check, _)| self.checks.contains(*check));
        let blocked = found.deadlocks.iter();
        let blocked = blocked.map(|loc| (Check::Deadlock, (*loc, None)));
        places.chain(asked).chain(blocked).collect()
    }

    /// Properties that some execution violates.
    pub fn properties(&self) -> HashSet<Property> {
        properties(&self.found)
            .map(|(property, _)| property)
            .collect()
    }

    /// Lines and columns of the places where some thread is blocked for ever.
    pub fn blocked(&self) -> BTreeSet<(u64, u64)> {
        self.positions(&self.found.deadlocks)
    }

    /// The same of threads that wait for each other.
    pub fn cycles(&self) -> BTreeSet<(u64, u64)> {
        self.positions(&self.found.cycles)
    }

    fn positions(&self, places: &SortedSet<Loc>) -> BTreeSet<(u64, u64)> {
        let source = self.program.source.as_ref();
        let place = |loc: &Loc| {
            let position = source.and_then(|source| source.position(*loc));
            position.map(|at| (u64::from(at.line), u64::from(at.column)))
        };
        let places = places.iter();
        places.map(|loc| place(loc).unwrap_or_default()).collect()
    }

    /// Kinds of the states in which some thread is.
    pub fn kinds(&self) -> BTreeSet<Kind> {
        self.found.deadlocked.keys().copied().collect()
    }

    /// Number of states of all executions.
    pub fn states(&self) -> usize {
        self.found.states
    }

    /// True if some execution looks at a machine address.
    pub fn observed(&self) -> bool {
        self.found.observed
    }

    /// Causes of cuts of executions.
    pub fn cuts(&self) -> impl Iterator<Item = &Cut> {
        self.found.cuts.iter().map(|(why, _)| why)
    }
}

/// Violations that were found, with their places.
fn properties(found: &Exploration) -> impl Iterator<Item = (Property, Loc)> {
    let failing = found.violations.iter();
    let failing = failing.map(|(loc, property)| (*property, *loc));
    let undefined = found.cuts.iter().filter_map(|(why, loc)| match why {
        Cut::Undefined(why) => Some((Property::Defined(*why), *loc)),
        _ => None,
    });
    let leaks = found.leaks.iter();
    let leaks = leaks.map(|(loc, property)| (*property, *loc));
    failing.chain(undefined).chain(leaks)
}

/// Reads and explores a program under sequential consistency.
pub fn prepare(text: &str) -> Result<Result<Prepared, Skip>, Fault> {
    prepare_under(MemoryModel::Sc, text)
}

/// Reads and explores a program under a memory model.
pub fn prepare_under(memory: MemoryModel, text: &str) -> Result<Result<Prepared, Skip>, Fault> {
    let program = read(text)?;
    prepared(program, memory, Checks::ASSERT)
}

/// Reads and explores a program under sequential consistency, for all checks but those of races, of which not every scheme knows, and of
/// deadlocks, for which programs are read in another way: all violations are found.
pub fn prepare_for_all(text: &str) -> Result<Result<Prepared, Skip>, Fault> {
    let all: Checks = Check::ALL.into_iter().collect();
    prepare_for(text, all.without(Check::Race).without(Check::Deadlock))
}

/// The same for these checks; of assertions alone perhaps only the first violation.
pub fn prepare_for(text: &str, checks: Checks) -> Result<Result<Prepared, Skip>, Fault> {
    prepared(read_for(text, checks)?, MemoryModel::Sc, checks)
}

fn prepared(
    program: ir::Program,
    memory: MemoryModel,
    checks: Checks,
) -> Result<Result<Prepared, Skip>, Fault> {
    let limits = limits(checks == Checks::ASSERT, checks);
    let found = search(&program, memory, &limits)?;
    let prepared = |found| Prepared {
        program,
        memory,
        checks,
        found,
    };
    Ok(found.map(prepared).ok_or(Skip::TooLarge))
}

/// Compares subjects that know weak memory with the enumeration under every memory model: what each says.
pub fn compare_models(text: &str, subjects: &[Subject]) -> Result<Vec<Result<Truth, Skip>>, Fault> {
    let all = MemoryModel::ALL.into_iter().map(|memory| {
        let named = |fault: Fault| Fault {
            kind: format!("{} under {}", fault.kind, memory.name()),
            ..fault
        };
        match prepare_under(memory, text).map_err(named)? {
            Ok(prepared) => compare_prepared(&prepared, subjects).map_err(named),
            Err(skip) => Ok(Err(skip)),
        }
    });
    all.collect()
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
    let Prepared {
        program, memory, ..
    } = prepared;
    // What is seen as an array stays one.
    let races = prepared.checks.contains(Check::Race);
    let fresh = || {
        let unroller = Unroller::new(program);
        let unroller = unroller.map_err(|e| Fault::new("unroll", format!("{e:?}")))?;
        Ok(match races {
            true => unroller.knowing(Arc::new(Sites::of(program))),
            false => unroller,
        })
    };
    let (mut unroller, mut with_arrays) = (fresh()?, fresh()?);
    let bounds = Bounds {
        unwind: UNWIND,
        recursion: 8,
        loop_events: 64,
        loop_instructions: 2000,
        memory: *memory,
        ..Bounds::default()
    };
    for subject in subjects {
        let bounds = Bounds {
            idle_rule: subject.idle_rule,
            listed: if subject.arrays { 1 } else { 48 },
            unset_words: subject.unset_words,
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
        if subject.reduce {
            race::discharge(&mut events);
        }
        if let Some(skip) = one(prepared, &mut events, *subject, &budget)? {
            return Ok(Err(skip));
        }
    }
    Ok(Ok(prepared.truth()))
}

fn one(
    prepared: &Prepared,
    events: &mut EventProgram,
    subject: Subject,
    budget: &Budget,
) -> Result<Option<Skip>, Fault> {
    let Prepared { program, found, .. } = prepared;
    let fault = |kind: &str, details: String| {
        Err(Fault::new(
            format!("{} {kind}", subject.scheme.name()),
            format!("{subject:?}: {details}"),
        ))
    };
    let Some(mut solver) = sat::open(subject.solver, 0) else {
        return Ok(None);
    };
    let Checked { answer, level, .. } = match question::check_within(
        events,
        &Options {
            reduce: subject.reduce,
            checks: prepared.checks,
            ..Options::new(subject.scheme)
        },
        solver.as_mut(),
        &mut question::all_count,
        budget,
    ) {
        Ok(answer) => answer,
        Err(inconsistent) => return fault("inconsistent", inconsistent.to_string()),
    };
    let (executions, reach) = match answer {
        Answer::Stopped { .. } => return Ok(Some(Skip::TooSlow)),
        Answer::Violated { executions, reach } => (executions, reach),
        Answer::Safe(reach) => (Vec::new(), Ok(reach)),
    };
    let expected = prepared.violations();
    // Not every load that needs a value is known to have none; executions go on then.
    let is_unwritten = |event: &Event| {
        matches!(
            event.kind,
            EventKind::Cut {
                why: Cut::Unwritten
            }
        )
    };
    let is_unwritten = events.events.iter().any(is_unwritten);
    let mut claimed = BTreeSet::new();
    for execution in &executions {
        let schedule = decode(events, &execution.order, execution.target, |t| {
            execution.value(&events.terms, t)
        });
        let fine = |own: mu::Settings| {
            own.variant
                .is_some_and(|own| mu::Variant::FINE.contains(&own))
        };
        if matches!(subject.scheme, Scheme::Mu(own) if fine(own)) {
            let needed = writes_of(events, &execution.order);
            if needed > level {
                return fault("writes", format!("{needed} writes within {level}"));
            }
        }
        let replayed = replay(program, &schedule);
        if let Err(divergence) = &replayed {
            let order: Vec<String> = execution
                .order
                .iter()
                .map(|id| {
                    let event = &events.events[*id];
                    let value = match event.kind {
                        EventKind::Read { value, .. } | EventKind::Write { value, .. } => {
                            format!("{:#x} ", execution.value(&events.terms, value))
                        }
                        _ => String::new(),
                    };
                    format!(
                        "  {} of thread {}: {value}{:?} at {:?}\n",
                        id.0, event.thread.0, event.kind, event.position
                    )
                })
                .collect();
            return fault("diverged", format!("{divergence:?}\n{}", order.concat()));
        }
        let trace = replayed.ok();
        // Where addresses are looked at, numbers may lead to objects whose addresses nobody has asked for.
        let has_line = |trace: &Trace| trace.schedule().is_some() || !schedule.bases.is_empty();
        if !trace.as_ref().is_none_or(has_line) {
            return fault("line", "no line leads to the execution".into());
        }
        let shown = trace.as_ref().and_then(|trace| trace.race());
        let shown = shown.map(|race| race.places());
        let last = trace.and_then(|trace| trace.steps.last().cloned());
        let Some(Action::Violation { property, .. }) = last.map(|step| step.action) else {
            return fault("violation", "the trace does not end with one".into());
        };
        let place = (Check::of(property), events.place(execution.target));
        if shown.is_some_and(|(one, other)| place.1 != (one, Some(other))) {
            return fault("places", format!("{place:?}, but shown are {shown:?}"));
        }
        claimed.insert(place);
        let is_new = match prepared.checks {
            // The enumeration ended at the first.
            Checks::ASSERT => expected.is_empty(),
            _ => !expected.contains(&place),
        };
        // It may need addresses that the enumeration does not try.
        if is_new && !subject.idle_rule && !found.observed {
            // It may need free values that the enumeration did not try, and need not be the first violation with them.
            let mut limits = limits(false, prepared.checks);
            limits.needs_values = !is_unwritten;
            limits
                .inputs
                .extend(schedule.inputs.values().map(|value| *value as i128));
            let words = words(&schedule);
            // Objects have other addresses in the enumeration: such a pointer it cannot try.
            let is_address = |word: &i128| {
                let slot = schedule.space.slot(*word as u64);
                let mut bases = schedule.bases.values();
                slot.is_some_and(|slot| schedule.slots.values().any(|known| *known == slot))
                    || bases.any(|base| base.abs_diff(*word as u64) < 1 << 16)
            };
            if words.iter().any(is_address) {
                continue;
            }
            limits.uninitialised.extend(words);
            let bytes = schedule.memory.values().flatten();
            limits
                .uninitialised
                .extend(bytes.map(|(_, byte)| i128::from(*byte)));
            limits
                .uninitialised
                .extend(schedule.inputs.values().map(|value| *value as i128));
            let more = search(program, events.memory, &limits)?;
            // With such values, too, it may need other addresses.
            if more.is_some_and(|found| {
                !found.observed && !prepared.checks_of(&found).contains(&place)
            }) {
                return fault("missed by the enumeration", format!("{place:?} replays"));
            }
        }
    }
    let Ok(reach) = reach else {
        return Ok(Some(Skip::TooSlow));
    };
    let Reach {
        cuts,
        unsure,
        asserted,
        complete,
        ..
    } = reach;
    let is_asked = |why: &Cut| match why {
        Cut::Undefined(why) => prepared.checks.asks(Property::Defined(*why)),
        _ => false,
    };
    let reached = found
        .cuts
        .iter()
        .filter(|(why, _)| !is_asked(why))
        .map(|(why, _)| class(why))
        .collect::<BTreeSet<_>>();
    let classes = |cuts: &[EventId]| -> BTreeSet<String> {
        let cuts = cuts.iter().filter_map(|id| match &events.events[*id].kind {
            EventKind::Cut { why } => Some(class(why)),
            _ => None,
        });
        cuts.collect()
    };
    let mut named = classes(&cuts);
    // Nobody had the patience to ask whether these are reached.
    let perhaps = classes(&unsure);
    // Only the enumeration knows what running threads hold.
    let is_held = named.remove(&class(&Cut::Held));
    let is_endless = named.remove(&class(&Cut::Endless));
    named.remove(&class(&Cut::Unwritten));
    named.remove(&class(&Cut::Stays));
    let is_unwatched = named.remove(&class(&Cut::Unwatched));
    // Nobody follows addresses through parts of an array or a large block: that is refused, and the verdict is
    // UNKNOWN.
    let of_block = |id: &EventId| match &events.events[*id].kind {
        EventKind::Cut {
            why: Cut::Unsupported(what),
        } => what.contains("large block"),
        _ => false,
    };
    let refuses = subject.arrays || found.observed || cuts.iter().any(of_block);
    if refuses && named.contains(UNSUPPORTED) && !reached.contains(UNSUPPORTED) {
        return Ok(None);
    }
    // Rounds may be enough for what bounds on store buffers leave.
    let bounded = matches!(subject.scheme, Scheme::Lazy(own) if own.buffers.is_bounded());
    let is_unset = class(&Cut::Unset);
    let ends = named.remove(&is_unset) || perhaps.contains(&is_unset);
    let complete = complete && !bounded && !ends;
    let is_open = |check: Check| match check {
        Check::Leak => is_held,
        Check::Undefined => is_unwritten,
        Check::Race => is_unwatched,
        _ => false,
    };
    if complete && prepared.program.asks_for_leaks() && found.deadlock && !is_endless {
        return fault("endless", "a deadlock is reached and not known".into());
    }
    let is_missed = match prepared.checks {
        Checks::ASSERT => claimed.is_empty() && !expected.is_empty(),
        _ => expected
            .iter()
            .any(|place| !(claimed.contains(place) || is_open(place.0))),
    };
    if complete && is_missed {
        return fault("missed", format!("{expected:?}, but found are {claimed:?}"));
    }
    if !expected.is_empty() || !claimed.is_empty() || subject.idle_rule {
        return Ok(None);
    }
    // What else is claimed may need other addresses.
    let missing = complete
        && !reached
            .iter()
            .all(|cut| named.contains(cut) || perhaps.contains(cut));
    if missing || (!found.observed && !named.is_subset(&reached)) {
        return fault(
            "cuts",
            format!("claims {named:?}, but reached are {reached:?}"),
        );
    }
    // A branch that leads to `assert(0)` counts as an assertion there, so more may be claimed.
    if complete && found.asserted && asserted == Some(false) {
        return fault(
            "assertions",
            "an assertion that is reached is not known".into(),
        );
    }
    Ok(None)
}

/// The class of what is not modelled.
const UNSUPPORTED: &str = "unsupported";

/// Class of a cut: the part of it that is compared.
fn class(why: &Cut) -> String {
    match why {
        // Which loop is cut, is told.
        Cut::Unwind(of) | Cut::LoopBudget(of) => format!("unwinding of {of:?}"),
        Cut::Recursion(function) => format!("recursion of {function:?}"),
        Cut::Held => "held".into(),
        Cut::Endless => "endless".into(),
        Cut::Unwritten => "unwritten".into(),
        Cut::Unset => "unset".into(),
        Cut::Unwatched => "unwatched".into(),
        Cut::Stays => "stays".into(),
        Cut::Threads => "threads".into(),
        Cut::ObjectSize { .. } => "object size".into(),
        // Which of them it is, a replay knows.
        Cut::Undefined(
            Undefined::InvalidAccess
            | Undefined::InvalidFree
            | Undefined::UseAfterFree
            | Undefined::StalePointer
            | Undefined::DoubleFree
            | Undefined::StaleFree,
        ) => "invalid address".into(),
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

/// Runs something on as many threads as there are processors, whose stacks hold what nests deeply.
#[cfg(test)]
pub fn on_deep_stacks<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new()
        .stack_size(256 << 20)
        .build();
    pool.expect("threads can be started").install(run)
}
