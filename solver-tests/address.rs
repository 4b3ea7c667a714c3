//! Observations of machine addresses that a program can make, by the enumeration of executions: what must be possible,
//! and what cannot be.

use crate::oracle::on_a_deep_stack;
use crate::tier::programs;
use crate::{generate, oracle};
use selvedge::base::budget::Budget;
use selvedge::event::MemoryModel;
use selvedge::ir::{self, DataModel};
use selvedge::source::{self, Source};
use selvedge::symex::{self, Unroller};
use selvedge::trace::enumerate::{Exploration, Limits, enumerate};
use selvedge::trace::interpret::Bounds;
use selvedge::{library, syntax};

const PRELUDE: &str = "
typedef unsigned long uintptr_t;
typedef unsigned long size_t;
typedef unsigned long pthread_t;
extern void reach_error(void), abort(void), *malloc(size_t), *calloc(size_t, size_t), free(void *);
extern void *realloc(void *, size_t), *aligned_alloc(size_t, size_t), *memcpy(void *, const void *, size_t);
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *), pthread_join(pthread_t, void **);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static char c1, c2;
static int a, b;
static long l1, l2;
struct node { int value; struct node *next; };
static struct node n1, n2;
static uintptr_t kept;
static int done;
static void f1(void) {}
static void f2(void) {}
";

/// A program with this code before `main` and in it.
fn program(model: DataModel, before: &str, body: &str) -> ir::Program {
    let wide = match model {
        DataModel::Lp64 => "typedef unsigned __int128 wide;",
        DataModel::Ilp32 => "typedef unsigned long long wide;",
    };
    let text = format!("{PRELUDE}{wide}\n{before}\nint main(void) {{ {body}\n return 0; }}\n");
    let source = Source::from_text("address.c", text.as_str());
    let unit = syntax::parse(&source).unwrap_or_else(|e| panic!("{}", source::render(&source, &e)));
    library::read(
        &[selvedge::ir::lower::Unit::alone(&unit)],
        model,
        &library::Options::default(),
    )
    .unwrap_or_else(|all| panic!("{}", source::render(&source, &all[0])))
}

/// All executions of a program with this code before `main` and in it.
fn explored(model: DataModel, before: &str, body: &str) -> Exploration {
    let program = program(model, before, body);
    let bounds = Bounds {
        unwind: Some(8),
        memory: MemoryModel::Sc,
        ..Bounds::default()
    };
    let found = enumerate(&program, bounds, &Limits::default()).expect("small objects");
    assert!(!found.gave_up, "{before} {body}");
    found
}

/// Need of machine addresses: true if symbolic execution of this code asks for them.
fn observes(body: &str) -> bool {
    let program = program(DataModel::Lp64, "static int row[4], other;", body);
    let mut unroller = Unroller::new(&program).expect("a small program");
    let bounds = symex::Bounds::default();
    let events = unroller.unroll(&bounds, &Budget::unlimited());
    !events.expect("a small program").bases.is_empty()
}

const BOTH: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

/// Possibility of a condition: true if it holds in some execution; nothing else happens.
fn can(model: DataModel, before: &str, body: &str, condition: &str) -> bool {
    let found = explored(
        model,
        before,
        &format!("{body} if ({condition}) reach_error();"),
    );
    assert!(
        found.cuts.is_empty(),
        "{body} {condition}: {:?}",
        found.cuts
    );
    !found.violations.is_empty()
}

/// Under each data model: what can hold after this code, and what cannot.
fn check(body: &str, possible: &[&str], impossible: &[&str]) {
    check_for(&BOTH, "", body, possible, impossible);
}

fn check_for(
    models: &[DataModel],
    before: &str,
    body: &str,
    possible: &[&str],
    impossible: &[&str],
) {
    on_a_deep_stack(|| {
        for &model in models {
            for condition in possible {
                assert!(
                    can(model, before, body, condition),
                    "{model:?} {body} never: {condition}"
                );
            }
            for condition in impossible {
                assert!(
                    !can(model, before, body, condition),
                    "{model:?} {body}: {condition}"
                );
            }
        }
    });
}

#[test]
fn realloc_leaves_what_it_moves_or_takes_another_place() {
    check(
        "char *p = malloc(8), *q; uintptr_t u = (uintptr_t)p, v; q = realloc(p, 16); v = (uintptr_t)q;",
        &["u == v", "u != v", "p == q"],
        &["u < v && v < u + 8", "v < u && u < v + 16"],
    );
    check(
        "char *p = malloc(8), *o = malloc(16), *q = realloc(p, 16); uintptr_t u = (uintptr_t)o, v = (uintptr_t)q;",
        &["u + 16 == v", "v + 16 == u"],
        &["u == v", "u < v + 16 && v < u + 16"],
    );
}

