//! Undefined behaviour ends an execution where it happens (C11 3.4.3, and what the semantics of this project lists):
//! what comes after it is not reached, the verdict is no longer complete, and the place is named. Where it cannot
//! happen nothing is said.

use crate::command::Folder;
use crate::oracle::on_a_deep_stack;
use selvedge::base::Budget;
use selvedge::ir::{DataModel, Undefined};
use selvedge::outcome::{Limit, Outcome, Verdict};
use selvedge::question::choice::ORDER;
use selvedge::scheme::Scheme;
use selvedge::source::{self, Source};
use selvedge::verify::{Engine, Request, verify};
use selvedge::{library, syntax};
use std::sync::Arc;

const PRELUDE: &str = "
typedef unsigned long size_t;
typedef struct { int __kind, __owner, __count; } pthread_mutex_t;
extern void reach_error(void), abort(void), *malloc(size_t), *calloc(size_t, size_t), free(void *);
extern void *realloc(void *, size_t), *memcpy(void *, const void *, size_t), *memset(void *, int, size_t);
extern char *strcpy(char *, const char *);
extern int __VERIFIER_nondet_int(void), pthread_mutex_lock(pthread_mutex_t *), pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_mutex_init(pthread_mutex_t *, const void *);
extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);
struct pair { char c; int i; };
struct __attribute__((packed)) tight { char c; int i; };
struct guarded { int value; pthread_mutex_t lock; };
static int global, array[4];
static const int fixed = 3;
static int *kept;
static void keep(void) { int local = 1; kept = &local; }
static int *grab(int n) { int *p = 0; if (n) { p = __builtin_alloca(4); *p = n; } return p; }
static int partial(int c) { if (c) return 1; }
static int noise(int x) { return x; }
static int both(int a, int b) { return b ? a : 0; }
static int old(a, b) int a, b; { return b ? a : 0; }
static void silent(int a) { global = a; }
static void *started(void *a, int b) { if (b) global = 1; return a; }
static void *variadic(void *a, ...) { return a; }
static void *plain() { global = 1; return 0; }
typedef void *routine(void *);
static long taken(int kind, ...) {
  __builtin_va_list list; __builtin_va_start(list, kind);
  switch (kind) {
  case 0: return __builtin_va_arg(list, unsigned);
  case 1: return __builtin_va_arg(list, long);
  case 2: return (long)__builtin_va_arg(list, double);
  case 3: return __builtin_va_arg(list, struct pair).i;
  case 4: return *__builtin_va_arg(list, const int *);
  }
  return __builtin_va_arg(list, struct tight).i;
}
";

/// Outcome of a run, and the line of its first undefined place in the body (from 1).
fn outcome(body: &str, scheme: Scheme) -> (Outcome, Option<u32>) {
    let before = format!("{PRELUDE}int main(void) {{ int c = __VERIFIER_nondet_int();");
    let text = format!("{before}\n{body}\n return 0; }}\n");
    let source = Source::from_text("undefined.c", text.as_str());
    let unit = syntax::parse(&source).unwrap_or_else(|e| panic!("{}", source::render(&source, &e)));
    let program = library::read(
        &[selvedge::ir::lower::Unit::alone(&unit)],
        DataModel::Lp64,
        &library::Options::default(),
    )
    .unwrap_or_else(|all| panic!("{}", source::render(&source, &all[0])));
    let request = Request {
        engine: Engine::Scheme(scheme),
        ..Request::assertions()
    };
    let verified = verify(
        &Arc::new(program),
        None,
        &request,
        &Budget::unlimited(),
        &mut |_| (),
    )
    .unwrap();
    let first = verified.outcome.coverage.undefined.first();
    let line = first.and_then(|(_, loc)| source.position(*loc));
    let start = before.lines().count() as u32;
    (
        verified.outcome,
        line.map(|place| place.line.saturating_sub(start)),
    )
}

/// The statement in line 2 of the body may be undefined; what follows it is an error that only executions reach for
/// which it is.
fn check(kind: Undefined, prepare: &str, statement: &str) {
    check_at(kind, prepare, statement, 2);
}

