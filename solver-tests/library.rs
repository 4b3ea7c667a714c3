//! Every function of the library's thread families does what its standard says: a program for each in
//! `library/`, with its expected verdict in the first line.
//!
//! `safe` and `unsafe` are the verdicts; `safe, reached` says that the call `REACHED;` can be executed as well, which
//! what blocks or ends there would hide; `undefined` and `unsupported` say that no assertion can be violated and
//! that an execution is cut for this reason.

use crate::beside;
use crate::oracle::{Prepared, Skip, Subject, compare_prepared, on_a_deep_stack, prepare_for};
use selvedge::event::Cut;
use selvedge::ir::{Check, Checks};
use selvedge::question::choice::ORDER;
#[cfg(test)]
use selvedge::scheme::mu::Variant;

/// Declarations that every program starts with.
const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern void reach_error(void); extern void abort(void);\n";

/// The programs, by name.
pub fn programs() -> Vec<(String, String)> {
    beside::programs("library")
}

/// The program as it is verified; `reached` makes `REACHED;` a violation, and assertions none.
pub fn complete(text: &str, reached: bool) -> String {
    let macros = if reached {
        "#define REACHED reach_error()\n#define assert(e) __VERIFIER_assume((e) != 0)\n"
    } else {
        "#define REACHED ((void)0)\n#define assert(e) ((e) ? (void)0 : reach_error())\n"
    };
    format!("{macros}{PRELUDE}{text}")
}

/// Truth of a program, in the words of the first lines.
fn found(prepared: &Prepared) -> String {
    let violations = prepared.violations();
    if violations.iter().any(|(check, _)| *check == Check::Assert) {
        return "unsafe".into();
    }
    let is_cut = |wanted: fn(&Cut) -> bool| prepared.cuts().any(wanted);
    if is_cut(|why| matches!(why, Cut::Unsupported(_))) {
        return "unsupported".into();
    }
    if is_cut(|why| matches!(why, Cut::Undefined(_))) {
        "undefined".into()
    } else {
        "safe".into()
    }
}

/// The verdict on a program, or why there is none.
pub fn verdict(text: &str, compared: bool) -> Result<String, String> {
    verdict_for(Checks::ASSERT, text, compared)
}

/// The same of a program that is read for these checks.
fn verdict_for(checks: Checks, text: &str, compared: bool) -> Result<String, String> {
    let expects_more = text.starts_with("// safe, reached");
    let look = |text: &str| -> Result<String, String> {
        let prepared = match prepare_for(text, checks) {
            Ok(Ok(prepared)) => prepared,
            Ok(Err(Skip::TooLarge)) => return Err("too many states".into()),
            Ok(Err(skip)) => return Err(format!("{skip:?}")),
            Err(fault) => return Err(format!("{}: {}", fault.kind, fault.details)),
        };
        if compared {
            let subjects = [Subject::new(ORDER)];
            match compare_prepared(&prepared, &subjects) {
                Ok(Ok(_)) => {}
                other => return Err(format!("{other:?}")),
            }
        }
        Ok(found(&prepared))
    };
    let said = look(&complete(text, false))?;
    if said != "safe" || !expects_more {
        return Ok(said);
    }
    Ok(match look(&complete(text, true))?.as_str() {
        "unsafe" => "safe, reached".into(),
        other => format!("safe, reached is {other}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tier::{in_turn, part};
    use rayon::prelude::*;

    /// Threads, locks, conditions, barriers, semaphores, …: whatever events can express, in one variant in turn; in a
    /// long run, in every one.
    #[test]
    fn unwindings_have_every_function() {
        let programs: Vec<_> = part(programs().into_iter().enumerate());
        let pool = rayon::ThreadPoolBuilder::new()
            .stack_size(256 << 20)
            .build();
        let (slow, wrong): (Vec<String>, Vec<String>) =
            pool.expect("threads can be started").install(|| {
                let one = |(turn, (name, text)): &(usize, (String, String))| {
                    let compared = || -> Option<String> {
                        let text = complete(text, false);
                        let prepared = prepare_for(&text, Checks::ASSERT).ok()?.ok()?;
                        let mut unlike = String::new();
                        for variant in in_turn(*turn, &Variant::ALL) {
                            match compare_prepared(&prepared, &[Subject::unwinding(variant)]) {
                                Ok(Ok(_)) => {}
                                Ok(Err(_)) => unlike += &format!(" {} is slow", variant.name()),
                                Err(fault) => return Some(format!("{name}: {fault:?}")),
                            }
                        }
                        (!unlike.is_empty()).then(|| format!("{name}:{unlike}"))
                    };
                    on_a_deep_stack(compared)
                };
                let all: Vec<String> = programs.par_iter().filter_map(one).collect();
                all.into_iter().partition(|text| text.ends_with("is slow"))
            });
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(10 * slow.len() <= programs.len(), "{}", slow.join("\n"));
    }

    /// Programs that are read for deadlocks violate the same assertions. Who releases what it does not hold goes no further there.
    #[test]
    fn functions_do_the_same_where_deadlocks_are_asked_for() {
        let checks = Checks::of(&[Check::Assert, Check::Deadlock]);
        let programs = part(programs());
        let one = |(name, text): &(String, String)| {
            let expected = text.lines().next()?.strip_prefix("// ")?;
            let said = on_a_deep_stack(|| verdict_for(checks, text, false));
            let said = said.unwrap_or_else(|why| why);
            (said != expected).then(|| format!("{name}: {said} and not {expected}"))
        };
        let unlike: Vec<String> = programs.par_iter().filter_map(one).collect();
        assert_eq!(unlike, [""; 0]);
    }

    #[test]
    fn every_function_does_what_its_standard_says() {
        let chosen = std::env::var("SELVEDGE_LIBRARY").unwrap_or_default();
        let programs: Vec<_> = programs()
            .into_iter()
            .filter(|(name, _)| name.contains(&chosen))
            .collect();
        let pool = rayon::ThreadPoolBuilder::new()
            .stack_size(256 << 20)
            .build();
        let wrong: Vec<String> = pool.expect("threads can be started").install(|| {
            let one = |(name, text): &(String, String)| {
                let expected = text.lines().next()?.strip_prefix("// ")?.to_string();
                let said = on_a_deep_stack(|| verdict(text, true)).unwrap_or_else(|why| why);
                (said != expected).then(|| format!("{name}: {said} and not {expected}"))
            };
            programs.par_iter().filter_map(one).collect()
        });
        assert!(programs.len() > 40 || !chosen.is_empty());
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
