//! Executions by witnesses: the segments of one (`export.rs`), and the search for one that passes given segments.
//!
//! The search goes depth-first over moves: a thread runs through what nobody else notices to its next step that others may notice, and
//! makes it. The witness says whose turn it is: a thread may begin a pass through a statement (`passes.rs`) with such a step only if the
//! next waypoint names it, and may go on in a pass that was named before; so the search is about where within statements others come in
//! between. Where that leads nowhere, it begins again, and whoever runs may move: witnesses of others name less.
//!
//! Waypoints are passed in order. Those to be avoided are not looked at, and neither are assumptions that cannot be evaluated: nothing hangs
//! on them, since what is found is replayed before it is an answer. If it does not replay, the search goes on.
//!
//! States that were seen before, at the same waypoint, are left. An entry of the stack stands for all threads that may move in its state, and
//! is asked for one after the other.

mod advance;
mod export;
mod expression;
mod guess;
mod passes;
mod sites;

pub use export::segments;
pub use expression::names;
pub use sites::Sites;

use crate::base::mix::mix;
use crate::base::{Budget, StopReason};
use crate::event::ThreadId;
use crate::ir::{Checks, Program};
use crate::trace::interpret::digest::Digests;
use crate::trace::interpret::state::{State, Status};
use crate::trace::interpret::{Bounds, Interpreter};
use crate::trace::replay::run::play;
use crate::trace::tape::Tape;
use crate::witness::{Kind, Place, Segment, Waypoint};
use advance::Step;
use guess::Script;
use hashbrown::HashSet;
use passes::Passes;
use rustc_hash::FxBuildHasher;
use std::path::Path;
use std::rc::Rc;

/// States that are looked at where all threads may move.
const MOST_STATES: usize = 20_000;

/// End of a search.
#[derive(Debug)]
pub enum Search {
    /// An execution, which replays.
    Found(Box<Tape>),
    /// There is none: the waypoint that is not passed, and its number, from 1.
    Nowhere(Option<(Waypoint, usize)>),
    /// The budget was used up.
    Stopped(StopReason),
}

/// Looks for an execution that passes the segments of a witness and violates one of these checks.
///
/// # Errors
/// What is wrong with the segments, or with the program's objects.
pub fn search(
    program: &Program,
    sites: &mut Sites<'_>,
    segments: &[Segment],
    checks: Checks,
    budget: &Budget,
) -> Result<Search, String> {
    let (last, before) = segments.split_last().ok_or("the witness has no segment")?;
    let waypoints = before.iter().flat_map(|segment| &segment.0);
    let waypoints = waypoints.filter(|one| one.is_followed).cloned();
    let waypoints: Vec<Rc<Waypoint>> = waypoints.map(Rc::new).collect();
    let targets = targets(last)?;
    let mut furthest = 0;
    for is_strict in [true, false] {
        let mut guide = Guide::new(program, sites, (&waypoints, &targets), checks)?;
        guide.is_strict = is_strict;
        match guide.run(budget) {
            Some(found) => return Ok(found),
            None => furthest = furthest.max(guide.furthest),
        }
    }
    let missed = waypoints
        .get(furthest)
        .map(|one| (**one).clone())
        .or_else(|| targets.first().cloned());
    Ok(Search::Nowhere(missed.map(|one| (one, furthest + 1))))
}

/// Targets of the last segment.
fn targets(last: &Segment) -> Result<Vec<Waypoint>, String> {
    let followed = last.0.iter().filter(|one| one.is_followed);
    let targets: Vec<Waypoint> = followed.cloned().collect();
    let are_targets = targets.iter().all(|one| one.kind == Kind::Target);
    match targets.len() {
        1 | 2 if are_targets => Ok(targets),
        _ => Err("the last segment has no target, or other waypoints besides".to_string()),
    }
}

