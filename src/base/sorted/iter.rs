//! The iterators of maps: first what is left of a front chunk, then whole chunks, then what is left of a back chunk.

use std::{slice, vec};

/// Items of several lists in a row, from both sides. `front` and `back` are lists that were begun.
#[derive(Clone)]
pub(super) struct Row<Lists, List> {
    pub front: List,
    pub lists: Lists,
    pub back: List,
}

impl<Lists, List> Row<Lists, List>
where
    Lists: DoubleEndedIterator<Item: IntoIterator<IntoIter = List>>,
    List: DoubleEndedIterator,
{
    #[inline]
    fn next(&mut self) -> Option<List::Item> {
        match self.front.next() {
            Some(item) => Some(item),
            None => self.next_list(),
        }
    }

    fn next_list(&mut self) -> Option<List::Item> {
        for list in self.lists.by_ref() {
            self.front = list.into_iter();
            if let Some(item) = self.front.next() {
                return Some(item);
            }
        }
        self.back.next()
    }

    #[inline]
    fn next_back(&mut self) -> Option<List::Item> {
        match self.back.next_back() {
            Some(item) => Some(item),
            None => self.list_before(),
        }
    }

    fn list_before(&mut self) -> Option<List::Item> {
        while let Some(list) = self.lists.next_back() {
            self.back = list.into_iter();
            if let Some(item) = self.back.next_back() {
                return Some(item);
            }
        }
        self.front.next_back()
    }
}

/// The entries of chunks, by reference.
type Borrowed<'m, K, V> = Row<slice::Iter<'m, Vec<(K, V)>>, slice::Iter<'m, (K, V)>>;

/// An iterator over a [`Row`] whose length is known, and how it shows an entry.
macro_rules! iterator {
    ($(#[$doc:meta])* $name:ident<$($life:lifetime)?>, $lists:ty, $list:ty, $entry:ident => $shown:expr, $item:ty) => {
        $(#[$doc])*
        pub struct $name<$($life,)? K, V> {
            row: Row<$lists, $list>,
            left: usize,
        }

        impl<$($life,)? K, V> $name<$($life,)? K, V> {
            pub(super) fn new(row: Row<$lists, $list>, left: usize) -> Self {
                Self { row, left }
            }
        }

        impl<$($life,)? K, V> Iterator for $name<$($life,)? K, V> {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                let $entry = self.row.next()?;
                self.left -= 1;
                Some($shown)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.left, Some(self.left))
            }

            #[inline]
            fn last(mut self) -> Option<Self::Item> {
                self.next_back()
            }
        }

        impl<$($life,)? K, V> DoubleEndedIterator for $name<$($life,)? K, V> {
            #[inline]
            fn next_back(&mut self) -> Option<Self::Item> {
                let $entry = self.row.next_back()?;
                self.left -= 1;
                Some($shown)
            }
        }

        impl<$($life,)? K, V> ExactSizeIterator for $name<$($life,)? K, V> {}
    };
}

iterator! {
    /// The entries of a map, by reference.
    Iter<'m>, slice::Iter<'m, Vec<(K, V)>>, slice::Iter<'m, (K, V)>, entry => (&entry.0, &entry.1), (&'m K, &'m V)
}

iterator! {
    /// The entries of a map, with values that can be changed.
    IterMut<'m>, slice::IterMut<'m, Vec<(K, V)>>, slice::IterMut<'m, (K, V)>, entry => (&entry.0, &mut entry.1), (&'m K, &'m mut V)
}

iterator! {
    /// The entries of a map that is used up.
    IntoIter<>, vec::IntoIter<Vec<(K, V)>>, vec::IntoIter<(K, V)>, entry => entry, (K, V)
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Self {
            row: self.row.clone(),
            left: self.left,
        }
    }
}

/// The entries of a map between two bounds, by reference.
pub struct Range<'m, K, V>(pub(super) Borrowed<'m, K, V>);

impl<'m, K, V> Iterator for Range<'m, K, V> {
    type Item = (&'m K, &'m V);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (key, value) = self.0.next()?;
        Some((key, value))
    }

    #[inline]
    fn last(mut self) -> Option<Self::Item> {
        self.next_back()
    }
}

impl<K, V> DoubleEndedIterator for Range<'_, K, V> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        let (key, value) = self.0.next_back()?;
        Some((key, value))
    }
}

impl<K, V> Clone for Range<'_, K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
