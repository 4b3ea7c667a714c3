//! Instructions: each as operations of the domain.

use super::call::call;
use super::operand::{operand, put};
use super::{Domain, MutexUse, memory, sync};
use crate::exec::faults::{self, Fault};
use crate::ir::{Instr, InstrKind, MemOrder, Operand, Reg, Rvalue, Undefined};
use crate::term::TermId;
use smallvec::SmallVec;

/// Executes an instruction; `None` if no path goes on here. Paths that must not become one with the result, behind a call,
/// are added to `apart`.
///
/// # Errors
/// The domain's reason to end execution.
pub fn step<D: Domain>(
    domain: &mut D,
    mut state: D::State,
    instr: &Instr,
    apart: &mut Vec<D::State>,
) -> Result<Option<D::State>, D::Stop> {
    let here = &mut state;
    let done = match &instr.kind {
        InstrKind::Assign { dst, value } => assign(domain, here, *dst, value),
        InstrKind::Load { dst, addr, access } => memory::load(domain, here, *dst, *addr, access),
        InstrKind::Store {
            addr,
            value,
            access,
        } => memory::store(domain, here, *addr, *value, access),
        InstrKind::Rmw {
            dst,
            addr,
            op,
            operand,
            order,
        } => {
            domain.note_order(Some(*order));
            memory::update(domain, here, *dst, *addr, (*op, *operand))
        }
        InstrKind::CmpXchg {
            dst,
            addr,
            expected,
            desired,
            success,
            ..
        } => {
            domain.note_order(Some(*success));
            memory::exchange(domain, here, *dst, *addr, [*expected, *desired])
        }
        InstrKind::Fence { order } => {
            domain.note_order(Some(*order));
            domain.fence(here);
            Some(())
        }
        InstrKind::Call { dst, callee, args } => {
            return call(domain, state, *dst, (callee, args), instr.loc, apart);
        }
        InstrKind::Nondet { dst, source } => {
            let bits = domain.bits(here, *dst);
            let value = domain.input(here, *source, bits);
            put(domain, here, *dst, value)
        }
        InstrKind::Alloc {
            dst,
            size_bytes,
            align_bytes,
            kind,
        } => {
            let size = operand(domain, here, *size_bytes);
            let align = operand(domain, here, *align_bytes);
            let address = domain.alloc(here, size, align, kind);
            address.map(|address| domain.set(here, *dst, address))
        }
        InstrKind::EndLife { addr } => {
            let addr = operand(domain, here, *addr);
            domain.end_life(here, addr)
        }
        InstrKind::Free { addr } => {
            let addr = operand(domain, here, *addr);
            domain.one_step(|domain| domain.free(here, addr))
        }
        InstrKind::Expose { addr } => {
            let addr = operand(domain, here, *addr);
            domain.expose(here, addr)
        }
        InstrKind::ObjectSize { dst, addr } => object_size(domain, here, *dst, *addr),
        InstrKind::Block {
            to,
            source,
            size_bytes,
            unit_bytes,
        } => {
            let to = operand(domain, here, *to);
            let size = operand(domain, here, *size_bytes);
            let value = operand(domain, here, source.operand());
            domain.block(here, to, (*source, value), size, *unit_bytes)
        }
        InstrKind::Spawn {
            dst,
            start,
            arg,
            id_at,
        } => {
            let bits = domain.bits(here, *dst);
            if let Some(id_at) = *id_at
                && domain.attempt(here, id_at, u32::from(bits / 8)).is_none()
            {
                return Ok(None);
            }
            let arg = domain.value(here, *arg);
            let start = operand(domain, here, *start);
            let number = domain.spawn(here, start, &arg, bits, instr.loc);
            number.and_then(|number| put(domain, here, *dst, number))
        }
        InstrKind::Join { dst, thread } => join(domain, here, *dst, *thread),
        InstrKind::ThreadSelf { dst } => {
            let bits = domain.bits(here, *dst);
            domain.thread(here).and_then(|number| {
                let number = domain.terms().constant(u128::from(number), bits);
                put(domain, here, *dst, number)
            })
        }
        InstrKind::Lock { addr } => sync::lock(domain, here, *addr),
        InstrKind::TryLock { dst, addr } => sync::try_lock(domain, here, *dst, *addr),
        InstrKind::Unlock { addr } => {
            domain.note_order(Some(MemOrder::SeqCst));
            sync::release(domain, here, *addr, MutexUse::Unlock)
        }
        InstrKind::MutexInit { addr } => sync::release(domain, here, *addr, MutexUse::Init),
        InstrKind::SyncUse { addr } => {
            let addr = operand(domain, here, *addr);
            domain.one_step(|domain| domain.sync_use(here, addr))
        }
        InstrKind::Note { dst, addr, what } => {
            let addr = operand(domain, here, *addr);
            let note = domain.one_step(|domain| domain.note(here, addr, *what));
            note.and_then(|note| put(domain, here, *dst, note))
        }
        InstrKind::SetNote { addr, what, value } => {
            let value = operand(domain, here, *value);
            let addr = operand(domain, here, *addr);
            domain.one_step(|domain| domain.set_note(here, addr, *what, value))
        }
        InstrKind::Copied {
            addr,
            size_bytes,
            fresh,
            ..
        } => {
            let addr = operand(domain, here, *addr);
            let size = operand(domain, here, *size_bytes);
            domain.one_step(|domain| domain.copied(here, addr, size, *fresh))
        }
        InstrKind::AtomicBegin { drains } => domain.begin_section(here, *drains),
        InstrKind::AtomicEnd => {
            domain.end_section(here);
            Some(())
        }
        InstrKind::Assume { cond } => {
            let cond = operand(domain, here, *cond);
            domain.block_unless(here, cond);
            Some(())
        }
        InstrKind::Wait { cond, lock } => {
            let cond = operand(domain, here, *cond);
            let lock = lock.map(|lock| (operand(domain, here, lock.addr), lock.of));
            domain.wait(here, cond, lock);
            Some(())
        }
        InstrKind::Assert { cond, property } => {
            let cond = operand(domain, here, *cond);
            domain.assert(here, cond, *property, instr.loc)
        }
        InstrKind::Leak { property, returns } => {
            domain.one_step(|domain| domain.leak(here, *property, *returns))
        }
        InstrKind::Defined {
            why: Undefined::FloatRange,
            ..
        } if faults::on(Fault::RangeUnchecked) => Some(()),
        InstrKind::Defined { cond, why } => {
            let cond = operand(domain, here, *cond);
            domain.undefined_unless(here, cond, *why);
            Some(())
        }
        InstrKind::Pointers(check) => {
            let operands = check.operands();
            let terms: SmallVec<[TermId; 3]> = operands
                .iter()
                .map(|one| operand(domain, here, *one))
                .collect();
            domain.pointers(here, *check, &terms)
        }
        InstrKind::Unsupported { reason } => {
            domain.unsupported(here, reason);
            None
        }
    };
    Ok(done.map(|()| {
        domain.advance(&mut state);
        state
    }))
}

