//! Values of functions that give any: those of the program's calls, in order.

use crate::base::sorted::SortedMap;
use crate::ir::NondetSource;
use std::fmt::Write;

/// Kinds of `__VERIFIER_nondet_KIND`, with their types.
const KINDS: &[(&str, &str)] = &[
    ("bool", "_Bool"),
    ("char", "char"),
    ("uchar", "unsigned char"),
    ("unsigned_char", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned int"),
    ("unsigned", "unsigned int"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
    ("pointer", "void *"),
    ("pchar", "char *"),
    ("size_t", "__SIZE_TYPE__"),
    ("u8", "unsigned char"),
    ("u16", "unsigned short"),
    ("u32", "unsigned int"),
    ("U32", "unsigned int"),
    ("u64", "unsigned long long"),
    ("sector_t", "unsigned long"),
    ("loff_t", "long long"),
    ("pthread_t", "unsigned long"),
    ("float", "float"),
    ("double", "double"),
];

/// Start of the names of functions whose values a program leaves open.
const START: &str = "__VERIFIER_nondet_";

/// The runtime's function that says whether a wait for a condition has ended because of its time.
pub(super) const TIMED_OUT: &str = "selvedge_timed_out";

/// Starts of the names of functions that the runtime replaces, or that the compiled program calls: what they leave open is the
/// schedule's.
const SYNCHRONISATION: [&str; 7] = [
    "pthread_",
    "thrd_",
    "mtx_",
    "cnd_",
    "sem_",
    "call_once",
    "syscall",
];

/// Functions that allocate.
const ALLOCATIONS: [&str; 7] = [
    "malloc",
    "calloc",
    "realloc",
    "aligned_alloc",
    "posix_memalign",
    "memalign",
    "strdup",
];

/// Origin of a free value of an execution in the compiled program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin<'a> {
    /// The result of this function, of this type.
    Result(&'a str, &'static str),
    /// The schedule.
    Schedule,
    /// The allocator: whether an object is made.
    Allocator,
    /// Something else.
    Elsewhere,
}

/// Origin of a value that a call of this function leaves open.
pub(super) fn origin(function: &str, source: NondetSource) -> Origin<'_> {
    if let Some(kind) = function.strip_prefix(START) {
        let found = KINDS.iter().find(|(name, _)| *name == kind);
        return found.map_or(Origin::Elsewhere, |(_, ty)| Origin::Result(function, ty));
    }
    if source != NondetSource::External {
        return Origin::Elsewhere;
    }
    if function.ends_with("timedwait") || function.ends_with("clockwait") {
        return Origin::Result(TIMED_OUT, "_Bool");
    }
    if SYNCHRONISATION
        .iter()
        .any(|start| function.starts_with(start))
    {
        return Origin::Schedule;
    }
    if ALLOCATIONS.contains(&function) {
        return Origin::Allocator;
    }
    Origin::Result(function, "unsigned long")
}

/// A C file that defines these functions, each with its type and values.
pub(super) fn definitions(values: &SortedMap<&str, (&str, Vec<u128>)>) -> String {
    let mut text = String::from(
        "/* Values that the program leaves open, in the order in which they are asked for; 0 behind the last. */\n#include <string.h>\n",
    );
    for (function, (ty, values)) in values {
        let list: Vec<String> = values
            .iter()
            .map(|value| format!("{:#x}ull", *value as u64))
            .collect();
        let _ = write!(
            text,
            "\n{ty} {function}(void) {{\n  static const unsigned long long values[] = {{{}}};\n  static unsigned at;\n  \
             {ty} result;\n  unsigned long long value = at < sizeof values / sizeof *values ? values[at] : 0;\n  at++;\n  \
             memcpy(&result, &value, sizeof result);\n  return result;\n}}\n",
            if list.is_empty() {
                "0".to_string()
            } else {
                list.join(", ")
            }
        );
    }
    text
}
