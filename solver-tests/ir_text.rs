//! The typed program as text: what is printed is read again as the same program.

use crate::generate;
use crate::oracle;
use selvedge::base::Budget;
use selvedge::event;
use selvedge::ir::parse::parse;
use selvedge::ir::{DataModel, Program};
use selvedge::source::{self, Source};
use selvedge::symex::{Bounds, Refusal, Unroller};
use selvedge::{library, syntax};
use std::path::{Path, PathBuf};

/// Characters of a printed program up to which it is unrolled, too.
const SMALL: usize = 12_000;

/// All C programs under some folders of the project.
fn files() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = ["solver-tests", "benchmarks"]
        .iter()
        .map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
        .collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of the project") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "c") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The program of a file; `None` if it is meant to be none.
fn read(path: &Path, model: DataModel) -> Option<Program> {
    let options = source::Options {
        model,
        ..source::Options::default()
    };
    let source = Source::load(path, &options).ok()?;
    let unit = syntax::parse(&source).ok()?;
    library::read(
        &[selvedge::ir::lower::Unit::alone(&unit)],
        model,
        &library::Options::default(),
    )
    .ok()
}

/// The unrolled program as text, or why there is none.
fn unrolled(program: &Program) -> String {
    let bounds = Bounds {
        instructions: 20_000,
        ..Bounds::default()
    };
    let budget = Budget::unlimited();
    let unroller = Unroller::new(program).map_err(Refusal::from);
    let events = unroller.and_then(|mut unroller| unroller.unroll(&bounds, &budget));
    match events {
        Ok(events) => {
            event::print::listing(&events, &|_| String::new(), &|_| String::new(), &|_| None)
        }
        Err(_) => "none".into(),
    }
}

/// Checks that a program is what its text says; `name` is for messages.
fn check(name: &str, program: &Program) {
    let text = program.to_string();
    let again = parse(&text).unwrap_or_else(|error| {
        let line = text.lines().nth(error.line - 1).unwrap_or_default();
        panic!("{name}: {error}\n{line}");
    });
    let second = again.to_string();
    for (number, (one, other)) in text.lines().zip(second.lines()).enumerate() {
        assert_eq!(one, other, "{name}: line {}", number + 1);
    }
    assert!(text == second, "{name}: one text is longer");
    if text.len() <= SMALL {
        assert_eq!(unrolled(program), unrolled(&again), "{name}");
    }
}

/// Lowering recurses with the source; a thread of its own gives it room in an unoptimised build.
fn with_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(256 << 20)
        .spawn(work);
    thread.expect("a thread").join().expect("the test");
}

#[test]
fn programs_are_what_they_are_printed_as() {
    with_stack(|| {
        let files = files();
        let mut read_count = 0;
        for (number, path) in files.iter().enumerate() {
            let models = match number % 4 {
                0 => [DataModel::Lp64, DataModel::Ilp32].as_slice(),
                _ => &[DataModel::Lp64],
            };
            for &model in models {
                if let Some(program) = read(path, model) {
                    check(&format!("{} {model:?}", path.display()), &program);
                    read_count += 1;
                }
            }
        }
        assert!(read_count > files.len(), "{read_count} programs");
    });
}

#[test]
fn random_programs_are_what_they_are_printed_as() {
    with_stack(|| {
        for seed in 0..40 {
            let programs = [
                generate::generate(seed),
                generate::weak::generate(seed),
                generate::address::generate(seed),
            ];
            for text in programs.map(|program| program.render()) {
                let program = oracle::read(&text).unwrap_or_else(|fault| panic!("{fault:?}"));
                check(&format!("seed {seed}"), &program);
            }
        }
    });
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let lines = |body: &str| {
        format!(
            "type t0 = s32\nglobal g0 \"x\": t0, 4 bytes align 4\nmain function f0 \"main\" () {{\n{body}\n}}\n"
        )
    };
    let cases = [
        (
            "b0:\nr0:32s = load 5",
            "line 5: expected `:`, found the end of the line",
        ),
        (
            "b0:\nr0:32s = load &x0\nreturn",
            "line 5: expected a global or a function, found `x0`",
        ),
        (
            "b0:\nr0:32s = load &g1\nreturn",
            "line 5: there is nothing at &g1",
        ),
        (
            "b0:\nr0:32s = frob &g0\nreturn",
            "line 5: `frob` is no operation with a result",
        ),
        (
            "b0:\nstore &g0\nreturn",
            "line 5: expected `,`, found the end of the line",
        ),
        (
            "b0:\nstore.late &g0, 1:32\nreturn",
            "line 5: `late` is no memory order",
        ),
        (
            "b0:\nstore &g0, 1:32 align 300\nreturn",
            "line 5: expected an alignment, found `300`",
        ),
        ("b0:\nstore &g0, r0\nreturn", "line 5: there is no r0"),
        ("b0:\nstore &g0, 4:2\nreturn", "line 5: 4 has no 2 bits"),
        (
            "b0:\nr0:32s = use 1:32\nr0:8s = use 1:8\nreturn",
            "line 6: r0 had another width or sign before",
        ),
        (
            "b0:\nr0:32s = add 1:32, 1:8\nreturn",
            "line 5: 1:8 has 8 bits and not 32",
        ),
        (
            "b0:\nr0:32s = eq 1:32, 1:32\nreturn",
            "line 5: a comparison has 1 bit",
        ),
        ("b0:\nr1:32s = use 1:32\nreturn", "line 7: r0 is missing"),
        ("b0:\njump b1", "line 5: there is no b1"),
        ("b1:\nreturn", "line 4: expected `b0`"),
        (
            "b0:\nb1:\nreturn",
            "line 5: the block before this one has no end",
        ),
        ("store &g0, 1:32", "line 4: expected a block, found `store`"),
        (
            "b0:\nreturn 1:32 2",
            "line 5: expected the end of the line, found `2`",
        ),
        ("b0:\nunsupported \"why", "line 5: the text has no end"),
        (
            "b0:\nassume 1:32\nreturn",
            "line 5: 1:32 has 32 bits and not 1",
        ),
        ("b0:\nreturn ;", "line 5: `;` begins nothing"),
    ];
    for (body, expect) in cases {
        let told = parse(&lines(body)).map(|_| ()).unwrap_err().to_string();
        assert_eq!(told, expect, "{body}");
    }
    let whole = [
        ("", "line 1: no function is the main one"),
        ("type t1 = s32", "line 1: expected `t0`"),
        (
            "main function f0 \"main\" () {\nb0:\nreturn\n}\nglobal g0 \"x\": t0, 4 bytes align 4",
            "line 5: there is no t0",
        ),
        (
            "\nmodel LP65",
            "line 2: expected LP64 or ILP32, found `LP65`",
        ),
        (
            "main function f0 \"main\" () {\n",
            "line 2: the last function has no end",
        ),
    ];
    for (text, expect) in whole {
        let told = parse(text).map(|_| ()).unwrap_err().to_string();
        assert_eq!(told, expect, "{text}");
    }
}

