//! The search: frames, obligations, generalisation, propagation.
//!
//! One solver has the relation and all frames; a clause of frame i has the activation literal of i, and a question about
//! frame i assumes those of i and of all later frames, whose clauses it has, too. Cubes to be
//! blocked for one question get an activation literal that is given up afterwards; when there are many of these, the
//! solver starts anew. A second solver, with the relation alone, lifts predecessors.

use super::answer::{Answer, Effort, Invariant};
use super::obligation::Obligations;
use super::system::{Cube, Literal, System, Trace, sorted};
use crate::base::{Meter, StopReason};
use crate::circuit::{Circuit, Lit};
use crate::pdr::faults::{self, Fault};
use crate::solve::{Assumption, GateSolver, Setup};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Activation literals that are given up before the solver starts anew.
const WASTE: usize = 4000;

/// A solver over the gates of a system.
type Relation<'a> = GateSolver<&'a Circuit>;

/// Writes the relation: definitions of all that is asked about, in a fixed order.
fn write(relation: &mut Relation, system: &System) {
    for latch in &system.latches {
        relation.assumption(latch.state);
    }
    for latch in &system.latches {
        relation.assumption(latch.next);
    }
    for input in &system.inputs {
        relation.assumption(*input);
    }
    relation.assumption(system.bad);
}

/// The search on one system.
pub(super) struct Engine<'a> {
    system: &'a System,
    main: Relation<'a>,
    lifter: Relation<'a>,
    /// Activation literals of frames 0 (initial states), 1, ….
    activation: Vec<Assumption>,
    /// Cubes blocked in a frame and all before it, but in no later one.
    frames: Vec<Vec<Cube>>,
    obligations: Obligations,
    setup: Setup<'a>,
    pub effort: Effort,
    /// Questions after which it gives up.
    pub patience: u64,
    /// Some latches are predicates.
    has_predicates: bool,
    /// Clauses that hold in all reachable states.
    known: Vec<Cube>,
}

/// End of an attempt to block an obligation.
enum Blocking {
    Done,
    /// The first obligation of a counterexample.
    Reached(usize),
    /// Nothing general can be blocked, or none has been found with patience.
    Particular,
}

/// Choice of a part of a cube that is to be blocked.
enum Choice {
    /// An obligation.
    Made(usize),
    /// A part has been blocked.
    Blocked,
    /// All have failed.
    None,
}

/// Answer to a question about predecessors of a cube.
enum Relative {
    /// No predecessor: this part of the cube has none.
    Blocked(Cube),
    /// A predecessor, and the inputs.
    Predecessor(Cube, Vec<bool>),
}

