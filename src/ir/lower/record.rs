//! Structures, unions and enumerations as the source defines them.

use super::attribute::Attributes;
use super::ctype::{CType, Constants, Field, IntKind, Kind, Length, Record, RecordId};
use super::redeclare::Declared;
use super::specifier::declared_name;
use super::{Lowerer, Res, Symbol, Tag};
use crate::ir::layout::{FieldShape, lay_out};
use crate::ir::ty::{Type, Written};
use lang_c::ast::{
    EnumType, SpecifierQualifier, StructDeclaration, StructDeclarator, StructField, StructKind,
    StructType,
};
use lang_c::span::Node;

impl Lowerer {
    /// The type of a `struct` or `union` specifier, defined if it has members; `alone` if it stands for
    /// itself (`struct s;` declares a new type in an inner scope).
    pub(super) fn record_type(
        &mut self,
        record: &Node<StructType>,
        attributes: &Attributes,
        alone: bool,
    ) -> Res<CType> {
        let is_union = record.node.kind.node == StructKind::Union;
        let tag = record
            .node
            .identifier
            .as_ref()
            .map(|i| i.node.name.as_str());
        let local = record.node.declarations.is_some() || alone;
        let known = match (tag, local) {
            (Some(tag), true) => self.scopes.last().and_then(|s| s.tags.get(tag)),
            (Some(tag), false) => self.lookup_tag(tag),
            (None, _) => None,
        };
        let id = match known {
            Some(Tag::Record(id)) if self.records[*id].is_union == is_union => *id,
            Some(_) => {
                return self.error(record.span, "this tag names another kind of type");
            }
            None => {
                let word = if is_union { "union" } else { "struct" };
                let name = tag.map_or_else(|| word.to_string(), |tag| format!("{word} {tag}"));
                let id = self.records.push(Record {
                    name,
                    is_union,
                    fields: None,
                    size: 0,
                    align: 1,
                    transparent: false,
                    broken: false,
                });
                if let Some(tag) = tag {
                    self.declare_tag(tag, Tag::Record(id));
                }
                id
            }
        };
        self.records[id].transparent |= attributes.transparent && is_union;
        if let Some(declarations) = &record.node.declarations {
            if self.records[id].fields.is_some() {
                let text = format!("`{}` is defined twice", self.records[id].name);
                return self.error(record.span, text);
            }
            if let Err(error) = self.define_record(id, declarations, attributes, record) {
                let record = &mut self.records[id];
                record.broken = true;
                record.fields.get_or_insert_default();
                record.size = record.size.max(1);
                return Err(error);
            }
        }
        Ok(CType::new(Kind::Record(id)))
    }

    fn define_record(
        &mut self,
        id: RecordId,
        declarations: &[Node<StructDeclaration>],
        attributes: &Attributes,
        record: &Node<StructType>,
    ) -> Res<()> {
        let mut members: Vec<(String, CType, FieldShape)> = Vec::new();
        for declaration in declarations {
            match &declaration.node {
                StructDeclaration::StaticAssert(assertion) => self.static_assert(assertion)?,
                StructDeclaration::Field(field) => self.members(field, attributes, &mut members)?,
            }
        }
        let is_union = self.records[id].is_union;
        if let Some((_, ty, _)) = members
            .iter()
            .rev()
            .skip(1)
            .find(|(_, ty, _)| matches!(ty.kind, Kind::Array(_, Length::Unknown)) && !is_union)
        {
            let _ = ty;
            return self.error(
                record.span,
                "a flexible array member must be the last member",
            );
        }
        let shapes: Vec<FieldShape> = members.iter().map(|(_, _, shape)| *shape).collect();
        let Some(layout) = lay_out(is_union, &shapes, u64::from(attributes.align.max(1))) else {
            return self.error(record.span, "this type is too large");
        };
        let fields = members
            .into_iter()
            .zip(&layout.places)
            // Unnamed bit-fields only pad.
            .filter(|((name, _, shape), _)| !(name.is_empty() && shape.bit_width.is_some()))
            .map(|((name, ty, _), place)| Field {
                name,
                ty,
                offset: place.offset_bytes,
                bits: place.bit_field,
            })
            .collect();
        let record = &mut self.records[id];
        record.fields = Some(fields);
        record.size = layout.size_bytes;
        record.align = layout.align_bytes;
        Ok(())
    }

