//! Locks that do not protect, as somebody breaks their rules.

use super::beside::Beside;
use super::faults::{self, Fault};
use super::flow::Flow;
use super::held::Held;
use super::lock::{self, Locks};
use super::object::ObjectId;
use super::site::Site;
use crate::base::sorted::{SortedMap, SortedSet};

/// Finds locks that somebody may release who does not hold them, or make anew while others are there; and objects in
/// which there may be such mutexes.
pub(super) fn break_locks(
    locks: &mut Locks,
    flow: &Flow,
    held: &SortedMap<Site, Held>,
    positions: &SortedMap<Site, Vec<(usize, u128)>>,
    fresh: &SortedSet<Site>,
    beside: &Beside,
) -> SortedSet<ObjectId> {
    let mut broken = 0;
    let mut wrong = SortedSet::new();
    for (site, bits) in &locks.releases {
        let Some(held) = held.get(site) else {
            continue;
        };
        if faults::on(Fault::ReleasedByOthers) || beside.releases.contains(site) {
            continue;
        }
        broken |= bits & !lock::ALONE & !held.locks;
        // It holds the one lock that this can be.
        let is_one =
            (bits & lock::ALONE).count_ones() == 1 && bits & !lock::ALONE & !held.locks == 0;
        let is_single = |operation: &lock::Operation| operation.places.len() == 1;
        if !(is_one && locks.mutexes.get(site).is_none_or(is_single)) {
            wrong.insert(*site);
        }
    }
    for (site, bits) in &locks.resets {
        let is_alone = |at: &[(usize, u128)]| at.iter().all(|at| *at == (0, 0));
        if !faults::on(Fault::ResetMeanwhile)
            && !is_alone(positions.get(site).map_or(&[], Vec::as_slice))
            && !fresh.contains(site)
        {
            broken |= bits & !lock::ALONE;
            wrong.insert(*site);
        }
    }
    locks.broken |= broken | broken >> 1;
    let mut unprotected = SortedSet::new();
    for operation in wrong.iter().filter_map(|site| locks.mutexes.get(site)) {
        match &operation.places[..] {
            [] => unprotected.extend(flow.objects.kinds.ids()),
            places => unprotected.extend(places.iter().map(|place| place.object)),
        }
    }
    unprotected
}