#[test]
fn storage_that_was_freed_may_come_back() {
    check(
        "int *p = malloc(4); free(p); int *q = malloc(4);",
        &[
            "p == q",
            "p != q",
            "(uintptr_t)p > (uintptr_t)q",
            "(uintptr_t)p < (uintptr_t)q",
        ],
        &["!q", "(uintptr_t)q & 15"],
    );
    check(
        "int *p = malloc(4); uintptr_t u = (uintptr_t)p; free(p); int *q = malloc(4);",
        &[
            "u == (uintptr_t)q",
            "u + 1 == (uintptr_t)q + 1",
            "u != (uintptr_t)q",
            "u * 3 == (uintptr_t)q * 3",
        ],
        &[],
    );
    // A block that begins elsewhere in the storage of another.
    check(
        "char *p = malloc(64); free(p); char *q = malloc(4), *r = malloc(4);",
        &["p == q", "p == r"],
        &["p == q && p == r", "q == r"],
    );
    check(
        "int *p = malloc(4), *q = malloc(4); free(p); int *r = malloc(4);",
        &["r == p", "r != p"],
        &["r == q", "p == q"],
    );
}

#[test]
fn objects_that_live_are_apart() {
    check(
        "int *p = malloc(4), *q = malloc(4);",
        &[
            "(uintptr_t)p < (uintptr_t)q",
            "(uintptr_t)q < (uintptr_t)p",
            "(uintptr_t)p > (uintptr_t)q",
        ],
        &[
            "p == q",
            "(uintptr_t)p == (uintptr_t)q",
            "(uintptr_t)p * 2 == (uintptr_t)q * 2",
        ],
    );
    check(
        "",
        &[
            "&a < &b",
            "&b < &a",
            "&a + 1 == &b",
            "&b + 1 == &a",
            "(uintptr_t)&a + 4 == (uintptr_t)&b",
            "(uintptr_t)&c1 - 1 == (uintptr_t)&c2",
            "(uintptr_t)f1 < (uintptr_t)f2",
            "(uintptr_t)&a & 4",
            "(uintptr_t)&c1 & 1",
            "(uintptr_t)f1 & 1",
        ],
        &[
            "&a == &b",
            "(char *)&a + 1 == (char *)&b",
            "(uintptr_t)&a & 3",
            "f1 == f2",
            "!(uintptr_t)&a",
        ],
    );
    check(
        "int x, y; { int z; } int *p = &x; uintptr_t u = (uintptr_t)p, v = (uintptr_t)&y;",
        &["u < v", "v < u", "u + 4 == v"],
        &["u == v", "u % 4", "u < 4096"],
    );
}

#[test]
fn alignment_is_as_asked_and_no_better() {
    check(
        "uintptr_t u = (uintptr_t)malloc(64);",
        &[
            "u & 63",
            "!(u & 63)",
            "u & 16",
            "(u >> 4) & 1",
            "!((u >> 4) & 1)",
        ],
        &["u & 15", "u == 0"],
    );
    check(
        "uintptr_t u = (uintptr_t)aligned_alloc(64, 64);",
        &["u & 64", "!(u & 64)"],
        &["u & 63"],
    );
    check(
        "",
        &["(uintptr_t)&l1 & sizeof l1"],
        &["(uintptr_t)&l1 & (sizeof l1 - 1)"],
    );
}

#[test]
fn halves_of_addresses() {
    let lp64 = &BOTH[..1];
    check_for(
        lp64,
        "",
        "int *p = malloc(4), *q = malloc(4);",
        &[
            "!(int)(long)p",
            "(int)(long)p",
            "(int)(long)p == (int)(long)q",
            "(unsigned)(uintptr_t)p > (unsigned)(uintptr_t)q",
        ],
        &["(uintptr_t)p >> 47", "(long)p < 0"],
    );
    check_for(
        lp64,
        "",
        "int *p = malloc(4); *p = 7; uintptr_t u = (uintptr_t)p & 0xFFFFFFFFFFFF, t = (uintptr_t)p | (5ul << 48); int *q = (int *)(t & 0xFFFFFFFFFFFF);",
        &[
            "*(int *)u == 7",
            "(t >> 48) == 5",
            "*q == 7",
            "q == p",
            "u == (uintptr_t)p",
        ],
        &["u != (uintptr_t)p", "q != p", "*q != 7", "*(int *)u != 7"],
    );
    check_for(
        lp64,
        "struct tagged { uintptr_t at : 48, tag : 16; };",
        "int *p = malloc(4); *p = 7; struct tagged t; t.at = (uintptr_t)p; t.tag = 9; int *q = (int *)(uintptr_t)t.at;",
        &["*q == 7 && t.tag == 9"],
        &["*q != 7", "q != p", "t.tag != 9"],
    );
}

