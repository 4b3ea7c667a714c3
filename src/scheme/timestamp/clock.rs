//! The local clock `ct` of each thread, as a word for each step that looks at it.
//!
//! Figure 2 assigns to `ct`; here every step that writes or reads a timestore has a word of its own, and the
//! words of a thread never go back. What else raises a clock: a thread starts with its creator's, and a join
//! raises it to that of the thread's end. Between such steps a clock is the largest of a few earlier words
//! (its *frontier*), and no new one is needed.
//!
//! The order of two steps of different threads is a literal, tied to their clocks where it matters; program order
//! makes the literals of two threads a staircase (as in [`crate::relation::before`]), which the solver sees
//! at once, while it has to search for it in the bits of clocks.

use crate::base::IdVec;
use crate::circuit::{Formula, Lit};
use crate::event::{EventKind, EventProgram};
use crate::ids;
use crate::relation::before::Before;
use crate::relation::program_order::{ProgramOrder, StepId};
use crate::relation::static_order::StaticOrder;
use crate::scheme::faults::{self, Fault};
use hashbrown::HashSet;

ids! {
    /// A word of the encoding that holds a timestamp.
    WordId;
}

/// Words of a frontier before they get a common one above them.
const WIDE: usize = 6;

/// Timestamps: the clocks of threads, and what they are compared with.
pub struct Clocks {
    /// Bits of a timestamp, the lowest first.
    pub words: IdVec<WordId, Vec<Lit>>,
    /// The last timestamp, `MAXT - 1`.
    pub last: u32,
    /// After each step: its thread's clock is the largest of these words, 0 if there are none.
    pub frontier: IdVec<StepId, Vec<WordId>>,
    /// The step's own word, if it has one.
    own: IdVec<StepId, Option<WordId>>,
    /// Step of each word.
    origin: IdVec<WordId, Option<StepId>>,
    /// The literal that a step writes to a variable that the solver has reads of.
    pub writes: IdVec<StepId, Lit>,
    /// Literals of the order of steps of two threads.
    before: Before,
    /// Pairs of steps whose literal is tied to their clocks.
    tied: HashSet<(StepId, StepId)>,
}

impl Clocks {
    /// The clocks of all threads, for timestamps 0 to `last`. A step has a word of its own if it is `kept`, and
    /// comes strictly after what is before it where its literal in `writes` is true.
    pub fn new(
        program: &EventProgram,
        formula: &mut Formula,
        po: &ProgramOrder,
        order: &StaticOrder,
        (last, kept): (u32, &IdVec<StepId, bool>),
        writes: IdVec<StepId, Lit>,
    ) -> Clocks {
        let mut clocks = Clocks {
            words: IdVec::new(),
            last,
            frontier: po.steps.ids().map(|_| Vec::new()).collect(),
            own: po.steps.ids().map(|_| None).collect(),
            origin: IdVec::new(),
            writes,
            before: Before::new(formula, po, order, kept, None, 0),
            tied: HashSet::new(),
        };
        for &step in &order.linear {
            let mut before = clocks.before(program, po, order, step);
            if kept[step] || before.len() > WIDE {
                let word = clocks.new_word(formula, Some(step));
                clocks.own[step] = Some(word);
                let strict = if faults::on(Fault::StampNotLater) {
                    Lit::FALSE
                } else {
                    clocks.writes[step]
                };
                for &earlier in &before {
                    let later = clocks.compare(formula, earlier, word, strict);
                    formula.assert(later);
                }
                if before.is_empty() {
                    // The clock starts at 0, where the initial values are.
                    let mut positive = clocks.words[word].clone();
                    positive.push(!strict);
                    formula.add_clause(&positive);
                }
                let moves = clocks.writes[step] != Lit::FALSE || !faults::on(Fault::ReadClock);
                if moves {
                    before = vec![word];
                }
            }
            clocks.frontier[step] = before;
        }
        clocks
    }

