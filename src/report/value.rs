//! Values in print.

use crate::ir::ty::Reading;
use crate::trace::Value;

/// Unsigned values of at least this size are written in hexadecimal: they are addresses, hashes or masks.
const HEX_FROM: u128 = 1 << 32;

/// The value as a decimal number, signed if its type is; a floating-point number as the shortest one that is read back
/// as it (`0.1`, `inf`, `nan`).
pub fn decimal(value: &Value) -> String {
    value.decimal()
}

/// The value for people: a pointer as what it points to, large unsigned values in hexadecimal.
pub fn display(value: &Value) -> String {
    match (value.reading, value.value, &value.name) {
        (Reading::Float(_), ..) => decimal(value),
        (_, _, Some(name)) => name.clone(),
        (Reading::Pointer, 0, None) => "null".to_string(),
        (Reading::Pointer, number, None) => format!("{number:#x}"),
        (Reading::Bool, 0, None) => "false".to_string(),
        (Reading::Bool, 1, None) => "true".to_string(),
        (Reading::Char { .. }, 0x20..=0x7e, None) => {
            format!("{:?}", char::from(value.value as u8))
        }
        (Reading::Char { .. }, 0, None) => r"'\0'".to_string(),
        (Reading::Char { .. }, 10, None) => r"'\n'".to_string(),
        (Reading::Unsigned, HEX_FROM.., None) => format!("{:#x}", value.value),
        _ => decimal(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(bits: u16, value: u128, reading: Reading) -> String {
        display(&Value {
            bits,
            value,
            reading,
            name: None,
        })
    }

    #[test]
    fn numbers() {
        let (signed, unsigned) = (Reading::Signed, Reading::Unsigned);
        assert_eq!(show(32, 5, signed), "5");
        assert_eq!(show(32, 0xffff_ffff, signed), "-1");
        assert_eq!(show(32, 0xffff_ffff, unsigned), "4294967295");
        assert_eq!(show(8, 0x80, signed), "-128");
        assert_eq!(show(1, 1, signed), "-1");
        assert_eq!(show(64, 1 << 40, unsigned), "0x10000000000");
        assert_eq!(show(128, u128::MAX, signed), "-1");
        assert_eq!(show(127, (1 << 127) - 1, signed), "-1");
        assert_eq!(show(8, 1, Reading::Bool), "true");
        assert_eq!(show(8, 0xff, Reading::Char { signed: true }), "-1");
        assert_eq!(show(8, 0x61, Reading::Char { signed: true }), "'a'");
        assert_eq!(show(8, 0x27, Reading::Char { signed: false }), r"'\''");
        // No value of the type.
        assert_eq!(show(8, 2, Reading::Bool), "2");
    }

    #[test]
    fn floating_point_numbers() {
        use crate::base::float::Format;
        let show = |format: Format, value| show(format.bits(), value, Reading::Float(format));
        assert_eq!(show(Format::Double, 0.1f64.to_bits().into()), "0.1");
        assert_eq!(show(Format::Single, 0x3dcc_cccd), "0.1");
        assert_eq!(show(Format::Single, 0xff80_0000), "-inf");
        assert_eq!(show(Format::Double, Format::Double.nan()), "nan");
    }

    #[test]
    fn pointers() {
        assert_eq!(show(64, 0, Reading::Pointer), "null");
        assert_eq!(show(64, 16, Reading::Pointer), "0x10");
        let value = Value {
            bits: 64,
            value: 0x100_0000_0008,
            reading: Reading::Unsigned,
            name: Some("&queue.head".to_string()),
        };
        assert_eq!(display(&value), "&queue.head");
    }
}
