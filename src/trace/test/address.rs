//! Operators on addresses, rule by rule; and schedules that choose machine addresses.

use super::*;
use crate::event::Origin;
use crate::trace::interpret::stop::Misplaced;
use crate::trace::interpret::word::Word;

/// Registers: 0 and 1 hold addresses of objects of 16 and 4 bytes, 2 an address of the first, which has ended; 9 the result.
fn alloc(dst: u32, size: u128) -> InstrKind {
    InstrKind::Alloc {
        dst: Reg(dst),
        size_bytes: num(size, WORD),
        align_bytes: num(16, WORD),
        kind: AllocKind::Heap,
    }
}

/// Value of the result register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Is {
    /// An address so far behind the start of the object of register 0, whose base nobody has asked for.
    At(i64),
    /// The same, and the base was asked for.
    SeenAt(i64),
    /// A number, and nobody has looked at a base.
    Unseen(u128),
    /// The machine address so far behind that object's start, as a number.
    Number(i64),
    /// Undefined behaviour.
    Undefined,
}

use Is::{At, Number, SeenAt, Unseen};

/// Result of instructions on addresses, with a result register of so many bits.
fn result(kinds: Vec<InstrKind>, bits: u16) -> Is {
    let mut build = Build::new(1);
    let mut widths = vec![WORD; 9];
    widths.push(bits);
    widths.extend([128, 128, 1]);
    let mut body = vec![alloc(0, 16), alloc(1, 4)];
    body.extend(kinds);
    build.function("main", &widths, vec![(body, Terminator::Return(None))]);
    let mut interpreter =
        Interpreter::new(&build.program, Bounds::default()).expect("small objects");
    let mut state = interpreter.start();
    let main = ThreadId(0);
    let mut last = Word::default();
    let mut first = Word::default();
    while state.thread(main).status == Status::Running {
        if let Effect::Cut(Cut::Undefined(_)) = interpreter.execute(&mut state, main, &mut Zeros) {
            return Is::Undefined;
        }
        if state.frame(main).index == 1 {
            first = state.frame(main).word(Reg(0));
        }
        last = state.frame(main).word(Reg(9));
    }
    let placed = state.lives.placed().count() > 0;
    let behind = |value: u128, start: u128| value.wrapping_sub(start) as i64;
    let base = interpreter.known_machine(&state, first.value);
    match (last.is_number(), placed) {
        (false, false) => At(behind(last.value, first.value)),
        (false, true) => SeenAt(behind(last.value, first.value)),
        (true, false) => Unseen(last.value),
        (true, true) => Number(behind(last.value, base.unwrap_or(0))),
    }
}

fn on(op: BinOp, a: Operand, b: Operand) -> Is {
    let bits = match op {
        BinOp::Eq | BinOp::Ne | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe => 1,
        _ => WORD,
    };
    result(vec![assign(9, op, a, b)], bits)
}

#[test]
fn arithmetic_stays_an_address_inside_the_object() {
    let word = |value: i64| num(value as u64 as u128, WORD);
    for (op, a, b, expected) in [
        (BinOp::Add, reg(0), word(5), At(5)),
        (BinOp::Add, word(5), reg(0), At(5)),
        (BinOp::Add, reg(0), word(-1), Number(-1)),
        (BinOp::Add, reg(0), word(16), Number(16)),
        (BinOp::Add, reg(0), word(0), At(0)),
        (BinOp::Sub, reg(0), word(-15), At(15)),
        (BinOp::Sub, reg(0), word(1), Number(-1)),
        (BinOp::Sub, reg(0), reg(0), Unseen(0)),
        // Below the alignment nobody looks.
        (BinOp::Or, reg(0), word(3), At(3)),
        (BinOp::Xor, reg(0), word(1), At(1)),
        (BinOp::And, reg(0), word(!15), At(0)),
        (BinOp::And, reg(0), word(0xffff_ffff_ffff), At(0)),
        (BinOp::And, reg(0), word((1 << 47) - 1), At(0)),
        // The first base of all is the start of a page.
        (BinOp::And, reg(0), word(!63), SeenAt(0)),
        (BinOp::Or, reg(0), word(16), Number(16)),
        (BinOp::Mul, reg(0), word(1), Number(0)),
        (BinOp::Shl, reg(0), word(0), Number(0)),
        (BinOp::Or, reg(0), word(1 << 48), Number(1 << 48)),
        (BinOp::Xor, reg(0), word(8192), Number(8192)),
    ] {
        assert_eq!(on(op, a, b), expected, "{op:?} {a:?} {b:?}");
    }
}

