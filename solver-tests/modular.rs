//! Unbounded verification against the enumeration of all executions, on random programs of its own (`accepted.rs`, and
//! `sized.rs` with arrays whose sizes are inputs) and on those that all schemes are compared on; programs whose loops never end; what is refused.

use crate::accepted::{generate, generate_joined};
use crate::oracle::{Fault, explore, read};
use selvedge::base::{Budget, Meter};
use selvedge::event::{Cut, MemoryModel};
use selvedge::ir::Program;
use selvedge::ir::{Check, Checks};
use selvedge::lanes::Flag;
use selvedge::modular::{Failure, Finding, Options, Proof, Strategy};
use selvedge::race::Sites;
use selvedge::sat::SolverKind;
use std::sync::Arc;
use std::time::Duration;

/// All checks but that for races.
const NOT_RACES: Checks = Checks::ALL.without(Check::Race);

/// Outcome of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    Proved,
    Violated,
    /// Undefined behaviour is reached, and no violation.
    Undefined,
    /// Something that is not modelled is reached.
    Unsupported,
    /// No answer in time, or too many executions to compare with.
    Nothing,
}

/// Way to decide a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// All interleavings at once.
    Interleavings,
    /// Threads one by one as far as these tell, and then all interleavings.
    OneByOne,
    /// All interleavings in lockstep.
    Lockstep,
    /// All interleavings of a few members of families.
    Families,
}

/// Asks whether assertions hold.
pub fn prove(program: &Program, way: Way, seconds: u64) -> Result<Proof, Failure> {
    prove_all(program, way, Checks::ASSERT, seconds)
}

/// Asks whether what some checks are about holds.
fn prove_all(program: &Program, way: Way, checks: Checks, seconds: u64) -> Result<Proof, Failure> {
    let budget = Budget::unlimited().with_wall_limit(Duration::from_secs(seconds));
    // Whoever asks for more than assertions knows what is undisturbed.
    let sites = (checks != Checks::ASSERT).then(|| Arc::new(Sites::of(program)));
    let with = |strategy: Strategy| {
        let options = Options {
            checks,
            solver: SolverKind::DEFAULT,
            seed: 0,
            strategy,
            sites: sites.clone(),
            suits_lockstep: Flag::default(),
        };
        selvedge::modular::prove(program, &options, &Meter::default(), &budget)
    };
    match way {
        Way::Interleavings => with(Strategy::Interleavings),
        Way::Lockstep => with(Strategy::Lockstep),
        Way::Families => with(Strategy::Families),
        Way::OneByOne => {
            let proof = with(Strategy::OneByOne(Vec::new()))?;
            if !matches!(proof.finding, Finding::Open) {
                return Ok(proof);
            }
            with(Strategy::Interleavings)
        }
    }
}

/// Seconds for each program; `SELVEDGE_SECONDS` changes it.
fn limit() -> u64 {
    let given = std::env::var("SELVEDGE_SECONDS").ok();
    given.and_then(|n| n.parse().ok()).unwrap_or(20)
}

/// Compares with the enumeration.
pub fn compare(text: &str, way: Way, checks: Checks) -> Result<Said, Fault> {
    compare_all(limit(), text, way, checks)
}

/// Compares assertions with the enumeration, in so many seconds.
pub fn compare_within(seconds: u64, text: &str, way: Way) -> Result<Said, Fault> {
    compare_all(seconds, text, way, Checks::ASSERT)
}

