//! Wrong programs, and programs that are doubtful or right (`messages/`): what is said of each, and where.
//!
//! A file has a line that says what its programs have in common, then the programs, each behind a line `---- NAME`: what is
//! said of it, as comments (`// LINE:COLUMN: error: TEXT`, without place if the message has none, with the name of a bundled header
//! in place of numbers), and its text, whose lines count from 1.

use crate::beside;
use crate::command::Folder;
use selvedge::{Checks, Options, Session, Warnings};

/// A program and what is said of it.
struct Case<'t> {
    name: &'t str,
    expected: Vec<String>,
    text: String,
}

fn cases(file: &str) -> Vec<Case<'_>> {
    let cases = file.split("---- ").skip(1).map(|case| {
        let (name, rest) = case.split_once('\n').expect("a name and a program");
        let lines: Vec<&str> = rest.lines().collect();
        let is_comment = |line: &&&str| line.starts_with("// ");
        let said = lines.iter().take_while(is_comment).count();
        Case {
            name,
            expected: lines[..said]
                .iter()
                .map(|line| line[3..].to_string())
                .collect(),
            text: lines[said..].join("\n") + "\n",
        }
    });
    cases.collect()
}

/// Kinds of messages, as they are shown.
const KINDS: [&str; 3] = [": error: ", ": warning: ", ": note: "];

/// Messages among lines that are shown, without the file's name.
fn messages(shown: &str) -> Vec<String> {
    let message = |line: &str| {
        let kind = KINDS.iter().find(|kind| line.contains(**kind))?;
        let (place, text) = line.split_once(kind)?;
        let place = match place.strip_prefix("t.c") {
            Some(numbers) => numbers.trim_start_matches(':').to_string(),
            None => place.split(':').next().unwrap_or("").to_string(),
        };
        let kind = kind.trim_start_matches(": ");
        let separator = if place.is_empty() { "" } else { ": " };
        Some(format!("{place}{separator}{kind}{text}"))
    };
    shown.lines().filter_map(message).collect()
}

/// What is said of a program with these options.
fn said(text: &str, options: &Options) -> Vec<String> {
    match Session::parse("t.c", text, options) {
        Ok(session) => messages(&session.warnings().concat()),
        Err(error) => messages(&error.to_string()),
    }
}

fn options() -> Options {
    Options {
        checks: Checks::ASSERT,
        ..Options::default()
    }
}

#[test]
fn each_program_is_told_what_is_wrong() {
    let mut wrong = String::new();
    let mut programs = 0;
    for file in beside::files("messages", "txt") {
        let text = beside::text(&file);
        for case in cases(&text) {
            programs += 1;
            let found = said(&case.text, &options());
            if found != case.expected {
                let (name, expected) = (case.name, case.expected.join("\n  "));
                let found = found.join("\n  ");
                wrong += &format!("{name}: expected\n  {expected}\nfound\n  {found}\n");
            }
        }
    }
    assert!(programs > 200, "{programs}");
    assert!(wrong.is_empty(), "{wrong}");
}

/// Warnings are chosen by name, and none of a program with warnings is told where none is chosen.
#[test]
fn each_warning_is_chosen_by_its_name() {
    let file = beside::path("messages/warnings.txt");
    let text = beside::text(&file);
    let mut names = Vec::new();
    for case in cases(&text) {
        let with = |warnings| Options {
            warnings,
            ..options()
        };
        assert!(
            said(&case.text, &with(Warnings::NONE)).is_empty(),
            "{}",
            case.name
        );
        for line in said(&case.text, &with(Warnings::ALL)) {
            let (_, name) = line.rsplit_once(" [").expect("a name");
            let name = name.trim_end_matches(']').to_string();
            let alone = Warnings::NONE.with(&name).expect("a name of a warning");
            assert!(said(&case.text, &with(alone)).contains(&line), "{line}");
            let without = Warnings::ALL.with(&format!("no-{name}")).expect("a name");
            assert!(!said(&case.text, &with(without)).contains(&line), "{line}");
            names.push(name);
        }
    }
    names.sort();
    names.dedup();
    let mut all = selvedge::WarningKind::ALL
        .map(|kind| kind.name().to_string())
        .to_vec();
    // That one is about a file of suppressed findings.
    all.retain(|name| name != "unused-suppression");
    all.sort();
    assert_eq!(names, all);
}

/// Warnings that are errors.
#[test]
fn denied_warnings_are_errors() {
    let deny = Options {
        deny_warnings: true,
        ..options()
    };
    let text = "#define N 1\n#define N 2\nint main(void) { int *p = N; return p != 0; }\n";
    let expected = [
        "2:9: error: `N` is redefined with another body [macro-redefined]",
        "3:27: error: this value has the type `int`, where `int *` is expected; an integer is no address without a cast \
         [int-conversion]",
    ];
    assert_eq!(said(text, &deny), expected);
    let none = Options {
        warnings: Warnings::NONE,
        ..deny.clone()
    };
    assert!(Session::parse("t.c", text, &none).is_ok());
    let right = "int main(void) { return 0; }\n";
    assert!(Session::parse("t.c", right, &deny).is_ok());
}

/// What the command line makes of warnings: standard error, exit codes, JSON, and a file of defaults.
#[test]
fn warnings_leave_the_verdict_alone() {
    let text = "int main(void) { int *p = 4; return p == 0; }\n";
    let folder = Folder::new(&[("doubt.c", text)]);
    let successful = "VERIFICATION SUCCESSFUL (complete)";
    let run = folder.run(&["doubt.c"]);
    run.ends(0, successful);
    let told = "doubt.c:1:27: warning: this value has the type `int`";
    assert_eq!(run.err.matches(told).count(), 1, "{}", run.err);
    assert!(run.err.contains("[int-conversion]\n"), "{}", run.err);
    for arguments in [
        &["--warn", "no-int-conversion", "doubt.c"][..],
        &["--warn", "all,none", "doubt.c"],
        &["--quiet", "doubt.c"],
    ] {
        let run = folder.run(arguments);
        run.ends(0, successful);
        assert!(!run.err.contains("warning"), "{}", run.err);
    }
    let denied = ["--deny-warnings", "--warn", "default", "doubt.c"];
    let denied = folder.run(&denied);
    assert_eq!(denied.code, Some(2), "{}", denied.err);
    assert!(
        denied.err.contains("1 warning, which is an error"),
        "{}",
        denied.err
    );
    assert!(denied.out.is_empty(), "{}", denied.out);
    folder
        .run(&["--warn", "nothing", "doubt.c"])
        .refused(1, "selvedge help warnings");
    let shown = folder.run(&["show", "--stage", "loops", "doubt.c"]);
    assert!(shown.err.contains(told), "{}", shown.err);
    folder
        .run(&["--json", "doubt.json", "doubt.c"])
        .ends(0, successful);
    let json = beside::text(&folder.path("doubt.json"));
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let warning = &json["coverage"]["warnings"][0];
    assert_eq!(warning["name"], "int-conversion");
    assert_eq!(warning["place"]["line"], 1);
    let defaults = "warn = [\"no-int-conversion\"]\ndeny-warnings = true\n";
    let folder = Folder::new(&[("doubt.c", text), ("selvedge.toml", defaults)]);
    let run = folder.command(&["doubt.c"]).output().expect("it runs");
    assert_eq!(
        run.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let again = ["--warn", "int-conversion", "doubt.c"];
    let run = folder.command(&again).output().expect("it runs");
    assert_eq!(
        run.status.code(),
        Some(2),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
}
