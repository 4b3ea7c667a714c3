//! Chapters of the manual that are lists: options from the syntax of the command line, functions from the tables of the library.

use super::refusal::Refusal;
use crate::library::{Standing, listed};
use crate::report::save::save;
use clap::{Arg, Command};
use std::path::{Path, PathBuf};

/// Writes the chapters into a folder that exists, and returns the files.
///
/// # Errors
/// There is no such folder, or the system refuses to write.
pub fn write(mut command: Command, folder: &Path) -> Result<Vec<PathBuf>, Refusal> {
    if !folder.is_dir() {
        let folder = folder.display();
        return Err(Refusal::Usage(format!("there is no folder {folder}")));
    }
    command.build();
    let chapters = [
        ("options.md", options(&command)),
        ("functions.md", functions()),
    ];
    let mut files = Vec::new();
    for (name, text) in chapters {
        let file = folder.join(name);
        save(&file, |out| out.write_all(text.as_bytes())).map_err(Refusal::Input)?;
        files.push(file);
    }
    Ok(files)
}

/// Options of all commands by headings. What a command has in common with verification is named there, and described once.
fn options(command: &Command) -> String {
    let mut text = "# Options\n\n\
         All commands with their arguments and options, as the program itself has them: this page is written by \
         `selvedge man --markdown DIR`. What options mean together is said in the chapters on \
         [harnesses](harnesses.md), [checks](checks.md), [bounds](bounds.md), [schemes](schemes.md), \
         [memory models](memory-models.md) and [output](output.md).\n"
        .to_string();
    text += "\n## selvedge, selvedge verify\n";
    text += &format!("\n{}.\n", about(command));
    let own: Vec<&Arg> = command.get_arguments().collect();
    text += &by_headings(&own);
    for sub in command.get_subcommands() {
        if sub.get_name() == "verify" {
            continue;
        }
        text += &format!("\n## selvedge {}\n\n{}.\n", sub.get_name(), about(sub));
        let known = |argument: &Arg| own.iter().any(|other| is_same(argument, other));
        let (same, different): (Vec<&Arg>, Vec<&Arg>) =
            sub.get_arguments().partition(|one| known(one));
        text += &by_headings(&different);
        if !same.is_empty() {
            let names: Vec<String> = same.into_iter().map(name).collect();
            text += &format!("\nAs for verification: {}.\n", names.join(", "));
        }
    }
    text
}

fn about(command: &Command) -> String {
    let about = command.get_about().map(ToString::to_string);
    escaped(&about.unwrap_or_default())
}

/// True if two commands have an argument in common, with the same help.
fn is_same(one: &Arg, other: &Arg) -> bool {
    let help = |argument: &Arg| argument.get_help().map(ToString::to_string);
    one.get_id() == other.get_id() && help(one) == help(other)
}

