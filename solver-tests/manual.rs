//! The README and the manual: each command in them is run and prints what is shown, each link leads somewhere, and what is generated is
//! as the program writes it (`SELVEDGE_BLESS=1` writes it into the manual).

mod blocks;
mod link;
mod shown;

use crate::beside::{path, text};
use blocks::{Block, blocks};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Names of what is in a folder, sorted.
fn names_in(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).expect("a folder of the project");
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        let name = entry.expect("a readable folder").file_name();
        name.display().to_string()
    };
    entries.map(name).collect()
}

/// Name and text of the README, of the documents beside it, and of the chapters of the manual, by their places in the project.
fn documents() -> Vec<(String, String)> {
    let root = path("..");
    let chapters = names_in(&root.join("manual/src")).into_iter();
    let names: Vec<String> = chapters
        .filter(|name| name.ends_with(".md"))
        .map(|name| format!("manual/src/{name}"))
        .collect();
    assert!(names.len() > 10);
    let beside = [
        "README.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "ARCHITECTURE.md",
        "benchmarks/README.md",
        "solver-tests/README.md",
    ];
    let beside = beside.map(String::from).into_iter();
    let all = beside.filter(|name| root.join(name).exists()).chain(names);
    all.map(|name| (text(&root.join(&name)), name))
        .map(|(text, name)| (name, text))
        .collect()
}

/// A folder with what commands of the documents name: programs, and the program itself on the path.
fn workplace() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let root = path("..");
    let kept = [
        "benchmarks",
        "benchmarks/modular",
        "manual/programs",
        "solver-tests/traces",
        "solver-tests/modular",
    ];
    for from in kept {
        let to = folder.path().join(from);
        std::fs::create_dir_all(&to).expect("a folder");
        for entry in std::fs::read_dir(root.join(from)).expect(from) {
            let entry = entry.expect("a readable folder").path();
            if entry.is_file() {
                std::fs::copy(&entry, to.join(entry.file_name().expect("a name"))).expect("a copy");
            }
        }
    }
    folder
}

/// Words with which lines of shell begin that are not the program's, and who runs them.
const OTHERS: [(&str, &str); 9] = [
    ("cargo test", "the tests are what it starts"),
    ("cargo build", "it has built the program that is tested"),
    ("cargo install", "the same, into another folder"),
    ("cargo run", "other tests run the program and the example"),
    ("cargo doc", "`lints.rs` builds it"),
    ("git clone", "it needs the network"),
    ("cd ", "nothing of the program"),
    ("make -C", "`reproduced.rs` runs it on programs of its own"),
    ("scripts/", "`scripts/README.md` has what scripts need"),
];

/// Runs the commands of a block; the output of all of them, and the last exit code.
fn run(block: &Block, folder: &Path) -> (String, i32) {
    let bin = Path::new(env!("CARGO_BIN_EXE_selvedge"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let bin = bin.parent().expect("a folder").to_path_buf();
    let dirs = std::iter::once(bin).chain(std::env::split_paths(&path));
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &block.text])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(dirs).expect("a path"))
        .env_remove("SELVEDGE_CORPUS");
    let output = shell.output().expect("a shell");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    (shown, output.status.code().unwrap_or(-1))
}

