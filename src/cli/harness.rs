//! Options about where execution begins, and what runs as threads.

use super::asked::Options;
use super::option::{Command, Group, Opt};
use super::refusal::Refusal;
use crate::base::option::number;
use crate::session::{Entry, parts};

type Row = Opt<Options>;

/// The rows, which are for these commands.
pub fn rows(commands: &'static [Command]) -> Vec<Row> {
    let options = vec![
        Row::value(
            "entry",
            "FUNCTION",
            "Begin with this function in place of main: once, with any numbers as arguments, and pointers to fresh objects of their types",
            |to, text| {
                to.beginning.entry = Some(text.to_string());
                Ok(())
            },
        ),
        Row::value(
            "entry-elements",
            "N",
            "Pointers that --entry makes lead to the first of so many elements",
            |to, text| {
                to.beginning.elements = Some(number(text, 1, 1024)?.into());
                Ok(())
            },
        ),
        Row::flag(
            "entry-alias",
            "Pointers of one type that --entry makes may lead to one object",
            |to| to.beginning.aliases = true,
        ),
        Row::flag(
            "entry-null",
            "Pointers that --entry makes may be null",
            |to| to.beginning.null = true,
        ),
        Row::value(
            "threads-run",
            "STATEMENTS",
            "Run statements of C as threads, apart at |, in place of main: 'push(1); pop() | pop()'",
            |to, text| {
                parts(text)?;
                to.reading.harness.threads = Some(text.to_string());
                Ok(())
            },
        ),
        Row::value(
            "init",
            "STATEMENTS",
            "Statements that run before the threads of --threads-run",
            |to, text| {
                parts(text)?;
                to.reading.harness.before = Some(text.to_string());
                Ok(())
            },
        ),
        Row::value(
            "final",
            "STATEMENTS",
            "Statements that run when the threads of --threads-run have ended",
            |to, text| {
                parts(text)?;
                to.reading.harness.behind = Some(text.to_string());
                Ok(())
            },
        ),
        Row::path(
            "stub",
            "FILE",
            "A C file with bodies of functions that the program has none for",
            |to, path| to.beginning.stubs.push(path.to_path_buf()),
        )
        .each(),
    ];
    Row::group(Group::Input, commands, options)
}

/// Puts together what was given.
///
/// # Errors
/// Options that go with others stand without them.
pub fn settle(options: &mut Options) -> Result<(), Refusal> {
    let given = &options.beginning;
    let harness = &mut options.reading.harness;
    let usage = |text: &str| Err(Refusal::Usage(text.to_string()));
    if harness.threads.is_none() && (harness.before.is_some() || harness.behind.is_some()) {
        return usage("--init and --final go with --threads-run");
    }
    let Some(name) = &given.entry else {
        if given.elements.is_some() || given.aliases || given.null {
            return usage("--entry-elements, --entry-alias and --entry-null go with --entry");
        }
        return Ok(());
    };
    if harness.threads.is_some() {
        return usage("--entry and --threads-run are two beginnings");
    }
    harness.entry = Some(Entry {
        elements: given.elements.unwrap_or(1),
        aliases: given.aliases,
        null: given.null,
        ..Entry::new(name)
    });
    Ok(())
}
