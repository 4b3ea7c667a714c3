//! Deliberate errors must be noticed. Each is replayed on the program that is recorded to show it (`faults/seeds.txt`);
//! `SELVEDGE_FAULTS=all` searches the first such program of every campaign anew, half an hour, and records it:
//! `SELVEDGE_FAULTS=all cargo test --release --features faults faults -- --nocapture`.

use crate::campaigns::of_kind;
use crate::generate::{address, generate, weak};
use crate::oracle::{
    Prepared, Skip, Subject, Truth, compare, compare_prepared, prepare, prepare_under,
};
use selvedge::base::faults::record::{self, Agreement, Campaign};
use selvedge::base::faults::{Fault, with};
use selvedge::event::MemoryModel;
use selvedge::question::choice::ORDER;
use selvedge::relation::faults::Fault as RelationFault;
use selvedge::scheme::faults::Fault as SchemeFault;
use selvedge::scheme::mu::Variant;
use selvedge::scheme::{lazy, mu, step, timestamp};
use selvedge::symex::faults::Fault as SymexFault;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Programs until a fault must have been caught.
const PROGRAMS: u64 = 2000;

/// Random programs about addresses before those that are named.
const RANDOM: u64 = 1500;

/// Faults that none of these generated programs shows: in none of them threads wait for each other's end, release a lock that
/// another one has in a way that shows, or leave a section unfinished whose writes others could see. The random event programs beside the schemes show them.
const ELSEWHERE: &[Fault] = &[
    SchemeFault::JoinStamp,
    RelationFault::ForeignRelease,
    SchemeFault::SectionTorn,
];

/// Faults of unwindings that these programs are known to show; the others are tried if they are named in
/// `SELVEDGE_FAULTS`. The random event programs beside the schemes show them.
const UNWINDING: &[Fault] = &[
    SchemeFault::WindowShort,
    SchemeFault::StopAndGoOn,
    SchemeFault::AssertBehindStop,
    SchemeFault::WriteStays,
    SchemeFault::PositionShared,
    SchemeFault::RowLost,
    SchemeFault::OneAddress,
];

/// Programs by number, prepared when they are first asked for; `None` for those that tell nothing.
struct Programs<T>(Vec<OnceLock<Option<T>>>);

impl<T> Programs<T> {
    fn new(count: usize) -> Programs<T> {
        Programs((0..count).map(|_| OnceLock::new()).collect())
    }

    /// The program of a number, prepared without any fault.
    fn get(&self, number: usize, prepare: impl FnOnce() -> Option<T>) -> Option<&T> {
        // Errors that are not seeded are the business of other tests.
        let prepared = || record::quietly(|| with(None, prepare)).flatten();
        self.0[number].get_or_init(prepared).as_ref()
    }
}

/// Result of a comparison, as campaigns have it.
pub fn agreement<T>(said: Result<Result<T, Skip>, crate::oracle::Fault>) -> Agreement {
    match said {
        Ok(Ok(_)) => Some(true),
        Ok(Err(_)) => None,
        Err(_) => Some(false),
    }
}

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

/// Subjects that a fault may show in.
fn subjects(fault: Fault) -> Vec<Subject> {
    let [order, rounds, stamps, steps, idle] = every_subject();
    let guessed = Subject::new(timestamp::Settings { guess_places: true });
    match fault {
        SymexFault::ElementAliasMissed
        | SymexFault::LabelWrong
        | SymexFault::ElementWriteLost
        | SymexFault::ElementAnew => with_arrays().to_vec(),
        SymexFault::IdleWrites | SymexFault::IdleRegisters | SymexFault::IdlePrivate => vec![idle],
        _ if fault.kind() == "SYMEX" => vec![order],
        _ if fault.kind() == "UNWINDING" => every_unwinding().to_vec(),
        _ => vec![order, rounds, stamps, guessed, steps],
    }
}

/// The enumeration under a fault of the models says the same: they are part of the program.
fn says_the_same(text: &str, truth: Truth) -> Agreement {
    let other = prepare(text);
    Some(matches!(other, Ok(Ok(other)) if other.truth() == truth))
}

/// Errors of encodings, of symbolic execution and of the models show in random programs.
#[test]
fn every_fault_is_caught() {
    let mut faults = [
        of_kind("ENCODING", ()),
        of_kind("UNWINDING", ()),
        of_kind("SYMEX", ()),
        of_kind("LIBRARY", ()),
    ]
    .concat();
    faults.retain(|(fault, ())| {
        let known = UNWINDING.contains(fault) || fault.kind() != "UNWINDING";
        (known && !ELSEWHERE.contains(fault)) || record::is_named(fault.name())
    });
    let campaign = Campaign {
        name: "programs",
        faults,
        programs: record::seeds(PROGRAMS),
    };
    let programs = Programs::new(campaign.programs.len());
    campaign.run(|fault, (), number| {
        let text = generate(number as u64).render();
        let prepared: &Prepared = programs.get(number, || prepare(&text).ok()?.ok())?;
        if fault.kind() == "LIBRARY" {
            says_the_same(&text, prepared.truth())
        } else {
            agreement(compare_prepared(prepared, &subjects(fault)))
        }
    });
}

