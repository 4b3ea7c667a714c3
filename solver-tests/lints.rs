//! Formatting and lints are part of the test command.

use crate::tier;
use std::path::Path;
use std::process::Command;

/// Profile of this test, as cargo is told it.
fn profile() -> impl Iterator<Item = &'static str> {
    (!cfg!(debug_assertions)).then_some("--release").into_iter()
}

/// Features of library and program without the feature `internals`: unused items show then, and undocumented ones.
fn alone() -> impl Iterator<Item = &'static str> {
    let solver = cfg!(feature = "cadical").then_some("--features=cadical");
    ["--no-default-features"].into_iter().chain(solver)
}

/// Runs a cargo subcommand on the project; `None`, with a printed reason, if it is not installed.
fn cargo(subcommand: &str, arguments: &[&str]) -> Option<std::process::Output> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The folder and the profile that this test was built in: build scripts and macros of dependencies are there already.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    let target = target.expect("the folder of temporary files is in that of results");
    let command = |arguments: &[&str]| {
        let mut command = Command::new(&cargo);
        command
            .arg(subcommand)
            .args(arguments)
            .current_dir(root)
            .env("RUSTDOCFLAGS", "-D warnings")
            .env("CARGO_TARGET_DIR", target);
        command.output()
    };
    let installed = command(&["--help"]).is_ok_and(|output| output.status.success());
    if !installed {
        tier::skipped(&format!("cargo {subcommand}"), "it is not installed");
        return None;
    }
    Some(command(arguments).expect("cargo runs"))
}

fn assert_clean(what: &str, output: Option<std::process::Output>) {
    if let Some(output) = output {
        let shown =
            [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(
            output.status.success(),
            "{what} found something:\n{}{}",
            shown[0],
            shown[1]
        );
    }
}

#[test]
fn formatted() {
    assert_clean("cargo fmt --check", cargo("fmt", &["--check"]));
}

#[test]
fn no_warnings() {
    let alone: Vec<&str> = ["--lib", "--bins"].into_iter().chain(alone()).collect();
    let mut whole = vec!["--all-targets"];
    if !cfg!(feature = "cadical") {
        whole.push("--no-default-features");
    }
    for mut arguments in [alone, whole] {
        arguments.extend(profile());
        arguments.extend(["--", "-D", "warnings"]);
        assert_clean("cargo clippy", cargo("clippy", &arguments));
    }
}

#[test]
fn documented() {
    let arguments: Vec<&str> = ["--no-deps"]
        .into_iter()
        .chain(profile())
        .chain(alone())
        .collect();
    assert_clean("cargo doc", cargo("doc", &arguments));
}
