//! One move of a thread: through what nobody else notices to its next step that others may notice, which it makes. With the step goes the
//! atomic section that it begins.

use super::guess::{Guess, Script};
use super::passes::Passes;
use super::sites::{Called, Site, is_at};
use super::{Guide, Link, Node, expression};
use crate::base::Loc;
use crate::event::{Cut, MemoryModel, ThreadId};
use crate::ir::{Check, InstrKind, NondetSource, Origin, Property, Reg};
use crate::trace::interpret::Effect;
use crate::trace::interpret::lookup::Next;
use crate::trace::interpret::state::Status;
use crate::trace::tape::{End, Tape, Turn};
use crate::witness::{Kind, Waypoint};
use std::rc::Rc;

/// Instructions of a move.
const MOST_INSTRUCTIONS: u64 = 10_000_000;

/// Result of a move.
pub(super) enum Step {
    /// It leads to this node.
    Moved(Box<Node>),
    /// The thread cannot move, or the witness does not let it.
    Stuck,
    /// It violates what the witness is about.
    Found(Box<Tape>),
}

/// Result of one instruction.
enum One {
    /// The move goes on behind it.
    On,
    /// The move ends behind it.
    Made,
    /// The move comes to nothing.
    Stuck,
    /// It violates what the witness is about; the block that is lost, if that is it.
    Found(Property, Option<usize>),
    /// Two threads stand before accesses that race.
    Race(ThreadId),
    /// The thread waits for another one's end.
    Waits(ThreadId),
}

/// A move that is being made.
struct Move {
    node: Node,
    link: Link,
    guess: Guess,
    /// The step that others may notice was made.
    has_stepped: bool,
    /// So was one before, as nobody else could have moved in between.
    goes_on: bool,
}

impl Move {
    /// The move ends before an instruction that the thread may not execute now.
    fn stop(&self) -> One {
        match self.has_stepped || self.goes_on {
            true => One::Made,
            false => One::Stuck,
        }
    }
}

