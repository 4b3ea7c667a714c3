//! Deadlocks in the enumeration.

use super::*;
use crate::trace::deadlock::Kind;
use std::collections::BTreeSet;

type Body = Vec<(Vec<InstrKind>, Terminator)>;

/// Places at which threads are blocked for ever, and kinds of the states in which they are.
fn deadlocks(program: &Program) -> (Vec<u32>, Vec<Kind>) {
    deadlocks_within(program, None)
}

fn deadlocks_within(program: &Program, unwind: Option<u32>) -> (Vec<u32>, Vec<Kind>) {
    let limits = Limits {
        deadlocks: true,
        ..Limits::default()
    };
    let bounds = Bounds {
        unwind,
        ..Bounds::default()
    };
    let found = enumerate(program, bounds, &limits).expect("small objects");
    assert!(!found.gave_up);
    let places = found.deadlocks.into_iter().map(|loc| loc.0);
    (places.collect(), found.deadlocked.into_keys().collect())
}

/// main starts threads, whose places count from 200, 300, …, and leaves the process to them.
fn beside(bodies: Vec<Body>) -> Program {
    under(vec![], Terminator::ThreadExit(num(0, WORD)), bodies)
}

/// main starts threads and goes on.
fn under(after: Vec<InstrKind>, end: Terminator, bodies: Vec<Body>) -> Program {
    let mut build = Build::new(3);
    build.program.deadlocks = true;
    let threads = 1..=bodies.len() as u32;
    let mut main: Vec<InstrKind> = threads.map(|id| spawn(0, id)).collect();
    main.extend(after);
    build.function("main", &[WORD; 3], vec![(main, end)]);
    for body in bodies {
        build.function("body", &[32, 1, 32, 32], body);
    }
    build.program
}

fn straight(instrs: Vec<InstrKind>) -> Body {
    vec![(instrs, Terminator::Return(None))]
}

fn lock(id: u32) -> InstrKind {
    InstrKind::Lock { addr: global(id) }
}

fn unlock(id: u32) -> InstrKind {
    InstrKind::Unlock { addr: global(id) }
}

fn wait(cond: Operand) -> InstrKind {
    InstrKind::Wait { cond, lock: None }
}

fn join(thread: u32) -> InstrKind {
    InstrKind::Join {
        dst: Reg(2),
        thread: num(thread.into(), WORD),
    }
}

fn nested(outer: u32, inner: u32) -> Body {
    straight(vec![lock(outer), lock(inner), unlock(inner), unlock(outer)])
}

/// Runs round as long as `g0` is 0.
fn spin(before: Vec<InstrKind>, after: Vec<InstrKind>) -> Body {
    let mut round = before;
    round.extend([load(0, 0), assign(1, BinOp::Eq, reg(0), num(0, 32))]);
    round.extend(after);
    let branch = Terminator::Branch {
        cond: reg(1),
        then: BlockId(1),
        other: BlockId(2),
    };
    vec![
        (vec![], Terminator::Jump(BlockId(1))),
        (round, branch),
        (vec![], Terminator::Return(None)),
    ]
}

const NONE: (Vec<u32>, Vec<Kind>) = (Vec::new(), Vec::new());

#[test]
fn locks_in_opposite_order_are_a_cycle() {
    let found = deadlocks(&beside(vec![nested(0, 1), nested(1, 0)]));
    assert_eq!(found, (vec![201, 301], vec![Kind::Cycle, Kind::Final]));
    assert_eq!(deadlocks(&beside(vec![nested(0, 1), nested(0, 1)])), NONE);
    // Who waits for a member is no member, but blocked where nobody runs any more.
    let end = Terminator::ThreadExit(num(0, WORD));
    let program = under(vec![join(1)], end, vec![nested(0, 1), nested(1, 0)]);
    assert_eq!(deadlocks(&program).0, [102, 201, 301]);
}

