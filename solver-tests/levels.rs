//! Bounds that rise loop by loop: random programs with loops and recursion of different depths, all of which end. The search that raises
//! bounds comes to the verdict of the enumeration, which has none, and at every bound names the loops that the enumeration finds cut.

use crate::random::Random;

/// A program with two threads, each with loops that go on for as long as a free choice and a limit of their own say. In those that are
/// `even`, any number of iterations up to the limit may be the last, so that no test folds, and what is cut is the same to all.
fn generate(seed: u64, even: bool) -> String {
    let mut random = Random::new(seed);
    let mut globals = String::from(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\nint x, go;\n",
    );
    let mut bodies = [String::new(), String::new()];
    for number in 0..random.between(2, 3) {
        let most = *random.pick(if even { &[1, 2, 3, 4] } else { &[1, 3, 5, 6] });
        let step = random.between(1, 2);
        let body = random.below(bodies.len());
        let least = random.between(0, most);
        let start = if even {
            format!(
                "  int n{number} = __VERIFIER_nondet_int(); if (n{number} < 0 || n{number} > {most}) n{number} = 0;\n"
            )
        } else {
            format!("  int n{number} = __VERIFIER_nondet_int() > 0 ? {most} : {least};\n")
        };
        let code = match random.below(7) {
            0 => format!(
                "  for (int i = 0; i < n{number}; i++) for (int k = i; k < n{number}; k++) s += {step};\n"
            ),
            1 => {
                globals.push_str(&format!(
                    "int down{number}(int n) {{ return n > 0 ? {step} + down{number}(n - 1) : 0; }}\n"
                ));
                format!("  s += down{number}(n{number});\n")
            }
            2 => format!("  while (go && n{number} > 0) {{ n{number}--; s += {step}; }}\n"),
            3 => format!("  do {{ s += {step}; n{number}--; }} while (n{number} > 0);\n"),
            // The second goes round only if the first has gone round often.
            4 => format!(
                "  int m{number} = 0; for (int i = 0; i < n{number}; i++) m{number}++;\n  \
                 for (int i = 2; i < m{number}; i++) s += {step};\n"
            ),
            // Memory that nobody has set may be the address of something; nobody learns it.
            5 => format!(
                "  int **to{number} = malloc(sizeof(int *));\n  if (*to{number} == &go) go = 1;\n"
            ),
            _ => format!("  for (int i = 0; i < n{number}; i++) s += {step};\n"),
        };
        bodies[body].push_str(&start);
        bodies[body].push_str(&code);
    }
    let [worker, main] = bodies;
    let wrong = random.between(1, 12);
    format!(
        "{globals}void *worker(void *arg) {{\n  int s = 0;\n{worker}  x = s;\n  return 0;\n}}\n\
         int main(void) {{\n  pthread_t t;\n  int s = 0;\n  pthread_create(&t, 0, worker, 0);\n  go = 1;\n{main}  \
         s += x;\n  assert(s != {wrong});\n  pthread_join(t, 0);\n  return 0;\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::generate;
    use crate::command::{Answer, Folder};
    use crate::oracle::{self, Fault, Skip, Subject, on_a_deep_stack};
    use crate::tier::{programs, start};
    use selvedge::base::Budget;
    use selvedge::question::choice::ORDER;
    use selvedge::trace::enumerate::{Limits, enumerate};
    use selvedge::trace::interpret;
    use selvedge::{Checks, Engine, Options, Request, Session, Verdict};

    /// True if the program has a violation; `Err` where the search or the names of cuts disagree with the enumeration.
    fn compare(seed: u64) -> Result<Result<bool, Skip>, Fault> {
        let even = seed.is_multiple_of(2);
        let text = &generate(seed, even);
        let subjects = [false, true].map(|reduce| Subject {
            reduce,
            ..Subject::new(ORDER)
        });
        if even && let Err(skip) = oracle::compare(text, &subjects)? {
            return Ok(Err(skip));
        }
        let program = oracle::read(text)?;
        let found = enumerate(
            &program,
            interpret::Bounds::default(),
            &Limits {
                first_violation: true,
                ..Limits::default()
            },
        );
        let found = found.map_err(|(_, why)| fault("enumerate", why))?;
        let is_unsafe = !found.violations.is_empty();
        if found.gave_up && !is_unsafe {
            return Ok(Err(Skip::TooLarge));
        }
        let options = Options {
            checks: Checks::ASSERT,
            ..Options::default()
        };
        let session = Session::parse("levels.c", text, &options)
            .map_err(|why| fault("input", why.to_string()))?;
        let request = Request {
            engine: Engine::named("order").expect("it is a scheme"),
            ..Request::assertions()
        };
        let answer = session.verify(&request, &Budget::unlimited(), &mut |_| ());
        let verdict = answer.map_err(|why| fault("verify", why.to_string()))?;
        let verdict = verdict.outcome.verdict;
        let is_right = match is_unsafe {
            true => verdict == Verdict::Failed,
            false => verdict.is_complete(),
        };
        if is_right {
            Ok(Ok(is_unsafe))
        } else {
            Err(fault("verdict", format!("{verdict:?}")))
        }
    }

    fn fault(kind: &str, details: String) -> Fault {
        Fault {
            kind: kind.into(),
            details,
        }
    }

    #[test]
    fn the_search_ends_where_the_enumeration_does() {
        let (first, count) = (start(), programs(150));
        let (mut wrong, mut told) = (0, 0);
        for seed in first..first + count {
            match on_a_deep_stack(|| compare(seed)) {
                Ok(Ok(is_unsafe)) => {
                    told += 1;
                    wrong += u64::from(is_unsafe);
                }
                Ok(Err(skip)) => println!("seed {seed}: {skip:?}"),
                Err(fault) => {
                    let text = generate(seed, seed.is_multiple_of(2));
                    panic!("seed {seed}: {fault:?}\n{text}")
                }
            }
        }
        println!("{told} of {count} tell something, {wrong} have a violation");
        assert!(10 * told >= 9 * count && 5 * wrong >= count && 5 * wrong <= 4 * count);
    }

    /// Every deliberate error of levels shows in a random program.
    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_of_levels_is_caught() {
        use selvedge::base::faults::record::{Campaign, seeds};
        let campaign = Campaign {
            name: "levels",
            faults: crate::campaigns::of_kind("LEVELS", ()),
            programs: seeds(150),
        };
        campaign.run(|_, (), number| crate::faults::agreement(compare(number as u64)));
    }

    /// A retry loop fails as often as others come between: three times at most here.
    #[test]
    fn retries_are_as_many_as_others_can_make_fail() {
        let text = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
atomic_int x;
int retries;
void *add(void *arg) { for (int i = 0; i < 3; i++) atomic_fetch_add(&x, 1); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    int e = x;
    while (!atomic_compare_exchange_strong(&x, &e, e + 1)) retries++;
    pthread_join(t, 0);
    assert(x == 4 && retries < MOST);
}
";
        for (most, answer) in [("4", Answer::Complete), ("3", Answer::Violated)] {
            let folder = Folder::new(&[("retry.c", &text.replace("MOST", most))]);
            let arguments = ["--check", "assert", "--scheme", "order", "retry.c"];
            folder.verify(&arguments).is(answer);
        }
    }

    /// A loop that waits for nobody, beside one that may go on for ever and one that is passed ten times.
    const APART: &str = "#include <assert.h>
int __VERIFIER_nondet_int(void);
int small(int n) { int s = 0; for (int i = 0; i < n; i++) s++; return s; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 3) return 0;
    int k = 0;
    while (__VERIFIER_nondet_int()) k++;
    assert(small(n) != 4);
    assert(k != 40);
}
";

    /// Bounds that were in force in an answer, with the loops that they cut.
    fn covered(arguments: &[&str]) -> String {
        let folder = Folder::new(&[("apart.c", APART)]);
        let out = folder.run(arguments).out;
        let line = out.lines().find(|line| line.starts_with("Covered: "));
        line.unwrap_or_default().to_string()
    }

    #[test]
    fn the_line_covered_names_the_loops_that_are_cut() {
        let line = covered(&["--check", "assert", "--unwind", "2", "apart.c"]);
        let both = "unwind 2 at apart.c:3 (loop 0 of small), unwind 2 at apart.c:8 (loop 0 of main), which cut executions off";
        assert!(line.contains(both), "{line}");
        let arguments = [
            "--check",
            "assert",
            "--unwind",
            "2",
            "--unwindset",
            "small.0:3",
            "apart.c",
        ];
        let line = covered(&arguments);
        let one = "unwind 2 at apart.c:8 (loop 0 of main), which cuts executions off";
        assert!(line.contains(one), "{line}");
    }

    /// A loop that the user has bounded does not rise, and is all that is cut in the end.
    #[test]
    fn a_loop_that_was_asked_for_stays() {
        let arguments = ["--check", "assert", "--unwindset", "main.0:5", "apart.c"];
        let folder = Folder::new(&[("apart.c", APART)]);
        folder.verify(&arguments).is(Answer::Bounded);
        let line = covered(&arguments);
        let one = "unwind 5 at apart.c:8 (loop 0 of main), which cuts executions off";
        assert!(line.contains(one), "{line}");
    }

    /// The violation needs forty iterations of one loop; the other has four at most.
    #[test]
    fn only_the_loop_that_is_cut_goes_on() {
        let folder = Folder::new(&[("apart.c", APART)]);
        let arguments = [
            "--check",
            "assert",
            "--scheme",
            "order",
            "--no-trace",
            "apart.c",
        ];
        folder.verify(&arguments).is(Answer::Violated);
    }

    #[test]
    fn the_line_covered_names_the_function_that_recurs() {
        let text = "#include <assert.h>
int __VERIFIER_nondet_int(void);
int down(int n) { return n > 0 ? 1 + down(n - 1) : 0; }
int main(void) { assert(down(__VERIFIER_nondet_int()) >= 0); }
";
        let folder = Folder::new(&[("down.c", text)]);
        let out = folder
            .run(&["--check", "assert", "--recursion", "2", "down.c"])
            .out;
        let one = "recursion 2 at down.c:3 (call of down), which cuts executions off";
        assert!(out.contains(one), "{out}");
    }
}
