//! Deadlocks in the enumeration and in replays.

use super::*;
use crate::base::sorted::SortedSet;
use crate::event::Origin as ObjectOrigin;
use crate::ir::address::Slot;
use crate::trace::Trace;
use crate::trace::deadlock::{AwaitedKind, Deadlock, DeadlockKind};

type Body = Vec<(Vec<InstrKind>, Terminator)>;

/// Places at which threads are blocked for ever, and kinds of the states in which they are.
fn deadlocks(program: &Program) -> (Vec<u32>, Vec<DeadlockKind>) {
    deadlocks_within(program, None)
}

fn deadlocks_within(program: &Program, unwind: Option<u32>) -> (Vec<u32>, Vec<DeadlockKind>) {
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

const NONE: (Vec<u32>, Vec<DeadlockKind>) = (Vec::new(), Vec::new());

#[test]
fn locks_in_opposite_order_are_a_cycle() {
    let found = deadlocks(&beside(vec![nested(0, 1), nested(1, 0)]));
    assert_eq!(
        found,
        (
            vec![201, 301],
            vec![DeadlockKind::Cycle, DeadlockKind::Final]
        )
    );
    assert_eq!(deadlocks(&beside(vec![nested(0, 1), nested(0, 1)])), NONE);
    // Who joins a member is one.
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
    assert!(found.1.contains(&DeadlockKind::Cycle) && found.0.starts_with(&[201, 301]));
}

#[test]
fn a_thread_that_locks_twice_waits_for_itself() {
    let found = deadlocks(&beside(vec![straight(vec![lock(0), lock(0)])]));
    assert_eq!(
        found,
        (vec![201], vec![DeadlockKind::Cycle, DeadlockKind::Final])
    );
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
        (vec![300], vec![DeadlockKind::Cycle, DeadlockKind::Final])
    );
}

