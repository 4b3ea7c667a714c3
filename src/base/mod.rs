//! Small vocabulary that every stage shares: ids, source positions, diagnostics, warnings, budgets, options, floating-point numbers,
//! the mechanism of deliberate errors. It knows no stage.

pub mod budget;
pub mod diagnostic;
pub mod faults;
pub mod float;
pub mod fnv;
pub mod gauge;
pub mod id;
pub mod loc;
pub mod meter;
pub mod mix;
pub mod model;
pub mod option;
pub mod range;
pub mod seat;
pub mod set;
pub mod share;
pub mod sorted;
pub mod spent;
pub mod warning;

pub use budget::{Budget, StopReason};
pub use diagnostic::Diagnostic;
pub use gauge::Gauge;
pub use id::IdVec;
pub use loc::Loc;
pub use meter::Meter;
pub use model::DataModel;
pub use set::IdSet;
pub use share::Share;
pub use spent::Spent;
pub use warning::{Warning, WarningKind, Warnings};
