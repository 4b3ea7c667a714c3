//! Cubes and races: random programs are decided cube by cube, whole and one cube at a time, by one thread and by several, as the
//! enumeration of all executions and the search without cubes decide them.

use crate::command::{Folder, Run};
use crate::oracle::{self, Skip, Truth};
use crate::tier::{all_programs, programs, start};
use selvedge::base::Budget;
use selvedge::{Check, Checks, Engine, Limit, Options, Outcome, Request, Session, Split, Verdict};

/// Splits that are tried in turn: cubes, and threads.
const SPLITS: [(usize, usize); 4] = [(2, 1), (5, 2), (8, 1), (3, 3)];

/// The search for the first violated assertion by a scheme.
fn request(scheme: &str) -> Request {
    let mut engine = Engine::named(scheme).expect("it is a scheme");
    if let Engine::Scheme(lazy @ selvedge::Scheme::Lazy(_)) = &mut engine {
        lazy.set("rounds", "1..4").expect("it is an option");
    }
    Request {
        engine,
        unwind: Some(oracle::UNWIND),
        ..Request::assertions()
    }
}

/// The request, with cubes in turn.
fn cubed(scheme: &str, seed: u64) -> Request {
    let (count, jobs) = SPLITS[seed as usize % SPLITS.len()];
    Request {
        split: Some(Split { count, only: None }),
        jobs: Some(jobs),
        ..request(scheme)
    }
}

fn session(text: &str, checks: Checks) -> Session {
    let options = Options {
        checks,
        ..Options::default()
    };
    Session::parse("program.c", text, &options).expect("a program")
}

/// Outcome of a program; an error where Selvedge finds itself to be wrong.
fn verify(text: &str, request: &Request) -> Result<Outcome, String> {
    let session = session(text, request.checks);
    let answer = session.verify(request, &Budget::unlimited(), &mut |_| ());
    answer
        .map(|answer| answer.outcome)
        .map_err(|why| why.to_string())
}

/// Verdict of the enumeration, with bounds that suffice; `None` if it tells nothing.
fn truth(text: &str) -> Option<Truth> {
    let said = oracle::compare(text, &[]);
    match said {
        Ok(Ok(truth)) => Some(truth),
        Ok(Err(Skip::TooLarge | Skip::TooSlow)) => None,
        Err(fault) => panic!("{}: {}\n{text}", fault.kind, fault.details),
    }
}

/// True if an outcome is that of a program with this truth.
fn agrees(outcome: &Outcome, truth: Truth) -> bool {
    match truth {
        Truth::Unsafe => !outcome.verdict.is_complete(),
        Truth::Safe => matches!(outcome.verdict, Verdict::Successful { .. }),
    }
}

