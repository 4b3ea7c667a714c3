//! Literals: numbers, characters, strings (C11 6.4.4, 6.4.5).

use super::body::constant;
use super::convert::Typed;
use super::ctype::{CType, FloatKind, IntKind, Kind};
use super::float::wide_bits;
use super::{Lowerer, Res};
use crate::base::float::text;
use crate::ir::FloatFormat;
use lang_c::ast::{
    Constant, Float, FloatBase, FloatFormat as Suffix, Integer, IntegerBase, IntegerSize,
};

impl Lowerer {
    pub(super) fn literal(&mut self, literal: &Constant) -> Res<Typed> {
        match literal {
            Constant::Integer(integer) => self.integer(integer),
            Constant::Float(float) => self.float(float),
            Constant::Character(text) => self.character(text),
        }
    }

    fn integer(&mut self, integer: &Integer) -> Res<Typed> {
        if integer.suffix.imaginary {
            return self.fail("complex numbers are not modelled");
        }
        let radix = match integer.base {
            IntegerBase::Decimal => 10,
            IntegerBase::Octal => 8,
            IntegerBase::Hexadecimal => 16,
            IntegerBase::Binary => 2,
        };
        let digits = if integer.number.is_empty() {
            "0"
        } else {
            &integer.number
        };
        let Ok(value) = u128::from_str_radix(digits, radix) else {
            return self.fail(format!("`{digits}` is not a number"));
        };
        let least = match integer.suffix.size {
            IntegerSize::Int => 3,
            IntegerSize::Long => 4,
            IntegerSize::LongLong => 5,
        };
        // C11 6.4.4.1: the first type of the list in which the value fits.
        let unsigned_too = radix != 10 || integer.suffix.unsigned;
        let fits = |kind: IntKind| {
            let bits = kind.bits(self.model);
            kind.rank() >= least
                && (!kind.signed() || !integer.suffix.unsigned)
                && (kind.signed() || unsigned_too)
                && value >> (bits - u16::from(kind.signed())) == 0
        };
        let order = [
            IntKind::Int,
            IntKind::UInt,
            IntKind::Long,
            IntKind::ULong,
            IntKind::LongLong,
            IntKind::ULongLong,
        ];
        let kind = order
            .into_iter()
            .find(|k| fits(*k))
            .unwrap_or(IntKind::ULongLong);
        let bits = kind.bits(self.model);
        if value >> bits != 0 {
            return self.fail("this number is too large for every type");
        }
        Ok(Typed::scalar(CType::int(kind), constant(value, bits)))
    }

    fn float(&mut self, float: &Float) -> Res<Typed> {
        let kind = match &float.suffix.format {
            _ if float.suffix.imaginary => return self.fail("complex numbers are not modelled"),
            Suffix::Float => FloatKind::Float,
            Suffix::Double => FloatKind::Double,
            Suffix::LongDouble => FloatKind::LongDouble,
            Suffix::TS18661Format(_) => {
                return self.fail("this floating-point format is not modelled");
            }
        };
        // A constant of a wider format is taken as the nearest double.
        let format = kind.format().unwrap_or(FloatFormat::Double);
        let word = match float.base {
            FloatBase::Decimal => text::decimal(format, &float.number),
            FloatBase::Hexadecimal => {
                let digits = float.number.trim_start_matches("0x");
                text::hexadecimal(format, digits.trim_start_matches("0X"))
            }
        };
        let Some(mut word) = word else {
            return self.fail(format!("`{}` is not a number", float.number));
        };
        if kind.format().is_none() {
            word = wide_bits(kind, f64::from_bits(word as u64));
        }
        let ty = CType::new(Kind::Float(kind));
        let bits = self.bits(&ty);
        Ok(Typed::scalar(ty, constant(word, bits)))
    }

