//! Instructions of x86 that concurrent code uses: moves, exchanges, arithmetic with flags, bit tests, conditions and fences.
//!
//! The meaning of each is that of the Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2. An access of memory by one
//! instruction is atomic; an update is one step only with `lock`, which `xchg` has by itself. Loads acquire and stores
//! release, as under TSO; locked updates are sequentially consistent.

use super::super::body::constant;
use super::machine::{Arithmetic, Computed, Flag, Flags, Machine, Odd, Place};
use super::template::{AX, BX, CX, DX, Instruction, Word};
use crate::ir::faults::{self, Fault};
use crate::ir::{BinOp, InstrKind, MemOrder, NondetSource, Operand, RmwOp, UnOp};

/// Mnemonics whose last letter may be the width of their operands.
const SUFFIXED: [&str; 21] = [
    "mov", "xchg", "xadd", "cmpxchg", "add", "sub", "and", "or", "xor", "cmp", "test", "inc",
    "dec", "neg", "not", "bt", "bts", "btr", "btc", "sbb", "lea",
];

/// A mnemonic and the width that its suffix gives; `None` if it is none that has one.
fn split(name: &str) -> Option<(&str, Option<u16>)> {
    if SUFFIXED.contains(&name) {
        return Some((name, None));
    }
    let (stem, suffix) = name.split_at_checked(name.len().checked_sub(1)?)?;
    Some((stem, Some(width(suffix)?))).filter(|(stem, _)| SUFFIXED.contains(stem))
}

/// The width in bits of a suffix.
fn width(suffix: &str) -> Option<u16> {
    Some(match suffix {
        "b" => 8,
        "w" => 16,
        "l" => 32,
        "q" => 64,
        _ => return None,
    })
}

