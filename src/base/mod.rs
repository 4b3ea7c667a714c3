//! Small vocabulary that every stage shares: ids, source positions, hashing, budgets. It knows no stage.

pub mod budget;
pub mod id;
pub mod loc;
pub mod mix;

pub use budget::{Budget, StopReason};
pub use id::IdVec;
pub use loc::Loc;
