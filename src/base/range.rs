//! Ranges of bounds as they are typed: `3`, `1..4`, `1,2,4..6`.

/// Bounds from `first` to `last`, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least.
    pub first: u32,
    /// The most.
    pub last: u32,
}

impl Range {
    /// Reads `N` or `A..B`, both between `least` and `most`.
    ///
    /// # Errors
    /// A message: what was expected, or that the range is empty.
    pub fn parse(text: &str, least: u32, most: u32) -> Result<Range, String> {
        let expected = || format!("expected N or A..B with numbers from {least} to {most}");
        let number = |text: &str| match text.parse::<u32>() {
            Ok(value) if (least..=most).contains(&value) => Ok(value),
            _ => Err(expected()),
        };
        let range = match text.split_once("..") {
            None => {
                let value = number(text)?;
                Range {
                    first: value,
                    last: value,
                }
            }
            Some((first, last)) => Range {
                first: number(first)?,
                last: number(last)?,
            },
        };
        if range.first > range.last {
            return Err(format!(
                "the range is empty: {} is larger than {}",
                range.first, range.last
            ));
        }
        Ok(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_range() {
        let parse = |text| Range::parse(text, 1, 100);
        assert_eq!(parse("3"), Ok(Range { first: 3, last: 3 }));
        assert_eq!(parse("1..4"), Ok(Range { first: 1, last: 4 }));
        assert!(parse("4..1").unwrap_err().contains("4 is larger than 1"));
        for text in [
            "",
            "..",
            "0..",
            "1..",
            "..4",
            "0..4",
            "1..101",
            "a",
            "-1..2",
            "1...3",
            "1..2..3",
            "99999999999",
        ] {
            assert!(
                parse(text).unwrap_err().starts_with("expected N or A..B"),
                "{text}"
            );
        }
    }
}
