//! Deliberate errors must be noticed: how many random programs each one survives
//! (`cargo test --release --features faults faults -- --nocapture` prints the table).

use crate::generate::{address, generate, weak};
use crate::oracle::{Prepared, Subject, compare, compare_prepared, prepare, prepare_under};
use rayon::prelude::*;
use selvedge::base::faults::{Fault, with};
use selvedge::event::MemoryModel;
use selvedge::question::choice::ORDER;
use selvedge::scheme::mu::Variant;
use selvedge::scheme::{lazy, mu, step, timestamp};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Programs until a fault must have been caught.
const PROGRAMS: usize = 2000;

/// Random programs about addresses before those that are named.
const RANDOM: usize = 1500;

/// Faults that none of these generated programs shows: in none of them threads wait for each other's end, release a lock that
/// another one has in a way that shows, or leave a section unfinished whose writes others could see. The random event programs beside the schemes show them.
const ELSEWHERE: &[Fault] = &[Fault::JoinStamp, Fault::ForeignRelease, Fault::SectionTorn];

/// Faults of unwindings that these programs are known to show; the others are tried if they are named in
/// `SELVEDGE_FAULTS`. The random event programs beside the schemes show them.
const UNWINDING: &[Fault] = &[
    Fault::WindowShort,
    Fault::StopAndGoOn,
    Fault::AssertBehindStop,
    Fault::WriteStays,
    Fault::PositionShared,
    Fault::RowLost,
];

/// Programs by seed, prepared when they are first asked for; `None` for those that tell nothing, or that disagree
/// without any fault.
type Programs = Vec<OnceLock<Option<Prepared>>>;

/// Without the idle rule by order, by rounds, by timestamps and by steps, and with it.
fn every_subject() -> [Subject; 5] {
    let order = Subject::new(ORDER);
    let idle = Subject {
        idle_rule: true,
        ..order
    };
    let rounds = Subject::new(lazy::Settings::rounds(4));
    let stamps = Subject::new(timestamp::Settings::default());
    let steps = Subject::new(step::Settings::default());
    [order, rounds, stamps, steps, idle]
}

/// With every object seen as an array where it can be.
fn with_arrays() -> [Subject; 4] {
    let [order, rounds, stamps, steps, _] = every_subject();
    [order, rounds, stamps, steps].map(|subject| Subject {
        arrays: true,
        ..subject
    })
}

/// Memory unwindings in every variant, with as many writes as are enough; once at once, then growing.
fn every_unwinding() -> [Subject; 6] {
    let all = |variant| mu::Settings {
        writes: Some(u32::MAX),
        ..mu::Settings::of(variant)
    };
    [
        Subject::new(all(Variant::FineExplicit)),
        Subject::unwinding(Variant::FineExplicit),
        Subject {
            arrays: true,
            ..Subject::unwinding(Variant::FineImplicit)
        },
        Subject::unwinding(Variant::FineMixed),
        Subject::unwinding(Variant::Intra),
        Subject::unwinding(Variant::Inter),
    ]
}

/// What a fault may show in.
fn subjects(fault: Fault) -> Vec<Subject> {
    let [order, rounds, stamps, steps, idle] = every_subject();
    let guessed = Subject::new(timestamp::Settings { guess_places: true });
    match fault {
        Fault::ElementAliasMissed
        | Fault::LabelWrong
        | Fault::ElementWriteLost
        | Fault::ElementAnew => with_arrays().to_vec(),
        Fault::IdleWrites | Fault::IdleRegisters | Fault::IdlePrivate => vec![idle],
        _ if Fault::SYMEX.contains(&fault) => vec![order],
        _ if Fault::UNWINDING.contains(&fault) => every_unwinding().to_vec(),
        _ => vec![order, rounds, stamps, guessed, steps],
    }
}

/// The number of the first program, from 1, that shows the fault.
fn caught(fault: Fault, programs: &Programs) -> Option<usize> {
    let subjects = subjects(fault);
    (0..PROGRAMS)
        .find(|index| {
            let prepared = programs[*index].get_or_init(|| {
                let text = generate(*index as u64).render();
                let agreeing = || {
                    let prepared = prepare(&text).ok()?.ok()?;
                    let subjects =
                        [&every_subject()[..], &with_arrays(), &every_unwinding()].concat();
                    let agrees = compare_prepared(&prepared, &subjects);
                    matches!(agrees, Ok(Ok(_))).then_some(prepared)
                };
                // Errors that are not seeded are the business of other tests.
                catch_unwind(AssertUnwindSafe(|| with(None, agreeing))).unwrap_or(None)
            });
            let Some(prepared) = prepared else {
                return false;
            };
            if Fault::LIBRARY.contains(&fault) {
                // The models are part of the program: the enumeration itself says something else.
                let text = generate(*index as u64).render();
                let outcome = catch_unwind(AssertUnwindSafe(|| {
                    with(Some(fault), || {
                        prepare(&text).map(|other| other.map(|p| p.truth()))
                    })
                }));
                return !matches!(outcome, Ok(Ok(Ok(truth))) if truth == prepared.truth());
            }
            // What breaks down under a fault is noticed, too.
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                with(Some(fault), || compare_prepared(prepared, &subjects))
            }));
            !matches!(outcome, Ok(Ok(_)))
        })
        .map(|index| index + 1)
}

