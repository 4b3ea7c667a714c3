//! Deadlocks against the enumeration, which finds them by its own means: every place where some thread is blocked for ever in some
//! state is found by every scheme, and no other, and each finding replays. A program for each operation that waits (`deadlocks/`) says
//! with comments where threads are blocked.

use crate::oracle::{Fault, Prepared, Skip, WAITING, prepare_for, rwlock};
use selvedge::ir::{Check, Checks};
use selvedge::{Budget, Engine, Options, Request, Session};
use std::collections::BTreeSet;

/// Places by line and column.
type Places = BTreeSet<(u64, u64)>;

/// The check alone.
fn asked() -> Checks {
    Checks::of(&[Check::Deadlock])
}

/// All executions of a program.
pub fn explored(text: &str) -> Result<Result<Prepared, Skip>, Fault> {
    prepare_for(text, asked())
}

/// What an engine finds within the bounds of the enumeration.
pub fn found(text: &str, engine: &Engine) -> Result<Places, Fault> {
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
        unwind: Some(WAITING),
        // What is dropped lets loops get further than the enumeration does.
        idle_rule: false,
        ..Request::default()
    };
    let answer = session.verify(&request, &Budget::unlimited(), &mut |_| ());
    let answer = answer.map_err(|error| fault(error.to_string()))?;
    let json = selvedge::json::render(&answer.outcome, &session.places(&answer));
    let report: serde_json::Value =
        serde_json::from_str(&json).map_err(|error| fault(error.to_string()))?;
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let is_asked = |finding: &&serde_json::Value| finding["check"] == Check::Deadlock.name();
    let place = |at: &serde_json::Value| Some((at["line"].as_u64()?, at["column"].as_u64()?));
    let mut places = Places::new();
    for finding in findings.iter().filter(is_asked) {
        places.extend(place(&finding["place"]));
        let blocked = finding["deadlock"]["threads"]
            .as_array()
            .into_iter()
            .flatten();
        places.extend(blocked.filter_map(|thread| place(&thread["place"])));
    }
    Ok(places)
}

/// Compares an engine with the enumeration, place by place: how many there are.
pub fn compare(text: &str, engine: &Engine) -> Result<Result<usize, Skip>, Fault> {
    let prepared = match explored(text)? {
        Ok(prepared) => prepared,
        Err(skip) => return Ok(Err(skip)),
    };
    let (expected, said) = (prepared.blocked(), found(text, engine)?);
    if said == expected {
        return Ok(Ok(expected.len()));
    }
    let missed: Vec<_> = expected.difference(&said).collect();
    let wrong: Vec<_> = said.difference(&expected).collect();
    Err(Fault {
        kind: format!("{} differs", engine.name()),
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
    use selvedge::trace::deadlock::DeadlockKind;
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
    #[ignore = "engines do not tell of deadlocks yet"]
    fn engines_find_what_programs_say() {
        let engines = Engine::all();
        let programs: Vec<_> = beside::programs("deadlocks")
            .into_iter()
            .enumerate()
            .collect();
        let one = |(turn, (name, text)): &(usize, (String, String))| {
            let wrong = |engine: &Engine| match found(text, engine) {
                Ok(said) if lines(&said) == marked(text) => None,
                said => Some(format!("{name} by {}: {said:?}", engine.name())),
            };
            let turn = in_turn(*turn, &engines);
            turn.iter().filter_map(wrong).collect::<Vec<String>>()
        };
        let wrong: Vec<String> = on_deep_stacks(|| programs.par_iter().flat_map(one).collect());
        assert_eq!(wrong, [""; 0]);
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
        let mut shares: BTreeMap<Option<DeadlockKind>, u64> = BTreeMap::new();
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
        for kind in [DeadlockKind::Cycle, DeadlockKind::Final, DeadlockKind::Spin] {
            let share = shares.get(&Some(kind)).copied().unwrap_or_default();
            assert!(10 * share >= told, "{share} of {told} have {kind:?}");
        }
    }

    /// Every engine in turn.
    #[test]
    #[ignore = "engines do not tell of deadlocks yet"]
    fn every_deadlock_is_found_and_no_other() {
        let engines = Engine::all();
        let first = start();
        let one = |seed: u64| {
            let text = generate::deadlock::generate(seed).render();
            let engine = &engines[(seed % engines.len() as u64) as usize];
            compare(&text, engine).map_err(|Fault { kind, details }| {
                println!("seed {seed}: {kind}: {details}\n{text}");
                kind
            })
        };
        let count = programs(150);
        let seeds = first..first + count;
        let said: Vec<_> = on_deep_stacks(|| seeds.into_par_iter().map(one).collect());
        let wrong: Vec<&String> = said.iter().filter_map(|said| said.as_ref().err()).collect();
        assert!(wrong.is_empty(), "{} programs: {wrong:?}", wrong.len());
        let told = said.iter().filter(|said| matches!(said, Ok(Ok(_)))).count() as u64;
        assert!(10 * told >= 9 * count, "only {told} tell something");
    }
}