#[test]
fn a_cycle_stands_beside_threads_that_run() {
    let server = vec![
        (vec![], Terminator::Jump(BlockId(1))),
        (
            vec![
                load(0, 2),
                assign(0, BinOp::Xor, reg(0), num(1, 32)),
                store(2, reg(0)),
            ],
            Terminator::Jump(BlockId(1)),
        ),
    ];
    let found = deadlocks(&beside(vec![nested(0, 1), nested(1, 0), server]));
    assert!(found.1.contains(&Kind::Cycle) && found.0.starts_with(&[201, 301]));
}

#[test]
fn a_thread_that_locks_twice_waits_for_itself() {
    let found = deadlocks(&beside(vec![straight(vec![lock(0), lock(0)])]));
    assert_eq!(found, (vec![201], vec![Kind::Cycle, Kind::Final]));
    // Also where nobody else knows the mutex.
    let alloc = InstrKind::Alloc {
        dst: Reg(0),
        size_bytes: num(8, WORD),
        align_bytes: num(8, WORD),
        kind: AllocKind::Heap,
    };
    let own = InstrKind::Lock { addr: reg(0) };
    let end = Terminator::ThreadExit(num(0, WORD));
    let program = under(vec![alloc, own.clone(), own], end, vec![]);
    assert_eq!(deadlocks(&program).0, [102]);
}

#[test]
fn who_ends_with_a_mutex_gives_it_to_nobody() {
    let program = beside(vec![
        straight(vec![lock(0)]),
        straight(vec![lock(0), unlock(0)]),
    ]);
    assert_eq!(
        deadlocks(&program),
        (vec![300], vec![Kind::Cycle, Kind::Final])
    );
}

#[test]
fn joins_in_a_ring_are_a_cycle() {
    let program = beside(vec![straight(vec![join(2)]), straight(vec![join(1)])]);
    assert_eq!(
        deadlocks(&program),
        (vec![200, 300], vec![Kind::Cycle, Kind::Final])
    );
    let program = beside(vec![straight(vec![join(2)]), straight(vec![])]);
    assert_eq!(deadlocks(&program), NONE);
}

#[test]
fn notes_say_who_holds_a_lock() {
    let own = |times| InstrKind::SetNote {
        addr: global(0),
        what: Note::Own,
        value: num(times, 32),
    };
    let wait_for = |shared| InstrKind::Wait {
        cond: num(0, 1),
        lock: Some(AwaitedLock {
            addr: global(0),
            shared,
        }),
    };
    let kinds = |times, shared| {
        let body = || straight(vec![own(times), wait_for(shared)]);
        deadlocks(&beside(vec![body(), body()])).1
    };
    assert_eq!(kinds(1, false), [Kind::Cycle, Kind::Final]);
    assert_eq!(kinds(1, true), [Kind::Final]);
    assert_eq!(kinds(ALONE, true), [Kind::Cycle, Kind::Final]);
    assert_eq!(kinds(0, false), [Kind::Final]);
}

/// Takes one of `g0`, in one step.
fn take() -> Vec<InstrKind> {
    vec![
        InstrKind::AtomicBegin { drains: true },
        load(0, 0),
        assign(1, BinOp::Ne, reg(0), num(0, 32)),
        wait(reg(1)),
        assign(0, BinOp::Sub, reg(0), num(1, 32)),
        store(0, reg(0)),
        InstrKind::AtomicEnd,
    ]
}

#[test]
fn a_section_that_waits_is_blocked_before_it_begins() {
    let post = || straight(vec![store(0, num(1, 32))]);
    let program = beside(vec![straight(take())]);
    assert_eq!(deadlocks(&program), (vec![200], vec![Kind::Final]));
    let program = beside(vec![straight(take()), post()]);
    assert_eq!(deadlocks(&program), NONE);
    let program = beside(vec![straight(take()), straight(take()), post()]);
    assert_eq!(deadlocks(&program), (vec![200, 300], vec![Kind::Final]));
}

