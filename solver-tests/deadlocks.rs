//! Deadlocks against the enumeration, which finds them by its own means: every place where some thread is blocked for ever in some
//! state is found by every scheme, and no other, and each finding replays. A program for each operation that waits (`deadlocks/`) says
//! with comments where threads are blocked.

use crate::oracle::{Fault, Prepared, Skip, WAITING, prepare_for, rwlock};
use selvedge::ir::{Check, Checks};
use selvedge::{Budget, Engine, Options, Request, Session, Verdict};
use std::collections::BTreeSet;
use std::time::Duration;

/// Places by line and column.
type Places = BTreeSet<(u64, u64)>;

/// What an engine says: where threads are blocked, and whether it knows that they are nowhere else.
#[derive(Debug)]
pub struct Said {
    pub places: Places,
    pub complete: bool,
}

/// The check alone.
fn asked() -> Checks {
    Checks::of(&[Check::Deadlock])
}

/// All executions of a program.
pub fn explored(text: &str) -> Result<Result<Prepared, Skip>, Fault> {
    prepare_for(text, asked())
}

/// An engine, and whether iterations that change nothing are left out.
#[derive(Clone, Debug)]
pub struct Asked {
    engine: Engine,
    idle_rule: bool,
}

impl Asked {
    /// Every scheme in both ways, with bounds of its own that leave nothing out.
    pub fn all() -> Vec<Asked> {
        let enough = |mut engine: Engine| {
            let bounds = [("lazy", "rounds", "12"), ("mu", "writes", "16")];
            if let Engine::Scheme(scheme) = &mut engine
                && let Some((_, bound, value)) = bounds.iter().find(|b| b.0 == scheme.name())
            {
                scheme.set(bound, value).expect("it is the scheme's bound");
            }
            engine
        };
        let engines = Engine::all().into_iter().map(enough);
        let both = engines.flat_map(|engine| {
            [false, true].map(|idle_rule| Asked {
                engine: engine.clone(),
                idle_rule,
            })
        });
        both.collect()
    }

    /// True if it has no bounds, and so may know more than the enumeration, and gives up where it likes.
    fn is_unbounded(&self) -> bool {
        matches!(self.engine, Engine::Modular { .. })
    }

    /// True if it knows no more than threads that wait for each other.
    fn knows_cycles_alone(&self) -> bool {
        matches!(self.engine.name(), "mu" | "timestamp")
    }
}

/// Wall time of one program.
const TIME: Duration = Duration::from_secs(1);

/// What an engine finds within the bounds of the enumeration; `None` if it does not tell.
pub fn found(text: &str, asked_of: &Asked) -> Result<Option<Said>, Fault> {
    let Asked { engine, idle_rule } = asked_of;
    let fault = |why: String| Fault {
        kind: format!("{} fails", engine.name()),
        details: why,
    };
    let options = Options {
        checks: asked(),
        rwlock: rwlock(text),
        ..Options::default()
    };
    let session = Session::parse("random.c", text, &options).map_err(|e| fault(e.to_string()))?;
    let request = Request {
        checks: asked(),
        first: false,
        engine: engine.clone(),
        unwind: (!asked_of.is_unbounded()).then_some(WAITING),
        // No program calls itself deeper, but by way of routines that run once.
        recursion: (!asked_of.is_unbounded()).then_some(8),
        idle_rule: *idle_rule,
        ..Request::default()
    };
    let budget = Budget::unlimited().with_wall_limit(TIME);
    let answer = session.verify(&request, &budget, &mut |_| ());
    let answer = answer.map_err(|error| fault(error.to_string()))?;
    // One that has found something may have been ended before it had all.
    if budget.check().is_some() || matches!(answer.outcome.verdict, Verdict::Unknown { .. }) {
        return Ok(None);
    }
    let json = selvedge::json::render(&answer.outcome, session.places());
    let report: serde_json::Value =
        serde_json::from_str(&json).map_err(|error| fault(error.to_string()))?;
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let is_asked = |finding: &&serde_json::Value| finding["check"] == Check::Deadlock.name();
    let place = |at: &serde_json::Value| Some((at["line"].as_u64()?, at["column"].as_u64()?));
    let mut places = Places::new();
    for finding in findings.iter().filter(is_asked) {
        let blocked = finding["deadlock"]["threads"].as_array();
        let blocked = blocked.into_iter().flatten();
        places.extend(blocked.filter_map(|thread| place(&thread["place"])));
        let elsewhere = finding["deadlock"]["elsewhere"].as_array();
        places.extend(elsewhere.into_iter().flatten().filter_map(place));
    }
    let complete =
        matches!(&answer.outcome.verdict, Verdict::Successful { limits } if limits.is_empty());
    Ok(Some(Said { places, complete }))
}

