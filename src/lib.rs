//! Selvedge: a bounded model checker for multi-threaded C.

#[path = "stages.rs"]
mod stages;

#[doc(hidden)]
#[cfg(feature = "internals")]
pub use stages::*;
#[cfg(not(feature = "internals"))]
use stages::*;

pub use session::Session;
pub use stages::cli::main;