fn compare_all(seconds: u64, text: &str, way: Way, checks: Checks) -> Result<Said, Fault> {
    let fault = |kind: &str, details: String| Fault {
        kind: kind.to_string(),
        details,
    };
    let program = read(text)?;
    let Some(found) = explore(&program, MemoryModel::Sc, true)? else {
        return Ok(Said::Nothing);
    };
    let proof = match prove_all(&program, way, checks, seconds) {
        Ok(proof) => proof,
        Err(Failure::Diverged(divergence)) => {
            return Err(fault("diverged", format!("{divergence:?}")));
        }
        Err(failure) => return Err(fault("unsound", format!("{failure:?}"))),
    };
    let cut = |wanted: fn(&Cut) -> bool| found.cuts.iter().any(|(cut, _)| wanted(cut));
    match proof.finding {
        Finding::Stopped(_) | Finding::Refused(_) | Finding::Open => Ok(Said::Nothing),
        Finding::Abstracted { .. } => Ok(Said::Nothing),
        Finding::Safe { .. } if proof.certificate.is_none() => {
            Err(fault("unproved", "a proof without certificate".to_string()))
        }
        // It is real, for it has been replayed; it may need more iterations than are enumerated, or other inputs.
        Finding::Violated { .. } => Ok(Said::Violated),
        Finding::Unsupported { .. } => Ok(Said::Unsupported),
        Finding::Safe { .. } if !found.violations.is_empty() => {
            Err(fault("missed", format!("{:?}", found.violations)))
        }
        Finding::Safe { undefined } if undefined.is_empty() => {
            if cut(|cut| matches!(cut, Cut::Undefined(_) | Cut::Unsupported(_))) {
                Err(fault("cuts", format!("reached are {:?}", found.cuts)))
            } else {
                Ok(Said::Proved)
            }
        }
        Finding::Safe { undefined } if checks.contains(Check::Memory) => {
            Err(fault("unreplayed", format!("{undefined:?}")))
        }
        // Executions that are cut elsewhere may lead there.
        Finding::Safe { undefined } if found.cuts.is_empty() => {
            Err(fault("defined", format!("nobody reaches {undefined:?}")))
        }
        Finding::Safe { .. } => Ok(Said::Undefined),
    }
}

