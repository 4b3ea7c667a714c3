//! Numbers as text: what constants of a program denote, and how values are shown.

use super::Format;

/// The decimal number (`1`, `.5`, `1e-3`) next to what the text says, rounded once.
pub fn decimal(format: Format, text: &str) -> Option<u128> {
    match format {
        Format::Single => text.parse::<f32>().ok().map(|n| n.to_bits().into()),
        Format::Double => text.parse::<f64>().ok().map(|n| n.to_bits().into()),
    }
}

/// The number next to `h.hhhp±d` (after the prefix `0x`), rounded once.
pub fn hexadecimal(format: Format, text: &str) -> Option<u128> {
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // Nobody notices more than this.
    let exponent: i64 = exponent.parse::<i64>().ok()?.clamp(-1 << 40, 1 << 40);
    let mut value = 0u128;
    // Binary places that were dropped, and whether anything was there.
    let (mut dropped, mut sticky) = (0i64, false);
    for digit in whole.chars().chain(fraction.chars()) {
        let digit = digit.to_digit(16)?;
        match value >> 120 {
            0 => value = value << 4 | u128::from(digit),
            _ => {
                dropped += 4;
                sticky |= digit != 0;
            }
        }
    }
    let exponent = exponent - 4 * i64::try_from(fraction.len()).ok()? + dropped;
    Some(scaled(format, value, sticky, exponent))
}

/// `value` (and a little more, if `sticky`) times 2^`exponent`, rounded to nearest, ties to even.
fn scaled(format: Format, value: u128, sticky: bool, exponent: i64) -> u128 {
    if value == 0 {
        return 0;
    }
    let length = 128 - i64::from(value.leading_zeros());
    // The place of the last bit of the result: that of the precision, but no smaller than a subnormal number's.
    let least = 1 - i64::from(format.bias()) - i64::from(format.fraction_bits());
    let last = (exponent + length - i64::from(format.precision())).max(least);
    let shift = last - exponent;
    let (kept, half, rest) = match shift {
        i64::MIN..=0 => (value << -shift, false, false),
        1..=127 => (
            value >> shift,
            value >> (shift - 1) & 1 != 0,
            value & ((1 << (shift - 1)) - 1) != 0 || sticky,
        ),
        128 => (0, value >> 127 != 0, value << 1 != 0 || sticky),
        _ => (0, false, true),
    };
    let rounded = kept + u128::from(half && (rest || kept & 1 != 0));
    // The leading one, if there is one, raises the exponent field from 0 to 1.
    let field = (last - least) as u128;
    if field >= u128::from(format.special_exponent()) {
        return format.infinity();
    }
    let word = (field << format.fraction_bits()) + rounded;
    word.min(format.infinity())
}

/// The shortest decimal number that is read back as this one: `0.1`, `1e300`, `-0.0`, `inf`, `nan`, `-nan`.
pub fn shortest(format: Format, word: u128) -> String {
    if format.is_nan(word) {
        return match word & format.sign() {
            0 => "nan".into(),
            _ => "-nan".into(),
        };
    }
    match format {
        Format::Single => format!("{:?}", f32::from_bits(word as u32)),
        Format::Double => format!("{:?}", f64::from_bits(word as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(text: &str) -> f64 {
        f64::from_bits(hexadecimal(Format::Double, text).expect("a number") as u64)
    }

    fn single(text: &str) -> f32 {
        f32::from_bits(hexadecimal(Format::Single, text).expect("a number") as u32)
    }

    #[test]
    fn hexadecimal_numbers_round_once() {
        assert_eq!(double("1.8p1"), 3.0);
        assert_eq!(double("1p-2"), 0.25);
        assert_eq!(double("1p-1074"), 5e-324);
        assert_eq!(double("1p-1075"), 0.0);
        assert_eq!(double("1.8p-1075"), 5e-324);
        assert_eq!(double("1.fffffffffffff8p1023"), f64::INFINITY);
        assert_eq!(double("1.fffffffffffff7p1023"), f64::MAX);
        assert_eq!(double("1.00000000000008p0"), 1.0);
        assert_eq!(
            double("1.000000000000080000000000000000000000000000001p0").to_bits(),
            1f64.to_bits() + 1
        );
        assert_eq!(
            double(".00000000000000000000000000000000000000000001p176"),
            1.0
        );
        assert_eq!(single("1.0000010000000001p0").to_bits(), 1f32.to_bits() + 1);
        assert_eq!(single("1.fffffep127"), f32::MAX);
        assert_eq!(single("1.ffffffp127"), f32::INFINITY);
        assert_eq!(single("1p999999999999"), f32::INFINITY);
        assert_eq!(single("1p-999999999999"), 0.0);
    }

    #[test]
    fn shortest_numbers() {
        let show = |number: f64| shortest(Format::Double, number.to_bits().into());
        assert_eq!(show(0.1), "0.1");
        assert_eq!(show(-0.0), "-0.0");
        assert_eq!(show(3.0), "3.0");
        assert_eq!(show(f64::INFINITY), "inf");
        assert_eq!(show(1e300), "1e300");
        assert_eq!(shortest(Format::Double, Format::Double.nan()), "nan");
        assert_eq!(shortest(Format::Single, 0.1f32.to_bits().into()), "0.1");
    }
}
