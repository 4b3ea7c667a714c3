//! Order among threads that are alike ([`reduce::symmetry`](crate::reduce::symmetry)): whoever of them is created first takes
//! its first step first.
//!
//! Take an execution in which the later one of a pair takes a step before the earlier one has taken any. Then let each do what the
//! other does. Both exist by then, since the earlier one was created before the later one. In a class of threads, which pairs connect, that makes
//! the number of those smaller that are in the wrong order, so in the end none is. So of executions that differ in nothing but numbers one is left in which
//! the threads of a class begin in the order of their creation, and those that take no step are the last. There, the first step of a thread, if it
//! happens, comes before all steps of later threads of its class. That is an edge of the static order, which is about steps that both
//! happen. What comes before a first step in every execution (a creation, the end of a thread that it joins) comes before those of the
//! others, too, so that what follows from several edges holds as well.
//!
//! Larger steps ([`mover`](super::mover)) are the same for both threads: then an exchange makes of an execution of larger steps one of larger
//! steps, too. So the steps of both are compared, as they are after slicing; they differ where only one of the two is joined, and where a search for
//! implications has ended at its limit for one of them.
//!
//! A thread that takes no first step and stops there ([`suffix`](super::suffix)) takes none at all, and neither do those of its class behind it: all
//! of them can come after everything else.

use super::program_order::{ProgramOrder, StepId};
use crate::event::{EventProgram, ThreadId};
use crate::relation::faults::{self, Fault};

/// First steps of threads that are alike, in the order that is chosen.
pub fn first_steps(program: &EventProgram, po: &ProgramOrder) -> Vec<(StepId, StepId)> {
    let mut chosen = Vec::new();
    for &(one, other) in &program.alike {
        let first = if faults::on(Fault::AlikeInTurn) {
            po.chains[one].last()
        } else {
            po.chains[one].first()
        };
        if let (Some(&first), Some(&second)) = (first, po.chains[other].first())
            && have_same_steps(program, po, one, other)
        {
            chosen.push((first, second));
        }
    }
    chosen
}

/// True if the steps of two threads are of the same events, by their places in the lists of the threads.
fn have_same_steps(
    program: &EventProgram,
    po: &ProgramOrder,
    one: ThreadId,
    other: ThreadId,
) -> bool {
    let steps = |thread: ThreadId| {
        let events = program.threads[thread].events.iter();
        events.map(|&event| po.step_of[event].map(|step| po.steps[step].index))
    };
    steps(one).eq(steps(other))
}
