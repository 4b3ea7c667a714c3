//! Shapes of heap blocks: which types lie where in them, as far as accesses tell (effective types, C11 6.5 p6).

use crate::base::sorted::SortedSet;
use crate::ir::layout::size_of;
use crate::ir::ty::{Type, TypeId, Types};

/// A type that a block was accessed with, and the offset in bytes of what was accessed.
pub type View = (u64, TypeId);

/// Sizes of objects, on a machine with pointers of this size.
#[derive(Clone, Copy, Debug)]
pub struct Sizes<'a> {
    pub types: &'a Types,
    pub pointer_bytes: u64,
}

impl Sizes<'_> {
    /// Size of an object of a type in bytes; 0 of what is no object.
    pub fn of(self, ty: TypeId) -> u64 {
        size_of(self.types, ty, self.pointer_bytes)
    }
}

/// Shape of a block.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// What was accessed within the block, the greatest first.
    views: Vec<View>,
    /// Tag of the structure or union that it holds, if it holds one or an array of one.
    tag: Option<String>,
    /// It is an array of the greatest type.
    is_array: bool,
}

impl Shape {
    /// Shape of a block of this size.
    pub fn of(sizes: Sizes, size_bytes: u64, views: &SortedSet<View>) -> Shape {
        let width = |ty| sizes.of(ty);
        let fits = |&(offset, ty): &View| {
            let end = offset.checked_add(width(ty));
            width(ty) > 0 && end.is_some_and(|end| end <= size_bytes)
        };
        let mut views: Vec<View> = views.iter().copied().filter(fits).collect();
        views.sort_by_key(|&(offset, ty)| (std::cmp::Reverse(width(ty)), offset, ty));
        let Some(&(_, whole)) = views.first() else {
            return Shape::default();
        };
        let mut alike = views.iter().filter(|(_, ty)| *ty == whole);
        // Something else may be before it.
        let is_regular = alike.clone().any(|(offset, _)| *offset == 0)
            && alike
                .clone()
                .all(|(offset, _)| offset.is_multiple_of(width(whole)));
        Shape {
            is_array: is_regular && alike.any(|(offset, _)| *offset > 0),
            tag: match &sizes.types[whole] {
                Type::Record { name, .. } if is_regular => tag(name),
                _ => None,
            },
            views,
        }
    }

    /// Word for the block: the tag of its structure, or `heap`.
    pub fn word(&self) -> &str {
        self.tag.as_deref().unwrap_or("heap")
    }

    /// The part of the block that so many bytes at an offset belong to: how it is reached from the block, its type, and the offset in it.
    pub fn part(&self, sizes: Sizes, offset: u64, size: u64) -> Option<(String, TypeId, u64)> {
        let &(_, whole) = self.views.first()?;
        let width = sizes.of(whole);
        if self.is_array && offset % width + size <= width {
            return Some((format!("[{}]", offset / width), whole, offset % width));
        }
        let holds = |&&(start, ty): &&View| {
            let end = start.saturating_add(extent(sizes, ty));
            start <= offset && offset.saturating_add(size) <= end
        };
        let &(start, ty) = self.views.iter().find(holds)?;
        let path = match start {
            0 => String::new(),
            _ => format!("+{start}"),
        };
        Some((path, ty, offset - start))
    }
}

/// Bytes that belong to an object of a type: its size, or all that follow if a flexible array ends it.
fn extent(sizes: Sizes, ty: TypeId) -> u64 {
    match &sizes.types[ty] {
        Type::Record { members, .. } => {
            let last = members.last().map(|member| &sizes.types[member.ty]);
            match last {
                Some(Type::Array { length: 0, .. }) => u64::MAX,
                _ => sizes.of(ty),
            }
        }
        _ => sizes.of(ty),
    }
}

/// Name of a structure or union without the keyword; `None` if it has none.
fn tag(name: &str) -> Option<String> {
    let tag = name
        .strip_prefix("struct ")
        .or_else(|| name.strip_prefix("union "))
        .unwrap_or(name);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let is_keyword = matches!(tag, "" | "struct" | "union");
    (!is_keyword && tag.chars().all(is_word)).then(|| tag.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::ty::Member;

    fn types() -> (Types, [TypeId; 4]) {
        let mut types = Types::new();
        let int = types.push(Type::integer(32, true));
        let tail = types.push(Type::Array {
            element: int,
            length: 0,
        });
        let member = |name: &str, ty, offset_bytes| Member {
            name: name.to_string(),
            ty,
            offset_bytes,
            bit_field: None,
        };
        let node = types.push(Type::Record {
            name: "struct node".to_string(),
            size_bytes: 8,
            members: vec![member("key", int, 0), member("next", int, 4)],
        });
        let buffer = types.push(Type::Record {
            name: "struct buffer".to_string(),
            size_bytes: 4,
            members: vec![member("length", int, 0), member("items", tail, 4)],
        });
        (types, [int, tail, node, buffer])
    }

    fn check(size: u64, views: &[View], at: u64, word: &str, part: Option<(&str, TypeId, u64)>) {
        let (types, _) = types();
        let sizes = Sizes {
            types: &types,
            pointer_bytes: 8,
        };
        let shape = Shape::of(sizes, size, &views.iter().copied().collect());
        assert_eq!(shape.word(), word, "{views:?}");
        let part = part.map(|(path, ty, inner)| (path.to_string(), ty, inner));
        assert_eq!(shape.part(sizes, at, 4), part, "{views:?} at {at}");
    }

    #[test]
    fn the_greatest_type_names_the_block() {
        let (_, [int, _, node, buffer]) = types();
        check(8, &[], 4, "heap", None);
        check(8, &[(4, int), (0, node)], 4, "node", Some(("", node, 4)));
        // One element alone does not make an array.
        check(24, &[(0, node)], 4, "node", Some(("", node, 4)));
        let array = [(0, node), (8, node), (12, int)];
        check(24, &array, 12, "node", Some(("[1]", node, 4)));
        check(24, &array, 20, "node", Some(("[2]", node, 4)));
        // Behind a header that nobody looks at.
        check(12, &[(4, node)], 8, "heap", Some(("+4", node, 4)));
        // What would not fit was no object.
        check(8, &[(4, node), (4, int)], 4, "heap", Some(("+4", int, 0)));
        let flexible = [(0, buffer), (8, int)];
        check(16, &flexible, 8, "buffer", Some(("", buffer, 8)));
    }
}
