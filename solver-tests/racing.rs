//! Unbounded verification of races: programs of `modular/races`, whose first lines say whether two threads race, and random ones
//! against the enumeration of all executions.

#[cfg(test)]
mod tests {
    use crate::accepted::{generate, generate_joined};
    use crate::beside;
    use crate::oracle::{explore_races, read};
    use selvedge::base::Budget;
    use selvedge::ir::{Check, Checks, InstrKind, Origin, Program, Property};
    use selvedge::lanes::Flag;
    use selvedge::modular::certificate::{Certificate, Checked, Rejection, check};
    use selvedge::modular::{self, Finding, Options, Proof, Strategy};
    use selvedge::pdr::{self, Answer, Wanted};
    use selvedge::race::{Site, Sites};
    use selvedge::sat::SolverKind;
    use selvedge::solve::{Meter, Setup};
    use selvedge::transition::product::{Bad, End, product};
    use selvedge::transition::racing;
    use std::collections::BTreeMap;
    use std::sync::Arc;
    use std::time::Duration;

    const SECONDS: u64 = 120;

    fn budget() -> Budget {
        Budget::unlimited().with_wall_limit(Duration::from_secs(SECONDS))
    }

    /// All accesses of a program but those of models that synchronise, whatever is known of them without a search.
    fn all_sites(program: &Program) -> Sites {
        let mut open = BTreeMap::new();
        for (function, code) in program.functions.iter_ids() {
            if code.origin == (Origin::Model { synchronises: true }) {
                continue;
            }
            for (block, code) in code.blocks.iter_ids() {
                let accesses = code.instrs.iter().enumerate().filter(|(_, instr)| {
                    matches!(
                        instr.kind,
                        InstrKind::Load { .. }
                            | InstrKind::Store { .. }
                            | InstrKind::Rmw { .. }
                            | InstrKind::CmpXchg { .. }
                            | InstrKind::Block { .. }
                            | InstrKind::Free { .. }
                    )
                });
                open.extend(accesses.map(|(index, _)| {
                    let site = Site {
                        function,
                        block,
                        index,
                    };
                    (site, 0)
                }));
            }
        }
        Sites {
            open,
            ..Sites::default()
        }
    }

    /// First line of a program in whose product two threads race, or never do; `None` without an answer.
    fn said(program: &Program) -> Option<&'static str> {
        let budget = budget();
        let automata = racing(program, &all_sites(program), &budget).ok()?;
        let bad = Bad {
            races: true,
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
                matches!(execution.end, End::Met(_)).then_some("// race")
            }
            Answer::Stopped(_) | Answer::Particular(_) => None,
        }
    }

    fn prove(program: &Program, strategy: Strategy) -> Proof {
        let options = Options {
            checks: Checks::of(&[Check::Race]),
            solver: SolverKind::DEFAULT,
            seed: 0,
            strategy,
            sites: Some(Arc::new(Sites::of(program))),
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
        let all = beside::programs("modular/races");
        let found = all.into_iter().filter(|(_, text)| text.starts_with(first));
        let found: Vec<_> = found
            .map(|(name, text)| (name, read(&text).unwrap()))
            .collect();
        assert!(!found.is_empty());
        found
    }

    #[test]
    fn threads_meet_where_they_race() {
        for (name, text) in beside::programs("modular/races") {
            let program = read(&text).unwrap();
            assert_eq!(text.lines().next(), said(&program), "{name}");
        }
    }

    #[test]
    fn what_is_free_of_races_is_proved_and_the_proof_is_checked() {
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
            assert!(found.race_free, "{name}");
        }
    }

    #[test]
    fn races_are_found_and_replayed() {
        for (name, program) in programs("// race") {
            let proof = prove(&program, Strategy::Interleavings);
            match proof.finding {
                Finding::Violated {
                    property: Property::Race,
                    trace,
                    ..
                } => assert!(trace.race().is_some(), "{name}"),
                _ => panic!("{name}: no race is found"),
            }
        }
    }

    #[test]
    fn races_agree_with_the_enumeration() {
        let count = crate::tier::programs(60);
        let (mut proved, mut raced, mut open) = (0, 0, 0);
        for seed in 0..count {
            let text = if seed % 4 == 3 {
                generate_joined(seed)
            } else {
                generate(seed)
            };
            let program = read(&text).unwrap();
            let Some(found) = explore_races(&program).unwrap() else {
                open += 1;
                continue;
            };
            match prove(&program, Strategy::Interleavings).finding {
                Finding::Safe { .. } => {
                    assert!(found.races.is_empty(), "seed {seed} races\n{text}");
                    proved += 1;
                }
                // It has been replayed, and may need more iterations than are enumerated.
                Finding::Violated { .. } => raced += 1,
                _ => open += 1,
            }
        }
        println!("proved {proved}, raced {raced}, no answer {open}");
        assert!(proved > 0 && raced > 0);
    }

    #[test]
    fn proofs_of_something_else_say_nothing_of_races() {
        let (_, program) = &programs("// proved")[0];
        let proof = prove(program, Strategy::Interleavings);
        let whole = proof.certificate.expect("it is proved");
        // Nothing is said of races, or of automata that tell nothing of them.
        let mut silent = whole.clone();
        silent.interleavings[0].races = false;
        assert!(!checked(program, &silent).unwrap().race_free);
        let mut blind = whole.clone();
        blind.races = false;
        assert!(matches!(checked(program, &blind), Err(Rejection::Unfit(_))));
    }

    #[test]
    fn other_strategies_say_nothing_of_races() {
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
    fn every_fault_of_races_is_caught() {
        use crate::campaigns::of_kind;
        use selvedge::base::faults::record::Campaign;
        let named = beside::programs("modular/races");
        let campaign = Campaign {
            name: "racing",
            faults: of_kind("RACING", ()),
            programs: named.iter().map(|(name, _)| name.clone()).collect(),
        };
        campaign.run(|_, (), number| {
            let (_, text) = &named[number];
            Some(text.lines().next() == said(&read(text).ok()?))
        });
    }
}
