//! Hash-consed words: the language of guards, values and addresses.
//!
//! A term is a bit-vector of 1 to 128 bits; a condition has width 1. Building a term folds constants,
//! applies rewrites and tracks known bits and ranges; equal terms are one id.

use crate::ids;

ids! {
    /// A term of a [`Terms`] pool.
    TermId;
    /// A free variable of a [`Terms`] pool.
    VarId;
}

/// Placeholder for the pool.
pub struct Terms {}

#[allow(missing_docs, unused_variables)]
impl Terms {
    pub fn new() -> Terms {
        todo!()
    }
    /// The constant `value` mod 2^`bits`.
    pub fn constant(&mut self, value: u128, bits: u16) -> TermId {
        todo!()
    }
    pub fn tru(&self) -> TermId {
        todo!()
    }
    pub fn fals(&self) -> TermId {
        todo!()
    }
    /// A new free variable.
    pub fn fresh(&mut self, name: &str, bits: u16) -> TermId {
        todo!()
    }
    pub fn bits(&self, t: TermId) -> u16 {
        todo!()
    }
    /// The value, if the term is a constant.
    pub fn as_constant(&self, t: TermId) -> Option<u128> {
        todo!()
    }
    pub fn not(&mut self, a: TermId) -> TermId {
        todo!()
    }
    pub fn neg(&mut self, a: TermId) -> TermId {
        todo!()
    }
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    /// x / 0 = all ones (SMT-LIB); callers exclude it.
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn shl(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn lshr(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn ashr(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        todo!()
    }
    /// `high` above `low`.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        todo!()
    }
    /// Bits `lo .. lo + bits`.
    pub fn extract(&mut self, a: TermId, lo: u16, bits: u16) -> TermId {
        todo!()
    }
    pub fn zero_extend(&mut self, a: TermId, bits: u16) -> TermId {
        todo!()
    }
    pub fn sign_extend(&mut self, a: TermId, bits: u16) -> TermId {
        todo!()
    }
}
