//! Formats of answers: JSON with its schema, read back by `selvedge trace`; SARIF; JUnit XML.
//!
//! `scripts/formats check` validates files against the schemas, where there is a Python with the package `jsonschema`, and a schema of SARIF
//! in the folder `$SELVEDGE_SARIF_SCHEMA`.

mod junit;
mod kept;
mod sarif;

use crate::beside;
use crate::command::{ENDLESS, Folder, LOST, Run};
use crate::tier::skipped;
use crate::traces;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Options that write every format.
const ALL: [&str; 6] = ["--json", "o.json", "--sarif", "o.sarif", "--junit", "o.xml"];

/// Bytes of a file with an execution of ten thousand steps, which SARIF has all of.
const MOST_BYTES: u64 = 8 << 20;

/// A program that comes to what is not modelled.
const FORK: &str =
    "#include <assert.h>\n#include <unistd.h>\nint main(void) { assert(fork() != 3); }\n";

/// A run that writes every format, for what `words` ask.
fn run(folder: &Folder, words: &[&str]) -> Run {
    let run = folder.run(&[&ALL, words].concat());
    assert!(
        matches!(run.code, Some(0 | 5 | 10)),
        "{words:?}: {}",
        run.err
    );
    run
}

fn json(folder: &Folder, name: &str) -> Value {
    let text = std::fs::read_to_string(folder.path(name)).expect(name);
    serde_json::from_str(&text).expect(name)
}

/// Files of runs, which are held against schemas and rules together: most of the time, Python begins.
struct Written {
    folder: tempfile::TempDir,
    /// What was run, by the number that its files have.
    cases: Vec<String>,
}

impl Written {
    fn new() -> Written {
        Written {
            folder: tempfile::tempdir().expect("a folder for temporary files"),
            cases: Vec::new(),
        }
    }

    /// Keeps the files of a run.
    fn keep(&mut self, folder: &Folder, case: &str) {
        let number = self.cases.len();
        for end in ["json", "sarif", "xml"] {
            let kept = self.folder.path().join(format!("{number}.{end}"));
            std::fs::copy(folder.path(&format!("o.{end}")), kept).expect("a file");
        }
        self.cases.push(case.to_string());
    }

    /// All of them are what schemas and rules ask for.
    fn validate(&self) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/formats");
        let files = std::fs::read_dir(self.folder.path()).expect("a folder");
        let files = files.map(|file| file.expect("a file").path());
        let found = Command::new("python3")
            .arg(script)
            .arg("check")
            .args(files)
            .output();
        let Ok(found) = found else {
            return skipped("formats against their schemas", "there is no Python");
        };
        let told = String::from_utf8_lossy(&found.stdout);
        match found.status.code() {
            Some(0) => {}
            Some(3) => {
                let why = told.trim();
                let why = why.strip_prefix("skipped: ").unwrap_or(why);
                skipped("formats against their schemas", why);
            }
            code => panic!(
                "{code:?}\n{told}{}\n{:#?}",
                String::from_utf8_lossy(&found.stderr),
                self.cases.iter().enumerate().collect::<Vec<_>>()
            ),
        }
    }
}

/// `selvedge trace` says what verification has said.
fn is_read_back(folder: &Folder, verified: &Run, words: &[&str], case: &str) {
    let read = folder.run(&[&["trace", "o.json"], words].concat());
    // Some texts are long.
    let is_same = read.out == verified.out;
    assert!(is_same, "{case} {words:?}: {}", read.err);
    assert_eq!(
        (read.code, read.err.as_str()),
        (verified.code, ""),
        "{case} {words:?}"
    );
}

/// The result of a SARIF file's only run.
fn results(sarif: &Value) -> &[Value] {
    sarif["runs"][0]["results"].as_array().expect("a list")
}

