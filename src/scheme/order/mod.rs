//! The scheme `order`: which of two steps of different threads comes first is a literal, and a read takes the
//! last write before it. No bound on context switches.
//!
//! What the static order decides is decided before ([`wire`]); what remains are literals for pairs of steps
//! that may conflict ([`before`]) and, for each read that happens, the choice of its source (`source`).
//! Everything about an event is stated under its guard, so that threads may stop where they block.

pub mod before;
mod source;
pub mod wire;

use super::faults::{self, Fault};
use super::skeleton::{NodeId, Skeleton, StaticOrder};
use super::{Claim, Model};
use crate::base::IdVec;
use crate::circuit::Formula;
use crate::circuit::Lit;
use crate::event::{EventId, EventKind, EventProgram, ThreadId};
use crate::term::TermId;
use before::Before;
use wire::Accesses;

/// The encoding of a program.
pub struct Order {
    skeleton: Skeleton,
    order: StaticOrder,
    accesses: Accesses,
    before: Before,
    /// Guard of each visible event that can happen; of a join: its guard and that it came through.
    happens: IdVec<EventId, Option<TermId>>,
    /// Joins whose order depends on a condition: the join, the end it waits for, the condition.
    joins: Vec<(NodeId, NodeId, TermId)>,
    /// Accesses of each cell that is written and not resolved statically: node, when it happens, whether it writes.
    touches: Vec<Vec<(NodeId, TermId, bool)>>,
}

/// Sizes of an encoding, for people.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sizes {
    /// Steps.
    pub nodes: usize,
    /// Steps that have order literals.
    pub ordered: usize,
    /// Reads whose value the static order decides.
    pub wired: usize,
    /// Pairs of a read and a cell that the solver decides.
    pub open: usize,
}

impl Order {
    /// States everything that ties reads to writes.
    pub fn encode(
        program: &mut EventProgram,
        formula: &mut Formula,
        eager_triples: usize,
    ) -> Order {
        let skeleton = Skeleton::of(program);
        let order = StaticOrder::of(program, &skeleton);
        let mut accesses = Accesses::of(program, &skeleton, &order);
        let kept = kept(program, &skeleton, &order, &accesses);
        let before = Before::new(formula, &skeleton, &order, &kept, eager_triples);
        let mut happens: IdVec<EventId, Option<TermId>> =
            program.events.ids().map(|_| None).collect();
        for (_, node) in skeleton.nodes.iter_ids() {
            for &event in &node.events {
                let mut guard = program.events[event].guard;
                if let EventKind::Join { done, .. } = program.events[event].kind {
                    guard = program.terms.and(guard, done);
                }
                happens[event] = Some(accesses.wires.instance(&mut program.terms, guard));
            }
        }
        let mut result = Order {
            skeleton,
            order,
            accesses,
            before,
            happens,
            joins: Vec::new(),
            touches: Vec::new(),
        };
        result.state_joins(program, formula);
        for read in result.accesses.reads.clone() {
            let sources = result
                .accesses
                .sources(program, &result.skeleton, &result.order, &read);
            source::state(program, formula, &result, &read, &sources);
        }
        result.collect_touches();
        result
    }

    /// Sizes.
    pub fn sizes(&self) -> Sizes {
        Sizes {
            nodes: self.skeleton.nodes.len(),
            ordered: self.before.steps.iter().map(Vec::len).sum(),
            wired: self.accesses.wired,
            open: self.accesses.reads.len(),
        }
    }

    /// A term of the program with everything replaced that the static order decides.
    pub fn resolve(&mut self, program: &mut EventProgram, t: TermId) -> TermId {
        self.accesses.wires.instance(&mut program.terms, t)
    }

    /// Assertions and cuts that can happen, with the conditions that say whether they do.
    pub fn claims(&mut self, program: &mut EventProgram) -> Vec<Claim> {
        let mut claims = Vec::new();
        for local in self.skeleton.locals.clone() {
            let event = &program.events[local.event];
            let guard = event.guard;
            let cond = match event.kind {
                EventKind::Assert { cond, .. } => Some(cond),
                _ => None,
            };
            let violated = cond.map(|cond| {
                let broken = program.terms.not(cond);
                let violated = if faults::on(Fault::AssertGuard) {
                    broken
                } else {
                    program.terms.and(guard, broken)
                };
                self.resolve(program, violated)
            });
            // A cut counts where it happens, an assertion where it is checked.
            let condition = match violated {
                None => guard,
                Some(_) => program.events[local.event].reached,
            };
            let reached = self.resolve(program, condition);
            claims.push(Claim {
                event: local.event,
                reached,
                violated,
            });
        }
        claims
    }

    /// Whether `x` comes before `y`.
    fn lit(&self, x: NodeId, y: NodeId) -> Lit {
        self.before.lit(&self.skeleton, &self.order, x, y)
    }

