//! A place of a map for a key, occupied or vacant.

use super::chunks::{Chunks, Place};

/// The place of a key in a map.
pub enum Entry<'m, K, V> {
    Occupied(OccupiedEntry<'m, K, V>),
    Vacant(VacantEntry<'m, K, V>),
}

/// A place that has an entry.
pub struct OccupiedEntry<'m, K, V> {
    pub(super) map: &'m mut Chunks<K, V>,
    pub(super) place: Place,
}

/// A place where an entry would stand.
pub struct VacantEntry<'m, K, V> {
    pub(super) map: &'m mut Chunks<K, V>,
    pub(super) place: Place,
    pub(super) key: K,
}

impl<'m, K, V> Entry<'m, K, V> {
    pub fn or_insert(self, value: V) -> &'m mut V {
        self.or_insert_with(|| value)
    }

    #[inline]
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'m mut V {
        self.or_insert_with_key(|_| value())
    }

    #[inline]
    pub fn or_insert_with_key(self, value: impl FnOnce(&K) -> V) -> &'m mut V {
        match self {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let value = value(&entry.key);
                entry.insert(value)
            }
        }
    }

    pub fn or_default(self) -> &'m mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// The entry, its value changed where there is one.
    #[inline]
    pub fn and_modify(mut self, change: impl FnOnce(&mut V)) -> Self {
        if let Entry::Occupied(entry) = &mut self {
            change(entry.get_mut());
        }
        self
    }
}

impl<'m, K, V> OccupiedEntry<'m, K, V> {
    pub fn get(&self) -> &V {
        &self.map.entry(self.place).1
    }

    pub fn get_mut(&mut self) -> &mut V {
        self.map.value_mut(self.place)
    }

    pub fn into_mut(self) -> &'m mut V {
        self.map.value_mut(self.place)
    }

    pub fn remove(self) -> V {
        self.map.remove(self.place).1
    }
}

impl<'m, K, V> VacantEntry<'m, K, V> {
    pub fn insert(self, value: V) -> &'m mut V {
        self.map.insert(self.place, self.key, value)
    }
}
