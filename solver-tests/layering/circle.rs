//! Within a stage, too, data flows one way: in every folder, its files and subfolders, and the items of its `mod.rs`,
//! use each other without circles. A `mod.rs` that only hands on what its files define is no user of them.
//!
//! Methods are not seen, only names: where the state of a folder is one type, its files may each add methods to it.

use super::module::{Module, edges, modules};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

#[test]
fn files_of_a_stage_use_each_other_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut stages: Vec<_> = fs::read_dir(&root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    stages.sort();
    let found = stages.iter().flat_map(|stage| circles(&modules(stage)));
    let wrong: Vec<String> = found
        .map(|(folder, units, uses)| {
            format!("{folder}: {}\n  {}", units.join(", "), uses.join("\n  "))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Circles of each folder: its name, what is in the circle, and who uses what there.
fn circles(modules: &[Module]) -> Vec<(String, Vec<String>, Vec<String>)> {
    let edges = edges(modules);
    let mut found = Vec::new();
    for folder in modules {
        let depth = folder.path.len();
        // The file or subfolder that a module is in; `mod` for what is in the folder's own file.
        let unit = |module: &Module| {
            module.path.starts_with(&folder.path).then(|| {
                module
                    .path
                    .get(depth)
                    .cloned()
                    .unwrap_or_else(|| "mod".to_string())
            })
        };
        let mut uses: BTreeMap<(String, String), String> = BTreeMap::new();
        for (from, to) in &edges {
            let (from, to) = (&modules[*from], &modules[*to]);
            if let (Some(user), Some(used)) = (unit(from), unit(to))
                && user != used
            {
                let line = format!("{} -> {}", from.path.join("/"), to.path.join("/"));
                uses.entry((user, used)).or_insert(line);
            }
        }
        for circle in connected(uses.keys().cloned().collect()) {
            let within = uses
                .iter()
                .filter(|((user, used), _)| circle.contains(user) && circle.contains(used))
                .map(|(_, line)| line.clone());
            let within = within.collect();
            found.push((folder.path.join("/"), circle, within));
        }
    }
    found
}

/// Sets of two or more that all reach each other.
fn connected(edges: Vec<(String, String)>) -> Vec<Vec<String>> {
    let reached = |start: &String| {
        let mut seen = BTreeSet::new();
        let mut pending = vec![start.clone()];
        while let Some(from) = pending.pop() {
            for (_, to) in edges.iter().filter(|(user, _)| *user == from) {
                if seen.insert(to.clone()) {
                    pending.push(to.clone());
                }
            }
        }
        seen
    };
    let names: BTreeSet<&String> = edges.iter().map(|(user, _)| user).collect();
    let reach: BTreeMap<&String, BTreeSet<String>> = names
        .into_iter()
        .map(|name| (name, reached(name)))
        .collect();
    let mut sets = BTreeSet::new();
    for (name, all) in &reach {
        if all.contains(*name) {
            let both = reach
                .iter()
                .filter(|(other, back)| all.contains(**other) && back.contains(*name));
            sets.insert(both.map(|(other, _)| (*other).clone()).collect::<Vec<_>>());
        }
    }
    sets.into_iter().collect()
}

#[test]
fn circles_are_found_through_names_that_are_handed_on() {
    let stage = |files: &[(&str, &str)]| {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("s");
        for (name, text) in files {
            let file = root.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let found = circles(&modules(&root));
        let names = found
            .into_iter()
            .map(|(folder, units, _)| (folder, units.join(" ")));
        names.collect::<Vec<_>>()
    };
    let circle = |folder: &str, units: &str| vec![(folder.to_string(), units.to_string())];
    let front = "mod a;\nmod b;\npub use a::A;\n";
    let a = "use super::b::f;\npub struct A;\n";
    // Through the re-export, and by paths in code; not by comments, texts and tests.
    let b = "use super::A;\npub fn f() {}\n";
    assert_eq!(
        stage(&[("mod.rs", front), ("a.rs", a), ("b.rs", b)]),
        circle("s", "a b")
    );
    let b = "pub fn f() { g(crate::s::a::A) }\n";
    assert_eq!(
        stage(&[("mod.rs", front), ("a.rs", a), ("b.rs", b)]),
        circle("s", "a b")
    );
    let b = "/// [`super::A`]\npub fn f() { g(\"super::A\") }\n#[cfg(test)]\nmod t { use super::super::A; }\n";
    assert_eq!(stage(&[("mod.rs", front), ("a.rs", a), ("b.rs", b)]), []);
    // A parent that defines what its children use, and uses them.
    let front = "mod a;\npub struct B;\nfn g() { a::f() }\n";
    let a = "use super::B;\npub fn f() {}\n";
    assert_eq!(
        stage(&[("mod.rs", front), ("a.rs", a)]),
        circle("s", "a mod")
    );
    // Folders count as a whole.
    let files = [
        ("mod.rs", "mod a;\nmod b;\n"),
        (
            "a.rs",
            "use super::b::{d::{self, D}, C as E};\npub struct A;\n",
        ),
        ("b/mod.rs", "mod c;\npub mod d;\npub use self::c::*;\n"),
        ("b/c.rs", "pub struct C;\nfn f(_: crate::s::a::A) {}\n"),
        ("b/d.rs", "pub struct D;\n"),
    ];
    assert_eq!(stage(&files), circle("s", "a b"));
}
