//! One move of a thread: through what nobody else notices to its next step that others may notice, which it makes. With the step goes the
//! atomic section that it begins.

use super::guess::{Guess, Script};
use super::sites::Site;
use super::state::{Guide, Link, MOST_INSTRUCTIONS, Manner, Move, Node, One, Step, add};
use crate::event::{Cut, MemoryModel, ThreadId};
use crate::ir::{Check, InstrKind, NondetSource, Origin, Property};
use crate::trace::interpret::Effect;
use crate::trace::interpret::lookup::Next;
use crate::trace::interpret::state::Status;
use crate::trace::tape::{End, Tape};
use crate::witness::Kind;
use std::rc::Rc;

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
        let tells = self.waypoints.get(node.at).is_some_and(|next| {
            matches!(&next.kind, Kind::Assumption(_)) && next.kind != Kind::begin()
        });
        if begins && (tells || self.manner == Manner::Free) {
            self.name(made, thread);
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
            if !self.may_step(made, thread, site) {
                return made.stop();
            }
            made.has_stepped = true;
        }
        let mut is_entered = false;
        match next {
            Next::Instr(InstrKind::Nondet { dst, source }) => {
                let is_asked = !within
                    && *source != NondetSource::Uninitialised
                    && self.sites.call(loc).is_some();
                let known = is_asked
                    .then(|| self.returned(made, thread, loc, *dst))
                    .flatten();
                if is_asked && known.is_none() && self.manner != Manner::Free {
                    return made.stop();
                }
                made.guess.known = known;
                made.guess.values =
                    match self
                        .digests
                        .is_needed(&self.interpreter, &made.node.state, thread)
                    {
                        false => vec![0],
                        true if within => vec![0, 1],
                        true => made.guess.hints.clone(),
                    };
            }
            Next::Instr(InstrKind::Spawn { .. }) => {
                is_entered = self.enters(made, thread, loc);
                if self.manner != Manner::Free && !is_entered {
                    return made.stop();
                }
            }
            Next::Instr(InstrKind::Call { .. }) if self.manner == Manner::Free && !within => {
                self.enters(made, thread, loc);
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
        let mut is_open = || others.any(|(id, own)| ThreadId(id) != thread && own.is_named());
        is_next
            && match self.manner {
                Manner::Eager => true,
                Manner::Named => !is_open(),
                Manner::Free => false,
            }
    }

    /// Step that a violation by a thread makes.
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
}
