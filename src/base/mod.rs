//! Small vocabulary that every stage shares: ids, source positions, hashing. It knows no stage.

pub mod diagnostic;
pub mod id;
pub mod loc;
pub mod mix;

pub use diagnostic::Diagnostic;
pub use id::IdVec;
pub use loc::Loc;
