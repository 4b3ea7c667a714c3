//! Operands: registers, constants and addresses as terms.

use super::Domain;
use crate::ir::{Operand, Reg};
use crate::term::TermId;

/// The term of an operand.
pub fn operand<D: Domain>(domain: &mut D, state: &D::State, operand: Operand) -> TermId {
    let Operand::Reg(reg) = operand else {
        return constant(domain, operand);
    };
    match domain.register(state, reg) {
        Some(value) => value,
        None => {
            let bits = domain.bits(state, reg);
            domain.unset(bits)
        }
    }
}

/// The term of an operand that is no register (which would be zero).
pub fn constant<D: Domain>(domain: &mut D, operand: Operand) -> TermId {
    let (value, bits) = match operand {
        Operand::Const { value, bits } => (value, bits),
        Operand::GlobalAddr(id, offset) => {
            let address = domain.global(id).wrapping_add_signed(offset);
            (u128::from(address), domain.program().model.pointer_bits())
        }
        Operand::FuncAddr(id) => {
            let address = domain.code(id);
            (u128::from(address), domain.program().model.pointer_bits())
        }
        Operand::Reg(_) => (0, domain.program().model.pointer_bits()),
    };
    domain.terms().constant(value, bits)
}

/// A register gets a number that is no address.
pub(super) fn put<D: Domain>(
    domain: &mut D,
    state: &mut D::State,
    dst: Reg,
    number: TermId,
) -> Option<()> {
    domain.set(state, dst, number.into());
    Some(())
}
