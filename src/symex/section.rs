//! Atomic sections: one step, all or nothing.
//!
//! If something inside a section cannot proceed (an assumption, a lock, a join; an abort ends the program, so
//! nobody sees what the section did before it), the section as a whole has not run: the guards of its events
//! get the conjunction of everything that may block in it. A violated assertion inside ends the execution
//! right there, so it counts although something later in the section would block; a cut inside likewise,
//! but only when the question is about cuts, because the steps before it must not be seen by others otherwise.
//!
//! Paths that meet in different sections, or of which one is in a section and the other is not, go on apart (a `goto`
//! may leave a section, which then holds to the thread's end). Two sections are one if no execution has both and
//! nothing stands between them: the branches of an `if` may begin one each, and end it together.

use super::pass::{Pass, Section};
use super::state::PathState;
use crate::base::id::Id;
use crate::event::{Cut, EventId, EventKind, SectionId};
use crate::ir::Property;
use crate::symex::faults::{self, Fault};
use crate::term::TermId;
use std::rc::Rc;

/// Paths that go on apart from one place, at most.
const APART: usize = 16;

impl Pass<'_> {
    /// `__VERIFIER_atomic_begin`.
    pub(super) fn begin_section(&mut self, state: &mut PathState, drains: bool) {
        state.section = Some(match state.section {
            Some((section, depth)) => (section, depth + 1),
            None => {
                let rests = self.rest_before_step(state).into_iter().collect();
                let now = self.events.next_id().0;
                let section = Section {
                    begun: (now, now),
                    rests,
                    before: state.ended.clone(),
                    ..Section::default()
                };
                (self.sections.push(section), 1)
            }
        });
        if state.section.is_some_and(|(_, depth)| depth == 1) {
            state.undrained = !drains;
            if drains {
                self.drain(state);
            }
        }
    }

    /// `__VERIFIER_atomic_end`; without a section it does nothing.
    pub(super) fn end_section(&mut self, state: &mut PathState) {
        state.section = match state.section {
            Some((section, depth)) if depth > 1 => Some((section, depth - 1)),
            Some((section, _)) => {
                state.ended = union(&state.ended, &Rc::new(vec![section]));
                None
            }
            None => None,
        };
        state.undrained &= state.section.is_some();
    }

    /// Meeting of two paths: true if they can go on as one.
    pub(super) fn may_meet(&self, one: &PathState, other: &PathState) -> bool {
        match (one.section, other.section) {
            (None, None) => true,
            (Some((a, depth)), Some((b, same))) if depth == same => {
                let (a, b) = (self.section_root(a), self.section_root(b));
                a == b || self.may_be_one(a, b)
            }
            _ => false,
        }
    }

    /// Sections that may be one: true if no execution has both, and all events since the first of the one or the other,
    /// up to the beginning of the last, are theirs.
    fn may_be_one(&self, a: SectionId, b: SectionId) -> bool {
        let (one, other) = (&self.sections[a], &self.sections[b]);
        let is_before = |section: SectionId, before: &[SectionId]| {
            let mut roots = before.iter().map(|&known| self.section_root(known));
            roots.any(|root| root == section)
        };
        if is_before(a, &other.before) || is_before(b, &one.before) {
            return false;
        }
        let first = one.begun.0.min(other.begun.0);
        let last = one.begun.1.max(other.begun.1);
        let theirs = |id: &EventId| {
            let section = self.events[*id].section.map(|s| self.section_root(s));
            section == Some(a) || section == Some(b)
        };
        let mut events = (first..last).map(EventId).skip_while(|id| !theirs(id));
        events.all(|id| theirs(&id))
    }

    /// The section of two paths that become one.
    pub(super) fn join_sections(
        &mut self,
        one: &PathState,
        other: &PathState,
    ) -> Option<(SectionId, u32)> {
        let ((a, depth), (b, _)) = (one.section?, other.section?);
        let (a, b) = (self.section_root(a), self.section_root(b));
        if a != b {
            let merged = std::mem::take(&mut self.sections[b]);
            self.sections[b].same_as = Some(a);
            let section = &mut self.sections[a];
            section.blocks.extend(merged.blocks);
            section.violations.extend(merged.violations);
            section.races.extend(merged.races);
            section.rests.extend(merged.rests);
            section.begun.0 = section.begun.0.min(merged.begun.0);
            section.begun.1 = section.begun.1.max(merged.begun.1);
            section.before = union(&section.before, &merged.before);
        }
        Some((a, depth))
    }

    /// Adds a path to those that are at one place: it becomes one with the first of them that it can; registers that
    /// `live` does not want are forgotten where they differ.
    pub(super) fn gather(
        &mut self,
        states: &mut Vec<PathState>,
        state: PathState,
        live: impl Fn(usize) -> bool,
    ) {
        let Some(index) = states.iter().position(|one| self.may_meet(one, &state)) else {
            if self.keeps_apart(states.len(), &state) {
                states.push(state);
            }
            return;
        };
        let one = states.remove(index);
        let joined = self.join_states(one, state, live);
        if !joined.path.is_dead(&self.terms) {
            states.insert(index, joined);
        }
    }

    /// Paths that go on apart: true if one may, beside others that are where it is; it is cut if they are too many.
    pub(super) fn keeps_apart(&mut self, others: usize, state: &PathState) -> bool {
        self.apart |= others > 0;
        if others < APART {
            return true;
        }
        let always = self.terms.tru();
        let why = "paths meet in too many different atomic sections";
        self.cut(state, always, Cut::Unsupported(why.into()));
        false
    }

    pub(super) fn section_root(&self, mut section: SectionId) -> SectionId {
        while let Some(next) = self.sections[section].same_as {
            section = next;
        }
        section
    }

    /// The path needs `cond` to go on; if it is in a section, the section needs it.
    pub(super) fn section_blocks(&mut self, state: &PathState, cond: TermId) {
        if let Some((section, _)) = state.section
            && !faults::on(Fault::SectionGoesOn)
        {
            let needed = self.terms.implies(state.path.term(), cond);
            let root = self.section_root(section);
            self.sections[root].blocks.push(needed);
        }
    }

    /// The path reaches `why` in the middle of the running step unless `cond`, and goes on only under it: otherwise nothing of
    /// the step happens, but where that cut is the question.
    pub(super) fn cut_in_step(&mut self, state: &mut PathState, cond: TermId, why: Cut) {
        let before = self.events.next_id();
        let step = self.step.filter(|_| state.section.is_none());
        if let Some(step) = step {
            let needed = self.terms.implies(state.path.term(), cond);
            self.sections[step].blocks.push(needed);
        }
        self.restrict_or_cut(state, cond, || why);
        for id in (before.0..self.events.next_id().0).map(EventId) {
            self.events[id].section = step.or(self.events[id].section);
        }
    }

    /// The path violates an assertion unless `cond`.
    pub(super) fn section_asserts(&mut self, state: &PathState, cond: TermId) {
        if let Some((section, _)) = state.section {
            let broken = self.terms.not(cond);
            let violated = self.terms.and(state.path.term(), broken);
            let root = self.section_root(section);
            self.sections[root].violations.push(violated);
        }
    }

    /// An access of the path races unless `cond`. A section in which one does runs as far as it got, where races are the question.
    pub(super) fn section_races(&mut self, state: &PathState, cond: TermId) {
        if let Some((section, _)) = state.section
            && !faults::on(Fault::SectionUnseen)
        {
            let races = self.terms.not(cond);
            let races = self.terms.and(state.path.term(), races);
            let root = self.section_root(section);
            self.sections[root].races.push(races);
        }
    }

    /// Completes the guards of sections' events and makes the events of each adjacent; returns the
    /// variables that let a section end at a cut.
    pub(super) fn finish_sections(&mut self) -> Vec<TermId> {
        let mut partial = Vec::new();
        let mut racing = Vec::new();
        let mut broken = Vec::new();
        let mut members: Vec<Vec<EventId>> = vec![Vec::new(); self.sections.len()];
        for id in self.events.ids().collect::<Vec<_>>() {
            if let Some(section) = self.events[id].section {
                let root = self.section_root(section);
                self.events[id].section = Some(root);
                members[root.index()].push(id);
            }
        }
        for (index, events) in members.iter().enumerate() {
            let section = self.sections[SectionId::from_index(index)].clone();
            // Where races are the question, others may go on beside a section that violates an assertion, which has not run then.
            let may_break = !self.sites.open.is_empty() && !section.violations.is_empty();
            if section.blocks.is_empty() && !may_break {
                continue;
            }
            let mut runs = self.terms.tru();
            for block in section.blocks {
                runs = self.terms.and(runs, block);
            }
            if may_break {
                let violated = self.terms.or_all(&section.violations);
                let breaks = self.terms.fresh("assertion-in-section", 1);
                let fact = self.terms.implies(breaks, violated);
                self.facts_found.push(fact);
                let whole = self.terms.not(violated);
                runs = self.terms.and(runs, whole);
                runs = self.terms.or(runs, breaks);
                self.ask_if_broken(events, breaks);
                broken.push((SectionId::from_index(index), breaks));
            } else {
                for violation in section.violations {
                    runs = self.terms.or(runs, violation);
                }
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
            if !section.races.is_empty() {
                let race = self.terms.or_all(&section.races);
                let ends_at_race = self.terms.fresh("race-in-section", 1);
                let fact = self.terms.implies(ends_at_race, race);
                self.facts_found.push(fact);
                racing.push((SectionId::from_index(index), ends_at_race));
                runs = self.terms.or(runs, ends_at_race);
            }
            for &id in events {
                // An assertion inside is among what lets the section run as far as it got; that of a race is so only where it is
                // the question.
                let is_assertion = match self.events[id].kind {
                    EventKind::Assert { property, .. } => property != Property::Race,
                    _ => false,
                };
                if !is_assertion {
                    self.events[id].guard = self.terms.and(self.events[id].guard, runs);
                }
            }
        }
        self.gather_sections();
        self.part_cuts(&partial, &racing, &broken);
        let all = partial.into_iter().chain(racing);
        all.map(|(_, end)| end).collect()
    }

    /// Assertions of a section are only violated where it `breaks`.
    fn ask_if_broken(&mut self, events: &[EventId], breaks: TermId) {
        let holds = self.terms.not(breaks);
        for &id in events {
            if let EventKind::Assert { cond, property } = &mut self.events[id].kind
                && *property != Property::Race
            {
                *cond = self.terms.or(*cond, holds);
            }
        }
    }

    /// Effects of a section before a cut in it, or a race, show only where that is the question: every other cut and race needs
    /// that the section did not end there. Every race in another section needs that it did not end at an assertion.
    fn part_cuts(
        &mut self,
        partial: &[(SectionId, TermId)],
        racing: &[(SectionId, TermId)],
        broken: &[(SectionId, TermId)],
    ) {
        for id in self.events.ids().collect::<Vec<_>>() {
            let (own, others, broken) = match self.events[id].kind {
                EventKind::Cut { .. } => (partial, racing, &[][..]),
                EventKind::Assert {
                    property: Property::Race,
                    ..
                } => (racing, partial, broken),
                _ => continue,
            };
            let section = self.events[id].section;
            let apart = own.iter().chain(broken);
            let apart = apart.filter(|(other, _)| section != Some(*other));
            for &(_, end) in apart.chain(others) {
                let whole = self.terms.not(end);
                self.events[id].guard = self.terms.and(self.events[id].guard, whole);
            }
        }
    }

    /// Moves the events of a section next to each other. What stands between them is on paths that exclude what follows
    /// of the section (paths inside and outside of a section go on apart), so the order is free.
    fn gather_sections(&mut self) {
        for instance in self.instances.iter_mut() {
            let mut later: Vec<Vec<EventId>> = vec![Vec::new(); self.sections.len()];
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
        let ids: Vec<_> = (before.0..self.events.next_id().0).map(EventId).collect();
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

/// The sections of both lists, ascending.
pub(super) fn union(a: &Rc<Vec<SectionId>>, b: &Rc<Vec<SectionId>>) -> Rc<Vec<SectionId>> {
    if Rc::ptr_eq(a, b) || b.is_empty() {
        return a.clone();
    }
    let mut all: Vec<SectionId> = a.iter().chain(b.iter()).copied().collect();
    all.sort_unstable();
    all.dedup();
    Rc::new(all)
}