#[test]
fn comparisons_look_no_more_than_needed() {
    let word = |value: u128| num(value, WORD);
    for (op, a, b, expected) in [
        (BinOp::Eq, reg(0), reg(0), Unseen(1)),
        (BinOp::Eq, reg(0), reg(1), Unseen(0)),
        (BinOp::Ne, reg(0), word(0), Unseen(1)),
        (BinOp::Eq, word(4095), reg(0), Unseen(0)),
        (BinOp::Eq, reg(0), word(1 << 47), Unseen(0)),
        (BinOp::Eq, Operand::FuncAddr(FuncId(0)), reg(0), Unseen(0)),
        (
            BinOp::Eq,
            Operand::FuncAddr(FuncId(0)),
            global(0),
            Unseen(0),
        ),
        (BinOp::ULe, reg(0), reg(0), Unseen(1)),
    ] {
        assert_eq!(on(op, a, b), expected, "{op:?} {a:?} {b:?}");
    }
    let seen = |op, a, b| matches!(on(op, a, b), Number(_));
    assert!(seen(BinOp::Eq, reg(0), word(4096)));
    assert!(seen(BinOp::ULt, reg(0), reg(1)));
    assert!(seen(BinOp::ULt, reg(0), word(1)));
    // One past the end is not inside.
    let past = InstrKind::Assign {
        dst: Reg(3),
        value: Rvalue::Offset {
            base: reg(0),
            offset_bytes: num(16, WORD),
        },
    };
    let compared = result(vec![past, assign(9, BinOp::Eq, reg(3), reg(1))], 1);
    assert!(matches!(compared, Number(_)));
    // Nor is anything inside an object that has ended.
    let free = InstrKind::Free { addr: reg(1) };
    let compared = result(vec![free, assign(9, BinOp::Eq, reg(0), reg(1))], 1);
    assert!(matches!(compared, Number(_)));
}

#[test]
fn copies_and_casts_keep_what_is_whole() {
    let to = |dst: u32, value: Rvalue| InstrKind::Assign {
        dst: Reg(dst),
        value,
    };
    let wide = |op, by| {
        vec![
            to(10, Rvalue::ZeroExtend(reg(0))),
            assign(11, BinOp::Shl, reg(10), num(by, 128)),
            assign(10, op, reg(11), num(7, 128)),
            assign(11, BinOp::LShr, reg(10), num(by, 128)),
            to(9, Rvalue::Truncate(reg(11))),
        ]
    };
    for (what, kinds, bits, expected) in [
        ("use", vec![to(9, Rvalue::Use(reg(0)))], WORD, At(0)),
        (
            "extend",
            vec![to(9, Rvalue::ZeroExtend(reg(0)))],
            128,
            At(0),
        ),
        ("sign", vec![to(9, Rvalue::SignExtend(reg(0)))], 128, At(0)),
        (
            "neg",
            vec![
                to(9, Rvalue::Unary(UnOp::Neg, reg(0))),
                assign(9, BinOp::Sub, num(0, WORD), reg(9)),
            ],
            WORD,
            Number(0),
        ),
        ("packed", wide(BinOp::Or, 64), WORD, At(0)),
        ("packed oddly", wide(BinOp::Or, 8), WORD, Number(0)),
        (
            "the upper lane",
            {
                let mut all = wide(BinOp::Or, 64);
                all.truncate(3);
                all.push(to(9, Rvalue::Truncate(reg(10))));
                all
            },
            WORD,
            Unseen(7),
        ),
        (
            "chosen",
            vec![to(
                9,
                Rvalue::Select {
                    cond: num(1, 1),
                    then: reg(0),
                    other: num(0, WORD),
                },
            )],
            WORD,
            At(0),
        ),
        (
            "offset",
            vec![to(
                9,
                Rvalue::Offset {
                    base: reg(0),
                    offset_bytes: num(100, WORD),
                },
            )],
            WORD,
            At(100),
        ),
        (
            "out of the slot",
            vec![to(
                9,
                Rvalue::Offset {
                    base: reg(0),
                    offset_bytes: num(1 << 62, WORD),
                },
            )],
            WORD,
            Is::Undefined,
        ),
    ] {
        assert_eq!(result(kinds, bits), expected, "{what}");
    }
    // A half is one of the number.
    let half = result(vec![to(9, Rvalue::Truncate(reg(0)))], 32);
    assert!(matches!(half, Number(_)));
}

