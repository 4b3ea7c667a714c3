//! Parts of the check of misuse that a program needs: what it never does costs no step.

use super::name::plain_name;
use crate::ir::{Callee, InstrKind, Operand, Program};

/// Kinds of objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    Mutex,
    Spin,
    Condition,
    Lock,
    Barrier,
    Semaphore,
}

impl Family {
    /// The kind of the objects that a function works on.
    pub(super) fn of(name: &str) -> Option<Family> {
        const PREFIXES: [(&str, Family); 8] = [
            ("pthread_mutex_", Family::Mutex),
            ("mtx_", Family::Mutex),
            ("pthread_spin_", Family::Spin),
            ("pthread_cond_", Family::Condition),
            ("cnd_", Family::Condition),
            ("pthread_rwlock_", Family::Lock),
            ("pthread_barrier_", Family::Barrier),
            ("sem_", Family::Semaphore),
        ];
        if matches!(name, "sem_open" | "sem_unlink" | "sem_close") {
            return None;
        }
        let mut known = PREFIXES.iter();
        known
            .find(|(prefix, _)| name.starts_with(prefix))
            .map(|(_, family)| *family)
    }

    /// Objects of this kind that have a static initialiser are initialised as they are.
    pub(super) fn starts_alive(self) -> bool {
        !matches!(self, Family::Barrier | Family::Semaphore)
    }
}

/// Parts of the check that a program needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
    /// The check is asked for.
    pub asked: bool,
    /// Kinds of objects that are destroyed somewhere, a bit for each.
    destroyed: u8,
    /// Somebody may want to know who is blocked on a condition variable.
    pub waiters: bool,
    /// A condition variable may be used with several mutexes.
    pub mutexes: bool,
    /// Keys may be deleted, or used.
    pub keys: bool,
    /// Read-write locks or barriers may be in use where they are initialised or destroyed.
    pub idle: bool,
}

impl Needs {
    /// Needs of a program that is read for the check.
    pub(super) fn of(program: &Program) -> Needs {
        let mut needs = Needs {
            asked: true,
            ..Needs::default()
        };
        let mut waits = Vec::new();
        let blocks = program.functions.iter().flat_map(|f| f.blocks.iter());
        for instr in blocks.flat_map(|block| &block.instrs) {
            let InstrKind::Call {
                callee: Callee::Extern(call),
                args,
                ..
            } = &instr.kind
            else {
                continue;
            };
            let name = plain_name(&call.name);
            let changes = name.ends_with("_destroy") || name.ends_with("_init");
            if let Some(family) = Family::of(name) {
                if name.ends_with("_destroy") {
                    needs.destroyed |= 1 << family as u8;
                }
                needs.waiters |= family == Family::Condition && changes;
                needs.idle |= matches!(family, Family::Lock | Family::Barrier) && changes;
            }
            needs.keys |= uses_key(name);
            if is_wait(name)
                && let [condition, mutex, ..] = args[..]
            {
                waits.push((condition, mutex));
            }
        }
        needs.mutexes = may_differ(&waits);
        needs.waiters |= needs.mutexes;
        needs
    }

    /// The models of the check.
    pub(super) fn models(self) -> Vec<&'static str> {
        let mut names = Vec::new();
        if self.waiters {
            names.extend([
                "__selvedge_blocks",
                "__selvedge_unblocks",
                "__selvedge_wake_one",
                "__selvedge_wake_all",
            ]);
        }
        if self.mutexes {
            names.push("__selvedge_number_of");
        }
        if self.keys {
            names.extend(["__selvedge_key_exists", "__selvedge_key_deleted"]);
        }
        if self.idle {
            names.extend(["__selvedge_rwlock_idle", "__selvedge_barrier_idle"]);
        }
        names
    }

    /// True if an object is destroyed somewhere that needs no initialisation.
    pub(super) fn destroys_any(self) -> bool {
        self.destroyed != 0
    }

    /// True if objects of this kind are destroyed somewhere.
    pub(super) fn destroys(self, family: Family) -> bool {
        self.destroyed & 1 << family as u8 != 0
    }
}

/// Mutexes of condition variables: true if there may be two for one, given the operands of all waits.
fn may_differ(waits: &[(Operand, Operand)]) -> bool {
    let is_static = |operand: &Operand| matches!(operand, Operand::GlobalAddr(..));
    let is_only = |mutex: &Operand| is_static(mutex) && waits.iter().all(|wait| wait.1 == *mutex);
    if waits.iter().all(|(_, mutex)| is_only(mutex)) {
        return false;
    }
    waits.iter().any(|(condition, mutex)| {
        let mut others = waits.iter().filter(|other| other.0 == *condition);
        !is_static(condition) || !is_static(mutex) || others.any(|other| other.1 != *mutex)
    })
}

/// True if a function waits on a condition variable.
pub(super) fn is_wait(name: &str) -> bool {
    matches!(
        name,
        "pthread_cond_wait"
            | "pthread_cond_timedwait"
            | "pthread_cond_clockwait"
            | "cnd_wait"
            | "cnd_timedwait"
    )
}

/// Keys of thread-specific values: true if a function gets one.
pub(super) fn uses_key(name: &str) -> bool {
    matches!(
        name,
        "pthread_getspecific" | "pthread_setspecific" | "tss_get" | "tss_set"
    ) || deletes_key(name)
}

/// True if a function deletes one.
pub(super) fn deletes_key(name: &str) -> bool {
    matches!(name, "pthread_key_delete" | "tss_delete")
}