#[test]
fn tags_and_parts_lead_back() {
    check(
        "int *p = malloc(4); *p = 7; uintptr_t u = (uintptr_t)p | 1; int *q = (int *)(u & ~1ul); int *r = (int *)(u ^ 1);",
        &["u & 1", "*q == 7 && *r == 7"],
        &["!(u & 1)", "q != p", "*q != 7", "*r != 7"],
    );
    check(
        "a = 1; b = 2; uintptr_t x = (uintptr_t)&a ^ (uintptr_t)&b; int *q = (int *)(x ^ (uintptr_t)&a);",
        &["*q == 2", "q == &b"],
        &["*q != 2", "q != &b", "!x"],
    );
    check(
        "a = 1; b = 2; uintptr_t d = (uintptr_t)&b - (uintptr_t)&a; int *q = (int *)((uintptr_t)&a + d);",
        &["*q == 2", "d == 4", "d == -4ul"],
        &["*q != 2", "!d"],
    );
    check(
        "n1.value = 3; struct node **f = &n1.next; struct node *n = (struct node *)((uintptr_t)f - (uintptr_t)&((struct node *)0)->next);",
        &["n->value == 3", "n == &n1"],
        &["n->value != 3", "n != &n1"],
    );
    check(
        "int *p = malloc(4); *p = 7; uintptr_t u = (uintptr_t)p ^ 0x55555000; int *q = (int *)(u ^ 0x55555000);",
        &["*q == 7"],
        &["*q != 7"],
    );
    check(
        "int *p = malloc(4), *q = 0; *p = 7; for (int i = 0; i < sizeof p; i++) ((char *)&q)[i] = ((char *)&p)[i];",
        &["*q == 7", "p == q"],
        &["*q != 7", "p != q"],
    );
    check(
        "int *p = malloc(4), *q = p; *p = 7; ((unsigned char *)&q)[0] ^= 1; ((unsigned char *)&q)[0] ^= 1;",
        &["*q == 7"],
        &["p != q"],
    );
    check(
        "int *p = malloc(4); *p = 7; wide w = (wide)(uintptr_t)p | (wide)6 << 8 * sizeof p; int *q = (int *)(uintptr_t)w;",
        &["*q == 7 && w >> 8 * sizeof p == 6"],
        &[
            "q != p",
            "*q != 7",
            "w >> 8 * sizeof p != 6",
            "w == (wide)(uintptr_t)p",
        ],
    );
    check(
        "struct node *p = &n1; uintptr_t u = (uintptr_t)&n1.next; p->value = 4;",
        &["u - (uintptr_t)p == sizeof p"],
        &["u - (uintptr_t)p != sizeof p", "u <= (uintptr_t)p"],
    );
}

#[test]
fn a_kept_number_names_what_is_there_now() {
    check_for(
        &BOTH,
        "",
        "int *p = malloc(4); uintptr_t u = ~(uintptr_t)p; free(p); int *q = malloc(4); *q = 8; __VERIFIER_assume(~(uintptr_t)q == u); int *r = (int *)~u;",
        &["*r == 8"],
        &["*r != 8"],
    );
}

#[test]
fn random_programs_look_at_addresses() {
    on_a_deep_stack(|| {
        let (mut observed, mut violated) = (0, 0);
        let count = programs(40);
        for seed in 0..count {
            let text = generate::address::generate(seed).render();
            let program = oracle::read(&text).unwrap_or_else(|fault| panic!("{fault:?}\n{text}"));
            let found = oracle::explore(&program, MemoryModel::Sc, false);
            let Some(found) = found.unwrap_or_else(|fault| panic!("{fault:?}\n{text}")) else {
                continue;
            };
            observed += u64::from(found.observed);
            violated += u64::from(!found.violations.is_empty());
        }
        assert!(10 * observed >= 4 * count, "{observed} of {count}");
        assert!(
            (2..8).contains(&(10 * violated / count)),
            "{violated} of {count}"
        );
    });
}

#[test]
fn what_was_accessed_is_inside() {
    let start = "int j = __VERIFIER_nondet_int(); int *p = row + j; if (j < 0 || j > 4) return 0;";
    for (body, expected) in [
        ("if (p == &other) reach_error();", true),
        ("*p = 1; if (p == &other) reach_error();", false),
        ("int k = *p; if (p == &other) reach_error();", false),
        ("if (a) *p = 1; if (p == &other) reach_error();", true),
        (
            "if (a) *p = 1; else *p = 2; if (p == &other) reach_error();",
            false,
        ),
        ("p[-1] = 1; if (p == &other) reach_error();", true),
        ("*p = 1; if (p + 1 == &other) reach_error();", true),
        ("*p = 1; p += 1; if (p == &other) reach_error();", true),
    ] {
        assert_eq!(observes(&format!("{start} {body}")), expected, "{body}");
    }
}
