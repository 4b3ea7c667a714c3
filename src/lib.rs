//! Selvedge is a bounded model checker for multi-threaded C. It reads a program that uses POSIX threads, C11 threads or
//! C11 atomics, and answers: can any schedule, under any input, violate an assertion, or do something undefined? Each way to do
//! so is told by an execution, replayed step by step in an interpreter; when there is none, the answer says how far that claim reaches.
//!
//! # A first program
//!
//! ```
//! use selvedge::text::{self, Detail};
//! use selvedge::{Budget, Options, Request, Session, Verdict};
//! use std::time::Duration;
//!
//! let program = r#"
//!     #include <assert.h>
//!     #include <pthread.h>
//!     int counter;
//!     void *add(void *unused) { counter++; return unused; }
//!     int main(void) {
//!         pthread_t one, other;
//!         pthread_create(&one, 0, add, 0);
//!         pthread_create(&other, 0, add, 0);
//!         pthread_join(one, 0);
//!         pthread_join(other, 0);
//!         assert(counter == 2);
//!     }
//! "#;
//! let session = Session::parse("counter.c", program, &Options::default())?;
//! let budget = Budget::unlimited().with_wall_limit(Duration::from_secs(60));
//! let answer = session.verify(&Request::default(), &budget, &mut |_| {})?;
//!
//! // The two threads may read the same value. The execution that shows it, before that of the data race of the two:
//! assert_eq!(answer.outcome.verdict, Verdict::Failed);
//! let trace = &answer.outcome.findings[0].trace;
//! assert_eq!(trace.threads.len(), 3);
//! assert!(trace.steps.len() > 5);
//!
//! // The same for people: the execution as a table, what was covered, and the verdict as last line.
//! let printed = text::render(&answer.outcome, session.places(), Detail::default());
//! assert!(printed.ends_with("VERIFICATION FAILED (assertion at counter.c:12; 1 more)\n"));
//! # Ok::<(), selvedge::Error>(())
//! ```
//!
//! `solver-tests/verify.rs` is a whole program: `cargo run --release --example verify -- FILE.c`.
//!
//! # Reading a program
//!
//! [`Session::load`] reads a file, [`Session::parse`] a text. The preprocessor and the headers of the C library and of
//! POSIX threads are built in; [`Options`] has macros, folders with headers, the data model, and what a call of a function
//! without body means. What is wrong with an input is an [`Error::Input`] with the places and source lines of all errors,
//! ready to be shown. A session is read once and may be asked many times.
//!
//! # What is asked
//!
//! A [`Request`] has defaults that suit most programs, those of the command line: all [checks](Check) but overflow, and all
//! violations. [`Request::assertions`] asks for the first violated assertion alone. Bounds that it leaves open (`None`) are raised, 1, 2, 4, …, as long
//! as they cut some execution off; a bound that it sets stays. [`Request::engine`] says who answers: by default, a rule chooses,
//! and where all bounds are open and cut something, a search without bounds joins in and may have a proof first;
//! [`Engine::named`] gives one by its name on the command line. A scheme has settings of its own, as values in [`settings`]
//! or as options by name:
//!
//! ```
//! use selvedge::{Engine, MemoryModel, Request, Scheme, settings};
//!
//! // Three rounds of the scheme `lazy`, in which stores wait in buffers.
//! let request = Request {
//!     engine: Engine::Scheme(Scheme::Lazy(settings::Lazy::rounds(3))),
//!     memory: MemoryModel::Tso,
//!     unwind: Some(2),
//!     ..Request::default()
//! };
//! // The same scheme, as the command line reads its options.
//! let mut scheme = Scheme::named("lazy").unwrap();
//! scheme.set("rounds", "3").unwrap();
//! assert_eq!(request.engine, Engine::Scheme(scheme));
//! // No bounds at all: a proof over any number of iterations and context switches, if there is one.
//! assert_eq!(Engine::named("modular"), Some(Engine::Modular { hierarchy: None }));
//! ```
//!
//! # How an answer reads
//!
//! An [`Outcome`] has a [`Verdict`]:
//!
//! - [`Verdict::Failed`]: the [`findings`](Outcome::findings) hold a violation with its [`Trace`](execution::Trace). No
//!   violation is told that the interpreter has not replayed.
//! - [`Verdict::Successful`] without limits: no execution violates the property. With [limits](Limit), none does within
//!   them: `Limit::Bound(Bound::Unwind, 4)` means that some execution goes round a loop more than four times, and was not
//!   looked at beyond that. Executions also end where behaviour is undefined, which is a limit as well.
//! - [`Verdict::Unknown`]: the budget was used up before any level of bounds was finished, or something that is not modelled
//!   can be reached.
//!
//! Whatever the verdict, the [`Coverage`] tells what it holds for: the memory model, the scheme, every bound that was
//! [in force](InForce), and where behaviour is undefined. All of it is data; [`text`] and [`json`] print it, and the same
//! outcome gives the same bytes. [`Verdict::exit_code`] is what the command line returns.
//!
//! # Stopping
//!
//! Everything that can take long asks a [`Budget`]: processor time, wall time, memory, and a flag that any thread may set.
//! At its end, the deepest level of bounds that was finished is the verdict, unless there is a proof.
//!
//! ```
//! use selvedge::{Budget, StopReason};
//! use std::sync::atomic::Ordering;
//!
//! let budget = Budget::unlimited().with_memory_limit(2 << 30);
//! let stop = budget.cancel();
//! std::thread::spawn(move || stop.store(true, Ordering::Relaxed)).join().unwrap();
//! assert_eq!(budget.check(), Some(StopReason::Interrupted));
//! ```
//!
//! Stages recurse as deep as programs nest. Threads that read or verify large programs want a large stack; the command
//! line takes 1 GiB.
//!
//! # Proofs
//!
//! A successful verdict without bounds ([`Engine::Modular`], or [`Engine::Auto`] where that was what answered) comes with a
//! [certificate](proof::Certificate), which can be kept (it
//! implements serde's traits) and checked again with [`Session::check`], without any search and without trust in who made it.
//!
//! # Features
//!
//! | feature | meaning |
//! |---|---|
//! | `cadical` (default) | the SAT solver CaDiCaL, which needs a C++ compiler at build time; without it, varisat solves, more slowly |
//! | `internals` (default) | the stages as public modules, for the project's own tests, which so need no build of their own; no promise of stability |
//! | `faults` | deliberate errors, for the tests that must catch them |

