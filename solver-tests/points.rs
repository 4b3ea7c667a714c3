//! Points-to analysis against all executions: every access that the enumeration executes is among what the unrolled program says of
//! its thread and position.
//!
//! An access is at one of the places that were found for it. Where they are shared, there are events of its kind whose targets have its
//! bytes. Bytes that make no events belong to one thread, or nobody writes them: an access counts as one where some other thread exists, and what main does
//! where the others have ended reads what they have left, as `symex/alone.rs` says. What is read or written at a place is in
//! the list of that place, if there is one, and an address leads to an object in its points-to set.

mod judge;

use crate::oracle::{Fault, Skip, UNWIND, read};
use judge::Judge;
use selvedge::base::Budget;
use selvedge::event::{Cut, EventKind, EventProgram, Thread, ThreadId};
use selvedge::symex::points::Points;
use selvedge::symex::{Bounds, Unroller};
use selvedge::trace::enumerate::{Limits, enumerate_observed};
use selvedge::trace::interpret;
use std::ops::AddAssign;
use std::time::Duration;

/// States of all executions, at most.
const STATES: usize = 30_000;

/// Numbers of what was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// Programs.
    pub programs: usize,
    /// Accesses, each with its place and value.
    pub accesses: usize,
    /// Those that make no event.
    pub private: usize,
    /// Values that a list has.
    pub listed: usize,
    /// Addresses that a points-to set has.
    pub pointers: usize,
    /// Objects of the heap with accesses of several threads.
    pub lent: usize,
}

impl AddAssign for Compared {
    fn add_assign(&mut self, other: Compared) {
        self.programs += other.programs;
        self.accesses += other.accesses;
        self.private += other.private;
        self.listed += other.listed;
        self.pointers += other.pointers;
        self.lent += other.lent;
    }
}

/// Compares what is known of one program with all its executions, once with objects as cells and once with arrays.
pub fn compare(text: &str) -> Result<Result<Compared, Skip>, Fault> {
    let program = read(text)?;
    let mut known: Vec<(EventProgram, Points)> = Vec::new();
    for listed in [48, 1] {
        let bounds = Bounds {
            unwind: UNWIND,
            recursion: 8,
            loop_events: 64,
            loop_instructions: 2000,
            idle_rule: false,
            listed,
            ..Bounds::default()
        };
        let budget = Budget::unlimited()
            .with_wall_limit(Duration::from_secs(20))
            .with_memory_limit(4 << 30);
        let wrong = |why: String| fault("unroll", why);
        let unroller = Unroller::new(&program);
        let mut unroller = unroller.map_err(|why| wrong(format!("{why:?}")))?;
        let unrolled = unroller.unroll_with_points(&bounds, &budget);
        let (events, points) = unrolled.map_err(|why| wrong(format!("{why:?}")))?;
        // What is behind such a cut, nobody knows.
        if !is_cut_short(&events) {
            known.push((events, points));
        }
    }
    if known.is_empty() {
        return Ok(Err(Skip::TooLarge));
    }
    let judges = known
        .iter()
        .map(|(events, points)| Judge::new(events, points));
    let mut judges: Vec<Judge> = judges.collect();
    let bounds = interpret::Bounds {
        unwind: Some(UNWIND),
        ..interpret::Bounds::default()
    };
    let limits = Limits {
        states: STATES,
        ..Limits::default()
    };
    // Programs may compute with numbers of threads.
    let events = &known[0].0;
    let creation = |(id, thread): (ThreadId, &Thread)| {
        let creation = &events.events[thread.created_by?];
        Some(((creation.thread, creation.position), id))
    };
    let created: Vec<_> = events.threads.iter_ids().filter_map(creation).collect();
    let found = enumerate_observed(&program, bounds, &limits, &created, &mut |executed| {
        judges.iter_mut().for_each(|judge| judge.see(executed));
    });
    let found = found.map_err(|(_, why)| fault("enumerate", why))?;
    let mut compared = Compared::default();
    for judge in judges {
        // What was seen of executions that were given up counts as well.
        compared = judge.end()?;
    }
    Ok(match found.gave_up {
        true => Err(Skip::TooLarge),
        false => Ok(Compared {
            programs: 1,
            ..compared
        }),
    })
}

/// True if the program may be cut where something is not modelled.
fn is_cut_short(events: &EventProgram) -> bool {
    let never = events.terms.fals();
    let cuts = events.events.iter().filter(|event| event.guard != never);
    let mut reasons = cuts.filter_map(|event| match &event.kind {
        EventKind::Cut { why } => Some(why),
        _ => None,
    });
    reasons.any(|why| {
        matches!(
            why,
            Cut::Unsupported(_) | Cut::LoopBudget(_) | Cut::ObjectSize { .. } | Cut::Threads
        )
    })
}

fn fault(kind: &str, details: String) -> Fault {
    Fault {
        kind: kind.into(),
        details,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::on_deep_stacks;
    use crate::program::Program;
    use crate::tier::{all_programs, start};
    use rayon::prelude::*;

    /// Compares programs of a generator; what was compared.
    fn all_of(usual: u64, generate: impl Fn(u64) -> Program + Sync) -> Compared {
        let (first, count) = (start(), all_programs(usual));
        let one = |seed| {
            let text = generate(seed).render();
            let said = compare(&text);
            said.map_err(|fault| format!("seed {seed}: {}: {}\n{text}", fault.kind, fault.details))
        };
        let seeds = (first..first + count).into_par_iter();
        let outcomes: Vec<Result<Result<Compared, Skip>, String>> =
            on_deep_stacks(|| seeds.map(one).collect());
        let mut all = Compared::default();
        let mut wrong = Vec::new();
        for outcome in outcomes {
            match outcome {
                Ok(Ok(one)) => all += one,
                Ok(Err(_)) => {}
                Err(why) => wrong.push(why),
            }
        }
        println!("of {count} programs from seed {first}: {all:?}");
        assert!(
            wrong.is_empty(),
            "{} disagree\n{}",
            wrong.len(),
            wrong.join("\n")
        );
        all
    }

    #[test]
    fn published_objects_are_where_they_are_said_to_be() {
        let all = all_of(200, crate::generate::publish::generate);
        assert!(all.programs >= 150, "{all:?}");
        assert!(
            all.listed > 0 && all.private > 0 && all.lent > all.programs,
            "{all:?}"
        );
    }

    #[test]
    fn accesses_of_all_idioms_are_where_they_are_said_to_be() {
        all_of(150, crate::generate::generate);
    }

    #[test]
    fn accesses_by_numbers_are_where_they_are_said_to_be() {
        all_of(100, crate::generate::address::generate);
    }
}
