//! Kinds of mutexes, and the programs that have others than normal.

use crate::ir::layout::path_at;
use crate::ir::ty::TypeId;
use crate::ir::{AllocKind, Callee, Function, InstrKind, Operand, Program, Rvalue};
use hashbrown::HashMap;

/// Kinds as both headers number them; the adaptive one behaves as the normal one.
pub(super) const NORMAL: u128 = 0;
pub(super) const RECURSIVE: u128 = 1;

/// Kinds of mutexes: true if a program has others than normal, by a call, in static storage, or in a local object.
pub(super) fn has_kinds(program: &Program) -> bool {
    let pointer_bytes = u64::from(program.model.pointer_bits() / 8);
    let is_kind = |ty: TypeId, offset: u64| {
        path_at(&program.types, ty, offset, 32, pointer_bytes).ends_with(".__kind")
    };
    let in_globals = program.globals.iter().any(|global| {
        global.init.iter().any(|part| {
            !matches!(part.value, Operand::Const { value: 0, .. })
                && is_kind(global.ty, part.offset_bytes)
        })
    });
    in_globals
        || program
            .functions
            .iter()
            .any(|function| asks_for_kind(function) || stores_kind(function, is_kind))
}

fn asks_for_kind(function: &Function) -> bool {
    let instrs = function.blocks.iter().flat_map(|block| &block.instrs);
    instrs.into_iter().any(|instr| match &instr.kind {
        InstrKind::Call {
            callee: Callee::Extern(call),
            args,
            ..
        } => match (call.name.as_str(), args.get(1)) {
            (
                "pthread_mutexattr_settype"
                | "pthread_mutexattr_setkind_np"
                | "pthread_mutexattr_setrobust"
                | "pthread_mutexattr_setrobust_np",
                Some(kind),
            ) => !matches!(kind, Operand::Const { value: NORMAL, .. }),
            ("mtx_init", Some(kind)) => {
                !matches!(kind, Operand::Const { value, .. } if value & RECURSIVE == 0)
            }
            _ => false,
        },
        _ => false,
    })
}

/// Kinds of local mutexes: true if a function stores another kind than normal in a mutex of its own, as an initialiser
/// does.
fn stores_kind(function: &Function, is_kind: impl Fn(TypeId, u64) -> bool) -> bool {
    let mut places: HashMap<u32, (TypeId, u64)> = HashMap::new();
    for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
        match &instr.kind {
            InstrKind::Alloc {
                dst,
                kind: AllocKind::Stack { ty, .. },
                ..
            } => {
                places.insert(dst.0, (*ty, 0));
            }
            InstrKind::Assign {
                dst,
                value:
                    Rvalue::Offset {
                        base: Operand::Reg(base),
                        offset_bytes: Operand::Const { value, .. },
                    },
            } => {
                if let Some(&(ty, at)) = places.get(&base.0)
                    && let Ok(by) = u64::try_from(*value)
                {
                    places.insert(dst.0, (ty, at.saturating_add(by)));
                }
            }
            InstrKind::Store {
                addr: Operand::Reg(addr),
                value,
                ..
            } if !matches!(value, Operand::Const { value: 0, .. }) => {
                if let Some(&(ty, at)) = places.get(&addr.0)
                    && is_kind(ty, at)
                {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}
