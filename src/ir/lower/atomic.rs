//! The atomic builtins of GCC and the generic functions of `<stdatomic.h>`.
//!
//! They are here, and not with the library, because their meaning depends on the type that a pointer points
//! to. A record of 1, 2, 4, 8 or 16 bytes is accessed as one integer of its size.

use super::body::constant;
use super::call::Args;
use super::convert::{Typed, Value};
use super::ctype::{CType, IntKind, Kind};
use super::lvalue::{LValue, Place};
use super::{Lowerer, Res};
use crate::ir::{
    Access, BinOp, InstrKind, MemOrder, Operand, RmwOp, Terminator, UnOp, update_align_bytes,
};
use lang_c::ast::Expression;
use lang_c::span::Node;

/// Source of the memory orders of an atomic operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Orders {
    /// The last argument (or the last two).
    Given,
    Fixed(MemOrder),
}

/// Operation of an atomic function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Atomic {
    Load,
    /// `atomic_init`, which is no atomic access.
    Init,
    Store,
    Exchange,
    /// Compare-exchange: true if the desired value comes by pointer, and if the orders follow a `weak` argument.
    CompareExchange {
        by_pointer: bool,
        weak_argument: bool,
    },
    /// The operation, whether the result is the new value, whether pointers move by elements, and whether the type of
    /// the object says how numbers compare, and not the name.
    Fetch {
        op: RmwOp,
        new: bool,
        scaled: bool,
        by_type: bool,
    },
    TestAndSet,
    Clear,
    Fence,
    SignalFence,
    LockFree,
    /// `__sync_bool_compare_and_swap` and `__sync_val_compare_and_swap`.
    CompareAndSwap {
        value: bool,
    },
    /// `__atomic_load`, `__atomic_store` and `__atomic_exchange`, which take values by pointer.
    LoadInto,
    StoreFrom,
    ExchangeInto,
    /// `__sync_lock_release`.
    Release,
}

fn operation(name: &str) -> Option<RmwOp> {
    Some(match name {
        "add" => RmwOp::Add,
        "sub" => RmwOp::Sub,
        "and" => RmwOp::And,
        "or" => RmwOp::Or,
        "xor" => RmwOp::Xor,
        "nand" => RmwOp::Nand,
        "umin" => RmwOp::UMin,
        "umax" => RmwOp::UMax,
        "min" => RmwOp::SMin,
        "max" => RmwOp::SMax,
        _ => return None,
    })
}

