//! Layout of structures and unions: offsets of their members, and names of offsets.
//!
//! The rules are those of the System V ABI (i386 and x86-64) as GCC applies them. A bit-field of declared
//! type T never crosses more T-sized units than T has (unless packed); a zero-width bit-field ends the unit;
//! unnamed bit-fields do not raise the alignment of the record. On i386 `long long` and `double` are aligned
//! to 4 bytes inside records, which the caller says through [`FieldShape::align_bytes`].
//!
//! `#pragma pack` limits alignments, and lets bit-fields cross the units of their types.
//!
//! A bit-field is read and written through an *access unit*: its declared type's storage unit, cut to the
//! bytes of the run of adjacent bit-fields around it, so that an access never touches an ordinary member
//! (C11 3.14: the run is one memory location).

use super::ty::{Type, TypeId, Types};
use crate::ir::faults::{self, Fault};

/// Shape of a member: what the layout needs to know of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldShape {
    pub size_bytes: u64,
    /// Alignment of its type inside a record, in bytes; a power of two.
    pub align_bytes: u64,
    /// Raised alignment of the member itself (`aligned` attribute), 1 if there is none.
    pub min_align_bytes: u64,
    /// Width of a bit-field.
    pub bit_width: Option<u16>,
    /// True if the member has a name (an unnamed bit-field only pads).
    pub named: bool,
    /// True if the member or its record is packed.
    pub packed: bool,
    /// The alignment that `#pragma pack` allows at most, in bytes; 0 if there is no limit.
    pub most_align_bytes: u64,
}

/// Placement of a member within its record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// First byte of the member, or of a bit-field's access unit.
    pub offset_bytes: u64,
    /// For a bit-field: how it sits in its access unit.
    pub bit_field: Option<BitUnit>,
}

/// A bit-field's place in its access unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitUnit {
    /// Bytes read and written by an access.
    pub unit_bytes: u16,
    /// First bit of the field, counted from the unit's least significant one.
    pub shift: u16,
    /// Width of the field in bits.
    pub width: u16,
    /// Bytes of the run of adjacent bit-fields before and behind the unit, with which it is one memory location.
    pub beside: (u16, u16),
}

/// The layout of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordLayout {
    pub size_bytes: u64,
    pub align_bytes: u64,
    /// One for each member given, in order.
    pub places: Vec<Placement>,
}

/// Lays out a structure, or a union if `is_union`; `min_align_bytes` is the record's own `aligned`
/// attribute (1 if there is none). `None` if the size overflows.
pub fn lay_out(
    is_union: bool,
    fields: &[FieldShape],
    min_align_bytes: u64,
) -> Option<RecordLayout> {
    let mut end_bits: u64 = 0;
    let mut size_bits: u64 = 0;
    let mut align = if faults::on(Fault::AlignedIgnored) {
        1
    } else {
        min_align_bytes.max(1)
    };
    let mut starts = Vec::with_capacity(fields.len());
    for field in fields {
        if is_union {
            end_bits = 0;
        }
        let own = if field.packed && !faults::on(Fault::PackedIgnored) {
            1
        } else {
            field.align_bytes
        };
        let wanted = match field.most_align_bytes {
            _ if faults::on(Fault::PackIgnored) => own.max(field.min_align_bytes),
            0 => own.max(field.min_align_bytes),
            most => own.max(field.min_align_bytes).min(most),
        };
        let type_bits = field.size_bytes.checked_mul(8)?;
        let start = match field.bit_width {
            None => {
                align = align.max(wanted);
                let start = round_up(end_bits, wanted * 8)?;
                end_bits = start.checked_add(type_bits)?;
                start
            }
            Some(0) => {
                end_bits = round_up(end_bits, field.align_bytes.max(field.min_align_bytes) * 8)?;
                end_bits
            }
            Some(width) => {
                if field.named {
                    align = align.max(wanted);
                }
                let unit = field.align_bytes * 8;
                let mut start = end_bits;
                if field.min_align_bytes > 1 {
                    start = round_up(start, field.min_align_bytes * 8)?;
                }
                // Under `#pragma pack`, bit-fields lie side by side, as packed ones do.
                let dense = field.packed || field.most_align_bytes != 0;
                if !dense && start % unit + u64::from(width) > type_bits {
                    start = round_up(start, unit)?;
                }
                end_bits = start.checked_add(u64::from(width))?;
                start
            }
        };
        starts.push(start);
        size_bits = size_bits.max(end_bits);
    }
    let size_bits = round_up(round_up(size_bits, 8)?, align * 8)?;
    let places = (0..fields.len())
        .map(|i| place(is_union, fields, &starts, i))
        .collect();
    Some(RecordLayout {
        size_bytes: size_bits / 8,
        align_bytes: align,
        places,
    })
}

