//! `__VERIFIER_*` and the functions that report a violation, as the software-verification competition defines them,
//! and the same in the words of other checkers (CBMC, ESBMC, KLEE).

use super::site::{Meaning, Site, constant};
use crate::ir::{
    Function, Instr, InstrKind, NondetSource, Operand, Property, Rvalue, Terminator, UnOp,
};

/// The functions of this family.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "reach_error" | "__VERIFIER_error" => reach_error,
        "__VERIFIER_assume"
        | "assume_abort_if_not"
        | "__CPROVER_assume"
        | "__ESBMC_assume"
        | "klee_assume" => assume,
        "__VERIFIER_assert" | "__CPROVER_assert" | "__ESBMC_assert" => verifier_assert,
        "assert" | "klee_assert" => assert,
        "__VERIFIER_atomic_begin" | "__CPROVER_atomic_begin" | "__ESBMC_atomic_begin" => |site| {
            site.emit(InstrKind::AtomicBegin { drains: true });
            Ok(())
        },
        // Of the library's models: an operation that changes nothing orders nothing.
        "__selvedge_begin" => |site| {
            site.emit(InstrKind::AtomicBegin { drains: false });
            Ok(())
        },
        "__VERIFIER_atomic_end" | "__CPROVER_atomic_end" | "__ESBMC_atomic_end" => |site| {
            site.emit(InstrKind::AtomicEnd);
            Ok(())
        },
        "__assert_fail"
        | "__assert"
        | "__assert_rtn"
        | "__assert_perror_fail"
        | "__assert13"
        | "_assert"
        | "__poet_fail" => failed,
        "__VERIFIER_nondet_bool" | "__VERIFIER_nondet__Bool" | "nondet_bool" | "nondet__Bool" => {
            nondet_bool
        }
        "trap" | "unreachable" => |site| {
            site.emit(InstrKind::Defined {
                cond: constant(0, 1),
                why: crate::ir::Undefined::Unreachable,
            });
            site.stop(Terminator::Stop);
            Ok(())
        },
        _ if name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_") => nondet,
        _ => return None,
    })
}

/// Functions whose call is a violation in itself.
pub(super) fn is_error(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

/// Functions whose whole body, if they have one, is one atomic section; a program's own `__VERIFIER_atomic_begin` and
/// `__VERIFIER_atomic_end` (older ones bring a lock of their own) as well.
pub(super) fn is_atomic(name: &str) -> bool {
    name.starts_with("__VERIFIER_atomic_")
}

/// Puts the body of a function into an atomic section.
pub(super) fn make_atomic(function: &mut Function) {
    let entry = &mut function.blocks[function.entry];
    entry.instrs.insert(
        0,
        Instr {
            kind: InstrKind::AtomicBegin { drains: true },
            loc: function.loc,
        },
    );
    for block in function.blocks.iter_mut() {
        if matches!(block.end, Terminator::Return(_)) {
            block.instrs.push(Instr {
                kind: InstrKind::AtomicEnd,
                loc: block.end_loc,
            });
        }
    }
}

fn reach_error(site: &mut Site) -> Result<(), String> {
    site.emit(InstrKind::Assert {
        cond: constant(0, 1),
        property: Property::ReachError,
    });
    Ok(())
}

fn assume(site: &mut Site) -> Result<(), String> {
    let arg = site.arg(0)?;
    let cond = site.non_zero(arg);
    site.emit(InstrKind::Assume { cond });
    Ok(())
}

fn verifier_assert(site: &mut Site) -> Result<(), String> {
    let arg = site.arg(0)?;
    let cond = site.non_zero(arg);
    site.emit(InstrKind::Assert {
        cond,
        property: Property::Assertion,
    });
    Ok(())
}

/// `assert` where it is no macro: nothing follows a failure.
fn assert(site: &mut Site) -> Result<(), String> {
    let arg = site.arg(0)?;
    let fails = match site.non_zero(arg) {
        Operand::Const { value, .. } => constant(u128::from(value == 0), 1),
        holds => site.compute(1, Rvalue::Unary(UnOp::Not, holds)),
    };
    site.try_when(fails, failed)
}

/// Failing assertion, which the `assert` macro calls when its condition is false.
fn failed(site: &mut Site) -> Result<(), String> {
    site.emit(InstrKind::Assert {
        cond: constant(0, 1),
        property: Property::Assertion,
    });
    site.stop(Terminator::Stop);
    Ok(())
}

fn nondet(site: &mut Site) -> Result<(), String> {
    if site.arity() > 0 {
        return Err(format!("`{}` with arguments", site.name));
    }
    if let Some(dst) = site.dst() {
        site.emit(InstrKind::Nondet {
            dst,
            source: NondetSource::Input,
        });
    }
    Ok(())
}

/// A `_Bool` is 0 or 1, however wide it is stored.
fn nondet_bool(site: &mut Site) -> Result<(), String> {
    if let Some(bits) = site.result_bits() {
        let bit = site.reg(1);
        site.emit(InstrKind::Nondet {
            dst: bit,
            source: NondetSource::Input,
        });
        let value = match bits {
            1 => Operand::Reg(bit),
            bits => site.compute(bits, Rvalue::ZeroExtend(Operand::Reg(bit))),
        };
        site.result(value);
    }
    Ok(())
}