/// What is said of a program but for the execution that shows a violation.
fn said(outcome: &Outcome) -> String {
    let coverage = &outcome.coverage;
    let findings: Vec<_> = outcome
        .findings
        .iter()
        .map(|one| (one.property, one.loc))
        .collect();
    let mut cuts: Vec<_> = coverage
        .cuts
        .iter()
        .map(|cut| (&cut.function, cut.number, &cut.limit))
        .collect();
    cuts.dedup();
    let mut undefined: Vec<_> = coverage.undefined.iter().map(|one| one.0).collect();
    undefined.sort_unstable_by_key(|kind| format!("{kind:?}"));
    undefined.dedup();
    match &outcome.verdict {
        // Who has found it says how far the search had come.
        Verdict::Failed => format!("{findings:?}"),
        Verdict::Successful { limits } => {
            // Any place where something is undefined may be named.
            let is_place = |limit: &&Limit| !matches!(limit, Limit::Undefined(_));
            let limits: Vec<_> = limits.iter().filter(is_place).collect();
            format!("{limits:?} {:?} {cuts:?} {undefined:?}", coverage.bounds)
        }
        Verdict::Unknown { reason } => format!("{reason:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::generate;
    use rayon::prelude::*;

    #[test]
    fn cubes_agree_with_the_enumeration() {
        let (first, count) = (start(), all_programs(120));
        let one = |seed: u64| {
            let text = generate(seed).render();
            let truth = truth(&text)?;
            let scheme = ["lazy", "order", "auto"][seed as usize % 3];
            let whole = verify(&text, &request(scheme)).unwrap();
            let cubes = verify(&text, &cubed(scheme, seed)).unwrap();
            assert!(
                agrees(&cubes, truth),
                "seed {seed}: {scheme} {:?}\n{text}",
                cubes.verdict
            );
            let is_auto = scheme == "auto" || truth == Truth::Unsafe;
            if !is_auto {
                assert_eq!(said(&cubes), said(&whole), "seed {seed}: {scheme}\n{text}");
            }
            assert_eq!(
                cubes.verdict == Verdict::Failed,
                whole.verdict == Verdict::Failed,
                "seed {seed}: {scheme}\n{text}"
            );
            let split = cubes.coverage.cubes;
            Some((truth, split.is_some_and(|split| split.count > 1)))
        };
        let told: Vec<(Truth, bool)> = oracle::on_deep_stacks(|| {
            let all = (first..first + count).into_par_iter();
            all.filter_map(one).collect()
        });
        let number = |wanted| told.iter().filter(|one| **one == wanted).count();
        let (dangerous, safe) = (number((Truth::Unsafe, true)), number((Truth::Safe, true)));
        println!("of {count} programs: split and unsafe {dangerous}, split and safe {safe}");
        assert!(
            10 * dangerous >= 2 * told.len(),
            "only {dangerous} are unsafe and split"
        );
        assert!(
            10 * safe >= 2 * told.len(),
            "only {safe} are safe and split"
        );
    }

    /// All violations of all checks, which cubes find together, and what bounds cut.
    #[test]
    fn cubes_find_what_the_whole_finds() {
        let count = programs(60);
        let one = |seed: u64| {
            let text = generate(seed).render();
            let checks = Checks::of(&[Check::Assert, Check::Memory, Check::Undefined]);
            let scheme = ["order", "lazy"][seed as usize % 2];
            // Each cube raises rounds by itself, so that together they may find more than the whole does where it raises them.
            let rounds = selvedge::settings::Lazy::rounds(3);
            let all = |request: Request| Request {
                checks,
                first: false,
                unwind: Some(1),
                engine: match request.engine {
                    Engine::Scheme(selvedge::Scheme::Lazy(_)) => Engine::Scheme(rounds.into()),
                    other => other,
                },
                ..request
            };
            let whole = verify(&text, &all(request(scheme))).unwrap();
            let cubes = verify(&text, &all(cubed(scheme, seed))).unwrap();
            assert_eq!(said(&cubes), said(&whole), "seed {seed}: {scheme}\n{text}");
            usize::from(!whole.findings.is_empty())
        };
        let found: usize = oracle::on_deep_stacks(|| (0..count).into_par_iter().map(one).sum());
        assert!(5 * found as u64 >= count, "only {found} have a violation");
    }

    /// Cubes that are decided one at a time, as on a cluster: together they say what they say in one run, and none says that a program is safe.
    #[test]
    fn single_cubes_are_parts_of_one_whole() {
        let count = programs(40);
        let one = |seed: u64| {
            let text = generate(seed).render();
            let scheme = ["lazy", "order"][seed as usize % 2];
            let whole = verify(&text, &request(scheme)).unwrap();
            let of = 3 + seed as usize % 4;
            let mut failed = false;
            for number in 1..=of {
                let only = Some(number);
                let request = Request {
                    split: Some(Split { count: of, only }),
                    ..request(scheme)
                };
                let cube = verify(&text, &request).unwrap();
                let limit = Limit::Cube { number, of };
                match &cube.verdict {
                    Verdict::Failed => failed = true,
                    Verdict::Successful { limits } => {
                        assert!(limits.contains(&limit), "seed {seed}: {limits:?}");
                    }
                    Verdict::Unknown { .. } => {
                        assert!(!matches!(whole.verdict, Verdict::Successful { .. }));
                    }
                }
                let again = verify(&text, &request).unwrap();
                assert_eq!(again.statistics.clauses, cube.statistics.clauses);
                assert_eq!(said(&again), said(&cube), "seed {seed}");
            }
            assert_eq!(
                failed,
                whole.verdict == Verdict::Failed,
                "seed {seed}\n{text}"
            );
            usize::from(failed)
        };
        let failed: usize = oracle::on_deep_stacks(|| (0..count).into_par_iter().map(one).sum());
        assert!(5 * failed as u64 >= count, "only {failed} are violated");
    }

    #[test]
    fn races_of_several_jobs_agree_with_the_enumeration() {
        let count = programs(40);
        let one = |seed: u64| {
            let text = generate(seed).render();
            let Some(truth) = truth(&text) else { return 0 };
            for (engine, jobs) in [("auto", 1), ("auto", 5), ("lazy", 3), ("order", 2)] {
                let request = Request {
                    jobs: Some(jobs),
                    ..request(engine)
                };
                let outcome = verify(&text, &request).unwrap();
                assert!(
                    agrees(&outcome, truth),
                    "seed {seed}: {engine} with {jobs}\n{text}"
                );
            }
            1
        };
        let told: u64 = oracle::on_deep_stacks(|| (0..count).into_par_iter().map(one).sum());
        assert!(10 * told >= 8 * count, "only {told} tell something");
    }

    /// A program in which two threads lose an update, and which takes some turns.
    const LOST: &str = "#include <assert.h>\n#include <pthread.h>\nint x;\nvoid *worker(void *arg) {\n  for (int i = 0; i < 3; i++) { int y = x; x = y + 1; }\n  \
        return 0;\n}\nint main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, worker, 0);\n  pthread_create(&b, 0, worker, 0);\n  \
        pthread_join(a, 0);\n  pthread_join(b, 0);\n  assert(x > LEAST);\n  return 0;\n}\n";

    fn run(least: u32, options: &[&str]) -> Run {
        let text = LOST.replace("LEAST", &least.to_string());
        let folder = Folder::new(&[("lost.c", &text)]);
        folder.run(&[&["lost.c"], options].concat())
    }

    /// Options of a scheme with bounds, and more.
    fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
        let lazy = ["--scheme", "lazy", "--rounds", "3", "--unwind", "3"];
        [&lazy[..], &["--check", "assert"], more].concat()
    }

    /// Cubes of what a search learns most about, which small programs do not have: three threads that count.
    #[test]
    fn cubes_of_a_search_are_parts_of_one_whole() {
        let more = "pthread_t a, b, c;\n  pthread_create(&c, 0, worker, 0);";
        let larger = LOST
            .replace("i < 3", "i < 6")
            .replace("pthread_t a, b;", more)
            .replace(
                "pthread_join(a, 0);",
                "pthread_join(a, 0); pthread_join(c, 0);",
            );
        let schemes = [
            &["--scheme", "lazy", "--rounds", "3", "--unwind", "6"][..],
            &["--scheme", "order", "--unwind", "6"],
        ];
        for (scheme, least, fails) in [
            (schemes[0], "3", true),
            (schemes[0], "1", false),
            (schemes[1], "5", true),
        ] {
            let text = larger.replace("LEAST", least);
            let folder = Folder::new(&[("lost.c", &text)]);
            let run = |more: &[&str]| {
                folder.run(&[&["lost.c", "--check", "assert", "--first"], scheme, more].concat())
            };
            let expected = Some(if fails { 10 } else { 0 });
            for jobs in ["1", "2", "3"] {
                let whole = run(&["--cubes", "4", "--jobs", jobs]);
                assert_eq!(
                    whole.code, expected,
                    "{scheme:?}: {}{}",
                    whole.out, whole.err
                );
            }
            let parts = ["1/3", "2/3", "3/3"].map(|cube| run(&["--cube", cube]).code);
            assert_eq!(parts.contains(&Some(10)), fails, "{scheme:?}: {parts:?}");
            assert!(fails || parts == [Some(0); 3], "{scheme:?}: {parts:?}");
        }
    }

    #[test]
    fn coverage_tells_of_cubes() {
        let whole = run(1, &with(&["--cubes", "4", "--jobs", "2"]));
        whole.ends(0, run(1, &with(&[])).verdict());
        assert!(whole.out.contains("all of 4 cubes"), "{}", whole.out);
        let part = run(1, &with(&["--cube", "2/4"]));
        assert_eq!(part.code, Some(0), "{}", part.err);
        let bounded = "VERIFICATION SUCCESSFUL (bounded: cube 2 of 4";
        assert!(part.verdict().starts_with(bounded), "{}", part.out);
        let required = run(1, &with(&["--cube", "2/4", "--require-complete"]));
        assert_eq!(required.code, Some(5), "{}", required.out);
        let failed = run(2, &with(&["--cubes", "4", "--jobs", "2"]));
        assert_eq!(failed.code, Some(10), "{}", failed.out);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (options, expected) in [
            (&["--cubes", "0"][..], "--cubes"),
            (&["--cubes", "2", "--cube", "1/2"], "--cube"),
            (&["--cube", "3/2"], "expected K/N"),
            (&["--cube", "2"], "expected K/N"),
            (&["--jobs", "0"], "--jobs"),
            (&["--jobs", "1025"], "--jobs"),
            (
                &["--scheme", "mu", "--cubes", "2"],
                "schemes that split executions: order, lazy",
            ),
            (&["--scheme", "modular", "--cubes", "2"], "unrolls nothing"),
            (
                &["--dimacs", "a.cnf", "--cubes", "2"],
                "one formula of all executions",
            ),
        ] {
            run(1, options).refused(1, expected);
        }
    }

    #[test]
    fn one_job_says_the_same_each_time() {
        for options in [
            &["--jobs", "1"][..],
            &["--jobs", "1", "--scheme", "lazy"],
            &[
                "--jobs", "1", "--cubes", "6", "--scheme", "order", "--unwind", "3",
            ],
        ] {
            let first = run(2, options);
            assert_eq!(first.code, Some(10), "{options:?}: {}", first.err);
            for _ in 0..3 {
                assert_eq!(run(2, options).out, first.out, "{options:?}");
            }
        }
    }

    /// Deliberate errors in cubes must be noticed.
    #[cfg(feature = "faults")]
    #[test]
    fn seeded_faults_are_noticed() {
        use selvedge::base::faults::record::{Campaign, seeds};
        let campaign = Campaign {
            name: "cubes",
            faults: vec![
                (selvedge::sat::faults::Fault::CubeLost, ()),
                (selvedge::question::faults::Fault::CubesUncovered, ()),
                (selvedge::question::faults::Fault::GoalOptional, ()),
            ],
            programs: seeds(300),
        };
        campaign.run(|_, (), seed| {
            let seed = seed as u64;
            let text = generate(seed).render();
            let truth = selvedge::base::faults::with(None, || truth(&text))?;
            let request = cubed(["lazy", "order"][seed as usize % 2], seed);
            let outcome = verify(&text, &request);
            Some(outcome.is_ok_and(|outcome| match truth {
                // Four rounds may be too few.
                Truth::Unsafe => !outcome.verdict.is_complete(),
                Truth::Safe => matches!(outcome.verdict, Verdict::Successful { .. }),
            }))
        });
    }
}
