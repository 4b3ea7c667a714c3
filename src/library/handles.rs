//! Reuse of thread handles: whether a program may see that they come back.
//!
//! A handle is the number of its thread as long as nobody can tell it from one that comes back. An implementation may use
//! a handle again when its thread has ended and was joined or detached (C17 7.26.5, IEEE 1003.1 2.9.2). A program that
//! may create a thread after that, and that compares handles ([`super::flow`]), gets handles that are addresses of
//! objects (`models/handle.c`), which end then; so all that is known of machine addresses holds of them.

use super::flow::compares_handles;
use super::name::plain_name;
use crate::base::id::Id;
use crate::ir::reach::{pointed_functions, reached_functions};
use crate::ir::{Block, BlockId, Callee, FuncId, Function, InstrKind, Program};

/// The models of handles that are objects.
pub(super) const MODELS: [&str; 7] = [
    "__selvedge_handle_new",
    "__selvedge_handle_start",
    "__selvedge_handle_self",
    "__selvedge_handle_thread",
    "__selvedge_handle_claim",
    "__selvedge_handle_detach",
    "__selvedge_handle_over",
];

/// The function that a call means where handles are objects.
pub(super) fn model(name: &str) -> &str {
    match name {
        "pthread_detach" | "thrd_detach" => "__selvedge_handle_detach",
        other => other,
    }
}

/// Visible reuse of handles: true if a handle may be compared with one that has come back.
pub(super) fn may_come_back(program: &Program) -> bool {
    create_after_end(program) && compares_handles(program)
}

/// Effects of a call on threads.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Does {
    /// Creates some.
    creates: bool,
    /// Ends the use of a handle.
    ends: bool,
}

impl Does {
    fn either(self, other: Does) -> Does {
        Does {
            creates: self.creates || other.creates,
            ends: self.ends || other.ends,
        }
    }
}

fn by_name(name: &str) -> Does {
    Does {
        creates: matches!(name, "pthread_create" | "thrd_create"),
        ends: matches!(
            name,
            "pthread_join"
                | "thrd_join"
                | "pthread_tryjoin_np"
                | "pthread_timedjoin_np"
                | "pthread_clockjoin_np"
                | "pthread_detach"
                | "thrd_detach"
                | "pthread_attr_setdetachstate"
        ),
    }
}

/// Creation after an end: true if a thread may be created after another one was joined or detached.
fn create_after_end(program: &Program) -> bool {
    let reached = reached_functions(program);
    let count = program.functions.len();
    let mut callees: Vec<Vec<usize>> = vec![Vec::new(); count];
    let pointed = pointed_functions(program, &reached);
    let mut indirect = vec![false; count];
    let mut own = vec![Does::default(); count];
    for (id, function) in program.functions.iter_ids() {
        let index = id.index();
        if !reached[index] {
            continue;
        }
        for block in function.blocks.iter() {
            for instr in &block.instrs {
                if let InstrKind::Call { callee, .. } = &instr.kind {
                    match callee {
                        Callee::Direct(to) => callees[index].push(to.index()),
                        Callee::Indirect(_) => indirect[index] = true,
                        Callee::Extern(call) => {
                            own[index] = own[index].either(by_name(plain_name(&call.name)));
                        }
                    }
                }
            }
        }
    }
    let all = own
        .iter()
        .fold(Does::default(), |all, own| all.either(*own));
    if !(all.creates && all.ends) {
        return false;
    }
    for index in 0..count {
        if indirect[index] {
            callees[index].extend((0..count).filter(|to| pointed[*to]));
        }
    }
    // Effects of functions with all that they call.
    let mut does = own;
    loop {
        let before = does.clone();
        for index in 0..count {
            for to in &callees[index] {
                does[index] = does[index].either(does[*to]);
            }
        }
        if does == before {
            break;
        }
    }
    let in_thread = |does: &Does| does.creates || does.ends;
    if (0..count).any(|index| pointed[index] && reached[index] && in_thread(&does[index])) {
        return true;
    }
    let through_pointers = (0..count)
        .filter(|index| pointed[*index])
        .fold(Does::default(), |all, index| all.either(does[index]));
    let of = |kind: &InstrKind| match kind {
        InstrKind::Call { callee, .. } => match callee {
            Callee::Direct(to) => does[to.index()],
            Callee::Indirect(_) => through_pointers,
            Callee::Extern(call) => by_name(plain_name(&call.name)),
        },
        _ => Does::default(),
    };
    program
        .functions
        .iter_ids()
        .filter(|(id, _): &(FuncId, _)| reached[id.index()])
        .any(|(_, function)| follows(function, &of))
}

/// Order within a function: true if a creation may follow an end.
fn follows(function: &Function, of: &dyn Fn(&InstrKind) -> Does) -> bool {
    let mut ended = vec![false; function.blocks.len()];
    let mut waiting: Vec<BlockId> = Vec::new();
    let leave = |block: &Block, ended: &mut Vec<bool>, waiting: &mut Vec<BlockId>| {
        for next in block.end.successors() {
            if !std::mem::replace(&mut ended[next.index()], true) {
                waiting.push(next);
            }
        }
    };
    for block in function.blocks.iter() {
        let mut after = false;
        for instr in &block.instrs {
            let does = of(&instr.kind);
            if after && does.creates {
                return true;
            }
            after |= does.ends;
        }
        if after {
            leave(block, &mut ended, &mut waiting);
        }
    }
    while let Some(id) = waiting.pop() {
        let block = &function.blocks[id];
        if block.instrs.iter().any(|instr| of(&instr.kind).creates) {
            return true;
        }
        leave(block, &mut ended, &mut waiting);
    }
    false
}
