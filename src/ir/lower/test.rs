//! The shape of lowered code: where branches, accesses and allocations are. What code computes is tested by
//! running it (`solver-tests/lowering`).

use super::lower;
use crate::ir::{DataModel, InstrKind, Operand, Program, Terminator};
use lang_c::driver::{Config, Flavor, parse_preprocessed};

fn program(text: &str) -> Program {
    match try_program(text) {
        Ok(program) => program,
        Err(messages) => panic!("{messages:?}"),
    }
}

fn try_program(text: &str) -> Result<Program, Vec<String>> {
    let config = Config {
        cpp_command: String::new(),
        cpp_options: Vec::new(),
        flavor: Flavor::GnuC11,
    };
    let unit = parse_preprocessed(&config, text.to_string())
        .expect("it parses")
        .unit;
    lower(
        &[super::Unit::alone(&unit)],
        DataModel::Ilp32,
        Default::default(),
    )
    .map_err(|d| d.into_iter().map(|d| d.message).collect())
}

/// Checks the text of the blocks of `void f(int a, int b, int *p)` with this body.
fn check(globals: &str, body: &str, expect: &[&str]) {
    let text = format!(
        "{globals}\nvoid f(int a, int b, int *p) {{ {body} }}\nint main(void) {{ f(1, 2, 0); return 0; }}"
    );
    let printed = program(&text).functions[crate::ir::FuncId(0)].to_string();
    let lines: Vec<&str> = printed
        .lines()
        .map(str::trim)
        .skip_while(|line| *line != "b0:")
        .filter(|line| *line != "}")
        .collect();
    assert_eq!(lines, expect, "\n{printed}");
}

#[test]
fn constant_conditions_do_not_branch() {
    check(
        "",
        "while (1) { if (0) a = 1; }",
        &["b0:", "jump b1", "b1:", "jump b1"],
    );
    check(
        "",
        "do a = 1; while (0 && b);",
        &["b0:", "r0:32s = use 1:32", "return"],
    );
    check("", "for (;;) return;", &["b0:", "return"]);
    check(
        "",
        "switch (2) { case 1: a = 1; case 2: a = 2; }",
        &["b0:", "r0:32s = use 2:32", "return"],
    );
}

#[test]
fn pure_operands_are_joined() {
    check(
        "",
        "if (a < b && b != 3) a = 0;",
        &[
            "b0:",
            "r3:1u = slt r0, r1",
            "r4:1u = ne r1, 3:32",
            "r5:1u = and r3, r4",
            "branch r5, b1, b2",
            "b1:",
            "r0:32s = use 0:32",
            "jump b2",
            "b2:",
            "return",
        ],
    );
    check(
        "",
        "if (p && *p) a = 0;",
        &[
            "b0:",
            "r3:1u = ne r2, 0:32",
            "branch r3, b1, b3",
            "b1:",
            "r4:32u = load r2 align 4",
            "r5:1u = ne r4, 0:32",
            "branch r5, b2, b3",
            "b2:",
            "r0:32s = use 0:32",
            "jump b3",
            "b3:",
            "return",
        ],
    );
    check(
        "",
        "a = b > 1 ? a : 7;",
        &[
            "b0:",
            "r3:1u = slt 1:32, r1",
            "r4:32u = select r3, r0, 7:32",
            "r0:32s = use r4",
            "return",
        ],
    );
}

#[test]
fn accesses_are_what_the_source_says() {
    check(
        "int x; volatile int v; _Atomic int c;",
        "x++; v = x; c++; c = c + 1;",
        &[
            "b0:",
            "r3:32u = load &g0 align 4",
            "r4:32u = add r3, 1:32",
            "store &g0, r4 align 4",
            "r5:32u = load &g0 align 4",
            "store.volatile &g1, r5 align 4",
            "r6:32u = rmw.add.seqcst &g2, 1:32",
            "r7:32u = load.seqcst &g2 align 4",
            "r8:32u = add r7, 1:32",
            "store.seqcst &g2, r8 align 4",
            "return",
        ],
    );
}

#[test]
fn undefined_behaviour_is_marked_where_it_is_possible() {
    check(
        "",
        "a = a / b; a = a / 2; a = a << 3; a = a >> b;",
        &[
            "b0:",
            "r3:1u = ne r1, 0:32",
            "defined r3 divisionbyzero",
            "r4:1u = ne r1, 4294967295:32",
            "r5:1u = ne r0, 2147483648:32",
            "r6:1u = or r5, r4",
            "defined r6 divisionoverflow",
            "r7:32u = sdiv r0, r1",
            "r0:32s = use r7",
            "r8:32u = sdiv r0, 2:32",
            "r0:32s = use r8",
            "r9:32u = shl r0, 3:32",
            "r0:32s = use r9",
            "r10:1u = ult r1, 32:32",
            "defined r10 shiftrange",
            "r11:32u = ashr r0, r1",
            "r0:32s = use r11",
            "return",
        ],
    );
}

#[test]
fn objects_begin_and_end_with_their_scope() {
    check(
        "void g(int *);",
        "while (b) { int x; g(&x); if (a) break; }",
        &[
            "b0:",
            "jump b1",
            "b1:",
            "r3:1u = ne r1, 0:32",
            "branch r3, b2, b5",
            "b2:",
            "r4:32u = alloc stack 4:32 align 4:32 \"x\" t0",
            "call extern \"g\"(r4) as (*t0)",
            "r5:1u = ne r0, 0:32",
            "branch r5, b3, b4",
            "b3:",
            "endlife r4",
            "jump b5",
            "b4:",
            "endlife r4",
            "jump b1",
            "b5:",
            "return",
        ],
    );
    // A declaration that a jump passes: its object is there from the beginning.
    check(
        "void g(int *);",
        "switch (a) { int x; case 1: g(&x); }",
        &[
            "b0:",
            "r3:32u = alloc stack 4:32 align 4:32 \"x\" t0",
            "switch r0, 1 => b1, default b2",
            "b1:",
            "call extern \"g\"(r3) as (*t0)",
            "jump b2",
            "b2:",
            "endlife r3",
            "return",
        ],
    );
}