    /// A join comes through only after the end of the thread that it names.
    fn state_joins(&mut self, program: &mut EventProgram, formula: &mut Formula) {
        for (node, info) in self.skeleton.nodes.clone().iter_ids() {
            for &event in &info.events {
                let EventKind::Join { targets, .. } = program.events[event].kind.clone() else {
                    continue;
                };
                if faults::on(Fault::JoinWithoutEnd) {
                    continue;
                }
                let through_term = self.happens[event].unwrap_or(program.terms.fals());
                let through = formula.lit_of(&program.terms, through_term);
                let mut some = vec![!through];
                for (target, when) in targets {
                    let when_term = self.resolve(program, when);
                    let when = formula.lit_of(&program.terms, when_term);
                    let end = self.skeleton.end[target];
                    let Some((end, end_node)) =
                        end.and_then(|end| Some((end, self.skeleton.node_of[end]?)))
                    else {
                        formula.add_clause(&[!through, !when]);
                        continue;
                    };
                    some.push(when);
                    if faults::on(Fault::JoinAnyThread) && when != Lit::TRUE {
                        continue;
                    }
                    let ended = self.happens[end].unwrap_or(program.terms.fals());
                    let ended = formula.lit_of(&program.terms, ended);
                    formula.add_clause(&[!through, !when, ended]);
                    if self.order.joins.contains(&event) || faults::on(Fault::JoinOrder) {
                        continue;
                    }
                    let ordered = self.lit(end_node, node);
                    formula.add_clause(&[!through, !when, ordered]);
                    let waits = program.terms.and(through_term, when_term);
                    self.joins.push((end_node, node, waits));
                }
                formula.add_clause(&some);
            }
        }
    }

    fn collect_touches(&mut self) {
        let writes = |lists: &IdVec<ThreadId, Vec<wire::Write>>| {
            lists
                .iter()
                .flatten()
                .map(|write| (write.node, write.act, true))
                .collect()
        };
        let mut touches: Vec<Vec<(NodeId, TermId, bool)>> =
            self.accesses.writes.iter().map(writes).collect();
        for read in &self.accesses.reads {
            touches[read.cell.0 as usize].push((read.node, read.act, false));
        }
        touches.retain(|all| all.iter().any(|touch| touch.2));
        self.touches = touches;
    }

    /// The happening steps of a model in one order that the values agree with, and for each node those that
    /// must come after it; `None` if the model's order has a cycle.
    fn linearise(&self, model: &mut dyn Model) -> Option<(Vec<NodeId>, Vec<Vec<NodeId>>)> {
        let count = self.skeleton.nodes.len();
        let mut happens = vec![false; count];
        for (id, node) in self.skeleton.nodes.iter_ids() {
            happens[id.0 as usize] = node
                .events
                .iter()
                .any(|&event| self.happens[event].is_some_and(|guard| model.holds(guard)));
        }
        let mut next: Vec<Vec<NodeId>> = vec![Vec::new(); count];
        for chain in self.skeleton.chains.iter() {
            let happening: Vec<NodeId> = chain
                .iter()
                .copied()
                .filter(|n| happens[n.0 as usize])
                .collect();
            for pair in happening.windows(2) {
                next[pair[0].0 as usize].push(pair[1]);
            }
        }
        // The static order: for each node, the newest happening node of each thread that comes before it.
        for (id, node) in self
            .skeleton
            .nodes
            .iter_ids()
            .filter(|(id, _)| happens[id.0 as usize])
        {
            for (thread, chain) in self
                .skeleton
                .chains
                .iter_ids()
                .filter(|(t, _)| *t != node.thread)
            {
                let seen = &chain[..self.order.clocks[id][thread.0 as usize] as usize];
                if let Some(&last) = seen.iter().rev().find(|n| happens[n.0 as usize]) {
                    next[last.0 as usize].push(id);
                }
            }
        }
        for &(end, join, waits) in &self.joins {
            if model.holds(waits) {
                next[end.0 as usize].push(join);
            }
        }
        for all in &self.touches {
            let active: Vec<_> = all.iter().filter(|touch| model.holds(touch.1)).collect();
            for (i, x) in active.iter().enumerate() {
                for y in &active[i + 1..] {
                    let same = self.skeleton.nodes[x.0].thread == self.skeleton.nodes[y.0].thread;
                    if same || !(x.2 || y.2) {
                        continue;
                    }
                    let (first, second) = if model.lit(self.lit(x.0, y.0)) {
                        (x.0, y.0)
                    } else {
                        (y.0, x.0)
                    };
                    next[first.0 as usize].push(second);
                }
            }
        }
        let mut waiting = vec![0usize; count];
        for list in &next {
            for to in list {
                waiting[to.0 as usize] += 1;
            }
        }
        // Stay in one thread as long as possible: fewer switches are easier to read.
        let total = happens.iter().filter(|h| **h).count();
        let mut heads: IdVec<ThreadId, usize> = self.skeleton.chains.iter().map(|_| 0).collect();
        let mut current = ThreadId(0);
        let mut linear = Vec::with_capacity(total);
        let skip = |thread: ThreadId, head: &mut usize| {
            let chain = &self.skeleton.chains[thread];
            while chain.get(*head).is_some_and(|n| !happens[n.0 as usize]) {
                *head += 1;
            }
            chain.get(*head).copied()
        };
        while linear.len() < total {
            let others = self.skeleton.chains.ids().filter(|&t| t != current);
            let ready = std::iter::once(current).chain(others).find_map(|thread| {
                let node = skip(thread, &mut heads[thread])?;
                (waiting[node.0 as usize] == 0).then_some((thread, node))
            });
            let (thread, node) = ready?;
            current = thread;
            heads[thread] += 1;
            linear.push(node);
            for to in &next[node.0 as usize] {
                waiting[to.0 as usize] -= 1;
            }
        }
        Some((linear, next))
    }

