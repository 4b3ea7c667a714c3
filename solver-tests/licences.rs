//! Dependencies have the licences that `deny.toml` allows, and come from the registry; the Rust that they ask for is no newer than the one that we ask for.

use crate::beside::{path, text};
use crate::tier;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

/// What cargo says of the packages that are built for this machine; `None`, with a printed reason, where it cannot say it without a network.
fn packages() -> Option<Vec<Value>> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let version = Command::new("rustc").arg("-vV").output().ok()?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))?;
    let mut command = Command::new(cargo);
    command
        .args(["metadata", "--format-version", "1", "--offline", "--locked"])
        .args(["--all-features", "--filter-platform", host])
        .current_dir(path(".."));
    let output = command.output().ok()?;
    if !output.status.success() {
        tier::skipped(
            "licences of dependencies",
            "cargo metadata needs the network",
        );
        return None;
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let nodes = metadata["resolve"]["nodes"].as_array().expect("nodes");
    let used: BTreeSet<&str> = nodes
        .iter()
        .filter_map(|node| node["id"].as_str())
        .collect();
    let all = metadata["packages"].as_array().expect("packages");
    let is_used = |package: &&Value| package["id"].as_str().is_some_and(|id| used.contains(id));
    Some(all.iter().filter(is_used).cloned().collect())
}

/// Whether a licence expression is satisfied by licences that are allowed.
fn satisfied(expression: &str, allowed: &BTreeSet<String>) -> bool {
    // Old manifests write a slash for `OR`.
    let expression = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = expression.split_whitespace().collect();
    let (value, rest) = either(&words, allowed);
    assert!(rest.is_empty(), "{expression}");
    value
}

fn either<'a>(words: &'a [&'a str], allowed: &BTreeSet<String>) -> (bool, &'a [&'a str]) {
    let (mut value, mut rest) = both(words, allowed);
    while let Some((&"OR", behind)) = rest.split_first() {
        let (other, behind) = both(behind, allowed);
        (value, rest) = (value | other, behind);
    }
    (value, rest)
}

fn both<'a>(words: &'a [&'a str], allowed: &BTreeSet<String>) -> (bool, &'a [&'a str]) {
    let (mut value, mut rest) = one(words, allowed);
    while let Some((&"AND", behind)) = rest.split_first() {
        let (other, behind) = one(behind, allowed);
        (value, rest) = (value & other, behind);
    }
    (value, rest)
}

fn one<'a>(words: &'a [&'a str], allowed: &BTreeSet<String>) -> (bool, &'a [&'a str]) {
    match words.split_first() {
        Some((&"(", inner)) => {
            let (value, rest) = either(inner, allowed);
            assert_eq!(rest.first(), Some(&")"), "{words:?}");
            (value, &rest[1..])
        }
        // A licence with an exception is another one.
        Some((_, [with, _, rest @ ..])) if *with == "WITH" => (false, rest),
        Some((name, rest)) => (allowed.contains(*name), rest),
        None => panic!("a licence is missing"),
    }
}

fn allowed() -> BTreeSet<String> {
    let rules = text(&path("../deny.toml"));
    let list = rules.lines().find(|line| line.starts_with("allow = ["));
    let names = list.expect("a list").split('"').skip(1).step_by(2);
    names.map(String::from).collect()
}

#[test]
fn licences_are_permissive() {
    let allowed = allowed();
    let Some(packages) = packages() else {
        return;
    };
    assert!(packages.len() > 50);
    for package in packages {
        let name = &package["name"];
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(satisfied(licence, &allowed), "{name}: {licence}");
        let source = package["source"].as_str().unwrap_or("registry+ here");
        assert!(source.starts_with("registry+"), "{name}: {source}");
    }
}

#[test]
fn expressions_are_read() {
    let allowed = ["MIT", "Zlib"].map(String::from).into_iter().collect();
    for (expression, is_fine) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("Apache-2.0/MIT", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", false),
        ("(Apache-2.0 OR Zlib) AND MIT", true),
        ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", true),
        ("MIT WITH some-exception", false),
    ] {
        assert_eq!(satisfied(expression, &allowed), is_fine, "{expression}");
    }
}

/// The Rust that the manifest asks for is as new as that of each dependency.
#[test]
fn no_dependency_needs_a_newer_rust() {
    let Some(packages) = packages() else {
        return;
    };
    let number = |text: &str| -> Vec<u32> {
        text.split('.')
            .map(|part| part.parse().expect("a number"))
            .collect()
    };
    let of = |package: &Value| package["rust_version"].as_str().map(number);
    let own = packages
        .iter()
        .find(|package| package["name"] == "selvedge");
    let own = own.and_then(of).expect("the manifest has a rust-version");
    for package in &packages {
        let needed = of(package).unwrap_or_default();
        let name = &package["name"];
        assert!(
            needed
                .iter()
                .zip(&own)
                .find(|(a, b)| a != b)
                .is_none_or(|(a, b)| a < b),
            "{name} needs {needed:?}"
        );
    }
}
