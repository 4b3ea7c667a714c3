//! Mutexes whose static initialiser says another kind than normal: recursive and error-checking ones are not
//! modelled, and treating them as normal would be wrong.

use crate::ir::layout::path_at;
use crate::ir::{Global, InitPart, Instr, InstrKind, Operand, Program};

/// Makes a program that has such a mutex unsupported where it starts. (Kinds that are set by a call are refused at
/// the call.)
pub(super) fn refuse_static(program: &mut Program) {
    let pointer_bytes = u64::from(program.model.pointer_bits() / 8);
    let is_kind = |global: &Global, part: &InitPart| {
        let zero = matches!(part.value, Operand::Const { value: 0, .. });
        // Both our header and that of the GNU C library name the member so.
        !zero
            && path_at(
                &program.types,
                global.ty,
                part.offset_bytes,
                part.bits,
                pointer_bytes,
            )
            .ends_with(".__kind")
    };
    let found = program
        .globals
        .iter()
        .find(|global| global.init.iter().any(|part| is_kind(global, part)));
    let Some((loc, name)) = found.map(|global| (global.loc, global.name.clone())) else {
        return;
    };
    let reason =
        format!("`{name}` holds a mutex of another kind than normal, which is not supported");
    let main = &mut program.functions[program.main];
    let entry = main.entry;
    main.blocks[entry].instrs.insert(
        0,
        Instr {
            kind: InstrKind::Unsupported { reason },
            loc,
        },
    );
}
