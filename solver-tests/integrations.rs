//! What other projects use (`integrations/`): each is run on the example project, the broken variant of which must fail. Skipped is what needs a tool
//! that is not installed.

use crate::beside::{path, text};
use crate::tier;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// The example project, copied.
struct Example {
    folder: TempDir,
}

impl Example {
    fn new() -> Example {
        let folder = tempfile::tempdir().expect("a folder");
        let entries = std::fs::read_dir(integration("example")).expect("an example");
        for entry in entries {
            let from = entry.expect("a readable folder").path();
            let to = folder.path().join(from.file_name().expect("a name"));
            if from.is_file() {
                std::fs::copy(&from, to).expect("a copy");
            }
        }
        Example { folder }
    }

    /// Runs a program in it, with `selvedge` on the path.
    fn run(&self, program: &Path, words: &[&str], variables: &[(&str, &str)]) -> Output {
        let bin = Path::new(env!("CARGO_BIN_EXE_selvedge"));
        let bin = bin.parent().expect("a folder").to_path_buf();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let dirs = std::iter::once(bin).chain(std::env::split_paths(&path));
        let mut command = Command::new(program);
        command
            .args(words)
            .current_dir(self.folder.path())
            .env("PATH", std::env::join_paths(dirs).expect("a path"))
            .envs(variables.iter().copied())
            // Of the make that may run this test.
            .env_remove("MAKEFLAGS")
            .env_remove("MAKELEVEL");
        command.output().expect("it runs")
    }

    fn text(&self, name: &str) -> String {
        text(&self.folder.path().join(name))
    }
}

fn integration(name: &str) -> PathBuf {
    path("../integrations").join(name)
}

/// Whether these programs run; says what is skipped if not.
fn installed(what: &str, programs: &[&str]) -> bool {
    let runs = |program: &&str| {
        let mut command = Command::new(program);
        command
            .arg("--version")
            .output()
            .is_ok_and(|output| output.status.success())
    };
    let missing = programs.iter().find(|program| !runs(program));
    if let Some(program) = missing {
        tier::skipped(what, &format!("there is no {program}"));
    }
    missing.is_none()
}

fn shown(output: &Output) -> String {
    [&output.stdout, &output.stderr]
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .concat()
}

#[test]
fn makefiles_verify_what_has_changed() {
    if !installed("the fragment for makefiles", &["make"]) {
        return;
    }
    let example = Example::new();
    let folder = integration("");
    let place = format!(
        "INTEGRATIONS={}",
        folder.display().to_string().trim_end_matches('/')
    );
    let make =
        |words: &[&str]| example.run(Path::new("make"), &[&[place.as_str()], words].concat(), &[]);
    let first = make(&["selvedge"]);
    assert!(first.status.success(), "{}", shown(&first));
    assert!(shown(&first).contains("VERIFICATION SUCCESSFUL"));
    let again = make(&["selvedge"]);
    assert!(
        again.status.success() && !shown(&again).contains("VERIFICATION"),
        "{}",
        shown(&again)
    );
    assert!(make(&["selvedge-clean"]).status.success());
    let broken = make(&["selvedge-mailbox", "FLAGS=-DBROKEN"]);
    assert!(!broken.status.success(), "{}", shown(&broken));
    assert!(shown(&broken).contains("VERIFICATION FAILED"));
    // What has failed is not taken for verified.
    let repaired = make(&["selvedge"]);
    assert!(
        shown(&repaired).contains("VERIFICATION SUCCESSFUL"),
        "{}",
        shown(&repaired)
    );
}

#[test]
fn ctest_runs_verification() {
    if !installed("the function for CMake", &["cmake", "ctest", "make", "cc"]) {
        return;
    }
    let example = Example::new();
    let place = format!("-DINTEGRATIONS={}", integration("").display());
    let configured = example.run(Path::new("cmake"), &["-S", ".", "-B", "build", &place], &[]);
    assert!(configured.status.success(), "{}", shown(&configured));
    let tested = example.run(Path::new("ctest"), &["--test-dir", "build", "-V"], &[]);
    let told = shown(&tested);
    assert!(tested.status.success(), "{told}");
    assert!(
        told.contains("100% tests passed, 0 tests failed out of 2"),
        "{told}"
    );
    for part in ["VERIFICATION SUCCESSFUL", "VERIFICATION FAILED"] {
        assert!(told.contains(part), "{told}");
    }
}