#[test]
fn no_edge_leads_to_the_entry() {
    let program = program("int main(void) { again: goto again; }");
    for function in program.functions.iter() {
        for block in function.blocks.iter() {
            assert!(!block.end.successors().contains(&function.entry));
        }
    }
}

#[test]
fn wrong_code_only_counts_where_it_is_reached() {
    let unused = "static int f(void) { return missing; }\nint main(void) { return 0; }";
    assert!(try_program(unused).is_ok());
    let used = "static int f(void) { return missing; }\nint (*p)(void) = f;\nint main(void) { return p(); }";
    assert_eq!(
        try_program(used).unwrap_err(),
        ["`missing` is not declared"]
    );
    let none = "int f(void) { return 0; }";
    assert_eq!(
        try_program(none).unwrap_err(),
        ["the program has no function `main`, with which it begins; \
          define `int main(void)`, or name the file that does as well"]
    );
}

#[test]
fn error_labels_are_assertions_without_other_ones() {
    let asserts = |program: &Program| {
        let instrs = program
            .functions
            .iter()
            .flat_map(|f| f.blocks.iter())
            .flat_map(|b| &b.instrs);
        instrs
            .filter(|i| matches!(i.kind, InstrKind::Assert { .. }))
            .count()
    };
    let label = "int x; int main(void) { if (x) { ERROR: ; } return 0; }";
    assert_eq!(asserts(&program(label)), 1);
    let call = "void reach_error(void); int x; int main(void) { if (x) { ERROR: reach_error(); } return 0; }";
    assert_eq!(asserts(&program(call)), 0);
}

#[test]
fn calls_fit_their_definition() {
    let program = program(
        "int f(a, b) int a; long long b; { return a; }\n\
         int main(void) { short r = f(1); f(1, 2, 3); return r; }",
    );
    let main = &program.functions[program.main];
    let mut calls = 0;
    for instr in main.blocks.iter().flat_map(|b| &b.instrs) {
        if let InstrKind::Call { args, .. } = &instr.kind {
            let widths: Vec<u16> = args
                .iter()
                .map(|arg| match arg {
                    Operand::Reg(reg) => main.regs[*reg].bits,
                    Operand::Const { bits, .. } => *bits,
                    _ => 32,
                })
                .collect();
            assert_eq!(widths, [32, 64]);
            calls += 1;
        }
    }
    assert_eq!(calls, 2);
}

#[test]
fn the_end_of_main_returns_zero() {
    let program = program("int main(void) { }");
    let main = &program.functions[program.main];
    let Terminator::Return(Some(value)) = &main.blocks[main.entry].end else {
        panic!("main returns");
    };
    assert_eq!(*value, Operand::Const { value: 0, bits: 32 });
}

#[test]
fn addresses_of_library_functions_forward_to_them() {
    let program = program(
        "void free(void *); void (*release)(void *) = free; int main(void) { release(0); return 0; }",
    );
    let text = program.to_string();
    assert!(text.contains("call extern \"free\"(r0)"), "{text}");
}

#[test]
fn refusals_name_the_reason() {
    let refused = |body: &str, reason: &str| {
        let text = format!("struct s; int main(void) {{ {body} }}");
        let messages = try_program(&text).unwrap_err();
        assert!(messages[0].contains(reason), "{messages:?}");
    };
    refused("struct s x;", "incomplete");
    refused("goto nowhere;", "no label `nowhere`");
    refused("break;", "`break` outside");
    refused("int x; x.y = 1;", "`y`");
    refused("int x; *x = 1;", "not a pointer");
    refused("case 1: ;", "outside a `switch`");
    refused("int a[-1];", "negative");
    refused("int f(int); f();", "`f` takes 1 argument, none is given");
    refused("_Static_assert(0, \"why\");", "why");
    refused("static int n; static int m = n;", "must be constant");
    refused("3 = 4;", "designates no object");
}

#[test]
fn an_assumption_only_looks() {
    check(
        "",
        "__builtin_assume(a < b); a = 1;",
        &[
            "b0:",
            "r3:1u = slt r0, r1",
            "defined r3 builtinunreachable",
            "r0:32s = use 1:32",
            "return",
        ],
    );
    let text = "int g(void); int main(void) { __builtin_assume(g()); return 0; }";
    let messages = try_program(text).unwrap_err();
    assert!(
        messages[0].contains("must only look at values"),
        "{messages:?}"
    );
}

#[test]
fn a_constant_object_is_its_value() {
    check(
        "static __attribute__((__selvedge_constexpr__)) int n = 2;",
        "__attribute__((__selvedge_constexpr__)) unsigned char k = n + 1; int list[k]; a = sizeof list + n;",
        &[
            "b0:",
            "r3:8u = use 3:8",
            "r4:32u = alloc stack 12:32 align 4:32 \"list\" t1",
            "r0:32s = use 14:32",
            "endlife r4",
            "return",
        ],
    );
    for text in [
        "int f(void); int main(void) { __attribute__((__selvedge_constexpr__)) int x = f(); return 0; }",
        "int main(void) { __attribute__((__selvedge_constexpr__)) int x; return 0; }",
    ] {
        assert!(try_program(text).is_err(), "{text}");
    }
}
