//! Functions on floating-point numbers (C11 7.12), in `double` and, with the suffix `f`, in `float`. What the standard
//! defines exactly is computed: here if it is an operation or a change of bits, otherwise by a model in C
//! (`models/float.c`). Functions that are only accurate up to something (`sin`, `pow`) have no meaning here: one
//! that is reachable makes the verdict unknown.

use super::site::{Meaning, Site, constant};
use crate::base::float::Rounding;
use crate::ir::{BinOp, FloatFormat, FloatOp, InstrKind, NondetSource, Operand, Rvalue};

/// The functions of this family.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    let (base, format) = split(name);
    if format.is_none() {
        return Some(no_long_double);
    }
    Some(match base {
        "sqrt" => |site| operation(site, FloatOp::SquareRoot),
        "fma" => |site| operation(site, FloatOp::MultiplyAdd),
        "fmod" => |site| operation(site, FloatOp::Remainder),
        "floor" => |site| operation(site, FloatOp::Integral(Rounding::Down)),
        "ceil" => |site| operation(site, FloatOp::Integral(Rounding::Up)),
        "trunc" => |site| operation(site, FloatOp::Integral(Rounding::Zero)),
        "round" => |site| operation(site, FloatOp::Integral(Rounding::NearestAway)),
        // In the default rounding mode, which no program changes.
        "rint" | "nearbyint" | "roundeven" => {
            |site| operation(site, FloatOp::Integral(Rounding::NearestEven))
        }
        "lrint" | "llrint" => |site| to_integer(site, Rounding::NearestEven),
        "lround" | "llround" => |site| to_integer(site, Rounding::NearestAway),
        "fabs" => absolute,
        "copysign" => copy_sign,
        "__isnan" | "isnan" => |site| class(site, Class::Nan),
        "__isinf" | "isinf" => |site| class(site, Class::Infinite),
        "__finite" | "finite" | "isfinite" => |site| class(site, Class::Finite),
        "__signbit" | "signbit" => |site| class(site, Class::Negative),
        "__fpclassify" => |site| class(site, Class::Number),
        "__selvedge_bits" | "__selvedge_from_bits" => same_bits,
        "__selvedge_payload" => |_| Err("a NaN with a payload".to_string()),
        "fegetround" => |site| {
            site.result(constant(0, 32));
            Ok(())
        },
        _ if is_unsupported(base) => unsupported,
        _ => return None,
    })
}

/// A function's name without the suffix for its type, and the format of that; `None` for `long double`.
fn split(name: &str) -> (&str, Option<FloatFormat>) {
    let families = [('f', Some(FloatFormat::Single)), ('l', None)];
    for (suffix, format) in families {
        if let Some(base) = name.strip_suffix(suffix)
            && (is_exact(base) || is_unsupported(base))
        {
            return (base, format);
        }
    }
    (name, Some(FloatFormat::Double))
}

/// Functions with a meaning that have a variant for each type.
fn is_exact(base: &str) -> bool {
    const EXACT: [&str; 40] = [
        "sqrt",
        "fma",
        "fmod",
        "floor",
        "ceil",
        "trunc",
        "round",
        "rint",
        "nearbyint",
        "roundeven",
        "lrint",
        "llrint",
        "lround",
        "llround",
        "fabs",
        "copysign",
        "__isnan",
        "isnan",
        "__isinf",
        "isinf",
        "__finite",
        "finite",
        "isfinite",
        "__signbit",
        "signbit",
        "__fpclassify",
        "__selvedge_bits",
        "__selvedge_from_bits",
        "fmin",
        "fmax",
        "fdim",
        "remainder",
        "drem",
        "modf",
        "ldexp",
        "scalbn",
        "scalbln",
        "frexp",
        "logb",
        "nextafter",
    ];
    EXACT.contains(&base) || matches!(base, "ilogb" | "nan")
}

/// Functions on numbers that are not computed.
fn is_unsupported(base: &str) -> bool {
    const INEXACT: [&str; 42] = [
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "exp",
        "exp2",
        "exp10",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "pow",
        "pow10",
        "cbrt",
        "hypot",
        "erf",
        "erfc",
        "lgamma",
        "tgamma",
        "gamma",
        "sincos",
        "j0",
        "j1",
        "jn",
        "y0",
        "y1",
        "yn",
        "remquo",
        "nexttoward",
        "significand",
        "scalb",
        "lgamma_r",
    ];
    const OTHER: [&str; 16] = [
        "atof",
        "strtod",
        "strtof",
        "strtold",
        "fesetround",
        "feclearexcept",
        "feraiseexcept",
        "fetestexcept",
        "fegetexceptflag",
        "fesetexceptflag",
        "fegetenv",
        "fesetenv",
        "feholdexcept",
        "feupdateenv",
        "feenableexcept",
        "fedisableexcept",
    ];
    INEXACT.contains(&base) || OTHER.contains(&base)
}

/// Reasons why a function is refused, whatever its arguments, behind its name.
pub(super) const LONG_DOUBLE: &str = ", floating-point arithmetic of type `long double`,";
pub(super) const INEXACT: &str = ", which is no exact floating-point function,";

fn no_long_double(site: &mut Site) -> Result<(), String> {
    let name = &site.name;
    Err(format!("`{name}`{LONG_DOUBLE}"))
}