#![cfg_attr(not(feature = "internals"), warn(missing_docs, unnameable_types))]
// Lints on what a library owes to others are about its face alone.
#![cfg_attr(feature = "internals", allow(clippy::len_without_is_empty))]

// Its modules are folders beside it.
#[path = "stages.rs"]
mod stages;

use stages::base::id::ids;
#[cfg(not(feature = "internals"))]
use stages::*;
#[doc(hidden)]
#[cfg(feature = "internals")]
pub use stages::*;

// Reading.
pub use base::{DataModel, Loc, Warning, WarningKind, Warnings};
pub use library::{External, Preference, Undeclared};
pub use session::{Dialect, Entry, Error, Flags, Harness, Options, Session, Stage, Standard};
pub use source::Position;
pub use source::place::Places;

// Asking.
pub use base::Budget;
pub use event::MemoryModel;
pub use sat::SolverKind;
pub use scheme::Scheme;
pub use session::{Ceiling, Engine, Loop, Progress, Request, Split};

// Answers.
pub use base::StopReason;
pub use ir::{Check, Checks, Property, Undefined};
pub use outcome::{
    Bound, Coverage, Cubes, CutAt, Finding, Fingerprint, InForce, Limit, Outcome, Reason,
    Statistics, Subject, Verdict, exit,
};
pub use report::{json, text};
pub use session::{Answer, Formula, Reproduction, Schedule};

pub use cli::main;

/// Executions, step by step: what a [`Finding`] shows.
pub mod execution {
    pub use crate::event::ThreadId;
    pub use crate::report::value::decimal;
    pub use crate::trace::deadlock::{
        Awaited, AwaitedKind, Deadlock, DeadlockKind, Holder, Waiter,
    };
    pub use crate::trace::misaccess::{Access, Flaw, Involved, Misaccess};
    pub use crate::trace::race::{Attempted, LockHeld, Race, Side};
    pub use crate::trace::{Action, CopySource, Trace, TraceStep, TraceThread, Value, Writer};
}

/// Proofs without bounds, which can be kept and checked again ([`Session::check`]). A [`Certificate`](proof::Certificate) is
/// read and written by serde; as JSON it is what `--proof-out` writes.
pub mod proof {
    pub use crate::modular::certificate::{
        Certificate, Condition, FORMAT, Interleavings, Invariant, Lemma, Lockstep, OneThread,
        Shown, States,
    };
}

/// Witnesses of the software-verification competition, which other tools make and check ([`Session::witness`], [`Session::validate`]).
pub mod exchange {
    pub use crate::witness::{
        Claim, Format, Head, InputFile, Invariant, Kind, Place, Segment, Waypoint, Witness,
    };
}

/// Settings of schemes. Each is the payload of its [`Scheme`]; the default is what is best for most programs, and what the
/// options of the same names set on the command line.
pub mod settings {
    pub use crate::base::option::{About, Rows, Values};
    pub use crate::base::range::Range;
    pub use crate::scheme::lazy::{Prune, Settings as Lazy, SwitchPoints};
    pub use crate::scheme::memory::{Abstraction, Limits};
    pub use crate::scheme::mu::{Settings as Mu, Variant};
    pub use crate::scheme::order::Settings as Order;
    pub use crate::scheme::step::Settings as Step;
    pub use crate::scheme::timestamp::Settings as Timestamp;
}