/// The same, where the undefined place is in another line: 0, if it is in a function that the statement calls.
fn check_at(kind: Undefined, prepare: &str, statement: &str, place: u32) {
    let body = |guard: &str| format!("if ({guard}) {{ {prepare}\n{statement}\nreach_error(); }}");
    on_a_deep_stack(|| {
        for scheme in Scheme::all() {
            let (found, line) = outcome(&body("1"), scheme);
            let what = format!("{statement} {scheme:?}: {:?}", found.verdict);
            let Verdict::Successful { limits } = &found.verdict else {
                panic!("{what}");
            };
            assert!(
                limits
                    .iter()
                    .any(|limit| matches!(limit, Limit::Undefined(_))),
                "{what}"
            );
            assert_eq!(found.coverage.undefined[0].0, kind, "{what}");
            assert_eq!(line, Some(place), "{what}");
            let (found, _) = outcome(&body("c > 5 && c < 3"), scheme);
            let what = format!("unreachable: {statement} {scheme:?}: {:?}", found.verdict);
            assert!(found.coverage.undefined.is_empty(), "{what}");
            assert!(
                matches!(&found.verdict, Verdict::Successful { limits } if limits.is_empty()),
                "{what}"
            );
        }
    });
}

/// Nothing is undefined in this statement: the error behind it is found, and without the error nothing was cut.
fn defined(prepare: &str, statement: &str) {
    on_a_deep_stack(|| {
        let body = format!("{prepare}\n{statement}\n");
        let (found, _) = outcome(&format!("{body} reach_error();"), ORDER);
        let failed = matches!(found.verdict, Verdict::Failed);
        assert!(failed, "{statement}: {:?}", found.verdict);
        let (found, _) = outcome(&body, ORDER);
        assert!(
            matches!(&found.verdict, Verdict::Successful { limits } if limits.is_empty()),
            "{statement}: {:?} {:?}",
            found.verdict,
            found.coverage.undefined
        );
    });
}

#[test]
fn null_and_wild_pointers() {
    let kind = Undefined::InvalidAccess;
    check(kind, "int *p = 0;", "*p = 1;");
    check(kind, "struct pair *p = 0;", "c = p->i;");
    check(
        kind,
        "int *p = c & 1 ? &global : 0; if (!(c & 1))",
        "c = *p; else abort();",
    );
    check(kind, "int *p = (int *)(long)c;", "*p = 1;");
    check(kind, "void (*f)(void) = 0;", "f();");
    check(kind, "void (*f)(void) = (void (*)(void))&global;", "f();");
    defined("int *p = (int *)(long)&global;", "*p = 1;");
}

#[test]
fn dangling_pointers() {
    let kind = Undefined::InvalidAccess;
    check(kind, "int *p = malloc(4); free(p);", "*p = 1;");
    check(kind, "int *p = malloc(4), *q = p; free(q);", "c = *p;");
    check(kind, "int *p; { int x = c; p = &x; }", "c = *p;");
    check(kind, "keep();", "c = *kept;");
    check(kind, "int *p = grab(1);", "c = *p;");
    defined("", "if (grab(0)) abort();");
    check(
        kind,
        "int *p = malloc(4), *q = realloc(p, 8);",
        "*p = q != 0;",
    );
    defined("int *p = malloc(4); int *q = p;", "*q = 1; free(p);");
}

#[test]
fn accesses_outside_of_objects() {
    let kind = Undefined::InvalidAccess;
    check(kind, "if (c < 4 || c > 5) abort();", "array[c] = 1;");
    check(kind, "if (c > -1 || c < -3) abort();", "c = array[c];");
    check(
        kind,
        "int *p = malloc(12); if (c < 3 || c > 9) abort();",
        "p[c] = 1;",
    );
    check(kind, "size_t n = c & 7; char *p = malloc(n);", "p[n] = 1;");
    check(kind, "char *p = (char *)&global;", "*(long *)p = 1;");
    check(kind, "struct pair p, *q = &p;", "c = q[1].c;");
    check(kind, "char b[4];", "strcpy(b, \"long\");");
    check(
        kind,
        "char b[4]; size_t n = 5 + (c & 3);",
        "memset(b, 0, n);",
    );
    check(kind, "char b[4];", "memcpy(b, array, 6);");
    check(
        Undefined::PointerRange,
        "char *p = (char *)array;",
        "p = p + (1l << 50);",
    );
    defined("if (c < 0 || c > 3) abort();", "array[c] = 1;");
    defined("int *p = array + 4;", "c = p[-1] + (p == array + 4);");
}

