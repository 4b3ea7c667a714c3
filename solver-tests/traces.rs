//! Counterexamples as they are printed: each program in `traces/` with the text beside it. The program's first line has the options.
//!
//! `SELVEDGE_BLESS=1` writes what is printed into the files, to be read before it is committed.

use crate::beside;
use crate::command::Folder;

/// Options on a program's first line, if it has some.
fn options(program: &str) -> Option<Vec<&str>> {
    let head = program.lines().next()?;
    let options = head.strip_prefix("// options:")?;
    Some(options.split_whitespace().collect())
}

/// Options of a program where others have these: its own if they name a scheme. (`safestack.c` takes minutes by others.)
pub fn options_or<'a>(program: &'a str, usual: &[&'a str]) -> Vec<&'a str> {
    let own = options(program).filter(|own| own.contains(&"--scheme"));
    own.unwrap_or_else(|| usual.to_vec())
}

#[test]
fn counterexamples_read_as_the_files_say() {
    let files = beside::files("traces", "c");
    let mut wrong = String::new();
    for path in &files {
        let input = std::fs::read_to_string(path).expect("a readable file");
        let name = path.file_name().unwrap_or_default().display().to_string();
        let words = options(&input).expect("the options");
        let folder = Folder::new(&[(&name, &input)]);
        let run = folder.run(&[&[name.as_str()], words.as_slice()].concat());
        assert!(run.err.is_empty(), "{name}: {}", run.err);
        let widest = run
            .out
            .lines()
            .take_while(|line| !line.starts_with("Violated"))
            // A rule ends one character behind the last column.
            .filter(|line| !line.contains("-+-"));
        let widest = widest.map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{name}: {}", run.out);
        let path = path.with_extension("txt");
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        if run.out == expected {
            continue;
        }
        match std::env::var_os("SELVEDGE_BLESS") {
            Some(_) => std::fs::write(path, run.out).expect("a writable file"),
            None => wrong += &format!("{name}: expected\n{expected}\nand found\n{}\n", run.out),
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(!files.is_empty());
}

/// Counterexamples of a run: each with the schedule that it ends with.
fn counterexamples(out: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut text = String::new();
    for line in out.lines() {
        if line.starts_with("Counterexample: ") {
            text.clear();
        }
        text += line;
        text.push('\n');
        if let Some(schedule) = line.strip_prefix("Schedule: ") {
            found.push((std::mem::take(&mut text), schedule.to_string()));
        }
    }
    found
}

#[test]
fn a_schedule_leads_to_its_counterexample() {
    let mut count = 0;
    let folders = ["traces", "deadlocks", "lockstep"];
    let files = folders.map(|folder| beside::files(folder, "c"));
    for path in files.iter().flatten() {
        let input = std::fs::read_to_string(path).expect("a readable file");
        let folder = Folder::new(&[("a.c", &input)]);
        let options = options_or(&input, &["--check", "default", "--timeout", "20"]);
        let run = folder.run(&[&["a.c"], &options[..]].concat());
        // Of the options, the execution depends on the checks alone.
        let checks = options.iter().skip_while(|word| **word != "--check");
        let checks: Vec<&str> = checks.take(2).copied().collect();
        for (text, schedule) in counterexamples(&run.out) {
            let words = [&["replay", "a.c", "--schedule", &schedule], &checks[..]].concat();
            let replayed = folder.run(&words);
            let case = format!("{}: {schedule}\n{}", path.display(), replayed.err);
            assert_eq!(replayed.code, Some(10), "{case}");
            // Other executions with the same deadlock add to its end.
            let text = text.split("\nViolated:").next().unwrap_or_default();
            assert!(
                replayed.out.starts_with(text),
                "{case}{text}\nand\n{}",
                replayed.out
            );
            count += 1;
        }
        let told = run.out.matches("Counterexample: ").count();
        assert_eq!(told, counterexamples(&run.out).len(), "{}", path.display());
    }
    assert!(count > 40, "{count}");
}

#[test]
fn assertions_on_one_line_are_told_apart() {
    let text = "#include <assert.h>\nint main(void) { int x = 0; assert(x == 0); assert(x == 1); }";
    let folder = Folder::new(&[("a.c", text)]);
    let out = folder.run(&["--check", "assert", "a.c"]).out;
    assert!(
        out.contains("Violated: assertion at a.c:2, column 45, in main\n"),
        "{out}"
    );
}

/// What a call returns that nobody looks at is no input, though the schedule has it.
#[test]
fn results_that_go_nowhere_are_not_shown() {
    let text = "#include <assert.h>\n#include <stdio.h>\nint main(void) {\n    printf(\"%d\", 1);\n    \
                int shown = printf(\"%d\", 22);\n    assert(shown == 1);\n}\n";
    let folder = Folder::new(&[("a.c", text)]);
    let out = folder.run(&["--check", "assert", "a.c"]).out;
    assert_eq!(out.matches("input").count(), 1, "{out}");
    assert!(!out.contains(" a.c:4"), "{out}");
}

#[test]
fn a_schedule_of_another_program_is_none() {
    let text = "int main(void) { int x = 0; __VERIFIER_assert(x == VALUE); }";
    let folder = Folder::new(&[("a.c", text)]);
    let run = folder.run(&["-DVALUE=1", "--check", "assert", "a.c"]);
    let found = counterexamples(&run.out);
    let [(_, schedule)] = &found[..] else {
        panic!("{}", run.out);
    };
    let replay = |define: &str, schedule: &str| {
        folder.run(&[
            "replay",
            define,
            "--check",
            "assert",
            "--schedule",
            schedule,
            "a.c",
        ])
    };
    assert_eq!(replay("-DVALUE=1", schedule).code, Some(10));
    // What was wrong is right now.
    let right = replay("-DVALUE=0", schedule);
    assert_eq!(right.code, Some(5), "{}", right.out);
    assert!(
        right.out.contains("main violates nothing, at a.c:1"),
        "{}",
        right.out
    );
    // A thread that there is not, a store that is none, and what is no schedule.
    for schedule in ["a1", "m~0/tso", "race:m0!a,m", "deadlock:m0!a"] {
        let other = replay("-DVALUE=1", schedule);
        assert_eq!(
            other.code,
            Some(5),
            "{schedule}: {}{}",
            other.out,
            other.err
        );
    }
    let wrong = replay("-DVALUE=1", "m1,a");
    assert_eq!(wrong.code, Some(1), "{}", wrong.out);
    assert!(wrong.err.contains("--schedule: "), "{}", wrong.err);
}