/// The placement of field `i` once every field's first bit is known.
fn place(is_union: bool, fields: &[FieldShape], starts: &[u64], i: usize) -> Placement {
    let field = fields[i];
    let Some(width) = field.bit_width else {
        return Placement {
            offset_bytes: starts[i] / 8,
            bit_field: None,
        };
    };
    let (first, last) = if is_union {
        (i, i)
    } else {
        run_around(fields, i)
    };
    let run_start = starts[first] / 8;
    let run_end = (first..=last)
        .map(|j| (starts[j] + u64::from(fields[j].bit_width.unwrap_or(0))).div_ceil(8))
        .max()
        .unwrap_or(run_start);
    // The storage unit of the declared type, cut to the run.
    let align_bits = field.align_bytes * 8;
    let unit_start = starts[i] / align_bits * align_bits / 8;
    let unit_end = unit_start + field.size_bytes;
    let mut start = unit_start.max(run_start);
    let mut end = unit_end.min(run_end);
    let field_end = (starts[i] + u64::from(width)).div_ceil(8);
    if field_end > end || starts[i] / 8 < start {
        // A packed field that crosses its unit.
        start = starts[i] / 8;
        end = field_end.max(start);
    }
    Placement {
        offset_bytes: start,
        bit_field: Some(BitUnit {
            unit_bytes: (end - start) as u16,
            shift: (starts[i] - start * 8) as u16,
            width,
            beside: (
                start.saturating_sub(run_start) as u16,
                run_end.saturating_sub(end) as u16,
            ),
        }),
    }
}

/// The maximal run of adjacent bit-fields (without a zero-width one in between) around field `i`.
fn run_around(fields: &[FieldShape], i: usize) -> (usize, usize) {
    let joins = |j: usize| fields[j].bit_width.is_some_and(|w| w > 0);
    let mut first = i;
    while first > 0 && joins(first - 1) {
        first -= 1;
    }
    let mut last = i;
    while last + 1 < fields.len() && joins(last + 1) {
        last += 1;
    }
    (first, last)
}

fn round_up(value: u64, to: u64) -> Option<u64> {
    value.checked_next_multiple_of(to)
}

/// Size of a type in bytes.
pub fn size_of(types: &Types, ty: TypeId, pointer_bytes: u64) -> u64 {
    match &types[ty] {
        Type::Void => 0,
        Type::Int { bits, .. } => u64::from(*bits) / 8,
        Type::Float(format) => u64::from(format.bits()) / 8,
        Type::Bool => 1,
        Type::Pointer { .. } => pointer_bytes,
        Type::Array { element, length } => {
            size_of(types, *element, pointer_bytes).saturating_mul(*length)
        }
        Type::Record { size_bytes, .. } => *size_bytes,
    }
}

