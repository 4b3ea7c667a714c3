//! Atomic sections: one step, all or nothing.
//!
//! If something inside a section cannot proceed (an assumption, a lock, a join; an abort ends the program, so
//! nobody sees what the section did before it), the section as a whole has not run: the guards of its events
//! get the conjunction of everything that may block in it. A violated assertion inside ends the execution
//! right there, so it counts although something later in the section would block; a cut inside likewise,
//! but only when the question is about cuts, because the steps before it must not be seen by others otherwise.

use super::pass::Pass;
use super::state::State;
use crate::base::faults::{self, Fault};
use crate::base::id::Id;
use crate::event::{Cut, EventKind, SectionId};
use crate::term::TermId;

/// What is known of a section while its thread is executed.
#[derive(Clone, Default)]
pub(super) struct Section {
    /// Set if paths that began different sections met inside: both are this one.
    same_as: Option<SectionId>,
    /// Conditions (given the path) that let the section go on.
    blocks: Vec<TermId>,
    /// Conditions under which an assertion inside is violated.
    violations: Vec<TermId>,
}

impl Pass<'_> {
    /// `__VERIFIER_atomic_begin`.
    pub(super) fn begin_section(&mut self, state: &mut State, drains: bool) {
        state.section = Some(match state.section {
            Some((section, depth)) => (section, depth + 1),
            None => (self.sections.push(Section::default()), 1),
        });
        if state.section.is_some_and(|(_, depth)| depth == 1) {
            state.undrained = !drains;
            if drains {
                self.drain(state);
            }
        }
    }

    /// `__VERIFIER_atomic_end`; without a section it does nothing.
    pub(super) fn end_section(&mut self, state: &mut State) {
        state.section = match state.section {
            Some((section, depth)) if depth > 1 => Some((section, depth - 1)),
            _ => None,
        };
        state.undrained &= state.section.is_some();
    }

    /// The section of two paths that meet; what it is if one is inside and the other is not, nobody can say.
    pub(super) fn join_sections(
        &mut self,
        one: &State,
        other: &State,
    ) -> Result<Option<(SectionId, u32)>, Cut> {
        match (one.section, other.section) {
            (None, None) => Ok(None),
            (Some((a, depth)), Some((b, same))) if depth == same => {
                let (a, b) = (self.section_root(a), self.section_root(b));
                if a != b {
                    let merged = std::mem::take(&mut self.sections[b]);
                    self.sections[b].same_as = Some(a);
                    self.sections[a].blocks.extend(merged.blocks);
                    self.sections[a].violations.extend(merged.violations);
                }
                Ok(Some((a, depth)))
            }
            _ => Err(Cut::Unsupported(
                "paths meet inside and outside of an atomic section".into(),
            )),
        }
    }

    fn section_root(&self, mut section: SectionId) -> SectionId {
        while let Some(next) = self.sections[section].same_as {
            section = next;
        }
        section
    }

    /// The path needs `cond` to go on; if it is in a section, the section needs it.
    pub(super) fn section_blocks(&mut self, state: &State, cond: TermId) {
        if let Some((section, _)) = state.section
            && !faults::on(Fault::SectionGoesOn)
        {
            let needed = self.terms.implies(state.path.term(), cond);
            let root = self.section_root(section);
            self.sections[root].blocks.push(needed);
        }
    }

    /// The path violates an assertion unless `cond`.
    pub(super) fn section_asserts(&mut self, state: &State, cond: TermId) {
        if let Some((section, _)) = state.section {
            let broken = self.terms.not(cond);
            let violated = self.terms.and(state.path.term(), broken);
            let root = self.section_root(section);
            self.sections[root].violations.push(violated);
        }
    }

    /// Completes the guards of sections' events and makes the events of each adjacent; returns the
    /// variables that let a section end at a cut.
    pub(super) fn finish_sections(&mut self) -> Vec<TermId> {
        let mut partial = Vec::new();
        let mut members: Vec<Vec<crate::event::EventId>> = vec![Vec::new(); self.sections.len()];
        for id in self.events.ids().collect::<Vec<_>>() {
            if let Some(section) = self.events[id].section {
                let root = self.section_root(section);
                self.events[id].section = Some(root);
                members[root.index()].push(id);
            }
        }
        for (index, events) in members.iter().enumerate() {
            let section = self.sections[SectionId::from_index(index)].clone();
            if section.blocks.is_empty() {
                continue;
            }
            let mut runs = self.terms.tru();
            for block in section.blocks {
                runs = self.terms.and(runs, block);
            }
            for violation in section.violations {
                runs = self.terms.or(runs, violation);
            }
            let mut cut = self.terms.fals();
            for &id in events {
                if matches!(self.events[id].kind, EventKind::Cut { .. }) {
                    cut = self.terms.or(cut, self.events[id].guard);
                }
            }
            if self.terms.as_constant(cut) != Some(0) {
                let ends_at_cut = self.terms.fresh("cut-in-section", 1);
                let fact = self.terms.implies(ends_at_cut, cut);
                self.facts_found.push(fact);
                partial.push((SectionId::from_index(index), ends_at_cut));
                runs = self.terms.or(runs, ends_at_cut);
            }
            for &id in events {
                // An assertion inside is among what lets the section run as far as it got.
                if !matches!(self.events[id].kind, EventKind::Assert { .. }) {
                    self.events[id].guard = self.terms.and(self.events[id].guard, runs);
                }
            }
        }
        self.gather_sections();
        self.part_cuts(&partial);
        partial.into_iter().map(|(_, end)| end).collect()
    }

    /// What a section did before a cut in it shows only where that cut is the question: every other cut needs
    /// that the section did not end there.
    fn part_cuts(&mut self, partial: &[(SectionId, TermId)]) {
        for id in self.events.ids().collect::<Vec<_>>() {
            if !matches!(self.events[id].kind, EventKind::Cut { .. }) {
                continue;
            }
            for &(section, end) in partial {
                if self.events[id].section != Some(section) {
                    let whole = self.terms.not(end);
                    self.events[id].guard = self.terms.and(self.events[id].guard, whole);
                }
            }
        }
    }

    /// Moves the events of a section next to each other. What stands between them is on paths that exclude the
    /// section (paths inside and outside of a section never meet before it ends), so the order is free.
    fn gather_sections(&mut self) {
        for instance in self.instances.iter_mut() {
            let mut later: Vec<Vec<crate::event::EventId>> = vec![Vec::new(); self.sections.len()];
            for &id in &instance.events {
                if let Some(section) = self.events[id].section {
                    later[section.index()].push(id);
                }
            }
            let mut gathered = Vec::with_capacity(instance.events.len());
            for &id in &instance.events {
                match self.events[id].section {
                    None => gathered.push(id),
                    Some(section) => gathered.append(&mut later[section.index()]),
                }
            }
            instance.events = gathered;
        }
    }

    /// Runs one instruction whose events are one step.
    pub(super) fn one_step<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.events.next_id();
        let section = self.sections.push(Section::default());
        self.step = Some(section);
        let result = run(self);
        self.step = None;
        let ids: Vec<_> = (before.0..self.events.next_id().0)
            .map(crate::event::EventId)
            .collect();
        let visible = ids
            .iter()
            .filter(|id| self.events[**id].kind.is_visible())
            .count();
        if visible < 2 || faults::on(Fault::StepSplit) {
            for id in ids {
                if self.events[id].section == Some(section) {
                    self.events[id].section = None;
                }
            }
        }
        result
    }
}
