//! The interpreter, the enumeration and the replay on programs built by hand.

use super::enumerate::{Exploration, Limits, enumerate};
use super::interpret::state::Status;
use super::interpret::word::Word;
use super::interpret::{Bounds, Effect, Interpreter, Zeros};
use super::replay::Reason;
use super::replay::run::replay;
use super::{Action, Move, Schedule};
use crate::analysis::Loop;
use crate::base::{IdVec, Loc};
use crate::event::{Cut, MemoryModel, ThreadId};
use crate::ir::address::AddressSpace;
use crate::ir::position::{FramePath, PosKey, position};
use crate::ir::ty::Type;
use crate::ir::*;
use hashbrown::{HashMap, HashSet};

mod address;
mod deadlock;
mod race;
mod replay;

/// A program under construction; every register has 64 bits unless its number says otherwise.
struct Build {
    program: Program,
}

const WORD: u16 = 64;

fn reg(number: u32) -> Operand {
    Operand::Reg(Reg(number))
}

fn num(value: u128, bits: u16) -> Operand {
    Operand::Const { value, bits }
}

impl Build {
    /// A program with globals of 4 bytes and no function.
    fn new(globals: u32) -> Build {
        let mut types = IdVec::new();
        let int = types.push(Type::integer(32, true));
        let globals = (0..globals).map(|i| Global {
            name: format!("g{i}"),
            ty: int,
            size_bytes: 4,
            align_bytes: 4,
            init: Vec::new(),
            thread_local: false,
            read_only: false,
            loc: Loc::NONE,
        });
        let program = Program {
            model: DataModel::Lp64,
            functions: IdVec::new(),
            globals: globals.collect(),
            types,
            main: FuncId(0),
            warnings: Vec::new(),
            repeated: Default::default(),
            undeclared: Default::default(),
            external: Vec::new(),
            open_calls: Vec::new(),
            open: None,
            handles_signals: false,
            begins: None,
            malloc_may_fail: false,
            deadlocks: false,
            source: None,
        };
        Build { program }
    }

    /// Adds a function of blocks; `widths` are those of its registers. Places count instructions over
    /// the whole program, in hundreds per function.
    fn function(
        &mut self,
        name: &str,
        widths: &[u16],
        blocks: Vec<(Vec<InstrKind>, Terminator)>,
    ) -> FuncId {
        let base = 100 * (self.program.functions.len() as u32 + 1);
        let mut next = base;
        let mut loc = || {
            next += 1;
            Loc(next - 1)
        };
        let regs = widths
            .iter()
            .map(|bits| RegInfo::temporary(*bits))
            .collect();
        let blocks = blocks
            .into_iter()
            .map(|(instrs, end)| Block {
                instrs: instrs
                    .into_iter()
                    .map(|kind| Instr { kind, loc: loc() })
                    .collect(),
                end,
                end_loc: loc(),
            })
            .collect();
        self.program.functions.push(Function {
            name: name.to_string(),
            params: Vec::new(),
            ret_bits: None,
            variadic: false,
            regs,
            blocks,
            entry: BlockId(0),
            loc: Loc::NONE,
            origin: crate::ir::Origin::Program,
        })
    }
}

fn global(id: u32) -> Operand {
    Operand::GlobalAddr(GlobalId(id), 0)
}

fn load(dst: u32, from: u32) -> InstrKind {
    InstrKind::Load {
        dst: Reg(dst),
        addr: global(from),
        access: Access::PLAIN,
    }
}

fn store(to: u32, value: Operand) -> InstrKind {
    InstrKind::Store {
        addr: global(to),
        value,
        access: Access::PLAIN,
    }
}

fn assign(dst: u32, op: BinOp, a: Operand, b: Operand) -> InstrKind {
    InstrKind::Assign {
        dst: Reg(dst),
        value: Rvalue::Binary(op, a, b),
    }
}

fn spawn(dst: u32, start: u32) -> InstrKind {
    InstrKind::Spawn {
        dst: Reg(dst),
        start: Operand::FuncAddr(FuncId(start)),
        arg: num(0, WORD),
        id_at: None,
    }
}

fn assert(cond: Operand) -> InstrKind {
    InstrKind::Assert {
        cond,
        property: Property::Assertion,
    }
}

/// main starts `body` twice, waits for both and asserts `g0 == 2`.
fn twice(before: Vec<InstrKind>, after: Vec<InstrKind>) -> Program {
    let mut build = Build::new(2);
    let main = vec![
        spawn(0, 1),
        spawn(1, 1),
        InstrKind::Join {
            dst: Reg(2),
            thread: reg(0),
        },
        InstrKind::Join {
            dst: Reg(2),
            thread: reg(1),
        },
        load(3, 0),
        assign(4, BinOp::Eq, reg(3), num(2, 32)),
        assert(reg(4)),
    ];
    build.function(
        "main",
        &[WORD, WORD, WORD, 32, 1],
        vec![(main, Terminator::Return(None))],
    );
    let mut body = before;
    body.extend([
        load(0, 0),
        assign(1, BinOp::Add, reg(0), num(1, 32)),
        store(0, reg(1)),
    ]);
    body.extend(after);
    build.function("add", &[32, 32], vec![(body, Terminator::Return(None))]);
    build.program
}