#[test]
fn joins_in_a_ring_are_a_cycle() {
    let program = beside(vec![straight(vec![join(2)]), straight(vec![join(1)])]);
    assert_eq!(
        deadlocks(&program),
        (
            vec![200, 300],
            vec![DeadlockKind::Cycle, DeadlockKind::Final]
        )
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
    let wait_for = |of| InstrKind::Wait {
        cond: num(0, 1),
        lock: Some(AwaitedLock {
            addr: global(0),
            of,
        }),
    };
    let kinds = |times, of| {
        let body = || straight(vec![own(times), wait_for(of)]);
        deadlocks(&beside(vec![body(), body()])).1
    };
    assert_eq!(
        kinds(1, LockHolders::All),
        [DeadlockKind::Cycle, DeadlockKind::Final]
    );
    assert_eq!(kinds(1, LockHolders::Alone), [DeadlockKind::Final]);
    assert_eq!(
        kinds(ALONE, LockHolders::Alone),
        [DeadlockKind::Cycle, DeadlockKind::Final]
    );
    assert_eq!(kinds(0, LockHolders::All), [DeadlockKind::Final]);
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
    assert_eq!(deadlocks(&program), (vec![200], vec![DeadlockKind::Final]));
    let program = beside(vec![straight(take()), post()]);
    assert_eq!(deadlocks(&program), NONE);
    let program = beside(vec![straight(take()), straight(take()), post()]);
    assert_eq!(
        deadlocks(&program),
        (vec![200, 300], vec![DeadlockKind::Final])
    );
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
    assert_eq!(found(wait(reg(1))), (vec![200], vec![DeadlockKind::Final]));
    assert_eq!(found(InstrKind::Assume { cond: reg(1) }), NONE);
}

#[test]
fn a_thread_that_stopped_otherwise_makes_no_final_state() {
    let stops = straight(vec![InstrKind::Assume { cond: num(0, 1) }]);
    let waits = straight(vec![wait(num(0, 1))]);
    assert_eq!(deadlocks(&beside(vec![waits, stops.clone()])), NONE);
    // A cycle asks nobody else.
    let found = deadlocks(&beside(vec![nested(0, 1), nested(1, 0), stops]));
    assert_eq!(found, (vec![201, 301], vec![DeadlockKind::Cycle]));
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
    assert_eq!(found, (vec![201, 301], vec![DeadlockKind::Cycle]));
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
    assert_eq!(deadlocks(&program), (vec![201], vec![DeadlockKind::Spin]));
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
        (vec![201, 301], vec![DeadlockKind::Spin])
    );
    // Who waits for the mutex while another thread polls is not blocked for ever.
    let polls_late = || {
        let mut body = spin(vec![lock(1)], vec![unlock(1)]);
        body[1].0.insert(0, load(2, 2));
        body
    };
    assert_eq!(
        deadlocks(&beside(vec![polls_late(), polls_late()])).0,
        [201, 301]
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
    assert_eq!(deadlocks(&program).1, [DeadlockKind::Spin]);
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
    // It comes back to where it was, but each iteration changes something.
    assert_eq!(deadlocks(&beside(vec![counts(reg(1))])), NONE);
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
    assert_eq!(found, (vec![201], vec![DeadlockKind::Spin]));
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
    assert_eq!(found, (vec![201], vec![DeadlockKind::Spin]));
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
    assert_eq!(found.deadlocks, SortedSet::from([Loc(201)]));
}

/// A schedule of [`beside`] with these steps of two threads, which ends with the blocked one. What their instructions at `local` do is
/// their own business.
fn ending(before: &[(ThreadId, PosKey)], last: (ThreadId, PosKey), local: &[usize]) -> Schedule {
    let globals = [0, 1, 2].map(|id| (ObjectOrigin::Global(GlobalId(id)), Slot(id + 1)));
    let steps = [&[at(0, 0), at(0, 1)], before, &[last]].concat();
    let positions = |thread, count| {
        let all = (0..count).filter(move |index| thread == 0 || !local.contains(index));
        all.map(move |index| at(thread, index).1).collect()
    };
    let visible: Vec<HashSet<PosKey>> = vec![positions(0, 2), positions(1, 8), positions(2, 8)];
    Schedule {
        slots: globals.into_iter().collect(),
        used_slots: 4,
        kept: visible.clone(),
        visible,
        violation: Property::Deadlock,
        ..schedule(steps)
    }
}

fn shown(program: &Program, schedule: &Schedule) -> (Trace, Deadlock) {
    let trace = replay(program, schedule).expect("the schedule is one of the program's");
    let deadlock = trace.deadlock().expect("a deadlock").clone();
    (trace, deadlock)
}

#[test]
fn a_cycle_replays_and_says_who_holds_what() {
    let program = beside(vec![nested(0, 1), nested(1, 0)]);
    let steps = ending(&[at(1, 0), at(2, 0)], at(1, 1), &[]);
    let (trace, found) = shown(&program, &steps);
    assert_eq!(found.kind, DeadlockKind::Cycle);
    assert_eq!(found.places(), [Loc(201), Loc(301)]);
    let seen: Vec<_> = found
        .waiters
        .iter()
        .map(|one| {
            let holder = &one.awaited.holders[0];
            let name = one.awaited.name.as_str();
            (one.thread.0, name, holder.thread.0, holder.since)
        })
        .collect();
    assert_eq!(
        seen,
        [(1, "g1", 2, Some(Loc(300))), (2, "g0", 1, Some(Loc(200)))]
    );
    assert!(
        found
            .waiters
            .iter()
            .all(|one| one.awaited.kind == AwaitedKind::Mutex)
    );
    let last: Vec<ThreadId> = trace.steps.iter().rev().map(|step| step.thread).collect();
    assert_eq!(last[..3], [ThreadId(1), ThreadId(1), ThreadId(2)]);
}

#[test]
fn deadlocks_that_are_none_diverge() {
    let why =
        |program: &Program, steps: &Schedule| replay(program, steps).expect_err("no deadlock").why;
    let program = beside(vec![nested(0, 1), nested(1, 0)]);
    // Thread 2 can still go on.
    let steps = ending(&[at(1, 0)], at(1, 1), &[]);
    assert_eq!(why(&program, &steps), Reason::NoViolation);
    // The process has ended.
    let program = under(
        vec![],
        Terminator::Stop,
        vec![straight(vec![wait(num(0, 1))]); 2],
    );
    let mut steps = ending(&[], at(1, 0), &[]);
    steps.steps.insert(2, Move::Step(ThreadId(0), at(0, 2).1));
    assert!(replay(&program, &steps).is_err());
}

/// Local code leads the threads on: one to its end, the other into the section that waits.
#[test]
fn threads_run_to_where_they_stand() {
    let count = assign(2, BinOp::Add, reg(2), num(1, 32));
    let mut waits = vec![count.clone()];
    waits.extend(take());
    let program = beside(vec![straight(waits), straight(vec![count])]);
    let local = [0, 1, 3, 4, 5, 7];
    // Positions of the section's accesses alone are known.
    for last in [at(1, 1), at(1, 2), at(1, 4)] {
        let (_, found) = shown(&program, &ending(&[], last, &local));
        assert_eq!(found.kind, DeadlockKind::Final);
        assert_eq!(found.places(), [Loc(201)]);
        assert_eq!(found.waiters[0].awaited.kind, AwaitedKind::Other);
    }
}

#[test]
fn who_spins_stands_in_its_loop() {
    let waits = straight(vec![wait(num(0, 1))]);
    let program = beside(vec![spin(vec![], vec![]), waits]);
    let head = position(FramePath::ROOT, BlockId(1), 0, &[0]);
    let mut steps = ending(&[], (ThreadId(1), head), &[]);
    steps.kept[1] = HashSet::from([head]);
    steps.visible[1] = HashSet::new();
    let (_, found) = shown(&program, &steps);
    assert_eq!(found.kind, DeadlockKind::Spin);
    assert_eq!(found.places(), [Loc(201), Loc(300)]);
    assert_eq!(found.waiters[0].awaited.kind, AwaitedKind::Loop);
    // Seen from the thread that waits, it is the same.
    let mut steps = ending(&[], at(2, 0), &[0]);
    steps.kept[1] = HashSet::new();
    steps.visible[1] = HashSet::new();
    assert_eq!(shown(&program, &steps).1.waiters, found.waiters);
}

#[test]
fn who_waits_for_the_blocked_belongs_to_the_deadlock() {
    let end = Terminator::ThreadExit(num(0, WORD));
    let program = under(vec![join(1)], end, vec![nested(0, 1), nested(1, 0)]);
    let steps = ending(&[at(1, 0), at(2, 0)], at(1, 1), &[]);
    let (_, found) = shown(&program, &steps);
    assert_eq!(found.places(), [Loc(102), Loc(201), Loc(301)]);
    assert_eq!(found.waiters[0].awaited.kind, AwaitedKind::Thread);
    assert_eq!(found.roots().len(), 2);
    let ended = straight(vec![lock(0)]);
    let program = beside(vec![ended, straight(vec![lock(0)])]);
    let (_, found) = shown(&program, &ending(&[at(1, 0)], at(2, 0), &[1]));
    let holder = &found.waiters[0].awaited.holders[0];
    assert!(holder.ended && holder.since == Some(Loc(200)));
}
