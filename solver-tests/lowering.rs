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

/// Programs of C23: true if the first line of a file says that it is one.
fn is_new(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).expect("a file");
    text.starts_with("// C23")
}

/// Compilers that know C23: true if the system's is one.
fn compiles_newest(folder: &Path) -> bool {
    let probe = folder.join("probe.c");
    let text = "constexpr int x = 0;\nbool f(int *p) { return p == nullptr; }\n";
    std::fs::write(&probe, text).expect("a file");
    let output = Command::new("cc")
        .args(["-std=gnu2x", "-w", "-c", "-o"])
        .args([&folder.join("probe.o"), &probe])
        .output();
    output.is_ok_and(|output| output.status.success())
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
    let folder = folder_for_output.path();
    let newest = compiles_newest(folder);
    if !newest {
        crate::tier::skipped("C23 as it is compiled", "the C compiler knows C17");
    }
    for path in programs() {
        let is_new = is_new(&path);
        if is_new && !newest {
            continue;
        }
        let standard = if is_new { "-std=gnu2x" } else { "-std=gnu11" };
        let binary = folder_for_output.path().join("program");
        let output = Command::new("cc")
            .args([standard, "-fwrapv", "-w", "-o"])
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