/// `dst = value`.
fn assign<D: Domain>(domain: &mut D, state: &mut D::State, dst: Reg, value: &Rvalue) -> Option<()> {
    let bits = domain.bits(state, dst);
    let result = match value {
        Rvalue::Offset { base, offset_bytes } => {
            let operands = [*base, *offset_bytes];
            let terms = operands.map(|one| operand(domain, state, one));
            domain.offset(state, operands, terms)?
        }
        _ => {
            let operands = value.operands();
            let terms: SmallVec<[TermId; 3]> = operands
                .iter()
                .map(|one| operand(domain, state, *one))
                .collect();
            domain.compute(state, value, (&operands, &terms), bits)?
        }
    };
    domain.set(state, dst, result);
    Some(())
}

/// The size of an object of the heap, as wide as its register.
fn object_size<D: Domain>(
    domain: &mut D,
    state: &mut D::State,
    dst: Reg,
    addr: Operand,
) -> Option<()> {
    let addr = operand(domain, state, addr);
    let size = domain.one_step(|domain| domain.object_size(state, addr))?;
    let bits = domain.bits(state, dst);
    let size = domain.terms().fit(size, bits);
    put(domain, state, dst, size)
}

/// Waits for a thread; the result matters where some instruction of the function reads it.
fn join<D: Domain>(domain: &mut D, state: &mut D::State, dst: Reg, thread: Operand) -> Option<()> {
    let thread = operand(domain, state, thread);
    let function = domain.function(state);
    let wanted = domain.facts().functions[function].used.contains(dst);
    let value = domain.join(state, thread, wanted)?;
    let bits = domain.bits(state, dst);
    let value = domain.fit(state, value, bits)?;
    domain.set(state, dst, value);
    Some(())
}
