//! Defaults of a folder: `selvedge.toml` gives options of verification by their long names, and the command line overrides
//! it, option by option. It is looked for in the current folder alone, so that a path in it is what it is on the command line.
//!
//! A run reads it once: the process that works under `--memory` gets its options as words from the one that watches it
//! ([`words`]). A sweep never does, nor do its cells: what a table says would depend on a file that the journal does not name.

use super::option::{Command, Given, Opt};
use super::options::{self, NO_CONFIG, Options};
use super::refusal::Refusal;
use crate::source::read;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Name of the file.
pub const FILE: &str = "selvedge.toml";

/// Options of a command: those that were given, and for all others what the file in a folder gives.
///
/// # Errors
/// The file cannot be read, or is wrong somewhere: the message has the line.
pub fn with(
    folder: &Path,
    command: Command,
    given: Vec<Given<Options>>,
) -> Result<Vec<Given<Options>>, Refusal> {
    if !reads(&given) {
        return Ok(given);
    }
    let path = folder.join(FILE);
    match std::fs::symlink_metadata(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(given),
        _ => {}
    }
    let bytes = read::bytes(&path).map_err(|error| Refusal::Input(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let told = |(line, what): (usize, String)| {
        Refusal::Diagnostic(format!("{}:{line}: error: {what}", path.display()))
    };
    let by_file = parse(&text).map_err(told)?;
    Ok(merged(command, given, by_file))
}

/// True unless the command line keeps the file out.
pub fn reads<T>(given: &[Given<T>]) -> bool {
    given.iter().all(|one| one.option.name != NO_CONFIG)
}

/// The words that give another process of this program what the file gave, so that it does not read it.
pub fn words(given: &[Given<Options>]) -> Vec<OsString> {
    let by_file = given.iter().filter(|one| one.line.is_some());
    let mut words: Vec<OsString> = by_file.flat_map(Given::words).collect();
    if reads(given) {
        words.push(format!("--{NO_CONFIG}").into());
    }
    words
}

/// A refusal of options that the file gives some of, with the lines of those that it is about. `alone` is what is said of the
/// file's options by themselves: if that is the same, the file is wrong, and not the command line.
pub fn explained(refusal: Refusal, alone: Option<Refusal>, by_file: &[Given<Options>]) -> Refusal {
    let is_alone = alone.as_ref() == Some(&refusal);
    let Refusal::Usage(message) = refusal else {
        return refusal;
    };
    let words = message.split(|c: char| c.is_whitespace() || ":,;".contains(c));
    let is_said = |text: &str| words.clone().any(|word| word == text);
    let is_named = |one: &&Given<Options>| {
        is_said(&one.option.word()) || one.texts().iter().any(|text| is_said(text))
    };
    let named: Vec<&Given<Options>> = by_file.iter().filter(is_named).collect();
    let lines = named.iter().filter_map(|one| one.line);
    match lines.max() {
        Some(line) if is_alone => Refusal::Diagnostic(format!("{FILE}:{line}: error: {message}")),
        _ => {
            let note = |one: &&Given<Options>| {
                let (word, line) = (one.option.word(), one.line?);
                Some(format!(" ({word} stands in {FILE}:{line})"))
            };
            let notes: Vec<String> = named.iter().filter_map(note).collect();
            Refusal::Usage(message.clone() + &notes.concat())
        }
    }
}

/// The options in force, as such a file, with where each comes from.
pub fn listing(given: &[Given<Options>]) -> String {
    let mut rows = Vec::new();
    for option in options::of(Command::Verify) {
        let found = given.iter().find(|one| one.option.name == option.name);
        let (value, origin) = match (found, option.default) {
            _ if option.name == NO_CONFIG => continue,
            (Some(one), _) => {
                let origin = match one.line {
                    Some(line) => format!("{FILE}:{line}"),
                    None => "command line".to_string(),
                };
                (shown(one), origin)
            }
            (None, Some(default)) => (value(default), "default".to_string()),
            (None, None) => continue,
        };
        rows.push((format!("{} = {value}", option.key()), origin));
    }
    let width = rows.iter().map(|(row, _)| row.chars().count()).max();
    let width = width.unwrap_or(0);
    let line = |(row, origin): &(String, String)| format!("{row:<width$}  # {origin}\n");
    rows.iter().map(line).collect()
}

/// An option's values as the file would have them.
fn shown(given: &Given<Options>) -> String {
    let texts = given.texts();
    let values: Vec<String> = texts.iter().map(|text| value(text)).collect();
    match &values[..] {
        [] => "true".to_string(),
        all if given.option.has_several() => format!("[{}]", all.join(", ")),
        all => all.join(" "),
    }
}

/// A number, or a text in quotes. (Those of JSON are some of TOML's.)
fn value(text: &str) -> String {
    match text.parse::<u32>() {
        Ok(number) if number.to_string() == text => text.to_string(),
        _ => serde_json::Value::from(text).to_string(),
    }
}

/// Options of a command in the order of the table: those that were given, and of the file's those that none of these
/// is or excludes.
fn merged(
    command: Command,
    given: Vec<Given<Options>>,
    by_file: Vec<Given<Options>>,
) -> Vec<Given<Options>> {
    let names: Vec<&str> = options::of(command).iter().map(|one| one.name).collect();
    let is_open = |one: &Given<Options>| {
        let is_other = |typed: &Given<Options>| {
            typed.option.name != one.option.name && !typed.option.excludes(&one.option)
        };
        names.contains(&one.option.name) && given.iter().all(is_other)
    };
    let by_file: Vec<_> = by_file.into_iter().filter(is_open).collect();
    let mut all: Vec<_> = given.into_iter().chain(by_file).collect();
    all.sort_by_key(|one| names.iter().position(|name| *name == one.option.name));
    all
}

/// The options that a file gives. An error has its line.
fn parse(text: &str) -> Result<Vec<Given<Options>>, (usize, String)> {
    let line = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        (line(at), error.message().to_string())
    })?;
    let mut all: Vec<Given<Options>> = Vec::new();
    for (key, value) in table.get_ref() {
        let (at, name) = (line(key.span().start), key.get_ref());
        let mut options = options::of(Command::Verify).into_iter();
        let found = options.find(|option| option.key() == name && option.name != NO_CONFIG);
        let option = found.ok_or_else(|| {
            (
                at,
                format!("there is no option `{name}`; `selvedge --help` has all, which stand here without dashes"),
            )
        })?;
        let told = |what: String| (at, format!("{name}: {what}"));
        let Some(values) = values(&option, value).map_err(told)? else {
            continue;
        };
        let other = all.iter().find(|one| one.option.excludes(&option));
        if let Some(other) = other {
            return Err(told(format!(
                "it cannot be used with {}",
                other.option.key()
            )));
        }
        all.push(Given::by_file(option, at, values).map_err(told)?);
    }
    Ok(all)
}

