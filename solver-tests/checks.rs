//! Checks of what is undefined. Against the enumeration: every place that some execution reaches is found, by every scheme, and
//! each finding replays. On pairs of programs (`checks/`) that were written by somebody who did not know how it is done: the
//! defect of the first is found where its first line says, and nothing in the second, which is its repair.

use crate::oracle::{Fault, MAY_FAIL, Skip, Subject, compare_prepared, prepare_for_all};
use selvedge::ir::Property;
#[cfg(test)]
use selvedge::{Budget, Check, Checks};
use std::collections::HashSet;

/// Compares subjects with the enumeration for all checks: what is violated.
fn compare(seed: u64, text: &str) -> Result<Result<HashSet<Property>, Skip>, Fault> {
    let prepared = match prepare_for_all(text)? {
        Ok(prepared) => prepared,
        Err(skip) => return Ok(Err(skip)),
    };
    let said = compare_prepared(&prepared, &Subject::in_turn(seed))?;
    Ok(said.map(|_| prepared.properties()))
}

/// What a run says of a program: the check and line of each violation (of a race, both lines, ascending), and whether it is
/// complete without any.
#[cfg(test)]
pub fn findings(
    name: &str,
    text: &str,
    checks: Checks,
    budget: &Budget,
) -> (Vec<(String, Vec<u64>)>, bool) {
    use selvedge::{Options, Request, Session};
    let options = Options {
        checks,
        // Some defects are what follows where an allocation fails.
        malloc_may_fail: text.contains(MAY_FAIL),
        ..Options::default()
    };
    let session = Session::parse(name, text, &options).unwrap_or_else(|error| panic!("{error}"));
    let request = Request {
        checks,
        first: false,
        ..Request::default()
    };
    let answer = session.verify(&request, budget, &mut |_| ());
    let answer = answer.unwrap_or_else(|error| panic!("{name}: {error}"));
    let json = selvedge::json::render(&answer.outcome, session.places());
    let report: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let found = report["findings"].as_array().expect("a list").iter();
    let found = found.map(|finding| {
        let check = finding["check"].as_str().unwrap_or_default();
        let line = |place: &serde_json::Value| place["line"].as_u64();
        let mut lines: Vec<u64> = line(&finding["place"]).into_iter().collect();
        lines.extend(line(&finding["other"]));
        lines.sort_unstable();
        (check.to_string(), lines)
    });
    (found.collect(), report["complete"] == true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beside;
    use crate::command::Folder;
    use crate::oracle::{on_deep_stacks, prepare_for};
    use crate::tier::{programs, start};
    use rayon::prelude::*;
    use selvedge::ir::Undefined;
    use std::collections::{BTreeMap, BTreeSet};

    /// What a property is counted as.
    fn class(property: Property) -> &'static str {
        match property {
            Property::Defined(
                Undefined::InvalidFree | Undefined::DoubleFree | Undefined::StaleFree,
            ) => "free",
            _ => Check::of(property).name(),
        }
    }

    /// Comparison of many programs: how many violate each class of properties (`any` counts those that violate some) and how many
    /// violate `none`.
    fn shares(count: u64, generate: impl Fn(u64) -> String + Sync) -> BTreeMap<&'static str, u64> {
        // Those of a long run begin where one was interrupted.
        let first = start();
        let one = |seed| {
            let text = generate(seed);
            compare(seed, &text).map_err(|Fault { kind, details }| {
                println!("seed {seed}: {kind}: {details}\n{text}");
                kind
            })
        };
        let seeds = first..first + count;
        let said: Vec<Result<Result<HashSet<Property>, Skip>, String>> =
            on_deep_stacks(|| seeds.into_par_iter().map(one).collect());
        let wrong: Vec<&String> = said.iter().filter_map(|said| said.as_ref().err()).collect();
        assert!(wrong.is_empty(), "{} programs: {wrong:?}", wrong.len());
        let mut shares = BTreeMap::new();
        for violated in said.into_iter().flatten().flatten() {
            let mut classes: BTreeSet<&str> = violated.into_iter().map(class).collect();
            classes.insert(if classes.is_empty() { "none" } else { "any" });
            for class in classes {
                *shares.entry(class).or_default() += 1;
            }
        }
        println!("of {count} programs: {shares:?}");
        shares
    }

    /// Compares so many programs: how many are unsafe, and how many are safe.
    fn all(count: u64, generate: impl Fn(u64) -> String + Sync) -> (u64, u64) {
        let shares = shares(count, generate);
        let number = |class| shares.get(class).copied().unwrap_or_default();
        (number("any"), number("none"))
    }

    /// The programs of the pairs whose defect is to be found, or not found yet, which is told with each.
    fn pairs() -> Vec<(String, String, bool)> {
        let open = beside::text(&beside::path("checks/open.txt"));
        let open: Vec<&str> = open.lines().filter(|line| !line.starts_with('#')).collect();
        let programs = beside::programs("checks").into_iter();
        let told = |(name, text): (String, String)| {
            let stem = name.strip_suffix("_bad.c");
            let is_open = stem.is_some_and(|stem| open.contains(&stem));
            (name, text, is_open)
        };
        programs.map(told).collect()
    }

    /// Compares what is found with the first line of a program; what is found if that is wrong.
    fn mistaken((name, text, is_open): &(String, String, bool), budget: &Budget) -> Option<String> {
        let (found, complete) = findings(name, text, Checks::ALL, budget);
        let head = text.lines().next().unwrap_or_default();
        let expected = head.strip_prefix("// FAILED ").and_then(|head| {
            let (check, lines) = head.split_once(':')?.0.split_once(" at ")?;
            let places = lines.split(" or ").map(|place| {
                let lines = place.split(" and ").map(|line| line.parse().ok());
                lines.collect::<Option<Vec<u64>>>()
            });
            Some((check, places.collect::<Option<Vec<Vec<u64>>>>()?))
        });
        let is_right = match (&expected, name.ends_with("_bad.c")) {
            // Together, the checks may leave open what each alone proves.
            (None, false) => found.is_empty() && (complete || is_proved_alone(name, text)),
            (Some((check, places)), true) => {
                let is_meant =
                    |(own, lines): &(String, Vec<u64>)| own == check && places.contains(lines);
                found.iter().any(is_meant) != *is_open
            }
            _ => false,
        };
        (!is_right).then(|| format!("{name}: {found:?}, complete: {complete}"))
    }

    /// True if a program is proved to have no defect of the kind that its name begins with.
    fn is_proved_alone(name: &str, text: &str) -> bool {
        let kind = name.split('-').next();
        let own = Check::ALL.into_iter();
        let own = own.filter(|check| Some(check.name()) == kind);
        findings(name, text, own.collect(), &Budget::unlimited()).1
    }

    #[test]
    fn defects_are_found_and_their_repairs_are_not() {
        let programs = pairs();
        let told: Vec<String> = on_deep_stacks(|| {
            let limit = std::time::Duration::from_secs(8);
            let one = |program| {
                let budget = Budget::unlimited().with_wall_limit(limit);
                mistaken(program, &budget)
            };
            programs.par_iter().filter_map(one).collect()
        });
        assert!(told.is_empty(), "{}", told.join("\n"));
        let open = programs.iter().filter(|(_, _, is_open)| *is_open).count();
        let pairs = programs.len() / 2;
        println!("{} of {pairs} defects are found", pairs - open);
    }

    /// Every error of a check shows in a program of a pair.
    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_of_checks_is_caught() {
        use crate::campaigns::of_kind;
        use selvedge::base::faults::record::Campaign;
        for (name, kind, check) in [
            ("defects", "DEFECTS", "undefined-"),
            ("misuse", "MISUSE", "misuse-"),
            ("leaks", "LEAKS", "leak-"),
            ("watches", "WATCHES", "race-"),
        ] {
            let programs: Vec<(String, String, bool)> = pairs()
                .into_iter()
                .filter(|(name, _, is_open)| name.starts_with(check) && !is_open)
                .collect();
            let campaign = Campaign {
                name,
                faults: of_kind(kind, ()),
                programs: programs.iter().map(|(name, ..)| name.clone()).collect(),
            };
            // An error may make a program one without end.
            let limit = std::time::Duration::from_secs(10);
            campaign.run(|_, (), number| {
                let budget = Budget::unlimited().with_wall_limit(limit);
                Some(mistaken(&programs[number], &budget).is_none())
            });
        }
    }

    #[test]
    fn every_place_is_found() {
        let count = programs(150);
        let (dangerous, safe) = all(count, |seed| crate::generate::generate(seed).render());
        assert!(10 * (dangerous + safe) >= 8 * count && 10 * dangerous >= count);
    }

    #[test]
    fn every_place_is_found_where_memory_ends() {
        let count = programs(100);
        let (dangerous, safe) = all(count, |seed| {
            crate::generate::address::generate(seed).render()
        });
        assert!(10 * (dangerous + safe) >= 5 * count && 10 * dangerous >= count);
    }

    #[test]
    fn every_place_is_found_of_what_failed_once() {
        let programs = beside::programs("regressions");
        for (number, (name, text)) in programs.iter().enumerate() {
            let said = on_deep_stacks(|| compare(number as u64, text));
            assert!(said.is_ok(), "{name}: {said:?}");
        }
    }

    /// Who looks for leaks reads what a thread has written on its own, which no access races with.
    #[test]
    fn leaks_are_found_beside_races() {
        let text = "#include <pthread.h>
#include <stdlib.h>
int *head, sum;
void *work(void *arg) {
    head = malloc(sizeof *head);
    sum = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    return sum;
}
";
        let prepared = prepare_for(text, Checks::of(&[Check::Race, Check::Leak]));
        let prepared = prepared.expect("it is C").expect("it is small");
        let violations = prepared.violations();
        let checks: BTreeSet<Check> = violations.iter().map(|(check, _)| *check).collect();
        assert_eq!(checks, BTreeSet::from([Check::Race, Check::Leak]));
        for turn in 0..4 {
            let said = compare_prepared(&prepared, &Subject::racing(turn));
            assert!(matches!(said, Ok(Ok(_))), "{said:?}");
        }
    }

    #[test]
    fn every_place_is_found_of_every_check() {
        let count = programs(150);
        let shares = shares(count, |seed| {
            crate::generate::defect::generate(seed).render()
        });
        // Every class is violated by some of them, and they tell something.
        for class in [
            "free",
            "memory",
            "undefined",
            "misuse",
            "leak",
            "overflow",
            "none",
        ] {
            let share = shares.get(class).copied().unwrap_or_default();
            assert!(50 * share >= count, "{class}: {shares:?}");
        }
    }

    /// Beside all other checks, every place is found of a part of the check of memory, and none of the other part.
    #[test]
    fn every_place_is_found_of_a_part_of_memory() {
        let count = programs(60);
        let of_part = |seed: u64, text: &str, part: Checks| {
            let others = Checks::ALL.without(Check::Memory);
            let checks = others.without(Check::Deadlock).or(part);
            let prepared = match prepare_for(text, checks)? {
                Ok(prepared) => prepared,
                Err(skip) => return Ok(Err(skip)),
            };
            let said = compare_prepared(&prepared, &Subject::in_turn(seed))?;
            let mut violated = prepared.violations().into_iter();
            Ok(said.map(|_| violated.any(|(check, _)| check == Check::Memory)))
        };
        for part in [Checks::FREES, Checks::ACCESSES] {
            let one = |seed: u64| {
                let text = match seed % 3 {
                    0 => crate::generate::address::generate(seed).render(),
                    _ => crate::generate::defect::generate(seed).render(),
                };
                let told =
                    |Fault { kind, details }| println!("seed {seed}: {kind}: {details}\n{text}");
                of_part(seed, &text, part).map_err(told)
            };
            let seeds = start()..start() + count;
            let said: Vec<Result<Result<bool, Skip>, ()>> =
                on_deep_stacks(|| seeds.into_par_iter().map(one).collect());
            let wrong = said.iter().filter(|said| said.is_err()).count();
            let found = said
                .iter()
                .filter(|said| matches!(said, Ok(Ok(true))))
                .count();
            println!("of {count} programs, {found} violate {part:?}");
            assert!(
                wrong == 0 && 50 * found as u64 >= count,
                "{part:?}: {wrong} wrong, {found} found"
            );
        }
    }

    /// Every error of the search shows in a random program.
    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_is_caught() {
        use crate::campaigns::of_kind;
        use crate::faults::agreement;
        use selvedge::base::faults::record::{Campaign, seeds};
        let campaign = Campaign {
            name: "checks",
            faults: of_kind("CHECKS", ()),
            programs: seeds(100),
        };
        campaign.run(|_, (), number| {
            let text = crate::generate::generate(number as u64).render();
            agreement(compare(number as u64, &text))
        });
    }

    /// Two assertions fail, and both threads write through a pointer that may be null.
    const SEVERAL: &str = "#include <assert.h>
