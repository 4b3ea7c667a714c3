//! Our preprocessor says what the C compiler's says. Skipped where there is no `cc`.

use crate::tier::{corpus, is_long, skipped};
use selvedge::source::{DataModel, Options, Source};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Tricky programs; the same tokens must come out of both preprocessors.
const PROGRAMS: &[&str] = &[
    // Where a macro's name comes from decides whether it is expanded again.
    "#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)\n",
    "#define f(x) x f\nf(1)(2)(3)\n#define AA BB\n#define BB AA\nAA BB\n",
    "#define NIL(xxx) xxx\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)\n",
    "#define x x y\n#define y x\nx y\n#define EMPTY\n#define DEFER(m) m EMPTY\n#define A() 123\nDEFER(A)()\n",
    "#define EVAL(...) EVAL1(EVAL1(__VA_ARGS__))\n#define EVAL1(...) __VA_ARGS__\n#define E\n#define D(id) id E\n\
     #define REP() R2\n#define R2(n) n D(REP)()(n)\nEVAL(R2(8))\n",
    "#define f(x) [x]\nf\n#define g 1\n(3) f\n(4) f /*\n*/ (5)\n#define g2 f\ng2\n#undef f\n(6)\n",
    "#define A h ( (A)\n#define h(x) x\nA ) h h( f(A) g( 1 , ) ) ;\n",
    // Stringification.
    "#define s(x) #x\n#define xs(x) s(x)\n#define v a  b\ns( \"a\\n\" 'b' \\ \"\\\\\" ) xs(v) s(a /* c */ b) s() s(\na\n\nb) xs(__LINE__)\n",
    "#define s(...) #__VA_ARGS__\ns(a,b ,c , (d,e)) s() s(,) s(L\"x\\t\" u8\"y\")\n",
    // Pasting.
    "#define c(a,b) a##b\n#define xc(a,b) c(a,b)\n#define ab 7\nc(a,b) c(,b) c(a,) c(,)| xc(c(a,),b) c(1,e5) c(x,1) c(<,<) c(L,'a') c(L,\"s\")\n",
    "#define m(x) p##x q\n#define pa 1\nm(a) m(a b) m() m((a))\n#define h(a,b,c) a##b##c\nh(1,2,3) h(,2,) h(,,)|\n",
    "#define a(x) x##x\n#define b a(b)\nb\n#define q(x) [x] [x##1] [#x]\n#define z 5\nq(z)\n",
    // Variable arguments.
    "#define e(f, ...) fprintf(stderr, f, ## __VA_ARGS__)\ne(\"a\") ; e(\"b\",) ; e(\"c\", 1) ; e(\"d\", 1, 2)\n",
    "#define e(f, args...) p(f, ## args) [args]\ne(1) e(1,2) e(1,2,3)\n#define n(...) f(0, ##__VA_ARGS__)\nn() n(1) n(,)\n",
    "#define d(f, ...) g(f, ##__VA_ARGS__)\nd(1, d(2, 3))\n#define id(x) x\nd(id(1), id(2), id)(3)\n",
    "#define COUNT(...) COUNT_(__VA_ARGS__,5,4,3,2,1,0)\n#define COUNT_(a,b,c,d,e,n,...) n\nCOUNT(x) COUNT(x,y) COUNT(x,y,z)\n",
    // Arguments over lines, with directives, commas and parentheses in them.
    "#define f(x,y) {x|y}\nf(\n1\n,\n(2,3)\n) f((,),,) f ( a , b )\nf\n(1,2)\nf\n",
    "#define f(x) <x>\nf(\n#define g 3\ng\n#undef g\ng\n)\n#define o (\nf o 1)\n#define call f\ncall(1)\n",
    "#define f(x) x\n#define p f(\np 1) f(f(f(f(1)+f(2)))) f(f)(1)\n#define u() v\nu() u( ) u(/**/)\n",
    // Conditions.
    "#if 0x7fffffffffffffff + 1 < 0 || -1 > 0u\nA\n#elif 1\nB\n#endif\n#if '\\377' < 0 && '\\0' == 0 && 'ab' > 'a'\nC\n#endif\n",
    "#define DEF defined(X)\n#define X\n#if DEF && defined X && !defined(Y) && (1 ? 2 : (1/0))\nA\n#endif\n#undef X\n#if DEF\nB\n#endif\n",
    "#if 1\n#if 0\n#else\nA\n#endif\n#elif garbage (\nB\n#else\nC\n#endif\n#ifdef NO\n#if ( \n#endif\n'\n#elif 2-1\nD\n#endif\n",
    "#if (2 || 1/0) && !(0 && 1%0) || (3,2) == 2\nA\n#endif\n#if -7/2==-3 && -7%2==-1 && (1<<2|1)==5 && ~0u>0 && -1>>1==-1\nB\n#endif\n",
    "#if __INT_MAX__ == 2147483647 && __CHAR_BIT__ == 8 && __SIZEOF_INT__ == 4 && defined __GNUC__\nA\n#endif\n",
    "#if __has_include(<stdio.h>) && !__has_include(\"nothing.h\")\nA\n#endif\n#ifdef __has_include\nB\n#endif\n",
    // Lines.
    "__LINE__\n#line 100\n__LINE__\n#line 7 \"x\\\\y.c\"\n__LINE__ __FILE__\n# 55 \"z.h\" 1\n__LINE__ __FILE__\n#define N 9\n#line N\n__LINE__\n",
    "#define l __LINE__\n#define f(x) x\nl\nf(l) \\\nl\nx\\\ny 1\\\n2 /* a \n b */ l\n",
    // Splices, comments, digraphs, odd tokens.
    "#def\\\nine a\\\nb 1\nab /\\\n* c *\\\n/ x /\\\n/ y\nz\n%:define s(x) %:x\ns(<:) <: :> <% %> a\n",
    "a+++++b a- --b a&&&b x->y x - >y ...... .5.5 1e+5e 0x1e+2 1.2.3 a.b...c ..\n$x x$1 é '\\'' \"\\\"\" L'a' u\"b\" u8\"c\" U'd'\n",
    "#define EMPTY\n-EMPTY- +EMPTY+ <EMPTY<= =EMPTY= /EMPTY/ .EMPTY. xEMPTY x EMPTY 1EMPTY\n#define M -\n-M M- M1 M.5 1M\n",
    "#define a \"unfinished /* \"\na /* \" */ b // ' \"\n#define /* c */ d /* e */ ( /* f */ x /* g */ )\nd d(1)\n",
    // Pragmas and errors in groups that are no part of the program.
    "#pragma omp parallel for\n_Pragma(\"GCC diagnostic push\") x\n#if 0\n#error no\n#include <none>\n#bogus\n#endif\n#\ny\n",
    "#define a 1\n#pragma push_macro(\"a\")\n#undef a\n#define a 2\na\n#pragma pop_macro(\"a\")\na __COUNTER__ __COUNTER__\n",
    // Object-like macros that look like functions, and the other way round.
    "#define f (x)\nf f(1)\n#define g(x)x\ng(1)2\n#define h(x) [x] /**/\nh\n(\n)\n#define k\nk(1)\n",
    "#define EMPTY()\n#define DEFER(id) id EMPTY()\n#define OBSTRUCT(...) __VA_ARGS__ DEFER(EMPTY)()\n#define EXPAND(...) __VA_ARGS__\n\
     #define A() 123\nDEFER(A)() EXPAND(DEFER(A)()) EXPAND(OBSTRUCT(A)())\n",
    "#define CAT(a, ...) a ## __VA_ARGS__\n#define COMPL(b) CAT(COMPL_, b)\n#define COMPL_0 1\n#define COMPL_1 0\n\
     #define IIF(c) CAT(IIF_, c)\n#define IIF_0(t, ...) __VA_ARGS__\n#define IIF_1(t, ...) t\nIIF(COMPL(0))(a, b) IIF(COMPL(1))(a, b, c)\n",
    "#include <stddef.h>\n#include <limits.h>\nINT_MAX ULONG_MAX CHAR_MIN offsetof(a, b) NULL\n",
    "#define INC <errno.h>\n#include INC\nEINVAL\n#define H(x) <x.h>\n#include H(limits)\nINT_MIN\n",
];

