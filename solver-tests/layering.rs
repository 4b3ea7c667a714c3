//! Data flows one way: a stage uses only the stages that `src/stages.rs` lists before it, and the files of a stage
//! use each other in no circle (`layering/circle.rs`).

use std::fs;
use std::path::{Path, PathBuf};

mod circle;
mod module;

/// Names at the root of the crate that are no stages: exported macros.
const MACROS: [&str; 1] = ["ids"];

#[test]
fn stages_use_only_earlier_stages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let stages = stages(&fs::read_to_string(root.join("stages.rs")).unwrap());
    assert!(stages.len() > 10, "stages.rs lists them: {stages:?}");
    let mut wrong = Vec::new();
    for (order, stage) in stages.iter().enumerate() {
        for file in files(&root.join(stage)) {
            let text = fs::read_to_string(&file).unwrap();
            let depth = depth(file.strip_prefix(&root).unwrap());
            for (line, used) in uses(&text, depth) {
                let earlier = stages[..=order].contains(&used) || MACROS.contains(&used.as_str());
                if !earlier {
                    wrong.push(format!(
                        "{}:{line}: `{stage}` uses `{used}`",
                        file.display()
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The modules that `stages.rs` declares, in order.
fn stages(lib: &str) -> Vec<String> {
    let module = |line: &str| {
        Some(
            line.strip_prefix("pub mod ")?
                .strip_suffix(';')?
                .to_string(),
        )
    };
    lib.lines().filter_map(module).collect()
}

/// All Rust files under a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// Number of modules that a file's items are in: 1 for `ir/mod.rs`, 2 for `ir/ty.rs`.
fn depth(file: &Path) -> usize {
    let names = file.components().count();
    if file.ends_with("mod.rs") {
        names - 1
    } else {
        names
    }
}

/// The stages that a file names, with the lines: what follows `crate::`, or as many `super::` as lead to the root.
/// An unindented `mod name {` (tests, at the end of a file) is one module deeper.
fn uses(text: &str, depth: usize) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut depth = depth;
    // A path or a group of paths may go over several lines.
    let mut group = 0i32;
    for (number, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or("");
        if code.starts_with("mod ") && code.trim_end().ends_with('{') {
            depth += 1;
        }
        if group > 0 {
            found.extend(
                group_names(code, &mut group)
                    .into_iter()
                    .map(|name| (number + 1, name)),
            );
            continue;
        }
        let root = "super::".repeat(depth);
        for prefix in ["crate::", &root] {
            for (at, _) in code.match_indices(prefix) {
                let rest = &code[at + prefix.len()..];
                let word_before = code[..at]
                    .ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == ':');
                if word_before {
                    continue;
                }
                if rest.starts_with('{') {
                    group = 0;
                    found.extend(
                        group_names(rest, &mut group)
                            .into_iter()
                            .map(|name| (number + 1, name)),
                    );
                } else {
                    found.push((number + 1, word(rest)));
                }
            }
        }
    }
    found
}

/// The first words of the items of a group `{a::b, c::{d, e}}`, at its outer level; `open` counts the braces that
/// are open before and after this line.
fn group_names(text: &str, open: &mut i32) -> Vec<String> {
    let mut names = Vec::new();
    let mut item_starts = *open == 1;
    for (at, c) in text.char_indices() {
        match c {
            '{' => {
                *open += 1;
                item_starts = *open == 1;
            }
            '}' => {
                *open -= 1;
                if *open == 0 {
                    break;
                }
            }
            ',' => item_starts = *open == 1,
            c if item_starts && (c.is_alphabetic() || c == '_') => {
                names.push(word(&text[at..]));
                item_starts = false;
            }
            _ => {}
        }
    }
    names
}

/// The identifier that a text starts with.
fn word(text: &str) -> String {
    text.chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

#[test]
fn the_scan_sees_every_form() {
    let names = |text: &str, depth| {
        uses(text, depth)
            .into_iter()
            .map(|(_, name)| name)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names("use crate::sat::Solver;\nlet x = crate::ir::y();", 1),
        ["sat", "ir"]
    );
    assert_eq!(names("use crate::{base::{A, B}, sat};", 1), ["base", "sat"]);
    assert_eq!(
        names(
            "use crate::{\n    base::A,\n    sat::{\n        B,\n    },\n    ir,\n};\nuse x;",
            1
        ),
        ["base", "sat", "ir"]
    );
    assert_eq!(names("use super::super::sat::X;", 2), ["sat"]);
    assert_eq!(names("use super::super::sat::X;", 3), [""; 0]);
    assert_eq!(
        names(
            "mod tests {\n    use super::*;\n    use super::super::ir;\n}",
            1
        ),
        ["ir"]
    );
    assert_eq!(
        names("// crate::sat\nuse lang_crate::x; $crate::ids!{}", 1),
        [""; 0]
    );
    assert_eq!(depth(Path::new("ir/lower/mod.rs")), 2);
}
