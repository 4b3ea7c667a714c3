//! Switch points: the steps before which control may change (Lazy-CSeq-SP, §3).
//!
//! The paper computes for every statement what it reads, writes, assumes and joins, and places a switch before it if
//! it has a dependency with another thread, joins, or assumes something. Here, what a thread does is reduced to its
//! accesses of shared memory, creations, joins and its end before any scheme sees it; then Lipton's reduction
//! ([`mover`](crate::relation::mover)) takes steps together that can be exchanged with what others do. The paper's rules follow:
//!
//! | paper | here |
//! |---|---|
//! | 1: a read-write dependency with a statement of another thread | the access is no mover; one that is ordered by creations and joins, or protected by a lock, is one although the paper places a switch |
//! | 2: joins | a join is a right mover: consecutive ones have one point, before the first |
//! | 2: assumptions | they are part of the guards of what follows, over values that have been read: a thread stops where it has read them, and none needs a point of its own, whether it provably holds or not |
//! | 3: the initial statement of a thread | not needed: nothing is executed again |
//! | none before the first creation in main, none after the last join | ordered statically: movers in both directions |
//! | none before a creation; evaluating its arguments and storing its id are ordinary accesses | a creation is a left mover |

use crate::base::IdVec;
use crate::event::{EventId, EventProgram};
use crate::relation::mover::{self, Why};
use crate::relation::program_order::ProgramOrder;

/// Switch points: the steps before which control may change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SwitchPoints {
    /// Before every visible step.
    All,
    /// Only where other threads can tell the difference.
    Effects,
}

impl SwitchPoints {
    /// All.
    pub const ALL: [SwitchPoints; 2] = [SwitchPoints::All, SwitchPoints::Effects];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SwitchPoints::All => "all",
            SwitchPoints::Effects => "effects",
        }
    }
}

/// In words, for the first event of each step: whether control may change before it, and why.
pub fn reasons(program: &mut EventProgram) -> IdVec<EventId, Option<String>> {
    let po = ProgramOrder::of(program);
    let why = mover::explain(program, &po);
    let mut reasons: IdVec<EventId, Option<String>> = program.events.ids().map(|_| None).collect();
    for (step, info) in po.steps.iter_ids() {
        let Some(&first) = info.events.first() else {
            continue;
        };
        let words = match why[step] {
            Why::First => "switch: first step of its thread".to_string(),
            Why::Conflict { event, other } if event == first => {
                format!("switch: conflicts with event {}", other.0)
            }
            Why::Conflict { event, other } => {
                format!("switch: event {} conflicts with event {}", event.0, other.0)
            }
            Why::Waits => "switch: waits for others".to_string(),
            Why::Mixed => "switch: neither earlier nor later is the same".to_string(),
            Why::Alone => "no switch: nobody can tell".to_string(),
            Why::Helps => "no switch: earlier, it only helps others".to_string(),
            Why::Together => "no switch: taken together with what is before".to_string(),
        };
        reasons[first] = Some(words);
    }
    reasons
}
