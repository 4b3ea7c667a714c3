//! Every seeded fault is noticed: each on the program that is recorded, or found among random ones.

use super::enumerate::possible;
use super::{LAZY_CYCLES, Options, compare, enough_rounds, of_kind, random};
use crate::base::faults::Fault;
use crate::base::faults::record::{Campaign, seeds};
use crate::event::MemoryModel;
use crate::question::choice::ORDER;
use crate::relation::faults::Fault as RelationFault;
use crate::sat::SolverKind;
use crate::scheme::{lazy, step, timestamp};

/// Schemes that a fault may touch.
fn schemes(fault: Fault, enough: u32) -> Vec<Options> {
    let mut schemes = vec![Options::new(ORDER)];
    if fault == RelationFault::NoTransitivity {
        schemes.push(Options::new(LAZY_CYCLES));
    }
    schemes.push(Options::new(timestamp::Settings::default()));
    schemes.push(Options::new(timestamp::Settings { guess_places: true }));
    schemes.push(Options::new(step::Settings::default()));
    if enough <= 6 {
        schemes.push(Options::new(lazy::Settings::rounds(enough)));
    }
    schemes
}

#[test]
fn every_fault_is_noticed() {
    let campaign = Campaign {
        name: "events",
        faults: of_kind("ENCODING"),
        programs: seeds(5000),
    };
    campaign.run(|fault, (), seed| {
        let program = random::program(seed as u64);
        let expected = possible(&program, None);
        let schemes = schemes(fault, enough_rounds(&program));
        let agree = schemes.iter().all(|options| {
            let mut program = random::program(seed as u64);
            compare(&mut program, &expected, options, SolverKind::Varisat).is_ok()
        });
        Some(agree)
    });
}

/// Some of them are about one of the models only.
#[test]
fn every_fault_of_weak_memory_is_noticed() {
    let campaign = Campaign {
        name: "events-weak",
        faults: of_kind("MEMORY"),
        programs: seeds(2000),
    };
    campaign.run(|_, (), seed| {
        let agree = [MemoryModel::Tso, MemoryModel::Pso]
            .into_iter()
            .all(|memory| {
                let mut program = random::under(memory, seed as u64);
                let expected = possible(&program, None);
                let options = Options::new(ORDER);
                compare(&mut program, &expected, &options, SolverKind::Varisat).is_ok()
            });
        Some(agree)
    });
}
