//! Control flow: one activation of a function, block by block in the order of its loops, paths that meet
//! becoming one state, loops unwound iteration by iteration.

use super::folding::Folding;
use super::idle::{Head, Idle};
use super::pass::{Frame, Here, Pass};
use super::refusal::Refusal;
use super::registers::Registers;
use super::section::union;
use super::state::PathState;
use crate::base::Loc;
use crate::base::id::Id;
use crate::base::sorted::SortedMap;
use crate::event::{Cut, EventId, ThreadId};
use crate::exec::{self, Exit};
use crate::ir::position::{FramePath, PosKey, position};
use crate::ir::{BlockId, FuncId, Terminator};
use crate::race::Site;
use crate::symex::faults::{self, Fault};
use crate::term::TermId;
use hashbrown::HashMap;

/// A block in one iteration of each loop around it, so that the order of keys is the order of execution:
/// for each loop the order of its head and the iteration, then the order of the block.
type Key = Vec<u32>;

/// A loop in one of its iterations.
struct Turn {
    /// The start of the iteration.
    head: Head,
    /// The first event of the loop, and the number of instructions executed before it.
    start: (EventId, u64),
    /// Iterations so far that count against the bound.
    counted: u32,
    /// The tests in it.
    folding: Folding,
    /// Condition that it came back to the head, and was a wait or idle.
    waits: TermId,
    /// Set if the bound is reached: control may only leave, staying is cut for this reason.
    last: Option<Cut>,
}

/// One activation of a function.
struct Activation {
    function: FuncId,
    frame: FramePath,
    /// Pending states, by place: block, iterations of the loops around it, and the states; several at one place if they
    /// are in different sections.
    pending: SortedMap<Key, (BlockId, Vec<u32>, Vec<PathState>)>,
    /// Loops by head and iteration numbers.
    turns: HashMap<(BlockId, Vec<u32>), Turn>,
    /// The states of all returns so far, and the values returned.
    returned: Vec<(PathState, Option<TermId>)>,
}

