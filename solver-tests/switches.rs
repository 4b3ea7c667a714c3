//! Context switches of counterexamples: no execution has fewer that violates the same, as a search in breadth finds.

use crate::generate::{generate, weak};
use crate::oracle::{UNWIND, on_deep_stacks, read};
use crate::reading;
use crate::tier;
use selvedge::base::{Budget, Loc};
use selvedge::event::MemoryModel;
use selvedge::ir::Program;
use selvedge::trace::enumerate::Limits;
use selvedge::trace::enumerate::turns::fewest_turns;
use selvedge::trace::interpret::Bounds;
use selvedge::verify::{Request, verify};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Turns of the counterexample at a place, and the fewest that there can be.
type Turns = (Loc, usize, usize);

/// Compares the counterexamples of a program's assertions, or the first of them, with its executions within so many iterations; `None` if
/// there are too many of these.
fn turns(
    program: Program,
    memory: MemoryModel,
    (unwind, first): (u32, bool),
    limits: &Limits,
) -> Option<Vec<Turns>> {
    let program = Arc::new(program);
    let request = Request {
        unwind: Some(unwind),
        memory,
        first,
        ..Request::assertions()
    };
    let budget = Budget::unlimited().with_wall_limit(Duration::from_secs(60));
    let verified = verify(&program, None, &request, &budget, &mut |_| ()).ok()?;
    let findings = verified.outcome.findings;
    if findings.is_empty() {
        return Some(Vec::new());
    }
    let bounds = Bounds {
        unwind: Some(unwind),
        memory,
        ..Bounds::default()
    };
    let fewest = fewest_turns(&program, bounds, limits).ok()??;
    // Which of the properties at a place an encoding names does not matter.
    let mut at: BTreeMap<Loc, usize> = BTreeMap::new();
    for ((loc, _), turns) in fewest {
        let known = at.entry(loc).or_insert(turns);
        *known = turns.min(*known);
    }
    let compared = findings.iter().filter_map(|finding| {
        let shown = finding.trace.turns()?;
        Some((finding.loc, shown, *at.get(&finding.loc)?))
    });
    Some(compared.collect())
}

#[test]
fn random_programs_have_no_counterexamples_with_fewer_switches() {
    on_deep_stacks(|| {
        let limits = Limits {
            states: 60_000,
            ..Limits::default()
        };
        let (mut compared, mut many) = (0, 0);
        for number in 0..tier::programs(150) {
            let seed = tier::start() + number;
            let all = [
                (MemoryModel::Sc, generate(seed).render()),
                (MemoryModel::Tso, weak::generate(seed).render()),
                (MemoryModel::Pso, weak::generate(seed).render()),
            ];
            for (memory, text) in all {
                let program = read(&text).expect("a program");
                // Where the first is enough, the search that has found it is asked for fewer turns.
                let all = [true, false].map(|first| {
                    let found = turns(program.clone(), memory, (UNWIND, first), &limits);
                    found.unwrap_or_default()
                });
                for (_, shown, fewest) in all.concat() {
                    assert!(
                        shown <= fewest,
                        "seed {seed}, {}: {shown} turns, of {fewest}\n{text}",
                        memory.name()
                    );
                    compared += 1;
                    many += usize::from(fewest > 3);
                }
            }
        }
        eprintln!("{compared} counterexamples, {many} with more than three turns");
        assert!(compared > 50 && many > 5, "{compared}, {many}");
    });
}

/// The longest of these tests: some minutes.
#[test]
#[ignore = "takes minutes, and a corpus"]
fn tasks_have_no_counterexamples_with_fewer_switches() {
    let Some(corpus) = tier::corpus("switches of tasks") else {
        return;
    };
    let limits = Limits {
        states: 150_000,
        first_violation: true,
        ..Limits::default()
    };
    let (mut compared, mut worse) = (0, Vec::new());
    let mut tasks = Vec::new();
    reading::files(&corpus.join("svcomp25"), &["yml"], &mut tasks);
    for task in tasks {
        let text = std::fs::read_to_string(&task).expect("a readable task");
        let fails = text.contains("unreach-call.prp\n    expected_verdict: false");
        let input = text
            .lines()
            .find_map(|line| line.strip_prefix("input_files:"));
        let (true, Some(input)) = (fails, input) else {
            continue;
        };
        let input = input.trim().trim_matches(['\'', '"']);
        let Ok(program) = std::fs::read_to_string(task.with_file_name(input)) else {
            continue;
        };
        let model = if text.contains("ILP32") {
            crate::oracle::ILP32
        } else {
            ""
        };
        let Ok(program) = read(&format!("{program}\n{model}\n")) else {
            continue;
        };
        for unwind in [1, 2, 3] {
            let found = on_deep_stacks(|| {
                turns(program.clone(), MemoryModel::Sc, (unwind, false), &limits)
            });
            let found = found.unwrap_or_default();
            for (_, shown, fewest) in &found {
                compared += 1;
                eprintln!("{input}: {shown} turns, of {fewest}, unwind {unwind}");
                if shown > fewest {
                    worse.push(format!("{input}: {shown} turns, of {fewest}"));
                }
            }
            if !found.is_empty() {
                break;
            }
        }
    }
    eprintln!("{compared} counterexamples");
    // The search has a budget.
    assert!(50 * worse.len() <= compared, "{compared}: {worse:#?}");
    assert!(compared >= 100, "{compared}");
}
