//! The end of the program (C11 7.22.4), and the functions that run before it.

use std::borrow::Cow;

use super::globals::{Globals, LibraryObject, Shape};
use super::models::Models;
use super::site::{Meaning, Site, constant};
use crate::ir::{
    BinOp, Callee, Check, Checks, Function, Instr, InstrKind, MemOrder, Operand, Property, RmwOp,
    Terminator,
};

/// Functions that can be registered.
const MOST: u64 = 64;

/// Number of registered functions.
const COUNT: LibraryObject = LibraryObject {
    name: Cow::Borrowed("atexit"),
    shape: Shape::Words(1),
    thread_local: false,
};

/// The functions, in the order of their registration.
const HANDLERS: LibraryObject = LibraryObject {
    name: Cow::Borrowed("atexit functions"),
    shape: Shape::Pointers(MOST),
    thread_local: false,
};

/// The model that runs them.
pub(super) const MODEL: &str = "__selvedge_run_handlers";

/// The functions of this family.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "exit" => exit,
        "abort" | "_exit" | "_Exit" | "quick_exit" => stop,
        "atexit" => register,
        _ => return None,
    })
}

fn stop(site: &mut Site) -> Result<(), String> {
    ask(site, Check::Leak);
    site.stop(Terminator::Stop);
    Ok(())
}

fn exit(site: &mut Site) -> Result<(), String> {
    if site.has_model(MODEL) {
        let (count, handlers) = (site.object(&COUNT), site.object(&HANDLERS));
        site.call_with(MODEL, vec![count, handlers])?;
    }
    ask(site, Check::Leak);
    ask(site, Check::Cleanup);
    site.stop(Terminator::Stop);
    Ok(())
}

/// Asks where the program ends at once for what a check wants to know.
fn ask(site: &mut Site, check: Check) {
    if site.checks.contains(check) {
        site.emit(leak(check, false));
    }
}

/// Instruction that asks for lost blocks, or for blocks that are not freed, where the program ends.
fn leak(check: Check, returns: bool) -> InstrKind {
    let property = match check {
        Check::Cleanup => Property::Unfreed,
        _ => Property::Lost,
    };
    InstrKind::Leak { property, returns }
}

/// Asks where `main` returns for what these checks want to know.
pub(super) fn ask_after(main: &mut Function, checks: Checks) {
    if checks.contains(Check::Deadlock) {
        // Who is blocked then is not for ever: the process ends.
        let ends = main.blocks.iter_mut().map(|block| &mut block.end);
        let returns = ends.filter(|end| matches!(end, Terminator::Return(_)));
        returns.for_each(|end| *end = Terminator::Stop);
    }
    for block in main.blocks.iter_mut() {
        if !matches!(block.end, Terminator::Return(_)) {
            continue;
        }
        let asked = [Check::Leak, Check::Cleanup].into_iter();
        for check in asked.filter(|check| checks.contains(*check)) {
            block.instrs.push(Instr {
                kind: leak(check, true),
                loc: block.end_loc,
            });
        }
    }
}

/// Count and place change in one step: another thread may end the program at any time.
fn register(site: &mut Site) -> Result<(), String> {
    let function = site.arg(0)?;
    site.emit(InstrKind::AtomicBegin { drains: true });
    let (count, handlers) = (site.object(&COUNT), site.object(&HANDLERS));
    let bits = site.pointer_bits();
    let dst = site.reg(32);
    site.emit(InstrKind::Rmw {
        dst,
        addr: count,
        op: RmwOp::Add,
        operand: constant(1, 32),
        order: MemOrder::SeqCst,
    });
    let index = Operand::Reg(dst);
    let full = site.binary(BinOp::ULe, constant(u128::from(MOST), 32), index);
    site.when(full, |site| {
        site.emit(InstrKind::Unsupported {
            reason: format!("`atexit` of more than {MOST} functions"),
        });
        site.stop(Terminator::Stop);
    });
    let wide = site.resize(index, bits);
    let bytes = site.binary(BinOp::Mul, wide, constant(u128::from(bits / 8), bits));
    let place = site.offset_by(handlers, bytes);
    site.store(place, function);
    site.emit(InstrKind::AtomicEnd);
    site.result(constant(0, 32));
    Ok(())
}

/// Runs the functions where `main` returns.
pub(super) fn run_after(main: &mut Function, globals: &mut Globals, models: &Models) {
    let Some(model) = models.get(MODEL) else {
        return;
    };
    let args = vec![globals.object(&COUNT), globals.object(&HANDLERS)];
    for block in main.blocks.iter_mut() {
        if matches!(block.end, Terminator::Return(_)) {
            block.instrs.push(Instr {
                kind: InstrKind::Call {
                    dst: None,
                    callee: Callee::Direct(model.function),
                    args: args.clone(),
                },
                loc: block.end_loc,
            });
        }
    }
}
