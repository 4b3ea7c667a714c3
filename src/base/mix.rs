//! A fixed 64-bit mixing function, so that keys made of positions are the same in every run.

/// Combines a running key with one more word (the finaliser of SplitMix64, Steele, Lea and Flood 2014).
pub fn mix(key: u64, word: u64) -> u64 {
    let mut z = key.rotate_left(5) ^ word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