fn unsupported(site: &mut Site) -> Result<(), String> {
    Err(format!("`{}`{INEXACT}", site.name))
}

/// The format that the name says; the arguments must be as the C library declares them.
fn format(site: &Site, numbers: usize) -> Result<(FloatFormat, Vec<Operand>), String> {
    let name = super::name::plain_name(&site.name);
    let (_, format) = split(name);
    let format = format.unwrap_or(FloatFormat::Double);
    let operands: Vec<Operand> = (0..numbers)
        .map(|index| site.arg(index))
        .collect::<Result<_, _>>()?;
    if operands
        .iter()
        .all(|operand| site.bits(*operand) == format.bits())
    {
        Ok((format, operands))
    } else {
        Err(site.declared_otherwise())
    }
}

fn operation(site: &mut Site, op: FloatOp) -> Result<(), String> {
    let (format, operands) = format(site, op.arity())?;
    let result = site.float(op, format, operands);
    number(site, format, result)
}

/// Gives a number to a caller that expects one.
fn number(site: &mut Site, format: FloatFormat, result: Operand) -> Result<(), String> {
    if site.result_bits().is_some_and(|bits| bits != format.bits()) {
        return Err(site.declared_otherwise());
    }
    site.result(result);
    Ok(())
}

fn absolute(site: &mut Site) -> Result<(), String> {
    let (format, operands) = format(site, 1)?;
    let mask = constant(format.sign() - 1, format.bits());
    let result = site.binary(BinOp::And, operands[0], mask);
    number(site, format, result)
}

fn copy_sign(site: &mut Site) -> Result<(), String> {
    let (format, operands) = format(site, 2)?;
    let mask = constant(format.sign() - 1, format.bits());
    let magnitude = site.binary(BinOp::And, operands[0], mask);
    let sign = constant(format.sign(), format.bits());
    let sign = site.binary(BinOp::And, operands[1], sign);
    let result = site.binary(BinOp::Or, magnitude, sign);
    number(site, format, result)
}

/// The integer next to a number; where it does not fit, C leaves open which one it is.
fn to_integer(site: &mut Site, rounding: Rounding) -> Result<(), String> {
    let (format, operands) = format(site, 1)?;
    let Some(bits) = site.result_bits() else {
        return Ok(());
    };
    let whole = site.float(FloatOp::Integral(rounding), format, operands);
    let end = format.power_of_two(bits - 1);
    let least = constant(end | format.sign(), format.bits());
    let end = constant(end, format.bits());
    let above = site.float(FloatOp::LessEqual, format, vec![least, whole]);
    let below = site.float(FloatOp::Less, format, vec![whole, end]);
    let fits = site.binary(BinOp::And, above, below);
    let signed = true;
    let exact = site.float(FloatOp::ToInteger { bits, signed }, format, vec![whole]);
    let any = site.reg(bits);
    site.emit(InstrKind::Nondet {
        dst: any,
        source: NondetSource::External,
    });
    let result = site.select(fits, exact, Operand::Reg(any));
    site.result(result);
    Ok(())
}

/// Classification of a number, as a function asks for it.
enum Class {
    Nan,
    /// With the sign of the number.
    Infinite,
    Finite,
    Negative,
    /// The number of its kind in `<math.h>`.
    Number,
}

fn class(site: &mut Site, class: Class) -> Result<(), String> {
    let (format, operands) = format(site, 1)?;
    let (word, bits) = (operands[0], format.bits());
    let magnitude = site.binary(BinOp::And, word, constant(format.sign() - 1, bits));
    let infinity = constant(format.infinity(), bits);
    let zero = constant(0, bits);
    let int = |value: u128| constant(value, 32);
    let result = match class {
        Class::Nan => site.binary(BinOp::ULt, infinity, magnitude),
        Class::Finite => site.binary(BinOp::ULt, magnitude, infinity),
        Class::Negative => site.binary(BinOp::SLt, word, zero),
        Class::Infinite => {
            let infinite = site.binary(BinOp::Eq, magnitude, infinity);
            let negative = site.binary(BinOp::SLt, word, zero);
            let sign = site.select(negative, int(u128::from(u32::MAX)), int(1));
            site.select(infinite, sign, int(0))
        }
        Class::Number => {
            // NaN, infinite, zero, subnormal, normal: 0 to 4.
            let normal = constant(1 << format.fraction_bits(), bits);
            let kinds = [
                (site.binary(BinOp::ULt, magnitude, normal), 3),
                (site.binary(BinOp::Eq, magnitude, zero), 2),
                (site.binary(BinOp::Eq, magnitude, infinity), 1),
                (site.binary(BinOp::ULt, infinity, magnitude), 0),
            ];
            kinds.into_iter().fold(int(4), |result, (cond, kind)| {
                site.select(cond, int(kind), result)
            })
        }
    };
    let result = site.resize(result, 32);
    site.result(result);
    Ok(())
}

/// Conversion between a number and its pattern, which models ask for: no bit changes.
fn same_bits(site: &mut Site) -> Result<(), String> {
    let operand = site.arg(0)?;
    site.result(operand);
    Ok(())
}

impl Site<'_> {
    /// The result of a floating-point operation.
    fn float(&mut self, op: FloatOp, format: FloatFormat, operands: Vec<Operand>) -> Operand {
        let value = Rvalue::Float {
            op,
            format,
            operands,
        };
        self.compute(op.result_bits(format), value)
    }
}
