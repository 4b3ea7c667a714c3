//! A fixed 64-bit mixing function, so that keys made of positions are the same in every run, and random numbers that are.

/// Combines a running key with one more word (the finaliser of SplitMix64, Steele, Lea and Flood 2014).
pub fn mix(key: u64, word: u64) -> u64 {
    let mut z = key.rotate_left(5) ^ word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Random numbers by xorshift (Marsaglia, "Xorshift RNGs", 2003), the same in every run.
pub struct Random(u64);

impl Random {
    /// Numbers that a seed begins, which is not 0.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// The next number, below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.number() >> 8) as usize % n
    }
}
