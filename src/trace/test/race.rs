//! Data races in the enumeration and in replays.

use super::*;
use crate::base::sorted::SortedSet;
use crate::event::Origin as ObjectOrigin;
use crate::ir::address::Slot;
use crate::trace::race::Attempted;

fn races(program: &Program) -> SortedSet<(u32, u32)> {
    let limits = Limits {
        races: true,
        ..Limits::default()
    };
    let found = enumerate(program, Bounds::default(), &limits).expect("small objects");
    assert!(!found.gave_up);
    let pairs = found.races.into_iter();
    pairs.map(|(one, other)| (one.0, other.0)).collect()
}

/// main starts `one` and `other`, whose places count from 200 and 300.
fn beside(one: Vec<InstrKind>, other: Vec<InstrKind>) -> Program {
    let mut build = Build::new(2);
    build.function(
        "main",
        &[WORD, WORD],
        vec![(vec![spawn(0, 1), spawn(1, 2)], Terminator::Return(None))],
    );
    for (name, body) in [("one", one), ("other", other)] {
        let widths = [32, 32, WORD, 8];
        build.function(name, &widths, vec![(body, Terminator::Return(None))]);
    }
    build.program
}

fn at_offset(to: u32, offset: i64, value: Operand) -> InstrKind {
    InstrKind::Store {
        addr: Operand::GlobalAddr(GlobalId(to), offset),
        value,
        access: Access::PLAIN,
    }
}

fn atomic(instr: InstrKind) -> InstrKind {
    let order = Some(MemOrder::Relaxed);
    match instr {
        InstrKind::Load { dst, addr, access } => InstrKind::Load {
            dst,
            addr,
            access: Access { order, ..access },
        },
        InstrKind::Store {
            addr,
            value,
            access,
        } => InstrKind::Store {
            addr,
            value,
            access: Access { order, ..access },
        },
        other => other,
    }
}

const BEGIN: InstrKind = InstrKind::AtomicBegin { drains: true };

fn one_store() -> InstrKind {
    store(0, num(1, 32))
}

#[test]
fn plain_accesses_of_the_same_bytes_race() {
    let none = SortedSet::new();
    let pair = SortedSet::from([(200, 300)]);
    let found = |one, other| races(&beside(vec![one], vec![other]));
    assert_eq!(found(one_store(), load(0, 0)), pair);
    assert_eq!(found(one_store(), one_store()), pair);
    assert_eq!(found(load(0, 0), load(0, 0)), none);
    assert_eq!(found(one_store(), load(0, 1)), none);
    assert_eq!(found(atomic(one_store()), load(0, 0)), pair);
    assert_eq!(found(atomic(one_store()), atomic(load(0, 0))), none);
    let byte = |offset| at_offset(0, offset, num(1, 8));
    assert_eq!(found(byte(1), byte(2)), none);
    assert_eq!(found(byte(3), load(0, 0)), pair);
}

/// Adjacent bit-fields are one memory location, whichever unit is read and written.
#[test]
fn what_is_beside_in_a_memory_location_races() {
    let mut write = at_offset(0, 0, num(1, 8));
    if let InstrKind::Store { access, .. } = &mut write {
        access.beside = (0, 2);
    }
    let found = |offset| {
        races(&beside(
            vec![write.clone()],
            vec![at_offset(0, offset, num(1, 8))],
        ))
    };
    assert_eq!(found(2), SortedSet::from([(200, 300)]));
    assert!(found(3).is_empty());
}

#[test]
fn locks_protect_and_sections_only_from_each_other() {
    let locked = |body: InstrKind| {
        vec![
            InstrKind::Lock { addr: global(1) },
            body,
            InstrKind::Unlock { addr: global(1) },
        ]
    };
    let section = |body: InstrKind| vec![BEGIN, body, InstrKind::AtomicEnd];
    let found = |one, other| races(&beside(one, other));
    assert!(found(locked(one_store()), locked(one_store())).is_empty());
    assert!(found(section(one_store()), section(load(0, 0))).is_empty());
    let pair = SortedSet::from([(201, 300)]);
    assert_eq!(found(locked(one_store()), vec![load(0, 0)]), pair);
    assert_eq!(found(section(one_store()), vec![load(0, 0)]), pair);
}

/// The second access of a section is only seen in its midst, also if the section never comes to its end.
#[test]
fn each_access_of_a_section_races() {
    let blocks = InstrKind::Wait {
        cond: num(0, 1),
        lock: None,
    };
    for end in [InstrKind::AtomicEnd, blocks] {
        let body = vec![BEGIN, store(1, num(1, 32)), load(0, 0), one_store(), end];
        let other = vec![load(0, 0), load(1, 1)];
        let found = races(&beside(body, other));
        assert_eq!(found, SortedSet::from([(203, 300), (201, 301)]));
    }
}

