//! The attributes that change what a declaration means.

use super::ctype::{CType, IntKind, Kind};
use super::{Lowerer, Res};
use crate::base::WarningKind;
use lang_c::ast::{Attribute, Expression, Extension, Identifier};
use lang_c::span::Node;

/// Attributes of one declaration, collected.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes {
    pub packed: bool,
    /// From `aligned`, in bytes; 0 if there is none.
    pub align: u32,
    /// From `_Alignas`, in bytes: of the object that is declared, and not of a type that is defined with it.
    pub object_align: u32,
    /// From `mode`, without underscores.
    pub mode: Option<String>,
    /// The function that `cleanup` names.
    pub cleanup: Option<Node<Identifier>>,
    /// Priorities of `constructor` and `destructor`; the largest if there is none.
    pub constructor: Option<u32>,
    pub destructor: Option<u32>,
    /// The alignment that `#pragma pack` allows at most, in bytes; 0 if there is no limit.
    pub pack: u32,
    /// The definition that an `alias` stands for.
    pub alias: Option<String>,
    /// A definition that gives way to another one.
    pub weak: bool,
    /// `_Noreturn`, or the attribute: true if the function does not return.
    pub never_returns: bool,
    /// `__auto_type`: true if the type is that of the initialiser.
    pub from_value: bool,
    /// `typeof_unqual`: true if the type has no qualifiers but those beside it.
    pub unqualified: bool,
    /// `constexpr`: true if the object is a constant.
    pub constexpr: bool,
    /// `transparent_union`: true if an argument may have the type of any member.
    pub transparent: bool,
    /// Within `__alignof__`, which asks for the alignment that objects have where nothing keeps them from it.
    pub preferred: bool,
    /// Within `_Alignof` or `__alignof__`, of what may be an expression.
    pub operand: bool,
}

impl Attributes {
    /// The type with these attributes applied. The alignment of an object can only be raised, that of a type name
    /// (`in_typedef`) is what is asked for.
    pub fn apply(&self, mut ty: CType, lowerer: &Lowerer) -> CType {
        if let (Some(mode), Kind::Int(kind)) = (&self.mode, &ty.kind) {
            let word = lowerer.pointer_bits();
            let bits = match mode.as_str() {
                "QI" | "byte" => 8,
                "HI" => 16,
                "SI" => 32,
                "DI" => 64,
                "TI" => 128,
                _ => word,
            };
            let unsigned = match bits {
                8 => IntKind::UChar,
                16 => IntKind::UShort,
                32 => IntKind::UInt,
                64 if word == 64 => IntKind::ULong,
                64 => IntKind::ULongLong,
                _ => IntKind::UInt128,
            };
            ty.kind = Kind::Int(if kind.signed() {
                unsigned.signed_kind()
            } else {
                unsigned
            });
        }
        let align = self.align.max(self.object_align);
        if align != 0 {
            ty.align = if lowerer.in_typedef {
                align
            } else {
                align.max(lowerer.align(&ty) as u32)
            };
        }
        ty
    }
}

impl Attributes {
    /// The type of an object that is declared with these.
    pub fn of_object(&self, ty: CType) -> CType {
        if self.constexpr { ty.constant() } else { ty }
    }
}

/// The name without the underscores around it.
fn bare(name: &str) -> &str {
    name.strip_prefix("__")
        .and_then(|n| n.strip_suffix("__"))
        .unwrap_or(name)
}

impl Lowerer {
    /// Adds what the extensions say.
    pub(super) fn attributes(
        &mut self,
        extensions: &[Node<Extension>],
        out: &mut Attributes,
    ) -> Res<()> {
        for extension in extensions {
            let Extension::Attribute(attribute) = &extension.node else {
                continue;
            };
            match bare(&attribute.name.node) {
                "weak" => out.weak = true,
                "packed" => out.packed = true,
                "noreturn" | "_Noreturn" => out.never_returns = true,
                "aligned" => out.align = out.align.max(self.alignment(attribute)?),
                "mode" => {
                    if let Some(Expression::Identifier(name)) =
                        attribute.arguments.first().map(|a| &a.node)
                    {
                        out.mode = Some(bare(&name.node.name).to_string());
                    }
                }
                "cleanup" => match attribute.arguments.first().map(|a| &a.node) {
                    Some(Expression::Identifier(name)) => out.cleanup = Some((**name).clone()),
                    _ => {
                        return self
                            .error(extension.span, "`cleanup` needs the name of a function");
                    }
                },
                "constructor" => out.constructor = Some(self.priority(attribute)?),
                "destructor" => out.destructor = Some(self.priority(attribute)?),
                "alias" => match attribute.arguments.first().map(|a| &a.node) {
                    Some(Expression::StringLiteral(text)) => {
                        let (units, _) = self.string_units(&text.node)?;
                        out.alias = Some(String::from_utf8_lossy(&units).into_owned());
                    }
                    _ => return self.error(extension.span, "`alias` needs a name in quotes"),
                },
                "selvedge_pack" => {
                    if let Some(argument) = attribute.arguments.first() {
                        out.pack = u32::try_from(self.constant_int(argument)?).unwrap_or(0);
                    }
                }
                "selvedge_alignas" => {
                    out.object_align = out.object_align.max(self.alignment(attribute)?);
                }
                "selvedge_preferred" => out.preferred = true,
                "selvedge_operand" => out.operand = true,
                "selvedge_unqualified" => out.unqualified = true,
                "selvedge_constexpr" => out.constexpr = true,
                "transparent_union" => out.transparent = true,
                "selvedge_auto" => out.from_value = true,
                "selvedge_implicit_int" => {
                    let text = "this declaration names no type; `int` is taken";
                    self.warn_at(self.loc(extension.span), WarningKind::ImplicitInt, text);
                }
                name @ ("vector_size" | "ifunc" | "scalar_storage_order" | "assume") => {
                    return self.error(
                        extension.span,
                        format!("attribute `{name}` is not modelled; remove it"),
                    );
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The priority of a constructor or destructor.
    fn priority(&mut self, attribute: &Attribute) -> Res<u32> {
        match attribute.arguments.first() {
            None => Ok(u32::MAX),
            Some(argument) => Ok(u32::try_from(self.constant_int(argument)?).unwrap_or(0)),
        }
    }

    fn alignment(&mut self, attribute: &Attribute) -> Res<u32> {
        // Without an argument: the largest useful alignment of the target.
        let Some(argument) = attribute.arguments.first() else {
            return Ok(16);
        };
        let value = self.constant_int(argument)?;
        match u32::try_from(value) {
            // `_Alignas(0)` says nothing.
            Ok(0) => Ok(0),
            Ok(align) if align.is_power_of_two() && align <= 1 << 20 => Ok(align),
            _ => self.error(argument.span, "an alignment must be a power of two"),
        }
    }
}
