//! Native reproduction: what `--reproduce` writes compiles, and fails every time as the counterexample says.

use crate::command::{Folder, LOST};
use crate::tier::skipped;
use std::path::Path;
use std::process::Command;

/// True if GCC and make are there.
fn can_compile() -> bool {
    let is_there = |name: &str| Command::new(name).arg("--version").output().is_ok();
    let can = is_there("gcc") && is_there("make");
    if !can {
        skipped("native reproduction", "gcc or make is missing");
    }
    can
}

/// Output of `make TARGET` in a folder, and whether it was successful.
fn make(folder: &Path, target: &str) -> (bool, String) {
    let output = Command::new("make")
        .args(["-C", folder.to_str().unwrap(), target])
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let all = text(&output.stdout) + &text(&output.stderr);
    (output.status.success(), all)
}

/// Sanitizer: true if the compiler has it, and it runs here.
fn has_sanitizer(name: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("a.c");
    std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let output = Command::new("gcc")
        .arg(format!("-fsanitize={name}"))
        .args(["-o", folder.path().join("a").to_str().unwrap()])
        .arg(&source)
        .output();
    let compiled = output.is_ok_and(|output| output.status.success());
    // Some systems lay out memory in a way that it does not know.
    let run = Command::new(folder.path().join("a")).output();
    let has = compiled && run.is_ok_and(|output| output.status.success());
    if !has {
        skipped(
            "native reproduction",
            &format!("there is no -fsanitize={name}"),
        );
    }
    has
}

/// Verifies a program, and lets what is written fail 20 times.
fn reproduced(files: &[(&str, &str)], arguments: &[&str]) {
    if !can_compile() {
        return;
    }
    let folder = Folder::new(files);
    let names = files.iter().map(|(name, _)| *name);
    let names: Vec<&str> = names.filter(|name| name.ends_with(".c")).collect();
    let all = [&["--reproduce", "native"], arguments, &names].concat();
    let run = folder.run(&all);
    assert_eq!(run.code, Some(10), "{}\n{}", run.out, run.err);
    let (is_shown, told) = make(&folder.path("native"), "check");
    assert!(is_shown, "{arguments:?}: {told}\n{}\n{}", run.out, run.err);
}

#[test]
fn an_update_is_torn() {
    reproduced(&[("lost.c", LOST)], &[]);
}

#[test]
fn switches_within_expressions_are_made() {
    let text = "#include <assert.h>
#include <pthread.h>
struct pair { int first, second : 5; } pair, *at = &pair;
int array[3], i = 1;
int sum(int a, int b) { return a + b; }
void *change(void *arg) { pair.first = 1; array[1] = 1; pair.second = 1; i = 2; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, change, 0);
    int seen = sum(at->first, array[i]) * 2 + (i == 2 ? pair.second : 4);
    at->first += array[1];
    assert(seen != CLAIM);
    pthread_join(t, 0);
}
";
    // Between any two of the reads, the other thread may write.
    for claim in ["1", "3", "4", "5", "8"] {
        let text = text.replace("CLAIM", claim);
        reproduced(&[("expressions.c", &text)], &[]);
    }
}

#[test]
fn inputs_and_macros_are_as_they_were() {
    let text = "#include <assert.h>
#include <pthread.h>
#define LOCKED(s) do { pthread_mutex_lock(&m); s; pthread_mutex_unlock(&m); } while (0)
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int total;
void *add(void *arg) {
    int own = __VERIFIER_nondet_int(), seen;
    LOCKED(seen = total);
    LOCKED(total = seen + own);
    return 0;
}
int main(void) {
    pthread_t a, b;
    unsigned char first = __VERIFIER_nondet_uchar();
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(total != 1234 || first != 200);
}
";
    reproduced(&[("inputs.c", text)], &[]);
}

#[test]
fn waiting_threads_wait() {
    let text = "#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_barrier_t b;
int ready, seen;
void *work(void *arg) {
    pthread_mutex_lock(&m);
    if (!ready) pthread_cond_wait(&c, &m);
    seen = ready;
    pthread_mutex_unlock(&m);
    pthread_barrier_wait(&b);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    ready = 2;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    ready = 3;
    pthread_mutex_unlock(&m);
    pthread_barrier_wait(&b);
    assert(seen != CLAIM);
    pthread_join(t, 0);
}
";
    for claim in ["2", "3"] {
        let text = text.replace("CLAIM", claim);
        reproduced(&[("waits.c", &text)], &[]);
    }
}

/// Verifies a program that has a deadlock, and lets what is written block once.
fn blocked(text: &str) {
    if !can_compile() {
        return;
    }
    let folder = Folder::new(&[("blocks.c", text)]);
    let run = folder.run(&["--check", "deadlock", "--reproduce", "native", "blocks.c"]);
    assert_eq!(run.code, Some(10), "{}\n{}", run.out, run.err);
    let (made, told) = make(&folder.path("native"), "program");
    assert!(made, "{told}");
    let output = Command::new(folder.path("native").join("program"))
        .env("SELVEDGE_CHECK", "1")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("blocked for ever"), "{told}\n{}", run.out);
}

#[test]
fn a_signal_comes_too_early() {
    blocked(
        "#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *wakes(void *arg) {
    pthread_cond_signal(&c);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, wakes, 0);
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_join(t, 0);
}
",
    );
}

