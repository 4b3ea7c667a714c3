//! Calls become instructions: one check per shape of rewriting, on programs built by hand.

use super::*;
use crate::base::{IdVec, Loc};
use crate::ir::{Block, DataModel, FuncId, Instr, LockHolders, RegInfo, Rvalue};

/// A program whose `main` has one block with these calls (name, result width, arguments, whether the result is
/// used), then returns.
fn program(calls: &[(&str, Option<u16>, Vec<Operand>)]) -> Program {
    let mut regs = IdVec::new();
    let mut instrs = Vec::new();
    for (name, ret_bits, args) in calls {
        let dst = ret_bits.map(|bits| regs.push(RegInfo::temporary(bits)));
        let call = ExternCall {
            name: name.to_string(),
            ret_bits: *ret_bits,
            pointer_args: args
                .iter()
                .map(|arg| matches!(arg, Operand::Reg(_) | Operand::GlobalAddr(..)))
                .collect(),
            pointees: vec![],
            record_result: false,
        };
        let kind = InstrKind::Call {
            dst,
            callee: Callee::Extern(call),
            args: args.clone(),
        };
        instrs.push(Instr { kind, loc: Loc(0) });
    }
    let mut blocks = IdVec::new();
    let entry = blocks.push(Block {
        instrs,
        end: Terminator::Return(None),
        end_loc: Loc(9),
    });
    let mut functions: IdVec<FuncId, Function> = IdVec::new();
    let main = functions.push(Function {
        name: "main".into(),
        params: vec![],
        ret_bits: None,
        variadic: false,
        regs,
        blocks,
        entry,
        loc: Loc(0),
        origin: crate::ir::Origin::Program,
    });
    Program {
        model: DataModel::Lp64,
        functions,
        globals: IdVec::new(),
        types: IdVec::new(),
        main,
        warnings: vec![],
        repeated: Default::default(),
        undeclared: Default::default(),
        external: vec![],
        open_calls: Vec::new(),
        open: None,
        handles_signals: false,
        begins: None,
        malloc_may_fail: false,
        deadlocks: false,
        source: None,
    }
}

fn number(value: u128, bits: u16) -> Operand {
    Operand::Const { value, bits }
}

/// Links a program and shows the instructions and ends of `main`, block by block.
fn linked(calls: &[(&str, Option<u16>, Vec<Operand>)]) -> (Program, String) {
    linked_for(Checks::default(), calls)
}

/// The same of a program that is read for these checks.
fn linked_for(checks: Checks, calls: &[(&str, Option<u16>, Vec<Operand>)]) -> (Program, String) {
    let mut program = program(calls);
    let options = Options {
        checks,
        ..Options::default()
    };
    link(&mut program, &options).unwrap();
    let mut shown = String::new();
    for block in program.functions[program.main].blocks.iter() {
        for instr in &block.instrs {
            let kind = format!("{:?}", instr.kind);
            shown += kind.split([' ', '{']).next().unwrap_or("");
            shown += " ";
        }
        shown += match block.end {
            Terminator::Jump(_) => "jump; ",
            Terminator::Branch { .. } => "branch; ",
            Terminator::Return(_) => "return; ",
            Terminator::ThreadExit(_) => "exit; ",
            _ => "stop; ",
        };
    }
    (program, shown.trim_end().to_string())
}

#[test]
fn threads_and_mutexes() {
    let place = Operand::FuncAddr(FuncId(0));
    let check = |name: &str, args: Vec<Operand>, expect: &str| {
        assert_eq!(linked(&[(name, Some(32), args)]).1, expect, "{name}");
    };
    let null = number(0, 64);
    check(
        "pthread_create",
        vec![place, null, place, null],
        "Spawn Store Assign return;",
    );
    // Joining oneself is an error; any other handle is used up.
    check(
        "pthread_join",
        vec![null, null],
        "ThreadSelf Assign Assign Assign branch; Call Join jump; Assign return;",
    );
    check(
        "pthread_join",
        vec![null, number(8, 64)],
        "ThreadSelf Assign Assign Assign branch; Call Join branch; Assign return; Store jump; jump;",
    );
    check("pthread_mutex_lock", vec![place], "Lock Assign return;");
    check(
        "pthread_mutex_trylock",
        vec![place],
        "TryLock Assign return;",
    );
    check(
        "pthread_cond_wait",
        vec![place, place],
        "Unlock Lock Assign return;",
    );
    check("pthread_exit", vec![null], "exit;");
    check("pthread_mutex_lock", vec![], "Unsupported Nondet return;");
    check("sem_wait", vec![place], "Call Assign return;");
}

