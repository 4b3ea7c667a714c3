//! Unbounded verification of states of several threads: what tests of races and of deadlocks have in common. Each has a folder of
//! programs, whose first lines say what is expected.

use crate::beside;
use selvedge::base::{Budget, Meter};
use selvedge::ir::{Check, Checks, Program};
use selvedge::lanes::Flag;
use selvedge::modular::certificate::{Certificate, Checked, Rejection, check};
use selvedge::modular::{self, Finding, Options, Proof, Strategy};
use selvedge::pdr::{self, Answer, Wanted};
use selvedge::race::Sites;
use selvedge::sat::SolverKind;
use selvedge::solve::Setup;
use selvedge::transition::Automata;
use selvedge::transition::product::{Bad, End, product};
use std::sync::Arc;
use std::time::Duration;

const SECONDS: u64 = 120;

/// First line of programs that have nothing bad.
pub const PROVED: &str = "// proved";

/// Budget of one search.
pub fn budget() -> Budget {
    Budget::unlimited().with_wall_limit(Duration::from_secs(SECONDS))
}

/// First line of a program in whose product a bad state is reached, at an end as it `is_such`, or never is; `None` without an answer.
pub fn said(
    automata: &Automata,
    bad: Bad,
    is_such: impl Fn(&End) -> bool,
    reached: &'static str,
) -> Option<&'static str> {
    let budget = budget();
    let product = product(automata, bad);
    let setup = Setup {
        solver: SolverKind::DEFAULT,
        seed: 0,
        budget: &budget,
        meter: None,
    };
    let decided = pdr::decide(&product.system, Wanted::Any, &[], &setup)?;
    match decided.ok()?.0 {
        Answer::Safe(_) => Some(PROVED),
        Answer::Reached(trace) => {
            let execution = product.execution(automata, &trace, bad)?;
            is_such(&execution.end).then_some(reached)
        }
        Answer::Stopped(_) | Answer::Particular(_) => None,
    }
}

/// The search for violations of one check.
pub fn prove(program: &Program, asked: Check, strategy: Strategy) -> Proof {
    let sites = (asked == Check::Race).then(|| Arc::new(Sites::of(program)));
    let options = Options {
        checks: Checks::of(&[asked]),
        solver: SolverKind::DEFAULT,
        seed: 0,
        strategy,
        sites,
        suits_lockstep: Flag::default(),
    };
    modular::prove(program, &options, &Meter::default(), &budget()).expect("no error")
}

/// The check of a certificate.
pub fn checked(program: &Program, certificate: &Certificate) -> Result<Checked, Rejection> {
    check(
        program,
        certificate,
        SolverKind::DEFAULT,
        &Budget::unlimited(),
    )
}

/// The programs of a folder whose first line is this one; at least one.
pub fn programs(
    folder: &str,
    first: &str,
    read: impl Fn(&str) -> Program,
) -> Vec<(String, Program)> {
    let all = beside::programs(folder);
    let found = all.into_iter().filter(|(_, text)| text.starts_with(first));
    let found: Vec<_> = found.map(|(name, text)| (name, read(&text))).collect();
    assert!(!found.is_empty());
    found
}

/// Demands that a program is proved, with a certificate that can be written, read and checked: what the check says.
pub fn proved_and_checked(name: &str, program: &Program, asked: Check) -> Checked {
    let proof = prove(program, asked, Strategy::Interleavings);
    let is_proved = matches!(&proof.finding, Finding::Safe { undefined } if undefined.is_empty());
    assert!(is_proved, "{name}");
    let certificate = proof.certificate.expect("it is proved");
    let json = serde_json::to_string(&certificate).unwrap();
    assert_eq!(
        serde_json::from_str::<Certificate>(&json).unwrap(),
        certificate,
        "{name}"
    );
    checked(program, &certificate).unwrap()
}

/// Demands that strategies which look at less than all interleavings say nothing.
pub fn other_strategies_say_nothing(program: &Program, asked: Check) {
    for strategy in [
        Strategy::Lockstep,
        Strategy::Families,
        Strategy::OneByOne(Vec::new()),
    ] {
        let proof = prove(program, asked, strategy);
        assert!(matches!(proof.finding, Finding::Open));
        assert!(proof.certificate.is_none());
    }
}

/// Demands that every deliberate error of a kind shows in one of the programs of a folder, by what is `said` of its text.
#[cfg(feature = "faults")]
pub fn every_fault_is_caught(
    name: &'static str,
    kind: &str,
    folder: &str,
    said: impl Fn(&str) -> Option<&'static str> + Sync,
) {
    let named = beside::programs(folder);
    let campaign = selvedge::base::faults::record::Campaign {
        name,
        faults: crate::campaigns::of_kind(kind, ()),
        programs: named.iter().map(|(name, _)| name.clone()).collect(),
    };
    campaign.run(|_, (), number| {
        let (_, text) = &named[number];
        Some(text.lines().next() == said(text))
    });
}