/// True if there is a C compiler to compare with.
fn has_compiler(test: &str) -> bool {
    let version = Command::new("cc")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let found = version.is_ok_and(|status| status.success());
    if !found {
        skipped(test, "there is no C compiler");
    }
    found
}

fn load(path: &Path, external: bool, model: DataModel) -> Result<String, String> {
    let options = Options {
        cpp: external.then(|| "cc -E".to_string()),
        model,
        ..Options::default()
    };
    Source::load(path, &options)
        .map(|source| source.text)
        .map_err(|error| error.to_string())
}

/// Punctuators of more than one character, longest first.
const LONG: [&str; 22] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "^=", "|=",
];

/// Compilers write letters beyond ASCII in identifiers as `\U` and eight digits.
fn universal(text: &str) -> String {
    let mut parts = text.split("\\U");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let letter = part
            .get(..8)
            .and_then(|digits| char::from_u32(u32::from_str_radix(digits, 16).ok()?));
        match letter {
            Some(letter) => {
                out.push(letter);
                out.push_str(&part[8..]);
            }
            None => out = out + "\\U" + part,
        }
    }
    out
}

/// The tokens of a preprocessed text, without line markers.
fn tokens(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| {
        let rest = line.strip_prefix("# ");
        !rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    });
    let text = universal(&lines.collect::<Vec<_>>().join("\n"));
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '\\');
        let length = if c.is_whitespace() {
            rest = &rest[c.len_utf8()..];
            continue;
        } else if c == '"' || c == '\'' {
            let mut end = 1;
            while rest.len() > end && !rest[end..].starts_with(c) {
                let next = rest[end..].chars().next().unwrap();
                end += next.len_utf8();
                if next == '\\' {
                    end += rest[end..].chars().next().map_or(0, char::len_utf8);
                }
            }
            (end + 1).min(rest.len())
        } else if word(c) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            LONG.iter()
                .find(|long| rest.starts_with(**long))
                .map_or(c.len_utf8(), |long| long.len())
        };
        // Compilers may write digraphs as they are.
        let token = match &rest[..length] {
            "%:" => "#",
            token => token,
        };
        found.push(token.to_string());
        rest = &rest[length..];
    }
    let text = found.join(" ");
    let plain = text
        .replace("< :", "[")
        .replace(": >", "]")
        .replace("< %", "{")
        .replace("% >", "}");
    plain.split(' ').map(str::to_string).collect()
}