impl Pass<'_> {
    /// Executes a call; the states after it, one for each section that paths are in, with the values.
    pub(super) fn call(
        &mut self,
        mut state: PathState,
        function: FuncId,
        frame: FramePath,
        args: &[TermId],
        call: Option<Loc>,
    ) -> Result<Vec<(PathState, Option<TermId>)>, Refusal> {
        let program = self.program;
        let code = &program.functions[function];
        let guard = state.path.term();
        let active = self
            .frames
            .iter()
            .rev()
            .filter(|f| f.function == function)
            .collect::<Vec<_>>();
        // Calls that a fold decides are free, as in loops, but not without end.
        let conditional = active
            .windows(2)
            .filter(|pair| pair[0].guard != pair[1].guard)
            .count()
            + usize::from(active.first().is_some_and(|f| f.guard != guard));
        if conditional > self.bounds.recursion_of(function) as usize || active.len() > 500 {
            self.cut_path(&state, Cut::Recursion(function));
            return Ok(Vec::new());
        }
        let outer = std::mem::replace(&mut state.regs, Registers::unset(code.regs.len()));
        for (param, value) in exec::arguments(self, &state, code, args).unwrap_or_default() {
            state.regs.set(param.index(), Some(value));
        }
        let outer_calls = self.calls.clone();
        if let Some(loc) = call {
            self.calls = outer_calls.iter().copied().chain([loc]).collect();
        }
        let outer_regs = if self.leaks {
            outer.clone()
        } else {
            Registers::default()
        };
        self.frames.push(Frame {
            function,
            guard,
            outer_regs,
        });
        let mut activation = Activation {
            function,
            frame,
            pending: SortedMap::new(),
            turns: HashMap::new(),
            returned: Vec::new(),
        };
        self.arrive(&mut activation, code.entry, Vec::new(), state);
        while let Some((_, (block, iterations, states))) = activation.pending.pop_first() {
            self.block_of(&mut activation, block, iterations, states)?;
        }
        self.frames.pop();
        self.calls = outer_calls;
        for (state, _) in &mut activation.returned {
            state.regs = outer.clone();
        }
        Ok(activation.returned)
    }

    /// A path comes to a block; it joins those that are there already.
    fn arrive(
        &mut self,
        activation: &mut Activation,
        block: BlockId,
        iterations: Vec<u32>,
        state: PathState,
    ) {
        if state.path.is_dead(&self.terms) {
            return;
        }
        let facts = &self.facts.functions[activation.function];
        let mut key = Vec::with_capacity(2 * iterations.len() + 1);
        for (head, iteration) in facts.loops.nest[block].iter().zip(&iterations) {
            key.extend([facts.loops.order[*head], *iteration]);
        }
        key.push(facts.loops.order[block]);
        let waiting = activation.pending.remove(&key);
        let mut states = waiting.map_or(Vec::new(), |(_, _, states)| states);
        let live = &facts.live_in[block];
        self.gather(&mut states, state, |reg| {
            live.contains(crate::ir::Reg::from_index(reg))
        });
        if !states.is_empty() {
            activation.pending.insert(key, (block, iterations, states));
        }
    }

    /// Two paths that may become one do; registers that `live` does not want are forgotten where they differ.
    pub(super) fn join_states(
        &mut self,
        one: PathState,
        other: PathState,
        live: impl Fn(usize) -> bool,
    ) -> PathState {
        let section = self.join_sections(&one, &other);
        let (mut one, mut other) = (one, other);
        self.join_phases(&mut one, &mut other);
        let (path, first) = one.path.join(&mut self.terms, &other.path);
        self.join_escapes(first, &mut one, &other);
        let mut accessed = one.accessed.common(&other.accessed);
        let mut regs = one.regs.clone();
        for (index, a, b) in one.regs.differing(&other.regs) {
            let value = match (a, b) {
                (Some(a), Some(_)) if faults::on(Fault::MeetRegisters) => Some(a),
                (Some(a), Some(b)) if live(index) => {
                    let either = self.terms.ite(first, a, b);
                    if one.accessed.has(a) && other.accessed.has(b) {
                        accessed.add(either);
                    }
                    Some(either)
                }
                (a, b) if self.leaks && self.frames.last().is_some() => {
                    self.kept_for_leaks(first, index, (a, b), live(index))
                }
                _ => None,
            };
            regs.set(index, value);
        }
        let memory = if faults::on(Fault::MeetMemory) {
            one.memory.clone()
        } else {
            self.join_memory(first, &one.memory, &other.memory)
        };
        PathState {
            path,
            regs,
            memory,
            concurrent: one.concurrent,
            section,
            ended: union(&one.ended, &other.ended),
            undrained: one.undrained || other.undrained,
            accessed,
            escaped: one.escaped,
            escaping: one.escaping,
            running: one.running,
            alone: one.alone,
        }
    }

    /// Executes a block and sends its states on.
    fn block_of(
        &mut self,
        activation: &mut Activation,
        block: BlockId,
        iterations: Vec<u32>,
        states: Vec<PathState>,
    ) -> Result<(), Refusal> {
        let loops = &self.facts.functions[activation.function].loops;
        if loops.is_head(block) && !self.begin_turn(activation, block, &iterations, &states) {
            return Ok(());
        }
        // With the instruction that each goes on from.
        let mut todo: Vec<(usize, PathState)> =
            states.into_iter().map(|state| (0, state)).collect();
        todo.reverse();
        while let Some((from, state)) = todo.pop() {
            if state.path.is_dead(&self.terms) {
                continue;
            }
            self.rest_of(activation, block, &iterations, (from, state), &mut todo)?;
        }
        Ok(())
    }

    /// Executes a block from an instruction on; a call may return in several states, of which all but the first are left.
    fn rest_of(
        &mut self,
        activation: &mut Activation,
        block: BlockId,
        iterations: &[u32],
        (from, mut state): (usize, PathState),
        left: &mut Vec<(usize, PathState)>,
    ) -> Result<(), Refusal> {
        let program = self.program;
        let code = &program.functions[activation.function];
        let mut apart = Vec::new();
        for (index, instr) in code.blocks[block].instrs.iter().enumerate().skip(from) {
            self.executed += 1;
            if self.executed.is_multiple_of(1024) {
                self.budget.gauge().events(self.events.len());
                if let Some(reason) = self.budget.check() {
                    return Err(Refusal::Stopped(reason));
                }
            }
            if self.executed > self.bounds.instructions || self.events.len() > self.bounds.events {
                return Err(Refusal::TooLarge {
                    events: self.events.len(),
                });
            }
            let site = Site {
                function: activation.function,
                block,
                index,
            };
            self.here = Here {
                position: position(activation.frame, block, index, iterations),
                loc: self.user_place(instr.loc),
                order: None,
                undisturbed: self.sites.undisturbed.contains(&site),
            };
            self.watch(&mut state, site, instr);
            let next = exec::step(self, state, instr, &mut apart)?;
            left.extend(apart.drain(..).rev().map(|other| (index + 1, other)));
            match next {
                Some(next) if !next.path.is_dead(&self.terms) => state = next,
                _ => return Ok(()),
            }
        }
        let end_loc = code.blocks[block].end_loc;
        let at = position(
            activation.frame,
            block,
            code.blocks[block].instrs.len(),
            iterations,
        );
        self.here = Here {
            position: at,
            loc: self.user_place(end_loc),
            order: None,
            undisturbed: false,
        };
        let iterations = iterations.to_vec();
        self.leave(
            activation,
            block,
            iterations,
            state,
            &code.blocks[block].end,
        );
        Ok(())
    }

    /// A place of the user's text: what models do happens where they are called.
    fn user_place(&self, loc: Loc) -> Loc {
        let calls = [loc].into_iter().chain(self.calls.iter().rev().copied());
        calls
            .into_iter()
            .find(|loc| *loc != Loc::NONE)
            .unwrap_or(loc)
    }

    /// Terminator of a block: control goes on to successors, returns, or ends the thread.
    fn leave(
        &mut self,
        activation: &mut Activation,
        block: BlockId,
        iterations: Vec<u32>,
        mut state: PathState,
        end: &Terminator,
    ) {
        let mut ways: Vec<(BlockId, TermId)> = Vec::new();
        let always = self.terms.tru();
        let mut rest = always;
        let exit = exec::leave(self, &mut state, end, |pass, _, cond, next| {
            let taken = pass.terms.and(rest, cond);
            ways.push((next, taken));
            if !faults::on(Fault::BranchBoth) {
                let negation = pass.terms.not(cond);
                rest = pass.terms.and(rest, negation);
            }
        });
        match exit {
            None => return,
            Some(Exit::Block(next)) => ways.push((next, rest)),
            Some(Exit::Return(value)) => return self.give_back(activation, state, value),
            Some(Exit::Thread(value)) => {
                if self.leaks && self.current == ThreadId(0) && !self.knowledge.heap.is_empty() {
                    // The program goes on until its last thread ends.
                    let always = self.terms.tru();
                    self.cut(&state, always, Cut::Held);
                }
                let value = self.terms.fit(value, self.program.model.pointer_bits());
                return self.end_path(state, value);
            }
            Some(Exit::Program) => {
                if self.nothing_yet(&state) {
                    let goes_on = self.terms.not(state.path.term());
                    self.facts_found.push(goes_on);
                }
                // The program ends with the section unfinished: nobody saw it.
                let never = self.terms.fals();
                self.section_blocks(&state, never);
                return;
            }
        }
        ways.retain(|(_, cond)| self.terms.as_constant(*cond) != Some(0));
        ways.retain(|(_, cond)| self.is_feasible(*cond));
        // Edges to one block are one way, so that its condition is as simple as it is.
        let mut merged: Vec<(BlockId, TermId)> = Vec::new();
        for (next, cond) in ways {
            match merged.iter_mut().find(|(known, _)| *known == next) {
                Some((_, either)) => *either = self.terms.or(*either, cond),
                None => merged.push((next, cond)),
            }
        }
        self.note_folding(activation, block, &iterations, (end, &state), &merged);
        let loops = &self.facts.functions[activation.function].loops;
        let last = if loops.is_head(block) {
            activation
                .turns
                .get(&(block, iterations.clone()))
                .and_then(|turn| turn.last.clone())
        } else {
            None
        };
        let only = merged.len() == 1;
        for (next, cond) in merged {
            let mut state = state.clone();
            if !only {
                state.path.restrict(&mut self.terms, cond);
            }
            match &last {
                Some(why)
                    if self.facts.functions[activation.function].loops.nest[next]
                        .contains(&block) =>
                {
                    self.cut_path(&state, why.clone());
                }
                _ => self.go(activation, block, next, &iterations, state),
            }
        }
    }

    /// Notes a branch in the loops around it, unless its condition folded to leave. Where the loop's head is a test, only
    /// tests that leave to where it does are the loop's exits. A test that may stop the program, as an assertion does,
    /// says nothing about the number of iterations.
    fn note_folding(
        &mut self,
        activation: &mut Activation,
        block: BlockId,
        iterations: &[u32],
        (end, state): (&Terminator, &PathState),
        ways: &[(BlockId, TermId)],
    ) {
        let facts = &self.facts.functions[activation.function];
        let loops = &facts.loops;
        let possible = end.successors();
        if possible.len() < 2 || facts.literal_ends[block] {
            return;
        }
        let folds = ways.len() == 1;
        let words = facts.tested[block]
            .iter()
            .filter_map(|reg| state.regs[reg.index()]);
        let words: Vec<TermId> = words.collect();
        for (depth, head) in loops.nest[block].iter().enumerate() {
            let stays = |next: BlockId| loops.nest[next].contains(head);
            let code = &self.program.functions[activation.function];
            let exits = |end: &Terminator| -> Vec<BlockId> {
                let left = end.successors().into_iter().filter(|next| !stays(*next));
                left.map(|next| code.destination(next)).collect()
            };
            let mut leaves = exits(end);
            leaves.retain(|to| !matches!(code.blocks[*to].end, Terminator::Stop));
            let exits = !leaves.is_empty() && {
                let by_test = exits(&code.blocks[*head].end);
                let mut leaves = leaves.iter();
                leaves.any(|exit| by_test.is_empty() || by_test.contains(exit))
            };
            if let Some(turn) = activation
                .turns
                .get_mut(&(*head, iterations[..=depth].to_vec()))
                && (!folds || stays(ways[0].0))
            {
                turn.folding
                    .note(&self.terms, (block, exits), &words, folds);
            }
        }
    }

    /// A path goes from one block to another, perhaps to the next iteration of a loop.
    fn go(
        &mut self,
        activation: &mut Activation,
        from: BlockId,
        to: BlockId,
        iterations: &[u32],
        mut state: PathState,
    ) {
        let facts = &self.facts.functions[activation.function];
        let next = facts.loops.follow(from, to, iterations);
        if facts.loops.is_back_edge(from, to) {
            let mut current = next.clone();
            *current.last_mut().expect("a head is in a loop") -= 1;
            if (self.bounds.idle_rule || self.deadlocks)
                && let Some(turn) = activation.turns.get(&(to, current.clone()))
            {
                let head = turn.head.clone();
                let Idle { idle, waits, round } = self.idle(&head, &state, &facts.live_in[to]);
                if self.deadlocks {
                    self.here = self.head_of(activation, to, &next);
                    let turn = (head.turn, head.event, head.inputs);
                    let go_on = !self.bounds.idle_rule || idle != round;
                    self.rest_behind_iteration(&mut state, round, go_on, turn);
                }
                let waits = self.terms.and(state.path.term(), waits);
                let repeats = self.deadlocks && self.terms.as_constant(round) == Some(1);
                if let Some(turn) = activation.turns.get_mut(&(to, current)) {
                    turn.waits = self.terms.or(turn.waits, waits);
                    turn.folding.repeats |= repeats;
                }
                if self.bounds.idle_rule {
                    self.may_not_end(&state, idle);
                    let busy = self.terms.not(idle);
                    // Within an atomic section nobody else can end the waiting.
                    self.section_blocks(&state, busy);
                    state.path.restrict(&mut self.terms, busy);
                }
            }
        }
        self.arrive(activation, to, next, state);
    }

    /// Where a loop's head starts an iteration: of its instructions, the first that has a place names it.
    fn head_of(&self, activation: &Activation, head: BlockId, iterations: &[u32]) -> Here {
        let code = &self.program.functions[activation.function].blocks[head];
        let places = code.instrs.iter().map(|instr| instr.loc);
        let place = places.chain([code.end_loc]).find(|loc| *loc != Loc::NONE);
        Here {
            position: position(activation.frame, head, 0, iterations),
            loc: self.user_place(place.unwrap_or(Loc::NONE)),
            order: None,
            undisturbed: false,
        }
    }

    /// A loop's head starts an iteration; false if it is beyond the bound (then the path is cut).
    fn begin_turn(
        &mut self,
        activation: &mut Activation,
        head: BlockId,
        iterations: &[u32],
        states: &[PathState],
    ) -> bool {
        let now = self.events.next_id();
        let number = *iterations.last().expect("a head is in a loop");
        self.turns += 1;
        // If paths are apart, no iteration is idle.
        let state = &states[0];
        let mut turn = Turn {
            head: self.head(state),
            waits: self.terms.fals(),
            start: (now, self.executed),
            counted: 0,
            folding: Folding::default(),
            last: None,
        };
        if number > 0 {
            let mut before = iterations.to_vec();
            before[iterations.len() - 1] = number - 1;
            if let Some(previous) = activation.turns.remove(&(head, before)) {
                turn.start = previous.start;
                turn.head.waited = previous.waits;
                let long = self.executed - previous.start.1 > self.bounds.loop_instructions;
                let loops = &self.facts.functions[activation.function].loops;
                let this = loops.loop_at(activation.function, head);
                let mut most = self.bounds.loop_events_of(this);
                if previous.folding.is_open() {
                    most = most.min(self.bounds.search_events);
                }
                let spent = long || (now.0 - previous.start.0.0) as usize > most;
                let eventful = previous.head.event != now;
                let (counted, folding) = previous.folding.next(eventful);
                let folded = counted == 0;
                turn.folding = folding;
                self.loop_spent |= long || spent && folded;
                turn.counted = previous.counted + counted.max(u32::from(spent));
                // As many as the bound have run. What starts now may only leave: a head that tests whether to
                // leave gets that chance, any other loop is cut here.
                let bound = self.bounds.unwind_of(this) - u32::from(faults::on(Fault::UnwindLess))
                    + u32::from(faults::on(Fault::UnwindMore));
                if turn.counted >= bound {
                    let why = if folded {
                        Cut::LoopBudget(this)
                    } else {
                        Cut::Unwind(this)
                    };
                    let code = &self.program.functions[activation.function].blocks[head];
                    if code
                        .end
                        .successors()
                        .iter()
                        .all(|next| loops.nest[*next].contains(&head))
                    {
                        self.here = Here {
                            position: PosKey(0),
                            loc: self.user_place(code.end_loc),
                            order: None,
                            undisturbed: false,
                        };
                        for state in states {
                            self.cut_path(state, why.clone());
                        }
                        return false;
                    }
                    turn.last = Some(why);
                }
            }
        }
        activation.turns.insert((head, iterations.to_vec()), turn);
        true
    }

    /// The path is cut.
    fn cut_path(&mut self, state: &PathState, why: Cut) {
        let always = self.terms.tru();
        let never = self.terms.fals();
        self.cut(state, always, why);
        self.section_blocks(state, never);
    }

    /// A path returns from the activation.
    fn give_back(&mut self, activation: &mut Activation, state: PathState, value: Option<TermId>) {
        let mut returned = activation.returned.iter();
        let Some(index) = returned.position(|(other, _)| self.may_meet(other, &state)) else {
            if self.keeps_apart(activation.returned.len(), &state) {
                activation.returned.push((state, value));
            }
            return;
        };
        let (other, known) = activation.returned.remove(index);
        let (_, first) = other.path.join(&mut self.terms, &state.path);
        let value = match (known, value) {
            (Some(a), Some(_)) if faults::on(Fault::ReturnFirst) => Some(a),
            (Some(a), Some(b)) if a != b => Some(self.terms.ite(first, a, b)),
            (a, b) => a.or(b),
        };
        let joined = self.join_states(other, state, |_| false);
        activation.returned.insert(index, (joined, value));
    }
}