#[test]
fn memory_keeps_whole_words() {
    let at = |offset: u128, dst: u32| InstrKind::Assign {
        dst: Reg(dst),
        value: Rvalue::Offset {
            base: reg(0),
            offset_bytes: num(offset, WORD),
        },
    };
    let store = |addr: u32, value: Operand| InstrKind::Store {
        addr: reg(addr),
        value,
        access: Access::PLAIN,
    };
    let load = |dst: u32, addr: u32| InstrKind::Load {
        dst: Reg(dst),
        addr: reg(addr),
        access: Access::PLAIN,
    };
    let kept = vec![at(8, 3), store(3, reg(0)), load(9, 3)];
    assert_eq!(result(kept, WORD), At(0));
    // A byte is one of the number, and so is the rest then.
    let byte = vec![at(8, 3), store(3, reg(0)), load(9, 3)];
    assert!(matches!(result(byte, 8), Number(_)));
    let broken = vec![at(8, 3), store(3, reg(0)), store(3, num(0, 8)), load(9, 3)];
    // The first base is the start of a page.
    assert_eq!(result(broken, WORD), Number(0));
    let moved = vec![at(8, 3), at(7, 4), store(3, reg(0)), load(9, 4)];
    assert!(matches!(result(moved, WORD), Number(_)));
    let covered = vec![
        at(8, 3),
        store(3, reg(0)),
        store(3, num(3, WORD)),
        load(9, 3),
    ];
    assert_eq!(result(covered, WORD), Unseen(3));
    let exchange = InstrKind::CmpXchg {
        dst: Reg(4),
        addr: reg(3),
        expected: reg(0),
        desired: num(9, WORD),
        success: MemOrder::SeqCst,
        failure: MemOrder::SeqCst,
    };
    let exchanged = vec![at(8, 3), store(3, reg(0)), exchange, load(9, 3)];
    assert_eq!(result(exchanged, WORD), Unseen(9));
}

#[test]
fn numbers_lead_to_objects() {
    let number = |dst: u32| {
        vec![
            assign(3, BinOp::Mul, reg(0), num(3, WORD)),
            assign(dst, BinOp::UDiv, reg(3), num(3, WORD)),
        ]
    };
    let with = |last: Vec<InstrKind>| {
        let mut all = number(4);
        all.extend(last);
        result(all, WORD)
    };
    let store = |addr: Operand, value: Operand| InstrKind::Store {
        addr,
        value,
        access: Access::PLAIN,
    };
    let load = |addr: Operand| InstrKind::Load {
        dst: Reg(9),
        addr,
        access: Access::PLAIN,
    };
    assert_eq!(with(vec![store(reg(4), reg(0)), load(reg(0))]), SeenAt(0));
    assert_eq!(
        with(vec![InstrKind::Free { addr: reg(4) }, load(reg(0))]),
        Is::Undefined
    );
    assert_eq!(
        with(vec![InstrKind::Free { addr: reg(0) }, load(reg(4))]),
        Is::Undefined
    );
    let inside = assign(5, BinOp::Add, reg(4), num(1, WORD));
    assert_eq!(
        with(vec![inside.clone(), InstrKind::Free { addr: reg(5) }]),
        Is::Undefined
    );
    assert_eq!(
        with(vec![
            assign(5, BinOp::Add, reg(4), num(9, WORD)),
            load(reg(5))
        ]),
        Is::Undefined
    );
    assert_eq!(result(vec![load(num(4096, WORD))], WORD), Is::Undefined);
}

