//! Schedules and executions: how many writes one needs, and which words of uninitialised memory it reads.

use selvedge::event::{EventId, EventKind, EventProgram, Origin, Target};
use selvedge::trace::Schedule;
use std::collections::{BTreeMap, BTreeSet};

/// The writes of an execution, or fewer: those of one section that stand at one place of the program are taken for one.
pub(super) fn writes_of(program: &EventProgram, order: &[EventId]) -> u32 {
    let event = |id: &EventId| &program.events[*id];
    let is_create = |id: &&EventId| matches!(event(id).kind, EventKind::Create { .. });
    let is_result = |target: &Target| {
        let object = program.cells[target.cell].object;
        matches!(program.objects[object].origin, Origin::Result(_))
    };
    let mut places = BTreeSet::new();
    let mut count = 0;
    for id in order.iter().skip_while(|id| !is_create(id)) {
        let event = event(id);
        let EventKind::Write { targets, .. } = &event.kind else {
            continue;
        };
        let known = event.section.is_some() && !places.insert((event.section, event.loc));
        count += u32::from(!known && !targets.iter().all(is_result));
    }
    count
}

/// Values that uninitialised memory of a schedule has where it is read as a word, such as a pointer, or copied as one beside
/// bytes that were written.
pub(super) fn words(schedule: &Schedule) -> BTreeSet<i128> {
    let mut words = BTreeSet::new();
    for bytes in schedule.memory.values() {
        let bytes: BTreeMap<u64, u8> = bytes.iter().copied().collect();
        for &start in bytes.keys() {
            for width in [2, 4, 8] {
                let first = start / width * width;
                let word = (first..first + width).map(|at| bytes.get(&at).copied().unwrap_or(0));
                words.insert(
                    word.rev()
                        .fold(0, |value, byte| value << 8 | i128::from(byte)),
                );
            }
        }
    }
    words
}
