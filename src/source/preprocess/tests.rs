use super::*;
use crate::base::DataModel;
use crate::source::{LoadError, Source};
use std::time::{Duration, Instant};

fn options() -> Options {
    Options::default()
}

/// A text with single blanks between its tokens.
fn spaced(text: &str) -> String {
    let arena = Bump::new();
    let mut names = Names::new(&arena);
    let buffer = Arc::new(Buffer::new(text.to_string()));
    let mut lexer = lex::Lexer::new(buffer, BytePos(0));
    let mut words = Vec::new();
    while let Some(token) = lexer.next(&mut names, false) {
        words.push(names.text(token.name));
    }
    words.join(" ")
}

/// Preprocessed text of a program.
fn text(program: &str) -> String {
    match preprocess(Path::new("a.c"), program.to_string(), &options()) {
        Ok(made) => spaced(&made.text),
        Err(errors) => panic!("{program}\n{errors}"),
    }
}

fn errors(program: &str) -> String {
    match preprocess(Path::new("a.c"), program.to_string(), &options()) {
        Ok(made) => panic!("{program}\n{}", made.text),
        Err(errors) => errors,
    }
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (program, expected) in cases {
        assert_eq!(text(program), spaced(expected), "{program}");
    }
}

#[test]
fn objects_and_functions() {
    check(&[
        ("#define A B\n#define B A\nA B", "A B"),
        (
            "#define f(x) <x>\nf(1) f ( 2 ) f f\n(3) (f)(4)",
            "<1> <2> f <3> (f)(4)",
        ),
        ("#define f() z\nf() f( ) f", "z z f"),
        (
            "#define f(x) x x\n#define g f(\ng 1) f((a,b))",
            "1 1 (a,b) (a,b)",
        ),
        ("#define e\ne x e", "x"),
        (
            "#define f(a, b) a-b\nf(,) f(1,) f(,2) f((,),[)",
            "- 1- -2 (,)-[",
        ),
        ("#define x 1\n#undef x\n#undef y\nx", "x"),
        ("#define N(a) a\nN(N)(N(2)) N(N(N(3)))", "N(2) 3"),
        ("#define f (x)\nf", "(x)"),
        // A call that is put off until its macro is open no more is expanded again.
        (
            "#define e(...) e1(e1(e1(__VA_ARGS__)))\n#define e1(...) __VA_ARGS__\n#define nil\n#define put(x) x nil\n\
             #define again() next\n#define next(n) n put(again)()(n)\ne(next(8)) next(7)",
            "8 8 8 8 8 again()(8) 7 again()(7)",
        ),
    ]);
}

/// The examples of C11 6.10.3.5.
#[test]
fn examples_of_the_standard() {
    let three = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n\
        #define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n\
        #define r(x,y) x ## y\n#define str(x) # x\n";
    check(&[
        (
            &format!("{three}f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);"),
            "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);",
        ),
        (
            &format!("{three}g(x+(3,4)-w) | h 5) & m\n(f)^m(m);"),
            "f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);",
        ),
        (
            &format!("{three}p() i[q()] = {{ q(1), r(2,3), r(4,), r(,5), r(,) }};"),
            "int i[] = { 1, 23, 4, 5, };",
        ),
        (
            &format!("{three}char c[2][6] = {{ str(hello), str() }};"),
            "char c[2][6] = { \"hello\", \"\" };",
        ),
        (
            "#define str(s) # s\n#define xstr(s) str(s)\n#define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", \\\n\
             x ## s, x ## t)\n#define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n\
             #define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\ndebug(1, 2);\nfputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') \
             == 0) str(: @\\n), s);\nxstr(INCFILE(2).h)\nglue(HIGH, LOW);\nxglue(HIGH, LOW)",
            "printf(\"x\" \"1\" \"= %d, x\" \"2\" \"= %s\", x1, x2); fputs(\"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\" \
             \": @\\n\", s); \"vers2.h\" \"hello\"; \"hello\" \", world\"",
        ),
        (
            "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n\
             #define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);",
            "char p[] = \"x ## y\";",
        ),
        (
            "#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };",
            "int j[] = { 123, 45, 67, 89, 10, 11, 12, };",
        ),
        (
            "#define showlist(...) puts(#__VA_ARGS__)\n#define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))\n\
             showlist(The first, second, and third items.);\nreport(x>y, \"x is %d but y is %d\", x, y);",
            "puts(\"The first, second, and third items.\"); ((x>y)?puts(\"x>y\"): printf(\"x is %d but y is %d\", x, y));",
        ),
    ]);
}