    fn character(&mut self, text: &str) -> Res<Typed> {
        let (units, kind) = match self.units(text, '\'') {
            Some(found) => found,
            None => return self.fail("this character constant is not understood"),
        };
        let Some(&last) = units.last() else {
            return self.fail("empty character constant");
        };
        if kind == IntKind::Char {
            // Several characters make a number, the first one on top (as GCC documents).
            let value = units.iter().fold(0u32, |v, unit| (v << 8) | (unit & 0xff));
            let value = if units.len() == 1 && self.plain_char().signed() {
                super::fold::sign_extend(u128::from(last), 8)
            } else {
                u128::from(value)
            };
            return Ok(Typed::scalar(CType::int(IntKind::Int), constant(value, 32)));
        }
        let bits = kind.bits(self.model);
        Ok(Typed::scalar(
            CType::int(kind),
            constant(u128::from(last), bits),
        ))
    }

    /// The bytes of a string literal, without the terminating zero, and its element type.
    pub(super) fn string_units(&mut self, parts: &[String]) -> Res<(Vec<u8>, IntKind)> {
        let mut all = Vec::new();
        let mut element = IntKind::Char;
        for part in parts {
            let Some((units, kind)) = self.units(part, '"') else {
                return self.fail("this string literal is not understood");
            };
            if kind != IntKind::Char {
                element = kind;
            }
            all.extend(units);
        }
        let bytes = usize::from(element.bits(self.model) / 8);
        let out = all
            .iter()
            .flat_map(|unit| unit.to_le_bytes()[..bytes].to_vec())
            .collect();
        Ok((out, element))
    }

    /// The code units of one quoted token with an optional encoding prefix.
    fn units(&self, token: &str, quote: char) -> Option<(Vec<u32>, IntKind)> {
        let start = token.find(quote)?;
        let kind = match &token[..start] {
            "" | "u8" => IntKind::Char,
            // wchar_t
            "L" if self.pointer_bits() == 32 => IntKind::Long,
            "L" => IntKind::Int,
            "u" => IntKind::UShort,
            "U" => IntKind::UInt,
            _ => return None,
        };
        let text = token[start + 1..].strip_suffix(quote)?;
        let mut units = Vec::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '\\' {
                match kind {
                    IntKind::Char => {
                        units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
                    }
                    IntKind::UShort => {
                        units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|u| u32::from(*u)));
                    }
                    _ => units.push(u32::from(c)),
                }
                continue;
            }
            let escape = chars.next()?;
            let digits = |chars: &mut std::iter::Peekable<std::str::Chars>, radix, most| {
                let mut value: u32 = 0;
                let mut count = 0;
                while count < most
                    && let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix))
                {
                    value = value.wrapping_mul(radix).wrapping_add(digit);
                    chars.next();
                    count += 1;
                }
                value
            };
            match escape {
                'n' => units.push(10),
                't' => units.push(9),
                'r' => units.push(13),
                'a' => units.push(7),
                'b' => units.push(8),
                'f' => units.push(12),
                'v' => units.push(11),
                'e' | 'E' => units.push(27),
                'x' => {
                    let value = digits(&mut chars, 16, usize::MAX);
                    units.push(if kind == IntKind::Char {
                        value & 0xff
                    } else {
                        value
                    });
                }
                'u' | 'U' => {
                    let value = digits(&mut chars, 16, if escape == 'u' { 4 } else { 8 });
                    let c = char::from_u32(value)?;
                    match kind {
                        IntKind::Char => {
                            units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
                        }
                        _ => units.push(value),
                    }
                }
                '0'..='7' => {
                    let first = escape.to_digit(8)?;
                    let mut value = first;
                    for _ in 0..2 {
                        let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else {
                            break;
                        };
                        value = value * 8 + digit;
                        chars.next();
                    }
                    units.push(if kind == IntKind::Char {
                        value & 0xff
                    } else {
                        value
                    });
                }
                '\n' => {}
                other => units.push(u32::from(other)),
            }
        }
        Some((units, kind))
    }
}
