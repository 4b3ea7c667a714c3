//! Bounds that the user left open, and how they rise while they cut something.
//!
//! Those of loops, recursion, rounds and writes double together. A program with many threads gets one thread from each
//! place that creates some, then two, three, four, six, nine, …: bugs rarely need more than a few, and a bound on the
//! total would leave out those that are created last. Where threads alone are cut off, only they become more. Nothing
//! ends this but an answer, the budget, or a program that is too large.

use super::outcome::Found;
use super::request::Request;
use crate::base::Budget;
use crate::event::{Cut, EventKind, EventProgram};
use crate::relation::race;
use crate::symex::{Bounds, Refusal, Unroller};

/// Threads besides main that a program may have before it counts as one with many.
const FEW_THREADS: u32 = 12;
/// No execution that can be looked at has more iterations.
const DEEPEST: u32 = 1 << 30;

/// Level that the bounds which nobody asked for have risen to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Level {
    /// Iterations of every loop, depth of recursion, rounds.
    pub depth: u32,
    /// Threads from each place that creates some, if the program has many.
    threads: u32,
}

impl Level {
    pub const FIRST: Level = Level {
        depth: 1,
        threads: 1,
    };

    /// The next one, if a bound is reached that nobody asked for.
    pub fn next(self, found: &Found, request: &Request, many_threads: bool) -> Option<Level> {
        if !request.ceiling.is_above(self.depth) {
            return None;
        }
        let deeper = found.wants_depth(request) && self.depth < DEEPEST;
        let more_threads = found.wants_threads(request);
        (deeper || more_threads).then(|| Level {
            depth: if deeper { self.depth * 2 } else { self.depth },
            threads: if more_threads || !many_threads {
                self.threads.saturating_add((self.threads / 2).max(1))
            } else {
                self.threads
            },
        })
    }

    /// Unrolls, and finds out whether the program has many threads.
    pub fn unroll(
        self,
        unroller: &mut Unroller,
        request: &Request,
        many_threads: &mut bool,
        budget: &Budget,
    ) -> Result<(Bounds, EventProgram), Refusal> {
        let bounds = self.bounds(request, *many_threads);
        let mut events = unroller.unroll(&bounds, budget)?;
        race::discharge(&mut events);
        if request.threads.is_none() && !*many_threads && is_cut(&events) {
            *many_threads = true;
            return self.unroll(unroller, request, many_threads, budget);
        }
        Ok((bounds, events))
    }

    /// Those that were asked for, and the others.
    fn bounds(self, request: &Request, many_threads: bool) -> Bounds {
        let few = if many_threads {
            u32::MAX >> 2
        } else {
            FEW_THREADS
        };
        let rising = 256 * self.depth as usize;
        Bounds {
            unwind: request.unwind.unwrap_or(self.depth),
            unwind_of: request
                .unwind_of
                .iter()
                .map(|(of, most)| ((of.function, of.number), *most))
                .collect(),
            recursion: request.recursion.unwrap_or(self.depth),
            threads: request.threads.unwrap_or(few),
            threads_per_site: if many_threads { self.threads } else { u32::MAX },
            // A loop that folds is cheap to unroll but not to solve: the budget rises with the level.
            loop_events: request.unwind.map_or(rising, |_| 4096),
            search_events: request
                .unwind
                .map_or(rising, |unwind| (64 * unwind as usize).min(4096)),
            idle_rule: request.idle_rule,
            memory: request.memory,
            ..Bounds::default()
        }
    }
}

/// Threads left out: true if the bound on threads cuts off some.
fn is_cut(events: &EventProgram) -> bool {
    let left_out = |kind: &EventKind| matches!(kind, EventKind::Cut { why: Cut::Threads });
    events.events.iter().any(|event| left_out(&event.kind))
}
