//! The program as a user runs it: output, files, exit codes, limits.

use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Two threads count without a lock.
pub const LOST: &str = "#include <assert.h>
#include <pthread.h>
int hits;
void *visit(void *arg) { hits++; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, visit, 0);
    pthread_create(&b, 0, visit, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(hits == 2);
}
";

/// Without violation, but with a loop that no bound covers.
pub const ENDLESS: &str = "#include <assert.h>
#include <pthread.h>
int x;
void *count(void *arg) { for (;;) x++; return 0; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, count, 0);
    assert(x >= 0);
}
";

/// A folder with these C files.
pub struct Folder(TempDir);

impl Folder {
    pub fn new(files: &[(&str, &str)]) -> Folder {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Folder(folder)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
        command.args(arguments).current_dir(self.0.path());
        command
    }

    /// A run as it is typed, and for assertions alone where it names no checks: most tests are about these.
    pub fn run(&self, arguments: &[&str]) -> Run {
        Run::from(self.command(&asking(arguments)).output().unwrap())
    }

    /// Result of a verification, read from its JSON.
    pub fn verify(&self, arguments: &[&str]) -> Found {
        let path = self.path("found.json");
        let _ = std::fs::remove_file(&path);
        let run = self.run(&[&["--json", "found.json"], arguments].concat());
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{error}: {}\n{}", run.out, run.err));
        let json: Value = serde_json::from_str(&text).unwrap();
        let name = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let coverage = &json["coverage"];
        let undefined = list(&coverage["undefined"]);
        let bounds = list(&coverage["bounds"]);
        let bound = |bound: &Value| Bound {
            name: name(&bound["name"]),
            value: bound["value"].as_u64(),
            reached: bound["reached"] == true,
        };
        Found {
            answer: match (name(&json["verdict"]).as_str(), json["complete"] == true) {
                ("failed", _) => Answer::Violated,
                ("successful", true) => Answer::Complete,
                ("successful", false) => Answer::Bounded,
                _ => Answer::Unknown,
            },
            stopped: ["time", "memory"].contains(&name(&json["reason"]).as_str()),
            undefined: undefined.iter().map(|one| name(&one["kind"])).collect(),
            bounds: bounds.iter().map(bound).collect(),
            run,
        }
    }
}

/// Arguments that name checks: of a verification that names none, `assert`, the first violation of which ends it.
pub fn asking<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let names_checks = |word: &&str| {
        let options = ["--check", "--property", "--suppress", "--dimacs"];
        options.contains(word) || word.ends_with(".yml")
    };
    let commands = [
        "verify",
        "show",
        "check",
        "sweep",
        "job",
        "report",
        "validate",
        "trace",
        "config",
        "completions",
        "man",
        "help",
    ];
    let is_command = |word: &&&str| commands.contains(*word);
    let is_help = |word: &&str| ["--help", "-h", "--version"].contains(word);
    let is_asked = arguments.iter().any(names_checks) || arguments.iter().any(is_help);
    let before: &[&str] = match arguments.first().filter(is_command) {
        None if !is_asked => &["--check", "assert", "--first"],
        _ => &[],
    };
    [before, arguments].concat()
}

/// Kind of a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Violated,
    Complete,
    Bounded,
    Unknown,
}

/// A bound of a coverage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    pub name: String,
    pub value: Option<u64>,
    pub reached: bool,
}

/// Result of a verification.
#[derive(Debug)]
pub struct Found {
    pub answer: Answer,
    /// True if a limit of time or memory ended the run.
    pub stopped: bool,
    /// Kinds of undefined behaviour that is reached.
    pub undefined: Vec<String>,
    pub bounds: Vec<Bound>,
    pub run: Run,
}

impl Found {
    /// The bounds that are reached, with their values.
    pub fn reached(&self) -> Vec<(&str, Option<u64>)> {
        let reached = self.bounds.iter().filter(|bound| bound.reached);
        reached
            .map(|bound| (bound.name.as_str(), bound.value))
            .collect()
    }

    #[track_caller]
    pub fn is(&self, answer: Answer) -> &Found {
        assert_eq!(self.answer, answer, "{}{}", self.run.out, self.run.err);
        self
    }
}