/// Atomic functions by name: the operation and the source of its orders; `None` if the name is none of them.
fn recognise(name: &str) -> Option<(Atomic, Orders)> {
    let seq_cst = Orders::Fixed(MemOrder::SeqCst);
    if let Some(rest) = name.strip_prefix("__atomic_") {
        let rest = rest.strip_suffix("_n").map_or((rest, false), |r| (r, true));
        let kind = match rest {
            ("load", true) => Atomic::Load,
            ("load", false) => Atomic::LoadInto,
            ("store", true) => Atomic::Store,
            ("store", false) => Atomic::StoreFrom,
            ("exchange", true) => Atomic::Exchange,
            ("exchange", false) => Atomic::ExchangeInto,
            ("compare_exchange", by_value) => Atomic::CompareExchange {
                by_pointer: !by_value,
                weak_argument: true,
            },
            ("test_and_set", false) => Atomic::TestAndSet,
            ("clear", false) => Atomic::Clear,
            ("thread_fence", false) => Atomic::Fence,
            ("signal_fence", false) => Atomic::SignalFence,
            ("always_lock_free" | "is_lock_free", false) => Atomic::LockFree,
            (rest, false) => {
                let (op, new) = match (rest.strip_prefix("fetch_"), rest.strip_suffix("_fetch")) {
                    (Some(op), _) => (op, false),
                    (_, Some(op)) => (op, true),
                    _ => return None,
                };
                Atomic::Fetch {
                    op: operation(op)?,
                    new,
                    scaled: false,
                    by_type: true,
                }
            }
            _ => return None,
        };
        return Some((kind, Orders::Given));
    }
    if let Some(rest) = name.strip_prefix("__sync_") {
        let kind = match rest {
            "synchronize" => Atomic::Fence,
            "bool_compare_and_swap" => Atomic::CompareAndSwap { value: false },
            "val_compare_and_swap" => Atomic::CompareAndSwap { value: true },
            "lock_test_and_set" => {
                return Some((Atomic::Exchange, Orders::Fixed(MemOrder::Acquire)));
            }
            "lock_release" => return Some((Atomic::Release, Orders::Fixed(MemOrder::Release))),
            _ => {
                let (op, new) = match (
                    rest.strip_prefix("fetch_and_"),
                    rest.strip_suffix("_and_fetch"),
                ) {
                    (Some(op), _) => (op, false),
                    (_, Some(op)) => (op, true),
                    _ => return None,
                };
                Atomic::Fetch {
                    op: operation(op)?,
                    new,
                    scaled: false,
                    by_type: false,
                }
            }
        };
        return Some((kind, seq_cst));
    }
    let (rest, clang) = match name.strip_prefix("__c11_atomic_") {
        Some(rest) => (rest, true),
        None => (name.strip_prefix("atomic_")?, false),
    };
    let (rest, explicit) = match rest.strip_suffix("_explicit") {
        Some(rest) => (rest, true),
        None => (rest, clang),
    };
    let orders = if explicit { Orders::Given } else { seq_cst };
    let kind = match rest {
        "load" => Atomic::Load,
        "store" => Atomic::Store,
        "init" => return Some((Atomic::Init, seq_cst)),
        "exchange" => Atomic::Exchange,
        "compare_exchange_strong" | "compare_exchange_weak" => Atomic::CompareExchange {
            by_pointer: false,
            weak_argument: false,
        },
        "flag_test_and_set" => Atomic::TestAndSet,
        "flag_clear" => Atomic::Clear,
        "thread_fence" => return Some((Atomic::Fence, Orders::Given)),
        "signal_fence" => return Some((Atomic::SignalFence, Orders::Given)),
        "is_lock_free" => Atomic::LockFree,
        _ => {
            let op = operation(rest.strip_prefix("fetch_")?)?;
            Atomic::Fetch {
                op,
                new: false,
                scaled: true,
                by_type: true,
            }
        }
    };
    Some((kind, orders))
}

impl Lowerer {
    /// The call of an atomic function; `None` if the name is none.
    pub(super) fn atomic(&mut self, name: &str, args: Args) -> Res<Option<Typed>> {
        let Some((kind, orders)) = recognise(name) else {
            return Ok(None);
        };
        let given = match (kind, orders) {
            (_, Orders::Fixed(_)) => 0,
            (Atomic::CompareExchange { .. }, _) => 2,
            (Atomic::LockFree, _) => 0,
            _ => 1,
        };
        let values = match kind {
            Atomic::Load | Atomic::TestAndSet | Atomic::Clear | Atomic::Release => 1,
            Atomic::Store | Atomic::Init | Atomic::Exchange | Atomic::Fetch { .. } => 2,
            Atomic::LoadInto | Atomic::StoreFrom => 2,
            Atomic::ExchangeInto | Atomic::CompareAndSwap { .. } => 3,
            Atomic::CompareExchange { weak_argument, .. } => 3 + usize::from(weak_argument),
            Atomic::Fence | Atomic::SignalFence => 0,
            Atomic::LockFree => 1,
        };
        if args.len() < values + given {
            return self.fail(format!("`{name}` needs {} arguments", values + given));
        }
        let order = match orders {
            Orders::Fixed(order) => order,
            Orders::Given if given == 0 => MemOrder::SeqCst,
            Orders::Given => self.order(&args[values])?,
        };
        let failure = match given {
            2 => self.order(&args[values + 1])?,
            _ => order,
        };
        self.perform(kind, args, order, failure).map(Some)
    }