#[test]
fn choices_that_lead_elsewhere_block_nobody() {
    let input = InstrKind::Nondet {
        dst: Reg(1),
        source: NondetSource::Input,
    };
    let section = |then: InstrKind| {
        vec![
            InstrKind::AtomicBegin { drains: true },
            input.clone(),
            then,
            wait(num(0, 1)),
            InstrKind::AtomicEnd,
        ]
    };
    let found = |then| deadlocks(&beside(vec![straight(section(then))]));
    assert_eq!(found(wait(reg(1))), (vec![200], vec![Kind::Final]));
    assert_eq!(found(InstrKind::Assume { cond: reg(1) }), NONE);
}

#[test]
fn a_thread_that_stopped_otherwise_makes_no_final_state() {
    let stops = straight(vec![InstrKind::Assume { cond: num(0, 1) }]);
    let waits = straight(vec![wait(num(0, 1))]);
    assert_eq!(deadlocks(&beside(vec![waits, stops.clone()])), NONE);
    // A cycle asks nobody else.
    let found = deadlocks(&beside(vec![nested(0, 1), nested(1, 0), stops]));
    assert_eq!(found, (vec![201, 301], vec![Kind::Cycle]));
}

#[test]
fn the_end_of_the_process_blocks_nobody() {
    let waits = || vec![straight(vec![wait(num(0, 1))])];
    assert_eq!(deadlocks(&under(vec![], Terminator::Stop, waits())), NONE);
    let exits = Terminator::ThreadExit(num(0, WORD));
    assert_eq!(deadlocks(&under(vec![], exits, waits())).0, [200]);
    // Before the end of main, others may be blocked by each other.
    let both = vec![nested(0, 1), nested(1, 0)];
    let found = deadlocks(&under(vec![], Terminator::Stop, both));
    assert_eq!(found, (vec![201, 301], vec![Kind::Cycle]));
    // Once the process has ended, they are not.
    let held = vec![straight(vec![lock(0), store(1, num(1, 32)), unlock(0)])];
    let waits = vec![
        InstrKind::AtomicBegin { drains: true },
        InstrKind::AtomicEnd,
    ];
    assert_eq!(deadlocks(&under(waits, Terminator::Stop, held)), NONE);
}

#[test]
fn a_loop_that_nothing_ends_spins() {
    let waits = spin(vec![], vec![]);
    let program = beside(vec![waits.clone()]);
    assert_eq!(deadlocks(&program), (vec![201], vec![Kind::Spin]));
    assert_eq!(deadlocks_within(&program, Some(1)).0, [201]);
    let set = straight(vec![store(0, num(1, 32))]);
    assert_eq!(deadlocks(&beside(vec![waits.clone(), set])), NONE);
    let forever = vec![
        (vec![], Terminator::Jump(BlockId(1))),
        (vec![], Terminator::Jump(BlockId(1))),
    ];
    assert_eq!(deadlocks(&beside(vec![forever])).0, [201]);
    // Those who wait beside are blocked, too.
    let blocked = straight(vec![wait(num(0, 1))]);
    assert_eq!(deadlocks(&beside(vec![waits, blocked])).0, [201, 300]);
}

#[test]
fn a_loop_under_a_mutex_spins_unless_somebody_else_gets_it() {
    let polls = || spin(vec![lock(1)], vec![unlock(1)]);
    assert_eq!(
        deadlocks(&beside(vec![polls(), polls()])),
        (vec![201, 301], vec![Kind::Spin])
    );
    let sets = straight(vec![lock(1), store(0, num(1, 32)), unlock(1)]);
    assert_eq!(deadlocks(&beside(vec![polls(), sets])), NONE);
}

