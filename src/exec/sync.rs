//! Mutexes: a thread waits until nobody holds one, takes it, and gives it back.

use super::operand::{operand, put};
use super::{Domain, MutexUse};
use crate::ir::{EBUSY, MemOrder, Operand, Reg};

/// Takes a mutex once it is free.
pub(super) fn lock<D: Domain>(domain: &mut D, state: &mut D::State, addr: Operand) -> Option<()> {
    let addr = operand(domain, state, addr);
    domain.note_order(Some(MemOrder::SeqCst));
    domain.one_step(|domain| {
        let mutex = domain.mutex(state, addr, MutexUse::Lock)?;
        let free = domain.is_free(state, &mutex, MutexUse::Lock);
        domain.wait_for_mutex(state, &mutex, free);
        let always = domain.terms().tru();
        domain.set_mutex(state, mutex, MutexUse::Lock, always);
        Some(())
    })
}

/// Takes a mutex if it is free: 0, otherwise [`EBUSY`].
pub(super) fn try_lock<D: Domain>(
    domain: &mut D,
    state: &mut D::State,
    dst: Reg,
    addr: Operand,
) -> Option<()> {
    let addr = operand(domain, state, addr);
    domain.note_order(Some(MemOrder::SeqCst));
    let free = domain.one_step(|domain| {
        let mutex = domain.mutex(state, addr, MutexUse::TryLock)?;
        let free = domain.is_free(state, &mutex, MutexUse::TryLock);
        domain.set_mutex(state, mutex, MutexUse::TryLock, free);
        Some(free)
    })?;
    let bits = domain.bits(state, dst);
    let terms = domain.terms();
    let (taken, busy) = (terms.constant(0, bits), terms.constant(EBUSY, bits));
    let value = terms.ite(free, taken, busy);
    put(domain, state, dst, value)
}

/// Gives a mutex back, or makes it a fresh one.
pub(super) fn release<D: Domain>(
    domain: &mut D,
    state: &mut D::State,
    addr: Operand,
    operation: MutexUse,
) -> Option<()> {
    let addr = operand(domain, state, addr);
    domain.one_step(|domain| {
        let mutex = domain.mutex(state, addr, operation)?;
        let always = domain.terms().tru();
        domain.set_mutex(state, mutex, operation, always);
        Some(())
    })
}
