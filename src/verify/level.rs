//! Bounds that the user left open, and how they rise while they cut something.
//!
//! Each loop and each function that recurs has a number of its own, 1 at first. What some execution goes beyond, or may go beyond where
//! nobody has found out, goes on for longer at the next level: a retry loop, say, but not a loop over a table beside it, all of whose
//! executions the level has. If those that are cut have the same number, it doubles. If some have less than others, because they are cut
//! since the others went on for longer, these alone rise, to the greatest number at once: what needs as many iterations of both is found
//! before either has more. (Doubling each number from where it is would let the one that was cut first run ahead: a retry loop and a loop that
//! only it leads to would have 16 and 4 iterations, which costs more than 4 and 4.) A loop that is no longer cut keeps its number, and does
//! not set the pace. Bounds of a scheme's own (rounds, writes) follow the greatest number, and double where executions go beyond them.
//!
//! So nothing is lost: a cut that can be reached always leads to another level, and an answer is complete where none can be reached, however
//! different the numbers are. An execution in which no loop has more iterations than the least number among those that are cut, or may be, is
//! within the level: until it is cut it is an execution of the level, and then the loop that is cut is one that can be.
//!
//! A program with many threads gets one thread from each
//! place that creates some, then two, three, four, six, nine, …: bugs rarely need more than a few, and a bound on the
//! total would leave out those that are created last. Where threads alone are cut off, only they become more. Nothing
//! ends this but an answer, the budget, or a program that is too large.

use super::outcome::Found;
use super::request::Request;
use crate::base::Budget;
use crate::base::sorted::SortedMap;
use crate::event::{Cut, EventKind, EventProgram, Repeat};
use crate::relation::race;
use crate::symex::{Bounds, Refusal, Unroller};
use crate::verify::faults::{self, Fault};
use hashbrown::HashMap;

/// Threads besides main that a program may have before it counts as one with many.
const FEW_THREADS: u32 = 12;
/// No execution that can be looked at has more iterations.
const DEEPEST: u32 = 1 << 30;
/// Events that a loop whose test folds may have for each iteration of others.
const LOOP_EVENTS: usize = 256;
/// Events that such a loop may have for each iteration of others where it searches and the user says how many these have.
const SEARCH_EVENTS: usize = 64;

/// Level that the bounds which nobody asked for have risen to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Level {
    /// Iterations of the loop, or depth of the recursion, that goes on for longest; rounds.
    pub depth: u32,
    /// Iterations of loops and depth of recursion, where they are not 1.
    numbers: SortedMap<Repeat, u32>,
    /// Threads from each place that creates some, if the program has many.
    threads: u32,
    /// Words that nobody has chosen are followed where they meet addresses.
    unset_words: bool,
}

impl Level {
    pub const FIRST: Level = Level {
        depth: 1,
        numbers: SortedMap::new(),
        threads: 1,
        unset_words: false,
    };

    /// The next one, if a bound is reached that nobody asked for.
    pub fn next(&self, found: &Found, request: &Request, many_threads: bool) -> Option<Level> {
        if request.split.is_some_and(|split| split.only.is_some()) {
            // Others have to have the same bounds.
            return None;
        }
        if !self.unset_words && found.wants_unset_words() && !faults::on(Fault::UnsetWordsEnd) {
            // What these executions do within the same bounds comes first.
            return Some(Level {
                unset_words: true,
                ..self.clone()
            });
        }
        if !request.ceiling.is_above(self.depth) {
            return None;
        }
        let cut = found.rising(request);
        if faults::on(Fault::LevelForgotten) && cut.len() > 1 {
            return None;
        }
        let mut next = self.clone();
        let greatest = cut.iter().map(|repeat| self.number(*repeat)).max();
        let greatest = greatest.unwrap_or(1);
        let lags = |repeat: &Repeat| self.number(*repeat) < greatest;
        if cut.iter().any(lags) {
            next.raise(cut.into_iter().filter(lags), greatest);
            return Some(next);
        }
        if !cut.is_empty() && greatest < DEEPEST {
            next.raise(cut, greatest * 2);
            next.depth = self.depth.max(greatest * 2);
        }
        if found.wants_more_of_scheme(request) && self.depth < DEEPEST {
            next.depth = next.depth.max(self.depth * 2);
        }
        let more_threads = found.wants_threads(request);
        if next == *self && !more_threads {
            return None;
        }
        if more_threads || !many_threads {
            next.threads = self.threads.saturating_add((self.threads / 2).max(1));
        }
        Some(next)
    }

    /// Iterations of the loops that may have most.
    pub fn unwind(&self, request: &Request) -> u32 {
        self.depth.max(request.unwind.unwrap_or(1))
    }

    /// Sets the numbers of these to one.
    fn raise(&mut self, all: impl IntoIterator<Item = Repeat>, number: u32) {
        for repeat in all {
            let repeat = match repeat {
                Repeat::Loop(of) if faults::on(Fault::WrongLoopRises) => Repeat::Loop(of.next()),
                repeat => repeat,
            };
            self.numbers.insert(repeat, number);
        }
    }

    /// Iterations of a loop, or depth of a recursion.
    fn number(&self, repeat: Repeat) -> u32 {
        self.numbers.get(&repeat).copied().unwrap_or(1)
    }