/// A program with every form that a program can have, as it is printed.
const FORMS: &str = r#"model ILP32
type t0 = s32
type t1 = *t0
type t2 = [3] t1
type t3 = record "struct s" 12 bytes { 0: t0 "a" bits 3+5, 4: t1 "" }
type t4 = void
type t5 = bool
type t6 = f32
type t7 = f64
type t8 = u128
undeclared "missing"
external "rand"
global g0 "x": t0, 4 bytes align 4 thread_local = { 0: 1:32 }
global g1 "\"a\\\n\u{7f}é\"": t3, 12 bytes align 1 read_only repeated = { 0: 7:8, 1: 7:8:4, 4: &g0+4:32, 8: &f1:32 }

function f0 "f" (r0:32u "p", r1:64s, ...) -> 32 {
    r2:8s
b0:
    return
b1: entry
    thread exit 0:32
}

main function f1 "main" () {
    r0:32s "i"
b0:
    r0:32s = use 1:32
    r1:32u = pointer r0
    r2:32u = neg r0
    r3:32u = not r0
    r4:1u = ult r0, r2
    r5:64u = zext r0
    r6:64u = sext r0
    r7:8u = trunc r6
    r8:32u = select r4, r0, 5:32
    r9:32u = offset &g0-4, 4:32
    r10:32f32 = f32.add r0, 0:32
    r11:64f64 = f64.from.u8 r7
    r12:16u = f64.to.s16 r11
    r13:32f32 = f64.to.f32 r11
    r14:64f64 = f64.fma r11, r11, r11
    r15:64f64 = f64.round r11
    r16:1u = f64.le r11, r15
    r17:32u = load.acquire.volatile r1 align 4
    store.release &g0, 5:8
    store.volatile &g0, r0 align 2
    r18:32u = rmw.nand.acqrel &g0, r0
    r19:32u = cmpxchg.seqcst.relaxed &g0, r0, 3:32
    fence.acquire
    call f0()
    r20:32u = call *r1(r0, &f0)
    r21:32u = call extern "g h"(r0, r1) as (_, *, *t3) -> 32 record
    call extern "g"() as ()
    r22:8u = nondet uninitialised
    r23:32u = alloc stack zeroed 4:32 align 4:32 "i j" t0
    r24:32u = alloc heap r0 align 16:32
    r25:32u = alloc heap zeroed 8:32 align 16:32
    r26:32u = alloc heap 8:32 align 16:32 for r25
    endlife r23
    free r26
    r27:32u = size of r24
    fill r1, 0:8, 8:32 by 1
    copy r1, r24, 8:32 by 4
    move r1, r24, r27 by 8
    r28:32u = spawn &f0(r1)
    r29:32u = join r28
    r30:32u = self
    lock &g0
    unlock &g0
    r31:32u = trylock &g0
    mutexinit &g0
    syncuse &g0
    r32:32u = note.own &g0
    r33:32u = spawn &f0(r1) id at &g0
    store.created &g0, r33
    setnote.life &g0, r32
    copied &g0, 4:32 t0
    fresh &g0, 4:32
    atomic begin
    atomic end
    atomic begin drains
    atomic end
    assume r4
    assert r4 reacherror
    defined r4 stalepointer
    unsupported "a \"b\""
    switch r0, 1 => b1, 4294967295 => b0, default b2
b1:
    stop
b2:
    branch r4, b1, b3
b3:
    return r0
}
"#;

#[test]
fn every_form_is_read() {
    let program = parse(FORMS).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(program.to_string(), FORMS);
}

/// Whatever stands there, it is a program or an error.
#[test]
fn broken_texts_do_no_harm() {
    for (at, broken) in FORMS.char_indices() {
        let (before, rest) = (&FORMS[..at], &FORMS[at + broken.len_utf8()..]);
        for instead in ["", "0", "r9", "\"", "\n"] {
            let _ = parse(&format!("{before}{instead}{rest}"));
        }
    }
}