/// Every error of the models shows in some program of `library/`.
#[test]
fn every_fault_of_the_library_is_caught() {
    std::panic::set_hook(Box::new(|_| {}));
    let programs = crate::library::programs();
    let shows = |fault: Fault, text: &str| {
        let said = catch_unwind(AssertUnwindSafe(|| {
            with(Some(fault), || crate::library::verdict(text, false))
        }));
        let expected = text.lines().next().unwrap_or_default();
        !matches!(said, Ok(Ok(said)) if expected == format!("// {said}"))
    };
    let missed: Vec<&str> = crate::oracle::on_a_deep_stack(|| {
        let missed = Fault::LIBRARY.iter().filter(|fault| {
            let caught: Vec<&str> = programs
                .iter()
                .filter(|(_, text)| shows(**fault, text))
                .map(|(name, _)| name.as_str())
                .collect();
            println!("{:<24}{}", fault.name(), caught.join(" "));
            caught.is_empty()
        });
        missed.map(|fault| fault.name()).collect()
    });
    let _ = std::panic::take_hook();
    assert!(missed.is_empty(), "no program shows {missed:?}");
}

/// Every error of the front end shows in what random sequential programs compute, within as many programs.
#[test]
fn every_fault_of_the_language_is_caught() {
    let programs: Vec<OnceLock<Result<u64, String>>> =
        (0..PROGRAMS).map(|_| OnceLock::new()).collect();
    let computed = |seed: usize| {
        let text = crate::native::text(seed as u64, "");
        crate::native::interpreted(&text, &mut |_| ())
    };
    let caught = |fault: Fault| {
        (0..PROGRAMS).find(|&seed| {
            let right = programs[seed].get_or_init(|| with(None, || computed(seed)));
            let said = catch_unwind(AssertUnwindSafe(|| with(Some(fault), || computed(seed))));
            right.is_ok() && !matches!(said, Ok(said) if said == *right)
        })
    };
    std::panic::set_hook(Box::new(|_| {}));
    let missed: Vec<&str> = crate::oracle::on_a_deep_stack(|| {
        let missed = Fault::LANGUAGE.iter().filter(|fault| {
            let first = caught(**fault).map(|seed| seed + 1);
            match first {
                Some(count) => println!("{:<24}{count:>6}", fault.name()),
                None => println!("{:<24}  none of {PROGRAMS}", fault.name()),
            }
            first.is_none()
        });
        missed.map(|fault| fault.name()).collect()
    });
    let _ = std::panic::take_hook();
    assert!(missed.is_empty(), "no program shows {missed:?}");
}

/// Every error of the memory models shows in random programs about store buffers, under TSO or under PSO.
#[test]
fn every_fault_of_weak_memory_is_caught() {
    let mut subjects = Subject::weak(0);
    subjects.truncate(4);
    let programs: Vec<OnceLock<Vec<Prepared>>> = (0..PROGRAMS).map(|_| OnceLock::new()).collect();
    let agreeing = |seed: usize| -> Vec<Prepared> {
        let text = weak::generate(seed as u64).render();
        let models = [MemoryModel::Tso, MemoryModel::Pso].into_iter();
        let prepared = models.filter_map(|memory| prepare_under(memory, &text).ok()?.ok());
        prepared
            .filter(|one| matches!(compare_prepared(one, &subjects), Ok(Ok(_))))
            .collect()
    };
    let shows = |fault: Fault, prepared: &Prepared| {
        let said = catch_unwind(AssertUnwindSafe(|| {
            with(Some(fault), || compare_prepared(prepared, &subjects))
        }));
        !matches!(said, Ok(Ok(_)))
    };
    std::panic::set_hook(Box::new(|_| {}));
    let missed: Vec<&str> = crate::oracle::on_a_deep_stack(|| {
        let missed = Fault::MEMORY.iter().filter(|fault| {
            let first = (0..PROGRAMS).find(|&seed| {
                let all = programs[seed].get_or_init(|| with(None, || agreeing(seed)));
                all.iter().any(|prepared| shows(**fault, prepared))
            });
            match first {
                Some(seed) => println!("{:<24}{:>6}", fault.name(), seed + 1),
                None => println!("{:<24}  none of {PROGRAMS}", fault.name()),
            }
            first.is_none()
        });
        missed.map(|fault| fault.name()).collect()
    });
    let _ = std::panic::take_hook();
    assert!(missed.is_empty(), "no program shows {missed:?}");
}

