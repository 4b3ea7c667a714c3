//! Parts of the library that a program uses: what nobody uses costs no step.

use super::futex;
use super::handles;
use super::kind::has_kinds;
use super::name::plain_name;
use super::need::{Needs, is_wait};
use super::text::WORDS;
use crate::ir::ty::{Type, TypeId, Types};
use crate::ir::{AllocKind, Callee, ExternCall, InstrKind, Operand, Program};

/// Parts of the library that a program uses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Uses {
    /// Mutexes of other kinds than normal.
    pub kinds: bool,
    /// Threads are joined or detached.
    pub joins: bool,
    /// Handles of threads are compared that may have come back ([`super::handles`]).
    pub handles: bool,
    /// Semaphores have names.
    pub names: bool,
    /// Threads may be created detached.
    pub detaches: bool,
    /// Something happens at the end of a thread, or somebody asks whether it has ended.
    pub ends: bool,
    /// Threads may be cancelled.
    pub cancels: bool,
    /// Functions run before the end of the program.
    pub handlers: bool,
    /// Signals are handled, or ignored.
    pub actions: bool,
    /// Mutexes may be robust.
    pub robust: bool,
    /// Threads wait on condition variables.
    pub waits: bool,
    /// They are woken by signals, by broadcasts.
    signals: bool,
    broadcasts: bool,
    /// No condition variable that a thread waits on ends before it.
    pub conditions_last: bool,
    /// The program looks at how many threads a wake of a futex has found.
    counts_wakes: bool,
    /// The program is read for the check of deadlocks.
    pub deadlocks: bool,
    /// Parts of the check of misuse, where it is asked for.
    pub misuse: Needs,
}

impl Uses {
    /// Looks at all calls of functions without body.
    pub(super) fn of(program: &Program) -> Uses {
        let mut uses = Uses {
            kinds: has_kinds(program),
            conditions_last: conditions_last(program),
            counts_wakes: futex::counts_wakes(program),
            ..Uses::default()
        };
        let blocks = program.functions.iter().flat_map(|f| f.blocks.iter());
        for instr in blocks.flat_map(|block| &block.instrs) {
            if let InstrKind::Call {
                callee: Callee::Extern(call),
                args,
                ..
            } = &instr.kind
            {
                uses.call(call, args);
            }
        }
        uses.handles = handles::may_come_back(program);
        uses.ends |= uses.cancels | uses.handles;
        uses
    }

    fn call(&mut self, call: &ExternCall, args: &[Operand]) {
        let given = !matches!(args.get(1), Some(Operand::Const { value: 0, .. }));
        match plain_name(&call.name) {
            "pthread_attr_setdetachstate" => self.detaches |= given,
            "pthread_key_create" | "tss_create" => self.ends |= given,
            "pthread_mutexattr_setrobust" | "pthread_mutexattr_setrobust_np" => {
                self.ends |= given;
                self.robust |= given;
            }
            "pthread_cancel" => self.cancels = true,
            "atexit" => self.handlers = true,
            "sigaction" | "signal" => self.actions = true,
            "pthread_join" | "thrd_join" => self.joins = true,
            "sem_open" | "sem_unlink" => self.names = true,
            "pthread_tryjoin_np" | "pthread_timedjoin_np" | "pthread_clockjoin_np" => {
                self.joins = true;
                self.ends = true;
            }
            "pthread_cond_signal" | "cnd_signal" => self.signals = true,
            "pthread_cond_broadcast" | "cnd_broadcast" => self.broadcasts = true,
            name if is_wait(name) => self.waits = true,
            "__selvedge_cleanup_push" | "__pthread_register_cancel" => self.ends = true,
            _ => {}
        }
    }

    /// Queues of futexes: true if somebody has to know who waits.
    pub(super) fn queues(self) -> bool {
        self.deadlocks || self.counts_wakes
    }

    /// Names of all that calls of a program may turn into, if there is a model of that name.
    pub(super) fn models(self, program: &Program) -> Vec<String> {
        let mut names = called(program);
        if !names.is_empty() {
            names.extend(self.others().into_iter().map(String::from));
        }
        names
    }

