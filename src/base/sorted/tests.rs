use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::{CHUNK, SortedMap, SortedSet};
use crate::base::mix::Random;

type Ours = SortedMap<u32, u64>;
type Theirs = BTreeMap<u32, u64>;

/// Compares everything that can be looked at, from both sides.
fn same(ours: &Ours, theirs: &Theirs) {
    assert_eq!(
        (ours.len(), ours.is_empty()),
        (theirs.len(), theirs.is_empty())
    );
    assert!(ours.iter().eq(theirs) && ours.iter().rev().eq(theirs.iter().rev()));
    assert!(ours.keys().eq(theirs.keys()) && ours.values().eq(theirs.values()));
    assert_eq!(ours.iter().len(), theirs.len());
    assert_eq!(ours.first_key_value(), theirs.first_key_value());
    assert_eq!(ours.last_key_value(), theirs.last_key_value());
    assert_eq!(ours.iter().last(), theirs.iter().last());
    // From both sides by turns.
    let (mut these, mut those) = (ours.iter(), theirs.iter());
    for turn in 0..=ours.len() {
        match turn % 3 {
            0 => assert_eq!(these.next_back(), those.next_back()),
            _ => assert_eq!(these.next(), those.next()),
        }
    }
}

/// A bound at a key or beside it, or none.
fn bound(random: &mut Random, keys: usize) -> Bound<u32> {
    let key = random.below(keys) as u32;
    match random.below(3) {
        0 => Bound::Included(key),
        1 => Bound::Excluded(key),
        _ => Bound::Unbounded,
    }
}

fn same_ranges(random: &mut Random, ours: &Ours, theirs: &Theirs, keys: usize) {
    let range = (bound(random, keys), bound(random, keys));
    match range {
        (Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b))
            if a >= b =>
        {
            // The standard library panics at some of these.
            let expected = ours
                .get_key_value_of(a)
                .filter(|_| range == (Bound::Included(a), Bound::Included(a)) && a == b);
            assert!(ours.range(range).eq(expected));
        }
        _ => {
            assert!(ours.range(range).eq(theirs.range(range)));
            assert!(ours.range(range).rev().eq(theirs.range(range).rev()));
            assert_eq!(ours.range(range).last(), theirs.range(range).last());
        }
    }
}

impl Ours {
    fn get_key_value_of(&self, key: u32) -> Option<(&u32, &u64)> {
        Some((self.get_key(&key)?, self.get(&key)?))
    }
}

/// One random operation on both, whose answers are compared.
fn step(random: &mut Random, ours: &mut Ours, theirs: &mut Theirs, keys: usize) {
    let (key, value) = (random.below(keys) as u32, random.number());
    match random.below(40) {
        0..12 => assert_eq!(ours.insert(key, value), theirs.insert(key, value)),
        12..20 => assert_eq!(ours.remove(&key), theirs.remove(&key)),
        20..24 => assert_eq!(ours.get(&key), theirs.get(&key)),
        24 => assert_eq!(ours.contains_key(&key), theirs.contains_key(&key)),
        25 => assert_eq!(
            ours.get_mut(&key).map(|v| *v += 1),
            theirs.get_mut(&key).map(|v| *v += 1)
        ),
        26 => assert_eq!(ours.pop_first(), theirs.pop_first()),
        27 => assert_eq!(ours.pop_last(), theirs.pop_last()),
        28 => assert_eq!(
            ours.entry(key).or_insert(value),
            theirs.entry(key).or_insert(value)
        ),
        29 => assert_eq!(ours.entry(key).or_default(), theirs.entry(key).or_default()),
        30 => {
            let doubled = |key: &u32| u64::from(*key) * 2;
            assert_eq!(
                ours.entry(key).or_insert_with_key(doubled),
                theirs.entry(key).or_insert_with_key(doubled)
            );
        }
        31 => {
            ours.entry(key)
                .and_modify(|v| *v ^= value)
                .or_insert_with(|| value);
            theirs
                .entry(key)
                .and_modify(|v| *v ^= value)
                .or_insert_with(|| value);
        }
        32 => {
            ours.values_mut().for_each(|v| *v = v.rotate_left(1));
            theirs.values_mut().for_each(|v| *v = v.rotate_left(1));
        }
        _ => same_ranges(random, ours, theirs, keys),
    }
}

