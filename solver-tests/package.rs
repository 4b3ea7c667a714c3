//! What is handed out: the crate, its version, and the package for Debian.

use crate::beside::{path, text};
use crate::tier;
use std::path::Path;
use std::process::{Command, Output};

/// Most bytes of the crate.
const MOST: u64 = 2_000_000;

/// `cargo package` with arguments, in a target folder of its own; `None`, with a printed reason, where the list of crates is not at hand.
fn cargo_package(arguments: &[&str], target: &Path) -> Option<Output> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let mut command = Command::new(cargo);
    command
        .args(["package", "--allow-dirty", "--offline", "--locked"])
        .args(arguments)
        .current_dir(path(".."))
        .env("CARGO_TARGET_DIR", target);
    let output = command.output().expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    if errors.contains("--offline") {
        tier::skipped("the crate", "cargo package needs the network");
        return None;
    }
    assert!(output.status.success(), "{errors}");
    Some(output)
}

/// The crate has the program and what its users read: no task of a corpus, no test, no script.
#[test]
fn the_crate_has_what_it_needs() {
    let target = tempfile::tempdir().expect("a folder");
    let Some(listed) = cargo_package(&["--list"], target.path()) else {
        return;
    };
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let folders = ["src/", "manual/src/", "manual/programs/"];
    let made_by_cargo = [".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml.orig"];
    let own = [
        "CHANGELOG.md",
        "CITATION.cff",
        "Cargo.toml",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
        "askama.toml",
        "manual/book.toml",
    ];
    for file in listed.lines() {
        let is_program = file
            .strip_prefix("benchmarks/")
            .is_some_and(|name| name.ends_with(".c") && !name.contains('/'));
        let is_expected = is_program
            || folders.iter().any(|folder| file.starts_with(folder))
            || made_by_cargo.contains(&file)
            || own.contains(&file);
        assert!(is_expected, "{file} is in the crate");
    }
    for file in own {
        assert!(
            listed.lines().any(|line| line == file),
            "{file} is not in the crate"
        );
    }
    if cargo_package(&["--no-verify"], target.path()).is_some() {
        let entries = std::fs::read_dir(target.path().join("package")).expect("a folder");
        let crates = entries.map(|entry| entry.expect("a readable folder").path());
        let crates: Vec<_> = crates
            .filter(|path| path.extension().is_some_and(|kind| kind == "crate"))
            .collect();
        let [one] = crates.as_slice() else {
            panic!("{crates:?}")
        };
        let bytes = std::fs::metadata(one).expect("a file").len();
        assert!(bytes <= MOST, "the crate has {bytes} bytes");
    }
}

/// The version is the same wherever it is named, and the newest that the changelog tells of.
#[test]
fn versions_agree() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, line) in [
        ("../CITATION.cff", format!("version: {version}")),
        (
            "../scripts/benchexec/selvedge.yml",
            format!("  - version: \"{version}\""),
        ),
    ] {
        let text = text(&path(file));
        assert!(text.lines().any(|found| found == line), "{file}: {line}");
    }
    let changes = text(&path("../CHANGELOG.md"));
    let mut headings = changes.lines().filter_map(|line| line.strip_prefix("## "));
    let newest = headings.find(|heading| *heading != "Unreleased");
    let newest = newest.expect("a version");
    assert!(
        newest.starts_with(&format!("[{version}] - ")),
        "the changelog's newest version is {newest}"
    );
}

/// The package for Debian has the program, its pages and completions, and the notices of what is linked into it.
#[test]
fn the_debian_package_is_whole() {
    let runs = |program: &str| {
        let output = Command::new(program).arg("--version").output();
        output.is_ok_and(|output| output.status.success())
    };
    if !runs("dpkg-deb") || !runs("python3") {
        tier::skipped(
            "the package for Debian",
            "dpkg-deb or python3 is not installed",
        );
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let made = Command::new(path("../scripts/package/deb"))
        .args([Path::new(env!("CARGO_BIN_EXE_selvedge")), folder.path()])
        .env("DPKG_DEB_COMPRESSOR_TYPE", "none")
        .output()
        .expect("the script runs");
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    let entries = std::fs::read_dir(folder.path()).expect("a folder");
    let files: Vec<_> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    let [package] = files.as_slice() else {
        panic!("{files:?}")
    };
    let asked = |what: &str| {
        let output = Command::new("dpkg-deb").args([what]).arg(package).output();
        String::from_utf8_lossy(&output.expect("dpkg-deb runs").stdout).into_owned()
    };
    let fields = asked("--field");
    let version = format!("Version: {}\n", env!("CARGO_PKG_VERSION"));
    assert!(fields.contains(&version), "{fields}");
    assert!(!fields.contains("Depends:"), "{fields}");
    let contents = asked("--contents");
    for file in [
        "-rwxr-xr-x root/root",
        " ./usr/bin/selvedge\n",
        " ./usr/share/man/man1/selvedge.1.gz\n",
        " ./usr/share/man/man1/selvedge-sweep.1.gz\n",
        " ./usr/share/bash-completion/completions/selvedge\n",
        " ./usr/share/zsh/vendor-completions/_selvedge\n",
        " ./usr/share/fish/vendor_completions.d/selvedge.fish\n",
        " ./usr/share/doc/selvedge/README.md\n",
        " ./usr/share/doc/selvedge/THIRD-PARTY.gz\n",
        " ./usr/share/doc/selvedge/benchmarks/three_bugs.c\n",
        " ./usr/share/doc/selvedge/copyright\n",
    ] {
        assert!(contents.contains(file), "{file}:\n{contents}");
    }
}