fn by_headings(arguments: &[&Arg]) -> String {
    let mut headings: Vec<&str> = Vec::new();
    for heading in arguments.iter().filter_map(|one| one.get_help_heading()) {
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    let of = |heading: Option<&str>| {
        let all = arguments.iter();
        let all = all.filter(|one| one.get_help_heading() == heading);
        all.map(|one| line(one)).collect::<String>()
    };
    let mut text = String::new();
    let without = of(None);
    if !without.is_empty() {
        text += &format!("\n{without}");
    }
    for heading in headings {
        text += &format!("\n### {heading}\n\n{}", of(Some(heading)));
    }
    text
}

/// An argument with its help, as a line of a list.
fn line(argument: &Arg) -> String {
    let help = argument.get_help().map(ToString::to_string);
    let defaults: Vec<String> = argument
        .get_default_values()
        .iter()
        .map(|value| format!("`{}`", value.to_string_lossy()))
        .collect();
    let default = match &defaults[..] {
        _ if !argument.get_action().takes_values() => String::new(),
        [] => String::new(),
        _ => format!(" (default: {})", defaults.join(", ")),
    };
    let help = escaped(&help.unwrap_or_default());
    format!("- {}: {help}{default}\n", name(argument))
}

/// An argument as it is typed.
fn name(argument: &Arg) -> String {
    let value = argument.get_value_names().unwrap_or_default();
    let takes = argument.get_action().takes_values();
    let value = match value.first() {
        Some(value) if takes => value.to_string(),
        _ => String::new(),
    };
    let short = argument.get_short().map(|letter| format!("-{letter}"));
    let mut longs = argument.get_all_aliases().unwrap_or_default();
    longs.splice(0..0, argument.get_long());
    let longs = longs.into_iter().map(|long| format!("--{long}"));
    let words: Vec<String> = short.into_iter().chain(longs).collect();
    match (words.last(), value.is_empty()) {
        (None, _) => format!("`{value}`"),
        (_, true) => quoted(&words, ""),
        _ => quoted(&words, &format!(" {value}")),
    }
}

/// Words in code with commas between them; behind the last one stands `value`.
fn quoted(words: &[String], value: &str) -> String {
    let last = words.len() - 1;
    let quoted = words.iter().enumerate().map(|(index, word)| match index {
        _ if index == last => format!("`{word}{value}`"),
        _ => format!("`{word}`"),
    });
    quoted.collect::<Vec<_>>().join(", ")
}

/// A text with what Markdown would take for markup escaped, outside of code.
fn escaped(text: &str) -> String {
    let mut is_code = false;
    let mut escaped = String::new();
    for c in text.chars() {
        is_code ^= c == '`';
        match c {
            '*' | '[' | ']' | '_' if !is_code => escaped.extend(['\\', c]),
            '<' if !is_code => escaped += "&lt;",
            '>' if !is_code => escaped += "&gt;",
            '\n' => escaped.push(' '),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Functions by headers.
fn functions() -> String {
    let all = listed();
    let count = |standing| all.iter().filter(|one| one.standing == standing).count();
    let mut text = format!(
        "# Functions of the library\n\n\
         What a call means of a function that the bundled headers declare, or that is a word of checkers: this page is written by \
         `selvedge man --markdown DIR` from the tables that the program itself uses. {} functions are modelled, and {} return any value \
         that the C standard allows. {} are known and refused: the verdict is `UNKNOWN` where a call of one is reached. Of {}, only \
         the declaration is known; a call is taken as `--extern` says (see [harnesses](harnesses.md#functions-without-a-body)). \
         Macros and builtins of compilers are not listed: those of `stdatomic.h`, `__atomic_…` and `__sync_…` are all there, and what is \
         assumed of others is told in [the next chapter](assumptions.md).\n",
        count(Standing::Modelled),
        count(Standing::Open),
        count(Standing::Refused),
        count(Standing::Declared),
    );
    let mut headers = Vec::new();
    for one in &all {
        if !headers.contains(&one.header) {
            headers.push(one.header);
        }
    }
    headers.sort_by_key(|header| (header.is_some(), *header));
    for header in headers {
        text += &match header {
            Some(header) => format!("\n## {header}\n"),
            None => {
                "\n## Words of checkers\n\n`__VERIFIER_nondet_int` stands for those of all types.\n"
                    .to_string()
            }
        };
        for standing in Standing::ALL {
            let here = all.iter().filter(|one| one.header == header);
            let here = here.filter(|one| one.standing == standing);
            let names: Vec<String> = here.map(|one| format!("`{}`", one.name)).collect();
            if !names.is_empty() {
                text += &format!("\n{}: {}.\n", standing.title(), names.join(", "));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::command;

    #[test]
    fn options_stand_with_their_values_and_other_names() {
        let mut command = command();
        command.build();
        let text = options(&command);
        for line in [
            "- `--unwind N`: ",
            "- `--first`: End the search at the first violation, and not where all are found\n",
            "- `--threads`, `--max-threads T`: ",
            "## selvedge sweep",
            "### Scheme lazy",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        let times = text
            .lines()
            .filter(|line| line.starts_with("- `--unwind N`"));
        assert!((1..=2).contains(&times.count()));
    }

    #[test]
    fn markup_is_escaped_outside_of_code() {
        assert_eq!(escaped("a*b `*<` <c>"), "a\\*b `*<` &lt;c&gt;");
    }
}
