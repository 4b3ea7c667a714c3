//! Registers, flags and memory while the instructions of inline assembly are lowered.
//!
//! The compiler chooses registers, and a statement has to be right for each choice that its constraints allow. So each operand has
//! a register of its own here, and what only some choices would get right is refused: an input that is read behind an output
//! that may share its register, and a register that changes and is named nowhere.

use super::super::Lowerer;
use super::super::body::constant;
use super::super::convert::Typed;
use super::template::{Register, Word};
use crate::ir::faults::{self, Fault};
use crate::ir::{Access, BinOp, InstrKind, MemOrder, NondetSource, Operand, RmwOp, UnOp};

/// A result, or what is not understood.
pub(super) type Odd<T> = Result<T, String>;

/// A register.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// As wide as registers are; `None` if nobody has set it.
    pub value: Option<Operand>,
    /// Number of its low bits that are known; the others are what the compiler has left there.
    pub known_bits: u16,
    /// The input that it still holds.
    pub input: Option<Typed>,
    pub role: Role,
}

/// Role of a register in the statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// An input, which has to stay.
    Input,
    /// An output; `early` if its register is none of an input.
    Output { early: bool },
    /// A variable that nobody can point to, where the statement asks for memory.
    Local,
    /// It may change.
    Clobbered,
    /// Nothing.
    Unnamed,
}

/// An operand of the statement, as instructions see it.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    /// The register of this number.
    Register(usize),
    /// The memory at this address.
    Memory(Operand),
    /// A constant that its constraint takes as part of an instruction.
    Immediate(i128),
    /// A condition of the flags, which no instruction names.
    Condition(String),
}

/// Place that an instruction reads or writes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Place {
    Register(usize),
    Memory(Operand),
    Constant(i128),
}

/// A flag, which is computed where somebody asks for it.
#[derive(Clone, Copy)]
pub(super) enum Flag {
    /// It has no value that is defined.
    Open,
    /// One bit.
    Known(Operand),
    /// Flag of a result.
    Of(Computed),
}

/// Arithmetic that flags tell of: `old + operand`, `old - operand`, or of bits, where nothing is carried.
#[derive(Clone, Copy)]
pub(super) struct Computed {
    pub how: Arithmetic,
    pub old: Operand,
    pub operand: Operand,
    pub bits: u16,
}

/// Arithmetic with two operands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Sub,
    And,
    Or,
    Xor,
}

impl Arithmetic {
    /// The operation of a mnemonic without a suffix, also of one that only sets flags.
    pub fn of(name: &str) -> Option<Arithmetic> {
        Some(match name {
            "add" | "inc" | "xadd" => Arithmetic::Add,
            "sub" | "dec" | "cmp" => Arithmetic::Sub,
            "and" | "test" => Arithmetic::And,
            "or" => Arithmetic::Or,
            "xor" => Arithmetic::Xor,
            _ => return None,
        })
    }

    pub fn operator(self) -> BinOp {
        match self {
            Arithmetic::Add => BinOp::Add,
            Arithmetic::Sub => BinOp::Sub,
            Arithmetic::And => BinOp::And,
            Arithmetic::Or => BinOp::Or,
            Arithmetic::Xor => BinOp::Xor,
        }
    }

    pub fn update(self) -> RmwOp {
        match self {
            Arithmetic::Add => RmwOp::Add,
            Arithmetic::Sub => RmwOp::Sub,
            Arithmetic::And => RmwOp::And,
            Arithmetic::Or => RmwOp::Or,
            Arithmetic::Xor => RmwOp::Xor,
        }
    }
}

/// The flags that conditions are about.
#[derive(Clone, Copy)]
pub(super) struct Flags {
    pub zero: Flag,
    pub sign: Flag,
    pub carry: Flag,
    pub overflow: Flag,
}

impl Flags {
    /// Flags that all tell of one.
    pub fn all(one: Flag) -> Flags {
        Flags {
            zero: one,
            sign: one,
            carry: one,
            overflow: one,
        }
    }
}

