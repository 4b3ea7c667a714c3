//! Plan of an execution for a compiled program: whose turn it is, and where each turn ends.
//!
//! A thread runs until it comes for the so many-th time to a *point*, a place in the program's text right before what is to happen later.
//! Only places at which some turn ends are points; what threads do between two of them needs no control, since one thread runs at a time.

use super::names::Names;
use crate::base::Loc;
use crate::event::ThreadId;
use crate::ir::NondetSource;
use crate::trace::replay::executed::{Executed, Kind};
use crate::trace::replay::log::Log;
use hashbrown::HashMap;

/// Place at which a thread can stop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Point {
    /// Before the expression from the one place to the other reads memory; true of a bit-field, or what may lie anywhere.
    Load(Loc, Loc, bool),
    /// Before it writes memory, likewise.
    Store(Loc, Loc, bool),
    /// Before the operation whose expression begins there.
    Operation(Loc),
    /// Within a function that waits, behind what it does before that.
    Waiting,
    /// Before the thread ends.
    End,
}

/// Turn of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Turn {
    pub thread: ThreadId,
    pub until: Until,
}

/// End of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Until {
    /// The thread comes to a point, the so many-th time, from 1.
    Point(Point, u64),
    /// The thread has ended.
    Gone,
    /// The execution is over.
    Over,
}

/// Plan of an execution.
#[derive(Debug)]
pub(super) struct Plan {
    pub turns: Vec<Turn>,
    /// Threads in the order of their creation.
    pub created: Vec<ThreadId>,
    /// Free values, in order: the place of the call that gave each, and its source.
    pub inputs: Vec<(Loc, NondetSource, u128)>,
}

/// The turns of an execution; those who go on together at the end make none of their own then.
pub(super) fn plan(log: &Log, names: &Names, goes_on: &[ThreadId]) -> Plan {
    let executed = &log.executed;
    let mut plan = Plan {
        turns: Vec::new(),
        created: Vec::new(),
        inputs: Vec::new(),
    };
    for one in executed {
        match one.kind {
            Kind::Create(child) => plan.created.push(child),
            Kind::Input(source, value) if !one.within => plan.inputs.push((one.loc, source, value)),
            _ => {}
        }
    }
    let history = History::new(executed, names);
    let mut begin = 0;
    while begin < executed.len() {
        let thread = executed[begin].thread;
        let same = |one: &&Executed| one.thread == thread;
        let end = begin + executed[begin..].iter().take_while(same).count();
        let is_last = end == executed.len();
        let until = if is_last && goes_on.is_empty() {
            Until::Over
        } else {
            history.until(log, thread, end)
        };
        // Without a step, the thread stands where it stood.
        let stood = plan.turns.iter().rev().find(|turn| turn.thread == thread);
        let has_moved = stood.is_none_or(|turn| turn.until != until);
        if has_moved || until == Until::Over {
            plan.turns.push(Turn { thread, until });
        }
        begin = end;
    }
    // Threads that go on but have not come to where they stand.
    for &thread in goes_on {
        if !executed.iter().any(|one| one.thread == thread) {
            let until = history.until(log, thread, executed.len());
            plan.turns.push(Turn { thread, until });
        }
    }
    plan
}

/// History of each thread up to some time.
struct History<'a> {
    executed: &'a [Executed],
    /// Positions of each thread's instructions, in order.
    own: HashMap<ThreadId, Vec<usize>>,
    names: &'a Names<'a>,
}

