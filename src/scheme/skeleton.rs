//! What every scheme starts from: visible events grouped into steps, and the order of steps that holds in
//! every execution.
//!
//! A *node* is one step: the visible events of one section, or a single visible event, or several such steps that
//! can be taken together. Nodes of a thread form a chain. Events whose guard is the constant `false` make no node, nor
//! do fences under sequential consistency, where they do nothing.
//!
//! Under a weak memory model, the writes that a thread buffers are on chains of their own, in the order in which they
//! reach memory ([`buffer`]).

use super::Claim;
use super::buffer;
use super::environment::Environment;
use super::faults::{self, Fault};
use super::implication::implies;
use crate::base::IdVec;
use crate::event::{Barrier, Event, EventId, EventKind, EventProgram, SectionId, ThreadId};
use crate::ids;
use crate::term::TermId;

ids! {
    /// A step of a thread.
    NodeId;
}

/// One step.
#[derive(Clone, Debug)]
pub struct Node {
    /// Whose step it is.
    pub thread: ThreadId,
    /// Its place in the chain of its thread, from 0.
    pub index: u32,
    /// Its visible events in program order; at least one.
    pub events: Vec<EventId>,
}

/// An assertion or a cut: it only looks at its own thread.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// The event.
    pub event: EventId,
    /// Its thread.
    pub thread: ThreadId,
    /// How many nodes of its thread have begun before it (inside a section, the section's node counts).
    pub after: u32,
}

/// The steps of a program.
#[derive(Clone, Debug)]
pub struct Skeleton {
    /// All nodes, thread by thread, in program order.
    pub nodes: IdVec<NodeId, Node>,
    /// Nodes of each thread in program order.
    pub chains: IdVec<ThreadId, Vec<NodeId>>,
    /// Node of each visible event that can happen.
    pub node_of: IdVec<EventId, Option<NodeId>>,
    /// Assertions and cuts that can happen, thread by thread, in program order.
    pub locals: Vec<Local>,
    /// The `End` event of each thread, if it can happen.
    pub end: IdVec<ThreadId, Option<EventId>>,
    /// The thread that each chain belongs to. The first chains are those of the threads; those of their buffered
    /// writes follow.
    pub owner: IdVec<ThreadId, ThreadId>,
    /// What store buffers keep in order, apart from the chains.
    pub edges: Vec<Edge>,
    /// The place of each event in its thread's list.
    pub rank: IdVec<EventId, u32>,
    /// Buffered writes with the next step of their thread, which is taken after they are issued (but maybe before they
    /// reach memory).
    pub issued: Vec<(NodeId, NodeId)>,
}

/// A node that comes before another one of the same thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The earlier node.
    pub from: NodeId,
    /// The later one.
    pub to: NodeId,
    /// When; `None` in every execution.
    pub when: Option<TermId>,
}

impl Skeleton {
    fn empty(program: &EventProgram) -> Skeleton {
        Skeleton {
            nodes: IdVec::new(),
            chains: program.threads.ids().map(|_| Vec::new()).collect(),
            node_of: program.events.ids().map(|_| None).collect(),
            locals: Vec::new(),
            end: program.threads.ids().map(|_| None).collect(),
            owner: program.threads.ids().collect(),
            edges: Vec::new(),
            rank: program.events.ids().map(|_| 0).collect(),
            issued: Vec::new(),
        }
    }

    /// Groups the events of a program; linear.
    pub fn of(program: &mut EventProgram) -> Skeleton {
        let mut skeleton = Skeleton::empty(program);
        let alive = alive(program);
        for thread in program.threads.ids().filter(|&thread| alive[thread]) {
            match program.memory.is_weak() {
                true => buffer::add_thread(&mut skeleton, program, thread),
                false => skeleton.add_thread(program, thread),
            }
        }
        skeleton
    }

    /// Groups the events of a program into the steps of its threads, under a weak memory model, too: a buffered write is
    /// where it is issued; linear.
    pub fn issued(program: &EventProgram) -> Skeleton {
        let mut skeleton = Skeleton::empty(program);
        let alive = alive(program);
        for thread in program.threads.ids().filter(|&thread| alive[thread]) {
            skeleton.add_thread(program, thread);
        }
        skeleton
    }