    /// Models that calls turn into besides those that bear their name.
    fn others(self) -> Vec<&'static str> {
        let mut names = Vec::new();
        if self.handlers {
            names.push("__selvedge_run_handlers");
        }
        if self.joins {
            names.push("__selvedge_claim");
        }
        if self.handles {
            names.extend(handles::MODELS);
        }
        if self.actions {
            names.push("__selvedge_sigaction");
        }
        if self.names {
            names.extend(["__selvedge_sem_open", "__selvedge_sem_unlink"]);
        }
        if self.kinds {
            names.extend([
                "__selvedge_mutex_lock",
                "__selvedge_mutex_trylock",
                "__selvedge_mutex_unlock",
                "__selvedge_mutex_consistent",
                "__selvedge_mutex_kind",
            ]);
        }
        if self.detaches {
            names.extend(["__selvedge_created", "__selvedge_is_detached"]);
        }
        if self.ends {
            names.extend([
                "__selvedge_exit",
                "__selvedge_finish",
                "__selvedge_may_join",
            ]);
        }
        if self.cancels {
            names.extend([
                "__selvedge_testcancel",
                "__selvedge_leaves",
                "__selvedge_cancelled",
            ]);
        }
        names.extend(self.misuse.models());
        if self.deadlocks {
            names.extend(self.of_deadlocks());
        }
        names
    }

    /// Models of the check of deadlocks.
    fn of_deadlocks(self) -> Vec<&'static str> {
        let mut names = Vec::new();
        if self.waits {
            names.extend(["__selvedge_condition_join", "__selvedge_condition_leave"]);
        }
        if self.signals {
            names.push("__selvedge_condition_signal");
        }
        if self.broadcasts {
            names.push("__selvedge_condition_broadcast");
        }
        if self.cancels {
            names.push("__selvedge_await_end");
        }
        if self.robust {
            names.push("__selvedge_robust_end");
        }
        names
    }
}

/// Lives of condition variables: true if none that is waited on can have ended when a thread wakes, which uses nothing of it but its
/// mutex: it is in static storage, or nothing of its kind is on a stack and nothing is freed.
fn conditions_last(program: &Program) -> bool {
    let mut frees = false;
    let mut kinds = Vec::new();
    let mut locals = Vec::new();
    let blocks = program.functions.iter().flat_map(|f| f.blocks.iter());
    for instr in blocks.flat_map(|block| &block.instrs) {
        match &instr.kind {
            InstrKind::Call {
                callee: Callee::Extern(call),
                args,
                ..
            } => {
                let name = plain_name(&call.name);
                frees |= matches!(name, "free" | "realloc" | "reallocarray" | "cfree");
                let is_static = matches!(args.first(), Some(Operand::GlobalAddr(..)));
                if is_wait(name) && !is_static {
                    kinds.push(call.pointees.first().copied().flatten());
                }
            }
            InstrKind::Alloc {
                kind: AllocKind::Stack { ty, .. },
                ..
            } => locals.push(*ty),
            _ => {}
        }
    }
    let on_stack = |kind: &Option<TypeId>| match kind {
        Some(kind) => locals.iter().any(|ty| contains(&program.types, *ty, *kind)),
        None => true,
    };
    kinds.is_empty() || !frees && !kinds.iter().any(on_stack)
}

/// Parts of types: true if an object of type `whole` may have one of type `part` in it.
fn contains(types: &Types, whole: TypeId, part: TypeId) -> bool {
    types[whole] == types[part]
        || match &types[whole] {
            Type::Array { element, .. } => contains(types, *element, part),
            Type::Record { members, .. } => members.iter().any(|m| contains(types, m.ty, part)),
            _ => false,
        }
}

/// Names of functions without body that the program calls, sorted.
fn called(program: &Program) -> Vec<String> {
    let blocks = program
        .functions
        .iter()
        .flat_map(|function| function.blocks.iter());
    let mut names: Vec<String> = blocks
        .flat_map(|block| &block.instrs)
        .filter_map(|instr| match &instr.kind {
            InstrKind::Call {
                callee: Callee::Extern(call),
                ..
            } => Some(plain_name(&call.name)),
            _ => None,
        })
        .filter(|name| *name != "main")
        .flat_map(variants)
        .collect();
    names.sort();
    names.dedup();
    names
}

/// The models that a call of this function may lead to.
fn variants(name: &str) -> Vec<String> {
    if let Some(model) = other_name(name) {
        return vec![model.to_string()];
    }
    if BLOCKS.contains(&name) {
        WORDS
            .iter()
            .map(|(size, _)| *size)
            .chain([""])
            .map(|size| format!("__selvedge_{name}{size}"))
            .collect()
    } else {
        vec![name.to_string()]
    }
}

/// Functions that are written out where that can be done, and otherwise call a model `__selvedge_name`, with the
/// size of a word behind it if there is one.
const BLOCKS: [&str; 4] = ["memcpy", "memmove", "memset", "memcmp"];

/// The model of another name that a function calls.
fn other_name(name: &str) -> Option<&'static str> {
    match name {
        "sprintf" | "vsprintf" | "snprintf" | "vsnprintf" | "__sprintf_chk" | "__snprintf_chk" => {
            Some("__selvedge_format")
        }
        "strtok" => Some("strtok_r"),
        _ => None,
    }
}