impl<'a> History<'a> {
    fn new(executed: &'a [Executed], names: &'a Names<'a>) -> History<'a> {
        let mut own: HashMap<ThreadId, Vec<usize>> = HashMap::new();
        for (index, one) in executed.iter().enumerate() {
            own.entry(one.thread).or_default().push(index);
        }
        History {
            executed,
            own,
            names,
        }
    }

    /// End of the turn of a thread of which the instructions before position `end` are over: its next step is for later.
    fn until(&self, log: &Log, thread: ThreadId, end: usize) -> Until {
        let all = self.own.get(&thread).map(Vec::as_slice).unwrap_or_default();
        let done = all.partition_point(|index| *index < end);
        // What is executed before the next step is nothing that others notice.
        let next = log.next.get(thread.0 as usize).into_iter().flatten();
        let executed = all.iter().map(|index| &self.executed[*index]);
        let whole: Vec<&Executed> = executed.chain(next).collect();
        let steps = (done..whole.len()).filter(|place| whole[*place].is_step);
        let mut points = steps.filter_map(|place| self.point(&whole[..place], whole[place]));
        match points.next() {
            Some((point, count)) => Until::Point(point, count),
            None => Until::Gone,
        }
    }

    /// Point right before a step of a thread that has executed these instructions before, and how often the thread comes there; `None` if
    /// the step ends an operation that has done something already, which goes on.
    fn point(&self, before: &[&Executed], step: &Executed) -> Option<(Point, u64)> {
        if step.kind == Kind::End {
            return Some((Point::End, 1));
        }
        if !step.within
            && step.end != Loc::NONE
            && let Kind::Load(_) | Kind::Store(_) = step.kind
            && self.names.is_access(step.loc, step.end)
        {
            let (from, to) = (step.loc, step.end);
            let point = match step.kind {
                Kind::Store(narrow) => Point::Store(from, to, narrow),
                // An assignment to a bit-field reads those beside it.
                Kind::Load(true) if self.names.is_assignment(from, to) => {
                    Point::Store(from, to, true)
                }
                Kind::Load(narrow) => Point::Load(from, to, narrow),
                _ => return None,
            };
            let is_same = |one: &&&Executed| {
                let kinds = (one.kind, step.kind);
                let alike = matches!(
                    kinds,
                    (Kind::Load(_), Kind::Load(_)) | (Kind::Store(_), Kind::Store(_))
                );
                alike && !one.within && (one.loc, one.end) == (step.loc, step.end)
            };
            let count = before.iter().filter(is_same).count() as u64 + 1;
            return Some((point, count));
        }
        // The operation that the step is a part of, which begins where its first instruction was executed last.
        let is_part = |one: &&&Executed| (one.loc, one.depth) == (step.loc, step.depth);
        let same = before.iter().rev().take_while(is_part).count();
        let run = &before[before.len() - same..];
        let head = run.first().map_or(step.at, |one| one.at);
        let is_head = |one: &Executed| !one.within && one.at == head && one.loc == step.loc;
        let part = match run.iter().rposition(|one| is_head(one)) {
            _ if is_head(step) => &[],
            Some(index) => &run[index..],
            None => run,
        };
        if let Some(wait) = self.names.waiting(step.loc) {
            let has_begun = part.iter().any(|one| wait.has_begun(one.kind));
            if has_begun {
                return Some((Point::Waiting, self.waits(before)));
            }
        }
        // What comes before the wait for a thread's end is a note of the library's model.
        if step.kind != Kind::Join && part.iter().any(|one| self.is_effect(one)) {
            return None;
        }
        let earlier = before[..before.len() - part.len()].iter();
        let earlier = earlier.filter(|one| is_head(one)).count() as u64;
        Some((Point::Operation(step.loc), earlier + 1))
    }

    /// True if an instruction of an operation changes something that others may notice.
    fn is_effect(&self, one: &Executed) -> bool {
        match one.kind {
            Kind::Store(_) | Kind::Unlock | Kind::Create(_) | Kind::End | Kind::Effect => {
                one.is_step
            }
            Kind::Load(_) | Kind::Join | Kind::Call | Kind::Input(..) | Kind::Other => false,
        }
    }

    /// Operations in which a thread has begun to wait so far.
    fn waits(&self, before: &[&Executed]) -> u64 {
        let begins = |one: &&&Executed| {
            let wait = self.names.waiting(one.loc);
            wait.is_some_and(|wait| wait.begins(one))
        };
        before.iter().filter(begins).count() as u64
    }
}