    /// Whether two nodes are of one thread: the order between a thread's steps and its own buffered writes is either
    /// stated by edges or of no importance.
    pub fn is_own(&self, a: NodeId, b: NodeId) -> bool {
        self.owner[self.nodes[a].thread] == self.owner[self.nodes[b].thread]
    }

    /// Whether some writes are buffered.
    pub fn is_buffered(&self) -> bool {
        self.chains.len() > self.end.len()
    }

    fn add_thread(&mut self, program: &EventProgram, thread: ThreadId) {
        let mut open: Option<SectionId> = None;
        for &id in &program.threads[thread].events {
            let event = &program.events[id];
            if event.guard == program.terms.fals() {
                continue;
            }
            if !event.kind.is_visible() {
                let after = self.chains[thread].len() as u32;
                self.locals.push(Local {
                    event: id,
                    thread,
                    after,
                });
                continue;
            }
            if matches!(event.kind, EventKind::Fence) && program.barrier(id) == Barrier::None {
                continue;
            }
            if matches!(event.kind, EventKind::End) {
                self.end[thread] = Some(id);
            }
            let joined = event.section.is_some()
                && event.section == open
                && !faults::on(Fault::SectionSplit);
            let node = match self.chains[thread].last() {
                Some(&last) if joined => last,
                _ => {
                    let index = self.chains[thread].len() as u32;
                    let node = self.nodes.push(Node {
                        thread,
                        index,
                        events: Vec::new(),
                    });
                    self.chains[thread].push(node);
                    node
                }
            };
            open = event.section;
            self.nodes[node].events.push(id);
            self.node_of[id] = Some(node);
        }
    }

    /// Makes one node of those that are to be taken `together` with the one before them in their thread.
    pub fn join_nodes(&mut self, together: &IdVec<NodeId, bool>) {
        let mut nodes: IdVec<NodeId, Node> = IdVec::new();
        // By thread and old place: how many of the new nodes have begun.
        let mut begun: IdVec<ThreadId, Vec<u32>> = IdVec::new();
        for (thread, old) in std::mem::take(&mut self.chains).iter_ids() {
            let mut chain: Vec<NodeId> = Vec::new();
            let mut begun_here: Vec<u32> = vec![0];
            for &node in old {
                let events = std::mem::take(&mut self.nodes[node].events);
                match chain.last() {
                    Some(&last) if together[node] => nodes[last].events.extend(events),
                    _ => {
                        let index = chain.len() as u32;
                        chain.push(nodes.push(Node {
                            thread,
                            index,
                            events,
                        }));
                    }
                }
                begun_here.push(chain.len() as u32);
            }
            begun.push(begun_here);
            self.chains.push(chain);
        }
        for local in &mut self.locals {
            local.after = begun[local.thread][local.after as usize];
        }
        for (id, node) in nodes.iter_ids() {
            for &event in &node.events {
                self.node_of[event] = Some(id);
            }
        }
        self.nodes = nodes;
    }

    /// Assertions and cuts that can happen, with the conditions that say whether they do. `wires` is what
    /// variables of the program stand for.
    pub fn claims(&self, program: &mut EventProgram, wires: &mut Environment) -> Vec<Claim> {
        let mut claims = Vec::new();
        for local in &self.locals {
            let mut claim = claim(program, local.event);
            let terms = &mut program.terms;
            claim.reached = wires.instance(terms, claim.reached);
            claim.violated = claim.violated.map(|t| wires.instance(terms, t));
            claims.push(claim);
        }
        claims
    }

    /// The node before this one in its thread.
    pub fn previous(&self, node: NodeId) -> Option<NodeId> {
        let Node { thread, index, .. } = self.nodes[node];
        index
            .checked_sub(1)
            .map(|index| self.chains[thread][index as usize])
    }
}

/// An assertion or a cut, with its conditions over the program's own variables.
pub fn claim(program: &mut EventProgram, event: EventId) -> Claim {
    let &Event {
        guard,
        reached,
        ref kind,
        ..
    } = &program.events[event];
    // A cut counts where it happens, an assertion where it is checked.
    let EventKind::Assert { cond, .. } = *kind else {
        return Claim {
            event,
            reached: guard,
            violated: None,
        };
    };
    let broken = program.terms.not(cond);
    let violated = match faults::on(Fault::AssertGuard) {
        true => broken,
        false => program.terms.and(guard, broken),
    };
    Claim {
        event,
        reached,
        violated: Some(violated),
    }
}

