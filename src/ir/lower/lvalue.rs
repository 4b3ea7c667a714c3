//! Lvalues: places with the types of what is there.

use super::ctype::CType;
use crate::ir::layout::BitUnit;
use crate::ir::{Operand, Reg};

/// Place of an lvalue.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Place {
    Reg(Reg),
    Memory(Operand),
    /// A bit-field: the address of its access unit.
    Bits(Operand, BitUnit),
}

/// An lvalue: a place and the type of what is there.
#[derive(Clone, Debug)]
pub(super) struct LValue {
    pub ty: CType,
    pub place: Place,
}
