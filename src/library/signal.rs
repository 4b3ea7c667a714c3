//! Signals (POSIX). No signal ever arrives: what would send one to a thread of the program is not supported, and that nobody else
//! does is an assumption, which the coverage names where there are handlers. So handlers never run, and masks show in nothing
//! but themselves. What is installed for each signal is kept (`models/signal.c`), for who asks for it.

use super::name::plain_name;
use super::pthread::unsupported;
use super::site::{Meaning, Site, constant};
use crate::base::id::Id;
use crate::ir::{Callee, ExternCall, InstrKind, NondetSource, Operand, Program, Rvalue};

/// Parts of a `struct sigaction`, of which a set of signals may have many.
const MOST: usize = 64;

/// The functions of this family that have no model of their name.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "sigaction" => action,
        "__selvedge_handler_of_abort" => |_| Err("a handler of SIGABRT".into()),
        "alarm" | "ualarm" => alarm,
        "raise" | "kill" | "killpg" | "tkill" | "tgkill" | "sigqueue" | "setitimer" | "sigwait"
        | "sigwaitinfo" | "sigtimedwait" | "sigsuspend" | "sigpending" | "bsd_signal"
        | "sysv_signal" | "ssignal" | "sigset" | "sigvec" => unsupported,
        _ => return None,
    })
}

/// Calls that install a handler: true if a function may be what a call of this name with these arguments installs.
fn installs(call: &ExternCall, args: &[Operand]) -> bool {
    /// `SIG_DFL` and `SIG_IGN`.
    const NO_HANDLERS: std::ops::RangeInclusive<u128> = 0..=1;
    match (plain_name(&call.name), args.get(1)) {
        ("sigaction", Some(Operand::Const { value: 0, .. })) => false,
        ("signal", Some(Operand::Const { value, .. })) => !NO_HANDLERS.contains(value),
        ("sigaction" | "signal", _) => true,
        _ => false,
    }
}

/// Handlers: true if a function that can be reached may install one.
pub(super) fn has_handlers(program: &Program, reached: &[bool]) -> bool {
    let functions = program.functions.iter_ids();
    let reached = functions.filter(|(id, _)| reached.get(id.index()).copied().unwrap_or(true));
    let blocks = reached.flat_map(|(_, function)| function.blocks.iter());
    blocks.flat_map(|block| &block.instrs).any(|instr| {
        matches!(&instr.kind, InstrKind::Call { callee: Callee::Extern(call), args, .. } if installs(call, args))
    })
}

/// `sigaction`: what is installed is read as a whole, and its handler kept; who asks what was installed before learns the handler, and any
/// mask and flags.
fn action(site: &mut Site) -> Result<(), String> {
    let bits = site.pointer_bits();
    let (number, new, old) = (site.arg_as(0, 32)?, site.arg(1)?, site.arg(2)?);
    let handler = site.reg(bits);
    site.emit(InstrKind::Assign {
        dst: handler,
        value: Rvalue::Use(constant(0, bits)),
    });
    let changes = site.non_zero(new);
    unless_null(site, 1, |site, parts| {
        for (at, size_bytes) in parts {
            let from = place(site, new, at);
            let read = site.load(from, (size_bytes * 8) as u16);
            if at == 0 {
                site.emit(InstrKind::Assign {
                    dst: handler,
                    value: Rvalue::Use(read),
                });
            }
        }
    })?;
    unless_null(site, 2, |site, parts| {
        for (at, size_bytes) in parts {
            let value = site.reg((size_bytes * 8) as u16);
            site.emit(InstrKind::Nondet {
                dst: value,
                source: NondetSource::External,
            });
            let to = place(site, old, at);
            site.store(to, Operand::Reg(value));
        }
    })?;
    let changes = site.resize(changes, 32);
    let args = vec![number, changes, Operand::Reg(handler), old];
    let status = site.call_with("__selvedge_sigaction", args)?;
    site.result(status);
    Ok(())
}

/// Does something with the parts of the action that an argument points to, where it is no null pointer.
fn unless_null(
    site: &mut Site,
    argument: usize,
    body: impl FnOnce(&mut Site, Vec<(u64, u64)>),
) -> Result<(), String> {
    if site.constant(argument) == Some(0) {
        return Ok(());
    }
    let handler = (0, u64::from(site.pointer_bits() / 8));
    let parts = site.pointee(argument).and_then(|ty| site.scalars(ty, MOST));
    let Some((parts, _)) = parts.filter(|(parts, _)| parts.first() == Some(&handler)) else {
        return Err("`sigaction`, declared otherwise than in the C library,".into());
    };
    let pointer = site.arg(argument)?;
    let given = site.non_zero(pointer);
    site.when(given, |site| body(site, parts));
    Ok(())
}

fn place(site: &mut Site, base: Operand, at: u64) -> Operand {
    match at {
        0 => base,
        at => site.offset(base, at as u32),
    }
}

/// A signal that comes later, which ends the program or runs a handler: any time may be left of the alarm before.
fn alarm(site: &mut Site) -> Result<(), String> {
    if site.uses().actions {
        return unsupported(site);
    }
    site.any_result();
    Ok(())
}
