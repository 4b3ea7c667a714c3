//! Deliberate errors of the models, as edits of their text, which the tests must catch (`base/faults.rs`).

use crate::base::faults::{self, Fault};

/// Edits: the fault, a text that the models have once, and its replacement.
const EDITS: [(Fault, &str, &str); 35] = [
    (
        Fault::RecursiveBlocks,
        "    ++*depth;\n    return 0;\n  }\n  __selvedge_lock(",
        "    __VERIFIER_assume(0);\n  }\n  __selvedge_lock(",
    ),
    (Fault::DepthLost, "    if (*depth) {\n", "    if (0) {\n"),
    (
        Fault::OwnerLost,
        "__atomic_store_n(owner, __selvedge_me(), 0);",
        ";",
    ),
    (
        Fault::DeadlockUnnoticed,
        "    if ((k & TYPE) == ERRORCHECK)\n      return EDEADLK;",
        "",
    ),
    (
        Fault::ForeignUnlock,
        "    if (!__selvedge_is_owned(k, owner))\n      return EPERM;",
        "",
    ),
    (
        Fault::OwnTryLockFails,
        "return busy == EBUSY ? busy : EDEADLK;\n    ++*depth;",
        "return busy == EBUSY ? busy : EDEADLK;\n    return busy;",
    ),
    (
        Fault::RobustBlocks,
        "o == 0 || __selvedge_has_ended(o)",
        "o == 0",
    ),
    (Fault::OwnerDeadUntold, "result = EOWNERDEAD;", ";"),
    (
        Fault::InconsistentUsed,
        "(k & ~INCONSISTENT) | NOT_RECOVERABLE",
        "k & ~INCONSISTENT",
    ),
    (
        Fault::WriterBesideReaders,
        "writes && state == 0",
        "writes && state < WRITER",
    ),
    (
        Fault::ReaderBesideWriter,
        "    *lock = state + 1;",
        "    *lock = state + 1;\n  else if (!writes)\n    ;",
    ),
    (
        Fault::OneReader,
        "!writes && state < WRITER",
        "!writes && state == 0",
    ),
    (
        Fault::ReadersForgotten,
        "*lock = state < WRITER ? state - 1 : 0;",
        "*lock = 0;",
    ),
    (
        Fault::TryWriteSucceeds,
        "__selvedge_rwlock_take(lock, 1, EBUSY)",
        "0",
    ),
    (
        Fault::BarrierOpen,
        "__VERIFIER_assume(__atomic_load_n(&barrier[PHASE], 0) != phase);",
        "",
    ),
    (
        Fault::BarrierAllSerial,
        "  if (last)\n    return -1;",
        "  if (!last)\n    __VERIFIER_assume(__atomic_load_n(&barrier[PHASE], 0) != phase);\n  return -1;\n  if (last)\n    return -1;",
    ),
    (Fault::BarrierOnce, "!= phase", "!= 0"),
    (Fault::SemaphoreNotTaken, "*semaphore = value - 1;", ";"),
    (Fault::SemaphoreOpen, "  if (value > 0)", "  if (1)"),
    (
        Fault::SemaphoreBinary,
        "*semaphore = value + 1;",
        "*semaphore = 1;",
    ),
    (
        Fault::SemaphoreTryUntold,
        "__selvedge_take(semaphore, EAGAIN)",
        "__selvedge_take(semaphore, EAGAIN), 0",
    ),
    (Fault::NameForgotten, "*name = found;", ";"),
    (
        Fault::OnceTwice,
        "__atomic_store_n(control, 2, 5);",
        "__atomic_store_n(control, 0, 5);",
    ),
    (Fault::OnceUnfinished, "__VERIFIER_assume(state != 1);", ""),
    (Fault::KeysSame, "*key = fresh;", "*key = 0;"),
    (
        Fault::DestructorsLost,
        "        destructor(value);",
        "        ;",
    ),
    (
        Fault::OneRound,
        "if (__selvedge_destroy(count) && ",
        "__selvedge_destroy(count);\n  if (0 && ",
    ),
    (
        Fault::ValueKept,
        "        __selvedge_values()[key] = 0;\n        any = 1;",
        "        any = 0;",
    ),
    (
        Fault::HandlersLost,
        "  while (*__selvedge_handlers()) {",
        "  while (0) {",
    ),
    (
        Fault::OneHandler,
        "  while (*__selvedge_handlers()) {",
        "  if (*__selvedge_handlers()) {",
    ),
    (Fault::PopAlways, "  if (execute)\n", ""),
    (
        Fault::CancelLost,
        "return !*__selvedge_disabled() && __selvedge_is_pending();",
        "return 0;",
    ),
    (Fault::CancelAlways, "*__selvedge_disabled() = state;", ";"),
    (
        Fault::ZerosLost,
        "if (precision < 0 && zero && !minus && room > 0)",
        "if (0)",
    ),
    (
        Fault::DelimiterKept,
        "    text = *rest;\n  text += strspn(text, set);",
        "    text = *rest;",
    ),
];

/// The text, changed if a fault is switched on.
pub(super) fn seeded(text: &str) -> String {
    let mut text = text.to_string();
    for (fault, from, to) in EDITS {
        if faults::on(fault) {
            text = text.replacen(from, to, 1);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::DataModel;
    use crate::library::text::{all, text};

    #[test]
    fn every_edit_has_one_place() {
        let text = text(&all(), DataModel::Lp64);
        for (fault, from, _) in EDITS {
            assert_eq!(text.matches(from).count(), 1, "{}", fault.name());
        }
        for fault in Fault::LIBRARY {
            assert!(
                EDITS.iter().any(|(edited, _, _)| edited == fault),
                "{}",
                fault.name()
            );
        }
    }
}
