//! Initialisers (C11 6.7.9), flattened to a list of parts.
//!
//! An initialiser list is walked with a cursor, as braces may be left out: an aggregate without braces of its
//! own takes as many items as it needs from the list around it. Parts that a later designator overrides are
//! dropped and never evaluated, which C allows.

use super::ctype::{CType, Field, Kind, Length};
use super::{Lowerer, Res};
use crate::base::WarningKind;
use crate::ir::faults::{self, Fault};
use crate::ir::layout::BitUnit;
use lang_c::ast::{Designator, Expression, Initializer, InitializerListItem};
use lang_c::span::{Node, Span};
use std::rc::Rc;

type Items<'a> = &'a [Node<InitializerListItem>];

/// An initialiser as the source has it.
#[derive(Clone, Copy)]
pub(super) enum Init<'a> {
    Expr(&'a Node<Expression>),
    List(Items<'a>, Span),
}

impl<'a> Init<'a> {
    pub fn of(node: &'a Node<Initializer>) -> Init<'a> {
        match &node.node {
            Initializer::Expression(e) => Init::Expr(e),
            Initializer::List(items) => Init::List(items, node.span),
        }
    }
}

/// One initialised part.
pub(super) struct Part<'a> {
    pub offset: u64,
    pub ty: CType,
    pub bits: Option<BitUnit>,
    pub source: Source<'a>,
    /// End of the part, in bytes from the start of the object.
    pub end: u64,
}

#[derive(Clone)]
pub(super) enum Source<'a> {
    Expr(&'a Node<Expression>),
    /// A string in a character array: its bytes.
    Text(Vec<u8>),
}

/// The parts found so far.
#[derive(Default)]
pub(super) struct Parts<'a> {
    pub list: Vec<Part<'a>>,
    /// Greatest end of a part, in bytes from the start of the object.
    pub end: u64,
}

impl<'a> Parts<'a> {
    /// Adds a part. Those that it covers are dropped; one that covers more comes first and is changed by it.
    fn push(&mut self, part: Part<'a>) {
        let (start, end) = (part.offset, part.end);
        if start < self.end && part.bits.is_none() {
            self.list
                .retain(|old| !(old.offset >= start && old.end <= end));
        }
        if let Some(unit) = part.bits {
            let same =
                |old: &Part| old.offset == start && old.bits.is_some_and(|b| b.shift == unit.shift);
            self.list.retain(|old| !same(old));
        }
        self.end = self.end.max(end);
        self.list.push(part);
    }
}

/// A walk through an initialiser list.
struct Cursor<'a> {
    items: Items<'a>,
    next: usize,
}

impl Lowerer {
    /// The type of an object with this initialiser: an array without length gets one.
    pub(super) fn completed_type(&mut self, ty: &CType, init: Init) -> Res<CType> {
        if !matches!(ty.kind, Kind::Array(_, Length::Unknown)) {
            return Ok(ty.clone());
        }
        self.unevaluated(|this| this.flatten(ty, init, 0, None, &mut Parts::default()))
    }