    fn members(
        &mut self,
        field: &Node<StructField>,
        record: &Attributes,
        out: &mut Vec<(String, CType, FieldShape)>,
    ) -> Res<()> {
        let base = self.qualified_type(&field.node.specifiers, field.span)?;
        if field.node.declarators.is_empty() {
            // An anonymous structure or union; a lone tag declares nothing.
            if let Kind::Record(id) = base.kind
                && self.records[id].fields.is_some()
            {
                let own = Attributes {
                    packed: record.packed,
                    pack: record.pack,
                    ..Attributes::default()
                };
                let shape = self.shape(&base, &own, None, true);
                out.push((String::new(), base, shape));
            }
            return Ok(());
        }
        // `aligned` among the specifiers belongs to each member.
        let mut own = Attributes::default();
        for specifier in &field.node.specifiers {
            if let SpecifierQualifier::Extension(e) = &specifier.node {
                self.attributes(e, &mut own)?;
            }
        }
        for declarator in &field.node.declarators {
            let mut own = own.clone();
            own.packed |= record.packed;
            own.pack = record.pack;
            let member = self.member(base.clone(), declarator, own)?;
            let name = &member.0;
            if !name.is_empty() && out.iter().any(|before| before.0 == *name) {
                let text = format!("there is a member `{name}` in this type already");
                return self.error(declarator.span, text);
            }
            out.push(member);
        }
        Ok(())
    }

    fn member(
        &mut self,
        base: CType,
        declarator: &Node<StructDeclarator>,
        mut attributes: Attributes,
    ) -> Res<(String, CType, FieldShape)> {
        let mut name = String::new();
        let mut ty = base;
        if let Some(inner) = &declarator.node.declarator {
            self.attributes(&inner.node.extensions, &mut attributes)?;
            if let Some(identifier) = declared_name(&inner.node) {
                name = identifier.node.name.clone();
            }
            ty = self.declarator_type(ty, inner)?;
        }
        let width = match &declarator.node.bit_width {
            None => None,
            Some(width) => {
                if !ty.is_integer() {
                    return self.error(declarator.span, "a bit-field must have an integer type");
                }
                let most = if matches!(ty.kind, Kind::Bool) {
                    1
                } else {
                    self.bits(&ty)
                };
                match u16::try_from(self.constant_int(width)?) {
                    Ok(width) if width <= most && (width > 0 || name.is_empty()) => Some(width),
                    _ => return self.error(width.span, "this width does not suit the type"),
                }
            }
        };
        let flexible = matches!(ty.kind, Kind::Array(_, Length::Unknown));
        if self.size(&ty).is_none() && !flexible {
            return self.error(
                declarator.span,
                format!("member `{name}` has an incomplete type"),
            );
        }
        if matches!(ty.kind, Kind::Function(_) | Kind::Void) {
            return self.error(
                declarator.span,
                format!("member `{name}` has no object type"),
            );
        }
        let shape = self.shape(&ty, &attributes, width, !name.is_empty());
        Ok((name, ty, shape))
    }

    fn shape(
        &self,
        ty: &CType,
        attributes: &Attributes,
        bit_width: Option<u16>,
        named: bool,
    ) -> FieldShape {
        // The storage unit of a bit-field is that of its plain type.
        let plain = CType {
            align: 0,
            ..ty.clone()
        };
        let placed = if bit_width.is_some() { &plain } else { ty };
        FieldShape {
            size_bytes: self.size(ty).unwrap_or(0),
            align_bytes: self.align(placed),
            min_align_bytes: u64::from(attributes.align.max(attributes.object_align).max(1)),
            bit_width,
            named,
            packed: attributes.packed,
            most_align_bytes: u64::from(attributes.pack),
        }
    }