#[test]
fn a_loop_that_an_input_may_leave_does_not_spin() {
    let input = InstrKind::Nondet {
        dst: Reg(2),
        source: NondetSource::Input,
    };
    let either = assign(1, BinOp::Eq, reg(2), num(0, 32));
    let program = beside(vec![spin(vec![], vec![input.clone(), either])]);
    assert_eq!(deadlocks(&program), NONE);
    let program = beside(vec![spin(vec![input], vec![])]);
    assert_eq!(deadlocks(&program).1, [Kind::Spin]);
}

#[test]
fn a_loop_that_counts_is_no_deadlock() {
    let counts = |back: Operand| {
        let count = vec![
            load(2, 2),
            assign(2, BinOp::Add, reg(2), num(1, 32)),
            assign(2, BinOp::And, reg(2), num(7, 32)),
            store(2, reg(2)),
        ];
        let mut body = spin(vec![], count);
        body[1].1 = Terminator::Branch {
            cond: back,
            then: BlockId(1),
            other: BlockId(2),
        };
        body
    };
    // It comes back to where it was.
    assert_eq!(deadlocks(&beside(vec![counts(reg(1))])).1, [Kind::Spin]);
    let mut ends = counts(reg(1));
    ends[1].0.push(assign(1, BinOp::ULt, reg(2), num(5, 32)));
    assert_eq!(deadlocks(&beside(vec![ends])), NONE);
}

/// Each takes its mutex and tries the other's, and gives its own back if it fails: one of them gets both.
#[test]
fn a_livelock_is_no_deadlock() {
    let tries = |own, others| {
        let try_lock = InstrKind::TryLock {
            dst: Reg(0),
            addr: global(others),
        };
        let branch = Terminator::Branch {
            cond: reg(1),
            then: BlockId(2),
            other: BlockId(3),
        };
        let test = assign(1, BinOp::Ne, reg(0), num(0, 32));
        vec![
            (vec![], Terminator::Jump(BlockId(1))),
            (vec![lock(own), try_lock, test], branch),
            (vec![unlock(own)], Terminator::Jump(BlockId(1))),
            (vec![unlock(others), unlock(own)], Terminator::Return(None)),
        ]
    };
    assert_eq!(deadlocks(&beside(vec![tries(0, 1), tries(1, 0)])), NONE);
    // With a mutex that is held for ever, it is one.
    let holds = straight(vec![lock(1)]);
    let found = deadlocks(&beside(vec![tries(0, 1), holds]));
    assert_eq!(found, (vec![201], vec![Kind::Spin]));
}

#[test]
fn the_outermost_loop_that_is_followed_is_named() {
    // The inner loop runs once each time.
    let body = vec![
        (vec![], Terminator::Jump(BlockId(1))),
        (vec![load(0, 1)], Terminator::Jump(BlockId(2))),
        (
            vec![load(0, 0), assign(1, BinOp::Ne, reg(0), num(0, 32))],
            Terminator::Branch {
                cond: reg(1),
                then: BlockId(2),
                other: BlockId(1),
            },
        ),
    ];
    let found = deadlocks(&beside(vec![body]));
    assert_eq!(found, (vec![201], vec![Kind::Spin]));
}

/// A buffered store that others wait for is no end.
#[test]
fn stores_on_their_way_leave_it_open() {
    let mut program = beside(vec![
        straight(vec![store(0, num(1, 32)), wait(num(0, 1))]),
        straight(vec![
            InstrKind::AtomicBegin { drains: true },
            load(0, 0),
            assign(1, BinOp::Ne, reg(0), num(0, 32)),
            wait(reg(1)),
            InstrKind::AtomicEnd,
        ]),
    ]);
    program.deadlocks = true;
    let bounds = Bounds {
        memory: MemoryModel::Tso,
        ..Bounds::default()
    };
    let limits = Limits {
        deadlocks: true,
        ..Limits::default()
    };
    let found = enumerate(&program, bounds, &limits).expect("small objects");
    assert_eq!(found.deadlocks, BTreeSet::from([Loc(201)]));
}
