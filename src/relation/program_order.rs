//! Program order: the visible events of each thread, grouped into steps. Every scheme starts from it.
//!
//! A *step* is the visible events of one section, or a single visible event, or several such steps that
//! can be taken together. The steps of a thread form a chain. Events whose guard is the constant `false` make no step, nor
//! do fences under sequential consistency, where they do nothing.
//!
//! Under a weak memory model, the writes that a thread buffers are on chains of their own, in the order in which they
//! reach memory ([`buffer`](super::buffer)).

use crate::base::IdVec;
use crate::event::{Barrier, Event, EventId, EventKind, EventProgram, SectionId, ThreadId};
use crate::goal::Claim;
use crate::ids;
use crate::reduce::substitution::Substitution;
use crate::relation::faults::{self, Fault};
use crate::term::TermId;

ids! {
    /// A step of a thread.
    StepId;
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its chain: that of the thread itself, or one of its buffered writes (see [`ProgramOrder::owner`]).
    pub thread: ThreadId,
    /// Its place in the chain of its thread, from 0.
    pub index: u32,
    /// Its visible events in program order; at least one.
    pub events: Vec<EventId>,
}

/// An assertion or a cut: it only looks at its own thread.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// The event.
    pub event: EventId,
    /// Its thread.
    pub thread: ThreadId,
    /// Number of steps of its thread that have begun before it (inside a section, the section's step counts).
    pub after: u32,
}

/// The program-order graph: steps, their chains, and what store buffers keep in order.
#[derive(Clone, Debug)]
pub struct ProgramOrder {
    /// All steps, thread by thread, in program order.
    pub steps: IdVec<StepId, Step>,
    /// Nodes of each thread in program order.
    pub chains: IdVec<ThreadId, Vec<StepId>>,
    /// Step of each visible event that can happen.
    pub step_of: IdVec<EventId, Option<StepId>>,
    /// Assertions and cuts that can happen, thread by thread, in program order.
    pub locals: Vec<Local>,
    /// The `End` event of each thread, if it can happen.
    pub end: IdVec<ThreadId, Option<EventId>>,
    /// The thread that each chain belongs to. The first chains are those of the threads; those of their buffered
    /// writes follow.
    pub owner: IdVec<ThreadId, ThreadId>,
    /// Order that store buffers keep, apart from the chains.
    pub edges: Vec<Edge>,
    /// The place of each event in its thread's list.
    pub rank: IdVec<EventId, u32>,
    /// Buffered writes with the next step of their thread, which is taken after they are issued (but maybe before they
    /// reach memory).
    pub issued: Vec<(StepId, StepId)>,
}

/// A step that comes before another one of the same thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The earlier step.
    pub from: StepId,
    /// The later one.
    pub to: StepId,
    /// Condition of the order; `None` if it holds in every execution.
    pub when: Option<TermId>,
}

impl ProgramOrder {
    pub(super) fn empty(program: &EventProgram) -> ProgramOrder {
        ProgramOrder {
            steps: IdVec::new(),
            chains: program.threads.ids().map(|_| Vec::new()).collect(),
            step_of: program.events.ids().map(|_| None).collect(),
            locals: Vec::new(),
            end: program.threads.ids().map(|_| None).collect(),
            owner: program.threads.ids().collect(),
            edges: Vec::new(),
            rank: program.events.ids().map(|_| 0).collect(),
            issued: Vec::new(),
        }
    }

    /// Groups the events of a program into the steps of its threads, under a weak memory model, too: a buffered write is
    /// where it is issued; linear.
    pub fn issued(program: &EventProgram) -> ProgramOrder {
        let mut po = ProgramOrder::empty(program);
        let alive = alive(program);
        for thread in program.threads.ids().filter(|&thread| alive[thread]) {
            po.add_thread(program, thread);
        }
        po
    }

    /// True if two steps are of one thread: the order between a thread's steps and its own buffered writes is either
    /// stated by edges or of no importance.
    pub fn is_own(&self, a: StepId, b: StepId) -> bool {
        self.owner[self.steps[a].thread] == self.owner[self.steps[b].thread]
    }

    /// True if some writes are buffered, on chains of their own.
    pub fn is_buffered(&self) -> bool {
        self.chains.len() > self.end.len()
    }