#[test]
fn what_keeps_threads_waiting_is_known_where_deadlocks_are_asked_for() {
    let place = Operand::FuncAddr(FuncId(0));
    let check = |name: &str, args: Vec<Operand>, expect: &str| {
        let asked = Checks::of(&[Check::Deadlock]);
        let shown = linked_for(asked, &[(name, Some(32), args)]).1;
        assert_eq!(shown, expect, "{name}");
    };
    check(
        "pthread_mutex_lock",
        vec![place],
        "Lock SetNote Assign stop;",
    );
    check(
        "pthread_mutex_unlock",
        vec![place],
        "Note Assign Defined Assign SetNote Unlock Assign stop;",
    );
    check(
        "pthread_spin_trylock",
        vec![place],
        "TryLock Assign Note Assign SetNote Assign stop;",
    );
    // Joins the waiters, unlocks, wakes for no cause or waits, locks.
    check(
        "pthread_cond_wait",
        vec![place, place],
        "Call Note Assign Defined Assign SetNote Unlock Nondet Assign Call Lock SetNote Assign stop;",
    );
    // Leaves at any time.
    check(
        "cnd_timedwait",
        vec![place, place, place],
        "Call Note Assign Defined Assign SetNote Unlock Call Lock SetNote Nondet Assign Assign stop;",
    );
    // Nobody waits for a signal here.
    check("pthread_cond_signal", vec![place], "Assign stop;");
}

/// Waits of a program text that is read for deadlocks: whether each is for a lock, and whether to share it.
fn waits(text: &str, rwlock: Preference) -> Vec<Option<LockHolders>> {
    let source = crate::source::Source::from_text("t.i", text);
    let unit = crate::syntax::parse(&source).unwrap();
    let options = Options {
        checks: Checks::of(&[Check::Deadlock]),
        rwlock,
        ..Options::default()
    };
    let program = read(
        &[crate::ir::lower::Unit::alone(&unit)],
        DataModel::Lp64,
        &options,
    )
    .unwrap();
    assert_eq!(unsupported(&program), [""; 0]);
    let blocks = program.functions.iter().flat_map(|f| f.blocks.iter());
    let waits = blocks
        .flat_map(|b| &b.instrs)
        .filter_map(|i| match &i.kind {
            InstrKind::Wait { lock, .. } => Some(lock.map(|lock| lock.of)),
            _ => None,
        });
    waits.collect()
}

#[test]
fn waits_say_which_lock_they_are_for() {
    let of = |body: &str, rwlock| {
        let text = format!(
            "int pthread_rwlock_rdlock(int *); int sem_wait(int *); int pthread_once(int *, void (*)(void));\n\
             int pthread_barrier_wait(int *); int a[4]; void f(void) {{}} int main(void) {{ {body} return 0; }}"
        );
        waits(&text, rwlock)
    };
    let readers = Preference::Readers;
    // A writer waits for whoever holds the lock, a reader for a writer.
    let both = [LockHolders::All, LockHolders::Alone].map(Some);
    assert_eq!(of("pthread_rwlock_rdlock(a);", readers), both);
    // Readers wait for writers that wait, too, and these do so in a step of their own.
    let (all, alone) = (LockHolders::All, LockHolders::Alone);
    let any = [all, all, alone, all].map(Some);
    let mut found = of("pthread_rwlock_rdlock(a);", Preference::Any);
    found.sort();
    let mut expected = any;
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(of("sem_wait(a);", readers), [None]);
    assert_eq!(of("pthread_barrier_wait(a);", readers), [None]);
    assert_eq!(of("pthread_once(a, f);", readers), [Some(LockHolders::All)]);
}

#[test]
fn nothing_follows_the_end() {
    let calls = [("abort", None, vec![]), ("pthread_self", Some(64), vec![])];
    assert_eq!(linked(&calls).1, "stop;");
    let failed = [
        ("__assert_fail", None, vec![]),
        ("pthread_self", Some(64), vec![]),
    ];
    assert_eq!(linked(&failed).1, "Assert stop;");
    let error = [
        ("reach_error", None, vec![]),
        ("pthread_self", Some(64), vec![]),
    ];
    assert_eq!(linked(&error).1, "Assert ThreadSelf Assign return;");
}