fn explore(program: &Program, unwind: Option<u32>) -> Exploration {
    let bounds = Bounds {
        unwind,
        ..Bounds::default()
    };
    let found = enumerate(program, bounds, &Limits::default()).expect("small objects");
    assert!(!found.gave_up);
    found
}

#[test]
fn an_unprotected_increment_is_lost() {
    let found = explore(&twice(vec![], vec![]), None);
    assert_eq!(found.violations.into_keys().collect::<Vec<_>>(), [Loc(106)]);
    assert!(found.asserted);
}

#[test]
fn locks_and_sections_protect() {
    let lock = (
        InstrKind::Lock { addr: global(1) },
        InstrKind::Unlock { addr: global(1) },
    );
    let section = (
        InstrKind::AtomicBegin { drains: true },
        InstrKind::AtomicEnd,
    );
    for (begin, end) in [lock, section] {
        let found = explore(&twice(vec![begin], vec![end]), None);
        assert!(found.asserted && found.violations.is_empty() && found.cuts.is_empty());
    }
}

#[test]
fn a_lock_that_is_never_released_keeps_main_from_its_assertion() {
    let found = explore(
        &twice(vec![InstrKind::Lock { addr: global(1) }], vec![]),
        None,
    );
    assert!(!found.asserted && found.violations.is_empty());
}

/// main starts one thread, then asserts `g0 == 0`.
fn observed(body: Vec<(Vec<InstrKind>, Terminator)>, widths: &[u16]) -> Program {
    let mut build = Build::new(2);
    let main = vec![
        spawn(0, 1),
        load(1, 0),
        assign(2, BinOp::Eq, reg(1), num(0, 32)),
        assert(reg(2)),
    ];
    build.function(
        "main",
        &[WORD, 32, 1],
        vec![(main, Terminator::Return(None))],
    );
    build.function("body", widths, body);
    build.program
}

#[test]
fn a_section_that_blocks_has_not_run() {
    let write = store(0, num(1, 32));
    let stop = InstrKind::Assume { cond: num(0, 1) };
    let inside = vec![
        InstrKind::AtomicBegin { drains: true },
        write.clone(),
        stop.clone(),
        InstrKind::AtomicEnd,
    ];
    assert!(
        explore(
            &observed(vec![(inside, Terminator::Return(None))], &[]),
            None
        )
        .violations
        .is_empty()
    );
    let outside = vec![write, stop];
    assert_eq!(
        explore(
            &observed(vec![(outside, Terminator::Return(None))], &[]),
            None
        )
        .violations
        .len(),
        1
    );
}

#[test]
fn a_false_assertion_in_a_section_counts() {
    let inside = vec![
        InstrKind::AtomicBegin { drains: true },
        assert(num(0, 1)),
        InstrKind::AtomicEnd,
    ];
    let found = explore(
        &observed(vec![(inside, Terminator::Return(None))], &[]),
        None,
    );
    assert_eq!(found.violations.into_keys().collect::<Vec<_>>(), [Loc(201)]);
}

#[test]
fn loops_are_cut_where_the_bound_says() {
    // r0 counts to 3, then g0 = 1.
    let count = || {
        vec![
            (
                vec![InstrKind::Assign {
                    dst: Reg(0),
                    value: Rvalue::Use(num(0, 32)),
                }],
                Terminator::Jump(BlockId(1)),
            ),
            (
                vec![assign(1, BinOp::ULt, reg(0), num(3, 32))],
                Terminator::Branch {
                    cond: reg(1),
                    then: BlockId(2),
                    other: BlockId(3),
                },
            ),
            (
                vec![assign(0, BinOp::Add, reg(0), num(1, 32))],
                Terminator::Jump(BlockId(1)),
            ),
            (vec![store(0, num(1, 32))], Terminator::Return(None)),
        ]
    };
    let program = observed(count(), &[32, 1]);
    let enough = explore(&program, Some(3));
    assert!(enough.cuts.is_empty() && enough.violations.len() == 1);
    let short = explore(&program, Some(2));
    let (function, number) = (FuncId(1), 0);
    let only = Loop { function, number };
    assert_eq!(
        short.cuts.into_iter().collect::<Vec<_>>(),
        [(Cut::Unwind(only), Loc(203))]
    );
    assert!(short.violations.is_empty());
}

#[test]
fn a_spinning_thread_has_finitely_many_states() {
    let spin = vec![
        (vec![], Terminator::Jump(BlockId(1))),
        (
            vec![load(0, 1), assign(1, BinOp::Eq, reg(0), num(0, 32))],
            Terminator::Branch {
                cond: reg(1),
                then: BlockId(1),
                other: BlockId(2),
            },
        ),
        (vec![store(0, num(1, 32))], Terminator::Return(None)),
    ];
    let found = explore(&observed(spin, &[32, 1]), None);
    assert!(found.violations.is_empty() && found.states < 20);
}

