//! Functions that nobody defines, as a user meets them: those that are known by name, those that nothing declares,
//! those without a body; and functions and members that real programs use.

use crate::command::Folder;

/// The exit code and a part of what is printed, for a program and options.
type Case = (
    &'static str,
    &'static [&'static str],
    i32,
    &'static [&'static str],
);

/// Runs each program; the texts stand on standard output or in the messages.
fn check(cases: &[Case]) {
    for (text, options, code, expected) in cases {
        let folder = Folder::new(&[("a.c", text)]);
        let run = folder.run(&[*options, &["a.c"]].concat());
        let all = format!("{}{}", run.err, run.out);
        assert_eq!(run.code, Some(*code), "{options:?} {text}\n{all}");
        for part in *expected {
            assert!(all.contains(part), "{options:?} {text}\nno {part}\n{all}");
        }
    }
}

const COMPLETE: &[&str] = &["SUCCESSFUL (complete)"];

#[test]
fn the_system_gives_any_result_that_it_may_give() {
    check(&[
        (
            "#define _GNU_SOURCE\n#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n#include <sched.h>\n\
             #include <sys/resource.h>\nint main(void) {\n struct rlimit limit = {2, 1};\n \
             assert(setrlimit(RLIMIT_NOFILE, &limit) == -1 && errno == EINVAL);\n cpu_set_t set;\n \
             if (sched_getaffinity(0, sizeof set, &set) == 0) assert(CPU_ISSET(3, &set) <= 1);\n \
             assert(sched_setaffinity(0, sizeof set, &set) <= 0);\n \
             assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) >= 0);\n struct sched_param own = {0};\n \
             assert(sched_setscheduler(0, SCHED_OTHER, &own) <= 0);\n \
             if (sched_getparam(0, &own) == 0) assert(own.sched_priority >= 0 && own.sched_priority <= 99);\n}",
            &["--check", "assert,memory"],
            0,
            COMPLETE,
        ),
        (
            "#include <assert.h>\n#include <time.h>\nint main(void) {\n time_t now = time(0);\n struct tm own;\n \
             struct tm *date = localtime_r(&now, &own), *shared = gmtime(&now);\n \
             assert(!date || date == &own && date->tm_mon >= 0 && date->tm_mon < 12 && date->tm_mday >= 1);\n \
             assert(!shared || shared != date && shared->tm_hour < 24);\n}",
            &["--check", "assert,memory"],
            0,
            COMPLETE,
        ),
        (
            "#include <assert.h>\n#include <time.h>\nint main(void) {\n time_t now = time(0);\n \
             struct tm *date = localtime(&now);\n assert(date->tm_sec < 60);\n}",
            &["--check", "assert,memory", "--no-trace"],
            10,
            &["assertion at a.c:6", "null pointer"],
        ),
        (
            "#include <assert.h>\n#include <sys/resource.h>\nint main(void) {\n struct rusage used;\n \
             if (getrusage(RUSAGE_SELF, &used) == 0) assert(used.ru_utime.tv_sec >= 0 && used.ru_nivcsw >= 0);\n}",
            &["--check", "assert,memory"],
            0,
            COMPLETE,
        ),
        (
            "#include <assert.h>\n#include <sys/epoll.h>\nint main(void) {\n struct epoll_event event = {0};\n \
             assert(epoll_ctl(3, EPOLL_CTL_ADD, 4, &event) == 0);\n}",
            &["--check", "assert,memory", "--no-trace"],
            10,
            &["assertion at a.c:5"],
        ),
    ]);
}

