//! The entries of a map, in chunks.

use std::borrow::Borrow;
use std::cmp::Ordering;

use super::CHUNK;
use super::iter::{IntoIter, Iter, IterMut, Range, Row};

/// The entries of a map, in chunks of which none is empty; each key is greater than all before it.
#[derive(Clone)]
pub struct Chunks<K, V> {
    chunks: Vec<Vec<(K, V)>>,
    len: usize,
}

/// The place of an entry, or between two entries: the number of a chunk and an index in it, which may be its length.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    chunk: usize,
    index: usize,
}

impl Place {
    /// The place of the first entry.
    pub const START: Place = Place { chunk: 0, index: 0 };
}

impl<K, V> Chunks<K, V> {
    /// No entries.
    pub const fn none() -> Self {
        Self {
            chunks: Vec::new(),
            len: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn iter(&self) -> Iter<'_, K, V> {
        let row = Row {
            front: [].iter(),
            lists: self.chunks.iter(),
            back: [].iter(),
        };
        Iter::new(row, self.len)
    }

    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        let row = Row {
            front: [].iter_mut(),
            lists: self.chunks.iter_mut(),
            back: [].iter_mut(),
        };
        IterMut::new(row, self.len)
    }

    pub fn into_entries(self) -> IntoIter<K, V> {
        let none = || Vec::new().into_iter();
        let row = Row {
            front: none(),
            lists: self.chunks.into_iter(),
            back: none(),
        };
        IntoIter::new(row, self.len)
    }

    /// The entries from one place to another; none where the first is behind the other.
    pub fn between(&self, from: Place, to: Place) -> Range<'_, K, V> {
        let chunk = |number: usize| self.chunks.get(number).map_or(&[][..], Vec::as_slice);
        let (front, lists, back) = match from.chunk.cmp(&to.chunk) {
            _ if from >= to => (&[][..], &[][..], &[][..]),
            Ordering::Equal => (&chunk(from.chunk)[from.index..to.index], &[][..], &[][..]),
            _ => (
                &chunk(from.chunk)[from.index..],
                &self.chunks[from.chunk + 1..to.chunk],
                &chunk(to.chunk)[..to.index],
            ),
        };
        Range(Row {
            front: front.iter(),
            lists: lists.iter(),
            back: back.iter(),
        })
    }

    /// Behind the last entry.
    pub fn end(&self) -> Place {
        match self.chunks.last() {
            Some(last) => Place {
                chunk: self.chunks.len() - 1,
                index: last.len(),
            },
            None => Place::START,
        }
    }

    /// The place of the last entry.
    pub fn last(&self) -> Option<Place> {
        let end = self.end();
        (self.len > 0).then(|| Place {
            index: end.index - 1,
            ..end
        })
    }

    pub fn entry(&self, place: Place) -> &(K, V) {
        &self.chunks[place.chunk][place.index]
    }

    pub fn value_mut(&mut self, place: Place) -> &mut V {
        &mut self.chunks[place.chunk][place.index].1
    }

    /// Puts an entry where its key belongs. A full chunk is halved first; behind the last entry, a new chunk is begun instead, so that keys that come in
    /// order fill their chunks.
    pub fn insert(&mut self, place: Place, key: K, value: V) -> &mut V {
        let Place {
            mut chunk,
            mut index,
        } = place;
        match self.chunks.get_mut(chunk) {
            None => self.chunks = vec![Vec::new()],
            Some(entries) if entries.len() < CHUNK => {}
            Some(entries) => {
                let middle = if index == CHUNK { CHUNK } else { CHUNK / 2 };
                let upper = entries.split_off(middle);
                self.chunks.insert(chunk + 1, upper);
                if index > middle || middle == CHUNK {
                    chunk += 1;
                    index -= middle;
                }
            }
        }
        self.len += 1;
        let entries = &mut self.chunks[chunk];
        entries.insert(index, (key, value));
        &mut entries[index].1
    }

    pub fn remove(&mut self, place: Place) -> (K, V) {
        let entries = &mut self.chunks[place.chunk];
        let entry = entries.remove(place.index);
        if entries.is_empty() {
            self.chunks.remove(place.chunk);
        }
        self.len -= 1;
        entry
    }

    /// Keeps the entries for which `keep` holds.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        let mut left = 0;
        self.chunks.retain_mut(|chunk| {
            chunk.retain_mut(|(key, value)| keep(key, value));
            left += chunk.len();
            !chunk.is_empty()
        });
        self.len = left;
    }

    /// Takes the entries from a place on away.
    pub fn split_off(&mut self, place: Place) -> Self {
        let Place { chunk, index } = place;
        let mut upper = Self::none();
        if chunk < self.chunks.len() {
            let rest = self.chunks[chunk].split_off(index);
            upper.chunks = self.chunks.split_off(chunk + 1);
            upper.chunks.insert(0, rest);
            self.chunks.retain(|chunk| !chunk.is_empty());
            upper.chunks.retain(|chunk| !chunk.is_empty());
            upper.len = upper.chunks.iter().map(Vec::len).sum();
            self.len -= upper.len;
        }
        upper
    }

    #[cfg(test)]
    pub fn lengths(&self) -> impl Iterator<Item = usize> {
        self.chunks.iter().map(Vec::len)
    }
}

impl<K: Ord, V> Chunks<K, V> {
    /// The place of a key's entry, or where it would stand.
    pub fn locate<Q: Ord + ?Sized>(&self, key: &Q) -> Result<Place, Place>
    where
        K: Borrow<Q>,
    {
        let mut chunk = 0;
        let mut above = self.chunks.len().saturating_sub(1);
        while chunk < above {
            let middle = (chunk + above) / 2;
            match self.chunks[middle].last() {
                Some((last, _)) if last.borrow() < key => chunk = middle + 1,
                _ => above = middle,
            }
        }
        let mut index = 0;
        if let Some(entries) = self.chunks.get(chunk) {
            let mut above = entries.len();
            while index < above {
                let middle = (index + above) / 2;
                match entries[middle].0.borrow().cmp(key) {
                    Ordering::Less => index = middle + 1,
                    Ordering::Equal => {
                        return Ok(Place {
                            chunk,
                            index: middle,
                        });
                    }
                    Ordering::Greater => above = middle,
                }
            }
        }
        Err(Place { chunk, index })
    }

    /// Behind all smaller keys.
    pub fn before<Q: Ord + ?Sized>(&self, key: &Q) -> Place
    where
        K: Borrow<Q>,
    {
        match self.locate(key) {
            Ok(place) | Err(place) => place,
        }
    }

    /// Before all greater keys.
    pub fn behind<Q: Ord + ?Sized>(&self, key: &Q) -> Place
    where
        K: Borrow<Q>,
    {
        match self.locate(key) {
            Ok(place) => Place {
                index: place.index + 1,
                ..place
            },
            Err(place) => place,
        }
    }
}
