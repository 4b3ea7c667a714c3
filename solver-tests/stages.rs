//! Stages, each on programs of a few instructions: the files in `stages/`. A file is a program of the typed kind as it
//! is printed, and for each stage that it is about a line `=== STAGE` with what the stage makes of it. Behind the name
//! of a stage may stand `unwind N` or a memory model.
//!
//! `SELVEDGE_BLESS=1` writes what the stages make into the files, to be read before it is committed.

mod show;

use crate::beside;
use selvedge::base::Budget;
use selvedge::event::{EventProgram, MemoryModel};
use selvedge::ir::Program;
use selvedge::ir::parse::parse;
use selvedge::scheme::mu::Variant;
use selvedge::symex::{Bounds, Unroller};
use std::path::PathBuf;

/// Beginning of the line between a program and what a stage makes of it.
const MARK: &str = "=== ";

fn files() -> Vec<PathBuf> {
    beside::files("stages", "ir")
}

#[test]
fn stages_do_what_the_files_say() {
    let files = files();
    let mut cases = 0;
    let mut wrong = String::new();
    for path in &files {
        let input = std::fs::read_to_string(path).expect("a readable file");
        let name = path.file_name().unwrap_or_default().display().to_string();
        cases += input.lines().filter(|line| line.starts_with(MARK)).count();
        let made = made(&name, &input);
        if made == input {
            continue;
        }
        match std::env::var_os("SELVEDGE_BLESS") {
            Some(_) => std::fs::write(path, made).expect("a writable file"),
            None => wrong += &format!("{name} says\n{input}\nand should say\n{made}\n"),
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(files.len() >= 50 && cases >= files.len());
}

/// The file with what stages make of its program.
fn made(name: &str, input: &str) -> String {
    let mark = format!("\n{MARK}");
    let mut parts = input.split(mark.as_str());
    let text = parts.next().unwrap_or_default();
    let program = parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut made = text.to_string();
    for part in parts {
        let head = part.lines().next().unwrap_or_default();
        let shown = stage(&program, text, head).unwrap_or_else(|why| panic!("{name}: {why}"));
        made += &format!("\n{MARK}{head}\n{}\n", shown.trim_end());
    }
    made
}

/// Output of the stage that a line names, for a program.
fn stage(program: &Program, text: &str, head: &str) -> Result<String, String> {
    let mut words = head.split(' ');
    let stage = words.next().unwrap_or_default();
    let mut bounds = Bounds::default();
    while let Some(word) = words.next() {
        match word {
            "unwind" => {
                let number = words.next().and_then(|number| number.parse().ok());
                bounds.unwind = number.ok_or("`unwind` needs a number")?;
            }
            "tso" => bounds.memory = MemoryModel::Tso,
            "pso" => bounds.memory = MemoryModel::Pso,
            other => return Err(format!("`{other}` means nothing")),
        }
    }
    let events = || -> Result<EventProgram, String> {
        let mut unroller = Unroller::new(program).map_err(|e| e.to_string())?;
        let budget = Budget::unlimited();
        unroller.unroll(&bounds, &budget).map_err(|e| e.to_string())
    };
    Ok(match stage {
        "loops" => show::loops(program),
        "literal" => show::literal(program),
        "liveness" => show::liveness(program),
        "events" => show::events(program, text, &events()?),
        "ranges" => show::ranges(events()?),
        "levels" => show::levels(events()?),
        "memory" => show::memory(events()?, Variant::FineExplicit),
        "clusters" => show::memory(events()?, Variant::Intra),
        "forward" => show::forwarded(program, text, events()?),
        "slice" => show::slice(events()?),
        "movers" => show::movers(events()?),
        "order" => show::order(events()?),
        "automaton" => show::automata(program)?,
        other => return Err(format!("there is no stage `{other}`")),
    })
}