/// Search for an execution.
struct Guide<'p, 'g, 's> {
    interpreter: Interpreter<'p>,
    digests: Digests<'p>,
    sites: &'g mut Sites<'s>,
    /// Waypoints before the last segment.
    waypoints: &'g [Rc<Waypoint>],
    targets: &'g [Waypoint],
    checks: Checks,
    /// Only threads move that the witness names.
    is_strict: bool,
    /// True if waypoints say where threads are created.
    has_creations: bool,
    /// Values that are tried where nothing is said.
    hints: Vec<u128>,
    /// Parts of executions, each with the one before it.
    links: Vec<Link>,
    /// Most waypoints that were passed.
    furthest: usize,
}

/// State of an execution, and what of the witness it has passed.
#[derive(Clone)]
struct Node {
    state: State,
    /// Waypoints that were passed.
    at: usize,
    /// Passes by threads.
    passes: Vec<Rc<Passes>>,
    /// Threads by their numbers in the witness.
    numbers: Rc<Vec<ThreadId>>,
    /// Thread that has moved last.
    last: ThreadId,
    /// Its execution so far.
    link: Option<usize>,
}

/// Part of an execution: what one move adds to it.
#[derive(Default)]
struct Link {
    before: Option<usize>,
    /// Steps of threads, as schedules of one line count them.
    steps: Vec<(ThreadId, u64)>,
    inputs: Vec<u128>,
    reads: Vec<Vec<u8>>,
    /// Blocks of the heap that were allocated.
    blocks: Vec<crate::ir::address::Slot>,
}

/// Node of which some moves were not tried: the number of the next thread to be asked, and the guesses that it is to make.
struct Entry {
    node: Node,
    next: usize,
    script: Script,
}