#[test]
fn a_cancelled_thread_keeps_what_it_holds() {
    blocked(
        "#include <pthread.h>
#include <semaphore.h>
sem_t s;
void *holds(void *arg) {
    sem_wait(&s);
    pthread_testcancel();
    sem_post(&s);
    return arg;
}
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 1);
    pthread_create(&t, 0, holds, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    sem_wait(&s);
}
",
    );
}

#[test]
fn a_futex_is_waited_for_whose_wake_is_over() {
    blocked(
        "#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#define WANTED 7
int word = WANTED, *place = &word;
void *wakes(void *arg) {
    syscall(SYS_futex, &word, FUTEX_WAKE, 1);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, wakes, 0);
    syscall(SYS_futex, place, FUTEX_WAIT, WANTED, (void *)0, (void *)0, 0);
    pthread_join(t, 0);
}
",
    );
}

#[test]
fn waits_end_in_time() {
    let text = "#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int late, tried;
void *work(void *arg) {
    struct timespec until = {0, 0};
    pthread_mutex_lock(&m);
    late = pthread_cond_timedwait(&c, &m, &until);
    late += 2 * pthread_cond_timedwait(&c, &m, &until);
    tried = pthread_mutex_timedlock(&n, &until);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    assert(late != CLAIM || tried != ETIMEDOUT);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    pthread_join(t, 0);
}
";
    for claim in ["ETIMEDOUT", "2 * ETIMEDOUT"] {
        let text = text.replace("CLAIM", claim);
        reproduced(&[("waits.c", &text)], &["--check", "assert"]);
    }
}

#[test]
fn arguments_come_before_the_call() {
    let text = "#include <assert.h>
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, *which = &a;
int inside, both;
void *work(void *arg) {
    pthread_mutex_lock(which);
    inside++;
    if (inside == 2) both = 1;
    inside--;
    pthread_mutex_unlock(arg);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, &a);
    which = &b;
    work(&b);
    assert(!both);
    pthread_join(t, 0);
}
";
    reproduced(&[("order.c", text)], &["--check", "assert"]);
}

#[test]
fn a_deadlock_blocks_for_ever() {
    let text = "#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *work(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(t, 0);
}
";
    reproduced(&[("crossed.c", text)], &["--check", "deadlock"]);
}

#[test]
fn sanitizers_report_races_and_uses_after_free() {
    if !can_compile() || !has_sanitizer("thread") || !has_sanitizer("address") {
        return;
    }
    reproduced(&[("lost.c", LOST)], &["--check", "race"]);
    let freed = "#include <pthread.h>
#include <stdlib.h>
int *_Atomic job;
void *work(void *arg) {
    int *own = job;
    if (own) *own = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    job = malloc(sizeof *job);
    pthread_create(&t, 0, work, 0);
    free(job);
    job = 0;
    pthread_join(t, 0);
}
";
    reproduced(&[("freed.c", freed)], &["--check", "memory"]);
}

#[test]
fn programs_of_several_files_are_whole() {
    let header = "#ifndef SHARED_H\n#define SHARED_H\nextern int hits;\nstatic inline void hit(void) { hits++; }\n#endif\n";
    let other = "#include \"shared.h\"\nint hits;\nvoid *visit(void *arg) { hit(); return 0; }\n";
    let main = LOST
        .replace("int hits;", "#include \"shared.h\"\nvoid *visit(void *);")
        .lines()
        .filter(|line| !line.starts_with("void *visit(void *arg)"))
        .collect::<Vec<_>>()
        .join("\n");
    reproduced(
        &[("main.c", &main), ("other.c", other), ("shared.h", header)],
        &[],
    );
}

#[test]
fn what_cannot_be_reproduced_is_refused() {
    let text = "#include <assert.h>
#include <pthread.h>
int x, y, a, b;
void *other(void *arg) { y = 1; b = x; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    x = 1;
    a = y;
    pthread_join(t, 0);
    assert(a || b);
}
";
    let folder = Folder::new(&[("dekker.c", text), ("lost.c", LOST)]);
    let run = folder.run(&["--memory-model", "tso", "--reproduce", "native", "dekker.c"]);
    assert_eq!(run.code, Some(10), "{}\n{}", run.out, run.err);
    assert!(
        run.err.contains("--reproduce: when a store leaves"),
        "{}",
        run.err
    );
    assert!(!folder.path("native").exists());
    // A folder of something else is not touched, one of an earlier run is replaced, or goes.
    std::fs::create_dir(folder.path("own")).unwrap();
    std::fs::write(folder.path("own/notes"), "mine").unwrap();
    let run = folder.run(&["--reproduce", "own", "lost.c"]);
    assert_eq!(run.code, Some(1), "{}\n{}", run.out, run.err);
    assert!(run.err.contains("has other files"), "{}", run.err);
    assert!(folder.path("own/notes").exists());
    let run = folder.run(&["--reproduce", "native", "lost.c"]);
    assert_eq!(run.code, Some(10), "{}\n{}", run.out, run.err);
    assert!(folder.path("native/program-lost.c").exists());
    let run = folder.run(&["--memory-model", "tso", "--reproduce", "native", "dekker.c"]);
    assert_eq!(run.code, Some(10), "{}\n{}", run.out, run.err);
    assert!(!folder.path("native").exists(), "nothing stale is left");
}