    /// A memory order argument; what does not fold is taken as the strongest.
    fn order(&mut self, e: &Node<Expression>) -> Res<MemOrder> {
        Ok(match self.try_constant_int(e).map(|v| v & 0xffff) {
            Some(0) => MemOrder::Relaxed,
            Some(1 | 2) => MemOrder::Acquire,
            Some(3) => MemOrder::Release,
            Some(4) => MemOrder::AcqRel,
            Some(_) => MemOrder::SeqCst,
            None => {
                self.effect(e)?;
                MemOrder::SeqCst
            }
        })
    }

    fn perform(
        &mut self,
        kind: Atomic,
        args: Args,
        order: MemOrder,
        failure: MemOrder,
    ) -> Res<Typed> {
        match kind {
            Atomic::Fence => {
                if order != MemOrder::Relaxed {
                    self.body.emit(InstrKind::Fence { order });
                }
                return Ok(Typed::void());
            }
            Atomic::SignalFence => return Ok(Typed::void()),
            Atomic::LockFree => return Ok(Typed::truth(constant(1, 1))),
            _ => {}
        }
        let object = self.atomic_object(&args[0])?;
        let word = object.word.clone();
        let bits = self.bits(&word);
        let addr = object.addr;
        match kind {
            Atomic::Load => {
                let value = self.atomic_load(&object, order);
                self.word_value(&object, value)
            }
            Atomic::LoadInto => {
                let target = self.pointer_operand(&args[1])?;
                let value = self.atomic_load(&object, order);
                self.plain_store(target, value);
                Ok(Typed::void())
            }
            Atomic::Init | Atomic::Store | Atomic::StoreFrom | Atomic::Release | Atomic::Clear => {
                let value = match kind {
                    Atomic::Release | Atomic::Clear => constant(0, bits),
                    Atomic::StoreFrom => {
                        let source = self.pointer_operand(&args[1])?;
                        self.body.load(bits, source, Access::PLAIN)
                    }
                    _ => self.word_argument(&object, &args[1])?,
                };
                let order = match order {
                    MemOrder::Relaxed | MemOrder::Release => order,
                    _ => MemOrder::SeqCst,
                };
                let order = (kind != Atomic::Init).then_some(order);
                let access = Access {
                    order,
                    volatile: object.volatile,
                    align_bytes: update_align_bytes(self.model, bits),
                    ..Access::PLAIN
                };
                self.body.emit(InstrKind::Store {
                    addr,
                    value,
                    access,
                });
                Ok(Typed::void())
            }
            Atomic::Exchange => {
                let value = self.word_argument(&object, &args[1])?;
                let old = self.rmw(addr, RmwOp::Exchange, value, bits, order);
                self.word_value(&object, old)
            }
            Atomic::ExchangeInto => {
                let source = self.pointer_operand(&args[1])?;
                let target = self.pointer_operand(&args[2])?;
                let value = self.body.load(bits, source, Access::PLAIN);
                let old = self.rmw(addr, RmwOp::Exchange, value, bits, order);
                self.plain_store(target, old);
                Ok(Typed::void())
            }
            Atomic::TestAndSet => {
                let old = self.rmw(addr, RmwOp::Exchange, constant(1, bits), bits, order);
                let cond = self.body.binary(BinOp::Ne, old, constant(0, bits), bits);
                Ok(Typed {
                    ty: CType::new(Kind::Bool),
                    value: Value::Cond(cond),
                })
            }
            Atomic::Fetch {
                op,
                new,
                scaled,
                by_type,
            } => {
                let is_order = matches!(op, RmwOp::UMin | RmwOp::UMax | RmwOp::SMin | RmwOp::SMax);
                if is_order && !object.word.is_integer() {
                    return self.fail("this atomic operation needs an integer");
                }
                let op = match op {
                    RmwOp::SMin if by_type && !word.is_signed() => RmwOp::UMin,
                    RmwOp::SMax if by_type && !word.is_signed() => RmwOp::UMax,
                    op => op,
                };
                let operand = self.fetch_operand(&object, &args[1], scaled)?;
                let old = self.rmw(addr, op, operand, bits, order);
                let value = if new {
                    self.updated(op, old, operand, bits)
                } else {
                    old
                };
                self.word_value(&object, value)
            }
            Atomic::CompareExchange { by_pointer, .. } => {
                let expected_at = self.pointer_operand(&args[1])?;
                let desired = if by_pointer {
                    let source = self.pointer_operand(&args[2])?;
                    self.body.load(bits, source, Access::PLAIN)
                } else {
                    self.word_argument(&object, &args[2])?
                };
                let expected = self.body.load(bits, expected_at, Access::PLAIN);
                let old = self.cmpxchg(&object, expected, desired, order, failure);
                let same = self.body.binary(BinOp::Eq, old, expected, bits);
                // Only a failed exchange writes back what it saw.
                let (failed, done) = (self.body.block(), self.body.block());
                self.body.branch(same, done, failed, failed);
                self.plain_store(expected_at, old);
                self.body.end_with(Terminator::Jump(done), done);
                Ok(Typed {
                    ty: CType::new(Kind::Bool),
                    value: Value::Cond(same),
                })
            }
            Atomic::CompareAndSwap { value } => {
                let expected = self.word_argument(&object, &args[1])?;
                let desired = self.word_argument(&object, &args[2])?;
                let old = self.cmpxchg(&object, expected, desired, order, failure);
                if value {
                    return self.word_value(&object, old);
                }
                let same = self.body.binary(BinOp::Eq, old, expected, bits);
                Ok(Typed {
                    ty: CType::new(Kind::Bool),
                    value: Value::Cond(same),
                })
            }
            Atomic::Fence | Atomic::SignalFence | Atomic::LockFree => Ok(Typed::void()),
        }
    }

