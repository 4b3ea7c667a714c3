//! Values in print.

use crate::base::float::text::shortest;
use crate::ir::ty::Reading;
use crate::source::place::Places;
use crate::trace::Value;

/// Unsigned values of at least this size are written in hexadecimal: they are addresses, hashes or masks.
const HEX_FROM: u128 = 1 << 32;

/// The value as a decimal number, signed if its type is; a floating-point number as the shortest one that is read back
/// as it (`0.1`, `inf`, `nan`).
pub fn decimal(value: Value) -> String {
    if let Reading::Float(format) = value.reading {
        return shortest(format, value.value);
    }
    let signed = value.reading == Reading::Signed;
    if signed && (1..128).contains(&value.bits) && value.value >> (value.bits - 1) & 1 == 1 {
        // Two's complement: the sign bit and everything above it are set.
        return (value.value | u128::MAX << value.bits)
            .cast_signed()
            .to_string();
    }
    if signed && value.bits == 128 {
        return value.value.cast_signed().to_string();
    }
    value.value.to_string()
}

/// The value for people: addresses with the name of what lies there, large unsigned values in hexadecimal.
pub fn display(value: Value, places: &dyn Places) -> String {
    if let Reading::Float(_) = value.reading {
        return decimal(value);
    }
    if value.bits >= 32
        && value.value != 0
        && let Some(name) = places.address_name(value.value)
    {
        return format!("{:#x} (&{name})", value.value);
    }
    if value.reading == Reading::Unsigned && value.value >= HEX_FROM {
        return format!("{:#x}", value.value);
    }
    decimal(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Loc;
    use crate::source::Position;

    struct OneObject;

    impl Places for OneObject {
        fn position(&self, _: Loc) -> Option<Position> {
            None
        }
        fn line_text(&self, _: Loc) -> Option<String> {
            None
        }
        fn address_name(&self, address: u128) -> Option<String> {
            (address == 0x100_0000_0008).then(|| "queue.head".to_string())
        }
    }

    fn show(bits: u16, value: u128, signed: bool) -> String {
        display(
            Value {
                bits,
                value,
                reading: Reading::integer(signed),
            },
            &OneObject,
        )
    }

    #[test]
    fn numbers() {
        assert_eq!(show(32, 5, true), "5");
        assert_eq!(show(32, 0xffff_ffff, true), "-1");
        assert_eq!(show(32, 0xffff_ffff, false), "4294967295");
        assert_eq!(show(8, 0x80, true), "-128");
        assert_eq!(show(1, 1, true), "-1");
        assert_eq!(show(64, 1 << 40, false), "0x10000000000");
        assert_eq!(show(128, u128::MAX, true), "-1");
        assert_eq!(show(127, (1 << 127) - 1, true), "-1");
    }

    #[test]
    fn floating_point_numbers() {
        use crate::base::float::Format;
        let show = |format: Format, value| {
            let (bits, reading) = (format.bits(), Reading::Float(format));
            let value = Value {
                bits,
                value,
                reading,
            };
            display(value, &OneObject)
        };
        assert_eq!(show(Format::Double, 0.1f64.to_bits().into()), "0.1");
        assert_eq!(show(Format::Single, 0x3dcc_cccd), "0.1");
        assert_eq!(show(Format::Single, 0xff80_0000), "-inf");
        assert_eq!(show(Format::Double, Format::Double.nan()), "nan");
    }

    #[test]
    fn addresses_of_known_objects() {
        assert_eq!(
            show(64, 0x100_0000_0008, false),
            "0x10000000008 (&queue.head)"
        );
        assert_eq!(show(64, 0, false), "0");
    }
}
