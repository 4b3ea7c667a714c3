//! Counterexamples as they are printed: each program in `traces/` with the text beside it. The program's first line has the options.
//!
//! `SELVEDGE_BLESS=1` writes what is printed into the files, to be read before it is committed.

use crate::beside;
use crate::command::Folder;

/// Beginning of the line with the options.
const OPTIONS: &str = "// options:";

#[test]
fn counterexamples_read_as_the_files_say() {
    let files = beside::files("traces", "c");
    let mut wrong = String::new();
    for path in &files {
        let input = std::fs::read_to_string(path).expect("a readable file");
        let name = path.file_name().unwrap_or_default().display().to_string();
        let head = input.lines().next().unwrap_or_default();
        let options = head.strip_prefix(OPTIONS).expect("the options");
        let words: Vec<&str> = options.split_whitespace().collect();
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