impl<'p, 'g, 's> Guide<'p, 'g, 's> {
    fn new(
        program: &'p Program,
        sites: &'g mut Sites<'s>,
        (waypoints, targets): (&'g [Rc<Waypoint>], &'g [Waypoint]),
        checks: Checks,
    ) -> Result<Guide<'p, 'g, 's>, String> {
        let mut interpreter =
            Interpreter::new(program, Bounds::default()).map_err(|(_, what)| what)?;
        interpreter.needs_values = false;
        let mut digests = Digests::new(program);
        digests.races = targets.len() > 1;
        let mut hints = vec![0, 1];
        for one in waypoints {
            if let Kind::Assumption(text) | Kind::Return(text, _) = &one.kind {
                for number in expression::numbers(text) {
                    if hints.len() < 8 && !hints.contains(&number) {
                        hints.push(number);
                    }
                }
            }
        }
        Ok(Guide {
            interpreter,
            digests,
            sites,
            waypoints,
            targets,
            checks,
            is_strict: true,
            has_creations: waypoints
                .iter()
                .any(|one| matches!(one.kind, Kind::Enter(_))),
            hints,
            links: Vec::new(),
            furthest: 0,
        })
    }

    fn run(&mut self, budget: &Budget) -> Option<Search> {
        let mut seen: HashSet<u128, FxBuildHasher> = HashSet::default();
        let node = Node {
            state: self.interpreter.start(),
            at: 0,
            passes: Vec::new(),
            numbers: Rc::new(vec![ThreadId(0)]),
            last: ThreadId(0),
            link: None,
        };
        let mut stack = vec![Entry::of(node)];
        while let Some(entry) = stack.last_mut() {
            if let Some(reason) = budget.check() {
                return Some(Search::Stopped(reason));
            }
            let thread = match self.candidate(&entry.node, entry.next) {
                Candidate::None => {
                    stack.pop();
                    continue;
                }
                Candidate::Other => {
                    entry.next += 1;
                    continue;
                }
                Candidate::Thread(thread) => thread,
            };
            let script = std::mem::take(&mut entry.script);
            let (step, script) = self.advance(&entry.node, thread, script);
            if script.is_empty() {
                entry.next += 1;
            }
            entry.script = script;
            match step {
                Step::Stuck => {}
                Step::Moved(node) => {
                    self.furthest = self.furthest.max(node.at);
                    let is_over = !self.is_strict && seen.len() > MOST_STATES;
                    if !is_over && seen.insert(self.digest(&node)) {
                        stack.push(Entry::of(*node));
                    }
                }
                Step::Found(tape) => {
                    if play(self.interpreter.program, &tape).is_ok() {
                        return Some(Search::Found(tape));
                    }
                }
            }
        }
        None
    }

    /// Everything that the future of a node depends on.
    fn digest(&mut self, node: &Node) -> u128 {
        let state = self.digests.of(&self.interpreter, &node.state);
        let mut own = node.at as u64;
        for (thread, passes) in node.passes.iter().enumerate() {
            for (depth, pass) in passes.open().iter().enumerate() {
                if pass.is_named {
                    let site = pass.site.map_or(0, |site| u64::from(site.0) + 1);
                    own = mix(mix(mix(own, thread as u64), depth as u64), site);
                }
            }
        }
        state ^ (u128::from(mix(own, 1)) << 64 | u128::from(mix(own, 2)))
    }

    /// The thread that is asked next in a node: the one that has moved last, that of the next waypoint, and then all others.
    fn candidate(&self, node: &Node, next: usize) -> Candidate {
        let named = |number: usize| {
            let waypoint = match self.waypoints.get(node.at) {
                Some(one) => (number == 0).then_some(&**one),
                None => self.targets.get(number),
            };
            waypoint.and_then(|one| self.thread_of(node, one))
        };
        let first = [Some(node.last), named(0), named(1)];
        let thread = match first.get(next) {
            Some(None) => return Candidate::Other,
            Some(Some(thread)) => *thread,
            None => ThreadId((next - first.len()) as u32),
        };
        if next >= first.len() && thread.0 as usize >= node.state.threads.len() {
            return Candidate::None;
        }
        let is_asked = first.iter().take(next).any(|one| *one == Some(thread));
        let runs = node.state.exists(thread) && node.state.thread(thread).status == Status::Running;
        let is_named = named(0) == Some(thread) || named(1) == Some(thread);
        let is_open = || {
            let passes = node.passes.get(thread.0 as usize);
            passes.is_some_and(|passes| passes.is_named())
        };
        match runs && !is_asked && (!self.is_strict || is_named || is_open()) {
            true => Candidate::Thread(thread),
            false => Candidate::Other,
        }
    }

    /// The thread of a waypoint, if it exists; of one that names none, the first.
    fn thread_of(&self, node: &Node, waypoint: &Waypoint) -> Option<ThreadId> {
        let number = waypoint.thread.unwrap_or(0);
        node.numbers.get(number as usize).copied()
    }

    /// The execution that leads to a node and the rest of its last move.
    fn tape(&self, last: Link, tape: Tape) -> Tape {
        let mut links = vec![&last];
        let mut before = last.before;
        while let Some(index) = before {
            links.push(&self.links[index]);
            before = self.links[index].before;
        }
        let mut tape = tape;
        let mut reads = 0;
        for link in links.iter().rev() {
            for (thread, count) in &link.steps {
                advance::add(&mut tape.moves, *thread, *count);
            }
            tape.inputs.extend(&link.inputs);
            for read in &link.reads {
                if !read.is_empty() {
                    tape.unset.push((reads, read.clone()));
                }
                reads += 1;
            }
        }
        tape
    }

    /// Blocks of the heap on the way to a node, in the order of their allocation.
    fn blocks(&self, last: &Link) -> Vec<crate::ir::address::Slot> {
        let mut links = vec![&last.blocks];
        let mut before = last.before;
        while let Some(index) = before {
            links.push(&self.links[index].blocks);
            before = self.links[index].before;
        }
        links.into_iter().rev().flatten().copied().collect()
    }
}

/// Answer to the question which thread of a node is asked.
enum Candidate {
    /// This one.
    Thread(ThreadId),
    /// Another one.
    Other,
    /// No further one.
    None,
}

impl Entry {
    fn of(node: Node) -> Entry {
        Entry {
            node,
            next: 0,
            script: Script::new(),
        }
    }
}

/// Place of a waypoint that is not passed, for messages.
pub fn told(place: &Place) -> String {
    let name = Path::new(&place.file).file_name();
    let name = name.map_or(place.file.clone(), |name| {
        name.to_string_lossy().into_owned()
    });
    format!("{name}:{}", place.line)
}
