//! Types as C spells them, for messages. Names that a `typedef` gave are gone, but for records that have no other.

use super::Lowerer;
use super::ctype::{CType, FloatKind, IntKind, Kind, Length, Quals, RecordId, Signature};

impl Lowerer {
    /// A type as a type name of C.
    pub(super) fn spell(&self, ty: &CType) -> String {
        self.spell_around(ty, String::new())
    }

    /// A type around what its declarator has so far.
    fn spell_around(&self, ty: &CType, inner: String) -> String {
        let base = match &ty.kind {
            Kind::Pointer(to) => {
                let inner = format!("*{}{inner}", qualifiers(ty.quals));
                let is_suffixed = matches!(to.kind, Kind::Array(..) | Kind::Function(_));
                let inner = if is_suffixed {
                    format!("({})", inner.trim_end())
                } else {
                    inner
                };
                return self.spell_around(to, inner);
            }
            Kind::Array(element, length) => {
                let length = match length {
                    Length::Known(length) => length.to_string(),
                    Length::Unknown => String::new(),
                    Length::Variable(_) => "*".to_string(),
                };
                return self.spell_around(element, format!("{inner}[{length}]"));
            }
            Kind::Function(signature) => {
                let inner = format!("{inner}({})", self.spell_parameters(signature));
                return self.spell_around(&signature.result, inner);
            }
            Kind::Void => "void",
            Kind::Bool => "_Bool",
            Kind::Int(kind) => integer(*kind),
            Kind::Float(kind) => match kind {
                FloatKind::Float => "float",
                FloatKind::Double => "double",
                FloatKind::LongDouble => "long double",
                FloatKind::Quad => "_Float128",
            },
            Kind::Record(id) => self.record_name(*id),
        };
        let text = format!("{}{base} {inner}", qualifiers(ty.quals));
        text.trim_end().to_string()
    }

    /// Name of a structure or union: with its tag, or that of its type if it has none.
    pub(super) fn record_name(&self, id: RecordId) -> &str {
        let name = &self.records[id].name;
        let other = self.record_names.get(&id);
        other.filter(|_| !name.contains(' ')).unwrap_or(name)
    }

    fn spell_parameters(&self, signature: &Signature) -> String {
        let params = signature.params.iter().map(|ty| self.spell(ty));
        let more = signature.variadic.then(|| "...".to_string());
        let all: Vec<String> = params.chain(more).collect();
        match (all.as_slice(), signature.prototyped) {
            ([], true) => "void".to_string(),
            (all, _) => all.join(", "),
        }
    }
}

/// Qualifiers, each with a space behind it.
fn qualifiers(quals: Quals) -> String {
    let words = [
        (quals.is_const, "const "),
        (quals.volatile, "volatile "),
        (quals.atomic, "_Atomic "),
    ];
    let words = words.into_iter().filter(|(is_there, _)| *is_there);
    words.map(|(_, word)| word).collect()
}

fn integer(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Char | IntKind::UnsignedChar => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::ULongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "unsigned __int128",
        IntKind::Field { .. } => "a bit-field",
    }
}