    /// Unrolls, and finds out whether the program has many threads.
    pub fn unroll(
        &self,
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
    fn bounds(&self, request: &Request, many_threads: bool) -> Bounds {
        let few = if many_threads {
            u32::MAX >> 2
        } else {
            FEW_THREADS
        };
        let (mut unwind_of, mut recursion_of) = (HashMap::new(), HashMap::new());
        let mut loop_events_of = HashMap::new();
        for (repeat, number) in &self.numbers {
            match repeat {
                Repeat::Loop(of) => {
                    unwind_of.insert(*of, *number);
                    loop_events_of.insert(*of, LOOP_EVENTS * *number as usize);
                }
                Repeat::Recursion(of) => {
                    recursion_of.insert(*of, *number);
                }
            }
        }
        unwind_of.extend(request.unwind_of.iter().map(|(of, most)| (*of, *most)));
        Bounds {
            unwind: request.unwind.unwrap_or(1),
            unwind_of,
            recursion: request.recursion.unwrap_or(1),
            recursion_of,
            threads: request.threads.unwrap_or(few),
            threads_per_site: if many_threads { self.threads } else { u32::MAX },
            // A loop that folds is cheap to unroll but not to solve: the budget rises with the level.
            loop_events: match request.unwind {
                Some(_) => 16 * LOOP_EVENTS,
                None => LOOP_EVENTS,
            },
            loop_events_of,
            search_events: match request.unwind {
                Some(unwind) => SEARCH_EVENTS * unwind as usize,
                None => usize::MAX,
            },
            idle_rule: request.idle_rule,
            unset_words: self.unset_words,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Loop;
    use crate::base::Loc;
    use crate::ir::FuncId;

    fn of(number: u32) -> Loop {
        let function = FuncId(0);
        Loop { function, number }
    }

    /// Findings of a level that cuts these loops.
    fn cuts(numbers: &[u32]) -> Found {
        let mut found = Found::default();
        for number in numbers {
            found.add_cut(&Cut::Unwind(of(*number)), Loc(1));
        }
        found
    }

    /// Numbers of three loops at the levels that follow each other, where these are cut.
    fn levels(all: &[&[u32]], request: &Request) -> Vec<[u32; 3]> {
        let mut level = Level::FIRST;
        let mut numbers = Vec::new();
        for cut in all {
            match level.next(&cuts(cut), request, true) {
                Some(next) => level = next,
                None => break,
            }
            let bounds = level.bounds(request, true);
            numbers.push([0, 1, 2].map(|number| bounds.unwind_of(of(number))));
        }
        numbers
    }

    #[test]
    fn only_loops_that_are_cut_rise_and_those_behind_catch_up() {
        let request = Request::default();
        assert_eq!(
            levels(
                &[&[0], &[0], &[0, 1], &[0, 1], &[1], &[1, 2], &[]],
                &request
            ),
            [
                [2, 1, 1],
                [4, 1, 1],
                [4, 4, 1],
                [8, 8, 1],
                [8, 16, 1],
                [8, 16, 16]
            ]
        );
        // A loop that lags behind one that is no longer cut starts from its number.
        assert_eq!(
            levels(&[&[0], &[0], &[2], &[2]], &request).last(),
            Some(&[4, 1, 4])
        );
    }

    #[test]
    fn what_may_be_cut_rises_as_well() {
        let mut found = cuts(&[0]);
        found.add_unsure(&Cut::LoopBudget(of(2)), Loc(1));
        found.add_cut(&Cut::Recursion(FuncId(1)), Loc(1));
        let next = Level::FIRST.next(&found, &Request::default(), true);
        let bounds = next.expect("something is cut");
        let bounds = bounds.bounds(&Request::default(), true);
        let numbers = [0, 1, 2].map(|number| bounds.unwind_of(of(number)));
        assert_eq!(numbers, [2, 1, 2]);
        assert_eq!(bounds.loop_events_of(of(2)), 2 * LOOP_EVENTS);
        let depths = [0, 1].map(|function| bounds.recursion_of(FuncId(function)));
        assert_eq!(depths, [1, 2]);
    }

    #[test]
    fn words_that_nobody_has_chosen_are_followed_before_anything_rises() {
        let mut request = Request::default();
        let mut found = cuts(&[0]);
        found.add_cut(&Cut::Unset, Loc(1));
        let next = Level::FIRST.next(&found, &request, true);
        let next = next.expect("some execution ends");
        let bounds = next.bounds(&request, true);
        assert!(bounds.unset_words && bounds.unwind_of(of(0)) == 1);
        let further = next.next(&found, &request, true).expect("a loop is cut");
        let bounds = further.bounds(&request, true);
        assert!(bounds.unset_words && bounds.unwind_of(of(0)) == 2);
        // What the user sets is no reason to leave them out.
        request.unwind = Some(3);
        let mut unsure = Found::default();
        unsure.add_unsure(&Cut::Unset, Loc(1));
        let next = Level::FIRST.next(&unsure, &request, true);
        assert!(next.expect("some execution may end").unset_words);
    }

    #[test]
    fn what_the_user_sets_stays() {
        let mut request = Request::default();
        request.unwind_of.insert(of(1), 3);
        assert_eq!(levels(&[&[1]], &request), [[0; 3]; 0]);
        assert_eq!(levels(&[&[0, 1]], &request), [[2, 3, 1]]);
        request.unwind = Some(5);
        assert_eq!(levels(&[&[0, 1]], &request), [[0; 3]; 0]);
    }
}