#[test]
fn unknown_functions() {
    let (program, shown) = linked(&[
        ("f", Some(32), vec![]),
        ("f", Some(32), vec![number(0, 64)]),
    ]);
    assert_eq!(shown, "Nondet Nondet return;");
    assert_eq!(program.warnings.len(), 1);
    assert_eq!(program.external, ["f"]);
    // An argument of a function may be a pointer.
    let pointer = Operand::Reg(Reg(0));
    let (program, shown) = linked(&[("g", Some(64), vec![]), ("f", None, vec![pointer])]);
    assert_eq!(shown, "Nondet Unsupported return;");
    assert_eq!(program.external, ["g"]);
}

#[test]
fn a_body_of_reach_error_does_not_run() {
    let mut program = program(&[]);
    let mut error = program.functions[program.main].clone();
    error.name = "reach_error".into();
    let error = program.functions.push(error);
    let main = program.main;
    let entry = program.functions[main].entry;
    let kind = InstrKind::Call {
        dst: None,
        callee: Callee::Direct(error),
        args: vec![],
    };
    program.functions[main].blocks[entry]
        .instrs
        .push(Instr { kind, loc: Loc(3) });
    link(&mut program, &Options::default()).unwrap();
    assert!(matches!(
        program.functions[main].blocks[entry].instrs[0].kind,
        InstrKind::Assert { .. }
    ));
}

#[test]
fn atomic_functions_are_sections() {
    let mut program = program(&[("pthread_self", Some(64), vec![])]);
    program.functions[program.main].name = "__VERIFIER_atomic_step".into();
    link(&mut program, &Options::default()).unwrap();
    let function = &program.functions[program.main];
    let kinds: Vec<bool> = function.blocks[function.entry]
        .instrs
        .iter()
        .map(|i| matches!(i.kind, InstrKind::AtomicBegin { .. } | InstrKind::AtomicEnd))
        .collect();
    assert_eq!(kinds, [true, false, false, true]);
}

#[test]
fn a_bool_is_one_bit() {
    let (program, _) = linked(&[("__VERIFIER_nondet_bool", Some(8), vec![])]);
    let function = &program.functions[program.main];
    let extended = function.blocks[function.entry].instrs.iter().any(|instr| {
        matches!(instr.kind, InstrKind::Assign { value: Rvalue::ZeroExtend(Operand::Reg(bit)), .. }
            if function.regs[bit].bits == 1)
    });
    assert!(extended);
}

#[test]
fn errno_is_per_thread() {
    let (program, _) = linked(&[
        ("__errno_location", Some(64), vec![]),
        ("__errno_location", Some(64), vec![]),
    ]);
    assert_eq!(program.globals.len(), 1);
    assert!(program.globals.iter().all(|global| global.thread_local));
}

/// Lowers and links a program text.
fn linked_text(text: &str) -> Program {
    let source = crate::source::Source::from_text("t.i", text);
    let unit = crate::syntax::parse(&source).unwrap();
    let mut program = crate::ir::lower::lower(
        &[crate::ir::lower::Unit::alone(&unit)],
        DataModel::Lp64,
        Default::default(),
    )
    .unwrap();
    link(&mut program, &Options::default()).unwrap();
    program
}

/// Reasons for which a program is unsupported.
fn unsupported(program: &Program) -> Vec<&str> {
    let instrs = program
        .functions
        .iter()
        .flat_map(|f| f.blocks.iter())
        .flat_map(|b| &b.instrs);
    let reasons = instrs.filter_map(|instr| match &instr.kind {
        InstrKind::Unsupported { reason } => Some(reason.as_str()),
        _ => None,
    });
    reasons.collect()
}

#[test]
fn models_of_what_is_called_are_appended() {
    let program = linked_text(
        "unsigned long strlen(const char *); char *strdup(const char *); char b[4];\n\
         int main(void) { strdup(\"ab\"); __builtin_memset(b, 0, 4); return strlen(b); }",
    );
    let mut names: Vec<&str> = program.functions.iter().map(|f| f.name.as_str()).collect();
    names.sort_unstable();
    // Models that block operations call if they are not written out stand by.
    names.retain(|name| !name.starts_with("__selvedge_memset"));
    assert_eq!(names, ["main", "stpcpy", "strdup", "strlen"]);
    assert_eq!(unsupported(&program), [""; 0]);
    let blocks = program.functions.iter().flat_map(|f| f.blocks.iter());
    for instr in blocks.flat_map(|block| &block.instrs) {
        match &instr.kind {
            InstrKind::Call {
                callee: Callee::Direct(callee),
                ..
            } => {
                assert!(program.functions.get(*callee).is_some());
            }
            InstrKind::Call { .. } => panic!("{instr:?}"),
            _ => {}
        }
    }
}