/// Compares an engine with the enumeration, place by place: how many there are.
pub fn compare(text: &str, asked: &Asked) -> Result<Result<usize, Skip>, Fault> {
    let prepared = match explored(text)? {
        Ok(prepared) => prepared,
        Err(skip) => return Ok(Err(skip)),
    };
    let all = prepared.blocked();
    let Some(Said {
        places: said,
        complete,
    }) = found(text, asked)?
    else {
        return Ok(Err(Skip::TooLarge));
    };
    if asked.is_unbounded() {
        // One violation is enough, which was replayed; a proof is of all executions.
        return if all.is_empty() || !said.is_empty() {
            Ok(Ok(all.len()))
        } else {
            let details = format!("missed at {all:?}");
            let kind = "modular differs".into();
            Err(Fault { kind, details })
        };
    }
    let expected = if asked.knows_cycles_alone() {
        prepared.cycles()
    } else {
        all.clone()
    };
    let missed: Vec<_> = expected.difference(&said).collect();
    let mut wrong: Vec<_> = said.difference(&all).collect();
    if asked.idle_rule {
        // Loops get further than the enumeration does, and what they find is replayed.
        wrong.clear();
    }
    if missed.is_empty() && wrong.is_empty() {
        return Ok(Ok(expected.len()));
    }
    // Loops that take one robust mutex in turns are left out, as the manual says, by an answer within bounds.
    if text.contains("pthread_mutexattr_setrobust") && !complete && wrong.is_empty() {
        println!("within bounds: {} misses {missed:?}", asked.engine.name());
        return Ok(Ok(said.len()));
    }
    Err(Fault {
        kind: format!("{} differs", asked.engine.name()),
        details: format!("missed at {missed:?}, wrong at {wrong:?}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beside;
    use crate::generate;
    use crate::oracle::on_deep_stacks;
    use crate::tier::{in_turn, programs, start};
    use rayon::prelude::*;
    use selvedge::trace::deadlock::DeadlockKind as Kind;
    use std::collections::BTreeMap;
    use std::time::Instant;

    /// Lines that have the comment.
    fn marked(text: &str) -> BTreeSet<u64> {
        let lines = text.lines().zip(1..);
        let marked = lines.filter(|(line, _)| line.ends_with("// blocked"));
        marked.map(|(_, number)| number).collect()
    }

    fn lines(places: &Places) -> BTreeSet<u64> {
        places.iter().map(|(line, _)| *line).collect()
    }

    #[test]
    fn operations_block_where_their_programs_say() {
        let programs = beside::programs("deadlocks");
        let one = |(name, text): &(String, String)| {
            let said = match explored(text) {
                Ok(Ok(prepared)) => lines(&prepared.blocked()),
                other => return Some(format!("{name}: {:?}", other.map(|_| "skipped"))),
            };
            let expected = marked(text);
            (said != expected).then(|| format!("{name}: {said:?} and not {expected:?}"))
        };
        let wrong: Vec<String> = on_deep_stacks(|| programs.par_iter().filter_map(one).collect());
        assert!(programs.len() > 40);
        assert_eq!(wrong, [""; 0]);
    }

    /// The same by every engine.
    #[test]
    fn engines_find_what_programs_say() {
        let engines = Asked::all();
        let programs: Vec<_> = beside::programs("deadlocks")
            .into_iter()
            .enumerate()
            .collect();
        let one = |(turn, (name, text)): &(usize, (String, String))| {
            let wrong = |asked: &Asked| {
                let partial = asked.knows_cycles_alone() || asked.is_unbounded();
                let fits = |said: &Places| match partial {
                    true => lines(said).is_subset(&marked(text)),
                    false => lines(said) == marked(text),
                };
                match found(text, asked) {
                    Ok(None) => None,
                    Ok(Some(said)) if fits(&said.places) => None,
                    said => Some(format!("{name} by {asked:?}: {said:?}")),
                }
            };
            let turn = in_turn(*turn, &engines);
            turn.iter().filter_map(wrong).collect::<Vec<String>>()
        };
        let wrong: Vec<String> = on_deep_stacks(|| programs.par_iter().flat_map(one).collect());
        assert_eq!(wrong, [""; 0]);
    }

    /// A thread beyond the bound has not ended, but who joins it is not blocked for ever.
    #[test]
    fn threads_beyond_the_bound_block_nobody() {
        let text = "#include <pthread.h>
            int n;
            void *adds(void *arg) { n++; return arg; }
            int main(void) {
              pthread_t t[3];
              for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, adds, 0);
              for (int i = 3; i > 0; i--) pthread_join(t[i - 1], 0);
              return 0;
            }";
        let options = Options {
            checks: asked(),
            ..Options::default()
        };
        let session = Session::parse("beyond.c", text, &options).expect("it is C");
        for engine in Engine::all() {
            let answer = session.verify(
                &Request {
                    checks: asked(),
                    engine: engine.clone(),
                    threads: Some(1),
                    ..Request::default()
                },
                &Budget::unlimited(),
                &mut |_| (),
            );
            let verdict = answer.map(|answer| answer.outcome.verdict);
            let is_bounded = matches!(verdict, Ok(Verdict::Successful { .. }));
            assert!(is_bounded, "{}: {verdict:?}", engine.name());
        }
    }

    /// Every deliberate error is caught by a program whose places are others than it says, or by a replay that comes to something else.
    #[cfg(feature = "faults")]
    #[test]
    fn every_fault_is_caught() {
        use selvedge::base::faults::record::Campaign;
        let named = beside::programs("deadlocks");
        let campaign = Campaign {
            name: "deadlocks",
            faults: crate::campaigns::of_kind("DEADLOCKS", ()),
            programs: named.iter().map(|(name, _)| name.clone()).collect(),
        };
        let order = Asked {
            engine: Engine::named("order").expect("it is a scheme"),
            idle_rule: true,
        };
        campaign.run(|_, (), number| {
            let (_, text) = &named[number];
            let said = found(text, &order);
            Some(matches!(said, Ok(Some(said)) if lines(&said.places) == marked(text)))
        });
    }

    /// The random programs: about half of them have a deadlock, each kind is there, and nothing takes long.
    #[test]
    fn random_programs_have_deadlocks_of_every_kind() {
        let count = programs(300);
        let first = start();
        let one = |seed: u64| {
            let text = generate::deadlock::generate(seed).render();
            let begin = Instant::now();
            let said = explored(&text);
            let ms = begin.elapsed().as_millis();
            let said = said.unwrap_or_else(|fault| panic!("seed {seed}: {fault:?}\n{text}"));
            (seed, ms, said)
        };
        let seeds = first..first + count;
        let all: Vec<_> = on_deep_stacks(|| seeds.into_par_iter().map(one).collect());
        let mut shares: BTreeMap<Option<Kind>, u64> = BTreeMap::new();
        let (mut told, mut blocked) = (0, 0);
        for (seed, ms, said) in &all {
            let Ok(prepared) = said else {
                println!("seed {seed}: {:?} after {ms} ms", said.as_ref().err());
                continue;
            };
            if *ms > 1000 {
                println!("seed {seed}: {} states, {ms} ms", prepared.states());
            }
            let kinds = prepared.kinds();
            told += 1;
            blocked += u64::from(!kinds.is_empty());
            for kind in kinds {
                *shares.entry(Some(kind)).or_default() += 1;
            }
            for cut in prepared.cuts() {
                println!("seed {seed}: {cut:?}");
            }
        }
        println!("of {told} programs {blocked} have deadlocks: {shares:?}");
        assert!(100 * told >= 97 * count, "only {told} tell something");
        assert!(
            (40 * told..=60 * told).contains(&(100 * blocked)),
            "{blocked} of {told}"
        );
        for kind in [Kind::Cycle, Kind::Final, Kind::Spin] {
            let share = shares.get(&Some(kind)).copied().unwrap_or_default();
            assert!(10 * share >= told, "{share} of {told} have {kind:?}");
        }
    }

    /// Every engine in turn; those that take some tenths of a second for a program have one where others have ten.
    #[test]
    fn every_deadlock_is_found_and_no_other() {
        let turns = |asked: Asked| {
            let is_slow = ["step", "mu", "modular"].contains(&asked.engine.name());
            vec![asked; if is_slow { 1 } else { 10 }]
        };
        let engines: Vec<Asked> = Asked::all().into_iter().flat_map(turns).collect();
        let first = start();
        let one = |seed: u64| {
            let text = generate::deadlock::generate(seed).render();
            let asked = &engines[(seed % engines.len() as u64) as usize];
            compare(&text, asked).map_err(|Fault { kind, details }| {
                println!("seed {seed} by {asked:?}: {kind}: {details}\n{text}");
                kind
            })
        };
        let count = programs(150);
        let seeds = first..first + count;
        let said: Vec<_> = on_deep_stacks(|| seeds.into_par_iter().map(one).collect());
        let wrong: Vec<&String> = said.iter().filter_map(|said| said.as_ref().err()).collect();
        assert!(wrong.is_empty(), "{} programs: {wrong:?}", wrong.len());
        let told = said.iter().filter(|said| matches!(said, Ok(Ok(_)))).count() as u64;
        println!("{told} of {count} tell something");
        assert!(10 * told >= 8 * count, "only {told} tell something");
    }
}
