//! Segments of an execution: what a witness says of it.
//!
//! There is a waypoint for each pass of a thread through a statement in which others may notice it, at the beginning of the statement and
//! before those of functions that it calls; one for each thread that is created; and one for each value that the program asks for. What is
//! between them is for nobody else. Where within a statement another thread comes in between, no waypoint says.

use super::passes::Passes;
use super::sites::{Called, Sites};
use crate::base::Loc;
use crate::event::ThreadId;
use crate::ir::{Check, InstrKind, NondetSource, Program};
use crate::trace::replay::executed::{Executed, Kind as Did};
use crate::trace::replay::log::logged;
use crate::trace::tape::End;
use crate::trace::{Trace, Value};
use crate::witness::{Kind, Place, Segment, Waypoint};
use hashbrown::{HashMap, HashSet};

/// The segments of a finding's execution.
///
/// # Errors
/// The reason why there are none.
pub fn segments(
    program: &Program,
    sites: &mut Sites<'_>,
    trace: &Trace,
) -> Result<Vec<Segment>, String> {
    let tape = trace.tape.as_deref();
    let tape = tape.ok_or("the counterexample has no schedule of one line")?;
    if tape.memory.is_weak() {
        return Err("the formats know no store buffers".to_string());
    }
    if tape.check == Check::Deadlock {
        return Err("the formats have no waypoint for a deadlock".to_string());
    }
    let log = logged(program, tape)
        .map_err(|diverged| format!("the schedule is not replayed: {:?}", diverged.why))?;
    let mut executed = log.executed;
    for side in trace.race().iter().flat_map(|race| &race.sides) {
        if side.section {
            executed = postponed(executed, side.thread);
        }
    }
    let has_threads = executed
        .iter()
        .any(|one| matches!(one.kind, Did::Create(_)));
    let mut export = Export {
        sites,
        numbers: has_threads.then(|| HashMap::from([(ThreadId(0), 0)])),
        found: Vec::new(),
        noticed: HashSet::new(),
        named: HashSet::new(),
    };
    export.look(&executed);
    let (last, before) = match (&tape.end, executed.split_last()) {
        (End::Step, Some((last, before))) => (Some(last), before),
        _ => (None, &executed[..]),
    };
    export.follow((program, trace), before);
    let targets = match (last, trace.race()) {
        (Some(last), _) => vec![export.target(last.thread, last.loc)],
        (None, Some(race)) => {
            let sides = race.sides.iter();
            let both = sides.map(|side| export.target(side.thread, side.loc));
            both.collect()
        }
        (None, None) => return Err("the execution has no end that a waypoint names".to_string()),
    };
    let targets: Option<Vec<Waypoint>> = targets.into_iter().collect();
    let targets = targets.ok_or("no text of the program stands for its end")?;
    // Who begins a statement and violates the property in it, says so once.
    while let Some(last) = export.found.last()
        && let [target] = targets.as_slice()
        && (&last.place, last.thread) == (&target.place, target.thread)
        && last.kind == Kind::begin()
    {
        export.found.pop();
    }
    let one = |waypoint| Segment(vec![waypoint]);
    let mut all: Vec<Segment> = export.found.into_iter().map(one).collect();
    all.push(Segment(targets));
    Ok(all)
}

/// The same execution in which a thread begins the atomic section last that it does not end: nobody else has noticed it.
fn postponed(executed: Vec<Executed>, thread: ThreadId) -> Vec<Executed> {
    let is_before = |one: &Executed| one.thread == thread && !one.in_section;
    let Some(begin) = executed.iter().rposition(is_before) else {
        return executed;
    };
    let all = executed.into_iter().enumerate();
    let (last, mut before): (Vec<_>, Vec<_>) =
        all.partition(|(index, one)| *index >= begin && one.thread == thread);
    before.extend(last);
    before.into_iter().map(|(_, one)| one).collect()
}

struct Export<'e, 's> {
    sites: &'e mut Sites<'s>,
    /// Numbers of threads, where there are several.
    numbers: Option<HashMap<ThreadId, u32>>,
    found: Vec<Waypoint>,
    /// Passes in which others may notice their thread.
    noticed: HashSet<(ThreadId, u32)>,
    /// Those that have a waypoint.
    named: HashSet<(ThreadId, u32)>,
}

impl Export<'_, '_> {
    /// Finds the passes that others may notice.
    fn look(&mut self, executed: &[Executed]) {
        let mut threads: HashMap<ThreadId, Passes> = HashMap::new();
        for one in executed {
            let passes = threads.entry(one.thread).or_default();
            passes.stand(one.depth, self.sites.site(one.loc));
            if let Some(pass) = passes.innermost().filter(|_| one.is_noticed) {
                self.noticed.insert((one.thread, pass.number));
            }
        }
    }

