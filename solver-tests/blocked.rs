//! Unbounded verification of deadlocks: programs of `modular/deadlocks`, whose first lines say whether threads are blocked for ever,
//! also compared with the enumeration of all executions where that is finite.

#[cfg(test)]
mod tests {
    use crate::beside;
    use crate::oracle::read_for;
    use selvedge::base::Budget;
    use selvedge::event::MemoryModel;
    use selvedge::ir::{Check, Checks, Program, Property};
    use selvedge::lanes::Flag;
    use selvedge::modular::certificate::{Certificate, Checked, Rejection, check};
    use selvedge::modular::{self, Finding, Options, Proof, Strategy};
    use selvedge::pdr::{self, Answer, Wanted};
    use selvedge::sat::SolverKind;
    use selvedge::solve::{Meter, Setup};
    use selvedge::trace::enumerate::{Limits, enumerate};
    use selvedge::trace::interpret::Bounds;
    use selvedge::transition;
    use selvedge::transition::product::{Bad, End, product};
    use std::time::Duration;

    const SECONDS: u64 = 120;

    fn budget() -> Budget {
        Budget::unlimited().with_wall_limit(Duration::from_secs(SECONDS))
    }

    fn read(text: &str) -> Program {
        read_for(text, Checks::of(&[Check::Deadlock])).unwrap()
    }

    /// First line of a program in whose product threads are stuck, or never are; `None` without an answer.
    fn said(program: &Program) -> Option<&'static str> {
        let budget = budget();
        let automata = transition::automata(program, &budget).ok()?;
        let bad = Bad {
            deadlocks: true,
            ..Bad::default()
        };
        let product = product(&automata, bad);
        let setup = Setup {
            solver: SolverKind::DEFAULT,
            seed: 0,
            budget: &budget,
            meter: None,
        };
        let decided = pdr::decide(&product.system, Wanted::Any, &[], &setup)?;
        match decided.ok()?.0 {
            Answer::Safe(_) => Some("// proved"),
            Answer::Reached(trace) => {
                let execution = product.execution(&automata, &trace, bad)?;
                matches!(execution.end, End::Stuck(..)).then_some("// deadlock")
            }
            Answer::Stopped(_) | Answer::Particular(_) => None,
        }
    }

    fn prove(program: &Program, strategy: Strategy) -> Proof {
        let options = Options {
            checks: Checks::of(&[Check::Deadlock]),
            solver: SolverKind::DEFAULT,
            seed: 0,
            strategy,
            sites: None,
            suits_lockstep: Flag::default(),
        };
        modular::prove(program, &options, &Meter::default(), &budget()).expect("no error")
    }

    fn checked(program: &Program, certificate: &Certificate) -> Result<Checked, Rejection> {
        check(
            program,
            certificate,
            SolverKind::DEFAULT,
            &Budget::unlimited(),
        )
    }

    /// The programs of the folder whose first line is this one.
    fn programs(first: &str) -> Vec<(String, Program)> {
        let all = beside::programs("modular/deadlocks");
        let found = all.into_iter().filter(|(_, text)| text.starts_with(first));
        let found: Vec<_> = found.map(|(name, text)| (name, read(&text))).collect();
        assert!(!found.is_empty());
        found
    }

    #[test]
    fn threads_are_stuck_where_they_are_blocked_for_ever() {
        for (name, text) in beside::programs("modular/deadlocks") {
            assert_eq!(text.lines().next(), said(&read(&text)), "{name}");
        }
    }

    #[test]
    fn what_is_free_of_deadlocks_is_proved_and_the_proof_is_checked() {
        for (name, program) in programs("// proved") {
            let proof = prove(&program, Strategy::Interleavings);
            let is_proved =
                matches!(&proof.finding, Finding::Safe { undefined } if undefined.is_empty());
            assert!(is_proved, "{name}");
            let certificate = proof.certificate.expect("it is proved");
            let json = serde_json::to_string(&certificate).unwrap();
            assert_eq!(
                serde_json::from_str::<Certificate>(&json).unwrap(),
                certificate,
                "{name}"
            );
            let found = checked(&program, &certificate).unwrap();
            assert!(found.deadlock_free, "{name}");
        }
    }

    #[test]
    fn deadlocks_are_found_and_replayed() {
        for (name, program) in programs("// deadlock") {
            let proof = prove(&program, Strategy::Interleavings);
            match proof.finding {
                Finding::Violated {
                    property: Property::Deadlock,
                    trace,
                    ..
                } => assert!(trace.deadlock().is_some(), "{name}"),
                _ => panic!("{name}: no deadlock is found"),
            }
        }
    }

    #[test]
    fn deadlocks_agree_with_the_enumeration() {
        let mut compared = 0;
        for (name, text) in beside::programs("modular/deadlocks") {
            let bounds = Bounds {
                memory: MemoryModel::Sc,
                ..Bounds::default()
            };
            let limits = Limits {
                deadlocks: true,
                states: 20_000,
                ..Limits::default()
            };
            let found = enumerate(&read(&text), bounds, &limits).unwrap();
            let is_proved = text.starts_with("// proved");
            if found.gave_up && found.deadlocks.is_empty() {
                continue;
            }
            assert_eq!(found.deadlocks.is_empty(), is_proved, "{name}");
            compared += 1;
        }
        assert!(compared > 5);
    }

    #[test]
    fn proofs_of_something_else_say_nothing_of_deadlocks() {
        let (_, program) = &programs("// proved")[0];
        let proof = prove(program, Strategy::Interleavings);
        let whole = proof.certificate.expect("it is proved");
        // Nothing is said of deadlocks, or of automata that tell nothing of them.
        let mut silent = whole.clone();
        silent.interleavings[0].deadlocks = false;
        assert!(!checked(program, &silent).unwrap().deadlock_free);
        let mut blind = whole.clone();
        blind.deadlocks = false;
        assert!(matches!(checked(program, &blind), Err(Rejection::Unfit(_))));
    }

    #[test]
    fn other_strategies_say_nothing_of_deadlocks() {
        let (_, program) = &programs("// proved")[0];
        for strategy in [
            Strategy::Lockstep,
            Strategy::Families,
            Strategy::OneByOne(Vec::new()),
        ] {
            let proof = prove(program, strategy);
            assert!(matches!(proof.finding, Finding::Open));
            assert!(proof.certificate.is_none());
        }
    }

    /// Every deliberate error shows in one of the programs.
    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_of_deadlocks_is_caught() {
        use crate::campaigns::of_kind;
        use selvedge::base::faults::record::Campaign;
        let named = beside::programs("modular/deadlocks");
        let campaign = Campaign {
            name: "blocked",
            faults: of_kind("STUCK", ()),
            programs: named.iter().map(|(name, _)| name.clone()).collect(),
        };
        campaign.run(|_, (), number| {
            let (_, text) = &named[number];
            Some(text.lines().next() == said(&read(text)))
        });
    }
}
