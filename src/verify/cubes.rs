//! Cubes of one level of bounds: decided by so many threads at once, each with a solver of its own, and put together.
//!
//! No execution violates anything if none of any cube does; the answer then reaches as far as those of all cubes. Violations are
//! those of all cubes; where the first is enough, it ends the others. A cube that was not decided leaves the level without an answer.

use super::ask::{self, Ask, Decision, Questions};
use super::faults::{self, Fault};
use super::findings::Findings;
use super::request::{Request, Split};
use super::result::Failure;
use crate::base::{Budget, StopReason};
use crate::event::{Cut, EventId, EventProgram};
use crate::lanes::{self, Body};
use crate::outcome;
use crate::question::{self, Answer, Cubes, Execution, Open, Options, Reach, Scheme, Unencoded};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

/// Decides a program cube by cube, or one of its cubes.
pub(super) fn decide(
    request: &Request,
    split: Split,
    scheme: Scheme,
    mut events: EventProgram,
    findings: &Findings,
    budget: &Budget,
) -> Result<Decision, Failure> {
    let mut options = ask::options(request, scheme);
    if std::mem::take(&mut options.reduce) {
        scheme.reduce(&mut events);
    }
    let cubes = match cubes(&mut events.clone(), &options, split, budget)? {
        Ok(cubes) => Arc::new(cubes),
        Err(reason) => {
            let answer = Answer::Stopped {
                reason,
                safe: false,
            };
            return Ok(undecided(scheme, answer, events));
        }
    };
    let numbers = match split.only {
        Some(only) => only - 1..only,
        None => 0..cubes.count(),
    };
    let events = Arc::new(events);
    let largest: Arc<Mutex<Option<Largest>>> = Arc::default();
    let part = |number: usize| -> Body<Part, Failure> {
        let (events, cubes) = (Arc::clone(&events), Arc::clone(&cubes));
        let (findings, ask) = (findings.clone(), Ask::of(request, options));
        let largest = Arc::clone(&largest);
        Box::new(move |budget| {
            let is_lost = faults::on(Fault::CubeLost) && number + 1 == cubes.count();
            if number >= cubes.count() || is_lost {
                // The program splits into fewer cubes than were asked for.
                return Ok(Part::EMPTY);
            }
            let questions: &Questions<'_> = &|program, options, solver, judge, budget| {
                let cube = (&*cubes, number);
                question::check_cube(program, options, cube, solver, judge, budget).map(Some)
            };
            let decision = ask.ask(questions, (*events).clone(), &findings, budget)?;
            let decision = decision.expect("cubes are decided, or say why not");
            let part = Part {
                answer: decision.answer,
                level: decision.level,
                solver: decision.solver,
                size: (decision.variables, decision.clauses),
            };
            Largest::update(&largest, number, decision.events);
            Ok(part)
        })
    };
    let parts: Vec<_> = numbers.map(part).collect();
    let jobs = request.jobs.unwrap_or_else(processors);
    let is_enough = if request.first { has_violation } else { never };
    let results = lanes::all("cube", parts, jobs, is_enough, budget)?;
    let mut union = Union::new();
    let count = results.len();
    let cut = |event: EventId| events.cut(event).cloned();
    for result in results {
        match result {
            Some(part) => union.add(part, &cut),
            None => union.stop(budget.reason().unwrap_or(StopReason::Interrupted), false),
        }
    }
    let (solver, (variables, clauses)) = (union.solver, union.size);
    let (level, decided) = (union.level(), union.decided);
    let of_largest = largest
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    Ok(Decision {
        scheme,
        level,
        answer: union.answer(),
        events: of_largest.map_or_else(|| Arc::unwrap_or_clone(events), |one| one.events),
        solver,
        variables,
        clauses,
        question: None,
        cubes: Some(outcome::Cubes {
            count: split.only.map_or(count, |_| split.count),
            decided,
            only: split.only,
        }),
    })
}

/// What is kept of a cube.
struct Part {
    answer: Answer,
    level: u32,
    solver: &'static str,
    /// Variables and clauses.
    size: (usize, usize),
}

impl Part {
    /// A part without executions.
    const EMPTY: Part = Part {
        answer: Answer::Safe(NOTHING),
        level: 0,
        solver: "",
        size: (0, 0),
    };
}

/// The program with the terms of the cube that has made most of them: those of all cubes are among them, as encodings are equal and go on from
/// there in one way.
struct Largest {
    number: usize,
    events: EventProgram,
}

impl Largest {
    /// Takes note of the program of a cube.
    fn update(largest: &Mutex<Option<Largest>>, number: usize, events: EventProgram) {
        let mut largest = largest.lock().unwrap_or_else(PoisonError::into_inner);
        let size = |one: &Largest| (one.events.terms.len(), Reverse(one.number));
        let one = Largest { number, events };
        if largest.as_ref().is_none_or(|most| size(most) < size(&one)) {
            *largest = Some(one);
        }
    }
}

