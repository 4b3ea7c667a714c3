//! Bits and their values as text, in the file of a proof: `5.0 !5.1`.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

/// Bits, separated by blanks, with `!` before those that are not set.
pub fn serialize<S: Serializer>(
    bits: &[(usize, u16, bool)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let literal = |(word, bit, value): &(usize, u16, bool)| {
        let sign = if *value { "" } else { "!" };
        format!("{sign}{word}.{bit}")
    };
    let all: Vec<String> = bits.iter().map(literal).collect();
    serializer.serialize_str(&all.join(" "))
}

/// The same bits.
pub fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(usize, u16, bool)>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let literal = |text: &str| {
        let (positive, plain) = match text.strip_prefix('!') {
            None => (true, text),
            Some(plain) => (false, plain),
        };
        let (word, bit) = plain.split_once('.')?;
        Some((word.parse().ok()?, bit.parse().ok()?, positive))
    };
    let wrong = || D::Error::custom(format!("`{text}` is no list of bits"));
    text.split_whitespace()
        .map(|text| literal(text).ok_or_else(wrong))
        .collect()
}
