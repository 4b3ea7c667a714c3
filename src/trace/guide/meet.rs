//! Data races: two threads that stand before their accesses.

use super::sites::Site;
use super::state::{Guide, MOST_INSTRUCTIONS, Move};
use crate::event::ThreadId;
use crate::ir::{InstrKind, NondetSource};
use crate::trace::interpret::Effect;
use crate::trace::interpret::lookup::Next;
use crate::trace::interpret::state::Status;

impl Guide<'_, '_, '_> {
    /// The other thread of a data race, if a thread stands before its access: nothing that others may notice keeps the other one from its
    /// own.
    pub(super) fn meeting(
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
        let mut guess = made.guess.clone();
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
                    (made.node.state, made.guess) = (state, guess);
                    made.link.steps.push((rival, steps));
                    return Some(rival);
                }
            }
            if self.interpreter.is_noticed(&state, rival, true) {
                return None;
            }
            let asked = guess.asked;
            (guess.known, guess.values) = (Some(0), vec![0]);
            let effect = self.interpreter.execute(&mut state, rival, &mut guess);
            let is_passed = matches!(
                effect,
                Effect::Quiet
                    | Effect::Assigned
                    | Effect::Read { .. }
                    | Effect::Write { .. }
                    | Effect::Held
                    | Effect::Fence
            );
            let is_open = matches!(next, Next::Instr(InstrKind::Nondet { source, .. })
                if *source == NondetSource::Uninitialised);
            if !is_passed && !is_open {
                return None;
            }
            steps += u64::from(next.is_step() || guess.asked > asked);
        }
        None
    }
}