/// The machine's state between two instructions.
pub(super) struct Machine<'l> {
    pub lowerer: &'l mut Lowerer,
    pub bound: Vec<Bound>,
    /// Widths of the operands, in bits.
    pub bits: Vec<u16>,
    pub cells: Vec<Cell>,
    /// Registers of the families that have one.
    pub families: [Option<usize>; 16],
    pub flags: Flags,
    /// True if the compiler moves no access of memory across the statement.
    pub is_barrier: bool,
    /// True if an output has been written that may share its register with an input.
    pub has_shared: bool,
}

impl Machine<'_> {
    /// Width of registers in bits.
    pub fn word_bits(&self) -> u16 {
        self.lowerer.pointer_bits()
    }

    /// A new register.
    pub fn cell(&mut self, role: Role) -> usize {
        self.cells.push(Cell {
            value: None,
            known_bits: 0,
            input: None,
            role,
        });
        self.cells.len() - 1
    }

    /// The register of a family; one that the statement does not name if there was none.
    pub fn of_family(&mut self, family: usize) -> usize {
        match self.families[family] {
            Some(cell) => cell,
            None => {
                let cell = self.cell(Role::Unnamed);
                self.families[family] = Some(cell);
                cell
            }
        }
    }

    /// Place that an operand of an instruction names, and its width if that is known from there.
    pub fn place(&mut self, word: &Word) -> Odd<(Place, Option<u16>)> {
        match word {
            Word::Immediate(value) => Ok((Place::Constant(*value), None)),
            Word::Register(Register { family, bits }) => {
                let cell = self.of_family(*family);
                Ok((Place::Register(cell), Some(*bits)))
            }
            Word::Operand { number, bits } => match &self.bound[*number] {
                Bound::Register(cell) => {
                    let bits = bits.unwrap_or(self.bits[*number]);
                    // A constant, or a variable for memory, has no width that is written.
                    let is_wide = self.cells[*cell].role == Role::Local;
                    Ok((Place::Register(*cell), (!is_wide).then_some(bits)))
                }
                Bound::Memory(address) => {
                    let address = *address;
                    self.reads_inputs()?;
                    Ok((Place::Memory(address), None))
                }
                Bound::Immediate(value) => Ok((Place::Constant(*value), None)),
                Bound::Condition(_) => Err("an operand that is a condition".into()),
            },
            Word::Memory { displacement, base } => {
                let (Place::Register(base), _) = self.place(base)? else {
                    return Err("an address that is in no register".into());
                };
                if !self.is_barrier {
                    return Err("memory that is no operand, without `memory` as a clobber".into());
                }
                let bits = self.word_bits();
                let base = self.read_register(base, bits)?;
                let address = self.lowerer.offset_bytes(base, *displacement);
                Ok((Place::Memory(address), None))
            }
        }
    }

    /// Something that the compiler may have put into a register of an input is read.
    fn reads_inputs(&self) -> Odd<()> {
        match self.has_shared {
            true => Err("an input that is read behind an output without `&`".into()),
            false => Ok(()),
        }
    }

    fn read_register(&mut self, cell: usize, bits: u16) -> Odd<Operand> {
        let word_bits = self.word_bits();
        match self.cells[cell].role {
            Role::Input => self.reads_inputs()?,
            Role::Unnamed => return Err("a register that is read and is no operand".into()),
            _ => {}
        }
        let value = match self.cells[cell].value {
            Some(value) => value,
            None => {
                let body = &mut self.lowerer.body;
                let value = body.nondet(word_bits, NondetSource::Uninitialised);
                self.cells[cell].value = Some(value);
                self.cells[cell].known_bits = word_bits;
                value
            }
        };
        if bits > self.cells[cell].known_bits {
            return Err("a part of a register that has no value".into());
        }
        Ok(self.lowerer.body.resize(value, word_bits, bits, false))
    }

    /// The value of a place, this wide.
    pub fn read(&mut self, place: Place, bits: u16) -> Odd<Operand> {
        match place {
            Place::Constant(value) => Ok(constant(value as u128, bits)),
            Place::Register(cell) => self.read_register(cell, bits),
            Place::Memory(addr) => {
                let order = self.order(MemOrder::Acquire);
                let access = Self::access(order);
                Ok(self.lowerer.body.load(bits, addr, access))
            }
        }
    }

    /// Writes a value of this width. The rest of a register is kept, or zero behind 32 of 64 bits.
    pub fn write(&mut self, place: Place, bits: u16, value: Operand) -> Odd<()> {
        let word_bits = self.word_bits();
        match place {
            Place::Constant(_) => Err("a constant that is written".into()),
            Place::Memory(addr) => {
                let access = Self::access(self.order(MemOrder::Release));
                let body = &mut self.lowerer.body;
                body.emit(InstrKind::Store {
                    addr,
                    value,
                    access,
                });
                Ok(())
            }
            Place::Register(at) => {
                if bits > word_bits {
                    return Err("a register that is too narrow".into());
                }
                match self.cells[at].role {
                    Role::Input => return Err("an input that is written".into()),
                    Role::Unnamed => {
                        return Err("a register that changes and is no clobber".into());
                    }
                    Role::Output { early: false } => self.has_shared = true,
                    Role::Output { early: true } | Role::Local | Role::Clobbered => {}
                }
                let known = self.cells[at].known_bits;
                let keeps_half = bits < word_bits && faults::on(Fault::AssemblyHalf);
                let body = &mut self.lowerer.body;
                let whole = body.resize(value, bits, word_bits, false);
                let (value, known_bits) = match self.cells[at].value {
                    _ if bits >= 32 && !keeps_half => (whole, word_bits),
                    Some(before) if known > bits => {
                        let mask = constant(u128::MAX << bits, word_bits);
                        let above = body.binary(BinOp::And, before, mask, word_bits);
                        (body.binary(BinOp::Or, above, whole, word_bits), known)
                    }
                    _ => (whole, bits),
                };
                let cell = &mut self.cells[at];
                cell.value = Some(value);
                cell.known_bits = known_bits;
                cell.input = None;
                Ok(())
            }
        }
    }

    /// The low bits of a register change, and nobody knows whether the rest does.
    pub fn write_part(&mut self, cell: usize, bits: u16, value: Operand) -> Odd<()> {
        self.write(Place::Register(cell), bits, value)?;
        self.cells[cell].known_bits = self.cells[cell].known_bits.min(bits);
        Ok(())
    }

    /// Order of an access by one instruction. Without a barrier, the compiler may move others across the statement.
    pub fn order(&self, on_machine: MemOrder) -> MemOrder {
        match self.is_barrier {
            true => on_machine,
            false => MemOrder::Relaxed,
        }
    }

    fn access(order: MemOrder) -> Access {
        Access {
            order: Some(order),
            ..Access::PLAIN
        }
    }

    /// Locked update of memory: what was there.
    pub fn update(&mut self, place: Place, bits: u16, op: RmwOp, operand: Operand) -> Odd<Operand> {
        let Place::Memory(addr) = place else {
            return Err("a locked update of a register".into());
        };
        let order = self.order(MemOrder::SeqCst);
        let body = &mut self.lowerer.body;
        let dst = body.temp(bits);
        body.emit(InstrKind::Rmw {
            dst,
            addr,
            op,
            operand,
            order,
        });
        Ok(Operand::Reg(dst))
    }

    /// States that an address is aligned to this many bytes, by a read of nothing that matters.
    pub fn aligned(&mut self, addr: Operand, align_bytes: u8) {
        let access = Access {
            align_bytes,
            ..Self::access(MemOrder::Relaxed)
        };
        self.lowerer.body.load(8, addr, access);
    }

    /// Locked comparison of memory with a value, and exchange if they are equal: what was there.
    pub fn exchange_if(
        &mut self,
        addr: Operand,
        bits: u16,
        (expected, desired): (Operand, Operand),
    ) -> Operand {
        let order = self.order(MemOrder::SeqCst);
        let body = &mut self.lowerer.body;
        let dst = body.temp(bits);
        body.emit(InstrKind::CmpXchg {
            dst,
            addr,
            expected,
            desired,
            success: order,
            failure: order,
        });
        Operand::Reg(dst)
    }

    /// The condition that instructions name by a suffix, one bit.
    pub fn condition(&mut self, suffix: &str) -> Odd<Operand> {
        let (name, negated) = match suffix {
            "z" | "e" => ("z", false),
            "nz" | "ne" => ("z", true),
            "c" | "b" | "nae" => ("c", false),
            "nc" | "nb" | "ae" => ("c", true),
            "s" => ("s", false),
            "ns" => ("s", true),
            "o" => ("o", false),
            "no" => ("o", true),
            "be" | "na" => ("be", false),
            "nbe" | "a" => ("be", true),
            "l" | "nge" => ("l", false),
            "nl" | "ge" => ("l", true),
            "le" | "ng" => ("le", false),
            "nle" | "g" => ("le", true),
            _ => return Err(format!("condition `{suffix}`")),
        };
        let holds = match name {
            "z" => self.zero()?,
            "c" => self.carry()?,
            "s" => self.sign()?,
            "o" => self.overflow()?,
            "be" => {
                let (carry, zero) = (self.carry()?, self.zero()?);
                self.lowerer.body.binary(BinOp::Or, carry, zero, 1)
            }
            _ => {
                let (sign, overflow) = (self.sign()?, self.overflow()?);
                let body = &mut self.lowerer.body;
                let less = body.binary(BinOp::Xor, sign, overflow, 1);
                if name == "le" {
                    let zero = self.zero()?;
                    self.lowerer.body.binary(BinOp::Or, less, zero, 1)
                } else {
                    less
                }
            }
        };
        Ok(match negated {
            true => self.not(holds),
            false => holds,
        })
    }

    fn zero(&mut self) -> Odd<Operand> {
        self.flag(self.flags.zero, |machine, of| {
            let (a, b) = match of.how {
                // Addresses are compared without arithmetic.
                Arithmetic::Sub => (of.old, of.operand),
                Arithmetic::And if of.old == of.operand => (of.old, constant(0, of.bits)),
                _ => (machine.computed(of), constant(0, of.bits)),
            };
            machine.lowerer.body.binary(BinOp::Eq, a, b, of.bits)
        })
    }

    fn sign(&mut self) -> Odd<Operand> {
        self.flag(self.flags.sign, |machine, of| {
            let new = machine.computed(of);
            let body = &mut machine.lowerer.body;
            body.binary(BinOp::SLt, new, constant(0, of.bits), of.bits)
        })
    }

    fn carry(&mut self) -> Odd<Operand> {
        self.flag(self.flags.carry, |machine, of| {
            let (a, b) = match of.how {
                Arithmetic::Add if !faults::on(Fault::AssemblyCarry) => {
                    (machine.computed(of), of.old)
                }
                Arithmetic::Add | Arithmetic::Sub => (of.old, of.operand),
                Arithmetic::And | Arithmetic::Or | Arithmetic::Xor => return constant(0, 1),
            };
            machine.lowerer.body.binary(BinOp::ULt, a, b, of.bits)
        })
    }

    /// The sign changes although those of the operands say that it does not.
    fn overflow(&mut self) -> Odd<Operand> {
        self.flag(self.flags.overflow, |machine, of| {
            let new = machine.computed(of);
            let body = &mut machine.lowerer.body;
            let differ = body.binary(BinOp::Xor, of.old, of.operand, of.bits);
            let agree = match of.how {
                Arithmetic::Add => body.unary(UnOp::Not, differ, of.bits),
                Arithmetic::Sub => differ,
                Arithmetic::And | Arithmetic::Or | Arithmetic::Xor => return constant(0, 1),
            };
            let changed = body.binary(BinOp::Xor, of.old, new, of.bits);
            let both = body.binary(BinOp::And, agree, changed, of.bits);
            body.binary(BinOp::SLt, both, constant(0, of.bits), of.bits)
        })
    }

    /// The result of what flags tell of.
    fn computed(&mut self, of: Computed) -> Operand {
        let body = &mut self.lowerer.body;
        body.binary(of.how.operator(), of.old, of.operand, of.bits)
    }

    fn flag(&mut self, flag: Flag, of: fn(&mut Self, Computed) -> Operand) -> Odd<Operand> {
        match flag {
            Flag::Open => Err("a flag that has no value".into()),
            Flag::Known(value) => Ok(value),
            Flag::Of(computed) => Ok(of(self, computed)),
        }
    }

    /// True of a variable that nobody can point to.
    pub fn is_local(&self, place: Place) -> bool {
        matches!(place, Place::Register(cell) if self.cells[cell].role == Role::Local)
    }

    pub fn not(&mut self, flag: Operand) -> Operand {
        let body = &mut self.lowerer.body;
        body.binary(BinOp::Xor, flag, constant(1, 1), 1)
    }
}