#[test]
fn commands_print_what_is_shown() {
    let mut wrong = String::new();
    let mut count = 0;
    for (name, text) in documents() {
        // Commands of one document may use files of those before them.
        let folder = workplace();
        let all = blocks(&text);
        for (index, block) in all
            .iter()
            .enumerate()
            .filter(|(_, block)| block.kind == "sh")
        {
            let place = format!("{name}:{}", block.line);
            let commands: Vec<&str> = block.commands().collect();
            let is_own = |command: &&str| {
                command.starts_with("selvedge ") || command.starts_with("! selvedge ")
            };
            if !commands.iter().any(is_own) {
                for command in commands {
                    let known = OTHERS.iter().any(|(start, _)| command.starts_with(start));
                    assert!(known, "{place}: nobody runs `{command}`");
                }
                continue;
            }
            count += 1;
            let (output, code) = run(block, folder.path());
            if ![0, 5, 10].contains(&code) {
                wrong += &format!("{place}: exit code {code}\n{output}\n");
            }
            let next = all.get(index + 1).filter(|next| next.kind == "text");
            if let Some(next) = next
                && let Err(why) = shown::compare(&next.text, &output)
            {
                wrong += &format!("{place}: {why}\n{output}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count >= 30, "{count} commands");
}

#[test]
fn programs_are_shown_as_they_are() {
    let mut count = 0;
    for (name, text) in documents() {
        let all = blocks(&text);
        for block in all.iter().filter(|block| block.kind == "c") {
            // The paragraph before names the file: the last word in code that ends like a C file.
            let before = text.lines().take(block.line - 1);
            let words = before.flat_map(|line| line.split('`').skip(1).step_by(2));
            let file = words
                .filter(|word| word.ends_with(".c") || word.ends_with(".h"))
                .last();
            let Some(file) = file else {
                panic!("{name}:{}: no file is named", block.line);
            };
            let file = path("..").join(file);
            let whole = std::fs::read_to_string(&file).unwrap_or_else(|error| {
                panic!("{name}:{}: {}: {error}", block.line, file.display())
            });
            count += 1;
            if let Err(why) = shown::compare(&block.text, &whole) {
                panic!("{name}:{}: {why} in {}", block.line, file.display());
            }
        }
    }
    assert!(count >= 5);
}

#[test]
fn links_lead_somewhere() {
    let documents = documents();
    let mut wrong = String::new();
    let mut count = 0;
    for (name, text) in &documents {
        for (line, target) in link::targets(text) {
            count += 1;
            if let Err(why) = link::check(&path(".."), name, &target) {
                wrong += &format!("{name}:{line}: {target}: {why}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count > 30, "{count} links");
}

/// Files of the project that documents name are there; `NAME` and `…` stand for something.
#[test]
fn files_that_are_named_are_there() {
    const FOLDERS: [&str; 6] = [
        "src/",
        "solver-tests/",
        "benchmarks/",
        "scripts/",
        "manual/",
        "integrations/",
    ];
    let mut wrong = String::new();
    let mut count = 0;
    for (name, text) in documents() {
        if !(name == "README.md" || name.starts_with("manual/src/")) {
            continue;
        }
        let words = text.split('`').skip(1).step_by(2);
        let words = words.filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder)));
        for word in words.filter_map(|word| word.split_whitespace().next()) {
            let is_pattern = word.contains("NAME") || word.contains('…');
            count += 1;
            if !is_pattern && !path("..").join(word).exists() {
                wrong += &format!("{name}: {word}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count > 30, "{count} files");
}

/// Every chapter is in the summary, once.
#[test]
fn the_summary_has_all_chapters() {
    let root = path("../manual/src");
    let summary = text(&root.join("SUMMARY.md"));
    let named: Vec<String> = link::targets(&summary)
        .into_iter()
        .map(|(_, target)| target)
        .collect();
    let once: BTreeSet<&String> = named.iter().collect();
    assert_eq!(once.len(), named.len());
    let files = documents()
        .into_iter()
        .filter_map(|(name, _)| Some(name.strip_prefix("manual/src/")?.to_string()));
    let files: BTreeSet<String> = files.filter(|name| name != "SUMMARY.md").collect();
    assert_eq!(once.into_iter().cloned().collect::<BTreeSet<_>>(), files);
}

#[test]
fn generated_chapters_are_what_the_program_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.args(["man", "--markdown"]).arg(folder.path());
    let output = command.output().expect("the program");
    assert!(output.status.success());
    let files: Vec<PathBuf> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(PathBuf::from)
        .collect();
    assert_eq!(files.len(), 2);
    for file in files {
        let kept = path("../manual/src").join(file.file_name().expect("a name"));
        if std::env::var_os("SELVEDGE_BLESS").is_some() {
            std::fs::copy(&file, &kept).expect("a copy");
        }
        assert_eq!(
            text(&file),
            text(&kept),
            "{}: SELVEDGE_BLESS=1 writes it",
            kept.display()
        );
    }
}

/// Pictures are as scripts draw them, heat maps from the table that is kept; so is what is read from that table.
#[test]
fn pictures_are_drawn_by_scripts() {
    if Command::new("python3").arg("--version").output().is_err() {
        crate::tier::skipped("the pictures of the manual", "there is no python3");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let results = tempfile::tempdir().expect("a folder");
    let mut schemes = Command::new(path("../scripts/pictures"));
    schemes.arg(folder.path());
    let mut maps = Command::new(path("../scripts/heat"));
    maps.args(["draw", "--pictures"]).arg(folder.path());
    maps.arg("--results").arg(results.path());
    for mut script in [schemes, maps] {
        let drawn = script.output().expect("a script of the project");
        let told = String::from_utf8_lossy(&drawn.stderr);
        assert!(drawn.status.success(), "{script:?}: {told}");
    }
    let kept = path("../benchmarks/results/heat.md");
    assert_eq!(text(&results.path().join("heat.md")), text(&kept));
    let kept = path("../manual/src/pictures");
    assert_eq!(names_in(folder.path()), names_in(&kept));
    for name in names_in(&kept) {
        assert_eq!(
            text(&folder.path().join(&name)),
            text(&kept.join(&name)),
            "{name}"
        );
    }
}

/// Every option of verification is told of in a chapter that people have written, and not in the list alone.
#[test]
fn chapters_tell_of_every_option() {
    let chapters = documents()
        .into_iter()
        .filter(|(name, _)| name.starts_with("manual/src/") && !name.ends_with("/options.md"));
    let chapters: String = chapters.map(|(_, text)| text).collect();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let told: BTreeSet<&str> = chapters.split(|c| !is_part(c)).collect();
    let list = text(&path("../manual/src/options.md"));
    let rows = list.lines().filter_map(|line| line.strip_prefix("- `-"));
    let mut missing = Vec::new();
    for row in rows {
        let (names, _) = row.split_once(": ").expect("a row has its help");
        let names: Vec<&str> = names
            .split(['`', ' ', ','])
            .filter(|word| word.starts_with('-') || word.len() == 1)
            .collect();
        let is_told = names.iter().any(|name| {
            let name = format!("-{}", name.trim_start_matches('-'));
            told.iter()
                .any(|word| *word == name || *word == format!("-{name}"))
        });
        if !is_told {
            missing.push(row);
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Words of the chapters that look like options are some.
#[test]
fn chapters_tell_of_no_other_option() {
    let list = text(&path("../manual/src/options.md"));
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let words = |text: &str| -> BTreeSet<String> {
        let words = text
            .split(|c: char| !is_part(c) && c != '_')
            .filter(|word| word.starts_with("--") && word.len() > 2);
        words.map(String::from).collect()
    };
    let known = words(&list);
    for (name, text) in documents()
        .into_iter()
        .filter(|(name, _)| name.starts_with("manual/src/"))
    {
        for block in text.lines() {
            let Some((_, rest)) = block.split_once("selvedge ") else {
                continue;
            };
            for word in words(rest) {
                assert!(
                    known.contains(&word),
                    "{name}: {word} is no option of the program"
                );
            }
        }
    }
}
