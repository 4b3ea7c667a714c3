//! Values: as they are written, and read back.

use super::path::{Found, Within, Wrong};
use super::shape::ValueJson;
use super::word;
use crate::ir::ty::Reading;
use crate::report::value::decimal;
use crate::trace::Value;

/// A value as it is written.
pub fn written(value: &Value) -> ValueJson {
    let is_float = matches!(value.reading, Reading::Float(_));
    ValueJson {
        bits: value.bits,
        signed: value.reading.is_signed(),
        float: is_float,
        decimal: decimal(value),
        kind: word::reading(value.reading).into(),
        name: value.name.clone(),
        // Several are not a number.
        pattern: is_float.then(|| format!("{:#x}", value.value)),
    }
}

/// The value that was written.
///
/// # Errors
/// It is none.
pub fn read(of: ValueJson) -> Found<Value> {
    let reading = word::reading_of(&of.kind, of.signed, of.bits);
    let reading = reading.map_err(Wrong::new).within("kind")?;
    if of.bits > MOST_BITS {
        return Err(Wrong::new(format!("no value has {}", of.bits))).within("bits");
    }
    let mask = u128::MAX
        .checked_shr(u32::from(MOST_BITS - of.bits))
        .unwrap_or(0);
    let number = match (reading, &of.pattern) {
        (Reading::Float(_), Some(pattern)) => {
            let digits = pattern.strip_prefix("0x").unwrap_or_default();
            u128::from_str_radix(digits, 16).ok()
        }
        (Reading::Float(_), None) => None,
        _ => {
            let negative = of.decimal.parse::<i128>().ok();
            let number = of.decimal.parse().ok();
            number.or(negative.map(|number| number.cast_unsigned() & mask))
        }
    };
    let value = Value {
        bits: of.bits,
        value: number.unwrap_or_default(),
        reading,
        name: of.name,
    };
    let is_it = number.is_some_and(|number| number & mask == number);
    match is_it && decimal(&value) == of.decimal {
        true => Ok(value),
        false => {
            let (bits, decimal) = (of.bits, &of.decimal);
            let what = format!(
                "`{decimal}` is no {} of {bits} bits",
                word::reading(reading)
            );
            Err(Wrong::new(what)).within("decimal")
        }
    }
}

/// The value that was written, if one was.
///
/// # Errors
/// It is none.
pub fn read_some(of: Option<ValueJson>) -> Found<Option<Value>> {
    of.map(read).transpose()
}

/// Width of the widest values.
const MOST_BITS: u16 = 128;