    /// Adds the parts of one initialiser; gives the completed type.
    pub(super) fn flatten<'a>(
        &mut self,
        ty: &CType,
        init: Init<'a>,
        offset: u64,
        bits: Option<BitUnit>,
        out: &mut Parts<'a>,
    ) -> Res<CType> {
        match init {
            Init::Expr(e) => self.flatten_expression(ty, e, offset, bits, out),
            Init::List(items, span) => {
                if let (Kind::Array(element, _), [only]) = (&ty.kind, items)
                    && only.node.designation.is_empty()
                    && let Initializer::Expression(e) = &only.node.initializer.node
                    && matches!(e.node, Expression::StringLiteral(_))
                    && element.is_integer()
                    && self.is_text_for(e, element)?
                {
                    return self.flatten_expression(ty, e, offset, bits, out);
                }
                if !matches!(ty.kind, Kind::Array(..) | Kind::Record(_)) {
                    let Some(first) = items.first() else {
                        return Ok(ty.clone());
                    };
                    if items.len() > 1 {
                        self.excess(items[1].span);
                    }
                    return self.flatten(ty, Init::of(&first.node.initializer), offset, bits, out);
                }
                // A list for what has an initialiser already replaces it as a whole.
                let end = offset.saturating_add(self.size(ty).unwrap_or(0));
                if !out.list.is_empty() && offset < out.end {
                    out.list
                        .retain(|old| !(old.offset >= offset && old.end <= end));
                    if out
                        .list
                        .iter()
                        .any(|old| old.offset < end && old.end > offset)
                    {
                        let text = "a list that replaces a part of an earlier initialiser is not \
                                    supported; name the members one by one";
                        return self.error(span, text);
                    }
                }
                let mut cursor = Cursor { items, next: 0 };
                let length = self.aggregate(ty, offset, &mut cursor, true, None, out)?;
                if let Some(extra) = items.get(cursor.next) {
                    self.excess(extra.span);
                }
                Ok(with_length(ty, length))
            }
        }
    }

    /// A value of an initialiser for which there is nothing left.
    fn excess(&mut self, span: Span) {
        let text = "there is nothing left to initialise: this value is ignored";
        self.warn_at(self.loc(span), WarningKind::ExcessInitializers, text);
    }

    fn flatten_expression<'a>(
        &mut self,
        ty: &CType,
        e: &'a Node<Expression>,
        offset: u64,
        bits: Option<BitUnit>,
        out: &mut Parts<'a>,
    ) -> Res<CType> {
        match (&ty.kind, &e.node) {
            (Kind::Array(element, length), Expression::StringLiteral(text)) => {
                let (mut text, kind) = self.string_units(&text.node)?;
                let unit = u64::from(kind.bits(self.model) / 8);
                if self.bits(element) != kind.bits(self.model) {
                    return self.error(e.span, "the array's elements do not suit this string");
                }
                let units = text.len() as u64 / unit;
                let length = match length {
                    Length::Known(n) => *n,
                    _ => units + 1,
                };
                // The terminating zero, as far as there is room.
                text.resize(((units + 1).min(length) * unit) as usize, 0);
                let ty = with_length(ty, length);
                let size = text.len() as u64;
                let part = Part {
                    offset,
                    ty: ty.clone(),
                    bits: None,
                    source: Source::Text(text),
                    end: offset + size,
                };
                out.push(part);
                Ok(ty)
            }
            // A compound literal that initialises an object of its type is an initialiser list.
            (Kind::Array(..) | Kind::Record(_), Expression::CompoundLiteral(literal)) => {
                let own = self.type_name(&literal.node.type_name)?;
                let fits = match (&own.kind, &ty.kind) {
                    (Kind::Record(a), Kind::Record(b)) => a == b,
                    (Kind::Array(..), Kind::Array(..)) => true,
                    _ => false,
                };
                if !fits {
                    return self.error(e.span, "this literal has another type");
                }
                self.flatten(
                    ty,
                    Init::List(&literal.node.initializer_list, e.span),
                    offset,
                    bits,
                    out,
                )
            }
            (Kind::Array(..), _) => self.error(
                e.span,
                "an array needs a list or a string as its initialiser",
            ),
            _ => {
                let size = match bits {
                    Some(unit) => u64::from(unit.unit_bytes),
                    None => self.size(ty).unwrap_or(0),
                };
                out.push(Part {
                    offset,
                    ty: ty.clone(),
                    bits,
                    source: Source::Expr(e),
                    end: offset + size,
                });
                Ok(ty.clone())
            }
        }
    }

    fn is_text_for(&mut self, e: &Node<Expression>, element: &CType) -> Res<bool> {
        let Expression::StringLiteral(text) = &e.node else {
            return Ok(false);
        };
        let (_, kind) = self.string_units(&text.node)?;
        Ok(element.is_integer() && self.bits(element) == kind.bits(self.model))
    }

    /// Initialises an aggregate from the cursor's items; `braced` if the list is its own. `start` is the rest
    /// of the first item's designation where its beginning has led here. Gives the number of elements that
    /// an array needs.
    fn aggregate<'a>(
        &mut self,
        ty: &CType,
        offset: u64,
        cursor: &mut Cursor<'a>,
        braced: bool,
        start: Option<&'a [Node<Designator>]>,
        out: &mut Parts<'a>,
    ) -> Res<u64> {
        let fields = self.fields_of(ty)?;
        let count = match (&ty.kind, &fields) {
            (Kind::Array(_, Length::Known(n)), _) => *n,
            (Kind::Array(..), _) => u64::MAX,
            (Kind::Record(id), Some(fields)) => {
                if self.records[*id].is_union {
                    fields.len().min(1) as u64
                } else {
                    fields.len() as u64
                }
            }
            _ => 0,
        };
        let (mut index, mut most) = (0u64, 0u64);
        let mut start = start;
        while cursor.next < cursor.items.len() {
            let item = &cursor.items[cursor.next];
            let designation = match start.take() {
                Some(rest) => rest,
                None if !item.node.designation.is_empty() && !braced => break,
                None => &item.node.designation[..],
            };
            let before = cursor.next;
            let Some((first, rest)) = designation.split_first() else {
                if index >= count {
                    break;
                }
                let (ty, at, bits) = self.part_at(ty, fields.as_deref(), index, offset)?;
                self.part(&ty, at, bits, cursor, &[], out)?;
                index += 1;
                most = most.max(index);
                if cursor.next == before && count == u64::MAX {
                    return self.error(item.span, "this array has elements without content");
                }
                continue;
            };
            match &first.node {
                Designator::Member(name) => {
                    let Some(fields) = fields.as_deref() else {
                        return self.error(first.span, "an array has no members");
                    };
                    let name = &name.node.name;
                    let direct = fields.iter().position(|f| f.name == *name);
                    let found = direct.or_else(|| {
                        fields.iter().position(|f| match f.ty.kind {
                            Kind::Record(id) => {
                                f.name.is_empty() && self.find_field(id, name).is_some()
                            }
                            _ => false,
                        })
                    });
                    let Some(found) = found else {
                        return self.error(first.span, format!("there is no member `{name}`"));
                    };
                    // A member of an anonymous member keeps its designator.
                    let rest = if direct.is_some() { rest } else { designation };
                    let (ty, at, bits) = self.part_at(ty, Some(fields), found as u64, offset)?;
                    self.part(&ty, at, bits, cursor, rest, out)?;
                    index = if count == 1 {
                        u64::MAX
                    } else if faults::on(Fault::DesignatorStays) {
                        found as u64
                    } else {
                        found as u64 + 1
                    };
                }
                Designator::Index(_) | Designator::Range(_) => {
                    if fields.is_some() {
                        return self.error(first.span, "a structure has no elements");
                    }
                    let (low, high) = match &first.node {
                        Designator::Index(e) => {
                            let at = self.constant_int(e)?;
                            (at, at)
                        }
                        Designator::Range(range) => (
                            self.constant_int(&range.node.from)?,
                            self.constant_int(&range.node.to)?,
                        ),
                        Designator::Member(_) => (0, 0),
                    };
                    let limit = i128::from(count.min(1 << 40));
                    if low < 0 || high < low || high >= limit {
                        return self.error(first.span, "this index is outside the array");
                    }
                    let short = faults::on(Fault::DesignatorShort) && high > low;
                    for i in low..=high - i128::from(short) {
                        cursor.next = before;
                        let (ty, at, bits) = self.part_at(ty, None, i as u64, offset)?;
                        self.part(&ty, at, bits, cursor, rest, out)?;
                    }
                    index = high as u64 + 1;
                    most = most.max(index);
                }
            }
        }
        Ok(most)
    }

    fn fields_of(&mut self, ty: &CType) -> Res<Option<Vec<Field>>> {
        match ty.kind {
            Kind::Record(id) => match &self.records[id].fields {
                Some(fields) => Ok(Some(fields.clone())),
                None => self.fail("an object of incomplete type is initialised"),
            },
            _ => Ok(None),
        }
    }

    /// Element or member number `index` of an aggregate at `offset`.
    fn part_at(
        &mut self,
        ty: &CType,
        fields: Option<&[Field]>,
        index: u64,
        offset: u64,
    ) -> Res<(CType, u64, Option<BitUnit>)> {
        match (&ty.kind, fields) {
            (Kind::Array(element, _), _) => {
                let Some(size) = self.size(element) else {
                    return self.fail("an array of variable size cannot be initialised");
                };
                let element = element.with_quals(ty.quals);
                Ok((element, offset + index * size, None))
            }
            (_, Some(fields)) => {
                let field = &fields[index as usize];
                Ok((field.ty.clone(), offset + field.offset, field.bits))
            }
            _ => self.fail("a scalar has no parts"),
        }
    }

    /// Initialises one part from the cursor's current item, whose designation is used up but for `rest`.
    fn part<'a>(
        &mut self,
        ty: &CType,
        offset: u64,
        bits: Option<BitUnit>,
        cursor: &mut Cursor<'a>,
        rest: &'a [Node<Designator>],
        out: &mut Parts<'a>,
    ) -> Res<()> {
        if !rest.is_empty() {
            if !matches!(ty.kind, Kind::Array(..) | Kind::Record(_)) {
                return self.error(rest[0].span, "this part has no parts of its own");
            }
            self.aggregate(ty, offset, cursor, false, Some(rest), out)?;
            return Ok(());
        }
        let init = &cursor.items[cursor.next].node.initializer;
        let whole = match (&init.node, &ty.kind) {
            (Initializer::List(_), _) => true,
            (Initializer::Expression(e), Kind::Array(element, _)) => {
                self.is_text_for(e, element)?
            }
            (Initializer::Expression(e), Kind::Record(_)) => self.is_whole(e, ty)?,
            _ => true,
        };
        if whole {
            cursor.next += 1;
            self.flatten(ty, Init::of(init), offset, bits, out)?;
        } else {
            self.aggregate(ty, offset, cursor, false, Some(&[]), out)?;
        }
        Ok(())
    }

    /// True if an expression has this record type and so initialises all of it.
    fn is_whole(&mut self, e: &Node<Expression>, ty: &CType) -> Res<bool> {
        if matches!(
            e.node,
            Expression::Constant(_) | Expression::StringLiteral(_)
        ) {
            return Ok(false);
        }
        Ok(self.type_of(e)?.kind == ty.kind)
    }
}

fn with_length(ty: &CType, length: u64) -> CType {
    match &ty.kind {
        Kind::Array(element, Length::Unknown) => CType {
            kind: Kind::Array(Rc::clone(element), Length::Known(length)),
            ..ty.clone()
        },
        _ => ty.clone(),
    }
}
