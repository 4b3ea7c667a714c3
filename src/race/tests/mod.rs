//! Programs in C, each of which says what is open: lines that end with `// open` have an access that may race, all others
//! have none. A line `// says OBJECT: REASON` is a reason that some pair of that object has to have, and `// refused` stands
//! somewhere in a program of which nothing is known.

use super::Races;
use super::conflict::Reason;
use super::faults::Fault;
use crate::base::faults::record::Campaign;
use crate::base::sorted::SortedSet;
use crate::ir::{DataModel, Program};
use crate::library;
use crate::source::{Options, Source, Sources};
use crate::syntax;
use std::path::PathBuf;

/// A program with its name and text.
struct Example {
    name: String,
    text: String,
    source: Sources,
    program: Program,
}

fn examples() -> Vec<Example> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/race/tests/programs");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let read = |file: PathBuf| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        let source = Source::load(&file, &Options::default()).unwrap();
        let unit = syntax::parse(&source).unwrap();
        let options = library::Options::default();
        let program = library::read(
            &[crate::ir::lower::Unit::alone(&unit)],
            DataModel::Lp64,
            &options,
        )
        .unwrap();
        Example {
            name,
            text,
            source: source.into(),
            program,
        }
    };
    files.into_iter().map(read).collect()
}

/// What is wrong with the analysis of a program.
fn wrong(example: &Example) -> Vec<String> {
    let races = Races::of(&example.program);
    let mut wrong = Vec::new();
    let is_refused = example.text.contains("// refused");
    if is_refused || races.refused.is_some() {
        if is_refused != races.refused.is_some() {
            wrong.push(format!("refused: {:?}", races.refused));
        }
        return wrong;
    }
    let line_of = |site: &super::Site| {
        let function = &example.program.functions[site.function];
        let loc = function.blocks[site.block].instrs[site.index].loc;
        example.source.position(loc).map(|position| position.line)
    };
    let lines = |of: &str| -> SortedSet<u32> {
        let lines = (1..).zip(example.text.lines());
        let marked = lines.filter(|(_, line)| line.contains(of));
        marked.map(|(number, _)| number).collect()
    };
    let found: SortedSet<u32> = races.open().keys().filter_map(line_of).collect();
    let expected = lines("// open");
    if found != expected {
        wrong.push(format!("open: {found:?}, expected {expected:?}"));
    }
    let known = &races.undisturbed;
    let undisturbed: SortedSet<u32> = known.iter().filter_map(line_of).collect();
    let disturbed = races.sites.iter().filter(|site| !known.contains(site));
    let disturbed: SortedSet<u32> = disturbed.filter_map(line_of).collect();
    let all = &undisturbed | &disturbed;
    let only: SortedSet<u32> = undisturbed.difference(&disturbed).copied().collect();
    let is_right =
        lines("// undisturbed").is_subset(&only) && lines("// disturbed").is_subset(&disturbed);
    if !is_right {
        wrong.push(format!("disturbed: {disturbed:?} of {all:?}"));
    }
    let said: SortedSet<String> = races
        .conflicts
        .iter()
        .map(|conflict| {
            let object = conflict
                .object
                .map_or("anything", |object| &races.names[object]);
            let reason = conflict.discharged.as_ref();
            format!("{object}: {}", reason.map_or("open".into(), Reason::text))
        })
        .collect();
    for line in example.text.lines() {
        if let Some(says) = line.strip_prefix("// says ")
            && !said.contains(says)
        {
            wrong.push(format!("nothing says {says}, but {said:?}"));
        }
    }
    wrong
}

#[test]
fn programs_are_open_where_they_say() {
    let examples = examples();
    assert!(examples.len() > 50);
    let mut failed = Vec::new();
    for example in &examples {
        for what in wrong(example) {
            failed.push(format!("{}: {what}", example.name));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Every deliberate error shows in some program.
#[test]
fn every_fault_is_caught() {
    let examples = examples();
    let campaign = Campaign {
        name: "races",
        faults: Fault::ALL.iter().map(|fault| (*fault, ())).collect(),
        programs: examples.iter().map(|e| e.name.clone()).collect(),
    };
    campaign.run(|_, (), number| Some(wrong(&examples[number]).is_empty()));
}

#[test]
fn printing_names_places_and_reasons() {
    let examples = examples();
    let example = examples
        .iter()
        .find(|example| example.name == "locked")
        .unwrap();
    let races = Races::of(&example.program);
    let place = |loc| crate::source::place::file_line(&example.source, loc);
    let text = super::print(&races, &example.program, &place);
    assert!(text.contains("locked.c:9: both hold m\n"), "{text}");
    assert!(
        text.contains("0 of 3 accesses are open, in 0 groups\n"),
        "{text}"
    );
}