    /// Clock before a step, as the words whose largest it is: the frontier of the step before it, of the creation, of
    /// joined threads.
    fn before(
        &self,
        program: &EventProgram,
        po: &ProgramOrder,
        order: &StaticOrder,
        step: StepId,
    ) -> Vec<WordId> {
        let info = &po.steps[step];
        let mut found: Vec<WordId> = Vec::new();
        let mut earlier: Vec<StepId> = Vec::new();
        earlier.extend(po.previous(step));
        if info.index == 0 && !faults::on(Fault::ChildClock) {
            let create = program.threads[info.thread].created_by;
            earlier.extend(create.and_then(|create| po.step_of[create]));
        }
        for event in info.events.iter().filter(|id| order.joins.contains(id)) {
            if let EventKind::Join { targets, .. } = &program.events[*event].kind
                && !faults::on(Fault::JoinClock)
            {
                let ends = targets.iter().filter_map(|t| po.end[t.0]);
                earlier.extend(ends.filter_map(|end| po.step_of[end]));
            }
        }
        for before in earlier {
            for &word in &self.frontier[before] {
                if !found.contains(&word) {
                    found.push(word);
                }
            }
        }
        // A word whose step comes before another's is not the largest.
        let smaller = |a: WordId, b: WordId| match (self.origin[a], self.origin[b]) {
            (Some(a), Some(b)) => order.before(po, a, b),
            _ => false,
        };
        let all = found.clone();
        found.retain(|&a| !all.iter().any(|&b| smaller(a, b)));
        found
    }

    /// A free timestamp.
    pub fn new_word(&mut self, formula: &mut Formula, origin: Option<StepId>) -> WordId {
        let width = u32::BITS - self.last.leading_zeros();
        let bits = (0..width).map(|_| formula.new_lit()).collect();
        self.origin.push(origin);
        self.words.push(bits)
    }

    /// The word of a step that has one.
    pub fn of(&self, step: StepId) -> WordId {
        self.own[step].expect("steps that use a timestore have a word")
    }

    /// `a < b` where `strict` holds, `a <= b` where it does not: one majority for each bit.
    pub fn compare(&self, formula: &mut Formula, a: WordId, b: WordId, strict: Lit) -> Lit {
        let pairs = self.words[a].iter().zip(&self.words[b]);
        pairs.fold(!strict, |before, (&a, &b)| {
            formula.circuit().majority(!a, b, before)
        })
    }

    /// The literal that `x` comes before `y`, a step of another thread: by their clocks; of steps with one clock those
    /// that write come first, and those of lower threads.
    pub fn precedes(
        &mut self,
        formula: &mut Formula,
        po: &ProgramOrder,
        order: &StaticOrder,
        (x, y): (StepId, StepId),
    ) -> Lit {
        let lit = self.before.lit(po, order, x, y);
        if lit.is_constant() {
            return lit;
        }
        if po.steps[x].thread > po.steps[y].thread {
            return !self.precedes(formula, po, order, (y, x));
        }
        if self.tied.insert((x, y)) {
            let strict = if faults::on(Fault::ReadFirst) {
                Lit::TRUE
            } else {
                formula.and(!self.writes[x], self.writes[y])
            };
            let clocks = self.compare(formula, self.of(x), self.of(y), strict);
            if !faults::on(Fault::Untied) {
                formula.add_clause(&[!lit, clocks]);
                formula.add_clause(&[lit, !clocks]);
            }
        }
        lit
    }

    /// True if the static order says that the first word is at most the second.
    pub fn known_before(
        &self,
        po: &ProgramOrder,
        order: &StaticOrder,
        a: WordId,
        b: WordId,
    ) -> bool {
        match (self.origin[a], self.origin[b]) {
            (Some(a), Some(b)) => a == b || order.before(po, a, b),
            _ => false,
        }
    }

    /// The part that is needed to read the clocks of a model.
    pub fn into_times(self) -> Times {
        Times {
            words: self.words,
            frontier: self.frontier,
        }
    }
}

/// Clocks to read in models.
#[derive(Default)]
pub struct Times {
    words: IdVec<WordId, Vec<Lit>>,
    frontier: IdVec<StepId, Vec<WordId>>,
}

impl Times {
    /// The clock after a step in a model, whose values of literals `lit` gives.
    pub fn after(&self, step: StepId, lit: &mut dyn FnMut(Lit) -> bool) -> u64 {
        let mut value = |word: &WordId| {
            let bits = self.words[*word].iter().enumerate();
            bits.fold(0, |value, (i, &bit)| value | u64::from(lit(bit)) << i)
        };
        self.frontier[step]
            .iter()
            .map(&mut value)
            .max()
            .unwrap_or(0)
    }
}
