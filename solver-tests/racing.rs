//! Unbounded verification of races: programs of `modular/races`, whose first lines say whether two threads race, and random ones
//! against the enumeration of all executions.

#[cfg(test)]
mod tests {
    use crate::accepted::{generate, generate_joined};
    use crate::beside;
    use crate::oracle::{explore_races, read};
    use crate::together::{
        self, PROVED, budget, checked, other_strategies_say_nothing, proved_and_checked,
    };
    use selvedge::base::sorted::SortedMap;
    use selvedge::ir::{Check, InstrKind, Origin, Program, Property};
    use selvedge::modular::certificate::Rejection;
    use selvedge::modular::{Finding, Proof, Strategy};
    use selvedge::race::{Site, Sites};
    use selvedge::transition::product::{Bad, End};
    use selvedge::transition::racing;

    const FOLDER: &str = "modular/races";
    const FOUND: &str = "// race";

    /// All accesses of a program but those of models that synchronise, whatever is known of them without a search.
    fn all_sites(program: &Program) -> Sites {
        let mut open = SortedMap::new();
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
        let automata = racing(program, &all_sites(program), &budget()).ok()?;
        let bad = Bad {
            races: true,
            ..Bad::default()
        };
        let meets = |end: &End| matches!(end, End::Met(_));
        together::said(&automata, bad, meets, FOUND)
    }

    fn prove(program: &Program) -> Proof {
        together::prove(program, Check::Race, Strategy::Interleavings)
    }

    /// The programs whose first line is this one.
    fn programs(first: &str) -> Vec<(String, Program)> {
        together::programs(FOLDER, first, |text| read(text).unwrap())
    }

    #[test]
    fn threads_meet_where_they_race() {
        for (name, text) in beside::programs(FOLDER) {
            let program = read(&text).unwrap();
            assert_eq!(text.lines().next(), said(&program), "{name}");
        }
    }

    #[test]
    fn what_is_free_of_races_is_proved_and_the_proof_is_checked() {
        for (name, program) in programs(PROVED) {
            let found = proved_and_checked(&name, &program, Check::Race);
            assert!(found.race_free, "{name}");
        }
    }

    #[test]
    fn races_are_found_and_replayed() {
        for (name, program) in programs(FOUND) {
            let proof = prove(&program);
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
            match prove(&program).finding {
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
        let (_, program) = &programs(PROVED)[0];
        let proof = prove(program);
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
        let (_, program) = &programs(PROVED)[0];
        other_strategies_say_nothing(program, Check::Race);
    }

    /// Every deliberate error shows in one of the programs.
    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_of_races_is_caught() {
        together::every_fault_is_caught("racing", "RACING", FOLDER, |text| said(&read(text).ok()?));
    }
}
