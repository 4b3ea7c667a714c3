//! Random programs, and those that once failed.

use super::*;
use crate::generate::generate;
use crate::tier::{all_programs, programs, start};
use rayon::prelude::*;

#[test]
fn shrunk_findings_stay_fixed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/solver-tests/regressions");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is part of the project")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    let subjects = Subject::all();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let truth = on_a_deep_stack(|| compare(&text, &subjects));
        let said = match truth {
            Ok(Ok(Truth::Safe)) => "// safe".to_string(),
            Ok(Ok(Truth::Unsafe)) => "// unsafe".to_string(),
            other => format!("{other:?}"),
        };
        let expected = text.lines().next().unwrap_or_default();
        assert_eq!(said, expected, "{}", path.display());
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("weak-") {
            let subjects = [Subject::weak(0), Subject::buffers()].concat();
            let agree = on_a_deep_stack(|| compare_models(&text, &subjects));
            assert!(agree.is_ok(), "{name}: {agree:?}");
        }
    }
}

/// Locks, the library, the heap: what drains buffers without saying so.
#[test]
fn other_programs_agree_under_every_memory_model() {
    let count = programs(30);
    let told: usize = on_deep_stacks(|| {
        let one = |seed: u64| {
            let text = generate(seed).render();
            let all =
                compare_models(&text, &Subject::weak(text.len() as u64)).unwrap_or_else(|fault| {
                    panic!("seed {seed}: {}: {}\n{text}", fault.kind, fault.details)
                });
            all.iter().filter(|truth| truth.is_ok()).count()
        };
        (0..count).into_par_iter().map(one).sum()
    });
    println!("{told} of {} answers", 3 * count);
    assert!(told as u64 >= 2 * count, "only {told} answers");
}

#[test]
fn order_agrees_with_the_enumeration_under_every_memory_model() {
    let count = programs(200);
    let one = |seed| {
        let text = crate::generate::weak::generate(seed).render();
        compare_models(&text, &Subject::weak(text.len() as u64)).unwrap_or_else(|fault| {
            panic!("seed {seed}: {}: {}\n{text}", fault.kind, fault.details)
        })
    };
    let outcomes: Vec<Vec<Result<Truth, Skip>>> =
        on_deep_stacks(|| (0..count).into_par_iter().map(one).collect());
    let all = outcomes.len();
    let with = |model: usize, wanted: Result<Truth, Skip>| {
        let each = outcomes.iter().filter(|truths| truths[model] == wanted);
        each.count()
    };
    let dangerous: Vec<usize> = (0..3).map(|m| with(m, Ok(Truth::Unsafe))).collect();
    let safe: Vec<usize> = (0..3).map(|m| with(m, Ok(Truth::Safe))).collect();
    println!("of {all} programs under SC, TSO, PSO: unsafe {dangerous:?}, safe {safe:?}");
    for model in 0..3 {
        let told = dangerous[model] + safe[model];
        assert!(10 * told >= 9 * all, "only {told} programs tell something");
    }
    // Each model is told from the one before it.
    assert!(dangerous[1] > dangerous[0] + all / 50, "TSO is like SC");
    assert!(dangerous[2] > dangerous[1] + all / 50, "PSO is like TSO");
}

#[test]
fn every_scheme_agrees_on_addresses() {
    let count = programs(150);
    let one = |seed| -> Result<(Truth, bool), Skip> {
        let text = crate::generate::address::generate(seed).render();
        let said = || {
            let prepared = match prepare(&text)? {
                Ok(prepared) => prepared,
                Err(skip) => return Ok(Err(skip)),
            };
            let truth = compare_prepared(&prepared, &Subject::in_turn(seed))?;
            Ok(truth.map(|truth| (truth, prepared.observed())))
        };
        said().unwrap_or_else(|fault: Fault| {
            panic!("seed {seed}: {}: {}\n{text}", fault.kind, fault.details)
        })
    };
    let outcomes: Vec<Result<(Truth, bool), Skip>> =
        on_deep_stacks(|| (0..count).into_par_iter().map(one).collect());
    let number = |wanted| outcomes.iter().filter(|one| **one == Ok(wanted)).count() as u64;
    let (dangerous, safe) = (number((Truth::Unsafe, true)), number((Truth::Safe, true)));
    println!("of {count} programs that look at addresses: unsafe {dangerous}, safe {safe}");
    assert!(10 * dangerous >= 2 * count, "only {dangerous} are unsafe");
    assert!(10 * (dangerous + safe) >= 7 * count, "{safe} are safe");
}

#[test]
fn every_scheme_agrees_on_what_is_published() {
    let (first, count) = (start(), programs(200));
    let one = |seed| {
        let text = crate::generate::publish::generate(seed).render();
        compare(&text, &Subject::in_turn(seed)).unwrap_or_else(|fault: Fault| {
            panic!("seed {seed}: {}: {}\n{text}", fault.kind, fault.details)
        })
    };
    let outcomes: Vec<Result<Truth, Skip>> =
        on_deep_stacks(|| (first..first + count).into_par_iter().map(one).collect());
    let number = |wanted| outcomes.iter().filter(|one| **one == Ok(wanted)).count() as u64;
    let (dangerous, safe) = (number(Truth::Unsafe), number(Truth::Safe));
    println!("of {count} programs that publish objects: unsafe {dangerous}, safe {safe}");
    assert!(10 * dangerous >= 2 * count, "only {dangerous} are unsafe");
    assert!(10 * (dangerous + safe) >= 8 * count, "{safe} are safe");
}

#[test]
fn every_scheme_agrees_with_the_enumeration() {
    let (first, count) = (start(), all_programs(300));
    let outcomes: Vec<Result<Truth, Skip>> = on_deep_stacks(|| {
        let one = |seed| {
            let text = generate(seed).render();
            compare(&text, &Subject::in_turn(seed)).unwrap_or_else(|fault| {
                panic!("seed {seed}: {}: {}\n{text}", fault.kind, fault.details)
            })
        };
        (first..first + count).into_par_iter().map(one).collect()
    });
    let number = |wanted: Result<Truth, Skip>| {
        outcomes
            .iter()
            .filter(|outcome| **outcome == wanted)
            .count()
    };
    let (dangerous, safe) = (number(Ok(Truth::Unsafe)), number(Ok(Truth::Safe)));
    let told = dangerous + safe;
    assert!(
        10 * told >= 9 * outcomes.len(),
        "only {told} of {count} programs tell something"
    );
    // Of few programs, the share varies.
    assert!(
        told < 100 || 10 * dangerous >= 3 * told,
        "only {dangerous} of {told} programs are unsafe"
    );
}
