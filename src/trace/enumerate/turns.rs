//! Fewest turns of threads in which executions of a small program come to its violations: a search in breadth over turns, and in depth
//! within each. Tests compare with it what traces show.

use super::fewest::{Fewest, Turns};
use super::{Limits, Search};
use crate::base::Loc;
use crate::event::ThreadId;
use crate::ir::Program;
use crate::trace::interpret::Bounds;
use crate::trace::interpret::script::Domain;
use crate::trace::interpret::state::{State, Status};
use crate::trace::interpret::watch::Watch;
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

/// Fewest turns for each violation within `bounds`, or for those with the fewest if the first ones are enough; `None` if a limit is hit, or
/// machine addresses matter. `Err` says what leaves no
/// room in the address space.
pub fn fewest_turns(
    program: &Program,
    bounds: Bounds,
    limits: &Limits,
) -> Result<Option<Fewest>, (Loc, String)> {
    let domain = Domain::Some {
        inputs: &limits.inputs,
        uninitialised: &limits.uninitialised,
    };
    let mut search = Search::new(program, bounds, limits, domain)?;
    search.interpreter.watch = Watch::Only(Default::default());
    search.turns = Some(Turns::default());
    search.by_turns();
    let is_whole = !search.found.gave_up && search.unwatched.is_none();
    let fewest = search.turns.map(|turns| turns.fewest);
    Ok(fewest.filter(|_| is_whole))
}

impl Search<'_> {
    fn by_turns(&mut self) {
        if let Some(turns) = &mut self.turns {
            turns.number = 1;
        }
        let mut seen: HashSet<(u128, ThreadId), FxBuildHasher> = HashSet::default();
        let mut layer: Vec<(State, ThreadId)> = Vec::new();
        self.script.restart();
        loop {
            let mut state = self.interpreter.start();
            if self.settle(&mut state, ThreadId(0)) {
                layer.push((state, ThreadId(0)));
            }
            if !self.script.advance() {
                break;
            }
        }
        let mut successors = Vec::new();
        for number in 1.. {
            if let Some(turns) = &mut self.turns {
                turns.number = number;
            }
            let mut later = Vec::new();
            while let Some((state, current)) = layer.pop() {
                let digest = self.digests.of(&self.interpreter, &state);
                if !seen.insert((digest, current)) {
                    continue;
                }
                self.found.states += 1;
                let is_over = self.found.states > self.limits.states;
                if is_over || self.limits.budget.check().is_some() {
                    self.found.gave_up = true;
                }
                if self.found.gave_up || self.unwatched.is_some() {
                    return;
                }
                self.successors(&state, current, &mut successors);
                for index in self.interpreter.committable(&state, current) {
                    self.commits(&state, current, index, &mut successors);
                }
                layer.extend(successors.drain(..).map(|state| (state, current)));
                let may_move = |id: &ThreadId| {
                    let thread = state.thread(*id);
                    thread.status == Status::Running || !thread.buffer.is_empty()
                };
                let others = state.thread_ids().filter(|id| *id != current);
                let others = others.filter(may_move);
                later.extend(others.map(|id| (state.clone(), id)));
            }
            let mut found = self.turns.iter().map(|turns| !turns.fewest.is_empty());
            let is_enough = self.limits.first_violation && found.any(|found| found);
            if later.is_empty() || is_enough {
                return;
            }
            layer = later;
        }
    }
}
