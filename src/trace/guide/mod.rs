//! Executions by witnesses: the segments of one (`export.rs`), and the search for one that passes given segments.
//!
//! The search goes depth-first over moves: a thread runs through what nobody else notices to its next step that others may notice, and
//! makes it. The witness says whose turn it is: a thread may begin a pass through a statement (`passes.rs`) with such a step only if the
//! next waypoint names it, and may go on in a pass that was named before; so the search is about where within statements others come in
//! between. At first, they do so only between waypoints of different threads. Where that leads nowhere, the search begins again, and they may
//! do so everywhere; at last, whoever runs may move: witnesses of others name less.
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
mod meet;
mod passes;
mod search;
mod sites;
mod state;
mod waypoint;

pub use export::segments;
pub use expression::names;
pub use search::{Search, search, told};
pub use sites::Sites;