impl Machine<'_> {
    /// Executes one instruction.
    pub fn step(&mut self, instruction: &Instruction) -> Odd<()> {
        let name = instruction.name.as_str();
        let words = &instruction.operands;
        let unlocked = |done: Odd<()>| match instruction.locked {
            true => Err(format!("`lock` before `{name}`")),
            false => done,
        };
        match (name, &words[..]) {
            ("nop" | "pause", []) => return unlocked(Ok(())),
            ("mfence", []) => return unlocked(self.fence(MemOrder::SeqCst)),
            // They let a later read go before an earlier write.
            ("lfence" | "sfence", []) => return unlocked(self.fence(MemOrder::AcqRel)),
            ("rdtsc", []) => return unlocked(self.free(&[AX, DX])),
            ("rdtscp", []) => return unlocked(self.free(&[AX, CX, DX])),
            ("cmpxchg8b", [at]) => return self.exchange_pair(instruction.locked, at, 32),
            ("cmpxchg16b", [at]) => return self.exchange_pair(instruction.locked, at, 64),
            _ => {}
        }
        if name.starts_with("prefetch") && words.len() == 1 {
            return unlocked(Ok(()));
        }
        if let ("movabs" | "movabsq", [from, to]) = (name, &words[..]) {
            return unlocked(self.mov(from, to, Some(64)));
        }
        if let (Some(suffix), [to]) = (name.strip_prefix("set"), &words[..]) {
            return unlocked(self.set(suffix, to));
        }
        if let (Some(suffix), [from, to]) = (name.strip_prefix("cmov"), &words[..]) {
            return unlocked(self.move_if(suffix, from, to));
        }
        if let ([from, to], Some((signed, from_bits, to_bits))) = (&words[..], extension(name)) {
            return unlocked(self.extend(signed, (from, from_bits), (to, to_bits)));
        }
        let Some((name, suffix)) = split(name) else {
            return Err(format!("instruction `{name}`"));
        };
        self.suffixed(instruction, name, suffix)
    }

    fn suffixed(&mut self, instruction: &Instruction, name: &str, suffix: Option<u16>) -> Odd<()> {
        let locked = instruction.locked;
        let no_lock = || match locked {
            true => Err(format!("`lock` before `{name}`")),
            false => Ok(()),
        };
        match (name, &instruction.operands[..]) {
            ("mov", [from, to]) => {
                no_lock()?;
                self.mov(from, to, suffix)
            }
            ("lea", [from, to]) => {
                no_lock()?;
                self.address(from, to)
            }
            ("xchg", [one, other]) => self.exchange(one, other, suffix),
            ("xadd", [from, to]) => {
                let ([from, to], bits) = self.places([from, to], suffix)?;
                let operand = self.read(from, bits)?;
                let old = self.changed(locked, to, bits, Arithmetic::Add, operand)?;
                self.set_flags(Arithmetic::Add, (old, operand), bits);
                self.write(from, bits, old)
            }
            ("cmpxchg", [from, to]) => self.compare_exchange(locked, from, to, suffix),
            ("cmp" | "test", [from, to]) => {
                no_lock()?;
                let how = Arithmetic::of(name).expect("both are of a kind");
                let ([from, to], bits) = self.places([from, to], suffix)?;
                let (operand, old) = (self.read(from, bits)?, self.read(to, bits)?);
                self.set_flags(how, (old, operand), bits);
                Ok(())
            }
            ("add" | "sub" | "and" | "or" | "xor", [from, to]) => {
                let how = Arithmetic::of(name).expect("each is of a kind");
                let ([from, to], bits) = self.places([from, to], suffix)?;
                let operand = self.read(from, bits)?;
                let old = self.changed(locked, to, bits, how, operand)?;
                self.set_flags(how, (old, operand), bits);
                Ok(())
            }
            ("sbb", [from, to]) => {
                no_lock()?;
                let ([from, to], bits) = self.places([from, to], suffix)?;
                if from != to {
                    return Err("`sbb` of two operands".into());
                }
                let carry = self.condition("c")?;
                let whole = self.lowerer.body.resize(carry, 1, bits, true);
                self.flags = Flags {
                    zero: Flag::Known(self.not(carry)),
                    sign: Flag::Known(carry),
                    carry: Flag::Known(carry),
                    overflow: Flag::Known(constant(0, 1)),
                };
                self.write(to, bits, whole)
            }
            ("inc" | "dec", [at]) => {
                let ([at], bits) = self.places([at], suffix)?;
                let one = constant(1, bits);
                let how = Arithmetic::of(name).expect("both are of a kind");
                let old = self.changed(locked, at, bits, how, one)?;
                let carry = self.flags.carry;
                self.set_flags(how, (old, one), bits);
                self.flags.carry = carry;
                Ok(())
            }
            ("not", [at]) => {
                let ([at], bits) = self.places([at], suffix)?;
                let ones = constant(u128::MAX, bits);
                self.changed(locked, at, bits, Arithmetic::Xor, ones)?;
                Ok(())
            }
            ("neg", [at]) => {
                no_lock()?;
                let ([at], bits) = self.places([at], suffix)?;
                let old = self.read(at, bits)?;
                let new = self.lowerer.body.unary(UnOp::Neg, old, bits);
                let zero = constant(0, bits);
                self.set_flags(Arithmetic::Sub, (zero, old), bits);
                self.write(at, bits, new)
            }
            ("bt" | "bts" | "btr" | "btc", [which, at]) => {
                self.bit(locked, name, which, at, suffix)
            }
            _ => Err(format!("operands of `{}`", instruction.name)),
        }
    }

    /// The flags tell of arithmetic.
    fn set_flags(&mut self, how: Arithmetic, (old, operand): (Operand, Operand), bits: u16) {
        self.flags = Flags::all(Flag::Of(Computed {
            how,
            old,
            operand,
            bits,
        }));
    }

    /// Places of operands, and the width that they and the suffix agree on.
    fn places<const N: usize>(
        &mut self,
        words: [&Word; N],
        suffix: Option<u16>,
    ) -> Odd<([Place; N], u16)> {
        let mut places = [Place::Constant(0); N];
        let mut widths: Vec<u16> = suffix.into_iter().collect();
        for (place, word) in places.iter_mut().zip(words) {
            let (found, bits) = self.place(word)?;
            *place = found;
            widths.extend(bits);
        }
        let bits = widths.first().copied().ok_or("operands without a width")?;
        if widths.iter().any(|other| *other != bits) {
            return Err("operands of different widths".into());
        }
        Ok((places, bits))
    }

    /// Changes a place by an operation, in one step if it is `locked`: what was there.
    fn changed(
        &mut self,
        locked: bool,
        at: Place,
        bits: u16,
        how: Arithmetic,
        operand: Operand,
    ) -> Odd<Operand> {
        if locked && !self.is_local(at) {
            return self.update(at, bits, how.update(), operand);
        }
        if locked {
            self.locked_fence()?;
        }
        let old = self.read(at, bits)?;
        let new = self.lowerer.body.binary(how.operator(), old, operand, bits);
        self.write(at, bits, new)?;
        Ok(old)
    }

    fn mov(&mut self, from: &Word, to: &Word, suffix: Option<u16>) -> Odd<()> {
        let ([from, to], bits) = self.places([from, to], suffix)?;
        let value = self.read(from, bits)?;
        self.write(to, bits, value)
    }

    fn address(&mut self, from: &Word, to: &Word) -> Odd<()> {
        let Word::Memory { displacement, base } = from else {
            return Err("operands of `lea`".into());
        };
        let bits = self.word_bits();
        let ([base, to], bits) = self.places([&**base, to], Some(bits))?;
        let base = self.read(base, bits)?;
        let moved = self.lowerer.offset_bytes(base, *displacement);
        self.write(to, bits, moved)
    }

    /// `xchg`, which is locked if one side is memory.
    fn exchange(&mut self, one: &Word, other: &Word, suffix: Option<u16>) -> Odd<()> {
        let ([one, other], bits) = self.places([one, other], suffix)?;
        let (memory, register) = match (one, other) {
            (Place::Memory(_), _) => (one, other),
            (_, Place::Memory(_)) => (other, one),
            _ => {
                if self.is_local(one) || self.is_local(other) {
                    self.locked_fence()?;
                }
                let (a, b) = (self.read(one, bits)?, self.read(other, bits)?);
                self.write(one, bits, b)?;
                return self.write(other, bits, a);
            }
        };
        let new = self.read(register, bits)?;
        let old = self.update(memory, bits, RmwOp::Exchange, new)?;
        self.write(register, bits, old)
    }

    fn compare_exchange(
        &mut self,
        locked: bool,
        from: &Word,
        to: &Word,
        suffix: Option<u16>,
    ) -> Odd<()> {
        let ([from, to], bits) = self.places([from, to], suffix)?;
        let desired = self.read(from, bits)?;
        let accumulator = self.of_family(AX);
        let expected = self.read(Place::Register(accumulator), bits)?;
        let old = match to {
            Place::Memory(addr) if locked => self.exchange_if(addr, bits, (expected, desired)),
            _ if locked && !self.is_local(to) => return Err("a locked update of a register".into()),
            _ => {
                if locked {
                    self.locked_fence()?;
                }
                let old = self.read(to, bits)?;
                let body = &mut self.lowerer.body;
                let same = body.binary(BinOp::Eq, old, expected, bits);
                let new = body.select(same, desired, old, bits);
                self.write(to, bits, new)?;
                old
            }
        };
        self.set_flags(Arithmetic::Sub, (expected, old), bits);
        if faults::on(Fault::AssemblyAccumulator) {
            return Ok(());
        }
        self.write_part(accumulator, bits, old)
    }

    /// `cmpxchg8b` and `cmpxchg16b`: two registers of so many bits are compared, and two others stored.
    fn exchange_pair(&mut self, locked: bool, at: &Word, half: u16) -> Odd<()> {
        let (Place::Memory(addr), _) = self.place(at)? else {
            return Err("operands of `cmpxchg16b`".into());
        };
        if !locked {
            return Err("`cmpxchg16b` without `lock`".into());
        }
        if half > self.word_bits() {
            return Err("`cmpxchg16b` of this machine".into());
        }
        let mut pair = |low, high| {
            let (low, high) = (self.of_family(low), self.of_family(high));
            let low = self.read(Place::Register(low), half)?;
            let high = self.read(Place::Register(high), half)?;
            let body = &mut self.lowerer.body;
            let low = body.resize(low, half, 2 * half, false);
            let high = body.resize(high, half, 2 * half, false);
            let shift = constant(u128::from(half), 2 * half);
            let high = body.binary(BinOp::Shl, high, shift, 2 * half);
            Ok::<_, String>(body.binary(BinOp::Or, high, low, 2 * half))
        };
        let (expected, desired) = (pair(AX, DX)?, pair(BX, CX)?);
        if half == 64 {
            // The machine traps elsewhere.
            self.aligned(addr, 16);
        }
        let old = self.exchange_if(addr, 2 * half, (expected, desired));
        let body = &mut self.lowerer.body;
        let same = body.binary(BinOp::Eq, old, expected, 2 * half);
        let low = body.resize(old, 2 * half, half, false);
        let shift = constant(u128::from(half), 2 * half);
        let high = body.binary(BinOp::LShr, old, shift, 2 * half);
        let high = body.resize(high, 2 * half, half, false);
        self.flags.zero = Flag::Known(same);
        let (low_at, high_at) = (self.of_family(AX), self.of_family(DX));
        self.write_part(low_at, half, low)?;
        self.write_part(high_at, half, high)
    }

    /// Bit tests: the carry is the bit, which `bts` sets, `btr` clears and `btc` complements.
    fn bit(
        &mut self,
        locked: bool,
        name: &str,
        which: &Word,
        at: &Word,
        suffix: Option<u16>,
    ) -> Odd<()> {
        let ([which, at], bits) = self.places([which, at], suffix)?;
        if !matches!(bits, 16 | 32 | 64) {
            return Err(format!("width of `{name}`"));
        }
        let mut at = at;
        let index = self.read(which, bits)?;
        let is_far = !faults::on(Fault::AssemblyBit);
        if let (Place::Register(_), Place::Memory(addr), true) = (which, at, is_far) {
            // A register counts from the first bit of memory on, in both directions.
            let pointer_bits = self.word_bits();
            let body = &mut self.lowerer.body;
            let shift = constant(u128::from(bits.ilog2()), bits);
            let words = body.binary(BinOp::AShr, index, shift, bits);
            let words = body.resize(words, bits, pointer_bits, true);
            let bytes = constant(u128::from(bits / 8), pointer_bits);
            let distance = body.binary(BinOp::Mul, words, bytes, pointer_bits);
            at = Place::Memory(self.lowerer.offset(addr, distance));
        }
        let body = &mut self.lowerer.body;
        let low = constant(u128::from(bits - 1), bits);
        let index = body.binary(BinOp::And, index, low, bits);
        let mask = body.binary(BinOp::Shl, constant(1, bits), index, bits);
        let old = match name {
            "bts" => self.changed(locked, at, bits, Arithmetic::Or, mask)?,
            "btc" => self.changed(locked, at, bits, Arithmetic::Xor, mask)?,
            "btr" => {
                let rest = body.unary(UnOp::Not, mask, bits);
                self.changed(locked, at, bits, Arithmetic::And, rest)?
            }
            _ if locked => return Err("`lock` before `bt`".into()),
            _ => self.read(at, bits)?,
        };
        let body = &mut self.lowerer.body;
        let bit = body.binary(BinOp::And, old, mask, bits);
        let set = body.binary(BinOp::Ne, bit, constant(0, bits), bits);
        self.flags = Flags {
            zero: self.flags.zero,
            carry: Flag::Known(set),
            ..Flags::all(Flag::Open)
        };
        Ok(())
    }

    fn set(&mut self, suffix: &str, to: &Word) -> Odd<()> {
        let holds = self.condition(suffix)?;
        let ([to], bits) = self.places([to], Some(8))?;
        let byte = self.lowerer.body.resize(holds, 1, bits, false);
        self.write(to, bits, byte)
    }

    fn move_if(&mut self, suffix: &str, from: &Word, to: &Word) -> Odd<()> {
        let (suffix, bits) = match self.condition(suffix) {
            Ok(_) => (suffix, None),
            Err(_) => match suffix.split_at_checked(suffix.len().saturating_sub(1)) {
                Some((stem, last)) => (stem, width(last)),
                None => (suffix, None),
            },
        };
        let holds = self.condition(suffix)?;
        let ([from, to], bits) = self.places([from, to], bits)?;
        let (new, old) = (self.read(from, bits)?, self.read(to, bits)?);
        let value = self.lowerer.body.select(holds, new, old, bits);
        self.write(to, bits, value)
    }

    /// `movz` and `movs`.
    fn extend(
        &mut self,
        signed: bool,
        (from, from_bits): (&Word, u16),
        (to, to_bits): (&Word, u16),
    ) -> Odd<()> {
        let ([from], from_bits) = self.places([from], Some(from_bits))?;
        let ([to], to_bits) = self.places([to], Some(to_bits))?;
        let value = self.read(from, from_bits)?;
        let body = &mut self.lowerer.body;
        let value = body.resize(value, from_bits, to_bits, signed);
        self.write(to, to_bits, value)
    }

    fn fence(&mut self, order: MemOrder) -> Odd<()> {
        self.lowerer.body.emit(InstrKind::Fence { order });
        Ok(())
    }

    /// A locked update is a fence, also that of a variable that nobody else sees.
    fn locked_fence(&mut self) -> Odd<()> {
        let order = self.order(MemOrder::SeqCst);
        match order {
            MemOrder::Relaxed => Ok(()),
            _ => self.fence(order),
        }
    }

    /// Registers get any values of 32 bits.
    fn free(&mut self, families: &[usize]) -> Odd<()> {
        for family in families {
            let value = self.lowerer.body.nondet(32, NondetSource::External);
            let cell = self.of_family(*family);
            self.write(Place::Register(cell), 32, value)?;
        }
        Ok(())
    }
}

/// Signedness and both widths of a `movz` or `movs`, such as `movzbl`.
fn extension(name: &str) -> Option<(bool, u16, u16)> {
    let (signed, widths) = match name.strip_prefix("movz") {
        Some(widths) => (false, widths),
        None => (true, name.strip_prefix("movs")?),
    };
    let (from, to) = widths.split_at_checked(1)?;
    let (from, to) = (width(from)?, width(to)?);
    (from < to).then_some((signed, from, to))
}