/// Every error about machine addresses shows in random programs that look at them, or in those of `addresses/`: those
/// of symbolic execution against the enumeration, those of the interpreter against symbolic execution.
#[test]
fn every_fault_of_addresses_is_caught() {
    let order = [Subject::new(ORDER)];
    let named = crate::addresses::texts();
    let text = |index: usize| match index.checked_sub(RANDOM) {
        Some(index) => named[index].clone(),
        None => address::generate(index as u64).render(),
    };
    let count = RANDOM + named.len();
    let programs: Programs = (0..count).map(|_| OnceLock::new()).collect();
    let agreeing = |seed: usize| {
        let prepared = prepare(&text(seed)).ok()?.ok()?;
        matches!(compare_prepared(&prepared, &order), Ok(Ok(_))).then_some(prepared)
    };
    let shows = |fault: Fault, seed: usize| {
        let prepared = programs[seed].get_or_init(|| with(None, || agreeing(seed)));
        let Some(prepared) = prepared else {
            return false;
        };
        let said = catch_unwind(AssertUnwindSafe(|| {
            with(Some(fault), || match Fault::MACHINE.contains(&fault) {
                true => compare(&text(seed), &order),
                false => compare_prepared(prepared, &order),
            })
        }));
        !matches!(said, Ok(Ok(_)))
    };
    let chosen = std::env::var("SELVEDGE_FAULTS").ok();
    let is_chosen = |fault: &Fault| match &chosen {
        Some(names) => names.split(',').any(|name| name == fault.name()),
        None => true,
    };
    let faults = [Fault::ADDRESSES, Fault::MACHINE].concat();
    let faults: Vec<Fault> = faults.into_iter().filter(is_chosen).collect();
    let pool = rayon::ThreadPoolBuilder::new()
        .stack_size(256 << 20)
        .build();
    std::panic::set_hook(Box::new(|_| {}));
    let caught = |fault: &Fault| {
        let first = (0..count).find(|&index| shows(*fault, index));
        match first {
            Some(index) => println!("{:<24}{:>6}", fault.name(), index + 1),
            None => println!("{:<24}  none of {count}", fault.name()),
        }
        (fault.name(), first)
    };
    let all: Vec<(&str, Option<usize>)> = pool
        .expect("threads can be started")
        .install(|| faults.par_iter().with_max_len(1).map(caught).collect());
    let _ = std::panic::take_hook();
    let missed = all.iter().filter(|(_, first)| first.is_none());
    let missed: Vec<&str> = missed.map(|(name, _)| *name).collect();
    assert!(missed.is_empty(), "no program shows {missed:?}");
}

#[test]
fn every_fault_is_caught() {
    let faults = [
        Fault::ENCODING,
        Fault::UNWINDING,
        Fault::SYMEX,
        Fault::LIBRARY,
    ]
    .concat();
    let chosen = std::env::var("SELVEDGE_FAULTS").ok();
    let faults: Vec<Fault> = faults
        .into_iter()
        .filter(|fault| {
            let known = UNWINDING.contains(fault) || !Fault::UNWINDING.contains(fault);
            let chosen = match &chosen {
                Some(names) => names.split(',').any(|name| name == fault.name()),
                None => known,
            };
            chosen && !ELSEWHERE.contains(fault)
        })
        .collect();
    let programs: Programs = (0..PROGRAMS).map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    std::panic::set_hook(Box::new(|_| {}));
    let worker = || {
        let mut missed = Vec::new();
        while let Some(&fault) = faults.get(next.fetch_add(1, Ordering::Relaxed)) {
            match caught(fault, &programs) {
                Some(count) => println!("{:<24}{count:>6}", fault.name()),
                None => {
                    println!("{:<24}  none of {PROGRAMS}", fault.name());
                    missed.push(fault.name());
                }
            }
        }
        missed
    };
    // A fault is switched on in one thread only, so that the threads do not disturb each other.
    let missed: Vec<&str> = std::thread::scope(|scope| {
        let start = |_| {
            std::thread::Builder::new()
                .stack_size(256 << 20)
                .spawn_scoped(scope, worker)
                .expect("threads can be started")
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let running: Vec<_> = (0..threads).map(start).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<&'static str>>| {
            thread.join().expect("faults are contained")
        };
        running.into_iter().flat_map(join).collect()
    });
    let _ = std::panic::take_hook();
    assert!(
        missed.is_empty(),
        "not caught within {PROGRAMS} programs: {missed:?}"
    );
}
