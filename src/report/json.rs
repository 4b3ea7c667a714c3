//! The outcome as one JSON object, for programs (`--json FILE`), and read back from there (`selvedge trace FILE`).
//!
//! Schema 1. Fields are only ever added under the same number; readers skip what they do not know. `json/schema.json` says the same
//! as a JSON Schema.
//!
//! | field | value |
//! |---|---|
//! | `schema` | 1 |
//! | `version` | version of Selvedge |
//! | `file`, `data_model`, `check` | the C file, `"ILP32"` or `"LP64"`, and what was asked: `"assert"`, or several checks with commas between |
//! | `verdict` | `"failed"`, `"successful"` or `"unknown"` |
//! | `complete` | true if and only if successful without limits |
//! | `line` | the last line of standard output |
//! | `summary` | all lines of standard output behind the counterexamples; the last one is `line` |
//! | `limits` | of a successful verdict: strings such as `"unwind 3"` |
//! | `reason` | of an unknown verdict: a string, else null |
//! | `violation` | of a failed verdict: `{property, place}`, else null |
//! | `checks` | of each check, the most serious first: `{check, verdict, complete, limits, reason}`, as above |
//! | `findings` | all violations, the most serious first: `{check, property, place, title, fingerprint, schedule, trace}`, where `title` is the violation in a few words, and `schedule` a line for `selvedge replay`; the first is `violation` and `trace`. Data races have both `accesses` as well, and `other`, the place of the second with its `thread` and `function`. Deadlocks have `deadlock` as well, invalid accesses `misaccess`, and blocks that are lost or not freed `lost`, an object. Where a memory unwinding is printed, `unwinding` says what its positions are: `"writes"`, `"contexts"` or `"turns"` |
//! | `suppressed` | violations that `--suppress` names: the same without `trace` |
//! | `coverage` | `{memory_model, scheme, solver, threads: number, or null where it covers any number, bounds: [{name, value, reached: true, false, or null where nobody asked}], cubes: {count, decided, only: number of the only one that was asked for, or null, formula: name of the formula that this one is a part of} if executions were split, cuts: [{bound, value, place, function, loop: number, or null for a recursion, certain: false where nobody has found out}] of loops and calls that bounds cut, undefined: [{kind, place}], assertions_reachable: true, false or null, external: [name] of functions without a body, whose results are any values, if there are some, open: [name] of functions whose results C leaves open, such as `sin`, and are any that it allows, if there are some, allocations_succeed: false where the program allocates nothing or `--malloc-may-fail` is set, signals_absent: true where the program handles signals, none of which arrives, begins: text, where execution does not begin with `main`, races_excluded: true where the program as it is written shows that no data race is possible, learnt: [text] if threads were verified one by one, warnings: [{name, text, place}]}` |
//! | `statistics` | `{events, reads, writes, terms, variables, clauses, stages: [{name, ms}], cpu_ms, wall_ms, peak_memory_bytes}` |
//! | `trace` | of a failed verdict: `{memory_model: "sc", "tso", "pso" or null, threads: [{function, created_at}], steps: [step]}`, else null |
//!
//! A place is `{file, line, column, text, offset}`, counted from 1, `text` being the source line, and `offset` the byte in the
//! preprocessed text, by which places are ordered; or null. Threads are
//! numbered by their index in `threads`; 0 is main. A step is `{thread, place, function, calls: [place], atomic,
//! action, …}`, and `action` says which further fields there are:
//!
//! | action | fields |
//! |---|---|
//! | `read`, `write` | `variable`, `value`; of a read, `from: {thread, place}` where another thread has stored that, `is_initial` where nobody has, and `is_private` of what no other thread can change |
//! | `issue`, `commit` | `variable`, `value`: a store that goes into its thread's buffer, and that reaches memory (weak memory models) |
//! | `update` | `variable`, `old`, `new`, and `from` as above; `expected`, what a compare-and-exchange compares with |
//! | `local` | `variable`, `value`, and `is_variable`: false of a block of the heap or a global variable that nobody else can see |
//! | `input` | `value`, and `variable` where it has a name |
//! | `create` | `child`: a thread's number, `callee`: its start routine, `argument` |
//! | `join` | `child` |
//! | `call` | `callee`, `arguments: [{name, value}]`: a function of the program is called |
//! | `return` | `callee`, `result`, or null where nobody takes it |
//! | `lock`, `unlock`, `initialise` | `variable`: a lock |
//! | `try_lock` | `variable`, `taken` |
//! | `await` | `variable`: a condition variable that the thread begins to wait for, where deadlocks are asked for |
//! | `awake` | `variable`, `signalled`: the thread no longer waits for it, because of a signal or by itself |
//! | `signal` | `variable`, `all` (of a broadcast), `woken`: numbers of threads |
//! | `attempt` | `variable`, `access`, and `value` of a scalar: an access that is next, at the end of a data race |
//! | `blocked` | `waits_for`: what the thread waits for, at the end of a deadlock |
//! | `copy` | `variable`, `from` or `byte`, `bytes`, and `value` of a scalar: bytes that are copied, or set; `variable` is null where they were only read so far, `from` where that was an earlier step; `is_private` where no other thread can see it |
//! | `allocate` | `variable`, a block of the heap, and `bytes`, its size |
//! | `free` | `variable`: a block of the heap |
//! | `reuse` | `variable`, `before`, `by`: a new object is where another one was, which that thread had ended; `is_freed` if that was on the heap |
//! | `violation` | `property` |
//! | `end`, `fence`, `atomic_begin`, `atomic_end` | none |
//!
//! An access of a data race is `{thread, function, created_at, place, calls, access: "read", "write", "update" or "free",
//! variable, bytes, value, of a scalar (to be written, or there), is_atomic, in_section, locks: [{variable, since}]}`.
//!
//! A deadlock is `{kind: "cycle" (threads that wait for each other, or for who has ended; others may run), "final" (nobody runs) or
//! "spin" (the same, but some spin), threads: [{thread, function, created_at, place, calls, waits_for}], ring: [thread] of those that
//! wait for each other, each for the next one, elsewhere: [place] at which threads are blocked as well in other executions of the same
//! deadlock, if there are some}`; what is waited for is `{what: "mutex", "rwlock", "condition", "barrier",
//! "semaphore", "once", "thread", "loop" (that the thread spins in) or "other", variable, holders: [{thread, since, ended}]}`.
//!
//! A misaccess is `{access: "read", "write", "lock", "call" or "free", bytes of a read or write, else null, flaw: "null", "wild" (there is
//! no object), "ended", "outside", "misaligned" or "no_block" (of what is freed), offset of the last three in the object, else null, object, or
//! null}`, and an object `{name, bytes, on_heap, made: {thread, place} or null, ended: the same}`.
//!
//! A value is `{bits, signed, float, decimal, kind, name, pattern}` with the number as a string, since it may exceed what JSON readers
//! hold; a floating-point number is the shortest one that is read back as it, or `inf`, `-inf`, `nan`, `-nan`, and has the `pattern` of its
//! bits. The `kind` is `"integer"`, `"bool"`, `"char"`, `"enum"`, `"pointer"` or `"float"`; `name` is that of the constant, or of what a pointer
//! points to, if it has one.

mod path;
mod read;
mod restore;
mod shape;
mod value;
mod word;
mod write;

pub use read::{Kept, read};

use super::file::Format;
use crate::outcome::Outcome;
use crate::source::place::Places;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "json",
    help: "Write verdict, coverage, statistics and counterexample to FILE as JSON",
    render: |report| render(report.outcome, report.places),
};

/// The outcome as one line, with a newline at its end.
pub fn line(outcome: &Outcome, places: &dyn Places) -> String {
    let object = write::outcome(outcome, places);
    serde_json::to_string(&object).unwrap_or_default() + "\n"
}

/// The text of the file, with a newline at its end.
pub fn render(outcome: &Outcome, places: &dyn Places) -> String {
    // Plain structures with string keys: there is nothing that could not be written.
    let object = write::outcome(outcome, places);
    let mut text = serde_json::to_string_pretty(&object).unwrap_or_default();
    text.push('\n');
    text
}
