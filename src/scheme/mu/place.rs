//! Places of threads among the clusters of a coarse-grained unwinding (§4.2).
//!
//! Cluster i has a place inside, 2i - 1, and a place behind it, 2i; place 0 is before the first one. A step that
//! writes is inside a cluster; one that only reads is inside, between the writes of its own thread, or behind a
//! cluster, where everybody sees what the cluster has exposed. A place is a number in unary ([`Axis`]), and the steps of
//! a thread are in the order of their places.
//!
//! Inside a cluster is one thread (intra-thread clusters), or each thread in turn, in the order of their numbers
//! (inter-thread clusters). So what needs a step of another thread (a join its end, a thread its creation)
//! is at a later place than that step, or at the same place in a later turn.

use super::axis::Axis;
use super::cluster::Wait;
use super::plan::Plan;
use crate::base::IdVec;
use crate::base::id::Id;
use crate::circuit::{Formula, Lit};
use crate::event::{EventKind, EventProgram, ThreadId};
use crate::goal::Model;
use crate::relation::program_order::StepId;
use crate::scheme::faults::{self, Fault};

/// Something that a step starts behind.
#[derive(Clone, Copy)]
struct Start {
    step: StepId,
    /// It is of another thread, whose turn is not before this one's.
    strictly: bool,
    /// The condition that it matters.
    when: Lit,
}

struct Word {
    starts: Vec<Start>,
    /// The step runs and writes something.
    writes: Lit,
}

/// The places of all steps.
pub struct Places {
    axis: Axis,
    words: IdVec<StepId, Option<Word>>,
    shared: bool,
    /// The number of clusters.
    pub count: u32,
}

impl Places {
    /// Places without any cluster yet. `shared` clusters are those of several threads.
    pub fn new(
        program: &EventProgram,
        formula: &mut Formula,
        plan: &Plan,
        (shared, waits): (bool, &[Wait]),
    ) -> Places {
        let po = &plan.po;
        let mut places = Places {
            axis: Axis::new(po.steps.len()),
            words: po.steps.ids().map(|_| None).collect(),
            shared,
            count: 0,
        };
        // Of each thread: the last of its steps that have a place.
        let mut last: IdVec<ThreadId, Option<StepId>> = po.chains.ids().map(|_| None).collect();
        for &step in &plan.order.linear {
            let info = &po.steps[step];
            let tied = info.events.iter().any(|&event| {
                matches!(
                    program.events[event].kind,
                    EventKind::Create { .. } | EventKind::Join { .. } | EventKind::End
                )
            });
            let first = last[info.thread].is_none();
            if !first && !tied && plan.groups[step].is_empty() && plan.looks[step].is_empty() {
                continue;
            }
            let mut starts: Vec<Start> = Vec::new();
            let of_other = |other: StepId, when: Lit| Start {
                step: other,
                strictly: !shared || po.steps[other].thread > info.thread,
                when,
            };
            if let Some(previous) = last[info.thread] {
                starts.push(Start {
                    step: previous,
                    strictly: false,
                    when: Lit::TRUE,
                });
            } else if let Some(create) = program.threads[info.thread].created_by
                && let Some(create) = po.step_of[create]
                && !faults::on(Fault::ChildPosition)
            {
                starts.push(of_other(create, Lit::TRUE));
            }
            for event in info
                .events
                .iter()
                .filter(|id| plan.order.joins.contains(id))
            {
                if let EventKind::Join { targets, .. } = &program.events[*event].kind
                    && !faults::on(Fault::JoinPosition)
                {
                    let ends = targets.iter().filter_map(|t| po.end[t.0]);
                    let ends = ends.filter_map(|end| po.step_of[end]);
                    starts.extend(ends.map(|end| of_other(end, Lit::TRUE)));
                }
            }
            for wait in waits.iter().filter(|wait| wait.join == step) {
                starts.push(of_other(wait.end, wait.when));
            }
            let ran = formula.lit_of(&program.terms, plan.ran[step]);
            let acts = plan.groups[step].iter();
            let acts: Vec<Lit> = acts
                .map(|group| formula.lit_of(&program.terms, group.act))
                .collect();
            let any = formula.or_all(&acts);
            places.axis.add(step, (0, u32::MAX), Lit::TRUE);
            places.words[step] = Some(Word {
                starts,
                writes: formula.and(ran, any),
            });
            last[info.thread] = Some(step);
        }
        for (step, _) in po.steps.iter_ids() {
            let ran = formula.lit_of(&program.terms, plan.ran[step]);
            let before = plan.before(program, step);
            let before = formula.lit_of(&program.terms, before);
            if !faults::on(Fault::StopAndGoOn) {
                formula.add_clause(&[!ran, before]);
            }
        }
        places
    }

    fn word(&self, step: StepId) -> &Word {
        self.words[step]
            .as_ref()
            .expect("steps that matter have a place")
    }