#[test]
fn variable_arguments() {
    check(&[
        (
            "#define p(f, ...) g(f, ## __VA_ARGS__)\np(1) p(1,) p(1,2) p(1,2,3)",
            "g(1) g(1,) g(1,2) g(1,2,3)",
        ),
        (
            "#define p(...) g(0, ## __VA_ARGS__)\np() p(1)",
            "g(0) g(0,1)",
        ),
        (
            "#define p(f, a...) g(f, ## a)|a\np(1) p(1,2,3)",
            "g(1)| g(1,2,3)|2,3",
        ),
        (
            "#define p(f, ...) g(f __VA_OPT__(, [__VA_ARGS__]))\np(1) p(1,) p(1,2)",
            "g(1 ) g(1 ) g(1 , [2])",
        ),
        (
            "#define s(...) #__VA_ARGS__\ns( a ,b,  \"c\" , 'd\\n')",
            "\"a ,b, \\\"c\\\" , 'd\\\\n'\"",
        ),
    ]);
}

#[test]
fn conditions() {
    let holds =
        |condition: &str| text(&format!("#if {condition}\nyes\n#else\nno\n#endif")) == "yes";
    for condition in [
        "1",
        "-1 < 0",
        "-1 > 0u",
        "0xffffffffffffffff == -1",
        "18446744073709551615u > 0",
        "(2 + 3) * 4 == 20",
        "1 || 1 / 0",
        "!(0 && 1 / 0)",
        "1 ? 2 : 1 / 0",
        "'a' == 97",
        "'\\377' < 0",
        "'\\x41' == 'A'",
        "L'\\xff' == 255",
        "'ab' == 24930",
        "1 << 3 == 8",
        "-8 >> 1 == -4",
        "7 % -4 == 3",
        "-7 / 2 == -3",
        "~0 == -1",
        "010 == 8",
        "0b101 == 5",
        "10 - 2 - 3 == 5",
        "1 ? 0 ? 5 : 6 : 7",
        "undefined == 0",
        "true == 0",
        "defined __LINE__",
        "!defined(nothing)",
        "defined __has_include && __has_include(<pthread.h>)",
        "!__has_include(<windows.h>)",
        "__has_include(\"stdio.h\")",
        "__STDC_VERSION__ >= 201112L",
        "__LINE__ == 1",
        "(-1)/2u > 1",
        "__INT_MAX__ == 2147483647 && __SIZEOF_POINTER__ == 8",
        "5 & 6 | 8 ^ 1",
    ] {
        assert!(holds(condition), "{condition}");
    }
    check(&[
        ("#if 0\na\n#elif 1\nb\n#elif 1/0\nc\n#else\nd\n#endif", "b"),
        (
            "#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 0\n#else\nc\n#endif",
            "c",
        ),
        ("#ifdef A\na\n#elifndef A\nb\n#endif", "b"),
        (
            "#if 0\nit's \" /* \n \"/*\" /* \n#endif */ x\n#endif\ny",
            "y",
        ),
        ("#if 1 /* a\nb */\nx // #endif\n#endif c", "x"),
        ("#define D defined(E)\n#define E\n#if D\nx\n#endif", "x"),
        ("#define f(x) x\nf(\n#if 1\na\n#else\nb\n#endif\n)", "a"),
    ]);
}

#[test]
fn tokens_stay_apart() {
    check(&[
        ("#define m -\n-m-m m-", "- - - - - -"),
        ("#define e\n+e+ <e< a e b", "+ + < < a b"),
        ("#define d .\n1 d 2 d. d d", "1 . 2 .. . ."),
        ("#define L1 L\nL1'a' L1\"b\"", "L 'a' L \"b\""),
        ("%:define x <: :> <% %>\nx", "[ ] { }"),
        ("a/**/b a/* */+/* */+", "a b a + +"),
        ("#define c(a,b) a##b\nc(<,<=) c(-,>)x", "<<= ->x"),
    ]);
}

