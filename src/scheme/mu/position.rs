//! Positions of threads among the guessed writes: `th_pos` of Figure 5 and 6, and the order of writes.
//!
//! Every step that writes or reads has a position: the number of writes before it, in unary ([`Axis`]). A step starts
//! where what it needs has ended (the step before it in its thread, the creation of its thread, threads that it has
//! joined), or later; one that writes ends behind its writes, which take the next positions (`th_nxt_wr`), one after
//! the other, and no other thread has them.
//!
//! Positions are added as they are needed ([`Positions::grow`]). A question about so many writes assumes that no step
//! is beyond the last one ([`Positions::within`]).

use super::axis::Axis;
use super::plan::Plan;
use crate::base::IdVec;
use crate::base::id::Id;
use crate::circuit::{Formula, Lit};
use crate::event::{EventId, EventKind, EventProgram};
use crate::goal::Model;
use crate::relation::program_order::StepId;
use crate::scheme::faults::{self, Fault};
use crate::term::TermId;

/// Step with a position: what it needs, and the writes that it makes.
struct Word {
    /// Steps with a position that it starts behind.
    starts: Vec<StepId>,
    /// The step runs and its first 1, 2, … writes happen: by write of the step, and number.
    counts: Vec<Vec<Lit>>,
    /// For each of its writes, the condition that it happens.
    acts: Vec<Lit>,
    /// Its thread has come so far.
    ran: Lit,
    /// For each of its writes, where it is: at 1, 2, ….
    places: Vec<Vec<Lit>>,
}

/// The positions of all steps.
pub struct Positions {
    axis: Axis,
    words: IdVec<StepId, Option<Word>>,
    /// After each step: what is behind it is behind these.
    frontier: IdVec<StepId, Vec<StepId>>,
    /// The number of positions.
    pub count: u32,
    /// For each position and thread: a section of the thread is in progress there.
    inside: Vec<Vec<Lit>>,
}

impl Positions {
    /// Positions of no writes yet. Joins that wait under a condition are in `conditional`.
    pub fn new(
        program: &EventProgram,
        formula: &mut Formula,
        plan: &Plan,
        conditional: &[StepId],
        happens: &IdVec<EventId, Option<TermId>>,
    ) -> Positions {
        let po = &plan.po;
        let mut positions = Positions {
            axis: Axis::new(po.steps.len()),
            words: po.steps.ids().map(|_| None).collect(),
            frontier: po.steps.ids().map(|_| Vec::new()).collect(),
            count: 0,
            inside: Vec::new(),
        };
        for &step in &plan.order.linear {
            let starts = positions.starts(program, plan, step);
            let needed = !plan.groups[step].is_empty()
                || !plan.looks[step].is_empty()
                || conditional.contains(&step);
            if !needed {
                positions.frontier[step] = starts;
                continue;
            }
            let ran = formula.lit_of(&program.terms, plan.ran[step]);
            let acts: Vec<Lit> = plan.groups[step]
                .iter()
                .map(|group| formula.lit_of(&program.terms, group.act))
                .collect();
            let mut counts: Vec<Vec<Lit>> = Vec::new();
            let mut before: Vec<Lit> = Vec::new();
            for &act in &acts {
                let mut now = Vec::new();
                for j in 0..=before.len() {
                    let old = before.get(j).copied().unwrap_or(Lit::FALSE);
                    let less = match j.checked_sub(1) {
                        Some(less) => before[less],
                        None => ran,
                    };
                    let one_more = formula.and(act, less);
                    now.push(formula.or(old, one_more));
                }
                before = now.clone();
                counts.push(now);
            }
            let events = po.steps[step].events.iter();
            let guards: Vec<Lit> = events
                .filter_map(|&event| happens[event])
                .map(|guard| formula.lit_of(&program.terms, guard))
                .collect();
            // If something of it happens, so does what the static order has before it.
            let happens = formula.or_all(&guards);
            positions.axis.add(step, plan.window[step], happens);
            positions.words[step] = Some(Word {
                starts,
                counts,
                places: vec![Vec::new(); acts.len()],
                acts,
                ran,
            });
            positions.frontier[step] = vec![step];
        }
        for (step, _) in po.steps.iter_ids() {
            let ran = formula.lit_of(&program.terms, plan.ran[step]);
            let before = plan.before(program, step);
            let before = formula.lit_of(&program.terms, before);
            if !faults::on(Fault::StopAndGoOn) {
                formula.add_clause(&[!ran, before]);
            }
        }
        positions
    }

