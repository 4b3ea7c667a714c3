//! GCC's builtin functions, apart from the atomic ones.

use super::body::{ScopeEnd, constant};
use super::call::Args;
use super::convert::Typed;
use super::ctype::{CType, IntKind, Kind};
use super::permute::permutation;
use super::{Lowerer, Res, overflow};
use crate::ir::{AllocKind, BinOp, Instr, InstrKind, Operand, Rvalue, Terminator, Undefined};

impl Lowerer {
    /// The call of a builtin; `None` if the name is none that needs a treatment of its own.
    pub(super) fn builtin(&mut self, name: &str, args: Args) -> Res<Option<Typed>> {
        if let Some(value) = self.atomic(name, args)? {
            return Ok(Some(value));
        }
        if name == "alloca" {
            return self.alloca(name, args).map(Some);
        }
        let Some(name) = name.strip_prefix("__builtin_") else {
            return Ok(None);
        };
        let int = CType::int(IntKind::Int);
        let value = match name {
            "expect" | "expect_with_probability" | "unpredictable" => {
                let value = self.builtin_argument(name, args, 0)?;
                for e in &args[1..] {
                    self.effect(e)?;
                }
                self.convert(value, &CType::int(IntKind::Long))?
            }
            "assume_aligned" => self.builtin_argument(name, args, 0)?,
            "speculation_safe_value" => {
                let value = self.builtin_argument(name, args, 0)?;
                for e in &args[1..] {
                    self.effect(e)?;
                }
                value
            }
            "assume" => self.assume(name, args)?,
            "unreachable" => {
                self.body.emit(InstrKind::Defined {
                    cond: constant(0, 1),
                    why: Undefined::BuiltinUnreachable,
                });
                self.body.end(Terminator::Stop);
                Typed::void()
            }
            "constant_p" => {
                let known = match args.first() {
                    Some(e) => self.try_constant_int(e).is_some(),
                    None => false,
                };
                Typed::truth(constant(u128::from(known), 1))
            }
            "choose_expr" => {
                let [condition, a, b] = args else {
                    return self.fail("`__builtin_choose_expr` needs 3 arguments");
                };
                let chosen = match self.constant_int(condition)? {
                    0 => b,
                    _ => a,
                };
                self.expr(chosen)?
            }
            // `a ?: b`, as `syntax` writes it.
            "selvedge_or" => {
                let [a, b] = args else {
                    return self.fail("`?:` needs 2 operands");
                };
                self.value_or(a, b)?
            }
            "object_size" | "dynamic_object_size" => {
                let kind = args
                    .get(1)
                    .and_then(|e| self.try_constant_int(e))
                    .unwrap_or(0);
                let bits = self.pointer_bits();
                let value = if kind & 2 != 0 { 0 } else { u128::MAX };
                Typed::scalar(CType::int(self.size_kind()), constant(value, bits))
            }
            "prefetch" | "ia32_pause" | "__clear_cache" => {
                for e in args {
                    self.effect(e)?;
                }
                Typed::void()
            }
            "alloca" | "alloca_with_align" => self.alloca(name, args)?,
            "va_start" | "va_end" | "va_copy" => self.variable_list(name, args)?,
            "return_address" | "frame_address" | "extract_return_addr" => {
                self.unsupported("the address of the call stack", &CType::void().pointer_to())
            }
            _ if permutation(name).is_some() => self.permuted(name, args)?,
            "LINE" | "FILE" | "FUNCTION" => {
                return self.fail(format!(
                    "`__builtin_{name}` is not supported; name a macro instead"
                ));
            }
            "trap" => {
                let index = self.function_named("abort", self.body.loc);
                self.functions[index].ty = match self.functions[index].ty.kind {
                    Kind::Function(ref s) if s.prototyped => self.functions[index].ty.clone(),
                    _ => abort_type(),
                };
                self.call_function(index, &[])?
            }
            _ if overflow::checked(name).is_some() => self.checked_operation(name, args)?,
            _ => {
                if let Some(value) = self.float_builtin(name, args)? {
                    return Ok(Some(value));
                }
                let (base, kind) = match name.strip_suffix("ll") {
                    Some(base) if is_bit_query(base) => (base, IntKind::ULongLong),
                    _ => match name.strip_suffix('l') {
                        Some(base) if is_bit_query(base) => (base, IntKind::ULong),
                        _ => (name, IntKind::UInt),
                    },
                };
                if !is_bit_query(base) {
                    return Ok(None);
                }
                let value = self.builtin_argument(name, args, 0)?;
                let ty = CType::int(kind);
                let bits = self.bits(&ty);
                let word = self.converted(value, &ty)?;
                let result = self.bit_query(base, word, bits);
                let result = self.body.resize(result, bits, 32, false);
                Typed::scalar(int, result)
            }
        };
        Ok(Some(value))
    }

    pub(super) fn builtin_argument(&mut self, name: &str, args: Args, index: usize) -> Res<Typed> {
        match args.get(index) {
            Some(e) => self.expr(e),
            None => self.fail(format!("`__builtin_{name}` needs an argument")),
        }
    }