#[test]
fn steps_of_the_action_tell_findings() {
    if !installed("the steps of the action", &["bash", "python3"]) {
        return;
    }
    let example = Example::new();
    let named = |output: &str| {
        // The step goes to another folder, and the service gives whole paths.
        let place = example.folder.path().join(output).display().to_string();
        let variables = [("GITHUB_OUTPUT", place.as_str())];
        let run = example.run(&integration("github/key"), &[], &variables);
        assert!(run.status.success(), "{}", shown(&run));
        example.text(output)
    };
    let key = named("one");
    assert!(key.starts_with("key=") && key.len() > 25, "{key}");
    assert_eq!(key, named("other"));
    let step = |name: &str, options: &str, code: &str| {
        let variables = [
            ("SELVEDGE_FILES", "harness.c\nmailbox.c"),
            ("SELVEDGE_OPTIONS", options),
            ("SELVEDGE_SARIF", "found.sarif"),
            ("SELVEDGE_CODE", code),
            ("GITHUB_OUTPUT", "output"),
            ("GITHUB_STEP_SUMMARY", "summary"),
        ];
        example.run(&integration("github").join(name), &[], &variables)
    };
    let run = step("run", "--timeout 60 -D 'BROKEN=1' --first", "");
    assert!(run.status.success(), "{}", shown(&run));
    let told = String::from_utf8_lossy(&run.stdout).into_owned();
    let annotation = told.lines().find(|line| line.starts_with("::error "));
    let annotation = annotation.unwrap_or_else(|| panic!("{}", shown(&run)));
    assert!(
        annotation
            .starts_with("::error file=harness.c,line=9,title=selvedge%3A assert.assertion::"),
        "{annotation}"
    );
    let output = example.text("output");
    assert!(
        output.contains("verdict=VERIFICATION FAILED (assertion at harness.c:9"),
        "{output}"
    );
    assert!(output.ends_with("exit-code=10\n"), "{output}");
    assert!(example.text("summary").contains("VERIFICATION FAILED"));
    for (code, fails) in [("0", false), ("5", false), ("10", true), ("2", true)] {
        assert_eq!(step("judge", "", code).status.success(), !fails, "{code}");
    }
    // An option that there is none of is no answer, and no success.
    let run = step("run", "--no-such-option", "");
    assert!(run.status.success());
    assert!(
        example.text("output").ends_with("verdict=\nexit-code=1\n"),
        "{}",
        example.text("output")
    );
}

#[test]
fn the_hook_verifies_files_with_a_main() {
    if !installed("the hook for pre-commit", &["bash"]) {
        return;
    }
    let example = Example::new();
    let one = "#include \"mailbox.c\"\n#include \"harness.c\"\n";
    std::fs::write(
        example.folder.path().join("letters.c"),
        format!("// int main(void)\n{one}"),
    )
    .expect("a file");
    let hook = |words: &[&str]| example.run(&integration("pre-commit/each"), words, &[]);
    let right = hook(&["--timeout=60", "letters.c", "mailbox.c", "mailbox.h"]);
    assert!(right.status.success(), "{}", shown(&right));
    assert_eq!(shown(&right).matches("VERIFICATION SUCCESSFUL").count(), 1);
    let wrong = hook(&["--timeout=60", "-DBROKEN", "letters.c"]);
    assert_eq!(wrong.status.code(), Some(1), "{}", shown(&wrong));
    // What cannot be read fails as well.
    let unread = hook(&["--no-such-option", "letters.c"]);
    assert_eq!(unread.status.code(), Some(1), "{}", shown(&unread));
}

/// The files that others look for name what is there.
#[test]
fn hooks_and_the_action_name_what_is_there() {
    let hooks = text(&path("../.pre-commit-hooks.yaml"));
    let scripts = hooks
        .lines()
        .filter_map(|line| line.trim().strip_prefix("entry: "));
    let scripts: Vec<&str> = scripts.collect();
    assert_eq!(scripts.len(), 2);
    for script in scripts.iter().filter(|script| script.contains('/')) {
        assert!(path("..").join(script).is_file(), "{script}");
    }
    let action = text(&integration("github/action.yml"));
    let steps = action
        .lines()
        .filter_map(|line| line.split_once("$GITHUB_ACTION_PATH/"));
    let steps: Vec<&str> = steps
        .filter_map(|(_, rest)| rest.split('"').next())
        .collect();
    assert_eq!(steps, ["key", "build", "run", "judge"]);
    for name in steps {
        assert!(integration("github").join(name).is_file(), "{name}");
    }
}
