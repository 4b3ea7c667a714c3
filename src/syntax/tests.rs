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
        "thread_local int x; static thread_local long y; bool f(bool b) { return !b && true; } int *p = nullptr;",
        "typedef enum { false, true } bool; bool f(void) { return true; }",
        "typedef enum __attribute__((packed)) { false, true } bool; struct s { int bool; };",
        "typedef int bool, *pbool; int true = 1; const int false = 0; int f(int constexpr) { return constexpr; }",
        "constexpr int n = 3; static constexpr long m = 1; int f(void) { constexpr int k = n; return k; }",
        "typedef int T; int f(int x) { switch (x) { case 1 + 1: T y = 2; T *p = &y; default: T z; } l: T *q = 0; return *q; }",
        "int f(int x) { l: static_assert(1); m: typeof(x) y = 1; n: __auto_type z = y; return z; }",
        "int f(void) { auto x = 1.5; static auto y = 2; const auto z = 3; for (auto i = 0; i < x; i++) ; return y + z; }",
        "int x = 1'000 + 0b1'1 + 0xff'ff; unsigned char c = u8'a';",
        "struct [[gnu::packed]] s { char c [[gnu::aligned(8)]]; }; [[noreturn]] void f(void); enum [[deprecated]] e { a };",
        "typedef float v __attribute__((mode(SF))); v f(void) { return __extension__ (v){ 0.0f }; }",
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
            "addresses of labels are not supported; number the labels, and use `switch`",
        ),
        (
            "int x; enum e : char { a };",
            7,
            "enumerations with a fixed type are not supported",
        ),
        (
            "_BitInt(7) x;",
            0,
            "integers of any width (`_BitInt`) are not supported",
        ),
        (
            "int f(...) { return 0; }",
            6,
            "functions whose only parameter is `...` are not supported",
        ),
        (
            "typedef void *nullptr_t; nullptr_t n; int x = _Generic(n, void *: 1);",
            25,
            "`nullptr_t` is not told from `void *`",
        ),
        ("int x = (1;", 8, "this `(` is never closed"),
        ("int x = 1);", 9, "`)` without `(`"),
        ("int f(void) { return 1 }", 22, "expected `;` before `}`"),
        ("int foo bar;", 7, "expected `;` before `bar`"),
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
fn words_that_are_keywords_unless_they_are_declared() {
    assert_eq!(
        rewritten(
            "bool b = true; int *p = nullptr; static constexpr int k = 1; constexpr int n = 1;"
        ),
        "_Boolb=((_Bool)1);int*p=((void*)0);static__attribute__((__selvedge_constexpr__))intk=1;\
         __attribute__((__selvedge_constexpr__))staticintn=1;"
    );
    let kept = "typedefintbool;enum{false,true};boolb=true;";
    assert_eq!(
        rewritten("typedef int bool; enum { false, true }; bool b = true;"),
        kept
    );
    // A bit-field and a parameter are no declarations of the word.
    assert_eq!(
        rewritten("typedef void (*f)(bool, int); struct s { bool b : 1; };"),
        "typedefvoid(*f)(_Bool,int);structs{_Boolb:1;};"
    );
}

#[test]
fn attributes_of_c23() {
    for (text, expected) in [
        (
            "[[gnu::cleanup(f)]] int *p;",
            "__attribute__((cleanup(f)))int*p;",
        ),
        (
            "[[nodiscard, noreturn]] void f(void);",
            "_Noreturnvoidf(void);",
        ),
        (
            "struct [[gnu::packed, deprecated]] s { int x; };",
            "structs{intx;}__attribute__((packed));",
        ),
        (
            "int x [[gnu::aligned(8), clang::other(1)]];",
            "intx__attribute__((aligned(8)));",
        ),
    ] {
        assert_eq!(rewritten(text), expected, "{text}");
    }
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