#[test]
fn values_of_places() {
    check(&[
        (
            "__LINE__\n\n__LINE__ __FILE__ __BASE_FILE__",
            "1 3 \"a.c\" \"a.c\"",
        ),
        (
            "#line 7\n__LINE__\n#line 9 \"b\\\\c\"\n__LINE__ __FILE__",
            "7 9 \"b\\\\c\"",
        ),
        ("# 33 \"x.h\" 1 3\n__LINE__ __FILE__", "33 \"x.h\""),
        ("#define n 5\n#line n\n__LINE__", "5"),
        ("__COUNTER__ __COUNTER__ __INCLUDE_LEVEL__", "0 1 0"),
        ("#define l __LINE__\n\\\n\nl", "4"),
        ("_Pragma(\"pack(1)\") x", "#pragma pack(1) x"),
        ("#define a b\n#pragma omp a\nx", "#pragma omp a x"),
        (
            "#define a 1\n#pragma push_macro(\"a\")\n#undef a\n#define a 2\na\n#pragma pop_macro(\"a\")\na",
            "2 1",
        ),
    ]);
}

#[test]
fn options_define_and_undefine() {
    let options = Options {
        defines: vec!["A".into(), "B=2 + 2".into(), "F(x)=[x]".into(), "C=".into()],
        undefines: vec!["linux".into()],
        model: DataModel::Ilp32,
        ..Options::default()
    };
    let made = preprocess(
        Path::new("a.c"),
        "A B F(1) C linux __linux__ __SIZEOF_LONG__".into(),
        &options,
    );
    assert_eq!(made.unwrap().text, "1 2 + 2 [1] linux 1 4\n");
}

#[test]
fn errors_have_places() {
    for (program, expected) in [
        ("x\n#if\n", "a.c:2:1: error: the condition is empty"),
        (
            "#if 1 +\n#endif",
            "a.c:1:1: error: the condition ends in the middle",
        ),
        ("#if 1 / 0\n#endif", "a.c:1:7: error: division by zero"),
        ("#if (1\n#endif", "expected `)`"),
        ("#if 1.0\n#endif", "`1.0` is no integer constant"),
        (
            "#if 1\n x",
            "a.c:1:1: error: this condition has no `#endif`",
        ),
        ("#endif", "`#endif` without `#if`"),
        ("#else", "`#else` without `#if`"),
        (
            "#if 1\n#else\n#else\n#endif",
            "a.c:3:2: error: `#else` after `#else`",
        ),
        (
            "#include <nothing/at/all.h>\n",
            "a.c:1:10: error: there is no header `nothing/at/all.h`",
        ),
        ("#include <treads.h>\n", "bundled is threads.h"),
        ("#include\n", "a.c:1:1: error: expected `<name>`"),
        ("#include \"\n", "expected `<name>`"),
        ("#define\n", "a macro needs a name"),
        ("#define 3\n", "`3` is no name"),
        ("#define defined\n", "`defined` cannot be a macro"),
        ("#define f(x\n", "is not closed"),
        ("#define f(x,)\n", "expected a parameter, found `)`"),
        ("#define f(x,x)\n", "two parameters are called `x`"),
        ("#define f(...,x)\n", "expected `)`"),
        ("#define f(x) #y\n", "`#` must be followed by a parameter"),
        ("#define f ## x\n", "`##` cannot be at an end"),
        ("#define f x ##\n", "`##` cannot be at an end"),
        (
            "#define f(x) x\nf(1,2)\n",
            "a.c:2:1: error: the macro `f` takes 1 arguments, 2 are given",
        ),
        ("#define f(x,y) x\nf(1)\n", "takes 2 arguments, 1 are given"),
        (
            "#define f(x) x\nf(1\n",
            "a.c:2:1: error: the arguments of the macro `f` are not closed",
        ),
        (
            "#define c(a,b) a##b\nc(+,x)\n",
            "`##` makes `+x`, which is no token",
        ),
        (
            "#error it's \"so\" // what\n",
            "a.c:1:1: error: #error it's \"so\"",
        ),
        ("#nonsense\n", "there is no directive `#nonsense`"),
        ("#line x\n", "expected a line number"),
        ("x /* y\n", "a.c:1:3: error: this comment is never closed"),
        (
            "#if 0\n /* y\n",
            "a.c:2:2: error: this comment is never closed",
        ),
        ("x = \"abc\n", "a.c:1:5: error: this \" is never closed"),
        ("it's\n", "a.c:1:3: error: this ' is never closed"),
        ("x # y", "a.c:1:3: error: `#` outside of a directive"),
        ("_Pragma(x)", "takes a string"),
        (
            "#define a __VA_ARGS__\n",
            "only for macros with variable arguments",
        ),
    ] {
        let told = errors(program);
        assert!(told.contains(expected), "{program}\n{told}");
    }
    let several = errors("#error one\n#error two\n#include <x.y>\nint x;");
    assert_eq!(several.matches(": error: ").count(), 3, "{several}");
    let many = errors(&"#error again\n".repeat(100));
    assert!(many.ends_with("a.c: too many errors\n"), "{many}");
}

