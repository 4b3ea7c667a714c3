//! The dialect: every form is read, keeps its place, or is refused with a reason.

use super::*;

fn read(text: &str) -> Result<TranslationUnit, Diagnostic> {
    parse(&Source::from_text("t.i", text))
}

/// The text that the parser is given, without spaces.
fn rewritten(text: &str) -> String {
    let mut tokens = token::tokens(text).unwrap();
    dialect::rewrite(&mut tokens, &[]).unwrap();
    print::print(&tokens).0.split_whitespace().collect()
}

#[test]
fn accepted() {
    for text in [
        "__thread int x; static __thread long y;",
        "int f(int *p) { __auto_type x = p[0] + 1; return x; }",
        "int f(int x) { switch (x) { case 1: x = 2; __attribute__((fallthrough)); default: ; } return x; }",
        "int f(void) { __label__ a; a: return 0; }",
        "__int128 a; unsigned __int128 b; __int128 unsigned c; __uint128_t d;",
        "int f(int a, int b) { return a ?: b; }",
        "int f(int a, int b) { int c = g(a) ?: b ?: h(1, 2); return c; } int z = 1 ?: 2;",
        "int x; int y = __alignof__(x); int z = __alignof__(struct s *);",
        "typedef int T; typeof(T *) p; int y = __alignof__(T *const), z = sizeof(typeof(T (*)(int)));",
        "__int128 (*row)[3]; int f(unsigned __int128 (*g)(__int128), __int128 (*row)[3]);",
        "char *s = \"\\e[0m\\u00e9\";",
        "asm(\".globl x\"); int x; __asm__ volatile (\"nop\"); int y;",
        "_Static_assert(sizeof(int) == 4); _Static_assert(1, \"m\");",
        "[[nodiscard]] int f(void) { [[maybe_unused]] int x = 0; return x; }",
        "struct s { int a; }; void f(struct s *p) { *p = (struct s){}; g((struct s){}); }",
        "int f(void) { return __builtin_types_compatible_p(int, unsigned int (*)(int, int)); }",
        "int x; typeof_unqual(x) y; typedef float _Float32; typedef __float128 t;",
        "int a$b; int f$(int x$) { return a$b + x$; } int å, \\u00e5b;",
        "int f(int x) { if (x) goto end; x = 1; end: }",
        "int f(int x) { if (x) goto end; x = 1; end: int y = x; return y; }",
        "void f(void) __attribute__((noreturn, cold)); int g(int x __attribute__((unused))) { return 0; }",
        "struct __attribute__ ( (packed)) s { char c; int i __attribute__((aligned(8))); };",
        "extern int f(int) __asm__(\"g\"); int h(void) { asm volatile(\"\" ::: \"memory\"); return 0; }",
        "int f(int x) { return ({ int y = x; y + 1; }) + sizeof(struct { int a; }); }",
        "/* c */ int x; // c\n# 1 \"a\"\n#pragma once\nint y;",
        "int a[4] = { [0 ... 2] = 1, [3] = 2 }; struct s { int x, y; } s = { .x = 1, y: 2 };",
        "typedef int T; void f(void) { T T = 0; T++; } T x;",
    ] {
        if let Err(error) = read(text) {
            panic!("{text}\n{error:?}");
        }
    }
}

#[test]
fn refused() {
    for (text, at, message) in [
        (
            "int f(void) { int g(int x) { return x; } return g(1); }",
            27,
            "nested functions are not supported",
        ),
        (
            "int f(void *p) { goto *p; }",
            17,
            "computed gotos are not supported",
        ),
        (
            "int f(void) { void *p = &&l; l: return 0; }",
            24,
            "addresses of labels are not supported",
        ),
        ("int x = (1;", 8, "this `(` is never closed"),
        ("int x = 1);", 9, "`)` without `(`"),
        ("int f(void) { return 1 }", 23, "expected `;` before `}`"),
        ("int foo bar;", 8, "expected `;` before `bar`"),
        ("int x; size_t n;", 7, "`size_t` is not declared as a type"),
        (
            "int f(int a) { return a +; }",
            25,
            "expected an expression before `;`",
        ),
        ("int f(int a) { if (a 1) ; }", 21, "expected `)` before `1`"),
        ("int f(int a) { else a = 1; }", 15, "`else` without an `if`"),
        ("struct s { int a", 9, "this `{` is never closed"),
        ("  /* nothing */ ", 0, "the program is empty"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.message.starts_with(message), "{text}: {error:?}");
        assert_eq!(error.loc, Loc(at), "{text}: {error:?}");
    }
}

#[test]
fn operands_of_a_missing_middle() {
    assert_eq!(
        rewritten("int f(int a) { x = a || g(a, 1) ?: 2 ?: b, 3; }"),
        "intf(inta){x=__builtin_selvedge_or(a||g(a,1),__builtin_selvedge_or(2,b)),3;}"
    );
}

#[test]
fn places_survive_rewriting() {
    let text = "__thread int x; __thread int y; int z = ;";
    let source = Source::from_text("t.i", text);
    let error = parse(&source).unwrap_err();
    assert_eq!(
        source.position(error.loc).unwrap().column as usize,
        text.rfind(';').unwrap() + 1
    );
}

#[test]
fn deep_nesting() {
    let most = nesting::MAX_DEPTH - 5;
    for (open, close) in [
        ("(", ")"),
        ("(int)(", ")"),
        ("-(", ")"),
        ("f(", ")"),
        ("a[", "]"),
    ] {
        let text = format!(
            "int f(int a) {{ return {}1{}; }}",
            open.repeat(most),
            close.repeat(most)
        );
        read(&text).unwrap();
    }
    read(&format!(
        "void f(void) {}{}",
        "{".repeat(most),
        "}".repeat(most)
    ))
    .unwrap();
    read(&format!(
        "void f(int a) {{ {} ; }}",
        "if (a) ; else ".repeat(1_000)
    ))
    .unwrap();
    let deep = format!("int x = {}1{};", "(".repeat(10_000), ")".repeat(10_000));
    assert!(
        read(&deep)
            .unwrap_err()
            .message
            .contains("nested more than")
    );
    let unary = format!("int x = {}1;", "- ".repeat(10_000));
    assert!(
        read(&unary)
            .unwrap_err()
            .message
            .contains("nested more than")
    );
    let chain = format!("int x = 1{};", " + 1".repeat(5_000));
    read(&chain).unwrap();
}

#[test]
fn each_function_has_its_error() {
    let text = "int f(void) { return 1 }\nint g(void) { return 1; }\nint h(void) { return (1 2); }\nint x = 3 4;";
    let source = Source::from_text("t.i", text);
    let found = parse_all(&source).unwrap_err();
    let lines: Vec<u32> = found
        .iter()
        .map(|d| source.position(d.loc).unwrap().line)
        .collect();
    assert_eq!(lines, [1, 3, 4]);
}