#[test]
fn misaligned_accesses() {
    let kind = Undefined::InvalidAccess;
    check(kind, "char b[8];", "*(int *)(b + 1) = 1;");
    check(
        kind,
        "char *b = malloc(16); if (!(c & 3)) abort();",
        "c = *(int *)(b + (c & 7));",
    );
    check(kind, "struct tight t; int *p = &t.i;", "*p = 1;");
    check(
        kind,
        "char *b = malloc(16); struct pair *p = (struct pair *)(b + 2);",
        "p->i = 1;",
    );
    check(
        kind,
        "char *b = malloc(16);",
        "__atomic_fetch_add((int *)(b + 2), 1, 5);",
    );
    defined("char *b = malloc(16);", "*(int *)(b + 4 * (c & 3)) = 1;");
    defined(
        "char b[9]; struct tight *p = (struct tight *)(b + 1);",
        "p->i = 1; p->c = p->i;",
    );
    defined(
        "char b[9]; typedef int any __attribute__((aligned(1)));",
        "*(any *)(b + 3) = 1;",
    );
    defined(
        "struct tight t[2]; t[1].i = 1;",
        "struct tight u = t[1]; t[0] = u; c = t[0].i;",
    );
}

#[test]
fn divisions() {
    let (zero, overflow) = (Undefined::DivisionByZero, Undefined::DivisionOverflow);
    let least = "if (c != -2147483647 - 1) abort(); int m = -1;";
    check(zero, "int z = c & 4; if (z) abort();", "c = 10 / z;");
    check(zero, "int z = c & 4; if (z) abort();", "c = 10 % z;");
    check(zero, "unsigned long z = 0;", "c /= z;");
    check(zero, "_Bool z = 0;", "c = c % z;");
    check(overflow, least, "c = c / m;");
    check(overflow, least, "c = c % m;");
    check(overflow, least, "c /= m;");
    check(
        overflow,
        "long l = (-1l << 63) + c; if (c) abort();",
        "l = l / ~c;",
    );
    defined("unsigned u = 0x80000000u;", "c = u / -1;");
    defined("long l = -2147483648l;", "l = l / -1;");
    defined("if (c == 0 || c == -1) abort();", "c = 7 / c + -7 % c;");
}

#[test]
fn shifts() {
    let kind = Undefined::ShiftRange;
    check(kind, "if (c < 32) abort();", "c = 1 << c;");
    check(kind, "if (c >= 0) abort();", "c = 1 >> c;");
    check(kind, "long s = 64;", "c = 1l << s;");
    check(kind, "if (c < 32) abort();", "c <<= c;");
    check(kind, "char s = 32;", "c = (unsigned char)1 << s;");
    defined(
        "int s = c & 31;",
        "c = ((char)1 << s) + (-1 << s) + (-9 >> s);",
    );
    defined("int s = 63;", "c = (int)(1l << s >> s);");
}

#[test]
fn conversions_of_numbers() {
    let kind = Undefined::FloatRange;
    check(
        kind,
        "if (c < 128) abort(); double d = c;",
        "c = (signed char)d;",
    );
    check(
        kind,
        "if (c >= 0) abort(); double d = c;",
        "c = (unsigned)d;",
    );
    check(kind, "float f = c; f = f / 0.0f;", "c = f;");
    check(
        kind,
        "double d = c | 1; d *= 1e19;",
        "long l = d; c = l != 0;",
    );
    check(kind, "volatile float f = 2147483648.0f;", "c = f;");
    check(
        kind,
        "if (c < 1) abort(); float f = c; f += 2147483647;",
        "c = f;",
    );
    defined("double d = c;", "c = d;");
    defined("double d = c & 255;", "c = (unsigned char)(d + 0.99);");
    defined("double d = -(c & 127) - 0.99;", "c = (signed char)d;");
    defined("double d = c & 1; d = d / 0.0;", "c = (_Bool)d;");
    defined(
        "float f = c; if (!(f > -1 && f < 0x1p32f)) abort();",
        "c = (unsigned)f != 0;",
    );
}

#[test]
fn ends_of_objects() {
    let kind = Undefined::InvalidFree;
    check(kind, "int *p = malloc(4); free(p);", "free(p);");
    check(kind, "", "free(&global);");
    check(kind, "int x;", "free(&x);");
    check(kind, "int *p = malloc(8);", "free(p + 1);");
    check(kind, "int *p = malloc(8); free(p);", "p = realloc(p, 9);");
    check(kind, "int *p = array;", "p = realloc(p, 9);");
    defined("int *p = 0; free(p); p = calloc(1, 4);", "free(p);");
}

#[test]
fn constants_are_not_written() {
    let kind = Undefined::ReadOnly;
    check(kind, "", "*(int *)&fixed = 1;");
    check(kind, "char *p = \"text\";", "p[c & 3] = 0;");
    defined("const char *p = \"text\";", "c = p[c & 3] + fixed;");
}

#[test]
fn missing_results_and_unreachable_code() {
    let kind = Undefined::BuiltinUnreachable;
    check(kind, "", "__builtin_unreachable();");
    defined("", "partial(0);");
    defined("", "c = partial(1) + noise(0);");
}