#[test]
fn literals_may_go_anywhere_but_memory_not() {
    let program = linked_text(
        "int log_text(const char *); int look(int *); int x;\n\
         int main(void) { const char *s = \"a\"; log_text(\"b\"); log_text(s); log_text(0); return look(&x); }",
    );
    assert_eq!(
        unsupported(&program),
        [
            "a call of `look`, which has no body and receives a pointer to memory of the program (see --extern),"
        ]
    );
}

#[test]
fn kinds_of_mutexes_are_looked_at_where_there_are_some() {
    let models = |kind| {
        let program = linked_text(&format!(
            "typedef struct {{ int __kind, __owner, __count; }} pthread_mutex_t;\n\
             int pthread_mutex_lock(pthread_mutex_t *); pthread_mutex_t a[2] = {{ {{0}}, {{{kind}}} }};\n\
             int main(void) {{ return pthread_mutex_lock(a); }}"
        ));
        assert!(
            unsupported(&program)
                .iter()
                .all(|reason| !reason.contains("mutex"))
        );
        program.functions.len() - 1
    };
    assert_eq!(models(0), 0);
    assert!(models(1) > 0);
}

#[test]
fn formatted_input_is_free() {
    let program = linked_text(
        "int sscanf(const char *, const char *, ...); int x; char *s;\n\
         int main(int c, char **v) { return sscanf(v[1], \"%d\", &x); }",
    );
    assert_eq!(unsupported(&program), [""; 0]);
    let text = linked_text(
        "int scanf(const char *, ...); char s[9]; int main(void) { return scanf(\"%s\", s); }",
    );
    assert!(unsupported(&text)[0].contains("other conversions"));
}

#[test]
fn keys_have_a_value_in_each_thread() {
    let program = linked_text(
        "int pthread_key_create(unsigned *, void (*)(void *)); void *pthread_getspecific(unsigned);\n\
         int pthread_setspecific(unsigned, const void *); unsigned k;\n\
         int main(void) { pthread_key_create(&k, 0); pthread_setspecific(k, &k); return pthread_getspecific(k) == &k; }",
    );
    let mut values: Vec<bool> = program
        .globals
        .iter()
        .filter(|g| g.loc == Loc::NONE)
        .map(|g| g.thread_local)
        .collect();
    values.sort_unstable();
    // The number of keys, their destructors, the values.
    assert_eq!(values, [false, false, true]);
}

/// Conditions of the assertions of a program that are not constants, and the number of those that are.
fn assertions(program: &Program) -> (usize, usize) {
    let blocks = program.functions.iter().flat_map(|f| f.blocks.iter());
    let conditions = blocks
        .flat_map(|b| &b.instrs)
        .filter_map(|instr| match instr.kind {
            InstrKind::Assert { cond, .. } => Some(matches!(cond, Operand::Const { .. })),
            _ => None,
        });
    let (constants, others): (Vec<bool>, Vec<bool>) = conditions.partition(|constant| *constant);
    (others.len(), constants.len())
}

#[test]
fn conditions_are_asserted_before_the_branch() {
    let fail = "void __assert_fail(void); void reach_error(void) {} void abort(void); int x, y;\n";
    let of = |body: &str| {
        assertions(&linked_text(&format!(
            "{fail}int main(void) {{ {body} return 0; }}"
        )))
    };
    assert_eq!(of("if (x) ; else __assert_fail();"), (1, 0));
    assert_eq!(of("if (!x) { reach_error(); abort(); }"), (1, 0));
    assert_eq!(of("x ? (void)0 : __assert_fail();"), (1, 0));
    // Other effects there, or other ways to get there, keep the call where it is.
    assert_eq!(of("if (!x) { y = 1; __assert_fail(); }"), (0, 1));
    assert_eq!(of("if (!x) { reach_error(); y = 1; }"), (0, 1));
    assert_eq!(of("__assert_fail();"), (0, 1));
}