#[test]
fn known_names_need_no_declaration() {
    check(&[
        (
            "int main(void) { int x = 1; assert(x == 2); }",
            &[],
            10,
            &[
                "function `assert` is called without a declaration: it is taken to be that of <assert.h>",
            ],
        ),
        // Its argument is a condition, of whatever type; what it returns is a pointer.
        (
            "int main(void) { double d = -0.0; assert(1ull << 40); assert(!d); assert(\"x\"); assert(d); }",
            &[],
            10,
            &["at a.c:1"],
        ),
        (
            "int main(void) { int *p = malloc(4); if (!p) return 0; *p = 7; assert(*p == 7); free(p); \
             assert(labs(-1l << 40) == 1l << 40); }",
            &[],
            0,
            COMPLETE,
        ),
        (
            "int x; void *f(void *a) { x++; return 0; }\n\
             int main(void) { unsigned long t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(x == 1); }",
            &[],
            0,
            COMPLETE,
        ),
        (
            "int main(void) { assert(__VERIFIER_nondet_ulong() <= 0xffffffff); }",
            &[],
            10,
            &["assertion"],
        ),
        (
            "int main(void) { assert(__VERIFIER_nondet_uchar() <= 255 && nondet_bool() < 2); }",
            &[],
            0,
            COMPLETE,
        ),
        // A declaration as a function is one of the same.
        (
            "void assert(int); int main(void) { assert(0); }",
            &[],
            10,
            &["assertion"],
        ),
    ]);
}

#[test]
fn words_of_other_checkers() {
    check(&[
        (
            "int main(void) { int x = nondet_int(); __CPROVER_assume(x > 3); __CPROVER_assert(x > 3, \"x\"); }",
            &[],
            0,
            COMPLETE,
        ),
        (
            "int main(void) { int x = nondet_int(); __ESBMC_assume(x > 3); __ESBMC_assert(x > 4, \"x\"); }",
            &[],
            10,
            &["assertion"],
        ),
        (
            "int main(void) { int x; klee_make_symbolic(&x, sizeof x, \"x\"); klee_assume(x > 3); klee_assert(x > 4); }",
            &["--unwind", "5"],
            10,
            &["assertion"],
        ),
        (
            "int main(void) { int x = 1; __VERIFIER_nondet_memory(&x, sizeof x); __VERIFIER_assert(x == 1); }",
            &["--unwind", "5"],
            10,
            &["assertion"],
        ),
        (
            "#include <pthread.h>\nint x;\n\
             void *f(void *a) { __CPROVER_atomic_begin(); x++; __CPROVER_atomic_end(); return 0; }\n\
             int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); __ESBMC_atomic_begin(); x++; \
             __ESBMC_atomic_end(); pthread_join(t, 0); assert(x == 2); }",
            &[],
            0,
            COMPLETE,
        ),
    ]);
}

#[test]
fn what_nothing_declares_is_an_error() {
    const TYPO: &str = "#include <assert.h>\nint main(void) { int x = 1;\n asert(x == 2); }";
    const NEAR: &[&str] = &["a.c:3:2: error: function `asert`", "did you mean `assert`?"];
    check(&[
        (TYPO, &[], 2, NEAR),
        (TYPO, &["--undeclared", "error"], 2, NEAR),
        (
            TYPO,
            &["--undeclared", "nondet"],
            0,
            &[
                "asert` has no body",
                "no body, any result: asert;",
                "(complete)",
            ],
        ),
        (
            TYPO,
            &["--undeclared", "nothing"],
            1,
            &["expected error or nondet"],
        ),
        // For every command.
        (TYPO, &["show", "--stage", "ir"], 2, NEAR),
        (
            TYPO,
            &["show", "--stage", "ir", "--undeclared", "nondet"],
            0,
            &["nondet"],
        ),
        (
            TYPO,
            &["sweep", "--unwind", "1", "--scheme", "order"],
            2,
            &["did you mean `assert`?"],
        ),
        (
            TYPO,
            &[
                "sweep",
                "--unwind",
                "1",
                "--scheme",
                "order",
                "--undeclared",
                "nondet",
            ],
            0,
            &["complete"],
        ),
        (
            "int main(void) { return __VERIFIER_nondet_itn(); }",
            &[],
            2,
            &["did you mean `__VERIFIER_nondet_int`?"],
        ),
        (
            "static int worker(void) { return 1; } int main(void) { return wroker() + worker(); }",
            &[],
            2,
            &["did you mean `worker`?"],
        ),
        // What nothing reaches does not matter, nor where a declaration stands.
        (
            "int f(void) { return g(); } int main(void) { return 0; }",
            &[],
            0,
            COMPLETE,
        ),
        (
            "int f(void) { return g(); } int main(void) { extern int g(); return f(); }",
            &[],
            0,
            &["`g` has no body"],
        ),
    ]);
}