#[test]
fn warnings_do_not_stop() {
    let program = "#define a 1\n#define a 1\n#define a  2\n#warning mind the gap\na";
    let made = preprocess(Path::new("a.c"), program.to_string(), &options()).unwrap();
    assert_eq!(made.text, "2\n");
    assert_eq!(made.warnings.len(), 2, "{:?}", made.warnings);
    let (kind, message) = &made.warnings[1];
    assert_eq!(kind.name(), "user-warning");
    let shown = message.shown("warning");
    assert!(shown.starts_with("a.c:4:1: warning: #warning mind the gap [user-warning]\n"));
}

/// A folder with files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn load(
    folder: &tempfile::TempDir,
    includes: &[&str],
    system: &[&str],
) -> Result<Source, LoadError> {
    let paths = |names: &[&str]| names.iter().map(|name| folder.path().join(name)).collect();
    let options = Options {
        includes: paths(includes),
        system_includes: paths(system),
        ..Options::default()
    };
    Source::load(&folder.path().join("main.c"), &options)
}

fn words(source: &Source) -> String {
    source.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn headers_are_searched_in_order() {
    let folder = folder(&[
        (
            "main.c",
            "#include \"one.h\"\n#include <two.h>\n#include <errno.h>\n#define H <three.h>\n#include H\n",
        ),
        ("one.h", "beside\n#include \"sub/inner.h\"\n"),
        ("sub/inner.h", "inner\n#include \"other.h\"\n"),
        ("sub/other.h", "other\n"),
        ("i/one.h", "wrong\n"),
        ("i/two.h", "first\n#include_next <two.h>\n"),
        (
            "j/two.h",
            "second\n#if __has_include_next(<two.h>)\nwrong\n#endif\n",
        ),
        ("s/three.h", "three\n"),
        ("s/errno.h", "wrong\n"),
    ]);
    let source = load(&folder, &["i", "j"], &["s"]).unwrap();
    let words = words(&source);
    assert!(
        words.starts_with("beside inner other first second extern"),
        "{words}"
    );
    assert!(
        words.ends_with("three") && !words.contains("wrong"),
        "{words}"
    );
}

#[test]
fn headers_of_the_machine_come_first() {
    let folder = folder(&[
        ("main.c", "#include <two.h>\n#include <bits/one.h>\n"),
        ("s/x86_64-linux-gnu/bits/one.h", "one\n"),
        ("s/x86_64-linux-gnu/two.h", "two\n#include_next <two.h>\n"),
        ("s/two.h", "general\n"),
    ]);
    let source = load(&folder, &[], &["s"]).unwrap();
    assert_eq!(words(&source), "two general one");
}

#[test]
fn guards_and_once() {
    let folder = folder(&[
        (
            "main.c",
            "#include \"a.h\"\n#include \"a.h\"\n#include \"b.h\"\n#include \"b.h\"\n#include \"c.h\"\n#include \"c.h\"\n\
            #undef A\n#include \"a.h\"\n#import \"d.h\"\n#import \"d.h\"\n",
        ),
        ("a.h", "/* a */\n#ifndef A\n#define A\na\n#endif\n// end\n"),
        ("b.h", "#pragma once\nb\n"),
        ("c.h", "#ifndef C\n#define C\nc\n#else\nagain\n#endif\n"),
        ("d.h", "d\n"),
    ]);
    assert_eq!(words(&load(&folder, &[], &[]).unwrap()), "a b c again a d");
}

#[test]
fn errors_name_the_files_that_include() {
    let folder = folder(&[
        ("main.c", "\n#include \"a.h\"\n"),
        ("a.h", "#include \"b.h\"\n"),
        ("b.h", "int x;\n  #error here\n"),
    ]);
    let told = load(&folder, &[], &[]).unwrap_err().to_string();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let expected = format!(
        "In file included from {}:1:\n                 from {}:2:\n{}:2:3: error: #error here\n 2 |   #error here\n   |   ^",
        path("a.h"),
        path("main.c"),
        path("b.h")
    );
    assert_eq!(told, expected);
}

/// Every token leads back to where the user wrote it, or used the macro that it came out of.
#[test]
fn places_lead_back() {
    let program = "#define two(a, b) a = b + deep(b)\n#define deep(x) (x \\\n  * x)\nint é; two(first,\n   second); last\\\nword;\n";
    let folder = folder(&[("main.c", program), ("h.h", "int in_header;\n")]);
    let source = load(&folder, &[], &[]).unwrap();
    let position = |token: &str| {
        let at = source
            .text
            .find(token)
            .unwrap_or_else(|| panic!("{token}: {}", source.text));
        let place = source.position(crate::base::Loc(at as u32)).unwrap();
        assert!(place.file.ends_with("main.c"));
        (place.line, place.column)
    };
    assert_eq!(position("int"), (4, 1));
    assert_eq!(position("é"), (4, 5));
    assert_eq!(position("first"), (4, 12));
    assert_eq!(position("= "), (4, 8));
    assert_eq!(position("second"), (5, 4));
    assert_eq!(position("* "), (4, 8));
    assert_eq!(position("lastword"), (5, 13));
    let at = source.text.find("second").unwrap() as u32;
    assert_eq!(
        source.excerpt(crate::base::Loc(at)).unwrap().text,
        "   second); last\\"
    );
}

#[test]
fn what_runs_away_is_stopped() {
    let start = Instant::now();
    let doubling: String = (1..60)
        .map(|n| format!("#define a{n} a{} a{}\n", n - 1, n - 1))
        .collect();
    assert!(errors(&format!("#define a0 x\n{doubling}a59")).contains("error: "));
    assert!(errors(&format!("#define a0\n{doubling}a59")).contains("macros expand to more than"));
    let pasting: String = (1..60)
        .map(|n| format!("#define p{n}(x) p{}(x##x)\n", n - 1))
        .collect();
    assert!(errors(&format!("#define p0(x) x\n{pasting}p59(y)")).contains("too long a token"));
    let calls = format!("#define f(x) x\n{}1{}", "f(".repeat(5000), ")".repeat(5000));
    assert!(errors(&calls).contains("nest more than"));
    let chain: String = (1..5000)
        .map(|n| format!("#define c{n} c{}\n", n - 1))
        .collect();
    assert_eq!(text(&format!("{chain}c4999")), "c0");
    let parentheses = format!(
        "#if {}1{}\n#endif",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    assert!(errors(&parentheses).contains("nests more than"));
    let signs = format!("#if {}1\n#endif", "-".repeat(99_999).replace("--", "- - "));
    assert!(errors(&signs).contains("nests more than"));
    let folder = folder(&[("main.c", "#include \"main.c\"\n#include \"main.c\"\n")]);
    let told = load(&folder, &[], &[]).unwrap_err().to_string();
    assert!(told.contains("include each other more than"), "{told}");
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}

/// Any text gives a text or errors, in time that grows with its length.
#[test]
fn garbage_is_survived() {
    let start = Instant::now();
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let pieces = [
        "#",
        "##",
        "define",
        "f",
        "(",
        ")",
        ",",
        "...",
        "__VA_ARGS__",
        "\n",
        "\n#",
        " ",
        "if",
        "else",
        "endif",
        "x",
        "include",
        "\"",
        "'",
        "<",
        ">",
        "\\\n",
        "/*",
        "*/",
        "//",
        "1",
        "0x",
        "+",
        "defined",
        "__LINE__",
        "_Pragma",
        "é",
        "\u{feff}",
        "\\",
        "%:",
        "line",
        "undef",
        "elif",
        "__has_include",
        "__VA_OPT__",
        "\r\n",
        "pragma once\n",
        "1e+",
        "ifdef",
        "f(x)",
        "#define f(x,...) #x x##__VA_ARGS__ f\n",
        "@",
    ];
    for _ in 0..3000 {
        let program: String = (0..random(60))
            .map(|_| pieces[random(pieces.len())])
            .collect();
        let _ = preprocess(Path::new("a.c"), program, &options());
    }
    let long: String = (0..400_000).map(|_| pieces[random(pieces.len())]).collect();
    let _ = preprocess(Path::new("a.c"), long, &options());
    let _ = preprocess(Path::new("a.c"), "x ".repeat(2_000_000), &options()).unwrap();
    let _ = preprocess(Path::new("a.c"), "(\"a\\".repeat(500_000), &options());
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}