    /// The integer type of an `enum` specifier; declares its constants.
    pub(super) fn enum_type(&mut self, e: &Node<EnumType>, attributes: &Attributes) -> Res<CType> {
        let tag = e.node.identifier.as_ref().map(|i| i.node.name.as_str());
        if e.node.enumerators.is_empty() {
            return match tag.and_then(|tag| self.lookup_tag(tag)) {
                Some(Tag::Enum(ty)) => Ok(ty.clone()),
                Some(_) => self.error(e.span, "this tag names another kind of type"),
                // A forward declaration (GNU C).
                None => Ok(CType::int(IntKind::UInt)),
            };
        }
        let local = tag.and_then(|tag| self.scopes.last()?.tags.get(tag));
        if let (Some(tag), Some(_)) = (tag, local) {
            let text = format!("`{tag}` is defined twice as the tag of a type");
            return self.error(e.span, text);
        }
        let mut next: i128 = 0;
        let (mut least, mut most) = (0i128, 0i128);
        let mut constants = Vec::with_capacity(e.node.enumerators.len());
        for enumerator in &e.node.enumerators {
            if let Some(value) = &enumerator.node.expression {
                next = self.constant_int(value)?;
            }
            least = least.min(next);
            most = most.max(next);
            // A constant is an int if it fits, otherwise it has the smallest type that it fits.
            let kind = self.enum_kind(next.min(0), next.max(0), true);
            let ty = CType::int(kind);
            let value = super::fold::mask(next as u128, kind.bits(self.model));
            let name = &enumerator.node.identifier;
            self.check_new(name, Declared::Constant)?;
            self.declare(&name.node.name, Symbol::Constant { value, ty });
            constants.push((name.node.name.clone(), next));
            next += 1;
        }
        let mut kind = self.enum_kind(least, most, false);
        if attributes.packed || self.unit.dialect.short_enums {
            let fits = |bits: u32| {
                if least < 0 {
                    least >= -(1 << (bits - 1)) && most < 1 << (bits - 1)
                } else {
                    most < 1 << bits
                }
            };
            let small = match (fits(8), fits(16)) {
                (true, _) => Some(IntKind::SChar),
                (_, true) => Some(IntKind::Short),
                _ => None,
            };
            if let Some(small) = small {
                kind = if least < 0 { small } else { small.unsigned() };
            }
        }
        let constants = self.intern_plain(Type::Int {
            bits: kind.bits(self.model),
            signed: kind.signed(),
            written: Written::Constant(constants),
        });
        let ty = CType {
            constants: Constants(Some(constants)),
            ..CType::int(kind)
        };
        if let Some(tag) = tag {
            self.declare_tag(tag, Tag::Enum(ty.clone()));
        }
        Ok(ty)
    }

    /// The type GCC gives an enumeration with values from `least` to `most`.
    fn enum_kind(&self, least: i128, most: i128, constant: bool) -> IntKind {
        let fits = |kind: IntKind| {
            let bits = u32::from(kind.bits(self.model));
            if kind.signed() {
                least >= -(1i128 << (bits - 1)) && most < 1i128 << (bits - 1)
            } else {
                least >= 0 && most < 1i128 << bits
            }
        };
        let order: &[IntKind] = if constant || least < 0 {
            &[
                IntKind::Int,
                IntKind::UInt,
                IntKind::Long,
                IntKind::ULong,
                IntKind::LongLong,
            ]
        } else {
            &[IntKind::UInt, IntKind::ULong]
        };
        order
            .iter()
            .copied()
            .find(|k| fits(*k))
            .unwrap_or(IntKind::ULongLong)
    }
}
