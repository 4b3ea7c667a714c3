//! Ordering by the operations of the thread families, under every memory model.
//!
//! Message passing: `data` is written plainly, then the sender's side of an operation; the receiver's side, then `data`
//! is read. What the standards promise to order holds under every model ([`table::ORDERED`]), and is not vacuous: the
//! receiver gets there. What they leave open between two stores ([`table::OPEN`]) is as if it were not there: a receiver
//! that sees the second store may miss the first under PSO, and each of two threads the other's store under TSO.

mod table;

#[cfg(test)]
mod tests {
    use super::table::{FULL, OPEN, ORDERED, Passing};
    use crate::oracle::{
        Prepared, Subject, Truth, compare_prepared, on_a_deep_stack, prepare_under,
    };
    use crate::tier::part;
    use rayon::prelude::*;
    use selvedge::event::{Cut, MemoryModel};

    const HEADERS: &str = "#define _GNU_SOURCE\n#include <assert.h>\n#include <errno.h>\n#include <fcntl.h>\n\
        #include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n\
        #include <stdlib.h>\n#include <threads.h>\n#include <unistd.h>\n\
        extern void __VERIFIER_assume(int); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\n\
        pthread_t sending, receiving;\nint data, flag, other;\nstatic void none(void) {}\n";

    /// A program that passes a message; whoever receives it checks that the data are there, or, if `reached`, fails.
    fn passing(row: &Passing, reached: bool) -> String {
        let check = if reached { "0" } else { "data == 1" };
        let start = if row.receiver_first {
            "START_RECEIVER; START_SENDER;"
        } else {
            "START_SENDER; START_RECEIVER;"
        };
        format!(
            "{HEADERS}#define CHECK assert({check})\n\
             #define START_SENDER pthread_create(&sending, 0, sender, 0)\n\
             #define START_RECEIVER pthread_create(&receiving, 0, receiver, 0)\n\
             {}\nvoid *sender(void *a) {{ {} data = 1; {} return 0; }}\n\
             void *receiver(void *a) {{ {} CHECK; return 0; }}\n\
             int main(void) {{ {} {start} __VERIFIER_assume(0); return 0; }}\n",
            row.globals, row.before, row.send, row.receive, row.init
        )
    }

    /// Two stores with something in between; whether who sees the second may miss the first.
    fn two_stores((globals, init, between): (&str, &str, &str)) -> String {
        format!(
            "{HEADERS}{globals}\nvoid *sender(void *a) {{ data = 1; {between} flag = 1; return 0; }}\n\
             int main(void) {{ {init} pthread_create(&sending, 0, sender, 0);\n\
             int seen = flag; assert(!seen || data); return 0; }}\n"
        )
    }

    /// Two threads that store, do something, and look for the other's store; whether both may miss it.
    fn store_buffering((globals, init, between): (&str, &str, &str)) -> String {
        format!(
            "{HEADERS}{globals}\nint mine = 1, theirs = 1;\n\
             void *sender(void *p) {{ data = 1; {between} theirs = other; __sync_synchronize(); flag = 1; return 0; }}\n\
             int main(void) {{ {init} pthread_create(&sending, 0, sender, 0);\n\
             other = 1; {between} mine = data; __VERIFIER_assume(flag); assert(mine || theirs); return 0; }}\n"
        )
    }

    fn explored(memory: MemoryModel, text: &str) -> Result<Prepared, String> {
        match prepare_under(memory, text) {
            Ok(Ok(prepared)) => Ok(prepared),
            other => Err(format!("{:?}", other.map(|skipped| skipped.err()))),
        }
    }

    /// Verdict of the enumeration and both schemes that know memory models, on a program where everything is defined.
    fn verdict(memory: MemoryModel, text: &str) -> Result<Truth, String> {
        let prepared = explored(memory, text)?;
        let defined = |why: &&Cut| !matches!(why, Cut::Undefined(_) | Cut::Unsupported(_));
        if let Some(cut) = prepared.cuts().find(|why| !defined(why)) {
            return Err(format!("{cut:?}"));
        }
        let lazy = Subject::buffers();
        let subjects = [Subject::weak(0)[0], Subject::weak(0)[1], lazy[0], lazy[1]];
        match compare_prepared(&prepared, &subjects) {
            Ok(_) => Ok(prepared.truth()),
            Err(fault) => Err(format!("{}: {}", fault.kind, fault.details)),
        }
    }

    /// Compares verdicts under all models with the one that is expected of each.
    fn expect(name: &str, text: &str, expected: [Truth; 3]) -> Vec<String> {
        let models = MemoryModel::ALL.into_iter().zip(expected);
        let one = |(memory, expected): (MemoryModel, Truth)| {
            let said = on_a_deep_stack(|| verdict(memory, text));
            (said != Ok(expected))
                .then(|| format!("{name} under {}: {said:?}\n{text}", memory.name()))
        };
        models.filter_map(one).collect()
    }

    fn none_wrong(wrong: Vec<String>) {
        assert!(
            wrong.is_empty(),
            "{} wrong:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
    }

    fn on_threads<T: Sync>(rows: &[T], one: impl Fn(&T) -> Vec<String> + Sync + Send) {
        let pool = rayon::ThreadPoolBuilder::new()
            .stack_size(256 << 20)
            .build();
        let wrong = pool
            .expect("threads can be started")
            .install(|| part(rows).into_par_iter().flat_map(one).collect());
        none_wrong(wrong);
    }

    use Truth::{Safe, Unsafe};

    #[test]
    fn what_is_passed_on_is_seen() {
        on_threads(ORDERED, |row| {
            let mut wrong = expect(row.name, &passing(row, false), [Safe; 3]);
            wrong.extend(expect(row.name, &passing(row, true), [Unsafe; 3]));
            wrong
        });
    }

    #[test]
    fn what_orders_nothing_leaves_stores_as_they_are() {
        on_threads(OPEN, |(name, row)| {
            let mut wrong = expect(name, &two_stores(*row), [Safe, Safe, Unsafe]);
            wrong.extend(expect(name, &store_buffering(*row), [Safe, Unsafe, Unsafe]));
            wrong
        });
    }

    #[test]
    fn what_synchronises_memory_drains() {
        on_threads(FULL, |(name, row)| {
            let mut wrong = expect(name, &two_stores(*row), [Safe; 3]);
            wrong.extend(expect(name, &store_buffering(*row), [Safe; 3]));
            wrong
        });
    }
}