/// The steps of a finding are in the code flow of its result, in their order, and what is said of them stands in the table.
fn tells_the_execution(json: &Value, sarif: &Value, case: &str) {
    let findings = json["findings"].as_array().expect("a list");
    let suppressed = json["suppressed"].as_array().expect("a list");
    assert_eq!(
        results(sarif).len(),
        findings.len() + suppressed.len(),
        "{case}"
    );
    for (finding, result) in findings.iter().zip(results(sarif)) {
        let print = &result["partialFingerprints"]["selvedgeFinding/v1"];
        assert_eq!(*print, finding["fingerprint"], "{case}");
        let place = &result["locations"][0]["physicalLocation"]["region"]["startLine"];
        assert_eq!(*place, finding["place"]["line"], "{case}");
        let id = result["ruleId"].as_str().expect("a text");
        let check = finding["check"].as_str().expect("a text");
        assert!(id.starts_with(&format!("{check}.")), "{case}: {id}");
        let flows = result["codeFlows"][0]["threadFlows"]
            .as_array()
            .expect("a list");
        let steps = flows.iter().flat_map(|flow| {
            let locations = flow["locations"].as_array().expect("a list");
            locations.iter().map(move |step| (step, &flow["id"]))
        });
        let mut steps: Vec<(&Value, &Value)> = steps.collect();
        steps.sort_by_key(|(step, _)| step["executionOrder"].as_u64());
        let own = finding["trace"]["steps"].as_array().expect("a list");
        assert_eq!(steps.len(), own.len(), "{case}");
        for (index, ((step, thread), own)) in steps.iter().zip(own).enumerate() {
            assert_eq!(step["executionOrder"], index + 1, "{case}");
            let title = match own["thread"].as_u64() {
                Some(0) => "main".to_string(),
                number => format!("thread {}", number.expect("a number")),
            };
            assert_eq!(**thread, title.as_str(), "{case}");
            let line = &step["location"]["physicalLocation"]["region"]["startLine"];
            assert_eq!(*line, own["place"]["line"], "{case}");
            let depth = own["calls"].as_array().map(Vec::len);
            assert_eq!(
                step["nestingLevel"].as_u64().map(|n| n as usize),
                depth,
                "{case}"
            );
        }
        let last = steps.last().expect("a step").0;
        let words = last["location"]["message"]["text"]
            .as_str()
            .expect("a text");
        assert!(words.starts_with("VIOLATED: "), "{case}: {words}");
    }
}

#[test]
fn programs_with_violations_are_told_in_every_format() {
    let folders = ["traces", "deadlocks", "lockstep"];
    let files = folders.map(|folder| beside::files(folder, "c"));
    let (mut written, mut failed) = (Written::new(), 0);
    for path in files.iter().flatten() {
        let input = std::fs::read_to_string(path).expect("a readable file");
        let folder = Folder::new(&[("a b.c", &input)]);
        let case = path.display().to_string();
        let options = traces::options_or(&input, &["--check", "all", "--timeout", "20"]);
        let words = [&options[..], &["a b.c"]].concat();
        let verified = run(&folder, &words);
        let answer = std::fs::metadata(folder.path("o.json")).expect("a file");
        if answer.len() > MOST_BYTES {
            skipped(&case, "its execution is too long to be read back");
            continue;
        }
        written.keep(&folder, &case);
        is_read_back(&folder, &verified, &[], &case);
        let (json, sarif) = (json(&folder, "o.json"), json(&folder, "o.sarif"));
        tells_the_execution(&json, &sarif, &case);
        failed += usize::from(verified.code == Some(10));
    }
    written.validate();
    assert!(failed > 20, "{failed}");
}