/// What is said of so many programs, every third of which is asked for all checks.
#[cfg(test)]
pub fn tally(texts: &(dyn Fn(u64) -> String + Sync), count: u64, way: Way) -> Vec<Said> {
    use rayon::prelude::*;
    let pool = rayon::ThreadPoolBuilder::new()
        .stack_size(256 << 20)
        .build();
    let all: Vec<Said> = pool.expect("threads can be started").install(|| {
        let one = |seed| {
            let text = texts(seed);
            let checks = match way {
                _ if seed % 3 != 2 => Checks::ASSERT,
                Way::Interleavings => Checks::ALL,
                // They say nothing of races.
                Way::Lockstep | Way::Families | Way::OneByOne => NOT_RACES,
            };
            compare(&text, way, checks).unwrap_or_else(|fault| {
                panic!("seed {seed}: {}: {}\n{text}", fault.kind, fault.details)
            })
        };
        (0..count).into_par_iter().map(one).collect()
    });
    let number = |wanted| all.iter().filter(|said| **said == wanted).count();
    for said in [
        Said::Proved,
        Said::Violated,
        Said::Undefined,
        Said::Unsupported,
        Said::Nothing,
    ] {
        println!("{said:?}: {} of {count}", number(said));
    }
    let silent = all.iter().enumerate();
    let silent = silent.filter(|(_, said)| **said == Said::Nothing);
    let silent: Vec<usize> = silent.map(|(seed, _)| seed).collect();
    println!("without an answer: {silent:?}");
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beside;
    use selvedge::ir::Check;
    use selvedge::modular::certificate::{
        Certificate, Checked, Condition, Invariant, Rejection, Shown, States, check,
    };
    use std::path::PathBuf;

    /// Random programs of the test that has most of them.
    fn count() -> u64 {
        crate::tier::programs(60)
    }

    /// The programs of `modular/`.
    fn files() -> Vec<PathBuf> {
        beside::files("modular", "c")
    }

    /// First line of a program of which this is found.
    fn first_line(finding: &Finding) -> &'static str {
        match finding {
            Finding::Safe { undefined } if undefined.is_empty() => "// proved",
            Finding::Safe { .. } => "// undefined",
            Finding::Violated { .. } => "// violated",
            Finding::Unsupported { .. } => "// unsupported",
            Finding::Abstracted { .. } => "// abstracted",
            Finding::Refused(_) | Finding::Stopped(_) | Finding::Open => "no answer",
        }
    }

    #[test]
    fn endless_programs_are_decided() {
        let both = |path| [(path, Way::Interleavings), (path, Way::OneByOne)];
        for (path, way) in crate::tier::part(files().iter().flat_map(both)) {
            let text = std::fs::read_to_string(path).expect("a readable file");
            let program = read(&text).unwrap();
            // Thread by thread, few of them are quick.
            let name = path.to_string_lossy();
            let fast = SolverKind::DEFAULT.name() != "varisat";
            let must = match () {
                _ if name.contains("inputs_added") => false,
                _ if name.contains("main_counts") => fast,
                _ => way == Way::Interleavings || name.contains("peterson"),
            };
            let patience = if crate::tier::is_long() { 10 } else { 1 };
            let proof = prove(&program, way, if must { 120 } else { patience }).unwrap();
            if !must && matches!(proof.finding, Finding::Stopped(_)) {
                continue;
            }
            let said = first_line(&proof.finding);
            assert_eq!(text.lines().next(), Some(said), "{}", path.display());
        }
    }

    #[test]
    fn what_comes_before_a_violated_assertion_counts() {
        let text = beside::text(&beside::path("modular/races/assertion_fails.c"));
        let program = read(&text).unwrap();
        let checks = Checks::of(&[Check::Memory]);
        let proof = prove_all(&program, Way::Interleavings, checks, 120).unwrap();
        assert!(matches!(proof.finding, Finding::Violated { .. }));
    }

    /// Every deliberate error shows in a random program, or in one of `modular/`; those of the search for invariants show in
    /// systems beside it.
    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_is_caught() {
        use crate::campaigns::of_kind;
        use selvedge::base::faults::record::{Campaign, seeds};
        const PROGRAMS: u64 = 2000;
        // Two show after many.
        const SECONDS: u64 = 120;
        let automata = of_kind("MODULAR", Way::Interleavings).into_iter();
        let learning = of_kind("LEARNING", Way::OneByOne);
        let faults = automata.chain(learning).collect();
        let named = files();
        let names = named.iter().map(|path| {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        });
        let campaign = Campaign {
            name: "modular",
            faults,
            programs: seeds(PROGRAMS).into_iter().chain(names).collect(),
        };
        campaign.run(|_, way, number| {
            let Some(number) = number.checked_sub(PROGRAMS as usize) else {
                let text = generate(number as u64);
                return Some(compare_within(SECONDS, &text, way).is_ok());
            };
            let text = std::fs::read_to_string(&named[number]).expect("a readable file");
            let proof = prove(&read(&text).ok()?, way, SECONDS);
            let said = proof.map(|proof| first_line(&proof.finding));
            Some(text.lines().next() == said.ok())
        });
    }

    /// A proof of a file of the folder, and the program.
    fn proof_of(name: &str, way: Way) -> (Program, Certificate) {
        let text = beside::text(&beside::path("modular").join(name));
        let program = read(&text).unwrap();
        let proof = prove(&program, way, 120).unwrap();
        (program, proof.certificate.expect("it is proved"))
    }

    fn checked(program: &Program, certificate: &Certificate) -> Result<Checked, Rejection> {
        check(
            program,
            certificate,
            SolverKind::DEFAULT,
            &Budget::unlimited(),
        )
    }

    #[test]
    fn proofs_withstand_their_check() {
        for (name, way) in [
            ("peterson.c", Way::Interleavings),
            ("peterson.c", Way::OneByOne),
            ("undefined.c", Way::Interleavings),
            ("buffer.c", Way::Interleavings),
            ("array_walk.c", Way::Interleavings),
            ("array_large.c", Way::Interleavings),
        ] {
            let (program, certificate) = proof_of(name, way);
            let text = serde_json::to_string(&certificate).unwrap();
            let read: Certificate = serde_json::from_str(&text).unwrap();
            assert_eq!(read, certificate, "{name}");
            let found = checked(&program, &certificate).unwrap();
            assert_eq!(found.defined, name != "undefined.c", "{name}");
            if way == Way::OneByOne {
                // What is known of the threads one by one is enough.
                let mut parts = certificate.clone();
                parts.interleavings.clear();
                assert!(!parts.threads.is_empty());
                assert_eq!(checked(&program, &parts).map(|c| c.threads), Ok(Some(3)));
            }
        }
    }

    /// An ordinary invariant that contains all states.
    const NOTHING: Invariant = Invariant {
        blocked: Vec::new(),
        depth: 1,
    };

    /// Rejection of a proof that was changed, by the check.
    fn rejected(
        program: &Program,
        whole: &Certificate,
        change: &dyn Fn(&mut Certificate),
    ) -> Rejection {
        let mut broken = whole.clone();
        change(&mut broken);
        assert_ne!(&broken, whole);
        checked(program, &broken).expect_err("it is broken")
    }

    fn is_flawed(rejection: &Rejection) -> bool {
        matches!(rejection, Rejection::Flawed { .. })
    }

    #[test]
    fn of_peterson_is_learnt_what_the_paper_learns() {
        let (program, certificate) = proof_of("peterson_inside.c", Way::OneByOne);
        assert_eq!(certificate.threads.len(), 1, "only t0 asserts something");
        checked(&program, &certificate).unwrap();
        // `assume(!cs1 || claim1)`, whatever was before.
        let says = |lemma: &&selvedge::modular::certificate::Lemma| {
            let mut parts: Vec<&str> = lemma.after.c.split(" && ").collect();
            parts.sort_unstable();
            lemma.before.c == "1" && parts == ["!claim1", "cs1"]
        };
        assert!(certificate.lemmas.iter().any(|lemma| says(&lemma)));
        assert!(
            certificate.lemmas.len() <= 16,
            "{}",
            certificate.lemmas.len()
        );
    }

    #[test]
    fn broken_proofs_are_rejected() {
        let (program, whole) = proof_of("peterson.c", Way::Interleavings);
        let (other, _) = proof_of("buffer.c", Way::Interleavings);
        assert!(matches!(checked(&other, &whole), Err(Rejection::Unfit(_))));
        let rejected = |change: &dyn Fn(&mut Certificate)| rejected(&program, &whole, change);
        // No invariant at all; initial states are among those that are never reached; nothing is said at all.
        assert!(is_flawed(&rejected(&|c| c.interleavings[0]
            .invariant
            .blocked
            .clear())));
        assert!(is_flawed(&rejected(&|c| {
            let place = &mut c.interleavings[0].invariant.blocked[0];
            *place = States {
                c: "1".to_string(),
                bits: Vec::new(),
            };
        })));
        assert_eq!(
            rejected(&|c| c.interleavings.clear()),
            Rejection::Unfit("it does not exclude violations".to_string())
        );
        // Texts and bits that say different things; bits that are not there; another format.
        for unfit in [
            rejected(&|c| c.interleavings[0].invariant.blocked[0].c = "x == 1".to_string()),
            rejected(&|c| c.interleavings[0].invariant.blocked[0].bits[0].0 = 1000),
            rejected(&|c| c.interleavings[0].invariant.blocked[0].bits[0].1 = 200),
            rejected(&|c| c.format = "selvedge proof 0".to_string()),
        ] {
            assert!(matches!(unfit, Rejection::Unfit(_)), "{unfit:?}");
        }
    }

    #[test]
    fn a_proof_over_several_steps_needs_its_depth() {
        let (program, whole) = proof_of("shift.c", Way::Interleavings);
        let depth = whole.interleavings[0].invariant.depth;
        assert!(depth > 1, "no other proof is as near");
        let text = serde_json::to_string(&whole).unwrap();
        assert_eq!(serde_json::from_str::<Certificate>(&text).unwrap(), whole);
        checked(&program, &whole).unwrap();
        for less in 0..depth {
            let change = |c: &mut Certificate| c.interleavings[0].invariant.depth = less;
            assert!(is_flawed(&rejected(&program, &whole, &change)), "{less}");
        }
        // Where nothing is said of it, the depth is 1.
        let ordinary = text.replace(&format!(",\"depth\":{depth}"), "");
        assert_ne!(ordinary, text);
        let read: Certificate = serde_json::from_str(&ordinary).unwrap();
        assert_eq!(read.interleavings[0].invariant.depth, 1);
        // Violations are reached, but after more steps than the window has; and in fewer.
        let wrong = beside::text(&beside::path("modular/shift.c"));
        let wrong = wrong.replace("first += first == 7;", "");
        let wrong = crate::oracle::read(&wrong).unwrap();
        for depth in [1, 2, 20] {
            let change = |c: &mut Certificate| c.interleavings[0].invariant.depth = depth;
            assert!(is_flawed(&rejected(&wrong, &whole, &change)), "{depth}");
        }
    }

    #[test]
    fn broken_proofs_thread_by_thread_are_rejected() {
        let (program, whole) = proof_of("peterson.c", Way::OneByOne);
        let rejected = |change: &dyn Fn(&mut Certificate)| rejected(&program, &whole, change);
        // Of main nothing has to be known.
        let last = whole.threads.len() - 1;
        let nothing = Condition {
            c: "1".to_string(),
            terms: vec!["all".to_string()],
        };
        // Conditions before moves matter, and invariants do; that of some lemmas is no more than what other lemmas say.
        let mut refused = (0, 0);
        for (number, lemma) in whole.lemmas.iter().enumerate() {
            if refused.0 > 0 && refused.1 > 0 {
                break;
            }
            let mut broken = whole.clone();
            broken.lemmas[number].before = nothing.clone();
            let goes = lemma.before != nothing && checked(&program, &broken).is_err();
            refused.0 += usize::from(goes);
            let mut broken = whole.clone();
            broken.lemmas[number].shown = Shown::Invariant(NOTHING);
            let goes = broken != whole && checked(&program, &broken).is_err();
            refused.1 += usize::from(goes);
        }
        assert!(refused.0 > 0 && refused.1 > 0, "{refused:?}");
        // Everything that others do not do is forgotten: other bits matter then, or the invariant is none.
        rejected(&|c| c.lemmas.clear());
        assert!(is_flawed(&rejected(&|c| {
            c.threads[last].shown = Shown::Invariant(NOTHING);
        })));
        let half = rejected(&|c| c.threads.truncate(1));
        assert!(matches!(half, Rejection::Unfit(_)));
        // Threads, words and operators that are not there.
        for unfit in [
            rejected(&|c| c.threads[0].thread = 7),
            rejected(&|c| c.lemmas[0].threads = vec![9]),
            rejected(&|c| c.lemmas[0].main = 9),
            rejected(&|c| c.lemmas[0].after.terms[0] = "w1000".to_string()),
            rejected(&|c| c.lemmas[0].after.terms[0] = "nor 0 0".to_string()),
            rejected(&|c| c.lemmas[0].after.terms[0] = "and 0 7".to_string()),
        ] {
            assert!(matches!(unfit, Rejection::Unfit(_)), "{unfit:?}");
        }
    }

    #[test]
    fn modular_agrees_with_the_enumeration() {
        let all = tally(&generate, count(), Way::Interleavings);
        let number = |wanted| all.iter().filter(|said| **said == wanted).count();
        let told = all.len() - number(Said::Nothing) - number(Said::Unsupported);
        assert!(
            10 * told >= 8 * all.len(),
            "only {told} of {} programs tell something",
            all.len()
        );
        assert!(
            10 * number(Said::Violated) >= 2 * told,
            "few programs are unsafe"
        );
        assert!(
            10 * number(Said::Proved) >= 2 * told,
            "few programs are safe"
        );
    }

    #[test]
    fn modular_agrees_with_the_enumeration_between_joins() {
        tally(&generate_joined, count(), Way::Interleavings);
    }

    #[test]
    fn threads_one_by_one_agree_with_the_enumeration_between_joins() {
        tally(&generate_joined, count() / 3, Way::OneByOne);
    }

    #[test]
    fn modular_agrees_with_the_enumeration_on_arrays_of_any_size() {
        let all = tally(&crate::sized::generate, count(), Way::Interleavings);
        let number = |wanted| all.iter().filter(|said| **said == wanted).count();
        for said in [Said::Proved, Said::Violated, Said::Undefined] {
            assert!(40 * number(said) >= all.len(), "few are {said:?}");
        }
    }

    #[test]
    fn modular_agrees_with_the_enumeration_on_programs_for_all_schemes() {
        tally(
            &|seed| crate::generate::generate(seed).render(),
            count() / 3,
            Way::Interleavings,
        );
    }

    #[test]
    fn threads_one_by_one_agree_with_the_enumeration() {
        tally(&generate, count() / 3, Way::OneByOne);
    }
}