#[test]
fn functions_without_a_body() {
    const USES: &str = "#include <assert.h>\nstruct dev; struct dev *find(int); int look(struct dev *, int *);\n\
         int main(void) { int x = 1; int r = look(find(3), &x); assert(x == 1); assert(r == r); }";
    const FREE: &str =
        "#include <assert.h>\nint look(void); int main(void) { assert(look() == look()); }";
    check(&[
        (
            USES,
            &[],
            5,
            &[
                "a call of `look`, which has no body and receives a pointer to memory of the program (see --extern), is not",
            ],
        ),
        (
            USES,
            &["--extern", "pure"],
            0,
            &["no body, any result: find, look", "(complete)"],
        ),
        (
            USES,
            &["--extern", "error"],
            2,
            &["a.c:3:42: error: `find` has no body"],
        ),
        (
            USES,
            &["--extern", "none"],
            1,
            &["expected nondet, pure or error"],
        ),
        (
            USES,
            &["show", "--stage", "ir", "--extern", "error"],
            2,
            &["`look` has no body"],
        ),
        (
            USES,
            &[
                "sweep", "--unwind", "1", "--scheme", "order", "--extern", "pure",
            ],
            0,
            &["complete"],
        ),
        (FREE, &[], 10, &["any result: look"]),
        (FREE, &["--extern", "pure"], 10, &["any result: look"]),
        // The last one counts.
        (
            FREE,
            &["--extern", "error", "--extern", "nondet"],
            10,
            &["any result: look"],
        ),
        // A structure without pointers is no way to memory.
        (
            "#include <assert.h>\nstruct p { int x, y; }; int look(struct p); int g;\n\
             int main(void) { struct p p = {1, 2}; look(p); assert(g == 0 && p.x == 1); }",
            &[],
            0,
            &["(complete)"],
        ),
    ]);
}

#[test]
fn what_real_programs_do() {
    check(&[
        (
            "#include <assert.h>\n#include <stdio.h>\n\
             int main(void) { FILE *f = fopen(\"x\", \"r\"); assert(stdin != stdout && stderr); stdin = f; assert(stdin == f); }",
            &[],
            0,
            COMPLETE,
        ),
        (
            "#include <assert.h>\n#include <sys/ioctl.h>\n\
             int main(void) { struct winsize w = {1, 2}; if (ioctl(0, TIOCGWINSZ, &w) < 0) return 1; assert(w.ws_row == 1); }",
            &[],
            10,
            &["assertion"],
        ),
        (
            "#include <assert.h>\n#include <sys/ioctl.h>\n\
             int main(void) { char b[9]; return ioctl(0, 7, b); }",
            &[],
            5,
            &["`ioctl` on memory of which the size is not known"],
        ),
        (
            "*d, *e; static *g, h; *f(void) { return d; }\n\
             int main(void) { int k = 4; d = &k; e = d; g = f(); h = *g; assert(h == 4 && *e == 4); }",
            &[],
            0,
            COMPLETE,
        ),
        (
            "#include <stdlib.h>\n#include <assert.h>\nint main(void) { int k = nondet_int(); void *p = aligned_alloc(k, 9);\n\
             assert(!aligned_alloc(3, 9) && !aligned_alloc(0, 9) && aligned_alloc(2, 9));\n\
             assert(k <= 0 || !p == ((k & (k - 1)) != 0)); }",
            &[],
            0,
            COMPLETE,
        ),
        (
            "#include <string.h>\n#include <assert.h>\nint main(void) { assert(strerror(3)); }",
            &[],
            0,
            COMPLETE,
        ),
        (
            "#include <unistd.h>\n#include <assert.h>\nint main(void) { assert(getpid() > 0); }",
            &[],
            0,
            COMPLETE,
        ),
    ]);
}

