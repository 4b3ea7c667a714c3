//! Accesses of memory: places are reached, then read and written. Updates do both in one step, at an address that is a
//! multiple of their width (as far as the machine asks for that).

use super::operand::operand;
use super::{Domain, Purpose};
use crate::ir::{Access, Operand, Reg, RmwOp, update_align_bytes};
use crate::term::TermId;

/// `dst = *addr`.
pub(super) fn load<D: Domain>(
    domain: &mut D,
    state: &mut D::State,
    dst: Reg,
    addr: Operand,
    access: &Access,
) -> Option<()> {
    let addr = operand(domain, state, addr);
    let bytes = u32::from(domain.bits(state, dst)) / 8;
    domain.note_order(access.order);
    let value = domain.one_step(|domain| {
        let places = domain.reach(state, addr, bytes, access.align_bytes, Purpose::Load)?;
        if access.needs_value {
            domain.needs_value(state, &places, bytes)?;
        }
        domain.read(state, &places, bytes, Purpose::Load)
    })?;
    domain.set(state, dst, value);
    Some(())
}

/// `*addr = value`.
pub(super) fn store<D: Domain>(
    domain: &mut D,
    state: &mut D::State,
    addr: Operand,
    value: Operand,
    access: &Access,
) -> Option<()> {
    let addr = operand(domain, state, addr);
    let value = domain.value(state, value);
    let bytes = u32::from(domain.terms().bits(D::term(&value))) / 8;
    domain.note_order(access.order);
    domain.one_step(|domain| {
        let places = domain.reach(state, addr, bytes, access.align_bytes, Purpose::Store)?;
        let always = domain.terms().tru();
        domain.write(state, places, &value, always, Purpose::Store)
    })
}

/// A read-modify-write.
pub(super) fn update<D: Domain>(
    domain: &mut D,
    state: &mut D::State,
    dst: Reg,
    addr: Operand,
    (op, argument): (RmwOp, Operand),
) -> Option<()> {
    let addr = operand(domain, state, addr);
    let argument = domain.value(state, argument);
    modify(domain, state, dst, addr, |domain, state, old| {
        let new = domain.updated(state, op, old, &argument)?;
        Some((new, domain.terms().tru()))
    })
}

/// A compare-and-exchange; the value in memory counts, whatever the outcome.
pub(super) fn exchange<D: Domain>(
    domain: &mut D,
    state: &mut D::State,
    dst: Reg,
    addr: Operand,
    [expected, desired]: [Operand; 2],
) -> Option<()> {
    let addr = operand(domain, state, addr);
    let expected = domain.value(state, expected);
    let desired = domain.value(state, desired);
    modify(domain, state, dst, addr, |domain, state, old| {
        let same = domain.is_expected(state, old, &expected)?;
        Some((desired, same))
    })
}

/// Reads, and writes what becomes of the old value, if a condition holds; `dst` receives the old value.
fn modify<D: Domain>(
    domain: &mut D,
    state: &mut D::State,
    dst: Reg,
    addr: TermId,
    new: impl FnOnce(&mut D, &mut D::State, &D::Value) -> Option<(D::Value, TermId)>,
) -> Option<()> {
    let bits = domain.bits(state, dst);
    let align = update_align_bytes(domain.program().model, bits);
    let bytes = u32::from(bits) / 8;
    let old = domain.one_step(|domain| {
        let places = domain.reach(state, addr, bytes, align, Purpose::Update)?;
        let old = domain.read(state, &places, bytes, Purpose::Update)?;
        let (new, when) = new(domain, state, &old)?;
        domain.write(state, places, &new, when, Purpose::Update)?;
        Some(old)
    })?;
    domain.set(state, dst, old);
    Some(())
}