    /// Steps with a position that a step starts behind, without those before others of them.
    fn starts(&self, program: &EventProgram, plan: &Plan, step: StepId) -> Vec<StepId> {
        let po = &plan.po;
        let info = &po.steps[step];
        let mut earlier: Vec<StepId> = po.previous(step).into_iter().collect();
        if info.index == 0 && !faults::on(Fault::ChildPosition) {
            let create = program.threads[info.thread].created_by;
            earlier.extend(create.and_then(|create| po.step_of[create]));
        }
        for event in info
            .events
            .iter()
            .filter(|id| plan.order.joins.contains(id))
        {
            if let EventKind::Join { targets, .. } = &program.events[*event].kind
                && !faults::on(Fault::JoinPosition)
            {
                let ends = targets.iter().filter_map(|t| po.end[t.0]);
                earlier.extend(ends.filter_map(|end| po.step_of[end]));
            }
        }
        let mut found: Vec<StepId> = Vec::new();
        for before in earlier {
            for &start in &self.frontier[before] {
                if !found.contains(&start) {
                    found.push(start);
                }
            }
        }
        // What is before another one of them is before it anyway.
        let all = found.clone();
        let smaller = |a: StepId, b: StepId| plan.order.before(po, a, b);
        found.retain(|&a| !all.iter().any(|&b| smaller(a, b)));
        found
    }

    /// The condition that at least `i` writes are before a step with a position.
    pub fn at_least(&self, step: StepId, i: u32) -> Lit {
        self.axis.at_least(step, i)
    }

    /// The condition that just `i` writes are before a step with a position.
    pub fn is(&self, formula: &mut Formula, step: StepId, i: u32) -> Lit {
        self.axis.is(formula, step, i)
    }

    /// At least `from` and at most `to` writes are before a step.
    pub fn between(&self, formula: &mut Formula, step: StepId, from: u32, to: u32) -> Lit {
        self.axis.between(formula, step, from, to)
    }

    /// Bounds of a step's position.
    pub fn window(&self, step: StepId) -> (u32, u32) {
        self.axis.window(step)
    }

    /// True if a step has a position.
    pub fn has(&self, step: StepId) -> bool {
        self.axis.has(step)
    }

    /// The condition that something of a step with a position happens.
    pub fn happens(&self, step: StepId) -> Lit {
        self.axis.happens(step)
    }

    /// Steps with a position such that what follows a step follows them.
    pub fn frontier(&self, step: StepId) -> &[StepId] {
        &self.frontier[step]
    }

    /// The condition that the `number`th write of a step has position `i`.
    pub fn is_write(&self, step: StepId, number: usize, i: u32) -> Lit {
        let places = &self.word(step).places[number];
        places.get(i as usize - 1).copied().unwrap_or(Lit::FALSE)
    }

    fn word(&self, step: StepId) -> &Word {
        self.words[step]
            .as_ref()
            .expect("steps that matter have a position")
    }

    /// Conjunctions of which one holds if what follows a step is at `i` or later.
    pub fn behind(&self, step: StepId, i: u32) -> Vec<[Lit; 2]> {
        let mut ways = vec![[self.at_least(step, i), Lit::TRUE]];
        let Some(counts) = self.word(step).counts.last() else {
            return ways;
        };
        for (j, &count) in counts.iter().enumerate() {
            if let Some(start) = i.checked_sub(j as u32 + 1) {
                ways.push([self.at_least(step, start), count]);
            }
        }
        ways
    }

    /// Assumptions for a question about at most `writes` of them.
    ///
    /// # Panics
    /// If there are fewer positions.
    pub fn within(&self, writes: u32) -> Vec<Lit> {
        self.axis.within(writes)
    }

    /// Some step is behind the last position.
    pub fn is_beyond(&self) -> Lit {
        self.axis.is_beyond()
    }

    /// Steps with a position that a step, which has one as well, starts behind.
    pub fn starts_of(&self, step: StepId) -> &[StepId] {
        &self.word(step).starts
    }

    /// There is a write at position `i`.
    pub fn is_taken(&self, i: u32) -> Lit {
        self.axis.is_taken(i)
    }

    /// Adds positions, up to `count`.
    pub fn grow(&mut self, formula: &mut Formula, plan: &Plan, count: u32) {
        let old = std::mem::replace(&mut self.count, count);
        self.axis.grow(formula, count);
        let linear = &plan.order.linear;
        // Literals up to `count + 1` are there; before, up to `old + 1`.
        let from = if old == 0 { 1 } else { old + 2 };
        for &step in linear.iter().filter(|&&step| self.has(step)) {
            for start in self.word(step).starts.clone() {
                for i in from..=count + 1 {
                    self.follow(formula, start, step, i);
                }
            }
        }
        for &step in linear {
            let writes = self.words[step].as_ref().map_or(0, |word| word.acts.len());
            for number in 0..writes {
                for i in old + 1..=count {
                    let place = self.place(formula, step, number, i);
                    if let Some(word) = &mut self.words[step] {
                        word.places[number].push(place);
                    }
                }
            }
        }
        for i in old + 1..=count {
            self.occupy(formula, plan, i);
        }
        // Writes behind the last position are beyond it, too.
        for &step in linear.iter().filter(|&&step| self.has(step)) {
            for way in self.behind(step, count + 1) {
                if !faults::on(Fault::LastWriteFree) {
                    formula.add_clause(&[!way[0], !way[1], self.is_beyond()]);
                }
            }
        }
    }