/// Splits the executions of a program; or the budget ended that.
fn cubes(
    program: &mut EventProgram,
    options: &Options,
    split: Split,
    budget: &Budget,
) -> Result<Result<Cubes, StopReason>, Failure> {
    let cubes = match question::Encoding::within(program, options, budget) {
        Ok(mut encoding) => encoding.cubes(program, split.count, budget),
        Err(Unencoded::Stopped(reason)) => Err(reason),
        Err(Unencoded::NoModel(scheme, memory)) => {
            return Err(Failure::NoModel(scheme.name(), memory));
        }
    };
    match cubes {
        Ok(cubes) if !cubes.cover_everything() => Err(question::Unfit::Uncovered.into()),
        cubes => Ok(cubes),
    }
}

/// Processors of this machine.
fn processors() -> usize {
    available_parallelism().map_or(1, usize::from)
}

fn has_violation(part: &Part) -> bool {
    matches!(part.answer, Answer::Violated { .. })
}

fn never(_: &Part) -> bool {
    false
}

/// An answer without cubes: the budget has ended the search for them.
fn undecided(scheme: Scheme, answer: Answer, events: EventProgram) -> Decision {
    Decision {
        scheme,
        level: 0,
        answer,
        events,
        solver: "",
        variables: 0,
        clauses: 0,
        question: None,
        cubes: None,
    }
}

/// Reach of the answer that there is no execution at all.
const NOTHING: Reach = Reach {
    cuts: Vec::new(),
    unsure: Vec::new(),
    ends: Vec::new(),
    asserted: None,
    complete: true,
};

/// Reasons of cuts.
type CutOf<'a> = &'a dyn Fn(EventId) -> Option<Cut>;

/// Answers of cubes as they are put together.
struct Union {
    executions: Vec<Execution>,
    cuts: BTreeMap<Cut, EventId>,
    unsure: BTreeMap<Cut, EventId>,
    ends: Vec<Execution>,
    asserted: Option<bool>,
    /// The highest level that questions have come to, and the lowest of those that leave something out.
    level: u32,
    exceeded: Option<u32>,
    /// Reason why it is not known whether there are more violations.
    open: Option<Open>,
    /// Reason why a cube was not decided, and whether all of those have no violation so far.
    stopped: Option<StopReason>,
    is_safe: bool,
    decided: usize,
    solver: &'static str,
    /// Of the largest formula.
    size: (usize, usize),
}

impl Union {
    /// No cube has an answer.
    fn new() -> Union {
        Union {
            executions: Vec::new(),
            cuts: BTreeMap::new(),
            unsure: BTreeMap::new(),
            ends: Vec::new(),
            asserted: None,
            level: 0,
            exceeded: None,
            open: None,
            stopped: None,
            is_safe: true,
            decided: 0,
            solver: "",
            size: (0, 0),
        }
    }

    /// Adds the answer of a cube.
    fn add(&mut self, part: Part, cut: CutOf) {
        let Part {
            answer,
            level,
            solver,
            size,
        } = part;
        self.size = self.size.max(size);
        if !solver.is_empty() {
            self.solver = solver;
        }
        match answer {
            Answer::Violated { executions, reach } => {
                self.executions.extend(executions);
                match reach {
                    Ok(reach) => self.reach(reach, level, cut),
                    Err(open) => {
                        let is_stopped = matches!(self.open, Some(Open::Stopped(_)));
                        self.open = self.open.filter(|_| is_stopped).or(Some(open));
                    }
                }
            }
            Answer::Safe(reach) => self.reach(reach, level, cut),
            Answer::Stopped { .. } if faults::on(Fault::StoppedCounts) => {
                self.reach(NOTHING, level, cut);
            }
            Answer::Stopped { reason, safe } => self.stop(reason, safe),
        }
    }

    fn stop(&mut self, reason: StopReason, safe: bool) {
        self.stopped.get_or_insert(reason);
        self.is_safe &= safe;
    }

    /// Adds what a cube that is decided leaves out.
    fn reach(&mut self, reach: Reach, level: u32, cut: CutOf) {
        self.decided += 1;
        self.level = self.level.max(level);
        if !reach.complete {
            self.exceeded = Some(self.exceeded.map_or(level, |least| least.min(level)));
        }
        self.asserted = match (self.asserted, reach.asserted) {
            (Some(one), Some(other)) => Some(one || other),
            (one, other) => one.or(other),
        };
        for (all, of) in [
            (&mut self.cuts, reach.cuts),
            (&mut self.unsure, reach.unsure),
        ] {
            for event in of {
                if let Some(why) = cut(event) {
                    let known = all.entry(why).or_insert(event);
                    *known = event.min(*known);
                }
            }
        }
        self.ends.extend(reach.ends);
    }

    /// The level of the scheme's own bounds that all cubes have come to.
    fn level(&self) -> u32 {
        self.exceeded.unwrap_or(self.level)
    }

