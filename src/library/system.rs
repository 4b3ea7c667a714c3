//! System calls by number: `syscall(SYS_gettid)` is a call of `gettid`, wherever the number is a constant of which the library
//! knows what it does.

use crate::ir::{Callee, DataModel, InstrKind, Operand, Program};

/// The model of `futex(2)`.
pub(super) const FUTEX: &str = "__selvedge_futex";
/// Arguments of that behind the number of the call.
const FUTEX_ARGS: usize = 6;
/// The operations that leave out the last three.
const FUTEX_WAKES: [u128; 2] = [1, 1 | 128];

/// System calls with functions that do the same, by number where addresses have 64 and 32 bits (`<sys/syscall.h>`). None of them
/// returns a number below zero in less than the width of `long`.
const CALLS: [(u128, u128, &str); 7] = [
    (24, 158, "sched_yield"),
    (39, 20, "getpid"),
    (110, 64, "getppid"),
    (186, 224, "gettid"),
    (202, 240, FUTEX),
    (231, 252, "_exit"),
    (318, 355, "getrandom"),
];

/// The function that a system call stands for.
fn function(number: u128, model: DataModel) -> Option<&'static str> {
    let is_wide = model == DataModel::Lp64;
    let found = CALLS
        .iter()
        .find(|(wide, narrow, _)| number == if is_wide { *wide } else { *narrow });
    found.map(|(.., name)| *name)
}

/// Makes calls of `syscall` calls of what they stand for.
pub(super) fn name_calls(program: &mut Program) {
    let model = program.model;
    let blocks = (program.functions.iter_mut()).flat_map(|function| function.blocks.iter_mut());
    for instr in blocks.flat_map(|block| &mut block.instrs) {
        if let InstrKind::Call {
            callee: Callee::Extern(call),
            args,
            ..
        } = &mut instr.kind
            && call.name == "syscall"
            && let Some(Operand::Const { value, .. }) = args.first().copied()
            && let Some(name) = function(value, model)
        {
            call.name = name.to_string();
            args.remove(0);
            call.pointer_args.remove(0);
            call.pointees.remove(0);
            let wakes = matches!(args.get(1), Some(Operand::Const { value, .. }) if FUTEX_WAKES.contains(value));
            while name == FUTEX && wakes && args.len() < FUTEX_ARGS {
                let (value, bits) = (0, model.pointer_bits());
                args.push(Operand::Const { value, bits });
                call.pointer_args.push(false);
                call.pointees.push(None);
            }
        }
    }
}