/// Guard of each visible event that can happen (of a join: its guard and that it came through), with every
/// variable replaced by what it stands for.
pub fn happening(
    program: &mut EventProgram,
    skeleton: &Skeleton,
    wires: &mut Environment,
) -> IdVec<EventId, Option<TermId>> {
    let mut happens: IdVec<EventId, Option<TermId>> = program.events.ids().map(|_| None).collect();
    for node in skeleton.nodes.iter() {
        for &event in &node.events {
            let mut guard = program.events[event].guard;
            if let EventKind::Join { done, .. } = program.events[event].kind {
                guard = program.terms.and(guard, done);
            }
            happens[event] = Some(wires.instance(&mut program.terms, guard));
        }
    }
    happens
}

/// Threads whose creation can happen.
fn alive(program: &EventProgram) -> IdVec<ThreadId, bool> {
    // A creator may have a higher number than the thread it creates, so look up to the root each time.
    let runs = |mut thread: ThreadId| {
        for _ in 0..program.threads.len() {
            let Some(create) = program.threads[thread].created_by else {
                return thread == ThreadId(0);
            };
            if program.events[create].guard == program.terms.fals() {
                return false;
            }
            thread = program.events[create].thread;
        }
        false
    };
    program.threads.ids().map(runs).collect()
}

/// The order of nodes that holds in every execution, as vector clocks: program order, creations, and joins
/// that everything after them depends on; transitively closed.
#[derive(Clone, Debug)]
pub struct StaticOrder {
    /// For each node and thread: how many nodes of that thread's chain come before the node (in its own
    /// chain: its index).
    pub clocks: IdVec<NodeId, Vec<u32>>,
    /// Nodes in one order that agrees with the clocks, and in which every write comes before the later steps of its
    /// thread.
    pub linear: Vec<NodeId>,
    /// Join events whose order is part of the clocks. The others need a condition.
    pub joins: Vec<EventId>,
}

impl StaticOrder {
    /// Computes the order. Guards of the program are compared syntactically ([`implies`]).
    ///
    /// A join gives static order only if whatever can happen after it in its thread implies that it came
    /// through. The join itself then comes after the joined thread, too: where it does not come through,
    /// nothing comes after it, and so its own place does not matter.
    pub fn of(program: &mut EventProgram, skeleton: &Skeleton) -> StaticOrder {
        let mut edges: Vec<(NodeId, NodeId)> = Vec::new();
        for (chain, nodes) in skeleton.chains.iter_ids() {
            let thread = skeleton.owner[chain];
            if let (Some(create), Some(&first)) =
                (program.threads[thread].created_by, nodes.first())
                && let Some(node) = skeleton.node_of[create]
                && !faults::on(Fault::CreateOrder)
            {
                edges.push((node, first));
            }
        }
        let always = skeleton.edges.iter().filter(|edge| edge.when.is_none());
        edges.extend(always.map(|edge| (edge.from, edge.to)));
        let mut order = StaticOrder::close(skeleton, &edges)
            .expect("threads are created by earlier ones, so creation has no cycle");
        for (node, info) in skeleton.nodes.iter_ids() {
            for &id in &info.events {
                let EventKind::Join { targets, done } = &program.events[id].kind else {
                    continue;
                };
                let &[(target, when)] = targets.as_slice() else {
                    continue;
                };
                let done = *done;
                let Some(end) = skeleton.end[target].and_then(|end| skeleton.node_of[end]) else {
                    continue;
                };
                let guard = program.events[id].guard;
                let through = program.terms.and(guard, done);
                let certain =
                    when == program.terms.tru() && everything_after_needs(program, id, through);
                if !certain || faults::on(Fault::JoinOrder) {
                    continue;
                }
                edges.push((end, node));
                match StaticOrder::close(skeleton, &edges) {
                    Some(closed) => {
                        let joins = std::mem::take(&mut order.joins);
                        order = StaticOrder { joins, ..closed };
                        order.joins.push(id);
                    }
                    // Threads that wait for each other: leave it to the conditional order.
                    None => {
                        edges.pop();
                    }
                }
            }
        }
        if skeleton.is_buffered() {
            // Every execution in which writes reach memory at once has this order, too.
            edges.extend(&skeleton.issued);
            let at_once = StaticOrder::close(skeleton, &edges);
            order.linear = at_once
                .expect("a thread's steps come in the order of its list")
                .linear;
        }
        order
    }