    /// A step is at `i` or later if what it starts behind is.
    fn follow(&self, formula: &mut Formula, start: StepId, step: StepId, i: u32) {
        let here = self.at_least(step, i);
        for way in self.behind(start, i) {
            if faults::on(Fault::WriteStays) && way[1] != Lit::TRUE {
                continue;
            }
            formula.add_clause(&[!way[0], !way[1], here]);
        }
    }

    /// The condition that a write has position `i`.
    fn place(&self, formula: &mut Formula, step: StepId, number: usize, i: u32) -> Lit {
        let word = self.word(step);
        let act = word.acts[number];
        let mut ways = Vec::new();
        let earlier = number.checked_sub(1).map(|before| &word.counts[before]);
        // `before` writes of the step happen before this one.
        for before in 0..=number.min(i as usize - 1) {
            let at = self.is(formula, step, i - 1 - before as u32);
            if at == Lit::FALSE {
                continue;
            }
            let least = match (before, earlier) {
                (0, _) | (_, None) => word.ran,
                (_, Some(counts)) => counts[before - 1],
            };
            let more = earlier.and_then(|counts| counts.get(before));
            let more = more.copied().unwrap_or(Lit::FALSE);
            let exactly = formula.and(least, !more);
            let happens = formula.and(exactly, act);
            ways.push(formula.and(happens, at));
        }
        formula.or_all(&ways)
    }

    /// A position has at most one write, and none is left out.
    fn occupy(&mut self, formula: &mut Formula, plan: &Plan, i: u32) {
        let mut threads: Vec<Lit> = Vec::new();
        let mut inside: Vec<Lit> = Vec::new();
        for chain in plan.po.chains.iter() {
            let mut here: Vec<Lit> = Vec::new();
            let mut within: Vec<Lit> = Vec::new();
            for &step in chain.iter().filter(|&&step| self.has(step)) {
                let word = self.word(step);
                here.extend(word.places.iter().map(|places| places[i as usize - 1]));
                // `done` of more writes have happened.
                for done in 1..word.acts.len() as u32 {
                    let Some(start) = i.checked_sub(done) else {
                        continue;
                    };
                    let more = word.counts.last().map_or(Lit::FALSE, |c| c[done as usize]);
                    let at = self.is(formula, step, start);
                    within.push(formula.and(at, more));
                }
            }
            threads.push(formula.or_all(&here));
            inside.push(formula.or_all(&within));
        }
        for (a, &one) in threads.iter().enumerate() {
            for &other in &threads[a + 1..] {
                if !faults::on(Fault::PositionShared) {
                    formula.add_clause(&[!one, !other]);
                }
            }
        }
        let taken = formula.or_all(&threads);
        self.axis.take(formula, taken);
        self.inside.push(inside);
    }

    /// The position before `i` is within a section: at `i` it may have ended, and shows all that it has written.
    pub fn ends_section(&self, formula: &mut Formula, i: u32) -> Lit {
        let before = (i as usize).checked_sub(2);
        match before.map(|before| self.inside[before].clone()) {
            Some(inside) => formula.or_all(&inside),
            None => Lit::FALSE,
        }
    }

    /// A step with reads is not where a section of another thread is in progress.
    pub fn keep_out(&self, formula: &mut Formula, plan: &Plan, step: StepId, i: u32) {
        let own = plan.po.steps[step].thread.index();
        let Some(inside) = i.checked_sub(1).map(|i| &self.inside[i as usize]) else {
            return;
        };
        if faults::on(Fault::InsideSection) {
            return;
        }
        for (thread, &inside) in inside.iter().enumerate() {
            if thread != own && inside != Lit::FALSE {
                let here = self.is(formula, step, i);
                formula.add_clause(&[!here, !inside]);
            }
        }
    }

    /// Positions where a step starts and ends in a model. Only free literals can be looked up there, so its writes are
    /// terms.
    pub fn of_model(&self, plan: &Plan, step: StepId, model: &mut dyn Model) -> (u32, u32) {
        let start = self.axis.of_model(step, model);
        let mut writes = 0;
        if model.holds(plan.ran[step]) {
            let groups = plan.groups[step].iter();
            writes = groups.filter(|group| model.holds(group.act)).count() as u32;
        }
        (start, start + writes)
    }
}
