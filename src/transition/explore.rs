//! One pass: every thread is explored from its start, location by location.
//!
//! The code after a location is executed in an order in which every way to a point comes before what follows the
//! point: weak topological order within a function, activations nested. So each point is passed once, with all paths to it
//! merged.

use super::automaton::{
    ArrayRead, Attempt, Automata, Automaton, Edge, Input, Key, Location, LocationId, Outcome,
    Point, Refusal, Registers, Stack, Stall, Variable,
};
use super::carry::Far;
use super::knowledge::{Knowledge, KnownBits};
use super::state::{EdgeState, Frame};
use crate::analysis::Facts;
use crate::analysis::liveness::live_at;
use crate::base::id::Id;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::base::{Budget, IdVec, Loc};
use crate::event::ThreadId;
use crate::exec::{self, Path};
use crate::ir::position::{FramePath, position};
use crate::ir::{BlockId, FuncId, Program, Reg};
use crate::race::Sites;
use crate::term::{TermId, Terms};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

/// Instructions that one pass may execute.
const INSTRUCTIONS: u64 = 2_000_000;

/// One pass over one thread.
pub(super) struct Explorer<'a> {
    pub program: &'a Program,
    pub facts: &'a Facts,
    pub knowledge: &'a mut Knowledge,
    /// Knowledge of the program's accesses; `None` if nobody asks for races.
    pub sites: Option<&'a Sites>,
    /// The next instruction is an atomic access.
    pub is_atomic: bool,
    pub terms: Terms,
    pub variables: SortedMap<Key, Variable>,
    pub thread: u32,
    pub locations: IdVec<LocationId, Location>,
    numbers: SortedMap<Point, LocationId>,
    edges: Vec<Edge>,
    /// Free values, shared by all locations: by width, in the order of use.
    pub pool: HashMap<(u16, usize), TermId, FxBuildHasher>,
    /// The same, as a set.
    pub free: HashSet<TermId, FxBuildHasher>,
    /// Addresses in array objects.
    pub far: Far,
    /// Address of the first access from the location, if that is kept as a far one, and the condition that it is within its
    /// object.
    pub within: Option<(TermId, TermId)>,
    /// The program has blocks of the heap.
    pub allocates: bool,
    executed: u64,
    /// Threads that were known before this pass.
    pub known_threads: usize,
    /// Threads that main has created in this pass and that were not known before.
    pub surprises: usize,
    // Of the location that is being explored:
    pub from: LocationId,
    /// Loops are unrolled.
    unrolls: bool,
    todo: SortedMap<Vec<u64>, EdgeState>,
    arrivals: SortedMap<LocationId, EdgeState>,
    pub inputs: Vec<Input>,
    pub reads: Vec<ArrayRead>,
    pub attempts: Vec<Attempt>,
    pub stalls: Vec<Stall>,
    pub used: HashMap<u16, usize, FxBuildHasher>,
    pub registers: Registers,
    /// Values of variables before the edges.
    pub held: SortedMap<Key, TermId>,
    /// Cells whose values are known for each place of the thread.
    pub steady: SortedSet<Key>,
    /// Values of these in the location, as far as known.
    pub cells: SortedMap<Key, KnownBits>,
}

/// Executes every thread once.
pub(super) fn pass(
    program: &Program,
    facts: &Facts,
    knowledge: &mut Knowledge,
    sites: Option<&Sites>,
    budget: &Budget,
) -> Result<Automata, Refusal> {
    knowledge.refine();
    let known_threads = knowledge.creations.len();
    let mut explorer = Explorer {
        program,
        facts,
        knowledge,
        sites,
        is_atomic: false,
        terms: Terms::new(),
        variables: SortedMap::new(),
        thread: 0,
        locations: IdVec::new(),
        numbers: SortedMap::new(),
        edges: Vec::new(),
        pool: HashMap::default(),
        free: HashSet::default(),
        far: Far::default(),
        within: None,
        allocates: program.allocates(),
        executed: 0,
        known_threads,
        surprises: 0,
        from: LocationId(0),
        unrolls: false,
        todo: SortedMap::new(),
        arrivals: SortedMap::new(),
        inputs: Vec::new(),
        reads: Vec::new(),
        attempts: Vec::new(),
        stalls: Vec::new(),
        used: HashMap::default(),
        registers: HashMap::default(),
        held: SortedMap::new(),
        steady: SortedSet::new(),
        cells: SortedMap::new(),
    };
    let mut threads: IdVec<ThreadId, Automaton> = IdVec::new();
    // Main first: it tells which threads there are.
    while threads.len() <= explorer.knowledge.creations.len() {
        let number = threads.len();
        explorer.thread = number as u32;
        let creation = number
            .checked_sub(1)
            .map(|i| explorer.knowledge.creations[i].clone());
        let function = creation
            .as_ref()
            .map_or(program.main, |creation| creation.function);
        explorer.run(function, budget)?;
        threads.push(Automaton {
            function,
            created_at: creation.map(|creation| (creation.position, creation.loc)),
            locations: std::mem::take(&mut explorer.locations),
            edges: std::mem::take(&mut explorer.edges),
        });
    }
    let slots = explorer.knowledge.places();
    let of_main = threads[ThreadId(0)].locations.iter();
    let beside = of_main.map(|location| explorer.knowledge.beside(&location.place));
    let beside = beside.collect();
    let arrays = explorer.knowledge.array_places(program);
    let fixed = explorer.knowledge.fixed_arrays();
    Ok(Automata {
        terms: explorer.terms,
        threads,
        beside,
        variables: explorer.variables,
        space: explorer.knowledge.space,
        used_slots: slots.len() as u32 + 1,
        chains: explorer
            .knowledge
            .chains
            .iter()
            .map(|(_, at)| at.clone())
            .collect(),
        slots,
        arrays,
        families: Vec::new(),
        fixed,
    })
}

