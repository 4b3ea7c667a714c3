//! Classification of floating-point numbers: the type-generic macros of `<math.h>` (C11 7.12.3, 7.12.14) as the builtin
//! functions that they expand to, constants that are builtin functions, and the types of the functions of `<math.h>`
//! for calls by their builtin names.

use super::body::constant;
use super::call::Args;
use super::convert::Typed;
use super::ctype::{CType, FloatKind, IntKind, Kind, Signature};
use super::float::no_arithmetic;
use super::{Lowerer, Res};
use crate::ir::{BinOp, FloatFormat, FloatOp, Operand};
use lang_c::ast::Expression;

/// A condition on one number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Query {
    Nan,
    Infinite,
    Finite,
    Normal,
    Subnormal,
    Zero,
    Sign,
}

impl Lowerer {
    /// The call of a builtin function (without its prefix); `None` if it is none of these.
    pub(super) fn float_builtin(&mut self, name: &str, args: Args) -> Res<Option<Typed>> {
        let value = match name {
            "huge_val" | "inf" => self.float_constant(FloatKind::Double, f64::INFINITY),
            "huge_valf" | "inff" => self.float_constant(FloatKind::Float, f64::INFINITY),
            "huge_vall" | "infl" => self.float_constant(FloatKind::LongDouble, f64::INFINITY),
            "nan" => self.nan(FloatKind::Double, args)?,
            "nanf" => self.nan(FloatKind::Float, args)?,
            "nanl" => self.nan(FloatKind::LongDouble, args)?,
            "isnan" | "isnanf" => self.query(name, Query::Nan, args)?,
            "isinf" | "isinff" => self.query(name, Query::Infinite, args)?,
            "isfinite" | "finite" | "finitef" => self.query(name, Query::Finite, args)?,
            "isnormal" => self.query(name, Query::Normal, args)?,
            "signbit" | "signbitf" => self.query(name, Query::Sign, args)?,
            "isinf_sign" => self.infinity_sign(args)?,
            "fpclassify" => self.classification(args)?,
            "isgreater" => self.comparison(name, FloatOp::Less, true, args)?,
            "isgreaterequal" => self.comparison(name, FloatOp::LessEqual, true, args)?,
            "isless" => self.comparison(name, FloatOp::Less, false, args)?,
            "islessequal" => self.comparison(name, FloatOp::LessEqual, false, args)?,
            "islessgreater" | "isunordered" => self.unordered(name, args)?,
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// The NaN that a string names: the quiet one for an empty string, otherwise with the number as its payload.
    fn nan(&mut self, kind: FloatKind, args: Args) -> Res<Typed> {
        let ty = CType::new(Kind::Float(kind));
        let text = match args {
            [arg] => match &arg.node {
                Expression::StringLiteral(text) => self.string_units(&text.node)?.0,
                _ => return Ok(self.unsupported("a NaN named by a string that is no literal", &ty)),
            },
            _ => return self.fail("a NaN is named by one string"),
        };
        let Some(format) = kind.format().filter(|_| text.is_empty()) else {
            if text.is_empty() {
                return Ok(self.float_constant(kind, f64::NAN));
            }
            return Ok(self.unsupported("a NaN with a payload", &ty));
        };
        Ok(Typed::scalar(ty, constant(format.nan(), format.bits())))
    }

    /// A number that is an argument, and its format.
    fn number(&mut self, name: &str, args: Args) -> Res<(Typed, FloatKind)> {
        let Some(last) = args.len().checked_sub(1) else {
            return self.fail(format!("`__builtin_{name}` needs an argument"));
        };
        let value = self.builtin_argument(name, args, last)?;
        match value.ty.kind {
            Kind::Float(kind) => Ok((value, kind)),
            _ => self.fail(format!("`__builtin_{name}` needs a floating-point number")),
        }
    }

    fn query(&mut self, name: &str, query: Query, args: Args) -> Res<Typed> {
        let (value, kind) = self.number(name, args)?;
        let Some(format) = kind.format() else {
            return Ok(self.unsupported(&no_arithmetic(kind), &CType::int(IntKind::Int)));
        };
        let operand = self.operand(value)?;
        let cond = self.is(query, format, operand);
        Ok(Typed::truth(cond))
    }

    /// Class of a number by its bit pattern: a condition of width 1 that says whether it is of the class in question.
    fn is(&mut self, query: Query, format: FloatFormat, operand: Operand) -> Operand {
        let bits = format.bits();
        let body = &mut self.body;
        let magnitude = body.binary(BinOp::And, operand, constant(format.sign() - 1, bits), bits);
        let infinity = constant(format.infinity(), bits);
        let zero = constant(0, bits);
        let normal = constant(1 << format.fraction_bits(), bits);
        match query {
            Query::Nan => body.binary(BinOp::ULt, infinity, magnitude, bits),
            Query::Infinite => body.binary(BinOp::Eq, magnitude, infinity, bits),
            Query::Finite => body.binary(BinOp::ULt, magnitude, infinity, bits),
            Query::Zero => body.binary(BinOp::Eq, magnitude, zero, bits),
            Query::Sign => body.binary(BinOp::SLt, operand, zero, bits),
            Query::Normal => {
                let above = body.binary(BinOp::ULe, normal, magnitude, bits);
                let below = body.binary(BinOp::ULt, magnitude, infinity, bits);
                body.binary(BinOp::And, above, below, 1)
            }
            Query::Subnormal => {
                let above = body.binary(BinOp::ULt, zero, magnitude, bits);
                let below = body.binary(BinOp::ULt, magnitude, normal, bits);
                body.binary(BinOp::And, above, below, 1)
            }
        }
    }

    /// 1 for infinity, -1 for its opposite, 0 for everything else.
    fn infinity_sign(&mut self, args: Args) -> Res<Typed> {
        let (value, kind) = self.number("isinf_sign", args)?;
        let int = CType::int(IntKind::Int);
        let Some(format) = kind.format() else {
            return Ok(self.unsupported(&no_arithmetic(kind), &int));
        };
        let operand = self.operand(value)?;
        let infinite = self.is(Query::Infinite, format, operand);
        let negative = self.is(Query::Sign, format, operand);
        let (minus, plus) = (constant(u128::from(u32::MAX), 32), constant(1, 32));
        let sign = self.body.select(negative, minus, plus, 32);
        let result = self.body.select(infinite, sign, constant(0, 32), 32);
        Ok(Typed::scalar(int, result))
    }

    /// `fpclassify(nan, infinite, normal, subnormal, zero, x)`: the one of the first five arguments that fits.
    fn classification(&mut self, args: Args) -> Res<Typed> {
        let [nan, infinite, normal, subnormal, zero, _] = args else {
            return self.fail("`__builtin_fpclassify` needs 6 arguments");
        };
        let int = CType::int(IntKind::Int);
        let answer = |this: &mut Self, e| {
            let value = this.expr(e)?;
            this.converted(value, &CType::int(IntKind::Int))
        };
        let otherwise = answer(self, normal)?;
        let answers = [
            (Query::Subnormal, answer(self, subnormal)?),
            (Query::Zero, answer(self, zero)?),
            (Query::Infinite, answer(self, infinite)?),
            (Query::Nan, answer(self, nan)?),
        ];
        let (value, kind) = self.number("fpclassify", args)?;
        let Some(format) = kind.format() else {
            return Ok(self.unsupported(&no_arithmetic(kind), &int));
        };
        let operand = self.operand(value)?;
        let mut result = otherwise;
        for (query, answer) in answers {
            let cond = self.is(query, format, operand);
            result = self.body.select(cond, answer, result, 32);
        }
        Ok(Typed::scalar(int, result))
    }

    /// Two numbers in their common format.
    fn pair(&mut self, name: &str, args: Args) -> Res<Option<(FloatFormat, Operand, Operand)>> {
        let [a, b] = args else {
            return self.fail(format!("`__builtin_{name}` needs 2 arguments"));
        };
        let (a, b) = (self.expr(a)?, self.expr(b)?);
        if !a.ty.is_arithmetic() || !b.ty.is_arithmetic() {
            return self.fail(format!("`__builtin_{name}` needs numbers"));
        }
        let ty = self.common(&a.ty, &b.ty);
        let Kind::Float(kind) = ty.kind else {
            return self.fail(format!("`__builtin_{name}` needs a floating-point number"));
        };
        let Some(format) = kind.format() else {
            return Ok(None);
        };
        let (a, b) = (self.converted(a, &ty)?, self.converted(b, &ty)?);
        Ok(Some((format, a, b)))
    }

    fn comparison(&mut self, name: &str, op: FloatOp, swapped: bool, args: Args) -> Res<Typed> {
        match self.pair(name, args)? {
            Some((format, a, b)) => {
                let (a, b) = if swapped { (b, a) } else { (a, b) };
                Ok(Typed::truth(self.body.float(op, format, &[a, b])))
            }
            None => self.no_comparison(),
        }
    }

    fn no_comparison(&mut self) -> Res<Typed> {
        let reason = no_arithmetic(FloatKind::LongDouble);
        Ok(self.unsupported(&reason, &CType::int(IntKind::Int)))
    }

    /// `islessgreater` and `isunordered`.
    fn unordered(&mut self, name: &str, args: Args) -> Res<Typed> {
        let Some((format, a, b)) = self.pair(name, args)? else {
            return self.no_comparison();
        };
        let (x, y) = match name {
            "isunordered" => (
                self.is(Query::Nan, format, a),
                self.is(Query::Nan, format, b),
            ),
            _ => (
                self.body.float(FloatOp::Less, format, &[a, b]),
                self.body.float(FloatOp::Less, format, &[b, a]),
            ),
        };
        Ok(Typed::truth(self.body.binary(BinOp::Or, x, y, 1)))
    }

    /// The type of a function of `<math.h>` (by its plain name) that takes numbers of one type and nothing else but
    /// perhaps an integer.
    pub(super) fn math_signature(&self, name: &str) -> Option<Signature> {
        let double = CType::new(Kind::Float(FloatKind::Double));
        let (base, number) = match name.strip_suffix('f') {
            Some(base) if math_function(base).is_some() => {
                (base, CType::new(Kind::Float(FloatKind::Float)))
            }
            _ => match name.strip_suffix('l') {
                Some(base) if math_function(base).is_some() => {
                    (base, CType::new(Kind::Float(FloatKind::LongDouble)))
                }
                _ => (name, double),
            },
        };
        let (numbers, other, result) = math_function(base)?;
        let mut params = vec![number.clone(); numbers];
        params.extend(other.map(CType::int));
        Some(Signature {
            result: result.map_or(number, CType::int),
            params,
            variadic: false,
            prototyped: true,
        })
    }
}

/// Signature of a function of `<math.h>`: the number of its floating-point parameters, the integer that it takes behind
/// them, and the integer that it gives instead of a number.
fn math_function(name: &str) -> Option<(usize, Option<IntKind>, Option<IntKind>)> {
    Some(match name {
        "fabs" | "sqrt" | "floor" | "ceil" | "trunc" | "round" | "roundeven" | "rint"
        | "nearbyint" | "logb" | "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "sinh"
        | "cosh" | "tanh" | "asinh" | "acosh" | "atanh" | "exp" | "exp2" | "expm1" | "log"
        | "log2" | "log10" | "log1p" | "cbrt" | "erf" | "erfc" | "lgamma" | "tgamma" => {
            (1, None, None)
        }
        "copysign" | "fmod" | "remainder" | "drem" | "fmin" | "fmax" | "fdim" | "nextafter"
        | "pow" | "atan2" | "hypot" => (2, None, None),
        "fma" => (3, None, None),
        "ldexp" | "scalbn" => (1, Some(IntKind::Int), None),
        "scalbln" => (1, Some(IntKind::Long), None),
        "ilogb" => (1, None, Some(IntKind::Int)),
        "lrint" | "lround" => (1, None, Some(IntKind::Long)),
        "llrint" | "llround" => (1, None, Some(IntKind::LongLong)),
        _ => return None,
    })
}