    pub(super) fn add_thread(&mut self, program: &EventProgram, thread: ThreadId) {
        let mut open: Option<SectionId> = None;
        for &id in &program.threads[thread].events {
            let event = &program.events[id];
            if event.guard == program.terms.fals() {
                continue;
            }
            if !event.kind.is_visible() {
                let after = self.chains[thread].len() as u32;
                self.locals.push(Local {
                    event: id,
                    thread,
                    after,
                });
                continue;
            }
            if matches!(event.kind, EventKind::Fence) && program.barrier(id) == Barrier::None {
                continue;
            }
            if matches!(event.kind, EventKind::End) {
                self.end[thread] = Some(id);
            }
            let joined = event.section.is_some()
                && event.section == open
                && !faults::on(Fault::SectionSplit);
            let step = match self.chains[thread].last() {
                Some(&last) if joined => last,
                _ => {
                    let index = self.chains[thread].len() as u32;
                    let step = self.steps.push(Step {
                        thread,
                        index,
                        events: Vec::new(),
                    });
                    self.chains[thread].push(step);
                    step
                }
            };
            open = event.section;
            self.steps[step].events.push(id);
            self.step_of[id] = Some(step);
        }
    }

    /// Makes one step of those that are to be taken `together` with the one before them in their thread.
    pub fn join_steps(&mut self, together: &IdVec<StepId, bool>) {
        let mut steps: IdVec<StepId, Step> = IdVec::new();
        // By thread and old place: how many of the new steps have begun.
        let mut begun: IdVec<ThreadId, Vec<u32>> = IdVec::new();
        for (thread, old) in std::mem::take(&mut self.chains).iter_ids() {
            let mut chain: Vec<StepId> = Vec::new();
            let mut begun_here: Vec<u32> = vec![0];
            for &step in old {
                let events = std::mem::take(&mut self.steps[step].events);
                match chain.last() {
                    Some(&last) if together[step] => steps[last].events.extend(events),
                    _ => {
                        let index = chain.len() as u32;
                        chain.push(steps.push(Step {
                            thread,
                            index,
                            events,
                        }));
                    }
                }
                begun_here.push(chain.len() as u32);
            }
            begun.push(begun_here);
            self.chains.push(chain);
        }
        for local in &mut self.locals {
            local.after = begun[local.thread][local.after as usize];
        }
        for (id, step) in steps.iter_ids() {
            for &event in &step.events {
                self.step_of[event] = Some(id);
            }
        }
        self.steps = steps;
    }

    /// Assertions and cuts that can happen, with the conditions that say whether they do. `substitution` is what
    /// variables of the program stand for.
    pub fn claims(
        &self,
        program: &mut EventProgram,
        substitution: &mut Substitution,
    ) -> Vec<Claim> {
        let mut claims = Vec::new();
        for local in &self.locals {
            let mut claim = claim(program, local.event);
            let terms = &mut program.terms;
            claim.reached = substitution.instance(terms, claim.reached);
            claim.violated = claim.violated.map(|t| substitution.instance(terms, t));
            claims.push(claim);
        }
        claims
    }

    /// The step before this one in its thread.
    pub fn previous(&self, step: StepId) -> Option<StepId> {
        let Step { thread, index, .. } = self.steps[step];
        index
            .checked_sub(1)
            .map(|index| self.chains[thread][index as usize])
    }
}

/// An assertion or a cut, with its conditions over the program's own variables.
pub fn claim(program: &mut EventProgram, event: EventId) -> Claim {
    let &Event {
        guard,
        reached,
        ref kind,
        ..
    } = &program.events[event];
    // A cut counts where it happens, an assertion where it is checked.
    let EventKind::Assert { cond, .. } = *kind else {
        return Claim {
            event,
            reached: guard,
            violated: None,
        };
    };
    let broken = program.terms.not(cond);
    let violated = if faults::on(Fault::AssertGuard) {
        broken
    } else {
        program.terms.and(guard, broken)
    };
    Claim {
        event,
        reached,
        violated: Some(violated),
    }
}

/// Guard of each visible event that can happen (of a join: its guard and that it came through), with every
/// variable replaced by what it stands for.
pub fn happening(
    program: &mut EventProgram,
    po: &ProgramOrder,
    substitution: &mut Substitution,
) -> IdVec<EventId, Option<TermId>> {
    let mut happens: IdVec<EventId, Option<TermId>> = program.events.ids().map(|_| None).collect();
    for step in po.steps.iter() {
        for &event in &step.events {
            let mut guard = program.events[event].guard;
            if let EventKind::Join { done, .. } = program.events[event].kind {
                guard = program.terms.and(guard, done);
            }
            happens[event] = Some(substitution.instance(&mut program.terms, guard));
        }
    }
    happens
}

/// Threads whose creation can happen.
pub(super) fn alive(program: &EventProgram) -> IdVec<ThreadId, bool> {
    // A creator may have a higher number than the thread it creates, so look up to the root each time.
    let runs = |mut thread: ThreadId| {
        for _ in 0..program.threads.len() {
            let Some(create) = program.threads[thread].created_by else {
                return thread == ThreadId(0);
            };
            if program.events[create].guard == program.terms.fals() {
                return false;
            }
            thread = program.events[create].thread;
        }
        false
    };
    program.threads.ids().map(runs).collect()
}