#[test]
fn inputs_take_every_value_of_their_domain() {
    let body = |wanted: u128| {
        let choose = InstrKind::Nondet {
            dst: Reg(0),
            source: NondetSource::Input,
        };
        let test = assign(1, BinOp::Ne, reg(0), num(wanted, 32));
        vec![(vec![choose, test, assert(reg(1))], Terminator::Return(None))]
    };
    assert_eq!(
        explore(&observed(body(4), &[32, 1]), None).violations.len(),
        1
    );
    assert_eq!(
        explore(&observed(body(0xffff_ffff), &[32, 1]), None)
            .violations
            .len(),
        1
    );
    assert!(
        explore(&observed(body(77), &[32, 1]), None)
            .violations
            .is_empty()
    );
}

#[test]
fn invalid_accesses_are_cut() {
    let access = |addr: Operand| {
        let load = InstrKind::Load {
            dst: Reg(0),
            addr,
            access: Access::PLAIN,
        };
        explore(
            &observed(vec![(vec![load], Terminator::Return(None))], &[32]),
            None,
        )
        .cuts
    };
    let invalid = (Cut::Undefined(Undefined::InvalidAccess), Loc(200));
    assert!(access(num(0, WORD)).contains(&invalid));
    assert!(access(Operand::GlobalAddr(GlobalId(0), 1)).contains(&invalid));
    assert!(access(Operand::GlobalAddr(GlobalId(0), 0)).is_empty());
    let leave = Rvalue::Offset {
        base: global(0),
        offset_bytes: num(1 << 60, WORD),
    };
    let leave = InstrKind::Assign {
        dst: Reg(0),
        value: leave,
    };
    let cuts = explore(
        &observed(vec![(vec![leave], Terminator::Return(None))], &[WORD]),
        None,
    )
    .cuts;
    assert!(cuts.contains(&(Cut::Undefined(Undefined::PointerRange), Loc(200))));
}

#[test]
fn a_stack_object_is_private_until_its_address_is_given_away() {
    let mut build = Build::new(1);
    let alloc = InstrKind::Alloc {
        dst: Reg(0),
        size_bytes: num(8, WORD),
        align_bytes: num(8, WORD),
        kind: AllocKind::Stack {
            name: "local".into(),
            ty: ty::TypeId(0),
            zeroed: false,
        },
    };
    let write = |value| InstrKind::Store {
        addr: reg(0),
        value: num(value, WORD),
        access: Access::PLAIN,
    };
    let give = InstrKind::Spawn {
        dst: Reg(1),
        start: Operand::FuncAddr(FuncId(1)),
        arg: reg(0),
        id_at: None,
    };
    let read = InstrKind::Load {
        dst: Reg(1),
        addr: reg(0),
        access: Access::PLAIN,
    };
    build.function(
        "main",
        &[WORD, WORD],
        vec![(
            vec![
                alloc,
                write(5),
                give,
                write(6),
                read,
                InstrKind::EndLife { addr: reg(0) },
            ],
            Terminator::Return(None),
        )],
    );
    build.function("idle", &[], vec![(vec![], Terminator::Return(None))]);
    let mut interpreter =
        Interpreter::new(&build.program, Bounds::default()).expect("small objects");
    let mut state = interpreter.start();
    let mut visible = Vec::new();
    while state.thread(ThreadId(0)).status == Status::Running {
        visible.push(interpreter.is_visible(&state, ThreadId(0)));
        let effect = interpreter.execute(&mut state, ThreadId(0), &mut Zeros);
        if let Effect::Read { value, .. } = effect {
            assert_eq!(value, Word::number(6));
        }
    }
    assert_eq!(visible, [false, false, false, true, true, true, false]);
}

fn at(thread: u32, index: usize) -> (ThreadId, PosKey) {
    (
        ThreadId(thread),
        position(FramePath::ROOT, BlockId(0), index, &[]),
    )
}

/// A schedule of `twice` without protection.
fn schedule(steps: Vec<(ThreadId, PosKey)>) -> Schedule {
    let mut visible = vec![HashSet::new(); 3];
    visible[0].extend([0, 1, 2, 3, 4].map(|i| at(0, i).1));
    visible[1].extend([0, 2].map(|i| at(1, i).1));
    visible[2].extend([0, 2].map(|i| at(2, i).1));
    Schedule {
        place: Loc::NONE,
        space: AddressSpace::new(DataModel::Lp64, 4).expect("room"),
        threads: vec![None, Some(at(0, 0)), Some(at(0, 1))],
        steps: steps.into_iter().map(|(t, at)| Move::Step(t, at)).collect(),
        memory_model: MemoryModel::Sc,
        kept: visible.clone(),
        blocked: Default::default(),
        visible,
        parts: HashMap::new(),
        rival: None,
        inputs: HashMap::new(),
        memory: HashMap::new(),
        slots: HashMap::new(),
        used_slots: 1,
        bases: HashMap::new(),
        violation: Property::Assertion,
    }
}

fn end(thread: u32) -> (ThreadId, PosKey) {
    (ThreadId(thread), PosKey::END)
}
