//! The search: depth-first, over what threads may do next.

use super::guess::Script;
use super::sites::Sites;
use super::state::{Guide, Manner, Node, Step};
use crate::base::mix::mix;
use crate::base::{Budget, StopReason};
use crate::event::ThreadId;
use crate::ir::{Checks, Program};
use crate::trace::interpret::state::Status;
use crate::trace::replay::run::play;
use crate::trace::tape::Tape;
use crate::witness::{Kind, Place, Segment, Waypoint};
use hashbrown::HashSet;
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
    for manner in [Manner::Eager, Manner::Named, Manner::Free] {
        let mut guide = Guide::new(program, sites, (&waypoints, &targets), checks)?;
        guide.manner = manner;
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

/// Node of which some moves were not tried: the number of the next thread to be asked, and the guesses that it is to make.
struct Entry {
    node: Node,
    next: usize,
    script: Script,
}

impl Guide<'_, '_, '_> {
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
                    let is_over = self.manner == Manner::Free && seen.len() > MOST_STATES;
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
        let may_move = self.manner == Manner::Free || is_named || is_open();
        match runs && !is_asked && may_move {
            true => Candidate::Thread(thread),
            false => Candidate::Other,
        }
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