    fn answer(self) -> Answer {
        let Union { cuts, unsure, .. } = self;
        let unsure = unsure
            .into_iter()
            .filter(|(why, _)| !cuts.contains_key(why));
        let unsure = unsure.map(|(_, event)| event).collect();
        let sorted = |mut events: Vec<EventId>| {
            events.sort_unstable();
            events
        };
        let reach = Reach {
            unsure: sorted(unsure),
            cuts: sorted(cuts.into_values().collect()),
            ends: self.ends,
            asserted: self.asserted,
            complete: self.exceeded.is_none(),
        };
        let is_found = !self.executions.is_empty();
        match (self.stopped, self.open) {
            (None, None) if !is_found => Answer::Safe(reach),
            (Some(reason), _) if !is_found => Answer::Stopped {
                reason,
                safe: self.is_safe,
            },
            (stopped, open) => Answer::Violated {
                executions: self.executions,
                reach: match (stopped, open) {
                    (_, Some(Open::Stopped(reason))) => Err(Open::Stopped(reason)),
                    (_, Some(Open::Unasked)) => Err(Open::Unasked),
                    (Some(reason), None) => Err(Open::Stopped(reason)),
                    (None, None) => Ok(reach),
                },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stopped(safe: bool) -> Answer {
        let reason = StopReason::Timeout;
        Answer::Stopped { reason, safe }
    }

    fn violated(reach: Result<Reach, Open>) -> Answer {
        Answer::Violated {
            executions: vec![Execution {
                order: Vec::new(),
                target: EventId(0),
                values: Vec::new(),
                places: std::collections::BTreeSet::new(),
                blocked: std::collections::BTreeSet::new(),
            }],
            reach,
        }
    }

    /// An answer that leaves these events out, and what is beyond the level, or not.
    fn safe(cuts: &[u32], complete: bool) -> Answer {
        Answer::Safe(Reach {
            cuts: cuts.iter().map(|&cut| EventId(cut)).collect(),
            complete,
            ..NOTHING
        })
    }

    fn part(answer: Answer, level: u32) -> Part {
        Part {
            answer,
            level,
            ..Part::EMPTY
        }
    }

    /// Answers with their levels, put together, with the level; each event is a cut of its own kind.
    fn union(all: Vec<(Answer, u32)>) -> (Answer, u32, usize) {
        let mut union = Union::new();
        for (answer, level) in all {
            let cut = |event: EventId| {
                Some(Cut::ObjectSize {
                    most: u64::from(event.0),
                })
            };
            union.add(part(answer, level), &cut);
        }
        let (level, decided) = (union.level(), union.decided);
        (union.answer(), level, decided)
    }

    #[test]
    fn all_cubes_make_an_answer() {
        let all = vec![
            (safe(&[3, 1], true), 2),
            (safe(&[], true), 4),
            (safe(&[1, 2], true), 1),
        ];
        assert_eq!(union(all), (safe(&[1, 2, 3], true), 4, 3));
        // What is within the lowest level that is not enough is known of all.
        let all = vec![
            (safe(&[], true), 5),
            (safe(&[], false), 2),
            (safe(&[], false), 3),
        ];
        assert_eq!(union(all), (safe(&[], false), 2, 3));
    }

    #[test]
    fn a_cube_that_is_not_decided_leaves_no_answer() {
        let all = vec![(safe(&[], true), 2), (stopped(true), 1)];
        assert_eq!(union(all), (stopped(true), 2, 1));
        let all = vec![(stopped(true), 1), (stopped(false), 1)];
        assert_eq!(union(all).0, stopped(false));
        let mut missing = Union::new();
        missing.add(part(safe(&[], true), 1), &|_| None);
        missing.stop(StopReason::Timeout, false);
        assert_eq!(missing.answer(), stopped(false));
    }

    #[test]
    fn a_violation_is_one_whatever_others_say() {
        let found = violated(Err(Open::Unasked));
        assert_eq!(
            union(vec![(safe(&[], true), 1), (found.clone(), 1)]).0,
            found
        );
        let (answer, ..) = union(vec![(stopped(false), 1), (found.clone(), 1)]);
        assert_eq!(answer, found);
        let (answer, ..) = union(vec![(stopped(true), 1), (violated(Ok(NOTHING)), 1)]);
        assert_eq!(answer, violated(Err(Open::Stopped(StopReason::Timeout))));
        let (answer, ..) = union(vec![(safe(&[4], true), 1), (violated(Ok(NOTHING)), 1)]);
        let Answer::Violated { reach, .. } = answer else {
            panic!("{answer:?}");
        };
        assert_eq!(reach.map(|reach| reach.cuts), Ok(vec![EventId(4)]));
    }

    #[cfg(feature = "faults")]
    #[test]
    fn seeded_faults_are_noticed() {
        use crate::base::faults::record::Campaign;
        let campaign = Campaign {
            name: "cubes-together",
            faults: vec![(Fault::StoppedCounts, ())],
            programs: vec!["stopped".to_string()],
        };
        campaign.run(|_, (), _| {
            let all = vec![(safe(&[], true), 1), (stopped(false), 1)];
            Some(union(all).0 == stopped(false))
        });
    }
}
