//! Findings of one level of bounds, and the outcome of a run that they make.

use super::findings::Findings;
use super::request::Request;
use crate::base::Loc;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::{Cut, Repeat};
use crate::ir::Check;
use crate::ir::{Program, Undefined};
use crate::outcome::{
    Bound, Coverage, Cubes, CutAt, Finding, InForce, Limit, Outcome, Reason, Statistics, Subject,
    Verdict,
};
use crate::question::{Open, Scheme};
use crate::symex::Bounds;
use crate::verify::faults::{self, Fault};

/// Findings of one level; by default, those of a run in which no level was finished.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    bounds: Option<Bounds>,
    scheme: Option<Scheme>,
    solver: &'static str,
    threads: usize,
    /// Reason why the level has no answer.
    reason: Option<Reason>,
    /// Violations, the most serious first.
    pub findings: Vec<Finding>,
    /// Those that are suppressed.
    pub suppressed: Vec<Finding>,
    /// Reason why it is not known whether there are more violations, where there are some.
    pub open: Option<Open>,
    pub asserted: Option<bool>,
    /// Some execution is beyond the scheme's own level.
    pub exceeded: bool,
    /// Bounds of the scheme's own, with their values, and whether they leave executions out.
    pub own: Vec<(Bound, u64, bool)>,
    /// Cubes that executions were split into.
    pub cubes: Option<Cubes>,
    /// Iterations of the loop that goes on for longest, where nobody asked for any.
    depth: u32,
    /// Loops and recursion that bounds cut, with a place of each.
    repeats: SortedMap<Cut, Loc>,
    /// The same of others that may be cut.
    unsure: SortedMap<Cut, Loc>,
    creation: bool,
    held: bool,
    /// Memory is sequentially consistent.
    is_sequential: bool,
    /// Executions may never come to an end.
    endless: bool,
    unwritten: bool,
    /// First place where a word that nobody has chosen meets an address.
    unset: Option<Loc>,
    unwatched: bool,
    /// First place of a thread of which it is not known whether it is blocked for ever.
    stays: Option<Loc>,
    /// Largest size of an object, if executions reach it.
    object_size: Option<u64>,
    undefined: Vec<(Undefined, Loc)>,
    unsupported: Option<(String, Loc)>,
}

impl Found {
    pub fn new(
        depth: u32,
        bounds: &Bounds,
        scheme: Scheme,
        solver: &'static str,
        threads: usize,
    ) -> Found {
        Found {
            depth,
            bounds: Some(bounds.clone()),
            is_sequential: !bounds.memory.is_weak(),
            scheme: Some(scheme),
            solver,
            threads,
            ..Found::default()
        }
    }

    /// The search ended before everything was known of this level, in which there is no violation.
    pub fn unfinished(self, reason: Reason) -> Found {
        Found {
            reason: Some(reason),
            ..self
        }
    }

    /// Violations of the run, as far as it has come.
    pub fn add_findings(&mut self, findings: &Findings) {
        self.findings = findings.counted();
        self.suppressed = findings.suppressed();
    }

    /// True if no level has an answer, not even in part.
    pub fn is_empty(&self) -> bool {
        self.bounds.is_none()
    }

    /// A cut that some execution reaches.
    pub fn add_cut(&mut self, why: &Cut, loc: Loc) {
        match why {
            Cut::Unwind(of) if of.number > 0 && faults::on(Fault::CutForgotten) => {}
            Cut::Unwind(_) | Cut::LoopBudget(_) | Cut::Recursion(_) => {
                self.repeats.insert(why.clone(), loc);
            }
            Cut::Threads => self.creation = true,
            Cut::Held => self.held = true,
            Cut::Endless => self.endless = true,
            Cut::Unwritten => self.unwritten = true,
            Cut::Unset => self.unset = Some(self.unset.map_or(loc, |first| first.min(loc))),
            Cut::Unwatched => self.unwatched = true,
            Cut::Stays => self.stays = Some(self.stays.map_or(loc, |first| first.min(loc))),
            Cut::ObjectSize { most } => self.object_size = Some(*most),
            Cut::Undefined(kind) => self.undefined.push((*kind, loc)),
            Cut::Unsupported(what) => {
                self.unsupported.get_or_insert((what.clone(), loc));
            }
        }
    }

    /// A cut that may be reached: nobody has found out.
    pub fn add_unsure(&mut self, why: &Cut, loc: Loc) {
        self.unsure.insert(why.clone(), loc);
    }

    /// Need of more threads: true if some are cut off that nobody asked to.
    pub fn wants_threads(&self, request: &Request) -> bool {
        !self.is_decided() && request.threads.is_none() && self.creation
    }