#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Run {
    /// The last line.
    pub fn verdict(&self) -> &str {
        self.out.lines().last().unwrap_or_default()
    }

    #[track_caller]
    pub fn ends(&self, code: i32, last_line: &str) -> &Run {
        let found = (self.code, self.verdict());
        assert_eq!(found, (Some(code), last_line), "{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub fn refused(&self, code: i32, message: &str) -> &Run {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        assert!(self.err.contains(message), "{}", self.err);
        assert_eq!(self.out, "", "no verdict without an analysis");
        self
    }
}

/// `argv` leads to texts of any content, as many as `argc` says, and to nothing else.
#[test]
fn arguments_of_main_are_texts() {
    let main = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n\
        int main(int argc, char **argv) {\n";
    let found = [
        "if (argc == 2) assert(atoi(argv[1]) != 42);",
        "if (argc > 3) assert(strcmp(argv[1], argv[3]) != 0);",
        "if (argc == 2) assert(strlen(argv[1]) < 3);",
        "assert(argc < 900);",
        "argv[0][0] = 'x'; assert(argc < 2 || argv[1][0] != 'x');",
    ];
    let safe = [
        "assert(argc >= 1 && argv[argc] == 0 && argv[0] != 0);",
        "if (argc != 2) { fprintf(stderr, \"usage: %s N\\n\", argv[0]); return 1; } assert(argv[1] != argv[0]);",
        "char c = argv[0][0]; if (c) assert(argv[0][0] == c); argc++; assert(argc >= 2);",
        "char c = argc > 1 ? argv[1][0] : 'a'; argv[0][0] = 0; assert(argc == 1 || argv[1][0] == c);",
    ];
    for (bodies, answer) in [
        (&found[..], Answer::Violated),
        (&safe[..], Answer::Complete),
    ] {
        for body in bodies {
            let folder = Folder::new(&[("main.c", &format!("{main}{body} return 0; }}\n"))]);
            let found = folder.verify(&["main.c", "--timeout", "60"]);
            assert_eq!(found.answer, answer, "{body}\n{found:?}");
        }
    }
    let beyond = format!("{main}return argv[argc + 1] != 0; }}\n");
    let found = Folder::new(&[("main.c", &beyond)]).verify(&["main.c"]);
    assert!(!found.undefined.is_empty(), "{found:?}");
}

#[test]
fn a_violation_is_shown_as_a_table() {
    let folder = Folder::new(&[("lost.c", LOST)]);
    let run = folder.run(&["lost.c"]);
    run.ends(10, "VERIFICATION FAILED (assertion at lost.c:11)");
    for part in [
        "Counterexample: 3 threads",
        "| thread 2: visit",
        "- switch -",
        "VIOLATED: assertion",
        "with hits = 1",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    assert_eq!(
        folder.run(&["lost.c"]).out,
        run.out,
        "a second run says the same"
    );
    let short = folder.run(&["--no-trace", "lost.c"]);
    short.ends(10, "VERIFICATION FAILED (assertion at lost.c:11)");
    assert_eq!(short.out.lines().count(), 2, "{}", short.out);
}

#[test]
fn every_solver_and_scheme_answers() {
    let folder = Folder::new(&[("lost.c", LOST)]);
    for arguments in [
        ["--solver", "varisat"],
        ["--scheme", "order"],
        ["--scheme", "lazy"],
        ["--scheme", "timestamp"],
        ["--scheme", "step"],
        ["--seed", "7"],
    ] {
        let arguments = [&arguments[..], &["lost.c"]].concat();
        folder
            .run(&arguments)
            .ends(10, "VERIFICATION FAILED (assertion at lost.c:11)");
    }
}

#[test]
fn a_safe_program_is_proved() {
    let safe = LOST.replace("hits++;", "__sync_fetch_and_add(&hits, 1);");
    let folder = Folder::new(&[("safe.c", &safe)]);
    folder
        .run(&["--require-complete", "safe.c"])
        .ends(0, "VERIFICATION SUCCESSFUL (complete)");
}

#[test]
fn a_bound_that_cuts_is_named() {
    let folder = Folder::new(&[("endless.c", ENDLESS)]);
    let line = "VERIFICATION SUCCESSFUL (bounded: unwind 3)";
    folder.run(&["--unwind", "3", "endless.c"]).ends(0, line);
    folder
        .run(&["--unwind", "3", "--require-complete", "endless.c"])
        .ends(5, line);
}

#[test]
fn json_and_dimacs_are_written() {
    let folder = Folder::new(&[("lost.c", LOST)]);
    let run = folder.run(&["--json", "o.json", "--dimacs", "o.cnf", "-q", "lost.c"]);
    run.ends(10, "VERIFICATION FAILED (assertion at lost.c:11)");
    let json = std::fs::read_to_string(folder.path("o.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json["schema"], &json["verdict"]),
        (&1.into(), &"failed".into())
    );
    let steps = json["trace"]["steps"].as_array().unwrap();
    assert_eq!(steps.last().unwrap()["action"], "violation");
    let formula = std::fs::read_to_string(folder.path("o.cnf")).unwrap();
    let clauses = selvedge::sat::dimacs::parse(&formula).unwrap();
    assert!(clauses.len() > 10);
    let mut solver = selvedge::sat::open(selvedge::SolverKind::Varisat, 0).unwrap();
    for _ in 0..clauses.variables() {
        solver.new_var();
    }
    clauses.iter().for_each(|clause| solver.add_clause(clause));
    let budget = selvedge::base::Budget::unlimited();
    assert_eq!(
        solver.solve(&[], &budget),
        selvedge::sat::Answer::Sat,
        "the last formula was violated"
    );
}

#[test]
fn proofs_are_written_and_checked() {
    let text = include_str!("modular/peterson.c");
    let other = include_str!("modular/peterson_swapped.c");
    let folder = Folder::new(&[
        ("peterson.c", text),
        ("swapped.c", other),
        ("no.json", "{}"),
        ("old.json", r#"{"format": "selvedge proof 3", "words": []}"#),
    ]);
    let complete = "VERIFICATION SUCCESSFUL (complete)";
    let run = folder.run(&["--proof-out", "p.json", "-q", "peterson.c"]);
    run.ends(0, complete);
    folder
        .run(&["check", "p.json", "peterson.c"])
        .ends(0, complete);
    let rejected = folder.run(&["check", "p.json", "swapped.c"]);
    assert_eq!(rejected.code, Some(5), "{}", rejected.out);
    assert!(rejected.verdict().contains("the proof is rejected"));
    let old = folder.run(&["check", "old.json", "peterson.c"]);
    let why = "the proof is rejected: its format is `selvedge proof 3`, not `selvedge proof 5`";
    assert!(old.verdict().contains(why), "{}", old.out);
    // The text of a condition is what is checked, or the file is rejected.
    let told = std::fs::read_to_string(folder.path("p.json")).unwrap();
    let changed = told.replacen("&& turn\"", "&& !turn\"", 1);
    assert_ne!(told, changed);
    std::fs::write(folder.path("told.json"), changed).unwrap();
    let lie = folder.run(&["check", "told.json", "peterson.c"]);
    assert_eq!(lie.code, Some(5), "{}", lie.out);
    assert!(
        lie.verdict()
            .contains("&& !turn`, and what is checked is `t0#1 ")
    );
    folder
        .run(&["check", "no.json", "peterson.c"])
        .refused(2, "this is no proof of Selvedge");
    folder
        .run(&["check", "missing.json", "peterson.c"])
        .refused(2, "missing.json");
    folder
        .run(&["--hierarchy", "auto,nosuch", "peterson.c"])
        .refused(1, "no thread is named `nosuch`; there are main, ");
    folder
        .run(&["--proof-out", "q.json", "--scheme", "order", "peterson.c"])
        .refused(1, "--proof-out is an option of the modular scheme");
    let failed = folder.run(&["--proof-out", "q.json", "-q", "swapped.c"]);
    assert_eq!(failed.code, Some(10));
    assert!(
        failed.err.contains("q.json is not written"),
        "{}",
        failed.err
    );
    assert!(!folder.path("q.json").exists());
}

#[test]
fn files_that_cannot_be_written_are_told() {
    let folder = Folder::new(&[("lost.c", LOST)]);
    folder
        .run(&["--json", "no/folder.json", "lost.c"])
        .refused(1, "there is no folder");
    if Path::new("/dev/full").exists() {
        let run = folder.run(&["--json", "/dev/full", "lost.c"]);
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains("cannot write /dev/full"), "{}", run.err);
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let status = folder
            .command(&["lost.c"])
            .stdout(full)
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(2));
    }
}

#[test]
fn wrong_usage_and_wrong_input() {
    let folder = Folder::new(&[
        ("lost.c", LOST),
        ("broken.c", "int main(void) { int x = ; }\n"),
        ("none.c", "int x;\n"),
    ]);
    folder.run(&[]).refused(1, "Usage");
    folder
        .run(&["--rounds", "0", "lost.c"])
        .refused(1, "expected N or A..B with numbers from 1");
    folder
        .run(&["--unwind", "0", "lost.c"])
        .refused(1, "expected a number from 1");
    folder
        .run(&["--memory-model", "power", "lost.c"])
        .refused(1, "expected sc, tso or pso");
    folder
        .run(&["--mm", "tso", "--steps", "2", "lost.c"])
        .refused(1, "schemes that do: auto, order, lazy");
    folder
        .run(&["--scheme", "order", "--prune", "merge", "lost.c"])
        .refused(1, "--prune is an option of the lazy scheme");
    folder.run(&["missing.c"]).refused(2, "missing.c");
    folder.run(&["broken.c"]).refused(2, "broken.c:1:26: error");
    folder.run(&["none.c"]).refused(2, "main");
    assert_eq!(folder.run(&["--version"]).code, Some(0));
}

#[test]
fn stages_can_be_shown() {
    let folder = Folder::new(&[("lost.c", LOST)]);
    for (stage, part) in [
        ("ir", "\"visit\""),
        ("events", "create thread 1"),
        ("cnf", "p cnf "),
        ("stats", "clauses"),
    ] {
        let run = folder.run(&["show", "--stage", stage, "lost.c"]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(run.out.contains(part), "{stage}: {}", run.out);
    }
}

#[test]
fn show_says_which_stages_there_are() {
    let folder = Folder::new(&[("lost.c", LOST)]);
    for arguments in [&["show"][..], &["show", "lost.c"]] {
        folder
            .run(arguments)
            .refused(1, "loops   the loops of each function");
    }
}

/// The numbers of loops are those that `--unwindset` takes.
#[test]
fn loops_are_numbered() {
    let text = "#include <assert.h>
int __VERIFIER_nondet_int(void);
int f(int n) {
    int s = 0;
    while (n-- > 0) {
        int m = __VERIFIER_nondet_int();
        for (int i = 0; i < m; i++)
            s++;
    }
    return s;
}
int main(void) {
    for (int i = 0; i < 1; i++)
        assert(f(2) != 6);
}
";
    let folder = Folder::new(&[("loops.c", text)]);
    let run = folder.run(&["show", "--stage", "loops", "loops.c"]);
    let expected = "f.0     loops.c:5\nf.1     loops.c:7\nmain.0  loops.c:13\n";
    assert_eq!((run.code, run.out.as_str()), (Some(0), expected));
    for (bounds, code) in [("f.1:3", 10), ("f.1:2", 0), ("f.0:9,main.0:9", 0)] {
        let run = folder.run(&["--unwind", "1", "--unwindset", bounds, "loops.c"]);
        assert_eq!(run.code, Some(code), "{bounds}: {}", run.out);
    }
    folder
        .run(&["--unwindset", "f.2:3", "loops.c"])
        .refused(1, "`f` has 2 loops");
}

#[test]
fn verify_is_a_command() {
    let folder = Folder::new(&[("lost.c", LOST)]);
    let run = folder.run(&["verify", "--check", "assert", "--first", "lost.c"]);
    run.ends(10, "VERIFICATION FAILED (assertion at lost.c:11)");
    assert_eq!(run.out, folder.run(&["lost.c"]).out);
}

#[test]
fn a_file_gives_defaults() {
    let folder = Folder::new(&[
        ("endless.c", ENDLESS),
        ("lost.c", LOST),
        (
            "selvedge.toml",
            "# defaults\nunwind = 3\ncheck = [\"assert\"]\nno-trace = true\n",
        ),
    ]);
    let run = |arguments: &[&str]| Run::from(folder.command(arguments).output().unwrap());
    let bounded = |unwind: u32| format!("VERIFICATION SUCCESSFUL (bounded: unwind {unwind})");
    run(&["endless.c"]).ends(0, &bounded(3));
    run(&["verify", "--unwind", "2", "endless.c"]).ends(0, &bounded(2));
    let short = run(&["--first", "lost.c"]);
    assert_eq!(short.out.lines().count(), 2, "{}", short.out);
    let whole = run(&["--no-config", "--check", "assert", "lost.c"]);
    assert!(whole.out.contains("Counterexample"), "{}", whole.out);
    // The process that works under a limit of memory gets what was read.
    for arguments in [
        &["--memory", "4000", "endless.c"][..],
        &["verify", "--memory", "4000", "endless.c"],
    ] {
        run(arguments).ends(0, &bounded(3));
    }
    let own = ["--no-config", "--memory", "4000", "--check", "assert"];
    let own = [&own[..], &["--unwind", "1", "endless.c"]].concat();
    run(&own).ends(0, &bounded(1));
    let shown = run(&["config", "--unwind", "5", "--32"]);
    for line in [
        "unwind = 5",
        "# command line",
        "check = [\"assert\"]",
        "# selvedge.toml:3",
        "32 = true",
        "solver = \"",
        "# default",
    ] {
        assert!(shown.out.contains(line), "{line}: {}", shown.out);
    }
    let stats = run(&["show", "--stage", "source", "lost.c"]);
    assert_eq!(
        stats.code,
        Some(0),
        "what has no meaning there is left out: {}",
        stats.err
    );
    let bare = run(&["config", "--no-config"]);
    assert!(!bare.out.contains("toml"), "{}", bare.out);
}

#[test]
fn a_wrong_file_of_defaults_is_wrong_input() {
    let folder = Folder::new(&[("lost.c", LOST)]);
    let with = |text: &str, arguments: &[&str]| {
        std::fs::write(folder.path("selvedge.toml"), text).unwrap();
        Run::from(folder.command(arguments).output().unwrap())
    };
    with("\nunwnd = 3\n", &["lost.c"])
        .refused(2, "selvedge.toml:2: error: there is no option `unwnd`");
    with("unwind = \"many\"\n", &["config"])
        .refused(2, "selvedge.toml:1: error: unwind: expected a whole number");
    with("unwind = \n", &["lost.c"]).refused(2, "selvedge.toml:1: error:");
    with("scheme = \"order\"\nrounds = 2\n", &["lost.c"]).refused(
        2,
        "selvedge.toml:2: error: --rounds is an option of the lazy scheme",
    );
    with("\njson = \"no/folder.json\"\n", &["lost.c"])
        .refused(2, "selvedge.toml:2: error: cannot write no/folder.json");
    with("rounds = 2\n", &["--scheme", "order", "lost.c"])
        .refused(1, "(--rounds stands in selvedge.toml:1)");
    assert_eq!(
        with("unwnd = 3\n", &["--no-config", "-q", "lost.c"]).code,
        Some(10)
    );
}

/// A table depends on the command line alone.
#[test]
fn a_sweep_reads_no_defaults() {
    let folder = Folder::new(&[("lost.c", LOST)]);
    let arguments = ["sweep", "lost.c", "--scheme", "order", "--unwind", "1"];
    let without = folder.run(&arguments);
    assert_eq!(without.code, Some(10), "{}", without.err);
    std::fs::write(folder.path("selvedge.toml"), "define = [\"assert(c)\"]\n").unwrap();
    for more in [
        &["--journal", "a.jsonl"][..],
        &["--journal", "b.jsonl", "--no-config"],
    ] {
        let run = folder.run(&[&arguments, more].concat());
        assert_eq!(run.code, Some(10), "{}", run.err);
        let is_told = run.err.contains("a sweep does not read selvedge.toml");
        assert_eq!(is_told, more.len() == 2, "{}", run.err);
    }
}

#[test]
fn pages_are_written() {
    let folder = Folder::new(&[]);
    std::fs::create_dir(folder.path("pages")).unwrap();
    let run = folder.run(&["man", "pages"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    for name in ["selvedge", "selvedge-show", "selvedge-verify"] {
        let page = std::fs::read_to_string(folder.path("pages").join(format!("{name}.1")));
        assert!(page.unwrap().contains("unwindset"), "{name}");
    }
    folder
        .run(&["man", "nowhere"])
        .refused(1, "there is no folder nowhere");
    let script = folder.run(&["completions", "bash"]);
    assert!(
        script.out.contains("complete -F _selvedge"),
        "{}",
        script.out
    );
}

#[test]
fn a_task_names_its_program() {
    let task = "format_version: '2.0'\ninput_files: lost.c\nproperties:\n  - property_file: unreach-call.prp\n\
        options:\n  language: C\n  data_model: LP64\n";
    let folder = Folder::new(&[("lost.c", LOST), ("task.yml", task)]);
    let run = folder.run(&["task.yml"]);
    assert_eq!(run.code, Some(10), "{}", run.err);
}

/// Rising bounds over an endless loop go on until a limit says stop; what was finished by then is the verdict.
#[test]
fn limits_end_the_analysis_in_time() {
    let folder = Folder::new(&[("endless.c", ENDLESS)]);
    for limit in [["--wall", "1"], ["--timeout", "1"]] {
        let start = Instant::now();
        let run = folder.run(&[limit[0], limit[1], "--memory", "4000", "endless.c"]);
        let took = start.elapsed();
        assert!(matches!(run.code, Some(0 | 5)), "{} {}", run.out, run.err);
        let line = run.out.lines().last().unwrap_or_default();
        assert!(
            line.starts_with("VERIFICATION SUCCESSFUL (bounded")
                || line.starts_with("VERIFICATION UNKNOWN"),
            "{line}"
        );
        // Processor time may come slowly on a busy machine.
        assert!(took < Duration::from_secs(30), "{limit:?}: {took:?}");
    }
}

#[test]
fn running_out_of_memory_is_a_verdict() {
    // Unrolled a hundred thousand times, this does not fit into 64 MB.
    let folder = Folder::new(&[("endless.c", ENDLESS)]);
    let run = folder.run(&[
        "--unwind",
        "100000",
        "--memory",
        "64",
        "--wall",
        "60",
        "endless.c",
    ]);
    run.ends(5, "VERIFICATION UNKNOWN (memory)");
}

/// Threads around a ring, `rounds` times each, a statement at a time: most steps depend on each other. No sum of
/// the variables is `never`.
fn ring(threads: u32, rounds: u32, never: u32) -> String {
    let mut text =
        "#include <assert.h>\n#include <pthread.h>\nvoid __VERIFIER_atomic_begin(void);\n\
        void __VERIFIER_atomic_end(void);\n"
            .to_string();
    text += &format!("unsigned x[{threads}];\n");
    for own in 0..threads {
        let next = (own + 1) % threads;
        text += &format!(
            "void *t{own}(void *arg) {{ for (int i = 0; i < {rounds}; i++) {{ __VERIFIER_atomic_begin(); \
             x[{own}] += x[{next}]; __VERIFIER_atomic_end(); }} return 0; }}\n"
        );
    }
    text += &format!("int main(void) {{ pthread_t p[{threads}];\n");
    let all = |line: &dyn Fn(u32) -> String| (0..threads).map(line).collect::<String>();
    text += &all(&|t| format!("x[{t}] = 1;\n"));
    text += &all(&|t| format!("pthread_create(&p[{t}], 0, t{t}, 0);\n"));
    text += &all(&|t| format!("pthread_join(p[{t}], 0);\n"));
    text + &format!(
        "assert(0{} != {never}u); }}\n",
        all(&|t| format!(" + x[{t}]"))
    )
}

#[test]
fn the_scheme_that_answers_is_named() {
    let folder = Folder::new(&[("ring.c", &ring(3, 4, 3)), ("lost.c", LOST)]);
    let run = folder.run(&["ring.c"]);
    run.ends(0, "VERIFICATION SUCCESSFUL (complete)");
    assert!(run.out.contains("; scheme step with"), "{}", run.out);
    let run = folder.run(&["lost.c"]);
    assert!(run.out.contains("; scheme order with"), "{}", run.out);
}

/// As Ctrl-C does.
#[cfg(unix)]
fn interrupt(child: &Child) {
    // SAFETY: signals a process of ours that has not been waited for.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
}

#[cfg(unix)]
#[test]
fn limits_and_an_interrupt_end_a_race() {
    // Nobody decides this in time, and after a second of processor time, two try.
    let folder = Folder::new(&[("ring.c", &ring(5, 8, 1_234_567))]);
    let run = folder.run(&["--timeout", "3", "ring.c"]);
    run.ends(5, "VERIFICATION UNKNOWN (time)");
    let mut child = folder
        .command(&["--wall", "60", "ring.c"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(2500));
    interrupt(&child);
    let start = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_process() {
    let folder = Folder::new(&[("endless.c", ENDLESS)]);
    for memory in [&[][..], &["--memory", "4000"]] {
        let arguments = [memory, &["--check", "assert", "--wall", "60", "endless.c"]].concat();
        let mut command = folder.command(&arguments);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(400));
        interrupt(&child);
        let start = Instant::now();
        let status = child.wait().unwrap();
        let mut out = String::new();
        child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut out)
            .unwrap();
        assert_eq!(status.code(), Some(130), "{memory:?} {out}");
        assert!(start.elapsed() < Duration::from_secs(10), "{memory:?}");
    }
}