#[test]
fn calls_that_do_not_fit() {
    let kind = Undefined::Call;
    check(kind, "", "c = old(1);");
    check(kind, "int (*f)(int) = (int (*)(int))both;", "c = f(1);");
    check(kind, "int (*f)(int) = (int (*)(int))silent;", "c = f(1);");
    let either = "int (*f)(int) = c & 1 ? noise : (int (*)(int))both; if (c & 1) abort();";
    check(kind, either, "c = f(1);");
    let id = "unsigned long t;";
    let start = |function: &str| format!("pthread_create(&t, 0, (routine *){function}, 0);");
    check(kind, id, &start("started"));
    check(kind, id, &start("variadic"));
    check(kind, id, &start("taken"));
    let any =
        "unsigned long t; routine *f = c & 1 ? plain : (routine *)started; if (c & 1) abort();";
    check(kind, any, &start("f"));
    // More arguments than parameters do no harm.
    let more = "int (*f)(int, int) = (int (*)(int, int))noise;";
    defined(more, "if (f(1, 2) != 1) abort();");
    let started = format!("{id} {}", start("plain"));
    defined(&started, "pthread_join(t, 0); if (global != 1) abort();");
}

#[test]
fn variable_arguments_of_other_types() {
    let kind = Undefined::VariableArgument;
    let pair = "struct pair p = { 1, 2 }; struct tight t = { 1, 2 };";
    for call in [
        "taken(0, 1l);",
        "taken(0, 1.0);",
        "taken(1, 1);",
        "taken(1, 1.0f);",
        "taken(2, 1l);",
        "taken(3, p.i);",
        "taken(3, t);",
        "taken(5, p);",
        "taken(4, 1);",
    ] {
        check_at(kind, pair, call, 0);
    }
    for call in [
        "taken(0, -1);",
        "taken(0, (short)1);",
        "taken(1, 1ull);",
        "taken(1, (void *)&global);",
        "taken(2, 1.0f);",
        "taken(3, p, 1);",
        "taken(4, &global);",
        "taken(5, t);",
    ] {
        defined(pair, call);
    }
    check_at(Undefined::InvalidAccess, "", "taken(0);", 0);
}

#[test]
fn indeterminate_mutexes() {
    let kind = Undefined::IndeterminateMutex;
    check(
        kind,
        "pthread_mutex_t m; int k = m.__kind; if (k >= 0 && k < 4) abort();",
        "pthread_mutex_lock(&m);",
    );
    let unset = "struct guarded *g = malloc(sizeof *g); int k = g->lock.__kind; if (k >= 0 && k < 4) abort();";
    check(kind, unset, "pthread_mutex_lock(&g->lock);");
    check(kind, unset, "pthread_mutex_unlock(&g->lock);");
    let of_heap =
        "struct guarded *g = malloc(sizeof *g); void *m = &g->lock; pthread_mutex_init(m, 0);";
    defined(
        of_heap,
        "pthread_mutex_lock(&g->lock); pthread_mutex_unlock(m);",
    );
    defined(
        "static pthread_mutex_t m;",
        "pthread_mutex_t *p = &m; pthread_mutex_lock(p);",
    );
    defined("pthread_mutex_t m = { 0 };", "pthread_mutex_lock(&m);");
    defined(
        "struct guarded *g = calloc(2, sizeof *g);",
        "pthread_mutex_lock(&g[1].lock);",
    );
    defined(
        "struct guarded g; memset(&g, 0, sizeof g);",
        "pthread_mutex_lock(&g.lock);",
    );
}

/// Written as an assumption, it makes an answer bounded, which says where and why.
#[test]
fn an_assumption_by_unreachable_code_is_named() {
    let text = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n\
        int n = __VERIFIER_nondet_int();\nif (n < 0 || n > 9)\n__builtin_unreachable();\nassert(n * n < 100);\n}\n";
    let folder = Folder::new(&[("range.c", text)]);
    let run = folder.run(&["range.c", "--json", "o.json"]);
    run.ends(
        0,
        "VERIFICATION SUCCESSFUL (bounded: undefined behaviour at range.c:6)",
    );
    let covered = "; __builtin_unreachable() reached at range.c:6: execution cut there";
    assert!(run.out.contains(covered), "{}", run.out);
    let modular = folder.run(&["range.c", "--scheme", "modular"]);
    modular.ends(
        0,
        "VERIFICATION SUCCESSFUL (bounded: undefined behaviour at range.c:6)",
    );
    assert!(modular.out.contains(covered), "{}", modular.out);
    let json = std::fs::read_to_string(folder.path("o.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["limits"][0], "undefined behaviour at range.c:6");
}
