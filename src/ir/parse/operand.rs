//! Operands, registers and right-hand sides.

use super::cursor::Cursor;
use super::ty::{self, format, integer};
use crate::base::float::Rounding;
use crate::ir::print::word;
use crate::ir::ty::{Reading, TypeId};
use crate::ir::{
    BinOp, FloatFormat, FloatOp, FuncId, GlobalId, Operand, Reg, RegInfo, Rvalue, UnOp,
};
use std::fmt::Debug;

const UNARY: [UnOp; 2] = [UnOp::Neg, UnOp::Not];

const BINARY: [BinOp; 19] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::UDiv,
    BinOp::SDiv,
    BinOp::URem,
    BinOp::SRem,
    BinOp::And,
    BinOp::Or,
    BinOp::Xor,
    BinOp::Shl,
    BinOp::LShr,
    BinOp::AShr,
    BinOp::Eq,
    BinOp::Ne,
    BinOp::ULt,
    BinOp::ULe,
    BinOp::SLt,
    BinOp::SLe,
];

/// Floating-point operations whose name is a word of its own.
const FLOAT: [FloatOp; 15] = [
    FloatOp::Add,
    FloatOp::Sub,
    FloatOp::Mul,
    FloatOp::Div,
    FloatOp::SquareRoot,
    FloatOp::MultiplyAdd,
    FloatOp::Remainder,
    FloatOp::Equal,
    FloatOp::Less,
    FloatOp::LessEqual,
    FloatOp::Integral(Rounding::NearestEven),
    FloatOp::Integral(Rounding::NearestAway),
    FloatOp::Integral(Rounding::Zero),
    FloatOp::Integral(Rounding::Up),
    FloatOp::Integral(Rounding::Down),
];

/// The value of a plain enumeration that is printed so.
pub(super) fn value_of<T: Copy + Debug>(all: &[T], name: &str) -> Option<T> {
    all.iter().copied().find(|value| word(value) == name)
}

/// An operand.
pub(super) fn operand(line: &mut Cursor) -> Result<Operand, String> {
    const WHAT: &str = "an operand";
    if line.eat("&") {
        if line.is_id('f') {
            return Ok(Operand::FuncAddr(FuncId(line.id('f', WHAT)?)));
        }
        let global = GlobalId(line.id('g', "a global or a function")?);
        let offset = match (line.eat("+"), line.eat("-")) {
            (false, false) => 0,
            (plus, _) => {
                let size: i128 = line.number("an offset")?;
                i64::try_from(if plus { size } else { -size }).map_err(|e| e.to_string())?
            }
        };
        return Ok(Operand::GlobalAddr(global, offset));
    }
    if line.is_id('r') {
        return Ok(Operand::Reg(Reg(line.id('r', WHAT)?)));
    }
    let value = line.number(WHAT)?;
    line.sign(":")?;
    let bits = line.number("a width")?;
    Ok(Operand::Const { value, bits })
}

/// Two operands.
pub(super) fn pair(line: &mut Cursor) -> Result<(Operand, Operand), String> {
    let first = operand(line)?;
    line.sign(",")?;
    Ok((first, operand(line)?))
}

/// Three operands.
pub(super) fn triple(line: &mut Cursor) -> Result<(Operand, Operand, Operand), String> {
    let (first, second) = pair(line)?;
    line.sign(",")?;
    Ok((first, second, operand(line)?))
}

/// A register with its width, its reading, the type that it points to and its name, if these are known: `r3:64p*t5 "list"`.
pub(super) fn register(line: &mut Cursor) -> Result<(Reg, RegInfo), String> {
    let reg = Reg(line.id('r', "a register")?);
    line.sign(":")?;
    let bits: u16 = line.number("a width")?;
    let mut reading = line.named(
        "how it is read (s, u, b, cs, cu, es, eu, p, f32 or f64)",
        |name| match name {
            "s" => Some(Reading::Signed),
            "u" => Some(Reading::Unsigned),
            "b" => Some(Reading::Bool),
            "p" => Some(Reading::Pointer),
            "cs" | "cu" => Some(Reading::Char {
                signed: name == "cs",
            }),
            "es" | "eu" => Some(Reading::Enum {
                ty: TypeId(0),
                signed: name == "es",
            }),
            _ => format(name).map(Reading::Float),
        },
    )?;
    if let Reading::Enum { ty, .. } = &mut reading {
        *ty = ty::id(line)?;
    }
    let pointee = match line.eat("*") {
        true => Some(ty::id(line)?),
        false => None,
    };
    let name = match line.peek() {
        Some(super::lex::Token::Text(_)) => Some(line.text("a name")?),
        _ => None,
    };
    let info = RegInfo {
        bits,
        name,
        reading,
        pointee,
    };
    Ok((reg, info))
}

/// The right-hand side with this operation; `None` if it is none.
pub(super) fn rvalue(line: &mut Cursor, operation: &str) -> Result<Option<Rvalue>, String> {
    if let Some(op) = value_of(&UNARY, operation) {
        return Ok(Some(Rvalue::Unary(op, operand(line)?)));
    }
    if let Some(op) = value_of(&BINARY, operation) {
        let (a, b) = pair(line)?;
        return Ok(Some(Rvalue::Binary(op, a, b)));
    }
    if let Some((op, format)) = float(operation) {
        let mut operands = vec![operand(line)?];
        while line.eat(",") {
            operands.push(operand(line)?);
        }
        return Ok(Some(Rvalue::Float {
            op,
            format,
            operands,
        }));
    }
    Ok(Some(match operation {
        "use" => Rvalue::Use(operand(line)?),
        "pointer" => Rvalue::FromInteger(operand(line)?),
        "zext" => Rvalue::ZeroExtend(operand(line)?),
        "sext" => Rvalue::SignExtend(operand(line)?),
        "trunc" => Rvalue::Truncate(operand(line)?),
        "select" => {
            let (cond, then, other) = triple(line)?;
            Rvalue::Select { cond, then, other }
        }
        "offset" => {
            let (base, offset_bytes) = pair(line)?;
            Rvalue::Offset { base, offset_bytes }
        }
        _ => return Ok(None),
    }))
}

/// A floating-point operation: `f32.add`, `f64.to.s32`.
fn float(operation: &str) -> Option<(FloatOp, FloatFormat)> {
    let (of, name) = operation.split_once('.')?;
    let of = format(of)?;
    if let Some(op) = FLOAT.into_iter().find(|op| op.name() == name) {
        return Some((op, of));
    }
    let op = if let Some(from) = name.strip_prefix("from.") {
        let (signed, bits) = integer(from)?;
        FloatOp::FromInteger { bits, signed }
    } else {
        let to = name.strip_prefix("to.")?;
        match format(to) {
            Some(format) => FloatOp::Convert(format),
            None => {
                let (signed, bits) = integer(to)?;
                FloatOp::ToInteger { bits, signed }
            }
        }
    };
    Some((op, of))
}
