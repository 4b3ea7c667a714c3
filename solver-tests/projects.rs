//! Programs of several files, a folder each (`projects/`): comments say what comes of them. `// complete` stands for no violation in any
//! execution, `// violated` behind the line of an assertion that fails, and `// error: …` behind a line that has this error.

use crate::beside;
use selvedge::{
    Budget, Checks, Dialect, Flags, Options, Request, Session, Stage, Standard, Verdict,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// File and line, and the text of an error.
type Lines = BTreeSet<(String, usize, String)>;

/// The folders.
fn folders() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(beside::path("projects")).expect("it is part of the project");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let mut folders: Vec<PathBuf> = paths.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// C files of a folder, and lines with a comment, which goes on with what is told.
fn files(folder: &Path) -> Vec<PathBuf> {
    let name = folder.file_name().unwrap_or_default().display().to_string();
    beside::files(&format!("projects/{name}"), "c")
}

fn marked(files: &[PathBuf], mark: &str) -> Lines {
    let mut marked = Lines::new();
    for file in files {
        for (line, number) in beside::text(file).lines().zip(1..) {
            if let Some((_, rest)) = line.split_once(mark) {
                let file = file.display().to_string();
                marked.insert((file, number, rest.trim().to_string()));
            }
        }
    }
    marked
}

fn options() -> Options {
    Options {
        checks: Checks::ASSERT,
        ..Options::default()
    }
}

/// What is wrong with a program, by the errors that its message shows.
fn errors(message: &str) -> Lines {
    let error = |line: &str| {
        let (place, text) = line.split_once(": error: ")?;
        let mut parts = place.splitn(3, ':');
        let file = parts.next()?.to_string();
        let line = parts.next()?.parse().ok()?;
        Some((file, line, text.to_string()))
    };
    message.lines().filter_map(error).collect()
}

/// What comes of a program, if it is not what its comments say.
fn wrong(folder: &Path, files: &[PathBuf]) -> Option<String> {
    let told = |what: String| Some(format!("{}: {what}", folder.display()));
    let expected = marked(files, "// error:");
    let session = match Session::load_all(files, &options()) {
        Ok(session) if expected.is_empty() => session,
        Ok(_) => return told("it is read".into()),
        Err(error) => {
            let found = errors(&error.to_string());
            let fits = found.len() == expected.len()
                && found.iter().zip(&expected).all(|(found, expected)| {
                    (&found.0, found.1) == (&expected.0, expected.1)
                        && found.2.contains(&expected.2)
                });
            return if fits { None } else { told(error.to_string()) };
        }
    };
    let request = Request::assertions();
    let answer = session.verify(&request, &Budget::unlimited(), &mut |_| ());
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return told(error.to_string()),
    };
    let violated = marked(files, "// violated");
    if violated.is_empty() {
        let is_complete = answer.outcome.verdict.is_complete();
        let is_marked = !marked(files, "// complete").is_empty();
        return (!is_complete || !is_marked)
            .then(|| format!("{}: {:?}", folder.display(), answer.outcome.verdict));
    }
    let json = selvedge::json::render(&answer.outcome, session.places());
    let report: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let place = &report["findings"][0]["place"];
    let found = (place["file"].as_str(), place["line"].as_u64());
    let fits = violated
        .iter()
        .any(|(file, line, _)| found == (Some(file.as_str()), Some(*line as u64)));
    let is_failed = matches!(answer.outcome.verdict, Verdict::Failed);
    if fits && is_failed { None } else { told(json) }
}

#[test]
fn projects_are_what_their_comments_say() {
    let mut wrong_ones = Vec::new();
    let folders = folders();
    for folder in &folders {
        let mut files = files(folder);
        wrong_ones.extend(wrong(folder, &files));
        files.reverse();
        wrong_ones.extend(wrong(folder, &files));
    }
    assert!(folders.len() > 15);
    assert_eq!(wrong_ones, [""; 0]);
}

/// Flags of a compiler mean what they say, for the file that has them.
#[test]
fn flags_mean_what_they_say() {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("it is writable");
        path
    };
    file("forced.h", "#define FORCED 1");
    let asks = file(
        "asks.c",
        "enum small { ONE }; char c = -1; int value(void);
         int main(void) {
           __VERIFIER_assert(EXPECTED);
           return 0;
         }",
    );
    let other = file("other.c", "char d = -1; int value(void) { return d; }");
    let dialect = |unsigned_char, short_enums| Dialect {
        unsigned_char,
        short_enums,
    };
    let unsigned = Flags {
        dialect: dialect(true, false),
        ..Flags::default()
    };
    let small = Flags {
        dialect: dialect(false, true),
        ..Flags::default()
    };
    let forced = Flags {
        forced: vec![folder.path().join("forced.h")],
        ..Flags::default()
    };
    let old = Flags {
        standard: Standard {
            version: Some("199901L"),
            strict: true,
        },
        ..Flags::default()
    };
    let none = Flags::default();
    for (expected, own, of_other) in [
        (
            "c < 0 && value() == -1 && sizeof(enum small) == 4",
            &none,
            &none,
        ),
        (
            "c == 255 && value() == -1 && '\\xff' == 255 && \"\\xff\"[0] == 255",
            &unsigned,
            &none,
        ),
        ("c < 0 && value() == 255", &none, &unsigned),
        ("sizeof(enum small) == 1", &small, &none),
        ("FORCED == 1", &forced, &none),
        (
            "__STDC_VERSION__ == 199901L && __STRICT_ANSI__",
            &old,
            &none,
        ),
    ] {
        let mut own = own.clone();
        own.defines.push(format!("EXPECTED=({expected})"));
        let options = Options {
            flags_of: [(asks.clone(), own), (other.clone(), of_other.clone())].into(),
            undeclared: selvedge::Undeclared::Nondet,
            ..options()
        };
        let session = Session::load_all(&[&asks, &other], &options);
        let session = session.unwrap_or_else(|error| panic!("{expected}: {error}"));
        let answer = session.verify(&Request::assertions(), &Budget::unlimited(), &mut |_| ());
        let verdict = answer.expect("it is answered").outcome.verdict;
        assert!(verdict.is_complete(), "{expected}: {verdict:?}");
    }
}

/// The order in which files are named changes nothing.
#[test]
fn formulas_do_not_depend_on_the_order_of_files() {
    for folder in folders() {
        let mut files = files(&folder);
        let formula = |files: &[PathBuf]| {
            let session = Session::load_all(files, &options()).ok()?;
            let request = Request::assertions();
            session
                .show(Stage::Cnf, &request, &Budget::unlimited())
                .ok()
        };
        let one = formula(&files);
        files.reverse();
        assert_eq!(one, formula(&files), "{}", folder.display());
    }
}
