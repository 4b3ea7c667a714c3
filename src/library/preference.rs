//! Preference of read-write locks: whether readers or writers come first.

use std::borrow::Cow;

use super::globals::{Globals, LibraryObject, Shape};
use crate::ir::{Access, Function, Instr, InstrKind, NondetSource, Operand, RegInfo, Rvalue};

/// Preference of read-write locks: who comes first where readers and writers wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Preference {
    /// Readers, as in the GNU C library by default.
    #[default]
    Readers,
    /// Readers, or writers: a reader waits while a writer waits. An execution has one of both, for all its locks.
    Any,
}

impl Preference {
    /// All of them.
    pub const ALL: [Preference; 2] = [Preference::Readers, Preference::Any];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Preference::Readers => "readers",
            Preference::Any => "any",
        }
    }
}

/// The object that says whether writers come first.
pub(super) const WRITERS_FIRST: LibraryObject = LibraryObject {
    name: Cow::Borrowed("writers come first"),
    shape: Shape::Words(1),
    thread_local: false,
};

/// Chooses at the start of `main` which of both an execution has.
pub(super) fn choose(main: &mut Function, globals: &mut Globals) {
    let addr = globals.object(&WRITERS_FIRST);
    let mut reg = |bits| main.regs.push(RegInfo::temporary(bits));
    let (free, word) = (reg(1), reg(32));
    let kinds = [
        InstrKind::Nondet {
            dst: free,
            source: NondetSource::External,
        },
        InstrKind::Assign {
            dst: word,
            value: Rvalue::ZeroExtend(Operand::Reg(free)),
        },
        InstrKind::Store {
            addr,
            value: Operand::Reg(word),
            access: Access::PLAIN,
        },
    ];
    let loc = main.loc;
    let instrs = kinds.map(|kind| Instr { kind, loc });
    main.blocks[main.entry].instrs.splice(0..0, instrs);
}
