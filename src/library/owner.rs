//! Owners of locks: for every thread whether it holds a lock, and how often, in the lock's note `own` ([`Note::Own`]).
//!
//! Nobody else looks at that word, so that it costs no step, and where a thread has just taken the lock, releasing it is known to be
//! right without a question. It is kept for two checks. The check of misuse asks whether a thread releases what it holds. That of
//! deadlocks asks who keeps a thread waiting: there every lock with an owner has the note, also those that are models in C, and a
//! release of what the thread does not hold ends the execution, so that nobody but its owner ever frees a lock.

use super::site::{Site, constant};
use crate::ir::{BinOp, Check, InstrKind, Note, Operand, Undefined};
use crate::library::faults::{self, Fault};

/// Owners of mutexes and spin locks: true if they are kept.
fn are_kept(site: &Site) -> bool {
    site.uses().misuse.asked || site.checks.contains(Check::Deadlock)
}

/// The thread has taken a lock, unless `failed`.
pub(super) fn taken(site: &mut Site, addr: Operand, failed: Option<Operand>) {
    if !are_kept(site) {
        return;
    }
    let one = constant(1, 32);
    let own = match failed {
        None => one,
        Some(_) if faults::on(Fault::TryHolds) => one,
        Some(failed) => {
            let own = note(site, addr, Note::Own);
            site.select(failed, own, one)
        }
    };
    set(site, addr, Note::Own, own);
}

/// The thread has tried to take a lock: `status` is 0 if it has it.
pub(super) fn tried(site: &mut Site, addr: Operand, status: Operand) {
    if are_kept(site) {
        let failed = site.non_zero(status);
        taken(site, addr, Some(failed));
    }
}

/// The thread gives a lock back.
pub(super) fn released(site: &mut Site, addr: Operand) {
    if !are_kept(site) {
        return;
    }
    let own = note(site, addr, Note::Own);
    if !faults::on(Fault::ReleaseUnchecked) {
        defined(site, own, Undefined::LockNotHeld);
    }
    let less = site.binary(BinOp::Sub, own, constant(1, 32));
    set(site, addr, Note::Own, less);
}

/// The lock is free again, whoever had it.
pub(super) fn reset(site: &mut Site, addr: Operand) {
    if site.checks.contains(Check::Deadlock) {
        set(site, addr, Note::Own, constant(0, 32));
    }
}

/// A note on the object at an address.
pub(super) fn note(site: &mut Site, addr: Operand, what: Note) -> Operand {
    let dst = site.reg(32);
    site.emit(InstrKind::Note { dst, addr, what });
    Operand::Reg(dst)
}

/// Changes it.
pub(super) fn set(site: &mut Site, addr: Operand, what: Note, value: Operand) {
    site.emit(InstrKind::SetNote { addr, what, value });
}

/// Undefined unless the operand is not zero.
pub(super) fn defined(site: &mut Site, operand: Operand, why: Undefined) {
    let cond = site.non_zero(operand);
    site.emit(InstrKind::Defined { cond, why });
}
