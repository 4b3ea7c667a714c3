//! A program as text, for people and for tests: one line per instruction, deterministic. `ir::parse` reads it.
//!
//! ```text
//! model LP64
//! type t0 = s32
//! global g0 "counter": t0, 4 bytes align 4 = { 0: 1:32 }
//!
//! main function f0 "main" () -> 32 {
//!     r0:32s "i"
//! b0:
//!     r0:32s = use 0:32
//!     r1:32s = load &g0 align 4
//!     return r1
//! }
//! ```
//!
//! A register is shown with its width and how it is read (`s`igned, `u`nsigned, or a floating-point format) wherever it
//! gets a value; a constant is its value and its width.

mod instr;

#[cfg(feature = "internals")]
pub(super) use instr::word;

use super::ty::{Member, Reading, Type, Written};
use super::{BlockId, Function, Global, Operand, Origin, Program, Reg, RegInfo};
use crate::base::sorted::SortedSet;
use std::fmt::{self, Display, Formatter};

/// A register where it gets a value, or is declared.
struct Declared<'p>(Reg, &'p RegInfo);

impl Display for Declared<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "r{}:{}", self.0.0, self.1.bits)?;
        f.write_str(match self.1.reading {
            Reading::Signed => "s",
            Reading::Unsigned => "u",
            Reading::Bool => "b",
            Reading::Char { signed: true } => "cs",
            Reading::Char { signed: false } => "cu",
            Reading::Enum { signed: true, .. } => "es",
            Reading::Enum { signed: false, .. } => "eu",
            Reading::Pointer => "p",
            Reading::Float(format) => format.name(),
        })?;
        if let Reading::Enum { ty, .. } = self.1.reading {
            write!(f, " t{}", ty.0)?;
        }
        match self.1.pointee {
            Some(pointee) => write!(f, "*t{}", pointee.0),
            None => Ok(()),
        }
    }
}

/// The name of a register, if it has one.
fn named(info: &RegInfo) -> String {
    match &info.name {
        Some(name) => format!(" {name:?}"),
        None => String::new(),
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let declared = |reg: Reg| Declared(reg, &self.regs[reg]);
        let mut params: Vec<String> = self
            .params
            .iter()
            .map(|&reg| format!("{}{}", declared(reg), named(&self.regs[reg])))
            .collect();
        if self.variadic {
            params.push("...".into());
        }
        write!(f, "{:?} ({})", self.name, params.join(", "))?;
        if let Some(bits) = self.ret_bits {
            write!(f, " -> {bits}")?;
        }
        f.write_str(match self.origin {
            Origin::Program => "",
            Origin::Model {
                synchronises: false,
            } => " model",
            Origin::Model { synchronises: true } => " model synchronises",
        })?;
        f.write_str(" {\n")?;
        let instrs = self.blocks.iter().flat_map(|block| &block.instrs);
        let mut shown: SortedSet<Reg> = instrs.filter_map(|instr| instr.kind.dst()).collect();
        shown.retain(|&reg| self.regs[reg].name.is_none());
        shown.extend(&self.params);
        for (reg, info) in self.regs.iter_ids() {
            if !shown.contains(&reg) {
                writeln!(f, "    {}{}", declared(reg), named(info))?;
            }
        }
        for (id, block) in self.blocks.iter_ids() {
            let is_marked = id == self.entry && id != BlockId(0);
            let entry = if is_marked { " entry" } else { "" };
            writeln!(f, "b{}:{entry}", id.0)?;
            for instr in &block.instrs {
                match instr.kind.dst() {
                    Some(dst) => writeln!(f, "    {} = {}", declared(dst), instr.kind)?,
                    None => writeln!(f, "    {}", instr.kind)?,
                }
            }
            writeln!(f, "    {}", block.end)?;
        }
        f.write_str("}\n")
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Void => f.write_str("void"),
            Type::Int {
                bits,
                signed,
                written,
            } => {
                write!(f, "{}{bits}", if *signed { 's' } else { 'u' })?;
                match written {
                    Written::Number => Ok(()),
                    Written::Character => f.write_str(" character"),
                    Written::Constant(constants) => {
                        let constant =
                            |(name, value): &(String, i128)| format!("{name:?} = {value}");
                        let constants: Vec<String> = constants.iter().map(constant).collect();
                        write!(f, " {{ {} }}", constants.join(", "))
                    }
                }
            }
            Type::Float(format) => f.write_str(format.name()),
            Type::Bool => f.write_str("bool"),
            Type::Pointer { to } => write!(f, "*t{}", to.0),
            Type::Array { element, length } => write!(f, "[{length}] t{}", element.0),
            Type::Record {
                name,
                size_bytes,
                members,
            } => {
                let members: Vec<String> = members.iter().map(Member::to_string).collect();
                let members = members.join(", ");
                write!(f, "record {name:?} {size_bytes} bytes {{ {members} }}")
            }
        }
    }
}

impl Display for Member {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: t{} {:?}", self.offset_bytes, self.ty.0, self.name)?;
        match self.bit_field {
            Some((first, bits)) => write!(f, " bits {first}+{bits}"),
            None => Ok(()),
        }
    }
}

/// All of a global but what other parts of the program say of it.
impl Display for Global {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?}: t{}, {} bytes align {}",
            self.name, self.ty.0, self.size_bytes, self.align_bytes
        )?;
        if self.thread_local {
            f.write_str(" thread_local")?;
        }
        if self.read_only {
            f.write_str(" read_only")?;
        }
        Ok(())
    }
}

/// The initial value of a global.
fn init(global: &Global) -> String {
    let parts: Vec<String> = global
        .init
        .iter()
        .map(|part| match part.value {
            Operand::Const { bits, .. } if bits == part.bits => {
                format!("{}: {}", part.offset_bytes, part.value)
            }
            _ => format!("{}: {}:{}", part.offset_bytes, part.value, part.bits),
        })
        .collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!(" = {{ {} }}", parts.join(", "))
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "model {}", self.model.name())?;
        for (id, ty) in self.types.iter_ids() {
            writeln!(f, "type t{} = {ty}", id.0)?;
        }
        for name in &self.undeclared {
            writeln!(f, "undeclared {name:?}")?;
        }
        for name in &self.external {
            writeln!(f, "external {name:?}")?;
        }
        for (id, global) in self.globals.iter_ids() {
            let repeated = if self.repeated.contains(&id) {
                " repeated"
            } else {
                ""
            };
            writeln!(f, "global g{} {global}{repeated}{}", id.0, init(global))?;
        }
        for (id, function) in self.functions.iter_ids() {
            let main = if id == self.main { "main " } else { "" };
            write!(f, "\n{main}function f{} {function}", id.0)?;
        }
        Ok(())
    }
}