/// main allocates, frees and allocates again, and asserts that the addresses differ.
fn freed_and_allocated() -> Program {
    let mut build = Build::new(1);
    let body = vec![
        alloc(0, 4),
        alloc(1, 4),
        InstrKind::Free { addr: reg(0) },
        alloc(2, 4),
        assign(3, BinOp::Ne, reg(0), reg(2)),
        assert(reg(3)),
    ];
    build.function(
        "main",
        &[WORD, WORD, WORD, 1],
        vec![(body, Terminator::Return(None))],
    );
    build.program
}

/// The replay of a schedule that puts the three objects there.
fn placed(bases: [Option<u64>; 3]) -> Result<crate::trace::Trace, Reason> {
    let program = freed_and_allocated();
    let mut schedule = schedule(vec![at(0, 5)]);
    schedule.threads.truncate(1);
    schedule.visible = vec![HashSet::new(); 1];
    for (index, base) in [0, 1, 3].into_iter().zip(bases) {
        let (thread, position) = at(0, index);
        let origin = Origin::Alloc(thread, position);
        schedule.bases.extend(base.map(|base| (origin, base)));
    }
    replay(&program, &schedule).map_err(|divergence| divergence.why)
}

#[test]
fn a_schedule_says_where_objects_are() {
    let trace = placed([Some(0x5000), None, Some(0x5000)]).expect("the storage comes back");
    let reuse = trace.steps.iter().find_map(|step| match &step.action {
        Action::Reuse {
            object,
            before,
            by,
            freed,
        } => Some((&**object, &**before, by.0, *freed)),
        _ => None,
    });
    assert_eq!(reuse, Some(("heap#3", "heap#1", 0, true)));
    // Elsewhere, or anywhere.
    for other in [Some(0x7000), None] {
        assert_eq!(
            placed([Some(0x5000), None, other]).err(),
            Some(Reason::NoViolation)
        );
    }
}

#[test]
fn impossible_places_are_named() {
    let why = |bases| placed(bases).err();
    let wrong = |misplaced| Some(Reason::Misplaced(misplaced));
    assert_eq!(
        why([Some(0x5008), None, Some(0x5008)]),
        wrong(Misplaced::Alignment)
    );
    assert_eq!(
        why([Some(0x800), None, Some(0x800)]),
        wrong(Misplaced::Range)
    );
    let top = (1 << 47) - 16;
    assert!(placed([Some(top), None, Some(top)]).is_ok());
    assert_eq!(
        why([Some(1 << 47), None, Some(1 << 47)]),
        wrong(Misplaced::Range)
    );
}

#[test]
fn what_lives_at_once_does_not_overlap() {
    let mut build = Build::new(1);
    let body = vec![
        alloc(0, 32),
        alloc(1, 4),
        assign(2, BinOp::ULt, reg(0), reg(1)),
        assert(reg(2)),
    ];
    build.function(
        "main",
        &[WORD, WORD, 1],
        vec![(body, Terminator::Return(None))],
    );
    let mut schedule = schedule(vec![at(0, 3)]);
    schedule.threads.truncate(1);
    schedule.visible = vec![HashSet::new(); 1];
    let origin = |index| Origin::Alloc(ThreadId(0), at(0, index).1);
    schedule.bases.insert(origin(0), 0x5000);
    for (there, expected) in [
        (0x5000, Reason::Misplaced(Misplaced::Overlap(origin(0)))),
        (0x5010, Reason::Misplaced(Misplaced::Overlap(origin(0)))),
        (0x5020, Reason::NoViolation),
    ] {
        schedule.bases.insert(origin(1), there);
        let divergence = replay(&build.program, &schedule).expect_err("it holds");
        assert_eq!(divergence.why, expected, "{there:#x}");
    }
    schedule.bases.insert(origin(1), 0x4ff0);
    assert!(replay(&build.program, &schedule).is_ok());
}
