//! Native reproduction: the user's own program, compiled with a counterexample's schedule enforced.
//!
//! The text is instrumented, at the few places alone at which the schedule hands over from one thread to another: a call of
//! `selvedge_point` right before the read, write or operation that comes later. Everything else is compiled as it stands, so that a
//! debugger shows the user's program. (A breakpoint for each hand-over would need a debugger to run at all, and wrappers of library functions
//! alone cannot stop a thread between two accesses of memory.) One thread runs at a time; the runtime (`selvedge.c`) says which, supplies
//! inputs, and replaces operations that wait by what the schedule makes of them.

mod edit;
mod inputs;
mod names;
mod nodes;
mod plan;
mod points;
mod program;

use crate::base::sorted::{SortedMap, SortedSet};
use crate::base::{DataModel, Loc};
use crate::event::{MemoryModel, ThreadId};
use crate::ir::{Check, Program, Property};
use crate::source::place::file_line;
use crate::source::{Source, Sources};
use crate::trace::Trace;
use crate::trace::replay::log::logged;
use crate::trace::tape::{End, Tape};
use inputs::Origin;
use names::Names;
use nodes::Nodes;
use plan::{Plan, Point, Until, plan};
use points::Files;
use std::path::{Path, PathBuf};

/// Files of a reproduction, by their names in its folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reproduction {
    /// Names and contents.
    pub files: Vec<(PathBuf, String)>,
    /// Reasons for which another machine or library may behave differently.
    pub doubts: Vec<String>,
}

/// The program that shows a counterexample when it runs.
///
/// `flags` are those of the compiler for a file.
///
/// # Errors
/// The reason why the execution cannot be reproduced.
pub fn reproduce(
    program: &Program,
    sources: &Sources,
    trace: &Trace,
    flags: &dyn Fn(&Path) -> Vec<String>,
) -> Result<Reproduction, String> {
    let tape = trace.tape.as_deref();
    let tape = tape.ok_or("the counterexample has no schedule of one line")?;
    let property = trace.violation().ok_or("the counterexample has no end")?;
    refuse(tape, property, program.model)?;
    let log = logged(program, tape)
        .map_err(|diverged| format!("the schedule is not reproduced: {:?}", diverged.why))?;
    let units: Vec<(Loc, &Source)> = sources.units().collect();
    let mut nodes = Vec::new();
    for (start, source) in &units {
        let found = Nodes::of(source).map_err(|error| error.message.to_string())?;
        nodes.push((*start, found));
    }
    let names = Names(&nodes);
    let goes_on = going_on(trace, tape);
    let plan = plan(&log, &names, &goes_on);
    let points: SortedSet<Point> = plan
        .turns
        .iter()
        .filter_map(|turn| turn.until.point())
        .collect();
    let points: Vec<Point> = points.into_iter().collect();
    let mut files: Files = SortedMap::new();
    points::place(&points, &names, &units, &mut files).map_err(|(loc, why)| {
        let place = file_line(sources, loc);
        format!("no thread can be stopped at {place}: {why}")
    })?;
    points::mark(&names, &units, &mut files);
    let (values, mut doubts) = values(&plan, &names, sources);
    doubts.extend(doubtful(tape));
    let text = program::Program {
        plan: &plan,
        points: &points,
        goes_on: &goes_on,
        property,
        model: program.model,
        values: &values,
        units: &units,
        files: &files,
        flags,
    };
    Ok(Reproduction {
        files: text.files()?,
        doubts,
    })
}

/// Threads that go on together at the end.
fn going_on(trace: &Trace, tape: &Tape) -> Vec<ThreadId> {
    match &tape.end {
        End::Step => Vec::new(),
        End::Race(one, other) => vec![*one, *other],
        End::Deadlock(thread, _) => match trace.deadlock() {
            Some(deadlock) => deadlock.waiters.iter().map(|one| one.thread).collect(),
            None => vec![*thread],
        },
    }
}

/// Executions that no compiled program can be made to follow.
fn refuse(tape: &Tape, property: Property, model: DataModel) -> Result<(), String> {
    if tape.memory != MemoryModel::Sc {
        return Err("when a store leaves a store buffer is not for a program to decide".into());
    }
    if !tape.stops.is_empty() {
        return Err("a copy or fill of memory is interrupted within".into());
    }
    if Check::of(property) == Check::Misuse {
        return Err("misuse of a synchronisation object is not reported by the library".into());
    }
    if property == Property::Race && model == DataModel::Ilp32 {
        return Err("ThreadSanitizer needs 64 bits (--64)".into());
    }
    Ok(())
}

/// Reasons for which the program may take another way.
fn doubtful(tape: &Tape) -> Vec<String> {
    let mut doubts = Vec::new();
    if !tape.bases.is_empty() {
        doubts.push("it looks at addresses, which the allocator chooses".to_string());
    }
    if !tape.unset.is_empty() {
        doubts.push("it reads memory that was never written".to_string());
    }
    doubts
}

/// Functions that give any value, each with its type and values.
type Values<'a> = SortedMap<&'a str, (&'a str, Vec<u128>)>;

/// Values by function, and which cannot be supplied.
fn values<'a>(plan: &Plan, names: &'a Names, sources: &Sources) -> (Values<'a>, Vec<String>) {
    let mut values = Values::from([(inputs::TIMED_OUT, ("_Bool", Vec::new()))]);
    let mut doubts = Vec::new();
    for &(loc, source, value) in &plan.inputs {
        let function = names.callee(loc);
        let place = || file_line(sources, loc);
        match function.map(|function| (function, inputs::origin(function, source))) {
            Some((_, Origin::Result(name, ty))) => {
                let entry = values.entry(name).or_insert_with(|| (ty, Vec::new()));
                entry.1.push(value);
            }
            Some((_, Origin::Schedule)) => {}
            Some((name, Origin::Allocator)) => {
                if value == 0 {
                    doubts.push(format!("`{name}` fails at {}", place()));
                }
            }
            _ if value == 0 => {}
            Some((name, Origin::Elsewhere)) => {
                doubts.push(format!("what `{name}` returns is not supplied"));
            }
            None => doubts.push(format!("a value at {} was never set", place())),
        }
    }
    doubts.dedup();
    (values, doubts)
}

impl Until {
    fn point(self) -> Option<Point> {
        match self {
            Until::Point(point, _) => Some(point),
            Until::Gone | Until::Over => None,
        }
    }
}
