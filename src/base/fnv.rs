//! The hash FNV-1a of 128 bits (Fowler, Noll, Vo), for names that are to be the same in every version. It is not meant to
//! withstand anybody who wants two texts to have the same.

/// The hash of bytes.
pub fn fnv(bytes: impl Iterator<Item = u8>) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = (1 << 88) + 0x13b;
    bytes.fold(BASIS, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(PRIME)
    })
}