#include <pthread.h>
int x, *p;
void *t(void *a) { p = &x; x = 1; return 0; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, 0);
    assert(x == 0);
    *p = 2;
    pthread_join(a, 0);
    assert(x == 2);
}
";

    /// Errors that were made once show in what they made wrong.
    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_that_was_made_once_is_caught() {
        use crate::campaigns::of_kind;
        use crate::faults::agreement;
        use selvedge::base::faults::record::Campaign;
        let programs = beside::programs("regressions");
        let campaign = Campaign {
            name: "shrunk",
            faults: of_kind("SHRUNK", ()),
            programs: programs.iter().map(|(name, _)| name.clone()).collect(),
        };
        // In most, not every scheme went wrong.
        campaign.run(|_, (), number| {
            let mut turns = (0..12).map(|turn| agreement(compare(turn, &programs[number].1)));
            turns.try_fold(true, |all, one| Some(all && one?))
        });
    }

    #[test]
    fn all_violations_are_told_where_checks_are_named() {
        let folder = Folder::new(&[("a.c", SEVERAL)]);
        let lines = |arguments: &[&str]| -> Vec<String> {
            let out = folder.run(arguments).out;
            let wanted = |line: &&str| {
                ["Finding ", "Check ", "VERIFICATION "]
                    .iter()
                    .any(|start| line.starts_with(start))
            };
            out.lines().filter(wanted).map(String::from).collect()
        };
        let first = lines(&["a.c"]);
        assert_eq!(first.len(), 1, "{first:?}");
        assert!(
            first[0].starts_with("VERIFICATION FAILED (assertion at a.c:"),
            "{first:?}"
        );
        assert!(!first[0].contains("more"), "{first:?}");
        assert_eq!(
            lines(&["a.c", "--check", "assert,memory"]),
            [
                "Finding 1 of 3 (memory): null pointer dereference at a.c:9",
                "Finding 2 of 3 (assert): assertion at a.c:8",
                "Finding 3 of 3 (assert): assertion at a.c:11",
                "Check memory: FAILED (null pointer dereference at a.c:9)",
                "Check assert: FAILED (assertion at a.c:8; 1 more)",
                "VERIFICATION FAILED (null pointer dereference at a.c:9; 2 more)",
            ]
        );
        let one = lines(&["a.c", "--check", "assert,memory", "--first", "--no-trace"]);
        let unknown = "UNKNOWN (a violation of another check ended the search)";
        assert_eq!(one[0], format!("Check memory: {unknown}"));
        assert!(one[1].starts_with("Check assert: FAILED"), "{one:?}");
    }
}