    /// Whether clauses alone make every model's order one.
    pub fn is_closed(&self) -> bool {
        self.before.closed
    }

    /// Clauses that exclude what is wrong with a model's order; none if it is one.
    pub fn refinement(&self, model: &mut dyn Model) -> Vec<[Lit; 3]> {
        match self.linearise(model) {
            Some(_) => Vec::new(),
            None => self.before.refinement(model),
        }
    }

    /// What wired variables stand for, by variable; `None` for itself.
    pub fn definitions(&self) -> &[Option<TermId>] {
        self.accesses.wires.definitions()
    }

    /// The execution of a model up to a violated assertion or a cut: only what must come before it.
    pub fn decode(
        &self,
        program: &EventProgram,
        model: &mut dyn Model,
        target: EventId,
    ) -> Option<Vec<EventId>> {
        let (linear, next) = self.linearise(model)?;
        let local = self
            .skeleton
            .locals
            .iter()
            .find(|local| local.event == target)?;
        let mut needed = vec![false; self.skeleton.nodes.len()];
        for &node in &self.skeleton.chains[local.thread][..local.after as usize] {
            needed[node.0 as usize] = true;
        }
        if let Some(create) = program.threads[local.thread].created_by
            && let Some(node) = self.skeleton.node_of[create]
        {
            needed[node.0 as usize] = true;
        }
        for &node in linear.iter().rev() {
            let wanted = next[node.0 as usize].iter().any(|to| needed[to.0 as usize]);
            needed[node.0 as usize] |= wanted;
        }
        let events = &program.threads[local.thread].events;
        let cut = events.iter().position(|&id| id == target)?;
        let mut order = Vec::new();
        for &node in linear.iter().filter(|node| needed[node.0 as usize]) {
            for &event in &self.skeleton.nodes[node].events {
                if !self.happens[event].is_some_and(|guard| model.holds(guard)) {
                    continue;
                }
                let own = self.skeleton.nodes[node].thread == local.thread;
                if own && events[cut..].contains(&event) {
                    continue;
                }
                order.push(event);
            }
        }
        Some(order)
    }
}

/// Steps that need order literals: those that may conflict with a step of another thread whose order is open,
/// and joins and ends that are tied by a condition.
fn kept(
    program: &EventProgram,
    skeleton: &Skeleton,
    order: &StaticOrder,
    accesses: &Accesses,
) -> IdVec<NodeId, bool> {
    let mut kept: IdVec<NodeId, bool> = skeleton.nodes.ids().map(|_| false).collect();
    // By cell: nodes that write, and nodes that read, of each thread in program order.
    let threads = skeleton.chains.len();
    let mut readers: Vec<Vec<Vec<NodeId>>> = vec![vec![Vec::new(); threads]; program.cells.len()];
    for read in &accesses.reads {
        let thread = skeleton.nodes[read.node].thread.0 as usize;
        readers[read.cell.0 as usize][thread].push(read.node);
    }
    // Whether a list in program order has a node that is ordered neither way with `node`.
    let open = |node: NodeId, list: &[NodeId]| {
        let Some(first) = list.first() else {
            return false;
        };
        let other = skeleton.nodes[*first].thread.0 as usize;
        let from = list.partition_point(|n| skeleton.nodes[*n].index < order.clocks[node][other]);
        list.get(from)
            .is_some_and(|&n| !order.before(skeleton, node, n))
    };
    for (cell, lists) in accesses.writes.iter_ids() {
        let writers: Vec<Vec<NodeId>> = lists
            .iter()
            .map(|list| list.iter().map(|write| write.node).collect())
            .collect();
        let readers = &mut readers[cell.0 as usize];
        for list in readers.iter_mut() {
            list.sort_unstable();
        }
        for a in 0..threads {
            for b in (0..threads).filter(|&b| b != a) {
                for &node in &writers[a] {
                    if !kept[node] && (open(node, &writers[b]) || open(node, &readers[b])) {
                        kept[node] = true;
                    }
                }
                for &node in &readers[a] {
                    if !kept[node] && open(node, &writers[b]) {
                        kept[node] = true;
                    }
                }
            }
        }
    }
    for (node, info) in skeleton.nodes.iter_ids() {
        for event in &info.events {
            let EventKind::Join { targets, .. } = &program.events[*event].kind else {
                continue;
            };
            if order.joins.contains(event) {
                continue;
            }
            kept[node] = true;
            for (target, _) in targets {
                if let Some(end) = skeleton.end[*target].and_then(|end| skeleton.node_of[end]) {
                    kept[end] = true;
                }
            }
        }
    }
    kept
}