/// Errors about objects that only their threads know show in programs that publish some.
#[test]
fn every_fault_of_the_heap_is_caught() {
    let campaign = Campaign {
        name: "heap",
        faults: of_kind("HEAP", ()),
        programs: record::seeds(PROGRAMS),
    };
    let programs = Programs::new(campaign.programs.len());
    campaign.run(|_, (), number| {
        let text = crate::generate::publish::generate(number as u64).render();
        let prepared: &Prepared = programs.get(number, || prepare(&text).ok()?.ok())?;
        let [order, ..] = every_subject();
        agreement(compare_prepared(prepared, &[order]))
    });
}

/// Errors about addresses and about what is shared show where accesses of programs that publish objects are compared one by one.
#[test]
fn every_fault_of_points_is_caught() {
    let also = [
        SymexFault::CandidateLost,
        SymexFault::OffsetLost,
        SymexFault::PointsToLost,
        SymexFault::SharingMissed,
    ];
    let campaign = Campaign {
        name: "points",
        faults: [
            of_kind("POINTS", ()),
            also.map(|fault| (fault, ())).to_vec(),
        ]
        .concat(),
        programs: record::seeds(PROGRAMS),
    };
    campaign.run(|_, (), number| {
        let text = crate::generate::publish::generate(number as u64).render();
        agreement(crate::points::compare(&text))
    });
}

/// Every error of the models shows in some program of `library/`.
#[test]
fn every_fault_of_the_library_is_caught() {
    let programs = crate::library::programs();
    let campaign = Campaign {
        name: "library",
        faults: [of_kind("LIBRARY", ()), of_kind("ANSWERS", ())].concat(),
        programs: programs.iter().map(|(name, _)| name.clone()).collect(),
    };
    campaign.run(|_, (), number| {
        let text = &programs[number].1;
        let expected = text.lines().next().unwrap_or_default();
        let said = crate::library::verdict(text, false);
        Some(matches!(said, Ok(said) if expected == format!("// {said}")))
    });
}

/// Every error of the front end shows in what random sequential programs compute.
#[test]
fn every_fault_of_the_language_is_caught() {
    let campaign = Campaign {
        name: "language",
        faults: of_kind("LANGUAGE", ()),
        programs: record::seeds(PROGRAMS),
    };
    let programs: Programs<u64> = Programs::new(campaign.programs.len());
    campaign.run(|_, (), number| {
        let computed = || {
            let text = crate::native::text(number as u64, "");
            crate::native::interpreted(&text, &mut |_| ())
        };
        let right = programs.get(number, || computed().ok())?;
        Some(computed().as_ref() == Ok(right))
    });
}

/// Every error of the memory models shows in random programs about store buffers, under TSO or under PSO.
#[test]
fn every_fault_of_weak_memory_is_caught() {
    let mut subjects = Subject::weak(0);
    subjects.truncate(4);
    let campaign = Campaign {
        name: "weak",
        faults: of_kind("MEMORY", ()),
        programs: record::seeds(PROGRAMS),
    };
    let programs: Programs<Vec<Prepared>> = Programs::new(campaign.programs.len());
    campaign.run(|_, (), number| {
        let text = weak::generate(number as u64).render();
        let under = |memory| prepare_under(memory, &text).ok()?.ok();
        let models = [MemoryModel::Tso, MemoryModel::Pso].into_iter();
        let prepared = programs.get(number, || Some(models.filter_map(under).collect()))?;
        let said = prepared
            .iter()
            .map(|one| agreement(compare_prepared(one, &subjects)));
        let said: BTreeSet<Agreement> = said.collect();
        if said.contains(&Some(false)) {
            Some(false)
        } else {
            said.contains(&Some(true)).then_some(true)
        }
    });
}

/// Every error about machine addresses shows in random programs that look at them, or in those of `addresses/`: those
/// of symbolic execution against the enumeration, those of the interpreter against symbolic execution.
#[test]
fn every_fault_of_addresses_is_caught() {
    let order = Subject::new(ORDER);
    let order = [
        order,
        Subject {
            unset_words: false,
            ..order
        },
    ];
    let named = crate::addresses::texts();
    let names = named.iter().map(|(name, _)| name.clone());
    let campaign = Campaign {
        name: "addresses",
        faults: [of_kind("ADDRESSES", ()), of_kind("MACHINE", ())].concat(),
        programs: record::seeds(RANDOM).into_iter().chain(names).collect(),
    };
    let text = |number: usize| match number.checked_sub(RANDOM as usize) {
        Some(number) => named[number].1.clone(),
        None => address::generate(number as u64).render(),
    };
    let programs: Programs<Prepared> = Programs::new(campaign.programs.len());
    campaign.run(|fault, (), number| {
        let text = text(number);
        agreement(if fault.kind() == "MACHINE" {
            compare(&text, &order)
        } else {
            let prepared = programs.get(number, || prepare(&text).ok()?.ok())?;
            compare_prepared(prepared, &order)
        })
    });
}