/// Values that are given to an option; `None` if a flag is not set.
///
/// # Errors
/// They are of another type; says what was expected.
pub fn values<T: Default + 'static>(
    option: &Opt<T>,
    value: &Spanned<DeValue>,
) -> Result<Option<Vec<String>>, String> {
    let single = |value: &Spanned<DeValue>| match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_string()),
        DeValue::Float(number) => Some(number.as_str().to_string()),
        _ => None,
    };
    match value.get_ref() {
        DeValue::Boolean(is_set) if option.is_flag() => Ok(is_set.then(Vec::new)),
        _ if option.is_flag() => Err("expected true or false".to_string()),
        DeValue::Array(all) if option.has_several() => {
            let all: Option<Vec<String>> = all.iter().map(single).collect();
            all.map(Some).ok_or("expected texts or numbers".to_string())
        }
        _ => match single(value) {
            Some(one) => Ok(Some(vec![one])),
            None if option.has_several() => {
                Err("expected a text, a number, or an array of such".to_string())
            }
            None => Err("expected a text or a number".to_string()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> (usize, String) {
        parse(text).err().expect(text)
    }

    #[test]
    fn a_wrong_file_is_told_with_the_line() {
        for (text, line, expected) in [
            ("unwind = 4\nunwnd = 3\n", 2, "there is no option `unwnd`"),
            ("\n\nunwind = 0\n", 3, "unwind: expected a number from 1"),
            ("unwind = [1]", 1, "expected a text or a number"),
            ("first = 1", 1, "expected true or false"),
            (
                "check = [\n\"race\",\n\"rac\"]",
                1,
                "check: expected memory, assert",
            ),
            ("define = [true]", 1, "define: expected texts or numbers"),
            ("32 = true\n64 = true", 2, "64: it cannot be used with 32"),
            ("no-config = true", 1, "there is no option `no-config`"),
            ("[bounds]\nunwind = 3", 1, "there is no option `bounds`"),
            ("unwind = 1\nunwind = 2\n", 2, "duplicate key"),
            ("a.c\n", 1, ""),
        ] {
            let (found, what) = told(text);
            assert_eq!(found, line, "{text}: {what}");
            assert!(what.contains(expected), "{text}: {what}");
        }
    }

    #[test]
    fn what_is_listed_is_such_a_file() {
        let text = "define = [\"A\", \"B=\\\"x\\\"\"]\ncheck = \"race,assert\"\nunwind = 4\nfirst = true\nquiet = false\n";
        let of = |text: &str| listing(&merged(Command::Verify, Vec::new(), parse(text).unwrap()));
        let listed = of(text);
        for part in [
            "define = [\"A\", \"B=\\\"x\\\"\"]",
            "check = [\"race\", \"assert\"]",
            "unwind = 4 ",
            "first = true ",
            "# selvedge.toml:3\n",
            "# default\n",
        ] {
            assert!(listed.contains(part), "{part}: {listed}");
        }
        assert!(!listed.contains("quiet"), "{listed}");
        let values = |text: &str| {
            let values = text
                .lines()
                .map(|line| line.split("  #").next().unwrap().trim().to_string());
            values.collect::<Vec<String>>()
        };
        assert_eq!(values(&of(&listed)), values(&listed));
    }
}