/// Memory models, unwindings of memory, answers without violations, and what was suppressed.
#[test]
fn answers_of_every_kind_are_read_back() {
    let safe = LOST.replace("hits++;", "__sync_fetch_and_add(&hits, 1);");
    let dekker = include_str!("traces/dekker.c");
    let floats = "#include <assert.h>\nfloat f; double d; int main(void) { f = 0.1f; d = -1.0 / 3; _Bool b = f > d; char c = 'x';\n\
                  unsigned long u = 1ul << 60; int i = -5; assert(b + c + u == (unsigned long)i); }\n";
    let folder = Folder::new(&[
        ("lost.c", LOST),
        ("safe.c", &safe),
        ("endless.c", ENDLESS),
        ("dekker.c", dekker),
        ("floats.c", floats),
        ("fork.c", FORK),
    ]);
    let print = json_of(&folder, &["lost.c"])["findings"][0]["fingerprint"].clone();
    let print = print.as_str().expect("a text");
    std::fs::write(folder.path("known.txt"), print).expect("a writable folder");
    let mut written = Written::new();
    for (words, code) in [
        (&["lost.c", "--scheme", "mu"][..], 10),
        (&["lost.c", "--scheme", "mu", "--mu", "intra"], 10),
        (&["lost.c", "--scheme", "modular"], 10),
        (
            &["lost.c", "--suppress", "known.txt", "--check", "assert"],
            0,
        ),
        (&["lost.c", "--check", "assert,race,deadlock"], 10),
        (&["dekker.c", "--memory-model", "tso"], 10),
        (&["dekker.c", "--memory-model", "pso"], 10),
        (&["floats.c"], 10),
        (&["safe.c"], 0),
        (&["endless.c", "--unwind", "2"], 0),
        (&["fork.c"], 5),
    ] {
        let case = words.join(" ");
        let verified = run(&folder, words);
        assert_eq!(
            verified.code,
            Some(code),
            "{case}: {}{}",
            verified.out,
            verified.err
        );
        written.keep(&folder, &case);
        is_read_back(&folder, &verified, &[], &case);
        tells_the_execution(&json(&folder, "o.json"), &json(&folder, "o.sarif"), &case);
    }
    written.validate();
    for words in [
        &["--trace", "full"][..],
        &["--no-trace"],
        &["--color", "always"],
        &["--color", "never"],
    ] {
        let verified = run(&folder, &[&["lost.c"], words].concat());
        is_read_back(&folder, &verified, words, "lost.c");
    }
    let strict = ["--require-complete"];
    let verified = run(
        &folder,
        &[&["endless.c", "--unwind", "2"], &strict[..]].concat(),
    );
    assert_eq!(verified.code, Some(5));
    is_read_back(&folder, &verified, &strict, "endless.c");
}

fn json_of(folder: &Folder, words: &[&str]) -> Value {
    run(folder, words);
    json(folder, "o.json")
}

/// Members of a schema's objects, and the words that it lists.
fn words_of(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Array(all) => all.iter().for_each(|one| words_of(one, found)),
        Value::Object(all) => {
            if let Some(Value::Object(members)) = all.get("properties") {
                found.extend(members.keys().cloned());
            }
            for word in ["enum", "const"] {
                let words = all.get(word).into_iter();
                let words = words.flat_map(|words| match words {
                    Value::Array(words) => words.clone(),
                    word => vec![word.clone()],
                });
                found.extend(words.filter_map(|word| word.as_str().map(str::to_string)));
            }
            all.values().for_each(|one| words_of(one, found));
        }
        _ => {}
    }
}

/// What the head of `src/report/json.rs` says of fields, and what the schema does, are the same names.
#[test]
fn the_schema_of_json_and_its_description_agree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("src/report/json.rs")).expect("a file");
    let head: String = text
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .collect();
    let schema = std::fs::read_to_string(root.join("src/report/json/schema.json")).expect("a file");
    let mut known = BTreeSet::new();
    words_of(&serde_json::from_str(&schema).expect("JSON"), &mut known);
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let said: BTreeSet<&str> = head.split(|c: char| !is_part(c)).collect();
    let missing: Vec<&String> = known
        .iter()
        .filter(|word| !said.contains(word.as_str()))
        .collect();
    // Which data models and checks there are says the command line.
    let own: BTreeSet<&str> = selvedge::Check::ALL
        .iter()
        .map(|check| check.name())
        .collect();
    let missing: Vec<_> = missing
        .into_iter()
        .filter(|word| !own.contains(word.as_str()))
        .collect();
    assert!(missing.is_empty(), "not described: {missing:?}");
    // Between backticks, names of fields stand in the first column, and in braces.
    let rows = head.split('|').skip(1).step_by(3);
    let named = rows.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let unknown: Vec<&str> = named
        .flat_map(|cell| cell.split(|c: char| !is_part(c)))
        .filter(|word| !word.is_empty() && !known.contains(*word) && *word != "field")
        .collect();
    assert!(unknown.is_empty(), "no fields: {unknown:?}");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("a file");
    assert!(readme.contains("(src/report/json/schema.json)"));
}
