//! A set in the order of its items.

use std::borrow::Borrow;
use std::fmt;
use std::iter::Peekable;
use std::ops::{BitOr, RangeBounds};

use super::iter;
use super::map::SortedMap;

/// A set in the order of its items.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedSet<T>(SortedMap<T, ()>);

impl<T> SortedSet<T> {
    pub const fn new() -> Self {
        Self(SortedMap::new())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn iter(&self) -> Iter<'_, T> {
        Iter(self.0.iter())
    }

    pub fn first(&self) -> Option<&T> {
        self.0.first_key_value().map(|(item, ())| item)
    }

    pub fn last(&self) -> Option<&T> {
        self.0.last_key_value().map(|(item, ())| item)
    }

    pub fn pop_first(&mut self) -> Option<T> {
        self.0.pop_first().map(|(item, ())| item)
    }

    pub fn pop_last(&mut self) -> Option<T> {
        self.0.pop_last().map(|(item, ())| item)
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.0.retain(|item, ()| keep(item));
    }
}

impl<T: Ord> SortedSet<T> {
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.contains_key(item)
    }

    /// The item of the set that is equal to this one.
    pub fn get<Q: Ord + ?Sized>(&self, item: &Q) -> Option<&T>
    where
        T: Borrow<Q>,
    {
        self.0.get_key(item)
    }

    /// Insertion of an item: whether it is new.
    pub fn insert(&mut self, item: T) -> bool {
        self.0.insert(item, ()).is_none()
    }

    /// Removal of an item: whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.remove(item).is_some()
    }

    /// The items between two bounds; none where the lower is above the upper.
    pub fn range<Q: Ord + ?Sized>(
        &self,
        range: impl RangeBounds<Q>,
    ) -> impl DoubleEndedIterator<Item = &T> + Clone
    where
        T: Borrow<Q>,
    {
        self.0.range(range).map(|(item, ())| item)
    }

    /// Moves all items of another set here.
    pub fn append(&mut self, other: &mut Self) {
        self.0.append(&mut other.0);
    }

    /// Takes the items from this one on away.
    pub fn split_off<Q: Ord + ?Sized>(&mut self, item: &Q) -> Self
    where
        T: Borrow<Q>,
    {
        Self(self.0.split_off(item))
    }

    /// The items of one set or both.
    pub fn union<'s>(&'s self, other: &'s Self) -> Union<'s, T> {
        Union {
            one: self.iter().peekable(),
            other: other.iter().peekable(),
        }
    }

    /// The items of both sets.
    pub fn intersection<'s>(
        &'s self,
        other: &'s Self,
    ) -> impl DoubleEndedIterator<Item = &'s T> + Clone {
        let (small, large) = if self.len() <= other.len() {
            (self, other)
        } else {
            (other, self)
        };
        small.iter().filter(|item| large.contains(*item))
    }

    /// The items of this set that the other has not.
    pub fn difference<'s>(
        &'s self,
        other: &'s Self,
    ) -> impl DoubleEndedIterator<Item = &'s T> + Clone {
        self.iter().filter(|item| !other.contains(*item))
    }

    pub fn is_subset(&self, other: &Self) -> bool {
        self.len() <= other.len() && self.iter().all(|item| other.contains(item))
    }

    pub fn is_superset(&self, other: &Self) -> bool {
        other.is_subset(self)
    }

    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.intersection(other).next().is_none()
    }
}

/// The items of a set, by reference.
pub struct Iter<'s, T>(iter::Iter<'s, T, ()>);

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<'s, T> Iterator for Iter<'s, T> {
    type Item = &'s T;

    #[inline]
    fn next(&mut self) -> Option<&'s T> {
        self.0.next().map(|(item, ())| item)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    #[inline]
    fn last(mut self) -> Option<&'s T> {
        self.next_back()
    }
}

impl<T> DoubleEndedIterator for Iter<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(item, ())| item)
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}

/// The items of a set that is used up.
pub struct IntoIter<T>(iter::IntoIter<T, ()>);

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.0.next().map(|(item, ())| item)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T> DoubleEndedIterator for IntoIter<T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        self.0.next_back().map(|(item, ())| item)
    }
}

impl<T> ExactSizeIterator for IntoIter<T> {}

/// The items of two sets in their common order, each once.
#[derive(Clone)]
pub struct Union<'s, T> {
    one: Peekable<Iter<'s, T>>,
    other: Peekable<Iter<'s, T>>,
}

impl<'s, T: Ord> Iterator for Union<'s, T> {
    type Item = &'s T;

    fn next(&mut self) -> Option<&'s T> {
        match (self.one.peek(), self.other.peek()) {
            (Some(one), Some(other)) if one > other => self.other.next(),
            (Some(one), Some(other)) if one == other => {
                self.other.next();
                self.one.next()
            }
            (Some(_), _) => self.one.next(),
            (None, _) => self.other.next(),
        }
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

impl<'s, T> IntoIterator for &'s SortedSet<T> {
    type Item = &'s T;
    type IntoIter = Iter<'s, T>;

    fn into_iter(self) -> Iter<'s, T> {
        self.iter()
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter(self.0.into_iter())
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for item in items {
            self.insert(item);
        }
    }
}

impl<'i, T: Ord + Copy + 'i> Extend<&'i T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = &'i T>>(&mut self, items: I) {
        for item in items {
            self.insert(*item);
        }
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut set = Self::new();
        set.extend(items);
        set
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for SortedSet<T> {
    fn from(items: [T; N]) -> Self {
        items.into_iter().collect()
    }
}

impl<T: Ord + Clone> BitOr for &SortedSet<T> {
    type Output = SortedSet<T>;

    fn bitor(self, other: Self) -> SortedSet<T> {
        self.union(other).cloned().collect()
    }
}