    /// Finds the waypoints.
    fn follow(&mut self, (program, trace): (&Program, &Trace), executed: &[Executed]) {
        let begins = |child: ThreadId| {
            let thread = trace.threads.get(child.0 as usize)?;
            Some(thread.function.clone())
        };
        let mut threads: HashMap<ThreadId, Passes> = HashMap::new();
        // Values of variables, said where the next statement begins.
        let mut pending: HashMap<ThreadId, Vec<String>> = HashMap::new();
        for one in executed {
            let passes = threads.entry(one.thread).or_default();
            let site = self.sites.site(one.loc);
            let begins_pass = passes.stand(one.depth, site);
            if begins_pass
                && let Some(site) = site
                && let Some(all) = pending.remove(&one.thread)
                && let Some(pass) = passes.innermost()
            {
                self.named.insert((one.thread, pass.number));
                let place = self.sites.place(site).clone();
                self.add(one.thread, Kind::Assumption(all.join(" && ")), place);
            }
            let asked = input(program, one).filter(|_| self.sites.call(one.loc).is_some());
            if asked.is_none()
                && let Some(said) = variable(program, one)
            {
                pending.entry(one.thread).or_default().push(said);
            }
            let created = match one.kind {
                Did::Create(child) => Some(child),
                _ => None,
            };
            if !one.is_noticed && asked.is_none() && created.is_none() {
                continue;
            }
            for pass in passes.open() {
                let key = (one.thread, pass.number);
                if let Some(site) = pass.site
                    && self.noticed.contains(&key)
                    && self.named.insert(key)
                {
                    let place = self.sites.place(site).clone();
                    self.add(one.thread, Kind::begin(), place);
                }
            }
            if let Some(value) = asked
                && let Some(Called { function, place }) = self.sites.call(one.loc).cloned()
            {
                let kind = Kind::Return(format!("\\result == {value}"), Some(function));
                self.add(one.thread, kind, place);
            }
            if let Some(child) = created {
                if let Some(numbers) = &mut self.numbers {
                    let next = numbers.len() as u32;
                    numbers.insert(child, next);
                }
                let called = self.sites.call(one.loc).cloned();
                let site = self.sites.site(one.loc);
                let place = match (called, site) {
                    (Some(called), _) => called.place,
                    (None, Some(site)) => self.sites.place(site).clone(),
                    (None, None) => continue,
                };
                self.add(one.thread, Kind::Enter(begins(child)), place);
            }
        }
    }

    fn add(&mut self, thread: ThreadId, kind: Kind, place: Place) {
        let thread = self.number(thread);
        self.found.push(Waypoint {
            kind,
            place,
            thread,
            is_followed: true,
        });
    }

    /// The violation of a thread at a place.
    fn target(&mut self, thread: ThreadId, loc: Loc) -> Option<Waypoint> {
        let site = self.sites.site(loc)?;
        Some(Waypoint {
            kind: Kind::Target,
            place: self.sites.place(site).clone(),
            thread: self.number(thread),
            is_followed: true,
        })
    }

    fn number(&self, thread: ThreadId) -> Option<u32> {
        let numbers = self.numbers.as_ref()?;
        Some(numbers.get(&thread).copied().unwrap_or(thread.0))
    }
}

/// The value that an instruction of the program asks for, as it is written.
fn input(program: &Program, one: &Executed) -> Option<String> {
    match one.kind {
        Did::Input(NondetSource::Uninitialised, _) => None,
        _ => asked(program, one).map(|(_, value)| value.decimal()),
    }
}

/// The value that a variable has from now on which nobody gives one, as a condition; 0 where none was ever given is not worth a word.
fn variable(program: &Program, one: &Executed) -> Option<String> {
    let (name, value) = asked(program, one)?;
    let is_usual = matches!(one.kind, Did::Input(NondetSource::Uninitialised, 0));
    let name = name.filter(|_| !is_usual)?;
    Some(format!("{name} == {}", value.decimal()))
}

/// The value that an instruction chooses, and the name of the variable that gets it.
fn asked(program: &Program, one: &Executed) -> Option<(Option<String>, Value)> {
    let Did::Input(_, value) = one.kind else {
        return None;
    };
    let (function, block, index) = one.at;
    let function = &program.functions[function];
    let instr = function.blocks[block].instrs.get(index)?;
    let InstrKind::Nondet { dst, .. } = &instr.kind else {
        return None;
    };
    let info = &function.regs[*dst];
    let value = Value {
        bits: info.bits,
        value,
        reading: info.reading,
        name: None,
    };
    (!one.within).then(|| (info.name.clone(), value))
}