    /// Loops and recursion that are cut, or may be, by bounds that nobody asked for.
    pub fn rising(&self, request: &Request) -> SortedSet<Repeat> {
        let is_open = |why: &&Cut| match why {
            Cut::Unwind(of) => request.unwind.is_none() && !request.unwind_of.contains_key(of),
            Cut::LoopBudget(_) => request.unwind.is_none(),
            _ => request.recursion.is_none(),
        };
        let all = self.repeats.keys().chain(self.unsure.keys());
        let rising = all.filter(is_open).filter_map(Cut::repeat);
        rising.filter(|_| !self.is_decided()).collect()
    }

    /// Need to follow words that nobody has chosen: true if one meets an address, or may.
    pub fn wants_unset_words(&self) -> bool {
        let meets = self.unset.is_some() || self.unsure.contains_key(&Cut::Unset);
        !self.is_decided() && meets
    }

    /// Need of higher bounds of the scheme's own: true if one is reached that nobody asked for.
    pub fn wants_more_of_scheme(&self, request: &Request) -> bool {
        let scheme = request.engine.scheme();
        !self.is_decided() && self.exceeded && scheme.is_none_or(|scheme| scheme.is_open())
    }

    /// One line for people who wait.
    pub fn summary(&self) -> String {
        if self.is_empty() {
            return "stopped".to_string();
        }
        let what = match &self.reason {
            _ if !self.findings.is_empty() => "violated",
            Some(_) => "no answer",
            None if self.is_complete() && self.suppressed.is_empty() => {
                "no violation, nothing was cut"
            }
            None => "no violation so far",
        };
        format!("unwind {}: {} threads, {what}", self.depth(), self.threads)
    }

    /// Iterations of the loops that may have most.
    fn depth(&self) -> u32 {
        let set = self.bounds.as_ref().map_or(1, |bounds| bounds.unwind);
        self.depth.max(set)
    }

    /// No higher bounds are asked for: there is a violation, or no answer.
    fn is_decided(&self) -> bool {
        !self.findings.is_empty() || self.reason.is_some()
    }

    /// True if nothing was left out.
    pub fn is_complete(&self) -> bool {
        self.limits(&self.bounds()).is_empty() && self.unsupported.is_none()
    }

    /// Bounds that were in force, those first that are named first.
    fn bounds(&self) -> Vec<InForce> {
        let Some(bounds) = &self.bounds else {
            return Vec::new();
        };
        let asked = self.reason.is_none() && self.open.is_none();
        let mut all = Vec::new();
        let mut add = |bound: Bound, value: u64, reached: bool| {
            all.push(InForce {
                bound,
                value,
                reached: asked.then_some(reached),
            });
        };
        // Of those that are cut, or may be, the least: executions that stay within it are covered.
        let least = |bound: Bound| {
            let cuts = self.repeats.keys().chain(self.unsure.keys());
            let cuts = cuts.map(|why| limit(bounds, why));
            let own = cuts.filter_map(|limit| match limit {
                Limit::Bound(of, value) if of == bound => Some(value),
                _ => None,
            });
            own.min()
        };
        let loops = bounds.unwind_of.values().copied().max();
        let functions = bounds.recursion_of.values().copied().max();
        for (bound, most, single) in [
            (Bound::Unwind, bounds.unwind, loops),
            (Bound::Recursion, bounds.recursion, functions),
        ] {
            let most = most.max(single.unwrap_or(0));
            let least = least(bound);
            add(bound, least.unwrap_or(u64::from(most)), least.is_some());
        }
        match bounds.threads_per_site {
            u32::MAX => add(Bound::Threads, u64::from(bounds.threads), self.creation),
            few => add(Bound::ThreadsPerSite, u64::from(few), self.creation),
        }
        if let Some(most) = self.object_size {
            add(Bound::ObjectSize, most, true);
        }
        for &(bound, value, reached) in &self.own {
            add(bound, value, reached);
        }
        all
    }

    fn limits(&self, bounds: &[InForce]) -> Vec<Limit> {
        let mut limits: Vec<Limit> = bounds
            .iter()
            .filter(|bound| bound.reached == Some(true))
            .map(|bound| Limit::Bound(bound.bound, bound.value))
            .collect();
        if self
            .repeats
            .keys()
            .any(|why| matches!(why, Cut::LoopBudget(_)))
        {
            limits.push(Limit::LoopBudget);
        }
        if let Some(loc) = self.unset {
            limits.push(Limit::Unset(loc));
        }
        if let Some(Cubes {
            count: of,
            only: Some(number),
            ..
        }) = self.cubes
        {
            limits.insert(0, Limit::Cube { number, of });
        }
        if let Some((_, loc)) = self.undefined.first() {
            limits.push(Limit::Undefined(Some(*loc)));
        }
        limits
    }