    /// Vector clocks of program order and `edges`; `None` if there is a cycle. Linear in nodes times threads.
    fn close(skeleton: &Skeleton, edges: &[(NodeId, NodeId)]) -> Option<StaticOrder> {
        let count = skeleton.nodes.len();
        let mut waiting = vec![0u32; count];
        let mut next: Vec<Vec<NodeId>> = vec![Vec::new(); count];
        let chain_edges = skeleton
            .chains
            .iter()
            .flat_map(|chain| chain.windows(2).map(|w| (w[0], w[1])));
        for (from, to) in chain_edges.chain(edges.iter().copied()) {
            next[from.0 as usize].push(to);
            waiting[to.0 as usize] += 1;
        }
        let mut clocks: IdVec<NodeId, Vec<u32>> =
            (0..count).map(|_| vec![0; skeleton.chains.len()]).collect();
        let mut ready: Vec<NodeId> = skeleton
            .nodes
            .ids()
            .rev()
            .filter(|node| waiting[node.0 as usize] == 0)
            .collect();
        let mut linear = Vec::with_capacity(count);
        while let Some(node) = ready.pop() {
            linear.push(node);
            let own = clocks[node].clone();
            let Node { thread, index, .. } = skeleton.nodes[node];
            for &to in &next[node.0 as usize] {
                let clock = &mut clocks[to];
                for (a, b) in clock.iter_mut().zip(&own) {
                    *a = (*a).max(*b);
                }
                let seen = &mut clock[thread.0 as usize];
                *seen = (*seen).max(index + 1);
                waiting[to.0 as usize] -= 1;
                if waiting[to.0 as usize] == 0 {
                    ready.push(to);
                }
            }
        }
        (linear.len() == count).then_some(StaticOrder {
            clocks,
            linear,
            joins: Vec::new(),
        })
    }

    /// Whether `a` comes before `b` in every execution in which both happen.
    pub fn before(&self, skeleton: &Skeleton, a: NodeId, b: NodeId) -> bool {
        let Node { thread, index, .. } = skeleton.nodes[a];
        index < self.clocks[b][thread.0 as usize]
    }
}

/// Whether every visible event after this one in its thread implies `needed`: then nothing after it happens where that
/// does not hold.
pub fn everything_after_needs(program: &mut EventProgram, event: EventId, needed: TermId) -> bool {
    let thread = program.events[event].thread;
    let list = &program.threads[thread].events;
    let later = list.iter().skip_while(|&&id| id != event).skip(1);
    let fals = program.terms.fals();
    let mut guards: Vec<TermId> = later
        .map(|&id| &program.events[id])
        .filter(|event| event.kind.is_visible() && event.guard != fals)
        .map(|event| event.guard)
        .collect();
    guards.dedup();
    guards
        .into_iter()
        .all(|guard| implies(&mut program.terms, guard, needed))
}

/// Whether the variable of a read occurs in the guard of an event of the same node that comes before it
/// (`strictly`) or is the read itself (an operation that happens only if it can proceed).
pub fn is_foreseen(program: &EventProgram, node: &Node, read: EventId, strictly: bool) -> bool {
    let EventKind::Read { value, .. } = program.events[read].kind else {
        return false;
    };
    let Some(var) = program.terms.var_of(value) else {
        return true;
    };
    let until = node
        .events
        .iter()
        .position(|&id| id == read)
        .unwrap_or(node.events.len());
    let until = if strictly {
        until
    } else {
        (until + 1).min(node.events.len())
    };
    node.events[..until].iter().any(|&id| {
        let guard = program.events[id].guard;
        // A term is built after its operands, so a smaller id cannot contain the variable.
        guard > value && program.terms.support(guard).binary_search(&var).is_ok()
    })
}