#[test]
fn tricky_programs_give_the_compilers_tokens() {
    if !has_compiler("tokens of tricky programs") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for (number, program) in PROGRAMS.iter().enumerate() {
        let path = folder.path().join(format!("p{number}.c"));
        std::fs::write(&path, program).unwrap();
        let theirs = load(&path, true, DataModel::Lp64).map(|text| tokens(&text).join(" "));
        let ours = load(&path, false, DataModel::Lp64).map(|text| tokens(&text).join(" "));
        if theirs.is_err() != ours.is_err() || theirs.is_ok() && theirs != ours {
            wrong.push(format!("{program}\ncc:   {theirs:?}\nours: {ours:?}\n"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// All C files under a folder, sorted.
fn c_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> = match std::fs::read_dir(folder) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(_) => return,
    };
    paths.sort();
    for path in paths {
        if path.is_dir() {
            c_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
}

/// The benchmarks, and every 20th program of the corpus, or in a long run all.
#[test]
fn programs_give_the_compilers_tokens() {
    if !has_compiler("tokens of programs") {
        return;
    }
    let mut files = Vec::new();
    c_files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks"),
        &mut files,
    );
    if let Some(corpus) = corpus("tokens of verification tasks") {
        let mut more = Vec::new();
        c_files(&corpus, &mut more);
        let step = if is_long() { 1 } else { 20 };
        files.extend(more.into_iter().step_by(step));
    }
    let mut wrong = Vec::new();
    for path in &files {
        let model = DataModel::Lp64;
        match (load(path, true, model), load(path, false, model)) {
            (Ok(theirs), Ok(ours)) => {
                let (theirs, ours) = (tokens(&theirs), tokens(&ours));
                if let Some(at) =
                    (0..theirs.len().max(ours.len())).find(|&at| theirs.get(at) != ours.get(at))
                {
                    let around = |all: &[String]| {
                        all[at.saturating_sub(5).min(all.len())..(at + 5).min(all.len())].join(" ")
                    };
                    wrong.push(format!(
                        "{}: cc {} | ours {}",
                        path.display(),
                        around(&theirs),
                        around(&ours)
                    ));
                }
            }
            (Err(_), Err(_)) => {}
            (theirs, ours) => {
                let told =
                    |result: Result<String, String>| result.err().unwrap_or("reads it".to_string());
                wrong.push(format!(
                    "{}: cc {} | ours {}",
                    path.display(),
                    told(theirs),
                    told(ours)
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} differ\n{}",
        wrong.len(),
        files.len(),
        wrong.join("\n")
    );
}
