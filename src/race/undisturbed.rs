//! Undisturbed accesses: those that can be exchanged with whatever other threads do next (Lipton 1975), because no
//! access that conflicts with them is next at the same time. Atomic accesses and sections are no races, and disturb each other all
//! the same; so do operations of synchronisation objects on the bytes of these.

use super::access::{Access, Accesses};
use super::conflict::{Conflict, Reason};
use super::faults::{self, Fault};
use super::flow::Flow;
use super::object::{Object, ObjectId};
use super::site::Site;
use crate::base::sorted::SortedSet;
use crate::ir::Program;

/// All undisturbed accesses.
pub(super) fn of(
    program: &Program,
    flow: &Flow,
    accesses: &Accesses,
    conflicts: &[Conflict],
) -> SortedSet<Site> {
    let shared = flow.shared();
    let mut disturbed: SortedSet<Site> = SortedSet::new();
    // Lists that have been looked at: many pairs share a list.
    let mut seen: SortedSet<*const Site> = SortedSet::new();
    for conflict in conflicts.iter().filter(|conflict| disturbs(conflict)) {
        for list in [&conflict.one, &conflict.other] {
            if seen.insert(list.as_ptr()) {
                disturbed.extend(list.iter());
            }
        }
    }
    // What is not counted as a race disturbs as well.
    let others = &accesses.others;
    let objects = others.iter().flat_map(|access| &access.ranges);
    let objects: SortedSet<ObjectId> = objects.map(|(object, _)| *object).collect();
    let are_anywhere = others.iter().any(|access| access.wild);
    let is_disturbed = |access: &Access| {
        let mut ranges = access.ranges.iter().map(|(object, _)| *object);
        let meets = |object: ObjectId| {
            let is_used = objects.contains(&object) && !faults::on(Fault::OperationsUndisturbed);
            is_used || shared[object] && may_end(program, flow, object)
        };
        are_anywhere || access.wild || ranges.any(meets)
    };
    let counted = accesses.counted.iter();
    let meets_others = counted.clone().filter(|access| is_disturbed(access));
    disturbed.extend(meets_others.chain(others).map(|access| access.site));
    let all = counted.map(|access| access.site);
    all.filter(|site| !disturbed.contains(site)).collect()
}

/// True if accesses that conflict may be next at the same time.
fn disturbs(conflict: &Conflict) -> bool {
    match conflict.discharged {
        None => true,
        Some(Reason::BothAtomic | Reason::Sections) => !faults::on(Fault::AtomicUndisturbed),
        Some(_) => false,
    }
}

/// True if the life of an object may end without an access: with a scope, or a thread.
fn may_end(program: &Program, flow: &Flow, object: ObjectId) -> bool {
    match flow.objects.kinds[object] {
        Object::Global(id) => program.globals[id].thread_local,
        Object::Function(_) => false,
        Object::Unknown | Object::Rest => true,
        Object::Allocated { heap, .. } => !heap && !faults::on(Fault::ScopeUndisturbed),
    }
}