    /// An assumption, which is evaluated by nobody: what does more than look at values is refused.
    fn assume(&mut self, name: &str, args: Args) -> Res<Typed> {
        let blocks = self.body.blocks.len();
        let current = self.body.current;
        let instrs = self.body.blocks[current].instrs.len();
        let condition = self.builtin_argument(name, args, 0)?;
        let condition = self.truth(condition)?;
        let all = self.body.blocks.iter().skip(blocks);
        let new = self.body.blocks[current].instrs.iter().skip(instrs);
        let mut written = new.chain(all.flat_map(|block| &block.instrs));
        let only_looks = written.all(|instr| match &instr.kind {
            InstrKind::Load { access, .. } => access.order.is_none() && !access.volatile,
            kind => matches!(kind, InstrKind::Assign { .. } | InstrKind::Defined { .. }),
        });
        if !only_looks {
            return self.fail("the condition of `__builtin_assume` must only look at values");
        }
        self.body.emit(InstrKind::Defined {
            cond: condition,
            why: Undefined::BuiltinUnreachable,
        });
        Ok(Typed::void())
    }

    fn alloca(&mut self, name: &str, args: Args) -> Res<Typed> {
        let size = self.builtin_argument(name, args, 0)?;
        let size_ty = CType::int(self.size_kind());
        let size_bytes = self.converted(size, &size_ty)?;
        let bits = self.pointer_bits();
        let dst = self.body.temp(bits);
        let ty = self.intern(&CType::int(IntKind::Char));
        let kind = AllocKind::Stack {
            name: "alloca".into(),
            ty,
            zeroed: false,
        };
        // It lives as long as the function, where control has come by. (Of those that a loop makes, the last is
        // ended; nobody notices that the others are not but who uses them later.)
        let none = Rvalue::Use(constant(0, bits));
        let (loc, value) = (self.body.loc, none);
        self.body.prologue.push(Instr {
            kind: InstrKind::Assign { dst, value },
            loc,
        });
        self.body.scopes[0]
            .ends
            .push(ScopeEnd::Object(Operand::Reg(dst)));
        self.body.emit(InstrKind::Alloc {
            dst,
            size_bytes,
            align_bytes: constant(crate::ir::ALLOCATION_ALIGN_BYTES, bits),
            kind,
        });
        Ok(Typed::scalar(CType::void().pointer_to(), Operand::Reg(dst)))
    }

    /// Counts and positions of bits, computed bit by bit.
    fn bit_query(&mut self, name: &str, word: Operand, bits: u16) -> Operand {
        if name == "clrsb" {
            // Copies of the sign bit below it: leading zeros of the number without its sign, but for one.
            let sign = constant(u128::from(bits) - 1, bits);
            let spread = self.body.binary(BinOp::AShr, word, sign, bits);
            let rest = self.body.binary(BinOp::Xor, word, spread, bits);
            let one = constant(1, bits);
            let doubled = self.body.binary(BinOp::Shl, rest, one, bits);
            let marked = self.body.binary(BinOp::Or, doubled, one, bits);
            return self.bit_query("clz", marked, bits);
        }
        if matches!(name, "clz" | "ctz") {
            let nonzero = self.body.binary(BinOp::Ne, word, constant(0, bits), bits);
            self.body.defined(nonzero, Undefined::Unreachable);
        }
        let mut result = constant(
            match name {
                "clz" | "ctz" => u128::from(bits),
                _ => 0,
            },
            bits,
        );
        // The last bit looked at wins, so the scan ends at the bit that counts.
        let order: Vec<u16> = match name {
            "clz" => (0..bits).collect(),
            _ => (0..bits).rev().collect(),
        };
        for i in order {
            let shifted = self
                .body
                .binary(BinOp::LShr, word, constant(u128::from(i), bits), bits);
            let bit = self
                .body
                .binary(BinOp::And, shifted, constant(1, bits), bits);
            result = match name {
                "popcount" => self.body.binary(BinOp::Add, result, bit, bits),
                "parity" => self.body.binary(BinOp::Xor, result, bit, bits),
                _ => {
                    let position = match name {
                        "clz" => bits - 1 - i,
                        "ffs" => i + 1,
                        _ => i,
                    };
                    let set = self.body.binary(BinOp::Ne, bit, constant(0, bits), bits);
                    let position = constant(u128::from(position), bits);
                    self.body.select(set, position, result, bits)
                }
            };
        }
        result
    }
}

fn is_bit_query(name: &str) -> bool {
    matches!(
        name,
        "popcount" | "parity" | "clz" | "ctz" | "ffs" | "clrsb"
    )
}

fn abort_type() -> CType {
    use super::ctype::Signature;
    CType::new(Kind::Function(std::rc::Rc::new(Signature {
        result: CType::void(),
        params: Vec::new(),
        variadic: false,
        prototyped: true,
    })))
}