    fn cmpxchg(
        &mut self,
        object: &AtomicObject,
        expected: Operand,
        desired: Operand,
        success: MemOrder,
        failure: MemOrder,
    ) -> Operand {
        let bits = self.bits(&object.word);
        let dst = self.body.temp(bits);
        let addr = object.addr;
        self.body.emit(InstrKind::CmpXchg {
            dst,
            addr,
            expected,
            desired,
            success,
            failure,
        });
        Operand::Reg(dst)
    }

    fn atomic_load(&mut self, object: &AtomicObject, order: MemOrder) -> Operand {
        let bits = self.bits(&object.word);
        let order = match order {
            MemOrder::Relaxed | MemOrder::Acquire => order,
            _ => MemOrder::SeqCst,
        };
        let access = Access {
            order: Some(order),
            volatile: object.volatile,
            align_bytes: update_align_bytes(self.model, bits),
            needs_value: self.needs_value_of(&object.word, object.addr),
            ..Access::PLAIN
        };
        self.body.load(bits, object.addr, access)
    }

    fn plain_store(&mut self, addr: Operand, value: Operand) {
        self.body.emit(InstrKind::Store {
            addr,
            value,
            access: Access::PLAIN,
        });
    }

    /// Value that a read-modify-write stored, computed again from the old value.
    fn updated(&mut self, op: RmwOp, old: Operand, operand: Operand, bits: u16) -> Operand {
        let binary = match op {
            RmwOp::Exchange => return operand,
            RmwOp::Add => BinOp::Add,
            RmwOp::Sub => BinOp::Sub,
            RmwOp::And | RmwOp::Nand => BinOp::And,
            RmwOp::Or => BinOp::Or,
            RmwOp::Xor => BinOp::Xor,
            RmwOp::UMin | RmwOp::UMax | RmwOp::SMin | RmwOp::SMax => {
                let less = match op {
                    RmwOp::UMin | RmwOp::UMax => BinOp::ULt,
                    _ => BinOp::SLt,
                };
                let less = self.body.binary(less, old, operand, bits);
                let (low, high) = match op {
                    RmwOp::UMin | RmwOp::SMin => (old, operand),
                    _ => (operand, old),
                };
                return self.body.select(less, low, high, bits);
            }
        };
        let value = self.body.binary(binary, old, operand, bits);
        if op == RmwOp::Nand {
            self.body.unary(UnOp::Not, value, bits)
        } else {
            value
        }
    }

