//! Followed places: the values that threads store where addresses, and numbers that they depend on, are read from.
//!
//! What a word that was read may be depends on what is stored there, which may depend on words that were read, also on the
//! same ones: `n = n + 1`, or a list that is turned round. A pass has met all writes when it ends; the values that they can
//! store are the least fixed point, one strongly connected component of places and terms after the other. Numbers that are
//! counted have none that ends; but what is read was stored before, so in an execution no value of a component depends
//! on more of its writes than there are, and as many rounds give all values (`reduce/value_range.rs` bounds ranges alike).
//! Places that those depend on are found on the way, and their writes have been met, too. The next pass knows the values, and may
//! meet more writes.

use super::knowledge::Knowledge;
use super::list::{List, ListMemo};
use super::pass::Pass;
use super::touch::{CellStart, Stored};
use crate::base::sorted::{SortedMap, SortedSet};
use crate::symex::faults::{self, Fault};
use crate::term::TermId;
use crate::term::node::Node;
use hashbrown::HashMap;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxBuildHasher;

/// Terms that are stored at each place.
type Writes = SortedMap<CellStart, SortedSet<TermId>>;

/// Node of the graph of what values depend on.
#[derive(Clone, Copy)]
enum Holder {
    Place(CellStart),
    Term(TermId),
}

impl Pass<'_> {
    /// Takes note that a value is stored at a place.
    pub(super) fn note_stored(&mut self, place: CellStart, value: TermId) {
        self.stored_terms.entry(place).or_default().insert(value);
    }

    /// Values that can be stored at the places that are followed, by the writes that this pass has met.
    pub(super) fn learn_stored(&mut self) {
        let mut met = std::mem::take(&mut self.stored_terms);
        let known = self.knowledge.forget_stored();
        let lists = std::mem::take(&mut self.list_memo);
        let mut writes = Writes::new();
        let mut followed: SortedSet<CellStart> = known.keys().copied().collect();
        loop {
            followed.extend(&self.seen.followed);
            for place in &followed {
                self.knowledge.follow(*place);
                writes.extend(met.remove(place).map(|terms| (*place, terms)));
            }
            for component in self.components(&writes) {
                self.close(&component, &writes);
            }
            if self.seen.followed.is_subset(&followed) {
                break;
            }
            self.knowledge.forget_stored();
            self.list_memo = ListMemo::default();
        }
        let found = self.knowledge.restore_stored(known);
        self.list_memo = lists;
        self.seen.stored = found;
    }

    /// Strongly connected components of places and of terms that are stored there, each after those that it depends on.
    fn components(&self, writes: &Writes) -> Vec<Vec<Holder>> {
        let mut graph: DiGraph<Holder, ()> = DiGraph::new();
        let places: SortedMap<CellStart, NodeIndex> = (writes.keys())
            .map(|place| (*place, graph.add_node(Holder::Place(*place))))
            .collect();
        let mut terms: HashMap<TermId, NodeIndex, FxBuildHasher> = HashMap::default();
        let mut waiting = Vec::new();
        for (place, stored) in writes {
            for &term in stored {
                let to = *terms.entry(term).or_insert_with(|| {
                    waiting.push(term);
                    graph.add_node(Holder::Term(term))
                });
                graph.add_edge(places[place], to, ());
            }
        }
        while let Some(term) = waiting.pop() {
            let from = terms[&term];
            if let Node::Variable(var) = self.terms.node(term) {
                let read = self.read_places.get(&var).and_then(Option::as_ref);
                for place in read.into_iter().flat_map(|places| places.iter()) {
                    if let Some(&to) = places.get(place) {
                        graph.add_edge(from, to, ());
                    }
                }
                continue;
            }
            for child in self.terms.sources(term) {
                let to = *terms.entry(child).or_insert_with(|| {
                    waiting.push(child);
                    graph.add_node(Holder::Term(child))
                });
                graph.add_edge(from, to, ());
            }
        }
        let components = kosaraju_scc(&graph);
        let held = |component: Vec<NodeIndex>| component.into_iter().map(|at| graph[at]).collect();
        components.into_iter().map(held).collect()
    }

    /// Values of the places of one component.
    fn close(&mut self, component: &[Holder], writes: &Writes) {
        let of_places = |holder: &Holder| match holder {
            Holder::Place(place) => Some(*place),
            Holder::Term(_) => None,
        };
        let places: Vec<CellStart> = component.iter().filter_map(of_places).collect();
        let stored: SortedSet<TermId> = places.iter().flat_map(|at| &writes[at]).copied().collect();
        let rounds = if faults::on(Fault::RoundMissed) {
            stored.len().saturating_sub(1).max(1)
        } else {
            stored.len()
        };
        for _ in 0..rounds {
            let next: Vec<Stored> = (places.iter())
                .map(|place| self.stored_by(&writes[place]))
                .collect();
            let mut grows = false;
            for (place, values) in places.iter().zip(next) {
                grows |= self.knowledge.set_stored(*place, values);
            }
            if !grows || component.len() == 1 {
                break;
            }
            for holder in component {
                if let Holder::Term(term) = holder {
                    self.list_memo.remove(term);
                }
            }
        }
    }

    /// Values of some terms.
    fn stored_by(&mut self, terms: &SortedSet<TermId>) -> Stored {
        let mut all = Stored::default();
        for &term in terms {
            match self.values_of(term) {
                Some(list) => all.add(&list),
                None => all = Stored::Many,
            }
        }
        for (fault, addresses) in [(Fault::ListedLost, true), (Fault::NumberUnlisted, false)] {
            if let Stored::Values(list) = &mut all
                && faults::on(fault)
            {
                forget_last(list, self.knowledge, addresses);
            }
        }
        all
    }
}

/// A deliberate error: a list loses its last address, or its greatest number, unless that is the only one.
fn forget_last(list: &mut List, knowledge: &Knowledge, addresses: bool) {
    let slot = |value: &u128| knowledge.space.slot(u64::try_from(*value).ok()?);
    let is_address = |value: &u128| slot(value).is_some_and(|s| knowledge.object(s).is_some());
    let mut found = list.values.iter().filter(|v| is_address(v) == addresses);
    let last = found.next_back().copied();
    if found.next().is_some() {
        list.values.retain(|value| Some(*value) != last);
    }
}
