//! How values are written.

use super::place::Places;
use crate::trace::Value;

/// Unsigned values of at least this size are written in hexadecimal: they are addresses, hashes or masks.
const HEX_FROM: u128 = 1 << 32;

/// The value as a decimal number, signed if its type is.
pub fn decimal(value: Value) -> String {
    if value.signed && (1..128).contains(&value.bits) && value.value >> (value.bits - 1) & 1 == 1 {
        // Two's complement: the sign bit and everything above it are set.
        return (value.value | u128::MAX << value.bits)
            .cast_signed()
            .to_string();
    }
    if value.signed && value.bits == 128 {
        return value.value.cast_signed().to_string();
    }
    value.value.to_string()
}

/// The value for people: addresses with the name of what lies there, large unsigned values in hexadecimal.
pub fn display(value: Value, places: &dyn Places) -> String {
    if value.bits >= 32
        && value.value != 0
        && let Some(name) = places.address_name(value.value)
    {
        return format!("{:#x} (&{name})", value.value);
    }
    if !value.signed && value.value >= HEX_FROM {
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
                signed,
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
    fn addresses_of_known_objects() {
        assert_eq!(
            show(64, 0x100_0000_0008, false),
            "0x10000000008 (&queue.head)"
        );
        assert_eq!(show(64, 0, false), "0");
    }
}
