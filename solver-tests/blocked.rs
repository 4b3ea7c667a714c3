//! Unbounded verification of deadlocks: programs of `modular/deadlocks`, whose first lines say whether threads are blocked for ever,
//! also compared with the enumeration of all executions where that is finite.

#[cfg(test)]
mod tests {
    use crate::beside;
    use crate::oracle::read_for;
    use crate::together::{
        self, PROVED, budget, checked, other_strategies_say_nothing, proved_and_checked,
    };
    use selvedge::event::MemoryModel;
    use selvedge::ir::{Check, Checks, Program, Property};
    use selvedge::modular::certificate::Rejection;
    use selvedge::modular::{Finding, Proof, Strategy};
    use selvedge::trace::enumerate::{Limits, enumerate};
    use selvedge::trace::interpret::Bounds;
    use selvedge::transition;
    use selvedge::transition::product::{Bad, End};

    const FOLDER: &str = "modular/deadlocks";
    const FOUND: &str = "// deadlock";

    fn read(text: &str) -> Program {
        read_for(text, Checks::of(&[Check::Deadlock])).unwrap()
    }

    /// First line of a program in whose product threads are stuck, or never are; `None` without an answer.
    fn said(program: &Program) -> Option<&'static str> {
        let automata = transition::automata(program, &budget()).ok()?;
        let bad = Bad {
            deadlocks: true,
            ..Bad::default()
        };
        let is_stuck = |end: &End| matches!(end, End::Stuck(..));
        together::said(&automata, bad, is_stuck, FOUND)
    }

    fn prove(program: &Program) -> Proof {
        together::prove(program, Check::Deadlock, Strategy::Interleavings)
    }

    /// The programs whose first line is this one.
    fn programs(first: &str) -> Vec<(String, Program)> {
        together::programs(FOLDER, first, read)
    }

    #[test]
    fn threads_are_stuck_where_they_are_blocked_for_ever() {
        for (name, text) in beside::programs(FOLDER) {
            assert_eq!(text.lines().next(), said(&read(&text)), "{name}");
        }
    }

    #[test]
    fn what_is_free_of_deadlocks_is_proved_and_the_proof_is_checked() {
        for (name, program) in programs(PROVED) {
            let found = proved_and_checked(&name, &program, Check::Deadlock);
            assert!(found.deadlock_free, "{name}");
        }
    }

    #[test]
    fn deadlocks_are_found_and_replayed() {
        for (name, program) in programs(FOUND) {
            let proof = prove(&program);
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
        for (name, text) in beside::programs(FOLDER) {
            if text.contains("while (1)") {
                continue;
            }
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
            let is_proved = text.starts_with(PROVED);
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
        let (_, program) = &programs(PROVED)[0];
        let proof = prove(program);
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
        let (_, program) = &programs(PROVED)[0];
        other_strategies_say_nothing(program, Check::Deadlock);
    }

    /// Every deliberate error shows in one of the programs.
    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_of_deadlocks_is_caught() {
        together::every_fault_is_caught("blocked", "STUCK", FOLDER, |text| said(&read(text)));
    }
}