impl<'a> Engine<'a> {
    /// One frame, that of initial states; `None` for a solver that this build lacks.
    pub fn new(system: &'a System, known: Vec<Cube>, setup: &Setup<'a>) -> Option<Engine<'a>> {
        let mut engine = Engine {
            system,
            main: setup.for_short(&system.circuit)?,
            lifter: setup.for_short(&system.circuit)?,
            activation: Vec::new(),
            frames: Vec::new(),
            obligations: Obligations::default(),
            setup: *setup,
            patience: u64::MAX,
            effort: Effort::default(),
            has_predicates: system.latches.iter().any(|l| system.is_predicate(l)),
            known,
        };
        write(&mut engine.main, system);
        engine.write_known();
        write(&mut engine.lifter, system);
        engine.open_frame();
        Some(engine)
    }

    /// Opens one more frame; the answer, if there is one.
    pub fn advance(&mut self) -> Result<Option<Answer>, StopReason> {
        let top = self.frames.len() - 1;
        while let Some((cube, inputs)) = self.bad_state(top)? {
            let bad = self.obligations.add(cube, inputs, None);
            match self.block(bad, top)? {
                Blocking::Done => {}
                Blocking::Reached(first) => {
                    return Ok(Some(Answer::Reached(self.trace(first))));
                }
                Blocking::Particular => return Ok(Some(Answer::Particular(self.clauses(1)))),
            }
        }
        self.open_frame();
        Ok(self.propagate()?.map(Answer::Safe))
    }

    /// So many first steps are never bad: no state of the frames before the last is.
    pub fn known(&self) -> usize {
        self.frames.len() - 1
    }

    /// Strong literals, those of predicates and control, and data; all are strong where there are no predicates.
    fn parted(&self, cube: &[Literal]) -> (Cube, Cube) {
        cube.iter().partition(|literal| self.is_strong(**literal))
    }

    fn is_strong(&self, literal: Literal) -> bool {
        !self.has_predicates || !self.system.latches[literal.unsigned_abs() as usize - 1].is_data
    }

    fn open_frame(&mut self) {
        let literal = self.main.activation();
        if self.frames.is_empty() {
            self.write_initial(literal);
        }
        self.activation.push(literal);
        self.frames.push(Vec::new());
        self.effort.frames = self.frames.len();
        self.setup.note(|meter| meter.frames(self.frames.len()));
    }

    fn write_initial(&mut self, activation: Assumption) {
        for latch in &self.system.latches {
            if let Some(value) = latch.initial {
                let state = latch.state.complement_if(!value);
                self.main.assert_any_if(activation, [state]);
            }
        }
    }

    fn write_known(&mut self) {
        for clause in &self.known {
            let lits: Vec<Lit> = clause.iter().map(|l| self.system.state(*l)).collect();
            self.main.assert_any(&lits);
        }
    }

    /// Starts the main solver anew.
    fn refresh(&mut self) {
        self.main.restart();
        write(&mut self.main, self.system);
        self.write_known();
        for activation in &mut self.activation {
            *activation = self.main.activation();
        }
        self.write_initial(self.activation[0]);
        for i in 0..self.frames.len() {
            for cube in std::mem::take(&mut self.frames[i]) {
                self.deny(&cube, i);
                self.frames[i].push(cube);
            }
        }
    }

    /// Assumptions for frame `level`.
    fn frame(&self, level: usize) -> Vec<Assumption> {
        self.activation[level..].to_vec()
    }

    fn is_possible(&mut self, assumptions: &[Assumption]) -> Result<bool, StopReason> {
        self.effort.queries += 1;
        self.setup.note(Meter::query);
        self.main.check(assumptions, self.setup.budget).is_sat()
    }

    /// A lifted bad state of a frame, with the inputs that make it bad.
    fn bad_state(&mut self, level: usize) -> Result<Option<(Cube, Vec<bool>)>, StopReason> {
        let mut assumptions = self.frame(level);
        assumptions.push(self.main.assumption(self.system.bad));
        if !self.is_possible(&assumptions)? {
            return Ok(None);
        }
        let (state, inputs) = self.model();
        let not_bad = !self.lifter.assumption(self.system.bad);
        let cube = self.lift(&state, &inputs, not_bad)?;
        Ok(Some((cube, inputs)))
    }

    /// The model's state and inputs.
    fn model(&self) -> (Cube, Vec<bool>) {
        let value = |lit: Lit| self.main.value(lit);
        let state = self.system.latches.iter().enumerate().map(|(i, latch)| {
            let number = i as i32 + 1;
            if value(latch.state) { number } else { -number }
        });
        let inputs = self.system.inputs.iter().map(|input| value(*input));
        (state.collect(), inputs.collect())
    }

    /// Literals of a state that, with the inputs, contradict `goal`.
    fn lift(
        &mut self,
        state: &[Literal],
        inputs: &[bool],
        goal: Assumption,
    ) -> Result<Cube, StopReason> {
        let mut assumptions = vec![goal];
        for (input, value) in self.system.inputs.iter().zip(inputs) {
            let lit = input.complement_if(!value);
            assumptions.push(self.lifter.assumption(lit));
        }
        // Data are named only where it needs them.
        let (strong, data) = self.parted(state);
        let own = self.assume_in_lifter(&strong, &mut assumptions);
        if !self.is_lifter_possible(&assumptions)? {
            return Ok(needed(&self.lifter, &strong, &own));
        }
        let own = self.assume_in_lifter(&data, &mut assumptions);
        if data.is_empty() || self.is_lifter_possible(&assumptions)? {
            // The step is a function of state and inputs, so this cannot be; the whole state is right in any case.
            return Ok(state.to_vec());
        }
        let mut cube = needed(&self.lifter, &data, &own);
        cube.extend(strong);
        Ok(sorted(&cube))
    }

    /// Literals of a state from which, with the inputs, a step leads into the cube.
    fn lift_into(
        &mut self,
        cube: &[Literal],
        state: &[Literal],
        inputs: &[bool],
    ) -> Result<Cube, StopReason> {
        let goal = self.lifter.activation();
        let elsewhere = cube.iter().map(|literal| !self.system.next(*literal));
        self.lifter.assert_any_if(goal, elsewhere);
        let lifted = self.lift(state, inputs, goal);
        self.lifter.give_up(goal);
        lifted
    }

    /// The assumptions of a cube's literals, which are added to others.
    fn assume_in_lifter(&mut self, cube: &[Literal], all: &mut Vec<Assumption>) -> Vec<Assumption> {
        let states = cube.iter().map(|literal| self.system.state(*literal));
        let own: Vec<Assumption> = states.map(|lit| self.lifter.assumption(lit)).collect();
        all.extend(&own);
        own
    }

    fn is_lifter_possible(&mut self, assumptions: &[Assumption]) -> Result<bool, StopReason> {
        self.effort.queries += 1;
        self.setup.note(Meter::query);
        self.lifter.check(assumptions, self.setup.budget).is_sat()
    }

    /// Blocks the obligation in frame `level`.
    fn block(&mut self, bad: usize, level: usize) -> Result<Blocking, StopReason> {
        let mut queue = BinaryHeap::from([Reverse((level, true, bad))]);
        while let Some(Reverse((level, is_step, id))) = queue.pop() {
            if self.obligations.is_over(id) {
                continue;
            }
            if self.effort.queries > self.patience {
                return Ok(Blocking::Particular);
            }
            let cube = self.obligations.cube(id).to_vec();
            if self.system.is_initial(&cube) {
                match self.fail(id) {
                    Blocking::Done => continue,
                    failed => return Ok(failed),
                }
            }
            if level == 0 || self.is_blocked(&cube, level) {
                continue;
            }
            if !self.system.is_general(&cube) {
                match self.choose(id, level)? {
                    Choice::Made(choice) => {
                        // Before the obligation that it is a choice for.
                        queue.push(Reverse((level, false, choice)));
                        queue.push(Reverse((level, is_step, id)));
                    }
                    Choice::Blocked => queue.push(Reverse((level, is_step, id))),
                    Choice::None => match self.fail(id) {
                        Blocking::Done => {}
                        failed => return Ok(failed),
                    },
                }
                continue;
            }
            match self.strong_first(&cube, level - 1)? {
                Relative::Predecessor(state, inputs) => {
                    let before = self.lift_into(&cube, &state, &inputs)?;
                    let before = self.obligations.add(before, inputs, Some(id));
                    queue.push(Reverse((level - 1, true, before)));
                    queue.push(Reverse((level, is_step, id)));
                }
                Relative::Blocked(part) => {
                    let reached = self.learn(part, level)?;
                    if reached + 1 < self.frames.len() {
                        queue.push(Reverse((reached + 1, is_step, id)));
                    }
                }
            }
        }
        Ok(Blocking::Done)
    }

    /// Blocks as much as can be blocked in frame `level`, or in a later one: which.
    fn learn(&mut self, part: Cube, level: usize) -> Result<usize, StopReason> {
        let part = self.generalise(part, level - 1)?;
        let (part, reached) = self.push_forward(part, level)?;
        self.add(part, reached);
        Ok(reached)
    }

    /// Ends an obligation that cannot be blocked.
    fn fail(&mut self, id: usize) -> Blocking {
        if self.obligations.fail(id) {
            Blocking::Done
        } else if self.system.is_initial(self.obligations.cube(id)) {
            Blocking::Reached(id)
        } else {
            Blocking::Particular
        }
    }

    /// Chooses a part of an obligation that speaks of fewer members; at once one that can be blocked in frame `level`.
    fn choose(&mut self, id: usize, level: usize) -> Result<Choice, StopReason> {
        let failed = self.obligations.failed(id);
        let choices = self.system.general_parts(self.obligations.cube(id));
        if failed == 0 {
            for choice in &choices {
                if self.system.is_initial(choice) {
                    continue;
                }
                if let Relative::Blocked(part) = self.strong_first(choice, level - 1)? {
                    self.learn(part, level)?;
                    return Ok(Choice::Blocked);
                }
            }
        }
        let choice = choices.into_iter().nth(failed);
        Ok(choice.map_or(Choice::None, |part| {
            Choice::Made(self.obligations.choose(part, id))
        }))
    }

    /// Blocked cubes: true if some blocked cube of the frame, or of a later one, contains the cube.
    fn is_blocked(&self, cube: &[Literal], level: usize) -> bool {
        let frames = &self.frames[level..];
        frames.iter().flatten().any(|known| contains(cube, known))
    }

    /// Relative induction, without the cube's data first.
    fn strong_first(&mut self, cube: &[Literal], level: usize) -> Result<Relative, StopReason> {
        let (strong, data) = self.parted(cube);
        if !data.is_empty() && !self.system.is_initial(&strong) {
            let without = self.relative(&strong, level)?;
            if let Relative::Blocked(_) = without {
                return Ok(without);
            }
        }
        self.relative(cube, level)
    }

    /// Relative induction: asks for a step from frame `level`, outside the cube, into the cube. A predecessor is one state.
    fn relative(&mut self, cube: &[Literal], level: usize) -> Result<Relative, StopReason> {
        if self.main.given_up() > WASTE {
            self.refresh();
        }
        let system = self.system;
        let temporary = self.main.activation();
        let outside = cube.iter().map(|literal| !system.state(*literal));
        self.main.assert_any_if(temporary, outside);
        let next = cube.iter().map(|literal| system.next(*literal));
        let after: Vec<Assumption> = next.map(|lit| self.main.assumption(lit)).collect();
        let mut assumptions = self.frame(level);
        assumptions.push(temporary);
        assumptions.extend(&after);
        let possible = self.is_possible(&assumptions);
        let result = possible.map(|possible| {
            if possible {
                let (state, inputs) = self.model();
                Relative::Predecessor(state, inputs)
            } else {
                let part = needed(&self.main, cube, &after);
                Relative::Blocked(self.without_initial(part, cube))
            }
        });
        self.main.give_up(temporary);
        result
    }

    /// The part, with a literal of the cube more if it would contain an initial state.
    fn without_initial(&self, part: Cube, cube: &[Literal]) -> Cube {
        if !self.system.is_initial(&part) || faults::on(Fault::PdrInitial) {
            return part;
        }
        let outside = cube
            .iter()
            .find(|literal| !self.system.is_initial(&[**literal]));
        let mut part = part;
        part.extend(outside);
        sorted(&part)
    }

    /// Drops literals as long as no step from frame `level` leads into what remains.
    fn generalise(&mut self, cube: Cube, level: usize) -> Result<Cube, StopReason> {
        let mut cube = cube;
        // Data are dropped first.
        cube.sort_by_key(|l| (self.is_strong(*l), l.unsigned_abs()));
        let mut kept = 0;
        while kept < cube.len() && cube.len() > 1 {
            let mut smaller = cube.clone();
            smaller.remove(kept);
            if self.system.is_initial(&smaller) {
                kept += 1;
                continue;
            }
            if faults::on(Fault::PdrUnchecked) {
                cube = smaller;
                continue;
            }
            match self.relative(&smaller, level)? {
                Relative::Blocked(part) => {
                    // Literals that were kept before may be gone: they are tried again, which costs little.
                    kept = part.iter().take_while(|l| cube[..kept].contains(l)).count();
                    cube = part;
                }
                Relative::Predecessor(..) => kept += 1,
            }
        }
        Ok(sorted(&cube))
    }

    /// The last frame in which the cube can be blocked, and what of it is.
    fn push_forward(&mut self, cube: Cube, level: usize) -> Result<(Cube, usize), StopReason> {
        let (mut cube, mut level) = (cube, level);
        while level + 1 < self.frames.len() {
            match self.relative(&cube, level)? {
                Relative::Blocked(part) => (cube, level) = (part, level + 1),
                Relative::Predecessor(..) => break,
            }
        }
        Ok((cube, level))
    }

    /// Blocks a cube, and what it says of other members.
    fn add(&mut self, cube: Cube, level: usize) {
        for cube in self.system.images(&cube) {
            for frame in &mut self.frames[..=level] {
                frame.retain(|known| !contains(known, &cube));
            }
            self.deny(&cube, level);
            self.frames[level].push(cube);
            self.effort.clauses += 1;
            self.setup.note(Meter::clause);
        }
    }

    /// Tells the solver that a cube is blocked.
    fn deny(&mut self, cube: &[Literal], level: usize) {
        let system = self.system;
        let outside = cube.iter().map(|literal| !system.state(*literal));
        self.main.assert_any_if(self.activation[level], outside);
    }

    /// Moves what can be moved to later frames; the invariant, if two frames are equal.
    fn propagate(&mut self) -> Result<Option<Invariant>, StopReason> {
        for level in 1..self.frames.len() - 1 {
            let mut cubes = self.frames[level].clone();
            cubes.sort_unstable_by_key(Vec::len);
            for cube in cubes {
                if !self.frames[level].contains(&cube) {
                    continue;
                }
                let moves = faults::on(Fault::PdrPropagate)
                    || matches!(self.relative(&cube, level)?, Relative::Blocked(_));
                if moves {
                    // The solver may forget it in this frame: the later one is assumed with it.
                    self.add(cube, level + 1);
                }
            }
            if self.frames[level].is_empty() {
                return Ok(Some(Invariant {
                    clauses: self.clauses(level + 1),
                    depth: 1,
                }));
            }
        }
        Ok(None)
    }

    /// Clauses of a frame, with those that are known.
    fn clauses(&self, level: usize) -> Vec<Cube> {
        let cubes = self.frames[level.min(self.frames.len())..].iter().flatten();
        let negated = |cube: &Cube| cube.iter().map(|literal| -literal).collect();
        let found = cubes.map(negated);
        found.chain(self.known.iter().cloned()).collect()
    }

    /// The execution that starts in an obligation.
    fn trace(&self, first: usize) -> Trace {
        let mut start: Vec<bool> = self
            .system
            .latches
            .iter()
            .map(|latch| latch.initial.unwrap_or(false))
            .collect();
        for literal in self.obligations.cube(first) {
            start[literal.unsigned_abs() as usize - 1] = *literal > 0;
        }
        let inputs = self.obligations.inputs(first);
        Trace { start, inputs }
    }
}

/// Literals of a cube that the last answer of a solver rests on, given what it was to assume for each.
fn needed(relation: &Relation, cube: &[Literal], assumed: &[Assumption]) -> Cube {
    let core = relation.core();
    let pairs = cube.iter().zip(assumed);
    let failed = pairs.filter(|(_, assumption)| core.contains(**assumption));
    failed.map(|(literal, _)| *literal).collect()
}

/// Subsumption of cubes: true if every literal of `part` is in `cube`, so that every state of `cube` is one of `part`.
fn contains(cube: &[Literal], part: &[Literal]) -> bool {
    let mut rest = cube.iter();
    part.len() <= cube.len()
        && part
            .iter()
            .all(|literal| rest.any(|other| other == literal))
}
