//! Results of lowered C: the programs in `lowering/` check themselves. The interpreter runs them in both
//! data models, and the system's compiler confirms the expectations, where there is one.

use crate::beside;
use selvedge::ir::{DataModel, Program, Property};
use selvedge::source::{self, Source};
use selvedge::trace::enumerate::{Exploration, Limits, enumerate};
use selvedge::trace::interpret::Bounds;
use selvedge::{library, syntax};
use std::path::{Path, PathBuf};
use std::process::Command;

fn programs() -> Vec<PathBuf> {
    beside::files("lowering", "c")
}

fn read(path: &Path, model: DataModel) -> (Source, Program) {
    let options = source::Options {
        model,
        ..source::Options::default()
    };
    let source = Source::load(path, &options).unwrap_or_else(|e| panic!("{e}"));
    let unit = syntax::parse(&source).unwrap_or_else(|d| panic!("{}", source::render(&source, &d)));
    let program = library::read(
        &[selvedge::ir::lower::Unit::alone(&unit)],
        model,
        &library::Options::default(),
    )
    .unwrap_or_else(|all| panic!("{}", source::render(&source, &all[0])));
    (source, program)
}

fn run(program: &Program) -> Exploration {
    let limits = Limits {
        inputs: vec![1],
        step_instructions: 10_000_000,
        uninitialised: vec![0],
        ..Limits::default()
    };
    enumerate(program, Bounds::default(), &limits).expect("small objects")
}

/// Lowering recurses with the source; a thread of its own gives it room in an unoptimised build.
fn with_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(256 << 20)
        .spawn(work);
    thread.expect("a thread").join().expect("the test");
}

#[test]
fn programs_come_to_their_end() {
    with_stack(|| {
        for path in programs() {
            for model in [DataModel::Ilp32, DataModel::Lp64] {
                let (source, program) = read(&path, model);
                let found = run(&program);
                let place = |loc| source.position(loc).map_or(0, |p| p.line);
                let failed: Vec<(u32, Property)> = found
                    .violations
                    .iter()
                    .map(|(loc, property)| (place(*loc), *property))
                    .collect();
                let name = path.display();
                assert!(!found.gave_up, "{name} {model:?}: {} states", found.states);
                let only_end = matches!(failed[..], [(_, Property::ReachError)]);
                assert!(only_end, "{name} {model:?}: {failed:?} {:?}", found.cuts);
                assert!(found.cuts.is_empty(), "{name} {model:?}: {:?}", found.cuts);
            }
        }
    });
}

#[test]
fn a_compiler_agrees() {
    if Command::new("cc").arg("--version").output().is_err() {
        crate::tier::skipped("programs as they are compiled", "there is no C compiler");
        return;
    }
    let folder_for_output = tempfile::tempdir().expect("a folder");
    let end = folder_for_output.path().join("end.c");
    std::fs::write(
        &end,
        "#include <stdlib.h>\nvoid reach_error(void) { exit(10); }\n",
    )
    .expect("a file");
    for path in programs() {
        let binary = folder_for_output.path().join("program");
        let output = Command::new("cc")
            .args(["-std=gnu11", "-fwrapv", "-w", "-o"])
            .args([&binary, &path, &end])
            .args(["-lm", "-latomic"])
            .output()
            .expect("a compiler");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {text}", path.display());
        let status = Command::new(&binary).status().expect("the program");
        assert_eq!(status.code(), Some(10), "{}", path.display());
    }
}