impl Guide<'_, '_, '_> {
    /// Moves a thread; also the script of the next guesses, which is empty if there are no others.
    pub(super) fn advance(
        &mut self,
        node: &Node,
        thread: ThreadId,
        script: Script,
    ) -> (Step, Script) {
        let mut made = Move {
            node: node.clone(),
            link: Link {
                before: node.link,
                ..Link::default()
            },
            guess: Guess::new(script, self.hints.clone()),
            has_stepped: false,
            goes_on: false,
        };
        made.node.last = thread;
        let step = self.made(&mut made, thread);
        let Move {
            mut node,
            mut link,
            mut guess,
            ..
        } = made;
        link.inputs = std::mem::take(&mut guess.inputs);
        link.reads = std::mem::take(&mut guess.reads);
        let step = match step {
            One::Made | One::On => {
                node.link = Some(self.links.len());
                self.links.push(link);
                Step::Moved(Box::new(node))
            }
            One::Found(property, lost) => {
                let mut tape = Tape::new(Check::of(property), MemoryModel::Sc);
                tape.lost = lost;
                let mut tape = self.tape(link, tape);
                add(&mut tape.moves, thread, 0);
                Step::Found(Box::new(tape))
            }
            One::Race(rival) => {
                let mut tape = Tape::new(Check::Race, MemoryModel::Sc);
                tape.end = End::Race(rival, thread);
                Step::Found(Box::new(self.tape(link, tape)))
            }
            One::Stuck | One::Waits(_) => Step::Stuck,
        };
        (step, guess.after())
    }

    fn made(&mut self, made: &mut Move, thread: ThreadId) -> One {
        for _ in 0..MOST_INSTRUCTIONS {
            match self.instruction(made, thread) {
                One::On => {}
                One::Waits(child) => {
                    if !self.ends(made, child) {
                        return made.stop();
                    }
                }
                other => return other,
            }
        }
        One::Stuck
    }

    /// Runs a thread to its end; false if it does not come there without a step that others may notice.
    fn ends(&mut self, made: &mut Move, thread: ThreadId) -> bool {
        let before = std::mem::replace(&mut made.has_stepped, true);
        let ends = self.runs_out(made, thread);
        made.has_stepped = before;
        ends
    }

    fn runs_out(&mut self, made: &mut Move, thread: ThreadId) -> bool {
        for _ in 0..MOST_INSTRUCTIONS {
            match made.node.state.thread(thread).status {
                Status::Running => {}
                Status::Ended(_) => return true,
                _ => return false,
            }
            let state = &made.node.state;
            let is_noticed = state.thread(thread).section == 0
                && self
                    .interpreter
                    .is_noticed(state, thread, self.targets.len() > 1);
            if is_noticed {
                return false;
            }
            match self.instruction(made, thread) {
                One::On | One::Made => {}
                One::Waits(child) if child != thread => {
                    if !self.ends(made, child) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        false
    }

    /// Executes one instruction of a thread.
    fn instruction(&mut self, made: &mut Move, thread: ThreadId) -> One {
        let node = &mut made.node;
        if node.state.thread(thread).status != Status::Running {
            return made.stop();
        }
        let (next, loc) = self.interpreter.next(&node.state, thread);
        let (loc, calls) = self.interpreter.place_of(&node.state, thread, loc);
        let depth = calls.len() + 1;
        let frames = &node.state.thread(thread).frames;
        let within = frames[depth..]
            .iter()
            .any(|frame| self.interpreter.function(frame).origin != Origin::Program);
        let part = node.state.frame(thread).part;
        let passed = node.at;
        let site = self.sites.site(loc);
        let index = thread.0 as usize;
        if node.passes.len() <= index {
            node.passes.resize_with(index + 1, Default::default);
        }
        let begins = Rc::make_mut(&mut node.passes[index]).stand(depth, site);
        if begins && !self.is_strict {
            self.name(node, thread);
        }
        if self.targets.len() > 1
            && let Some(rival) = self.meeting(made, thread, site)
        {
            return One::Race(rival);
        }
        let node = &mut made.node;
        let in_section = node.state.thread(thread).section > 0;
        let is_noticed = !in_section
            && part == 0
            && self
                .interpreter
                .is_noticed(&node.state, thread, self.targets.len() > 1);
        if is_noticed {
            if made.has_stepped {
                return One::Made;
            }
            if !self.may_step(node, thread, site) {
                return made.stop();
            }
            made.has_stepped = true;
        }
        let mut is_entered = false;
        let node = &mut made.node;
        match next {
            Next::Instr(InstrKind::Nondet { dst, source }) => {
                let is_asked = !within
                    && *source != NondetSource::Uninitialised
                    && self.sites.call(loc).is_some();
                let known = is_asked
                    .then(|| self.returned(node, thread, loc, *dst))
                    .flatten();
                if is_asked && known.is_none() && self.is_strict {
                    return made.stop();
                }
                made.guess.known = known;
                made.guess.values =
                    match self
                        .digests
                        .is_needed(&self.interpreter, &node.state, thread)
                    {
                        false => vec![0],
                        true if within => vec![0, 1],
                        true => made.guess.hints.clone(),
                    };
            }
            Next::Instr(InstrKind::Spawn { .. }) => {
                is_entered = self.enters(node, thread, loc);
                if self.is_strict && !is_entered {
                    return made.stop();
                }
            }
            Next::Instr(InstrKind::Call { .. }) if !self.is_strict && !within => {
                self.enters(node, thread, loc);
            }
            _ => {}
        }
        let allocated = match next {
            Next::Instr(InstrKind::Alloc { dst, kind, .. }) if kind.is_heap() => Some(*dst),
            _ => None,
        };
        let asked = made.guess.asked;
        let node = &mut made.node;
        let effect = self
            .interpreter
            .execute(&mut node.state, thread, &mut made.guess);
        let counts = part == 0 && next.is_step() || made.guess.asked > asked;
        let refused = matches!(effect, Effect::Blocked | Effect::Stopped);
        if counts && !refused {
            match made.link.steps.last_mut() {
                Some((last, count)) if *last == thread => *count += 1,
                _ => made.link.steps.push((thread, 1)),
            }
        }
        if let Some(dst) = allocated {
            let address = node.state.frame(thread).word(dst).value;
            let object = self.interpreter.object(&node.state, address);
            made.link.blocks.extend(object.map(|(slot, ..)| slot));
        }
        match effect {
            Effect::Create { child } => {
                let in_order = !self.has_creations;
                if is_entered || in_order {
                    Rc::make_mut(&mut node.numbers).push(child);
                }
            }
            Effect::Violation { property } => {
                return self.violated(node, (thread, site), property, None);
            }
            Effect::Cut(Cut::Undefined(why)) => {
                let property = Property::Defined(why);
                return self.violated(node, (thread, site), property, None);
            }
            Effect::Leaked { property, blocks } => {
                if let Some(first) = blocks.first() {
                    let all = self.blocks(&made.link);
                    let lost = all.iter().position(|slot| slot == first);
                    let found = self.violated(node, (thread, site), property, lost);
                    if !matches!(found, One::Stuck) {
                        return found;
                    }
                }
            }
            Effect::Blocked => {
                made.has_stepped = false;
                let Next::Instr(InstrKind::Join { thread: joined, .. }) = next else {
                    return made.stop();
                };
                let joined = self.interpreter.value(&node.state, thread, *joined);
                let child = u32::try_from(joined).ok().map(ThreadId);
                // It is asked again once the other one has ended.
                return match child.filter(|child| node.state.exists(*child)) {
                    Some(child) if child != thread => One::Waits(child),
                    _ => made.stop(),
                };
            }
            Effect::Stopped
            | Effect::Cut(_)
            | Effect::Misplaced(_)
            | Effect::Unwatched(_)
            | Effect::CreateBeyond { .. } => return One::Stuck,
            Effect::End => return One::Made,
            _ => {}
        }
        let running = node.state.thread(thread);
        let is_whole =
            running.section == 0 && running.frames.last().is_none_or(|one| one.part == 0);
        // Behind a waypoint, others may come.
        if !is_whole || !made.has_stepped && node.at == passed {
            return One::On;
        }
        if !self.is_alone(&made.node, thread) {
            return One::Made;
        }
        (made.has_stepped, made.goes_on) = (false, true);
        One::On
    }

    /// True if nobody but a thread may move now, as far as the witness says.
    fn is_alone(&self, node: &Node, thread: ThreadId) -> bool {
        let next = self.waypoints.get(node.at);
        let is_next = next.is_some_and(|next| self.thread_of(node, next) == Some(thread));
        let mut others = (0..).zip(&node.passes);
        self.is_strict
            && is_next
            && !others.any(|(id, own)| ThreadId(id) != thread && own.is_named())
    }

    /// Passes waypoints that name passes of a thread which are open: statements that have begun.
    fn name(&mut self, node: &mut Node, thread: ThreadId) {
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
            let mut open = node.passes[thread.0 as usize].open().iter();
            let place = |site| self.sites.place(site);
            let is_it = |pass: &super::passes::Pass| {
                let is_there = pass
                    .site
                    .is_some_and(|site| is_at(&waypoint.place, place(site)));
                is_there && !pass.is_named
            };
            let Some(index) = open.position(is_it) else {
                return;
            };
            let holds = assumed.and_then(|text| {
                expression::holds(&mut self.interpreter, (&node.state, thread), text)
            });
            if holds == Some(false) {
                return;
            }
            let passes: &mut Passes = Rc::make_mut(&mut node.passes[thread.0 as usize]);
            passes.open_mut()[index].is_named = true;
            node.at += 1;
        }
    }

    /// True if a thread may make a step in its pass through a statement.
    fn may_step(&mut self, node: &mut Node, thread: ThreadId, site: Option<Site>) -> bool {
        let is_named = |node: &Node| {
            let pass = node.passes[thread.0 as usize].innermost();
            pass.is_none_or(|pass| pass.is_named || pass.site.is_none())
        };
        if is_named(node) {
            return true;
        }
        self.name(node, thread);
        !self.is_strict || is_named(node) || self.target(node, thread, site).is_some()
    }

    /// Target that a thread has come to, by its number.
    fn target(&self, node: &Node, thread: ThreadId, site: Option<Site>) -> Option<usize> {
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
    fn returned(&mut self, node: &mut Node, thread: ThreadId, loc: Loc, dst: Reg) -> Option<u128> {
        for _ in 0..2 {
            let waypoint = Rc::clone(self.waypoints.get(node.at)?);
            if let Kind::Return(text, _) = &waypoint.kind
                && self.thread_of(node, &waypoint) == Some(thread)
                && self.is_call(&waypoint, loc)
            {
                let frame = node.state.frame(thread);
                let info = &self.interpreter.function(frame).regs[dst];
                node.at += 1;
                return expression::result(text, info);
            }
            self.name(node, thread);
        }
        None
    }

    /// Entry of a function, or creation of a thread: true if the next waypoint says so.
    fn enters(&mut self, node: &mut Node, thread: ThreadId, loc: Loc) -> bool {
        for _ in 0..2 {
            let Some(waypoint) = self.waypoints.get(node.at).cloned() else {
                return false;
            };
            if matches!(waypoint.kind, Kind::Enter(_) | Kind::Return(..))
                && self.thread_of(node, &waypoint) == Some(thread)
                && self.is_call(&waypoint, loc)
            {
                node.at += 1;
                return matches!(waypoint.kind, Kind::Enter(_));
            }
            self.name(node, thread);
        }
        false
    }

    /// True if a waypoint is about the call at a place.
    fn is_call(&mut self, waypoint: &Waypoint, loc: Loc) -> bool {
        if let Some(Called { place, .. }) = self.sites.call(loc)
            && is_at(&waypoint.place, place)
        {
            return true;
        }
        let site = self.sites.site(loc);
        site.is_some_and(|site| is_at(&waypoint.place, self.sites.place(site)))
    }

    /// What comes of a violation by a thread.
    fn violated(
        &self,
        node: &Node,
        (thread, site): (ThreadId, Option<Site>),
        property: Property,
        lost: Option<usize>,
    ) -> One {
        let is_end = self.targets.len() == 1 && self.target(node, thread, site).is_some();
        match is_end && self.checks.asks(property) {
            true => One::Found(property, lost),
            false => One::Stuck,
        }
    }

    /// The other thread of a data race, if a thread stands before its access: nothing that others may notice keeps the other one from its
    /// own.
    fn meeting(
        &mut self,
        made: &mut Move,
        thread: ThreadId,
        site: Option<Site>,
    ) -> Option<ThreadId> {
        let own = self.target(&made.node, thread, site)?;
        let rival = self.thread_of(&made.node, self.targets.get(1 - own)?)?;
        let attempts = self.interpreter.attempts(&made.node.state, thread);
        if attempts.is_empty() || rival == thread || !made.node.state.exists(rival) {
            return None;
        }
        let mut state = made.node.state.clone();
        let mut steps = 0;
        for _ in 0..MOST_INSTRUCTIONS {
            if state.thread(rival).status != Status::Running {
                return None;
            }
            let (next, loc) = self.interpreter.next(&state, rival);
            let others = self.interpreter.attempts(&state, rival);
            let mut pairs = attempts
                .iter()
                .flat_map(|one| others.iter().map(move |other| (one, other)));
            if pairs.any(|(one, other)| one.conflicts(other)) {
                let (loc, _) = self.interpreter.place_of(&state, rival, loc);
                let site = self.sites.site(loc);
                if self.target(&made.node, rival, site) == Some(1 - own) {
                    made.node.state = state;
                    made.link.steps.push((rival, steps));
                    return Some(rival);
                }
            }
            if self.interpreter.is_noticed(&state, rival, true) {
                return None;
            }
            let mut unasked = Guess::new(Script::new(), vec![0]);
            let effect = self.interpreter.execute(&mut state, rival, &mut unasked);
            let is_passed = matches!(
                effect,
                Effect::Quiet
                    | Effect::Assigned
                    | Effect::Read { .. }
                    | Effect::Write { .. }
                    | Effect::Held
                    | Effect::Fence
            );
            if !is_passed || unasked.asked > 0 {
                return None;
            }
            steps += u64::from(next.is_step());
        }
        None
    }
}

/// Adds steps of a thread to moves.
pub(super) fn add(moves: &mut Vec<Turn>, thread: ThreadId, count: u64) {
    match moves.last_mut() {
        Some(Turn::Steps(last, before)) if *last == thread => *before += count,
        _ => moves.push(Turn::Steps(thread, count)),
    }
}
