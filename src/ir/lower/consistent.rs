//! Consistency of declarations, in one unit and in several: compatible types (C17 6.2.7).

use super::ctype::{CType, Kind, Length, Record, RecordId, Records, Signature};

/// Consistency of two types: true if they are compatible, structures by their tags and members (C17 6.2.7).
pub(super) fn consistent(records: &Records, a: &CType, b: &CType) -> bool {
    Comparison {
        records,
        assumed: Vec::new(),
    }
    .types(a, b)
}

struct Comparison<'r> {
    records: &'r Records,
    /// Pairs of structures that are being compared, and so agree unless something else differs.
    assumed: Vec<(RecordId, RecordId)>,
}

impl Comparison<'_> {
    fn types(&mut self, a: &CType, b: &CType) -> bool {
        match (&a.kind, &b.kind) {
            (Kind::Pointer(a), Kind::Pointer(b)) => a.quals == b.quals && self.types(a, b),
            (Kind::Array(a, m), Kind::Array(b, n)) => {
                let lengths = match (m, n) {
                    (Length::Known(m), Length::Known(n)) => m == n,
                    _ => true,
                };
                lengths && self.types(a, b)
            }
            (Kind::Function(a), Kind::Function(b)) => self.signatures(a, b),
            (Kind::Int(a), Kind::Int(b)) if a.is_plain_char() && b.is_plain_char() => true,
            (Kind::Record(a), Kind::Record(b)) => self.structures(*a, *b),
            (a, b) => a == b,
        }
    }

    fn signatures(&mut self, a: &Signature, b: &Signature) -> bool {
        let params = !a.prototyped
            || !b.prototyped
            || a.variadic == b.variadic && a.params.len() == b.params.len() && {
                let mut pairs = a.params.iter().zip(&b.params);
                pairs.all(|(a, b)| self.types(a, b))
            };
        params && self.types(&a.result, &b.result)
    }

    fn structures(&mut self, a: RecordId, b: RecordId) -> bool {
        if a == b || self.assumed.contains(&(a, b)) {
            return true;
        }
        let (one, other): (&Record, &Record) = (&self.records[a], &self.records[b]);
        if one.name != other.name || one.is_union != other.is_union {
            return false;
        }
        let (Some(mine), Some(theirs)) = (&one.fields, &other.fields) else {
            return true;
        };
        self.assumed.push((a, b));
        let mut pairs = mine.iter().zip(theirs);
        one.size == other.size
            && mine.len() == theirs.len()
            && pairs.all(|(a, b)| {
                a.name == b.name
                    && a.offset == b.offset
                    && a.bits == b.bits
                    && self.types(&a.ty, &b.ty)
            })
    }
}