impl Explorer<'_> {
    /// The place where a thread starts.
    pub fn start_of(&self, function: FuncId) -> Point {
        let entry = self.program.functions[function].entry;
        let nest = self.facts.functions[function].loops.nest[entry].len();
        Point::Code(vec![(function, entry, 0, vec![0; nest])], 0)
    }

    fn run(&mut self, function: FuncId, budget: &Budget) -> Result<(), Refusal> {
        self.numbers.clear();
        let start = self.start_of(function);
        self.steady = self.knowledge.steady(self.thread);
        if self.thread == 0 {
            self.note_initial(&start);
        }
        self.location(start);
        let mut next = 0;
        while next < self.locations.len() {
            if let Some(reason) = budget.check() {
                return Err(Refusal::Stopped(reason));
            }
            if self.executed > INSTRUCTIONS {
                return Err(Refusal::TooLarge);
            }
            self.explore(LocationId(next as u32));
            next += 1;
        }
        if self.executed > INSTRUCTIONS {
            return Err(Refusal::TooLarge);
        }
        Ok(())
    }

    /// The number of a location.
    pub fn location(&mut self, place: Point) -> LocationId {
        if let Some(known) = self.numbers.get(&place) {
            return *known;
        }
        let loc = match &place {
            Point::Code(stack, _) => {
                let (function, block, index, _) = stack.last().expect("a thread has a frame");
                let block = &self.program.functions[*function].blocks[*block];
                block
                    .instrs
                    .get(*index)
                    .map_or(block.end_loc, |instr| instr.loc)
            }
            _ => Loc::NONE,
        };
        let id = self.locations.push(Location {
            loc,
            place: place.clone(),
            registers: Vec::new(),
            inputs: Vec::new(),
            reads: Vec::new(),
            attempts: Vec::new(),
            stalls: Vec::new(),
            is_head: false,
        });
        self.numbers.insert(place, id);
        id
    }

    /// Edges from a location.
    fn explore(&mut self, from: LocationId) {
        let Point::Code(stack, section) = self.locations[from].place.clone() else {
            return;
        };
        self.from = from;
        self.unrolls = self.thread == 0 && from.index() == 0;
        self.used.clear();
        self.registers.clear();
        self.held.clear();
        self.within = None;
        self.cells = self
            .knowledge
            .cells(self.thread, &self.locations[from].place);
        self.cells.retain(|key, _| self.steady.contains(key));
        let state = self.start(&stack, section);
        self.push(state);
        while let Some((_, state)) = self.todo.pop_first() {
            self.block(state);
            if self.executed > INSTRUCTIONS {
                self.todo.clear();
            }
        }
        for (to, state) in std::mem::take(&mut self.arrivals) {
            self.edge(state, Outcome::Goto(to));
        }
        self.locations[from].inputs = std::mem::take(&mut self.inputs);
        self.locations[from].reads = std::mem::take(&mut self.reads);
        self.locations[from].attempts = std::mem::take(&mut self.attempts);
        self.locations[from].stalls = std::mem::take(&mut self.stalls);
    }

    /// The state in a location before anything is executed.
    fn start(&mut self, stack: &Stack, section: u32) -> EdgeState {
        let place = self.locations[self.from].place.clone();
        let mut path = Path::always(&self.terms);
        if self.thread > 0 && self.from.index() == 0 {
            let started = self.value(&Key::Started(self.thread));
            path.restrict(&mut self.terms, started);
        }
        let mut frames: Vec<Frame> = Vec::new();
        for (depth, (function, block, index, iterations)) in stack.iter().enumerate() {
            let chain = match frames.last() {
                None => 0,
                Some(caller) => {
                    let caller = caller.chain;
                    self.knowledge.chain(caller, stack[..depth].to_vec())
                }
            };
            let path = match frames.last() {
                None => FramePath::ROOT,
                Some(f) => FramePath::enter(
                    position(f.path, f.block, f.index, &f.iterations),
                    function.0,
                ),
            };
            let code = &self.program.functions[*function];
            let mut regs = vec![None; code.regs.len()];
            for reg in self.live(*function, *block, *index, depth + 1 < stack.len()) {
                let key = Key::Register {
                    thread: self.thread,
                    chain,
                    reg,
                };
                let bits = code.regs[reg].bits;
                let known = match self.knowledge.register(&place, &key) {
                    Some(known) => Some(known),
                    // A thread's argument.
                    None if self.from.index() == 0 => self.knowledge.value(&key, bits, None),
                    None => None,
                };
                // What has no value is never reached with one.
                let name = format!("r{}", reg.0);
                let mut term = self.at_start(&name, bits, known, &key);
                let distance = key
                    .distance()
                    .filter(|_| self.knowledge.is_far(&place, &key));
                if let Some(distance) = distance {
                    let known = self.knowledge.register(&place, &distance);
                    let exact = self.at_start("distance", bits, known, &distance);
                    term = self.far_register(term, exact);
                    let is_top = depth + 1 == stack.len();
                    let access = self.access_through(stack, reg).filter(|_| is_top);
                    if let Some(within) = key.within().filter(|_| access.is_some()) {
                        let known = self.knowledge.register(&place, &within);
                        let inside = self.at_start("within", 1, known, &within);
                        self.within = Some((term, inside));
                    }
                }
                regs[reg.index()] = Some(term);
            }
            frames.push(Frame {
                function: *function,
                chain,
                path,
                block: *block,
                index: *index,
                iterations: iterations.clone(),
                regs,
            });
        }
        EdgeState {
            path,
            frames,
            section,
            changed: SortedMap::new(),
            beside: self.knowledge.beside(&place),
            joined: false,
            log: SortedMap::new(),
            count: self.terms.constant(0, 32),
            wrote: false,
            fresh: true,
        }
    }

    /// Registers that live at a place; if it is a call that is being executed, after it.
    pub fn live(&self, function: FuncId, block: BlockId, index: usize, calls: bool) -> Vec<Reg> {
        let code = &self.program.functions[function];
        let live_in = &self.facts.functions[function].live_in;
        let set = live_at(code, live_in, block, index + usize::from(calls));
        let result = match code.blocks[block].instrs.get(index) {
            Some(instr) if calls => instr.kind.dst(),
            _ => None,
        };
        set.iter().filter(|reg| Some(*reg) != result).collect()
    }

    /// Goes on from a point, together with others that are there.
    pub fn push(&mut self, state: EdgeState) {
        if state.path.is_dead(&self.terms) {
            return;
        }
        let key = self.order(&state);
        let state = match self.todo.remove(&key) {
            None => state,
            Some(other) => self.join(other, state),
        };
        self.todo.insert(key, state);
    }

    fn join(&mut self, a: EdgeState, b: EdgeState) -> EdgeState {
        // Variables exist since the first change of either.
        let keys: Vec<Key> = a.changed.keys().chain(b.changed.keys()).cloned().collect();
        let values: SortedMap<Key, TermId> = keys
            .into_iter()
            .filter(|key| !matches!(key, Key::Register { .. }))
            .map(|key| (key.clone(), self.value(&key)))
            .collect();
        a.join(b, &mut self.terms, &values)
    }

    /// A key that grows along every path.
    fn order(&self, state: &EdgeState) -> Vec<u64> {
        let mut key = Vec::new();
        for frame in &state.frames {
            let loops = &self.facts.functions[frame.function].loops;
            key.push(u64::from(frame.function.0));
            for (head, iteration) in loops.nest[frame.block].iter().zip(&frame.iterations) {
                key.extend([u64::from(loops.order[*head]), u64::from(*iteration)]);
            }
            key.extend([u64::from(loops.order[frame.block]), frame.index as u64]);
        }
        key.push(u64::from(state.section));
        key
    }

    /// Executes a block from the state's place on.
    fn block(&mut self, mut state: EdgeState) {
        // No call has more than one state behind it.
        let mut apart = Vec::new();
        loop {
            self.executed += 1;
            let frame = state.top();
            let code = &self.program.functions[frame.function].blocks[frame.block];
            let Some(instr) = code.instrs.get(frame.index) else {
                self.terminator(state, &code.end);
                return;
            };
            let Ok(next) = exec::step(self, state, instr, &mut apart);
            match next {
                Some(next) if !next.path.is_dead(&self.terms) => state = next,
                _ => return,
            }
            if self.executed > INSTRUCTIONS {
                return;
            }
        }
    }

    /// An edge ends at the state's place, where others may come between.
    pub fn arrive(&mut self, state: EdgeState) {
        let place = state.point();
        let to = self.location(place.clone());
        let (stack, depth) = (state.stack(), state.frames.len());
        for (i, frame) in state.frames.iter().enumerate() {
            for reg in self.live(frame.function, frame.block, frame.index, i + 1 < depth) {
                let Some(term) = frame.regs[reg.index()] else {
                    continue;
                };
                let register = self.register_in(frame.chain, reg);
                if self.may_be_far(term) {
                    self.knowledge.note_far(&place, &register);
                }
                let access = self.access_through(&stack, reg).filter(|_| i + 1 == depth);
                for (key, term) in self.kept(&state, &register, term, access) {
                    let fact = self.refined(&state.path, term);
                    let bits = self.terms.bits(term);
                    self.knowledge.note_register(&place, &key, &fact, bits);
                }
                self.note_free(&register, term);
            }
        }
        let steady = std::mem::take(&mut self.steady);
        self.note_cells(&state, self.thread, &place, &steady);
        self.steady = steady;
        self.arrive_at(state, to);
    }

    pub fn arrive_at(&mut self, mut state: EdgeState, to: LocationId) {
        if self.locations[to].place == Point::Stopped {
            self.forget_unseen(&mut state);
        }
        for (key, term) in &state.changed {
            let fact = self.refined(&state.path, *term);
            let bits = self.terms.bits(*term);
            self.knowledge.note_value(key, &fact, bits);
            self.note_free(key, *term);
        }
        if self.thread == 0 {
            let place = &self.locations[to].place;
            self.knowledge.note_beside(place, &state.beside);
        }
        if !matches!(self.locations[to].place, Point::Code(..)) {
            // Wherever it comes from: nothing local matters any more.
            state.frames.iter_mut().for_each(|frame| frame.regs.clear());
        }
        let state = match self.arrivals.remove(&to) {
            None => state,
            Some(other) => self.join(other, state),
        };
        self.arrivals.insert(to, state);
    }

    /// Makes an edge of a state.
    pub fn edge(&mut self, mut state: EdgeState, outcome: Outcome) {
        if state.path.is_dead(&self.terms) {
            return;
        }
        if !matches!(outcome, Outcome::Goto(_)) {
            self.forget_unseen(&mut state);
        }
        let mut updates: Vec<(Key, TermId)> = Vec::new();
        let keeps = matches!(outcome, Outcome::Goto(_)) || state.section == 0;
        if keeps {
            for (key, term) in &state.changed {
                if self.held.get(key) != Some(term) {
                    updates.push((key.clone(), *term));
                }
            }
        }
        if let Outcome::Goto(to) = &outcome
            && matches!(self.locations[*to].place, Point::Code(..))
        {
            let (stack, depth) = (state.stack(), state.frames.len());
            for (i, frame) in state.frames.iter().enumerate() {
                for reg in self.live(frame.function, frame.block, frame.index, i + 1 < depth) {
                    let key = self.register_in(frame.chain, reg);
                    let Some(term) = frame.regs[reg.index()] else {
                        continue;
                    };
                    let access = self.access_through(&stack, reg).filter(|_| i + 1 == depth);
                    for (key, term) in self.kept(&state, &key, term, access) {
                        let var = self.terms.var_of(term);
                        let same = var.and_then(|var| self.registers.get(&var));
                        if same != Some(&key) {
                            updates.push((key, term));
                        }
                    }
                }
            }
        }
        self.edges.push(Edge {
            from: self.from,
            guard: state.path.term(),
            updates,
            count: state.count,
            outcome,
        });
    }

    /// The position of the next instruction, as the interpreter computes it; `None` within a loop that is
    /// not unrolled.
    pub fn position(&self, state: &EdgeState) -> Option<crate::ir::position::PosKey> {
        let around = state
            .frames
            .iter()
            .any(|frame| !frame.iterations.is_empty());
        if around && !self.unrolls {
            return None;
        }
        let frame = state.top();
        Some(position(
            frame.path,
            frame.block,
            frame.index,
            &frame.iterations,
        ))
    }

    /// The same wherever it is, in the first iterations of all loops.
    pub fn some_position(&self, state: &EdgeState) -> crate::ir::position::PosKey {
        let frame = state.top();
        let first = vec![0; frame.iterations.len()];
        position(frame.path, frame.block, frame.index, &first)
    }

    /// Unrolling: true if loops are being unrolled.
    pub fn unrolls(&self) -> bool {
        self.unrolls
    }
}