    /// The condition that a step's place is at least `i`.
    pub fn at_least(&self, step: StepId, i: u32) -> Lit {
        self.axis.at_least(step, i)
    }

    /// The condition that a step is at a place.
    pub fn is(&self, formula: &mut Formula, step: StepId, i: u32) -> Lit {
        self.axis.is(formula, step, i)
    }

    /// Assumptions for a question about at most so many clusters.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn within(&self, clusters: u32) -> Vec<Lit> {
        self.axis.within(clusters)
    }

    /// Something is written in cluster `i`.
    pub fn is_taken(&self, i: u32) -> Lit {
        self.axis.is_taken(i)
    }

    /// Adds clusters up to `count`.
    pub fn grow(&mut self, formula: &mut Formula, plan: &Plan, count: u32) {
        let old = std::mem::replace(&mut self.count, count);
        let last = 2 * count + 1;
        self.axis.grow(formula, 2 * count);
        let linear = &plan.order.linear;
        // Up to the last place and what is beyond it.
        let from = if old == 0 { 1 } else { 2 * old + 2 };
        for &step in linear {
            let Some(word) = &self.words[step] else {
                continue;
            };
            for start in &word.starts {
                for i in from..=last {
                    let there = self.at_least(start.step, i);
                    let later = i % 2 == 1 && start.strictly && !faults::on(Fault::SameTurn);
                    let here = self.at_least(step, i + u32::from(later && i < last));
                    formula.add_clause(&[!start.when, !there, here]);
                }
                if start.strictly && old > 0 {
                    // What was beyond is a place now.
                    let there = self.at_least(start.step, 2 * old + 1);
                    let here = self.at_least(step, 2 * old + 2);
                    formula.add_clause(&[!start.when, !there, here]);
                }
            }
            // Writes are inside clusters.
            let first = if old == 0 { 0 } else { old + 1 };
            for i in first..=count {
                let behind = self.is(formula, step, 2 * i);
                if !faults::on(Fault::WriteBehind) {
                    formula.add_clause(&[!behind, !self.word(step).writes]);
                }
            }
        }
        for i in old + 1..=count {
            self.occupy(formula, plan, i);
        }
    }

    /// States who may be inside a cluster (one thread, unless clusters are inter-thread), and records that it is taken
    /// if somebody writes there.
    fn occupy(&mut self, formula: &mut Formula, plan: &Plan, i: u32) {
        let mut threads: Vec<Lit> = Vec::new();
        let mut written: Vec<Lit> = Vec::new();
        for chain in plan.po.chains.iter() {
            let mut here: Vec<Lit> = Vec::new();
            for &step in chain {
                let Some(word) = &self.words[step] else {
                    continue;
                };
                let inside = self.is(formula, step, 2 * i - 1);
                written.push(formula.and(inside, word.writes));
                here.push(inside);
            }
            threads.push(formula.or_all(&here));
        }
        for (a, &one) in threads.iter().enumerate() {
            for &other in &threads[a + 1..] {
                if !self.shared && !faults::on(Fault::PositionShared) {
                    formula.add_clause(&[!one, !other]);
                }
            }
        }
        let taken = formula.or_all(&written);
        self.axis.take(formula, taken);
    }

    /// A thread writes something in cluster `i`.
    #[cfg(feature = "internals")]
    pub fn writes(&self, formula: &mut Formula, plan: &Plan, thread: ThreadId, i: u32) -> Lit {
        let mut all = Vec::new();
        for &step in &plan.po.chains[thread] {
            if let Some(word) = &self.words[step] {
                let inside = self.is(formula, step, 2 * i - 1);
                all.push(formula.and(inside, word.writes));
            }
        }
        formula.or_all(&all)
    }

    /// A step that only reads moves on only to see something: it is where its thread was before, or behind a cluster
    /// in which what it reads has been `written`.
    pub fn settle(&self, formula: &mut Formula, step: StepId, i: u32, written: &[Lit]) {
        let word = self.word(step);
        // With turns, also others' writes in the same cluster are something to see.
        if self.shared
            || word.writes != Lit::FALSE
            || word.starts.iter().any(|s| s.when != Lit::TRUE)
        {
            return;
        }
        let mut clause = vec![!self.is(formula, step, i)];
        clause.extend(written);
        for start in &word.starts {
            let later = start.strictly && i > 0 && i.is_multiple_of(2);
            clause.push(self.at_least(start.step, i - u32::from(later)));
        }
        formula.add_clause(&clause);
    }

    /// A step's place in a model.
    pub fn of_model(&self, step: StepId, model: &mut dyn Model) -> u32 {
        self.axis.of_model(step, model)
    }

    /// In an inter-thread cluster, whose turn comes first.
    pub fn turn(&self, plan: &Plan, step: StepId) -> usize {
        plan.po.steps[step].thread.index()
    }
}