    fn pointer_operand(&mut self, e: &Node<Expression>) -> Res<Operand> {
        let value = self.expr(e)?;
        if !value.ty.is_pointer() {
            return self.error(e.span, "a pointer is expected here");
        }
        self.operand(value)
    }

    /// The object that the first argument points to.
    fn atomic_object(&mut self, e: &Node<Expression>) -> Res<AtomicObject> {
        let pointer = self.expr(e)?;
        let Some(ty) = pointer.ty.pointee().cloned() else {
            return self.error(e.span, "a pointer is expected here");
        };
        let addr = self.operand(pointer)?;
        self.note_pointee(addr, &ty);
        let volatile = ty.quals.volatile;
        let value = ty.unqualified();
        let word = match (&value.kind, self.size(&value)) {
            (Kind::Void, _) => CType::int(IntKind::UChar),
            (Kind::Record(_), Some(1)) => CType::int(IntKind::UChar),
            (Kind::Record(_), Some(2)) => CType::int(IntKind::UShort),
            (Kind::Record(_), Some(4)) => CType::int(IntKind::UInt),
            (Kind::Record(_), Some(8)) => CType::int(IntKind::ULongLong),
            (Kind::Record(_), Some(16)) => CType::int(IntKind::UInt128),
            _ if value.is_scalar() => value.clone(),
            _ => return self.error(e.span, "no atomic operation takes objects of this type"),
        };
        Ok(AtomicObject {
            value,
            word,
            addr,
            volatile,
        })
    }

    /// An argument as the word of the object.
    fn word_argument(&mut self, object: &AtomicObject, e: &Node<Expression>) -> Res<Operand> {
        let value = self.expr(e)?;
        let value = self.at(e.span, |this| this.convert(value, &object.value))?;
        match value.value {
            Value::Record(addr) => {
                let bits = self.bits(&object.word);
                Ok(self.body.load(bits, addr, Access::PLAIN))
            }
            _ => self.operand(value),
        }
    }

    /// The operand of a fetch operation; pointers move by bytes, or by elements if `scaled`.
    fn fetch_operand(
        &mut self,
        object: &AtomicObject,
        e: &Node<Expression>,
        scaled: bool,
    ) -> Res<Operand> {
        let Some(element) = object.value.pointee().cloned() else {
            if object.value.is_float() {
                return self.fail("this atomic operation needs an integer or a pointer");
            }
            return self.word_argument(object, e);
        };
        let bits = self.pointer_bits();
        let value = self.expr(e)?;
        let (from, signed) = (self.bits(&value.ty), value.ty.is_signed());
        let operand = self.operand(value)?;
        let count = self.body.resize(operand, from, bits, signed);
        if !scaled {
            return Ok(count);
        }
        let size = self.size_operand(&element)?;
        Ok(self.body.binary(BinOp::Mul, count, size, bits))
    }

    /// The word of an object as a value of its type.
    fn word_value(&mut self, object: &AtomicObject, word: Operand) -> Res<Typed> {
        if !object.value.is_record() {
            return Ok(Typed::scalar(object.word.clone(), word));
        }
        let copy = self.temporary(&object.value, "(copy)")?;
        let target = LValue {
            ty: object.word.clone(),
            place: Place::Memory(copy),
        };
        self.store(&target, Typed::scalar(object.word.clone(), word))?;
        Ok(Typed {
            ty: object.value.clone(),
            value: Value::Record(copy),
        })
    }
}

/// The object of an atomic operation.
struct AtomicObject {
    /// Its unqualified type.
    value: CType,
    /// The scalar type it is accessed as.
    word: CType,
    addr: Operand,
    volatile: bool,
}