#[test]
fn a_block_is_attempted_as_a_whole_and_free_writes_its_object() {
    let alloc = InstrKind::Alloc {
        dst: Reg(2),
        size_bytes: num(8, WORD),
        align_bytes: num(8, WORD),
        kind: AllocKind::Heap,
    };
    let mut build = Build::new(0);
    let spawn = |start| InstrKind::Spawn {
        dst: Reg(0),
        start: Operand::FuncAddr(FuncId(start)),
        arg: reg(2),
        id_at: None,
    };
    let main = vec![alloc, spawn(1), spawn(2), spawn(3)];
    let end = Terminator::Return(None);
    build.function("main", &[WORD, WORD, WORD], vec![(main, end.clone())]);
    let fill = InstrKind::Block {
        to: reg(0),
        source: BlockSource::Byte(num(0, 8)),
        size_bytes: num(4, WORD),
        unit_bytes: 4,
    };
    let shift = InstrKind::Assign {
        dst: Reg(1),
        value: Rvalue::Offset {
            base: reg(0),
            offset_bytes: num(6, WORD),
        },
    };
    let read = InstrKind::Load {
        dst: Reg(2),
        addr: reg(1),
        access: Access::PLAIN,
    };
    let free = InstrKind::Free { addr: reg(0) };
    let twice = vec![free.clone(), free];
    for (name, body) in [
        ("fill", vec![fill]),
        ("read", vec![shift, read]),
        ("free", twice),
    ] {
        let id = build.function(name, &[WORD, WORD, 8], vec![(body, end.clone())]);
        build.program.functions[id].params = vec![Reg(0)];
    }
    let found = races(&build.program);
    // What was freed before is attempted all the same.
    let all = [(200, 400), (200, 401), (301, 400), (301, 401)];
    assert_eq!(found, SortedSet::from(all));
}

#[test]
fn operations_of_synchronisation_objects_do_not_race() {
    let mut program = beside(vec![one_store()], vec![load(0, 0)]);
    for (synchronises, expected) in [(false, 1), (true, 0)] {
        program.functions[FuncId(1)].origin = Origin::Model { synchronises };
        assert_eq!(races(&program).len(), expected);
    }
}

/// A schedule of [`beside`] that ends before an access of thread 1 and one of thread 2.
fn ending(before: &[(ThreadId, PosKey)], own: usize, rival: usize) -> Schedule {
    let globals = [0, 1].map(|id| (ObjectOrigin::Global(GlobalId(id)), Slot(id + 1)));
    let steps = [&[at(0, 0), at(0, 1)], before, &[at(1, own)]].concat();
    let positions = |thread| (0..8).map(move |index| at(thread, index).1);
    let visible: Vec<HashSet<PosKey>> = vec![
        HashSet::from_iter(positions(0).take(2)),
        positions(1).collect(),
        positions(2).collect(),
    ];
    Schedule {
        slots: globals.into_iter().collect(),
        used_slots: 3,
        kept: visible.clone(),
        blocked: Default::default(),
        visible,
        rival: Some(at(2, rival)),
        violation: Property::Race,
        ..schedule(steps)
    }
}

#[test]
fn a_race_replays_and_shows_both_accesses() {
    let one = vec![
        InstrKind::Lock { addr: global(1) },
        store(0, num(3, 32)),
        InstrKind::Unlock { addr: global(1) },
    ];
    let program = beside(one, vec![store(0, num(2, 32)), load(0, 0)]);
    let steps = ending(&[at(2, 0), at(1, 0)], 1, 1);
    let trace = replay(&program, &steps).expect("the schedule is one of the program's");
    let race = trace.race().expect("a race");
    assert_eq!(race.places(), (Loc(201), Loc(301)));
    let [write, read] = &race.sides;
    let seen = |side: &crate::trace::race::Side| side.value.as_ref().map(|value| value.value);
    assert_eq!((write.action, seen(write)), (Attempted::Write, Some(3)));
    assert_eq!((read.action, seen(read)), (Attempted::Read, Some(2)));
    assert_eq!((write.bytes, write.place.as_str()), (4, "g0"));
    assert_eq!((write.thread, read.thread), (ThreadId(1), ThreadId(2)));
    assert_eq!(write.locks.len(), 1);
    assert_eq!(
        (write.locks[0].name.as_str(), write.locks[0].since),
        ("g1", Loc(200))
    );
    assert!(read.locks.is_empty());
    let last: Vec<ThreadId> = trace.steps.iter().rev().map(|step| step.thread).collect();
    assert_eq!(last[..3], [ThreadId(1), ThreadId(1), ThreadId(2)]);
}

#[test]
fn races_that_are_none_diverge() {
    let why = |one, other, own, rival| {
        let program = beside(one, other);
        let divergence = replay(&program, &ending(&[], own, rival)).expect_err("no race");
        divergence.why
    };
    let reads = || vec![load(0, 0)];
    assert_eq!(why(reads(), reads(), 0, 0), Reason::NoRace);
    // Thread 1 would skip its write.
    let twice = vec![one_store(), one_store()];
    assert_eq!(why(twice, reads(), 1, 0), Reason::OutOfTurn);
}

/// Neither has to leave its section.
#[test]
fn a_race_may_be_in_the_midst_of_a_section() {
    let section = || vec![BEGIN, load(0, 1), one_store(), InstrKind::AtomicEnd];
    let step = |thread| {
        let mut steps = ending(&[at(thread, 1)], 0, 0);
        for visible in &mut steps.visible[1..] {
            visible.retain(|position| *position != at(0, 0).1 && *position != at(0, 3).1);
        }
        steps
    };
    let program = beside(section(), vec![load(0, 0)]);
    let mut own = step(1);
    let last = own.steps.len() - 1;
    own.steps[last] = Move::Step(ThreadId(1), at(1, 2).1);
    let trace = replay(&program, &own).expect("thread 1 stands within its section");
    assert!(trace.race().is_some_and(|race| race.sides[0].section));

    let program = beside(vec![load(0, 0)], section());
    let mut others = step(2);
    others.rival = Some(at(2, 2));
    let trace = replay(&program, &others).expect("thread 2 stands within its section");
    assert!(trace.race().is_some_and(|race| race.sides[1].section));
}
