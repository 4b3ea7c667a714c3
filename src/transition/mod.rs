//! From a program to one automaton per thread over finite variables, without any bound on loops.
//!
//! An automaton's locations are the places where others may come between: before accesses that conflict with another thread,
//! at locks and joins, and at loop heads. The acyclic code between two locations is one edge with a guard and simultaneous
//! updates, executed symbolically with merging where paths meet (`explore`). Functions are inlined; registers that live at a
//! location, cells of objects, mutexes, and whether threads have started and ended are variables.
//!
//! Passes find what is not known beforehand; each knows what the ones before have seen (`knowledge`): which cells two
//! threads access in conflict, and which bits of a variable are ever anything but constant (a forward analysis, so that
//! addresses, thread numbers and small counters cost few bits or none). What is known only grows, and the last pass has
//! found nothing new.
//!
//! Threads that main has joined, and those that it has not created yet, conflict with nothing that main does. So it is known for
//! every location of main which threads may run while it is there; a join takes one away if it is certain which.
//!
//! Of memory that nobody else changes while a thread runs it is known for every location of the thread which bits vary, as it
//! is of registers; of other memory, for the whole run.
//!
//! Of the heap, every place (with the calls that lead to it, and the iterations of unrolled loops) allocates one object;
//! its cells are cut where accesses begin and end. If its size is not constant, or if an access may be to too many places,
//! it is an array object (`content`, `array`): its size is a variable that accesses are compared with, and but for the cells
//! that constant offsets name, what it holds is any value that may have been written there. So automata have executions
//! that the program has not; [`Automata::arrays`] says of which objects that is so, and [`automaton::Location::reads`] where
//! they are read.
//!
//! Threads are created by main at places that it passes at most once; loops of main before that are unrolled
//! if their conditions fold. Loops that join threads are unrolled after that, too, as long as each iteration has joined one, so that
//! it is certain which. What does not fit is no error: where it is reached an edge ends in [`Outcome::Unsupported`].
//!
//! Where races are asked for, accesses that may be in one begin edges as well, and locations say what is attempted there (`race`).
//!
//! A thread that something stops (a false assumption, undefined behaviour) keeps what the edge has done before, because
//! others may see it, except in an atomic section, which then has not run.

mod address;
mod array;
pub mod automaton;
mod block;
mod carry;
mod content;
mod control;
mod creation;
mod domain;
mod exchange;
mod explore;
pub mod family;
mod far;
pub mod faults;
mod free;
mod key;
mod knowledge;
mod life;
pub mod lockstep;
mod log;
mod meeting;
mod members;
mod memory;
mod note;
mod object;
mod pointed;
pub mod product;
mod quantifier;
mod race;
mod range;
mod relate;
pub mod relation;
pub mod request;
mod reuse;
mod sample;
mod slot;
mod spin;
mod state;
mod stuck;
mod thread;
mod variable;
pub mod vocabulary;
mod wait;
mod word;

pub use automaton::{Automata, Input, Key, Outcome, Point, Refusal, SlotOwner, Stack};

use crate::analysis::Facts;
use crate::base::Budget;
use crate::ir::Program;
use crate::race::Sites;
use family::Families;
use knowledge::Knowledge;
pub use members::Explored;

/// The automata of a program.
///
/// # Errors
/// See [`Refusal`].
pub fn automata(program: &Program, budget: &Budget) -> Result<Automata, Refusal> {
    explored(program, None, budget)
}

/// The automata of a program in which edges begin with those of the accesses that may race, and with none that is undisturbed.
///
/// # Errors
/// See [`Refusal`].
pub fn racing(program: &Program, sites: &Sites, budget: &Budget) -> Result<Automata, Refusal> {
    explored(program, Some(sites), budget)
}

fn explored(
    program: &Program,
    sites: Option<&Sites>,
    budget: &Budget,
) -> Result<Automata, Refusal> {
    let facts = Facts::of(program);
    let mut knowledge = Knowledge::new(program)?;
    loop {
        let found = explore::pass(program, &facts, &mut knowledge, sites, budget)?;
        if !knowledge.take_changed() {
            return Ok(found);
        }
    }
}

/// A program with families of threads, each explored as one; `None` if there are no families.
///
/// # Errors
/// See [`Refusal`].
pub fn families(program: &Program, budget: &Budget) -> Result<Option<Explored>, Refusal> {
    let facts = Facts::of(program);
    let mut knowledge = Knowledge::new(program)?;
    knowledge.families = Some(Families::default());
    loop {
        let found = explore::pass(program, &facts, &mut knowledge, None, budget)?;
        if let Some(families) = knowledge.begins_anew() {
            knowledge = Knowledge::new(program)?;
            knowledge.families = Some(families);
        } else if !knowledge.take_changed() {
            let families = knowledge.families()?;
            if families.is_empty() {
                return Ok(None);
            }
            return Ok(Some(Explored::new(found, families)));
        }
    }
}