    /// Loops and recursion that are cut, or may be, by place.
    fn cuts(&self, program: &Program) -> Vec<CutAt> {
        let Some(bounds) = &self.bounds else {
            return Vec::new();
        };
        let of = |all: &SortedMap<Cut, Loc>, certain: bool| {
            let cuts = all.iter().filter_map(|(why, loc)| {
                let (function, number) = match why.repeat()? {
                    Repeat::Loop(of) => (of.function, Some(of.number)),
                    Repeat::Recursion(function) => (function, None),
                };
                Some(CutAt {
                    limit: limit(bounds, why),
                    loc: *loc,
                    function: program.functions[function].name.clone(),
                    number,
                    certain,
                })
            });
            cuts.collect::<Vec<CutAt>>()
        };
        let mut cuts = of(&self.repeats, true);
        cuts.extend(of(&self.unsure, false));
        cuts.sort_by_key(|cut| (!cut.certain, cut.loc));
        cuts
    }

    /// Answer of a check.
    fn verdict(&self, check: Check, limits: &[Limit]) -> Verdict {
        let of = |finding: &Finding| Check::of(finding.property);
        if self.findings.iter().any(|finding| of(finding) == check) {
            return Verdict::Failed;
        }
        let unsupported = self.unsupported.clone();
        let unsupported = unsupported.map(|(what, loc)| Reason::Unsupported { what, loc });
        let reason = match self.open {
            Some(Open::Unasked) => Some(Reason::Ended),
            Some(Open::Stopped(reason)) => Some(Reason::Stopped(reason)),
            None => self.reason.clone().or(unsupported),
        };
        if let Some(reason) = reason {
            return Verdict::Unknown { reason };
        }
        let mut limits = limits.to_vec();
        if self.held && check == Check::Leak {
            limits.push(Limit::Held);
        }
        if self.endless && matches!(check, Check::Leak | Check::Cleanup) {
            limits.push(Limit::Endless);
        }
        if self.unwritten && check == Check::Undefined {
            limits.push(Limit::Unwritten);
        }
        let knows_ends = self.scheme.is_some_and(|scheme| scheme.knows_ends());
        if check == Check::Deadlock && !(knows_ends && self.is_sequential) {
            limits.push(Limit::OnlyCycles);
        }
        if let Some(loc) = self.stays
            && check == Check::Deadlock
        {
            limits.push(Limit::Stays(loc));
        }
        if self.unwatched && check == Check::Race {
            limits.push(Limit::Unwatched);
        }
        let suppressed = self.suppressed.iter();
        let count = suppressed.filter(|finding| of(finding) == check).count();
        limits.extend((count > 0).then_some(Limit::Suppressed(count)));
        // Executions end where behaviour is undefined, and nothing is known of what would follow.
        let mut undefined = self.findings.iter().chain(&self.suppressed);
        if self.undefined.is_empty()
            && let Some(first) = undefined
                .find(|finding| matches!(finding.property, crate::ir::Property::Defined(_)))
        {
            limits.push(Limit::Undefined(Some(first.loc)));
        }
        Verdict::Successful { limits }
    }

    /// The outcome of the run that ends with this level.
    pub fn into_outcome(
        self,
        program: &Program,
        request: &Request,
        statistics: Statistics,
    ) -> Outcome {
        let bounds = self.bounds();
        let limits = self.limits(&bounds);
        let (cuts, level) = (self.cuts(program), self.depth());
        let scheme = match (self.scheme, request.engine.scheme()) {
            (Some(scheme), _) => scheme.title(),
            (None, Some(asked)) => asked.name().to_string(),
            (None, None) => String::new(),
        };
        let by_check = request.checks.iter();
        let by_check: Vec<(Check, Verdict)> = by_check
            .map(|check| (check, self.verdict(check, &limits)))
            .collect();
        Outcome {
            verdict: Verdict::worst(by_check.iter().map(|(_, verdict)| verdict)),
            by_check,
            subject: Subject::of(program, request.checks),
            findings: self.findings,
            suppressed: self.suppressed,
            coverage: Coverage {
                scheme,
                solver: self.solver.to_string(),
                threads: self.threads,
                bounds,
                cubes: self.cubes,
                cuts,
                level,
                undefined: self.undefined,
                assertions_reachable: self.asserted,
                ..Coverage::of(program, request.memory)
            },
            statistics,
        }
    }
}

/// The bound that has cut a loop or a recursion.
fn limit(bounds: &Bounds, why: &Cut) -> Limit {
    match why {
        Cut::Recursion(function) => {
            Limit::Bound(Bound::Recursion, u64::from(bounds.recursion_of(*function)))
        }
        Cut::Unwind(of) => Limit::Bound(Bound::Unwind, u64::from(bounds.unwind_of(*of))),
        _ => Limit::LoopBudget,
    }
}
