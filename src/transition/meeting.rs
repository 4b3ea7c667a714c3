//! Meetings: two threads that stand before accesses which race.
//!
//! Accesses of a thread that ask for the same bytes in the same way are taken together, wherever it stands; so constant addresses
//! that differ need no gate. Inputs that both choose need not be told apart: of two accesses that race, one is in no section, and so
//! depends on none.

use super::automaton::{Automata, LocationId};
use super::relation::Relation;
use super::request::{Kind, Request};
use crate::base::id::Id;
use crate::base::sorted::SortedMap;
use crate::term::TermId;
use crate::transition::faults::{self, Fault};

/// An access of a thread, where it stands, and the condition that it is attempted.
type Attempted = (LocationId, TermId, Request, Kind);

/// The condition that threads meet, which is false if nobody asks for races.
pub(super) fn meeting(automata: &Automata, relation: &mut Relation) -> TermId {
    let threads = automata.threads.ids();
    let attempts = threads.map(|thread| relation.attempts(automata, thread));
    let attempts: Vec<Vec<Attempted>> = attempts.collect();
    let mut condition = relation.terms.fals();
    for second in automata.threads.ids() {
        let of_second = grouped(relation, attempts[second.index()].iter());
        for first in automata.threads.ids().take(second.index()) {
            // Who has ended, or has not been created, meets nobody.
            let may_run = |attempt: &&Attempted| {
                let counts = attempt.3.writes || !faults::on(Fault::RaceBesideRead);
                first.index() > 0 || automata.beside[attempt.0].contains(second) && counts
            };
            let of_first = grouped(relation, attempts[first.index()].iter().filter(may_run));
            for ((request, kind), here) in &of_first {
                for ((other, theirs), there) in &of_second {
                    if !kind.conflicts(*theirs) {
                        continue;
                    }
                    let overlap = request.overlaps(other, &mut relation.terms);
                    let both = relation.terms.and(*here, *there);
                    let met = relation.terms.and(both, overlap);
                    condition = relation.terms.or(condition, met);
                }
            }
        }
    }
    condition
}

/// Conditions of equal accesses.
fn grouped<'a>(
    relation: &mut Relation,
    attempts: impl Iterator<Item = &'a Attempted>,
) -> SortedMap<(Request, Kind), TermId> {
    let mut groups: SortedMap<(Request, Kind), TermId> = SortedMap::new();
    for (_, here, request, kind) in attempts {
        let none = relation.terms.fals();
        let group = groups.entry((*request, *kind)).or_insert(none);
        *group = relation.terms.or(*group, *here);
    }
    groups
}
