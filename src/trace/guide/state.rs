//! State of the search: nodes, what leads to them, and moves that are being made.

use super::expression;
use super::guess::Guess;
use super::passes::Passes;
use super::sites::Sites;
use crate::event::ThreadId;
use crate::ir::address::Slot;
use crate::ir::{Checks, Program, Property};
use crate::trace::interpret::digest::Digests;
use crate::trace::interpret::state::State;
use crate::trace::interpret::{Bounds, Interpreter};
use crate::trace::tape::{Tape, Turn};
use crate::witness::{Kind, Waypoint};
use std::rc::Rc;

/// Instructions of a move.
pub(super) const MOST_INSTRUCTIONS: u64 = 10_000_000;

/// Manner in which threads may move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Manner {
    /// As the witness names them; who is named twice in a row makes both steps, and whatever it does in between.
    Eager,
    /// As the witness names them.
    Named,
    /// All.
    Free,
}

/// Search for an execution.
pub(super) struct Guide<'p, 'g, 's> {
    pub interpreter: Interpreter<'p>,
    pub digests: Digests<'p>,
    pub sites: &'g mut Sites<'s>,
    /// Waypoints before the last segment.
    pub waypoints: &'g [Rc<Waypoint>],
    pub targets: &'g [Waypoint],
    pub checks: Checks,
    pub manner: Manner,
    /// True if waypoints say where threads are created.
    pub has_creations: bool,
    /// Values that are tried where nothing is said.
    pub hints: Vec<u128>,
    /// Parts of executions, each with the one before it.
    pub links: Vec<Link>,
    /// Most waypoints that were passed.
    pub furthest: usize,
}

/// State of an execution, and what of the witness it has passed.
#[derive(Clone)]
pub(super) struct Node {
    pub state: State,
    /// Waypoints that were passed.
    pub at: usize,
    /// Passes by threads.
    pub passes: Vec<Rc<Passes>>,
    /// Threads by their numbers in the witness.
    pub numbers: Rc<Vec<ThreadId>>,
    /// Thread that has moved last.
    pub last: ThreadId,
    /// Its execution so far.
    pub link: Option<usize>,
}

/// Part of an execution: what one move adds to it.
#[derive(Default)]
pub(super) struct Link {
    pub before: Option<usize>,
    /// Steps of threads, as schedules of one line count them.
    pub steps: Vec<(ThreadId, u64)>,
    pub inputs: Vec<u128>,
    pub reads: Vec<Vec<u8>>,
    /// Blocks of the heap that were allocated.
    pub blocks: Vec<Slot>,
}

/// Result of a move.
pub(super) enum Step {
    /// It leads to this node.
    Moved(Box<Node>),
    /// The thread cannot move, or the witness does not let it.
    Stuck,
    /// It violates what the witness is about.
    Found(Box<Tape>),
}

/// Result of one instruction.
pub(super) enum One {
    /// The move goes on behind it.
    On,
    /// The move ends behind it.
    Made,
    /// The move comes to nothing.
    Stuck,
    /// It violates what the witness is about; the block that is lost, if that is it.
    Found(Property, Option<usize>),
    /// Two threads stand before accesses that race.
    Race(ThreadId),
    /// The thread waits for another one's end.
    Waits(ThreadId),
}

/// A move that is being made.
pub(super) struct Move {
    pub node: Node,
    pub link: Link,
    pub guess: Guess,
    /// The step that others may notice was made.
    pub has_stepped: bool,
    /// So was one before, as nobody else could have moved in between.
    pub goes_on: bool,
}

impl Move {
    /// The move ends before an instruction that the thread may not execute now.
    pub fn stop(&self) -> One {
        match self.has_stepped || self.goes_on {
            true => One::Made,
            false => One::Stuck,
        }
    }
}

impl<'p, 'g, 's> Guide<'p, 'g, 's> {
    pub fn new(
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
            manner: Manner::Eager,
            has_creations: waypoints
                .iter()
                .any(|one| matches!(one.kind, Kind::Enter(_))),
            hints,
            links: Vec::new(),
            furthest: 0,
        })
    }

    /// The thread of a waypoint, if it exists; of one that names none, the first.
    pub fn thread_of(&self, node: &Node, waypoint: &Waypoint) -> Option<ThreadId> {
        let number = waypoint.thread.unwrap_or(0);
        node.numbers.get(number as usize).copied()
    }

    /// The execution that leads to a node and the rest of its last move.
    pub fn tape(&self, last: Link, tape: Tape) -> Tape {
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
                add(&mut tape.moves, *thread, *count);
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
    pub fn blocks(&self, last: &Link) -> Vec<Slot> {
        let mut links = vec![&last.blocks];
        let mut before = last.before;
        while let Some(index) = before {
            links.push(&self.links[index].blocks);
            before = self.links[index].before;
        }
        links.into_iter().rev().flatten().copied().collect()
    }
}

/// Adds steps of a thread to moves.
pub(super) fn add(moves: &mut Vec<Turn>, thread: ThreadId, count: u64) {
    match moves.last_mut() {
        Some(Turn::Steps(last, before)) if *last == thread => *before += count,
        _ => moves.push(Turn::Steps(thread, count)),
    }
}