/// Name of the `bits` bits at `offset_bytes` of an object of type `ty`: `.items[3].next`; empty for the whole object.
/// The deepest part that is exactly there is named; if none is exactly there, the smallest part around them, followed
/// by `+n` for the bytes that are left. Bit-fields of one access unit are named together: `.a|b`.
pub fn path_at(
    types: &Types,
    ty: TypeId,
    offset_bytes: u64,
    bits: u16,
    pointer_bytes: u64,
) -> String {
    let mut path = String::new();
    let (mut ty, mut offset) = (ty, offset_bytes);
    let bytes = u64::from(bits).div_ceil(8).max(1);
    loop {
        match &types[ty] {
            Type::Array { element, length } => {
                let size = size_of(types, *element, pointer_bytes);
                if size == 0 || offset + bytes > size.saturating_mul(*length) {
                    break;
                }
                let index = offset / size;
                if offset - index * size + bytes > size {
                    break;
                }
                path.push_str(&format!("[{index}]"));
                offset -= index * size;
                ty = *element;
            }
            Type::Record { members, .. } => {
                let inside = |m: &&super::ty::Member| {
                    let size = size_of(types, m.ty, pointer_bytes);
                    m.bit_field.is_none()
                        && m.offset_bytes <= offset
                        && offset + bytes <= m.offset_bytes + size
                };
                // In a union, an exact match goes before a member that merely covers the bits.
                let exact = members.iter().filter(inside).find(|m| {
                    m.offset_bytes == offset && size_of(types, m.ty, pointer_bytes) == bytes
                });
                if let Some(member) = exact.or_else(|| members.iter().find(inside)) {
                    if !member.name.is_empty() {
                        path.push('.');
                        path.push_str(&member.name);
                    }
                    offset -= member.offset_bytes;
                    ty = member.ty;
                    continue;
                }
                let fields: Vec<&str> = members
                    .iter()
                    .filter(|m| {
                        m.bit_field.is_some() && m.offset_bytes == offset && !m.name.is_empty()
                    })
                    .map(|m| m.name.as_str())
                    .collect();
                if fields.is_empty() {
                    break;
                }
                path.push('.');
                path.push_str(&fields.join("|"));
                return path;
            }
            _ => break,
        }
    }
    if offset != 0 {
        path.push_str(&format!("+{offset}"));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(size: u64, align: u64) -> FieldShape {
        FieldShape {
            size_bytes: size,
            align_bytes: align,
            min_align_bytes: 1,
            bit_width: None,
            named: true,
            packed: false,
            most_align_bytes: 0,
        }
    }

    fn bits(size: u64, width: u16) -> FieldShape {
        FieldShape {
            bit_width: Some(width),
            ..plain(size, size)
        }
    }

    fn offsets(layout: &RecordLayout) -> Vec<u64> {
        layout.places.iter().map(|p| p.offset_bytes).collect()
    }

    #[test]
    fn plain_members_are_aligned() {
        let layout = lay_out(false, &[plain(1, 1), plain(8, 8), plain(2, 2)], 1).unwrap();
        assert_eq!((layout.size_bytes, layout.align_bytes), (24, 8));
        assert_eq!(offsets(&layout), [0, 8, 16]);
        // long long inside a record on i386
        let layout = lay_out(false, &[plain(1, 1), plain(8, 4), plain(2, 2)], 1).unwrap();
        assert_eq!((layout.size_bytes, layout.align_bytes), (16, 4));
        assert_eq!(offsets(&layout), [0, 4, 12]);
    }

    #[test]
    fn packed_and_aligned() {
        let packed = FieldShape {
            packed: true,
            ..plain(4, 4)
        };
        let layout = lay_out(false, &[plain(1, 1), packed], 1).unwrap();
        assert_eq!((layout.size_bytes, layout.align_bytes), (5, 1));
        let layout = lay_out(false, &[plain(1, 1), packed], 4).unwrap();
        assert_eq!((layout.size_bytes, layout.align_bytes), (8, 4));
        let raised = FieldShape {
            min_align_bytes: 16,
            ..plain(4, 4)
        };
        let layout = lay_out(false, &[plain(1, 1), raised], 1).unwrap();
        assert_eq!((layout.size_bytes, layout.align_bytes), (32, 16));
    }

    #[test]
    fn unions_overlap() {
        let layout = lay_out(true, &[plain(4, 4), plain(24, 1), plain(8, 4)], 1).unwrap();
        assert_eq!((layout.size_bytes, layout.align_bytes), (24, 4));
        assert_eq!(offsets(&layout), [0, 0, 0]);
    }

    #[test]
    fn bit_fields_share_units() {
        // struct { int a:3; int b:4; int c:30; }
        let layout = lay_out(false, &[bits(4, 3), bits(4, 4), bits(4, 30)], 1).unwrap();
        assert_eq!((layout.size_bytes, layout.align_bytes), (8, 4));
        let unit = |i: usize| layout.places[i].bit_field.unwrap();
        assert_eq!((unit(0).shift, unit(0).unit_bytes), (0, 4));
        assert_eq!((unit(1).shift, unit(1).width), (3, 4));
        assert_eq!((layout.places[2].offset_bytes, unit(2).shift), (4, 0));
        // All are one memory location.
        assert_eq!((unit(0).beside, unit(2).beside), ((0, 4), (4, 0)));
        // struct { char c; int b:5; } : b in byte 1, never touching c
        let layout = lay_out(false, &[plain(1, 1), bits(4, 5)], 1).unwrap();
        assert_eq!(layout.size_bytes, 4);
        assert_eq!(layout.places[1].offset_bytes, 1);
        assert_eq!(
            layout.places[1].bit_field,
            Some(BitUnit {
                unit_bytes: 1,
                shift: 0,
                width: 5,
                beside: (0, 0)
            })
        );
    }

    #[test]
    fn zero_width_ends_the_unit() {
        // struct { char a:2; int :0; char b:2; }
        let zero = FieldShape {
            named: false,
            ..bits(4, 0)
        };
        let layout = lay_out(false, &[bits(1, 2), zero, bits(1, 2)], 1).unwrap();
        assert_eq!((layout.size_bytes, layout.align_bytes), (5, 1));
        assert_eq!(layout.places[2].offset_bytes, 4);
    }

    #[test]
    fn paths_name_parts() {
        use crate::ir::ty::Member;
        let mut types = Types::new();
        let int = types.push(Type::integer(32, true));
        let pointer = types.push(Type::Pointer { to: int });
        let member = |name: &str, ty, offset_bytes| Member {
            name: name.into(),
            ty,
            offset_bytes,
            bit_field: None,
        };
        let node = types.push(Type::Record {
            name: "struct node".into(),
            size_bytes: 8,
            members: vec![member("value", int, 0), member("next", pointer, 4)],
        });
        let items = types.push(Type::Array {
            element: node,
            length: 4,
        });
        let queue = types.push(Type::Record {
            name: "struct queue".into(),
            size_bytes: 36,
            members: vec![member("head", int, 0), member("items", items, 4)],
        });
        assert_eq!(path_at(&types, queue, 0, 32, 4), ".head");
        assert_eq!(
            path_at(&types, queue, 4 + 3 * 8 + 4, 32, 4),
            ".items[3].next"
        );
        assert_eq!(path_at(&types, queue, 5, 8, 4), ".items[0].value+1");
        assert_eq!(path_at(&types, int, 0, 32, 4), "");
    }
}
