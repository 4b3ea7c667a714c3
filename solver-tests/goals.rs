//! Kinds of goals: random programs whose only goals are of one kind. The assertions of a program become a goal of that kind,
//! reached where they would fail: what reductions preserve for one kind they have to preserve for every other.

#[cfg(test)]
use crate::oracle::{Fault, Skip, Subject, Truth, compare_prepared, prepare_for};
#[cfg(test)]
use selvedge::Check;

/// Start of the names of campaigns (`faults/seeds.txt`) of the kinds.
#[cfg(feature = "faults")]
pub const CAMPAIGN: &str = "goals-";

/// A check of each kind, and what its goals are.
#[cfg(test)]
const KINDS: [(Check, &str); 4] = [
    (Check::Assert, "if (!(c)) reach_error()"),
    (
        Check::Memory,
        "if (!(c)) { int *nowhere = 0; *nowhere = 1; }",
    ),
    (Check::Leak, "if (!(c)) malloc(1)"),
    // Another thread does the same, whatever happens.
    (Check::Race, "if (!(c)) watched = 1"),
];

/// The thread that accesses what the goals of races do.
#[cfg(test)]
const WATCHER: &str = "int watched; void *watcher(void *arg) { watched = 1; return 0; }\n";

/// What main does first where races are the goals.
#[cfg(test)]
const WATCHED: &str =
    "int main(void) {\npthread_t watching;\npthread_create(&watching, 0, watcher, 0);\n";

/// Compares subjects with the enumeration on a random program whose goals are of one kind.
#[cfg(test)]
fn compare(seed: u64, (check, goal): (Check, &str)) -> Result<Result<Truth, Skip>, Fault> {
    let text = crate::generate::generate(seed).render();
    let text = text.replace(
        "void reach_error(void) { assert(0); }",
        "void reach_error(void);",
    );
    let text = text.replace("assert(", "GOAL(");
    let races = check == Check::Race;
    let (text, watcher) = if races {
        (text.replacen("int main(void) {\n", WATCHED, 1), WATCHER)
    } else {
        (text, "")
    };
    let text = format!("#define GOAL(c) do {{ {goal}; }} while (0)\n{watcher}{text}");
    let subjects = if races {
        Subject::racing(seed)
    } else {
        Subject::in_turn(seed)
    };
    let prepared = match prepare_for(&text, [check].into_iter().collect())? {
        Ok(prepared) => prepared,
        Err(skip) => return Ok(Err(skip)),
    };
    let said = compare_prepared(&prepared, &subjects);
    said.map_err(|fault| Fault {
        details: format!("{}\n{text}", fault.details),
        ..fault
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::on_deep_stacks;
    use crate::tier::seeds;
    use rayon::prelude::*;

    #[test]
    fn every_kind_of_goals_agrees() {
        for kind in KINDS {
            let seeds = seeds(60);
            let count = seeds.len();
            let one = |seed| (seed, compare(seed, kind));
            let said: Vec<_> = on_deep_stacks(|| seeds.into_par_iter().map(one).collect());
            let mut verdicts = [0; 2];
            for (seed, said) in said {
                match said {
                    Err(Fault { kind, details }) => panic!("seed {seed}: {kind}: {details}"),
                    Ok(Ok(Truth::Unsafe)) => verdicts[0] += 1,
                    Ok(Ok(Truth::Safe)) => verdicts[1] += 1,
                    Ok(Err(_)) => {}
                }
            }
            println!("{}: {verdicts:?} of {count}", kind.0.name());
            assert!(
                verdicts.iter().all(|&number| 10 * number >= count),
                "{}: {verdicts:?}",
                kind.0.name()
            );
        }
    }

    /// Errors of reductions.
    #[cfg(feature = "faults")]
    fn reductions() -> Vec<(selvedge::base::faults::Fault, ())> {
        use selvedge::reduce::faults::Fault as Reduce;
        use selvedge::relation::faults::Fault as Relation;
        use selvedge::symex::faults::Fault as Symex;
        let all = [
            // What no goal depends on.
            Reduce::SliceWrites,
            // Ranges, in any order and in that of the program.
            Reduce::NarrowInitial,
            Relation::RangeSource,
            // Store forwarding.
            Reduce::OthersWrites,
            // Reads that the static order decides.
            Relation::OldestDecided,
            // Merged steps.
            Relation::TransactionLonger,
            // Threads that stop.
            Relation::StopBranch,
            // Idle iterations.
            Symex::IdleWrites,
            Symex::IdleRegisters,
            Symex::IdlePrivate,
            // Private memory.
            Symex::SharingMissed,
        ];
        all.into_iter().map(|fault| (fault, ())).collect()
    }

    /// Every error of a reduction shows in goals of a kind.
    #[cfg(feature = "faults")]
    fn every_fault_is_caught(check: Check) {
        use crate::faults::agreement;
        use selvedge::base::faults::record::{Campaign, seeds};
        let kind = KINDS.into_iter().find(|kind| kind.0 == check);
        let kind = kind.expect("a kind of goals");
        let name = format!("{CAMPAIGN}{}", check.name());
        let campaign = Campaign {
            name: &name,
            faults: reductions(),
            programs: seeds(2000),
        };
        campaign.run(|_, (), number| agreement(compare(number as u64, kind)));
    }

    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_of_reductions_is_caught_by_assertions() {
        every_fault_is_caught(Check::Assert);
    }

    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_of_reductions_is_caught_by_undefined_behaviour() {
        every_fault_is_caught(Check::Memory);
    }

    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_of_reductions_is_caught_by_states_at_the_end() {
        every_fault_is_caught(Check::Leak);
    }

    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_of_reductions_is_caught_by_races() {
        every_fault_is_caught(Check::Race);
    }
}
