//! Waypoints that a thread passes: statements that it begins, calls, and the violation.

use super::expression;
use super::passes::{Pass, Passes};
use super::sites::{Called, Site, is_at};
use super::state::{Guide, Manner, Move, Node};
use crate::base::Loc;
use crate::event::ThreadId;
use crate::ir::Reg;
use crate::witness::{Kind, Waypoint};
use std::rc::Rc;

impl Guide<'_, '_, '_> {
    /// Passes waypoints that name passes of a thread which are open: statements that have begun.
    pub(super) fn name(&mut self, made: &mut Move, thread: ThreadId) {
        let node = &mut made.node;
        while let Some(waypoint) = self.waypoints.get(node.at) {
            let waypoint = Rc::clone(waypoint);
            if self.thread_of(node, &waypoint) != Some(thread) {
                return;
            }
            let assumed = match &waypoint.kind {
                Kind::Assumption(text) => Some(text.as_str()),
                Kind::Branch(_) => None,
                Kind::Enter(_) | Kind::Return(..) | Kind::Target => return,
            };
            // Of several on one line, a witness without columns may mean any.
            let open = node.passes[thread.0 as usize].open().iter().enumerate();
            let is_it = |pass: &Pass| {
                let place = pass.site.map(|site| self.sites.place(site));
                !pass.is_named && place.is_some_and(|place| is_at(&waypoint.place, place))
            };
            let open = open.rev().filter(|(_, pass)| is_it(pass));
            let open: Vec<usize> = open.map(|(index, _)| index).collect();
            if open.is_empty() {
                return;
            }
            let index = open[made.guess.pick(open.len())];
            let holds = assumed.and_then(|text| {
                expression::holds(&mut self.interpreter, (&node.state, thread), text)
            });
            if holds == Some(false) {
                return;
            }
            let passes: &mut Passes = Rc::make_mut(&mut node.passes[thread.0 as usize]);
            passes.open_mut()[index].is_named = true;
            node.at += 1;
            // What else the witness names is to come, maybe on the same line.
            if index + 1 == passes.open().len() {
                return;
            }
        }
    }

    /// True if a thread may make a step in its pass through a statement.
    pub(super) fn may_step(
        &mut self,
        made: &mut Move,
        thread: ThreadId,
        site: Option<Site>,
    ) -> bool {
        let is_named = |node: &Node| {
            let pass = node.passes[thread.0 as usize].innermost();
            pass.is_none_or(|pass| pass.is_named || pass.site.is_none())
        };
        if is_named(&made.node) {
            return true;
        }
        self.name(made, thread);
        self.manner == Manner::Free
            || is_named(&made.node)
            || self.target(&made.node, thread, site).is_some()
    }

    /// Target that a thread has come to, by its number.
    pub(super) fn target(
        &self,
        node: &Node,
        thread: ThreadId,
        site: Option<Site>,
    ) -> Option<usize> {
        if node.at < self.waypoints.len() {
            return None;
        }
        let is_it = |one: &Waypoint| {
            let is_there = site.is_none_or(|site| is_at(&one.place, self.sites.place(site)));
            is_there && self.thread_of(node, one) == Some(thread)
        };
        self.targets.iter().position(is_it)
    }

    /// The value that a call returns to a thread, if the next waypoint says so.
    pub(super) fn returned(
        &mut self,
        made: &mut Move,
        thread: ThreadId,
        loc: Loc,
        dst: Reg,
    ) -> Option<u128> {
        for _ in 0..2 {
            let waypoint = Rc::clone(self.waypoints.get(made.node.at)?);
            if let Kind::Return(text, _) = &waypoint.kind
                && self.thread_of(&made.node, &waypoint) == Some(thread)
                && self.is_call(&waypoint, loc)
            {
                let frame = made.node.state.frame(thread);
                let info = &self.interpreter.function(frame).regs[dst];
                made.node.at += 1;
                return expression::result(text, info);
            }
            self.name(made, thread);
        }
        None
    }

    /// Entry of a function, or creation of a thread: true if the next waypoint says so.
    pub(super) fn enters(&mut self, made: &mut Move, thread: ThreadId, loc: Loc) -> bool {
        for _ in 0..2 {
            let Some(waypoint) = self.waypoints.get(made.node.at).cloned() else {
                return false;
            };
            if matches!(waypoint.kind, Kind::Enter(_) | Kind::Return(..))
                && self.thread_of(&made.node, &waypoint) == Some(thread)
                && self.is_call(&waypoint, loc)
            {
                made.node.at += 1;
                return matches!(waypoint.kind, Kind::Enter(_));
            }
            self.name(made, thread);
        }
        false
    }

    /// True if a waypoint is about the call at a place.
    pub(super) fn is_call(&mut self, waypoint: &Waypoint, loc: Loc) -> bool {
        if let Some(Called { place, .. }) = self.sites.call(loc)
            && is_at(&waypoint.place, place)
        {
            return true;
        }
        let site = self.sites.site(loc);
        site.is_some_and(|site| is_at(&waypoint.place, self.sites.place(site)))
    }
}
