//! Values as traces show them.

use crate::ir::ty::Reading;

/// A value with what is needed to print it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// Width.
    pub bits: u16,
    /// The bit pattern.
    pub value: u128,
    pub(crate) reading: Reading,
    /// Name of what it points to, of a pointer; of the constant, of an enumeration.
    pub name: Option<String>,
}