/// One random operation on all entries.
fn long_step(random: &mut Random, ours: &mut Ours, theirs: &mut Theirs, keys: usize) {
    let key = random.below(keys) as u32;
    match random.below(5) {
        0 => {
            let odds = random.number() | 1;
            ours.retain(|key, value| {
                !(value.wrapping_add((*key).into())).is_multiple_of(odds % 5 + 2)
            });
            theirs.retain(|key, value| {
                !(value.wrapping_add((*key).into())).is_multiple_of(odds % 5 + 2)
            });
        }
        1 => {
            let (upper, those) = (ours.split_off(&key), theirs.split_off(&key));
            same(&upper, &those);
            same(ours, theirs);
            let (mut upper, mut those) = (upper, those);
            ours.append(&mut upper);
            theirs.append(&mut those);
            assert!(upper.is_empty());
        }
        2 => {
            let mut more: Ours = (key..key + 400).map(|key| (key, key.into())).collect();
            let mut those: Theirs = (key..key + 400).map(|key| (key, key.into())).collect();
            ours.append(&mut more);
            theirs.append(&mut those);
        }
        3 => {
            let copy = ours.clone();
            same(&copy, theirs);
            assert!(copy == *ours && copy.cmp(ours).is_eq());
            assert!(copy.into_iter().rev().eq(theirs.clone().into_iter().rev()));
        }
        _ => {
            let again: Ours = ours.clone().into_iter().rev().collect();
            assert_eq!(again, *ours);
            assert_eq!(format!("{again:?}"), format!("{theirs:?}"));
            assert!(ours.clone().into_keys().eq(theirs.clone().into_keys()));
            assert!(ours.clone().into_values().eq(theirs.clone().into_values()));
        }
    }
}

#[test]
fn maps_are_those_of_the_standard_library() {
    for (seed, keys) in [(1, 8), (2, CHUNK), (3, 3 * CHUNK), (4, 20 * CHUNK)] {
        let mut random = Random::new(seed);
        let (mut ours, mut theirs) = (Ours::new(), Theirs::new());
        for _ in 0..40 {
            for _ in 0..5 * CHUNK.min(keys) {
                step(&mut random, &mut ours, &mut theirs, keys);
            }
            same(&ours, &theirs);
            long_step(&mut random, &mut ours, &mut theirs, keys);
            same(&ours, &theirs);
        }
    }
}

#[test]
fn keys_in_any_order_fill_chunks_that_are_none_too_long() {
    let many = 10 * CHUNK as u32;
    for ours in [
        (0..many).map(|key| (key, 0)).collect::<Ours>(),
        (0..many).rev().map(|key| (key, 0)).collect(),
        (0..many).map(|key| (key * 7919 % many, 0)).collect(),
    ] {
        assert!(ours.keys().copied().eq(0..many));
        let lengths: Vec<usize> = ours.chunk_lengths().collect();
        assert!(
            lengths
                .iter()
                .all(|length| (CHUNK / 2..=CHUNK).contains(length)),
            "{lengths:?}"
        );
    }
    let ours: Ours = (0..many).map(|key| (key, 0)).collect();
    assert!(ours.chunk_lengths().all(|length| length == CHUNK));
}

#[test]
fn sets_are_those_of_the_standard_library() {
    let mut random = Random::new(5);
    let mut pair = |size: usize| {
        let items: Vec<usize> = (0..size).map(|_| random.below(2 * size)).collect();
        (
            items.iter().copied().collect::<SortedSet<usize>>(),
            items.into_iter().collect::<BTreeSet<usize>>(),
        )
    };
    let pairs: Vec<_> = [1, 4, 4, 30, CHUNK, 3 * CHUNK, 3 * CHUNK]
        .map(&mut pair)
        .into_iter()
        .chain([Default::default()])
        .collect();
    for (a, x) in &pairs {
        assert!(a.iter().eq(x) && a.clone().into_iter().rev().eq(x.iter().copied().rev()));
        assert_eq!(
            (a.first(), a.last(), a.len()),
            (x.first(), x.last(), x.len())
        );
        assert_eq!(format!("{a:?}"), format!("{x:?}"));
        for (b, y) in &pairs {
            assert!(a.union(b).eq(x.union(y)));
            assert!(a.intersection(b).eq(x.intersection(y)));
            assert!(a.difference(b).eq(x.difference(y)));
            assert!((a | b).iter().eq(&(x | y)));
            assert_eq!(a.is_subset(b), x.is_subset(y));
            assert_eq!(a.is_superset(b), x.is_superset(y));
            assert_eq!(a.is_disjoint(b), x.is_disjoint(y));
            assert_eq!((a == b, a.cmp(b)), (x == y, x.cmp(y)));
        }
    }
}

#[test]
fn maps_are_written_and_read_as_those_of_the_standard_library() {
    let ours: SortedMap<String, Vec<u8>> =
        [("b".to_string(), vec![1, 3]), ("a".to_string(), vec![])].into();
    let text = serde_json::to_string(&ours).unwrap();
    assert_eq!(text, r#"{"a":[],"b":[1,3]}"#);
    assert_eq!(
        serde_json::from_str::<SortedMap<String, Vec<u8>>>(&text).unwrap(),
        ours
    );
}