#[test]
fn members_of_a_mutex() {
    check(&[
        (
            "#include <pthread.h>\n#include <assert.h>\npthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;\n\
             int main(void) { assert(m.__data.__kind == PTHREAD_MUTEX_RECURSIVE);\n\
             assert(sizeof m.__data.__lock == 4 && sizeof m == (sizeof(long) == 8 ? 40 : 24)); }",
            &[],
            0,
            COMPLETE,
        ),
        (
            "#include <pthread.h>\n#include <assert.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
             int main(void) { pthread_mutex_lock(&m); assert(m.__data.__lock == 0); }",
            &[],
            5,
            &["an access of the state of a mutex (`__lock`) is not supported"],
        ),
        (
            "#include <pthread.h>\n#include <assert.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
             int main(void) { if (m.__data.__owner) assert(0); m.__data.__count = 0; }",
            &["--32"],
            5,
            &["an access of the state of a mutex (`__owner`) is not supported"],
        ),
    ]);
}

#[test]
fn functions_that_check_their_arguments() {
    const HEAD: &str =
        "#define __STDC_WANT_LIB_EXT1__ 1\n#include <string.h>\n#include <assert.h>\n";
    for (body, code) in [
        (
            "char a[4] = \"abc\", b[4] = \"xyz\"; assert(!memcpy_s(a, 4, b, 2) && a[0] == 'x' && a[1] == 'y' && a[2] == 'c');",
            0,
        ),
        (
            "char a[4] = \"abc\", b[9] = \"x\"; assert(memcpy_s(a, 4, b, 9) != 0 && a[0] == 0 && a[2] == 0);",
            0,
        ),
        (
            "char a[4] = \"abc\"; assert(memcpy_s(a, 4, 0, 1) && !a[0] && memcpy_s(0, 4, a, 1));",
            0,
        ),
        (
            "char a[6] = \"abcde\"; assert(memcpy_s(a, 4, a + 1, 3) && !a[0] && !a[3] && a[4] == 'e');",
            0,
        ),
        (
            "char a[6] = \"abcde\"; assert(!memmove_s(a, 6, a + 1, 3) && a[0] == 'b' && a[2] == 'd');",
            0,
        ),
        (
            "char a[4] = \"abc\"; assert(!memset_s(a, 4, 7, 2) && a[1] == 7 && a[2] == 'c' && memset_s(a, 2, 9, 3) && a[1] == 9 && a[2] == 'c');",
            0,
        ),
        (
            "char a[4]; assert(!strcpy_s(a, 4, \"abc\") && a[2] == 'c' && strcpy_s(a, 4, \"abcd\") && !a[0]);",
            0,
        ),
        (
            "char a[4] = {1, 1, 1, 1}; assert(!strcpy_s(a, 4, \"a\") && a[3] == 1);",
            10,
        ),
        (
            "char a[4]; assert(memcpy_s(a, 4, \"abcdefg\", 8) == 22);",
            10,
        ),
    ] {
        let text = format!("{HEAD}int main(void) {{ {body} }}");
        let folder = Folder::new(&[("a.c", &text)]);
        let run = folder.run(&["a.c", "--unwind", "12"]);
        let all = format!("{}{}", run.err, run.out);
        assert_eq!(run.code, Some(code), "{body}\n{all}");
        assert!(!all.contains("undefined"), "{body}\n{all}");
    }
}

/// A reason reads on: `… is not supported, at …`.
#[test]
fn reasons_are_no_sentences() {
    check(&[
        (
            "#include <math.h>\nint main(void) { int n; return remquo(2, 3, &n) == 8; }",
            &[],
            5,
            &["(`remquo`, which is no exact floating-point function, is not supported, at a.c:2)"],
        ),
        (
            "long double sqrtl(long double); int main(void) { return sqrtl(4) == 2; }",
            &[],
            5,
            &["`sqrtl`, floating-point arithmetic of type `long double`, is not supported"],
        ),
        (
            "int sqrt(int); int main(void) { return sqrt(4); }",
            &[],
            5,
            &["`sqrt`, declared otherwise than in the C library, is not supported"],
        ),
        (
            "int pthread_mutex_lock(); int main(void) { return pthread_mutex_lock(); }",
            &[],
            5,
            &["a call of `pthread_mutex_lock` with 0 arguments is not supported"],
        ),
    ]);
}
